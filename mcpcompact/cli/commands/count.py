"""``mcpcompact count``: exact tokens beside the estimate, per model, and a gate for CI.

Kept light on purpose: counting a small file does not import ``reading`` (see ``make bench``).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from typing import Annotated

from mcpcompact.cli.base import OptionGroup
from mcpcompact.cli.io import Environment
from mcpcompact.cli.options import Config, Counting, EncodingIn, Files, Number, Text, much, puts, read
from mcpcompact.cli.tables import Table, show
from mcpcompact.errors import McpcompactError, UsageError
from mcpcompact.tokens import TokenCount, Tokenizer, count_blocks, resolve, together

LOOKED = 512  # bytes that tell a database or an archive from text
SMALL = 1 << 20  # bytes
_PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")  # how gzip and zstd begin
DIMENSIONS = ("file", "role", "tool", "message")


class Asked(OptionGroup):
    encoding_in: EncodingIn = None
    transcript: Annotated[bool, read("Read a transcript (implied by --by role,tool,message).")] = False
    estimate: Annotated[bool, much("Estimate only: characters / 4, plus 20 %.")] = False
    max_tokens: Annotated[Number, much("Exit 1 if an input, or all together, exceed N tokens.", "N", least=0)] = None
    json: Annotated[bool, puts("Print one JSON object per input; with --by file, one for all.")] = False


def count(
    env: Environment,
    asked: Asked,
    counting: Counting,
    files: Files = None,
    by: Annotated[Text, puts("Break down by file; transcripts also by role, tool or message.", "WHAT")] = None,
    config: Config = None,
) -> int:
    """Count tokens exactly and offline, or enforce a token limit in CI.

    mcpcompact count report.json build.log --model gpt-4o
    git diff | mcpcompact count --max-tokens 20000
    mcpcompact count --by role,tool session.jsonl
    """
    inputs, parts = files or ["-"], _by(by)
    if asked.transcript or (parts and parts != ("file",)):
        return _transcripts(inputs, parts or ("role", "tool"), asked, counting, env)
    tokenizer = resolve(counting.model, counting.encoding)
    inputs = _expand(inputs)
    _need_input(inputs, env)
    if tokenizer.note:
        env.say(tokenizer.note)
    counted: list[tuple[str, TokenCount]] = []
    worst = 0
    for name in inputs:
        try:
            tally = _count(name, asked, tokenizer, env)
        except McpcompactError as error:
            if len(inputs) == 1:
                raise
            env.say_problem(name, error.reason, error.hint)
            worst = worst or error.exit_code
            continue
        counted.append((name, tally))
        if asked.json and not parts:
            env.write_json({"file": name} | tally.as_dict())
    total = together([tally for _, tally in counted], tokenizer, estimated=asked.estimate, max_tokens=asked.max_tokens)
    if asked.json and parts:
        total.breakdown = [{"file": name} | tally.figures() for name, tally in counted]
        env.write_json(total.as_dict())
    elif not asked.json and counted:
        show(_table(counted, total), env)
    return worst or _gate(counted, total, asked.max_tokens, env)


def _need_input(inputs: Sequence[str], env: Environment) -> None:
    if inputs == ["-"] and env.stdin_isatty:
        raise UsageError("count: no input", hint="name a file or pipe something in")


def _by(value: str | None) -> tuple[str, ...]:
    """What to break down by. Raises ``UsageError`` for what is unknown."""
    wanted = tuple(part.strip() for part in value.split(",")) if value is not None else ()
    for part in wanted:
        if part not in DIMENSIONS:
            raise UsageError(f"count: cannot break down by '{part}'", hint=f"use --by {','.join(DIMENSIONS)}")
    return wanted


def _transcripts(inputs: list[str], by: Sequence[str], asked: Asked, counting: Counting, env: Environment) -> int:
    """Only here, and only when it is asked for, is a file looked at as a recorded session: start-up is a feature."""
    if asked.estimate:
        raise UsageError("count: --estimate does not work on transcripts", hint="leave one of the two out")
    _need_input(inputs, env)
    from mcpcompact.cli.recorded import count_transcripts

    return count_transcripts(inputs, by, counting, asked.max_tokens, asked.json, env)


def _expand(files: Sequence[str]) -> list[str]:
    if not any(mark in name for name in files for mark in "*?["):
        return list(dict.fromkeys(files))
    from mcpcompact.inputs.reading import expand

    return expand(files)


def _count(name: str, asked: Asked, tokenizer: Tokenizer, env: Environment) -> TokenCount:
    data = _small(name) if asked.encoding_in is None else None
    if data is not None:
        _say_foreign(name, data[:LOOKED], env)
        return count_blocks((data,), tokenizer, estimate=asked.estimate, max_tokens=asked.max_tokens)
    from contextlib import closing

    from mcpcompact.cli.progress import reading
    from mcpcompact.inputs.reading import in_utf8, open_source

    with closing(open_source(name, env.stdin)) as given:
        _say_foreign(name, given.read(0, LOOKED), env)
        source, note = in_utf8(given, asked.encoding_in)
        if note:
            env.say(f"{name}: {note}" if name != "-" else note)
        with reading(source, env):
            tally = count_blocks(source.blocks(), tokenizer, estimate=asked.estimate, max_tokens=asked.max_tokens)
        if note:
            tally.bytes = given.size
        return tally


def _small(name: str) -> bytes | None:
    """The bytes of a small file in UTF-8; None for all else, which ``reading`` opens (and says what is wrong)."""
    try:
        about = os.stat(name)
        if name == "-" or not stat.S_ISREG(about.st_mode) or not 0 < about.st_size <= SMALL:
            return None
        with open(name, "rb") as stream:
            data = stream.read()
        data.decode()
    except (OSError, ValueError):  # what is no UTF-8 is a ValueError
        return None
    return None if data.startswith(_PACKED) else data


def _say_foreign(name: str, head: bytes, env: Environment) -> None:
    """A database or an archive is counted, and said to be one."""
    if b"\0" not in head:
        return
    from mcpcompact.transcripts.packed import foreign

    what, hint = foreign(head)
    if what:
        env.say(f"{name} is {what}, not text: what is counted are its bytes; {hint}")


def _gate(counted: list[tuple[str, TokenCount]], total: TokenCount, limit: int | None, env: Environment) -> int:
    """1 when an input or the total is over the limit; says by how much."""
    if limit is None:
        return 0
    over = [(name, tally.high) for name, tally in counted if tally.high > limit]
    if total.high > limit and len(counted) > 1:
        over.append(("total", total.high))
    for name, tokens in over:
        env.say(f"{name}: {tokens:,} tokens, {tokens - limit:,} over the limit of {limit:,}")
    return 1 if over else 0


def _table(counted: list[tuple[str, TokenCount]], total: TokenCount) -> Table:
    """Numbers to the right, names last; a total when there is more than one."""
    rows = [*counted, ("total", total)] if len(counted) > 1 else counted
    columns = [("estimate" if total.estimated else "tokens", [f"{tally.tokens:,}" for _, tally in rows])]
    if total.low != total.tokens or total.high != total.tokens:
        family = "claude" if "claude" in (total.model or "").lower() else "gemini"
        columns.append((f"{family} tokens", [f"{tally.low:,} to {tally.high:,}" for _, tally in rows]))
    if not total.estimated:
        columns.append(("estimated", [f"{tally.estimated_tokens:,}" for _, tally in rows]))
    if total.context_limit:
        columns.append((f"of {total.context_limit:,}", [f"{tally.usage_percent:.2f} %" for _, tally in rows]))
    columns += [
        ("lines", [f"{tally.lines:,}" for _, tally in rows]),
        ("bytes", [f"{tally.bytes:,}" for _, tally in rows]),
        (total.encoding, ["standard input" if name == "-" else name for name, _ in rows]),
    ]
    last = len(columns) - 1
    return Table([title for title, _ in columns], list(zip(*(c for _, c in columns), strict=True)), (last,), (last,))
