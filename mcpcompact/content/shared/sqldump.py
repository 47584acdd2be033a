"""``INSERT INTO t (a, b) VALUES (1, 'x'), …`` as records: the rows of one table, where its columns are named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from mcpcompact.content.shared.jsontext import NUMBER, quoted
from mcpcompact.patterns import regex

MIN, SHARE = 5, 0.6  # rows; of the characters, what the statements that insert take
_NAME = r"(?:[\w$]+|\"[^\"]+\"|`[^`]+`|\[[^\]]+\])"
_INSERT = regex(
    rf"^[ \t]*(?:INSERT|REPLACE)\s+(?:OR\s+\w+\s+|IGNORE\s+)?INTO\s+((?:{_NAME}\.)*{_NAME})\s*"
    r"(\([^()]*\))?\s*VALUES\s*",
    re.I | re.M,
)
_CREATE = regex(
    rf"^[ \t]*CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?((?:{_NAME}\.)*{_NAME})\s*"
    r"\(((?:[^()']|'[^']*'|\([^()]*\))*+)\)",
    re.I | re.M,
)
_OTHERS = regex(
    r"^(?:(?:CREATE|DROP|ALTER|LOCK|UNLOCK|TRUNCATE|COMMENT)\s+\w+"
    r"|(?:SET|USE|BEGIN|START|COMMIT|PRAGMA|GRANT|REVOKE|UPDATE|DELETE|SELECT|COPY|CALL)\b|--|/\*)",
    re.I | re.M,
)
_COLUMN = regex(rf"\s*({_NAME})")
_PARTS = regex(r"(?:[^,()']|'[^']*'|\([^()]*\))++")
_KEY = regex(r"(?i)\s*(?:PRIMARY|UNIQUE|FOREIGN|CONSTRAINT|INDEX|KEY|CHECK|FULLTEXT|SPATIAL)\b")
_VALUE = regex(
    r"\s*(?:(?:[ENen]|_binary )?'((?:[^'\\]|\\.|'')*+)'|((?:[^\s,()'](?:[^,()']|\([^()]*\))*+)))\s*([,)])", re.S
)
_STANDARD = regex(r"\s*(?:[ENen]?'((?:[^']|'')*+)'|((?:[^\s,()'](?:[^,()']|\([^()]*\))*+)))\s*([,)])", re.S)
_BEHIND = regex(r"\s*,\s*")
_ESCAPED = regex(r"\\(.)|''", re.S)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "Z": "\x1a"}


def from_sql(text: str, whole: bool = True) -> tuple[str, str] | None:
    """The rows as a JSON list of objects, and what else the dump holds; None where they are of several tables, have no
    column names or are little of it. Of text that is not the ``whole`` nothing is said of its end."""
    matches = [*_INSERT.finditer(text)]
    tables = {_bare(match[1]) for match in matches}
    rows = [*_rows(text, matches)] if len(tables) == 1 else []
    named = next((match[2] for match in matches if match[2]), "")
    names = [_bare(name) for name in _COLUMN.findall(named.strip("()").replace(",", " , ")) if name != ","]
    names = names or _created(text, tables)
    taken = sum(end - start for start, end, _ in rows)
    if len(rows) < MIN or taken < SHARE * len(text.strip()) or {len(values) for *_, values in rows} != {len(names)}:
        return None
    keys = [quoted(name) for name in names]
    objects = (", ".join(f"{k}: {v}" for k, v in zip(keys, values, strict=True)) for *_, values in rows)
    others = [m[0].upper() for m in _OTHERS.finditer(text)]
    kinds = ", ".join(dict.fromkeys("comments" if other[0] in "-/" else " ".join(other.split()) for other in others))
    beside = f"; besides: {kinds}" if kinds else ""
    if whole and (text[rows[-1][1] :].lstrip()[:1] not in (";", "") or rows[-1][0] < matches[-1].start()):
        beside += "; cut off or damaged behind the last of these rows"
    return f"[{', '.join(f'{{{one}}}' for one in objects)}]", f"rows of the table {tables.pop()}{beside}"


def spans(text: str) -> Iterator[tuple[int, int]]:
    """A row each, with what stands before the next one."""
    cuts = [start for start, _, _ in _rows(text, [*_INSERT.finditer(text)])]
    yield from pairwise([0, *cuts[1:], len(text)] if text else [])


def _rows(text: str, matches: list[re.Match[str]]) -> Iterator[tuple[int, int, list[str]]]:
    """Where each row begins and ends, and its values as JSON, up to the first that cannot be read."""
    escapes = "`" in text[: matches[0].end()] if matches else False  # MySQL, whose texts have backslashes
    value = _VALUE if escapes else _STANDARD
    for match in matches:
        start, at = match.start(), match.end()
        while text[at : at + 1] == "(":
            values, at = list[str](), at + 1
            while (cell := value.match(text, at)) is not None:
                values.append(_json(cell, escapes))
                at = cell.end()
                if cell[3] == ")":
                    break
            else:
                return
            yield start, at, values
            behind = _BEHIND.match(text, at)
            start = at = behind.end() if behind else at


def _json(cell: re.Match[str], escapes: bool) -> str:
    if (body := cell[1]) is not None:
        if escapes:
            return quoted(_ESCAPED.sub(lambda m: _ESCAPES.get(m[1], m[1]) if m[1] else "'", body))
        return quoted(body.replace("''", "'"))
    value = cell[2].strip()
    if value.lower() in ("null", "true", "false"):
        return value.lower()
    return value if NUMBER.fullmatch(value) else quoted(value)


def _created(text: str, tables: set[str]) -> list[str]:
    """The columns of the table as its definition names them."""
    body = next((match[2] for match in _CREATE.finditer(text) if _bare(match[1]) in tables), "")
    parts = (part for part in _PARTS.findall(body) if not _KEY.match(part))
    return [_bare(match[1]) for part in parts if (match := _COLUMN.match(part))]


def _bare(name: str) -> str:
    return name.rpartition(".")[2].strip('"`[] ')
