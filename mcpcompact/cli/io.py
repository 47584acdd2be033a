"""What a command may touch: streams, terminal, directories; and how a command is run."""

from __future__ import annotations

import argparse
import errno
import importlib
import io
import os
import sys
import time

from mcpcompact.patterns import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, BinaryIO, TextIO


class Environment:
    """The streams and directories of one run. Nothing else in the project touches ``sys``."""

    def __init__(
        self, stdin: BinaryIO | None = None, stdout: TextIO | None = None, stderr: TextIO | None = None
    ) -> None:
        # a stream that the caller closed (``<&-``) is None
        self.stdin: BinaryIO = stdin if stdin is not None else sys.stdin.buffer if sys.stdin else io.BytesIO()
        self.stdout: TextIO = stdout if stdout is not None else _utf8(sys.stdout or io.StringIO())
        self.stderr: TextIO = stderr if stderr is not None else sys.stderr or io.StringIO()
        self.stdout_isatty = self.stdout.isatty()
        self.telemetry = False  # on once a command is understood, off where the configuration says so
        self.runs: list[dict[str, Any]] = []  # telemetry of this run: a line a result, or one of the command
        self.stdin_isatty = stdin is None and sys.stdin is not None and sys.stdin.isatty()

    def results_dir(self, option: str | None = None) -> str:
        from mcpcompact.config import results_dir

        return results_dir(option)[0]

    def record(self, **run: Any) -> None:
        """What telemetry says of a result; what is None is left out. Written when the command is done."""
        self.runs.append({key: value for key, value in run.items() if value is not None})

    def write(self, text: str) -> None:
        """Text to stdout. On a terminal, escapes in the data are shown instead of obeyed."""
        self.stdout.write(neutralise(text) if self.stdout_isatty else text)

    def write_bytes(self, data: bytes) -> None:
        self.stdout.flush()
        buffer = getattr(self.stdout, "buffer", None)
        if buffer is None:
            self.stdout.write(data.decode("utf-8", "replace"))
        else:
            buffer.write(data)
            buffer.flush()

    def say(self, line: str) -> None:
        """One line on stderr."""
        self.stderr.write(f"mcpcompact: {neutralise(' '.join(line.split()))}\n")


def _utf8(stream: TextIO) -> TextIO:
    """Data goes out as UTF-8 with ``\\n`` whatever the locale says, so the same input gives the same bytes."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    return stream


def neutralise(text: str) -> str:
    """Control characters other than tab and newline made visible (ESC as ␛)."""
    if text.isprintable():
        return text
    return text.translate(_VISIBLE)


_VISIBLE = {c: chr(0x2400 + c) for c in range(32) if c not in (9, 10)} | {127: "\u2421"}
_VISIBLE |= dict.fromkeys(range(0x80, 0xA0), "\ufffd")


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


def number(minimum: int) -> Callable[[str], int]:
    """An argparse type: an integer of at least ``minimum``; ``1_000`` and ``1,000`` are read too."""

    def parse(text: str) -> int:
        try:
            value = int(text.replace(",", "").replace("_", ""))
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is not a number; give {minimum} or more") from None
        if value < minimum:
            raise argparse.ArgumentTypeError(f"{value} is too small; give {minimum} or more")
        return value

    return parse


def write_atomically(path: str, data: bytes) -> None:
    """Write a file under its final name only when it is whole. Raises ``CannotWriteError``."""
    import tempfile

    from mcpcompact.errors import CannotWriteError

    directory = os.path.dirname(path) or "."
    try:
        os.makedirs(directory, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=directory, prefix=".mcpcompact-")
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise CannotWriteError(f"cannot write {path}: {error.strerror or error}") from error
