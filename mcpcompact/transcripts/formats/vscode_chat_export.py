"""Chats that VS Code's Copilot exports or keeps (``chat.json``, ``chatSessions/*.json``): requests, each with the
rounds of the model and what its tools answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.blocks import Tokens
from mcpcompact.transcripts.builder import Builder
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.model import Place, Transcript

OLD, NEW = Tokens("promptTokens", "outputTokens"), Tokens("promptTokens", "completionTokens")


class ChatExport:
    name = "vscode_chat_export"

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        requests = listed(root.get("requests"))
        known = "responderUsername" in root or any("responseId" in mapped(request) for request in requests)
        return float(bool(requests) and known and all("message" in mapped(request) for request in requests))

    def read(self, document: Document) -> Iterator[Transcript]:
        build = Builder(self.name, document.path)
        for index, request in enumerate(map(mapped, listed(mapped(document.value()).get("requests")))):
            _request(build, request, Place(0, ("requests", index)))
        yield build.transcript


def _request(build: Builder, request: dict[str, Any], at: Place) -> None:
    build.here = at
    message = request.get("message")
    build.say("user", stated(message) or stated(mapped(message).get("text")))
    model = stated(request.get("modelId"))
    build.transcript.model = model or build.transcript.model
    result = mapped(request.get("result"))
    about = mapped(result.get("metadata"))
    answers = mapped(about.get("toolCallResults"))
    rounds = listed(about.get("toolCallRounds"))
    if not rounds:
        said = "".join(stated(mapped(part).get("value")) for part in listed(request.get("response")))
        rounds = [{"response": said}] if said else []
        build.skip("request without an answer" if not said else "request without rounds")
    for turn in map(mapped, rounds):
        build.say("assistant", stated(turn.get("response")))
        calls = [mapped(call) for call in listed(turn.get("toolCalls"))]
        for call in calls:
            build.call(call.get("id"), call.get("name"), call.get("arguments"))
        for id in (stated(call.get("id")) for call in calls):
            if id in answers:
                _result(
                    build, id, mapped(answers[id]), at.under("result", "metadata", "toolCallResults", id, "content")
                )
    if rounds:
        usage = OLD.read(about) or NEW.read(result.get("usage"))
        last = next(message for message in reversed(build.messages) if message.role == "assistant")
        last.usage = usage


def _result(build: Builder, id: str, answer: dict[str, Any], at: Place) -> None:
    texts, places, images = [], list[Place](), 0
    whole = True
    for index, part in enumerate(map(mapped, listed(answer.get("content")))):
        value = part.get("value")
        if isinstance(value, str):
            places.append(at.under(index, "value"))
            texts.append(value)
        elif isinstance(value, dict) and "node" in value:
            texts.append("".join(_texts(value["node"])))
            whole = False
        else:
            images += 1
    build.result(
        id, "\n".join(texts), places=places if whole else [], images=images, is_error=bool(answer.get("isError"))
    )


def _texts(node: Any) -> Iterator[str]:
    """The texts of a rendered tree, in order."""
    node = mapped(node)
    if isinstance(node.get("text"), str):
        yield f"\n{node['text']}" if node.get("lineBreakBefore") is True else node["text"]
    for child in listed(node.get("children")):
        yield from _texts(child)


FORMAT = ChatExport()
