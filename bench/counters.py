"""Independent counters of recordings, in some ten lines a format: plain walks over what the formats' descriptions say,
which share no code with the readers that they check. ``counters_new`` has those of the formats that came later.

Each gives sessions, model calls, calls, results, their characters, prompt and output tokens, errors; None for what a
plain walk cannot tell.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

Counted = dict[str, Any]
CODEX_FAILED = re.compile(
    r"[Ee]xit(ed with)? code:? [1-9]|(exec_command|verification) failed|aborted by user|failed to parse"
    r"|unsupported call"
)
FIELDS = ("sessions", "model_calls", "calls", "results", "characters", "usage", "errors")


def tally(
    calls: int,
    texts: Sequence[str],
    *,
    model_calls: int | None,
    usages: Sequence[Sequence[int]] = (),
    errors: int | None = 0,
    sessions: int = 1,
) -> Counted:
    usage = (sum(used[0] for used in usages), sum(used[1] for used in usages))
    characters = sum(map(len, texts))
    return dict(zip(FIELDS, (sessions, model_calls, calls, len(texts), characters, usage, errors), strict=True))


def added(counts: Sequence[Counted]) -> Counted:
    def total(field: str) -> Any:
        values = [count[field] for count in counts]
        if None in values:
            return None
        return tuple(map(sum, zip(*values, strict=True))) if field == "usage" else sum(values)

    return {field: total(field) for field in FIELDS}


def lines(path: Path) -> list[Any]:
    found = []
    for line in path.read_text("utf-8").split("\n"):
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def document(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def text(content: Any) -> str:
    """A string, or the texts of blocks, one a line."""
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    inner = [block if isinstance(block, dict) else {"text": block} for block in content]
    said = [b.get("text", b.get("value", b.get("tool_name", b.get("content")))) for b in inner]
    said = [json.dumps(b["json"], ensure_ascii=False) if "json" in b else s for s, b in zip(said, inner, strict=True)]
    return "\n".join(part for part in said if isinstance(part, str))


def blocks(content: Any, suffix: str) -> list[dict[str, Any]]:
    listed = content if isinstance(content, list) else []
    return [b for b in listed if isinstance(b, dict) and str(b.get("type")).endswith(suffix)]


def anthropic_usage(used: dict[str, Any]) -> tuple[int, int]:
    names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    return sum(used.get(name) or 0 for name in names), used.get("output_tokens") or 0


# -- sessions of command line tools ---------------------------------------------------------------


def claude_code(path: Path) -> Counted:
    said: dict[str, Any] = {}
    calls, texts, errors = 0, [], 0
    records = [line for line in lines(path) if isinstance(line, dict) and isinstance(line.get("message"), dict)]
    for n, line in enumerate(records):
        message = line["message"]
        if line["type"] == "assistant":
            said[message.get("id") or f"#{n}"] = message.get("usage") or {}
            calls += len(blocks(message.get("content"), "tool_use"))
        answers = blocks(message.get("content"), "tool_result") if line["type"] == "user" else []
        texts += [text(answer.get("content")) for answer in answers]
        errors += sum(bool(answer.get("is_error")) for answer in answers)
    usages = list(map(anthropic_usage, said.values()))
    return tally(calls, texts, model_calls=len(said), usages=usages, errors=errors)


def qwen_code(path: Path) -> Counted:
    parts = [(line, part) for line in lines(path) if "message" in line for part in line["message"]["parts"]]
    answers = [part["functionResponse"]["response"] for _, part in parts if "functionResponse" in part]
    texts = [answer.get("output", answer.get("error", "")) for answer in answers]
    spoken = sum(line["type"] == "assistant" for line in lines(path))
    return tally(
        sum("functionCall" in p for _, p in parts), texts, model_calls=spoken, errors=sum("error" in a for a in answers)
    )


def codex_rollout(path: Path) -> Counted:
    """Each new total of tokens is a model call, and what the model began before it was stopped."""
    calls, texts, usages, errors, total, begun, stopped = 0, [], [], 0, None, False, 0
    for line in [*lines(path), {"payload": {"type": "turn_aborted"}}]:
        item = line.get("payload") or {}
        if line.get("type") == "response_item":
            begun = begun or item["type"].endswith("_call") or item.get("role") == "assistant"
        stopped += begun and item.get("type") == "turn_aborted"
        begun = begun and item.get("type") not in ("turn_aborted", "token_count")
        if line.get("type") == "response_item" and item["type"].endswith("_call"):
            calls += 1
        elif line.get("type") == "response_item" and item["type"].endswith("_output"):
            output = item.get("output", "")
            wrapped = json.loads(output) if str(output).startswith('{"output"') else None
            found = json.dumps(item["tools"], ensure_ascii=False) if "tools" in item else text(output)
            texts.append(wrapped["output"] if wrapped else found)
            errors += bool(wrapped and wrapped["metadata"]["exit_code"])
            errors += bool(CODEX_FAILED.search(texts[-1][:200]))
        elif item.get("type") == "token_count" and item.get("info") and item["info"]["total_token_usage"] != total:
            total, last = item["info"]["total_token_usage"], item["info"]["last_token_usage"]
            usages.append((last["input_tokens"], last["output_tokens"]))
    return tally(calls, texts, model_calls=len(usages) + stopped, usages=usages, errors=errors)


def copilot_cli(path: Path) -> Counted:
    calls, said, texts, errors, usages = 0, 0, [], 0, []
    for line in lines(path):
        data = line["data"]
        said += line["type"] == "assistant.message"
        calls += len(data.get("toolRequests") or [])
        if line["type"] == "tool.execution_complete":
            texts.append(text(data["result"]["content"]) if data.get("result") else data["error"]["message"])
            errors += not data["success"]
        for metric in (data.get("modelMetrics") or {}).values():
            usages.append((metric["usage"]["inputTokens"], metric["usage"]["outputTokens"]))
    return tally(calls, texts, model_calls=said, usages=usages, errors=errors)


def gemini_cli(path: Path) -> Counted:
    said = [message for message in document(path)["messages"] if message["type"] == "gemini"]
    calls = [call for message in said for call in message.get("toolCalls") or []]
    answers = [call["result"][0]["functionResponse"]["response"] for call in calls if call.get("result")]
    texts = [answer.get("output", answer.get("error", "")) for answer in answers]
    used = [m["tokens"] for m in said if m.get("tokens")]
    usages = [(u["input"] + u.get("tool", 0), u["output"] + u["thoughts"]) for u in used]
    return tally(len(calls), texts, model_calls=len(said), usages=usages, errors=sum("error" in a for a in answers))


def pi_session(path: Path) -> Counted:
    messages = [line["message"] for line in lines(path) if line["type"] == "message"]
    said = [m for m in messages if m["role"] == "assistant" and m["content"]]
    answers = [m for m in messages if m["role"] == "toolResult"]
    used = [m["usage"] for m in said]
    usages = [(u["input"] + u["cacheRead"] + u["cacheWrite"], u["output"]) for u in used]
    errors = sum(bool(answer.get("isError")) for answer in answers)
    calls = sum(len(blocks(m["content"], "toolCall")) for m in said)
    return tally(calls, [text(a["content"]) for a in answers], model_calls=len(said), usages=usages, errors=errors)


def entire_compact(path: Path) -> Counted:
    """A prompt's size is recorded of no agent in the corpus: of Claude the uncached tokens, of Codex nothing."""
    said = [line for line in lines(path) if line["type"] == "assistant"]
    uses = [block for line in said for block in blocks(line["content"], "tool_use")]
    answers = [use["result"] for use in uses if use.get("result")]
    errors = sum(answer.get("status") == "error" for answer in answers)
    distinct = {line.get("id") or f"#{n}" for n, line in enumerate(said)}
    return tally(len(uses), [text(a.get("output")) for a in answers], model_calls=len(distinct), errors=errors)


