"""Code: exact line numbers in every kind of view, definitions, odd constants, detection, lossless views."""

# ruff: noqa: E501 - samples read better whole

from __future__ import annotations

import itertools
import random
import re
from itertools import pairwise

import pytest
from decoders import renumber
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcompact import Compactor, Policy, ToolCall, compact
from mcpcompact.content.code import TYPE
from mcpcompact.content.shared.gutters import denumber, numbered
from mcpcompact.content.shared.languages import definition, named
from mcpcompact.errors import InputError
from mcpcompact.outline import MAX_ITEMS, Hints, Item, Keep, Outline
from mcpcompact.source import Sample, Source

PYTHON = '''"""Ledger."""

import os
from decimal import Decimal


class Ledger:
    """Keeps accounts."""

    def __init__(self, path: str) -> None:
        self.path = path

    def balance(self, name: str) -> Decimal:
        # TODO: cache this
        return Decimal(len(name))


def open_ledger(path: str) -> Ledger:
    return Ledger(os.path.join(path, "ledger.db"))


LIMIT = 30
'''


def outline(text: str, **hints: object) -> Outline:
    return TYPE.outline(Source.of_text(text), Hints(**hints))  # type: ignore[arg-type]


def kept(result: Outline) -> list[Item]:
    return [item for item in result.items if item.keep]


def shown(result: Outline) -> dict[int, str]:
    return {item.start: item.text for item in result.items}


def facts(result: Outline) -> str:
    return "\n".join(fact.text for fact in result.facts)


def score(text: str) -> float:
    return TYPE.sniff(Sample(Source.of_text(text))).score


def check_anchors(text: str, result: Outline, numbers: dict[int, int] | None = None) -> None:
    """Every item carries its exact number and the words of its lines."""
    lines = text.split("\n")
    for item in result.items:
        number, _, rest = item.text.partition(" ")
        expected = item.start if numbers is None else numbers[item.start]
        assert int(number) == expected
        for own, line in zip(rest.split("\n"), lines[item.start - 1 : item.end], strict=True):
            assert "".join(own.split()) in "".join(line.split())


def test_plain_source() -> None:
    result = outline(PYTHON)
    assert result.total == 22
    assert result.facts[0].text.startswith("22 lines of Python")
    assert "TODO 1 (line 14)" in facts(result)
    check_anchors(PYTHON, result)
    lines = shown(result)
    assert lines[7].endswith("class Ledger:")
    weights = {item.start: item.weight for item in result.items}
    assert weights[7] > weights[3] > weights[14]


@pytest.mark.parametrize("form", ["{:>6}→{}", "{:>6}\t{}", "{}:{}", "{:>4} | {}", "{:>6}|{}", "{}. {}"])
@pytest.mark.parametrize("offset", [0, 416])
def test_numbered_views_are_never_numbered_twice(form: str, offset: int) -> None:
    text = "\n".join(form.format(i + offset, line) for i, line in enumerate(PYTHON.splitlines(), 1))
    result = outline(text)
    check_anchors(text, result, {i: i + offset for i in range(1, 23)})
    assert shown(result)[7] == f"{7 + offset} class Ledger:"
    assert ("--lines" in result.header) == bool(offset)
    assert score(text) > 0.9


def test_open_view_with_remarks() -> None:
    text = (
        "[File: /app/src/ledger.py (500 lines total)]\n(100 more lines above)\n"
        + "\n".join(f"{i + 101}:{line}" for i, line in enumerate(PYTHON.splitlines()))
        + "\n(378 more lines below)\n"
    )
    result = outline(text)
    assert shown(result)[9] == "107 class Ledger:"
    assert "partial" in result.notes[0] and "378 more lines below" in result.notes[0]
    assert "ledger.py" in result.facts[0].text


def test_wrapper_and_call_give_file_lines() -> None:
    text = "Chunk ID: ab\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n" + PYTHON
    result = outline(text, arguments={"cmd": "sed -n '201,222p' src/ledger.py"})
    assert shown(result)[11] == "207 class Ledger:"
    assert "ledger.py" in facts(result)
    plain = outline(text, arguments={"cmd": "sed -n '201,222p' src/ledger.py | grep -v x"})
    assert shown(plain)[11] == "11 class Ledger:"
    assert not any("Wall time" in item.text for item in result.items)


def test_several_files_keep_their_own_numbers() -> None:
    text = "==> a/x.py <==\nimport os\n\ndef one():\n    return os.name\n\n==> b/y.go <==\npackage y\n\nfunc Two() int {\n\treturn 2\n}\n"
    result = outline(text)
    assert "2 files" in result.headline
    heads = {item.text.removeprefix(f"{item.start} "): item.start for item in result.items if "==>" in item.text}
    assert heads == {"==> a/x.py <==": 1, "==> b/y.go <==": 7} and {item.section for item in result.items} == {""}
    under = {item.text.split(" ", 1)[1]: item.under for item in result.items}
    assert under["import os"] == 1 and under["func Two() int {\n\treturn 2\n}"] == 7 and not under["==> b/y.go <=="]
    assert "Python" in result.headline and "Go" in result.headline
    numbered = "".join(f"{i:>6}\t{line}\n" for i, line in enumerate(PYTHON.splitlines(), 1)) * 2
    twice = outline(numbered, arguments={"cmd": "nl -ba src/a.py && nl -ba src/b.py"})
    assert {item.section for item in twice.items} == {"── src/a.py", "── src/b.py"}
    assert shown(twice)[29] == "7 class Ledger:"


def test_view_that_starts_inside_a_doc_string() -> None:
    result = outline(
        '    :param x: what\n    """\n    def run(self):\n        return 1\n\nclass Next(Base):\n    pass\n'
    )
    assert "class Next" in facts(result) or any("class Next" in i.text and i.weight > 3.0 for i in result.items)


def test_crlf_tabs_and_form_feeds() -> None:
    text = "package main\r\n\r\nfunc main() {\r\n\tprintln(1)\x0c\r\n}\r\n"
    result = outline(text)
    assert result.total == 5
    check_anchors(text, result)


def test_minified_source_is_cut_with_offsets() -> None:
    text = "".join(f"function f{i}(a){{return a+{i}}};var v{i}=f{i}(2);" for i in range(900))
    result = outline(text)
    assert score(text) > 0.7
    assert len(result.items) > 100
    for item in result.items[:50]:
        anchor, _, piece = item.text.partition(": ")
        number, _, offset = anchor.partition("@")
        assert number == "1"
        assert text[int(offset) :].startswith(piece)
    assert ("--bytes", "A:B") in result.more
    assert f"{len(text):,}" in facts(result)


def test_data_uris_are_replaced_by_kind_and_size() -> None:
    result = outline("a {\n  background: url(data:image/png;base64," + "iVBORw0KGgo" * 100 + ");\n}\n")
    text = shown(result)[2]
    assert "data:image/png;base64,…[+1,100 chars]" in text
    assert len(text) < 120


def test_licence_headers_weigh_little() -> None:
    result = outline(
        "# Copyright 2020 Someone\n# Licensed under the Apache License\n\nimport os\n\ndef f():\n    return os.name\n"
    )
    weights = {item.start: item.weight for item in result.items}
    assert weights[1] < 0.2 and weights[6] > 3.0


def services(odd: dict[int, str], number: int = 90) -> str:
    rng = random.Random(5)
    out = ["services:"]
    for i in range(number):
        out += [
            f"  - name: svc-{i}",
            f"    region: {rng.choice(['eu-west', 'us-east'])}",
            f"    timeout: {rng.randint(30, 60)}",
        ]
        if i in odd:
            key = odd[i].split(":")[0]
            out = [line for n, line in enumerate(out) if n < len(out) - 3 or not line.strip().startswith(f"{key}:")]
            out.append(f"    {odd[i]}")
    return "\n".join(out) + "\n"


def test_odd_values_of_configuration_are_kept() -> None:
    text = services({20: "timeout: 900000", 45: "region: ap-tokyo", 70: "note: FIXME crashes on start"})
    result = outline(text)
    reasons = {item.text.split(" ", 1)[1].strip(): item for item in kept(result)}
    assert reasons["timeout: 900000"].keep is Keep.OUTLIER
    assert reasons["region: ap-tokyo"].keep is Keep.RARE
    assert reasons["note: FIXME crashes on start"].keep is Keep.SEVERE
    assert len(reasons) <= 4
    assert "timeout ×90" in facts(result)
    assert kept(outline(services({}))) == []


@pytest.mark.parametrize(
    ("lines", "needle"),
    [
        ([f"HOST_{i}=db-{i}.internal.example.com" for i in range(120)] + [], "HOST_70=evil.attacker.org:8443"),
        (
            [f"INSERT INTO t VALUES ({i}, 'open', {i % 40 + 10});" for i in range(150)],
            "INSERT INTO t VALUES (700, 'open', 990000);",
        ),
        (
            [f"INSERT INTO t VALUES ({i}, 'open', {i % 40 + 10});" for i in range(150)],
            "INSERT INTO t VALUES (70, 'void', 20);",
        ),
        ([f'instance_type_{i} = "m5.large"' for i in range(80)], 'instance_type_40 = "p4d.24xlarge"'),
        ([f"listen_{i} = 80{i % 100:02d}" for i in range(80)], "listen_40 = 22"),
    ],
)
def test_odd_lines_of_repeats(lines: list[str], needle: str) -> None:
    text = "\n".join([*lines[:70], needle, *lines[71:]]) + "\n"
    found = kept(outline(text))
    assert any(needle in item.text for item in found)
    assert len(found) <= 3


def test_far_number_in_a_program_and_conflicts() -> None:
    lines = [f"def f{i}(a):\n    return a * {i % 50 + 3}" for i in range(60)]
    lines[30] = "def f30(a):\n    return a * 71234567"
    lines[40] = "<<<<<<< HEAD\nX = 1\n=======\nX = 2\n>>>>>>> feature"
    found = kept(outline("\n".join(lines) + "\n"))
    assert any("71234567" in item.text and item.keep is Keep.OUTLIER for item in found)
    assert sum("<<<<<<< HEAD" in item.text or ">>>>>>> feature" in item.text for item in found) == 2
    assert "merge conflict markers: 3 (lines 81, 83, 85)" in compact("\n".join(lines), budget=200, threshold=0).text


def test_focus_and_pointers_are_kept() -> None:
    text = "\n".join(f"x{i} = call({i})" for i in range(1, 60))
    focus = "TypeError at app.py:17"
    assert "17 x17 = call(17)" in compact(text, budget=200, threshold=0, focus=focus, content_type="code").text
    frame = "\n".join(f"{'>' if i == 12 else ' '} {i} | const a{i} = b;" for i in range(8, 20))
    assert [item.text for item in kept(outline(frame))] == ["12 const a12 = b;"]


def test_items_are_bounded_and_keep_what_is_odd() -> None:
    lines = [f"value_{i} = {i % 7}" for i in range(60_000)]
    lines[31_234] = "value_x = 123456789"
    result = outline("\n".join(lines))
    assert len(result.items) <= MAX_ITEMS
    assert any("123456789" in item.text for item in kept(result))
    assert result.items[0].start == 1 and result.items[-1].start == 60_000


