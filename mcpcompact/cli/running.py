"""How a command is run: its options parsed, its errors one line each, the run recorded."""

from __future__ import annotations

import argparse
import errno
import importlib
import sys
import time

from mcpcompact.cli.io import Environment
from mcpcompact.patterns import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)


class _Formatter(argparse.HelpFormatter):
    """Help of one width everywhere. Asked for the terminal's, argparse imports shutil at every option (3 ms)."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=100)


class _Parser(argparse.ArgumentParser):
    """argparse with one-line errors and exit code 2."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": _Formatter} | options)
        self._negative_number_matcher = regex(r"-\.?\d")  # "-5:3" is a value (of --lines), and its error says why not

    def error(self, message: str) -> Any:
        from mcpcompact.errors import UsageError

        raise UsageError(f"{self.prog.split(' ', 1)[-1]}: {message}", hint=f"see '{self.prog} --help'")


def run_command(name: str, argv: list[str], env: Environment) -> int:
    """Run one command and record it. Telemetry that fails is a line on stderr and changes nothing else."""
    began = time.perf_counter()
    code = _run(name, argv, env)
    if name == "stats" or "-h" in argv or "--help" in argv:  # looking is no run
        return code
    from mcpcompact.config import telemetry_dir

    directory = telemetry_dir() if env.telemetry else ""
    if not directory:
        return code
    from mcpcompact.telemetry import append

    known: dict[str, Any] = {
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "command": name,
        "seconds": round(time.perf_counter() - began, 4),
        "outcome": "failed" if code > 1 else "ok",
        "exitCode": code,
    }
    if name in ("chunk", "paginate") or (name == "results" and argv[:1] in (["get"], ["grep"])):
        known["paginated"] = True
    try:
        for run in env.runs or [{}]:
            append(directory, known | run)
    except Exception as error:  # whatever it is, it is not worth a run
        told = getattr(error, "strerror", None) or error
        env.say(f"this run is not in the telemetry ({told}); MCPCOMPACT_TELEMETRY=0 turns it off")
    return code


def _run(name: str, argv: list[str], env: Environment) -> int:
    """Import, configure and run one command; every error is one line on stderr and its documented exit code."""
    from mcpcompact.errors import McpcompactError

    module = importlib.import_module(f"mcpcompact.cli.{name}")
    configure: Callable[[argparse.ArgumentParser], None] = module.configure
    try:
        if "--mask" in argv:  # what is said before the command has its own masker
            from mcpcompact.cli.masks import early

            env.clean = early
        parser = _Parser(prog=f"mcpcompact {name}", description=module.HELP, allow_abbrev=False)
        configure(parser)
        args = _parsed(name, parser, argv)
        env.telemetry = True
        try:
            code: int = module.run(args, env)
        finally:
            env.telemetry = getattr(args, "telemetry", True)
        env.stdout.flush()
        return code
    except McpcompactError as error:
        env.say(error.line())
        return error.exit_code
    except BrokenPipeError:
        raise
    except OSError as error:
        env.say(f"{error.strerror or error}" + (f": {error.filename}" if error.filename else ""))
        return 73 if error.errno in _FULL else 74
    except (MemoryError, RecursionError) as error:
        env.say(f"this input needs more memory than there is ({type(error).__name__})")
        return 65
    except Exception as error:  # the last rail: a defect of ours is one line too; ``python -X dev`` shows where
        if sys.flags.dev_mode:
            raise
        env.say(f"a defect of mcpcompact, please report it: {type(error).__name__}: {error}")
        return 65
    except SystemExit as stop:  # argparse's --help
        return int(stop.code or 0)


_CONFIGURED = ("count", "chunk", "paginate", "replay", "results", "stats")
"""Commands that take their defaults from a configuration; summarize asks for policies besides, and does it itself."""


def _parsed(name: str, parser: argparse.ArgumentParser, argv: list[str]) -> argparse.Namespace:
    if name not in _CONFIGURED:
        return parser.parse_args(argv)
    from mcpcompact.cli.policy import add_config, configured_args

    add_config(parser)
    return configured_args(name, parser, argv)
