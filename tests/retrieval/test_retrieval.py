"""Selectors and pages: exact anchors, original values, nothing left out without saying so."""

from __future__ import annotations

import csv
import io
import json
import os
import shlex
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mcpcompact.cli.app import main
from mcpcompact.cli.io import Environment
from mcpcompact.errors import InputError, NoInputError, UsageError
from mcpcompact.results import Original, ResultStore, Store
from mcpcompact.retrieval.conditions import Condition
from mcpcompact.retrieval.elements import MAX_READ, Known, element_at, step
from mcpcompact.retrieval.pages import page
from mcpcompact.retrieval.selection import Range, Selection, select
from mcpcompact.retrieval.spans import find_list, first_value, locate, parse_path, value_end
from mcpcompact.source import Source


def chosen(**options: object) -> Selection:
    ranges = {key: Range.parse(str(options.pop(key))) for key in ("lines", "records") if key in options}
    if "bytes" in options:
        ranges["bytes"] = Range.parse(str(options.pop("bytes")), least=0)
    if "where" in options:
        options["where"] = tuple(map(Condition.parse, str(options["where"]).split(" & ")))
    return Selection(**ranges, **options)  # type: ignore[arg-type]


def fetch(data: bytes, content_type: str = "", **options: object) -> bytes:
    found = select(Source(data), chosen(**options), content_type)
    pieces = [piece.text for piece in found.pieces]
    return found.header + b"".join(pieces) if pieces else b""


PODS = {
    "kind": "List",
    "meta": {"tags": [{"x": 1}]},
    "data": {
        "results": [
            {
                "metadata": {"name": f"pod-{n}", "labels": {"app.kubernetes.io/name": "web"}},
                "status": {"phase": "Failed" if n == 77 else "Running", "restarts": n},
                "containers": [{"image": f"img:{n}"}, {"image": "side"}],
            }
            for n in range(200)
        ]
    },
}
RAW = json.dumps(PODS, indent=2).encode()


@given(st.lists(st.binary(max_size=8), max_size=30).map(b"\n".join), st.integers(1, 32), st.integers(0, 32))
def test_lines_are_verbatim(data: bytes, first: int, more: int) -> None:
    data = data.lstrip(b"\xfe\xff")  # as UTF-16 it would be read, and printed as UTF-8
    expected = data.split(b"\n")
    expected = [line + b"\n" for line in expected[:-1]] + ([expected[-1]] if expected[-1] else [])
    if first > max(1, len(expected)):
        with pytest.raises(NoInputError):
            fetch(data, lines=f"{first}:{first + more}")
    else:
        assert fetch(data, lines=f"{first}:{first + more}") == b"".join(expected[first - 1 : first + more])


def test_lines_of_a_streamed_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [b"%d %s\r\n" % (n, b"x" * (n % 90)) for n in range(1, 5000)]
    (tmp_path / "in").write_bytes(b"".join(lines))
    monkeypatch.setattr(Source.blocks, "__defaults__", (4096,))
    for first in (1, 2, 100, 4000, 4999):
        pieces = select(Source(path=str(tmp_path / "in")), chosen(lines=f"{first}:{first + 9}")).pieces
        assert [piece.text for piece in pieces] == lines[first - 1 : first + 9]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None)
@given(st.lists(values, min_size=1, max_size=12), st.integers(1, 12), st.sampled_from([None, 2]))
def test_records_of_a_list_and_of_lines(records: list[object], first: int, indent: int | None) -> None:
    if first > len(records):
        return
    expected = records[first - 1 : first + 2]
    got = fetch(json.dumps(records, indent=indent).encode(), "records", records=f"{first}:{first + 2}")
    assert [json.loads(line) for line in got.splitlines()] == expected
    if len(records) > 2 and all(isinstance(record, dict) for record in records):
        lines = [json.dumps(record).encode() + b"\n" for record in records]
        got = fetch(b"".join(lines), "records", records=f"{first}:{first + 2}")
        assert got == b"".join(lines[first - 1 : first + 2])


def test_lines_that_are_no_objects_are_not_numbered() -> None:
    raw = b'{"n": 1}\n{"n": 2\n\n{"n": 3}\n{"n": 4}\n'
    assert fetch(raw, "records", records="2:3") == b'{"n": 3}\n{"n": 4}\n'


