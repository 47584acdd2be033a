"""Rollouts of the Codex CLI: a JSON line a record. ``response_item`` is what the model saw and wrote; ``event_msg``
repeats it for the screen, except for the usage (``token_count``, once an API call, sometimes twice)."""

from __future__ import annotations

from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.transcripts.builder import Builder, Document, Lines, Tokens, as_count, mapped, objects, parse, stated
from mcpcompact.transcripts.formats.openai_responses import CALLS, say
from mcpcompact.transcripts.model import Message, Place

KINDS = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")
OUTPUTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")
BARE = ("message", "reasoning", *CALLS, *OUTPUTS)  # of the first versions, alone between lines with a ``record_type``

FAILED = regex(
    r"(?:Exit code: |Process exited with code |exit code: )[1-9-]|exec_command failed|[a-z_]+ verification failed"
    r"|aborted by user|failed to parse|unsupported call"
)
HEADER = 200  # characters of an output in which its exit code stands
USAGE = Tokens("input_tokens", "output_tokens", "cached_input_tokens")


class _Rollout(Builder):
    total: Any = None  # the session's usage so far, to know a count that is said twice

    def record(self, line: dict[str, Any], at: Place) -> None:
        kind, payload = line.get("type"), mapped(line.get("payload"))
        if kind == "response_item":
            self.item(payload, at.under("payload"))
        elif kind == "turn_context":
            self.model(payload.get("model"))
        elif kind == "session_meta":
            self.session(payload)
        elif kind == "compacted":
            self.forget(range(len(self.messages)))
            for place, item in objects(at.under("payload"), payload, "replacement_history"):
                if item.get("type") == "message":
                    self.item(item, place)
            self.tell("user", payload.get("message"))
        elif kind == "event_msg":
            self.event(stated(payload.get("type")), payload)
        elif kind in BARE and "payload" not in line:
            self.item(line, at)
        else:
            self.skip(kind or line.get("record_type"))

    def event(self, kind: str, payload: dict[str, Any]) -> None:
        about = mapped(payload.get("info")) if kind == "token_count" else payload
        if isinstance(window := about.get("model_context_window"), int):
            self.transcript.window = window
        if kind == "token_count":
            self.usage(about)
        elif kind == "thread_rolled_back":  # the user took the last turns back, with all that followed
            asked = [n for n, message in enumerate(self.messages) if message.role == "user"]
            turns = min(as_count(payload.get("num_turns")), len(asked))
            self.rewind(asked[-turns] if turns else len(self.messages))
        self.skip(f"event_msg {kind}")

    def session(self, payload: dict[str, Any]) -> None:
        instructions = payload.get("base_instructions") or payload.get("instructions")
        text = stated(mapped(instructions).get("text")) or stated(instructions)
        self.tell("system", "" if self.messages else text)
        spawned = mapped(mapped(mapped(payload.get("source")).get("subagent")).get("thread_spawn"))
        parent = spawned.get("parent_thread_id") if spawned else payload.get("forked_from_id")
        self.transcript.parent = self.transcript.parent or str(parent or "")
        self.skip("session_meta")

    def usage(self, info: dict[str, Any]) -> None:
        usage, total = USAGE.read(info.get("last_token_usage")), info.get("total_token_usage")
        if usage is None or (total and total == self.total):
            return
        self.total = total
        if last := next((message for message in reversed(self.messages) if message.role == "assistant"), None):
            last.usage = last.usage or usage

    def item(self, item: dict[str, Any], at: Place) -> None:
        kind = item.get("type")
        if kind in OUTPUTS:
            output, where, failed = _output(item.get("output"), at.under("output"))
            result = self.answer(item.get("call_id"), output, where, failed=failed)
            if where.path[-2:] != (None, "output"):
                result.is_error = result.is_error or FAILED.search(result.text[:HEADER]) is not None
        elif not say(self, item, at, self.assistant):
            self.skip(f"response_item {kind}")

    def assistant(self, text: str) -> Message:
        """More of the model call that is going on, else a new one."""
        message = self.speaking
        message = self.say("assistant") if message is None or message.usage else message
        message.add(text)
        return message


class Format(Lines):
    keys = frozenset({"payload", "record_type"})
    quiet = "session_meta|event_msg |turn_context|response_item (?:reasoning|ghost_snapshot)|reasoning|state"
    builder = _Rollout

    def sniff(self, document: Document) -> float:
        known = sum(line.get("type") in KINDS and isinstance(line.get("payload"), dict) for line in document.objects)
        early = not known and any(line.get("record_type") == "state" for line in document.objects)
        return 0.9 if early else float(known * 2 > len(document.objects))


def _output(output: Any, at: Place) -> tuple[Any, Place, bool]:
    """Content, its place and failure of an output, of every version."""
    if isinstance(output, str) and output.startswith('{"'):
        inner = mapped(parse(output))
        if isinstance(inner.get("output"), str) and inner.keys() <= {"output", "metadata"}:
            failed = mapped(inner.get("metadata")).get("exit_code") not in (0, None)
            return inner["output"], at.under(None, "output"), failed
    if isinstance(output, dict):  # {"content": …, "success": …}
        return output.get("content"), at.under("content"), output.get("success") is False
    return output, at, False
