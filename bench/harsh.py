"""No megabyte takes more than two seconds: 77 inputs made to be slow, through the whole command.

    python -m bench.harsh [--only NAMES] [--budgets 50,500,20000] [--runs 1]

Words, paths, keys and numbers are random, so that next to nothing repeats: no cache and no template helps. Measured is
processor time (user and system) of ``mcpcompact summarize`` with its start and its store, the best of ``--runs``, over
what a fixed piece of work takes beside it (``bench.fuzz.pace``: 1 on a quiet machine). Exits 1 when one is over the limit.
"""

# ruff: noqa: E501 (what is made reads better unbroken)

from __future__ import annotations

import argparse
import base64
import csv
import io
import json
import os
import random
import resource
import string
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.fuzz import pace
from bench.tables import table

SIZE = 1_000_000  # bytes
LIMIT = 2.0  # processor seconds
BUDGETS = (50, 500, 20_000)
REFUSED = 65  # exit code: bytes that are no text pass through
LEVELS = ("INFO", "DEBUG", "WARN", "ERROR", "TRACE", "FATAL")

Line = Callable[[random.Random, int], str]


def word(rng: random.Random, most: int = 10) -> str:
    return "".join(rng.choices(string.ascii_lowercase, k=rng.randint(2, most)))


def words(rng: random.Random, count: int) -> str:
    return " ".join(word(rng) for _ in range(count))


def name(rng: random.Random) -> str:
    return "".join(word(rng).capitalize() for _ in range(3))


def path(rng: random.Random, depth: int = 4) -> str:
    return "/".join(word(rng) for _ in range(rng.randint(1, depth))) + "." + rng.choice(("py", "ts", "go", "json"))


def stamp(n: int) -> str:
    return f"2026-03-{1 + n // 86_400 % 28:02}T{n // 3_600 % 24:02}:{n // 60 % 60:02}:{n % 60:02}.{n * 7 % 1000:03}Z"


# -- logs


def log_words(rng: random.Random, n: int) -> str:
    return f"{stamp(n)} {rng.choice(LEVELS[:3])} {words(rng, rng.randint(4, 12))}\n"


def log_levels(rng: random.Random, n: int) -> str:
    return f"{stamp(n)} [{word(rng)}-{rng.randint(1, 99)}] {rng.choice(LEVELS)} {name(rng)}: {words(rng, 6)}\n"


def log_bare(rng: random.Random, n: int) -> str:
    return f"{words(rng, rng.randint(3, 9))} {rng.randint(0, 99_999)}\n"


def log_errors(rng: random.Random, n: int) -> str:
    return f"{stamp(n)} ERROR {word(rng)}.{word(rng)}: {words(rng, 5)} failed with code {rng.randint(1, 99_999)}\n"


def log_short(rng: random.Random, n: int) -> str:
    return f"{n % 60:02}:{n % 59:02}:{n % 58:02} {word(rng)}\n"


def access(rng: random.Random, n: int) -> str:
    client = ".".join(str(rng.randint(1, 254)) for _ in range(4))
    return (
        f'{client} - - [12/Mar/2026:{n // 3600 % 24:02}:{n // 60 % 60:02}:{n % 60:02} +0000] "GET /{path(rng)}?{word(rng)}='
        f'{rng.randint(1, 99_999)} HTTP/1.1" {rng.choice((200, 200, 301, 404, 500))} {rng.randint(1, 99_999)} "-" "{name(rng)}/1.0"\n'
    )


def key_value(rng: random.Random, n: int) -> str:
    return f"ts={stamp(n)} level=info " + " ".join(f"{word(rng, 6)}={word(rng)}" for _ in range(6)) + f" n={n}\n"


def trace_python(rng: random.Random, n: int) -> str:
    frames = "".join(
        f'  File "/srv/{path(rng)}", line {rng.randint(1, 999)}, in {word(rng)}\n    {word(rng)}({word(rng)}, {word(rng)})\n'
        for _ in range(6)
    )
    return f"Traceback (most recent call last):\n{frames}{name(rng)}Error: {words(rng, 5)}\n"


