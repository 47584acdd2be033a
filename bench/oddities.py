"""Small recordings that no reader is for, written after the documentation of the tools that they come from, and
damaged ones of two formats that are read."""

from __future__ import annotations

import gzip
import io
import json
import random
import re
import zipfile
from collections.abc import Callable
from typing import Any

RESULT = "total 8\n-rw-r--r-- 1 me me 120 setup.py\n"
ARGUMENTS = {"command": "ls -l"}
FUNCTION = {"name": "shell", "arguments": ARGUMENTS}


def said(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content} | more


def rows(*values: Any) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


STRANGERS: dict[str, Any] = {
    "goose session": rows(
        {"working_dir": "/w", "description": "t"},
        said("user", [{"type": "text", "text": "list"}], created=1),
        said("assistant", [{"type": "toolRequest", "id": "t1", "toolCall": {"status": "success", "value": FUNCTION}}]),
        said("user", [{"type": "toolResponse", "id": "t1", "toolResult": {"value": [{"text": RESULT}]}}]),
    ),
    "amp thread": {"id": "T-1", "messages": [
        said("user", [{"type": "text", "text": "list"}]),
        said("assistant", [{"type": "tool_use", "id": "t1", "name": "Bash", "input": ARGUMENTS}]),
        said("user", [{"type": "tool_result", "toolUseID": "t1", "run": {"status": "done", "result": RESULT}}]),
    ]},
    "zed thread": {"version": "0.3.0", "messages": [
        {"User": {"content": [{"Text": "list"}]}},
        {"Agent": {"content": [{"ToolUse": {"id": "t1", "name": "terminal", "input": ARGUMENTS}}],
                   "tool_results": {"t1": {"output": RESULT}}}},
    ]},
    "letta messages": [
        {"message_type": "tool_call_message", "tool_call": FUNCTION | {"tool_call_id": "t1"}},
        {"message_type": "tool_return_message", "tool_return": RESULT, "tool_call_id": "t1"},
    ],
    "semantic kernel history": [
        {"Role": {"Label": "user"}, "Items": [{"$type": "TextContent", "Text": "list"}]},
        {"Role": {"Label": "tool"}, "Items": [{"$type": "FunctionResultContent", "CallId": "t1", "Result": RESULT}]},
    ],
    "bot framework activities": [
        {"type": "message", "from": {"role": "user"}, "text": "list"},
        {"type": "event", "name": "tool", "value": {"result": RESULT}},
    ],
    "dify messages": {"data": [
        {"id": "m1", "query": "list", "answer": "a file",
         "agent_thoughts": [{"tool": "shell", "tool_input": "{}", "observation": RESULT}]},
    ]},
    "flowise messages": [
        {"role": "userMessage", "content": "list"},
        {"role": "apiMessage", "content": "a file", "usedTools": [{"tool": "shell", "toolOutput": RESULT}]},
    ],
    "smolagents steps": [
        {"step_number": 1, "model_output": "…", "tool_calls": [{"id": "t1", "function": FUNCTION}],
         "observations": RESULT},
    ],
    "crewai task log": [{"task_name": "t", "agent": "a", "status": "completed", "output": RESULT}],
    "ai sdk ui messages": [
        {"id": "1", "role": "user", "parts": [{"type": "text", "text": "list"}]},
        {"id": "2", "role": "assistant",
         "parts": [{"type": "tool-shell", "toolCallId": "t1", "state": "output-available", "output": RESULT}]},
    ],
    "ai sdk 4 messages": [
        said("user", "list"),
        said("assistant", "", toolInvocations=[{"toolCallId": "t1", "toolName": "shell", "result": RESULT}]),
        said("assistant", "a file"),
    ],
    "mastra messages": [
        {"id": "m1", "threadId": "h1", **said("user", {"format": 2, "parts": [{"type": "text", "text": "list"}]})},
        {"id": "m2", "threadId": "h1", **said("assistant", {"format": 2, "parts": [
            {"type": "tool-invocation", "toolInvocation": {
                "state": "result", "toolCallId": "t1", "toolName": "shell", "args": ARGUMENTS, "result": RESULT}},
        ]})},
    ],
    "llamaindex messages": [
        {"role": "assistant", "additional_kwargs": {"tool_calls": [FUNCTION]}, "blocks": []},
        {"role": "tool", "additional_kwargs": {"tool_call_id": "t1"}, "blocks": [{"text": RESULT}]},
    ],
    "haystack messages": [
        said("user", [{"text": "list"}]),
        said("assistant", [{"tool_call": {"tool_name": "shell", "arguments": ARGUMENTS, "id": "t1"}}]),
        said("tool", [{"tool_call_result": {"result": RESULT, "error": False}}]),
    ],
    "pydantic ai messages": [
        {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "list"}]},
        {"kind": "response", "parts": [{"part_kind": "tool-call", "tool_name": "shell", "args": ARGUMENTS}]},
        {"kind": "request", "parts": [{"part_kind": "tool-return", "tool_name": "shell", "content": RESULT}]},
    ],
    "dspy history": [{"prompt": None, "messages": [said("user", "list")], "outputs": ["a file"], "usage": {}}],
    "cohere chat": {"chat_history": [
        {"role": "USER", "message": "list"},
        {"role": "CHATBOT", "message": "", "tool_calls": [{"name": "shell", "parameters": ARGUMENTS}]},
        {"role": "TOOL", "tool_results": [{"call": {"name": "shell"}, "outputs": [{"text": RESULT}]}]},
    ]},
    "rasa tracker": {"sender_id": "s", "events": [
        {"event": "user", "text": "list"}, {"event": "action", "name": "shell"}, {"event": "bot", "text": RESULT},
    ]},
    "trae trajectory": {"task": "list", "model": "m", "llm_interactions": [
        {"input_messages": [said("user", "list")], "response": {"content": "", "tool_calls": [FUNCTION]}}],
        "agent_steps": [{"step_number": 1, "tool_results": [{"call_id": "t1", "result": RESULT}]}]},
}  # fmt: skip

