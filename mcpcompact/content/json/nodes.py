"""Documents that are something else: a directory tree (``{"name": …, "children": […]}``), read as the listing of its
paths; lists below a line of names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.content.records.listing import facts_share, table
from mcpcompact.content.shared.flow import quoted
from mcpcompact.content.shared.tree import Key
from mcpcompact.outline import Fact, Hints, Lossless, Outline
from mcpcompact.phrasing import counted

LEAST, FIELDS = 10, 3  # nodes; fields of one: a name, perhaps a kind, and what it holds
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
    if len(paths) < LEAST or "" in paths or not any(path.count("/") > path.endswith("/") for path in paths):
        return None
    from mcpcompact.content.text.entries import parse  # few documents are such trees
    from mcpcompact.content.text.listing import outline

    if len(parse(paths)) < PATHS * len(paths):
        return None
    made = outline(paths, quoted=False)
    for item in made.items:  # a node is no line, and has no number
        item.text = item.text.removeprefix(f"{item.start} ")
    folders = sum(path.endswith("/") for path in paths)
    files = len(paths) - folders
    leaves = counted(files, "file") if all(known for _, known in nodes) else f"{files:,} other"
    said = f"JSON tree: {counted(len(paths), 'entry')}, {counted(folders, 'directory')} and {leaves}"
    first = next(fact for fact in made.facts if fact.text.startswith("Listing: "))
    first.text = first.text.replace(f"Listing: {made.headline}", said, 1)
    made.content_type, made.unit, made.notes = "json", "node", notes
    made.headline = f"tree of {counted(made.total, 'node')}"
    made.more = ["--path '[0]'" if root.__class__ is list else f"--path '{keys}[0]'"]
    return made


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
    made, total = table(rows, hints=hints), len(rows)
    first = Fact(f"JSON lists below a line of names: {total:,} rows, {counted(len(rows[0]), 'column')}", 0)
    out = Outline("json", "row", total, f"{total:,} rows", [first, *made.facts], made.items, made.header)
    out.lossless, out.more, out.keeps_told = lossless, [("--lines", "A:B")], True
    out.facts_share = facts_share(total, made.facts)
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
                if inner.__class__ in (dict, list) or "null" in name.lower():  # {"NULL": true} is not true
                    continue
                node[key] = inner
                left_out.add(name)
    said = ", ".join(f"{{{quoted(name)}: …}}" for name in sorted(left_out))
    return f"values shown without the names of their types: {said}" if said else ""
