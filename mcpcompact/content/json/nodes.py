"""Documents that are something else: a directory tree (``{"name": …, "children": […]}``), read as the listing of its
paths; lists below a line of names; a notebook as its cells: source and outputs by line, under the path that brings the
whole cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from mcpcompact.content.records.listing import facts_share, table
from mcpcompact.content.shared.flow import flow, quoted
from mcpcompact.content.shared.lines import bounded
from mcpcompact.content.shared.tree import Key
from mcpcompact.outline import Fact, Hints, Item, Keep, Lossless, Outline
from mcpcompact.phrasing import clipped, counted

MIN, FIELDS = 10, 3  # nodes; fields of one: a name, perhaps a kind, and what it holds
PATHS = 0.95  # of the nodes whose names look like those of files: PKG-INFO does not
NAMES, HOLDS = ("name", "path", "filename"), ("children", "contents", "entries", "files", "items", "nodes")
FOLDERS, FILES = frozenset(("directory", "dir", "folder", "tree")), frozenset(("file", "blob"))  # kinds of a node


def listing(root: Any, notes: list[str]) -> Outline | None:
    """Its nodes by their paths; None where it is no such tree or its nodes say more than their names."""
    top = root if root.__class__ is list else [root]
    name = next((key for key in NAMES if top and top[0].__class__ is dict and key in top[0]), "")
    keys = next((key for node in top if node.__class__ is dict for key in HOLDS if node.get(key)), "") if name else ""
    nodes = list(_paths(top, name, keys)) if keys else []
    paths = [path for path, _ in nodes]
    if len(paths) < MIN or "" in paths or not any(path.count("/") > path.endswith("/") for path in paths):
        return None
    from mcpcompact.content.text.entries import parse  # few documents are such trees
    from mcpcompact.content.text.listing import outline

    if len(parse(paths)) < PATHS * len(paths):
        return None
    result = outline(paths, quoted=False)
    for item in result.items:  # a node is no line, and has no number
        item.text = item.text.removeprefix(f"{item.start} ")
    folders = sum(path.endswith("/") for path in paths)
    files = len(paths) - folders
    leaves = counted(files, "file") if all(known for _, known in nodes) else f"{files:,} other"
    summary = f"JSON tree: {counted(len(paths), 'entry')}, {counted(folders, 'directory')} and {leaves}"
    first = next(fact for fact in result.facts if fact.text.startswith("Listing: "))
    first.text = first.text.replace(f"Listing: {result.headline}", summary, 1)
    result.content_type, result.unit, result.notes = "json", "node", notes
    result.headline = f"tree of {counted(result.total, 'node')}"
    result.more = ["--path '[0]'" if root.__class__ is list else f"--path '{keys}[0]'"]
    return result


def _paths(top: list[Any], name: str, holds: str) -> Iterator[tuple[str, bool]]:
    """The path of each node, a directory's with a slash ("" where a node is none), and whether it says its kind."""
    work = [("", node) for node in reversed(top)]
    while work:
        above, node = work.pop()
        own = node.get(name) if node.__class__ is dict else None
        inner = node.get(holds, ()) if own else ()
        if own.__class__ is not str or len(node) > FIELDS or inner.__class__ not in (list, tuple):
            yield "", False
            continue
        own = own.removeprefix(above).strip("/") or own
        kinds = {value.lower() for key, value in node.items() if key != name and value.__class__ is str}
        folder = holds in node or not kinds.isdisjoint(FOLDERS)
        path = f"{above}{own}{'/' * folder}"
        yield path, folder or not kinds.isdisjoint(FILES)
        work += [(path if own != "." else "", child) for child in reversed(inner)]


def elements(root: Any) -> int:
    """How many a list has that is the document, or the only list of its object."""
    if root.__class__ is dict:
        lists = [value for value in root.values() if value.__class__ is list]
        root = lists[0] if len(lists) == 1 else []
    return len(root) if root.__class__ is list else 0


def headed_table(rows: list[dict[str, Any]], lossless: list[Lossless], hints: Hints) -> Outline:
    """Lists below a line of names: their columns and rows, numbered without that line."""
    result, total = table(rows, hints), len(rows)
    first = Fact(f"JSON lists below a line of names: {total:,} rows, {counted(len(rows[0]), 'column')}", 0)
    out = Outline("json", "row", total, f"{total:,} rows", [first, *result.facts], result.items, result.header)
    out.lossless, out.more, out.keeps_told = lossless, [("--lines", "A:B")], True
    out.facts_share = facts_share(total, result.facts)
    return out


TYPED, OTHERS, BARE = 6, 2, "$"  # fields that hold a value under the name of its type, of the other types; such a name
REFERENCE = "$ref"  # of a schema: no type


