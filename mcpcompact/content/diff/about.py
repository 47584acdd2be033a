"""What a change is about: source before what goes along with it, the file that its message names before the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from mcpcompact.content.diff.odd import BESIDE, GENERATED, PROSE
from mcpcompact.content.diff.parse import UNNAMED, Diff, File
from mcpcompact.content.diff.units import BEGINS, SAME_EDITS, SPACING, Line, body
from mcpcompact.content.shared.languages import CONFIGURATION, by_path, definition, named
from mcpcompact.content.shared.nesting import LOOK, columns
from mcpcompact.content.shared.request import asked, rarity, told
from mcpcompact.outline import Fact, Hints, Item
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped, some

MADE, LATE = 0.05, 0.3  # how much a change says in a generated file; in tests and settings where source is changed too
TOLD = 0.15  # in documents: so that short headings do not come before statements
SMALL, PACKAGE = 60, 2  # changed lines of source that are all what the change is about; folders: src/harbour
OUTWEIGHED = 50  # times as many changed lines of documents as of source: these are what the change is about
NAMED = 0.6  # of the words of a file's name that the subject has
REPEATED = 0.1  # factor on what is changed as an earlier line is
FEW_EDITS, MOST_SWAPS, FEW_FILES = 4, 2, 4  # of these, of exchanged words, and of their files: so many are named
EXAMPLE = 1.0  # weight, at most, of the first of them where that is told
MUCH = 0.1  # of all changed lines, which exchange words alike: that is always told
FEW_HUNKS, MOST_HUNKS = 3, 8  # of a file, which are told by their places: fewer are mostly shown, more take its room
FEW_GONE = 2  # definitions that are removed: always said; of more what replaces them tells more
LAST = 0.1  # weight of what says little and yet is shown where room is left
OFTEN = 100_000  # of what weighs the same that comes first which stands in most places
SAID = 60  # characters of a line that is told
MOST_NAMED, REQUEST = 5, 4_000  # files that a request can name: of more it is about the whole; characters read: its end
ASKED = 4.8  # weight of what changes in a file that the request names, of what answers it: all of it before others
RARE, LEAST, MOST_BELOW = 10, 2, 24  # of so many lines one has a telling word; words to share; units that follow
_LINK = regex(r"https?://\S+")
_NAME = regex(r"[\w.@+/-]{3,200}")
_ASKED = regex(r"\bgit\b[^|;&\n]{0,200}?\b(?:diff|show|log)\b([^|;&\n]{0,400})")
_PART = regex(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}|\d{2,}")

Edits = dict[tuple[bool, str], list[tuple[Item, str, str]]]
"""What is changed alike, words of a line (True) or a line: each place, the path of its file, and what it is there."""


def scale(path: str) -> float:
    """How much a change of this file says: generated files hardly anything."""
    return MADE if GENERATED.search(path) else TOLD if by_path(path) in PROSE else LATE if BESIDE.search(path) else 1.0


def scales(files: Sequence[tuple[str, int]]) -> list[float]:
    """How much each file of a change says, of which so many lines are changed; documents as much as source where hardly
    any of that is changed, and settings that lie within a package whose source is changed: it reads them."""
    found, sizes = [scale(path) for path, _ in files], [size for _, size in files]
    source = sum(size for size, says in zip(sizes, found, strict=True) if says == 1)
    little = source * OUTWEIGHED < sum(sizes)
    homes = [path.split("/")[:-1][:PACKAGE] for path, _ in files]
    own = [home for home, says in zip(homes, found, strict=True) if home and says == 1]
    for i, (path, _) in enumerate(files):
        read = by_path(path) == "YAML" and homes[i] in own and not BESIDE.search(path[: path.rfind(".")])
        found[i] = 1.0 if found[i] > MADE and (little or read) else found[i]
    return found


def language(diff: Diff, f: File) -> str:
    """The language of a file; of one without a name that of most files of source beside it."""
    source = [other for other in diff.files if scale(other.path) == 1] if f.unnamed else [f]
    found = [by_path(other.path) for other in source]
    return max(filter(None, found), key=found.count, default="")


def parts(text: str) -> set[str]:
    """The words of a text and of its names, without a plural's s: ``ZaiModels`` is zai and model."""
    return {part.lower().rstrip("s") for part in _PART.findall(text)}


def subject(diff: Diff) -> str:
    """What the newest commit says of itself in one line."""
    return diff.commits[diff.newest].subject if diff.commits else ""


