"""The policies that replay compares, each a small class; ``registry`` names them.

A policy may answer for a result when it arrives (``arrive``), and rewrite the context before a model call (``before``).
"""

from __future__ import annotations

import os
import random
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass

from mcpcompact.config import DEFAULT_BUDGET, MIN_BUDGET
from mcpcompact.errors import UsageError
from mcpcompact.phrasing import MAX_DIGITS, fitted
from mcpcompact.replaying.cuts import Count, first_of, greedy_lines, head, head_tail, joined, tail
from mcpcompact.replaying.session import Context, View
from mcpcompact.shell import LONGEST

TIMEOUT = 30.0  # seconds that a command may take for one result
MAX = 64 << 20  # bytes that a command may print for one result
PATIENCE = 3  # Time-outs of one session after which the command is not tried again


@dataclass(slots=True)
class Version:
    """What a policy makes of a result. ``reference``: the text says how to fetch the original; ``problem``: why the
    policy could not do its work (``text`` is then what an agent would get all the same)."""

    text: str
    reference: bool = False
    problem: str = ""


class Policy:
    """Everything passes; the base of all others. ``spec`` is how it was asked for. Its arguments are whole numbers,
    the ``least`` or more: those of the attributes in ``takes``, whose defaults stand in the class."""

    name, syntax, says = "none", "none", "every result unchanged"
    takes: tuple[str, ...] = ()
    least = 0

    def __init__(self, spec: str, *arguments: str) -> None:
        """Raises ``UsageError`` for wrong arguments."""
        self.spec = spec
        if len(arguments) > len(self.takes):
            wrong = "too many arguments" if self.takes else f"'{self.name}' takes no arguments"
            raise UsageError(f"policy {spec}: {wrong}", hint=f"write {self.syntax}")
        for name, argument in zip(self.takes, arguments, strict=False):
            given = argument.strip().replace("_", "")
            if not given.isascii() or not given.isdigit() or len(given) > MAX_DIGITS or int(given) < self.least:
                wrong = f"'{fitted(given, LONGEST)}' is not a number of {self.least} or more"
                raise UsageError(f"policy {fitted(spec, LONGEST)}: {wrong}", hint=f"write {self.syntax}")
            setattr(self, name, int(given))

    def start(self) -> None:
        """A new session begins."""

    def arrive(self, view: View) -> Version:
        """The result as it enters the context."""
        return Version(view.text)

    def before(self, context: Context) -> None:
        """The context just before a model call: it may be rewritten."""


class _Cut(Policy):
    """A cut at an equal budget: N tokens of the result, as it is when it has no more."""

    takes: tuple[str, ...] = ("budget",)
    budget = 1_000
    by: Callable[[str, int, int, Count], str]

    def arrive(self, view: View) -> Version:
        return Version(view.text if view.tokens <= self.budget else self.cut(view))

    def cut(self, view: View) -> str:
        return self.by(view.text, self.budget, view.tokens, view.count)


class Head(_Cut):
    name, syntax, says = "head", "head[:N]", "the first N tokens"
    by = staticmethod(head)


class Tail(_Cut):
    name, syntax, says = "tail", "tail[:N]", "the last N tokens"
    by = staticmethod(tail)


class HeadTail(_Cut):
    name, syntax, says = "head-tail", "head-tail[:N]", "N tokens, half from the start and half from the end (Codex)"
    by = staticmethod(head_tail)


class GreedyLines(_Cut):
    name, syntax, says = "greedy-lines", "greedy-lines[:N]", "whole lines by new names per token: a strong baseline"

    def cut(self, view: View) -> str:
        return greedy_lines(view.text, self.budget, view.count)


class Random(_Cut):
    """The control: lines at random, in source order. Seeded by the length, so that every run is the same."""

    name, syntax, says = "random", "random[:N,SEED]", "random lines, up to N tokens"
    takes = ("budget", "seed")
    seed = 0

    def cut(self, view: View) -> str:
        lines = view.text.splitlines()
        order = list(range(len(lines)))
        random.Random(f"{self.seed}:{len(view.text)}").shuffle(order)
        return joined(lines, order, self.budget, view.count)


class FirstN(Policy):
    """What the qPCR assistant does: the first sequences of a FASTA, the first records of a list, few fields each."""

    name, syntax = "first-n", "first-n[:SEQUENCES,RECORDS,FIELDS]"
    says = "the first 2 sequences, or 3 records of 5 fields; other text unchanged"
    takes = ("sequences", "records", "fields")
    sequences, records, fields = 2, 3, 5

    def arrive(self, view: View) -> Version:
        text = first_of(view.text, self.sequences, self.records, self.fields)
        return Version(text if len(text) < len(view.text) else view.text)


