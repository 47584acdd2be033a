"""Code: source and configuration, whole or in part, one file or several, plain or numbered.

Every line that says something is an item with its exact line number; definitions, imports and keys
weigh more, comments less, lines of braces nothing. The rules are line-based: a view is often a part
of a file that no parser would accept.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from io import StringIO
from itertools import accumulate, pairwise

from mcpcompact.content.anomalies.lines import Odd, choose, loud_lines, single_shapes
from mcpcompact.content.anomalies.thresholds import MAX_ODD
from mcpcompact.content.anomalies.words import LOUD, LOUD_DATA, SECRETS
from mcpcompact.content.code import facts
from mcpcompact.content.code.keys import outlined
from mcpcompact.content.code.lists import stated
from mcpcompact.content.code.meant import ECHO, names, weigh
from mcpcompact.content.code.scan import DEFINED, GROUPS, LITTLE, MACROS, SAMPLE, VALUES, Scan
from mcpcompact.content.code.sniff import are_directives
from mcpcompact.content.shared.calls import ENDS
from mcpcompact.content.shared.gutters import denumber, gutter_of, numbered
from mcpcompact.content.shared.languages import COMMENT, FENCES, by_path, by_shape
from mcpcompact.content.shared.lines import blank_lines, say_below
from mcpcompact.content.shared.nesting import LOOK, columns
from mcpcompact.content.shared.views import Region, View, read_view
from mcpcompact.errors import InputError
from mcpcompact.outline import MAX_ITEMS, Fact, Hints, Item, Keep, Lossless, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted, some
from mcpcompact.source import Source, split_lines

_FEW_POINTED = 5  # lines pointed to that need no cut
CONFLICT, CONFLICT_SIDE = 40, 6  # lines of conflicts that are shown, of each side of one
RAISED_AT = 9.0  # weight of the frame of one's own that is nearest to an error, before all else that is not kept
_FEW_LINES = 4  # a text of so few long lines is minified
_MAX_TEXT = 400_000  # characters that are searched for line numbers
_WORTH_NAMES = 150  # lines; a shorter file shows its own names
_SEVERAL_LOUD = 100  # lines from which on two loud ones are told
_SHORT_FILE = 200  # lines in which a second TODO is nothing rare
_LONG_BLOB = 300  # characters
_SENTENCE = 8  # blanks in a line of an entry from which on it speaks of failures and is none
MANY_NUMBERS = 40  # of a name, before one of them can be far from the others
MANY_DEFINED = 16  # definitions, which tell more of a source than a line that speaks of a failure
_SHORT_TEXT = 200  # characters that need no outline

OUTERMOST, MAX_KEYS = 4.1, 24  # weight of the outermost keys of a JSON document; so many make none a list
FURTHEST = 20_000  # lines of a document above a view of it that is read by sections
SAID = 1_000  # characters that a tool's own words may take whole
FIRST = 3.5  # weight of the first definition of each of several files: before any other
_BLOB = regex(r"(data:[\w/+.-]{1,60};base64,)?[A-Za-z0-9+/_=-]{160,}")
_FAILS = regex(
    r"\s*(?:- )?(?:(?:ready|healthy|available): false|restartCount: [1-9]\d*"
    r"|reason: \w*(?:BackOff|Err|Error|Failed|Killed|Evicted|Unschedulable)\w*)$",
    holds=(": false", "restartCount: ", "reason: "),
)  # of the state of what Kubernetes runs
_RAISED = regex(r"[\w.]*(?:Error|Exception)\b[^:]{0,80}: \S")
_STOP = regex(r"[;{}]+|,\s?|\)\s?")
_HEADING = regex(r"(#{1,6}) \S")
_CLOSES = regex(r"[\W_]*(?:(?:end|fi|done|esac)[\s)};,]*)?$")  # says nothing of its own


def outline(source: Source, hints: Hints) -> Outline:
    if source.large:
        raise InputError("more than 64 MB of code", hint="read it with --type text")
    lines = split_lines(source.text)
    view = read_view(lines, hints.arguments)
    if not view.regions:
        view.regions.append(Region(0, len(lines)))
    languages = _languages(view, hints.file)
    if languages == ["Markdown"] and (document := _document(view, hints, source)) is not None:
        return document
    scan = Scan(view, languages)
    keys = outlined(scan)
    raised = [i for i, text in enumerate(view.texts) if _RAISED.match(text)] if "log" in languages else []
    odd = _odd(source.text, scan, raised) | _echoed(scan)
    odd = weigh(scan, hints) | odd
    if languages == ["JSON"]:
        _raise_outermost(scan)
    items = stated(_items(scan, odd), scan)
    all_facts = facts.facts(lines, scan, keys, _within(scan))
    if len(raised) > 1:
        numbers = some([*map(str, map(scan.number, raised))], facts.FEW_PLACES)
        all_facts.append(Fact(f"errors raised in lines {numbers}", 0))
    kinds = sorted(Counter(scan.named.values()).most_common(), key=lambda kind: kind[0] in (VALUES, MACROS, GROUPS))
    return Outline(
        content_type="code",
        unit="line",
        total=len(lines),
        headline=facts.headline(view, languages),
        facts=all_facts,
        items=items,
        header=_legend(view),
        lossless=_lossless(source.text, view),
        more=[("--bytes" if len(lines) < _FEW_LINES and sum(map(len, lines)) > facts.LONG else "--lines", "A:B")],
        facts_share=facts.share(view, len(scan.tabled), len(lines), all_facts),
        nested=True,
        blank=blank_lines(view.texts),
        closing=_closing(view),
        breaks=[region.start + 1 for region in view.regions],
        frame_share=0.6 if view.elided else 0.3 if {"TOML", "JSON"} & {*languages} else 0.15,  # what a package needs
        parts=dict(kinds[:1]),
        outlined=bool(view.elided),
        names=names(scan) if len(view.regions) == 1 or not view.numbered else {},
        notes=[f"the view itself is partial: {'; '.join(dict.fromkeys(view.partial[:3]))}"] if view.partial else [],
    )


def _document(view: View, hints: Hints, source: Source) -> Outline | None:
    """A view of a document by its sections; None where its numbers or its fences do not tell what is where."""
    from mcpcompact.content.markup.outline import of_view

    own = view.document()
    first, number = next(((i, n) for i, n in enumerate(view.numbers) if n), (0, FURTHEST + 1))
    shift = number - first - 1
    above = " ".join(filter(None, view.texts[:first]))
    sections = not above or any(text.startswith("#") for text in own)
    document = of_view(own, shift, hints) if own and sections and shift < FURTHEST and len(above) < SAID else None
    if document is None:
        return None
    size = sum(n > 0 for n in view.numbers)
    shown = facts.places(view)
    identity = f"{counted(size, 'line')} of Markdown, {shown}" if shift or ENDS in shown else ""
    document.facts[0].text = identity or re.sub(r"[\d,]+ lines$", counted(size, "line"), document.facts[0].text)
    document.headline = document.facts[0].text
    document.facts[1:1] = [Fact(above, 0, shows=[range(1, first + 1)])] if above else []
    document.header = _legend(view)
    say_below(document, Source.of_text("\n".join([*own, ""])), source)
    return document


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Blocks that start at the outermost level after a blank line; numbered views alike."""
    numbered = re.compile(r" *\d{1,7}(?:→|\t|: ?| ?\| ?)") if gutter_of(split_lines(text[:40_000])) else None
    start, at, blank = 0, 0, False
    for line in StringIO(text, newline="\n"):
        head = line[:LOOK]
        if numbered is not None and (match := numbered.match(head)):
            head = head[match.end() :]
        if head.strip() and blank and at > start and head[0] not in " \t})]":
            yield start, at
            start = at
        blank = not head.strip()
        at += len(line)
    if start < at:
        yield start, at


