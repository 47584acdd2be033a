"""Dumps of the OpenAI Responses API: a list of items instead of messages. Consecutive items of the model (text, calls)
are one message. Tools that the provider runs itself (``mcp_call``, ``web_search_call`` …) answer within it. A request
may name an earlier response instead of repeating it. https://platform.openai.com/docs/api-reference/responses"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcpcompact.transcripts import exchanges
from mcpcompact.transcripts.builder import NOWHERE, Builder, Message, Place, Reader, dumped, text_of
from mcpcompact.transcripts.chat import role_of
from mcpcompact.transcripts.document import listed, mapped, stated

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
        by_provider = [mapped(i).get("type") == "tool_search_output" and i.get("execution") == "server" for i in items]
        for index, item in enumerate(items):
            build.here = where = at.under(index)
            item = {"content": item} if isinstance(item, str) else mapped(item)
            kind = stated(item.get("type"))
            if kind != "reasoning" and not say(build, item, where, speak, answered=any(by_provider[index + 1 :])):
                build.skip(f"item {kind}")
            elif kind.endswith("_output"):
                within = item.get("execution") == "server"
            elif build.last and build.last.role in ("user", "system"):
                within = False


def say(
    build: Builder, item: dict[str, Any], at: Place, speak: Callable[[str], Message], *, answered: bool = False
) -> bool:
    """Say an item, unless it is of an unknown kind: then False. ``speak`` gives the model's message that goes on with
    that text; ``answered`` is whether a search for tools that the provider made has its answer in a later item."""
    kind = stated(item.get("type"))
    if kind in ("", "message") and "content" in item:
        role = role_of(item)
        if role == "assistant":
            speak(text_of(item["content"])[0])
        else:
            build.hear(role, item["content"], at.under("content"))
    elif kind in CALLS:
        message, tool, given = speak(""), item.get("name"), item.get("input", item.get(CALLS[kind]))
        id = item.get("call_id") or (item.get("id") if kind == "local_shell_call" else "")
        hosted, server = item.get("execution") == "server" and not answered, stated(item.get("namespace"))
        build.call(id, tool or kind.removesuffix("_call"), given, server, hosted, message)
    elif kind in HOSTED:
        speak("")
        _hosted(build, item, kind, at)
    elif kind.endswith("_output"):
        _answer(build, item, at)
    else:
        return False
    return True


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
