"""What a tool itself leaves out of a numbered view: bodies, behind a line that names the lines which do not stand there
(``80 ... eliding lines 80-102 ...``, ``[lines 80-102 omitted]``). Known by the numbers, in whatever words."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

if TYPE_CHECKING:
    from mcpcompact.content.shared.views import View

_SPAN = regex(r"(?<!\d)(\d{1,7}) ?(?:[-–—:]|to|through|\.{2,3}) ?(\d{1,7})(?!\d)")
_TAGS = regex(r"^(?:<\w+>)+|(?:</\w+>)+$")  # around a remark
_REMARK, _SAYS = 200, 8  # characters of a remark that is short; blanks in one: it may tell how to get the rest
_MARK = 60  # characters of a line that stands for what the tool left out


def elided(view: View) -> dict[int, tuple[int, int]]:
    """The lines that name those from their own number on, or from the one behind the last, up to the next number; and
    lines worded like one that does. Each with the first and the last of them."""
    found: dict[int, tuple[int, int, bool]] = {}
    before, after = [0], 0
    for number in view.numbers:
        before.append(number or before[-1])
    for i in range(len(view.texts) - 1, -1, -1) if view.gutter else ():
        if said := _SPAN.search(view.texts[i]):
            first, last = int(said[1]), int(said[2])
            if last >= first > 0 and last > view.numbers[i] and first == (view.numbers[i] or before[i] + 1):
                found[i] = first, last, last == after - 1
        after = view.numbers[i] or after
    worded = {_SPAN.sub("", view.texts[i]) for i, (_, _, told) in found.items() if told}
    return {i: found[i][:2] for i in sorted(found) if _SPAN.sub("", view.texts[i]) in worded}


def told(view: View) -> str:
    """How much the tool left out, without what lies in another range."""
    new: list[int] = []
    for region in view.regions:
        spans = [span for i, span in view.elided.items() if region.start <= i < region.end]
        ends = [0, *accumulate((last for _, last in spans), max)]
        new += [last - max(end, first - 1) for (first, last), end in zip(spans, ends, strict=False)]
    ranges = counted(sum(n > 0 for n in new), "range"), counted(sum(n for n in new if n > 0), "line")
    mark = view.texts[next(iter(view.elided))].strip()[:_MARK]
    of = "files" if len(view.regions) > 1 else "the file"
    return f"The tool itself left out {', '.join(ranges)} of {of} (“{mark}”): not in this result"


def remark(view: View) -> str:
    """What the tool says of that in its own words, '' where it says nothing."""
    own = (_TAGS.sub("", view.texts[i].strip()) for i in view.echo if i not in view.elided)
    words = [text for text in own if len(text) <= _REMARK and text.count(" ") >= _SAYS and text[-1] != ":"]
    return f"The tool's own words: “{min(words, key=lambda text: (len(text), text))}”" if words else ""
