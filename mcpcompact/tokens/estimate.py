"""Estimates, always labelled as such: the seeds' rule, and sampling with a stated error."""

from __future__ import annotations

from codecs import utf_8_decode
from typing import TYPE_CHECKING, NamedTuple

from mcpcompact.tokens.count import Counter, counter
from mcpcompact.tokens.encodings import DEFAULT, safe_cut

if TYPE_CHECKING:
    from mcpcompact.source import Source


_CONTINUED = 0x80

SAMPLE_ABOVE = 4 * 1024 * 1024  # payloads of at most this many bytes are counted whole

STRATA = 256
PIECE = 2048
"""Bytes a piece. Many small pieces follow an uneven payload better than few large ones of the same total."""

CHECK_EVERY, ENOUGH, WORK = 16, 0.25, 160_000
"""After every so many pieces sampling stops when the standard error (percent) is low, or when the bytes that missed
the vocabulary (which are slow to count) are too many."""


def estimate_characters(characters: int) -> int:
    """The seeds' rule of thumb: a token every four characters, and 20 percent on top. Off by −55 % to +40 %."""
    return -(-characters * 3 // 10)


class SampledCount(NamedTuple):
    """``tokens`` and its 95 % confidence half-width in percent; 0.0 when everything was counted."""

    tokens: int
    error_percent: float


def sample(source: Source, encoding: str = DEFAULT) -> SampledCount:
    """Tokens of a payload, from evenly spaced pieces counted exactly; the same payload gives the same figure.

    One piece a stratum, the strata visited in bit-reversed order so that any prefix is spread evenly. A ratio
    estimator: tokens per byte of the pieces, times the size; its error by Cochran, Sampling Techniques, §6.4.
    """
    wide = _wide(source)
    if source.size <= SAMPLE_ABOVE:
        return SampledCount(counter(encoding).count(_text(source.read(0, source.size), wide)), 0.0)
    count = Counter(encoding)  # of its own: what sampling costs must not use up the budget of the shared one
    tokens: list[int] = []
    sizes: list[int] = []
    width = source.size // STRATA
    for turn in range(STRATA):
        stratum = int(f"{turn:08b}"[::-1], 2)
        offset = (turn * 0x9E3779B1 & 0xFFFFFFFF) * (width - PIECE) >> 32  # a low-discrepancy place in the stratum
        start = (stratum * width + offset) & ~1
        text, size = _trimmed(source.read(start, start + PIECE), wide)
        if size:
            tokens.append(count.count(text))
            sizes.append(size)
        if (turn + 1) % CHECK_EVERY == 0 and tokens:
            error = _standard_error(tokens, sizes)
            if error <= ENOUGH or count.work > WORK:
                break
    ratio = sum(tokens) / max(1, sum(sizes))
    return SampledCount(round(ratio * source.size), round(1.96 * _standard_error(tokens, sizes) + 0.05, 1))


def _standard_error(tokens: list[int], sizes: list[int]) -> float:
    """Of the ratio of the sums, in percent."""
    pieces, ratio = len(tokens), sum(tokens) / max(1, sum(sizes))
    if pieces <= 1 or not ratio:
        return 100.0
    squares = sum((t - ratio * s) ** 2 for t, s in zip(tokens, sizes, strict=True))
    deviation: float = (squares / (pieces * (pieces - 1))) ** 0.5
    return 100.0 * deviation / (sum(tokens) / pieces)


def _wide(source: Source) -> str:
    """The codec of a payload that is UTF-16 by its mark, else empty."""
    return {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}.get(source.read(0, 2), "")


def _text(data: bytes, wide: str) -> str:
    return data[2:].decode(wide, "replace") if wide else data.decode("utf-8", "replace")


def _trimmed(data: bytes, wide: str) -> tuple[str, int]:
    """A piece cut back to safe boundaries where it has them, and the bytes it then stands for."""
    if wide:
        return data.decode(wide, "replace"), len(data)
    # behind the rest of a character
    head = next((at for at in range(min(4, len(data))) if data[at] & 0xC0 != _CONTINUED), 0)
    text, used = utf_8_decode(data[head:], "replace", False)  # a character cut in two at the end is left out
    size = len(text)
    end = safe_cut(text, 3 * size // 4, size) or size
    start = safe_cut(text, 0, size // 4) or 0
    if "\ufffd" in text:  # binary, or text of another code: its bytes cannot be told from its characters
        return text, used
    return text[start:end], len(text[start:end].encode())
