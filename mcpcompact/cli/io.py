"""What a command may touch: streams, terminal, directories; and what several commands share."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

if TYPE_CHECKING:
    from mcpcompact.results import Store, StoredResult
    from mcpcompact.settings.effective import Settings


INTERRUPTED = 130  # as a shell says that SIGINT ended a command
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}  # Seconds


class Environment:
    """The streams and directories of one run. Nothing else in the project touches ``sys``."""

    def __init__(
        self, stdin: BinaryIO | None = None, stdout: TextIO | None = None, stderr: TextIO | None = None
    ) -> None:
        # a stream that the caller closed (``<&-``) is None
        self.stdin: BinaryIO = stdin or (sys.stdin.buffer if sys.stdin else io.BytesIO())
        self.stdout: TextIO = stdout or _utf8(sys.stdout or io.StringIO())
        self.stderr: TextIO = stderr or sys.stderr or io.StringIO()
        self.stdout_isatty = self.stdout.isatty()
        self.settings: Settings | None = None  # those in force, None where nothing is configured
        self.command = ""  # that runs, as telemetry names it
        self.telemetry = False  # on once a command is understood, off where the configuration says so
        self.paginated = False  # whether the command gives parts of something longer
        self.clean: Callable[[str], str] = str  # masks what is said and recorded, where masking is on
        self.runs: list[dict[str, Any]] = []  # telemetry of this run: a line a result, or one of the command
        self._hints: set[str] = set()
        self.stdin_isatty = stdin is None and sys.stdin is not None and sys.stdin.isatty()

    def begin(self, path: str) -> None:
        """A command is understood: ``path`` are its words, the program's first. It is recorded from here on."""
        self.command = path.split()[1]
        self.telemetry = self.settings is None or self.settings.get("telemetry") is not False

    def store(self, option: str | None) -> Store:
        """The results directory of ``--results-dir``, or the one in force."""
        from mcpcompact.results import opened

        return opened(option)

    def record(self, **run: Any) -> None:
        """What telemetry says of a result; what is None is left out. Written when the command is done."""
        fields = {key: self.clean(value) if isinstance(value, str) else value for key, value in run.items()}
        self.runs.append({key: value for key, value in fields.items() if value is not None})

    def write(self, text: str) -> None:
        """Text to stdout. On a terminal, escapes in the data are shown instead of obeyed."""
        self.stdout.write(neutralise(text) if self.stdout_isatty else text)

    def write_lines(self, *lines: str) -> None:
        """Lines to stdout that hold names or other words of the data: each stays one line, on a terminal or not."""
        self.stdout.write("".join(f"{visible(line)}\n" for line in lines))

    def write_json(self, value: object, indent: int | None = None) -> str:
        """One JSON object, on a line of its own without ``indent``; gives back what was written."""
        import json

        text = json.dumps(value, ensure_ascii=False, indent=indent, default=str) + "\n"
        self.write(text)
        return text

    def write_bytes(self, data: bytes) -> None:
        self.stdout.flush()
        buffer = getattr(self.stdout, "buffer", None)
        if buffer is None:
            self.stdout.write(data.decode("utf-8", "replace"))
        else:
            buffer.write(data)
            buffer.flush()

    def write_blocks(self, blocks: Iterable[bytes]) -> None:
        """Bytes as they are; on a terminal as text."""
        for block in blocks:
            if self.stdout_isatty:
                self.write(block.decode("utf-8", "replace"))
            else:
                self.write_bytes(block)

    def tell(self, text: str) -> str:
        """A line on stderr, without what a terminal would obey: it may hold words of the data. Gives it back."""
        text = visible(text)
        self.stderr.write(f"{text}\n")
        return text

    def say(self, line: str) -> str:
        """One line on stderr. Of a URL no password and no signature."""
        line = self.clean(line)
        if "://" in line:
            from mcpcompact.inputs import scrubbed

            line = scrubbed(line)
        return self.tell(f"mcpcompact: {' '.join(line.split())}")

    def say_problem(self, name: str, reason: str, hint: str = "") -> None:
        """What is wrong with one of many inputs; a hint that was given before is not repeated."""
        new = hint and hint not in self._hints
        self._hints.add(hint)
        self.say(f"{'' if name in reason else f'{name}: '}{reason}{f'; {hint}' if new else ''}")


def silence() -> None:
    """Nobody reads on; what is still written, by the interpreter at exit too, goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _utf8(stream: TextIO) -> TextIO:
    """Data goes out as UTF-8 with ``\\n`` whatever the locale says, so the same input gives the same bytes."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    return stream


def neutralise(text: str) -> str:
    """Control characters but tab and newline, and what breaks lines or turns text around, made visible (ESC as ␛)."""
    return text if text.isprintable() else text.translate(_VISIBLE)


def visible(text: str) -> str:
    """As ``neutralise``, and on one line: a name that holds a line break cannot say a line of ours."""
    return neutralise(text).replace("\n", "␊")


_VISIBLE = {c: chr(0x2400 + c) for c in range(32) if c not in (9, 10)} | {127: "\u2421"}
_VISIBLE |= dict.fromkeys((*range(0x80, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A)), "\ufffd")


def ago(store: Store, result: StoredResult) -> str:
    """How long ago a result was stored, in its largest whole unit."""
    seconds = store.age(f"{os.path.basename(result.path).split('.')[0]}.meta.json")
    for name in ("w", "d", "h", "m"):
        if seconds >= UNITS[name]:
            return f"{int(seconds // UNITS[name])}{name}"
    return f"{int(seconds)}s"
