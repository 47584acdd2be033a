"""Rollouts of the Codex CLI: a JSON line a record. ``response_item`` is what the model saw and wrote; ``event_msg``
repeats it for the screen, except for the usage (``token_count``, once an API call, sometimes twice)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.transcripts.builder import Builder, as_count, text_of
from mcpcompact.transcripts.document import Document, parse
from mcpcompact.transcripts.model import Place, Step, Transcript, Usage

KINDS = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")
BARE = ("message", "reasoning", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output")
"""Items of the first versions, which stand alone between lines with a ``record_type``."""

FAILED = regex(
    r"(?:Exit code: |Process exited with code |exit code: )[1-9-]|exec_command failed|[a-z_]+ verification failed"
    r"|aborted by user|failed to parse|unsupported call"
)
MARKS = ("code", "fail", "abort", "unsupp")
"""One of which any of these holds: found sooner."""

HEADER = 200
"""Characters of an output in which its exit code stands."""


class Codex:
    name = "codex_rollout"

    def sniff(self, document: Document) -> float:
        lines = [line for line in document.first or [document.root] if isinstance(line, dict)]
        known = [line for line in lines if line.get("type") in KINDS and isinstance(line.get("payload"), dict)]
        if not known:
            return 0.9 * any(line.get("record_type") == "state" for line in lines)
        return float(len(known) * 2 > len(lines))

    def read(self, document: Document) -> Iterator[Transcript]:
        build = Builder(self.name, document.path)
        reading = _Reading(build)
        for number, line in document.lines() if document.is_lines else iter([(0, document.value())]):
            build.here = Place(number, ())
            if not isinstance(line, dict):
                build.skip(type(line).__name__)
            elif line.get("type") in KINDS and isinstance(line.get("payload"), dict):
                reading.record(str(line["type"]), line["payload"], Place(number, ("payload",)))
            elif line.get("type") in BARE and "payload" not in line:
                reading.item(line, Place(number, ()))
            else:
                build.skip(line.get("type") or line.get("record_type"))
        yield build.transcript


class _Reading:
    def __init__(self, build: Builder) -> None:
        self.build = build
        self.total: Any = None  # the session's usage so far, to know a count that is said twice

    def record(self, kind: str, payload: dict[str, Any], at: Place) -> None:
        transcript = self.build.transcript
        if kind == "response_item":
            self.item(payload, at)
        elif kind == "event_msg" and payload.get("type") == "token_count":
            self.usage(payload.get("info"))
        elif kind == "turn_context":
            transcript.model = str(payload.get("model") or transcript.model)
        elif kind == "session_meta":
            self.session(payload)
        elif kind == "compacted":
            self.build.forget(range(len(self.build.messages)))
            history = payload.get("replacement_history")
            for index, item in enumerate(history if isinstance(history, list) else ()):
                if isinstance(item, dict) and item.get("type") == "message":
                    self.item(item, at.under("replacement_history", index))
            if isinstance(payload.get("message"), str) and payload["message"]:
                self.build.say("user", payload["message"])
        else:
            window = payload.get("model_context_window")
            if isinstance(window, int):
                transcript.window = window
            if payload.get("type") == "thread_rolled_back":
                self.rolled_back(as_count(payload.get("num_turns")))
            self.build.skip(f"{kind} {payload.get('type')}")

    def rolled_back(self, turns: int) -> None:
        """The user took the last turns back, with all that followed."""
        asked = [n for n, message in enumerate(self.build.messages) if message.role == "user"]
        if turns and asked:
            self.build.forget(range(asked[-min(turns, len(asked))], len(self.build.messages)))

    def session(self, payload: dict[str, Any]) -> None:
        instructions = payload.get("base_instructions") or payload.get("instructions")
        text = instructions.get("text") if isinstance(instructions, dict) else instructions
        if isinstance(text, str) and text and not self.build.messages:
            self.build.say("system", text)
        started: Any = payload.get("source")
        for key in ("subagent", "thread_spawn"):
            started = started.get(key) if isinstance(started, dict) else None
        parent = started.get("parent_thread_id") if isinstance(started, dict) else payload.get("forked_from_id")
        self.build.transcript.parent = self.build.transcript.parent or str(parent or "")
        self.build.skip("session_meta")

    def usage(self, info: Any) -> None:
        self.build.skip("event_msg token_count")
        if not isinstance(info, dict):
            return
        window, last, total = (info.get(k) for k in ("model_context_window", "last_token_usage", "total_token_usage"))
        if isinstance(window, int):
            self.build.transcript.window = window
        if not isinstance(last, dict) or (total and total == self.total):
            return
        self.total = total
        names = ("input_tokens", "cached_input_tokens", "output_tokens")
        prompt, cached, output = (as_count(last.get(name)) for name in names)
        for message in reversed(self.build.messages):
            if message.role == "assistant":
                message.usage = message.usage or Usage(max(0, prompt - cached), cached, 0, output)
                break

    def item(self, item: dict[str, Any], at: Place) -> None:
        build, kind, name = self.build, str(item.get("type")), item.get("name")
        if kind == "message":
            role, text = item.get("role"), text_of(item.get("content"))[0]
            if role == "assistant":
                self.assistant(text)
            else:
                build.say("system" if role in ("developer", "system") else "user", text)
        elif kind in ("function_call", "custom_tool_call", "local_shell_call", "tool_search_call"):
            self.assistant()
            if kind == "local_shell_call":
                name, arguments = name or "local_shell", item.get("action")
            elif kind == "tool_search_call":
                name, arguments = name or "tool_search", item.get("arguments")
            else:
                arguments = item.get("input") if "input" in item else item.get("arguments")
            build.call(item.get("call_id") or item.get("id"), name, arguments, server=str(item.get("namespace") or ""))
        elif kind == "web_search_call":
            self.assistant()
            build.call(item.get("id"), "web_search", item.get("action"), hosted=True)
        elif kind == "tool_search_output":
            build.result(item.get("call_id"), json.dumps(item.get("tools"), ensure_ascii=False), tool="tool_search")
        elif kind in ("function_call_output", "custom_tool_call_output", "local_shell_call_output"):
            text, places, others, failed = _output(item.get("output"), at.under("output"))
            build.result(item.get("call_id"), text, places=places, images=others, is_error=failed)
        else:
            build.skip(f"response_item {kind}")

    def assistant(self, text: str = "") -> None:
        """More of the model call that is going on, else a new one."""
        messages = self.build.messages
        if not messages or messages[-1].role != "assistant" or messages[-1].usage:
            self.build.say("assistant")
        last = messages[-1]
        last.text = f"{last.text}\n{text}" if last.text and text else last.text or text


def _output(output: Any, at: Place) -> tuple[str, list[Place], int, bool]:
    """Text, places, blocks that are no text and failure of an output, of every version."""
    path: tuple[Step, ...] = ()
    if isinstance(output, str) and output.startswith('{"'):
        inner = parse(output)
        if isinstance(inner, dict) and isinstance(inner.get("output"), str) and set(inner) <= {"output", "metadata"}:
            metadata = inner.get("metadata")
            failed = isinstance(metadata, dict) and metadata.get("exit_code") not in (0, None)
            return inner["output"], [at.under(None, "output")], 0, failed
    failed = False
    if isinstance(output, dict):  # {"content": …, "success": …}
        failed = output.get("success") is False
        output, path = output.get("content"), ("content",)
    text, places, others = text_of(output, at.under(*path))
    head = text[:HEADER]
    failed = failed or (any(mark in head for mark in MARKS) and FAILED.search(head) is not None)
    return text, places, others, failed


FORMAT = Codex()
