"""What JSON summaries say exactly: how much is left out, whose finding is like another, which keys are not shown."""

from __future__ import annotations

import json
import re
from typing import Any

from mcpcompact import compact


def made(value: Any, budget: int = 400, **given: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return compact(text, budget=budget, threshold=100, store=None, **given).text


def comment(n: int) -> dict[str, Any]:
    lines = [
        f"The crane of pier {n} turns while boat {n} is still moored to it. Wait for the bell before the arm moves.",
        "```suggestion",
        *(f"    if (bell.rings({n}, {k})) {{ arm{n}.move({k * 7}); }}" for k in range(8)),
        "",
        *(f"    boat{n}.leave(berth_{n}_{k});" for k in range(8)),
        "```",
    ]
    return {
        "id": 7_000_000 + n,
        "author": "kestrel",
        "path": f"src/pier_{n}.ts",
        "line": n + 4,
        "body": "\n".join(lines),
    }


def test_long_comments_stand_below_their_table_each_with_its_first_sentence() -> None:
    text = made("\n".join(json.dumps(comment(n)) for n in range(3)), 500, content_type="json")
    assert "[]|id|path|line (in all: author=kestrel)\n[0]|7000000|src/pier_0.ts|4\n" in text
    for n in range(3):
        assert f"[{n}].body (id {7_000_000 + n}), 20 lines:\n1 The crane of pier {n} turns while boat {n}" in text
        assert text.count(f"The crane of pier {n} turns") == 1
    assert " of Markdown" not in text


def test_comments_of_a_line_or_two_stand_in_their_table() -> None:
    said = [{**comment(n), "body": f"Fixed by the crew of boat {n}.\nSee the log."} for n in range(3)]
    said[2]["body"] = comment(2)["body"]
    text = made("\n".join(map(json.dumps, said)), 300, content_type="json")
    assert "|Fixed by the crew of boat 1.\\nSee the log." in text


def test_a_mark_in_code_counts_blank_lines_too() -> None:
    steps = "\n\n".join(f"    total += weigh(crate[{n}], pier={n})" for n in range(40))
    code = f"def weigh_all(crate: list[int]) -> int:\n    total = 0\n{steps}\n    return total\n"
    text = made({"symbols": [{"name": "weigh_all", "kind": "Function", "body": code}]}, 300)
    shown, left = re.search(r"(?s) lines of Python:\n(1 def .*?)\n…\[\+(\d+) lines\]", text).groups()  # type: ignore[union-attr]
    assert shown.count("\n") + 1 + int(left) == 82


def finding(n: int, file: str, rule: str = "r1", new: bool = False) -> dict[str, Any]:
    said = "Log this exception or throw it on, for nobody hears of a boat that sinks in silence"
    where = {"component": f"harbour:src/{file}", "line": n * 3 + 1}
    return {"key": f"k{n}", "rule": rule, "severity": "MAJOR", "message": said, **where, "isNew": new}


def test_what_is_like_a_finding_is_in_its_file() -> None:
    issues = [finding(n, "Crane.java" if n < 2 else "Pier.java") for n in range(40)]
    text = made({"version": "6.7.4", "issues": issues}, 300)
    crane = [line for line in text.split("\n") if line.startswith(("issues[0]: ", "issues[1]: "))]
    assert crane and all("Crane.java" in line for line in crane)
    assert not re.search(r"\+\d+ like it[^)]*issues\[(?:[2-9]|\d\d)\]", crane[0])
    assert text.count("version: 6.7.4") == 1


def test_which_findings_are_new_comes_before_their_grades() -> None:
    issues = [finding(n, f"Pier{n % 9}.java", f"squid:S{n % 23}", new=n in (0, 1, 2, 7)) for n in range(90)]
    text = made({"issues": issues}, 300)
    assert text.index("isNew: true in 4 of 90 (issues[0,1,2,7])") < text.index("by rule")


def test_addresses_that_begin_alike_say_so_once() -> None:
    base = "https://api.harbour.example/towns/grey-heron/piers"
    piers = [{"id": 40 + n, "url": f"{base}/pier-{n}", "name": f"Pier {n}"} for n in range(30)]
    boats = [{"boat": f"b{n}", "length": n * 3 % 17} for n in range(9)]
    text = made({"town": {"name": "Grey Heron"}, "piers": piers, "boats": boats}, 500, content_type="json")
    assert f"url (…={base})|name" in text and "|…/pier-0|" in text
    assert text.count(base) == 1
    states = [{"pier": n, "depth": n * 7 % 11, "state": "WaitingForHighWaterOfSpring"[: 27 - n % 2]} for n in range(30)]
    assert "(…=" not in made({"piers": states, "boats": boats}, 500, content_type="json")  # no address


def test_a_sum_comes_before_a_long_table_which_says_what_keys_it_lacks() -> None:
    def user(n: int) -> dict[str, Any]:
        kind = ("card", "voucher", "account")[n % 3]
        paid = {
            f"{kind}_{n}": {"source": kind, "id": f"{kind}_{n}"},
            f"cash_{n}": {"source": "cash", "id": f"cash_{n}"},
        }
        name = {"first": f"Ann{n}", "last": f"Harbour{n * 7 % 101}"}
        return {"name": name, "email": f"ann{n}@quay.example", "paid": paid, "orders": [f"#W{n}", f"#V{n}"]}

    users = {f"ann_{n}_{n * 37}": user(n) for n in range(700)}
    text = made(users, 500)
    assert "source cash 700, card 234, voucher 233, account 233" in text
    assert "(not shown in rows: paid, orders)" in text
    assert re.search(r"\n… \d+ more\S*$", text.rstrip())  # no ordinary value stands behind the table


def test_operations_are_counted_by_their_keys() -> None:
    steps = [{"delete": n} if n % 3 == 0 else {"insert": f"word {n}", "by": f"u{n % 4}"} for n in range(90)]
    assert "1 to 2 of 3 fields each: 30 with delete, 60 with by and insert\n" in made(
        {"doc": "quay.md", "ops": steps}, 200
    )
    same = [{"id": n, "insert": f"word {n}"} if n % 3 else {"id": n} for n in range(90)]
    assert " with " not in made(same, 200).split("\n")[1]


def test_a_text_that_is_cut_counts_its_own_lines_alone_as_left_out() -> None:
    patch = ["@@ -1,60 +1,80 @@", *(f"+    rope_{n} = tie(harbour_{n}, length={n})  # quay {n}" for n in range(80))]
    said = "Looks good at quay {0}, but the rope is {0} m too short for the tide."
    comments = [{"id": n, "user": {"login": f"mona{n}"}, "body": said.format(n)} for n in range(12)]
    document = {"title": "Moor", "patch": "\n".join(patch), "comments": comments}
    cut = 0
    for budget in range(260, 900, 40):
        text = compact(json.dumps(document, indent=1), budget=budget, threshold=1, store=None).text
        if left := re.search(r"^…\[\+(\d+) lines\]$", text, re.MULTILINE):
            assert int(left[1]) + len(re.findall(r"rope_\d+ = ", text)) == 80, (budget, text)
            cut += 1
    assert cut


def test_a_heading_counts_the_values_inside_that_it_names() -> None:
    labels = {f"mark{k}": f"painted {k} on the side" for k in range(12)}
    crate = {"metadata": {"name": "crate-0", "labels": labels, "room": 7}, "status": {"phase": "Lifted", "since": 3}}
    text = made({"harbour": "north", "piers": [{"crates": [crate]}, {"ropes": 5}]}, 130)
    assert "piers[0].crates[0]: metadata.name: crate-0, status.phase: Lifted (of 2 keys)" in text
    values = [*labels.values(), "north", "crate-0", "Lifted", "room: 7", "since: 3", "ropes: 5"]
    assert f": {sum(value in text for value in values)} of 18 values shown." in text


def test_what_several_elements_are_called_names_none_of_them() -> None:
    def pier(n: int) -> dict[str, Any]:
        ropes = {f"rope_{k}": f"tied to ring {n * 100 + k} of the wall by the second watch" for k in range(9)}
        return {"name": "pier" if n else "lighthouse", "place": f"quay/{n}", "kind": "berth", "ropes": ropes}

    text = made({"piers": [pier(n) for n in range(3)], "of": "north harbour"}, 700)
    assert "piers[0].ropes (name lighthouse): " in text
    assert "piers[1].ropes: " in text
    assert "(name pier)" not in text


def test_a_text_that_a_table_cuts_stands_below_it_whole_or_not_at_all() -> None:
    def tool(n: int) -> dict[str, Any]:
        said = f"Moves crane {n}. It waits until the bell of pier {n} rings. Never call it while boats are tied."
        said += " It is written down in the book of that pier, with the time and who was there." * 4
        schema = {"type": "object", "properties": {"berth": {"type": "string"}}, "required": ["berth"]}
        return {"name": f"move_crane_{n}", "description": said, "parameters": schema}

    text = made([{"name": "harbour", "type": "namespace", "tools": [tool(n) for n in range(6)]}], 560)
    assert "|move_crane_1|" in text
    below = [line for line in text.split("\n") if ".description (" in line and "parameters" not in line]
    assert below
    assert all(line.endswith('and who was there."') for line in below)


def test_the_type_of_a_parameter_alone_comes_last() -> None:
    long = "The berth, counted from the light to the south, as the harbour master's list of berths has it. "
    tools = [
        {"name": f"tool_{n}", "parameters": {"properties": {"berth": {"type": "string", "description": long * 2}}}}
        for n in range(4)
    ]
    text = made({"tools": tools, "notes": {f"note{n}": f"boat {n} is tied to ring {n * 7}" for n in range(20)}}, 280)
    assert "boat 19 is tied" in text
    assert ": type: string" not in text


def lint(n: int, replaced: str | None) -> dict[str, Any]:
    span = {"file_name": "src/pier.rs", "line_start": 40 + n, "line_end": 40 + n, "column_start": 5, "is_primary": True}
    fix = {"message": "write it so", "level": "help", "spans": [{**span, "suggested_replacement": replaced}]}
    said = {"message": f"rope {n} is tied twice", "code": {"code": "knots"}, "level": "warning", "spans": [span]}
    return {"reason": "compiler-message", "package_id": "harbour", "message": {**said, "children": [fix]}}


def test_of_a_few_findings_what_mends_them_is_shown_and_all_else_where_there_is_room() -> None:
    lines = "\n".join(json.dumps(lint(n, "rope.untie()" if n == 2 else None)) for n in range(4))
    text = made(lines, 330, content_type="json")
    assert "[3]: src/pier.rs:43:5 warning" in text or "pier.rs:43:5 warning" in text
    assert "suggested_replacement: rope.untie()" in text
    assert "[1].message.children" in made(lines, 460, content_type="json")


def test_a_finding_counts_the_values_that_its_line_says() -> None:
    found = [{"file": f"a{n}.ts", "line": n + 3, "level": "warning", "message": f"rope {n}", "x": n} for n in range(40)]
    text = made({"found": found}, 300)
    lines = [line for line in text.split("\n") if re.match(r"found\[\d+\]: ", line)]
    assert f": {4 * len(lines)} of 200 values shown" in text


def test_what_a_document_that_is_cut_off_only_begins_is_not_empty() -> None:
    asked = [{"id": n, "text": f"Who rings bell {n}?", "options": [f"crew {n}", "watch", "bell"]} for n in range(40)]
    whole = json.dumps({"about": {"harbour": "north"}, "asked": asked})
    text = made(whole[: whole.rindex("[") + 1], 300, content_type="json")
    assert "(it ends inside a value, in asked[39].options)" in text
    assert "empty in" not in text and "|[]" not in text


def test_the_only_list_of_its_length_and_the_sizes_of_numbered_groups_are_told() -> None:
    nodes = [{"label": f"boat {n}", "group": n % 3, "berths": [n] * (4 + n % 2 + 5 * (n == 17))} for n in range(60)]
    text = made({"nodes": nodes, "about": {"harbour": "north"}}, 300, content_type="json")
    assert "group 0 ×20, 1 ×20, 2 ×20" in text
    assert "10 ×1 (nodes[17].berths)" in text
