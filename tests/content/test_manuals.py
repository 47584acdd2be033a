"""The help of a command: all names first, entries whole."""

from __future__ import annotations

from mcpcompact import compact

NAMES = [f"--{a}-{b}" for a in ("moor", "haul", "ease", "trim", "reef") for b in ("fore", "aft", "port", "lee", "top")]


def page(name: str) -> list[str]:
    lines = [f"Usage: {name} [OPTION]... BARGE", "Works the deck.", "", "Lines:"]
    for at, option in enumerate(NAMES):
        short = f"-{chr(97 + at)}, " if at % 2 else "    "
        lines += [
            f"  {short}{option}=N",
            f"             how far the line of {option[2:]} runs out, in fathoms,",
            "             before it is made fast",
        ]
    return [*lines, "", "Exit status: 0 where nothing broke."]


def test_every_option_is_named_before_any_is_explained() -> None:
    out = compact("\n".join(page("deck")), budget=400, threshold=400, tool="bash", arguments={"command": "deck --help"})
    lines = out.text.split("\n")
    assert out.content_type == "text"
    assert lines[1:4] == [
        f"Help: {len(NAMES)} options.",
        "Usage: deck [OPTION]... BARGE",
        f"options: {' '.join(NAMES)}",
    ]
    entries = [at for at, line in enumerate(lines) if line.rstrip().endswith("=N")]
    assert entries and all(lines[at + 2].strip() == "before it is made fast" for at in entries)


def test_commands_stand_before_options_and_each_help_under_its_own_usage() -> None:
    crew = [
        f"  {word:<12} does what a {word} does"
        for word in ("bosun", "cook", "mate", "pilot", "purser", "reefer", "swab")
    ]
    text = "\n".join(["Usage:", "  ship [command]", "", "Commands:", *crew, "", *page("deck")])
    shown = compact(text, budget=700, threshold=700, tool="bash").text
    assert f"Help: 7 commands, {len(NAMES)} options." in shown
    first, _, second = shown.partition("Usage: deck [OPTION]... BARGE")
    assert "Usage: ship [command]\ncommands: bosun cook mate pilot purser reefer swab\n" in first
    assert second.startswith(f"\noptions: {' '.join(NAMES)}\n")


def test_a_help_that_begins_with_its_name_alone_is_one() -> None:
    lines = ["deck haul", "> Works the deck", "", "OPTIONS:"]
    lines += [f"  {name} <number> - how far the line of {name[2:]} runs out before it is made fast" for name in NAMES]
    shown = compact("\n".join(lines), budget=400, threshold=400, tool="bash").text.split("\n")
    assert shown[1:4] == [f"Help: {len(NAMES)} options.", "deck haul", f"options: {' '.join(NAMES)}"]


def test_an_entry_of_a_list_goes_on_with_no_sentence() -> None:
    entries = [f"  --{name} <str>   - what the file of the {name} is called when the run is over" for name in "abcdefg"]
    shown = compact("\n".join(["The parts", *entries * 12]), budget=300, threshold=300, tool="bash").text
    assert "chars]" not in shown


def test_prose_that_says_how_something_is_used_is_no_help_of_a_command() -> None:
    prose = [
        f"Usage: in the year {1800 + n} the keeper wrote of {n * 13 % 89} ships and their lamps." for n in range(80)
    ]
    assert "Help:" not in compact("\n".join(prose), budget=300, tool="read").text


def test_a_page_of_the_manual_names_its_call_its_sections_and_its_options() -> None:
    options = [
        line
        for name in NAMES
        for line in (
            f"       {name}=N",
            f"              How far {name[2:]} runs. Then it is made fast",
            "              by hand.",
            "",
        )
    ]
    prose = [
        f"       The deck of barge {n} is long and wide, and says little of how it\n       is called.\n"
        for n in range(60)
    ]
    text = "\n".join(
        [
            "DECK(1)            User Commands            DECK(1)", "", "NAME", "       deck - works a barge", "",
            "SYNOPSIS", "       deck [OPTION]... BARGE", "", "DESCRIPTION", *prose, "OPTIONS", *options,
            "EXAMPLES", "       deck --moor-fore=3 barge", "", "SEE ALSO", "       winch(1)", "",
        ]
    )  # fmt: skip
    out = compact(text, budget=500, threshold=500, tool="bash", arguments={"command": "man deck"})
    assert f"Manual page: 6 sections, {len(NAMES)} options" in out.text
    assert "EXAMPLES" in out.text and "deck - works a barge" in out.text
    assert "deck [OPTION]... BARGE" in out.text
    assert f"options: {NAMES[0]}" in out.text
    assert sum(f"{name}=N" in out.text for name in NAMES) >= 3


def test_a_usage_that_goes_on_is_marked_and_choices_hide_no_longer_name() -> None:
    used = ["usage: moor.py [-h] [--keel KEEL]", "               [-q {bow,stern}] [-r ROPE [ROPE ...]]", "", "options:"]
    options = [f"  --berth{n} BERTH{n}\n                        the berth of hand {n}" for n in range(40)]
    choices = ["  -q {bow,stern}, --quarter {bow,stern}", "  -r ROPE [ROPE ...], --ropes ROPE [ROPE ...]"]
    out = compact("\n".join([*used, *options, *choices]), budget=400, threshold=300).text
    assert "usage: moor.py [-h] [--keel KEEL] …\n" in out
    assert " --berth39 --quarter --ropes\n" in out
    whole = compact("\n".join([used[0], *used[2:], *options, *choices]), budget=400, threshold=300).text
    assert "usage: moor.py [-h] [--keel KEEL]\n" in whole
