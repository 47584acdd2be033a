"""What is said in short: encoded and binary runs by kind, size and the start of their SHA-256, JSON, repeated lines;
what ``strings`` finds in a binary file: mostly runs of signs that mean nothing, and a few words among them."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import compress, count, islice
from operator import eq

from mcpcompact.content.shared.lines import LOOKED_UP, blank_lines, outline_of
from mcpcompact.content.text.hits import sought
from mcpcompact.outline import Fact, Hints, Item, Outline
from mcpcompact.patterns import matching, regex
from mcpcompact.phrasing import counted

_ALPHABET = 12  # different characters of data; fewer are a ruler
_WIDTH_MOST = 200
_WIDTH_LEAST = 56  # characters of a line of base64
_HEX_ALPHABET = 16
_SHORT = 32  # characters that tell no binary

RUN_LEAST = 400
"""Characters from which a run of base64 or hex is data and not a name."""

# Every alternative can begin at the start of its run only and gives nothing back: linear on any line.
_BLOB = regex(
    r"data:[\w/+.;=-]{1,80},[A-Za-z0-9+/_-]{200,}+={0,2}"
    r"|(?<![0-9a-fA-F])(?<![0-9a-fA-F][ :])(?:[0-9a-fA-F]{2}[ :]?+){200,}+"
    r"|(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/]{56,} ){4,}[A-Za-z0-9+/]*={0,2}"  # its lines joined by blanks
    r"|(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{400,}+={0,2}"
)
_HEX = regex(r"[0-9a-fA-F :]+")
_BASE64_LINE = regex(r"\s*[A-Za-z0-9+/]{56,}={0,2}\s*")
_NO_TEXT = regex(r"[\ufffd\x00-\x07\n-\f\x0e-\x1a\x1c-\x1f]")  # but \b, by which a spinner takes its signs back
_PAIRS_LINE = regex(r"\s*[0-9a-fA-F]{2}(?:[: ][0-9a-fA-F]{2}){0,64}:?\s*")  # of a key, of a signature
_LINES_LEAST = 4
_REPEATS = 3  # lines a run of one must have to be worth a mark
_DATA, _DATA_LONG = 12, 400  # lines of a block of JSON that stands whole; its characters
_CLOSES = regex(r"\s*\}", holds="}")
_OPENS = regex(r"\s*(?:\"[^\"]{1,80}\": )?\{\s*$", holds="{")
PRINTED_LEAST, WORDLESS, SIGNS = 40, 0.9, 0.3  # lines; shares of them without a word, and with signs that no word has
PRINTED_SHORT = 16  # characters of a run that means nothing
PRINTED_HEAD = 12  # lines in which a format names itself
NOISE = 0.02  # weight
_WORD = regex(r".{0,400}?[A-Za-z]{5}")
_SIGN = regex(r".{0,400}?[^\w\s.,:;/()'\"-]")
REQUEST = 4_000  # characters of the request, its end, in which words stand in quotes
_QUOTED = regex(r"([\"'`])([A-Za-z][\w.-]{2,40})[^\s\w\"'`]{0,40}\1")
_FORMATS = {"IHDR": "PNG picture", "JFIF": "JPEG picture", "GIF89a": "GIF picture", "%PDF": "PDF", "ELF": "ELF program"}


def said(kind: str, data: str) -> str:
    """``[base64, 4,096 chars, sha256 1f2e3d4c]``."""
    import hashlib

    digest = hashlib.sha256(data.encode("utf-8", "surrogatepass")).hexdigest()
    return f"[{kind}, {len(data):,} chars, sha256 {digest[:8]}]"


def without_blobs(text: str) -> tuple[str, int, int]:
    """``text`` with its base64, hex and data-URI runs replaced; how many there were, and their characters."""
    sizes: list[int] = []
    if len(text) < RUN_LEAST:
        return text, 0, 0

    def replaced(match) -> str:  # type: ignore[no-untyped-def]
        blob = match.group()
        if len(set(blob[:400])) < _ALPHABET:  # a ruler or a run of one letter is no data
            return str(blob)
        sizes.append(len(blob))
        return said("data URI" if blob.startswith("data:") else "hex" if _HEX.fullmatch(blob) else "base64", blob)

    return _BLOB.sub(replaced, text), len(sizes), sum(sizes)


def is_binary(line: str) -> bool:
    """Whether a third of the line is no text: undecodable bytes and control characters."""
    head = line[:4_000]
    if len(head) < _SHORT or (head.isascii() and head.isprintable()):
        return False
    return len(_NO_TEXT.findall(head)) * 3 > len(head)


def blob_lines(lines: Sequence[str]) -> dict[int, tuple[int, str]]:
    """Runs of lines that are one blob: index of the first -> index behind the last, and what to say instead."""
    runs: dict[int, tuple[int, str]] = {}
    behind = 0
    for i in compress(count(), map(_SHORT.__le__, map(len, lines))):  # a shorter one begins no run
        if i < behind:
            continue
        behind, kind = _binary(lines, i) if is_binary(lines[i]) else _encoded(lines, i)
        if kind:
            data = "".join(map(str.strip, lines[i:behind])) if kind != "binary" else "\n".join(lines[i:behind])
            runs[i] = (behind, said(kind, data))
    return runs


def _encoded(lines: Sequence[str], i: int) -> tuple[int, str]:
    """Where base64 or hex that begins in a line ends, and which it is, else ""."""
    line, j = lines[i], i + 1
    if len(line) > _WIDTH_MOST:
        return j, ""
    if _PAIRS_LINE.fullmatch(line):
        while j < len(lines) and _PAIRS_LINE.fullmatch(lines[j]):
            j += 1
        return j, "hex" if j - i >= _LINES_LEAST else ""
    if len(line) < _WIDTH_LEAST or not _BASE64_LINE.fullmatch(line):
        return j, ""
    while j < len(lines) and len(lines[j]) == len(line) and _BASE64_LINE.fullmatch(lines[j]):
        j += 1
    if j - i < _LINES_LEAST or len(set(line)) < _HEX_ALPHABET:
        return j, ""
    j += j < len(lines) and len(lines[j]) < len(line) and lines[j].endswith("=")
    return j, "hex" if _HEX.fullmatch("".join(lines[i:j])) else "base64"


def _binary(lines: Sequence[str], i: int) -> tuple[int, str]:
    """Where a run of binary lines ends, with short ones between them."""
    j = k = i + 1
    while k < len(lines) and ((binary := is_binary(lines[k])) or len(lines[k]) < _SHORT):
        k += 1
        j = k if binary else j
    return j, "binary"


def data_blocks(lines: Sequence[str]) -> dict[int, tuple[int, str]]:
    """Short blocks of JSON among other output: index of the first line -> index behind the last, and all of it in one
    line: a name without its value, or the other way round, says little."""
    blocks: dict[int, tuple[int, str]] = {}
    behind, closers = 0, matching(_CLOSES, lines)
    for i in matching(_OPENS, lines) if closers else ():
        closing = f"{lines[i][: len(lines[i]) - len(lines[i].lstrip())]}}}"
        near = closers[bisect_right(closers, i) : bisect_left(closers, i + _DATA)] if i >= behind else ()
        if not (end := next((n for n in near if lines[n].startswith(closing)), 0)):
            continue
        whole = " ".join(map(str.strip, lines[i : end + 1])).rstrip(",")
        if len(whole) <= _DATA_LONG and _is_json(whole if whole[0] == "{" else f"{{{whole}}}"):
            behind = end + 1
            blocks[i] = (behind, whole)
    return blocks


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def fold_repeats(text: str) -> str:
    """Runs of one line become the line and ``⟪×N⟫``; a line that begins with the mark's sign gets it twice."""
    lines = text.split("\n")
    last = lines.pop()  # behind the last line feed: no line where it is empty, and not one of a run
    same = bytes(map(eq, lines, islice(lines, 1, None))) + b"\0"  # 1 where the next line is the same
    if b"\1" * (_REPEATS - 1) not in same and "⟪" not in text:
        return text
    shown = ["⟪" + line if line[:1] == "⟪" else line for line in [*lines, last]] if "⟪" in text else [*lines, last]
    out, at = list[str](), 0
    while (run := same.find(b"\1" * (_REPEATS - 1), at)) >= 0:
        end = same.find(b"\0", run)
        out += [*shown[at : run + 1], f"⟪×{end - run + 1}⟫"]
        at = end + 1
    return "\n".join([*out, *shown[at:]])


