"""What the engine chooses, byte for byte: a change of it is seen, and said by the diff. ``make golden`` accepts it."""

from __future__ import annotations

import difflib

import pytest
from golden_cases import FILES, GOLDEN, written


@pytest.mark.parametrize("name", FILES)
def test_outputs_are_those_of_the_golden_file(name: str) -> None:
    expected = (GOLDEN / name).read_text("utf-8").splitlines()
    actual = written(FILES[name]()).splitlines()
    diff = "\n".join(difflib.unified_diff(expected, actual, f"tests/golden/{name}", "now", lineterm="", n=2))
    assert not diff, f"outputs changed; `make golden` accepts this:\n{diff}"
