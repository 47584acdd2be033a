"""The transcripts that the Entire CLI writes for any agent: a JSON line a message, results nested in their calls.

Lines with the same id are blocks of one message, and its usage stands on each. Of Claude's prompts only the uncached
tokens are recorded, which is no usage.
"""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.builder import UNUSABLE_IDS, Builder, Lines, as_count, text_of
from mcpcompact.transcripts.document import Document, listed, mapped, objects
from mcpcompact.transcripts.model import Message, Place, Usage


class _Session(Builder):
    def __init__(self, format: str, source: str) -> None:
        super().__init__(format, source)
        self.said: dict[str, Message] = {}  # by the id of the API's message


class Format(Lines):
    keys = frozenset({"agent"})
    builder = _Session

    def sniff(self, document: Document) -> float:
        lines = [mapped(line) for line in document.first or [document.root]]
        known = ["v" in line and "agent" in line and line.get("type") in ("user", "assistant") for line in lines]
        return float(sum(known) * 2 > len(lines))

    def record(self, build: _Session, line: dict[str, Any], at: Place) -> None:
        if line.get("type") == "user":
            build.hear("user", line.get("content"))
        elif line.get("type") == "assistant":
            _assistant(build, line, at)
        else:
            build.skip(line.get("type"))


def _assistant(build: _Session, line: dict[str, Any], at: Place) -> None:
    content = line.get("content")
    blocks = [block for block in map(mapped, listed(content)) if block]
    texts = [block for block in blocks if block.get("type") == "text"] if blocks else content
    prompt, output = as_count(line.get("input_tokens")), as_count(line.get("output_tokens"))
    # without a count of the prompt this is no usage: some agents write only their output
    known = prompt and "claude" not in str(line.get("agent")).lower()
    id, text = str(line.get("id") or ""), text_of(texts)[0]
    if id in build.said:
        said = build.said[id]
        said.add(text)
    else:
        said = build.say("assistant", text, usage=Usage(fresh=prompt, output=output) if known else None)
        build.said |= {id: said} if id not in UNUSABLE_IDS else {}
    build.model(line.get("model"))
    uses = [(where.under("result"), b) for where, b in objects(at, line, "content") if b.get("type") == "tool_use"]
    calls = [build.call(block.get("id"), block.get("name"), block.get("input"), message=said) for _, block in uses]
    for call, (where, block) in zip(calls, uses, strict=True):
        result = block.get("result")
        if isinstance(result, dict):
            failed = result.get("status") not in ("success", None)
            build.answer(call.id, result.get("output"), where.under("output"), failed=failed, call=call)
        elif isinstance(result, (str, list)):
            build.answer(call.id, result, where, call=call)
