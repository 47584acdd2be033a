"""Trajectories of mini-swe-agent: a bare list of messages at first, later ``{"messages": […], "info": {…}}``.

The action is the one code block of the assistant's message, the result the user's message after it; from version 2 on
also native tool calls. https://mini-swe-agent.com/latest/usage/output_files/
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder
from mcpcompact.transcripts.chat import say, usage_of
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.model import Place, Transcript


class MiniSweAgent:
    name = "mini_swe_agent"

    def sniff(self, document: Document) -> float:
        root = document.root
        if document.is_lines:
            return 0.0
        about = mapped(root)
        known = "mini-swe-agent" in stated(about.get("trajectory_format"))
        if known or "mini_version" in mapped(about.get("info")):
            return float(isinstance(about.get("messages"), list))
        return 0.9 * _bare(listed(root)[:6])

    def read(self, document: Document) -> Iterator[Transcript]:
        value = document.value()
        build = Builder(self.name, document.path)
        bare = isinstance(value, list)
        config = mapped(mapped(mapped(value).get("info")).get("config"))
        build.transcript.model = stated(mapped(config.get("model")).get("model_name"))
        for index, message in enumerate(value if isinstance(value, list) else listed(mapped(value).get("messages"))):
            at = Place(0, (index,) if bare else ("messages", index))
            if mapped(message).get("role") == "exit":
                build.skip("message of exit")
                continue
            usage = usage_of(mapped(mapped(mapped(message).get("extra")).get("response")).get("usage"))
            say(build, message, at, answers="all", usage=usage)
        yield build.transcript


def _bare(messages: list[Any]) -> bool:
    plain = all(isinstance(m, dict) and {"role", "content"} == m.keys() for m in messages)
    return plain and any(
        m["role"] == "user" and stated(m["content"]).lstrip().startswith("<returncode>") for m in messages
    )


FORMAT = MiniSweAgent()