def trace_java(rng: random.Random, n: int) -> str:
    frames = "".join(
        f"\tat com.{word(rng)}.{name(rng)}.{word(rng)}({name(rng)}.java:{rng.randint(1, 999)})\n" for _ in range(8)
    )
    return f"{stamp(n)} ERROR {name(rng)} - {words(rng, 4)}\njava.lang.{name(rng)}Exception: {words(rng, 4)}\n{frames}"


def trace_go(rng: random.Random, n: int) -> str:
    frames = "".join(
        f"{word(rng)}/{word(rng)}.({name(rng)}).{name(rng)}(0x{rng.randint(0, 2**32):x})\n\t/go/{path(rng)}:{n} +0x{n:x}\n"
        for _ in range(5)
    )
    return f"panic: {words(rng, 4)}\n\ngoroutine {n} [running]:\n{frames}\n"


def test_run(rng: random.Random, n: int) -> str:
    return f"tests/test_{word(rng)}.py::test_{word(rng)}_{word(rng)} {rng.choice(('PASSED', 'PASSED', 'FAILED', 'SKIPPED'))}\n"


def compiler(rng: random.Random, n: int) -> str:
    return f"src/{path(rng)}:{rng.randint(1, 999)}:{rng.randint(1, 80)}: {rng.choice(('error', 'warning'))}: {words(rng, 6)} [{word(rng)}-{word(rng)}]\n"


def progress(rng: random.Random, n: int) -> str:
    return (
        f"\r{word(rng)} {n % 101:3}%|{'#' * (n % 40):40}| {n}/{n + 9} [{n % 60:02}:{n % 59:02}, {rng.random():.2f}it/s]"
    )


def ansi(rng: random.Random, n: int) -> str:
    return f"\x1b[{31 + n % 7}m{word(rng)}\x1b[0m \x1b[1m{words(rng, 5)}\x1b[22m \x1b[38;5;{n % 256}m{rng.random():.5f}\x1b[0m\n"


# -- data


def record(rng: random.Random, n: int) -> dict[str, object]:
    return {
        "id": n,
        "name": name(rng),
        "note": words(rng, 5),
        "at": stamp(n),
        "size": rng.randint(0, 10**6),
        "ratio": rng.random(),
        "tags": [word(rng) for _ in range(3)],
        "owner": {"login": word(rng), "team": word(rng)},
    }


def ndjson(rng: random.Random, n: int) -> str:
    return json.dumps(record(rng, n)) + "\n"


def ndjson_varied(rng: random.Random, n: int) -> str:
    return json.dumps({word(rng, 4): _scalar(rng) for _ in range(rng.randint(1, 12))}) + "\n"


def _scalar(rng: random.Random) -> object:
    return rng.choice((None, True, rng.random(), rng.randint(-9, 10**9), word(rng), words(rng, 4), [], {word(rng): 1}))


def json_keys(rng: random.Random) -> str:
    return json.dumps(_nested(rng, 14))


def _nested(rng: random.Random, depth: int) -> object:
    if depth == 0 or rng.random() < 0.1:
        return _scalar(rng)
    return {name(rng): _nested(rng, depth - 1) for _ in range(2 if depth > 2 else 4)}


def json_map(rng: random.Random) -> str:
    return json.dumps(
        {f"{word(rng)}-{n}": {"v": n, "w": word(rng), "x": words(rng, 5), "y": []} for n in range(11_000)}
    )


def json_list(rng: random.Random) -> str:
    return json.dumps([record(rng, n) for n in range(4_000)], indent=1)


def json_lists(rng: random.Random) -> str:
    return json.dumps({f"list{n}": [record(rng, n) for n in range(20)] for n in range(200)})


def json_numbers(rng: random.Random) -> str:
    return json.dumps([[rng.random() for _ in range(10)] for _ in range(5_000)])


def json_strings(rng: random.Random) -> str:
    return json.dumps([words(rng, 8) for _ in range(18_000)])


def json_deep(rng: random.Random) -> str:
    return "[" + ",".join('{"a":' * 400 + f'"{word(rng)}"' + "}" * 400 for _ in range(400)) + "]"


