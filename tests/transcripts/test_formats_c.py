"""Formats of coding agents, traces, benchmarks and frameworks: a small recording of each, made up here."""

from __future__ import annotations

import copy
import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mcpcompact.errors import InputError
from mcpcompact.transcripts import Transcript, Usage, read_transcripts
from mcpcompact.transcripts.emit import emit

PAGE = "line one of the page\nid=4711 status=failed\nthe end"
CALLS = [("get", {"id": 1}), ("get", {"id": 2})]
RESULTS = [PAGE, "no such id"]


class Sample(NamedTuple):
    """A recording, and what is in it; the second result is an error where the format can say so."""

    content: Any
    usages: list[tuple[int, int, int, int]] = []  # noqa: RUF012 (fresh, cached, written, output)
    model: str = ""
    errors: int = 1
    calls: list[tuple[str, dict[str, Any]]] = CALLS
    results: list[str] = RESULTS
    lines: bool = False
    spoken: int = 2  # model calls
    sessions: int = 1


def chat_call(id: str, number: int) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": "get", "arguments": json.dumps({"id": number})}}


def spans(convention: str) -> list[dict[str, Any]]:
    """Two model calls, the second of which repeats the first one's history, and a tool in between."""
    asked = {"role": "user", "parts": [{"type": "text", "content": "hi"}]}
    calls = [{"type": "tool_call", "id": f"c{n}", "name": "get", "arguments": {"id": n}} for n in (1, 2)]
    made = {"role": "assistant", "parts": calls}
    answers = [{"type": "tool_call_response", "id": f"c{n + 1}", "response": text} for n, text in enumerate(RESULTS)]
    answers[1]["is_error"] = True
    back = {"role": "tool", "parts": answers}
    done = {"role": "assistant", "parts": [{"type": "text", "content": "done"}]}
    exchanges = [([asked], [made], 100, 0), ([asked, made, back], [done], 150, 90)]
    found = []
    for n, (prompt, spoken, tokens, cached) in enumerate(exchanges):
        used = {"gen_ai.usage.input_tokens": tokens, "gen_ai.usage.output_tokens": 9}
        used |= {"gen_ai.usage.cache_read.input_tokens": cached, "gen_ai.operation.name": "chat"}
        used |= {"gen_ai.input.messages": json.dumps(prompt), "gen_ai.output.messages": json.dumps(spoken)}
        found.append({"span_id": f"s{n}", "start_time": 10 * n, "attributes": used | {"gen_ai.request.model": "m"}})
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get", "gen_ai.tool.call.result": PAGE}
    found.append({"span_id": "t", "start_time": 5, "attributes": tool})
    if convention == "otlp":
        for span in found:
            given = span.pop("attributes").items()
            typed = [{"key": k, "value": {"intValue" if isinstance(v, int) else "stringValue": v}} for k, v in given]
            span |= {
                "attributes": typed,
                "spanId": span.pop("span_id"),
                "startTimeUnixNano": str(span.pop("start_time")),
            }
        return [{"resourceSpans": [{"scopeSpans": [{"spans": found}]}]}]
    return found


