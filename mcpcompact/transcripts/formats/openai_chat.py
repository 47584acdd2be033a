"""Lists of chat completion messages in the containers that data sets and tools put them in: tau-bench runs, training
data for tool use (SWE-smith, SWE-Gym, Toucan and others), saved conversations. A file holds one conversation or many: a
bare list, ``{"messages": […]}``, a list or lines of such objects; ``messages`` may itself be a JSON string."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.builder import NOWHERE, Builder, Document, Place, mapped
from mcpcompact.transcripts.chat import role_of, say, usage_of
from mcpcompact.transcripts.conversations import Conversations

LISTS = ("traj", "messages", "trajectory", "conversation", "conversations", "history", "chat_history")
"""Keys under which a conversation stands."""

SOME = 64  # conversations that tell the format


class Format(Conversations):
    holders = ("", *LISTS)
    many = ("simulations", "data", "conversations", "samples", "trajectories", "results")

    def sniff(self, document: Document) -> float:
        root = document.root
        if document.is_lines and self.is_message(root):
            return 0.4
        some = root[:SOME] if isinstance(root, list) else root
        return 0.5 * any(self.held(value, NOWHERE)[0] for _, value in self.values(some, NOWHERE))

    def about(self, build: Builder, value: dict[str, Any]) -> None:
        build.model(value.get("model") or mapped(value.get("info")).get("model"))
        build.transcript.usage = usage_of(value.get("usage"))

    def message(self, build: Builder, message: dict[str, Any], at: Place) -> None:
        say(build, message, at, usage=usage_of(message.get("usage")))

    def is_message(self, value: Any) -> bool:
        return isinstance(value, dict) and role_of(value) != "" and ("content" in value or "tool_calls" in value)
