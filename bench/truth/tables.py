"""Tables of text: CSV, TSV, psql, Markdown, aligned columns."""

from __future__ import annotations

import csv
import io

from bench.truth.case import CITIES, FAILED, FINE, WORDS, Case, R


def _column(r: R, n: int) -> list[str]:
    kind = r.choice(
        [
            "int",
            "float",
            "status",
            "unit",
            "mem",
            "pct",
            "money",
            "version",
            "zip",
            "date",
            "word",
            "text",
            "blank",
            "dur",
            "neg",
            "outlier",
            "time",
            "city",
        ]
    )
    if kind == "status":
        rate = r.choice([0, 0, 0.01, 0.2, 0.6])
        good, bad = r.sample(FINE, 2), r.sample(FAILED[:6], 2)
        return [r.choice(bad) if r.random() < rate else r.choice(good) for _ in range(n)]
    top = r.choice([5, 100, 99999])
    make = {
        "int": lambda i: str(r.randint(0, top)),
        "float": lambda i: f"{r.random() * top:.{r.choice([1, 2])}f}",
        "unit": lambda i: f"{r.choice([100, 200, 250])}m",
        "mem": lambda i: f"{r.randint(1, 900)}{r.choice(['Mi', 'Gi'])}",
        "pct": lambda i: f"{r.randint(0, 99)} %" if top > 5 else f"{r.randint(0, 99)}%",
        "money": lambda i: f"${r.randint(1, 9999):,}.{r.randint(0, 99):02}",
        "version": lambda i: f"1.{r.randint(0, 3) * 10}",
        "zip": lambda i: f"{r.randint(0, 99999):05}",
        "date": lambda i: f"20{r.randint(20, 24)}-{r.randint(1, 12):02}-{r.randint(1, 28):02}",
        "word": lambda i: r.choice(WORDS[:4]),
        "text": lambda i: " ".join(r.choices(WORDS, k=4)),
        "blank": lambda i: "" if r.random() < 0.5 else r.choice(["x", "0", "7"]),
        "dur": lambda i: r.choice(
            [
                f"{r.randint(1, 59)}s",
                f"{r.randint(1, 59)}m",
                f"{r.randint(1, 9)}h{r.randint(1, 59)}m",
                f"{r.randint(1, 9)}d",
            ]
        ),
        "neg": lambda i: str(r.randint(-top, top)),
        "outlier": lambda i: "30004" if i == 9 else str(r.randint(1, 100)),
        "time": lambda i: f"{r.randint(0, 23):02}:{r.randint(0, 59):02}",
        "city": lambda i: r.choice(CITIES[:6]),
    }[kind]
    return [make(i) for i in range(n)]  # type: ignore[no-untyped-call]


NAMES = [
    "name",
    "cpu",
    "mem",
    "price",
    "pct",
    "version",
    "zip",
    "day",
    "kind",
    "note",
    "took",
    "ready",
    "restarts",
    "load",
    "count",
    "owner",
    "state",
]


def _make(r: R, *, blanks: bool = True) -> tuple[list[str], list[list[str]]]:
    n = r.choice([15, 40, 90, 150, 300])
    head, columns = [], []
    if r.random() < 0.8:
        start = r.choice([0, 1, 500])
        shape = r.choice(["{}", "id-{}", "{:04}"])
        head, columns = ["id"], [[shape.format(start + i) for i in range(n)]]
    for name in r.sample(NAMES, r.randint(2, 7)):
        head.append(name)
        columns.append(_column(r, n))
    rows = [list(row) for row in zip(*columns, strict=True)]
    if not blanks:
        rows = [[cell.replace(" ", "_") or "-" for cell in row] for row in rows]
    return head, rows


def _case(kind: str, text: str, head: list[str], rows: list[list[str]], **known: object) -> Case:
    return Case(
        kind, text, "table", rows=[dict(zip(head, row, strict=False)) for row in rows], known={"head": head, **known}
    )


def as_csv(r: R) -> Case:
    head, rows = _make(r)
    comma = r.choice([",", ",", ";", "\t"])
    out = io.StringIO()
    writer = csv.writer(out, delimiter=comma, lineterminator=r.choice(["\n", "\r\n"]))
    writer.writerow(head)
    ragged = 0
    for i, row in enumerate(rows):
        if ragged == 0 and i > 10 and r.random() < 0.002:
            row, rows[i] = row[:-1], [*row[:-1], ""]
            ragged += 1
        writer.writerow(row)
    return _case("tsv" if comma == "\t" else "csv", out.getvalue(), head, rows, ragged=ragged)


def as_psql(r: R) -> Case:
    head, rows = _make(r)
    widths = [max(len(cell) for cell in column) for column in zip(head, *rows, strict=True)]
    lines = [" " + " | ".join(c.center(w) for c, w in zip(head, widths, strict=True)).rstrip()]
    lines.append("-" + "-+-".join("-" * w for w in widths) + "-")
    lines += [" " + " | ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows]
    return _case("psql", "\n".join([*lines, f"({len(rows)} rows)", ""]), head, rows)


def as_markdown(r: R) -> Case:
    head, rows = _make(r)
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return _case("markdown-table", "\n".join(lines) + "\n", head, rows)


def as_aligned(r: R) -> Case:
    head, rows = _make(r, blanks=False)
    head = [name.upper() for name in head]
    widths = [max(len(cell) for cell in column) + r.choice([1, 2, 3]) for column in zip(head, *rows, strict=True)]
    lines = ["".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in [head, *rows]]
    return _case("aligned", "\n".join(lines) + "\n", head, rows)
