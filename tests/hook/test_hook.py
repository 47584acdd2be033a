"""``mcpcompact-hook`` as a host starts it: recorded payloads on stdin, its JSON or nothing on stdout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any
from unittest.mock import patch

import pytest
from conftest import environment

from mcpcompact.errors import MaskError
from mcpcompact.hook import entry
from mcpcompact.masking import Masker

LONG = "".join(f"2026-01-01 00:00:{i % 60:02d} INFO unit step {i} ok\n" for i in range(600))
LONG += "2026-01-01 00:10:00 ERROR disk full on /dev/sda1\n"
SHORT = "all 12 tests passed\n" * 4
Hook = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def hook(tmp_path: Path) -> Hook:
    """The entry point in this process, with files for its streams; with flags of the interpreter, one of its own."""
    home = environment(tmp_path)

    def run(payload: Any, *flags: str) -> subprocess.CompletedProcess[bytes]:
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        if flags:
            command = [sys.executable, *flags, "-m", "mcpcompact.hook.entry"]
            return subprocess.run(command, input=data, capture_output=True, timeout=60, cwd=tmp_path, env=home)
        with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
            given.write(data)
            given.seek(0)
            streams = {"STDIN": given.fileno(), "STDOUT": out.fileno(), "STDERR": err.fileno()}
            with chdir(tmp_path), patch.dict(os.environ, home, clear=True), patch.multiple(entry, **streams):
                code = entry.main()
            return subprocess.CompletedProcess([], code, *(os.pread(f.fileno(), 1 << 24, 0) for f in (out, err)))

    return run


def claude(tool: str, response: Any, **arguments: str) -> dict[str, Any]:
    return {
        "session_id": "s1",
        "transcript_path": "/nowhere/s1.jsonl",
        "cwd": "/repo",
        "permission_mode": "default",
        "hook_event_name": "PostToolUse",
        "tool_name": tool,
        "tool_input": arguments,
        "tool_response": response,
        "tool_use_id": "toolu_1",
        "duration_ms": 12,
    }


def codex(response: Any, tool: str = "Bash", command: str = "make") -> dict[str, Any]:
    return claude(tool, response, command=command) | {"turn_id": "t1", "model": "gpt-5"}


def gemini(content: Any, where: Path, tool: str = "run_shell_command", **more: Any) -> dict[str, Any]:
    return {
        "session_id": "g1",
        "transcript_path": str(where / "chats" / "session.json"),
        "cwd": "/repo",
        "hook_event_name": "AfterTool",
        "timestamp": "2026-11-01T00:00:00Z",
        "tool_name": tool,
        "tool_input": {"command": "make"},
        "tool_response": {"llmContent": content, "returnDisplay": "shown"},
        **more,
    }


def copilot(text: str, tool: str = "bash") -> dict[str, Any]:
    result = {"resultType": "success", "textResultForLlm": text, "sessionLog": "kept"}
    return {"sessionId": "c1", "timestamp": 1, "cwd": "/repo", "toolName": tool, "toolArgs": "{}", "toolResult": result}


def cursor(output: Any, tool: str = "MCP:ci:build") -> dict[str, Any]:
    return {
        "conversation_id": "u1",
        "hook_event_name": "postToolUse",
        "cursor_version": "3.1.0",
        "tool_name": tool,
        "tool_input": {"id": 1},
        "tool_output": json.dumps(output),
        "tool_use_id": "call\n1",
    }


def bash(stdout: str, stderr: str = "", **more: Any) -> dict[str, Any]:
    return {"stdout": stdout, "stderr": stderr, "interrupted": False, "isImage": False, **more}


def message(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": False, "_meta": {"trace": 7}}


def answered(done: subprocess.CompletedProcess[bytes]) -> Any:
    assert done.returncode == 0
    return json.loads(done.stdout)


def untouched(done: subprocess.CompletedProcess[bytes]) -> None:
    assert (done.returncode, done.stdout) == (0, b"")


def shortened(text: str) -> None:
    assert text.startswith("[mcpcompact]") and "disk full" in text and len(text) < len(LONG) // 4


@pytest.mark.parametrize("flags", [(), ("-B",)], ids=["here", "a process"])
def test_claude_code_gets_its_own_response_with_one_text_changed(hook: Hook, flags: tuple[str, ...]) -> None:
    response = bash(LONG, "warning: x", noOutputExpected=False, gitOperation={"push": {"branch": "main"}})
    said = answered(hook(claude("Bash", response, command="make"), *flags))["hookSpecificOutput"]
    new = said["updatedToolOutput"]
    assert said["hookEventName"] == "PostToolUse"
    assert list(new) == list(response)
    shortened(new["stdout"])
    assert {**new, "stdout": LONG} == response


@pytest.mark.parametrize(
    ("tool", "response", "key"),
    [
        ("Bash", bash("", LONG), "stderr"),
        ("Grep", {"mode": "content", "numFiles": 0, "filenames": [], "content": LONG, "numLines": 601}, "content"),
        (
            "WebFetch",
            {"bytes": 9, "code": 200, "codeText": "OK", "result": LONG, "durationMs": 3, "url": "u"},
            "result",
        ),
    ],
)
def test_the_long_text_of_a_built_in_tool_of_claude_code(hook: Hook, tool: str, response: Any, key: str) -> None:
    new = answered(hook(claude(tool, response)))["hookSpecificOutput"]["updatedToolOutput"]
    shortened(new[key])
    assert {**new, key: LONG} == response


@pytest.mark.parametrize("response", [LONG, [{"type": "text", "text": LONG}], message(LONG)])
def test_results_of_mcp_tools_keep_their_shape_in_claude_code(hook: Hook, response: Any) -> None:
    new = answered(hook(claude("mcp__ci__build", response)))["hookSpecificOutput"]["updatedToolOutput"]
    assert type(new) is type(response)
    blocks = new["content"] if isinstance(new, dict) else new
    shortened(blocks if isinstance(blocks, str) else blocks[0]["text"])
    if isinstance(new, dict):
        assert (new["isError"], new["_meta"]) == (False, {"trace": 7})


def test_output_that_claude_code_cut_is_read_from_its_file(hook: Hook, tmp_path: Path) -> None:
    whole = LONG * 3 + "the last line: 4711 of it\n"
    saved = tmp_path / "saved.txt"
    saved.write_text(whole)
    response = bash(LONG[:20_000], persistedOutputPath=str(saved), persistedOutputSize=len(whole))
    new = answered(hook(claude("Bash", response)))["hookSpecificOutput"]["updatedToolOutput"]
    assert new.keys() == response.keys() - {"persistedOutputPath", "persistedOutputSize"}
    (stored,) = (tmp_path / "results").glob("Bash-*.log")
    assert stored.read_text() == whole
    response["persistedOutputPath"] = str(tmp_path / "gone.txt")
    shortened(answered(hook(claude("Bash", bash(LONG) | {"persistedOutputPath": "/nowhere"})))["hookSpecificOutput"]
              ["updatedToolOutput"]["stdout"])  # fmt: skip


@pytest.mark.parametrize("response", [LONG, message(LONG)])
def test_codex_gets_a_text_and_the_call_stays_a_success(hook: Hook, response: Any) -> None:
    said = answered(hook(codex(response, "Bash" if response is LONG else "mcp__ci__build")))
    assert said.keys() == {"continue", "stopReason"} and said["continue"] is False
    shortened(said["stopReason"])


@pytest.mark.parametrize("content", [LONG, {"text": LONG}, [{"text": LONG}]])
def test_gemini_cli_reads_our_text_instead(hook: Hook, tmp_path: Path, content: Any) -> None:
    said = answered(hook(gemini(content, tmp_path)))
    assert said.keys() == {"hookSpecificOutput"}
    call = said["hookSpecificOutput"]["tailToolCallRequest"]
    assert call["name"] == "read_file"
    path = Path(call["args"]["file_path"])
    assert path.is_relative_to(tmp_path) and path.stat().st_mode & 0o077 == 0
    shortened(path.read_text())


def test_copilot_cli_gets_its_result_with_another_text(hook: Hook) -> None:
    payload = copilot(LONG)
    new = answered(hook(payload))["modifiedResult"]
    shortened(new["textResultForLlm"])
    assert {**new, "textResultForLlm": LONG} == payload["toolResult"]


def test_cursor_gets_the_message_of_an_mcp_tool(hook: Hook) -> None:
    new = answered(hook(cursor(message(LONG))))["updated_mcp_tool_output"]
    shortened(new["content"][0]["text"])
    assert new["_meta"] == {"trace": 7}


def picture() -> dict[str, Any]:
    return {"content": [{"type": "image", "data": "AAAA", "mimeType": "image/png"}, {"type": "text", "text": LONG}]}


@pytest.mark.parametrize(
    "payload",
    [
        claude("Bash", bash(SHORT)),
        claude("Bash", bash(SHORT * 40)),
        claude("Bash", bash("iVBORw0KGgo" * 2_000) | {"isImage": True}),
        claude("Read", {"type": "text", "file": {"filePath": "/a", "content": LONG, "numLines": 601}}),
        claude("Agent", {"agentId": "a", "content": [{"type": "text", "text": LONG}], "totalToolUseCount": 1}),
        claude("Edit", {"filePath": "/a", "oldString": "a", "newString": "b", "originalFile": LONG}),
        claude("Glob", {"durationMs": 1, "numFiles": 900, "filenames": LONG.splitlines(), "truncated": False}),
        claude("WebSearch", {"query": "q", "results": [LONG], "durationSeconds": 1}),
        claude("ReadMcpResource", {"contents": [{"uri": "u", "text": LONG}]}),
        claude("TodoWrite", {"oldTodos": [], "newTodos": [{"content": LONG}]}),
        claude("Bash", bash(LONG, structuredContent=[{"type": "text"}])),
        claude("mcp__memory__read_graph", message(LONG)),
        claude("mcp__github__get_file_contents", message(LONG)),
        claude("mcp__fs__read_text_file", message(LONG)),
        claude("Bash", bash(LONG), command="cat src/main.py"),
        claude("Bash", bash(LONG), command="cd /repo && sed -n 1,400p src/main.py"),
        codex(LONG, command="head -n 900 notes.md"),
        codex(LONG, "apply_patch"),
        codex(picture(), "mcp__ci__shot"),
        copilot(LONG, "view"),
        cursor({"output": LONG, "exitCode": 0}, "Shell"),
        {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": LONG}},
        {"hook_event_name": "PostToolUse", "tool_response": None},
        [LONG],
        LONG,
        b"\xff\xfe" + LONG.encode(),
        b"[" * 100_000,
        b"",
    ],
)
def test_nothing_is_said_where_nothing_is_saved(hook: Hook, payload: Any) -> None:
    untouched(hook(payload))


@pytest.mark.parametrize("payload", [b"[" * 100_000, b"", {"hook_event_name": "PostToolUse", "tool_response": None}])
def test_a_process_says_nothing_either(hook: Hook, payload: Any) -> None:
    untouched(hook(payload, "-B"))


def test_gemini_cli_without_a_folder_to_read_from_keeps_its_result(hook: Hook, tmp_path: Path) -> None:
    untouched(hook(gemini(LONG, tmp_path / "gone")))
    untouched(hook(gemini([{"text": LONG}, {"inlineData": {}}], tmp_path)))


def test_our_own_page_is_never_compacted_again(hook: Hook) -> None:
    new = answered(hook(codex(LONG)))["stopReason"]
    untouched(hook(codex(new)))


def test_a_command_line_that_pipes_a_file_on_is_no_file_read(hook: Hook) -> None:
    shortened(answered(hook(codex(LONG, command="cat build.log | sort")))["stopReason"])


@pytest.mark.parametrize("name", ["results", ".local"])
def test_whatever_fails_leaves_the_result_as_it_was(hook: Hook, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("a file where a directory should be")
    done = hook(codex(LONG))
    untouched(done)
    assert b"the result stays as it was" in done.stderr


def test_policies_go_by_server_and_tool(hook: Hook, tmp_path: Path) -> None:
    (tmp_path / "mcpcompact.json").write_text(
        json.dumps(
            {
                "mcp_servers": {"ci": {"summarization": {"enabled": False}}},
                "tools": {"read_text_file": {"enabled": True}},
            }
        )
    )
    untouched(hook(claude("mcp__ci__build", message(LONG))))
    shortened(answered(hook(claude("mcp__fs__read_text_file", message(LONG))))["hookSpecificOutput"]
              ["updatedToolOutput"]["content"][0]["text"])  # fmt: skip


def test_a_broken_configuration_leaves_the_result_as_it_was(hook: Hook, tmp_path: Path) -> None:
    (tmp_path / "mcpcompact.json").write_text('{"defaults": {"budget_tokens": "many"}}')
    untouched(hook(codex(LONG)))


SECRET = "AKIA" + "IOSFODNN7EXAMPLQ"


def test_secrets_are_masked_where_the_configuration_says_so(hook: Hook, tmp_path: Path) -> None:
    payload = claude("Bash", bash(f"export AWS_ACCESS_KEY_ID={SECRET}\n"), command="cat .env")
    untouched(hook(payload))
    (tmp_path / "mcpcompact.json").write_text('{"defaults": {"mask": true}}')
    new = answered(hook(payload))["hookSpecificOutput"]["updatedToolOutput"]["stdout"]
    assert SECRET not in new and "AWS_ACCESS_KEY_ID=" in new
    untouched(hook(claude("Bash", bash(SHORT))))


def test_a_secret_beside_the_longest_text_is_masked_too(hook: Hook, tmp_path: Path) -> None:
    (tmp_path / "mcpcompact.json").write_text('{"defaults": {"mask": true}}')
    response = {**bash("nothing to see\n" * 4), "stderr": f"AWS_ACCESS_KEY_ID={SECRET}\n"}
    new = answered(hook(claude("Bash", response)))["hookSpecificOutput"]["updatedToolOutput"]
    assert new["stdout"] == response["stdout"] and SECRET not in new["stderr"] and "AWS_ACCESS_KEY_ID" in new["stderr"]
    assert not hook(claude("Bash", bash("nothing to see\n" * 4))).stdout


def test_a_result_that_cannot_be_masked_is_withheld(
    hook: Hook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(self: Masker, *_: object) -> Iterator[bytes]:
        raise MaskError("no masking today")

    monkeypatch.setattr(Masker, "blocks", failing)
    (tmp_path / "mcpcompact.json").write_text('{"defaults": {"mask": true}}')
    done = hook(claude("Bash", bash(f"export AWS_ACCESS_KEY_ID={SECRET}\n")))
    new = answered(done)["hookSpecificOutput"]["updatedToolOutput"]["stdout"]
    assert new == "[mcpcompact] the result is withheld, its secrets could not be masked (MaskError)"
    assert b"the result is withheld" in done.stderr


def test_a_small_result_imports_next_to_nothing(hook: Hook) -> None:
    done = hook(claude("Bash", bash(SHORT)), "-X", "importtime")
    loaded = {line.rsplit(b"|", 1)[-1].strip().decode() for line in done.stderr.splitlines()}
    untouched(done)
    assert "mcpcompact.hook.entry" not in loaded  # it is the main module
    ours = {name for name in loaded if name.startswith("mcpcompact")}
    assert ours == {"mcpcompact", "mcpcompact.hook", "mcpcompact.config"}
    done = hook(claude("Bash", bash(SHORT * 60)), "-X", "importtime")
    loaded = {line.rsplit(b"|", 1)[-1].strip().decode() for line in done.stderr.splitlines()}
    assert not loaded & {"typer", "rich", "click", "tiktoken", "mcpcompact.pipeline", "mcpcompact.cli"}
