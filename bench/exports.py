"""Sessions that were exported as Markdown, as messages of Anthropic's API: ``bench.outside`` draws from them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_TURN = re.compile(r"^### (User|Assistant)\n> [^\n]*\n\n(.*?)\n\n(?=---$)", re.M | re.S)
"""One message of a session: its role, and its text or its content blocks as JSON."""
_SAID = re.compile(r"^_\*\*(User|Agent)\b[^\n]*\*\*_\n", re.M)
"""The head of a message in the Markdown of SpecStory."""
_USED = re.compile(
    r'<tool-use data-tool-type="[a-z]+" data-tool-name="(?P<tool>[^"]+)">\s*<details>\s*'
    r"<summary>(?P<told>[^\n]*)</summary>\n(?P<body>.*?)\n</details>\s*</tool-use>",
    re.S,
)
_RESULT = re.compile(r"\n```(?:text|json)?\n(?P<result>(?:(?!\n```(?:text|json)?\n).)*)\n```\s*(?:Status: .*)?$", re.S)
"""The last fence of a tool's use, which holds its result."""
_NAMED = re.compile(r"([a-z_]+) `([^`\n]*)`")
_FENCED = re.compile(r"```(?:bash|json)\n(.*?)\n```", re.S)
_LONE = re.compile(r"^ ?`([^`\n]+)`$", re.M)


def messages(exported: str) -> bytes:
    """The messages of an export, as JSON."""
    turns = list(_saved(exported)) if "<tool-use " in exported else list(_turns(exported))
    return json.dumps({"messages": turns}).encode()


def _turns(exported: str) -> Iterator[dict[str, Any]]:
    for role, said in _TURN.findall(exported):
        try:
            content = json.loads(said) if said.startswith("[") else said
        except ValueError:
            content = said
        yield {"role": role.lower(), "content": content}


def _saved(exported: str) -> Iterator[dict[str, Any]]:
    """The messages of SpecStory's Markdown; a use whose result cannot be told from its arguments is left out."""
    parts = _SAID.split(exported)
    for role, said in zip(parts[1::2], parts[2::2], strict=True):
        text = _USED.sub("", said).strip("\n -")
        if text:
            yield {"role": "user" if role == "User" else "assistant", "content": text}
        for n, used in enumerate(_USED.finditer(said)):
            found = _RESULT.search(used["body"])
            if found is None:
                continue
            name = f"toolu_{used.start()}_{n}_{len(said)}"
            asked = _arguments(used["tool"], used["told"], used["body"][: found.start()])
            yield {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": name, "name": used["tool"], "input": asked}],
            }
            yield {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": name, "content": found["result"]}],
            }


def _arguments(tool: str, told: str, before: str) -> dict[str, Any]:
    """What the tool was called with, as far as the export tells it."""
    fenced = _FENCED.search(before)
    if fenced and fenced[1].startswith("{"):
        try:
            return dict(json.loads(fenced[1]))
        except ValueError:
            return {}
    if fenced:
        return {"command": fenced[1]}
    lone = _LONE.search(before)
    if lone and tool in ("Read", "Write", "Edit"):
        return {"file_path": lone[1]}
    if lone and "command" not in told:
        return {"command": lone[1]}
    named = dict(_NAMED.findall(before))
    return named or {"description": told.replace(f"Tool use: **{tool}**", "").strip(" •")}
