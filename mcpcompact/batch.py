"""Many inputs, one executor: each file compacted by itself, results in the order of the inputs.

Nothing here knows threads, processes or clusters: ``run`` hands groups of tasks to any
``concurrent.futures.Executor`` and asks for a new one when it breaks. A finished output is whole under its
name before it is noted in the journal, so a run that was killed goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from mcpcompact.errors import CannotWriteError, InputError, McpcompactError, NoInputError
from mcpcompact.files import JOURNAL
from mcpcompact.outline import Sample, Source
from mcpcompact.settings.limits import Chooser
from mcpcompact.slotted import dataclass, field

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from mcpcompact.compaction import Compaction
    from mcpcompact.llm import Options
    from mcpcompact.masking import Masker

GROUP_FILES, GROUP_BYTES = 16, 1 << 20
"""A group of tasks is sent at once: so many small files cost one message, not sixteen."""

DONE, UNCHANGED, FAILED = "done", "unchanged", "failed"


@dataclass(slots=True)
class Common:
    """What all tasks of a batch share. ``results_dir`` is empty when originals are not kept."""

    shape: str = "text"
    tool: str | None = None
    server: str | None = None
    arguments: Mapping[str, Any] | None = None
    focus: str | None = None
    content_type: str | None = None
    model: str | None = None
    encoding: str | None = None
    exact: bool = False
    results_dir: str = ""
    results_option: str = ""
    version: str = ""
    mask: bool = False  # everything; else what the settings say of a tool
    masker: Masker | None = None
    llm: Options | None = None

    def fingerprint(self, chooser: Chooser) -> str:
        """Changes with everything that changes an output."""
        return hashlib.sha256(f"{self!r}\n{chooser!r}".encode("utf-8", "replace")).hexdigest()[:16]


@dataclass(slots=True)
class Task:
    """One input. ``path`` is opened, ``name`` is said; without a ``target`` the text comes back in the outcome.
    ``known`` is the journal's line about it."""

    name: str
    path: str
    chooser: Chooser
    target: str = ""
    known: Mapping[str, Any] | None = None
    fingerprint: str = ""


@dataclass(slots=True)
class Outcome:
    """What became of a task: ``done``, ``unchanged`` (an earlier run's output still holds) or ``failed``."""

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


def run(
    tasks: Iterable[Task],
    common: Common,
    executor: Callable[[], Executor] | None = None,
    jobs: int = 1,
) -> Iterator[Outcome]:
    """The outcomes, in the order of the tasks. Without an ``executor`` everything happens in this process.

    At most ``2 * jobs + 2`` groups are under way, so memory does not grow with the number of tasks. A group whose
    process died is tried again, a task at a time: one that kills its process a second time has failed.
    """
    if executor is None:
        for task in tasks:
            yield work(task, common)
        return
    pool = executor()
    waiting: deque[tuple[list[Task], Future[list[Outcome]]]] = deque()
    groups = iter(_groups(tasks))
    try:
        while True:
            while len(waiting) < 2 * jobs + 2 and (group := next(groups, None)) is not None:
                try:
                    waiting.append((group, pool.submit(work_all, group, common)))
                except RuntimeError:  # broken while we filled it
                    waiting.append((group, _broken()))
            if not waiting:
                return
            group, future = waiting.popleft()
            try:
                yield from future.result()
            except Exception as error:
                pool.shutdown(wait=False, cancel_futures=True)
                pool = executor()
                yield from _again(group, common, pool, executor, error)
                pool = executor()
                waiting = deque((others, pool.submit(work_all, others, common)) for others, _ in waiting)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _broken() -> Future[list[Outcome]]:
    from concurrent.futures import Future
    from concurrent.futures.process import BrokenProcessPool

    future: Future[list[Outcome]] = Future()
    future.set_exception(BrokenProcessPool("a process died"))
    return future


def _again(
    group: list[Task], common: Common, pool: Executor, executor: Callable[[], Executor], error: Exception
) -> Iterator[Outcome]:
    for task in group:
        try:
            yield from pool.submit(work_all, [task], common).result()
        except Exception as second:
            told = f"the process that compacted it died ({type(second).__name__})"
            yield Outcome(task.name, FAILED, InputError.exit_code, f"{task.name}: {told}; is there enough memory?")
            pool.shutdown(wait=False, cancel_futures=True)
            pool = executor()
    pool.shutdown(wait=False, cancel_futures=True)


