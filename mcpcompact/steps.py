"""The steps of the pipeline up to the stored original, each ``State -> State``: none changes what it is given."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from mcpcompact import notice
from mcpcompact.compaction import Compaction
from mcpcompact.content.detect import Detection, load
from mcpcompact.content.detect import detect as detected
from mcpcompact.errors import InputError, McpcompactError
from mcpcompact.inputs import envelope as message
from mcpcompact.inputs.reading import in_utf8, masked
from mcpcompact.outline import Fact, Hints, Outline
from mcpcompact.policy import Policy
from mcpcompact.source import Source, split_lines
from mcpcompact.tokens import Tokenizer, count_blocks, counter, sample

if TYPE_CHECKING:
    from mcpcompact.content.shared.datatext import View
    from mcpcompact.engine.fill import Filled
    from mcpcompact.masking import Masker
    from mcpcompact.results import Reference, Store
    from mcpcompact.results.own import Own

EXACT_LIMIT = 4 * 1024 * 1024  # bytes above which ``original_tokens`` is sampled, unless ``exact`` is asked for
NOTHING = Source(b"")  # not read yet
WHY = 160  # characters of the reason why a text is not read as what it looks like
NOTED = 2_000  # characters at the end in which a tool says what it left out
CLIPPED, END = "<response clipped>", 600  # how an editor's tool ends what it shows in part; so near to the end
REMINDED = b"</system-reminder>"  # how a host ends what it adds below a result
UNKNOWN = Detection("text", 0.0, "not detected")

PROJECTED = ("records", "json", "table", "code")  # types whose fields a policy may leave out; ``code`` is YAML and TOML


class Request(NamedTuple):
    """What does not change on the way: the limits, the tokens, and what is done with the original."""

    policy: Policy
    tokenizer: Tokenizer
    store: Store | None = None
    masker: Masker | None = None
    content_type: str | None = None
    encoding_in: str | None = None
    exact: bool = False
    prefix: str = ""
    results_option: str = ""
    context: str | Collection[str] | None = None

    @property
    def style(self) -> str:
        """How much the notice says."""
        return self.policy.notice or ("short" if self.policy.budget < notice.SHORT_BELOW else "full")

    def tokens(self, text: str) -> int:
        return self.scaled(counter(self.tokenizer.encoding).count(text))

    def scaled(self, tokens: int) -> int:
        """Tokens of the model: exact for OpenAI encodings, the high end of the documented factor for others."""
        high = self.tokenizer.high
        return tokens if high == 1.0 else -int(-tokens * high // 1)


class State(NamedTuple):
    """One result on its way through the steps, and what is known of it so far; no step changes it.

    ``source`` are the bytes as they came (masked, where that was asked for), ``decoded`` the same in UTF-8, ``payload``
    the text inside the message, ``shown`` what of it the policy lets be shown. ``outcome`` ends the run.
    """

    request: Request
    result: Any
    hints: Hints
    name: str = ""  # of the file or address
    source: Source = NOTHING
    decoded: Source = NOTHING
    payload: Source = NOTHING
    shown: Source = NOTHING
    value: bool = False  # a Python value that was written as JSON
    problem: InputError | None = None  # what of that value could not be written
    envelope: message.Envelope | None = None
    original_tokens: int = -1  # not counted yet
    original_exact: bool = True
    detection: Detection = UNKNOWN
    warnings: tuple[str, ...] = ()
    own: Own | None = None
    view: View | None = None  # of a text whose fields are left out
    left_out: tuple[str, ...] = ()
    lacks_fields: bool = False
    outline: Outline | None = None
    reference: Reference | None = None
    filled: Filled | None = None
    text: str = ""
    outcome: Compaction | None = None

    def but(self, **changes: Any) -> State:
        return self._replace(**changes)

    @property
    def unmasked(self) -> bool:
        """Whether masking was asked for and has not been done."""
        return self.request.masker is not None and self.source.masked is None


def read(state: State) -> State:
    if isinstance(source := state.result, Source):
        return state.but(source=source, decoded=source, payload=source)
    from mcpcompact.inputs.values import source_of

    source, value, problem = source_of(state.result)
    return state.but(source=source, decoded=source, payload=source, value=value, problem=problem)


def mask(state: State) -> State:
    """Before anything is counted, stored or shown: the source, and what the caller says about the call."""
    masker = state.request.masker
    if masker is None:
        return state
    masker.encoding = state.request.encoding_in
    hints = state.hints
    clean: dict[str, Any] = {
        name: masker.text(getattr(hints, name) or "") or None for name in ("focus", "tool", "server")
    }
    clean["file"] = masker.text(hints.file)
    if hints.arguments:
        clean["arguments"] = json.loads(masker.text(json.dumps(hints.arguments, ensure_ascii=False)))
    source = masked(state.source, masker)
    hints = replace(hints, **clean)
    return state.but(source=source, decoded=source, payload=source, hints=hints, name=masker.text(state.name))


def unwrap(state: State) -> State:
    """The text inside the message, in UTF-8."""
    if state.problem is not None:
        raise state.problem
    decoded, note = in_utf8(state.source, state.request.encoding_in)
    envelope = message.unwrap(decoded, parsed=state.value)
    hints = replace(state.hints, tool=state.hints.tool or envelope.tool, is_error=bool(envelope.is_error))
    warnings = (*state.warnings, note) if note else state.warnings
    return state.but(decoded=decoded, payload=envelope.source, envelope=envelope, hints=hints, warnings=warnings)


def count(state: State) -> State:
    """Tokens of the original; a small one that passes the threshold, or its host's limits, is done."""
    request, payload = state.request, state.payload
    if payload.size > EXACT_LIMIT and not request.exact:
        tokens = request.scaled(sample(payload, request.tokenizer.encoding).tokens)
        return state.but(original_tokens=tokens, original_exact=False)
    if payload.large:
        return state.but(original_tokens=request.scaled(count_blocks(payload.blocks(), request.tokenizer).tokens))
    return state.but(original_tokens=_with_message(state, request.tokens(payload.text)))


