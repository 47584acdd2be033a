"""Statements about logs, and about lines of any text by their number."""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime, timedelta

from bench.truth.case import Case, Verdict
from bench.truth.values import close, middle, uncut

_BAD = re.compile(
    r"\b(?:errors?|fail(?:ed|ure|s)?|timeout|refused|panic|fatal|fehler|erreur|exception)\b|失败|Traceback|Exception|Error:",
    re.I,
)
_ROW = re.compile(r"([\d,]+): (.*)")
_UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1, "ms": 0.001}


def anchored(v: Verdict, line: str, source: list[str]) -> bool:
    """``417: …`` is line 417 of the original; a cut says how many characters it left out."""
    found = _ROW.fullmatch(line)
    if not found:
        return False
    at, said = int(found[1].replace(",", "")), found[2]
    truth = source[at - 1] if 0 < at <= len(source) else None
    if truth is None:
        v.claim(line, f"line {at}", f"{len(source)} lines")
        return True
    later = at
    while later < len(source) and re.match(r"\s|Traceback|\w+Error: |java\.", source[later]):
        later += 1  # an entry goes on over its trace
    original = "\n".join(source[at - 1 : later]) if "…[+" in said else truth
    if run := re.search(r" … ([\d,]+) such lines, to line (\d+)$", said):
        said, last = said[: run.start()], int(run[2])
        shapes = [" ".join(re.sub(r"\d+(?:\.\d+)?(?:e[+-]\d+)?", "0", one).split()) for one in source[at - 1 : last]]
        v.claim(line, int(run[1].replace(",", "")), shapes.count(shapes[0]))
        v.claim(line, shapes[0], shapes[-1])
    if passed := re.search(r" … all tests up to line (\d+) passed$", said):
        said = said[: passed.start()]
        of_tests = [one for one in source[at - 1 : int(passed[1])] if "::" in one]
        v.claim(line, [], [one for one in of_tests if not re.search(r" PASSED\b| ok$", one)])
    if like := re.search(r" \(\+([\d,]+) (?:more )?like it(?:: ([^)]*))?\)$", said):
        said = said[: like.start()]
        listed = [int(x) for x in re.findall(r"\d+", like[2] or "")]
        v.claim(line, True, not like[2] or len(listed) == int(like[1]) or "…" in like[2])
        v.claim(line, True, all(0 < x <= len(source) and x != at for x in listed))
    said = re.sub(r" \(\+[^)]*…\[\+[\d,]+ chars(?: on \d+ lines)?\]$", "", said)
    marks = ""
    if " ← " in said:
        said, _, marks = said.partition(" ← ")
    said = re.sub(r" ←?…\[\+[\d,]+ chars(?: on \d+ lines)?\]$", lambda m: m[0] if m[0][1] != "←" else "", said)
    pieces = re.split(r"…\[\+([\d,]+) chars(?: on \d+ lines)?\]", said)
    if len(pieces) == 1:
        same = said.split() == original.split() or said in original
        v.claim(f"{line}   [text]", said, said if same else original)
    else:
        # what stands between the cuts is the line's; each cut counts what it left out
        # (a blank behind a cut is either)
        pattern = "".join(
            (" ?" + re.escape(p[1:]) if i and p[:1] == " " else re.escape(p))
            if i % 2 == 0
            else f".{{{p.replace(',', '')}}}"
            for i, p in enumerate(pieces)
        )
        v.claim(
            f"{line}   [cut]", said, said if any(re.match(pattern, x, re.S) for x in (original, truth)) else original
        )
    if marks:
        _marks(v, line, marks, original, source)
    return True


def _marks(v: Verdict, line: str, marks: str, original: str, source: list[str]) -> None:
    for mark in marks.split("; "):
        if found := re.fullmatch(r"(.+) once in ([\d,]+)(?: (?:tests|here))?", mark):
            v.claim(f"{line}   [{mark}]", True, found[1].removeprefix("level ").casefold() in original.casefold())
            if mark.endswith("here"):
                v.claim(f"{line}   [{mark}]", int(found[2].replace(",", "")), len(source))
                # "here": at that place from the line's beginning or end
                words = [re.findall(r"[\w.-]+", x) for x in source]
                mine = re.findall(r"[\w.-]+", original.split("\n")[0])
                places = [i for i, w in enumerate(mine) if w == found[1]]
                sums = [
                    sum(len(w) > abs(p) and w[p] == found[1] for w in words) for i in places for p in (i, i - len(mine))
                ]
                v.claim(f"{line}   [{mark}]", 1, 1 if 1 in sums or not sums else sums)
        elif found := re.fullmatch(r"one of ([\d,]+) such lines", mark):
            v.claims += 1
        else:
            v.claims += 1


