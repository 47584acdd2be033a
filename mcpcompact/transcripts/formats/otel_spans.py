"""OpenTelemetry spans of agents: the GenAI conventions (attributes or events), OpenInference, OpenLLMetry and Google's
ADK. A file holds a list of spans, lines of them, or what an OTLP exporter sends.
https://opentelemetry.io/docs/specs/semconv/gen-ai/ and https://arize-ai.github.io/openinference/spec/"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.blocks import Said, first, read_json
from mcpcompact.transcripts.builder import FEW, Document, Reader, Tokens, Transcript, listed, mapped, stated
from mcpcompact.transcripts.spans import ModelCall, Node, ToolCall, messages, ran, transcripts

PROMPTS = ("gen_ai.input.messages", "llm.input_messages", "gen_ai.prompt", "gcp.vertex.agent.llm_request")
SPOKEN = ("gen_ai.output.messages", "llm.output_messages", "gen_ai.completion", "gcp.vertex.agent.llm_response")
SYSTEM = ("gen_ai.system_instructions",)
MODELS = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name")
TOOLS = ("gen_ai.tool.name", "tool.name")
IDS = ("gen_ai.tool.call.id", "tool.id", "tool_call.id")
ARGUMENTS = ("gen_ai.tool.call.arguments", "gcp.vertex.agent.tool_call_args", "input.value", "tool.parameters")
OUTPUTS = ("gen_ai.tool.call.result", "gcp.vertex.agent.tool_response", "output.value")
NO_MODEL = {"TOOL", "AGENT", "CHAIN", "invoke_agent", "create_agent", "execute_tool", "agent_handoff", "embeddings"}
USED, COUNT = "gen_ai.usage.", "llm.token_count."
CACHED = (f"{COUNT}prompt_details.cache_read", f"{COUNT}prompt_details.cache_write")
NEWER = (f"{USED}cache_read.input_tokens", f"{USED}cache_creation.input_tokens")
USAGES = (
    Tokens(f"{USED}input_tokens", f"{USED}output_tokens", *NEWER),
    Tokens(f"{COUNT}prompt", f"{COUNT}completion", *CACHED),
    Tokens(f"{USED}prompt_tokens", f"{USED}completion_tokens"),
)
EVENTS = {"gen_ai.choice": "assistant", **{f"gen_ai.{r}.message": r for r in ("system", "user", "assistant", "tool")}}
KNOWN = ("gen_ai.", "llm.", "openinference.", "gcp.vertex.agent.")
DETAILS = "gen_ai.client.inference.operation.details"
WIDTH = 32  # digits of a time, or characters of a date, so that both sort as text
LISTS = ("resourceSpans", "scopeSpans", "spans", "data", "traces")
ID = ("span_id", "spanId", "id")
TRACE = ("trace_id", "traceId")
PARENT = ("parent_span_id", "parentSpanId", "parent_id", "parentId")
START = ("start_time", "startTimeUnixNano", "startTime", "start_time_unix_nano")


class Format(Reader):
    keys = frozenset({*LISTS, "attributes"})
    quiet = "span"

    def sniff(self, document: Document) -> float:
        spans = list(_spans(document.some, FEW))
        known = any(key.startswith(KNOWN) for span in spans for key in flat_names(span.get("attributes")))
        return 0.95 * (known and all(first(span, ID) is not None for span in spans))

    def read(self, document: Document) -> Iterator[Transcript]:
        spans = [span for _, value in document.sections() for span in _spans(value)]
        spans.sort(key=lambda span: str(first(span, START)).zfill(WIDTH))
        yield from transcripts(self.name, document.path, [_node(span) for span in spans])


def _node(span: dict[str, Any]) -> Node:
    flat = flat_names(span.get("attributes"))
    kind = stated(flat.get("gen_ai.operation.name")) or stated(flat.get("openinference.span.kind"))
    if kind in ("execute_tool", "TOOL") and first(flat, TOOLS):
        failed = "ERROR" in str(mapped(span.get("status")).get("code")).upper()
        put_out, id = first(flat, OUTPUTS), first(flat, IDS)
        call: ModelCall | ToolCall | None = ran(stated(first(flat, TOOLS)), id, first(flat, ARGUMENTS), put_out, failed)
    else:
        call = None if kind in NO_MODEL else _model(span, flat)
    return Node(str(first(span, ID)), str(first(span, PARENT) or ""), call, kind.lower())


def _model(span: dict[str, Any], flat: dict[str, Any]) -> ModelCall | None:
    turns: dict[bool, list[Said]] = {False: [], True: []}  # whether it is the model's answer
    for event in map(mapped, listed(first(span, ("span_events", "events")))):
        name, body = stated(first(event, ("event_name", "name"))), flat_names(event.get("attributes"))
        if name == DETAILS:
            flat |= body
        elif name in EVENTS:
            heard = messages(body.get("message") or body | {"role": EVENTS[name]}, EVENTS[name])
            turns[name == "gen_ai.choice"] += heard
    prompt = [*_said(flat, SYSTEM, "system"), *_said(flat, PROMPTS, "user"), *turns[False]]
    spoken = [*_said(flat, SPOKEN, "assistant"), *turns[True]]
    usage = next(filter(None, (keys.read(flat) for keys in USAGES)), None)
    if not (prompt or spoken or usage):
        return None
    return ModelCall(prompt, spoken, usage, stated(first(flat, MODELS)), stated(first(span, TRACE)))


def _said(flat: dict[str, Any], keys: tuple[str, ...], role: str) -> list[Said]:
    return next(filter(None, (messages(numbered(flat, key), role) for key in keys)), [])


def _spans(value: Any, most: int | None = None) -> Iterator[dict[str, Any]]:
    """The spans in a value: itself, those of a list (the first ``most``), or those under the keys of an export."""
    pending = [value]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            if "attributes" in value:
                yield value
            value = next((value[key] for key in LISTS if isinstance(value.get(key), list)), ())
        pending += reversed(listed(value)[:most])


def flat_names(attributes: Any) -> dict[str, Any]:
    """Attributes under their full names, however the exporter nests them."""
    if isinstance(attributes, list):  # OTLP: a list of keys with typed values
        items = [(mapped(item).get("key"), mapped(item).get("value")) for item in attributes]
        return {str(key): next(iter(mapped(value).values()), None) for key, value in items}
    names: dict[str, Any] = {}
    pending = [("", mapped(attributes))]
    while pending:
        before, inner = pending.pop()
        names |= {f"{before}{key}": value for key, value in inner.items() if not isinstance(value, dict)}
        pending += [(f"{before}{key}.", value) for key, value in inner.items() if isinstance(value, dict)]
    return names


def numbered(flat: dict[str, Any], prefix: str) -> Any:
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
