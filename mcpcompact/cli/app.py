"""The command line: one Typer app. A command is a file in ``commands``, imported when it is named, and a line here."""

from __future__ import annotations

import errno
import gc
import os
import sys
import time
from contextlib import redirect_stdout
from typing import Annotated, Any

import typer

from mcpcompact.cli import base
from mcpcompact.cli.io import INTERRUPTED, Environment, silence
from mcpcompact.config import completing, telemetry_dir
from mcpcompact.errors import CannotReadError, CannotWriteError, InputError, McpcompactError, UsageError, meant

COMMANDS = {
    "summarize": "Fit a tool result into a token budget and store the original.",
    "run": "Run a command and fit its output into a token budget.",
    "chunk": "Read long content in chunks that end on natural boundaries.",
    "paginate": "Read a long list page by page, with a cursor for the next page.",
    "count": "Count tokens exactly, or enforce a token limit in CI.",
    "config": "Create, show and check the configuration.",
    "replay": "Compare policies on recorded sessions: tokens saved, evidence lost.",
    "transcripts": "List supported transcript formats and where tools keep them.",
    "stats": "Show tokens saved, from local telemetry.",
    "hook": "Compact tool results inside Claude Code, Codex and other hosts.",
    "proxy": "Compact the results of an MCP server.",
    "results": "List, read, search, verify and clean up stored results.",
}
"""Name and sentence. ``commands/NAME.py`` has a function NAME, or an ``app``."""

NAME = "mcpcompact"
EXIT_CODES = (
    "Exit codes: 0 success, 1 a check failed, 2 usage error, 65 unusable input, 66 no input, 73 cannot write, "
    "74 cannot read, 78 configuration error. run exits with the code of its command."
)
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
_WRONG: Any = typer.BadParameter.__base__  # click's UsageError, which newer Typers carry inside


class Commands(base.Group):
    """All commands, known by name and sentence; one is imported when it is named."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        self.commands = {name: base.Command(name, short_help=what) for name, what in COMMANDS.items()}

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        return name, command and base.load(str(name)), rest


app = typer.Typer(
    cls=Commands,
    suggest_commands=False,
    epilog=EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": base.WIDEST},
)


def _version(asked: bool) -> None:
    if asked:
        from mcpcompact import __version__

        typer.echo(f"{NAME} {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", "-V", help="Show the version and exit.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    """Fit tool results into a token budget without losing what the agent needs.

    mcpcompact summarize result.json --budget 500
    kubectl get pods -A | mcpcompact summarize --tool get_pods

    Reads files, or standard input with '-' or from a pipe. Data goes to stdout, messages to stderr.
    """


def main(argv: list[str], env: Environment | None = None) -> int:
    """Run one command; returns the exit code. Never raises for bad input, never prints a traceback."""
    env = env or Environment()
    began = time.perf_counter()
    if argv[:1] == ["help"]:
        argv = [*argv[1:], "--help"]
    with redirect_stdout(env.stdout if argv else env.stderr):
        code = _run(argv or ["--help"], env)
    if env.telemetry:
        _record(code, time.perf_counter() - began, env)
    return code if argv else UsageError.exit_code


def _run(argv: list[str], env: Environment) -> int:
    """Every error is one line on stderr and its documented exit code."""
    try:
        if "--mask" in argv:  # what is said before the command has its own masker
            from mcpcompact.cli.masks import early

            env.clean = early
        commands = typer.main.get_command(app)
        with commands.make_context(NAME, list(argv), obj=env) as context:
            code: int = commands.invoke(context)
        env.stdout.flush()
        return code
    except typer.Exit as stop:
        return stop.exit_code
    except McpcompactError as error:
        env.say(error.line())
        return error.exit_code
    except _WRONG as error:
        env.say(_explained(error).line())
        return UsageError.exit_code
    except BrokenPipeError:
        raise
    except OSError as error:
        env.say(f"{error.strerror or error}" + (f": {error.filename}" if error.filename else ""))
        return CannotWriteError.exit_code if error.errno in _FULL else CannotReadError.exit_code
    except (MemoryError, RecursionError) as error:
        env.say(f"this input needs more memory than there is ({type(error).__name__})")
        return InputError.exit_code
    except Exception as error:  # the last rail: a defect of ours is one line too; ``python -X dev`` shows where
        if sys.flags.dev_mode:
            raise
        env.say(f"internal error, please report it: {type(error).__name__}: {error}")
        return InputError.exit_code


def _explained(error: Any) -> UsageError:
    """What is wrong with the words of a call, what was probably meant, and where the right ones stand."""
    path = error.ctx.command_path if error.ctx is not None else NAME
    choices = getattr(getattr(getattr(error, "param", None), "type", None), "choices", ())
    options = getattr(error, "possibilities", None)
    groups = () if hasattr(error, "possibilities") else getattr(getattr(error.ctx, "command", None), "commands", ())
    word = getattr(error, "option_name", "") or "".join(error.message.split("'")[1:2])
    near = meant(word, options or choices or groups) or (f"use {', '.join(groups)}; " if groups else "")
    message = error.message if options else error.format_message()
    text = f"{message[:1].lower()}{message[1:].rstrip('.')}"
    command = path.partition(" ")[2]
    return UsageError(f"{command}: {text}" if command else text, hint=f"{near}see '{path} --help'")


def _record(code: int, seconds: float, env: Environment) -> None:
    """A line of telemetry on each result, or on the command. What fails here is a line on stderr, nothing else."""
    directory = telemetry_dir()
    if not directory:
        return
    from mcpcompact.telemetry import append

    known: dict[str, Any] = {
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "command": env.command,
        "seconds": round(seconds, 4),
        "outcome": "failed" if code > 1 else "ok",
        "exitCode": code,
    }
    if env.paginated:
        known["paginated"] = True
    try:
        for run in env.runs or [{}]:
            append(directory, known | run)
    except Exception as error:  # whatever it is, it is not worth a run
        reason = getattr(error, "strerror", None) or error
        env.say(f"this run is not in the telemetry ({reason}); MCPCOMPACT_TELEMETRY=0 turns it off")


def entry() -> None:
    """The console script. A closed pipe is quiet; output is flushed before the code is returned."""
    if completing():  # a shell asks what may stand here; Typer answers and exits
        typer.main.get_command(app).main(prog_name=NAME)
    if sys.stdout is None:  # closed by the caller
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    code = 0
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        code = 0
        silence()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except OSError as error:  # a full disk behind stdout
        if sys.stderr is not None and code != CannotWriteError.exit_code:  # else it is said already
            sys.stderr.write(f"{NAME}: cannot write: {error.strerror or error}\n")
        code = CannotWriteError.exit_code
        silence()
    if code < 0:  # as the command that was run, by that signal
        from mcpcompact.cli.commands.run import end_by

        end_by(-code)
    gc.freeze()  # or Python looks through every object once more as it ends: a tenth of a run
    sys.exit(code)
