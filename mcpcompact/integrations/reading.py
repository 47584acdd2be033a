"""The tools by which a model without a shell reads the rest of a result: page by page, the bytes as they are stored."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Any

from mcpcompact.errors import McpcompactError, UsageError
from mcpcompact.results import Store
from mcpcompact.retrieval import pages
from mcpcompact.retrieval.selection import Selection, addressed, select
from mcpcompact.shell import command
from mcpcompact.tokens import counter

GET, GREP = "mcpcompact_get", "mcpcompact_grep"
TOOLS = frozenset((GET, GREP))

GET_HELP = (
    "Read a result that mcpcompact shortened: page by page, or the part that `select` names. A notice that says "
    "`mcpcompact_get 3f9c2a1b --lines 1:80` means id='3f9c2a1b', select='--lines 1:80'. Selectors: --lines A:B, "
    "--records A:B, --bytes A:B, --where FIELD=VALUE, --fields A,B, --path A.B, --id ID, --grep TERM."
)
GREP_HELP = "Lines of a result that mcpcompact shortened which contain `term`, with their exact line numbers."

_ONCE = ("--lines", "--records", "--bytes", "--fields", "--path", "--grep")
_FLAGS = {"-i": "ignore_case", "-w": "word"}
_VIEW = "the result is one line, these are lines of its view (--bytes 0: has it as it is)"
_REPEATED = {"--where": "where", "--id": "ids"}


@dataclass(frozen=True, slots=True)
class Reading:
    """A page, and a line on what it is and how to go on; ``failed`` where the line says what is wrong."""

    text: str
    note: str
    failed: bool = False

    def __str__(self) -> str:
        gap = "\n" if self.text and not self.text.endswith("\n") else ""
        return f"{self.text}{gap}{self.note}"


def get(store: Store, id: str, selectors: str = "") -> Reading:
    """A page of a stored result, at most 2,000 tokens."""
    try:
        return _read(store, id, _selection(selectors))
    except (McpcompactError, ValueError) as error:
        reason = error.line() if isinstance(error, McpcompactError) else str(error)
        return Reading("", f"[mcpcompact] {reason}", True)


def grep(store: Store, id: str, term: str, context: int = 0) -> Reading:
    """The lines that contain a term, in any case."""
    return get(store, id, command("--grep", term, "--context", str(max(0, context)), "-i"))


def _selection(selectors: str) -> Selection:
    """Raises ``UsageError``, and ``ValueError`` for an open quotation mark."""
    chosen: dict[str, Any] = {}
    words = iter(word for given in shlex.split(selectors) for word in _halves(given))
    for name in words:
        if name in _FLAGS:
            chosen[_FLAGS[name]] = True
            continue
        value = next(words, None)
        if value is None:
            raise UsageError(f"{name} has no value", hint=GET_HELP)
        if name in _REPEATED:
            chosen.setdefault(_REPEATED[name], []).append(value)
        elif name in _ONCE:
            chosen[name[2:]] = value
        elif name == "--context":
            chosen["context"] = int(value)
        else:
            raise UsageError(f"unknown selector {name}", hint=GET_HELP)
    return Selection.read(**chosen)


def _halves(word: str) -> list[str]:
    """``--name=value`` as two words."""
    name, equals, value = word.partition("=")
    return [name, value] if word.startswith("--") and equals else [word]


def _read(store: Store, id: str, selection: Selection) -> Reading:
    result = store.get(id)
    source, is_view = addressed(result, selection)
    selected = select(source, selection, str(result.meta.get("contentType") or ""))
    page = pages.page(selected, pages.PAGE_TOKENS, counter().count)
    text = page.data.decode("utf-8", "replace")
    store.remember(result.id, page.data)
    notes = [_VIEW] if is_view else []
    if nothing := selected.explain_nothing():
        notes.append(nothing)
    elif page.next:
        notes.append(f"{page.unit}s {page.first:,} to {page.last:,} shown")
        notes += [f"more: {command(GET, result.id, *more.words())}" for more in page.next]
    else:
        notes.append(f"all of {command(GET, result.id, *selection.words())}")
    return Reading(text, f"[mcpcompact] {' · '.join(notes)}")
