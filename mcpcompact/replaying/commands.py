"""``cmd:'SHELL'``: any other tool as a policy. A result on its standard input, its version on the standard output."""

from __future__ import annotations

import subprocess

from mcpcompact.errors import UsageError
from mcpcompact.replaying.policies import Policy, Version
from mcpcompact.replaying.session import View

TIMEOUT = 30.0
"""Seconds that a command may take for one result."""

PATIENCE = 3
"""Time-outs of one session after which the command is not tried again."""


class Command(Policy):
    """What fails or hangs passes through as it is; what is empty is taken for the command's answer. All are said."""

    name, syntax, says = "cmd", "cmd:'SHELL COMMAND'", "what a shell command makes of each result"

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
        with subprocess.Popen(
            self.command,
            shell=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as process:
            try:
                out, err = process.communicate(data, timeout=self.timeout)
            except subprocess.TimeoutExpired:
                self._hung += 1
                _end(process)
                return Version(view.text, problem=f"no answer within {self.timeout:g} s")
            except BaseException:
                _end(process)
                raise
        if process.returncode:
            said = " ".join(err.decode("utf-8", "replace").split())[-120:]
            return Version(view.text, problem=f"exit code {process.returncode}" + (f": {said}" if said else ""))
        if not out:
            return Version("", problem="printed nothing")
        return Version(view.text if out == data else out.decode("utf-8", "replace"))


def _end(process: subprocess.Popen[bytes]) -> None:
    """The command and everything it started."""
    import os
    import signal

    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (OSError, AttributeError):
        process.kill()
    process.communicate()
