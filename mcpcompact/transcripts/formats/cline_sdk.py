"""Sessions of the Cline SDK (``session.messages.json``): Anthropic's messages; a result may be a list of
``{"query", "result", "success"}``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.blocks import Tokens, read_json
from mcpcompact.transcripts.builder import Builder, text_of
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.formats.anthropic import say_assistant
from mcpcompact.transcripts.model import Place, Transcript

USAGE = Tokens("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")


class ClineSdk:
    name = "cline_sdk"

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        known = "system_prompt" in root and ("sessionId" in root or "agent" in root)
        return float(known and isinstance(root.get("messages"), list))

    def read(self, document: Document) -> Iterator[Transcript]:
        for at, session in document.sections():
            session = mapped(session)
            build = Builder(self.name, document.path, stated(session.get("sessionId")) if document.is_lines else "")
            if prompt := stated(session.get("system_prompt")):
                build.say("system", prompt)
            for index, message in enumerate(map(mapped, listed(session.get("messages")))):
                build.here = at.under("messages", index)
                start = len(build.messages)
                if message.get("role") != "assistant":
                    _user(build, message.get("content"), build.here.under("content"))
                    continue
                say_assistant(build, message, build.here)
                build.messages[start].usage = USAGE.either(message.get("metrics"))
                model = stated(mapped(message.get("modelInfo")).get("id"))
                build.transcript.model = build.transcript.model or model
            yield build.transcript


def _user(build: Builder, content: Any, at: Place) -> None:
    spoken: list[Any] = [content] if isinstance(content, str) else []
    for index, block in enumerate(map(mapped, listed(content))):
        if block.get("type") == "tool_result":
            _result(build, block, at.under(index, "content"))
        else:
            spoken.append(block)
    if spoken:
        build.say("user", text_of(spoken)[0])


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


FORMAT = ClineSdk()
