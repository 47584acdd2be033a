"""Policies that rewrite the conversation as it grows: a summary of older rounds, a ladder at the window's edge."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mcpcompact.errors import UsageError
from mcpcompact.phrasing import MAX_DIGITS, counted, fitted
from mcpcompact.replaying.cuts import head
from mcpcompact.replaying.policies import Policy
from mcpcompact.replaying.session import Context, Session, arguments_text
from mcpcompact.tokens.models import bare, context_limit
from mcpcompact.transcripts.model import Message, Transcript

_PATH = 200  # characters
_WORTH = 50  # tokens
SUMMARY = 1_500  # tokens of a conversation summary, at most


class History(Policy):
    """Above TRIGGER tokens older rounds become one ``<conversation-summary>``: goals, calls, results, files touched.

    The system prompt and the most recent rounds stay. Deterministic and offline; every word of it stood in the session.
    """

    name, syntax, says = "history", "history[:TRIGGER]", "above TRIGGER tokens of context, summarize the older rounds"
    takes, least = ("trigger",), 1
    trigger = 80_000
    RECENT = 0.3  # share of the trigger that the most recent messages keep
    _summarised = 0

    def start(self) -> None:
        self._summarised = 0

    def before(self, context: Context) -> None:
        if context.size <= self.trigger:
            return
        messages, costs = context.session.messages, context.prompt.costs
        first, last = _older(messages, costs, self.trigger * self.RECENT)
        if last <= max(first, self._summarised + 1):
            return  # nothing new to summarise
        text = self.summary(messages[first:last], context)
        for i in range(first, last):
            context.set(i, text if i == first else "")
            if i in context.shown:
                context.shown[i] = text  # what stands for the result now
        self._summarised = context.cut = last
        context.summary = text

    def summary(self, messages: Sequence[Message], context: Context) -> str:
        return summary(messages, context.session.count.once)


class HistoryByModel(History):
    """The same, the summary written by a model and checked (``mcpcompact.llm``); the offline form where that fails."""

    name, syntax = "history:llm", "history:llm,MODEL[,TRIGGER]"
    says = "the same, with a summary that a model writes (extra llm) and that is checked"

    def __init__(self, spec: str, *arguments: str) -> None:
        model, *rest = [part.strip() for part in ",".join(arguments).split(",")[1:]] or [""]
        if not model:
            raise UsageError(f"policy {spec}: no model is named", hint=f"write {self.syntax}")
        super().__init__(spec, *rest)
        self.model = model

    def summary(self, messages: Sequence[Message], context: Context) -> str:
        from mcpcompact.config import results_dir
        from mcpcompact.llm import Options
        from mcpcompact.llm.history import summarise_history
        from mcpcompact.results.keys import masker_of

        count = context.session.count.once
        offline = summary(messages, count)
        return summarise_history(
            messages, Options(self.model), offline, SUMMARY, count, masker=masker_of(None), directory=results_dir()[0]
        ).text


@dataclass(slots=True)
class Rounds:
    """The older messages of a session: ``kept`` are the recent ones behind them, ``tokens`` theirs in all; ``system``
    is the prompt before them; ``count`` counts as the session does."""

    messages: list[Message]
    kept: int
    tokens: int
    system: str
    count: Callable[[str], int]


RECENT_SHARE, RECENT_TOKENS = 0.3, 20_000
"""The most recent messages stay: so much of a session, and no more tokens than these."""


def older(transcript: Transcript, model: str | None, encoding: str | None) -> Rounds:
    """What a summary of a session's older rounds is made of. A result stays with its call."""
    session = Session(transcript, model=model, encoding=encoding)
    messages, costs = session.messages, session.costs
    first, last = _older(messages, costs, min(RECENT_TOKENS, sum(costs) * RECENT_SHARE))
    system = "\n\n".join(message.text for message in messages[:first])
    return Rounds(messages[first:last], len(messages) - last, sum(costs[first:last]), system, session.count.once)


def _older(messages: Sequence[Message], costs: Sequence[int], most: float) -> tuple[int, int]:
    """Where the older messages of a prompt begin and end, behind the system's: the recent ones are at most so many
    tokens, but always the last round: what the model just asked for it has not seen yet."""
    count = len(costs)
    first = next((i for i in range(count) if messages[i].role != "system"), count)
    last, kept = count, 0
    while last > first and kept + costs[last - 1] <= most:
        last -= 1
        kept += costs[last]
    while last < count and messages[last].role == "tool":
        last += 1  # a result stays with its call
    asked = next((i for i in range(count - 1, first - 1, -1) if messages[i].role == "assistant"), count)
    while first < asked < count and messages[asked].continues:  # one answer in several messages
        asked -= 1
    return first, min(last, asked)


