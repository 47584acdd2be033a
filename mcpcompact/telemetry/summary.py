"""Answers from recorded runs: savings, percentiles, accuracy, oversized results, pages; by tool, time, outcome.

**Oversized** is a result that reached its reader with more tokens than its threshold and its budget allow: it was
passed through because something failed or was switched off. **Adoption** is the share of runs that took a part
instead of the whole (``chunk``, ``paginate``, ``results get`` and ``grep``). The **estimate** is the sampled figure
for large originals; one run in a hundred is counted both ways.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcpcompact.errors import CannotReadError, UsageError
from mcpcompact.phrasing import keyed
from mcpcompact.telemetry import runs

_PERCENT = 90
_MIN = 10  # results
OVERSIZED_LIMIT = 5.0  # percent of results above which the summary warns
ACCURATE = 0.2  # an estimate is accurate when it is within a fifth of the exact count

QUANTILES = (50, 90, 95, 99)

KEYS = {"type": "contentType", "day": "time", "hour": "time"}
"""What groups of another name than their key go by; days and hours by so many characters of it."""
LENGTHS = {"day": len("2026-05-01"), "hour": len("2026-05-01T10")}


def number(run: Mapping[str, Any], name: str) -> float:
    """A figure of a run; 0 where it is missing or no number."""
    value = run.get(name)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else 0


@dataclass(slots=True)
class Summary:
    """What a set of runs did. Percentages are 0 to 100, times in seconds."""

    runs: int = 0
    results: int = 0
    original_tokens: int = 0
    tokens: int = 0
    bytes: int = 0
    failed: int = 0
    oversized: int = 0
    passed: int = 0
    paged: int = 0
    masked: int = 0
    sizes: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)
    windows: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    first: str = ""
    last: str = ""

    def add(self, run: Mapping[str, Any]) -> None:
        self.runs += 1
        self.first, self.last = self.first or str(run["time"]), str(run["time"])
        outcome = str(run.get("outcome") or "-")
        self.outcomes[outcome] += 1
        self.failed += outcome == "failed"
        self.paged += bool(run.get("paginated"))
        self.seconds.append(number(run, "seconds"))
        masked = run.get("masked")
        for kind, count in masked.items() if isinstance(masked, dict) else ():
            self.kinds[kind] += int(count)
            self.masked += int(count)
        if run.get("command") != "summarize" or not number(run, "originalTokens"):
            return
        before, after = number(run, "originalTokens"), number(run, "tokens")
        self.results += 1
        self.original_tokens += int(before)
        self.tokens += int(after)
        self.bytes += int(number(run, "bytes"))
        self.passed += run.get("method") == "passthrough"
        self.oversized += after > max(number(run, "budget"), number(run, "threshold"))
        self.sizes.append(before)
        self.ratios.append(after / before)
        if left := number(run, "windowLeft"):
            self.windows.append(100 * after / left)
        estimated, exact = number(run, "estimatedTokens"), number(run, "exactTokens")
        if estimated and exact:
            self.errors.append(abs(estimated - exact) / exact)

    @property
    def saved_percent(self) -> float:
        return _percent(self.original_tokens - self.tokens, self.original_tokens)

    @property
    def oversized_percent(self) -> float:
        return _percent(self.oversized, self.results)

    @property
    def adoption_percent(self) -> float:
        """Runs that took a part, among those and the results that were made short."""
        return _percent(self.paged, self.paged + self.results - self.passed)

    def as_dict(self) -> dict[str, Any]:
        """The JSON of ``stats --json``."""
        return {
            **keyed(self, "runs", "results", "failed", "first", "last", "original_tokens", "tokens"),
            "savedTokens": self.original_tokens - self.tokens,
            "savedPercent": self.saved_percent,
            "compressionRatio": round(self.original_tokens / self.tokens, 2) if self.tokens else 0.0,
            "bytes": self.bytes,
            "passedThrough": self.passed,
            **keyed(self, "oversized", "oversized_percent"),
            "paginated": self.paged,
            "paginationAdoptionPercent": self.adoption_percent,
            "masked": dict(sorted(self.kinds.items())),
            "outcomes": dict(sorted(self.outcomes.items())),
            "originalTokensPercentiles": percentiles(self.sizes),
            "secondsPercentiles": percentiles(self.seconds, 4),
            "keptPercentPercentiles": percentiles([100 * ratio for ratio in self.ratios], 1),
            "windowUsePercent": round(sum(self.windows) / len(self.windows), 1) if self.windows else None,
            "estimate": {
                "checked": len(self.errors),
                "within20Percent": _percent(sum(error <= ACCURATE for error in self.errors), len(self.errors)),
                "medianErrorPercent": round(100 * percentiles(self.errors, 6)["p50"], 2) if self.errors else 0.0,
            },
        }

    def warnings(self) -> list[str]:
        """What a reader should act on."""
        warnings = []
        if self.oversized_percent > OVERSIZED_LIMIT:
            warnings.append(
                f"{self.oversized_percent} % of the results ({self.oversized:,} of {self.results:,}) were oversized: "
                f"more tokens than their threshold and budget allow; see `stats --by outcome`"
            )
        accurate = sum(error <= ACCURATE for error in self.errors)
        if len(self.errors) >= _MIN and _percent(accurate, len(self.errors)) < _PERCENT:
            warnings.append(f"only {accurate:,} of {len(self.errors):,} checked estimates were within 20 %")
        return warnings


def summarize(runs: Iterable[Mapping[str, Any]], by: str = "") -> tuple[Summary, dict[str, Summary]]:
    """All runs, and those of each group, largest first; days and hours in their order."""
    total, groups = Summary(), dict[str, Summary]()
    for run in runs:
        total.add(run)
        if by:
            groups.setdefault(str(run.get(KEYS.get(by, by)) or "-")[: LENGTHS.get(by)], Summary()).add(run)
    if by in LENGTHS:
        return total, dict(sorted(groups.items()))
    return total, dict(sorted(groups.items(), key=lambda one: (-one[1].original_tokens, -one[1].runs, one[0])))


def attributes(group: str, name: str, of: Summary) -> dict[str, Any]:
    """The same in the names of OpenTelemetry's semantic conventions for generative AI, where they have one."""
    named = {"tool": "gen_ai.tool.name", "server": "mcpcompact.server"}.get(group)
    return {
        "gen_ai.operation.name": "execute_tool",
        **({named: name} if named and name != "-" else {}),
        "gen_ai.usage.input_tokens": of.tokens,
        "mcpcompact.usage.original_tokens": of.original_tokens,
    }


