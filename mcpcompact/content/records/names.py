"""Lists that are sorted by name, as of packages: evenly spread rows of them say nothing, how the names begin does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mcpcompact.content.columns.alarms import Mark
from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.survey import Columns
from mcpcompact.content.columns.wording import VERSION
from mcpcompact.content.records.sample import Cells
from mcpcompact.outline import Fact, Keep
from mcpcompact.patterns import regex

MANY = 60  # names; fewer are read
BEGIN, GROUP, SHARED = 3, 8, 0.8  # letters that names of a group begin with; names of one; share that goes on alike
GROUPS, COVERED = 6, 0.2  # that are told; the least share of the names in them
FEW, MOST = 3, 8  # rows with a word; rows that are marked, those with the rarest first
_NAME = regex(r"(?i)(?:package_?)?names?|packages?")
_ABOUT = regex(r"(?i)(?:long_?)?(?:description|summary|comment)|arch(?:itecture)?")
_WORD = regex(
    r"(?<![A-Za-z])(?!(?:git|svn|bzr|cvs|dfsg|repack|stable|really|alpha|beta|pre|post|dev|rc|snapshot|release|final)"
    r"(?![g-zG-Z]))[A-Za-z]{3,}"
)  # but those of a state of the source


def short(chosen: list[Column], stats: Columns) -> list[Column]:
    """Of a long list of packages rather more names and versions than what each is, and for which machine."""
    long = stats.total >= MANY and any(_NAME.fullmatch(c.name) for c in chosen) and _versions(stats)
    return [c for c in chosen if not (long and _ABOUT.fullmatch(c.name))]


def grouped(stats: Columns, numbers: Sequence[int], cells: Cells) -> set[int]:
    """Of a list of packages the rows in ``by_prefix``: of four hundred libraries a few are enough."""
    names = _sorted(stats, numbers, cells)[1] if _versions(stats) else []
    groups = tuple(prefix for _, prefix in _groups(names))
    return {number for number, name in zip(numbers, names, strict=False) if name.startswith(groups)}


def _versions(stats: Columns) -> list[Column]:
    return [c for c in stats.columns.values() if VERSION.search(c.path)]


def by_prefix(stats: Columns, numbers: Sequence[int], cells: Cells) -> list[Fact]:
    """``by Name: lib* 444 · python3* 39 · 9 other rows``, where all rows are at hand, each with a name of its own."""
    label, names = _sorted(stats, numbers, cells)
    groups = sorted(_groups(names), reverse=True)[:GROUPS]
    covered = sum(count for count, _ in groups)
    if len(groups) <= 1 or covered < COVERED * len(names):
        return []
    said = [f"{prefix}* {count:,}" for count, prefix in groups]
    return [Fact(f"by {label}: {' · '.join(said)} · {len(names) - covered:,} other rows", 1)]


def _sorted(stats: Columns, numbers: Sequence[int], cells: Cells) -> tuple[str, list[str]]:
    """The field of the names, and these where they are sorted."""
    column = next((c for c in stats.columns.values() if _NAME.fullmatch(c.name) and c.texts == stats.total), None)
    if column is None or not MANY <= len(numbers) == stats.total:
        return "", []
    names = [cells(number, column) for number in numbers]
    sole = len({*names}) == len(names)
    return (column.label, names) if sole and names[0][:1].lower() <= names[-1][:1].lower() else ("", [])


def _groups(names: Sequence[str]) -> Iterator[tuple[int, str]]:
    """How many names begin alike, and how: as far as most of those go on that share their first letters."""
    for begin, count in Counter(name[:BEGIN] for name in names).items():
        group = [name for name in names if name.startswith(begin)] if count >= GROUP and begin.isalnum() else []
        prefix = begin if group else ""
        while group:
            after, often = Counter(name[len(prefix) : len(prefix) + 1] for name in group).most_common(1)[0]
            if not after or often < SHARED * count:
                break
            prefix += after
            group = [name for name in group if name.startswith(prefix)]
        if prefix:
            prefix = prefix.rstrip("-_./:+ ")
            yield sum(name.startswith(prefix) for name in names), prefix


def origins(stats: Columns) -> list[Mark]:
    """Versions with a word that hardly any other has: ``20.1-1nodesource1`` is of another archive, ``~bpo12`` too."""
    found = []
    for column in _versions(stats) if stats.total >= MANY else ():
        if column.tally is not None and column.level <= 0:
            found += [mark for _, mark in sorted(_unusual(column), key=lambda one: one[0])[:MOST]]
    return found


def _unusual(column: Column) -> Iterator[tuple[int, Mark]]:
    """Such rows, each with the number of those that have its rarest word."""
    assert column.tally is not None
    counts = Counter[str]()
    as_written = column.template_of if column.level >= 0 else {}
    # a template lacks the digits between two words or two letters of a hash; the revision behind "-" is the archive's
    words = {text: _WORD.findall(as_written.get(text, text).rpartition("-")[2]) for text in column.tally.counts}
    for text, count in column.tally.counts.items():
        counts.update(dict.fromkeys(words[text], count))
    for text, count in column.tally.counts.items():
        rarest, word = min(((counts[word], word) for word in words[text]), default=(FEW + 1, ""))
        said = f"{column.label}: {word}"
        for row in column.tally.rows.get(text, ()) if rarest <= FEW else ():
            yield rarest, Mark(row, Keep.RARE, column.path, said, said, count)
