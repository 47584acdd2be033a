"""What of a source is shown first: what the request names, types, signatures, what carries a function."""

from __future__ import annotations

import re

from mcpcompact import compact
from mcpcompact.engine.terms import asked_for


def shown(text: str, path: str, budget: int = 500, focus: str = "") -> str:
    arguments = {"file_path": path}
    return compact(text, budget=budget, threshold=100, tool="Read", arguments=arguments, focus=focus or None).text


BODIES = "".join(
    f"func haul{n}(rope Rope, tide int) (int, error) {{\n\tlength := rope.Length(tide, {n})\n"
    f"\tif length < {n} {{\n\t\treturn 0, ErrShort\n\t}}\n\n\treturn length * {n}, nil\n}}\n\n"
    for n in range(40)
)


def test_a_line_that_a_request_says_of_another_file_is_none_of_this_one() -> None:
    text, arguments = f"package quay\n\n{BODIES}", {"file_path": "pkg/ropes.go"}
    assert text.split("\n")[164].strip() in shown(text, "pkg/ropes.go", focus="see line 165 of ropes.go")
    assert asked_for(arguments, "Line 165: fine\n\npkg/tides.go\nLine 7: wrong").lines == []
    assert asked_for(arguments, "tides.go, line 7\nropes.go:\nline 9").lines == [9]


def test_a_blank_line_is_no_answer() -> None:
    text = f"package quay\n\n{BODIES}"
    blank = next(n for n, line in enumerate(text.split("\n"), 1) if n > 100 and not line)
    numbered = "\n".join(f"{n:>6}\t{line}" for n, line in enumerate(text.split("\n"), 1))
    assert f"{blank} {blank}" not in shown(numbered, "ropes.go", focus=f"line {blank} of ropes.go")


def test_all_places_of_a_name_that_a_long_request_quotes_as_code_are_shown() -> None:
    body = "func main() {\n\tparse(&noTide)\n\tif noTide {\n\t\tstop()\n\t}\n}\n"
    text = f"package quay\n\nvar noTide bool\n\n{BODIES}{body}"
    words = " ".join(f"Harbour{n}Master" for n in range(60))
    out = shown(text, "main.go", focus=f"{words}\nNow remove the `noTide` variable.")
    assert all(place in out for place in ("var noTide bool", "parse(&noTide)", "if noTide {"))


def test_variables_of_go_without_a_value_are_definitions_and_named_behind_functions() -> None:
    values = "".join(f"var berth{n} bool\n" for n in range(12))
    out = shown(f"package quay\n\n{values}\n{BODIES}", "main.go")
    line = next(line for line in out.split("\n") if "further definitions" in line)
    assert "haul" in line and " more in lines " in line


def test_a_type_with_its_fields_stands_before_bodies() -> None:
    fields = "".join(f'\tDepth{n} int `json:"depth{n}"` // of berth {n}\n' for n in range(4))
    out = shown(f"package quay\n\n{BODIES}type Harbour struct {{\n{fields}}}\n", "main.go")
    assert all(f"Depth{n} int" in out for n in range(4))


def test_a_message_to_an_operator_gives_way_to_what_the_function_does() -> None:
    steps = "".join(
        f'\tslog.Info("quay {n} reached", "berth", berth{n})\n\tmoored{n} := winch.Moor{n}(rope{n}, berth{n})\n\n'
        for n in range(60)
    )
    out = shown(f"package quay\n\nfunc moorAll() {{\n{steps}}}\n", "main.go")
    assert out.count("winch.Moor") > 2 * out.count("slog.Info")
    steps = steps.replace("slog.Info(", "analytics.TrackEvent(")
    out = shown(f"package quay\n\nfunc moorAll() {{\n{steps}}}\n", "main.go")
    assert out.count("winch.Moor") > 2 * out.count("analytics.TrackEvent")


def test_the_comment_that_a_short_request_repeats_the_words_of_stands_above_its_function() -> None:
    said = "// haul30 skips the lantern check, for the harbour master lit the lantern before\n"
    text = f"package quay\n\n{BODIES}".replace("func haul30(", f"{said}func haul30(")
    text = re.sub(r"(func haul(1?\d)\()", r"// haul\2 takes in a rope of the harbour\n\1", text)
    request = "The lantern is lit twice. Where is the lantern of the harbour master left alone?"
    assert said in shown(text, "main.go", focus=request)
    assert said not in shown(text, "main.go", focus="The flag is lit twice. Where is the flag left alone?")


def test_a_group_of_go_is_no_signature() -> None:
    groups = "type (\n\tRope = moor.Rope\n\tTide = moor.Tide\n)\n\n"
    assert " of 40 signatures" in shown(f"package quay\n\n{groups}{BODIES}", "main.go")


