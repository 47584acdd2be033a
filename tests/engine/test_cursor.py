"""What stands around the line that an editor was told to go to is shown without a hole."""

from __future__ import annotations

from mcpcompact import compact


def test_the_lines_around_the_one_asked_for_stand_without_a_hole() -> None:
    rows = [f"    | part_{n} | what part {n} of the model means for others |" for n in range(60)]
    source = [
        "def earlier(x):",
        *(f"    step_{n}(x)" for n in range(30)),
        "",
        "class Model:",
        '    """Parts.',
        "",
        *rows,
    ]
    lines = [f"{n}:{text}" for n, text in enumerate(source, 301)]
    view = "\n".join(
        ["[File: /src/model.py (900 lines total)]", "(300 more lines above)", *lines, "(500 more lines below)"]
    )
    text = compact(view, budget=500, threshold=500, tool="goto", arguments={"command": "goto 333"}).text
    for line in source[32 - 9 : 32 + 10]:
        assert line in text
