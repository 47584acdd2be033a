"""What checkers of memory and threads report (Valgrind, Dr. Memory, sanitizers): each error once, and where it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, pairwise
from typing import Final, NamedTuple

from mcpcompact.content.log.templates import category
from mcpcompact.outline import Fact
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

MOST, ROWS, PLACES = 400, 12, 8  # reports that are read; of more rows those of one error are one; places in a row
LONG: Final = 160  # characters of what is said
FIRST: Final = " (lines × first–last: the first one ← nearest frame that is of no library):"
_PREFIX: Final = regex(r"==\d+==(?: |$)", holds=("==",))
_REPORT: Final = regex(
    r"Error #\d+: (?:(?:POSSIBLE |HANDLE |REACHABLE )?LEAK|UNINIT|UNADDR|INVALID HEAP|GDI USAGE|WARNING)"
    r"|(?!.*: detected memory leaks)(?:==\d+==)?(?:ERROR|WARNING): \w+Sanitizer: "
    r"|WARNING: DATA RACE$|(?:Direct|Indirect) leak of \d|(?P<place>\S+\.[CHchm]\w{0,3}:\d+:\d+): runtime error: "
)
_ADDRESS: Final = regex(r"0x[\da-f]{6,16}(?:-0x[\da-f]{6,16})?", holds=("0x",))
_VALGRIND: Final = regex(r"==\d+==    at 0x", holds=("==    at 0x",))  # the first frame, below what is said
_FRAME: Final = regex(
    r"(?:==\d+==)?\s*(?:(?:at|by) 0x[\dA-Fa-f]{1,16}: |# ?\d{1,3} +(?:0x[\da-f]{1,16} in )?)"
    r"(?P<name>\S.{0,300}?) +[(\[]?(?P<file>[^\s()\[\]]{1,300}\.\w{1,8}:\d{1,7})"
)
_ACCESS: Final = regex(r"((?:Previous )?(?:atomic )?(?:[Ww]rite|[Rr]ead)) at 0x")  # above a stack of Go's race detector
_GO_LIBRARY: Final = regex(
    r"\s+\S*/(?:go[\d.-]*(?:/[\w.]+){0,2}/src/(?![\w-]+\.\w+/)|pkg/mod/)", holds=("/src/", "/pkg/mod/")
)
_FOREIGN: Final = regex(r"(?:_|\(|std::|operator |replace_|lib[\w.+-]{1,40}!|exit$|pthread_)")  # functions, and files:
_ELSEWHERE: Final = regex(r"\.\.?/|/(?:usr/(?:include|lib)|build)/|\S*libsanitizer", holds="/")


class Reports(NamedTuple):
    """What is said of them, the lines that begin or sum them, and how many errors they tell of."""

    facts: list[Fact]
    lines: set[int]
    errors: int


def reports(known: Iterable[tuple[int, str]], after: Callable[[int], list[str]]) -> Reports | None:
    """What the reports say, each once with its nearest frame that is of no library; ``known``: lines with a
    sign, in order; ``after`` reads on behind one."""
    found: dict[tuple[str, str], list[int]] = {}
    texts: dict[int, str] = {}
    summed = set[int]()
    for number, line in known:
        if len(texts) == MOST:
            break
        report = _REPORT.match(line)
        prefix = None if report else _PREFIX.match(line)
        begins = report or (prefix and line[prefix.end() :][:1].strip())
        below = after(number) if begins else []
        if report or (below and _VALGRIND.match(below[0])):
            texts[number] = said = line[prefix.end() if prefix else 0 :].rstrip()
            own = (report and report["place"]) or _race(below) or _own(below)
            found.setdefault((" ".join(map(category, said.split())), own), []).append(number)
        elif "SUMMARY: " in line or "Sanitizer: " in line:
            summed.add(number)
    return Reports([_worded(found, texts)], summed.union(texts), len(found)) if found else None


def _race(lines: Sequence[str]) -> str:
    """Of a race in Go both accesses, each at its first frame that is of no library."""
    told: dict[str, str] = {}
    access = ""
    for line, place in pairwise(lines):
        if begun := _ACCESS.match(line):
            access = begun[1].lower()
        elif line.startswith(("Goroutine ", "=====")):
            break
        elif access and access not in told and place.startswith("      ") and not _GO_LIBRARY.match(place):
            told[access] = f"{line.strip().rpartition('/')[2].removesuffix('()')} {place.split()[0].rpartition('/')[2]}"
    return ", ".join(f"{access} in {where}" for access, where in told.items())


def _own(lines: Iterable[str]) -> str:
    """The function and place of the first frame that is of no library; "" without one in the stack."""
    framed = False
    for line in lines:
        frame = _FRAME.match(line)
        prefix = _PREFIX.match(line)
        if _REPORT.match(line) or (framed and not line[prefix.end() if prefix else 0 :].strip()):
            break
        framed |= frame is not None
        if frame and not (_FOREIGN.match(frame["name"]) or _ELSEWHERE.match(frame["file"])):
            return f"{' '.join(frame['name'].split())} {frame['file'].rpartition('/')[2]}"
    return ""


def _worded(found: dict[tuple[str, str], list[int]], texts: dict[int, str]) -> Fact:
    kinds: dict[tuple[str, str], dict[str, list[int]]] = {}
    for (kind, own), lines in found.items():
        kinds.setdefault((kind, "" if len(found) > ROWS else own), {})[own] = lines
    rows, shows = [], list[list[int]]()
    for owns in kinds.values():
        lines = sorted(chain.from_iterable(owns.values()))
        text = _ADDRESS.sub("…", texts[lines[0]])
        cut = f" …[+{len(text) - LONG} chars]" if len(text) > LONG else ""
        places = [own for own in owns if own and own not in text]
        more = f" · {len(places) - PLACES} more" if len(places) > PLACES else ""
        ends = f"{lines[0]}–{lines[-1]}" if lines[1:] else f"{lines[0]}"
        where = f" ← {' · '.join(places[:PLACES])}{more}" if places else ""
        rows.append(f"{len(lines)}× {ends}: {text[:LONG]}{cut}{where}")
        shows.append([lines[0]])
    first = f" in its first {MOST} reports" if len(texts) == MOST else ""
    lead = f"{counted(len(found), 'error')} of a run-time checker{first}{FIRST}"
    return Fact("\n".join([lead, *rows]), 0, shows=[[], *shows])
