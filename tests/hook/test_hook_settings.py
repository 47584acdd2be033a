"""``mcpcompact hook install, uninstall, doctor, report`` through their commands, in a home of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, environment

HOSTS = {
    "claude-code": (".claude/settings.json", "PostToolUse"),
    "codex": (".codex/hooks.json", "PostToolUse"),
    "gemini-cli": (".gemini/settings.json", "AfterTool"),
    "copilot-cli": (".copilot/hooks/mcpcompact.json", "postToolUse"),
    "cursor": (".cursor/hooks.json", "postToolUse"),
}
LONG = "".join(f"2026-01-01 00:00:{i % 60:02d} INFO unit step {i} ok\n" for i in range(600))
Hook = Callable[..., "subprocess.CompletedProcess[str]"]
APP = "import sys; from mcpcompact.cli.app import entry; sys.argv[1:1] = ['hook']; entry()"


@pytest.fixture
def hook(door: Run) -> Hook:
    def run(*args: object, **env: str) -> subprocess.CompletedProcess[str]:
        done = door("hook", *args, **env)
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def answer(tmp_path: Path) -> Callable[[str], Any]:
    """What a process of ours answers to a host's payload."""

    def run(payload: str) -> Any:
        command, env = [sys.executable, "-c", APP], environment(tmp_path)
        done = subprocess.run(command, input=payload.encode(), capture_output=True, cwd=tmp_path, env=env)
        return json.loads(done.stdout)

    return run


def commands(value: Any) -> list[str]:
    """Every command of ours in some settings."""
    if isinstance(value, dict):
        return [c for key, item in value.items() for c in ([item] if key in ("command", "bash") else commands(item))]
    return [c for item in value for c in commands(item)] if isinstance(value, list) else []


@pytest.mark.parametrize("name", HOSTS)
def test_install_and_uninstall_leave_no_trace(hook: Hook, tmp_path: Path, name: str) -> None:
    path = tmp_path / HOSTS[name][0]
    tried = hook("install", name, "--dry-run")
    assert tried.returncode == 0 and "+++" in tried.stdout and not path.exists()
    done = hook("install", name)
    assert (done.returncode, done.stdout) == (0, tried.stdout)
    settings = json.loads(path.read_text())
    assert len(commands(settings["hooks"][HOSTS[name][1]])) == 1
    again = hook("install", name)
    assert again.returncode == 0 and again.stdout == "" and "installed already" in again.stderr
    assert json.loads(path.read_text()) == settings
    assert hook("uninstall", name).returncode == 0
    assert not path.exists()
    assert "not installed" in hook("uninstall", name).stderr


@pytest.mark.parametrize("name", ["claude-code", "gemini-cli", "codex", "cursor"])
def test_other_hooks_and_settings_stay_as_they_are(hook: Hook, tmp_path: Path, name: str) -> None:
    file, event = HOSTS[name]
    path = tmp_path / file
    other = {"matcher": "Write", "hooks": [{"type": "command", "command": "prettier --write"}]}
    before = json.dumps({"theme": "dark", "hooks": {event: [other], "Stop": [other]}, "äö": [1.5]}, indent=4) + "\n"
    path.parent.mkdir(parents=True)
    path.write_text(before)
    path.chmod(0o640)
    assert hook("install", name).returncode == 0
    settings = json.loads(path.read_text())
    assert settings["hooks"][event][0] == other and len(settings["hooks"][event]) == 2
    assert path.stat().st_mode & 0o777 == 0o640
    assert path.with_name(path.name + ".before-mcpcompact").read_text() == before
    assert hook("uninstall", name).returncode == 0
    assert json.loads(path.read_text()) == json.loads(before)
    assert (
        "    " in path.read_text() or json.dumps(json.loads(before), indent=4, ensure_ascii=False) in path.read_text()
    )


def test_an_older_command_of_ours_is_replaced_within_its_group(hook: Hook, tmp_path: Path) -> None:
    path = tmp_path / ".claude/settings.json"
    path.parent.mkdir()
    mine = {"type": "command", "command": "/old/bin/mcpcompact-hook"}
    path.write_text(json.dumps({"hooks": {"PostToolUse": [{"hooks": [mine, {"type": "command", "command": "x"}]}]}}))
    assert hook("install", "claude-code").returncode == 0
    assert [c for c in commands(json.loads(path.read_text())) if c.startswith("/old")] == []
    assert "x" in commands(json.loads(path.read_text()))


