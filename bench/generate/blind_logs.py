"""Blind set: logs, test runs, and what shells print line by line."""

# ruff: noqa: E501 (templates read better unbroken)

from __future__ import annotations

import json
from random import Random

from bench.generate import blind_words as w
from bench.generate.case import Case


def joined(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


def service_log(seed: int, total: int = 2_000) -> Case:
    """Five dialects by seed: levels and key=value, syslog, JSON in the line, python logging, nginx with an error log."""
    rng = Random(f"blind log {seed}")
    tick = w.Ticker(rng, 1.2)
    m = w.mark(rng)
    slow = w.far(rng, 180)
    loud, out, rare = w.places(rng, total)
    hosts = ["web-1", "web-2", "web-3"]
    dialect = seed % 5
    lines = []
    what = ""
    for i in range(total):
        ms = slow if i == out else rng.randint(8, 180)
        team, do, thing = rng.choice(w.TEAMS), rng.choice(w.DOINGS), rng.choice(w.THINGS)
        if dialect == 0:
            region = rng.choice(w.REGIONS)
            if i == rare:
                region = what = rng.choice(w.FAR_REGIONS)
            at = tick("%Y-%m-%dT%H:%M:%S.%3Z")
            if i == loud:
                lines.append(f"{at} ERROR [{team}] {do} {thing} failed: {m} region={region} took={ms}ms")
            else:
                level = rng.choice(("INFO ", "INFO ", "DEBUG"))
                lines.append(
                    f"{at} {level} [{team}] {do} {thing} id={rng.randint(1, 9_999)} region={region} took={ms}ms"
                )
        elif dialect == 1:
            host = rng.choice(hosts)
            if i == rare:
                host = what = "bastion-old"
            head = f"{tick('%b %d %H:%M:%S')} {host} {team}d[{rng.randint(300, 9_000)}]:"
            said = f"{do} of {thing} finished in {ms} ms, {rng.randint(1, 40)} left"
            lines.append(f"{head} {f'kernel panic while in {do}: {m}' if i == loud else said}")
        elif dialect == 2:
            payload = {
                "user": rng.randint(1, 900),
                "action": f"{do}_{thing}",
                "elapsed_ms": ms,
                "zone": rng.choice("abc"),
            }
            if i == rare:
                payload["zone"] = what = "zone-x9"
            level = "INFO"
            if i == loud:
                payload["error"], level = f"unhandled rejection {m}", "ERROR"
            lines.append(f"[{tick('%d/%b/%Y %H:%M:%S')}] {level} {team}-svc {json.dumps(payload)}")
        elif dialect == 3:
            logger = f"app.{team}.{rng.choice(('views', 'tasks', 'models'))}"
            at = tick("%Y-%m-%d %H:%M:%S,%3")
            if i == loud:
                lines += [
                    f"{at} - {logger} - ERROR - could not {do} {thing}",
                    "Traceback (most recent call last):",
                    f'  File "/srv/app/{team}.py", line {rng.randint(9, 400)}, in {do}',
                    f"    {thing}.{do}()",
                    f"LookupError: no {thing} named {m}",
                ]
                continue
            if i == rare:
                what = "app.experimental.shadow"
                logger = what
            lines.append(f"{at} - {logger} - {rng.choice(('INFO', 'INFO', 'WARNING'))} - {do} {thing} in {ms} ms")
        else:
            verb = rng.choice(("GET", "GET", "POST"))
            if i == rare:
                verb = what = "PROPPATCH"
            status = 200 if i != loud else 500
            path = f"/{team}/{thing}s/{rng.randint(1, 999)}" + (f"?trace={m}" if i == loud else "")
            lines.append(
                f'{w.ip(rng)} - - [{tick("%d/%b/%Y:%H:%M:%S +0000")}] "{verb} {path} HTTP/1.1" {status} '
                f'{rng.randint(300, 9_000)} "-" "{rng.choice(("Mozilla/5.0", "okhttp/4.9"))}" rt={ms / 1000:.3f}'
            )
    shown = f"{slow / 1000:.3f}" if dialect == 4 else str(slow)
    if dialect in (0,):
        shown = f"{slow}ms"
    return w.made("service-log", seed, joined(lines), [len(lines)], m, shown, what, "read_log")


def java_log(seed: int, total: int = 500) -> Case:
    """Many stack traces of two kinds that everybody knows; one that nobody has seen is the loud one."""
    rng = Random(f"blind java {seed}")
    tick = w.Ticker(rng, 3)
    loud, out, rare = w.places(rng, total)
    m, slow = w.mark(rng), w.far(rng, 300)
    lines: list[str] = []
    threads = [f"http-nio-8080-exec-{n}" for n in range(1, 9)]
    what = "quartz-nightly-7b"
    for i in range(total):
        thread = what if i == rare else rng.choice(threads)
        at = tick("%Y-%m-%d %H:%M:%S.%3")
        team = rng.choice(w.TEAMS)
        cls = f"com.acme.{team}.{rng.choice(w.THINGS).capitalize()}Service"
        roll = rng.random()
        if i == loud or (roll < 0.12 and i not in (out, rare)):
            name, why = (
                ("java.lang.OutOfMemoryError", f"Java heap space in arena {m}")
                if i == loud
                else rng.choice(
                    (("java.net.SocketTimeoutException", "Read timed out"), ("org.acme.RetryException", "try again"))
                )
            )
            lines.append(f"{at} ERROR [{thread}] {cls} : request failed")
            lines.append(f"{name}: {why}")
            lines += [
                f"\tat com.acme.{rng.choice(w.TEAMS)}.Handler.{rng.choice(w.DOINGS)}(Handler.java:{rng.randint(20, 300)})"
                for _ in range(rng.randint(4, 12))
            ]
            lines.append(f"\t... {rng.randint(10, 60)} more")
        else:
            ms = slow if i == out else rng.randint(20, 300)
            lines.append(f"{at}  INFO [{thread}] {cls} : handled {rng.choice(w.DOINGS)} in {ms} ms")
    return w.made("java-log", seed, joined(lines), [len(lines)], m, slow, what, "read_log")


def access(seed: int, total: int = 2_500) -> Case:
    rng = Random(f"blind access {seed}")
    tick = w.Ticker(rng, 2)
    loud, out, rare = w.places(rng, total)
    m, size = w.mark(rng), w.far(rng, 20_000)
    agents = ("Mozilla/5.0 (Windows NT 10.0; Win64; x64)", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0)", "curl/8.1.2")
    what = ("masscan/1.3", "/wp-login.php", "http://evil.example/x")[seed % 3]
    lines = []
    for i in range(total):
        agent, path, referrer = rng.choice(agents), f"/{rng.choice(w.THINGS)}s/{rng.randint(1, 400)}", "-"
        if i == rare:
            agent, path, referrer = ((what, path, "-"), (agent, what, "-"), (agent, path, what))[seed % 3]
        status = rng.choice((200, 200, 200, 304, 301))
        if i == loud:
            status, path = 502, f"/checkout/{m}"
        lines.append(
            f"{w.ip(rng)} - {rng.choice(('-', '-', 'admin'))} [{tick('%d/%b/%Y:%H:%M:%S +0200')}] "
            f'"GET {path} HTTP/2.0" {status} {size if i == out else rng.randint(150, 20_000)} "{referrer}" "{agent}"'
        )
    return w.made("access-log", seed, joined(lines), [total], m, size, what, "read_file")


def pytest_v(seed: int, total: int = 1_200) -> Case:
    rng = Random(f"blind pytest {seed}")
    loud, out, rare = w.places(rng, total)
    m = w.mark(rng)
    reason = rng.choice(("needs a licence dongle", "flaky on s390x", "waiting for upstream 4471"))
    word = rng.choice(("SKIPPED", "XFAIL"))
    names = []
    for i in range(total):
        team = w.TEAMS[i * len(w.TEAMS) // total]
        names.append(
            f"tests/{team}/test_{rng.choice(w.THINGS)}.py::test_{rng.choice(w.DOINGS)}_{rng.choice(w.THINGS)}_{i}"
        )
    lines = [
        "============================= test session starts ==============================",
        "platform linux -- Python 3.12.3, pytest-8.2.0, pluggy-1.5.0 -- /usr/bin/python3",
        "cachedir: .pytest_cache",
        "rootdir: /srv/app",
        f"collected {total} items",
        "",
    ]
    for i, test in enumerate(names):
        end = "FAILED" if i == loud else f"{word} ({reason})" if i == rare else "PASSED"
        lines.append(f"{test} {end}".ljust(90) + f"[{100 * (i + 1) // total:3d}%]")
    seconds = f"{w.far(rng, 2)}.{rng.randint(10, 99)}s"
    durations = sorted(rng.uniform(0.2, 2.0) for _ in range(9))[::-1]
    lines += [
        "",
        "=================================== FAILURES ===================================",
        f"______________ {names[loud].partition('::')[2]} ______________",
        "",
        "    def test():",
        f">       assert fetch() == '{m}'",
        "E       AssertionError: assert None == " + repr(m),
        "",
        f"{names[loud].partition('::')[0]}:{rng.randint(8, 90)}: AssertionError",
        "============================= slowest 10 durations =============================",
        f"{seconds} call     {names[out]}",
        *(f"{d:.2f}s call     {rng.choice(names)}" for d in durations),
        "=========================== short test summary info ============================",
        f"FAILED {names[loud]} - AssertionError: assert None == {m!r}",
        f"============ 1 failed, {total - 2} passed, 1 {word.lower()} in 214.31s (0:03:34) ============",
    ]
    return w.made("pytest-v", seed, joined(lines), [total], [m, names[loud]], seconds, reason, "bash")


def search_hits(seed: int, total: int = 600) -> Case:
    """path:line:text hits of one word."""
    rng = Random(f"blind hits {seed}")
    loud, out, rare = w.places(rng, total)
    m = w.mark(rng)
    word = rng.choice(("timeout", "retry", "session"))
    value = w.far(rng, 60)
    files = sorted(
        {f"{rng.choice(('src', 'lib', 'tests'))}/{rng.choice(w.TEAMS)}/{rng.choice(w.THINGS)}.py" for _ in range(70)}
    )
    places = sorted((rng.choice(files), rng.randint(1, 500)) for _ in range(total))
    what = ("vendor/old_sdk/compat.lua", "scripts/deploy-legacy.sh", "third_party/zlib/notes.txt")[seed % 3]
    lines = []
    for i, (path, number) in enumerate(places):
        text = rng.choice(
            (
                f"    {word} = config.get('{word}', {rng.randint(1, 60)})",
                f"    if {word} > {rng.randint(1, 60)}:",
                f"def {rng.choice(w.DOINGS)}_{word}(self, {rng.choice(w.THINGS)}):",
                f"    # {word} of the {rng.choice(w.THINGS)}",
                f"    self.{word}.{rng.choice(w.DOINGS)}({rng.choice(w.THINGS)})",
            )
        )
        if i == loud:
            text = rng.choice((f'    raise RuntimeError("{word} {m}")', f"    # FIXME: {word} deadlock, see {m}"))
        elif i == out:
            text = f"    {word} = {value}"
        elif i == rare:
            path = what
        lines.append(f"{path}:{number}:{text}")
    return w.made("search-hits", seed, joined(lines), [total], m, value, what, "grep")


def ps_aux(seed: int, total: int = 300) -> Case:
    rng = Random(f"blind ps {seed}")
    loud, out, rare = w.places(rng, total)
    m = w.mark(rng)
    lines = ["USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND"]
    rss = w.far(rng, 40_000)
    what = rng.choice(("xmrig", "mallory", "nobody7"))
    pid = 100
    for i in range(total):
        pid += rng.randint(1, 40)
        who, stat = rng.choice(("root", "root", "www-data", "postgres")), rng.choice(("S", "Ss", "Sl"))
        command = rng.choice(("nginx: worker process", "postgres: idle", "[kworker/0:1]", "/usr/sbin/cron -f",
                              "python3 /srv/app.py"))  # fmt: skip
        if i == loud:
            stat, command = "Z", f"[worker-{m}] <defunct>"
        if i == rare:
            who, command = (who, f"/tmp/{what} -o pool") if what == "xmrig" else (what, command)
        memory = rss if i == out else rng.randint(900, 40_000)
        lines.append(
            f"{who:<10} {pid:>5} {rng.uniform(0, 3):4.1f} {rng.uniform(0, 2):4.1f} {rng.randint(9_000, 900_000):>6} "
            f"{memory:>5} ?        {stat:<4} 08:{rng.randint(10, 59)}   0:{rng.randint(0, 59):02d} {command}"
        )
    return w.made("ps-aux", seed, joined(lines), [total, total + 1], m, rss, what, "bash")


def kubectl_table(seed: int, total: int = 400) -> Case:
    rng = Random(f"blind kubectl {seed}")
    loud, out, rare = w.places(rng, total)
    rows = [["NAMESPACE", "NAME", "READY", "STATUS", "RESTARTS", "AGE", "IP", "NODE"]]
    bad = often = ""
    restarts = w.far(rng, 3) + 30
    what = ("gpu-pool-9", "chaos-testing", "13/13")[seed % 3]
    for i in range(total):
        pod = f"{rng.choice(w.TEAMS)}-{w.hexes(rng, 8)}-{w.hexes(rng, 5)}"
        row = [rng.choice(("prod", "prod", "staging")), pod, "1/1", "Running", str(rng.randint(0, 3)),
               f"{rng.randint(2, 90)}d", w.ip(rng), f"pool-a-{rng.randint(1, 6)}"]  # fmt: skip
        if i == loud:
            bad = pod
            row[2:4] = ["0/1", rng.choice(("CrashLoopBackOff", "Error", "ImagePullBackOff"))]
        if i == out:
            row[4], often = str(restarts), pod
        if i == rare:
            row[(7, 0, 2)[seed % 3]] = what
        rows.append(row)
    width = [max(map(len, column)) + 3 for column in zip(*rows, strict=True)]
    lines = ["".join(cell.ljust(n) for cell, n in zip(row, width, strict=True)).rstrip() for row in rows]
    return w.made("kubectl-table", seed, joined(lines), [total, total + 1], bad, [restarts, often], what, "kubectl")


def disk_free(seed: int, total: int = 120) -> Case:
    rng = Random(f"blind df {seed}")
    loud, out, rare = w.places(rng, total)
    lines = [f"{'Filesystem':<28}{'1K-blocks':>14}{'Used':>14}{'Available':>14} Use% Mounted on"]
    big = 0
    what = rng.choice(("nfs4.acme.io:/vault", "/dev/loop77", "tmpfs-odd"))
    full = ""
    for i in range(total):
        size = rng.randint(40_000_000, 90_000_000)
        if i == out:
            size = big = w.far(rng, 90_000_000)
        share = 100 if i == loud else rng.randint(12, 70)
        mount = f"/data/{rng.choice(w.TEAMS)}{i}"
        full = mount if i == loud else full
        device = what if i == rare else f"/dev/mapper/vg0-lv{i}"
        used = size * share // 100
        lines.append(f"{device:<28}{size:>14}{used:>14}{size - used:>14} {share:>3}% {mount}")
    return w.made("df", seed, joined(lines), [total, total + 1], [full, "100%"], big, what, "bash")


def sockets(seed: int, total: int = 350) -> Case:
    rng = Random(f"blind netstat {seed}")
    loud, out, rare = w.places(rng, total)
    lines = [
        "Active Internet connections (servers and established)",
        "Proto Recv-Q Send-Q Local Address           Foreign Address         State       PID/Program name",
    ]
    queue = w.far(rng, 40) + 900
    what = rng.choice(("sctp", "SYN_SENT", "ncat"))
    m = f"203.0.113.{rng.randint(2, 250)}:{rng.randint(40_000, 60_000)}"
    for i in range(total):
        proto, state, program = (
            "tcp",
            rng.choice(("ESTABLISHED", "ESTABLISHED", "TIME_WAIT", "LISTEN")),
            rng.choice(("nginx", "java", "postgres")),
        )
        if i == rare:
            proto, state, program = (what if what == "sctp" else proto, what if what == "SYN_SENT" else state,
                                     what if what == "ncat" else program)  # fmt: skip
        remote = m if i == loud else f"10.0.{rng.randint(0, 9)}.{rng.randint(2, 250)}:{rng.randint(30_000, 60_000)}"
        send = queue if i == out else rng.randint(0, 40)
        status = "ERROR" if i == loud else state
        lines.append(
            f"{proto:<6}{0:>6} {send:>6} {'10.0.0.5:' + str(rng.choice((80, 443, 5432))):<24}{remote:<24}{status:<12}"
            f"{rng.randint(500, 9_000)}/{program}"
        )
    return w.made("netstat", seed, joined(lines), [total, total + 1, total + 2], m, queue, what, "bash")


def ls_recursive(seed: int, total: int = 1_500) -> Case:
    rng = Random(f"blind ls {seed}")
    loud, out, rare = w.places(rng, total)
    tick = w.Ticker(rng, 90_000)
    lines: list[str] = []
    size = w.far(rng, 90_000)
    m = f"core.{rng.choice(w.TEAMS)}.{rng.randint(10_000, 99_999)}"
    what = rng.choice(("keygen.exe", "dump.rdb.bak7", "mallory"))
    for i in range(total):
        if i % 30 == 0:
            folder = f"./{rng.choice(w.TEAMS)}/{rng.choice(w.THINGS)}{i // 30}"
            lines += ([""] if lines else []) + [f"{folder}:", "total 412"]
        owner = "deploy"
        name = f"{rng.choice(w.DOINGS)}_{rng.choice(w.THINGS)}_{i}.{rng.choice(('py', 'json', 'txt'))}"
        if i == loud:
            name = f"CRASH-{m}.dmp"
        if i == rare:
            owner, name = (what, name) if what == "mallory" else (owner, what)
        n = size if i == out else rng.randint(300, 90_000)
        lines.append(f"-rw-r--r-- 1 {owner} staff {n:>9} {tick('%b %d %H:%M')} {name}")
    return w.made("ls-lR", seed, joined(lines), [total, len(lines)], m, size, what, "bash")


def git_log_stat(seed: int, total: int = 200) -> Case:
    rng = Random(f"blind gitlog {seed}")
    loud, out, rare = w.places(rng, total)
    tick = w.Ticker(rng, 30_000)
    m = w.mark(rng)
    value = w.far(rng, 200)
    what = rng.choice(w.STRANGERS)
    people = [w.name(rng) for _ in range(5)]
    lines: list[str] = []
    for i in range(total):
        who = what if i == rare else rng.choice(people)
        title = f"Revert: production crash, {m}" if i == loud else w.phrase(rng)[:-1]
        lines += [
            f"commit {w.hexes(rng, 40)}",
            f"Author: {who} <{who.split()[0].lower()}@acme.io>",
            f"Date:   {tick('%a %b %d %H:%M:%S %Y')} +0000",
            "",
            f"    {title}",
            "",
        ]
        added = removed = 0
        for k in range(files := rng.randint(1, 4)):
            n = value if i == out and k == 0 else rng.randint(1, 60)
            added, removed = added + n * 2 // 3, removed + n - n * 2 // 3
            lines.append(
                f" src/{rng.choice(w.TEAMS)}/{rng.choice(w.THINGS)}{k}.py | {n} " + "+" * min(n // 2, 30) + "-"
            )
        lines += [f" {files} files changed, {added} insertions(+), {removed} deletions(-)", ""]
    return w.made("git-log-stat", seed, joined(lines[:-1]), [total, len(lines) - 1], m, value, what, "bash")


def prometheus(seed: int, total: int = 900) -> Case:
    rng = Random(f"blind prometheus {seed}")
    loud, out, rare = w.places(rng, total)
    m = f"{rng.choice(w.TEAMS)}-{w.hexes(rng, 4)}z"
    value = w.far(rng, 9_000)
    what = rng.choice((*w.FAR_REGIONS, "v0.0.1-debug"))
    lines: list[str] = []
    metric = ""
    for i in range(total):
        if i % 90 == 0:
            metric = f"{rng.choice(w.TEAMS)}_{rng.choice(w.THINGS)}s_{rng.choice(w.DOINGS)}_total"
            lines += [f"# HELP {metric} How many {rng.choice(w.THINGS)}s.", f"# TYPE {metric} counter"]
        version = "v1.4.2"
        region = rng.choice(w.REGIONS)
        if i == rare:
            region, version = (region, what) if what[0] == "v" else (what, version)
        if i == loud:
            lines.append(f'{metric}{{region="{region}",status="fatal",pod="{m}"}} {rng.randint(2, 9)}')
            continue
        n = value if i == out else rng.randint(2_000, 9_000)
        lines.append(f'{metric}{{region="{region}",status="ok",version="{version}",pod="{w.hexes(rng, 6)}"}} {n}')
    return w.made("prometheus", seed, joined(lines), [total, len(lines)], m, value, what, "fetch")


KINDS = {
    "service-log": service_log,
    "java-log": java_log,
    "access-log": access,
    "pytest-v": pytest_v,
    "search-hits": search_hits,
    "ps-aux": ps_aux,
    "kubectl-table": kubectl_table,
    "df": disk_free,
    "netstat": sockets,
    "ls-lR": ls_recursive,
    "git-log-stat": git_log_stat,
    "prometheus": prometheus,
}