def _groups(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    group: list[Task] = []
    size = 0
    for task in tasks:
        with suppress(OSError, ValueError):
            size += os.stat(task.path).st_size
        group.append(task)
        if len(group) == GROUP_FILES or size > GROUP_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def work_all(tasks: list[Task], common: Common) -> list[Outcome]:
    return [work(task, common) for task in tasks]


def work(task: Task, common: Common) -> Outcome:
    """One input from file to file. Never raises for a bad input: the outcome says what is wrong."""
    try:
        return _work(task, common)
    except McpcompactError as error:
        return _failed(task, error.line(), error.exit_code)
    except (OSError, MemoryError, RecursionError) as error:
        return _failed(task, f"{type(error).__name__}: {error}", InputError.exit_code)


def _failed(task: Task, line: str, code: int) -> Outcome:
    return Outcome(task.name, FAILED, code, line if task.name in line else f"{task.name}: {line}")


def _work(task: Task, common: Common) -> Outcome:
    from mcpcompact.pipeline import compact
    from mcpcompact.reading import masked, open_source

    began = time.perf_counter()
    settings, masker = task.chooser.settings, common.masker
    if not common.mask and (settings is None or not settings.masks(common.server, common.tool)):
        masker = None
    source: Source = open_source(task.path, masker=masker)
    if not source.size:
        raise NoInputError(f"{task.name} is empty")
    if is_binary(source):
        raise InputError(f"{task.name} is binary, not text", hint="left as it is")
    digest = _digest(source.blocks()) if task.target else ""
    store = _store(common)
    known = task.known or {}
    asks_again = common.llm is not None and known.get("method") == "outline"  # no model's text could be had last time
    if not asks_again and _still_holds(task, digest, store):
        return Outcome(
            task.name,
            UNCHANGED,
            sha256=digest,
            original_tokens=known.get("originalTokens", 0),
            tokens=known.get("tokens", 0),
            content_type=known.get("contentType", ""),
            method=known.get("method", ""),
            reference=known.get("reference", ""),
            bytes=source.size,
        )
    tool = common.tool or (tool_of(source) if task.chooser.by_tool else None)
    if masker is None and settings is not None and common.masker and settings.masks(common.server, tool):
        masker = common.masker
        source = masked(source, masker)
    made = compact(
        source,
        policy=task.chooser.policy(common.server, tool),
        tool=common.tool,
        server=common.server,
        arguments=common.arguments,
        focus=common.focus,
        content_type=common.content_type,
        model=common.model,
        encoding=common.encoding,
        exact=common.exact,
        store=store,
        results_option=common.results_option,
        source_name=os.path.basename(task.path),
        prefix=observation_prefix(source, common.server, common.tool) if common.shape == "observation" else "",
        mask=masker or False,
    )
    if common.llm is not None:
        made = _refined(made, source, task, common, store, tool)
    untouched = made.method == "passthrough" and common.shape in ("text", "same")
    blocks = (
        source.blocks() if untouched else iter((rendered(made, common.shape, task.name).encode("utf-8", "replace"),))
    )
    if task.target:
        _write(task.target, blocks)
    problem = made.problem
    return Outcome(
        task.name,
        DONE if problem is None else FAILED,
        0 if problem is None else problem.exit_code,
        "" if problem is None else f"{task.name}: {problem.line()} (the original passed through)",
        [f"{task.name}: {warning}" for warning in made.warnings],
        b"" if task.target else b"".join(blocks),
        digest,
        made.reference.id if made.reference else "",
        made.content_type,
        made.method,
        made.original_tokens,
        made.tokens,
        source.size,
        made.masked,
        made.budget,
        made.threshold,
        made.items_total,
        made.items_shown,
        tool or "",
        time.perf_counter() - began,
    )


def _refined(
    made: Compaction, source: Source, task: Task, common: Common, store: Any, tool: str | None
) -> Compaction:
    from mcpcompact.llm import refine

    assert common.llm is not None
    return refine(
        made,
        made.envelope.source if made.envelope is not None else source,
        common.llm,
        store=store,
        server=common.server,
        tool=tool or (made.envelope.tool if made.envelope is not None else None),
        arguments=common.arguments,
        focus=common.focus,
        model=common.model,
        encoding=common.encoding,
        policy=task.chooser.policy(common.server, tool),
        masker=common.masker,
    )


def _store(common: Common) -> Any:
    if not common.results_dir:
        return None
    from mcpcompact.results import ResultStore

    return ResultStore(common.results_dir, options=common.results_option)


def _still_holds(task: Task, digest: str, store: Any) -> bool:
    """The same input and options as the journal's, the output as it was written, the original still stored."""
    known = task.known
    if known is None or known.get("sha256") != digest or known.get("options") != task.fingerprint:
        return False
    try:
        if os.stat(task.target).st_size != known.get("bytes"):
            return False
    except OSError:
        return False
    return not known.get("reference") or (store is not None and store.contains(known["reference"]))


def _digest(blocks: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for block in blocks:
        digest.update(block)
    return digest.hexdigest()


def _write(path: str, blocks: Iterable[bytes]) -> None:
    """Whole under its name or not at all; a directory of the mirrored tree is made when it is needed."""
    from mcpcompact.results.durable import stage

    directory = os.path.dirname(path) or "."
    try:
        os.makedirs(directory, exist_ok=True)
        staged = stage(directory, blocks)
        try:
            os.chmod(staged.path, 0o666 & ~_umask())
            staged.publish(path)
        except BaseException:
            staged.discard()
            raise
    except OSError as error:
        raise CannotWriteError(f"cannot write {path}: {error.strerror or error}") from error


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


# -- what one input's output looks like ----------------------------------------------------------


def rendered(result: Compaction, shape: str, name: str = "") -> str:
    """The text of a compaction in a shape: text, same, json (one line, with its file's name) or observation."""
    if shape == "json":
        value = ({"file": name} if name else {}) | result.as_dict()
        return json.dumps(value, ensure_ascii=False) + "\n"
    if shape == "same" and result.envelope is not None:
        value = result.envelope.rewrap(result.text)
        return (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)) + "\n"
    return result.text if result.text.endswith("\n") else result.text + "\n"


def tool_of(source: Source) -> str:
    """The tool that the message itself names."""
    from mcpcompact.envelope import unwrap

    return unwrap(source).tool or ""


def observation_prefix(source: Source, server: str | None, tool: str | None) -> str:
    return ".".join(part for part in (server, tool or tool_of(source) or "result") if part) + ": "


def is_binary(source: Source) -> bool:
    """More than a tenth of the sample is neither text nor white space (UTF-16 with its mark is text)."""
    sample = Sample(source)
    if sample.raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return False
    odd = sum(sample.raw.count(c) for c in range(32) if c not in (8, 9, 10, 12, 13, 27))
    return odd + sample.head.count("\ufffd") > max(3, len(sample.raw) // 10)


# -- the journal ----------------------------------------------------------------------------------


def journal_of(directory: str) -> dict[str, dict[str, Any]]:
    """The last line of each target in the journal of an output directory; a torn line counts for nothing."""
    found: dict[str, dict[str, Any]] = {}
    with suppress(OSError), open(os.path.join(directory, JOURNAL), "rb") as stream:
        for line in stream:
            with suppress(ValueError):
                value = json.loads(line)
                if isinstance(value, dict) and isinstance(value.get("target"), str):
                    found[value["target"]] = value
    return found


class Journal:
    """Appends a line for each output that is done. Losing one costs work, not data, so nothing is flushed to disk."""

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._descriptor = -1

    def note(self, task: Task, outcome: Outcome) -> None:
        if outcome.state != DONE or not task.target:
            return
        if self._descriptor < 0:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
            self._descriptor = os.open(os.path.join(self._directory, JOURNAL), flags, 0o600)
        with suppress(OSError):
            line = {
                "target": os.path.relpath(task.target, self._directory),
                "sha256": outcome.sha256,
                "options": task.fingerprint,
                "bytes": os.stat(task.target).st_size,
                "reference": outcome.reference,
                "contentType": outcome.content_type,
                "method": outcome.method,
                "originalTokens": outcome.original_tokens,
                "tokens": outcome.tokens,
            }
            os.write(self._descriptor, json.dumps(line).encode() + b"\n")

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
