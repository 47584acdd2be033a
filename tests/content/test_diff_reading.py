"""Diffs as a reader gets them: whole statements, marks where a run goes on, source before what goes along with it."""

from __future__ import annotations

import difflib
import re
from itertools import pairwise
from pathlib import Path

import pytest

from mcpcompact import ResultStore, compact


def made(name: str, old: list[str], new: list[str], context: int = 3) -> str:
    names = ("/dev/null" if not old else f"a/{name}", "/dev/null" if not new else f"b/{name}")
    mode = "" if old and new else f"{'new' if new else 'deleted'} file mode 100644\n"
    lines = difflib.unified_diff(old, new, *names, n=context, lineterm="")
    return f"diff --git a/{name} b/{name}\n{mode}" + "\n".join(lines) + "\n"


def body(kind: str, n: int) -> list[str]:
    return [f"    {kind}_{k} = measure_{kind}({k * 7919}, 'deck {k * 31}')" for k in range(n)]


def test_a_run_that_goes_on_unseen_is_marked_and_one_that_is_shown_is_not() -> None:
    text = made("src/rig.py", ["import os"], ["import os", "def hoist(sail):", *body("rope", 120)])
    shown = compact(text, budget=300, threshold=0).text
    last = [line for line in shown.split("\n") if "measure_rope(" in line][-1]
    assert last.endswith(" …")
    pairs = [f"{key} = {n * 7919}" for n, key in enumerate(("anchor", "bowline", "capstan"))]
    small = made("src/rig.py", [*pairs, "old_tiller()"], [pair.replace("=", "= 1 +") for pair in pairs])
    text = small + made("src/sea.py", ["import os"], ["import os", *body("wave", 120)])
    shown = compact(text, budget=500, threshold=0).text
    assert "= 1 + 7919" in shown
    assert not any(line.endswith(" …") for line in shown.split("\n") if "anchor" in line or "tiller" in line)


def test_a_line_that_replaces_another_stands_with_the_rest_of_its_statement() -> None:
    wrapped = ["        mast.sails, mast.mate, mast.port", "    )"]
    old = ["def fit(mast):", *body("plank", 4), "    sail = choose(mast.sails)", *body("nail", 4)]
    new = [*old[:5], "    sail = choose(", *wrapped, *body("extra", 8), *old[6:]]  # too long a run to stand whole
    text = made("src/ship.py", old, new) + made("docs/sea.md", ["# Sea"], ["# Sea", *(f"Wave {n}" for n in range(400))])
    shown = compact(text, budget=600, threshold=0).text
    signed = re.sub(r"\n\+? +", "\n", shown)
    assert "choose(mast.sails)\n+6     sail = choose(\nmast.sails, mast.mate, mast.port\n)\n" in signed


def test_a_path_of_the_call_names_a_file_of_the_diff_and_no_line_that_speaks_of_it() -> None:
    doc = [f"Step {n}: run tools/load.py with {n * 7919} barrels of cargo {n}" for n in range(2)]
    text = made("tools/load.py", ["import os"], ["import os", *body("cargo", 90)])
    text += made("tools/stow.py", ["import os"], ["import os", *body("hold", 90)])
    text += made("HARBOUR.md", ["# Harbour"], ["# Harbour", *doc, *[f"Line {n} of {n * 31}." for n in range(90)]])
    call = {"command": "git diff -- tools/load.py tools/stow.py HARBOUR.md"}
    shown = compact(text, budget=400, threshold=0, tool="Bash", arguments=call).text
    assert "measure_cargo" in shown
    assert "barrels of cargo" not in shown


def test_a_few_lines_changed_in_a_file_that_was_there_come_before_new_scripts() -> None:
    text = "".join(made(f"try_{n}.py", [], body(f"try{n}", 30)) for n in range(14))
    old = [f"    hull.step_{n}(mast, keel)" for n in range(40)]
    text += made("lib/engine.py", old, [*old[:20], "    hull.step_20(mast, rudder)", *old[21:]])
    shown = compact(text, budget=400, threshold=0).text
    assert "-21     hull.step_20(mast, keel)\n+21     hull.step_20(mast, rudder)" in shown


def test_source_comes_before_tests_and_workflows_and_hidden_files() -> None:
    source = [f"def sail_{n}():\n    return wind_{n} * {n * 7919}".split("\n") for n in range(14)]
    text = made(".github/workflows/ci.yml", ["on: push"], ["on: push", *[f"  job_{n}: {n * 31}" for n in range(60)]])
    tests = [f"def test_{n}():\n    assert sail_{n}() == {n}".split("\n") for n in range(60)]
    text += made("tests/test_sail.py", ["import os"], ["import os", *(line for one in tests for line in one)])
    text += made("src/sail.py", ["import os"], ["import os", *(line for one in source for line in one)])
    shown = compact(text, budget=700, threshold=0).text
    assert len(re.findall(r"wind_\d+ \*", shown)) >= 10
    assert "job_" not in shown


def test_of_many_files_each_deleted_one_is_named_with_what_it_held() -> None:
    text = "".join(made(f"plugins/old/part_{n}.py", body(f"part{n}", 20 + n), []) for n in range(9))
    text += made("plugins/list.json", ['  "old",', '  "new",'], ['  "new",'])
    shown = compact(text, budget=500, threshold=0).text
    assert all(f"plugins/old/part_{n}.py deleted −{20 + n}" in shown for n in range(9))


