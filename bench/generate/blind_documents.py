"""Blind set: sequences, diffs, delimited text, markup, configuration, source and prose."""

# ruff: noqa: E501 (templates read better unbroken)

from __future__ import annotations

import csv
import io
from random import Random

from bench.generate import blind_words as w
from bench.generate.blind_logs import joined
from bench.generate.case import Case

ACIDS = "ACDEFGHIKLMNPQRSTVWY"


def folded(sequence: str, width: int = 60) -> str:
    return "".join(f"{sequence[k : k + width]}\n" for k in range(0, len(sequence), width))


def fasta(seed: int, total: int = 100) -> Case:
    rng = Random(f"blind fasta {seed}")
    loud, out, rare = w.places(rng, total)
    organisms = ("Escherichia coli K-12", "Bacillus subtilis 168", "Pseudomonas putida")
    what = rng.choice(("Thermotoga maritima", "Deinococcus radiodurans", "Halobacterium salinarum"))
    records, names = [], []
    for i in range(total):
        name = f"WP_{rng.randint(10**8, 10**9 - 1)}.1"
        names.append(name)
        body = "M" + "".join(rng.choices(ACIDS, k=rng.randint(240, 520)))
        if i == loud:
            at = rng.randint(40, 200)
            body = body[:at] + "*" * rng.choice((1, 3)) + body[at:]
        if i == out:
            body = body[: rng.randint(3, 9)] if seed % 2 else "M" + "".join(rng.choices(ACIDS, k=w.far(rng, 400)))
        organism = what if i == rare else rng.choice(organisms)
        records.append(f">{name} {rng.choice(w.DOINGS)} {rng.choice(w.THINGS)} protein [{organism}]\n{folded(body)}")
    return w.made("fasta-proteins", seed, "".join(records), [total], names[loud], names[out], what, "efetch")


def fastq(seed: int, total: int = 400) -> Case:
    rng = Random(f"blind fastq {seed}")
    loud, out, rare = w.places(rng, total)
    lines, names = [], []
    what = "FLOWCELLX"
    for i in range(total):
        cell = what if i == rare else "HJ3KLDSXY"
        name = f"A00{rng.randint(100, 999)}:{rng.randint(1, 50)}:{cell}:{rng.randint(1, 4)}:{1000 + i}:{rng.randint(1, 30_000)}"
        names.append(name)
        size = rng.randint(4, 9) if i == out else 100
        bases = "N" * size if i == loud else "".join(rng.choices("ACGT", k=size))
        quality = "!" * size if i == loud else "".join(rng.choices("FFFF:,", k=size))
        lines += [f"@{name} 1:N:0:ATCACG", bases, "+", quality]
    return w.made("fastq", seed, joined(lines), [total], names[loud], names[out], what, "head")


def genbank(seed: int, total: int = 24) -> Case:
    rng = Random(f"blind genbank {seed}")
    loud, out, rare = w.places(rng, total)
    what = "Okavango phage T9"
    out_text, names = [], []
    for i in range(total):
        name = f"AB{rng.randint(100_000, 999_999)}"
        names.append(name)
        organism = what if i == rare else rng.choice(("Vibrio cholerae", "Vibrio fischeri"))
        length = w.far(rng, 900) if i == out else rng.randint(600, 900)
        length = min(length, 30_000)
        bases = "n" * length if i == loud else "".join(rng.choices("acgt", k=length))
        rows = []
        for k in range(0, length, 60):
            chunk = bases[k : k + 60]
            rows.append(f"{k + 1:>9} " + " ".join(chunk[j : j + 10] for j in range(0, len(chunk), 10)))
        out_text.append(
            f"LOCUS       {name:<16} {length:>7} bp    DNA     linear   BCT 12-MAR-2021\n"
            f"DEFINITION  {organism} {rng.choice(w.THINGS)} gene, complete cds.\n"
            f"ACCESSION   {name}\nVERSION     {name}.1\nSOURCE      {organism}\n  ORGANISM  {organism}\n"
            f"FEATURES             Location/Qualifiers\n     source          1..{length}\n"
            f'                     /organism="{organism}"\n     gene            10..{length - 9}\n'
            f'                     /gene="{rng.choice(w.THINGS)[:3]}{rng.choice("ABC")}"\nORIGIN\n'
            + "\n".join(rows)
            + "\n//\n"
        )
    return w.made("genbank", seed, "".join(out_text), [total], f"{names[loud]}.1", f"{names[out]}.1", what, "efetch")


