"""Further kinds, unlike those that the library was first tuned on: build, metrics, history, plan, page, graph."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from bench.generate import vocabulary as v
from bench.generate.case import Case, Planted


def build_log(seed: int, total: int = 900) -> Case:
    """A Gradle- or Cargo-like build: one failed step, one very slow one, one warning of its own kind."""
    rng = Random(f"build:{seed}")
    loud, outlier, rare = v.spots(rng, total - 2)
    mark, odd = v.code(rng), f"x{v.hexid(rng, 6)}"
    slow = f"{rng.randint(4_000, 9_000)}.{rng.randint(1, 9)}s"
    names = sorted({f"{rng.choice(v.SERVICES)}-{rng.choice(v.NOUNS)}" for _ in range(120)})
    lines = []
    for i in range(total - 2):
        name = rng.choice(names)
        if i == loud:
            lines.append(
                f"error[E0308]: mismatched types in {rng.choice(v.PLACES)}/{name}.rs:{rng.randint(3, 800)}, see {mark}"
            )
        elif i == rare:
            lines.append(f"   Patching {odd} v0.1.0 (from local override)")
        else:
            took = slow if i == outlier else f"{rng.randint(1, 30) / 10:.1f}s"
            verb = rng.choice(("Compiling", "Compiling", "Checking", "Linking"))
            lines.append(f"   {verb} {name} v{rng.randint(0, 4)}.{rng.randint(0, 20)}.{rng.randint(0, 9)} ({took})")
    lines += [f"    Building {total - 2} of {total - 2}", "build stopped after 1 problem"]
    planted = (Planted("loud", (mark,)), Planted("outlier", (slow,)), Planted("rare", (odd,)))
    return Case("build", seed, "\n".join(lines) + "\n", (total, total - 2), planted, "bash")


def metrics(seed: int, total: int = 800) -> Case:
    """Prometheus' text format: one failure counter above zero, one value far out, one instance that occurs once."""
    rng = Random(f"metrics:{seed}")
    loud, outlier, rare = v.spots(rng, total)
    far, odd, failures = rng.randint(50_000_000, 900_000_000), f"spare-{v.hexid(rng, 5)}", rng.randint(11, 99)
    instances = [f"node-{i}:9100" for i in range(1, 9)]
    names = [f"{rng.choice(v.NOUNS)}_{rng.choice(v.VERBS)}_total" for _ in range(10)]
    lines = ["# HELP queue_depth Depth of the queue.", "# TYPE queue_depth gauge"]
    bad = f"{rng.choice(v.SERVICES)}_{v.hexid(rng, 4)}"
    for i in range(total):
        instance = odd if i == rare else rng.choice(instances)
        if i == loud:
            lines.append(f'errors_fatal_total{{instance="{instance}",job="{bad}"}} {failures}')
            continue
        value = far if i == outlier else rng.randint(100, 900)
        lines.append(f'{rng.choice(names)}{{instance="{instance}",job="{rng.choice(v.SERVICES)}"}} {value}')
    planted = (Planted("loud", (bad, "errors_fatal_total")), Planted("outlier", (str(far),)), Planted("rare", (odd,)))
    return Case("metrics", seed, "\n".join(lines) + "\n", (total, total + 2), planted, "fetch")


def git_log(seed: int, total: int = 300) -> Case:
    """``git log --stat``-like history: one revert of a crash, one huge change, one author who occurs once."""
    rng = Random(f"gitlog:{seed}")
    clock = v.Clock(rng, 9_000)
    people = [v.person(rng) for _ in range(8)]
    loud, outlier, rare = v.spots(rng, total)
    mark, size, odd = v.code(rng), rng.randint(60_000, 900_000), f"{v.person(rng)} {v.hexid(rng, 4)}"
    lines = []
    for i in range(total):
        who = odd if i == rare else rng.choice(people)
        subject = f"{rng.choice(v.VERBS).capitalize()} the {rng.choice(v.ADJECTIVES)} {rng.choice(v.NOUNS)}"
        if i == loud:
            subject = f"Revert: production crash, data corruption {mark}"
        changed = size if i == outlier else rng.randint(2, 90)
        lines += [
            f"commit {v.hexid(rng, 40)}",
            f"Author: {who} <{who.split()[0].lower()}@example.com>",
            f"Date:   {clock.tick():%a %b %d %H:%M:%S %Y} +0000",
            "",
            f"    {subject}",
            "",
            f" {rng.randint(1, 6)} files changed, {changed} insertions(+), {rng.randint(1, 40)} deletions(-)",
            "",
        ]
    text = "\n".join(lines)
    planted = (Planted("loud", (mark,)), Planted("outlier", (str(size),)), Planted("rare", (odd,)))
    return Case("gitlog", seed, text, (total, len(lines), len(lines) - 1), planted, "git_log")


