"""Views of source: within a fence, around an edit, indentation; signatures and how many of them are whole."""

from __future__ import annotations

from itertools import pairwise

import pytest

from mcpcompact import compact
from mcpcompact.content.code import TYPE
from mcpcompact.outline import Hints
from mcpcompact.source import Source


def page(lines: int = 120) -> list[str]:
    styles = [f"      .berth-{n} {{ color: #{n * 7919 % 4096:03x}; }}" for n in range(lines)]
    calls = [f"            moor(find('quay-{n}'), {n * 31});" for n in range(lines)]
    return [
        "<!DOCTYPE html>",
        "<style>",
        *styles,
        "</style>",
        "<script>",
        "function draw(ship) {",
        *calls,
        "}",
        "</script>",
    ]


def test_a_page_within_one_fence_is_source_below_its_name() -> None:
    text = "\n".join(["File: `/srv/harbour.html`. Lines 1 to 245:", "", "```html", *page(), "```"])
    out = compact(text, budget=300, threshold=100, tool="read_file", arguments={"filePath": "/srv/harbour.html"})
    assert out.content_type == "code"
    assert "function draw(ship) {" in out.text and "1 of 1 signatures" in out.text


def test_a_file_within_one_fence_has_its_own_numbers() -> None:
    head = "File: `/srv/harbour.html`. Lines 41 to 165 (900 lines total): "
    text = "\n".join([head, "```html", *page(59), "```"])
    told = {"filePath": "/srv/harbour.html", "offset": 41, "limit": 400}
    out = compact(text, budget=300, threshold=100, tool="read_file", arguments=told).text
    assert "125 lines of HTML, lines 41–165 of harbour.html" in out and head.strip() in out and "```" not in out
    assert "\n104 function draw(ship) {" in out
    text = "\n".join(["```html", *page(59), "```"])
    out = compact(text, budget=300, threshold=100, tool="read_file", arguments={"filePath": "/srv/harbour.html"}).text
    assert "lines 1–125 of harbour.html" in out and "\n63 <script>\n" in out
    told = {"filePath": "/srv/harbour.html", "query": "draw"}  # may begin anywhere
    assert "lines 1–" not in compact(text, budget=300, threshold=100, tool="find", arguments=told).text


def test_prose_with_two_fences_is_no_source() -> None:
    text = "\n".join(
        ["```python", "moor()", "```", *(f"Ship {n} lies at the quay and waits for the tide." for n in range(90))]
    )
    assert compact(text, budget=200, threshold=100).content_type != "code"


def test_what_stands_far_in_keeps_its_indentation_in_a_text() -> None:
    names = ["quay", "pier", "dock", "berth", "crane", "buoy", "tide", "rope", "hull", "mast", "keel", "sail"]
    words = [" ".join(names[(n * k + k) % 12] for k in (1, 5, 7, 11)) for n in range(200)]
    rows = [f"{' ' * (2 * (n % 9))}{said} depth{n * 7919}" for n, said in enumerate(words)]
    shown = compact("\n".join(rows), budget=400, threshold=100, content_type="text").text
    for line in shown.split("\n"):
        number, _, said = line.partition(" ")
        if number.isdigit() and "depth" in said and "…" not in said:
            assert said == rows[int(number) - 1]


def functions() -> list[str]:
    rows: list[str] = []
    for n in range(20):
        rows += [
            f"def part_{n}(ship):",
            f"    low = load('gauge-{n * 7919}')",
            "    if ship is None:",
            "        return None",
        ]
        rows += [f"    tide = measure(low, {n * 31})", f"    return tide * {n * 7919}", "", ""]
    return rows


def test_the_function_around_an_edit_stands_whole() -> None:
    rows = functions()
    edited = "    tide = measure(low, ship.draught)"
    at = rows.index("    tide = measure(low, 310)")
    rows[at] = edited
    text = "[File: /srv/tides.py (160 lines total)]\n" + "\n".join(f"{n}:{row}" for n, row in enumerate(rows, 1))
    out = compact(
        text, budget=300, threshold=100, tool="edit", arguments={"command": f"edit {at + 1}:{at + 1}\n{edited}"}
    )
    body = [line.strip() for line in out.text.split("\n")]
    first = next(i for i, line in enumerate(body) if line.endswith("def part_10(ship):"))
    own = [row.strip() for row in rows[at - 3 : at + 2]]
    assert [line.removeprefix(f"{at + 1} ").strip() for line in body[first + 1 : first + 6]] == own


