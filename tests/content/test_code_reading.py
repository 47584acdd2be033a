"""Source as readers want it: rules with their selectors, blocks by name, heads with what is said of them."""

from __future__ import annotations

import re

from mcpcompact import compact


def read(text: str, path: str, budget: int = 400) -> str:
    return compact(text, budget=budget, threshold=100, tool="Read", arguments={"file_path": f"/srv/{path}"}).text


def test_a_rule_of_a_style_sheet_stands_with_its_selectors_and_others_are_named() -> None:
    rules = [
        f".quay-{n} .crane,\n.quay-{n} .berth:hover {{\n  width: {n * 3}px;\n  color: #{n:03x}abc;\n}}\n"
        for n in range(60)
    ]
    out = read("\n".join(rules), "harbour.css")
    assert re.search(r"of 60 heads of rules\b", out) and "further rules: " in out
    shown = re.findall(r"\.quay-(\d+) \.crane,\n\.quay-(\d+) \.berth:hover \{\n +width: (\d+)px;", out)
    assert len(shown) > 1 and all(a == b and int(c) == int(a) * 3 for a, b, c in shown)
    assert not re.search(r"\.crane,\n\d", out)


def test_the_blocks_of_terraform_are_named() -> None:
    settings = "\n".join(f"  option_{n} = var.option_{n}" for n in range(12))
    text = "\n\n".join(f'resource "aws_sqs_queue" "queue_{name}" {{\n{settings}\n}}' for name in "abcdefgh")
    out = read(text, "main.tf")
    assert "8 of 8 heads of blocks" in out and all(
        f'resource "aws_sqs_queue" "queue_{name}" {{' in out for name in "abcdefgh"
    )


def test_of_a_component_the_script_comes_before_how_it_looks() -> None:
    script = [f"const berth{n} = ref(find('quay-{n}'))" for n in range(20)]
    styles = [f".berth-{n} {{\n  background: url(/quay/{n}.svg);\n}}" for n in range(60)]
    markup = [f'  <Berth :ship="ships[{n}]" @moored="moor{n}" />' for n in range(6)]
    lines = [
        "<template>",
        *markup,
        "</template>",
        "<script setup>",
        *script,
        "</script>",
        "<style>",
        *styles,
        "</style>",
    ]
    out = read("\n".join(lines), "Harbour.vue")
    assert "const berth0 = ref(find('quay-0'))" in out and "const berth19 =" in out and "</template" not in out
    assert out.count("const berth") > 15 and out.count("background:") < 6


def test_a_property_is_shown_as_one_where_most_definitions_are_none() -> None:
    methods = [f"    def haul_{n}(self, rope):\n        return self.winch.pull(rope, {n})\n" for n in range(14)]
    methods.insert(7, "    @property\n    def moored(self):\n        return self.winch.rope is not None\n")
    out = read("class Quay:\n" + "\n".join(methods), "quay.py")
    assert re.search(r"    @property\n +def moored\(self\):", out)
    marked = [
        f"    @test\n    def haul_{n}(self, rope):\n        return self.winch.pull(rope, {n})\n" for n in range(14)
    ]
    assert read("class Quay:\n" + "\n".join(marked), "quay.py", 200).count("@test") < 7


def test_comments_of_three_dashes_say_what_a_query_is_for() -> None:
    joins = "".join(f"    LEFT JOIN harbour.tide_{n} ON tide_{n}.quay = ships.quay\n" for n in range(60))
    out = read(
        f"--- Ships that wait for a berth,\n--- with the tides of their quays.\nSELECT name\nFROM ships\n{joins}",
        "q.sql",
    )
    assert "1 --- Ships that wait for a berth,\n--- with the tides of their quays." in out


