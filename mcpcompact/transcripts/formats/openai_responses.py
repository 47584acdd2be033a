"""Dumps of the OpenAI Responses API: a list of items instead of messages.

Consecutive items of the model (text, calls) are one message. Tools that the provider runs itself (``mcp_call``,
``web_search_call`` …) answer within it. A request may name an earlier response instead of repeating it.
https://platform.openai.com/docs/api-reference/responses
"""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts import exchanges
from mcpcompact.transcripts.builder import Builder, dumped, text_of
from mcpcompact.transcripts.chat import role_of, usage_of
from mcpcompact.transcripts.document import listed, mapped, stated
from mcpcompact.transcripts.model import NOWHERE, Message, Place, Usage

CALLS = {
    **dict.fromkeys(("function_call", "tool_search_call"), "arguments"),
    **dict.fromkeys(("local_shell_call", "shell_call", "computer_call"), "action"),
    "custom_tool_call": "input",
    "apply_patch_call": "operation",
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


class Format(exchanges.Dump):
    chained = True

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
        if isinstance(request.get("input"), str):
            build.say("user", request["input"])
        self.items(build, request.get("input"), at.under("input"))

    def body(self, response: Any) -> dict[str, Any]:
        if isinstance(response, str):
            return _assembled(response)
        return mapped(response) if isinstance(mapped(response).get("output"), list) else {}

    def response(self, build: Builder, body: dict[str, Any], at: Place) -> None:
        before = len(build.messages)
        self.items(build, body.get("output"), at.under("output"))
        if len(build.messages) == before:
            build.say("assistant")

    def usage(self, body: dict[str, Any]) -> Usage | None:
        return usage_of(body.get("usage"))

    def items(self, build: Builder, items: Any, at: Place) -> None:
        within = False  # one message of the model: what it says, calls, and is answered by the provider
        for index, item in enumerate(listed(items)):
            build.here = where = at.under(index)
            item = {"content": item} if isinstance(item, str) else mapped(item)
            kind, hosted = stated(item.get("type")), item.get("execution") == "server"
            if kind == "reasoning":
                continue
            if kind in ("", "message") and "content" in item:
                role = role_of(item)
                if role != "assistant":
                    build.hear(role, item["content"], where.under("content"))
                    within = False
                    continue
                _part(build, within).text += text_of(item["content"])[0]
            elif kind in CALLS:
                message, tool, given = _part(build, within), item.get("name"), item.get(CALLS[kind])
                server, hosted = stated(item.get("namespace")), hosted and not _found(items[index + 1 :])
                tool = tool or kind.removesuffix("_call")
                build.call(item.get("call_id"), tool, given, server=server, hosted=hosted, message=message)
            elif kind in HOSTED:
                _part(build, within)
                _hosted(build, item, kind, where)
            elif kind.endswith("_output"):
                _answer(build, item, where)
                within = hosted
                continue
            else:
                build.skip(f"item {kind}")
                continue
            within = True


def _found(later: list[Any]) -> bool:
    """Whether a search for tools that the provider made is answered; requests that repeat it leave the answer out."""
    answers = (item for item in map(mapped, later) if item.get("type") == "tool_search_output")
    return any(item.get("execution") == "server" for item in answers)


def _part(build: Builder, within: bool) -> Message:
    """The assistant message that an item belongs to: a new one, or the rest of one that was answered within."""
    return (build.speaking if within else None) or build.say("assistant", continues=within)


def _hosted(build: Builder, item: dict[str, Any], kind: str, at: Place) -> None:
    given, answered = HOSTED[kind]
    error, server = item.get("error"), stated(item.get("server_label"))
    value = error or (item.get(answered) if answered else None)
    tool = item.get("name") or kind.removesuffix("_call")
    call = build.call(item.get("id"), tool, item.get(given), server=server, hosted=value is None)
    if value is None:
        return
    where = at.under("error" if error else answered)
    if not isinstance(value, str) and not text_of(value)[0]:
        value, where = dumped(value), NOWHERE
    build.answer("", value, where, failed=bool(error), call=call)


def _answer(build: Builder, item: dict[str, Any], at: Place) -> None:
    output, where = item.get("output"), at.under("output")
    if "output" not in item and isinstance(item.get("tools"), list):  # the tools that a search found
        output, where = dumped(item["tools"]), NOWHERE
    elif isinstance(output, dict) and output.get("type") != "computer_screenshot" and not text_of(output)[0]:
        output, where = dumped(output), NOWHERE
    build.answer(item.get("call_id"), output, where, failed=item.get("status") in ("failed", "incomplete"))


def _assembled(stream: str) -> dict[str, Any]:
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
