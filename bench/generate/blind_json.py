"""Blind set: what APIs answer (JSON and NDJSON)."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from bench.generate import blind_words as w
from bench.generate.case import Case


def dump(rng: Random, value: Any) -> str:
    return json.dumps(value, indent=rng.choice((2, 2, 4, None)), ensure_ascii=False)


def github_issues(seed: int, total: int = 500) -> Case:
    rng = Random(f"blind issues {seed}")
    people = [w.user(rng) for _ in range(40)]
    tick = w.Ticker(rng, 9_000)
    base = f"https://api.github.com/repos/acme/{rng.choice(w.TEAMS)}"

    def person(login: str) -> dict[str, Any]:
        return {
            "login": login,
            "id": rng.randint(10_000, 90_000_000),
            "node_id": "MDQ6VXNlcg" + w.hexes(rng, 6),
            "avatar_url": f"https://avatars.githubusercontent.com/u/{rng.randint(1, 10**8)}?v=4",
            "url": f"https://api.github.com/users/{login}",
            "html_url": f"https://github.com/{login}",
            "type": "User",
            "site_admin": False,
        }

    labels = [
        {"id": 900 + i, "name": n, "color": w.hexes(rng, 6), "default": i < 2, "description": None}
        for i, n in enumerate(("bug", "enhancement", "docs", "good first issue", "needs triage"))
    ]
    rows: list[dict[str, Any]] = []
    for i in range(total):
        number = 4_000 - i
        rows.append(
            {
                "url": f"{base}/issues/{number}",
                "repository_url": base,
                "html_url": f"https://github.com/acme/x/issues/{number}",
                "id": 2_100_000_000 + rng.randint(0, 10**8),
                "number": number,
                "title": w.phrase(rng)[:-1],
                "user": person(rng.choice(people)),
                "labels": rng.sample(labels, rng.randint(0, 3)),
                "state": "open" if rng.random() < 0.7 else "closed",
                "locked": False,
                "assignee": None if rng.random() < 0.6 else person(rng.choice(people)),
                "milestone": None if rng.random() < 0.5 else {"number": 3, "title": rng.choice(("v2.1", "v2.2"))},
                "comments": rng.randint(0, 14),
                "created_at": tick(),
                "updated_at": tick(),
                "author_association": rng.choice(("NONE", "CONTRIBUTOR", "MEMBER")),
                "active_lock_reason": None,
                "body": w.prose(rng, rng.randint(1, 7)),
                "reactions": {
                    "url": f"{base}/issues/{number}/reactions",
                    "total_count": (n := rng.randint(0, 6)),
                    "+1": n,
                    "-1": 0,
                    "heart": 0,
                    "rocket": 0,
                },
                "state_reason": None,
            }
        )
    loud, out, rare = w.places(rng, total)
    m = w.mark(rng)
    where = rng.randrange(3)
    if where == 0:
        rows[loud]["title"] = f"Segfault and data corruption after {rng.choice(w.DOINGS)} ({m})"
    elif where == 1:
        rows[loud]["labels"] = [{**labels[0], "name": "critical"}]
        rows[loud]["title"] = f"CRITICAL: production down, {m}"
    else:
        rows[loud]["body"] = (
            f'Traceback (most recent call last):\n  File "app.py", line 9, in run\nRuntimeError: lost connection {m}'
        )
    value: object = w.far(rng, 14)
    if rng.random() < 0.5:
        rows[out]["comments"] = value
    else:
        rows[out]["reactions"]["total_count"] = rows[out]["reactions"]["+1"] = value
    odd = rng.choice(("association", "label", "milestone", "lock", "author"))
    if odd == "association":
        rows[rare]["author_association"] = rare_value = "FIRST_TIMER"
    elif odd == "label":
        rare_value = rng.choice(("legal", "trademark", "i18n"))
        rows[rare]["labels"] = [{**labels[1], "name": rare_value}]
    elif odd == "milestone":
        rare_value = "v9.0"
        rows[rare]["milestone"] = {"number": 8, "title": rare_value}
    elif odd == "lock":
        rare_value = "too heated"
        rows[rare]["locked"], rows[rare]["active_lock_reason"] = True, rare_value
    else:
        rare_value = "dependabot[bot]"
        rows[rare]["user"] = {**person(rare_value), "type": "Bot"}
    far = [value, rows[out]["number"]]
    return w.made("github-issues", seed, dump(rng, rows), [total], m, far, rare_value, "list_issues")


def pods_json(seed: int, total: int = 150) -> Case:
    rng = Random(f"blind pods {seed}")
    tick = w.Ticker(rng, 400)
    nodes = [f"ip-10-0-{i}-{rng.randint(2, 250)}.ec2.internal" for i in range(6)]
    items: list[dict[str, Any]] = []
    for _ in range(total):
        app = f"{rng.choice(w.TEAMS)}-{rng.choice(('api', 'worker', 'web'))}"
        pod = f"{app}-{w.hexes(rng, 9)}-{w.hexes(rng, 5)}"
        started = tick()
        image = f"registry.acme.io/{app}:1.{rng.randint(2, 4)}.0"
        items.append(
            {
                "apiVersion": "v1",
                "kind": "Pod",
                "metadata": {
                    "name": pod,
                    "namespace": rng.choice(("prod", "staging")),
                    "uid": f"{w.hexes(rng, 8)}-{w.hexes(rng, 4)}-{w.hexes(rng, 12)}",
                    "labels": {"app": app, "pod-template-hash": w.hexes(rng, 9)},
                    "creationTimestamp": started,
                    "ownerReferences": [{"kind": "ReplicaSet", "name": pod[:-6], "controller": True}],
                },
                "spec": {
                    "nodeName": rng.choice(nodes),
                    "serviceAccountName": "default",
                    "restartPolicy": "Always",
                    "schedulerName": "default-scheduler",
                    "containers": [
                        {
                            "name": "main",
                            "image": image,
                            "resources": {
                                "requests": {"cpu": f"{rng.choice((100, 200, 250))}m", "memory": "256Mi"},
                                "limits": {"memory": rng.choice(("512Mi", "768Mi"))},
                            },
                            "ports": [{"containerPort": 8080, "protocol": "TCP"}],
                        }
                    ],
                },
                "status": {
                    "phase": "Running",
                    "qosClass": "Burstable",
                    "podIP": w.ip(rng),
                    "startTime": started,
                    "conditions": [
                        {"type": t, "status": "True", "lastTransitionTime": started}
                        for t in ("Initialized", "Ready", "ContainersReady", "PodScheduled")
                    ],
                    "containerStatuses": [
                        {
                            "name": "main",
                            "ready": True,
                            "restartCount": rng.randint(0, 3),
                            "image": image,
                            "state": {"running": {"startedAt": started}},
                        }
                    ],
                },
            }
        )
    loud, out, rare = w.places(rng, total)
    bad = items[loud]["status"]
    reason = rng.choice(("CrashLoopBackOff", "ImagePullBackOff", "OOMKilled", "Evicted"))
    if reason == "OOMKilled":
        bad["containerStatuses"][0]["state"] = {"terminated": {"exitCode": 137, "reason": reason}}
    elif reason == "Evicted":
        bad.update(phase="Failed", reason=reason, message="The node was low on resource: memory.")
    else:
        bad["containerStatuses"][0].update(ready=False, state={"waiting": {"reason": reason, "message": "back-off"}})
    if rng.random() < 0.6:
        value: object = w.far(rng, 3) + 20
        items[out]["status"]["containerStatuses"][0]["restartCount"] = value
    else:
        value = f"{rng.choice((16, 32, 64))}Gi"
        items[out]["spec"]["containers"][0]["resources"]["limits"]["memory"] = value
    spec, odd = items[rare]["spec"], rng.randrange(5)
    if odd == 0:
        spec["nodeName"] = what = f"ip-10-9-{rng.randint(70, 99)}-7.ec2.internal"
    elif odd == 1:
        items[rare]["metadata"]["namespace"] = what = "qa-sandbox"
    elif odd == 2:
        spec["serviceAccountName"] = what = "cluster-admin-tmp"
    elif odd == 3:
        items[rare]["status"]["qosClass"] = what = "BestEffort"
    else:
        what = "docker.io/library/busybox:latest"
        spec["containers"][0]["image"] = items[rare]["status"]["containerStatuses"][0]["image"] = what
    text = json.dumps({"apiVersion": "v1", "items": items, "kind": "List"}, indent=4)
    names = (items[loud]["metadata"]["name"], reason)
    far = [value, items[out]["metadata"]["name"]]
    return w.made("pods-json", seed, text, [total], names, far, what, "kubectl_get")


def search_result(seed: int, total: int = 200) -> Case:
    rng = Random(f"blind search {seed}")
    tick = w.Ticker(rng, 50_000)
    rows: list[dict[str, Any]] = [
        {
            "type": "document",
            "id": w.hexes(rng, 12),
            "attributes": {
                "title": w.phrase(rng),
                "summary": w.prose(rng, rng.randint(1, 4)),
                "score": round(rng.uniform(0.3, 0.99), 4),
                "language": rng.choice(("en", "en", "de")),
                "mimeType": rng.choice(("text/html", "application/pdf")),
                "wordCount": rng.randint(150, 2_400),
                "publishedAt": tick(),
                "author": {"name": w.name(rng), "team": rng.choice(w.TEAMS)},
                "source": {"site": rng.choice(("wiki", "blog", "handbook")), "region": rng.choice(w.REGIONS)},
                "status": "indexed",
            },
            "links": {"self": f"/documents/{w.hexes(rng, 8)}"},
        }
        for _ in range(total)
    ]
    loud, out, rare = w.places(rng, total)
    m = w.mark(rng)
    rows[loud]["attributes"].update(status="failed", error=f"parser crashed on page 3 ({m})")
    words = w.far(rng, 2_400)
    rows[out]["attributes"]["wordCount"] = words
    inner = rows[rare]["attributes"]
    what = rng.choice(("sv", "application/x-tex", rng.choice(w.FAR_REGIONS), "intranet-archive"))
    if what == "sv":
        inner["language"] = what
    elif "/" in what:
        inner["mimeType"] = what
    elif what == "intranet-archive":
        inner["source"]["site"] = what
    else:
        inner["source"]["region"] = what
    whole = {
        "meta": {"took": 31, "page": {"number": 1, "size": total}},
        "data": {"query": "quarterly", "results": rows, "facets": {"language": {"en": 130, "de": 70}}},
    }
    return w.made("search-nested", seed, dump(rng, whole), [total], m, words, what, "search")


AGENTS = ("Mozilla/5.0 (X11; Linux x86_64)", "okhttp/4.9.3", "python-requests/2.31")


def ndjson_log(seed: int, total: int = 3_000) -> Case:
    rng = Random(f"blind ndjson {seed}")
    tick = w.Ticker(rng, 0.4)
    rows: list[dict[str, Any]] = []
    for _ in range(total):
        do, thing = rng.choice(w.DOINGS), rng.choice(w.THINGS)
        rows.append(
            {
                "timestamp": tick("%Y-%m-%dT%H:%M:%S.%3Z"),
                "severity": rng.choice(("INFO", "INFO", "DEBUG", "WARNING")),
                "logger": f"acme.{rng.choice(w.TEAMS)}.{rng.choice(('http', 'db', 'jobs'))}",
                "message": f"{do} {thing} {rng.randint(1, 9_999)} done",
                "http": {"method": "GET", "status": rng.choice((200, 200, 204)), "agent": rng.choice(AGENTS)},
                "duration_ms": round(rng.lognormvariate(3, 0.5), 1),
                "bytes": rng.randint(200, 4_000),
                "region": rng.choice(w.REGIONS),
                "request_id": w.hexes(rng, 12),
            }
        )
    loud, out, rare = w.places(rng, total)
    m = w.mark(rng)
    rows[loud].update(severity="ERROR", message=f"unhandled exception in worker: {m}", stack="ValueError: bad frame")
    if rng.random() < 0.5:
        value: float = w.far(rng, 150)
        rows[out]["duration_ms"] = value
    else:
        rows[out]["bytes"] = value = w.far(rng, 4_000)
    odd = rng.randrange(4)
    if odd == 0:
        rows[rare]["region"] = what = rng.choice(w.FAR_REGIONS)
    elif odd == 1:
        rows[rare]["http"]["agent"] = what = "sqlmap/1.7.2"
    elif odd == 2:
        rows[rare]["logger"] = what = "acme.legacy.fax"
    else:
        what = "feature flag dark-mode-v3 toggled"
        rows[rare]["message"] = what
    return w.made("ndjson-log", seed, "\n".join(map(json.dumps, rows)), [total], m, value, what, "query_logs")


def aws_instances(seed: int, total: int = 180) -> Case:
    rng = Random(f"blind aws {seed}")
    tick = w.Ticker(rng, 70_000)
    rows: list[dict[str, Any]] = []
    for _ in range(total):
        region = rng.choice(("eu-west-1", "us-east-1"))
        rows.append(
            {
                "InstanceId": f"i-0{w.hexes(rng, 16)}",
                "ImageId": f"ami-0{rng.choice(('a1b2c3d4', 'e5f60718'))}",
                "InstanceType": rng.choice(("t3.medium", "m5.large", "c5.xlarge")),
                "KeyName": "ops-2024",
                "LaunchTime": tick(),
                "Monitoring": {"State": "disabled"},
                "Placement": {"AvailabilityZone": region + rng.choice("ab"), "Tenancy": "default"},
                "PrivateIpAddress": w.ip(rng),
                "State": {"Code": 16, "Name": "running"},
                "SubnetId": f"subnet-{w.hexes(rng, 8)}",
                "VpcId": rng.choice(("vpc-11aa22bb", "vpc-33cc44dd")),
                "BlockDeviceMappings": [
                    {"DeviceName": "/dev/xvda", "Ebs": {"VolumeSize": rng.choice((20, 50, 100)), "Status": "attached"}}
                ],
                "CpuOptions": {"CoreCount": rng.choice((1, 2, 4)), "ThreadsPerCore": 2},
                "Tags": [
                    {"Key": "Name", "Value": f"{rng.choice(w.TEAMS)}-{rng.randint(1, 90)}"},
                    {"Key": "env", "Value": rng.choice(("prod", "staging"))},
                ],
                "Architecture": "x86_64",
            }
        )
    loud, out, rare = w.places(rng, total)
    m = f"{rng.choice(w.TEAMS)}-{w.hexes(rng, 5)}z"
    rows[loud]["State"] = {"Code": 48, "Name": "terminated"}
    rows[loud]["StateReason"] = {"Code": "Server.InternalError", "Message": f"Server.InternalError: host failure {m}"}
    size = w.far(rng, 100)
    rows[out]["BlockDeviceMappings"][0]["Ebs"]["VolumeSize"] = size
    odd = rng.randrange(4)
    if odd == 0:
        what = rng.choice(w.FAR_REGIONS) + "c"
        rows[rare]["Placement"]["AvailabilityZone"] = what
    elif odd == 1:
        rows[rare]["InstanceType"] = what = "p4d.24xlarge"
    elif odd == 2:
        rows[rare]["KeyName"] = what = "jdoe-laptop"
    else:
        rows[rare]["Architecture"] = what = "arm64"
    groups = [
        {"ReservationId": f"r-{w.hexes(rng, 12)}", "OwnerId": "123456789012", "Groups": [], "Instances": [row]}
        for row in rows
    ]
    text = json.dumps({"Reservations": groups}, indent=4)
    return w.made("aws-instances", seed, text, [total], m, size, what, "aws")


def docker_inspect(seed: int, total: int = 80) -> Case:
    rng = Random(f"blind docker {seed}")
    tick = w.Ticker(rng, 3_000)
    rows: list[dict[str, Any]] = []
    for i in range(total):
        team = rng.choice(w.TEAMS)
        rows.append(
            {
                "Id": w.hexes(rng, 64),
                "Created": tick(),
                "Path": "/entrypoint.sh",
                "Args": ["serve", "--port", "8080"],
                "State": {
                    "Status": "running",
                    "Running": True,
                    "OOMKilled": False,
                    "Dead": False,
                    "Pid": rng.randint(900, 40_000),
                    "ExitCode": 0,
                    "Error": "",
                    "StartedAt": tick(),
                },
                "Image": f"sha256:{w.hexes(rng, 64)}",
                "Name": f"/{team}-{i}",
                "RestartCount": rng.randint(0, 2),
                "Driver": "overlay2",
                "HostConfig": {
                    "NetworkMode": "bridge",
                    "RestartPolicy": {"Name": "always", "MaximumRetryCount": 0},
                    "Memory": rng.choice((268435456, 536870912)),
                    "Privileged": False,
                    "LogConfig": {"Type": "json-file", "Config": {}},
                },
                "Config": {
                    "Hostname": w.hexes(rng, 12),
                    "Env": ["PATH=/usr/bin", f"TEAM={team}", "TZ=UTC"],
                    "Image": f"acme/{team}:2.{rng.randint(0, 3)}",
                },
                "NetworkSettings": {"IPAddress": w.ip(rng), "Ports": {"8080/tcp": None}},
            }
        )
    loud, out, rare = w.places(rng, total)
    m = w.mark(rng)
    rows[loud]["State"].update(Status="exited", Running=False, ExitCode=139, Error=f"segmentation fault {m}")
    if rng.random() < 0.5:
        value = w.far(rng, 4) + 30
        rows[out]["RestartCount"] = value
    else:
        rows[out]["HostConfig"]["Memory"] = value = 536870912 * rng.choice((32, 64, 128))
    odd = rng.randrange(3)
    if odd == 0:
        rows[rare]["HostConfig"]["NetworkMode"] = what = "host"
    elif odd == 1:
        rows[rare]["HostConfig"]["LogConfig"]["Type"] = what = "fluentd"
    else:
        rows[rare]["Driver"] = what = "btrfs"
    text, far = json.dumps(rows, indent=4), [value, rows[out]["Name"]]
    return w.made("docker-inspect", seed, text, [total], m, far, what, "docker_inspect")


def lint_json(seed: int, total: int = 300) -> Case:
    """eslint --format json, or npm audit's vulnerabilities."""
    rng = Random(f"blind lint {seed}")
    loud, out, rare = w.places(rng, total)
    m = w.mark(rng)
    if seed % 2:
        vulnerabilities: dict[str, Any] = {}
        names = sorted({f"{rng.choice(w.THINGS)}-{rng.choice(w.DOINGS)}-{w.hexes(rng, 4)}" for _ in range(total * 2)})
        for i, name in enumerate(rng.sample(names, total)):
            vulnerabilities[name] = {
                "name": name,
                "severity": "critical" if i == loud else rng.choice(("low", "moderate")),
                "isDirect": rng.random() < 0.2,
                "via": [{"source": 1_000_000 + i, "title": f"Remote code execution {m}" if i == loud else "ReDoS",
                         "url": f"https://github.com/advisories/GHSA-{w.hexes(rng, 4)}",
                         "cvss": {"score": round(rng.uniform(2, 6), 1)}}],
                "effects": [],
                "range": f"<{rng.randint(1, 5)}.{rng.randint(0, 9)}.0",
                "nodes": [f"node_modules/{name}"],
                "dependents": rng.randint(0, 9),
                "fixAvailable": True,
            }  # fmt: skip
        keys = list(vulnerabilities)
        value = w.far(rng, 9) + 20
        vulnerabilities[keys[out]]["dependents"] = value
        what = f"vendor/old/{keys[rare]}"
        vulnerabilities[keys[rare]]["nodes"] = [what]
        whole: Any = {"auditReportVersion": 2, "vulnerabilities": vulnerabilities,
                      "metadata": {"dependencies": {"prod": 211, "dev": 900}}}  # fmt: skip
        return w.made("lint-json", seed, json.dumps(whole, indent=2), [total], m, value, what, "npm")
    rows: list[dict[str, Any]] = []
    rules = ("no-unused-vars", "semi", "quotes", "indent")
    for _ in range(total):
        messages = [
            {"ruleId": rng.choice(rules), "severity": 1, "message": w.phrase(rng), "line": rng.randint(1, 400),
             "column": rng.randint(1, 80), "nodeType": "Identifier"}
            for _ in range(rng.randint(0, 4))
        ]  # fmt: skip
        rows.append(
            {
                "filePath": f"/app/src/{rng.choice(w.TEAMS)}/{rng.choice(w.DOINGS)}{rng.choice(w.THINGS)}"
                f"{rng.randint(1, 99)}.js",
                "messages": messages,
                "errorCount": 0,
                "fatalErrorCount": 0,
                "warningCount": len(messages),
                "fixableWarningCount": 0,
                "usedDeprecatedRules": [],
            }
        )
    rows[loud].update(errorCount=1, fatalErrorCount=1)
    rows[loud]["messages"] = [{"ruleId": None, "fatal": True, "severity": 2, "message": f"Parsing error: {m}",
                               "line": 3, "column": 1, "nodeType": None}]  # fmt: skip
    value = w.far(rng, 5) + 40
    rows[out]["warningCount"] = value
    what = "no-eval"
    rows[rare]["messages"] = [{"ruleId": what, "severity": 1, "message": "eval is harmful.", "line": 8, "column": 2,
                               "nodeType": "CallExpression"}]  # fmt: skip
    return w.made("lint-json", seed, dump(rng, rows), [total], m, value, what, "eslint")