# -- lists of messages and steps -------------------------------------------------------------------


def chat(messages: list[dict[str, Any]]) -> Counted:
    said = [m for m in messages if m["role"] == "assistant"]
    calls = sum(len(m.get("tool_calls") or blocks(m["content"], "tool_call")) for m in said)
    texts = [text(m["content"]) for m in messages if m["role"] == "tool"]
    told = [text(m["content"]) for m in messages if m["role"] == "user"]
    prose = [t for t in told if t.startswith("EXECUTION RESULT of [")]  # tools in prose: each answers a call
    return tally(calls + len(prose), texts + prose, model_calls=len(said))


def openai_chat(path: Path) -> Counted:
    try:
        value = document(path)
    except ValueError:
        return added([chat(line["messages"]) for line in lines(path)])
    if isinstance(value, dict):
        return chat(value.get("messages") or value["traj"])
    many = "role" not in value[0]
    return (
        added([chat(next(e[k] for k in ("traj", "messages", "trajectory") if k in e)) for e in value])
        if many
        else chat(value)
    )


def sharegpt_conversations(path: Path) -> Counted:
    values = document(path) if path.suffix == ".json" else lines(path)
    counts = []
    for conversation in values:
        turns = [(turn["from"], turn["value"]) for turn in conversation["conversations"]]
        tagged = [re.findall(r"<tool_call>", said) for speaker, said in turns if speaker == "gpt"]
        calls = [said for speaker, said in turns if speaker == "function_call"]
        texts = [said for speaker, said in turns if speaker in ("observation", "tool")]
        spoken = sum(speaker in ("gpt", "function_call") for speaker, _ in turns)
        counts.append(tally(len(calls) + sum(map(len, tagged)), texts, model_calls=spoken))
    return added(counts)


