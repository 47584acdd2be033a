"""What is shown of a document stands below its own heading, in a string of JSON as well; drawings and attributes."""

from __future__ import annotations

import json
import re

import pytest

from mcpcompact import compact


def _shown(value: object, budget: int = 300, **call: object) -> str:
    text = value if isinstance(value, str) else json.dumps({"ok": 0, "data": value})
    return compact(text, budget=budget, threshold=budget, **call).text  # type: ignore[arg-type]


def _piers(n: int) -> str:
    return f"## Pier {n}\n\n**State:** crane {n} waits for boat {n * 7}\n\n" + "\n".join(
        f"- Keeper {n}{k} of pier {n} oils the chains of lock {k} at {k} o'clock" for k in range(5)
    )


@pytest.mark.parametrize("budget", [200, 300, 500])
def test_lines_of_markdown_in_json_stand_below_their_heading(budget: int) -> None:
    shown = _shown({"note": "# Harbour\n\n" + "\n\n".join(map(_piers, range(12)))}, budget)
    above = ""
    for line in shown.split("\n"):
        above = line if line.startswith("## Pier") else above
        if said := re.match(r"\d+ .*(?:crane|of pier) (\d+)", line):
            assert above.startswith(f"## Pier {said[1]} (line ")
    assert above


def test_a_heading_in_a_footnote_of_a_note_stands_above_its_lines_a_comment_of_an_example_does_not() -> None:
    note = "\n\n".join(
        ["# Harbour", "```sh\n# Weigh\nweigh --all\n```", *map(_piers, range(6)), "[^1]: # Tides", "    # Tides of May"]
    )
    shown = _shown({"note": note + "\n\n    The moon of May lifts boat 7 over the bar by noon\n"}, 300)
    assert re.search(r"(?m)^# Tides of May \(line \d+\)\n\d+     The moon of May", shown)
    assert "# Weigh (line" not in shown


def test_a_drawing_in_a_note_is_shown_whole_or_not_at_all() -> None:
    rows = "\n".join(f"│  │ Crane {n}  │     │ Quay of boats {n} │  │" for n in range(20))
    drawing = f"```\n┌────────────────────────────────────┐\n│  ┌────────┐     ┌────────────────┐  │\n{rows}\n└──┘\n```"
    note = "# Harbour\n\n## Plan\n\n" + drawing + "\n\n" + "\n\n".join(map(_piers, range(5)))
    for budget in (200, 400, 600):
        assert _shown({"note": note}, budget).count("│  │ Crane ") in (0, 20)


def test_attributes_of_the_blocks_of_a_note_are_left_out_which_is_said() -> None:
    def block(n: int, text: str) -> str:
        return f'{text}\n{{: id="2031{n:05}-harbour" updated="20310412{n:04}"}}'

    texts = [text for n in range(4) for text in (f"## Pier {n}", f"Crane {n} waits for the tide of boat {n * 7}")]
    note = "\n\n".join(block(n, text) for n, text in enumerate(["# Harbour", *texts]))
    shown = _shown({"kramdown": note + '\n\n1. {: id="203199999-x"}Oil the chains of the lock'}, 200)
    assert " without {: attributes}:\n" in shown and "{: id=" not in shown
    assert "1. Oil the chains of the lock" in shown and all(f"Crane {n} waits" in shown for n in range(4))
    assert "2 of 2 values shown" not in shown
