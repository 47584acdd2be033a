"""Text in another spelling: percent-encoded (in a query a ``+`` may be a blank), in base64, with the entities of XML,
with quotes as shells, CSV and YAML write them within quotes. Decoded it is read once more, under the same rules.

All such pieces of a part are joined to one text, so that the rules run once; between them stands what no rule crosses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import NamedTuple

from mcpcompact.masking.spans import Span
from mcpcompact.patterns import regex

Find = Callable[[bytes, bool], Iterator[Span]]
_Piece = tuple[int, int, bytes]  # where it begins and ends, and what it says

SHORTEST = 24  # characters of base64 that are worth decoding: 18 bytes
LONGEST = 64 * 1024  # bytes of a piece: what is looked at behind a hit
WRAPPED = 60  # characters of a line of base64 that may go on below: encoders wrap at 64 or 76
MAX = 2 * 1024  # bytes of a piece in another spelling on each side of its first code

_APART = b"\x00\n"
_QUERY = regex(rb"[?&][\w.-]{1,40}=[^\s&]*\+")
_RUN = b"a" * SHORTEST
_ALPHABET = bytes(97 if bytes((c,)).isalnum() or c in b"+/_-" else 32 for c in range(256))
_LINES = regex(rb"(?:(?:\r?\n[ \t]{0,16}|(?:\\r)?\\n {0,16})[A-Za-z0-9+/]{4,76}(?![A-Za-z0-9+/:._-])){1,999}")
_LAYOUT = regex(rb"\\[rn]|\s")
_CONTROL = bytes(c for c in range(32) if c not in b"\t\r\n\x1b") + b"\x7f"
_URL_SAFE = bytes.maketrans(b"-_", b"+/")


class _Spelling(NamedTuple):
    """``marks``: one of them stands in every text so spelt; a piece goes from one of ``ends`` to the next."""

    marks: tuple[bytes, ...]
    code: re.Pattern[bytes]
    unit: re.Pattern[bytes]
    ends: bytes
    read: Callable[[bytes], Iterator[bytes]]


def respelt(data: bytes, first: int, limit: int, find: Find) -> Iterator[Span]:
    """What is found in percent-encoded text, and in lines with quotes in quotes, whose codes begin at ``first`` to
    ``limit``. ``find`` applies the rules."""
    for spelling in _SPELLINGS:
        if any(mark in data for mark in spelling.marks):
            yield from _respelt(data, first, limit, find, spelling)


def _respelt(data: bytes, first: int, limit: int, find: Find, spelling: _Spelling) -> Iterator[Span]:
    pieces = []
    done = 0
    code = spelling.code.search(data, first)
    while code and code.start() < limit:
        hit = code.start()
        low = max(done, hit - MAX)
        start = low + data[low:hit].translate(spelling.ends).rfind(b" ") + 1
        length = data[hit : hit + MAX].translate(spelling.ends).find(b" ")
        done = hit + length if length >= 0 else min(len(data), hit + MAX)
        pieces += [(start, done, text) for text in spelling.read(data[start:done])]
        code = spelling.code.search(data, done)
    units: list[int] = []
    known = None
    for piece, span in _found(pieces, find, deeper=True):
        if piece is not known:
            known, (start, end, _) = piece, piece
            units = [*(unit.start() for unit in spelling.unit.finditer(data, start, end)), end]
        yield span._replace(start=units[span.start], end=units[span.end], quote=b"")


def _percents(piece: bytes) -> Iterator[bytes]:
    from urllib.parse import unquote_to_bytes

    yield unquote_to_bytes(piece)
    if _QUERY.search(piece):
        yield unquote_to_bytes(piece.replace(b"+", b" "))


def _line(marks: tuple[bytes, ...], code: bytes, unit: bytes, read: Callable[[bytes], bytes]) -> _Spelling:
    """Of lines with ``code``, which begins with a literal: in them each ``unit`` is written for what ``read`` says."""

    def decoded(piece: bytes) -> Iterator[bytes]:
        yield units.sub(lambda match: read(match[0]), piece)

    units = regex(unit)
    return _Spelling(marks, regex(code), regex(unit + rb"|.", 16), _LINE_ENDS, decoded)


def _entity(code: bytes) -> bytes:
    from html import unescape

    return unescape(code.decode()).encode()


def _half(twice: bytes) -> bytes:
    return twice[: len(twice) // 2]


_ENTITY = rb"&(?:quot|apos|lt|gt|amp|#0{0,2}3[49]|#[xX]0{0,2}2[27]);"
_SHELL = rb"'(?:\\{1,4}'|\\{0,3}\"'\\{0,3}\")'"
_TWICE = rb"@(?<!['\"]@)(?=[\w$(/-])[^'\"\r\n]{1,256}@"
_PERCENT = rb"%[0-9A-Fa-f]{2}"
_LINE_ENDS = bytes.maketrans(b"\r\n \t", b"  aa")
_SPELLINGS = (
    _Spelling(
        (b"%", b"+"),
        regex(_PERCENT + rb"|(?<=[?&])[\w.-]{1,40}=[^\s&+%\"'<>`\\]{0,200}\+"),
        regex(_PERCENT + rb"|.", 16),
        bytes(32 if c in b" \t\r\n\"'<>`\\" else c for c in range(256)),
        _percents,
    ),
    _line((b"&",), _ENTITY.replace(b"|gt|amp", b""), _ENTITY, _entity),
    _line((b"'\"'\"'", b"\\''", b'\\"\'\\"'), _SHELL, _SHELL, lambda _: b"'"),
    *(_line((two,), _TWICE.replace(b"@", re.escape(two)), re.escape(two), _half) for two in (b"''", b'""', b'\\"\\"')),
)


def runs_of(data: bytes) -> bytes:
    """``data`` with ``a`` for each character of a code, else a blank; empty where no run of them is long."""
    runs = data.translate(_ALPHABET)
    return runs if _RUN in runs else b""


def in_base64(data: bytes, runs: bytes, first: int, limit: int, find: Find) -> Iterator[Span]:
    """The pieces of base64 in whose text something is found, each as a whole. ``runs`` are those of ``data``."""
    pieces = []
    hit = runs.find(_RUN, first)
    while 0 <= hit < limit:
        start = runs.rfind(b" ", max(0, hit - LONGEST), hit) + 1 or max(0, hit - LONGEST)
        end = runs.find(b" ", hit, hit + LONGEST)
        end = end if end >= 0 else min(len(data), hit + LONGEST)
        head = _decoded(data[start : start + 8])
        if head is not None and head.isascii():
            lines = _LINES.match(data, end) if end - start >= WRAPPED else None
            for stop in (lines.end() if lines else end, end):
                if text := _decoded(data[start:stop]):
                    padding = data[stop : stop + 2]
                    pieces.append((start, stop + len(padding) - len(padding.lstrip(b"=")), text))
                    break
        hit = runs.find(_RUN, end)
    for (start, end, _), span in _found(pieces, find, deeper=False):
        yield Span(start, end, span.kind)


def _found(pieces: list[_Piece], find: Find, *, deeper: bool) -> Iterator[tuple[_Piece, Span]]:
    """The spans in the texts of pieces: each with its piece, and where in the text of that."""
    from bisect import bisect_right

    if not pieces:
        return
    starts = [*accumulate((len(text) + len(_APART) for _, _, text in pieces), initial=0)]
    for span in find(_APART.join(text for _, _, text in pieces), deeper):
        number = bisect_right(starts, span.start) - 1
        start, end = span.start - starts[number], min(span.end - starts[number], len(pieces[number][2]))
        if start < end:
            yield pieces[number], span._replace(start=start, end=end)


def _decoded(code: bytes) -> bytes | None:
    """The text that base64 holds, None where it holds other bytes."""
    import binascii

    code = _LAYOUT.sub(b"", code).translate(_URL_SAFE)
    code = code[:-1] if len(code) % 4 == 1 else code
    try:
        text = binascii.a2b_base64(code + b"=" * (-len(code) % 4))
        text.decode()
    except ValueError:
        return None
    return text if len(text.translate(None, _CONTROL)) == len(text) else None
