"""Text: what no other type claims. Search output and listings have a shape of their own; the rest is prose and lines."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator

from mcpcompact.content import _listing, _search
from mcpcompact.content._oddlines import LOUD, LOUD_DATA, Odd, Tally, choose, loud_lines
from mcpcompact.outline import (
    MAX_ITEMS,
    ContentType,
    Fact,
    Hints,
    Item,
    Keep,
    Lossless,
    Outline,
    Sample,
    Source,
    Verdict,
    decode,
    split_lines,
)
from mcpcompact.patterns import regex

LONG_LINE = 2_000  # characters; a longer line becomes segments with character offsets
_SEGMENT = 400
_BLOB = regex(r"(?:data:[\w/+.;=-]{1,80},)?(?:[A-Za-z0-9+/_-]{400,}={0,2}|(?:[0-9a-fA-F]{2}[ :]?){200,})")
_SENTENCE = regex(r"[.!?…](?:[\"')\]]{0,2})(?=\s|$)|[。！？]")
_HEADING = regex(r"(?:#{1,6} |={3,}|-{3,}|\d+(?:\.\d+)*\.? [A-Z]|[A-Z][A-Z0-9 ,&/'-]{4,60}:?$)")
_PARAGRAPH_END = regex(r"\n[ \t\r]*\n\s*")


class Text:
    name = "text"
    extension = ".txt"

    def sniff(self, sample: Sample) -> Verdict:
        hits = _search.share(sample.lines)
        if hits >= 0.7:
            return Verdict(0.5 + 0.4 * hits, f"{hits:.0%} of the lines are search hits")
        listed = _listing.share(sample.lines)
        if listed >= 0.85:
            return Verdict(0.4 + 0.4 * listed, f"{listed:.0%} of the lines are paths")
        return Verdict(0.15, "no other type fits")

    def outline(self, source: Source, hints: Hints) -> Outline:
        if source.large:
            return _streamed(source)
        lines = split_lines(source.text)
        if _search.share(lines) >= 0.7:
            return _search.outline(lines)
        if _listing.share(lines) >= 0.85:
            return _listing.outline(lines)
        return _prose(source.text, lines)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Paragraphs, each with the blank lines behind it."""
        start = 0
        for match in _PARAGRAPH_END.finditer(text):
            yield start, match.end()
            start = match.end()
        if start < len(text):
            yield start, len(text)


def without_blobs(text: str) -> tuple[str, int, int]:
    """Base64, hex and data-URI runs replaced by kind, size and the start of their SHA-256; how many, how long."""
    count = size = 0

    def replaced(match: re.Match[str]) -> str:
        nonlocal count, size
        blob = match.group()
        if len(set(blob[:400])) < 12:  # a ruler or a run of one letter is no data
            return blob
        count, size = count + 1, size + len(blob)
        kind = "data URI" if blob.startswith("data:") else "hex" if re.fullmatch(r"[0-9a-fA-F :]+", blob) else "base64"
        return f"[{kind}, {len(blob):,} chars, sha256 {hashlib.sha256(blob.encode()).hexdigest()[:8]}]"

    return (_BLOB.sub(replaced, text) if len(text) >= 400 else text), count, size


def _prose(text: str, lines: list[str]) -> Outline:
    filled = [i for i, line in enumerate(lines) if line.strip()]
    paragraphs = sum(1 for i in filled if i == 0 or not lines[i - 1].strip())
    sentences = sum(1 for _ in _SENTENCE.finditer(text))
    words = len(text.split())
    blobs = blob_chars = 0
    items: list[Item] = []
    odd = _odd(text, lines, filled)
    counts = Counter(lines[i] for i in filled)
    seen: set[str] = set()
    headings: list[tuple[int, str]] = []
    for i in filled:
        line = lines[i]
        if counts[line] > 1 and len(line) > 20:
            if line in seen:
                continue  # said once, with its count
            seen.add(line)
        shown = line.rstrip()
        if len(line) >= 400:
            shown, n, size = without_blobs(shown)
            blobs, blob_chars = blobs + n, blob_chars + size
        if len(shown) > LONG_LINE:
            items += _segments(i + 1, shown)
            continue
        heading = bool(_HEADING.match(shown)) and any(c.isalpha() for c in shown)
        if heading:
            headings.append((i + 1, shown))
        one = odd.get(i)
        times = f" (×{counts[line]:,})" if line in seen else ""
        items.append(
            Item(
                i + 1,
                i + 1,
                f"{i + 1}: {shown.lstrip() if len(shown) - len(shown.lstrip()) > 8 else shown}{times}",
                keep=one.keep if one else Keep.NONE,
                reason=one.reason if one else "",
                template=one.template if one else "",
                weight=1.6 if heading else 1.0,
            )
        )
    facts = [Fact(f"Text: {len(lines):,} lines, {words:,} words, {paragraphs:,} paragraphs, {sentences:,} sentences.", 0)]
    longest = max((len(line) for line in lines), default=0)
    if longest > LONG_LINE:
        facts.append(Fact(f"Longest line {longest:,} characters; long lines are shown in pieces at line@character.", 1))
    if blobs:
        facts.append(Fact(f"{blobs:,} encoded blobs ({blob_chars:,} characters) are shown as kind, size and sha256.", 1))
    if 1 < len(headings) <= 400:
        some = " · ".join(f"{n} {h.strip('#=- :')[:60]}" for n, h in headings[:24] if h.strip("#=- :"))
        if some:
            facts.append(Fact(f"Headings: {some}", 2))
    repeated = sum(n - 1 for line, n in counts.items() if n > 1 and len(line) > 20)
    if repeated > len(filled) // 20:
        facts.append(Fact(f"{repeated:,} lines repeat an earlier one and are folded (×N).", 2))
    return Outline(
        content_type="text",
        unit="line",
        total=len(lines),
        headline=f"{len(lines):,} line{'s' if len(lines) != 1 else ''}, {words:,} words",
        facts=facts,
        items=_bounded(items),
        lossless=_lossless(text),
        more=["--lines A:B"] if longest <= LONG_LINE else ["--bytes A:B"],
        facts_share=0.15,
    )