def test_what_a_test_of_go_expects_stands_before_what_it_is_given() -> None:
    given = "".join(
        f'\t\t{{\n\t\t\tKind: "{wood}",\n\t\t\tDepth: {n * 31},\n\t\t\tMaster: "{wood[::-1]}",\n\t\t}},\n'
        for n, wood in enumerate(WOODS)
    )
    checks = each('\tif len(quay.WOOD) != NN {\n\t\tt.Fatalf("quay holds no WOOD")\n\t}\n')
    test = f"func TestMoors(t *testing.T) {{\n\tquay := Moor([]Ship{{\n{given}\t}})\n{checks}}}\n"
    out = shown(f"package quay\n\n{test}", "quay_test.go")
    assert out.count("t.Fatalf(") > 2 * out.count("Master:")


def go_of_the_pier(functions: int) -> str:
    lines = ["package pier", "", "import (", '\t"fmt"', '\t"os"', ")", ""]
    for n in range(functions):
        lines += [f"func mendPlank{n}(pier *Pier, plank Plank{n}) (Board, error) {{", "\tvar bolts Bolts"]
        lines += [f"\tbolts.Add(nail_{n}_{k}, pier.Depth({k}))" for k in range(9)] + ["\treturn bolts.Board()", "}", ""]
    return "\n".join(lines)


def test_signatures_come_before_bodies_where_not_all_fit() -> None:
    call = {"path": "pier.go"}
    small = compact(go_of_the_pier(24), budget=500, threshold=500, arguments=call).text
    assert small.count("\t") < 24 and len(re.findall(r"^\d+ func mendPlank", small, re.MULTILINE)) >= 6
    large = compact(go_of_the_pier(24), budget=1000, threshold=1000, arguments=call).text
    assert "24 of 24 signatures" in large


def test_no_line_stands_alone_that_only_declares_or_names_the_package() -> None:
    text = compact(go_of_the_pier(24), budget=1000, threshold=1000, arguments={"path": "pier.go"}).text
    assert "package pier" not in text and not re.search(r"^\d+ \tvar bolts Bolts …", text, re.MULTILINE)


def test_the_names_of_cases_stand_before_what_they_are_set_up_with() -> None:
    lines = ["package pier", "", "func TestMendPlank(t *testing.T) {", "\tcases := []struct {", "\t\tname string"]
    lines += ["\t\tpier *Pier", "\t}{"]
    woods = ("oak", "elm", "alder", "spruce", "hazel", "larch", "maple", "cedar")
    for n, wood in enumerate(woods):
        lines += ["\t\t{", f'\t\t\tname: "plank of {wood} is mended",', "\t\t\tpier: &Pier{"]
        lines += [f"\t\t\t\tDepth{k}: harbour.Fathoms({n * 100 + k})," for k in range(12)] + ["\t\t\t},", "\t\t},"]
    lines += ["\t}", "\tfor _, c := range cases {", "\t\tgot := MendPlank(c.pier)", "\t\tif got != c.want {"]
    lines += ['\t\t\tt.Errorf("MendPlank = %v, want %v", got, c.want)', "\t\t}", "\t}", "}"]
    text = compact("\n".join(lines), budget=500, threshold=500, arguments={"path": "pier_test.go"}).text
    assert all(f"plank of {wood} is mended" in text for wood in woods) and "want %v" in text


def test_a_term_of_the_request_is_found_as_a_name_of_the_program() -> None:
    lines = [f"total_{n} = harbour.count(tide_{n}, depth_{n})" for n in range(90)]
    lines[50:50] = ['tidemq = harbour.rank(pier, model="TIDE_MQ")']
    text = compact(
        "\n".join(lines), budget=400, threshold=400, arguments={"path": "rank.py"}, focus="Compare TIDE-MQ"
    ).text
    assert 'tidemq = harbour.rank(pier, model="TIDE_MQ")' in text


def go_of_cases(rows: list[str]) -> str:
    lines = ["package pier", "", "func TestFloats(t *testing.T) {", "\tcases := []struct {", "\t\tname string", "\t}{"]
    lines += [*rows, "\t}", "\tfor _, c := range cases {", "\t\tif got := Floats(c.load); got != c.want {"]
    return "\n".join([*lines, '\t\t\tt.Errorf("Floats = %v, want %v", got, c.want)', "\t\t}", "\t}", "}"])


def case_of(n: int, name: str) -> list[str]:
    load = [f"\t\t\tload: harbour.Crates({n * 7919}, {n}),", f"\t\t\twant: {n * 31},", "\t\t},"]
    return ["\t\t{", f'\t\t\tname: "{name}",', *load]


WOODS = ("oak", "elm", "alder", "spruce", "hazel", "larch", "maple", "cedar", "ash", "birch", "yew", "pine")
TABLE = [case_of(n, f"a raft of {wood} floats") for n, wood in enumerate(WOODS * 3)]


