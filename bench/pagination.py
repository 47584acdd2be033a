"""Pagination: every list at hand is walked, and what a cursor costs.

Over each list of the recorded data (and of three generated kinds without it): at limits 1, 7, 50 and 200, with and
without ``--fields`` and ``--sort``, the pages together are the items of one call with everything, each once, in order;
the total is right; the last page alone has no cursor. No list is left out, and none is walked in part. Then, per size,
the time of a page with a cursor beside that of the same page without one, and of reading the list.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from unittest.mock import patch

from bench.evidence import corpus
from bench.tables import table
from mcpcompact import ResultStore, Source, paginate
from mcpcompact.content.detect import detect
from mcpcompact.errors import InputError
from mcpcompact.inputs.envelope import unwrap
from mcpcompact.paging import pagination, snapshots
from mcpcompact.paging.cursors import Cursors
from mcpcompact.paging.pagination import stream
from mcpcompact.paging.snapshots import reopen
from mcpcompact.results import Store
from mcpcompact.retrieval import units
from mcpcompact.retrieval.lists import Listing, listing, lists_in, names_of
from mcpcompact.retrieval.units import JSON, buffer_of
from mcpcompact.tokens import counter

LIMITS = (1, 7, 50, 200)
LONG = 8
"""Pages from which on a walk is helped (``helped``): half a million of them take minutes then, not hours."""


@contextmanager
def helped() -> Iterator[None]:
    """Places are kept of small lists too, as they are of those from 256 KB on; what would be done again at each page
    with the same outcome, hashing the snapshot and finding the layout of a table, is done once."""
    layouts: dict[tuple[int, bytes], object] = {}
    find = units._layout

    def layout(source: Source) -> object:
        key = (source.size, source.read(0, 65_536))
        if key not in layouts:
            layouts[key] = find(source)
        return layouts[key]

    with (
        patch.object(pagination, "INDEXED_FROM", 0),
        patch.object(snapshots, "HASHED_AT_MOST", 0),
        patch.object(units, "_layout", layout),
    ):
        yield


class Walker:
    """Walks lists and tallies what does not hold."""

    def __init__(self, directory: str) -> None:
        self.root = directory
        self.lists = self.walks = self.pages = self.items = self.long = 0
        self.wrong: list[str] = []
        self.tokens = counter("cl100k_base").count
        self.dearest = 0

    def file(self, path: Path, name: str) -> None:
        self.directory = tempfile.mkdtemp(dir=self.root)
        self.stores = [ResultStore(Path(self.directory) / which) for which in ("plain", "helped")]
        try:
            source = Source(path.read_bytes())
            payload = unwrap(source).source
            kind = detect(payload).content_type
            found = listing(payload, kind)
        except InputError:
            return
        self.walk(source, name, {})
        self.one(source, found, name, "", kind)
        first = next(found.items(), None)
        if first is not None and first.kind == JSON:
            for at, count in lists_in(buffer_of(payload)):
                if at and count:
                    self.one(source, listing(payload, kind, at), name, at, kind)

    def one(self, source: Source, found: Listing, name: str, path: str, kind: str) -> None:
        """The type is given: it was detected once, for ``file``, and in the walk without options."""
        self.lists += 1
        first = next(found.items(), None)
        names = names_of(first) if first is not None else []
        choices: list[dict[str, object]] = [{}] if path else []
        if names:
            choices += [{"fields": names[:2]}, {"sort": f"{names[-1]}:desc"}, {"fields": names[:1], "sort": names[0]}]
        for options in choices:
            self.walk(source, name, {**options, "path": path, "content_type": kind})

    def walk(self, source: Source, name: str, options: dict[str, object]) -> None:
        try:
            every = list(stream(source, **options)[0])  # type: ignore[arg-type]
        except InputError as error:
            if "none of the" not in str(error):
                self.wrong.append(f"{name} {options}: {error}")
            return
        for limit in LIMITS:
            self.walks += 1
            many = len(every) > limit * LONG
            self.long += many
            with helped() if many else nullcontext():
                self.pages_of(source, name, options, limit, every, self.stores[many])

    def pages_of(
        self, source: Source, name: str, options: dict[str, object], limit: int, every: list[str], store: Store
    ) -> None:
        got: list[str] = []
        cursor: str | None = None
        while True:
            page = paginate(
                source if cursor is None else None,
                limit=limit,
                cursor=cursor,
                store=store,
                source_name=name,
                **options,  # type: ignore[arg-type]
            )
            self.pages += 1
            got += page.items
            if page.total_count != len(every):
                self.wrong.append(f"{name} {options} limit {limit}: total {page.total_count}, not {len(every)}")
            if page.next_cursor is None:
                break
            cursor = page.next_cursor
            self.dearest = max(self.dearest, self.tokens(cursor))
            if len(got) >= len(every) or page.whole:
                self.wrong.append(f"{name} {options} limit {limit}: a cursor on the last page")
                break
        self.items += len(got)
        if got != every:
            self.wrong.append(f"{name} {options} limit {limit}: {len(got)} items, not the {len(every)} in order")


def walk_all(every: int, under: str) -> int:
    """Walk the lists; returns how many walks went wrong."""
    root = corpus() / under
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as directory:
        walker = Walker(directory)
        if root.is_dir():
            files = sorted(p for p in root.rglob("*") if p.is_file())
            for path in files[::every]:
                walker.file(path, path.name)
                shutil.rmtree(walker.directory)
        else:
            for name, text in generated(2_000).items():
                path = Path(directory) / name
                path.write_text(text)
                walker.file(path, name)
    seconds = time.perf_counter() - started
    print(
        f"{walker.lists:,} lists, {walker.walks:,} walks, {walker.pages:,} pages, {walker.items:,} items in "
        f"{seconds:,.0f} s; wrong: {len(walker.wrong)}; "
        f"no list left out, {walker.long:,} walks of over {LONG} pages; dearest cursor: {walker.dearest} cl100k tokens"
    )
    for line in walker.wrong[:20]:
        print(f"  {line}")
    return len(walker.wrong)


def generated(count: int) -> dict[str, str]:
    rows = [
        {
            "id": n,
            "guest": f"guest {n % 97}",
            "total": n * 1.5,
            "at": f"2026-03-{n % 28 + 1:02}T10:00:00Z",
            "tags": ["a", n],
        }
        for n in range(count)
    ]
    lines = [json.dumps(row) for row in rows]
    return {
        "list.json": json.dumps({"ok": True, "items": rows}),
        "lines.ndjson": "\n".join(lines) + "\n",
        "rows.csv": "id,guest,total\n" + "".join(f"{r['id']},{r['guest']},{r['total']}\n" for r in rows),
    }


def overhead(counts: Sequence[int]) -> None:
    """What a cursor adds to a page: opening it, finding and hashing the snapshot, issuing the next one."""
    rows = []
    for count in counts:
        for name, text in generated(count).items():
            with tempfile.TemporaryDirectory() as directory:
                store, source = ResultStore(directory), Source(text.encode())
                began = time.perf_counter()
                first = paginate(source, store=store, source_name=name)
                begin = time.perf_counter() - began
                assert first.next_cursor is not None
                cursors = Cursors(store)
                bound = json.dumps(["paginate", "", [], None, 50, None, None])

                def cursor_work(
                    cursor: str = first.next_cursor,
                    cursors: Cursors = cursors,
                    bound: str = bound,
                    store: Store = store,
                ) -> None:
                    opened = cursors.open(cursor, bound)
                    reopen(store, opened.id, None, "")
                    cursors.issue(opened.id, opened.position, bound)

                spent = best(cursor_work)
                reading = best(lambda source=source: sum(1 for _ in stream(source)[0]), 3)  # type: ignore[misc]
                page = best(lambda c=first.next_cursor, s=store: paginate(cursor=c, store=s), 3)  # type: ignore[misc]
                rows.append(
                    [
                        name,
                        f"{count:,}",
                        f"{len(text) / 1e6:.1f}",
                        *(f"{1000 * t:,.1f}" for t in (reading, begin, page, spent)),
                        f"{100 * spent / reading:.1f} %",
                    ]
                )
    head = ["list", "items", "MB", "reading all, ms", "first page", "page by cursor", "of it the cursor", "of reading"]
    print(table(head, rows))


def best(work: Callable[[], object], runs: int = 9) -> float:
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.pagination", description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="walk each Nth file only")
    parser.add_argument("--under", default="", metavar="FOLDER", help="walk only this folder of the recorded data")
    parser.add_argument("--items", default="1000,20000,100000", help="sizes of the generated lists")
    args = parser.parse_args(argv)
    wrong = walk_all(args.every, args.under)
    overhead([int(n) for n in args.items.split(",")])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