def json_mixed(rng: random.Random) -> str:
    return json.dumps([_nested(rng, 4) for _ in range(900)])


def csv_wide(rng: random.Random) -> str:
    head = ",".join(f"{word(rng)}_{n}" for n in range(5_000))
    return head + "\n" + "".join(",".join(str(rng.randint(0, 99_999)) for _ in range(5_000)) + "\n" for _ in range(33))


def csv_text(rng: random.Random) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["id", "name", "text", "number", "when", "kind"])
    for n in range(9_500):
        writer.writerow(
            [n, name(rng), f'{words(rng, 5)}, "{word(rng)}"\n{words(rng, 4)}', rng.random(), stamp(n), word(rng)]
        )
    return out.getvalue()


def csv_narrow(rng: random.Random, n: int) -> str:
    return f"{word(rng)},{rng.randint(0, 9)}\n"


def aligned(rng: random.Random, n: int) -> str:
    if n == 0:
        return "NAME                 READY   STATUS               RESTARTS   AGE     NODE\n"
    status = rng.choice(("Running", "Pending", "CrashLoopBackOff", word(rng)))
    return f"{word(rng) + '-' + word(rng):<20} {n % 3}/3     {status:<20} {rng.randint(0, 99):<10} {n % 900}h{n % 60:<4} {word(rng)}\n"


def markdown_table(rng: random.Random, n: int) -> str:
    if n < 2:
        return ("| id | name | note | size |\n", "|---|---|---|---|\n")[n]
    return f"| {n} | {name(rng)} | {words(rng, 4)} | {rng.randint(1, 9_999)} |\n"


def yaml(rng: random.Random, n: int) -> str:
    return f"- name: {word(rng)}\n  kind: {name(rng)}\n  ports: [{n}, {n + 1}]\n  note: {words(rng, 4)}\n"


def ini(rng: random.Random, n: int) -> str:
    return f"[{word(rng)}.{n}]\n" + "".join(f"{word(rng)}_{word(rng)} = {word(rng)}\n" for _ in range(5))


# -- diffs and source


def diff_hunk(rng: random.Random) -> str:
    lines = [rng.choice("+- ") + words(rng, 6) for _ in range(22_000)]
    old, new = (sum(line[0] in kept for line in lines) for kept in (" -", " +"))
    return f"diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,{old} +1,{new} @@\n" + "\n".join(lines) + "\n"


def diff_files(rng: random.Random, n: int) -> str:
    file = path(rng)
    return (
        f"diff --git a/{file} b/{file}\nindex {n:07x}..{n + 1:07x} 100644\n--- a/{file}\n+++ b/{file}\n@@ -{n},3 +{n},3 @@ "
        f"def {word(rng)}\n {words(rng, 4)}\n-{words(rng, 4)}\n+{words(rng, 4)}\n {words(rng, 4)}\n"
    )


def diff_moved(rng: random.Random) -> str:
    lines = [words(rng, 6) for _ in range(12_500)]
    return (
        f"diff --git a/a.py b/b.py\n--- a/a.py\n+++ b/b.py\n@@ -1,{len(lines)} +0,0 @@\n"
        + "".join(f"-{line}\n" for line in lines)
        + f"@@ -20000,0 +20000,{len(lines)} @@\n"
        + "".join(f"+{line}\n" for line in reversed(lines))
    )


def python(rng: random.Random, n: int) -> str:
    return (
        f"def {word(rng)}_{word(rng)}({word(rng)}: {name(rng)}, {word(rng)}=None) -> {name(rng)}:\n"
        f'    """{words(rng, 6)}."""\n    {word(rng)} = {word(rng)}.{word(rng)}({word(rng)}, {rng.randint(0, 99)})\n'
        f"    if {word(rng)} > {n}:\n        raise {name(rng)}Error('{words(rng, 3)}')\n    return {word(rng)}\n\n\n"
    )


def definitions(rng: random.Random, n: int) -> str:
    return f"def {word(rng)}(): return {word(rng)}\n"


