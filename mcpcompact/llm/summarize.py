"""The LLM pass: a heuristic compaction in, one written by a model and checked out, or the heuristic one as it was.

mask → ask (whole, or part by part and merged) → verify → fit → record. Nothing leaves before it is masked, and nothing
that a model says is shown before it is checked.
"""

from __future__ import annotations

import dataclasses
import hashlib
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

from mcpcompact.compaction import Compaction
from mcpcompact.errors import UsageError
from mcpcompact.llm import prompts
from mcpcompact.llm.client import Answer, CallError, Client, Messages, Options, ended_by
from mcpcompact.llm.support import Support
from mcpcompact.llm.verify import Verdict, last_dropped, verify
from mcpcompact.masking import Masker
from mcpcompact.paging.splitting import Measure, Splitter
from mcpcompact.pipeline import ToolCall, compact
from mcpcompact.policy import Policy
from mcpcompact.results import Store
from mcpcompact.results.calls import append_audit
from mcpcompact.results.keys import masker_of
from mcpcompact.source import LARGE, Source
from mcpcompact.tokens import high_counter, resolve

WINDOW = 32_768  # tokens that a model is taken to read when nobody knows
FILLED = 0.92  # share of the window that is filled: our count is not every model's
PARTS = 64  # most parts of one result: so many questions are asked at most
MIN_PART, MAX_PART = 120, 1_000  # tokens that the summary of a part may have
MIN_ROOM, MIN_LEFT = 40, 20
"""Tokens under which no summary is asked for, and under which one that was corrected is not worth having."""

Progress = Callable[[int, int], None]


def refine(
    outcome: Compaction,
    payload: Source,
    options: Options,
    *,
    store: Store | None = None,
    server: str | None = None,
    tool: str | None = None,
    arguments: Mapping[str, Any] | None = None,
    focus: str | None = None,
    model: str | None = None,
    encoding: str | None = None,
    policy: Policy | None = None,
    masker: Masker | None = None,
    progress: Progress | None = None,
) -> Compaction:
    """``outcome``, its body written by a model, when that can be had and stands the check; else with a warning.

    ``payload`` is the text that was compacted (``outcome.envelope.source``). It is masked before it is sent, by
    ``masker`` or the built-in rules. Untouched and lossless results are not sent. ``Compaction.llm`` says what
    happened. Never raises for what a model or a network does.
    """
    if outcome.redress is None:
        return outcome
    result = dataclasses.replace(outcome, warnings=list(outcome.warnings))
    job = _Pass(outcome, outcome.redress, options, store, model, encoding)
    reason = ""
    try:
        call = ToolCall(tool, server, arguments, focus)
        verdict, text, answer = job.run(masker or masker_of(store), payload, call, policy, progress)
        if text:
            result.text, result.tokens, result.method, result.items_shown = text, job.count(text), "llm", 0
        else:
            reason = f"the summary of {answer.model} is not trusted: {verdict.why}"
        report = {**verdict.as_dict(), **job.told(), "cached": answer.cached}
        result.llm = {"model": answer.model, "style": options.style, **report}
    except Exception as error:  # the rail: the heuristic result is at hand whatever went wrong
        reason = ended_by(error)
    if reason:
        if result.llm is None:
            result.llm = {"model": options.model, "style": options.style, "verdict": "failed", "reason": reason}
            result.llm |= job.told()
        result.warnings.append(f"LLM pass: {reason} (the heuristic result stands)")
    elif store is not None and result.reference is not None:
        store.remember(result.reference.id, result.text)
    job.record(result)
    return result


