"""Writes docs/gallery.md: for each content type the head of a sample and its summary at 150, 300 and 1,000 tokens."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench import oracle

ROOT = Path(__file__).resolve().parent.parent
TOOLS = {
    "barcodes.fasta": ("fasta", "fetch_barcodes", "a list of DNA barcodes"),
    "events.json": ("records", "get_events", "400 deployment events under a key of an answer"),
    "health.json": ("json", "cluster_health", "one nested document"),
    "orders.csv": ("table", "read_query", "600 orders as CSV"),
    "service.log": ("log", "get_logs", "a service's log with one failure"),
    "refactoring.diff": ("diff", "git_diff", "a change over many files"),
    "harbour.py": ("code", "read_file", "a source file"),
    "status.html": ("markup", "fetch", "a web page"),
    "journal.txt": ("text", "read_text", "prose"),
}
BUDGETS = (150, 300, 1000)
HEAD_LINES, HEAD_WIDTH = 8, 160


def head(text: str) -> str:
    """The first lines of an input, long ones cut and said so."""
    lines = text.splitlines()[:HEAD_LINES]
    return "\n".join(
        line if len(line) <= HEAD_WIDTH else f"{line[:HEAD_WIDTH]}…[+{len(line) - HEAD_WIDTH:,} chars]"
        for line in lines
    )


def fenced(text: str) -> str:
    """A fence longer than any run of backticks inside."""
    longest = max((len(run) for run in text.replace("`", " ` ").split() if set(run) == {"`"}), default=0)
    while "`" * max(3, longest) in text:
        longest = max(3, longest) + 1
    fence = "`" * max(3, longest)
    return f"{fence}text\n{text.rstrip()}\n{fence}"


def gallery() -> str:
    from mcpcompact import ResultStore, compact

    out = [
        "# Gallery",
        "",
        "For each content type the head of a tool result and what `mcpcompact summarize` makes of it at "
        "150, 300 and 1,000",
        "tokens (o200k_base, the notice included). Written by `make gallery` from `samples/`; do not edit.",
        "",
    ]
    with tempfile.TemporaryDirectory(prefix="gallery-") as directory:
        # a relative directory, so that no path of this machine gets into the page
        before = os.getcwd()
        os.chdir(directory)
        try:
            store = ResultStore(os.path.join(".mcpcompact", "results"))
            for name, (kind, tool, what) in TOOLS.items():
                data = (ROOT / "samples" / name).read_bytes()
                text = data.decode()
                tokens = oracle.count(text)
                out += [
                    f"## {kind}",
                    "",
                    f"`samples/{name}`: {what}, {len(data):,} bytes, {tokens:,} tokens. It begins:",
                    "",
                    fenced(head(text)),
                    "",
                ]
                for budget in BUDGETS:
                    result = compact(data, budget=budget, threshold=budget, tool=tool, store=store)
                    used = oracle.count(result.text)
                    out += [
                        f"### {kind}, {budget:,} tokens",
                        "",
                        f"{result.method}, {used:,} tokens, {1 - used / tokens:.1%} saved:",
                        "",
                    ]
                    out += [fenced(result.text), ""]
        finally:
            os.chdir(before)
    return "\n".join(out).rstrip() + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.gallery", description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "gallery.md")
    parser.add_argument("--check", action="store_true", help="exit 1 when the page is out of date")
    args = parser.parse_args(argv)
    page = gallery()
    if args.check:
        return 0 if args.output.exists() and args.output.read_text() == page else 1
    args.output.write_text(page)
    print(f"{len(page):,} characters, {len(TOOLS)} content types: {args.output.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
