"""Traces that Langfuse exports: observations of any framework, of which generations are model calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.blocks import read_json
from mcpcompact.transcripts.builder import FEW, Document, Reader, Tokens, Transcript, as_count, listed, mapped, stated
from mcpcompact.transcripts.spans import ModelCall, Node, ToolCall, messages, ran, transcripts

USAGES = (
    Tokens("input", "output", "input_cache_read", "input_cache_creation"),
    Tokens("input", "output", "input_cached_tokens"),
    Tokens("input", "output", "prompt_details.cache_read"),
    Tokens("input", "output", "cache_read_input_tokens", "cache_creation_input_tokens"),
)
SPAN = {"traceId", "type", "startTime"}


class Format(Reader):
    keys = frozenset({"observations", "trace", "traceId"})
    quiet = "span"

    def sniff(self, document: Document) -> float:
        return float(any(mapped(observation).keys() >= SPAN for observation in _observations(document.root)[:FEW]))

    def read(self, document: Document) -> Iterator[Transcript]:
        observations = [mapped(each) for _, value in document.sections() for each in _observations(value)]
        observations.sort(key=lambda each: stated(each.get("startTime")))
        yield from transcripts(self.name, document.path, [_node(each) for each in observations])


def _observations(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    value = mapped(value)
    return listed(value.get("observations")) or listed(mapped(value.get("trace")).get("observations")) or [value]


def _node(each: dict[str, Any]) -> Node:
    kind = stated(each.get("type"))
    return Node(str(each.get("id")), stated(each.get("parentObservationId")), _told(each, kind), kind.lower())


def _told(each: dict[str, Any], kind: str) -> ModelCall | ToolCall | None:
    given, put_out = each.get("input"), each.get("output")
    about = mapped(mapped(read_json(each.get("metadata"))).get("attributes"))
    if kind == "TOOL" or (about.get("openinference.span.kind") == "TOOL" and put_out is not None):
        name = stated(each.get("name")).removeprefix("execute_tool ")
        tool = stated(about.get("tool.name")) or stated(about.get("gen_ai.tool.name")) or name
        return ran(tool, about.get("gen_ai.tool.call.id"), given, put_out, each.get("level") == "ERROR")
    used = mapped(each.get("usageDetails")) or mapped(each.get("usage"))
    if kind != "GENERATION" or (given is None and put_out is None and not used):
        return None
    keys = next((keys for keys in USAGES if keys.cached in used), USAGES[0])
    apart = keys._replace(whole=False).read(used)  # whether the total counts the cached tokens beside the prompt's
    beside = apart is not None and apart.prompt + apart.output <= as_count(used.get("total"))
    usage = apart if beside else keys.read(used)
    heard, spoken = messages(given, "user"), messages(put_out, "assistant")
    return ModelCall(heard, spoken, usage, stated(each.get("model")), stated(each.get("traceId")))
