"""Patterns that are compiled when they are first used, and those that are spared where a text cannot hold them."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path
from typing import Any

import pytest

import mcpcompact.content
from mcpcompact import compact
from mcpcompact.patterns import held, regex

SAMPLES = sorted((Path(__file__).parents[1] / "samples").glob("*.*"))


def guarded() -> dict[str, Any]:
    """Every pattern of the content types that says what it holds, by its place."""
    found = {}
    for module in pkgutil.walk_packages(mcpcompact.content.__path__, "mcpcompact.content."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if getattr(value, "_holds", ()):
                found[f"{module.name}.{name}"] = value
    return found


def test_a_pattern_is_compiled_by_the_first_text_that_holds_what_it_needs() -> None:
    pattern = regex(r"\d+% done", holds="%")
    kept = pattern.match
    assert kept("7 of 9 done") is None and pattern.search("done") is None
    assert type(pattern).__name__ == "_Pending"
    assert (found := kept("70% done")) is not None and found[0] == "70% done"
    assert type(pattern).__name__ == "_Compiled"
    assert kept("80% done") and kept("done") is None and pattern.search("so 9% done, 1", 3)
    assert [m.start() for m in regex(r"a%", holds="%").finditer("a%b a%")] == [0, 4]
    assert held(pattern, "so 9%\nno") and not held(regex(r"b%", holds="%"), "b") and held(regex("b"), "")


def test_what_a_pattern_needs_stands_in_all_that_it_finds() -> None:
    patterns = guarded()
    assert len(patterns) > 30
    lines = {line[:160] for path in SAMPLES for line in path.read_text("utf-8", "replace").split("\n")[:60]}
    for place, pattern in patterns.items():
        compiled = re.compile(pattern.pattern, pattern._flags)
        for line in lines:
            spared = not any(sign in line for sign in pattern._holds)
            assert not (spared and (compiled.match(line) or compiled.search(line))), (place, line)


@pytest.mark.parametrize("text", ['["' + "a.b" * 60 + '",NaN', "session_id=" + "ab1-" * 60 + "!"])
def test_no_pattern_tries_every_way_to_read_a_text(text: str) -> None:
    """Both took for ever: each part of the text could be read in two ways."""
    assert compact(text + "\n" + "x = 1\n" * 40, budget=60, threshold=0, content_type="code", mask=True).problem is None


def test_masking_repeats_no_group_possessively() -> None:
    """Python up to 3.11.4 takes back what such a group had matched, so that secrets stayed in tables and keys; an
    atomic group around an ordinary repeat says the same."""
    import mcpcompact.masking

    for path in sorted(Path(mcpcompact.masking.__file__).parent.glob("*.py")):
        code = "".join(line for line in path.read_text("utf-8").splitlines() if not line.lstrip().startswith("#"))
        assert not re.search(r"(?<!\\)\)(?:[*+?]|\{\d*,?\d*\})\+", code), path.name
