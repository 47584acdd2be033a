"""Realistic documents that carry one named value: what tools return when they read files, logs, tables and requests."""

from __future__ import annotations

import base64
import csv
import html
import io
import json
import shlex
from collections.abc import Callable, Sequence
from random import Random
from urllib.parse import quote, quote_plus

from bench.strangers import words as v
from bench.strangers.words import fill


def snake(name: str) -> str:
    return name.replace(" ", "_")


def upper(name: str) -> str:
    return snake(name).upper()


def kebab(name: str) -> str:
    return name.replace(" ", "-")


def camel(name: str) -> str:
    first, *rest = name.split(" ")
    return first + "".join(word.capitalize() for word in rest)


def header(name: str) -> str:
    plain = name in ("authorization", "cookie", "set cookie")
    return ("" if plain else "X-") + "-".join(word.capitalize() for word in name.split(" "))


def inline(value: str) -> str:
    """On one line, as tools print it."""
    return value.replace("\n", "\\n").replace("\t", "\\t")


def stamp(rng: Random) -> str:
    return fill(rng, f"2026-0{rng.randint(1, 9)}-1<1d>T0<1d>:{rng.randint(10, 59)}:{rng.randint(10, 59)}Z")


def _config(rng: Random, name: str, value: str) -> dict[str, object]:
    inner = {"host": rng.choice(v.HOSTS), "port": rng.randint(1024, 9999), "user": rng.choice(v.USERS), name: value}
    return {"service": rng.choice(v.SERVICES), "replicas": rng.randint(1, 9), "settings": inner, "enabled": True}


def json_pretty(rng: Random, name: str, value: str) -> str:
    return json.dumps(_config(rng, camel(name), value), indent=2) + "\n"


def json_minified(rng: Random, name: str, value: str) -> str:
    return json.dumps(_config(rng, snake(name), value), separators=(",", ":"), ensure_ascii=False)


def json_pairs(rng: Random, name: str, value: str) -> str:
    pairs = [{"name": "LOG_LEVEL", "value": "info"}, {"name": upper(name), "value": value}]
    return json.dumps({"containers": [{"image": "app:1.4.2", "env": pairs}]}, indent=2)


def json_in_json(rng: Random, name: str, value: str) -> str:
    return json.dumps({"id": rng.randint(1, 999), "body": json.dumps(_config(rng, snake(name), value)), "ok": True})


def ndjson_log(rng: Random, name: str, value: str) -> str:
    def line(**more: object) -> str:
        return json.dumps({"ts": stamp(rng), "level": "info", "service": rng.choice(v.SERVICES), **more}) + "\n"

    return line(msg="started", port=8080) + line(msg="config loaded", **{snake(name): value}) + line(msg="ready")


def dotenv(rng: Random, name: str, value: str) -> str:
    shown = f'"{inline(value)}"' if not value.isalnum() and rng.random() < 0.6 else inline(value)
    return f"APP_ENV=production\nPORT={rng.randint(1024, 9999)}\n{upper(name)}={shown}\nLOG_LEVEL=debug\n"


def shell(rng: Random, name: str, value: str) -> str:
    lead = rng.choice(("export ", "", "declare -x "))
    return (
        f"#!/bin/sh\nset -eu\n{lead}{upper(name)}={shlex.quote(value)}\nexec ./serve --port {rng.randint(1024, 9999)}\n"
    )


def flag(rng: Random, name: str, value: str) -> str:
    between = rng.choice((" ", "="))
    return (
        f"$ ./deploy --region eu-west-1 --{kebab(name)}{between}{shlex.quote(inline(value))} --replicas 3\ndeployed\n"
    )


def log_equals(rng: Random, name: str, value: str) -> str:
    where = f"host={rng.choice(v.HOSTS)} attempt={rng.randint(1, 9)}"
    return (
        f"{stamp(rng)} INFO boot pid={rng.randint(2, 9999)}\n{stamp(rng)} "
        f"WARN retry {where} {snake(name)}={inline(value)}\n"
    )


