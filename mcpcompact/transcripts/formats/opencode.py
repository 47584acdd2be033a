"""Sessions that OpenCode exports: one JSON document. A tool part holds the call and its result; a message may hold
several steps, each an API call. Version 2 says ``type`` and ``content`` for ``info`` and ``parts``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, as_count, text_of
from mcpcompact.transcripts.document import Document
from mcpcompact.transcripts.model import Call, Message, Place, Transcript, Usage


class OpenCode:
    name = "opencode"

    def sniff(self, document: Document) -> float:
        root = document.root
        if not isinstance(root, dict) or not isinstance(root.get("messages"), list):
            return 0.0
        messages = [message for message in root["messages"] if isinstance(message, dict)]
        nested = any(isinstance(m.get("info"), dict) and isinstance(m.get("parts"), list) for m in messages)
        if nested:
            return 1.0
        info = root.get("info")
        known = isinstance(info, dict) and ("directory" in info or str(info.get("id")).startswith("ses_"))
        return 0.9 * (known and any(isinstance(m.get("type"), str) for m in messages))

    def read(self, document: Document) -> Iterator[Transcript]:
        lines = document.lines() if document.is_lines else iter([(0, document.value())])
        several = document.is_lines
        for number, session in lines:
            build = Builder(self.name, document.path, str(number + 1) if several else "")
            if not isinstance(session, dict) or not isinstance(session.get("messages"), list):
                build.skip(type(session).__name__)
                yield build.transcript
                continue
            info = session.get("info")
            build.transcript.parent = str(info.get("parentID") or "") if isinstance(info, dict) else ""
            reading = _Reading(build)
            for index, message in enumerate(session["messages"]):
                reading.message(message, Place(number, ("messages", index)))
            yield build.transcript


class _Reading:
    def __init__(self, build: Builder) -> None:
        self.build = build
        self.cleared: list[tuple[int, int]] = []  # when the host dropped a result, and where that stands

    def message(self, message: Any, at: Place) -> None:
        if not isinstance(message, dict):
            self.build.skip(type(message).__name__)
            return
        info = message["info"] if isinstance(message.get("info"), dict) else message
        name = "parts" if isinstance(message.get("parts"), list) else "content"
        parts = message.get(name)
        placed = [
            (part, at.under(name, index))
            for index, part in enumerate(parts if isinstance(parts, list) else ())
            if isinstance(part, dict)
        ]
        role = info.get("role") or message.get("type")
        if role == "assistant":
            self.forget(info)
            self.assistant(info, placed)
        elif role in ("user", "system"):
            texts = [
                part["text"]
                for part, _ in placed
                if part.get("type") == "text" and isinstance(part.get("text"), str) and not part.get("ignored")
            ]
            if isinstance(message.get("text"), str):
                texts.append(message["text"])
            self.build.say("user" if role == "user" else "system", "\n".join(texts))
        else:
            self.build.skip(f"message of {role}")

    def forget(self, info: dict[str, Any]) -> None:
        """Results that the host had dropped by the time of this message."""
        now = as_count(_dict(info.get("time")).get("created"))
        due = [where for when, where in self.cleared if when <= now]
        if due:
            self.build.forget(due)
            self.cleared = [(when, where) for when, where in self.cleared if when > now]

    def assistant(self, info: dict[str, Any], placed: list[tuple[dict[str, Any], Place]]) -> None:
        build = self.build
        model = info.get("modelID") or info.get("model")
        build.transcript.model = str(_dict(model).get("id") or model or build.transcript.model)
        said = build.say("assistant")
        steps: list[Message] = []
        made: list[tuple[Call, dict[str, Any], Place]] = []
        for part, at in placed:
            kind = part.get("type")
            if kind == "step-start":
                if said.text or said.calls:
                    self.results(made)
                    said, made = build.say("assistant"), []
            elif kind == "step-finish":
                said.usage = _usage(part.get("tokens"))
                steps.append(said)
            elif kind == "text" and isinstance(part.get("text"), str):
                if made and build.messages[-1] is not said:
                    said = build.say("assistant")
                said.text = f"{said.text}\n{part['text']}" if said.text else part["text"]
            elif kind == "tool":
                state = _dict(part.get("state"))
                called = build.call(
                    part.get("callID") or part.get("id"), part.get("tool") or part.get("name"), state.get("input")
                )
                made.append((called, state, at.under("state")))
            else:
                build.skip(f"part {kind}")
        self.results(made)
        if not any(step.usage for step in steps):
            said.usage = _usage(info.get("tokens"))
        if info.get("summary") is True or info.get("mode") == "compaction":
            build.forget([n for n, m in enumerate(build.messages) if m is not said])

    def results(self, made: list[tuple[Call, dict[str, Any], Place]]) -> None:
        for call, state, at in made:
            failed = state.get("status") == "error"
            names = ("error", "output", "content") if failed else ("output", "content")
            name = next((name for name in names if state.get(name) is not None), "")
            if not name or state.get("status") in ("pending", "running"):
                continue
            value = state[name]
            if name == "error" and isinstance(value, dict):
                text, places, others = text_of(value.get("message"), at.under(name, "message"))
            else:
                text, places, others = text_of(value, at.under(name))
            when = _dict(state.get("time")).get("compacted")
            if when:
                self.cleared.append((as_count(when), len(self.build.messages)))
            self.build.result(call.id, text, places=places, is_error=failed, images=others, call=call)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _usage(tokens: Any) -> Usage | None:
    """``input`` is without the cache's; reasoning is output."""
    if not isinstance(tokens, dict):
        return None
    cache = _dict(tokens.get("cache"))
    output = as_count(tokens.get("output")) + as_count(tokens.get("reasoning"))
    counts = (as_count(tokens.get("input")), as_count(cache.get("read")), as_count(cache.get("write")), output)
    return Usage(*counts) if any(counts) else None


FORMAT = OpenCode()
