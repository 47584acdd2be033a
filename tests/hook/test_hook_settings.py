"""``mcpcompact hook install, uninstall, doctor, report`` through their commands, in a home of their own."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir
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
    def run(*args: object, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
        done = door("hook", *args, cwd=cwd, **env)
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
    assert path.read_text() == json.dumps(settings, indent=4) + "\n"  # laid out as the file is
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


@pytest.mark.parametrize(
    "text", ['{\n  // mine\n  "a": 1\n}', '{"hooks": {"PostToolUse": {}}}', "[]", '{"a":1,"a":2}', '{"a": NaN}']
)
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


PROJECTS = {
    name: ".github/hooks/mcpcompact.json" if name == "copilot-cli" else file for name, (file, _) in HOSTS.items()
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Another directory than the home."""
    (tmp_path / "checkout").mkdir()
    return tmp_path / "checkout"


@pytest.mark.parametrize("kind", ["symlink", "relative", "dangling", "hard", "pipe"])
@pytest.mark.parametrize("name", HOSTS)
def test_no_backup_is_written_through_what_stands_in_its_place(
    hook: Hook, tmp_path: Path, checkout: Path, name: str, kind: str
) -> None:
    path, victim = checkout / PROJECTS[name], tmp_path / "bashrc"
    path.parent.mkdir(parents=True)
    path.write_text('{"x": 1}')
    if kind != "dangling":
        victim.write_text("precious")
    backup = path.with_name(f"{path.name}.before-mcpcompact")
    if kind == "hard":
        os.link(victim, backup)
    elif kind == "pipe":
        os.mkfifo(backup)
    else:
        backup.symlink_to(os.path.relpath(victim, path.parent) if kind == "relative" else victim)
    done = hook("install", name, "--project", cwd=checkout)
    assert done.returncode == 73 and "before-mcpcompact is no file of its own; remove it" in done.stderr
    assert path.read_text() == '{"x": 1}'
    away = backup.rename(tmp_path / "away")
    assert hook("install", name, "--project", cwd=checkout).returncode == 0
    backup.unlink()
    away.rename(backup)
    assert hook("uninstall", name, "--project", cwd=checkout).returncode == 0
    assert json.loads(path.read_text()).keys() <= {"x", "version"}
    assert victim.read_text() == "precious" if kind != "dangling" else not victim.exists()


@pytest.mark.parametrize("name", HOSTS)
@pytest.mark.parametrize("kind", ["file", "relative", "inside", "folder", "dangling", "loop"])
def test_a_projects_settings_stay_in_the_project(
    hook: Hook, tmp_path: Path, checkout: Path, name: str, kind: str
) -> None:
    path, other = checkout / PROJECTS[name], tmp_path / "other"
    other.mkdir()
    (other / path.name).write_text("{}")
    (checkout / "inside.json").write_text("{}")
    if kind in ("folder", "dangling"):
        path.parent.parent.mkdir(exist_ok=True)
        path.parent.symlink_to(other if kind == "folder" else tmp_path / "new")
    else:
        path.parent.mkdir(parents=True)
        targets = {"file": other / path.name, "inside": checkout / "inside.json", "loop": path}
        path.symlink_to(targets.get(kind) or os.path.relpath(other / path.name, path.parent))
    for command in ("install", "uninstall"):
        for more in ((), ("--dry-run",)):
            done = hook(command, name, "--project", *more, cwd=checkout)
            assert (done.returncode, done.stdout, done.stderr.count("\n")) == (78, "", 1)
            assert "is a link, or leads out of the project" in done.stderr
    assert [each.read_text() for each in (other / path.name, checkout / "inside.json")] == ["{}", "{}"]
    assert len(list(other.iterdir())) == 1 and not (tmp_path / "new").exists()