def diff(seed: int, files: int = 45) -> Case:
    rng = Random(f"blind diff {seed}")
    loud, out, rare = w.places(rng, files)
    m = w.mark(rng)
    value = w.far(rng, 60)
    paths = sorted({f"{rng.choice(('src', 'app', 'tests'))}/{rng.choice(w.TEAMS)}/{rng.choice(w.DOINGS)}_{rng.choice(w.THINGS)}.py"
                    for _ in range(files * 3)})  # fmt: skip
    paths = sorted(rng.sample(paths, files))
    blocks: list[str] = []
    what = ("assets/logo-v2.png", "contrib/emacs/acme.el", "deploy/entrypoint.sh")[seed % 3]
    for i, path in enumerate(paths):
        if i == rare:
            path = what
        head = [f"diff --git a/{path} b/{path}"]
        if i == rare and seed % 3 == 0:
            head += [f"index {w.hexes(rng, 7)}..{w.hexes(rng, 7)} 100644", f"Binary files a/{path} and b/{path} differ"]
            blocks += head
            continue
        if i == rare and seed % 3 == 2:
            head += ["old mode 100644", "new mode 100755"]
        head += [f"index {w.hexes(rng, 7)}..{w.hexes(rng, 7)} 100644", f"--- a/{path}", f"+++ b/{path}"]
        blocks += head
        line = 1
        for h in range(rng.randint(1, 4)):
            body = []
            for _ in range(rng.randint(6, 20)):
                code = rng.choice(
                    (
                        f"    {rng.choice(w.THINGS)} = {rng.choice(w.DOINGS)}({rng.choice(w.THINGS)})",
                        f"    if {rng.choice(w.THINGS)}.{rng.choice(w.DOINGS)}ed:",
                        f"        return {rng.choice(w.THINGS)}[{rng.randint(0, 9)}]",
                        f"def {rng.choice(w.DOINGS)}_{rng.choice(w.THINGS)}(self, limit={rng.randint(1, 60)}):",
                        f"    # {w.phrase(rng)}",
                    )
                )
                body.append(rng.choice("    +-") + code)
            if i == loud and h == 0:
                body.insert(
                    rng.randint(0, len(body)),
                    rng.choice(
                        (
                            f'+        raise RuntimeError("{m}")',
                            f'+    AWS_SECRET_ACCESS_KEY = "{m}"',
                            f'+    log.fatal("FATAL: {m}")',
                        )
                    ),
                )
            if i == out and h == 0:
                at = rng.randint(0, len(body))
                body[at:at] = ["-    timeout = 30", f"+    timeout = {value}"]
            olds = sum(b[0] != "+" for b in body)
            news = sum(b[0] != "-" for b in body)
            line += rng.randint(5, 90)
            blocks.append(f"@@ -{line},{olds} +{line},{news} @@")
            blocks += body
            line += olds
    return w.made("git-diff", seed, joined(blocks), [files, len(blocks)], m, value, what, "git_diff")


