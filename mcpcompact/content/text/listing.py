"""Listings (``find``, ``git ls-files``, ``ls -lR``, ``tree``): whole rows, bare names by directory."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection
from functools import partial
from itertools import groupby
from operator import attrgetter
from posixpath import commonprefix

from mcpcompact.content.anomalies.numbers import fences, median
from mcpcompact.content.anomalies.thresholds import MAX_RARE, MIN_RARE
from mcpcompact.content.anomalies.words import LOUD_NAME
from mcpcompact.content.log.templates import number_text
from mcpcompact.content.shared import lines as shared
from mcpcompact.content.text import rows
from mcpcompact.content.text.entries import (
    KINDS,
    Entry,
    above,
    base_of,
    directories,
    extension,
    first,
    is_self,
    parent,
    parse,
)
from mcpcompact.outline import Fact, Item, Keep, Lossless, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

LARGE = 4  # the largest directory of a long listing is looked into, if it holds one entry in so many
DIRECTORIES, DEEPEST = 16, 6  # said with their number of entries, and the steps of a path that are looked at
HINTS = 4  # lines of advice between a heading and what stands below it
MOSTLY = 0.8  # of what a directory holds, in one below it: then that is looked into
MANY = 5  # entries of each other kind or directory, before the only one of its kind stands out
MIN_ALONE = 40  # entries before one can be the only one of its kind
MAX_LOUD = 6
KILO = 1_024
FAR = 10  # times the size that 95 % are at most: the largest file is told whatever else there is
SECTIONS = 6  # below headings of their own, of which each is counted
LISTED, NAMED = 24, 0.8  # entries, counted by directory and kind; share of facts that name all: rows say them again
SHORTER = 0.8  # of the characters of its paths, that names by directory take at most to stand for them
LONG = 64  # absolute paths from which on what all begin with is said once; a good part of fewer fits as they stand
GROUPED = 4  # of these a directory, from which on they stand as names by directory

_VARIED, ALIKE = regex(r"(?<![A-Za-z0-9])(?:[0-9a-f]{7,64}|\d+)(?![A-Za-z0-9])"), 8  # names that are told as one


def outline(lines: list[str], asked: str = "", quoted: bool = True, ended: bool = True) -> Outline:
    """Facts on directories, kinds and sizes; an item a path, or the names that a directory holds. Directories that
    ``asked``, the call and the request, names come first. ``quoted``: a path is a line of the original. ``ended``: by a
    line break."""
    entries = parse(lines)
    if windows := sum("\\" in e.name for e in entries) > len(entries) / 2 and not any("/" in e.path for e in entries):
        paths = {e.index for e in entries}
        lines = [line.replace("\\", "/") if i in paths else line for i, line in enumerate(lines)]
        entries = parse(lines)
    stump = _stump(entries) if not ended and entries and entries[-1].index == len(lines) - 1 else []
    entries = entries[: len(entries) - len(stump)]
    places = directories(lines, entries)
    root, mere = _root(entries), all(lines[e.index] == e.path for e in entries)
    long = root.startswith("/") and len(entries) >= LONG
    for entry in entries if not quoted or windows or (mere and long and GROUPED * len(places) <= len(entries)) else ():
        entry.verbatim = False
    files = [e for e in entries if not (e.is_directory or rows.is_link(e)) and e.path.rstrip("/") not in places]
    cuts = shared.truncations(lines) + stump
    where = f"{counted(len(entries), 'entry')} in {counted(len(places), 'directory')}"
    nested = f" ({len(places) + n:,} with their parents)" if (n := _parents(places, root, entries)) else ""
    status = Counter(e.status for e in entries if e.status)
    if all(e.mode for e in entries) and (listed := sum(e.is_directory for e in entries)) > len(places):
        where = f"{counted(len(entries), 'entry')}, {counted(listed, 'directory')} among them"
    states_of = [*status.most_common(), *([("no state", bare)] if (bare := len(entries) - status.total()) else [])]
    states = ": " + " · ".join(f"{state} {n:,}" for state, n in states_of) if status else ""
    tally = _by_section(lines, entries) or states
    left = " of what the tool left" if cuts else ""
    quotes = any(e.verbatim for e in entries)
    cut = "" if quotes and not long else above(root) if quotes and not mere else root
    below = f" {'from' if (itself := root.rstrip('/') in places) else 'below'} {root}{' down' * itself}" if root else ""
    below += f"; names here are relative to {'it' if cut == root else cut}" if root and cut else ""
    below += "; / stands for \\" * windows
    headline = Fact(f"Listing: {where}{nested}{left}{below}{tally}.", 0)
    facts = [*shared.complaints(lines), *cuts, headline, *shared.states(lines)]
    short = len({e.directory for e in entries if e.mode and not e.verbatim}) > 1  # ls -lR
    shown = entries
    if len(entries) >= LISTED and (same := _one_name(entries)):
        facts.append(Fact(f"All are named {same}; here the directories that hold one.", 0))
        shown = [Entry(e.index, *e.directory.rpartition("/")[::2], verbatim=False) for e in entries]
    table = rows.Rows(shown, root, cut, short, asked)
    hidden = {id(entry): match[1] for entry, match in rows.showing(entries, root, rows.BURIED, rows.HIDDEN)}
    buried = Counter(hidden.values())
    if own := (len(entries) - buried.total()) * bool(buried):
        text = ", ".join(f"{n:,} of {name}" for name, n in buried.most_common())  # and these themselves
        facts.append(Fact(f"{text}; {own:,} elsewhere.", 0))
    by_kind = Counter(extension(e.name) for e in files)
    names = [] if short else _names(entries)
    if 1 < len(by_kind) <= KINDS and len(files) >= LISTED and not names:  # these are all kinds of them
        facts.append(Fact(f"By kind: {first(by_kind, KINDS)}", int(len(files) < LONG)))
    if len(places) > 1 and (len(entries) >= LISTED or 2 * len(places) < len(entries)):
        own *= len(entries) >= LONG or 2 * own > len(entries)  # of a few all are counted
        others = [e for e in entries if not own or id(e) not in hidden]
        by, groups = _by_directory(others, root)
        by = f"Entries {by.lower()}" if any(e.is_directory for e in others) else by  # else these are files
        by += " elsewhere: " if own else ": "
        rank = int(len(entries) < LONG or bool(status))  # of a long one the shape comes first
        held = Fact(by + first(groups, DIRECTORIES), rank, by + first(groups, rows.SEVERAL))
        facts += [held] * (2 * len(groups) <= len(others))  # else they tell nothing
        largest = [] if rank else [_largest(table.main, groups), _largest(groups, groups)]  # of sources, and of all
        insides = dict.fromkeys(_inside(others, f"{root}{each}/") for each in largest if each)
        facts += [Fact(inside, 0) for inside in insides if inside]
    facts += _sizes(entries, files, cut)
    facts += _modes(entries, cut)
    if short or any(rows.is_object(e) and e.shown for e in entries):
        text = f"names, from {table.least.shown} on with the size" if table.least else "names and sizes"
        facts.append(Fact(f"Here {text}; the lines have more.", 0))
    facts += names
    odd = {} if shown is not entries else _odd(entries, files, root, hidden)
    items = _items(lines[: len(lines) - len(stump)], shown, odd, table, whole=shown is entries)
    named = {n for fact in names for units in fact.shows for n in units}
    for item in items if named else ():
        item.weight *= item.start not in named
    return shared.outline_of(
        lines,
        where,
        facts,
        items,
        lossless=_by_name(lines, entries, root) if mere and not (stump or windows) and len(entries) >= LISTED else [],
        facts_share=NAMED if names else 0.2,
        frame_share=rows.ROOTED if short else 0.2,
        anchored=not table.ranked,
        blank=shared.blank_lines(lines),
    )


def _by_name(lines: list[str], entries: list[Entry], root: str) -> list[Lossless]:
    """Of mere paths what all begin with once, or their names, a line a directory, where that is much shorter; notes
    above and below them stay."""
    held: dict[str, list[str]] = {}
    for e in entries:
        held.setdefault(e.directory, []).append(e.name)
    begin, end = entries[0].index, entries[-1].index + 1
    if any("  " in e.name for e in entries) or 2 * len(held) > len(entries) or end - begin > len(entries):
        return []
    above, below = ([line for line in part if line] for part in (lines[:begin], lines[end:]))
    above += [f"below {root}:"] * bool(root)
    places = ((f"{place}/".removeprefix(root) or "./", names) for place, names in held.items())
    named = [f"{place} ({len(names):,}): {'  '.join(names)}" for place, names in places]
    kept = len([*groupby(entries, attrgetter("directory"))]) == len(held)
    hows = {"paths without what all begin with": [e.path.removeprefix(root) for e in entries] if root else []}
    hows[f"names by directory{'' if kept else ', which are not in the order of the lines'}"] = named
    texts = [(how, "\n".join([*above, *part, *below])) for how, part in hows.items() if part]
    most = sum(len(e.path) for e in entries)
    return [Lossless(how, partial(str, text), len(text)) for how, text in texts if len(text) < SHORTER * most]


def _one_name(entries: list[Entry]) -> str:
    """The name of all, where they are bare paths of one (``find -name models.py``)."""
    bare = all(e.verbatim and e.directory and not (e.mode or e.status or e.shown) for e in entries)
    names = {e.name for e in entries} if bare else ()
    return "".join(names) if len(names) == 1 else ""


def _stump(entries: list[Entry]) -> list[Fact]:
    """That the last line, which no line break ends, is the beginning of a directory's name and nothing else."""
    if len(entries) < MIN_ALONE or "." in entries[-1].name or not all("." in e.name for e in entries[:-1]):
        return []
    path, last = entries[-1].path, entries[-1].index + 1
    begun = any(e.directory.startswith(path) and e.directory[len(path) :][:1] not in ("", "/") for e in entries)
    return [Fact(f"The last line ({last:,}: “{path}”) is cut off within a path: more may follow", 0)] if begun else []