def test_a_line_that_did_not_change_stands_with_the_change_it_is_beside() -> None:
    pages = [["{", f'  "title": "Voyage {n * 7919} to island {n}",', '  "ok": true', "}"] for n in range(60)]
    text = "".join(
        made(f"pages/{n}/expected.json", page, [*page[:2], '  "sailed": null,', *page[2:]])
        for n, page in enumerate(pages)
    )
    shown = compact(text, budget=500, threshold=0).text
    for section in shown.split("+++ ")[1:]:
        assert "sailed" in section or "title" not in section


def test_an_import_is_not_what_a_hunk_opens_with_and_a_closing_tag_is_not_odd() -> None:
    field = ["\tBow int", "\tStern int"]
    old = [
        "package ship",
        "",
        "import (",
        '\t"time"',
        ")",
        "",
        *[f"// pad {n}" for n in range(12)],
        "type Ship struct {",
    ]
    new = [*old[:4], '\t"example.org/fleet/harbour"', *old[4:], "\tKeel *harbour.Keel", *field, "}"]
    text = made("ship/ship.go", [*old, *field, "}"], new)
    text += made("ship/sea.go", ["package ship"], ["package ship", *[f"\tWave{n} = {n * 7919}" for n in range(30)]])
    shown = compact(text, budget=260, threshold=0).text
    assert "Keel *harbour.Keel" in shown
    page = made("page.html", ["<p>"], ["<p>", "</div>", *[f"<p>Wave {n}" for n in range(60)]])
    assert "the only line of its shape" not in compact(page, budget=300, threshold=0).text


def test_a_budget_for_which_no_line_is_short_enough_is_no_failure() -> None:
    text = "0000:0:0:0:0:0000:0\n@@ -0,0 +0,0 @@" + "0:" * 30 + "!0:0:0:!0:0:!0:"
    assert compact(text, budget=50).problem is None


def cut_at_the_front(name: str = "harbour/pier.go") -> str:
    old = ["func moor() {", *(f"\tberth_{n}(rope{n * 7919})" for n in range(60)), "}"]
    new = [*old[:4], *(f"\twinch_{n}({n * 31})" for n in range(60)), *old[9:40], "\tsignal()", *old[40:]]
    return made(name, old, new).split("winch_2(62)\n")[1]


def test_a_diff_that_begins_within_a_hunk_is_a_diff_and_says_so() -> None:
    rest = cut_at_the_front()
    assert rest.startswith("+\twinch_3(")
    call = {"command": "git diff main...HEAD -- harbour/pier.go | tail -25"}
    numbered = "".join(f"{n:6}→{line}\n" for n, line in enumerate(rest.splitlines(), 1))
    for text in (rest, numbered):
        result = compact(text, budget=200, threshold=0, tool="Bash", arguments=call)
        assert result.content_type == "diff"
        assert "unified diff: 1 file, +58 −0, 2 hunks" in result.text  # the removed lines stood before the cut
        assert "begins within a hunk: the header of that" in result.text
        assert "\nharbour/pier.go\n" in result.text
        assert "signal()" in result.text


def test_hunks_without_a_header_are_of_no_named_file_where_the_call_names_several() -> None:
    rest = cut_at_the_front()
    for command in ("git diff a.go b.go | tail -25", "git diff main -- harbour | tail -25"):
        shown = compact(rest, budget=250, threshold=0, tool="Bash", arguments={"command": command}).text
        assert "files that it does not name, +58" in shown
        assert ".go" not in shown.replace(command, "")


def test_the_rest_of_a_hunk_before_other_files_is_counted_with_its_own() -> None:
    other = made("src/keel.py", ["import os", *body("keel", 40)], ["import sys", *body("keel", 39)])
    result = compact(cut_at_the_front() + other, budget=300, threshold=0)
    assert result.content_type == "diff"
    assert "git diff: 1 file and files that it does not name, +59 −2" in result.text


def test_a_list_before_a_diff_is_no_rest_of_a_hunk() -> None:
    notes = "- The keel was replaced.\n- The mast stays.\n\n"
    shown = compact(notes + made("a.py", body("old", 40), body("new", 40)), budget=300, threshold=0).text
    assert "+40 −40" in shown and "begins within" not in shown


def test_the_most_changed_files_are_told_of_source_and_of_the_rest() -> None:
    hulls = [f"src/yard_{n % 9}/hull_{n}.py" for n in range(60)]
    text = "".join(made(path, ["import os"], ["import os", *body("hull", 2 + n)]) for n, path in enumerate(hulls))
    text += made("tests/test_hull.py", ["import os"], ["import os", *body("test", 300)])
    text += made("rig/plan.yaml", ["a: 1"], ["a: 1", *[f"sail_{n}: {n * 31}" for n in range(200)]])
    text += made("docs/hull.md", ["# Hull"], ["# Hull", *[f"Plank {n} is {n * 31} long." for n in range(100)]])
    shown = compact(text, budget=500, threshold=0).text
    assert "most changed of source: src/yard_5/hull_59.py +61, src/yard_4/hull_58.py +60, " in shown
    others = "tests/test_hull.py +300, rig/plan.yaml +200, docs/hull.md +100"
    assert f"+55 more; of tests, documents, settings and others: {others}" in shown


