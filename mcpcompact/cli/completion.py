"""What a shell offers for the value of an option. Each helper imports what it needs when it is asked, and offers
nothing rather than failing."""

from __future__ import annotations

import re

import typer

Offer = list[tuple[str, str]]  # values, each with a word on it

_PLAIN = re.compile(r"[\w.-]+", re.ASCII)  # names that come from data: no shell reads more than a word into them


def policies() -> Offer:
    """Values of ``--policy``, with what each does."""
    from mcpcompact.replaying.registry import REGISTRY, described

    says = {syntax.partition("[")[0].partition(":")[0]: what for syntax, what in reversed(described())}
    return [(name, says[name]) for name in REGISTRY]


def stored_ids(context: typer.Context) -> Offer:
    """Ids of stored results, with their tool and age."""
    from mcpcompact.cli.io import ago
    from mcpcompact.config import results_dir
    from mcpcompact.errors import McpcompactError
    from mcpcompact.inputs import is_url
    from mcpcompact.results import ResultStore

    directory = results_dir(context.params.get("results_dir"))[0]
    try:
        results = [] if is_url(directory) else (store := ResultStore(directory)).list()
    except (McpcompactError, OSError):
        return []
    tools = [str(result.meta.get("tool") or "") for result in results]
    words = [tool if _PLAIN.fullmatch(tool) else "no tool" for tool in tools]
    return [(result.id, f"{word}, {ago(store, result)} ago") for result, word in zip(results, words, strict=True)]


def tools() -> Offer:
    """Tools that the telemetry knows."""
    return _recorded("tool")


def servers() -> Offer:
    """Servers that the telemetry knows."""
    return _recorded("server")


def _recorded(key: str) -> Offer:
    from mcpcompact.config import state_dir
    from mcpcompact.telemetry import runs

    try:
        names = {str(run.get(key) or "") for run in runs(state_dir())}
    except OSError:
        return []
    return [(name, key) for name in sorted(names) if _PLAIN.fullmatch(name)]
