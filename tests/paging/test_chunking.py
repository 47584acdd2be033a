"""Chunking: every byte once, every chunk within its limit, units whole, numbers exact, a walk that stays the same."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import mcpcompact.paging.splitting
import mcpcompact.source
from bench import oracle
from bench.chunking import Traces, log
from mcpcompact import Chunk, McpcompactError, ResultStore, Source, chunk, chunks, count
from mcpcompact.content import Own
from mcpcompact.content.detect import REGISTRY
from mcpcompact.content.log.entries import Style, boundaries, entry_starts
from mcpcompact.errors import InputError, UsageError
from mcpcompact.inputs.reading import open_source
from mcpcompact.paging.splitting import UNITS, Measure, Splitter
from tests.conftest import SAMPLES, Run, corpus

WORDS = st.sampled_from(
    ["GET", "/orders", "naïve", "日本語。", "🦀", "🧬🧬", "x" * 90, "1,024", "\tat a.b(C.java:1)", "end.", "“quoted?” ",
     '{"a": [1, 2]}', "ACGTTGCA" * 30, "  ", "2026-03-01 10:00:00 ERROR", "Traceback (most recent call last):",
     "// /", "’", "e\u0301", "\u200d", "\ufeff", "> id", "@@ -1 +1 @@", "# T", "<p>", "a|b"]
)  # fmt: skip
ENDS = st.sampled_from(["\n", "\r\n", " ", "", "\n\n", "\r", "\n   ", "\u2028"])
TEXTS = st.lists(st.tuples(WORDS, ENDS), max_size=40).map(lambda parts: "".join(a + b for a, b in parts))
BYTES = st.one_of(
    TEXTS.map(str.encode),
    st.lists(st.one_of(TEXTS.map(str.encode), st.binary(max_size=9)), max_size=6).map(b"".join),
    TEXTS.map(lambda text: text.encode("utf-16")),
)


def verified(data: bytes, made: list[Chunk], limit: int) -> None:
    """Everything that a chunk says, by slicing the input and counting with another tokenizer."""
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff") and len(data) % 2 == 0
    assert b"".join(one.data[one.overlap_bytes :] for one in made) == data
    at, feed = 0, b"\n"
    if wide:
        feed = "\n".encode("utf-16-le" if data[:1] == b"\xff" else "utf-16-be")
    for index, one in enumerate(made, 1):
        assert [one.index, one.total, one.start_byte] == [index, len(made), at]
        assert one.data == data[one.start_byte - one.overlap_bytes : one.end_byte]
        if not wide:
            before, within = data[:at].count(feed), data[at : one.end_byte].count(feed)
            ended = data[at : one.end_byte].endswith(feed)
            assert [one.start_line, one.end_line] == [before + 1, before + within + 1 - ended]
            assert one.text == one.data.decode("utf-8", "replace")
            assert oracle.count(one.text) == one.tokens
        assert one.tokens <= limit
        assert not (data[at - 1 : at + 1] == b"\r\n" and at), "between CR and LF"
        at = one.end_byte


WEIGHTY = (  # parts that take more tokens together than one by one
    "  \n\n===漢字ed 12345671234567ed ing...  \n漢字ed ed ing🙂🙂ed é1234567ing🙂=    \u0301\t  \n"
    "word 漢字...  \néé🙂===a  \n"
    "\u0301word     漢字\t(x)''  \nhttps://a.b/c?d=e \u0301word 🙂ed "
    "https://a.b/c?d=e         --aé--https://a.b/c?d=e ing===word \n"
)


@settings(max_examples=150, deadline=None)
@given(BYTES, st.integers(4, 80), st.sampled_from(UNITS[:1] * 4 + UNITS[1:5]), st.sampled_from([None, *REGISTRY]))
def test_every_byte_once_and_within_the_limit(data: bytes, limit: int, unit: str, kind: str | None) -> None:
    made = list(chunks(data, tokens=limit, unit=unit, content_type=kind))
    verified(data, made, limit)
    try:
        data.decode()
    except UnicodeDecodeError:
        return
    for one in made:
        one.data.decode()  # no character is cut


@settings(max_examples=60, deadline=None)
@given(BYTES, st.integers(20, 80), st.integers(1, 10))
@example(WEIGHTY.encode(), 74, 10)
def test_overlap_repeats_and_keeps_the_promise(data: bytes, limit: int, overlap: int) -> None:
    made = list(chunks(data, tokens=limit, overlap=overlap, content_type="text"))
    verified(data, made, limit)
    for one in made:
        repeated = one.data[: one.overlap_bytes]
        assert one.index > 1 or not repeated
        if data[:2] not in (b"\xff\xfe", b"\xfe\xff"):  # UTF-16
            assert count(repeated).tokens <= overlap


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.integers(4, 300))
def test_by_characters(text: str, limit: int) -> None:
    made = list(chunks(text, max_chars=limit))
    assert "".join(one.text for one in made) == text
    assert all(len(one.text) <= limit for one in made)


LINES = st.sampled_from(
    ["2026-03-01 10:00:00 ERROR naïve", "\x1b[31mERROR\x1b[0m x", "  frame", "\tat a.b(C.java:1)", "", "ValueError: 🦀",
     "[INFO] " + "long " * 40, "Caused by: y", "x\r", "INFO a\r"]
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(LINES, st.sampled_from([1, 1, 1, 2, 500])), max_size=12), st.integers(4, 4_000), st.booleans()
)
def test_ends_found_one_by_one_are_those_of_all_entries(
    lines: list[tuple[str, int]], limit: int, cut_off: bool
) -> None:
    """By characters a log is cut without reading all of its entries; to the same chunks, also where they are long."""
    head = "2026-03-01 10:00:00 INFO started\n"
    text = head * 3 + "".join(f"{line}\n" * count for line, count in lines)[: -1 if cut_off else None]
    spans = list(Splitter("log", "auto", Measure(None), limit).split(Source(text.encode())))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Own, "ends", lambda self, text: None)
        assert spans == list(Splitter("log", "auto", Measure(None), limit).split(Source(text.encode())))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(WORDS, WORDS).map(" ".join).map(lambda line: line.replace("\n", "")), max_size=30))
def test_the_quick_list_of_entries_is_the_definition(lines: list[str]) -> None:
    for style in (Style.of(lines), Style(True, 0), Style(False, 0)):
        begins = boundaries(style)
        assert entry_starts(lines, style) == [at for at, line in enumerate(lines) if begins(line)]


def test_a_long_run_without_a_head_is_cut() -> None:
    head = "2026-01-01 10:00:00 INFO a"
    lines = [head] * 3 + ["more"] * 1_000 + [head] + ["  more"] * 9_000 + [head, "more"]
    begins = boundaries(Style(True, 0))
    starts = entry_starts(lines, Style(True, 0))
    assert starts == [at for at, line in enumerate(lines) if begins(line)]
    assert starts[:6] == [0, 1, 2, 402, 802, 1_003]
    assert starts[6] == 1_003 + 2_000


@pytest.mark.parametrize("head", ["2026-01-01 10:00:00 ERROR request 7 failed", "java.io.IOException: broken pipe"])
def test_a_log_that_is_mostly_stack_traces(head: str) -> None:
    frames = "".join(f"\tat com.example.Step{i}.run(Step{i}.java:{i})\n" for i in range(80))
    data = f"{head}\n{frames}Caused by: java.lang.Error: x\n{frames}\t... 12 more\n".encode() * 20
    made = list(chunks(data, tokens=6_000, content_type="log"))
    assert len(made) > 4
    assert all(one.text.startswith(head) for one in made)


@pytest.mark.parametrize("size", [500, 2_000])
def test_no_chunk_starts_inside_a_stack_trace(size: int) -> None:
    data = log(200_000).encode()
    traces = Traces(data)
    made = list(chunks(data, tokens=size))
    assert len(traces.starts) > 20
    assert not [one.start_byte for one in made if traces.around(one.start_byte)]
    assert sum(one.tokens for one in made[:-1]) > 0.9 * size * (len(made) - 1), "chunks are filled"


def test_coloured_traces_stay_whole() -> None:
    entry = "\x1b[31mTraceback (most recent call last):\x1b[0m\n" + '\x1b[31m  File "a.py", line 1\x1b[0m\n' * 9
    text = "\x1b[32mstarted\x1b[0m\n" + (entry + "ValueError: x\nplain line\n") * 20
    data = text.encode()
    for one in chunks(data, tokens=400, content_type="log"):
        assert data[one.start_byte :].startswith((b"\x1b[32m", b"\x1b[31mTrace", b"plain"))


def test_units_by_content_type() -> None:
    fasta = "".join(f">s{i} protein\n{'ACDEFGHIKL' * 6}\n{'MNPQ' * 9}\n" for i in range(60))
    assert all(one.text.startswith(">") for one in chunks(fasta, tokens=300))
    rows = json.dumps([{"id": i, "name": f"event {i}", "tags": ["a", "b"]} for i in range(200)])
    assert all(one.text.startswith(('[{"id"', '{"id"')) for one in chunks(rows, tokens=200))
    prose = "\n\n".join("One sentence. And another one, longer than the first." for _ in range(80))
    assert {one.unit for one in chunks(prose, tokens=100, content_type="text")} == {"paragraph"}
    assert all(one.text.startswith("One") for one in chunks(prose, tokens=100, content_type="text"))
    assert all(one.text[0] in "OA" for one in chunks(prose, tokens=20, unit="sentence"))
    diff = (SAMPLES / "refactoring.diff").read_text()
    assert all(one.text.startswith(("diff ", "@@", "From", "commit")) for one in chunks(diff, tokens=3_000))


def test_a_unit_that_is_too_long_says_how_it_was_cut() -> None:
    head = "2026-01-01 10:00:00 INFO short\n"
    entry = "2026-01-01 10:00:01 ERROR long\n" + "".join(f"    at step{i}.run(Step.java:{i})\n" for i in range(60))
    made = list(chunks((head * 3 + entry + head * 3).encode(), tokens=120))
    assert made[0].text == head * 3
    assert made[0].split == ""
    assert [one.split for one in made[1:]] == ["line"] * (len(made) - 1)
    assert all(one.text.startswith("    at") for one in made[2:])
    words = " ".join(f"word{i}" for i in range(300))
    assert {one.split for one in chunks(words, tokens=50)} == {"word"}
    assert {one.split for one in chunks("ACGT" * 500, tokens=50, content_type="text")} == {"character"}
    nested = json.dumps({"a": {"b": [{"id": i, "text": "x, y"} for i in range(99)]}})
    assert {one.split for one in chunks(nested, tokens=99, content_type="json")} == {"value"}


@pytest.mark.parametrize("text", ["x" * 5_000_000, "lorem ipsum dolor " * 280_000, json.dumps(list(range(700_000)))])
def test_one_line_of_megabytes(text: str) -> None:
    made = list(chunks(text, tokens=8_000))
    assert "".join(one.text for one in made) == text
    assert max(one.tokens for one in made) <= 8_000
    assert sum(one.tokens for one in made) > 0.8 * 8_000 * (len(made) - 1)
    assert {(one.start_line, one.end_line) for one in made} == {(1, 1)}


def test_files_stdin_and_compressed(tmp_path: Path, door: Run) -> None:
    data = (SAMPLES / "service.log").read_bytes()
    (tmp_path / "a.log.gz").write_bytes(gzip.compress(data))
    from_pipe = door("chunk", "--all", input=data).stdout
    assert door("chunk", "a.log.gz", "--all", "--no-store").stdout.count(b"\n") == from_pipe.count(b"\n")
    assert door("chunk", "--all", "--no-store", input=b"").stdout == b""
    assert door("chunk", input=b"").stdout == b""
    assert door("chunk", "--index", "2", "--tokens", "90", SAMPLES / "service.log").stdout in data


def test_short_content_comes_whole(door: Run) -> None:
    made = door("chunk", input=b"a short\r\nanswer \xff")
    assert [made.returncode, made.stdout, made.stderr] == [0, b"a short\r\nanswer \xff", b""]
    assert json.loads(door("chunk", "--json", input=b"hello world").stdout) == {"tokens": 2, "text": "hello world"}
    told = json.loads(door("chunk", "--all", input=b"hello world").stdout)
    assert [told["chunkIndex"], told["totalChunks"], told["endByte"]] == [1, 1, 11]
    assert "totalChunks" in json.loads(door("chunk", "--json", "--tokens", "500", input=b"word " * 800).stdout)
    assert "totalChunks" in json.loads(door("chunk", "--json", input=b"word " * 1_100).stdout)


def walk(door: Run, *args: object) -> Iterator[dict[str, Any]]:
    cursor: list[object] = []
    while True:
        made = door("chunk", *args, "--json", *cursor)
        assert made.returncode == 0, made.stderr
        told = json.loads(made.stdout)
        yield told
        if "nextCursor" not in told:
            return
        cursor = ["--cursor", told["nextCursor"]]
        assert oracle.count(told["nextCursor"], "cl100k_base") <= 16


@pytest.mark.parametrize("more", [(), ("--lines", "100:300"), ("--overlap", "40"), ("--unit", "line")])
def test_a_walk_is_all(more: tuple[str, ...], door: Run) -> None:
    args = (SAMPLES / "service.log", "--tokens", 1_500, *more)
    walked = list(walk(door, *args))
    everything = [json.loads(line) for line in door("chunk", *args, "--all").stdout.splitlines()]
    assert len(walked) > 2
    for told in walked + everything:
        told.pop("nextCursor", None)
    assert walked == everything
    data = (SAMPLES / "service.log").read_bytes()
    for told in walked:
        at = told["startByte"] - told.get("overlapBytes", 0)
        assert data[at : told["endByte"]].decode() == told["text"]


def test_the_printed_command_gives_the_next_chunk(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "my log.log").write_bytes((SAMPLES / "service.log").read_bytes())
    first = cli("chunk", "my log.log", "--tokens", "700", "--unit", "line")
    import shlex

    command = shlex.split(first.stderr.decode().split("next: ")[1])
    assert command[:3] == ["mcpcompact", "chunk", "my log.log"]
    second = cli(*command[1:])
    assert second.returncode == 0
    assert (SAMPLES / "service.log").read_bytes().startswith(first.stdout + second.stdout)


def test_the_printed_command_masks_again(door: Run, tmp_path: Path) -> None:
    """Else the file would look changed: the snapshot is the masked content."""
    path = tmp_path / "a.log"
    path.write_text("".join(f"2026-03-01 10:00:00 INFO login password=hunter2secret{n}\n" for n in range(300)))
    command = door("chunk", path, "--mask", "--tokens", "700").stderr.decode().split("next: ")[1].split()
    following = door(*command[1:])
    assert following.returncode == 0
    assert b"hunter2" not in following.stdout
    assert b"changed" not in following.stderr


def test_the_walk_stays_on_its_snapshot(door: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_text(log(30_000))
    args = (path, "--tokens", 1_000)
    expected = [json.loads(line)["text"] for line in door("chunk", *args, "--all").stdout.splitlines()]
    cursor = json.loads(door("chunk", *args, "--json").stdout)["nextCursor"]
    path.write_text("something else\n")
    made = door("chunk", *args, "--cursor", cursor)
    assert made.stdout.decode() == expected[1]
    assert b"has changed" in made.stderr
    path.unlink()
    made = door("chunk", *args, "--cursor", cursor)
    assert made.stdout.decode() == expected[1]
    assert b"continues on the earlier content" in made.stderr
    broken = f"{cursor[:20]}\n{cursor[20:]}\n"
    assert door("chunk", "--tokens", 1_000, "--cursor", broken).stdout.decode() == expected[1]
    for file in (tmp_path / "results").glob("result-*"):
        file.unlink()
    made = door("chunk", "--tokens", 1_000, "--cursor", cursor)
    assert made.returncode in (65, 66)
    assert b"start over" in made.stderr


def test_a_later_page_cuts_nothing_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cuts stand beside the snapshot: a walk needs no second cutting, and none of them to go on."""
    store, text = ResultStore(tmp_path), log(60_000) + "x" * 9_000
    made = list(chunks(text, tokens=400))
    first = chunk(text, tokens=400, store=store)
    cuts = list(tmp_path.glob("*.walk.*"))
    assert len(cuts) == 1

    def walked() -> list[Chunk]:
        found = [first]
        while found[-1].next_cursor:
            found.append(chunk(None, tokens=400, store=store, cursor=found[-1].next_cursor))
        for one in found:
            one.next_cursor = None
        return found

    with monkeypatch.context() as patch:
        patch.setattr(Splitter, "split", lambda self, source: pytest.fail("cut again"))
        assert chunk(text, tokens=400, store=store, index=7).text == made[6].text
        following = first.next_cursor
        assert walked() == made
    assert {one.split for one in made} == {"", "character"}
    for damaged in (b"", b"entry log\n", b"entry log\n" + bytes(56), cuts[0].read_bytes()[:-9]):
        cuts[0].write_bytes(damaged)
        first.next_cursor = following
        assert walked() == made
        assert len(cuts[0].read_bytes()) > 1_000, "they are kept again"

    store.gc(max_bytes=0, dry_run=False)
    assert not list(tmp_path.glob("*.walk.*"))