def named_files(diff: Diff, request: str) -> set[int]:
    """The places of the files that a call or a request names, where these are few of several."""
    said = {word.rstrip(".:/").removeprefix("./").strip(":/") for word in _NAME.findall(request[-REQUEST:])}
    ends = tuple(f"/{word}" for word in said)
    found = {i for i, f in enumerate(diff.files) if f"/{f.path}".endswith(ends) or f"/{f.old}".endswith(ends)}
    return found if len(found) <= MOST_NAMED and len(found) < len(diff.files) else set()


def only_file(said: str) -> str:
    """The file of which a call asks git for changes, where that is one."""
    asked = {match[1].rpartition(" -- ")[2].partition(">")[0].strip(" 2\"'") for match in _ASKED.finditer(said)}
    return asked.pop() if len(asked) == 1 and all(" " not in path and by_path(path) for path in asked) else ""


def mains(diff: Diff, says: list[float]) -> set[int]:
    """The places of the files that the newest change is about: all source where that is little, else what the subject
    names, else the one that is changed most."""
    own = [i for i, f in enumerate(diff.files) if f.hunks and f.commit == diff.newest and "deleted" not in f.status]
    most = max((says[i] for i in own), default=0.0)
    own = [i for i in own if says[i] == most]
    sizes = {i: diff.files[i].size for i in own}
    if sum(sizes.values()) <= SMALL:
        return set(own)
    own = [i for i in own if not diff.files[i].unnamed]  # of those none says more than another
    if not own:
        return set()
    there = {i for i in own if "new" not in diff.files[i].status}  # what a few lines wire in, or mend
    there = there if sum(sizes[i] for i in there) <= SMALL // 2 else {max(there, key=lambda i: (sizes[i], -i))}
    words = parts(subject(diff))
    names = {i: parts(diff.files[i].path.rpartition("/")[2].partition(".")[0]) for i in own}
    named = {i for i in own if names[i] and len(names[i] & words) >= NAMED * len(names[i])}
    return there | (named or {max(own, key=lambda i: (diff.files[i].added + sizes[i], -i))})


def answer(items: Sequence[Item], diff: Diff, lines: Sequence[str], hints: Hints) -> None:
    """Of documents the changed line that shares most with the request comes before all else, with what stands below it
    up to the next entry of its list or the next heading."""
    wanted = told(_LINK.sub("", asked(hints)[1]))
    places = {i for f in diff.files if by_path(f.path) in PROSE for h in f.hunks for i in range(h.start + 2, h.end + 1)}
    changed = [item for item in items if wanted and item.start in places and lines[item.start - 1][:1] in ("+", "-")]
    words = [told(item.text) for item in changed]
    rare = rarity(wanted, words, 1 / RARE)
    shared = [sorted(rare.keys() & found.keys()) for found in words]
    best = max(range(len(changed)), key=lambda n: (sum(map(rare.__getitem__, shared[n])), -n), default=0)
    if not shared or len(shared[best]) < LEAST:
        return
    first, *below = (lines[item.start - 1] for item in changed[best : best + MOST_BELOW])
    ends = (BEGINS.match(line[1:]) and columns(line[1:]) <= columns(first[1:]) for line in below)
    for n in range(next((n for n, end in enumerate(ends, 1) if end), len(below) + 1)):
        changed[best + n].weight = ASKED - n / OFTEN