@pytest.mark.parametrize("kind", ["pipe", "device", "huge", "folder", "socket"])
def test_only_a_file_of_some_size_is_read(hook: Hook, tmp_path: Path, kind: str) -> None:
    path = tmp_path / ".gemini/settings.json"
    path.parent.mkdir()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as server, chdir(path.parent):
            server.bind(path.name)
    else:
        path.write_bytes(b" " * ((1 << 20) + 1))
    for command in ("install", "uninstall"):
        done = hook(command, "gemini-cli")
        assert done.returncode == 78 and "cannot read" in done.stderr and done.stderr.count("\n") == 1
    assert "cannot read" in hook("doctor").stdout


AS_WRITTEN = {
    "numbers": '{"big": 1e400, "f": 1.10, "neg": -0, "long": 0.1234567890123456789012345, "n": ' + "9" * 6000 + "}",
    "crlf": '{\r\n\t"a": 1,\r\n\t"permissions": {"allow": []}\r\n}\r\n',
    "escapes": '{"u": "\\ud800", "v": "\\u00e9\\/", "w": "\u2028\u00a0 x"}\n',
    "minified": '{"a":1,"b":[1,2,{"c":null}]}',
    "three": '{\n   "a": [ 1, 2 ],\n   "b":{}\n}',
    "empty": "",
    "blank": "\n\n",
    "braces": "{ }",
    "spread": "{\n}\n",
    "no event": '{"hooks": { "Stop": [] }, "z": 1.0}',
    "no hooks": '{\n  "hooks": {},\n  "z": 1.0\n}\n',
    "no entries": '{\n  "hooks": {\n    "EVENT": [\n    ]\n  }\n}\n',
    "other hooks": '{\n  "hooks": {"EVENT": [{"command": "mine", "timeout": 1.50},\n   {"hooks": [1, null]}]\n }}\n',
    "odd entries": '{"hooks": {"EVENT": [1,{"hooks":null},{"hooks":{}},{"hooks":[1,{"command":5}]},{"hooks":[]}]}}',
}


@pytest.mark.parametrize("case", AS_WRITTEN)
@pytest.mark.parametrize("name", HOSTS)
def test_settings_stay_as_they_were_written(hook: Hook, tmp_path: Path, name: str, case: str) -> None:
    file, event = HOSTS[name]
    path, before = tmp_path / file, AS_WRITTEN[case].replace("EVENT", event).encode()
    path.parent.mkdir(parents=True)
    path.write_bytes(before)
    path.chmod(0o640)
    done = hook("install", name)
    assert done.returncode == 0 and "backup: " in done.stderr
    written = path.read_bytes().decode()
    parsed = json.loads(written, parse_int=str, parse_float=str)
    assert len([command for command in commands(parsed) if "mcpcompact" in command]) == 1
    inner = before.decode().strip().removeprefix("{").removesuffix("}").rstrip()
    assert case not in ("numbers", "crlf", "escapes", "minified", "three") or inner in written
    assert ("\n" in written.replace("\r\n", "")) == (
        case not in ("numbers", "crlf", "minified", "no event", "odd entries")
    )
    assert hook("install", name).stderr.count("installed already") == 1
    for _ in range(2):
        assert hook("uninstall", name).returncode == 0
        assert path.read_bytes() == before and path.stat().st_mode & 0o777 == 0o640
        assert hook("install", name).returncode == 0
        assert path.with_name(f"{path.name}.before-mcpcompact").read_bytes() == before


def test_a_later_change_stays_and_so_does_the_first_backup(hook: Hook, tmp_path: Path) -> None:
    path = tmp_path / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text('{"f": 1.10}')
    assert hook("install", "claude-code").returncode == 0
    path.write_text(path.read_text().replace("1.10", "1.20"))
    assert hook("uninstall", "claude-code").returncode == 0
    assert path.read_text() == '{"f": 1.20}'
    done = hook("install", "claude-code")
    assert done.returncode == 0 and "backup" not in done.stderr
    assert path.with_name("settings.json.before-mcpcompact").read_text() == '{"f": 1.10}'


