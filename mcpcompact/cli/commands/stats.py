"""``mcpcompact stats``: what runs saved, from the local telemetry."""

from __future__ import annotations

import argparse

from mcpcompact.cli.io import Environment, write_atomically
from mcpcompact.errors import CannotReadError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from mcpcompact.telemetry.summary import Summary

NAME = "stats"
HELP = "What runs saved, from the telemetry in the state directory: local, never sent."
BY = ("tool", "server", "command", "type", "method", "outcome", "day", "hour")


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("what", nargs="?", choices=("health",), help="health: one JSON object for a monitor")
    add("--by", choices=BY, default="tool", help="break down by this (default %(default)s)")
    add(
        "--since", metavar="WHEN", help="runs from then on: an age such as 7d, 12h or 90m, or a date 2026-05-01[T10:00]"
    )
    add("--until", metavar="WHEN", help="runs before then")
    add("--tool", help="only runs of this tool")
    add("--server", help="only runs of this server")
    add("--command", help="only runs of this command")
    add("--outcome", choices=("ok", "failed"), help="only runs that ended so")
    add("--json", action="store_true", help="one JSON object, with OpenTelemetry's GenAI attribute names beside")
    add("--prometheus", metavar="FILE", help="write the figures for Prometheus' textfile collector")


def run(args: argparse.Namespace, env: Environment) -> int:
    from mcpcompact.config import state_dir
    from mcpcompact.telemetry import runs
    from mcpcompact.telemetry.summary import attributes, health, prometheus, summarize

    since, until = _moment(args.since), _moment(args.until)

    def wanted(run: Mapping[str, Any]) -> bool:
        picked = (("tool", args.tool), ("server", args.server), ("command", args.command), ("outcome", args.outcome))
        in_time = (not since or run["time"] >= since) and (not until or run["time"] < until)
        return in_time and all(value is None or run.get(name) == value for name, value in picked)

    def chosen() -> Iterator[Mapping[str, Any]]:
        try:
            yield from (run for run in runs(state_dir()) if wanted(run))
        except OSError as error:
            raise CannotReadError(f"cannot read the telemetry: {error.strerror or error}") from error

    total, groups = summarize(chosen(), "tool" if args.prometheus else args.by)
    if args.prometheus:
        write_atomically(args.prometheus, prometheus(total, groups).encode())
        if not args.json and not args.what:
            return 0
    if args.what == "health":
        _write_json(health(total), env)
        return 0
    if args.json:
        by = "tool" if args.prometheus else args.by
        rows = [{by: name, **of.as_dict(), "attributes": attributes(by, name, of)} for name, of in groups.items()]
        report = {**total.as_dict(), "warnings": total.warnings(), "attributes": attributes("", "", total)}
        _write_json(report | {"by": by, "groups": rows}, env)
        return 0
    picked = any((args.since, args.until, args.tool, args.server, args.command, args.outcome))
    env.write(_text(total, groups, args.by, "no run is as asked for" if picked else "no runs recorded yet"))
    for warning in total.warnings():
        env.say(f"warning: {warning}")
    return 0


def _moment(text: str | None) -> str:
    """A time as the lines have it, in UTC; empty for none."""
    import re
    import time

    if text is None:
        return ""
    age = re.fullmatch(r"(\d{1,6})([dhm])", text)
    if age:
        seconds = int(age[1]) * {"d": 86_400, "h": 3_600, "m": 60}[age[2]]
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(max(0.0, time.time() - seconds)))
    if re.fullmatch(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?Z?)?", text):
        return text.replace(" ", "T")
    raise UsageError(
        f"'{text}' is no time", hint="give an age such as 7d, 12h or 90m, or a date such as 2026-05-01T10:00"
    )


def _text(total: Summary, groups: Mapping[str, Summary], by: str, none: str) -> str:
    from mcpcompact.content.spelling import counted

    if not total.runs:
        return f"{none}\n"
    about = total.as_dict()
    sizes, times, checked = about["originalTokensPercentiles"], about["secondsPercentiles"], about["estimate"]
    lines = [
        f"{counted(total.runs, 'run')}, {total.first[:10]} to {total.last[:10]}: {counted(total.results, 'result')},"
        f" {total.failed:,} failed",
        f"tokens: {total.original_tokens:,} -> {total.tokens:,} ({total.saved_percent} % saved)",
        f"a result: {sizes['p50']:,} tokens (median), {sizes['p95']:,} (95 %), {sizes['p99']:,} (99 %)",
        f"seconds a run: {times['p50']:g} (median), {times['p95']:g} (95 %), {times['p99']:g} (99 %)",
        f"oversized: {total.oversized:,} ({total.oversized_percent} %) · passed through: {total.passed:,}"
        f" · parts fetched: {total.paged:,} ({total.adoption_percent} % adoption)",
    ]
    if total.masked:
        kinds = sorted(total.kinds.items(), key=lambda item: (-item[1], item[0]))
        lines.append(f"secrets masked: {total.masked:,} ({', '.join(f'{kind} {n:,}' for kind, n in kinds[:8])})")
    if about["windowUsePercent"] is not None:
        lines.append(f"of the window that was left a result took {about['windowUsePercent']} % (mean)")
    if checked["checked"]:
        lines.append(f"estimates checked: {checked['checked']:,}, within 20 %: {checked['within20Percent']} %")
    head = (by, "runs", "tokens before", "after", "saved", "oversized")
    rows = [
        (
            name[:40],
            f"{of.runs:,}",
            f"{of.original_tokens:,}",
            f"{of.tokens:,}",
            f"{of.saved_percent} %",
            f"{of.oversized:,}",
        )
        for name, of in groups.items()
    ]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines.append("")
    for row in (head, *rows):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines) + "\n"


def _write_json(report: Mapping[str, Any], env: Environment) -> None:
    import json

    env.write(json.dumps(report, ensure_ascii=False) + "\n")