def alike(edits: Edits, diff: Diff, lines: list[str], items: list[Item]) -> list[Fact]:
    """What many places change alike, or many files say, is told once, with its files, and shown once; what only
    exchanges words that many places exchange is hardly shown, and what stands beside it."""
    many: list[tuple[bool, int, str, str]] = []
    less: list[Item] = []
    own = {key: [path for _, path, _ in places] for key, places in edits.items() if key[1]}
    often = {key: paths for key, paths in own.items() if len(paths if key[0] else {*paths}) >= SAME_EDITS}
    everywhere = _places(diff, lines, {what for swapped, what in often if not swapped})
    swaps = [2 * len(paths) for (swapped, what), paths in often.items() if swapped and " → " in what]
    rank = int(sum(swaps) < MUCH * (diff.added + diff.removed))  # a removed and an added line each
    for (swapped, what), some_paths in often.items():
        (first, _, _), *further = edits[swapped, what]
        first.weight = min(first.weight, EXAMPLE) if swapped and not rank else first.weight + len(some_paths) / OFTEN
        less += [item for item, _, _ in further]
        (form, most), *_ = Counter(form for _, _, form in edits[swapped, what]).most_common(1)
        paths = some_paths if swapped else everywhere[what]
        if swapped and form == what:  # lines below each other that exchange it are a place each
            gone = [(path, lines[item.start - 1 : item.end]) for item, path, _ in edits[swapped, what]]
            paths = [path for path, rows in gone for row in rows if row.startswith("+")]
        instance = f" (as {form})" if form != what and len(form) <= SAID else ""
        said = f"{clipped(form, SAID) if most == len(some_paths) else what + instance} in {len(paths):,} places"
        many.append((not swapped or what == SPACING, -len(paths), said, _files(list(dict.fromkeys(paths)))))
    beside = {item.start for item in less}
    for item in [*less, *(item for item in items if item.under in beside and item.text.startswith(" "))]:
        item.weight = max(item.weight * REPEATED, min(item.weight, LAST))
    many.sort(key=lambda one: one[:2])
    most_of = FEW_EDITS if rank else MOST_SWAPS
    return [
        Fact(
            f"changed alike: {'; '.join(said + files for *_, said, files in some_of)}",
            at,
            f"changed alike: {some_of[0][2]}",
        )
        for some_of, at in ((many[:most_of], rank), ([one for one in many[most_of:FEW_EDITS] if one[0]], 1))
        if some_of
    ]


def defined(diff: Diff, lines: list[str], wanted: Collection[str], placed: bool) -> list[Fact]:
    """Where few hunks of the only file begin (``placed``: by its numbers), each with the first definition among what it
    adds; the definitions that the newest change adds, those with ``wanted`` words first, then of source before
    tests, outer before inner ones; what it removes from files that stay; but what it moves."""
    found: dict[str, dict[str, tuple[int, float, int]]] = {"+": {}, "-": {}}
    hunks: list[str] = []
    for f in (f for f in diff.files if f.commit == diff.newest):
        placed = placed and len(diff.files) == 1 and {hunk.kind for hunk in f.hunks} == {"unified"}
        for hunk in f.hunks:
            first = ""
            for sign, name, inner in _named(language(diff, f), body(hunk, lines)):
                found[sign].setdefault(name, (-len(told(name).keys() & wanted), -scale(f.path), inner))
                first = first or name * (sign == "+")
            hunks.append(f"+{hunk.new} {first}".rstrip())
    hunks = hunks if placed and FEW_HUNKS <= len(hunks) <= MOST_HUNKS else []
    added, removed = ([n for n in found[one] if n not in found[other]] for one, other in ("+-", "-+"))
    added.sort(key=found["+"].__getitem__)
    said = [("hunks from", hunks, MOST_HUNKS, False)]
    if len(added) > sum(" " in hunk for hunk in hunks):  # else each is named there
        said.append(("definitions added:", added, FEW_EDITS, bool(hunks)))
    said.append(("definitions removed:", removed, FEW_EDITS, len(removed) > FEW_GONE))
    return [Fact(f"{what} {some(names, most)}", int(less)) for what, names, most, less in said if names]


def _named(language: str, rows: Iterable[Line]) -> Iterator[tuple[str, str, int]]:
    """The definitions that a hunk adds or removes: sign, name, column."""
    defines = definition(language) if language and language not in (*CONFIGURATION, *PROSE) else None
    for _, sign, _, text in rows:
        match = defines.match(text.strip()[:LOOK]) if defines is not None and sign else None
        if match is not None and (name := named(match).rstrip(":")) and (match.lastgroup != "top" or not columns(text)):
            yield sign, name, columns(text)


def _places(diff: Diff, lines: list[str], wanted: set[str]) -> dict[str, list[str]]:
    """The paths of all places that add or remove one of these lines, also among others."""
    found: dict[str, list[str]] = {what: [] for what in wanted}
    for f in diff.files if wanted else ():
        for hunk in f.hunks:
            for _, sign, _, text in body(hunk, lines):
                if sign and (said := sign + text.strip()) in found:
                    found[said].append(f.path)
    return found


def _files(paths: list[str]) -> str:
    """``of 3 files: a.py, b.py, c.py``."""
    names = [path.rpartition("/")[2] for path in paths]
    if len(paths) == 1 or any(path.startswith(UNNAMED) for path in paths):
        return ""
    return f" of {len(paths):,} files: {some(names if len(set(names)) == len(names) else paths, FEW_FILES)}"
