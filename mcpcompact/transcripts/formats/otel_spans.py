"""OpenTelemetry spans of agents: the GenAI conventions (attributes or events), OpenInference, OpenLLMetry and Google's
ADK. A file holds a list of spans, lines of them, or what an OTLP exporter sends.

https://opentelemetry.io/docs/specs/semconv/gen-ai/ and https://arize-ai.github.io/openinference/spec/
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.blocks import Answer, Said, Tokens, first, output, read_json
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.model import Transcript
from mcpcompact.transcripts.spans import ModelCall, Node, ToolCall, messages, transcripts

PROMPTS = ("gen_ai.input.messages", "llm.input_messages", "gen_ai.prompt", "gcp.vertex.agent.llm_request")
SPOKEN = ("gen_ai.output.messages", "llm.output_messages", "gen_ai.completion", "gcp.vertex.agent.llm_response")
SYSTEM = ("gen_ai.system_instructions",)
MODELS = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name")
TOOLS = ("gen_ai.tool.name", "tool.name")
IDS = ("gen_ai.tool.call.id", "tool.id", "tool_call.id")
ARGUMENTS = ("gen_ai.tool.call.arguments", "gcp.vertex.agent.tool_call_args", "input.value", "tool.parameters")
OUTPUTS = ("gen_ai.tool.call.result", "gcp.vertex.agent.tool_response", "output.value")
NO_MODEL = {
    "TOOL",
    "AGENT",
    "CHAIN",
    "invoke_agent",
    "create_agent",
    "execute_tool",
    "agent_handoff",
    "invoke_workflow",
    "embeddings",
}
USAGES = (
    Tokens(
        "gen_ai.usage.input_tokens",
        "gen_ai.usage.output_tokens",
        "gen_ai.usage.cache_read.input_tokens",
        "gen_ai.usage.cache_creation.input_tokens",
    ),
    Tokens(
        "llm.token_count.prompt",
        "llm.token_count.completion",
        "llm.token_count.prompt_details.cache_read",
        "llm.token_count.prompt_details.cache_write",
    ),
    Tokens("gen_ai.usage.prompt_tokens", "gen_ai.usage.completion_tokens"),
)
EVENTS = {"gen_ai.choice": "assistant", **{f"gen_ai.{r}.message": r for r in ("system", "user", "assistant", "tool")}}
KNOWN = ("gen_ai.", "llm.", "openinference.", "gcp.vertex.agent.")
DETAILS = "gen_ai.client.inference.operation.details"
WIDTH = 32
ID = ("span_id", "spanId", "id")
PARENT = ("parent_span_id", "parentSpanId", "parent_id", "parentId")
START = ("start_time", "startTimeUnixNano", "startTime", "start_time_unix_nano")


class OtelSpans:
    name = "otel_spans"

    def sniff(self, document: Document) -> float:
        found = list(_spans(document.root if not document.is_lines else document.first))
        known = any(key.startswith(KNOWN) for span in found for key in _flat(span.get("attributes")))
        return 0.95 * (known and all(first(span, ID) is not None for span in found))

    def read(self, document: Document) -> Iterator[Transcript]:
        found = [span for _, value in document.sections() for span in _spans(value)]
        found.sort(key=lambda span: str(first(span, START)).zfill(WIDTH))
        yield from transcripts(self.name, document.path, [_node(span) for span in found])


def _node(span: dict[str, Any]) -> Node:
    flat = _flat(span.get("attributes"))
    operation = stated(flat.get("gen_ai.operation.name")) or stated(flat.get("openinference.span.kind"))
    return Node(str(first(span, ID)), str(first(span, PARENT) or ""), _told(span, flat, operation), operation.lower())


def _told(span: dict[str, Any], flat: dict[str, Any], operation: str) -> ModelCall | ToolCall | None:
    failed = "ERROR" in str(mapped(span.get("status")).get("code")).upper()
    if operation in ("execute_tool", "TOOL") and first(flat, TOOLS):
        key = next((key for key in OUTPUTS if flat.get(key) is not None), "")
        text = output(flat[key], None)[0] if key else ""
        tool = stated(first(flat, TOOLS))
        answer = Answer(first(flat, IDS), tool, text, (), 0, failed)
        return ToolCall(tool, first(flat, ARGUMENTS), answer, bool(key) or failed)
    if operation in NO_MODEL:
        return None
    for event in map(mapped, listed(first(span, ("span_events", "events")))):
        flat |= _flat(event.get("attributes")) if first(event, ("event_name", "name")) == DETAILS else {}
    prompt = [said for keys in (SYSTEM, PROMPTS) for said in _said(flat, keys, "system" if keys is SYSTEM else "user")]
    spoken = _said(flat, SPOKEN, "assistant")
    for event in map(mapped, listed(first(span, ("span_events", "events")))):
        name, body = stated(first(event, ("event_name", "name"))), _flat(event.get("attributes"))
        if name in EVENTS:
            heard = messages(body.get("message") or body | {"role": EVENTS[name]}, EVENTS[name])
            (spoken if name == "gen_ai.choice" else prompt).extend(heard)
    usage = next(filter(None, (keys.read(flat) for keys in USAGES)), None)
    if not (prompt or spoken or usage):
        return None
    return ModelCall(prompt, spoken, usage, stated(first(flat, MODELS)))


def _said(flat: dict[str, Any], keys: tuple[str, ...], role: str) -> list[Said]:
    return next(filter(None, (messages(_numbered(flat, key), role) for key in keys)), [])


def _spans(value: Any) -> Iterator[dict[str, Any]]:
    """The spans in a value: itself, a list, or under the keys of an export."""
    if isinstance(value, list):
        for inner in value:
            yield from _spans(inner)
    elif isinstance(value, dict):
        key = next(
            (k for k in ("resourceSpans", "scopeSpans", "spans", "data", "traces") if isinstance(value.get(k), list)),
            "",
        )
        if key:
            yield from _spans(value[key])
        elif "attributes" in value:
            yield value


def _flat(attributes: Any, before: str = "") -> dict[str, Any]:
    """Attributes under their full names, however the exporter nests them."""
    if isinstance(attributes, list):  # OTLP: a list of keys with typed values
        items = [(mapped(item).get("key"), mapped(item).get("value")) for item in attributes]
        return {str(key): next(iter(mapped(value).values()), None) for key, value in items}
    found: dict[str, Any] = {}
    for key, value in mapped(attributes).items():
        if isinstance(value, dict) and not any(f"{before}{key}" == known for known in (*PROMPTS, *SPOKEN)):
            found |= _flat(value, f"{before}{key}.")
        else:
            found[f"{before}{key}"] = value
    return found


def _numbered(flat: dict[str, Any], prefix: str) -> Any:
    """``prefix.0.a.b`` and its like as a list of objects; what stands under the prefix itself as it is."""
    if flat.get(prefix) is not None:
        return read_json(flat[prefix])
    top: dict[str, Any] = {}
    for key, value in flat.items():
        if key.startswith(f"{prefix}."):
            at = top
            *path, last = key[len(prefix) + 1 :].split(".")
            for step in path:
                at = at.setdefault(step, {}) if isinstance(at.get(step, {}), dict) else {}
            at[last] = value
    return _listed(top)


def _listed(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    value = {key: _listed(inner) for key, inner in value.items()}
    if value and all(key.isdigit() for key in value):
        return [value[key] for key in sorted(value, key=int)]
    return value


FORMAT = OtelSpans()