def test_a_row_of_a_table_of_cases_stands_whole_or_not_at_all() -> None:
    text = go_of_cases([line for row in TABLE for line in row])
    for budget in (300, 500, 1000):
        out = compact(text, budget=budget, threshold=100, tool="Read", arguments={"file_path": "pier_test.go"}).text
        body = out.replace("\n\n", "\n")
        whole = sum("\n".join(row[1:-1]) in body for row in TABLE)
        assert whole and out.count("harbour.Crates") == whole == out.count("\t\t\tname: ") == out.count("\t\t\twant: ")


def test_cases_that_are_not_shown_are_named_with_their_lines() -> None:
    text = go_of_cases([line for row in TABLE[:12] for line in row])
    out = compact(text, budget=400, threshold=100, tool="Read", arguments={"file_path": "pier_test.go"}).text
    named = dict(re.findall(r"(\d+) \"(a raft of \w+ floats)\"", out))
    lines = text.split("\n")
    assert named and all(name in lines[int(number)] for number, name in named.items())


def test_a_case_whose_name_holds_what_is_asked_for_comes_first() -> None:
    text = go_of_cases([line for row in [*TABLE[:24], case_of(99, "a leaking barrel sinks")] for line in row])
    focus = "Does a test have a leaking barrel that sinks?"
    assert "harbour.Crates(783981, 99)" in shown(text, "pier_test.go", 300, focus)


def test_of_a_long_row_nothing_stands_without_its_name() -> None:
    rows = []
    for n, wood in enumerate(WOODS):
        steps = [f"\t\t\t\tpier.{WOODS[(n * k + k) % 12].title()}{WOODS[k % 12]}(crate{n * 31 + k})" for k in range(14)]
        rows += ["\t\t{", f'\t\t\tname: "a raft of {wood}",', "\t\t\tload: func() {", *steps, "\t\t\t},"]
        rows += [f"\t\t\twant: {n * 7919},", "\t\t},"]
    text = go_of_cases(rows)
    for budget in (300, 500, 1000):
        out, last = shown(text, "pier_test.go", budget), ""
        for line in out.split("\n"):
            last = name[1] if (name := re.search(r"name: \"a raft of (\w+)\"", line)) else last
            if crate := re.search(r"crate(\d+)\)", line):
                assert f"crate{crate[1]})" in text.partition(f"raft of {last}")[2].partition("name:")[0]


def test_rows_of_python_and_of_scripts_are_rows_too() -> None:
    rows = [
        f"    pytest.param(\n        crates({n * 7919}),\n        {n * 31},\n        id='raft {n}',\n    ),"
        for n in range(40)
    ]
    head = "@pytest.mark.parametrize(('load', 'want'), ["
    text = "\n".join([f"def test_raft_{k}(pier):\n    assert pier.floats({k})\n" for k in range(70)])
    text += "\n".join([head, *rows, "])", "def test_floats(load, want):", "    assert floats(load) == want", ""])
    out = shown(text, "test_pier.py", 1000, "raft 17")
    assert out.count("id='raft") == out.count("crates(")


def test_a_setting_that_the_request_counts_comes_first() -> None:
    keys = [f"{wood}_{other}" for wood in WOODS for other in WOODS if wood != other]
    lines = [f'    "{key}": {{"depth": {n * 7919}, "tide": "{key[::-1]}"}},' for n, key in enumerate(keys)]
    lines[60:60] = ['    "num_voyages": 40,', '    "num_moorings": 40,']
    out = shown("\n".join(["local quay = {", *lines, "}"]), "quay.jsonnet", 300, "Run only one voyage.")
    assert '"num_voyages": 40' in out and '"num_moorings"' not in out


def test_what_a_source_defines_stands_before_settings_beside_it() -> None:
    needs = "".join(f'    "rope{n} >= {n}.1",\n' for n in range(60))
    settings = f'[project]\nname = "berth"\ndependencies = [\n{needs}]\n'
    program = "".join(
        f"def moor_{n}(ship: Ship, rope: Rope{n}) -> Berth:\n    return tie(ship, {n})\n\n\n" for n in range(9)
    )
    text = f"/w/pyproject.toml:\n{settings}\n---\n/w/berth/__init__.py:\n{program}"
    call = {"paths": ["/w/pyproject.toml", "/w/berth/__init__.py"]}
    out = compact(text, budget=500, threshold=100, tool="read_multiple_files", arguments=call).text
    assert all(f"moor_{n}" in out for n in range(9)) and 'name = "berth"' in out


