"""Sessions that OpenCode exports: one JSON document. A tool part holds the call and its result; a message may hold
several steps, each an API call. Version 2 says ``type`` and ``content`` for ``info`` and ``parts``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mcpcompact.transcripts.builder import Builder, Document, Reader, Tokens, as_count, listed, mapped, objects, stated
from mcpcompact.transcripts.model import Call, Place, Usage

USAGE = Tokens("input", "output", "read", "write", whole=False, thoughts="reasoning")
Made = list[tuple[Call, dict[str, Any], Place]]


class Session(Builder):
    cleared: Sequence[tuple[int, int]] = ()  # when the host dropped a result, and where that stands

    def message(self, message: dict[str, Any], at: Place) -> None:
        info = message["info"] if isinstance(message.get("info"), dict) else message
        name = "parts" if isinstance(message.get("parts"), list) else "content"
        parts = [(where, part) for where, part in objects(at, message, name) if part]
        role = info.get("role") or message.get("type")
        if role == "assistant":
            now = as_count(mapped(info.get("time")).get("created"))
            self.forget([where for when, where in self.cleared if when <= now])
            self.cleared = [(when, where) for when, where in self.cleared if when > now]
            self.assistant(info, parts)
        elif role in ("user", "system"):
            texts = [part.get("text") for _, part in parts if part.get("type") == "text" and not part.get("ignored")]
            strings = [text for text in (*texts, message.get("text")) if isinstance(text, str)]
            self.say("user" if role == "user" else "system", "\n".join(strings))
        else:
            self.skip(f"message of {role}")

    def assistant(self, info: dict[str, Any], parts: list[tuple[Place, dict[str, Any]]]) -> None:
        total, has_usage = _usage(info.get("tokens")), False
        if mapped(info.get("error")) and not parts and not total:
            self.skip("assistant aborted")  # before the model said or cost anything
            return
        model = info.get("modelID") or info.get("model")
        self.model(mapped(model).get("id"), model)
        reply = self.say("assistant")
        calls: Made = []
        for at, part in parts:
            kind, text, state = part.get("type"), part.get("text"), mapped(part.get("state"))
            if kind == "step-start":
                if reply.text or reply.calls:
                    self.results(calls)
                    reply, calls = self.say("assistant"), []
            elif kind == "step-finish":
                reply.usage = _usage(part.get("tokens"))
                has_usage = has_usage or reply.usage is not None
            elif kind == "text" and isinstance(text, str):
                reply.add(text)
            elif kind == "tool":
                id, tool = part.get("callID") or part.get("id"), part.get("tool") or part.get("name")
                calls.append((self.call(id, tool, state.get("input")), state, at.under("state")))
            else:
                self.skip(f"part {kind}")
        self.results(calls)
        reply.usage = reply.usage if has_usage else total
        if info.get("summary") is True or info.get("mode") == "compaction":
            self.forget([n for n, message in enumerate(self.messages) if message is not reply])

    def results(self, calls: Made) -> None:
        for call, state, at in calls:
            failed, when = state.get("status") == "error", mapped(state.get("time")).get("compacted")
            names = ("error", "output", "content") if failed else ("output", "content")
            name = next((name for name in names if state.get(name) is not None), "")
            if not name or state.get("status") in ("pending", "running"):
                continue
            if when:
                self.cleared = [*self.cleared, (as_count(when), len(self.messages))]
            value, where = state[name], at.under(name)
            if name == "error" and isinstance(value, dict):
                value, where = value.get("message"), where.under("message")
            self.answer(call.id, value, where, failed=failed, call=call)


class Format(Reader):
    keys = frozenset({"messages"})
    builder = Session
    quiet = "part (?:reasoning|snapshot|patch|agent|retry|compaction)|assistant aborted"

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        messages = [message for message in listed(root.get("messages")) if isinstance(message, dict)]
        if any(isinstance(m.get("info"), dict) and isinstance(m.get("parts"), list) for m in messages):
            return 1.0
        info = mapped(root.get("info"))
        known = "directory" in info or stated(info.get("id")).startswith("ses_")
        return 0.9 * (known and any(isinstance(m.get("type"), str) for m in messages))

    def session(self, build: Session, value: Any, at: Place) -> None:
        if not isinstance(mapped(value).get("messages"), list):
            build.skip(type(value).__name__)
            return
        build.transcript.parent = str(mapped(value.get("info")).get("parentID") or "")
        for where, message in build.each(at, value, "messages"):
            build.message(message, where)


def _usage(tokens: Any) -> Usage | None:
    usage = USAGE.read(mapped(tokens) | mapped(mapped(tokens).get("cache")))
    return usage if usage != Usage() else None
