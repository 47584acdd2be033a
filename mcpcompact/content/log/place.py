"""Where in a kept log line the thing stands for which it is kept: there it is shown when there is no room for all."""

from __future__ import annotations

from mcpcompact.content.log.lines import LEVEL_WITHIN, find_stamp, level_span, loud_words
from mcpcompact.outline import Keep
from mcpcompact.patterns import regex

_WORD = regex(r"[\w.:/-]*\w\w")
_MESSAGE = regex(r"[\])]?:?[ \t]*(?:- )?(?:\[[^\]]{0,80}\] ?){0,3}(?:[\w.$-]{1,80}: ?){0,2}")

ERRORS = ("ERROR", "ERR", "FATAL", "CRITICAL", "SEVERE")
"""Levels that say themselves that it is a failure: the message behind them says which."""


def place(line: str, keep: Keep, reason: str) -> int:
    """The value that the reason names; else the first word of failure; else where the message begins, behind stamp and
    level."""
    stamp = find_stamp(line)
    after = stamp[2] if stamp else 0
    if keep is not Keep.SEVERE and " such line" not in reason:
        words = sorted(_WORD.findall(reason), key=lambda word: not any(map(str.isdigit, word)))
        if (named := next((at for word in words if (at := line.find(word, after)) >= 0), -1)) >= 0:
            return named
    level = level_span(line[:LEVEL_WITHIN])
    loud = loud_words(line) if not level or line[slice(*level)].upper() not in ERRORS else ()
    for start, end in loud:
        if not level or end <= level[0] or start >= level[1]:
            return start
    message = _MESSAGE.match(line, max(level[1] if level else 0, after))
    return message.end() if message else after
