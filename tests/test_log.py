"""Logs: entries, levels, templates, what is kept, traps, detection, the lossless form."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mcpcompact.content.log import TYPE
from mcpcompact.outline import Hints, Item, Outline, Sample, Source

CORPUS = Path(os.environ.get("MCPCOMPACT_CORPUS", Path(__file__).parents[2] / "shared" / "corpus"))


def outline(text: str | bytes) -> Outline:
    return TYPE.outline(Source(text if isinstance(text, bytes) else text.encode()), Hints())


def kept(found: Outline) -> list[Item]:
    return [item for item in found.items if item.keep]


def facts(found: Outline) -> str:
    return "\n".join(fact.text for fact in found.facts)


def score(text: str) -> float:
    return TYPE.sniff(Sample(Source(text.encode()))).score


# -- generators: each gives the lines of a calm log and three anomalies as (line, value) -----------------


def _stamp(at: float, form: str = "%Y-%m-%dT%H:%M:%SZ") -> str:
    return time.strftime(form, time.gmtime(1_700_000_000 + at))


def service(r: random.Random) -> tuple[list[str], list[tuple[str, str]]]:
    services, regions = ["auth", "billing", "catalog", "gateway", "search"], ["eu-west-1", "us-east-1", "us-west-2"]

    def line(at: int, ms: int, service: str, region: str) -> str:
        return r.choice([
            f"{_stamp(at)} INFO [{service}] request GET /api/v1/items/{r.randrange(9999)} handled in {ms} ms region={region} user=u{r.randrange(300)}",
            f"{_stamp(at)} INFO [{service}] cache hit key=item:{r.randrange(99999)} took {ms} ms region={region}",
            f"{_stamp(at)} DEBUG [{service}] pool acquire conn={r.randrange(64)} waited {ms} ms region={region}",
        ])  # fmt: skip

    lines = [line(n, r.randrange(5, 80), r.choice(services), r.choice(regions)) for n in range(2000)]
    loud = f"{_stamp(900)} ERROR [billing] charge declined for order 88123: card_processor timeout"
    return lines, [
        (loud, "88123"),
        (line(900, 90000, "search", "us-east-1"), "90000"),
        (line(900, 31, "catalog", "ap-south-9"), "ap-south-9"),
    ]


def access(r: random.Random) -> tuple[list[str], list[tuple[str, str]]]:
    agents = ["Mozilla/5.0 (X11)", "curl/8.4.0", "Googlebot/2.1"]

    def line(path: str, status: int, size: int, agent: str) -> str:
        ip = f"10.{r.randrange(9)}.{r.randrange(250)}.{r.randrange(250)}"
        return f'{ip} - - [{_stamp(r.randrange(9), "%d/%b/%Y:%H:%M:%S")} +0000] "GET {path} HTTP/1.1" {status} {size} "-" "{agent}"'

    paths = ["/", "/login", "/static/app.js", "/api/items", "/api/users"]
    lines = [
        line(r.choice(paths), r.choice([200, 200, 200, 304]), r.randrange(200, 5000), r.choice(agents))
        for _ in range(1500)
    ]
    return lines, [
        (line("/api/items", 500, 812, agents[0]), '" 500 '),
        (line("/api/items", 200, 73_400_320, agents[0]), "73400320"),
        (line("/api/items", 200, 733, "masscan/1.3"), "masscan/1.3"),
    ]


def pytest_run(r: random.Random) -> tuple[list[str], list[tuple[str, str]]]:
    files = [f"tests/{name}/test_{name}.py" for name in ("api", "cli", "core", "db", "net", "auth")]
    lines = [f"{r.choice(files)}::test_case_{n} PASSED ({r.randrange(10, 90)} ms)" for n in range(1200)]
    return lines, [
        ("tests/core/test_core.py::test_rounding_half FAILED (33 ms)", "test_rounding_half"),
        ("tests/core/test_core.py::test_case_417b PASSED (84211 ms)", "84211"),
        ("tests/legacy/test_quux.py::test_case_3 PASSED (21 ms)", "tests/legacy/test_quux.py"),
    ]


def build(r: random.Random) -> tuple[list[str], list[tuple[str, str]]]:
    def line(target: str, ms: int) -> str:
        return f"[{r.randrange(100)}%] Compiling {target}/src/unit_{r.randrange(900)}.c with gcc -O2 ({ms} ms)"

    lines = [line(r.choice(["core", "net", "ui", "store"]), r.randrange(20, 400)) for _ in range(1500)]
    return lines, [
        ("core/src/unit_77.c:41:9: error: unknown type name 'widget_t'", "widget_t"),
        (line("net", 620_000), "620000"),
        (line("vendor_zlib", 77), "vendor_zlib"),
    ]


def syslog(r: random.Random) -> tuple[list[str], list[tuple[str, str]]]:
    def line(host: str, user: str, secs: int) -> str:
        return r.choice([
            f"{_stamp(r.randrange(10), '%b %d %H:%M:%S')} {host} sshd[{r.randrange(900, 30000)}]: Accepted publickey for {user} from 10.0.0.{r.randrange(250)} port {r.randrange(30000, 60000)} ssh2",
            f"{_stamp(r.randrange(10), '%b %d %H:%M:%S')} {host} CRON[{r.randrange(900, 30000)}]: ({user}) job finished after {secs} seconds",
            f"{_stamp(r.randrange(10), '%b %d %H:%M:%S')} {host} systemd[1]: Started session of user {user}, ready after {secs} seconds",
        ])  # fmt: skip

    hosts, users = ["web-1", "web-2", "db-1"], ["root", "deploy", "backup", "alice"]
    lines = [line(r.choice(hosts), r.choice(users), r.randrange(1, 30)) for _ in range(2500)]
    odd = f"{_stamp(5, '%b %d %H:%M:%S')} web-1 CRON[4711]: (deploy) job finished after 86399 seconds"
    return lines, [
        (f"{_stamp(5, '%b %d %H:%M:%S')} db-1 kernel: Out of memory: Killed process 31337 (postgres)", "31337"),
        (odd, "86399"),
        (line("web-2", "mallory", 12), "mallory"),
    ]


GENERATORS: list[Callable[[random.Random], tuple[list[str], list[tuple[str, str]]]]] = [
    service,
    access,
    pytest_run,
    build,
    syslog,
]


@pytest.mark.parametrize("make", GENERATORS, ids=lambda make: make.__name__)
def test_planted_anomalies_are_kept_verbatim(
    make: Callable[[random.Random], tuple[list[str], list[tuple[str, str]]]],
) -> None:
    missed = []
    for seed in range(20):
        r = random.Random(seed)
        lines, planted = make(r)
        for line, _ in planted:
            lines.insert(r.randrange(len(lines) + 1), line)
        found = outline("\n".join(lines) + "\n")
        shown = [item.text for item in kept(found)]
        missed += [
            (seed, value) for line, value in planted if not any(line in text and value in text for text in shown)
        ]
        assert len(shown) <= max(12, len(lines) // 50), (seed, len(shown))
    assert missed == []
