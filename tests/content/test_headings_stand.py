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


def _document(*sections: str) -> str:
    filler = "The keeper of gate {n} reads `etc/gate{n}.cfg` each hour and writes gate_{n}_report.csv before the tide."
    return "# Gates\n\nHow the gates are kept.\n\n" + "\n\n".join(
        [*sections, *(f"## Gate {n}\n\n" + " ".join([filler.format(n=n)] * 4) for n in range(12))]
    )


def test_a_command_stands_with_the_comment_above_it() -> None:
    steps = "\n\n".join(
        f"# Weigh the crates of quay {n}\nweigh --quay {n} --crates {n * 70} --write" for n in range(12)
    )
    text = _document(f"## Installation\n\n```bash\n{steps}\n```")
    for budget in (250, 350, 500):
        shown = _shown(text, budget)
        comments = re.findall(r"(?m)^(?:\d+ )?# Weigh the crates of quay (\d+)(?: …)?$", shown)
        assert comments == re.findall(r"(?m)^(?:\d+ )?weigh --quay (\d+) ", shown) and comments
        assert "…[+1 line]" not in shown


@pytest.mark.parametrize("budget", [300, 500, 700])
def test_a_drawing_of_boxes_in_a_document_is_shown_whole_or_not_at_all(budget: int) -> None:
    rows = "\n".join(f"│  │ Crane {n}  │────▶│ Quay of boats {n} │  │" for n in range(20))
    drawing = f"```\n┌────────────────────────────────────┐\n│  ┌────────┐     ┌────────────────┐  │\n{rows}\n└──┘\n```"
    shown = _shown(_document(f"## Plan\n\nThe plan of the harbour.\n\n{drawing}"), budget)
    assert "The plan of the harbour." in shown and shown.count("│  │ Crane ") in (0, 20)


def test_links_of_one_search_are_counted_where_some_are_left_out() -> None:
    links = [{"title": f"Tides of quay {n}", "url": f"https://quay-{n}.example/tides/of/may"} for n in range(10)]
    told = "\n\n".join(
        f"## Tide {n}\n\nAt quay {n} the water of tide {n} falls {n * 7} feet, which boat {n * 13} waits for."
        for n in range(12)
    )
    shown = _shown(f'Web search results for query: "tides"\n\nLinks: {json.dumps(links)}\n\n{told}', 300)
    n = sum(f"https://quay-{n}.example" in shown for n in range(10))
    assert 1 < n < 10 and f"…[{n} of 10 links]" in shown


@pytest.mark.parametrize("budget", [300, 450])
def test_entries_of_a_list_stand_below_the_first_sentence_of_their_section(budget: int) -> None:
    def part(n: int) -> str:
        first = (
            f"The crane of quay {n} works for the houses of Ostra, Lind and Varna, of which each has its own key {n}."
        )
        entries = "\n".join(f"* `lift_{n}_{k}()`: lifts crate {k} of {n}" for k in range(6))
        return f"## Crane {n}\n\n{first} {3 * 'It is oiled before the tide. '}\n\n{entries}"

    shown = _shown("# Port\n\nThe port.\n\n" + "\n\n".join(map(part, range(8))), budget)
    for n in range(8):
        assert f"lift_{n}_" not in shown or f"The crane of quay {n} works" in shown
    assert "lift_" in shown


def test_a_line_of_attributes_belongs_to_the_block_above_it() -> None:
    parts = [f"Crane {n} of quay {n} waits for boat {n * 7}.\n{{: #crane-{n} .waits-{n * 3} }}" for n in range(40)]
    shown = _shown("# Cranes\n\n## All\n\n" + "\n\n".join(parts), 300, content_type="markup")
    assert "{: #crane" not in shown and "Crane 0 of quay 0" in shown


def test_of_a_diff_in_a_string_runs_of_changed_lines_are_read_from_their_beginning() -> None:
    rows = [
        f"+  - name: berth-{n}\n+    provider: crane-{n}\n+    limit_of_it: {n * 7}\n     pier: {n}" for n in range(40)
    ]
    patch = "".join(
        f"@@ -{n * 9 + 1},3 +{n * 9 + 1},6 @@ berths:\n a: {n}\n{row}\n b: {n}\n" for n, row in enumerate(rows)
    )
    value = {"number": 7, "title": "berths", "diff": f"--- a/berths.yaml\n+++ b/berths.yaml\n{patch}", "state": "open"}
    out = compact(json.dumps(value), budget=500, threshold=0).text
    shown = [n for n in range(40) if f"name: berth-{n}\n" in out]
    assert shown, out
    for n in shown:
        run = out.partition(f"name: berth-{n}\n")[2].split("\n")
        assert run[0].endswith(f"provider: crane-{n}") or run[0].startswith("…[+"), out
