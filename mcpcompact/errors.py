"""The exception tree. Every error carries the exit code of the command line and a next step.

McpcompactError
├── UsageError          2   the call itself is wrong
├── InputError         65   the input cannot be used
├── MaskError          65   secrets could not be masked: nothing was stored, sent or printed
├── Skipped         65 66   empty or binary: there is nothing to compact
├── NoInputError       66   there is no such input
├── CannotWriteError   73   the results directory or an output cannot be written
├── CannotReadError    74   a stored result or an input cannot be read
├── ClusterError       74   the cluster is not there, or was lost on the way
├── ConfigError        78   the configuration is wrong
└── CannotRunError 126 127  a command cannot be executed, or is not found
"""

from __future__ import annotations

from collections.abc import Iterable


class McpcompactError(Exception):
    """Base of all errors. ``str(error)`` is one line; ``hint`` says what to do next (may be empty)."""

    exit_code = 65

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    @property
    def reason(self) -> str:
        """What is wrong, on one line, without the hint."""
        return " ".join(str(self).split())

    def line(self) -> str:
        """The one line that the command line prints on stderr."""
        return f"{self.reason}; {self.hint}" if self.hint else self.reason


class UsageError(McpcompactError):
    exit_code = 2


class InputError(McpcompactError):
    exit_code = 65


class MaskError(McpcompactError):
    exit_code = 65


class NoInputError(McpcompactError):
    exit_code = 66


class CannotWriteError(McpcompactError):
    exit_code = 73


class CannotReadError(McpcompactError):
    exit_code = 74


class ClusterError(McpcompactError):
    exit_code = 74


class ConfigError(McpcompactError):
    exit_code = 78


class Skipped(McpcompactError):
    """An input in which there is nothing to compact: 65 for a binary one, 66 for an empty one. A batch goes on."""

    def __init__(self, message: str, exit_code: int, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.exit_code = exit_code


class CannotRunError(McpcompactError):
    """A command that does not start, with the exit code that a shell has for it."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def meant(word: str, known: Iterable[str]) -> str:
    """The beginning of a hint: which of the known names was probably meant; "" where none is near."""
    from difflib import get_close_matches

    return "".join(f"did you mean {name}? " for name in get_close_matches(word, list(known), 1))
