"""Line-by-line inputs: service and access logs, search hits, test runs, process tables, listings."""

from __future__ import annotations

from random import Random

from bench.generate import vocabulary as v
from bench.generate.case import Case, Planted


def service_log(seed: int, total: int = 2_000) -> Case:
    """A service's plain log: one error with its stack trace, one slow request, one line of its own kind."""
    rng = Random(f"log:{seed}")
    clock = v.Clock(rng, 1.5)
    names = rng.sample(v.SERVICES, 5)
    lines: list[str] = []

    def line(level: str, name: str, message: str) -> str:
        return f"{clock.plain()} {level:<5} [{name}-{rng.randint(1, 4)}] {message}"

    templates = (
        lambda: ("INFO", f"request id={v.hexid(rng)} user={rng.randint(1, 900)} took {rng.randint(5, 80)} ms"),
        lambda: ("INFO", f"request id={v.hexid(rng)} user={rng.randint(1, 900)} took {rng.randint(5, 80)} ms"),
        lambda: ("DEBUG", f"cache hit for key {rng.choice(v.NOUNS)}:{rng.randint(1, 9_999)}"),
        lambda: ("INFO", f"connection from {v.address(rng)}:{rng.randint(30_000, 60_000)} accepted"),
        lambda: ("INFO", f"job {rng.choice(v.VERBS)}-{rng.choice(v.NOUNS)} finished, {rng.randint(1, 60)} rows"),
        lambda: (
            ("WARN", f"retrying {rng.choice(v.NOUNS)} in {rng.randint(1, 8)} s")
            if rng.random() < 0.2
            else ("DEBUG", "heartbeat ok")
        ),
    )
    for _ in range(total):
        level, message = rng.choice(templates)()
        lines.append(line(level, rng.choice(names), message))
    loud, outlier, rare = v.spots(rng, total - 20)
    mark = v.code(rng)
    stamp = lines[loud][:23]
    kind = rng.choice(("ConnectionResetError", "KeyError", "TimeoutError"))
    trace = [
        f"{stamp} ERROR [{names[0]}-2] unhandled exception in worker",
        "Traceback (most recent call last):",
        f'  File "/srv/app/{v.path(rng)}", line {rng.randint(20, 800)}, in {v.symbol(rng)}',
        f"    return self.{rng.choice(v.VERBS)}({rng.choice(v.NOUNS)})",
        f"{kind}: {rng.choice(v.NOUNS)} {mark}",
    ]
    slow = rng.randint(60_000, 140_000)
    lines[outlier] = f"{lines[outlier][:23]} INFO  [{names[1]}-1] request id={v.hexid(rng)} user=77 took {slow} ms"
    token = v.hexid(rng, 7)
    odd = rng.choice(
        (
            f"feature flag experimental-{token} switched on by {v.login(rng)}",
            f"leader changed to replica-{token}",
            f"reloading configuration from /etc/{names[2]}/override-{token}.toml",
            f"clock stepped backwards by 3 s, source ntp-{token}",
        )
    )
    lines[rare] = f"{lines[rare][:23]} INFO  [{names[2]}-3] {odd}"
    del lines[-(len(trace) - 1) :]
    lines[loud : loud + 1] = trace
    needle = next(word.strip(",") for word in odd.split() if token in word)
    planted = (Planted("loud", (f"{kind}:", mark)), Planted("outlier", (str(slow),)), Planted("rare", (needle,)))
    return Case("log", seed, "\n".join(lines) + "\n", (total,), planted, "get_logs")


def access_log(seed: int, total: int = 1_500) -> Case:
    """A web server's combined log: one 5xx, one huge answer, one path of its own kind."""
    rng = Random(f"access:{seed}")
    clock = v.Clock(rng, 2.0)
    agents = ("Mozilla/5.0 (X11; Linux x86_64) Firefox/141.0", "Mozilla/5.0 (Macintosh) Safari/605.1.15", "curl/8.9.1")
    places = [f"/{rng.choice(v.NOUNS)}s/{{n}}" for _ in range(6)] + [
        "/",
        "/static/app.{h}.js",
        "/login",
        "/search?q={w}",
    ]

    def line(where: str, status: int, size: int, method: str = "GET") -> str:
        at = clock.tick().strftime("%d/%b/%Y:%H:%M:%S +0000")
        return f'{v.address(rng)} - - [{at}] "{method} {where} HTTP/1.1" {status} {size} "-" "{rng.choice(agents)}"'

    def usual() -> str:
        where = rng.choice(places).format(n=rng.randint(1, 9_000), h="3fa9c1d2", w=rng.choice(v.NOUNS))
        return line(where, rng.choice((200, 200, 200, 200, 304, 302)), rng.randint(300, 9_000))

    loud, outlier, rare = v.spots(rng, total)
    status, size = rng.choice((500, 502, 503)), rng.randint(40_000_000, 900_000_000)
    bad = f"/{rng.choice(v.NOUNS)}s/{rng.randint(10_000, 99_999)}"
    odd = rng.choice(
        (f"/.git/config-{v.hexid(rng, 4)}", f"/wp-admin/{v.hexid(rng, 5)}.php", f"/backup/{v.hexid(rng, 6)}.sql")
    )
    special = {loud: (bad, status, 0), outlier: ("/export/all", 200, size), rare: (odd, 200, 1_204)}
    lines = [line(*special[i]) if i in special else usual() for i in range(total)]
    planted = (Planted("loud", (bad, str(status))), Planted("outlier", (str(size),)), Planted("rare", (odd,)))
    return Case("access", seed, "\n".join(lines) + "\n", (total,), planted, "tail_file")


