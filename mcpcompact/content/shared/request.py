"""What a call or a request asks for in words: those that tell, and how rare each is among the parts of an answer."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable

from mcpcompact.content.anomalies.words import words
from mcpcompact.outline import Hints
from mcpcompact.patterns import regex

READ = 4_000  # characters of a request that are read: its end
LONG = 80  # telling words of a request: a longer one sets a task, and no answer holds its words
POINT = regex(
    r"(?m)^[ \t]*(?:>|\d{1,2}[.)]|[-*+•])[ \t]+(\S+[ \t].+)$|([^.?!\n]+\?)|\*\*([^*\n]+)\*\*|([^\n]+)\s*\Z"
)  # entries of lists, quoted lines, questions, emphasised words, the last paragraph
_WORD = regex(r"[^\W\d_](?:[^\W_]|-){3,}|\d{4}")  # of a name its parts
_NAMED = regex(r"\w*[^\W_]_[^\W_]\w*|\b[a-z]+[A-Z]\w*")  # names of code
_COMPOUND = regex(r"(?<![\w./-])([a-z]{4,})-([a-z]{3,})-([a-z]{4,})(?![\w./-])")  # three words, joined or not
EXAMPLE = regex(r"(?ms)^[ \t]*```.*?^[ \t]*```[ \t]*$")
_KEYS = words("prompt query queries question q topic search_term search_query instructions description")
_QUOTED = regex(r"\"([^\"\n{]{8,200} [^\"\n{]{1,200})\"|'([^'\n{]{8,200} [^'\n{]{1,200})'")  # a search within a script
_CODE = ("code", "command", "cmd", "script")
_COMMON = words(
    "about above after again agent also another because been before being below between both code could does doing "
    "done down each even every file files find first from have having here into just know like line lines look looking "
    "made make many more most much need only other over please read right same should show some such sure take tell "
    "text than that their them then there these they this those through under until update used uses using want well "
    "were what when where which while will with without work would your"
)  # words of any request


def told(text: str) -> Counter[str]:
    """The words of a text that tell something, without their plural."""
    return Counter(
        word.rstrip("s")
        for word in map(str.lower, _WORD.findall(_COMPOUND.sub(r"\1 \2 \3", text)))
        if word not in _COMMON
    )


def named(text: str) -> Counter[str]:
    """The words of the names of code in a text."""
    return told(" ".join(_NAMED.findall(text)))


def queried(hints: Hints | None) -> list[str]:
    """The queries of the call, those of a script in the order in which they stand there."""
    arguments = (hints and hints.arguments) or {}
    queries = [str(value) for key, value in arguments.items() if key in _KEYS]
    for key in () if queries else _CODE:
        queries += [a or b for a, b in _QUOTED.findall(str(arguments.get(key) or "")[:READ])]
    return queries


def asked(hints: Hints | None) -> tuple[str, str]:
    """What the call asks for, and what the request says."""
    request = ((hints and hints.focus) or "")[-READ:]
    return " ".join(queried(hints))[-READ:], request if len(told(request)) <= LONG else ""


def rarity(wanted: Collection[str], parts: Iterable[Counter[str]], share: float = 1.0) -> dict[str, float]:
    """Of the words that are wanted how rare each is among the parts; none that more than this share of them hold."""
    held, total = Counter[str](), 0
    for part in parts:
        held.update(part.keys() & wanted)
        total += 1
    return {word: math.log((total + 1) / n) for word, n in held.items() if n <= share * total}
