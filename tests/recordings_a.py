"""Small made-up recordings of each format, as the tools write them. ``RECORDINGS`` maps a format to its bytes."""

from __future__ import annotations

import json
from typing import Any


def lines(*records: Any) -> bytes:
    return b"".join(
        json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" for record in records
    )


def document(value: Any, indent: int | None = 2) -> bytes:
    return json.dumps(value, indent=indent, ensure_ascii=False).encode()


def _claude(kind: str, uuid: str, message: Any, **more: Any) -> dict[str, Any]:
    record = {"type": kind, "uuid": uuid, "parentUuid": None, "sessionId": "s1", "isSidechain": False, "cwd": "/w"}
    return record | {"message": message} | more


def _said(id: str, block: Any, **usage: int) -> dict[str, Any]:
    return {"id": id, "model": "claude-m", "role": "assistant", "content": [block], "usage": usage}


def _call(id: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def _answer(id: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": content, **more}]}


PERSISTED = (
    "<persisted-output>\nOutput too large (35.8KB). Full output saved to: /home/me/.claude/s1/tool-results/x.txt\n\n"
    "Preview (first 2KB):\nlong…\n</persisted-output>"
)

CLAUDE = lines(
    {"type": "file-history-snapshot", "messageId": "u1", "snapshot": {}},
    _claude("user", "u1", {"role": "user", "content": "fix it"}),
    _claude("assistant", "a1", _said("msg_1", {"type": "thinking", "thinking": "hm"}, input_tokens=3, output_tokens=1)),
    _claude("assistant", "a2", _said("msg_1", {"type": "text", "text": "Looking."}, input_tokens=3, output_tokens=2)),
    _claude("assistant", "a3", _said("msg_1", _call("t1", "Read", file_path="a.py"), input_tokens=3, output_tokens=5)),
    _claude("user", "u2", _answer("t1", "     1→x = 1\n     2→café"), toolUseResult={"file": {"content": "x = 1"}}),
    _claude(
        "assistant",
        "a4",
        _said(
            "msg_1",
            _call("t2", "Bash", command="ls"),
            input_tokens=3,
            cache_read_input_tokens=20,
            cache_creation_input_tokens=10,
            output_tokens=9,
        ),
    ),
    {"type": "progress", "uuid": "p1", "sessionId": "s1", "data": {"type": "agent_progress"}},
    _claude("user", "u3", _answer("t2", [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}])),
    _claude("assistant", "a5", _said("msg_2", _call("t3", "Grep", pattern="x"), input_tokens=4, output_tokens=1)),
    _claude("user", "u4", _answer("t3", PERSISTED)),
    {
        "type": "system",
        "subtype": "microcompact_boundary",
        "uuid": "m1",
        "sessionId": "s1",
        "microcompactMetadata": {"trigger": "auto", "preTokens": 9, "compactedToolIds": ["t1", "gone"]},
    },
    _claude("assistant", "a6", _said("msg_3", _call("t4", "Bash", command="boom"), input_tokens=5, output_tokens=1)),
    _claude("user", "u5", _answer("t4", "Exit code 1", is_error=True)),
    _claude("assistant", "a7", _said("msg_4", {"type": "text", "text": "Summarising."}, input_tokens=6)),
    {"type": "system", "subtype": "compact_boundary", "uuid": "c1", "sessionId": "s1", "compactMetadata": {}},
    _claude("user", "u6", {"role": "user", "content": "Summary of before."}, isCompactSummary=True),
    _claude("assistant", "a8", _said("msg_5", _call("t5", "Screenshot"), input_tokens=7, output_tokens=1)),
    _claude("user", "u7", _answer("t5", [{"type": "image", "source": {}}, {"type": "text", "text": "a window"}])),
    _claude("assistant", "a9", _said("msg_6", _call("t6", "ToolSearch", query="x"), input_tokens=8)),
    _claude("user", "u8", _answer("t6", [{"type": "tool_reference", "tool_name": "WebFetch"}])),
    _claude("user", "u9", _answer("nobody", None)),
    "a line that is no record",
    None,
)

EXCHANGES = [
    [{"role": "user", "content": "hi"}],
    [
        {"role": "user", "content": [{"type": "text", "text": "hi", "cache_control": {"type": "ephemeral"}}]},
        {"role": "assistant", "content": [{"type": "text", "text": "Let me."}, _call("t1", "f", n=1)]},
        _answer("t1", [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]),
    ],
    [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": [{"type": "text", "text": "Let me."}, _call("t1", "f", n=1)]},
        _answer("t1", [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]),
        {"role": "assistant", "content": [_call("t2", "g")]},
        _answer("t2", "bad", is_error=True),
    ],
]

STREAM = "".join(
    f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
    for event in [
        {"type": "message_start", "message": {"role": "assistant", "content": [], "usage": {"input_tokens": 30}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Searching"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": " now."}},
        {
            "type": "content_block_start",
            "index": 1,
            "content_block": {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
        },
        {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '{"query":'}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '"x"}'}},
        {
            "type": "content_block_start",
            "index": 2,
            "content_block": {
                "type": "web_search_tool_result",
                "tool_use_id": "s1",
                "content": [{"type": "web_search_result", "title": "T", "url": "https://e.example"}],
            },
        },
        {"type": "content_block_start", "index": 3, "content_block": {"type": "text", "text": "Done."}},
        {"type": "message_delta", "delta": {}, "usage": {"output_tokens": 7}},
    ]
)


