"""Dumps of the OpenAI Responses API: a list of items instead of messages.

Consecutive items of the model (text, calls) are one message. Tools that the provider runs itself (``mcp_call``,
``web_search_call`` …) answer within it. A request may name an earlier response instead of repeating it.
https://platform.openai.com/docs/api-reference/responses
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts import exchanges
from mcpcompact.transcripts.builder import Builder, text_of
from mcpcompact.transcripts.chat import dumped, role_of, usage_of
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.model import Call, Place, Transcript, Usage

CALLS = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "local_shell_call": "action",
    "shell_call": "action",
    "computer_call": "action",
    "apply_patch_call": "operation",
    "tool_search_call": "arguments",
}
"""Calls that the client answers by an item of its own, and where their arguments stand."""

HOSTED = {
    "mcp_call": ("arguments", "output"),
    "web_search_call": ("action", "results"),
    "file_search_call": ("queries", "results"),
    "code_interpreter_call": ("code", "outputs"),
    "image_generation_call": ("prompt", ""),
}
"""Calls that the provider answers itself, where their arguments stand and where their answer."""


class OpenAIResponses:
    name = "openai_responses"

    def sniff(self, document: Document) -> float:
        return exchanges.sniff(document, self.name)

    def read(self, document: Document) -> Iterator[Transcript]:
        yield from exchanges.conversations(document)

    def speaks(self, request: dict[str, Any], uri: str) -> bool:
        if "/embeddings" in uri or "/moderations" in uri or "/audio/" in uri:
            return False
        return isinstance(request.get("input"), list) or ("/responses" in uri and isinstance(request.get("input"), str))

    def follows(self, request: dict[str, Any]) -> str:
        """The id of the response that this request goes on from without repeating it."""
        return stated(request.get("previous_response_id"))

    def request(self, build: Builder, request: dict[str, Any], at: Place) -> None:
        build.transcript.model = stated(request.get("model"))
        instructions = stated(request.get("instructions"))
        if instructions and not any(m.role == "system" and m.text == instructions for m in build.messages):
            build.say("system", instructions)
        if isinstance(request.get("input"), str):
            build.say("user", request["input"])
        self._items(build, request.get("input"), at.under("input"))

    def body(self, response: Any) -> dict[str, Any]:
        if isinstance(response, str):
            return _assembled(response)
        return mapped(response) if isinstance(mapped(response).get("output"), list) else {}

    def response(self, build: Builder, body: dict[str, Any], at: Place | None) -> None:
        before = len(build.messages)
        self._items(build, body.get("output"), at.under("output") if at else None)
        if len(build.messages) == before:
            build.say("assistant")

    def usage(self, body: dict[str, Any]) -> Usage | None:
        return usage_of(body.get("usage"))

    def _items(self, build: Builder, items: Any, at: Place | None) -> None:
        within = False  # one message of the model: what it says, calls, and is answered by the provider
        for index, item in enumerate(listed(items)):
            where = at.under(index) if at else None
            item = {"content": item} if isinstance(item, str) else mapped(item)
            kind = stated(item.get("type"))
            if kind == "reasoning":
                continue
            if kind in ("", "message") and "content" in item:
                role = role_of(item) or "user"
                text, places, _ = text_of(item.get("content"), where.under("content") if where else None)
                if role != "assistant":
                    build.say("system" if role == "system" else "user", text, places=places)
                    within = False
                    continue
                _part(build, within).text += text
            elif kind in CALLS:
                message = _part(build, within)
                tool = item.get("name") or kind.removesuffix("_call")
                server = stated(item.get("namespace"))
                given = item.get(CALLS[kind])
                hosted = item.get("execution") == "server" and not _found(items[index + 1 :])
                build.call(item.get("call_id"), tool, given, server=server, hosted=hosted, message=message)
            elif kind in HOSTED:
                _part(build, within)
                _hosted(build, item, kind, where)
            elif kind == "tool_search_output" or kind.endswith("_output"):
                _answer(build, item, where)
                if item.get("execution") != "server":
                    within = False
                    continue
            else:
                build.skip(f"item {kind}")
                continue
            within = True


def _found(later: list[Any]) -> bool:
    """Whether a search for tools that the provider made is answered; requests that repeat it leave the answer out."""
    return any(
        mapped(item).get("type") == "tool_search_output" and mapped(item).get("execution") == "server" for item in later
    )


def _part(build: Builder, within: bool) -> Any:
    """The assistant message that an item belongs to: a new one, or the rest of one that was answered within."""
    if within and build.messages and build.messages[-1].role == "assistant":
        return build.messages[-1]
    return build.say("assistant", continues=within)


def _hosted(build: Builder, item: dict[str, Any], kind: str, at: Place | None) -> None:
    given, answered = HOSTED[kind]
    server = stated(item.get("server_label"))
    answer = item.get(answered) if answered else None
    error = item.get("error")
    tool = item.get("name") or kind.removesuffix("_call")
    made: Call = build.call(item.get("id"), tool, item.get(given), server=server, hosted=answer is None and not error)
    if answer is None and not error:
        return
    key = "error" if error else answered
    value = error or answer
    text, places, others = text_of(value, at.under(key) if at else None)
    if not text and not isinstance(value, str):
        text, places, others = dumped(value), [], 0
    build.result("", text, places=places, is_error=bool(error), images=others, call=made)


def _answer(build: Builder, item: dict[str, Any], at: Place | None) -> None:
    output = item.get("output")
    text, places, others = text_of(output, at.under("output") if at else None)
    if "output" not in item and isinstance(item.get("tools"), list):  # the tools that a search found
        text, places = dumped(item["tools"]), []
    elif isinstance(output, dict) and not text and output.get("type") != "computer_screenshot":
        text, places, others = dumped(output), [], 0
    failed = item.get("status") in ("failed", "incomplete")
    build.result(item.get("call_id"), text, places=places, images=others, is_error=failed)


def _assembled(stream: str) -> dict[str, Any]:
    """The response that a stream of events ends with; of one that is cut off, the items that were done."""
    items: list[dict[str, Any]] = []
    for event in exchanges.events(stream):
        kind = stated(event.get("type"))
        if kind in ("response.completed", "response.incomplete", "response.failed"):
            body = mapped(event.get("response"))
            if listed(body.get("output")) or not items:
                return body if isinstance(body.get("output"), list) else {}
            return body | {"output": items}
        if kind == "response.output_item.done" and isinstance(event.get("item"), dict):
            items.append(event["item"])
    return {"output": items} if items else {}


FORMAT = DIALECT = OpenAIResponses()