NEW = ["    # by the draught of the ship, not by the gauge", "    tide = measure(low, ship.draught)"]
JOINED = "\n".join(NEW).strip()
PATCH = "*** Begin Patch\n*** Update File: tides.py\n@@\n-    tide = measure(low, 310)\n" + "\n".join(
    f"+{line}" for line in NEW
)


@pytest.mark.parametrize(
    "told",
    [
        {"command": f"edit 'tide = measure(low, 310)' '{JOINED}'"},
        {"command": f'edit "{JOINED}" "tide = measure(low, 310)"'},
        {"file_path": "tides.py", "old_string": "tide = measure(low, 310)", "new_string": JOINED},
        {"path": "tides.py", "edits": [{"old_text": "tide = measure(low, 310)", "new_text": JOINED}]},
        {"command": "insert", "path": "tides.py", "insert_line": 84, "new_str": JOINED},
        {"input": PATCH},
    ],
)
def test_what_an_edit_wrote_stands_in_one_run_with_what_is_beside_it(told: dict[str, object]) -> None:
    rows = functions()
    at = rows.index("    tide = measure(low, 310)")
    rows[at : at + 1] = NEW
    text = "Replaced. Please review:\n" + "\n".join(f"{n:6}\t{row}" for n, row in enumerate(rows, 1))
    body = compact(text, budget=300, threshold=100, tool="edit", arguments=told).text.split("\n")
    first = next(i for i, line in enumerate(body) if line.strip().endswith(NEW[0].strip()))
    own = [row.strip() for row in rows[at - 2 : at + 4]]
    shown = [line.strip().removeprefix(f"{at - 1 + n} ").strip() for n, line in enumerate(body[first - 2 : first + 4])]
    assert shown[: len(own)] == own


def test_signatures_that_are_shown_in_part_are_not_counted() -> None:
    rows: list[str] = []
    for n in range(4):
        own = [f"    gauge_{k}: Mapping[str, Sequence[Tide{n * 7919 + k * 31}]] | None = None," for k in range(9)]
        rows += [f"def part_{n}(", *own, ") -> Tide:", *(f"    x{k} = load('pier-{k * 7919}')" for k in range(9)), ""]
    text = "\n".join([*rows, "def last(ship: Ship) -> None:", "    moor(ship)"])
    out = compact(text, budget=260, threshold=100, tool="read", arguments={"path": "tides.py"}).text
    begun = sum(f"def part_{n}(" in out for n in range(4))
    assert begun and f"{int('def last(' in out)} of 5 signatures" in out


def test_a_body_that_nothing_closes_is_marked_where_it_breaks_off() -> None:
    rows: list[str] = []
    for n in range(24):
        own = [f"    gauge_{k} = load('pier-{n * 7919 + k * 31}', depth={k * n})" for k in range(1 + n % 9)]
        rows += [f"def part_{n}(ship):", *own, f"    return gauge_0 * {n * 7919}", "", ""]
    body = compact("\n".join(rows), budget=400, threshold=100, tool="read", arguments={"path": "tides.py"}).text
    shown = [line.lstrip("0123456789 ") for line in body.split("\n")]
    stripped = [row.strip() for row in rows]
    last = [
        line
        for line, after in zip(shown, [*shown[1:], "def"], strict=False)
        if line.startswith(("gauge", "return")) and after[:3] == "def"
    ]
    assert any(line.endswith(" …") for line in last)
    for line in last:  # a mark where the next line of the function is missing, and nowhere else
        assert line.endswith(" …") == (stripped[stripped.index(line.removesuffix(" …")) + 1] != "")