def _exchange(messages: list[Any], response: Any, **more: Any) -> dict[str, Any]:
    request = {"model": "claude-m", "system": "Be brief.", "messages": messages}
    return {
        "method": "POST",
        "uri": "https://api.anthropic.com/v1/messages",
        "request": request,
        "response": response,
    } | more


ANTHROPIC = lines(
    {"method": "POST", "uri": "https://api.anthropic.com/v1/files", "request": "binary", "response": {"id": "f"}},
    _exchange(
        EXCHANGES[0],
        {"content": EXCHANGES[1][1]["content"], "usage": {"input_tokens": 10, "output_tokens": 1}},
    ),
    _exchange(EXCHANGES[1], {"content": [_call("t2", "g")], "usage": {"input_tokens": 20, "output_tokens": 2}}),
    _exchange([{"role": "user", "content": "another"}], {"content": [{"type": "text", "text": "yes"}], "usage": {}}),
    _exchange(EXCHANGES[2], STREAM),
)

BARE_REQUEST = document({"model": "claude-m", "system": "Be brief.", "messages": EXCHANGES[2], "max_tokens": 9})
BARE_MESSAGES = document(EXCHANGES[2], None)


def _item(**payload: Any) -> dict[str, Any]:
    return {"timestamp": "t", "type": "response_item", "payload": payload}


def _event(**payload: Any) -> dict[str, Any]:
    return {"timestamp": "t", "type": "event_msg", "payload": payload}


def _tokens(total: int, prompt: int, cached: int, output: int) -> dict[str, Any]:
    last = {"input_tokens": prompt, "cached_input_tokens": cached, "output_tokens": output}
    info = {"last_token_usage": last, "total_token_usage": {"total_tokens": total}, "model_context_window": 258400}
    return _event(type="token_count", info=info)


CODEX = lines(
    {"type": "session_meta", "payload": {"id": "s", "cwd": "/w", "base_instructions": {"text": "You are an agent."}}},
    {"type": "session_meta", "payload": {"id": "s0", "cwd": "/w"}},
    {"type": "turn_context", "payload": {"model": "gpt-x", "cwd": "/w"}},
    _item(type="message", role="user", content=[{"type": "input_text", "text": "hi"}]),
    _event(type="user_message", message="hi"),
    _item(type="reasoning", summary=[], encrypted_content="…"),
    _item(type="message", role="assistant", content=[{"type": "output_text", "text": "Looking."}]),
    _item(type="function_call", name="exec_command", arguments='{"cmd":"ls"}', call_id="c1"),
    _item(type="custom_tool_call", name="apply_patch", input="*** Begin Patch", call_id="c2"),
    _item(
        type="custom_tool_call_output",
        call_id="c2",
        output='{"output":"verification failed","metadata":{"exit_code":1,"duration_seconds":0.1}}',
    ),
    _item(
        type="function_call_output",
        call_id="c1",
        output="Chunk ID: ab12\nWall time: 0.01 seconds\nProcess exited with code 0\nOutput:\na\n",
    ),
    _tokens(10, 9, 3, 1),
    _event(type="token_count", info=None),
    _tokens(10, 9, 3, 1),
    _item(type="web_search_call", action={"type": "search", "query": "q"}),
    _item(type="function_call", name="exec", arguments="not json", call_id="c3"),
    _item(
        type="function_call_output",
        call_id="c3",
        output=[{"type": "input_text", "text": "Script completed"}, {"type": "input_text", "text": '{"a":1}'}],
    ),
    _item(type="tool_search_call", call_id="c4", arguments={"query": "q"}),
    _item(type="tool_search_output", call_id="c4", tools=[{"name": "f"}]),
    _tokens(30, 20, 10, 2),
    {"type": "compacted", "payload": {"message": "What happened so far."}},
    _item(type="message", role="assistant", content=[{"type": "output_text", "text": "Done."}]),
    _item(type="something_new", x=1),
)


