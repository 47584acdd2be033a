"""Packages with the lists of what a scanner found in each, and what is said of the gravest; workloads of Kubernetes."""

# ruff: noqa: E501  (rules are one regular expression or claim a line)

from __future__ import annotations

import json
import re
from typing import Any

from bench.truth.case import WORDS, Case, R, Verdict
from bench.truth.values import uncut

_GRADES = ("critical", "high", "medium", "low")
_CLOSED = ("Ignored", "Patched")


def make(r: R) -> Case:
    grade = r.choice(["severity", "scorev3", "cvss_score"])
    states = r.choice([(), ("Unpatched", *_CLOSED)])

    def finding() -> dict[str, Any]:
        value: Any = r.choice(_GRADES) if grade == "severity" else r.randint(0, 100) / 10
        value = str(value) if grade == "scorev3" else value
        one: dict[str, Any] = {"id": f"CVE-20{r.randint(10, 26)}-{r.randint(1000, 39999)}", grade: value}
        if states:
            one["status"] = r.choice(states)
        return {**one, "summary": f"A flaw in {r.choice(WORDS)} lets an attacker {r.choice(['crash', 'stop'])} it."}

    packages: list[dict[str, Any]] = []
    for i in range(r.choice([6, 14, 40, 150])):
        found = [finding() for _ in range(r.choice([0, 0, 1, 3, 9]))]
        for name in (f"{r.choice(WORDS)}-{i}", f"native-{i}")[: r.randint(1, 2)]:
            packages.append({"name": name, "version": f"1.{i}", "issues": found})
    return Case("findings", json.dumps({"packages": packages}, indent=1), "findings", packages, {"grade": grade})


def check(case: Case, lines: list[str], v: Verdict) -> None:
    grade = case.known["grade"]
    found = [(n, one) for n, package in enumerate(case.rows, 1) for one in package["issues"]]

    def place(one: dict[str, Any]) -> tuple[bool, float]:
        rank = _GRADES.index(one[grade]) if grade == "severity" else -float(one[grade])
        return one.get("status") in _CLOSED, rank

    ranked = sorted((one for _, one in found), key=place)
    for line in lines:
        if said := re.match(r"([\d,]+) issues\[\] by (\w+), worst first(, closed last)?: (.*)", line):
            v.fact_lines += 1
            v.claim(line, (int(said[1].replace(",", "")), said[2]), (len(found), grade))
            v.claim(line, bool(said[3]), any(one.get("status") in _CLOSED for one in ranked))
            _entries(v, line, uncut(said[4]), grade, case.rows, ranked)


def _entries(
    v: Verdict, line: str, body: tuple[str, bool], grade: str, rows: list[dict[str, Any]], ranked: list[dict[str, Any]]
) -> None:
    """``CVE-1 9.8 (#3 zlib, #4 zlib-native) · … · 12 more``: each holder has it, and none that is graver is left out."""
    text, cut = body
    rest = re.search(r" · ([\d,]+) more$", text)
    told = 0
    for entry in text[: rest.start() if rest else None].split(" · ")[: -1 if cut else None]:
        part = re.fullmatch(r"(\S+) (\S+)( \w+)? \((.+?)(?: and ([\d,]+) more)?\)", entry)
        if not part:
            v.unread.append(entry)
            continue
        holders = re.findall(r"#(\d+) ([\w-]+)", part[4])
        many = len(holders) + int((part[5] or "0").replace(",", ""))
        closed = (part[3] or "").strip()
        for number, name in holders:
            package = rows[int(number) - 1]
            same = [o for o in package["issues"] if o["id"] == part[1] and str(o[grade]) == part[2]]
            states = {s if (s := one.get("status", "")) in _CLOSED else "" for one in same}
            v.claim(f"{line}   [{entry}]", (name, True), (package["name"], closed in states))
        here = ranked[told : told + many]
        v.claim(f"{line}   [{entry}]", {part[2]}, {str(one[grade]) for one in here})
        v.claim(f"{line}   [{entry}]", {bool(closed)}, {one.get("status") in _CLOSED for one in here})
        told += many
    if rest:
        v.claim(line, told + int(rest[1].replace(",", "")), len(ranked))


def workloads(r: R) -> Case:
    """Deployments, most of which have as many replicas as they want."""
    items = []
    for i in range(r.choice([1, 2, 5, 30])):
        wanted = r.choice([0, 1, 3])
        have = wanted if r.random() < 0.7 else r.randint(0, 4)
        status: dict[str, Any] = {"observedGeneration": r.choice([2, 2, 2, 1]), "replicas": have}
        status |= {"readyReplicas": have, "updatedReplicas": wanted} if have else {}
        about = {"name": f"{r.choice(WORDS)}-{i}", "generation": 2, "creationTimestamp": "2025-03-01T10:00:00Z"}
        items.append({"metadata": about, "spec": {"replicas": wanted}, "status": status})
    text = json.dumps({"apiVersion": "apps/v1", "kind": "DeploymentList", "items": items}, indent=2)
    return Case("workloads", text, "workloads", items)


def check_workloads(case: Case, lines: list[str], v: Verdict) -> None:
    def differs(one: dict[str, Any]) -> list[str]:
        wanted, status = one["spec"]["replicas"], one["status"]
        keys = [k for k in ("replicas", "readyReplicas", "updatedReplicas") if status.get(k, wanted) != wanted]
        said = [f"{k} {status[k]}" for k in keys] + ["no readyReplicas"] * (
            wanted > 0 and "readyReplicas" not in status
        )
        return said + ["generation 2 observed up to 1"] * (status["observedGeneration"] == 1)

    truth = {
        one["metadata"]["name"]: [f"wanted {one['spec']['replicas']}", *differs(one)]
        for one in case.rows
        if differs(one)
    }
    told = [line for line in lines if line.startswith("wanted and actual differ: ")]
    v.claim("that any differ", bool(truth), bool(told))
    for line in told:
        v.fact_lines += 1
        body, cut = uncut(line.partition(": ")[2])
        entries = body.split(" · ")[: -1 if cut else None]
        more = int(entries.pop().split(" ")[0]) if entries[-1:] and entries[-1].endswith(" more") else 0
        for entry in entries:
            name, _, said = entry.partition(": ")
            v.claim(f"{line}   [{entry}]", said.split(", "), truth.get(name))
        if not cut:
            v.claim(line, len(entries) + more, len(truth))
