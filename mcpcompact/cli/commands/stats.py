"""``mcpcompact stats``: what runs saved, from the local telemetry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from mcpcompact.cli import completion, tables
from mcpcompact.cli.base import OptionGroup
from mcpcompact.cli.io import Environment
from mcpcompact.cli.options import Config, Text, argument, puts, read
from mcpcompact.config import state_dir
from mcpcompact.phrasing import counted
from mcpcompact.telemetry import summary

WIDEST_NAME, MAX_KINDS = 40, 8
When = Annotated[Text, read("Age (7d, 12h, 90m) or date (2026-05-01, 2026-05-01T10:00).", "WHEN")]


class Runs(OptionGroup):
    since: When = None
    until: When = None
    tool: Annotated[Text, read("Only runs of this tool.", "NAME", autocompletion=completion.tools)] = None
    server: Annotated[Text, read("Only runs of this server.", "NAME", autocompletion=completion.servers)] = None
    command: Annotated[Text, read("Only runs of this command.", "NAME")] = None
    outcome: Annotated[Literal["ok", "failed"] | None, read("Only runs with this outcome.")] = None


def stats(
    env: Environment,
    wanted: Runs,
    what: Annotated[Literal["health"] | None, argument("[health]", "Print one JSON object for monitoring.")] = None,
    by: Annotated[
        Literal["tool", "server", "command", "type", "method", "outcome", "day", "hour"], puts("Break down by this.")
    ] = "tool",
    json: Annotated[bool, puts("Print one JSON object, including OpenTelemetry GenAI attributes.")] = False,
    prometheus: Annotated[Text, puts("Write metrics for the Prometheus textfile collector.", "FILE")] = None,
    config: Config = None,
) -> int:
    """Show tokens saved, from local telemetry that is never sent.

    mcpcompact stats --since 7d --by tool
    mcpcompact stats health
    """
    env.telemetry = False  # looking is no run
    by = "tool" if prometheus else by
    total, groups = summary.summarize(summary.chosen_runs(state_dir(), **vars(wanted)), by)
    if prometheus:
        from mcpcompact.results.durable import write_whole

        write_whole(prometheus, [summary.prometheus(total, groups).encode()])
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
    env.write(_text(total, "no matching runs" if any(vars(wanted).values()) else "no runs recorded yet"))
    if total.runs:
        _show_groups(groups, by, env)
    for warning in total.warnings():
        env.say(f"warning: {warning}")
    return 0


def _text(total: summary.Summary, none: str) -> str:
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
        masks = ", ".join(f"{kind} {n:,}" for kind, n in kinds[:MAX_KINDS])
        lines.append(f"secrets masked: {total.masked:,} ({masks})")
    if about["windowUsePercent"] is not None:
        lines.append(f"of the window that was left a result took {about['windowUsePercent']} % (mean)")
    if checked["checked"]:
        lines.append(f"estimates checked: {checked['checked']:,}, within 20 %: {checked['within20Percent']} %")
    return "\n".join(lines) + "\n\n"


def _show_groups(groups: Mapping[str, summary.Summary], by: str, env: Environment) -> None:
    rows = [
        (name[:WIDEST_NAME], f"{of.runs:,}", f"{of.original_tokens:,}", f"{of.tokens:,}", f"{of.saved_percent} %",
         f"{of.oversized:,}")
        for name, of in groups.items()
    ]  # fmt: skip
    tables.show(tables.Table((by, "runs", "tokens before", "after", "saved", "oversized"), rows, cut=(0,)), env)
