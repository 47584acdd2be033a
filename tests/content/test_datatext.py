"""YAML, TOML and Python's repr as data: records, values as they stand, aliases bounded, configuration left as code."""

from __future__ import annotations

import ast
import json
import pprint
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcompact import compact
from mcpcompact.content.detect import detect
from mcpcompact.content.records import TYPE
from mcpcompact.content.shared.datatext import as_json
from mcpcompact.content.shared.pyrepr import from_python
from mcpcompact.outline import Hints
from mcpcompact.paging.pagination import paginate
from mcpcompact.retrieval.conditions import Condition
from mcpcompact.retrieval.selection import Range, Selection, select
from mcpcompact.source import Source

PODS = "".join(
    f"- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: web-{i}\n    annotations: {{last: '{{\"a\": 1}}'}}\n"
    f"  status:\n    phase: {'Failed' if i == 40 else 'Running'}\n"
    for i in range(90)
)
KUBE = f"apiVersion: v1\nitems:\n{PODS}kind: List\nmetadata:\n  resourceVersion: ''\n"
STREAM = "".join(f"---\nkind: Pod\nname: web-{i}\nphase: {'Failed' if i == 40 else 'Running'}\n" for i in range(90))
LIST = "".join(f"- id: {i}\n  mode: 0o14\n  on: yes\n  at: 2026-11-22\n  price: 1.10\n" for i in range(90))
LOCK = "version = 4\n\n" + "".join(
    f'[[package]]\nname = "crate{i}"\nversion = "1.{i}"\nratio = 1.50\nat = 1979-05-27T07:32:00Z\n\n' for i in range(90)
)
DICTS = [{"id": i, "ok": i != 40, "error": None if i != 40 else 'it\'s "late"', "at": (1, 2)} for i in range(90)]

TEXTS = [
    ("kubectl", KUBE, {"kind": "Pod", "status": {"phase": "Running"}}),
    ("documents", STREAM, {"name": "web-2"}),
    ("list", LIST, {"id": 2, "mode": "0o14", "on": "yes", "at": "2026-11-22"}),
    ("lock file", LOCK, {"name": "crate2", "version": "1.2", "at": "1979-05-27T07:32:00Z"}),
    ("tables alone", LOCK.split("\n\n", 1)[1], {"name": "crate2", "version": "1.2"}),
    ("repr", repr(DICTS), {"id": 2, "ok": True, "error": None, "at": [1, 2]}),
    ("pprint", pprint.pformat(DICTS), {"id": 2, "ok": True}),
    ("a dict a line", "".join(f"{row!r}\n" for row in DICTS), {"id": 2, "ok": True}),
]


@pytest.mark.parametrize(("text", "third"), [case[1:] for case in TEXTS], ids=[case[0] for case in TEXTS])
def test_records_of_other_languages(text: str, third: dict[str, Any]) -> None:
    source = Source.of_text(text)
    assert detect(source).content_type == "records", detect(source, explain=True)
    out = TYPE.outline(source, Hints())
    assert out.total == 90
    assert out.facts[0].text.split(":")[0] in ("YAML", "TOML", "Python")
    assert not out.lossless
    page = paginate(text, limit=10)
    assert page.total_count == 90
    assert third.items() <= json.loads(page.items[2]).items()
    (piece,) = select(source, Selection(records=Range.parse("3")), "records").pieces
    assert third.items() <= json.loads(piece.text).items()
    assert "".join(text[a:b] for a, b in TYPE.spans(text)) == text


def test_what_is_odd_is_found_and_fetched() -> None:
    source = Source.of_text(KUBE)
    out = TYPE.outline(source, Hints())
    assert any(item.start == 41 and item.keep for item in out.items)
    found = list(select(source, Selection(where=(Condition.parse("status.phase=Failed"),)), "records").pieces)
    assert [json.loads(piece.text)["metadata"]["name"] for piece in found] == ["web-40"]
    (name,) = select(source, Selection(path="items[40].metadata.name"), "records").pieces
    assert name.text == b'"web-40"\n'
    (line,) = select(source, Selection(lines=Range.parse("3")), "records").pieces
    assert line.text == b"- apiVersion: v1\n"


