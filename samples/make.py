"""Writes the samples: one small, realistic tool result per content type, each with something odd to find.

``python samples/make.py`` gives the same bytes on every machine. Everything is invented here.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.generate import vocabulary as v
from bench.generate.documents import git_diff
from bench.generate.records import csv_rows
from bench.generate.sequences import barcodes

SEED = 7


def events() -> str:
    """records: 400 deployment events under a key; one failed, one took an hour, one came from a forgotten region."""
    rng = Random("events")
    clock = v.Clock(rng, 400)
    services = rng.sample(v.SERVICES, 8)
    rows: list[dict[str, Any]] = []
    for i in range(400):
        service = rng.choice(services)
        rows.append(
            {
                "id": f"evt_{48_100 + i}",
                "at": clock.iso(),
                "service": service,
                "version": f"{rng.randint(2, 4)}.{rng.randint(0, 9)}.{rng.randint(0, 9)}",
                "region": rng.choice(("eu-north-1", "us-east-1", "ap-south-1")),
                "actor": {"login": v.login(rng), "kind": "user"},
                "status": "succeeded",
                "seconds": rng.randint(18, 95),
                "url": f"https://deploy.example.com/{service}/runs/{900_000 + i}",
            }
        )
    rows[257].update(status="failed", error="health check failed: /ready returned 503 for 120 s, rolled back to 3.1.4")
    rows[83]["seconds"] = 3_912
    rows[341]["region"] = "sa-east-1"
    return json.dumps({"ok": True, "events": rows, "next": "evt_48500"})


def health() -> str:
    """json: a cluster's health as one nested document, not a list; one component is degraded."""
    rng = Random("health")
    components: dict[str, Any] = {}
    for name in v.SERVICES:
        components[name] = {
            "status": "ok",
            "version": f"1.{rng.randint(2, 9)}.{rng.randint(0, 9)}",
            "replicas": {
                "wanted": 3,
                "ready": 3,
                "nodes": [f"node-{rng.choice('abc')}{rng.randint(1, 9)}" for _ in range(3)],
            },
            "limits": {"cpu": f"{rng.choice((250, 500, 1000))}m", "memory": rng.choice(("256Mi", "512Mi", "1Gi"))},
            "checks": {
                check: {"state": "pass", "latencyMs": rng.randint(2, 40)}
                for check in ("ready", "live", "database", "queue")
            },
            "dependencies": dict.fromkeys(rng.sample(v.SERVICES, 3), "reachable"),
        }
    components["ledger"]["status"] = "degraded"
    components["ledger"]["checks"]["database"] = {
        "state": "fail",
        "latencyMs": 30_004,
        "message": "replica lag 41 min on ledger-db-2",
    }
    components["search"]["replicas"]["wanted"] = 64
    document = {
        "cluster": {"name": "harbour", "zone": "eu-north-1", "kubernetes": "1.31.2"},
        "generatedAt": "2026-03-01T10:00:00Z",
        "components": components,
        "maintenance": {
            "window": "Sun 02:00-04:00",
            "next": "2026-03-08",
            "contacts": [v.person(rng) for _ in range(4)],
        },
    }
    return json.dumps(document, indent=2)


def service_log() -> str:
    """log: one failure among 2,400 lines, one slow request, one line of its own kind."""
    rng = Random("service")
    clock = v.Clock(rng, 1.2)
    lines = []
    for number in range(1, 2_401):
        at = clock.tick().strftime("%H:%M:%S.") + f"{clock.now.microsecond // 1000:03d}"
        if number == 1_377:
            lines.append(
                f"{at} ERROR w3 import job 88213 failed\nTraceback (most recent call last):\n"
                '  File "/srv/app/importer/run.py", line 214, in run\n    self.store.commit(batch)\n'
                '  File "/srv/app/importer/store.py", line 88, in commit\n    raise StoreError(f"lease {lease} lost")\n'
                "StoreError: lease L-5521 lost"
            )
        elif number == 640:
            lines.append(f"{at} INFO w1 GET /orders/90412 200 48211 ms")
        elif number == 2_011:
            lines.append(f"{at} INFO w2 configuration reloaded from /etc/importer/override.toml")
        else:
            lines.append(
                rng.choice(
                    (
                        f"{at} INFO w{rng.randint(1, 4)} GET /orders/{rng.randint(1, 99_999)} 200 "
                        f"{rng.randint(4, 70)} ms",
                        f"{at} INFO w{rng.randint(1, 4)} cache hit {rng.choice(v.NOUNS)}:{rng.randint(1, 999)}",
                        f"{at} DEBUG w{rng.randint(1, 4)} queue depth {rng.randint(0, 30)}",
                    )
                )
            )
    return "\n".join(lines) + "\n"


