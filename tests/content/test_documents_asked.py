"""Documents that answer a question: the section that does comes first, and no line that leads on stands alone."""

# ruff: noqa: E501 - samples read better whole

from __future__ import annotations

import re

from mcpcompact import compact

STEPS = " ".join(f"It then moves part {n} of the load to the next bay and waits there." for n in range(12))


def _answer(*, purpose: str) -> str:
    """What a service says of a project: its name throughout, its purpose in one section, much else in others."""
    others = "\n\n".join(
        f"## {name}\n\nThe {name.lower()} of the crane is told by three parts.\n\n"
        + "\n".join(f"*   `crane-{name.lower()}-{n}`: {STEPS[: 90 + n]}" for n in range(5))
        for name in ("Packages", "Engine", "Rails", "Cabin", "Notes")
    )
    return f"The `dock/crane` project is a planner for harbour cranes. {STEPS}\n\n{purpose}\n\n{others}\n"


def test_what_a_project_is_about_is_answered_by_the_section_that_says_its_purpose() -> None:
    purpose = (
        "## Core Purpose and Features\n\nThe planner keeps ships from waiting. Key features include:\n\n"
        "*   **Tides**: it knows when each berth can be reached by which vessel and says so ahead of time to the crew .\n"
        "*   **Loads**: it refuses what a crane cannot lift, and tells the warden which other crane could lift it .\n"
    )
    question = {"repoName": "dock/crane", "question": "What is the dock/crane repository about?"}
    shown = compact(_answer(purpose=purpose), budget=300, arguments=question).text
    assert "keeps ships from waiting" in shown and "**Tides**" in shown and "**Loads**" in shown
    assert shown.count("Core Purpose and Features") == 1


def test_a_heading_of_nothing_but_asked_words_answers_beside_one_with_more_of_them() -> None:
    purpose = (
        "## Main Features and Purpose\n\nThe project has several core features:\n\n"
        f"### 1. Tides\n\nIt knows when each berth can be reached.\n\n### 2. Loads\n\n{STEPS}\n\n"
        "## Purpose\n\nThe overarching purpose is to keep ships from waiting at the quay.\n"
    )
    question = {"repoName": "dock/crane", "question": "What are its main features and purpose?"}
    shown = compact(_answer(purpose=purpose), budget=300, arguments=question).text
    assert "keep ships from waiting at the quay" in shown and "berth can be reached" in shown


def test_of_lists_below_titles_in_bold_each_shows_its_first_entry() -> None:
    def entries(word: str) -> str:
        return "\n".join(
            f"  - *{word}{n} Works*: moved by {n}.{n}5 % after a report of the warden." for n in range(1, 9)
        )

    lists = "\n\n".join(f"- **{name}:**\n{entries(name[:3])}" for name in ("Gainers", "Losers", "Traded", "Halted"))
    text = f"# Market\n\nAs of today, this is what the market did:\n\n**Movers:**\n\n{lists}\n\nFigures may change.\n"
    shown = compact(text, budget=300).text
    for name in ("Gainers", "Losers", "Traded", "Halted"):
        assert f"- **{name}:**\n  - *{name[:3]}1 Works*" in shown


def test_a_sentence_that_leads_on_comes_with_what_it_leads_to() -> None:
    rules = "\n".join(
        f"- rule {n}: the winch of bay {n} is locked while a ship of that length passes" for n in range(9)
    )
    others = "\n\n".join(f"## {name}\n\n{STEPS}" for name in ("Rails", "Cabin", "Engine", "Paint", "Lamps"))
    text = f"# Crane\n\nA planner for cranes.\n\n{others}\n\n## Locks\n\nThese checks hold for each lock of the quay:\n\n{rules}\n"
    shown = compact(text, budget=200, focus="which locks hold the winch").text
    assert "each lock of the quay:\n\n- rule 0" in shown


def test_a_row_has_its_bars_and_stands_below_the_header_and_the_sentence_before_it() -> None:
    others = "\n\n".join(f"## Part {n}\n\n{STEPS}" for n in range(60))
    lead = "For runs with a stream of events the warden of the quay may watch or turn the stream as it goes by:"
    rows = (
        "| Hook | Bay | Purpose |\n|---|---|---|\n| `wrap_stream` | `bay-17` | Watch or turn the events of the stream |"
    )
    text = f"# Crane\n\nA planner for cranes.\n\n{others}\n\n## Streams\n\n{lead}\n\n{rows}\n\n{others}\n" * 2
    shown = compact(text, budget=900, focus="wrap_stream bay-17").text
    assert "| `wrap_stream` | `bay-17` | Watch or turn the events of the stream |" in shown
    at = shown.index("| Hook | Bay | Purpose |")
    assert shown.index("| `wrap_stream`") > at and lead not in shown[at:].split("##")[0]


