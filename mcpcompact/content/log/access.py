"""What an access log says of all its requests, and whom a log names most often: the addresses that something came from,
the users whose password was asked for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from mcpcompact.content.log.scan import Scan, placeholder, shown
from mcpcompact.content.log.templates import Seen
from mcpcompact.outline import Fact
from mcpcompact.patterns import regex

STATUSES: Final = 5  # requests; fewer say nothing of a share
OFTEN: Final = 6  # kinds of requests that are told
_WHO: Final = regex(
    r"(?:^|\b(?:from |client:? ))(?:\S{1,60}@)?(\d{1,3}(?:\.\d{1,3}){3})\b(?!\.)"
    r"|\bpassword for (?:invalid user )?(\S{1,60})"
)
_INTRODUCED: Final = ("from ", "client", "password for ")  # one stands before each, but the first of a line
_SAYS: Final = ("from", "password for")  # by the number of its group
NAMED: Final = 5  # that are told
LEAST, SHARE = 10, 50  # lines that name the most frequent one, and one line in so many


def request_facts(requests: Mapping[tuple[bytes, bytes, bytes], int]) -> list[Fact]:
    """Statuses, verbs and paths of an access log, of all its lines; ``*`` where paths of one kind differ."""
    statuses: Counter[bytes] = Counter()
    kinds: dict[tuple[bytes, bytes], tuple[int, list[bytes]]] = {}
    for (verb, path, status), n in requests.items():
        statuses[status] += n
        parts = path.split(b"/")
        masked = [*map(placeholder, parts)]
        count, known = kinds.get((verb, b"/".join(masked)), (0, parts))
        same = [a if a == b else c for a, b, c in zip(known, parts, masked, strict=True)]
        kinds[verb, b"/".join(masked)] = count + n, same
    if statuses.total() < STATUSES:
        return []
    top = " · ".join(f"{status.decode()}: {n:,}" for status, n in sorted(statuses.items()))
    ranked = sorted(kinds.items(), key=lambda pair: (-pair[1][0], pair[0]))
    often = " · ".join(f"{n:,}× {shown(verb + b' ' + b'/'.join(parts))}" for (verb, _), (n, parts) in ranked[:OFTEN])
    what = "kind of request" if len(kinds) == 1 else "kinds of requests"
    return [Fact(f"status {top}", 1), Fact(f"{len(kinds):,} {what}: {often}", 2)]


def _named(text: str) -> Iterable[re.Match[str]]:
    if any(map(text.__contains__, _INTRODUCED)):
        return _WHO.finditer(text)
    return filter(None, (_WHO.match(text),))  # it begins the line, or nothing else does


def who_facts(scan: Scan, seen: Iterable[Seen]) -> list[Fact]:
    """Those that many lines name, the most frequent first."""
    counts: list[Counter[str]] = [Counter() for _ in _SAYS]
    for one in seen:
        spans = {who.lastindex: who.span(who.lastindex) for who in _named(one.text) if who.lastindex}
        shape = one.shape
        texts = [one.text] if shape.count == 1 else [raw.decode("utf-8", "replace") for _, raw in shape.lines()]
        for text in texts if spans else ():
            for group, (begin, end) in spans.items():
                counts[group - 1][text[begin:end]] += 1
    told = []
    for says, names in zip(_SAYS, counts, strict=True):
        top = names.most_common(NAMED)
        if len(names) > 1 and top[0][1] >= max(LEAST, scan.lines / SHARE):
            left = f", {len(names) - NAMED:,} more" if len(names) > NAMED else ""
            told.append(f"“{says}”: {', '.join(f'{name} {n:,}' for name, n in top)}{left}")
    return [Fact(f"lines by what stands behind {' · '.join(told)}", 0)] if told else []