def log_colon(rng: Random, name: str, value: str) -> str:
    return (
        f"{stamp(rng)} DEBUG [main] client: connecting to {rng.choice(v.HOSTS)}, "
        f"{name}: {inline(value)}\n{stamp(rng)} INFO up\n"
    )


def url_query(rng: Random, name: str, value: str) -> str:
    encode = rng.choice((quote, quote_plus))
    query = f"page=2&{snake(name)}={encode(value, safe='')}&sort=asc"
    return f'10.0.0.7 - - [12/Mar/2026:10:00:0{rng.randint(0, 9)} +0000] "GET /v1/items?{query} HTTP/1.1" 200 512\n'


def yaml_plain(rng: Random, name: str, value: str) -> str:
    """As libraries write it: plain where that is allowed, in quotes elsewhere."""
    import yaml

    return yaml.safe_dump(_config(rng, snake(name), value), sort_keys=False, width=10_000, allow_unicode=True)


def yaml_block(rng: Random, name: str, value: str) -> str:
    lines = "".join(f"    {line}\n" for line in value.split("\n"))
    mark = "|" if "\n" in value else rng.choice((">-", "|", "|-", ">"))
    return f"database:\n  host: {rng.choice(v.HOSTS)}\n  {snake(name)}: {mark}\n{lines}  pool: 5\n"


def toml(rng: Random, name: str, value: str) -> str:
    return (
        f'[service]\nname = "{rng.choice(v.SERVICES)}"\n{snake(name)} '
        f"= {json.dumps(value, ensure_ascii=False)}\ntimeout = 30\n"
    )


def ini(rng: Random, name: str, value: str) -> str:
    key, between = rng.choice((snake(name), name.replace(" ", "."))), rng.choice((" = ", "=", ": "))
    return f"[client]\nhost{between}{rng.choice(v.HOSTS)}\n{key}{between}{inline(value)}\nport{between}3306\n"


def _rows(rng: Random, name: str, values: Sequence[str]) -> list[list[str]]:
    rows = [[str(i), rng.choice(v.USERS), value, stamp(rng)] for i, value in enumerate(values, rng.randint(1, 80))]
    return [["id", "user", snake(name), "created_at"], *rows]


