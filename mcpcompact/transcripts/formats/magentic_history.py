"""Group chats of agents without tool-call objects: runs of Magentic-One, a list alone or as the Who&When data set holds
it (the speaker stands under ``role``), and what AutoGen's histories share with them. Some speakers are tools (a
terminal, a web surfer). What such a one says is the result; the last message to it by name (``Orchestrator (->
WebSurfer)``), else the one before it, is the call, its code block or its text the arguments."""

from __future__ import annotations

from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.transcripts.builder import FEW, Builder, Document, Reader, listed, mapped, stated, text_of
from mcpcompact.transcripts.chat import FENCED
from mcpcompact.transcripts.model import Call, Message, Place

TOOLS = {"computerterminal", "websurfer", "filesurfer", "multimodalwebsurfer", "codeexecutor", "executor"}
"""Speakers that are tools, without case and underscores."""

TO = regex(r"\(-> *(\w+)\)")
MAGENTIC = regex(r"\w+ \((?:-> *\w+|thought|termination condition)\)")  # the speakers of which only Magentic-One writes

FAILED = regex(r"\s*(?:exitcode: (?!0\b)|The script ran, then exited with an error)", 2)  # IGNORECASE


class Format(Reader):
    keys = frozenset({"history", "role"})

    def sniff(self, document: Document) -> float:
        return 0.9 * any(isinstance(message.get("role"), str) for message in is_history(document))

    def session(self, build: Builder, value: Any, at: Place) -> None:
        """Say the history, in which a message is known by its speaker."""
        history, path = _history(value)
        led = not any(is_tool(self.speaker(mapped(m))) for m in history[1:2])  # the first to speak asks
        requests: dict[str, Message] = {}  # of each tool, the last message to it that it has not answered
        for where, message in build.each(at.under(*path), history):
            name = self.speaker(message)
            text, places, images = text_of(message.get("content"), where.under("content"))
            if is_tool(name):
                _result(build, name, text, places, images, requests.pop(_plain(name), None))
            elif not name or (led and message is history[0]):
                build.say("user", text, places=places)
            else:
                reply = build.say("assistant", text, places=places)
                if to := TO.search(name):
                    requests[_plain(to[1])] = reply

    def speaker(self, message: dict[str, Any]) -> str:
        """Who speaks; "" is the person."""
        role = stated(message.get("role"))
        return "" if role.lower() in ("human", "user") else role


def is_history(document: Document) -> list[dict[str, Any]]:
    """The first messages of a group chat, alone or with what its data set says of it; none when it is no such thing."""
    root = document.root
    about = {"question", "ground_truth", "mistake_agent", "mistake_step", "is_correct"} & mapped(root).keys()
    history = [message for message in _history(root)[0][:FEW] if isinstance(message, dict)]
    known = about or any(MAGENTIC.fullmatch(stated(message.get("role"))) for message in history)
    return history if known and any("role" in message and "content" in message for message in history) else []


def _history(root: Any) -> tuple[list[Any], tuple[str, ...]]:
    """The messages, and the path to them."""
    return (root, ()) if isinstance(root, list) else (listed(mapped(root).get("history")), ("history",))


def is_tool(speaker: str) -> bool:
    """Whether a speaker is a tool."""
    return _plain(speaker) in TOOLS


def _plain(speaker: str) -> str:
    return speaker.replace("_", "").replace(" ", "").lower()


def _result(build: Builder, tool: str, text: str, places: list[Place], images: int, request: Message | None) -> None:
    last = request or (build.messages[-1] if build.messages else None)
    if last is not None and last.role == "assistant":
        code = "".join(match[2] for match in FENCED.finditer(last.text))  # all of its blocks are run
        call = build.call("", tool, {"code": code} if code else {"input": last.text}, message=last)
    else:  # the person, or another tool's answer: nobody's call
        call = Call("", tool, {"input": last.text} if last is not None and last.role == "user" else {})
    build.result("", text, places=places, images=images, failed=FAILED.match(text) is not None, call=call)