def test_of_a_large_change_the_file_that_was_there_stands_beside_the_new_one() -> None:
    text = made("src/new.py", [], ["def launch(ship):", *body("launch", 150)])
    old = ["def sail(ship):", *body("keel", 90)]
    text += made(
        "src/core.py",
        old,
        [*old[:40], "    if ship.late:", "        raise TooLate(ship)", *body("core", 40), *old[40:]],
    )
    text += "".join(made(f"src/part_{n}.py", ["import os"], ["import os", *body(f"part{n}", 4)]) for n in range(20))
    text += made("src/rig.yaml", [], ["rig:", *[f"  sail_{n}: {n * 31}" for n in range(300)]])
    shown = compact(text, budget=400, threshold=0).text
    assert "if ship.late:" in shown and "sail_3" not in shown


def test_of_a_commit_with_a_message_the_tests_of_many_files_are_told() -> None:
    message = "".join(f"    Line {n} of why the keel had to be replaced by another one.\n" for n in range(8))
    head = f"commit {'4e1f' * 10}\nAuthor: Ada <a@b.c>\nDate:   Mon Jan 5 10:00:00 2026 +0000\n\n"
    head += f"    Mend the keel\n\n{message}\n"
    text = "".join(made(f"src/hull_{n}.py", ["import os"], ["import os", *body(f"hull{n}", 9)]) for n in range(9))
    text += made("tests/test_hull.py", ["import os"], ["import os", *body("test", 33)])
    shown = compact(head + text, budget=400, threshold=0).text
    assert "files: src/ (9) +81, tests/ (1) +33" in shown


def test_a_hunk_of_a_numbered_view_says_where_in_the_file_it_is() -> None:
    old = ["class Mast:", *body("mast", 200)]
    new = [*old[:20], "    self.sail = hoist(7919)", *old[20:150], "    self.flag = raise_flag(31)", *old[150:]]
    diff = made("src/mast.py", old, new) + made("src/sea.py", ["import os"], ["import os", *body("wave", 90)])
    numbered = "".join(f"{n:6}→{line}\n" for n, line in enumerate(diff.splitlines(), 1))
    shown = compact(numbered, budget=400, threshold=0).text
    assert re.search(r"\n@@ -\d+(?:,\d+)? \+14\d(?:,\d+)? @@\n\d+ \+    self\.flag = raise_flag\(31\)", shown)


def test_what_was_removed_below_an_added_heading_stands_below_that() -> None:
    old = [
        "# Voyage",
        "## Part one",
        "",
        "```",
        "Goal: sail to the island of the seven winds at once.",
        "```",
        *body("old", 30),
    ]
    new = ["# Voyage", "### Done: the island", "", "Status: the ship arrived on Tuesday.", *body("new", 30)]
    diff = made("VOYAGE.md", old, new) + made("LOG.md", ["# Log"], ["# Log", *body("log", 90)])
    shown = compact(diff, budget=400, threshold=0, focus="Status: the ship arrived").text
    assert "### Done: the island" in shown.split("Status: the ship")[0]


def test_the_first_paragraph_of_a_long_message_stands_before_the_changes_in_its_own_lines() -> None:
    words = [
        "The harbour takes boats",
        "whose masts are too tall,",
        "so bridges are hit at",
        "high water every spring.",
    ]
    message = ["    Check masts", "    ", "    ## Why", "    ", *(f"    {line}" for line in words), "    "]
    message += [f"    - pier {n}: {'a longer word ' * 6}" for n in range(9)]
    head = (
        "commit 0123456789abcdef0123456789abcdef01234567\nAuthor: A <a@b.c>\nDate:   Thu May 21 10:29:37 2026 -0400\n\n"
    )
    text = head + "\n".join(message) + "\n\n" + made("src/rig.py", ["import os"], ["import os", *body("rope", 90)])
    shown = compact(text, budget=350, threshold=0).text
    assert "\n".join(words) in shown and "measure_rope" in shown


def test_settings_of_the_package_that_is_changed_are_what_the_change_is_about() -> None:
    limit = made("src/harbour/rules/limits.yaml", ["mast: 20", "draft: 3"], ["mast: 25", "draft: 3"])
    code = made(
        "src/harbour/check.py", ["def check(boat):", "    pass"], ["def check(boat):", "    return boat.mast < 25"]
    )
    tests = made("tests/test_check.py", ["import os"], ["import os", *body("boat", 90)])
    hidden = made(".github/ci.yaml", ["on: push"], ["on: pull"])
    shown = compact(limit + code + hidden + tests, budget=300, threshold=0).text
    assert "+1 mast: 25" in shown and "return boat.mast < 25" in shown


def test_of_many_files_without_room_for_all_the_most_changed_are_named() -> None:
    text = "".join(
        made(f"src/harbour_office/a_part_of_the_rigging_{n}.py", ["x"], ["x", *body(f"plank{n}", n)]) for n in range(29)
    )
    shown = compact(text, budget=600, threshold=0).text
    assert "\nmost changed of source: src/harbour_office/a_part_of_the_rigging_28.py +28, " in shown


