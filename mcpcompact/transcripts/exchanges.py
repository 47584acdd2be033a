"""Dumps of API exchanges: a JSON line a request with its response, each request repeating what went before.

A conversation is the largest request of those that continue each other, and its response. ``DIALECTS`` are the APIs
that a dump may speak; one dump may speak several, and hold several conversations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import unquote

from mcpcompact.patterns import regex
from mcpcompact.transcripts.blocks import say, told
from mcpcompact.transcripts.builder import Builder, Document, mapped, parse, text_of
from mcpcompact.transcripts.chat import usage_of
from mcpcompact.transcripts.conversations import Conversations
from mcpcompact.transcripts.model import NOWHERE, Message, Place, Transcript, Usage
from mcpcompact.transcripts.read import load

MODEL = regex(r"/models?/([^/:?]+)")
ASKED = {"messages", "input", "contents", "prompt"}  # one of which the body of a request to any provider's model has

DIALECTS = ["anthropic_messages", "gemini_api", "bedrock_converse", "openai_responses", "openai_chat_api"]
"""Formats that are a ``Dump``, the more specific first."""


class Dump(Conversations):
    """One provider's API, as the dialect of a dump and as the format of a file that holds its requests. Nothing here
    raises, whatever the bodies hold."""

    keys = frozenset({"request"})
    quiet = "exchange|item (?:mcp_list_tools|mcp_approval|additional_tools|item_reference)"
    holds = ""  # the list that a response has
    tokens = staticmethod(usage_of)
    chained = False  # whether a request may go on from an earlier response without repeating it

    def sniff(self, document: Document) -> float:
        """How sure this is a dump whose first exchange is of that dialect."""
        dialect = next(filter(None, map(dialect_of, document.some)), None)
        return float(dialect is not None and dialect.name == self.name)

    def read(self, document: Document) -> Iterator[Transcript]:
        yield from conversations(document) if any(map(dialect_of, document.some)) else self.bare(document)

    def bare(self, document: Document) -> Iterator[Transcript]:
        """The conversations of requests without a dump around them."""
        return super().read(document)

    def session(self, build: Builder, value: Any, at: Place) -> None:
        self.request(build, mapped(value), at)

    def speaks(self, request: dict[str, Any], uri: str) -> bool:
        """Whether this is a request to the API's model (not to its file store, say)."""
        raise NotImplementedError

    def follows(self, request: dict[str, Any]) -> str:
        """The id of the response that a request goes on from; "" for none."""
        return ""

    def request(self, build: Builder, request: dict[str, Any], at: Place) -> None:
        """Say the system prompt and the messages of a request, which stands at ``at``."""
        self.about(build, request)
        for where, message in build.each(at, request, "messages"):
            self.message(build, message, where)

    def about(self, build: Builder, request: dict[str, Any]) -> None:
        """Say what a request tells beside its messages."""
        build.model(request.get("model"), request.get("modelId"))
        build.tell("system", text_of(request.get("system"))[0])

    def message(self, build: Builder, message: dict[str, Any], at: Place) -> None:
        say(build, told(message, at), usage=self.tokens(message.get("usage")), kind=message.get("role"))

    def body(self, response: Any) -> dict[str, Any]:
        """The response as one object, put together when it was streamed; empty when it is an error."""
        if isinstance(response, str):
            return self.assembled(response)
        return response if isinstance(mapped(response).get(self.holds), list) else {}

    def assembled(self, stream: str) -> dict[str, Any]:
        """The response that a stream of events builds up."""
        return {}

    def response(self, build: Builder, body: dict[str, Any], at: Place) -> None:
        """Say what a response holds. ``at`` is nowhere when it was put together from a stream."""
        build.here = at
        self.message(build, body | {"role": "assistant", "usage": None}, at)

    def usage(self, body: dict[str, Any]) -> Usage | None:
        """The tokens of this exchange."""
        return self.tokens(body.get("usage"))


class _Step(NamedTuple):
    """An exchange that later ones may follow."""

    request: dict[str, Any]
    at: Place
    body: dict[str, Any]
    answered_at: Place