@settings(deadline=None)
@given(values, st.sampled_from([None, 1]))
def test_every_path_leads_to_its_value(value: object, indent: int | None) -> None:
    raw = json.dumps({"top": value}, indent=indent, ensure_ascii=indent is None).encode()
    stack: list[tuple[list[str | int], object]] = [(["top"], value)]
    while stack:
        steps, inner = stack.pop()
        if any(isinstance(step, str) and "." in step for step in steps) or "" in steps:
            continue
        spans = locate(raw, first_value(raw), list(steps))
        assert [json.loads(raw[a:b]) for a, b in spans] == [inner]
        if isinstance(inner, dict):
            stack += [([*steps, key], child) for key, child in inner.items()]
        elif isinstance(inner, list):
            stack += [([*steps, index], child) for index, child in enumerate(inner)]


def test_paths_as_they_are_written() -> None:
    assert parse_path('a.b[0]["odd.key"].c[]') == ["a", "b", 0, "odd.key", "c", None]
    assert parse_path("$.a['x']") == ["a", "x"]
    assert parse_path("[3].name") == [3, "name"]
    assert json.loads(fetch(RAW, path="data.results[77].status.phase")) == "Failed"
    assert fetch(RAW, path="data.results[].status.phase").count(b"Running") == 199
    assert fetch(RAW, path="data.results[0].metadata.labels.app.kubernetes.io/name") == b'"web"\n'
    with pytest.raises(NoInputError) as caught:
        fetch(RAW, path="data.resluts[0]")
    assert "results" in caught.value.hint
    with pytest.raises(NoInputError) as caught:
        fetch(RAW, path="data.results[200]")
    assert "200 elements" in caught.value.hint
    with pytest.raises(InputError):
        fetch(b"plain text", path="a")
    with pytest.raises(UsageError):
        fetch(RAW, path="a[")


@given(st.text(max_size=40))
def test_the_path_of_any_key_is_read_back(key: str) -> None:
    assert parse_path(step(key, inner=False)) == [key]
    assert parse_path(f"a{step(key, inner=True)}") == ["a", key]


def test_a_quoted_key_may_be_written_by_hand() -> None:
    assert parse_path(r'["C:\dir"]') == ["C:dir"]
    assert parse_path(r"['it\'s']") == ["it's"]


def test_values_stand_as_in_the_original() -> None:
    raw = b'{"items": [{"id": 12345678901234567890123, "p": 1.10, "e": 1E5, "u": "\\u00e9", "d": 1, "d": 2, "n": NaN}]}'
    assert fetch(raw, records="1") == raw[11:-2].replace(b" ", b"") + b"\n"
    assert fetch(raw, fields=("id", "p", "e", "d")) == b'{"id": 12345678901234567890123, "p": 1.10, "e": 1E5, "d": 2}\n'
    assert fetch(raw, where="id=12345678901234567890123") != b""
    assert fetch(raw, where="id=12345678901234567890124") == b""
    assert fetch(raw, where="p=1.1 & e=100000 & u=é") != b""


@pytest.mark.parametrize(
    ("condition", "count"),
    [
        ("status.phase=Failed", 1),
        ("status.phase!=Running", 1),
        ("status.restarts>197", 2),
        ("status.restarts<=1", 2),
        ("status.restarts=77", 1),
        ("metadata.name~pod-19", 11),
        ("containers.image=img:5", 1),
        ("containers[0].image=side", 0),
        ("containers[1].image=side", 200),
        ("missing!=x", 200),
        ("missing=x", 0),
        ("status.phase=Failed & status.restarts>80", 0),
    ],
)
def test_conditions(condition: str, count: int) -> None:
    assert len(fetch(RAW, "records", where=condition).splitlines()) == count


def test_dates_compare_as_text() -> None:
    raw = b'{"t":"2026-01-05"}\n{"t":"2026-02-05"}\n{"t":7}\n'
    assert fetch(raw, where="t>2026-02-01") == b'{"t":"2026-02-05"}\n'


def test_ids() -> None:
    assert json.loads(fetch(RAW, ids=("pod-5",)))["metadata"]["name"] == "pod-5"
    with pytest.raises(NoInputError, match="none of 200 records has the id"):
        fetch(RAW, ids=("pod-900",))
    assert fetch(b'{"id": 7}\n{"user_id": "7"}\n{"x": 7}\n', ids=("7",)).count(b"\n") == 2


