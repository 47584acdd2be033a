"""Documents and source: diff, XML report, configuration, Markdown, numbered file view."""

from __future__ import annotations

from random import Random
from xml.sax.saxutils import escape, quoteattr

from bench.generate import vocabulary as v
from bench.generate.case import Case, Planted


def source_lines(rng: Random, total: int) -> list[str]:
    """Plausible Python."""
    lines = [
        '"""' + v.sentence(rng) + '"""',
        "",
        "import logging",
        f"from .{rng.choice(v.NOUNS)} import {v.symbol(rng)}",
        "",
    ]
    while len(lines) < total:
        kind = rng.random()
        if kind < 0.25:
            name = v.symbol(rng).title().replace("_", "")
            lines += ["", f"class {name}:", f'    """{v.sentence(rng)}"""', ""]
        lines += [
            f"    def {v.symbol(rng)}(self, {rng.choice(v.NOUNS)}: str, limit: int = {rng.randint(1, 60)}) -> None:",
            f'        """{v.sentence(rng)}"""',
        ]
        for _ in range(rng.randint(3, 14)):
            slots = v.words(rng)
            lines.append(
                "        "
                + rng.choice(
                    (
                        "{noun} = self.{verb}({noun2}, size={small})",
                        "if {noun} is None or {noun2}.closed:",
                        "    return self._{verb}_{noun2}({noun})",
                        "for entry in {noun}.entries:",
                        "    entry.{verb}({noun2})",
                        "self.{noun}[{noun2!r}] = {small}",
                        "logger.debug('{verb} %s', {noun})",
                    )
                ).format(**slots, small=rng.randint(1, 90))
            )
        lines.append("")
    return lines[:total]


def git_diff(seed: int, files: int = 45) -> Case:
    """A git diff: a conflict marker or removed guard, one number far out, one file of another kind."""
    rng = Random(f"diff:{seed}")
    paths: list[str] = []
    while len(paths) < files:
        candidate = v.path(rng)
        if candidate not in paths:
            paths.append(candidate)
    paths.sort()
    loud, outlier, rare = v.spots(rng, files)
    mark, number = v.code(rng), rng.randint(10_000_000, 99_999_999)
    blocks: list[str] = []
    for i, path in enumerate(paths):
        body: list[str] = []
        line = rng.randint(1, 40)
        for _ in range(rng.randint(1, 5)):
            context = source_lines(rng, 40)[8:]
            hunk: list[str] = []
            for text in context[: rng.randint(8, 24)]:
                roll = rng.random()
                hunk.append(("+" if roll < 0.25 else "-" if roll < 0.4 else " ") + text)
            if i == loud and not body:
                insert = rng.choice(
                    (
                        ["+<<<<<<< HEAD", f"+    key = '{mark}'", "+=======", "+    key = ''", "+>>>>>>> feature"],
                        [f"+        raise RuntimeError('FATAL: unreachable state {mark}')"],
                        [f"+    # FIXME: disables the signature check, error {mark}"],
                    )
                )
                hunk[3:3] = insert
            if i == outlier and not body:
                hunk[2:2] = ["-        self.timeout = 30", f"+        self.timeout = {number}"]
            old = sum(1 for t in hunk if t[0] in " -")
            new = sum(1 for t in hunk if t[0] in " +")
            body += [f"@@ -{line},{old} +{line},{new} @@ def {v.symbol(rng)}(self):", *hunk]
            line += rng.randint(40, 120)
        head = [
            f"diff --git a/{path} b/{path}",
            f"index {v.hexid(rng, 7)}..{v.hexid(rng, 7)} 100644",
            f"--- a/{path}",
            f"+++ b/{path}",
        ]
        blocks.append("\n".join(head + body))
    stranger = f"{rng.choice(v.PLACES)}/{v.hexid(rng, 6)}"
    kind = rng.choice(("deleted", "binary", "mode", "new"))
    if kind == "binary":
        name = f"{stranger}.dat"
        odd = f"diff --git a/{name} b/{name}\nindex 1111111..2222222 100644\nBinary files a/{name} and b/{name} differ"
    elif kind == "mode":
        name = f"{stranger}.sh"
        odd = f"diff --git a/{name} b/{name}\nold mode 100644\nnew mode 100755"
    else:
        name = f"{stranger}.sql"
        sign, start = ("-", "1,2 +0,0") if kind == "deleted" else ("+", "0,0 +1,2")
        mode = f"{kind} file mode 100644"
        ends = (f"a/{name}", "/dev/null") if kind == "deleted" else ("/dev/null", f"b/{name}")
        odd = (
            f"diff --git a/{name} b/{name}\n{mode}\nindex 1111111..0000000\n--- {ends[0]}\n+++ {ends[1]}\n"
            f"@@ -{start} @@\n{sign}ALTER TABLE {rng.choice(v.NOUNS)} ADD note text;\n{sign}COMMIT;"
        )
    blocks[rare] = odd
    text = "\n".join(blocks) + "\n"
    planted = (Planted("loud", (mark,)), Planted("outlier", (str(number),)), Planted("rare", (name,)))
    return Case("diff", seed, text, (files,), planted, "git_diff")