def test_lines_that_many_files_add_are_told_where_words_are_exchanged_in_most_places() -> None:
    old = ["import os", "rope = 1", "", "hoist()", "", "sail = 2", "", "wait()"]
    new = ["import os", "chain = 1", "", "hoist()", "", "kite = 2", "", "wait()", "moor_the_boat(pier)"]
    text = "".join(made(f"src/pier{n}.py", old, new) for n in range(9))
    shown = compact(text, budget=500, threshold=0).text
    assert "rope → chain in 9 places of 9 files" in shown and "sail → kite in 9 places" in shown
    assert "+moor_the_boat(pier) in 9 places of 9 files" in shown


def test_no_hunk_begins_without_a_line_of_it() -> None:
    verbs = ("haul", "slacken", "splice", "measure", "replace", "mend", "coil", "weigh")
    text = ""
    for n in range(24):
        text += f"--- a/pier/{verbs[n % 8]}/berth_{n}.py\n+++ b/pier/{verbs[n % 8]}/berth_{n}.py\n"
        for m in (9, 50, 120):
            verb = verbs[(n + m) % 8]
            text += f"@@ -{m},5 +{m},7 @@ def {verb}_{n}(self):\n     ship = quay.{verb}({n * m})\n"
            text += f"-    rope = ship.tie({m})\n"
            for k in range(3):
                call = f"quay.{verb}(harbour.{verbs[k % 8]}, tide={n * m * k * 7919}, {verbs[(k + n) % 8]}={k})"
                text += f"+    self.{verbs[(n * k + m) % 8]}_{k} = {call}\n"
            text += f"     tide.wait({n})\n     return ship\n"
    for budget in (1000, 1125, 1150, 1225, 1250):
        shown = compact(text, budget=budget, threshold=0).text.split("\n")
        hunks = [(line, after) for line, after in pairwise(shown) if line.startswith("@@ ")]
        assert hunks and all(after[:1] in " +-" and not after.startswith("+++") for _, after in hunks), budget


def _new(path: str, lines: list[str], announced: int = 0) -> list[str]:
    head = [f"diff --git a/{path} b/{path}", "new file mode 100644", "--- /dev/null", f"+++ b/{path}"]
    return [*head, f"@@ -0,0 +1,{announced or len(lines)} @@", *(f"+{line}" for line in lines)]


def test_each_part_of_a_view_of_a_diff_stands_under_its_own_file_and_new_tests_are_shown() -> None:
    rest = [line for n in range(60) for line in (f"+	moor(t, berth{n}, {n * 7})", f"+	sail{n}(harbour, {n})")]
    code = [
        line for n in range(24) for line in (f"func Tie{n}(rope string) error {{", f"	return knot({n})", "}", "")
    ]
    tests = [line for n in range(20) for line in (f"func TestTie{n}(t *testing.T) {{", f"	hold({n})", "}", "")]
    lines = [
        *rest,
        *_new("harbour/rope/tie_knots.go", ["package rope", "", *code]),
        *_new("harbour/rope/tie_knots_test.go", ["package rope", "", *tests], 120),
    ]
    view = "\n".join(f"{n}\t{line}" for n, line in enumerate(lines, 700))
    for budget in (500, 1_000):
        shown = compact(view, tool="Read", budget=budget, threshold=0).text
        body = shown[shown.index("a file whose header is not here: +120\n") :]
        heads = [line for line in body.split("\n") if line.startswith(("+++ ", "--- ", "@@"))]
        assert heads == ["+++ b/harbour/rope/tie_knots.go", "+++ b/harbour/rope/tie_knots_test.go"]
        above, _, below = body.partition(heads[0])
        source, _, tested = below.partition(heads[1])
        assert "moor(t" in above and "moor(t" not in below
        assert "func Tie0(" in source and "func TestTie0(" in tested
        assert "2 files and one that it does not name, +" in shown
        assert "tie_knots_test.go after 82 of 120 lines of its last hunk: counts are of what is there" in shown


def test_removed_lines_of_a_document_that_the_request_speaks_of_come_first_under_their_own_heading() -> None:
    parts = []
    for n in range(14):
        parts += [f"## Quay {n}", "", *(f"The crew of quay {n} counts rope {n * k} at noon." for k in range(4)), ""]
    steps = ["### Pilot duty", "", "1. **Book the pilot** before the tide turns:", "   ```bash", "   # ask the tower"]
    steps += ["   tower --pilot next", "   ```", "   A berth without one stays empty.", "", "2. **Cast off**", ""]
    old = ["# Harbour", "", *parts, "## Sailing", "", *steps, *parts[:20]]
    new = ["# Harbour rules", "", *(f"## Rule {n}\n+\n+```ts\n+const rule{n} = {n};\n+```" for n in range(40))]
    diff = ["diff --git a/PORT.md b/PORT.md", "--- a/PORT.md", "+++ b/PORT.md", f"@@ -1,{len(old)} +1,1 @@"]
    diff += [
        *(f"-{line}" for line in old),
        "+@RULES.md",
        *_new("RULES.md", "\n".join(new).replace("\n+", "\n").split("\n")),
    ]
    asked = "We removed how to book a pilot. Can you restore it? https://example.org/port/rules/pull/7"
    shown = compact("\n".join(diff), budget=500, threshold=0, focus=asked).text
    run = [line.partition(" ")[2].strip() for line in shown.split("\n") if line.startswith("-")]
    at = next(n for n, line in enumerate(run) if "Book the pilot" in line)
    wanted = [line.strip() for line in steps[2:8]]
    assert run[at : at + len(wanted)] == wanted
    titles = [line for line in run[:at] if line.startswith("#")]
    assert titles[-1].startswith("### Pilot duty")