def test_a_line_whose_block_goes_on_unseen_is_marked() -> None:
    rows: list[str] = []
    for n in range(30):
        own = [f"  moor(quay{n * 7919 % 997}.berth{k}, {{ tide: {n * 31 + k} }});" for k in range(2 + n % 7)]
        rows += [f"function load{n}(ship) {{", *own, "", f"  return ship.depth * {n * 7919};", "}", ""]
    body = compact("\n".join(rows), budget=1200, threshold=100, tool="read", arguments={"path": "tides.js"}).text
    stripped, marked = [row.strip() for row in rows], 0
    shown = [line.lstrip("0123456789 ") for line in body.split("\n") if line]
    for line, after in pairwise(shown):
        if line.startswith("moor("):
            follows = next(row for row in stripped[stripped.index(line.removesuffix(" …")) + 1 :] if row)
            assert line.endswith(" …") == (follows != after.removesuffix(" …")), (line, after)
            marked += line.endswith(" …")
    assert marked


def test_a_constructor_over_several_lines_is_a_signature() -> None:
    rows = [
        "export class Harbour {",
        "  constructor(",
        "    private readonly berths: Berth[],",
        "    tide = 0,",
        "  ) {",
    ]
    rows += [*(f"    this.pier{n} = berths[{n * 31}];" for n in range(60)), "  }", "}"]
    out = compact("\n".join(rows), budget=200, threshold=100, arguments={"path": "harbour.ts"}).text
    assert "2 of 2 signatures" in out and "constructor(" in out


def test_groups_of_go_are_definitions_and_local_types_are_none() -> None:
    rows = ["package harbour", "", "const (", "\tLow = 1", "\tHigh = 2", ")", "", "func Moor(ship Ship) error {"]
    rows += ["\ttype rope struct {", "\t\tLength int", "\t}", *(f"\tship.Tie({n * 7919})" for n in range(90)), "}"]
    made = TYPE.outline(Source.of_text("\n".join(rows)), Hints(arguments={"path": "harbour.go"}))
    assert made.names == {3: "const (Low …)", 8: "Moor"} and made.parts == {"signatures": 1}


def test_bodies_that_hand_a_call_on_give_way_to_others() -> None:
    names = [f"quay{n * 7919}" for n in range(12)]
    rows = ["export class Harbour {"]
    for name in names:
        rows += [f"  {name}(ship: Ship): Berth {{", f"    return this.register.{name}(ship);", "  }", ""]
    rows += [
        "  moor(ship: Ship): void {",
        *(f"    const rope{n} = this.tie(ship, {n * 31});" for n in range(60)),
        "  }",
        "}",
    ]
    out = compact("\n".join(rows), budget=380, threshold=100, arguments={"path": "harbour.ts"}).text
    assert out.count("const rope") > out.count("this.register.")


def test_items_that_count_are_no_lines_of_a_file() -> None:
    names = ["NXE Nextra", "RUN Sunder Inc.", "FROM Frommer", "COPY Copley & Sons", "ADD Addison", "ENV Envoy"]
    lists = [f"{n}. {name} {n * 3.5}" for _ in range(9) for n, name in enumerate(names, 1)]
    text = "**Top gainers:**\n" + "\n".join(lists)
    shown = compact(text, budget=200, threshold=200, store=None).text
    assert "Dockerfile" not in shown and "views" not in shown
    view = "\n".join(
        f"{n}. {'    ' * (n % 3 > 0)}{'def pier():' if n % 3 == 0 else 'moor(boat)'}" for n in range(3, 120)
    )
    assert "lines of Python" in compact(view, budget=200, threshold=200, store=None).text


def test_where_the_tool_breaks_off_a_view_is_told_as_it_stands() -> None:
    rows = [f"     {n}\tmoor(find('pier-{n * 7919}'), {n});" for n in range(1, 200)]
    within = "within a line, at"
    for end, said in (("", within), ("<NOTE>Search with grep.</NOTE>\n", within), ("\n", "at")):
        text = "\n".join(rows) + ("\n" if said == "at" else "") + "<response clipped>" + end
        out = compact(text, budget=300, threshold=100, tool="view", arguments={"path": "/srv/quay.js"}).text
        noted = ", before a remark\n" if "NOTE" in end else "\n"
        assert f"left out what follows: it breaks off {said} “<response clipped>”{noted}" in out


