"""Sessions written back with older rounds summarised (``history``) or dropped (``window``)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import corpus

from mcpcompact import replay
from mcpcompact.transcripts import Transcript, read_transcripts

ROUNDS = 6
TEXTS = [f"src/module_{n}.py:{n}: raise LeaseError({n})\n" * 20 for n in range(ROUNDS)]


def claude_code() -> list[Any]:
    shared = {"sessionId": "s", "cwd": "/w", "version": "2", "isSidechain": False}
    found: list[dict[str, Any]] = []

    def add(kind: str, content: Any, parent: str | None, id: str = "") -> str:
        uuid = f"{kind}{len(found)}"
        message = {"role": kind, "content": content} | ({"id": id} if id else {})
        found.append({"type": kind, "uuid": uuid, "parentUuid": parent, **shared, "message": message})
        return uuid

    tip = add("user", "find the lease error", None)
    for n, text in enumerate(TEXTS):
        uses = [{"type": "tool_use", "id": f"{n}{x}", "name": "grep", "input": {"n": n}} for x in "ab"]
        calls = [add("assistant", [use], tip, f"m{n}") for use in uses]
        for x, call in zip("ab", calls, strict=True):  # answers of parallel calls hang on their calls
            tip = add("user", [{"type": "tool_result", "tool_use_id": f"{n}{x}", "content": text + x}], call)
    add("assistant", [{"type": "text", "text": "done"}], tip, "last")
    return found


def codex_rollout() -> list[Any]:
    def item(payload: dict[str, Any]) -> dict[str, Any]:
        return {"timestamp": "t", "type": "response_item", "payload": payload}

    def message(role: str, text: str) -> dict[str, Any]:
        return item({"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]})

    found = [{"timestamp": "t", "type": "session_meta", "payload": {"id": "s", "cwd": "/w"}}]
    found += [message("developer", "Be brief."), message("user", "find the lease error")]
    for n, text in enumerate(TEXTS):
        found.append(item({"type": "function_call", "call_id": str(n), "name": "grep", "arguments": '{"n":1}'}))
        found.append(item({"type": "function_call_output", "call_id": str(n), "output": text}))
    return [*found, message("assistant", "done")]


def pi_session(ids: bool = False) -> list[Any]:
    def entry(message: dict[str, Any]) -> dict[str, Any]:
        return {"type": "message", "message": message}

    found = [{"type": "session", "id": "s", "cwd": "/w"}, entry({"role": "user", "content": "find the lease error"})]
    for n, text in enumerate(TEXTS):
        call = {"type": "toolCall", "id": str(n), "name": "grep", "arguments": {"n": n}}
        found.append(entry({"role": "assistant", "content": [call]}))
        result = {"role": "toolResult", "toolCallId": str(n), "toolName": "grep"}
        found.append(entry(result | {"content": [{"type": "text", "text": text}]}))
    found.append(entry({"role": "assistant", "content": "done"}))
    if ids:
        found = [line | {"id": f"e{n}", "parentId": f"e{n - 1}" if n > 1 else None} for n, line in enumerate(found)]
    return found


def openai_chat() -> list[Any]:
    found: list[Any] = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "find the lease error"}]
    for n, text in enumerate(TEXTS):
        call = {"id": str(n), "type": "function", "function": {"name": "grep", "arguments": '{"n": 1}'}}
        found.append({"role": "assistant", "content": None, "tool_calls": [call]})
        found.append({"role": "tool", "tool_call_id": str(n), "content": text})
    return [*found, {"role": "assistant", "content": "done"}]


def anthropic_messages() -> list[Any]:
    found: list[Any] = [{"role": "user", "content": "find the lease error"}]
    for n, text in enumerate(TEXTS):
        found.append(
            {"role": "assistant", "content": [{"type": "tool_use", "id": str(n), "name": "grep", "input": {}}]}
        )
        answer = {"type": "tool_result", "tool_use_id": str(n), "content": text}
        found.append({"role": "user", "content": [answer, {"type": "text", "text": "go on"}]})
    return [*found, {"role": "assistant", "content": [{"type": "text", "text": "done"}]}]


def gemini_api() -> dict[str, Any]:
    found: list[Any] = [{"role": "user", "parts": [{"text": "find the lease error"}]}]
    for text in TEXTS:
        found.append({"role": "model", "parts": [{"functionCall": {"name": "grep", "args": {"n": 1}}}]})
        answer = {"functionResponse": {"name": "grep", "response": {"output": text}}}
        found.append({"role": "user", "parts": [answer]})
    return {"contents": [*found, {"role": "model", "parts": [{"text": "done"}]}], "tools": []}


def lines(records: list[Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def document(value: Any) -> bytes:
    return json.dumps(value, indent=2).encode()


SESSIONS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "claude_code": ("claude_code", lambda: lines(claude_code())),
    "codex_rollout": ("codex_rollout", lambda: lines(codex_rollout())),
    "pi by index": ("pi_session", lambda: lines(pi_session())),
    "pi by id": ("pi_session", lambda: lines(pi_session(ids=True))),
    "chat, lines": ("openai_chat", lambda: lines(openai_chat())),
    "chat, a list": ("openai_chat", lambda: document(openai_chat())),
    "chat, many": ("openai_chat", lambda: lines([{"messages": openai_chat()}, {"messages": openai_chat()}])),
    "anthropic, a list": ("anthropic_messages", lambda: document(anthropic_messages())),
    "anthropic, a request": ("anthropic_messages", lambda: document({"messages": anthropic_messages(), "system": "x"})),
    "gemini": ("gemini_api", lambda: document(gemini_api())),
}


def live(transcript: Transcript) -> list[tuple[str, str]]:
    """What is in the context in the end."""
    gone = {n for message in transcript.messages for n in message.forgets}
    return [(m.role, m.text) for n, m in enumerate(transcript.messages) if n not in gone]


def written(tmp_path: Path, data: bytes, policy: str) -> tuple[list[Transcript], list[Transcript], list[str]]:
    path = tmp_path / "in" / "session"
    path.parent.mkdir()
    path.write_bytes(data)
    report = replay(str(path), policies=[policy], emit=str(tmp_path / "out"))
    problems = [problem for row in report.rows for problem in row.problems]
    return read_transcripts(str(path)), read_transcripts(str(tmp_path / "out" / "session")), problems


@pytest.mark.parametrize("name", SESSIONS)
def test_older_rounds_become_one_message(name: str, tmp_path: Path) -> None:
    format, data = SESSIONS[name]
    before, after, problems = written(tmp_path, data(), "history:1500")
    assert not problems
    assert len(after) == len(before)
    for old, new in zip(before, after, strict=True):
        assert new.format == old.format == format
        assert new.omissions.calls_without_result == new.omissions.results_without_call == 0
        (summary,) = (n for n, (_, text) in enumerate(live(new)) if "<conversation-summary>" in text)
        assert live(new)[summary][0] == "user"
        kept = live(new)[summary + 1 :]
        assert 1 <= len(kept) < len(old.messages)
        assert kept == live(old)[-len(kept) :]
        assert any(TEXTS[-1] in text for _, text in kept), "the last round's results, which the model has not seen yet"
        assert live(new)[:summary] == [m for m in live(old) if m[0] == "system"], "the system's stay"


@pytest.mark.parametrize("name", SESSIONS)
def test_the_oldest_are_dropped(name: str, tmp_path: Path) -> None:
    _, data = SESSIONS[name]
    before, after, problems = written(tmp_path, data(), "window:100")
    assert not [problem for problem in problems if "older rounds" in problem]
    for old, new in zip(before, after, strict=True):
        assert new.omissions.calls_without_result == new.omissions.results_without_call == 0
        assert 0 < len(live(new)) < len(live(old))
        assert "find the lease error" not in [text for _, text in live(new)]


@pytest.mark.parametrize("name", ["claude_code", "codex_rollout", "pi by index", "pi by id", "chat, lines"])
def test_lines_that_stay_are_the_same_bytes(name: str, tmp_path: Path) -> None:
    data = SESSIONS[name][1]()
    written(tmp_path, data, "history:1500")
    new = (tmp_path / "out" / "session").read_bytes().splitlines()
    old = data.splitlines()
    added = [line for line in new if line not in old]
    relinked = {"claude_code": 2, "pi by id": 1}.get(name, 0)  # two calls at once hang on one line
    assert len(added) == {"claude_code": 2}.get(name, 1) + relinked
    if name != "chat, lines":
        assert len(new) == len(old) + len(added) - relinked, "a host's file keeps what it had"


def test_a_chain_of_claude_code_ends_at_the_boundary(tmp_path: Path) -> None:
    """Claude Code walks from the last record up to one without a parent."""
    written(tmp_path, lines(claude_code()), "history:1500")
    records = [json.loads(line) for line in (tmp_path / "out" / "session").read_bytes().splitlines()]
    by = {record["uuid"]: record for record in records}
    chain = [records[-1]]
    while chain[-1]["parentUuid"]:
        chain.append(by[chain[-1]["parentUuid"]])
    assert chain[-1]["subtype"] == "compact_boundary"
    assert "<conversation-summary>" in chain[-2]["message"]["content"]
    assert chain[-1]["logicalParentUuid"] in by


def test_a_format_without_a_place_says_so(tmp_path: Path) -> None:
    history = [{"role": "user", "name": "Expert", "content": f"step {n} " + TEXTS[0]} for n in range(9)]
    history += [{"role": "assistant", "name": "Coder_Expert", "content": "done"}]
    _, _, problems = written(tmp_path, json.dumps({"question": "q", "history": history}).encode(), "history:500")
    assert problems == [
        "no tool call and no result in this session",
        "history:500: older rounds are written as they were: files of autogen_history have no place for a summary of "
        "older rounds",
    ]
    assert (tmp_path / "out" / "session").read_bytes() == (tmp_path / "in" / "session").read_bytes()


@pytest.mark.skipif(corpus() is None, reason="no recorded data")
def test_recorded_sessions_are_read_again(tmp_path: Path) -> None:
    folder = corpus() / "transcripts"  # type: ignore[operator]
    chosen = [max(kind.iterdir(), key=lambda path: path.stat().st_size) for kind in sorted(folder.iterdir())]
    for path in (path for path in chosen if path.is_file() and path.stat().st_size < 600_000):
        report = replay(str(path), policies=["history:3000"], emit=str(tmp_path))
        refused = any("older rounds" in problem for row in report.rows for problem in row.problems)
        for old, new in zip(read_transcripts(str(path)), read_transcripts(str(tmp_path / path.name)), strict=True):
            assert new.format == old.format
            assert new.omissions.results_without_call <= old.omissions.results_without_call, path.name
            assert new.omissions.calls_without_result <= old.omissions.calls_without_result, path.name
            found = [n for n, (_, text) in enumerate(live(new)) if text.startswith("<conversation-summary>")]
            assert len(found) <= 1
            if found:
                kept = live(new)[found[0] + 1 :]
                assert kept == [(m.role, m.text) for m in old.messages[-len(kept) :]], path.name
            elif refused:
                assert live(new) == live(old)