def classes(rng: random.Random, n: int) -> str:
    methods = "".join(
        f"    public {name(rng)} {word(rng)}({name(rng)} {word(rng)}) {{\n        return {word(rng)}.{word(rng)}();\n    }}\n"
        for _ in range(5)
    )
    return f"public class {name(rng)} extends {name(rng)} {{\n    private int {word(rng)};\n{methods}}}\n"


def minified(rng: random.Random, n: int) -> str:
    return f'function {word(rng, 3)}({word(rng, 2)}){{var {word(rng, 3)}={n};return {word(rng, 3)}[{word(rng, 3)}]||"{word(rng)}"}};'


def numbered(rng: random.Random, n: int) -> str:
    return f"{n + 1:6}\t    {word(rng)} = {word(rng)}.{word(rng)}({word(rng)})  # {words(rng, 3)}\n"


# -- documents


def html(rng: random.Random, n: int) -> str:
    if n == 0:
        return "<!doctype html><html><head><title>t</title></head><body>"
    return f'<div class="{word(rng)}"><a href="/{path(rng)}">{word(rng)}</a><b>{word(rng)}</b><i>{word(rng)}</i></div>'


def html_table(rng: random.Random, n: int) -> str:
    if n == 0:
        return "<html><body><table><tr><th>a</th><th>b</th><th>c</th></tr>\n"
    return f"<tr><td>{word(rng)}</td><td>{words(rng, 3)}</td><td>{rng.randint(1, 9_999)}</td></tr>\n"


def xml(rng: random.Random) -> str:
    return (
        "<list>"
        + "".join(
            f'<{(tag := word(rng))} id="{n}" {word(rng)}="{word(rng)}"><v>{words(rng, 3)}</v><w/>{word(rng)}</{tag}>\n'
            for n in range(12_000)
        )
        + "</list>"
    )


def xml_same(rng: random.Random) -> str:
    return (
        "<items>"
        + "".join(
            f'<item id="{n}"><name>{name(rng)}</name><note>{words(rng, 4)}</note></item>\n' for n in range(11_000)
        )
        + "</items>"
    )


def junit(rng: random.Random) -> str:
    return (
        '<testsuite tests="9000">'
        + "".join(
            f'<testcase classname="{word(rng)}.{name(rng)}" name="test_{word(rng)}" time="{rng.random():.3f}">'
            + (f'<failure message="{words(rng, 4)}">{words(rng, 9)}</failure>' if rng.random() < 0.2 else "")
            + "</testcase>\n"
            for _ in range(9_000)
        )
        + "</testsuite>"
    )


def headings(rng: random.Random, n: int) -> str:
    return f"{'#' * (1 + n % 4)} {words(rng, 2)}\n\n{words(rng, 5)}\n\n"


def prose(rng: random.Random, n: int) -> str:
    return ". ".join(words(rng, 9).capitalize() for _ in range(6)) + ".\n\n"


def bullets(rng: random.Random, n: int) -> str:
    return f"{'  ' * (n % 4)}- **{word(rng)}**: {words(rng, 6)} `{word(rng)}_{word(rng)}`\n"


# -- tools


def search_hits(rng: random.Random) -> str:
    lines = []
    for _ in range(3_000):
        file = path(rng)
        lines += [f"{file}:{rng.randint(1, 999)}:    {word(rng)}.{word(rng)}({words(rng, 4)})\n" for _ in range(5)]
    return "".join(lines)


def ls(rng: random.Random, n: int) -> str:
    entries = "".join(
        f"-rw-r--r-- 1 {word(rng)} staff {rng.randint(1, 10**6):>8} Mar {n % 28 + 1:2} 12:{n % 60:02} {word(rng)}.{word(rng, 3)}\n"
        for _ in range(8)
    )
    return f"./{path(rng)}:\ntotal {n}\n{entries}\n"


def find(rng: random.Random, n: int) -> str:
    return f"./{path(rng, 6)}\n"


def tree(rng: random.Random, n: int) -> str:
    return "│   " * (n % 5) + f"├── {word(rng)}.{word(rng, 3)}\n"