def test_a_request_about_a_file_as_a_whole_gets_what_is_said_of_its_parts() -> None:
    head = ['"""Moors ships.', "", "More of it.", '"""', "import tide", ""]
    above = [f"class Quay{n}(Pier):\n    length = {n * 7919}\n    tide.watch('{n * 31}')\n" for n in range(4)]
    rows = [
        line
        for n in range(20)
        for line in (
            f"def moor_{n}(",
            f"    ship_{n}: Ship,",
            f"    pier_{n}: Pier,",
            ") -> Rope:",
            f'    """Ties ship {n} to its pier."""',
            f"    rope = tide.pull('{n * 7919}', ship_{n}.name)",
            f"    tide.log('pier-{n * 31}', rope, pier_{n})",
            "    return rope",
            "",
        )
    ]
    text = "\n".join([*head, *above, *rows])
    call = {"path": "/srv/quay.py"}
    out = compact(text, budget=500, threshold=100, tool="read", arguments=call, focus="Can you summarize quay.py?").text
    body = [line.strip() for line in out.split("\n")]
    told = [i for i, line in enumerate(body) if '"""Ties ship' in line]
    assert '1 """Moors ships.' in body and len(told) >= 5
    assert all("def moor_" in " ".join(body[i - 4 : i]) for i in told)
    assert "\nfurther definitions: " in out
    plain = compact(text, budget=500, threshold=100, tool="read", arguments=call, focus="Can you summarize the log?")
    assert '"""Ties ship' not in plain.text


def test_the_fields_of_a_class_stand_all_or_not_at_all() -> None:
    names = [
        "anchor",
        "ballast",
        "cargo",
        "draught",
        "engine",
        "freight",
        "gangway",
        "hatch",
        "jetty",
        "keel",
        "ledger",
        "mooring",
    ]
    rows: list[str] = []
    for name in names:
        rows += [f"class {name.title()}(TypedDict):", f'    """What an {name} has."""', "", f"    {name}_depth: int"]
        rows += [f"    {name}_length: float = 0.5  # in metres", f"    {name}_ships: list[str] = field(list)"]
        rows += [f"    {name}_owner: Harbour | None", ""]
    for budget in (250, 350, 450, 550):
        out = compact("\n".join(rows), budget=budget, threshold=100, tool="read", arguments={"path": "quay.py"}).text
        fields = [[f"{name}_{field}:" in out for field in ("depth", "length", "ships", "owner")] for name in names]
        assert all(len(set(shown)) == 1 for shown in fields) and any(map(all, fields))


def test_lines_missing_between_two_leave_fewer_places() -> None:
    rows: list[str] = []
    for n in range(6):
        rows.append(f"def moor_{n}(ship):")
        for k in range(8):
            rows += [f"    found = berthAt{n}x{k}(ship.quay{n}x{k})", f"    ship = tie(found, rope{k % 3})"]
    out = compact("\n".join(rows), budget=500, threshold=300, store=None, arguments={"path": "harbour.py"}).text
    assert sum(line[:1].isdigit() for line in out.split("\n")) < 25  # a number stands where a place begins


def test_a_comment_ends_where_a_sentence_does() -> None:
    rows = ["package tides", ""]
    for n in range(10):
        rows += [f"func Part{n}(ship *Ship) int {{"]
        rows += [
            f"\t// The gauge of pier {n * 7919} tells how deep the water is, and it is never read by the crew of",
            "\t// another vessel, since the harbour master alone has the keys to the house that it stands",
        ]
        rows += [
            f"\t// in. Where it is missing, Tide{n * 31} is measured from the quay.",
            f"\treturn load(ship, {n * 7919})",
            "}",
            "",
        ]
    body = compact("\n".join(rows), budget=500, threshold=100, tool="read", arguments={"path": "tides.go"}).text
    parts = ["tells how deep", "another vessel", "is measured from"]
    counts = [body.count(part) for part in parts]
    assert counts[0] == counts[1] == counts[2] > 0


