"""Search output (grep, ripgrep, git grep): hits verbatim with path and line, facts by file and kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from mcpcompact.content._oddlines import LOUD, Odd, Tally, choose, loud_lines, place, single_shapes
from mcpcompact.content._paths import extension, is_path, parent
from mcpcompact.content._plainlines import bounded, is_wrapper, states
from mcpcompact.content._textodd import far_numbers
from mcpcompact.outline import Fact, Item, Keep, Outline
from mcpcompact.patterns import regex
from mcpcompact.shell import selector
from mcpcompact.slotted import dataclass

PATH_MOST = 400
"""Characters a path may have. All looks at a line are bounded by it, so no line can be hostile."""

_MARK = regex(r":(\d{1,9}):")
_CONTEXT = regex(r"-(\d{1,9})-")
_NUMBERED = regex(r"(\d{1,7})([:-])")
_SAMPLE = 400
_RAISES = ("raise ", "throw ", "panic!(", "panic(", "abort(")
_LOUD = ("failed", "failure", "fatal", "broken", "unreachable", "expired", "CrashLoop")  # code is full of "error"


@dataclass(slots=True)
class Hit:
    """One line of a search output; ``line`` is 0 where the search printed none (``grep -r`` without ``-n``)."""

    index: int  # 0-based line of the payload
    path: str
    line: int
    text: str
    context: bool


def parse(lines: Sequence[str]) -> list[Hit]:
    """The hits of a search output; lines that are none (``--`` separators, notes) are passed over."""
    hits: list[Hit] = []
    known: dict[str, bool] = {}  # what was asked before: most hits repeat the path of the one before
    heading = ""
    for index, line in enumerate(lines):
        if not line:
            heading = ""
            continue
        hit = _hit(index, line, known) or (_under(index, line, heading) if heading else None)
        if hit:
            hits.append(hit)
        elif len(line) <= PATH_MOST and is_path(line):
            heading = line
    return hits


def _hit(index: int, line: str, known: dict[str, bool]) -> Hit | None:
    match = _MARK.search(line, 1, PATH_MOST)
    if match and _known(line[: match.start()], known):
        return Hit(index, line[: match.start()], int(match[1]), line[match.end() :], False)
    for match in _CONTEXT.finditer(line, 1, PATH_MOST):
        if _known(line[: match.start()], known):
            return Hit(index, line[: match.start()], int(match[1]), line[match.end() :], True)
    at = line.find(":", 2, PATH_MOST)
    if at > 0 and line[at + 1 : at + 3] != "//" and "/" in line[:at] and _known(line[:at], known):
        return Hit(index, line[:at], 0, line[at + 1 :], False)
    return None


def _known(path: str, known: dict[str, bool]) -> bool:
    if path not in known:
        known[path] = is_path(path)
    return known[path]


def _under(index: int, line: str, heading: str) -> Hit | None:
    match = _NUMBERED.match(line)
    return Hit(index, heading, int(match[1]), line[match.end() :], match[2] == "-") if match else None


def share(lines: Iterable[str]) -> float:
    """The part of the non-blank lines that belongs to a search output, over at most 400 of them."""
    some: list[str] = []
    for line in lines:
        if line.strip() and line != "--":
            some.append(line)
            if len(some) >= _SAMPLE:
                break
    return len(parse(some)) / len(some) if len(some) >= 2 else 0.0


def outline(lines: list[str]) -> Outline:
    """Facts by file and kind; an item a hit, under its file's path where the file has several."""
    hits = parse(lines)
    by_file = Counter(h.path for h in hits if not h.context)
    matches = by_file.total()
    facts = [
        Fact(f"Search output: {matches:,} matches in {len(by_file):,} files, {len(lines):,} lines.", 0),
        *states(lines),
    ]
    if len(by_file) > 3:  # names alone: the hits show the paths
        top = " · ".join(f"{path.rpartition('/')[2][:40]} {n:,}" for path, n in by_file.most_common(3))
        facts.append(Fact(f"Most matches: {top}", 1))
    first = next(iter(by_file), "")
    return Outline(
        content_type="text",
        unit="line",
        total=len(lines),
        headline=f"{matches:,} matches in {len(by_file):,} files",
        facts=facts,
        items=bounded(_items(lines, hits, _odd(hits, by_file))),
        more=[selector("--grep", first.rpartition("/")[2], ("--lines", "A:B")), ("--lines", "A:B")],
        facts_share=0.05,
    )


