"""What stands below a name is never shown without it: releases, directives, options, entries."""

from __future__ import annotations

from functools import partial

from mcpcompact import compact
from mcpcompact.content.markup import TYPE as MARKUP
from mcpcompact.content.text import TYPE as TEXT
from mcpcompact.engine.rendering import _Heads, numbers
from mcpcompact.outline import Hints, Item, Outline
from mcpcompact.source import Source


def markup(text: str) -> Outline:
    return MARKUP.outline(Source.of_text(text), Hints())


def holding(made: Outline, words: str) -> Item:
    return next(item for item in made.items if words in item.text)


def test_what_is_indented_below_a_named_directive_stands_below_it() -> None:
    text = """Lamps
=====

Settings
--------

.. py:data:: LAMP_COLOUR

    Green by night.

    Default: ``green``

.. py:class:: Lamp(colour)

    A lamp of the quay.

    .. py:method:: Lamp.light()

        Burns until :ref:`dawn`.

    Sold in pairs.

It ends here.
"""
    made = markup(text)
    settings = "4 ## Settings"
    assert made.headline.startswith("reStructuredText")
    assert holding(made, "Default").section == f"{settings}\n7 .. py:data:: LAMP_COLOUR"
    lamp = f"{settings}\n13 .. py:class:: Lamp(colour)"
    assert holding(made, "Burns").section == f"{lamp}\n17     .. py:method:: Lamp.light()"
    assert holding(made, "pairs").section == lamp
    assert holding(made, "It ends").section == settings


def test_a_section_stands_below_its_release_where_releases_are_of_the_highest_level() -> None:
    parts = [f"# 1.{n} (2021-03-0{n})\n\n## Fixed\n\n- The winch of boat_{n} holds.\n" for n in range(1, 8)]
    made = markup("\n".join(parts))
    assert holding(made, "boat_3").section.split("\n") == ["13 # 1.3 (2021-03-03)", "15 ## Fixed"]


def test_the_text_of_an_option_stands_below_it() -> None:
    names = [f"--{a}-{b}" for a in ("moor", "haul", "trim") for b in ("fore", "aft", "port", "lee")]
    lines = ["barge 2.1", "", "USAGE:", "    barge [OPTIONS] DECK", "", "OPTIONS:"]
    for name in names:
        lines += [
            f"    {name} <N>      ", f"            How far the line of {name[2:]} runs out.", "            ",
            "            It is made fast by the crew when it has run out so far, unless the crew was told by",
            f"            --no{name[1:]} not to.", "            ", f"            Undone by {name[2:]}-free.",
        ]  # fmt: skip
    made = TEXT.outline(Source.of_text("\n".join(lines)), Hints())
    assert made.headline == f"{len(names)} options"
    at = lines.index("    --haul-aft <N>      ") + 1
    told = holding(made, "Undone by haul-aft-free")
    assert told.section.split("\n") == ["6 OPTIONS:", f"{at}     --haul-aft <N>"]
    assert "made fast" in holding(made, "--no-haul-aft not to").text


def test_releases_in_boxes_stand_above_their_sections() -> None:
    box = "=" * 40
    parts = [
        f"{box}\nHull 4.{n}   Released Tue 0{n} Feb 2022\n{box}\n\nBug fixes\n=========\n\n"
        f"* The winch of boat_{n} holds.\n"
        for n in range(8, 0, -1)
    ]
    made = markup("Hull 4 release notes\n====================\n\n" + "\n".join(parts))
    assert holding(made, "boat_6").section == "23 # Hull 4.6   Released Tue 06 Feb 2022\n26 ## Bug fixes"
    assert [fact.short or fact.text for fact in made.facts][:2] == [
        'Markdown "Hull 4 release notes", 74 lines',
        "8 releases, each with its line: 5 4.8 · 14 4.7 · 23 4.6 · 32 4.5 · 41 4.4 · 50 4.3 · 59 4.2 · 68 4.1",
    ]  # fmt: skip


def test_the_releases_of_a_debian_changelog_are_its_headings() -> None:
    parts = [
        f"winch (1:2.{n}-1) unstable; urgency=medium\n\n  * Hold boat_{n}.\n\n -- A. Mate <mate@quay.example>  "
        f"Tue, 0{n} Feb 2022 10:00:00 +0000\n"
        for n in range(8, 0, -1)
    ]
    made = markup("\n".join(parts))
    assert holding(made, "boat_6").section == "13 # winch (1:2.6-1) unstable; urgency=medium"
    told = "1 2.8-1 · 7 2.7-1 · 13 2.6-1 · 19 2.5-1 · 25 2.4-1 · 31 2.3-1 · 37 2.2-1 · 43 2.1-1"
    assert f"8 releases, each with its line: {told}" in [fact.short or fact.text for fact in made.facts]