def _languages(view: View, file: str) -> list[str]:
    """The language of each file: by its path, where no call has one by the file that was read, else by the shape of
    its lines."""
    languages = []
    named = {by_path(path) for path in view.asked or [file]}
    only = next(iter(named)) if len(named) == 1 else ""
    for region in view.regions:
        language = by_path(region.path) if region.path else only
        if not language or language == "text":
            looked_at = range(region.start, min(region.end, region.start + 600))
            shown = [view.texts[i] for i in looked_at if i not in view.outside]
            language = by_shape(shown)[0] or language or ("configuration" if are_directives(shown) else "")
        elif language == "C":  # a header may be of either
            language = by_shape(view.texts[region.start : region.end], ("C", "C++"))[0] or language
        languages.append(language)
    return languages


def _within(scan: Scan) -> str:
    """Whether the view of one file begins within something, and what it ends in: of a part, or not closed."""
    view, region, texts = scan.view, scan.view.regions[0], scan.texts
    own = [i for i in range(region.start, region.end) if i not in view.outside and texts[i].strip()]
    coded = [i for i in own if i not in scan.comments]
    opened = next((texts[i] for i in reversed(own) if not texts[i][0].isspace()), "").rstrip().endswith(("{", "(", "["))
    leads = own and scan.named and own[-1] in scan.comments and COMMENT.match(texts[own[-1]])  # to what is cut
    partial = opened or leads or region.until or view.partial or (own and view.numbers[own[0]] > 1)
    if len(view.regions) > 1 or not coded or not partial:
        return ""
    begins = view.numbers[own[0]] > 1 and texts[coded[0]][0] in " \t)}]"
    around = [d for d in scan.own if d.start < coded[-1] <= d.end]
    names = [d.name for d in around if columns(texts[own[-1]]) > d.indent]  # of braces: it is not closed
    within = "a comment" if leads else names[-1] if names else ""
    ends = f", ending in {within}" if within else ", ending within a block" * (opened and bool(scan.named))
    return ", beginning within a block" * begins + ends


