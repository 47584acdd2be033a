"""The transcripts that the Entire CLI writes for any agent: a JSON line a message, results nested in their calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, as_count, text_of
from mcpcompact.transcripts.document import Document
from mcpcompact.transcripts.model import Call, Place, Transcript, Usage


class EntireCompact:
    name = "entire_compact"

    def sniff(self, document: Document) -> float:
        lines = [line for line in document.first or [document.root] if isinstance(line, dict)]
        known = [
            line for line in lines if "v" in line and "agent" in line and line.get("type") in ("user", "assistant")
        ]
        return float(len(known) * 2 > len(lines)) if known else 0.0

    def read(self, document: Document) -> Iterator[Transcript]:
        build = Builder(self.name, document.path)
        for number, line in document.lines() if document.is_lines else iter([(0, document.value())]):
            kind = line.get("type") if isinstance(line, dict) else type(line).__name__
            if kind == "user":
                build.say("user", text_of(line.get("content"))[0])
            elif kind == "assistant":
                self._assistant(build, line, Place(number, ("content",)))
            else:
                build.skip(kind)
        yield build.transcript

    def _assistant(self, build: Builder, line: dict[str, Any], at: Place) -> None:
        content = line.get("content")
        blocks = [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []
        texts = [block for block in blocks if block.get("type") == "text"] if blocks else content
        prompt, output = as_count(line.get("input_tokens")), as_count(line.get("output_tokens"))
        # without a count of the prompt this is no usage: some agents write only their output
        build.say("assistant", text_of(texts)[0], usage=Usage(fresh=prompt, output=output) if prompt else None)
        build.transcript.model = str(line.get("model") or build.transcript.model)
        made: list[tuple[Call, Any, Place]] = []
        for index, block in enumerate(content if isinstance(content, list) else ()):
            if isinstance(block, dict) and block.get("type") == "tool_use":
                call = build.call(block.get("id"), block.get("name"), block.get("input"))
                made.append((call, block.get("result"), at.under(index, "result")))
        for call, result, where in made:
            if isinstance(result, dict):
                text, places, others = text_of(result.get("output"), where.under("output"))
                failed = result.get("status") not in ("success", None)
                build.result(call.id, text, places=places, images=others, is_error=failed, call=call)
            elif isinstance(result, (str, list)):
                text, places, others = text_of(result, where)
                build.result(call.id, text, places=places, images=others, call=call)


FORMAT = EntireCompact()