def xml_report(seed: int, total: int = 500) -> Case:
    """JUnit or Checkstyle XML."""
    rng = Random(f"xml:{seed}")
    loud, outlier, rare = v.spots(rng, total)
    mark = v.code(rng)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    if seed % 2:
        slow, odd = f"{rng.randint(400, 3_000)}.{rng.randint(100, 999)}", f"org.legacy.{v.hexid(rng, 6)}"
        lines.append(f'<testsuites><testsuite name="all" tests="{total}" failures="1" errors="0" time="812.4">')
        packages = [f"org.example.{rng.choice(v.SERVICES)}.{rng.choice(v.NOUNS)}" for _ in range(12)]
        for i in range(total):
            package = odd if i == rare else rng.choice(packages)
            seconds = slow if i == outlier else f"0.{rng.randint(1, 99):03d}"
            head = f'  <testcase classname="{package}" name="{v.symbol(rng)}_{i}" time="{seconds}"'
            if i == loud:
                reason = quoteattr(f"expected 3 but was 4 {mark}")
                lines += [
                    f"{head}>",
                    f'    <failure message={reason} type="AssertionError">',
                    f"at {package}.run",
                    "    </failure>",
                    "  </testcase>",
                ]
            else:
                lines.append(f"{head}/>")
        lines.append("</testsuite></testsuites>")
        far = slow
    else:
        far, odd = str(rng.randint(60_000, 99_000)), f"com.legacy.{v.hexid(rng, 6)}Check"
        lines.append('<checkstyle version="10.12">')
        rules = [
            f"com.example.checks.{rng.choice(v.VERBS).title()}{rng.choice(v.NOUNS).title()}Check" for _ in range(8)
        ]
        written = 0
        while written < total:
            lines.append(f'  <file name="/srv/{v.path(rng, "java")}">')
            for _ in range(min(total - written, rng.randint(3, 20))):
                rule = odd if written == rare else rng.choice(rules)
                line = far if written == outlier else str(rng.randint(1, 900))
                level = "error" if written == loud else "warning"
                message = f"Unreachable state {mark}" if written == loud else escape(v.sentence(rng))[:60]
                lines.append(
                    f'    <error line="{line}" column="{rng.randint(1, 90)}" severity="{level}" '
                    f'message={quoteattr(message)} source="{rule}"/>'
                )
                written += 1
            lines.append("  </file>")
        lines.append("</checkstyle>")
    text = "\n".join(lines) + "\n"
    planted = (Planted("loud", (mark,)), Planted("outlier", (far,)), Planted("rare", (odd,)))
    return Case("xml", seed, text, (total,), planted, "read_file")