SNIPPETS = {
    "go": 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("x")\n}\n',
    "rust": "use std::io;\n\npub struct A {\n    x: u32,\n}\n\nimpl A {\n    pub fn get(&self) -> u32 {\n        self.x\n    }\n}\n",
    "ts part": "    if (request.signal?.aborted) {\n      throw new Error('aborted');\n    }\n\n    const files = normalize(request.files);\n    await run(files);\n  }\n",
    "tsx": 'export function App() {\n  const [n, setN] = useState(0);\n  return (\n    <Box className="a">\n      <Button onClick={() => setN(n + 1)}>Hi</Button>\n    </Box>\n  );\n}\n',
    "java": "package a.b;\n\nimport java.util.List;\n\npublic class A {\n  private final int x = 1;\n  public int getX() {\n    return x;\n  }\n}\n",
    "c": '#include <stdio.h>\n\nint main(void) {\n  printf("x");\n  return 0;\n}\n',
    "php": "<?php\nnamespace App;\nclass A { public function b() { return 1; } }\n",
    "vue": "<template>\n  <p>{{ a }}</p>\n</template>\n<script setup>\nconst a = 1\n</script>\n",
    "shell": "#!/bin/bash\nset -e\nfor i in 1 2; do\n  echo $i\ndone\n",
    "sql": "CREATE TABLE t (\n  id int,\n  name text\n);\nINSERT INTO t VALUES (1, 'a');\nSELECT * FROM t WHERE id = 1;\n",
    "yaml": "name: ci\non:\n  push:\n    branches: [main]\njobs:\n  test:\n    runs-on: ubuntu\n    steps:\n      - run: make\n",
    "toml": '[project]\nname = "x"\nversion = "1"\n\n[tool.ruff]\nline-length = 120\n',
    "ini": "[a]\nx = 1\ny = 2\n\n[b]\nz = 3\n",
    "env": "A_KEY=1\nB_KEY=two\nC_KEY=three\nD_URL=http://x\n",
    "dockerfile": 'FROM python:3.12\nWORKDIR /app\nCOPY . .\nRUN pip install .\nCMD ["x"]\n',
    "json5": "{\n  // comment\n  a: 1,\n  b: [1, 2],\n  c: 'x',\n}\n",
    "terraform": 'resource "aws_s3_bucket" "b" {\n  bucket = "x"\n  tags = {\n    Name = "y"\n  }\n}\n',
    "proto": 'syntax = "proto3";\n\nmessage A {\n  string name = 1;\n  int32 id = 2;\n}\n',
    "css": ".a {\n  color: red;\n  margin: 0;\n}\n\n.b:hover {\n  color: blue;\n}\n",
    "makefile": ".PHONY: all\nall: x\n\tcc -o x x.c\nclean:\n\trm -f x\n",
    "numbered prose": "".join(f"{i:>6}→The quick brown fox jumps over the lazy dog.\n" for i in range(1, 9)),
}
OTHERS = {
    "prose": "Dear all, this is the news of the week for everyone here.\nWe went to the sea, and it was cold but nice.\n"
    * 5,
    "log": "".join(f"2024-01-01 10:00:{i:02d} INFO server started on port {i}\n" for i in range(30)),
    "json": '{\n  "a": 1,\n  "b": [\n    1,\n    2\n  ]\n}\n',
    "ndjson": '{"a": 1}\n{"a": 2}\n{"a": 3}\n',
    "html": "<!DOCTYPE html>\n<html><body>\n<p>Hi</p>\n</body></html>\n",
    "markdown": "# Title\n\nSome words about it, quite a few of them here.\n\n```python\nimport os\n```\n\n```js\nlet a = 1;\n```\n",
    "grep": "".join(f"src/a.py:{i}:    return foo({i})\n" for i in range(3, 60, 7)),
    "diff": "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
    "compiler": "".join(f"src/m.c:{i}:5: warning: unused variable 'x' [-Wunused]\n" for i in range(9)),
    "listing": "src/a.py\nsrc/b.py\ndocs/c.md\n" * 5,
    "csv": "id,name,score\n1,a,2\n2,b,3\n3,c,4\n",
    "tsv": "id\tname\tscore\n" + "".join(f"{i}\tn{i}\t{i * 3}\n" for i in range(1, 20)),
    "headers": "HTTP/1.1 200 OK\nContent-Type: text/html\nServer: x\n",
    "git status": "On branch main\nChanges not staged for commit:\n\tmodified:   a.py\n\tmodified:   b.py\n",
}


@pytest.mark.parametrize("name", list(SNIPPETS))
def test_code_is_recognised(name: str) -> None:
    assert score(SNIPPETS[name]) >= 0.45


@pytest.mark.parametrize("name", list(OTHERS))
def test_other_things_are_not_code(name: str) -> None:
    assert score(OTHERS[name]) < 0.3


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(alphabet=st.characters(blacklist_characters="\n", blacklist_categories=["Cs"]), max_size=20), min_size=3, max_size=30),
       st.integers(1, 2_000), st.sampled_from([("{:>6}", "→"), ("{:>6}", "\t"), ("{}", ":"), ("{:>3}", " | "), ("{}", ". ")]))  # fmt: skip
def test_dropping_numbers_loses_nothing(lines: list[str], first: int, form: tuple[str, str]) -> None:
    text = "\n".join(form[0].format(first + i) + form[1] + line for i, line in enumerate(lines))
    for every in (0, 5):
        if view := numbered(text):
            assert renumber(denumber(view, every)) == text


def test_lossless_view_is_offered_and_shorter() -> None:
    text = "".join(f"{i:>6}→\treturn compute({i})\n" for i in range(1, 400))
    result = outline(text)
    fifths, bare = (lossless.text() for lossless in result.lossless)
    assert len(bare) < len(text) * 0.8 and len(bare) < len(fifths) < len(text)
    assert renumber(bare) == renumber(fifths) == text
    assert "\n   145→\treturn compute(145)\n\treturn compute(146)\n" in fifths


@settings(max_examples=120, deadline=None)
@given(st.lists(st.sampled_from([
    "def f():", "class A:", "    x = 1", "}", "{", "/*", "*/", '"""', "import os", "", "\t", "  12→a", "12:x", "==> a.py <==", "a: b", "- c",
    "<<<<<<< HEAD", "=======", ">>>>>>> x", "\r", "é" * 50, "x" * 3000, "(3 more lines below)", "<system-reminder>", "\x00", "end", "[s]", "k = 1",
]), max_size=40))  # fmt: skip
def test_outline_and_spans_are_total(lines: list[str]) -> None:
    text = "\n".join(lines)
    result = outline(text)
    assert result == outline(text) or result.lossless  # closures of lossless texts do not compare
    for item in result.items:
        assert 1 <= item.start <= item.end <= result.total
    at = 0
    for start, end in TYPE.spans(text):
        assert start == at and end > start
        at = end
    assert at == len(text)
    assert 0 <= score(text) <= 1


def test_spans_are_blocks() -> None:
    blocks = [PYTHON[a:b] for a, b in TYPE.spans(PYTHON)]
    assert [b.split("\n", 1)[0] for b in blocks] == [
        '"""Ledger."""', "import os", "class Ledger:", "def open_ledger(path: str) -> Ledger:", "LIMIT = 30",
    ]  # fmt: skip


def test_large_sources_are_refused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "big.js"
    with open(path, "wb") as stream:
        stream.truncate(65 * 1024 * 1024)
    with pytest.raises(InputError):
        TYPE.outline(Source(path=str(path)), Hints())


def test_a_line_of_a_numbered_view_that_answers_the_call_keeps_its_one_number() -> None:
    body = "\n".join(f"    value_{i} = load({i})" for i in range(2, 120))
    source = f"def first_step():\n{body}\n\ndef wanted_helper(path):\n    return open(path)\n"
    view = "\n".join(f"{i:>6}→{line}" for i, line in enumerate(source.splitlines(), 1))
    shown = compact(view, budget=200, threshold=200, tool="Read", arguments={"pattern": "wanted_helper"}).text
    (line,) = [line for line in shown.split("\n") if "def wanted_helper" in line]
    assert line.split() == ["121", "def", "wanted_helper(path):"]
    assert shown.index("def first_step") < shown.index("def wanted_helper")


def test_outermost_definitions_come_first_and_whole() -> None:
    parts = [
        f"def task_{i}(queue, retries={i}):\n" + "\n".join(f"    emit_{i}_{k}(queue.name, {k})" for k in range(12))
        for i in range(20)
    ]
    shown = compact(
        "\n\n".join(parts) + "\n", budget=500, threshold=500, tool="read", focus="what does task_17 do with retries?"
    ).text
    signatures = [line for line in shown.split("\n") if "def task_" in line]
    assert len(signatures) >= 5 and all(line.removesuffix(" …").endswith("):") for line in signatures)
    assert any("def task_17(queue, retries=17):" in line for line in signatures)


def test_all_signatures_stand_there_where_half_of_the_room_holds_them() -> None:
    body = "\n".join(f"\tledger.Post(account{k}, amount{k}, currency{k})" for k in range(14))
    names = [f"TestPosting{word}" for word in ("Empty", "Twice", "Negative", "Foreign", "Rounded", "Voided", "Split")]
    source = "package ledger\n\n" + "\n\n".join(f"func {name}(t *testing.T) {{\n{body}\n}}" for name in names)
    shown = compact(source + "\n", budget=300, threshold=300, tool="Read").text
    assert [name for name in names if f"func {name}(t *testing.T) {{" not in shown] == []
    assert "7 of 7 signatures" in shown


def test_few_signatures_stand_there_before_lines_of_bodies_at_a_small_budget() -> None:
    names = ["Arrive", "Depart", "Anchor", "Signal", "Refuel", "Unload", "Inspect", "Repair", "Survey"]
    heads = [f"func {name}(ctx context.Context, at *Ship) (Berth, error) {{" for name in names]
    calls = [
        f'\tmanifest{n}.AppendTo("bays/quay{n}/cargo.json", LoadManifest{n})\n' for n in range(60) for _ in range(3)
    ]
    bodies = ["".join(calls[n * 20 : n * 20 + 20]) for n in range(len(names))]
    source = "package harbour\n\n" + "\n".join(f"{a}\n{b}}}\n" for a, b in zip(heads, bodies, strict=True))
    shown = compact(source, budget=500, threshold=500, tool="Read").text
    assert [head for head in heads if head not in shown] == []


def test_a_method_of_objects_is_a_signature() -> None:
    method = "zonesOf(ship: string, zones: Array<{ id: string; place: { x: number; y: number } }>): string[] {"
    made = outline(f"export class Bay {{\n  {method}\n    return zones.map(z => z.id);\n  }}\n}}\n", file="bay.ts")
    assert made.parts == {"signatures": 2} and made.names[2] == "zonesOf"


def test_a_blank_line_before_a_remark_of_the_tool_is_none_of_the_file() -> None:
    lines = "\n".join(f"def pull_{n}(rope):\n    return rope.pull({n})" for n in range(40))
    remark = "\n\n[120 more lines in file. Use offset=81 to continue.]"
    for said, count in (("", 80), (remark, 80)):
        text = compact(lines + said, budget=300, threshold=0, tool="read", arguments={"path": "ropes.py"}).text
        assert f"{count} lines of Python" in text, text


def test_definitions_that_are_not_shown_are_named_with_their_lines() -> None:
    body = "\n".join(f"    ledger.post(account_{k}, amount_{k}, currency_{k})" for k in range(9))
    names = [f"settle_{word}_{n}" for n in range(4) for word in ("empty", "foreign", "rounded", "voided", "split")]
    source = "\n\n\n".join(f"def {name}(ledger: Ledger, day: date, clock: Clock) -> None:\n{body}" for name in names)
    shown = compact(source + "\n", budget=600, threshold=600, tool="Read").text
    (index,) = [line for line in shown.split("\n") if line.startswith("further definitions: ")]
    lines, told = source.split("\n"), index.removeprefix("further definitions: ").split(", ")
    more = int(told.pop().split()[0]) if " more in lines " in told[-1] else 0
    assert len(told) >= 4
    assert all(lines[int(one.split()[0]) - 1].startswith(f"def {one.split()[1]}(") for one in told)
    assert len(told) + more + sum(f"def {name}(" in shown for name in names) == len(names)


def _nested(rows: list[str]) -> dict[str, str]:
    """What each shown line stands under, by their texts."""
    items = {item.start: item for item in TYPE.outline(Source.of_text("\n".join(rows) + "\n"), Hints()).items}
    return {
        i.text.split(" ", 1)[1].strip(): items[i.under].text.split(" ", 1)[1].strip() for i in items.values() if i.under
    }


def test_a_line_stands_under_its_signature_its_condition_and_its_statement() -> None:
    above = _nested([
        "def first(value):", "    if value > 3:", "        send(", *(f"            {n}," for n in range(12)),
        "            timeout=4,", "        )", "    elif value:", "        retry(value)",
        *(f"        sleep({n})" for n in range(7)), "    else:", "        drop(value)", *(f"        stay({n})" for n in range(7)), "", "def second():",
        '    text = """', "a: 1", "    b: 2", '    """', "    return text.strip()",
    ])  # fmt: skip
    assert above["timeout=4,"] == "send(" and above["send("] == "if value > 3:"
    assert above["if value > 3:"] == "def first(value):"
    assert above["retry(value)"] == "elif value:"
    assert above["drop(value)"] == "else:" and above["else:"] == "if value > 3:"
    assert above["return text.strip()"] == "def second():"


