"""Counting large texts with a compiled tokenizer: tiktoken on our tables, for very much text toktok-rs if trusted.

Neither reaches for the network. Both give the same counts as the own counter, which the tests hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING

from mcpcompact.patterns import regex
from mcpcompact.tokens.encodings import TIKTOKEN_PATTERNS, safe_cuts, vocabulary

if TYPE_CHECKING:
    import tiktoken

    from mcpcompact.tokens.count import Counter

_FEW = 4  # texts that one thread counts
_FEW_PIECES = 256

WINDOW = 64 * 1024
"""Bytes a piece fed to tiktoken: its regex engine gives up (and panics) on very long runs of white space, and the ids
of a larger one take new memory again and again."""

PART, PARTS = 128, 32  # characters between the cuts of a text with few characters beyond ASCII; cuts, at most, of a run
STRANGE = 100_000  # bytes beyond ASCII, or bytes that the own counter merges beside them, before all tokens are loaded
ASCII = bytes(range(128))
SIGNS = bytes(code for code in ASCII if not chr(code).isalpha())  # of which few tokens are made

_NEWER = regex(
    "[\u0295\u0558\u058b\u058c\u05c8\u05c9\u088f\u0b53\u0b54\u0c5c\u0cdc\u1acf-\u1af0\u208f\u209d-\u209f"
    "\ua7ce-\ua7f1\uab6c\uab6d\U000107b0-\U0001dfff\U0001e6c0-\U0001e6ff\U0002b73a-\U0002b81f\U0002cea2-\U0002ceaf"
    "\U000323b0-\U0010ffff]"
)
"""A superset of the code points that toktok-rs 0.3 (Unicode 17) classes otherwise than tiktoken 0.14 (Unicode 16)."""

_SUSPECT = b"\xca\xd5\xd6\xd7\xe0\xe1\xea\xf0\xf1\xf2\xf3\xf4"
"""The first bytes in UTF-8 of these code points, but for \\xe2\\x82: most text has none of them."""


def _newer(text: str) -> bool:
    """Whether the text holds any of them: bytes are looked at first, ten times as fast."""
    if text.isascii():
        return False
    data = text.encode("utf-8", "surrogatepass")
    if len(data.translate(None, _SUSPECT)) == len(data) and b"\xe2\x82" not in data:
        return False
    return _NEWER.search(text) is not None


VECTORS = (
    ("", 0, 0),
    ("hello world", 2, 2),
    ("a<|endoftext|>b", 9, 9),
    ("The quick brown fox's 12345 jumps\r\n\r\n   over 'll \u017f\u00e9\u0301 \u4f60\u597d \U0001f600!", 22, 23),
    (" " * 1000 + "ACGT" * 100 + "\n" * 77 + "aGVsbG8gd29ybGQ=" * 9, 307, 305),
)
"""Text, tokens in o200k_base, tokens in cl100k_base: what a compiled tokenizer must say before it is trusted."""


@cache
def encoding(name: str, characters: bytes = b"") -> tiktoken.Encoding:
    """tiktoken over the shipped table, or over its tokens of some ASCII ``characters``, beside which no other occurs in
    text of these: nothing is downloaded. 0.3 s the first time, 0.2 s for all of ASCII, 0.1 s for half the letters."""
    import tiktoken

    ranks = vocabulary(name).ranks(characters)
    return tiktoken.Encoding(name, pat_str=TIKTOKEN_PATTERNS[name], mergeable_ranks=ranks, special_tokens={})


class Tiktoken:
    """tiktoken, fed windows cut at safe boundaries; a stretch without one goes to the ``own`` counter, and so do
    stretches that are not ASCII, or have letters that the first text had not: only much work on them is worth loading
    more tokens."""

    def __init__(self, own: Counter) -> None:
        self._name, self._own = own.name, own
        self._whole, self._left = False, STRANGE
        self._ascii = b""  # the characters of the tokens that are loaded
        self.counted = 0  # characters so far

    def count(self, text: str) -> int:
        self.counted += len(text)
        if not self._whole and (len(text) > WINDOW or not self._ascii or self._left < 0):
            self._load(text)
        if text.isascii():
            return self._windows(text)
        total = at = 0
        if not self._whole and len(text.encode()) - len(text) <= STRANGE:
            for run in self._runs(text):
                total, at = total + self._windows(run), at + len(run)
                if self._left < 0:
                    break
            else:
                return total
        self._whole, self._ascii = True, b""
        return total + self._windows(text[at:])

    def _runs(self, text: str) -> Iterator[str]:
        """The text in parts that are ASCII, and others."""
        parts = enumerate(text[start:end] for start, end in safe_cuts(text, PART))
        for _, run in groupby(parts, lambda part: (part[1].isascii(), part[0] // PARTS)):
            yield "".join(part for _, part in run)

    def counts(self, texts: list[str]) -> list[int]:
        every = "".join(texts)
        if max(map(len, texts), default=0) > WINDOW or not (self._ascii and self._covers(every.encode())):
            return [*map(self.count, texts)]
        self.counted += len(every)
        return [*map(len, map(self._tokens().encode_ordinary, texts))]

    def _windows(self, text: str) -> int:
        if len(text) <= WINDOW:
            return self._window(text)
        spans = list(safe_cuts(text, WINDOW))
        if len(spans) < _FEW:
            return sum(self._window(text[start:end]) for start, end in spans)
        from concurrent.futures import ThreadPoolExecutor

        self._tokens()  # once, not in each thread
        with ThreadPoolExecutor(2) as pool:  # the GIL is released while it encodes
            return sum(pool.map(lambda span: self._window(text[span[0] : span[1]]), spans))

    def _window(self, text: str) -> int:
        covered, before = self._covers(text.encode()), self._own.work
        if covered and len(text) <= WINDOW:
            return len(self._tokens().encode_ordinary(text))
        tokens = self._own.stretch(text, self._merged)
        self._left -= 0 if covered else self._own.work - before
        return tokens

    def _merged(self, piece: bytes) -> int:
        tokens = self._tokens() if self._covers(piece) else encoding(self._name, ASCII if piece.isascii() else b"")
        return len(tokens._encode_single_piece(piece))

    def _load(self, text: str) -> None:
        """See to it that what its characters in ASCII make can be counted, of a long first text no more than that."""
        lacking = bytes(code for code in ASCII if code not in self._ascii and chr(code) in text)
        if lacking:
            self._ascii, self._left = ASCII if self._ascii or len(text) <= WINDOW else SIGNS + lacking, STRANGE

    def _covers(self, data: bytes) -> bool:
        """Whether all tokens that it may hold are loaded."""
        return self._whole or not data.translate(None, self._ascii)

    def _tokens(self) -> tiktoken.Encoding:
        return encoding(self._name, self._ascii)


class Toktok:
    """toktok-rs, which counts without making ids; what it may classify otherwise than tiktoken goes to ``other``."""

    counted = 0

    def __init__(self, encoding_name: str, other: Callable[[str], int]) -> None:
        import toktok

        self._count, self._encoding, self._other = toktok.batch_count, encoding_name, other

    def count(self, text: str) -> int:
        if _newer(text):
            return self._other(text)
        texts = [text[start:end] for start, end in safe_cuts(text, 16 * WINDOW)]
        return sum(self._count(texts, self._encoding, threads=1 if len(texts) < _FEW else 2))

    def counts(self, texts: list[str]) -> list[int]:
        counts: list[int] = self._count(texts, self._encoding, threads=1 if len(texts) < _FEW_PIECES else 2)
        for at, text in enumerate(texts):
            if _newer(text):
                counts[at] = self._other(text)
        return counts


def backend(own: Counter, *, much: bool = True) -> Tiktoken | Toktok:
    """A compiled counter of an encoding, of ``much`` text the quickest trusted one. The ``own`` counter counts exactly
    where tiktoken cannot."""
    slow = cache(lambda: Tiktoken(own))
    if not much:
        return slow()
    try:
        fast = Toktok(own.name, lambda text: slow().count(text))
        column = 1 + ("o200k_base", "cl100k_base").index(own.name)
        if all(fast.count(str(vector[0])) == vector[column] for vector in VECTORS):
            return fast
    except Exception:  # not installed, or of another make: it is optional
        pass
    return slow()
