"""Which content type an input is: the registry, and a total, bounded choice among its sniffers."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

from mcpcompact.errors import UsageError, meant
from mcpcompact.outline import ContentType, Verdict
from mcpcompact.source import Sample, Source

REGISTRY: dict[str, str] = {
    # name -> module with a TYPE object. At equal scores the earlier one wins: the more specific stands first.
    "fasta": "mcpcompact.content.fasta",
    "diff": "mcpcompact.content.diff",
    "records": "mcpcompact.content.records",
    "json": "mcpcompact.content.json",
    "markup": "mcpcompact.content.markup",
    "table": "mcpcompact.content.table",
    "log": "mcpcompact.content.log",
    "code": "mcpcompact.content.code",
    "text": "mcpcompact.content.text",
}

ENTRY_POINTS = "mcpcompact.content"

CERTAIN = 0.96
"""A claim that no other built-in type contests: they are not asked (nor imported) unless all verdicts are wanted."""

MIN = 0.15  # what text claims of anything: less need not be looked for

_OPENINGS = {
    ("{", "["): "records json",
    ("<",): "markup",
    (">", "@", ";"): "fasta",
    ("-", "+"): "diff",
    tuple("0123456789"): "log",  # of a time
    ("import ", "from ", "package ", "#include", "#!", "//", "/*", '"""', "using ", "use ", "const "): "code",
}
"""Who is asked first, by what the input begins with. It saves time; a type needs no entry."""
_SEPARATORS = ",;\t|"  # of which the first line of a table has two and more


class Detection(NamedTuple):
    """The chosen type, how sure (0–1), why, and what the sniffers that were asked said, best first."""

    content_type: str
    score: float
    why: str
    verdicts: tuple[tuple[str, float, str], ...] = ()


@functools.cache
def load(name: str) -> ContentType:
    """The content type of that name, built in or from an entry point. Raises ``UsageError`` for an unknown one."""
    module = REGISTRY.get(name)
    if module is not None:
        return importlib.import_module(module).TYPE  # type: ignore[no-any-return]
    third_parties = _third_parties()
    if name in third_parties:
        return third_parties[name]
    names = [*REGISTRY, *third_parties]
    raise UsageError(f"unknown content type '{name}'", hint=f"{meant(name, names)}use one of {', '.join(names)}")


@functools.cache
def _third_parties() -> dict[str, ContentType]:
    """Types of other packages. importlib.metadata costs 25 ms, so the group's name is looked for first (½ ms)."""
    if not _offered(ENTRY_POINTS):
        return {}
    from importlib.metadata import entry_points

    types: dict[str, ContentType] = {}
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda p: p.name):
        try:
            types[point.name] = point.load()
        except Exception:  # a stranger's broken package must not break detection
            continue
    return types


def _offered(group: str) -> bool:
    import os
    import sys

    needle = f"[{group}]".encode()
    for directory in dict.fromkeys(sys.path):
        try:
            names = [n for n in os.listdir(directory or ".") if n.endswith((".dist-info", ".egg-info"))]
        except OSError:
            continue
        for name in names:
            try:
                with open(os.path.join(directory, name, "entry_points.txt"), "rb") as stream:
                    if needle in stream.read():
                        return True
            except OSError:
                continue
    return False


def detect(source: Source, *, explain: bool = False, named: Callable[[], str] = str) -> Detection:
    """The content type of a payload. Never raises, reads a bounded sample, is the same on every machine.

    The built-in types are asked in an order that the first character gives, until one is ``CERTAIN``;
    those of other packages always. The highest score wins. ``explain`` asks the rest too, for their verdicts only.
    ``named`` tells the language of the source that the call names.
    """
    sample = Sample(source)
    sample.named = named
    if not sample.raw.strip():
        return Detection("text", 1.0, "empty" if not sample.size else "blank")
    order = _order(sample)
    verdicts: list[tuple[str, float, str]] = []
    sample.claimed = 0.0 if explain else MIN
    for name in order:
        verdicts.append(_ask(name, sample))
        if verdicts[-1][1] >= CERTAIN:
            break
        sample.claimed = 0.0 if explain else max(sample.claimed, verdicts[-1][1])
    verdicts += [_ask(name, sample) for name in _third_parties()]
    best = _ranked(verdicts)[0]
    if explain:
        verdicts += [_ask(name, sample) for name in order]
    ranked = tuple(_ranked(verdicts))
    return Detection(*best, ranked) if best[1] > 0 else Detection("text", 0.1, "nothing else fits", ranked)


def _order(sample: Sample) -> Iterator[str]:
    opening = sample.head.lstrip("\ufeff \t\r\n")
    first = next((names.split() for begins, names in _OPENINGS.items() if opening.startswith(begins)), [])
    line = opening.partition("\n")[0]
    if not first and any(line.count(separator) > 1 for separator in _SEPARATORS):
        first = ["table"]
    yield from first
    yield from (name for name in REGISTRY if name not in first)


def _ranked(verdicts: list[tuple[str, float, str]]) -> list[tuple[str, float, str]]:
    """Best first; at equal scores in the registry's order, other packages' types behind it by name."""
    places = {name: i for i, name in enumerate(REGISTRY)}
    return sorted(verdicts, key=lambda v: (-v[1], places.get(v[0], len(places)), v[0]))


def _ask(name: str, sample: Sample) -> tuple[str, float, str]:
    try:
        verdict = load(name).sniff(sample)
    except Exception as error:  # detection is total
        verdict = Verdict(0.0, f"sniffer failed: {type(error).__name__}")
    return name, verdict.score, verdict.why