def test_the_first_comment_of_a_script_may_be_said_of_a_statement() -> None:
    steps = "".join(f"echo {name}\nmoor quay-{name} --rope {name}{name}\n\n" for name in "abcdefghijklmnopqrstuvwxyz")
    said = "# the directory that this script stands in, whoever calls it from wherever they are\nHERE=$(pwd)\n"
    assert "whoever" not in read(f"#!/bin/sh\n\n{said}\n{steps}", "moor.sh", 150)
    assert "whoever" in read(f"#!/bin/sh\n{said}\n{steps}", "moor.sh", 150)


def test_a_header_of_c_names_the_functions_that_it_declares() -> None:
    constants = "".join(f"#define QUAY_LIMIT_{n} {n * 7}\n" for n in range(30))
    calls = "".join(f"  extern int32_t quay_moor_{n}(const quay *, uint8_t *);\n" for n in range(40))
    out = read(f"#ifndef QUAY_H\n#define QUAY_H\n{constants}\n{calls}#endif\n", "quay.h", 300)
    assert "of 40 signatures" in out and re.search(r"further definitions: (\d+ quay_moor_\d+, ){3}", out)


def test_words_of_failure_in_a_text_within_source_are_no_finding() -> None:
    text = (
        "reports of a berth that is taken say little of the cause, as a panic of the crew and a fatal crash there. " * 5
    )
    steps = "".join(f"function moor{n}(ship) {{\n  return ship.rope[{n}].tie(quay);\n}}\n" for n in range(60))
    assert "fatal crash" not in read(f"{steps}const HELP = '{text}';\n{steps.replace('moor', 'sail')}", "help.js")


def test_the_first_sentence_of_a_documentation_of_elixir_stands_with_its_opening() -> None:
    said = "Ties the ropes of a ship to the quay.\n\n  ## Examples\n\n      iex> Quay.moor(ship)\n      :ok\n"
    moor = "".join(f"  def moor_{n}(ship, rope), do: tie(ship, rope, {n})\n\n" for n in range(60))
    out = read(f'defmodule Quay do\n  @doc """\n  {said}  """\n{moor}end\n', "quay.ex")
    assert '@doc """\n  Ties the ropes of a ship to the quay.' in out or '@doc """' not in out


def test_of_an_abbreviated_view_with_many_definitions_their_names_come_before_the_words_of_the_tool() -> None:
    said = "The file is too long for one answer. Please use the view with a range of lines to see what is left out."
    lines = [f"<note>{said}</note>"]
    for n in range(0, 60):
        lines += [
            f"{n * 20 + 1:6d}\tdef moor_ship_at_{n}(rope, tide):",
            f"{n * 20 + 2:6d}\t    ... eliding lines {n * 20 + 2}-{n * 20 + 20} ...",
        ]
    small = compact("\n".join(lines), budget=500, threshold=100).text
    assert len(set(re.findall(r"moor_ship_at_\d+", small))) > 35


def test_samples_within_a_documentation_come_behind_what_it_says() -> None:
    sample = "".join(f"        quay.winch_{n}.pull(rope_{n}, tide={n})\n" for n in range(12))
    said = "".join(f"    berth_{n} : int\n        The place of ship {n} along the quay.\n\n" for n in range(12))
    text = f'def moor(*berths):\n    """Moor ships.\n\n    All ropes are pulled::\n\n{sample}\n{said}    """\n'
    out = read(text + "    return [berth.tie() for berth in berths]\n", "quay.py", 300)
    assert out.count(".pull(") < 3 and out.count("The place of ship") > 6


def test_samples_within_comments_come_behind_what_these_say() -> None:
    sample = "".join(f"#     quay.winch_{n}.pull(rope_{n}, tide={n})\n" for n in range(12))
    said = "".join(
        f"# The berth called {name} lies along the quay.\n#\n" for name in ("north", "south", "east", "west")
    )
    text = f"# Moors ships.\n#\n# All ropes are pulled:\n#\n{sample}#\n{said}module Quay\n"
    text += "  def moor(ship)\n    ship.tie\n  end\nend\n"
    out = read(text, "quay.rb", 200)
    assert out.count("lies along the quay") == 4 and out.count(".pull(") < 5


