"""The commented file that ``config init`` writes, and the table of docs/configuration.md: both from the schema."""

from __future__ import annotations

from mcpcompact.settings.schema import SETTINGS, Setting

_EXAMPLES = {
    "defaults.threshold_tokens": "2000",
    "defaults.max_chars": "40000",
    "defaults.notice": "full",
    "defaults.model": "gpt-5",
    "defaults.encoding": "o200k_base",
    "defaults.results_dir": ".mcpcompact/results",
}

_YAML_REST = """
# Limits per server, and per tool of a server. Anything not set here follows the defaults.
# mcp_servers:
#   kubectl:
#     summarization: {enabled: true, size_threshold_tokens: 2000, summary_max_token_limit: 1000}
#     tools:
#       resources_list: {budget_tokens: 600, keep_fields: [name, status], drop_fields: [metadata.managedFields]}
#   filesystem:
#     summarization: {enabled: false}

# The same for a tool of any server:
# tools:
#   get_events: {budget_tokens: 600}

# Models that mcpcompact does not know, or your own window and prices (dollars per million tokens).
# models:
#   my-model: {encoding: o200k_base, context_limit: 128000, safety_margin: 0.9, input_price: 2.5}

# Additional secrets for --mask.
# masking:
#   email: false
#   rules:
#     - {name: badge, pattern: "BADGE-[0-9]{8}", literals: ["BADGE-"]}
"""

_TOML_REST = """
# Limits per server, and per tool of a server. Anything not set here follows the defaults.
# [mcp_servers.kubectl.summarization]
# enabled = true
# size_threshold_tokens = 2000
# summary_max_token_limit = 1000
# [mcp_servers.kubectl.tools.resources_list]
# budget_tokens = 600
# keep_fields = ["name", "status"]
# drop_fields = ["metadata.managedFields"]

# The same for a tool of any server:
# [tools.get_events]
# budget_tokens = 600

# Models that mcpcompact does not know, or your own window and prices (dollars per million tokens).
# [models.my-model]
# encoding = "o200k_base"
# context_limit = 128000
# safety_margin = 0.9
# input_price = 2.5

# Additional secrets for --mask.
# [masking]
# email = false
# rules = [{name = "badge", pattern = "BADGE-[0-9]{8}", literals = ["BADGE-"]}]
"""


def template(extension: str) -> str:
    """The whole file: every setting with its default, all of it commented out, so that it changes nothing yet."""
    toml = extension == ".toml"
    lines = [
        "# mcpcompact's settings. Every value below is the default; remove the '#' in front of what you change.",
        "",
    ]
    section = ""
    for known in SETTINGS:
        if "*" in known.steps or known.steps[0] == "masking":
            continue
        if known.steps[0] != section:
            section = known.steps[0]
            lines += [f"[{section}]" if toml else f"{section}:"]
        lines += [f"{'' if toml else '  '}# {known.what}", _line(known, toml)]
    return "\n".join(lines) + "\n" + (_TOML_REST if toml else _YAML_REST)


def _line(known: Setting, toml: bool) -> str:
    value = _EXAMPLES.get(known.path) if known.default is None else _value(known.default)
    quoted = toml and known.kind == "text"
    told = f'"{value}"' if quoted else value
    return f"# {known.name} = {told}" if toml else f"  # {known.name}: {told}"


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def table() -> str:
    """The Markdown table of all settings."""
    lines = ["| setting | default | what | environment | option |", "|---|---|---|---|---|"]
    for known in SETTINGS:
        default = known.shown or ("not set" if known.default is None or known.default == () else _value(known.default))
        bounds = [f"at least {known.minimum:g}"] if known.minimum not in (None, 0) else []
        bounds += [f"at most {known.maximum:g}"] if known.maximum is not None else []
        bounds += [" or ".join(known.choices)] if known.choices else []
        what = known.what + (f" ({', '.join(bounds)})" if bounds else "")
        env = f"`{known.env}`" if known.env else ""
        option = f"`{known.option}`" if known.option else ""
        lines.append(f"| `{known.path}` | {default} | {what} | {env} | {option} |")
    return "\n".join(lines) + "\n"