class ClearOld(Policy):
    """Anthropic's context editing (``clear_tool_uses``): above TRIGGER tokens all results but the last KEEP go."""

    name, syntax = "clear-old", "clear-old[:TRIGGER,KEEP]"
    says = "above TRIGGER tokens of context, clear all but the last KEEP results (Anthropic)"
    takes = ("trigger", "keep")
    trigger, keep = 100_000, 3
    PLACEHOLDER = "[Old tool result cleared]"

    def before(self, context: Context) -> None:
        if context.size > self.trigger:
            for position in context.live_results(but_last=self.keep):
                context.replace(position, self.PLACEHOLDER)


class MaskOld(Policy):
    """Observation masking (The Complexity Trap, Lindenbauer et al. 2025): at each call the last K results only."""

    name, syntax, says = "mask-old", "mask-old[:K]", "mask all but the last K results at each call"
    takes = ("keep",)
    keep = 10

    def before(self, context: Context) -> None:
        for position in context.live_results(but_last=self.keep):
            lines = context.shown[position].count("\n") + 1
            context.replace(position, f"Old environment output: ({lines} lines omitted)")


class Mcpcompact(Policy):
    """Ours: ``compact`` with the call, the last user message and what the conversation holds. Nothing is stored; the
    notice carries the reference that a store would give, so its tokens count."""

    name, syntax = "mcpcompact", "mcpcompact[:THRESHOLD,BUDGET]"
    says = "results over THRESHOLD tokens, compacted to BUDGET"
    takes = ("threshold", "budget")
    threshold, budget = 2 * DEFAULT_BUDGET, DEFAULT_BUDGET

    def __init__(self, spec: str, *arguments: str) -> None:
        super().__init__(spec, *arguments)
        if self.budget < MIN_BUDGET:
            raise UsageError(f"policy {spec}: a budget of {self.budget} is too small", hint=f"use {MIN_BUDGET} or more")

    def arrive(self, view: View) -> Version:
        if view.tokens <= self.threshold:
            return Version(view.text)
        from mcpcompact.pipeline import Compactor, ToolCall
        from mcpcompact.policy import Policy
        from mcpcompact.replaying.unstored import Unstored

        limits = Policy(self.budget, self.threshold)
        compactor = Compactor(limits, Unstored(), encoding=view.encoding, exact=True)
        call = ToolCall(
            view.tool or None, view.server or None, view.arguments or None, view.focus or None, view.known_here()
        )
        compaction = compactor.compact(view.text, call)
        problem = compaction.problem.line() if compaction.problem is not None else ""
        text = view.text if compaction.method == "passthrough" else compaction.text
        return Version(text, compaction.reference is not None, problem)


class Command(Policy):
    """Any other tool: a result on its standard input, its version on the standard output. What fails or hangs passes
    through as it is; what is empty is taken for the command's answer. All are said."""

    name, syntax, says = "cmd", "cmd:'SHELL COMMAND'", "the output of a shell command that reads each result"
    timeout = TIMEOUT
    _hung = 0

    def __init__(self, spec: str, *arguments: str) -> None:
        self.spec = spec
        self.command = arguments[0].strip() if arguments else ""
        if len(self.command) > 1 and self.command[0] == self.command[-1] and self.command[0] in "'\"":
            self.command = self.command[1:-1]
        if not self.command:
            raise UsageError(f"policy {spec}: no command", hint=f"write {self.syntax}")

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
                    return Version(view.text, problem=f"printed more than {MAX >> 20} MB")
                finally:
                    _end(process)
        if code:
            note = " ".join(err.decode("utf-8", "replace").split())[-120:]
            return Version(view.text, problem=f"exit code {code}" + (f": {note}" if note else ""))
        if not out:
            return Version("", problem="printed nothing")
        return Version(view.text if out == data else out.decode("utf-8", "replace"))

    def _read(self, process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
        """Its output and the end of its messages. Raises ``TimeoutExpired``; ``OverflowError`` over ``MAX`` bytes."""
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
                        if len(out) > MAX:
                            raise OverflowError
        return bytes(out), err


def _end(process: subprocess.Popen[bytes]) -> None:
    """The command, where it still runs, and everything that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (OSError, AttributeError):  # all gone, or a system without process groups
        if process.poll() is None:
            process.kill()
