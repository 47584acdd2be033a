"""What a word of a log line is a value of: by the key before it (``size=12``), or by the word (``took 12 ms``)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from mcpcompact.content.anomalies.words import listed
from mcpcompact.patterns import regex

TOKEN: Final = regex(r"[^\s=:,;\"'()\[\]{}|<>&?]+")
_NAME: Final = regex(r"[A-Za-z_][\w.-]{0,80}$")
_FILE: Final = regex(r"\.(?:py|[cm]?[jt]sx?|go|java|rs|rb|cc?|cpp|h|cs|kt|php|scala|sh)$")
_KEY: Final = regex(r"\"?\s{0,40}(?:[=:]|=>|:=)\s{0,40}\"?[\[(]?")
PAIR: Final = regex(rf"(?<!{TOKEN.pattern[:-1]})({TOKEN.pattern}+)({_KEY.pattern})(?=({TOKEN.pattern}+))")
KEYED: Final = regex(rf"(?<!{TOKEN.pattern[:-1]})({TOKEN.pattern}+)\"?\s{{0,40}}[=:]")  # what may be a key

MAX_KEY: Final = 40  # characters of a key, of a longer one the last
MAX_NAME: Final = 20  # letters of a word that names the number behind it


def slot_name(text: str, begin: int, end: int, at: int) -> str:
    """What the word at ``at`` is a value of, by the word before it."""
    before, gap = text[begin:end], text[end:at]
    if is_place(before, gap, text[at : at + 1]):
        return ""
    if gap != " " and _is_keyed(gap) and (key := key_of(before)):
        return key
    named = end - begin < MAX_NAME and before.isalpha() and gap.isspace() and not plain(before)
    return before if named else ""


def is_place(before: str, gap: str, value: str) -> bool:
    """Of a logger and its line, a host and its port."""
    return gap == ":" and "." in before and value[:1].isdigit()


@lru_cache(maxsize=1_024)
def _is_keyed(gap: str) -> bool:
    return _KEY.fullmatch(gap) is not None


def key_of(word: str) -> str:
    """The last part of a name with points; "" where a word is none or names nothing, or a file before the number of
    its line."""
    if word.isidentifier() and word.isascii() and len(word) <= MAX_KEY:
        key = word
    else:
        key = word.rpartition(".")[2][-MAX_KEY:] if _NAME.match(word) and not _FILE.search(word) else ""
    return "" if plain(key) else key


_PLAIN: Final = frozenset(
    listed(
        "is|for|to|of|on|at|in|by|the|a|an|and|or|from|with|trace|debug|info|notice|warn|warning|error|fatal|critical"
    )
)


def plain(name: str) -> bool:
    """A word before a number that does not name it."""
    return name.lower() in _PLAIN
