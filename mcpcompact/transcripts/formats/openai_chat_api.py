"""Dumps of OpenAI chat completions and of the many APIs that speak as they do (Mistral, Groq, DeepSeek, OpenRouter)."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts import exchanges
from mcpcompact.transcripts.builder import NOWHERE, Builder, Place, listed, mapped, stated
from mcpcompact.transcripts.chat import say


class Format(exchanges.Dump):
    holds = "choices"

    def speaks(self, request: dict[str, Any], uri: str) -> bool:
        return isinstance(request.get("messages"), list)

    def message(self, build: Builder, message: dict[str, Any], at: Place) -> None:
        say(build, message, at)

    def response(self, build: Builder, body: dict[str, Any], at: Place) -> None:
        for choice in body["choices"][:1]:
            self.message(build, mapped(mapped(choice).get("message")) | {"role": "assistant"}, NOWHERE)

    def assembled(self, stream: str) -> dict[str, Any]:
        """The first choice only."""
        text: list[str] = []
        calls: dict[str, dict[str, Any]] = {}
        usage: Any = None
        heard = False
        for chunk in exchanges.events(stream):
            usage = chunk.get("usage") or mapped(chunk.get("x_groq")).get("usage") or usage
            for choice in map(mapped, listed(chunk.get("choices"))):
                if choice.get("index") or not isinstance(choice.get("delta"), dict):
                    continue
                heard, delta = True, choice["delta"]
                text.append(stated(delta.get("content")))
                for position, piece in enumerate(map(mapped, listed(delta.get("tool_calls")))):
                    entry = calls.setdefault(str(piece.get("index", position)), {"id": "", "name": "", "arguments": []})
                    function = mapped(piece.get("function"))
                    entry["id"] = entry["id"] or stated(piece.get("id"))
                    entry["name"] = entry["name"] or stated(function.get("name"))
                    entry["arguments"].append(stated(function.get("arguments")))
        tools = [call | {"arguments": "".join(call["arguments"])} for call in calls.values()]
        message = {"content": "".join(text), "tool_calls": tools}
        return {"choices": [{"message": message}], "usage": usage} if heard else {}
