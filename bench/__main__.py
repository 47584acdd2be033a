"""``python -m bench``: every measurement, one after the other; those on recorded data only where it is at hand."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from bench import (
    asked,
    batch,
    budget,
    chunking,
    evidence,
    fidelity,
    masking,
    pagination,
    reading,
    replay,
    speed,
    startup,
    telemetry,
    tokens,
)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer seeds, smaller files: two minutes instead of ten")
    args = parser.parse_args(argv)
    print("# Start-up\n", flush=True)
    startup.main(["--runs", "3" if args.quick else "7"])
    print("\n# Speed and memory\n", flush=True)
    speed.main(["--mb", "20" if args.quick else "100"])
    print("\n# Chunking\n", flush=True)
    chunking.main(["--mb", "2" if args.quick else "10"])
    print("\n# Fidelity\n", flush=True)
    fidelity.main(["--seeds", "3" if args.quick else "20", "--missed", "2"])
    print("\n# What was asked for\n", flush=True)
    asked.main(["--targets", "80"] if args.quick else [])
    print("\n# Masking\n", flush=True)
    masking.main(["--seeds", "3", "--mb", "4"] if args.quick else [])
    print("\n# Telemetry\n", flush=True)
    telemetry.main([])
    print("\n# Batches\n", flush=True)
    batch.main(["--files", "200" if args.quick else "2000"])
    print("\n# Pagination\n", flush=True)
    pagination.main(["--every", "20" if args.quick else "1"])
    if (evidence.corpus() / "transcripts").is_dir():
        print("\n# Chunks of recorded data\n", flush=True)
        chunking.main(["--corpus", *(["--every", "10"] if args.quick else [])])
        print("\n# Reading of recorded sessions\n", flush=True)
        reading.main([])
        print("\n# Estimates of tokens\n", flush=True)
        tokens.main([])
        print("\n# Evidence\n", flush=True)
        evidence.main(["--jobs", "2", *(["--limit", "100"] if args.quick else [])])
        print("\n# Replay\n", flush=True)
        replay.main(["--budget", "1000", "--no-speed"] if args.quick else [])
        print("\n# Budgets\n", flush=True)
        budget.main(["--jobs", "2", "--every", "10" if args.quick else "1"])
    else:
        print("\nEvidence and budgets are measured on recorded data: set MCPCOMPACT_CORPUS to it.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