def test_settings_stand_under_their_section() -> None:
    knots = [f'    ["knots{n}"],' for n in range(12)]
    above = _nested(["[project]", 'name = "a"', "deps = [", *knots, "]", "[tool.ruff]", "x = 1"])
    assert above['["knots3"],'] == "deps = ["
    assert above["deps = ["] == above['name = "a"'] == "[project]"
    assert above["x = 1"] == "[tool.ruff]"


GO = """package store

import (
	"fmt"
	"strings"
)

func Load(path string) (*Store, error) {
	if strings.HasPrefix(path, "~") {
		path = expandHome(path)
	} else {
		path = resolveFrom(baseDirectory, path)
	}
	return openStore(path)
}
"""


def test_what_follows_the_imports_of_go_weighs_as_code() -> None:
    weights = {item.start: item.weight for item in TYPE.outline(Source.of_text(GO), Hints()).items}
    assert weights[3] == 1.0 and weights[10] == 1.3 and weights[8] > 2  # an import, a call, a signature


def test_a_statement_stands_below_its_branch_and_lines_in_a_row_have_one_number() -> None:
    noise = "".join(f"\nfunc Other{n}(a, b int) int {{\n\treturn compute{n}(a, b, {n})\n}}\n" for n in range(60))
    shown = compact(GO + noise, budget=220, threshold=0, focus="where is resolveFrom called with baseDirectory?").text
    assert 'func Load(path string) (*Store, error) {\n\tif strings.HasPrefix(path, "~") {\n\t\tpath = ' in shown
    assert "\n\t} else {\n12 \t\tpath = resolveFrom(baseDirectory, path)\n" in shown
    assert re.search(r" func Other(\d+)\(a, b int\) int \{\n\treturn compute\1\(a, b, \1\)\n\}", shown)


def test_the_echo_of_an_edit_is_one_file_with_its_first_line() -> None:
    rows = [
        "Text replaced. Please review the changes.",
        "[File: /repo/src/fields.py (900 lines total)]",
        "(99 more lines above)",
    ]
    rows += [f"{n}:    value_{n} = compute_value(source_{n}, limit={n})" for n in range(100, 260)]
    made = compact("\n".join(rows), budget=500, tool="edit").text
    assert "160 more lines" not in made and "in 2 files" not in made
    assert "Text replaced. Please review the changes.\n[File: /repo/src/fields.py (900 lines total)]\n" in made


def _numbered(first: int, last: int, odd: str = "") -> list[str]:
    return [
        f"{n}:    rope_{n} = {odd if odd and n == 240 else 'spliced'}(strand_{n}, turns={n})"
        for n in range(first, last)
    ]


def test_what_a_tool_says_around_views_of_one_file_is_told_whole_and_in_its_place() -> None:
    rows = ["The patch was refused.", "", "PROBLEMS:", "* Q17 turns: not a number", "", "As it would stand", "=" * 40]
    rows += [
        "[File: /srv/ropes.py (800 lines total)]",
        "(199 more lines above)",
        *_numbered(200, 300, "mended"),
        "=" * 40,
    ]
    rows += ["As it stands now", "=" * 40, "[File: /srv/ropes.py (800 lines total)]", "(199 more lines above)"]
    rows += [*_numbered(200, 300), "=" * 40, "Nothing was written. Mend the patch, then send it again."]
    call = {"command": "patch 240\n    rope_240 = mended(strand_240, turns=240)"}
    made = compact("\n".join(rows), budget=500, tool="patch", arguments=call).text
    head = "The patch was refused.\nPROBLEMS:\n* Q17 turns: not a number\nAs it would stand\n[File: /srv/ropes.py (800 lines"
    assert head in made and made.count("[File:") == 1 and "==" not in made and "── " not in made
    new, old = made.split("As it stands now\n")
    assert "mended(strand_240" in new and "mended" not in old and "(strand_2" in old
    assert made.endswith("\nNothing was written. Mend the patch, then send it again.")


def test_what_a_tool_says_at_length_shows_its_ends_and_what_heads_a_view() -> None:
    advice = [f"Advice {n}: splice the strands of rope {n} before it is put under load." for n in range(40)]
    rows = [*advice[:20], "Upper deck", *_numbered(200, 300), "Lower deck", *_numbered(120, 180), *advice[20:]]
    made = compact("\n".join(rows), budget=500, tool="view").text
    assert advice[0] in made and "Upper deck\n2" in made and "Lower deck\n1" in made and advice[39] in made
    assert advice[10] not in made


def test_a_line_whose_number_does_not_go_on_from_the_one_above_is_numbered() -> None:
    rows = [*_numbered(290, 300), *_numbered(120, 150)]
    made = compact("\n".join(rows), budget=600, threshold=0, tool="view").text
    assert "rope_299" in made and "\n120     rope_120" in made


def test_a_short_statement_over_lines_is_one_unit() -> None:
    text = """function rig(mast, boom) {
  const stays =
    mast.tall > boom.reach
      ? splice(mast)
      : splice(boom);
  hoist(
    stays.forward,
  );
  const crew = [
    'bosun',
    'rigger',
    'cook',
  ];
  if (crew.length > 2) {
    sail(crew);
  }
}
"""
    items = {item.start: item for item in TYPE.outline(Source.of_text(text), Hints()).items}
    stays = "2   const stays =\n    mast.tall > boom.reach\n      ? splice(mast)\n      : splice(boom);"
    assert items[2].text == stays and items[2].whole
    assert items[6].text == "6   hoist(\n    stays.forward,\n  );"
    assert items[9].end == 13 and items[14].text == "14   if (crew.length > 2) {\n    sail(crew);\n  }"
    assert [*items] == [1, 2, 6, 9, 14, 17]


def test_where_nearly_all_fits_comments_go_before_statements() -> None:
    rows = []
    for i in range(40):
        rows += ["# prepare the next of the parts that are to be measured here", f"languages_{i % 3} = part(1)"]
    made = compact("\n".join(rows), budget=900, threshold=800, tool="read", content_type="code").text
    shown = sum(1 for line in made.splitlines() if "languages_" in line)
    assert shown == 40 or "lines shown" not in made


def test_the_count_of_lines_is_that_of_the_file() -> None:
    shown = [f"{i:6}→def total_{i}(price): return price * {i}" for i in range(1, 301)]
    said = ["", "<system-reminder>", "Think before you edit.", "Twice.", "</system-reminder>"]
    text = compact("\n".join([*shown, *said]), budget=400, threshold=0, content_type="code").text
    assert "\n300 lines of " in text


def test_what_the_call_names_stands_in_its_place_in_the_file() -> None:
    steps = "\n".join(f"def step_{i}(job):\n    return job.run_{i}({i})\n" for i in range(60))
    shown = compact(
        steps, budget=200, threshold=0, arguments={"pattern": "step_50"}, focus="why does step_9 fail?"
    ).text
    assert shown.index("28 def step_9(job):\n    return job.run_9(9)") < shown.index("151 def step_50(job):")
    numbers = [int(line.split()[0]) for line in shown.split("\n") if line[:1].isdigit() and "lines of" not in line]
    assert numbers == sorted(numbers)


def test_a_setting_is_shown_below_the_keys_that_lead_to_it() -> None:
    jobs = "".join(
        f"  job-{i}:\n    runs-on: ubuntu\n    steps:\n      - name: Step {i}\n        env:\n          TOKEN_{i}: a{i}b\n"
        for i in range(60)
    )
    view = "\n".join(f"{n:>6}\t{line}" for n, line in enumerate(["name: ci", "jobs:", *jobs.splitlines()], 1))
    shown = compact(view, budget=250, threshold=0, arguments={"key": "TOKEN_31"}).text
    at = shown.index("TOKEN_31: a31b")
    assert all(key in shown[:at] for key in ("jobs:", "job-31:", "steps:", "- name: Step 31", "env:"))


def test_header_lines_of_a_quick_command_are_counted_and_those_of_a_slow_one_told() -> None:
    body = "\n".join(f"def step_{i}(job):\n    return job.run_{i}({i})\n" for i in range(90))
    head = "Chunk ID: a1b2c3\nWall time: {} seconds\nProcess exited with code 0\nOriginal token count: 1900\nOutput:\n"
    quick = compact(head.format("0.0121") + body, budget=300, threshold=0, tool="exec_command").text
    slow = compact(head.format("48.3011") + body, budget=300, threshold=0, tool="exec_command").text
    assert "Wall time" not in quick and "Original token count" not in quick and "header lines" in quick
    assert "Wall time: 48.3011 seconds" in slow


def test_a_file_of_a_revision_is_of_the_language_of_its_path() -> None:
    lines = [
        f"const Field{i}Schema = z.object({{\n  type: z.literal('field-{i}'),\n  name: z.string(),\n}});"
        for i in range(80)
    ]
    text = "/**\n * Schemas of fields.\n */\n" + "\n".join(lines)
    asked = {"cmd": "git show origin/next:packages/core/fields.ts | sed -n '1,400p'"}
    assert "JSON5" not in compact(text, budget=300, threshold=0).text
    assert "lines of TypeScript, fields.ts" in compact(text, budget=300, threshold=0, arguments=asked).text


PARTS = "export function one(a: string): void {\n  call(a);\n}\n"


def test_several_ranges_of_one_command_are_told_apart_with_file_and_language() -> None:
    cmd = "cd x && sed -n '80,82p' src/a.ts && sed -n '7,9p;20,22p' test/a.test.ts 2>/dev/null"
    result = outline(PARTS * 3, arguments={"cmd": cmd})
    assert result.facts[0].text == (
        "9 lines of TypeScript in 2 files, lines 80–82 of a.ts; lines 7–9, 20–22 of a.test.ts (the ranges end there)"
    )
    assert {item.text.split()[0]: item.section for item in result.items if "one(" in item.text} == {
        "80": "── src/a.ts",
        "7": "── test/a.test.ts",
        "20": "── test/a.test.ts",
    }
    short = outline(PARTS * 3, arguments={"cmd": "sed -n '80,90p' src/a.ts && sed -n '7,12p' src/b.ts"})
    assert short.facts[0].text == "9 lines of TypeScript, a.ts, b.ts"  # where the first file ends is not known
    assert short.header == "(numbers: lines of this result)" and not any(item.section for item in short.items)


def test_of_ranges_of_one_file_the_last_ends_with_it() -> None:
    cmd = "sed -n '10,12p' src/a.ts; sed -n '700,900p' src/a.ts"
    result = outline(PARTS * 3, arguments={"cmd": cmd})
    assert result.facts[0].text == "9 lines of TypeScript, lines 10–12, 700–705 of a.ts"
    assert [item.text.split()[0] for item in result.items if "one(" in item.text] == ["10", "700", "703"]


def test_numbers_that_go_back_are_several_views_not_files() -> None:
    rows = [f"{n}: rope_{n} = splice(strand_{n}, {n})" for n in (*range(290, 300), *range(120, 150))]
    assert outline("\n".join(rows)).facts[0].text.startswith("40 lines of INI in 2 views, lines 290–299, 120–149 of")


def test_numbered_ranges_of_several_files_are_told_apart() -> None:
    lines = [(n, "x") for n in (*range(1, 6), *range(6, 9), *range(40, 44))]
    text = "".join(f"{n:>6}\tcall({word}, {n});\n" for n, word in lines)
    cmd = "nl -ba a.go | sed -n '1,5p'; nl -ba b.go | sed -n '6,8p'; nl -ba b.go | sed -n '40,60p'"
    result = outline(text, arguments={"command": cmd})
    assert result.facts[0].text.startswith("12 lines of Go in 2 files, lines 1–5 of a.go; lines 6–8, 40–43 of b.go")
    assert "range" not in result.facts[0].text  # the file ends before the last range does
    assert {item.section for item in result.items if item.start > 5} == {"── b.go"}


