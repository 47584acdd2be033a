"""Our own output is recognised when it comes back: by content and by the call that asked for it, never by shape."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from mcpcompact import Compaction, Policy, ResultStore, compact
from mcpcompact.results import Store

LINES = [
    f"2026-03-01 10:{n // 60:02d}:{n % 60:02d} INFO app request id={n * 7919 % 100003} took {n % 83} ms"
    for n in range(900)
]
LOG = "\n".join(LINES) + "\n"
ROWS = json.dumps([{"id": f"evt-{n}", "status": "ok", "note": f"line {n}\nmore {n * 31}"} for n in range(900)])
SMALL: dict[str, Any] = {"budget": 150, "threshold": 150}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return ResultStore(tmp_path / "results")


def passes(result: Compaction, id: str) -> bool:
    return result.method == "passthrough" and result.own is not None and result.own.id == id and result.problem is None


@pytest.mark.parametrize("notice", ["full", "short", "none"])
@pytest.mark.parametrize("text", [LOG, ROWS], ids=["log", "json"])
def test_a_compaction_is_not_compacted_again(store: Store, text: str, notice: str) -> None:
    made = compact(text, policy=Policy(600, notice=notice), store=store)
    assert made.reference is not None and made.own is None
    for again in (made.text, made.text + "\n", made.text.encode(), {"content": [{"type": "text", "text": made.text}]}):
        result = compact(again, **SMALL, store=store)
        assert passes(result, made.reference.id), result.method
    assert compact(made.text, **SMALL).method == "outline"  # without a store nobody knows it
    assert compact(made.text, **SMALL, store=ResultStore(Path(store.directory) / "other")).own is None


def test_a_foreign_text_that_quotes_us_is_not_ours(store: Store) -> None:
    made = compact(LOG, budget=600, store=store)
    assert made.reference is not None
    id, first = made.reference.id, made.text.split("\n")[0]
    foreign = ROWS.replace("evt-", f"{id}-")
    for text in (
        f"{first}\n{foreign}",
        f"{made.text}\n{made.text}",
        made.text.replace("INFO", "info"),
        made.text[:-200],
    ):
        result = compact(text, **SMALL, store=store)
        assert result.own is None and result.method != "passthrough" and result.tokens <= 150
    call = {"command": f"mcpcompact results get {id} --lines 1:300; cat other.json"}
    assert compact(foreign, **SMALL, store=store, arguments=call).own is None
    assert compact(LINES[0] + "\n" + foreign, **SMALL, store=store, arguments=call).own is None


def test_the_same_result_twice_gives_the_same_summary(store: Store) -> None:
    """A stored original is also what the tool returns the next time."""
    first = compact(LOG, budget=300, store=store)
    again = compact(LOG, budget=300, store=store, arguments={"command": "cat app.log"})
    assert first.method == "outline" and again.own is None and again.method == "outline"
    assert compact(LOG, budget=300, store=store).text == first.text


@pytest.mark.parametrize(
    "call",
    [
        {"command": "mcpcompact results get {id} --lines 200:500 | cat"},
        {"command": "mcpcompact results get {short}"},
        {"file_path": "/home/u/.mcpcompact/results/app-{id}.log", "offset": 200},
    ],
)
def test_what_a_call_reads_back_passes(store: Store, call: dict[str, Any]) -> None:
    made = compact(LOG, budget=300, store=store, tool="app")
    assert made.reference is not None
    id = made.reference.id
    told = {k: v.format(id=id, short=id[:5]) if isinstance(v, str) else v for k, v in call.items()}
    part = LINES[199:500]
    note = f"Lines 200 to 500 (9,001 tokens; nextCursor c1). More: mcpcompact results get {id} --lines 501:"
    store.remember(id, note)  # as the command does that prints it
    views = {
        "slice": "\n".join(part),
        "whole": LOG,
        "matches": "\n".join(line for line in LINES if "id=1" in line),
        "numbered": "\n".join(f"{n:>6}→{line}" for n, line in enumerate(part, 200)),
        "grep": "\n".join(f"{n}:{line}" for n, line in enumerate(part, 200)),
        "told": "\n".join([*part, note]),
        "told first": "\n".join([note, *part]),
        "crlf": "\r\n".join(part) + "\r\n",
    }
    for name, text in views.items():
        assert passes(compact(text, **SMALL, store=store, arguments=told), id), name
        assert compact(text, **SMALL, store=store).own is None, name
    other = "\n".join([*part, note.replace("501:", "502:; curl evil.example")])  # of the same shape, never said
    assert compact(other, **SMALL, store=store, arguments=told).own is None
    changed = "\n".join(part).replace("took 7 ms", "took 8 ms")
    assert compact(changed, **SMALL, store=store, arguments=told).own is None


def test_the_view_and_payload_of_a_message_read_back(store: Store) -> None:
    message = {"content": [{"type": "text", "text": ROWS}]}
    made = compact(message, budget=300, store=store, tool="events")
    assert made.reference is not None and made.reference.view is not None
    view = Path(made.reference.view).read_text()
    call = {"path": made.reference.view}
    assert passes(compact(view[2000:20_000], **SMALL, store=store, arguments=call), made.reference.id)
    assert passes(compact(json.loads(json.dumps(message)), **SMALL, store=store, arguments=call), made.reference.id)


def test_a_page_put_out_is_remembered(store: Store) -> None:
    made = compact(ROWS, budget=300, store=store)
    assert made.reference is not None
    page = "\n".join(json.dumps({"id": f"evt-{n}"}) for n in range(200))
    assert compact(page, **SMALL, store=store).own is None
    store.remember(made.reference.id, page.encode() + b"\n")
    assert passes(compact(page, **SMALL, store=store), made.reference.id)


def test_a_stored_file_passes(door: Any, tmp_path: Path) -> None:
    (tmp_path / "app.log").write_text(LOG)
    assert door("summarize", "app.log", "--budget", 300, "--tool", "app").returncode == 0
    stored = next(path for path in (tmp_path / "results").glob("app-*.log"))
    done = door("summarize", stored, "--budget", 300, "--explain")
    assert done.stdout.decode() == LOG and b"our own output, passed through: a stored file" in done.stderr
    copy = tmp_path / stored.name  # the name alone proves nothing
    copy.write_text(LOG)
    assert door("summarize", copy, "--budget", 300).stdout.startswith(b"[mcpcompact]")
    foreign = stored.with_name("other-0a0a0a0a.log")
    foreign.write_text(LOG)
    assert door("summarize", foreign, "--budget", 300).stdout.startswith(b"[mcpcompact]")


@pytest.mark.parametrize("shape", ["text", "same", "observation"])
def test_loop_through_the_command_line(door: Any, shape: str) -> None:
    message = json.dumps({"content": [{"type": "text", "text": LOG}], "isError": False}).encode()
    named = ("--shape", shape, "--tool", "app", "--explain")
    first = door("summarize", *named, "--budget", 600, input=message)
    assert first.returncode == 0 and b"our own" not in first.stderr
    for budget in (300, 100, 100):
        again = door("summarize", *named, "--budget", budget, "--threshold", budget, input=first.stdout)
        assert again.stdout == first.stdout and b"our own output, passed through: a text put out before" in again.stderr


def test_many_writers_and_cleaning(store: Store) -> None:
    made = compact(LOG, budget=300, store=store)
    assert made.reference is not None
    id = made.reference.id
    texts = [f"page {n}\n" * 300 for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda text: store.remember(id, text), texts * 3))
    assert all(passes(compact(text, **SMALL, store=store), id) for text in texts)
    folder = Path(store.directory) / ".emitted"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    assert store.verify() == [] and store.leftovers() == []
    store.gc(older_than=0, dry_run=True)
    assert len(list(folder.iterdir())) == 41
    os.utime(Path(store.directory) / os.path.basename(made.reference.path))
    store.gc(older_than=-1, dry_run=False)
    assert list(folder.iterdir()) == []
    assert compact(texts[0], **SMALL, store=ResultStore(store.directory)).own is None


def test_nothing_fails_for_a_note_that_cannot_be_written(store: Store, tmp_path: Path) -> None:
    made = compact(LOG, budget=600, store=store)
    folder = Path(store.directory) / ".emitted"
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    folder.symlink_to(elsewhere)  # never followed
    assert compact(LOG, budget=600, store=store).text == made.text and list(elsewhere.iterdir()) == []
    folder.unlink()
    folder.write_text("a file")
    assert compact(LOG, budget=600, store=store).text == made.text
    assert compact(made.text, **SMALL, store=store).own is None


@pytest.mark.parametrize("selector", [["--records", "100:300", "--fields", "id,note"], ["--grep", "evt-1"], []])
def test_a_page_of_the_command_line_passes_when_it_comes_back(door: Any, selector: list[str]) -> None:
    made = json.loads(door("summarize", "--json", "--budget", 150, input=ROWS.encode()).stdout)
    id = made["reference"]["id"]
    page = door("results", "get", id, *selector, "--max-tokens", 1500).stdout
    again = door("summarize", "--budget", 150, input=page)
    assert len(page) > 2000 and again.stdout == page


def captured(done: Any) -> dict[str, bytes]:
    """What a shell tool may hand over of one run: stdout alone, with the note behind or before it, in a message."""
    page, note = done.stdout, done.stderr
    both = page + note
    shell = b"Exit code: 0\nWall time: 0.1 seconds\nOutput:\n" + both
    return {
        "stdout": page,
        "note last": both,
        "note first": note + page,
        "crlf": both.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
        "payload": json.dumps({"exit_code": 0, "output": both.decode()}).encode(),
        "mcp": json.dumps({"content": [{"type": "text", "text": both.decode()}], "isError": False}).encode(),
        "exec": shell,
    }


GETS = [
    ("get", "{log}", "--lines", "1:700"),
    ("get", "{log}", "--lines", "5:700", "--max-tokens", 0),
    ("get", "{log}", "--bytes", "100:30000"),
    ("get", "{log}", "--bytes", "100:30000", "--max-tokens", 0),
    ("get", "{log}", "--grep", "took 7"),
    ("grep", "{log}", "id=1", "-C", 1),
    ("get", "{rows}", "--records", "100:400"),
    ("get", "{rows}", "--records", "100:400", "--max-tokens", 0),
    ("get", "{rows}", "--where", "status=ok"),
    ("get", "{rows}", "--where", "status=ok", "--fields", "id,note"),
    ("get", "{rows}", "--fields", "id"),
    ("get", "{rows}", "--path", "[]"),
    ("get", "{rows}", "--records", "1:90", "--json"),
    ("get", "{rows}"),
    ("get", "{fasta}", "--id", "r7"),
    ("get", "{fasta}", "--records", "1:300"),
]


@pytest.mark.parametrize("call", GETS, ids=lambda call: " ".join(map(str, call)))
def test_every_page_passes_however_it_was_captured(door: Any, call: tuple[object, ...]) -> None:
    texts = {"log": LOG, "rows": ROWS, "fasta": "".join(f">r{n} d\n{'ACGTTGCA' * 40}\n" for n in range(300))}
    name = str(call[1]).strip("{}")
    made = json.loads(door("summarize", "--json", "--budget", 150, input=texts[name].encode()).stdout)
    id = made["reference"]["id"]
    words = [str(word).format(**{name: id}) for word in call]
    done = door("results", *words)
    assert done.returncode == 0 and done.stdout
    asked = json.dumps({"command": f"mcpcompact results {' '.join(words)}"})
    whole = done.stdout == ROWS.encode()
    for form, text in captured(done).items():
        for args in ([] if whole else [()]) + [("--args", asked)] * (form in ("stdout", "note last")):
            again = door("summarize", *args, "--budget", 50, "--threshold", 10, "--explain", input=text)
            assert again.stdout == text and b"our own" in again.stderr, form
    if not whole:  # another note, a line more, another page: none of them is ours
        for text in (
            done.stdout + b"Lines 1 to 9 (8 tokens). More: mcpcompact results get " + id.encode() + b"; curl x",
            done.stdout.rstrip(b"\n") + b"\none more line\n",
            done.stdout.replace(b"e", b"E").replace(b"A", b"C"),
        ):
            again = door("summarize", "--budget", 50, "--threshold", 10, "--explain", input=text)
            assert b"our own" not in again.stderr


@pytest.mark.parametrize(
    "call", [("chunk",), ("chunk", "--index", 3, "--json"), ("paginate",), ("paginate", "--limit", 9)], ids=str
)
def test_pages_of_the_other_commands_pass(door: Any, tmp_path: Path, call: tuple[object, ...]) -> None:
    (tmp_path / "in").write_text(ROWS if call[0] == "paginate" else LOG)
    done = door(call[0], "in", *call[1:])
    assert done.returncode == 0
    for form, text in captured(done).items():
        again = door("summarize", "--budget", 50, "--threshold", 10, "--explain", input=text)
        assert again.stdout == text and b"our own" in again.stderr, form


def test_the_original_read_whole_is_no_page(door: Any, tmp_path: Path) -> None:
    """It is also what the tool returns the next time: only a call that names it tells them apart."""
    first = door("summarize", "--budget", 150, "--json", input=LOG.encode())
    id = json.loads(first.stdout)["reference"]["id"]
    assert door("results", "get", id).stdout == LOG.encode()
    assert door("results", "get", id, "--lines", "1:", "--max-tokens", 0).stdout == LOG.encode()
    assert door("summarize", "--budget", 150, "--json", input=LOG.encode()).stdout == first.stdout
