# ruff: noqa: E501 — the cases are data, a line each
"""Inputs that look like something else, each labelled with the content type (or types) that is right.

Written by hand in the shapes that tools return; nothing is copied from recorded data. ``CASES`` maps a
name to (accepted types, bytes). Where more than one type is accepted, a reader would be content with either.
"""

from __future__ import annotations

import base64
import json
import textwrap
from random import Random

RNG = Random(20260921)


def listed(text: str) -> list[str]:
    return text.split()


WORDS = listed(
    "the a of in and to harbour river north old small water stone road winter people market during after built "
    "century town bridge church between near still early later which from with by was were had been known large"
)


def prose(sentences: int = 30, commas: int = 3) -> str:
    out = []
    for _ in range(sentences):
        parts = [" ".join(RNG.choices(WORDS, k=RNG.randint(3, 8))) for _ in range(RNG.randint(1, commas + 1))]
        out.append((", ".join(parts) + ".").capitalize())
    return " ".join(out)


def paragraphs(number: int = 6) -> str:
    return "\n\n".join(prose(RNG.randint(3, 7)) for _ in range(number)) + "\n"


def residues(length: int, alphabet: str = "ACGT") -> str:
    return "".join(RNG.choices(alphabet, k=length))


def folded(sequence: str, width: int = 60) -> str:
    return "\n".join(sequence[i : i + width] for i in range(0, len(sequence), width))


def fasta(number: int = 12, alphabet: str = "ACGT", length: int = 240) -> str:
    return "".join(f">seq{i:03d} sample {i} > kept\n{folded(residues(length, alphabet))}\n" for i in range(number))


def rows(number: int = 40) -> list[dict[str, object]]:
    return [
        {"id": i, "name": f"unit-{i}", "state": RNG.choice(["on", "off"]), "load": RNG.randint(1, 90)}
        for i in range(number)
    ]


def stamps(number: int = 60) -> list[str]:
    return [f"2026-03-01 10:{i // 60:02d}:{i % 60:02d},{RNG.randint(0, 999):03d}" for i in range(number)]


def log(number: int = 60) -> str:
    texts = ("request served in {} ms", "cache miss for key {}", "connected to 10.0.0.{}")
    return "".join(
        f"{at} {RNG.choice(['INFO', 'INFO', 'WARN'])} [worker-{RNG.randint(1, 4)}] {RNG.choice(texts).format(RNG.randint(1, 90))}\n"
        for at in stamps(number)
    )


GIT_DIFF = """diff --git a/app/errors.py b/app/errors.py
index 83db48f..bf2a1c7 100644
--- a/app/errors.py
+++ b/app/errors.py
@@ -10,7 +10,9 @@ def report(error):
     lines = []
-    lines.append("Traceback (most recent call last):")
+    if error.__traceback__:
+        lines.append("Traceback (most recent call last):")
+        lines.append('  File "<stdin>", line 1, in <module>')
     for frame in error.frames:
         lines.append(str(frame))
     return lines
diff --git a/app/pages/error.html b/app/pages/error.html
index 1111111..2222222 100644
--- a/app/pages/error.html
+++ b/app/pages/error.html
@@ -1,4 +1,4 @@
 <!DOCTYPE html>
 <html>
-<head><title>Oops</title></head>
+<head><title>Error 500</title></head>
 <body></body>
"""

PYTHON = '''"""Reads the fleet's reports."""

from __future__ import annotations

import json
from pathlib import Path

FASTA_EXAMPLE = """
>seq1 example
ACGTACGTACGT
"""


class Reader:
    """Keeps the open files of one run."""

    def __init__(self, root: Path, limit: int = 20) -> None:
        self.root = root
        self.limit = limit

    def load(self, name: str) -> dict[str, int]:
        # ERROR: was raised here in 2024, see the log
        with (self.root / name).open() as stream:
            return json.load(stream)

    def names(self) -> list[str]:
        return sorted(path.name for path in self.root.iterdir())[: self.limit]


def main() -> None:
    reader = Reader(Path("."))
    for name in reader.names():
        print(name, reader.load(name))
'''

TYPESCRIPT = """import { readFile } from "node:fs/promises";
import type { Config } from "./config.js";

export interface Entry {
  id: string;
  size: number;
}

export async function loadEntries(config: Config): Promise<Entry[]> {
  const raw = await readFile(config.path, "utf8");
  const parsed = JSON.parse(raw) as Entry[];
  return parsed.filter((entry) => entry.size > 0);
}

export class Cache {
  private entries = new Map<string, Entry>();

  get(id: string): Entry | undefined {
    return this.entries.get(id);
  }
}
"""

GO = """package store

import (
\t"context"
\t"fmt"
)

// Store keeps sessions.
type Store struct {
\troot string
}

func (s *Store) Load(ctx context.Context, id string) (*Session, error) {
\tif id == "" {
\t\treturn nil, fmt.Errorf("empty id")
\t}
\treturn s.read(ctx, id)
}
"""

YAML = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: checkout
  labels:
    app: checkout
spec:
  replicas: 3
  template:
    spec:
      containers:
        - name: checkout
          image: registry.example.com/checkout:1.4.2
          env:
            - name: LOG_LEVEL
              value: info
          ports:
            - containerPort: 8080
"""

HTML = """<!DOCTYPE html>
<html lang="en">
<head><title>502 Bad Gateway</title><style>body { margin: 0 }</style></head>
<body>
<h1>502 Bad Gateway</h1>
<p>The server returned an invalid response. Please try again in 30 seconds.</p>
<hr><address>nginx/1.25.3</address>
</body>
</html>
"""

MARKDOWN = """# Setting up

Some words about what this is, and why one would want it.

## Install

```bash
pip install thing
```

## Use