def test_a_backup_with_the_hook_in_it_is_not_brought_back(hook: Hook, tmp_path: Path) -> None:
    path = tmp_path / ".cursor/hooks.json"
    assert hook("install", "cursor").returncode == 0
    path.with_name("hooks.json.before-mcpcompact").write_text(path.read_text())
    assert hook("uninstall", "cursor").returncode == 0 and not path.exists()


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


@pytest.fixture
def entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in the place of ours, beside the interpreter that runs."""
    monkeypatch.setattr("sys.executable", str(tmp_path / "env/python"))
    program = tmp_path / "env/mcpcompact-hook"
    program.parent.mkdir()
    program.touch(0o755)
    return program


def test_doctor_says_what_is_wrong(hook: Hook, tmp_path: Path, entry_point: Path) -> None:
    assert hook("install", "claude-code").returncode == 0
    for script, wrong in (
        ("exit 9", "exit code 9"),
        ("true", "says nothing"),
        ("echo so", "no JSON"),
        ("echo []", "no reply"),
    ):
        entry_point.write_text(f"#!/bin/sh\n{script}\n")
        done = hook("doctor")
        assert done.returncode == 1 and wrong in done.stdout
    program = tmp_path / "bin/claude"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho '2.1.99 (Claude Code)'\n")
    program.chmod(0o755)
    assert "2.1.121 does" in hook("doctor", PATH=f"{program.parent}:/usr/bin:/bin").stdout


@pytest.mark.parametrize(
    "command", ["touch run; mcpcompact-hook", "./mcpcompact-hook", "touch run\nmcpcompact-hook\x9b"]
)
@pytest.mark.parametrize("name", HOSTS)
def test_doctor_runs_no_command_but_the_one_that_install_writes(
    hook: Hook, tmp_path: Path, checkout: Path, name: str, command: str
) -> None:
    planted = checkout / "mcpcompact-hook"
    planted.write_text("#!/bin/sh\ntouch run\n")
    planted.chmod(0o755)
    home = tmp_path / "home"
    assert hook("install", name, "--project", cwd=checkout).returncode == 0
    settings = (checkout / PROJECTS[name]).read_text()
    settings = settings.replace(json.dumps(commands(json.loads(settings))[0]), json.dumps(command))
    for path, code in ((checkout / PROJECTS[name], 0), (home / HOSTS[name][0], 1)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(settings)
        done = hook("doctor", cwd=checkout, HOME=str(home))
        told = [line for line in done.stdout.splitlines() if f"{path.name}: not run" in line]
        assert done.returncode == code and told and all(line.endswith(json.dumps(command)) for line in told)
    assert not list(tmp_path.rglob("run"))


def test_doctor_runs_no_command_of_a_project(hook: Hook, tmp_path: Path, checkout: Path, entry_point: Path) -> None:
    """Not even the right one."""
    entry_point.write_text(f"#!/bin/sh\ntouch {tmp_path}/run\n")
    assert hook("install", "codex", "--project", cwd=checkout).returncode == 0
    done = hook("doctor", cwd=checkout)
    assert "not run" in done.stdout and not (tmp_path / "run").exists()


def test_no_program_of_the_working_directory_is_run_or_installed(
    hook: Hook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty part of PATH means the working directory, which may be anybody's."""
    for program in ("mcpcompact-hook", "claude"):
        (tmp_path / program).write_text("#!/bin/sh\ntouch run\n")
        (tmp_path / program).chmod(0o755)
    monkeypatch.setattr("sys.executable", str(tmp_path / "env/python"))
    assert hook("install", "claude-code", PATH=":.:/usr/bin:/bin").returncode == 0
    (command,) = commands(json.loads((tmp_path / ".claude/settings.json").read_text()))
    assert command == f"{tmp_path}/env/python -P -m mcpcompact.hook.entry"
    hook("doctor", PATH=":.:/usr/bin:/bin")
    assert not (tmp_path / "run").exists()


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
