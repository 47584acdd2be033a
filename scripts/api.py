"""Write the reference of docs/library.md, between its marks, from the signatures and docstrings of the public names."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mcpcompact
from mcpcompact import errors

PAGE = Path(__file__).resolve().parent.parent / "docs" / "library.md"
BEGIN, END = "<!-- reference: begin -->\n", "<!-- reference: end -->"
WIDTH = 100


def undocumented(name: str) -> list[str]:
    """Parameters, fields and members of a public name that its docstrings do not mention."""
    public = getattr(mcpcompact, name)
    said = " ".join(text for _, text in _texts(public))
    missing = [one for one in _parameters(public) if not re.search(rf"\b{one}\b", said)]
    return missing + [member for member, text in _texts(public) if not text]


def _texts(public: Any) -> Iterator[tuple[str, str]]:
    """The name and the docstring of a public object, then of each of its members."""
    yield public.__name__, inspect.getdoc(public) or ""
    if inspect.isclass(public):
        for name, member in vars(public).items():
            if not name.startswith("_") and (callable(member) or isinstance(member, (property, classmethod))):
                yield name, inspect.getdoc(member) or ""


def _parameters(public: Any) -> list[str]:
    if dataclasses.is_dataclass(public):
        return [field.name for field in dataclasses.fields(public) if not field.name.startswith("_")]
    if inspect.isclass(public):
        return []
    return list(inspect.signature(public).parameters)


def _signature(public: Any, name: str) -> str:
    """As one line, or a parameter a line where that is too long."""
    try:
        whole = inspect.signature(public)
    except (TypeError, ValueError):
        return name
    kept = [one for one in whole.parameters.values() if one.name not in ("self", "cls") and one.name[0] != "_"]
    written = [_written(one) for one in kept]
    for n, one in enumerate(kept):
        if one.kind is one.KEYWORD_ONLY:
            written.insert(n, "*")
            break
    back = whole.return_annotation
    result = "" if inspect.isclass(public) or back in (inspect.Signature.empty, "None") else f" -> {back}"
    line = f"{name}({', '.join(written)}){result}"
    return line if len(line) <= WIDTH else f"{name}(\n    " + ",\n    ".join(written) + f",\n){result}"


def _written(one: inspect.Parameter) -> str:
    stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
    if one.default is one.empty:
        default = ""
    elif dataclasses.is_dataclass(one.default):
        default = f" = {type(one.default).__name__}()"
    else:
        default = " = …" if "<factory>" in repr(one.default) else f" = {one.default!r}"
    return f"{stars}{one.name}: {one.annotation!s}{default}"


def reference() -> str:
    """A section a public name: how it is called, what its docstring says, its members."""
    return "\n".join(line for name in mcpcompact.__all__ for line in _section(name))


def _section(name: str) -> Iterator[str]:
    public = getattr(mcpcompact, name)
    yield f"### `{name}`\n"
    if not (inspect.isclass(public) and (issubclass(public, errors.McpcompactError) or not _parameters(public))):
        yield f"```python\n{_signature(public, name)}\n```\n"
    texts = list(_texts(public))
    yield f"{_prose(texts[0][1])}\n"
    for member, text in texts[1:]:
        found = inspect.getattr_static(public, member)
        call = member if isinstance(found, property) else _signature(getattr(public, member), member)
        call = " ".join(call.split()).replace("( ", "(").replace(", )", ")")
        yield f"- `{call}`: {' '.join(_prose(text).split())}"
    if len(texts) > 1:
        yield ""


def _prose(text: str) -> str:
    """A docstring as Markdown: a paragraph a line, for nobody wraps generated text by hand."""
    paragraphs = text.replace("``", "`").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def page() -> str:
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    return f"{before}{BEGIN}{reference()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
