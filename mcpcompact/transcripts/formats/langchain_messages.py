"""Messages as LangChain serialises them: by ``dumps`` (constructors), or by ``messages_to_dict`` (type and data)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, text_of
from mcpcompact.transcripts.chat import number, say, usage_of
from mcpcompact.transcripts.document import Document, mapped, stated
from mcpcompact.transcripts.model import Place, Transcript, Usage

ROLES = {
    "human": "user",
    "chat": "user",
    "system": "system",
    "ai": "assistant",
    "aimessagechunk": "assistant",
    "tool": "tool",
    "function": "tool",
}


class LangChainMessages:
    name = "langchain_messages"

    def sniff(self, document: Document) -> float:
        lists = _lists(document.root, Place(0, ())) if not document.is_lines else []
        found = [message for messages, _ in lists for message in messages[:4]] or [document.root]
        return float(any(_opened(message) is not None for message in found))

    def read(self, document: Document) -> Iterator[Transcript]:
        if document.is_lines:
            build = Builder(self.name, document.path)
            found: list[Transcript] = []
            for record, line in document.lines():
                if _opened(line) is not None:
                    self._message(build, line, Place(record, ()))
                    continue
                for messages, at in _lists(line, Place(record, ())):
                    found.append(self._transcript(document, messages, at, str(record + 1)))
            yield from found
            if build.messages:
                yield build.transcript
            return
        lists = _lists(document.value(), Place(0, ()))
        for index, (messages, at) in enumerate(lists, 1):
            yield self._transcript(document, messages, at, str(index) if len(lists) > 1 else "")

    def _transcript(self, document: Document, messages: list[Any], at: Place, name: str) -> Transcript:
        build = Builder(self.name, document.path, name)
        for index, message in enumerate(messages):
            self._message(build, message, at.under(index))
        return build.transcript

    def _message(self, build: Builder, message: Any, at: Place) -> None:
        opened = _opened(message)
        if opened is None:
            build.skip(mapped(message).get("type") or type(message).__name__)
            return
        role, body, key = opened
        build.here = at
        content, where = body.get("content"), at.under(key, "content")
        if role == "tool":
            text, places, others = text_of(content, where)
            failed = body.get("status") == "error"
            tool = stated(body.get("name"))
            build.result(body.get("tool_call_id"), text, places=places, tool=tool, is_error=failed, images=others)
        elif role == "assistant":
            extra = mapped(body.get("additional_kwargs"))
            about = mapped(body.get("response_metadata"))
            calls = body.get("tool_calls") or extra.get("tool_calls")
            model = stated(about.get("model_name")) or stated(about.get("model"))
            build.transcript.model = model or build.transcript.model
            spoken = {"role": "assistant", "content": content, "tool_calls": calls}
            usage = _usage(body.get("usage_metadata")) or usage_of(about.get("token_usage"))
            say(build, spoken | {"function_call": extra.get("function_call")}, None, usage=usage)
        else:
            text, places, _ = text_of(content, where)
            build.say("system" if role == "system" else "user", text, places=places)


def _lists(value: Any, at: Place) -> list[tuple[list[Any], Place]]:
    """The lists of messages in a value: itself, or under ``messages``, of one or of many."""
    if isinstance(value, dict):
        return [(value["messages"], at.under("messages"))] if isinstance(value.get("messages"), list) else []
    if not isinstance(value, list):
        return []
    if any(_opened(message) is not None for message in value[:4]):
        return [(value, at)]
    inner = ((mapped(v).get("messages"), at.under(n, "messages")) for n, v in enumerate(value))
    return [(messages, where) for messages, where in inner if isinstance(messages, list)]


def _opened(message: Any) -> tuple[str, dict[str, Any], str] | None:
    """The role, the body and the body's key of a serialised message."""
    message = mapped(message)
    ids = message.get("id")
    if message.get("lc") is not None and isinstance(ids, list) and ids and isinstance(message.get("kwargs"), dict):
        body = message["kwargs"]
        kind = stated(ids[-1]).lower().removesuffix("chunk").removesuffix("message")
        role = ROLES.get(stated(body.get("type")).lower()) or ROLES.get(kind)
        return (role, body, "kwargs") if role else None
    if isinstance(message.get("data"), dict) and "content" in message["data"]:
        role = ROLES.get(stated(message.get("type")).lower())
        return (role, message["data"], "data") if role else None
    return None


def _usage(value: Any) -> Usage | None:
    """Its ``input_tokens`` include what was cached and written."""
    value = mapped(value)
    details = mapped(value.get("input_token_details"))
    cached, written = number(details.get("cache_read")), number(details.get("cache_creation"))
    prompt = number(value.get("input_tokens"))
    output = number(value.get("output_tokens"))
    return Usage(max(0, prompt - cached - written), cached, written, output) if prompt or output else None


FORMAT = LangChainMessages()
