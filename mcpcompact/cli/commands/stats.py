"""``mcpcompact stats``: what runs saved, from the local telemetry."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from mcpcompact.cli import completion
from mcpcompact.cli.io import Environment
from mcpcompact.cli.options import Config, Text, goes, read, said
from mcpcompact.errors import CannotReadError, UsageError

if TYPE_CHECKING:
    from mcpcompact.telemetry.summary import Summary

DAY, HOUR, MINUTE = 86_400, 3_600, 60
WIDEST_NAME, MOST_KINDS = 40, 8
When = Annotated[Text, read("An age such as 7d, 12h or 90m, or a date: 2026-05-01 or 2026-05-01T10:00.", "WHEN")]


@dataclass(frozen=True)
class Runs:
    """Which runs."""

    since: When = None
    until: When = None
    tool: Annotated[Text, read("Only runs of this tool.", "NAME", autocompletion=completion.tools)] = None
    server: Annotated[Text, read("Only runs of this server.", "NAME", autocompletion=completion.servers)] = None
    command: Annotated[Text, read("Only runs of this command.", "NAME")] = None
    outcome: Annotated[Literal["ok", "failed"] | None, read("Only runs that ended so.")] = None

    @property
    def picked(self) -> dict[str, str]:
        named = {"tool": self.tool, "server": self.server, "command": self.command, "outcome": self.outcome}
        return {name: value for name, value in named.items() if value is not None}

    def read(self) -> Iterator[Mapping[str, Any]]:
        """The chosen runs of the telemetry."""
        from mcpcompact.config import state_dir
        from mcpcompact.telemetry import runs

        since, until = _moment(self.since), _moment(self.until)
        try:
            for run in runs(state_dir()):
                in_time = (not since or run["time"] >= since) and (not until or run["time"] < until)
                if in_time and all(run.get(name) == value for name, value in self.picked.items()):
                    yield run
        except OSError as error:
            raise CannotReadError(f"cannot read the telemetry: {error.strerror or error}") from error


def stats(
    env: Environment,
    chosen: Runs,
    what: Annotated[
        Literal["health"] | None, typer.Argument(metavar="[health]", help="health: one JSON object for a monitor.")
    ] = None,
    by: Annotated[
        Literal["tool", "server", "command", "type", "method", "outcome", "day", "hour"], said("Break down by this.")
    ] = "tool",
    json: Annotated[bool, said("One JSON object, with OpenTelemetry's GenAI attribute names beside.")] = False,
    prometheus: Annotated[Text, goes("Write the figures for Prometheus' textfile collector.", "FILE")] = None,
    config: Config = None,
) -> int:
    """What runs saved, from the telemetry in the state directory: local, never sent.

    mcpcompact stats --since 7d --by tool
    mcpcompact stats health
    """
    from mcpcompact.telemetry import summary

    env.telemetry = False  # looking is no run
    by = "tool" if prometheus else by
    total, groups = summary.summarize(chosen.read(), by)
    if prometheus:
        from mcpcompact.results.durable import write_whole

        write_whole(prometheus, summary.prometheus(total, groups).encode())
        if not json and not what:
            return 0
    if what == "health":
        env.write_json(summary.health(total))
        return 0
    if json:
        rows = [
            {by: name, **of.as_dict(), "attributes": summary.attributes(by, name, of)} for name, of in groups.items()
        ]
        report = {**total.as_dict(), "warnings": total.warnings(), "attributes": summary.attributes("", "", total)}
        env.write_json(report | {"by": by, "groups": rows})
        return 0
    picked = chosen.picked or chosen.since or chosen.until
    env.write(_text(total, "no run is as asked for" if picked else "no runs recorded yet"))
    if total.runs:
        _show_groups(groups, by, env)
    for warning in total.warnings():
        env.say(f"warning: {warning}")
    return 0


def _moment(text: str | None) -> str:
    """A time as the lines have it, in UTC; empty for none."""
    if text is None:
        return ""
    age = re.fullmatch(r"(\d{1,6})([dhm])", text)
    if age:
        seconds = int(age[1]) * {"d": DAY, "h": HOUR, "m": MINUTE}[age[2]]
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(max(0.0, time.time() - seconds)))
    if re.fullmatch(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?Z?)?", text):
        return text.replace(" ", "T")
    raise UsageError(
        f"'{text}' is no time", hint="give an age such as 7d, 12h or 90m, or a date such as 2026-05-01T10:00"
    )


def _text(total: Summary, none: str) -> str:
    from mcpcompact.phrasing import counted

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
        told = ", ".join(f"{kind} {n:,}" for kind, n in kinds[:MOST_KINDS])
        lines.append(f"secrets masked: {total.masked:,} ({told})")
    if about["windowUsePercent"] is not None:
        lines.append(f"of the window that was left a result took {about['windowUsePercent']} % (mean)")
    if checked["checked"]:
        lines.append(f"estimates checked: {checked['checked']:,}, within 20 %: {checked['within20Percent']} %")
    return "\n".join(lines) + "\n\n"


def _show_groups(groups: Mapping[str, Summary], by: str, env: Environment) -> None:
    from mcpcompact.cli import tables

    rows = [
        (
            name[:WIDEST_NAME],
            f"{of.runs:,}",
            f"{of.original_tokens:,}",
            f"{of.tokens:,}",
            f"{of.saved_percent} %",
            f"{of.oversized:,}",
        )
        for name, of in groups.items()
    ]
    tables.show(tables.Table((by, "runs", "tokens before", "after", "saved", "oversized"), rows, cut=(0,)), env)
