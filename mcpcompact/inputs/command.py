"""A command run to its end, with what it wrote kept on disk as it came.

Standard output and standard error are one pipe, so their order is the order in which they were written, and memory does
not grow with them. As with ``command | cat``, all that holds the pipe is waited for.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import FileIO
from itertools import chain

from mcpcompact.errors import CannotRunError, CannotWriteError, McpcompactError
from mcpcompact.inputs.reading import MAX_BYTES, Input
from mcpcompact.source import LARGE

NOT_FOUND, NOT_EXECUTABLE = 127, 126  # as every shell says it
SIGNALLED = 128  # a shell's exit code of a command that a signal ended is this and the signal's number
BROKEN_PIPE = SIGNALLED + signal.SIGPIPE  # how a stage ends whose reader has read enough: no failure

_CHUNK = 1 << 20
_FORWARDED = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM)
_OF_THE_TERMINAL = (signal.SIGINT, signal.SIGQUIT)
_WITNESS = ("mcpcompact: witness of signals", "-c", "trap exit INT QUIT; read _")
"""What ``sh`` is called among the processes while it waits: it ends by a signal to the whole group, and with us."""
_SEEN_WITHIN = 0.5  # seconds in which it does: a signal that it has not seen was sent to this process alone

Through = Callable[[Iterator[bytes]], None]
"""Takes all blocks of an output that cannot be kept, while it is written; what it leaves is not read."""


@dataclass(frozen=True, slots=True)
class Captured:
    """What became of a command. ``output`` is None where ``problem`` kept it from the disk: then all went ``through``.

    ``returncode`` is that of ``subprocess``: the exit code, or minus the number of the signal that ended it. ``stages``
    are the exit codes of the last pipeline that a shell ran, where they are known.
    """

    returncode: int
    output: Input | None
    problem: McpcompactError | None = None
    stages: tuple[int, ...] = ()

    @property
    def exit_code(self) -> int:
        """As a shell has it: 128 and the number of a signal."""
        return self.returncode if self.returncode >= 0 else SIGNALLED - self.returncode


def capture(command: Sequence[str], through: Through, kept: Sequence[int] = ()) -> Captured:
    """Run a command with this process's own standard input. Interrupts reach it; this process waits for its end.

    Where its output finds no room on the disk, or passes ``MAX_BYTES``, all of it goes ``through`` instead. It inherits
    the descriptors ``kept``.
    Raises ``CannotRunError`` (exit code 127 or 126) where it cannot be started.
    """
    spool = _Spool()
    with _guarded() as running:
        process = _started(command, kept)
        running.append(process)
        assert process.stdout is not None
        with process.stdout as pipe:
            spool.take(_blocks(pipe.fileno()), through)
        code = process.wait()
    return Captured(code, spool.finished(), spool.problem)


def capture_shell(text: str, through: Through) -> Captured:
    """As ``capture``, for a string that bash reads (``sh`` where there is none), with the codes of its stages."""
    import shutil

    bash = shutil.which("bash")
    plain = [bash or "sh", "-c", text]
    if bash is None or subprocess.run([bash, "-nc", text], stderr=subprocess.DEVNULL, check=False).returncode:
        return capture(plain, through)  # with a mistake, so that bash says it in the words it has for it
    read, write = os.pipe()
    trap = f'trap \'printf "%s " "${{PIPESTATUS[@]}}" >&{write}\' EXIT; '  # on its line: line numbers stay
    with open(read, "rb", buffering=0) as pipe:
        try:
            captured = capture([bash, "-c", trap + text], through, (write,))
        finally:
            os.close(write)
        os.set_blocking(read, False)  # what the string left running may still hold the other end
        stages = tuple(map(int, (pipe.read() or b"").split()))
    return Captured(captured.returncode, captured.output, captured.problem, stages)


def stage_names(text: str) -> list[str]:
    """The first word of each stage of a string that is one plain pipeline; none of any other."""
    import shlex

    words = shlex.shlex(text, posix=False, punctuation_chars=True)
    words.commenters = ""
    names, first = [], True
    try:
        for word in words:
            if set(word) <= set("();&|"):
                if word not in ("|", "|&"):
                    return []
                first = True
            elif first:
                names.append(word)
                first = False
    except ValueError:  # a quotation mark that is not closed
        return []
    return [] if set(text) & set("\n`") else names


def _blocks(descriptor: int) -> Iterator[bytes]:
    with suppress(BlockingIOError):
        while block := os.read(descriptor, _CHUNK):
            yield block


def _started(command: Sequence[str], kept: Sequence[int]) -> subprocess.Popen[bytes]:
    try:
        if not command or not command[0]:
            raise FileNotFoundError
        try:
            return _popen(command, kept)
        except OSError as error:
            import errno

            if error.errno != errno.ENOEXEC:
                raise
            return _popen(["sh", *command], kept)  # a script without a first line: what a shell does with it
    except FileNotFoundError:
        raise CannotRunError(f"{command[0]}: command not found", NOT_FOUND) from None
    except OSError as error:
        raise CannotRunError(f"{command[0]}: {(error.strerror or str(error)).lower()}", NOT_EXECUTABLE) from None


def _popen(command: Sequence[str], kept: Sequence[int]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0, pass_fds=tuple(kept))


@contextmanager
def _guarded() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Signals while it runs: what a whole group gets reaches it too, what this process alone gets is passed on."""
    running: list[subprocess.Popen[bytes]] = []
    witness = _Witness()

    def pass_on(number: int, _frame: object) -> None:
        for process in running:
            if process.poll() is None:
                if number in _FORWARDED or not witness.saw():
                    process.send_signal(number)
            elif process.stdout and not process.stdout.closed:
                os.set_blocking(process.stdout.fileno(), False)  # it has ended: what it left running is not waited for

    before = {}
    with suppress(ValueError):  # not in the main thread: signals are the caller's
        for number in (*_FORWARDED, *_OF_THE_TERMINAL):
            if signal.getsignal(number) not in (signal.SIG_IGN, None):  # what is ignored, a command ignores as well
                before[number] = signal.signal(number, pass_on)
    try:
        yield running
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        witness.close()


