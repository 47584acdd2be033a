"""Recorded MCP traffic: a JSON-RPC message a line, as it is or under ``message`` with its direction. Only tool calls
and their results reach the model. Requests of the server to the client have ids of their own.
https://modelcontextprotocol.io/specification"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mcpcompact.transcripts.builder import Builder, Document, Reader, dumped, mapped, stated, text_of
from mcpcompact.transcripts.model import Call, Place, Transcript

FROM_CLIENT = {"send", "sent", "out", "outgoing", "request", "client", "client->server", "client-to-server", "c2s", ">"}
FROM_SERVER = {"recv", "received", "in", "incoming", "response", "server", "server->client", "server-to-client"}
FROM_SERVER |= {"s2c", "<"}
DIRECTIONS = ("dir", "direction", "from", "source")
BODIES = ("message", "data", "payload", "msg")


class Format(Reader):
    keys = frozenset({"jsonrpc", *BODIES})
    quiet = (
        "init|ping|response|(?:notifications|tools|resources|prompts|roots|sampling|logging|completion|elicitation)/"
    )

    def sniff(self, document: Document) -> float:
        return 0.95 * any(_opened(line) is not None for line in document.objects)

    def read(self, document: Document) -> Iterator[Transcript]:
        build = Builder(self.name, document.path)
        server = ""
        greeting: str | None = None  # the id of the initialize request
        waiting: dict[str, Call] = {}
        for at, line in build.records(document.records()):
            opened = _opened(line)
            if opened is None:
                build.skip("record")
                continue
            message, key, from_client = opened
            id, method = repr(message.get("id")), message.get("method")  # a string or a number: different ids
            if method == "tools/call" and from_client is not False:
                params = mapped(message.get("params"))
                waiting[id] = build.call(id, params.get("name"), params.get("arguments"), server=server)
            elif isinstance(method, str):
                greeting = id if method == "initialize" else greeting
                build.skip(method)
            elif from_client is True or id not in waiting:
                about = mapped(mapped(message.get("result")).get("serverInfo"))
                server = stated(about.get("name")) if id == greeting and about else server
                build.skip("response" if from_client is not True else "response of the client")
            else:
                say_result(build, message, ("error", "result"), at.under(*key), waiting.pop(id))
        yield build.transcript


def say_result(build: Builder, message: dict[str, Any], keys: Sequence[str], at: Place, call: Call | None) -> None:
    """The answer under one of these keys: its content, its structured content when there is no other, an error's
    message, or all of it."""
    key = next((key for key in keys if message.get(key) is not None), keys[0])
    value, where = message.get(key), at.under(key)
    about, failed = mapped(value), key == "error" or mapped(value).get("isError") is True
    if "content" in about:
        value, where = about["content"], where.under("content")
    elif key == "error" and isinstance(about.get("message"), str):
        value, where = about["message"], where.under("message")
    text, places, others = text_of(value, where)
    if not text and not others and "structuredContent" in about:
        text, places = dumped(about["structuredContent"]), []
    elif not text and isinstance(value, dict):
        text, places, others = dumped(value), [], 0
    build.result("", text, places=places, failed=failed, images=others, call=call)


def _opened(line: Any) -> tuple[dict[str, Any], tuple[str, ...], bool | None] | None:
    """The JSON-RPC message in a record, the path to it, and whether the client sent it (None: not said)."""
    if not isinstance(line, dict):
        return None
    if line.get("jsonrpc") == "2.0":
        return line, (), None
    for key in BODIES:
        body = line.get(key)
        if isinstance(body, dict) and body.get("jsonrpc") == "2.0":
            words = [stated(line.get(name)).lower() for name in DIRECTIONS]
            if any(word in FROM_CLIENT for word in words):
                return body, (key,), True
            return body, (key,), False if any(word in FROM_SERVER for word in words) else None
    return None