def is_printable(lines: Sequence[str]) -> bool:
    some = lines[: len(lines) // 2 + PRINTED_LEAST]
    short = [line for line in some if len(line) <= PRINTED_SHORT and not _WORD.match(line) and " " not in line.strip()]
    if len(lines) < PRINTED_LEAST or len(short) < WORDLESS * len(some) or not all(map(str.strip, some)):
        return False
    return sum(_SIGN.match(line) is not None for line in short) >= SIGNS * len(short)


def printable(lines: Sequence[str], hints: Hints) -> Outline:
    worded = [n for n, line in enumerate(lines, 1) if _WORD.match(line)]
    head = next((name for name in _FORMATS if any(line.startswith(name) for line in lines[:PRINTED_HEAD])), "")
    kind = f" (a {_FORMATS[head]}, by its “{head}”)" if head else ""
    sentence = f"{counted(len(lines), 'line')} of printable runs, as of a binary file{kind}; "
    sentence += f"{len(worded):,} of them with a word of five letters" if worded else "no word of five letters in any"
    missing = [each for each, count in sought(hints.arguments).counts(list(lines)) if not count]
    low = "\n".join(lines).lower()
    quoted = dict.fromkeys(match[2] for match in _QUOTED.finditer((hints.focus or "")[-REQUEST:]))
    missing += [word for word in quoted if word.lower() not in low and word not in missing]
    facts = [Fact(f"{sentence}.", 0), *[Fact(f"Not in any line: {', '.join(missing)}", 0)] * bool(missing)]
    worth = {*worded, len(lines)}  # formats end with a name, too
    numbered = ((n, line) for n, line in enumerate(lines, 1) if line.strip())
    items = [Item(n, n, f"{n} {line}", weight=1.0 if n in worth else NOISE) for n, line in numbered]
    return outline_of(lines, counted(len(lines), "line"), facts, items, more=LOOKED_UP, blank=blank_lines(lines))
