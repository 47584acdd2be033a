"""Parts of a stored result: what ``results get`` and ``results grep`` select, page by page."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import nullcontext
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

from mcpcompact.cli.base import OptionGroup
from mcpcompact.cli.io import Environment
from mcpcompact.cli.options import VALID, Number, Text, much, read, said
from mcpcompact.deadline import REGEX_SECONDS, deadline
from mcpcompact.errors import NoInputError, UsageError

if TYPE_CHECKING:
    from mcpcompact.paging.cursors import Cursors
    from mcpcompact.results import Store, StoredResult
    from mcpcompact.retrieval import Page, Selected, Selection
    from mcpcompact.source import Source

_WHERE = "Only records that match; operators =, !=, >=, >, <=, < and ~ (contains); repeatable."
_TOKENS = "Token limit of a page; 0 means no limit."
SELECTORS = ("lines", "bytes", "records", "ids", "fields", "where", "path", "grep")
HELD = 1 << 16  # bytes written at a time


class Part(OptionGroup):
    """What is taken of a result."""

    lines: Annotated[Text, read("Line range, 1-based, both ends included.", "A:B")] = None
    bytes: Annotated[Text, read("Byte range, 0-based, end excluded.", "A:B")] = None
    records: Annotated[Text, read("Items, NDJSON lines, sequences or rows, 1-based, both ends included.", "A:B")] = None
    ids: Annotated[list[str] | None, read("Only records with this id; repeatable.", "ID", "--id")] = None
    where: Annotated[list[str] | None, read(_WHERE, "FIELD=VALUE")] = None
    path: Annotated[str, read("JSON value at this path, such as a.b.c; with --records, its list.", "PATH")] = ""
    grep: Annotated[str, read("Only lines or records that contain TERM.", "TERM")] = ""
    original: Annotated[bool, read("Select from the stored bytes, not from the unwrapped text.")] = False
    view: Annotated[bool, read("Select from the line-friendly view (JSON indented, long lines folded).")] = False
    fields: Annotated[str, said("Show only these fields of each record.", "A,B.C")] = ""
    output: Annotated[Text, said("Write to a file, without a token limit.", "FILE")] = None


class Found(OptionGroup):
    """How matches are found, and how much of them is shown."""

    ignore_case: Annotated[bool, read("Ignore case.", None, "-i", "--ignore-case")] = False
    word: Annotated[bool, read("Match the whole term only: ord-12, not ord-123.", None, "-w", "--word")] = False
    regex: Annotated[bool, read("Treat the term as a Python regular expression (10-second limit).")] = False
    context: Annotated[int, much("Lines of context around each match.", "N", "-C", "--context")] = 0
    max_tokens: Annotated[Number, much(_TOKENS, "N", otherwise="2000; no limit when writing to a file")] = None
    cursor: Annotated[Text, much("Continue from this nextCursor, with the same options.", "CURSOR")] = None
    cursor_ttl: Annotated[Number, said(VALID, "SECONDS", least=0, otherwise="600")] = None


def parts(
    action: str, env: Environment, store: Store, id: str, part: Part, found: Found, as_json: bool, paged: bool = False
) -> int:
    """A whole result, byte for byte, or what was selected of it; ``paged``: at a terminal all of it, in a pager."""
    env.paginated = True
    result = store.get(id)
    from mcpcompact.retrieval import Selection

    how = {name: getattr(found, name) for name in ("ignore_case", "word", "regex", "context")}
    selection = Selection.read(**{name: getattr(part, name) for name in SELECTORS}, **how)
    _check(selection, part, found)
    capped = found.max_tokens or found.cursor or as_json or (env.stdout_isatty and not part.output)
    if selection or capped:
        from mcpcompact.cli.pager import pages

        paged = paged and not (found.max_tokens or found.cursor or as_json or part.output) and pages(env)
        return _selected(action, env, store, result, selection, part, found, as_json, paged)
    source = (result.view() or result.payload()) if part.view else result.source()
    _put_out(source.blocks(), env, part.output)  # not remembered: it is also what the tool returns the next time
    return 0


def _check(selection: Selection, part: Part, found: Found) -> None:
    chosen = [name for name in ("lines", "bytes", "records") if getattr(selection, name)]
    if len(chosen) > 1:
        raise UsageError(f"--{chosen[0]} and --{chosen[1]} cannot be combined", hint="give one of them")
    if selection.bytes and (selection.by_record or selection.path or selection.grep):
        raise UsageError("--bytes goes with no other selector")
    if selection.lines and (selection.by_record or selection.path):
        raise UsageError("--lines goes with --grep only", hint="number records with --records")
    if part.view and part.original:
        raise UsageError("--view and --original cannot be combined")
    if found.context < 0 or (found.max_tokens or 0) < 0:
        raise UsageError("-C and --max-tokens are not negative")


def _selected(
    action: str,
    env: Environment,
    store: Store,
    result: StoredResult,
    selection: Selection,
    part: Part,
    found: Found,
    as_json: bool,
    paged: bool,
) -> int:
    from mcpcompact.config import CURSOR_TTL
    from mcpcompact.paging.cursors import Cursors
    from mcpcompact.retrieval import PAGE_TOKENS, page, resumed, select

    source, told = _source(part, result, selection)
    cap = 0 if part.output or paged or _is_file(env) else PAGE_TOKENS
    cap = cap if found.max_tokens is None else found.max_tokens
    content_type = str(result.meta.get("contentType") or "")
    if part.original or part.view:
        content_type = ""
    with deadline(REGEX_SECONDS if selection.regex else 0):
        selected = select(source, selection, content_type)
        bound = f"results {action} {part.original} {part.view} {found.max_tokens} {selection.options()}"
        cursors = Cursors(store, ttl=CURSOR_TTL if found.cursor_ttl is None else found.cursor_ttl)
        if found.cursor is not None:
            selected = resumed(selected, _opened(cursors, found.cursor, bound, result))
        if not cap and not as_json:
            put = _stream(selected, env, part.output, paged, content_type)
            if len(put) < source.size:
                store.remember(result.id, put)
            if nothing := selected.explain_nothing():
                env.tell(nothing)
            return 0
        from mcpcompact.tokens import counter

        made = page(selected, cap or 1 << 60, counter().count)
    which = ["--view"] if told or part.view else []
    which = ["--original"] if part.original else which
    commands = [store.get_command(result.id, *which, *more.words()) for more in made.next]
    commands = [line for line in commands if line.isprintable()]  # what a terminal would not show is not said
    cursor = cursors.issue(str(result.meta["sha256"]), made.position, bound) if made.position else ""
    if as_json:
        about = _page_json(result, selected, made, commands) | ({"nextCursor": cursor} if cursor else {})
        store.remember(result.id, env.write_json(about))
        return 0
    if made.next:
        size = f"{made.tokens:,} tokens" + (f"; nextCursor {cursor}" if cursor else "")
        more = f". More: {'; '.join(commands)}" if commands else ""
        told += f"{chr(10) if told else ''}{_position(made)} ({size}){more}"
    store.remember(result.id, made.data)  # so that this page, coming back as a tool result, is not compacted again
    _put(env, made.data)
    notes = [line for line in (*told.split("\n"), selected.explain_nothing()) if line]
    if notes and made.data[-1:] not in (b"", b"\n"):
        env.stderr.write("\n")  # where both go the same way, a note has a line of its own
    for line in notes:
        store.remember(result.id, env.tell(line))
    return 0


def _opened(cursors: Cursors, text: str, bound: str, result: StoredResult) -> int:
    """The position that a cursor says, when it is one of this result."""
    from mcpcompact.paging.cursors import START_OVER

    opened = cursors.open(text, bound)
    if not str(result.meta.get("sha256")).startswith(opened.id):
        raise UsageError("this cursor belongs to another result", hint=START_OVER)
    if opened.forever:
        cursors.ttl = 0
    return opened.position


def _source(part: Part, result: StoredResult, selection: Selection) -> tuple[Source, str]:
    """The text that the selection numbers, and a line that says so when it is not the payload."""
    from mcpcompact.retrieval import addressed

    if part.original:
        return result.source(), ""
    if part.view:
        view = result.view()
        if view is None:
            raise NoInputError(f"result {result.id} has no view: its lines are short", hint="leave --view out")
        return view, ""
    source, is_view = addressed(result, selection)
    return source, "The result is one line; these are lines of its view (--view)." if is_view else ""


def _position(made: Page) -> str:
    if made.unit == "byte":
        return f"Bytes {made.first:,} to {made.last:,}"
    if made.first == made.last:
        return f"{made.unit.capitalize()} {made.first:,}"
    return f"{made.unit.capitalize()}s {made.first:,} to {made.last:,}"


def _page_json(result: StoredResult, selected: Selected, made: Page, commands: list[str]) -> dict[str, Any]:
    found = {
        "id": result.id,
        "unit": made.unit,
        "first": made.first,
        "last": made.last,
        "shown": made.shown,
        "tokens": made.tokens,
        "text": made.data.decode("utf-8", "replace"),
        "next": commands,
    }
    nothing = selected.explain_nothing()
    return {**found, "note": nothing} if nothing else found


def _stream(selected: Selected, env: Environment, output: str | None, paged: bool, content_type: str) -> bytes:
    """A selection without a cap, piece by piece."""
    pieces = (piece.text for piece in selected.pieces)
    first = next(pieces, None)
    if first is None:
        return b""
    whole = chain((selected.header, first), pieces)
    if not paged:
        return _put_out(whole, env, output)
    from mcpcompact.cli.pager import page

    page(whole, env, json=content_type in ("json", "records"))
    return b""


def _put_out(blocks: Iterable[bytes], env: Environment, output: str | None) -> bytes:
    """Bytes to a file or to stdout; gives them back, if they are few enough to be recognised later, else none."""
    from mcpcompact.results.own import LONGEST

    held, seen = bytearray(), bytearray()
    with open(output, "wb") if output else nullcontext() as target:
        write = target.write if target else env.write_bytes
        for block in blocks:
            held += block
            if len(held) > HELD:
                write(bytes(held))
                seen += held if len(seen) <= LONGEST else b""
                held.clear()
        write(bytes(held))
        seen += held
    return bytes(seen) if len(seen) <= LONGEST else b""


def _is_file(env: Environment) -> bool:
    """Whether stdout is redirected to a file: nobody reads it now, so nothing is capped."""
    import stat

    try:
        return stat.S_ISREG(os.fstat(env.stdout.fileno()).st_mode)
    except (OSError, AttributeError, ValueError):
        return False


def _put(env: Environment, data: bytes) -> None:
    """A page: the exact bytes, or on a terminal text whose escapes are shown instead of obeyed."""
    if env.stdout_isatty:
        text = data.decode("utf-8", "replace")
        env.write(text if text.endswith("\n") or not text else text + "\n")
    else:
        env.write_bytes(data)