def test_definitions_are_counted_by_what_is_shown_and_callbacks_are_none() -> None:
    text = "".join(f"export function name_{n}(arg: string) {{\n  return arg + {n} * {n + 7};\n}}\n" for n in range(60))
    text += "describe('all', () => {\n  it('one', async () => {\n    run();\n  });\n});\n"
    small = compact(text, budget=200, threshold=100, tool="Read", arguments={"file_path": "a.test.ts"}).text
    told = re.search(r"lines shown, (\d+) of 60 signatures", small)
    assert told is not None
    assert int(told[1]) == len(re.findall(r"^(?:\d+)? *export function\b", small, re.M))


def test_top_level_keys_of_yaml_are_named_instead_of_definitions() -> None:
    text = "name: x\non: push\njobs:\n  one:\n    runs-on: pier\n"
    result = outline(text, arguments={"file_path": "ci.yml"})
    assert "top-level keys: name, on, jobs" in facts(result) and "definition" not in facts(result)


def test_a_step_stands_under_its_condition_wherever_that_is_written() -> None:
    text = "jobs:\n  one:\n    steps:\n      - name: Publish\n        run: make publish\n        if: github.ref == 'main'\n"
    items = {item.start: item for item in outline(text, arguments={"file_path": "ci.yml"}).items}
    assert items[5].under == 6 and items[6].under == 4


def test_both_sides_of_a_conflict_are_kept_before_what_they_come_from() -> None:
    sides = [[f"{name} = {n}" for n in range(9)] for name in ("ours", "base", "theirs")]
    lines = ["<<<<<<< HEAD", *sides[0], "||||||| base", *sides[1], "=======", *sides[2], ">>>>>>> topic"]
    found = "\n".join(item.text for item in kept(outline("\n".join(["import os", *lines, "x = 1"]))))
    assert "ours = 0" in found and "theirs = 0" in found and "base = 0" not in found


def test_a_comment_is_one_unit_and_what_introduces_a_list_stands_with_it() -> None:
    text = (
        "/**\n * Serves the bundled skills.\n * Asks nobody.\n *\n * Subcommands:\n *\n *   list  names them all\n */\n"
    )
    found = [item for item in outline(text + "export const a = 1;\n").items if item.end > item.start]
    assert [(item.start, item.end) for item in found] == [(2, 3), (5, 7)] and all(item.whole for item in found)
    long = "".join(f"// rope {n} is spliced before the mast of ship {n} is stepped\n" for n in range(12))
    found = outline(long + "export const a = 1;\n", arguments={"file_path": "a.ts"}).items
    assert [(item.start, item.end) for item in found][:2] == [(1, 5), (6, 10)]
    found = outline(
        long.replace("stepped", "stepped.") + "export const a = 1;\n", arguments={"file_path": "a.ts"}
    ).items
    assert [(item.start, item.end) for item in found][:2] == [(1, 2), (3, 4)]


def test_imports_take_few_lines_and_stand_as_they_are() -> None:
    text = "import {\n" + "".join(f"  makePart{n},\n" for n in range(40)) + "} from './parts.js';\n"
    text += "".join(f"import {{ dock{n}, berth{n} }} from './harbour/quay{n}.js';\n" for n in range(30))
    text += "\nexport function run() {\n"
    text += "".join(f"  const value{n} = load('{n * 7919}', {n});\n" for n in range(60)) + "}\n"
    small = compact(text, budget=300, threshold=100, tool="Read", arguments={"file_path": "a.ts"}).text
    assert small.count("import {") <= small.count("const value") and "import {}" not in small
    assert "export function run() {" in small and small.count("const value") > 5
    weights = [
        item.weight for item in outline(text, arguments={"file_path": "a.ts"}).items if "import { dock" in item.text
    ]
    assert weights == sorted(weights, reverse=True) and weights[1] > weights[2] > weights[-1] > 0.05
    asked = compact(text, budget=300, threshold=100, tool="Read", focus="where is berth17 imported from").text
    assert "import { dock17, berth17 } from './harbour/quay17.js';" in asked


def test_names_of_definitions_stand_where_there_are_many_times_more() -> None:
    text = "".join(f"def settle_{n}(ledger):\n    return ledger.post({n}, {n * 7919})\n\n\n" for n in range(400))
    small = compact(text, budget=300, threshold=100, tool="Read", arguments={"file_path": "a.py"}).text
    told = re.search(r"lines shown, (\d+) of 400 signatures", small)
    index = re.search(r"^further definitions: (.+), (\d+) more in lines \d+–\d+$", small, re.M)
    assert told is not None and index is not None
    assert int(told[1]) + len(index[1].split(", ")) + int(index[2]) == 400


def test_a_checked_error_stands_below_its_call_and_a_condition_with_what_it_guards() -> None:
    told = "a ship that is not moored by four ropes drifts onto the shoal behind the second buoy before the tide turns"
    rows = [
        "func moor(s Ship) error {",
        "\terr := s.tie(",
        "\t\tfour,",
        "\t)",
        "\tif err != nil {",
        "\t\tlog(s)",
        "\t\treturn err",
    ]
    rows += [
        "\t}",
        "\tropes, err := s.ropes()",
        "\tif err != nil {",
        f'\t\treturn fmt.Errorf("{told}: %w", err)',
        "\t}",
        "}",
    ]
    items = {item.start: item for item in outline("\n".join(rows) + "\n", arguments={"file_path": "a.go"}).items}
    assert items[5].under == 2 and items[10].under == 9
    assert items[10].end == 12 and items[10].whole


def test_the_end_of_a_block_and_the_first_lines_of_a_short_one_stand_below_their_condition() -> None:
    long = " and ".join(f"ship.rope_{n} is not None" for n in range(4))
    rows = ["def moor(ship):", "    if ship.adrift:", "        log(ship, 'adrift')", "        ship.call('pilot')"]
    rows += ["        ship.wait(60)", "        raise Adrift(ship)", f"    if {long}:", "        ship.tie(4)"]
    rows += [f"        ship.check({n})" for n in range(4)] + ["        return ship.ropes", "    return None"]
    under = {item.start: item.under for item in outline("\n".join(rows) + "\n", arguments={"file_path": "a.py"}).items}
    assert under[3] == under[4] == under[5] == under[6] == 2
    assert under[13] == 7  # of what ends a block, however long its condition
    assert under[8] == 7  # no first line of a block without its condition
    assert under[9] == under[14] == 1


def test_marks_of_an_editors_cursor_stand_where_they_are() -> None:
    rows = [f"{n}:    berth_{n} = survey({n * 7919})" for n in range(1, 201)]
    rows[120:120], rows[124:124] = ["<<<<< START CURSOR >>>>>"], ["<<<<< END CURSOR >>>>>"]
    text = "[File: /harbour/berths.py (400 lines total)]\n" + "\n".join(rows) + "\n(200 more lines below)\n"
    small = compact(
        text, budget=300, threshold=100, tool="set_cursors", arguments={"command": "set_cursors 121 123"}
    ).text
    inside = small.partition("<<<<< START CURSOR >>>>>\n")[2].partition("\n<<<<< END CURSOR >>>>>")[0]
    assert [line.split()[-3] for line in inside.split("\n")] == ["berth_121", "berth_122", "berth_123"]


def test_an_accessor_whose_type_has_fields_is_a_definition() -> None:
    text = "export class Ship {\n"
    text += "".join(
        f"  get crew{n}(): Array<{{ name: string; age: number }}> {{\n    return [];\n  }}\n" for n in range(9)
    )
    assert outline(text + "}\n", arguments={"file_path": "a.ts"}).parts == {"signatures": 10}


def test_the_line_an_editor_was_told_to_open_stands_in_its_neighbourhood_below_its_signature() -> None:
    lines = [
        line
        for n in range(30)
        for line in (
            f"def part_{n}(x):",
            f"    low = load('{n * 7919}')",
            f"    for _ in range({n}):",
            f"        low += x.at({n})",
            "    return low",
            "",
        )
    ]
    shown = "".join(f"{n}:{line}\n" for n, line in enumerate(lines, 101))
    text = f"[File: /r/parts.py (900 lines total)]\n(100 more lines above)\n{shown}(620 more lines below)\n"
    told = compact(text, budget=400, threshold=400, tool="open", arguments={"command": "open parts.py 189"}).text
    assert "def part_14(x):\n" in told and "        low += x.at(14)\n    return low\n\ndef part_15(x):\n" in told


def test_lines_of_a_documentation_string_stand_below_the_quotes_that_open_it() -> None:
    text = '# Copyright of nobody\n"""\nFast decoding of models\nhttps://example.org/decoding_of_models\n"""\nimport torch\n\n\ndef run(x):\n    """\n    Args:\n        x (`torch.Tensor`): what is run\n    """\n    return x\n'
    items = {item.start: item for item in TYPE.outline(Source.of_text(text), Hints()).items}
    assert items[2].end == 4 and items[10].end == 12 and items[10].under == 9


def test_a_file_is_headed_by_the_line_of_the_result_that_names_it_and_blank_lines_are_none() -> None:
    body = "".join(f"export const rope{n} = splice('{n}', {n * 31});\n" for n in range(40))
    text = f"\n--- src/upper.ts ---\n{body}\n--- src/lower.ts ---\n{body.replace('rope', 'line')}"
    shown = compact(text, budget=300, threshold=0, arguments={"cmd": "cat src/upper.ts src/lower.ts"}).text
    assert "lines of TypeScript in 2 files\n" in shown and shown.count("src/upper.ts") == 1
    upper, lower = shown.split("44 --- src/lower.ts ---\n")
    assert "rope" in upper and "line1" not in upper.split("2 --- src/upper.ts ---")[1] and "line" in lower


def test_values_that_hardly_repeat_are_not_counted_and_those_of_a_stylesheet_are_never_odd() -> None:
    steps = "".join(f"- name: splice {'abcdefghijklmnopq'[n % 17]}x\n  uses: {'abc'[n % 3]}\n" for n in range(34))
    told = facts(outline(steps, arguments={"file_path": "a.yaml"}))
    assert "uses ×34: a 12, b 11, c 11" in told and "name ×" not in told
    css = "".join(f".rope{n} {{\n  padding: {900 if n == 30 else 8}px;\n}}\n" for n in range(60))
    assert not kept(outline(css, arguments={"file_path": "a.css"}))


def test_what_a_file_says_of_itself_weighs_as_its_statements() -> None:
    text = "#!/usr/bin/env bun\n/**\n * Splices every rope.\n */\nconst rigs = {\n"
    text += "".join(f"  rope{n}: 'strand_{n}',\n" for n in range(9)) + "};\n// what is spliced twice\nrun(rigs);\n"
    weights = {item.start: item.weight for item in outline(text, arguments={"file_path": "a.ts"}).items}
    assert weights[3] == 1.0 and weights[16] == 0.35
    text = text.replace("/**", "// Rigs of every ship in the harbour.\n\n/**", 1)
    weights = {item.start: item.weight for item in outline(text, arguments={"file_path": "a.ts"}).items}
    assert weights[2] > 4.0  # it tells what the file is for


def test_of_configuration_its_parts_are_named() -> None:
    rows = ["[rig]", 'name = "ketch"', "[sails]", "count = 4", "[exempt]", *(f'"rope_{n}" = ["A1"]' for n in range(9))]
    result = outline("\n".join(rows) + "\n", arguments={"file_path": "rig.toml"})
    assert "sections: rig, sails, exempt" in facts(result)
    make = "test:\n\tpytest\n\nlint: test\n\truff check\n\n.PHONY: test lint\n"
    assert "targets: test, lint" in facts(outline(make, arguments={"file_path": "Makefile"}))


def test_no_bracket_stands_where_nothing_that_it_closes_does() -> None:
    text = "".join(
        f"function rig{n}() {{\n  run({{\n" + f"    hoist(rope{n}, {n * 7919}, 'strand {n}');\n" * 14 + "  });\n}\n"
        for n in range(9)
    )
    for budget in range(200, 330, 10):
        shown = compact(text, budget=budget, threshold=0, arguments={"file_path": "a.js"}).text.split("\n")
        assert not [line for line in shown if re.match(r"\d+ \s*[})]", line)]


