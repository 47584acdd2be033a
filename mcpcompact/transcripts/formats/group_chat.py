"""Group chats of agents without tool-call objects: what AutoGen's and Magentic-One's histories share.

Some speakers are tools (a terminal, a web surfer). What such a one says is the result; the message before it is the
call, with the code block or the request in it as arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.transcripts.builder import Builder, text_of
from mcpcompact.transcripts.chat import FENCED
from mcpcompact.transcripts.document import Document, listed, mapped
from mcpcompact.transcripts.model import Call, Place

TOOLS = {"computerterminal", "websurfer", "filesurfer", "multimodalwebsurfer", "codeexecutor", "executor"}
"""Speakers that are tools, without case and underscores."""

FAILED = regex(r"\s*(?:exitcode: (?!0\b)|The script ran, then exited with an error)", 2)  # IGNORECASE


def is_history(document: Document) -> list[dict[str, Any]]:
    """The messages of a group chat with what its data set says of it; none when the file is no such thing."""
    root = mapped(document.root)
    about = {"question", "ground_truth", "mistake_agent", "mistake_step", "is_correct"} & root.keys()
    history = [message for message in listed(root.get("history"))[:8] if isinstance(message, dict)]
    return history if about and any("role" in message and "content" in message for message in history) else []


def read_history(build: Builder, document: Document, speaker: Callable[[dict[str, Any]], str]) -> None:
    """Say the history. ``speaker`` names who speaks; "" is the person."""
    root = mapped(document.value())
    history = listed(root.get("history"))
    for index, message in enumerate(history):
        if not isinstance(message, dict):
            build.skip(type(message).__name__)
            continue
        name = speaker(message)
        text, places, images = text_of(message.get("content"), Place(0, ("history", index, "content")))
        if is_tool(name):
            _result(build, name, text, places, images)
        elif not name or (index == 0 and not any(is_tool(speaker(mapped(m))) for m in history[1:2])):
            build.say("user", text, places=places)
        else:
            build.say("assistant", text, places=places)


def is_tool(speaker: str) -> bool:
    return speaker.replace("_", "").replace(" ", "").lower() in TOOLS


def _result(build: Builder, tool: str, text: str, places: list[Place], images: int) -> None:
    last = build.messages[-1] if build.messages else None
    if last is not None and last.role == "assistant":
        code = "".join(match[2] for match in FENCED.finditer(last.text))  # all of its blocks are run
        made = build.call("", tool, {"code": code} if code else {"input": last.text})
    else:  # the person, or another tool's answer: nobody's call
        made = Call("", tool, {"input": last.text} if last is not None and last.role == "user" else {})
    build.result("", text, places=places, images=images, is_error=FAILED.match(text) is not None, call=made)