def repository_code() -> str:
    """code: a module of ten record classes; one method carries a FIXME, one limit is not like the others."""
    rng = Random("code")
    out = [
        '"""Storage of the harbour office: one record class and one repository a table."""',
        "",
        "from __future__ import annotations",
        "",
        "import logging",
        "import sqlite3",
        "from collections.abc import Iterator",
        "from dataclasses import dataclass",
        "",
        "logger = logging.getLogger(__name__)",
        "",
    ]
    for number, noun in enumerate(
        ("berth", "vessel", "pilot", "tide", "cargo", "permit", "invoice", "crane", "tug", "buoy")
    ):
        name, fields = noun.capitalize(), rng.sample(v.NOUNS, 3)
        limit = 250_000 if noun == "permit" else rng.choice((50, 100, 200))
        out += [
            "",
            f"{noun.upper()}_LIMIT = {limit}",
            "",
            "",
            "@dataclass(slots=True)",
            f"class {name}:",
            f'    """One {noun} as the table has it."""',
            "",
            "    id: int",
            *(f"    {field}: {rng.choice(('str', 'int', 'float'))}" for field in fields),
            "",
            "",
            f"class {name}Repository:",
            f'    """Reads and writes {noun} rows."""',
            "",
            "    def __init__(self, connection: sqlite3.Connection) -> None:",
            "        self.connection = connection",
        ]
        for verb in rng.sample(v.VERBS, 4):
            field = rng.choice(fields)
            out += [
                "",
                f"    def {verb}_{noun}(self, id: int, {field}: str | None = None) -> {name} | None:",
                f'        """{verb.capitalize()} one {noun}; None when there is none."""',
                f"        row = self.connection.execute('select * from {noun} where id = ?', (id,)).fetchone()",
                "        if row is None:",
                f"            logger.debug('no {noun} %s', id)",
                "            return None",
                f"        found = {name}(*row)",
                f"        if {field} is not None and found.{field} != {field}:",
                f"            self.connection.execute('update {noun} set {field} = ? where id = ?', ({field}, id))",
                "        return found",
            ]
        if number == 6:
            out += [
                "",
                "    def settle_overdue(self, day: str) -> int:",
                '        """Settle what is overdue."""',
                "        # FIXME: settles an invoice twice when the clock is set back (incident 4471)",
                "        return self.connection.execute('update invoice set settled = 1 where due < ?', "
                "(day,)).rowcount",
            ]
        out += [
            "",
            f"    def all(self) -> Iterator[{name}]:",
            f"        for row in self.connection.execute('select * from {noun} limit ?', ({noun.upper()}_LIMIT,)):",
            f"            yield {name}(*row)",
        ]
    return "\n".join(out) + "\n"


def status_page() -> str:
    """markup: a status page with scripts, styles, sections and a table; one incident is still open."""
    rng = Random("status")
    out = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Harbour office: '
        "service status</title>",
        "<style>body { font-family: sans-serif } .ok { color: green } .bad { color: red }</style>",
        '<script>window.metrics = {"page": "status", "samples": [1, 2, 3, 5, 8, 13]}; setInterval(() => '
        "location.reload(), 60000);</script>",
        '</head>\n<body>\n<nav><a href="/">Home</a> <a href="/history">History</a> <a '
        'href="/subscribe">Subscribe</a></nav>',
        "<h1>Service status</h1>",
        '<div class="alert" role="alert">Payments are delayed in eu-north-1: incident 4471 is open since 09:12.</div>',
        "<h2>Components</h2>\n<table>\n<tr><th>Component</th><th>Status</th><th>Uptime</th><th>Median ms</th></tr>",
    ]
    for name in v.SERVICES:
        bad = name == "payments"
        state, uptime = ("delayed", "91.20") if bad else ("operational", f"99.{rng.randint(90, 99)}")
        shade = "bad" if bad else "ok"
        cells = f'<td class="{shade}">{state}</td><td>{uptime} %</td><td>{2_940 if bad else rng.randint(8, 60)}</td>'
        out.append(f"<tr><td>{name}</td>{cells}</tr>")
    out.append("</table>\n<h2>Past incidents</h2>")
    for day in range(28, 0, -1):
        name = rng.choice(v.SERVICES)
        out.append(
            f'<section id="i{4470 - 28 + day}">\n<h3>2026-02-{day:02d}: slow {rng.choice(v.NOUNS)} in {name}</h3>\n'
            f"<p>{v.paragraph(rng, 3, 6)}</p>\n<p>Resolved after <b>{rng.randint(6, 55)} minutes</b>. "
            f'<a href="/incidents/{4470 - 28 + day}">Report</a></p>\n</section>'
        )
    out.append(
        '<footer>Times are UTC. <a href="mailto:office@example.com">office@example.com</a></footer>\n</body>\n</html>'
    )
    return "\n".join(out) + "\n"


