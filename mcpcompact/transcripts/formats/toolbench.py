"""Answers of ToolBench: the tree that the agent searched, or its chains. Each node's prompt is what stands above it, so
a branch is forgotten when the next one begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder
from mcpcompact.transcripts.chat import say
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.model import Message, Place, Transcript

FAILURES = {1, 2, 5, 8, 10, 11, 12}
"""Codes of an observation: no such tool, wrong input, time-outs, errors of the server or the key."""


class ToolBench:
    name = "toolbench"

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        return float("answer_generation" in root and ("tree" in root or "trys" in root))

    def read(self, document: Document) -> Iterator[Transcript]:
        root = mapped(document.value())
        build = Builder(self.name, document.path)
        trained = listed(mapped(root.get("answer_generation")).get("train_messages"))
        for message in listed(trained[0] if trained else None):
            if mapped(message).get("role") not in ("system", "user"):
                break
            say(build, message, None)
        start = len(build.messages)
        if top := mapped(mapped(root.get("tree")).get("tree")):
            _node(build, top, Place(0, ("tree", "tree")), "", [])
        for number, attempt in enumerate(listed(root.get("trys"))):
            build.forget(range(start, len(build.messages)))
            tool, said = "", list[Message]()
            for index, node in enumerate(map(mapped, listed(mapped(attempt).get("chain")))):
                tool = _say(build, node, Place(0, ("trys", number, "chain", index)), tool, said)
        yield build.transcript


def _node(build: Builder, node: dict[str, Any], at: Place, tool: str, said: list[Message]) -> None:
    """A node and what is below it. ``said`` is the model's message that the node above began, if it goes on."""
    tool = _say(build, node, at, tool, said)
    start = len(build.messages)
    for index, child in enumerate(listed(node.get("children"))):
        build.forget(range(start, len(build.messages)))
        _node(build, mapped(child), at.under("children", index), tool, list(said))


def _say(build: Builder, node: dict[str, Any], at: Place, tool: str, said: list[Message]) -> str:
    """Say a thought, an action or its input, which are one message; returns the tool that was chosen."""
    kind, text = node.get("node_type"), stated(node.get("description"))
    if kind not in ("Thought", "Action", "Action Input") or not text:
        return tool
    build.here = at
    if not said or build.messages[-1] is not said[-1]:
        said[:] = [build.say("assistant")]
    if kind == "Thought":
        said[-1].text = text
    elif kind == "Action":
        return text
    else:
        call = build.call("", tool, text, message=said[-1])
        observation = node.get("observation")
        if isinstance(observation, str) and observation:
            failed = node.get("observation_code") in FAILURES
            build.result("", observation, places=[at.under("observation")], call=call, is_error=failed)
        said.clear()
    return tool


FORMAT = ToolBench()
