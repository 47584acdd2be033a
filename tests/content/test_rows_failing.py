"""Tables and records whose rows tell of failures in sentences; columns that rows leave out; limits of the call."""

from __future__ import annotations

import json
import re
from typing import Any

from mcpcompact import compact
from mcpcompact.content.detect import load
from mcpcompact.outline import Hints
from mcpcompact.source import Source

CALM = ("Lamp lit", "Buoy counted", "Gate opened", "Rope coiled", "Crane moved", "Tide read", "Flag raised")
SAD = (
    "Cannot reach the pilot of berth <*>",
    "Winch <*> failed: brake does not hold",
    "Fatal: pump room flooded",
    "Denied: permit of vessel <*> ran out",
)


def rows_of(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith("#") and line[1:2].isdigit()]


def templates(many: int) -> str:
    lines = [f"K{n:03d},{CALM[n % 7]} by hand on pier <*> ({chr(97 + n % 26)}{n // 26})" for n in range(many)]
    for place, text in zip((47, 88, 103, 131), SAD, strict=True):
        lines[place] = f"K{place:03d},{text}"
    return "EventId,EventTemplate\n" + "\n".join(lines) + "\n"


def test_of_a_list_of_templates_those_of_failures_stand_before_any_sample() -> None:
    for budget in (300, 500):
        text = compact(templates(150), budget=budget, threshold=budget, store=None).text
        assert all(said in text for said in SAD), budget
        assert "4 of 150 name a failure" in text or "cannot" in text.lower()


def test_the_columns_that_rows_leave_out_are_named_where_room_is_short() -> None:
    names = ["day", *(f"catch_of_{fish}" for fish in ("cod", "eel", "hake", "ling", "plaice", "ray", "sole", "tope"))]
    names += [f"landed_at_{port}" for port in ("amble", "brixham", "cromer", "deal", "eyemouth", "fowey")]
    rows = [
        [f"2031-{1 + n // 28:02}-{1 + n % 28:02}", *(str(900 + n * (i + 3) % 777) for i in range(14))]
        for n in range(300)
    ]
    text = compact("\n".join(",".join(row) for row in [names, *rows]), budget=400, threshold=400, store=None).text
    header = next(line for line in text.split("\n") if line.startswith("#|"))
    left = next(line for line in text.split("\n") if line.startswith("not shown in rows: "))
    assert all(name in header or name in left for name in names)


def test_years_above_the_columns_are_their_names_and_the_newest_are_shown() -> None:
    head = ["region", "code", *map(str, range(1994, 2031))]
    rows = [[f"Shire{n}", f"S{n:03d}", *(str((n * year) % 811 + 5) for year in range(37))] for n in range(90)]
    text = compact("\n".join(",".join(row) for row in [head, *rows]), budget=500, threshold=500, store=None).text
    shown = next(line for line in text.split("\n") if line.startswith("#|"))
    assert "CSV: 90 rows, 39 columns" in text
    assert {"region", "2030", "2029"} <= set(shown.split("|")) and "1994" not in shown


def test_numbers_that_are_mostly_zero_give_way_to_others() -> None:
    names = ["pier", *(f"idle_{n}" for n in range(8)), *(f"load_{n}" for n in range(8))]
    idle = [[str(31 + n * 13) if n % 9 == i else "0" for i in range(8)] for n in range(260)]
    rows = [[f"pier-{n}", *idle[n], *(str(50 + n * (i + 2) % 97) for i in range(8))] for n in range(260)]
    text = compact("\n".join(",".join(row) for row in [names, *rows]), budget=300, threshold=300, store=None).text
    shown = next(line for line in text.split("\n") if line.startswith("#|"))
    assert sum("load_" in name for name in shown.split("|")) == 8


