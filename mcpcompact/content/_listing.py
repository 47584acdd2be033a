"""Listings (``find``, ``git ls-files``, ``ls -R``, ``ls -l``, ``git ls-tree``): a directory at a time, names verbatim."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass

from mcpcompact.content._oddlines import LOUD_DATA, loud_lines
from mcpcompact.outline import MAX_ITEMS, Fact, Item, Keep, Outline
from mcpcompact.patterns import regex

_PATH = regex(r"(?:[A-Za-z]:)?[\w.@+~\-#%=,()\[\]{}$&!']*(?:[/\\][\w.@+~\-#%=,()\[\]{}$&!' ]*)*")
_LONG = regex(r"(?P<mode>[bcdlps\-][rwxsStT\-]{9}[+.@]?)\s+\d+\s+\S+\s+\S+\s+(?P<size>\d+)\s+(?P<date>\S+\s+\d+\s+[\d:]+|\S+ [\d:.]+(?: [+\-]\d{4})?)\s(?P<name>.+)")
_TREE = regex(r"\d{6} (?:blob|tree|commit) [0-9a-f]{40,64}(?:\s+(?P<size>\d+|-))?\t(?P<path>.+)")
_NAMES_A_LINE = 6


@dataclass(slots=True)
class Entry:
    index: int
    directory: str
    name: str
    size: int | None = None
    is_directory: bool = False
    mode: str = ""


def parse(lines: list[str]) -> list[Entry]:
    """The entries of a listing, each with its directory ("" at the root)."""
    entries: list[Entry] = []
    heading = ""
    for index, line in enumerate(lines):
        text = line.strip()
        if not text:
            continue
        if text.endswith(":") and _PATH.fullmatch(text[:-1]):
            heading = text[:-1]
            continue
        long = _LONG.fullmatch(text)
        if long:
            name = long["name"]
            if name not in (".", ".."):
                entries.append(Entry(index, heading, name, int(long["size"]), long["mode"][0] == "d", long["mode"]))
            continue
        tree = _TREE.fullmatch(text)
        path = tree["path"] if tree else text
        if not tree and not _PATH.fullmatch(text):
            continue
        directory, _, name = path.rstrip("/").rpartition("/")
        if heading and not directory:
            directory = heading
        size = int(tree["size"]) if tree and tree["size"] and tree["size"] != "-" else None
        entries.append(Entry(index, directory, name + ("/" if path.endswith("/") else ""), size, path.endswith("/")))
    return entries


def share(lines: list[str]) -> float:
    """The part of the non-blank lines that belongs to a listing, over at most 400 of them."""
    some = [line for line in lines if line.strip() and not line.startswith("total ")][:400]
    if len(some) < 5:
        return 0.0
    good = 0
    for line in some:
        text = line.strip()
        if _LONG.fullmatch(text) or _TREE.fullmatch(text) or (text.endswith(":") and "/" in text and _PATH.fullmatch(text[:-1])):
            good += 1
        elif _PATH.fullmatch(text) and ("/" in text or re.search(r"\.\w{1,8}$", text)):
            good += 1
    return good / len(some)


def outline(lines: list[str]) -> Outline:
    """Facts on directories, kinds and sizes; items are short runs of names under their directory."""
    entries = parse(lines)
    files = [e for e in entries if not e.is_directory]
    by_directory: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_directory[entry.directory].append(entry)
    kinds = Counter(_extension(e.name) for e in files)
    facts = [Fact(f"Listing: {len(entries):,} entries in {len(by_directory):,} directories.", 0)]
    facts.append(Fact("Kinds: " + " · ".join(f"{kind} {n:,}" for kind, n in kinds.most_common(10)), 1))
    tops = Counter(_top(e.directory) for e in entries)
    if len(tops) > 1:
        facts.append(Fact("Most entries: " + " · ".join(f"{top or '.'} {n:,}" for top, n in tops.most_common(8)), 1))
    sizes = [e.size for e in files if e.size is not None]
    if sizes:
        largest = max(files, key=lambda e: e.size or 0)
        facts.append(
            Fact(f"Sizes: {sum(sizes):,} bytes in all, median {sorted(sizes)[len(sizes) // 2]:,}, "
                 f"largest {largest.size:,} {_full(largest)}", 1)
        )  # fmt: skip
    keeps = _odd(entries, files, kinds)
    items: list[Item] = []
    for directory, members in by_directory.items():
        section = f"{directory or '.'}/ ({len(members):,})"
        run: list[Entry] = []
        for entry in members:
            if entry.index in keeps:
                keep, reason = keeps[entry.index]
                items.append(Item(entry.index + 1, entry.index + 1, f"{entry.index + 1}: {entry.mode} {_full(entry)} {'' if entry.size is None else entry.size}".replace(":  ", ": ").rstrip(), keep=keep, reason=reason, template=reason))
                continue
            if run and (len(run) >= _NAMES_A_LINE or entry.index != run[-1].index + 1):
                items.append(_run(run, section))
                run = []
            run.append(entry)
        if run:
            items.append(_run(run, section))
    items.sort(key=lambda item: item.start)
    if len(items) > MAX_ITEMS:
        step = len(items) / MAX_ITEMS
        items = [items[int(i * step)] for i in range(MAX_ITEMS)]
    return Outline(
        content_type="text",
        unit="line",
        total=len(lines),
        headline=f"{len(entries):,} entries in {len(by_directory):,} directories",
        facts=facts,
        items=items,
        more=["--lines A:B"],
        facts_share=0.25,
    )


def _run(run: list[Entry], section: str) -> Item:
    first, last = run[0].index + 1, run[-1].index + 1
    anchor = f"{first}" if first == last else f"{first}-{last}"
    names = "  ".join(e.name if e.size is None else f"{e.name} {e.size}" for e in run)
    return Item(first, last, f"{anchor}: {names}", section=section)


def _odd(entries: list[Entry], files: list[Entry], kinds: Counter[str]) -> dict[int, tuple[Keep, str]]:
    """The one file of its kind, the size far beyond the others, the unusual mode."""
    found: dict[int, tuple[Keep, str]] = {}
    total = len(files)
    single = [kind for kind, n in kinds.items() if n == 1 and kind.startswith(".") and kind.count(".") == 1]
    if total >= 40 and 0 < len(single) <= max(3, total // 100):
        for entry in files:
            kind = _extension(entry.name)
            if kind in single and kind != entry.name:
                found[entry.index] = (Keep.RARE, f"the only {kind} of {total:,} files")
    roots = Counter(_top(e.directory) for e in entries)
    if len(entries) >= 100:
        lone = {r for r, n in roots.items() if n == 1 and r}
        if 0 < len(lone) <= 3:
            for entry in entries:
                if _top(entry.directory) in lone:
                    found.setdefault(entry.index, (Keep.RARE, f"the only entry under {_top(entry.directory)}"))
    sized = sorted((e for e in files if e.size is not None), key=lambda e: e.size or 0)
    if len(sized) >= 20:
        bulk = sized[len(sized) * 95 // 100].size or 1
        for entry in sized[-3:]:
            if (entry.size or 0) > 10 * bulk:
                found.setdefault(entry.index, (Keep.OUTLIER, f"{entry.size:,} bytes, 95 % are below {bulk:,}"))
    modes = Counter(e.mode for e in entries if e.mode)
    if len(entries) >= 40:
        for entry in entries:
            if entry.mode and modes[entry.mode] == 1:
                found.setdefault(entry.index, (Keep.RARE, f"the only one with mode {entry.mode}"))
    starts, at = [], 0
    for entry in entries:
        starts.append(at)
        at += len(entry.name) + 1
    loud = loud_lines("\n".join(e.name for e in entries), starts, [*LOUD_DATA, "core", "crash"], most=2)
    if len(entries) >= 40:
        for one in loud[:6]:
            found.setdefault(entries[one.line].index, (Keep.SEVERE, ""))
    return found


def _full(entry: Entry) -> str:
    return f"{entry.directory}/{entry.name}" if entry.directory else entry.name


def _extension(name: str) -> str:
    stem, dot, last = name.rpartition(".")
    return f".{last}" if dot and stem else name if dot else "(none)"


def _top(directory: str) -> str:
    parts = [p for p in directory.split("/") if p not in ("", ".")]
    return "/".join(parts[:2])