def journal() -> str:
    """text: a light station's journal, a paragraph a day; one day something broke."""
    rng = Random("journal")
    winds = ("north", "north-west", "west", "south-west", "south", "east")
    out = ["Journal of the light station at Skarv, written by the keeper on duty."]
    for day in range(1, 121):
        keeper = rng.choice(("Berg", "Lindqvist", "Eriksen"))
        ships = rng.randint(2, 14)
        parts = [
            f"Day {day}. Wind {rng.choice(winds)}, force {rng.randint(1, 6)}, sea "
            f"{rng.choice(('calm', 'slight', 'moderate', 'rough'))}.",
            f"{ships} ships passed, among them the {rng.choice(('Amara', 'Oksana', 'Rosa', 'Tamsin', 'Yara'))} "
            f"with {rng.choice(('timber', 'salt', 'herring', 'coal'))}.",
            rng.choice(
                (
                    "The lamp was trimmed and the glass cleaned before dusk.",
                    "Took the boat to the village for oil and bread, and was back by noon.",
                    "Painted the rail on the lee side, which the winter had stripped.",
                    "Counted the stores: enough for six weeks, if we are careful with the coffee.",
                )
            ),
            f"{keeper} had the watch.",
        ]
        if day == 77:
            parts.insert(
                2,
                "The clockwork failed at 03:40 and the lamp stood still until dawn; the mainspring, "
                "number 5512, is broken.",
            )
        if day == 98:
            parts[1] = "412 ships passed, the whole herring fleet at once."
        out.append(" ".join(parts))
    return "\n\n".join(out) + "\n"


def session() -> str:
    """A recorded session over the other samples, as OpenAI chat messages: an agent asks why a deployment failed."""
    calls: list[tuple[str, dict[str, Any], str]] = [
        ("get_events", {"limit": 400}, events()),
        (
            "get_run",
            {"url": "https://deploy.example.com/ranking/runs/900257", "event": "evt_48357"},
            json.dumps({"run": 900257, "service": "ranking", "check": "/ready", "log": "service.log", "host": "rk-04"}),
        ),
        ("read_file", {"path": "service.log"}, service_log()),
        ("search", {"pattern": "lease L-5521", "path": "/srv/app/importer"}, SEARCH),
        ("read_file", {"path": "/srv/app/importer/store.py", "offset": 80, "limit": 12}, STORE),
        ("get_events", {"since": "2026-03-21T18:02:47.166Z", "region": "sa-east-1"}, json.dumps({"events": []})),
    ]
    thoughts = [
        "I look at the deployments first.",
        "One of them failed: evt_48357.",
        "The health check never answered. I read the service's log.",
        "Import job 88213 failed because lease L-5521 was lost. Who takes that lease?",
        "store.py line 88 raises it.",
        "One deployment went to sa-east-1, which nothing else uses. Was there another?",
    ]
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You operate the deployments of a small company. Be brief, name ids."},
        {"role": "user", "content": "Why did the ranking deployment fail yesterday?"},
    ]
    for number, (thought, (tool, arguments, result)) in enumerate(zip(thoughts, calls, strict=True), 1):
        function = {"name": tool, "arguments": json.dumps(arguments)}
        call = {"id": f"call_{number}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": thought, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"call_{number}", "name": tool, "content": result})
    answer = (
        "evt_48357 (ranking 3.5.1) failed because /ready returned 503: import job 88213 lost lease L-5521 and "
        "/srv/app/importer/store.py raised StoreError at line 88. Since then /etc/importer/override.toml was loaded."
    )
    messages.append({"role": "assistant", "content": answer})
    return json.dumps({"messages": messages}, ensure_ascii=False, indent=1) + "\n"


SEARCH = """\
/srv/app/importer/store.py:41:    def lease(self, name: str) -> Lease:
/srv/app/importer/store.py:88:            raise StoreError(f"lease {lease} lost")
/srv/app/importer/run.py:209:        with self.store.lease(f"L-{batch.shard}"):
"""

STORE = """\
    80\t    def commit(self, batch: Batch) -> None:
    81\t        \"\"\"Write a batch while its lease holds.\"\"\"
    82\t        lease = self.leases.get(batch.shard)
    83\t        if lease is None:
    84\t            raise StoreError("no lease")
    85\t        if lease.expires < self.clock():
    86\t            self.leases.pop(batch.shard)
    87\t            self.metrics.count("lease.lost")
    88\t            raise StoreError(f"lease {lease} lost")
    89\t        self.table.write(batch.rows)
    90\t        lease.renew(self.clock() + LEASE_SECONDS)
"""

SESSIONS = {"session.json": session}
"""Recorded sessions, for replay; no tool results."""

SAMPLES = {
    "barcodes.fasta": lambda: barcodes(SEED).text,
    "events.json": events,
    "health.json": health,
    "orders.csv": lambda: csv_rows(9, 600).text,
    "service.log": service_log,
    "refactoring.diff": lambda: git_diff(SEED, 24).text,
    "harbour.py": repository_code,
    "status.html": status_page,
    "journal.txt": journal,
}


def main() -> int:
    here = Path(__file__).resolve().parent
    for name, make in (SAMPLES | SESSIONS).items():
        (here / name).write_bytes(make().encode())
        print(f"{(here / name).stat().st_size:>8,}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