def test_a_list_as_long_as_its_limit_says_that_there_may_be_more() -> None:
    said = "lets through: there may be more"
    records = json.dumps(
        [{"id": n, "state": "open", "title": f"Mend the sluice {n} at the upper weir"} for n in range(40)]
    )
    nested = json.dumps({"kind": "Page", "entries": [{"id": n, "in": {"a": n, "b": [n] * 9}} for n in range(40)]})
    lines = "\n".join(f'{{"id": {n}, "note": "rope {n} of the north quay"}}' for n in range(40))
    table = "id,berth,draught\n" + "\n".join(f"{n},B{n % 7},{n * 3 % 11}.5" for n in range(40))
    log = "\n".join(f"2031-03-04 05:06:{n % 60:02} INFO crane {n % 4} lifted crate {n * 7}" for n in range(40))
    said_of = "Moor at bollard {0} of the [north quay](quay-{0}.md), then signal to the harbour office on channel {0}."
    guide = "# Quays\n\n" + "".join(f"## Berth {n}\n{said_of.format(n * 7)}\n" for n in range(19))
    calls: list[tuple[str, dict[str, object], str]] = [
        (records, {"command": "harbour list --limit 40 --json"}, "`--limit 40` " + said),
        (nested, {"per_page": 40}, "`per_page=40` " + said),
        (lines, {"command": "harbour dump | head -n 40"}, "`head -n 40` " + said),
        (table, {"query": {"first": 40}}, "'first': 40` " + said),
        (log, {"cmd": "sed -n '1,40p' harbour.log"}, "`sed -n 1,40p` " + said),
        (guide, {"command": "cd docs && sed -n '1,40p' quay.md"}, "`sed -n 1,40p` " + said),
        (guide + "<shellId: 4 completed with exit code 0>", {"command": "head -n 40 quay.md"}, "`head -n 40` " + said),
        (guide, {"command": "Get-Content quay.md -TotalCount 40"}, "`-TotalCount 40` " + said),
        (log, {"command": "kubectl logs crane --tail=40"}, "`--tail=40` " + said),
    ]
    for text, arguments, wanted in calls:
        assert wanted in compact(text, budget=200, threshold=200, arguments=arguments, store=None).text, arguments
        fewer = {key: str(value).replace("40", "60") for key, value in arguments.items()}
        assert said not in compact(text, budget=200, threshold=200, arguments=fewer, store=None).text, fewer


def test_of_a_long_error_the_middle_is_cut_and_its_cause_stays() -> None:
    cause = "the stamp on permit 4471 is older than the tide table"
    events = [{"id": n, "kind": "Normal", "message": f"Crate {n} was set down on the inner quay"} for n in range(60)]
    chain = "could not clear the vessel for berth nine: harbour office said no after three calls in a row: "
    chain += "asking the customs desk of the eastern basin once more: "
    events[33] = {"id": 33, "kind": "Warning", "message": f"error: {chain}{cause}"}
    run = {"run": {"id": 7, "steps": {f"step {n}": f"value {n}" for n in range(200)}}, "error": events[33]}
    for value in (events, run):
        text = compact(json.dumps(value), budget=200, threshold=200, store=None).text
        assert cause in text and "error: could not clear" in text


def test_a_cut_error_ends_with_the_words_before_a_long_id() -> None:
    rows = [{"id": n, "message": f"Rope {n} coiled on the upper deck"} for n in range(60)]
    said = "error taking down the winch: brake said: rpc error: code = 5 desc = reply of the drum: no such winch: "
    rows[21] = {"id": 21, "message": said + "4be1" * 40}
    text = compact(json.dumps(rows), budget=260, threshold=260, store=None).text
    assert "no such winch: 4be14be14be1…[+148 chars]" in text


def test_what_a_failing_row_says_has_the_room_that_its_line_leaves() -> None:
    said = (
        'error stopping crane: failed to "HaltDrum" for "quay" with HaltError: "rpc error: code = Unknown desc = '
        f"reply of the drum: No such winch: {'4be19' * 12}"
    )
    rows = [
        {
            "at": f"2031-07-10T05:{n % 60:02}:39Z",
            "reason": "Failed" if n % 3 == 0 else "Lifted",
            "message": f"failed to lift box {n}" if n % 3 == 0 else f"box {n} lifted",
            "type": "Warning" if n % 3 == 0 else "Normal",
            "crane": f"crane-{n:02}",
        }
        for n in range(60)
    ]
    rows[21] |= {"reason": "FailedHalt", "message": said}
    text = compact(json.dumps(rows), budget=500, threshold=500, store=None).text
    line = next(line for line in text.split("\n") if line.startswith("#22|"))
    assert "error stopping crane: failed to" in line and "No such winch" in line and len(line) <= 220


