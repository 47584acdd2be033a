"""``mcpcompact count`` on recorded sessions: the breakdown adds up, the window is watched, bad input is said."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from mcpcompact import count
from mcpcompact.replaying.census import Census
from mcpcompact.transcripts import Call, Message, Result, Transcript, Usage

BIG = "\n".join(f"line {n} of the report" for n in range(600))
CALLED = [{"id": "c1", "function": {"name": "read", "arguments": '{"path": "a.txt"}'}}]
SESSION = [
    {"role": "system", "content": "be brief"},
    {"role": "user", "content": "read it"},
    {"role": "assistant", "content": "", "tool_calls": CALLED},
    {"role": "tool", "tool_call_id": "c1", "content": BIG},
    {"role": "assistant", "content": "done"},
]


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "session.json"
    path.write_text(json.dumps({"messages": SESSION, "model": "gpt-4"}))
    return path


def report(door: Run, *args: object) -> dict[str, Any]:
    done = door("count", "--json", *args)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_the_breakdowns_add_up(door: Run, session: Path) -> None:
    found = report(door, "--by", "role,tool,message", "--model", "gpt-4o", session)
    roles = {row["role"]: row["tokens"] for row in found["breakdown"] if "percent" in row and "role" in row}
    (tool,) = (row for row in found["breakdown"] if "callTokens" in row)
    messages = [row for row in found["breakdown"] if "message" in row]
    assert sum(roles.values()) == found["tokens"] == sum(row["tokens"] for row in messages)
    assert roles["tool"] == tool["tokens"] == count(BIG).tokens
    assert (tool["tool"], tool["calls"], tool["results"]) == ("read", 1, 1)
    assert tool["callTokens"] == count('read {"path":"a.txt"}').tokens
    assert [row["contextTokens"] for row in messages][-1] == found["tokens"] == found["peakContext"]
    assert (found["contextLimit"], found["exceedsLimit"]) == (128_000, False)
    assert "code" not in found


def test_an_overflow_has_a_code_a_place_and_advice(door: Run, session: Path) -> None:
    done = door("count", "--transcript", "--json", "--max-tokens", 100, session)
    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert (found["code"], found["exceedsLimit"], found["overflowMessage"]) == ("CONTEXT_LIMIT_EXCEEDED", True, 4)
    assert found["breakdown"]
    assert any("read" in line for line in found["suggestions"])
    assert any("replay" in line for line in found["suggestions"])
    assert b"CONTEXT_LIMIT_EXCEEDED" in done.stderr


def test_the_window_of_the_session_s_own_model_warns_from_80_percent(door: Run, session: Path) -> None:
    tokens = report(door, "--transcript", session)["tokens"]
    assert tokens == report(door, "--transcript", "--model", "gpt-4", session)["tokens"]
    for limit, said in ((tokens * 100 // 79, b""), (tokens * 100 // 81, b"the context reaches")):
        done = door("count", "--transcript", "--max-tokens", limit, session)
        assert done.returncode == 0
        assert said in done.stderr
        assert bool(done.stderr) == bool(said)


def test_standard_input_and_compressed_files_are_read(door: Run, session: Path, tmp_path: Path) -> None:
    data = session.read_bytes()
    packed = tmp_path / "session.gz"
    packed.write_bytes(gzip.compress(data))
    tables = [
        door("count", "--by", "role", *named, input=given).stdout.split(b"\n\n")[
            :2
        ]  # without advice, which names the file
        for named, given in (((session,), b""), (("-",), data), ((packed,), b""))
    ]
    assert tables[0] == tables[1] == tables[2]
    assert b"tool" in tables[0][1]


def test_many_are_summed_and_one_that_is_none_is_said(door: Run, session: Path, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / name).write_bytes(session.read_bytes())
    (folder / "c").write_text("no session")
    done = door("count", "--by", "file,tool", "--json", folder)
    found = json.loads(done.stdout)
    one = report(door, "--transcript", session)
    assert done.returncode == 65
    assert b"not a transcript" in done.stderr
    assert found["tokens"] == 2 * one["tokens"]
    assert [row.get("tokens") for row in found["breakdown"] if "file" in row] == [one["tokens"]] * 2
    table = door("count", "--by", "file,role,tool,message", folder).stdout.decode()
    assert table.startswith("2 transcripts: ")


def test_what_is_no_transcript_is_one_line(door: Run) -> None:
    done = door("count", "--by", "role", input=b"plain text")
    assert (done.returncode, done.stdout) == (65, b"")
    assert done.stderr.count(b"\n") == 1


def test_a_plain_count_does_not_look_for_transcripts(door: Run, session: Path) -> None:
    (found,) = map(json.loads, door("count", "--json", session).stdout.splitlines())
    assert found["tokens"] == count(session.read_bytes()).tokens
    assert "messages" not in found


def made(*messages: Message, **more: Any) -> Census:
    return Census(Transcript(list(messages), **more))


def test_what_the_host_forgot_is_out_of_the_context() -> None:
    call = Call("1", "f")
    census = made(
        Message("user", "go on"),
        Message("assistant", "", [call]),
        Message("tool", BIG, result=Result(BIG, call)),
        Message("user", "a summary", forgets=[0, 1, 2]),
        Message("assistant", "ok"),
    )
    assert census.peak == sum(census.costs[:3])
    assert census.contexts[-1] == sum(census.costs[3:])


def test_recorded_usage_and_window_win() -> None:
    usage = Usage(fresh=10, cached=70, output=10)
    census = made(Message("user", "hi"), Message("assistant", "ho", usage=usage), window=100)
    assert (census.recorded, census.context, census.usage_percent) == (90, 90, 90.0)
    assert "90 of 100" in census.warning
    assert not census.exceeds


def test_lone_surrogates_are_counted() -> None:
    assert made(Message("user", "a\ud800b")).tokens > 0
