"""The transcripts that the Entire CLI writes for any agent: a JSON line a message, results nested in their calls. Lines
with the same id are blocks of one message, and its usage stands on each. Of Claude's prompts only the uncached tokens
are recorded, which is no usage."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.builder import Builder, Document, Lines, as_count, listed, mapped, objects, text_of
from mcpcompact.transcripts.model import Place, Usage


class Format(Lines):
    keys = frozenset({"agent"})

    def sniff(self, document: Document) -> float:
        lines = document.objects
        known = ["v" in line and "agent" in line and line.get("type") in ("user", "assistant") for line in lines]
        return float(sum(known) * 2 > len(lines))

    def record(self, build: Builder, line: dict[str, Any], at: Place) -> None:
        if line.get("type") == "user":
            build.hear("user", line.get("content"))
        elif line.get("type") == "assistant":
            _assistant(build, line, at)
        else:
            build.skip(line.get("type"))


def _assistant(build: Builder, line: dict[str, Any], at: Place) -> None:
    content = line.get("content")
    blocks = [block for block in map(mapped, listed(content)) if block]
    texts = [block for block in blocks if block.get("type") == "text"] if blocks else content
    prompt, output = as_count(line.get("input_tokens")), as_count(line.get("output_tokens"))
    # without a count of the prompt this is no usage: some agents write only their output
    known = prompt and "claude" not in str(line.get("agent")).lower()
    reply, new = build.reply(str(line.get("id") or ""))
    reply.add(text_of(texts)[0])
    if new and known:
        reply.usage = Usage(fresh=prompt, output=output)
    build.model(line.get("model"))
    uses = [(where.under("result"), b) for where, b in objects(at, line, "content") if b.get("type") == "tool_use"]
    calls = [build.call(block.get("id"), block.get("name"), block.get("input"), message=reply) for _, block in uses]
    for call, (where, block) in zip(calls, uses, strict=True):
        result = block.get("result")
        if isinstance(result, dict):
            failed = result.get("status") not in ("success", None)
            build.answer(call.id, result.get("output"), where.under("output"), failed=failed, call=call)
        elif isinstance(result, (str, list)):
            build.answer(call.id, result, where, call=call)