def autogen_history(path: Path) -> Counted:
    history = document(path)["history"]
    texts = [message["content"] for message in history if message["name"] == "Computer_terminal"]
    errors = sum(bool(re.match(r"\s*(exitcode: [^0]|The script ran, then exited with an error)", t)) for t in texts)
    asked = [message["name"] for message in history[1:2]] != ["Computer_terminal"]  # by the first, who is no model then
    return tally(len(texts), texts, model_calls=len(history) - len(texts) - asked, errors=errors)


def magentic_history(path: Path) -> Counted:
    value = document(path)
    history = value if isinstance(value, list) else value["history"]
    texts = [m["content"] for m in history if m["role"] in ("WebSurfer", "FileSurfer", "ComputerTerminal")]
    return tally(len(texts), texts, model_calls=sum(m["role"] != "human" for m in history) - len(texts))


def jupyter_trajectory(path: Path) -> Counted:
    def shown(output: dict[str, Any]) -> str:
        value = output.get("text", output.get("data", {}).get("text/plain", output.get("traceback", "")))
        return "\n".join(value) if "traceback" in output else "".join(value)

    cells = [cell for cell in document(path)["cells"] if cell["cell_type"] == "code"]
    errors = sum(any(o["output_type"] == "error" for o in cell["outputs"]) for cell in cells)
    texts = ["\n".join(map(shown, cell["outputs"])) for cell in cells]
    return tally(len(cells), texts, model_calls=len(cells), errors=errors)


def langchain_messages(path: Path) -> Counted:
    messages = [(message["id"][-1], message["kwargs"]) for message in document(path)]
    said = [kwargs for kind, kwargs in messages if kind == "AIMessage"]
    answers = [kwargs for kind, kwargs in messages if kind == "ToolMessage"]
    usages = [(m["usage_metadata"]["input_tokens"], m["usage_metadata"]["output_tokens"]) for m in said]
    calls = sum(len(m.get("tool_calls") or []) for m in said)
    errors = sum(a.get("status") == "error" for a in answers)
    return tally(calls, [text(a["content"]) for a in answers], model_calls=len(said), usages=usages, errors=errors)


def mini_swe_agent(path: Path) -> Counted:
    value = document(path)
    messages = value["messages"] if isinstance(value, dict) else value
    roles = [message["role"] for message in messages]
    texts = [m["content"] for m in messages[roles.index("assistant") :] if m["role"] == "user"]
    errors = sum(bool(re.match(r"<returncode>-?[1-9]", t)) for t in texts)
    return tally(len(texts), texts, model_calls=roles.count("assistant"), errors=errors)


def swe_agent_traj(path: Path) -> Counted:
    run = document(path)
    texts = [step["observation"] for step in run.get("trajectory") or []]
    texts = texts or [text(m["content"]) for m in run["history"] if m["role"] == "tool"]
    stats = (run.get("info") or {}).get("model_stats") or {}
    usages = [(stats.get("tokens_sent", 0), stats.get("tokens_received", 0))]
    return tally(len(texts), [t or "" for t in texts], model_calls=len(texts), usages=usages)