def csv_table(seed: int, total: int = 1_000) -> Case:
    rng = Random(f"blind csv {seed}")
    tick = w.Ticker(rng, 600)
    loud, out, rare = w.places(rng, total)
    m = w.mark(rng)
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n" if seed % 4 == 3 else "\n")
    value: object
    rows: list[list[object]]
    if seed % 3 == 0:
        head = ["id", "customer", "ordered_at", "country", "items", "total", "status", "comment"]
        rows = [[7_000 + i, w.name(rng), tick("%Y-%m-%d"), rng.choice(("DE", "FR", "ES")), rng.randint(1, 9),
                 f"{rng.uniform(8, 200):.2f}", rng.choice(("paid", "sent")), ""] for i in range(total)]  # fmt: skip
        rows[loud][6:] = ["ERROR", f"refund failed {m}"]
        rows[out][5] = value = f"{w.far(rng, 200)}.90"
        rows[rare][3] = what = rng.choice(("TV", "KI", "NR"))
    elif seed % 3 == 1:
        head = ["time", "sensor", "temperature", "humidity", "battery", "flag"]
        rows = [[tick(), f"s{rng.randint(1, 12):02d}", f"{rng.gauss(19, 2):.2f}", f"{rng.gauss(50, 5):.1f}",
                 rng.randint(60, 100), "ok"] for _ in range(total)]  # fmt: skip
        rows[loud][5] = f"FAULT {m}"
        rows[out][2] = value = f"{w.far(rng, 19)}.75"
        rows[rare][1] = what = "s77b"
    else:
        head = ["user_id", "full_name", "email", "plan", "logins", "last_seen", "town"]
        rows = []
        for i in range(total):
            person = w.name(rng)
            rows.append([i + 1, person, person.lower().replace(" ", ".") + f"{i}@example.org", rng.choice(("free", "pro")),
                         rng.randint(0, 300), tick("%d.%m.%Y"), rng.choice(w.TOWNS)])  # fmt: skip
        rows[loud][3] = f"ERROR: {m}"
        rows[out][4] = value = w.far(rng, 300)
        rows[rare][6] = what = rng.choice(w.FAR_TOWNS)
    writer.writerow(head)
    writer.writerows(rows)
    return w.made("csv-table", seed, stream.getvalue(), [total], m, value, what, "read_csv")


def html_table(seed: int, total: int = 600) -> Case:
    rng = Random(f"blind html {seed}")
    loud, out, rare = w.places(rng, total)
    m, value = w.mark(rng), w.far(rng, 400)
    what = rng.choice(w.FAR_TOWNS)
    rows = []
    for i in range(total):
        town = what if i == rare else rng.choice(w.TOWNS)
        state = f"<b>failed: {m}</b>" if i == loud else "delivered"
        units = value if i == out else rng.randint(10, 400)
        rows.append(f'<tr class="r{i % 2}"><td>{8_000 + i}</td><td>{w.name(rng)}</td><td>{town}</td>'
                    f'<td class="num">{units}</td><td>{state}</td></tr>')  # fmt: skip
    text = (
        "<!DOCTYPE html>\n<html><head><title>Shipments</title><style>td{padding:2px}</style></head><body>\n"
        "<nav><a href='/'>Home</a></nav><h1>Shipments</h1>\n<table>\n"
        "<tr><th>No</th><th>Customer</th><th>Town</th><th>Units</th><th>State</th></tr>\n"
        + "\n".join(rows)
        + "\n</table>\n<footer>generated</footer></body></html>\n"
    )
    return w.made("html-table", seed, text, [total, total + 1], m, value, what, "fetch")


def markdown_table(seed: int, total: int = 500) -> Case:
    rng = Random(f"blind md {seed}")
    loud, out, rare = w.places(rng, total)
    m, value = w.mark(rng), w.far(rng, 90)
    what = rng.choice(w.STRANGERS)
    lines = ["| Ticket | Owner | Team | Hours | State |", "|---|---|---|---:|---|"]
    people = [w.name(rng) for _ in range(8)]
    for i in range(total):
        lines.append(f"| T-{i + 300} | {what if i == rare else rng.choice(people)} | {rng.choice(w.TEAMS)} "
                     f"| {value if i == out else rng.randint(1, 90)} | {f'BLOCKED by error {m}' if i == loud else 'done'} |")  # fmt: skip
    return w.made("markdown-table", seed, joined(lines), [total, total + 2], m, value, what, "fetch")


