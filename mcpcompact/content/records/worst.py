"""Of records that each hold a list of findings (a package its CVEs), which of all these are the gravest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mcpcompact.content.columns.survey import Columns, reach
from mcpcompact.content.records.choice import NAME, keys_of, width_of
from mcpcompact.content.shared import reports
from mcpcompact.outline import Fact

WORST, HOLDERS, LEAST, OWN = 8, 2, 4, 3  # findings told, holders of one; findings that need it; that share a name


def worst(records: Sequence[dict[str, Any]], stats: Columns) -> list[Fact]:
    """By a severity, else the latest version of a score, the open ones before those that are closed; one that several
    records hold is told once. Nothing where the records have a severity themselves, or their findings no name."""
    columns = [c for c in stats.columns.values() if c.scalars]
    graded = [c for c in columns if reports.is_graded(c.name)]
    graded.sort(key=lambda c: (reports.is_severity(c.name), c.name), reverse=True)
    for grade in graded if all("[]" in c.steps for c in graded) else ():
        steps = grade.steps[:-1]
        found = [(n, o) for n, record in enumerate(records, 1) for o in reach(record, steps) if o.__class__ is dict]
        ranks = reports.severities(grade.name, [str(one.get(grade.name, "")) for _, one in found])
        own = (c for c in columns if c.values is None or OWN * len(c.values) > c.scalars)
        named = [c for c in own if c.steps[:-1] == steps and NAME.search(c.name) and c.texts]
        if steps[-1:] != ("[]",) or steps.count("[]") > 1 or len(found) < LEAST or not ranks or not named:
            continue
        key = min(named, key=lambda c: (c.name.lower() != "id", width_of(c))).name
        who = next((c.name for c in keys_of(stats) if not c.steps[1:]), "")
        states = [str(one.get("status", one.get("state"))) for _, one in found]
        closed = [f" {state}" if reports.CLOSED.match(state) else "" for state in states]
        holders = dict[str, list[str]]()
        for i in sorted(range(len(found)), key=lambda i: (closed[i] != "", ranks[i], i)):
            number, one = found[i]
            said = f"{one.get(key, '')} {one.get(grade.name, '')}{closed[i]}"
            holders.setdefault(said, []).append(f"#{number} {records[number - 1].get(who, '')}".strip())
        texts = [
            f"{said} ({', '.join(held[:HOLDERS])}{f' and {len(held) - HOLDERS} more' * (len(held) > HOLDERS)})"
            for said, held in [*holders.items()][:WORST]
        ]
        texts += [f"{rest:,} more" for rest in [sum(map(len, [*holders.values()][WORST:]))] if rest]
        by = f"{grade.path.rpartition('.')[0]} by {grade.name}, worst first{', closed last' * any(closed)}"
        return [Fact(f"{len(found):,} {by}: {' · '.join(texts)}", 0)]
    return []
