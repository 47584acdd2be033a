"""What a reader looks for in JSON of an API: the failing step, the head of a pull request, whole tables."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

from mcpcompact import compact
from mcpcompact.retrieval.selection import Selection, select
from mcpcompact.source import Source

SHORE = ("Sound the horn", "Open the lock", "Weigh the crate", "Stamp the bill", "Load the barge", "Lash the deck")


def test_a_text_before_the_json_keeps_its_blanks() -> None:
    typed = "I looked for 'a lock in Delft' and clicked \"near the old mill\"."
    locks = {"locks": [{"name": f"lock {n}", "size": n * 7 % 5} for n in range(90)]}
    text = typed + "\n\n" + json.dumps(locks, indent=1)
    made = compact(text, budget=200, threshold=200, store=None, focus="a lock in Delft")
    assert "alockinDelft" not in made.text
    found = select(Source(text.encode()), Selection.read(records="1:1"))
    assert b"I looked for 'a lock in Delft'" in b"".join(piece.text for piece in found.pieces)


def summary(value: Any, budget: int, **call: Any) -> str:
    return compact(json.dumps(value), budget=budget, threshold=budget, store=None, **call).text


def step(n: int, name: str, ended: str = "success") -> dict[str, Any]:
    return {
        "name": name,
        "number": n,
        "status": "completed",
        "conclusion": ended,
        "startedAt": f"2031-05-06T07:08:{n:02}Z",
    }


def run_of_jobs() -> dict[str, Any]:
    jobs = []
    for number, (name, ended) in enumerate((("moor", "success"), ("unload", "failure"), ("survey", "success"))):
        steps = [step(n, SHORE[n % 6] + f" {n}") for n in range(14)]
        if ended == "failure":
            steps[9] = step(9, "Hand over the papers", "failure")
        jobs.append(
            {"databaseId": 71230 + number, "name": name, "conclusion": ended, "status": "completed", "steps": steps}
        )
    return {"conclusion": "failure", "name": "Harbour", "headBranch": "spring-tide", "jobs": jobs}


def test_of_the_job_that_is_asked_for_the_failed_step_stands_there_not_its_beginning() -> None:
    text = summary(run_of_jobs(), 400, arguments={"command": "harbour run view 881 --job 71231"})
    failed = next(line for line in text.split("\n") if "Hand over the papers" in line)
    assert "conclusion: failure" in failed and "unload" in failed
    assert not any(line.startswith('jobs[1]: {"') for line in text.split("\n"))


def test_the_one_odd_row_of_a_list_has_its_keys_beside_it() -> None:
    text = summary(run_of_jobs(), 350)
    assert "name: Hand over the papers, number: 9, conclusion: failure" in text
    assert "jobs[1].steps[9] (databaseId 71231)" in text or "(name unload)" in text


def pull() -> dict[str, Any]:
    diff = "".join(f"@@ -{n},2 +{n},2 @@ berth_{n}\n keel\n-old_{n}: rope\n+new_{n}: chain\n" for n in range(1, 90))
    body = "## Why\nThe north crane lifts crates by their handles instead of their lids.\n\n## How\n"
    note = "<table><tr><td><b>Checked:</b></td><td>all ropes</td></tr></table>"
    comment = {"id": 5, "user": {"login": "pier[bot]"}, "body": note * 6, "body_html": f"<p>{note * 6}</p>"}
    about = {"number": 77, "title": "Lift by the handles", "state": "open", "mergeable": False, "base": "quay"}
    heads = {"base_sha": "1f" * 20, "head": "crane/handles", "head_sha": "2c" * 20}
    return {
        **about,
        **heads,
        "body": f"{body}{'More words of it.' * 40}",
        "files": 3,
        "diff": diff,
        "comments": [comment],
    }


def test_a_pull_request_tells_its_head_and_begins_with_what_it_is_for() -> None:
    for budget in range(240, 560, 40):
        text = summary({"pull": pull()}, budget)
        assert "head: crane/handles" in text and "head_sha: " + "2c" * 20 in text
        assert "The north crane lifts crates by their handles instead of their lids." in text, budget
        assert "<p><table>" not in text  # the same as the body


def test_a_table_that_lacks_a_row_or_two_is_whole() -> None:
    rows: list[dict[str, Any]] = []
    for n, name in enumerate(("winch", "sluice", "ladder", "lantern", "capstan", "bollard")):
        link = f"https://harbour.example.org/{n}"
        checks = [{"kind": "Run", "name": f"lock {i}", "link": f"{link}/{i}", "ended": "SUCCESS"} for i in range(9)]
        state = "CLEAN" if n % 3 else "DIRTY"
        title = f"Mend the {name} of the lower basin"
        rows.append({"number": 40 + n, "branch": f"tide-{n}", "title": title, "state": state, "checks": checks})
    for budget in (290, 300, 310, 320):
        text = summary(rows, budget)
        assert "bollard" in text and "… 1 more" not in text, budget


def test_the_notice_says_how_many_texts_are_cut_where_all_stands_there() -> None:
    notes = [{"by": f"pilot {n}", "said": f"Berth {n} " + "is free of ropes and crates of all " * 9} for n in range(3)]
    assert " texts cut short" in summary(notes, 200).split("\n")[0]


def read(value: Any, budget: int = 500) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return compact(text, budget=budget, threshold=budget, store=None).text


def test_an_entry_of_a_map_says_of_how_many_it_is() -> None:
    cards = [
        {f"card_{n}{k}": {"source": "credit_card", "brand": "visa", "last_four": str(4000 + n)} for k in range(5)}
        for n in range(60)
    ]
    users = {f"user_{n}": {"name": f"Ann {n}", "payment_methods": held} for n, held in enumerate(cards)}
    text = read(users, 900)
    shown = [line for line in text.splitlines() if re.match(r"user_\d+\.payment_methods: card_", line)]
    assert shown and all(line.endswith(" (of 5 keys)") for line in shown)


def test_the_name_of_the_document_names_no_element() -> None:
    packages = {f"node_modules/p{n}": {"version": f"1.{n}.0", "license": "MIT"} for n in range(60)}
    packages["node_modules/p7"]["workspaces"] = ["test/p8"]
    text = read({"name": "shop", "lockfileVersion": 3, "packages": packages})
    assert "p7" in text and "(name shop)" not in text


def tree(depth: int, n: int) -> dict[str, Any]:
    node: dict[str, Any] = {"version": f"{depth}.{n}.1", "resolved": f"https://r.example/p{n}.tgz", "overridden": False}
    if depth < 4:
        node["dependencies"] = {f"{'abcdef'[depth]}{n}{k}": tree(depth + 1, 7 * n + k) for k in range(3)}
    return node


def test_of_a_tree_of_dependencies_the_direct_ones_come_first() -> None:
    text = read({"name": "shop", "dependencies": {f"dep{n}": tree(0, n) for n in range(12)}})
    assert all(f"dependencies.dep{n}: version: 0.{n}.1" in text for n in range(12))
    assert "\n" + "dependencies.dep3: overridden" not in text


def compiler(n: int) -> str:
    span = {"file_name": "src/lib.rs", "line_start": n, "line_end": n, "column_start": 5, "is_primary": True}
    said = {
        "message": f"unused variable: `v{n}`",
        "level": "warning",
        "code": {"code": "unused_variables"},
        "spans": [span],
    }
    return json.dumps({"reason": "compiler-message", "target": {"name": "shop", "kind": ["lib"]}, "message": said})


def test_what_cargo_says_in_json_has_its_places() -> None:
    done = json.dumps({"reason": "build-finished", "success": True})
    lines = ["   Compiling shop v0.1.0", *map(compiler, range(3, 40)), done, "    Finished `dev` profile in 0.97s"]
    text = read("\n".join(lines) + "\n")
    assert "37 findings" in text and "lib.rs:3:5 warning unused_variables unused variable: `v3`" in text
    assert "stand behind the JSON: Finished `dev` profile in 0.97s" in text


def test_deployments_show_all_rows_and_their_conditions() -> None:
    def deployment(n: int) -> dict[str, Any]:
        image = f"registry.example.com:32000/shop-{n}:v1.{n}.0-30-g8fa13e3{n}@sha256:{str(n) * 64}"
        met = {"type": "Available", "status": "True", "reason": "MinimumReplicasAvailable", "message": "available"}
        status = {"replicas": 1 + n % 2, "readyReplicas": 1, "conditions": [met]}
        pod = {"spec": {"containers": [{"name": f"shop-{n}", "image": image, "args": [f"--port={n}"] * 30}]}}
        own = {"name": f"shop-{n}", "creationTimestamp": "2026-03-01T00:00:00Z", "annotations": {"note": "n" * 400}}
        return {"metadata": own, "spec": {"replicas": 1, "template": pod}, "status": status}

    text = read({"kind": "DeploymentList", "items": [deployment(n) for n in range(4)]})
    assert "conditions.Available=True" in text and "image (…=registry.example.com:32000)|" in text
    assert all(f"|…/shop-{n}:v1.{n}.0-30-g8fa13e3{n}@sha256:{str(n) * 64}|" in text for n in range(4))
    assert all(f"|shop-{n}|" in text for n in range(4))


def test_of_a_list_of_issues_titles_come_before_their_texts() -> None:
    issues = []
    for n, state in enumerate(("OPEN", "CLOSED") * 10, 400):
        said = [
            f"- The mate saw `lift_{n}_{k}` in quay/{n}/slew_{k}.py stall at noon, and greased it." for k in range(9)
        ]
        title = f"Crane {n} of berth {n * 3} stalls when it rains on the northern quay"
        issues.append({"number": n, "title": title, "state": state, "body": "\n".join(said)})
    text = "Total output lines: 1\n\n" + json.dumps(issues)
    assert compact(text, budget=500, threshold=500, store=None).text.count("of berth") >= 12


def test_that_a_header_says_what_another_does_is_not_told() -> None:
    held = "max-age=600; " + "; ".join(f"relay harbour {n} of the northern quay" for n in range(8))
    headers = ["Via", held, "X-Crate", f"{held} slow"]
    calls = [{"method": "GET", "path": f"/v{n}", "rawHeaders": headers, "status": 200} for n in range(3)]
    assert " = calls[" not in summary({"calls": calls}, 300)


def test_what_an_event_is_about_comes_before_addresses() -> None:
    base = "https://api.example.org/repos/mate/ropes"
    links = {name: {"href": f"{base}/pulls/7/{name}"} for name in ("self", "html", "issue", "comments", "commits")}
    user = {
        "login": "mate",
        "id": 91,
        **{f"{name}_url": f"https://api.example.org/users/mate/{name}" for name in "abcdefgh"},
    }
    repository = {
        "id": 4,
        "name": "ropes",
        "owner": user,
        **{f"{n}_url": f"{base}/{n}" for n in "abcdefghijklmnopqrst"},
    }
    heads = {side: {"ref": side, "user": user, "repo": repository} for side in ("head", "base")}
    request = {"id": 5, "title": "Splice the mainbrace", "state": "open", "user": user, "_links": links, **heads}
    out = read({"action": "opened", "pull_request": request, "repository": repository, "sender": user}, 300)
    assert "title: Splice the mainbrace" in out and "_links.comments|" not in out


def test_a_state_that_all_findings_share_takes_no_room_from_them() -> None:
    def finding(n: int) -> dict[str, Any]:
        cause = {"Provider": "harbour", "StartLine": n, "Code": {"Lines": [{"Number": n, "Content": f"rope {n}"}] * 4}}
        said = {"Title": f"Knot {n} is not tied", "Description": f"A knot that slips lets go of ship {n}. " * 3}
        return {
            "ID": f"KNOT{n:03}",
            **said,
            "Severity": ("LOW", "HIGH")[n % 2],
            "Status": "FAIL",
            "CauseMetadata": cause,
        }

    results = [{"Target": f"pier/{k}.yaml", "Findings": [finding(3 * k + n) for n in range(3)]} for k in range(2)]
    out = read({"Version": 2, "Results": results}, 400)
    assert all(f"Knot {n} is not tied" in out for n in range(6)) and "Findings[0]: Status: FAIL" not in out


def test_of_a_package_what_it_uses_comes_before_how_it_is_built() -> None:
    chain = " && ".join(f"copy src/part{n}/lines-{n * 91}.txt dist/part{n}/" for n in range(8))
    scripts = {f"copy-{n}": chain.replace("part", f"part{n}-") for n in range(4)}
    uses = {name: f"^{n}.2.{n}" for n, name in enumerate(("anchor", "capstan", "halyard", "bowline", "marlin"), 1)}
    out = read(
        {"name": "ropes", "version": "1.0.0", "scripts": scripts, "dependencies": uses, "engines": {"node": "20"}}, 300
    )
    assert 'marlin: "^5.2.5"' in out


def test_a_tree_with_a_name_that_looks_like_no_file_is_a_tree_all_the_same() -> None:
    def folder(name: str, *held: dict[str, Any]) -> dict[str, Any]:
        return {"name": name, "type": "directory", "children": [*held]}

    files = [{"name": f"page{n}.md", "type": "file"} for n in range(40)]
    text = summary([folder("docs", *files), folder("src", *files), {"name": "PKG-INFO", "type": "file"}], 300)
    assert "JSON tree: 83 entries, 2 directories and 81 files" in text and "\nPKG-INFO" in text


def test_of_an_event_what_happened_and_what_its_subject_says_come_first() -> None:
    links = {f"{name}_url": f"https://api.example.org/quays/{name}" for name in ("keys", "forks", "hooks", "teams")}
    quay = {"id": 77, "name": "north-quay", "private": False, **links, "pushed_at": 1, "size": 4}
    about = {"number": 12, **links, "state": "open", "locked": False, "title": "Widen the gate", "user": quay}
    about |= {f"flag_{n}": n for n in range(40)}
    text = summary({"number": 12, "pull_request": about | {"body": "Two barges abreast."}, "action": "opened"}, 400)
    first = text.partition("pull_request.user:")[0]
    assert "action: opened" in first and "body: Two barges abreast." in first


def test_findings_of_a_scanner_show_their_score_and_the_fixed_version() -> None:
    found = [
        {
            "Severity": "HIGH",
            "VulnerabilityID": f"CVE-2031-{1000 + n}",
            "PkgName": f"libpier{n}",
            "InstalledVersion": f"1.{n}",
            "FixedVersion": f"1.{n}.1",
            "CVSS": {"nvd": {"V2Score": 4.5, "V3Score": 7 + n / 10, "V3Vector": "CVSS:3.1/AV:N"}},
            "References": [f"https://a.example.org/{k}/{n}" for k in range(9)],
        }
        for n in range(4)
    ]
    text = summary({"Results": [{"Target": "quay:1", "Vulnerabilities": found}], "Metadata": {"a": 1}}, 400)
    assert "|CVE-2031-1003|libpier3|1.3|1.3.1|7.3" in text


def interface() -> dict[str, Any]:
    """Piers and boats, each with what can be done to them, as OpenAPI describes it."""
    paths: dict[str, Any] = {}
    for n, thing in enumerate(("piers", "boats", "crews", "cranes", "tides", "bills", "ropes", "lamps")):
        for path in (f"/{thing}", f"/{thing}/{{id}}"):
            paths[path] = {
                verb: {
                    "summary": f"{verb.title()} {path[1:]}",
                    "operationId": f"{thing}/{verb}{len(path)}",
                    "tags": [thing],
                    "description": f"What it does to {thing} is told here at some length, {verb} after {verb}. " * 3,
                    "parameters": [
                        {"name": f"{thing}_{k}", "in": "query", "schema": {"type": "string"}, "description": "d" * 90}
                        for k in range(4)
                    ],
                    "responses": {"200": {"description": f"The {thing}"}, "40" + str(n): {"description": "Refused"}},
                }
                for verb in (("get", "post") if path[-1] != "}" else ("get", "patch", "delete"))
            }
    return {"openapi": "3.1.0", "info": {"title": "Harbour", "version": "2.4"}, "paths": paths}


def test_an_interface_is_shown_by_its_operations_and_one_that_is_asked_for_by_itself() -> None:
    text = summary(interface(), 500)
    assert "paths.*.*|summary" in text and '["/piers"].get|Get piers' in text
    assert '["/piers/{id}"].delete|Delete piers/{id}' in text
    asked = summary(interface(), 500, focus="/ropes/{id}")
    assert 'paths["/ropes/{id}"].*|summary\nget|Get ropes/{id}\npatch|Patch ropes/{id}\n' in asked
    below = asked.partition('paths["/ropes/{id}"]:\n')[2]
    assert "operationId: ropes/" in below and ".parameters[1]|ropes_1" in asked


def test_a_large_map_is_a_table_that_is_named_by_its_keys() -> None:
    made = {
        f"node_modules/oar-{n}": {
            "version": f"{n % 7}.2.0",
            "resolved": f"https://registry.example.org/oar-{n}/-/oar-{n}-{n % 7}.2.0.tgz",
            "license": "MIT" if n % 3 else "ISC",
            **({"dependencies": {f"rope-{n}": "^1.0.0", "tar": "^2.0.0"}} if n % 2 else {"engines": {"node": ">=18"}}),
            "funding": {"url": f"https://fund.example.org/{n}", "type": "individual", "note": "n" * (150 + n)},
        }
        for n in range(60)
    }
    text = summary({"name": "boats", "lockfileVersion": 3, "packages": made}, 500)
    assert "packages.*|version" in text and '["node_modules/oar-0"]|0.2.0' in text


def test_why_a_pod_waits_comes_before_what_kubernetes_adds_to_every_pod() -> None:
    token = {"name": "kube-api-access-x7k2p", "projected": {"sources": [{"path": f"p{n}" * 9} for n in range(9)]}}
    taints = ("not-ready", "unreachable", "disk-pressure", "memory-pressure", "pid-pressure", "unschedulable")
    conditions = [
        {"type": kind, "status": "False", "reason": "ContainersNotReady", "message": "not ready yet are: [reader]"}
        for kind in ("Ready", "ContainersReady", "Initialized")
    ]
    pod = {
        "kind": "Pod",
        "metadata": {"name": "reader-5fgh", "namespace": "press", "annotations": {f"a{n}": f"v{n}" for n in range(40)}},
        "spec": {
            "volumes": [{"name": "sheets", "hostPath": {"path": "/srv/sheets", "type": "Directory"}}, token],
            "containers": [{"name": "reader", "image": "reader:2", "env": [{"name": f"E{n}"} for n in range(40)]}],
            "tolerations": [{"key": f"node.kubernetes.io/{t}", "operator": "Exists"} for t in taints * 2],
        },
        "status": {
            "phase": "Pending",
            "conditions": conditions,
            "containerStatuses": [{"name": "reader", "state": {"waiting": {"reason": "ContainerCreating"}}}],
        },
    }
    text = compact(json.dumps({"kind": "PodList", "items": [pod]}), budget=330, threshold=100, store=None).text
    assert "waiting: {reason: ContainerCreating}" in text
    assert "hostPath: {path: /srv/sheets" in text
    assert "node.kubernetes.io" not in text
    assert not re.search(r"; message$|← message$", text, re.M)


def test_of_a_pull_request_how_its_checks_went_comes_before_the_fragments_of_a_long_patch() -> None:
    patch = "\n".join(
        line
        for n in range(4)
        for line in (f"@@ -0,0 +1,{60 + n} @@", *(f"+Rule {n}.{k}: the {k * 7 % 19}th paddock" for k in range(60 + n)))
    )
    note = (
        "## Preview\n\n<table><tr><td><strong>Latest commit:</strong></td><td>\n<code>ab12cd3</code></td></tr>\n"
        "<tr><td><strong>Status:</strong></td><td>&nbsp;✅&nbsp; Preview is published!</td></tr>\n</table>\n"
        f"{'[More about previews](https://previews.example.org/help) ' * 9}\n"
    )
    pull = {
        "number": 31,
        "title": "Write down the rules of all paddocks",
        "body": "Closes #29\n\nHow the paddocks are used was known to herders who made them.\n- in one place",
        "diff": patch,
        "comments": [{"id": 5, "body": note, "user": {"login": "previews[bot]", "id": 77}}],
    }
    value = {"pull_request": pull, "diff": patch, "display_title": pull["title"]}
    text = compact(json.dumps(value), budget=300, threshold=100, store=None, focus="CI failed, please fix").text
    assert "✅&nbsp; Preview is published!" in text
    assert "Closes #29" in text
    assert "How the paddocks are used" in text
    assert text.count("Write down the rules") == 1


def test_addresses_and_headers_that_nobody_reads_are_named() -> None:
    addresses = {f"{name}_url": f"https://api.example.test/repos/a/b/{name}{{/id}}" for name in "abcdefghijklmnopqrst"}
    owner = {"login": "quay", **addresses}
    answer = {"id": 7, "name": "b", **addresses, "size": 4, "license": None, "notes": ["Done."] * 150}
    answer["owner"] = owner
    exchange = {"headers": {"accept": "application/json", "via": "1.1 proxy"}, "response": answer}
    text = compact(json.dumps(exchange), budget=250, threshold=0, content_type="json").text
    assert "\nshown last, as room allows: headers, most addresses (*_url)\n" in text
    assert "license: null" in text and "d_url" not in text


def test_what_a_comment_quotes_is_not_told_as_its_writers_words() -> None:
    rope = "The rope on the north pier holds eight tonnes. Instead, I will let you define ropes of your own in it."
    comments = [
        {"id": n, "author": {"login": who}, "body": body, "createdAt": f"2026-03-0{n}T10:00:00Z", "minimized": False}
        for n, who, body in (
            (1, "mia", "Here is an example of a rope that we would like to use on the pier:\n```\nrope = 8\n```"),
            (2, "tom", rope),
            (3, "mia", f"> {rope}\n> \n> It takes a week.\n\nYes, that is a great way to do it for us all."),
            (4, "mia", "This was done in the yard on Tuesday, see the log of the watch for how it went."),
        )
    ]
    told = {
        "title": "Ropes of one's own",
        "state": "CLOSED",
        "body": "All ropes are the same.\n\nPlease change that for all piers.",
        "comments": comments,
    }
    told |= {
        "number": 8,
        "closedAt": "2026-03-04T10:00:00Z",
        "updatedAt": "2026-03-24T00:50:48Z",
        "url": "https://pier.example/8",
    }
    for budget in (260, 300, 360, 420):
        out = compact(json.dumps(told), budget=budget, threshold=200).text
        assert "|> The rope" not in out
        mine = out[out.index("comments[2].body") :] if "comments[2].body" in out else ""
        assert "… Instead" not in mine.partition("comments[3]")[0]
    assert "chars] Yes, that is a great way to do it for us all." in out


def test_recorded_calls_stand_whole_with_what_was_sent_and_hashes_that_begin_alike_stand_whole() -> None:
    calls = [
        {
            "method": "patch" if n else "get",
            "path": f"/depots/harbour-north/{n}",
            "body": {"title": f"Pier {n}", "sha": f"{'0' * 36}{n:04}"} if n else "",
            "status": 200,
            "response": {"ref": f"heads/pier{n}", "object": {"sha": f"{'0' * 36}{n:04}", "type": "commit"}},
            "headers": {f"x-note-{i}": f"a note of the harbour office on {i}" for i in range(12)},
        }
        for n in range(7)
    ]
    text = compact(json.dumps(calls), budget=700, threshold=0).text
    assert "|body|response" in text
    for n in range(1, 7):
        assert f"object.sha={'0' * 36}{n:04}" in text or f'object.sha="{"0" * 36}{n:04}"' in text
        assert f"|{{title: Pier {n}," in text
    assert "sha[:12]" not in text


def test_what_is_cut_off_counts_data_that_is_only_named() -> None:
    picture = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 400).decode()
    value = "the quay by night, " * 40 + picture + " and by day" * 50
    text = summary({"title": "harbour", "page": 3, "notes": [{"body": value}] * 2}, 200)
    cut = re.search(r"body: (.*)…\[\+([\d,]+) chars\]", text)
    assert cut is not None
    closing = 1  # the quote behind it
    assert len(cut[1].strip('"')) + int(cut[2].replace(",", "")) in (len(value), len(value) + closing)


def test_a_failure_comes_first_and_what_a_finding_is_called_is_none() -> None:
    unmet = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/3 nodes are available"}
    spec = {f"setting{n}": f"value of setting {n}" for n in range(60)}
    pods = {
        "kind": "PodList",
        "items": [{"metadata": {"name": "crane"}, "spec": spec, "status": {"conditions": [unmet]}}],
    }
    text = compact(json.dumps(pods), budget=300, threshold=100, store=None).text
    before, _, after = text.partition("message: 0/3 nodes are available")
    assert "items[0].metadata: name: crane" in before and "crane" not in after  # said once
    found = [
        {"ID": f"CVE-2026-{n}", "Severity": grade, "Title": f"rope: can crash with an assertion failure in knot{n}.c"}
        for n, grade in enumerate(("CRITICAL", "LOW", "LOW", "MEDIUM"))
    ]
    scans = [{"Target": "rope:2", "Found": [{**one, "Text": "What it is about. " * 40} for one in found]}]
    text = compact(json.dumps(scans), budget=400, threshold=100, content_type="json", store=None).text
    assert "|CRITICAL|CVE-2026-0|" in text and "of a failure" not in text


def test_the_rows_of_a_list_deep_inside_come_before_what_says_little() -> None:
    homes = [
        {
            "@type": ["Listing"],
            "name": f"{n * 37} Quay Street",
            "position": n + 1,
            "url": f"https://homes.example.com/quay-street-{n * 37}-in-a-town-by-the-sea",
            "offers": {"@type": "Offer", "price": f"{400 + n * 7}000"},
            "text": f"House {n} of the street, of wood and stone, which its owners built by the sea, beside the mill. "
            * 2,
            "image": f"https://pictures.example.com/quay-street/{n * 7919}-{n * 104729}-large-front-of-the-house.png",
            "mainEntity": {"@type": "House", "name": f"{n * 37} Quay Street" if n % 3 == 0 else None, "rooms": n % 5},
        }
        for n in range(40)
    ]
    page = {"@type": "CollectionPage", "audience": {"@type": "Audience"}, "mainEntity": {"itemListElement": homes}}
    text = compact(json.dumps({"jsonld": [page]}), budget=400, threshold=100, store=None).text
    assert " (not shown in rows: @type, position, url, text, +4 more)\n[0]…[0]|0 Quay Street|400000|0\n" in text
    assert re.search(r"\n… \d+ more, first \[0\]…\[\d+\], last \[0\]…\[39\]\n", text)
    assert "@type: Audience" not in text.partition("itemListElement[]|")[0]


def test_of_numbers_that_only_name_no_median_is_told() -> None:
    links = [{"source": n * 7 % 76, "target": n * 5 % 73, "value": n * n % 97} for n in range(250)]
    text = compact(json.dumps({"links": links}), budget=200, threshold=100, content_type="json", store=None).text
    assert "median" in text and not re.search(r"(?:source|target) \d+–\d+, median", text)
