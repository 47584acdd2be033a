"""Search output (grep, ripgrep, git grep): hits grouped by file, each with its exact line number."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from mcpcompact.content._oddlines import LOUD, LOUD_DATA, Tally, choose, loud_lines
from mcpcompact.outline import MAX_ITEMS, Fact, Item, Keep, Outline

# path:line:text, path:line:column:text, path-line-text (context); a path has a letter and no spaces around it
_HIT = re.compile(r"(?P<path>(?:[A-Za-z]:[\\/])?[^\s:][^:\n]{0,300}?(?::[^\s:]{1,300}?)?)(?P<mark>[:-])(?P<line>\d{1,7})(?P=mark)(?P<rest>.*)")
_HEADING = re.compile(r"(?=.*[./\\\w])[^\s:][^:\n]{0,300}")
_NUMBERED = re.compile(r"(?P<line>\d{1,7})(?P<mark>[:-])(?P<rest>.*)")
_PATHLIKE = re.compile(r"[\w.@+~\-]*[A-Za-z_][^\s:]*(?:[./\\][^\s:]+|file)$|[\w.\-/\\@+~ ]+\.\w{1,8}$|[A-Za-z_][\w\-/]*$")


@dataclass(slots=True)
class Hit:
    index: int  # 0-based line of the payload
    path: str
    line: int
    text: str
    context: bool


def parse(lines: list[str]) -> list[Hit]:
    """The hits of a search output; lines that are none (``--`` separators, notes) are passed over."""
    hits: list[Hit] = []
    heading = ""
    for index, line in enumerate(lines):
        match = _HIT.match(line)
        if match and _is_path(match["path"]):
            hits.append(Hit(index, match["path"], int(match["line"]), match["rest"], match["mark"] == "-"))
            continue
        numbered = _NUMBERED.match(line) if heading else None
        if numbered:
            hits.append(Hit(index, heading, int(numbered["line"]), numbered["rest"], numbered["mark"] == "-"))
        elif line and _HEADING.fullmatch(line) and _is_path(line):
            heading = line
        elif not line:
            heading = ""
    return hits


def _is_path(text: str) -> bool:
    last = text.rsplit(":", 1)[-1]
    return bool(_PATHLIKE.fullmatch(last)) and not last.isdigit() and ("/" in last or "." in last or "\\" in last or last.istitle())


def share(lines: list[str]) -> float:
    """The part of the non-blank lines that belongs to a search output, over at most 400 of them."""
    some = [line for line in lines if line.strip() and line != "--"][:400]
    if len(some) < 2:
        return 0.0
    return len(parse(some)) / len(some)


def outline(lines: list[str]) -> Outline:
    """Facts by file and directory, an item a hit under its file's heading."""
    hits = parse(lines)
    matches = [h for h in hits if not h.context]
    by_file = Counter(h.path for h in matches)
    facts = [Fact(f"Search output: {len(matches):,} matches in {len(by_file):,} files, {len(lines):,} lines.", 0)]
    top = " · ".join(f"{path} {n:,}" for path, n in by_file.most_common(6))
    facts.append(Fact(f"Most matches: {top}", 1))
    kinds = Counter(_extension(path) for path in by_file)
    if len(kinds) > 1:
        facts.append(Fact("Files: " + " · ".join(f"{kind} {n:,}" for kind, n in kinds.most_common(8)), 2))
    keeps = _odd(hits, by_file)
    items = []
    multiple = {path for path, n in Counter(h.path for h in hits).items() if n > 1}
    for hit in hits:
        keep, reason, template = keeps.get(hit.index, (Keep.NONE, "", ""))
        text = hit.text.strip()
        grouped = hit.path in multiple
        items.append(
            Item(
                hit.index + 1,
                hit.index + 1,
                f"{hit.line}: {text}" if grouped else f"{hit.path}:{hit.line}: {text}",
                keep=keep,
                reason=reason,
                template=template,
                weight=0.6 if hit.context else 1.0,
                section=f"{hit.path} ({by_file[hit.path]:,})" if grouped else "",
            )
        )
    if len(items) > MAX_ITEMS:
        step = len(items) / MAX_ITEMS
        items = [items[int(i * step)] for i in range(MAX_ITEMS)]
    first = next(iter(by_file), "PATH")
    return Outline(
        content_type="text",
        unit="line",
        total=len(lines),
        headline=f"{len(matches):,} matches in {len(by_file):,} files",
        facts=facts,
        items=items,
        more=[f"--grep {first.rsplit('/', 1)[-1]}", "--lines A:B"],
        facts_share=0.2,
    )


def _extension(path: str) -> str:
    name = path.rsplit("/", 1)[-1]
    return "." + name.rsplit(".", 1)[-1] if "." in name else name


def _odd(hits: list[Hit], by_file: Counter[str]) -> dict[int, tuple[Keep, str, str]]:
    """Loud matches, values apart from the others of their key, and the one file of its kind or directory."""
    found: dict[int, tuple[Keep, str, str]] = {}
    total = len(by_file)
    for part, what in ((_extension, "extension"), (_root, "directory")):
        groups: Counter[str] = Counter(part(path) for path in by_file)
        rare = [g for g, n in groups.items() if n == 1]
        if total >= 20 and 0 < len(rare) <= max(2, total // 40):
            for hit in hits:
                group = part(hit.path)
                if group in rare and not hit.context:
                    found.setdefault(hit.index, (Keep.RARE, f"the only {what} {group} of {total:,} files", f"{what} {group}"))
    weights = Counter(_root(h.path) for h in hits if not h.context)
    matches = sum(weights.values())
    for hit in hits:
        if matches >= 100 and weights[_root(hit.path)] == 1 and len(weights) <= matches // 20 and not hit.context:
            found.setdefault(hit.index, (Keep.RARE, f"the only match under {_root(hit.path)}", "root"))
    tally = Tally(literals_only=True)
    for n, hit in enumerate(hits):
        tally.add(n, hit.text)
    text = "\n".join(h.text for h in hits)
    starts, at = [], 0
    for hit in hits:
        starts.append(at)
        at += len(hit.text) + 1
    odd = loud_lines(text, starts, [*LOUD, *LOUD_DATA], most=max(1, len(hits) // 100)) if len(hits) >= 20 else []
    numbers = sorted(h.line for h in hits)
    if len(numbers) >= 50:
        high, bulk = numbers[-1], numbers[len(numbers) * 95 // 100]
        if high > 5 * max(bulk, 1):
            for hit in hits:
                if hit.line == high:
                    found.setdefault(hit.index, (Keep.OUTLIER, f"line {high:,}, 95 % are below {bulk:,}", "line"))
    for n, one in choose([*odd, *tally.odd(least=12)]).items():
        found.setdefault(hits[n].index, (one.keep, one.reason, one.template))
    return found


def _root(path: str) -> str:
    parts = path.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]