def _closing(view: View) -> dict[int, str]:
    """Of the lines of files, as numbers of units, the text of those that only close or part something; "" of others."""
    own = (i for region in view.regions for i in range(region.start, region.end) if i not in view.outside)
    texts = ((i + 1, view.texts[i].rstrip()) for i in own)
    return {unit: text if _CLOSES.match(text) else "" for unit, text in texts if text}


def _raise_outermost(scan: Scan) -> None:
    """The keys of a whole JSON document come first: what it is, and what parts it has."""
    depth = {i: columns(text) for i in scan.coded if (text := scan.texts[i]).strip()[:1] not in "{}[]"}
    outer = [i for i, column in depth.items() if column == min(depth.values())]
    for i in outer if 0 < len(outer) <= MAX_KEYS else ():
        scan.weights[i] = max(scan.weights[i], OUTERMOST)


def _legend(view: View) -> str:
    """How displayed line numbers and ``--lines`` relate, where they differ."""
    if not view.numbered:
        return "(numbers: lines of this result)" if view.unplaced else ""
    offsets = {n - i for i, n in enumerate(view.numbers, 1) if n}
    if len(offsets) == 1:
        offset = offsets.pop()
        relation = f"minus {offset:,}" if offset > 0 else f"plus {-offset:,}"
        return f"(numbers: lines of the file; for --lines take them {relation})"
    files = "the file" if len(view.regions) == 1 else "each file"
    return f"(numbers: lines of {files}; --lines counts the {len(view.texts):,} lines of this result)"


def _lossless(text: str, view: View) -> list[Lossless]:
    shown = numbered(text) if view.gutter and len(text) <= _MAX_TEXT else None
    if shown is None:
        return []
    forms = ((5, "every fifth line numbered"), (0, "line numbers said once"))
    texts = [(how, denumber(shown, every)) for every, how in forms]
    return [Lossless(how, partial(str, bare), len(bare)) for how, bare in texts if len(bare) < len(text)]


