"""Compares the command line of a former release with this one, off a terminal: output, exit code and what is stored.

``python -m scripts.compare_cli [--old REF]`` runs the lines of ``compare_cli.txt`` with both, the same interpreter and
libraries, each block in a directory of its own, and prints what differs. Fails when an option of the former release
stands in no line. Times, ages and cursors differ from run to run: they are made equal before the comparison.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
LINES = Path(__file__).with_suffix(".txt")
FORMER = "467f2c4"
GROUPS = {"config": ("init", "show", "check"), "results": ("list", "show", "get", "grep", "verify", "gc")}
SECONDS, HUNG = 120, 124  # a command that takes longer has hung; what ``timeout`` ends with
MAX, WIDEST = 8, 160  # lines and characters that --show prints of a difference

MADE_EQUAL = [
    (rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?", b"TIME"),
    (rb"(?<=nextCursor)(\W+)[\w.-]+", rb"\1CURSOR"),
    (rb"(?<=--cursor )(?!nonsense)\S+", b"CURSOR"),
    (rb'("(?:seconds|compactionSeconds|p\d\d|max|mean)": ?)[\d.e-]+', rb"\1SECONDS"),
    (rb"(?m)^(seconds a run: ).*", rb"\1SECONDS"),
    (rb"(?m) +\d+[smh]$", b" AGE"),  # of results list
    (rb"\d+(\.\d+)? ?(ms|seconds)\b", b"SECONDS"),
    (rb"(?m)^(mcpcompact_\w*seconds\S* )[\d.e-]+", rb"\1SECONDS"),
]
REASONS = [
    (r"(^| )(-h|--help|help)( |$)", "stdout", "help is written by Typer"),
    (r"nonsense|--bud |summarise", "stdout|stderr", "the words of a usage error are Typer's"),
    (r"--mask|^results list --json", "stdout|stderr|stored", "a placeholder ends in digits of the store's random key"),
    (r"^count session.json .*--json", "stdout", "new keys: what a reader of the session skipped"),
    (r"^config (init|show)", "stdout|stored", "a new setting, features.run"),
    (r"telemetry|TELEMETRY=1|--prometheus", "stdout|stored", "a record of a run holds its seconds and tokens"),
    (r"(^|[A-Z]\S+ )(summarize|replay|stats)\b", "stdout|stderr|stored", "what a summary shows, and its tokens"),
]  # fmt: skip
"""Differences that are meant: a pattern of the line, in what it may differ (never in its exit code), and why."""

OF_NO_INTEREST = re.compile(r"\.lock$|(^|/)\.[\w-]*key$|/\.emitted/|__pycache__")
"""Files that differ from run to run: keys are random, and what was emitted holds cursors."""

PLACES = {"id": re.compile(rb'(?:results (?:get|show) |"id": ")([0-9a-f]{8})\b'),
          "cursor": re.compile(rb"(?:nextCursor\W+|--cursor )([\w.-]{12,})")}  # fmt: skip


@dataclass(slots=True)
class Told:
    """What a line did: its end, its output, and the files that it wrote or removed, by their digests."""

    line: str
    code: int
    out: bytes
    err: bytes
    files: dict[str, str] = field(default_factory=dict)


def inputs(directory: Path) -> None:
    """The samples, and small files of other kinds."""
    for path in (ROOT / "samples").iterdir():
        if path.is_file():
            shutil.copy(path, directory)
    rows = json.loads((directory / "events.json").read_bytes())
    message = {"content": [{"type": "text", "text": json.dumps(rows)}], "isError": False}
    key = "AKIA" + "QWERTYUIOPASDFGH"
    texts = {
        "short.txt": "three short words\n", "empty.txt": "", "short.json": '[{"a": 1}, {"a": 2}]',
        "message.json": json.dumps(message), "secrets.json": json.dumps([{"n": i, "key": key} for i in range(300)]),
        "secrets.log": "".join(f"2026-01-01 00:00:{i % 60:02} INFO key={key} step {i}\n" for i in range(400)),
        "settings.yaml": "defaults: {budget_tokens: 300, threshold_tokens: 400, chunk_tokens: 700, page_limit: 7}\n"
                         "tools: {get_events: {keep_fields: [id, status]}}\n",
        "wrong.yaml": "defaults: {budget_tokens: many, colour: red}\n", "off.yaml": "features: {count: false}\n",
        "prices.json": '{"our-model": {"input_price": 2.5, "cached_input_price": 0.25, "output_price": 10}}',
    }  # fmt: skip
    for name, text in texts.items():
        (directory / name).write_text(text)
    (directory / "binary.bin").write_bytes(bytes(range(256)) * 40)
    (directory / "latin.txt").write_bytes("Größe, Maß und Übergröße: schön.\n".encode("cp1252") * 400)
    (directory / "health.json.gz").write_bytes(gzip.compress((directory / "health.json").read_bytes(), mtime=0))
    tree = directory / "tree" / "below"
    tree.mkdir(parents=True)
    shutil.copy(directory / "service.log", tree.parent / "one.log")
    shutil.copy(directory / "journal.txt", tree / "two.log")
    shutil.copy(directory / "orders.csv", tree / "orders.csv")


def blocks() -> list[list[str]]:
    text = "\n".join(line for line in LINES.read_text("utf-8").splitlines() if not line.startswith("#"))
    return [block.strip().splitlines() for block in re.split(r"\n\s*\n", text) if block.strip()]


def run_block(lines: Sequence[str], tree: Path, directory: Path) -> Iterator[Told]:
    """The lines one after the other, in a directory of that name made anew."""
    shutil.rmtree(directory, ignore_errors=True)
    work = directory / "work"
    work.mkdir(parents=True)
    inputs(work)
    given = set(work.rglob("*"))
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("MCPCOMPACT_", "XDG_", "PYTHON"))}
    environment = {**clean, "HOME": str(directory), "PYTHONPATH": str(tree), "MCPCOMPACT_TELEMETRY": "0",
                   "MCPCOMPACT_RESULTS_DIR": str(directory / "results")}  # fmt: skip
    found = {"id": "00000000", "cursor": "none"}
    stored: dict[str, str] = {}
    for line in lines:
        words = shlex.split(re.sub(r"\{(id|cursor)\}", lambda place: found[place[1]], line))
        stdin = work / words[-1] if "<" in words else Path(os.devnull)
        words = words[: words.index("<")] if "<" in words else words
        set_here = {}
        while re.match(r"MCPCOMPACT_\w+=", words[0]):
            name, _, value = words.pop(0).partition("=")
            set_here[name] = value
        with stdin.open("rb") as stream:
            argv = [sys.executable, "-m", "mcpcompact", *words]
            try:
                done = subprocess.run(
                    argv, stdin=stream, capture_output=True, cwd=work, env=environment | set_here, timeout=SECONDS,
                    check=False,
                )  # fmt: skip
            except subprocess.TimeoutExpired:  # litellm's clients lock each other out as they are collected, at times
                done = subprocess.CompletedProcess(argv, HUNG, b"", b"hung")
        for name, pattern in PLACES.items():
            if match := pattern.search(done.stdout + done.stderr):
                found[name] = match[1].decode()
        before, stored = stored, left_behind(directory, given)
        changed = {name: stored.get(name, "gone") for name, _ in before.items() ^ stored.items()}
        yield Told(line, done.returncode, same(done.stdout), same(done.stderr), changed)


def left_behind(directory: Path, given: set[Path]) -> dict[str, str]:
    """Files that the commands wrote, without keys, locks and what only times tell apart."""
    files = {}
    for path in sorted(directory.rglob("*")):
        name = str(path.relative_to(directory))
        if path.is_file() and path not in given and not OF_NO_INTEREST.search(name):
            files[name] = hashlib.sha256(same(path.read_bytes())).hexdigest()[:12]
    return files


def same(data: bytes) -> bytes:
    for pattern, text in MADE_EQUAL:
        data = re.sub(pattern, text, data)
    return data


def unnamed(tree: Path, lines: Sequence[str]) -> list[str]:
    """Options of that release that no line has: those of each command's help, and those of its usage reference."""
    missing = []
    commands = re.findall(r"(?m)^  (\w+)  ", helped(tree))
    for command in [*commands, *(f"{group} {one}" for group, names in GROUPS.items() for one in names)]:
        own = [line for line in lines if re.search(rf"(^|\s){command}\b", line)]
        for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", helped(tree, *command.split()))):
            if not any(option in shlex.split(line.split(" <")[0]) or f"{option}=" in line for line in own):
                missing.append(f"{command} {option}")
    said = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", (tree / "docs" / "usage.md").read_text("utf-8")))
    return missing + sorted(option for option in said if not any(option in line for line in lines))