FASTA = b">s1 first > one\r\nACGT\r\n>s2\nAC\n\nGT\n>s10 third\nACGTACGT"


def test_sequences_are_verbatim() -> None:
    assert fetch(FASTA, records="1:1") == b">s1 first > one\r\nACGT\r\n"
    assert fetch(FASTA, "fasta", ids=("s2",)) == b">s2\nAC\n\nGT\n"
    assert fetch(FASTA, "fasta", where="length>4") == b">s10 third\nACGTACGT\n"
    assert fetch(FASTA, "fasta", fields=("id", "length"), records="3") == b'{"id": "s10", "length": 8}\n'
    fastq = b"@r1\nAC\n+\n@!\n@r2\nGG\n+\nII\n"
    assert fetch(fastq, "fasta", ids=("r2",)) == b"@r2\nGG\n+\nII\n"


def test_entries_of_genbank() -> None:
    raw = b"LOCUS       A1   4 bp DNA\nVERSION     A1.2\nORIGIN\n        1 acgt\n//\n"
    raw += b"LOCUS       B1   2 bp DNA\nORIGIN\n 1 ac\n//\n"
    assert fetch(raw, "fasta", ids=("A1.2",)).startswith(b"LOCUS       A1 ")
    assert fetch(raw, "fasta", records="2:2").endswith(b"ac\n//\n")
    assert fetch(raw, "fasta", where="length<3", fields=("id",)) == b'{"id": "B1"}\n'


@settings(deadline=None, max_examples=30)
@given(st.lists(st.lists(st.text('ab1 ,\n"', max_size=6), min_size=3, max_size=3), min_size=1, max_size=5))
def test_rows_keep_quoted_newlines_together(rows: list[list[str]]) -> None:
    rows = [[f"{n}", "word", "x,y"] for n in range(12)] + rows
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([["id", "name", "note"], *rows])
    got = fetch(out.getvalue().encode(), "table", records=f"{len(rows)}").decode()
    assert list(csv.reader(io.StringIO(got, newline=""))) == [["id", "name", "note"], rows[-1]]


def test_rows_of_other_tables() -> None:
    table = b"NAME    READY   STATUS\npod-a   1/1     Running\npod-b   0/1     Failed\n"
    assert fetch(table, "table", where="STATUS=Failed") == b"NAME    READY   STATUS\npod-b   0/1     Failed\n"
    markdown = b"| a | b |\n|---|---|\n| 1 | x |\n| 2 | y |\n"
    assert fetch(markdown, "table", where="b=y", fields=("a",)) == b"a\n2\n"
    with pytest.raises(NoInputError, match="no column"):
        fetch(table, "table", fields=("STATE",))


def test_columns_and_rows() -> None:
    raw = b'{"columns": ["id", "state"], "rows": [[1, "ok"], [2, "bad"]]}'
    assert fetch(raw, where="state=bad") == b'[2,"bad"]\n'
    assert fetch(raw, where="state=bad", fields=("id",)) == b'{"id": 2}\n'


def test_edges() -> None:
    raw = b'{"data": {"edges": [{"cursor": "a", "node": {"id": 1}}, {"node": {"id": 2}}]}}'
    assert fetch(raw, where="id=2", fields=("id",)) == b'{"id": 2}\n'


def test_the_longest_list_of_objects_is_found() -> None:
    at = find_list(RAW)
    assert json.loads(RAW[at : value_end(RAW, at)]) == PODS["data"]["results"]  # type: ignore[index]
    assert find_list(b'{"a": [1, 2, 3], "b": [{}]}') == 22
    assert find_list(b'{"a": {"b": 1}}') == -1
    tags = b'{"items": [{"tags": [{"x": 1}, {"x": 2}, {"x": 3}]}, {"tags": []}], "n": [1, 2]}'
    assert find_list(tags) == 10
    assert find_list(b"[" * 50_000) == 0
    deep = b'{"a":' * 50_000
    assert find_list(deep) == -1 and locate(deep, 0, ["a"] * 3) == [(15, len(deep))]