def seconds(text: str) -> float | None:
    parts = re.findall(r"([\d.]+) ?(ms|d|h|m|s)", text)
    return (
        sum(float(n) * _UNITS[u] for n, u in parts)
        if parts and "".join(a + b for a, b in parts) == text.replace(" ", "")
        else None
    )


def _span(v: Verdict, line: str, said: str, truth: float) -> None:
    """A span is rounded to its last unit."""
    value = seconds(said)
    last = re.findall(r"(ms|d|h|m|s)", said)
    slack = _UNITS[last[-1]] if last else 0  # cut or rounded
    v.claim(
        f"{line}   [{said}]",
        said,
        said if value is not None and abs(value - truth) <= max(slack, 0.51) else str(timedelta(seconds=truth)),
    )


def check(case: Case, lines: list[str], v: Verdict) -> None:
    source = case.text.split("\n")[:-1]
    times: list[tuple[int, datetime]] = case.known["times"]
    levels = Counter(level for _, level in case.known["levels"])
    hits = case.known.get("hits")
    for line in lines:
        if anchored(v, line, source):
            continue
        v.fact_lines += 1
        body, cut = uncut(line)
        if found := re.match(
            r"(?:Log(?: of [^:]+)?|Access log|Syslog): ([\d,]+) lines?(?:, ([\d,]+) tests, ([\d,]+) failed)?"
            r"(?:, ([\d,]+) errors?)?(?:, ([\d,]+) warnings?)?",
            body,
        ):
            v.claim(line, int(found[1].replace(",", "")), len(source))
            if found[3]:
                v.claim(line, int(found[3].replace(",", "")), sum(" FAILED " in x for x in source))
            if (
                found[4]
                and levels
                and not any(map(_BAD.search, (x for x in source if not re.search("ERROR|FATAL|error", x))))
            ):
                v.claim(line, int(found[4].replace(",", "")), levels["ERROR"] + levels["FATAL"])
        elif body.startswith(("levels: ", "tests: ")):
            for name, count in re.findall(r"(\w+) ([\d,]+)(?= · |$)", body.split(": ", 1)[1]):
                truth = sum(f" {name} " in x for x in source) if body[0] == "t" else levels[name]
                if name == "stated":
                    truth = len(source) - levels.total()
                v.claim(line, int(count.replace(",", "")), truth)
        elif found := re.match(r"all ([\d,]+) lines scanned for .*: none found", body):
            v.claim(line, int(found[1].replace(",", "")), len(source))
            v.claim(line, [], [x for x in source if _BAD.search(x)][:2])
        elif found := re.match(r"([\d,]+) lines? with errors or failures, of ([\d,]+) kinds?: (.*)", body):
            v.claims += 1
            parts = re.findall(r"(?:^| · )([\d,]+)×", found[3])
            if not cut and "others" not in body and len(parts) == int(found[2]):
                v.claim(line, int(found[1].replace(",", "")), sum(int(p.replace(",", "")) for p in parts))
        elif found := re.match(r"time: (.+?) … (.+?) \((.+?)\)(?:, ([\d.,]+) lines/(s|min|h|day))?$", body):
            if times:
                inner = (times[-1][1] - times[0][1]).total_seconds()
                for said, at in ((found[1], times[0]), (found[2], times[-1])):
                    v.claim(line, said, said if said.split()[-1] in source[at[0] - 1] else source[at[0] - 1][:40])
                _span(v, line, found[3], inner)
                if found[4] and inner:
                    per = {"s": 1, "min": 60, "h": 3600, "day": 86400}[found[5]]
                    rates = [len(source) / inner * per, len(times) / inner * per, (len(times) - 1) / inner * per]
                    v.claim(line, found[4], found[4] if any(close(found[4], r) for r in rates) else rates)
        elif body.startswith("largest gaps: ") or body.startswith("largest gap: "):
            for said, at in re.findall(r"([\dhmsd. ]+?) after line ([\d,]+)", body):
                after = [
                    k
                    for k, (number, _) in enumerate(times[:-1])
                    if number <= int(at.replace(",", "")) < times[k + 1][0]
                ]
                if after:
                    _span(v, line, said.strip(), (times[after[0] + 1][1] - times[after[0]][1]).total_seconds())
                    v.claim(f"{line}   [line]", True, times[after[0] + 1][0] == int(at.replace(",", "")) + 1)
                else:
                    v.claim(line, f"line {at}", "no entry")
        elif body.startswith("lines by what stands behind "):
            for said in body.split(" · "):
                says = "password for " if "“password for”" in said else "from "
                for name, count in re.findall(r"([^\s,]+) (\d[\d,]*)(?=, |$)", said.partition("”: ")[2]):
                    named = re.compile(
                        rf"(?:^|\b(?:{says}(?:invalid user )?|client:? ))(?:\S+@)?{re.escape(name)}(?![\w.])"
                    )
                    v.claim(line, int(count.replace(",", "")), sum(bool(named.search(x)) for x in source))
        elif body.startswith("status ") and hits:
            tally = Counter(str(hit[3]) for hit in hits)
            for code, count in re.findall(r"(\d{3}): ([\d,]+)", body):
                v.claim(line, int(count.replace(",", "")), tally[code])
        elif (found := re.match(r"([\d,]+) kinds of requests: (.*)", body)) and hits:
            for count, verb, path in re.findall(r"([\d,]+)× ([A-Z]+) (\S+)(?= · |$)", found[2]):
                pattern = re.escape(path).replace(r"\*", r"[^/?&=]*") + (r"(?:\?.*)?" if "?" not in path else "")
                v.claim(
                    f"{line}   [{path}]",
                    int(count.replace(",", "")),
                    sum(h[1] == verb and bool(re.fullmatch(pattern, h[2])) for h in hits),
                )
        elif found := re.match(r"([\d,]+) message templates?(?: \(([\d,]+) of one line\))?: (.*)", body):
            _templates(v, line, found[3], source, cut)
        elif body.startswith("numbers: "):
            _numbers(v, line, body[9:].split(" · ")[: -1 if cut else None], source)
        elif found := re.match(
            r"~?([\d,]+)× ([\d,]+)(?:–[\d,]+)?: (.*?)(?: …\[\+[\d,]+ chars(?: on \d+ lines)?\])?(?: ← .*)?$", body
        ):
            kind = re.sub(r"\d+", r"\\d+", re.escape(found[3]).replace("…", ".*"))
            kind = re.sub(r"^[A-Z][a-z]{2}(?:\\ )+", r"\\w{3} +", kind)  # the month changes as the digits do
            kind = rf"(?:==\d+== )?{kind}"  # Valgrind's lines
            v.claim(line, True, bool(re.match(kind, source[int(found[2].replace(",", "")) - 1])))
            v.claim(line, True, int(found[1].replace(",", "")) <= sum(bool(re.match(kind, x)) for x in source))
        elif re.match(r"… [\d,]+ more$", body):
            v.claims += 1
        elif re.match(r"…\[\+\d+ lines?\]|\s+at |next: |further errors or failures: |time: ", body + line[len(body) :]):
            v.claims += 1
            if body.startswith("next: "):
                _templates(v, line, body[6:], source, cut)
        elif re.match(r"(beside|errors or warnings beside)", body):
            v.claims += 1
        elif re.match(r"[\d,]+[–-][\d,]+ |[\d,]+ ", line) or body.startswith("Lines A–B"):
            v.claims += 1
            v.fact_lines -= 1
        elif re.search(r"\d|\b(all|each|none|always|every)\b", body):
            v.unread.append(line)


