"""Transcript formats of message lists, API dumps, agent frameworks and MCP: a small recording of each, made up here."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from recordings_a import RECORDINGS
from test_formats_c import SAMPLES as MORE

from mcpcompact.errors import McpcompactError
from mcpcompact.transcripts import Transcript, Usage, read_transcripts
from mcpcompact.transcripts.document import UNREADABLE, Document, mended
from mcpcompact.transcripts.emit import emit
from mcpcompact.transcripts.read import REGISTRY, detect, load
from mcpcompact.transcripts.rounds import SAYS, Cut, cut

PAGE = "line one of the page\nid=4711 status=failed\nthe end"


class Sample(NamedTuple):
    """A recording: one JSON value, a list of lines, or (by name) the files of a directory; what is in it."""

    content: Any
    calls: list[tuple[str, dict[str, Any]]]
    results: list[str]
    kind: str = "document"
    transcripts: int = 1
    unpaired: int = 0  # calls that nothing answers


def tool_call(id: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


CHAT: list[dict[str, Any]] = [
    {"role": "system", "content": "policy"},
    {"role": "user", "content": "hi"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [tool_call("c1", "get", {"id": 1}), tool_call("c2", "get", {"id": 2})],
    },
    {"role": "tool", "tool_call_id": "c2", "name": "get", "content": "second"},
    {"role": "tool", "tool_call_id": "c1", "name": "get", "content": PAGE},
    {"role": "assistant", "content": "done", "tool_calls": None, "function_call": None},
]
CHAT_CALLS = [("get", {"id": 1}), ("get", {"id": 2})]
CHAT_RESULTS = ["second", PAGE]

LEGACY: list[dict[str, Any]] = [
    {"role": "user", "content": "hi"},
    {"role": "assistant", "content": "", "function_call": {"name": "f", "arguments": '{"a": 1}'}},
    {"role": "function", "name": "f", "content": PAGE},
]

SMITH: list[dict[str, Any]] = [
    {"role": "system", "content": "You can call functions."},
    {"role": "user", "content": "fix it"},
    {"role": "assistant", "content": "Look.\n<function=bash>\n<parameter=command>ls -la</parameter>\n</function>"},
    {"role": "user", "content": "OBSERVATION:\n" + PAGE},
    {"role": "assistant", "content": "So:\n```bash\ncat a\n```"},
    {"role": "user", "content": [{"type": "text", "text": "<returncode>1</returncode>\nno such file"}]},
]
SMITH_CALLS = [("bash", {"command": "ls -la"}), ("bash", {"command": "cat a\n"})]
SMITH_RESULTS = ["OBSERVATION:\n" + PAGE, "<returncode>1</returncode>\nno such file"]


def exchange(uri: str, request: Any, response: Any, status: int = 200) -> dict[str, Any]:
    return {"method": "POST", "uri": uri, "status": status, "request": request, "response": response}


def sse(*events: Any) -> str:
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"


COMPLETIONS = "https://api.example/v1/chat/completions"
API = [
    exchange(
        COMPLETIONS,
        {"model": "m", "messages": CHAT[:2]},
        sse(
            {"choices": [{"index": 0, "delta": {"role": "assistant", "content": None}}]},
            {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0} | tool_call("c1", "get", {"id": 1})]}}]},
            {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 1} | tool_call("c2", "get", {"id": 2})]}}]},
            {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2}},
        ),
    ),
    exchange("https://mcp.example/mcp", None, "event: message\ndata: {}\n\n"),
    exchange(
        COMPLETIONS,
        {"model": "m", "messages": CHAT[:5]},
        {
            "object": "chat.completion",
            "choices": [{"index": 0, "message": CHAT[5]}],
            "usage": {
                "prompt_tokens": 30,
                "completion_tokens": 3,
                "prompt_tokens_details": {"cached_tokens": 10},
            },
        },
    ),
    exchange(
        COMPLETIONS,
        {"model": "m", "messages": [{"role": "user", "content": "another talk"}]},
        {"choices": [{"message": {"role": "assistant", "content": "yes"}}]},
    ),
]

RESPONSES_URI = "https://api.example/v1/responses"
ASKED = {"type": "function_call", "id": "fc1", "call_id": "c1", "name": "get", "arguments": '{"id": 1}'}
RESPONSES = [
    exchange(
        RESPONSES_URI,
        {"model": "m", "instructions": "be brief", "input": "hi"},
        sse(
            {"type": "response.created", "response": {"output": []}},
            {
                "type": "response.completed",
                "response": {
                    "id": "r1",
                    "output": [{"type": "reasoning", "summary": []}, ASKED],
                    "usage": {"input_tokens": 9, "output_tokens": 2},
                },
            },
        ),
    ),
    exchange(
        RESPONSES_URI,
        {
            "model": "m",
            "previous_response_id": "r1",
            "instructions": "be brief",
            "input": [{"type": "function_call_output", "call_id": "c1", "output": PAGE}],
        },
        {
            "id": "r2",
            "output": [
                {
                    "type": "mcp_call",
                    "id": "m1",
                    "server_label": "wiki",
                    "name": "ask",
                    "arguments": '{"q": "x"}',
                    "output": "found it",
                    "error": None,
                },
                {"type": "web_search_call", "id": "w1", "status": "completed", "action": {"query": "y"}},
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]},
            ],
            "usage": {"input_tokens": 40, "output_tokens": 8, "input_tokens_details": {"cached_tokens": 20}},
        },
    ),
]

CONVERSE = "https://bedrock.example/model/some.model/converse"
CONVERSED: list[dict[str, Any]] = [
    {"role": "user", "content": [{"text": "hi"}, {"cachePoint": {"type": "default"}}]},
    {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t1", "name": "get", "input": {"id": 1}}}]},
    {
        "role": "user",
        "content": [
            {
                "toolResult": {
                    "toolUseId": "t1",
                    "status": "error",
                    "content": [{"text": PAGE}, {"image": {"format": "png"}}],
                }
            }
        ],
    },
]
BEDROCK = [
    exchange(
        CONVERSE,
        {"system": [{"text": "be brief"}], "messages": CONVERSED[:1]},
        {
            "output": {"message": CONVERSED[1]},
            "usage": {"inputTokens": 5, "outputTokens": 2, "cacheReadInputTokens": 7},
        },
    ),
    exchange(
        CONVERSE,
        {"system": [{"text": "be brief"}], "messages": CONVERSED},
        {"output": {"message": {"role": "assistant", "content": [{"text": "done"}]}}, "usage": {"inputTokens": 9}},
    ),
]

LITELLM = {
    "messages": [
        {"role": "system", "content": [{"type": "text", "text": "policy", "cache_prompt": False}]},
        {"role": "user", "content": "make it"},
        {"role": "assistant", "content": "<function=terminal>\n<parameter=command>pwd</parameter>\n</function>"},
        {"role": "user", "content": "EXECUTION RESULT of [terminal]:\n" + PAGE},
    ],
    "tools": [],
    "kwargs": {},
    "context_window": 65536,
    "response": {
        "model": "proxy/m",
        "choices": [
            {
                "message": {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [tool_call("f1", "finish", {"message": "ok"})],
                }
            }
        ],
        "usage": {"prompt_tokens": 90, "completion_tokens": 5, "cache_read_input_tokens": 0},
    },
    "cost": 0.02,
    "latency_sec": 1.0,
}

SWE = {
    "environment": "e",
    "trajectory": [
        {
            "action": "open a.py\n",
            "observation": PAGE,
            "response": "Let me look.\n```\nopen a.py\n```",
            "thought": "Let me look.",
            "state": '{"open_file": "n/a"}',
        },
        {"action": "ls", "observation": "", "response": "And list.", "thought": "", "state": {"open_file": "a.py"}},
    ],
    "history": [
        {"role": "system", "content": "policy", "agent": "main"},
        {"role": "user", "content": "a demonstration", "agent": "main", "is_demo": True},
        {"role": "user", "content": "the task", "agent": "main"},
        {"role": "assistant", "content": "Let me look.", "thought": "", "action": "open a.py", "agent": "main"},
        {"role": "user", "content": PAGE, "agent": "main"},
    ],
    "info": {"model_stats": {"tokens_sent": 100, "tokens_received": 7}},
}

NEBIUS = [
    {
        "instance_id": f"x-{n}",
        "model_name": "swe-agent-m",
        "trajectory": [
            {"role": "system", "system_prompt": "policy", "text": None, "mask": False},
            {"role": "user", "system_prompt": None, "text": "the task"},
            {"role": "ai", "text": "Search.\n```\nsearch_dir foo\n```", "mask": True},
            {"role": "user", "text": PAGE},
        ],
        "exit_status": "submitted",
    }
    for n in (1, 2)
]

MINI = {
    "info": {"model_stats": {"api_calls": 1}, "mini_version": "1.9", "config": {"model": {"model_name": "m"}}},
    "messages": [
        {"role": "system", "content": "policy"},
        {"role": "user", "content": "fix it"},
        {
            "role": "assistant",
            "content": "THOUGHT: look\n\n```bash\nls\n```",
            "extra": {"response": {"usage": {"prompt_tokens": 12, "completion_tokens": 4}}},
        },
        {"role": "user", "content": f"<returncode>0</returncode>\n<output>\n{PAGE}\n</output>"},
    ],
    "trajectory_format": "mini-swe-agent-1",
}
MINI_RESULTS = [f"<returncode>0</returncode>\n<output>\n{PAGE}\n</output>"]


def hands(kind: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "source": "agent", "timestamp": "t", **more}


def hands_action(id: str, response: str) -> dict[str, Any]:
    return hands(
        "ActionEvent",
        id=f"a-{id}",
        thought=[{"type": "text", "text": "look"}],
        tool_name="terminal",
        tool_call_id=id,
        tool_call={"id": id, "name": "terminal", "arguments": '{"command": "ls"}'},
        llm_response_id=response,
    )


HANDS = {
    f"event-{n:05}-x.json": event
    for n, event in enumerate(
        [
            hands("SystemPromptEvent", id="e0", system_prompt={"type": "text", "text": "policy"}, tools=[]),
            hands("MessageEvent", id="e1", llm_message={"role": "user", "content": [{"type": "text", "text": "hi"}]}),
            hands_action("t1", "r1"),
            hands_action("t2", "r1"),
            hands(
                "ObservationEvent",
                id="e4",
                tool_name="terminal",
                tool_call_id="t2",
                action_id="a-t2",
                observation={"kind": "TerminalObservation", "content": [{"type": "text", "text": PAGE}]},
            ),
            hands("AgentErrorEvent", id="e5", tool_name="terminal", tool_call_id="t1", error="no such tool"),
            hands("ConversationStateUpdateEvent", id="e6", key="x", value=1),
            hands("Condensation", id="e7", forgotten_event_ids=["e4"], summary="so far"),
        ]
    )
}

AUTOGEN = {
    "question": "how many?",
    "ground_truth": "4",
    "history": [
        {"name": "Excel_Expert", "role": "assistant", "content": "You are given: a task"},
        {"name": "Data_Expert", "role": "user", "content": "Run:\n```python\nprint(4)\n```"},
        {
            "name": "Computer_terminal",
            "role": "user",
            "content": "exitcode: 1 (execution failed)\nCode output: " + PAGE,
        },
        {"name": "Data_Expert", "role": "user", "content": "TERMINATE"},
    ],
    "mistake_agent": "Data_Expert",
    "mistake_step": "1",
}

MAGENTIC = {
    "question": "where?",
    "ground_truth": "there",
    "is_corrected": False,
    "history": [
        {"role": "human", "content": "where?"},
        {"role": "Orchestrator (thought)", "content": "a plan"},
        {"role": "Orchestrator (-> WebSurfer)", "content": "search for it"},
        {"role": "WebSurfer", "content": PAGE},
    ],
    "mistake_agent": "WebSurfer",
}

NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["### Query\n", "train it"]},
        {"cell_type": "markdown", "metadata": {}, "source": ["### Prompt\n", "[{'role': 'system'}]"]},
        {"cell_type": "markdown", "metadata": {}, "source": "### Step 1"},
        {"cell_type": "markdown", "metadata": {}, "source": "**Thought**: clone it"},
        {"cell_type": "markdown", "metadata": {}, "source": "**Action (execute)**:"},
        {
            "cell_type": "code",
            "source": ["!git clone x\n", "!ls"],
            "outputs": [
                {"output_type": "stream", "name": "stdout", "text": ["10%\r20%\r100%\n", "\x1b[32mdone\x1b[0m\n"]},
                {"output_type": "display_data", "data": {"image/png": "iVBO", "text/plain": "<Figure>\n"}},
                {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\x1b[31mE\x1b[0m: v"]},
            ],
        },
    ],
    "metadata": {},
    "nbformat": 4,
}


def constructor(kind: str, **kwargs: Any) -> dict[str, Any]:
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", kind], "kwargs": kwargs}


LANGCHAIN = [
    constructor("HumanMessage", content="hi", type="human"),
    constructor(
        "AIMessage",
        content=[{"type": "text", "text": "look"}, {"type": "tool_use", "id": "c1", "name": "get", "input": {"id": 1}}],
        tool_calls=[{"id": "c1", "name": "get", "args": {"id": 1}, "type": "tool_call"}],
        response_metadata={"model_name": "m"},
        usage_metadata={
            "input_tokens": 30,
            "output_tokens": 4,
            "input_token_details": {"cache_read": 10, "cache_creation": 5},
        },
    ),
    constructor("ToolMessage", content=PAGE, tool_call_id="c1", name="get", status="error"),
]


def rpc(direction: str, **message: Any) -> dict[str, Any]:
    return {"ts": "t", "dir": direction, "message": {"jsonrpc": "2.0", **message}}


def rpc_call(id: Any, tool: str) -> dict[str, Any]:
    return rpc("send", id=id, method="tools/call", params={"name": tool, "arguments": {"q": tool}})


MCP = [
    rpc("send", id=0, method="initialize", params={}),
    rpc("recv", id=0, result={"serverInfo": {"name": "db"}, "capabilities": {}}),
    rpc("send", method="notifications/initialized"),
    rpc("send", id=1, method="tools/list"),
    rpc("recv", id=1, result={"tools": []}),
    rpc_call(2, "slow"),
    rpc_call(3, "quick"),
    rpc("recv", id=2, method="roots/list"),
    rpc("send", id=2, result={"roots": []}),
    rpc("recv", method="notifications/progress", params={}),
    rpc(
        "recv",
        id=3,
        result={
            "content": [
                {"type": "text", "text": PAGE},
                {"type": "resource", "resource": {"uri": "u", "text": "embedded"}},
                {"type": "image", "data": "AAAA", "mimeType": "image/png"},
            ],
            "isError": True,
            "structuredContent": {"result": PAGE},
        },
    ),
    rpc("recv", id=2, result={"content": [], "structuredContent": {"rows": [1]}}),
    rpc_call("x", "broken"),
    rpc("recv", id="x", error={"code": -32602, "message": "bad arguments"}),
]

CAPTURE = [
    {"type": "request", "count": 1, "method": "list_tools", "args": []},
    {"type": "response", "count": 1, "method": "list_tools", "result": {"_type": "ListToolsResult"}},
    {"type": "request", "count": 2, "method": "call_tool", "args": ["read_file", {"path": "a"}]},
    {
        "type": "response",
        "count": 2,
        "method": "call_tool",
        "result": {"_type": "CallToolResult", "content": [{"_type": "TextContent", "type": "text", "text": PAGE}]},
    },
]
CAPTURED = [
    {
        "server": f"s{n}",
        "calls": [
            {"tool": "read", "arguments": {"path": "a"}, "result": {"content": [{"type": "text", "text": PAGE}]}}
        ],
    }
    for n in (1, 2)
]

SHAREGPT = [
    {
        "id": "agent-1",
        "conversations": [
            {"from": "human", "value": "the task"},
            {"from": "gpt", "value": "Think: look\n\nAct: bash\n\n```bash\nls\n```"},
            {"from": "human", "value": PAGE},
            {"from": "gpt", "value": "done"},
        ],
    },
    {
        "conversations": [
            {"role": "user", "content": "the task"},
            {"role": "agent", "content": "look"},
            {"role": "user", "content": "seen"},
        ]
    },
]

GYM = [
    {
        "messages": [
            {"role": "system", "content": "You are a web agent."},
            {"role": "user", "content": f"# Page {n}\n{PAGE}"},
        ],
        "output": "<action>\nclick('12')\n</action>",
    }
    for n in (1, 2)
]
GYM_RESULTS = [f"# Page {n}\n{PAGE}" for n in (1, 2)]

TAU = [{"task_id": n, "trial": trial, "reward": 1.0, "info": {}, "traj": CHAT} for n in (0, 1) for trial in (0, 1)]

SAMPLES: dict[str, list[Sample]] = {
    "openai_chat": [
        Sample(CHAT, CHAT_CALLS, CHAT_RESULTS),
        Sample(TAU, CHAT_CALLS * 4, CHAT_RESULTS * 4, transcripts=4),
        Sample({"messages": CHAT, "tools": []}, CHAT_CALLS, CHAT_RESULTS),
        Sample([{"messages": json.dumps(CHAT)}] * 2, CHAT_CALLS * 2, CHAT_RESULTS * 2, transcripts=2),
        Sample([{"instance_id": "i", "messages": SMITH}], SMITH_CALLS, SMITH_RESULTS),
        Sample([{"messages": SMITH, "id": 1}] * 2, SMITH_CALLS * 2, SMITH_RESULTS * 2, "lines", 2),
        Sample({"messages": LEGACY}, [("f", {"a": 1})], [PAGE]),
        Sample(CHAT, CHAT_CALLS, CHAT_RESULTS, "lines"),
        Sample({"simulations": [{"id": "s", "messages": CHAT}]}, CHAT_CALLS, CHAT_RESULTS),
    ],
    "openai_chat_api": [Sample(API, CHAT_CALLS, CHAT_RESULTS, "lines", 2)],
    "openai_responses": [
        Sample(
            RESPONSES,
            [("get", {"id": 1}), ("ask", {"q": "x"}), ("web_search", {"query": "y"})],
            [PAGE, "found it"],
            "lines",
        )
    ],
    "bedrock_converse": [Sample(BEDROCK, [("get", {"id": 1})], [PAGE], "lines")],
    "litellm_completion_log": [
        Sample(
            LITELLM,
            [("terminal", {"command": "pwd"}), ("finish", {"message": "ok"})],
            ["EXECUTION RESULT of [terminal]:\n" + PAGE],
            unpaired=1,
        )
    ],
    "swe_agent_traj": [
        Sample(SWE, [("open", {"command": "open a.py"}), ("bash", {"command": "ls"})], [PAGE, ""]),
        Sample(NEBIUS, [("bash", {"command": "search_dir foo\n"})] * 2, [PAGE] * 2, "lines", 2),
        Sample(NEBIUS[0], [("bash", {"command": "search_dir foo\n"})], [PAGE]),
        Sample(
            NEBIUS[0] | {"trajectory": json.dumps(NEBIUS[0]["trajectory"])},
            [("bash", {"command": "search_dir foo\n"})],
            [PAGE],
        ),
        Sample({"history": SWE["history"]}, [("", {"input": "Let me look."})], [PAGE]),
    ],
    "mini_swe_agent": [
        Sample(MINI, [("bash", {"command": "ls\n"})], MINI_RESULTS),
        Sample(
            [{key: m[key] for key in ("role", "content")} for m in MINI["messages"]],  # type: ignore[index]
            [("bash", {"command": "ls\n"})],
            MINI_RESULTS,
        ),
    ],
    "openhands_events": [
        Sample(HANDS, [("terminal", {"command": "ls"})] * 2, [PAGE, "no such tool"], "directory"),
    ],
    "autogen_history": [
        Sample(
            AUTOGEN,
            [("Computer_terminal", {"code": "print(4)\n"})],
            ["exitcode: 1 (execution failed)\nCode output: " + PAGE],
        )
    ],
    "magentic_history": [Sample(MAGENTIC, [("WebSurfer", {"input": "search for it"})], [PAGE])],
    "jupyter_trajectory": [
        Sample(
            NOTEBOOK,
            [("execute", {"code": "!git clone x\n!ls"})],
            ["10%\r20%\r100%\n\x1b[32mdone\x1b[0m\n<Figure>\n\x1b[31mE\x1b[0m: v\n"],
        )
    ],
    "langchain_messages": [
        Sample(LANGCHAIN, [("get", {"id": 1})], [PAGE]),
        Sample(
            [
                {"type": "human", "data": {"content": "hi"}},
                {"type": "ai", "data": {"content": "", "tool_calls": [{"id": "1", "name": "f", "args": {}}]}},
                {"type": "tool", "data": {"content": PAGE, "tool_call_id": "1"}},
            ],
            [("f", {})],
            [PAGE],
        ),
    ],
    "mcp_jsonrpc": [
        Sample(
            MCP,
            [("slow", {"q": "slow"}), ("quick", {"q": "quick"}), ("broken", {"q": "broken"})],
            [PAGE + "\nembedded", '{"rows": [1]}', "bad arguments"],
            "lines",
        ),
        Sample(
            [record["message"] for record in MCP if record["message"].get("id") != 2],
            [("quick", {"q": "quick"}), ("broken", {"q": "broken"})],
            [PAGE + "\nembedded", "bad arguments"],
            "lines",
        ),
    ],
    "mcp_capture": [
        Sample(CAPTURE, [("read_file", {"path": "a"})], [PAGE], "lines"),
        Sample(CAPTURED, [("read", {"path": "a"})] * 2, [PAGE] * 2, "lines", 2),
    ],
    "sharegpt_conversations": [
        Sample(SHAREGPT, [("bash", {"command": "ls\n"}), ("", {"input": "look"})], [PAGE, "seen"], transcripts=2),
        Sample(SHAREGPT[0], [("bash", {"command": "ls\n"})], [PAGE]),
    ],
    "browsergym_messages": [
        Sample(GYM, [("browser", {"action": "click", "input": "'12'"})] * 2, GYM_RESULTS, "lines", unpaired=1),
        Sample(GYM[0], [], GYM_RESULTS[:1]),
    ],
}
EVERY = [
    pytest.param(name, sample, id=f"{name}-{n}") for name, all_ in SAMPLES.items() for n, sample in enumerate(all_)
]


def dumped(sample: Sample, content: Any, indent: int | None = None) -> str:
    if sample.kind == "lines":
        return "".join(json.dumps(line) + "\n" for line in content)
    return json.dumps(content, indent=indent)


def written(sample: Sample, content: Any, folder: Path, indent: int | None = None) -> str:
    """The recording under a name that tells nothing."""
    if sample.kind != "directory":
        path = folder / "recording.txt"
        path.write_text(dumped(sample, content, indent), "utf-8")
        return str(path)
    path = folder / "recording"
    path.mkdir()
    for name, event in content.items():
        (path / name).write_text(json.dumps(event), "utf-8")
    return str(path)


@pytest.mark.parametrize(("name", "sample"), EVERY)
def test_calls_and_results_are_found_and_paired(name: str, sample: Sample, tmp_path: Path) -> None:
    found = read_transcripts(written(sample, sample.content, tmp_path))
    calls = [(call.tool, dict(call.arguments)) for transcript in found for call in transcript.calls]
    assert len(found) == sample.transcripts
    assert len({transcript.name for transcript in found}) == len(found)
    assert {transcript.format for transcript in found} == {name}
    assert calls == sample.calls
    assert [result.text for transcript in found for result in transcript.results] == sample.results
    assert all(transcript.omissions.results_without_call == 0 for transcript in found)
    assert sum(transcript.omissions.calls_without_result for transcript in found) == sample.unpaired
    said = {line for transcript in found for line in transcript.problems}
    assert said <= {"no tool call and no result in this session"}


def as_sample(data: bytes) -> Sample:
    if data.count(b"\n") > 1 and not data.startswith(b"{\n"):
        return Sample([json.loads(line) for line in data.splitlines()], [], [], "lines")
    return Sample(json.loads(data), [], [])


OTHERS = [pytest.param(name, as_sample(data), id=name) for name, data in RECORDINGS.items()] + [
    pytest.param(name.split()[0], Sample(each.content, [], [], "lines" if each.lines else "document"), id=name)
    for name, each in MORE.items()
]


@pytest.mark.parametrize(("name", "sample"), [*EVERY, *OTHERS])
@pytest.mark.parametrize("indent", [None, 1])
def test_a_recording_is_known_by_its_content(name: str, sample: Sample, indent: int | None, tmp_path: Path) -> None:
    path = written(sample, sample.content, tmp_path, indent)
    assert detect(Document(path)) == name
    claims = {other: load(other).sniff(Document(path)) for other in REGISTRY}
    best = max(claims.values())
    assert next(other for other, claim in claims.items() if claim == best) == name


IN_REQUESTS = ("anthropic_messages", "gemini_api", "openai_chat-3")  # in dumps, or as JSON in a string: no place for it
IN_SPANS = ("otel_spans", "langfuse_trace")  # which repeat what was said: a result has no place of its own
SUMMED = [
    param for param in [*EVERY, *OTHERS] if param.values[0] in SAYS and param.id not in IN_REQUESTS
]  # fmt: skip


@pytest.mark.parametrize(("name", "sample"), [*EVERY, *OTHERS])
def test_the_places_of_a_result_rewrite_it(name: str, sample: Sample, tmp_path: Path) -> None:
    path = written(sample, sample.content, tmp_path)
    rewritable = [r for t in read_transcripts(path) for r in t.results if r.places]
    assert bool(rewritable) is (name not in IN_SPANS)
    assert len(rewritable) >= sum(PAGE in text or "\r" in text for text in sample.results)
    changed = str(tmp_path / "out" / "recording.txt")
    done = emit(path, [(result, f"[mcpcompact] {n}") for n, result in enumerate(rewritable)], changed)
    assert (done.replaced, done.left) == (len(rewritable), 0)
    again = [r for t in read_transcripts(changed, name) for r in t.results]
    texts = iter(range(len(rewritable)))
    expected = [
        f"[mcpcompact] {next(texts)}" if r.places else r.text for t in read_transcripts(path) for r in t.results
    ]
    assert [result.text.removesuffix("\n") for result in again] == expected


@pytest.mark.parametrize(("name", "sample"), SUMMED)
def test_a_summary_takes_the_place_of_older_messages_in_the_format_s_own_words(
    name: str, sample: Sample, tmp_path: Path
) -> None:
    twice = {"vscode_chat_export": "requests", "kiro_cli": "history"}.get(name)
    if twice and twice in sample.content:  # a turn is whole only with all its rounds
        sample = sample._replace(content=sample.content | {twice: sample.content[twice] * 2})
    path, out = written(sample, sample.content, tmp_path), str(tmp_path / "out")
    (before,) = read_transcripts(path)[:1]
    cuts = (cut(before, end, "what was said before") for end in range(len(before.messages) - 1, 0, -1))
    emit(path, [], out, [next(made for made in cuts if isinstance(made, Cut))])
    (after,) = read_transcripts(out, name)[:1]
    live = [message for message in after.messages if message.role != "system"]
    assert (live[0].role, live[0].text) == ("user", "what was said before")
    kept = live[1:]
    assert 0 < len(kept) < len(before.messages)
    assert [(m.role, m.text) for m in kept] == [(m.role, m.text) for m in before.messages[-len(kept) :]]
    assert after.omissions.results_without_call == 0


# What stands in a format besides its calls and results


def one(name: str, tmp_path: Path, number: int = 0) -> Transcript:
    sample = SAMPLES[name][number]
    return read_transcripts(written(sample, sample.content, tmp_path))[0]


def usages(transcript: Transcript) -> list[Usage | None]:
    return [message.usage for message in transcript.messages if message.role == "assistant"]


def test_an_exchange_gives_its_usage_to_the_message_it_made(tmp_path: Path) -> None:
    transcript = one("openai_chat_api", tmp_path)
    assert usages(transcript) == [Usage(fresh=9, output=2), Usage(fresh=20, cached=10, output=3)]
    assert [message.role for message in transcript.messages] == [
        "system", "user", "assistant", "tool", "tool", "assistant",
    ]  # fmt: skip
    assert transcript.skipped == {"exchange POST": 1}


def test_a_response_that_is_followed_by_its_id_is_one_conversation(tmp_path: Path) -> None:
    transcript = one("openai_responses", tmp_path)
    shown = [(message.role, message.continues) for message in transcript.messages]
    said = ("assistant", False)
    assert shown == [
        ("system", False),
        ("user", False),
        said,
        ("tool", False),
        said,
        ("tool", False),
        ("assistant", True),
    ]
    assert usages(transcript) == [Usage(fresh=9, output=2), Usage(fresh=20, cached=20, output=8), None]
    assert [(call.server, call.hosted) for call in transcript.calls] == [("", False), ("wiki", False), ("", True)]


def test_bedrock_tells_failure_images_and_cache(tmp_path: Path) -> None:
    transcript = one("bedrock_converse", tmp_path)
    assert (transcript.results[0].is_error, transcript.results[0].images) == (True, 1)
    assert usages(transcript)[0] == Usage(fresh=5, cached=7, output=2)


def test_a_completion_log_tells_model_window_and_usage(tmp_path: Path) -> None:
    transcript = one("litellm_completion_log", tmp_path)
    assert (transcript.model, transcript.window) == ("proxy/m", 65536)
    assert usages(transcript)[-1] == Usage(fresh=90, output=5)


def test_swe_agent_keeps_the_prompt_of_its_history(tmp_path: Path) -> None:
    transcript = one("swe_agent_traj", tmp_path)
    assert [message.text for message in transcript.messages[:3]] == ["policy", "a demonstration", "the task"]
    assert transcript.usage == Usage(fresh=100, output=7)


def test_mini_swe_agent_tells_usage_and_failure(tmp_path: Path) -> None:
    assert usages(one("mini_swe_agent", tmp_path)) == [Usage(fresh=12, output=4)]


def test_text_results_tell_failure(tmp_path: Path) -> None:
    assert [result.is_error for result in one("openai_chat", tmp_path, 4).results] == [False, True]


def test_openhands_calls_of_one_response_are_parallel_and_condensed_ones_forgotten(tmp_path: Path) -> None:
    transcript = one("openhands_events", tmp_path)
    assert [message.role for message in transcript.messages] == ["system", "user", "assistant", "tool", "tool", "user"]
    assert [result.is_error for result in transcript.results] == [False, True]
    assert list(transcript.messages[5].forgets) == [3]
    assert transcript.skipped == {"ConversationStateUpdateEvent": 1}


def test_group_chats_tell_failure_and_the_person(tmp_path: Path) -> None:
    autogen = one("autogen_history", tmp_path)
    assert [message.role for message in autogen.messages] == ["user", "assistant", "tool", "assistant"]
    assert autogen.results[0].is_error


def test_notebooks_tell_failure_and_images(tmp_path: Path) -> None:
    transcript = one("jupyter_trajectory", tmp_path)
    assert [message.role for message in transcript.messages] == ["user", "system", "assistant", "tool"]
    assert (transcript.results[0].is_error, transcript.results[0].images) == (True, 1)


def test_langchain_tells_usage_model_and_failure(tmp_path: Path) -> None:
    transcript = one("langchain_messages", tmp_path)
    assert usages(transcript) == [Usage(fresh=15, cached=10, written=5, output=4)]
    assert (transcript.model, transcript.results[0].is_error) == ("m", True)


def test_mcp_pairs_by_id_and_direction_and_names_the_server(tmp_path: Path) -> None:
    transcript = one("mcp_jsonrpc", tmp_path)
    assert [(r.tool, r.is_error, r.images) for r in transcript.results] == [
        ("quick", True, 1),
        ("slow", False, 0),
        ("broken", True, 0),
    ]
    assert {call.server for call in transcript.calls} == {"db"}
    assert transcript.skipped["roots/list"] == transcript.skipped["notifications/progress"] == 1


def test_each_step_of_a_web_agent_forgets_the_page_before(tmp_path: Path) -> None:
    transcript = one("browsergym_messages", tmp_path)
    assert [list(message.forgets) for message in transcript.messages if message.forgets] == [[0, 1, 2]]


# Damage


def test_a_cut_document_is_read_as_far_as_it_goes() -> None:
    text = json.dumps(CHAT)
    whole = [mended(text[:end]) for end in range(1, len(text))]
    assert all(value is not UNREADABLE for value in whole)
    assert whole[-1][:5] == CHAT[:5]
    lengths = [len(json.dumps(value)) for value in whole]
    assert lengths[-1] > len(text) * 0.9
    assert mended('{"a": 1} {"b"') is UNREADABLE
    assert mended("[" * 300_000) is UNREADABLE


def test_a_cut_recording_keeps_its_first_results(tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_text(json.dumps({"messages": CHAT})[:-80])
    (transcript,) = read_transcripts(str(path))
    assert [result.text for result in transcript.results] == CHAT_RESULTS
    assert "cut off" in transcript.problems[0]


WRONG: list[Any] = [None, 0, -1, 1e400, True, "", "x", "\ud800", [], {}, [None], {"": None}, [[]], "[1", '{"role": 1}']


def mutated(content: Any, rng: random.Random) -> Any:
    """The content with one to four values deleted, doubled or replaced by something of another type."""
    changed = copy.deepcopy(content)
    for _ in range(rng.randint(1, 4)):
        nodes: list[tuple[Any, Any]] = []
        pending = [changed]
        while pending:
            node = pending.pop()
            keys = list(node) if isinstance(node, dict) else list(range(len(node))) if isinstance(node, list) else []
            nodes += [(node, key) for key in keys]
            pending += [node[key] for key in keys]
        if not nodes:
            return changed
        node, key = rng.choice(nodes)
        action = rng.random()
        if action < 0.3:
            del node[key]
        elif action < 0.4 and isinstance(node, list):
            node.insert(key, copy.deepcopy(node[key]))
        else:
            node[key] = copy.deepcopy(rng.choice(WRONG))
    return changed


def consumed(read: Callable[[str], list[Transcript]], path: str) -> list[Transcript]:
    """Read it, if it can be, and look at everything in it: each part has its type, whatever the file says."""
    try:
        found = read(path)
    except McpcompactError as error:
        assert "\n" not in error.line()
        return []
    for transcript in found:
        assert isinstance(transcript.model, str)
        assert transcript.omissions.calls_without_result >= 0
        for position, message in enumerate(transcript.messages):
            assert isinstance(message.text, str)
            assert all(0 <= n < position for n in message.forgets)
            assert all(isinstance(call.tool, str) and isinstance(call.arguments, dict) for call in message.calls)
            assert message.usage is None or min(message.usage.prompt, message.usage.output) >= 0
            assert message.result is None or isinstance(message.result.text, str)
    return found


def damaged(sample: Sample, content: Any, rng: random.Random) -> bytes:
    """Mutated, and now and then cut off or with another byte in it."""
    changed = mutated(content, rng)
    lines = sample.kind == "lines" and not isinstance(changed, list)
    data = dumped(sample, [changed] if lines else changed).encode()
    at, act = rng.randrange(len(data) + 1), rng.random()
    if act < 0.3:
        return data[:at]
    return data[:at] + rng.randbytes(1) + data[at + 1 :] if act < 0.4 else data


@pytest.mark.parametrize(("name", "sample"), [*EVERY, *OTHERS])
def test_damage_is_never_fatal(name: str, sample: Sample, tmp_path: Path) -> None:
    rng = random.Random(name)
    path = tmp_path / "recording.txt"
    for round_ in range(40):
        if sample.kind == "directory":
            path = tmp_path / str(round_)
            path.mkdir()
            for file, event in sample.content.items():
                (path / file).write_bytes(damaged(sample, event, rng))
        else:
            path.write_bytes(damaged(sample, sample.content, rng))
        consumed(lambda file: list(load(name).read(Document(file))), str(path))
        for forced in ("", name):
            found = consumed(partial(read_transcripts, format=forced), str(path))
            if found and round_ % 5 == 2:
                replies = [(result, "new") for transcript in found for result in transcript.results]
                done = emit(str(path), replies, str(tmp_path / "out"))
                assert done.replaced + done.left == sum(result.text != "new" for result, _ in replies)


@pytest.mark.parametrize("text", ["", "\n", "plain text\nof a log", "[]", "{}", "null", "[[[[", '{"a": 1}', "1\n2\n"])
def test_what_is_no_transcript_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(McpcompactError):
        read_transcripts(str(path))
