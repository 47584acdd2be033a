"""The commented file that ``config init`` writes, from the schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mcpcompact.settings.schema import ANY, SETTINGS

_EXAMPLES: dict[str, Any] = {
    "defaults.threshold_tokens": 2000,
    "defaults.max_chars": 40_000,
    "defaults.notice": "full",
    "defaults.model": "gpt-5",
    "defaults.encoding": "o200k_base",
    "defaults.results_dir": ".mcpcompact/results",
}

_LIMITS = {"enabled": True, "size_threshold_tokens": 2000, "summary_max_token_limit": 1000}
_OF_TOOL = {"budget_tokens": 600, "keep_fields": ["name", "status"], "drop_fields": ["metadata.managedFields"]}
_BADGE = {"name": "badge", "pattern": "BADGE-[0-9]{8}", "literals": ["BADGE-"]}
_REST: dict[str, dict[str, dict[str, Any]]] = {
    "Limits per server, and per tool of a server. Anything not set here follows the defaults.": {
        "mcp_servers.kubectl.summarization": _LIMITS,
        "mcp_servers.kubectl.tools.resources_list": _OF_TOOL,
        "mcp_servers.filesystem.summarization": {"enabled": False},
    },
    "The same for a tool of any server:": {"tools.get_events": {"budget_tokens": 600}},
    "Models that mcpcompact does not know, or your own window and prices (dollars per million tokens).": {
        "models.my-model": {"encoding": "o200k_base", "context_limit": 128000, "input_price": 2.5}
    },
    "Additional secrets for --mask.": {"masking": {"email": False, "rules": [_BADGE]}},
}
"""Examples of what has no default: what they are about, and values by their place in the file."""


def template(extension: str) -> str:
    """The whole file: every setting with its default, all of it commented out, so that it changes nothing yet."""
    of_section, of_value, examples = ("{}:", "  # {}: {}", _as_yaml)
    if extension == ".toml":
        of_section, of_value, examples = ("[{}]", "# {} = {}", _as_toml)
    lines = ["# mcpcompact's settings. Every value below is the default; remove the '#' in front of what you change.\n"]
    section = ""
    for known in SETTINGS:
        if ANY in known.steps or known.steps[0] == "masking":
            continue
        if known.steps[0] != section:
            section = known.steps[0]
            lines.append(of_section.format(section))
        indent = of_value.partition("#")[0]
        value = json.dumps(_EXAMPLES.get(known.path, known.default))
        lines += [f"{indent}# {known.what}", of_value.format(known.name, value)]
    for what, places in _REST.items():
        lines += ["", f"# {what}", *examples(places)]
    return "\n".join(lines) + "\n"


def _as_toml(places: dict[str, dict[str, Any]]) -> Iterator[str]:
    for path, values in places.items():
        yield f"# [{path}]"
        yield from (f"# {name} = {_inline(value, ' = ')}" for name, value in values.items())


def _as_yaml(places: dict[str, dict[str, Any]]) -> Iterator[str]:
    opened: list[str] = []
    for path, values in places.items():
        *outer, last = path.split(".")
        for depth, step in enumerate(outer):
            if opened[: depth + 1] != outer[: depth + 1]:
                yield f"# {'  ' * depth}{step}:"
        opened = outer
        yield f"# {'  ' * len(outer)}{last}: {_inline(values, ': ')}"


def _inline(value: Any, equals: str) -> str:
    """A value on one line, as both formats write it but for what stands between a name and its value."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}{equals}{_inline(inner, equals)}" for name, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(inner, equals) for inner in value) + "]"
    return json.dumps(value)
