"""The answers to Claude Code, held against the types that it ships, of every built-in tool (``shapes.js`` says how)."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from test_hook import claude

from mcpcompact.hook.run import answer

SHAPES = Path(__file__).with_name("shapes.js")
NAMES = {
    "FileRead": "Read",
    "FileEdit": "Edit",
    "FileWrite": "Write",
    "Mcp": "mcp__ci__build",
}  # others say theirs
CHANGED = {"Bash", "Grep", "WebFetch", "mcp__ci__build"}


def node(text: str = "") -> str:
    packages = [Path(folder) for folder in os.environ.get("NODE_PATH", "").split(os.pathsep) if folder]
    if not all(any((p / name).exists() for p in packages) for name in ("typescript", "@anthropic-ai/claude-agent-sdk")):
        pytest.skip("NODE_PATH names no folder with typescript (5) and @anthropic-ai/claude-agent-sdk")
    done = subprocess.run(["node", SHAPES], input=text, capture_output=True, text=True, timeout=120)
    assert not done.returncode, done.stderr
    return done.stdout.strip()


def test_answers_are_of_the_shipped_types(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "MCPCOMPACT_RESULTS_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    pairs: list[tuple[str, Any]] = json.loads(node())
    pairs += [  # what a picture or structured content would exclude
        (kind, {key: value for key, value in given.items() if key not in ("isImage", "structuredContent")})
        for kind, given in pairs
        if kind == "BashOutput"
    ]
    changed = []
    for kind, given in pairs:
        name = kind.removesuffix("Output")
        tool = NAMES.get(name, name)
        said = answer(json.dumps(claude(tool, given)).encode(), pytest.fail)
        if said:
            changed.append((kind, json.loads(said)["hookSpecificOutput"]["updatedToolOutput"]))
            assert tool in CHANGED
            new = changed[-1][1]
            if isinstance(given, dict) and isinstance(new, dict):  # one text is another, all but a cut file as it was
                assert sum(new.get(key) != value for key, value in given.items() if "persisted" not in key) == 1
                assert new.keys() <= given.keys()
    assert {NAMES.get(kind.removesuffix("Output"), kind.removesuffix("Output")) for kind, _ in changed} == CHANGED
    assert node(json.dumps(pairs)) == "", "the payloads themselves"
    assert node(json.dumps(changed)) == ""
