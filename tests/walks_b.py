"""Counts of transcripts, calls, results and pairs by plain walks over the JSON, for the formats of ``test_formats_b``.

Nothing here comes from the readers: what is counted is what the formats' own descriptions say.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

Counted = tuple[int, int, int, int]
"""Transcripts, calls, results, results whose call is known."""


def lines(path: Path) -> Iterator[Any]:
    return (json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip())


def total(counts: Iterable[Counted]) -> Counted:
    rows = list(counts)
    return tuple(sum(column) for column in zip(*rows, strict=True))  # type: ignore[return-value]


def by_id(calls: list[Any], results: list[Any]) -> Counted:
    return 1, len(calls), len(results), sum(id in set(calls) for id in results)


def chat(messages: list[dict[str, Any]]) -> Counted:
    calls = [call["id"] for m in messages for call in m.get("tool_calls") or []]
    return by_id(calls, [m.get("tool_call_id") for m in messages if m["role"] == "tool"])


def openai_chat(path: Path) -> Counted:
    value = json.loads(path.read_bytes())
    if isinstance(value, dict):
        return chat(value["messages"])
    return total(chat(run["traj"]) for run in value) if "traj" in value[0] else chat(value)


def exchanges(path: Path, uri: str, key: str) -> list[tuple[dict[str, Any], Any]]:
    """Request and response (an object, or the events of a stream) of each exchange with the model."""
    found = []
    for line in lines(path):
        if uri in line["uri"] and isinstance(line["request"], dict) and key in line["request"]:
            answer = line["response"]
            if isinstance(answer, str):
                answer = [json.loads(e[5:]) for e in answer.split("\n") if e.startswith("data: {")]
            found.append((line["request"], answer))
    return found


def last_ones(found: list[tuple[dict[str, Any], Any]], shape: Callable[[Any], Any]) -> list[tuple[dict[str, Any], Any]]:
    """The exchanges whose messages no later request begins with, one for one: each is the end of a conversation."""
    ends: list[tuple[dict[str, Any], Any]] = []
    for request, answer in found:
        shapes = [shape(message) for message in request["messages"]]
        for earlier in reversed(ends):
            before = [shape(message) for message in earlier[0]["messages"]]
            if len(before) < len(shapes) and shapes[: len(before)] == before:
                ends.remove(earlier)
                break
        ends.append((request, answer))
    return ends


def openai_chat_api(path: Path) -> Counted:
    def shape(message: dict[str, Any]) -> Any:
        content = message.get("content")
        text = "".join(part.get("text", "") for part in content) if isinstance(content, list) else content or ""
        return message["role"], text, [call["id"] for call in message.get("tool_calls") or []]

    counts = []
    for request, answer in last_ones(exchanges(path, "/chat/completions", "messages"), shape):
        messages = list(request["messages"])
        if isinstance(answer, list):
            deltas = [choice["delta"] for event in answer for choice in event["choices"]]
            calls = [call for delta in deltas for call in delta.get("tool_calls") or [] if call.get("id")]
            messages.append({"role": "assistant", "tool_calls": calls})
        else:
            messages += [choice["message"] for choice in answer.get("choices", [])]
        counts.append(chat(messages))
    return total(counts)


def openai_responses(path: Path) -> Counted:
    """Of the last exchange of each conversation; one that names an earlier response has its items before its own."""

    def shape(item: dict[str, Any]) -> Any:
        content = item.get("content")
        return item.get("type") or "message", item.get("role"), item.get("call_id"), content and str(content)[:200]

    found, known = [], {}
    for request, answer in exchanges(path, "/responses", "input"):
        asked = (
            request["input"] if isinstance(request["input"], list) else [{"role": "user", "content": request["input"]}]
        )
        events = answer if isinstance(answer, list) else [{"response": answer}]
        whole = (events[-1].get("response") or {}) if events else {}
        items = [*known.get(request.get("previous_response_id"), []), *asked]
        known[whole.get("id")] = [*items, *(whole.get("output") or [])]
        found.append(
            ({"messages": [item for item in items if item.get("type") != "reasoning"]}, whole.get("output") or [])
        )
    counts = []
    for request, output in last_ones(found, shape):
        items = [*request["messages"], *output]
        kinds = [str(item.get("type")) for item in items]
        hosted = [
            item for item in items if item.get("type") in ("mcp_call", "web_search_call", "code_interpreter_call")
        ]
        calls = kinds.count("function_call") + kinds.count("tool_search_call") + len(hosted)
        answered = sum(bool(item.get("output") or item.get("error")) for item in hosted)
        results = kinds.count("function_call_output") + kinds.count("tool_search_output") + answered
        counts.append((1, calls, results, results))
    return total(counts)


def bedrock_converse(path: Path) -> Counted:
    def shape(message: dict[str, Any]) -> Any:
        kept = [block for block in message["content"] if "cachePoint" not in block and "toolResult" not in block]
        return message["role"], json.dumps(kept)

    counts = []
    for request, answer in last_ones(exchanges(path, "/converse", "messages"), shape):
        messages = [*request["messages"], answer.get("output", {}).get("message", {})]
        parts = [block for message in messages for block in message.get("content", [])]
        calls = [block["toolUse"]["toolUseId"] for block in parts if "toolUse" in block]
        counts.append(by_id(calls, [block["toolResult"]["toolUseId"] for block in parts if "toolResult" in block]))
    return total(counts)


def litellm_completion_log(path: Path) -> Counted:
    log = json.loads(path.read_bytes())
    answered = [choice["message"] for choice in log["response"]["choices"]]
    _, calls, results, pairs = chat([*log["messages"], *answered])
    told = sum(str(m["content"]).startswith("EXECUTION RESULT of [") for m in log["messages"] if m["role"] == "user")
    return 1, calls + told, results + told, pairs + told


def swe_agent_traj(path: Path) -> Counted:
    run = json.loads(path.read_bytes())
    steps = len(run["trajectory"]) if "trajectory" in run else sum(m["role"] == "tool" for m in run["history"])
    return 1, steps, steps, steps


def mini_swe_agent(path: Path) -> Counted:
    value = json.loads(path.read_bytes())
    messages = value["messages"] if isinstance(value, dict) else value
    roles = [message["role"] for message in messages]
    results = roles[roles.index("assistant") :].count("user")
    return 1, results, results, results


def openhands_events(path: Path) -> Counted:
    events = [json.loads(file.read_bytes()) for file in path.glob("event-*.json")]
    answers = ("ObservationEvent", "UserRejectObservation", "AgentErrorEvent")
    calls = [event["tool_call_id"] for event in events if event["kind"] == "ActionEvent"]
    return by_id(calls, [event["tool_call_id"] for event in events if event["kind"] in answers])


def autogen_history(path: Path) -> Counted:
    history = json.loads(path.read_bytes())["history"]
    results = sum(message["name"] == "Computer_terminal" for message in history)
    return 1, results, results, results


def magentic_history(path: Path) -> Counted:
    history = json.loads(path.read_bytes())["history"]
    results = sum(message["role"] in ("WebSurfer", "FileSurfer", "ComputerTerminal") for message in history)
    return 1, results, results, results


def jupyter_trajectory(path: Path) -> Counted:
    cells = sum(cell["cell_type"] == "code" for cell in json.loads(path.read_bytes())["cells"])
    return 1, cells, cells, cells


def langchain_messages(path: Path) -> Counted:
    messages = [(message["id"][-1], message["kwargs"]) for message in json.loads(path.read_bytes())]
    calls = [call["id"] for _, kwargs in messages for call in kwargs.get("tool_calls") or []]
    return by_id(calls, [kwargs["tool_call_id"] for kind, kwargs in messages if kind == "ToolMessage"])


def mcp_jsonrpc(path: Path) -> Counted:
    calls, results = [], []
    for line in lines(path):
        message = line["message"]
        if line["dir"] == "send" and message.get("method") == "tools/call":
            calls.append(message["id"])
        elif line["dir"] == "recv" and message.get("id") in calls and "method" not in message:
            results.append(message["id"])
    return by_id(calls, results)


WALKS = {
    walk.__name__: walk
    for walk in (
        openai_chat,
        openai_chat_api,
        openai_responses,
        bedrock_converse,
        litellm_completion_log,
        swe_agent_traj,
        mini_swe_agent,
        openhands_events,
        autogen_history,
        magentic_history,
        jupyter_trajectory,
        langchain_messages,
        mcp_jsonrpc,
    )
}
