"""What readers once got wrong in real files, on small ones of our own; and what they say of what they leave out."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from bench.oddities import CALLS, DAMAGED, STRANGERS
from mcpcompact.errors import InputError
from mcpcompact.transcripts import Transcript, read_transcripts

Read = Callable[..., list[Transcript]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Reads a value as one JSON document, or values as JSON lines; the format is found by the content."""

    def reading(*values: Any) -> list[Transcript]:
        path = tmp_path / "recording"
        path.write_text("\n".join(map(json.dumps, values)), "utf-8")
        return read_transcripts(str(path))

    return reading


def answers(transcript: Transcript) -> list[tuple[str, str]]:
    """Of each result its call's arguments, as JSON, and its text."""
    return [(json.dumps(r.call.arguments) if r.call else "", r.text) for r in transcript.results]


def billed(transcript: Transcript) -> int:
    return sum(message.role == "assistant" and not message.continues for message in transcript.messages)


MAGENTIC = [
    {"role": "human", "content": "When was it first above 50?"},
    {"role": "Orchestrator (thought)", "content": "Initial plan"},
    {"role": "Orchestrator (-> WebSurfer)", "content": "Please search for the price."},
    {"role": "Orchestrator (thought)", "content": "Next speaker WebSurfer"},
    {"role": "WebSurfer", "content": "I typed it."},
    {"role": "Orchestrator (thought)", "content": "Updated Ledger"},
]


@pytest.mark.parametrize("value", [MAGENTIC, {"history": MAGENTIC}, {"question": "q", "history": MAGENTIC}])
def test_the_call_of_a_group_chat_is_the_message_to_the_tool(value: Any, read: Read) -> None:
    (found,) = read(value)
    assert found.format == "magentic_history"
    assert answers(found) == [('{"input": "Please search for the price."}', "I typed it.")]


def turns(*said: tuple[str, str]) -> dict[str, Any]:
    return {"conversations": [{"from": speaker, "value": text} for speaker, text in said]}


CHAT = turns(("human", "hi"), ("gpt", "hello"), ("human", "and you?"), ("gpt", "fine"))


def test_a_person_s_turns_are_no_results_where_tools_have_turns(read: Read) -> None:
    asked = turns(
        ("human", "weather?"), ("gpt", "where?"), ("human", "Rome"),
        ("function_call", '{"name": "w", "arguments": {}}'),
        ("observation", "sunny"), ("gpt", "Sunny."), ("human", "thanks"), ("gpt", "bye"),
    )  # fmt: skip
    first, second = read([asked, CHAT])
    assert answers(first) == [("{}", "sunny")]
    assert (second.results, second.problems) == ([], ["no tool call and no result in this session"])


def test_an_environment_that_answers_as_the_human_is_known_by_the_agent_s_actions(read: Read) -> None:
    (played,) = read(
        [turns(("human", "Your task"), ("gpt", "THOUGHT: look\nACTION: go to desk 1"), ("human", "a pen"))]
    )
    assert [result.text for result in played.results] == ["a pen"]
    assert not read([CHAT])[0].results


def test_several_calls_and_answers_of_one_turn_are_told_apart(read: Read) -> None:
    def call(n: int) -> str:
        return f'<tool_call>\n{{"name": "get", "arguments": {{"n": {n}}}}}\n</tool_call>'

    def response(n: int) -> str:
        return f'<tool_response>\n{{"content": {n}}}\n</tool_response>'

    (found,) = read(
        turns(
            ("system", f"Answer as {call(0)}"),
            ("human", "both"),
            ("gpt", f"Both.\n{call(1)}\n{call(2)}"),
            ("tool", f"{response(1)}\n{response(2)}"),
            ("gpt", call(3)),
            ("tool", response(3)),
            ("human", "more?"),
            ("gpt", call(4)),
        )
    )
    assert answers(found) == [(f'{{"n": {n}}}', f'{{"content": {n}}}') for n in (1, 2, 3)]
    assert (len(found.calls), found.omissions.calls_without_result) == (4, 1)


