"""What source has besides statements: signatures over several lines, texts that look like source, tests, blocks."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from mcpcompact import compact

PARAMETERS = ["    harbour: Harbour,", "    depth: List<Reading<Int>> = emptyList(),", "    pilot: Boolean = false"]


def read(text: str, path: str, budget: int = 300) -> str:
    return compact(text, budget=budget, threshold=100, tool="read", arguments={"path": path}).text


@pytest.mark.parametrize("budget", [400, 700, 1000])
def test_a_signature_over_several_lines_is_counted_only_where_it_stands_whole(budget: int) -> None:
    rows: list[str] = []
    for n in range(40):
        own = [f'    val berth{k} = harbour.find("pier-{n * 7919 + k}")' for k in range(3)]
        rows += [
            f"fun <T : Ship> T.moor{n}(",
            *PARAMETERS,
            f"): Berth{n} {{",
            *own,
            f"    return berth{n % 3}",
            "}",
            "",
        ]
    text = read("\n".join(rows), "Moorings.kt", budget)
    whole = sum(
        re.search(rf"T\.moor{n}\(\n\s+{PARAMETERS[0].strip()}\n.*\n.*\n\): Berth{n} {{", text) is not None
        for n in range(40)
    )
    assert whole > 0 or budget < 500
    assert f"{whole} of 40 signatures" in text


def test_the_receiver_of_a_function_is_not_its_name() -> None:
    rows: list[str] = []
    for n in range(40):
        rows += [
            f"fun Column<Map<Int, *>>?.isTidal{n}(ship: Ship, depth: Reading<Int>): Boolean =",
            "    this != null",
            "",
        ]
    text = read("\n".join(rows), "Tides.kt", 200)
    assert " isTidal" in text and "Column," not in text


def test_lines_without_a_number_stand_as_they_do_in_the_file() -> None:
    rows: list[str] = []
    for n in range(9):
        first = 60 + 10 * n
        rows += [
            f"{first:>6} def moor_{n}(ship):",
            f"{first + 1:>6}     return ship.berth + {n * 7919}",
            f"{first + 2:>6} ",
        ]
        rows += [f"{first + 3:>6} def tie_{n}(ship):", f"{first + 4:>6} ... eliding lines {first + 4}-{first + 7} ..."]
        rows += [f"{first + 8:>6} ", f"{first + 9:>6} "]
    body = read("\n".join(rows), "tides.py", 420).split("\n")
    for line, after in pairwise(body):
        if re.match(r"\d+ def moor", line) and after.strip().startswith("return"):
            assert after.startswith("    return ")


@pytest.mark.parametrize(
    ("path", "begins", "ends", "inner"),
    [
        ("tide.rs", 'const SAMPLE: &str = r#"', '"#;', "fn quoted() {"),
        ("tide.rs", 'const SAMPLE: &str = "\\', '";', "fn quoted() {"),
        ("tide.js", "const sample = dedent`", "`;", "function quoted() {"),
        ("tide.go", "const sample = `", "`", "func quoted() {"),
        ("tide.py", "SAMPLE = '''", "'''", "def quoted():"),
        ("tide.kt", 'val sample = """', '"""', "fun quoted() {"),
        ("tide.rb", "SAMPLE = <<~TEXT", "TEXT", "def quoted"),
    ],
)
def test_what_a_text_holds_is_no_definition(path: str, begins: str, ends: str, inner: str) -> None:
    body = [begins, inner, "    sink();", "}", ends, ""]
    for n in range(14):
        own = [
            f"    moor(quay{n * 7919 % 997}, depth{n})",
            f"    tie(ship.berth{n}, {n * 31})",
            f"    return ship.tide{n}",
        ]
        body += [inner.replace("quoted", f"own{n}"), *own, *{"rb": ["end"], "py": []}.get(path[-2:], ["}"]), ""]
    said = re.search(r" of (\d+) (?:signatures|heads)", read("\n".join(body), path, 250))
    assert said is not None and int(said[1]) <= 15  # the constant that the text is may be one of them


def test_tests_in_a_file_stand_behind_what_they_test() -> None:
    rows = ["#[derive(Debug)]", "pub(crate) struct Gauge<'a> {", "    level: &'a Level,", "    depth: u64,", "}", ""]
    for n in range(8):
        own = [f'    let berth{k} = find("pier-{n * 31 + k}", {n + k});' for k in range(6)]
        rows += [f"pub fn moor{n}(ship: &Ship) -> u64 {{", *own, f"    berth{n % 6}.depth", "}", ""]
    rows += ["#[cfg(test)]", "mod tests {", "    use super::*;", ""]
    for n in range(30):
        count = 262153 if n == 20 else 366 + n % 3
        rows += [
            "    #[test]",
            f"    fn basic{n}() {{",
            f"        assert_eq!(moor{n % 8}(&ship()), {count});",
            "    }",
            "",
        ]
    text = read("\n".join([*rows, "}"]), "gauge.rs", 500)
    assert "struct Gauge<'a> {\n" in text and "depth: u64," in text
    assert "262153" not in text and "typically" not in text
    assert "fn moor0" in text and text.count("fn basic") <= text.count("fn moor")


@pytest.mark.parametrize("budget", [250, 450, 600])
def test_a_line_of_a_block_stands_with_the_block_that_holds_it(budget: int) -> None:
    rows: list[str] = []
    for n in range(9):
        rows += [f'resource "harbour_ship" "ship{n}" {{', f'  name = "ship-{n * 7919}"', "", "  pilot_reference {"]
        rows += [f'    offer = "tide-{n * 31}"', f'    sku   = "berth-{n * 17}"', "  }", "", "  mooring_lines {"]
        rows += [f'    caching = "quay-{n * 13}"', "  }", "}", ""]
    lines = read("\n".join(rows), "main.tf", budget).split("\n")
    bare = [re.sub(r"^\d+ | {2,3}", lambda match: " " * len(match[0]), line, count=1).strip(" …") for line in lines]
    for line, above in zip(bare[1:], bare, strict=False):
        assert not line.startswith("offer") or above == "pilot_reference {"
        assert not line.startswith("caching") or above == "mooring_lines {"


def test_functions_of_c_below_their_types_are_definitions() -> None:
    rows = ['#include "tide.h"', ""]
    for n in range(9):
        rows += [
            "static size_t",
            f"moor_{n}(ship_t *ship, size_t depth) {{",
            f"\tsize_t berth = find(ship, {n * 7919});",
        ]
        rows += ["\tif (berth > depth)", f"\t\ttie(ship, berth, {n * 31});", f"\treturn (berth + {n});", "}", ""]
    assert " of 9 signatures" in read("\n".join(rows), "tide.c", 250)


def test_the_one_function_of_a_file_that_is_offered_stands_first() -> None:
    rows = ["use harbour::Ship;", "", "pub fn check(", "    ship: &Ship,", "    depth: u64,", ") -> bool {"]
    rows += ["    ship.tide() > depth", "}", ""]
    for n in range(24):
        own = [f'    let berth{k} = find("pier-{n * 31 + k}", {n + k});' for k in range(4)]
        rows += [
            f"fn matching_{n}(ship: &Ship, quay: u64) -> u64 {{",
            *own,
            f"    berth{n % 4}.depth + {n * 7919}",
            "}",
            "",
        ]
    assert re.search(r"pub fn check\(\n\s+ship: &Ship,\n", read("\n".join(rows), "check.rs", 250))


def test_a_sign_within_a_pattern_begins_no_text() -> None:
    rows = ["const plain = text.replace(/[`]/g, '');", ""]
    for n in range(14):
        own = [
            f"  moor(quay{n * 7919 % 997}, depth{n});",
            f"  tie(ship.berth{n}, {n * 31});",
            f"  return `${{ship}}-{n}`;",
        ]
        rows += [f"function own{n}(ship) {{", *own, "}", ""]
    said = re.search(r" of (\d+) (?:signatures|heads)", read("\n".join(rows), "tide.js", 250))
    assert said is not None and int(said[1]) >= 14


def test_a_tag_with_a_type_alone_takes_no_room() -> None:
    rows = ["<?php", "", "$quay = harbour(7919);", ""]
    for n in range(20):
        rows += [
            "/**",
            f" * Moors ship {n} at the quay it was told.",
            " *",
            " * @param  Ship  $ship",
            " * @return bool",
            " */",
        ]
        rows += [f"function moor{n}($ship)", "{", f"    return $ship->berth({n * 7919});", "}", ""]
    for budget in (200, 300, 500, 800):
        assert "* @return bool" not in read("\n".join(rows), "moor.php", budget)


def _window(lines: list[str], command: str, budget: int, first: int = 101) -> str:
    """What is shown of an editor's window on the lines of a file, without their numbers."""
    shown = "".join(f"{n}:{line}\n" for n, line in enumerate(lines, first))
    text = f"[File: /r/rig.py (900 lines total)]\n({first - 1} more lines above)\n{shown}(500 more lines below)\n"
    return compact(text, budget=budget, threshold=budget, tool="goto", arguments={"command": command}).text


