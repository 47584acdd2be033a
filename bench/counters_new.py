"""Independent counters of recordings: plain walks over what the formats say, in some ten lines each, which share no
code with the readers that they check. Of each file: sessions, model calls, calls, results, their characters, the prompt
and output tokens of all model calls that have them (``usage``), errors; None for what a plain walk cannot tell."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

Counted = dict[str, Any]


def _counted(sessions: int, calls: int, texts: list[str], usages: list[tuple[int, int]], **more: int) -> Counted:
    prompt, output = sum(used[0] for used in usages), sum(used[1] for used in usages)
    counted = {"sessions": sessions, "model_calls": more.get("spoken", len(usages)), "calls": calls}
    counted |= {"results": len(texts), "characters": sum(map(len, texts))}
    return counted | {"usage": (prompt, output), "errors": more.get("errors", 0)}


def _lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def cline_sdk(path: Path) -> Counted:
    root = json.loads(path.read_text("utf-8"))
    blocks = [(m["role"], b) for m in root["messages"] for b in m["content"]]
    texts = []
    for _, block in blocks:
        if block["type"] == "tool_result":
            inner = block["content"]
            texts.append(inner if isinstance(inner, str) else "\n".join(part["result"] for part in inner))
    used = [(m["metrics"]["inputTokens"], m["metrics"]["outputTokens"]) for m in root["messages"] if "metrics" in m]
    return _counted(1, sum(b["type"] == "tool_use" for _, b in blocks), texts, used)


def responses_items(path: Path) -> Counted:
    items = json.loads(path.read_text("utf-8"))
    kinds = [item.get("type", "message") + item.get("role", "") for item in items]
    model = ("function_call", "messageassistant")  # a message and the calls behind it are one response
    spoken = sum(a in model and b not in model for a, b in zip(kinds, [*kinds[1:], ""], strict=True))
    texts = [item["output"]["text"] for item in items if item.get("type") == "function_call_result"]
    return _counted(1, kinds.count("function_call"), texts, [], spoken=spoken)


def vscode_chat_export(path: Path) -> Counted:
    def leaves(node: Any) -> Iterator[dict[str, Any]]:
        if isinstance(node, dict):
            yield node
            for child in node.get("children", ()):
                yield from leaves(child)

    def told(node: Any) -> str:
        text = ""
        for leaf in leaves(node):  # a break stands only where no other does
            text += "\n" * (bool(leaf.get("lineBreakBefore")) and text[-1:] not in ("", "\n")) + leaf.get("text", "")
        return text

    found, calls, rounds = [], 0, 0
    for request in json.loads(path.read_text("utf-8"))["requests"]:
        about = request["result"]["metadata"]
        rounds += len(about["toolCallRounds"])
        calls += sum(len(turn["toolCalls"]) for turn in about["toolCallRounds"])
        for answer in about.get("toolCallResults", {}).values():
            parts = [part["value"] for part in answer["content"]]
            found.append("\n".join(p if isinstance(p, str) else told(p["node"]) for p in parts))
    return _counted(1, calls, found, [], spoken=rounds)


def langfuse_trace(path: Path) -> Counted:
    """Of generations within generations the inner one is the call; a tool's span is its call and its result."""
    spans = json.loads(path.read_text("utf-8"))["observations"]
    parents = {span["id"]: span.get("parentObservationId") for span in spans}
    made = [s for s in spans if s["type"] == "GENERATION" and s["usageDetails"].get("input")]
    around = set()
    for span in made:
        outer = parents[span["id"]]
        while outer:
            around.add(outer)
            outer = parents.get(outer)
    used = [(s["usageDetails"]["input"], s["usageDetails"].get("output", 0)) for s in made if s["id"] not in around]
    tools = [s for s in spans if s["type"] == "TOOL" or '"openinference.span.kind":"TOOL"' in str(s["metadata"])]
    named = [s for s in spans if s["name"].startswith("tool.") and s["name"].endswith("Tool")]
    search = [s for s in spans if s["name"] == "Web-Search"]
    texts = [s["output"] for s in (*tools, *named, *search) if s["output"]]
    plain = [json.loads(t) if t[:1] == '"' or t[:11] == '{"content":' else t for t in texts]
    counted = _counted(1, len(texts), [t["content"] if isinstance(t, dict) else t for t in plain], used)
    return counted | ({"characters": None} if "{}" in texts else {})  # which then stands in a message only


