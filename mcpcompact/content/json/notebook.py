"""A Jupyter notebook as its cells: source and outputs by line, under the path that brings the whole cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from mcpcompact.content.shared.flow import flow
from mcpcompact.outline import MAX_ITEMS, Fact, Item, Keep, Outline
from mcpcompact.phrasing import clipped, counted

_PIECE = 200  # characters: the fill engine takes items up to so many whole
_HEADINGS, _HEADING = 12, 80  # of the Markdown cells, in the facts; characters of one


def is_notebook(root: Any) -> bool:
    cells = root.get("cells") if root.__class__ is dict and "nbformat" in root else None
    return bool(cells) and cells.__class__ is list and all(c.__class__ is dict and "cell_type" in c for c in cells)


def outline(root: dict[str, Any], notes: list[str]) -> Outline:
    """``root`` with its binary content named (``encoded.name_data``)."""
    cells = root["cells"]
    kinds = Counter(str(cell["cell_type"]) for cell in cells)
    items = [item for n, cell in enumerate(cells) for item in _items(n, cell)]
    errors = [item.text for item in items if item.keep]
    metadata = root.get("metadata")
    kernel = metadata.get("kernelspec") if metadata.__class__ is dict else None
    language = f", {kernel['display_name']}" if kernel.__class__ is dict and kernel.get("display_name") else ""
    told = ", ".join(counted(n, f"{kind} cell") for kind, n in kinds.most_common())
    facts = [Fact(f"Jupyter notebook{language}: {told}", 0)]
    facts += [Fact(f"{counted(len(errors), 'cell')} ended with an error", 0)] * bool(errors)
    headed = (item for item in items if item.text.startswith("#") and item.section.endswith(" markdown"))
    if headings := [f"{clipped(i.text.partition(chr(10))[0], _HEADING)} (cells[{i.start - 1}])" for i in headed]:
        more = f" · … {len(headings) - _HEADINGS:,} more" if len(headings) > _HEADINGS else ""
        facts.append(Fact(f"headings: {' · '.join(headings[:_HEADINGS])}{more}"))
    first = next((item.start for item in items if item.keep), len(cells) // 2 + 1)
    return Outline(
        "json", "cell", len(cells), f"notebook of {counted(len(cells), 'cell')}", facts, _some(items),
        more=[f"--path 'cells[{first - 1}]'", "--grep TERM"], extension=".ipynb", notes=notes,
    )  # fmt: skip


def _some(items: list[Item]) -> list[Item]:
    step = -(-len(items) // MAX_ITEMS)
    return [item for n, item in enumerate(items) if item.keep or n % step == 0]


FAILED = 4.0  # weight of the source of a cell that ended with an error


def _items(n: int, cell: dict[str, Any]) -> Iterator[Item]:
    kind, count = cell["cell_type"], cell.get("execution_count")
    section = f"cells[{n}] {kind}" + (f" [{count}]" if isinstance(count, int) else "")
    made = cell.get("outputs") if isinstance(cell.get("outputs"), list) else ()
    failed = any(output.__class__ is dict and output.get("output_type") == "error" for output in made or ())
    for line in _pieces(_lines(cell.get("source"))):
        heading = kind == "markdown" and line.startswith("#")
        yield Item(
            n + 1, n + 1, line, weight=FAILED if failed else 2.0 if heading else 1.0, section=section, whole=failed
        )
    for output in made or ():
        if output.__class__ is dict:
            yield from _output(n, output)


def _output(n: int, output: dict[str, Any]) -> Iterator[Item]:
    section = f"cells[{n}] output"
    if output.get("output_type") == "error":
        what = f"{output.get('ename')}: {output.get('evalue')}"
        yield Item(n + 1, n + 1, what, Keep.SEVERE, template=str(output.get("ename")), section=section)
        return
    data = output.get("data")
    shown = data if data.__class__ is dict else {"text": output.get("text")}
    plain = "text/plain" in shown  # the other forms of a text say the same
    for form, value in shown.items():
        if form in ("text", "text/plain") or not plain or not form.startswith("text/"):
            prefix = "" if form.startswith("text") else f"{form}: "
            for line in _pieces(_lines(value)):
                yield Item(n + 1, n + 1, prefix + line, weight=0.7, section=section)


def _pieces(lines: list[str]) -> Iterator[str]:
    """A few lines that belong together: a short cell is shown whole."""
    held: list[str] = []
    for line in lines:
        if held and sum(map(len, held)) + len(line) > _PIECE:
            yield "\n".join(held)
            held = []
        held.append(line)
    if held:
        yield "\n".join(held)


def _lines(value: Any) -> list[str]:
    """Of a text, or of the list of lines that notebooks are stored with."""
    if value.__class__ is list and all(isinstance(part, str) for part in value):
        value = "".join(value)
    text = value if isinstance(value, str) else "" if value is None else flow(value)
    return [line for line in text.splitlines() if line.strip()]
