"""Inputs for ``bench.fuzz``: pieces of real tool results with structure-aware damage, the same for the same seed."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from bench.evidence import corpus

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
POOL = 4_000
"""Pieces that are damaged; each is used many times."""
SIZES = (80, 8_000)
"""Bytes of a piece: half of them under 200, as a small input breaks what a large one does, in a tenth of the time."""
LARGE_EVERY, LARGE = 10_000, 1_000_000
"""One input of so many is repeated to a megabyte, for the time it takes."""
FOLDERS = ("tool_outputs", "logs", "sequences", "recordings")
MAX_READ = 2_000_000

WORDS = (
    "",
    "0",
    "-1",
    "1e999",
    "NaN",
    "null",
    "true",
    "ERROR",
    "FATAL: panic",
    "2024-12-31T23:59:59Z",
    "Jan  1 00:00:00",
    "5d3h",
    "12m",
    "1.5GHz",
    "-0",
    "00012",
    "[mcpcompact] end",
    "More: x",
    "$(touch x)",
    "a.b",
    "'",
    '"',
    '""',
    "\\",
    "|",
    ",",
    "\t",
    ";",
    "\x1b[31mred\x1b[0m",
    "\r",
    "\x00",
    "\u2028",
    "\ufeff",
    "é",
    "漢字",
    "👩‍👩‍👧",
    "\u0301",
    "…[+12 chars]",
    "… [lines 1–9 not shown]",
    "#12",
    "@@ -1,3 +1,4 @@",
    "diff --git a/x b/x",
    "--- a/x",
    "+++ b/x",
    "+",
    "-",
    ">seq_1 len=4",
    "ACGT" * 30,
    "<a>",
    "</a>",
    "<![CDATA[",
    "<!--",
    "&amp;",
    "- x: 1",
    "---",
    "x: |",
    "    at f (a.js:1:2)",
    "Traceback (most recent call last):",
    "def f():",
    "# " + "h" * 80,
    "|---|---|",
    " " * 200,
    "x" * 3_000,
    "/" * 400,
    "192.168.0.1",
    "https://e.com/a?b=c",
    "550e8400-e29b-41d4-a716-446655440000",
)


class Pairs(list[Any]):
    """An object as a list of pairs, so that a key can stand twice."""


def made(seed: int) -> bytes:
    """The input of a seed."""
    rng = random.Random(seed)
    pieces = pool()
    data = rng.choice(pieces)
    if rng.random() < 0.06:
        data = _spliced(rng, data, rng.choice(pieces))
    data = changed(rng, data)
    if seed % LARGE_EVERY == 0 and data:
        data = (data + b"\n") * (LARGE // len(data) + 1)
    return data


def changed(rng: random.Random, data: bytes) -> bytes:
    """Data after some changes: of its structure, where it has one, of its lines, of its bytes."""
    if (value := _parsed(data)) is not None and rng.random() < 0.8:
        data = _json(rng, value).encode("utf-8", "surrogatepass")
    else:
        data = _lines(rng, data)
    if rng.random() < 0.3:
        data = rng.choice(_BYTES)(rng, data)
    return data


@cache
def pool() -> list[bytes]:
    """Pieces of the samples and, where it is at hand, of the recorded corpus."""
    rng = random.Random(0)
    files = sorted(path for path in SAMPLES.iterdir() if path.is_file() and path.suffix != ".py")
    top = corpus()
    if top is not None:
        files += sorted(p for folder in FOLDERS for p in (top / folder).rglob("*") if p.is_file())
    files = [path for path in files if 0 < path.stat().st_size <= MAX_READ]
    pieces: list[bytes] = []
    while len(pieces) < POOL:
        data = rng.choice(files).read_bytes()
        pieces += [_piece(rng, data) for _ in range(8)]
    return pieces


def _piece(rng: random.Random, data: bytes) -> bytes:
    size = int(SIZES[0] * (SIZES[1] / SIZES[0]) ** rng.random() ** 2.5)
    value = _parsed(data) if len(data) < 300_000 else None
    if value is not None:
        for _ in range(20):
            inner = rng.choice(list(_containers(value)))
            text = _dump(rng, inner)
            if size / 4 <= len(text) <= size * 2:
                return text.encode("utf-8", "surrogatepass")
    start = rng.choice((0, data.rfind(b"\n", 0, rng.randrange(len(data))) + 1))
    end = data.find(b"\n", start + size)
    return data[start : end + 1 if 0 <= end < start + size * 3 else start + size]


# -- JSON


def _parsed(data: bytes) -> Any:
    """The value of a JSON text with its objects as pairs, or None."""
    if data[:1] not in (b"{", b"["):
        return None
    try:
        return json.loads(data, object_pairs_hook=Pairs)
    except (ValueError, RecursionError):
        return None


def _containers(value: Any) -> Iterator[Any]:
    todo = [value]
    while todo:
        value = todo.pop()
        yield value
        inner = [v for _, v in value] if isinstance(value, Pairs) else value
        todo += [v for v in inner if isinstance(v, list)]


def _json(rng: random.Random, value: Any) -> str:
    import copy

    value = copy.deepcopy(value)
    for _ in range(rng.randint(1, 6)):
        inner = rng.choice(list(_containers(value)))
        if inner:
            _change(rng, inner)
    if rng.random() < 0.05:
        for _ in range(rng.choice((1, 3, 40, 900))):
            value = [value] if rng.random() < 0.5 else Pairs([("k", value)])
    if rng.random() < 0.1 and isinstance(value, list) and not isinstance(value, Pairs):
        return "\n".join(_dump(rng, v) for v in value)
    return _dump(rng, value)


def _change(rng: random.Random, inner: Any) -> None:
    at, keyed = rng.randrange(len(inner)), isinstance(inner, Pairs)
    what = rng.randrange(8)
    key, old = inner[at] if keyed else ("", inner[at])
    if what == 0:
        del inner[at]
    elif what == 1:
        inner.insert(rng.randrange(len(inner) + 1), inner[at])
    elif what == 2:
        rng.shuffle(inner)
    elif what == 3:
        inner[at:at] = inner[at : at + rng.randint(1, 4)] * rng.choice((1, 3, 12))
    elif what == 4 and keyed:
        inner[at] = (rng.choice(WORDS)[:40], old)
    else:
        new = _value(rng, old)
        inner[at] = (key, new) if keyed else new


def _value(rng: random.Random, old: Any) -> Any:
    return rng.choice(
        (
            None,
            True,
            str(old)[:500],
            [old] if rng.random() < 0.5 else Pairs([("v", old)]),
            float("nan"),
            float("-inf"),
            1e-320,
            rng.choice((10**25, -(2**63), 2**53 + 1, 0, -0.0)),
            rng.choice(WORDS),
            rng.choice(WORDS) * rng.choice((2, 50)),
            "\ud800x",
            Pairs(),
            [],
            rng.randint(-1000, 1000),
        )
    )


def _dump(rng: random.Random, value: Any) -> str:
    """JSON text without recursion, as deep values would exceed it."""
    ascii_only, indent, colon = rng.random() < 0.3, rng.random() < 0.3, rng.choice((":", ": "))
    out: list[str] = []
    todo: list[tuple[Any, int]] = [(value, 0)]
    while todo:
        item, depth = todo.pop()
        if isinstance(item, _Text):
            out.append(item)
        elif isinstance(item, list):
            keyed = isinstance(item, Pairs)
            pad = "\n" + " " * min(depth + 1, 40) if indent else ""
            out.append("{" if keyed else "[")
            todo.append((_Text("}" if keyed else "]"), 0))
            for n in range(len(item) - 1, -1, -1):
                inner = item[n][1] if keyed else item[n]
                lead = f"{json.dumps(item[n][0], ensure_ascii=ascii_only)}{colon}" if keyed else ""
                todo += [(inner, depth + 1), (_Text(f"{',' if n else ''}{pad}{lead}"), 0)]
        else:
            out.append(json.dumps(item, ensure_ascii=ascii_only))
    return "".join(out)


class _Text(str):
    """What stands in the output as it is."""


# -- lines: tables, logs, diffs, sequences, markup, YAML, code, prose


def _lines(rng: random.Random, data: bytes) -> bytes:
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(len(lines))
        rng.choice(_LINE)(rng, lines, at)
        if not lines:
            lines = [""]
    return "\n".join(lines).encode("utf-8", "surrogateescape")


def _drop(rng: random.Random, lines: list[str], at: int) -> None:
    del lines[at : at + rng.choice((1, 1, 5))]


def _again(rng: random.Random, lines: list[str], at: int) -> None:
    lines[at:at] = lines[at : at + rng.randint(1, 4)] * rng.choice((1, 2, 20))


def _word(rng: random.Random, lines: list[str], at: int) -> None:
    place = rng.randrange(len(lines[at]) + 1)
    lines[at] = lines[at][:place] + rng.choice(WORDS) + lines[at][place:]


def _in_place(rng: random.Random, lines: list[str], at: int) -> None:
    """Another value for a field: what stands between delimiters."""
    parts = re.split(r"([,\t|;: =]+)", lines[at])
    parts[rng.randrange(len(parts))] = rng.choice(WORDS)
    lines[at] = "".join(parts)


def _delimiter(rng: random.Random, lines: list[str], at: int) -> None:
    old, new = rng.choice(",\t|; :"), rng.choice(",\t|; \"'")
    for n in range(at, len(lines) if rng.random() < 0.3 else at + 1):
        lines[n] = lines[n].replace(old, new)


def _number(rng: random.Random, lines: list[str], at: int) -> None:
    lines[at] = re.sub(r"\d+", lambda _: str(rng.choice((0, 1, 7, 99, 10**12, rng.randrange(1000)))), lines[at])


def _cut_line(rng: random.Random, lines: list[str], at: int) -> None:
    lines[at] = lines[at][: rng.randrange(len(lines[at]) + 1)]


def _swap(rng: random.Random, lines: list[str], at: int) -> None:
    other = rng.randrange(len(lines))
    lines[at], lines[other] = lines[other], lines[at]


def _line(rng: random.Random, lines: list[str], at: int) -> None:
    lines.insert(at, rng.choice(WORDS))


def _indent(rng: random.Random, lines: list[str], at: int) -> None:
    lines[at] = rng.choice((" ", "    ", "\t", "+", "-", "> ", "| ")) + lines[at]


def _case(rng: random.Random, lines: list[str], at: int) -> None:
    lines[at] = rng.choice((str.upper, str.lower, str.title))(lines[at])


def _joined(rng: random.Random, lines: list[str], at: int) -> None:
    lines[at : at + 3] = [rng.choice(("", " ", "\r", "\x0b")).join(lines[at : at + 3])]


_LINE: tuple[Callable[[random.Random, list[str], int], None], ...] = (
    _drop,
    _again,
    _word,
    _in_place,
    _in_place,
    _delimiter,
    _number,
    _cut_line,
    _swap,
    _line,
    _indent,
    _case,
    _joined,
)

# -- bytes


def _spliced(rng: random.Random, one: bytes, other: bytes) -> bytes:
    return one[: rng.randrange(len(one) + 1)] + other[rng.randrange(len(other) + 1) :]


def _cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _damaged(rng: random.Random, data: bytes) -> bytes:
    out = bytearray(data)
    for _ in range(rng.choice((1, 5, 60))):
        out[rng.randrange(len(out) + 1) : 0] = bytes([rng.randrange(256)])
    return bytes(out)


def _invalid(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice((b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf0\x9f", b"\x80" * 9)) + data[at:]


def _crlf(rng: random.Random, data: bytes) -> bytes:
    share = rng.choice((0.1, 0.5, 1.0))
    return b"".join(
        (line[:-1] + b"\r\n" if line.endswith(b"\n") and rng.random() < share else line)
        for line in data.splitlines(keepends=True)
    )


def _utf16(rng: random.Random, data: bytes) -> bytes:
    return data.decode("utf-8", "replace").encode(rng.choice(("utf-16", "utf-16-le", "utf-16-be")))


_BYTES: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    _cut,
    _cut,
    _damaged,
    _invalid,
    _crlf,
    _utf16,
    lambda rng, data: b"\xef\xbb\xbf" + data,
    lambda rng, data: data.replace(b"\n", b"\r"),
    lambda rng, data: data.rstrip(b"\n") + rng.choice((b"", b"\n\n\n", b"  ", b"\r")),
)
