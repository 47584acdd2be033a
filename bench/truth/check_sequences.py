"""Statements about sequences."""

# ruff: noqa: E501  (rules are one regular expression or claim a line)

from __future__ import annotations

import re
import statistics
from collections import Counter

from bench.truth.case import Case, Verdict
from bench.truth.values import close, uncut


def _gc(body: str) -> float:
    sure = [x for x in body.upper() if x in "ACGT"]
    return 100 * sum(x in "GC" for x in sure) / len(sure) if sure else 0.0


def _n50(lengths: list[int]) -> int:
    total, run = sum(lengths), 0
    for length in sorted(lengths, reverse=True):
        run += length
        if 2 * run >= total:
            return length
    return 0


def _n(text: str) -> int:
    return int(text.replace(",", ""))


def check(case: Case, lines: list[str], v: Verdict) -> None:
    records = case.known["records"]
    bodies = [str(r.seq) for r in records]
    lengths = list(map(len, bodies))
    ambiguous = [sum(x not in "ACGTU" for x in b) for b in bodies] if not case.known["protein"] else []
    words = [r.description.split() for r in records]
    for line in lines:
        body, cut = uncut(line)
        if found := re.match(r"#(\d+) (COMMENT|REFERENCE (\d+)) ([^…]*)$", line):
            noted = records[int(found[1]) - 1].annotations
            paper = noted["references"][int(found[3]) - 1] if found[3] else None
            first = paper.title if paper else noted["comment"].split("\n")[0]
            v.claim(line, found[4][: len(first)] if paper else found[4], first)
            rest = found[4][len(first) :].split("; ")[1:] if paper else []
            v.claim(line, [part for part in rest if part not in (paper.journal, paper.authors)] if paper else [], [])
            continue
        if found := re.match(r"besides residues and features: (.*)", body):
            papers = sum(len(r.annotations.get("references", ())) for r in records)
            v.claim(line, sum(map(int, re.findall(r"(\d+) reference", found[1]))), papers)
            v.claim(
                line,
                sum(map(int, re.findall(r"(\d+) comment", found[1]))),
                sum("comment" in r.annotations for r in records),
            )
            continue
        if found := re.match(r"#(\d+) 1–(\d+): ([A-Za-z*-]+)(…?)$", line):
            body = bodies[int(found[1]) - 1]
            start = body[: int(found[2])]
            if start.lower()[:10] in case.text and start[:10] not in case.text:  # Biopython makes capitals of GenBank's
                start = start.lower()
            v.claim(f"{line}   [residues]", found[3], start)
            continue
        if found := re.match(
            r"#(\d+) (\S+) (.*?)([\d,]+) (?:nt|aa)(?: GC (\d+)%)?(?: quality [\d.]+)?(?: ← (.*))?", line
        ):
            at = int(found[1])
            v.claim(
                line,
                (found[2], _n(found[4])),
                (records[at - 1].id.split("|")[0] if "|" not in found[2] else found[2], lengths[at - 1]),
            )
            if found[5]:
                v.claim(line, found[5], found[5] if close(found[5], _gc(bodies[at - 1])) else _gc(bodies[at - 1]))
            if found[6] and (told := re.search(r"same sequence as #(\d+)", found[6])):
                v.claim(line, bodies[at - 1], bodies[int(told[1]) - 1])
            if found[6] and (told := re.search(r"(\d+) of (\d+) residues ambiguous", found[6])):
                v.claim(line, (int(told[1]), int(told[2])), (ambiguous[at - 1], lengths[at - 1]))
            if found[6] and (told := re.search(r"length ([\d,]+), median ([\d,.]+)", found[6])):
                v.claim(line, _n(told[1]), lengths[at - 1])
                v.claim(
                    line, told[2], told[2] if close(told[2], statistics.median(lengths)) else statistics.median(lengths)
                )
            continue
        if re.match(r"#\d+ ", line):
            if found := re.match(r"#(\d+) (gene|CDS) (\S+) (?:complement\()?(\d+)\.\.(\d+)", line):
                places = {
                    (f.type, f.qualifiers["gene"][0], int(f.location.start) + 1, int(f.location.end))
                    for f in records[int(found[1]) - 1].features
                }
                v.claim(line, True, (found[2], found[3], int(found[4]), int(found[5])) in places)
            continue
        v.fact_lines += 1
        if found := re.match(
            r"([\d,]+) (DNA|protein|RNA) sequences?(?: \(.*?\))?, ([\d,]+) (?:nt|aa)(?:; ids? (\S+)(?: … (\S+))?(.*))?$",
            body,
        ):
            v.claim(line, _n(found[1]), len(records))
            v.claim(line, found[2], "protein" if case.known["protein"] else "DNA")
            v.claim(line, _n(found[3]), sum(lengths))
            if found[5] and not cut:
                v.claim(line, (found[4], found[5]), (records[0].id, records[-1].id))
                numbers = [int(m[1]) for r in records if (m := re.search(r"(\d+)(?:\.1)?$", r.id))]
                missing = numbers[-1] - numbers[0] + 1 - len(set(numbers))
                if "without a gap" in found[6]:
                    v.claim(line, 0, missing)
                elif told := re.search(r"with ([\d,]+) numbers? missing", found[6]):
                    v.claim(line, _n(told[1]), missing)
        elif found := re.match(
            r"length ([\d,]+)(?:–([\d,]+), median ([\d.,]+), mean ([\d.,]+), N50 ([\d,]+))? (?:nt|aa)(?:; GC ([\d.]+) %)?",
            body,
        ):
            v.claim(line, _n(found[1]), min(lengths))
            if found[2]:
                v.claim(line, _n(found[2]), max(lengths))
                v.claim(
                    line,
                    found[3],
                    found[3] if close(found[3], statistics.median(lengths)) else statistics.median(lengths),
                )
                v.claim(
                    line,
                    found[4],
                    found[4] if close(found[4], statistics.mean(lengths), rounded=6e-4) else statistics.mean(lengths),
                )
                v.claim(line, _n(found[5]), _n50(lengths))
            if found[6]:
                v.claim(line, found[6], found[6] if close(found[6], _gc("".join(bodies))) else _gc("".join(bodies)))
            if told := re.search(r"quality mean ([\d.]+), worst read \S+ ([\d.]+), range (\d+)–(\d+)", body):
                scores = [r.letter_annotations["phred_quality"] for r in records]
                every = [x for s in scores for x in s]
                truths = (statistics.mean(every), min(statistics.mean(s) for s in scores if s), min(every), max(every))
                for said, truth in zip(told.groups(), truths, strict=True):
                    v.claim(line, said, said if close(said, truth) else truth)
        elif found := re.match(r"all ([\d,]+) scanned: (.*)", body):
            v.claim(line, _n(found[1]), len(records))
            truths_of = {"no empty record": 0 in lengths, "no repeated id": len({r.id for r in records}) < len(records),
                         "no repeated sequence": len(set(bodies)) < len(bodies), "no ambiguous residue": any(ambiguous)}  # fmt: skip
            for said in found[2].split(", ")[: -1 if cut else None]:
                v.claim(f"{line}   [{said}]", False, truths_of.get(said, False))
        elif found := re.match(r"ambiguous residues: ([\d,]+) in ([\d,]+) sequences?", body):
            v.claim(line, (_n(found[1]), _n(found[2])), (sum(ambiguous), sum(map(bool, ambiguous))))
        elif found := re.match(r"([\d,]+) records? repeats? an earlier sequence", body):
            v.claim(line, _n(found[1]), len(bodies) - len(set(bodies)))
        elif found := re.match(r"(?:features): (.*)", body):
            counts = Counter(f.type for r in records for f in r.features)
            for name, count in re.findall(r"(\w+) ([\d,]+)", found[1]):
                v.claim(line, _n(count), counts[name])
        elif found := re.match(r"named features \((\d+)\)", body):
            v.claim(line, int(found[1]), len({f.qualifiers["gene"][0] for r in records for f in r.features}))
        elif found := re.match(r"GC of a sequence: (\d+)% to (\d+)%", body):
            each = [_gc(b) for b in bodies if b]
            v.claim(line, True, close(found[1], min(each)) and close(found[2], max(each)))
        elif found := re.match(r"descriptions: (.*)", body):
            for name, count in re.findall(r"(?:^|, )(.+?) in ([\d,]+)(?=, |$)", found[1]):
                v.claim(line, _n(count), Counter(map(" ".join, words))[name])
        elif found := re.match(r"odd: (.*)", body):
            for part in found[1].split(" · ")[: -1 if cut else None]:
                told = re.match(r"(\S+) (?:(\d+) (nt|aa|ambiguous)|empty)$", part)
                first = next((i for i, r in enumerate(records) if told and r.id == told[1]), None)
                if told and told[2] and first is not None:
                    same_id = [i for i, r in enumerate(records) if r.id == told[1]]
                    v.claim(
                        f"{line}   [{part}]",
                        True,
                        int(told[2]) in [(ambiguous if told[3] == "ambiguous" else lengths)[i] for i in same_id],
                    )
                elif not told:
                    v.unread.append(f"odd: {part}")
        elif body.startswith("in every description: ") or body.startswith("[lines"):
            v.claims += 1
        elif re.search(r"\d|\b(all|each|none|no|every)\b", body):
            v.unread.append(line)