def test_an_exception_in_one_text_of_many_is_quoted_and_the_far_size_of_a_list_in_a_list_marked() -> None:
    parts = "the order page", "a price list", "its widget", "each report"
    rows: list[dict[str, Any]] = [
        {
            "number": n,
            "title": f"Change {parts[n % 4]} {n}",
            "body": " ".join(f"We would like {parts[(n * k) % 4]} in part {n * k} of it." for k in range(3, 12)),
            "hosts": [{"disks": [{"size": 20 + 10 * (n % 3)}]}],
        }
        for n in range(90)
    ]
    rows[61]["body"] = 'Traceback (most recent call last):\n  File "a.py", line 3\nValueError: no plan for zone-7'
    rows[33]["hosts"][0]["disks"][0]["size"] = 8123
    text = compact(json.dumps(rows), budget=900, threshold=100).text
    assert re.search(r"(?m)^#62\|.*ValueError: no plan for zone-7", text)
    assert re.search(r"(?m)^#34\|.*size=8123", text)
    for row in rows[:5]:  # many such texts are no exception
        row["body"] += " KeyError: 'x'"
    assert "KeyError" not in compact(json.dumps(rows), budget=900, threshold=100).text


def test_fields_that_odd_rows_show_at_their_ends_are_not_said_to_be_left_out() -> None:
    rows: list[dict[str, Any]] = [
        {"said": f"berth[{n}]: plan to move", "kind": "planned", "step": {"action": "update", "depth": n, "by": "sea"}}
        for n in range(80)
    ]
    for n in (31, 52, 66):
        rows[n]["step"] |= {"action": "delete", "reason": "delete_because_of_the_count"}
    rows += [{"said": f"berth[{n}]: read", "kind": "read", "hook": {"key": "id", "mark": f"k{n}"}} for n in range(40)]
    text = compact("\n".join(map(json.dumps, rows)), budget=600, threshold=100).text
    assert text.count("step.reason=delete_because_of_the_count") == 3
    assert not re.search(r"not shown in rows: .*step\.reason", text)


def test_of_a_parsed_log_what_most_rows_say_stands_once_and_a_rare_template_by_its_first_row() -> None:
    kinds = {
        "E1": "berth <*> opened through the north gate by <*>",
        "E2": "berth <*> closed again, <*> bytes of cargo logged",
        "E3": "error : crane <*> did not answer the harbour office",
        "E4": "winch <*> was oiled by the night shift",
    }
    order = ["E1" if n % 2 else "E2" for n in range(600)]
    order[50:500:30] = ["E3"] * 15
    order[101], order[407] = "E4", "E4"
    rows = ["LineId,Time,Content,EventId,EventTemplate"]
    for n, kind in enumerate(order, 1):
        said = kinds[kind].replace("<*>", str(n))
        rows.append(f'{n},10.30 16:{n // 60:02}:{n % 60:02},"{said}",{kind},"{kinds[kind]}"')
    text = compact("\n".join(rows), budget=700, threshold=0).text
    first = {kind: order.index(kind) + 1 for kind in kinds}
    shown = [line for line in text.splitlines() if line.startswith("#") and line[1:2].isdigit()]
    assert all(any(line.startswith(f"#{number}|") for line in shown) for number in first.values())
    assert any(line.endswith(f" by 2 ← {order.count('E1')} of its EventTemplate") for line in shown)
    assert not any(line.startswith("#408|") for line in shown)  # the second of E4


def test_of_a_list_in_which_a_third_fails_rows_of_failures_come_before_others() -> None:
    """Each kind of failure has a row, its words are counted, and what was put right is none."""
    lines = []
    for n in range(120):
        calm = f"{CALM[n % 7]} by hand on pier <*> ({chr(97 + n % 26)}{n // 26})"
        sad = f"error: crane <*> stalled over hold {chr(97 + n % 26)}{n // 26}"
        put_right = f"weight error(s) (scale <*>) detected and corrected on crane {n}"
        lines.append((sad, calm, put_right, calm)[n % 4])
    lines[70:72] = ["Winch mount FAILED : pier <*>", "Panic in hold <*>, pumps off"]
    lines[74:76] = ["Winch mount FAILED : quay <*>", "Fatal: pump room <*> flooded"]
    table = "EventId,EventTemplate\n" + "\n".join(f"K{n},{line}" for n, line in enumerate(lines, 1)) + "\n"
    text = compact(table, budget=500, threshold=500, store=None).text
    failing = next(line for line in text.split("\n") if line.startswith("failures, "))
    assert "34 of 120 name a failure" in failing and "error" in failing
    assert all(f"{said} : " in text or said in text for said in ("Winch mount FAILED", "Panic in hold", "Fatal: pump"))
    sad = [row for row in rows_of(text) if "error: crane" in row or "FAILED" in row]
    assert len(sad) > len(rows_of(text)) / 2
    assert "not shown in rows: EventId (= K#)" in text
    assert "← EventTemplate" not in text, "the row says it"