def openinference() -> list[dict[str, Any]]:
    def flat(prefix: str, messages: list[dict[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for n, message in enumerate(messages):
            at = f"llm.{prefix}_messages.{n}.message"
            found |= {f"{at}.{key}": value for key, value in message.items() if key != "calls"}
            for k, id in enumerate(message.get("calls", ())):
                call = f"{at}.tool_calls.{k}.tool_call"
                arguments = json.dumps({"id": int(id[1:])})
                found |= {f"{call}.id": id, f"{call}.function.name": "get", f"{call}.function.arguments": arguments}
        return found

    asked, made = {"role": "user", "content": "hi"}, {"role": "assistant", "calls": ["c1", "c2"]}
    answers = [{"role": "tool", "tool_call_id": f"c{n + 1}", "content": text} for n, text in enumerate(RESULTS)]
    exchanges = [([asked], [made], 100), ([asked, made, *answers], [{"role": "assistant", "content": "done"}], 150)]
    found = []
    for n, (prompt, spoken, tokens) in enumerate(exchanges):
        attributes = {"openinference.span.kind": "LLM", "llm.model_name": "m", "llm.token_count.prompt": tokens}
        attributes |= {"llm.token_count.completion": 9, **flat("input", prompt), **flat("output", spoken)}
        found.append({"span_id": str(n), "start_time": n, "attributes": attributes})
    return found


def langfuse() -> dict[str, Any]:
    def generation(n: int, prompt: list[Any], spoken: Any, used: dict[str, int]) -> dict[str, Any]:
        about = {"id": f"g{n}", "traceId": "t", "type": "GENERATION", "startTime": f"2026-01-01T00:00:0{n}Z"}
        return about | {"input": json.dumps(prompt), "output": json.dumps(spoken), "model": "m", "usageDetails": used}

    asked = {"role": "user", "content": "hi"}
    made = {"role": "assistant", "content": None, "tool_calls": [chat_call("c1", 1), chat_call("c2", 2)]}
    answers = [{"role": "tool", "tool_call_id": f"c{n + 1}", "content": text} for n, text in enumerate(RESULTS)]
    first = generation(1, [asked], made, {"input": 100, "output": 9, "total": 109})
    used = {"input": 60, "input_cache_read": 90, "output": 9, "total": 159}
    second = generation(4, [asked, made, *answers], "done", used)
    around = {**first, "id": "g0", "usageDetails": {"input": 100, "output": 9, "total": 109}}
    first["parentObservationId"] = "g0"
    tool = {"id": "t1", "traceId": "t", "type": "TOOL", "name": "get", "startTime": "2026-01-01T00:00:02Z"}
    return {"trace": {"id": "t"}, "observations": [second, around, first, tool | {"input": {"id": 1}, "output": PAGE}]}


def openhands(id: int, action: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "source": "agent", "action": action, "args": more.pop("args", {}), **more}


def openhands_run() -> list[dict[str, Any]]:
    response = {"id": "r1", "model": "m", "usage": {"prompt_tokens": 100, "completion_tokens": 9}}
    response["choices"] = [{"message": {"content": "I look", "tool_calls": [chat_call("c1", 1), chat_call("c2", 2)]}}]
    about = [{"function_name": "get", "tool_call_id": f"c{n}", "model_response": response} for n in (1, 2)]
    return [
        openhands(0, "system", args={"content": "You are"}),
        openhands(1, "message", source="user", args={"content": "hi"}),
        {"id": 2, "source": "environment", "observation": "agent_state_changed", "content": "", "extras": {}},
        openhands(3, "run", args={"command": "x", "blocking": False}, tool_call_metadata=about[0]),
        openhands(4, "run", args={"command": "y"}, tool_call_metadata=about[1]),
        {"id": 5, "source": "agent", "observation": "run", "cause": 3, "content": PAGE, "extras": {}},
        {"id": 6, "source": "agent", "observation": "error", "cause": 4, "content": "no such id", "extras": {}},
        openhands(7, "message", args={"content": "done"}),
    ]


def loop(type: str, **event: Any) -> dict[str, Any]:
    return {"type": "context.append_loop_event", "event": {"type": type, **event}}


def wire(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": 1.5, "message": {"type": kind, "payload": payload}}


KIMI_USED = {"inputOther": 10, "inputCacheRead": 90, "inputCacheCreation": 5, "output": 9}
ANTHROPIC_CALLS = [{"type": "tool_use", "id": f"t{n}", "name": "get", "input": {"id": n}} for n in (1, 2)]
HEADS = [f"[get for '1'] Result:\n{PAGE}", "[get for '2'] Error:\nno such id"]
RESPONSES = [
    {"role": "user", "content": "hi"},
    {"type": "reasoning", "summary": []},
    *({"type": "function_call", "call_id": f"c{n}", "name": "get", "arguments": f'{{"id": {n}}}'} for n in (1, 2)),
    {"type": "function_call_output", "call_id": "c2", "output": "no such id", "status": "incomplete"},
    {"type": "function_call_output", "call_id": "c1", "output": PAGE},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]},
]
AGENTS_JS = [
    {"type": "message", "role": "user", "content": "hi"},
    *({"type": "function_call", "callId": f"c{n}", "name": "get", "arguments": f'{{"id": {n}}}'} for n in (1, 2)),
    *(
        {"type": "function_call_result", "callId": f"c{n}", "name": "get", "output": {"type": "text", "text": text}}
        for n, text in ((1, PAGE), (2, "no such id"))
    ),
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]},
]
CONVERSE = [
    {"role": "user", "content": [{"text": "hi"}]},
    {
        "role": "assistant",
        "content": [{"toolUse": {"toolUseId": f"u{n}", "name": "get", "input": {"id": n}}} for n in (1, 2)],
    },
    {
        "role": "user",
        "content": [
            {"toolResult": {"toolUseId": "u1", "content": [{"text": PAGE}], "status": "success"}},
            {"toolResult": {"toolUseId": "u2", "content": [{"text": "no such id"}], "status": "error"}},
        ],
    },
    {"role": "assistant", "content": [{"text": "done"}]},
]
FLAT = [
    {"type": "human", "content": "hi"},
    {
        "type": "ai",
        "content": "",
        "tool_calls": [{"name": "get", "args": {"id": n}, "id": f"c{n}", "type": "tool_call"} for n in (1, 2)],
        "usage_metadata": {"input_tokens": 100, "output_tokens": 9, "input_token_details": {"cache_read": 40}},
        "response_metadata": {"model_name": "m"},
    },
    {"type": "tool", "content": PAGE, "tool_call_id": "c1", "name": "get"},
    {"type": "tool", "content": "no such id", "tool_call_id": "c2", "name": "get", "status": "error"},
    {"type": "ai", "content": "done"},
]
VSCODE_NODE = {"node": {"children": [{"text": "no such"}, {"children": [{"text": " id"}]}]}}
TOOLBENCH_LEAF = {"node_type": "Action Input", "description": '{"id": 1}', "observation": PAGE, "observation_code": 0}