def plan(seed: int, total: int = 160) -> Case:
    """A Terraform plan: one destroy with an error, one number far out, one region that occurs once."""
    rng = Random(f"plan:{seed}")
    loud, outlier, rare = v.spots(rng, total)
    mark, size, odd = v.code(rng), rng.randint(300_000, 900_000), f"ca-west-{rng.randint(3, 9)}"
    lines = ["Terraform will perform the following actions:", ""]
    for i in range(total):
        name = f"aws_instance.{rng.choice(v.SERVICES)}_{i}"
        lines += [
            f"  # {name} will be {'destroyed' if i == loud else 'created'}",
            f'  {"-" if i == loud else "+"} resource "aws_instance" "{name.split(".")[1]}" {{',
            f'      + ami           = "ami-{v.hexid(rng, 8)}"',
            f'      + instance_type = "{rng.choice(("t3.micro", "t3.small"))}"',
            f'      + region        = "{odd if i == rare else rng.choice(("eu-north-1", "us-east-1"))}"',
            f"      + volume_size   = {size if i == outlier else rng.choice((20, 40, 80))}",
            "    }",
            "",
        ]
        if i == loud:
            lines[-1:] = [f"Error: instance is protected against termination ({mark})", ""]
    lines.append(f"Plan: {total - 1} to add, 0 to change, 1 to destroy.")
    text = "\n".join(lines) + "\n"
    planted = (Planted("loud", (mark,)), Planted("outlier", (str(size),)), Planted("rare", (odd,)))
    return Case("plan", seed, text, (total, total - 1, len(lines)), planted, "bash")


def page(seed: int, total: int = 240) -> Case:
    """An HTML page with a long table and boilerplate around it."""
    rng = Random(f"page:{seed}")
    loud, outlier, rare = v.spots(rng, total)
    mark, far, odd = v.code(rng), rng.randint(800_000, 9_000_000), f"Port {v.code(rng).title()}"
    rows = []
    for i in range(total):
        state, note = ("failed", f"error {mark}") if i == loud else ("ok", rng.choice(v.ADJECTIVES))
        amount = far if i == outlier else rng.randint(40, 900)
        town = odd if i == rare else rng.choice(v.CITIES[:8])
        cells = (f"{v.symbol(rng)}_{i}", town, amount, state, note)
        rows.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    script = f"<script>var state={json.dumps({name: rng.random() for name in v.NOUNS})};</script>"
    text = (
        f"<!DOCTYPE html>\n<html><head><title>Deliveries</title>{script}"
        "<style>td { padding: 2px }</style></head><body>\n"
        f"<h1>Deliveries</h1><p>{v.paragraph(rng)}</p>\n<table><tr><th>Job</th><th>Town</th><th>Parcels</th><th>State</th>"
        "<th>Note</th></tr>\n"
        + "\n".join(rows)
        + f"\n</table>\n<h2>Notes</h2><p>{v.paragraph(rng)}</p></body></html>\n"
    )
    planted = (Planted("loud", (mark,)), Planted("outlier", (str(far),)), Planted("rare", (odd,)))
    return Case("page", seed, text, (total, total + 1), planted, "fetch")


def graph(seed: int, total: int = 260) -> Case:
    """GraphQL edges with nested nodes."""
    rng = Random(f"graph:{seed}")
    clock = v.Clock(rng, 9_000)
    edges: list[dict[str, Any]] = []
    for i in range(total):
        node = {
            "id": f"PR_{v.hexid(rng, 12)}",
            "number": 900 + i,
            "title": v.sentence(rng)[:60],
            "author": {"login": v.login(rng), "__typename": "User"},
            "reviewDecision": rng.choice(("APPROVED", "APPROVED", "REVIEW_REQUIRED")),
            "additions": rng.randint(3, 200),
            "mergedAt": clock.iso(),
            "checks": {"state": "SUCCESS", "contexts": {"totalCount": rng.randint(3, 9)}},
        }
        edges.append({"cursor": v.hexid(rng, 10), "node": node})
    loud, outlier, rare = v.spots(rng, total)
    mark, size = v.code(rng), rng.randint(70_000, 990_000)
    edges[loud]["node"]["checks"] = {
        "state": "FAILURE",
        "message": f"build failed {mark}",
        "contexts": {"totalCount": 4},
    }
    edges[outlier]["node"]["additions"] = size
    edges[rare]["node"]["author"] = {"login": "octo-helper", "__typename": "Mannequin"}
    whole = {
        "data": {
            "repository": {"pullRequests": {"totalCount": total, "edges": edges, "pageInfo": {"hasNextPage": False}}}
        }
    }
    planted = (Planted("loud", (mark,)), Planted("outlier", (str(size),)), Planted("rare", ("Mannequin",)))
    return Case(
        "graph", seed, json.dumps(whole, indent=2 if seed % 2 else None), (total,), planted, "list_pull_requests"
    )
