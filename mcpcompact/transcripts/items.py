"""Items of the OpenAI Responses API, which its dumps, the histories of its SDKs and the Codex CLI's rollouts hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcpcompact.transcripts.builder import NOWHERE, Builder, Message, Place, dumped, stated, text_of
from mcpcompact.transcripts.chat import role_of

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
