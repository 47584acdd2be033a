"""Trajectories in the Agent Trajectory Interchange Format (Harbor, Terminal-Bench 2, VS Code): steps with the calls,
observations and tokens of each model call. https://www.harborframework.com/docs/agents/trajectory-format"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, Document, Reader, Tokens, mapped, objects, stated, text_of
from mcpcompact.transcripts.chat import answer
from mcpcompact.transcripts.model import Place, Transcript

USAGE = Tokens("prompt_tokens", "completion_tokens", "cached_tokens")
TOTAL = Tokens("total_prompt_tokens", "total_completion_tokens", "total_cached_tokens")


class Format(Reader):
    keys = frozenset({"schema_version"})
    quiet = "reference to a sub-agent"

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
        build.model(mapped(value.get("agent")).get("model_name"))
        for where, step in build.each(at, value, "steps"):
            _step(build, step, where)
        if not any(message.usage for message in build.messages):
            build.transcript.usage = TOTAL.read(value.get("final_metrics"))
        yield build.transcript
        for where, inner in objects(at, value, "subagent_trajectories"):
            yield from self._trajectory(document, inner, where, name or "main")


def _step(build: Builder, step: dict[str, Any], at: Place) -> None:
    source = step.get("source")
    if source == "agent":
        text, places, _ = text_of(step.get("message"), at.under("message"))
        copied = step.get("is_copied_context") is True  # of an earlier trajectory, and no call of this one
        build.say("assistant", text, usage=USAGE.read(step.get("metrics")), continues=copied, places=places)
        build.model(build.transcript.model, step.get("model_name"))
        for _, call in objects(at, step, "tool_calls"):
            build.call(call.get("tool_call_id"), call.get("function_name"), call.get("arguments"))
    elif source in ("user", "system"):
        build.hear(source, step.get("message"), at.under("message"))
    else:
        build.skip(f"step of {source}")
    calls = list(build.last.calls) if build.last else []
    for number, (where, result) in enumerate(objects(at, step, "observation", "results")):
        content, id = result.get("content"), result.get("source_call_id")
        if content is None and "subagent_trajectory_ref" in result:
            build.skip("reference to a sub-agent")
        elif id or calls:
            build.answer(id, content, where.under("content"), call=None if id else calls[min(number, len(calls) - 1)])
        else:
            text, places, images = text_of(content, where.under("content"))
            answer(build, text, places, images=images)