def test_the_original_comes_back_and_keeps_its_extension(door: Run, tmp_path: Path) -> None:
    (tmp_path / "pods.yaml").write_text(KUBE)
    made = json.loads(door("summarize", "pods.yaml", "--json", "--budget", "300").stdout)
    id = made["reference"]["id"]
    assert door("results", "get", id).stdout == KUBE.encode()
    assert b"web-40" in door("results", "get", id, "--where", "status.phase=Failed").stdout
    assert list(tmp_path.rglob(f"*{id}.yaml"))


def test_a_failed_record_in_a_line_of_python_is_shown() -> None:
    made = compact(repr(DICTS), budget=300, threshold=300)
    assert 'it\'s "late"' in made.text.replace('\\"', '"')


COMPOSE = "services:\n" + "".join(
    f"  svc{i}:\n    image: shop/{i}\n    # keep\n    ports:\n      - '80:80'\n" for i in range(30)
)
TASKS = "- hosts: all\n  tasks:\n" + "".join(
    f"    - name: step {i}\n      module{i}:\n        key{i}: x\n      when: a{i}\n" for i in range(30)
)


@pytest.mark.parametrize(
    "text",
    [
        COMPOSE,
        TASKS,
        '[tool.ruff]\nline-length = 120\n[tool.mypy]\nstrict = true\n[project]\nname = "x"\n',
        "".join(f'node {{\n  name: "c{i}"\n  attr {{\n    key: "T"\n  }}\n}}\n' for i in range(60)),
        "{\n  // settings\n" + "".join(f"  key{i}: {{ name: 'n{i}', value: {i}, }},\n" for i in range(60)) + "}\n",
        "".join(f"v{i} = {i}\n" for i in range(202)),
        "(some words)\n" * 40,
        "- one\n- two\n" * 40,
        "[x for x in range(3)]\n" * 40,
    ],
    ids=["compose", "playbook", "settings", "protobuf", "json5", "assignments", "brackets", "plain list", "python"],
)
def test_what_is_read_by_its_lines(text: str) -> None:
    assert detect(Source.of_text(text)).content_type not in ("records", "json")


def test_an_openapi_document_is_json_and_text_before_json_stays_what_it_was() -> None:
    paths = "".join(f"  /pets/{i}:\n    get:\n      description: not found\n      x: 1\n" for i in range(40))
    api = Source.of_text(f"openapi: 3.0.1\ninfo:\n  title: pets\npaths:\n{paths}")
    assert detect(api).content_type == "json"
    assert as_json(Source.of_text('Result: {"a": [1, 2]}')) is None
    assert as_json(Source.of_text('[{"a": 1}]')) is None


@pytest.mark.usefixtures("soon")
def test_aliases_do_not_explode() -> None:
    laugh = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(20)
    )
    view = as_json(Source.of_text(laugh))
    assert view is not None
    assert view.source.size < 4_000_000
    assert '"*t"' in view.source.text
    circle = as_json(Source.of_text("a: &a\n  b: *a\n  c: 1\n"))
    assert circle is not None
    assert json.loads(circle.source.text) == {"a": {"b": "*a", "c": 1}}


def test_scalars_keep_their_spelling() -> None:
    text = (
        "v: 1.10\na: yes\nb: 0o14\nc: 012\nd: ~\ne:\nf: True\ng: 'true'\nh: !!str 5\ni: !Ref X\n? [1, 2]\n: j\n3: k\n"
    )
    view = as_json(Source.of_text(text))
    assert view is not None
    assert '"v": 1.10' in view.source.text
    assert json.loads(view.source.text) == {
        "v": 1.1, "a": "yes", "b": "0o14", "c": "012", "d": None, "e": None, "f": True, "g": "true", "h": "5",
        "i": "!Ref X", "[1, 2]": "j", "3": "k",
    }  # fmt: skip


