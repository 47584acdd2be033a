"""Trajectories of mini-swe-agent: a bare list of messages at first, later ``{"messages": […], "info": {…}}``. The
action is the one code block of the assistant's message, the result the user's message after it; from version 2 on also
native tool calls. https://mini-swe-agent.com/latest/usage/output_files/"""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.builder import Builder, Document, Place, listed, mapped, stated
from mcpcompact.transcripts.chat import say, usage_of
from mcpcompact.transcripts.conversations import Conversations


class Format(Conversations):
    keys = frozenset({"messages", "content"})
    quiet = "message of exit"

    def sniff(self, document: Document) -> float:
        root = document.root
        if document.is_lines:
            return 0.0
        about = mapped(root)
        known = "mini-swe-agent" in stated(about.get("trajectory_format"))
        if known or "mini_version" in mapped(about.get("info")):
            return float(isinstance(about.get("messages"), list))
        return 0.9 * _bare(listed(root)[:6])

    def about(self, build: Builder, value: dict[str, Any]) -> None:
        config = mapped(mapped(value.get("info")).get("config"))
        build.model(mapped(config.get("model")).get("model_name"))

    def message(self, build: Builder, message: dict[str, Any], at: Place) -> None:
        if message.get("role") == "exit":
            build.skip("message of exit")
        else:
            usage = usage_of(mapped(mapped(message.get("extra")).get("response")).get("usage"))
            say(build, message, at, answers="all", usage=usage)


def _bare(messages: list[Any]) -> bool:
    plain = all(isinstance(m, dict) and {"role", "content"} == m.keys() for m in messages)
    asked = (stated(m["content"]).lstrip() for m in messages if plain and m["role"] == "user")
    return any(text.startswith("<returncode>") for text in asked)