def _body(name: str, lines: int) -> list[str]:
    steps = [f"        {name}_{n} = self.haul(rope_{name}_{n}, turns={n * 7919}, knot=tide_{n})" for n in range(lines)]
    return [f"    def {name}(self, rope):", *steps, f"        return {name}_{lines - 1}", ""]


def test_the_definition_that_a_line_is_asked_of_stands_whole_before_others() -> None:
    lines = [*_body("before", 14), *_body("asked", 9), *_body("behind", 14), *_body("last", 12)]
    shown = _window(lines, "goto 118", 420)
    run = "\n".join(_body("asked", 9)[:-1])
    assert run in "\n".join(re.sub(r"^\d+ ", "", line) for line in shown.split("\n"))
    assert "def behind" in shown or "behind" in shown.partition("further definitions: ")[2].partition("\n")[0]


def test_the_documentation_of_what_is_asked_for_stands_behind_its_statements() -> None:
    told = [f'        The {n}th rule of rope number {n * 31} is told in chapter {n} of "Ropes".' for n in range(30)]
    asked = _body("asked", 6)
    head = [
        asked[0],
        '        """Hauls the rope in.',
        "",
        *told,
        "",
        "        >>> rig.asked(rope)",
        "        Traceback (x):",
    ]
    lines = [*_body("before", 9), *head, '        """', *asked[1:], *_body("behind", 12)]
    shown = _window(lines, "goto 112", 420)
    assert all(step.strip() in shown for step in asked[1:-1]) and '"""Hauls the rope in.' in shown
    assert "Traceback" not in shown or ">>> rig.asked(rope)" in shown


