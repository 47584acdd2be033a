"""``mcpcompact paginate``: the door to ``mcpcompact.paginate``."""

from __future__ import annotations

import argparse
import os
import re

from mcpcompact.cli.io import Environment, add_encoding_in, number
from mcpcompact.cli.masks import masker_of_args, say_masked
from mcpcompact.cursors import MAX_TTL, TTL
from mcpcompact.errors import McpcompactError, NoInputError, UsageError
from mcpcompact.pagination import DEFAULT_LIMIT, MAX_LIMIT, MIN_TOKENS, ItemPage, paginate, stream
from mcpcompact.results.own import said
from mcpcompact.shell import command, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mcpcompact.outline import Source
    from mcpcompact.results import ResultStore

NAME = "paginate"
HELP = "A long list page by page: exact items, a total, and a cursor for the next page."


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", nargs="?", metavar="FILE", help="a file; '-' or nothing reads standard input")
    add(
        "--limit",
        type=_limit,
        default=DEFAULT_LIMIT,
        metavar="N",
        help=f"items a page, 1 to {MAX_LIMIT} (default %(default)s)",
    )
    add(
        "--cursor", metavar="CURSOR", help="the page that nextCursor names, with the same options; FILE may be left out"
    )
    add("--path", default="", metavar="A.B[0]", help="the list there, instead of the main one")
    add("--fields", default="", metavar="A,B.C", help="only these fields of each item")
    add("--sort", metavar="FIELD[:desc]", help="by a field, or 'newest'; what lacks the field stands last")
    add("--pages", type=_pages, metavar="A-B", help="several pages at once")
    add(
        "--max-tokens",
        type=number(MIN_TOKENS),
        metavar="N",
        help=f"end the page before it exceeds N tokens, {MIN_TOKENS} or more",
    )
    add("--all", action="store_true", help="every item, one a line")
    add("--type", metavar="TYPE", help="content type, instead of detection: records, json, table, fasta, markup")
    add("--json", action="store_true", help="one JSON object for a short list too, which otherwise comes as it is")
    add("--model", help="count as this model does")
    add("--encoding", help="o200k_base (default) or cl100k_base")
    add_encoding_in(parser)
    add(
        "--cursor-ttl",
        type=number(0),
        default=TTL,
        metavar="SECONDS",
        help=f"how long the next cursor is valid (default %(default)s, at most {MAX_TTL}; 0 for ever)",
    )
    add("--mask", action="store_true", help="replace secrets by placeholders before anything is stored or printed")
    add("--results-dir", metavar="DIR", help="where the list is kept between pages")


def _limit(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text[:9]) <= MAX_LIMIT:
        raise argparse.ArgumentTypeError(f"'{text}' is not possible; give 1 to {MAX_LIMIT}")
    return int(text)


def _pages(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,9})(?:[-:](\d{1,9}))?", text.strip(), re.ASCII)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last:
        raise argparse.ArgumentTypeError(f"'{text}' is not possible; write A-B, from 1, A not above B")
    return first, last


def run(args: argparse.Namespace, env: Environment) -> int:
    fields = tuple(name.strip() for name in args.fields.split(",") if name.strip())
    if args.all:
        return _all(args, env, fields)
    notes: list[str] = []
    source, store = _source(args, env, notes), _store(args)
    page = paginate(
        source,
        limit=args.limit,
        cursor=args.cursor,
        path=args.path,
        fields=fields,
        sort=args.sort,
        pages=args.pages,
        max_tokens=args.max_tokens,
        content_type=args.type,
        model=args.model,
        encoding=args.encoding,
        store=store,
        cursor_ttl=args.cursor_ttl,
        source_name=env.clean(_name(args)),
    )
    _write(page, args, env)
    said(store, page.json, *(env.say(note) for note in [*notes, *page.notes]))
    if page.problem is not None:
        env.say(f"{page.problem.line()} (there is no cursor for the next page)")
        return page.problem.exit_code
    return 0


def _name(args: argparse.Namespace) -> str:
    return "" if args.file in (None, "-") else os.path.basename(args.file)


def _source(args: argparse.Namespace, env: Environment, notes: list[str]) -> Source | None:
    """The input. With a cursor none is needed, and one that is gone is said."""
    from mcpcompact.reading import in_utf8, open_source

    if args.cursor is not None and args.file is None:
        return None
    if args.file is None and env.stdin_isatty:
        raise UsageError("paginate: no input", hint="name a file or pipe the list in")
    name = args.file or "-"
    try:
        masker = masker_of_args(args, _store(args), env)
        source, told = in_utf8(open_source(name, env.stdin, masker=masker), args.encoding_in)
        notes += [told] if told else []
    except McpcompactError as error:
        if args.cursor is None:
            raise
        notes.append(f"{error}; the walk goes on over the content of then")
        return None
    if not source.size and args.cursor is None:
        raise NoInputError(f"{'standard input' if name == '-' else name} is empty")
    if masker is not None:
        say_masked(name, source.masked, masker, env)
    return source


def _store(args: argparse.Namespace) -> ResultStore:
    from mcpcompact.config import results_dir
    from mcpcompact.results import ResultStore

    directory, found_later = results_dir(args.results_dir)
    return ResultStore(directory, options="" if found_later else command(*option("--results-dir", directory)))


def _write(page: ItemPage, args: argparse.Namespace, env: Environment) -> None:
    if page.content is None or args.json:
        env.write(page.json)
        return
    for block in page.content.blocks():  # as it is, whatever its bytes
        if env.stdout_isatty:
            env.write(block.decode("utf-8", "replace"))
        else:
            env.write_bytes(block)


def _all(args: argparse.Namespace, env: Environment, fields: tuple[str, ...]) -> int:
    for name in ("cursor", "pages", "max_tokens"):
        if getattr(args, name) is not None:
            raise UsageError(f"paginate: --all and --{name.replace('_', '-')} do not go together", hint="give one")
    source = _source(args, env, [])
    assert source is not None
    items, notes = stream(source, path=args.path, fields=fields, sort=args.sort, content_type=args.type)
    count = 0
    env.write('{"items": [\n' if args.json else "")
    for count, item in enumerate(items, 1):
        env.write((",\n" if args.json and count > 1 else "") + item + ("" if args.json else "\n"))
    env.write(f'{chr(10) if count else ""}], "totalCount": {count}}}\n' if args.json else "")
    for note in notes:
        env.say(note)
    return 0