CALLS = 6


def claude() -> list[Any]:
    base = {"sessionId": "s", "cwd": "/w", "isSidechain": False}
    found: list[Any] = [base | {"type": "user", "uuid": "u0", "message": said("user", "go")}]
    for n in range(CALLS):
        use = {"type": "tool_use", "id": f"t{n}", "name": "Bash", "input": ARGUMENTS}
        message = said("assistant", [use], id=f"m{n}", model="m", usage={"input_tokens": 5, "output_tokens": 2})
        answer = {"type": "tool_result", "tool_use_id": f"t{n}", "content": f"{RESULT}{n}"}
        found.append(base | {"type": "assistant", "uuid": f"a{n}", "message": message})
        found.append(base | {"type": "user", "uuid": f"u{n + 1}", "message": said("user", [answer])})
    return found


def chat() -> list[Any]:
    found = [said("user", "go")]
    for n in range(CALLS):
        call = {"id": f"t{n}", "function": {"name": "shell", "arguments": json.dumps(ARGUMENTS)}}
        found += [said("assistant", None, tool_calls=[call]), said("tool", f"{RESULT}{n}", tool_call_id=f"t{n}")]
    return found


LINES, DOCUMENT = rows(*claude()), json.dumps(chat()).encode()


def zipped(data: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("session", data)
    return packed.getvalue()


def flipped(data: bytes) -> bytes:
    """A quotation mark in 20 is another character."""
    chance = random.Random(0)
    return bytes(0x27 if byte == 0x22 and chance.random() < 0.05 else byte for byte in data)


def without(values: list[Any], gone: Callable[[Any], bool]) -> bytes:
    return rows(*(value for value in values if not gone(value)))


DAMAGED: dict[str, bytes] = {
    "lines, cut in one": LINES[: len(LINES) * 2 // 3],
    "lines, the first half gone": LINES[len(LINES) // 2 :],
    "lines, quotes flipped": flipped(LINES),
    "lines, every third garbage": b"\n".join(
        line if n % 3 else b"\0\xff" + line[:40] for n, line in enumerate(LINES.split(b"\n"))
    ),
    "lines, joined without line ends": LINES.replace(b"\n", b""),
    "lines, results gone": without(claude(), lambda line: line["type"] == "user" and line["uuid"] != "u0"),
    "lines, calls gone": without(claude(), lambda line: line["type"] == "assistant"),
    "lines, texts emptied": re.sub(rb'"content": "total[^"]*"', b'"content": ""', LINES),
    "lines, types renamed": LINES.replace(b'"tool_result"', b'"tool_answer"'),
    "lines, half of the records renamed": LINES.replace(b'"type": "user", "uuid"', b'"type": "person", "uuid"'),
    "lines, gz cut": gzip.compress(LINES)[:-20],
    "lines, zip cut": zipped(LINES)[:-30],
    "lines, UTF-16 cut in a character": LINES.decode().encode("utf-16")[:-1001],
    "document, cut": DOCUMENT[: len(DOCUMENT) // 2],
    "document, beginning gone": DOCUMENT[len(DOCUMENT) // 2 :],
    "document, quotes flipped": flipped(DOCUMENT),
    "document, twice in a file": DOCUMENT + DOCUMENT,
    "document, roles renamed": DOCUMENT.replace(b'"role": "tool"', b'"role": "instrument"'),
    "document, ids lost": DOCUMENT.replace(b'"tool_call_id": "t', b'"tool_call_id": "x'),
    "document, contents nulled": json.dumps([m | {"content": None} for m in chat()]).encode(),
}
"""Of ``CALLS`` calls and results each, before the damage."""
