"""``mcpcompact config``: write a configuration, show the values in force, check a file."""

from __future__ import annotations

import argparse
import json
import os

from mcpcompact.cli.io import Environment
from mcpcompact.errors import ConfigError, UsageError
from mcpcompact.shell import command

NAME = "config"
HELP = "Write a configuration file, show the settings in force and where each came from, check a file in CI."


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    init = actions.add_parser("init", help="write a commented file (default mcpcompact.yaml); '-' prints it")
    init.add_argument("file", nargs="?", default="mcpcompact.yaml", metavar="FILE", help=".yaml, .toml or .json")
    init.add_argument("--force", action="store_true", help="overwrite a file that is there")
    show = actions.add_parser("show", help="the settings in force, and where each came from")
    show.add_argument("--config", metavar="FILE", help="this file instead of the project's or the user's")
    show.add_argument("--server", help="the policy of this server's results")
    show.add_argument("--tool", help="the policy of this tool's results")
    show.add_argument("--json", action="store_true", help="one JSON object")
    check = actions.add_parser("check", help="name every mistake by its path; exit 78 when there is one")
    check.add_argument("files", nargs="*", metavar="FILE", help="default: the file that is in force")


def run(args: argparse.Namespace, env: Environment) -> int:
    return {"init": _init, "show": _show, "check": _check}[args.action](args, env)


def _init(args: argparse.Namespace, env: Environment) -> int:
    from mcpcompact.cli.io import write_atomically
    from mcpcompact.settings.template import template

    if args.file == "-":
        env.write(template(".yaml"))
        return 0
    extension = os.path.splitext(args.file)[1].lower()
    if extension not in (".yaml", ".yml", ".toml", ".json"):
        raise UsageError(f"{args.file} is no configuration file name", hint="end it in .yaml, .toml or .json")
    if os.path.exists(args.file) and not args.force:
        raise UsageError(f"{args.file} is there already", hint="give another name, or --force to overwrite it")
    text = json.dumps({"defaults": {}, "mcp_servers": {}}, indent=2) + "\n" if extension == ".json" else None
    write_atomically(args.file, (text or template(extension)).encode())
    check = command("mcpcompact", "config", "check", args.file)
    env.say(f"wrote {args.file}; it changes nothing yet: edit it, then {check}")
    return 0


def _show(args: argparse.Namespace, env: Environment) -> int:
    from mcpcompact.settings import load
    from mcpcompact.settings.effective import listed

    settings = load(args.config)
    if args.server or args.tool:
        policy = settings.policy(args.server, args.tool)
        values = {name: getattr(policy, name) for name in policy.__slots__}
        values |= {"threshold": policy.passes_at, "mask": settings.masks(args.server, args.tool)}
        rows = [(name, value, "") for name, value in values.items()]
    else:
        rows = listed(settings)
    if args.json:
        found = {path: {"value": value} | ({"from": origin} if origin else {}) for path, value, origin in rows}
        env.write(json.dumps({"file": settings.file or None, "settings": found}, ensure_ascii=False, indent=2) + "\n")
        return 0
    from mcpcompact.cli.tables import Table, show

    show(Table((), [(path, _told(path, value), origin) for path, value, origin in rows], (0, 1, 2), cut=(1, 2)), env)
    return 0


def _check(args: argparse.Namespace, env: Environment) -> int:
    from mcpcompact.settings import load
    from mcpcompact.settings.checking import check
    from mcpcompact.settings.files import find, parse

    files = args.files or [path for path in [find()] if path]
    if not files:
        env.say("no configuration file: the defaults are in force")
        return 0
    wrong = 0
    for path in files:
        try:
            _, mistakes = check(parse(path))
        except ConfigError as error:
            mistakes = [error.line()]
        for line in mistakes:
            env.write(f"{path}: {line}\n" if path not in line else f"{line}\n")
        wrong += len(mistakes)
    if not wrong:
        if not args.files:
            load()  # the environment counts too
        env.say(f"{', '.join(files)}: no mistake")
    return ConfigError.exit_code if wrong else 0


def _told(path: str, value: object) -> str:
    from mcpcompact.settings.schema import setting

    if value is None or value == ():
        known = setting(path.split("."))
        return (known.shown if known else "") or "-"
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(str(v) for v in value) if isinstance(value, tuple) else str(value)
