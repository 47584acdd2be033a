"""What stands beside a payload in its message, said first: a warning or an exit code would be lost otherwise."""

from __future__ import annotations

import json
from typing import Any

from mcpcompact.outline import Fact, Lossless, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

LINE = 400
"""Characters that it takes at most where the payload itself is shortened."""

WHOLE = 2_000
"""Characters up to which it is said whole beside a lossless rendering; beyond, no rendering is lossless."""


ROUTINE = regex(
    r"exit_code: 0|Process exited with code 0|Script completed|Chunk ID: .*|Original token count: \d+"
    r"|Wall time: \d(?:\.\d+)? seconds|Python interpreter: .*"
)
"""Header lines of a shell that say no more than the ``ok`` and the size of the notice do: counted. The time is told
where it took ten seconds and more."""


def say_beside(outline: Outline, beside: dict[str, Any]) -> None:
    """Put what stands ``beside`` the payload (not empty) before the outline's facts and lossless renderings."""
    entries = [f"{key}: {_said(value)}" if value != "" else key for key, value in beside.items()]
    line = "Beside it: " + "; ".join(entries)
    cut = any(fact.text.startswith("The tool itself truncated") for fact in outline.facts)
    telling = [e for e in entries if not (ROUTINE.fullmatch(e) or (cut and e.startswith("Warning: truncated output")))]
    if (rest := len(entries) - len(telling)) and len(entries) > 1:
        telling.append(f"{counted(rest, 'more header line' if telling else 'header line')} above line 1")
    short = "Beside it: " + "; ".join(telling if len(entries) > 1 else entries)
    short = short if len(short) <= LINE else f"{short[:LINE]}…[+{len(short) - LINE:,} chars]"
    outline.facts[:0] = [Fact(short, 0)] * (entries != ["exit_code: 0"])
    outline.lossless = [_behind(line, each) for each in outline.lossless if len(line) <= WHOLE]


def _behind(line: str, form: Lossless) -> Lossless:
    return Lossless(form.how, lambda: f"{line}\n{form.text()}", form.estimate + len(line))


def _said(value: Any) -> str:
    """Text that fills one line as it stands, all else as JSON."""
    return value if isinstance(value, str) and value.isprintable() else json.dumps(value, ensure_ascii=False)