class _Pass:
    """One result's way through the model: what was asked so far is kept for the audit, whatever happens next."""

    def __init__(
        self, outcome: Compaction, redress: Callable[[str, str], str], options: Options, store: Store | None,
        model: str | None, encoding: str | None,
    ) -> None:  # fmt: skip
        self.outcome, self.redress, self.options = outcome, redress, options
        self.model, self.encoding = model, encoding
        self.count, self.tokens = high_counter(model, encoding), high_counter(options.model)  # of the one that is asked
        directory = getattr(store, "directory", "")
        self.directory = "" if "://" in directory else directory  # where answers and the audit are kept
        self.client = Client(options, self.directory)
        self.parts = 0

    def run(
        self, masker: Masker, payload: Source, call: ToolCall, policy: Policy | None, progress: Progress | None
    ) -> tuple[Verdict, str, Answer]:
        """The verdict, the text with its notice ("" when it is not trusted), and the answer it came from."""
        outcome, options, count = self.outcome, self.options, self.count
        self.masker, self.client.clean = masker, masker.text
        if options.style not in prompts.STYLES:
            raise UsageError(f"unknown style '{options.style}'", hint=f"use one of {', '.join(prompts.STYLES)}")
        if payload.size > LARGE:
            raise CallError(f"over {LARGE >> 20} MB are not sent to a model", hint="chunk it first")
        room = self._room()
        source, facts = self._masked(payload, call, policy)
        known = prompts.known(outcome, call, options.conversation, facts, masker.text)
        answer = self._ask_all(known, source, room, progress)
        support = Support(source, facts)
        verdict = verify(answer.text, support, MIN_LEFT, count)
        if answer.finish == "length" and not verdict.why and not answer.text.rstrip().endswith((".", "!", "?", "|")):
            verdict.text = last_dropped(verdict.text)  # the provider cut it: its last sentence is half of one
        body, text = verdict.text, ""
        while body and not (text := self.redress(body, answer.model)):
            body = last_dropped(body)
        if not text and not verdict.why:
            verdict.why, verdict.text = "nothing of it fits the budget", ""
        return verdict, text, answer

    def _room(self) -> int:
        """Tokens that the body may have beside the notice."""
        dressed = self.redress("x", self.options.model)
        room = self.outcome.budget - self.count(dressed + "\n") - 1 if dressed else 0
        if room < MIN_ROOM:
            raise CallError(f"a budget of {self.outcome.budget} leaves no room for a summary", hint="raise --budget")
        return room

    def _masked(self, payload: Source, call: ToolCall, policy: Policy | None) -> tuple[str, str]:
        """The text to send and the outline of it. The outline of a text in which something was masked is made anew: in
        another layout a secret might not be known for one."""
        data, outcome = payload.data, self.outcome
        keep, drop = (policy.keep_fields, policy.drop_fields) if policy is not None else ((), ())
        if (keep or drop) and outcome.content_type in ("records", "json", "table"):
            from mcpcompact.retrieval.projection import project

            data = project(data, keep, drop).data
        masked = data if outcome.masked is not None else self.masker.data(data)
        source = Source(masked)
        facts = _undressed(outcome.text)
        if masked != data:
            plain = Policy(max(outcome.budget, 200), 0, "none", "none")
            focus = self.masker.text(call.focus or "") or None
            facts = compact(
                source, policy=plain, tool=call.tool, server=call.server, focus=focus,
                content_type=outcome.content_type, model=self.model, encoding=self.encoding,
            ).text  # fmt: skip
        return source.text, self.masker.text(facts)

    # -- asking

    def _ask_all(self, known: list[str], source: str, room: int, progress: Progress | None) -> Answer:
        """The whole in one question where the window holds it, else part by part, at most ``jobs`` at a time."""
        style, window = self.options.style, self.client.window(self.options.model) or WINDOW
        empty = sum(self.tokens(message["content"]) + 8 for message in prompts.messages(known, "", room, style))
        free = int(window * FILLED) - empty - room
        if free < MIN_PART:
            raise CallError(
                f"{self.options.model}: a window of {window:,} tokens is too small for the prompt ({empty + room:,})",
                hint="choose a model with a larger one, or a smaller --budget",
            )
        if self.tokens(source) <= free:
            return self.client.ask(prompts.messages(known, source, room, style), room, "result")
        cap = max(MIN_PART, min(MAX_PART, free // 4))
        pieces = self._cut(source, max(MIN_PART, free + room - cap - 60))
        self.parts = len(pieces)
        if len(pieces) > PARTS:
            raise CallError(
                f"{self.options.model}: its window would need {len(pieces):,} parts, and {PARTS} are asked for at most",
                hint="choose a model with a larger window",
            )
        each = min(cap, max(MIN_PART, (free - 20 * len(pieces)) // len(pieces)))
        if each * len(pieces) > free:
            raise CallError(f"{self.options.model}: its window does not hold the summaries of {len(pieces):,} parts")
        questions = [
            (prompts.messages(known, piece, each, style, n, len(pieces)), each, f"part {n} of {len(pieces)}")
            for n, piece in enumerate(pieces, 1)
        ]
        support = [answer.text for answer in self._ask_parts(questions, progress)]
        return self.client.ask(prompts.merging(known, support, room, style), room, "merge")

    def _ask_parts(self, questions: Sequence[tuple[Messages, int, str]], progress: Progress | None) -> list[Answer]:
        pool = ThreadPoolExecutor(min(self.options.jobs, len(questions)))
        try:
            futures = [pool.submit(self.client.ask, *question) for question in questions]
            for done, future in enumerate(as_completed(futures), 1):
                future.result()  # the first that fails ends the pass
                if progress is not None:
                    progress(done, len(questions))
            return [future.result() for future in futures]
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _cut(self, source: str, limit: int) -> list[str]:
        tokenizer = resolve(self.options.model)
        splitter = Splitter(self.outcome.content_type, "auto", Measure(tokenizer.encoding), int(limit / tokenizer.high))
        whole = Source(source.encode("utf-8", "surrogatepass"))
        return [whole.read(span.start, span.end).decode("utf-8", "replace") for span in splitter.split(whole)]

    # -- what is said of it

    def told(self) -> dict[str, Any]:
        """Calls, tokens and seconds, for the JSON."""
        records, usage = self.client.records, Counter[str]()
        for record in records:
            usage.update(record.get("usage", {}))
        seconds = round(sum(record["seconds"] for record in records), 3)
        figures = {"calls": len(records), "usage": dict(usage), "seconds": seconds}
        return figures | ({"parts": self.parts} if self.parts else {})

    def record(self, result: Compaction) -> None:
        """Every call on record beside the stored result, the verdict with the last. A failure costs the record only."""
        reference = result.reference
        lines = [*self.client.known, *self.client.records]
        if reference is None or not lines:
            return
        if not self.directory:
            result.warnings.append("no audit of the LLM pass is kept: the results directory is not a local one")
            return
        for line in lines:
            line.setdefault("messages", [])
            line["messagesSha256"] = hashlib.sha256(repr(line["messages"]).encode("utf-8", "replace")).hexdigest()
        verdict = {key: value for key, value in (result.llm or {}).items() if key in _VERDICT}
        lines[-1] = {**lines[-1], "outcome": verdict, "method": result.method}
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        try:
            append_audit(reference, ({"time": at, "result": reference.id, **line} for line in lines))
        except OSError as error:
            result.warnings.append(f"the audit of the LLM pass could not be written: {error.strerror or error}")


_VERDICT = ("verdict", "sentencesKept", "sentencesRemoved", "claimsChecked", "removed", "reason")


def _undressed(text: str) -> str:
    """A compaction without the lines of its notice."""
    lines = text.split("\n")
    while lines and lines[0].startswith(("[mcpcompact]", "Full: ", "More: ", "Rest: ", "Original: ", "Or with: ")):
        lines.pop(0)
    while lines and (lines[-1].startswith("[mcpcompact]") or not lines[-1].strip()):
        lines.pop()
    return "\n".join(lines)