def events(total: int, broken: dict[int, tuple[str, str]]) -> str:
    some = [
        {
            "metadata": {"name": f"berth-{n:02}.17{n:02}"},
            "reason": broken.get(n, ("Moored", ""))[0],
            "message": broken.get(n, ("", f"Boat {n} made fast at berth {n * 3} of the outer basin"))[1],
            "type": "Warning" if n in broken else "Normal",
        }
        for n in range(1, total + 1)
    ]
    return json.dumps({"kind": "EventList", "items": some})


CHAIN = (
    'Failed to moor boat "ferry.example/pilot-cutter-of-the-north": rope error: code = Unknown desc = '
    'Answer from harbour master: Ask "https://pier.example/v2/": p404: '
    "the berth is not let to any boat of that name, but to ferries of the basin alone until May"
)


def test_a_chain_of_errors_that_is_too_long_for_its_row_keeps_its_whole_cause() -> None:
    text = compact(events(17, {3: ("Failed", CHAIN)}), budget=500, threshold=100, store=None).text
    row = next(row for row in rows_of(text) if row.startswith("#3|"))
    assert (
        "Failed to moor" in row
        and "the berth is not let to any boat of that name, but to ferries of the basin alone until May" in row
    )


def test_what_is_odd_is_told_in_short_where_room_is_short() -> None:
    """So that no fact is cut in a value, as if that were so long."""
    broken = {3: ("Failed", CHAIN), 5: ("BackOff", "Back-off mooring"), 15: ("Overdue", "Boat has reached its limit")}
    made = load("records").outline(Source(events(17, broken).encode()), Hints())
    odd = next(fact for fact in made.facts if fact.text.startswith("odd, of"))
    assert odd.least.startswith("odd, of all 17 records scanned: reason=Failed… (#3) · reason=BackOff")


def test_the_command_asks_for_a_cause_that_several_rows_share() -> None:
    broken = {7: ("FailedMooring", "Rope broke"), **dict.fromkeys(range(20, 26), ("BackOff", "Back-off mooring"))}
    made = load("records").outline(Source(events(200, broken).encode()), Hints())
    assert ("--where", "reason=BackOff") in made.more


def test_names_are_grouped_though_a_hyphen_stands_among_their_first_letters() -> None:
    names = [f"no-berth-{n:02}" for n in range(29)] + [f"quay-crane-{n:02}" for n in range(15)]
    names += [f"{a}{b}" for a in "abcde" for b in ("ferry", "tug", "cutter", "barge")]
    rows = [
        {"name": name, "draught": n % 5, "log": f"Rope {n * 7919} was worn through on day {n} " * 3}
        for n, name in enumerate(sorted(names))
    ]
    text = compact(json.dumps(rows), budget=500, threshold=100, store=None).text
    assert "by name: no-berth* 29 · quay-crane* 15 · 20 other rows" in text


def test_of_two_values_the_rare_one_is_told_where_there_is_no_room_for_both() -> None:
    cranes = [
        {
            "name": f"crane-{n}",
            "log": f"Rope {n * 7919} was worn through on day {n} " * 2,
            "spec": {f"gear{k}": {"made": "steel" if n != 3 else "oak"} for k in range(9)},
        }
        for n in range(7)
    ]
    texts = [
        compact(json.dumps(cranes), budget=budget, threshold=100, store=None).text for budget in range(120, 400, 10)
    ]
    assert any("made: oak 1 · …" in text for text in texts) and not any("steel 6 · …" in text for text in texts)


def test_of_many_rows_of_which_the_same_is_said_the_first_are_told_whole() -> None:
    lines = ["at,level,said"]
    for n in range(900):
        level = "ERROR" if n % 23 == 11 else "INFO"
        lines.append(f"18:{n // 60:02d}:{n % 60:02d},{level},quay {n * 7 % 13} told the master of ship {n * 31 % 89}")
    for budget in range(200, 700, 50):
        text = compact("\n".join(lines), budget=budget, threshold=1, store=None).text
        for places in re.findall(r"level=ERROR ×39 \(([^)]*)\)", text):
            assert re.fullmatch(r"(#\d+, )+…", places), (budget, places)


def test_an_error_that_was_corrected_is_no_failure() -> None:
    said = ["instruction cache parity error corrected", "ddr errors(s) detected and corrected on rank 3", "link is up"]
    lines = ["id,event", *(f"E{n},{said[n % 3]} at quay {n}" for n in range(60)), "E60,mount failed at the mole"]
    text = compact("\n".join(lines), budget=300, threshold=1, store=None).text
    assert "mount failed at the mole" in text
    assert not re.search(r"\b(?:4\d|2\d) of 61 name a failure", text), text
