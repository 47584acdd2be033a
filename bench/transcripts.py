"""Throw-away readers of recorded sessions, for the evidence bench only, until the library reads transcripts itself.

Every reader turns one document into a flat list of events in order. They are forgiving: what does
not look as expected is skipped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MESSAGE, SAID, CALL, RESULT = "message", "said", "call", "result"


@dataclass(slots=True)
class Event:
    """``kind`` is message (user, system), said (assistant), call or result. ``arguments`` of a call."""

    kind: str
    text: str = ""
    tool: str = ""
    id: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)


Events = list[Event]


def strings(value: Any) -> str:
    """All leaves of a value as text, one a line: escapes of JSON would glue letters to identifiers."""
    out: list[str] = []
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            stack.extend(reversed(item.values()))
        elif isinstance(item, list):
            stack.extend(reversed(item))
        elif item is not None:
            out.append(str(item))
    return "\n".join(out)


def blocks(content: Any) -> str:
    """Text of a content that is a string, a list of typed blocks, or nothing."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = []
        for block in content:
            if isinstance(block, str):
                parts.append(block)
            elif isinstance(block, dict):
                text = block.get("text")
                if text is None and "json" in block:
                    text = json.dumps(block["json"])
                if text is None and isinstance(block.get("content"), str):
                    text = block["content"]
                if isinstance(text, str):
                    parts.append(text)
        return "\n".join(parts)
    if isinstance(content, dict):
        return content.get("text") or content.get("output") or json.dumps(content)
    return ""


