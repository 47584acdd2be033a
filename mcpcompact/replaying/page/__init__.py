"""A report as one page, complete in itself: no script, no address, the same bytes for the same report.

``markup`` lets values in, ``words`` says what is found, ``charts`` draws, ``tables`` and ``losses`` are what they are
called. Choices are made by radio buttons, folds and popovers of HTML and CSS, so that the page may forbid scripts, and
does: a hostile tool result has nothing to run with. Compaction seconds are left out: they differ from run to run.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterable

from mcpcompact.phrasing import counted
from mcpcompact.replaying.figures import BIASES, Report
from mcpcompact.replaying.page import charts, losses, tables
from mcpcompact.replaying.page.markup import code, escaped, middle
from mcpcompact.replaying.page.words import DEFINITIONS, Names, command, compared, finding, formats

MAX_BYTES = 5_000_000  # a page stays under this: its parts are bounded, excerpts by ``losses.MAX_BYTES``

MAX_SESSIONS = 4
MAX_LEFT_OUT = 60


QUOTING = (
    '<p class="dim">This section quotes the transcripts: mind what they hold before you publish the page. Control '
    "characters and invisible ones are shown as signs.</p>"
)
SECTIONS = "policies charts fates results losses out care definitions"
TITLES = {"losses": "worst losses", "out": "left out", "care": "biases"}  # of links; the others are called as they are


def page(report: Report, made_by: str = "mcpcompact") -> str:
    """The page, as HTML. ``made_by`` names the program and its version."""
    names = Names(report)
    with open(os.path.join(os.path.dirname(__file__), "page.css"), encoding="utf-8", newline="\n") as stream:
        style = stream.read()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    subject = f"{counted(len(compared(report)), 'policy')} over {counted(len(report.rows), 'recorded session')}"
    biases = [bias.replace("netSavedWithTurnsPercent", "“with turns”") for bias in BIASES]
    groups = "".join(tables.groups(report, dimension) for dimension in report.groups if report.groups[dimension])
    definitions, cards = _definitions()
    sections = [
        _head(report, made_by),
        _section("policies", "Policies side by side", tables.policies(report)),
        _charts(report, names),
        _section("fates", "What became of what the agents used", tables.fates(report)),
        _section("results", "Results", tables.results(report) + groups),
        _section("losses", "The worst losses", QUOTING + losses.table(report, names)),
        _left_out(report, names),
        _section("care", "Read with care", _list(map(escaped, biases))),
        definitions,
    ]
    allowed = f"style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; {allowed}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>Replay: {escaped(subject)}</title>",
        '<link rel="icon" href="data:,">',
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        *filter(None, sections),
        "</main>",
        cards,
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def _section(ident: str, title: str, body: str) -> str:
    return f'<section aria-labelledby="{ident}"><h2 id="{ident}">{title}</h2>{body}</section>'


def _list(items: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>"


def _head(report: Report, made_by: str) -> str:
    facts = [
        (len(report.rows), "session", ""),
        (report.total("calls"), "model call", ""),
        (report.total("results"), "tool result", ""),
        (report.total("result_tokens"), "token", " of results"),
    ]
    tiles = "".join(f"<div><dt>{what}{'s'[: n != 1]}{of}</dt><dd>{n:,}</dd></div>" for n, what, of in facts)
    over = f" Evidence of results over {report.over:,} tokens only." if report.over else ""
    recorded = sum(row.recorded for row in report.rows)
    counted_as = f"as {escaped(report.model, 60)} counts" if report.model else escaped(report.encoding)
    links = "".join(f'<a href="#{ident}">{TITLES.get(ident, ident)}</a>' for ident in SECTIONS.split())
    return (
        '<a class="skip" href="#policies">Skip to the figures</a>\n'
        f'<header><p class="made">{escaped(made_by, 60)} replay</p>'
        "<h1>What shortening tool results saves, and what it loses</h1>"
        f'<p class="finding">{escaped(finding(report))}</p><dl class="tiles">{tiles}</dl>'
        f"<p>Formats: {escaped(formats(report))}. Tokens: {counted_as}; the provider’s usage is recorded in "
        f"{counted(recorded, 'session')}.{over}</p>"
        '<figure class="command"><figcaption>The command that makes this page</figcaption>'
        f'<pre tabindex="0">{escaped(command(report))}</pre></figure>'
        f'<nav aria-label="Sections">{links}</nav></header>\n<main>'
    )


# -- charts -----------------------------------------------------------------------------------


def _charts(report: Report, names: Names) -> str:
    figures = []
    drawn = charts.survival(report)
    if drawn:
        caption = (
            "<b>Kept against saved.</b> One point a policy, whiskers its 95 % interval (Wilson); up and to the right "
            "is better. The dotted line runs through the policies that no other one beats in both. "
            "A name that finds no room is in the legend."
        )
        figures.append(f"<figure>{drawn}<figcaption>{caption}</figcaption></figure>")
    figures.append(_growth(report, names))
    legend = charts.legend(report)
    several, bare, more = charts.by_format(report)
    if several:
        without = f" Without strong evidence, so without a point: {escaped(', '.join(bare), 200)}." if bare else ""
        without += f" {counted(more, 'smaller format')} in the figures below." if more else ""
        several = (
            f'<figure class="by-format">{several}<figcaption><b>The same by format</b>, all on one scale: strong '
            "evidence kept readable (%, up) against net saving (%, right). What saves less than −50 % stands at the "
            f"edge.{without}</figcaption></figure>"
        )
    return _section("charts", "Charts", f'{legend}<div class="pair">{"".join(figures)}</div>{several}')


def _growth(report: Report, names: Names) -> str:
    """A chart a session, one shown at a time; radio buttons choose, without a script."""
    rows = [row for row in report.largest(MAX_SESSIONS) if any(row.growth.values())]
    if not rows:
        return ""
    choices, panels = [], []
    for n, row in enumerate(rows):
        name = middle(names.of(row.label), 60)
        drawn, pack = charts.growth(report, row, f"growth{n}", name)
        packed = f" A point is the largest of {pack:,} calls." if pack > 1 else ""
        short = escaped(middle(names.of(row.label).rsplit("/", 1)[-1], 34))
        choices.append(
            f'<label><input type="radio" name="session" id="session{n}"{" checked" if not n else ""}> {short} '
            f"<small>{counted(row.calls, 'call')}</small></label>"
        )
        panels.append(
            f'<div class="panel" id="panel{n}">{drawn}<p class="dim">{escaped(row.format)}, {code(name)}, model '
            f"{escaped(row.model or 'unknown', 60)}, {row.result_tokens:,} tokens of results.{packed}</p></div>"
        )
    chooser = f"<fieldset><legend>Session</legend>{''.join(choices)}</fieldset>" if len(rows) > 1 else ""
    return (
        f'<figure class="growth">{"".join(panels)}{chooser}<figcaption><b>Context by model call</b>, a line a policy, '
        "in the sessions with the most result tokens. It falls where the host compacted, or a policy rewrote."
        "</figcaption></figure>"
    )


# -- the rest ---------------------------------------------------------------------------------


def _left_out(report: Report, names: Names) -> str:
    """What could not be read or paired, and what failed: nothing is left out in silence."""
    counts = report.omissions.said()
    if images := report.total("images"):
        counts.append(f"{counted(images, 'image')} not counted")
    if unpriced := len(report.rows) - max((figures.priced for figures in report.policies), default=0):
        counts.append(
            f"{unpriced:,} of {counted(len(report.rows), 'session')} without a cost: no price is known (--prices)"
        )
    for figures in report.policies:
        if figures.failed:
            counts.append(f"{middle(figures.policy, 60)}: failed on {counted(figures.failed, 'result')}")
    failed = ((entry["transcript"], entry["reason"]) for entry in report.skipped)
    troubles = [_trouble(names.of(path), names.within(why.removeprefix(f"{path}: "))) for path, why in failed]
    problems = [_trouble(names.of(row.label), names.within(line)) for row in report.rows for line in row.problems]
    body = _list(map(escaped, counts)) if counts else ""
    for title, items in (("Inputs that could not be read", troubles), ("Problems", problems)):
        if items:
            more = [f"… {len(items) - MAX_LEFT_OUT:,} more with --json"] if len(items) > MAX_LEFT_OUT else []
            body += f"<h3>{title}: {len(items):,}</h3>{_list([*items[:MAX_LEFT_OUT], *more])}"
    if not troubles and not problems:
        body += "<p>Every input was read, and no policy failed.</p>"
    return _section("out", "What was left out", body)


def _trouble(where: str, what: str) -> str:
    return f"{code(where, 160)}: {escaped(what, 300)}"


def _definitions() -> tuple[str, str]:
    """The definitions as a section, and as cards that the heads of columns open."""
    items, cards = [], []
    for key, (name, text, source) in DEFINITIONS.items():
        title, definition = escaped(name), escaped(text) + (f" <cite>{escaped(source)}</cite>" if source else "")
        items.append(f'<div><dt id="def-{key}">{title}</dt><dd>{definition}</dd></div>')
        cards.append(f'<div popover id="card-{key}" class="card"><b>{title}</b> {definition}</div>')
    return _section("definitions", "Definitions", f'<dl class="definitions">{"".join(items)}</dl>'), "".join(cards)
