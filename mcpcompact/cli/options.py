"""Options that several commands share: what each is called, means, takes and completes to; and their groups."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import typer

from mcpcompact.cli.base import PANELS, OptionGroup
from mcpcompact.cli.io import Environment
from mcpcompact.config import completing, configured
from mcpcompact.shell import option


def _option(
    panel: str, help: str, metavar: str | None = None, *names: str, otherwise: str | bool = True, **more: Any
) -> Any:
    """An option of a panel. ``least`` and ``most`` bound a number; ``otherwise`` is what counts where it is not given,
    if that is no default of its own."""
    if not completing():
        more.pop("autocompletion", None)  # whose signature is looked at whenever the option is made
    if "least" in more:
        more["parser"] = number(more.pop("least"), more.pop("most", None))
    return typer.Option(*names, help=help, metavar=metavar, rich_help_panel=panel, show_default=otherwise, **more)


def argument(metavar: str, help: str, **more: Any) -> Any:
    """What stands on the command line without a name."""
    return typer.Argument(metavar=metavar, help=help, **more)


read, much, puts, goes, writes, runs = (partial(_option, panel) for panel in PANELS[1:])

DAY = 86_400
NAMES = {"content_type": "type"}  # fields whose option has another name
Text = str | None
Texts = list[str] | None
Number = int | None


def number(minimum: int, maximum: int | None = None) -> Callable[[Any], int]:
    """Reads an integer of at least ``minimum``; ``1_000`` and ``1,000`` are read too."""
    possible = f"give {minimum} or more" if maximum is None else f"give {minimum} to {maximum}"

    def parse(text: Any) -> int:
        try:
            value = int(str(text).replace(",", "").replace("_", ""))
        except ValueError:
            raise typer.BadParameter(f"'{text}' is not a number; {possible}") from None
        if value < minimum:
            raise typer.BadParameter(f"{value} is too small; {possible}")
        if maximum is not None and value > maximum:
            raise typer.BadParameter(f"{value} is too large; {possible}")
        return value

    return parse


def seconds(text: Any) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < DAY:
        raise typer.BadParameter(f"'{text}' is not a number of seconds; give for example 30 or 2.5")
    return value


def names(text: str | None) -> tuple[str, ...]:
    """The parts of a list with commas."""
    return tuple(name.strip() for name in (text or "").split(",") if name.strip())


def repeated(*groups: OptionGroup) -> list[str]:
    """The options that are not at their defaults, as words of a command."""
    words: list[str] = []
    for group in groups:
        for field, value in vars(group).items():
            name = f"--{NAMES.get(field, field).replace('_', '-')}"
            if value != getattr(type(group), field):
                words += [name] if value is True else option(name, value)
    return words


def _configured(context: typer.Context, path: str | None) -> str | None:
    """The settings in force become defaults of options. Raises ``ConfigError``, also for a command switched off."""
    if context.resilient_parsing or not configured(path):
        return path
    from mcpcompact.settings.effective import load
    from mcpcompact.tokens.models import define

    settings = context.obj.settings = load(path)
    if settings.masks():
        from mcpcompact.cli.masks import early

        context.obj.clean = early  # until the command has a masker of its own
    settings.runs(str(context.info_name))
    for entry in settings.models().values():
        define(entry.name, entry.encoding, entry.usable)
    shared = {name: settings.get(name) for name in ("model", "encoding", "results_dir")}
    own = {"tokens": "chunk_tokens", "limit": "page_limit", "cursor_ttl": "cursor_ttl_seconds"}
    defaults = shared | {name: settings.get(key) for name, key in own.items()}
    context.default_map = defaults | dict.fromkeys(getattr(context.command, "commands", ()), defaults)
    return path


def offer_content_types() -> list[tuple[str, str]]:
    from mcpcompact.content.detect import REGISTRY

    return [(name, "content type") for name in REGISTRY]


def offer_encodings() -> list[tuple[str, str]]:
    from mcpcompact.tokens.encodings import NAMES

    return [(name, "encoding") for name in NAMES]


def offer_models() -> list[tuple[str, str]]:
    from mcpcompact.tokens.models import MODELS, WINDOWS

    names = dict.fromkeys([*MODELS, *WINDOWS])
    return [(name, f"window of {WINDOWS[name]:,} tokens" if name in WINDOWS else MODELS[name]) for name in names]


_CONFIG = "Use this configuration, not the project's or the user's."
ConfigFile = Annotated[Text, read(_CONFIG, "FILE")]
Config = Annotated[Text, read(_CONFIG, "FILE", is_eager=True, callback=_configured)]
File = Annotated[Text, argument("FILE", "A file; '-' or none reads standard input.")]
Files = Annotated[Texts, argument("FILE...", "Files, directories, globs; '-' or none reads stdin.")]
_TYPES = "Content type, instead of detecting it: fasta, records, json, table, log, diff, code, markup or text."
ContentType = Annotated[Text, read(_TYPES, "TYPE", "--type", autocompletion=offer_content_types)]
EncodingIn = Annotated[
    Text, read("Encoding of the input, such as windows-1252 or gbk.", "NAME", otherwise="UTF-8, else guessed")
]
Model = Annotated[Text, much("Count tokens the way this model does.", "NAME", autocompletion=offer_models)]
_ENCODINGS, _BY_MODEL = "Tokenizer encoding: o200k_base or cl100k_base.", "the model's, else o200k_base"
Encoding = Annotated[Text, much(_ENCODINGS, "NAME", autocompletion=offer_encodings, otherwise=_BY_MODEL)]
Json = Annotated[bool, puts("Print one JSON object.")]
Mask = Annotated[bool, goes("Replace secrets with placeholders before anything is stored or printed.")]
_USUAL_DIR = ".mcpcompact/results if it exists, else the user's state directory"
ResultsDir = Annotated[Text, goes("Directory or URL where originals are stored.", "DIR", otherwise=_USUAL_DIR)]
_FROM = "Continue from this nextCursor, with the same options; FILE is optional."
Cursor = Annotated[Text, read(_FROM, "CURSOR")]
VALID = "How long the next cursor stays valid; 0 means forever."
CursorTtl = Annotated[int, puts(VALID, "SECONDS", least=0)]
Jobs = Annotated[int, runs("Number of worker processes.", "N", least=1)]
ClusterUrl = Annotated[Text, runs("Run on a Dask cluster instead: tcp://HOST:PORT.", "URL")]


class Counting(OptionGroup):
    """Whose tokens are counted."""

    model: Model = None
    encoding: Encoding = None

    def say_model(self, env: Environment) -> None:
        """A model that is not known is counted by another's rules, and that is said."""
        if self.model is None:
            return
        from mcpcompact.tokens import resolve

        if note := resolve(self.model, self.encoding).note:
            env.say(note)


class Kept(OptionGroup):
    """How an input is read, and where it is kept that cursors lead back to."""

    encoding_in: EncodingIn = None
    results_dir: ResultsDir = None
    mask: Mask = False