def test_cursors_of_other_walks_are_refused(door: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_text(log(30_000))
    cursor = json.loads(door("chunk", path, "--tokens", 1_000, "--json").stdout)["nextCursor"]
    for args in (
        (path, "--tokens", 999),
        (path, "--tokens", 1_000, "--unit", "line"),
        (path, "--tokens", 1_000, "--lines", "1:50"),
        (SAMPLES / "service.log", "--tokens", 1_000),
    ):
        made = door("chunk", *args, "--cursor", cursor)
        assert [made.returncode, made.stdout] == [2, b""]
        assert b"start over" in made.stderr


BAD = [
    (("--tokens", "0"), 2, b"4 or more"),
    (("--tokens", "x"), 2, b"not a number"),
    (("--tokens", "-5"), 2, b"4 or more"),
    (("--index", "0"), 2, b"1 or more"),
    (("--index", "9999"), 65, b"the content has"),
    (("--lines", "9:3"), 2, "A ≤ B".encode()),
    (("--lines", "-5:3"), 2, b"A:B"),
    (("--lines", "0:3"), 2, b"start at 1"),
    (("--lines", "x"), 2, b"A:B"),
    (("--lines", "99999:"), 65, b"2,406 lines"),
    (("--overlap", "1500"), 2, b"half"),
    (("--unit", "verse"), 2, b"paragraph"),
    (("--unit", "record"), 65, b"--unit"),
    (("--type", "novel"), 2, b"fasta"),
    (("--cursor", "abc"), 2, b"start over"),
    (("--cursor", "c" + "1" * 45), 2, b"start over"),
    (("--cursor-ttl", "99999999"), 2, b"30 days"),
    (("--all", "--index", "2"), 2, b"--all"),
    (("--index", "2", "--cursor", "c1"), 2, b"one of them"),
    (("--encoding", "x"), 2, b"o200k_base"),
]


@pytest.mark.parametrize(("args", "code", "word"), BAD, ids=[" ".join(args) for args, _, _ in BAD])
def test_bad_calls(args: tuple[str, ...], code: int, word: bytes, door: Run) -> None:
    made = door("chunk", SAMPLES / "service.log", *args)
    assert made.returncode == code
    assert word in made.stderr
    assert made.stderr.count(b"\n") == 1
    assert made.stdout == b""


def test_a_range_that_ends_behind_the_content(door: Run) -> None:
    told = json.loads(door("chunk", SAMPLES / "service.log", "--lines", "2400:9,000", "--json").stdout)
    assert [told["startLine"], told["endLine"], told["totalLines"]] == [2400, 2406, 2406]
    told = json.loads(door("chunk", SAMPLES / "service.log", "--lines", "7", "--json").stdout)
    assert told["text"] == (SAMPLES / "service.log").read_text().split("\n")[6] + "\n"


def test_lines_read_no_more_than_the_range(tmp_path: Path, door: Run) -> None:
    """A log of 10,000 lines, and one of a gigabyte: bytes read by this process, as Linux counts them."""
    if not os.path.exists("/proc/self/io"):
        pytest.skip("needs /proc/self/io")
    path = tmp_path / "big.log"
    with path.open("wb") as out:
        out.write(log(1_200_000).encode())
        out.truncate(1 << 30)  # sparse: the rest reads as zeros

    def read() -> int:
        return int(Path("/proc/self/io").read_text().split("rchar:")[1].split()[0])

    used = []
    for last in (200, 200, 2_000, 8_000):
        began = read()
        made = door("chunk", path, "--lines", f"1:{last}", "--json")
        used.append((read() - began, json.loads(made.stdout)["endByte"]))
    assert used[1][0] < 600_000
    assert used[1][0] < used[2][0] < used[3][0] < 4_000_000


def test_content_above_the_limit_of_memory_is_cut_in_windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The windows of a large file, made small: the same chunks as of the whole."""
    samples = {
        "log": log(60_000),
        "table": "id,name,note\n" + "".join(f'{i},n{i},"a\nb"\n' for i in range(2_000)),
        "records": "".join(json.dumps({"id": i, "v": "é" * (i % 9)}) + "\n" for i in range(1_500)),
        "fasta": "".join(f">s{i}\n{'ACGT' * 20}\n" for i in range(500)),
        "text": "\r\n\r\n".join("Some words of a paragraph. " * (i % 7 + 1) for i in range(600)),
    }
    for kind, text in samples.items():
        path = tmp_path / kind
        path.write_bytes(text.encode())
        by_characters = Splitter(kind, "auto", Measure(None), 900)
        expected = list(by_characters.split(Source(text.encode())))
        splitter = Splitter(kind, "auto", Measure("o200k_base"), 300)
        whole = list(splitter.split(Source(text.encode())))
        with monkeypatch.context() as patch:
            patch.setattr(mcpcompact.source, "LARGE", 1_000)
            patch.setattr(mcpcompact.paging.splitting, "WINDOW", 10_000)
            source = open_source(str(path), hold=0)
            assert source.large
            assert list(splitter.split(source)) == whole, kind
            assert list(by_characters.split(source)) == expected, kind
            first = chunk(source, tokens=300, content_type=kind, index=1)
            assert first.total is None
            last = list(chunks(source, tokens=300, content_type=kind))[-1]
            assert [last.index, last.total, last.total_lines] == [len(whole), len(whole), whole[-1].end_line]


def test_a_models_own_tokens_are_taken_at_the_high_end() -> None:
    text = "some ordinary words of prose " * 300
    made = list(chunks(text, tokens=400, model="claude-sonnet-4"))
    assert max(one.tokens for one in made) <= 400
    assert max(oracle.count(one.text) for one in made) < 250


def test_a_store_that_cannot_be_written_costs_the_cursor_only(tmp_path: Path, door: Run) -> None:
    (tmp_path / "file").write_text("")
    made = door("chunk", SAMPLES / "service.log", "--results-dir", tmp_path / "file" / "x", "--json")
    assert made.returncode == 73
    told = json.loads(made.stdout)
    assert (
        "nextCursor" not in told and told["chunkIndex"] == 1 and told["problem"].startswith("no cursor: cannot write")
    )
    assert made.stderr.count(b"\n") == 1 and b"no cursor for the next chunk" in made.stderr
    every = door("chunk", SAMPLES / "service.log", "--results-dir", tmp_path / "file" / "x", "--all")
    assert every.returncode == 0 and every.stderr.count(b"\n") == 1
    texts = [json.loads(line)["text"] for line in every.stdout.splitlines()]
    assert "".join(texts) == (SAMPLES / "service.log").read_text()


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
@pytest.mark.parametrize("command", ["chunk", "paginate"])
def test_no_walk_ends_well_where_its_snapshot_has_no_room(tmp_path: Path, command: str) -> None:
    """The snapshot, or only the key of the cursors, cannot be written."""
    content = json.dumps([{"id": n, "note": f"note {n * 7919 % 1000} of the list"} for n in range(3000)])
    (tmp_path / "in.json").write_text(content)
    code = (
        "import resource, sys; limit = int(sys.argv.pop(1)); resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))"
    )
    code += "; from mcpcompact.cli.app import entry; entry()"
    for number, limit in enumerate((0, 20, 1_000, 65_536)):
        argv = [str(limit), command, "in.json", "--results-dir", f"r{number}"]
        done = subprocess.run([sys.executable, "-c", code, *argv], capture_output=True, cwd=tmp_path, env=os.environ)
        assert done.returncode == 73 and done.stdout, done.stderr
        assert b"no cursor" in done.stderr and b"next:" not in done.stderr


class Broken:
    name, extension = "broken", ".txt"

    def __init__(self, cuts: list[int]) -> None:
        self.cuts = cuts

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        if not self.cuts:
            raise ValueError("no")
        return zip([0, *self.cuts], self.cuts, strict=False)


@pytest.mark.parametrize("cuts", [[], [5], [5, 5, 40], [90]])
def test_a_content_type_that_fails_costs_no_byte(cuts: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    splitter = Splitter("text", "auto", Measure("o200k_base"), 8)
    splitter._spans = Broken(cuts).spans
    spans = list(splitter.split(Source(b"one line of four\n" * 3)))
    assert [span.end for span in spans] == [17, 34, 51]
    assert "lines" in splitter.problem


def test_the_library_takes_text_bytes_and_sources(tmp_path: Path) -> None:
    text = log(20_000)
    store = ResultStore(tmp_path)
    first = chunk(text, tokens=500, store=store)
    second = chunk(None, tokens=500, store=store, cursor=first.next_cursor)
    assert text.startswith(first.text + second.text)
    assert second.text == chunk(Source(text.encode()), tokens=500, index=2).text
    assert chunk(text + "more", tokens=500, store=store, cursor=first.next_cursor).warnings
    with pytest.raises(UsageError):
        chunk(None, tokens=500)
    with pytest.raises(InputError, match="there is no chunk"):
        chunk(text, index=10_000)
    with pytest.raises(McpcompactError, match="results directory"):
        chunk(None, tokens=500, cursor=first.next_cursor)


@pytest.mark.skipif(corpus() is None, reason="no corpus")
def test_recorded_logs(capsys: pytest.CaptureFixture[str]) -> None:
    from bench.chunking import check

    root = corpus()
    assert root is not None
    assert check(root, (500,), 40) == 0, capsys.readouterr().out


def test_what_is_known_of_a_stored_message_stays(tmp_path: Path, door: Run) -> None:
    """Content that ``summarize`` stored with its text unwrapped is chunked as it came, and keeps its meta data."""
    rows = [{"id": i, "note": f"some longer note about entry {i}"} for i in range(300)]
    message = json.dumps({"content": [{"type": "text", "text": json.dumps(rows)}], "isError": False})
    (tmp_path / "m.json").write_text(message)
    door("summarize", tmp_path / "m.json", "--tool", "get_rows", "--budget", "300")
    meta = next((tmp_path / "results").glob("*.meta.json"))
    before = json.loads(meta.read_text())
    walked = list(walk(door, tmp_path / "m.json", "--tokens", 1_000))
    assert "".join(told["text"] for told in walked) == message
    after = json.loads(meta.read_text())
    for key in ("tool", "shape", "contentType", "tokens", "payload"):
        assert after.get(key) == before.get(key), key


def test_a_walk_over_utf_16(tmp_path: Path) -> None:
    data = "\r\n\r\n".join("Żółć 🦀 and some words." for _ in range(300)).encode("utf-16")
    store = ResultStore(tmp_path)
    made = [chunk(data, tokens=400, store=store)]
    while made[-1].next_cursor:
        made.append(chunk(None, tokens=400, store=store, cursor=made[-1].next_cursor))
    assert b"".join(one.data for one in made) == data
    assert "".join(one.text for one in made) == data.decode("utf-16-le")
    assert len(made) > 5