def test_what_a_file_is_for_is_shown_though_its_sentence_is_long() -> None:
    said = [
        "# The harbour master of a small port assigns berths along the quay to ships that tell it",
        "# of themselves by radio, keeps the tides of the week in view while it does so, tells all",
        "# crews of tugs and cranes when they are wanted, where and for how long, and what to pay",
    ]
    steps = "".join(f"def moor_{n}(ship):\n    return ship.rope({n}).tie(quay.bollard_{n})\n\n" for n in range(60))
    out = read("\n".join(said) + f"\n\nimport quay\n\n{steps}", "master.py", 450)
    assert "1 # The harbour master" in out and "and what to pay" in out


def test_repeated_tables_of_toml_are_named_and_stand_whole() -> None:
    names = ["anchor", "buoy", "crane", "dredger", "ferry", "galley", "hopper", "jetty", "ketch", "lugger", "mole"]
    rules = [
        f'[[rules]]\nid = "{name}-key"\ndescription = "What a {name} is opened with"\n'
        f"regex = '''(?i)({name}_[a-z0-9]{{{20 + n}}})'''\nkeywords = [\"{name}_\"]\n"
        for n, name in enumerate(names * 2)
    ]
    text = 'title = "Rules of the harbour"\n\n' + "\n".join(rules)
    view = "\n".join(f"{n:6}\t{line}" for n, line in enumerate(text.splitlines(), 1))
    made = compact(view, budget=400, threshold=400, tool="Read", arguments={"file_path": "rules.toml"})
    assert "3 [[rules]] anchor-key" in made.text and "9 buoy-key" in made.text
    assert "regex ×" not in made.text and " 1 of " not in made.text
    shown = [n for n, rule in enumerate(rules) if all(line in made.text for line in rule.splitlines())]
    assert shown


def test_names_that_an_import_lists_do_not_stand_without_where_they_come_from() -> None:
    imports = [
        f"import {{\n{''.join(f'  {name}{what},{chr(10)}' for name in 'abcdefghijkl')}}} from './{what}/index.js';"
        for what in ("Crane", "Berth", "Tide")
    ]
    calls = [f"  <Dock crane={{{name}Crane}} at={{{n}}} />" for n, name in enumerate("abcdefghijklmn")]
    out = read("\n".join([*imports, "", "export default function Docks() {", *calls, "}"]), "harbour.jsx", 300)
    assert "} from './Berth/index.js';" in out and "<Dock crane={nCrane}" in out
    assert not re.search(r"^\d+ +\w(?:Crane|Berth|Tide),", out, re.MULTILINE)


def test_the_first_statements_of_a_short_loop_come_with_it() -> None:
    blocks = [
        line
        for n in range(40)
        for line in (
            f"    crew_{n} = load_crew(ship)",
            f"    for berth in crew_{n}:",
            f"        berth.fasten_rope_{n}(ship, {n})",
            f"        berth.lower_anchor_{n}(ship, {n})",
        )
    ]
    out = read("\n".join(["def moor(ship):", *blocks]), "moor.py")
    lines = [line.lstrip("0123456789 ") for line in out.split("\n")]
    inner = [n for n, line in enumerate(lines) if line.startswith("berth.")]
    assert len(inner) > 2
    assert all(lines[n - 1].startswith(("for berth", "berth.fasten_rope")) for n in inner)


def test_a_comment_stands_with_the_statement_right_below_it() -> None:
    body = [
        line
        for n in range(60)
        for line in (
            f"    # rope_{n} holds until the tide of wharf_{n} turns",
            f"    moor(quay, {n})",
            "",
        )
    ]
    out = read("\n".join(["def moor_all(quay):", *body]), "moor.py")
    shown = re.findall(r"# rope_(\d+) holds[^\n]*\n +moor\(quay, (\d+)\)", out)
    assert shown and all(a == b for a, b in shown)
    assert len(shown) == out.count("# rope_")


