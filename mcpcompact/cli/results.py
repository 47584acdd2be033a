"""``mcpcompact results``: read back what was stored."""

from __future__ import annotations

import argparse
import os
import re
import shlex
from typing import TYPE_CHECKING, Any

from mcpcompact.cli.io import number
from mcpcompact.deadline import REGEX_SECONDS, deadline

if TYPE_CHECKING:
    from mcpcompact.cli.io import Environment
    from mcpcompact.cursors import Cursors
    from mcpcompact.outline import Source
    from mcpcompact.results import ResultStore, StoredResult
    from mcpcompact.retrieval import Page, Selected, Selection

NAME = "results"
HELP = "list, show, get, grep, verify and gc the stored originals"

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_SIZES = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


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
    verify = action("verify", "hash stored results again; exit 1 if one is not what was stored")
    verify.add_argument("id", metavar="ID", nargs="?", help="one result; all without it")
    gc = action("gc", "remove or pack old results; only says what it would do without --yes")
    gc.add_argument("--older-than", metavar="AGE", type=_age, help="results last stored longer ago: 30d, 12h, 90m")
    gc.add_argument("--max-bytes", metavar="SIZE", type=_size, help="the oldest ones beyond this total: 500M, 2G")
    gc.add_argument("--compress", action="store_true", help="pack the old ones instead; get still works")
    gc.add_argument("--yes", action="store_true", help="do it")


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
    options = f" --results-dir {shlex.quote(directory)}" if args.results_dir else ""
    store = ResultStore(directory, options=options)
    code: int = globals()[f"_{args.action}"](args, env, store)
    return code


# ---- list, show


def _list(args: argparse.Namespace, env: Environment, store: ResultStore) -> int:
    found = store.list()
    if args.json:
        _json(env, {"directory": store.directory, "results": [_about(result) for result in found]})
        return 0
    if not found:
        env.stderr.write(f"no results in {store.directory}\n")
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
        _write(env, "  ".join(cells).rstrip() + "\n")
    return 0


def _show(args: argparse.Namespace, env: Environment, store: ResultStore) -> int:
    result = store.get(args.id)
    if args.audit:
        from mcpcompact.results.audit import read_audit

        for call in (calls := read_audit(result)):
            _json(env, call)
        if not calls:
            env.stderr.write(f"no model was asked about {result.id}\n")
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
        _write(env, f"{label:<10} {value}\n")
    _write(env, "\n" + "\n".join(reference.commands) + "\n")
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
        _whole(source, env, args.output)
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
            _stream(selected, env, args.output)
            _say_nothing_found(selected, env)
            return 0
        from mcpcompact.tokens import counter

        made = page(selected, cap or 1 << 60, counter().count)
    get = f"{store.command} get {result.id}{store.options}"
    extra = " --original" if args.original else " --view" if told or args.view else ""
    commands = [f"{get}{extra} {more.options()}" for more in made.next]
    cursor = cursors.issue(str(result.meta["sha256"]), made.position, bound) if made.position else ""
    if args.json:
        _json(env, _page_json(result, selected, made, commands) | ({"nextCursor": cursor} if cursor else {}))
        return 0
    store.remember(result.id, made.data)  # so that this page, coming back as a tool result, is not compacted again
    _put(env, made.data)
    if told:
        env.stderr.write(f"{told}\n")
    if made.next:
        told = f"{made.tokens:,} tokens" + (f"; nextCursor {cursor}" if cursor else "")
        env.stderr.write(f"{_position(made)} ({told}). More: {' | '.join(commands)}\n")
    _say_nothing_found(selected, env)
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
        env.stderr.write(nothing + "\n")


def _whole(source: Source, env: Environment, output: str | None) -> None:
    """Every byte, in blocks."""
    if output:
        with open(output, "wb") as target:
            for block in source.blocks():
                target.write(block)
        return
    for block in source.blocks():
        env.write_bytes(block)


def _stream(selected: Selected, env: Environment, output: str | None) -> None:
    """A selection without a cap, piece by piece."""
    target = open(output, "wb") if output else None  # noqa: SIM115
    write = target.write if target else env.write_bytes
    try:
        held = bytearray()
        first = True
        for piece in selected.pieces:
            if first:
                held += selected.header
                first = False
            held += piece.text
            if len(held) > 1 << 16:
                write(bytes(held))
                held.clear()
        write(bytes(held))
    finally:
        if target:
            target.close()


def _is_file(env: Environment) -> bool:
    """Whether stdout is redirected to a file: nobody reads it now, so nothing is capped."""
    import stat

    try:
        return stat.S_ISREG(os.fstat(env.stdout.fileno()).st_mode)
    except (OSError, AttributeError, ValueError):
        return False


# ---- verify, gc


def _verify(args: argparse.Namespace, env: Environment, store: ResultStore) -> int:
    problems = store.verify(args.id)
    leftovers = [] if args.id else store.leftovers()
    checked = 1 if args.id else len(store.list()) + len({p.id for p in problems if "meta" in p.what})
    if args.json:
        found = [{"id": p.id, "file": p.file, "problem": p.what} for p in problems]
        _json(env, {"checked": checked, "problems": found, "leftovers": leftovers})
        return 1 if problems else 0
    for problem in problems:
        _write(env, f"{problem}\n")
    if leftovers:
        count = f"{len(leftovers)} leftover file{'' if len(leftovers) == 1 else 's'} of interrupted runs"
        env.stderr.write(f"{count}, never advertised: `results gc` removes them\n")
    if not problems:
        env.stderr.write(f"{checked:,} result{'' if checked == 1 else 's'} verified, all as stored\n")
    return 1 if problems else 0


def _gc(args: argparse.Namespace, env: Environment, store: ResultStore) -> int:
    from mcpcompact.errors import UsageError

    if args.compress and args.older_than is None:
        raise UsageError("--compress needs --older-than AGE")
    done = store.gc(args.older_than, args.max_bytes, dry_run=not args.yes, compress=args.compress)
    if args.json:
        _json(env, done.as_dict())
        return 0
    verb = "would be " if done.dry_run else ""
    for names, what in ((done.removed, "removed"), (done.packed, "packed"), (done.leftovers, "removed (leftover)")):
        for name in names:
            _write(env, f"{name} {verb}{what}\n")
    tail = "; nothing was done, add --yes to do it" if done.dry_run and done.freed + len(done.packed) else ""
    env.stderr.write(f"{done.freed:,} bytes {verb}freed, {done.kept:,} kept{tail}\n")
    return 0


# ---- words


def _write(env: Environment, text: str) -> None:
    env.write(text)


def _put(env: Environment, data: bytes) -> None:
    """A page: the exact bytes, or on a terminal text whose escapes are shown instead of obeyed."""
    if env.stdout_isatty:
        text = data.decode("utf-8", "replace")
        env.write(text if text.endswith("\n") or not text else text + "\n")
    else:
        env.write_bytes(data)


def _json(env: Environment, value: Any) -> None:
    import json

    env.write(json.dumps(value, ensure_ascii=False, default=str) + "\n")


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
        if seconds >= _UNITS[name]:
            return f"{int(seconds // _UNITS[name])}{name}"
    return f"{int(seconds)}s"


def _age(text: str) -> float:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhdw]?)", text.strip().lower())
    if match is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not an age; give 30d, 12h, 90m or seconds")
    return float(match[1]) * _UNITS[match[2]]


def _size(text: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([bkmgt]?)(?:i?b)?", text.strip().lower().replace(",", ""))
    if match is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size; give 500M, 2G or bytes")
    return int(float(match[1]) * _SIZES[match[2]])