def junit(seed: int, total: int = 800) -> Case:
    rng = Random(f"blind junit {seed}")
    loud, out, rare = w.places(rng, total)
    m, slow = w.mark(rng), f"{w.far(rng, 2)}.{rng.randint(100, 999)}"
    what = "windows-arm-only"
    rows = []
    for i in range(total):
        seconds = slow if i == out else f"{rng.uniform(0.01, 2):.3f}"
        head = (f'    <testcase classname="com.acme.{rng.choice(w.TEAMS)}.{rng.choice(w.THINGS).capitalize()}Test" '
                f'name="{rng.choice(w.DOINGS)}{rng.choice(w.THINGS).capitalize()}{i}" time="{seconds}"')  # fmt: skip
        if i == loud:
            head += (f'>\n      <failure message="expected {m}" type="AssertionError">at Foo.java:12\nat Bar.java:90'
                     "</failure>\n    </testcase>")  # fmt: skip
        elif i == rare:
            head += f'>\n      <skipped message="{what}"/>\n    </testcase>'
        else:
            head += "/>"
        rows.append(head)
    text = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite name="all" tests="{total}" failures="1" '
        'errors="0" skipped="1">\n' + "\n".join(rows) + "\n  </testsuite>\n</testsuites>\n"
    )
    return w.made("junit-xml", seed, text, [total], m, slow, what, "read_file")


def manifests(seed: int, total: int = 90) -> Case:
    rng = Random(f"blind yaml {seed}")
    loud, out, rare = w.places(rng, total)
    m, value = w.mark(rng), w.far(rng, 6) + 20
    what = ("hostPort: 31337", "ClusterRoleBinding", "quay.io/strange/image")[seed % 3]
    docs = []
    for i in range(total):
        name = f"{rng.choice(w.TEAMS)}-{rng.choice(w.THINGS)}-{i}"
        image = what if i == rare and seed % 3 == 2 else f"registry.acme.io/{rng.choice(w.TEAMS)}"
        kind = what if i == rare and seed % 3 == 1 else "Deployment"
        port = f"              {what}\n" if i == rare and seed % 3 == 0 else ""
        note = f"    status/last-error: 'rollout failed {m}'\n" if i == loud else ""
        docs.append(
            f"apiVersion: apps/v1\nkind: {kind}\nmetadata:\n  name: {name}\n  namespace: {rng.choice(('prod', 'dev'))}\n"
            f"  annotations:\n    owner: {rng.choice(w.TEAMS)}\n{note}spec:\n"
            f"  replicas: {value if i == out else rng.randint(1, 6)}\n  template:\n    spec:\n      containers:\n"
            f"        - name: main\n          image: {image}:1.{rng.randint(0, 9)}\n          ports:\n"
            f"            - containerPort: {rng.choice((8080, 9090))}\n{port}          resources:\n            limits:\n"
            f"              cpu: {rng.choice((250, 500))}m\n              memory: 512Mi\n"
        )
    text = "---\n".join(docs)
    said = what.split(": ")  # of records a field and its value are told in their own way
    return w.made("k8s-yaml", seed, text, [total, text.count("\n")], m, value, said, "read_file")