SAMPLES: dict[str, Sample] = {
    "cline": Sample(
        [
            {"role": "user", "content": [{"type": "text", "text": "<task>hi</task>"}]},
            {
                "role": "assistant",
                "content": [{"type": "text", "text": "I look"}, *ANTHROPIC_CALLS],
                "modelInfo": {"modelId": "m"},
                "metrics": {"tokens": {"prompt": 100, "completion": 9, "cached": 40}},
            },
            {
                "role": "user",
                "content": [{"type": "text", "text": text} for text in (*HEADS, "<environment_details>\nx")],
            },
            {"role": "assistant", "content": [{"type": "text", "text": "done"}]},
        ],
        [(60, 40, 0, 9)],
        "m",
        results=HEADS,
    ),
    "cline xml": Sample(
        [
            {"role": "user", "content": [{"type": "text", "text": "<task>hi</task>"}]},
            {"role": "assistant", "content": "I look\n<read_file>\n<path>a.py</path>\n</read_file>"},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": t}
                    for t in ("[read_file for 'a.py'] Result:", PAGE, "<environment_details>")
                ],
            },
            {"role": "assistant", "content": "<attempt_completion>\n<result>done</result>\n</attempt_completion>"},
        ],
        errors=0,
        calls=[("read_file", {"path": "a.py"}), ("attempt_completion", {"result": "done"})],
        results=[f"[read_file for 'a.py'] Result:\n{PAGE}"],
    ),
    "cline roo": Sample(
        [
            {"role": "user", "content": [{"type": "text", "text": "<task>hi</task>"}], "ts": 1},
            {"role": "assistant", "content": ANTHROPIC_CALLS, "ts": 2},
            {
                "role": "user",
                "ts": 3,
                "content": [
                    {"type": "tool_result", "tool_use_id": "t1", "content": PAGE},
                    {"type": "tool_result", "tool_use_id": "t2", "content": "no such id", "is_error": True},
                ],
            },
            {"role": "assistant", "content": [{"type": "text", "text": "done"}], "ts": 4},
        ],
    ),
    "cline_sdk": Sample(
        {
            "sessionId": "s",
            "system_prompt": "You are",
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "hi"}]},
                {
                    "role": "assistant",
                    "content": ANTHROPIC_CALLS,
                    "modelInfo": {"id": "m"},
                    "metrics": {"inputTokens": 100, "outputTokens": 9, "cacheReadTokens": 70, "cacheWriteTokens": 20},
                },
                {
                    "role": "user",
                    "content": [
                        {"type": "tool_result", "tool_use_id": "t1", "content": [{"query": "1", "result": PAGE}]},
                        {"type": "tool_result", "tool_use_id": "t2", "content": "no such id", "is_error": True},
                    ],
                },
                {"role": "assistant", "content": [{"type": "text", "text": "done"}]},
            ],
        },
        [(10, 70, 20, 9)],
        "m",
    ),
    "responses_items": Sample(RESPONSES, results=["no such id", PAGE]),
    "responses_items request": Sample(
        {"model": "m", "instructions": "You are", "input": RESPONSES}, model="m", results=["no such id", PAGE]
    ),
    "responses_items agents": Sample(AGENTS_JS, errors=0),
    "converse_messages": Sample(CONVERSE),
    "converse_messages request": Sample(
        {"modelId": "m", "system": [{"text": "You are"}], "messages": CONVERSE}, model="m"
    ),
    "converse_messages lines": Sample(CONVERSE, lines=True),
    "langgraph_messages": Sample(FLAT, [(60, 40, 0, 9)], "m"),
    "langgraph_messages thread": Sample({"values": {"messages": FLAT}, "next": []}, [(60, 40, 0, 9)], "m"),
    "langgraph_messages lines": Sample(FLAT, [(60, 40, 0, 9)], "m", lines=True),
    "vscode_chat_export": Sample(
        {
            "responderUsername": "GitHub Copilot",
            "requests": [
                {
                    "message": {"text": "hi"},
                    "modelId": "m",
                    "responseId": "r",
                    "result": {
                        "metadata": {
                            "promptTokens": 100,
                            "outputTokens": 9,
                            "toolCallRounds": [
                                {
                                    "response": "",
                                    "toolCalls": [
                                        {"id": f"c{n}", "name": "get", "arguments": f'{{"id": {n}}}'} for n in (1, 2)
                                    ],
                                },
                                {"response": "done", "toolCalls": []},
                            ],
                            "toolCallResults": {
                                "c1": {"content": [{"value": PAGE}]},
                                "c2": {"content": [{"value": VSCODE_NODE}]},
                            },
                        }
                    },
                }
            ],
        },
        [(100, 0, 0, 9)],
        "m",
        errors=0,
    ),
    "langfuse_trace": Sample(langfuse(), [(100, 0, 0, 9), (60, 90, 0, 9)], "m", errors=0),
    "otel_spans": Sample(spans("list"), [(100, 0, 0, 9), (60, 90, 0, 9)], "m"),
    "otel_spans otlp": Sample(spans("otlp")[0], [(100, 0, 0, 9), (60, 90, 0, 9)], "m"),
    "otel_spans openinference": Sample(openinference(), [(100, 0, 0, 9), (150, 0, 0, 9)], "m", errors=0),
    "openhands_v0": Sample(openhands_run(), [(100, 0, 0, 9)], "m"),
    "openhands_v0 trajectory": Sample({"trajectory": openhands_run()}, [(100, 0, 0, 9)], "m"),
    "openhands_v0 output": Sample(
        [{"instance_id": f"i{n}", "history": openhands_run()} for n in (1, 2)],
        [(100, 0, 0, 9)] * 2,
        "m",
        2,
        CALLS * 2,
        RESULTS * 2,
        lines=True,
        spoken=4,
        sessions=2,
    ),
    "atif": Sample(
        {
            "schema_version": "ATIF-v1.5",
            "agent": {"name": "a", "model_name": "m"},
            "steps": [
                {"source": "user", "message": "hi"},
                {"source": "agent", "message": "before", "is_copied_context": True},
                {
                    "source": "agent",
                    "message": "",
                    "tool_calls": [
                        {"tool_call_id": f"c{n}", "function_name": "get", "arguments": {"id": n}} for n in (1, 2)
                    ],
                    "observation": {
                        "results": [
                            {"source_call_id": "c1", "content": PAGE},
                            {"source_call_id": "c2", "content": "no such id"},
                        ]
                    },
                    "metrics": {"prompt_tokens": 100, "completion_tokens": 9, "cached_tokens": 40},
                },
                {"source": "agent", "message": "done"},
            ],
        },
        [(60, 40, 0, 9)],
        "m",
        errors=0,
    ),
    "adk_session": Sample(
        {
            "id": "s",
            "appName": "a",
            "events": [
                {"author": "user", "invocationId": "i", "content": {"role": "user", "parts": [{"text": "hi"}]}},
                {
                    "author": "a",
                    "invocationId": "i",
                    "content": {
                        "role": "model",
                        "parts": [{"functionCall": {"id": f"c{n}", "name": "get", "args": {"id": n}}} for n in (1, 2)],
                    },
                    "usageMetadata": {
                        "promptTokenCount": 100,
                        "cachedContentTokenCount": 40,
                        "candidatesTokenCount": 9,
                    },
                    "modelVersion": "m",
                },
                {
                    "author": "a",
                    "invocationId": "i",
                    "content": {
                        "role": "user",
                        "parts": [
                            {"functionResponse": {"id": "c1", "name": "get", "response": {"result": PAGE}}},
                            {"functionResponse": {"id": "c2", "name": "get", "response": {"error": "no such id"}}},
                        ],
                    },
                },
                {"author": "a", "invocationId": "i", "content": {"role": "model", "parts": [{"text": "done"}]}},
            ],
        },
        [(60, 40, 0, 9)],
        "m",
    ),
    "continue_session": Sample(
        {
            "sessionId": "s",
            "workspaceDirectory": "/w",
            "history": [
                {"message": {"role": "user", "content": "hi"}, "contextItems": [{"name": "a.py", "content": "x = 1"}]},
                {
                    "message": {
                        "role": "assistant",
                        "content": "",
                        "toolCalls": [chat_call("c1", 1), chat_call("c2", 2)],
                    },
                    "contextItems": [],
                    "promptLogs": [{"modelTitle": "m"}],
                    "toolCallStates": [
                        {"toolCallId": "c2", "status": "errored", "output": [{"content": "no such id"}]}
                    ],
                },
                {"message": {"role": "tool", "toolCallId": "c1", "content": PAGE}, "contextItems": []},
                {
                    "message": {
                        "role": "assistant",
                        "content": "done",
                        "usage": {
                            "promptTokens": 100,
                            "completionTokens": 9,
                            "promptTokensDetails": {"cachedTokens": 40},
                        },
                    },
                    "contextItems": [],
                },
            ],
        },
        [(60, 40, 0, 9)],
        "m",
        results=["no such id", PAGE],
    ),
    "kimi_cli": Sample(
        [
            {"type": "tools.set_active_tools", "names": ["get"]},
            {"type": "config.update", "systemPrompt": "You are"},
            {
                "type": "context.append_message",
                "message": {"role": "user", "content": [{"type": "text", "text": "hi"}]},
            },
            loop("step.begin", uuid="aborted"),
            loop("step.begin", uuid="s1"),
            {"type": "llm.request", "model": "m"},
            loop("content.part", stepUuid="s1", part={"type": "think", "think": "hm"}),
            loop("tool.call", stepUuid="s1", toolCallId="c1", name="get", args={"id": 1}),
            loop("tool.call", stepUuid="s1", toolCallId="c2", name="get", args={"id": 2}),
            loop("tool.result", toolCallId="c1", result={"output": PAGE}),
            loop("tool.result", toolCallId="c2", result={"output": "no such id", "isError": True}),
            loop("step.end", uuid="s1", usage=KIMI_USED),
            loop("step.begin", uuid="s2"),
            loop("content.part", stepUuid="s2", part={"type": "text", "text": "done"}),
            loop("step.end", uuid="s2", usage=KIMI_USED),
        ],
        [(10, 90, 5, 9)] * 2,
        "m",
        lines=True,
    ),
    "kimi_cli older": Sample(
        [
            wire("TurnBegin", user_input="hi"),
            wire("StepBegin", n=1),
            wire("ToolCall", id="c1", function={"name": "get", "arguments": '{"id": 1}'}),
            wire("ToolCall", id="c2", function={"name": "get", "arguments": '{"id": 2}'}),
            wire(
                "StatusUpdate",
                token_usage={"input_other": 10, "input_cache_read": 90, "input_cache_creation": 5, "output": 9},
            ),
            wire("ToolResult", tool_call_id="c1", return_value={"is_error": False, "output": PAGE}),
            wire("ToolResult", tool_call_id="c2", return_value={"is_error": True, "output": "no such id"}),
            wire("StepBegin", n=2),
            wire("ContentPart", type="text", text="done"),
        ],
        [(10, 90, 5, 9)],
        lines=True,
    ),
    "kiro_cli": Sample(
        [
            {"version": "v1", "kind": "Prompt", "data": {"content": [{"kind": "text", "data": "hi"}]}},
            {
                "version": "v1",
                "kind": "AssistantMessage",
                "data": {
                    "content": [
                        {"kind": "text", "data": "I look"},
                        *(
                            {"kind": "toolUse", "data": {"toolUseId": f"c{n}", "name": "get", "input": {"id": n}}}
                            for n in (1, 2)
                        ),
                    ]
                },
            },
            {
                "version": "v1",
                "kind": "ToolResults",
                "data": {
                    "content": [
                        {
                            "kind": "toolResult",
                            "data": {
                                "toolUseId": "c1",
                                "content": [{"kind": "text", "data": PAGE}],
                                "status": "success",
                            },
                        },
                        {
                            "kind": "toolResult",
                            "data": {
                                "toolUseId": "c2",
                                "content": [{"kind": "text", "data": "no such id"}],
                                "status": "error",
                            },
                        },
                    ]
                },
            },
            {"version": "v1", "kind": "AssistantMessage", "data": {"content": [{"kind": "text", "data": "done"}]}},
        ],
        lines=True,
    ),
    "kiro_cli saved": Sample(
        {
            "conversation_id": "k",
            "model": "m",
            "history": [
                {
                    "user": {"content": {"Prompt": {"prompt": "hi"}}},
                    "assistant": {
                        "ToolUse": {
                            "content": "I look",
                            "tool_uses": [{"id": f"c{n}", "name": "get", "args": {"id": n}} for n in (1, 2)],
                        }
                    },
                },
                {
                    "user": {
                        "content": {
                            "ToolUseResults": {
                                "tool_use_results": [
                                    {"tool_use_id": "c1", "content": [{"Text": PAGE}], "status": "Success"},
                                    {"tool_use_id": "c2", "content": [{"Text": "no such id"}], "status": "Error"},
                                ]
                            }
                        }
                    },
                    "assistant": {"Response": {"content": "done"}},
                },
            ],
        },
        model="m",
    ),
    "browser_use": Sample(
        {
            "history": [
                {
                    "model_output": {
                        "current_state": {"memory": "x"},
                        "action": [{"get": {"id": n}, "interacted_element": None} for n in (1, 2)],
                    },
                    "result": [
                        {"is_done": False, "extracted_content": PAGE},
                        {"is_done": False, "error": "no such id"},
                    ],
                    "state": {"url": "https://example.com"},
                    "metadata": {"input_tokens": 100},
                },
                {"model_output": {"current_state": {}, "action": []}, "result": [], "state": {}, "metadata": {}},
            ]
        },
        [(100, 0, 0, 0)],
    ),
    "toolbench": Sample(
        {
            "win": False,
            "answer_generation": {
                "train_messages": [[{"role": "system", "content": "You are"}, {"role": "user", "content": "hi"}]]
            },
            "tree": {
                "tree": {
                    "node_type": "Action Input",
                    "description": "",
                    "children": [
                        {
                            "node_type": "Thought",
                            "description": "first",
                            "children": [
                                {
                                    "node_type": "Action",
                                    "description": "get",
                                    "children": [TOOLBENCH_LEAF | {"children": []}],
                                }
                            ],
                        },
                        {
                            "node_type": "Action",
                            "description": "get",
                            "children": [
                                {
                                    "node_type": "Action Input",
                                    "description": '{"id": 2}',
                                    "observation": "no such id",
                                    "observation_code": 12,
                                    "children": [],
                                }
                            ],
                        },
                    ],
                }
            },
        },
    ),
    "tau2_bench": Sample(
        {
            "info": {"agent_info": {"llm": "m"}, "environment_info": {"policy": "rules"}},
            "simulations": [
                {
                    "task_id": "7",
                    "trial": 0,
                    "messages": [
                        {"role": "user", "content": "hi"},
                        {
                            "role": "user",
                            "content": None,
                            "tool_calls": [{"id": "u", "name": "restart", "arguments": {}, "requestor": "user"}],
                        },
                        {"role": "tool", "id": "u", "content": "restarted", "requestor": "user"},
                        {
                            "role": "assistant",
                            "content": None,
                            "tool_calls": [
                                {"id": f"c{n}", "name": "get", "arguments": {"id": n}, "requestor": "assistant"}
                                for n in (1, 2)
                            ],
                            "usage": {"prompt_tokens": 100, "completion_tokens": 9},
                        },
                        {"role": "tool", "id": "c1", "content": PAGE, "requestor": "assistant", "error": False},
                        {"role": "tool", "id": "c2", "content": "no such id", "requestor": "assistant", "error": True},
                        {"role": "assistant", "content": "done", "tool_calls": None},
                    ],
                }
            ],
        },
        [(100, 0, 0, 9)],
        "m",
    ),
}


