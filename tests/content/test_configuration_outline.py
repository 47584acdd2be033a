"""Configuration: the tree of its keys, texts in block scalars that are no keys, licences in one line."""

from __future__ import annotations

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
    told = shown[shown.index("Sections, each with its line:") :]
    for name in ("walks", "on", "workflow_call", "inputs", "jobs", "walk0", "walk2"):
        at = next(n for n, line in enumerate(lines, 1) if line.strip() in (f"{name}:", f"name: {name}"))
        assert f"{at} {'name' if name == 'walks' else name}" in told
    assert " steps" not in told.split("jobs: ")[1].split("\n")[0]  # a word of the schema


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
        assert f"run: |\n{' ' * (12 + len(str(7 + 71 * n)) - 1)}gates open gate_{n}\n" in shown