def csv_table(rng: Random, name: str, values: Sequence[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(_rows(rng, name, values))
    return out.getvalue()


def tsv_table(rng: Random, name: str, values: Sequence[str]) -> str:
    return "".join("\t".join(row) + "\n" for row in _rows(rng, name, [inline(value) for value in values]))


def psql_table(rng: Random, name: str, values: Sequence[str]) -> str:
    rows = _rows(rng, name, [inline(value) for value in values])
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    lines = [" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    rule = "+".join("-" * (width + 2) for width in widths)
    return "\n".join([" " + lines[0], rule, *(" " + line for line in lines[1:]), f"({len(values)} rows)", ""])


def markdown_table(rng: Random, name: str, values: Sequence[str]) -> str:
    rows = _rows(rng, name, [inline(value).replace("|", "\\|") for value in values])
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "## Accounts\n\n" + "\n".join([lines[0], "|" + " --- |" * 4, *lines[1:]]) + "\n"


def xml_element(rng: Random, name: str, value: str) -> str:
    tag = camel(name)
    inner = f"<host>{rng.choice(v.HOSTS)}</host>\n  <{tag}>{html.escape(value, quote=False)}</{tag}>"
    return f'<?xml version="1.0"?>\n<server id="{rng.randint(1, 99)}">\n  {inner}\n</server>\n'


def xml_attribute(rng: Random, name: str, value: str) -> str:
    key = html.escape(inline(value))
    if rng.random() < 0.5:
        return f'<configuration><appSettings><add key="{camel(name)}" value="{key}" /></appSettings></configuration>\n'
    return f'<form action="/login"><input type="hidden" name="{snake(name)}" value="{key}"><button>Go</button></form>\n'


def python_source(rng: Random, name: str, value: str) -> str:
    lines = f"import os\n\nTIMEOUT = {rng.randint(5, 90)}\n"
    if rng.random() < 0.5:
        return lines + f"{upper(name)} = {value!r}\n\n\ndef connect():\n    return open_client(timeout=TIMEOUT)\n"
    return lines + f"client = Client(host={rng.choice(v.HOSTS)!r}, {snake(name)}={value!r}, timeout=TIMEOUT)\n"


def js_source(rng: Random, name: str, value: str) -> str:
    said = json.dumps(value, ensure_ascii=False)
    if rng.random() < 0.5:
        return (
            f"import {{ Pool }} from 'pg';\n\nconst {camel(name)} = {said};\nexport default new Pool({{ max: 5 }});\n"
        )
    return f"module.exports = {{\n  host: '{rng.choice(v.HOSTS)}',\n  {camel(name)}: {said},\n  retries: 3,\n}};\n"


def diff(rng: Random, name: str, value: str) -> str:
    head = (
        "diff --git a/app/config.yml b/app/config.yml\nindex 3c1f2ab..9d0e7aa "
        "100644\n--- a/app/config.yml\n+++ b/app/config.yml\n"
    )
    line = f"{snake(name)}: {inline(value)}" if rng.random() < 0.5 else f'{upper(name)}="{inline(value)}"'
    mark = rng.choice("+-")
    return (
        f"{head}@@ -1,4 +1,{5 if mark == '+' else 3} @@\n host: "
        f"{rng.choice(v.HOSTS)}\n{mark}{line}\n pool: 5\n timeout: 30\n"
    )


def http_headers(rng: Random, name: str, value: str) -> str:
    head = (
        f"> POST /v1/items HTTP/1.1\n> Host: api.example.org\n> "
        f"User-Agent: curl/8.5.0\n> {header(name)}: {inline(value)}\n"
    )
    return head + f"> Accept: */*\n>\n< HTTP/1.1 200 OK\n< Content-Length: {rng.randint(10, 999)}\n"


def kubernetes_secret(rng: Random, name: str, value: str) -> str:
    meta = (
        f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: {rng.choice(v.SERVICES)}\n  namespace: prod\ntype: Opaque\n"
    )
    return f"{meta}data:\n  {rng.choice((kebab(name), upper(name)))}: {base64.b64encode(value.encode()).decode()}\n"


def kubernetes_env(rng: Random, name: str, value: str) -> str:
    head = (
        "apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n   "
        " spec:\n      containers:\n      - name: app\n        env:\n"
    )
    pair = f"        - name: {upper(name)}\n          value: {json.dumps(value, ensure_ascii=False)}\n"
    return f"{head}{pair}        image: {rng.choice(v.SERVICES)}:1.4.2\n"


def dockerfile(rng: Random, name: str, value: str) -> str:
    kind, said = rng.choice(("ENV", "ARG")), shlex.quote(inline(value))
    line = (
        f"{kind} {upper(name)}={said}" if kind == "ARG" or rng.random() < 0.7 else f"ENV {upper(name)} {inline(value)}"
    )
    return (
        f"FROM python:3.12-slim\nWORKDIR /app\n{line}\nCOPY . .\nEXPOSE "
        f'{rng.randint(1024, 9999)}\nCMD ["python", "app.py"]\n'
    )


CARRIERS: dict[str, Callable[[Random, str, str], str]] = {
    one.__name__.replace("_", "-"): one
    for one in (
        json_pretty, json_minified, json_pairs, json_in_json, ndjson_log, dotenv, shell, flag, log_equals, log_colon,
        url_query, yaml_plain, yaml_block, toml, ini, xml_element, xml_attribute, python_source, js_source, diff,
        http_headers, kubernetes_secret, kubernetes_env, dockerfile,
    )
}  # fmt: skip
TABLES: dict[str, Callable[[Random, str, Sequence[str]], str]] = {
    "csv": csv_table,
    "tsv": tsv_table,
    "psql": psql_table,
    "markdown-table": markdown_table,
}


def documents(carrier: str, rng: Random, name: str, values: Sequence[str]) -> list[tuple[str, list[int]]]:
    """The values in documents of that kind, each with the positions of the values that it carries."""
    if carrier in TABLES:
        return [(TABLES[carrier](rng, name, values), list(range(len(values))))]
    return [(CARRIERS[carrier](rng, name, value), [i]) for i, value in enumerate(values)]