def yaml_config(seed: int, total: int = 90) -> Case:
    """A compose-like YAML of many services; its line count or its service count must be stated."""
    rng = Random(f"yaml:{seed}")
    loud, outlier, rare = v.spots(rng, total)
    mark, port, odd = v.code(rng), rng.randint(3_000_000, 9_000_000), f"legacy-net-{v.hexid(rng, 5)}"
    lines = ["version: '3.9'", "services:"]
    for i in range(total):
        name = f"{rng.choice(v.SERVICES)}-{i:02d}"
        lines += [
            f"  {name}:",
            f"    image: registry.example.com/{name[:-3]}:1.{rng.randint(0, 9)}.{rng.randint(0, 9)}",
            "    restart: unless-stopped",
            f"    mem_limit_mb: {port if i == outlier else rng.choice((256, 512, 1024))}",
            f"    networks: [{odd if i == rare else rng.choice(('front', 'back'))}]",
            "    environment:",
            f"      {rng.choice(v.NOUNS).upper()}_URL: http://{rng.choice(v.SERVICES)}:{rng.randint(8000, 8100)}",
            f"      LOG_LEVEL: {rng.choice(('info', 'debug'))}",
            "    healthcheck:",
            "      interval: 30s",
            f"      retries: {rng.randint(2, 5)}",
        ]
        if i == loud:
            lines.append(f"    # FIXME: broken, crashes on start with error {mark}")
    text = "\n".join(lines) + "\n"
    planted = (Planted("loud", (mark,)), Planted("outlier", (str(port),)), Planted("rare", (odd,)))
    return Case("yaml", seed, text, (total, len(lines)), planted, "read_file")


def markdown(seed: int, total: int = 260) -> Case:
    """A Markdown page whose main part is a table."""
    rng = Random(f"markdown:{seed}")
    loud, outlier, rare = v.spots(rng, total)
    mark, far, odd = v.code(rng), rng.randint(700_000, 9_000_000), v.login(rng) + str(rng.randint(100, 999))
    owners = [v.login(rng) for _ in range(5)]
    lines = [
        f"# {rng.choice(v.SERVICES).title()} runbook",
        "",
        v.paragraph(rng),
        "",
        "## Jobs",
        "",
        v.paragraph(rng),
        "",
    ]
    lines += ["| Job | Owner | Seconds | Last result | Note |", "|---|---|---|---|---|"]
    for i in range(total):
        result, note = ("failed", f"exit code 137, ticket {mark}") if i == loud else ("ok", rng.choice(v.ADJECTIVES))
        seconds = far if i == outlier else rng.randint(20, 400)
        who = odd if i == rare else rng.choice(owners)
        lines.append(f"| {v.symbol(rng)}_{i} | {who} | {seconds} | {result} | {note} |")
    lines += ["", "## Contact", "", v.paragraph(rng), ""]
    planted = (Planted("loud", (mark,)), Planted("outlier", (str(far),)), Planted("rare", (odd,)))
    return Case("markdown", seed, "\n".join(lines), (total, len(lines), len(lines) - 1), planted, "fetch")


def code_view(seed: int, total: int = 900) -> Case:
    """A numbered view of a source file: what stands on a line must be shown with its number."""
    rng = Random(f"code:{seed}")
    lines = source_lines(rng, total)
    loud, outlier, rare = v.spots(rng, total)
    mark, number, odd = v.code(rng), rng.randint(10_000_000, 99_999_999), f"legacy_{v.hexid(rng, 6)}"
    lines[loud] = f"        # FIXME: this loses data when the lease is lost, see {mark}"
    lines[outlier] = f"        self.limit = {number}"
    lines[rare] = f"def {odd}(raw: bytes) -> str:"
    separator = ("\t", "→", "|")[seed % 3]
    text = "\n".join(f"{i:>6}{separator}{line}" for i, line in enumerate(lines, 1)) + "\n"
    planted = (
        Planted("loud", (mark, str(loud + 1))),
        Planted("outlier", (str(number),)),
        Planted("rare", (odd, str(rare + 1))),
    )
    return Case("code", seed, text, (total,), planted, "Read")