@pytest.mark.parametrize("text", ['{\n  // mine\n  "a": 1\n}', '{"hooks": {"PostToolUse": {}}}', "[]", '{"a":1,"a":2}'])
def test_settings_that_would_lose_something_are_not_touched(hook: Hook, tmp_path: Path, text: str) -> None:
    path = tmp_path / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text(text)
    done = hook("install", "claude-code")
    assert done.returncode != 0 and "nothing was changed" in done.stderr
    assert path.read_text() == text and len(list(path.parent.iterdir())) == 1


def test_a_linked_settings_file_stays_a_link(hook: Hook, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.json"
    kept.write_text("{}")
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/settings.json").symlink_to(kept)
    assert hook("install", "claude-code").returncode == 0
    assert (tmp_path / ".claude/settings.json").is_symlink() and commands(json.loads(kept.read_text()))


def test_the_hosts_own_variable_and_a_project_are_respected(hook: Hook, tmp_path: Path) -> None:
    assert hook("install", "claude-code", CLAUDE_CONFIG_DIR=str(tmp_path / "elsewhere")).returncode == 0
    assert commands(json.loads((tmp_path / "elsewhere/settings.json").read_text()))
    assert hook("install", "codex", "--project").returncode == 0
    assert (tmp_path / ".codex/hooks.json").is_file()


def test_doctor_runs_what_the_settings_name(hook: Hook, tmp_path: Path) -> None:
    for name in HOSTS:
        assert hook("install", name).returncode == 0
    done = hook("doctor", PATH="/usr/bin:/bin")
    assert done.returncode == 0, done.stdout
    for name in HOSTS:
        assert any(line.startswith(f"{name}: ") and " works, " in line for line in done.stdout.splitlines()), name
    assert not (tmp_path / "results").exists(), "the sample is kept nowhere"
    assert not (tmp_path / ".local/state/mcpcompact/deliveries.ndjson").exists()


def test_doctor_says_what_is_wrong(hook: Hook, tmp_path: Path) -> None:
    path = tmp_path / ".claude/settings.json"
    path.parent.mkdir()
    for command, wrong in (
        ("/gone/mcpcompact-hook", "exit code 127"),
        ("true mcpcompact-hook", "says nothing"),
        ("echo mcpcompact-hook", "no JSON"),
    ):
        path.write_text(json.dumps({"hooks": {"PostToolUse": [{"hooks": [{"type": "command", "command": command}]}]}}))
        done = hook("doctor")
        assert done.returncode == 1 and wrong in done.stdout
    program = tmp_path / "bin/claude"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho '2.1.99 (Claude Code)'\n")
    program.chmod(0o755)
    assert "2.1.121 does" in hook("doctor", PATH=f"{program.parent}:/usr/bin:/bin").stdout


def test_doctor_says_where_there_is_nothing_and_what_it_cannot_read(hook: Hook, tmp_path: Path) -> None:
    done = hook("doctor", PATH="/usr/bin:/bin")
    assert done.returncode == 0 and "hook: installed nowhere: mcpcompact hook install HOST" in done.stdout
    path = tmp_path / ".gemini/settings.json"
    path.parent.mkdir()
    path.write_text('{\n  // added by hand: mcpcompact-hook\n  "hooks": {}\n}')
    program = tmp_path / "bin/gemini"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho 0.61.0\n")
    program.chmod(0o755)
    told = hook("doctor", PATH=f"{program.parent}:/usr/bin:/bin").stdout
    assert "is not plain JSON" in told and "without the hook" not in told and "installed nowhere" not in told
    path.write_text("{}")
    assert "gemini-cli: is here, without the hook" in hook("doctor", PATH=f"{program.parent}:/usr/bin:/bin").stdout


@pytest.mark.parametrize(
    ("name", "switch"),
    [("claude-code", {"disableAllHooks": True}), ("gemini-cli", {"hooksConfig": {"enabled": False}})],
)
def test_doctor_sees_that_all_hooks_are_off(hook: Hook, tmp_path: Path, name: str, switch: dict[str, Any]) -> None:
    path = tmp_path / HOSTS[name][0]
    path.parent.mkdir()
    path.write_text(json.dumps(switch))
    assert hook("install", name).returncode == 0
    done = hook("doctor")
    assert done.returncode == 1 and "switches all hooks off" in done.stdout


def test_doctor_runs_one_file_once(hook: Hook, tmp_path: Path) -> None:
    """In the home directory the user's settings are those of the project, too."""
    assert hook("install", "cursor").returncode == 0
    assert hook("doctor").stdout.count("cursor: ") == 1


def payload(call: str) -> str:
    return json.dumps(
        {
            "session_id": "5e55",
            "hook_event_name": "PostToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": "make"},
            "tool_response": {"stdout": f"{call}\n{LONG}", "stderr": "", "interrupted": False},
            "tool_use_id": call,
        }
    )


