"""Results of tau2-bench: simulations of an agent and a user. What the user's own tools answer, the agent never sees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.transcripts.builder import Builder
from mcpcompact.transcripts.chat import say, usage_of
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.model import Place, Transcript


class Tau2Bench:
    name = "tau2_bench"
    quiet = regex("message of the user's tools")

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        return float(isinstance(root.get("simulations"), list) and "agent_info" in mapped(root.get("info")))

    def read(self, document: Document) -> Iterator[Transcript]:
        root = mapped(document.value())
        info = mapped(root.get("info"))
        for index, run in enumerate(map(mapped, listed(root.get("simulations")))):
            build = Builder(self.name, document.path, f"{run.get('task_id')}/{run.get('trial')}")
            build.transcript.model = stated(mapped(info.get("agent_info")).get("llm"))
            if policy := stated(mapped(info.get("environment_info")).get("policy")):
                build.say("system", policy)
            for number, message in enumerate(map(mapped, listed(run.get("messages")))):
                _message(build, message, Place(0, ("simulations", index, "messages", number)))
            yield build.transcript


def _message(build: Builder, message: dict[str, Any], at: Place) -> None:
    several = message.get("tool_messages")
    if isinstance(several, list):
        for number, inner in enumerate(map(mapped, several)):
            _message(build, inner, at.under("tool_messages", number))
    elif message.get("requestor") == "user" or (message.get("role") == "user" and message.get("tool_calls")):
        build.skip("message of the user's tools")
    else:
        say(build, message, at, usage=usage_of(message.get("usage")))


FORMAT = Tau2Bench()
