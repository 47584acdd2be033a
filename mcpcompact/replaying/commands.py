"""``cmd:'SHELL'``: any other tool as a policy. A result on its standard input, its version on the standard output."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import tempfile
import time

from mcpcompact.errors import UsageError
from mcpcompact.replaying.policies import Policy, Version
from mcpcompact.replaying.session import View

TIMEOUT = 30.0  # seconds that a command may take for one result
MOST = 64 << 20  # bytes that a command may print for one result
PATIENCE = 3  # Time-outs of one session after which the command is not tried again


class Command(Policy):
    """What fails or hangs passes through as it is; what is empty is taken for the command's answer. All are said."""

    name, syntax, says = "cmd", "cmd:'SHELL COMMAND'", "the output of a shell command that reads each result"

    def __init__(self, spec: str, *arguments: str) -> None:
        self.spec = spec
        self.command = arguments[0].strip() if arguments else ""
        if len(self.command) > 1 and self.command[0] == self.command[-1] and self.command[0] in "'\"":
            self.command = self.command[1:-1]
        if not self.command:
            raise UsageError(f"policy {spec}: no command", hint=f"write {self.syntax}")
        self.timeout = TIMEOUT
        self._hung = 0

    def start(self) -> None:
        self._hung = 0

    def arrive(self, view: View) -> Version:
        if not view.text:
            return Version(view.text)
        if self._hung >= PATIENCE:
            return Version(view.text, problem=f"not tried after {PATIENCE} time-outs")
        data = view.text.encode("utf-8", "surrogatepass")
        with tempfile.TemporaryFile() as given:
            given.write(data)
            given.seek(0)
            with subprocess.Popen(
                self.command,
                shell=True,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            ) as process:
                try:
                    out, err = self._read(process)
                    code = process.wait(timeout=self.timeout)
                except subprocess.TimeoutExpired:
                    self._hung += 1
                    return Version(view.text, problem=f"no answer within {self.timeout:g} s")
                except OverflowError:
                    return Version(view.text, problem=f"printed more than {MOST >> 20} MB")
                finally:
                    _end(process)
        if code:
            said = " ".join(err.decode("utf-8", "replace").split())[-120:]
            return Version(view.text, problem=f"exit code {code}" + (f": {said}" if said else ""))
        if not out:
            return Version("", problem="printed nothing")
        return Version(view.text if out == data else out.decode("utf-8", "replace"))

    def _read(self, process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
        """Its output and the end of its messages. Raises ``TimeoutExpired``; ``OverflowError`` over ``MOST`` bytes."""
        assert process.stdout is not None and process.stderr is not None
        out, err = bytearray(), b""
        deadline = time.monotonic() + self.timeout
        with selectors.DefaultSelector() as ready:
            ready.register(process.stdout, selectors.EVENT_READ)
            ready.register(process.stderr, selectors.EVENT_READ)
            while ready.get_map():
                left = deadline - time.monotonic()
                if left <= 0:
                    raise subprocess.TimeoutExpired(self.command, self.timeout)
                for key, _ in ready.select(left):
                    piece = os.read(key.fd, 1 << 16)
                    if not piece:
                        ready.unregister(key.fileobj)
                    elif key.fileobj is process.stderr:
                        err = (err + piece)[-4096:]
                    else:
                        out += piece
                        if len(out) > MOST:
                            raise OverflowError
        return bytes(out), err


def _end(process: subprocess.Popen[bytes]) -> None:
    """The command, where it still runs, and everything that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (OSError, AttributeError):  # all gone, or a system without process groups
        if process.poll() is None:
            process.kill()