@settings(deadline=None)
@given(values)
def test_the_list_is_the_one_that_was_summarised(value: object) -> None:
    from mcpcompact.content.records.outline import find_list as by_value

    found = by_value({"top": value})
    if found is None or "[" in found[0]:
        return
    inner: object = {"top": value}
    for key in found[0].split("."):
        if not isinstance(inner, dict) or key not in inner:
            return  # a key with a dot
        inner = inner[key]
    raw = json.dumps({"top": value}).encode()
    at = find_list(raw)
    chosen_list = json.loads(raw[at : value_end(raw, at)])
    assert len(json.dumps(chosen_list)) >= 0.5 * len(json.dumps(inner))


def test_a_path_then_records_of_it() -> None:
    raw = b'{"a": [{"n": 1}, {"n": 2}], "b": [{"n": 3}, {"n": 4}, {"n": 5}]}'
    assert fetch(raw, path="a", where="n>1") == b'{"n":2}\n'
    assert fetch(raw, path="a[].n", records="2:2") == b"2\n"


def test_search() -> None:
    log = b"".join(b"line %d\n" % n if n != 500 else b"line 500 BOOM\r\n" for n in range(1, 1001))
    assert fetch(log, grep="BOOM") == b"500:line 500 BOOM\n"
    assert fetch(log, grep="boom") == b""
    assert fetch(log, grep="boom", ignore_case=True, context=1) == b"499-line 499\n500:line 500 BOOM\n501-line 501\n"
    assert fetch(log, grep="line 9[0-2]$", regex=True).count(b"\n") == 3
    assert fetch(log, grep="line 1", lines="10:11").splitlines() == [b"10:line 10", b"11:line 11"]
    assert fetch(log, grep="line 10", word=True) == b"10:line 10\n"  # and not 100 to 109
    assert fetch(log, grep="line [0-9]", regex=True, word=True).count(b"\n") == 9
    assert fetch(log, grep="LINE 7", word=True, ignore_case=True) == b"7:line 7\n"
    assert fetch(log, grep="line 50", context=1).count(b"--") == 1
    with pytest.raises(UsageError):
        fetch(log, grep="(", regex=True)


def test_search_finds_escaped_spellings() -> None:
    raw = json.dumps({"a": "é/ü", "b": 'say "x"'}, indent=1).encode().replace(b"/", b"\\/")
    assert fetch(raw, grep="é/ü") != b""
    assert fetch(raw, grep='say "x"') != b""
    assert fetch(raw, grep="É", ignore_case=True) != b""


def test_search_in_a_long_line_shows_where() -> None:
    raw = b"x" * 5000 + b"needle" + b"y" * 5000
    found = fetch(raw, grep="needle")
    assert len(found) < 600
    first, last = found.split(b"[")[1].split(b"]")[0].split(b":")
    assert b"needle" in raw[int(first) : int(last)]


def test_nothing_found_is_conclusive_and_scoped() -> None:
    found = select(Source(RAW), chosen(where="status.phase=Gone"))
    assert list(found.pieces) == []
    assert found.explain_nothing() == "none of 200 records matches --where status.phase=Gone"
    found = select(Source(RAW), chosen(where="state=Gone", records="5:9"))
    assert list(found.pieces) == []
    assert "none of 5 records in 5:9" in found.explain_nothing() and "status" in found.explain_nothing()


@pytest.mark.parametrize("text", ["", ":", "0:3", "5:2", "a:b", "1:2:3"])
def test_bad_ranges(text: str) -> None:
    with pytest.raises(UsageError):
        Range.parse(text)


def test_sixteen_bit_text_is_read_as_text() -> None:
    raw = "zeile eins\nzeile zwei\n".encode("utf-16")
    assert fetch(raw, lines="2") == b"zeile zwei\n"
    assert fetch(raw, grep="zwei") == b"2:zeile zwei\n"


# ---- pages


def words(text: str) -> int:
    return (len(text) + 3) // 4


def walk(data: bytes, selection: Selection, cap: int, content_type: str = "") -> bytes:
    """Follow what each page says comes next, until nothing does."""
    out, todo = b"", [selection]
    for _ in range(10_000):
        if not todo:
            return out
        made = page(select(Source(data), todo.pop(0), content_type), cap, words)
        assert words(made.data.decode("utf-8", "replace")) <= max(cap, 1)
        out += made.data
        todo = made.next + todo
    raise AssertionError("endless")


