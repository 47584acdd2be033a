"""Runs of browser-use (``AgentHistory.json``): steps of actions and their results. The pages that the model saw are not
recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.blocks import Tokens, first
from mcpcompact.transcripts.builder import Builder, text_of
from mcpcompact.transcripts.document import Document, listed, mapped
from mcpcompact.transcripts.model import Place, Transcript

BESIDE = {"interacted_element"}
TEXTS = ("extracted_content", "error", "long_term_memory")
STEP = Tokens("input_tokens", "output_tokens")
TOTAL = Tokens("total_prompt_tokens", "total_completion_tokens", "total_prompt_cached_tokens")


class BrowserUse:
    name = "browser_use"

    def sniff(self, document: Document) -> float:
        steps = listed(mapped(document.root).get("history"))
        return float(bool(steps) and {"model_output", "result", "state"} <= mapped(steps[0]).keys())

    def read(self, document: Document) -> Iterator[Transcript]:
        for number, (at, run) in enumerate(document.sections(), 1):
            build = Builder(self.name, document.path, str(number) if document.is_lines else "")
            for index, step in enumerate(map(mapped, listed(mapped(run).get("history")))):
                _step(build, step, at.under("history", index))
            build.transcript.usage = TOTAL.read(mapped(run).get("usage"))
            yield build.transcript


def _step(build: Builder, step: dict[str, Any], at: Place) -> None:
    output = step.get("model_output")
    if not isinstance(output, dict):
        build.skip("step without output")
        return
    build.here = at
    thoughts = {key: value for key, value in output.items() if key != "action"}
    build.say("assistant", json.dumps(thoughts, ensure_ascii=False), usage=STEP.read(step.get("metadata")))
    calls = []
    for action in map(mapped, listed(output.get("action"))):
        tool = next((key for key in action if key not in BESIDE and action[key] is not None), "")
        calls.append(build.call("", tool, action.get(tool)))
    for index, result in enumerate(map(mapped, listed(step.get("result")))):
        key = next((key for key in TEXTS if result.get(key)), TEXTS[0])
        text, places, _ = text_of(first(result, (key,)), at.under("result", index, key))
        call = calls[index] if index < len(calls) else None
        build.result("unannounced", text, places=places, is_error=bool(result.get("error")), call=call)


FORMAT = BrowserUse()