def test_blocks_of_value_are_read(read: Read) -> None:
    def block(kind: str, value: str) -> list[dict[str, str]]:
        return [{"type": kind, "value": value}]

    (found,) = read(
        {"messages": [
            {"role": "user", "content": block("text", "Inception?")},
            {"role": "assistant", "content": block("reasoning", "hm")
             + block("tool_call", '{"name": "movie", "arguments": {"title": "Inception"}}')},
            {"role": "tool", "content": block("text", "2010")},
        ]},
    )  # fmt: skip
    assert answers(found) == [('{"title": "Inception"}', "2010")]
    assert found.calls[0].tool == "movie"


def test_lines_of_one_id_are_one_message_without_a_size_of_its_prompt(read: Read) -> None:
    line = {"v": 1, "agent": "claude-code", "type": "assistant", "id": "m1", "input_tokens": 3, "output_tokens": 9}
    use = {"type": "tool_use", "name": "Bash", "input": {}}
    (found,) = read(
        line | {"content": [{"type": "text", "text": "Two."}, use | {"id": "t1", "result": {"output": "a"}}]},
        line | {"content": [use | {"id": "t2", "result": {"output": "b"}}]},
        line | {"id": "m2", "content": [{"type": "text", "text": "Done."}]},
        line | {"id": "", "agent": "gemini", "content": [{"type": "text", "text": "Else."}]},
    )
    assert (billed(found), len(found.messages[0].calls)) == (3, 2)
    assert [result.text for result in found.results] == ["a", "b"]
    assert [message.usage.prompt for message in found.messages if message.usage] == [3]


def test_steps_of_web_agents_are_told_apart_by_task(read: Read) -> None:
    def step(task: str, page: str, action: str) -> dict[str, Any]:
        said = f"Let me see. In summary, the next action is ```{action}```"
        roles = (("system", "You browse."), ("user", page), ("assistant", said))
        return {"id": task, "messages": [{"role": r, "content": c} for r, c in roles], "output": said}

    first, second = read(
        step("7", "page 1", "type [12] [big text] [1]"),
        step("7", "page 2", "stop [N/A]"),
        step("8", "page 3", "scroll"),
    )
    assert (first.name, billed(first), second.name, billed(second)) == ("7", 2, "8", 1)
    assert [(c.arguments["action"], c.arguments["input"]) for c in first.calls] == [
        ("type", "[12] [big text] [1]"), ("stop", "[N/A]"),
    ]  # fmt: skip
    assert [result.text for result in first.results] == ["page 1", "page 2"]


QWEN = {"uuid": "u", "parentUuid": None, "sessionId": "s", "cwd": "/w"}


def test_qwen_code(read: Read) -> None:
    call = {"functionCall": {"id": "c1", "name": "shell", "args": {"command": "ls"}}}
    answer = {"functionResponse": {"id": "c1", "name": "shell", "response": {"output": "a.py"}}}
    usage = {"promptTokenCount": 9, "cachedContentTokenCount": 4, "candidatesTokenCount": 2}
    (found,) = read(
        QWEN | {"type": "user", "message": {"role": "user", "parts": [{"text": "list"}]}},
        QWEN | {"type": "system", "subtype": "ui_telemetry", "systemPayload": {}},
        QWEN | {"type": "assistant", "model": "m", "usageMetadata": usage,
                "message": {"role": "model", "parts": [{"text": "hm", "thought": True}, call]}},
        QWEN | {"type": "tool_result", "message": {"role": "user", "parts": [answer]},
                "toolCallResult": {"status": "error"}},
    )  # fmt: skip
    assert (found.format, found.model, found.problems) == ("qwen_code", "m", [])
    assert answers(found) == [('{"command": "ls"}', "a.py")]
    assert found.results[0].is_error
    assert [(m.usage.fresh, m.usage.cached, m.usage.output) for m in found.messages if m.usage] == [(5, 4, 2)]
    assert found.skipped == {"system ui_telemetry": 1}