def _with_message(state: State, tokens: int) -> int:
    """A message that passes is printed as it came, so what stands around its payload counts for the threshold; a
    shell's header is part of what the agent saw, and counts always."""
    shell, threshold = state.envelope is not None and state.envelope.shape == "exec", state.request.policy.passes_at
    if state.payload is state.decoded or state.value or not (shell or tokens <= threshold):
        return tokens
    whole = state.request.tokens(state.decoded.text)
    return whole if shell or whole > threshold else tokens


def detect(state: State) -> State:
    """The content type; what is small, or our own, passes through."""
    asked = state.request.content_type

    def named() -> str:
        """The language of the source that the call shows, or of the file that was read."""
        from mcpcompact.content.shared.calls import named_language

        return named_language(state.hints.arguments, state.hints.file)

    shown = state.payload
    if REMINDED in shown.read(max(0, shown.size - len(REMINDED) - 2), shown.size):  # a line feed
        from mcpcompact.content.shared.lines import above_reminder

        shown = above_reminder(shown)
    detection = Detection(asked, 1.0, "asked for with --type") if asked else detected(shown, named=named)
    shown = state.payload if detection.content_type == "code" else shown  # which reads views itself
    state = state.but(detection=detection, shown=shown)
    if _passes(state):
        return state.but(outcome=passed(state))
    store = state.request.store
    own = store.recognise(state.source, state.payload, state.hints.arguments) if store is not None else None
    if own is None:
        return state
    state = state.but(own=own)  # compacted again it would never be read
    return state.but(outcome=passed(state))


def _passes(state: State) -> bool:
    """At or under the threshold, and short enough for the reader's host not to cut it."""
    policy, size = state.request.policy, state.source.size
    if not policy.enabled or not size:
        return True
    if state.original_tokens > policy.passes_at or size > (policy.max_bytes or size):
        return False
    return policy.max_chars is None or len(state.source.text) <= policy.max_chars


def project(state: State) -> State:
    """Leave out the fields that the policy does not show, and say which."""
    keep, drop = state.request.policy.keep_fields, state.request.policy.drop_fields
    kind = state.detection.content_type
    if not (keep or drop) or kind not in PROJECTED:
        return state
    if state.payload.large or kind == "code":  # YAML and TOML that are no records are read by their lines
        why = "no records" if kind == "code" else "over 64 MB"
        return state.but(warnings=(*state.warnings, f"keep_fields and drop_fields were not applied: {why}"))
    from mcpcompact.content.shared.datatext import as_json
    from mcpcompact.retrieval import projection

    view = as_json(state.shown) if kind != "table" else None
    projected = projection.project((state.shown if view is None else view.source).data, keep, drop)
    lacks = bool(keep) and projected.kept.isdisjoint(keep)
    if missing := projected.missing(keep):
        state = state.but(warnings=(*state.warnings, missing))
    note = "" if lacks else projected.told()  # all fields say more than rows of none
    if note:
        state = state.but(shown=Source(projected.data), view=view, left_out=(note,))
    return state.but(lacks_fields=lacks)


