"""What ``strings`` finds in a binary file: mostly runs of signs that mean nothing, and a few words among them."""

from __future__ import annotations

from collections.abc import Sequence

from mcpcompact.content.shared.lines import LOOKED_UP, blank_lines, outline_of
from mcpcompact.content.text.hits import sought
from mcpcompact.outline import Fact, Hints, Item, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

LEAST, WORDLESS, SIGNS = 40, 0.9, 0.3  # lines; shares of them without a word, and with signs that no word has
SHORT = 16  # characters of a run that means nothing
HEAD = 12  # lines in which a format names itself
NOISE = 0.02  # weight
_WORD = regex(r".{0,400}?[A-Za-z]{5}")
_SIGN = regex(r".{0,400}?[^\w\s.,:;/()'\"-]")
REQUEST = 4_000  # characters of the request, its end, in which words stand in quotes
_QUOTED = regex(r"([\"'`])([A-Za-z][\w.-]{2,40})[^\s\w\"'`]{0,40}\1")
_FORMATS = {"IHDR": "PNG picture", "JFIF": "JPEG picture", "GIF89a": "GIF picture", "%PDF": "PDF", "ELF": "ELF program"}


def is_printable(lines: Sequence[str]) -> bool:
    some = lines[: len(lines) // 2 + LEAST]
    short = [line for line in some if len(line) <= SHORT and not _WORD.match(line) and " " not in line.strip()]
    if len(lines) < LEAST or len(short) < WORDLESS * len(some) or not all(map(str.strip, some)):
        return False
    return sum(_SIGN.match(line) is not None for line in short) >= SIGNS * len(short)


def outline(lines: Sequence[str], hints: Hints) -> Outline:
    told = [n for n, line in enumerate(lines, 1) if _WORD.match(line)]
    head = next((name for name in _FORMATS if any(line.startswith(name) for line in lines[:HEAD])), "")
    kind = f" (a {_FORMATS[head]}, by its “{head}”)" if head else ""
    said = f"{counted(len(lines), 'line')} of printable runs, as of a binary file{kind}; "
    said += f"{len(told):,} of them with a word of five letters" if told else "no word of five letters in any"
    wanted = sought(hints.arguments)
    missing = [each for each, count in wanted.counts(list(lines)) if not count]
    low = "\n".join(lines).lower()
    quoted = dict.fromkeys(found[2] for found in _QUOTED.finditer((hints.focus or "")[-REQUEST:]))
    missing += [word for word in quoted if word.lower() not in low and word not in missing]
    facts = [Fact(f"{said}.", 0), *[Fact(f"Not in any line: {', '.join(missing)}", 0)] * bool(missing)]
    worth = {*told, len(lines)}  # formats end with a name, too
    numbered = ((n, line) for n, line in enumerate(lines, 1) if line.strip())
    items = [Item(n, n, f"{n} {line}", weight=1.0 if n in worth else NOISE) for n, line in numbered]
    headline = counted(len(lines), "line")
    return outline_of(lines, headline, facts, items, more=LOOKED_UP, blank=blank_lines(lines))