def test_of_a_new_transcript_the_question_the_headings_and_what_is_emphasised_come_before_examples() -> None:
    paths = [f"/srv/harbour/ropes/knot_{n}.go" for n in range(150)]
    said = [
        "<!-- made by a tool -->",
        "",
        "# 2026-02-24",
        "",
        "_**User**_",
        "",
        "Why does the tide table of the tower not show?",
    ]
    said += ["", "```text", "```go", "tide := table[0]", "```", "", *paths[:70], "```text", *paths[70:], "```", ""]
    said += ["## What was found", "", "it is drawn too early", "", "**CRITICAL FINDING**: the table is drawn first", ""]
    said += [line for n in range(60) for line in (f"so line {n} of the table says {n * 3}", "")]
    shown = compact("\n".join(_new("notes/tide.md", said, 4_820)), budget=400, threshold=0).text
    assert f"after {len(said)} of 4,820 lines of its last hunk" in shown
    for line in ("Why does the tide table", "## What was found", "**CRITICAL FINDING**"):
        assert line in shown


def test_what_is_removed_and_added_stands_in_the_order_of_the_diff_and_never_in_part() -> None:
    old = ["pier = 1", *(f"    rope_{n} = coil({n}, knots={n * 7})" for n in range(12)), "quay = 2"]
    new = ["pier = 1", *(f"    rope_{n} = coil({n}, knots={n * 7}, tarred=True)" for n in range(12)), "quay = 2"]
    text = made("pier.py", old, new)
    for budget in range(160, 600, 20):
        shown = [line for line in compact(text, budget=budget, threshold=0).text.split("\n") if "rope_" in line]
        signs = "".join(line[0] for line in shown)
        assert "+-" not in signs
        names = [{line.partition("rope_")[2].split(" ")[0] for line in shown if line[0] == sign} for sign in "-+"]
        assert names[1] <= names[0] and (names[1] or not names[0])


def test_what_replaces_a_few_lines_is_shown_with_them() -> None:
    old = [*body("old", 30), "ferry(alma)", *body("kept", 30)]
    new = [*body("old", 30), "boat = Boat(alma, moored=True)", *(f"boat.load({n}, tons={n})" for n in range(60))]
    text = compact(made("ferry.py", old, [*new, *body("kept", 30)]), budget=300, threshold=0).text
    assert "ferry(alma)" in text and text.index("ferry(alma)") < text.index("boat = Boat")


def test_hunks_of_one_file_and_what_a_change_adds_are_told_even_where_they_are_not_shown() -> None:
    old = [line for n in range(4) for line in body(f"part{n}", 40)]
    new = [*old]
    for n in (3, 2, 1):
        new[n * 40 : n * 40] = [
            f"def tie_{n}(rope):",
            *(f"    rope.pull({n}, {k}, twice={k * 3})" for k in range(40)),
            "",
        ]
    facts = compact(made("rope.py", old, new), budget=250, threshold=0).text.split("\n")[:5]
    assert "hunks from +38 tie_1, +120 tie_2, +202 tie_3" in facts
    both = made("tests/test_rope.py", [], ["def test_tie():", "    assert tie()"]) + made("rope.py", old, new)
    text = compact(both, budget=250, threshold=0).text
    assert "definitions added: tie_1, tie_2, tie_3, test_tie" in text and "hunks from" not in text


def test_a_program_below_a_hidden_folder_comes_before_its_tests() -> None:
    code = [f"def moor_{n}(quay):\n    return quay.berth({n})\n" for n in range(30)]
    lines = "".join(code).split("\n")
    files = (".github/scripts/test_moor.py", ".github/scripts/moor.py")
    text = compact("".join(made(path, [], lines) for path in files), budget=250, threshold=0).text
    assert text.index("\nmoor.py +") < text.index("\ntest_moor.py +") and f"+++ b/{files[1]}" in text


def test_a_line_in_other_columns_is_not_what_a_new_one_replaces() -> None:
    names = ["Anchor", "Bowline", "Capstan", "Davit", "Eyelet"]
    old = ["type Rig struct {", *(f"\t{name}    string `yaml:{name.lower()}`" for name in names), "}"]
    added = "\tMizzenHalyard string `yaml:mizzen_halyard`"
    new = [old[0], *(line.replace("    ", "       ") for line in old[1:-1]), added, "}"]
    text = made("rig.go", old, new) + made("sea.go", ["package sea"], ["package sea", *body("wave", 90)])
    shown = compact(text, budget=300, threshold=0).text
    assert added in shown
    for name in names:
        assert shown.count(f"\t{name} ") != 1, "no half of what was only moved"