def test_labels_and_conditions_of_the_preprocessor_end_no_function() -> None:
    functions = [
        f"static int moor_{name}(struct ship *ship, int rope, struct quay *quay, long waiting, struct pilot *wise) {{\n"
        "  int tide = read_tide(ship);\n"
        + "".join(f"  fasten(ship, {n * 31});\n" for n in range(20))
        + f"#ifdef WITH_CRANE\n  swing_{name}(ship, rope);\n#endif\nfail:\n  release_{name}(ship->crane_{name});\n"
        + f"  close_log_{name}(ship, tide_{name});\n  return tide;\n}}\n"
        for name in ("north", "south", "east", "west", "dawn", "dusk", "noon", "night")
    ]
    out = read("\n".join(functions), "moor.c", 300)
    at = ""
    for line in out.partition("further definitions: ")[2].split("\n")[1:]:
        at = found[1] if (found := re.search(r"static int moor_(\w+)\(", line)) else at
        called = re.search(r"(?:swing|release|close_log)_(\w+)\(", line)
        assert called is None or called[1] == at
    assert at


def test_a_comment_of_two_stars_opens_no_text() -> None:
    types = [
        f"/*\n** `state of quay {n}', shared by all\n*/\ntypedef struct Quay{n} {{\n"
        + "".join(f"  struct crane_{n}_{k} *crane_{n}_{k};\n" for k in range(8))
        + f"}} Quay{n};\n"
        for n in range(40)
    ]
    out = read("\n".join(types), "quay.h", 300)
    assert all(f"typedef struct Quay{n} {{" in out for n in range(8))


def window(lines: list[str], first: int) -> str:
    head = f"[File: /harbour/moor.py ({first + len(lines) + 200} lines total)]\n({first - 1} more lines above)\n"
    return head + "".join(f"{n}:{line}\n" for n, line in enumerate(lines, first)) + "(200 more lines below)\n"


def test_a_view_that_begins_within_a_documentation_string_is_read_as_such() -> None:
    said = [f"    ``rope_{n}``\n        A flag that berth_{n} = tide_{n} holds.\n".split("\n") for n in range(20)]
    code = [f"    crane_{n} = lower_crane(ship, {n * 7919})" for n in range(40)]
    text = window([*(line for lines in said for line in lines), '    """', *code], 301)
    out = compact(text, budget=400, threshold=100, tool="scroll_down").text
    assert out.count("= lower_crane(ship, ") > 12 and "``rope_" not in out


def test_a_comment_does_not_begin_in_the_middle_of_a_sentence() -> None:
    words = [f"    the tide of wharf_{n} turns before any rope_{n} of the long ships at crane_{n}" for n in range(64)]
    words = [f"{line}.\n" if n % 8 == 7 else line for n, line in enumerate(words)]
    lines = "\n".join(["def moor(ship):", '    """Moor a ship.', "", *words, '    """', "    return ship"]).split("\n")
    out = compact(window(lines, 1), budget=400, threshold=100, tool="open").text
    shown = [int(n) for n in re.findall(r"the tide of wharf_(\d+) turns", out)]
    assert len(shown) > 1 and all(n % 8 == 0 or n - 1 in shown for n in shown)


def test_a_call_that_takes_a_block_heads_its_lines_as_a_function_does() -> None:
    blocks = []
    for n, call in enumerate(("onLaunch(async () => {", "store.follow(tides => {", "$: {", "onSink(function () {")):
        verbs = ("haul", "slacken", "splice", "measure", "replace", "mend", "coil", "tar", "weigh", "sell")
        steps = [f"        {verb}Rope{n}(quay.{verb[::-1]}, {(n + 1) * len(verb) * 7919});" for verb in verbs]
        blocks += [f"    {call}", *steps, "    }" + ")" * ("(" in call) + ";", ""]
    out = read("\n".join(blocks), "quay.js", 250)
    heads = dict(enumerate(("onLaunch(", "store.follow(", "$: {", "onSink(")))
    shown = [int(n) for n in re.findall(r"Rope(\d)\(", out)]
    assert len(set(shown)) > 1
    for n in set(shown):
        assert heads[n] in out.partition(f"Rope{n}(")[0].rpartition("Rope")[2], out