def openhands_events(path: Path) -> Counted:
    events = [document(file) for file in sorted(path.glob("event-*.json"))]
    actions = [e for e in events if e["kind"] == "ActionEvent"]
    said = sum(e["kind"] == "MessageEvent" and e["source"] == "agent" for e in events)
    seen = [e for e in events if e["kind"] in ("ObservationEvent", "UserRejectObservation", "AgentErrorEvent")]
    texts = [e.get("rejection_reason") or e.get("error") or text(e["observation"].get("content")) for e in seen]
    errors = sum(e["kind"] != "ObservationEvent" or bool(e["observation"].get("is_error")) for e in seen)
    return tally(len(actions), texts, model_calls=len({e["llm_response_id"] for e in actions}) + said, errors=errors)


def litellm_completion_log(path: Path) -> Counted:
    log = document(path)
    whole = chat([*log["messages"], *(choice["message"] for choice in log["response"]["choices"])])
    used = log["response"]["usage"]
    return whole | {"usage": (used["prompt_tokens"], used["completion_tokens"])}


def mcp_jsonrpc(path: Path) -> Counted:
    """Calls that are in flight together are one step; how many model calls there were is not recorded."""
    calls, texts, errors = [], [], 0
    for line in lines(path):
        message = line["message"]
        if line["dir"] == "send" and message.get("method") == "tools/call":
            calls.append(message["id"])
        elif line["dir"] == "recv" and message.get("id") in calls and "method" not in message:
            answer = message.get("result") or {"content": message["error"]["message"], "isError": True}
            parts = answer["content"] if isinstance(answer["content"], list) else [{"text": answer["content"]}]
            texts.append("\n".join(p.get("text", p.get("resource", {}).get("text", "")) for p in parts))
            errors += bool(answer.get("isError"))
    return tally(len(calls), texts, model_calls=None, errors=errors)


# -- dumps of exchanges ----------------------------------------------------------------------------


def exchanges(path: Path, uri: str, key: str) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Request, and response as one object or as the events of a stream, of each exchange with the model."""
    for line in lines(path):
        if re.search(uri, line["uri"]) and isinstance(line["request"], dict) and key in line["request"]:
            answer = line["response"]
            if isinstance(answer, str):
                answer = [json.loads(event[5:]) for event in answer.split("\n") if event.startswith("data: {")]
            yield line["request"], answer if isinstance(answer, list) else [answer]


def ends(found: Sequence[Any], key: str, shape: Callable[[Any], Any]) -> list[Any]:
    """The exchanges with which no later request begins, message for message: each the end of a conversation."""
    left: list[Any] = []
    for exchange in found:
        shapes = list(map(shape, exchange[0][key]))
        before = [list(map(shape, earlier[0][key])) for earlier in left]
        known = [n for n, own in enumerate(before) if len(own) < len(shapes) and shapes[: len(own)] == own]
        left = [earlier for n, earlier in enumerate(left) if n not in known[-1:]] + [exchange]
    return left


def total_usage(found: Sequence[Any], usage: Callable[[dict[str, Any]], Sequence[int] | None]) -> list[Sequence[int]]:
    """Of each response the last usage that it states."""
    stated = [[used for event in answer if (used := usage(event))] for _, answer in found]
    return [each[-1] for each in stated if each]


def anthropic_messages(path: Path) -> Counted:
    """What a provider's own tools answer has shapes of its own."""

    def answered(block: dict[str, Any]) -> tuple[str, bool]:
        content = block.get("content")
        if isinstance(content, list) and block["type"] not in ("tool_result", "mcp_tool_result"):
            return "\n".join(f"{hit.get('title') or ''} {hit.get('url') or ''}".strip() for hit in content), False
        if not isinstance(content, dict):
            return text(content), bool(block.get("is_error"))
        inner = content.get("content") or {}
        source = inner.get("source", {}) if isinstance(inner, dict) else {}
        wrong = f"{content.get('error_code') or ''} {content.get('error_message') or ''}".strip()
        said = [wrong, *(content.get(key) for key in ("stdout", "stderr")), source.get("data")]
        said += [inner if isinstance(inner, str) else "", text(content.get("tool_references"))]
        return "\n".join(filter(None, said)), "error_code" in content or bool(content.get("return_code"))

    def shape(message: dict[str, Any]) -> Any:
        content = message["content"]
        kept = [[b.get("type"), b.get("id"), b.get("text")] for b in content] if isinstance(content, list) else content
        return message["role"], kept

    found = list(exchanges(path, "anthropic.com/v1/messages", "messages"))
    calls, texts, said, errors = 0, [], 0, 0
    last = ends(found, "messages", shape)
    for request, answer in last:
        streamed = [event["content_block"] for event in answer if "content_block" in event]
        content = [block for event in answer for block in event.get("content") or []] + streamed
        messages = [*request["messages"], {"role": "assistant", "content": content}]
        said += sum(message["role"] == "assistant" for message in messages)
        calls += sum(len(blocks(message["content"], "tool_use")) for message in messages)
        for block in (block for message in messages for block in blocks(message["content"], "tool_result")):
            told, failed = answered(block)
            texts.append(told)
            errors += failed
    usages = []
    for _, answer in found:
        used: dict[str, Any] = {}
        for event in answer:
            fresh = event.get("usage") or (event.get("message") or {}).get("usage") or {}
            used |= {name: value for name, value in fresh.items() if value is not None}
        usages += [anthropic_usage(used)] if used else []
    return tally(calls, texts, model_calls=said, usages=usages, errors=errors, sessions=len(last))