- first, start the server
- then open [the page](https://example.com/start)

| option | meaning |
|---|---|
| `--fast` | skip the checks |

> A note to the reader.
"""

QUOTED_FASTA = """# Barcodes

As the manual says:

> COI_0001 is the reference sequence of the set
> ACGTACGTACGT is its first dozen of bases

More words follow here, about how the sequences were aligned, and by whom.

## Next

> Quoted once more, without any meaning
"""

PS = """USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND
root           1  0.0  0.1 169404 13124 ?        Ss   08:00   0:02 /sbin/init splash
root           2  0.0  0.0      0     0 ?        S    08:00   0:00 [kthreadd]
www-data     812  0.3  1.2 512300 98304 ?        Sl   08:01   1:12 nginx: worker process
postgres     901  0.1  0.9 220100 71200 ?        Ss   08:01   0:20 /usr/lib/postgresql/16/bin/postgres -D /data
"""

KUBECTL = """NAMESPACE     NAME                        READY   STATUS             RESTARTS        AGE
default       checkout-7c9d8f6b5-x2x9k    1/1     Running            0               4d
default       checkout-7c9d8f6b5-b7c2m    0/1     CrashLoopBackOff   41 (2m ago)     4d
kube-system   coredns-5d78c9869d-9tqzw    1/1     Running            0               30d
monitoring    prometheus-0                2/2     Running            1 (12d ago)     30d
"""

DF = """Filesystem     1K-blocks     Used Available Use% Mounted on
/dev/sda1       98301180 41234120  52030548  45% /
tmpfs            8123456        0   8123456   0% /dev/shm
/dev/sdb1      480588496 12345678 443761234   3% /data
"""

PSQL = """ id  |   name    | amount | state
-----+-----------+--------+--------
   1 | Berg      |  12.50 | paid
   2 | Castillo  |   9.00 | open
   3 | Dietrich  | 110.20 | paid
(3 rows)
"""

BOX = """┌────┬──────────┬────────┐
│ id │ name     │ amount │
├────┼──────────┼────────┤
│ 1  │ Berg     │ 12.50  │
│ 2  │ Castillo │ 9.00   │
└────┴──────────┴────────┘
"""

SYSLOG = "".join(
    f"Mar  1 10:{i // 60:02d}:{i % 60:02d} host{i % 3} sshd[{4000 + i}]: Accepted publickey for deploy from 10.0.0.{i} port {50000 + i}\n"
    for i in range(50)
)
ACCESS = "".join(
    f'10.0.0.{i} - - [01/Mar/2026:10:00:{i:02d} +0000] "GET /items/{i} HTTP/1.1" 200 {500 + i} "-" "curl/8.9"\n'
    for i in range(50)
)
KLOG = "".join(
    f"I0301 10:00:{i:02d}.{i * 1000:06d}       1 controller.go:{100 + i}] Syncing deployment default/app-{i}\n"
    for i in range(40)
)
LOGFMT = "".join(
    f'time=2026-03-01T10:00:{i:02d}Z level=info msg="request served" path=/items/{i} status=200 took=12ms\n'
    for i in range(40)
)
COMPOSE = "".join(
    f"{['web-1', 'db-1'][i % 2]}  | 2026-03-01T10:00:{i:02d}Z ready for connection {i}\n" for i in range(40)
)
PYTEST = (
    "============================= test session starts ==============================\n"
    "platform linux -- Python 3.12.4, pytest-8.3.2, pluggy-1.5.0\ncollected 40 items\n\n"
    + "".join(f"tests/test_reader.py::test_case_{i} PASSED{'':30}[{i * 100 // 40:3d}%]\n" for i in range(40))
    + "\n=================================== FAILURES ===================================\n"
    "E       assert 1 == 2\n============ 1 failed, 39 passed in 0.51s ============\n"
)
GO_TEST = (
    "".join(f"=== RUN   TestCase{i}\n--- PASS: TestCase{i} (0.00s)\n" for i in range(30))
    + "FAIL\nFAIL\texample.com/store\t0.4s\n"
)
NPM = (
    "npm warn deprecated inflight@1.0.6: This module is not supported\nnpm warn deprecated glob@7.2.3: old\n\n"
    "> app@1.0.0 build\n> vite build\n\nvite v5.4.2 building for production...\ntransforming...\n✓ 312 modules transformed.\n"
    'rendering chunks...\ndist/index.html  0.46 kB\nerror during build:\nError: Could not resolve "./missing" from "src/main.ts"\n'
    "    at file:///app/node_modules/rollup/dist/es/shared/node-entry.js:2287:30\nnpm error code ELIFECYCLE\nnpm error errno 1\n"
)
MAVEN = (
    "".join(f"[INFO] Compiling {i} source files to /srv/target/classes\n" for i in range(30))
    + "[ERROR] BUILD FAILURE\n[INFO] Total time: 12 s\n"
)
TRACEBACK = (
    'Traceback (most recent call last):\n  File "/srv/app/main.py", line 12, in <module>\n    run()\n'
    "  File \"/srv/app/run.py\", line 80, in run\n    load(path)\nFileNotFoundError: [Errno 2] No such file or directory: 'x'\n"
)
GREP = "".join(
    f"src/{RNG.choice(WORDS)}/reader.py:{RNG.randint(1, 900)}:    cursor = self.open({RNG.choice(WORDS)})\n"
    for _ in range(60)
)
FIND = "".join(f"./src/{RNG.choice(WORDS)}/{RNG.choice(WORDS)}_{i}.py\n" for i in range(80))
LS = "".join(
    f"./{folder}:\ntotal 48\n" + "".join(f"-rw-r--r-- 1 deploy staff {RNG.randint(100, 9000):>6} Mar {i:>2} 10:00 {folder}_{i}.py\n" for i in range(1, 12)) + "\n"
    for folder in ("core", "api", "lib")
)  # fmt: skip
TREE = "project\n├── core\n│   ├── reader.py\n│   └── writer.py\n├── api\n│   └── routes.py\n└── README.md\n\n2 directories, 4 files\n"
CONTEXT_DIFF = (
    "*** old/reader.c\t2026-03-01 10:00:00\n--- new/reader.c\t2026-03-02 10:00:00\n***************\n*** 1,4 ****\n"
    "  int main(void)\n  {\n!   return 1;\n  }\n--- 1,4 ----\n  int main(void)\n  {\n!   return 0;\n  }\n"
)
COMBINED_DIFF = (
    "diff --cc app/main.py\nindex 1111111,2222222..3333333\n--- a/app/main.py\n+++ b/app/main.py\n@@@ -1,4 -1,4 +1,8 @@@\n"
    "  import os\n++<<<<<<< HEAD\n +name = 'one'\n++=======\n+ name = 'two'\n++>>>>>>> other\n  print(name)\n"
)
GIT_SHOW = (
    "commit 4f2a9c1d0b7e6a5f4e3d2c1b0a9f8e7d6c5b4a39\nAuthor: Ines Berg <ines@example.com>\nDate:   Sun Mar 1 10:00:00 2026 +0100\n\n"
    "    Read the whole file\n\n" + GIT_DIFF
)
PATCH_MAIL = (
    "From 4f2a9c1d0b7e6a5f4e3d2c1b0a9f8e7d6c5b4a39 Mon Sep 17 00:00:00 2001\nFrom: Ines Berg <ines@example.com>\n"
    "Date: Sun, 1 Mar 2026 10:00:00 +0100\nSubject: [PATCH 1/2] Read the whole file\n\n---\n app/errors.py | 4 ++--\n"
    " 1 file changed, 3 insertions(+), 1 deletion(-)\n\n" + GIT_DIFF + "-- \n2.43.0\n"
)
JSON_DIFF = (
    'diff --git a/data.json b/data.json\nindex 1111111..2222222 100644\n--- a/data.json\n+++ b/data.json\n@@ -1,3 +1,4 @@\n {\n-  "a": 1\n'
    '+  "a": 2,\n+  "b": 3\n }\n'
)


def text(value: str) -> bytes:
    return value.encode()


def dump(value: object, **options: object) -> bytes:
    return json.dumps(value, **options).encode()  # type: ignore[arg-type]


def numbered(source: str, separator: str) -> str:
    return "".join(f"{i:>6}{separator}{line}\n" for i, line in enumerate(source.splitlines(), 1))


NDJSON = "".join(json.dumps(row) + "\n" for row in rows(60))
BAD_NDJSON = NDJSON.splitlines()
BAD_NDJSON[17] = BAD_NDJSON[17][:20]
CSV = "id,name,city,amount\n" + "".join(
    f"{i},unit {i},{RNG.choice(['Oslo', 'Lagos'])},{RNG.randint(1, 900)}.50\n" for i in range(60)
)
TRUNCATED = json.dumps(
    {"meta": {"page": 1, "of": 9}, "config": {"a": [1, 2, 3], "b": {"deep": True}}, "note": "x" * 200}, indent=2
)[:-120]


def wrapped(source: str, width: int = 72) -> list[str]:
    return textwrap.wrap(source, width)


DESCRIBE = """Name:             checkout-7c9d8f6b5-x2x9k
Namespace:        default
Priority:         0
Node:             node-3/10.0.0.3
Start Time:       Sun, 01 Mar 2026 10:00:00 +0100
Labels:           app=checkout
                  pod-template-hash=7c9d8f6b5
Status:           Running
IP:               10.1.0.12
Containers:
  checkout:
    Image:          registry.example.com/checkout:1.4.2
    Port:           8080/TCP
    State:          Waiting
      Reason:       CrashLoopBackOff
    Ready:          False
    Restart Count:  41
    Limits:
      memory:  512Mi
Conditions:
  Type              Status
  Initialized       True
  Ready             False
Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Warning  BackOff    2m (x41 over 4h)   kubelet            Back-off restarting failed container
"""
GIT_LOG = "".join(
    f"commit {RNG.randrange(16**40):040x}\nAuthor: Ines Berg <ines@example.com>\nDate:   Sun Mar 1 10:{i:02d}:00 2026 +0100\n\n"
    f"    {prose(1, 0)}\n\n"
    for i in range(12)
)
GIT_LOG_STAT = "".join(
    f"commit {part} src/a_{i}.py | {i + 2} {'+' * (i + 1)}-\n 1 file changed, {i + 1} insertions(+), 1 deletion(-)\n\n"
    for i, part in enumerate(GIT_LOG.split("commit ")[1:9])
)
GIT_STATUS = """On branch main
Your branch is ahead of 'origin/main' by 2 commits.
  (use "git push" to publish your local commits)

Changes not staged for commit:
  (use "git add <file>..." to update what will be committed)
\tmodified:   app/run.py
\tmodified:   app/store.py
\tdeleted:    app/old.py

Untracked files:
  (use "git add <file>..." to include in what will be committed)
\tnotes.txt

no changes added to commit (use "git add" and/or "git commit -a")
"""

Case = tuple[tuple[str, ...], bytes]
CASES: dict[str, Case] = {
    # fasta
    "fasta dna": (("fasta",), text(fasta())),
    "fasta protein": (("fasta",), text(fasta(8, "ACDEFGHIKLMNPQRSTVWY"))),
    "fasta CRLF and blank lines": (("fasta",), text("\n" + fasta(6).replace("\n", "\r\n") + "\r\n\r\n")),
    "fasta with ; comments": (("fasta",), text("; made by hand\n" + fasta(5))),
    "fasta lower case": (("fasta",), text(fasta(6).lower())),
    "fasta after a banner": (("fasta",), text("Fetched 6 sequences from the archive\n\n" + fasta(6))),
    "fasta one long line": (("fasta",), text(">chr1 whole\n" + residues(90_000) + "\n")),
    "fasta aligned": (("fasta",), text(fasta(6, "ACGT-----"))),
    "fasta with empty records": (("fasta",), text(">a\n>b\nACGTTGCAACGT\n>c\n\n>d\nACGTACGGTACG\n")),
    "fasta in a JSON string": (("fasta",), dump(fasta(10))),
    "fasta in an MCP result": (("fasta",), dump({"content": [{"type": "text", "text": fasta(10)}], "isError": False})),
    "fastq": (("fasta",), text("".join(f"@read{i}\n{residues(80)}\n+\n{'I' * 80}\n" for i in range(20)))),
    # records
    "list of objects": (("records",), dump(rows())),
    "list of objects, pretty": (("records",), dump(rows(), indent=2)),
    "NDJSON": (("records",), text(NDJSON)),
    "NDJSON with one bad line": (("records",), text("\n".join(BAD_NDJSON) + "\n")),
    "NDJSON with a banner": (("records",), text("Fetching logs...\n" + NDJSON)),
    "NDJSON log": (("records",), text("".join(json.dumps({"ts": at, "level": "info", "msg": "served"}) + "\n" for at in stamps()))),
    "list under items": (("records",), dump({"kind": "List", "items": rows(), "total": 40})),
    "list under data.results": (("records",), dump({"ok": True, "data": {"page": 1, "results": rows()}})),
    "GraphQL edges": (("records",), dump({"data": {"repo": {"issues": {"edges": [{"node": row} for row in rows()]}}}})),
    "columns and rows": (("records", "json"), dump({"columns": ["id", "name"], "rows": [[i, f"u{i}"] for i in range(40)]})),
    "objects with html inside": (("records",), dump([{"id": i, "body": "<p>Hello <b>you</b></p>"} for i in range(30)])),
    "objects with logs inside": (("records",), dump([{"id": i, "log": log(3)} for i in range(20)])),
    # json
    "nested object": (("json",), dump({"server": {"port": 80, "tls": {"on": True, "ciphers": ["a", "b"]}}, "paths": {"a": "/x"}}, indent=2)),
    "list of numbers": (("json",), dump(list(range(500)))),
    "truncated JSON": (("json",), text(TRUNCATED)),
    "truncated list of objects": (("records", "json"), dump(rows(60))[:-37]),
    "JSON on one long line": (("json",), dump({f"key{i}": {"value": i, "text": prose(2)} for i in range(300)})),
    "JSON with NaN": (("json",), text('{"mean": NaN, "max": Infinity, "fields": {"a": 1, "b": [1, 2, 3]}}')),
    "JSON with a byte-order mark": (("json",), b"\xef\xbb\xbf" + dump({"a": {"b": {"c": [1, 2]}}, "d": "e"}, indent=1)),
    "JSON that holds a diff": (("json",), dump({"patch": GIT_DIFF, "files": {"changed": 2}})),
    "JSON error": (("json",), dump({"error": {"code": 404, "message": "not found", "details": {"id": "x9"}}}, indent=2)),
    "JSON deep": (("json",), text("[" * 2_000 + "]" * 2_000)),
    # table
    "CSV": (("table",), text(CSV)),
    "CSV of one column": (("table", "text"), text("city\n" + "".join(f"{RNG.choice(['Oslo', 'Lagos', 'Quito'])}\n" for _ in range(40)))),
    "CSV with semicolons": (("table",), text(CSV.replace(",", ";"))),
    "TSV": (("table",), text(CSV.replace(",", "\t"))),
    "CSV with quoted newlines": (("table",), text("id,note,who\n" + "".join(f'{i},"first line\nsecond, line",Berg\n' for i in range(30)))),
    "CSV, ragged": (("table",), text(CSV + "61,unit 61\n62,unit 62,Oslo,1.50,extra\n")),
    "CSV with JSON cells": (("table",), text("id,data\n" + "".join(f'{i},"{{""a"": {i}, ""b"": 2}}"\n' for i in range(30)))),
    "CSV of log levels": (("table",), text("at,level,count\n" + "".join(f"2026-03-{i:02d},ERROR,{i * 3}\n" for i in range(1, 29)))),
    "ps aux": (("table",), text(PS)),
    "kubectl get": (("table",), text(KUBECTL)),
    "df": (("table",), text(DF)),
    "psql": (("table",), text(PSQL)),
    "box drawing": (("table",), text(BOX)),
    "Markdown table alone": (("table",), text("| id | name |\n|---|---|\n" + "".join(f"| {i} | unit {i} |\n" for i in range(20)))),
    # log
    "service log": (("log",), text(log())),
    "log that contains JSON": (("log",), text("".join(f'{at} INFO payload {{"id": {i}, "ok": true}}\n' for i, at in enumerate(stamps())))),
    "log with a stack trace": (("log",), text(log(30) + stamps(1)[0] + " ERROR [w-1] failed\n" + TRACEBACK + log(30))),
    "log with tables of numbers": (("log",), text("".join(f"{at} INFO stats, 1,200, 3,400, 5,600\n" for at in stamps()))),
    "log with HTML": (("log",), text("".join(f"{at} WARN body was <html><body>Bad Gateway</body></html>\n" for at in stamps()))),
    "syslog": (("log",), text(SYSLOG)),
    "access log": (("log",), text(ACCESS)),
    "klog": (("log",), text(KLOG)),
    "logfmt": (("log",), text(LOGFMT)),
    "compose logs": (("log",), text(COMPOSE)),
    "log in colour": (("log",), text("".join(f"\x1b[32m{at}\x1b[0m \x1b[1mINFO\x1b[0m started unit\n" for at in stamps()))),
    "progress bars": (("text", "log"), text("Collecting x\n" + "\r".join(f"Downloading {i:3d}% |{'#' * (i // 4):<25}|" for i in range(101)) + "\nERROR: failed\n")),
    "pytest": (("log",), text(PYTEST)),
    "go test": (("log",), text(GO_TEST)),
    "npm build": (("log",), text(NPM)),
    "maven": (("log",), text(MAVEN)),
    "traceback alone": (("log",), text(TRACEBACK)),
    # diff
    "git diff that mentions Traceback and HTML": (("diff",), text(GIT_DIFF)),
    "git show": (("diff",), text(GIT_SHOW)),
    "patch by mail": (("diff",), text(PATCH_MAIL)),
    "diff of JSON": (("diff",), text(JSON_DIFF)),
    "plain unified diff": (("diff",), text(GIT_DIFF.split("diff --git a/app/pages")[0].split("\n", 2)[2])),
    "context diff": (("diff",), text(CONTEXT_DIFF)),
    "combined diff": (("diff",), text(COMBINED_DIFF)),
    "only renames": (("diff",), text("diff --git a/x.py b/y.py\nsimilarity index 100%\nrename from x.py\nrename to y.py\n")),
    "diff of a log": (("diff",), text("--- a/run.log\n+++ b/run.log\n@@ -1,2 +1,3 @@\n" + "".join("+" + line + "\n" for line in log(20).splitlines()))),
    "diff, CRLF": (("diff",), text(GIT_DIFF.replace("\n", "\r\n"))),
    # code
    "Python with FASTA in a string": (("code",), text(PYTHON)),
    "Python, numbered by arrows": (("code",), text(numbered(PYTHON, "→"))),
    "Python, numbered by tabs": (("code",), text(numbered(PYTHON, "\t"))),
    "Go, numbered by colons": (("code",), text("".join(f"{i}:{line}\n" for i, line in enumerate(GO.splitlines(), 1)))),
    "TypeScript": (("code",), text(TYPESCRIPT)),
    "Go": (("code",), text(GO)),
    "YAML": (("code",), text(YAML)),
    "TOML": (("code",), text('[project]\nname = "thing"\nversion = "1.2.0"\n\n[tool.ruff]\nline-length = 120\nselect = ["E", "F"]\n')),
    "INI": (("code",), text("[server]\nport = 8080\nhost = localhost\n\n; a comment\n[client]\nretries = 3\n")),
    "Dockerfile": (("code",), text("FROM python:3.12-slim\nWORKDIR /srv\nCOPY . .\nRUN pip install -e .\nEXPOSE 8080\nCMD [\"python\", \"-m\", \"app\"]\n")),
    "shell": (("code",), text("#!/usr/bin/env bash\nset -euo pipefail\n\nfor f in *.log; do\n  if [ -s \"$f\" ]; then\n    gzip \"$f\"\n  fi\ndone\n")),
    "SQL": (("code",), text("CREATE TABLE orders (\n  id BIGINT PRIMARY KEY,\n  at TIMESTAMP NOT NULL\n);\n\nSELECT id, count(*) FROM orders\nWHERE at > now()\nGROUP BY id;\n")),
    "minified JavaScript": (("code",), text("".join(f"function f{i}(a,b){{return a?b.map(function(c){{return c+{i}}}):null}};" for i in range(400)))),
    "Rust": (("code",), text("use std::fs;\n\npub struct Store { root: String }\n\nimpl Store {\n    pub fn load(&self, id: &str) -> Option<String> {\n        fs::read_to_string(format!(\"{}/{}\", self.root, id)).ok()\n    }\n}\n")),
    "CSS": (("code",), text("body {\n  margin: 0;\n  color: #222;\n}\n\n.card > h2 {\n  padding: 4px 8px;\n}\n\n@media (max-width: 600px) {\n  .card { display: none; }\n}\n")),
    "code that holds a diff": (("code",), text(PYTHON + '\nPATCH = """\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"""\n')),
    "Terraform": (("code",), text('resource "aws_instance" "web" {\n  ami           = "ami-123"\n  instance_type = var.size\n\n  tags = {\n    Name = "web"\n  }\n}\n\nvariable "size" {\n  default = "t3.micro"\n}\n')),
    # markup
    "HTML error page named .json": (("markup",), text(HTML)),
    "HTML fragment": (("markup",), text("".join(f"<div class='row'><span>unit {i}</span><a href='/u/{i}'>open</a></div>\n" for i in range(30)))),
    "XML": (("markup",), text("<?xml version='1.0'?>\n<units>" + "".join(f"<unit id='{i}'><name>u{i}</name></unit>\n" for i in range(30)) + "</units>")),
    "JUnit report": (("markup",), text("<testsuites><testsuite name='a' tests='30'>\n" + "".join(f"<testcase name='t{i}' time='0.01'/>\n" for i in range(30)) + "</testsuite></testsuites>")),
    "Markdown": (("markup",), text(MARKDOWN)),
    "Markdown quote that looks like FASTA": (("markup",), text(QUOTED_FASTA)),
    "Markdown that quotes a log": (("markup",), text("# Incident\n\nWe saw this:\n\n```\n" + log(8) + "```\n\n## Cause\n\n" + prose(6) + "\n\n## Actions\n\n- " + prose(1) + "\n- " + prose(1) + "\n")),
    "SVG": (("markup",), text("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>" + "<rect x='1' y='2' width='3' height='4'/>\n" * 20 + "</svg>")),
    "HTML, broken": (("markup",), text("<html><body><p>One<p>Two <b>bold<table><tr><td>x</table>" * 5)),
    # text
    "prose with commas": (("text",), text(paragraphs())),
    "prose on one line": (("text",), text(prose(40))),
    "prose about errors": (("text",), text("\n\n".join("An error is a failure that nobody expected, " + prose(3) for _ in range(8)))),
    "mail with quotes": (("text",), text("Hello,\n\n> did you read the report\n> I sent you on Monday?\n\nYes, and I agree, mostly.\n\n> Great\n\nBest\nIna\n")),
    "grep": (("text",), text(GREP)),
    "find": (("text",), text(FIND)),
    "ls -lR": (("text",), text(LS)),
    "tree": (("text",), text(TREE)),
    "base64": (("text",), base64.b64encode(bytes(RNG.randrange(256) for _ in range(9_000)))),
    "binary": (("text",), bytes(RNG.randrange(256) for _ in range(4_000))),
    "0 bytes": (("text",), b""),
    "1 byte": (("text",), b"x"),
    "2 bytes": (("text",), b"ok"),
    "3 bytes": (("text",), b"yes"),
    "blank": (("text",), b" \n\n \t\n"),
    "5 MB without a newline": (("text",), text((prose(200) + " ") * 400)[:5_000_000].ljust(5_000_000, b"a")),
    "a greater-than sign": (("text",), b"> \n"),
    "numbers in a sentence": (("text",), text("There were 12, 14, 18 and 90 boats, in that order, during 1901, 1902, 1903 and 1904.\n" * 3)),
    "URLs": (("text",), text("".join(f"https://example.com/items/{i}?page={i}\n" for i in range(40)))),
}  # fmt: skip
MORE: dict[str, Case] = {
    # tool outputs of every day, each with what a reader would call it
    "kubectl describe": (("text", "code"), text(DESCRIBE)),
    "docker inspect": (("json", "records"), dump([{"Id": "9f2c" * 16, "Created": "2026-03-01T10:00:00Z", "State": {"Status": "running", "Pid": 812, "ExitCode": 0}, "Mounts": [{"Type": "bind", "Source": "/srv"}], "Config": {"Env": ["A=1", "B=2"], "Cmd": ["nginx", "-g"]}, "NetworkSettings": {"Ports": {"80/tcp": None}}}], indent=4)),
    "git log --stat": (("diff", "text", "log"), text(GIT_LOG_STAT)),
    "git log": (("text", "log", "diff"), text(GIT_LOG)),
    "git log --oneline": (("text",), text("".join(f"{RNG.randrange(16**8):08x} {prose(1, 0)[:50]}\n" for _ in range(40)))),
    "git status": (("text",), text(GIT_STATUS)),
    "git blame": (("code", "text"), text("".join(f"{RNG.randrange(16**8):08x} (Ines Berg 2026-03-01 10:00:00 +0100 {i:>3}) {line}\n" for i, line in enumerate(PYTHON.splitlines(), 1)))),
    "npm ls": (("text",), text("app@1.0.0 /srv/app\n├─┬ express@4.19.2\n│ ├── accepts@1.3.8\n│ └─┬ body-parser@1.20.2\n│   └── bytes@3.1.2\n├── lodash@4.17.21\n└── vite@5.4.2\n")),
    "Java stack trace alone": (("log",), text("Exception in thread \"main\" java.lang.IllegalStateException: no session\n" + "".join(f"\tat com.example.app.Service.step{i}(Service.java:{40 + i})\n" for i in range(20)) + "Caused by: java.io.IOException: closed\n\t... 12 more\n")),
    "Node stack trace alone": (("log",), text("TypeError: Cannot read properties of undefined (reading 'id')\n" + "".join(f"    at step{i} (/srv/app/src/run.js:{10 + i}:15)\n" for i in range(9)) + "\nNode.js v20.11.0\n")),
    "Go panic": (("log",), text("panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\nmain.step(...)\n\t/srv/main.go:12\nmain.main()\n\t/srv/main.go:30 +0x1d\nexit status 2\n")),
    "Rust panic": (("log",), text("thread 'main' panicked at src/main.rs:12:5:\nindex out of bounds: the len is 3 but the index is 5\nstack backtrace:\n   0: rust_begin_unwind\n             at /rustc/abc/library/std/src/panicking.rs:645:5\n   1: core::panicking::panic_fmt\n   2: app::main\n             at ./src/main.rs:12:5\n")),
    "env": (("code", "text"), text("PATH=/usr/local/bin:/usr/bin:/bin\nHOME=/home/deploy\nLANG=C.UTF-8\nSHELL=/bin/bash\nLOGNAME=deploy\nAPI_URL=https://api.example.com/v1\nTERM=xterm-256color\nPWD=/srv/app\n")),
    "SQL dump": (("records",), text("-- Dump of shop\nSET NAMES utf8;\nDROP TABLE IF EXISTS `orders`;\nCREATE TABLE `orders` (\n  `id` int NOT NULL,\n  `name` varchar(40) DEFAULT NULL,\n  PRIMARY KEY (`id`)\n);\n" + "".join(f"INSERT INTO `orders` VALUES ({i},'unit {i}');\n" for i in range(40)))),
    "top": (("table", "text"), text("top - 10:00:00 up 12 days,  3:14,  2 users,  load average: 0.20, 0.31, 0.25\nTasks: 212 total,   1 running, 211 sleeping,   0 stopped,   0 zombie\n%Cpu(s):  2.0 us,  1.0 sy,  0.0 ni, 97.0 id\nMiB Mem :  15900.0 total,   2100.0 free\n\n    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n" + "".join(f"{800 + i:>7} {'deploy':<9} 20   0 {512300 + i:>7} {98304 - i:>6}  12000 S {i / 10:>5.1f} {1.2:>5.1f}   1:{i:02d}.00 worker-{i}\n" for i in range(25)))),
    "netstat": (("table",), text("Active Internet connections (servers and established)\nProto Recv-Q Send-Q Local Address           Foreign Address         State\n" + "".join(f"tcp        0      0 10.0.0.5:{8000 + i:<15}10.0.0.{i}:{50000 + i:<16}ESTABLISHED\n" for i in range(25)))),
    "ss -tln": (("table",), text("State   Recv-Q  Send-Q    Local Address:Port     Peer Address:Port\n" + "".join(f"LISTEN  0       128             0.0.0.0:{8000 + i:<12}     0.0.0.0:*\n" for i in range(20)))),
    "docker ps": (("table",), text("CONTAINER ID   IMAGE          COMMAND                  CREATED        STATUS        PORTS                  NAMES\n" + "".join(f"{RNG.randrange(16**12):012x}   nginx:1.25     \"/docker-entrypoint.…\"   {i} days ago     Up {i} days     0.0.0.0:{8000 + i}->80/tcp   web-{i}\n" for i in range(2, 9)))),
    "docker images": (("table",), text("REPOSITORY          TAG       IMAGE ID       CREATED        SIZE\n" + "".join(f"example/app-{i}       1.{i}       {RNG.randrange(16**12):012x}   {i} weeks ago    {100 + i}MB\n" for i in range(2, 9)))),
    "pip list": (("table",), text("Package            Version\n------------------ ---------\n" + "".join(f"{'package-' + str(i):<18} {i}.{i % 4}.0\n" for i in range(30)))),
    "free": (("table", "text"), text("               total        used        free      shared  buff/cache   available\nMem:        16278272     4123456     2150400      123456    10004416    11800000\nSwap:        2097148           0     2097148\n")),
    "lsblk": (("table", "text"), text("NAME        MAJ:MIN RM   SIZE RO TYPE MOUNTPOINTS\nsda           8:0    0 238.5G  0 disk \n├─sda1        8:1    0   512M  0 part /boot/efi\n├─sda2        8:2    0     1G  0 part /boot\n└─sda3        8:3    0   237G  0 part /\nnvme0n1     259:0    0 931.5G  0 disk \n")),
    "systemctl list-units": (("table", "text"), text("  UNIT                      LOAD   ACTIVE SUB     DESCRIPTION\n" + "".join(f"  service-{i:02d}.service        loaded active running Service number {i}\n" for i in range(25)) + "\n25 loaded units listed.\n")),
    "ls -la": (("text", "table"), text("total 48\n" + "".join(f"-rw-r--r-- 1 deploy staff {RNG.randint(100, 9000):>6} Mar {i:>2} 10:00 core_{i}.py\n" for i in range(1, 25)))),
    "du": (("text", "table"), text("".join(f"{RNG.randint(4, 90000)}\t./src/{RNG.choice(WORDS)}/{RNG.choice(WORDS)}_{i}\n" for i in range(40)))),
    "wc -l": (("text", "table"), text("".join(f"{RNG.randint(4, 9000):>7} src/{RNG.choice(WORDS)}_{i}.py\n" for i in range(40)) + "  99999 total\n")),
    "sha256sum": (("text", "table"), text("".join(f"{RNG.randrange(16**64):064x}  src/file_{i}.bin\n" for i in range(30)))),
    "ping": (("log", "text"), text("PING example.com (93.184.216.34) 56(84) bytes of data.\n" + "".join(f"64 bytes from 93.184.216.34: icmp_seq={i} ttl=56 time={10 + i / 10} ms\n" for i in range(1, 20)) + "\n--- example.com ping statistics ---\n19 packets transmitted, 19 received, 0% packet loss\n")),
    "curl -v": (("log", "text"), text("*   Trying 93.184.216.34:443...\n* Connected to example.com (93.184.216.34) port 443\n> GET / HTTP/1.1\n> Host: example.com\n> User-Agent: curl/8.9\n> Accept: */*\n>\n< HTTP/1.1 200 OK\n< content-type: text/plain\n< content-length: 12\n<\nhello world\n* Connection #0 to host example.com left intact\n")),
    "HTTP response": (("text", "log", "code"), text("HTTP/1.1 503 Service Unavailable\nDate: Sun, 01 Mar 2026 10:00:00 GMT\nContent-Type: text/plain\nRetry-After: 30\nServer: nginx\n\nupstream is not ready, try again later\n")),
    "man page": (("text",), text("CUT(1)                           User Commands                          CUT(1)\n\nNAME\n       cut - remove sections from each line of files\n\nSYNOPSIS\n       cut OPTION... [FILE]...\n\nDESCRIPTION\n       Print selected parts of lines from each FILE to standard output.\n\n       With no FILE, or when FILE is -, read standard input.\n\n       -b, --bytes=LIST\n              select only these bytes\n\n       -c, --characters=LIST\n              select only these characters\n")),
    "help text": (("text",), text("usage: tool [OPTIONS] FILE...\n\nMake things small.\n\noptions:\n  --budget N     most tokens of the result\n  --type TYPE    name the content type\n  --json         one JSON object a file\n  -h, --help     show this help\n\nexit codes: 0 done, 1 a gate failed, 2 usage\n")),
    "crontab": (("code", "text"), text("# m h dom mon dow command\n0 5 * * 1 tar -zcf /var/backups/home.tgz /home/\n*/15 * * * * /usr/local/bin/check --quiet\n30 2 1 * * /usr/local/bin/report >/dev/null 2>&1\n")),
    "requirements.txt": (("code", "text"), text("# core\nnumpy==2.1.0\nrequests>=2.31,<3\npydantic[email]==2.8.2\n-e ./local\nuvicorn~=0.30 ; python_version >= '3.9'\n")),
    "gitignore": (("code", "text"), text("# build\n__pycache__/\n*.pyc\n/dist/\n/build/\n.venv/\n!keep.me\n")),
    # files
    "XML fragment": (("markup",), text("".join(f"<item id=\"{i}\"><name>unit {i}</name><load>{i * 3}</load></item>\n" for i in range(20)))),
    "RSS": (("markup",), text("<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><title>News</title>\n" + "".join(f"<item><title>{prose(1)}</title><link>https://example.com/{i}</link></item>\n" for i in range(12)) + "</channel></rss>\n")),
    "HTML after a status line": (("markup", "text"), text("HTTP 502 from upstream\n" + HTML)),
    "Markdown with front matter": (("markup",), text("---\ntitle: Setting up\ntags: [a, b]\n---\n\n" + MARKDOWN)),
    "Markdown, only lists": (("markup", "text"), text("## Changes\n\n- **Added** a reader\n- **Fixed** the `open` call\n- Removed [the old one](https://example.com)\n\n## Next\n\n1. Measure\n2. Decide\n")),
    "Markdown with code mostly": (("markup", "code"), text("# Use\n\n```python\n" + PYTHON + "```\n\nThat is all.\n\n## Test\n\n```bash\npytest -q\n```\n")),
    "RST": (("markup", "text"), text("Setting up\n==========\n\nSome words about it, and *why*.\n\nInstall\n-------\n\n.. code-block:: bash\n\n   pip install thing\n\n.. note::\n\n   A note to the reader.\n\nSee :ref:`usage` for more.\n")),
    "LaTeX": (("code", "markup", "text"), text("\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n\\section{Introduction}\nSome words about the matter, with $x^2$ in them.\n\\begin{equation}\n  E = mc^2\n\\end{equation}\n\\subsection{More}\nAs in \\cite{berg2026}, it holds.\n\\end{document}\n")),
    "CSV with comments": (("table",), text("# exported 2026-03-01\n# by Ines\n" + CSV)),
    "CSV, quoted throughout": (("table",), text("\"id\",\"name\",\"city\"\n" + "".join(f"\"{i}\",\"unit, {i}\",\"Oslo\"\n" for i in range(30)))),
    "CSV, only numbers": (("table",), text("".join(",".join(str(RNG.randint(1, 999)) for _ in range(6)) + "\n" for _ in range(40)))),
    "CSV with pipes": (("table",), text(CSV.replace(",", "|"))),
    "TSV without a header": (("table",), text("".join(f"{i}\tunit {i}\t{RNG.choice(['Oslo', 'Lagos'])}\t{RNG.random():.4f}\n" for i in range(40)))),
    "CSV with prose cells": (("table",), text("id,review,stars\n" + "".join(f"{i},\"{prose(2)}\",{i % 5 + 1}\n" for i in range(25)))),
    "CSV of two lines": (("table",), text("id,name,amount\n1,Berg,12.50\n")),
    "JSON Lines with comments": (("records",), text("// generated\n" + NDJSON)),
    "JSON Lines with blank lines": (("records",), text(NDJSON.replace("\n", "\n\n"))),
    "NDJSON with a byte-order mark": (("records",), b"\xef\xbb\xbf" + text(NDJSON)),
    "list of objects with a byte-order mark": (("records",), b"\xef\xbb\xbf" + dump(rows())),
    "JSON with comments": (("code", "json"), text("// settings of the editor\n{\n  // size\n  \"editor.fontSize\": 14,\n  \"files.exclude\": {\n    \"**/.git\": true, /* always */\n  },\n}\n")),
    "pretty JSON after a warning": (("json", "records"), text("WARNING: the token expires soon\n" + json.dumps({"a": {"b": rows(5)}, "c": [1, 2]}, indent=2))),
    "JSON string": (("json", "text"), dump("a short text")),
    "JSON number": (("text", "json"), text("42\n")),
    "JSON schema": (("json",), dump({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {f"p{i}": {"type": "string"} for i in range(20)}}, indent=2)),
    "package-lock": (("json",), dump({"name": "app", "lockfileVersion": 3, "packages": {f"node_modules/p{i}": {"version": "1.0.0", "resolved": f"https://example.com/p{i}.tgz"} for i in range(40)}}, indent=2)),
    "Jupyter": (("json", "records", "code"), dump({"cells": [{"cell_type": "code", "source": PYTHON.splitlines(True), "outputs": []} for _ in range(5)], "metadata": {"kernelspec": {"name": "python3"}}, "nbformat": 4}, indent=1)),
    "GeoJSON": (("json", "records"), dump({"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"name": f"p{i}"}, "geometry": {"type": "Point", "coordinates": [i, i]}} for i in range(30)]})),
    "two objects, pretty": (("json", "records"), text(json.dumps({"a": 1, "b": [1, 2]}, indent=2) + "\n" + json.dumps({"a": 2, "b": [3]}, indent=2))),
    "Python repr": (("text", "code", "json", "records"), text(repr({"id": 3, "names": ["a", "b"], "on": True, "none": None}) + "\n")),
    "Python repr of records": (("text", "code", "records", "json"), text("\n".join(repr(row) for row in rows(20)) + "\n")),
    "YAML of several documents": (("code",), text("---\n" + YAML + "---\n" + YAML.replace("checkout", "basket"))),
    "YAML list": (("records",), text("".join(f"- name: unit-{i}\n  state: on\n  load: {i}\n" for i in range(20)))),
    "properties": (("code",), text("# database\nspring.datasource.url=jdbc:postgresql://db/app\nspring.datasource.username=app\nserver.port=8080\nlogging.level.root=INFO\n")),
    "Makefile": (("code",), text("PYTHON ?= python3\n\n.PHONY: test\n\ntest: install\n\t$(PYTHON) -m pytest\n\ninstall:\n\tpip install -e .\n")),
    "Java": (("code",), text("package com.example;\n\nimport java.util.List;\n\n/** Keeps sessions. */\npublic class Store {\n    private final List<String> ids;\n\n    public Store(List<String> ids) {\n        this.ids = ids;\n    }\n\n    public boolean has(String id) {\n        return ids.contains(id);\n    }\n}\n")),
    "C": (("code",), text("#include <stdio.h>\n\n#define N 10\n\nstatic int sum(const int *a, int n)\n{\n    int s = 0;\n    for (int i = 0; i < n; i++)\n        s += a[i];\n    return s;\n}\n\nint main(void)\n{\n    printf(\"%d\\n\", N);\n    return 0;\n}\n")),
    "Ruby": (("code",), text("require 'json'\n\nmodule Shop\n  class Order\n    attr_reader :id\n\n    def initialize(id)\n      @id = id\n    end\n\n    def total\n      lines.sum { |line| line.price }\n    end\n  end\nend\n")),
    "PHP": (("code",), text("<?php\n\nnamespace App;\n\nclass Store\n{\n    private array $ids = [];\n\n    public function has(string $id): bool\n    {\n        return in_array($id, $this->ids);\n    }\n}\n")),
    "Vue component": (("code", "markup"), text("<template>\n  <div class=\"row\">{{ name }}</div>\n</template>\n\n<script setup>\nimport { ref } from 'vue'\nconst name = ref('x')\n</script>\n")),
    "Python with many comments": (("code",), text("".join(f"# step {i}: what is done, and why it is done here\nvalue_{i} = step({i})\n" for i in range(20)))),
    "Python script that logs": (("code",), text("import logging\n\nlog = logging.getLogger(__name__)\n\n\ndef run(items):\n    for item in items:\n        log.info('2026-03-01 10:00:00 INFO start %s', item)\n        log.error('ERROR failed %s', item)\n    return len(items)\n")),
    "minified CSS": (("code",), text("".join(f".c{i}{{margin:0;padding:{i}px;color:#222}}" for i in range(300)))),
    # a numbered view of anything is read by its numbers, as code is
    "cat -n of Python": (("code",), text(numbered(PYTHON, "\t"))),
    "numbered by bars": (("code",), text(numbered(PYTHON, " | "))),
    "numbered by colons and spaces": (("code",), text("".join(f"{i}: {line}\n" for i, line in enumerate(TYPESCRIPT.splitlines(), 1)))),
    "numbered log": (("log",), text(numbered(log(), "\t"))),
    "numbered prose": (("text", "markup", "code"), text(numbered("\n".join(prose(1) for _ in range(30)), "\t"))),
    "numbered Markdown": (("markup", "code"), text(numbered(MARKDOWN + MARKDOWN, "→"))),
    "numbered JSON": (("json", "code", "records"), text(numbered(json.dumps({"a": {"b": rows(9)}}, indent=2), "\t"))),
    "numbered CSV": (("table", "code", "text"), text(numbered(CSV, "\t"))),
    # search
    "grep with context": (("text",), text("".join(f"src/a_{i}.py-{n - 1}-def before():\nsrc/a_{i}.py:{n}:    cursor = self.open()\nsrc/a_{i}.py-{n + 1}-    return cursor\n--\n" for i, n in enumerate(range(10, 90, 5))))),
    "rg --heading": (("text",), text("".join(f"src/a_{i}.py\n{i + 3}:    cursor = self.open()\n{i + 9}:    cursor.close()\n\n" for i in range(12)))),
    "rg --json": (("records",), text("".join(json.dumps({"type": "match", "data": {"path": {"text": f"src/a_{i}.py"}, "lines": {"text": "cursor = 1\n"}, "line_number": i}}) + "\n" for i in range(20)))),
    "grep of a log": (("text", "log"), text("".join(f"logs/app.log:{i}:{line}\n" for i, line in enumerate(log(30).splitlines(), 1)))),
    "grep -l": (("text",), text("".join(f"src/{RNG.choice(WORDS)}/a_{i}.py\n" for i in range(20)))),
    "Windows paths": (("text",), text("".join(f"C:\\work\\app\\src\\file_{i}.cs\n" for i in range(20)))),
    # blobs
    "hexdump": (("text",), text("".join(f"{i * 16:08x}  {' '.join(f'{RNG.randrange(256):02x}' for _ in range(8))}  {' '.join(f'{RNG.randrange(256):02x}' for _ in range(8))}  |{'.' * 16}|\n" for i in range(30)))),
    "xxd": (("text",), text("".join(f"{i * 16:08x}: {' '.join(f'{RNG.randrange(65536):04x}' for _ in range(8))}  ................\n" for i in range(30)))),
    "base64, folded": (("text",), text(folded(base64.b64encode(bytes(RNG.randrange(256) for _ in range(3_000))).decode(), 76))),
    "PEM": (("text",), text("-----BEGIN CERTIFICATE-----\n" + folded(base64.b64encode(bytes(RNG.randrange(256) for _ in range(900))).decode(), 64) + "\n-----END CERTIFICATE-----\n")),
    "data URI": (("text",), text("data:image/png;base64," + base64.b64encode(bytes(RNG.randrange(256) for _ in range(3_000))).decode())),
    "UUIDs": (("text", "table"), text("".join(f"{RNG.randrange(16**8):08x}-{RNG.randrange(16**4):04x}-4{RNG.randrange(16**3):03x}-a{RNG.randrange(16**3):03x}-{RNG.randrange(16**12):012x}\n" for _ in range(30)))),
    "numbers, one a line": (("text", "table"), text("".join(f"{RNG.randint(1, 9999)}\n" for _ in range(60)))),
    # biology
    "GenBank": (("fasta",), text("LOCUS       AB000001                 120 bp    DNA     linear   BCT 01-MAR-2026\nDEFINITION  Sample.\nACCESSION   AB000001\nFEATURES             Location/Qualifiers\n     source          1..120\nORIGIN\n        1 " + " ".join(residues(10).lower() for _ in range(6)) + "\n       61 " + " ".join(residues(10).lower() for _ in range(6)) + "\n//\n")),
    "Clustal": (("fasta",), text("CLUSTAL W (1.83) multiple sequence alignment\n\n" + "".join(f"seq{i}      {residues(50, 'ACGT-')}\n" for i in range(5)) + "            " + "*" * 20 + "\n")),
    "Newick": (("text", "code"), text("((A:0.1,B:0.2):0.05,(C:0.3,(D:0.1,E:0.2):0.1):0.2);\n")),
    "VCF": (("table",), text("##fileformat=VCFv4.2\n##source=caller\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n" + "".join(f"chr1\t{1000 + i}\trs{i}\tA\tG\t{50 + i}\tPASS\tDP={i}\n" for i in range(30)))),
    "GFF": (("table",), text("##gff-version 3\n" + "".join(f"chr1\tsrc\tgene\t{100 * i}\t{100 * i + 90}\t.\t+\t.\tID=gene{i};Name=g{i}\n" for i in range(30)))),
    "BED": (("table",), text("".join(f"chr{i % 3 + 1}\t{100 * i}\t{100 * i + 50}\tpeak{i}\t{i}\t+\n" for i in range(30)))),
    "SAM": (("table",), text("@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:chr1\tLN:9999\n" + "".join(f"read{i}\t0\tchr1\t{100 + i}\t60\t50M\t*\t0\t0\t{residues(50)}\t{'I' * 50}\n" for i in range(30)))),
    "PDB": (("text", "table"), text("HEADER    HYDROLASE                               01-MAR-26   1ABC\nTITLE     SAMPLE STRUCTURE\n" + "".join(f"ATOM  {i:>5}  CA  ALA A{i:>4}    {i * 1.1:>8.3f}{i * 0.7:>8.3f}{i * 0.3:>8.3f}  1.00 20.00           C\n" for i in range(1, 30)) + "END\n")),
    "BLAST table": (("table",), text("".join(f"query{i}\tAB{i:06d}.1\t{99 - i / 10:.3f}\t500\t3\t0\t1\t500\t10\t510\t0.0\t{900 - i}\n" for i in range(25)))),
    "FASTA protein with stops": (("fasta",), text("".join(f">p{i} protein {i}\n{folded(residues(120, 'ACDEFGHIKLMNPQRSTVWY'))}*\n" for i in range(6)))),
    "FASTA of one record": (("fasta",), text(">one sample\n" + folded(residues(300)) + "\n")),
    "FASTA with > in titles": (("fasta",), text("".join(f">s{i} a>b >c len>100\n{residues(80)}\n" for i in range(8)))),
    "FASTA, indented titles": (("fasta",), text("".join(f">gi|{i}|gb|AB{i:06d}.1| Homo sapiens > isolate {i}, partial cds; mitochondrial\n{folded(residues(200))}\n\n" for i in range(8)))),
    "FASTA with ambiguity codes": (("fasta",), text("".join(f">s{i}\n{residues(120, 'ACGTRYKMSWBDHVN')}\n" for i in range(8)))),
    "quality scores": (("fasta", "text", "table"), text("".join(f">read{i}\n{' '.join(str(RNG.randint(10, 40)) for _ in range(30))}\n" for i in range(10)))),
    # words
    "chat with quotes": (("text", "markup"), text("ina: did you see the report?\n> which one\n> the one of Monday\nben: yes\n> and?\nben: it is fine, mostly\nina: good, then we go on\n")),
    "e-mail": (("text",), text("From: Ines Berg <ines@example.com>\nTo: Ben <ben@example.com>\nDate: Sun, 1 Mar 2026 10:00:00 +0100\nSubject: Report\n\nHello Ben,\n\nthe report is ready, and I think that it is fine.\n\nBest\nInes\n")),
    "quoted reply, long": (("text", "markup"), text("On Monday, Ben wrote:\n" + "".join(f"> {prose(1)}\n" for _ in range(20)) + "\nI agree.\n")),
    "poem": (("text",), text("\n".join(prose(1, 0).rstrip(".") for _ in range(24)) + "\n")),
    "list of names": (("text", "table"), text("".join(f"{a} {b}\n" for a in ("Ines", "Ben", "Ana", "Tom") for b in ("Berg", "Castillo", "Dietrich", "Moreau")))),
    "prose with code words": (("text",), text("\n\n".join("If the class is full, we return the import to the public function for a while. " + prose(3) for _ in range(6)))),
    "prose with times": (("text",), text("\n\n".join(f"At 10:{i:02d} the boat left, and at 11:{i:02d} it was back. " + prose(2) for i in range(8)))),
    "prose, hard-wrapped": (("text",), text("\n".join(paragraph for p in range(5) for paragraph in [*wrapped(prose(6)), ""]))),
    "Q and A": (("text", "markup"), text("Q: What is it?\nA: A tool, and a small one.\n\nQ: Why?\nA: Because results are long.\n\nQ: When?\nA: Now.\n")),
    "one error line": (("text", "log"), text("Error: file not found: /srv/app/main.py\n")),
    "one sentence": (("text",), text("The file was written.\n")),
    "one path": (("text",), text("/srv/app/main.py\n")),
    "one brace": (("text", "json"), text("{")),
    "one angle": (("text", "markup"), text("<")),
    "an e-mail address in angles": (("text",), text("<ines@example.com> wrote that the report, and all of it, is ready.\n")),
    "brackets of prose": (("text",), text("[12] Berg, I. On boats. Oslo, 2026.\n[13] Castillo, B. On rivers. Lagos, 2025.\n[14] Dietrich, A. On roads. Quito, 2024.\n")),
    "braces of prose": (("text", "markup"), text("{name} was here, and {other} was not; the template says so.\n" * 4)),
    # logs
    "systemd journal": (("log",), text("-- Journal begins at Sun 2026-03-01 --\n" + SYSLOG)),
    "GitHub Actions": (("log",), text("".join(f"2026-03-01T10:00:{i:02d}.1234567Z {'##[group]Run tests' if i == 3 else '##[error]failed' if i == 20 else 'step ' + str(i)}\n" for i in range(40)))),
    "gcc errors": (("log",), text("".join(f"src/main.c:{i}:5: warning: unused variable 'x{i}' [-Wunused-variable]\n   {i} |     int x{i};\n      |         ^~\n" for i in range(10, 30)) + "make: *** [Makefile:10: main.o] Error 1\n")),
    "mypy": (("log", "text"), text("".join(f"app/run.py:{i}: error: Incompatible return value type  [return-value]\n" for i in range(10, 40)) + "Found 30 errors in 1 file (checked 12 source files)\n")),
    "cargo test": (("log",), text("   Compiling app v0.1.0 (/srv/app)\n    Finished test [unoptimized] target(s) in 2.1s\n     Running unittests src/lib.rs\n\nrunning 30 tests\n" + "".join(f"test store::case_{i} ... ok\n" for i in range(30)) + "\ntest result: ok. 30 passed; 0 failed\n")),
    "TAP": (("log", "text"), text("TAP version 13\n1..20\n" + "".join(f"ok {i} - case {i}\n" for i in range(1, 20)) + "not ok 20 - case 20\n")),
    "dmesg": (("log",), text("".join(f"[{i * 1.5:>12.6f}] usb 1-{i}: new high-speed USB device number {i}\n" for i in range(40)))),
    "nginx error log": (("log",), text("".join(f"2026/03/01 10:00:{i:02d} [error] 812#812: *{i} connect() failed (111: Connection refused)\n" for i in range(40)))),
    "apt install": (("log", "text"), text("Reading package lists...\nBuilding dependency tree...\n" + "".join(f"Get:{i} http://archive.example.com stable/main amd64 lib{i} amd64 1.{i} [12 kB]\n" for i in range(1, 25)) + "Fetched 288 kB in 1s (288 kB/s)\n" + "".join(f"Unpacking lib{i} (1.{i}) ...\nSetting up lib{i} (1.{i}) ...\n" for i in range(1, 25)))),
    "terraform plan": (("diff", "code", "log", "text"), text("Terraform will perform the following actions:\n\n  # aws_instance.web will be created\n  + resource \"aws_instance\" \"web\" {\n      + ami           = \"ami-123\"\n      + instance_type = \"t3.micro\"\n      + id            = (known after apply)\n    }\n\nPlan: 1 to add, 0 to change, 0 to destroy.\n")),
    # diff
    "diff without a header": (("diff",), text("@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n")),
    "normal diff": (("diff",), text("3c3\n< the old line\n---\n> the new line\n7a8,9\n> one more\n> and one\n")),
    "svn diff": (("diff",), text("Index: app/run.py\n===================================================================\n--- app/run.py\t(revision 12)\n+++ app/run.py\t(working copy)\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n")),
    "diff in Markdown": (("markup", "diff"), text("# Review\n\nThe change is this:\n\n```diff\n" + GIT_DIFF + "```\n\nIt looks fine, but the test is missing.\n")),
    "git diff --stat": (("diff", "text"), text("".join(f" src/a_{i}.py | {i} {'+' * min(i, 20)}\n" for i in range(1, 20)) + " 19 files changed, 190 insertions(+)\n")),
    "bullets with minus": (("text", "markup"), text("- buy bread\n- call Ben\n- read the report\n+ and one more\n- sleep\n")),
    # what engineers print
    "VCF, one sample": (("table",), text("##fileformat=VCFv4.2\n##source=x\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tNA1\n" + "".join(f"20\t{14370 + i}\trs{i}\tG\tA\t29\tPASS\tDP=14\tGT\t0|0\n" for i in range(40)))),
    "SAM, no FASTQ": (("table",), text("@HD\tVN:1.6\n@SQ\tSN:chr1\tLN:9\n" + "".join(f"r{i}\t0\tchr1\t{i}\t60\t4M\t*\t0\t0\tACGT\tIIII\tNM:i:0\n" for i in range(40)))),
    "GFF with a FASTA section": (("table",), text("##gff-version 3\n" + "".join(f"c1\tx\tgene\t{i}\t{i + 9}\t.\t+\t.\tID=g{i}\n" for i in range(40)) + "##FASTA\n>c1\nACGT\n")),
    "BED behind a track line": (("table",), text('track name="a b"\n' + "".join(f"chr7\t{i}\t{i + 9}\tp{i}\t0\t+\n" for i in range(40)))),
    "psql": (("table",), text(" id | name \n----+------\n" + "".join(f" {i:2} | n{i}\n" for i in range(40)) + "(40 rows)\n")),
    "psql, expanded": (("table",), text("".join(f"-[ RECORD {i} ]---\nid   | {i}\nname | error{i}\n" for i in range(40)))),
    "apt list with names of errors": (("table",), text("Listing...\n" + "".join(f"libgpg-error{i}/noble,now 1.{i} amd64 [installed]\n" for i in range(40)))),
    "dpkg -l": (("table",), text("||/ Name         Version      Architecture Description\n+++-============-============-============-==============\n" + "".join(f"ii  lib{i:<9} 1.{i:<10} amd64        about errors\n" for i in range(40)))),
    "seq": (("table",), text("".join(f"{i}\n" for i in range(1, 200)))),
    "bars behind numbers": (("table",), text("".join(f"{i}|ana|5|ok\n" for i in range(1, 200)))),
    "vmstat": (("table",), text("procs ---memory--- --cpu--\n r  b   swpd   free us sy id\n" + "".join(f" 1  0      0 2{i:07} 20  1 79\n" for i in range(60)))),
    "tqdm a line each": (("text", "log"), text("".join(f"{i:3}%|#####     | {i}/100 [00:01<00:02, 20.0it/s]\n" for i in range(100)))),
    "tqdm by carriage return": (("text", "log"), text(("".join(f"\r{i:3}%|#####     | {i}/100 [00:01<00:02]" for i in range(100)) + "\n") * 4)),
    "kubectl -o yaml": (("records",), text("apiVersion: v1\nitems:\n" + "".join(f"- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: p{i}\n  status:\n    phase: Running\n" for i in range(30)) + "kind: List\n")),
    "YAML documents": (("records",), text("".join(f"---\nkind: Pod\nname: p{i}\nphase: Running\n" for i in range(30)))),
    "a lock file in TOML": (("records",), text("version = 4\n\n" + "".join(f'[[package]]\nname = "c{i}"\nversion = "1.{i}"\n\n' for i in range(30)))),
    "compose file": (("code",), text("services:\n" + "".join(f"  s{i}:\n    image: a/b\n    # why\n    ports:\n      - 80:80\n" for i in range(20)))),
    "workflow": (("code",), text("on: push\njobs:\n  build:\n    steps:\n" + "".join(f"      - name: step {i}\n        {('run', 'uses', 'with')[i % 3]}: x{i}\n        env{i}: y\n" for i in range(20)))),
    "repr of dicts": (("records",), text(repr([{"id": i, "ok": True, "error": None} for i in range(60)]))),
    "an issue that pastes what gcc printed": (("text", "markup"), text("The panel shows the wrong error when the compiler names several files above it:\n" + "".join(f"In file included from lib/a{i}.h:4,\nfrom main{i}.c:9:\nlib/old.h:2:3: warning: #warning Use the new header\n" for i in range(4)) + "\nI see the same lines in the panel again, which is clearly wrong.\nThe error that it shows has a high priority and no line at all.\n")),
    "a service that begins with a banner": (("log",), text("This server is for the members of the club and for nobody else.\nAll that is done here is written down and read by others.\nWhoever does not agree with that has to leave this place now.\n" + "".join(f"2026-03-01 10:00:{i:02d} INFO request {i} served\n" for i in range(50)))),
    "text in round brackets": (("text",), text("(See the note, and the other one, below.)\n" * 12)),
}  # fmt: skip
CASES |= MORE
