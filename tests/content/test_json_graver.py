"""JSON: how grave findings are by several fields, what rows leave out, what stands twice, ids that are asked by."""

import json
from typing import Any

from mcpcompact import compact

ABOUT = "what was found in this part of the harbour, in a sentence that is too long for any row of a table "


def summary(value: Any, budget: int = 500) -> str:
    return compact(json.dumps(value), budget=budget, threshold=budget).text


def scan(few: int = 4, many: int = 10) -> dict[str, Any]:
    """Things of which the second has no name; of what was found there the last kind of severity is the gravest."""

    def found(n: int, grave: str) -> dict[str, Any]:
        own = {"name": f"CVE-2031-{4000 + n}", "description": f"{n} {ABOUT * 3}", "maker_severity": "low"}
        links = {"maker_url": f"https://harbour.example.com/{n}", "score": 3 + n % 4, "maker_severity_v3": grave}
        return own | links | ({"fix_version": "7.4-2"} if n == 3 else {})

    path = "/srv/harbour/northern-side/lib/pier-of-the-north.jar"
    return {
        "resources": [
            {"resource": {"name": "rope", "kind": 1}, "found": [found(n, "medium") for n in range(many)]},
            {
                "resource": {"name": "", "kind": 2, "path": path},
                "found": [found(100 + n, "critical") for n in range(few)],
            },
        ]
    }


def test_findings_are_counted_and_ordered_by_the_gravest_of_their_severities() -> None:
    text = summary(scan(), 700)
    head = next(line for line in text.split("\n") if line.startswith("resources[].found[]|"))
    assert "|maker_severity_v3|" in head and "|maker_severity|" not in head
    assert head.endswith(" (rows by severity: critical 4, medium 10)")
    rows = text.partition(f"{head}\n")[2].split("\n")
    assert all(row.endswith("|critical") for row in rows[:4]) and rows[4].endswith("|medium")


def test_a_thing_without_a_name_is_told_by_its_path_and_the_only_fix_stands_in_its_row() -> None:
    text = summary(scan(), 700)
    assert "[1].found[0]|path=…/pier-of-the-north.jar|CVE-2031-4100|critical" in text
    assert "[0].found[3]|rope|CVE-2031-4003|medium|7.4-2" in text


def test_all_fields_that_rows_leave_out_are_counted_addresses_too() -> None:
    text = summary(scan(), 700)
    head = next(line for line in text.split("\n") if line.startswith("resources[].found[]|"))
    names, _, more = head.partition("(not shown in rows: ")[2].partition(")")[0].partition(", +")
    told = head.partition(" (not shown")[0]
    keys = {key for each in scan()["resources"] for found in each["found"] for key in found}
    left = {key for key in keys if f"|{key}" not in told.replace(" (", "|(") and f"{key}=" not in told}
    assert len(names.split(", ")) + int(more.removesuffix(" more") or 0) == len(left)


def plan() -> dict[str, Any]:
    nodes = [{"input": {"name": f"berth-{n}", "depth": 3 * n, "tags": ["a", f"b-{n}"]}} for n in range(30)]
    afters: list[dict[str, Any]] = [{"input": [None] * 30}, *nodes]
    changes = [
        {
            "address": f"harbour_berth.b[{n}]",
            "change": {"actions": ["create"], "before": None, "after": after, "after_unknown": {"id": True}},
        }
        for n, after in enumerate(afters)
    ]
    outputs = {"names": {"actions": ["create"], "before": None, "after_unknown": True}, "odd": None}
    values = {"about": [f"{n} {ABOUT}" for n in range(60)]}
    return {"variables": values, "resource_changes": changes, "output_changes": outputs}


def test_a_plan_names_its_outputs_and_what_is_a_list_where_others_have_fields() -> None:
    text = summary(plan())
    assert "resource_changes[].change.actions: 31 create, 0 update, 0 delete, output names [create] (known" in text
    assert "\n[0]|harbour_berth.b[0]|change.after.input=[30 items]\n" in text
    head = next(line for line in text.split("\n") if line.startswith("resource_changes[]|"))
    assert "change.before" in head and "change.after.input.tags[]" in head
    odd = plan() | {"output_changes": ["none"]}
    assert "31 create, 0 update, 0 delete\n" in summary(odd)


def test_a_long_text_that_stands_in_two_places_is_told_once() -> None:
    log = "\n".join(f"The ferry of {n} o'clock left pier {n % 7} with {n * 13} on board." for n in range(60))
    text = summary({"run": {"id": 4, "output": log}, "output": log, "state": "done"})
    assert "\nrun.output = output\n" in text and "\nrun.output, " not in text