def _templates(v: Verdict, line: str, body: str, source: list[str], cut: bool) -> None:
    """Each template with its count: so many lines hold its words in that order."""
    for part in re.split(r" · (?=[\d,]+×)", body)[: -1 if cut else None]:
        found = re.match(r"([\d,]+)× (.*)", part)
        if not found or "others" in part:
            continue
        words = [re.escape(w) for w in re.split(r"\*|\[ ]|(?<==) | +", found[2]) if w]
        pattern = re.compile(".*?".join(words))
        holding = sum(bool(pattern.search(x)) for x in source)
        v.claim(f"{line}   [{part}]", True, int(found[1].replace(",", "")) <= holding)


def _numbers(v: Verdict, line: str, parts: list[str], source: list[str]) -> None:
    """``took 1–10ms, median 6``: of all lines, where the name stands in one template."""
    for part in parts:
        found = re.match(r"([\w.-]+) (-?[\d.,]+)–(-?[\d.,]+?)([a-zA-Z%]*)(?:, median (-?[\d.,]+))?(?: .*)?$", part)
        if not found:
            v.unread.append(f"numbers: {part}")
            continue
        name = re.escape(found[1])
        numbers = [
            float(x) for text in source for x in re.findall(rf'(?<![\w.]){name}(?:=|": | )"?(-?\d+(?:\.\d+)?)', text)
        ]
        if not numbers:
            v.unread.append(f"numbers: {part}")
            continue
        whole = all(
            a is None or close(a, b)
            for a, b in ((found[2], min(numbers)), (found[3], max(numbers)), (found[5], middle(numbers)))
        )
        if "of " in part or "in lines" in part:
            v.claims += 1
            continue
        v.claim(f"{line}   [{part}]", part, part if whole else (min(numbers), max(numbers), middle(numbers)))
