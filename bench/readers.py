"""The readers of recorded sessions: figures against independent counters, files without a reader and damaged ones,
and what detection costs.

    python -m bench.readers                   # the corpus, a line a format; ours : the counter's, where they differ
    python -m bench.readers --against 467f2c4 # and how long that commit takes to read it
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench.counters import COUNTERS, FIELDS, Counted
from bench.oddities import CALLS, DAMAGED, STRANGERS
from bench.tables import percent, table
from mcpcompact.errors import McpcompactError
from mcpcompact.transcripts import Transcript, read_transcripts
from mcpcompact.transcripts.document import Document
from mcpcompact.transcripts.read import detect

ROOT = Path(__file__).parents[1]
ROUNDS = 3
TIMED = """
import sys, time
from mcpcompact.transcripts import read_transcripts

best = 9e9
for _ in range(3):
    began = time.process_time()
    for path in sys.argv[1:]:
        try:
            read_transcripts(path)
        except Exception:
            continue
    best = min(best, time.process_time() - began)
print(best)
"""


def ours(found: Sequence[Transcript]) -> Counted:
    results = [result for transcript in found for result in transcript.results]
    messages = [message for transcript in found for message in transcript.messages]
    used = [m.usage for m in messages if m.usage] or [t.usage for t in found if t.usage]
    values = (
        len(found),
        sum(message.role == "assistant" and not message.continues for message in messages),
        sum(len(transcript.calls) for transcript in found),
        len(results),
        sum(len(result.text) for result in results),
        (sum(usage.prompt for usage in used), sum(usage.output for usage in used)),
        sum(result.is_error for result in results),
    )
    return dict(zip(FIELDS, values, strict=True))


def counters() -> dict[str, Any]:
    more = import_module("bench.counters_new").COUNTERS if find_spec("bench.counters_new") else {}
    return COUNTERS | more


def files(corpus: Path) -> Iterator[Path]:
    for part in ("transcripts", "recordings"):
        for folder in sorted((corpus / part).iterdir()):
            yield from sorted(folder.iterdir())


def compare(corpus: Path) -> bool:
    """A line a format; what the counter leaves out is ``-``."""
    known = counters()
    both: dict[str, list[tuple[Counted, Counted]]] = {}
    unread: dict[str, str] = {}
    for path in files(corpus):
        name = detect(Document(str(path)))
        try:
            found = read_transcripts(str(path))
        except McpcompactError as error:
            unread[f"{path.parent.name}/{path.name}"] = error.line()
            continue
        own = [transcript for transcript in found if transcript.format == name]
        try:
            both.setdefault(name, []).append((ours(own), known[name](path)))
        except (KeyError, TypeError) as error:
            unread[f"{path.parent.name}/{path.name}"] = f"no counter for it as {name}: {error!r}"
    rows, equal = [], True
    for name, pairs in sorted((name, pairs) for name, pairs in both.items() if pairs):
        row = [name, f"{len(pairs):,}"]
        for field in FIELDS:
            checked = [(mine[field], theirs.get(field)) for mine, theirs in pairs]
            left = sum(theirs is None for _, theirs in checked)
            checked = [pair for pair in checked if pair[1] is not None]
            differ = sum(mine != theirs for mine, theirs in checked)
            equal = equal and not differ
            row.append(_cell(added_up([mine for mine, _ in checked]), added_up([t for _, t in checked]), differ, left))
        rows.append(row)
    print(table(["format", "files", *FIELDS], rows))
    print("ours ≠ the counter's (in how many files); (n): the counter cannot tell it of n files, which are left out")
    for name, why in unread.items():
        print(f"not compared: {name}: {why}")
    return equal


def added_up(values: Sequence[Any]) -> Any:
    if values and isinstance(values[0], tuple):
        return tuple(map(sum, zip(*values, strict=True)))
    return sum(values)


def _cell(mine: Any, theirs: Any, differ: int, left: int) -> str:
    def shown(value: Any) -> str:
        return "+".join(f"{part:,}" for part in value) if isinstance(value, tuple) else f"{value:,}"

    if not differ and left and not mine:
        return "-"
    text = f"{shown(mine)} ≠ {shown(theirs)} ({differ})" if differ else shown(mine)
    return f"{text} ({left})" if left else text


def odd() -> bool:
    """Files without a reader and damaged ones: refused, or read with a warning, or read whole all the same."""
    import json

    good = True
    packed = {
        name: value if isinstance(value, bytes) else json.dumps(value).encode() for name, value in STRANGERS.items()
    }
    for title, cases in (("without a reader", packed), ("damaged", DAMAGED)):
        rows = []
        for name, data in cases.items():
            outcome, fine = _outcome(data)
            fine = fine or (cases is DAMAGED and outcome.startswith(f"{CALLS} calls, {CALLS} results"))
            good = good and fine
            rows.append([name, "" if fine else "SILENT", outcome[:110]])
        print(f"\n{len(rows)} files {title}, {sum(not row[1] for row in rows)} refused, warned of or whole")
        print(table(["file", "", "what becomes of it"], rows))
    return good


def _outcome(data: bytes) -> tuple[str, bool]:
    """What is said of a file, and whether that is a refusal or a warning."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "recording"
        path.write_bytes(data)
        try:
            found = read_transcripts(str(path))
        except McpcompactError as error:
            return f"refused: {error.reason.replace(str(path), 'it')}", True
    problems = [problem for transcript in found for problem in transcript.problems]
    calls, results = (
        sum(len(each) for each in some) for some in ([t.calls for t in found], [t.results for t in found])
    )
    told = f"{calls} calls, {results} results as {found[0].format}"
    return f"warned: {'; '.join(problems)} ({told})" if problems else told, bool(problems)