@pytest.mark.parametrize(
    "text", ["a: [1\nb: 2\n", "a: 'x\n", "%YAML 9\n", "[[a]]\nb = \n", "\tx: 1\n", "a: *b: c", "{'a': 1"]
)
def test_what_does_not_parse_is_no_data_and_no_crash(text: str) -> None:
    as_json(Source.of_text(text * 30))
    detect(Source.of_text(text * 30))


SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8)
)
VALUES = st.recursive(
    SCALARS, lambda v: st.lists(v, max_size=4) | st.dictionaries(st.text(max_size=4), v, max_size=4), max_leaves=12
)


@settings(deadline=None, max_examples=80)
@given(st.lists(st.dictionaries(st.text(max_size=5), VALUES, max_size=4), max_size=5))
def test_a_repr_has_the_values_of_python(rows: list[dict[str, Any]]) -> None:
    made = from_python(repr(rows))
    assert made is not None
    assert json.loads(made) == ast.literal_eval(repr(rows))
    assert from_python(pprint.pformat(rows, width=20)) is not None


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.dictionaries(st.text(max_size=5), VALUES, min_size=1, max_size=4), min_size=1, max_size=5),
    st.integers(1, 80),
)
def test_a_repr_that_is_cut_is_read_as_far_as_it_goes(rows: list[dict[str, Any]], cut: int) -> None:
    text = repr(rows)
    from_python(text[:-cut], cut=True)
    assert from_python(text[:-1]) is None


def test_pythons_other_things_are_their_text() -> None:
    text = "[{'t': datetime.datetime(2026, 1, 1), "
    text += "'d': Decimal('1.20'), 'o': <Foo at 0x1>, 's': {1, 2}, 'b': b'x', 'n': nan}]"
    made = from_python(text)
    assert made is not None
    assert json.loads(made) == [
        {
            "t": "datetime.datetime(2026, 1, 1)",
            "d": "Decimal('1.20')",
            "o": "<Foo at 0x1>",
            "s": [1, 2],
            "b": "b'x'",
            "n": "nan",
        }
    ]
    assert from_python("[" * 100_000 + "]" * 100_000) is not None


def test_lists_that_need_no_path() -> None:
    books = "".join(f'<book id="b{i}"><title>a &gt; b</title></book>\n' for i in range(60))
    page = paginate(f"<?xml version='1.0'?>\n<catalog><info a='1>2'/>\n{books}</catalog>", limit=10)
    assert page.total_count == 60
    assert json.loads(page.items[2]) == '<book id="b2"><title>a &gt; b</title></book>'
    closed = paginate("<r>" + "".join(f'<i n="{n}" v="a>b"/>' for n in range(400)) + "</r>", limit=10)
    assert (closed.total_count, json.loads(closed.items[1])) == (400, '<i n="1" v="a>b"/>')
    things = json.dumps({f"id-{i}": {"state": "ok", "n": i, "text": "some words"} for i in range(200)})
    page = paginate(things, limit=10, sort="n:desc", fields=("key", "n"))
    assert page.total_count == 200
    assert json.loads(page.items[0]) == {"key": "id-199", "n": 199}
    runs = [
        {
            "tool": {"rules": [{"id": i} for i in range(9)]},
            "results": [{"rule": i, "text": "words"} for i in range(200)],
        }
    ]
    page = paginate(json.dumps({"version": "2.1.0", "runs": runs}), limit=10)
    assert page.total_count == 200
    assert json.loads(page.items[3]) == {"rule": 3, "text": "words"}


def test_entities_are_not_expanded() -> None:
    from mcpcompact.errors import InputError

    text = '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "b">]><r>' + "<i>&a;</i>" * 90 + "</r>"
    with pytest.raises(InputError, match="no list"):
        paginate(text, limit=10)


