"""What is said of source as a whole: its languages and lines, its files, what the tool left out, what is to be done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mcpcompact.content.code.scan import Scan
from mcpcompact.content.shared.calls import ENDS
from mcpcompact.content.shared.gutters import BLAME
from mcpcompact.content.shared.languages import by_path
from mcpcompact.content.shared.lines import reminder
from mcpcompact.content.shared.views import Region, View, left_out, own_words
from mcpcompact.outline import Fact
from mcpcompact.phrasing import counted, some

_LINES_OF_A_PLACE = 3  # a region without a name says something from more lines on
_PLACES = 3  # line numbers that are named
FEW_PLACES = 6  # files that are named with their lines
FACTS, OUTLINES, TABLES = 0.06, 0.45, 0.7  # of the room, what facts take; of a configuration with its keys, with rows
REMARKED, MANY_NAMED = 0.14, 30  # the same where a tool left out much and says so; names that say more than its words
LONG = 2_000  # a longer line is not written by hand: it is shown in pieces with character offsets


def headline(view: View, languages: list[str]) -> str:
    """The lines of the files, without what the tool that showed them says around them."""
    lines = sum(_size(view, region) for region in view.regions)
    files = {region.path for region in view.regions}
    asked = [language for language in map(by_path, view.asked if view.unplaced else ()) if language]
    named = ", ".join(name for name, _ in Counter(asked or filter(None, languages)).most_common(2)) or "code"
    if not any(map(by_path, files)) and any("." in file.rpartition("/")[2] for file in files):
        named = f"what looks like {named}"
    parts = counted(len(view.regions), "view") if "" in files else counted(len(files), "file")
    several = len(view.regions if "" in files else files) > 1  # numbers that go back may be those of one file, too
    return f"{counted(lines, 'line')} of {named}" + (f" in {parts}" if several else "")


def _size(view: View, region: Region) -> int:
    """The lines of a file, without what the tool says around it."""
    own = [i for i in range(region.start, region.end) if i not in view.outside]
    if view.gutter:
        return sum(view.numbers[i] > 0 for i in own)
    while own and (len(view.regions) > 1 or own[-1] + 1 < len(view.texts)) and not view.texts[own[-1]].strip():
        own.pop()  # a blank line before what the tool says, or before the next file
    return len(own)


def share(view: View, tabled: int, lines: int, facts: Sequence[Fact]) -> float:
    """The room of the facts: tables of a third of the lines and more say more than these."""
    if 3 * tabled > lines:
        return TABLES
    return OUTLINES if any(fact.least for fact in facts) else REMARKED if view.elided else FACTS


def facts(lines: list[str], scan: Scan, keys: list[Fact], within: str) -> list[Fact]:
    """``within``: what a view of a part begins and ends in."""
    view, languages = scan.view, scan.languages
    identity = headline(view, languages)
    paths = [r.path for r in view.regions if r.path]
    if where := places(view):
        identity += f", {where}"
    identity += within
    longest = max(map(len, lines), default=0)
    if longest > LONG:
        identity += f"; {sum(map(len, lines)):,} characters, longest line {longest:,}"
    if note := reminder(lines, 0):
        identity += f"; {note}{' of this result' if view.numbered else ''}"
    facts = [Fact(identity, 0)]
    facts += _of_view(lines, view, len(scan.definitions))
    if len(paths) > 1 and "lines " not in where and (listed := _listed(view, languages)):
        facts.append(Fact("files: " + some(listed, 12), 1))
    facts += keys
    for first, last in scan.licences:
        facts.append(Fact(f"text of a licence: lines {scan.number(first)}–{scan.number(last)}", 1))
    if scan.todo_lines:
        todos = []
        for word, at in sorted(scan.todo_lines.items()):
            numbers = ", ".join(str(scan.number(i)) for i in at[:_PLACES])
            todos.append(f"{word} {len(at):,} (line {numbers}{'…' * (len(at) > _PLACES)})")
        facts.append(Fact(" · ".join(todos), 2))
    if scan.conflicts:
        spots = ", ".join(map(str, map(scan.number, scan.conflicts[:8])))
        facts.append(Fact(f"merge conflict markers: {len(scan.conflicts):,} (lines {spots})", 0))
    keyed = len(languages) == len(view.regions) == 1 and not view.unplaced and languages != ["SQL"]
    config = scan.tallies.get(True) if keyed else None
    if config is not None and (often := [key for key in config.summary() if ": all different" not in key]):
        rank = 1 + any(fact.least for fact in facts)  # a tree of the keys says more
        facts.append(Fact("repeated keys: " + " · ".join(often), rank))
    return facts


def _of_view(lines: list[str], view: View, definitions: int) -> list[Fact]:
    """What git or the tool says of the lines: who wrote them, which of them it left out."""
    if view.gutter == BLAME:
        from mcpcompact.content.shared.gutters import blamed

        return blamed(lines, left_out=True)
    if not view.elided:
        return []
    words = own_words(view)
    return [Fact(left_out(view), 0), *([Fact(words, int(definitions > MANY_NAMED))] if words else [])]


def _listed(view: View, languages: list[str]) -> list[str]:
    """Each file with its lines and, where these differ, its language; where all are headed by their names and of one
    language nothing."""
    headed, several = all(r.start in view.outside for r in view.regions), len(set(languages)) > 1
    if headed and not several and len(view.regions) <= FEW_PLACES:
        return []
    listed = []
    for region, language in zip(view.regions, languages, strict=True):
        name = region.path.rpartition("/")[2] if headed else region.path or "(unnamed)"
        if region.path or region.end - region.start > _LINES_OF_A_PLACE:
            kind = f" of {language}" * (several and language > "")
            listed.append(f"{name} {counted(_size(view, region), 'line')}{kind}")
    return listed


def places(view: View) -> str:
    """The files by name with their lines, where these are known and not all: ``lines 80–150 of a.ts``."""
    regions = [r for r in view.regions if any(view.numbers[r.start : r.end])]
    named: dict[str, list[Region]] = {}
    for r in regions:
        named.setdefault(r.path, []).append(r)
    if len(named) > FEW_PLACES:
        return ""
    ended = "" if not all(r.until for r in regions) else f" ({ENDS})"
    if not view.numbered and not ended:
        names = view.asked if view.unplaced else named if len(named) == 1 else ()
        return ", ".join(dict.fromkeys(name.rsplit("/", 1)[-1] for name in names))
    ranges = []
    for path, own in named.items():
        spans = [[n for n in view.numbers[r.start : r.end] if n] for r in own]
        name = path.rsplit("/", 1)[-1] or "the file"
        some_of = "among " * any(len(span) <= span[-1] - span[0] for span in spans)
        ranges.append(f"{some_of}lines {', '.join(f'{span[0]}–{span[-1]}' for span in spans)} of {name}")
    ended = ended.replace("range ends", "ranges end") if len(regions) > 1 else ended
    return "; ".join(ranges) + ended