def _by_section(lines: list[str], entries: list[Entry]) -> str:
    """How many of each state stand below each heading of several (``Changes not staged for commit:``)."""
    own = {e.index for e in entries}
    ends = (i for i, line in enumerate(lines) if line.rstrip().endswith(":") and _is_note(line))
    heads = [-1, *(i for i in ends if i not in own)]
    held: dict[int, Counter[str]] = {}
    for e in entries:
        held.setdefault(heads[bisect_right(heads, e.index) - 1], Counter())[e.status] += 1
    parts = (f"{lines[i].strip()} {' · '.join(f'{s} {n:,}'.strip() for s, n in held[i].most_common())}" for i in held)
    return f": {'; '.join(parts)}" if 1 < len(held) <= SECTIONS and -1 not in held else ""


def _names(entries: list[Entry]) -> list[Fact]:
    """What stands in a directory that is listed in rows, of which a name is the least part."""
    listed = [e for e in entries if e.mode and not rows.is_object(e)]
    if len({e.directory for e in listed}) != 1 or 2 * len(listed) < len(entries):
        return []
    files = [e for e in listed if not (e.is_directory or rows.is_link(e))]
    kinds = " · ".join(f"{k} {n:,}" for k, n in Counter(extension(e.name) for e in files).most_common(KINDS) if n > 1)
    largest = " · ".join(map(rows.name_of, sorted(files, key=lambda e: -(e.size or 0))[: rows.SEVERAL]))
    many = f"files by kind: {kinds}; largest: {largest}" if kinds else f"largest: {largest}"
    folders, links = [e for e in listed if e.is_directory], [e for e in listed if rows.is_link(e)]
    named = {"directories": folders, "files": files, "symlinks": links}
    return [Fact(many, 0)] * (len(files) > rows.SOME) + [_named(kind, some) for kind, some in named.items() if some]