def health(total: Summary) -> dict[str, Any]:
    """``stats health``: one object for a monitor."""
    warnings = total.warnings()
    return {
        "status": "warning" if warnings else "ok",
        "warnings": warnings,
        **keyed(total, "runs", "results"),
        "failedPercent": _percent(total.failed, total.runs),
        **keyed(total, "oversized_percent", "saved_percent"),
        "paginationAdoptionPercent": total.adoption_percent,
        "secondsP95": percentiles(total.seconds, 4)["p95"],
        "estimateWithin20Percent": total.as_dict()["estimate"]["within20Percent"] if total.errors else None,
        "last": total.last,
    }


def prometheus(total: Summary, tools: Mapping[str, Summary]) -> str:
    """The text format of Prometheus, for the textfile collector."""
    lines: list[str] = []

    def metric(name: str, kind: str, what: str, samples: Iterable[tuple[str, float]]) -> None:
        lines.extend((f"# HELP mcpcompact_{name} {what}", f"# TYPE mcpcompact_{name} {kind}"))
        lines.extend(f"mcpcompact_{name}{labels} {value:g}" if value % 1 else f"mcpcompact_{name}{labels} {value:.0f}"
                     for labels, value in samples)  # fmt: skip

    def by_tool(figure: Callable[[Summary], float]) -> list[tuple[str, float]]:
        return [(f'{{tool="{_label(name)}"}}', figure(of)) for name, of in tools.items() if of.results]

    outcomes = [(f'{{outcome="{_label(name)}"}}', float(n)) for name, n in sorted(total.outcomes.items())]
    metric("runs_total", "counter", "Runs by outcome.", outcomes)
    metric("results_total", "counter", "Tool results compacted or passed through.", by_tool(lambda s: s.results))
    metric("original_tokens_total", "counter", "Tokens before.", by_tool(lambda s: s.original_tokens))
    metric("tokens_total", "counter", "Tokens after.", by_tool(lambda s: s.tokens))
    metric("oversized_total", "counter", "Results over their limits.", by_tool(lambda s: s.oversized))
    metric("paginated_total", "counter", "Runs that took a part of a result.", [("", total.paged)])
    masked = [(f'{{kind="{_label(kind)}"}}', float(n)) for kind, n in sorted(total.kinds.items())]
    metric("masked_total", "counter", "Secrets masked, by kind.", masked)
    metric("saved_ratio", "gauge", "Share of the tokens that was saved.", [("", total.saved_percent / 100)])
    figures = percentiles(total.seconds, 6)
    lines += ["# HELP mcpcompact_run_seconds Time of a run.", "# TYPE mcpcompact_run_seconds summary"]
    lines += [f'mcpcompact_run_seconds{{quantile="{q / 100:g}"}} {figures[f"p{q}"]:g}' for q in QUANTILES]
    lines += [f"mcpcompact_run_seconds_sum {sum(total.seconds):g}", f"mcpcompact_run_seconds_count {total.runs}"]
    return "\n".join(lines) + "\n"


def percentiles(values: list[float], digits: int = 0) -> dict[str, float]:
    """The nearest ranks; zeros for no values."""
    ordered = sorted(values)
    figures = {}
    for q in QUANTILES:
        value = ordered[max(0, -(-len(ordered) * q // 100) - 1)] if ordered else 0
        figures[f"p{q}"] = round(value, digits) if digits else round(value)
    return figures


def _label(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _percent(part: float, whole: float) -> float:
    return round(100 * part / whole, 1) if whole else 0.0


# -- which runs -----------------------------------------------------------------------------------

SECONDS = {"d": 86_400, "h": 3_600, "m": 60}
_AGE = re.compile(r"(\d{1,6})([dhm])")
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?Z?)?")


def chosen_runs(
    directory: str, since: str | None = None, until: str | None = None, **picked: str | None
) -> Iterator[Mapping[str, Any]]:
    """Runs from ``since`` on and before ``until`` (an age such as 7d, or a date), whose fields have the values
    ``picked`` (None: any). Raises ``UsageError`` for what is no time, ``CannotReadError``."""
    first, end = _moment(since), _moment(until)
    try:
        for run in runs(directory):
            in_time = (not first or run["time"] >= first) and (not end or run["time"] < end)
            if in_time and all(value is None or run.get(name) == value for name, value in picked.items()):
                yield run
    except OSError as error:
        raise CannotReadError(f"cannot read the telemetry: {error.strerror or error}") from error


def _moment(text: str | None) -> str:
    """A time as the lines have it, in UTC; empty for none."""
    if text is None:
        return ""
    if age := _AGE.fullmatch(text):
        since = max(0.0, time.time() - int(age[1]) * SECONDS[age[2]])
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(since))
    if _DATE.fullmatch(text):
        return text.replace(" ", "T")
    raise UsageError(
        f"'{text}' is not a time", hint="give an age such as 7d, 12h or 90m, or a date such as 2026-05-01T10:00"
    )
