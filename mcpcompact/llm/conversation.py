"""The conversation in which a tool was called, as far as it helps to say what matters in its result."""

from __future__ import annotations

from collections.abc import Sequence

from mcpcompact.llm.prompts import written
from mcpcompact.patterns import regex
from mcpcompact.transcripts import Message, read_transcripts

MESSAGE = 10_000  # characters that a message is cut at
SAYING = 15  # characters from which a piece of a system message says something, where no ``:`` does
WHOLE = 40_000  # characters of all: the latest messages that fit, after the system message and the first request

_ABOUT_WORK = regex(
    r"(?i)\b(?:you (?:are|must|should|can|may|will|have|need)|your (?:task|job|role|answer|response|output)|never"
    r"|always|do not|don't|make sure|ensure|be (?:concise|brief|helpful|careful)|respond|reply|answer (?:in|with)"
    r"|format|markdown|json schema|tools?|function calls?|call(?:ing)? (?:the|a) function|parameters?)\b"
)
_PIECE = regex(r"\n\s*\n|\n(?=\s*(?:[-*•#]|\d+[.)])\s)|(?<=[.!?])\s+(?=[A-Z`\"])")
_MARKUP = regex(r"\s*[\[{<]")


def conversation(path: str) -> str:
    """The last session of a transcript file as text. Raises ``InputError`` when it is none."""
    return told(read_transcripts(path)[-1].messages)


def told(messages: Sequence[Message]) -> str:
    """What was said: the system message reduced to its domain knowledge, each message cut, the latest that fit."""
    lines = [line for message in messages if (line := _line(message))]
    head = lines[:2] if messages and messages[0].role == "system" and lines[2:] else lines[:1]
    rest, room = [], WHOLE - sum(map(len, head))
    for line in reversed(lines[len(head) :]):
        room -= len(line)
        if room < 0:
            rest.append("[earlier messages left out]")
            break
        rest.append(line)
    return "\n".join([*head, *reversed(rest)])


def domain_knowledge(system: str) -> str:
    """What a system message says about the subject: without rules of conduct, formats, tools and their schemas."""
    pieces = (piece.strip() for piece in _PIECE.split(system[: 10 * MESSAGE]))
    kept = [p for p in pieces if p and not _ABOUT_WORK.search(p) and not _MARKUP.match(p) and any(map(str.isalpha, p))]
    return "\n".join(piece for piece in kept if len(piece) > SAYING or ":" in piece)[:MESSAGE]


def _line(message: Message) -> str:
    text = domain_knowledge(message.text) if message.role == "system" else message.text.strip()
    calls = (f"calls {call.tool}({written(call.arguments)})" for call in message.calls)
    whole = "\n".join(filter(None, (text, *calls)))
    return f"{message.role}: {cut(whole)}" if whole else ""


def cut(text: str) -> str:
    """A message, of a long one its beginning."""
    return text if len(text) <= MESSAGE else f"{text[:MESSAGE]} […+{len(text) - MESSAGE:,} chars]"