def helped(tree: Path, *command: str) -> str:
    argv = [sys.executable, "-m", "mcpcompact", *command, "--help"]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    return subprocess.run(argv, capture_output=True, text=True, env=environment, cwd=tree, check=True).stdout


def checked_out(ref: str, directory: Path) -> Path:
    """The tree of a commit, in a directory of its own."""
    directory.mkdir()
    archive = subprocess.Popen(["git", "-C", str(ROOT), "archive", ref], stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", str(directory)], stdin=archive.stdout, check=True)
    if archive.wait():
        raise SystemExit(f"{ref} is no commit of this repository")
    return directory


def differences(old: Told, new: Told) -> list[str]:
    found = []
    if old.code != new.code:
        found.append(f"exit {old.code} -> {new.code}")
    if old.out != new.out:
        found.append("stdout")
    if old.files != new.files:
        names = {name for name, digest in {*old.files.items()} ^ {*new.files.items()}}
        found.append(f"stored: {', '.join(sorted(names)[:2])}{' …' if len(names) > len(sorted(names)[:2]) else ''}")
    if old.err != new.err:
        found.append("stderr")
    return found


def shown(old: bytes, new: bytes) -> list[str]:
    from difflib import unified_diff

    before, after = (text.decode("utf-8", "replace").splitlines() for text in (old, new))
    lines = unified_diff(before, after, n=0, lineterm="")
    return [f"      {line[:WIDEST]}\n" for line in list(lines)[2 : 2 + MAX]]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="scripts.compare_cli", description=__doc__.splitlines()[0])
    parser.add_argument("--old", metavar="REF", default=FORMER, help="the former release (default %(default)s)")
    parser.add_argument("--only", metavar="TEXT", default="", help="only blocks with a line that contains TEXT")
    parser.add_argument("--stderr", action="store_true", help="a difference on stderr alone counts too")
    parser.add_argument("--show", action="store_true", help="what differs, line by line")
    args = parser.parse_args(argv)
    every = [line for block in blocks() for line in block]
    chosen = [block for block in blocks() if any(args.only in line for line in block)]
    with tempfile.TemporaryDirectory(prefix="compare-") as name:
        home = Path(name)
        tree = checked_out(args.old, home / "tree")
        missing = unnamed(tree, every)
        for one in missing:
            print(f"in no line: {one}")
        rows = []
        for block in chosen:
            with ThreadPoolExecutor(2) as both:  # directories of equal length: their names cost the same tokens
                pair = both.map(lambda a: list(run_block(block, *a)), [(tree, home / "a"), (ROOT, home / "b")])  # noqa: B023
                olds, news = (list(map(at_home, told)) for told in pair)
            rows += list(zip(olds, news, strict=True))
    reasons = Counter[str]()
    for old, new in rows:
        found = differences(old, new)
        if not found or (found == ["stderr"] and not args.stderr):
            continue
        kinds = {kind.partition(":")[0] for kind in found}
        meant = (
            why for pattern, where, why in REASONS if re.search(pattern, old.line) and kinds <= {*where.split("|")}
        )
        reason = next(meant, "hung in the former release" if old.code == HUNG != new.code else "")
        reasons[reason] += 1
        print(f"{'; '.join(found)} | {old.line}" + (f" | {reason}" if reason else ""))
        if args.show:
            sys.stdout.writelines(shown(old.out, new.out) + shown(old.err, new.err))
    for reason, number in reasons.most_common():
        print(f"{number:,} differ: {reason or 'no reason is known'}")
    equal, unexplained = len(rows) - reasons.total(), reasons[""]
    told = f"{equal:,} equal, {unexplained:,} unexplained, {len(missing):,} options untried"
    print(f"{len(rows):,} lines against {args.old}: {told}")
    return 1 if unexplained or missing else 0


def at_home(told: Told) -> Told:
    """The same directory in both."""
    out, err = (re.sub(rb"compare-\w+/[ab]\b", b"HOME", text) for text in (told.out, told.err))
    return Told(told.line, told.code, out, err, told.files)


if __name__ == "__main__":
    sys.exit(main())
