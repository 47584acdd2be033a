"""A configuration checked whole: every mistake with its path, nothing used of a file that has one."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mcpcompact.config import DEFAULT_BUDGET
from mcpcompact.settings.schema import ANY, Setting, tree

_BITS = 8  # of a byte
_LONG = 40  # characters of a value
Values = dict[tuple[str, ...], Any]  # by steps: ``("mcp_servers", "kubectl", "tools", "get", "budget_tokens") -> 600``

YES, NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")
KINDS: dict[str, tuple[Any, str]] = {
    "bool": (bool, "true or false"),
    "int": (int, "a whole number"),
    "number": ((int, float), "a number"),
    "text": (str, "a text"),
    "texts": (list, "a list of names"),
    "rules": (list, "a list of rules"),
}
"""Of each kind of setting the types that a value may have, and how a message names them."""
RULE_KEYS = ("name", "pattern", "literals", "entropy")


def check(value: object) -> tuple[Values, list[str]]:
    """The settings that a parsed file holds, and its mistakes, one line each that begins with the path."""
    if value is None:
        return {}, []
    if not isinstance(value, Mapping):
        return {}, [f"(top): {_a(value)} where sections are expected: {_names(tree())}"]
    values: Values = {}
    mistakes: list[str] = []
    pending: list[tuple[tuple[str, ...], Mapping[Any, Any], dict[str, Any]]] = [((), value, tree())]
    while pending:
        steps, section, known = pending.pop()
        for key, inner in section.items():
            here = (*steps, str(key))
            below = known.get(str(key), known.get(ANY))
            if not isinstance(key, str) or not key or below is None:
                mistakes.append(f"{dotted(here)}: unknown key{_similar(str(key), known)}")
            elif isinstance(below, Setting):
                if problem := wrong(below, inner):
                    mistakes += [f"{dotted(here)}{line}" for line in problem]
                else:
                    values[here] = tuple(inner) if isinstance(inner, list) else inner
            elif isinstance(inner, Mapping):
                pending.append((here, inner, below))
            elif inner is not None:  # a section whose lines are all commented out is empty
                mistakes.append(f"{dotted(here)}: {_a(inner)} where a section is expected: {_names(below)}")
    mistakes += _thresholds(values)
    return values, sorted(mistakes)


def wrong(known: Setting, value: Any) -> list[str]:
    """What is wrong with the value of a setting; each line continues the setting's path."""
    types, expected = KINDS[known.kind]
    is_bool = isinstance(value, bool)  # which Python takes for a number
    if is_bool != (types is bool) or not isinstance(value, types) or (types is str and not _is_text(value)):
        return [f": {_a(value)} where {expected} is expected"]
    if known.kind == "rules":
        return [f"[{i}]{problem}" for i, rule in enumerate(value) for problem in _rule(rule)]
    if known.kind == "texts":
        return [f"[{i}]: {_a(v)} where a name is expected" for i, v in enumerate(value) if not _is_text(v)]
    if known.choices and value not in known.choices:
        return [f": {value!r} is none of {', '.join(known.choices)}"]
    return _wrong_amount(known, value) if known.kind in ("int", "number") else []


def _wrong_amount(known: Setting, value: float) -> list[str]:
    if not math.isfinite(value):
        return [f": {value} is no amount"]
    if known.minimum is not None and value < known.minimum:
        return [f": {value} is too small, give {known.minimum:g} or more"]
    if known.maximum is not None and value > known.maximum:
        return [f": {value} is too large, give {known.maximum:g} or less"]
    return []


def from_text(known: Setting, text: str) -> Any:
    """The value that an environment variable means; a text that means none comes back as it is, to be found wrong."""
    plain = text.strip()
    if known.kind == "bool":
        meant = plain.lower()
        return meant in YES if meant in YES + NO else text
    if known.kind in ("int", "number"):
        try:
            return int(plain.replace(",", "").replace("_", "")) if known.kind == "int" else float(plain)
        except ValueError:
            return text
    return [part.strip() for part in plain.split(",")] if known.kind == "texts" else plain


def dotted(steps: Iterable[str]) -> str:
    """The path as it is printed. A name that itself holds a dot is quoted."""
    return ".".join(f'"{step}"' if "." in step else step for step in steps)


def _thresholds(values: Values) -> Iterator[str]:
    """A threshold below the budget of its own part would let a result grow between the two."""
    usual = values.get(("defaults", "budget_tokens"), DEFAULT_BUDGET)
    pairs = {"threshold_tokens": "budget_tokens", "size_threshold_tokens": "summary_max_token_limit"}
    for steps, threshold in values.items():
        budget_name = pairs.get(steps[-1])
        if budget_name is None:
            continue
        budget = values.get((*steps[:-1], budget_name), usual)
        if threshold < budget:
            yield f"{dotted(steps)}: {threshold} is below the budget of {budget}, give {budget} or more"


def _rule(rule: object) -> Iterator[str]:
    if not isinstance(rule, Mapping):
        yield f": {_a(rule)} where a rule is expected: {', '.join(RULE_KEYS)}"
        return
    for key in rule:
        if key not in RULE_KEYS:
            yield f".{key}: unknown key{_similar(str(key), RULE_KEYS)}"
    for key in ("name", "pattern"):
        if not _is_text(rule.get(key)):
            yield f".{key}: missing" if key not in rule else f".{key}: a text is expected"
    if _is_text(rule.get("pattern")):
        yield from _pattern(str(rule["pattern"]))
    literals = rule.get("literals", [])
    if not isinstance(literals, list) or not all(_is_text(text) for text in literals):
        yield ".literals: a list of texts is expected"
    entropy = rule.get("entropy", 0)
    if isinstance(entropy, bool) or not isinstance(entropy, (int, float)) or not 0 <= entropy <= _BITS:
        yield f".entropy: bits a character are expected, 0 to {_BITS}"


def _pattern(pattern: str) -> Iterator[str]:
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        yield f".pattern: not a regular expression ({error})"
        return
    if compiled.match(""):
        yield ".pattern: matches the empty text"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _a(value: object) -> str:
    """A value as a message names it."""
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return "a section"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value)
    return text if len(text) <= _LONG else text[:37] + "…"


def _names(known: Mapping[str, Any]) -> str:
    return ", ".join("any name" if name == ANY else name for name in known)


def _similar(key: str, known: Iterable[str]) -> str:
    import difflib

    names = [name for name in known if name != ANY]
    near = difflib.get_close_matches(key, names, 1, 0.6)
    return f", did you mean {near[0]}?" if near else f", known are {', '.join(names)}"
