"""The pipeline: bytes → unwrap → detect → outline → fill → store → render.

``compact`` is their sequence and the rails around it: at or under the threshold the input comes out untouched, over it
the text is within the budget and never longer than the input; when anything fails the original comes out and says so.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any

from mcpcompact import notice
from mcpcompact.compaction import Compaction
from mcpcompact.config import DEFAULT_BUDGET, Policy
from mcpcompact.content.detect import Detection, detect, load
from mcpcompact.content.shared.datatext import as_json, outlined
from mcpcompact.engine.beside import say_beside
from mcpcompact.errors import InputError, MaskError, McpcompactError, UsageError
from mcpcompact.outline import Hints, Outline, Source, decode
from mcpcompact.shell import command, words
from mcpcompact.tokens import count_blocks, counter, resolve, sample
from mcpcompact.tokens.encodings import well_formed

if TYPE_CHECKING:
    from mcpcompact.content.shared.datatext import View
    from mcpcompact.engine.choice import Answers
    from mcpcompact.engine.fill import Filled
    from mcpcompact.inputs.envelope import Envelope
    from mcpcompact.masking import Masker
    from mcpcompact.results import Reference, ResultStore
    from mcpcompact.results.own import Own
    from mcpcompact.tokens import Tokenizer

_Count = Callable[[str], int]

EXACT_LIMIT = 4 * 1024 * 1024
"""Above this many bytes ``original_tokens`` is a sampled estimate unless ``exact`` is asked for."""


def compact(
    result: Any,
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
    encoding_in: str | None = None,
) -> Compaction:
    """Compact one tool result into at most ``budget`` tokens.

    ``result`` is text, bytes, a message that carries the result (MCP ``CallToolResult``, JSON-RPC
    envelope, content array, Anthropic ``tool_result``, OpenAI ``tool`` message) or a ``Source``.
    ``threshold`` (default twice the budget): results of at most so many tokens come back untouched.
    ``arguments`` and ``focus`` rank what is shown. ``context`` is the conversation so far, as text or as a
    collection of its names (``mcpcompact.engine.atoms.atoms`` of each message; a caller of many results keeps adding
    to one set): a name that stands there already needs little showing. With a ``store`` the full result is kept
    byte for byte and the text says how to get the rest; without one it carries no reference.

    ``policy``, when given, stands for budget, threshold, reader, notice and ``max_chars`` at once.
    ``prefix`` stands before the text and counts. ``max_chars`` bounds the characters besides the tokens.

    ``mask`` replaces secrets by stable placeholders before anything else happens: what is stored, counted and
    returned is masked, ``arguments`` and ``focus`` included. ``True`` takes the built-in rules.

    ``encoding_in`` names the encoding of bytes that are not UTF-8 (``windows-1252``, ``gbk``); else it is guessed where
    they are clearly text, and ``warnings`` says so. What is stored are the bytes as they came.

    Raises ``UsageError`` for impossible options and ``MaskError`` when secrets cannot be masked: nothing is stored.
    Any later failure returns the original (masked, where that was asked for), with ``Compaction.problem`` set.
    """
    from mcpcompact.inputs.values import plain

    policy = policy or Policy(budget, threshold, reader, notice_style, max_chars)
    notice.check(policy)
    if content_type is not None:
        load(content_type)  # an unknown name is the caller's mistake, not the input's
    hints = Hints(tool=tool, server=server, arguments=plain(arguments) if arguments else None, focus=focus)
    job = _Job(policy, resolve(model, encoding), hints)
    job.exact, job.forced_type, job.prefix = exact, content_type, prefix
    job.results_option, job.source_name, job.context, job.encoding_in = (
        results_option,
        source_name,
        context,
        encoding_in,
    )
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
        self.exact = self.parsed = self.lacks_fields = False
        self.view: View | None = None  # of a text whose fields are left out
        self.forced_type: str | None = None
        self.prefix = self.results_option = self.source_name = ""
        self.context: str | Collection[str] | None = None
        self.source = Source(b"")
        self.payload = self.shown = self.decoded = self.source
        self.encoding_in: str | None = None
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

    def run(self, result: Any, store: ResultStore | None) -> Compaction:
        self._open(result)
        self._count_original()
        passes = self._passes()
        self._detect()
        if passes or self._is_own(store):
            return self.passthrough()
        left_out = self._project()
        outline = self._outline()
        if self.envelope is not None:
            say_beside(outline, self.envelope.beside)
        outline.notes += left_out
        if left_out:
            outline.lossless = []  # whatever is shown of it, fields are missing
        outline.more = notice.ready(outline)
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

    def _open(self, result: Any) -> None:
        from mcpcompact.inputs.envelope import unwrap
        from mcpcompact.inputs.reading import in_utf8
        from mcpcompact.inputs.values import source_of

        self.source, self.parsed, problem = source_of(result)
        if self.masker is not None:
            self._mask(self.masker)
        self.payload = self.decoded = self.source
        if problem is not None:
            raise problem
        self.decoded, told = in_utf8(self.source, self.encoding_in)
        if told:
            self.warnings.append(told)
        self.envelope = unwrap(self.decoded, parsed=self.parsed)
        self.payload = self.envelope.source
        if self.hints.tool is None:
            self.hints.tool = self.envelope.tool
        self.hints.is_error = bool(self.envelope.is_error)

    def _mask(self, masker: Masker) -> None:
        """Before anything is counted, stored or shown: the source, and what the caller says about the call."""
        import json

        from mcpcompact.inputs.reading import masked

        hints = self.hints
        if hints.arguments:
            hints.arguments = json.loads(masker.text(json.dumps(hints.arguments, ensure_ascii=False)))
        for name in ("focus", "tool", "server"):
            setattr(hints, name, masker.text(getattr(hints, name) or "") or None)
        self.source_name = masker.text(self.source_name)
        masker.encoding = self.encoding_in
        self.source = masked(self.source, masker)

    def _count_original(self) -> None:
        if self.payload.size > EXACT_LIMIT and not self.exact:
            sampled = sample(self.payload, self.tokenizer.encoding)
            self.original_tokens, self.original_exact = self._scaled(sampled.tokens), False
        elif self.payload.large:
            self.original_tokens = self._scaled(count_blocks(self.payload.blocks(), self.tokenizer).tokens)
        else:
            self.original_tokens = self._tokens(self.payload.text)
            self._count_around()

    def _count_around(self) -> None:
        """A message that passes is printed as it came, so what stands around its payload counts for the threshold; a
        shell's header is part of what the agent saw, and counts always."""
        assert self.original_tokens is not None
        shell = self.envelope is not None and self.envelope.shape == "exec"
        if self.payload is self.decoded or self.parsed or not (shell or self.original_tokens <= self.threshold):
            return
        whole = self._tokens(self.decoded.text)
        if shell or whole > self.threshold:
            self.original_tokens = whole

    def _tokens(self, text: str) -> int:
        return self._scaled(counter(self.tokenizer.encoding).count(text))

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
            made = load(name).outline(self.shown, self.hints)
            if made.content_type != name:  # what looked like records in the sample was one of several documents
                self.detection = Detection(made.content_type, self.detection.score, self.detection.why)
            return made if self.view is None else outlined(made, self.view)
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
        kind = self.detection.content_type
        if not (keep or drop) or kind not in ("records", "json", "table", "code"):
            return []
        if self.payload.large or kind == "code":  # YAML and TOML that are no records are read by their lines
            why = "no records" if kind == "code" else "over 64 MB"
            self.warnings.append(f"keep_fields and drop_fields were not applied: {why}")
            return []
        from mcpcompact.retrieval.projection import project

        view = as_json(self.payload) if kind != "table" else None
        projected = project((self.payload if view is None else view.source).data, keep, drop)
        self.lacks_fields = bool(keep) and projected.kept.isdisjoint(keep)
        if missing := projected.missing(keep):
            self.warnings.append(missing)
        told = "" if self.lacks_fields else projected.told()  # all fields say more than rows of none
        self.shown, self.view = (Source(projected.data), view) if told else (self.payload, None)
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
            "arguments": self.hints.arguments,
            "source": self.source_name or None,
            "shape": envelope.shape if envelope else None,
            "policy": {"budget": self.budget, "threshold": self.threshold},
            "more": outline.more,
        }
        extension = (
            ".json"
            if wrapped and envelope and envelope.shape not in ("exec", "plain")
            else outline.extension or load(outline.content_type).extension
        )
        return store.put(
            self.source,
            tool=self.hints.tool,
            content_type=outline.content_type,
            extension=extension,
            meta=meta,
            payload=self.payload.text if wrapped and not self.payload.large else None,
        )

    # -- render -------------------------------------------------------------------------------

    def _fit(self, outline: Outline, reference: Reference | None) -> Compaction:
        """Fill and dress the outline; step down in notice and body until tokens and length both hold."""
        from mcpcompact.engine.atoms import atoms
        from mcpcompact.engine.fill import Filled, fill, parts

        count = self._tokens
        assert self.original_tokens is not None
        asked = self.hints.words()
        known = atoms(asked).union(atoms(self.context) if isinstance(self.context, str) else self.context or ())
        named: list[Answers] = []
        if asked:
            from mcpcompact.engine.asked import answers

            get = self._notice_facts(outline, reference, 0).command
            named = answers(self.shown, outline, self.hints, self.source_name, get)
        styles = (self.style, "short") if self.style == "full" else (self.style,)
        for style in styles:
            body_limit = self.budget
            for _ in range(5):
                most = Filled("x", outline.total, parts=parts(outline))
                overhead = count(self._dress(outline, reference, most, style, count))
                room = min(body_limit, self.budget - overhead - 1)
                if room < notice.LEAST_BODY and style == "full":
                    break
                filled = fill(outline, max(1, room), count, self.hints.focus, known, asked, named)
                if filled.lossless and notice.framed(filled.text) != filled.text:  # with marks it is another text
                    outline.lossless = []
                    continue
                text = self._dress(outline, reference, filled, style, count)
                tokens = count(text + "\n")  # as it is printed
                if tokens <= self.budget and tokens < self.original_tokens and self._short_enough(text):
                    return self._done(outline, reference, filled, text, count)
                if tokens > self.budget:
                    body_limit = min(room, count(filled.text)) - (tokens - self.budget)  # of what it took, not could
                else:
                    body_limit = int(room * 0.9 * self._length_ratio(text))
                if body_limit < 8:
                    break
        return self._last_resort(outline, reference, count)

    def _last_resort(self, outline: Outline, reference: Reference | None, count: Callable[[str], int]) -> Compaction:
        """A budget or an input too small for an outline: the head of the original, under a notice if there is room."""
        from mcpcompact.engine.choice import clip
        from mcpcompact.engine.fill import Filled

        head, total = decode(self.payload.read(0, self.budget * 16)), sum(len(decode(b)) for b in self.payload.blocks())
        style, most = "none" if self.style == "none" else "short", min(self.budget, self.original_tokens or 0)
        room = most - count(self._dress(outline, reference, Filled("x", 0, head=True), style, count))
        for tenths in range(10, 0, -1):
            filled = Filled(clip(head, room * tenths // 10, count, total), 0, head=True)
            text = self._dress(outline, reference, filled, style, count)
            if filled.text and count(text + "\n") <= most and self._short_enough(text):
                return self._done(outline, reference, filled, text, count)
        if most < self.budget and not self.payload.large and self._short_enough(whole := self.payload.text):
            if self.payload is self.decoded or count(self.decoded.text + "\n") <= self.budget:
                return self.passthrough()  # as short as it can be said
            return self._done(outline, reference, Filled(whole, outline.total), whole, count)  # out of its message
        text = clip(head, most - 1, count, total)
        while text and not self._short_enough(text):
            head = head[: min(len(head), len(text)) * 9 // 10]
            text = clip(head, most - 1, count, total)
        text = text or "…"
        return self._done(outline, reference, Filled(text, 0), text, count)

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
        facts.written, facts.head, facts.parts = by, filled.head and not by, filled.parts
        above, below = notice.render(facts, style, self.reader, count, self.budget)
        return well_formed(self.prefix + "\n".join(part for part in (above, notice.framed(filled.text), below) if part))

    def _notice_facts(
        self, outline: Outline, reference: Reference | None, shown: int, lossless: str = ""
    ) -> notice.NoticeFacts:
        name = self.hints.tool or "result"
        if self.hints.server:
            name = f"{self.hints.server}.{name}"
        facts = notice.NoticeFacts(
            name=notice.framed(" ".join(name.split())[:60]),
            is_error=notice.outcome(self.envelope),
            exit_code=notice.exit_code(self.envelope),
            original_tokens=self.original_tokens or 0,
            exact=self.original_exact and self.tokenizer.exact,
            headline=notice.framed(outline.headline),
            unit=outline.unit,
            total=outline.total,
            shown=shown,
            lossless=lossless,
            more=[command(*words(chosen)) for chosen in outline.more],
        )
        if reference is not None:
            facts.reference = reference.id
            facts.where = reference.as_read(self.reader)
            caller = notice.CALLERS.get(self.reader, "").split()
            options = shlex.split(self.results_option) if self.reader == "mcpcompact" else ()
            facts.command = command(*caller, reference.id, *options) if caller else ""
        return facts

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
            items_shown=max(0, filled.shown),
            lossless=bool(filled.lossless),
            reference=reference,
        )

    def passthrough(self, problem: McpcompactError | None = None) -> Compaction:
        """The original, untouched. Its text is decoded; callers that hold the bytes should print those."""
        text = "" if self.source.large else self.decoded.text
        if self.original_tokens is None:
            self.original_tokens, self.original_exact = -(-self.source.size // 4), False
        elif text and self.payload is not self.decoded:  # it comes out with the message around it
            self.original_tokens = self._tokens(text)
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
            lacks_fields=self.lacks_fields,
            **more,
        )


__all__ = ("Compaction", "compact")
