"""What ``strings`` finds in a binary file is told as such."""

from __future__ import annotations

import random

from mcpcompact import compact

SIGNS = "~!@#$%^&*+=<>?|abcdefgXYZQ0123456789_"


def test_what_strings_finds_in_a_picture_is_told_and_what_it_does_not_hold() -> None:
    rng = random.Random(3)
    noise = ["".join(rng.choice(SIGNS) for _ in range(rng.randrange(4, 9))) for _ in range(400)]
    noise = [
        run
        for run in noise
        if not any(len(word) > 4 for word in "".join(c if c.isalpha() else " " for c in run).split())
    ]
    text = "\n".join(["IHDR", "sRGB", *noise, "made by the Harbour Office", *noise[:20]])
    arguments = {"cmd": "strings berth.png | grep -i 'anchor\\|harbour'"}
    out = compact(text, budget=300, threshold=0, tool="bash", arguments=arguments).text
    total = len(text.split("\n"))
    assert f"{total} lines of printable runs, as of a binary file (a PNG picture, by its “IHDR”); 1 of them with" in out
    assert "Not in any line: anchor\n" in out and "made by the Harbour Office" in out
    names = "\n".join(f"port_{n}" if n % 3 else f"q{n}" for n in range(200))
    assert "printable" not in compact(names, budget=100, threshold=0).text


def test_a_quoted_word_of_the_request_that_no_run_holds_is_said_and_the_last_run_is_shown() -> None:
    rng = random.Random(5)
    noise = ["".join(rng.choice(SIGNS + "kqwv") for _ in range(4)) for _ in range(300)]
    text = "\n".join(["IHDR", *noise, "IEND"])
    focus = "Find the rope, 'harbourROPE{...}', and tell `sea chart` apart; don't use \"IHDR\"."
    out = compact(text, budget=300, threshold=0, tool="bash", arguments={"cmd": "strings a.png"}, focus=focus).text
    assert "Not in any line: harbourROPE\n" in out
    assert f"{len(noise) + 2} IEND" in out
