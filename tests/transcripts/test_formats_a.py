"""Transcripts of Claude Code, Codex, Copilot, Gemini, OpenCode, pi, Entire, VS Code and Inspect, and API dumps of
Anthropic and Gemini."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from recordings_a import ANTHROPIC, BARE_MESSAGES, BARE_REQUEST, CLAUDE, PERSISTED, RECORDINGS, lines

from mcpcompact.errors import McpcompactError
from mcpcompact.transcripts import Message, Transcript, Usage, read_transcripts


@pytest.fixture
def read(tmp_path: Path) -> Any:
    def read(data: bytes) -> list[Transcript]:
        path = tmp_path / "recording"
        path.write_bytes(data)
        return read_transcripts(str(path))

    return read


def calls(message: Message) -> list[tuple[str, str]]:
    return [(call.id, call.tool) for call in message.calls]


def answers(transcript: Transcript) -> list[tuple[str, str, bool]]:
    return [(result.tool, result.text, result.is_error) for result in transcript.results]


def test_claude_code(read: Any) -> None:
    (found,) = read(CLAUDE)
    assert found.model == "claude-m"
    first = found.messages[1]
    assert (first.role, first.text, calls(first)) == ("assistant", "Looking.", [("t1", "Read"), ("t2", "Bash")])
    assert first.usage == Usage(3, 20, 10, 9), "one API message over several lines: its last usage"
    assert [m.role for m in found.messages[:5]] == ["user", "assistant", "tool", "tool", "assistant"]
    assert answers(found) == [
        ("Read", "     1→x = 1\n     2→café", False),
        ("Bash", "a\nb", False),
        ("Grep", PERSISTED, False),
        ("Bash", "Exit code 1", True),
        ("Screenshot", "a window", False),
        ("ToolSearch", "WebFetch", False),
        ("", "", False),
    ]
    assert found.results[2].saved == "/home/me/.claude/s1/tool-results/x.txt"
    assert found.results[4].images == 1
    micro = next(m for m in found.messages if calls(m) == [("t4", "Bash")])
    assert [found.messages[n].text for n in micro.forgets] == ["     1→x = 1\n     2→café"]
    summary = next(m for m in found.messages if m.text == "Summary of before.")
    assert list(summary.forgets) == list(range(found.messages.index(summary)))
    assert found.skipped == {"file-history-snapshot": 1, "progress": 1, "str": 1, "NoneType": 1}


def test_claude_code_rewinds_leave_a_branch(read: Any) -> None:
    """Two parallel calls, each answered on a branch of its own; then a prompt that is taken back twice."""

    def record(kind: str, uuid: str, parent: str | None, content: Any, id: str = "") -> dict[str, Any]:
        message = {"role": kind, "content": content} | ({"id": id} if id else {})
        return {"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "message": message}

    def call(id: str) -> list[dict[str, Any]]:
        return [{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": id}}]

    def answer(id: str) -> list[dict[str, Any]]:
        return [{"type": "tool_result", "tool_use_id": id, "content": f"of {id}"}]

    lines = [
        record("user", "u1", None, "fix it"),
        record("assistant", "a1", "u1", call("t1"), "m1"),
        record("assistant", "a2", "a1", call("t2"), "m1"),
        record("user", "r1", "a1", answer("t1")),
        record("user", "r2", "a2", answer("t2")),
        record("assistant", "a3", "r1", [{"type": "text", "text": "Done."}], "m2"),
        record("user", "u2", "r1", "a sibling of what was said last"),
        record("assistant", "a4", "u2", call("t3"), "m3"),
        record("user", "r3", "a4", answer("t3")),
        record("user", "u3", "a3", "taken back once"),
        record("user", "u4", "a3", "taken back twice"),
        record("user", "u5", "u4", "goes on"),
        record("user", "u6", "nowhere", "of another file"),
    ]
    (found,) = read("\n".join(map(json.dumps, lines)).encode())
    assert {m.text: [found.messages[n].text for n in m.forgets] for m in found.messages if m.forgets} == {
        "a sibling of what was said last": ["Done."],
        "taken back once": ["a sibling of what was said last", "", "of t3"],
        "taken back twice": ["taken back once"],
    }
    assert found.omissions.calls_without_result == found.omissions.results_without_call == 0


def test_claude_code_with_hidden_ids(read: Any) -> None:
    hidden = CLAUDE.replace(b'"msg_1"', b'"REDACTED"').replace(b'"msg_2"', b'"REDACTED"')
    (found,) = read(hidden)
    assert [calls(m) for m in found.messages if m.calls][:3] == [[("t1", "Read")], [("t2", "Bash")], [("t3", "Grep")]]
    assert found.messages[1].text == "Looking.", "the same prompt, so the same message"


def test_claude_code_sub_agents(tmp_path: Path, read: Any) -> None:
    agent = CLAUDE.replace(b'"isSidechain":false', b'"isSidechain":true,"agentId":"ab1"')
    folder = tmp_path / "s1" / "subagents"
    folder.mkdir(parents=True)
    (tmp_path / "s1.jsonl").write_bytes(CLAUDE)
    (folder / "agent-ab1.jsonl").write_bytes(agent)
    (found,) = read_transcripts(str(folder / "agent-ab1.jsonl"))
    assert found.parent == str(tmp_path / "s1.jsonl")
    assert len(found.results) == 7
    main, inner = read(CLAUDE + agent)
    assert (main.name, main.parent, len(main.results)) == ("", "", 7)
    assert (inner.name, inner.parent, len(inner.results)) == ("ab1", main.source, 7)


def test_claude_code_stream(read: Any) -> None:
    def said(kind: str, message: Any, within: str | None = None) -> dict[str, Any]:
        return {"type": kind, "message": message, "session_id": "s", "parent_tool_use_id": within}

    def call(id: str, name: str) -> dict[str, Any]:
        return {"id": f"msg_{id}", "content": [{"type": "tool_use", "id": id, "name": name, "input": {}}]}

    def answer(id: str) -> dict[str, Any]:
        return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": f"of {id}"}]}

    main, inner = read(
        lines(
            {"type": "system", "subtype": "init", "session_id": "s", "tools": []},
            said("assistant", call("t1", "Task")),
            said("assistant", call("t2", "Read"), "t1"),
            said("user", answer("t2"), "t1"),
            said("user", answer("t1")),
            {"type": "result", "subtype": "success", "session_id": "s"},
        )
    )
    assert (main.format, answers(main)) == ("claude_code", [("Task", "of t1", False)])
    assert (inner.name, answers(inner)) == ("t1", [("Read", "of t2", False)])


def test_claude_code_saved_output_beside_the_session(tmp_path: Path) -> None:
    (tmp_path / "s1.jsonl").write_bytes(CLAUDE)
    kept = tmp_path / "s1" / "tool-results"
    kept.mkdir(parents=True)
    (kept / "x.txt").write_text("all of it")
    (found,) = read_transcripts(str(tmp_path / "s1.jsonl"))
    assert found.results[2].saved == str(kept / "x.txt")


def test_anthropic_exchanges(read: Any) -> None:
    first, second = read(ANTHROPIC)
    assert [m.role for m in second.messages] == ["system", "user", "assistant"]
    assert [m.role for m in first.messages] == [
        *("system", "user", "assistant", "tool", "assistant", "tool"),
        *("assistant", "tool", "assistant"),
    ]
    usages = [m.usage for m in first.messages if m.usage]
    assert usages == [Usage(10, output=1), Usage(20, output=2), Usage(30, output=7)], "each exchange is billed"
    searched, shown, rest = first.messages[-3:]
    assert (searched.text, calls(searched)) == ("Searching now.", [("s1", "web_search")])
    assert searched.calls[0].arguments == {"query": "x"}
    assert shown.text == "T https://e.example"
    assert (rest.text, rest.continues, rest.usage) == ("Done.", True, None)
    assert first.results[0].copies, "the second exchange repeats the result"
    assert first.skipped == {"exchange POST": 1}


@pytest.mark.parametrize("data", [BARE_REQUEST, BARE_MESSAGES])
def test_anthropic_bare(data: bytes, read: Any) -> None:
    (found,) = read(data)
    assert found.format == "anthropic_messages"
    assert answers(found) == [("f", "one\ntwo", False), ("g", "bad", True)]


def test_codex(read: Any) -> None:
    (found,) = read(RECORDINGS["codex_rollout"])
    assert (found.model, found.window) == ("gpt-x", 258400)
    assert [m.role for m in found.messages] == [
        *("system", "user", "assistant", "tool", "tool"),
        *("assistant", "tool", "assistant", "tool", "user", "assistant"),
    ]
    assert calls(found.messages[2]) == [("c1", "exec_command"), ("c2", "apply_patch")]
    assert found.messages[2].usage == Usage(6, 3, 0, 1), "a count that is said twice counts once"
    assert answers(found)[0] == ("apply_patch", "verification failed", True)
    assert found.results[0].places[0].path == ("payload", "output", None, "output")
    assert answers(found)[2] == ("exec", 'Script completed\n{"a":1}', False)
    assert found.messages[5].calls[0].hosted
    assert found.messages[5].calls[1].arguments == {"input": "not json"}
    assert found.messages[7].usage == Usage(10, 10, 0, 2)
    assert list(found.messages[9].forgets) == list(range(9))
    assert found.omissions.calls_without_result == 0


def test_codex_of_the_first_versions(read: Any) -> None:
    items = [
        json.loads(line)["payload"] for line in RECORDINGS["codex_rollout"].splitlines() if b"response_item" in line
    ]
    head = {"id": "s", "timestamp": "t", "instructions": None}
    (found,) = read(lines(head, {"record_type": "state"}, *items[:6]))
    assert found.format == "codex_rollout"
    assert answers(found) == [("apply_patch", "verification failed", True)]


def test_codex_turns_taken_back(read: Any) -> None:
    back = {"type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": 1}}
    again = {"type": "response_item", "payload": {"type": "message", "role": "user", "content": "again"}}
    (found,) = read(RECORDINGS["codex_rollout"] + lines(back, again))
    assert list(found.messages[-1].forgets) == [9, 10]


def test_copilot(read: Any) -> None:
    (found,) = read(RECORDINGS["copilot_cli"])
    assert found.model == "m2"
    assert answers(found) == [("view", "no such file", True), ("bash", "a", False)]
    assert found.messages[1].text == "<now/> hi"
    assert (found.messages[-2].text, list(found.messages[-2].forgets)) == ("So far.", [1, 2, 3, 4])
    assert found.usage == Usage(25, 60, 5, 9)


def test_gemini_cli(read: Any) -> None:
    (found,) = read(RECORDINGS["gemini_cli"])
    assert answers(found) == [("read_file", "text", False), ("shell", "no", True)]
    assert found.omissions.calls_without_result == 1
    assert found.messages[1].usage == Usage(6, 4, 0, 3)
    session = json.loads(RECORDINGS["gemini_cli"])
    (again,) = read(lines({k: v for k, v in session.items() if k != "messages"}, *session["messages"]))
    assert (again.format, answers(again)) == ("gemini_cli", answers(found))


def test_gemini_cli_lines_are_a_log_of_changes(read: Any) -> None:
    def said(id: str, **more: Any) -> dict[str, Any]:
        return {"id": id, "type": "gemini", "content": id, **more}

    call = {"id": "r1", "name": "ls", "args": {}}
    answer = {"result": [{"functionResponse": {"response": {"output": "a"}}}]}
    (found,) = read(
        lines(
            {"sessionId": "s", "projectHash": "h"},
            {"id": "1", "type": "user", "content": "hi"},
            said("2", toolCalls=[call]),
            said("2", toolCalls=[call | answer]),
            said("3"),
            {"$rewindTo": "3"},
            said("4"),
            {"$set": {"messages": [{"id": "5", "type": "user", "content": "So far."}, said("4")]}},
            said("6"),
        )
    )
    assert [m.text for m in found.messages] == ["hi", "2", "a", "3", "4", "So far.", "6"]
    assert {m.text: list(m.forgets) for m in found.messages if m.forgets} == {"4": [3], "So far.": [0, 1, 2, 3]}
    assert found.results[0].places[0].record == 3


def test_gemini_api(read: Any) -> None:
    (found,) = read(RECORDINGS["gemini_api"])
    assert found.messages[0].text == "Be brief."
    assert answers(found) == [("f", "one", False), ("g", "went wrong", True)]
    assert found.results[0].images == 1
    assert [m.usage for m in found.messages if m.usage] == [Usage(10, 0, 0, 1), Usage(12, 8, 0, 5), Usage(30)]
    assert found.messages[-1].text == "Done."


def test_opencode(read: Any) -> None:
    (found,) = read(RECORDINGS["opencode"])
    assert (found.parent, found.model) == ("ses_0", "m")
    assert answers(found) == [("bash", "a", False), ("read", "no such file", True)]
    assert [m.usage for m in found.messages if m.usage] == [Usage(9, 5, 4, 3), Usage(3, output=1)]
    assert [list(m.forgets) for m in found.messages if m.forgets] == [[2]], "dropped by the host at time 5"
    assert found.omissions.calls_without_result == 1


def test_opencode_second_version(read: Any) -> None:
    state = {"status": "completed", "input": {"command": "ls"}, "content": [{"type": "text", "text": "a"}]}
    tool = {"type": "tool", "id": "c1", "name": "bash", "state": state}
    messages = [
        {"id": "m1", "type": "user", "text": "hi"},
        {"id": "m2", "type": "assistant", "tokens": {"input": 3}, "content": [{"type": "text", "text": "ok"}, tool]},
    ]
    (found,) = read(json.dumps({"info": {"id": "ses_1", "directory": "/w"}, "messages": messages}).encode())
    assert (found.format, answers(found)) == ("opencode", [("bash", "a", False)])


def test_pi(read: Any) -> None:
    (found,) = read(RECORDINGS["pi_session"])
    assert [m.role for m in found.messages] == ["user", "assistant", "tool", "user", "user", "assistant"]
    assert found.messages[1].usage == Usage(1, 3, 4, 2)
    assert list(found.messages[4].forgets) == [0, 1, 2], "entry 5 is the first kept; entry 4 was aborted"
    assert found.skipped == {"session": 1, "assistant aborted": 1}


def test_entire_compact(read: Any) -> None:
    (found,) = read(RECORDINGS["entire_compact"])
    assert answers(found) == [("Bash", "a", False), ("Read", "", False), ("Bash", "<b>no</b>", True)]
    assert found.messages[1].usage is None, "of Claude only the uncached tokens are recorded"


def test_vscode_chatreplay(read: Any) -> None:
    (found,) = read(RECORDINGS["vscode_chatreplay"])
    assert [m.role for m in found.messages] == ["system", "user", "assistant", "tool", "tool"]
    assert answers(found) == [("create_file", "made", False), ("read_file", "one\ntwo", False)]
    assert (found.messages[2].usage, found.window) == (Usage(8, 12, 0, 3), 128000)


def test_inspect_eval_log(read: Any) -> None:
    one, two = read(RECORDINGS["inspect_eval_log"])
    assert (one.name, one.model, two.name) == ("one/1", "openai/m", "two/1")
    assert answers(one) == [("f", "a long text", False), ("g", "timed out", True)]
    assert one.calls[0].arguments == {"code": "print(1)"}
    assert one.messages[2].text == "calling"
    assert (one.messages[2].usage, one.usage) == (Usage(5, 7, 0, 2), Usage(5, output=2))


def test_a_deep_document_is_refused_or_read(tmp_path: Path) -> None:
    path = tmp_path / "deep"
    for data in (b"[" * 100_000, b'{"a":' * 100_000, b'{"type":"user","uuid":"u","sessionId":"s","message":' * 5_000):
        path.write_bytes(data)
        with pytest.raises(McpcompactError):
            read_transcripts(str(path))
