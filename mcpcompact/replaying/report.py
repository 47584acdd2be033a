"""A report as a table for a terminal, or as Markdown for the summary of a CI run."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from mcpcompact.phrasing import counted, fitted
from mcpcompact.replaying.evidence import BARE, KEPT, LOST, REACHABLE
from mcpcompact.replaying.figures import BIASES, Figures, Report

MAX_GROUPS = 25  # keys of a breakdown that are shown; ``--json`` has them all

MAX_PROBLEMS = 10
NAME = 24  # characters of a policy or a group in a table

WIDTH, INDENT = 110, 2  # of notes: where they are broken, and how far tables and notes stand in

Column = tuple[str, Callable[[Figures], str]]


@dataclass(slots=True)
class Table:
    title: str
    head: list[str]
    rows: list[list[str]]
    note: str = ""

    @property
    def left(self) -> set[int]:
        """The columns that are texts; the others are figures."""
        return {0} | ({1} if self.head[0] in ("", "result") else set())


def percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}%"


def _of(part: int, whole: int) -> str:
    return percent(100 * part / whole if whole else None)


def _interval(figures: Figures) -> str:
    interval = figures.fates.interval()
    return "-" if interval is None else f"{interval[0]:.0f}-{interval[1]:.0f}%"


def _fate(name: str) -> Callable[[Figures], str]:
    return lambda f: percent(f.fates.share(fate=name))


_SESSION: list[Column] = [
    ("billed prompt", lambda f: f"{f.billed:,}"),
    ("saved", lambda f: percent(f.billed_saved)),
    ("net", lambda f: percent(f.net_saved)),
    ("with turns", lambda f: percent(f.net_saved_with_turns)),
    ("cached", lambda f: _of(f.cached, f.billed)),
    ("cost", lambda f: "-" if f.cost is None else f"${f.cost:,.2f}"),
    ("peak", lambda f: f"{f.peak:,}"),
    ("overflow", lambda f: f"{f.overflows:,}" if f.overflows else "-"),
]

_EVIDENCE: list[Column] = [
    ("strong", lambda f: f"{f.fates.total():,}"),
    ("readable", _fate(KEPT)),
    ("95%", _interval),
    ("bare", _fate(BARE)),
    ("reachable", _fate(REACHABLE)),
    ("lost", _fate(LOST)),
    ("medium", lambda f: percent(f.fates.share("medium"))),
    ("weak", lambda f: percent(f.fates.share("weak"))),
]

_RESULTS: list[Column] = [
    ("result tokens", lambda f: f"{f.after:,}"),
    ("saved", lambda f: percent(f.result_saved)),
    ("changed", lambda f: f"{f.changed:,}"),
    ("error lines", lambda f: percent(f.errors_kept)),
    ("false absence", lambda f: f"{f.false_absence:,}"),
    ("inflated", lambda f: f"{f.inflated:,}"),
    ("failed", lambda f: f"{f.failed:,}"),
    ("seconds", lambda f: f"{f.seconds:.1f}"),
]


def _table(title: str, columns: Sequence[Column], lines: Sequence[Figures], note: str = "") -> Table:
    head = ["policy", *(name for name, _ in columns)]
    return Table(title, head, [[fitted(f.policy, NAME), *(of(f) for _, of in columns)] for f in lines], note)


def _tail(text: str, width: int) -> str:
    return text if len(text) <= width else "…" + text[1 - width :]


def tables(report: Report) -> list[Table]:
    """The session first: it is the headline. Then what was lost, then the results."""
    tables = [
        _table(
            "Sessions",
            _SESSION,
            report.policies,
            "saved: of all prompt tokens that the model calls are billed. net: after fetching what was used and not "
            "kept readable; with turns: each fetch a model call more. overflow: sessions that pass the model's window.",
        ),
        _table(
            "Evidence: what the agent later used of a result, and where it is left",
            _EVIDENCE,
            report.policies,
            "strong: used in a call's arguments; its share kept readable, with the 95 % interval. medium, weak: kept "
            "readable of what the final answer or other text used.",
        ),
        _table("Results", _RESULTS, report.policies),
    ]
    for dimension in report.by:
        if dimension in report.groups:
            tables.append(_grouped(f"By {dimension}", report.groups[dimension], whole=dimension == "format"))
    if "transcript" in report.by:
        lines = {row.label: list(row.figures.values()) for row in report.rows}
        tables.append(_grouped("By transcript", lines, whole=True))
    if "ab" in report.by:
        tables.append(_ab(report))
    return tables


def _grouped(title: str, groups: dict[str, list[Figures]], whole: bool) -> Table:
    rows = []
    for key, lines in list(groups.items())[:MAX_GROUPS]:
        for n, f in enumerate(lines):
            session = [percent(f.billed_saved), percent(f.net_saved)] if whole else []
            rows.append(
                [_tail(key, NAME) if not n else "", fitted(f.policy, NAME), f"{f.results:,}", f"{f.before:,}",
                 percent(f.result_saved), *session, f"{f.fates.total():,}", _fate(KEPT)(f), _fate(REACHABLE)(f),
                 _fate(LOST)(f)]
            )  # fmt: skip
    head = ["", "policy", "results", "tokens", "saved", *(["billed", "net"] if whole else []), "strong",
            "kept", "reachable", "lost"]  # fmt: skip
    left = len(groups) - MAX_GROUPS
    return Table(title, head, rows, f"{left:,} more with --json" if left > 0 else "")


def _ab(report: Report) -> Table:
    ab = report.ab()
    title = (
        f"{fitted(ab['a'], NAME)} (A) against {fitted(ab['b'], NAME)} (B): {ab['results']:,} results differ; of strong "
        f"evidence A keeps more in {ab['aKeepsMore']:,}, B in {ab['bKeepsMore']:,}"
    )
    rows = [
        [f"{_tail(p.source, 32)} {p.position}", p.tool[:24],
         *(f"{n:,}" for n in (p.tokens_before, p.tokens_a, p.tokens_b, p.kept_a, p.kept_b, p.strong_uses))]
        for p in report.pairs[:MAX_GROUPS]
    ]  # fmt: skip
    left = len(report.pairs) - len(rows)
    note = f"{left:,} more with --json" if left else ""
    return Table(title, ["result", "tool", "tokens", "A", "B", "A keeps", "B keeps", "strong"], rows, note)


def head(report: Report) -> list[str]:
    """What was replayed, and what was left out."""
    calls, results = report.total("calls"), report.total("results")
    lines = [
        f"{counted(len(report.rows), 'session')}, {counted(calls, 'model call')}, {counted(results, 'result')} of "
        f"{report.total('result_tokens'):,} tokens ({report.encoding}); usage recorded in "
        f"{sum(row.recorded for row in report.rows):,}"
    ]
    chars = report.total("result_chars")
    lines.append(
        f"{_of(report.total('repeated'), chars)} of result text repeats lines shown before; "
        f"{counted(report.total('duplicates'), 'duplicate result')}, "
        f"{counted(report.total('repeated_calls'), 'repeated call')}"
    )
    if report.over:
        lines.append(f"evidence of results over {report.over:,} tokens only")
    out = []
    if report.skipped:
        out.append(f"{counted(len(report.skipped), 'input')} that could not be read")
    out += report.omissions.said()
    if images := report.total("images"):
        out.append(f"{counted(images, 'image')} not counted")
    failed = sum(figures.failed for figures in report.policies)
    if failed:
        out.append(f"{counted(failed, 'result')} that a policy failed on (passed through, or empty)")
    if out:
        lines.append(f"left out or odd: {'; '.join(out)}")
    priced = max((figures.priced for figures in report.policies), default=0)
    if not priced:
        lines.append("cost: unknown, no session's model has a known price (see --prices)")
    elif priced < len(report.rows):
        lines.append(f"cost: of the {counted(priced, 'session')} whose model has a known price (see --prices)")
    return lines


def problems(report: Report) -> list[str]:
    """What went wrong, one line for what is the same in many sessions."""
    lines = [f"{entry['transcript']}: {entry['reason']}" for entry in report.skipped]
    lines += alike((row.label, line) for row in report.rows for line in row.problems)
    left = len(lines) - MAX_PROBLEMS
    return lines[:MAX_PROBLEMS] + ([f"… {left:,} more with --json"] if left > 0 else [])


def alike(lines: Iterable[tuple[str, str]]) -> list[str]:
    """Labelled lines, those that say the same as one."""
    labels: dict[str, list[str]] = {}
    for label, line in lines:
        labels.setdefault(line, []).append(label)
    return [
        f"{named[0]}{f' and {len(named) - 1:,} more' if len(named) > 1 else ''}: {line}"
        for line, named in labels.items()
    ]


def parts(report: Report, width: int = WIDTH) -> Iterator[str | Table]:
    """The whole for a terminal: lines, and tables that its printer aligns."""
    yield from head(report)
    for table in tables(report):
        yield from ("", table.title)
        yield table
        yield from _wrapped(table.note, width)
    trouble = problems(report)
    if trouble:
        yield from ("", "Problems", *(f"{' ' * INDENT}{line}" for line in trouble))
    yield from ("", "Read with care")
    for bias in BIASES:
        yield from _wrapped(bias, width)


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, initial_indent=" " * INDENT, subsequent_indent=" " * INDENT)


def markdown(report: Report) -> str:
    """For ``$GITHUB_STEP_SUMMARY``."""
    out = ["## Replay", "", *(f"{line}  " for line in head(report))]
    for table in tables(report):
        out += ["", f"### {table.title}", "", "| " + " | ".join(map(_cell, table.head)) + " |"]
        out.append("|" + "|".join("---" if n in table.left else "---:" for n in range(len(table.head))) + "|")
        out += ["| " + " | ".join(map(_cell, row)) + " |" for row in table.rows]
        if table.note:
            out += ["", f"_{table.note}_"]
    trouble = problems(report)
    if trouble:
        out += ["", "### Problems", "", *(f"- {_cell(line)}" for line in trouble)]
    out += ["", "### Read with care", "", *(f"- {bias}" for bias in BIASES)]
    return "\n".join(out) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")