def test_aliases_of_what_is_defined_elsewhere_are_no_definitions() -> None:
    handed = "\n".join(f"type Winch{n} = quay.Winch{n}" for n in range(30))
    types = "\n\n".join(f"type Berth{n} struct {{\n\tShip{n} *Ship{n}\n\tTide{n} Tide\n}}" for n in range(12))
    text = compact(f"package moor\n\n{types}\n\n{handed}\n", budget=400, threshold=0, tool="Read").text
    assert "of 12 heads of definitions" in text or "of 12 signatures" in text, text
    assert all(f"Berth{n}" in text for n in range(12)), text


def test_a_comment_above_a_definition_stands_with_it() -> None:
    types = [
        f"// Berth{n} is where a ship of class {n} moors, as harbour.Registry{n} has it,\n// and keeps tide.Table{n}."
        f"\ntype Berth{n} struct {{\n\tShip{n} *Ship\n\tdepth int\n}}\n"
        for n in range(60)
    ]
    text = compact("package moor\n\n" + "\n".join(types), budget=500, threshold=0, tool="Read").text
    told = {n for n in range(60) if f"tide.Table{n}." in text or f"harbour.Registry{n} " in text}
    assert told and [n for n in told if f"type Berth{n} struct" not in text] == [], text


def test_a_documentation_string_stands_with_what_it_is_of() -> None:
    text = 'def moor(ship):\n    """Moor a ship\n    by its ropes."""\n    def pull(rope):\n        return rope\n'
    made = TYPE.outline(Source(text.encode()), Hints(file="moor.py"))
    assert {item.under for item in made.items if item.start in (2, 3)} == {1}


def test_comments_and_definitions_in_a_tangle_end() -> None:
    nested = (
        "/* a\n"
        + "// b\n" * 3
        + "class Quay:\n    # of the pier\n    # and the ropes\n    def moor(self):\n        pass\n"
    )
    for text in (nested, f"# one\ndef a():\n# two\n    def b():\n# three\n        def c(): pass\n{nested}"):
        for budget in (60, 120):
            assert compact(text * 4, budget=budget, threshold=0, content_type="code").problem is None


def harbour(bodies: int = 30) -> list[str]:
    """Functions with their bodies, as a file has them."""
    lines = ["import quay", "", ""]
    for n in range(bodies):
        lines += [f"def moor_{n}(ship, rope={n}):", f'    """Moor at berth {n}."""']
        lines += [f"    ship.pull(rope * {n}, {k})" for k in range(12)] + ["", ""]
    return lines


def abbreviated(mark: str) -> str:
    """Their heads with numbers and a blank before them, and a ``mark`` where a body is left out."""
    lines, shown = harbour(), list[str]()
    for number, line in enumerate(lines, 1):
        if line.startswith("    ") and lines[number - 2].startswith("def "):
            shown.append(mark.format(a=number, b=number + 12))
        elif not line.startswith("    "):
            shown.append(f"{number:6d} {line}")
    return "\n".join(["<NOTE>This file is too large to show.</NOTE>", *shown, "<NOTE>Abbreviated.</NOTE>"])


@pytest.mark.parametrize("behind", [" ", "  ", "\t", " | ", "→"])
def test_the_numbers_of_a_view_stand_once_whatever_is_behind_them(behind: str) -> None:
    text = "\n".join(f"{n:6d}{behind}{line}" for n, line in enumerate(harbour(), 1))
    made = compact(text, budget=400, threshold=100)
    assert made.content_type == "code" and "483 lines of Python" in made.text
    assert "\n468 def moor_29(ship, rope=29):" in made.text and "signatures" in made.text


@pytest.mark.parametrize("mark", ["{a:6d} ... eliding lines {a}-{b} ...", "       [{a} to {b} are not shown]"])
def test_an_abbreviated_view_is_source_and_says_what_the_tool_left_out(mark: str) -> None:
    made = compact(abbreviated(mark), budget=500, threshold=100, tool="view")
    out = made.text
    assert made.content_type == "code" and "93 lines of Python, among lines 1–483 of the file" in out
    assert "The tool itself left out 30 ranges, 390 lines of the file (“" in out and "30 of 30 signatures" in out
    assert "\n20 def moor_1(ship, rope=1):" in out


