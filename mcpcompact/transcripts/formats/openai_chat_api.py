"""Dumps of OpenAI chat completions and of the many APIs that speak as they do (Mistral, Groq, DeepSeek, OpenRouter)."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts import exchanges
from mcpcompact.transcripts.builder import Builder
from mcpcompact.transcripts.chat import say, usage_of
from mcpcompact.transcripts.document import listed, mapped, stated
from mcpcompact.transcripts.model import Place, Usage


class Format(exchanges.Dump):
    def speaks(self, request: dict[str, Any], uri: str) -> bool:
        return isinstance(request.get("messages"), list)

    def request(self, build: Builder, request: dict[str, Any], at: Place) -> None:
        build.transcript.model = stated(request.get("model"))
        for where, message in build.each(at, request, "messages"):
            say(build, message, where)

    def body(self, response: Any) -> dict[str, Any]:
        if isinstance(response, str):
            return _assembled(response)
        return mapped(response) if listed(mapped(response).get("choices")) else {}

    def response(self, build: Builder, body: dict[str, Any], at: Place) -> None:
        say(build, mapped(mapped(body["choices"][0]).get("message")) | {"role": "assistant"})

    def usage(self, body: dict[str, Any]) -> Usage | None:
        return usage_of(body.get("usage"))


def _assembled(stream: str) -> dict[str, Any]:
    """The response that a stream of chunks builds up: the first choice only."""
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
                made = calls.setdefault(str(piece.get("index", position)), {"id": "", "name": "", "arguments": []})
                function = mapped(piece.get("function"))
                made["id"] = made["id"] or stated(piece.get("id"))
                made["name"] = made["name"] or stated(function.get("name"))
                made["arguments"].append(stated(function.get("arguments")))
    tools = [call | {"arguments": "".join(call["arguments"])} for call in calls.values()]
    message = {"content": "".join(text), "tool_calls": tools}
    return {"choices": [{"message": message}], "usage": usage} if heard else {}
