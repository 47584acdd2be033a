"""A file that a tool shows within one fence, perhaps below a line that names it and the lines that it shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mcpcompact.content.shared.languages import FENCES, by_path
from mcpcompact.patterns import regex

if TYPE_CHECKING:
    from mcpcompact.content.shared.views import View

_HEAD = regex(
    r"(?:#+ )?[Ff]ile: `?(?P<path>[^`\s][^`]{0,300}?)`?\.? [Ll]ines (?P<first>\d{1,7})(?: to |-|–)(?P<last>\d{1,7})\b",
    holds=("ile: ",),
)


def unfence(view: View, first: int, arguments: Mapping[str, Any]) -> tuple[int, str]:
    """Where the file begins that stands in the only fence from line ``first`` on, and its path, if it is told. Its
    lines get their numbers where the line above or the call tells them, or this names a file and nothing else: it
    reads it from the beginning."""
    lines = view.texts
    fences = [i for i in range(first, len(lines)) if lines[i].startswith(FENCES)]
    opens, closes = fences[0] if fences else 0, fences[-1] if fences else 0
    if opens == closes or len(fences[:3]) > len((opens, closes)) or any(map(str.strip, lines[closes + 1 :])):
        return first, ""
    above = [i for i in range(first, opens) if lines[i].strip()]
    said = _HEAD.match(lines[above[0]]) if above else None
    if above[1:] or (above and said is None):
        return first, ""
    told = [value for value in arguments.values() if value not in (None, True, False, "")]
    begins = int(len(told) == 1 and isinstance(told[0], str) and by_path(told[0]) != "")
    span = [value for key, value in arguments.items() if type(value) is int and "zero" not in key.lower()]
    begins = span[0] if len(span) > 1 and span[1] - span[0] == closes - opens - len((opens, closes)) else begins
    end = closes
    while end > opens + 1 and not lines[end - 1].strip():
        end -= 1
    if said:
        begins = int(said["first"])
        end = opens + int(said["last"]) - begins + 2
        if not 0 <= closes - end <= 1:
            return first, ""
    for n, i in enumerate(range(opens + 1, end if begins else 0)):
        view.numbers[i] = begins + n
    view.echo += above
    view.outside.update(range(first, opens + 1), range(end, len(lines)))
    return opens + 1, said["path"] if said else ""
