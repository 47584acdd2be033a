"""Many inputs, one executor: each file compacted by itself, results in the order of the inputs.

Nothing here knows threads, processes or clusters: ``run`` hands groups of tasks to any ``concurrent.futures.Executor``
and asks for a new one when it breaks. A finished output is whole under its name before the journal notes it.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mcpcompact.batch import FIGURES, Chooser, Common, compacted, is_binary, rendered, store_of, tool_of
from mcpcompact.errors import ConfigError, InputError, McpcompactError, NoInputError, Skipped
from mcpcompact.inputs import is_url, local, remote, scrubbed, shown
from mcpcompact.results.durable import sha256_of, write_whole
from mcpcompact.source import LARGE, Source

if TYPE_CHECKING:
    from mcpcompact.masking import Masker

IN_FLIGHT = 256 * 1024 * 1024  # bytes of inputs that are on their way to other machines at a time
GROUP_FILES, GROUP_BYTES = 16, 1 << 20  # sent at once: so many small files cost one message, not sixteen

DONE, UNCHANGED, SKIPPED, FAILED = "done", "unchanged", "skipped", "failed"


@dataclass(slots=True)
class Task:
    """One input. ``path`` is opened, ``name`` is said; without a ``target`` the text comes back in the outcome. Below
    ``root``, the output directory, no link is followed. ``known`` is the journal's line about it."""

    name: str
    path: str
    chooser: Chooser
    target: str = ""
    root: str = ""
    known: Mapping[str, Any] | None = None
    fingerprint: str = ""
    given: tuple[bytes, Mapping[str, int] | None] | None = None  # the input, and what of it was masked
    returns: bool = False  # the text comes back though there is a target: only this machine can write it
    outcome: Outcome | None = None  # known before it was sent


NOTED = {"reference": "reference", "content_type": "contentType", "method": "method",
         "original_tokens": "originalTokens", "tokens": "tokens"}  # fmt: skip
"""What the journal keeps of an outcome, and under which keys."""


@dataclass(slots=True)
class Outcome:
    """What became of a task: ``done``, ``unchanged`` (an earlier run's output still holds), ``skipped`` (empty or
    binary: there is nothing to compact; ``exit_code`` says which) or ``failed``."""

    name: str
    state: str
    exit_code: int = 0
    problem: str = ""
    warnings: list[str] = field(default_factory=list)
    text: bytes = b""
    sha256: str = ""
    reference: str = ""
    content_type: str = ""
    method: str = ""
    original_tokens: int = 0
    tokens: int = 0
    bytes: int = 0
    masked: Mapping[str, int] | None = None
    budget: int = 0
    threshold: int = 0
    items_total: int = 0
    items_shown: int = 0
    tool: str = ""
    seconds: float = 0.0
    written: int = 0  # bytes of the output


def run(
    tasks: Iterable[Task],
    common: Common,
    executor: Callable[[], Executor] | None = None,
    jobs: int = 1,
    ship: bool = False,
) -> Iterator[Outcome]:
    """The outcomes, in the order of the tasks. Without an ``executor`` everything happens in this process.

    At most ``2 * jobs + 2`` groups and about ``IN_FLIGHT`` bytes are under way, so memory does not grow with the number
    of tasks. A group that came back with an exception is tried again, a task at a time: one that does so a second time
    has failed. A new executor is asked for only when the old one is broken. With ``ship`` the tasks go to other
    machines: see ``shipped``. Errors of this project (a cluster that is lost, say) end the run.
    """
    if executor is None:
        for task in tasks:
            yield work(task, common)
        return
    pool = _Pool(executor, common)
    waiting: deque[tuple[list[Task], Future[list[Outcome]]]] = deque()
    groups = iter(_groups(shipped(task, common) for task in tasks) if ship else _groups(tasks))
    carried = 0
    try:
        while True:
            while len(waiting) < 2 * jobs + 2 and carried < IN_FLIGHT and (group := next(groups, None)) is not None:
                carried += _carried(group)
                waiting.append((group, pool.submit(group)))
            if not waiting:
                return
            group, future = waiting.popleft()
            carried -= _carried(group)
            broken = False
            outcomes: Iterable[Outcome]
            try:
                outcomes = future.result()
            except McpcompactError:
                raise
            except Exception as error:
                broken = isinstance(error, BrokenExecutor)
                if broken:
                    pool.renew()
                outcomes = map(pool.alone, group)
            yield from map(_settled, group, outcomes)
            if broken:
                waiting = deque((others, pool.submit(others)) for others, _ in waiting)
    finally:
        pool.close()


