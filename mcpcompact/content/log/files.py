"""The files that findings are in, each path said once where it would be said again and again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Final

from mcpcompact.outline import Item
from mcpcompact.patterns import regex

LONG_PATH: Final = 24  # characters of a directory that is said once
TOGETHER: Final = 3  # findings in a row of one file, which is said once
FEW_FILES: Final = 3  # files; of more of them few lines each are shown, and each says its own
_PLACE: Final = regex(r"\.\w{1,8}[:(]\d")


def directory(files: Iterable[str]) -> str:
    """What the paths of all files begin with, if that is worth saying once."""
    known = [*files]
    first, last = min(known, default=""), max(known, default="")
    same = first[: next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))]
    same = same[: max(same.rfind("/"), same.rfind("\\")) + 1]
    return same if len(same) >= LONG_PATH else ""


def under_files(items: Iterable[Item], files: Mapping[int, str]) -> bool:
    """The path of several findings in a row stands above them, once; each goes on from it behind an ellipsis."""
    headed = False
    few = items if len({*files.values()}) <= FEW_FILES else ()
    for (file, above), run in groupby(few, key=lambda one: (files.get(one.under or one.start, ""), one.section)):
        own, path = [*run], regex(rf"(?<=: ){re.escape(file)}(?=[:(])")
        named = [item for item in own if path.search(item.text)] if file and not above else []
        if len(named) >= TOGETHER and not any(_PLACE.search(item.text) for item in own if item not in named):
            headed = True
            for item in own:
                item.section, item.text = file, path.sub("…", item.text, count=1)
    return headed