def speed(corpus: Path, against: str) -> None:
    """Detection beside reading, and reading beside another commit, over the files that both read."""
    paths = [str(path) for path in files(corpus)]
    sniffed = read = 9e9
    for _ in range(ROUNDS):
        documents = [Document(path) for path in paths]
        parsed = [(document.root, document.first) for document in documents]  # which reading needs as well
        began = time.process_time()
        for document in documents:
            detect(document)
        between = time.process_time()
        for path in paths:
            try:
                read_transcripts(path)
            except McpcompactError:
                continue
        sniffed, read = min(sniffed, between - began), min(read, time.process_time() - between)
        del documents
    share = f"{1000 * sniffed:.0f} ms, {percent(sniffed, read)}"
    print(f"\nreading {len(parsed):,} files {read:.2f} s, of which detection, parsing aside, {share}")
    if not against:
        return
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", against, "mcpcompact"], cwd=ROOT, capture_output=True, check=True)
        subprocess.run(["tar", "x", "-C", folder], input=archive.stdout, check=True)
        best = {"now": 9e9, against: 9e9}
        for name, root in [("now", str(ROOT)), (against, folder)] * ROUNDS:  # in turns, on a machine that is shared
            done = subprocess.run(
                [sys.executable, "-c", TIMED, *(path for path in paths if "/transcripts/" in path)],
                cwd=root,
                env={**os.environ, "PYTHONPATH": root},
                capture_output=True,
                text=True,
                check=True,
            )
            best[name] = min(best[name], float(done.stdout))
    print(", ".join(f"{name}: {seconds:.3f} s" for name, seconds in best.items()), "for the files that both read")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.readers", description=__doc__.splitlines()[0])
    default = os.environ.get("MCPCOMPACT_CORPUS") or ROOT.parent / "shared" / "corpus"
    parser.add_argument("--corpus", type=Path, default=Path(default))
    parser.add_argument("--against", default="", metavar="COMMIT", help="time this commit's reading as well")
    args = parser.parse_args(argv)
    equal = True
    if (args.corpus / "recordings").is_dir():
        equal = compare(args.corpus)
        speed(args.corpus, args.against)
    else:
        print("no corpus: set MCPCOMPACT_CORPUS or name one by --corpus")
    return 0 if odd() and equal else 1


if __name__ == "__main__":
    raise SystemExit(main())
