"""Who a log names most often: the addresses that something came from, the users whose password was asked for."""

from __future__ import annotations

from collections import Counter
from typing import Final

from mcpcompact.content.log.odd import Analysis
from mcpcompact.content.log.scan import Scan
from mcpcompact.outline import Fact
from mcpcompact.patterns import holding, regex

_SIGNS: Final = ("from ", "client: ", "[client ")
_WHO: Final = regex(
    r"(?:^|\b(?:from |client:? ))(?:\S{1,60}@)?(\d{1,3}(?:\.\d{1,3}){3})\b(?!\.)"
    r"|\bpassword for (?:invalid user )?(\S{1,60})"
)
_SAYS: Final = ("from", "password for")  # by the number of its group
NAMED: Final = 5  # that are told
LEAST, SHARE = 10, 50  # lines that name the most frequent one, and one line in so many


def who_facts(scan: Scan, found: Analysis) -> list[Fact]:
    """Those that many lines name, the most frequent first; only where each line is known."""
    counts: list[Counter[str]] = [Counter() for _ in _SAYS]
    some = holding(found.low, _SIGNS if scan.requests is None else (" [",))
    for at in some if scan.step == 1 and not (scan.unseen or found.run) else ():
        shape = found.seen[at].shape
        spans = {who.lastindex: who.span(who.lastindex) for who in _WHO.finditer(found.seen[at].text) if who.lastindex}
        for _, raw in shape.lines() if spans else ():
            text = raw.decode("utf-8", "replace")
            for group, (begin, end) in spans.items():
                counts[group - 1][text[begin:end]] += 1
    told = []
    for says, names in zip(_SAYS, counts, strict=True):
        top = names.most_common(NAMED)
        if len(names) > 1 and top[0][1] >= max(LEAST, scan.lines / SHARE):
            left = f", {len(names) - NAMED:,} more" if len(names) > NAMED else ""
            told.append(f"{says} {', '.join(f'{name} {n:,}×' for name, n in top)}{left}")
    return [Fact(f"most often {' · '.join(told)}", 0)] if told else []