def _named(kind: str, entries: list[Entry]) -> Fact:
    """Names, of files with their sizes where there is room: alike ones counted, of several words a line each."""
    patterns = [_VARIED.sub("…", e.name) for e in entries]
    alike = {pattern: n for pattern, n in Counter(patterns).most_common() if n >= ALIKE and pattern.strip("….")}
    alike = alike if len(entries) > rows.SOME else {}
    repeated = [f"{n:,}× {pattern}" for pattern, n in alike.items()]
    others = [e for e, pattern in zip(entries, patterns, strict=True) if pattern not in alike]
    names, sized = [e.name for e in others], kind == "files"
    if sized and any(" " in name for name in names):
        same = {f"{e.mode} {e.owner}" for e in entries}
        kind += f", all {''.join(same)}" * (len(same) == 1)
        above = ": ".join(["", "  ".join(repeated)]).rstrip(" ")
        rows_of = [f"{kind}, sizes before them, the lines have more{above}", *(f"{e.shown} {e.name}" for e in others)]
        short = "\n".join([f"{kind}, names alone{above}", *names])
        return Fact("\n".join(rows_of), 0, short, shows=[(), *([e.index + 1] for e in others)])
    bare = f"{kind}: {'  '.join([*repeated, *names])}"
    full = f"{kind} with their sizes: {'  '.join([*repeated, *map(rows.name_of, others)])}" if sized else bare
    first_of = f"the first of {len(others):,}{' others' * bool(repeated)}: {'  '.join(names[: rows.SOME])}"
    few = f"{kind}: {'  '.join([*repeated, first_of])}" if len(others) > rows.SOME else ""
    return Fact(full, 0, bare, least=few)  # before rows: what is there at all


