"""Answers of ToolBench: the tree that the agent searched, or its chains. Each node's prompt is what stands above it, so
a branch is forgotten when the next one begins."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.builder import Builder, Document, Lines, as_count, listed, mapped, objects, stated
from mcpcompact.transcripts.chat import say
from mcpcompact.transcripts.model import Message, Place

FAILURES = {1, 2, 5, 8, 10, 11, 12}  # codes: no such tool, wrong input, time-outs, errors of the server or the key


class Format(Lines):
    keys = frozenset({"answer_generation"})

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        return float("answer_generation" in root and ("tree" in root or "trys" in root))

    def record(self, build: Builder, line: dict[str, Any], at: Place) -> None:
        trained = listed(mapped(line.get("answer_generation")).get("train_messages"))
        for message in listed(trained[0] if trained else None):
            if mapped(message).get("role") not in ("system", "user"):
                break
            say(build, message)
        start = len(build.messages)
        if top := mapped(mapped(line.get("tree")).get("tree")):
            _tree(build, top, at.under("tree", "tree"))
        for where, attempt in objects(at, line, "trys"):
            build.forget(range(start, len(build.messages)))
            tool, messages = "", list[Message]()
            for place, node in objects(where, attempt, "chain"):
                tool = _say(build, node, place, tool, messages)


def _tree(build: Builder, top: dict[str, Any], at: Place) -> None:
    """The nodes of a tree, those below one before those beside it."""
    pending = [(top, at, "", list[Message](), len(build.messages))]
    while pending:
        node, at, tool, messages, above = pending.pop()
        build.forget(range(above, len(build.messages)))
        tool, above = _say(build, node, at, tool, messages), len(build.messages)
        below = [(child, where, tool, list(messages), above) for where, child in objects(at, node, "children")]
        pending += reversed(below)


def _say(build: Builder, node: dict[str, Any], at: Place, tool: str, messages: list[Message]) -> str:
    """Say a thought, an action or its input, which are one message (``messages``); returns the tool that was chosen."""
    kind, text = node.get("node_type"), stated(node.get("description"))
    if kind not in ("Thought", "Action", "Action Input") or not text:
        return tool
    build.here = at
    if not messages or build.messages[-1] is not messages[-1]:
        messages[:] = [build.say("assistant")]
    if kind == "Thought":
        messages[-1].text = text
    elif kind == "Action":
        return text
    else:
        call = build.call("", tool, text, message=messages[-1])
        observation = node.get("observation")
        if isinstance(observation, str) and observation:
            failed = as_count(node.get("observation_code")) in FAILURES
            build.answer("", observation, at.under("observation"), call=call, failed=failed)
        messages.clear()
    return tool
