"""What an access log says of all its requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from mcpcompact.content.log.scan import placeholder, shown
from mcpcompact.outline import Fact

STATUSES: Final = 5  # requests; fewer say nothing of a share
OFTEN: Final = 6  # kinds of requests that are told


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
