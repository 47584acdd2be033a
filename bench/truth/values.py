"""Plain readings of values and figures, independent of the package."""

# ruff: noqa: E501  (rules are one regular expression or claim a line)

from __future__ import annotations

import json
import math
import re
import statistics
from collections import Counter
from typing import Any

MISSING = object()
_SCALE: dict[str, dict[str, float]] = {
    "time": {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400},
    "bytes": {"B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "K": 1024, "M": 1024**2, "G": 1024**3,
              "Ki": 1024, "Mi": 1024**2, "Gi": 1024**3, "KiB": 1024, "MiB": 1024**2, "GiB": 1024**3, "kB": 1e3},
    "freq": {"Hz": 1, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9},
    "percent": {"%": 1},
}  # fmt: skip
_NUMBER = r"[-+]?(?:\d[\d,]*)(?:\.\d+)?(?:[eE][-+]?\d+)?"


def number(text: str) -> float | int | None:
    """A bare number, thousands apart or not."""
    text = text.strip()
    if not re.fullmatch(_NUMBER, text):
        return None
    plain = text.replace(",", "")
    return int(plain) if re.fullmatch(r"[-+]?\d+", plain) else float(plain)


def quantity(text: str) -> tuple[str, float] | None:
    """A number with its kind of unit: ``("time", 0.25)`` of ``250ms``."""
    text = text.strip()
    plain = number(text)
    if plain is not None:
        return "", plain
    money = re.fullmatch(rf"(-?)([$€£])({_NUMBER})", text)
    if money:
        return money[2], float(money[3].replace(",", "")) * (-1 if money[1] else 1)
    parts = re.findall(rf"({_NUMBER})\s*([A-Za-zµ%]+)", text)
    if not parts or "".join(a + b for a, b in parts) != text.replace(" ", ""):
        return None
    for kind, scale in _SCALE.items():
        if all(unit in scale for _, unit in parts):
            return kind, sum(float(n.replace(",", "")) * scale[unit] for n, unit in parts)
    return None


def spellings(value: Any) -> set[str]:
    """How a reader may see a value in a cell or a tally."""
    if value is MISSING:
        return {""}
    if isinstance(value, str):
        return {value, json.dumps(value, ensure_ascii=False), value.strip() or "(empty)"}
    texts = {json.dumps(value, ensure_ascii=False), json.dumps(value, ensure_ascii=False, separators=(",", ":"))}
    if value is True or value is False or value is None:
        return texts
    if isinstance(value, list | dict):
        one = "item" if isinstance(value, list) else "key"
        texts.add(f"{'[{'[one == 'key']}{len(value)} {one}{'s' * (len(value) != 1)}{']}'[one == 'key']}")
    if isinstance(value, list):
        inner = [x if isinstance(x, str) else json.dumps(x) for x in value]
        texts.add(",".join(f"{x} ×{n}" if n > 1 else x for x, n in Counter(inner).items()))
        texts |= {",".join(inner), ", ".join(inner), "[" + ", ".join(inner) + "]"}
    if isinstance(value, dict):
        texts.add("{" + ", ".join(f"{k}: {v}" for k, v in value.items()) + "}")
    return texts


def key(value: Any) -> tuple[str, str]:
    """Values are the same when type and content are (1 and 1.0 are one number)."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return type(value).__name__, str(value)
    if isinstance(value, int | float):
        return "number", repr(float(value)) if abs(value) < 2**53 else str(value)
    return type(value).__name__, json.dumps(value, sort_keys=True)


def flat(record: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Nested fields under their paths; a key that holds a dot is bracketed, a list has ``[]`` behind its name."""
    out: dict[str, Any] = {}
    for name, value in record.items():
        path = (f"{before}.{name}" if before else name) if re.fullmatch(r"[^.\[\]\s]+", name) else f'{before}["{name}"]'
        if isinstance(value, dict) and value:
            out.update(flat(value, path))
        else:
            out[path] = value
    return out


def close(printed: str, truth: float, *, rounded: float = 0.0) -> bool:
    """Whether a printed figure is the truth, rounded as it is printed (``rounded``: a relative slack for few digits)."""
    said = quantity(printed)
    if said is None or math.isnan(truth):
        return False
    digits = re.search(r"\d[\d,]*(?:\.(\d+))?(?:[eE]([-+]?\d+))?", printed)
    unit = 10.0 ** (-len(digits[1] or "") + int(digits[2] or 0)) if digits else 1.0
    factor = 1.0
    tail = re.search(r"([A-Za-zµ]+)$", printed)
    for scale in _SCALE.values():
        if tail and tail[1] in scale and said[0]:
            factor = scale[tail[1]]
            break
    return abs(said[1] - truth) <= max(unit * factor * 0.5000001, rounded * abs(truth), 1e-9 * abs(truth))


def middle(values: list[float]) -> float:
    return float(statistics.median(values))


def uncut(text: str) -> tuple[str, bool]:
    """What stands before the first ``…[+N chars]``, or before the mark behind a part; and whether it was cut."""
    found = re.search(r"…\[\+[\d,]+ chars(?: on \d+ lines)?\]|(?: ·|[,;])? …$", text)
    return (text[: found.start()], True) if found else (text, False)
