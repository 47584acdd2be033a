"""Write the options of every command into docs/usage.md, between its marks, from the app itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mcpcompact.cli.app import COMMANDS
from mcpcompact.cli.base import load

PAGE = Path(__file__).resolve().parent.parent / "docs" / "usage.md"
MARKED = re.compile(r"(<!-- options of (\w+): begin -->\n).*?(<!-- options: end -->)", re.DOTALL)
HELP = "--help"


def reference(name: str) -> str:
    """The options of a command, and of its own commands, as tables."""
    return "\n".join(_tables(load(name), name))


def _tables(command: Any, path: str) -> Iterator[str]:
    with command.make_context(path, [], resilient_parsing=True) as context:
        rows = {title: [row for row in rows if HELP not in row[0]] for title, rows in command.panels(context).items()}
    inner = getattr(command, "commands", {})
    if not inner:
        yield f"`mcpcompact {path}`: {command.help.splitlines()[0]}\n"
    kept = [(title, row) for title, rows in rows.items() for row in rows]
    if kept:
        yield "| | option | what it does |\n|---|---|---|"
        seen = ""
        for title, (written, does) in kept:
            yield f"| {'' if title == seen else title} | `{_cell(written)}` | {_cell(does)} |"
            seen = title
        yield ""
    for name, one in inner.items():
        yield from _tables(one, f"{path} {name}")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def page() -> str:
    text = PAGE.read_text("utf-8")
    marked = [match[2] for match in MARKED.finditer(text)]
    assert marked and set(marked) == set(COMMANDS), f"docs/usage.md marks {marked}"
    return MARKED.sub(lambda match: f"{match[1]}{reference(match[2])}\n{match[3]}", text)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
