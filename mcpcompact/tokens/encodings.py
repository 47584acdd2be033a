"""The two public encodings: their shipped vocabularies, mapped without parsing, and their pre-tokenizers.

A vocabulary file (little-endian, see ``scripts/build_vocabulary.py``) is a hash table:

    8 s    "mcpvoc01"
    I      tokens
    I      buckets, a power of two
    32 s   SHA-256 of the published rank file
    256 I  rank of each single byte
    I ×    where each bucket starts in the file (buckets + 1 of them); bucket = CRC-32 of the token modulo buckets
    …      records: FF token FE rank (three bytes of seven bits); neither FF nor FE occurs in a token or in UTF-8

A lookup is one CRC and one ``find`` within a bucket of about 36 bytes. ``unicode.classes`` holds
``first code point << 3 | class`` for each range of code points from 128 on.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from zlib import crc32

DEFAULT = "o200k_base"

TIKTOKEN_PATTERNS = {
    "o200k_base": "|".join(
        (
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"\p{N}{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            r"\s+",
        )
    ),
    "cl100k_base": (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
        r"|\s+(?!\S)|\s"
    ),
}
"""The published patterns (tiktoken, MIT), for tiktoken's own engine."""

NAMES = tuple(TIKTOKEN_PATTERNS)

# Standard `re` has no \p{…}. Text beyond ASCII is matched on a shadow of itself, in which each such character is
# replaced by the representative of its class; ASCII text is its own shadow. Classes, in the order of the table:
# 80 Lu Lt · 81 Ll · 82 Lm Lo · 83 M · 84 N · 85 white space · 86 other · 87 U+017F, the one that folds to an ASCII s.
_UPPER, _LOWER, _LETTER = r"A-Z\x80\x82\x83", r"a-z\x81-\x83\x87", r"A-Za-z\x80-\x82\x87"
_NUMBER, _SPACE = r"0-9\x84", r"\t-\r \x85"
_CONTRACTION = r"(?:[sSdDmMtT\x87]|[lL][lL]|[vV][eE]|[rR][eE])"
_PREFIX = rf"[^\r\n{_LETTER}{_NUMBER}]"
_MARKS = rf" ?[^{_SPACE}{_LETTER}{_NUMBER}]"
_PATTERNS = {
    "o200k_base": "|".join(
        (
            rf"{_PREFIX}?[{_UPPER}]*[{_LOWER}]+(?:'{_CONTRACTION})?",
            rf"{_PREFIX}?[{_UPPER}]+[{_LOWER}]*(?:'{_CONTRACTION})?",
            rf"[{_NUMBER}]{{1,3}}+",
            rf"{_MARKS}++[\r\n/]*+",
            rf"[{_SPACE}]*[\r\n]+",
            rf"[{_SPACE}]+(?![^{_SPACE}])",
            rf"[{_SPACE}]++",
        )
    ),
    "cl100k_base": "|".join(
        (
            rf"'{_CONTRACTION}",
            rf"{_PREFIX}?+[{_LETTER}]++",
            rf"[{_NUMBER}]{{1,3}}+",
            rf"{_MARKS}++[\r\n]*+",
            rf"[{_SPACE}]++\Z",
            rf"[{_SPACE}]*[\r\n]",
            rf"[{_SPACE}]+(?![^{_SPACE}])",
            rf"[{_SPACE}]",
        )
    ),
}

ABSENT = 1 << 30  # the rank of what is not a token

_PARSED = 1 << 10  # buckets of a table that are parsed at once, of a power of two and more


class Vocabulary:
    """A mapped table. ``rank(piece)`` is the rank of a token, or ``ABSENT``."""

    __slots__ = ("_bytes", "_data", "_find", "_mask", "_starts", "sha256")

    def __init__(self, name: str) -> None:
        data = _mapped(f"{name}.vocabulary")
        words = _words(data)
        if data[:8] != b"mcpvoc01":
            raise ValueError(f"the vocabulary of {name} is damaged: install mcpcompact again")
        self._mask = words[3] - 1
        self.sha256 = data[16:48].hex()
        self._bytes, self._starts = words[12:268], words[268 : 268 + words[3] + 1]
        self._data, self._find = data, data.find

    def rank(self, piece: bytes) -> int:
        if len(piece) == 1:
            return self._bytes[piece[0]]
        bucket = crc32(piece) & self._mask
        at = self._find(b"\xff" + piece + b"\xfe", self._starts[bucket], self._starts[bucket + 1])
        if at < 0:
            return ABSENT
        low, mid, high = self._data[at + len(piece) + 2 : at + len(piece) + 5]
        return low | mid << 7 | high << 14

    def holds(self, piece: bytes) -> bool:
        return self.rank(piece) != ABSENT

    def ranks(self, characters: bytes = b"") -> dict[bytes, int]:
        """The tokens with their ranks, all or those of these characters alone: parses the table, a part at a time."""
        ranks = {bytes((byte,)): rank for byte, rank in enumerate(self._bytes)}
        token = rb"[%b]++" % re.escape(characters) if characters else rb"[^\xfe]++"
        records = re.compile(rb"\xff(%b)\xfe(...)" % token, re.DOTALL)
        for start, end in pairwise(self._starts[::_PARSED]):
            for known, (low, mid, high) in records.findall(self._data, start, end):
                ranks[known] = low | mid << 7 | high << 14
        return ranks