def test_no_number_of_prose_is_odd_before_a_word_that_goes_on() -> None:
    lines: list[str] = []
    for n in range(40):
        status = 124 if n == 25 else n % 2
        lines += [
            f"       The pumps of deck {n} are checked by mate {n} before the boat leaves,  and  the",
            f"       captain is told with status {status} and a word of the mate. What is worn is taken ashore.", "",
        ]  # fmt: skip
    assert "typically" not in compact("\n".join(lines), budget=500, threshold=500).text


def test_a_gap_ends_before_the_heading_of_the_next_line_that_is_shown() -> None:
    first = Item(10, 18, "10-18 The pumps of the boat.", section="1 PUMPS", flow="sentences")
    second = Item(40, 44, "40-44 The bells of the boat.", section="30 BELLS", flow="sentences")
    heads = _Heads([first, second], partial(numbers, shift=0))
    assert heads.above(first) == ["1 PUMPS"]
    assert heads.behind(first, second) == 30


def test_a_message_of_a_catalog_stands_with_its_translation() -> None:
    lines = ['msgid ""', 'msgstr ""', '"Language: de\\n"', ""]
    for n in range(12):
        fuzzy, told = (["#, fuzzy"] if n == 4 else []), ("" if n == 7 else f"Das Boot {n} liegt am Kai.")
        lines += [f"#: quay.c:{n}", *fuzzy, f'msgid "The boat {n} is at the quay."', f'msgstr "{told}"', ""]
    made = TEXT.outline(Source.of_text("\n".join(lines)), Hints())
    assert made.facts[0].text == "Catalog of 12 messages, 1 not translated, 1 fuzzy."
    own = holding(made, "The boat 5 is").text
    assert own.endswith('msgid "The boat 5 is at the quay."\nmsgstr "Das Boot 5 liegt am Kai."')


def test_files_that_were_read_together_stand_below_their_names_without_the_call() -> None:
    ropes = "\n".join(f'rope_{n} = "{n} fathoms"' for n in range(40))
    ships = "\n\n\n".join(
        f"def moor_{n}(ship):\n    ship.rope = {n}\n    return ship.hold(rope={n})" for n in range(40)
    )
    text = (
        f"/quay/ropes.toml:\n{ropes}\n---\n/quay/ships.py:\n{ships}\n---\n/quay/no.txt: Error - ENOENT: no such file\n"
    )
    shown = compact(text, budget=300, threshold=300).text
    assert " in 2 files\n" in shown
    assert "1 /quay/ropes.toml:\n" in shown and "43 /quay/ships.py:\n" in shown
    assert " /quay/no.txt: Error - ENOENT: no such file" in shown


def test_letters_that_a_drawing_moves_stand_in_their_word_and_its_elements_are_counted() -> None:
    drawing = (
        '<svg width="9"><text x="1" y="20px">Steam <tspan x="9px 12px " y="20px 20px ">Tu</tspan>g</text>'
        '<path d="M1,4l9,2"/><text x="2"><tspan x="1" y="30">Port</tspan><tspan x="1" y="44">Side</tspan></text></svg>'
    )
    made = markup(f'<?xml version="1.0"?>{drawing}')
    assert ": Steam Tug}" in holding(made, "Steam").text and "{tspan x=1 y=30: Port}" in holding(made, "Port").text
    assert made.parts == {"elements": 7} == {"elements": sum(item.part[1] for item in made.items)}


def test_what_is_unreleased_is_no_release_and_one_with_a_remark_is() -> None:
    heads = [
        "Unreleased",
        *(f"2.{n}.0 / 2024-01-{n + 10}" for n in range(9, 0, -1)),
        "1.9.6 (backport release)",
        "1.9.5",
    ]
    text = "\n".join(
        f"## {head}\n\n* Moor the ship {n} at berth {n * 7}\n* Haul rope {n}\n" for n, head in enumerate(heads)
    )
    out = compact(text, budget=200, threshold=50).text
    assert "11 releases and what is unreleased, " in out, out


def test_a_choice_of_two_values_repeats_no_key() -> None:
    block = '  name = "berth-{0}"\n  key  = var.moor ? quay.rope[0].name : ""\n  tide = var.wet ? high : "low"\n'
    text = "".join(f'resource "quay" "b{n}" {{\n{block.format(n % 2)}}}\n' for n in range(12))
    out = compact(text, budget=200, threshold=50, arguments={"path": "quay.tf"}).text
    assert "repeated keys: name ×12: berth-0 6, berth-1 6\n" in out, out
