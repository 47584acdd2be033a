"""Of records that each hold a list of findings (a package its CVEs), which of all these are the gravest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mcpcompact.content.columns.survey import Columns, reach
from mcpcompact.content.records.choice import NAME, keys_of, width_of
from mcpcompact.content.shared import reports
from mcpcompact.outline import Fact

WORST, HOLDERS, LEAST = 8, 2, 4  # findings that are told, names of the records of one; findings that need it
OWN = 3  # findings that share a name, at most, in the mean


def worst(records: Sequence[dict[str, Any]], stats: Columns) -> list[Fact]:
    """By a severity, else the latest version of a score, the open ones before those that are closed; one that several
    records hold is told once. Nothing where the records have a severity themselves, or their findings no name."""
    columns = [c for c in stats.columns.values() if c.scalars]
    graded = [c for c in columns if reports.is_graded(c.name)]
    graded.sort(key=lambda c: (reports.is_severity(c.name), c.name), reverse=True)
    for grade in graded if all("[]" in c.steps for c in graded) else ():
        steps = grade.steps[:-1]
        if steps[-1:] != ("[]",) or steps.count("[]") > 1:
            continue
        found = [(n, o) for n, record in enumerate(records, 1) for o in reach(record, steps) if o.__class__ is dict]
        ranks = reports.severities(grade.name, [str(one.get(grade.name, "")) for _, one in found])
        named = [c for c in columns if c.steps[:-1] == steps and NAME.search(c.name) and c.texts]
        named = [c for c in named if c.values is None or OWN * len(c.values) > c.scalars]
        if len(found) < LEAST or not ranks or not named:
            continue
        key = min(named, key=lambda c: (c.name.lower() != "id", width_of(c))).name
        who = next((c.name for c in keys_of(stats) if not c.steps[1:]), "")
        states = [str(one.get("status", one.get("state"))) for _, one in found]
        closed = [f" {state}" if reports.CLOSED.match(state) else "" for state in states]
        holders = dict[str, list[str]]()
        for i in sorted(range(len(found)), key=lambda i: (closed[i] != "", ranks[i], i)):
            number, one = found[i]
            name = f"#{number} {records[number - 1][who]}" if who else f"#{number}"
            holders.setdefault(f"{one.get(key, '')} {one.get(grade.name, '')}{closed[i]}", []).append(name)
        texts = []
        for said, names in [*holders.items()][:WORST]:
            more = f" and {len(names) - HOLDERS} more" if len(names) > HOLDERS else ""
            texts.append(f"{said} ({', '.join(names[:HOLDERS])}{more})")
        rest = sum(map(len, [*holders.values()][WORST:]))
        label = f"{len(found):,} {'.'.join(steps).replace('.[]', '[]')} by {grade.name}, worst first"
        label += ", closed last" if any(closed) else ""
        return [Fact(f"{label}: {' · '.join(texts)}{f', {rest:,} other' * bool(rest)}{'s' * (rest > 1)}", 0)]
    return []
