"""Masking a stream of bytes: hits of literals, patterns at the hits, placeholders in their place.

What is masked depends on nothing but the bytes around a hit (at most ``BEHIND`` before it, ``AHEAD`` behind it), so
blocks are cut anywhere and the result is that of the whole. Every hit is tried for itself, never the rest of an
earlier match; spans that overlap are cut where the earlier one ends.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import chain

from mcpcompact.charset import recoded, unlike_ascii
from mcpcompact.deadline import REGEX_SECONDS, deadline
from mcpcompact.errors import MaskError, McpcompactError, UsageError
from mcpcompact.masking.assignments import assigned
from mcpcompact.masking.blocks import PEM, kubernetes, private_key
from mcpcompact.masking.columns import Columns
from mcpcompact.masking.encoded import in_base64, respelt, runs_of
from mcpcompact.masking.names import NAMES
from mcpcompact.masking.places import fields
from mcpcompact.masking.rules import BEHIND, DOTTED, EMAIL, WINDOW, Rule, built_in
from mcpcompact.masking.spans import Span, bits, looks_random
from mcpcompact.patterns import regex

STEP = 1024 * 1024  # bytes that are masked at a time: bounded memory, and few enough edges
HEAD = 4 * 1024  # bytes that tell UTF-16 without its mark
AHEAD = 64 * 1024  # bytes behind a hit that decide about it: the longest private key in PEM

CONTEXT = 16 * 1024
"""Bytes before the part in hand that are kept to look at: a span begins at most half of that from its hit."""

BEFORE, NEAR, FAR = 1_024, 1_600, 5_000
"""Bytes before a hit, behind that of a name, and of a place, that decide about it; longer spans are looked at anew."""

SHORTEST = 4  # bytes beside a placeholder that may be a secret of their own

_LETTERS = bytes(c if bytes((c,)).isalpha() else 32 for c in range(256))
_MARKS = b"$\\/*{}@~+%_-:"  # marks of literals that a part may not have at all: told by one quick look each

_PLACEHOLDER = regex(rb"\[secret:[a-z0-9-]{1,40}:[0-9a-f]{4}\]")
_ESCAPE = regex(rb"\\(?:u([0-9a-fA-F]{4})|(.))")
_LAYOUT = regex(rb"\\[nrt]|\s+")


class Masker:
    """Replaces the secrets of a stream by ``[secret:KIND:xxxx]``; equal secrets get equal placeholders.

    ``xxxx`` are the first 4 hex digits of an HMAC-SHA256 of the secret under ``key``: who has not the key cannot
    test a guess. ``rules`` are added to the built-in ones; ``email`` masks e-mail addresses, too.
    ``encoding`` is that of the streams where the user named it; where ASCII does not stand in it, UTF-8 comes out.
    ``counts`` says how many of each kind were masked so far, ``note`` what a user should know of the key.
    """

    def __init__(self, key: bytes, rules: Iterable[Rule] = (), *, email: bool = False, note: str = "") -> None:
        self._key, self._rules, self._email = key, tuple(rules), email
        self.counts: dict[str, int] = {}
        self.note = note
        self.encoding: str | None = None
        self._gates: dict[bytes, tuple[bytes, bool | None, list[Rule]]] = {}
        for rule in (*built_in(), *([EMAIL] if email else ())):
            for literal in rule.literals:
                self._gates.setdefault(literal, (*_gate(rule, literal), []))[2].append(rule)
        self._order = {rule.name: number for number, rule in enumerate((*self._rules, *built_in()))}

    def __repr__(self) -> str:
        """Tells maskers apart that mask differently, without the key."""
        names = [(rule.name, rule.literals, rule.pattern.pattern, rule.entropy) for rule in self._rules]
        return f"Masker({hashlib.sha256(b'id' + self._key).hexdigest()[:8]}, {names!r}, email={self._email})"

    def __reduce__(self) -> tuple[object, ...]:  # to a worker, without the counts
        return partial(Masker, email=self._email), (self._key, self._rules), {"encoding": self.encoding}

    # ---- what callers use

    def text(self, text: str) -> str:
        """``text`` with its secrets masked."""
        data = text.encode("utf-8", "surrogatepass")
        return b"".join(self._checked((data,), STEP)).decode("utf-8", "surrogatepass")

    def data(self, data: bytes) -> bytes:
        """``data`` with its secrets masked. UTF-16 and UTF-32 come back as UTF-8."""
        return b"".join(self.blocks((data,)))

    def blocks(self, blocks: Iterable[bytes], step: int = STEP) -> Iterator[bytes]:
        """The masked stream, in blocks of about ``step`` bytes, however the input is cut.

        Raises ``MaskError`` when anything goes wrong; what was given out before is masked.
        """
        return self._checked(_utf8(blocks, self.encoding), step)

    def _checked(self, blocks: Iterable[bytes], step: int) -> Iterator[bytes]:
        hint = "nothing was stored or printed unmasked"
        try:
            yield from self._blocks(blocks, step)
        except UsageError as error:  # of a rule
            raise MaskError(str(error), hint=hint) from error
        except McpcompactError:  # of the input
            raise
        except Exception as error:
            raise MaskError(f"masking failed ({type(error).__name__}: {error})", hint=hint) from error

    def placeholder(self, kind: str, secret: bytes) -> bytes:
        """``[secret:KIND:xxxx]``, the same for a secret however JSON writes it."""
        if b"\\" in secret:
            secret = _ESCAPE.sub(_unescape, secret)
        if kind == PEM:
            secret = _LAYOUT.sub(b"", secret)
        digest = hmac.digest(self._key, secret, "sha256").hex()
        return b"[secret:%s:%s]" % (kind.encode(), digest[:4].encode())

    # ---- the stream

    def _blocks(self, blocks: Iterable[bytes], step: int) -> Iterator[bytes]:
        held: list[bytes] = []
        size = 0
        stream = _Stream()
        for block in (whole[at : at + step] for whole in blocks for at in range(0, len(whole), step)):
            held.append(block)
            size += len(block)
            if size < stream.at + step + AHEAD + CONTEXT:
                continue
            data = b"".join(held)
            limit = len(data) - AHEAD
            yield self._part(data, stream, limit, limit - CONTEXT // 2)
            data = stream.cut(data)
            held, size = [data], len(data)
        if out := self._part(data := b"".join(held), stream, len(data), len(data)):
            yield out

    def _part(self, data: bytes, stream: _Stream, limit: int, end: int) -> bytes:
        """The output up to ``end``, as far as spans have been looked for."""
        out: list[bytes] = []
        at, later = stream.at, []
        for span in self._sorted(data, stream, limit):
            if span.start >= end:
                later.append(span)
            elif span.end > at and span.start >= stream.taken:
                start = max(span.start, at)
                out += (data[at:start], span.quote, self.placeholder(span.kind, data[start : span.end]), span.quote)
                self.counts[span.kind] = self.counts.get(span.kind, 0) + 1
                at = span.end
        if at < end:
            out.append(data[at:end])
            at = end
        stream.at, stream.taken, stream.later = at, end, later
        return b"".join(out)

    def _sorted(self, data: bytes, stream: _Stream, limit: int) -> list[Span]:
        """The spans in their order; of those that begin together the surest kind first, then the longest."""
        order = self._order
        first = max(0, stream.taken - CONTEXT // 2)
        pieces = (piece for span in self._spans(data, first, limit, stream) for piece in _unmasked(data, span))
        spans = {*stream.later, *pieces}
        return sorted(spans, key=lambda span: (span.start, order.get(span.kind, 10_000), -span.end, span[2:]))

    def _spans(self, data: bytes, first: int, limit: int, stream: _Stream | None) -> Iterator[Span]:
        """All spans whose hit lies at ``first`` to ``limit``. ``stream`` is None for text that was decoded."""
        words = _words(data)
        vocabulary = b" ".join(words)
        absent = {mark for mark in _MARKS if mark not in data}
        for literal, rules in self._worded(words, vocabulary, absent):
            yield from _each(data, _hits(data, literal, first, limit), WINDOW, partial(_tried, rules, data))
        if runs := runs_of(data):
            yield from _dotted(data, first, limit)
        yield from self._of_rules(data, first, limit)
        for hit in _hits(data, b"-----BEGIN", first, limit):
            yield from private_key(data, hit, min(len(data), hit + AHEAD))
        low, vocabulary = data.lower(), vocabulary.lower()
        hits = {word: [*_hits(low, word, first, limit)] for word in NAMES if word in vocabulary}
        for word, places in hits.items():
            yield from _each(data, places, NEAR, partial(_assigned, NAMES[word], data, low))
        for mark, look in fields().items():
            if absent.isdisjoint(mark) and all(part in vocabulary for part in mark.translate(_LETTERS).split()):
                yield from _each(data, _hits(low, mark, first, limit), FAR, partial(look, data))
        if b"Secret" in data:
            for hit in _hits(low, b"data", first, limit):
                yield from kubernetes(data, hit if low[max(0, hit - 6) : hit] != b"string" else hit - 6)
        if stream is not None:
            yield from stream.columns.spans(data, low, stream.base, limit, hits)
            yield from respelt(data, first, limit, self._decoded)
            yield from in_base64(data, runs, first, limit, self._decoded)

    def _decoded(self, data: bytes, deeper: bool) -> Iterator[Span]:
        """What is found in text that was decoded; ``deeper``: there base64 is decoded, too."""
        yield from self._spans(data, 0, len(data), None)
        if deeper:
            yield from in_base64(data, runs_of(data), 0, len(data), self._decoded)

    def _of_rules(self, data: bytes, first: int, limit: int) -> Iterator[Span]:
        """What the rules of the configuration find. They may backtrack without end, so they have so much time."""
        for rule in self._rules:
            with deadline(REGEX_SECONDS, f"the pattern of masking.rules '{rule.name}'"):
                spans = list(_of_rule(rule, data, first, limit))
            yield from spans

    def _worded(self, words: set[bytes], vocabulary: bytes, absent: set[int]) -> Iterator[tuple[bytes, list[Rule]]]:
        """The literals that may stand in a text of these words without the marks ``absent``: a few of two hundred."""
        starts = {word[:3] for word in words}
        starts |= {start[:2] for start in starts}
        for literal, (word, whole, rules) in self._gates.items():
            if whole:
                worded = word in words
            elif whole is None:
                worded = word[:3] in starts
            else:
                worded = word in vocabulary
            if worded and absent.isdisjoint(literal):
                yield literal, rules


class _Stream:
    """Where a stream is: of the buffer in hand, what is given out (``at``) and dealt with (``taken``)."""

    def __init__(self) -> None:
        self.base = self.at = self.taken = 0
        self.later: list[Span] = []  # spans found that begin behind ``taken``
        self.columns = Columns()

    def cut(self, data: bytes) -> bytes:
        """What of the buffer is still to be looked at."""
        cut = max(0, min(self.at, self.taken) - CONTEXT)
        self.base, self.at, self.taken = self.base + cut, self.at - cut, self.taken - cut
        self.later = [span._replace(start=span.start - cut, end=span.end - cut) for span in self.later]
        return data[cut:]


def _unmasked(data: bytes, span: Span) -> Iterator[Span]:
    """What of a span is no placeholder of an earlier masking: masking twice changes nothing."""
    start = span.start
    at = data.find(b"[secret:", max(0, start - 64), span.end)
    while at >= 0:
        placeholder = _PLACEHOLDER.match(data, at)
        if placeholder and placeholder.end() > start:
            if at - start >= SHORTEST:
                yield span._replace(start=start, end=at)
            start = placeholder.end()
        at = data.find(b"[secret:", at + 1, span.end)
    if start == span.start:
        yield span
    elif span.end - start >= SHORTEST:
        yield span._replace(start=start)


def _within(data: bytes, hit: int) -> bool:
    """Whether a name is the kind in a placeholder."""
    at = data.rfind(b"[secret:", max(0, hit - 64), hit + 7)
    placeholder = _PLACEHOLDER.match(data, at) if at >= 0 else None
    return placeholder is not None and placeholder.end() > hit


def _words(data: bytes) -> set[bytes]:
    """The words of letters; where they may begin with the end of an escape (``nAKIA``), also what is behind it."""
    words = set(data.translate(_LETTERS).split())
    if b"\\" in data or b"%" in data or b"\x1b" in data:
        words |= {word[1:] for word in words}
        words |= {word[1:] for word in words}
    return words


def _gate(rule: Rule, literal: bytes) -> tuple[bytes, bool | None]:
    """Letters that every text with a match of ``rule`` at ``literal`` has: a word, its beginning (None), or within one.

    Where a match begins at the edge of a word, so does its literal. A rule that looks around makes no such promise.
    """
    known = literal.translate(_LETTERS).split()
    if rule.inside or not known or not literal.startswith(known[0]):
        return max(known, key=len, default=b""), False
    return known[0], None if known[0] == literal else True


def _hits(data: bytes, literal: bytes, first: int, limit: int) -> Iterator[int]:
    hit = data.find(literal, first)
    while 0 <= hit < limit:
        yield hit
        hit = data.find(literal, hit + 1)


def _each(data: bytes, hits: Iterable[int], ahead: int, look: Callable[[int], Iterable[Span]]) -> Iterator[Span]:
    """What is found at each hit. Where all that is looked at around a hit is as it was at the one before, so is what
    was found: text that repeats itself is not judged anew."""
    around, last = b"", 0
    spans: list[Span] = []
    for hit in hits:
        here = data[hit - BEFORE : hit + ahead] if hit >= BEFORE else b""
        if here and here == around:
            yield from (Span(s.start + hit - last, s.end + hit - last, s.kind, s.quote) for s in spans)
            continue
        spans = list(look(hit))
        around, last = (b"" if any(span.end >= hit + ahead for span in spans) else here), hit
        yield from spans


def _assigned(name: re.Pattern[bytes], data: bytes, low: bytes, hit: int) -> Iterator[Span]:
    if (match := name.match(low, hit)) and (span := assigned(data, match)) and not _within(data, hit):
        yield span


def _tried(rules: list[Rule], data: bytes, hit: int) -> Iterator[Span]:
    for rule in rules:
        end = hit + WINDOW
        match = _around(rule.pattern, data, hit, end) if rule.inside else rule.pattern.match(data, hit, end)
        if span := _span(rule, match, data):
            yield span


def _around(pattern: re.Pattern[bytes], data: bytes, hit: int, end: int) -> re.Match[bytes] | None:
    """The first match that begins at most ``BEHIND`` before ``hit`` and ends behind it."""
    at = max(0, hit - BEHIND)
    while at <= hit:
        head = _leading(pattern.pattern, hit - at).match(data, at, end)
        if head is None:
            return None
        match = pattern.match(data, head.start("match"), end)
        if match is None or match.end() > hit:
            return match
        at = max(match.end(), at + 1)
    return None


@lru_cache(4_096)
def _leading(source: bytes, most: int) -> re.Pattern[bytes]:
    return regex(b"(?s:.{0,%d}?)(?P<match>" % most + source + b")")


def _of_rule(rule: Rule, data: bytes, first: int, limit: int) -> Iterator[Span]:
    for literal in rule.literals:
        for hit in _hits(data, literal, first, limit):
            yield from _tried([rule], data, hit)
    for match in () if rule.literals else _overlapping(rule.pattern, data, first, limit):
        start = match.start()
        if span := _span(rule, rule.pattern.match(data, start, start + WINDOW), data):
            yield span


def _overlapping(pattern: re.Pattern[bytes], data: bytes, first: int, limit: int) -> Iterator[re.Match[bytes]]:
    """What a pattern finds, each looked for from the byte behind the first one of the last."""
    match = pattern.search(data, first)
    while match and match.start() < limit:
        yield match
        match = pattern.search(data, match.start() + 1)


def _dotted(data: bytes, first: int, limit: int) -> Iterator[Span]:
    """Formats that have no literal but dots: a short pattern finds the dots, a longer one looks back from there."""
    for rule, dots in DOTTED:
        for dot in _overlapping(dots, data, first, limit):
            start = max(0, dot.start() - 32)
            match = next((m for m in rule.pattern.finditer(data, start, dot.end() + 1) if m.end() == dot.end()), None)
            if span := _span(rule, match, data):
                yield span


def _span(rule: Rule, match: re.Match[bytes] | None, data: bytes) -> Span | None:
    if match is None:
        return None
    start, end = match.span(1 if rule.pattern.groups and match.start(1) >= 0 else 0)
    secret = data[start:end]
    if start == end or (rule.entropy and bits(secret) < rule.entropy) or (rule.mixed and not looks_random(secret)):
        return None
    return Span(start, end, rule.name)


def _unescape(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return chr(int(match[1], 16)).encode("utf-8", "surrogatepass")
    return {b"n": b"\n", b"r": b"\r", b"t": b"\t"}.get(match[2], match[2])


def _utf8(blocks: Iterable[bytes], encoding: str | None) -> Iterator[bytes]:
    """The blocks; where ASCII does not stand in them as it is (UTF-16, EBCDIC), as UTF-8: patterns of bytes would not
    see through it."""
    stream = iter(blocks)
    head = b""
    while len(head) < HEAD and (block := next(stream, None)) is not None:
        head += block
    name = unlike_ascii(head[:HEAD], encoding)
    chunks = chain((head,), stream)
    yield from recoded(chunks, name) if name else chunks