def test_a_window_of_a_log_is_no_source_and_shows_what_was_raised() -> None:
    rows = [f'  File "/srv/rig{n}.py", line {n * 31}, in hoist_{n}' for n in range(90)]
    rows[60] = "RopeError: strand 7 of the stay is frayed"
    text = "[File: /srv/run.log (90 lines total)]\n" + "".join(f"{n}:{row}\n" for n, row in enumerate(rows, 1))
    result = outline(text)
    assert result.headline == "90 lines of log"
    assert [item.text for item in kept(result) if item.start > 1] == ["61 " + rows[60]]
    rows[58:60] = ['  File "/usr/lib/python3/site-packages/rig.py", line 4, in haul', "    haul(rope)"]
    rows[70:90] = [*rows[50:61], *["the tide rose"] * 9]
    text = "[File: /srv/run.log (90 lines total)]\n" + "".join(f"{n}:{row}\n" for n, row in enumerate(rows, 1))
    shown = compact(text, budget=330, threshold=0, store=None).text
    assert "errors raised in lines 61, 81\n" in shown and f"{rows[57]}\n" in shown and f"\n{rows[60]}" in shown


def test_a_definition_far_from_an_edit_still_heads_its_lines() -> None:
    rows = [
        "class Rig:",
        "    def far(self):",
        "        return self.rope",
        "",
        *["    # calm"] * 12,
        "    def near(self):",
    ]
    rows += ["        return splice(self.rope)"]
    shown = "".join(f"{n}:{row}\n" for n, row in enumerate(rows, 101))
    text = f"[File: /r/rig.py (300 lines total)]\n(100 more lines above)\n{shown}(180 more lines below)\n"
    items = {item.text: item for item in outline(text, arguments={"command": "goto 118"}).items}
    far = next(item for line, item in items.items() if line.startswith("102 "))
    assert "\n        return self.rope" in far.text and far.weight < 4


def test_keys_of_several_files_are_not_counted_together() -> None:
    steps = "".join(f"      - name: step {n}\n        run: make step-{n}\n" for n in range(12))
    one = f"name: Release\non: push\njobs:\n  build:\n    steps:\n{steps}"
    assert any(fact.text.startswith("repeated keys: ") for fact in outline(one, arguments={"path": "a.yml"}).facts)
    two = f"==> a.yml <==\n{one}\n==> b.yml <==\n{one}"
    call = {"command": "head -100 a.yml b.yml"}
    assert not any(fact.text.startswith("repeated keys: ") for fact in outline(two, arguments=call).facts)


def test_a_short_type_stands_with_its_fields() -> None:
    noise = "".join(f"\nfunc Other{n}(a, b int) int {{\n\treturn compute{n}(a, b, {n})\n}}\n" for n in range(60))
    source = "package rig\n\ntype Mast struct {\n\tHeight int\n\tStays  []Stay\n}\n" + noise
    (item,) = [item for item in TYPE.outline(Source.of_text(source), Hints()).items if item.start == 3]
    assert item.text == "3 type Mast struct {\n\tHeight int\n\tStays  []Stay\n}" and item.whole


def test_the_traceback_of_a_program_that_ran_is_no_source() -> None:
    settings_ = "".join(f"setting_{n}={n * 37}\n" for n in range(60))
    raised = (
        'Traceback (most recent call last):\n  File "rig.py", line 4, in <module>\n    hoist()\nRigError: no mast\n'
    )
    assert score(settings_) > 0.7 > 0.2 > score(settings_ + raised)


def test_the_lines_of_a_read_with_an_offset_are_the_files() -> None:
    text = (
        "\texport class Rig {\n"
        + "".join(f"\t\tconst rope{n} = this.hoist({n});\n" for n in range(79))
        + "\n[40 more lines in file. Use offset=580 to continue]"
    )
    made = compact(
        text, budget=200, threshold=200, tool="read", arguments={"path": "rig.ts", "offset": 500, "limit": 80}
    )
    assert "lines 500–579 of rig.ts" in made.text and "\n500 \texport class Rig {" in made.text


SPOKEN = {
    "Kotlin": (
        "package acme\nimport java.time.Instant\n\ntypealias Handler = (Event) -> Unit\n\ndata class Lease(val id: String)\n"
        "sealed interface Result {\n    object Missing : Result\n}\n\nclass Store(private val clock: Clock) {\n"
        "    override suspend fun find(id: String): Lease? = leases[id]\n    inline fun <reified T> cast(value: Any): T {\n"
        "        return value as T\n    }\n}\n\nfun String.toLease(): Lease = Lease(this)\n",
        "Handler Lease Result Missing Store find cast String.toLease",
    ),
    "Swift": (
        "import Foundation\n\nprotocol Store {\n    func find(id: String) async throws -> Lease?\n}\n\n"
        "struct Lease: Codable {\n    let id: String\n    var expires: Date\n}\n\nactor Counter {\n    init(limit: Int) {\n"
        "        self.limit = limit\n    }\n    func bump(by n: Int) -> Int {\n        guard n > 0 else { return 0 }\n"
        "        return n\n    }\n}\n",
        "Store find Lease Counter init bump",
    ),
    "C#": (
        "using System;\nusing System.Threading.Tasks;\n\nnamespace Acme.Store;\n\npublic record Lease(string Id);\n\n"
        "public sealed class Memory : IStore\n{\n    public string Name { get; set; }\n\n"
        "    public async Task<Lease> FindAsync(string id)\n    {\n        return await Load(id);\n    }\n}\n",
        "Acme.Store Lease Memory FindAsync",
    ),
    "Scala": (
        "package acme\n\ncase class Lease(id: String, expires: Long)\n\ntrait Store {\n"
        "  def find(id: String): Future[Lease]\n}\n\nobject Result {\n  val empty = Map.empty[String, Lease]\n\n"
        "  def renew(id: String, days: Int = 1): Unit =\n    leases.get(id).foreach(store)\n}\n",
        "Lease Store find Result renew",
    ),
    "Elixir": (
        'defmodule Acme.Store do\n  use GenServer\n  alias Acme.Clock\n\n  @doc "Starts it."\n'
        "  def start_link(opts \\\\ []) do\n    GenServer.start_link(__MODULE__, opts)\n  end\n\n  defp prune(state) do\n"
        "    state |> Map.new()\n  end\n\n  defguard is_lease(x) when is_map(x)\nend\n",
        "Acme.Store start_link prune is_lease",
    ),
    "Lua": (
        'local M = {}\nlocal json = require("json")\n\nfunction M.new(clock)\n  local self = setmetatable({}, M)\n'
        "  return self\nend\n\nlocal function prune(t)\n  for k in pairs(t) do\n    t[k] = nil\n  end\nend\n\n"
        "M.renew = function(self, id)\n  return id\nend\n",
        "M.new prune M.renew",
    ),
    "Dart": (
        "import 'dart:async';\nimport 'package:acme/acme.dart';\n\nclass Memory extends Store {\n"
        "  final Map<String, Lease> _leases = {};\n\n  @override\n  Future<Lease?> find(String id) async {\n"
        "    return _leases[id];\n  }\n}\n\nextension LeaseX on Lease {\n  bool get old => true;\n}\n",
        "Memory find LeaseX",
    ),
    "Ruby": (
        'require "json"\n\nmodule Acme\n  class Store < Base\n    def initialize(clock)\n      @clock = clock\n    end\n\n'
        "    def expired?\n      leases.each do |l|\n        l.check\n      end\n    end\n  end\nend\n",
        "Acme Store initialize expired?",
    ),
    "Vue": (
        "<template>\n  <div>{{ total }}</div>\n</template>\n\n<script setup lang=\"ts\">\nimport { ref } from 'vue'\n\n"
        "const total = ref(0)\n\nasync function load() {\n  total.value = 1\n}\n</script>\n",
        "total load",
    ),
    "Svelte": (
        "<script>\n  import Card from './Card.svelte';\n  export let limit = 10;\n\n  function load() {\n    limit = 1;\n"
        '  }\n</script>\n\n{#if limit}\n  <Card />\n{/if}\n\n<script context="module">\n</script>\n',
        "load",
    ),
}


@pytest.mark.parametrize("language", SPOKEN)
def test_a_language_is_known_by_its_lines_and_its_definitions_are_found(language: str) -> None:
    text, names = SPOKEN[language]
    result = outline(text)
    assert result.headline.endswith(f" lines of {language}")
    assert set(names.split()) <= set(result.names.values())


def test_a_typedef_and_a_scoped_enum_are_called_by_their_names() -> None:
    assert set(outline("#include <stdio.h>\ntypedef struct lease {\n  int x;\n} lease_t;\n").names.values()) == {
        "lease"
    }
    text = "#include <map>\n\nnamespace acme {\n\nenum class State { Open };\n\nint Memory<T>::find(int id) const {\n  return id;\n}\n}\n"
    assert {"State", "Memory<T>::find"} <= set(outline(text).names.values())


def test_public_definitions_are_named_first_and_the_rest_are_counted() -> None:
    body = "".join(
        f"{'pub ' if n % 4 == 0 else ''}fn part_{n}(first: &str, second: usize) -> Result<usize, Error> {{\n"
        f"    let taken_{n} = first.len() + second;\n    Ok(taken_{n} * {n} + base_{n}(second))\n}}\n\n"
        for n in range(120)
    )
    shown = compact("use std::fmt;\n\n" + body, budget=500, threshold=500).text
    (line,) = [line for line in shown.split("\n") if line.startswith("further definitions: ")]
    told = re.findall(r"\d+ part_(\d+)", line)
    signed = re.findall(r"fn part_(\d+)\(", shown)
    assert len(told) > 5 and told == sorted(told, key=int)
    assert all(int(n) % 4 == 0 for n in told) or {*map(str, range(0, 120, 4))} <= {*told, *signed}
    assert f", {120 - len(signed) - len(told)} more in lines " in line


SETTINGS = "".join(f"        setting_{n}={n},\n" for n in range(12))


def test_arguments_with_names_are_no_settings_of_a_file() -> None:
    text = (
        f"from acme import Trainer\n\ndef build(model):\n    return Trainer(\n        model=model,\n{SETTINGS}    )\n"
    )
    assert outline(text).headline == "18 lines of Python"


def test_a_line_weighs_less_where_what_it_opens_does_not_stand_with_it() -> None:
    rows = [
        "func moor(s Ship) {",
        "\tif s.tied() {",
        "\t\tadrift(s)",
        "\t}",
        "\tif s.afloat() {",
        *(f'\t\tcast(s, "rope {n}")' for n in range(5)),
        "\t}",
        "}",
    ]
    items = {item.start: item for item in outline("\n".join(rows) + "\n", arguments={"file_path": "a.go"}).items}
    assert items[2].whole and items[2].end == 4 and items[5].end == 5
    assert items[5].weight == items[2].weight / 2 < items[6].weight


def test_a_manifest_says_what_the_package_is_and_needs_before_its_other_settings() -> None:
    rules = "".join(f'rule_{n} = ["warn", "quay {n}", "keep"]\n' for n in range(90))
    needs = '    "rope >= 3",  # four strands\n    "anchor",\n    # of iron\n    "buoy != 2.1",\n'
    text = f'[tool.lint]\n{rules}\n[project]\nname = "tide"\nversion = "0.4"\ndependencies = [\n{needs}]\n'
    small = compact(text, budget=300, threshold=100, arguments={"file_path": "pyproject.toml"}).text
    assert 'name = "tide"\n' in small and 'version = "0.4"\n' in small
    assert "dependencies = [\n" in small and '"rope >= 3",' in small and '"buoy != 2.1",' in small
    crates = (
        f'[features]\n{rules}\n[package]\nname = "tide"\n\n[dependencies]\nrope = "3"\nbuoy = {{ version = "2" }}\n'
    )
    small = compact(crates, budget=300, threshold=100, arguments={"file_path": "Cargo.toml"}).text
    assert 'name = "tide"' in small and "[dependencies]\n" in small and 'rope = "3"' in small and "buoy = {" in small