def exchanges(status: int = 201) -> list[dict[str, Any]]:
    """Calls of which later ones ask by the id that the first one was answered with."""
    boat = {"number": 1, "id": 8812345, "name": "the boat", "more": {f"key_{n}": f"{n} {ABOUT}" for n in range(6)}}
    calls = [{"method": "post", "path": "/boats", "status": 201, "body": {"name": "the boat"}, "response": boat}]
    for n in range(12):
        path = f"/boats/8812345/berths/{n}"
        code = status if n == 9 else 201
        answer = {"number": n, "id": 70 + n, "more": {f"key_{k}": f"{n} {k} {ABOUT}" for k in range(6)}}
        calls.append({"method": "post", "path": path, "status": code, "body": {"berth": n}, "response": answer})
    return calls


def test_an_answer_says_the_id_by_which_later_requests_ask() -> None:
    text = summary(exchanges())
    assert "number=1, id=8812345, name=the boat" in text
    assert "number=3, id=" not in text  # nobody asks by it


def test_the_exchange_that_failed_stands_before_others_of_its_kind() -> None:
    assert "/boats/8812345/berths/9|422|" in summary(exchanges(422), 300) or "…/9|422|" in summary(exchanges(422), 300)


def report(few: int = 9, many: int = 70) -> dict[str, Any]:
    """Issues of which the grave ones stand last: of those most are of one rule, and in one file alike."""

    def issue(n: int, file: str, severity: str, rule: str, message: str) -> dict[str, Any]:
        place = {"component": f"src/harbour/northern-side/{file}.java", "line": 10 + 3 * n, "project": "harbour"}
        return {"key": f"K{n:04}", "rule": rule, "severity": severity, "message": message} | place

    minor = [
        issue(n, f"Rope{n % 7}", "MINOR", f"style:Rule{n % 20}", f"Name number {n} reads badly") for n in range(many)
    ]
    grave = [issue(many + n, "Pier", "CRITICAL", "bugs:Swallowed", "Log or throw this exception.") for n in range(few)]
    lone = [issue(100 + n, f"Quay{n}", "CRITICAL", f"bugs:Own{n}", f"Close the gate of quay {n}.") for n in range(5)]
    return {"total": few + many, "issues": [*minor, *grave, *lone]}


def test_no_lesser_finding_stands_before_a_grave_one_and_the_first_of_those_alike_names_the_others() -> None:
    for budget in (300, 400, 600):
        rows = [line for line in summary(report(), budget).split("\n") if line.startswith("issues[")]
        lesser = [row for row in rows if " MINOR " in row]
        grave = [row for row in rows if " CRITICAL " in row]
        assert not lesser or len({row.partition("bugs:")[2].split(" ")[0] for row in grave}) == 6
        assert budget == 600 or any(" like it: issues[71]" in row for row in grave)


def reviews() -> str:
    when = (
        "If a boat leaves between two tides, the `moored` flag of the northern pier stays set and the next boat waits."
    )
    change = "\n".join(f"\tif let_go(rope_{n}, pier_{n}) { {} }: return quay_of_boat_{n}" for n in range(20))
    bodies = [
        f"`MooredBoat` forgets the tide of its own pier. {when} Consider resetting it.\n```suggestion\n{change}\n```",
        "### A rope is never released\n\n**Low Severity**\n\n<!-- DESCRIPTION START -->\n"
        f"The rope of `release_all` stays in the list of ropes. {when}\n<!-- DESCRIPTION END -->\n\n"
        "<!-- ROPE_BUG_ID: 0f3a-77c1 -->\n<details>\n</details>\n\n"
        '<p><a href="https://harbour.example.com/fix"><img alt="Fix this now in the harbour" width="115"></a></p>\n',
        f"The gate is called `quay_gate` here. {when} It is called `gate_of_quay` wherever else it is asked for.",
    ]
    return "\n".join(
        json.dumps({"id": n, "path": f"pier{n}.py", "line": 5, "body": body}) for n, body in enumerate(bodies)
    )


def test_of_a_review_what_is_wrong_when_and_how_grave_comes_before_the_change_and_no_tags() -> None:
    text = compact(reviews(), budget=440, threshold=440).text
    assert "3 **Low Severity**" in text and text.count("If a boat leaves between two tides, the `moored`") == 2
    assert "Consider resetting it." in text and text.count("let_go") < 5
    assert not [tag for tag in ("ROPE_BUG_ID", "<details>", "<img") if tag in text]
