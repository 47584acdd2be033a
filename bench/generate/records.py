"""Structured inputs: issues, pods, search results, NDJSON logs, CSV."""

from __future__ import annotations

import csv
import io
import json
from random import Random
from typing import Any

from bench.generate import vocabulary as v
from bench.generate.case import Case, Planted


def issues(seed: int, total: int = 500) -> Case:
    """GitHub's issue list, as the REST interface gives it."""
    rng = Random(f"issues:{seed}")
    clock = v.Clock(rng, 30_000)
    owner, repo = v.login(rng), rng.choice(v.NOUNS)
    people = [v.login(rng) for _ in range(40)]
    labels = ["bug", "enhancement", "documentation", "question", "good first issue", f"area/{rng.choice(v.SERVICES)}"]
    api = f"https://api.github.com/repos/{owner}/{repo}"
    rows: list[dict[str, Any]] = []
    first = rng.randint(3_000, 9_000)
    for i in range(total):
        number, who, at = first + total - i, rng.choice(people), clock.iso()
        rows.append(
            {
                "url": f"{api}/issues/{number}",
                "html_url": f"https://github.com/{owner}/{repo}/issues/{number}",
                "id": 2_100_000_000 + number * 7 + rng.randint(0, 6),
                "number": number,
                "title": f"{rng.choice(v.VERBS)} {rng.choice(v.ADJECTIVES)} {rng.choice(v.NOUNS)} in "
                "{rng.choice(v.SERVICES)}",
                "user": {"login": who, "id": 40_000 + people.index(who), "type": "User", "site_admin": False},
                "labels": [{"name": name, "color": "d73a4a"} for name in rng.sample(labels, rng.randint(0, 2))],
                "state": "open" if rng.random() < 0.7 else "closed",
                "locked": False,
                "assignee": None,
                "comments": min(40, int(rng.expovariate(0.25))),
                "created_at": at,
                "updated_at": at,
                "author_association": rng.choice(("NONE", "NONE", "CONTRIBUTOR", "MEMBER")),
                "active_lock_reason": None,
                "body": v.paragraph(rng, 1, 4),
            }
        )
    loud, outlier, rare = v.spots(rng, total)
    cve = f"CVE-2026-{rng.randint(20_000, 59_999)}"
    rows[loud]["title"] = rng.choice(
        (
            f"{cve}: remote code execution through a crafted {rng.choice(v.NOUNS)}",
            f"CRITICAL: all customer data exposed by {rng.choice(v.SERVICES)} ({cve})",
            f"Fatal crash and data loss on start-up, see {cve}",
        )
    )
    comments = rng.randint(12_000, 90_000)
    rows[outlier]["comments"] = comments
    place, value = rng.choice(
        (("author_association", "MANNEQUIN"), ("active_lock_reason", "off-topic"), ("state", "transferred"))
    )
    rows[rare][place] = value
    text = json.dumps(rows, indent=2 if seed % 2 else None)
    planted = (
        Planted("loud", (cve,)),
        Planted("outlier", (str(comments),)),
        Planted("rare", (value,)),
    )
    return Case("issues", seed, text, (total,), planted, "list_issues")