@cache
def vocabulary(name: str) -> Vocabulary:
    return Vocabulary(name)


@cache
def splitter(name: str) -> Callable[[str], list[str]]:
    """The pre-tokenizer of an encoding: text to its pieces, exactly as tiktoken's pattern cuts it."""
    return re.compile(_PATTERNS[name]).findall


class _Shadow(dict[int, int]):
    """Code point to representative, for ``str.translate``; filled from the table as characters are met."""

    __slots__ = ("_ranges",)

    def __init__(self) -> None:
        super().__init__((code, code) for code in range(128))
        self._ranges = _words(_mapped("unicode.classes"))

    def __missing__(self, code: int) -> int:
        entry = self._ranges[bisect_right(self._ranges, code << 3 | 7) - 1]
        self[code] = kind = 0x80 | entry & 7
        return kind


@cache
def shadow() -> dict[int, int]:
    return _Shadow()


def well_formed(text: str) -> str:
    """The text with surrogate pairs joined and lone surrogates replaced by U+FFFD, as tiktoken does it."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _mapped(name: str) -> bytes:
    """A data file, mapped: slices are ``bytes`` and ``find`` works, so it passes for ``bytes``."""
    import mmap
    import os

    with open(os.path.join(os.path.dirname(__file__), "data", name), "rb") as stream:
        try:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)  # type: ignore[return-value]
        except (OSError, ValueError):  # a file system that cannot map
            return stream.read()


def _words(data: bytes) -> memoryview[int]:
    """The data as 32-bit little-endian words; a last incomplete word is dropped."""
    import sys

    view = memoryview(data)[: len(data) & ~3]
    if sys.byteorder == "big":
        from array import array

        words = array("I", bytes(view))
        words.byteswap()
        view = memoryview(words.tobytes())
    return view.cast("I")


_LETTERS = "\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3"  # kana, Chinese, Hangul: no cases, no marks
_STOPS = "\u3001-\u3003\u3008-\u3011\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f"  # their punctuation


@cache
def _with_letters(wide: bool) -> re.Pattern[str]:
    """Finds the safe cuts of a text. Sets of many letters take 1 ms to compile, so only a text that has some pays."""
    letters, stops = (_LETTERS, _STOPS) if wide else ("", "")
    return re.compile(
        r"(?<=[\r\n])(?=[^\s/]|[ \t]++[!-~])"
        r"|(?<=[!-~])(?= )"
        rf"|(?<=[A-Za-z0-9{letters}])(?=[\x00-&(-/:-@\[-`{{-\x7f{stops}])"
    )


def is_safe_cut(text: str, at: int) -> bool:
    """Whether ``count(text[:at]) + count(text[at:]) == count(text)`` is certain, by the characters around ``at``."""
    return at <= 0 or at >= len(text) or _with_letters(True).match(text, at) is not None


def safe_cut(text: str, start: int, end: int) -> int | None:
    """A safe cut in ``start < cut < end``: one in the last eighth, else the last one; None when none shows there."""
    part, tail = text[start:end], max(1, end - start - max(1, (end - start) // 8))
    if len(part) <= 1:
        return None
    safe = _with_letters(not part.isascii() and max(part) >= _STOPS[0])
    match = safe.search(part, tail)
    if match is None:  # the last one: of many before a long stretch without, each would search that stretch again
        match = next(iter(deque(safe.finditer(part, 1), 1)), None)
    return start + match.start() if match else None


def safe_cuts(text: str, size: int) -> Iterator[tuple[int, int]]:
    """Spans that partition the text at safe cuts, each of at most ``size`` characters where its text has a safe cut."""
    start, total = 0, len(text)
    while total - start > size:
        cut = safe_cut(text, start, start + size + 1)
        if cut is None:
            match = _with_letters(True).search(text, start + size, total)
            if match is None or match.start() >= total:
                break
            cut = match.start()
        yield start, cut
        start = cut
    yield start, total
