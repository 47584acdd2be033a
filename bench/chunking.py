"""Chunking: side by side with other chunkers on one large log, and every promise checked over recorded data.

``python -m bench.chunking`` cuts a generated log by characters and by tokens and compares speed (processor time),
chunks that start inside a stack trace, and whether the chunks are the input byte for byte. The others come with the
extra ``bench``; one that is not installed is named. ``--corpus`` reads every file of the recorded data at four sizes
and checks each chunk by slicing the file and by the independent token counter.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from bench import oracle
from bench.evidence import corpus
from bench.tables import table
from mcpcompact.content.detect import detect
from mcpcompact.inputs.reading import open_source
from mcpcompact.paging.chunking import chunks
from mcpcompact.paging.splitting import Measure, Splitter
from mcpcompact.source import Source

SIZES = (100, 500, 2_000, 8_000)
TRACE = re.compile(
    rb"^[ \t]*Traceback \(most recent call last\):.*\n"
    rb"(?:[ \t]+\S.*\n|[ \t]*\n(?=[ \t]+(?:File|\^)))*(?:[A-Za-z_].*\n?)?"
    rb"|^.*\n(?:[ \t]+at [\w.$<>/]+\(.*\n?|Caused by: .*\n?|[ \t]*\.\.\. \d+ (?:more|common).*\n?)+",
    re.MULTILINE,
)
"""A Python or Java stack trace with the line that it belongs to; an own definition, to check the project's by."""


class Traces:
    """Where the stack traces of a text are."""

    def __init__(self, data: bytes) -> None:
        spans = [match.span() for match in TRACE.finditer(data)]
        self.starts, self.ends = [start for start, _ in spans], [end for _, end in spans]

    def around(self, at: int) -> bool:
        """Whether ``at`` is inside one: behind its first byte and before its end."""
        place = bisect_right(self.starts, at - 1) - 1
        return place >= 0 and at < self.ends[place]


# -- every promise, over recorded data ----------------------------------------------------------


def check(root: Path, sizes: Sequence[int], every: int) -> int:
    names = [path for path in sorted(root.rglob("*")) if path.is_file()][::every]
    rows, bad = [], []
    for size in sizes:
        made = full = torn = forced = over = files = 0
        began, read, fill = time.process_time(), 0, 0
        for path in names:
            source = open_source(str(path))
            data = source.data
            log = detect(source).content_type == "log"
            traces = Traces(data) if log else None
            at, feeds, total = 0, 0, 0
            files, read = files + 1, read + len(data)
            for one in chunks(source, tokens=size):
                made, total = made + 1, total + 1
                if one.index != one.total:
                    full, fill = full + 1, fill + one.tokens
                text = data[one.start_byte : one.end_byte].decode("utf-8", "replace")
                first = feeds + 1
                feeds += data.count(b"\n", one.start_byte, one.end_byte)
                last = feeds + (data[one.end_byte - 1 : one.end_byte] != b"\n")
                exact = (one.start_byte, one.start_line, one.end_line, one.text) == (at, first, last, text)
                if not exact or one.data != data[at : one.end_byte] or one.index != total:
                    bad.append(f"{path} at {size}: chunk {one.index} is not what its numbers say")
                at = one.end_byte
                tokens = oracle.count(text)
                if tokens > size or tokens != one.tokens:
                    over += 1
                    bad.append(f"{path} at {size}: chunk {one.index} has {tokens} tokens, said {one.tokens}")
                if traces and traces.around(one.start_byte):
                    torn, forced = torn + (not one.split), forced + bool(one.split)
                    if not one.split:
                        bad.append(f"{path} at {size}: chunk {one.index} starts inside a stack trace")
            if at != len(data):
                bad.append(f"{path} at {size}: {len(data) - at:,} bytes are missing")
        seconds = time.process_time() - began
        share = f"{fill / max(1, full) / size:.0%}"
        rows.append([f"{size:,}", f"{files:,}", f"{made:,}", share, over, torn, forced, f"{read / seconds / 1e6:.1f}"])
    head = ["tokens", "files", "chunks", "filled", "over", "in a trace", "trace too long", "MB/s with the check"]
    print(table(head, rows))
    print("\n".join(bad[:40]) or "\nEvery chunk is within its limit and exactly the bytes and lines that it names.")
    return 1 if bad else 0


# -- side by side -------------------------------------------------------------------------------


def log(size: int) -> str:
    """A service log in which one entry of fifty carries a stack trace, Python's or Java's."""
    rng = Random("chunking")
    out: list[str] = []
    made = second = 0
    while made < size:
        second += 1
        clock = (
            f"2026-03-{1 + second // 86_400:02d} {second // 3600 % 24:02d}:{second // 60 % 60:02d}:{second % 60:02d}"
        )
        head = f"{clock},{rng.randrange(1000):03d} {{}} [worker-{rng.randrange(8)}] com.example.orders.Handler - "
        request = f"request {rng.randrange(1 << 32):08x}"
        if rng.random() < 0.02:
            entry = head.format("ERROR") + f"{request} failed after {rng.randrange(900)} ms\n" + _trace(rng)
        else:
            entry = (
                head.format("INFO") + f"{request} served in {rng.randrange(900)} ms for user {rng.randrange(5000)}\n"
            )
        out.append(entry)
        made += len(entry)
    return "".join(out)


