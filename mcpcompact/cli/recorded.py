"""``mcpcompact count`` on recorded sessions: tokens by role, tool and message, and what overflows the window."""

from __future__ import annotations

import json
from collections.abc import Sequence

from mcpcompact.cli.io import Environment, visible
from mcpcompact.cli.options import Counting
from mcpcompact.cli.tables import Table
from mcpcompact.errors import McpcompactError
from mcpcompact.inputs.reading import on_disk
from mcpcompact.replaying.census import Census, Row, ordered, role_row, share, tool_row
from mcpcompact.replaying.inputs import find
from mcpcompact.replaying.report import MAX_PROBLEMS, alike
from mcpcompact.shell import command
from mcpcompact.transcripts import read_transcripts
from mcpcompact.transcripts.model import Omissions

WARNED = 5


def count_transcripts(
    inputs: list[str], by: Sequence[str], counting: Counting, max_tokens: int | None, as_json: bool, env: Environment
) -> int:
    """Count all named transcripts and print them. Returns the exit code."""
    names = ["-"] if inputs == ["-"] else [str(name) for name in find(inputs)]
    censuses: list[Census] = []
    worst = 0
    for name in names:
        try:
            with on_disk(name, env.stdin) as path:
                for transcript in read_transcripts(path):
                    transcript.source = name
                    census = Census(transcript, model=counting.model, encoding=counting.encoding, max_tokens=max_tokens)
                    census.drop_texts()
                    censuses.append(census)
        except McpcompactError as error:
            if len(names) == 1:
                raise
            env.say_problem(name, error.reason, error.hint)
            worst = worst or error.exit_code
    _say_notes(censuses, env)
    if as_json:
        _write_json(censuses, by, env)
    elif censuses:
        env.write(_tables(censuses, by))
    return worst or int(max_tokens is not None and any(census.exceeds for census in censuses))


def _say_notes(censuses: list[Census], env: Environment) -> None:
    notes = {census.tokenizer.note: str(census.tokenizer.model) for census in censuses if census.tokenizer.note}
    if len(notes) > 1:
        named = sorted(notes.values())
        more = f" and {len(named) - WARNED:,} more" if len(named) > WARNED else ""
        env.say(f"no exact counts for {', '.join(named[:WARNED])}{more}: their tokenizers are not public or not known")
    else:
        for note in notes:
            env.say(note)
    problems = alike((_name(census), line) for census in censuses for line in census.transcript.problems)
    for line in problems[:MAX_PROBLEMS]:
        env.say(line)
    if len(problems) > MAX_PROBLEMS:
        env.say(f"{len(problems) - MAX_PROBLEMS:,} more problems with --json")
    warned = [census for census in censuses if census.warning]
    for census in warned[:WARNED]:
        env.say(f"{_name(census)}: {census.warning}")
    if len(warned) > WARNED:
        env.say(f"{len(warned) - WARNED:,} more transcripts fill their window to over 80 percent")


def _name(census: Census) -> str:
    name = "standard input" if census.transcript.source == "-" else census.transcript.source
    return visible(f"{name}#{census.transcript.name}" if census.transcript.name else name)


def _write_json(censuses: list[Census], by: Sequence[str], env: Environment) -> None:
    """One object a transcript; with ``--by file`` one for all."""
    if "file" not in by:
        for census in censuses:
            env.stdout.write(json.dumps(census.as_dict(by), ensure_ascii=True) + "\n")
        return
    total = sum(census.tokens for census in censuses)
    files = [census.as_dict([part for part in by if part == "message"]) for census in censuses]
    rows = [role_row(row, total) for row in _merged(censuses, "roles") if "role" in by and row.count]
    rows += [tool_row(row, total) for row in ordered(_merged(censuses, "tools")) if "tool" in by]
    report = {
        "tokens": total,
        "estimatedTokens": sum(file["estimatedTokens"] for file in files),
        "bytes": sum(census.bytes for census in censuses),
        "lines": sum(census.lines for census in censuses),
        "transcripts": len(censuses),
        "exceedsLimit": any(census.exceeds for census in censuses),
        "breakdown": [*files, *rows],
    }
    env.stdout.write(json.dumps(report, ensure_ascii=True) + "\n")


