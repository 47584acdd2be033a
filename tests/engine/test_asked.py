"""What the focus or the call's arguments name exactly is shown whole, first among the items, at any budget."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from bench.asked import BUDGETS, cases, orders, shown_whole
from mcpcompact import Compactor, Policy, ResultStore, ToolCall, compact
from mcpcompact.engine.atoms import atoms
from mcpcompact.engine.terms import asked_for

ORDERS = orders(random.Random(7))


def body(data: object, budget: int, **named: Any) -> str:
    text = data if isinstance(data, str) else json.dumps(data)
    result = compact(text, budget=budget, threshold=0, **named)
    assert result.problem is None, result.problem
    return result.text


def test_named_records_rows_lines_sequences_elements_and_definitions_stand_whole() -> None:
    missed = [(case, budget) for case in cases(20, seed=5) for budget in BUDGETS if not shown_whole(case, budget)]
    assert not missed


def test_it_comes_before_all_other_items() -> None:
    lines = body(ORDERS, 600, focus="ord-333").split("\n")
    rows = [line for line in lines if re.match(r"#\d+", line)]
    assert rows[0].startswith('#333 {"id":"ord-333"') and len(rows) > 3
    assert not any(row.startswith("#333|") for row in rows), "it needs no second place among the others"


def test_five_are_shown_and_all_are_counted_with_the_selector_that_lists_them(door: Run, tmp_path: Path) -> None:
    rows = [{**row, "customer": ("cust17", "cust171", "cust4")[min(i % 11, 2)]} for i, row in enumerate(ORDERS)]
    (tmp_path / "rows.ndjson").write_text("\n".join(map(json.dumps, rows)))
    text = door("summarize", "rows.ndjson", "--budget", 1000, "--focus", "cust17").stdout.decode()
    shown = [line for line in text.split("\n") if line.startswith("#") and '"cust17"' in line]
    assert len(shown) == 5
    command = re.search(r'^37 records match "cust17": (mcpcompact results get \w+ --grep cust17 -w)$', text, re.M)
    assert command
    listed = door(*command[1].split()[1:], "--max-tokens", 0).stdout.decode()
    assert listed.count('"cust17"') == 37 and "cust171" not in listed


def test_a_part_of_a_longer_name_is_not_the_name() -> None:
    rows = [{"id": f"ord-{i}", "note": f"see ord-{i}-b and xord-{i} and ord-{i}.5"} for i in range(1, 300)]
    lines = [line for line in body(rows, 400, focus="ord-12").split("\n") if line.startswith("#12 ")]
    assert lines == ['#12 {"id":"ord-12","note":"see ord-12-b and xord-12 and ord-12.5"}']
    assert not re.search(r"^#1[012]\d \{", body(rows, 400, focus="ord-12"), re.M)


def test_an_exact_spelling_comes_before_another_case_and_a_value_before_a_key() -> None:
    rows = [{"code": f"AB-{i}", "n": i} for i in range(200)]
    assert '#8 {"code":"AB-7","n":7}' in body(rows, 200, focus="ab-7")
    rows += [{"code": "ab-7", "n": 200}]
    text = body(rows, 200, focus="ab-7")
    assert '#201 {"code":"ab-7","n":200}' in text and "#8 {" not in text
    mixed: list[dict[str, object]] = [{"id": i, "v": f"x{i}"} for i in range(200)]
    mixed[50]["beta-2"], mixed[90]["v"] = 1, "beta-2"
    text = body(mixed, 200, focus="beta-2")
    assert '#91 {"id":90,"v":"beta-2"}' in text and "#51 {" not in text
    mixed[90]["v"] = "x"
    assert '#51 {"id":50,"v":"x50","beta-2":1}' in body(mixed, 200, focus="beta-2")


@pytest.mark.parametrize(
    "arguments",
    [
        {"limit": 100, "offset": 20, "verbose": True, "format": "json"},
        {"branch": "main", "state": "ok"},
        {"max_results": 5000, "timeout_ms": 30000},
        {"query": "the latency of all orders"},
    ],
)
def test_generic_values_name_nothing(arguments: dict[str, Any]) -> None:
    assert not re.search(r"^#\d+ \{", body(ORDERS, 300, arguments=arguments), re.M)


def test_what_occurs_in_a_large_share_names_nothing() -> None:
    rows = [{"id": f"n{i}", "region": "eu-west" if i % 3 else "us-east-1"} for i in range(200)]
    assert not re.search(r"^#\d+ \{", body(rows, 300, focus="region us-east-1"), re.M)
    assert '#8 {"id":"n7","region":"eu-west"}' in body(rows, 300, focus="n7 in eu-west")


def test_the_name_of_the_whole_input_names_nothing_in_it() -> None:
    lines = [f"step {i} of report.txt" if i == 40 else f"step {i} goes on" for i in range(300)]
    text = "\n".join(lines)
    named = Compactor(Policy(150, 0)).compact(
        text, ToolCall(arguments={"path": "docs/report.txt"}, source="docs/report.txt")
    )
    assert asked_for({"path": "docs/report.txt"}, None, "report.txt").names == []
    assert named.problem is None


@pytest.mark.parametrize(
    ("focus", "arguments"),
    [
        ("what is in line 417", None),
        ("src/tool.py:417", None),
        (None, {"line": 417}),
        (None, {"offset": 417, "limit": 1}),
    ],
)
@pytest.mark.parametrize("numbered", [False, True])
def test_a_line_number_names_its_line(focus: str | None, arguments: dict[str, Any] | None, numbered: bool) -> None:
    lines = [f"value_{i} = load_{i * 7 % 31}(source, {i})" for i in range(1, 701)]
    if numbered:
        lines = [f"{i:6d}\t{line}" for i, line in enumerate(lines, 1)][200:]
    text = body("\n".join(lines), 150, focus=focus, arguments=arguments)
    assert re.search(r"^\s*417\s+value_417 = load_5\(source, 417\)( ←| …|$)", text, re.M)


def test_a_multi_word_name_and_a_rare_name_among_ordinary_words() -> None:
    rows = [{"id": i, "species": "Apis mellifera" if i % 40 else f"Vanessa cardui{i}"} for i in range(1, 300)]
    rows[111]["species"] = "Vanessa cardui"
    assert '#112 {"id":112,"species":"Vanessa cardui"}' in body(rows, 200, focus="where does Vanessa cardui live")
    assert '"id":"ord-123"' in body(ORDERS, 200, focus="latency of ord-123")


def test_what_is_longer_than_the_room_says_how_to_fetch_it(tmp_path: Path) -> None:
    rows = [{"id": f"doc-{i}", "body": f"text {i} " * 400, "last": f"tail-{i}-z"} for i in range(30)]
    for focus in ("doc-17", "tail-17-z"):
        result = compact(json.dumps(rows), budget=150, threshold=0, focus=focus, store=ResultStore(tmp_path))
        line = next(line for line in result.text.split("\n") if line.startswith("#18 "))
        assert "doc-17" in line and focus in line
        assert re.search(r"…\[\+[\d]+ chars\].* whole: mcpcompact results get \w+ --records 18:18$", line)


def test_a_record_that_was_not_held_and_a_column_that_was_dropped_are_shown() -> None:
    rows = [{"id": f"k{i}", **{f"c{k}": f"v{i}.{k}" for k in range(14)}} for i in range(25_000)]
    text = body("\n".join(map(json.dumps, rows)), 300, focus="k23456")
    assert json.dumps(rows[23_456], separators=(",", ":")) in text


def test_headings_bring_their_section_and_entries_their_stack_trace() -> None:
    page = "\n".join(f"## Part {i}\n\nSentence {i} about module_{i}.\n" for i in range(200))
    assert "## Part 120\n" in (text := body(page, 200, focus="Part 120")) and "Sentence 120 about module_120." in text
    log = [f"2026-01-01 10:00:{i % 60:02d} INFO job {i} of batch-{i} done" for i in range(300)]
    log[200] = "2026-01-01 10:03:20 ERROR job 200 of batch-200 failed\n  at run (job.js:7:1)\n  at main (app.js:1:2)"
    assert log[200] in body("\n".join(log), 200, focus="batch-200")


def test_gaps_never_claim_what_stands_above() -> None:
    text = body(ORDERS, 400, focus="ord-200")
    for first, last in re.findall(r"\[records (\d+)–(\d+) not shown\]", text):
        assert not int(first) <= 200 <= int(last)


def test_other_alphabets_escapes_and_utf16() -> None:
    rows = [{"id": i, "name": f"имя-{i}", "path": f"a/б{i}.txt"} for i in range(200)]
    for text in (json.dumps(rows), json.dumps(rows, ensure_ascii=False)):
        assert re.search(r'^#78 \{"id":77,', body(text, 300, focus="имя-77"), re.M)
    data = json.dumps(rows, ensure_ascii=False).encode("utf-16")
    assert re.search(r'^#78 \{"id":77,', compact(data, budget=300, threshold=0, focus="имя-77").text, re.M)


def test_limits_and_time_outs_are_no_names() -> None:
    asked = asked_for({"max_results": 5000, "timeout_ms": 30000, "limit": 4711, "page": {"size": 2500}}, None)
    assert asked.names == [] and asked.values == []
    assert asked_for({"order_id": 4711}, None).values != []


def test_the_filter_of_a_search_names_none_of_its_hits() -> None:
    names = ["fileMeta", "yamlLimit", "targetPrep", "budgetUsd", "loadSuite", "runEval", "cliArgs", "maxJobs"]
    hits = "\n".join(f"src/run.ts:{n}:  const x{n} = {names[n % 8]}(step{n}, {n * 37});" for n in range(1, 200))
    text = body(hits, 300, arguments={"cmd": f'rg -n "{"|".join(names)}" src'})
    assert " lines match " not in text, "each hit bears one of them: they tell no hit from another"
    assert '25 lines match "budgetUsd"' in body(hits, 300, focus="budgetUsd"), "the focus asks for it all the same"
    text = body(hits, 300, arguments={"cmd": 'rg -n "const|step117" src'})
    assert "\n117:  const" in text or "\nsrc/run.ts:117:  const" in text, "a word that few of them bear does"


def test_a_category_of_every_element_names_none_of_them() -> None:
    trips = [[{"flight": f"HA{n}", "from": "JFK", "to": "ATL"}, {"flight": f"HB{n}", "from": "ATL", "to": "SEA"}]
             for n in range(60)]  # fmt: skip
    text = body(trips, 300, arguments={"origin": "JFK", "destination": "SEA"})
    assert 'match "JFK"' not in text and 'match "SEA"' not in text
    assert '{"flight":"HB41","from":"ATL","to":"SEA"}' in body(
        trips, 300, arguments={"origin": "JFK", "flight": "HB41"}
    )
    documents = "\n".join(
        json.dumps({"number": n, "state": "OPEN", "body": f"text of {n} " * 40}) for n in (1570, 1572)
    )
    assert "#1 {" not in body(documents, 300, arguments={"cmd": "for pr in 1570 1572; do gh pr view $pr; done"})


def test_acronyms_and_the_directory_of_a_call_are_no_names() -> None:
    asked = asked_for({"cmd": "make PR for the CLI", "workdir": "/home/me/project"}, "create a draft PR of the API")
    assert not [term.text for terms in (*asked.names, *asked.values, *asked.words) for term in terms if term.text in
                ("PR", "CLI", "API") or "project" in term.text]  # fmt: skip
    assert [terms[0].text for terms in asked_for(None, "why ENOENT?").names] == ["why ENOENT", "ENOENT"]


def test_a_repeated_line_that_is_named_stands_once() -> None:
    lines = (
        [f"{n} note of step {chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(1, 300)]
        + ["owner is build-42 today"] * 3
        + ["that is all"]
    )
    assert body("\n".join(lines), 300, focus="build-42").count("owner is build-42 today") <= 2  # a neighbour is cheap


def test_a_name_that_most_elements_bear_is_no_answer_and_leaves_the_room_to_rows() -> None:
    legs = [
        {"train": f"ICE{n}", "from": a, "to": b, "departs": f"{n % 24:02}:15", "seats": {"first": n, "second": 3 * n}}
        for n in range(100, 108)
        for a, b in (("Ulm", "Kassel"), ("Kassel", "Kiel"))
    ]
    text = body([legs[n : n + 2] for n in range(0, 16, 2)], 500, arguments={"from": "Ulm", "to": "Kiel"})
    assert "match" not in text
    assert all(f"ICE{n}" in text for n in range(100, 108))


def test_a_field_that_all_siblings_have_is_a_column_and_no_answer() -> None:
    rows = [{"number": n, "title": f"Part {n}", "isDraft": n == 2, "body": f"word{n} " * 300} for n in range(4)]
    text = body({"pulls": rows}, 500, arguments={"command": "pr list --json number,title,isDraft,body"})
    assert "match" not in text
    assert all(f"Part {n}" in text for n in range(4))


@pytest.mark.usefixtures("soon")
def test_names_cost_no_time_that_grows_with_what_is_no_name() -> None:
    """Colons and brackets without end: a run of either took seconds for some hundred bytes."""
    assert atoms(":" * 4_000 + "-0" + ":" * 4_000 + " src::mod::name") >= {"src::mod::name"}
    deep = "[" * 4_000 + '"12m"' + "]" * 4_000
    assert compact(deep, budget=70, threshold=0, focus="12m").tokens <= 70


@pytest.mark.parametrize(
    "arguments", [{"command": "seq 1 3000"}, {"cmd": ["seq", "1", "3000"]}, {"command": "kubectl logs --tail=3000 web"}]
)
def test_a_bare_number_of_a_command_names_nothing(arguments: dict[str, Any]) -> None:
    asked = asked_for(arguments, None)
    assert not asked.lines
    assert "3000" not in {term.text for terms in (*asked.values, *asked.words) for term in terms}


def test_a_number_beside_a_file_or_under_a_key_that_says_so_is_looked_for() -> None:
    with_file = asked_for({"command": "grep 48213 logs/server.log"}, None)
    assert "48213" in {term.text for terms in with_file.words for term in terms}
    assert asked_for({"file_path": "a.py", "offset": 3000}, None).lines == [3000]
    assert "48213" in {term.text for terms in asked_for({"query": "orders of 48213"}, None).words for term in terms}


def test_the_range_of_a_view_is_no_name() -> None:
    asked = asked_for({"cmd": "sed -n '2370,2458p' src/app.ts && grep -n 8842 build.log"}, None)
    named = [terms[0].text for terms in asked.words]
    assert "8842" in named and not {"2370", "2458p"} & set(named)


@pytest.mark.timeout(60)  # each of them took minutes when a name could begin at every sign
@pytest.mark.parametrize("signs", ["/", "./", "=", '"', "'", "@a", "a:"])
def test_a_call_of_many_signs_costs_no_time(signs: str) -> None:
    rows = "".join(f"INFO unit-{i} step {i * 7 % 13} ok\n" for i in range(120))
    shown = compact(rows, budget=100, threshold=100, tool="Bash", arguments={"command": signs * 40_000})
    assert shown.method == "outline"


def test_a_named_section_of_settings_stands_with_its_keys_and_a_locked_package_with_its_version() -> None:
    settings = "".join(f"[area{n}]\nhost = h{n}.example.com\nport = {5000 + n}\nactive = yes\n\n" for n in range(40))
    shown = body(settings, 200, focus="area8")
    assert "[area8]" in shown and "host = h8.example.com" in shown and "port = 5008" in shown
    locked = '[package]\nname = "shop"\nversion = "0.9.1"\n\n' + "".join(
        f'[[package]]\nname = "crate{n}"\nversion = "3.{n}.{n % 7}"\nchecksum = "{n:064x}"\n\n' for n in range(60)
    )
    shown = body(locked, 300, focus="crate42")
    assert 'name = "crate42"' in shown and 'version = "3.42.0"' in shown


def test_a_file_of_a_diff_that_the_call_names_comes_first() -> None:
    def change(n: int) -> str:
        path = f"source/part{n}.py"
        return (
            f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -3,3 +3,4 @@ def run{n}():\n"
            f"     begin({n})\n-    finish({n})\n+    total = {n * 37}\n+    finish(total)\n     leave()\n"
        )

    gone = (
        "diff --git a/old/legacy.py b/old/legacy.py\ndeleted file mode 100644\n--- a/old/legacy.py\n+++ /dev/null\n"
        "@@ -1,2 +0,0 @@\n-alpha = 81\n-omega = 97\n"
    )
    diff = "".join(map(change, range(20))) + gone + "".join(map(change, range(20, 40)))
    shown = body(diff, 300, arguments={"path": "source/part17.py"})
    assert "total = 629" in shown and "finish(total)" in shown
    shown = body(diff, 300, focus="what was in legacy.py?")
    assert "alpha = 81" in shown and "omega = 97" in shown


def test_lines_that_match_are_counted_where_there_is_no_room_for_all() -> None:
    lines = [
        f"2025-04-06 10:00:{n:02} INFO swept shelf row-{n % 20:02} in aisle {n} of the northern hall" for n in range(60)
    ]
    text = compact("\n".join(lines), budget=150, threshold=150, focus="row-07", store=None).text
    assert '3 lines match "row-07": 8, 28, 48' in text


def _manual(indent: str, below: str) -> str:
    options = [f"{verb}-{noun}" for verb in ("skip", "list", "keep", "force") for noun in ("tapes", "spools", "labels")]
    entries = [
        f"{indent}-{n}, --{option} <count>\n{below}Applies to tapes of drive {n} only, and says what it did.\n"
        f"{below}Has no effect where the drive is empty; see also --drain.\n"
        for n, option in enumerate(options)
    ]
    entries.insert(7, f"{indent}--drain\n{below}Writes what the spool holds before the drive stops.\n")
    return "TAPE(1)\n\nOPTIONS\n\n" + "\n".join(entries) + "\nSEE ALSO\n" + "Another page of the manual.\n" * 40


@pytest.mark.parametrize("focus", ["--drain", "what does --drain do to the spool?", "drain-free --drain"])
@pytest.mark.parametrize(("indent", "below"), [("       ", "           "), ("", "")])
def test_an_option_stands_with_what_a_manual_says_of_it(focus: str, indent: str, below: str) -> None:
    text = compact(_manual(indent, below), budget=250, threshold=250, focus=focus).text
    assert re.search(r"--drain\n\s*Writes what the spool holds before the drive stops\.", text), text


def test_an_entry_of_a_manual_is_named_without_its_dashes_and_by_a_line_of_its_own() -> None:
    manual = _manual("       ", "           ")
    text = compact(manual, budget=250, threshold=250, focus="force-labels").text
    assert re.search(r"--force-labels <count>\n\s*Applies to tapes of drive 11 only", text), text
    variable = manual.replace("SEE ALSO", "VARIABLES\n\n       TAPEHOME\n           Where labels are kept.\n\nSEE ALSO")
    text = compact(variable, budget=250, threshold=250, focus="TAPEHOME").text
    assert re.search(r"TAPEHOME\n\s*Where labels are kept", text), text


def test_the_number_of_matches_is_that_of_the_command_where_a_page_is_rendered(tmp_path: Path) -> None:
    entries = "".join(
        f"<dt>call_{n}</dt>\n<dd>Does {n} things;\nsee\n<a\nhref='#x'>push_item</a>.</dd>\n" for n in range(9)
    )
    page = f"<html><body><h1>Calls</h1><dl>{entries}</dl><p>push_item,\npush_item and more.</p></body></html>\n"
    page += "<!-- push_item -->\n" + "<p>Other text of the page.</p>\n" * 200
    store = ResultStore(tmp_path)
    text = compact(page, budget=300, threshold=0, focus="push_item", store=store).text
    told = re.search(r'(\d+) lines match "push_item": .* --grep push_item -w', text)
    assert told and int(told[1]) == sum("push_item" in line for line in page.splitlines()), text


def test_the_ending_of_a_files_name_is_no_name() -> None:
    asked = asked_for(None, "src/walk.c walk.py Ledger.settle")
    names = {term.text for terms in asked.names for term in terms}
    assert "settle" in names and not names & {"c", "py"}


HITS = "".join(f"src_{n % 60}/part_{n}.py:{n}:    dock_{n % 5}(harbour_{n}, 'session {n}')\n" for n in range(1, 400))


def test_a_directory_with_a_dot_and_one_of_many_alternatives_are_named_though_the_pattern_is_a_filter() -> None:
    hit, rare = ".moorings/quay.py:5:    'session'", "src_9/quay.py:77:    anchorage_mode = session"
    text = f"{HITS}{hit}\n{rare}\n{HITS}"
    search = {"command": "rg -n 'dock_1|dock_2|dock_3|dock_4|dock_0|anchorage_mode' .moorings src_9 -g '*.py'"}
    shown = compact(text, arguments=search, budget=300, threshold=300).text
    assert hit in shown
    assert rare in shown
    assert [t[0].text for t in asked_for(search, None).words if t[0].text.startswith(".")] == [".moorings"]


def test_a_long_message_names_the_files_that_it_ends_with() -> None:
    told = "\n".join(f"The part `part_{n}_of_it` calls `quay_{n}.moor` and `Rope{n}Knot`." for n in range(60))
    files = "".join(f"./harbour/berth_{n}/dataset.yaml\n" for n in range(120))
    focus = f"{told}\nThe run of ./harbour/berth_77/dataset.yaml failed."
    assert "./harbour/berth_77/dataset.yaml" in compact(files, focus=focus, budget=300, threshold=300).text
    assert asked_for({}, focus).names[-1][0].text == "./harbour/berth_77/dataset.yaml"


@pytest.mark.parametrize("budget", (150, 300, 600))
def test_what_is_asked_for_far_behind_in_a_long_line_of_a_log_is_shown(budget: int) -> None:
    said = " ".join(f"shelf-{n}" for n in range(60))
    lines = [f"2026-03-01 10:{n // 60:02}:{n % 60:02} INFO  store.Loop: round {n} went well" for n in range(300)]
    for n in (120, 121, 180):
        lines[n] = f"2026-03-01 10:00:{n % 60:02} ERROR store.Disk: gave up {said} because of QuotaSpent on disk {n}"
    shown = compact("\n".join(lines), budget=budget, threshold=budget, focus="QuotaSpent").text
    assert "QuotaSpent on disk 120" in shown and '3 lines match "QuotaSpent": 121, 122, 181' in shown
