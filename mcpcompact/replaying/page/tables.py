"""The tables of figures, a policy a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mcpcompact.phrasing import counted
from mcpcompact.replaying.evidence import BARE, KEPT, LOST, REACHABLE
from mcpcompact.replaying.figures import Figures, Report
from mcpcompact.replaying.page.charts import bar, style, swatch
from mcpcompact.replaying.page.markup import escaped, middle, percent
from mcpcompact.replaying.page.words import DEFINITIONS, span

_LONG = 30  # characters of a policy
MAX_LINES = 240  # rows of a breakdown

HIGH, LOW = 1, -1


@dataclass(slots=True)
class Column:
    """``key`` names its definition; ``value`` is compared (``best`` says which way), ``says`` is shown."""

    key: str
    head: str
    value: Callable[[Figures], float | None]
    says: Callable[[Figures], str]
    best: int = 0


def _kept(strength: str) -> Callable[[Figures], str]:
    return lambda f: (
        f"{percent(f.fates.share(strength))} <small>{span(f, strength)}</small>" if f.fates.total(strength) else "–"
    )


def _fate(fate: str) -> Callable[[Figures], str]:
    return lambda f: f"{percent(f.fates.share(fate=fate))} <small>{f.fates.of(fate):,}</small>"


def _overflow(figures: Figures) -> str:
    return f"{figures.overflows:,} <small>call {figures.overflow:,}</small>" if figures.overflows else "none"


def _cached(figures: Figures) -> float | None:
    return 100 * figures.cached / figures.billed if figures.billed else None


BILL = [
    Column("billed", "billed prompt", lambda f: f.billed, lambda f: f"{f.billed:,}", LOW),
    Column("saved", "saved", lambda f: f.billed_saved, lambda f: percent(f.billed_saved), HIGH),
    Column("net", "net saved", lambda f: f.net_saved, lambda f: percent(f.net_saved), HIGH),
    Column("turns", "with turns", lambda f: f.net_saved_with_turns, lambda f: percent(f.net_saved_with_turns), HIGH),
    Column("cached", "cached", _cached, lambda f: percent(_cached(f)), HIGH),
    Column("cost", "cost", lambda f: f.cost, lambda f: "–" if f.cost is None else f"${f.cost:,.2f}", LOW),
    Column("peak", "peak", lambda f: f.peak, lambda f: f"{f.peak:,}", LOW),
    Column("overflow", "overflow", lambda f: f.overflows, _overflow, LOW),
]

EVIDENCE = [
    Column("strong", "strong", lambda f: f.fates.share(), _kept("strong"), HIGH),
    Column("medium", "medium", lambda f: f.fates.share("medium"), _kept("medium"), HIGH),
    Column("weak", "weak", lambda f: f.fates.share("weak"), _kept("weak"), HIGH),
]

FATES = [
    Column("kept", "kept readable", lambda f: f.fates.share(), _fate(KEPT), HIGH),
    Column("bare", "kept bare", lambda f: f.fates.of(BARE), _fate(BARE)),
    Column("reachable", "reachable", lambda f: f.fates.of(REACHABLE), _fate(REACHABLE)),
    Column("lost", "lost", lambda f: f.fates.of(LOST), _fate(LOST), LOW),
]

RESULTS = [
    Column("results", "result tokens", lambda f: f.after, lambda f: f"{f.after:,}", LOW),
    Column("results", "tokens saved", lambda f: f.result_saved, lambda f: percent(f.result_saved), HIGH),
    Column("results", "results changed", lambda f: f.changed, lambda f: f"{f.changed:,}"),
    Column("errors", "error lines kept", lambda f: f.errors_kept, lambda f: percent(f.errors_kept), HIGH),
    Column("absence", "false absence", lambda f: f.false_absence, lambda f: f"{f.false_absence:,}", LOW),
    Column("inflated", "inflated", lambda f: f.inflated, lambda f: f"{f.inflated:,}", LOW),
    Column("failed", "failed", lambda f: f.failed, lambda f: f"{f.failed:,}", LOW),
]


def scroller(name: str, table: str) -> str:
    """A table that scrolls inside its own frame, by keyboard too."""
    return f'<div class="scroll" role="region" aria-label="{escaped(name)}" tabindex="0">{table}</div>'


def term(key: str, word: str) -> str:
    """A word with its definition: on hover, and in a card by tap, click or key."""
    _, text, _ = DEFINITIONS[key]
    return f'<button type="button" popovertarget="card-{key}" title="{escaped(text)}">{escaped(word)}</button>'


def name(report: Report, policy: str) -> str:
    shown = escaped(middle(policy, _LONG))
    more = f' title="{escaped(policy, 400)}"' if len(policy) > _LONG else ""
    return f'<th scope="row" class="policy"{more}>{swatch(style(report, policy))}<span>{shown}</span></th>'


def _winners(lines: Sequence[Figures], column: Column) -> set[int]:
    """Which lines but ``none`` have the best value of a column; none of them when all have it."""
    values = {n: v for n, f in enumerate(lines) if f.policy != "none" and (v := column.value(f)) is not None}
    if not column.best or len(set(values.values())) <= 1:
        return set()
    best = max(values.values(), key=lambda v: column.best * v)
    return {n for n, value in values.items() if value == best}


def _cells(columns: Sequence[Column], lines: Sequence[Figures]) -> list[str]:
    """The cells of each line, the best of their column marked."""
    winners = [_winners(lines, column) for column in columns]
    return [
        "".join(
            f'<td class="best"><i title="best">★</i> {column.says(figures)}</td>' if n in won
            else f"<td>{column.says(figures)}</td>"
            for column, won in zip(columns, winners, strict=True)
        )
        for n, figures in enumerate(lines)
    ]  # fmt: skip


def _heads(columns: Sequence[Column]) -> str:
    return "".join(f'<th scope="col">{term(column.key, column.head)}</th>' for column in columns)


def _rows(report: Report, columns: Sequence[Column], figures: Sequence[Figures]) -> str:
    rows = zip(figures, _cells(columns, figures), strict=True)
    return "".join(f"<tr>{name(report, one.policy)}{cells}</tr>" for one, cells in rows)


def _table(title: str, caption: str, heads: str, body: str, above: str = "", spans: str = "") -> str:
    """A policy a row, with a title for those who cannot see it; ``above`` is a row over the heads."""
    head = f'<thead>{above}<tr><th scope="col">policy</th>{heads}</tr></thead>'
    return scroller(title, f'<table class="figures"><caption>{caption}</caption>{spans}{head}{body}</table>')


def policies(report: Report) -> str:
    """The table that is the page's centre."""
    uses = report.policies[0].fates
    totals = ", ".join(f"{uses.total(strength):,} {strength}" for strength in ("strong", "medium", "weak"))
    above = (
        f'<tr><td></td><th scope="colgroup" colspan="{len(BILL)}">The bill</th>'
        f'<th scope="colgroup" colspan="{len(EVIDENCE)}">Evidence kept readable, and its '
        f"{term('interval', '95 % interval')}</th></tr>"
    )
    caption = (
        f"Whole sessions under each policy. ★ the best, <code>none</code> aside. Evidence: {totals} uses. The name of "
        "a column opens its definition."
    )
    groups = "".join(f'<colgroup span="{len(columns)}"></colgroup>' for columns in (BILL, EVIDENCE))
    columns = [*BILL, *EVIDENCE]
    body = f"<tbody>{_rows(report, columns, report.policies)}</tbody>"
    return _table("Policies", caption, _heads(columns), body, above, f"<colgroup><col></colgroup>{groups}")