def grep_hits(seed: int, total: int = 600) -> Case:
    """``grep -rn``: hits of one word; one in a FIXME, one number out of all bounds, one file in a folder of its own."""
    rng = Random(f"grep:{seed}")
    word = rng.choice(v.NOUNS)
    files = sorted(
        {
            f"{rng.choice(v.PLACES[:6])}/{rng.choice(v.NOUNS)}/{rng.choice(v.VERBS)}_{rng.choice(v.NOUNS)}.py"
            for _ in range(60)
        }
    )
    hits: list[tuple[str, int, str]] = []
    bodies = (
        "    {word} = self.{verb}_{word}({noun})",
        "def {verb}_{word}(self, {noun}: str) -> None:",
        "        return {noun}.{word}",
        "from .{noun} import {word}",
        "    # {verb} the {word} before the {noun}",
        '    assert {word} is not None, "{noun} missing"',
    )
    while len(hits) < total:
        name = rng.choice(files)
        slots = {**v.words(rng), "word": word}
        hits.append((name, rng.randint(1, 900), rng.choice(bodies).format(**slots)))
    hits.sort()
    loud, outlier, rare = v.spots(rng, total)
    mark, limit = v.code(rng), rng.randint(10_000_000, 99_999_999)
    name, number, _ = hits[loud]
    hits[loud] = (name, number, f"    raise RuntimeError('FATAL: {word} corrupted {mark}')")
    name, number, _ = hits[outlier]
    hits[outlier] = (name, number, f"    {word} = self.limit(timeout={limit})")
    stranger = f"vendor/{v.hexid(rng, 5)}/{rng.choice(v.NOUNS)}.{rng.choice(('pl', 'lua', 'c'))}"
    hits[rare] = (stranger, hits[rare][1], f"    {word}")
    text = "\n".join(f"{name}:{number}:{body}" for name, number, body in hits) + "\n"
    planted = (Planted("loud", (mark,)), Planted("outlier", (str(limit),)), Planted("rare", (stranger,)))
    return Case("grep", seed, text, (total,), planted, "grep")


def pytest_run(seed: int, total: int = 1_200) -> Case:
    """``pytest -v --durations=0``: one failure with its report, one slow test, one outcome that occurs once."""
    rng = Random(f"pytest:{seed}")
    files = sorted(
        {f"tests/{rng.choice(v.PLACES)}/test_{rng.choice(v.NOUNS)}_{rng.choice(v.VERBS)}.py" for _ in range(50)}
    )
    tests = sorted({f"{rng.choice(files)}::test_{v.symbol(rng)}_{i}" for i in range(total)})
    loud, outlier, rare = v.spots(rng, total)
    mark = v.code(rng)
    outcome, word = rng.choice(
        (("XPASS", "xpassed"), ("SKIPPED (needs a card reader)", "skipped"), ("XFAIL (flaky clock)", "xfailed"))
    )
    file, name = tests[loud].split("::")
    lines = [
        "============================= test session starts ==============================",
        "platform linux -- Python 3.12.4, pytest-8.3.2, pluggy-1.5.0 -- /opt/venv/bin/python",
        "rootdir: /srv/project",
        f"collecting ... collected {total} items",
        "",
    ]
    for i, test in enumerate(tests):
        result = "FAILED" if i == loud else outcome if i == rare else "PASSED"
        lines.append(f"{test} {result:<60}[{(i + 1) * 100 // total:3d}%]".replace("  " * 20, " "))
    lines += [
        "",
        "=================================== FAILURES ===================================",
        f"{name:_^80}",
        "",
        f"    def {name}():",
        f"        {rng.choice(v.NOUNS)} = {rng.choice(v.VERBS)}()",
        f">       assert {rng.choice(v.NOUNS)}.total == 41",
        f"E       AssertionError: unexpected digest {mark}",
        "",
        f"{file}:{rng.randint(10, 300)}: AssertionError",
        "============================== slowest durations ===============================",
    ]
    slow = f"{rng.randint(300, 900)}.{rng.randint(10, 99)}s"
    timed = [f"{slow} call     {tests[outlier]}"] + [
        f"{rng.randint(1, 9) / 100:.2f}s call     {test}" for test in rng.sample(tests, 150) if test != tests[outlier]
    ]
    rng.shuffle(timed)
    lines += timed
    lines += [
        "=========================== short test summary info ============================",
        f"FAILED {tests[loud]} - AssertionError: unexpected digest {mark}",
        f"============ 1 failed, {total - 2} passed, 1 {word} in "
        f"{rng.randint(900, 1_500)}.{rng.randint(10, 99)}s ============",
    ]
    planted = (
        Planted("loud", (mark, name)),
        Planted("outlier", (slow,)),
        Planted("rare", (tests[rare].split("::")[1],)),
    )
    return Case("pytest", seed, "\n".join(lines) + "\n", (total,), planted, "Bash")


