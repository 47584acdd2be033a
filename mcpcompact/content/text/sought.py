"""What a search was for: the alternatives of the pattern in the arguments of the call, as plain text."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import Any, NamedTuple

from mcpcompact.patterns import regex

_MOST = 2_000  # characters of a command or pattern that are looked at
_TOOLS = frozenset(("rg", "grep", "egrep", "fgrep", "zgrep", "ag", "ack"))
_KEYS = ("pattern", "regex")
_COMMANDS = ("command", "cmd")
_VALUED = regex(r"-[ABCmgtTfdjM]|--(?:i?glob|type|type-not|max-count|context)")  # the next word is their value
_PATTERN = frozenset(("-e", "--regexp"))
_IGNORES = regex(r"-[a-zA-Z]*[iS][a-zA-Z]*|--(?:ignore|smart)-case")
_BAR = regex(r"\\?\|")
_EDGE = regex(r"\\[bB<>]|^\^|\$$|^\(+|\)+$")
_ESCAPED = regex(r"\\([^\w\s])")
_SPECIAL = regex(r"[.*+?\[\](){}\\^$]")
_SIMPLE = regex(
    r"(?:[\w/@:;, <>=\"'-]|\\\.|\.(?!\*))+(?:\.\*(?:[\w/@:;, <>=\"'-]|\\\.|\.(?!\*))+)?"
)  # grep reads no sign otherwise
_LONG = 2_000  # characters of a hit
_RUN = regex(r"[\w/@:-]{3,}")


class Sought(NamedTuple):
    """``plain``: the alternatives that stand in a hit as they are; ``parts``: of each alternative what a hit holds;
    ``simple``: those that mean the same to every tool, where there are several, with their patterns."""

    plain: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    any_case: bool = False
    simple: tuple[tuple[str, str], ...] = ()

    def missing(self, texts: list[str]) -> list[str]:
        """The alternatives that no text holds; nothing of patterns where a text is very long."""
        long = max(map(len, texts), default=0) > _LONG
        flags = re.IGNORECASE if self.any_case else 0
        known = [(each, re.compile(part, flags)) for each, part in self.simple if part == re.escape(each) or not long]
        return [each for each, pattern in known if not any(map(pattern.search, texts))]

    def counts(self, texts: list[str]) -> list[tuple[str, int]]:
        """How many texts hold each plain alternative, the most frequent first."""
        low = [text.lower() for text in texts] if self.any_case else texts
        found = [(each, sum((each.lower() if self.any_case else each) in text for text in low)) for each in self.plain]
        return sorted(found, key=lambda one: -one[1])


def sought(arguments: Mapping[str, Any] | None) -> Sought:
    """The pattern of a search tool, or of the first ``grep`` or ``rg`` of a command."""
    given = arguments or {}
    pattern, any_case = next((v for k in _KEYS if isinstance(v := given.get(k), str)), ""), bool(given.get("-i"))
    command = next((v for k in _COMMANDS if isinstance(v := given.get(k), str)), "")
    if not pattern and command:
        pattern, any_case = _of_command(command[:_MOST])
    plain, parts, simple = [], [], []
    for alternative in dict.fromkeys(_BAR.split(pattern[:_MOST])):
        text = _ESCAPED.sub(lambda m: "\0" if m[1] == "\\" else m[1], bare := _EDGE.sub("", alternative))
        if text and not _SPECIAL.search(_ESCAPED.sub("", bare)) and "\\" not in text:
            plain.append(text)
            parts.append(text)
            simple.append((text, re.escape(text)))
        elif run := max(_RUN.findall(bare), key=len, default=""):
            parts.append(run)
            simple += [(alternative, alternative)] if _SIMPLE.fullmatch(alternative) else []
    several = len(parts) > 1
    return Sought(tuple(plain), tuple(parts), any_case, tuple(simple) if several else ())


def _of_command(command: str) -> tuple[str, bool]:
    try:
        reader = shlex.shlex(command, posix=True, punctuation_chars=True)
        reader.whitespace_split, reader.commenters = True, ""
        words = list(reader)
    except ValueError:  # a quote that does not end
        return "", False
    at = next((n for n, word in enumerate(words) if word.rpartition("/")[2] in _TOOLS), len(words))
    any_case, skip = False, False
    for n, word in enumerate(words[at + 1 :], at + 1):
        if skip or _VALUED.fullmatch(word):
            skip = not skip
        elif word in _PATTERN:
            return "".join(words[n + 1 : n + 2]), any_case
        elif word[:1] == "-" and len(word) > 1:
            any_case = any_case or _IGNORES.fullmatch(word) is not None
        else:
            return word, any_case
    return "", False
