"""The options that set a policy, and the policy that settings and options make together."""

from __future__ import annotations

import argparse

from mcpcompact.cli.io import number
from mcpcompact.config import Policy, configured
from mcpcompact.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mcpcompact.batch import Common
    from mcpcompact.settings import Settings
    from mcpcompact.settings.limits import Chooser

PRESETS = ("codex", "claude", "vscode")


def add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", metavar="FILE", help="this configuration instead of the project's or the user's")


def add_limits(parser: argparse.ArgumentParser) -> None:
    """``--preset`` and ``--window-left``, beside ``--config``."""
    add_config(parser)
    parser.add_argument(
        "--preset", choices=PRESETS, help="stay under the limit of this host, so that nothing is cut twice"
    )
    parser.add_argument(
        "--window-left",
        type=number(100),
        metavar="N",
        help="tokens that the context still holds: more detail when it is empty, less when it is full",
    )


def settings_of(args: argparse.Namespace, command: str) -> Settings | None:
    """The settings in force; None when nothing is configured (they cost a few ms). Options given on the command line
    are their top layer. Raises ``ConfigError``; also when the command is switched off."""
    if not configured(getattr(args, "config", None)):
        return None
    from mcpcompact.settings import load
    from mcpcompact.settings.schema import SETTINGS

    options = {}
    for known in SETTINGS:
        if known.steps[0] == "defaults" and known.option:
            options[known.name] = getattr(args, known.option[2:].replace("-", "_"), None) or None
    settings = load(getattr(args, "config", None), options)
    _apply(settings, args, command)
    return settings


_DEFAULTS = {
    "chunk": {"tokens": "chunk_tokens", "cursor_ttl": "cursor_ttl_seconds"},
    "paginate": {"limit": "page_limit", "cursor_ttl": "cursor_ttl_seconds"},
}
"""By command: the settings behind options whose default is no None."""


def configured_args(command: str, parser: argparse.ArgumentParser, argv: list[str]) -> argparse.Namespace:
    """The options of a command, those not given from the settings in force."""
    args = parser.parse_args(argv)
    if not configured(args.config):
        return args
    from mcpcompact.settings import load

    settings = load(args.config)
    parser.set_defaults(**{option: settings.get(name) for option, name in _DEFAULTS.get(command, {}).items()})
    args = parser.parse_args(argv)
    _apply(settings, args, command)
    return args


def _apply(settings: Settings, args: argparse.Namespace, command: str) -> None:
    settings.runs(command)
    args.settings = settings
    args.telemetry = settings.get("telemetry") is not False
    args.settings = settings
    for entry in settings.models().values():
        from mcpcompact.tokens.models import define

        define(entry.name, entry.encoding, entry.usable)
    for name in ("model", "encoding", "results_dir"):
        if getattr(args, name, "") is None:
            setattr(args, name, settings.get(name))


def chooser_of(args: argparse.Namespace, settings: Settings | None) -> Chooser:
    """What chooses the policy of each result of this run."""
    from mcpcompact.settings.limits import Chooser

    limits = ("budget", "threshold", "reader", "notice", "max_chars")
    given = {name: value for name in limits if (value := getattr(args, name)) is not None}
    fields = tuple(name.strip() for name in (args.fields or "").split(",") if name.strip())
    if args.fields is not None and not fields:
        raise UsageError("--fields names no field", hint="give names such as id,metadata.name")
    return Chooser(settings, Policy(**given), fields, args.preset or "", tuple(given), args.window_left)


def common_of(
    args: argparse.Namespace, arguments: dict[str, Any] | None, settings: Settings | None, masks: bool
) -> Common:
    """What the options say of every input. A masker is made where all is masked or a model asked; else if ``masks``."""
    from mcpcompact.batch import Common, store_of
    from mcpcompact.cli.masks import masker_for
    from mcpcompact.config import results_dir
    from mcpcompact.inputs.remote import shown
    from mcpcompact.shell import command, option

    directory, found_later = ("", True) if args.no_store else results_dir(args.results_dir)
    common = Common(
        args.shape,
        args.tool,
        args.server,
        arguments,
        args.focus,
        args.type,
        args.model,
        args.encoding,
        args.exact,
        directory,
        "" if found_later else command(*option("--results-dir", shown(directory))),
        mask=args.mask,
        llm=args.asking,
        encoding_in=args.encoding_in,
    )
    if args.mask or args.asking is not None or masks:
        common.masker = masker_for(store_of(common), settings)
        common.masker.encoding = args.encoding_in
    return common