def unwrap(nodes: list[Any]) -> str:
    """Replace, in place, each scalar that stands under the name of its type (``{"S": "web"}``, ``{"$oid": "5f…"}``) by
    itself, and say so: a name that is the only key of its object under many others, and nowhere beside another."""
    fields, beside = dict[str, set[Key]](), set[str]()
    for node in nodes:
        if node.__class__ is dict and len(node) > 1:
            beside.update(node)
        for key, value in node.items() if node.__class__ is dict else ():
            if value.__class__ is dict and len(value) == 1 and next(iter(value.values())).__class__ not in (dict, list):
                fields.setdefault(next(iter(value)), set()).add(key)
    fields = {name: held for name, held in fields.items() if name not in beside and name != REFERENCE}
    sure = any(len(held) >= TYPED for held in fields.values())
    names = {name for name, held in fields.items() if sure and len(held) >= OTHERS}
    names = names if len(names) > 1 else {name for name in fields if name[:1] == BARE}  # one alone may be a setting
    left_out = set[str]()
    for node in nodes if names else ():
        for key, value in list(node.items() if node.__class__ is dict else enumerate(node)):
            if value.__class__ is dict and len(value) == 1 and (name := next(iter(value))) in names:
                inner = value[name]
                if inner.__class__ not in (dict, list) and "null" not in name.lower():  # {"NULL": true} is not true
                    node[key] = inner
                    left_out.add(name)
    types = ", ".join(f"{{{quoted(name)}: …}}" for name in sorted(left_out))
    return f"values shown without the names of their types: {types}" if types else ""


# -- notebooks ----------------------------------------------------------------------------------------------------

_PIECE = 200  # characters: the fill engine takes items up to so many whole
_HEADINGS, _HEADING = 12, 80  # of the Markdown cells, in the facts; characters of one


def is_notebook(root: Any) -> bool:
    cells = root.get("cells") if root.__class__ is dict and "nbformat" in root else None
    return bool(cells) and cells.__class__ is list and all(c.__class__ is dict and "cell_type" in c for c in cells)


def notebook(root: dict[str, Any], notes: list[str]) -> Outline:
    """``root`` with its binary content named (``encoded.name_data``)."""
    cells = root["cells"]
    kinds = Counter(str(cell["cell_type"]) for cell in cells)
    items = [item for n, cell in enumerate(cells) for item in _items(n, cell)]
    errors = [item.text for item in items if item.keep]
    metadata = root.get("metadata")
    kernel = metadata.get("kernelspec") if metadata.__class__ is dict else None
    language = f", {kernel['display_name']}" if kernel.__class__ is dict and kernel.get("display_name") else ""
    counts = ", ".join(counted(n, f"{kind} cell") for kind, n in kinds.most_common())
    facts = [Fact(f"Jupyter notebook{language}: {counts}", 0)]
    facts += [Fact(f"{counted(len(errors), 'cell')} ended with an error", 0)] * bool(errors)
    headed = (item for item in items if item.text.startswith("#") and item.section.endswith(" markdown"))
    if headings := [f"{clipped(i.text.partition(chr(10))[0], _HEADING)} (cells[{i.start - 1}])" for i in headed]:
        more = f" · … {len(headings) - _HEADINGS:,} more" if len(headings) > _HEADINGS else ""
        facts.append(Fact(f"headings: {' · '.join(headings[:_HEADINGS])}{more}"))
    first = next((item.start for item in items if item.keep), len(cells) // 2 + 1)
    return Outline(
        "json", "cell", len(cells), f"notebook of {counted(len(cells), 'cell')}", facts, bounded(items),
        more=[f"--path 'cells[{first - 1}]'", "--grep TERM"], extension=".ipynb", notes=notes,
    )  # fmt: skip


ENDED = 4.0  # weight of the source of a cell that ended with an error


def _items(n: int, cell: dict[str, Any]) -> Iterator[Item]:
    kind, count = cell["cell_type"], cell.get("execution_count")
    section = f"cells[{n}] {kind}" + (f" [{count}]" if isinstance(count, int) else "")
    listed = cell.get("outputs")
    outputs = [one for one in listed if one.__class__ is dict] if isinstance(listed, list) else []
    failed = any(one.get("output_type") == "error" for one in outputs)
    for text in _pieces(cell.get("source")):
        weight = ENDED if failed else 2.0 if kind == "markdown" and text.startswith("#") else 1.0
        yield Item(n + 1, n + 1, text, weight=weight, section=section, whole=failed)
    for output in outputs:
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
            for text in _pieces(value):
                yield Item(n + 1, n + 1, prefix + text, weight=0.7, section=section)


def _pieces(value: Any) -> Iterator[str]:
    """A few lines that belong together, of a text or of the list of lines that notebooks are stored with: a short cell
    is shown whole."""
    if value.__class__ is list and all(isinstance(part, str) for part in value):
        value = "".join(value)
    text = value if isinstance(value, str) else "" if value is None else flow(value)
    held: list[str] = []
    for line in filter(str.strip, text.splitlines()):
        if held and sum(map(len, held)) + len(line) > _PIECE:
            yield "\n".join(held)
            held = []
        held.append(line)
    if held:
        yield "\n".join(held)
