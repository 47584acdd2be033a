"""From a text to tables of records: JSON, NDJSON, delimited text, pairs, lines, prose.

A row of prose is a line, or a sentence with those behind it that name nothing of their own. Its numbers are fields
named after the words beside them, and each of its words is a value of the field ``""``.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from mcpcompact.content.diff.parse import parse
from mcpcompact.llm.records import PHRASE, Table, identifiers, moment, quantity, shape, tokens
from mcpcompact.llm.words import FUNCTION, UNITS
from mcpcompact.patterns import regex

TABLES = 5  # most lists of records of one source that are computed with, the longest first
DEPTH = 40  # levels of nesting that are read
NAMED = 0.6  # share of the passages that name something, for the others to be left out of them
RECORDS = 10  # passages from which each may be a record, where they name things of one shape
ALIGNED = 0.8  # share of the lines that have the layout of the first ones, for a table
MIN = 3  # lines of a table, and passages that name something each, at least: two may do so by chance
HEAD = 50  # lines, or records, by which the layout of all is judged
SENTENCES = 100_000  # characters of a line that is not cut into sentences: a dump
_PAIR = regex(r"(?<![\w.-])([A-Za-z_][\w.-]*)=(\"[^\"]*\"|'[^']*'|\S+)")
_BRACKETED = regex(r"\[([A-Za-z][\w-]*)\]")
_SENTENCE = regex(r"(?<=[.!?])\s+(?=[A-Z])")
_BEHIND = regex(r"(?m)(?<=\S)(?:\n[ \t]+\S.*){1,3}$(?!\n[ \t])")
_GAP = regex(r"\t|\s{2,}")
_PATCH = regex(r"(?m)^(?:diff --git |--- \S.*\n\+\+\+ \S)")
_CHANGES = {"new": "added", "deleted": "deleted", "renamed": "renamed", "copied": "copied"}
Rows = list[dict[str, Any]]


def tables(text: str) -> list[Table]:
    """The tables of a text, the longest first; every text has one at least, of lines or sentences, unless it is empty.
    Never raises."""
    tables = _json(text)
    words = [[value for value in row.values() if isinstance(value, str)] for table in tables for row in table.rows]
    texts = [" ".join(" ".join(some).split()) for some in words if any("\n" in value.strip() for value in some)]
    if texts:  # records that hold a text of several lines are passages of prose as well
        tables.append(_prose(texts))
    tables = tables or _diffed(text) or _delimited(text) or _paired(text) or _proses(text)
    return sorted(tables, key=lambda table: -len(table.rows))[:TABLES]


def _json(text: str) -> list[Table]:
    stripped = text.strip()
    if stripped[:1] not in ("{", "["):
        return []
    try:
        data = json.loads(stripped)
    except (ValueError, RecursionError):
        data = []
        for line in stripped.splitlines():
            with suppress(ValueError, RecursionError):
                data.append(json.loads(line))
        if len(data) <= 1:
            return []
    rows: dict[str, Rows] = {}
    _walk(data, "", {}, rows, 0)
    return _merged(rows)


def _merged(lists: dict[str, Rows]) -> list[Table]:
    """Lists of the same fields as one table; where they stood is a field more."""
    kinds: dict[frozenset[str], list[tuple[str, dict[str, Any]]]] = {}
    for path, rows in lists.items():
        names = frozenset(name for row in rows[:HEAD] for name in row)
        key = next((k for k in kinds if 4 * len(k & names) >= 3 * len(k | names)), names)
        kinds.setdefault(key, []).extend((path, row) for row in rows)
    tables = []
    for placed in kinds.values():
        paths = dict.fromkeys(path for path, _ in placed)
        noun = next(iter(paths)).rpartition(".")[2]
        if len(paths) > 1:
            parts = [path.split(".") for path in paths]
            at = next((n for n, some in enumerate(zip(*parts, strict=False)) if len(set(some)) > 1), 0)
            name = parts[0][at - 1] if at else "group"
            placed = [(path, {**row, name: path.split(".")[at] if at < len(path.split(".")) else ""})
                    for path, row in placed]  # fmt: skip
        tables.append(Table([row for _, row in placed], noun))
    return tables


def _walk(
    node: Any, path: str, above: dict[str, Any], lists: dict[str, Rows], depth: int, record: bool = False
) -> None:
    """The records below a node, each with the plain values of what holds it. ``record``: it is one of a list."""
    if depth > DEPTH:
        return
    if isinstance(node, list):
        for child in filter(_holds, node):
            _walk(child, path, above, lists, depth + 1, True)
        return
    own, inner = _flat(node, "", 0, record)
    row = above | {key if key not in above else f"{path.rpartition('.')[2]}.{key}": own[key] for key in own}
    passed = {key: value for key, value in row.items() if not isinstance(value, list)} if path else {}
    for key, child in inner:
        below = f"{path}.{key}" if path else key
        records = child.items() if isinstance(child, dict) else ()  # a map of records: their keys name them
        for name, value in records:
            _walk(value, below, passed | {below.rpartition(".")[2]: name}, lists, depth + 1, True)
        if isinstance(child, list):
            _walk(child, below, passed, lists, depth + 1)
    if row:
        lists.setdefault(path, []).append(row)


def _holds(node: Any) -> bool:
    return isinstance(node, (dict, list))


def _flat(node: dict[str, Any], prefix: str, depth: int, record: bool) -> tuple[dict[str, Any], list[tuple[str, Any]]]:
    """The plain values of an object by their paths, and the lists and maps of records in it."""
    own: dict[str, Any] = {}
    inner: list[tuple[str, Any]] = []
    for key, value in node.items():
        name = f"{prefix}.{key}" if prefix else str(key)
        if isinstance(value, dict):
            if depth > DEPTH or _is_map(value, record):
                inner.append((name, value))
                continue
            below, more = _flat(value, name, depth + 1, record)
            own |= below
            inner += more
        elif not isinstance(value, list):
            own[name] = value
        elif any(map(_holds, value)):
            inner.append((name, value))
        else:
            own |= {f"{name} {n}": child for n, child in enumerate(value[:PHRASE], 1)}
    return own, inner


def _is_map(value: dict[str, Any], record: bool) -> bool:
    """Whether an object holds records by their names; within a record only one whose values are all alike."""
    if len(value) <= 1 or not all(isinstance(child, dict) for child in value.values()):
        return False
    return not record or (len(value) >= MIN and len({tuple(child) for child in value.values()}) == 1)


def _diffed(text: str) -> list[Table]:
    """The files of a patch, as its statistics tell them."""
    if not _PATCH.search(text):
        return []
    lines = text.splitlines()
    files = parse(lines).files
    if sum(file.end - file.start for file in files) < ALIGNED * len(lines):
        return []
    rows = [
        {
            "path": file.path,
            "change": next((word for name, word in _CHANGES.items() if name in file.status), "modified"),
            "plus": file.added,
            "minus": file.removed,
        }
        for file in files
    ]
    return [Table(rows, "files")]


def _delimited(text: str) -> list[Table]:
    lines = [line for line in text.splitlines() if line.strip()]
    piped = [line.strip() for line in lines if line.lstrip().startswith("|")]
    if len(piped) >= MIN and 2 * len(piped) > len(lines):
        cells = [[cell.strip().strip("*`") for cell in line.strip("|").split("|")] for line in piped]
        rest = [line for line in lines if not line.lstrip().startswith("|")]
        return _table([row for row in cells if any(cell.strip("-: ") for cell in row)], rest)
    head = lines[:HEAD]
    if len(head) < MIN:
        return []
    for sign in (",", "\t", ";", "|"):
        width = lines[0].count(sign) + 1
        if width > 1 and " " + sign not in lines[0]:
            try:
                cells = list(csv.reader(lines, delimiter=sign))
            except csv.Error:
                continue
            if sum(len(row) == width for row in cells[: len(head)]) >= ALIGNED * len(head):
                return _table(cells, [])
    gapped = (_GAP.split(line.strip()) for line in lines)
    first = list(islice(gapped, HEAD))
    aligned = sum(len(row) == len(first[0]) for row in first) >= ALIGNED * len(first)
    return _table([*first, *gapped], []) if len(first[0]) > 1 and aligned else []


def _table(cells: list[list[str]], rest: list[str]) -> list[Table]:
    names = [name.strip() or str(n) for n, name in enumerate(cells[0])]
    if len(set(names)) < len(names) or any(quantity(name) is not None for name in names):
        return []
    rows = [dict(zip(names, map(str.strip, row), strict=False)) for row in cells[1:] if row]
    return [Table(rows), *([_prose(rest)] if rest else [])]


def _paired(text: str) -> list[Table]:
    """Lines of ``key=value``, with the time and the words before them."""
    lines = [line for line in text.splitlines() if line.strip()]
    paired = [line for line in lines if len(_PAIR.findall(line)) > 1]
    if len(paired) < max(MIN, ALIGNED * len(lines)):
        return []
    rows = []
    for line in paired:
        row = {match[1]: match[2].strip("\"',;") for match in _PAIR.finditer(line)}
        words = _PAIR.sub(" ", line).split()
        stamps = [n for n in (0, 1) if len(words) > n and moment(words[n].strip("[],"))]
        if stamps:
            row.setdefault("time", "T".join(words[n].strip("[],") for n in stamps))
        rest = [word for n, word in enumerate(words) if n not in stamps]
        first = {"word 0": rest[0].strip("[]:")} if rest else {}
        rows.append({**row, **first, "message": " ".join(rest)})
    return [Table(rows)]


def _prose(texts: list[str]) -> Table:
    rows = [_read(passage) for passage in texts]
    _one_name(rows)
    return Table(rows, prose=True, texts=texts)


def _one_name(rows: list[dict[str, Any]]) -> None:
    """Numbers of one unit that no row has two of are one field, whatever word stands beside them."""
    units: dict[str, set[str]] = {}
    for row in rows:
        shared = Counter(unit for name in row if (unit := name.rpartition(" ")[2]) in UNITS)
        for name in row:
            if (unit := name.rpartition(" ")[2]) in UNITS:
                units.setdefault(unit, set()).update({name} if shared[unit] == 1 else {"", unit})
    for row in rows:
        for name in [name for name in row if name.rpartition(" ")[2] in units]:
            unit = name.rpartition(" ")[2]
            if len(units[unit]) > 1 and "" not in units[unit]:
                row[unit] = row.pop(name)


def _proses(text: str) -> list[Table]:
    """Passages that name something, and the others; where each names something else, those of one name are one."""
    passages = list(_passages(text))
    named = [(names[0], passage) for passage in passages if (names := identifiers(passage))]
    if len(named) < NAMED * len(passages) or len(named) < MIN:
        return [_prose(passages)] if passages else []
    others = [passage for passage in passages if not identifiers(passage)]
    texts = [passage for _, passage in named]
    by: dict[str, list[str]] = {}
    for name, passage in named:
        by.setdefault(name, []).append(passage)
    if len(by) >= NAMED * sum(1 for _ in groupby(named, key=itemgetter(0))):
        texts = ["\n".join(some) for some in by.values()]
    tables = [_prose(texts), *([_prose(others)] if others else [])]
    alike = Counter(shape(name) for name in by).most_common(1)[0][1]
    tables[0].records = len(texts) == len(by) >= RECORDS and alike >= ALIGNED * len(by)
    return tables


def _passages(text: str) -> Iterator[str]:
    """Lines; of long ones and of paragraphs their sentences, each with those behind it that name nothing themselves."""
    for line in _lines(text):
        held = ""
        for sentence in _SENTENCE.split(line) if len(line) < SENTENCES else [line]:
            if held and (identifiers(sentence) or not identifiers(held)):
                yield held
                held = ""
            held = f"{held}\n{sentence}".strip()
        if held:
            yield held


def _lines(text: str) -> Iterator[str]:
    """The lines of a text, each with the few indented ones behind it."""
    joined = _BEHIND.sub(lambda few: re.sub(r"\n\s+", ": ", few[0]), text)
    return (line.strip() for line in joined.splitlines() if line.strip())


def _read(passage: str) -> dict[str, Any]:
    """The pairs, numbers and dates of a line, or of sentences on lines, named after the words beside them."""
    row: dict[str, Any] = {}
    for sentence in passage.split("\n"):
        _add(row, sentence)
    return row


def _add(row: dict[str, Any], passage: str) -> None:
    for match in _BRACKETED.finditer(passage):
        row.setdefault("[]", match[1])
    for match in _PAIR.finditer(passage):
        row.setdefault(match[1], match[2].strip("\"',;"))
    words = tokens(_PAIR.sub(" ", passage) if "=" in passage else passage)[:200]
    for n, word in enumerate(words):
        if moment(word):
            row.setdefault(f"{_beside(words, n - 1)} date {sum(' date ' in k for k in row)}", word)
        elif (number := quantity(word)) is not None:
            unit, after = number.unit, n + 1
            behind = words[after].lower() if after < len(words) else ""
            if not unit and behind in UNITS and behind not in FUNCTION:
                unit, after = behind, after + 1
            name = f"{_beside(words, after) or _beside(words, n - 1)} {unit}".strip()
            row.setdefault(name or f"n{len(row)}", f"{word}{unit}" if unit != number.unit else word)
        elif n and word[0].isupper() and words[n - 1].isalpha() and words[n - 1].islower():
            last = next((k for k in range(n, len(words)) if not words[k][0].isupper()), len(words))
            row.setdefault(words[n - 1], " ".join(words[n:last]))


def _beside(words: list[str], n: int) -> str:
    if not 0 <= n < len(words):
        return ""
    word = words[n]
    return word if word.isalpha() and word.islower() and word not in FUNCTION and word not in UNITS else ""
