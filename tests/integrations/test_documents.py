"""The examples of docs/hook.md, docs/proxy.md and docs/integrations.md, run as they stand."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, environment

LONG = "".join(f"2026-01-01 00:00:{i % 60:02d} INFO unit step {i} ok\n" for i in range(600)) + "ERROR disk full\n"


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / "docs" / f"{page}.md").read_text("utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def run(words: list[str], folder: Path, input: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    assert words[0] == "mcpcompact"
    code = f"import sys; from mcpcompact.cli.app import entry; sys.argv[1:1] = ['{words[1]}']; entry()"
    command = [sys.executable, "-c", code, *words[2:]]
    return subprocess.run(command, input=input, capture_output=True, cwd=folder, env=environment(folder), timeout=60)


def test_the_commands_of_the_hooks_page(tmp_path: Path) -> None:
    payload = {
        "session_id": "s1",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "make"},
        "tool_response": {"stdout": LONG, "stderr": "", "interrupted": False},
        "tool_use_id": "toolu_1",
    }
    (tmp_path / "payload.json").write_text(json.dumps(payload))
    shown: list[str] = []
    for line in "".join(blocks("hook", "sh")).splitlines():
        words, _, given = line.partition(" < ")
        if "report" in words:
            session(tmp_path / "session.jsonl", shown[-1])
        done = run(shlex.split(words), tmp_path, (tmp_path / given).read_bytes() if given else b"")
        assert done.returncode == 0, (line, done.stderr)
        if given:
            shown.append(json.loads(done.stdout)["hookSpecificOutput"]["updatedToolOutput"]["stdout"])
    said = done.stdout.decode().splitlines()
    (promised,) = blocks("hook", "text")
    assert [re.sub(r"[\d,]+", "N", line) for line in said] == [
        re.sub(r"[\d,]+", "N", line) for line in promised.splitlines()
    ]
    for name in re.findall(r"`(mcpcompact hook install [\w-]+)`", (ROOT / "docs/hook.md").read_text("utf-8")):
        assert run([*shlex.split(name), "--dry-run"], tmp_path).returncode == 0


def session(path: Path, text: str) -> None:
    lines: list[Any] = [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": text}]},
        {"role": "assistant", "content": [{"type": "text", "text": "done"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "really"}]},
    ]
    records = [{"type": line["role"], "sessionId": "s1", "uuid": f"u{n}", "message": {"id": f"m{n}", **line}}
               for n, line in enumerate(lines)]  # fmt: skip
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def test_the_commands_of_the_proxys_page(tmp_path: Path) -> None:
    (command, _) = "".join(blocks("proxy", "sh")).splitlines()
    server = ROOT / "tests/integrations/mcp_server.py"
    words = [{"python": sys.executable, "server.py": str(server)}.get(word, word) for word in shlex.split(command)]
    done = run(words, tmp_path, b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"2"}}\n')
    names = [tool["name"] for tool in json.loads(done.stdout)["result"]["tools"]]
    assert names[-2:] == ["mcpcompact_get", "mcpcompact_grep"]
    (settings,) = blocks("proxy", "json")
    (configured,) = json.loads(settings)["mcpServers"].values()
    assert [configured["command"], configured["args"][0]] == ["mcpcompact", "proxy"]


def search(question: str) -> str:
    """Search something."""
    return f"{question}\n{LONG}"


@pytest.mark.parametrize("code", blocks("integrations", "python"), ids=lambda code: code.split("\n")[1].split()[1])
def test_the_examples_of_the_middlewares_page(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in re.findall(r"^from (langchain|agents|pydantic_ai|fastmcp)\b", code, re.MULTILINE):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    names: dict[str, Any] = {"search": search, "model": model_for(code)}
    exec(compile(code, "docs/integrations.md", "exec"), names)
    if "text" in names:
        assert names["text"].startswith("[mcpcompact] search") and "disk full" in names["text"]


def model_for(code: str) -> Any:
    if "langchain" in code:
        from langchain_core.language_models import GenericFakeChatModel

        return GenericFakeChatModel(messages=iter(()))
    if "pydantic_ai" in code:
        from pydantic_ai.models.test import TestModel

        return TestModel()
    return None
