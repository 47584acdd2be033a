"""``mcpcompact chunk``: the door to ``mcpcompact.chunk`` and ``mcpcompact.chunks``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from mcpcompact.cli import options
from mcpcompact.cli.base import OptionGroup
from mcpcompact.cli.io import Environment
from mcpcompact.cli.options import Counting, Kept, Number, Text, goes, much, number, read, repeated
from mcpcompact.config import CHUNK_TOKENS, CURSOR_TTL, MIN_CHUNK_TOKENS
from mcpcompact.errors import UsageError
from mcpcompact.shell import command, printable

if TYPE_CHECKING:
    from mcpcompact.paging.chunking import Chunk
    from mcpcompact.results import Store

MIN = number(MIN_CHUNK_TOKENS)
_CHARS = "Limit chunks by characters instead of tokens (faster)."
_OVERLAP = "Repeat up to N tokens of the previous chunk, at most half a chunk, in whole units."
_LINES = "Line range, 1-based, either end optional; nothing after it is read."
Unit = Literal["auto", "entry", "paragraph", "sentence", "line", "record"]


class Cut(OptionGroup):
    """Where chunks begin and end. A cursor is good for these only."""

    tokens: Annotated[int, much("Token limit of a chunk.", "N", parser=MIN)] = CHUNK_TOKENS
    max_chars: Annotated[Number, much(_CHARS, "N", parser=MIN, show_envvar=False)] = None
    unit: Annotated[Unit, much("Unit that is never split; auto depends on the content type.")] = "auto"
    overlap: Annotated[int, much(_OVERLAP, "N", least=0)] = 0
    lines: Annotated[Text, read(_LINES, "A:B")] = None
    content_type: options.ContentType = None


class Place(OptionGroup):
    index: Annotated[Number, read("Number of the chunk, starting at 1.", "K", least=1, otherwise="the first")] = None
    cursor: options.Cursor = None
    all: Annotated[bool, read("Print every chunk, one JSON object per line.")] = False


def chunk(
    env: Environment,
    place: Place,
    cut: Cut,
    counting: Counting,
    kept: Kept,
    file: options.File = None,
    cursor_ttl: options.CursorTtl = CURSOR_TTL,
    json: options.Json = False,
    no_store: Annotated[bool, goes("Do not store the input; there is no cursor then.")] = False,
    config: options.Config = None,
) -> int:
    """Read long content in chunks that end on natural boundaries: one, a line range, or all.

    mcpcompact chunk service.log
    mcpcompact chunk service.log --lines 1:200
    mcpcompact chunk report.txt --tokens 500 --all
    """
    from mcpcompact.cli.masks import opened
    from mcpcompact.paging import chunking

    env.paginated = True
    if place.all and (place.cursor is not None or place.index is not None):
        raise UsageError("--all gives every chunk", hint="leave out --index and --cursor")
    if place.cursor is not None and no_store:
        raise UsageError("a cursor needs stored content", hint="leave out --no-store")
    store = None if no_store else env.store(kept.results_dir)
    source, notes = opened(file, place.cursor, kept, store, env, hold=0)
    for note in notes:
        env.say(note if source is None else f"{note}; bytes are those of its text as UTF-8")
    how: dict[str, Any] = vars(cut) | vars(counting) | {"store": store, "cursor_ttl": cursor_ttl}
    how["name"] = "" if file in (None, "-") else env.clean(str(file))
    counting.say_model(env)
    try:
        if place.all:
            assert source is not None
            _write_all(chunking.chunks(source, **how), env)
            return 0
        piece = chunking.chunk(source, index=place.index, cursor=place.cursor, **how)
        more = _command(piece.next_cursor, file, repeated(cut, counting, kept) + ["--json"] * json)
        _write(piece, more, json, env, store)
        if piece.problem is None:
            return 0
        env.say(f"{piece.problem.line()} (there is no cursor for the next chunk; --all gives every chunk)")
        return piece.problem.exit_code
    finally:
        close = getattr(source, "close", None)
        if close is not None:
            close()


def _write(chunk: Chunk, more: str, as_json: bool, env: Environment, store: Store | None) -> None:
    from mcpcompact.results.own import said

    notes = [env.say(warning) for warning in chunk.warnings]
    if as_json:
        said(store, chunk.data, env.write_json(chunk.as_dict()), *notes)
        return
    env.write_blocks([chunk.data])
    if not chunk.whole:
        if chunk.data[-1:] != b"\n":
            env.stderr.write("\n")  # where both go the same way, what is said has a line of its own
        notes.append(env.say(_where(chunk, more)))
    said(store, chunk.data, *notes)


def _where(chunk: Chunk, more: str) -> str:
    of = f" of {chunk.total:,}" if chunk.total else ""
    several = chunk.end_line > chunk.start_line
    lines = f"lines {chunk.start_line:,}–{chunk.end_line:,}" if several else f"line {chunk.start_line:,}"
    all_lines = f" of {chunk.total_lines:,}" if chunk.total_lines else ""
    head = f"chunk {chunk.index:,}{of} · {lines}{all_lines} · {chunk.tokens:,} tokens"
    if chunk.split:
        head += f" · {chunk.unit} longer than a chunk, cut at {chunk.split}"
    if chunk.next_cursor:
        head += f" · next: {more}"
    return head


def _command(cursor: str | None, file: str | None, more: list[str]) -> str:
    """The command that prints the next chunk, ready to run."""
    words = ["--cursor", str(cursor), *more]
    if file is not None and file != "-" and printable(file):  # the cursor alone is enough
        words.insert(0, f"./{file}" if file.startswith("-") else file)
    return command("mcpcompact", "chunk", *words)


def _write_all(chunks: Any, env: Environment) -> None:
    seen: set[str] = set()
    for one in chunks:
        env.write_json(one.as_dict())
        for warning in one.warnings:
            if warning not in seen:
                seen.add(warning)
                env.say(warning)
        if one.problem is not None and one.index == 1:
            env.say(f"{one.problem.line()} (the chunks have no cursors; all of them follow)")