def written(sample: Sample, path: Path) -> Path:
    lines = "\n".join(map(json.dumps, sample.content)) + "\n" if sample.lines else json.dumps(sample.content)
    path.write_text(lines, "utf-8")
    return path


def check(transcripts: list[Transcript], sample: Sample) -> None:
    messages = [message for transcript in transcripts for message in transcript.messages]
    results = [result for transcript in transcripts for result in transcript.results]
    calls = [(call.tool, dict(call.arguments)) for transcript in transcripts for call in transcript.calls]
    assert len(transcripts) == sample.sessions
    assert calls == sample.calls
    assert [result.text for result in results] == sample.results
    answered = {id(result.call) for result in results}
    assert None not in (result.call for result in results) and len(answered) == len(results)
    assert sum(result.is_error for result in results) == sample.errors
    assert [message.usage for message in messages if message.usage] == [Usage(*used) for used in sample.usages]
    assert {transcript.model for transcript in transcripts} == {sample.model}
    assert sum(m.role == "assistant" and not m.continues for m in messages) == sample.spoken
    assert any(message.role == "user" for message in messages) or "browser" in transcripts[0].format


@pytest.mark.parametrize("name", SAMPLES)
def test_a_recording_of_each_format_is_read_whole(name: str, tmp_path: Path) -> None:
    path = written(SAMPLES[name], tmp_path / "recording")
    check(read_transcripts(str(path)), SAMPLES[name])