def test_usage_of_a_log_without_ids_of_messages_goes_by_order(read: Read) -> None:
    def event(tokens: int) -> dict[str, Any]:
        usage = {"input_tokens": tokens, "output_tokens": 1}
        return {"event": "model", "output": {"choices": [{"message": {"role": "assistant"}}], "usage": usage}}

    messages = [{"role": role, "content": "x"} for role in ("user", "assistant", "user", "assistant")]
    sample = {"id": 1, "epoch": 1, "input": "q", "target": "a", "messages": messages, "events": [event(5), event(7)]}
    (found,) = read({"eval": {"model": "m"}, "samples": [sample]})
    assert [message.usage.fresh for message in found.messages if message.usage] == [5, 7]


def test_an_aborted_message_is_no_model_call(read: Read) -> None:
    info = {"role": "assistant", "tokens": {"input": 0, "output": 0}, "error": {"name": "MessageAbortedError"}}
    said = {"info": {"role": "user"}, "parts": [{"type": "text", "text": "hi"}]}
    (found,) = read({"info": {"id": "ses_1"}, "messages": [said, {"info": info, "parts": []}]})
    assert (billed(found), found.skipped, found.unknown) == (0, {"assistant aborted": 1}, {})


@pytest.mark.parametrize("key", ["response", "thought"])
def test_an_exit_of_the_host_is_no_call(key: str, read: Read) -> None:
    steps = [
        {"action": "ls", "observation": "a.py", "response": "look"},
        {"action": "exit_context", "observation": "Exited (autosubmitted)", key: "Exit due to context window"},
    ]
    (found,) = read({"trajectory": steps, "history": [], "info": {}})
    assert (billed(found), [result.text for result in found.results]) == (1, ["a.py"])


def chat(*ids: str) -> list[dict[str, Any]]:
    """Messages that call (``+1``) and answer (``1``) by id."""
    return [{"role": "user", "content": "go"}] + [
        {"role": "assistant", "content": "", "tool_calls": [{"id": id[1:], "function": {"name": "f"}}]}
        if id[0] == "+" else {"role": "tool", "tool_call_id": id, "content": f"answer {n}"}
        for n, id in enumerate(ids)
    ]  # fmt: skip


def test_a_result_before_its_call_is_paired_unless_the_call_has_its_own(read: Read) -> None:
    (late,) = read(chat("1", "+1", "+2", "2"))
    assert (late.omissions.results_without_call, late.omissions.calls_without_result) == (0, 0)
    (again,) = read(chat("1", "+1", "1"))
    assert [result.call is not None for result in again.results] == [False, True]


# -- what is left out is said -------------------------------------------------------------------


def test_unknown_records_are_named_and_known_ones_are_not_a_warning(read: Read) -> None:
    line = {"sessionId": "s", "uuid": "u", "isSidechain": False}
    said = [line | {"type": "user", "message": {"role": "user", "content": "go"}}]
    said += [line | {"type": "progress"}] * 20
    (quiet,) = read(*said)
    assert quiet.problems == ["no tool call and no result in this session"]
    (loud,) = read(*said, *[line | {"type": "novelty"}] * 3)
    assert loud.problems[0] == "3 records of 24 unknown to the reader and left out: 3 novelty"
    assert loud.omissions.as_dict()["recordsSkipped"] == {"progress": 20}


def test_calls_without_any_result_and_results_without_text_are_doubtful(read: Read) -> None:
    (asked,) = read(chat("+1", "+2"))
    assert asked.problems == ["2 calls and no result: none was recorded, or the reader misses them"]
    messages = chat("+1", "1", "+2", "2")
    for message in messages:
        if message["role"] == "tool":
            message["content"] = ""
    assert read(messages)[0].problems == ["2 of 2 results without any text"]