def _items(lines: list[str], hits: list[Hit], keeps: dict[int, tuple[Keep, str, str]]) -> list[Item]:
    found = {hit.index: hit for hit in hits}
    counts = Counter(hit.path for hit in hits)
    items = []
    for index, line in enumerate(lines):
        hit = found.get(index)
        weight = 1.0
        if hit is None:
            if line in counts or not line.strip("- ") or is_wrapper(line):  # a heading stands over its hits already
                continue
            text = f"{index + 1} {line.strip()}"
        elif not hit.line:
            text = f"{index + 1} {hit.path}: {hit.text.strip()}"
        else:
            text = f"{hit.path}:{hit.line}: {hit.text.strip()}"
        if hit and hit.context:
            weight = 0.6
        keep, reason, template = keeps.get(index, (Keep.NONE, "", ""))
        at = -1 if not keep else 0 if template.startswith("only ") else place(template, text)
        items.append(Item(index + 1, index + 1, text, keep, reason, template, weight, at=at))
    return items


def _odd(hits: list[Hit], by_file: Counter[str]) -> dict[int, tuple[Keep, str, str]]:
    """Loud matches, values apart from the others of their key, and the one file of its kind or directory."""
    found: dict[int, tuple[Keep, str, str]] = {}
    total, matches = len(by_file), by_file.total()
    for part, what in ((extension, "extension"), (parent, "directory")):
        named = {path: part(path) for path in by_file}
        files, lines = Counter(named.values()), Counter[str]()
        for path, n in by_file.items():
            lines[named[path]] += n
        rare = {g for g, n in lines.items() if n == 1 and files[g] == 1}
        if total < 20 or matches < 60 or not 0 < len(rare) <= max(2, len(files) // 20):
            continue
        for hit in hits:
            if not hit.context and named[hit.path] in rare:
                group = named[hit.path]
                found.setdefault(hit.index, (Keep.RARE, f"the only match in {what} {group}", f"only {what} {group}"))
    if len(hits) < 20:
        return found
    tally = Tally(literals_only=True)
    starts, at = [], 0
    for n, hit in enumerate(hits):
        tally.add(n, hit.text)
        starts.append(at)
        at += len(hit.text) + 1
    loud = loud_lines(
        "\n".join(h.text for h in hits), starts, [*LOUD, *_LOUD], most=max(1, len(hits) // 100), skip=("Traceback",)
    )
    odd = [*loud, *tally.odd(least=12), *far_numbers([h.text for h in hits])]
    raising = [n for n, h in enumerate(hits) if h.text.lstrip().startswith(_RAISES)]
    if len(raising) <= len(hits) // 200:
        odd += [Odd(n, Keep.SEVERE, "", "raises") for n in raising]
    odd += single_shapes([h.text for h in hits], range(len(hits)), edges=False)
    for n, one in choose(odd).items():
        found.setdefault(hits[n].index, (one.keep, one.reason, one.template))
    numbers = sorted(h.line for h in hits)
    high, bulk = numbers[-1], numbers[len(numbers) * 95 // 100]
    if len(numbers) >= 50 and high > 20 * max(bulk, 50):
        for hit in hits:
            if hit.line == high:
                found.setdefault(hit.index, (Keep.OUTLIER, f"line {high:,}, 95 % are below {bulk:,}", "line"))
    return found