def _trace(rng: Random) -> str:
    frames = range(rng.randrange(3, 12))
    if rng.random() < 0.5:
        lines = [
            f'  File "/srv/orders/{rng.choice(("api", "db", "queue"))}.py", line {rng.randrange(900)}, in step_{n}\n'
            f"    return self.client.call(payload, timeout={rng.randrange(60)})\n"
            for n in frames
        ]
        tail = f"ConnectionError: upstream 10.0.{rng.randrange(256)}.7 refused after {rng.randrange(30)} tries\n"
        return "Traceback (most recent call last):\n" + "".join(lines) + tail
    lines = [f"\tat com.example.orders.Step{n}.run(Step{n}.java:{rng.randrange(900)})\n" for n in frames]
    return f"java.io.IOException: broken pipe {rng.randrange(999)}\n" + "".join(lines) + "\t... 12 more\n"


Cut = Callable[[str], "list[str]"]


def ours(size: int, encoding: str | None) -> Cut:
    def cut(text: str) -> list[str]:
        data = text.encode()
        spans = Splitter("log", "auto", Measure(encoding), size).split(Source(data))
        return [data[span.start : span.end].decode() for span in spans]

    return cut


def contenders(size: int, tokens: bool) -> Iterator[tuple[str, Callable[[], Cut]]]:
    """Each set to keep white space where it can; made when asked for, since it may not be installed."""
    from mcpcompact.tokens.bulk import encoding

    def semantic() -> Cut:
        from semantic_text_splitter import TextSplitter

        made = (
            TextSplitter.from_tiktoken_model("gpt-4o", size, trim=False) if tokens else TextSplitter(size, trim=False)
        )
        return lambda text: list(made.chunks(text))

    def chonkie(name: str) -> Cut:
        import chonkie as library

        tokenizer = encoding("o200k_base") if tokens else "character"
        made = getattr(library, name)(tokenizer, chunk_size=size)
        return lambda text: [one.text for one in made.chunk(text)]

    def langchain() -> Cut:
        from langchain_text_splitters import RecursiveCharacterTextSplitter

        encode = encoding("o200k_base").encode_ordinary
        made = RecursiveCharacterTextSplitter(
            chunk_size=size,
            chunk_overlap=0,
            strip_whitespace=False,
            length_function=(lambda text: len(encode(text))) if tokens else len,
        )
        cut: Cut = made.split_text
        return cut

    yield "mcpcompact", lambda: ours(size, "o200k_base" if tokens else None)
    yield "semantic-text-splitter", semantic
    yield "chonkie TokenChunker", lambda: chonkie("TokenChunker")
    yield "chonkie RecursiveChunker", lambda: chonkie("RecursiveChunker")
    yield "langchain Recursive", langchain


def compare(text: str, size: int, tokens: bool) -> None:
    data = text.encode()
    traces = Traces(data)
    rows = []
    for name, make in contenders(size, tokens):
        try:
            cut = make()
        except ImportError as error:
            rows.append([name, f"not installed ({error.name}): pip install 'mcpcompact[bench]'", "", "", "", ""])
            continue
        cut(text[:200_000])  # what is loaded at the first use
        times: list[float] = []
        parts: list[str] = []
        while len(times) < 3 and sum(times) < 5:
            began = time.process_time()
            parts = cut(text)
            times.append(time.process_time() - began)
        at = torn = 0
        for part in parts:
            place = data.find(part.encode(), at)
            at = max(place, at)
            torn += traces.around(at)
            at += len(part.encode()) if place >= 0 else 0
        over = sum(oracle.count(part) > size if tokens else len(part) > size for part in parts)
        lossless = "yes" if "".join(parts) == text else "no"
        rows.append(
            [name, f"{len(data) / 1e6 / min(times):.1f}", f"{len(parts):,}", f"{torn:,}", f"{over:,}", lossless]
        )
    print(table(["by tokens" if tokens else "by characters", "MB/s", "chunks", "in a trace", "over", "lossless"], rows))


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.chunking", description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", action="store_true", help="check every promise over the recorded data")
    parser.add_argument("--every", type=int, default=1, help="of the recorded data, every N-th file")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--mb", type=float, default=10)
    args = parser.parse_args(argv)
    if args.corpus:
        return check(corpus(), args.sizes, args.every)
    text = log(int(args.mb * 1e6))
    print(f"A log of {len(text) / 1e6:.1f} MB, chunks of 4,000 characters, then of 1,000 tokens (o200k_base)\n")
    compare(text, 4_000, tokens=False)
    print()
    compare(text, 1_000, tokens=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
