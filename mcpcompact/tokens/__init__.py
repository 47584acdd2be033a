"""Exact, offline token counts for the public OpenAI encodings, and honest bounds for the others (docs/tokens.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from mcpcompact.errors import UsageError, meant
from mcpcompact.tokens.count import Counter, SampledCount, Tokenizer, counter, estimate_characters, sample
from mcpcompact.tokens.encodings import DEFAULT, NAMES, is_safe_cut, safe_cut, safe_cuts, well_formed

__all__ = [
    "Counter", "SampledCount", "TokenCount", "Tokenizer", "count", "count_blocks", "counter", "estimate_characters",
    "is_safe_cut", "resolve", "safe_cut", "safe_cuts", "sample", "together",
]  # fmt: skip

COMPACT_OVER = 2_000  # tokens from which a summary is suggested: the default threshold of `summarize`


def resolve(model: str | None = None, encoding: str | None = None, content_type: str | None = None) -> Tokenizer:
    """The tokenizer of a model, an encoding or neither (``o200k_base``).

    An explicit encoding wins; the model still gives the window. Models of providers that publish no tokenizer are
    counted with o200k_base and a factor by content type. Raises ``UsageError`` for an encoding that is not shipped.
    """
    if encoding is not None and encoding not in NAMES:
        raise UsageError(
            f"encoding {encoding!r} is not available", hint=f"{meant(encoding, NAMES)}use {' or '.join(NAMES)}"
        )
    if model is None:
        return Tokenizer(None, encoding or DEFAULT)
    from mcpcompact.tokens.models import tokenizer_of

    return tokenizer_of(model, encoding, content_type)


def high_counter(model: str | None, encoding: str | None = None) -> Callable[[str], int]:
    """What counts the tokens of a text: exact where the model's tokenizer is public, else the high end."""
    tokenizer = resolve(model, encoding)
    count = counter(tokenizer.encoding).count
    return lambda text: tokenizer.bounds(count(text))[1]


class TokenCount:
    """Tokens of a text, and their share of the model's window.

    ``tokens`` are those of ``encoding``, of a text of so many ``bytes`` and ``lines``; ``estimated_tokens`` is the rule
    of thumb of four characters a token, for comparison, and ``estimated`` says that nothing else was done. Where the
    tokenizer of ``model`` is not public (``exact`` is False), ``low`` and ``high`` bound its own count, and
    ``usage_percent`` (of ``context_limit``) and ``exceeds`` (``max_tokens``) take the high end; ``note`` says so.
    ``breakdown`` holds the counts by role, tool or message of a recorded session.
    """

    def __init__(
        self,
        tokens: int,
        characters: int,
        size: int,
        lines: int,
        tokenizer: Tokenizer,
        *,
        estimated: bool = False,
        max_tokens: int | None = None,
    ) -> None:
        self.tokens, self.bytes, self.lines = tokens, size, lines
        self.estimated_tokens = estimate_characters(characters)
        self.estimated = estimated
        self.model, self.encoding, self.note = tokenizer.model, tokenizer.encoding, tokenizer.note
        self.exact = tokenizer.exact and not estimated
        self.low, self.high = tokenizer.bounds(tokens)
        self.context_limit, self.max_tokens = tokenizer.context_limit, max_tokens
        self.breakdown: list[dict[str, Any]] = []

    def __repr__(self) -> str:
        return f"TokenCount(tokens={self.tokens}, encoding={self.encoding!r}, exact={self.exact})"

    @property
    def usage_percent(self) -> float | None:
        """Share of the model's window, None when the model or its window is not known."""
        return round(100 * self.high / self.context_limit, 2) if self.context_limit else None

    @property
    def limit(self) -> int | None:
        """The gate that was asked for, else the window."""
        return self.max_tokens if self.max_tokens is not None else self.context_limit

    @property
    def exceeds(self) -> bool:
        """Over ``limit``."""
        return self.limit is not None and self.high > self.limit

    @property
    def suggestions(self) -> list[str]:
        """What to do about so many tokens, a line each."""
        lines = []
        if self.exceeds and self.limit is not None:
            lines.append(f"over the limit by {self.high - self.limit:,} tokens")
        if self.high > COMPACT_OVER or self.exceeds:
            budget = min(1_000, self.limit or 1_000)
            lines.append(f"mcpcompact summarize --budget {budget} keeps what matters, and the original")
        return lines

    def figures(self) -> dict[str, Any]:
        """What is said of one input of several."""
        from mcpcompact.phrasing import keyed

        return keyed(self, "tokens", "estimated_tokens", "bytes", "lines") | {"exceedsLimit": self.exceeds}

    def as_dict(self) -> dict[str, Any]:
        """The JSON of ``mcpcompact count``."""
        from mcpcompact.phrasing import keyed

        report = keyed(self, "tokens", "estimated_tokens", "bytes", "lines", "model", "encoding", "exact")
        if self.low != self.tokens or self.high != self.tokens:
            report |= keyed(self, "low", "high")
        report |= keyed(self, "note") if self.note else {}
        window = keyed(self, "context_limit", "usage_percent") | {"exceedsLimit": self.exceeds}
        return report | window | keyed(self, "breakdown", "suggestions")