def git_log(rng: random.Random, n: int) -> str:
    commit = "".join(rng.choices("0123456789abcdef", k=40))
    return f"commit {commit}\nAuthor: {name(rng)} <{word(rng)}@{word(rng)}.org>\nDate:   Tue Mar {n % 28 + 1} 12:{n % 60:02}:00 2026 +0100\n\n    {words(rng, 6)}\n\n"


def fasta(rng: random.Random, n: int) -> str:
    return f">{word(rng)}_{n} {word(rng)}\n{''.join(rng.choices('ACGT', k=30))}\n"


def names(rng: random.Random, n: int) -> str:
    return f"{name(rng)}Exception.{name(rng)}\n"


def urls(rng: random.Random, n: int) -> str:
    return f"https://{word(rng)}.example.com/{path(rng)}?{word(rng)}={n}#{word(rng)}\n"


# -- what is hardly text


def one_line(rng: random.Random, n: int) -> str:
    return f"{word(rng)} "


def latin(rng: random.Random) -> bytes:
    return rng.randbytes(SIZE)


def cjk(rng: random.Random, n: int) -> str:
    return "".join(chr(rng.randint(0x4E00, 0x9FFF)) for _ in range(300)) + "。"


def emoji(rng: random.Random, n: int) -> str:
    return "".join(chr(rng.randint(0x1F300, 0x1F6FF)) for _ in range(rng.randint(1, 30))) + "\n"


def blank(rng: random.Random) -> str:
    return "".join(rng.choice(("\n", "\n", "\n", f"{word(rng, 3)}\n")) for _ in range(600_000))


def braces(rng: random.Random, n: int) -> str:
    return "{"


def lists(rng: random.Random, n: int) -> str:
    return "[[]]\n"


def empty_lists(rng: random.Random) -> str:
    return "[" + "[]," * 333_000 + "[]]"


def empty_objects(rng: random.Random) -> str:
    return "[" + "{}," * 333_000 + "{}]"


def pairs(rng: random.Random) -> str:
    return "[" + ",".join(f"[{n % 7},{rng.randint(0, 99)}]" for n in range(140_000)) + "]"


def random_keys(rng: random.Random) -> str:
    return "[" + ",".join(f'{{"{word(rng, 8)}":{rng.randint(0, 9)}}}' for _ in range(80_000)) + "]"


def empty_documents(rng: random.Random, n: int) -> str:
    return "{}"


def xml_small(rng: random.Random) -> str:
    return "<r>" + "".join(f"<a>{n % 9}</a>" for n in range(125_000)) + "</r>"


def json_ones(rng: random.Random) -> str:
    return "[" + "1," * 500_000 + "1]"


def lists_in_one(rng: random.Random, n: int) -> str:
    return "[[]]"


def base64_lines(rng: random.Random, n: int) -> str:
    return base64.b64encode(rng.randbytes(57)).decode() + "\n"


def base64_one(rng: random.Random) -> str:
    return base64.b64encode(rng.randbytes(740_000)).decode()


def hexdump(rng: random.Random, n: int) -> str:
    return f"{n * 16:08x}: " + " ".join(rng.randbytes(2).hex() for _ in range(8)) + "  ................\n"


def numbers(rng: random.Random, n: int) -> str:
    return f"{rng.random() * 1000:.4f}\n"


def short_lines(rng: random.Random, n: int) -> str:
    return f"{word(rng, 4)}\n"


def punctuation(rng: random.Random, n: int) -> str:
    return "".join(rng.choices(string.punctuation, k=60)) + "\n"


def spaces(rng: random.Random, n: int) -> str:
    return " " * rng.randint(0, 40) + word(rng) + " " * rng.randint(0, 40) + "\n"


