"""``mcpcompact results``: what is stored, how it stands, and what may go. Parts of a result: ``cli/parts.py``."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mcpcompact.cli import completion, tables
from mcpcompact.cli.base import Group, OptionGroup, command
from mcpcompact.cli.io import UNITS, Environment, ago
from mcpcompact.cli.options import (
    VALID,
    Config,
    Json,
    Number,
    ResultsDir,
    Text,
    Texts,
    argument,
    much,
    puts,
    read,
    runs,
)
from mcpcompact.errors import UsageError
from mcpcompact.phrasing import counted

if TYPE_CHECKING:
    from mcpcompact.results import StoredResult

SIZES = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
LONGEST_TOOL = 40
_WHERE = "Only records that match; operators =, !=, >=, >, <=, < and ~ (contains); repeatable."
_TOKENS = "Token limit of a page; 0 means no limit."
_AGE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s*([smhdw])", re.ASCII)
_SIZE = re.compile(r"(\d{1,18}(?:\.\d{1,9})?)\s*([bkmgt]?)(?:i?b)?", re.ASCII)

app = typer.Typer(cls=Group, add_completion=False, suggest_commands=False)
Id = Annotated[str, argument("ID", "Result id, or its first characters.", autocompletion=completion.stored_ids)]


class Where(OptionGroup):
    """Which results directory, and in which form its answers come."""

    results_dir: ResultsDir = None
    json: Json = False


class Part(OptionGroup):
    """What is taken of a result."""

    lines: Annotated[Text, read("Line range, 1-based, both ends included.", "A:B")] = None
    bytes: Annotated[Text, read("Byte range, 0-based, end excluded.", "A:B")] = None
    records: Annotated[Text, read("Items, NDJSON lines, sequences or rows, 1-based, both ends included.", "A:B")] = None
    ids: Annotated[Texts, read("Only records with this id; repeatable.", "ID", "--id")] = None
    where: Annotated[Texts, read(_WHERE, "FIELD=VALUE")] = None
    path: Annotated[str, read("JSON value at this path, such as a.b.c; with --records, its list.", "PATH")] = ""
    grep: Annotated[str, read("Only lines or records that contain TERM.", "TERM")] = ""
    original: Annotated[bool, read("Select from the stored bytes, not from the unwrapped text.")] = False
    view: Annotated[bool, read("Select from the line-friendly view (JSON indented, long lines folded).")] = False
    fields: Annotated[str, puts("Show only these fields of each record.", "A,B.C")] = ""
    output: Annotated[Text, puts("Write to a file, without a token limit.", "FILE")] = None


class Found(OptionGroup):
    """How matches are found, and how much of them is shown."""

    ignore_case: Annotated[bool, read("Ignore case.", None, "-i", "--ignore-case")] = False
    word: Annotated[bool, read("Match the whole term only: ord-12, not ord-123.", None, "-w", "--word")] = False
    regex: Annotated[bool, read("Treat the term as a Python regular expression (10-second limit).")] = False
    context: Annotated[int, much("Lines of context around each match.", "N", "-C", "--context")] = 0
    max_tokens: Annotated[Number, much(_TOKENS, "N", otherwise="2000; no limit when writing to a file")] = None
    cursor: Annotated[Text, much("Continue from this nextCursor, with the same options.", "CURSOR")] = None
    cursor_ttl: Annotated[Number, puts(VALID, "SECONDS", least=0, otherwise="600")] = None


@app.callback()
def results(config: Config = None) -> None:
    """Read stored results, whole or in parts.

    mcpcompact results list
    mcpcompact results get 3f9c2a1b --where status=failed
    """


@command(app, "list")
def list_results(env: Environment, where: Where) -> int:
    """List stored results, newest first.

    mcpcompact results list --json
    """
    store = env.store(where.results_dir)
    stored, damaged = store.list(), store.known()[1]
    if where.json:
        more = {"damaged": [problem.as_dict() for problem in damaged]} if damaged else {}
        env.write_json({"directory": store.directory, "results": [_about(result) for result in stored], **more})
        return 0
    for problem in damaged:
        env.say(f"left out: {problem}")
    if not stored:
        env.tell(f"no results in {store.directory}")
        return 0
    head = ("ID", "TOOL", "TYPE", "TOKENS", "BYTES", "AGE")
    rows = []
    for result in stored:
        meta = result.meta
        tool = ".".join(str(part) for part in (meta.get("server"), meta.get("tool")) if part) or "-"
        if len(tool) > LONGEST_TOOL and not env.stdout_isatty:  # a terminal's table follows its width
            tool = f"{tool[: LONGEST_TOOL - 1]}…"
        sizes = _n(meta.get("tokens")), f"{int(meta.get('bytes') or 0):,}"
        rows.append((result.id, tool, str(meta.get("contentType") or "-"), *sizes, ago(store, result)))
    tables.show(tables.Table(head, rows, left=(0, 1, 2), cut=(1,)), env)
    return 0


@command(app, "show")
def show(
    env: Environment,
    where: Where,
    id: Id,
    audit: Annotated[bool, puts("Print the model calls about it, one JSON object per line.")] = False,
) -> int:
    """Show the metadata of a result and commands that fetch parts of it.

    mcpcompact results show 3f9c2a1b
    """
    store = env.store(where.results_dir)
    result = store.get(id)
    if audit:
        from mcpcompact.results.calls import read_audit

        for call in (calls := read_audit(result)):
            env.write_json(call)
        if not calls:
            env.tell(f"no model calls about {result.id}")
        return 0
    reference = store.reference(result)
    if where.json:
        env.write_json({**result.meta, "reference": reference.as_dict()})
        return 0
    meta = result.meta
    rows = [("id", result.id), ("file", result.path)]
    rows += [("view", reference.view)] if reference.view else []
    for key in ("server", "tool", "arguments", "source", "contentType", "tokens", "bytes", "time", "sha256"):
        if (value := meta.get(key)) not in (None, "", {}):
            label = {"contentType": "type", "time": "stored"}.get(key, key)
            rows.append((label, _n(value) if isinstance(value, int) else _flat(value)))
    rows += [("earlier", f"{len(meta['earlier'])} more with the same content")] if meta.get("earlier") else []
    env.write_lines(
        *(f"{label:<10} {value}" for label, value in rows), "", *filter(str.isprintable, reference.commands)
    )
    return 0


@command(app, "get")
def get(
    env: Environment,
    where: Where,
    part: Part,
    search: Found,
    id: Id,
    no_pager: Annotated[bool, puts("On a terminal, print one page instead of opening $PAGER.")] = False,
) -> int:
    """Print a stored result byte for byte, or part of it.

    mcpcompact results get 3f9c2a1b > whole.json
    mcpcompact results get 3f9c2a1b --where status=failed --fields id,reason
    mcpcompact results get 3f9c2a1b --lines 120:160
    """
    from mcpcompact.cli.parts import parts

    return parts("get", env, where, id, part, search, not no_pager)


@command(app, "grep")
def grep(
    env: Environment,
    where: Where,
    search: Found,
    id: Id,
    term: Annotated[str, argument("TERM", "Text to search for, or a pattern with --regex.")],
    lines: Annotated[Text, read("Search only these lines.", "A:B")] = None,
) -> int:
    """Print the lines that contain a term, with exact line numbers.

    mcpcompact results grep 3f9c2a1b 'connection refused' -i -C 2
    """
    if not term:
        raise UsageError("the term is empty")
    from mcpcompact.cli.parts import parts

    return parts("grep", env, where, id, Part(lines=lines, grep=term), search)


@command(app, "verify")
def verify(
    env: Environment,
    where: Where,
    id: Annotated[Text, argument("ID", "Result id; by default all.", autocompletion=completion.stored_ids)] = None,
) -> int:
    """Check stored results against their hashes; exit with 1 on a mismatch.

    mcpcompact results verify
    """
    store = env.store(where.results_dir)
    problems = store.verify(id)
    leftovers = [] if id else store.leftovers()
    known, damaged = store.known()
    checked = 1 if id else len(known) + len(damaged)
    if where.json:
        rows = [problem.as_dict() for problem in problems]
        env.write_json({"checked": checked, "problems": rows, "leftovers": leftovers})
        return 1 if problems else 0
    env.write_lines(*map(str, problems))
    if leftovers:
        count = counted(len(leftovers), "leftover file")
        env.tell(f"{count} of interrupted runs, never referenced: `results gc` removes them")
    if not problems:
        env.tell(f"{counted(checked, 'result')} verified, all as stored")
    return 1 if problems else 0


def _age(text: Any) -> float:
    match = _AGE.fullmatch(str(text).strip().lower())
    if match is None:
        raise typer.BadParameter(f"'{text}' is not an age; give a number and its unit: 30d, 12h, 90m, 45s or 2w")
    return float(match[1]) * UNITS[match[2]]


def _size(text: Any) -> int:
    match = _SIZE.fullmatch(str(text).strip().lower().replace(",", ""))
    if match is None:
        raise typer.BadParameter(f"'{text}' is not a size; give 500M, 2G or bytes")
    return int(float(match[1]) * SIZES[match[2]])


@command(app, "gc")
def gc(
    env: Environment,
    where: Where,
    older_than: Annotated[float | None, much("Results older than AGE, such as 30d or 12h.", "AGE", parser=_age)] = None,
    max_bytes: Annotated[Number, much("Oldest results beyond this total: 500M, 2G.", "SIZE", parser=_size)] = None,
    compress: Annotated[bool, runs("Compress old results instead; they stay readable.")] = False,
    yes: Annotated[bool, runs("Apply the changes; without it, gc only lists them.")] = False,
) -> int:
    """Remove or compress old results; a dry run without --yes.

    mcpcompact results gc --older-than 30d --compress --yes
    """
    store = env.store(where.results_dir)
    if compress and older_than is None:
        raise UsageError("--compress needs --older-than AGE")
    done = store.gc(older_than, max_bytes, dry_run=not yes, compress=compress)
    if where.json:
        env.write_json(done.as_dict())
        return 0
    verb = "would be " if done.dry_run else ""
    for names, what in ((done.removed, "removed"), (done.packed, "packed"), (done.leftovers, "removed (leftover)")):
        env.write_lines(*(f"{name} {verb}{what}" for name in names))
    for problem in done.damaged:
        env.say(f"left as it is: {problem}")
    tail = "; dry run, add --yes to apply" if done.dry_run and done.freed + len(done.packed) else ""
    env.tell(f"{done.freed:,} bytes {verb}freed, {done.kept:,} kept{tail}")
    return 0


def _about(result: StoredResult) -> dict[str, Any]:
    keys = ("server", "tool", "contentType", "tokens", "bytes", "sha256", "source", "time")
    return {"id": result.id, "path": result.path, **{key: result.meta.get(key) for key in keys}}


def _flat(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _n(value: Any) -> str:
    return f"{value:,}" if isinstance(value, (int, float)) else "-"
