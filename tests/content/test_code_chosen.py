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
