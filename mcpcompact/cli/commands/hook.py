"""``mcpcompact hook``: in the path of an agent. Hosts start ``mcpcompact-hook``, which does not come by here."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from mcpcompact.cli.base import Group, command
from mcpcompact.cli.io import Environment
from mcpcompact.cli.options import Json, argument, puts, read
from mcpcompact.errors import InputError, McpcompactError

app = typer.Typer(cls=Group, add_completion=False, suggest_commands=False, invoke_without_command=True)
HostName = Annotated[str, argument("HOST", "claude-code, codex, gemini-cli, copilot-cli or cursor.")]
Project = Annotated[bool, read("Change the settings of this project, not the user's.")]
DryRun = Annotated[bool, puts("Show what would change without writing it.")]


@app.callback()
def hook(context: typer.Context) -> int:
    """Compact tool results inside a host, before its model sees them.

    mcpcompact hook install claude-code
    mcpcompact hook doctor
    """
    return run(context.obj) if context.invoked_subcommand is None else 0


@command(app, "run")
def run(env: Environment) -> int:
    """Handle one hook payload from standard input, like mcpcompact-hook.

    mcpcompact hook run < payload.json
    """
    from mcpcompact.hook.entry import main

    return main()


@command(app, "install")
def install(env: Environment, host: HostName, project: Project = False, dry_run: DryRun = False) -> int:
    """Add the hook to a host's settings; other hooks stay, and the old file is backed up.

    mcpcompact hook install claude-code --dry-run
    """
    from mcpcompact.hook.hosts import host as named
    from mcpcompact.hook.install import install as planned

    one = named(host)
    _apply(env, planned(one, project), dry_run, f"{host}: the hook is installed already")
    if one.note and not dry_run:
        env.say(one.note)
    return 0


@command(app, "uninstall")
def uninstall(env: Environment, host: HostName, project: Project = False, dry_run: DryRun = False) -> int:
    """Remove the hook from a host's settings.

    mcpcompact hook uninstall claude-code
    """
    from mcpcompact.hook.hosts import host as named
    from mcpcompact.hook.install import uninstall as planned

    _apply(env, planned(named(host), project), dry_run, f"{host}: the hook is not installed")
    return 0


@command(app, "doctor")
def doctor(env: Environment) -> int:
    """Test every installed hook with a recorded payload; exit with 1 if one fails.

    mcpcompact hook doctor
    """
    from mcpcompact.hook.doctor import examine

    wrong = False
    for finding in examine():
        env.write_lines(f"{finding.where}: {'wrong: ' if finding.wrong else ''}{finding.text}")
        wrong = wrong or finding.wrong
    return 1 if wrong else 0


@command(app, "report")
def report(
    env: Environment,
    transcripts: Annotated[list[str], argument("TRANSCRIPT...", "Transcripts of the sessions.")],
    json: Json = False,
) -> int:
    """Report whether the model saw the compacted results, and the tokens saved and fetched again.

    mcpcompact hook report ~/.claude/projects/*/*.jsonl
    """
    from mcpcompact.hook.delivery import deliveries
    from mcpcompact.hook.report import report as made
    from mcpcompact.transcripts import read_transcripts

    sessions = []
    for path in transcripts:
        try:
            sessions += read_transcripts(path)
        except McpcompactError as error:
            env.say(error.line())
    if not sessions:
        return InputError.exit_code
    figures = made(sessions, deliveries())
    if json:
        env.write_json(figures)
        return 0
    env.write_lines(*_told(figures))
    return 0


def _told(figures: dict[str, Any]) -> list[str]:
    total = figures["replacements"]
    if not total:
        return [f"no replacement of the journal belongs to these sessions ({figures['elsewhere']:,} to others)"]
    lines = [
        f"delivered {figures['delivered']:,} of {total:,}"
        + (f", {figures['cut']:,} cut by the host" if figures["cut"] else ""),
        f"saved {figures['savedOnce']:,} tokens of results; {figures['savedAsBilled']:,} of all prompts that held them",
        f"fetched again {figures['fetched']:,} times, {figures['fetchedTokens']:,} tokens, taken off",
    ]
    return lines + [f"{one['state']}: {one['tool']} {one['call']} in {one['session']}" for one in figures["problems"]]


def _apply(env: Environment, change: Any, dry_run: bool, nothing: str) -> None:
    diff = change.diff()
    if not diff:
        env.say(nothing)
        return
    env.write(diff)
    if dry_run:
        env.say("nothing was written (--dry-run)")
        return
    backup = change.apply()
    env.say(f"wrote {change.path}" + (f"; backup: {backup}" if backup else ""))
