"""Sessions of the Cline SDK (``session.messages.json``): Anthropic's messages; a result may be a list of
``{"query", "result", "success"}``."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.blocks import read_json, say, told
from mcpcompact.transcripts.builder import Builder, Document, Place, Reader, Tokens, listed, mapped

USAGE = Tokens("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")


class Format(Reader):
    keys = frozenset({"system_prompt"})
    named = "sessionId"

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        known = "system_prompt" in root and ("sessionId" in root or "agent" in root)
        return float(known and isinstance(root.get("messages"), list))

    def session(self, build: Builder, value: Any, at: Place) -> None:
        build.tell("system", mapped(value).get("system_prompt"))
        for where, message in build.each(at, value, "messages"):
            turn, blocks = told(message, where), list(map(mapped, listed(message.get("content"))))
            failed = [_failed(block.get("content")) for block in blocks if block.get("type") == "tool_result"]
            pairs = zip(turn.answers, failed, strict=False)
            answers = [answer._replace(is_error=answer.is_error or wrong) for answer, wrong in pairs]
            say(build, turn._replace(answers=answers), usage=USAGE.either(message.get("metrics")))
            build.model(build.transcript.model, mapped(message.get("modelInfo")).get("id"))


def _failed(content: Any) -> bool:
    """Whether one of the tool's answers, a list or JSON text, says so."""
    return any(mapped(part).get("success") is False for part in listed(content) or [read_json(content)])
