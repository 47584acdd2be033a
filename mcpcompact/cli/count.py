"""``mcpcompact count``: exact tokens beside the estimate, per model, and a gate for CI.

Kept light on purpose: counting a small file imports neither ``reading`` nor ``json`` (see ``make bench``).
"""

from __future__ import annotations

import argparse

from mcpcompact.cli.io import Environment, add_encoding_in, number
from mcpcompact.errors import McpcompactError, UsageError
from mcpcompact.tokens import TokenCount, count_blocks, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcpcompact.cli.tables import Table
    from mcpcompact.tokens import Tokenizer

NAME = "count"
HELP = "Count tokens exactly and offline, beside the usual estimate; gate a budget in CI."
DIMENSIONS = ("file", "role", "tool", "message")
SMALL = 1 << 20


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="files or globs; '-' or nothing reads standard input")
    add("--model", help="count as this model does, and show the share of its context window")
    add("--encoding", help="o200k_base (default) or cl100k_base")
    add_encoding_in(parser)
    add("--estimate", action="store_true", help="only estimate (characters / 4 + 20 percent), count nothing")
    add(
        "--max-tokens",
        type=number(0),
        metavar="N",
        help="exit 1 when an input, or all together, exceed N tokens",
    )
    add("--by", metavar="WHAT", help="break down by file; of a recorded session also by role, tool, message")
    add("--transcript", action="store_true", help="count a recorded session: as --by role,tool")
    add("--json", action="store_true", help="one JSON object an input; with --by file one for all")


def run(args: argparse.Namespace, env: Environment) -> int:
    by = _by(args.by)
    if args.transcript or (by and by != ["file"]):
        return _transcripts(args, by, env)
    by_file = bool(by)
    tokenizer = resolve(args.model, args.encoding)
    names = _expand(args.files) if args.files else ["-"]
    if names == ["-"] and env.stdin_isatty:
        raise UsageError("count: no input", hint="name a file or pipe something in")
    if tokenizer.note:
        env.say(tokenizer.note)
    counted: list[tuple[str, TokenCount]] = []
    worst = 0
    for name in names:
        try:
            found = _count(name, args, tokenizer, env)
        except McpcompactError as error:
            if len(names) == 1:
                raise
            env.say_problem(name, error.reason, error.hint)
            worst = worst or error.exit_code
            continue
        counted.append((name, found))
        if args.json and not by_file:
            _write_json({"file": name} | found.as_dict(), env)
    total = _total([found for _, found in counted], tokenizer, args)
    if args.json and by_file:
        total.breakdown = [{"file": name} | _figures(found) for name, found in counted]
        _write_json(total.as_dict(), env)
    elif not args.json and counted:
        from mcpcompact.cli.tables import show

        show(_table(counted, total), env)
    return worst or _gate(counted, total, args.max_tokens, env)


def _by(value: str | None) -> list[str]:
    """What to break down by. Raises ``UsageError`` for what is unknown."""
    wanted = [part.strip() for part in value.split(",")] if value is not None else []
    for part in wanted:
        if part not in DIMENSIONS:
            raise UsageError(f"count: cannot break down by '{part}'", hint=f"use --by {','.join(DIMENSIONS)}")
    return wanted


def _transcripts(args: argparse.Namespace, by: list[str], env: Environment) -> int:
    """Only here, and only when it is asked for, is a file looked at as a recorded session: start-up is a feature."""
    if args.estimate:
        raise UsageError("count: --estimate counts nothing of a transcript", hint="leave one of the two out")
    if args.files in ([], ["-"]) and env.stdin_isatty:
        raise UsageError("count: no input", hint="name a file or pipe something in")
    from mcpcompact.cli.recorded import count_transcripts

    return count_transcripts(args, by or ["role", "tool"], env)


def _expand(files: Sequence[str]) -> list[str]:
    if not any(mark in name for name in files for mark in "*?["):
        return list(dict.fromkeys(files))
    from mcpcompact.inputs.reading import expand

    return expand(files)