def test_what_stands_behind_a_number_or_without_one_is_copied_from_the_file() -> None:
    rows = [
        f"    def haul_{n}(self, rope):\n        if rope.worn > {n}:\n            self.winch.stop({n * 7919})"
        for n in range(40)
    ]
    lines = "\n".join(["class Quay:", *rows]).split("\n")
    out = read("\n".join(lines), "quay.py")
    body = out[re.search(r"^1 class", out, re.M).start() :].split("\n")  # type: ignore[union-attr]
    assert all(re.sub(r"^\d+ | …$", "", line) in lines for line in body if line and not line.startswith("["))
    assert sum(line.startswith("        ") for line in body) > 1


def test_a_part_of_a_repeated_table_stands_below_its_own_and_no_rare_value_is_like_another() -> None:
    names = "anchor bilge cleat davit ensign fender gunwale hawser jib keel mast oar quay rudder sheet tiller winch"
    rows = []
    for n, name in enumerate(names.split() * 2):
        slack = {4: 4.5, 14: 2.5, 20: 5.5}.get(n, 3.0 + n % 2)
        about = f'id = "{name}-line"\ndescription = "How the {name} is tied to what stands beside it"'
        rows.append(f"[[rules]]\n{about}\nknot = '''{name[::-1] * 20}'''\nslack = {slack}\n")
    spare = 'slack = 2.5\n[rules.spare]\nropes = ["thin", "thick"]\n'
    text = "\n".join(rows).replace("slack = 2.5\n", spare)
    view = "\n".join(f"{n}\t{line}" for n, line in enumerate(text.split("\n"), 101))
    for budget in range(300, 640, 20):
        call = {"tool": "Read", "arguments": {"file_path": "rules.toml"}}
        text = compact(view, budget=budget, threshold=budget, **call).text
        assert "like it" not in text
        assert "[rules.spare]" not in text or "slack = 2.5\n[rules.spare]" in text


def test_a_line_of_a_function_that_a_field_holds_stands_below_it() -> None:
    """Also where the view begins within a text, whose end opens none."""
    held = [
        "\t\tPreRunE: func(cmd *Command, args []string) error {",
        *(f'\t\t\tcmd.Check("{name}", {n * 7919})' for n, name in enumerate(("hull", "mast", "keel"))),
        "\t\t\treturn nil",
        "\t\t},",
        "\t\tRunE: func(cmd *Command, args []string) error {",
        *(f'\t\t\tcmd.Sail("{name}", {n * 104729})' for n, name in enumerate(("jib", "main", "spinnaker", "staysail"))),
        "\t\t\treturn cmd.Moor()",
        "\t\t},",
    ]
    lines = ["hoist --all", "hoist --log`", "", "\treturn &Command{", '\t\tUse: "hoist",', *held, "\t}", "}"]
    tail = [line for n in range(9) for line in ("", f"func reef{n}(sail Sail) int {{", f"\treturn sail.Reef({n})", "}")]
    view = "\n".join(f"{n}\t{line}" for n, line in enumerate([*lines, *tail], 101))
    for budget in range(160, 520, 30):
        call = {"tool": "Read", "arguments": {"file_path": "hoist.go"}}
        text = compact(view, budget=budget, threshold=budget, **call).text
        assert "cmd.Check(" not in text or "PreRunE: func(" in text
        assert "cmd.Sail(" not in text or "\tRunE: func(" in text