def said(role: str, *blocks: dict[str, Any], id: str = "") -> str:
    line = {"type": role, "sessionId": "5e55", "uuid": f"u{id}", "parentUuid": None, "message": {"role": role}}
    line["message"] |= {"content": list(blocks)} | ({"id": f"m{id}", "model": "claude"} if role == "assistant" else {})
    return json.dumps(line)


def called(call: str, command: str) -> str:
    return said("assistant", {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}}, id=call)


def result(call: str, text: str) -> str:
    return said("user", {"type": "tool_result", "tool_use_id": call, "content": text})


def test_report_proves_what_the_model_saw(hook: Hook, answer: Callable[[str], Any], tmp_path: Path) -> None:
    """Three replacements: one seen, one dropped by the host, one cut by it; the first fetched again once."""
    texts = {}
    for call in ("seen", "dropped", "cut"):
        reply = answer(payload(call))
        texts[call] = reply["hookSpecificOutput"]["updatedToolOutput"]["stdout"]
    journal = (tmp_path / ".local/state/mcpcompact/deliveries.ndjson").read_text().splitlines()
    first = json.loads(journal[0])
    lines = [said("user", {"type": "text", "text": "go"})]
    lines += [called("seen", "make"), result("seen", texts["seen"])]
    lines += [called("dropped", "make"), result("dropped", f"dropped\n{LONG}")]
    lines += [called("cut", "make"), result("cut", texts["cut"][:500])]
    lines += [called("again", f"mcpcompact results get {first['reference']} --lines 1:2"), result("again", "two lines")]
    lines += [said("assistant", {"type": "text", "text": "done"}, id="end")]
    session = tmp_path / "5e55.jsonl"
    session.write_text("\n".join(lines) + "\n")
    found = json.loads(hook("report", "--json", session).stdout)
    assert (found["replacements"], found["delivered"], found["cut"], found["notDelivered"]) == (3, 1, 1, 1)
    assert found["fetched"] == 1
    spared = first["before"] - first["after"]
    assert found["savedOnce"] == spared
    assert found["savedAsBilled"] == 4 * spared - found["fetchedTokens"]  # four calls follow it
    told = hook("report", session).stdout
    assert "delivered 1 of 3, 1 cut by the host" in told and "not delivered: Bash dropped" in told
    assert hook("report", tmp_path / "nothing.jsonl").returncode == 65
    other = tmp_path / "0ther.jsonl"
    other.write_text("\n".join([said("user", {"type": "text", "text": "go"}), called("x", "make"), result("x", "ok")]))
    assert "no replacement" in hook("report", other).stdout


def test_report_finds_replacements_of_hosts_that_name_no_call(
    hook: Hook, answer: Callable[[str], Any], tmp_path: Path
) -> None:
    """Gemini CLI: one text seen inside what ``read_file`` says around it, one result that came as it was."""
    (tmp_path / "chats").mkdir()
    said, shown = [], []
    for number in (1, 2):
        text = f"run {number}\n{LONG}"
        payload = {
            "session_id": "g1",
            "transcript_path": str(tmp_path / "chats/g1.json"),
            "hook_event_name": "AfterTool",
            "tool_name": "run_shell_command",
            "tool_input": {"command": "make"},
            "tool_response": {"llmContent": text, "returnDisplay": ""},
        }
        reply = answer(json.dumps(payload))
        path = reply["hookSpecificOutput"]["tailToolCallRequest"]["args"]["file_path"]
        shown.append(f"--- file ---\n{Path(path).read_text()}\n--- end ---" if number == 1 else text)
    for number, text in enumerate(shown):
        answer = {"functionResponse": {"id": f"c{number}", "name": "t", "response": {"output": text}}}
        calls = [{"id": f"c{number}", "name": "run_shell_command", "args": {}, "result": [answer]}]
        said.append({"id": f"m{number}", "type": "gemini", "content": "", "toolCalls": calls})
    session = tmp_path / "recorded.json"
    session.write_text(json.dumps({"sessionId": "g1", "projectHash": "x", "messages": said}))
    found = json.loads(hook("report", "--json", session).stdout)
    assert (found["replacements"], found["delivered"], found["notDelivered"]) == (2, 1, 1)