def _segments(line: int, text: str) -> list[Item]:
    """A long line as pieces that end at a sentence or a space, each anchored at line@character."""
    items = []
    start = 0
    step = max(_SEGMENT, len(text) // 8_000)
    while start < len(text):
        end = min(len(text), start + step)
        if end < len(text):
            window = text[start:end]
            stops = [m.end() for m in _SENTENCE.finditer(window, step // 2)]
            cut = stops[-1] if stops else window.rfind(" ", step // 2) + 1
            end = start + cut if cut > 0 else end
        items.append(Item(line, line, f"{line}@{start}: {text[start:end].strip()}"))
        start = end
    return items


def _odd(text: str, lines: list[str], filled: list[int]) -> dict[int, Odd]:
    tally = Tally(literals_only=True)
    for i in filled[:50_000]:
        tally.add(i, lines[i])
    starts, at = [], 0
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    joined = "\n".join(lines)
    odd = loud_lines(joined, starts, [*LOUD, *LOUD_DATA], most=max(1, len(filled) // 200)) if len(filled) >= 20 else []
    return choose([*odd, *tally.odd(least=12)])


def _bounded(items: list[Item]) -> list[Item]:
    if len(items) <= MAX_ITEMS:
        return items
    step = len(items) / MAX_ITEMS
    even = {int(i * step) for i in range(MAX_ITEMS)}
    return [item for i, item in enumerate(items) if item.keep or i in even]


def _lossless(text: str) -> list[Lossless]:
    folded = fold_repeats(text)
    if len(folded) < len(text) * 0.9:
        return [Lossless("repeated lines folded", lambda: folded, len(folded))]
    return []


_FOLD = regex(r"(?m)^⟪×(\d+)⟫$")


def fold_repeats(text: str) -> str:
    """Runs of one line become the line and a line ``⟪×N⟫``; ``unfold_repeats`` gives the same text back."""
    if "⟪" in text:
        return text  # the mark must be ours alone
    out: list[str] = []
    lines = text.split("\n")
    i = 0
    while i < len(lines):
        j = i
        while j + 1 < len(lines) and lines[j + 1] == lines[i]:
            j += 1
        out.append(lines[i])
        if j - i >= 2:
            out.append(f"⟪×{j - i + 1}⟫")
        else:
            out += lines[i + 1 : j + 1]
        i = j + 1
    return "\n".join(out)


def unfold_repeats(text: str) -> str:
    """The decoder of ``fold_repeats``."""
    out: list[str] = []
    for line in text.split("\n"):
        mark = _FOLD.fullmatch(line)
        if mark and out:
            out += [out[-1]] * (int(mark[1]) - 1)
        else:
            out.append(line)
    return "\n".join(out)


def _streamed(source: Source) -> Outline:
    """More than fits: count every line, carry an even choice of lines with exact numbers."""
    total = words = 0
    items: list[Item] = []
    step = max(1, source.size // (100 * MAX_ITEMS))  # about one line in so many, at 100 bytes a line
    for block in source.blocks():
        n = block.count(b"\n") + (not block.endswith(b"\n"))
        words += len(block.split())
        lines = block.split(b"\n")
        for k in range(-total % step, n, step):
            if len(items) < MAX_ITEMS and lines[k].strip():
                items.append(Item(total + k + 1, total + k + 1, f"{total + k + 1}: {decode(lines[k][:LONG_LINE]).strip()}"))
        total += n
    return Outline(
        content_type="text",
        unit="line",
        total=total,
        headline=f"{total:,} lines, {words:,} words",
        facts=[Fact(f"Text: {total:,} lines, {words:,} words; one line in {step:,} was a candidate to be shown.", 0)],
        items=items,
        more=["--lines A:B"],
    )


TYPE: ContentType = Text()