def graphql(seed: int, total: int = 400) -> Case:
    rng = Random(f"blind graphql {seed}")
    tick = w.Ticker(rng, 4_000)
    edges: list[dict[str, Any]] = [
        {
            "cursor": w.hexes(rng, 10),
            "node": {
                "id": f"PR_{w.hexes(rng, 8)}",
                "number": 9_000 - i,
                "title": w.phrase(rng)[:-1],
                "state": rng.choice(("MERGED", "MERGED", "OPEN")),
                "additions": rng.randint(1, 300),
                "deletions": rng.randint(0, 200),
                "author": {"login": rng.choice(w.FIRST).lower()},
                "baseRefName": rng.choice(("main", "develop")),
                "createdAt": tick(),
                "reviewDecision": "APPROVED",
                "commits": {"totalCount": rng.randint(1, 12)},
            },
        }
        for i in range(total)
    ]
    loud, out, rare = w.places(rng, total)
    m = w.mark(rng)
    edges[loud]["node"]["title"] = rng.choice(("Revert: fatal deadlock", "Hotfix crash", "URGENT: fix panic")) + f" {m}"
    field = rng.choice(("additions", "deletions"))
    value = w.far(rng, 300)
    edges[out]["node"][field] = value
    key, what = rng.choice((("baseRefName", "release/1.x"), ("author", "octo-stranger"), ("reviewDecision", "DRAFTED")))
    edges[rare]["node"][key] = {"login": what} if key == "author" else what
    whole = {"data": {"repository": {"pullRequests": {"totalCount": total, "edges": edges,
                                                       "pageInfo": {"hasNextPage": False}}}}}  # fmt: skip
    return w.made("graphql-prs", seed, dump(rng, whole), [total], m, value, what, "graphql")