def _copilot(kind: str, **data: Any) -> dict[str, Any]:
    return {"type": kind, "id": "e", "parentId": None, "timestamp": "t", "data": data}


COPILOT = lines(
    _copilot("session.start", sessionId="s", selectedModel="m", context={"cwd": "/w"}),
    _copilot("system.message", role="system", content="You are an agent."),
    _copilot("user.message", content="hi", transformedContent="<now/> hi", attachments=[]),
    _copilot(
        "assistant.message",
        messageId="m1",
        model="m2",
        content="",
        toolRequests=[
            {"toolCallId": "t1", "name": "bash", "arguments": {"command": "ls"}},
            {"toolCallId": "t2", "name": "view", "arguments": {"path": "a"}},
        ],
        outputTokens=7,
    ),
    _copilot("tool.execution_start", toolCallId="t1", toolName="bash", arguments={"command": "ls"}),
    _copilot("tool.execution_complete", toolCallId="t2", success=False, error={"message": "no such file", "code": "x"}),
    _copilot("hook.start", hookType="postToolUse", input={"toolResult": {"textResultForLlm": "a"}}),
    _copilot("tool.execution_complete", toolCallId="t1", success=True, result={"content": "a", "detailedContent": "A"}),
    _copilot("system.message", role="system", content="You are an agent."),
    _copilot("session.compaction_complete", success=True, summaryContent="So far."),
    _copilot("assistant.message", messageId="m2", content="done", toolRequests=[], outputTokens=2),
    _copilot("abort", reason="user"),
    _copilot(
        "session.shutdown",
        modelMetrics={
            "m": {"usage": {"inputTokens": 90, "outputTokens": 9, "cacheReadTokens": 60, "cacheWriteTokens": 5}}
        },
    ),
)

GEMINI_CLI = document(
    {
        "sessionId": "s",
        "projectHash": "h",
        "messages": [
            {"id": "1", "type": "user", "content": "hi"},
            {
                "id": "2",
                "type": "gemini",
                "model": "gemini-x",
                "content": "",
                "thoughts": [{"subject": "S", "description": "D"}],
                "tokens": {"input": 10, "output": 2, "cached": 4, "thoughts": 1, "tool": 0, "total": 13},
                "toolCalls": [
                    {
                        "id": "r1",
                        "name": "read_file",
                        "args": {"file_path": "a"},
                        "status": "success",
                        "resultDisplay": "x",
                        "result": [
                            {"functionResponse": {"id": "r1", "name": "read_file", "response": {"output": "text"}}}
                        ],
                    },
                    {
                        "id": "r2",
                        "name": "shell",
                        "args": {},
                        "status": "error",
                        "result": [{"functionResponse": {"id": "r2", "name": "shell", "response": {"error": "no"}}}],
                    },
                    {"id": "r3", "name": "shell", "args": {}, "status": "cancelled"},
                ],
            },
            {"id": "3", "type": "info", "content": "Request cancelled."},
        ],
    }
)


def _gemini(contents: list[Any], parts: list[Any], **usage: int) -> dict[str, Any]:
    return {
        "method": "POST",
        "uri": "https://generativelanguage.googleapis.com/v1beta/models/g:generateContent",
        "request": {"contents": contents, "systemInstruction": {"parts": [{"text": "Be brief."}]}},
        "response": {
            "candidates": [{"content": {"role": "model", "parts": parts}}],
            "modelVersion": "g",
            "usageMetadata": usage,
        },
    }


