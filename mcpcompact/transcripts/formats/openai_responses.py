"""Dumps of the OpenAI Responses API: a list of items instead of messages. Consecutive items of the model (text, calls)
are one message. Tools that the provider runs itself (``mcp_call``, ``web_search_call`` …) answer within it. A request
may name an earlier response instead of repeating it. https://platform.openai.com/docs/api-reference/responses"""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts import exchanges
from mcpcompact.transcripts.builder import Builder, Message, Place, Reader, listed, mapped, stated
from mcpcompact.transcripts.items import say


class Format(exchanges.Dump):
    holds = "output"
    chained = True
    bare = Reader.read

    def speaks(self, request: dict[str, Any], uri: str) -> bool:
        if "/embeddings" in uri or "/moderations" in uri or "/audio/" in uri:
            return False
        return isinstance(request.get("input"), list) or ("/responses" in uri and isinstance(request.get("input"), str))

    def follows(self, request: dict[str, Any]) -> str:
        return stated(request.get("previous_response_id"))

    def request(self, build: Builder, request: dict[str, Any], at: Place) -> None:
        build.transcript.model = stated(request.get("model"))
        instructions = stated(request.get("instructions"))
        if instructions and not any(m.role == "system" and m.text == instructions for m in build.messages):
            build.say("system", instructions)
        build.tell("user", request.get("input"))
        self.items(build, request.get("input"), at.under("input"))

    def response(self, build: Builder, body: dict[str, Any], at: Place) -> None:
        before = len(build.messages)
        self.items(build, body.get("output"), at.under("output"))
        if len(build.messages) == before:
            build.say("assistant")

    def assembled(self, stream: str) -> dict[str, Any]:
        """The response that a stream of events ends with; of one that is cut off, the items that were done."""
        items: list[dict[str, Any]] = []
        for event in exchanges.events(stream):
            kind, body = stated(event.get("type")), mapped(event.get("response"))
            if kind in ("response.completed", "response.incomplete", "response.failed"):
                if items and not listed(body.get("output")):
                    return body | {"output": items}
                return body if isinstance(body.get("output"), list) else {}
            if kind == "response.output_item.done" and isinstance(event.get("item"), dict):
                items.append(event["item"])
        return {"output": items} if items else {}

    def items(self, build: Builder, items: Any, at: Place) -> None:
        within = False  # one message of the model: what it says, calls, and is answered by the provider

        def speak(text: str) -> Message:
            nonlocal within
            message = (build.speaking if within else None) or build.say("assistant", continues=within)
            message.text += text
            within = True
            return message

        items = listed(items)
        # what a search for tools found that the provider made: requests that repeat the search leave it out
        found = [mapped(i).get("type") == "tool_search_output" and i.get("execution") == "server" for i in items]
        for index, item in enumerate(items):
            build.here = where = at.under(index)
            item = {"content": item} if isinstance(item, str) else mapped(item)
            kind = stated(item.get("type"))
            if kind != "reasoning" and not say(build, item, where, speak, answered=any(found[index + 1 :])):
                build.skip(f"item {kind}")
            elif kind.endswith("_output"):
                within = item.get("execution") == "server"
            elif build.last and build.last.role in ("user", "system"):
                within = False