def test_an_abbreviated_view_names_its_definitions_before_anything_else() -> None:
    out = compact(abbreviated("{a:6d} ... eliding lines {a}-{b} ..."), budget=300, threshold=100).text
    assert all(f" moor_{n}" in out for n in range(25))


def test_rows_that_count_are_no_view() -> None:
    rows = [
        [f"{n:<4}lib{n % 7}.so   0x{n * 7919:08x} berth{n}() + {n * 4}" for n in range(120)],
        [f"{n} {'quay' if n % 3 else 'pier head'} {n * 31}" for n in range(120)],
        ["  speed rope", *(f"{n:<3} {n * 7 % 19:6d} {n * 31 % 101:4d}" for n in range(120))],
    ]
    for lines in rows:
        assert compact("\n".join(lines), budget=300, threshold=100).content_type != "code"


def test_a_view_that_begins_in_a_documentation_string_has_its_definitions() -> None:
    lines = ['        """', "        return self.rope", "", *(f"    {line}" for line in harbour(12)[3:])]
    out = compact("\n".join(f"{n:6d} {line}" for n, line in enumerate(lines, 400)), budget=400, threshold=100).text
    assert "12 of 12 signatures" in out


def test_a_time_of_day_in_the_request_points_at_no_line() -> None:
    text = "\n".join(f"{n:6d}\t{line}" for n, line in enumerate(harbour(), 1))
    out = compact(text, budget=400, threshold=100, focus="Python 3.6 (default, Jan 26 2021, 15:30:00)").text
    assert "named in the focus" not in out
    assert "\n30     ship.pull(rope * 1, 8)" in compact(text, budget=400, threshold=100, focus="see quay.py:30").text


def test_a_name_that_the_request_quotes_as_code_brings_the_definition_around_it() -> None:
    lines = harbour()
    at = lines.index("def moor_17(ship, rope=17):")
    lines[at : at + 1] = [
        "def moor_17(ship, rope=17,",
        "            length=12, slackness=None,",
        "            **more):",
    ]
    text = "\n".join(lines)
    request = (
        "\n".join(f"Behaviour of version-{n}-rope" for n in range(60))
        + "\nWith `slackness` given it breaks, as `len(rope)` shows."
    )
    out = compact(text, budget=400, threshold=100, focus=request).text
    head = "def moor_17(ship, rope=17,\n            length=12, slackness=None,\n            **more):"
    assert head in out
    request = request.replace("`slackness`", "slackness").replace("breaks", "breaks moor_17")
    assert head in compact(text, budget=400, threshold=100, focus=request).text


def test_a_line_of_the_file_that_is_blank_is_no_line_of_the_result() -> None:
    lines = ["", *harbour()[3:]]
    text = "\n".join(f"{n:6d}→{line}" for n, line in enumerate(lines, 25))
    told = {"file_path": "/srv/harbour.py", "offset": 25, "limit": len(lines)}
    out = compact(text, budget=400, threshold=100, tool="Read", arguments=told).text
    assert "→" not in out and "\n    49" not in out


def test_what_is_asked_for_stands_with_its_body_whatever_is_behind_the_numbers() -> None:
    text = "\n".join(f"{n:6d} {line}" for n, line in enumerate(harbour(), 1))
    out = compact(text, budget=400, threshold=100, focus="moor_17").text
    assert "def moor_17(ship, rope=17):" in out and out.count("ship.pull(rope * 17, ") >= 8


NOTE = "<NOTE>The file is too long for one answer. Please use the view with a range of lines to see more of it.</NOTE>"


def test_the_words_of_a_tool_about_what_it_left_out_stand_there() -> None:
    out = compact(f"{NOTE}\n{abbreviated('{a:6d} ... eliding lines {a}-{b} ...')}", budget=500, threshold=100).text
    assert "own words: “The file is too long for one answer. Please use the view with a range of lines to see" in out


