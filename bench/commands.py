"""Run every command that a summary prints, over the corpus and the samples: does it run, and bring what it promises?

``python -m bench.commands [FILES …] [--corpus DIR] [--every N] [--shell N]``: each file is summarized as on the command
line (budgets of 1,000 and 150 tokens), and 100 % of ``reference.commands`` and of the notice's commands are run in
this process, every N-th in a real ``sh`` in an empty directory. Exit 1 when one fails.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path

from mcpcompact.cli.app import main as mcpcompact
from mcpcompact.cli.io import Environment

ROOT = Path(__file__).resolve().parent.parent
BUDGETS = (1_000, 150)
LARGEST = 8 << 20  # bytes: larger files are left to the speed bench


@dataclass
class Tally:
    """What was run, and what did not bring what it promises."""

    files: int = 0
    summaries: int = 0
    commands: int = 0
    in_shell: int = 0
    failures: list[str] = field(default_factory=list)


def run(*words: str, data: bytes = b"") -> tuple[int, bytes, str]:
    """One run of the command line in this process: exit code, stdout, stderr."""
    out, err = io.BytesIO(), io.StringIO()
    stdout = io.TextIOWrapper(out, encoding="utf-8", errors="replace", newline="\n")
    code = mcpcompact(list(words), Environment(io.BytesIO(data), stdout, err))
    stdout.flush()
    return code, out.getvalue(), err.getvalue()


def printed(made: dict[str, object]) -> Iterator[str]:
    """The commands of a summary: of its JSON, and of its notice, with each selector that stands behind "Or with"."""
    yield from made["reference"]["commands"]  # type: ignore[index]
    get = ""
    for line in str(made["text"]).split("\n")[:3]:
        at = line.find("mcpcompact results get ")
        if get and line.startswith("Or with: "):
            yield from (f"{get} {selector}" for selector in line.removeprefix("Or with: ").split(" · "))
        elif at >= 0 and (at < 3 or line.startswith(("[mcpcompact]", "Full: ", "More: ", "Rest: ", "Original: "))):
            get = " ".join(line[at:].split()[:4])
            yield line[at:]


def promise(line: str, out: bytes) -> str:
    """What a command's output lacks of what its selector says; empty when nothing."""
    words = shlex.split(line)
    named = [(word, value) for word, value in zip(words, [*words[1:], ""], strict=True) if word.startswith("--")]
    values = {word.partition("=")[0]: word.partition("=")[2] or value for word, value in named}
    if not out.strip():
        return "" if values.get("--grep") == "TERM" else "nothing came out"
    text = out.decode("utf-8", "replace")
    if (wanted := values.get("--grep")) and wanted not in text and json.dumps(wanted)[1:-1] not in text:
        return f"no {wanted!r} in it"
    if wanted and "-w" in words and not re.search(rf"(?<![\w-]){re.escape(wanted)}(?![\w-])", text, re.I):
        return f"{wanted!r} stands nowhere alone"
    if (wanted := values.get("--id")) and not any(part in text for part in (wanted, wanted.rpartition(".")[0]) if part):
        return f"no {wanted!r} in it"
    if wanted := values.get("--where"):
        value = wanted.partition("=")[2]
        if not any(form.lower() in text.lower() for form in (value, json.dumps(value)[1:-1])):
            return f"no {value!r} in it"
    return ""


def check(path: Path, directory: Path, tally: Tally, shell: int) -> None:
    tally.files += 1
    for budget in BUDGETS:
        code, out, err = run("summarize", str(path), "--budget", str(budget), "--threshold", "100", "--json")
        if code or not out:
            continue  # binary, empty: no summary, no command
        made = json.loads(out)
        if made["reference"] is None:
            continue
        tally.summaries += 1
        for line in dict.fromkeys(printed(made)):
            tally.commands += 1
            code, got, err = run(*shlex.split(line)[1:])
            lacks = promise(line, got) if not code else f"exit {code}: {err.strip()}"
            if lacks:
                tally.failures.append(f"{path.name} at {budget}: {line}\n    {lacks[:200]}")
            elif shell and tally.commands % shell == 0:
                tally.in_shell += 1
                done = subprocess.run(["sh", "-c", line], capture_output=True, cwd=directory, timeout=60)
                if done.returncode or (b"TERM" not in line.encode() and not done.stdout):
                    tally.failures.append(f"{path.name} in sh: {line}\n    exit {done.returncode}: {done.stderr!r}")
        if any(directory.iterdir()):
            tally.failures.append(f"{path.name}: a command made {[p.name for p in directory.iterdir()]}")


def files_of(names: Sequence[str], corpus: Path, every: int) -> list[Path]:
    if names:
        return [Path(name).resolve() for name in names]
    found = sorted(p for p in corpus.rglob("*") if p.is_file() and 0 < p.stat().st_size <= LARGEST)
    samples = sorted(p for p in (ROOT / "samples").iterdir() if p.is_file())
    return samples + found[::every]


def survey(files: Sequence[Path], shell: int = 0) -> Tally:
    """Every command of every file, against a results directory of its own."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as empty:
        before = dict(os.environ)
        os.environ |= {"MCPCOMPACT_RESULTS_DIR": home, "MCPCOMPACT_TELEMETRY": "0"}
        os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        try:
            with chdir(empty):
                for path in files:
                    check(path, Path(empty), tally, shell)
        finally:
            os.environ.clear()
            os.environ |= before
    return tally


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.commands", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus")
    parser.add_argument("--every", type=int, default=1, help="every N-th file of the corpus")
    parser.add_argument("--shell", type=int, default=20, help="every N-th command also in a real shell")
    args = parser.parse_args(argv)
    tally = survey(files_of(args.files, args.corpus, args.every), args.shell)
    print("\n".join(tally.failures))
    good = tally.commands - len(tally.failures)
    print(
        f"{tally.files:,} files, {tally.summaries:,} summaries, {tally.commands:,} commands ({tally.in_shell:,} of them"
    )
    print(f"in a shell too): {good:,} run and bring what they promise, {len(tally.failures):,} do not")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