def _merged(censuses: list[Census], what: str) -> list[Row]:
    merged: dict[str, Row] = {}
    for census in censuses:
        for name, row in getattr(census, what).items():
            merged.setdefault(name, Row(name)).add(row)
    return list(merged.values())


def _tables(censuses: list[Census], by: Sequence[str]) -> str:
    total = sum(census.tokens for census in censuses)
    omitted = Omissions()
    for census in censuses:
        omitted.add(census.omissions)
    phrases = omitted.said()
    blocks = [_head(censuses, total) + (f"\nleft out or odd: {visible('; '.join(phrases))}" if phrases else "")]
    if "file" in by:
        rows = [
            [f"{c.tokens:,}", f"{c.peak:,}", _percent(c), f"{len(c.transcript.results):,}", _name(c)] for c in censuses
        ]
        blocks.append(_table(["tokens", "peak context", "of window", "results", "file"], rows))
    if "role" in by:
        rows = [[*_figures(row, total), row.name] for row in _merged(censuses, "roles") if row.count]
        blocks.append(_table(["tokens", "share", "messages", "largest", "role"], rows))
    if "tool" in by:
        rows = [
            [*_figures(row, total), f"{row.calls:,}", f"{row.call_tokens:,}", row.name]
            for row in ordered(_merged(censuses, "tools"))
        ]
        blocks.append(_table(["tokens", "share", "results", "largest", "calls", "call tokens", "tool"], rows))
    if "message" in by:
        for census in censuses:
            rows = [
                [*(f"{row[key]:,}" for key in ("message", "tokens", "contextTokens")),
                 row["role"] + (f" {row['tool']}" if row.get("tool") else "")]
                for row in census.rows(["message"])
            ]  # fmt: skip
            title = [] if len(censuses) == 1 else [_name(census)]
            blocks.append("\n".join([*title, _table(["message", "tokens", "context", "role"], rows)]))
    advice = censuses[0].suggestions if len(censuses) == 1 else []
    if advice:
        source = censuses[0].transcript.source
        named = command(source) if source.isprintable() else "FILE"
        blocks.append("\n".join(map(visible, advice)).replace("replay FILE ", f"replay {named} "))
    return "\n\n".join(blocks) + "\n"


def _figures(row: Row, total: int) -> list[str]:
    return [f"{row.tokens:,}", f"{share(row.tokens, total):.1f} %", f"{row.count:,}", f"{row.largest:,}"]


def _head(censuses: list[Census], total: int) -> str:
    results = sum(len(census.transcript.results) for census in censuses)
    if len(censuses) == 1:
        census = censuses[0]
        messages = len(census.transcript.messages)
        line = f"{census.transcript.format}: {total:,} tokens in {messages:,} messages, {results:,} results"
        window = f" of {census.context_limit:,} ({census.usage_percent:.1f} %)" if census.context_limit else ""
        source = "recorded" if census.recorded else "visible"
        return f"{line}; peak context {census.context:,} tokens{window}, {source}"
    fullest = max(censuses, key=lambda census: census.context)
    line = f"{len(censuses):,} transcripts: {total:,} tokens, {results:,} results"
    return f"{line}; fullest context {fullest.context:,} tokens, {_name(fullest)}"


def _percent(census: Census) -> str:
    return f"{census.usage_percent:.1f} %" if census.usage_percent is not None else "-"


def _table(titles: list[str], rows: list[list[str]]) -> str:
    """Numbers to the right, the name last."""
    return "\n".join(Table(titles, rows, left=(len(titles) - 1,)).lines())