def test_a_body_of_one_line_stands_with_its_signature_and_no_line_without_its_statement() -> None:
    lines = [*_body("long", 16), "    def depth(self):", "        return self._depth", "", *_body("other", 16)]
    call = [
        "        raise RopeError(",
        '            "the rope of this rig was cut by %s at noon"',
        "            % self.cutter)",
    ]
    shown = _window([*lines, "    def cut(self):", *call, "", *_body("end", 16)], "scroll_down", 460)
    assert "def depth(self):\n" in shown and "def depth(self): …" not in shown
    assert "% self.cutter" not in shown or "raise RopeError(" in shown


def test_further_imports_give_way_and_the_end_of_what_is_shown_is_marked() -> None:
    imports = [f"from harbour.ropes.of_{n} import (splice_{n},\n    moor_{n}, drift_{n})" for n in range(20)]
    body = [f"    rope_{n} = ship.haul(tide_{n}, turns={n * 7919}, knot=drift_{n})" for n in range(30)]
    head = ["", "def moor(ship):", '    """Moors a ship to', "    the quay.", '    """']
    window = [*imports, *head, *body, "    return rope_29"]
    shown = _window("\n".join(window).split("\n"), "open /r/rig.py", 420, first=1)
    assert "def moor(ship):" in shown and shown.count("import (") <= 6 < shown.count("ship.haul(")
    assert "return rope_29" in shown or shown.rstrip().endswith("…")