def test_a_name_in_what_one_test_sets_up_is_no_case() -> None:
    text = "describe('ships', () => {\n"
    for wood in WOODS[:6]:
        own = "".join(
            f"        {other}Of{wood.title()}: crates.{other}({n * 7919}),\n" for n, other in enumerate(WOODS)
        )
        text += (
            f"  it('moors {wood}', () => {{\n    const ship = moor([\n      {{\n        name: 'the {wood} ship',\n{own}"
        )
        text += "      },\n    ]);\n    expect(ship.moored).toBe(true);\n  });\n"
    told = [line for line in shown(f"{text}}});\n", "ships.test.ts").split("\n") if line.startswith("further ")]
    assert not any('"the ' in line for line in told)


def each(template: str, woods: tuple[str, ...] = WOODS) -> str:
    return "".join(template.replace("WOOD", wood).replace("NN", f"{n + 10}") for n, wood in enumerate(woods))


def test_what_an_edit_wrote_stands_before_what_it_found_there() -> None:
    check = '\tif got := berthNAME.WOOD(); got != NN {\n\t\tt.Errorf("NAME: WOOD holds %d", got)\n\t}\n'
    test = f"func TestMoorsNAME(t *testing.T) {{\n{each(check)}}}"
    old, new = test.replace("NAME", "Barges"), test.replace("NAME", "Cutters")
    call = {"file_path": "/w/quay_test.go", "old_string": old, "new_string": f"{old}\n\n{new}"}
    snippet = "\n".join(f"{n:>6}→{line}" for n, line in enumerate(f"{old}\n\n{new}\n".split("\n"), 40))
    text = f"The file /w/quay_test.go has been updated. Here's the result of running `cat -n` on a snippet:\n{snippet}"
    out = compact(text, budget=500, threshold=100, tool="Edit", arguments=call).text
    assert out.count("berthCutters.") > 3 * out.count("berthBarges.")
    assert "func TestMoorsBarges" in out and "func TestMoorsCutters" in out


QUERY = """
    def tie_WOOD(self, ship):
        berth = self.berth_of(ship, NN)
        self.session.run(f\"\"\"
            MATCH (s:Ship) WHERE s.name = $ship
            MATCH (b:Berth) WHERE b.wood_WOOD = $berth
            MERGE (s)-[:TIED]->(b)
            SET s.depth_WOOD = NN
        \"\"\",
            ship=ship)
        return berth
"""


def test_a_short_text_stands_whole_with_the_statement_that_it_is_of() -> None:
    out = shown(f"class Quay:\n{each(QUERY, WOODS * 2)}", "quay.py", 700)
    begun = [part.split("\n") for part in out.split("MATCH (s:Ship)")[1:]]
    assert begun and all("MERGE (s)" in part[2] and "SET s." in part[3] for part in begun)


def test_comments_that_differ_in_addresses_alone_are_left_out_and_a_short_condition_is_not() -> None:
    body = each("  haul_WOOD(local_NN8);\n                    /* try { // from 004012NN to 004013NN } */\n")
    guarded = each('    signal(std::cout,"WOOD lamps at gate NN",NN);\n')
    text = f"undefined8 moor(void)\n\n{{\n  int iVar1;\n\n{body}  iVar1 = tied(local_28);\n  if (iVar1 == 0) {{\n"
    out = shown(f"{text}{guarded}  }}\n  return 0;\n}}\n", "moor.c", 400)
    assert "/* try" not in out and "lamps at" in out
    assert "\n  if (iVar1 == 0) {" in re.sub(r"\n\d+ ", "\n", out)


CHAIN = """export function moorNN(ship: Ship) {
  const berthNN = harbour.berths
    .filter((berth) => berth.depth > ship.draught(NN))
    .sort((a, b) => a.WOODRank - b.WOODRank || a.distance - b.distance)
    .find((berth) => !berth.takenNN && berth.WOODRank < ship.rank);
  return tie(ship, berthNN);
}

"""


def test_a_line_that_goes_on_comes_with_what_it_goes_on_with() -> None:
    out = shown(each(CHAIN), "quay.ts", 700).split("\n")
    further = [i for i, line in enumerate(out) if re.match(r"(?:\d+)?\s+\.", line)]
    assert further and all(any("harbour.berths" in line for line in out[max(0, i - 4) : i]) for i in further)


DOCUMENTED = """def moor_WOOD(ship, tide):
    \"\"\"Moor a ship at the WOOD berth.

    First waits for the WOOD tide.
    Then hauls all WOOD ropes.

    Args:
        ship: What is moored at WOOD.
    \"\"\"
    ROPES

"""


def test_where_a_file_is_to_be_explained_its_documentation_stands_up_to_what_it_lists() -> None:
    ropes = each("WOOD_NN = ship.rope_WOOD(tide, NN)\n    ").strip()
    text = each(DOCUMENTED, WOODS[:5]).replace("ROPES", ropes)
    out = shown(text, "moorings.py", 500, "Read moorings.py and summarize it")
    assert all(f"First waits for the {wood} tide." in out and f"hauls all {wood} ropes" in out for wood in WOODS[:5])