def test_a_file_without_its_header_has_the_language_of_those_beside_it() -> None:
    hidden = [
        line for n in range(40) for line in (f"+func Tie{n}(rope string) error {{", f"+	return knot({n})", "+}", "+")
    ]
    text = "\n".join([*hidden, *_new("harbour/sail.go", ["package sail", "", "func Hoist() {", "	up()", "}"])])
    shown = compact(text, budget=500, threshold=0).text
    assert "definitions added: Tie0, Tie1, Tie2, Tie3, +37 more" in shown
    lines = [line.partition(" ")[2] or line for line in shown.split("\n")]
    for n in range(40):
        assert not any(f"return knot({n})" in line for line in lines) or any(f"func Tie{n}(" in line for line in lines)


def test_what_a_deleted_file_held_is_removed_or_moved_and_never_only_added() -> None:
    kept, gone = ["def hoist(sail):", "    return up(sail)"], ["def moor(boat):", "    return tie(boat)"]
    fresh = ["def weigh(anchor):", "    return lift(anchor)"]
    text = made("old_rig.py", [*kept, *gone], []) + made("new_rig.py", [], [*kept, *fresh])
    text += made("sea.py", ["import os"], ["import os", *body("wave", 90)])
    shown = compact(text, budget=400, threshold=0).text
    assert "definitions added: weigh\n" in shown
    assert "definitions removed: moor\n" in shown


def test_a_hunk_that_is_not_shown_is_marked_before_and_behind_those_that_are() -> None:
    old = [f"    plank_{n} = fit(hull, {n})" for n in range(120)]
    new = [f"{line}  # caulked in dock {n * 7919}" if n in (10, 40, 70, 100) else line for n, line in enumerate(old)]
    text = made("hull.py", old, new) + made("sea.py", ["import os"], ["import os", *body("wave", 90)])
    for budget in (260, 300, 360, 420):
        shown = compact(text, budget=budget, threshold=0).text
        part = shown.partition("+++ b/hull.py\n")[2].partition("\n+++ ")[0].split("\n")
        seen = [n for n in (10, 40, 70, 100) if any(f"plank_{n} =" in line and "# caulked" in line for line in part)]
        if seen and seen[-1] != 100:
            assert part[-1].endswith(" …")
        if seen and seen[0] != 10:
            assert part[0] == "@@ …"


def test_headings_that_are_added_to_a_document_come_first_and_sentences_stay_whole() -> None:
    lead = [
        "Before the tide turns every mate checks the moorings of the boat and reads the log of the",
        "last watch aloud.",
    ]
    said = [
        f"- Rope {n} is coiled on the {n}th cleat of the quay, where the {n * 31} gulls cannot reach it."
        for n in range(40)
    ]
    old = [
        "# Harbour",
        "",
        "Use the quay of the old harbour when the wind stands in the north, and wait for the",
        "pilot there.",
    ]
    new = [
        *old[:2],
        "Use the quay of the new harbour when the wind stands in the north, and wait for the",
        "harbour master there.",
    ]
    text = made("HARBOUR.md", [*old, *said], [*new, *said, "", "## Before the tide turns", "", *lead, "", *said[:9]])
    shown = compact(text, budget=350, threshold=0).text
    assert "## Before the tide turns" in shown
    for first, rest in ((lead[0], lead[1]), (new[2], new[3]), (old[2], old[3])):
        assert (first in shown) == (rest in shown)


def test_programs_and_their_public_definitions_come_before_settings_and_deleted_rules() -> None:
    job = ["import os", *body("keel", 3), "class _Crane:", *body("crane", 70), "def hoist(load):", *body("load", 30)]
    text = made("src/yard/hoist.py", [], job)
    text += made("src/yard/rigs/hoist.yaml", [], ["crew:", *(f"  hand_{n}: {n * 31}" for n in range(160))])
    text += made(".helper/rules/style.mdc", [f"Rule {n} of the yard." for n in range(90)], [])
    text += "".join(made(f"docs/part_{n}/page.md", ["# Part"], ["# Part", f"Page {n}."]) for n in range(40))
    shown = compact(text, budget=700, threshold=0).text
    assert re.search(r"definitions added \(last: the line here\): hoist \d+, _Crane \d+\n", shown)
    assert "most changed of source: src/yard/hoist.py +106; of tests, documents, settings and others: " in shown
    assert "def hoist(load):" in shown and "style.mdc −90, " not in shown.partition("of tests")[0]


def test_a_numbered_view_shows_what_a_comment_stands_above_and_no_import_first() -> None:
    old = ["package rig", "", "import (", '\t"bytes"', '\t"errors"', ")", "", "var knots int"]
    new = [
        *old[:3],
        '\t"bufio"',
        *old[3:],
        "",
        "// Moor ties the boat to the quay for the night, as the tide is.",
        "//",
    ]
    new += ["func Moor(boat *Boat) error {", *(f"\tboat.Tie({n * 7919})" for n in range(40)), "}"]
    text = "".join(made(f"rig/moor_{n}.go", old, [line.replace("Moor", f"Moor{n}") for line in new]) for n in range(4))
    view = "\n".join(f"{n:6}→{line}" for n, line in enumerate(text.split("\n"), 1))
    shown = compact(view, budget=450, threshold=0, tool="Read").text
    assert all(f"func Moor{n}(boat" in shown for n in range(4))
    assert "bufio" not in shown


