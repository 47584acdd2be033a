"""Sessions of the Cline SDK (``session.messages.json``): Anthropic's messages; a result may be a list of
``{"query", "result", "success"}``."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.blocks import read_json
from mcpcompact.transcripts.builder import Builder, Reader, Tokens, text_of
from mcpcompact.transcripts.document import Document, listed, mapped, objects, stated
from mcpcompact.transcripts.formats.anthropic_messages import say_assistant
from mcpcompact.transcripts.model import Place

USAGE = Tokens("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")


class Format(Reader):
    keys = frozenset({"system_prompt"})

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        known = "system_prompt" in root and ("sessionId" in root or "agent" in root)
        return float(known and isinstance(root.get("messages"), list))

    def named(self, value: dict[str, Any]) -> str:
        return stated(value.get("sessionId"))

    def session(self, build: Builder, value: Any, at: Place) -> None:
        if prompt := stated(mapped(value).get("system_prompt")):
            build.say("system", prompt)
        for where, message in build.each(at, value, "messages"):
            start = len(build.messages)
            if message.get("role") == "assistant":
                say_assistant(build, message, where)
                build.messages[start].usage = USAGE.either(message.get("metrics"))
                build.model(build.transcript.model, mapped(message.get("modelInfo")).get("id"))
            else:
                _user(build, message.get("content"), where.under("content"))


def _user(build: Builder, content: Any, at: Place) -> None:
    spoken: list[Any] = [content] if isinstance(content, str) else []
    for where, block in objects(at, content):
        if block.get("type") == "tool_result":
            _result(build, block, where.under("content"))
        else:
            spoken.append(block)
    if spoken:
        build.hear("user", spoken)


def _result(build: Builder, block: dict[str, Any], at: Place) -> None:
    content = block.get("content")
    parts = [part for part in listed(content) if isinstance(mapped(part).get("result"), str)]
    text, places, images = text_of(content, at)
    if parts and len(parts) == len(listed(content)):
        text, images = "\n".join(part["result"] for part in parts), 0
        places = [at.under(n, "result") for n in range(len(parts))]
    failed = any(part.get("success") is False for part in parts or [mapped(read_json(content))])
    failed = failed or block.get("is_error") is True
    build.result(block.get("tool_use_id"), text, places=places, images=images, is_error=failed)
