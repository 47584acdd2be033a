"""The pipeline: bytes → unwrap → detect → outline → fill → store → render.

Every step is a function of the one before; ``compact`` is their sequence and the rails around it:
at or under the threshold the input comes out untouched, over it the text is within the budget and
never longer than the input, and when anything fails the original comes out and says so.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any

from mcpcompact import notice
from mcpcompact.compaction import Compaction
from mcpcompact.config import DEFAULT_BUDGET, Policy
from mcpcompact.content.detect import Detection, detect, load
from mcpcompact.errors import InputError, MaskError, McpcompactError, UsageError
from mcpcompact.outline import Hints, Outline, Source, decode

if TYPE_CHECKING:
    from mcpcompact.envelope import Envelope
    from mcpcompact.fill import Filled
    from mcpcompact.masking import Masker
    from mcpcompact.results import Reference, ResultStore
    from mcpcompact.results.own import Own
    from mcpcompact.tokens import Tokenizer

_Count = Callable[[str], int]

EXIT_KEYS = ("exit_code", "exitCode", "returncode")

EXACT_LIMIT = 4 * 1024 * 1024
"""Above this many bytes ``original_tokens`` is a sampled estimate unless ``exact`` is asked for."""


def compact(
    result: str | bytes | dict[str, Any] | list[Any] | Source,
    *,
    budget: int = DEFAULT_BUDGET,
    threshold: int | None = None,
    tool: str | None = None,
    server: str | None = None,
    arguments: Mapping[str, Any] | None = None,
    focus: str | None = None,
    context: str | Collection[str] | None = None,
    content_type: str | None = None,
    model: str | None = None,
    encoding: str | None = None,
    store: ResultStore | None = None,
    policy: Policy | None = None,
    reader: str = "mcpcompact",
    notice_style: str | None = None,
    results_option: str = "",
    exact: bool = False,
    source_name: str = "",
    max_chars: int | None = None,
    prefix: str = "",
    mask: bool | Masker = False,
) -> Compaction:
    """Compact one tool result into at most ``budget`` tokens.

    ``result`` is text, bytes, a message that carries the result (MCP ``CallToolResult``, JSON-RPC
    envelope, content array, Anthropic ``tool_result``, OpenAI ``tool`` message) or a ``Source``.
    ``threshold`` (default twice the budget): results of at most so many tokens come back untouched.
    ``arguments`` and ``focus`` rank what is shown. ``context`` is the conversation so far, as text or as a
    collection of its names (``mcpcompact.atoms.atoms`` of each message; a caller of many results keeps adding
    to one set): a name that stands there already needs little showing. With a ``store`` the full result is kept
    byte for byte and the text says how to get the rest; without one it carries no reference.

    ``policy``, when given, stands for budget, threshold, reader, notice and ``max_chars`` at once.
    ``prefix`` stands before the text and counts. ``max_chars`` bounds the characters besides the tokens.

    ``mask`` replaces secrets by stable placeholders before anything else happens: what is stored, counted and
    returned is masked, ``arguments`` and ``focus`` included. ``True`` takes the built-in rules.

    Raises ``UsageError`` for impossible options and ``MaskError`` when secrets cannot be masked: nothing was
    stored then. Any later failure returns the original (masked, where that was asked for), with
    ``Compaction.problem`` set.
    """
    from mcpcompact.tokens import resolve

    policy = policy or Policy(budget, threshold, reader, notice_style, max_chars)
    notice.check(policy)
    if content_type is not None:
        load(content_type)  # an unknown name is the caller's mistake, not the input's
    hints = Hints(tool=tool, server=server, arguments=arguments, focus=focus)
    job = _Job(policy, resolve(model, encoding), hints)
    job.exact, job.forced_type, job.prefix = exact, content_type, prefix
    job.results_option, job.source_name = results_option, source_name
    job.context = context
    if mask:
        from mcpcompact.results.keys import masker_of

        job.masker = masker_of(store) if mask is True else mask
    try:
        return job.run(result, store)
    except (UsageError, KeyboardInterrupt):
        raise
    except McpcompactError as error:
        if job.unmasked:
            raise
        return job.passthrough(problem=error)
    except Exception as error:  # the rail: a defect of ours must never cost the caller the data
        if job.unmasked:
            raise MaskError(f"masking failed ({type(error).__name__}: {error})", hint="nothing was stored") from error
        wrapped = InputError(f"could not compact this input ({type(error).__name__}: {error})", hint="passed through")
        wrapped.__cause__ = error
        return job.passthrough(problem=wrapped)


class _Job:
    """One run of the pipeline: what is known so far, so that a failure anywhere can still return the original."""

    def __init__(self, policy: Policy, tokenizer: Tokenizer, hints: Hints) -> None:
        self.policy = policy
        self.budget, self.threshold = policy.budget, policy.passes_at
        self.reader, self.max_chars = policy.reader, policy.max_chars
        self.style = policy.notice or ("short" if policy.budget < notice.SHORT_BELOW else "full")
        self.tokenizer, self.hints = tokenizer, hints
        self.exact = self.parsed = False
        self.forced_type: str | None = None
        self.prefix = self.results_option = self.source_name = ""
        self.context: str | Collection[str] | None = None
        self.source = Source(b"")
        self.payload = self.shown = self.source
        self.envelope: Envelope | None = None
        self.original_tokens: int | None = None
        self.original_exact = True
        self.detection = Detection("text", 0.0, "not detected")
        self.warnings: list[str] = []
        self.own: Own | None = None
        self.masker: Masker | None = None

    @property
    def unmasked(self) -> bool:
        """Whether masking was asked for and has not been done."""
        return self.masker is not None and self.source.masked is None

    def run(self, result: str | bytes | dict[str, Any] | list[Any] | Source, store: ResultStore | None) -> Compaction:
        self._open(result)
        self._count_original()
        if self._passes():
            self._detect()
            return self.passthrough()
        self._detect()
        if self._is_own(store):
            return self.passthrough()
        left_out = self._project()
        outline = self._outline()
        outline.notes += self._beside() + left_out
        if left_out:
            outline.lossless = []  # whatever is shown of it, fields are missing
        reference = self._store(store, outline)
        made = self._fit(outline, reference)
        if store is not None and reference is not None:
            store.remember(reference.id, made.text)
        return made

    def _passes(self) -> bool:
        """At or under the threshold, and short enough for the reader's host not to cut it."""
        assert self.original_tokens is not None
        if not self.policy.enabled or not self.source.size:
            return True
        if self.original_tokens > self.threshold or self.source.size > (self.policy.max_bytes or self.source.size):
            return False
        return self.max_chars is None or len(self.source.text) <= self.max_chars

    def _is_own(self, store: ResultStore | None) -> bool:
        """Something that we put out or keep ourselves passes through: compacted again it would never be read."""
        if store is None:
            return False
        self.own = store.recognise(self.source, self.payload, self.hints.arguments)
        return self.own is not None

    # -- read ---------------------------------------------------------------------------------

    def _open(self, result: str | bytes | dict[str, Any] | list[Any] | Source) -> None:
        from mcpcompact.envelope import unwrap, unwrap_value

        if isinstance(result, Source):
            self.source = result
        elif isinstance(result, str):
            self.source = Source.of_text(result)
        elif isinstance(result, (bytes, bytearray, memoryview)):
            self.source = Source(bytes(result))
        elif isinstance(result, (dict, list)):
            import json

            self.parsed = True
            self.source = Source(json.dumps(result, ensure_ascii=False).encode("utf-8", "surrogatepass"))
            self.envelope = unwrap_value(result)
        else:
            raise UsageError(
                f"cannot compact a {type(result).__name__}", hint="give text, bytes, a message or a Source"
            )
        if self.masker is not None:
            self._mask(self.masker)
        self.payload = self.source
        if self.envelope is None:
            self.envelope = unwrap(self.source)
        self.payload = self.envelope.source
        if self.hints.tool is None:
            self.hints.tool = self.envelope.tool
        self.hints.is_error = bool(self.envelope.is_error)

    def _mask(self, masker: Masker) -> None:
        """Before anything is counted, stored or shown: the source, and what the caller says about the call."""
        import json

        from mcpcompact.reading import masked

        hints = self.hints
        if hints.arguments:
            hints.arguments = json.loads(masker.text(json.dumps(dict(hints.arguments), default=str)))
        for name in ("focus", "tool", "server"):
            setattr(hints, name, masker.text(getattr(hints, name) or "") or None)
        self.source_name = masker.text(self.source_name)
        self.source, self.envelope = masked(self.source, masker), None

    def _count_original(self) -> None:
        from mcpcompact.tokens import counter, sample
        from mcpcompact.tokens.result import count_blocks

        encoding = self.tokenizer.encoding
        if self.payload.size > EXACT_LIMIT and not self.exact:
            sampled = sample(self.payload, encoding)
            self.original_tokens, self.original_exact = self._scaled(sampled.tokens), False
        elif self.payload.large:
            self.original_tokens = self._scaled(count_blocks(self.payload.blocks(), self.tokenizer).tokens)
        else:
            self.original_tokens = self._scaled(counter(encoding).count(self.payload.text))
            self._count_around()

    def _count_around(self) -> None:
        """A message that passes is printed as it came, so what stands around its payload counts for the threshold; a
        shell's header is part of what the agent saw, and counts always."""
        from mcpcompact.tokens import counter

        assert self.original_tokens is not None
        shell = self.envelope is not None and self.envelope.shape == "exec"
        if self.payload is self.source or self.parsed or not (shell or self.original_tokens <= self.threshold):
            return
        whole = self._scaled(counter(self.tokenizer.encoding).count(self.source.text))
        if shell or whole > self.threshold:
            self.original_tokens = whole

    def _scaled(self, tokens: int) -> int:
        """Tokens of the model: exact for OpenAI encodings, the high end of the documented factor for others."""
        high = self.tokenizer.high
        return tokens if high == 1.0 else -int(-tokens * high // 1)

    def _detect(self) -> None:
        if self.forced_type is not None:
            self.detection = Detection(self.forced_type, 1.0, "asked for with --type")
        else:
            self.detection = detect(self.payload)

    def _outline(self) -> Outline:
        name = self.detection.content_type
        try:
            return load(name).outline(self.shown, self.hints)
        except Exception as error:
            if name == "text":
                raise
            told = str(error) if isinstance(error, McpcompactError) else f"{type(error).__name__}: {error}"
            self.warnings.append(f"read as text: not usable as {name} ({told})")
            self.detection = Detection("text", 0.1, f"not usable as {name}", self.detection.verdicts)
            return load("text").outline(self.shown, self.hints)

    def _project(self) -> list[str]:
        """Leave out the fields that the policy does not show, and say which."""
        self.shown = self.payload
        keep, drop = self.policy.keep_fields, self.policy.drop_fields
        if not (keep or drop) or self.detection.content_type not in ("records", "json", "table"):
            return []
        if self.payload.large:
            self.warnings.append("keep_fields and drop_fields were not applied: over 64 MB")
            return []
        from mcpcompact.retrieval.projection import project

        projected = project(self.payload.data, keep, drop)
        told = projected.told()
        self.shown = Source(projected.data) if told else self.payload
        return [told] if told else []

    # -- store --------------------------------------------------------------------------------

    def _store(self, store: ResultStore | None, outline: Outline) -> Reference | None:
        if store is None:
            return None
        envelope = self.envelope
        wrapped = envelope is not None and envelope.source is not self.source
        meta: dict[str, Any] = {
            "tokens": self.original_tokens,
            "tokensExact": self.original_exact,
            "encoding": self.tokenizer.encoding,
            "contentType": outline.content_type,
            "server": self.hints.server,
            "tool": self.hints.tool,
            "arguments": dict(self.hints.arguments) if self.hints.arguments else None,
            "source": self.source_name or None,
            "shape": envelope.shape if envelope else None,
            "policy": {"budget": self.budget, "threshold": self.threshold},
            "more": notice.ready(outline.more),
        }
        extension = (
            ".json"
            if wrapped and envelope and envelope.shape != "exec"
            else outline.extension or load(outline.content_type).extension
        )
        return store.put(
            self.source,
            tool=self.hints.tool,
            content_type=outline.content_type,
            extension=extension,
            meta=meta,
            payload=self.payload.text if wrapped else None,
        )

    # -- render -------------------------------------------------------------------------------

    def _fit(self, outline: Outline, reference: Reference | None) -> Compaction:
        """Fill and dress the outline; step down in notice and body until tokens and length both hold."""
        from mcpcompact.fill import Filled, fill
        from mcpcompact.tokens import counter

        raw = counter(self.tokenizer.encoding).count
        count = raw if self.tokenizer.high == 1.0 else lambda text: self._scaled(raw(text))
        assert self.original_tokens is not None
        asked = self._asked()
        known = self._known(asked)
        styles = notice.STYLES[notice.STYLES.index(self.style) :]
        for style in styles:
            body_limit = self.budget
            for _ in range(5):
                widest = Filled("x", outline.total)
                overhead = count(self._dress(outline, reference, widest, style, count))
                room = min(body_limit, self.budget - overhead - 1)
                if room < 24 and style != "none":
                    break
                filled = fill(outline, max(1, room), count, focus=self.hints.focus, known=known, asked=asked)
                text = self._dress(outline, reference, filled, style, count)
                tokens = count(text + "\n")  # as it is printed
                if tokens <= self.budget and tokens < self.original_tokens and self._short_enough(text):
                    return self._done(outline, reference, filled, text, count)
                if tokens > self.budget:
                    body_limit = room - (tokens - self.budget)
                else:
                    body_limit = int(room * 0.9 * self._length_ratio(text))
                if body_limit < 8:
                    break
        return self._last_resort(outline, reference, count)

    def _last_resort(self, outline: Outline, reference: Reference | None, count: Callable[[str], int]) -> Compaction:
        """A budget or an input too small for words of ours: the head of the original, cut exactly."""
        from mcpcompact.choice import clip
        from mcpcompact.fill import Filled

        text = decode(self.payload.read(0, self.budget * 16))
        text = clip(text, self.budget - 1, count)
        while text and not self._short_enough(text):
            text = text[: len(text) * 9 // 10]
        filled = Filled(text, 0)
        return self._done(outline, reference, filled, text, count)

    def _short_enough(self, text: str) -> bool:
        if self.max_chars is not None and len(text) > self.max_chars:
            return False
        if self.policy.max_bytes is not None and len(text.encode("utf-8", "replace")) > self.policy.max_bytes:
            return False
        if len(text) * 4 <= self.payload.size:  # so short that the original has more characters whatever they are
            return True
        return len(text.encode("utf-8", "replace")) <= self.payload.size and len(text) <= len(self.payload.text)

    def _length_ratio(self, text: str) -> float:
        most = min(self.payload.size, self.policy.max_bytes or self.payload.size)
        allowed = most / max(1, len(text.encode("utf-8", "replace")))
        return min(1.0, allowed, (self.max_chars or len(text)) / max(1, len(text)))

    def _dress(
        self, outline: Outline, reference: Reference | None, filled: Filled, style: str, count: _Count, by: str = ""
    ) -> str:
        """The body between the lines of the notice; ``by`` is the model that wrote it."""
        facts = self._notice_facts(outline, reference, filled.shown, filled.lossless)
        facts.written = by
        above, below = notice.render(facts, style, self.reader, count, self.budget)
        return self.prefix + "\n".join(part for part in (above, filled.text, below) if part)

    def _notice_facts(
        self, outline: Outline, reference: Reference | None, shown: int, lossless: str = ""
    ) -> notice.NoticeFacts:
        name = self.hints.tool or "result"
        if self.hints.server:
            name = f"{self.hints.server}.{name}"
        facts = notice.NoticeFacts(
            name=" ".join(name.split())[:60],
            is_error=self._outcome(),
            exit_code=self._exit_code(),
            original_tokens=self.original_tokens or 0,
            exact=self.original_exact and self.tokenizer.exact,
            headline=outline.headline,
            unit=outline.unit,
            total=outline.total,
            shown=shown,
            lossless=lossless,
            more=notice.ready(outline.more),
        )
        if reference is not None:
            facts.reference = reference.id
            facts.where = self._where(reference)
            facts.command = f"mcpcompact results get {reference.id}{self.results_option}"
        return facts

    def _outcome(self) -> bool | None:
        """Whether the call failed, where its message says so; None where it has no place to say it."""
        envelope = self.envelope
        if envelope is None or envelope.is_error:
            return None if envelope is None else True
        says = envelope.shape in ("mcp", "jsonrpc", "tool_result") or self._exit_code() is not None
        return False if says else None

    def _exit_code(self) -> int | None:
        beside = self.envelope.beside if self.envelope else {}
        code = next((beside[key] for key in EXIT_KEYS if key in beside), None)
        return code if isinstance(code, int) and not isinstance(code, bool) else None

    def _beside(self) -> list[str]:
        """What stands beside the payload in its message, as one line: it would be lost from view otherwise."""
        beside = self.envelope.beside if self.envelope else {}
        told = [f"{key}: {' '.join(str(value).split())[:200]}" for key, value in beside.items() if key not in EXIT_KEYS]
        return [f"Beside it: {'; '.join(told)[:400]}"] if told else []

    def _where(self, reference: Reference) -> str:
        """The stored file as the reader may know it: never an absolute path unless the reader opens files itself."""
        path = os.fspath(reference.path)
        relative = os.path.relpath(path)
        if not relative.startswith(os.pardir):
            return relative
        return path if self.reader in ("shell", "read") else os.path.basename(path)

    def _asked(self) -> str:
        """The words of the call and the request."""
        return "\n".join([*map(str, (self.hints.arguments or {}).values()), self.hints.focus or ""]).strip()

    def _known(self, asked: str) -> set[str]:
        """Names the reader has seen: of the request, and of the conversation where that is given."""
        from mcpcompact.atoms import atoms

        known = atoms(asked)
        return known | atoms(self.context) if isinstance(self.context, str) else known.union(self.context or ())

    def _done(
        self, outline: Outline, reference: Reference | None, filled: Filled, text: str, count: _Count
    ) -> Compaction:
        def redress(body: str, model: str) -> str:
            said = self._dress(outline, reference, type(filled)(body, 0), self.style, count, model)
            fits = count(said + "\n") <= self.budget and count(said) < (self.original_tokens or 0)
            return said if fits and self._short_enough(said) else ""

        return self._compaction(
            text,
            "lossless" if filled.lossless else "outline",
            count(text),
            redress=None if filled.lossless else redress,
            items_total=outline.total,
            items_shown=filled.shown,
            lossless=bool(filled.lossless),
            reference=reference,
        )

    def passthrough(self, problem: McpcompactError | None = None) -> Compaction:
        """The original, untouched. Its text is decoded; callers that hold the bytes should print those."""
        text = "" if self.source.large else self.source.text
        if self.original_tokens is None:
            self.original_tokens, self.original_exact = -(-self.source.size // 4), False
        return self._compaction(text, "passthrough", self.original_tokens, problem=problem)

    def _compaction(self, text: str, method: str, tokens: int, **more: Any) -> Compaction:
        assert self.original_tokens is not None
        return Compaction(
            text=text,
            content_type=self.detection.content_type,
            method=method,
            original_tokens=self.original_tokens,
            tokens=tokens,
            budget=self.budget,
            threshold=self.threshold,
            exact=self.original_exact and self.tokenizer.exact,
            original_bytes=self.source.size,
            detection=self.detection,
            envelope=self.envelope,
            masked=self.source.masked,
            warnings=self.warnings,
            own=self.own,
            **more,
        )


__all__ = ("Compaction", "compact")