def test_what_a_test_says_of_failures_is_no_alarm_and_a_key_that_is_called_fake_no_secret() -> None:
    text = made("src/deck.py", ["import os"], ["import os", *body("deck", 40), "    # FIXME: hold leaks"])
    failing = [line.replace("deck 31", "FATAL 31") for line in body("rope", 40)]
    text += made("tests/test_deck.py", ["import os"], ["import os", *failing])
    text += made("src/keys.py", ["import os"], ["import os", *body("key", 40), 'fake_api_key = "Zb8-77x9Qm2w"'])
    shown = compact(text, budget=400, threshold=0).text
    assert "FIXME: hold leaks" in shown
    assert "FATAL" not in shown and "a secret?" not in shown
    assert "a secret?" in compact(text.replace("fake_api", "api"), budget=400, threshold=0).text


def test_a_change_of_few_listed_files_says_what_they_change_alike_and_how_long_its_message_is() -> None:
    said = [f"Ropes of {n * 31} fathoms are counted once a watch, by hand, before the tide turns." for n in range(12)]
    head = ["commit " + "ab12" * 10, "Author: Ann <a@b.c>", "Date:   Mon Jul 6 10:00:00 2026 +0200", ""]
    message = "\n".join([*head, "    Count ropes", "", *(f"    {line}\n" for line in said)]) + "\n"
    line = "count = ropes.counted(once=True, by='hand') if ropes and not ropes.torn else None"
    old = ["def count(ropes):", *body("rope", 3)]
    text = message + "".join(made(f"deck/{name}.py", old, [*old, f"    {line}"]) for name in ("bow", "mast", "stern"))
    text += made("deck/hold.py", old, [*old, *body("hold", 90)])
    shown = compact(text, budget=500, threshold=0).text
    assert "Count ropes\n(its message: 12 lines, 7–29)\n" in shown
    assert "in 3 places of 3 files: bow.py, mast.py, stern.py" in shown


def test_a_long_diff_says_where_each_of_few_files_begins() -> None:
    text = made("src/boat.py", ["import os"], ["import os", *body("boat", 200)])
    begins = text.count("\n") + 1
    text += made("src/quay.py", ["import os"], ["import os", *body("quay", 190)])
    shown = compact(text, budget=300, threshold=0).text
    assert "(last: the line here with which each begins)\n" in shown
    assert f"src/boat.py +200 1\nsrc/quay.py +190 {begins}\n" in shown


def test_further_definitions_are_told_where_there_is_room() -> None:
    text = "".join(
        made(f"src/part_{n}.py", [], [f"def moor_{n}_{k}(boat):\n    return boat.tied({k * 7919})" for k in range(2)])
        for n in range(10)
    )
    shown = compact(text, budget=1_000, threshold=0).text
    assert "definitions added: moor_0_0, moor_0_1, moor_1_0, moor_1_1, +16 more\n" in shown
    rest = ", ".join(f"moor_{n}_{k}" for n in range(2, 10) for k in range(2))
    assert f"further definitions added: {rest}\n" in shown


def test_what_is_written_anew_is_shown_before_a_definition_that_is_only_removed() -> None:
    lines = ["diff --git a/quay/moor.go b/quay/moor.go", "--- a/quay/moor.go", "+++ b/quay/moor.go"]
    lines += ["@@ -20,15 +20,17 @@ import (", " func berth() string {"]
    lines += [f"-\told{n}, err := tide.Old{n}(harbour)" for n in range(12)]
    lines += [f'+\tnew{n}, err := tide.Fresh{n}(harbour, "mole{n}")' for n in range(14)]
    lines += [' \treturn "quay"', " }", "@@ -60,23 +62,0 @@ func berth() string {"]
    lines += ["-// ropeKind tells how a rope was tied.", "-func ropeKind(rope, knot string) string {"]
    for n in range(6):
        lines += [f'-\tif strings.Contains(rope, "hemp{n}") {{', f'-\t\treturn "hemp_{n}"', "-\t}"]
    lines += ['-\treturn "unknown"', "-}"]
    for n in range(6):
        lines += [f"diff --git a/quay/p{n}.go b/quay/p{n}.go", f"--- a/quay/p{n}.go", f"+++ b/quay/p{n}.go"]
        lines += [f"@@ -10,4 +10,3 @@ func Check{n}() {{", " \tok := true", f"-\tkind := ropeKind(rope{n}, knot)"]
        lines += [f'-\ttrack{n}("kind", kind)', f'+\ttrack{n}("rope")', " }"]
    for budget in range(220, 600, 40):
        text = compact("\n".join(lines), budget=budget, threshold=1, store=None).text
        assert text.count("Fresh") >= len(re.findall(r"hemp[\d_]", text)) // 2, (budget, text)


def yard(n: int) -> list[str]:
    """A function of a yard, with a body of its own."""
    return [
        f"func moorBerth{n}(load int) error {{",
        *[f"\tload += {k * 31 + n}" for k in range(12)],
        "\treturn nil",
        "}",
    ]


def fleet() -> str:
    kinds = ["type Hull struct {", *[f"\tPlank{n} int" for n in range(14)], "}"]
    named = [line for n in range(30) for line in ["", *yard(n)]]
    return made("yard/fleet.go", [], ["package yard", "", *kinds, *named])