def test_files_of_one_call_are_told_apart_by_its_paths() -> None:
    ropes = "[ropes]\n" + "".join(f'rope_{n} = "strand {n * 7919}"\n' for n in range(60))
    ships = "import sea\n\n" + "".join(f"def moor_{n}(ship):\n    return ship.tie({n})\n\n" for n in range(30))
    text = f"/a/ropes.toml:\n{ropes}\n---\n/a/ships.py:\n{ships}\n---\n/a/quay.txt: Error - ENOENT: no such file\n"
    paths = ["/a/ropes.toml", "/a/ships.py", "/a/quay.txt"]
    assert "files: ropes.toml 61 lines of TOML, ships.py 91 lines of Python" in facts(
        outline(text, arguments={"paths": paths})
    )
    small = compact(text, budget=400, threshold=100, arguments={"paths": paths}).text
    assert " in 2 files\n" in small
    assert "1 /a/ropes.toml:\n" in small and " /a/ships.py:\n" in small
    assert " /a/quay.txt: Error - ENOENT: no such file" in small and "---" not in small
    assert "1 of 3 files failed: quay.txt" in "".join(small.split("\n")[:4])
    joined = outline(ropes + ships, arguments={"command": "cat ropes.toml ships.py 2>/dev/null"})
    assert facts(joined).startswith("153 lines of TOML, Python, ropes.toml, ships.py")


def test_fields_and_cases_stand_below_what_opens_them() -> None:
    """A field of an inner struct is none of the outer one, and a statement belongs to its case."""
    inner = [f'\t\tField{n} string `json:"mooring_{n}_{n * 7919 % 991}"`' for n in range(60)]
    steps = "\n".join(f"\t\tx{k} = x{k}" for k in range(6))
    cases = [f'\tcase "pier{n}":\n{steps}\n\t\tliftCargo{n}(crane, {n * 7919 % 991})' for n in range(60)]
    head, end = "package quay\n\n", "\n\t}\n}\n"
    fields = "\n".join([f"{head}type Berth struct {{\n\tInfo struct {{", *inner]) + end
    shown = compact(fields, budget=200, threshold=0).text
    assert "Info struct {" in shown and "mooring_" in shown
    switch = "\n".join([f"{head}func Lift(at string) {{\n\tswitch at {{", *cases]) + end
    shown = compact(switch, budget=250, threshold=0).text
    lifts = re.findall(r"liftCargo(\d+)", shown)
    assert lifts and all(f'case "pier{n}":' in shown for n in lifts)


def test_a_short_type_stands_with_its_fields_and_a_long_one_waits_for_them() -> None:
    berth = [
        "export type Berth = {",
        "  readonly quay: string;",
        "  readonly depth: number;",
        "  taken?: boolean;",
        "};",
    ]
    ship = ["export interface Ship {", *(f"  readonly rope{n}: string;" for n in range(20)), "}"]
    call = ["export function moor(ship: Ship, berth: Berth) {", "  return tie(ship.rope0, berth.quay);", "}"]
    items = outline("\n".join([*berth, "", *ship, "", *call]) + "\n").items
    assert [line.strip() for line in items[0].text.split("\n")[1:4]] == [line.strip() for line in berth[1:4]]
    weights = {item.start: item.weight for item in items}
    assert weights[7] < weights[30] and next(item for item in items if item.start == 8).under == 7


def test_what_the_request_names_in_words_is_shown_with_what_stands_in_it() -> None:
    text = "".join(
        f"def {verb}_{thing}(ship):\n"
        + "".join(f"    {verb}_{thing}_{n} = ship.{thing}.step_{n * 7919}({n})\n" for n in range(6))
        + f"    return {verb}_{thing}_5\n\n\n"
        for verb in ("splice", "hoist", "moor")
        for thing in ("rope", "sail", "anchor", "lantern")
    )
    shown = compact(text, budget=300, threshold=100, tool="Read", focus="how do we hoist the lanterns?").text
    own = [line for line in shown.split("\n") if "hoist_lantern_" in line]
    others = [line for line in shown.split("\n") if "splice_rope_" in line]
    assert "def hoist_lantern(ship):" in shown and len(own) > len(others)


def test_the_lines_that_an_edit_wrote_are_shown() -> None:
    rows = [f"{n}:    rope_{n} = splice({n * 7919})" for n in range(100, 180)]
    text = (
        "[File: /ship/rig.py (400 lines total)]\n(99 more lines above)\n" + "\n".join(rows) + "\n(221 more lines below)"
    )
    call = {"command": "edit 150:152\n    rope_150 = splice(1187850)\nend_of_edit"}
    shown = compact(text, budget=300, threshold=100, tool="edit", arguments=call).text
    assert all(f"rope_{n} = splice" in shown for n in range(146, 155))


def test_names_in_the_braces_of_imports_and_exports_are_no_definitions() -> None:
    source = (
        "import {\n  type Crate,\n  type Pallet as Board,\n  weigh, type Scale, // of the yard\n} from './yard';\n"
        "export type {\n  Crate,\n} from './yard';\nexport {\n  type Board,\n  weigh,\n};\n\n"
        "export class Depot {\n  fill(crate: Crate): void {\n    weigh(crate);\n  }\n}\n"
        "import {\n  type Torn,\n\nexport function empty(depot: Depot): void {\n  depot.fill(null);\n}\n"
    )
    assert outline(source, arguments={"path": "depot.ts"}).parts == {"signatures": 3}


FERRY = """package ferry

func Board(deck *Deck, name string) (*Berth, error) {
	deck.lock.Lock()
	defer deck.lock.Unlock()
	berth, ok := deck.berths[name]
	if !ok {
		return nil, fmt.Errorf("berth %s is taken by another vessel", name)
	}
	if deck.closed {
		deck.refuse(name, deck.reason, deck.harbourMaster)
	} else {
		deck.admit(berth, deck.harbourMaster)
	}
	return berth.copy(), nil
}
"""
WEIGH = "\n".join(f"\tscale.weigh(cargo.crates[{n}], limits.upper{n}, limits.lower{n})" for n in range(40))
VOYAGE = f"{FERRY}\nfunc Weigh(scale *Scale, cargo *Cargo) error {{\n{WEIGH}\n\treturn ErrOverweight\n}}\n"


def test_a_line_that_opens_a_block_says_that_its_first_lines_are_left_out() -> None:
    fields = "".join(f"    limit_{n} = {n}\n" for n in range(30))
    methods = "".join(f"\n    def weigh_{n}(self):\n        return self.crates_{n}\n" for n in range(30))
    source = "".join(f"class Scale{k}:\n{fields}{methods}\n\n" for k in range(4))
    shown = compact(source, budget=500, threshold=100, tool="Read", arguments={"file_path": "a.py"}).text.split("\n")
    lines = source.split("\n")
    marked = [(int(row.split()[0]), below) for row, below in itertools.pairwise(shown) if row.endswith(": …")]
    for number, below in marked:
        following = re.match(r"(\d+) ", below)
        assert lines[number - 1].startswith("class ") and following and int(following[1]) > number + 1
    assert marked and not any(row.startswith("…") for row in shown)


def test_what_the_request_quotes_stands_before_signatures() -> None:
    ask = "Boarding prints 'berth north is taken by another vessel', please say who"
    small = compact(VOYAGE, budget=150, threshold=100, tool="Read", arguments={"file_path": "f.go"}, focus=ask).text
    assert "is taken by another vessel" in small
    asked = outline(VOYAGE, arguments={"file_path": "f.go"}, focus="it ends with: overweight not found").items
    plain = outline(VOYAGE, arguments={"file_path": "f.go"}).items
    raised = [next(i.weight for i in items if "ErrOverweight" in i.text) for items in (plain, asked)]
    assert raised[0] < 2 and raised[1] > 3


def test_a_reminder_below_a_view_is_said() -> None:
    view = VOYAGE + "\n<system-reminder>\nRead the harbour rules.\n</system-reminder>\n"
    shown = compact(view, budget=300, threshold=100, tool="Read", arguments={"file_path": "ferry.go"}).text
    first = view[: view.index("<system")].count("\n") + 1
    assert f"a reminder to the reader in lines {first}–{first + 2}\n" in shown
    assert "a reminder" not in compact(VOYAGE, budget=300, threshold=100).text


def test_what_fails_in_a_manifest_comes_before_annotations() -> None:
    from mcpcompact import compact

    lines = ["apiVersion: v1", "kind: Pod", "metadata:", "  name: web", "  annotations:"]
    lines += [f'    x{n}.example/key: "value {n}"' for n in range(40)]
    lines += ["status:", "  containerStatuses:"]
    for n in range(8):
        bad = n == 5
        lines += [f"  - name: side{n}", f"    ready: {str(not bad).lower()}", f"    restartCount: {9 if bad else 0}"]
        lines += ["    state:", "      waiting:", "        reason: CrashLoopBackOff"] if bad else []
    out = compact("\n".join(lines) + "\n", budget=300, threshold=300).text
    assert "ready: false" in out and "restartCount: 9" in out and "CrashLoopBackOff" in out and "side5" in out


def test_lines_without_a_number_keep_their_columns() -> None:
    from mcpcompact import compact

    lines = ["kind: List", "items:"]
    for n in range(30):
        lines += [f"- name: part{n}", f"  image: acme/part{n}", "  limits:", f"    memory: {n}Mi", f"  port: {n}"]
    for budget in (200, 300, 450):
        shown = compact("\n".join(lines) + "\n", budget=budget, threshold=budget, content_type="code").text.split("\n")
        for line in shown:
            number, _, behind = line.partition(" ")
            text = behind if number.isdecimal() else line
            if text.strip() and text.strip().partition(":")[0] in ("image", "limits", "memory", "port", "- name"):
                assert text.rstrip(" …") in lines


def test_a_schema_of_few_fields_stands_whole_and_a_closing_call_never_alone() -> None:
    fields = [f"    rope_{n}: text().least({n})," for n in range(4)]
    schema = ["export const Berth = shape", "  .object({", *fields, "  })", "  .strict();", ""]
    others = [
        f"function haul_{n}(rope: Rope): number {{\n  winch.pull(rope, {n});\n  return rope.length * {n};\n}}"
        for n in range(9)
    ]
    made = outline("\n".join([*schema, *others]) + "\n")
    (berth,) = [item for item in made.items if "const Berth" in item.text]
    assert all(field in berth.text for field in fields) and berth.text.endswith(".strict();")
    shown = compact("  })\n  .strict();\n\n" + "\n".join(others * 4), budget=210, threshold=0, content_type="code").text
    assert ".strict();" not in shown and "function haul_1(" in shown


@pytest.mark.parametrize(("read", "language"), [("", "C"), ("include/gauge.hpp", "C++"), ("a\\b\\gauge.hpp", "C++")])
def test_the_name_of_the_file_that_was_read_tells_its_language(read: str, language: str) -> None:
    one = "int set_{0}(struct gauge *gauge)\n{{\n    gauge->low = {0};\n    if (gauge->high < {0})\n        return {0};\n}}\n\n"
    text = "".join(map(one.format, range(80)))
    compactor = Compactor(policy=Policy(budget=300, threshold=300))
    assert f" lines of {language}\n" in compactor.compact(text, ToolCall(source=read)).text
    asked = {"file_path": "gauge.swift"}  # the call knows better
    without = compactor.compact(text, ToolCall(arguments=asked)).text
    assert compactor.compact(text, ToolCall(source=read, arguments=asked)).text == without


def test_a_kept_line_stands_below_its_signature_and_no_comment_is_kept_for_a_crash() -> None:
    body = "\n".join(
        f"def moor_{n}(rope, quay_{n}):\n    # ties the ship of berth {n} to its quay\n"
        f"    knot = rope.tie(quay_{n}, turns={n + 3})\n    return knot.checked({n * 17})\n"
        for n in range(90)
    )
    body = body.replace("checked(170)", 'checked(170)  # FIXME: the rope "tarred" is too short')
    body = body.replace("# ties the ship of berth 20 to its quay", "# as it was left behind by a crash of the berth")
    shown = compact(body, budget=400, threshold=400).text
    lines = shown.split("\n")
    at = max(n for n, line in enumerate(lines) if "checked(170)" in line)
    assert any("def moor_10(" in line for line in lines[at - 3 : at])
    assert "by a crash" not in shown


