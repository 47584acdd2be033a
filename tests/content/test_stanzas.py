"""Outputs of commands that consist of stanzas: counted, named, told in what they differ, one of them whole."""

from __future__ import annotations

import time

import pytest

from mcpcompact import compact


def berths(many: int = 24, *, indent: str = "  ", blank: bool = True) -> str:
    lines = ["Harbour control v2", ""]
    for n in range(many):
        state = "Closed" if n == 17 else "Open"
        lines += [
            f"Berth{n}/1 is occupied",
            f"{indent}Pilot: crew-{n * 31}",
            f"{indent}Gate state: {state}",
            f"{indent}Depth: {n % 7 + 9} m",
            f"{indent}{5 if n == 3 else 0} ropes torn, 0 anchors lost",
            f"{indent}Lamp: lit",
        ]
        lines += [""] if blank else []
    return "\n".join([*lines, "Total berths: " + str(many)])


@pytest.mark.parametrize(("indent", "blank"), [("  ", True), ("\t", False), ("", True)])
def test_stanzas_are_counted_named_and_told_in_what_they_differ(indent: str, blank: bool) -> None:
    out = compact(berths(indent=indent, blank=blank), budget=400, threshold=100)
    assert out.content_type == "text" and "24 stanzas of 6" in out.text, out.text
    assert "Gate state: Open ×23 · Closed ×1 (Berth17/1)" in out.text
    assert "… ropes torn, … anchors lost: 0 0 ×23 · 5 0 ×1 (Berth3/1)" in out.text
    assert "the same in all: Lamp: lit" in out.text
    assert "“… is occupied” ×24: 3 Berth0/1" in out.text


def test_one_stanza_stands_whole() -> None:
    text = berths(90)
    first = text[20:].split("\n\n")[0].replace("\n", "\n  ")  # its lines in one column, behind the number of the first
    assert f"\n  {first}\n" in compact(text, budget=500, threshold=100).text


def test_a_stanza_that_differs_is_named_by_its_line_where_names_repeat() -> None:
    lines = [
        line
        for n in range(30)
        for line in (
            f"Route: 10.0.{n % 25}.0/24",
            f"Via: gate{n}",
            f"Age: {n * 7}s",
            f"Kind: {'static' * (n == 1) or 'direct'}",
        )
    ]
    assert "Kind: direct ×29 · static ×1 (line 5)" in compact("\n".join(lines), budget=300, threshold=100).text


def test_kinds_that_stand_below_the_first_line_are_counted() -> None:
    kinds = ("Pump", "Winch", "Lamp")
    text = "\n\n".join(
        f"Handle 0x{n:04X}, type {n % 3}, 40 bytes\n{kinds[n % 3]} Information\n\tMaker: quay\n\tSerial: {n * 977}"
        for n in range(60)
    )
    assert "Pump Information ×20 · Winch Information ×20 · Lamp Information ×20" in compact(text, budget=300).text


def test_rows_and_prose_are_no_stanzas() -> None:
    rows = "\n".join(f"{n} pier{n % 9} {n * 3} up" for n in range(200))
    prose = "\n\n".join(f"The crane lifts part {n}.\nIt is slow.\nNobody hurries.\nThe tide turns." for n in range(60))
    samples = "\n".join(
        f'rope_total{{pier="{n * 7 % 13}",crew="{n % 5}"}} {n}\nlamp_total{{pier="{n % 9}"}} 3' for n in range(90)
    )
    assert all("stanza" not in compact(text, budget=300, threshold=100).text for text in (rows, prose, samples))


def test_many_stanzas_are_read_in_time() -> None:
    begun = time.process_time()
    compact(berths(6_000), budget=500)
    assert time.process_time() - begun < 6


def test_a_few_times_among_values_make_no_log() -> None:
    values = [f"Part {n} of the quay         stone {n * 31}" for n in range(80)]
    values[10:12] = [
        "Built                       2019-08-19 23:25:31",
        "Mended                      2020-01-02 10:00:00",
    ]
    assert compact("\n".join(values), budget=300, threshold=100).content_type != "log"


def test_what_one_place_says_is_not_said_of_another_of_that_name() -> None:
    lines = [
        line
        for n in range(60)
        for line in (
            f"Quay: north{n}",
            "  Length: 9",
            "  Crew:",
            f"    Length: {40 if n == 5 else 31}",
            f"  Tide: {n * 7}",
            "",
        )
    ]
    text = compact("\n".join(lines), budget=250, threshold=100).text
    assert "Length (as in line 4): 31 ×59 · 40 ×1 (north5)" in text and "Length: 9 ·" not in text, text


def test_a_state_is_told_by_what_comes_before_its_details() -> None:
    text = berths()
    for n in range(24):
        text = text.replace(
            f": crew-{n * 31}\n", f": {'waits' if n % 3 else 'sails'}, since {n * 7 + 1} min (crew {n})\n"
        )
    out = compact(text, budget=400, threshold=100).text
    assert "Pilot: waits … ×16 · sails … ×8" in out, out
    assert out.index("Pilot: ") < out.index("ropes torn")  # words of a state stand before numbers


def test_what_stands_farther_left_heads_a_stanza() -> None:
    lines = [
        line
        for n, kind in enumerate(["Rope", "Chain", "Wire", "Hose"] * 4)
        for line in (
            f"{kind} mooring {kind[:2]}-line {n}:",
            "",
            f"   Maker . . . . . . . . : yard-{n * 37}",
            f"   Serial. . . . . . . . : {n * 977}",
            f"   Pull  . : {'tight' if n == 1 else 'slack'}",
            f"   Laid on . . . . . . . : 20{n + 10}-0{n + 1}-11",
            "",
        )
    ]
    out = compact("Harbour ropes\n\n" + "\n".join(lines), budget=400, threshold=100).text
    assert "Pull: slack ×15 · tight ×1" in out and "3 Rope mooring Ro-line 0: · 10 Chain mooring" in out, out