class _Pool:
    """An executor, and another one in its place when it breaks."""

    def __init__(self, make: Callable[[], Executor], common: Common) -> None:
        self._make, self._common, self._executor = make, common, make()

    def submit(self, group: list[Task]) -> Future[list[Outcome]]:
        try:
            return self._executor.submit(work_all, group, self._common)
        except RuntimeError as error:  # broken while it was filled
            future: Future[list[Outcome]] = Future()
            future.set_exception(error if isinstance(error, BrokenExecutor) else BrokenExecutor(str(error)))
            return future

    def alone(self, task: Task) -> Outcome:
        """A task of a group that came back with an exception, tried again by itself."""
        try:
            return self.submit([task]).result()[0]
        except McpcompactError:
            raise
        except Exception as error:
            if isinstance(error, BrokenExecutor):
                self.renew()
            died = f"{task.name}: the process that compacted it died ({type(error).__name__})"
            return _failed(task, f"{died}; is there enough memory?", InputError.exit_code)

    def renew(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._make()

    def close(self) -> None:
        self._executor.shutdown(wait=True, cancel_futures=True)


def processes(jobs: int, spawn: bool) -> Callable[[], Executor] | None:
    """Processes of this machine. ``spawn``: the threads and locks of fsspec's libraries do not survive a fork."""
    if jobs == 1:
        return None

    def make() -> Executor:
        import multiprocessing
        import signal
        from concurrent.futures import ProcessPoolExecutor

        fork = not spawn and "fork" in multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("fork" if fork else "spawn")
        # Ctrl-C reaches every process of the group: the workers finish what they hold, the parent decides.
        return ProcessPoolExecutor(jobs, context, signal.signal, (signal.SIGINT, signal.SIG_IGN))

    return make


def _groups(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    group: list[Task] = []
    size = 0
    for task in tasks:
        if task.given is not None:
            size += len(task.given[0])
        elif not anywhere(task.path):
            with suppress(OSError, ValueError):
                size += os.stat(task.path).st_size
        group.append(task)
        if len(group) == GROUP_FILES or size > GROUP_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def _carried(group: list[Task]) -> int:
    return sum(len(task.given[0]) for task in group if task.given is not None)


# -- other machines -------------------------------------------------------------------------------


def anywhere(name: str) -> bool:
    """Whether every machine of a cluster reaches this name: a URL; ``file://`` says that a path is shared by all."""
    return is_url(name) or name.startswith("file://")


def shipped(task: Task, common: Common) -> Task:
    """The task as a worker on another machine can do it.

    What only this machine can read goes along, masked where that was asked for; what only this one can write comes
    back. Inputs over 64 MB that only this machine has are compacted here.
    """
    if task.target and not anywhere(task.target):
        task.returns = True
        if task.known is not None and _size(task.target) != task.known.get("bytes"):
            task.known = None
    if anywhere(task.path):
        return task
    try:
        source, _, _ = _opened(task, common)
    except McpcompactError:
        task.outcome = work(task, common)
        return task
    if source.size > LARGE:
        task.returns = False
        task.outcome = work(task, common)
    else:
        task.given = source.data, source.masked
    return task


def _settled(task: Task, outcome: Outcome) -> Outcome:
    """What came back, written where only this machine can write."""
    task.given = task.outcome = None
    if not task.returns or not outcome.text:
        return outcome
    try:
        outcome.written = _write(task, [outcome.text])
        outcome.text = b""
    except McpcompactError as error:
        return _failed(task, error.line(), error.exit_code)
    return outcome


def work_all(tasks: list[Task], common: Common) -> list[Outcome]:
    """A group, wherever it was sent. Raises ``ConfigError`` where another version would do it."""
    version = getattr(sys.modules[__name__.partition(".")[0]], "__version__", "")
    if common.version and version != common.version:
        raise ConfigError(
            f"a worker has mcpcompact {version}, this is {common.version}", hint="install the same on all machines"
        )
    return [work(task, common) for task in tasks]


def work(task: Task, common: Common) -> Outcome:
    """One input from file to file. Never raises for a bad input: the outcome says what is wrong."""
    if task.outcome is not None:
        return task.outcome
    try:
        return _work(task, common)
    except McpcompactError as error:
        return _failed(task, error.line(), error.exit_code, SKIPPED if isinstance(error, Skipped) else FAILED)
    except (OSError, MemoryError, RecursionError) as error:
        return _failed(task, scrubbed(f"{type(error).__name__}: {error}"), InputError.exit_code)


def _failed(task: Task, line: str, code: int, state: str = FAILED) -> Outcome:
    return Outcome(task.name, state, code, line if task.name in line else f"{task.name}: {line}")


def _opened(task: Task, common: Common) -> tuple[Source, Masker | None, str | None]:
    """The input, masked where that was asked for; the masker then, and the tool where it may matter."""
    from mcpcompact.inputs.reading import Input, masked, open_source

    settings, masker = task.chooser.settings, common.masker
    if not common.mask and (settings is None or not settings.masks(common.server, common.tool)):
        masker = None
    source: Source
    if task.given is None:
        source = open_source(task.path, masker=masker)
    else:
        source = Input(task.name, task.given[0])
        source.masked = task.given[1]
    if not source.size:
        raise Skipped(f"{task.name} is empty", NoInputError.exit_code)
    if is_binary(source, common.encoding_in):
        raise Skipped(f"{task.name} is binary, not text", InputError.exit_code, hint="left as it is")
    tool = common.tool or (tool_of(source) if settings is not None else None)
    if masker is None and settings is not None and common.masker and settings.masks(common.server, tool):
        masker = common.masker
        source = masked(source, masker)
    return source, masker, tool


def _work(task: Task, common: Common) -> Outcome:
    began = time.perf_counter()
    source, masker, tool = _opened(task, common)
    digest = sha256_of(source.blocks()) if task.target else ""
    known = task.known or {}
    asks_again = common.llm is not None and known.get("method") == "outline"  # no model's text could be had last time
    if not asks_again and _still_holds(task, digest, store_of(common)):
        noted = {name: known[key] for name, key in NOTED.items() if key in known}
        return Outcome(task.name, UNCHANGED, sha256=digest, bytes=source.size, **noted)
    result = compacted(source, common, task.chooser, masker, tool, os.path.basename(shown(task.path)))
    untouched = result.method == "passthrough" and common.shape in ("text", "same")
    text = "" if untouched else rendered(result, common.shape, task.name)
    blocks = source.blocks() if untouched else iter((text.encode("utf-8", "replace"),))
    keep = bool(task.target) and not task.returns
    written = _write(task, blocks) if keep else 0
    figures: dict[str, Any] = {name: getattr(result, name) for name in (*FIGURES, "masked")}
    outcome = Outcome(task.name, DONE, sha256=digest, bytes=source.size, tool=tool or "", written=written, **figures)
    if result.problem is not None:
        outcome.state, outcome.exit_code = FAILED, result.problem.exit_code
        outcome.problem = f"{task.name}: {result.problem.line()} (the original passed through)"
    outcome.warnings = [f"{task.name}: {warning}" for warning in result.warnings]
    outcome.text = b"" if keep else b"".join(blocks)
    outcome.reference = result.reference.id if result.reference else ""
    outcome.seconds = time.perf_counter() - began
    return outcome


def _still_holds(task: Task, digest: str, store: Any) -> bool:
    """The same input and options as the journal's, the output as it was written, the original still stored."""
    known = task.known
    if known is None or known.get("sha256") != digest or known.get("options") != task.fingerprint:
        return False
    if not task.returns and _size(task.target) != known.get("bytes"):
        return False
    return not known.get("reference") or (store is not None and store.contains(known["reference"]))


def _size(path: str) -> int:
    """Bytes of an output; -1 when there is none."""
    if is_url(path):
        return remote.size(path)
    try:
        status = os.lstat(local(path))
    except OSError:
        return -1
    return status.st_size if stat.S_ISREG(status.st_mode) else -1


def _write(task: Task, blocks: Iterable[bytes]) -> int:
    """Whole under its name or not at all; a directory of the mirrored tree is made when it is needed. Its size."""
    if is_url(task.target):
        return remote.write(task.target, blocks)
    return write_whole(local(task.target), blocks, local(task.root))


MAX_ROWS = 100


class Totals:
    """Figures of a whole batch, for its last line and its Markdown table."""

    def __init__(self, strict: bool) -> None:
        self._strict = strict
        self.states: Counter[str] = Counter()
        self.codes: set[int] = set()
        self.skipped: set[int] = set()
        self.before = self.after = 0
        self._rows: list[Outcome] = []  # at least the ``MAX_ROWS`` that rank first

    def add(self, outcome: Outcome) -> None:
        """Count an outcome; its text is let go."""
        outcome.text = b""
        self.states[outcome.state] += 1
        if outcome.exit_code and outcome.state != SKIPPED:
            self.codes.add(outcome.exit_code)
        elif outcome.exit_code:
            self.skipped.add(outcome.exit_code)
        self.before += outcome.original_tokens
        self.after += outcome.tokens
        self._rows.append(outcome)
        if len(self._rows) > 4 * MAX_ROWS:
            self._rows = self.ranked()

    @property
    def all(self) -> int:
        """Inputs so far, whatever became of them."""
        return self.states.total()

    @property
    def exit_code(self) -> int:
        """That of a single failure; of several different ones, 65. Skipped inputs count where they are all there is,
        and with ``strict``."""
        none = self.states[DONE] + self.states[UNCHANGED] == 0
        codes = self.codes | self.skipped if self._strict or none else self.codes
        if len(codes) == 1 and none:
            return min(codes)
        return InputError.exit_code if codes else 0

    def line(self) -> str:
        """How many of each state, and the tokens before and after."""
        parts = [f"{self.states[s]:,} {s}" for s in (DONE, UNCHANGED, SKIPPED, FAILED) if self.states[s] or s == DONE]
        saved = f" ({100 * (self.before - self.after) / self.before:.1f} % saved)" if self.before else ""
        return f"{', '.join(parts)}; {self.before:,} -> {self.after:,} tokens{saved}"

    def ranked(self) -> list[Outcome]:
        """Failures first, then what was skipped, then what was largest."""
        first = {FAILED: 0, SKIPPED: 1}
        return sorted(self._rows, key=lambda o: (first.get(o.state, 2), -o.original_tokens, o.name))[:MAX_ROWS]

    def markdown(self) -> str:
        """The table for ``$GITHUB_STEP_SUMMARY``."""
        head = "| file | type | method | tokens before | after | saved |"
        lines = ["### mcpcompact", "", self.line(), "", head, "|---|---|---|--:|--:|--:|"]
        for outcome in self.ranked():
            name = outcome.name.replace("|", "\\|").replace("`", "'")
            if outcome.state in (SKIPPED, FAILED) and not outcome.original_tokens:
                reason = (outcome.problem.partition(": ")[2] or outcome.problem).replace("|", "\\|")
                lines.append(f"| `{name}` | | {outcome.state}: {reason} | | | |")
                continue
            saved = 100 * (outcome.original_tokens - outcome.tokens) / max(1, outcome.original_tokens)
            lines.append(
                f"| `{name}` | {outcome.content_type} | {outcome.method} | {outcome.original_tokens:,} "
                f"| {outcome.tokens:,} | {saved:.1f} % |"
            )
        if self.all > MAX_ROWS:
            lines.append(f"\nand {self.all - MAX_ROWS:,} more files")
        return "\n".join(lines) + "\n"
