"""Chats that VS Code's Copilot exports or keeps (``chat.json``, ``chatSessions/*.json``): requests, each with the
rounds of the model and what its tools answered. Newer versions keep a journal: the session, then changes to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, Document, Reader, Tokens, listed, mapped, stated
from mcpcompact.transcripts.model import NOWHERE, Place, Transcript

OLD, NEW = Tokens("promptTokens", "outputTokens"), Tokens("promptTokens", "completionTokens")
ALL, SET, APPEND = range(3)  # kinds of a journal's lines; what is left takes a value away


class Format(Reader):
    keys = frozenset({"requests", "kind"})
    quiet = "request without an answer"

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        if document.is_lines:
            return float(root.get("kind") == ALL and "requests" in mapped(root.get("v")))
        requests = listed(root.get("requests"))
        known = "responderUsername" in root or any("responseId" in mapped(request) for request in requests)
        return float(bool(requests) and known and all("message" in mapped(request) for request in requests))

    def read(self, document: Document) -> Iterator[Transcript]:
        build = Builder(self.name, document.path)
        session = mapped(_replayed(document) if document.is_lines else document.value())
        top = NOWHERE if document.is_lines else Place(0, ())  # a journal does not hold it as such
        for at, request in build.each(top, session, "requests"):
            _request(build, request, at)
        yield build.transcript


def _replayed(document: Document) -> Any:
    """The session that a journal ends with."""
    session: dict[str, Any] = {}
    for _, line in document.lines():
        line = mapped(line)
        kind, path, value = line.get("kind"), listed(line.get("k")), line.get("v")
        if kind == ALL:
            session = mapped(value)
        try:
            at: Any = session
            for key in path[:-1]:
                at = at[key]
            if kind == APPEND and path:
                del at[path[-1]][line["i"] if isinstance(line.get("i"), int) else len(at[path[-1]]) :]
                at[path[-1]] += listed(value)
            elif path:
                at[path[-1]] = value if kind == SET else None
        except (LookupError, TypeError):
            document.problems.append("a change in the journal names what is not there")
    return session


def _request(build: Builder, request: dict[str, Any], at: Place) -> None:
    message, result = request.get("message"), mapped(request.get("result"))
    build.say("user", stated(message) or stated(mapped(message).get("text")))
    about = mapped(result.get("metadata"))
    build.model(about.get("resolvedModel"), request.get("modelId"))
    answers, where = mapped(about.get("toolCallResults")), at.under("result", "metadata", "toolCallResults")
    rounds = listed(about.get("toolCallRounds"))
    if not rounds:
        text = "".join(stated(mapped(part).get("value")) for part in listed(request.get("response")))
        rounds = [{"response": text}] if text else []
        build.skip("request without rounds" if text else "request without an answer")
    for turn in map(mapped, rounds):
        spoken = build.say("assistant", stated(turn.get("response")))
        for call in map(mapped, listed(turn.get("toolCalls"))):
            build.call(call.get("id"), call.get("name"), call.get("arguments"), message=spoken)
        for id in (call.id for call in spoken.calls if call.id in answers):
            _result(build, id, mapped(answers[id]), where.under(id, "content"))
        if turn is rounds[-1]:
            spoken.usage = OLD.read(about) or NEW.read(request) or NEW.read(result.get("usage"))


def _result(build: Builder, id: str, answer: dict[str, Any], at: Place) -> None:
    values = [mapped(part).get("value") for part in listed(answer.get("content"))]
    texts = ["".join(_texts(value.get("node"))) if isinstance(value, dict) else value for value in values]
    whole = [at.under(index, "value") for index, value in enumerate(values) if isinstance(value, str)]
    strings = [text for text in texts if isinstance(text, str)]
    places = whole if len(whole) == len(strings) else []
    failed, images = answer.get("isError") is True, len(texts) - len(strings)
    build.result(id, "\n".join(strings), places=places, images=images, failed=failed)


def _texts(node: Any) -> Iterator[str]:
    """The texts of a rendered tree, in order."""
    pending, before = [mapped(node)], "\n"
    while pending:
        node = pending.pop()
        if isinstance(node.get("text"), str):
            if node.get("lineBreakBefore") is True and not before.endswith("\n"):
                yield "\n"
            yield node["text"]
            before = node["text"] or before
        pending += reversed([mapped(child) for child in listed(node.get("children"))])