def otel_spans(path: Path) -> Counted:
    root = json.loads(path.read_text("utf-8"))
    spans = [s["attributes"] for s in (root if isinstance(root, list) else root["spans"])]
    keys = [("gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens")]
    keys += [("llm.token_count.prompt", "llm.token_count.completion")]
    used = [
        next((s[a], s[b]) for a, b in keys if a in s)
        for s in spans
        if any(a in s for a, _ in keys)
        and s.get("gen_ai.operation.name") != "invoke_agent"
        and s.get("openinference.span.kind", "LLM") == "LLM"
        and "gcp.vertex.agent.llm_request" not in s
    ]
    tools = {json.dumps(s, sort_keys=True): s for s in spans if "gen_ai.tool.name" in s or "tool.name" in s}
    ids = {value for s in spans for key, value in s.items() if key.endswith(("tool_call.id", "tool.call.id"))}
    names = ("gen_ai.tool.call.result", "gcp.vertex.agent.tool_response", "output.value")
    told = {str(next((s[name] for name in names if name in s), "")) for s in tools.values()}
    texts = [json.loads(text)["result"] if text.startswith('{"result"') else text for text in told]
    counted = _counted(1, max(len(ids), len(tools)), texts, used)
    whole = len(ids) <= len(told) and "" not in told  # else some stand in messages only
    return counted if whole else counted | dict.fromkeys(("results", "characters", "errors"))


def inspect_eval(path: Path) -> Counted:
    """Usage is that of the calls whose message is there; of logs before messages had ids, in their order."""
    sessions, spoken, calls, texts, errors, usages = 0, 0, 0, list[str](), 0, list[Any]()
    with zipfile.ZipFile(path) as archive:
        for name in (name for name in archive.namelist() if name.startswith("samples/")):
            sample = json.loads(archive.read(name))
            sessions += 1
            said = [m.get("id") for m in sample["messages"] if m["role"] == "assistant" and m.get("source") != "input"]
            told = [
                e["output"] for e in sample.get("events") or () if e.get("event") == "model" and e["output"]["choices"]
            ]
            own = {o["choices"][0]["message"].get("id"): o["usage"] for o in told if o.get("usage")}
            old = [o["usage"] for o in told if "id" not in o["choices"][0]["message"]]
            usages += old[: len(said)] if old else [used for id, used in own.items() if id in said]
            for message in sample["messages"]:
                spoken += message["role"] == "assistant"
                calls += len(message.get("tool_calls") or ())
                if message["role"] == "tool":
                    content, error = message["content"], message.get("error")
                    plain = content if isinstance(content, str) else "\n".join(b.get("text", "") for b in content)
                    plain = sample.get("attachments", {}).get(plain.removeprefix("attachment://"), plain)
                    texts.append(plain or (error or {}).get("message", ""))
                    errors += error is not None
    keys = ("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write")
    used = [(sum(u.get(key) or 0 for key in keys), u.get("output_tokens", 0)) for u in usages]
    return _counted(sessions, calls, texts, used, spoken=spoken, errors=errors)


def openhands_v0(path: Path) -> Counted:
    runs = [r["history"] for r in _lines(path)] if path.suffix == ".jsonl" else [json.loads(path.read_text("utf-8"))]
    asked = {"run", "read", "write", "edit", "browse", "browse_interactive", "run_ipython", "think", "finish"}
    calls, texts, used, spoken, errors = 0, [], {}, 0, 0
    for run in runs:
        own = {e["id"] for e in run if e["source"] == "agent" and e.get("action") in asked}
        calls += len(own)
        spoken += len(own) + sum(e["source"] == "agent" and e.get("action") == "message" for e in run)
        answers = [event for event in run if event.get("cause") in own]
        texts += [event["content"] for event in answers]
        for event in answers:
            code = event.get("extras", {}).get("metadata", {}).get("exit_code", 0)
            errors += event["observation"] == "error" or event.get("success") is False or code > 0
        for event in run:
            response = (event.get("tool_call_metadata") or {}).get("model_response")
            if response and "action" in event:
                used[response["id"]] = (response["usage"]["prompt_tokens"], response["usage"]["completion_tokens"])
    return _counted(len(runs), calls, texts, list(used.values()), spoken=spoken, errors=errors)


