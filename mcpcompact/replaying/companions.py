"""Figures beside the main ones: error lines that survive, claims of absence that are false, repetitions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mcpcompact.patterns import regex
from mcpcompact.replaying.figures import Row
from mcpcompact.replaying.session import Session
from mcpcompact.transcripts.model import Message

_SHARE = 0.7  # of the lines

SEVERE = ("error", "exception", "traceback", "fatal", "failed", "failure", "panic", "denied")
"""A line that holds one of these (in any case) is an error line."""

SPEAKING = ("code", "diff", "markup")
"""Content types whose lines speak of errors without telling of one: ``except ValueError``, "## Errors and retries"."""

LINE = 200  # characters of an error line that must survive, from the word's surroundings on; all of a shorter line
MIN = 12  # characters from which a line counts as repeated: shorter ones (braces, blanks) always come again
MAX_ERRORS = 2_000  # error lines of one result that are followed

_HEADER = regex(r"\A(?:[^\n]*\n){0,8}?Output:\n")
_VARIABLE = regex(r"\b(?=[0-9a-fA-F-]*\d)[0-9a-fA-F-]{6,}\b|\d+")

_NOUNS = (
    "matches|match|results?|errors?|failures?|warnings?|exceptions?|commits?|files?|records?|rows?|lines?|items?|"
    "entries|events?|issues?|tests?|changes|differences|hits|pods?|users?|messages?|sequences?|objects?|functions?|classes"
)
_NONE = regex(rf"\b(?:no|zero|0)[ \t]+(?:\w+[ \t]+)?({_NOUNS})\b(?!\s*[=:/(])", 2)
_ZERO = regex(rf"\b(?:total\s+|number of\s+)?({_NOUNS})(?:\s+found)?\s*[:=]\s*(?:0|none)\b(?![.,]?\d)", 2)
_ABSENT = regex(r"\bnone has [\w.]+\s*=\s*(\S{2,60}?)[.,;)]?(?=\s|$)")
_EVERYTHING = {"match", "matche", "result", "record", "row", "line", "item", "entrie", "event", "hit", "object"}
"""Nouns that name whatever a result holds: to say that there are none is false of any result that is not empty."""


def error_lines(text: str) -> list[list[str]]:
    """The lines that tell of trouble, white space squeezed, those of one template (digits and ids aside) together; of
    a long line what stands around the word."""
    low = text.lower()
    if len(low) != len(text):  # lower-casing changed the length (İ): positions would be off
        low = text
    groups: dict[str, dict[str, None]] = {}
    lines = 0
    for word in SEVERE:
        at = low.find(word)
        while at >= 0 and lines < MAX_ERRORS:
            start = low.rfind("\n", 0, at) + 1
            end = low.find("\n", at)
            end = len(low) if end < 0 else end
            piece = " ".join(text[max(start, at - LINE // 2) : min(end, at + LINE // 2)].split())
            groups.setdefault(_VARIABLE.sub("0", piece), {})[piece] = None
            lines += 1
            at = low.find(word, end)
    return [list(alike) for alike in groups.values()]


def is_search(text: str) -> bool:
    """Whether the text is search output: hits in source, which tell of a failure as little as the source does."""
    from mcpcompact.content.text.hits import share

    return share(text[:65_536].split("\n")) >= _SHARE


def surviving(errors: Sequence[Sequence[str]], shown: str) -> int:
    """Of how many templates a line stands in the text, white space aside."""
    if not errors or not shown:
        return 0
    squeezed = " ".join(shown.split())
    return sum(any(line in squeezed for line in alike) for alike in errors)


def false_absences(original: str, shown: str) -> list[str]:
    """What the text says there is none of, though the original has some, and does not say so itself.

    "no X", "0 X", "X: 0" for the things that tools count, and "none has key=value". A noun that names whatever the
    result holds (matches, records, lines) is false when the original is not blank; any other when the word occurs.
    """
    claims: list[tuple[str, str]] = []
    for pattern in (_NONE, _ZERO):
        claims += [(match[0], match[1].lower().rstrip("s")) for match in pattern.finditer(shown)]
    absent = [(match[0], match[1]) for match in _ABSENT.finditer(shown)]
    low = original.lower()
    new = [(claim, noun) for claim, noun in claims if claim.lower() not in low]
    false = [claim for claim, noun in new if (noun in _EVERYTHING and original.strip()) or _counts(noun, low)]
    return false + [claim for claim, value in absent if claim not in original and value.strip("'\"") in original]


def _counts(noun: str, low: str) -> bool:
    """Whether the word begins a line, or stands before a colon: ``error: …``, ``commit 3fa2``, ``ERROR``."""
    return re.search(rf"(?m)^\W{{0,4}}{re.escape(noun)}s?\b|\b{re.escape(noun)}s?:", low) is not None


def note_repetitions(session: Session, row: Row) -> None:
    """Lines, results and calls that the session had before."""
    seen: set[str] = set()
    bodies: set[str] = set()
    calls: set[tuple[str, str]] = set()
    for message, texts in zip(session.messages, session.texts, strict=True):
        for key in zip(texts[1::2], texts[2::2], strict=True):  # tool and arguments
            row.repeated_calls += key in calls
            calls.add(key)
        if message.result is None or not message.text:
            continue
        row.result_chars += len(message.text)
        row.images += message.result.images
        body = _body(message)
        if len(body) >= MIN:
            row.duplicates += body in bodies
            bodies.add(body)
        lines = message.text.split("\n")
        row.repeated += sum(len(line) + 1 for line in lines if len(line) >= MIN and line in seen)
        seen.update(lines)


def _body(message: Message) -> str:
    """A result without the header of a shell tool, whose times differ at every call."""
    match = _HEADER.match(message.text[:600])
    return message.text[match.end() :] if match else message.text
