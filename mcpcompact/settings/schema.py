"""Every setting, once: its place in the file, kind, default, bounds, environment variable and option.

The check of a file, ``config init``, ``config show`` and the table in docs/configuration.md are made from this table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mcpcompact.config import CHUNK_TOKENS, CURSOR_TTL, DEFAULT_BUDGET, MAX_PAGE_ITEMS, MIN_BUDGET, PAGE_ITEMS
from mcpcompact.policy import READERS, STYLES

ANY = "*"  # a step of a path that stands for any name: a server, a tool, a model

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


_BUDGET, _THRESHOLD = "token budget of the output, notice included", "results of up to this many tokens pass unchanged"
_NOTICE, _MASK = "length of the notice", "replace secrets before anything is stored or printed"


def _limits(prefix: str, budget: str, threshold: str) -> tuple[Setting, ...]:
    """The two limits of a kind of result, under the names of that part of the file."""
    return (
        Setting(f"{prefix}.{threshold}", "int", None, _THRESHOLD, minimum=100),
        Setting(f"{prefix}.{budget}", "int", None, _BUDGET, minimum=MIN_BUDGET),
    )


def _tool(prefix: str) -> tuple[Setting, ...]:
    return (
        Setting(f"{prefix}.enabled", "bool", None, "false: results of this tool always pass unchanged"),
        *_limits(prefix, "budget_tokens", "threshold_tokens"),
        Setting(f"{prefix}.keep_fields", "texts", (), "show only these fields of each record (all are stored)"),
        Setting(f"{prefix}.drop_fields", "texts", (), "never show these fields, such as schemas and debug noise"),
        Setting(f"{prefix}.notice", "text", None, _NOTICE, choices=STYLES),
        Setting(f"{prefix}.mask", "bool", None, _MASK),
    )


def _default(name: str, kind: str, default: Any, what: str, option: str = "", **more: Any) -> Setting:
    """One of ``defaults``, with the variable of its name."""
    return Setting(f"defaults.{name}", kind, default, what, f"MCPCOMPACT_{name.upper()}", option, **more)


_DIRECTORIES = ".mcpcompact/results if it exists, else the user's state directory"

SETTINGS: tuple[Setting, ...] = (
    _default("budget_tokens", "int", DEFAULT_BUDGET, _BUDGET, "--budget", minimum=MIN_BUDGET),
    _default("threshold_tokens", "int", None, _THRESHOLD, "--threshold", minimum=100, shown="2 × budget"),
    _default("max_chars", "int", None, "also limit the output to this many characters", "--max-chars", minimum=200,
             shown="no limit"),
    _default("reader", "text", "mcpcompact", "how the reader can fetch the rest", "--reader", choices=READERS),
    _default("notice", "text", None, _NOTICE, "--notice", choices=STYLES, shown="full; short under a budget of 600"),
    _default("mask", "bool", False, _MASK, "--mask"),
    _default("model", "text", None, "count tokens the way this model does", "--model", shown="none: o200k_base"),
    _default("encoding", "text", None, "tokenizer encoding", "--encoding", choices=ENCODINGS, shown="the model's"),
    _default("chunk_tokens", "int", CHUNK_TOKENS, "token limit of a chunk", "--tokens", minimum=1),
    _default("page_limit", "int", PAGE_ITEMS, "items per page", "--limit", minimum=1, maximum=MAX_PAGE_ITEMS),
    _default("cursor_ttl_seconds", "int", CURSOR_TTL, "seconds a cursor stays valid; 0 means forever", "--cursor-ttl",
             minimum=0),
    _default("results_dir", "text", None, "where originals are stored", "--results-dir", shown=_DIRECTORIES),
    _default("telemetry", "bool", True, "record each run locally in the state directory; never sent"),
    *(Setting(f"features.{name}", "bool", True, f"false: the command {name} is disabled") for name in COMMANDS),
    Setting("mcp_servers.*.summarization.enabled", "bool", None, "false: results of this server always pass unchanged"),
    *_limits("mcp_servers.*.summarization", "summary_max_token_limit", "size_threshold_tokens"),
    *_tool("mcp_servers.*.tools.*"),
    *_tool("tools.*"),
    Setting("models.*.encoding", "text", None, "tokenizer encoding of this model", choices=ENCODINGS),
    Setting("models.*.context_limit", "int", None, "size of its context window in tokens", minimum=1),
    Setting("models.*.safety_margin", "number", 1.0, "usable share of the window", minimum=0.01, maximum=1),
    Setting("models.*.input_price", "number", None, "dollars per million prompt tokens", minimum=0),
    Setting("models.*.cached_input_price", "number", None, "dollars per million cached prompt tokens", minimum=0),
    Setting("models.*.output_price", "number", None, "dollars per million completion tokens", minimum=0),
    Setting("masking.email", "bool", False, "also replace email addresses"),
    Setting("masking.rules", "rules", (), "additional secrets: name, pattern, literals, entropy"),
)  # fmt: skip


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


def written(value: object) -> str:
    """The value of a setting as people read it."""
    if value is None or value == ():
        return "not set"
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