def settings(seed: int, total: int = 60) -> Case:
    """An ini file of uniform sections, or a long .env."""
    rng = Random(f"blind ini {seed}")
    m, value = w.mark(rng), w.far(rng, 60)
    lines: list[str] = []
    if seed % 2:
        loud, out, rare = w.places(rng, total)
        what = "sqlite-legacy"
        for i in range(total):
            lines += [
                f"[service:{rng.choice(w.TEAMS)}{i}]",
                f"host = {rng.choice(w.TEAMS)}.internal",
                f"port = {rng.randint(8000, 8100)}",
                f"timeout = {value if i == out else rng.randint(5, 60)}",
                f"backend = {what if i == rare else rng.choice(('postgres', 'redis'))}",
                f"note = {f'BROKEN, see {m}' if i == loud else 'none'}",
                "enabled = true",
                "",
            ]
        return w.made("settings", seed, joined(lines), [total, len(lines)], m, value, what, "read_file")
    n = total * 5
    loud, out, rare = w.places(rng, n)
    what = "gopher://old.acme.io"
    for i in range(n):
        key = f"{rng.choice(w.TEAMS)}_{rng.choice(w.THINGS)}_{i}".upper()
        if i == loud:
            lines.append(f"{key}_PASSWORD=hunter2-{m}")
        elif i == rare:
            lines.append(f"{key}_URL={what}")
        elif i % 3:
            lines.append(f"{key}_TIMEOUT={value if i == out else rng.randint(5, 60)}")
        else:
            lines.append(f"{key}_URL=https://{rng.choice(w.TEAMS)}.acme.io" if i != out else f"{key}_TIMEOUT={value}")
    return w.made("settings", seed, joined(lines), [n], m, value, what, "read_file")


def sql_dump(seed: int, total: int = 700) -> Case:
    rng = Random(f"blind sql {seed}")
    tick = w.Ticker(rng, 800)
    loud, out, rare = w.places(rng, total)
    m, value = w.mark(rng), w.far(rng, 900)
    what = rng.choice(("bitcoin", "cheque", "barter"))
    rows = []
    for i in range(total):
        pay = what if i == rare else rng.choice(("card", "transfer", "paypal"))
        state = f"failed: {m}" if i == loud else rng.choice(("settled", "pending"))
        amount = value if i == out else rng.randint(5, 900)
        rows.append(f"({i + 1},'{w.name(rng)}','{tick('%Y-%m-%d %H:%M:%S')}',{amount},'{pay}','{state}')")
    if seed % 2:
        body = [f"INSERT INTO `payments` VALUES {row};" for row in rows]
    else:
        body = [
            "INSERT INTO `payments` (id, name, at, amount, method, state) VALUES",
            *(r + "," for r in rows[:-1]),
            rows[-1] + ";",
        ]
    lines = ["-- MySQL dump 10.13", "DROP TABLE IF EXISTS `payments`;",
             "CREATE TABLE `payments` (", "  `id` int NOT NULL,", "  `name` varchar(80),", "  `at` datetime,",
             "  `amount` int,", "  `method` varchar(20),", "  `state` varchar(80)", ");", *body]  # fmt: skip
    return w.made("sql-dump", seed, joined(lines), [total, len(lines)], m, value, what, "read_file")


def variants(seed: int, total: int = 900) -> Case:
    """VCF or BED-like TSV with numbers in scientific notation."""
    rng = Random(f"blind vcf {seed}")
    loud, out, rare = w.places(rng, total)
    m = f"rs{rng.randint(10**7, 10**8)}x"
    lines: list[str] = []
    if seed % 2:
        lines += ["##fileformat=VCFv4.2", "##source=acme", "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO"]
        what = "chrUn_KI270742v1"
        value: object = w.far(rng, 90)
        at = 10_000
        for i in range(total):
            at += rng.randint(20, 900)
            chrom = what if i == rare else f"chr{1 + 6 * i // total}"
            flag = f"ERROR:{m}" if i == loud else "PASS"
            quality = value if i == out else rng.randint(30, 90)
            lines.append(f"{chrom}\t{at}\trs{rng.randint(10**6, 10**7)}\t{rng.choice('ACGT')}\t{rng.choice('ACGT')}\t"
                         f"{quality}\t{flag}\tDP={rng.randint(10, 60)};AF={rng.uniform(0.1, 0.6):.2f}")  # fmt: skip
    else:
        lines.append("gene\tlog2fc\tpvalue\tbase_mean\tbiotype\tnote")
        what = "vault_RNA"
        value = f"{rng.randint(2, 9)}.{rng.randint(10, 99)}e+{rng.randint(7, 9):02d}"
        for i in range(total):
            mean = value if i == out else f"{rng.uniform(1, 9):.2f}e+{rng.randint(1, 3):02d}"
            kind = what if i == rare else rng.choice(("protein_coding", "lncRNA"))
            lines.append(f"ENSG{rng.randint(10**9, 10**10)}\t{rng.gauss(0, 1):.3f}\t{rng.uniform(1, 9):.2f}e-{rng.randint(2, 9):02d}"
                         f"\t{mean}\t{kind}\t{f'model failed {m}' if i == loud else 'ok'}")  # fmt: skip
    return w.made("variants-tsv", seed, joined(lines), [total], m, value, what, "read_file")