def _odd(text: str, scan: Scan, raised: Sequence[int]) -> dict[int, Odd]:
    config, code = scan.tallies.get(True), scan.tallies.get(False)
    count = max(1, len(scan.coded))
    most = max(2, min(MAX_ODD, count // 60))
    candidates = config.odd(12) if config is not None else []
    if config is not None and scan.languages != ["JSON"]:  # a list among single values is of a shape of its own
        candidates += single_shapes(scan.texts, scan.coded)
    numbers = code.odd(MANY_NUMBERS) if code is not None else []  # those of a test are what it is about
    tests = scan.aside.union(*(range(d.start, d.end + 1) for d in scan.tests))
    candidates += [o for o in numbers if o.line not in tests]
    many = code is not None and len(scan.named) >= MANY_DEFINED
    candidates += _loud(text, scan, count)[: 3 if code is not None else 6] if not many else []
    for word, where in scan.todo_lines.items():
        if not (many and word == "TODO") and len(where) <= (1 if word == "TODO" and count < _SHORT_FILE else 2):
            candidates += [Odd(i, Keep.SEVERE, "", f"loud {word}") for i in where]
    chosen = choose(candidates, most)
    first = {scan.texts[i]: i for i in reversed(raised)}  # in an editor's window
    errors = sorted(first.values())[: facts.FEW_PLACES]
    chosen |= _kept(errors, "raised")
    for i in (at for error in errors for at in _thrown_at(scan.texts, error)):
        scan.weights[i] = RAISED_AT
    if "YAML" in scan.languages:
        failing = [i for i in scan.coded if _FAILS.match(scan.texts[i])]
        chosen |= _kept(failing[: facts.FEW_PLACES] if len(failing) * facts.FEW_PLACES <= count else (), "failing")
    for i in _conflicting(scan):
        chosen[i] = Odd(i, Keep.SEVERE, "", "conflict")
    return chosen


def _kept(lines: Iterable[int], what: str) -> dict[int, Odd]:
    """Lines that stand whatever else there is, each for itself."""
    return {i: Odd(i, Keep.SEVERE, "", f"{what} {i}") for i in lines}


def _loud(text: str, scan: Scan, count: int) -> list[Odd]:
    """The lines with a loud word that speak of a failure themselves: no comment, text or entry of a table."""
    config, code = True in scan.tallies, False in scan.tallies
    words = [*LOUD, *SECRETS, *(LOUD_DATA if config and not code else ())]
    if code and count < _WORTH_NAMES:
        words = [word for word in words if not word.islower()]  # comments speak of crashes
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    loud = loud_lines(text, starts, words, most=2 if count >= _SEVERAL_LOUD else 1)
    spoken = {o.line for o in loud if o.template.islower() and COMMENT.match(scan.texts[o.line].strip())}  # of crashes
    spoken |= {o.line for o in loud if code and len(scan.texts[o.line]) > _LONG_BLOB}  # a text within it
    spoken |= scan.tabled.difference(i for i in scan.coded if scan.texts[i].strip().count(" ") < _SENTENCE)
    return [o for o in loud if o.line not in scan.view.outside | spoken and scan.weights[o.line] > SAMPLE]


def _thrown_at(texts: Sequence[str], i: int) -> list[int]:
    """The lines of the frame of one's own that is nearest to what was raised."""
    from mcpcompact.content.log.weights import telling

    begin = next((n + 1 for n in range(i - 1, -1, -1) if texts[n][:1] not in (" ", "\t")), 0)
    parts = telling(texts[begin : i + 1]) if begin < i else []
    return [begin + n for first, behind, weight in parts if weight for n in range(first, behind)]


def _conflicting(scan: Scan) -> list[int]:
    """The lines of merge conflicts, of each the first of both sides, not of what both come from; 40 in all."""
    shown: list[int] = []
    for i, below in pairwise([*scan.conflicts, 0]):
        sides = scan.texts[i][:1] in "<="
        shown += range(i, min(i + CONFLICT_SIDE + 1, below) if sides and below else i + 1)
    return [i for i in shown if scan.texts[i].strip()][:CONFLICT]


def _echoed(scan: Scan) -> dict[int, Odd]:
    """What the tool says around the views, whole before any line of them; of a long one the ends and what heads a
    view. The line that names a file comes first of the others. Lines that a code frame points at (``> 417 |``)."""
    view = scan.view
    for i in view.elided:
        scan.weights[i] = LITTLE
    echo = [] if view.elided else view.echo  # a fact tells that this is not all
    long = sum(len(view.texts[i]) for i in echo) > SAID
    if long:
        heading = [a for a, b in pairwise([*echo, len(view.texts)]) if any(view.numbers[a:b])]
        echo = sorted({echo[0], *heading, echo[-1]})
    named = {r.path: r.start for r in reversed(view.regions) if r.path and r.start in view.outside}.values()
    marks = [i for i in view.cursors if i in view.outside]
    for i in [*view.before, *echo, *named, *marks]:
        scan.weights[i] = ECHO
    pointed = view.pointed if len(view.pointed) <= _FEW_POINTED else ()
    odd = {i: Odd(i, Keep.SEVERE, "pointed at", "pointer") for i in pointed}
    return odd | _kept([*(() if long else echo), *marks[:_FEW_POINTED]], "said")


def _items(scan: Scan, odd: dict[int, Odd]) -> list[Item]:
    view, several = scan.view, len({r.path for r in scan.view.regions if r.path}) > 1
    candidates = [i for i, weight in enumerate(scan.weights) if weight > 0 or i in odd]
    if len(candidates) > MAX_ITEMS:
        candidates = _evenly(candidates, scan, odd)
    items: list[Item] = []
    first: dict[int, Item] = {}  # the heaviest of each file
    starts = [r.start for r in view.regions]
    above = _below_headings(view.texts, scan.leads()) if scan.languages == ["Markdown"] else scan.leads()
    heads = [d.start for d in scan.definitions]
    above = [heads[at - 1] if i in view.elided and (at := bisect_right(heads, i)) else n for i, n in enumerate(above)]
    long_share = MAX_ITEMS // max(1, sum(1 for i in candidates if len(view.texts[i]) > facts.LONG))
    for i in candidates:
        place = max(0, bisect_right(starts, i) - 1)
        region = view.regions[place]
        headed = region.start in view.outside and scan.weights[region.start] > 0  # by a line that names the file
        section = f"── {region.path}" if several and region.path and not headed and i not in view.outside else ""
        strange = odd.get(i)
        number = view.numbers[i]
        text = view.texts[i].rstrip()
        if len(text) > facts.LONG:
            items += _cut_long(text, i, number or i + 1, section, scan.weights[i], long_share)
            continue
        shown = f"{number} {_blobs(text)}" if number else _blobs(text)
        under = above[i] + 1 if above[i] >= region.start else (region.start + 1) * (headed and i > region.start)
        item = Item(i + 1, i + 1, shown, weight=scan.weights[i] or 1.0, section=section, under=under)
        least = first[place].weight if place in first else 0.0
        if several and i not in view.outside and ECHO > item.weight > least:
            first[place] = item
        if i in scan.named:
            item.part = (scan.named[i], 1)
        if strange is not None:
            item.keep, item.reason, item.template = strange.keep, strange.reason, strange.template
            item.template += f" {i}" * (strange.keep is Keep.RARE)  # no other value is like it
        items.append(item)
    for item in first.values():
        item.weight = FIRST
    return items


def _below_headings(texts: Sequence[str], owners: list[int]) -> list[int]:
    """Of a document in lines, since its view has gaps, each line stands below its heading, and that below those above.
    A fence may have its end in a gap: two signs are a heading, one may be a comment within it."""
    path: list[tuple[int, int]] = []  # levels and lines of the headings that are open
    fenced = False
    for i, text in enumerate(texts):
        fenced ^= text.startswith(FENCES)
        heading = _HEADING.match(text)
        level = len(heading[1]) if heading else 0
        level *= level > 1 or not fenced
        while level and path and path[-1][0] >= level:
            path.pop()
        owners[i] = max(owners[i], path[-1][1] if path else -1)
        path += [(level, i)] * (level > 0)
    return owners


def _evenly(candidates: list[int], scan: Scan, odd: dict[int, Odd]) -> list[int]:
    """All odd lines and ends, then definitions, then an even choice of the rest: ``MAX_ITEMS`` at most."""
    must = {i for i in candidates if i in odd} | {candidates[0], candidates[-1]}
    heavy = [i for i in candidates if scan.weights[i] >= DEFINED[1] and i not in must]
    if len(heavy) > MAX_ITEMS // 2:
        heavy = heavy[:: len(heavy) * 2 // MAX_ITEMS + 1]
    must.update(heavy)
    rest = [i for i in candidates if i not in must]
    step = max(1, -(-len(rest) // (MAX_ITEMS - len(must))))
    return sorted(must.union(rest[::step]))


def _cut_long(text: str, i: int, number: int, section: str, weight: float, most: int) -> list[Item]:
    """A very long line as statements of 60 to 140 characters, each with its offset: ``1@48210: …``."""
    pieces: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        blob = _BLOB.match(text, at)
        stop = blob.end() if blob and blob.end() - at > _LONG_BLOB else min(len(text), at + 140)
        for match in _STOP.finditer(text, at + 60, stop) if stop == at + 140 else ():
            stop = match.end()
            if match.group()[0] in ";{}":
                break
        pieces.append((at, stop))
        at = stop
    items = []
    for k in range(min(most, len(pieces))):
        start, end = pieces[int(k * max(1, len(pieces) / most))]
        piece = text[start:end]
        heavy = 1.5 if any(word in piece for word in ("function ", "class ", "exports")) else 1.0
        shown = f"{number}@{start}: {_blobs(piece)}"
        items.append(Item(i + 1, i + 1, shown, weight=heavy * max(weight, 0.5), section=section))
    return items


def _blobs(text: str) -> str:
    """Data URIs and long base64 replaced by their kind and size."""

    def shown(blob: re.Match[str]) -> str:
        head = blob[1] or blob[0][:24]
        return f"{head}…[+{len(blob[0]) - len(head):,} chars]"

    return text if len(text) < _SHORT_TEXT else _BLOB.sub(shown, text)
