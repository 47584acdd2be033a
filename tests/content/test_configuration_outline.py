"""Configuration: the tree of its keys, texts in block scalars that are no keys, licences in one line."""

from __future__ import annotations

import json

from mcpcompact import compact

LICENCE = "\n".join(
    ["                                 Apache License", "                           Version 2.0, January 2004", ""]
    + [f"      {n}. A failure of paragraph {n}: terms that: nobody reads, error or not." for n in range(150)]
)


def _shown(text: str, budget: int = 500) -> str:
    return compact(text, budget=budget, threshold=budget).text


def _workflow() -> str:
    steps = "\n".join(
        f'      - name: Walk gate {n}\n        run: |\n          set -ex\n          GATE_KEY_{n}="k{n}"\n'
        f"          walk: gate{n}\n          ./walk.sh --gate {n} >> out{n}.log\n      - uses: pier/gate{n}@v1"
        for n in range(5)
    )
    jobs = "\n".join(f"  walk{k}:\n    runs-on: pier-{k}\n    steps:\n{steps}" for k in range(3))
    inputs = "\n".join(f"      input-{n}:\n        description: Of gate {n}\n        type: string" for n in range(4))
    return f"name: walks\n\non:\n  workflow_call:\n    inputs:\n{inputs}\n\njobs:\n{jobs}\n"


def test_the_keys_of_yaml_are_told_as_a_tree_with_their_lines() -> None:
    text = _workflow()
    lines = text.split("\n")
    shown = _shown(text, 500)
    told = shown[shown.index("Sections, each with its line:") :].split("repeated keys")[0]
    for name in ("walks", "on", "workflow_call", "inputs", "jobs"):
        at = next(n for n, line in enumerate(lines, 1) if line.strip() in (f"{name}:", f"name: {name}"))
        assert f"{at} {'name' if name == 'walks' else name}" in told
    assert " steps" not in told and "walk0" not in told  # a word of the schema; what a table tells


RULES = "\n".join(
    f"""  - alert: Gate{n}Closed
    annotations:
      description: '{{{{ $value }}}} walks to gate {n} of {{{{ $labels.pier }}}} came back.'
      runbook_url: https://pier.example/runbooks/gate-{n}-closed
      summary: Gate {n} of the pier is closed.
    expr: |
      sum by (pier) (
        rate(walks_refused_total{{gate="{n}"}}[15m])
      ) > 0.{n}1
    for: {5 * (n % 3 + 1)}m
    labels:
      severity: {"critical" if n % 4 else "warning"}"""
    for n in range(8)
)
OTHERS = "\n".join(
    f"  - expr: |\n      sum(\n        walks{n}\n      )\n    record: pier:walks{n}:sum" for n in range(3)
)


def test_the_entries_of_a_list_are_rows_of_what_tells_them_apart() -> None:
    head = "kind: Rules\nmetadata:\n  name: pier\ngroups:\n- name: gates\n  rules:\n"
    text = f"{head}{RULES}\n- name: sums\n  rules:\n{OTHERS}\n"
    lines, shown = text.split("\n"), _shown(text, 600)
    called = "name / alert, the first where they change"
    assert f"groups[].rules[]: line and {called}|for|labels.severity|annotations.summary" in shown
    for n in range(8):
        at = lines.index(f"  - alert: Gate{n}Closed") + 1
        severity = "critical" if n % 4 else "warning"
        name = f"{'gates / ' * (n == 0)}Gate{n}Closed"
        assert f"\n{at} {name}|{5 * (n % 3 + 1)}m|{severity}|Gate {n} of the pier is closed.\n" in shown
    assert " sums / record=pier:walks0:sum\n" in shown  # of another kind, which has no such name
    assert "named entries" not in shown  # of the two groups
    assert "name: pier" in shown and "kind: Rules" in shown


def test_the_members_of_a_map_are_rows_and_of_their_lists_what_most_have_is_left_out() -> None:
    jobs = "\n".join(
        f"  walk{n}:\n    runs-on: pier-{n % 2}\n    steps:\n      - uses: pier/gate@v1\n      - run: ./open.sh\n"
        f"      - run: ./walk.sh --slowly --gate {n} --log var/gate{n}.log\n      - run: ./close.sh"
        for n in range(6)
    )
    shown = _shown(f"name: walks\non: push\njobs:\n{jobs}\n", 260)
    assert "jobs.*: line and key|runs-on|steps[].run (left out, in most: ./close.sh · ./open.sh)\n" in shown
    assert "\n4 walk0|pier-0|./walk.sh --slowly --gate 0 --log var/gate0.log\n" in shown


def test_a_list_that_is_empty_where_others_hold_something_is_told() -> None:
    gates = [f"  - name: gate{n}\n    walks:{' []' if n == 4 else f'{chr(10)}      - walk{n}'}\n" for n in range(8)]
    shown = _shown("gates:\n" + "".join(gates) + "notes: |\n" + "  the pier is closed in winter\n" * 30, 200)
    at = shown.partition("gates[]: line and name (walks[] empty at ")[2]
    assert at.startswith("14)|walks[]\n") and "\n14 gate4|[]\n" in shown


