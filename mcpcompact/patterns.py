"""Regular expressions that are compiled when they are first used.

Compiling costs 0.2 ms a pattern on average, and the content types hold some 300 of them, of which one
run needs a few: compiled at import they would cost three times the start of the interpreter.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr

_METHODS = ("match", "fullmatch", "search", "findall", "finditer", "split", "sub", "subn", "flags", "groups")


class _Compiled:
    """Holds the bound methods of a pattern as its own attributes: as fast to call as the pattern's."""


class _Pending(_Compiled):
    def __init__(self, source: Any, flags: int) -> None:
        self.pattern, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        self.__class__ = _Compiled  # type: ignore[assignment]  # from now on a plain attribute look-up
        return getattr(compiled, name)


def regex(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What ``re.compile`` gives, compiled at the first use. Not for ``re.sub(pattern, …)``: use its methods."""
    return _Pending(source, flags)  # type: ignore[return-value]