class _Conversation:
    """Exchanges that continue each other. ``build`` holds the messages of the latest request."""

    def __init__(self, dialect: Dump) -> None:
        self.dialect = dialect
        self.signature: list[object] = []
        self.answers: list[tuple[int, Usage | None]] = []  # messages of each request, without the system's; its usage
        self.answered = False
        self.places: list[list[list[Place]]] = []  # of each result so far, where each request repeats it

    def continues(self, dialect: Dump, signature: list[object]) -> bool:
        have = len(self.signature)
        longer = len(signature) > have or (len(signature) == have and not self.answered)
        return dialect is self.dialect and longer and signature[:have] == self.signature

    def add(self, build: Builder, signature: list[object], body: dict[str, Any], at: Place) -> None:
        self.build, self.signature, self.last, self.at = build, signature, body, at
        self.answered = bool(body)
        for known, result in zip(self.places, build.transcript.results, strict=False):
            known.append(list(result.places))
        self.places += [[list(result.places)] for result in build.transcript.results[len(self.places) :]]
        self.answers.append((len(signature), self.dialect.usage(body) if body else None))

    def transcript(self) -> Transcript:
        build = self.build
        for result, known in zip(build.transcript.results, self.places, strict=False):
            result.copies = [places for places in known[:-1] if places]
        if self.last:
            self.dialect.response(build, self.last, self.at)
        for message in build.messages:
            message.at = None  # each request says it again
        spoken = [message for message in build.messages if message.role != "system"]
        for after, usage in self.answers:
            if usage and after < len(spoken) and spoken[after].role == "assistant":
                spoken[after].usage = usage
        return build.transcript


def dialect_of(line: object) -> Dump | None:
    """The API that an exchange (``{"request": …, "response": …}``) speaks; None when it is no exchange with a model."""
    if not isinstance(line, dict) or not isinstance(line.get("request"), dict):
        return None
    uri = str(line.get("uri") or line.get("url") or "")
    return next((d for d in map(load, DIALECTS) if isinstance(d, Dump) and d.speaks(line["request"], uri)), None)


def conversations(document: Document) -> Iterator[Transcript]:
    """The conversations of a dump, in the order in which they begin."""
    conversations: list[_Conversation] = []
    chains: dict[str, list[_Step]] = {}  # by the id of the last response
    skipped: Counter[str] = Counter()
    for at, line in document.records():
        spoken = dialect_of(line)
        if spoken is None:
            skipped[_kind(line)] += 1
            continue
        build = Builder(spoken.name, document.path)
        answer = line.get("response")
        answered_at = at.under("response") if isinstance(answer, dict) else NOWHERE
        step = _Step(line["request"], at.under("request"), spoken.body(answer), answered_at)
        earlier = chains.get(spoken.follows(step.request), [])
        for before in earlier:
            spoken.request(build, before.request, before.at)
            spoken.response(build, before.body, before.answered_at)
        spoken.request(build, step.request, step.at)
        build.transcript.model = build.transcript.model or _model_in(line)
        if isinstance(step.body.get("id"), str) and spoken.chained:
            chains[step.body["id"]] = [*earlier, step]
        signature = [_signature(message) for message in build.messages if message.role != "system"]
        known = next((c for c in reversed(conversations) if c.continues(spoken, signature)), None)
        if known is None:
            known = _Conversation(spoken)
            conversations.append(known)
        known.add(build, signature, step.body, answered_at)
    for number, conversation in enumerate(conversations, 1):
        transcript = conversation.transcript()
        if number == 1:
            transcript.skipped.update(skipped)
        if len(conversations) > 1:
            transcript.name = str(number)
        yield transcript


def _kind(line: Any) -> str:
    """What a record is that no dialect speaks."""
    if not isinstance(line, dict):
        return type(line).__name__
    asks = ASKED & mapped(line.get("request")).keys()
    return "request to an unknown API" if asks else f"exchange {line.get('method') or ''}".strip()


def _model_in(line: dict[str, Any]) -> str:
    """The model that the address names (Bedrock, Gemini)."""
    match = MODEL.search(str(line.get("uri") or line.get("url") or ""))
    return unquote(match[1]) if match else ""


def _signature(message: Message) -> object:
    """What makes a message the same in a later request: not what a tool answered, for that may be rewritten."""
    if message.result is not None:
        return "tool", message.result.tool
    return message.role, message.text, tuple((call.id, call.tool) for call in message.calls)


def events(stream: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of server-sent events."""
    for line in stream.split("\n"):
        if line.startswith("data:"):
            value = parse(line[5:].strip())
            if isinstance(value, dict):
                yield value