def test_documents_are_rows_and_what_differs_in_kind_is_no_table() -> None:
    one = "\n---\n".join(
        f"kind: {kind}\nmetadata:\n  name: pier-{kind.lower()}\nspec:\n"
        + "\n".join(f"  {kind[:3]}{n}: walk-{n}" for n in range(20))
        for kind in ("Gate", "Walk", "Pier")
    )
    assert "documents: line and kind|metadata.name\n1 Gate|pier-gate\n" in _shown(one, 300)
    other = "\n".join(f"part{n}:\n" + "\n".join(f"  key{n}_{m}: walk-{n}-{m}" for m in range(30)) for n in range(4))
    assert ": line and key" not in _shown(other, 300)


def test_a_block_scalar_is_shown_with_its_beginning_and_marked_where_it_breaks_off() -> None:
    script = "\n".join(f"      gates walk --gate gate_{n} --log var/walk_of_gate_{n}.log" for n in range(60))
    shown = _shown(f"name: pier\nruns:\n  first:\n    run: |\n{script}\n  other: 1\n", 300)
    at = shown.index("run: |")
    assert shown[at:].split("\n")[1].strip().startswith("gates walk --gate gate_0 ")
    assert " …\n" in shown[at:] and not shown[at:].startswith("run: |\n  other")


def test_lines_of_a_block_scalar_are_no_keys() -> None:
    shown = _shown(_workflow())
    assert "key ending" not in shown and "GATE_KEY" not in shown.split("name: walks")[0]
    assert "walk ×" not in shown


def test_the_text_of_a_licence_takes_one_line() -> None:
    head = "---\nname: keeper\nversion: 2.2.2\nlicense: apache-2.0\nlicenses:\n- sources: LICENSE\n  text: |2\n"
    text = f"{head}{LICENCE}\nnotices: []\n"
    shown = _shown(text)
    assert "lines of YAML" in shown and "text of a licence: lines 8\u2013160" in shown
    assert "version: 2.2.2" in shown and "notices: []" in shown and "nobody reads" not in shown


def test_a_package_says_first_what_it_is() -> None:
    walks = "\n".join(f"gate{n} = 'keeper-{n} walks to var/gate{n}.log'" for n in range(20))
    tools = "\n\n".join(f"[tool.pier{n}]\n{walks}" for n in range(6))
    text = (
        '[project]\nname = "keeper"\nversion = "3.2.0"\ndescription = "Walks the gates."\nlicense-files = ["LICENCE"]\n'
        f'maintainers = [{{name = "Pier", email = "p@gates.example"}}]\ndependencies = [\n    "walk>=2",\n]\n\n{tools}'
    )
    shown = _shown(text, 400)
    assert 'name = "keeper"' in shown and 'version = "3.2.0"' in shown and "Walks the gates." in shown
    assert "Sections, each with its line: 1 project" in shown and " tool.pier0 · " in shown


def test_a_text_within_yaml_is_read_from_its_beginning_and_a_short_one_whole() -> None:
    script = "\n".join(
        f'          pin_{n}=$(gates read --gate "gate_{n}" \\\n            --log "var/g{n}.log")' for n in range(30)
    )
    jobs = "\n".join(
        f"  walk_{n}:\n    runs-on: keeper-{n}\n    steps:\n      - name: Walk gate {n}\n        run: |\n"
        f"          gates open gate_{n}\n          gates walk --slowly\n"
        f"      - name: Write gate {n}\n        run: |\n          set -e\n{script}\n          EOF"
        for n in range(3)
    )
    text = f"name: Gates\n\non:\n  push:\n\njobs:\n{jobs}\n"
    shown = compact(text, budget=600, threshold=600, tool="Read", arguments={"file_path": "walk.yml"}).text
    assert "EOF" not in shown and shown.count("pin_0=") == shown.count("pin_1=") == 3
    for n in range(3):
        assert f"run: |\n          gates open gate_{n}\n" in shown


def test_the_outermost_keys_of_a_json_file_come_first() -> None:
    parts = {
        "name": "harbour-office", "version": "4.2.0", "main": "src/quay.js",
        "scripts": {f"moor:{n}": f"node scripts/moor-{n}.js --rope {n * 7}" for n in range(40)},
        "dependencies": {f"@harbour/rope-{n}": f"^{n}.{n * 3 % 7}.0" for n in range(30)},
        "licence": "MIT",
    }  # fmt: skip
    view = "\n".join(f"{n:6}\t{line}" for n, line in enumerate(json.dumps(parts, indent=2).split("\n"), 1))
    text = compact(view, tool="Read", arguments={"file_path": "/quay/package.json"}, budget=300, threshold=300).text
    for key in parts:
        assert f'"{key}": ' in text, text
    assert "only line of its shape" not in text
