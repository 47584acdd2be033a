"""Sessions of Kimi's CLI (``wire.jsonl``): of Kimi Code the changes to its context, of the older Kimi CLI what it told
its screen. The lines of a step are one model call; a step that gave nothing was aborted."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.blocks import output, say, told
from mcpcompact.transcripts.builder import Builder, Document, Lines, Message, Place, Tokens, mapped, stated

NEW = Tokens("inputOther", "output", "inputCacheRead", "inputCacheCreation", whole=False)
OLD = Tokens("input_other", "output", "input_cache_read", "input_cache_creation", whole=False)
KNOWN = {"context.append_message", "tools.set_active_tools", "TurnBegin", "StepBegin", "StatusUpdate", "ToolResult"}


class _Session(Builder):
    message: Message | None = None  # the message of the step that is being read

    def step(self) -> Message:
        self.message = self.message or self.say("assistant")
        return self.message

    def record(self, line: dict[str, Any], at: Place) -> None:
        message, event = mapped(line.get("message")), mapped(line.get("event"))
        if "type" in message:
            self.event(stated(message["type"]), mapped(message.get("payload")), at.under("message", "payload"))
        elif event:
            self.event(stated(event.get("type")), event, at.under("event"))
        else:
            self.change(stated(line.get("type")), line, at)

    def change(self, kind: str, line: dict[str, Any], at: Place) -> None:
        prompt = stated(line.get("systemPrompt"))
        if kind == "config.update" and prompt:
            self.say("system", prompt)
        elif kind == "llm.request":
            self.model(line.get("model"))
        elif kind == "context.append_message":
            say(self, told(line.get("message"), at.under("message")), kind="unknown speaker")
        elif kind == "context.apply_compaction":
            self.compacted(line.get("keptUserMessageCount"))
            self.say("user", stated(line.get("contextSummary")) or stated(line.get("summary")))
        else:
            self.skip(kind)

    def compacted(self, kept: object = 0) -> None:
        """All but the system prompt and the latest so many messages of the user leave the context."""
        roles = [message.role for message in self.messages]
        users = [n for n, role in enumerate(roles) if role == "user"]
        stay = users[-kept:] if isinstance(kept, int) and kept > 0 else []
        self.forget([n for n, role in enumerate(roles) if role != "system" and n not in stay])

    def event(self, kind: str, event: dict[str, Any], at: Place) -> None:
        """Of either version, whose names differ."""
        if kind in ("TurnBegin", "SteerInput"):
            self.hear("user", event.get("user_input"))
        elif kind in ("step.begin", "StepBegin"):
            self.message = None
        elif kind in ("content.part", "ContentPart"):
            part = mapped(event.get("part")) or event
            if part.get("type") == "text":
                self.step().text += stated(part.get("text"))
        elif kind == "tool.call":
            self.call(event.get("toolCallId"), event.get("name"), event.get("args"), message=self.step())
        elif kind == "ToolCall":
            function = mapped(event.get("function"))
            self.call(event.get("id"), function.get("name"), function.get("arguments"), message=self.step())
        elif kind in ("tool.result", "ToolResult"):
            key = "return_value" if "return_value" in event else "result"
            result = mapped(event.get(key))
            text, places, images = output(result.get("output"), at.under(key, "output"))
            failed = True in (result.get("isError"), result.get("is_error"))
            id = event.get("toolCallId", event.get("tool_call_id"))
            self.result(id, text, places=places, images=images, failed=failed)
        elif kind == "step.end":
            self.step().usage = NEW.read(event.get("usage"))
        elif kind == "StatusUpdate" and (usage := OLD.read(event.get("token_usage"))):
            self.step().usage = usage
        elif kind == "CompactionEnd":
            self.compacted()
        else:
            self.skip(kind)


class Format(Lines):
    keys = frozenset({"type", "message"})
    quiet = r"metadata|(?:config|tools|turn|llm|usage|permission|plan_mode|full_compaction)\.|Turn|Step|Compaction"
    builder = _Session

    def sniff(self, document: Document) -> float:
        records = [each for line in document.first for each in (line, mapped(line.get("message")))]
        return float(any(stated(each.get("type")) in KNOWN for each in records))