@settings(deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=40), max_size=20), st.integers(4, 40))
@example(["", "", "", "00000"], 4)
def test_walking_pages_of_lines_gives_every_byte_once(lines: list[str], cap: int) -> None:
    data = "\n".join(lines).encode()
    assert walk(data, Selection(), cap) == data


@given(st.binary(min_size=1, max_size=400), st.integers(4, 30))
def test_walking_pages_of_bytes_gives_every_byte_once(data: bytes, cap: int) -> None:
    assert walk(data, chosen(bytes="0:"), cap) == data


def test_walking_records() -> None:
    lines = walk(RAW, chosen(where="status.restarts>=0", fields=("metadata.name",)), 60, "records").splitlines()
    assert [json.loads(line)["metadata.name"] for line in lines] == [f"pod-{n}" for n in range(200)]


def test_a_piece_too_long_is_cut_and_goes_on() -> None:
    data = b'[{"a": "' + b"x" * 5000 + b'"}, {"a": 2}]'
    made = page(select(Source(data), chosen(records="1:")), 100, words)
    assert len(made.data) <= 400
    assert made.data == data[1 : 1 + len(made.data)].replace(b'": "', b'":"') or len(made.data) < len(data)
    assert [more.options().split()[0] for more in made.next] == ["--bytes", "--records"]
    assert made.next[1].options() == "--records 2:"


# ---- the command


class Streams:
    def __init__(self) -> None:
        self.buffer = io.BytesIO()
        self.out = io.TextIOWrapper(self.buffer, encoding="utf-8", newline="\n", write_through=True)
        self.err = io.StringIO()
        self.env = Environment(io.BytesIO(), self.out, self.err)

    def run(self, *argv: str) -> tuple[int, bytes, str]:
        self.buffer.seek(0)
        self.buffer.truncate()
        self.err.seek(0)
        self.err.truncate()
        code = main(["results", *argv], self.env)
        self.out.flush()
        return code, self.buffer.getvalue(), self.err.getvalue()


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("MCPCOMPACT_RESULTS_DIR", str(tmp_path / "results"))
    return ResultStore(tmp_path / "results")


def put(store: Store, data: bytes, content_type: str = "text", extension: str = ".txt") -> str:
    meta = {"tokens": 1234}
    return store.put(Original(Source(data), tool="tool", content_type=content_type, extension=extension, meta=meta)).id


@pytest.mark.parametrize("data", [b"a\r\nb", b"\0\xff\xfe", b"", b"\x1b[31mred\n", b"x" * 100_000])
def test_get_gives_the_exact_bytes(store: Store, data: bytes, tmp_path: Path) -> None:
    id = put(store, data)
    assert Streams().run("get", id) == (0, data, "")
    assert Streams().run("get", id, "--output", str(tmp_path / "out"))[0] == 0
    assert (tmp_path / "out").read_bytes() == data


def test_a_page_says_what_it_left_out_with_a_command_that_runs(store: Store) -> None:
    id = put(store, b"".join(b"line number %d\n" % n for n in range(1, 3001)), "log", ".log")
    seen = b""
    argv = ["get", id, "--lines", "1:3000"]
    for _ in range(30):
        code, out, err = Streams().run(*argv)
        assert code == 0
        seen += out
        if not err:
            break
        argv = shlex.split(err.split("More: ")[1])[2:]
    assert seen == store.get(id).source().data


def test_the_terminal_is_safe(store: Store) -> None:
    id = put(store, b"\x1b]0;title\x07evil\n")
    streams = Streams()
    streams.env.stdout_isatty = True
    assert b"\x1b" not in streams.run("get", id)[1]