def test_a_variable_or_a_glob_in_the_call_is_no_file() -> None:
    one = "#!/bin/sh\n### BEGIN INIT INFO\n# Provides:          {0}\n# Default-Start:     2 3 4\n### END INIT INFO\nPATH=/sbin:/bin\n"
    text = "".join(f"-- /etc/init.d/{name}\n{one.format(name)}" for name in ("cron", "ssh", "nginx", "dbus"))
    command = 'bash -n <(cat $(ls $HOME/env.sh)); for s in /etc/init.d/*; do echo "-- $s"; head -6 $s; done'
    result = outline(text, arguments={"command": command})
    assert result.headline == "24 lines of Shell in 4 files"
    assert "$" not in facts(result)
    assert {item.section for item in result.items if "$" in item.section} == set()


def test_what_git_says_before_a_file_is_no_line_of_the_file() -> None:
    pulled = ["From https://git.example.org/harbour/pilot", " * branch            main       -> FETCH_HEAD"]
    pulled += ["Updating 1a2b3c4d..5e6f7a8b", "Fast-forward"]
    pulled += [f" src/berth_{n}.ts | {n * 7 + 2} {'+' * (n + 1)}-" for n in range(6)]
    pulled += [" 6 files changed, 131 insertions(+), 6 deletions(-)", " create mode 100644 src/berth_5.ts"]
    state = ["## main...origin/main", "?? notes/tides.md"]
    program = [
        'import { Ship } from "./ship";',
        "",
        "interface Berth {",
        "  depth: number;",
        "  taken: boolean;",
        "}",
        "",
    ]
    for n in range(30):
        program += [f"export async function moor{n}(ship: Ship, berth: Berth): Promise<void> {{"]
        program += ["  if (berth.taken) {", f"    throw new Error(`berth {n} is taken`);", "  }"]
        program += [f"  await ship.tie({n}, berth.depth);", "}", ""]
    text = "\n".join([*pulled, *state, *program])
    call = {"command": "git pull --ff-only && git status -sb && sed -n '1,200p' src/moor.ts"}
    out = compact(text, budget=400, threshold=400, arguments=call).text
    assert "216 lines of TypeScript" in out and "?? notes/tides.md" in out and "6 files changed, 131 insertions" in out
    assert "far from the others" not in out


def test_named_entries_of_the_list_that_a_yaml_file_is_stand_like_definitions() -> None:
    entries = "".join(
        f"  - name: oven-{n}\n    maker: {'hearth' if n % 3 else 'kiln'}\n"
        + "".join(
            f"    {key}_{n}: ${{{{ {key.upper()}_{n}_VALUE }}}}\n" for key in ("fuel", "door", "shelf", "chimney")
        )
        + f"    # The oven of house {n} takes `{n + 3}` loaves; its door is heavy and must be lifted.\n"
        for n in range(11)
    )
    numbered = "".join(f"{n:6}\t{line}\n" for n, line in enumerate(f"ovens:\n{entries}".splitlines(), 1))
    text = compact(numbered, budget=500, threshold=500, tool="Read", arguments={"file_path": "ovens.yaml"}).text
    assert all(re.search(rf"(?:name: |\d )oven-{n}\b", text) for n in range(11)), text


def test_what_the_request_quotes_and_names_for_it_stand_first() -> None:
    text = "package berth\n\n" + "".join(
        f"// Moor{n} ties the ship of quay {n} with rope {n * 3}.\nfunc (b *Berth) Moor{n}(ship *Ship, tide int) error {{\n"
        f"\trope := b.ropes.take(ship, tide*{n})\n\tif rope.worn() {{\n\t\tb.renew(rope, {n})\n\t}}\n\treturn ship.tie(rope)\n}}\n\n"
        for n in range(40)
    )
    text = text.replace("\treturn ship.tie(rope)\n}\n\n// Moor21 ", "\treturn harbour.NamePilot\n}\n\n// Moor21 ")
    text = text.replace("b.renew(rope, 31)", 'b.renew(rope, "Pilot Boat")').replace(
        "b.renew(rope, 12)", 'b.send("%04d", 12)'
    )
    call = {"file_path": "berth.go"}
    asked = compact(
        text, budget=300, threshold=100, tool="Read", arguments=call, focus='is "Pilot Boat" a constant?'
    ).text
    assert '"Pilot Boat"' in asked and '"%04d"' in asked and "return harbour.NamePilot" in asked


def test_entries_of_lists_weigh_less_than_settings_and_pinned_dependencies_more_than_others() -> None:
    settings = '[project]\nname = "berth"\ndependencies = [\n    "winch >= 2.1",  # 2.0 drops the anchor\n    "rope",\n'
    settings += "".join(f'    "rope{n}",\n' for n in range(9)) + "]\n"
    settings += '\n[tool.crane]\nreach = 7\nexclude = [\n    ".quay",\n' + '    ".mole",\n' * 9 + "]\n"
    program = '"""Ships."""\n\nimport os\n\n__version__ = "4.17.2"\n\n\nclass Crane(Protocol):\n    reach = 3\n    slow = True\n'
    text = f"/w/pyproject.toml:\n{settings}\n---\n/w/berth/__init__.py:\n{program}"
    call = {"paths": ["/w/pyproject.toml", "/w/berth/__init__.py"]}
    weights = {item.text.split()[1]: item.weight for item in outline(text, arguments=call).items}
    assert weights['".quay",'] < weights["reach"] and weights['"rope",'] < weights['"winch']
    assert weights["__version__"] > weights["class"] >= weights["name"]


def test_fields_that_say_what_they_are_for_stand_before_values_handed_on_under_their_names() -> None:
    names = ["berth_depth", "tide_limit", "crane_reach", "rope_length", "pilot_count", "anchor_weight", "buoy_colour"]
    fields = "".join(
        f"    {name}: int  # how {n} ships of the fleet share it; -{n + 1} means all\n" for n, name in enumerate(names)
    )
    handed = "".join(f"            {name}=args.{name},\n" for name in names)
    text = f"@dataclass\nclass Harbour:\n{fields}\n    @classmethod\n    def of(cls, args: Any) -> Harbour:\n        return cls(\n{handed}        )\n"
    text += "".join(
        f"\n    def berth_{n}(self) -> int:\n        depth = self.sound({n})\n        self.log({n}, depth)\n        return depth * {n}\n"
        for n in range(20)
    )
    shown = compact(text, budget=350, threshold=100, tool="Read", arguments={"file_path": "harbour.py"}).text
    assert all(f"{name}: int  # how" in shown for name in names) and shown.count("=args.") <= 3


def test_a_method_of_typescript_whose_parameters_stand_on_lines_of_their_own_is_a_definition() -> None:
    starts = definition("TypeScript")
    assert starts is not None
    found = starts.match("private unload(")
    assert found and named(found) == "unload"
    assert not starts.match("unload(") and not starts.match("await unload(")


def test_a_high_line_number_makes_no_line_worth_showing_again() -> None:
    body = """\tprivate turn{0}(): void {{
\t\tif (!this.queue.has{0}(this.limit, "{1} of the queue, as the settings have it")) {{
\t\t\tthis.panel.add(new Label("nothing to turn {1}, the queue is empty"));
\t\t\tthis.ui.draw();
\t\t\treturn;
\t\t}}
\t\tconst next{0} = this.queue.take{0}(this.limit, "{1}", this.settings.load("{1}"));
\t\tthis.ui.draw();
\t\tthis.panel.add(new Label("{1} of the queue", next{0}, this.settings.colours.{1}));
\t}}
"""
    names = ("Left", "Right", "Upwards", "Downwards", "Round", "Inside")
    lines = "\n".join(body.format(name, name.lower()) for name in names).split("\n")
    view = "".join(f"{n}\t{line}\n" for n, line in enumerate(lines, 2001))
    text = compact(view, budget=310, tool="Read", arguments={"file_path": "/app/panel.ts"}).text
    assert text.count("this.ui.draw();") == 1


def test_the_names_of_all_definitions_stand_where_a_quarter_of_the_room_holds_them() -> None:
    body = "\n".join(f"\tledger.post(account{k}, amount{k}, currency{k})" for k in range(9))
    names = [f"Settle{word}" for word in ("Empty", "Foreign", "Rounded", "Voided", "Split", "Late", "Early", "Part")]
    source = "package ledger\n\n" + "\n\n".join(
        f"func {name}(ledger *Ledger, day time.Time, clock Clock, {name}Rules []Rule) (*Receipt, error) {{\n{body}\n}}"
        for name in names
    )
    shown = compact(source + "\n", budget=300, threshold=300, tool="Read").text
    assert [name for name in names if name not in shown] == []
    assert "further definitions: " in shown and " more in line" not in shown


def test_what_breaks_off_is_marked() -> None:
    words = [
        "anchor",
        "barrel",
        "cargo",
        "derrick",
        "ensign",
        "funnel",
        "galley",
        "hatch",
        "island",
        "jetty",
        "keel",
        "locker",
        "mast",
        "nozzle",
        "oar",
        "pilot",
    ]
    lists = [
        [f'\t"harbour/{word}"' for word in words],
        [f"\t{word.title()}Depth map[string]{word.title()}" for word in words],
        [f"\t\t{word}.Inspect(night.{word}Watch)," for word in words],
    ]
    source = "\n".join([
        "package depot", "", "import (", *lists[0], ")", "", "type Depots struct {", *lists[1], "}", "",
        "func Load() {", "\tdepots.Send(", *lists[2], "\t)", "\tdepots.Close()", "}", "",
        "func Send() {", *(f"\tledger.{word.title()}({word}Total, weather)" for word in words), "}", "",
    ])  # fmt: skip
    marked = 0
    for budget in range(150, 500, 25):
        body = compact(source, budget=budget, threshold=budget, tool="Read").text.split("\n")
        said = [line.partition(" ")[2].strip() if line[:1].isdigit() else line.strip() for line in body]
        for own in lists:
            shown = [line for line in said if f"\t{line.removesuffix(' …')}" in own or f"\t\t{line[:-2]}" in own]
            last = own[-1].strip() in said
            assert not shown or last or shown[-1].endswith(" …"), (budget, shown, body)
            marked += bool(shown) and not last
        signature = [n for n, line in enumerate(said) if line.startswith("func Send() {")]
        below = said[signature[0] + 1] if signature and signature[0] + 1 < len(said) else ""
        assert not signature or said[signature[0]].endswith(" …") is not below.startswith("ledger.Anchor")
    assert marked


def test_a_view_that_ends_where_its_call_lets_it_says_so() -> None:
    source = "\n".join(f"{n:6}\tharbour_{n} = open_berth({n * 7 % 101}, mast={n})" for n in range(1, 201))
    call = {"file_path": "/quay/harbour.py", "offset": 0, "limit": 200}
    said = "200 lines of Python, lines 1–200 of harbour.py (the range ends there)"
    assert said in compact(source, budget=300, tool="read_file", arguments=call).text
    assert "range ends" not in compact(source, budget=300, tool="read_file", arguments=call | {"limit": 250}).text


def test_the_only_key_of_its_ending_in_settings_is_shown() -> None:
    lines = [f"PART{n}_URL=https://host{n}.test/" if n % 3 else f"PART{n}_LIMIT={n % 40 + 3}" for n in range(240)]
    lines[177] = "PART177_SECRET=plum"
    text = compact("\n".join(lines), budget=400, threshold=400, tool="read_file").text
    assert "PART177_SECRET=plum ← key ending SECRET: 1 of 240" in text


@pytest.mark.parametrize("call", ["pickle.loads(blob)", "subprocess.run(blob)"])
def test_a_call_that_runs_what_it_is_given_stands_before_other_calls(call: str) -> None:
    lines = ["import os", ""]
    for n in range(50):
        lines += [f"def step_{n}(tray, limit={n}):", *(f"    tray.fill_{n}(cup={k * n})" for k in range(9)), ""]
    lines[307] = f"    {call}"
    assert call in compact("\n".join(lines), budget=1000, threshold=1000, arguments={"path": "trays.py"}).text


def _titled(n: int) -> str:
    return f"keeps hull {n} dry while tide {n * 7} lasts"


