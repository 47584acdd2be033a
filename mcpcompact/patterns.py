"""Regular expressions that are compiled when they are first used.

Compiling costs 0.2 ms a pattern on average, and the content types hold some 300 of them, of which one
run needs a few: compiled at import they would cost three times the start of the interpreter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import accumulate, repeat
from typing import Any, AnyStr

OFTEN = 2_000  # places of a sign from which on a text is cut there at once
TRIED = 1_000  # texts without what a pattern must hold, after which to compile it costs less than to go on asking

_METHODS = ("match", "fullmatch", "search", "findall", "finditer", "split", "sub", "subn", "flags", "groups")


class _Compiled:
    """Holds the bound methods of a pattern as its own attributes: as fast to call as the pattern's."""


class _Pending(_Compiled):
    def __init__(self, source: Any, flags: int, holds: Sequence[Any]) -> None:
        self.pattern, self._flags, self._holds, self._tried = source, flags, holds, 0
        if holds:
            for method in ("match", "search", "fullmatch"):
                setattr(self, method, partial(self._look, method))

    def _look(self, name: str, text: Any, *span: int) -> Any:
        self._tried += 1
        if self._tried < TRIED and not any(map(text.__contains__, self._holds)):
            return None
        return (_Pending.__getattr__(self, name) if type(self) is _Pending else getattr(self, name))(text, *span)

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        self.__class__ = _Compiled  # type: ignore[assignment]  # from now on a plain attribute look-up
        return getattr(compiled, name)


def regex(source: AnyStr, flags: int = 0, holds: Sequence[AnyStr] = ()) -> re.Pattern[AnyStr]:
    """What ``re.compile`` gives, compiled at the first use. Not for ``re.sub(pattern, …)``: use its methods.

    One of ``holds`` stands in whatever is found: until a text has one, ``match``, ``search`` and ``fullmatch`` compile
    nothing.
    """
    return _Pending(source, flags, holds)  # type: ignore[return-value]


def held(pattern: re.Pattern[Any], lines: Sequence[Any]) -> bool:
    """Whether ``pattern`` can find anything in a line: one of its ``holds`` stands in some, or it names none. They are
    asked together, which takes a tenth of what asking each would."""
    holds = getattr(pattern, "_holds", ())
    return not holds or any(map("\n".join(lines).__contains__, holds))


def matching(pattern: re.Pattern[str], lines: Sequence[str]) -> list[int]:
    """The places of the lines that the pattern matches at their beginning: no line without one of its ``holds`` is
    asked."""
    return [i for i in sorted(holding(lines, getattr(pattern, "_holds", ()))) if pattern.match(lines[i])]


def _possible(text: str, signs: Iterable[str]) -> list[str]:
    """The signs of which each character stands in the text: one is looked for thirty times as fast as a sign."""
    known = [*signs]
    absent = {character for character in {*"".join(known)} if character not in text}
    return [sign for sign in known if absent.isdisjoint(sign)]


def standing(text: str, signs: Iterable[str]) -> set[str]:
    """Those of the signs that stand in the text."""
    return {sign for sign in _possible(text, signs) if sign in text}


def holding(lines: Sequence[str] | str, signs: Iterable[str]) -> set[int]:
    """The places of the lines (or of those of a text) that hold one of ``signs``: each is looked for in all lines at
    once, at memory speed."""
    text = lines if isinstance(lines, str) else "\n".join(lines)
    places, last = set[int](), text.count("\n")
    seldom: list[int] = []  # where signs stand of which there are few: their lines are counted together
    for sign in _possible(text, signs):
        if len(places) > last:  # all lines hold one
            break
        if (often := text.count(sign)) > OFTEN:
            *before, _ = text.split(sign)
            places.update(accumulate(map(str.count, before, repeat("\n"))))
            continue
        at = -len(sign)
        for _ in range(often):
            seldom.append(at := text.find(sign, at + len(sign)))
    line = behind = 0
    for at in sorted(seldom):
        line, behind = line + text.count("\n", behind, at), at
        places.add(line)
    return places


ESCAPE = regex(r"\x1b\[[?\d;]{0,32}[A-Za-z]")
"""A colour, a cursor that is moved or hidden."""


def uncoloured(text: str) -> str:
    """The text as a screen shows it."""
    return ESCAPE.sub("", text) if "\x1b" in text else text


JSON_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?'
"""A string of JSON as it is spelt; where a text is cut off the last one without its end."""

JSON_LEAF = rb'[\[{][^\[\]{}"]*+(?:' + JSON_STRING + rb'[^\[\]{}"]*+)*+[\]}]'
"""A list or object of JSON without another one inside."""

ON_DRIVE = r"[A-Za-z]:\\[^:*?\"<>|\n]{1,240}?(?=[(:]\d)"
"""A path of Windows, which may hold blanks, before a place in that file."""

BLAMED = regex(
    r"\^?(?P<commit>[0-9a-f]{7,40}) (?:\S.{0,200}? )?\(<?(?P<author>.{1,80}?)>? +"
    r"(?P<day>\d{4}-\d\d-\d\d) (?P<time>\d\d:\d\d:\d\d) [+-]\d{4} +(?P<line>\d{1,7})\)",
    holds=(" +", " -"),
)
"""What ``git blame`` writes before a line of a file; the number of the line last."""
