"""Logs of Inspect evaluations: one JSON document, a transcript a sample. Long strings may stand apart, in the sample's
``attachments``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, as_count, text_of
from mcpcompact.transcripts.document import Document
from mcpcompact.transcripts.model import Place, Transcript, Usage

ATTACHED = "attachment://"


class InspectLog:
    name = "inspect_eval_log"

    def sniff(self, document: Document) -> float:
        root = document.root
        if not isinstance(root, dict):
            return 0.0
        if isinstance(root.get("samples"), list) and ("eval" in root or "plan" in root or "stats" in root):
            return 1.0
        return 0.9 * (_is_sample(root) and "epoch" in root)

    def read(self, document: Document) -> Iterator[Transcript]:
        lines = document.lines() if document.is_lines else iter([(0, document.value())])
        for number, root in lines:
            root = root if isinstance(root, dict) else {}
            samples, header = root.get("samples"), _dict(root.get("eval"))
            placed = [(root, Place(number, ()))]
            if isinstance(samples, list):
                placed = [(sample, Place(number, ("samples", index))) for index, sample in enumerate(samples)]
            for index, (sample, at) in enumerate(placed):
                name = f"{sample.get('id')}/{sample.get('epoch')}" if isinstance(sample, dict) else str(index)
                several = len(placed) > 1 or document.is_lines
                build = Builder(self.name, document.path, name if several else "")
                build.transcript.model = str(header.get("model") or "")
                if isinstance(sample, dict):
                    _Sample(build, sample, at).read()
                yield build.transcript


class _Sample:
    def __init__(self, build: Builder, sample: dict[str, Any], at: Place) -> None:
        self.build, self.sample, self.at = build, sample, at
        self.attached = _dict(sample.get("attachments"))
        self.usages = _usages(sample.get("events"))

    def read(self) -> None:
        messages = self.sample.get("messages")
        for index, message in enumerate(messages if isinstance(messages, list) else ()):
            if isinstance(message, dict):
                self.message(message, self.at.under("messages", index))
            else:
                self.build.skip(type(message).__name__)
        total = Usage()
        for used in _dict(self.sample.get("model_usage")).values():
            found = _usage(used)
            if found:
                total.fresh += found.fresh
                total.cached += found.cached
                total.written += found.written
                total.output += found.output
        if total.prompt or total.output:
            self.build.transcript.usage = total

    def message(self, message: dict[str, Any], at: Place) -> None:
        build, role = self.build, message.get("role")
        if role == "tool":
            error = message.get("error")
            text, places, others = self.text(message.get("content"), at.under("content"))
            if not text and isinstance(error, dict):
                text, places, _ = self.text(error.get("message"), at.under("error", "message"))
            elif not text and isinstance(error, str):
                text, places, _ = self.text(error, at.under("error"))
            build.result(
                message.get("tool_call_id"),
                text,
                places=places,
                tool=str(message.get("function") or ""),
                is_error=error is not None or message.get("tool_error") is not None,
                images=others,
            )
        elif role == "assistant":
            text = self.text(message.get("content"), at.under("content"))[0]
            build.say("assistant", text, usage=self.usages.get(str(message.get("id"))))
            build.transcript.model = str(message.get("model") or build.transcript.model)
            calls = message.get("tool_calls")
            for call in calls if isinstance(calls, list) else ():
                if isinstance(call, dict):
                    function = call.get("function")
                    name = _dict(function).get("name") or function
                    arguments = call.get("arguments") or _dict(function).get("arguments")
                    build.call(call.get("id"), name, self.arguments(arguments))
        elif role in ("user", "system"):
            build.say("user" if role == "user" else "system", self.text(message.get("content"), at)[0])
        else:
            build.skip(f"message of {role}")

    def text(self, content: Any, at: Place) -> tuple[str, list[Place], int]:
        """As ``text_of``, without reasoning and with what is attached in its place."""
        if isinstance(content, list):
            kept = [(n, b) for n, b in enumerate(content) if not (isinstance(b, dict) and b.get("type") == "reasoning")]
        else:
            kept = [(-1, content)]
        texts: list[str] = []
        places: list[Place] = []
        others, whole = 0, True
        for index, block in kept:
            text, found, images = text_of(block, at if index < 0 else at.under(index))
            others += images
            if images and not text:
                continue
            attached = self.attached.get(text[len(ATTACHED) :]) if text.startswith(ATTACHED) else None
            if isinstance(attached, str):
                text, found = attached, [self.at.under("attachments", text[len(ATTACHED) :])]
            texts.append(text)
            places += found
            whole = whole and (bool(found) or not text)
        return "\n".join(texts), places if whole else [], others

    def arguments(self, arguments: Any) -> Any:
        if not isinstance(arguments, dict):
            return arguments
        return {
            key: self.attached.get(value[len(ATTACHED) :], value)
            if isinstance(value, str) and value.startswith(ATTACHED)
            else value
            for key, value in arguments.items()
        }


def _usages(events: Any) -> dict[str, Usage]:
    """The usage of each model call, by the id of the message that it gave."""
    found: dict[str, Usage] = {}
    for event in events if isinstance(events, list) else ():
        if isinstance(event, dict) and event.get("event") == "model":
            output = _dict(event.get("output"))
            choices = output.get("choices")
            first = choices[0] if isinstance(choices, list) and choices else None
            id = _dict(_dict(first).get("message")).get("id")
            usage = _usage(output.get("usage"))
            if id and usage:
                found[str(id)] = usage
    return found


def _usage(value: Any) -> Usage | None:
    """``input_tokens`` are without the cache's, as Inspect normalises them."""
    if not isinstance(value, dict):
        return None
    names = ("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write", "output_tokens")
    return Usage(*(as_count(value.get(name)) for name in names))


def _is_sample(value: dict[str, Any]) -> bool:
    return isinstance(value.get("messages"), list) and "input" in value and "target" in value


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


FORMAT = InspectLog()