def keyed_dict(seed: int, total: int = 400) -> Case:
    rng = Random(f"blind dict {seed}")
    devices: dict[str, Any] = {}
    while len(devices) < total:
        devices[f"dev-{w.hexes(rng, 6)}"] = {
            "model": rng.choice(("T100", "T200")),
            "firmware": rng.choice(("3.1.0", "3.1.1")),
            "site": rng.choice(w.TOWNS),
            "battery": rng.randint(40, 100),
            "temp_c": round(rng.gauss(21, 2), 1),
            "online": True,
            "last_error": None,
        }
    keys = list(devices)
    loud, out, rare = w.places(rng, total)
    m = w.mark(rng)
    devices[keys[loud]].update(online=False, last_error=f"watchdog failure {m}")
    value: float = w.far(rng, 24) + 0.5
    devices[keys[out]]["temp_c"] = value
    key, what = rng.choice((("model", "X-proto"), ("firmware", "0.9.7"), ("site", rng.choice(w.FAR_TOWNS))))
    devices[keys[rare]][key] = what
    return w.made("keyed-dict", seed, dump(rng, {"devices": devices}), [total], m, value, what, "get_devices")


def columns_rows(seed: int, total: int = 500) -> Case:
    rng = Random(f"blind columns {seed}")
    tick = w.Ticker(rng, 500)
    rows: list[list[Any]] = [
        [50_000 + i, tick(), rng.choice(w.TEAMS), rng.choice(w.REGIONS), rng.randint(10, 500),
         round(rng.uniform(1, 90), 2), "ok", None]
        for i in range(total)
    ]  # fmt: skip
    loud, out, rare = w.places(rng, total)
    m = w.mark(rng)
    rows[loud][6:8] = ["error", f"constraint violated: {m}"]
    column = rng.choice((4, 5))
    value: float = w.far(rng, 500) if column == 4 else w.far(rng, 90) + 0.25
    rows[out][column] = value
    rows[rare][3] = what = rng.choice(w.FAR_REGIONS)
    names = ["id", "at", "team", "region", "units", "cost", "status", "detail"]
    whole = {"columns": names, "rows": rows, "rowCount": total}
    return w.made("columns-rows", seed, dump(rng, whole), [total], m, value, what, "sql_query")


KINDS = {
    "github-issues": github_issues,
    "pods-json": pods_json,
    "search-nested": search_result,
    "ndjson-log": ndjson_log,
    "aws-instances": aws_instances,
    "docker-inspect": docker_inspect,
    "lint-json": lint_json,
    "graphql-prs": graphql,
    "keyed-dict": keyed_dict,
    "columns-rows": columns_rows,
}