def arguments(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {"input": value}
    return value if isinstance(value, dict) else {"input": value} if value is not None else {}


def chat(messages: list[Any]) -> Events:
    """OpenAI's chat messages."""
    out: Events = []
    for m in messages:
        if not isinstance(m, dict):
            continue
        role, text = m.get("role"), blocks(m.get("content"))
        if role in ("tool", "function"):
            out.append(Event(RESULT, text, str(m.get("name") or ""), str(m.get("tool_call_id") or "")))
            continue
        if role == "assistant":
            out.append(Event(SAID, text))
            for call in [
                *(m.get("tool_calls") or []),
                *([{"function": m["function_call"]}] if m.get("function_call") else []),
            ]:
                function = call.get("function") or call
                name = function.get("name") if isinstance(function, dict) else function
                values = function.get("arguments") if isinstance(function, dict) else call.get("arguments")
                out.append(Event(CALL, "", str(name), str(call.get("id") or ""), arguments(values)))
        elif role == "user" and text.startswith(("OBSERVATION:", "EXECUTION RESULT of", "<returncode>")):
            said = next((e for e in reversed(out) if e.kind == SAID), None)
            if said is not None:
                out.append(Event(CALL, "", "", "", {"input": said.text}))
            out.append(Event(RESULT, text))
        else:
            out.append(Event(MESSAGE, text))
    return out


def anthropic(messages: list[Any]) -> Events:
    """Anthropic's messages; server tools stand inside the assistant's message."""
    out: Events = []
    for m in messages:
        if not isinstance(m, dict):
            continue
        role, content = m.get("role"), m.get("content")
        if isinstance(content, str):
            out.append(Event(SAID if role == "assistant" else MESSAGE, content))
            continue
        for b in content or []:
            kind = b.get("type") if isinstance(b, dict) else None
            if kind == "text":
                out.append(Event(SAID if role == "assistant" else MESSAGE, b.get("text") or ""))
            elif kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
                out.append(Event(CALL, "", str(b.get("name")), str(b.get("id")), arguments(b.get("input"))))
            elif kind and kind.endswith("tool_result"):
                out.append(Event(RESULT, blocks(b.get("content")), "", str(b.get("tool_use_id"))))
    return out


def responses(items: Any) -> Events:
    """Items of OpenAI's Responses, which Codex' rollouts wrap too."""
    if isinstance(items, str):
        return [Event(MESSAGE, items)]
    out: Events = []
    for p in items or []:
        kind = p.get("type") if isinstance(p, dict) else None
        if kind in ("function_call", "custom_tool_call", "local_shell_call"):
            values = p.get("arguments") or p.get("input") or p.get("action")
            out.append(Event(CALL, "", str(p.get("name") or kind), str(p.get("call_id")), arguments(values)))
        elif kind in ("function_call_output", "custom_tool_call_output", "local_shell_call_output"):
            text = blocks(p.get("output"))
            if text.startswith('{"output"'):
                text = arguments(text).get("output") or text
            out.append(Event(RESULT, str(text), "", str(p.get("call_id"))))
        elif kind == "mcp_call":
            out.append(Event(CALL, "", str(p.get("name")), str(p.get("id")), arguments(p.get("arguments"))))
            out.append(Event(RESULT, blocks(p.get("output")), "", str(p.get("id"))))
        elif kind == "message" or (isinstance(p, dict) and "role" in p):
            out.append(Event(SAID if p.get("role") == "assistant" else MESSAGE, blocks(p.get("content"))))
    return out


def gemini(contents: list[Any]) -> Events:
    out: Events = []
    for c in contents:
        for part in (c.get("parts") if isinstance(c, dict) else None) or []:
            call, result = part.get("functionCall"), part.get("functionResponse")
            if call:
                out.append(
                    Event(
                        CALL,
                        "",
                        str(call.get("name")),
                        str(call.get("id") or call.get("name")),
                        arguments(call.get("args")),
                    )
                )
            elif result:
                answer = result.get("response") or {}
                text = answer.get("output") or answer.get("result") or answer.get("return_value") or answer
                text = text if isinstance(text, str) else json.dumps(text)
                out.append(Event(RESULT, text, str(result.get("name")), str(result.get("id") or result.get("name"))))
            elif isinstance(part.get("text"), str):
                out.append(Event(SAID if c.get("role") == "model" else MESSAGE, part["text"]))
    return out


def bedrock(messages: list[Any]) -> Events:
    out: Events = []
    for m in messages:
        for b in m.get("content") or []:
            if "toolUse" in b:
                use = b["toolUse"]
                out.append(
                    Event(CALL, "", str(use.get("name")), str(use.get("toolUseId")), arguments(use.get("input")))
                )
            elif "toolResult" in b:
                out.append(
                    Event(RESULT, blocks(b["toolResult"].get("content")), "", str(b["toolResult"].get("toolUseId")))
                )
            elif "text" in b:
                out.append(Event(SAID if m.get("role") == "assistant" else MESSAGE, b["text"]))
    return out


# One function a format: the path of a file to its transcripts.


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8", errors="replace") as stream:
        for line in stream:
            try:
                value = json.loads(line)
            except ValueError:
                continue
            if isinstance(value, dict):
                yield value


def _document(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8", errors="replace"))


def _claude_code(path: Path) -> Iterator[Events]:
    messages = [
        line["message"] for line in _lines(path) if line.get("type") in ("user", "assistant") and "message" in line
    ]
    yield anthropic(messages)


def _codex(path: Path) -> Iterator[Events]:
    yield responses([line.get("payload") for line in _lines(path) if line.get("type") == "response_item"])


def _copilot(path: Path) -> Iterator[Events]:
    out: Events = []
    for line in _lines(path):
        kind, data = line.get("type"), line.get("data") or {}
        if kind == "user.message":
            out.append(Event(MESSAGE, data.get("content") or ""))
        elif kind == "assistant.message":
            out.append(Event(SAID, data.get("content") or ""))
            for call in data.get("toolRequests") or []:
                out.append(
                    Event(
                        CALL, "", str(call.get("name")), str(call.get("toolCallId")), arguments(call.get("arguments"))
                    )
                )
        elif kind == "tool.execution_complete":
            out.append(
                Event(RESULT, blocks((data.get("result") or {}).get("content")), "", str(data.get("toolCallId")))
            )
    yield out


def _gemini_cli(path: Path) -> Iterator[Events]:
    out: Events = []
    for m in _document(path).get("messages") or []:
        out.append(Event(SAID if m.get("type") == "gemini" else MESSAGE, blocks(m.get("content"))))
        for call in m.get("toolCalls") or []:
            out.append(Event(CALL, "", str(call.get("name")), str(call.get("id")), arguments(call.get("args"))))
            found = [
                part.get("functionResponse", {}).get("response", {})
                for part in call.get("result") or []
                if isinstance(part, dict)
            ]
            out.append(
                Event(
                    RESULT,
                    "\n".join(str(r.get("output") or r.get("error") or "") for r in found),
                    "",
                    str(call.get("id")),
                )
            )
    yield out


def _opencode(path: Path) -> Iterator[Events]:
    out: Events = []
    for m in _document(path).get("messages") or []:
        said = SAID if (m.get("info") or {}).get("role") == "assistant" else MESSAGE
        for number, part in enumerate(m.get("parts") or []):
            if part.get("type") == "text":
                out.append(Event(said, part.get("text") or ""))
            elif part.get("type") == "tool":
                state, key = part.get("state") or {}, f"{len(out)}.{number}"
                out.append(Event(CALL, "", str(part.get("tool")), key, arguments(state.get("input"))))
                out.append(Event(RESULT, str(state.get("output") or state.get("error") or ""), "", key))
    yield out


def _pi(path: Path) -> Iterator[Events]:
    out: Events = []
    for line in _lines(path):
        m = line.get("message") or {}
        if m.get("role") == "toolResult":
            out.append(Event(RESULT, blocks(m.get("content")), str(m.get("toolName")), str(m.get("toolCallId"))))
            continue
        said = SAID if m.get("role") == "assistant" else MESSAGE
        content = m.get("content")
        for b in [{"type": "text", "text": content}] if isinstance(content, str) else content or []:
            if b.get("type") == "toolCall":
                out.append(Event(CALL, "", str(b.get("name")), str(b.get("id")), arguments(b.get("arguments"))))
            elif b.get("type") == "text":
                out.append(Event(said, b.get("text") or ""))
    yield out


def _openai_chat(path: Path) -> Iterator[Events]:
    document = _document(path)
    for entry in document if isinstance(document, list) else [document]:
        messages = entry.get("traj") or entry.get("messages") or entry.get("conversations") or []
        yield chat(json.loads(messages) if isinstance(messages, str) else messages)


def _exchanges(pick: str, read: Callable[[list[Any]], Events]) -> Callable[[Path], Iterator[Events]]:
    """Recorded HTTP exchanges: every request repeats the history, so the longest one is the session."""

    def reader(path: Path) -> Iterator[Events]:
        best: list[Any] = []
        for line in _lines(path):
            request = line.get("request")
            items = request.get(pick) if isinstance(request, dict) else None
            if isinstance(items, list) and len(items) >= len(best):
                response = line.get("response")
                best = items + _answer(response) if isinstance(response, dict) else items
        yield read(best)

    return reader


def _answer(response: dict[str, Any]) -> list[Any]:
    """The assistant's part of a response, in the shape of a message of the same interface."""
    if isinstance(response.get("choices"), list):
        return [choice.get("message") for choice in response["choices"][:1]]
    if isinstance(response.get("candidates"), list):
        return [candidate.get("content") or {} for candidate in response["candidates"][:1]]
    message = (response.get("output") or {}).get("message") if isinstance(response.get("output"), dict) else None
    if message:
        return [message]
    if isinstance(response.get("output"), list):
        return list(response["output"])
    return [{"role": "assistant", "content": response["content"]}] if isinstance(response.get("content"), list) else []


def _litellm(path: Path) -> Iterator[Events]:
    document = _document(path)
    yield chat([*(document.get("messages") or []), *_answer(document.get("response") or {})])


def _langchain(path: Path) -> Iterator[Events]:
    roles = {"HumanMessage": "user", "AIMessage": "assistant", "ToolMessage": "tool", "SystemMessage": "system"}
    messages = []
    for entry in _document(path):
        values = entry.get("kwargs") or {}
        calls = [
            {"id": c.get("id"), "function": {"name": c.get("name"), "arguments": c.get("args")}}
            for c in values.get("tool_calls") or []
        ]
        messages.append({**values, "role": roles.get(entry.get("id", [""])[-1], "user"), "tool_calls": calls})
    yield chat(messages)


def _swe_agent(path: Path) -> Iterator[Events]:
    document = _document(path)
    first = [
        blocks(m.get("content"))
        for m in document.get("history") or []
        if m.get("role") in ("system", "user") and not m.get("is_demo")
    ]
    out = [Event(MESSAGE, text) for text in first[:2]]
    for number, step in enumerate(document.get("trajectory") or []):
        if "action" not in step:
            out.append(Event(SAID if step.get("role") == "ai" else RESULT, str(step.get("text") or "")))
            continue
        out += [
            Event(SAID, str(step.get("thought") or "")),
            Event(CALL, "", "bash", str(number), {"command": step.get("action") or ""}),
            Event(RESULT, str(step.get("observation") or ""), "", str(number)),
        ]
    yield out


def _mini_swe(path: Path) -> Iterator[Events]:
    document = _document(path)
    yield chat(document if isinstance(document, list) else document.get("messages") or [])


def _jupyter(path: Path) -> Iterator[Events]:
    out: Events = []
    for number, cell in enumerate(_document(path).get("cells") or []):
        source = "".join(cell.get("source") or [])
        if cell.get("cell_type") != "code":
            out.append(Event(MESSAGE if number < 2 else SAID, source))
            continue
        texts = []
        for output in cell.get("outputs") or []:
            text = output.get("text") or (output.get("data") or {}).get("text/plain") or output.get("traceback") or ""
            texts.append("".join(text) if isinstance(text, list) else str(text))
        out += [
            Event(CALL, "", "execute", str(number), {"code": source}),
            Event(RESULT, "".join(texts), "", str(number)),
        ]
    yield out


def _mcp(path: Path) -> Iterator[Events]:
    out: Events = []
    for line in _lines(path):
        m = line.get("message") or {}
        if m.get("method") == "tools/call":
            values = m.get("params") or {}
            out.append(Event(CALL, "", str(values.get("name")), str(m.get("id")), arguments(values.get("arguments"))))
        elif isinstance(m.get("result"), dict) and "content" in m["result"]:
            out.append(Event(RESULT, blocks(m["result"]["content"]), "", str(m.get("id"))))
    yield out


def _openhands(directory: Path) -> Iterator[Events]:
    out: Events = []
    for path in sorted(directory.glob("event-*.json")):
        event = _document(path)
        key = str(event.get("tool_call_id"))
        if event.get("kind") == "ActionEvent":
            out.append(Event(SAID, blocks(event.get("thought"))))
            call = event.get("tool_call") or {}
            out.append(
                Event(
                    CALL, "", str(event.get("tool_name")), key, arguments(call.get("arguments") or event.get("action"))
                )
            )
        elif event.get("kind") == "ObservationEvent":
            out.append(Event(RESULT, blocks((event.get("observation") or {}).get("content")), "", key))
        elif event.get("kind") == "MessageEvent":
            out.append(Event(MESSAGE, blocks((event.get("llm_message") or {}).get("content"))))
    yield out


READERS: dict[str, Callable[[Path], Iterator[Events]]] = {
    "claude_code": _claude_code,
    "codex_rollout": _codex,
    "copilot_cli": _copilot,
    "gemini_cli": _gemini_cli,
    "opencode": _opencode,
    "pi_session": _pi,
    "openai_chat": _openai_chat,
    "openai_chat_api": _exchanges("messages", chat),
    "anthropic_messages": _exchanges("messages", anthropic),
    "openai_responses": _exchanges("input", responses),
    "gemini_api": _exchanges("contents", gemini),
    "bedrock_converse": _exchanges("messages", bedrock),
    "litellm_completion_log": _litellm,
    "langchain_messages": _langchain,
    "swe_agent_traj": _swe_agent,
    "mini_swe_agent": _mini_swe,
    "jupyter_trajectory": _jupyter,
    "mcp_jsonrpc": _mcp,
    "openhands_events": _openhands,
}


def transcripts(directory: Path) -> Iterator[tuple[str, str, Events]]:
    """All transcripts of a corpus: format, name, events. Results get the tool and arguments of their call."""
    for name, reader in READERS.items():
        folder = directory / name
        if not folder.is_dir():
            continue
        paths = (
            sorted({p.parent for p in folder.rglob("event-*.json")})
            if name == "openhands_events"
            else sorted(folder.rglob("*.*"))
        )
        for path in paths:
            if path.is_dir() != (name == "openhands_events"):
                continue
            try:
                found = list(reader(path))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                print(f"skipped {name}/{path.name}: {type(error).__name__}: {error}")
                continue
            for number, events in enumerate(found):
                pair(events)
                yield name, f"{path.name}#{number}" if len(found) > 1 else path.name, events


def pair(events: Events) -> None:
    """Give each result its call's tool and arguments: by id, else the nearest call before it without a result."""
    open_calls: dict[str, Event] = {}
    last: Event | None = None
    for event in events:
        if event.kind == CALL:
            last = event
            if event.id:
                open_calls[event.id] = event
        elif event.kind == RESULT:
            call = open_calls.get(event.id) if event.id else last
            if call is not None:
                event.tool, event.arguments = call.tool or event.tool, call.arguments
