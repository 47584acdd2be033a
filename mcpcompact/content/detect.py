"""Which content type an input is: the registry, and a total, bounded choice among its sniffers."""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass

from mcpcompact.errors import UsageError
from mcpcompact.outline import ContentType, Sample, Source, Verdict

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


@dataclass(frozen=True, slots=True)
class Detection:
    """The chosen type, how sure (0–1), why, and what every sniffer said, best first."""

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
    names = ", ".join([*REGISTRY, *third_parties])
    raise UsageError(f"unknown content type '{name}'", hint=f"use one of {names}")


@functools.cache
def _third_parties() -> dict[str, ContentType]:
    """Types that other packages offer. importlib.metadata costs 25 ms, so look for the group's name first."""
    if not _offered(ENTRY_POINTS):
        return {}
    from importlib.metadata import entry_points

    found: dict[str, ContentType] = {}
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda p: p.name):
        try:
            found[point.name] = point.load()
        except Exception:  # a stranger's broken package must not break detection
            continue
    return found


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


def detect(source: Source) -> Detection:
    """The content type of a payload. Never raises, reads a bounded sample, is the same on every machine."""
    sample = Sample(source)
    if not sample.raw.strip():
        return Detection("text", 1.0, "empty" if not sample.size else "blank")
    verdicts: list[tuple[str, float, str]] = []
    for name in [*REGISTRY, *_third_parties()]:
        verdicts.append((name, *_ask(name, sample)))
    ranked = sorted(verdicts, key=lambda v: -v[1])  # stable: registry order breaks ties
    name, score, why = ranked[0]
    if score <= 0:
        return Detection("text", 0.1, "nothing else fits", tuple(ranked))
    return Detection(name, score, why, tuple(ranked))


def _ask(name: str, sample: Sample) -> tuple[float, str]:
    try:
        verdict = load(name).sniff(sample)
    except Exception as error:  # detection is total
        verdict = Verdict(0.0, f"sniffer failed: {type(error).__name__}")
    return verdict.score, verdict.why