LINES: tuple[Line, ...] = (
    log_words, log_levels, log_bare, log_errors, log_short, access, key_value, trace_python, trace_java, trace_go, test_run,
    compiler, progress, ansi, ndjson, ndjson_varied, csv_narrow, aligned, markdown_table, yaml, ini, diff_files, python,
    definitions, classes, minified, numbered, html, html_table, headings, prose, bullets, ls, find, tree, git_log, fasta,
    names, urls, one_line, cjk, emoji, braces, lists, lists_in_one, empty_documents, base64_lines, hexdump, numbers, short_lines,
    punctuation, spaces,
)  # fmt: skip
WHOLE: tuple[Callable[[random.Random], str | bytes], ...] = (
    json_keys, json_map, json_list, json_lists, json_numbers, json_strings, json_deep, json_mixed, csv_wide, csv_text,
    empty_lists, empty_objects, pairs, random_keys, json_ones, diff_hunk, diff_moved, xml, xml_same, xml_small, junit, search_hits, latin, blank, base64_one,
)  # fmt: skip


def inputs() -> dict[str, Callable[[], bytes]]:
    """Each input by its name; it is made when it is called, the same every time."""
    made: dict[str, Callable[[], bytes]] = {}
    for line in LINES:
        made[line.__name__] = lambda line=line: _repeated(line)  # type: ignore[misc]
    for whole in WHOLE:
        made[whole.__name__] = lambda whole=whole: _bytes(whole(random.Random(whole.__name__)))  # type: ignore[misc]
    return made


def _repeated(line: Line) -> bytes:
    rng, parts, size, n = random.Random(line.__name__), [], 0, 0
    while size < SIZE:
        part = line(rng, n).encode()
        parts.append(part)
        size += len(part)
        n += 1
    return b"".join(parts)


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.harsh", description=__doc__.splitlines()[0])
    parser.add_argument("--only", help="names of inputs, by commas")
    parser.add_argument("--budgets", default=",".join(map(str, BUDGETS)))
    parser.add_argument("--runs", type=int, default=1, help="the best of so many counts")
    parser.add_argument("--keep", metavar="DIR", help="write the inputs there, and keep them")
    args = parser.parse_args(argv)
    chosen = args.only.split(",") if args.only else list(inputs())
    budgets = args.budgets.split(",")
    rows, slow = [], 0
    with tempfile.TemporaryDirectory(prefix="harsh-") as temporary:
        folder = Path(args.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "MCPCOMPACT_RESULTS_DIR": str(Path(temporary) / "results")}
        _compile(environment, Path(temporary))
        for each in chosen:
            file = folder / f"{each}.txt"
            data = inputs()[each]()
            file.write_bytes(data)
            taken = [_seconds(file, budget, environment, args.runs) for budget in budgets]
            per_mb = max(taken) * SIZE / max(len(data), SIZE)
            slow += per_mb > LIMIT
            verdict = "met" if per_mb <= LIMIT else "MISSED"
            print(f"{each}: {' '.join(f'{seconds:.2f}' for seconds in taken)}", file=sys.stderr, flush=True)
            rows.append([each, f"{len(data) / 1e6:.2f}", *(f"{seconds:.2f}" for seconds in taken), f"{LIMIT}", verdict])
    rows.sort(key=lambda row: -max(map(float, row[2 : 2 + len(budgets)])))
    print("processor seconds of the whole command, start and store included; the limit is for a megabyte")
    print(table(["input", "MB", *(f"{budget} tokens" for budget in budgets), "limit", ""], rows))
    print(f"{len(rows)} inputs, {slow} over the limit")
    return 1 if slow else 0


def _compile(environment: dict[str, str], folder: Path) -> None:
    """As in an install, where no run compiles the modules that it imports."""
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")
    subprocess.run([sys.executable, "-m", "compileall", "-q", "mcpcompact"], env=environment, check=True)
    (folder / "warm").write_text('{"libraries": "compiled"}')
    _seconds(folder / "warm", "50", environment, 1)


def _seconds(file: Path, budget: str, environment: dict[str, str], runs: int) -> float:
    command = [sys.executable, "-m", "mcpcompact", "summarize", "--budget", budget, str(file)]
    taken = []
    for _ in range(runs):
        before, slow = _children(), pace()
        done = subprocess.run(command, env=environment, capture_output=True)
        if done.returncode not in (0, REFUSED):
            raise SystemExit(f"{file.name}: exit {done.returncode}: {done.stderr.decode()[-400:]}")
        taken.append((_children() - before) * 2 / (slow + pace()))
    return min(taken)


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    sys.exit(main())