def pods(seed: int, total: int = 150) -> Case:
    """``kubectl get pods -A -o json``: the reason of a failing pod must stand with its name."""
    rng = Random(f"pods:{seed}")
    clock = v.Clock(rng, 600)
    spaces = ["default", "kube-system", "monitoring", *rng.sample(v.SERVICES, 4)]
    nodes = [f"node-{rng.choice('abc')}{i:02d}" for i in range(6)]
    items: list[dict[str, Any]] = []
    for _ in range(total):
        app = rng.choice(v.SERVICES)
        name = f"{app}-{v.hexid(rng, 9)}-{v.hexid(rng, 5)}"
        version = f"1.{rng.randint(2, 4)}.{rng.randint(0, 3)}"
        since = clock.iso()[:19] + "Z"
        items.append(
            {
                "apiVersion": "v1",
                "kind": "Pod",
                "metadata": {
                    "name": name,
                    "namespace": rng.choice(spaces),
                    "uid": f"{v.hexid(rng)}-{v.hexid(rng, 4)}-4{v.hexid(rng, 3)}-a{v.hexid(rng, 3)}-{v.hexid(rng, 12)}",
                    "creationTimestamp": since,
                    "labels": {"app": app, "pod-template-hash": v.hexid(rng, 9), "tier": "backend"},
                    "ownerReferences": [
                        {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": name[:-6], "controller": True}
                    ],
                },
                "spec": {
                    "nodeName": rng.choice(nodes),
                    "priorityClassName": "standard",
                    "serviceAccountName": app,
                    "containers": [
                        {
                            "name": app,
                            "image": f"registry.example.com/{app}:{version}",
                            "resources": {"limits": {"cpu": "500m", "memory": "512Mi"}, "requests": {"cpu": "100m"}},
                            "ports": [{"containerPort": 8080, "protocol": "TCP"}],
                            "imagePullPolicy": "IfNotPresent",
                        }
                    ],
                    "restartPolicy": "Always",
                },
                "status": {
                    "phase": "Running",
                    "conditions": [
                        {"type": t, "status": "True", "lastTransitionTime": since}
                        for t in ("Initialized", "Ready", "ContainersReady", "PodScheduled")
                    ],
                    "containerStatuses": [
                        {
                            "name": app,
                            "ready": True,
                            "restartCount": rng.choice((0, 0, 0, 1, 2)),
                            "started": True,
                            "state": {"running": {"startedAt": since}},
                        }
                    ],
                    "podIP": v.address(rng),
                },
            }
        )
    loud, outlier, rare = v.spots(rng, total)
    reason = rng.choice(("CrashLoopBackOff", "ImagePullBackOff", "CreateContainerConfigError"))
    status = items[loud]["status"]["containerStatuses"][0]
    status["ready"] = False
    status["state"] = {
        "waiting": {"reason": reason, "message": f"back-off 5m0s restarting failed container={status['name']}"}
    }
    restarts = rng.randint(1_600, 9_900)
    items[outlier]["status"]["containerStatuses"][0]["restartCount"] = restarts
    node = f"spare-{v.hexid(rng, 6)}"
    items[rare]["spec"]["nodeName"] = node
    text = json.dumps(
        {"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"resourceVersion": ""}}, indent=4
    )
    planted = (
        Planted("loud", (reason, items[loud]["metadata"]["name"])),
        Planted("outlier", (str(restarts),)),
        Planted("rare", (node,)),
    )
    return Case("pods", seed, text, (total,), planted, "resources_list")


def search(seed: int, total: int = 220) -> Case:
    """A search engine's nested answer: the list stands beside other keys."""
    rng = Random(f"search:{seed}")
    kinds = ["report", "memo", "contract", "invoice"]
    hits: list[dict[str, Any]] = []
    for i in range(total):
        hits.append(
            {
                "_index": f"documents-{2024 + i % 3}",
                "_id": v.hexid(rng, 16),
                "_score": round(18 - i * 0.05 + rng.random() * 0.04, 4),
                "_source": {
                    "title": v.sentence(rng)[:70],
                    "kind": rng.choice(kinds),
                    "author": {"name": v.person(rng), "office": rng.choice(v.CITIES[:8]), "active": True},
                    "pages": rng.randint(2, 60),
                    "tags": rng.sample(v.NOUNS, 3),
                    "excerpt": v.paragraph(rng, 1, 3),
                    "review": {"status": "approved", "round": rng.randint(1, 3)},
                },
                "highlight": {"excerpt": [f"<em>{rng.choice(v.NOUNS)}</em> {v.sentence(rng)}"]},
            }
        )
    loud, outlier, rare = v.spots(rng, total)
    mark = v.code(rng)
    hits[loud]["_source"]["review"] = {
        "status": "failed",
        "round": 2,
        "error": f"checksum mismatch in attachment {mark}",
    }
    pages = rng.randint(4_000, 90_000)
    hits[outlier]["_source"]["pages"] = pages
    office = rng.choice(v.CITIES[8:])
    hits[rare]["_source"]["author"]["office"] = office
    whole = {
        "took": rng.randint(3, 40),
        "timed_out": False,
        "_shards": {"total": 5, "successful": 5, "skipped": 0},
        "hits": {"total": {"value": total, "relation": "eq"}, "max_score": hits[0]["_score"], "hits": hits},
    }
    text = json.dumps(whole, indent=2 if seed % 3 else None, ensure_ascii=False)
    planted = (Planted("loud", (mark,)), Planted("outlier", (str(pages),)), Planted("rare", (office,)))
    return Case("search", seed, text, (total,), planted, "search_documents")


def ndjson(seed: int, total: int = 3_000) -> Case:
    """A service's structured log."""
    rng = Random(f"ndjson:{seed}")
    clock = v.Clock(rng, 0.8)
    hosts = [f"app-{i:02d}" for i in range(1, 9)]
    regions = ["eu-north-1", "us-east-1", "ap-south-1"]
    names = rng.sample(v.SERVICES, 6)
    patterns = [f"/v1/{rng.choice(v.NOUNS)}s/{{}}" for _ in range(6)] + ["/healthz", "/v1/sessions"]
    rows: list[dict[str, Any]] = []
    for _ in range(total):
        rows.append(
            {
                "ts": clock.iso(),
                "level": "info" if rng.random() < 0.93 else "warn",
                "service": rng.choice(names),
                "host": rng.choice(hosts),
                "region": rng.choice(regions),
                "method": rng.choice(("GET", "GET", "GET", "POST")),
                "path": rng.choice(patterns).format(rng.randint(1, 90_000)),
                "status": rng.choice((200, 200, 200, 200, 201, 204, 304)),
                "latency_ms": rng.randint(5, 80),
                "trace_id": v.hexid(rng, 16),
                "user_id": rng.randint(1, 5_000),
                "msg": "request served",
            }
        )
    loud, outlier, rare = v.spots(rng, total)
    mark = v.code(rng)
    rows[loud].update(level="error", status=500, msg=f"upstream connect failed: upstream {mark} reset the connection")
    latency = rng.randint(60_000, 140_000)
    rows[outlier]["latency_ms"] = latency
    key, value = rng.choice(
        (
            ("path", f"/internal/{rng.choice(v.VERBS)}-{v.hexid(rng, 5)}"),
            ("region", "me-central-1"),
            ("host", f"canary-{v.hexid(rng, 4)}"),
            ("method", "PROPFIND"),
        )
    )
    rows[rare][key] = value
    text = "\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n"
    planted = (Planted("loud", (mark,)), Planted("outlier", (str(latency),)), Planted("rare", (value,)))
    return Case("ndjson", seed, text, (total,), planted, "get_logs")


def csv_rows(seed: int, total: int = 1_000) -> Case:
    """Orders as CSV, with quoted names; the delimiter varies by seed."""
    rng = Random(f"csv:{seed}")
    clock = v.Clock(rng, 4_000)
    channels, currencies, carriers = ["web", "store", "phone"], ["EUR", "SEK", "USD"], ["DHL", "UPS", "PostNord", "GLS"]
    rows: list[list[Any]] = []
    for i in range(total):
        amount = round(rng.lognormvariate(3.6, 0.4), 2)
        rows.append(
            [
                f"O-{100_000 + i}",
                clock.iso()[:10],
                f"{rng.choice(v.FAMILY)}, {rng.choice(v.GIVEN)}",
                rng.choice(v.CITIES[:10]),
                rng.choice(channels),
                rng.randint(1, 6),
                amount,
                rng.choice(currencies),
                rng.choice(carriers),
                rng.choice(("shipped", "shipped", "delivered", "packed")),
                "",
            ]
        )
    loud, outlier, rare = v.spots(rng, total)
    mark = v.code(rng)
    rows[loud][9], rows[loud][10] = "failed", f"payment declined, ref {mark}"
    amount = rng.randint(200_000, 900_000) + 0.37
    rows[outlier][6] = amount
    column, value = rng.choice(((8, "Pigeon Express"), (4, "telex"), (3, rng.choice(v.CITIES[10:])), (7, "XAU")))
    rows[rare][column] = value
    out = io.StringIO()
    writer = csv.writer(out, delimiter=",;\t"[seed % 3], lineterminator="\n")
    head = v.listed("order_id date customer city channel items amount currency carrier status note")
    writer.writerow(head)
    writer.writerows(rows)
    planted = (Planted("loud", (mark,)), Planted("outlier", (str(amount),)), Planted("rare", (value,)))
    return Case("csv", seed, out.getvalue(), (total,), planted, "read_query")
