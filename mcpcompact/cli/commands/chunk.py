"""``mcpcompact chunk``: the door to ``mcpcompact.chunk`` and ``mcpcompact.chunks``."""

from __future__ import annotations

import argparse
import json
from typing import Any

from mcpcompact.chunking import CHUNK_TOKENS, LEAST_TOKENS, Chunk, chunk, chunks
from mcpcompact.cli.io import Environment, add_encoding_in, number
from mcpcompact.cli.masks import masker_of_args, say_masked
from mcpcompact.cursors import TTL
from mcpcompact.errors import NoInputError, UsageError
from mcpcompact.results.own import said
from mcpcompact.shell import command, option, printable
from mcpcompact.splitting import UNITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mcpcompact.outline import Source
    from mcpcompact.results import ResultStore

NAME = "chunk"
HELP = "Read long content piece by piece: one chunk, a range of lines, or all; no unit torn, no byte lost."

_REPEATED = (
    "tokens",
    "max_chars",
    "unit",
    "overlap",
    "lines",
    "type",
    "model",
    "encoding",
    "encoding_in",
    "results_dir",
)


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", nargs="?", metavar="FILE", help="a file; '-' or nothing reads standard input")
    add(
        "--tokens",
        type=number(LEAST_TOKENS),
        default=CHUNK_TOKENS,
        metavar="N",
        help="most tokens of a chunk (default %(default)s)",
    )
    add(
        "--max-chars",
        type=number(LEAST_TOKENS),
        metavar="N",
        help="limit chunks by characters instead of tokens (quicker: nothing is counted to find the cuts)",
    )
    add("--index", type=number(1), metavar="K", help="the K-th chunk, from 1 (default the first)")
    add("--cursor", metavar="CURSOR", help="the chunk that nextCursor of an earlier one leads to; same options")
    add("--lines", metavar="A:B", help="only these lines, from 1; what stands behind them is not read")
    add("--all", action="store_true", help="every chunk, one JSON object a line")
    add("--unit", choices=UNITS, default="auto", help="what is kept whole (default auto: by content type)")
    add(
        "--overlap",
        type=number(0),
        default=0,
        metavar="N",
        help="repeat up to N tokens of the chunk before, in whole units where they fit (default 0)",
    )
    add(
        "--type",
        metavar="TYPE",
        help="content type, instead of detection: fasta, records, json, table, log, diff, code, markup, text",
    )
    add("--json", action="store_true", help="one JSON object")
    add("--model", help="count as this model does")
    add("--encoding", help="o200k_base (default) or cl100k_base")
    add_encoding_in(parser)
    add("--cursor-ttl", type=number(0), default=TTL, metavar="S", help="seconds a cursor is valid, 0 for ever (600)")
    add("--no-store", action="store_true", help="do not keep the content; there are no cursors then")
    add("--mask", action="store_true", help="replace secrets by placeholders before anything is stored or printed")
    add(
        "--results-dir",
        metavar="DIR",
        help="where the content is kept (default $MCPCOMPACT_RESULTS_DIR, .mcpcompact/results, the state directory)",
    )


def run(args: argparse.Namespace, env: Environment) -> int:
    if args.all and (args.cursor is not None or args.index is not None):
        raise UsageError("--all gives every chunk", hint="leave out --index and --cursor")
    if args.cursor is not None and args.no_store:
        raise UsageError("a cursor leads to stored content", hint="leave out --no-store")
    source = _open(args, env)
    name = env.clean(args.file) if args.file not in (None, "-") else ""
    options: dict[str, Any] = {
        "tokens": args.tokens,
        "lines": args.lines,
        "unit": args.unit,
        "overlap": args.overlap,
        "max_chars": args.max_chars,
        "content_type": args.type,
        "model": args.model,
        "encoding": args.encoding,
        "store": _store(args, env),
        "cursor_ttl": args.cursor_ttl,
        "name": name,
    }
    if args.model is not None:
        from mcpcompact.tokens import resolve

        if note := resolve(args.model, args.encoding).note:
            env.say(note)
    try:
        if args.all:
            assert source is not None
            _write_all(chunks(source, **options), env)
        else:
            made = chunk(source, index=args.index, cursor=args.cursor, **options)
            _write(made, args, env, options["store"])
            if made.problem is not None:
                env.say(f"{made.problem.line()} (there is no cursor for the next chunk; --all gives every chunk)")
                return made.problem.exit_code
    finally:
        close = getattr(source, "close", None)
        if close is not None:
            close()
    return 0


