"""Write the table of all settings into docs/configuration.md, between its marks."""

from __future__ import annotations

from pathlib import Path

from mcpcompact.settings.schema import SETTINGS, written

PAGE = Path(__file__).resolve().parent.parent / "docs" / "configuration.md"
BEGIN, END = "<!-- settings: begin -->\n", "<!-- settings: end -->"


def table() -> str:
    """The Markdown table of all settings."""
    lines = ["| setting | default | what | environment | option |", "|---|---|---|---|---|"]
    for known in SETTINGS:
        default = known.shown or written(known.default)
        bounds = [f"at least {known.minimum:g}"] if known.minimum not in (None, 0) else []
        bounds += [f"at most {known.maximum:g}"] if known.maximum is not None else []
        bounds += [" or ".join(known.choices)] if known.choices else []
        what = known.what + (f" ({', '.join(bounds)})" if bounds else "")
        env = f"`{known.env}`" if known.env else ""
        option = f"`{known.option}`" if known.option else ""
        lines.append(f"| `{known.path}` | {default} | {what} | {env} | {option} |")
    return "\n".join(lines) + "\n"


def page() -> str:
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    return before + BEGIN + table() + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
