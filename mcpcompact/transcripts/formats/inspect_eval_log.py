"""Logs of Inspect evaluations: one JSON document, a transcript a sample. Long strings may stand apart, in the sample's
``attachments``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, Reader, Tokens, text_of
from mcpcompact.transcripts.document import Document, listed, mapped
from mcpcompact.transcripts.model import NOWHERE, Place, Transcript, Usage

ATTACHED = "attachment://"
USAGE = Tokens("input_tokens", "output_tokens", "input_tokens_cache_read", "input_tokens_cache_write", whole=False)


class Format(Reader):
    keys = frozenset({"samples", "epoch"})

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        if isinstance(root.get("samples"), list):
            return float("eval" in root or "plan" in root or "stats" in root)
        return 0.9 * (isinstance(root.get("messages"), list) and root.keys() >= {"input", "target", "epoch"})

    def read(self, document: Document) -> Iterator[Transcript]:
        for at, root in document.sections():
            model, samples = mapped(mapped(root).get("eval")).get("model"), mapped(root).get("samples")
            placed = [(at, root)]
            if isinstance(samples, list):
                placed = [(at.under("samples", index), sample) for index, sample in enumerate(samples)]
            for index, (where, sample) in enumerate(placed):
                name = f"{sample.get('id')}/{sample.get('epoch')}" if isinstance(sample, dict) else str(index)
                build = Builder(self.name, document.path, name if len(placed) > 1 or document.is_lines else "")
                build.model(model)
                Sample(build, mapped(sample), where).read()
                yield build.transcript


class Sample:
    def __init__(self, build: Builder, sample: dict[str, Any], at: Place) -> None:
        self.build, self.sample, self.at = build, sample, at
        self.attached = {f"{ATTACHED}{name}": text for name, text in mapped(sample.get("attachments")).items()}
        self.usages, self.unnamed = _usages(listed(sample.get("events")))

    def read(self) -> None:
        for at, message in self.build.each(self.at, self.sample, "messages"):
            self.message(message, at)
        used = map(USAGE.read, mapped(self.sample.get("model_usage")).values())
        total = sum(filter(None, used), Usage())
        self.build.transcript.usage = total if total.prompt or total.output else None

    def message(self, message: dict[str, Any], at: Place) -> None:
        build, role, error = self.build, message.get("role"), message.get("error")
        text, places, images = self.text(message.get("content"), at.under("content"))
        if role == "tool":
            if not text and error:
                within = isinstance(error, dict)
                where = at.under("error", "message") if within else at.under("error")
                text, places, _ = self.text(error["message"] if within and "message" in error else error, where)
            failed = error is not None or message.get("tool_error") is not None
            id, tool = message.get("tool_call_id"), str(message.get("function") or "")
            build.result(id, text, places=places, tool=tool, failed=failed, images=images)
        elif role == "assistant":
            usage = self.usages.get(str(message.get("id")))
            if not self.usages and self.unnamed and message.get("source") != "input":
                usage = self.unnamed.pop(0)
            build.say("assistant", text, usage=usage)
            build.model(message.get("model"))
            for call in filter(None, map(mapped, listed(message.get("tool_calls")))):
                function = call.get("function")
                given = call.get("arguments") or mapped(function).get("arguments")
                build.call(call.get("id"), mapped(function).get("name") or function, self.arguments(given))
        elif role in ("user", "system"):
            build.say("user" if role == "user" else "system", text)
        else:
            build.skip(f"message of {role}")

    def text(self, content: Any, at: Place) -> tuple[str, list[Place], int]:
        """As ``text_of``, without reasoning and with what is attached in its place."""
        blocks = [(at, content)]
        if isinstance(content, list):
            blocks = [(at.under(n), b) for n, b in enumerate(content) if mapped(b).get("type") != "reasoning"]
        texts, places, others = list[str](), list[Place](), 0
        for where, block in blocks:
            text, found, images = text_of(block, where)
            others += images
            if images and not text:
                continue
            attached = self.attached.get(text)
            if isinstance(attached, str):
                text, found = attached, [self.at.under("attachments", text[len(ATTACHED) :])]
            texts.append(text)
            places += found or ([NOWHERE] if text else [])
        return "\n".join(texts), places, others

    def arguments(self, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        own = self.attached
        return {key: own.get(value, value) if isinstance(value, str) else value for key, value in given.items()}


def _usages(events: list[Any]) -> tuple[dict[str, Usage], list[Usage | None]]:
    """The usage of each model call by the id of the message that it gave, and, of logs before there were such ids, in
    the order of their messages."""
    usages: dict[str, Usage] = {}
    unnamed: list[Usage | None] = []
    for event in map(mapped, events):
        output = mapped(event.get("output")) if event.get("event") == "model" else {}
        usage, choices = USAGE.read(output.get("usage")), listed(output.get("choices"))
        id = mapped(mapped(choices[0]).get("message")).get("id") if choices else None
        if id and usage:
            usages[str(id)] = usage
        elif choices:
            unnamed.append(usage)
    return usages, unnamed
