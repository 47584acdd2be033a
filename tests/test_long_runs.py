"""One sign, or a few, thousands of times in a row: patterns that went back over such a run took minutes for it."""

from __future__ import annotations

import json

import pytest

from mcpcompact import compact

LONG = 20_000
ENTRY = "commit " + "4" * 40 + "\nAuthor: A <a@b.org>\nDate:   Mon Jan 1 10:00:00 2024 +0000\n\n    Say more\n\n"
RUNS = {
    "an id of a table": ("table", "x" + "0" * LONG + "x | 3 +"),
    "a key of dots": (None, json.dumps([{"." * LONG: n, "b": f"x{n}"} for n in range(12)])),
    "a key of underscores": (None, json.dumps([{"a_" * LONG: n, "b": f"x{n}"} for n in range(12)])),
    "a title of digits": ("markup", f"# {'0' * LONG}\n\nA text.\n\n## {'0' * LONG}x\n\nAnother.\n"),
    "a title of a release": ("markup", f"# {'1.' * LONG}x | 3 +\n\nA text.\n" * 3),
    "a step of wide blanks": ("markup", "1. " + "\u3000" * LONG + "y"),
    "an entry of bars": ("markup", "- " + " |" * LONG + "x | 3 +\n\nA text.\n"),
    "the name of a file": (None, "--- a/{0}\n+++ b/{0}\n@@ -1 +1 @@\n-a\n+b\n".format("\u3000" * LONG)),
    "a message of a commit": (None, ENTRY * 3 + "    x" + " " * LONG + "y\n" + ENTRY),
    "a table of one row": ("table", "," * 3 * LONG),
}


@pytest.mark.parametrize("what", RUNS)
def test_a_run_of_one_sign_is_read_in_one_go(what: str) -> None:
    kind, text = RUNS[what]
    assert compact(text, budget=300, threshold=0, content_type=kind).tokens <= 300


def test_a_request_with_a_long_run_is_read_in_one_go() -> None:
    code = "import os\n\n\ndef alpha(a):\n    return a\n" * 60
    assert compact(code, budget=300, threshold=0, focus="a_" * 10_000 + ":x").tokens <= 300