def atif(path: Path) -> Counted:
    steps = json.loads(path.read_text("utf-8"))["steps"]
    own = [step for step in steps if step["source"] == "agent" and not step.get("is_copied_context")]
    texts = [r["content"] for step in own for r in step.get("observation", {}).get("results", ())]
    used = [(s["metrics"]["prompt_tokens"], s["metrics"]["completion_tokens"]) for s in own if "metrics" in s]
    calls = sum(len(step.get("tool_calls") or step.get("observation", {}).get("results", ())) for step in own)
    return _counted(1, calls, texts, used)


def adk_session(path: Path) -> Counted:
    events = [e.get("content") or {} for e in json.loads(path.read_text("utf-8"))["events"]]
    parts = [part for content in events for part in content.get("parts", ())]
    answers = [part["function_response"]["response"] for part in parts if "function_response" in part]
    one = [next(iter(a.values())) if len(a) == 1 and isinstance(next(iter(a.values())), str) else None for a in answers]
    texts = [plain or json.dumps(a, ensure_ascii=False) for plain, a in zip(one, answers, strict=True)]
    spoken = sum(content.get("role") == "model" for content in events)
    return _counted(1, sum("function_call" in part for part in parts), texts, [], spoken=spoken)


def crush_db(path: Path) -> Counted:
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as base:
        sessions = base.execute("select prompt_tokens, completion_tokens from sessions").fetchall()
        messages = [(role, json.loads(parts)) for role, parts in base.execute("select role, parts from messages")]
    parts = [part for _, message in messages for part in message]
    answers = [part["data"] for part in parts if part["type"] == "tool_result"]
    calls = sum(part["type"] == "tool_call" for part in parts)
    spoken = sum(role == "assistant" and any(p["type"] in ("text", "tool_call") for p in m) for role, m in messages)
    errors = sum(answer["is_error"] for answer in answers)
    return _counted(len(sessions), calls, [a["content"] for a in answers], sessions, spoken=spoken, errors=errors)


def kimi_cli(path: Path) -> Counted:
    events = [line["event"] for line in _lines(path) if line["type"] == "context.append_loop_event"]
    answers = [event["result"] for event in events if event["type"] == "tool.result"]
    steps = [event["usage"] for event in events if event["type"] == "step.end"]
    used = [(u["inputOther"] + u["inputCacheRead"] + u["inputCacheCreation"], u["output"]) for u in steps]
    errors = sum(answer.get("isError", False) for answer in answers)
    calls = sum(event["type"] == "tool.call" for event in events)
    return _counted(1, calls, [answer["output"] for answer in answers], used, errors=errors)


def browser_use(path: Path) -> Counted:
    steps = json.loads(path.read_text("utf-8"))["history"]
    answers = [answer for step in steps for answer in step["result"]]
    texts = [answer.get("extracted_content") or answer.get("error") or "" for answer in answers]
    calls = sum(len(step["model_output"]["action"]) for step in steps)
    used = [(step["metadata"]["input_tokens"], 0) for step in steps]
    return _counted(1, calls, texts, used, errors=sum("error" in answer for answer in answers))


def toolbench(path: Path) -> Counted:
    nodes = [json.loads(path.read_text("utf-8"))["tree"]["tree"]]
    for node in nodes:
        nodes += node["children"]
    inputs = [node for node in nodes if node["node_type"] == "Action Input" and node["description"]]
    lonely = [n for n in nodes if n["node_type"] in ("Thought", "Action") and not n["children"]]
    texts = [node["observation"] for node in inputs if node.get("observation")]
    errors = sum(node.get("observation_code") not in (0, 3, 4, None) for node in inputs)
    return _counted(1, len(inputs), texts, [], spoken=len(inputs) + len(lonely), errors=errors)


def tau2_bench(path: Path) -> Counted:
    runs = [run["messages"] for run in json.loads(path.read_text("utf-8"))["simulations"]]
    messages = [message for run in runs for message in run]
    own = [message for message in messages if message["role"] == "assistant"]
    texts = [message["content"] for message in messages if message["role"] == "tool"]
    return _counted(len(runs), sum(len(m["tool_calls"] or ()) for m in own), texts, [], spoken=len(own))


COUNTERS: dict[str, Callable[[Path], Counted]] = {
    counter.__name__: counter
    for counter in (
        adk_session,
        atif,
        browser_use,
        cline_sdk,
        crush_db,
        inspect_eval,
        kimi_cli,
        langfuse_trace,
        openhands_v0,
        otel_spans,
        responses_items,
        tau2_bench,
        toolbench,
        vscode_chat_export,
    )
}
