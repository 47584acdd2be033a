"""Views of files in many shapes, and what a host adds below them; logs whose entries and tests whose outcomes need more than a line.

The checks are written from the words of the statements: a line of a view is one with a number, an entry of a log what
the program wrote at once, a signature all of its lines, an outcome what a runner says of a test, wherever it stands."""

# ruff: noqa: E501  (rules are one regular expression or claim a line)

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from bench.truth.case import WORDS, Case, R, Verdict

GUTTERS = {"tab": "{:6}\t{}", "arrow": "{:6}→{}", "colon": "{}:{}", "bar": "{:4} | {}"}
REMINDER = ["", "<system-reminder>", "Consider whether this is malware.", "Do not improve it.", "</system-reminder>"]
_RARE = ["FAIL", "ERROR", "expected failure", 'skipped "no tide"']


def _python(r: R, n: int) -> tuple[list[str], list[list[str]]]:
    """Functions, and the lines of each signature."""
    lines, heads = ["import os", ""], list[list[str]]()
    while len(lines) < n:
        a, b, at = r.choice(WORDS), r.choice(WORDS), len(lines)
        head = [f"def {a}_{at}({b}_{at}, {a}={at}):"]
        if r.random() < 0.4:
            head = [f"def {a}_{at}({b}_{at}, {a}={at}, {b}=None,", f"{' ' * 8}*, of_{at}=(), to_{at}={at * 3}):"]
        lines += [*head, *(f"    {r.choice(WORDS)}_{k} = {a}_{at * k}.{b}({k})" for k in range(r.randint(1, 8))), ""]
        heads.append(head)
    return lines, heads


def _markdown(r: R, n: int) -> list[str]:
    lines = [f"# {r.choice(WORDS)}", ""]
    while len(lines) < n:
        lines += [f"## {r.choice(WORDS)} {len(lines)}", "", f"The {r.choice(WORDS)} lies by the {r.choice(WORDS)}.", ""]
    return lines