def test_an_eval_archive_is_read_sample_by_sample(tmp_path: Path) -> None:
    content = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "function": "get", "arguments": {"id": 1}}]},
        {"role": "tool", "tool_call_id": "c1", "function": "get", "content": PAGE},
    ]
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps({"eval": {"model": "m"}}))
        for number, packing in enumerate((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED), 1):
            sample = {"id": f"s{number}", "epoch": 1, "input": "hi", "target": "", "messages": content}
            archive.writestr(f"samples/s{number}_epoch_1.json", json.dumps(sample), packing)
    found = read_transcripts(str(path))
    assert [(t.format, t.name, t.model) for t in found] == [
        ("inspect_eval", "s1/1", "m"),
        ("inspect_eval", "s2/1", "m"),
    ]
    assert [result.text for t in found for result in t.results] == [PAGE, PAGE]
    assert not any(result.places for t in found for result in t.results)


def test_an_eval_archive_packed_with_zstd_is_read(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    sample = json.dumps({"id": 1, "epoch": 1, "messages": [{"role": "user", "content": PAGE}]}).encode()
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("samples/1_epoch_1.json", zstandard.ZstdCompressor().compress(sample))
    data = bytearray(path.read_bytes())  # stored, then declared as zstd: method 93, and the size of what was packed
    for mark, method, size in ((b"PK\x03\x04", 8, 22), (b"PK\x01\x02", 10, 24)):
        at = data.index(mark)
        data[at + method : at + method + 2] = (93).to_bytes(2, "little")
        data[at + size : at + size + 4] = len(sample).to_bytes(4, "little")
    path.write_bytes(data)
    assert [message.text for message in read_transcripts(str(path))[0].messages] == [PAGE]


def crush(path: Path) -> Path:
    def part(kind: str, **data: Any) -> dict[str, Any]:
        return {"type": kind, "data": data}

    made = [part("tool_call", id=f"c{n}", name="get", input=json.dumps({"id": n})) for n in (1, 2)]
    back = [part("tool_result", tool_call_id=f"c{n}", content=RESULTS[n - 1], is_error=n == 2) for n in (1, 2)]
    rows = [("user", [part("text", text="hi")]), ("assistant", made), ("tool", back)]
    rows += [("assistant", [part("finish", reason="canceled")]), ("assistant", [part("text", text="done")])]
    with closing(sqlite3.connect(path)) as base:
        base.execute("create table sessions (id, parent_session_id, prompt_tokens, completion_tokens, created_at)")
        base.execute("create table messages (id, session_id, role, parts, model, created_at, is_summary_message)")
        base.execute("insert into sessions values ('s', null, 100, 9, 1), ('t', 's', 0, 0, 2)")
        for number, (role, parts) in enumerate(rows):
            values = (number, "s", role, json.dumps(parts), "m" if role == "assistant" else None, 7, 0)
            base.execute("insert into messages values (?, ?, ?, ?, ?, ?, ?)", values)
        base.commit()
    return path


def test_the_database_of_crush_is_read_and_left_alone(tmp_path: Path) -> None:
    path = crush(tmp_path / "crush.db")
    before = path.read_bytes()
    found = read_transcripts(str(path))
    check(found[:1], Sample(None, [(100, 0, 0, 9)], "m"))
    assert (found[1].name, found[1].parent, found[1].messages) == ("t", "s", [])
    assert found[0].skipped == {"message without content": 1}
    assert path.read_bytes() == before and [each.name for each in tmp_path.iterdir()] == ["crush.db"]
    assert emit(str(path), [(result, "short") for result in found[0].results], str(tmp_path / "out")).left == 2


def test_changes_that_stand_in_the_log_of_a_database_are_told(tmp_path: Path) -> None:
    path = crush(tmp_path / "crush.db")
    path.with_name("crush.db-wal").write_bytes(b"x" * 40)
    assert any("write-ahead log" in problem for problem in read_transcripts(str(path))[0].problems)


def test_the_database_of_opencode_is_read(tmp_path: Path) -> None:
    def tool(id: int, **state: Any) -> dict[str, Any]:
        return {"type": "tool", "callID": f"c{id}", "tool": "get", "state": {"input": {"id": id}, **state}}

    tokens = {"input": 60, "output": 9, "cache": {"read": 40, "write": 0}}
    steps = [tool(1, status="completed", output=PAGE), tool(2, status="error", error="no such id")]
    messages = [
        ({"role": "user"}, [{"type": "text", "text": "hi"}]),
        ({"role": "assistant", "modelID": "m", "tokens": tokens}, steps),
        ({"role": "assistant", "modelID": "m"}, [{"type": "text", "text": "done"}]),
    ]
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as base:
        base.execute("create table session (id, parent_id, time_created)")
        base.execute("create table message (id, session_id, time_created, data)")
        base.execute("create table part (id, message_id, session_id, data)")
        base.execute("insert into session values ('s', null, 1)")
        for number, (info, parts) in enumerate(messages):
            base.execute("insert into message values (?, 's', ?, ?)", (f"m{number}", number, json.dumps(info)))
            for index, part in enumerate(parts):
                values = (f"p{number}{index}", f"m{number}", json.dumps(part))
                base.execute("insert into part values (?, ?, 's', ?)", values)
        base.commit()
    check(read_transcripts(str(path)), Sample(None, [(60, 40, 0, 9)], "m"))


def test_a_broken_database_is_an_error_in_words(tmp_path: Path) -> None:
    path = crush(tmp_path / "crush.db")
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(InputError):
        read_transcripts(str(path))


def test_what_the_screen_of_cline_showed_is_no_conversation_but_has_its_usage(tmp_path: Path) -> None:
    sample = SAMPLES["cline xml"]
    task = written(sample, tmp_path / "api_conversation_history.json")
    used = {"tokensIn": 10, "tokensOut": 9, "cacheReads": 90, "cacheWrites": 5}
    screen = [{"ts": n, "type": "say", "say": "api_req_started", "text": json.dumps(used)} for n in (1, 2)]
    (tmp_path / "ui_messages.json").write_text(json.dumps(screen))
    check(read_transcripts(str(task)), sample._replace(usages=[(10, 90, 5, 9)] * 2))
    with pytest.raises(InputError, match="screen"):
        read_transcripts(str(tmp_path / "ui_messages.json"))


def test_a_result_of_cline_answers_no_call_of_an_earlier_round(tmp_path: Path) -> None:
    rounds = [*SAMPLES["cline"].content[:2], {"role": "user", "content": "[TASK RESUMPTION] go on"}]
    rounds += [{"role": "assistant", "content": [{"type": "tool_use", "id": "t3", "name": "get", "input": {"id": 3}}]}]
    rounds += [{"role": "user", "content": [{"type": "text", "text": f"[get for '3'] Result:\n{PAGE}"}]}]
    found = read_transcripts(str(written(Sample(rounds), tmp_path / "task.json")))[0]
    assert [result.call.id for result in found.results if result.call] == ["t3"]
    assert found.omissions.calls_without_result == 2


def test_a_folder_of_messages_that_strands_keeps_is_one_session(tmp_path: Path) -> None:
    folder = tmp_path / "messages"
    folder.mkdir()
    for number, message in zip((0, 2, 10, 11), CONVERSE, strict=True):  # by number, not by name
        value = {"message": message, "message_id": number, "redact_message": None}
        (folder / f"message_{number}.json").write_text(json.dumps(value))
    found = read_transcripts(str(folder))
    check(found, SAMPLES["converse_messages"])
    assert emit(str(folder), [(result, "short") for result in found[0].results], str(tmp_path / "out")).replaced == 2
    assert {result.text for result in read_transcripts(str(tmp_path / "out"))[0].results} == {"short"}


def test_a_journal_of_vs_code_is_replayed(tmp_path: Path) -> None:
    sample = SAMPLES["vscode_chat_export"]
    request = sample.content["requests"][0]
    changes = [
        {"kind": 0, "v": {"version": 3, "requests": []}},
        {"kind": 2, "k": ["requests"], "v": [{**request, "result": {}}]},
        {"kind": 1, "k": ["requests", 0, "result"], "v": request["result"]},
    ]
    check(read_transcripts(str(written(Sample(changes, lines=True), tmp_path / "chat.jsonl"))), sample)


def test_vs_code_breaks_a_line_only_where_none_ends(tmp_path: Path) -> None:
    sample = copy.deepcopy(SAMPLES["vscode_chat_export"])
    leaves = [{"text": text, "lineBreakBefore": True} for text in ("```c\n", "int a;\n", "\n", "int b;", "```")]
    answers = sample.content["requests"][0]["result"]["metadata"]["toolCallResults"]
    answers["c1"] = {"content": [{"value": {"node": {"children": leaves}}}]}
    found = read_transcripts(str(written(sample, tmp_path / "chat.json")))
    assert found[0].results[0].text == "```c\nint a;\n\nint b;\n```"


def test_a_tool_s_span_holds_its_message_or_blocks(tmp_path: Path) -> None:
    put_out = [
        {"content": PAGE, "tool_call_id": "c1", "status": "success"},
        {"content": [{"type": "text", "text": "no such id"}]},
    ]
    for format, sample in (("langfuse_trace", langfuse()), ("otel_spans", spans("list"))):
        runs = sample["observations"] if isinstance(sample, dict) else sample
        runs[:] = [run for run in runs if run.get("id") == "g1" or run.get("span_id") == "s0"]
        for number, value in enumerate(put_out):
            attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get"}
            attributes["gen_ai.tool.call.result"] = json.dumps(value)
            run = {
                "id": f"t{number}",
                "traceId": "t",
                "type": "TOOL",
                "name": "get",
                "startTime": f"2026-01-02T0{number}",
            }
            runs.append(
                run | {"input": {}, "output": json.dumps(value), "attributes": attributes, "start_time": 50 + number}
            )
        found = read_transcripts(str(written(Sample(sample), tmp_path / format)))
        assert [result.text for transcript in found for result in transcript.results] == RESULTS, format


def test_a_branch_of_toolbench_forgets_the_one_before(tmp_path: Path) -> None:
    found = read_transcripts(str(written(SAMPLES["toolbench"], tmp_path / "answer.json")))[0]
    assert [(m.role, list(m.forgets)) for m in found.messages if m.forgets] == [("assistant", [2, 3])]


def test_a_compaction_of_kimi_takes_out_what_it_sums_up(tmp_path: Path) -> None:
    compacted = {"type": "context.apply_compaction", "summary": "so far", "keptUserMessageCount": 1}
    sample = Sample([*SAMPLES["kimi_cli"].content, compacted], lines=True)
    found = read_transcripts(str(written(sample, tmp_path / "wire.jsonl")))[0]
    gone = {found.messages[n].role for n in found.messages[-1].forgets}
    assert (found.messages[-1].text, gone) == ("so far", {"assistant", "tool"})


def test_a_condensation_of_openhands_takes_out_the_forgotten_events(tmp_path: Path) -> None:
    condensed = openhands(8, "condensation", args={"forgotten_event_ids": [3, 5], "summary": "so far"})
    found = read_transcripts(str(written(Sample([*openhands_run(), condensed]), tmp_path / "run.json")))[0]
    assert [found.messages[n].text for n in found.messages[-1].forgets] == ["I look", PAGE]


def test_two_libraries_that_trace_one_model_call_count_once(tmp_path: Path) -> None:
    used = {"gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 100, "gen_ai.usage.output_tokens": 9}
    outer = {"span_id": "s9", "start_time": 0, "attributes": used}
    inner = [span | ({"parent_span_id": "s9"} if span["span_id"] == "s0" else {}) for span in spans("list")]
    found = read_transcripts(str(written(Sample([outer, *inner]), tmp_path / "spans.json")))
    check(found, SAMPLES["otel_spans"])
    assert found[0].skipped == {"span chat": 1}


def test_spans_that_stand_in_each_other_are_read(tmp_path: Path) -> None:
    circle = [span | {"parent_span_id": parent} for span, parent in zip(spans("list"), ("t", "s0", "s1"), strict=True)]
    assert read_transcripts(str(written(Sample(circle), tmp_path / "spans.json")))


def test_a_call_told_as_a_block_and_beside_the_content_is_one(tmp_path: Path) -> None:
    use = {"type": "tool_use", "id": "c1", "name": "get", "input": {"id": 1}}
    spoken = {"type": "ai", "content": [use], "tool_calls": [{"id": "c1", "name": "get", "args": {"id": 1}}]}
    messages = [{"type": "human", "content": "go"}, spoken, {"type": "tool", "content": PAGE, "tool_call_id": "c1"}]
    (found,) = read_transcripts(str(written(Sample(messages), tmp_path / "thread.json")))
    assert (found.format, len(found.calls), len(found.results)) == ("langgraph_messages", 1, 1)
    assert not found.omissions.calls_without_result