def test_a_walk_over_yaml_gives_every_item_once(door: Run, tmp_path: Path) -> None:
    (tmp_path / "pods.yaml").write_text(KUBE)
    seen: list[str] = []
    arguments: tuple[str, ...] = ()
    for _ in range(9):
        page = json.loads(door("paginate", "pods.yaml", "--limit", "20", *arguments).stdout)
        seen += [item["metadata"]["name"] for item in page["items"]]
        if "nextCursor" not in page:
            break
        arguments = ("--cursor", page["nextCursor"])
    assert seen == [f"web-{i}" for i in range(90)]


def test_what_a_cluster_keeps_of_few_objects_is_data_and_what_is_not_ready_comes_first() -> None:
    def pod(name: str, ready: bool) -> str:
        state = (
            "running:\n          startedAt: 2024-05-01T10:00:00Z"
            if ready
            else "waiting:\n          reason: CrashLoopBackOff"
        )
        return (
            "- apiVersion: v1\n  kind: Pod\n  metadata:\n    creationTimestamp: 2024-05-01T10:00:00Z\n    labels:\n"
            f"      app: {name}\n    name: {name}-x1\n"
            f'    namespace: prod\n    resourceVersion: "77"\n    uid: 1111-{name}\n  spec:\n    containers:\n'
            f"    - image: acme/{name}:1.0\n      name: {name}\n      env:\n"
            + "".join(f"      - name: VAR_{n}\n        value: of-{name}-{n}\n" for n in range(12))
            + f"    nodeName: node-{name}\n  status:\n    conditions:\n    - type: Ready\n"
            f'      status: "{ready}"\n    containerStatuses:\n    - name: {name}\n      ready: {str(ready).lower()}\n'
            f"      restartCount: {0 if ready else 14}\n      state:\n        {state}\n    phase: Running\n"
        )

    pods = "".join(pod(name, name != "worker") for name in ("api", "web", "cache", "worker", "auth"))
    printed = f'apiVersion: v1\nitems:\n{pods}kind: List\nmetadata:\n  resourceVersion: ""\n'
    found = compact(printed, budget=500, threshold=100, store=None)
    assert found.content_type == "json", "a table, not lines of source"
    rows = [line for line in found.text.split("\n") if line[:1] == "[" and "-x1|" in line]
    assert rows[0].startswith("[3]|worker-x1|False|") and "CrashLoopBackOff|14" in rows[0]
    written = printed.replace('    resourceVersion: "77"\n', "").replace('metadata:\n  resourceVersion: ""\n', "")
    assert compact(written, budget=500, threshold=100, store=None).content_type == "code", "a file that somebody wrote"


def test_lists_within_lists_and_several_lists_are_read_by_their_lines() -> None:
    walks = "".join(
        f"- name: gate{n}\n  walks:\n"
        + "".join(f"  - walk: walk{n}-{m}\n    hours: {m}\n    keeper: keeper-{m % 3}\n" for m in range(4))
        for n in range(12)
    )
    mounts = "".join(f"    - path: /var/gate{n}\n      name: gate-{n}\n" for n in range(12))
    others = mounts.replace("path", "at")
    parts = f"kind: Pier\nspec:\n  gates:\n  - image: pier/gate\n    mounts:\n{mounts}  others:\n{others}"
    for text, head in (
        (walks, "[].walks[]: line and name / walk, the first where they change\n"),
        (parts, "spec.gates[].mounts[]: line and path"),
    ):
        made = compact(text, budget=300, threshold=300)
        assert made.content_type == "code" and head in made.text


def test_keys_within_keys_do_not_double_without_bounds() -> None:
    assert from_python("{" * 60 + "'a'" + ": 1}" * 60) is None
    assert as_json(Source.of_text("- id: 1\n" * 20 + "- ? " + "{" * 60 + "a" + ": 1}" * 60 + "\n")) is None
    assert from_python("{(1, 'a'): {('b',): 2}}") == '{"[1, \\"a\\"]": {"[\\"b\\"]": 2}}\n'