def fates(report: Report) -> str:
    rows = zip(report.policies, _cells(FATES, report.policies), strict=True)
    body = "".join(f"<tr>{name(report, f.policy)}<td>{bar(f)}</td>{cells}</tr>" for f, cells in rows)
    keys = "".join(f'<th scope="col"><i class="key f{n}"></i>{term(c.key, c.head)}</th>' for n, c in enumerate(FATES))
    caption = f"What became of the {report.policies[0].fates.total():,} strong uses."
    heads = f'<th scope="col" class="bars">shares</th>{keys}'
    return _table("Fates of strong evidence", caption, heads, f"<tbody>{body}</tbody>")


def results(report: Report) -> str:
    caption = f"The {report.total('results'):,} tool results, and what must not happen to them."
    return _table("Results", caption, _heads(RESULTS), f"<tbody>{_rows(report, RESULTS, report.policies)}</tbody>")


GROUPED = [RESULTS[1], BILL[1], BILL[2], *EVIDENCE[:1], *FATES[2:]]


def groups(report: Report, dimension: str) -> str:
    """The same by format, tool or type, folded away."""
    lines = report.groups.get(dimension, {})
    columns = [c for c in GROUPED if dimension == "format" or c not in BILL]
    most = max(1, MAX_LINES // max(1, len(report.specs)))
    body = []
    for key, entries in list(lines.items())[:most]:
        title = f"{counted(entries[0].results, 'result')}, {entries[0].before:,} tokens"
        body.append(
            f'<tbody><tr><th scope="rowgroup" class="group" colspan="{len(columns) + 1}"><span>{escaped(key, 80)} '
            f"<small>{title}, {entries[0].fates.total():,} strong</small></span></th></tr>"
        )
        body.append(f"{_rows(report, columns, entries)}</tbody>")
    left = f" {len(lines) - most:,} smaller ones are left out here: see --json." if len(lines) > most else ""
    title = f"Figures by {dimension} ({len(lines):,})"
    caption = f"By {dimension}, the most result tokens first.{left}"
    return f"<details><summary>{title}</summary>{_table(title, caption, _heads(columns), ''.join(body))}</details>"
