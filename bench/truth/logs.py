"""Logs of ten formats, with what each entry says."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

from bench.truth.case import WORDS, Case, R

BAD = [
    "connection refused by db-{}",
    "timeout after {}ms",
    "failed to open /var/x{}",
    "FEHLER in Modul {}",
    "处理失败 {}",
]
GOOD = ["request {} served", "cache hit for key k{}", "took={}ms size={}", "user u{} logged in", "queue depth {}"]


def _message(r: R, pool: list[str]) -> str:
    text = r.choice(pool)
    while "{}" in text:
        text = text.replace("{}", str(r.randint(1, 99) if r.random() < 0.99 else r.randint(50_000, 99_999)), 1)
    return text


def _stamp(form: str, at: datetime) -> str:
    return {
        "iso": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "space": at.strftime("%Y-%m-%d %H:%M:%S"),
        "comma": at.strftime("%Y-%m-%d %H:%M:%S") + f",{at.microsecond // 1000:03}",
        "syslog": at.strftime("%b %e %H:%M:%S"),
        "clock": at.strftime("%H:%M:%S"),
        "epoch": str(int(at.timestamp())),
    }[form]


def _trace(r: R) -> list[str]:
    if r.random() < 0.5:
        return [
            "Traceback (most recent call last):",
            '  File "app.py", line 3, in run',
            "    go()",
            "ValueError: bad key",
        ]
    return [
        "java.lang.IllegalStateException: closed",
        "\tat com.x.Run.go(Run.java:31)",
        "\tat com.x.Run.main(Run.java:9)",
    ]


def plain(r: R) -> Case:
    n = r.choice([60, 150, 400, 900])
    form = r.choice(["iso", "space", "comma", "syslog", "clock", "epoch"])
    first = r.random() < 0.25  # the level before the stamp
    start = r.choice([datetime(2024, 12, 31, 23, 50), datetime(2025, 3, 4, 9, 0), datetime(2025, 6, 30, 22, 59, 58)])
    step, rate = r.choice([1, 1, 2, 7]), r.choice([0, 0, 0.01, 0.1])
    gap = r.randint(20, n - 5) if r.random() < 0.3 else 0
    at, lines, times, levels = start, [], [], []
    trace = form not in ("syslog", "epoch") and r.random() < 0.4
    dup = r.choice(GOOD).replace("{}", "5")
    for i in range(n):
        at += timedelta(seconds=step if i != gap or not gap else 1800)
        bad = r.random() < rate
        level = r.choice(["ERROR", "ERROR", "FATAL", "WARN"]) if bad else r.choice(["INFO", "INFO", "INFO", "DEBUG"])
        message = _message(r, BAD) if bad else (dup if r.random() < 0.1 else _message(r, GOOD))
        head = f"[{level}] {_stamp(form, at)}" if first else f"{_stamp(form, at)} {level}"
        if form == "syslog":
            head = f"{_stamp(form, at)} host app[{r.choice([11, 12])}]: {level}"
        lines.append(f"{head} {message}")
        times.append((len(lines), at))
        levels.append((len(lines), level))
        if trace and bad:
            lines += _trace(r)
    return Case(
        f"log-{form}",
        "\n".join(lines) + "\n",
        "log",
        known={"times": times, "levels": levels, "clock": form == "clock"},
    )


def access(r: R, n: int = 0) -> Case:
    n = n or r.choice([80, 300, 1000])
    at, lines, hits = datetime(2025, 2, 27, 23, 58), [], []
    for _ in range(n):
        at += timedelta(seconds=r.choice([0, 1, 1, 3]))
        verb = r.choice(["GET", "GET", "GET", "POST"])
        path = r.choice(
            [
                "/",
                "/health",
                f"/api/v{r.randint(1, 2)}/item/{r.randint(1, 400)}",
                f"/u/{r.choice(WORDS)}?q={r.randint(1, 9)}",
            ]
        )
        status = r.choices([200, 304, 404, 500, 502], [90, 5, 3, 1, 1])[0]
        size = r.randint(0, 50_000)
        stamp = at.strftime("%d/%b/%Y:%H:%M:%S +0000")
        ip = f"10.0.{r.randint(0, 1)}.{r.randint(1, 9)}"
        lines.append(f'{ip} - - [{stamp}] "{verb} {path} HTTP/1.1" {status} {size} "-" "curl/8.{r.randint(0, 3)}"')
        hits.append((ip, verb, path, status, size))
    times = [(i + 1, datetime.strptime(line.split("[")[1][:20], "%d/%b/%Y:%H:%M:%S")) for i, line in enumerate(lines)]
    return Case("log-access", "\n".join(lines) + "\n", "log", known={"hits": hits, "times": times, "levels": []})


def keyed(r: R) -> Case:
    """logfmt, or a JSON object a line: numbers under names, by message."""
    n, times = r.choice([60, 200, 500]), []
    at, lines, levels = datetime(2024, 12, 31, 23, 58, 1), [], []
    far = r.random() < 0.5
    as_json = r.random() < 0.4
    for i in range(n):
        at += timedelta(seconds=r.choice([0, 1, 2]))
        level = r.choices(["info", "warn", "error"], [95, 3, 2])[0]
        took = r.randint(80_000, 99_999) if far and i % 6 == 5 else r.randint(1, 10)
        pairs = {
            "level": level,
            "msg": r.choice(["done", "start", "sync users"]),
            "took": took,
            "bytes": r.randint(0, 9999),
        }
        stamp = at.strftime("%Y-%m-%dT%H:%M:%SZ")
        if as_json:
            lines.append(json.dumps({"ts": stamp, **pairs}))
        else:
            lines.append(
                f"ts={stamp} " + " ".join(f'{k}="{v}"' if " " in str(v) else f"{k}={v}" for k, v in pairs.items())
            )
        times.append((i + 1, at))
        levels.append((i + 1, level.upper()))
    kind = "log-json" if as_json else "log-logfmt"
    rows = [json.loads(line) for line in lines] if as_json else []
    return Case(kind, "\n".join(lines) + "\n", "log", rows=rows, known={"times": times, "levels": levels})


def bare(r: R) -> Case:
    """Lines without a stamp, as a build or a kernel writes them."""
    n = r.choice([50, 200])
    lines: list[str] = []
    levels: list[str | None] = []
    kind = r.choice(["dmesg", "make", "test"])
    for i in range(n):
        if kind == "dmesg":
            lines.append(f"[{i * 0.5 + 100:12.6f}] usb 1-{r.randint(1, 4)}: new device number {r.randint(1, 30)}")
        elif kind == "make":
            lines.append(f"  CC      src/{r.choice(WORDS)}/{r.choice(WORDS)}_{i}.o")
        else:
            bad = r.random() < 0.02
            lines.append(
                f"tests/test_{r.choice(WORDS)}.py::test_{i} {'FAILED' if bad else 'PASSED'} [{i * 100 // n:3}%]"
            )
    return Case(f"log-{kind}", "\n".join(lines) + "\n", "log", known={"times": [], "levels": levels})
