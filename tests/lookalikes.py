# ruff: noqa: E501 — the cases are data, a line each
"""Inputs that look like something else, each labelled with the content type (or types) that is right.

Written by hand in the shapes that tools return; nothing is copied from recorded data. ``CASES`` maps a
name to (accepted types, bytes). Where more than one type is accepted, a reader would be content with either.
"""

from __future__ import annotations

import base64
import json
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
    "progress bars": (("log",), text("Collecting x\n" + "\r".join(f"Downloading {i:3d}% |{'#' * (i // 4):<25}|" for i in range(101)) + "\nERROR: failed\n")),
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
