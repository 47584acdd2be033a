"""Speed and memory: ``summarize`` of large files on one core, against what the libraries alone need in the same run.

NDJSON against ``orjson.loads`` of its lines; a log against reading it, splitting it into lines and one ``re``
over them; FASTA against Biopython's ``SimpleFastaParser``. The floors run in fresh processes, too. Compared is
processor time (user and system), ours of the whole process with its start, the floors' without: other work on the
machine disturbs it less than the clock's, which stands beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from bench.generate import vocabulary as v
from bench.tables import table

LIMITS = {"ndjson": 2.5, "log": 6.0, "fasta": 2.0}
MEMORY_LIMIT = 400.0  # MB
FLOORS = {
    "ndjson": "import sys,time,orjson\n@for line in open(sys.argv[1],'rb'): orjson.loads(line)\n",
    "log": (
        "import sys,time,re\n@"
        "find=re.compile(r'\\b(ERROR|FATAL|WARN|failed|exception)\\b').search\n"
        "for line in open(sys.argv[1],encoding='utf-8',errors='replace').read().split('\\n'): find(line)\n"
    ),
    "fasta": (
        "import sys,time\nfrom Bio.SeqIO.FastaIO import SimpleFastaParser\n@"
        "with open(sys.argv[1]) as stream:\n    for title, sequence in SimpleFastaParser(stream): pass\n"
    ),
}
CLOCKS = "t,w=time.process_time(),time.perf_counter()\n"
REPORT = "print(time.process_time()-t,time.perf_counter()-w)\n"


def write(kind: str, path: Path, size: int, repeats: bool = False) -> None:
    """A file of at least ``size`` bytes in which no line and no sequence comes twice but by chance.

    With ``repeats`` 2 MB of such text come again and again.
    """
    rng = Random(f"speed:{kind}")
    clock = v.Clock(rng, 0.5)
    with path.open("w") as out:
        block = ""
        while out.tell() < size:
            if not repeats or len(block) < 2_000_000:
                text = "".join(_unit(kind, rng, clock) for _ in range(1_000))
                block += text if repeats else ""
            out.write(text if not repeats or len(block) < 2_000_000 else block)


def _unit(kind: str, rng: Random, clock: v.Clock) -> str:
    if kind == "ndjson":
        row = {
            "ts": clock.iso(),
            "level": "info",
            "service": rng.choice(v.SERVICES),
            "host": f"app-{rng.randint(1, 9)}",
            "path": f"/v1/{rng.choice(v.NOUNS)}s/{rng.randint(1, 90_000)}",
            "status": rng.choice((200, 201, 304)),
            "latency_ms": rng.randint(5, 80),
            "trace_id": v.hexid(rng, 16),
            "msg": v.sentence(rng),
        }
        return json.dumps(row, separators=(",", ":")) + "\n"
    if kind == "log":
        return (
            f"{clock.plain()} {rng.choice(('INFO', 'INFO', 'INFO', 'DEBUG', 'WARN')):<5} "
            f"[{rng.choice(v.SERVICES)}-{rng.randint(1, 4)}] "
            f"{rng.choice(('request', 'job', 'lookup'))} id={v.hexid(rng, 8)} {rng.choice(v.VERBS)} "
            f"{rng.choice(v.NOUNS)} "
            f"took {rng.randint(5, 80)} ms\n"
        )
    length = rng.randint(400, 1_600)
    sequence = rng.randbytes(length).translate(_RESIDUES).decode()
    lines = "\n".join(sequence[i : i + 70] for i in range(0, length, 70))
    return f">{v.hexid(rng, 10)} {rng.choice(v.NOUNS)} len={length}\n{lines}\n"


_RESIDUES = bytes(b"ACGT"[byte % 4] for byte in range(256))


def run(command: list[str], environment: dict[str, str]) -> tuple[float, float, float, str]:
    """Processor seconds, seconds of the clock, peak resident MB and output of a process that has one core."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True, preexec_fn=_one_core
    )
    assert process.stdout is not None and process.stderr is not None
    output = process.stdout.read()
    problem = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[-1]}: exit {process.returncode}: {problem[-400:]}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - started, usage.ru_maxrss / 1024, output


def _one_core() -> None:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.speed", description=__doc__.splitlines()[0])
    parser.add_argument("--mb", type=int, default=100)
    parser.add_argument("--kinds", default=",".join(LIMITS))
    parser.add_argument("--runs", type=int, default=1, help="the median of so many, floor and ours in turn")
    parser.add_argument("--no-store", action="store_true", help="without storing the original")
    parser.add_argument(
        "--repeats", action="store_true", help="2 MB of text again and again, as in reads and chatty logs"
    )
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    rows, report = [], {}
    with tempfile.TemporaryDirectory(prefix="speed-") as name:
        results = Path(name) / "results"
        environment = {**os.environ, "MCPCOMPACT_RESULTS_DIR": str(results)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # what is installed has its bytecode: nothing is compiled anew
        for kind in args.kinds.split(","):
            path = Path(name) / f"large.{kind}"
            write(kind, path, args.mb * 1_000_000, args.repeats)
            floors, ours, peaks, clocks = [], [], [], []
            output = ""
            for _ in range(args.runs):
                *_, inside = run(
                    [sys.executable, "-c", FLOORS[kind].replace("@", CLOCKS) + REPORT, str(path)], environment
                )
                seconds, waited = map(float, inside.split())
                floors.append(seconds)
                shutil.rmtree(results, ignore_errors=True)  # what is stored already would not be written again
                store = ["--no-store"] if args.no_store else []
                seconds, clock, peak, output = run(
                    [sys.executable, "-m", "mcpcompact", "summarize", *store, str(path)], environment
                )
                ours.append(seconds)
                peaks.append(peak)
                clocks.append((waited, clock))
            floor, mine, peak = statistics.median(floors), statistics.median(ours), max(peaks)
            ratio = mine / floor
            waited, clock = map(statistics.median, zip(*clocks, strict=True))
            verdict = "met" if ratio <= LIMITS[kind] and peak <= MEMORY_LIMIT else "MISSED"
            rows.append(
                [
                    kind,
                    f"{floor:.2f}",
                    f"{mine:.2f}",
                    f"{ratio:.2f}x",
                    f"{LIMITS[kind]}x",
                    f"{waited:.2f}",
                    f"{clock:.2f}",
                    f"{peak:.0f}",
                    verdict,
                ]
            )
            report[kind] = {
                "floorSeconds": floor,
                "seconds": mine,
                "ratio": ratio,
                "ratioOfBest": min(ours) / min(floors),
                "floorClockSeconds": waited,
                "clockSeconds": clock,
                "peakMb": peak,
                "firstLine": output[:200],
            }
            path.unlink()
    if args.json:
        print(json.dumps({"mb": args.mb, "kinds": report}, indent=2))
        return 0
    print(f"{args.mb} MB each, one core, processor time of the whole process; peak memory limit {MEMORY_LIMIT:.0f} MB")
    print(table(["kind", "floor s", "ours s", "ratio", "limit", "floor clock", "ours clock", "peak MB", ""], rows))
    for kind, values in report.items():
        print(f"  {kind}: {str(values['firstLine']).splitlines()[0] if values['firstLine'] else '(no output)'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
