"""Reports of a sequence search (``fasta36 -m 10``): queries with no, one or many hits, hits in one or several pieces."""

# ruff: noqa: E501  (rules are one regular expression or claim a line)

from __future__ import annotations

import re
from typing import Any

from bench.truth.case import WORDS, Case, R, Verdict

RESIDUES = "ACDEFGHIKLMNPQRSTVWY"


def _side(r: R, name: str, first: int, last: int) -> list[str]:
    body = "".join(r.choices(RESIDUES, k=min(150, abs(last - first) + 1)))
    keys = (("sq_len", 400), ("sq_offset", 1), ("al_start", first), ("al_stop", last), ("al_display_start", first))
    rows = [f"; {key}: {value}" for key, value in keys]
    return [f">{name[:12]} ..", *rows, *(body[at : at + 50] for at in range(0, len(body), 50))]


def _piece(r: R, query: str, hit: str, score: dict[str, str]) -> tuple[list[str], str]:
    """The lines of an alignment, and what is known of it."""
    query_at, hit_at = r.randint(1, 200), r.randint(1, 200)
    ends = query_at + r.randint(10, 190), r.choice([hit_at + r.randint(10, 190), max(1, hit_at - 60)])
    keys = [f"; fa_{key}: {' ' * r.randint(0, 2)}{value}" for key, value in score.items()]
    ident, overlap = f"{r.random():.3f}", r.randint(10, 99)
    keys += ["; fa_frame: f", f"; sw_ident: {ident}", f"; sw_overlap: {overlap}"]
    said = f"fa_expect: {score['expect']} · sw_ident: {ident} · sw_overlap: {overlap}"
    said += f" · query {query_at}–{ends[0]} · subject {hit_at}–{ends[1]}"
    return [*keys, *_side(r, query, query_at, ends[0]), *_side(r, hit, hit_at, ends[1])], said


def make(r: R) -> Case:
    command = "# fasta36 -m 10 -E 2 queries.faa library.faa"
    lines = [command, "FASTA searches a protein or DNA sequence data bank", " version 36.3.8", "", "Query: queries.faa"]
    known: list[dict[str, Any]] = []
    for n in range(1, r.choice([1, 3, 8, 40]) + 1):
        query = f"sp|Q{r.randrange(10**5):05}|{r.choice(WORDS).upper()}_{n}"
        hits = [
            f"ref|NP_{r.randrange(10**6):06}.1| {r.choice(WORDS)} protein {k}" for k in range(r.choice([0, 0, 1, 2, 7]))
        ]
        title = f"{n:3}>>>{query} {' '.join(r.choices(WORDS, k=3))} - {r.randint(50, 900)} aa"
        lines += [title, "Library: library.faa", f"  {r.randint(1, 9)}00 residues in 250 sequences", ""]
        rows, parts, said = list[str](), list[str](), dict[str, list[str]]()
        for hit in hits:
            score = {"opt": str(r.randint(40, 900)), "bits": f"{r.randint(20, 90)}.1", "expect": f"{r.random():.2g}"}
            rows.append(f"{hit[:40]:40} ({r.randint(90, 9000):4}) {' '.join(score.values())}")
            for k in range(r.choice([1, 1, 3])):
                found, told = _piece(r, query, hit, score)
                parts += [f">>{hit}" if not k else ">--", *found]
                said.setdefault(hit, []).append(told)
        if hits:
            lines += ["The best scores are:                              opt bits E(250)", *rows, ""]
            lines += [f">>>{query}, 90 aa vs library.faa library", "; pg_name: fasta36", "; pg_ver: 36.3.8", *parts]
        else:
            lines.append("!! No sequences with E() < 2")
        lines.append(">>><<<")
        known.append({"title": title, "rows": rows, "said": said})
    lines += [">>>///", "", "Function used was FASTA [36.3.8]"]
    return Case("search-report", "\n".join(lines) + "\n", "searches", known={"queries": known, "lines": lines})


