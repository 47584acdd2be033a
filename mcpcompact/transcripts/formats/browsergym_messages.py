"""Steps of web agents in BrowserGym: a prompt with the page as its accessibility tree, and the action as ``output``.

Each step is a prompt of its own: what a page showed is not sent again in the next step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.transcripts.builder import Builder, text_of
from mcpcompact.transcripts.chat import role_of
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.model import Call, Place, Transcript

ACTION = regex(r"\b([a-z_]{2,40})\(([^\n]*)")
TOOL = "browser"


class BrowserGym:
    name = "browsergym_messages"

    def sniff(self, document: Document) -> float:
        root = document.root
        return 0.9 * _is_step(root[0] if isinstance(root, list) and root else root)

    def read(self, document: Document) -> Iterator[Transcript]:
        if document.is_lines:
            steps = [(Place(number, ()), line) for number, line in document.lines()]
        else:
            value = document.value()
            whole = Place(0, ())
            steps = [(whole.under(n), v) for n, v in enumerate(value)] if isinstance(value, list) else [(whole, value)]
        build = Builder(self.name, document.path)
        asked: Call | None = None
        for at, step in steps:
            if not _is_step(step):
                build.skip("record")
                continue
            build.forget(range(len(build.messages)))
            for index, message in enumerate(map(mapped, step["messages"])):
                text, places, images = text_of(message.get("content"), at.under("messages", index, "content"))
                role = role_of(message)
                if role == "user":
                    build.result("", text, places=places, images=images, call=asked or Call("", TOOL))
                    asked = None
                elif role:
                    build.say("assistant" if role == "assistant" else "system", text, places=places)
            output = text_of(step.get("output"))[0]
            build.say("assistant", output)
            found = ACTION.search(output)
            if found and len(steps) > 1:
                asked = build.call("", TOOL, {"action": found[1], "input": found[2].rpartition(")")[0]})
        yield build.transcript


def _is_step(value: Any) -> bool:
    step = mapped(value)
    messages = [mapped(message) for message in listed(step.get("messages"))]
    roles = [stated(message.get("role")) for message in messages]
    return "output" in step and "user" in roles and not any("tool_calls" in message for message in messages)


FORMAT = BrowserGym()