def test_a_picture_of_lines_and_arrows_is_not_torn() -> None:
    picture = "```\nQuay office (desk.go)\n    |\n    v\n    +-- Crane room (crane.go, rope.go)\n    |\n    +-- Store\n    |\n    +-- Gate (gate.go)\n```"
    others = "\n\n".join(
        f"## Part {n}\n\n{STEPS.replace('load', f'cargo{n}')}\n\nSee `part_{n}.go:{n}7` for it." for n in range(9)
    )
    text = f"# Review\n\nA review of the crane.\n\n## Layers\n\nThe layers are these:\n\n{picture}\n\n{others}\n"
    shown = compact(text, budget=400).text
    assert picture.removesuffix("\n```") in shown or ("    |\n" not in shown and "+--" not in shown)


def test_a_few_commands_stand_together() -> None:
    commands = "git clone https://ostra.example/crane.git\ncd crane\npip install -e ."
    others = "\n\n".join(
        f"## Part {n}\n\n{STEPS.replace('load', f'cargo{n}')}\n\nSee `part_{n}.go:{n}7`." for n in range(9)
    )
    text = f"# Crane\n\nA planner for cranes.\n\n## From source\n\nTo change the planner:\n\n```bash\n{commands}\n```\n\n{others}\n"
    for budget in (150, 300, 500):
        shown = compact(text, budget=budget, threshold=budget).text
        assert commands in shown or not any(command in shown for command in commands.split("\n"))
    assert commands in shown


def test_the_list_that_answers_stands_whole_before_other_sections() -> None:
    rules = "\n".join(
        f"- **{name}.** The planner {does} before anything moves, and says so in the book of the day."
        for name, does in (
            ("Locks", "checks each lock of the crane"),
            ("Keys", "asks for two keys"),
            ("Wind", "reads the wind at the mast"),
            ("Ropes", "counts the strands of a rope"),
            ("Doors", "closes the doors of the quay"),
            ("Lamps", "lights the red lamps"),
            ("Bells", "rings twice"),
        )
    )
    text = _answer(purpose=f"## Safety\n\nThe planner guards the crew in several ways:\n\n{rules}\n")
    shown = compact(text, budget=600, threshold=500, focus="review the planner with a look at safety").text
    assert all(f"**{name}.**" in shown for name in ("Locks", "Keys", "Wind", "Ropes", "Doors", "Lamps", "Bells"))


def _report() -> str:
    """What a helper reports: its title repeats the task, one section of many answers it."""
    parts = [
        f"### {n}. {name} of the crane\n\n#### `/srv/dock/{name.lower()}/crane_{n}.py`\n\n{STEPS}\n\n"
        f"It needs `part_{n}.toml` and {n * 37} bolts.\n"
        for n, name in enumerate(("Rails", "Cabin", "Engine", "Ropes", "Hooks", "Lights", "Doors", "Ladders"), 1)
    ]
    tides = (
        "### 9. Tide tables\n\n#### `/srv/dock/tides/table.py`\n\nLines 40-90 read the tables of a harbour:\n\n"
        "```python\ndef read_tides(harbour: str) -> list[Tide]: ...\ndef next_flood(tides: list[Tide]) -> Tide: ...\n```\n"
    )
    return "## How the harbour planner reads tide tables\n\n" + "\n".join([*parts, tides]) + "\n" + parts[0][4:] * 2


def test_the_title_of_a_report_is_not_the_section_that_answers() -> None:
    task = {"prompt": "Find out how the harbour planner reads tide tables. Look for:\n1. files of the engine\n2. hooks"}
    shown = compact(_report(), budget=400, threshold=100, arguments=task, focus="can we cache the tide tables?").text
    assert "### 9. Tide tables" in shown and "def read_tides(harbour: str) -> list[Tide]: ..." in shown


def test_sections_are_named_of_which_nothing_is_shown_the_upper_ones_first() -> None:
    shown = compact(_report(), budget=300, threshold=100).text
    told = next(line for line in shown.split("\n") if line.startswith("Sections not shown: "))
    assert "Headings:" not in shown and told.endswith(" more")
    named = told.removeprefix("Sections not shown: ").split(" · ")[:-1]
    lines = _report().split("\n")
    assert named and not any(".py" in one for one in named)  # a file's own heading is below its part's
    for one in named:
        number, title = one.split(" ", 1)
        assert lines[int(number) - 1].lstrip("# ") == title