def test_a_licence_below_a_remark_of_the_tool_comes_last() -> None:
    licence = ["# Copyright (c) 2006 Ada Brase <ada@pier.example>", "# Licensed under the terms of the harbour", ""]
    lines = [*licence, *harbour()]
    out = compact("\n".join([NOTE, *(f"{n:6d}\t{line}" for n, line in enumerate(lines, 1))]), budget=400, threshold=100)
    assert "Brase" not in out.text and "def " in out.text


@pytest.mark.parametrize("spelled", ["idle-rope-lines", "idle_rope_lines"])
def test_an_option_that_the_request_names_is_found_in_other_spellings(spelled: str) -> None:
    lines = harbour()
    lines[40:40] = ["IDLE_ROPE_LINE = 4", ""]
    lines += ["", "OPTIONS = (", "    (", '        "idle-rope-lines",', '        {"default": 4},', "    ),", ")"]
    text = "\n".join(f"{n:6d}\t{line}" for n, line in enumerate(lines, 1))
    out = compact(text, budget=400, threshold=100, focus=f"Setting `{spelled}` to `0` should stop the check").text
    assert "\n41 IDLE_ROPE_LINE = 4" in out and '"idle-rope-lines",' in out


def test_definitions_beside_the_one_that_is_asked_for_are_named_first() -> None:
    lines = [line for n in range(300) for line in (f"def lift_crate_{n}(ship):", f"    return ship.crate({n})", "", "")]
    text = "\n".join(f"{n:6d}\t{line}" for n, line in enumerate(lines, 1))
    out = compact(text, budget=400, threshold=100, focus="`lift_crate_200` forgets the rope").text
    assert " lift_crate_198" in out and " lift_crate_203" in out and "def lift_crate_200(ship):" in out


def test_a_view_that_begins_or_ends_within_something_says_so() -> None:
    rows = ["package quay", ""]
    for n in range(8):
        rows += [f"// Moor{n} ties a ship.", f"func Moor{n}(ship *Ship) error {{"]
        rows += [f"\tif err := ship.Tie{n}({k * 7}); err != nil {{\n\t\treturn err\n\t}}" for k in range(9)]
        rows += ["\treturn nil", "}", ""]
    lines = "\n".join(rows).split("\n")

    def said(first: int, last: int) -> str:
        view = "".join(f"{n:6d}\t{line}\n" for n, line in enumerate(lines[first - 1 : last], first))
        call = {"file_path": "moor.go", "offset": first, "limit": last - first + 1}
        text = compact(view, budget=300, threshold=100, tool="Read", arguments=call).text
        return next(line for line in text.split("\n") if "lines of Go" in line)

    assert lines[2:4] == ["// Moor0 ties a ship.", "func Moor0(ship *Ship) error {"] and lines[32] == "}"
    assert said(10, 120).endswith(", beginning within a block, ending in Moor3")
    assert said(35, 120).endswith("moor.go (the range ends there), ending in Moor3")
    assert said(33, 97).endswith(", beginning within a block")
    assert said(1, 97).endswith("moor.go (the range ends there)")


def test_a_line_of_the_tool_bears_no_mark() -> None:
    rows = [f"def moor_{n}(ship):\n    return ship.tie({n * 7919}, rope={n})\n" for n in range(90)]
    view = "".join(f"{n}:{line}\n" for n, line in enumerate("\n".join(rows).split("\n"), 40))
    view = "[File: /app/moor.py (500 lines total)]\n(39 more lines above)\n" + view + "(189 more lines below)\n"
    text = compact(view, budget=300, threshold=100, tool="open", arguments={"code": "open moor.py 120"}).text
    assert "[File: /app/moor.py (500 lines total)]\n" in text and text.endswith(" …")