def _open(args: argparse.Namespace, env: Environment) -> Source | None:
    """The input. With a cursor it is only compared with the snapshot, and may be absent."""
    from mcpcompact.reading import in_utf8, open_source

    if args.file is None and args.cursor is not None:
        return None
    name = args.file or "-"
    if name == "-" and env.stdin_isatty:
        raise UsageError("chunk: no input", hint="name a file or pipe something in")
    try:
        masker = masker_of_args(args, _store(args, env), env)
        source, told = in_utf8(open_source(name, env.stdin, hold=0, masker=masker), args.encoding_in)
        if told:
            env.say(f"{told}; bytes are those of its text as UTF-8")
    except NoInputError:
        if args.cursor is None:
            raise
        env.say(f"{name} is gone: this is the snapshot that the cursor belongs to")
        return None
    if masker is not None:
        say_masked(name, source.masked, masker, env)
    return source


def _store(args: argparse.Namespace, env: Environment) -> Any:
    if args.no_store:
        return None
    from mcpcompact.results import ResultStore

    return ResultStore(env.results_dir(args.results_dir))


def _write(made: Chunk, args: argparse.Namespace, env: Environment, store: ResultStore | None) -> None:
    told = [env.say(warning) for warning in made.warnings]
    if args.json:
        text = json.dumps(made.as_dict(), ensure_ascii=False) + "\n"
        env.write(text)
        said(store, made.data, text, *told)
        return
    if env.stdout_isatty:
        env.write(made.text)
    else:
        env.write_bytes(made.data)
    if not made.whole:
        if made.data[-1:] != b"\n":
            env.stderr.write("\n")  # where both go the same way, what is said has a line of its own
        told.append(env.say(_where(made, args)))
    said(store, made.data, *told)


def _where(made: Chunk, args: argparse.Namespace) -> str:
    of = f" of {made.total:,}" if made.total else ""
    lines = (
        f"lines {made.start_line:,}–{made.end_line:,}"
        if made.end_line > made.start_line
        else f"line {made.start_line:,}"
    )
    all_lines = f" of {made.total_lines:,}" if made.total_lines else ""
    said = f"chunk {made.index:,}{of} · {lines}{all_lines} · {made.tokens:,} tokens"
    if made.split:
        said += f" · {made.unit} longer than a chunk, cut at {made.split}"
    if made.next_cursor:
        said += f" · next: {_command(made.next_cursor, args)}"
    return said


def _command(cursor: str, args: argparse.Namespace) -> str:
    """The command that prints the next chunk, ready to run."""
    words = ["mcpcompact", "chunk"]
    if args.file not in (None, "-") and printable(args.file):  # the cursor alone is enough
        words.append(f"./{args.file}" if args.file.startswith("-") else args.file)
    words += ["--cursor", cursor]
    defaults = {"tokens": CHUNK_TOKENS, "unit": "auto", "overlap": 0}
    for name in _REPEATED:
        value = getattr(args, name)
        if value is not None and value != defaults.get(name):
            words += option(f"--{name.replace('_', '-')}", value)
    words += [f"--{flag}" for flag in ("mask", "json") if getattr(args, flag)]
    return command(*words)


def _write_all(made: Any, env: Environment) -> None:
    said: set[str] = set()
    for one in made:
        env.write(json.dumps(one.as_dict(), ensure_ascii=False) + "\n")
        for warning in one.warnings:
            if warning not in said:
                said.add(warning)
                env.say(warning)
        if one.problem is not None and one.index == 1:
            env.say(f"{one.problem.line()} (the chunks have no cursors; all of them follow)")