def test_what_begins_a_paragraph_heads_it_where_it_is_another_in_each() -> None:
    text = "\n\n".join(
        f"OurRope       Pier          Pull(mult)  State\n10.0.{n}.57     10.0.{n}.60   {n * 31}/34    (3 )   Up\n"
        f"Mooring is UP and holds with 9 knots.\nHolddown (hits): 0(0), Hello (hits): 1000({n * 977})\n"
        f"Waves: {n * 31}, interval (ms) last: {n * 7}\nGusts: {n * 13}, interval (ms) last: {n}\n"
        f"Watched by: crew\nSince: 0{n % 9}:43\nLast look: lamp: 1"
        for n in range(12)
    )
    out = compact(text, budget=400, threshold=100).text
    assert "12 stanzas of 8" in out and "2 10.0.0.57 · 12 10.0.1.57" in out, out


def test_keys_with_blanks_are_no_yaml() -> None:
    words = ("berth", "quay", "rope", "lamp", "crew", "tide", "crane", "mast", "keel", "sail")
    lines = [
        f"    {'    ' * (n % 4 > 1)}{a.title()} {b}: {n}, {b} of {a}: {n * 7} m"
        for n, a in enumerate(words)
        for b in words
    ]
    assert compact("Harbour:\n" + "\n".join(lines), budget=300, threshold=100).content_type == "text"


def reads() -> str:
    lines = []
    for n in range(12):
        lines += ["", f"Reading of rope {n}:", f"Sum of strands:    {n * 7919}"] if n % 4 == 0 else []
        lines += [f"Strands that held:\t{n * 977}\t{n}%\t(quay-{n})"]
        lines += [
            f"\tHeld by {what}:\t{n * 7 % 10}%"
            for what in ("hand", "a hook", "chain", "the crane", "a cleat", "bitt", "pin", "its oar")
        ]
    lines += ["", "Looking at knots...", ""]
    for n in range(3):
        lines += ["*" * 30, f"mole-{n}", "*" * 30, "", "Counting the loops...", f"\tLoops of it:\t{n * 31 + 5}", ""]
    return "\n".join([*lines, "All of it written to file:\tknots.txt"])


def test_a_stanza_ends_where_its_own_lines_end() -> None:
    out = compact(reads(), budget=330, threshold=100).text
    assert "12 stanzas of 9 lines" in out, out
    assert "“Strands that held: …”: 4 0 0% (quay-0) · 13 977 1% (quay-1)" in out, out
    loops = out.partition("Loops of it")[0]
    assert loops == out or "mole-" in loops, out


def test_heads_of_nothing_are_shown() -> None:
    text = berths(20) + "\n\nBerth 20 is gone\nBerth 21 is gone"
    out = compact(text, budget=340, threshold=100).text
    assert "Berth 20 is gone\n" in out and "Berth 21 is gone" in out, out


def test_of_three_stanzas_the_one_in_another_state_is_told() -> None:
    def berth(name: str, state: str, event: str) -> list[str]:
        said = [f"  Berth state is {state}", f"  Last event was {event}", "  Hold time is 90, every 30 seconds"]
        parts = ("Winch", "Rope", "Keel", "Mast", "Sail", "Hull", "Crane", "Anchor", "Rudder", "Pump", "Lamp", "Bell")
        return [f"Berth is {name}, quay 7", *said, *(f"  {part} count: {len(name + part) * 7}" for part in parts)]

    parts = (
        berth("alpha", "Moored, up for 00:06:10", "Update"),
        berth("beta", "Adrift", "StormError"),
        berth("gamma", "Moored, up for 01:00:00", "Update"),
    )
    text = "\n".join(line for part in parts for line in part) + "\n"
    out = compact(text, budget=250, threshold=100).text
    assert "Berth state: Moored … ×2 · Adrift ×1 (beta)" in out, out


def test_what_a_tool_says_right_behind_its_last_stanza_is_shown() -> None:
    ends = ["09:12 INF 24 berths looked at in 60.4ms", "09:12 WRN torn ropes found: 7", "Departure blocked."]
    advice = ["", "What to do:", "", *(f"{n}. Splice rope {n} as its page of the handbook says" for n in range(1, 30))]
    text = compact("\n".join([*berths().split("\n")[:-2], *ends, *advice]), budget=260, threshold=260, store=None).text
    assert all(line in text for line in ends)


def test_stanzas_above_a_printed_document_are_told_with_their_place() -> None:
    ruler = "=" * 60
    lines = [ruler, "HARBOUR REPORT", ruler, ""]
    for n, ship in enumerate(("Albatros", "Bonito", "Cormoran", "Dorade", "Esturgeon", "Fulmar", "Goeland")):
        lines += [ruler, f"Ship: {ship} of line {n}", f"Cargo note: {ship.lower()} carries grain and rope", ""]
        lines += ["Crew (2 people):", f"  - captain {ship[::-1]}", f"  - mate {ship[:3]}", ""]
        lines += ["Seen in 1 ports:", f"  - quay {n * 7 + 3} of the old harbour", ""]
    last = len(lines) - 1
    lines += [ruler, "ROUTES (JSON)", ruler, "", "{", *(f'  "route_{n}": "berth {n * 3}",' for n in range(90)), "}"]
    out = compact("\n".join(lines), budget=500, threshold=100).text
    assert f"7 stanzas of 7 lines that are not blank, lines 6–{last}\n" in out, out
    assert "“Ship: …”: 6 Albatros of line 0" in out and "Goeland of line 6" in out
    assert "ROUTES (JSON)" in out
