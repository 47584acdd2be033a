"""``mcpcompact config``: write a configuration, show the values in force, check a file."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from mcpcompact.cli import tables
from mcpcompact.cli.base import Group, command
from mcpcompact.cli.io import Environment
from mcpcompact.cli.options import ConfigFile, Json, Text, Texts, argument, read
from mcpcompact.errors import ConfigError, UsageError
from mcpcompact.settings import checking
from mcpcompact.settings.effective import listed, load
from mcpcompact.settings.files import find, parse
from mcpcompact.settings.schema import setting, written
from mcpcompact.settings.template import template
from mcpcompact.shell import command as shell_line

ENDINGS = (".yaml", ".yml", ".toml", ".json")
app = typer.Typer(cls=Group, add_completion=False, suggest_commands=False)
Server = Annotated[Text, read("Show the policy for this server.", "NAME")]
Tool = Annotated[Text, read("Show the policy for this tool.", "NAME")]


@app.callback()
def config() -> None:
    """Create, show and check the configuration.

    mcpcompact config init
    mcpcompact config show --tool get_pods
    """


@command(app, "init")
def init(
    env: Environment,
    file: Annotated[str, argument("FILE", "File to write: .yaml, .toml or .json; '-' prints it.")] = "mcpcompact.yaml",
    force: Annotated[bool, typer.Option(help="Overwrite an existing file.")] = False,
) -> int:
    """Write a commented configuration file in which nothing is set yet.

    mcpcompact config init team.toml
    """
    if file == "-":
        env.write(template(".yaml"))
        return 0
    extension = os.path.splitext(file)[1].lower()
    if extension not in ENDINGS:
        raise UsageError(f"{file} is not a configuration file name", hint="end it in .yaml, .toml or .json")
    if os.path.exists(file) and not force:
        raise UsageError(f"{file} already exists", hint="give another name, or --force to overwrite it")
    text = '{\n  "defaults": {},\n  "mcp_servers": {}\n}\n' if extension == ".json" else template(extension)
    from mcpcompact.results.durable import write_whole

    write_whole(file, [text.encode()])
    check = shell_line("mcpcompact", "config", "check", file)
    env.say(f"wrote {file}; it changes nothing yet: edit it, then {check}")
    return 0


@command(app, "show")
def show(
    env: Environment, config: ConfigFile = None, server: Server = None, tool: Tool = None, json: Json = False
) -> int:
    """Show the settings in effect and where each comes from.

    mcpcompact config show --server kubectl --tool get_pods
    """
    settings = load(config)
    if server or tool:
        policy = settings.policy(server, tool)
        values = {name: getattr(policy, name) for name in policy.__slots__}
        values |= {"threshold": policy.passes_at, "mask": settings.masks(server, tool)}
        rows = [(name, value, "") for name, value in values.items()]
    else:
        rows = listed(settings)
    if json:
        entries = {path: {"value": value} | ({"from": origin} if origin else {}) for path, value, origin in rows}
        env.write_json({"file": settings.file or None, "settings": entries}, indent=2)
        return 0
    texts = [(path, _told(path, value), origin) for path, value, origin in rows]
    tables.show(tables.Table((), texts, left=(0, 1, 2), cut=(1, 2)), env)
    return 0


@command(app, "check")
def check(
    env: Environment,
    files: Annotated[Texts, argument("FILE...", "Files to check; by default the one in effect.")] = None,
) -> int:
    """Report every mistake with its path; exit with 78 if there is one.

    mcpcompact config check mcpcompact.yaml
    """
    checked = files or [path for path in [find()] if path]
    if not checked:
        env.say("no configuration file: the defaults are in effect")
        return 0
    wrong = 0
    for path in checked:
        try:
            _, mistakes = checking.check(parse(path))
        except ConfigError as error:
            mistakes = [error.line()]
        for line in mistakes:
            env.write_lines(f"{path}: {line}" if path not in line else line)
        wrong += len(mistakes)
    if wrong:
        return ConfigError.exit_code
    if not files:
        load()  # the environment counts too
    env.say(f"{', '.join(checked)}: no mistakes")
    return 0


def _told(path: str, value: object) -> str:
    known = setting(path.split("."))
    if value is None or value == ():
        return (known.shown if known else "") or "-"
    return written(value)
