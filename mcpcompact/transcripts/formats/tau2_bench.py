"""Results of tau2-bench: simulations of an agent and a user. What the user's own tools answer, the agent never sees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, Document, Place, Reader, Transcript, mapped, objects
from mcpcompact.transcripts.chat import say, usage_of


class Format(Reader):
    keys = frozenset({"simulations"})
    quiet = "message of the user's tools"

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        return float(isinstance(root.get("simulations"), list) and "agent_info" in mapped(root.get("info")))

    def read(self, document: Document) -> Iterator[Transcript]:
        for at, root in document.sections():
            info = mapped(mapped(root).get("info"))
            for where, run in objects(at, root, "simulations"):
                build = Builder(self.name, document.path, f"{run.get('task_id')}/{run.get('trial')}")
                build.model(mapped(info.get("agent_info")).get("llm"))
                build.tell("system", mapped(info.get("environment_info")).get("policy"))
                for place, message in build.each(where, run, "messages"):
                    _message(build, message, place)
                yield build.transcript


def _message(build: Builder, message: dict[str, Any], at: Place) -> None:
    if isinstance(message.get("tool_messages"), list):
        for where, inner in objects(at, message, "tool_messages"):
            _message(build, inner, where)
    elif message.get("requestor") == "user" or (message.get("role") == "user" and message.get("tool_calls")):
        build.skip("message of the user's tools")
    else:
        say(build, message, at, usage=usage_of(message.get("usage")))
