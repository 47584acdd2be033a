"""Logs of Inspect evaluations: one JSON document, a transcript a sample. Long strings may stand apart, in the sample's
``attachments``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.blocks import say, told
from mcpcompact.transcripts.builder import Builder, Document, Reader, Tokens, elements, listed, mapped, text_of
from mcpcompact.transcripts.model import Place, Transcript, Usage

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
            placed = list(elements(at, root, "samples")) if isinstance(samples, list) else [(at, root)]
            for index, (where, sample) in enumerate(placed):
                name = f"{sample.get('id')}/{sample.get('epoch')}" if isinstance(sample, dict) else str(index)
                build = Builder(self.name, document.path, name if len(placed) > 1 or document.is_lines else "")
                build.model(model)
                Sample(build, mapped(sample), where).read()
                yield build.transcript


class Sample:
    def __init__(self, build: Builder, sample: dict[str, Any], at: Place) -> None:
        self.build, self.sample, self.at = build, sample, at
        self.attached = {f"{ATTACHED}{name}": str(text) for name, text in mapped(sample.get("attachments")).items()}
        self.usages, self.unnamed = _usages(listed(sample.get("events")))

    def read(self) -> None:
        for at, message in self.build.each(self.at, self.sample, "messages"):
            self.message(message, at)
        used = map(USAGE.read, mapped(self.sample.get("model_usage")).values())
        total = sum(filter(None, used), Usage())
        self.build.transcript.usage = total if total.prompt or total.output else None

    def message(self, message: dict[str, Any], at: Place) -> None:
        build, turn, error = self.build, told(message, at), message.get("error")
        if turn.role == "tool":
            id, text, places, _, _, images = turn.answers[0]
            if not text and error:
                where = at.under("error", "message") if "message" in mapped(error) else at.under("error")
                text, places, _ = text_of(mapped(error).get("message", error), where)
            if text in self.attached:
                places = [self.at.under("attachments", text.removeprefix(ATTACHED))]
            failed = error is not None or message.get("tool_error") is not None
            build.result(id, self.whole(text), places, str(message.get("function") or ""), failed, images)
            return
        usage = self.usages.get(str(message.get("id"))) if turn.role == "assistant" else None
        if turn.role == "assistant":
            build.model(message.get("model"))
            if not self.usages and self.unnamed and message.get("source") != "input":
                usage = self.unnamed.pop(0)
        calls = [call._replace(arguments=self.arguments(call.arguments)) for call in turn.calls]
        say(build, turn._replace(text=self.whole(turn.text), calls=calls), usage=usage, kind=message.get("role"))

    def whole(self, text: str) -> str:
        """A text with what is attached in the place of its blocks."""
        return "\n".join(self.attached.get(line, line) for line in text.split("\n")) if ATTACHED in text else text

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
