"""What a replay found: figures that add up, and the report that holds them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import add
from typing import Any

from mcpcompact.phrasing import keyed
from mcpcompact.replaying.evidence import Fates
from mcpcompact.transcripts.model import Omissions

BIASES = (
    "The agent saw the full results: what it did not use is not therefore useless, and what it would have done with"
    " less is not known.",
    "Derived values are invisible: a number that the agent computed from a result is no evidence here.",
    "An atom kept in a later result, or repeated in a user's message, still counts as lost for the result that showed"
    " it first.",
    "A retrieval is assumed to succeed at the first attempt; the turn it takes is in netSavedWithTurnsPercent only.",
    "Caches are assumed perfect: no least length, no expiry. Images and framing are not counted.",
)


AGGREGATES: dict[str, Callable[[Any, Any], Any]] = {"peak": max, "overflow": min}  # all others are sums


@dataclass(slots=True)
class Figures:
    """The sums of one policy over some results or sessions. ``*_none`` are those without any policy."""

    policy: str
    sessions: int = 0
    results: int = 0
    changed: int = 0
    failed: int = 0
    before: int = 0
    after: int = 0
    billed: int = 0
    billed_none: int = 0
    cached: int = 0
    retrieved: int = 0
    turns: int = 0
    retrievals: int = 0
    cost: float | None = None
    cost_none: float | None = None
    priced: int = 0
    peak: int = 0
    overflow: int | None = None
    overflows: int = 0
    fates: Fates = field(default_factory=Fates)
    error_lines: int = 0
    error_lines_kept: int = 0
    false_absence: int = 0
    inflated: int = 0
    seconds: float = 0.0

    def add(self, other: Figures) -> None:
        for name in self.__slots__:
            mine, theirs = getattr(self, name), getattr(other, name)
            if name == "fates":
                mine.add(theirs)
            elif name != "policy" and theirs is not None:  # what is None in one of them is that of the other
                setattr(self, name, theirs if mine is None else AGGREGATES.get(name, add)(mine, theirs))

    @property
    def result_saved(self) -> float | None:
        return _share(self.before - self.after, self.before)

    @property
    def billed_saved(self) -> float | None:
        return _share(self.billed_none - self.billed, self.billed_none)

    @property
    def cost_saved(self) -> float | None:
        """Of the cost of the sessions whose model has a price, before retrievals."""
        return _share((self.cost_none or 0) - (self.cost or 0), self.cost_none or 0)

    @property
    def net_saved(self) -> float | None:
        """Of billed tokens, after the retrievals of what was used and not kept."""
        return _share(self.billed_none - self.billed - self.retrieved, self.billed_none)

    @property
    def net_saved_with_turns(self) -> float | None:
        """As ``net_saved``, each retrieval also a model call of its own that sends the context once more."""
        return _share(self.billed_none - self.billed - self.retrieved - self.turns, self.billed_none)

    @property
    def errors_kept(self) -> float | None:
        return _share(self.error_lines_kept, self.error_lines)

    def as_dict(self, sessions: bool = True) -> dict[str, Any]:
        """The figures as ``replay --json`` names them; those of whole sessions only where they are known."""
        figures: dict[str, Any] = {"policy": self.policy, "results": self.results, "resultsChanged": self.changed}
        if self.failed:
            figures["resultsFailed"] = self.failed
        figures |= {
            "resultTokensBefore": self.before,
            "resultTokensAfter": self.after,
            "resultSavedPercent": self.result_saved,
        }
        if sessions:
            figures |= {
                "billedPromptTokens": self.billed,
                "cachedPromptTokens": self.cached,
                "freshPromptTokens": self.billed - self.cached,
                "billedSavedPercent": self.billed_saved,
                "netSavedPercent": self.net_saved,
                "netSavedWithTurnsPercent": self.net_saved_with_turns,
                "retrievals": self.retrievals,
                "retrievalTokens": self.retrieved,
                "costUsd": None if self.cost is None else round(self.cost, 4),
                "costSavedPercent": self.cost_saved,
                "sessionsPriced": self.priced,
                "peakContext": self.peak,
                "overflowCall": self.overflow,
                "sessionsOverflowing": self.overflows,
            }
        return figures | {
            "evidence": self.fates.as_dict(),
            "falseAbsence": self.false_absence,
            "inflated": self.inflated,
            "errorLines": self.error_lines,
            "errorLinesKeptPercent": self.errors_kept,
            "compactionSeconds": round(self.seconds, 3),
        }


def _share(part: float, whole: float) -> float | None:
    return round(100 * part / whole, 1) if whole else None


@dataclass(slots=True)
class Loss:
    """An atom that a policy did not keep: where it stood, where it was used, the result before and after.

    ``before`` and ``after`` are excerpts of at most ``EXCERPT`` characters, from ``excerpt_at`` and from the start, of
    ``chars_before`` and ``chars_after``; ``lost`` counts the strong uses that this result lost, of ``uses``. ``fates``
    are those of this atom under every policy, ``kept`` how many of the result's strong uses each keeps readable.
    """

    policy: str
    source: str
    position: int
    tool: str
    atom: str
    strength: str
    fate: str
    line: int
    stood: str
    used: str
    used_at: int
    lost: int
    uses: int
    tokens_before: int
    tokens_after: int
    before: str
    after: str
    excerpt_at: int = 0
    chars_before: int = 0
    chars_after: int = 0
    fates: dict[str, str] = field(default_factory=dict)
    kept: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Pair:
    """One result under two policies, for ``--by ab``: its tokens, and of its strong uses those that each keeps."""

    source: str
    position: int
    tool: str
    tokens_before: int
    tokens_a: int
    tokens_b: int
    kept_a: int
    kept_b: int
    strong_uses: int

    @property
    def lead(self) -> int:
        """How many uses A keeps more than B."""
        return self.kept_a - self.kept_b


@dataclass(slots=True)
class Row:
    """One session: its companions, and the figures, context growth and worst losses of each policy by its spec."""

    source: str
    format: str
    name: str = ""
    model: str = ""
    parent: str = ""
    window: int | None = None
    recorded: bool = False
    messages: int = 0
    calls: int = 0
    results: int = 0
    result_tokens: int = 0
    omissions: Omissions = field(default_factory=Omissions)
    images: int = 0
    repeated: int = 0
    result_chars: int = 0
    duplicates: int = 0
    repeated_calls: int = 0
    problems: list[str] = field(default_factory=list)
    figures: dict[str, Figures] = field(default_factory=dict)
    growth: dict[str, list[int]] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    groups: dict[str, dict[str, dict[str, Figures]]] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return f"{self.source}#{self.name}" if self.name else self.source

    def as_dict(self) -> dict[str, Any]:
        return {
            "transcript": self.label,
            "format": self.format,
            "model": self.model or None,
            "parent": self.parent or None,
            "window": self.window,
            "usageRecorded": self.recorded,
            "messages": self.messages,
            "modelCalls": self.calls,
            **keyed(self, "results", "result_tokens"),
            **self.omissions.as_dict(),
            "repeatedLinesPercent": _share(self.repeated, self.result_chars),
            "duplicateResults": self.duplicates,
            **keyed(self, "repeated_calls", "images", "problems"),
            "policies": [figures.as_dict() for figures in self.figures.values()],
        }


@dataclass(slots=True)
class Report:
    """The outcome of ``replay``: everything that a table, the JSON or a page needs.

    ``rows`` are the sessions in the order of the input, ``skipped`` what could not be read. ``policies`` are the
    totals in the order asked for. ``groups`` are totals by dimension (``format``, ``tool``, …), key and policy.
    ``losses`` are the worst of each policy, ``pairs`` single results under the first two. ``specs``, ``by``, ``over``
    and ``model`` are what was asked for, ``encoding`` is that of the counts; ``repriced``: by a price file.
    """

    specs: list[str]
    rows: list[Row] = field(default_factory=list)
    skipped: list[dict[str, str]] = field(default_factory=list)
    policies: list[Figures] = field(default_factory=list)
    groups: dict[str, dict[str, list[Figures]]] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    over: int = 0
    encoding: str = ""
    model: str = ""
    repriced: bool = False
    by: list[str] = field(default_factory=list)

    def total(self, name: str) -> int:
        """The sum of a figure of ``Row`` over all sessions."""
        return sum(getattr(row, name) for row in self.rows)

    @property
    def omissions(self) -> Omissions:
        """Of all sessions together."""
        omissions = Omissions()
        for row in self.rows:
            omissions.add(row.omissions)
        return omissions

    def largest(self, number: int = 3) -> list[Row]:
        """The sessions with the most result tokens, for the charts of context growth."""
        return sorted(self.rows, key=lambda row: -row.result_tokens)[:number]

    def as_dict(self) -> dict[str, Any]:
        """The JSON of ``replay --json``."""
        fields: dict[str, Any] = {
            "transcripts": len(self.rows),
            "skipped": self.skipped,
            "messages": self.total("messages"),
            "modelCalls": self.total("calls"),
            "results": self.total("results"),
            **self.omissions.as_dict(),
            "usageRecorded": sum(row.recorded for row in self.rows),
            "repeatedLinesPercent": _share(self.total("repeated"), self.total("result_chars")),
            "duplicateResults": self.total("duplicates"),
            "repeatedCalls": self.total("repeated_calls"),
            "encoding": self.encoding,
            "evidenceOver": self.over,
            "policies": [figures.as_dict() for figures in self.policies],
        }
        for dimension, table in self.groups.items():
            whole = dimension == "format"
            fields["by" + dimension.capitalize()] = {
                key: [figures.as_dict(whole) for figures in line] for key, line in table.items()
            }
        if "transcript" in self.by:
            fields["byTranscript"] = [row.as_dict() for row in self.rows]
        if "ab" in self.by:
            fields["byAb"] = self.ab()
        fields["problems"] = [f"{row.label}: {line}" for row in self.rows for line in row.problems]
        fields["biases"] = list(BIASES)
        return fields

    def ab(self) -> dict[str, Any]:
        """The first two policies item by item: who keeps more strong evidence, who has fewer tokens."""
        leads = [pair.lead for pair in self.pairs]
        return {
            "a": self.specs[0],
            "b": self.specs[1],
            "results": len(self.pairs),
            "aKeepsMore": sum(d > 0 for d in leads),
            "bKeepsMore": sum(d < 0 for d in leads),
            "same": sum(not d for d in leads),
            "tokensA": sum(pair.tokens_a for pair in self.pairs),
            "tokensB": sum(pair.tokens_b for pair in self.pairs),
            "items": [keyed(pair, *Pair.__slots__) for pair in self.pairs],
        }
