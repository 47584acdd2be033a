"""Answers of ToolBench: the tree that the agent searched, or its chains. Each node's prompt is what stands above it, so
a branch is forgotten when the next one begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, as_count
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
            _tree(build, top, Place(0, ("tree", "tree")))
        for index, attempt in enumerate(listed(root.get("trys"))):
            build.forget(range(start, len(build.messages)))
            tool, said = "", list[Message]()
            for place, node in enumerate(map(mapped, listed(mapped(attempt).get("chain")))):
                tool = _say(build, node, Place(0, ("trys", index, "chain", place)), tool, said)
        yield build.transcript


def _tree(build: Builder, top: dict[str, Any], at: Place) -> None:
    """The nodes of a tree, those below one before those beside it."""
    pending = [(top, at, "", list[Message](), len(build.messages))]
    while pending:
        node, at, tool, said, above = pending.pop()
        build.forget(range(above, len(build.messages)))
        tool, above = _say(build, node, at, tool, said), len(build.messages)
        below = enumerate(map(mapped, listed(node.get("children"))))
        pending += reversed([(child, at.under("children", n), tool, list(said), above) for n, child in below])


def _say(build: Builder, node: dict[str, Any], at: Place, tool: str, said: list[Message]) -> str:
    """Say a thought, an action or its input, which are one message (``said``); returns the tool that was chosen."""
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
            failed = as_count(node.get("observation_code")) in FAILURES
            build.result("", observation, places=[at.under("observation")], call=call, is_error=failed)
        said.clear()
    return tool


FORMAT = ToolBench()
