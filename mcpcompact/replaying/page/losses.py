"""What was lost: the worst results, what became of an atom of each, and their text before and after."""

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.replaying.evidence import FATES
from mcpcompact.replaying.figures import Loss, Report
from mcpcompact.replaying.page.charts import style, swatch
from mcpcompact.replaying.page.markup import code, escaped, middle
from mcpcompact.replaying.page.tables import scroller
from mcpcompact.replaying.page.words import Names
from mcpcompact.slotted import dataclass, field

MOST_ROWS = 60
"""Results in the table; each policy has its share."""

MOST_BYTES = 2_000_000
"""Of excerpts in the page."""

SAID = dict(zip(FATES, ("kept in context", "kept bare", "reachable", "lost"), strict=True))
SIGNS = dict(zip(FATES, ("●", "◐", "◌", "✕"), strict=True))


@dataclass(slots=True)
class Case:
    """A result with the losses of all policies that lost of it; the first is the worst."""

    losses: list[Loss] = field(default_factory=list)


def cases(report: Report) -> list[Case]:
    """The worst results of each policy, joined; most lost first."""
    policies = list(dict.fromkeys(loss.policy for loss in report.losses))
    each = max(1, min(6, MOST_ROWS // max(1, len(policies))))
    chosen: dict[tuple[str, int], Case] = {}
    for policy in policies:
        worst = [loss for loss in report.losses if loss.policy == policy][:each]
        for loss in worst:
            chosen.setdefault((loss.source, loss.position), Case())
    for loss in report.losses:
        if (case := chosen.get((loss.source, loss.position))) is not None:
            case.losses.append(loss)
    for case in chosen.values():
        case.losses.sort(key=lambda loss: -loss.lost)
    ranked = sorted(chosen.values(), key=lambda case: (-case.losses[0].lost, case.losses[0].source, case.losses[0].position))
    return ranked[:MOST_ROWS]


def table(report: Report, names: Names) -> str:
    """The table and the drill-downs; a sentence where nothing was lost."""
    found = cases(report)
    if not found:
        return "<p>No policy lost strong evidence.</p>"
    left, body = MOST_BYTES, []
    for number, case in enumerate(found, 1):
        drill = _drill(report, case, number)
        left -= len(drill.encode())
        if left < 0:
            drill = "<p>The texts are left out here: the page would be too large. Replay this session alone to see them.</p>"
        body.append(_row(report, case, number, names) + f'<tr class="drill"><td colspan="6">{drill}</td></tr>')
    caption = (
        "The results of which the policies kept the least of what was used later; the worst of each policy, joined. "
        "The atom is one example of them."
    )
    head = "".join(
        f'<th scope="col">{said}</th>'
        for said in ("#", "result", "the atom, and where it stood", "where it was used", "tokens", "its fate under each policy")
    )
    shown = f'<table class="losses"><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{"".join(body)}</tbody></table>'
    return scroller("Worst losses", shown)


def _row(report: Report, case: Case, number: int, names: Names) -> str:
    loss = case.losses[0]
    fates = []
    for spec in report.specs:
        fate = loss.fates.get(spec)
        if fate is None or spec == "none":
            continue
        kept = f"{loss.kept.get(spec, 0):,} of {loss.uses:,} kept"
        fates.append(
            f'<li>{swatch(style(report, spec))}<span>{escaped(middle(spec, 30))}</span> '
            f'<b class="fate {fate}">{SIGNS[fate]} {SAID[fate]}</b> <small>{kept}</small></li>'
        )
    where = f"{escaped(names.of(loss.source), 90)}"
    return (
        f'<tr><th scope="row">{number}</th><td class="where"><code>{where}</code><br>{escaped(loss.tool, 60)}, '
        f"message {loss.position:,}</td>"
        f'<td class="quote">{code(loss.atom, 160)}<br><small>line {loss.line:,}:</small> <q>{code(loss.stood, 260)}</q></td>'
        f'<td class="quote"><small>message {loss.used_at:,}:</small> <q>{code(loss.used, 260)}</q></td>'
        f'<td class="number">{loss.tokens_before:,}</td><td><ul class="fates">{"".join(fates)}</ul></td></tr>'
    )


def _drill(report: Report, case: Case, number: int) -> str:
    loss = case.losses[0]
    blocks = [
        _text(
            f"Before: {loss.tokens_before:,} tokens",
            _extent(loss.excerpt_at, len(loss.before), loss.chars_before, "around the atom"),
            loss.before,
            loss.atom,
            f"Result {number} before",
        )
    ]
    for other in case.losses:
        blocks.append(
            _text(
                f"{swatch(style(report, other.policy))} {escaped(middle(other.policy, 40))}: {other.tokens_after:,} tokens",
                _extent(0, len(other.after), other.chars_after, "from the start"),
                other.after,
                loss.atom,
                f"Result {number} under {other.policy}",
            )
        )
    return f'<details><summary>Before and after of result {number}</summary><div class="texts">{"".join(blocks)}</div></details>'


def _extent(start: int, size: int, whole: int, which: str) -> str:
    """How much of a text is shown."""
    if size >= whole:
        return f"whole: {whole:,} characters" if whole else "empty"
    return f"characters {start + 1:,} to {start + size:,} of {whole:,}, {which}; the rest is not in this page"


def _text(title: str, extent: str, text: str, atom: str, label: str) -> str:
    return (
        f'<figure><figcaption>{title}<br><small>{extent}</small></figcaption>'
        f'<pre tabindex="0" role="region" aria-label="{escaped(label, 80)}">{"".join(_marked(text, atom))}</pre></figure>'
    )


def _marked(text: str, atom: str) -> Iterator[str]:
    """The text escaped, the first places of the atom marked."""
    pieces = text.split(atom, 40) if atom else [text]
    for n, piece in enumerate(pieces):
        if n:
            yield f"<mark>{escaped(atom)}</mark>"
        yield escaped(piece)