def test_a_view_from_the_first_line_says_in_what_it_ends_where_that_is_not_closed() -> None:
    lines = ["package quay", "", 'import "errors"', ""]
    lines += [f"func Berth{n}(ship *Ship) int {{\n\treturn ship.Berth + {n}\n}}\n" for n in range(20)]
    lines += ["func Moor(ship *Ship, rope Rope) error {"]
    lines += [f"\tif ship.Draught > {n} {{\n\t\treturn rope.Pull{n}(ship)\n\t}}" for n in range(30)]
    whole = [*lines, "\treturn nil", "}"]

    def said(text: str, path: str) -> str:
        return compact(text, budget=250, threshold=100, arguments={"file_path": path}).text.split("\n")[1]

    assert said("\n".join(lines), "moor.go").endswith("lines of Go, moor.go, ending in Moor")
    assert said("\n".join(whole), "moor.go").endswith("lines of Go, moor.go")
    listed = ["BERTHS = ["] + [f'    ("berth_{n}", {n * 7}, "of the {n}. pier"),' for n in range(90)]
    assert said("\n".join(listed), "berths.py").endswith("berths.py, ending in BERTHS")
    python = ["def moor(ship):"] + [f"    ship.pull_{n}(rope_{n})" for n in range(90)]
    assert "ending" not in compact("\n".join(python), budget=250, threshold=100, arguments={"path": "moor.py"}).text


def test_what_go_needs_is_no_document() -> None:
    lines = ["module harbour.example/quay", "", "go 1.24", "", "require ("]
    lines += [f"\tharbour.example/crane{n} v1.{n}.0 // what lifts load {n}" for n in range(60)]
    text = compact("\n".join([*lines, ")"]), budget=300, threshold=100, arguments={"file_path": "./go.mod"}).text
    assert "\n66 lines of Go, go.mod\n" in text


def test_a_view_that_ends_in_the_comment_above_a_definition_says_so() -> None:
    lines = ["package quay", ""]
    lines += [f"func Berth{n}(ship *Ship) int {{\n\treturn ship.Berth + {n}\n}}\n" for n in range(40)]
    lead = ["// Moor ties a ship to the quay, or says why it", "// cannot be tied."]

    def said(*more: str) -> str:
        made = compact("\n".join([*lines, *more]), budget=250, threshold=100, arguments={"file_path": "moor.go"})
        return made.text.split("\n")[1]

    assert said(*lead).endswith("lines of Go, moor.go, ending in a comment")
    assert "ending" not in said(*lead, "func Moor(ship *Ship) error {", "\treturn nil", "}")


def test_a_sentence_of_the_tool_above_source_is_told_and_is_no_line_of_it() -> None:
    said = "Function dock not found! Instead, here is what the nearest function does:"
    source = ["int berth(int ship)", "{", *(f"  ship = moor_{n}(ship, {n});" for n in range(90)), "  return ship;", "}"]
    text = compact("\n".join([said, "", *source]), budget=250, threshold=100, arguments={"path": "dock.c"}).text
    assert f"\n1 {said}\n" in text and "\n94 lines of C, dock.c\n" in text


def test_what_a_package_needs_by_version_stands_also_where_a_source_is_read_with_it() -> None:
    needs = [f'    "{name}",' for name in ("hull", "mast", "keel", "rudder", "sail", "boom", "winch", "cleat")]
    pinned = [
        '    "crane >= 2.0",  # older ones drop what they lift when the wind turns at night',
        '    "tide >= 1.75.5, != 1.82.7",  # it slips at spring tide, says the harbour master',
    ]
    names = ("barge", "canal", "delta", "fjord", "gulf", "haven", "inlet", "jetty", "knoll", "lagoon", "marsh", "quay")
    toml = ["[project]", 'name = "harbour"', "dependencies = [", *needs[:4], *pinned, *needs[4:], "]", ""]
    for name in names:
        toml += [f"[tool.{name}]", f'{name}-style = "{name[::-1]}"', f"depth-of-{name} = {len(name) * 37}", ""]
    source = ["from typing import Protocol", ""]
    for name in names:
        source += [
            f"class {name.title()}(Protocol):",
            f"    def moor_{name}(self, ship: {name[::-1]}) -> Rope: ...",
            "",
        ]
    files = {"/app/pyproject.toml": toml, "/app/quay.py": source}
    text = "\n---\n".join("\n".join([f"{path}:", *lines, ""]) for path, lines in files.items())
    shown = compact(text, budget=600, threshold=100, arguments={"paths": [*files]}).text
    assert 'name = "harbour"' in shown and all(line.strip() in shown for line in pinned)