def outline(state: State) -> State:
    """Facts and items of the whole input; what cannot be read as its type is read as text."""
    detection, warnings = state.detection, state.warnings
    name = detection.content_type
    try:
        result = load(name).outline(state.shown, state.hints)
        if result.content_type != name:  # what looked like records in the sample was one of several documents
            detection = Detection(result.content_type, detection.score, detection.why)
        if state.view is not None:
            from mcpcompact.content.shared.datatext import outlined

            result = outlined(result, state.view)
    except Exception as error:
        if name == "text":
            raise
        reason = str(error) if isinstance(error, McpcompactError) else f"{type(error).__name__}: {error}"
        warnings = (*warnings, f"read as text: not usable as {name} ({reason})")
        detection = Detection("text", 0.1, f"not usable as {name}", detection.verdicts)
        result = load("text").outline(state.shown, state.hints)
        fact = Fact(f"Read as text: {' '.join(reason.split())[:WHY]}", 0)
        result.facts[:0] = [fact] * isinstance(error, InputError)
    if not state.payload.large:
        _left_out(state.payload.text, result)
    called = bool(state.hints.arguments)
    if not state.payload.large and (called or result.content_type != "log"):  # whose numbers are its own
        from mcpcompact.content.shared.calls import of_lines, of_start

        result.facts[1:1] = of_lines(state.hints, state.payload.text, result.facts) if called else []
        numbered = result.unit == "line" and ("--lines", "A:B") in result.more
        result.facts[1:1] = of_start(state.hints, state.payload.text, result.facts, numbered)
    if state.shown is not state.payload and not state.left_out:
        from mcpcompact.content.shared.lines import say_below

        say_below(result, state.shown, state.payload)
    if state.envelope is not None and state.envelope.beside:
        from mcpcompact.engine.beside import say_beside

        say_beside(result, state.envelope.beside)
    if state.left_out:
        result.notes += state.left_out
        result.lossless = []  # whatever is shown of it, fields are missing
    result.more = notice.ready(result)
    return state.but(outline=result, detection=detection, warnings=warnings)


def _left_out(text: str, outline: Outline) -> None:
    """What the tool itself left out, as its end tells."""
    if CLIPPED in text[-END:]:
        above, _, note = text.rpartition(CLIPPED)
        within, before = "within a line, " * bool(above[-1:].strip()), ", before a remark" * bool(note.strip())
        sentence = f"The tool itself left out what follows: it breaks off {within}at “{CLIPPED}”{before}"
        outline.facts.insert(1, Fact(sentence, 0))
    if any(map(text[-NOTED:].lower().__contains__, ("truncated", "omitted", "clipped"))):
        from mcpcompact.content.shared.lines import ENDS, TRUNCATED, truncations

        stated = any(fact.text.startswith(TRUNCATED) for fact in outline.facts)
        outline.facts[1:1] = [] if stated else truncations(split_lines(text), last=ENDS)


def store(state: State) -> State:
    """The original, byte for byte, before anything of it is left out."""
    request, outline, envelope = state.request, state.outline, state.envelope
    if request.store is None or outline is None or envelope is None:
        return state
    wrapped = envelope.source is not state.source
    meta: Mapping[str, Any] = {
        "tokens": state.original_tokens,
        "tokensExact": state.original_exact,
        "encoding": request.tokenizer.encoding,
        "contentType": outline.content_type,
        "server": state.hints.server,
        "tool": state.hints.tool,
        "arguments": state.hints.arguments,
        "source": state.name or None,
        "shape": envelope.shape,
        "policy": {"budget": request.policy.budget, "threshold": request.policy.passes_at},
        "more": outline.more,
    }
    in_message = wrapped and envelope.shape not in ("exec", "plain")
    from mcpcompact.results import Original

    extension = ".json" if in_message else outline.extension or load(outline.content_type).extension
    payload = state.payload.text if wrapped and not state.payload.large else None
    original = Original(state.source, outline.content_type, extension, state.hints.tool, meta, payload)
    return state.but(reference=request.store.put(original))


def passed(state: State, problem: McpcompactError | None = None) -> Compaction:
    """The original, untouched. Its text is decoded; callers that hold the bytes should print those."""
    tokens, exact = state.original_tokens, state.original_exact
    text = None if state.source.large else state.decoded.text
    if tokens < 0:
        tokens, exact = -(-state.source.size // 4), False
    elif text and state.payload is not state.decoded:  # it comes out with the message around it
        tokens = state.request.tokens(text)
    state = state.but(original_tokens=tokens, original_exact=exact)
    return compaction(state, text, "passthrough", tokens, problem=problem)


def compaction(state: State, text: str | None, method: str, tokens: int, **more: Any) -> Compaction:
    request = state.request
    return Compaction(
        _text=text,
        source=state.source,
        given=state.result,
        content_type=state.detection.content_type,
        method=method,
        original_tokens=state.original_tokens,
        tokens=tokens,
        budget=request.policy.budget,
        threshold=request.policy.passes_at,
        exact=state.original_exact and request.tokenizer.exact,
        original_bytes=state.source.size,
        detection=state.detection,
        envelope=state.envelope,
        masked=state.source.masked,
        warnings=list(state.warnings),
        own=state.own,
        lacks_fields=state.lacks_fields,
        **more,
    )
