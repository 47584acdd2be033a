"""Notes of work by date, plans and rules: what is so now, and what belongs together."""

from __future__ import annotations

import pytest

from mcpcompact import compact

DONE = (
    "- Moved gate {n} of the harbour to `gates/gate{n}.cfg` and wrote its test\n"
    "- Wrote `docs/harbour{n}.md` for the keepers of shift {n}\n"
    "- Asked the crew of `tug{n}` which of the {n} ropes they have\n"
)


def _session(n: int, day: str) -> str:
    return (
        f"## Session {n}: {day} - Harbour, part {n}\n\n### Accomplished\n\n{DONE.format(n=n) * 3}\n"
        f"### Current State\n\n**Status:** part {n} of the harbour works\n\n"
        f"### Next Steps\n\n1. Paint the boats of row {n}\n2. Sell the ropes of row {n}\n\n"
        f"### Blockers\n\n- Error: the crane of row {n} is broken\n\n"
    )


@pytest.mark.parametrize("falling", [True, False])
@pytest.mark.parametrize("focus", ["", "catch up on the gates of the harbour"])
def test_of_notes_by_date_the_newest_state_stands_whole(falling: bool, focus: str) -> None:
    days = [_session(n, f"2031-04-{n:02d}") for n in range(1, 10)]
    text = "# Progress\n\nOf the harbour.\n\n" + "".join(reversed(days) if falling else days)
    shown = compact(text, budget=500, threshold=500, focus=focus or None).text
    for line in ("part 9 of the harbour works", "Paint the boats of row 9", "Sell the ropes of row 9"):
        assert line in shown
    assert "the crane of row 9 is broken" in shown
    assert "the crane of row 1 is broken" not in shown
    begins = next(n for n, line in enumerate(text.split("\n"), 1) if line.startswith("## Session 9"))
    assert f"Newest of 9 dated sections: lines {begins}–" in shown


def test_what_notes_say_of_the_state_above_their_log_stands_there() -> None:
    log = "".join(f"### 2031-04-{n:02d}: part {n}\n\n{DONE.format(n=n) * 4}\n" for n in range(9, 0, -1))
    text = f"# Progress\n\n## Session Log\n\n{log}## Current Status\n\nBlocked by the crane of the third pier.\n"
    assert "Blocked by the crane of the third pier." in compact(text, budget=400, threshold=400).text


@pytest.mark.parametrize(
    "days",
    [
        ["2031-04-01"] * 9,  # no order
        [f"2031-04-{n:02d}" for n in range(1, 9)] + ["May 3, 2031"],  # a date of another form may be newer
    ],
)
def test_where_the_order_is_not_known_no_section_is_called_the_newest(days: list[str]) -> None:
    text = "# Progress\n\n" + "".join(_session(n, day) for n, day in enumerate(days, 1))
    assert "Newest of" not in compact(text, budget=500, threshold=500).text


def test_the_state_stands_there_where_the_days_of_the_log_are_in_no_order() -> None:
    days = (1, 1, 1, 2, 1, 1, 1, 1)
    log = "".join(f"### 2031-04-{day:02d}: part {n}\n\n{DONE.format(n=n) * 3}\n" for n, day in enumerate(days))
    rows = "".join(
        f"| {n} | {'blocked by its crane' if n % 2 else 'open'} | pier {n} needs planks |\n" for n in range(1, 9)
    )
    state = f"## Current Status\n\n| Pier | State | Note |\n|---|---|---|\n{rows}\n"
    tugs = "".join(f"- Tug {n} holds ropes of hemp by a hook that the keeper of shift {n} greases\n" for n in range(6))
    text = f"# Progress\n\n{state}## Ropes of the tugs\n\n{tugs}\n## Session Log\n\n{log}"
    shown = compact(text, budget=300, threshold=300, focus="which ropes do the tugs have?").text
    assert rows in shown
    assert "Newest of" not in shown


def test_a_line_that_leads_to_an_example_leads_to_no_list_behind_it() -> None:
    rules = "".join(f"- Keep rope `rope{n}.cfg` away from pier {n}, docs/pier{n}.md says why\n" for n in range(1, 12))
    lead = "Never measure a rope before the first knot is made, then push it and open a draft of it:"
    code = "```bash\nknot --measure rope.cfg\nknot --push origin --draft\nknot --wait 20 --then pier\n```"
    text = f"# Ropes\n\nOf ropes.\n\n## Rules\n\n{lead}\n\n{code}\n\n{rules}"
    for budget in (150, 200, 250):
        shown = compact(text, budget=budget, threshold=budget).text
        assert "- Keep rope" in shown
        assert (lead in shown) == ("knot --measure rope.cfg" in shown)


def test_a_short_picture_stands_with_the_line_that_leads_to_it() -> None:
    picture = (
        "```\nPORTS (the end)\n    │\n    ├── boats of the north\n    └── boats of the south\n    │\n    ▼\nSEAS\n```"
    )
    filler = "".join(
        f"## Part {n}\n\nPart {n} tells how the harbour of year {n} was made, and by whom.\n\n" for n in range(40)
    )
    lead = "The harbour is made of two distinct but connected parts:"
    shown = compact(f"# Harbour\n\n## Parts\n\n{lead}\n\n{picture}\n\n{filler}", budget=300, threshold=300).text
    assert f"{lead}\n" in shown
    assert "boats of the south" in shown


def test_a_comment_of_an_example_is_no_heading_of_notes() -> None:
    log = "".join(
        f"## Session: 2025-11-{30 - n} - Harbour {n}\n\n### Done\n\n"
        + "".join(f"- Bound the rope {n}{k} to the pier of the east\n" for k in range(30))
        + f"\n### How to use\n\n```bash\n# Start the crane\ncrane up --pier {n}\n```\n\n"
        + f"### Test results\n\n- Piers: {n + 51} of 61 hold\n\n### Blockers\n\n- None of pier {n}\n\n"
        for n in range(12)
    )
    shown = compact(f"# Progress\n\nOf the harbour.\n\n{log}", budget=500, threshold=500).text
    assert "- Piers: 51 of 61 hold" in shown and "- None of pier 0" in shown
    assert "- None of pier 11" not in shown and "- None of pier 3" not in shown


def test_of_many_dated_sections_the_newest_are_named() -> None:
    days = [f"2025-{month:02}-{day:02}" for month in range(1, 5) for day in range(1, 25)]
    for order in (days, days[::-1]):
        log = "".join(
            f"## {day} - what was done along the quay\n\n" + f"- Bound the rope of {day} to the pier\n" * 8
            for day in order
        )
        shown = compact(f"# Log\n\nOf the quay.\n\n{log}", budget=500, threshold=500).text
        told = next(line for line in shown.split("\n") if line.startswith("Sections, newest first, "))
        assert told.index("2025-04-24") < told.index("2025-04-23") and "2025-01-" not in told
