"""How grave findings say they are, where a report holds lines that are none, how paths and messages are said once."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from mcpcompact.content.shared.reports import EXCEPTION, rank
from mcpcompact.outline import FAINT, Fact, Item, Keep
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

_GRADE: Final = regex(
    r"(?i)(?:\W*(?:\d+:\d+\W+)?(?:fatal )?|.*\[(?=\w+/))(error|warning|note|info|style|convention|refactor"
    r"|performance|portability|information|high|medium|low|check|severity \d)\b"
)
APART: Final = 10  # lines in a row without a finding, which are told
LONG_PATH: Final = 24  # characters of a directory that is said once
TOGETHER: Final = 3  # findings in a row of one file, which is said once
FEW_FILES: Final = 3  # files; of more of them few lines each are shown, and each says its own
_PLACE: Final = regex(r"\.\w{1,8}[:(]\d")
_ERROR: Final = regex(r"\d+: (?P<file>\S+?)(?P<at>\(\d{1,7}(?:,\d{1,5})?\)|:\d{1,7}(?::\d{1,5})?): ?(?P<said>\S.*)")
PLACES, BLOCKS = 20, 3  # of one message in a file that are told; first messages of which all that is below stands
EXPLAINED, SAID = 6.0, 2 * FAINT  # weights of what stands below the first error of a message, and of what is known


def grades(texts: Mapping[int, str]) -> dict[int, str]:
    """How grave each finding says it is; empty where one says nothing."""
    found = {number: stated[1].lower() for number, text in texts.items() if (stated := _GRADE.match(text))}
    return found if len(found) == len(texts) else {}


def by_grade(graded: Mapping[int, str], what: str) -> str:
    """``errors``, where all findings are; ``findings (2 errors, 5 style)``, the worst first."""
    counts, plain = Counter(graded.values()), ("error", "warning", "note")
    if len(counts) <= 1:
        return f"{min(counts)}s" if counts and min(counts) in plain else what
    told = [counted(counts[one], one) if one in plain else f"{counts[one]:,} {one}" for one in sorted(counts, key=rank)]
    return f"{what} ({', '.join(told)})"


def worst(graded: Mapping[int, str]) -> list[int]:
    """The lines of the findings that are graver than all others, where these are few."""
    first = min(graded.values(), key=rank, default="")
    lines = [number for number, grade in graded.items() if grade == first]
    return lines if len(lines) <= EXCEPTION * len(graded) else []


def apart(others: Iterable[int], found: Iterable[int]) -> list[Fact]:
    """Lines between findings that are of another kind: a log behind a report."""
    known: Sequence[int] = sorted(found)
    runs = ([*run] for _, run in groupby(others, key=lambda number: bisect(known, number)))
    told = [f"{run[0]}–{run[-1]} ({len(run):,})" for run in runs if len(run) >= APART]
    return [Fact(f"lines of another form: {' · '.join(told)}", 0)] if told else []


def directory(files: Iterable[str]) -> str:
    """What the paths of all files begin with, if that is worth saying once."""
    known = [*files]
    first, last = min(known, default=""), max(known, default="")
    same = first[: next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))]
    same = same[: max(same.rfind("/"), same.rfind("\\")) + 1]
    return same if len(same) >= LONG_PATH else ""


def under_files(items: Iterable[Item], files: Mapping[int, str]) -> bool:
    """The path of several findings in a row stands above them, once; each goes on from it behind an ellipsis."""
    headed = set[str]()
    few = items if len({*files.values()}) <= FEW_FILES else ()
    for (file, above), run in groupby(few, key=lambda one: (files.get(one.under or one.start, ""), one.section)):
        own, path = [*run], regex(rf"(?<=: ){re.escape(file)}(?=[:(])")
        others = [item for item in own if not path.search(item.text)] if file and not above else own
        if len(own) - len(others) >= TOGETHER and not any(_PLACE.search(item.text) for item in others):
            headed.add(file)
            for item in own:
                item.section, item.text = file, path.sub("…", item.text, count=1)
    return bool(headed)


def one_message(items: Iterable[Item], errors: Container[int], again: Container[int]) -> None:
    """What a compiler says of several places in a file stands once, with what it explains below, then the places; of
    lines that print an error ``again`` nothing."""
    known: dict[tuple[str, str], list[tuple[Item, str]]] = {}
    first, told = dict[int, Item](), set[int]()
    for item in items:
        if item.under in first and len(known) <= BLOCKS and item.start not in again:
            item.weight, item.whole = EXPLAINED, True
        elif item.start in again or item.under in told:
            item.weight = SAID
            told.add(item.start)
        elif item.start in errors and (error := _ERROR.match(item.text)):
            same = known.setdefault((error["file"], error["said"]), [])
            same.append((item, error["at"].lstrip(":")))
            first |= {item.start: item} if len(same) == 1 else {}
            if len(same) > 1:
                item.keep, item.weight = Keep.NONE, SAID
                told.add(item.start)
    for (item, _), *others in known.values():
        more = f", {len(others) - PLACES:,} more" if len(others) > PLACES else ""
        item.text += f" …[also at {' '.join(at for _, at in others[:PLACES])}{more}]" if others else ""
        item.also = [*item.also, *(one.start for one, _ in others[:PLACES])]