def bedrock_converse(path: Path) -> Counted:
    def shape(message: dict[str, Any]) -> Any:
        kept = [block for block in message["content"] if "cachePoint" not in block and "toolResult" not in block]
        return message["role"], json.dumps(kept)

    def usage(event: dict[str, Any]) -> Sequence[int] | None:
        used = event.get("usage") or {}
        cached = used.get("cacheReadInputTokens", 0) + used.get("cacheWriteInputTokens", 0)
        return (used["inputTokens"] + cached, used["outputTokens"]) if used else None

    found = list(exchanges(path, "/converse", "messages"))
    counts = []
    for request, answer in ends(found, "messages", shape):
        messages = [*request["messages"], (answer[0].get("output") or {}).get("message") or {"role": "", "content": []}]
        parts = [block for message in messages for block in message["content"]]
        results = [block["toolResult"] for block in parts if "toolResult" in block]
        said = sum(message["role"] == "assistant" for message in messages)
        errors = sum(result.get("status") == "error" for result in results)
        calls = sum("toolUse" in block for block in parts)
        counts.append(tally(calls, [text(r["content"]) for r in results], model_calls=said, errors=errors))
    return added(counts) | {"usage": tally(0, (), model_calls=0, usages=total_usage(found, usage))["usage"]}


def gemini_api(path: Path) -> Counted:
    """Each file holds one conversation; the longest request has it all. A function's one text, else all as JSON."""

    def usage(event: dict[str, Any]) -> Sequence[int] | None:
        used = event.get("usageMetadata") or {}
        prompt = used.get("promptTokenCount", 0) + used.get("toolUsePromptTokenCount", 0)
        return (prompt, used.get("candidatesTokenCount", 0) + used.get("thoughtsTokenCount", 0)) if used else None

    found = list(exchanges(path, "enerateContent", "contents"))
    longest, answer = max(found, key=lambda exchange: len(exchange[0]["contents"]))
    answered = [c["content"] for event in answer for c in event.get("candidates") or [] if c.get("content")]
    parts = [part for content in [*longest["contents"], *answered] for part in content.get("parts") or []]
    names = ("functionResponse", "function_response", "codeExecutionResult", "code_execution_result")
    answers = [part[name] for part in parts for name in names if name in part]
    told = [answer.get("response", {"output": answer.get("output", "")}) for answer in answers]
    one = [next(iter(value.values()), "") if len(value) < 2 else None for value in told]
    keyed = [next(iter(value), "output") in ("output", "result", "error", "content", "return_value") for value in told]
    plain = zip(one, keyed, told, strict=True)
    texts = [o if isinstance(o, str) and k else json.dumps(v, ensure_ascii=False) for o, k, v in plain]
    errors = sum(bool(value.get("error")) for value in told)
    errors += sum(answer.get("outcome", "OUTCOME_OK") != "OUTCOME_OK" for answer in answers)
    calls = sum(bool({"functionCall", "function_call", "executableCode"} & part.keys()) for part in parts)
    said = sum(content.get("role") == "model" for content in longest["contents"]) + bool(answered)
    return tally(calls, texts, model_calls=said, usages=total_usage(found, usage), errors=errors)