def _count(name: str, args: argparse.Namespace, tokenizer: Tokenizer, env: Environment) -> TokenCount:
    data = _small(name)
    if data is not None and args.encoding_in is None and _is_utf8(data):
        return count_blocks((data,), tokenizer, estimate=args.estimate, max_tokens=args.max_tokens)
    from mcpcompact.cli.progress import reading
    from mcpcompact.inputs.reading import Input, in_utf8, open_source
    from mcpcompact.outline import Source

    given = Source(data) if data is not None else open_source(name, env.stdin)
    try:
        source, told = in_utf8(given, args.encoding_in)
        if told:
            env.say(f"{name}: {told}" if name != "-" else told)
        with reading(source, env):
            found = count_blocks(source.blocks(), tokenizer, estimate=args.estimate, max_tokens=args.max_tokens)
        if told:
            found.bytes = given.size
        return found
    finally:
        if isinstance(given, Input):
            given.close()


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _small(name: str) -> bytes | None:
    """The bytes of a small plain file; None for all else, which ``reading`` opens (and says what is wrong)."""
    if name == "-":
        return None
    import os
    import stat

    try:
        mode = os.stat(name)
        if not stat.S_ISREG(mode.st_mode) or not 0 < mode.st_size <= SMALL:
            return None
        with open(name, "rb") as stream:
            data = stream.read()
    except (OSError, ValueError):
        return None
    return None if data[:2] == b"\x1f\x8b" or data[:4] == b"\x28\xb5\x2f\xfd" else data


def _total(counts: list[TokenCount], tokenizer: Tokenizer, args: argparse.Namespace) -> TokenCount:
    total = TokenCount(
        sum(found.tokens for found in counts),
        0,
        sum(found.bytes for found in counts),
        sum(found.lines for found in counts),
        tokenizer,
        estimated=args.estimate,
        max_tokens=args.max_tokens,
    )
    total.estimated_tokens = sum(found.estimated_tokens for found in counts)
    return total


def _figures(found: TokenCount) -> dict[str, object]:
    figures: dict[str, object] = {
        "tokens": found.tokens,
        "estimatedTokens": found.estimated_tokens,
        "bytes": found.bytes,
        "lines": found.lines,
        "exceedsLimit": found.exceeds,
    }
    return figures


def _gate(counted: list[tuple[str, TokenCount]], total: TokenCount, limit: int | None, env: Environment) -> int:
    """1 when an input or the total is over the limit; says by how much."""
    if limit is None:
        return 0
    over = [(name, found.high) for name, found in counted if found.high > limit]
    if total.high > limit and len(counted) > 1:
        over.append(("total", total.high))
    for name, tokens in over:
        env.say(f"{name}: {tokens:,} tokens, {tokens - limit:,} over the limit of {limit:,}")
    return 1 if over else 0


def _table(counted: list[tuple[str, TokenCount]], total: TokenCount) -> Table:
    """Numbers to the right, names last; a total when there is more than one."""
    from mcpcompact.cli.tables import Table

    rows = [*counted, ("total", total)] if len(counted) > 1 else counted
    columns = [("estimate" if total.estimated else "tokens", [f"{found.tokens:,}" for _, found in rows])]
    if total.low != total.tokens or total.high != total.tokens:
        columns.append((f"{_family(total)} tokens", [f"{found.low:,} to {found.high:,}" for _, found in rows]))
    if not total.estimated:
        columns.append(("estimated", [f"{found.estimated_tokens:,}" for _, found in rows]))
    if total.context_limit:
        columns.append((f"of {total.context_limit:,}", [f"{found.usage_percent:.2f} %" for _, found in rows]))
    columns += [
        ("lines", [f"{found.lines:,}" for _, found in rows]),
        ("bytes", [f"{found.bytes:,}" for _, found in rows]),
    ]
    columns.append((total.encoding, ["standard input" if name == "-" else name for name, _ in rows]))
    last = len(columns) - 1
    return Table([title for title, _ in columns], list(zip(*(c for _, c in columns), strict=True)), (last,), (last,))


def _family(total: TokenCount) -> str:
    return "claude" if "claude" in (total.model or "").lower() else "gemini"


def _write_json(report: dict[str, object], env: Environment) -> None:
    import json

    env.stdout.write(json.dumps(report, ensure_ascii=False) + "\n")