def _survey(name: str) -> str:
    low = name.lower()
    seen = "\n\n".join(
        f"The list `{low}/bay_{n}.toml` was read on day {n} and holds {n}{len(name)}7 {low}, of which the warden saw all."
        for n in range(1, 7)
    )
    return f"## {name}\n\nThe {low} were counted first.\n\n{seen}\n\n"


def test_each_point_of_a_long_request_is_answered() -> None:
    parts = "".join(map(_survey, ("Berths", "Rails", "Cabins", "Lamps", "Masts", "Sheds", "Gates", "Ropes")))
    end = "**No frayed winch cables**\n\nEach was looked at from both ends.\n"
    report = f"# Survey of the dock\n\nWhat was seen.\n\n{parts}{end}"
    setting = " ".join(f"context{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(90))
    points = "Tell of each:\n1. Which gates and lamps were counted\n2. Whether any winch cables are frayed\n"
    task = f"Survey the dock: its berths, rails and lists. {setting}\n\n{points}"
    asked = (compact(report, budget=220, arguments={"prompt": task}), compact(report, budget=220, focus=task))
    assert all("**No frayed winch cables**\n\nEach was looked at" in one.text for one in asked)


def test_a_second_example_below_a_label_stands_with_the_first() -> None:
    bodies = [
        f'```json\n{{\n  "action": "{action}",\n  "expected_berth": "{berth}"{more}\n}}\n```'
        for action, berth, more in (
            ("pull", "north", ""),
            ("force_push_to_quay", "south_basin_17", ',\n  "confirmed_by_harbour_master": true'),
        )
    ]
    sections = "\n\n".join(f"## Part {n}\n\nIt is about bay {n}. {STEPS}" for n in range(4))
    text = f"# Cranes\n\nHow cranes are asked.\n\n{sections}\n\n## Endpoint\n\nRequest shape:\n\n{bodies[0]}\n\n{bodies[1]}\n"
    for budget in (160, 200, 240, 280, 320, 360):
        shown = compact(text, budget=budget).text
        assert "force_push_to_quay" not in shown or '"action": "pull"' in shown
    assert "force_push_to_quay" in shown


def test_how_severe_a_concern_is_comes_before_its_details() -> None:
    parts = "".join(
        f"**Concern {n}: tides of bay {n}**\n\nThe planner reads `tides/bay_{n}.csv` once:\n\n"
        f"```python\nberth_{n} = find_berth({n}, 'tides/bay_{n}.csv')\n```\n\n"
        f"Then `plan_{n}.toml` is written by `write_plan_{n}` for the {n} cranes of it.\n\n"
        for n in range(9)
    )
    severity = "**Severity: LOW** - each is checked again on arrival.\n\n"
    text = f"# Review\n\nWhat was found.\n\n## Tides of this week\n\n{parts}{severity}## Notes\n\n{STEPS}\n"
    assert "**Severity: LOW**" in compact(text, budget=200).text


def test_a_name_of_code_in_a_short_request_finds_the_lines_that_hold_its_words() -> None:
    rules = "\n".join(f"   {n}. Keep the rope of mast {n} dry and count its knots at noon." for n in range(1, 9))
    cap = "   9. **Cap throughput** at a bounded load (3 to 5 carts) even when more carts are free."
    parts = "\n\n".join(
        f"## Watch {n}\n\nThe watch of day {n} walks along the quay and writes down what it sees.\n\n"
        + "\n".join(f"{k}. Look at the lamp of pier {n}{k} and at the knots of its ropes." for k in range(1, 9))
        for n in range(8)
    )
    text = f"# Keeper\n\nHow the quay is kept.\n\n## Loads\n\nThe carts bring loads.\n\n{rules}\n{cap}\n\n{parts}\n"
    shown = compact(text, budget=400, threshold=400, focus="we should call ours max_throughput as well").text
    assert cap in shown


def test_a_short_section_that_surely_answers_is_shown_whole() -> None:
    def part(name: str, n: int) -> str:
        return (
            f"## {name}\n\n**Purpose**: Told when the {name.lower()} of a gate is seen.\n\n**Can hold**: Yes, by code {n}\n\n"
            f'**Matchers**: None of {name.lower()}\n\n**Input**:\n```json\n{{\n  "gate": "string",\n  "event": "{name}"\n}}\n'
            f"```\n\n**Uses**:\n- Count the ropes of {name.lower()}\n- Tell the keeper\n- Close the book of the day\n\n"
            f'**Response**:\n```json\n{{\n  "decision": "hold",\n  "reason": "The lamp {n} is not lit yet."\n}}\n```\n'
        )

    names = ("Opening", "Closing", "Halting", "Turning", "Lifting", "Sinking", "Mooring", "Sailing")
    text = "# Events of gates\n\nWhat a gate tells.\n\n" + "\n".join(part(name, n) for n, name in enumerate(names))
    shown = compact(text, budget=350, threshold=350, focus="Halting gate event error: schema is invalid").text
    assert "The lamp 2 is not lit yet." in shown and "Count the ropes of halting" in shown


def test_a_document_below_a_tools_own_line_is_read_by_its_sections() -> None:
    parts = [
        f"## Quay {n}\n\nThe crane of quay {n} lifts {n * 7} tons; its log is `quay/{n}.log`.\n" for n in range(60)
    ]
    body = "\n".join(["# Harbour", "", *parts]).split("\n")
    said = "The file /srv/harbour.md has been updated. Here's the result of running `cat -n` on a snippet:"
    text = "\n".join([said, *(f"{n:>6}→{line}" for n, line in enumerate(body, 1))])
    out = compact(text, budget=500, threshold=0, tool="Edit", arguments={"file_path": "/srv/harbour.md"}).text
    assert "lines of Markdown, lines 1" in out and said in out and "Sections not shown: " in out
    shown = [line for line in out.partition(said)[2].split("\n") if re.match(r"\d+ ", line)]
    below = [
        line for line in out.partition("(numbers:")[2].split("\n")[1:] if not line.startswith("Sections not shown")
    ]
    told = re.search(r"(\d+) of 243 lines shown", out)
    assert told and int(told[1]) == len(below) + 1, "what the tool says above it is a line of the result, too"
    assert len(shown) > 1 and all(
        body[int(line.split(" ", 1)[0]) - 1].startswith(line.split(" ", 1)[1][:12]) for line in shown
    )


def test_each_thing_that_a_long_request_lists_is_shown_and_an_acronym_by_its_heading() -> None:
    aims = (
        "- Mooring: tie every boat to two rings before the tide turns.\n"
        "- Quick-berth by day: a boat is berthed within one bell of its call.\n"
        "- Open ledgers: the ledger is the source of truth for each crate and cask.\n"
        "- Tool edges: reach the crane through narrow fittings, never by its own winch.\n"
    )
    others = "\n".join(
        f"## {name}\n\nThe {name.lower()} of the yard have a warden.\n\n"
        + "".join(
            f"- The {name.lower()} have a {part} told by three marks.\n" for part in ("rope", "hook", "gate", "lamp")
        )
        for name in ("Ropes", "Cranes", "Sheds", "Lamps", "Doors")
    )
    towing = "## YTNW: You Tow No Wreck\n\nNothing is towed before its owner is known.\n"
    text = f"# Harbour\n\nWhat the harbour holds to.\n\n## Aims\n\nShips are to be quick.\n\n{aims}\n{others}\n{towing}"
    task = " ".join(f"Vessel{a}{b} waits beside pontoon{b}{a}." for a in "abcdefgh" for b in "ghjklm")
    rules = "quick-berth by-day, ledgers as source of truth, narrow fittings, YTNW"
    focus = f"{task}\n\n- Give a clear plan grounded in the rules ({rules}).\n- Tell the crew.\n"
    shown = compact(text, budget=200, threshold=200, content_type="markup", focus=focus).text
    assert all(said in shown for said in ("Quick-berth", "Open ledgers", "Tool edges", "Nothing is towed"))


def test_a_view_of_a_document_with_a_gap_shows_no_line_without_its_own_heading() -> None:
    phases = [
        f"### Phase {n}: Berth {n}\n**Crew**: {n}\n\n#### Tasks:\n"
        + "\n".join(f"{k}. **Rope {n}{k}**\n   - `winch_{n}_{k}.go` - pulls hawser {n * k}" for k in range(1, 5))
        for n in range(1, 8)
    ]
    body = [
        "# Moor the fleet",
        "",
        "```",
        "quay/",
        *["  gap"] * 40,
        "```",
        "",
        "## Phases",
        *"\n".join(phases).split("\n"),
    ]
    view = [f"{n:>6}→{line}" for n, line in enumerate(body, 1) if not 4 < n < 40]
    out = compact("\n".join(view), budget=300, threshold=0, tool="Read", arguments={"file_path": "plan.md"}).text
    phase = 0
    for line in out.split("\n"):
        phase = int(found[1]) if (found := re.search(r"### Phase (\d)", line)) else phase
        assert not (winch := re.search(r"winch_(\d)_", line)) or int(winch[1]) == phase, out
    assert out.count("### Phase") > 1 and "winch_" in out
