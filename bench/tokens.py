"""Estimates of tokens against exact counts, over recorded tool results: how many are within 5, 10 and 20 %.

``sampled`` is what stands for the count above 4 MB (``mcpcompact.tokens.sample``); since recorded results are smaller,
those of a folder are joined to payloads of 1 MB. ``rule`` is characters / 4 + 20 %, which is shown beside exact counts.
Claude and Gemini: the tokens that one result added to the next prompt, by the recorded usage, against the bounds.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

from bench import oracle
from bench.evidence import corpus
from bench.tables import percent, table
from bench.transcripts import RESULT, transcripts
from mcpcompact.content.detect import detect
from mcpcompact.source import Source
from mcpcompact.tokens import estimate_characters, resolve, sample
from mcpcompact.transcripts import read_transcripts

WITHIN = (5, 10, 20)
JOINED = 1 << 20
MIN = 1_500
"""Tokens of a result from which what else a step adds (headers, reminders) does not decide."""

SHIPPED = ("o200k_base", "cl100k_base")


def payloads(root: Path) -> dict[str, list[str]]:
    """Tool results by the folder they come from, each once."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for top in ("tool_outputs", "logs", "sequences"):
        for path in sorted((root / top).rglob("*")):
            if path.is_file() and not path.name.endswith((".gz", ".zst")):
                found[f"{top}/{path.relative_to(root / top).parts[0]}"][path.read_text("utf-8", "replace")] = None
    for name, _, events in transcripts(root / "transcripts"):
        for event in events:
            if event.kind == RESULT and event.text:
                found[f"transcripts/{name}"][event.text] = None
    return {name: [*texts] for name, texts in sorted(found.items())}


def joined(texts: Sequence[str]) -> Iterator[str]:
    """Neighbours in payloads of at least ``JOINED`` characters; a rest under that is left out."""
    held, size = [], 0
    for text in texts:
        held.append(text)
        size += len(text) + 1
        if size >= JOINED:
            yield "\n".join(held)
            held, size = [], 0


def added(root: Path) -> Iterator[tuple[str, str, str, int, int]]:
    """Model, folder and text of each result that a prompt has more than the one before, the tokens that the provider
    recorded for it, and its o200k tokens."""
    for folder in sorted((root / "transcripts").iterdir()):
        for path in sorted(folder.iterdir()):
            for transcript in read_transcripts(str(path)):
                if not any(family in transcript.model for family in ("claude", "gemini")):
                    continue
                between, before = [], None
                for message in transcript.messages:
                    if message.usage is None:
                        between.append(message)
                        continue
                    if before is not None and len(between) == 1 and between[0].result is not None:
                        text = between[0].result.text
                        more = message.usage.prompt - before.prompt - before.output
                        if message.usage.prompt > before.prompt and (own := oracle.count(text)) >= MIN:
                            yield transcript.model, folder.name, text, more, own
                    between, before = [], message.usage


def shares(name: str, errors: Sequence[float]) -> list[object]:
    middle = sorted(errors)[len(errors) // 2]
    cells = [percent(sum(abs(error) <= most for error in errors), len(errors)) for most in WITHIN]
    return [name, f"{len(errors):,}", *cells, f"{middle:+.1f}", f"{max(errors, key=abs):+.1f}"]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.tokens", description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, default=corpus())
    args = parser.parse_args(argv)
    if not args.corpus.is_dir():
        print("no corpus: set MCPCOMPACT_CORPUS or name one by --corpus")
        return 66
    found = payloads(args.corpus)
    head = ["", "payloads", *(f"within {most} %" for most in WITHIN), "median %", "worst %"]
    vars(import_module("mcpcompact.tokens.count"))["SAMPLE_ABOVE"] = 0
    rows, told = [], 0
    for encoding in SHIPPED:
        errors: list[float] = []
        for texts in found.values():
            for text in joined(texts):
                exact, sampled = oracle.count(text, encoding), sample(Source(text.encode()), encoding)
                errors.append(100 * (sampled.tokens / exact - 1))
                told += abs(errors[-1]) <= sampled.error_percent
        rows.append(shares(f"sampled, {encoding}", errors))
    print(table(head, rows))
    print(f"within the error that is stated for 95 %: {percent(told, sum(int(str(row[1])) for row in rows))}\n")

    rule = {
        name: [100 * (estimate_characters(len(text)) / oracle.count(text) - 1) for text in texts]
        for name, texts in found.items()
    }
    rows = [shares(name, errors) for name, errors in rule.items()]
    rows.append(shares("rule, all", [error for errors in rule.values() for error in errors]))
    print(table(head, rows))

    ratios: dict[str, list[float]] = defaultdict(list)
    inside: dict[str, int] = defaultdict(int)
    for model, folder, text, more, own in added(args.corpus):
        kind = detect(Source(text.encode())).content_type
        low, high = resolve(model, content_type=kind).bounds(own)
        key = f"{'claude' if 'claude' in model else 'gemini'} · {kind} · {folder}"
        ratios[key].append(more / own)
        inside[key] += low <= more <= high
    print()
    rows = []
    for key, values in sorted(ratios.items()):
        values.sort()
        ends = [f"{values[round(at * (len(values) - 1))]:.2f}" for at in (0.05, 0.5, 0.95)]
        rows.append([key, f"{len(values):,}", *ends, percent(inside[key], len(values))])
    print(table(["recorded tokens by o200k's", "results", "5th", "median", "95th", "within the bounds"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