_ASKED = {"role": "user", "parts": [{"text": "hi"}]}
_CALLED = {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {"n": 1}}}]}
_ANSWERED = {
    "role": "user",
    "parts": [
        {"functionResponse": {"name": "f", "response": {"return_value": "one"}}},
        {"inlineData": {"mimeType": "image/png", "data": "AA=="}},
    ],
}
_SNAKE = {"role": "model", "parts": [{"function_call": {"id": "x", "name": "g", "args": {}}}]}
_SNAKE_ANSWERED = {
    "role": "user",
    "parts": [{"function_response": {"id": "x", "name": "g", "response": {"error": "went wrong"}}}],
}

GEMINI_API = lines(
    _gemini([_ASKED], _CALLED["parts"], promptTokenCount=10, candidatesTokenCount=1),
    {"method": "GET", "uri": "https://e.example/1.png", "request": "", "response": None},
    _gemini(
        [_ASKED, _CALLED, _ANSWERED],
        _SNAKE["parts"],
        promptTokenCount=20,
        cachedContentTokenCount=8,
        candidatesTokenCount=2,
        thoughtsTokenCount=3,
    ),
    _gemini(
        [_ASKED, _CALLED, _ANSWERED, _SNAKE, _SNAKE_ANSWERED],
        [{"text": "thinking", "thought": True}, {"text": "Done."}],
        promptTokenCount=30,
    ),
)


def _tool(id: str, tool: str, **state: Any) -> dict[str, Any]:
    return {"type": "tool", "id": f"prt_{tool}", "callID": id, "tool": tool, "state": state}


OPENCODE = document(
    {
        "info": {"id": "ses_1", "parentID": "ses_0", "directory": "/w", "version": "1.2", "title": "T"},
        "messages": [
            {
                "info": {"id": "msg_0", "role": "user", "time": {"created": 1}},
                "parts": [{"type": "text", "text": "hi"}],
            },
            {
                "info": {
                    "id": "msg_1",
                    "role": "assistant",
                    "modelID": "m",
                    "time": {"created": 2},
                    "tokens": {"input": 9, "output": 2, "reasoning": 1, "cache": {"read": 5, "write": 4}},
                },
                "parts": [
                    {"type": "step-start"},
                    {"type": "reasoning", "text": "hm"},
                    _tool(
                        "REDACTED",
                        "bash",
                        status="completed",
                        input={"command": "ls"},
                        output="a",
                        metadata={"output": "a", "truncated": False},
                        time={"start": 1, "end": 2, "compacted": 5},
                    ),
                    _tool("REDACTED", "read", status="error", input={"filePath": "b"}, error="no such file"),
                    {
                        "type": "step-finish",
                        "tokens": {"input": 9, "output": 2, "reasoning": 1, "cache": {"read": 5, "write": 4}},
                    },
                ],
            },
            {
                "info": {
                    "id": "msg_2",
                    "role": "assistant",
                    "time": {"created": 6},
                    "tokens": {"input": 3, "output": 1},
                },
                "parts": [{"type": "text", "text": "done"}, _tool("c3", "task", status="running", input={})],
            },
        ],
    }
)