def summary(messages: Sequence[Message], count: Callable[[str], int], limit: int = SUMMARY) -> str:
    """What the messages were about, in at most ``limit`` tokens."""
    goals = [_line(m.text, 300) for m in messages if m.role == "user" and m.text.strip()]
    texts = [_line(m.text, 200) for m in messages if m.role == "assistant" and m.text.strip()]
    calls = Counter(call.tool for m in messages for call in m.calls)
    files: Counter[str] = Counter()
    results = []
    for message in messages:
        for call in message.calls:
            for value in call.arguments.values():
                if isinstance(value, str) and _is_path(value):
                    files[value] += 1
        if message.result is not None and message.result.call is not None:
            call = message.result.call
            asked = fitted(re.sub(r"\s+", " ", arguments_text(call.arguments)), 100)
            outcome = "failed: " if message.result.is_error else ""
            results.append(f"{call.tool} {asked} -> {outcome}{_line(message.text, 120)}")
    parts = [
        ("Goals", [*goals[:3], *goals[3:][-7:]], 500),
        ("Calls", [", ".join(f"{tool} x{n}" for tool, n in calls.most_common(20))] if calls else [], 150),
        ("Files touched", [path for path, _ in files.most_common(40)], 300),
        ("Last said", texts[-3:], 150),
        ("Latest results", list(reversed(results[-20:])), 1_000),
    ]
    out, left = [f"<conversation-summary>\n{counted(len(messages), 'message')} before this one."], limit - 40
    for title, lines, share in parts:
        room = min(left, share * limit // SUMMARY)
        chosen = []
        for line in lines:
            cost = count(f"- {line}\n")
            if cost > room:
                break
            chosen.append(f"- {line}")
            room -= cost
            left -= cost
        if chosen:
            out.append("\n".join([f"{title}:", *chosen]))
    return "\n".join([*out, "</conversation-summary>"])


def _is_path(value: str) -> bool:
    return "/" in value[1:] and "://" not in value and len(value) < _PATH and not set(value) & set(" \n*{")


def _line(text: str, width: int) -> str:
    return fitted(" ".join(text[: width * 4].split()), width)


class Window(Policy):
    """The ladder of iHub, climbed when 80 % of the model's window is passed: tool results cut to a tenth of the window
    each; then older messages to 0.7 of their length; then the oldest dropped."""

    name, syntax = "window", "window:MODEL"
    says = "at 80 % of the window: results to 10 % of it, older messages to 70 %, oldest dropped (iHub)"
    FULL, RESULT, OLDER, RECENT = 0.8, 0.1, 0.7, 10

    def __init__(self, spec: str, *arguments: str) -> None:
        self.spec = spec
        model = arguments[0].strip() if arguments else ""
        window = context_limit(bare(model)) if model else None
        if model.isascii() and model.isdigit():
            window = int(model[:MAX_DIGITS])
        if not window:
            raise UsageError(f"policy {spec}: the window of '{model}' is not known",
                             hint="name a model such as gpt-4o, or the window in tokens")  # fmt: skip
        self.window = window
        self.start()

    def start(self) -> None:
        self._shortened: set[int] = set()
        self._cut: set[int] = set()

    def before(self, context: Context) -> None:
        limit = int(self.window * self.FULL)
        for rung in (self._cut_results, self._shorten_older, self._drop_oldest):
            if context.size <= limit:
                return
            rung(context, limit)

    def _cut_results(self, context: Context, limit: int) -> None:
        most = int(self.window * self.RESULT)
        for i in list(context.shown):
            if i not in self._cut and context.prompt.costs[i] > most:
                self._cut.add(i)
                context.set(i, self._head(context, i, most))

    def _shorten_older(self, context: Context, limit: int) -> None:
        messages, costs = context.session.messages, context.prompt.costs
        for i in range(max(0, len(costs) - self.RECENT)):
            if context.size <= limit:
                return
            if i not in self._shortened and costs[i] > _WORTH and messages[i].role != "system":
                self._shortened.add(i)
                context.set(i, self._head(context, i, int(costs[i] * self.OLDER)))

    def _drop_oldest(self, context: Context, limit: int) -> None:
        messages, costs = context.session.messages, context.prompt.costs
        for i in range(max(0, len(costs) - 1)):
            if context.size <= limit:
                return
            if costs[i] and messages[i].role != "system":
                context.set(i, "", 0)
                context.cut = i + 1

    def _head(self, context: Context, position: int, budget: int) -> str:
        text = context.shown.get(position, context.session.messages[position].text)
        return head(text, budget, context.prompt.costs[position], context.session.count.once)
