"""What the commands are made of: options in groups, help in panels, and the group that loads them by name."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from textwrap import indent
from types import SimpleNamespace
from typing import Any, get_args, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from mcpcompact.cli.io import Environment
from mcpcompact.config import styled

PANELS = ("", "Input", "Limits", "Output", "Storage", "LLM pass", "Execution")
"""Of every help, in this order; arguments stand before them."""

WIDEST = 100  # columns of help that is no terminal's: longer lines are hard to read


class OptionGroup(SimpleNamespace):
    """A group of options: its annotated attributes and their defaults. Dataclasses took 10 ms of every start."""

    @classmethod
    @cache
    def hints(cls) -> dict[str, Any]:
        """Each option's annotation, those of the last base first."""
        return get_type_hints(cls, include_extras=True)


class _Help:
    """Panels on a terminal, drawn by Typer; elsewhere the same in plain text. Variables are shown, not read: only the
    settings read the environment."""

    rich_markup_mode: Any
    help: str | None
    epilog: str | None

    def format_help(self, ctx: Any, formatter: Any) -> None:
        if not styled(sys.stdout.isatty()):
            self.rich_markup_mode = None
        self._name_variables(ctx)
        super().format_help(ctx, formatter)  # type: ignore[misc]

    def panels(self, ctx: Any) -> dict[str, list[tuple[str, str]]]:
        """By panel, each parameter as it is written and what it does."""
        self._name_variables(ctx)
        panels: dict[str, list[tuple[str, str]]] = {"Arguments": []}
        for param in self.get_params(ctx):  # type: ignore[attr-defined]
            usual = f"{param.param_type_name.capitalize()}s"
            if row := param.get_help_record(ctx):
                panels.setdefault(getattr(param, "rich_help_panel", None) or usual, []).append(row)
        return {title: rows for title, rows in panels.items() if rows}

    def _name_variables(self, ctx: Any) -> None:
        from mcpcompact.settings.schema import SETTINGS

        variables = {known.option: known.env for known in SETTINGS if known.option} | {"--config": "MCPCOMPACT_CONFIG"}
        for param in self.get_params(ctx):  # type: ignore[attr-defined]
            param.envvar = next((variables[name] for name in param.opts if variables.get(name)), None)

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """The sentence, and the examples line by line."""
        sentence, _, rest = inspect.cleandoc(self.help or "").partition("\n\n")
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(sentence)
            formatter.write("".join(f"{line}\n" for line in ["", *indent(rest, "  ").splitlines()]) if rest else "")

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            for paragraph in (self.epilog or "").split("\n"):
                formatter.write_text(paragraph)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        for title, rows in self.panels(ctx).items():
            with formatter.section(title):
                formatter.write_dl(rows)
        if isinstance(self, TyperGroup):
            self.format_commands(ctx, formatter)


class Command(_Help, TyperCommand):
    """A command of Typer with our help, its options panel by panel."""

    def __init__(self, *args: Any, **attrs: Any) -> None:
        super().__init__(*args, **attrs)
        self.params.sort(key=lambda param: PANELS.index(getattr(param, "rich_help_panel", None) or ""))


class Group(_Help, TyperGroup):
    """A group of Typer with our help."""


def load(name: str) -> Any:
    """The command of ``commands/NAME.py``: its ``app``, or its function NAME with what ``MORE`` says of it."""
    module = import_module(f"mcpcompact.cli.commands.{name}")
    app: typer.Typer | None = getattr(module, "app", None)
    if app is None:
        app = typer.Typer(add_completion=False)
        command(app, name, **getattr(module, "MORE", {}))(getattr(module, name))
    loaded = get_command(app)
    loaded.name = name
    return loaded


def command(app: typer.Typer, name: str, **more: Any) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Makes a function a command of the app. It takes the ``Environment`` first, and groups of options as objects."""

    def register(function: Callable[..., int]) -> Callable[..., int]:
        app.command(name, cls=Command, **more)(_flat(function))
        return function

    return register


def _flat(function: Callable[..., int]) -> Callable[..., int]:
    (_, *given) = inspect.signature(function).parameters.values()
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, type[OptionGroup]] = {
        name: hint for name, hint in hints.items() if isinstance(hint, type) and issubclass(hint, OptionGroup)
    }
    flat = [inspect.Parameter("typer_context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
    for one in given:
        if one.name not in groups:
            flat.append(_parameter(one.name, hints[one.name], one.default))
            continue
        kind = groups[one.name]
        flat += (_parameter(name, hint, getattr(kind, name)) for name, hint in kind.hints().items())

    def run(typer_context: typer.Context, **values: Any) -> int:
        env: Environment = typer_context.obj
        env.begin(typer_context.command_path)
        options = {name: kind(**{each: values.pop(each) for each in kind.hints()}) for name, kind in groups.items()}
        return function(env, **options, **values)

    run.__doc__, run.__name__ = function.__doc__, function.__name__
    run.__signature__ = inspect.Signature(flat)  # type: ignore[attr-defined]
    return run


def _parameter(name: str, hint: Any, default: Any) -> inspect.Parameter:
    """As Typer reads it. A switch has no ``--no-`` form."""
    kind, about, *_ = (*get_args(hint), None)
    if kind is bool and not about.param_decls:
        about.param_decls = (f"--{name.replace('_', '-')}",)
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=hint, default=default)