def test_list_show_verify_gc(store: Store) -> None:
    id = put(store, RAW, "records", ".json")
    code, out, _ = Streams().run("list")
    assert code == 0 and out.decode().split("\n")[0].split() == ["ID", "TOOL", "TYPE", "TOKENS", "BYTES", "AGE"]
    assert out.decode().split("\n")[1].split()[:4] == [id, "tool", "records", "1,234"]
    assert f"mcpcompact results get {id}".encode() in Streams().run("show", id[:4])[1]
    assert Streams().run("verify") == (0, b"", "1 result verified, all as stored\n")
    for action in ("list", f"show {id}", f"get {id}", f"get {id} --records 1:2", f"grep {id} Failed", "verify", "gc"):
        code, out, err = Streams().run(*action.split(), "--json")
        assert (code, err) == (0, "") and isinstance(json.loads(out), dict), action
    Path(store.find(id).path).write_bytes(b"broken")
    code, out, _ = Streams().run("verify")
    assert code == 1 and len(out.splitlines()) == 1
    assert Streams().run("get", id)[0] == 74
    assert Streams().run("gc", "--older-than", "0s", "--yes")[0] == 0
    assert Streams().run("get", id)[0] == 66


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["get", "00000000"], 66),
        (["get", "ID", "--lines", "x"], 2),
        (["get", "ID", "--lines", "1:2", "--records", "1:2"], 2),
        (["get", "ID", "--lines", "9999"], 66),
        (["get", "ID", "--where", "nonsense"], 2),
        (["get", "ID", "--path", "a.b"], 65),
        (["gc", "--older-than", "soon"], 2),
        (["nothing"], 2),
        ([], 2),
    ],
)
def test_mistakes_get_one_line(store: Store, argv: list[str], code: int) -> None:
    id = put(store, b"some\ntext\n")
    got, out, err = Streams().run(*[id if word == "ID" else word for word in argv])
    assert (got, out) == (code, b"")
    assert err.count("\n") == 1


def test_a_pattern_without_end_is_stopped(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpcompact.cli.parts.REGEX_SECONDS", 1)
    id = put(store, b"a" * 60 + b"!\n")
    assert Streams().run("grep", id, "(a|a)*b", "--regex")[0] == 2


CORPUS = Path(os.environ.get("MCPCOMPACT_CORPUS", Path(__file__).parents[2] / ".." / "shared" / "corpus"))


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus here")
def test_the_corpus_comes_back(store: Store) -> None:
    files = [path for path in sorted((CORPUS / "tool_outputs").rglob("*")) if path.is_file()][:40]
    for path in files:
        if path.stat().st_size < 2_000_000:
            data = path.read_bytes()
            assert Streams().run("get", put(store, data))[1] == data


def test_the_path_of_an_element_leads_to_it() -> None:
    data = b'{"jobs": [{"steps": [{"n": 1}, {"n": 2, "odd name": {"x": 7}}]}]}'
    for sought, path in ((b"2,", "jobs[0].steps[1]"), (b"7", 'jobs[0].steps[1]["odd name"]')):
        element = element_at(data, data.index(sought))
        assert element is not None and element.path == path
        assert sought in element.raw and json.loads(element.raw)


def test_lists_that_are_never_closed_are_not_all_read_to_their_ends() -> None:
    data = b'{"berth": [' * 60 + b'{"id": 7, "text": "' + b"tide " * 400 + b'"}'
    known, read = Known(data), 0
    for at in range(0, len(data), 5):
        element_at(data, at, known)
    starts = [at for at in range(len(data)) if data[at : at + 1] in (b"{", b"[")]
    read = sum(known.inside(start)[1][-1] - start for start in starts if known.inside(start)[1])
    assert len(data) < read <= (MAX_READ + 1) * len(data)


def test_a_page_is_never_blank_lines_alone() -> None:
    text = b"\n\n" + b"berth " * 900 + b"\ntide\n"
    one = page(select(Source(text), Selection(lines=Range(1, 80)), "text"), 50, lambda part: len(part.split()))
    assert one.data.strip() and text.startswith(one.data) and one.tokens <= 50
    (rest, later) = one.next
    assert rest.bytes == Range(len(one.data), 2 + 5_401) and later.lines == Range(4, 80)


def test_the_selection_for_the_rest_begins_behind_the_page() -> None:
    text = "".join(f"line {n} of these\n" for n in range(1, 41)).encode()
    made = page(select(Source(text), Selection(lines=Range(1, None)), "text"), 40, lambda part: len(part.split()))
    assert (made.first, made.last) == (1, 10)
    assert [str(rest.lines) for rest in made.next] == ["11:"]


def test_a_list_behind_a_map_of_many_records_is_found() -> None:
    many = {f"k{n}": {"at": n} for n in range(6_000)}
    wanted = [{"id": n, "name": f"berth {n}"} for n in range(9_000)]
    data = json.dumps({"many": many, "after": {"items": wanted}}).encode()
    made = select(Source(data), chosen(records="2:2"), "json")
    assert json.loads(b"".join(piece.text for piece in made.pieces)) == wanted[1]
