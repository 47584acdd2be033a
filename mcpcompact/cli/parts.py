"""Parts of a stored result: what ``results get`` and ``results grep`` select, page by page; on a terminal through the
user's pager, JSON highlighted."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
from codecs import iterdecode
from collections.abc import Iterable, Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from mcpcompact.cli.io import Environment, neutralise
from mcpcompact.cli.tables import console_of
from mcpcompact.config import CURSOR_TTL, pager, styled
from mcpcompact.deadline import REGEX_SECONDS, deadline
from mcpcompact.errors import NoInputError, UsageError
from mcpcompact.paging.cursors import START_OVER, Cursors
from mcpcompact.results import Store, StoredResult
from mcpcompact.results.own import LONGEST
from mcpcompact.retrieval import pages
from mcpcompact.retrieval.pages import PAGE_TOKENS, Page, resumed
from mcpcompact.retrieval.selection import Selected, Selection, addressed, select
from mcpcompact.source import Source
from mcpcompact.tokens import counter

if TYPE_CHECKING:
    from mcpcompact.cli.commands.results import Found, Part, Where

SELECTORS = ("lines", "bytes", "records", "ids", "fields", "where", "path", "grep")
HELD = 1 << 16  # bytes written at a time
LONGEST_HIGHLIGHTED = 5_000  # characters of a line: patterns take time, and nobody reads a longer one


def parts(action: str, env: Environment, where: Where, id: str, part: Part, search: Found, paged: bool = False) -> int:
    """A whole result, byte for byte, or what was selected of it; ``paged``: at a terminal all of it, in a pager."""
    env.paginated = True
    store = env.store(where.results_dir)
    result = store.get(id)
    how = {name: getattr(search, name) for name in ("ignore_case", "word", "regex", "context")}
    selection = Selection.read(**{name: getattr(part, name) for name in SELECTORS}, **how)
    _check(selection, part, search)
    capped = search.max_tokens or search.cursor or where.json or (env.stdout_isatty and not part.output)
    if selection or capped:
        paged = paged and not (search.max_tokens or search.cursor or where.json or part.output)
        paged = paged and env.stdout_isatty and styled(True) and bool(pager())
        _Reading(action, env, store, result, selection, part, search, where.json, paged).print()
    else:
        source = (result.view() or result.payload()) if part.view else result.source()
        _put_out(source.blocks(), env, part.output)  # not remembered: it is also what the tool returns the next time
    return 0


def _check(selection: Selection, part: Part, search: Found) -> None:
    chosen = [name for name in ("lines", "bytes", "records") if getattr(selection, name)]
    if len(chosen) > 1:
        raise UsageError(f"--{chosen[0]} and --{chosen[1]} cannot be combined", hint="give one of them")
    if selection.bytes and (selection.by_record or selection.path or selection.grep):
        raise UsageError("--bytes goes with no other selector")
    if selection.lines and (selection.by_record or selection.path):
        raise UsageError("--lines goes with --grep only", hint="number records with --records")
    if part.view and part.original:
        raise UsageError("--view and --original cannot be combined")
    if search.context < 0 or (search.max_tokens or 0) < 0:
        raise UsageError("-C and --max-tokens are not negative")


@dataclass(slots=True)
class _Reading:
    """What is selected of one result, and how it is to be printed."""

    action: str
    env: Environment
    store: Store
    result: StoredResult
    selection: Selection
    part: Part
    search: Found
    as_json: bool
    paged: bool

    def print(self) -> None:
        """One page, or all where nothing limits it."""
        source, note = _source(self.part, self.result, self.selection)
        ttl = self.search.cursor_ttl
        cap, cursors = self._cap(), Cursors(self.store, ttl=CURSOR_TTL if ttl is None else ttl)
        with deadline(REGEX_SECONDS if self.selection.regex else 0):
            selected = select(source, self.selection, self._content_type())
            if self.search.cursor is not None:
                selected = resumed(selected, _opened(cursors, self.search.cursor, self._bound(), self.result))
            if not cap and not self.as_json:
                self._print_all(selected, source.size)
                return
            page = pages.page(selected, cap or 1 << 60, counter().count)
        commands = self._commands(page, view=bool(note) or self.part.view)
        cursor = ""
        if page.position:
            cursor = cursors.issue(str(self.result.meta["sha256"]), page.position, self._bound())
        if self.as_json:
            about = _page_json(self.result, selected, page, commands) | ({"nextCursor": cursor} if cursor else {})
            self.store.remember(self.result.id, self.env.write_json(about))
            return
        notes = [note] if note else []
        if page.next:
            size = f"{page.tokens:,} tokens" + (f"; nextCursor {cursor}" if cursor else "")
            more = f". More: {'; '.join(commands)}" if commands else ""
            notes.append(f"{_position(page)} ({size}){more}")
        self._print_page(page.data, [*notes, *filter(None, [selected.explain_nothing()])])

    def _cap(self) -> int:
        """The most tokens of a page; 0 for no limit."""
        if self.search.max_tokens is not None:
            return self.search.max_tokens
        return 0 if self.part.output or self.paged or _is_file(self.env) else PAGE_TOKENS

    def _content_type(self) -> str:
        """Of the payload; what else is read has none."""
        return "" if self.part.original or self.part.view else str(self.result.meta.get("contentType") or "")

    def _bound(self) -> str:
        """What a cursor is good for: these options alone."""
        part, options = self.part, self.selection.options()
        return f"results {self.action} {part.original} {part.view} {self.search.max_tokens} {options}"

    def _commands(self, page: Page, view: bool) -> list[str]:
        """What fetches the rest; a command that a terminal would not show is not said."""
        which = ["--view"] if view else []
        if self.part.original:
            which = ["--original"]
        commands = (self.store.get_command(self.result.id, *which, *more.words()) for more in page.next)
        return [line for line in commands if line.isprintable()]

    def _print_all(self, selected: Selected, size: int) -> None:
        pieces = (piece.text for piece in selected.pieces)
        put, first = b"", next(pieces, None)
        whole = chain((selected.header, first or b""), pieces)
        if first is not None and self.paged:
            _show_pages(whole, self.env, json=self._content_type() in ("json", "records"))
        elif first is not None:
            put = _put_out(whole, self.env, self.part.output)
        if len(put) < size:
            self.store.remember(self.result.id, put)
        if nothing := selected.explain_nothing():
            self.env.tell(nothing)

    def _print_page(self, data: bytes, notes: list[str]) -> None:
        self.store.remember(self.result.id, data)  # so that it, coming back as a tool result, is not compacted again
        self.env.write_blocks([data + b"\n" if self.env.stdout_isatty and data[-1:] not in (b"", b"\n") else data])
        if notes and data[-1:] not in (b"", b"\n"):
            self.env.stderr.write("\n")  # where both go the same way, a note has a line of its own
        for line in notes:
            self.store.remember(self.result.id, self.env.tell(line))


def _opened(cursors: Cursors, text: str, bound: str, result: StoredResult) -> int:
    """The position that a cursor says, when it is one of this result."""
    opened = cursors.open(text, bound)
    if not str(result.meta.get("sha256")).startswith(opened.id):
        raise UsageError("this cursor belongs to another result", hint=START_OVER)
    if opened.forever:
        cursors.ttl = 0
    return opened.position


def _source(part: Part, result: StoredResult, selection: Selection) -> tuple[Source, str]:
    """The text that the selection numbers, and a line that says so when it is not the payload."""
    if part.original:
        return result.source(), ""
    if part.view:
        view = result.view()
        if view is None:
            raise NoInputError(f"result {result.id} has no view: its lines are short", hint="leave --view out")
        return view, ""
    source, is_view = addressed(result, selection)
    return source, "The result is one line; these are lines of its view (--view)." if is_view else ""


def _position(page: Page) -> str:
    if page.unit == "byte":
        return f"Bytes {page.first:,} to {page.last:,}"
    if page.first == page.last:
        return f"{page.unit.capitalize()} {page.first:,}"
    return f"{page.unit.capitalize()}s {page.first:,} to {page.last:,}"


def _page_json(result: StoredResult, selected: Selected, page: Page, commands: list[str]) -> dict[str, Any]:
    figures = {name: getattr(page, name) for name in ("unit", "first", "last", "shown", "tokens")}
    fields = {"id": result.id, **figures, "text": page.data.decode("utf-8", "replace"), "next": commands}
    nothing = selected.explain_nothing()
    return {**fields, "note": nothing} if nothing else fields


def _put_out(blocks: Iterable[bytes], env: Environment, output: str | None) -> bytes:
    """Bytes to a file or to stdout; gives them back, if they are few enough to be recognised later, else none."""
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
    try:
        return stat.S_ISREG(os.fstat(env.stdout.fileno()).st_mode)
    except (OSError, AttributeError, ValueError):
        return False


def _show_pages(blocks: Iterable[bytes], env: Environment, json: bool = False) -> None:
    """Text on the terminal; what is more than a screen goes through the pager, which may be left early."""
    console = console_of(env)
    lines = _highlighted(blocks, env) if json else map(neutralise, _lines(blocks))
    held, rows = list[str](), 0
    for line in lines:
        held.append(line)
        rows += 1 + len(line) // console.width
        if rows >= console.height:
            break
    else:
        env.stdout.writelines(held)
        env.stdout.flush()
        return
    env.stdout.flush()
    with (
        suppress(BrokenPipeError),
        subprocess.Popen(pager(), stdin=subprocess.PIPE, encoding="utf-8", errors="replace") as process,
    ):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the pager's while it shows
        assert process.stdin is not None
        process.stdin.writelines(chain(held, lines))


def _lines(blocks: Iterable[bytes]) -> Iterator[str]:
    """The text's lines, each with its end; the last one, too."""
    rest = ""
    for text in iterdecode(blocks, "utf-8", "replace"):
        *lines, rest = (rest + text).split("\n")
        yield from (f"{line}\n" for line in lines)
    if rest:
        yield f"{rest}\n"


def _highlighted(blocks: Iterable[bytes], env: Environment) -> Iterator[str]:
    from rich.highlighter import JSONHighlighter
    from rich.text import Text

    console, highlighter = console_of(env), JSONHighlighter()
    for line in map(neutralise, _lines(blocks)):
        if len(line) > LONGEST_HIGHLIGHTED:
            yield line
            continue
        text = Text(line, end="")
        highlighter.highlight(text)
        with console.capture() as drawn:
            console.print(text, end="", soft_wrap=True)
        yield drawn.get()