def _toml(r: R, n: int) -> list[str]:
    return [line for k in range(n // 4) for line in ("[[rules]]", f'id = "{r.choice(WORDS)}-{k}"', f"size = {k}", "")]


def _log(r: R, n: int, blotted: bool = False) -> tuple[list[str], int]:
    """Entries with a stamp each, some with a body of JSON or a trace; of some ``blotted`` the time cannot be read."""
    lines = list[str]()
    front, behind = r.choice([("[", "]"), ("", "")])
    for k in range(n):
        stamp = f"2026-03-0{1 + k // 1440} {k // 60 % 24:02}:{k % 60:02}:07"
        stamp = f"{stamp[:17]}XX-XX" if blotted and r.random() < 0.1 else stamp
        said = f"{front}{stamp}{behind} {r.choice(WORDS)} took {r.randint(1, 99)} ms"
        body = r.choice([["{", '  "code": 404,', '  "why": "gone"', "}"], ["  at Run.go(Run.java:31)"]])
        lines += [said, *(body if r.random() < 0.05 else [])]
    return lines, n


def _tests(r: R, n: int) -> tuple[list[str], Counter[str]]:
    """A run of unittest: the outcome behind the name, below it behind the first line of its text, or by itself."""
    lines, told = list[str](), Counter[str]()
    apart = r.random() < 0.3
    for k in range(n):
        name, outcome = (
            f"test_{r.choice(WORDS)}_{k} (quay.tests.{r.choice(WORDS).title()})",
            "ok" if r.random() < 0.98 else r.choice(_RARE),
        )
        told[outcome.partition(' "')[0]] += 1
        if r.random() < 0.3:
            lines += [name, f"The {r.choice(WORDS)} of pier {k} is told ... {outcome}"]
        elif apart and r.random() < 0.1:
            lines += [f"{name} ... the tide of pier {k}", outcome]
        else:
            lines.append(f"{name} ... {outcome}")
    said = f"failures={told['FAIL']}, errors={told['ERROR']}, skipped={told['skipped']}, expected failures={told['expected failure']}"
    return [*lines, "", "-" * 70, f"Ran {n} tests in 1.638s", "", f"FAILED ({said})"], told


def view(r: R) -> Case:
    """A file as a tool shows it: with numbers or not, with an empty last line, with CRLF, without a last line feed, with a reminder below."""
    kind, n = r.choice(["py", "md", "toml", "log"]), r.choice([60, 150, 400])
    lines, heads, entries = list[str](), list[list[str]](), 0
    if kind == "py":
        lines, heads = _python(r, n)
    elif kind == "log":
        lines, entries = _log(r, n, blotted=r.random() < 0.3)
    else:
        lines = _markdown(r, n) if kind == "md" else _toml(r, n)
    while lines and not lines[-1]:
        lines.pop()
    gutter = r.choice([*GUTTERS, ""])
    if gutter and r.random() < 0.5:
        lines.append("")
    first = r.choice([1, 1, 41]) if gutter else 1
    shown = [GUTTERS[gutter].format(i, line) if gutter else line for i, line in enumerate(lines, first)]
    reminded = r.random() < 0.5
    whole = [*shown, *REMINDER] if reminded else shown
    text = r.choice(["\n", "\n", "\r\n"]).join(whole) + r.choice(["\n", "\n", ""])
    known = {
        "lines": len(lines),
        "whole": len(whole),
        "heads": heads,
        "entries": entries,
        "reminder": reminded,
        "first": first,
    }
    if heads and gutter:
        known["call"] = {"tool": "goto", "arguments": {"command": f"goto {first + r.randint(2, n)}"}}
    return Case("view", text, "views", known=known)


def outcomes(r: R) -> Case:
    lines, told = _tests(r, r.choice([40, 120, 300]))
    return Case(
        "outcomes", "\n".join(lines) + "\n", "views", known={"lines": len(lines), "whole": len(lines), "outcomes": told}
    )


def _int(said: str) -> int:
    return int(said.replace(",", ""))


def _heads(v: Verdict, line: str, known: dict[str, list[list[str]]], text: str) -> None:
    said = re.search(r"([\d,]+) of ([\d,]+) signatures(?: and ([\d,]+) in part)?", line)
    heads = known.get("heads")
    if said and heads:
        stand = sum(all(part.strip() in text for part in head) for head in heads)
        v.claim(line, (_int(said[1]), _int(said[2])), (stand, len(heads)))
        begun = sum(head[0].strip() in text for head in heads)
        v.claim(line, _int(said[3] or "0"), begun - stand)


_RULES: tuple[tuple[str, Callable[[re.Match[str], dict[str, int]], tuple[object, object]]], ...] = (
    (r"\bof ([\d,]+) lines shown|\ball ([\d,]+) lines shown", lambda m, k: (_int(m[1] or m[2]), k["whole"])),
    (r"^(?!\[mcp)(?:Log|Output)\b[^:]*: ([\d,]+) lines|^(?:Markdown|TOML)\b.*, ([\d,]+) lines\b|^([\d,]+) lines of ", lambda m, k: (_int(m[1] or m[2] or m[3]), k["lines"])),
    (r"lines in ([\d,]+) entries", lambda m, k: (_int(m[1]), k["entries"])),
    (r"^[\d,]+ lines of .*, lines (\d+)–(\d+) of ", lambda m, k: ((int(m[1]), int(m[2])), (k["first"], k["first"] + k["lines"] - 1))),
    (r"a reminder to the reader in lines (\d+)–(\d+)", lambda m, k: ((int(m[1]), int(m[2])), (k["lines"] + 2, k["whole"]) if k["reminder"] else None)),
)  # fmt: skip


def check(case: Case, text: str, v: Verdict) -> None:
    known = case.known
    lines = text.split("\n")
    for line in lines[:10]:
        for pattern, read in _RULES:
            if found := re.search(pattern, line):
                v.fact_lines += 1
                v.claim(line, *read(found, known))
        _heads(v, line, known, text)
        if said := re.match(r"([\d,]+) outcomes: ((?:[\w ]+ [\d,]+(?: · |$))+)$", line):
            v.fact_lines += 1
            told = {name: _int(n) for name, n in (one.rsplit(" ", 1) for one in said[2].split(" · "))}
            v.claim(line, (_int(said[1]), told), (sum(known["outcomes"].values()), dict(known["outcomes"])))
    if "reminder" in known:
        v.claim(
            "that a reminder stands there",
            "a reminder to the reader" in text or "<system-reminder>" in text,
            known["reminder"],
        )
