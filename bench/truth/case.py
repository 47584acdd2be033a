"""What a generator hands over, and what a checker finds."""

# ruff: noqa: E501  (rules are one regular expression or claim a line)

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

R = random.Random
FAILED = ["failed", "ERROR", "timeout", "FEHLER: Datei fehlt", "erreur fatale", "panic: nil map", "失败", "denied"]
FINE = ["ok", "done", "succeeded", "active", "ready", "green"]
WORDS = [
    "amber",
    "basil",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "heron",
    "inlet",
    "juniper",
    "kelp",
    "larch",
    "maple",
    "nettle",
    "onyx",
    "pine",
    "quill",
]
CITIES = ["Oslo", "Turin", "Perth", "Lima", "Accra", "Kyoto", "Łódź", "São Paulo", "東京", "à-côté"]


@dataclass
class Case:
    """An input, and what is known of it. ``rows``: the value of each field of each record, by the name that a reader sees."""

    kind: str
    text: str
    family: str  # which checker
    rows: list[dict[str, Any]] = field(default_factory=list)
    known: dict[str, Any] = field(default_factory=dict)


@dataclass
class Finding:
    line: str
    says: str
    truth: object


@dataclass
class Verdict:
    """``claims`` were read; ``unread`` are lines with a digit or a quantifier that no rule reads."""

    claims: int = 0
    false: list[Finding] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    fact_lines: int = 0

    def claim(self, line: str, says: object, truth: object, *, about: bool = False) -> None:
        self.claims += 1
        if says == truth:
            return
        if isinstance(says, int | float) and isinstance(truth, int | float):
            slack = 0.05 * abs(truth) if about else 1e-9 * abs(truth)
            if abs(says - truth) <= slack:
                return
        self.false.append(Finding(line, str(says)[:300], str(truth)[:300]))