def processes(seed: int, total: int = 260) -> Case:
    """``ps aux`` or ``kubectl get pods`` with aligned columns."""
    rng = Random(f"processes:{seed}")
    loud, outlier, rare = v.spots(rng, total)
    rows: list[list[str]] = []
    needles: tuple[str, ...]
    if seed % 2:
        head = ["NAMESPACE", "NAME", "READY", "STATUS", "RESTARTS", "AGE"]
        spaces = ["default", "monitoring", *rng.sample(v.SERVICES, 3)]
        for _ in range(total):
            name = f"{rng.choice(v.SERVICES)}-{v.hexid(rng, 9)}-{v.hexid(rng, 5)}"
            rows.append(
                [rng.choice(spaces), name, "1/1", "Running", str(rng.choice((0, 0, 1, 2))), f"{rng.randint(1, 60)}d"]
            )
        reason = rng.choice(("CrashLoopBackOff", "OOMKilled", "ImagePullBackOff"))
        rows[loud][2:4] = ["0/1", reason]
        far, odd = str(rng.randint(800, 9_000)), f"sandbox-{v.hexid(rng, 5)}"
        rows[outlier][4], rows[rare][0] = far, odd
        needles, tool = (reason, rows[loud][1]), "pods_list"
    else:
        head = ["USER", "PID", "%CPU", "%MEM", "VSZ", "RSS", "TTY", "STAT", "START", "TIME", "COMMAND"]
        users = ["root", "www-data", "postgres", v.login(rng)]
        for _ in range(total):
            command = rng.choice(
                (f"/usr/sbin/{rng.choice(v.SERVICES)}d", f"[kworker/{rng.randint(0, 7)}:1]", f"python3 {v.path(rng)}")
            )
            size = rng.randint(2_000, 90_000)
            used = [f"{rng.random() * 3:.1f}", f"{rng.random() * 2:.1f}", str(size * 4), str(size)]
            state = ["?", rng.choice(("S", "Ss", "I")), "08:12", f"0:{rng.randint(10, 59)}", command]
            rows.append([rng.choice(users), str(rng.randint(2, 60_000)), *used, *state])
        mark = v.code(rng).lower()
        rows[loud][7], rows[loud][10] = "Z", f"[{mark}] <defunct>"
        far, odd = f"{rng.randint(380, 1_590)}.{rng.randint(1, 9)}", f"u{v.hexid(rng, 6)}"
        rows[outlier][2], rows[rare][0] = far, odd
        needles, tool = (mark,), "bash"
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    text = "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in [head, *rows]
    )
    planted = (Planted("loud", needles), Planted("outlier", (far,)), Planted("rare", (odd,)))
    return Case("processes", seed, text + "\n", (total, total + 1), planted, tool)


def listing(seed: int, total: int = 700) -> Case:
    """``ls -lR``: a core dump, one file of gigabytes, one owner that occurs once."""
    rng = Random(f"listing:{seed}")
    folders = sorted(
        {
            "/".join([rng.choice(v.PLACES), rng.choice(v.NOUNS), *([rng.choice(v.VERBS)] * rng.randint(0, 1))])
            for _ in range(45)
        }
    )
    owner = v.login(rng)
    loud, outlier, rare = v.spots(rng, total)
    size, stranger = rng.randint(4_000_000_000, 90_000_000_000), f"{v.login(rng)}{rng.randint(10, 99)}"
    dump = f"core.{rng.randint(10_000, 60_000)}"
    lines: list[str] = []
    written = 0
    for number, folder in enumerate(folders):
        share = total - written if number == len(folders) - 1 else min(total - written, total // len(folders))
        lines += [f"./{folder}:", f"total {rng.randint(40, 900)}"]
        for _ in range(share):
            stem = f"{rng.choice(v.VERBS)}_{rng.choice(v.NOUNS)}{rng.randint(1, 99)}"
            name = f"{stem}.{rng.choice(('py', 'py', 'py', 'md', 'json'))}"
            length, who = rng.randint(200, 60_000), owner
            if written == loud:
                name = dump
            elif written == outlier:
                length = size
            elif written == rare:
                who = stranger
            lines.append(
                f"-rw-r--r-- 1 {who} staff {length:>11} {rng.choice(('Jan', 'Mar', 'Jul'))} "
                f"{rng.randint(1, 28):>2} 2026 {name}"
            )
            written += 1
        lines.append("")
    text = "\n".join(lines)
    planted = (Planted("loud", (dump,)), Planted("outlier", (str(size),)), Planted("rare", (stranger,)))
    return Case("listing", seed, text, (total, len(text.splitlines()), len(folders)), planted, "list_directory")
