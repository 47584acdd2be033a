"""Where the matches of a search stand: by file, directory and part of the tree; what a search for definitions or
imports found, by the names of these."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from mcpcompact.content.text.entries import base_of, first, parent
from mcpcompact.content.text.hits import Hit
from mcpcompact.content.text.rows import BESIDE, GENERATED, TEST
from mcpcompact.outline import Fact, Item
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

MAX, TOPS = 3, 16  # files without a line on directories; parts of the tree, and parts of one, that are told
ALONE = 0.3  # of the matches: so many in one file, and it is told before the parts of the tree
TOLD_TOPS = 4  # parts of the tree that the first line counts
PROSE = (".md", ".mdx", ".rst", ".txt", ".log", ".jsonl")
SAME = 6  # lines of a file that are told with it

MODIFIERS = (  # before the word that says what is defined
    r"\s*(?:(?:export|default|public|private|protected|internal|static|abstract|final|async|"
    r"pub(?:\(crate\))?) ){0,4}"
)
_DEFINED = regex(  # behind the name what shows that this is no sentence ("type of value")
    MODIFIERS + r"(?:def|class|func|function\*?|fn|fun|interface|type|struct|enum|trait|macro_rules!) +"
    r"(?:\([^()]{1,60}\) )?(?P<name>[A-Za-z_$][\w$.]{0,80}[!?]?)"
    r" ?(?:[(<=:{;\[]|$|(?:extends|implements|struct|interface|func|map)\b)"
)
_HIDDEN = regex(r"(?:^|/)\.\w[^/]*/", holds=".")
IMPORTS = regex(r"\s*(?:pub )?(?:import|from|use|using|#include|require|export \*)\b")
_PYTHON, _DOTTED = (".py", ".pyi"), (".rs", ".java", ".kt", ".scala", ".cs", ".swift")
_IMPORTED = regex(r"\s*(?:from\s+(?=[\w.]+\s)|import\s+(?=\w))([^#;,\s]+(?: as \w+)?(?:, ?\w[\w.]*(?: as \w+)?)*)")
_NAMED = regex(r"\s*(?:pub )?(?:import|use|using)\s+(?:static |global )?([A-Za-z_]\w*(?:\.\w+)?)")
_QUOTED = regex(r"[^\"'<]{0,200}[\"'<]((?:node:|@[\w.-]{1,60}/)?[\w-][\w.-]{0,80})?")  # none of what is named from here
_STANDARD = regex(r"node:|(?:std|core|alloc)$|javax?\.|System\b")
_SOURCES = ("src", "lib", "packages", "crates")  # what stands in these is at the top of the tree, too
MODULES, FEW_MODULES, OFTEN = 20, 5, 5  # that are told of each kind; lines that import one of more than so many
MIN, MOSTLY = 60, 0.8  # matches from which on names tell more than whole lines; of them, those that define
LINE, AGAIN = 120, 20  # characters of names in a line; lines of one name that are told
PRIVATE, LATE = 0.3, 0.05  # what names that begin with _, or stand in a further line, weigh; those of a late file
SEVERAL = 0.7  # power of the number of names in a line, a factor on its weight: a file costs its path
FULLEST, FULL = 6, 2.0  # files with most definitions, which are told, and a factor on the first names of each
SOUGHT = 8.0  # the same on names that were asked for, before all others


@lru_cache  # the hits of a file follow each other
def kind(path: str) -> tuple[bool, bool]:
    """Whether a file is a test, and whether it is made."""
    return TEST.search(path) is not None, GENERATED.search(path) is not None


def aside(path: str) -> bool:
    """Whether a file stands beside the source: a test, made, an example, hidden, a document or a log."""
    return any(kind(path)) or BESIDE.search(path) is not None or path.endswith(PROSE)


def parts(by_file: Counter[str]) -> tuple[dict[str, str], str]:
    """What each file is counted with: the first directory in which the paths differ, or itself where it stands beside
    these or the files are few; and the directory that all stand in."""
    if len(by_file) <= MAX:
        return {path: path for path in by_file}, ""
    base = base_of(by_file)
    return {path: "".join(path.removeprefix(base).partition("/")[:2]) for path in by_file}, base


def tally(by_file: Counter[str], tops: dict[str, str]) -> str:
    """How many matches each part of the tree has, those with most first; nothing where most are in none of these."""
    counts = Counter(tops[path] for path in by_file.elements())
    most = counts.most_common(TOLD_TOPS + (len(counts) == TOLD_TOPS + 1))
    left = by_file.total() - sum(n for _, n in most)
    texts = [f"{top} {n:,}" for top, n in most] + [f"{left:,} in others"] * (left > 0)
    return f": {' · '.join(texts)}" if len(counts) > 1 and 2 * left < by_file.total() else ""


def top(by_file: Counter[str], few: int, matches: list[Hit], brief: bool = False, where: str = "") -> str:
    """The files with most matches, with their lines in ``matches``, and how many others there are."""
    ranked = sorted(by_file.items(), key=lambda one: (-one[1], one[0]))
    least = ranked[few][1] if len(ranked) > few else 0
    at = {path: [str(hit.line) for hit in matches if hit.path == path and hit.line] for path, _ in ranked[:few]}
    lines = {path: f" (lines {', '.join(at[path])})" if 1 < len(at[path]) <= SAME else "" for path in at}
    alone = Counter(map(os.path.basename, by_file)) if brief else Counter()
    named = {path: name if alone[name := os.path.basename(path)] == 1 else path for path in at}
    texts = [f"{named[path]} {n:,}{lines[path]}" for path, n in ranked[:few] if n > least]
    ties = f", at most {least:,} each" if len(texts) < few else ""
    rest = [f"{counted(len(ranked) - len(texts), 'other')}{ties}"] if least else []
    return f"Most matches{where}: {' · '.join(texts + rest)}" if texts else ""


def fullest(by_file: Counter[str], few: int) -> str:
    """The files with most matches, where these stand out; where most are in hidden folders, the number of these."""
    seen = Counter({path: n for path, n in by_file.items() if not _HIDDEN.search(path)})
    seen = seen if 0 < 2 * seen.total() < by_file.total() else by_file
    hidden = by_file.total() - seen.total()
    most = [n for _, n in seen.most_common(few + 1)]
    leads = len(most) <= few or most[-2] > most[-1] or most[0] >= ALONE * seen.total()
    rest = f" · {hidden:,} in {counted(len(by_file) - len(seen), 'file')} of hidden folders" * (hidden > 0)
    text = top(seen, few, [], brief=True).removeprefix("Most matches")
    return text + rest if text and leads and len(by_file) > MAX else ""


def shape(by_file: Counter[str], rank: int) -> list[Fact]:
    """All directories with their matches, below what several begin with, tests and examples last: what no choice of
    hits could tell; nothing of one alone."""
    folders = Counter(map(os.path.dirname, by_file.elements()))
    late = folders.keys() - {os.path.dirname(path) for path in by_file if not aside(path)}
    steps = 2 if len({parent(path) for path in by_file}) <= TOPS else 1
    tops: dict[str, list[tuple[str, int]]] = {}
    for folder, n in sorted(folders.items(), key=lambda one: (one[0] in late, -one[1], one[0])):
        top = "/".join(folder.split("/")[: steps + folder.startswith("./")])
        tops.setdefault(top, []).append((folder.removeprefix(top).strip("/") or ".", n))
    last = ", tests, examples and the like last" if 0 < len(late) < len(folders) else ""
    lines = [f"Matches in each of {counted(len(folders), 'directory')}{last}:"]
    sums = Counter({top or ".": sum(n for _, n in held) for top, held in tops.items()})
    for top, held in tops.items():
        below = f": {first(Counter(dict(held)), TOPS)}" if len(held) > 1 or held[0][0] != "." else ""
        lines.append(f"{top or '.'} {sums[top or '.']:,}{below}")
        inner = Counter(f"{top}/{folder.partition('/')[0]}" for folder, n in held for _ in range(n))
        if len(inner) > 1 and 2 * sums[top] > folders.total():  # in short by what it holds
            sums = sums - Counter({top: sums[top]}) + inner
    short, least = (f"Matches by directory: {first(sums, many)}" for many in (TOPS // 2, TOLD_TOPS))
    return [Fact("\n".join(lines), rank, short, least=least)] if len(folders) > 1 else []


def named(matches: Sequence[Hit], asked: Sequence[str], below: bool) -> tuple[list[Item], set[int], list[Fact]]:
    """Lines of names, ``below`` the path of their file or behind it, those that begin with _ or as one of few that were
    ``asked`` for apart, the hits that they tell, and what they are, where most define something."""
    named = [(hit, match["name"]) for hit in matches if hit.line and (match := _DEFINED.match(hit.text))]
    begins = tuple(each.split()[-1] for each in asked if each.strip())
    many = OFTEN * sum(name.startswith(begins) for _, name in named) > len(named)
    defined = [(hit.path, name[0] == "_", many or not name.startswith(begins), hit, name) for hit, name in named]
    if len(matches) < MIN or len(defined) < MOSTLY * len(matches) or any(hit.headed or hit.context for hit in matches):
        return [], set(), []
    items = []
    total = Counter(path for path, *_ in defined)
    fullest = [path for path, _ in total.most_common() if not aside(path)][:FULLEST]
    parts = itemgetter(0, 1, 2)
    for (path, private, other), group in groupby(sorted(defined, key=parts), key=parts):
        names: dict[str, list[Hit]] = {}
        for *_, hit, name in group:
            names.setdefault(name, []).append(hit)
        under, full = 0, SOUGHT if not other else FULL if path in fullest else 1.0
        for text, hits in _names(names):
            part = f"({len(hits):,} {'more ' * (under > 0)}of {total[path]:,})" * (len(hits) < total[path])
            start, *also = (index + 1 for index in hits)
            lead = " ".join(filter(None, (path * (not below), part)))
            text = f"{lead}: {text}" if lead else text
            items.append(Item(start, start, text, section=path * below, under=under, whole=True, also=also))
            less = (LATE if aside(path) else 1.0) * (PRIVATE if private or under else full)
            items[-1].weight = less * (text.count(",") + 1) ** SEVERAL
            under = under or start
    apart = ", those that begin with _ apart" * any(private for _, private, *_ in defined)
    fact = Fact(f"Here line and name of definitions{apart}; each line has more.", 0)
    return items, {hit.index for *_, hit, _ in defined}, [fact]


def _names(names: dict[str, list[Hit]]) -> Iterator[tuple[str, list[int]]]:
    """Names with the numbers of their lines, several on each line, and the hits that each tells."""
    text, shown = "", list[int]()
    for name, hits in names.items():
        more = f" …[+{len(hits) - AGAIN:,} lines]" if len(hits) > AGAIN else ""
        one = f"{' '.join(str(hit.line) for hit in hits[:AGAIN])}{more} {name}"
        if text and len(text) + len(one) > LINE:
            yield text, shown
            text, shown = "", []
        text += f", {one}" if text else one
        shown += [hit.index for hit in hits[:AGAIN]]
    yield text, shown


def imported(matches: Sequence[Hit], base: str) -> list[Fact]:
    """How many lines import each module: of others, own ones (named like what stands at the top of the tree, or like a
    directory in a folder there that nobody imports), and of the standard library."""
    steps = [hit.path.removeprefix(base).split("/") for hit in matches]
    own = {"", "crate", "self", "super", *base.split("/")}
    own.update(step.partition(".")[0] for path in steps for step in path[: 1 + (path[0] in _SOURCES)])
    named = [(hit, name) for hit in matches for name in _modules(hit)]
    heads = {name.partition(".")[0] for _, name in named}
    own.update(path[1] for path in steps if path[2:] and path[0] not in heads and not aside("/".join(path[:2])))
    kinds: dict[str, Counter[str]] = {"": Counter(), "own: ": Counter(), "standard library: ": Counter()}
    for hit, name in named:
        standard = sys.stdlib_module_names.__contains__ if hit.path.endswith(_PYTHON) else _STANDARD.match
        kind = "own: " if name.partition(".")[0] in own else "standard library: " * bool(standard(name))
        kinds[kind][name or "relative"] += 1
    often = {kind: sum(n >= OFTEN for n in c.values()) if len(c) > MODULES else MODULES for kind, c in kinds.items()}
    often["standard library: "] = FEW_MODULES  # any project imports these
    texts = [[f"{k}{first(c, min(n, often[k] or 1))}" for k, c in kinds.items() if c] for n in (MODULES, FEW_MODULES)]
    bare = sum(IMPORTS.match(hit.text) is None for hit in matches)
    more = f"; {counted(bare, 'line')} begin{'s' * (bare == 1)} otherwise" * bool(bare)
    some, few = (f"Imports of {'; '.join(each)}{more}" for each in texts)
    return [Fact(some, 0, few)] if any(kinds.values()) else []


def _modules(hit: Hit) -> list[str]:
    """The modules that a line imports by the first steps of their names; "" of one that is named from here."""
    python = hit.path.endswith(_PYTHON)
    pattern = _IMPORTED if python else _NAMED if hit.path.endswith(_DOTTED) else _QUOTED
    names = (match[1] or "").split(",") if (match := pattern.match(hit.text)) else []
    return [name.strip().partition(" ")[0].partition(".")[0] if python else name for name in names]