def test_replay_and_count_say_what_was_left_out(door: Run, tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps([*chat("+1", "1", "+2"), {"role": "oracle", "content": "?"}]))
    args = [str(tmp_path / "one.json"), "--policy", "none"]
    told = "left out or odd: 1 call without a result; 1 record unknown to the reader (1 message of oracle)"
    assert told in door("replay", *args, "--html", tmp_path / "page.html").stdout.decode()
    assert "1 record unknown to the reader (1 message of oracle)" in (tmp_path / "page.html").read_text()
    found = json.loads(door("replay", *args, "--json").stdout)
    assert found["recordsUnknown"] == {"message of oracle": 1}
    assert "1 record of 5 unknown to the reader" in found["problems"][0]
    counted = door("count", "--transcript", args[0])
    assert told in counted.stdout.decode()
    assert "1 record of 5 unknown to the reader" in counted.stderr.decode()
    found = json.loads(door("count", "--transcript", "--json", args[0]).stdout)
    assert found["recordsUnknown"] == {"message of oracle": 1}


# -- packed and foreign files -------------------------------------------------------------------

CHAT_BYTES = json.dumps(chat("+1", "1")).encode()


def zipped(**members: bytes) -> bytes:
    import io
    import zipfile

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "/"), data)
    return packed.getvalue()


def zst(data: bytes) -> bytes:
    return bytes(pytest.importorskip("zstandard").compress(data))


