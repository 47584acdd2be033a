"""Is it text of a kind of its own: redrawn progress, a history, search output, a listing? Else it is what is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mcpcompact.content.detect import MIN
from mcpcompact.content.shared.evidence import MOSTLY, Evidence, first, redrawn
from mcpcompact.content.text import commits, manual, page, sections, stanzas, terminal, threads, webresults
from mcpcompact.outline import Verdict
from mcpcompact.patterns import regex
from mcpcompact.source import Sample, split_lines

SEARCHED, LISTED = 0.7, 0.85  # of the lines are hits of a search, or paths
HITS, PATHS, ADDED = 0.5, 0.4, 0.4  # scores of both, and what the share of such lines adds
TERMINAL = 0.97  # its score: its prompt stands at the end
PAGE = 0.72  # of lines in columns: more than a document may claim for the rulers between these
LAID_OUT = 0.4  # of these and values behind their names: more than a log may claim for a few stamps
GUTTER, _GUTTER = 0.1, regex(r"(?<! ) {2,}([<>|])(?: {2,}\S|\s*$)")  # share of the lines that differ, and their sign
NUMBERS = 5  # lines that make a column of numbers
NUMBER = regex(r"[-+]?\d{1,300}(?:\.\d{1,300})?")


def _numbers(lines: Sequence[str]) -> float:
    filled = [line.strip() for line in lines if line.strip()]
    return float(len(filled) >= NUMBERS and all(map(NUMBER.fullmatch, filled)))


def _side_by_side(lines: Sequence[str]) -> float:
    """``diff -y``: how many lines have a sign between two columns, where the others have none there."""
    rows = [line.expandtabs() for line in lines]
    columns = Counter(match.start(1) for row in rows if (match := _GUTTER.search(row)))
    at = columns.most_common(1)[0][0] if columns else 0
    signs = Counter(row[at : at + 1] for row in rows)
    blank, apart = signs[" "] + signs[""], signs["<"] + signs[">"]
    return (len(rows) - blank) / len(rows) if apart and blank + apart + signs["|"] == len(rows) else 0.0


_KINDS = (
    Evidence(redrawn, MOSTLY, 0.98, "progress that is redrawn in place"),
    Evidence(commits.share, 0, 0.95, "a history of commits"),
    Evidence(lambda lines: commits.change_total(lines, commits.LISTED_ALONE), 0, 0.93, "a list of changed files"),
    Evidence(threads.mails, 0, 0.95, "a thread of mails or comments"),
    Evidence(manual.is_manual, 0, 0.9, "the help of a command"),
    Evidence(manual.is_page, 0, 0.9, "the page of a manual"),
    Evidence(_numbers, 0, 0.9, "a number a line"),
    Evidence(_side_by_side, GUTTER, 0.9, "two files side by side"),
    Evidence(lambda lines: len(webresults.labelled(lines)), 0, 0.91, "results of a web search"),  # a log claims less
)


def sniff(sample: Sample) -> Verdict:
    if (kind := first(sample.lines, (kind for kind in _KINDS if kind.score > sample.claimed))) is not None:
        return kind
    if sample.claimed < TERMINAL and terminal.is_terminal([*sample.lines, *split_lines(sample.tail)]):
        return Verdict(TERMINAL, "a terminal")
    if sample.claimed < HITS + ADDED:
        from mcpcompact.content.text import entries, hits

        if (matched := hits.share(sample.lines)) >= SEARCHED:
            return Verdict(HITS + ADDED * matched, f"{matched:.0%} of the lines are search hits")
        if (listed := entries.share(sample.lines)) >= LISTED:
            return Verdict(PATHS + ADDED * listed, f"{listed:.0%} of the lines are paths")
    if sample.claimed < stanzas.CLAIM + stanzas.SURE and (regular := stanzas.score(sample.lines)):
        return Verdict(regular, "stanzas of like lines")
    score, why = sections.shape(sample.lines, sample.whole, sample.claimed)
    filled = range(len(sample.lines))
    if max(score, sample.claimed) < PAGE and page.is_page(sample.lines, filled, apart=True):
        return Verdict(PAGE, "lines in columns")
    if max(score, sample.claimed) < LAID_OUT and page.is_page(sample.lines, filled):
        return Verdict(LAID_OUT, "values behind their names, and lines in columns")
    return Verdict(score, why) if score else Verdict(MIN, "no other type fits")