def openai_chat_api(path: Path) -> Counted:
    def shape(message: dict[str, Any]) -> Any:
        return message["role"], text(message.get("content")), [call["id"] for call in message.get("tool_calls") or []]

    def usage(event: dict[str, Any]) -> Sequence[int] | None:
        used = event.get("usage")
        return (used["prompt_tokens"], used.get("completion_tokens", 0)) if used else None

    found = list(exchanges(path, "/chat/completions", "messages"))
    counts = []
    for request, answer in ends(found, "messages", shape):
        choices = [choice for event in answer for choice in event.get("choices") or []]
        told = [choice.get("message", choice.get("delta")) for choice in choices]
        made = [call for message in told for call in message.get("tool_calls") or [] if call.get("id")]
        last = [{"role": "assistant", "content": "", "tool_calls": made}] if told else []
        counts.append(chat([*request["messages"], *last]))
    return added(counts) | {"usage": tally(0, (), model_calls=0, usages=total_usage(found, usage))["usage"]}


def openai_responses(path: Path) -> Counted:
    """A request may go on from an earlier response without its items. One model call may be several items, up to the
    client's answer or the user's word."""

    def shape(item: dict[str, Any]) -> Any:
        return item.get("type") or "message", item.get("role"), item.get("call_id"), str(item.get("content"))[:200]

    def usage(event: dict[str, Any]) -> Sequence[int] | None:
        used = (event.get("response") or event).get("usage")
        return (used["input_tokens"], used["output_tokens"]) if used else None

    known: dict[Any, Any] = {}
    found = []
    for request, answer in exchanges(path, "/responses", "input"):
        given = request["input"]
        whole = (answer[-1].get("response") or answer[-1]) if answer else {}
        asked = given if isinstance(given, list) else [{"role": "user", "content": given}]
        items = [*known.get(request.get("previous_response_id"), []), *asked]
        known[whole.get("id")] = [*items, *(whole.get("output") or [])]
        found.append(({"items": [item for item in items if item.get("type") != "reasoning"]}, answer, whole))
    counts = []
    for request, _, whole in ends(found, "items", shape):
        items = [*request["items"], *(i for i in whole.get("output") or [] if i.get("type") != "reasoning")]
        kinds = [str(item.get("type") or "message") for item in items]
        mine = [
            item.get("role") == "assistant" or kind.endswith("_call") or item.get("execution") == "server"
            for item, kind in zip(items, kinds, strict=True)
        ]
        told = [kind == "message" or kind.endswith(("_call", "_output")) for kind in kinds]
        mine = [own for own, model in zip(mine, told, strict=True) if model]
        said = sum(own and not before for own, before in zip(mine, [False, *mine], strict=False))
        hosted = [i for i in items if i.get("type") in ("mcp_call", "web_search_call", "code_interpreter_call")]
        texts = [i["error"] if i.get("error") else i.get("output") for i in hosted if i.get("error") or i.get("output")]
        texts += [json.dumps(i["tools"], ensure_ascii=False) if "tools" in i else i["output"]
                  for i, kind in zip(items, kinds, strict=True) if kind.endswith("_output")]  # fmt: skip
        plain = [json.dumps(t, ensure_ascii=False) if isinstance(t, dict) else text(t) for t in texts]
        errors = sum(bool(i.get("error")) or (i.get("type") == "function_call_output" and i.get("status") == "failed")
                     for i in items)  # fmt: skip
        said += bool(whole) and not whole.get("output")  # it was asked, and the answer is fetched later
        counts.append(tally(sum(k.endswith("_call") for k in kinds), plain, model_calls=said, errors=errors))
    usages = total_usage([each[:2] for each in found], usage)
    return added(counts) | {"usage": tally(0, (), model_calls=0, usages=usages)["usage"]}


COUNTERS: dict[str, Callable[[Path], Counted]] = {
    counter.__name__: counter
    for counter in (
        anthropic_messages, autogen_history, bedrock_converse, claude_code, codex_rollout, copilot_cli,
        entire_compact, gemini_api, gemini_cli, jupyter_trajectory, langchain_messages, litellm_completion_log,
        magentic_history, mcp_jsonrpc, mini_swe_agent, openai_chat, openai_chat_api, openai_responses,
        openhands_events, pi_session, qwen_code, sharegpt_conversations, swe_agent_traj,
    )
}  # fmt: skip