PI = lines(
    {"type": "session", "id": "s", "cwd": "/w", "provider": "anthropic", "modelId": "m"},
    {"type": "message", "message": {"role": "user", "content": [{"type": "text", "text": "hi"}]}},
    {
        "type": "message",
        "message": {
            "role": "assistant",
            "model": "m2",
            "content": [{"type": "toolCall", "id": "t1", "name": "read", "arguments": {"path": "a"}}],
            "usage": {"input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4},
        },
    },
    {
        "type": "message",
        "message": {
            "role": "toolResult",
            "toolCallId": "t1",
            "toolName": "read",
            "content": [{"type": "text", "text": "x"}],
        },
    },
    {
        "type": "message",
        "message": {"role": "assistant", "content": [], "stopReason": "aborted", "usage": {"input": 0, "output": 0}},
    },
    {"type": "message", "message": {"role": "bashExecution", "command": "ls", "output": "a", "exitCode": 0}},
    {"type": "compaction", "summary": "So far.", "firstKeptEntryIndex": 5, "tokensBefore": 9},
    {"type": "message", "message": {"role": "assistant", "content": [{"type": "text", "text": "ok"}]}},
)

_ENTIRE = {"v": 1, "agent": "claude-code", "cli_version": "0.8"}
ENTIRE = lines(
    _ENTIRE | {"type": "user", "ts": "t", "content": [{"id": "u1", "text": "hi"}]},
    _ENTIRE
    | {
        "type": "assistant",
        "id": "msg_1",
        "input_tokens": 2,
        "output_tokens": 9,
        "content": [
            {"type": "text", "text": "ok"},
            {
                "type": "tool_use",
                "id": "t1",
                "name": "Bash",
                "input": {},
                "result": {"output": "a", "status": "success"},
            },
            {
                "type": "tool_use",
                "id": "t2",
                "name": "Read",
                "input": {"file_path": "x"},
                "result": {"status": "success"},
            },
            {
                "type": "tool_use",
                "id": "t3",
                "name": "Bash",
                "input": {},
                "result": {"output": [{"type": "text", "text": "<b>no</b>"}], "status": "error"},
            },
            {"type": "tool_use", "id": "t4", "name": "Edit", "input": {}},
        ],
    },
)

VSCODE = document(
    {
        "prompts": [
            {
                "prompt": "make a file",
                "logs": [
                    {
                        "kind": "request",
                        "id": "1",
                        "metadata": {
                            "model": "m",
                            "maxPromptTokens": 128000,
                            "usage": {
                                "prompt_tokens": 20,
                                "completion_tokens": 3,
                                "prompt_tokens_details": {"cached_tokens": 12},
                            },
                        },
                        "requestMessages": {"messages": [{"role": 0, "content": [{"type": 1, "text": "You are."}]}]},
                        "response": {"type": "success", "message": ["Making ", "it."]},
                    },
                    {
                        "kind": "toolCall",
                        "id": "2",
                        "tool": "create_file",
                        "args": '{"path":"a"}',
                        "response": ["made"],
                    },
                    {"kind": "toolCall", "id": "3", "tool": "read_file", "args": "{}", "response": ["one", "two"]},
                    {"kind": "element", "id": "4", "name": "x"},
                    {"kind": "request", "id": "5", "name": "title", "response": {"message": ["A file"]}},
                ],
            }
        ]
    }
)

INSPECT = document(
    {
        "version": 2,
        "status": "success",
        "eval": {"task": "t", "model": "openai/m"},
        "stats": {"model_usage": {}},
        "samples": [
            {
                "id": "one",
                "epoch": 1,
                "input": "q",
                "target": "a",
                "messages": [
                    {"id": "m1", "role": "system", "content": "Be brief."},
                    {"id": "m2", "role": "user", "content": "q"},
                    {
                        "id": "m3",
                        "role": "assistant",
                        "content": [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "calling"}],
                        "tool_calls": [
                            {"id": "c1", "function": "f", "arguments": {"code": "attachment://bbb"}},
                            {"id": "c2", "function": "g", "arguments": {}},
                        ],
                    },
                    {"role": "tool", "tool_call_id": "c1", "function": "f", "content": "attachment://aaa"},
                    {
                        "role": "tool",
                        "tool_call_id": "c2",
                        "function": "g",
                        "content": "",
                        "error": {"type": "timeout", "message": "timed out"},
                    },
                ],
                "events": [
                    {
                        "event": "model",
                        "output": {
                            "choices": [{"message": {"id": "m3", "role": "assistant"}}],
                            "usage": {"input_tokens": 5, "output_tokens": 2, "input_tokens_cache_read": 7},
                        },
                    }
                ],
                "attachments": {"aaa": "a long text", "bbb": "print(1)"},
                "model_usage": {"openai/m": {"input_tokens": 5, "output_tokens": 2, "total_tokens": 7}},
            },
            {"id": "two", "epoch": 1, "input": "q", "target": "a", "messages": []},
        ],
    },
    4,
)

RECORDINGS: dict[str, bytes] = {
    "pi_session": PI,
    "claude_code": CLAUDE,
    "codex_rollout": CODEX,
    "copilot_cli": COPILOT,
    "entire_compact": ENTIRE,
    "gemini_cli": GEMINI_CLI,
    "opencode": OPENCODE,
    "vscode_chatreplay": VSCODE,
    "inspect_eval_log": INSPECT,
    "anthropic_messages": ANTHROPIC,
    "gemini_api": GEMINI_API,
}
