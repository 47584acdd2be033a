"""Attributes of spans, however an exporter nests them: as full names, and as the lists that numbered names spell."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.blocks import read_json
from mcpcompact.transcripts.document import mapped


def flat_names(attributes: Any) -> dict[str, Any]:
    """Attributes under their full names, however the exporter nests them."""
    if isinstance(attributes, list):  # OTLP: a list of keys with typed values
        items = [(mapped(item).get("key"), mapped(item).get("value")) for item in attributes]
        return {str(key): next(iter(mapped(value).values()), None) for key, value in items}
    names: dict[str, Any] = {}
    pending = [("", mapped(attributes))]
    while pending:
        before, inner = pending.pop()
        names |= {f"{before}{key}": value for key, value in inner.items() if not isinstance(value, dict)}
        pending += [(f"{before}{key}.", value) for key, value in inner.items() if isinstance(value, dict)]
    return names


def numbered(flat: dict[str, Any], prefix: str) -> Any:
    """``prefix.0.a.b`` and its like as a list of objects; what stands under the prefix itself as it is."""
    if flat.get(prefix) is not None:
        return read_json(flat[prefix])
    top: dict[str, Any] = {}
    for key, value in flat.items():
        if key.startswith(f"{prefix}."):
            at = top
            *path, last = key[len(prefix) + 1 :].split(".")
            for step in path:
                at = at.setdefault(step, {}) if isinstance(at.get(step, {}), dict) else {}
            at[last] = value
    return _listed(top)


def _listed(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    value = {key: _listed(inner) for key, inner in value.items()}
    if value and all(key.isdigit() for key in value):
        return [value[key] for key in sorted(value, key=int)]
    return value