@pytest.mark.parametrize(
    "pack",
    [gzip.compress, zst, lambda data: gzip.compress(data.decode().encode("utf-16")), lambda data: zipped(a=data)]
    + [lambda data, name=name: data.decode().encode(name) for name in ("utf-16", "utf-16-le", "utf-32")],
)
def test_packed_recordings_are_read(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    (tmp_path / "packed").write_bytes(pack(CHAT_BYTES))
    (found,) = read_transcripts(str(tmp_path / "packed"))
    assert (found.format, answers(found)) == ("openai_chat", [("{}", "answer 1")])
    assert found.source == str(tmp_path / "packed")


def test_each_transcript_of_an_archive_is_read_and_the_rest_named(tmp_path: Path) -> None:
    members = {"..__..__one.json": CHAT_BYTES, "two.json": CHAT_BYTES, "read.me": b"hello", "cut.json": b'{"messages'}
    (tmp_path / "all.zip").write_bytes(zipped(**members))
    found = read_transcripts(str(tmp_path / "all.zip"))
    assert [transcript.name for transcript in found] == ["../../one.json", "two.json"]
    assert found[0].problems == ["no transcripts in the archive: read.me, cut.json"]
    assert [path.name for path in tmp_path.iterdir()] == ["all.zip"]


def test_an_archive_that_only_stores_its_files_is_no_recording_itself(tmp_path: Path) -> None:
    """Its bytes hold whole lines of the recording, of which the first and the last would be lost."""
    line = {"sessionId": "s", "uuid": "u", "isSidechain": False, "type": "user", "message": {"content": "go"}}
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("one.jsonl", "\n".join(json.dumps(line | {"uuid": f"u{n}"}) for n in range(5)))
    (found,) = read_transcripts(str(tmp_path / "a.zip"))
    assert (found.name, len(found.messages)) == ("one.jsonl", 5)
    assert found.problems == ["no tool call and no result in this session"]


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bomb.zip").write_bytes(zipped(a=b"[" + b"0," * (1 << 24) + b"0]"))
    with pytest.raises(InputError, match=r"expands to more than"):
        read_transcripts(str(tmp_path / "bomb.zip"))
    (tmp_path / "many.zip").write_bytes(zipped(**{str(n): b"" for n in range(10_001)}))
    with pytest.raises(InputError, match="holds 10,001 files"):
        read_transcripts(str(tmp_path / "many.zip"))


@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: data[:30] + b"\xff" * 9 + data[39:]])
def test_a_damaged_archive_is_refused_in_one_line(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(damage(zipped(a=CHAT_BYTES)))
    with pytest.raises(InputError):
        read_transcripts(str(tmp_path / "a.zip"))


SQLITE = b"SQLite format 3\0" + b"\x10\x00\x01\x01" + b"\0" * 200
CURSOR = b'{"role":"user","message":{"content":[{"type":"text","text":"hi"}]}}\n'


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (SQLITE, "is an SQLite database"),
        (SQLITE + b"CREATE TABLE cursorDiskKV (key TEXT, value BLOB)", "is the history of Cursor"),
        (CURSOR + CURSOR, "is the history of Cursor's agent"),
        (b"\n# aider chat started at 2025-06-02 11:47:49\n\n#### hi\n", "is the history of Aider"),
        (zipped(a=b"hello"), "is a zip archive"),
        (b"7z\xbc\xaf\x27\x1c\0\4", "is a 7z archive"),
    ],
)
def test_a_foreign_file_is_named_with_what_to_do(data: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(InputError, match=said) as error:
        read_transcripts(str(tmp_path / "file"))
    assert error.value.hint


def test_a_plain_count_of_a_database_says_that_it_is_one(door: Run, tmp_path: Path) -> None:
    (tmp_path / "app.db").write_bytes(SQLITE)
    assert b"app.db is an SQLite database, not text" in door("count", "app.db").stderr
    (tmp_path / "notes").write_bytes(b"plain")
    assert not door("count", "notes").stderr


# -- where the tools keep them ------------------------------------------------------------------


def test_sessions_are_found_in_the_folder_of_their_tool(door: Run, tmp_path: Path) -> None:
    line = {"sessionId": "s", "uuid": "u", "isSidechain": False, "type": "user", "message": {"content": "go"}}
    project = tmp_path / "home[1]" / "projects" / "-w"
    project.mkdir(parents=True)
    (project / "one.jsonl").write_text(json.dumps(line))
    before = sorted((tmp_path / "home[1]").rglob("*"))
    home = {"CLAUDE_CONFIG_DIR": str(tmp_path / "home[1]")}
    for name in ("claude-code", "claude"):
        done = door("replay", "--from", name, "--policy", "none", "--json", "--by", "transcript", **home)
        (row,) = json.loads(done.stdout)["byTranscript"]
        assert row["transcript"] == str(project / "one.jsonl")
    assert sorted((tmp_path / "home[1]").rglob("*")) == before
    missing = door("replay", "--from", "claude-code", CLAUDE_CONFIG_DIR=str(tmp_path / "none"))
    assert (missing.returncode, b"no session of claude_code in" in missing.stderr) == (66, True)
    for wrong in ("cobol", "c", "openai_chat"):
        assert door("replay", "--from", wrong).returncode == 2


def test_the_formats_are_listed_with_their_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from mcpcompact.cli.commands.transcripts import transcripts
    from mcpcompact.cli.io import Environment

    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    (tmp_path / "sessions" / "2026" / "01").mkdir(parents=True)
    (tmp_path / "sessions" / "2026" / "01" / "rollout-1.jsonl").write_text("{}")
    assert transcripts(Environment(), json=True) == 0
    found = {row["format"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert found["codex_rollout"]["files"] == 1
    assert found["codex_rollout"]["places"][0].startswith(str(tmp_path))
    assert found["openai_chat"] == {"format": "openai_chat", "files": 0, "places": []}
    assert transcripts(Environment()) == 0
    assert "codex_rollout" in capsys.readouterr().out.splitlines()[1]


@pytest.mark.parametrize("values", [[chat("+1", "1"), {"note": 1}], [{"messages": chat("+1", "1")}, {"note": 1}]])
def test_records_without_a_conversation_are_counted(values: list[Any], read: Read) -> None:
    assert read(values)[0].problems[0] == "1 record without a conversation"
    assert read([CHAT, {"note": 1}])[0].problems[0] == "1 record without a conversation"


@pytest.mark.parametrize("name", [*STRANGERS, *DAMAGED])
def test_odd_files_are_refused_or_warned_of_or_read_whole(name: str, tmp_path: Path) -> None:
    data = DAMAGED.get(name, STRANGERS.get(name))
    (tmp_path / "odd").write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    try:
        found = read_transcripts(str(tmp_path / "odd"))
    except InputError:
        return
    results = sum(len(transcript.results) for transcript in found)
    assert any(transcript.problems for transcript in found) or (name in DAMAGED and results == CALLS)


def test_sessions_without_a_message_are_counted(read: Read) -> None:
    run = {"trajectory": [{"action": "ls", "observation": "a.py", "response": "look"}], "history": []}
    (first,) = read([run, {"trajectory": []}])
    assert first.problems == ["1 record without a conversation"]
    step = {"source": "agent", "message": "look", "tool_calls": [{"tool_call_id": "a", "function_name": "ls"}]}
    step["observation"] = {"results": [{"source_call_id": "a", "content": "a.py"}]}
    first, second = read(*({"schema_version": "ATIF-v1.4", "steps": steps} for steps in ([step], [])))
    assert (first.problems, second.messages) == (["1 session of this file without a message"], [])


def test_a_packed_recording_is_written_back_as_it_was_and_that_is_said(door: Run, tmp_path: Path) -> None:
    messages = chat("+1", "1")
    messages[-1]["content"] = "word " * 500
    (tmp_path / "one.gz").write_bytes(gzip.compress(json.dumps(messages).encode()))
    done = door("replay", "one.gz", "--policy", "head:50", "--emit", "out", "--json")
    assert (tmp_path / "out" / "one.gz").read_bytes() == (tmp_path / "one.gz").read_bytes()
    assert "1 of 1 texts are written as they were" in json.loads(done.stdout)["problems"][0]


# -- what every reader of messages knows --------------------------------------------------------


def test_results_of_the_ai_sdk_and_of_resources_are_read(read: Read) -> None:
    made = {"type": "tool-call", "toolCallId": "t1", "toolName": "shell", "args": {"command": "ls"}}
    for told in ({"result": "a.py"}, {"output": {"type": "text", "value": "a.py"}}):
        back = {"type": "tool-result", "toolCallId": "t1", "toolName": "shell", **told}
        messages = [{"role": "user", "content": "list"}, {"role": "assistant", "content": [made]}]
        (found,) = read([*messages, {"role": "tool", "content": [back]}])
        assert (answers(found), found.problems) == ([('{"command": "ls"}', "a.py")], [])
    blocks = [{"type": "text", "text": "one"}, {"type": "resource", "resource": {"uri": "u", "text": "two"}}]
    (found,) = read([{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": blocks}]}])
    assert [(result.text, result.places[1].path[-2:]) for result in found.results] == [
        ("one\ntwo", ("resource", "text"))
    ]


def test_a_question_of_blocks_can_be_written_back(read: Read) -> None:
    """Of every API: where a user's text stands is known, so a policy that shortens it finds it."""
    anthropic = [{"role": "user", "content": [{"type": "text", "text": "go"}]}]
    gemini = {"contents": [{"role": "user", "parts": [{"text": "go"}]}]}
    for value, path in (({"system": "s", "messages": anthropic}, ("messages", 0, "content", 0, "text")),
                        (gemini, ("contents", 0, "parts", 0, "text"))):  # fmt: skip
        asked = next(message for message in read(value)[0].messages if message.role == "user")
        assert [place.path for place in asked.places] == [path]


def test_lines_that_are_longer_than_the_head_and_files_that_are_large_are_read_whole(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = [{"type": "session", "cwd": "/w"}]
    session += [{"type": "message", "message": {"role": "user", "content": f"{n} " * 40_000}} for n in range(4)]
    whole = [message.text for message in read(*session)[0].messages]
    monkeypatch.setattr("mcpcompact.transcripts.document.LARGE", 1 << 17)
    assert [message.text for message in read(*session)[0].messages] == whole and len(whole) == len(session) - 1
