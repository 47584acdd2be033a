"""Sessions of Kimi's CLI (``wire.jsonl``): of Kimi Code the changes to its context, of the older Kimi CLI what it told
its screen. The lines of a step are one model call; a step that gave nothing was aborted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.transcripts.blocks import Tokens, output, say, told
from mcpcompact.transcripts.builder import Builder, text_of
from mcpcompact.transcripts.document import Document, mapped, stated
from mcpcompact.transcripts.model import Message, Place, Transcript

NEW = Tokens("inputOther", "output", "inputCacheRead", "inputCacheCreation", whole=False)
OLD = Tokens("input_other", "output", "input_cache_read", "input_cache_creation", whole=False)
KNOWN = {"context.append_message", "tools.set_active_tools", "TurnBegin", "StepBegin", "StatusUpdate", "ToolResult"}


class KimiCli:
    name = "kimi_cli"
    quiet = regex(
        r"metadata|(?:config|tools|turn|llm|usage|permission|plan_mode|full_compaction)\.|Turn|Step|Compaction"
    )

    def sniff(self, document: Document) -> float:
        told = [each for line in document.first for each in (line, mapped(line.get("message")))]
        return float(any(stated(each.get("type")) in KNOWN for each in told))

    def read(self, document: Document) -> Iterator[Transcript]:
        session = _Session(Builder(self.name, document.path))
        for number, line in document.lines():
            session.build.here = at = Place(number, ())
            line = mapped(line)
            message = mapped(line.get("message"))
            if "type" in message:
                session.wire(stated(message["type"]), mapped(message.get("payload")), at.under("message", "payload"))
            elif event := mapped(line.get("event")):
                session.event(stated(event.get("type")), event, at.under("event"))
            else:
                session.change(stated(line.get("type")), line, at)
        yield session.build.transcript


class _Session:
    def __init__(self, build: Builder) -> None:
        self.build = build
        self.said: Message | None = None  # the message of the step that is being read

    def step(self) -> Message:
        self.said = self.said or self.build.say("assistant")
        return self.said

    def change(self, kind: str, line: dict[str, Any], at: Place) -> None:
        build, prompt = self.build, stated(line.get("systemPrompt"))
        if kind == "config.update" and prompt:
            build.say("system", prompt)
        elif kind == "llm.request":
            build.transcript.model = stated(line.get("model")) or build.transcript.model
        elif kind == "context.append_message":
            say(build, told(line.get("message"), at.under("message")), kind="unknown speaker")
        elif kind == "context.apply_compaction":
            self.compacted(line.get("keptUserMessageCount"))
            build.say("user", stated(line.get("contextSummary")) or stated(line.get("summary")))
        else:
            build.skip(kind)

    def compacted(self, kept: object = 0) -> None:
        """All but the system prompt and the latest so many messages of the user leave the context."""
        roles = [message.role for message in self.build.messages]
        users = [n for n, role in enumerate(roles) if role == "user"]
        stay = users[-kept:] if isinstance(kept, int) and kept > 0 else []
        self.build.forget([n for n, role in enumerate(roles) if role != "system" and n not in stay])

    def event(self, kind: str, event: dict[str, Any], at: Place) -> None:
        if kind == "step.begin":
            self.said = None
        elif kind == "content.part":
            self.part(mapped(event.get("part")))
        elif kind == "tool.call":
            self.build.call(event.get("toolCallId"), event.get("name"), event.get("args"), message=self.step())
        elif kind == "tool.result":
            self.result(event.get("toolCallId"), mapped(event.get("result")), at.under("result"))
        elif kind == "step.end":
            self.step().usage = NEW.read(event.get("usage"))
        else:
            self.build.skip(kind)

    def wire(self, kind: str, payload: dict[str, Any], at: Place) -> None:
        if kind in ("TurnBegin", "SteerInput"):
            self.build.say("user", text_of(payload.get("user_input"))[0])
        elif kind == "StepBegin":
            self.said = None
        elif kind == "ContentPart":
            self.part(payload)
        elif kind == "ToolCall":
            made = mapped(payload.get("function"))
            self.build.call(payload.get("id"), made.get("name"), made.get("arguments"), message=self.step())
        elif kind == "ToolResult":
            key = "return_value" if "return_value" in payload else "result"
            self.result(payload.get("tool_call_id"), mapped(payload.get(key)), at.under(key))
        elif kind == "StatusUpdate" and (usage := OLD.read(payload.get("token_usage"))):
            self.step().usage = usage
        elif kind == "CompactionEnd":
            self.compacted()
        else:
            self.build.skip(kind)

    def part(self, part: dict[str, Any]) -> None:
        if part.get("type") == "text":
            self.step().text += stated(part.get("text"))

    def result(self, id: object, result: dict[str, Any], at: Place) -> None:
        text, places, images = output(result.get("output"), at.under("output"))
        failed = True in (result.get("isError"), result.get("is_error"))
        self.build.result(id, text, places=places, images=images, is_error=failed)


FORMAT = KimiCli()