@pytest.mark.parametrize("view", [False, True])
def test_what_a_new_file_defines_is_listed_by_its_lines(view: bool) -> None:
    lines = fleet().split("\n")
    text = "\n".join(f"{n}\t{line}" for n, line in enumerate(lines, 1)) if view else fleet()
    shown = compact(text, budget=500, threshold=0).text
    (index,) = re.findall(r"^further definitions: (.+), \d+ more in lines", shown, re.MULTILINE)
    header = 0 if view else lines.index("+package yard")
    for told in index.split(", "):
        at, name = told.split(" ")
        assert re.match(rf"\+(?:func|type) {name}\b", lines[header + int(at) - 1])
    assert re.search(r"lines shown, \d+ of 31 definitions", shown) and "definitions added" not in shown


def test_of_a_new_program_one_function_stands_as_it_goes_on() -> None:
    shown = compact(fleet(), budget=600, threshold=0).text
    body = "\n".join(f"+{line}" for line in yard(0)[1:])
    assert re.search(r"\+\d+ func moorBerth0\(load int\) error \{\n" + re.escape(body) + "( …)?\n", shown)


def test_of_definitions_of_several_files_each_has_the_line_at_which_it_begins() -> None:
    text = "".join(
        made(f"yard/q{n}.py", ["import os"], ["import os", f"def tie_{n}():", *body("rope", 60)]) for n in range(6)
    )
    (told,) = re.findall(
        r"^definitions added \(last: the line here\): (.+), \+2 more$", compact(text, budget=400).text, re.M
    )
    for name, at in map(str.split, told.split(", ")):
        assert text.split("\n")[int(at) - 1] == f"+def {name}():"


def test_a_comment_is_read_from_its_beginning() -> None:
    told = [
        "# Two of the crew look at the rope on the first day of each month",
        "# for a corrupt splice, of which nobody knows.",
    ]
    job = [*body("keel", 30), *told, "def look():", *body("rope", 30)]
    shown = compact(made("yard/rope.py", [], ["import os", *job]), budget=400, threshold=0).text
    assert "\n".join(f"+{line}" for line in told) in re.sub(r"(?m)^\+\d+ ", "+", shown)


def test_hunks_without_a_file_are_told_with_what_each_adds() -> None:
    text = "\n".join(f"@@ -0,0 +1,{n} @@\n" + "\n".join(f"+Berth {k} of {n}." for k in range(n)) for n in (90, 40, 7))
    assert "3 hunks (+90, +40, +7)" in compact(text, budget=300, threshold=0).text


def test_numbers_of_a_view_that_begins_further_on_are_told_with_what_lines_of_the_result_are(tmp_path: Path) -> None:
    text = "\n".join(f"{n}\t{line}" for n, line in enumerate(fleet().split("\n"), 701))
    shown = compact(text, budget=600, threshold=0, store=ResultStore(tmp_path)).text
    assert "(numbers: the view's; for --lines take them minus 700)" in shown


def test_lines_of_a_diff_that_a_document_quotes_are_no_items_of_a_list() -> None:
    """They have signs of their own, as bullets have."""
    quoted = [f"+      - ropes: hawser@{n}" for n in range(12)]
    about = ["# Harbour", "", "What the review of the berths says:", "", "diff --git a/rig.yml b/rig.yml"]
    duties = ["", "## Duties", "", *(f"- Moor the ship number {n} at the berth that is free" for n in range(9))]
    text = compact(
        made("review.md", [], [*about, "@@ -0,0 +1,12 @@", *quoted, *duties]), budget=260, threshold=260
    ).text
    assert "hawser" in text and " of 12" not in text and " of 9 added items]" in text


def test_a_paragraph_of_a_message_that_is_left_out_is_marked() -> None:
    said = [
        "Rope and tide of the quay disagree about the berth, and the watch of the night pays.",
        "",
        "The old knot held by friction alone, which frost and salt take away before anybody",
        "looks at the bollard again, so the mate found the barge adrift on three mornings.",
        "Now the line goes round twice, crosses itself below the horn and ends in a hitch that",
        "tightens with every pull; a hand can still undo it when the tide turns against us.",
        "",
        "It was seen by the mate, the cook and the pilot, and by nobody of the harbour office, which",
        "sleeps; so the log of the quay says nothing of it and never will, whatever they may write.",
        "",
        "Fixes #77",
    ]
    head = [
        "commit 147121ff35ba95b6e405bdc846d855dff21c00d3",
        "Author: Mate <m@quay.example>",
        "Date:   2026-07-06",
        "",
    ]
    diff = ["diff --git a/q.py b/q.py", "--- a/q.py", "+++ b/q.py"]
    for n, horn in enumerate("abcdefgh"):
        diff += [f"@@ -{n * 40 + 1},2 +{n * 40 + 1},3 @@ def pull_{n}(rope):", f"     rope.bend({n})"]
        diff += [f"+    rope.secure(hitch={n}, horn='{horn * 3}')", f"     return rope.ease({n * 3})"]
    text = "\n".join([*head, *(f"    {line}" for line in ("Wind ropes twice", "", *said)), "", *diff, ""])
    texts = [compact(text, budget=budget, threshold=100, tool="git_show").text for budget in range(230, 300, 5)]
    gaps = [shown for shown in texts if "Rope and" in shown and "Fixes" in shown and "old knot" not in shown]
    assert gaps and all(" …\nFixes #77" in shown for shown in gaps)