def _modes(entries: list[Entry], cut: str) -> list[Fact]:
    """Of ``git ls-tree``: how many entries have each mode; which are executable, links or no files where few."""
    modes: dict[str, list[str]] = {}
    for e in filter(rows.is_object, entries):
        modes.setdefault(e.mode, []).append(e.path.removeprefix(cut))
    ranked = sorted(modes, key=lambda mode: -len(modes[mode]))
    text = "Modes: " + " · ".join(f"{mode} {len(modes[mode]):,}" for mode in ranked)
    named = (f"{mode}: {', '.join(modes[mode])}" for mode in rows.MODES if mode in modes)
    few = "; ".join(names for names in named if len(names) <= rows.LINE // 2)
    return [Fact(f"{text} ({few})" if few else text, 0, text)] if len(modes) > 1 else []


def _root(entries: list[Entry]) -> str:
    """The directory that all stand below, with its ``/``; "" where there is none worth saying once."""
    own = f"{entries[0].path.rstrip('/')}/" if entries else ""
    below = [e for e in entries[1:] if f"{e.directory}/".startswith(own)]  # of ``find DIR`` the first line is DIR
    places = [f"{e.directory}/" for e in (below if 0 < len(below) == len(entries) - 1 else entries)]
    root = base_of(places)
    return root if root.strip("./") and (len(set(places)) > 1 or root.startswith("/")) else ""


def _by_directory(entries: list[Entry], root: str) -> tuple[str, Counter[str]]:
    """Entries by the directories of the deepest level that has few of them, below what all begin with, and what
    is said of them: all are direct counts, or what lies right in a directory above them is counted apart."""
    below = (f"{entry.directory}/" for entry in entries if f"{entry.path.rstrip('/')}/" != root)  # find's own line
    steps = [place.removeprefix(root).removeprefix("./").split("/")[:-1] for place in below]
    held = {"/".join(step[:k]) for step in steps for k in range(1, len(step))}
    groups, reached = Counter[str](), 1
    for depth in range(1, DEEPEST):
        deeper = Counter("/".join(step[:depth]) or "." for step in steps)
        if len(deeper) > DIRECTORIES and groups:
            break
        groups, reached = deeper, depth
    if all(len(step) <= reached for step in steps):
        return ("Directly in each directory" if held else "By directory"), groups
    apart = {"/".join(step) for step in steps if len(step) < reached} & held
    return "By directory", Counter({f"directly in {name}" if name in apart else name: n for name, n in groups.items()})


def _parents(places: set[str], root: str, entries: list[Entry]) -> int:
    """How many directories below ``root`` hold nothing but directories, where none is an entry itself."""
    if any(e.is_directory for e in entries):
        return 0
    steps = [place[len(root) :].split("/") for place in places if place.startswith(root)]
    above = {"/".join(step[:k]) for step in steps for k in range(1, len(step))}
    return len(above - {place[len(root) :] for place in places} - {"", ".", ".."})


def _largest(held: Counter[str], groups: Counter[str]) -> str:
    """The directory that holds a good part, and of which the groups do not already tell what it holds."""
    (largest, n), *_ = held.most_common(1) or [("", 0)]
    split = sum(f"{name}/".startswith(f"{largest}/") for name in groups) > 1
    return largest if n * LARGE >= held.total() and not split and largest != "." else ""


def _inside(entries: list[Entry], directory: str) -> str:
    """What a large directory holds, by the next ones below it that are several."""
    directory = directory.removeprefix("./")
    paths = (e.path.removeprefix("./").rstrip("/") for e in entries)  # a directory is one of those in the one above it
    steps = [path[len(directory) :].split("/")[:-1] for path in paths if path.startswith(directory)]
    groups = Counter(step[0] if step else "." for step in steps)
    (most, n), *_ = groups.most_common(1) or [(".", 0)]
    if most != "." and n >= MOSTLY * groups.total():
        return _inside(entries, f"{directory}{most}/")
    return f"In {directory}: {first(groups, DIRECTORIES)}" if 1 < len(groups) <= len(steps) // 2 else ""


def _sizes(entries: list[Entry], files: list[Entry], cut: str) -> list[Fact]:
    """Sums and medians as exact as the listing is: bytes, or ``~`` where it rounds (``ls -lh``).

    A number alone before the name (``du``, ``wc``) has no unit, and ``du`` counts a directory with all below it.
    """
    sized = [e for e in files if e.size is not None]
    if len(sized) <= 1:
        return []
    rounded = any(e.shown[-1:].isalpha() for e in sized)
    if not any(e.counted for e in sized):
        sizes = sorted(e.size or 0 for e in sized)
        total, middle, largest = sum(sizes), median(sizes), sizes[-1]
        path = next(e.path for e in sized if e.size == largest).removeprefix(cut)
        held = f"{counted(len(sized), 'file')}{_unsized(entries, files, cut)}"
        if rounded:
            text = f"~{_human(total)} in {held}, median ~{_human(middle)}, largest ~{_human(largest)} ({path})"
        else:
            text = f"{total:,} bytes in {held}, median {number_text(middle)}, largest {largest:,} ({path})"
        text += f"; {none:,} empty" if (none := sizes.count(0)) else ""
        far = len(sizes) >= MIN_RARE and largest > FAR * max(1, sizes[-(len(sizes) // 20) - 1])
        return [Fact(f"Sizes: {text}.", 0 if far else 1)]
    own = [(e.path.rstrip("/"), e) for e in entries if e.counted]
    paths = {path for path, _ in own}
    tops = [e for path, e in own if not any(path[:at] in paths for at, sign in enumerate(path) if sign == "/")]
    total = sum(e.size or 0 for e in tops)
    of = f" (the line of {tops[0].path})" if len(tops) == 1 else ""
    sentence = f"~{_human(total)} in all{of}" if rounded else f"{total:,} in all{of}, in the listing's unit"
    return [Fact(f"Sizes: {sentence}.", 1)]


def _unsized(entries: list[Entry], files: list[Entry], cut: str) -> str:
    """What has no part in sums: links, and files whose size cannot be read, by what stands there (``-``, ``BAD``)."""
    signs: dict[str, list[list[str]]] = {}
    for e in files:
        if e.size is None and e.shown:
            signs.setdefault(e.shown, []).append(e.path.removeprefix(cut).split("/"))
    links = sum(map(rows.is_link, entries))
    parts = [counted(links, "symlink")] if links else []
    for sign, paths in sorted(signs.items(), key=lambda one: -len(one[1]))[: rows.SEVERAL]:
        place = "/".join(commonprefix(paths))
        parts.append(f"{len(paths):,} whose size is “{sign}”" + f": {place}{'/' * (len(paths) > 1)}" * bool(place))
    return f" (without {', '.join(parts)})" if parts else ""


def _human(size: float) -> str:
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < KILO:
            return f"{size:.3g} {unit}"
        size /= KILO
    return f"{size:,.3g} TiB"


def _items(
    lines: list[str], entries: list[Entry], keeps: dict[int, tuple[Keep, str]], table: rows.Rows, whole: bool
) -> list[Item]:
    """Entries and notes in order; a directory whose entries follow it is told by them where these are ``whole``."""
    root, own = f"{table.cut.rstrip('/')}/", {entry.index for entry in entries}
    for number, text in enumerate(map(str.strip, lines), 1):
        if number - 1 not in own and _is_note(text) and f"{text.rpartition(' ')[2].rstrip('/')}/" != root:
            weight = rows.HINT if text.startswith("(use ") else rows.NOTE
            table.items.append(Item(number, number, shared.at_line(number, text), weight=weight))
    for entry, after in zip(entries, [*entries[1:], None], strict=True):
        keep, reason = keeps.get(entry.index, (Keep.NONE, ""))
        if keep or entry.verbatim or not whole or after is None or after.directory != entry.path.rstrip("/"):
            table.put(entry, lines[entry.index], keep, reason)
        else:
            table.inner.setdefault(entry.directory, []).append(f"{entry.name.rstrip('/')}/")
    return _under_headings(table.lines(), {i + 1 for i in own})


def _under_headings(items: list[Item], entries: set[int]) -> list[Item]:
    """The items with the line above them that says what they are (``Untracked files:``), which is none itself then."""
    kept, headed = list[Item](), set[int]()
    heading: Item | None = None
    for item in items:
        if item.start in entries and heading is not None and not item.section:
            item.section = heading.text
            if heading.start not in headed and len(headed) < SECTIONS:  # the first shows that there are some
                item.keep = max(item.keep, Keep.OUTLIER)
            headed.add(heading.start)
            kept = [one for one in kept if one is not heading] if heading in kept[-HINTS:] else kept
        elif item.start not in entries:
            heading = item if item.text.endswith(":") else heading
        kept.append(item)
    return kept


def _is_note(line: str) -> bool:
    """Whether a line that is no entry says something: no heading, no wrapper, not ``.`` or ``..``."""
    text = line.strip()
    other = shared.is_wrapper(text) or is_self(text) or shared.truncated(text) or shared.complains(text)
    return text != "" and not other and (not text.endswith(":") or " " in text)


def _odd(entries: list[Entry], files: list[Entry], root: str, hidden: Collection[int]) -> dict[int, tuple[Keep, str]]:
    """The one file of its kind, place, mode, owner, year or state; the size far beyond the others; loud names."""
    keeps: dict[int, tuple[Keep, str]] = {}
    above = {e.directory for e in entries}
    entries = [e for e in entries if f"{e.path.rstrip('/')}/" != root]  # find's own line
    own = {e.index for e in entries if id(e) not in hidden}
    if own:
        entries, files = [e for e in entries if e.index in own], [e for e in files if e.index in own]
    if len(entries) >= MIN_RARE:
        aside = {e.index for e, _ in rows.showing(files, root, rows.GENERATED, rows.MADE)}  # a lock file is no wonder
        far = _far_sizes(files, " elsewhere" if hidden else "")
        loud = _loud([e for e in files if e.index not in aside], len(entries) // 100)
        keeps = {index: kept for index, kept in far.items() if index not in aside}
        keeps |= {entry.index: (Keep.SEVERE, "") for entry in loud}
    if len(entries) >= MIN_ALONE:
        tops = {e.index for e in entries if e.counted and e.path in above}  # of du: others stand below it
        keeps = _alone([e for e in entries if e.index not in tops]) | keeps
    return keeps


def _loud(files: list[Entry], few: int) -> list[Entry]:
    named = [(e, LOUD_NAME.search(e.name, 0, 200)) for e in files if extension(e.name) not in rows.SOURCE]
    loud = [e for e, match in named if match]
    upper = all(match is None or match[0].isupper() for _, match in named)
    return loud[:MAX_LOUD] if len(loud) <= 2 or (len(loud) <= few and upper) else []


def _far_sizes(files: list[Entry], of: str) -> dict[int, tuple[Keep, str]]:
    above = {e.directory for e in files if e.counted}  # du: what holds others is as large as they are
    sized = sorted((e for e in files if e.size is not None and e.path not in above), key=lambda e: e.size or 0)
    if len(sized) < MIN_RARE:
        return {}
    usual = sized[len(sized) * 95 // 100]
    unit = "" if usual.counted or usual.shown[-1:].isalpha() else " bytes"
    why = f"95 %{of} are at most {f'{max(1, usual.size or 1):,}{unit}' if unit else usual.shown}"
    _, high = fences([e.size or 0 for e in sized])
    return {e.index: (Keep.OUTLIER, why) for e in sized if (e.size or 0) >= high and e.size != usual.size}


def _alone(entries: list[Entry]) -> dict[int, tuple[Keep, str]]:
    parts: list[tuple[str, Callable[[Entry], str]]] = [
        ("of mode", attrgetter("mode")),
        ("owned by", attrgetter("owner")),
        ("of the year", attrgetter("year")),
        ("in state", attrgetter("status")),
        ("of kind", lambda e: "" if e.is_directory else extension(e.name)),
        ("under", lambda e: "" if e.directory in ("", ".") else parent(f"{e.directory}/")),
    ]
    keeps: dict[int, tuple[Keep, str]] = {}
    for what, part in parts:
        values = Counter(map(part, entries))
        lone = {value for value, n in values.items() if n == 1 and value}
        named = what in ("of kind", "under")
        few = len(lone) <= max(1, min(2 if named else MAX_RARE, len(entries) // 100))
        few &= not named or min((n for n in values.values() if n > 1), default=0) >= MANY
        for entry in entries if lone and few else ():
            if part(entry) in lone:
                keeps.setdefault(entry.index, (Keep.RARE, f"the only one {what} {part(entry)} of {len(entries):,}"))
    return keeps
