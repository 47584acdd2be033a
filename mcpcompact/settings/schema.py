"""Every setting, once: its place in the file, kind, default, bounds, environment variable and option.

The check of a file, ``config init``, ``config show`` and the table in docs/configuration.md are made from this table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mcpcompact.config import CHUNK_TOKENS, CURSOR_TTL, DEFAULT_BUDGET, MIN_BUDGET, MOST_PAGE_ITEMS, PAGE_ITEMS

ANY = "*"
"""A step of a path that stands for any name: a server, a tool, a model."""

READERS = ("mcpcompact", "tools", "shell", "read", "none")
NOTICES = ("full", "short", "none")
ENCODINGS = ("o200k_base", "cl100k_base")
COMMANDS = ("summarize", "run", "count", "chunk", "paginate", "replay", "results", "stats")


@dataclass(frozen=True, slots=True)
class Setting:
    """``path`` by dots from the top of a file. ``kind`` is int, number, bool, text, texts (a list) or rules.

    ``minimum`` and ``maximum`` are inclusive. ``shown`` is how a default that depends on others reads.
    """

    path: str
    kind: str
    default: Any
    what: str
    env: str = ""
    option: str = ""
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    shown: str = ""

    @property
    def steps(self) -> tuple[str, ...]:
        return tuple(self.path.split("."))

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]


def _limits(prefix: str, budget: str, threshold: str) -> tuple[Setting, ...]:
    """The two limits of a kind of result, under the names of that part of the file."""
    return (
        Setting(f"{prefix}.{threshold}", "int", None, "results of at most so many tokens pass untouched", minimum=100),
        Setting(f"{prefix}.{budget}", "int", None, "most tokens of a summary, notice included", minimum=MIN_BUDGET),
    )


def _tool(prefix: str) -> tuple[Setting, ...]:
    return (
        Setting(f"{prefix}.enabled", "bool", None, "false: results of this tool always pass untouched"),
        *_limits(prefix, "budget_tokens", "threshold_tokens"),
        Setting(f"{prefix}.keep_fields", "texts", (), "only these fields of its records are shown (all are stored)"),
        Setting(f"{prefix}.drop_fields", "texts", (), "fields that are never shown, such as schemas and debug noise"),
        Setting(f"{prefix}.notice", "text", None, "how much the notice says", choices=NOTICES),
        Setting(f"{prefix}.mask", "bool", None, "replace secrets before anything is stored or shown"),
    )


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "defaults.budget_tokens",
        "int",
        DEFAULT_BUDGET,
        "most tokens of a summary, notice included",
        "MCPCOMPACT_BUDGET_TOKENS",
        "--budget",
        minimum=MIN_BUDGET,
    ),
    Setting(
        "defaults.threshold_tokens",
        "int",
        None,
        "results of at most so many tokens pass untouched",
        "MCPCOMPACT_THRESHOLD_TOKENS",
        "--threshold",
        minimum=100,
        shown="2 × budget",
    ),
    Setting(
        "defaults.max_chars",
        "int",
        None,
        "most characters of a result, besides the budget",
        "MCPCOMPACT_MAX_CHARS",
        "--max-chars",
        minimum=200,
        shown="no limit",
    ),
    Setting(
        "defaults.reader",
        "text",
        "mcpcompact",
        "the tools that the reader has to get the rest",
        "MCPCOMPACT_READER",
        "--reader",
        choices=READERS,
    ),
    Setting(
        "defaults.notice",
        "text",
        None,
        "how much the notice says",
        "MCPCOMPACT_NOTICE",
        "--notice",
        choices=NOTICES,
        shown="full; short under a budget of 600",
    ),
    Setting(
        "defaults.mask",
        "bool",
        False,
        "replace secrets before anything is stored or shown",
        "MCPCOMPACT_MASK",
        "--mask",
    ),
    Setting(
        "defaults.model",
        "text",
        None,
        "count as this model does",
        "MCPCOMPACT_MODEL",
        "--model",
        shown="none: o200k_base",
    ),
    Setting(
        "defaults.encoding",
        "text",
        None,
        "count with this encoding",
        "MCPCOMPACT_ENCODING",
        "--encoding",
        choices=ENCODINGS,
        shown="the model's",
    ),
    Setting(
        "defaults.chunk_tokens",
        "int",
        CHUNK_TOKENS,
        "most tokens of a chunk",
        "MCPCOMPACT_CHUNK_TOKENS",
        "--tokens",
        minimum=1,
    ),
    Setting(
        "defaults.page_limit",
        "int",
        PAGE_ITEMS,
        "items of a page",
        "MCPCOMPACT_PAGE_LIMIT",
        "--limit",
        minimum=1,
        maximum=MOST_PAGE_ITEMS,
    ),
    Setting(
        "defaults.cursor_ttl_seconds",
        "int",
        CURSOR_TTL,
        "seconds that a cursor is valid, 0 for ever",
        "MCPCOMPACT_CURSOR_TTL_SECONDS",
        "--cursor-ttl",
        minimum=0,
    ),
    Setting(
        "defaults.results_dir",
        "text",
        None,
        "where full results are kept",
        "MCPCOMPACT_RESULTS_DIR",
        "--results-dir",
        shown=".mcpcompact/results where it exists, else the user's state directory",
    ),
    Setting(
        "defaults.telemetry",
        "bool",
        True,
        "one line a run in the state directory, never sent",
        "MCPCOMPACT_TELEMETRY",
    ),
    *(
        Setting(f"features.{command}", "bool", True, f"false: the command {command} refuses to run")
        for command in COMMANDS
    ),
    Setting(
        "mcp_servers.*.summarization.enabled",
        "bool",
        None,
        "false: results of this server always pass untouched",
    ),
    *_limits("mcp_servers.*.summarization", "summary_max_token_limit", "size_threshold_tokens"),
    *_tool("mcp_servers.*.tools.*"),
    *_tool("tools.*"),
    Setting("models.*.encoding", "text", None, "the encoding that counts for this model", choices=ENCODINGS),
    Setting("models.*.context_limit", "int", None, "tokens that its context holds", minimum=1),
    Setting(
        "models.*.safety_margin",
        "number",
        1.0,
        "share of the window that may be used",
        minimum=0.01,
        maximum=1,
    ),
    Setting("models.*.input_price", "number", None, "dollars for a million prompt tokens", minimum=0),
    Setting("models.*.cached_input_price", "number", None, "dollars for a million cached prompt tokens", minimum=0),
    Setting("models.*.output_price", "number", None, "dollars for a million completion tokens", minimum=0),
    Setting("masking.email", "bool", False, "replace e-mail addresses too"),
    Setting("masking.rules", "rules", (), "further kinds of secrets: name, pattern, literals, entropy"),
)


def setting(steps: Sequence[str]) -> Setting | None:
    """The setting at a place of a file, where a name stands for ``*``; None when there is none."""
    for known in SETTINGS:
        if len(known.steps) == len(steps) and all(a in (ANY, b) for a, b in zip(known.steps, steps, strict=True)):
            return known
    return None


def tree() -> dict[str, Any]:
    """The settings as a file nests them: names to sections, the last to a ``Setting``."""
    top: dict[str, Any] = {}
    for known in SETTINGS:
        section = top
        for step in known.steps[:-1]:
            section = section.setdefault(step, {})
        section[known.name] = known
    return top
