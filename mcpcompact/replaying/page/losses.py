"""What was lost: the worst results, what became of an atom of each, and their text before and after."""

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.replaying.evidence import FATES, KEPT
from mcpcompact.replaying.figures import Loss, Report
from mcpcompact.replaying.page.charts import style, swatch
from mcpcompact.replaying.page.markup import cut, escaped, middle
from mcpcompact.replaying.page.tables import scroller
from mcpcompact.replaying.page.words import Names

MAX_ROWS = 60  # results in the table; each policy has its share
MAX_FATES = 1_200  # of all rows, a policy each
MAX_BYTES = 1_500_000  # of excerpts in the page
LEAD = 500  # characters before the atom with which its excerpt begins, at most

MAX_MARKS = 40

SAID = dict(zip(FATES, ("kept readable", "kept bare", "reachable", "lost"), strict=True))
SIGNS = dict(zip(FATES, ("●", "◐", "◌", "✕"), strict=True))


HEADS = ("#", "result", "the atom, and where it stood", "where it was used", "tokens", "its fate under each policy")


Case = list[Loss]
"""The losses that all policies have of one result, the worst first."""


def telling(case: Case) -> Loss:
    """The one whose atom the most policies did not keep."""
    return max(case, key=lambda loss: sum(fate != KEPT for fate in loss.fates.values()))


def cases(report: Report) -> list[Case]:
    """The worst results of each policy, joined; most lost first."""
    policies = list(dict.fromkeys(loss.policy for loss in report.losses))
    most = max(1, min(MAX_ROWS, MAX_FATES // len(report.specs)))
    each = max(1, min(6, most // max(1, len(policies))))
    chosen: dict[tuple[str, int], Case] = {}
    for policy in policies:
        for loss in [loss for loss in report.losses if loss.policy == policy][:each]:
            chosen.setdefault((loss.source, loss.position), [])
    for loss in report.losses:
        if (case := chosen.get((loss.source, loss.position))) is not None:
            case.append(loss)
    ordered = [sorted(case, key=lambda loss: -loss.lost) for case in chosen.values()]
    return sorted(ordered, key=lambda case: (-case[0].lost, case[0].source, case[0].position))[:most]


def table(report: Report, names: Names) -> str:
    """The table and the drill-downs; a sentence where nothing was lost."""
    worst = cases(report)
    if not worst:
        return "<p>No policy lost strong evidence.</p>"
    left, body = MAX_BYTES, []
    for number, case in enumerate(worst, 1):
        drill = _drill(report, case, number)
        left -= len(drill.encode())
        if left < 0:
            drill = "<p>The texts are left out, to keep the page small: replay this session alone to see them.</p>"
        body.append(_row(report, case, number, names))
        body.append(f'<tr class="drill" role="row"><td colspan="6" role="cell">{drill}</td></tr>')
    caption = (
        "The results of which the policies kept the least of what was used later; the worst of each policy, joined. "
        "The atom is one example of them."
    )
    head = "".join(f'<th scope="col" role="columnheader">{title}</th>' for title in HEADS)
    return scroller(
        "Worst losses",
        f'<table class="losses" role="table"><caption>{caption}</caption><thead role="rowgroup"><tr role="row">{head}'
        f'</tr></thead><tbody role="rowgroup">{"".join(body)}</tbody></table>',
    )


def _row(report: Report, case: Case, number: int, names: Names) -> str:
    loss = telling(case)
    fates = []
    for spec, fate in loss.fates.items():
        if spec == "none":
            continue
        kept = f"{loss.kept.get(spec, 0):,} of {loss.uses:,} kept"
        fates.append(
            f"<li>{swatch(style(report, spec))}<span>{escaped(middle(spec, 30))}</span> "
            f'<span><b class="fate {fate}">{SIGNS[fate]} {SAID[fate]}</b> <small>{kept}</small></span></li>'
        )
    where = escaped(names.of(loss.source), 90)
    cells = (
        ("where", f"<code>{where}</code><br>{escaped(loss.tool, 60)}, message {loss.position:,}"),
        (
            "quote",
            f'<code class="atom">{escaped(loss.atom, 160)}</code><br><small>line {loss.line:,}:</small> '
            f"<q><code>{_quoted(loss.stood, loss.atom)}</code></q>",
        ),
        ("quote", f"<small>message {loss.used_at:,}:</small> <q><code>{_quoted(loss.used, loss.atom)}</code></q>"),
        ("number", f"{loss.tokens_before:,}"),
        ("all", f'<ul class="fates">{"".join(fates)}</ul>'),
    )
    columns = [f'<tr role="row"><th scope="row" role="rowheader">{number}</th>']
    for (kind, text), head in zip(cells, HEADS[1:], strict=True):
        columns.append(f'<td class="{kind}" role="cell" data-name="{head}">{text}</td>')
    return "".join(columns) + "</tr>"


def _drill(report: Report, case: Case, number: int) -> str:
    loss = telling(case)
    start = _begin(loss.before, loss.atom)
    before = loss.before[start:]
    title, label = f"Before: {loss.tokens_before:,} tokens", f"Result {number} before"
    extent = _extent(loss.excerpt_at + start, len(before), loss.chars_before)
    blocks = [_text(title, extent, before, loss.atom, label, f"text{number}")]
    for order, other in enumerate(case):
        name = f"{swatch(style(report, other.policy))} {escaped(middle(other.policy, 40))}"
        title, label = f"{name}: {other.tokens_after:,} tokens", f"Result {number} under {other.policy}"
        extent = _extent(0, len(other.after), other.chars_after)
        blocks.append(_text(title, extent, other.after, loss.atom, label, f"text{number}-{order}"))
    summary = f"Before and after of result {number}"
    return f'<details><summary>{summary}</summary><div class="texts">{"".join(blocks)}</div></details>'


def _begin(text: str, atom: str) -> int:
    """Some lines before the atom, so that it stands in sight."""
    at = text.find(atom)
    return text.find("\n", at - LEAD, at) + 1 or at - LEAD if at > LEAD else 0


def _extent(start: int, size: int, whole: int) -> str:
    """How much of a text is shown."""
    if size >= whole:
        return f"whole: {whole:,} characters" if whole else "empty"
    return f"characters {start + 1:,} to {start + size:,} of {whole:,}; the rest is not in this page"


def _text(title: str, extent: str, text: str, atom: str, label: str, ident: str) -> str:
    """A text with its title; a link goes to the first place of the atom, since no script can."""
    here = atom and atom in text
    link = f'<a href="#{ident}">to the atom</a>' if here else "the atom is not in it"
    return (
        f"<figure><figcaption>{title}<br><small>{extent}; {link}</small></figcaption>"
        f'<pre tabindex="0" role="region" aria-label="{escaped(label, 80)}">{"".join(_marked(text, atom, ident))}</pre>'
        "</figure>"
    )


def _quoted(text: str, atom: str) -> str:
    return "".join(_marked(cut(text, 260), atom))


def _marked(text: str, atom: str, ident: str = "") -> Iterator[str]:
    """The text escaped, the first places of the atom marked."""
    for n, piece in enumerate(text.split(atom, MAX_MARKS) if atom else [text]):
        if n:
            yield f'<mark id="{ident}">' if ident and n == 1 else "<mark>"
            yield f"{escaped(atom)}</mark>"
        yield escaped(piece)
