"""``mcpcompact results``: read back what was stored."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any

from mcpcompact.cli.io import number
from mcpcompact.cli.upkeep import UNITS, age, gc, size, verify
from mcpcompact.deadline import REGEX_SECONDS, deadline
from mcpcompact.shell import command, option

if TYPE_CHECKING:
    from mcpcompact.cli.io import Environment
    from mcpcompact.cursors import Cursors
    from mcpcompact.outline import Source
    from mcpcompact.results import ResultStore, StoredResult
    from mcpcompact.retrieval import Page, Selected, Selection

NAME = "results"
HELP = "list, show, get, grep, verify and gc the stored originals"


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    def action(name: str, what: str) -> argparse.ArgumentParser:
        added = actions.add_parser(name, help=what, description=what, allow_abbrev=False)
        added.add_argument("--results-dir", metavar="DIR", help="the results directory")
        added.add_argument("--json", action="store_true", help="one JSON object")
        return added

    action("list", "what is stored, newest first")
    show = action("show", "what is known about a result, and commands that fetch parts of it")
    show.add_argument("id", metavar="ID", help="the id, or the beginning of it")
    show.add_argument("--audit", action="store_true", help="the calls of models about it, a JSON object a line")
    get = action("get", "a result, whole and byte for byte, or a part of it")
    get.add_argument("id", metavar="ID", help="the id, or the beginning of it")
    _selectors(get)
    get.add_argument("--grep", metavar="TERM", default="", help="lines (or records) that contain TERM")
    grep = action("grep", "lines that contain a term, with exact line numbers")
    grep.add_argument("id", metavar="ID", help="the id, or the beginning of it")
    grep.add_argument("grep", metavar="TERM", help="a fixed string, or a pattern with --regex")
    grep.add_argument("--lines", metavar="A:B", help="search only these lines")
    for reader in (get, grep):
        _searching(reader)
    checked = action("verify", "hash stored results again; exit 1 if one is not what was stored")
    checked.add_argument("id", metavar="ID", nargs="?", help="one result; all without it")
    cleaned = action("gc", "remove or pack old results; only says what it would do without --yes")
    cleaned.add_argument("--older-than", metavar="AGE", type=age, help="results last stored longer ago: 30d, 12h, 90m")
    cleaned.add_argument("--max-bytes", metavar="SIZE", type=size, help="the oldest ones beyond this total: 500M, 2G")
    cleaned.add_argument("--compress", action="store_true", help="pack the old ones instead; get still works")
    cleaned.add_argument("--yes", action="store_true", help="do it")


def _selectors(get: argparse.ArgumentParser) -> None:
    add = get.add_argument
    add("--lines", metavar="A:B", help="lines, from 1, both ends included")
    add("--bytes", metavar="A:B", help="byte offsets, from 0, the end excluded")
    add(
        "--records",
        metavar="A:B",
        help="items, NDJSON lines, sequences or rows, from 1, both ends included",
    )
    add("--id", dest="ids", metavar="ID", action="append", default=[], help="records whose id-like field is ID")
    add("--where", metavar="FIELD=VALUE", action="append", default=[], help="also != < > <= >= ~ (contains)")
    add("--fields", metavar="A,B.C", default="", help="only these fields of each record")
    add("--path", metavar="A.B[0]", default="", help="the JSON value there; with --records, the list there")
    add("--original", action="store_true", help="select from the stored bytes, not from the text unwrapped from them")
    add("--view", action="store_true", help="select from the line-friendly view")
    add("--output", metavar="FILE", help="write to a file, without a cap")


def _searching(reader: argparse.ArgumentParser) -> None:
    add = reader.add_argument
    add("-i", "--ignore-case", action="store_true", help="ignore case in the search")
    add("-C", "--context", metavar="N", type=int, default=0, help="lines of context around each match")
    add("--regex", action="store_true", help="the term is a regular expression of Python")
    add("--max-tokens", metavar="N", type=int, help="the most tokens of a page (2,000; 0 for no cap)")
    add("--cursor", metavar="CURSOR", help="go on where a page ended, with the same options")
    add("--cursor-ttl", metavar="SECONDS", type=number(0), help="how long the next cursor is valid (600; 0 for ever)")


def run(args: argparse.Namespace, env: Environment) -> int:
    from mcpcompact.results import ResultStore

    directory = env.results_dir(args.results_dir)
    options = command(*option("--results-dir", directory)) if args.results_dir else ""
    store = ResultStore(directory, options=options)
    action = {"list": _list, "show": _show, "get": _get, "grep": _grep, "verify": verify, "gc": gc}[args.action]
    return action(args, env, store)


# ---- list, show


def _list(args: argparse.Namespace, env: Environment, store: ResultStore) -> int:
    found, damaged = store.list(), store.known()[1]
    if args.json:
        more = {"damaged": [problem.as_dict() for problem in damaged]} if damaged else {}
        _json(env, {"directory": store.directory, "results": [_about(result) for result in found], **more})
        return 0
    for problem in damaged:
        env.say(f"left out: {problem}")
    if not found:
        env.tell(f"no results in {store.directory}")
        return 0
    rows = [("ID", "TOOL", "TYPE", "TOKENS", "BYTES", "AGE")]
    for result in found:
        meta = result.meta
        tool = ".".join(str(part) for part in (meta.get("server"), meta.get("tool")) if part) or "-"
        size = int(meta.get("bytes") or 0)
        rows.append(
            (
                result.id,
                _clipped(tool),
                str(meta.get("contentType") or "-"),
                _n(meta.get("tokens")),
                f"{size:,}",
                _ago(store.age(f"{os.path.basename(result.path).split('.')[0]}.meta.json")),
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.rjust(width) if index > 2 else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        env.write("  ".join(cells).rstrip() + "\n")
    return 0


def _show(args: argparse.Namespace, env: Environment, store: ResultStore) -> int:
    result = store.get(args.id)
    if args.audit:
        from mcpcompact.results.audit import read_audit

        for call in (calls := read_audit(result)):
            _json(env, call)
        if not calls:
            env.tell(f"no model was asked about {result.id}")
        return 0
    reference = store.reference(result)
    if args.json:
        _json(env, {**result.meta, "reference": reference.as_dict()})
        return 0
    meta = result.meta
    rows = [("id", result.id), ("file", result.path)]
    rows += [("view", reference.view)] if reference.view else []
    for label, key in (
        ("server", "server"), ("tool", "tool"), ("arguments", "arguments"), ("source", "source"),
        ("type", "contentType"), ("tokens", "tokens"), ("bytes", "bytes"), ("stored", "time"), ("sha256", "sha256"),
    ):  # fmt: skip
        if (value := meta.get(key)) not in (None, "", {}):
            rows.append((label, _n(value) if isinstance(value, int) else _flat(value)))
    rows += [("earlier", f"{len(meta['earlier'])} more with the same content")] if meta.get("earlier") else []
    for label, value in rows:
        env.write(f"{label:<10} {value}\n")
    env.write("\n" + "\n".join(reference.commands) + "\n")
    return 0


# ---- get, grep


def _get(args: argparse.Namespace, env: Environment, store: ResultStore) -> int:
    from mcpcompact.retrieval import Condition, Range, Selection

    result = store.get(args.id)
    selection = Selection(
        lines=Range.parse(args.lines) if args.lines else None,
        bytes=Range.parse(args.bytes, least=0) if args.bytes else None,
        records=Range.parse(args.records) if args.records else None,
        ids=tuple(args.ids),
        fields=tuple(name.strip() for name in args.fields.split(",") if name.strip()),
        where=tuple(Condition.parse(text) for text in args.where),
        path=args.path,
        grep=args.grep,
        ignore_case=args.ignore_case,
        regex=args.regex,
        context=args.context,
    )
    _check(args, selection)
    if (
        not selection
        and not args.max_tokens
        and not args.cursor
        and (args.output or not env.stdout_isatty)
        and not args.json
    ):
        source = (result.view() or result.payload()) if args.view else result.source()
        _put_out(source.blocks(), env, args.output)  # not remembered: it is also what the tool returns the next time
        return 0
    return _selected(args, env, store, result, selection)


def _grep(args: argparse.Namespace, env: Environment, store: ResultStore) -> int:
    from mcpcompact.retrieval import Range, Selection

    selection = Selection(
        lines=Range.parse(args.lines) if args.lines else None,
        grep=args.grep,
        ignore_case=args.ignore_case,
        regex=args.regex,
        context=args.context,
    )
    args.view = args.original = False
    args.output = None
    _check(args, selection)
    return _selected(args, env, store, store.get(args.id), selection)


def _check(args: argparse.Namespace, selection: Selection) -> None:
    from mcpcompact.errors import UsageError

    chosen = [name for name in ("lines", "bytes", "records") if getattr(selection, name)]
    if len(chosen) > 1:
        raise UsageError(f"--{chosen[0]} and --{chosen[1]} do not go together", hint="give one of them")
    if selection.bytes and (selection.by_record or selection.path or selection.grep):
        raise UsageError("--bytes goes with no other selector")
    if selection.lines and (selection.by_record or selection.path):
        raise UsageError("--lines goes with --grep only", hint="number records with --records")
    if args.view and args.original:
        raise UsageError("--view and --original do not go together")
    if args.context < 0 or (args.max_tokens or 0) < 0:
        raise UsageError("-C and --max-tokens are not negative")
    if args.grep == "" and args.action == "grep":
        raise UsageError("the term is empty")


def _selected(
    args: argparse.Namespace, env: Environment, store: ResultStore, result: StoredResult, selection: Selection
) -> int:
    from mcpcompact.cursors import TTL, Cursors
    from mcpcompact.retrieval import PAGE_TOKENS, page, resumed, select

    source, told = _addressed(args, result, selection)
    cap = args.max_tokens if args.max_tokens is not None else 0 if args.output or _is_file(env) else PAGE_TOKENS
    content_type = str(result.meta.get("contentType") or "")
    if args.original or args.view:
        content_type = ""
    with deadline(REGEX_SECONDS if selection.regex else 0):
        selected = select(source, selection, content_type)
        bound = f"results {args.action} {args.original} {args.view} {args.max_tokens} {selection.options()}"
        cursors = Cursors(store, ttl=TTL if args.cursor_ttl is None else args.cursor_ttl)
        if args.cursor is not None:
            selected = resumed(selected, _opened(cursors, args.cursor, bound, result))
        if not cap and not args.json:
            put = _stream(selected, env, args.output)
            if len(put) < source.size:
                store.remember(result.id, put)
            _say_nothing_found(selected, env)
            return 0
        from mcpcompact.tokens import counter

        made = page(selected, cap or 1 << 60, counter().count)
    part = ["--original"] if args.original else ["--view"] if told or args.view else []
    commands = [store.get_command(result.id, *part, *more.words()) for more in made.next]
    commands = [line for line in commands if line.isprintable()]  # what a terminal would not show is not said
    cursor = cursors.issue(str(result.meta["sha256"]), made.position, bound) if made.position else ""
    if args.json:
        found = _page_json(result, selected, made, commands) | ({"nextCursor": cursor} if cursor else {})
        store.remember(result.id, _json(env, found))
        return 0
    if made.next:
        size = f"{made.tokens:,} tokens" + (f"; nextCursor {cursor}" if cursor else "")
        more = f". More: {' | '.join(commands)}" if commands else ""
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
    from mcpcompact.cursors import START_OVER
    from mcpcompact.errors import UsageError

    opened = cursors.open(text, bound)
    if not str(result.meta.get("sha256")).startswith(opened.id):
        raise UsageError("this cursor belongs to another result", hint=START_OVER)
    if opened.forever:
        cursors.ttl = 0
    return opened.position


def _addressed(args: argparse.Namespace, result: StoredResult, selection: Selection) -> tuple[Source, str]:
    """The text that the selection numbers, and a line that says so when it is not the payload."""
    from mcpcompact.errors import NoInputError

    if args.original:
        return result.source(), ""
    if args.view:
        view = result.view()
        if view is None:
            raise NoInputError(f"result {result.id} has no view: its lines are short", hint="leave --view out")
        return view, ""
    by_line = not (selection.bytes or selection.by_record or selection.path)
    if by_line and result.one_line and (view := result.view()) is not None:
        return view, "The result is one line; these are lines of its view (--view)."
    return result.payload(), ""


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


def _say_nothing_found(selected: Selected, env: Environment) -> None:
    if nothing := selected.explain_nothing():
        env.tell(nothing)


def _stream(selected: Selected, env: Environment, output: str | None) -> bytes:
    """A selection without a cap, piece by piece."""
    pieces = (piece.text for piece in selected.pieces)
    first = next(pieces, None)
    return b"" if first is None else _put_out(chain((selected.header, first), pieces), env, output)


def _put_out(blocks: Iterable[bytes], env: Environment, output: str | None) -> bytes:
    """Bytes to a file or to stdout; gives them back, if they are few enough to be recognised later, else none."""
    from mcpcompact.results.own import LONGEST

    target = open(output, "wb") if output else None  # noqa: SIM115
    write = target.write if target else env.write_bytes
    held, seen = bytearray(), bytearray()
    try:
        for block in blocks:
            held += block
            if len(held) > 1 << 16:
                write(bytes(held))
                seen += held if len(seen) <= LONGEST else b""
                held.clear()
        write(bytes(held))
        seen += held
    finally:
        if target:
            target.close()
    return bytes(seen) if len(seen) <= LONGEST else b""


def _is_file(env: Environment) -> bool:
    """Whether stdout is redirected to a file: nobody reads it now, so nothing is capped."""
    import stat

    try:
        return stat.S_ISREG(os.fstat(env.stdout.fileno()).st_mode)
    except (OSError, AttributeError, ValueError):
        return False


# ---- words


def _put(env: Environment, data: bytes) -> None:
    """A page: the exact bytes, or on a terminal text whose escapes are shown instead of obeyed."""
    if env.stdout_isatty:
        text = data.decode("utf-8", "replace")
        env.write(text if text.endswith("\n") or not text else text + "\n")
    else:
        env.write_bytes(data)


def _json(env: Environment, value: Any) -> str:
    import json

    text = json.dumps(value, ensure_ascii=False, default=str) + "\n"
    env.write(text)
    return text


def _about(result: StoredResult) -> dict[str, Any]:
    keys = ("server", "tool", "contentType", "tokens", "bytes", "sha256", "source", "time")
    return {"id": result.id, "path": result.path, **{key: result.meta.get(key) for key in keys}}


def _flat(value: Any) -> str:
    import json

    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _n(value: Any) -> str:
    return f"{value:,}" if isinstance(value, (int, float)) else "-"


def _clipped(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def _ago(seconds: float) -> str:
    for name in ("w", "d", "h", "m"):
        if seconds >= UNITS[name]:
            return f"{int(seconds // UNITS[name])}{name}"
    return f"{int(seconds)}s"