def meeting(seed: int, total: int = 800) -> Case:
    """Prose: e-mails and minutes. One outage, one sum far out of line, one person who is mentioned once."""
    rng = Random(f"blind prose {seed}")
    loud, out, rare = w.places(rng, total)
    m, value = w.mark(rng), w.far(rng, 30)
    what = rng.choice(w.STRANGERS)
    paragraphs: list[str] = []
    row: list[str] = []
    for i in range(total):
        text = w.phrase(rng)
        if i == loud:
            text = f"The payment system crashed on Friday and the data was lost, see {m}."
        elif i == out:
            text = f"{rng.choice(w.FIRST)} noted that the order list grows by {value} entries a week."
        elif i == rare:
            text = text.replace("We should", f"{what} should") if "We should" in text else f"{what} joined late."
        row.append(text)
        if len(row) >= rng.randint(3, 8):
            paragraphs.append(" ".join(row))
            row = []
    if row:
        paragraphs.append(" ".join(row))
    text = "\n\n".join(paragraphs) + "\n"
    words = len(text.split())
    return w.made("prose", seed, text, [total, len(paragraphs), text.count("\n"), words], m, value, what, "read_mail")


def source_view(seed: int, total: int = 900) -> Case:
    rng = Random(f"blind source {seed}")
    lines = ["import os", "import json", "", ""]
    while len(lines) < total:
        do, thing = rng.choice(w.DOINGS), rng.choice(w.THINGS)
        lines += [
            f"def {do}_{thing}_{len(lines)}({rng.choice(w.THINGS)}, limit={rng.randint(1, 50)}):",
            f'    """{w.phrase(rng)}"""',
            *(
                rng.choice(
                    (
                        f"    {rng.choice(w.THINGS)} = {do}({thing}, retries={rng.randint(1, 9)})",
                        f"    for {thing} in {rng.choice(w.THINGS)}s:",
                        f"        {thing}.{rng.choice(w.DOINGS)}(delay={rng.randint(1, 30)})",
                        f"    if not {thing}:",
                        "        continue",
                    )
                )
                for _ in range(rng.randint(4, 12))
            ),
            f"    return {thing}",
            "",
            "",
        ]
    lines = lines[:total]
    loud, out, rare = w.places(rng, total)
    m, value = w.mark(rng), w.far(rng, 2_000)
    what = rng.choice(("ctypes.CDLL", "subprocess.Popen", "pickle.loads"))
    lines[loud] = rng.choice((f'    raise SystemError("FATAL {m}")', f"    # FIXME: crashes when empty, {m}"))
    lines[out] = f"    token = fetch(token, delay={value})"
    lines[rare] = f"    {what}(payload)"
    first = rng.choice((1, 1, 200))
    form = rng.choice(("{:>6}\t{}", "{:>5}→{}", "{}: {}"))
    text = joined([form.format(first + i, line) for i, line in enumerate(lines)])
    return w.made("source-view", seed, text, [total], m, value, what, "view_file")


KINDS = {
    "fasta-proteins": fasta,
    "fastq": fastq,
    "genbank": genbank,
    "git-diff": diff,
    "csv-table": csv_table,
    "html-table": html_table,
    "markdown-table": markdown_table,
    "junit-xml": junit,
    "k8s-yaml": manifests,
    "settings": settings,
    "sql-dump": sql_dump,
    "variants-tsv": variants,
    "prose": meeting,
    "source-view": source_view,
}
