"""Trajectories in the Agent Trajectory Interchange Format (Harbor, Terminal-Bench 2, VS Code): steps with the calls,
observations and tokens of each model call. https://www.harborframework.com/docs/agents/trajectory-format"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.transcripts.blocks import Tokens
from mcpcompact.transcripts.builder import Builder, text_of
from mcpcompact.transcripts.chat import answer
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.model import Place, Transcript

USAGE = Tokens("prompt_tokens", "completion_tokens", "cached_tokens")
TOTAL = Tokens("total_prompt_tokens", "total_completion_tokens", "total_cached_tokens")


class Atif:
    name = "atif"
    quiet = regex("reference to a sub-agent")

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        return float(stated(root.get("schema_version")).startswith("ATIF") and isinstance(root.get("steps"), list))

    def read(self, document: Document) -> Iterator[Transcript]:
        for at, value in document.sections():
            yield from self._trajectory(document, mapped(value), at, "")

    def _trajectory(self, document: Document, value: dict[str, Any], at: Place, parent: str) -> Iterator[Transcript]:
        name = stated(value.get("trajectory_id")) or stated(value.get("session_id"))
        build = Builder(self.name, document.path, name if parent or document.is_lines else "")
        build.transcript.parent = parent
        build.transcript.model = stated(mapped(value.get("agent")).get("model_name"))
        for index, step in enumerate(map(mapped, listed(value.get("steps")))):
            _step(build, step, at.under("steps", index))
        if not any(message.usage for message in build.messages):
            build.transcript.usage = TOTAL.read(value.get("final_metrics"))
        yield build.transcript
        for index, inner in enumerate(listed(value.get("subagent_trajectories"))):
            yield from self._trajectory(
                document, mapped(inner), at.under("subagent_trajectories", index), name or "main"
            )


def _step(build: Builder, step: dict[str, Any], at: Place) -> None:
    source, build.here = step.get("source"), at
    text, places, _ = text_of(step.get("message"), at.under("message"))
    if source == "agent":
        copied = step.get("is_copied_context") is True  # of an earlier trajectory, and no call of this one
        build.say("assistant", text, usage=USAGE.read(step.get("metrics")), continues=copied, places=places)
        build.transcript.model = build.transcript.model or stated(step.get("model_name"))
        for call in map(mapped, listed(step.get("tool_calls"))):
            build.call(call.get("tool_call_id"), call.get("function_name"), call.get("arguments"))
    elif source in ("user", "system"):
        build.say("user" if source == "user" else "system", text, places=places)
    else:
        build.skip(f"step of {source}")
    calls = list(build.messages[-1].calls) if build.messages else []
    for number, result in enumerate(map(mapped, listed(mapped(step.get("observation")).get("results")))):
        where = at.under("observation", "results", number, "content")
        if result.get("content") is None and "subagent_trajectory_ref" in result:
            build.skip("reference to a sub-agent")
            continue
        text, places, images = text_of(result.get("content"), where)
        id = result.get("source_call_id")
        if id or calls:
            made = None if id else calls[min(number, len(calls) - 1)]
            build.result(id, text, places=places, images=images, call=made)
        else:
            answer(build, text, places, images=images)


FORMAT = Atif()