def _shown(line: str) -> str:
    """A line of a body without its number and the mark of a list that is shown in part."""
    return re.sub(r" …\[\d+ of \d+(?: hits)?(?:, not line [\d, ]+)?\]$", "", re.sub(r"^\d+(?:-\d+)? ", "", line))


def check(case: Case, body: list[str], v: Verdict) -> None:
    queries, lines = case.known["queries"], case.known["lines"]
    of_row = {row: query for query in queries for row in query["rows"]}
    hits = [len(query["rows"]) for query in queries]
    for n, line in enumerate(body):
        if found := re.match(
            r"FASTA search report, (\d+) quer(?:y|ies)(?: \((\d+) without a hit\))?, (\d+) hits?", line
        ):
            none = hits.count(0)
            v.fact_lines += 1
            v.claim(line, (int(found[1]), int(found[3])), (len(queries), sum(hits)))
            v.claim(line, int(found[2] or 0), none if none < len(hits) else 0)
            pieces = sum(len(parts) for query in queries for parts in query["said"].values())
            told = re.search(r"in (\d+) alignment", line)
            v.claim(line, int(told[1]) if told else sum(hits), pieces)
        elif found := re.match(r"hits of each query: ([\d, ]+)(…)?", line):
            v.fact_lines += 1
            told_hits = [*map(int, found[1].strip(", ").split(", "))]
            v.claim(line, told_hits, hits[: len(told_hits)] if found[2] else hits)
        elif line.endswith(" · no hit"):
            named = _shown(line).removesuffix(" · no hit")
            v.claim(line, [[]], [query["rows"] for query in queries if query["title"] == named])
        elif found := re.match(r"(\d+) (.*) · (\d+) hits in lines (\d+)–(\d+)$", line):
            v.claim(line, found[2], lines[int(found[1]) - 1])
            own = [query["rows"] for query in queries if query["title"] == found[2]]
            told_rows = [row for row in lines[int(found[4]) - 1 : int(found[5])] if row in of_row]
            v.claim(line, [told_rows, int(found[3])], [*own, len(told_rows)])
        elif found := re.match(r"(\d+) (>>[^>].*?|>-- \S+) · (.*)", line):
            v.claim(line, lines[int(found[1]) - 1][:3], found[2][:3])
            of = [parts for query in queries for hit, parts in query["said"].items()
                  if hit.startswith(found[2].strip(">- "))]  # fmt: skip
            v.claim(line, True, any(found[3] in parts for parts in of))
        elif found := re.match(r"(\d+)(?:-\d+)? (.*)", line):
            v.claim(line, _shown(line), lines[int(found[1]) - 1])
        if part := re.search(r" …\[(\d+) of (\d+)(?: hits)?(?:, not line [\d, ]+)?\]$", line):
            rows = of_row[_shown(line)]["rows"]
            before = {_shown(one) for one in body[: n + 1]}
            v.claim(line, (int(part[1]), int(part[2])), (sum(row in before for row in rows), len(rows)))
            v.claim(line, [row in before for row in rows[: int(part[1])]], [True] * int(part[1]))  # without a hole


def check_notice(case: Case, text: str, v: Verdict) -> None:
    """How many lines and hits are said to be shown: those that stand there."""
    told = re.search(r"(\d+) of (\d+) lines shown(?:, (\d+) of (\d+) hits)?", text)
    if told is None:
        return
    lines = case.known["lines"]
    body = [
        line
        for line in text.split("\n")
        if not re.match(r"\[mcpcompact\]|More: |Rest: |FASTA search report|hits of|…\[", line)
    ]
    v.claim(told[0], (int(told[1]), int(told[2])), (len(body), len(lines)))
    rows = {row for query in case.known["queries"] for row in query["rows"]}
    if told[3]:
        v.claim(told[0], (int(told[3]), int(told[4])), (sum(_shown(line) in rows for line in body), len(rows)))