def together(
    counts: Sequence[TokenCount], tokenizer: Tokenizer, *, estimated: bool = False, max_tokens: int | None = None
) -> TokenCount:
    """The counts of several inputs as one."""
    tokens, size, lines = (sum(getattr(one, name) for one in counts) for name in ("tokens", "bytes", "lines"))
    total = TokenCount(tokens, 0, size, lines, tokenizer, estimated=estimated, max_tokens=max_tokens)
    total.estimated_tokens = sum(one.estimated_tokens for one in counts)
    return total


def count(
    result: str | bytes, *, model: str | None = None, encoding: str | None = None, max_tokens: int | None = None
) -> TokenCount:
    """Count the tokens of a text, exactly and offline. Bytes are UTF-8, invalid ones replaced by U+FFFD.

    ``model`` or ``encoding`` say whose tokens (else ``o200k_base``), ``max_tokens`` what ``exceeds`` compares with.

    Raises ``UsageError`` for an encoding that is not shipped, or a result that is neither text nor bytes.
    """
    if not isinstance(result, str | bytes | bytearray | memoryview):
        raise UsageError(f"cannot count a {type(result).__name__}", hint="give text or bytes")
    marked = not isinstance(result, str)
    data = bytes(result) if not isinstance(result, str) else well_formed(result).encode()
    return count_blocks((data,), resolve(model, encoding), max_tokens=max_tokens, marked=marked)


def count_blocks(
    blocks: Iterable[bytes],
    tokenizer: Tokenizer,
    *,
    estimate: bool = False,
    max_tokens: int | None = None,
    marked: bool = True,
) -> TokenCount:
    """Count a payload given in blocks, in one pass and bounded memory. ``estimate`` only applies the seeds' rule.

    A byte-order mark is no text, as everywhere; ``marked=False`` counts it.
    """
    seen = _Tally(blocks, marked)
    if estimate:
        for _ in seen.texts():
            pass
        tokens = estimate_characters(seen.characters)
    else:
        tokens = counter(tokenizer.encoding).count_stream(seen.texts())
    lines = seen.newlines + (1 if seen.size and not seen.ended else 0)
    return TokenCount(tokens, seen.characters, seen.size, lines, tokenizer, estimated=estimate, max_tokens=max_tokens)


class _Tally:
    """Decodes blocks and keeps their sizes as they pass."""

    def __init__(self, blocks: Iterable[bytes], marked: bool) -> None:
        self._blocks, self._marked = blocks, marked
        self.characters = self.newlines = self.size = 0
        self.ended = False

    def texts(self) -> Iterable[str]:
        import codecs

        blocks = filter(None, self._blocks)
        first = next(blocks, b"")
        wide = first[:2] in (b"\xff\xfe", b"\xfe\xff")
        decode = codecs.getincrementaldecoder("utf-16" if wide else "utf-8")("replace").decode
        self.size = len(first)
        yield self._seen(decode(first.removeprefix(b"\xef\xbb\xbf") if self._marked else first))
        for block in blocks:
            self.size += len(block)
            yield self._seen(decode(block))
        yield self._seen(decode(b"", True))

    def _seen(self, text: str) -> str:
        self.characters += len(text)
        self.newlines += text.count("\n")
        self.ended = text.endswith("\n") if text else self.ended
        return text