def test_titles_of_tests_are_named_with_their_lines_however_they_are_written() -> None:
    body = "    const hull = await dock(rope);\n    expect(hull).toEqual({\n      dry: true,\n    });\n"
    forms = (
        "  it('{0}', async () => {{\n",
        '  test.each(hulls)(\n    "{0}",\n    async (rope) => {{\n',
        "  it(\n    `{0}`,\n    () => {{\n",
    )
    text = "describe('the dry dock', () => {\n"
    text += "".join(forms[n % 3].format(_titled(n)) + body + "  });\n" for n in range(12)) + "});\n"
    small = compact(text, budget=500, threshold=100, tool="Read", arguments={"file_path": "dock.test.ts"}).text
    assert all(_titled(n) in small for n in range(12)) and "of 13 titles" in small
    assert "expect," not in small and re.search(r"further definitions: [^\n]*\d+ expect\b", small) is None
    many = "".join(
        f'  test "{_titled(n)}", %{{hull: hull}} do\n    assert hull.dry == {n}\n  end\n\n' for n in range(60)
    )
    part = compact(
        f"defmodule DockTest do\n  use ExUnit.Case\n\n{many}end\n",
        budget=500,
        threshold=100,
        arguments={"file_path": "dock_test.exs"},
    ).text
    assert sum(_titled(n) in part for n in range(60)) > 8 and "of 60 titles" in part


def test_properties_and_common_table_expressions_are_definitions() -> None:
    view = "struct DockView: View {\n" + "".join(
        f"    @ViewBuilder\n    private var part{n}: some View {{\n        Text(rope.name{n})\n            .padding({n})\n    }}\n\n"
        for n in range(9)
    )
    swift = compact(view + "}\n", budget=200, threshold=100, arguments={"file_path": "DockView.swift"}).text
    assert "of 10 signatures" in swift and all(f"part{n}" in swift for n in range(9))
    ropes = "".join(
        f"rope_{n} AS (\n    SELECT hull_{n}, tide_{n} * {n}\n    FROM dock_{n}\n    WHERE worn_{n} = 0 AND tide_{n} > {n}\n),\n\n"
        for n in range(1, 12)
    )
    query = f"-- Which ropes of the harbour are worn\nWITH rope_0 AS (\n    SELECT hull FROM dock\n),\n\n{ropes}SELECT hull, tide\nFROM rope_9\nWHERE tide > 3\n"
    sql = compact(query, budget=300, threshold=100, arguments={"file_path": "ropes.sql"}).text
    assert "of 12 heads of definitions" in sql and all(f"rope_{n}" in sql for n in range(12))
    assert "-- Which ropes of the harbour are worn" in sql and "FROM rope_9\nWHERE tide > 3" in sql


def test_paragraphs_of_a_script_are_named_by_their_comments() -> None:
    steps = "".join(
        f'# Splice the rope of quay {n}\nHULL_{n}=$(dock --quay {n} --tide {n * 7})\necho "quay {n}: ${{HULL_{n}}}"\n\n'
        for n in range(12)
    )
    text = f"#!/usr/bin/env bash\n#\n# Splices all ropes of the harbour.\n\nset -eu\n\n{steps}"
    small = compact(text, budget=400, threshold=100, arguments={"file_path": "splice.sh"}).text
    assert "of 12 sections" in small and all(f"Splice the rope of quay {n}" in small for n in range(12))
    assert "# Splices all ropes of the harbour." in small


def test_digits_within_a_text_are_no_number_of_a_program() -> None:
    lines = [f"rope({n % 9 + 1}, {n % 7 + 2}, 'quay {n}');" for n in range(40)]
    lines[20] = "open('https://harbour.test/docks?timerange=31536000&quay=1');"
    text = compact("\n".join(lines), budget=200, threshold=100, arguments={"file_path": "docks.js"}).text
    assert "an integer far from" not in text
    lines[20] = "rope(31536000, 2, 'quay 1'); wait(1401840000000);"
    assert "an integer far" not in compact("\n".join(lines), budget=400, threshold=100).text
    lines[20] = "rope(31536001, 2, 'quay 1');"
    assert "rope(31536001" in compact("\n".join(lines), budget=200, threshold=100).text


def test_functions_within_components_macros_and_callbacks_are_definitions() -> None:
    parts = "".join(
        f"  const moor{n} = async (rope) => {{\n    const worn = rope.tide({n}).worn;\n    setRope({{\n      worn,\n    }});\n  }};\n\n"
        for n in range(9)
    )
    component = compact(
        f"function Quay(props) {{\n{parts}  return null;\n}}\n",
        budget=300,
        threshold=100,
        arguments={"file_path": "Quay.jsx"},
    ).text
    assert all(f"moor{n}" in component for n in range(9)) and "10 of 10 signatures" in component
    assert "setRope," not in component
    macros = "".join(
        f"#define MOOR_{n}(rope) ((rope) == QUAY_{n} \\\n      && WORN(rope, {n}) == 0)\n\n" for n in range(30)
    )
    header = compact(macros, budget=300, threshold=100, arguments={"file_path": "moor.h"}).text
    assert "of 30 macros" in header and re.search(r"definitions: [^\n]*\d+ WORN", header) is None
    calls = "".join(
        f'  @doc """\n  ## Mooring {n}\n\n  The quay ties the rope of tide {n} before the ship leaves it.\n  """\n'
        f"  @callback moor_{n}(rope, tide :: integer) :: :ok\n\n"
        for n in range(20)
    )
    behaviour = compact(
        f"defmodule Quay do\n{calls}end\n", budget=300, threshold=100, arguments={"file_path": "quay.ex"}
    ).text
    assert "Elixir" in behaviour and "of 21 signatures" in behaviour


def test_people_and_licences_are_not_what_a_file_is_for() -> None:
    text = "<?php\n\n/**\n * Harbour Framework of all quays\n *\n * @license see the page of the harbour\n */\n\nnamespace Harbour;\n\n"
    text += "/**\n * @author Ann Other Sailor\n */\nclass Quay\n{\n"
    text += (
        "".join(
            f"    public function moor{n}($rope)\n    {{\n        return $rope->tie({n});\n    }}\n\n"
            for n in range(20)
        )
        + "}\n"
    )
    small = compact(text, budget=200, threshold=100, arguments={"file_path": "Quay.php"}).text
    assert "Ann Other" not in small and "Harbour Framework" not in small


def test_fields_of_a_class_that_are_functions_are_definitions() -> None:
    fields = "".join(
        f"  moor{n} = (rope) => {{\n    const worn = this.ropes.tide({n});\n    this.tie(rope, worn);\n  }};\n\n"
        for n in range(8)
    )
    component = "".join(
        f"  const haul{n} = useCallback(() => {{\n    winch.pull(rope, {n});\n    tide.wait({n * 7});\n  }}, [rope]);\n\n"
        for n in range(8)
    )
    text = (
        f"class Quay {{\n{fields}}}\n\nconst Winch = ({{\n  rope,\n  tide,\n}}) => {{\n{component}  return null;\n}};\n"
    )
    small = compact(text, budget=400, threshold=100, arguments={"file_path": "Quay.jsx"}).text
    assert "17 of 17 signatures" in small


def test_source_that_its_name_and_its_lines_tell_is_no_markdown_and_macros_beside_functions_are_statements() -> None:
    told = "".join(
        f'  @doc """\n  Moors **quay {n}**.\n\n  ## Options {n}\n\n    * `:rope` - *the* rope\n    * `:tide` - [the tide](https://t.test)\n  """\n'
        f"  def moor_{n}(rope, tide) do\n    tie(rope, tide, {n})\n  end\n\n"
        for n in range(20)
    )
    shown = compact(f"defmodule Quay do\n{told}end\n", budget=300, threshold=100, arguments={"file_path": "quay.ex"})
    assert shown.content_type == "code" and "of 21 signatures" in shown.text
    text = "#define MIN 4\n#define MAX 9\n\n" + "".join(
        f"static int moor_{n}(int rope) {{\n  if (rope < MIN) {{\n    return {n};\n  }}\n  return rope * {n};\n}}\n\n"
        for n in range(12)
    )
    small = compact(text, budget=300, threshold=100, arguments={"file_path": "moor.c"}).text
    assert "12 of 12 signatures" in small


def test_a_signature_stands_with_all_of_its_parameters() -> None:
    names = ("haul", "stow", "tow", "moor", "lift", "drop", "pull", "push", "coil", "bail")
    text = "".join(
        f"pub fn {name}_all_of_the_crates_of_a_ship<C: Crane>(\n    c: &C,\n    crates_to_{name}_first: Vec<String>,\n"
        f") -> Result<(usize, usize), harbour::{name.title()}Error> {{\n    let {name}ed = c.{name}(crates_to_{name}_first)?;\n"
        + "".join(f"    c.note_{name}_{k}({k}, &{name}ed)?;\n" for k in range(12))
        + "    Ok((1, 2))\n}\n\n"
        for name in names
    )
    shown = compact(text, budget=500, threshold=100, tool="Read", arguments={"file_path": "/r/a.rs"}).text
    assert shown.count("_first: Vec<String>,") == shown.count("    c: &C,\n") == shown.count(") -> Result<") > 0


def test_tests_in_the_file_of_a_program_come_behind_it() -> None:
    program = [f"    total_of_{k} += crane.lift_crate_{k}(hook, {k})?;" for k in range(14)]
    tests = [f"        assert_eq!(lift_with_mock_{k}(rope, winch), berth_{k}.free());" for k in range(40)]
    lines = ["pub fn lift_all(crane: &Crane) -> Result<usize, E> {", *program, "    Ok(total)", "}", ""]
    lines += ["#[cfg(test)]", "mod tests {", "    #[test]", "    fn lifts_what_is_there() {", *tests, "    }", "}"]
    out = compact("\n".join(lines), budget=420, threshold=100, tool="Read", arguments={"file_path": "/r/a.rs"}).text
    assert all(f"lift_crate_{k}(" in out for k in range(14)) and "fn lifts_what_is_there" in out


def test_a_licence_above_imports_that_nothing_ends_is_one() -> None:
    text = "/*\n * Copyright (C) 2018 Pier, Inc.\n *\n * Licensed under the terms of the Harbour Board.\n */\npackage pier\n\n"
    text += "".join(f"import quay.crane{k}\n" for k in range(8)) + "\nclass Pier {\n"
    text += "".join(
        f"  fun lift{k}(rope: Rope) {{\n    rope.pull({k})\n    winch.turn{k}()\n  }}\n\n" for k in range(40)
    )
    out = compact(text + "}\n", budget=300, threshold=100, tool="Read", arguments={"file_path": "/r/Pier.kt"}).text
    assert "Copyright" not in out and "class Pier" in out


def test_what_an_anonymous_object_overrides_is_no_signature_and_an_inner_class_is_one() -> None:
    tests = "".join(
        f"  fun moors{k}() {{\n    val ship =\n      object : Ship() {{\n        override fun rope() = {k}\n      }}\n"
        f"    ship.moor(quay, {k})\n  }}\n\n"
        for k in range(12)
    )
    text = f"class PierTest {{\n{tests}  private inner class SlowShip(\n    val delay: Long,\n  ) : Ship() {{\n"
    text += "    override fun rope() = 7\n  }\n}\n"
    out = compact(text, budget=420, threshold=100, tool="Read", arguments={"file_path": "/r/PierTest.kt"}).text
    assert "of 15 signatures" in out


@pytest.mark.parametrize(("name", "opens", "ends"), [("a.cs", '@"', '";'), ("a.kt", '"""', '"""')])
def test_what_a_text_of_several_lines_defines_is_no_signature(name: str, opens: str, ends: str) -> None:
    lines = ["public class PierTest {", "    public void Moors() {", f"        crates = {opens}"]
    lines += [f"    public class Crate{a.title()} {{ rope: {b} }}" for a, b in pairwise(WORDS)]
    lines += [f"{ends}", *(f"        {a.title()}Has(pier.{b}s, {a})" for a, b in pairwise(WORDS)), "    }", "}"]
    out = compact("\n".join(lines), budget=200, threshold=100, tool="Read", arguments={"file_path": f"/r/{name}"}).text
    assert all(f"(pier.{b}s, {a})" in out for a, b in pairwise(WORDS)) and "further definitions" not in out


WORDS = ["rope", "hook", "crane", "winch", "quay", "berth", "ship", "hull", "mast"]