class _Witness:
    """A process of the same group, from which it is told whether a signal went to the whole group."""

    def __init__(self) -> None:
        self._process = self._started()

    def saw(self) -> bool:
        try:
            self._process.wait(_SEEN_WITHIN)
        except subprocess.TimeoutExpired:
            return False
        self.close()
        self._process = self._started()
        return True

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _started(self) -> subprocess.Popen[bytes]:
        quiet = subprocess.DEVNULL
        return subprocess.Popen(_WITNESS, executable="sh", stdin=subprocess.PIPE, stdout=quiet, stderr=quiet)


class _Spool:
    """A temporary file; where there is no room, all that was written and will be goes ``through``."""

    def __init__(self) -> None:
        self._size, self._path = 0, ""
        self.problem: McpcompactError | None = None
        self._file: FileIO | None = None
        try:
            descriptor, self._path = tempfile.mkstemp(prefix="mcpcompact-")
            self._file = FileIO(descriptor, "w")
        except OSError as error:
            self._give_up(error)

    def take(self, blocks: Iterator[bytes], through: Through) -> None:
        if self._file is None:
            through(blocks)
            return
        for block in blocks:
            try:
                self._write(self._file, block)
            except OSError as error:
                self._give_up(error)
                through(chain(self._written(), (block,), blocks))
                return

    def finished(self) -> Input | None:
        """What was written: in memory up to ``LARGE`` bytes, else in its file, which goes with it."""
        if self._file is None:
            return None
        self._file.close()
        if self._size > LARGE:
            output = Input("command", path=self._path, size=self._size)
            output._remove = weakref.finalize(output, os.unlink, self._path)
            return output
        with open(self._path, "rb") as stream:
            data = stream.read()
        os.unlink(self._path)
        return Input("command", data)

    def _write(self, file: FileIO, block: bytes) -> None:
        if self._size + len(block) > MAX_BYTES:
            raise OSError(f"it is over {MAX_BYTES / (1 << 30):.3g} GB")
        left = memoryview(block)
        while left:
            left = left[file.write(left) :]
        self._size += len(block)

    def _written(self) -> Iterable[bytes]:
        """What was kept so far; its file goes at once, the room of its blocks when they have been read."""
        stream = open(self._path, "rb")  # noqa: SIM115
        os.unlink(self._path)
        with stream:
            yield from iter(lambda: stream.read(min(_CHUNK, self._size - stream.tell())), b"")

    def _give_up(self, error: OSError) -> None:
        why = error.strerror or str(error)
        self.problem = CannotWriteError(f"the output could not be kept: {why}", hint="it passed through, not stored")
        if self._file is not None:
            self._file.close()
            self._file = None
