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
def encoding(name: str, ascii_only: bool = False) -> tiktoken.Encoding:
    """tiktoken over the shipped table, or over its tokens in ASCII: nothing is downloaded. 0.3 s the first time, 0.2 s
    for ASCII, whose text no other token can occur in."""
    import tiktoken

    ranks = vocabulary(name).ranks(ascii_only=ascii_only)
    return tiktoken.Encoding(name, pat_str=TIKTOKEN_PATTERNS[name], mergeable_ranks=ranks, special_tokens={})


class Tiktoken:
    """tiktoken, fed windows cut at safe boundaries; a stretch without one goes to the ``own`` counter, and so do
    stretches that are not ASCII: only much work on them is worth loading all tokens."""

    name = "tiktoken"

    def __init__(self, own: Counter) -> None:
        self._name, self._own = own.name, own
        self._whole, self._left = False, STRANGE
        self.counted = 0  # characters so far

    def count(self, text: str) -> int:
        self.counted += len(text)
        if text.isascii():
            return self._windows(text)
        total = at = 0
        if not self._whole and len(text.encode()) - len(text) <= STRANGE:
            for run in self._runs(text):
                before = self._own.work
                total, at = total + self._windows(run), at + len(run)
                self._left -= self._own.work - before
                if self._left < 0:
                    break
            else:
                return total
        self._whole = True
        return total + self._windows(text[at:])

    def _runs(self, text: str) -> Iterator[str]:
        """The text in parts that are ASCII, and others."""
        parts = enumerate(text[start:end] for start, end in safe_cuts(text, PART))
        for _, run in groupby(parts, lambda part: (part[1].isascii(), part[0] // PARTS)):
            yield "".join(part for _, part in run)

    def counts(self, texts: list[str]) -> list[int]:
        return [*map(self.count, texts)]

    def _windows(self, text: str) -> int:
        if len(text) <= WINDOW:
            return self._window(text)
        spans = list(safe_cuts(text, WINDOW))
        if len(spans) < _FEW:
            return sum(self._window(text[start:end]) for start, end in spans)
        from concurrent.futures import ThreadPoolExecutor

        self._loaded()  # once, not in each thread
        with ThreadPoolExecutor(2) as pool:  # the GIL is released while it encodes
            return sum(pool.map(lambda span: self._window(text[span[0] : span[1]]), spans))

    def _window(self, text: str) -> int:
        if len(text) > WINDOW or not (self._whole or text.isascii()):
            return self._own.stretch(text, self._merged)
        return len(self._loaded().encode_ordinary(text))

    def _merged(self, piece: bytes) -> int:
        return len(self._loaded(piece.isascii())._encode_single_piece(piece))

    def _loaded(self, plain: bool = True) -> tiktoken.Encoding:
        return encoding(self._name, plain and not self._whole)


class Toktok:
    """toktok-rs, which counts without making ids; what it may classify otherwise than tiktoken goes to ``other``."""

    name, counted = "toktok", 0

    def __init__(self, encoding_name: str, other: Callable[[str], int]) -> None:
        import toktok

        self._count, self._encoding, self._other = toktok.batch_count, encoding_name, other

    def count(self, text: str) -> int:
        if _newer(text):
            return self._other(text)
        texts = [text[start:end] for start, end in safe_cuts(text, 16 * WINDOW)]
        return sum(self._count(texts, self._encoding, threads=1 if len(texts) < _FEW else 2))

    def counts(self, texts: list[str]) -> list[int]:
        found: list[int] = self._count(texts, self._encoding, threads=1 if len(texts) < _FEW_PIECES else 2)
        for at, text in enumerate(texts):
            if _newer(text):
                found[at] = self._other(text)
        return found


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
