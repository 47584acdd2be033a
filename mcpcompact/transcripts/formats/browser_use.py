"""Runs of browser-use (``AgentHistory.json``): steps of actions and their results. The pages that the model saw are not
recorded."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.builder import Builder, Document, Place, Reader, Tokens, dumped, listed, mapped, objects

BESIDE = {"interacted_element"}
TEXTS = ("extracted_content", "error", "long_term_memory")
STEP = Tokens("input_tokens", "output_tokens")
TOTAL = Tokens("total_prompt_tokens", "total_completion_tokens", "total_prompt_cached_tokens")


class Format(Reader):
    keys = frozenset({"history"})

    def sniff(self, document: Document) -> float:
        steps = listed(mapped(document.root).get("history"))
        return float(bool(steps) and {"model_output", "result", "state"} <= mapped(steps[0]).keys())

    def session(self, build: Builder, value: Any, at: Place) -> None:
        for where, step in build.each(at, value, "history"):
            _step(build, step, where)
        build.transcript.usage = TOTAL.read(mapped(value).get("usage"))


def _step(build: Builder, step: dict[str, Any], at: Place) -> None:
    output = step.get("model_output")
    if not isinstance(output, dict):
        build.skip("step without output")
        return
    thoughts = {key: value for key, value in output.items() if key != "action"}
    build.say("assistant", dumped(thoughts), usage=STEP.read(step.get("metadata")))
    calls = []
    for _, action in objects(at, output, "action"):
        tool = next((key for key in action if key not in BESIDE and action[key] is not None), "")
        calls.append(build.call("", tool, action.get(tool)))
    for index, (where, result) in enumerate(objects(at, step, "result")):
        key = next((key for key in TEXTS if result.get(key)), TEXTS[0])
        call = calls[index] if index < len(calls) else None
        build.answer("unannounced", result.get(key), where.under(key), failed=bool(result.get("error")), call=call)
