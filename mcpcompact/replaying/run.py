"""Replay: recorded sessions under several policies, side by side."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from mcpcompact.collector import paused
from mcpcompact.errors import CannotWriteError, McpcompactError, UsageError
from mcpcompact.replaying.cost import load_prices
from mcpcompact.replaying.figures import Figures, Report, Row
from mcpcompact.replaying.inputs import find
from mcpcompact.replaying.judging import WORST, Options, Written, play
from mcpcompact.replaying.registry import DEFAULTS, parse
from mcpcompact.tokens import resolve
from mcpcompact.transcripts import Transcript, read_transcripts

DIMENSIONS = ("format", "tool", "type", "transcript", "ab")


def replay(
    transcripts: str | Transcript | Iterable[str | Transcript],
    *,
    policies: Sequence[str] = DEFAULTS,
    model: str | None = None,
    encoding: str | None = None,
    by: Sequence[str] = (),
    over: int = 0,
    prices: str | Mapping[str, Any] | None = None,
    timeout: float | None = None,
    emit: str | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Replay recorded sessions under policies and measure what each saves and what it loses (docs/replay.md).

    ``transcripts`` are files, directories, globs or ``Transcript`` objects. ``policies`` are specs (``NAME[:ARGS]``).
    ``model`` fixes encoding, window and price for all; else tokens are o200k_base and window and price those of each
    session's own model. ``by`` adds dimensions of ``DIMENSIONS``. ``over`` takes evidence of results of more tokens
    only. ``prices`` is a price file, or its content. ``emit`` is a directory that takes the compacted transcripts in
    their own format. ``timeout`` is the seconds that one command of a ``cmd:`` policy may take.
    ``jobs`` processes, or an ``executor`` of one's own, share the files; the figures are the same (but for seconds).
    ``progress`` is called with files done and in all.

    Raises ``UsageError`` for wrong policies or options; ``NoInputError`` and ``InputError`` when there is not one
    session to replay. One that cannot be read is in ``Report.skipped``, and the rest is done.
    """
    options = Options(list(dict.fromkeys(policies)), model, encoding, list(by), over, load_prices(prices), timeout)
    _check(options)
    report = Report(options.specs, over=over, by=options.by, model=model or "", repriced=prices is not None)
    report.encoding = resolve(model, encoding).encoding
    documents = find([transcripts] if isinstance(transcripts, (str, Transcript)) else list(transcripts))
    if emit is not None:
        options.emit, options.emitted = _targets(documents, emit), emit
    for outcome in _outcomes(documents, options, jobs, executor, progress):
        if isinstance(outcome, dict):
            report.skipped.append(outcome)
        else:
            report.rows += outcome
    _sum(report)
    return report


def _check(options: Options) -> None:
    if not options.specs:
        raise UsageError("no policy", hint="name one, for example 'mcpcompact'")
    for spec in options.specs:
        parse(spec)
    for dimension in options.by:
        if dimension not in DIMENSIONS:
            raise UsageError(f"cannot break down by '{dimension}'", hint=f"use {', '.join(DIMENSIONS)}")
    if "ab" in options.by and len(options.specs) <= 1:
        raise UsageError("'ab' compares two policies", hint="name two")


def _targets(documents: Sequence[str | Transcript], directory: str) -> dict[str, str]:
    names = [item for item in documents if isinstance(item, str)]
    if len(names) < len(documents):
        raise UsageError("only transcripts of files can be written back", hint="give paths")
    above = os.path.commonpath([os.path.dirname(os.path.abspath(name)) for name in names]) if names else ""
    return {name: os.path.join(directory, os.path.relpath(os.path.abspath(name), above)) for name in names}


Work = tuple[str | Transcript, Options]
Outcome = list[Row] | dict[str, str]


def _outcomes(
    documents: Sequence[str | Transcript],
    options: Options,
    jobs: int,
    executor: Executor | None,
    progress: Callable[[int, int], None] | None,
) -> Iterable[Outcome]:
    """One of each input, in their order."""
    work: list[Work] = [(item, options) for item in documents]
    if executor is not None:
        outcomes: Iterable[Outcome] = executor.map(_one, work)
    else:
        outcomes = map(_one, work) if jobs <= 1 or len(work) <= 1 else _spread(work, jobs)
    for done, outcome in enumerate(outcomes, 1):
        if progress is not None:
            progress(done, len(work))
        yield outcome


def _spread(work: list[Work], jobs: int) -> Iterable[Outcome]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    with ProcessPoolExecutor(min(jobs, len(work))) as pool:
        futures = [pool.submit(_one, item) for item in work]
        try:
            for item, future in zip(work, futures, strict=True):
                try:
                    yield future.result()
                except BrokenProcessPool:  # one process died, and the pool with it
                    yield _alone(item)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _alone(work: Work) -> Outcome:
    """An input in a process of its own: only the one that kills it is left out."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    with ProcessPoolExecutor(1) as pool:
        try:
            return pool.submit(_one, work).result()
        except BrokenProcessPool:
            name = work[0].source if isinstance(work[0], Transcript) else work[0]
            return {"transcript": name, "reason": "its process died; is there enough memory?", "exitCode": "65"}


def unread(item: str, error: McpcompactError) -> dict[str, str]:
    """The entry of ``Report.skipped`` for an input that cannot be read."""
    return {"transcript": item, "reason": error.reason, "hint": error.hint, "exitCode": str(error.exit_code)}


def _one(work: Work) -> Outcome:
    """All sessions of one input under all policies; what is wrong with it instead, where it cannot be read."""
    item, options = work
    if isinstance(item, Transcript):
        return [play(item, options)]
    try:
        with paused():
            transcripts = read_transcripts(item)
    except McpcompactError as error:
        return unread(item, error)
    except Exception as error:  # a reader's defect costs one transcript, not the run
        return {"transcript": item, "reason": f"{type(error).__name__}: {error}", "exitCode": "65"}
    written: dict[str, list[Written]] = {spec: [] for spec in options.specs}
    rows = [play(transcript, options, written) for transcript in transcripts if transcript.messages]
    if item in options.emit:
        _emit(item, options, written)
    return rows


def _emit(item: str, options: Options, written: dict[str, list[Written]]) -> None:
    from mcpcompact.results.durable import make_below
    from mcpcompact.transcripts.emit import emit

    target = options.emit[item]
    for spec, sessions in written.items():
        path = target
        if len(options.specs) > 1:
            folder = "".join(c if c.isalnum() or c in "-_" else "-" for c in spec)[:60]
            head, tail = os.path.split(target)
            path = os.path.join(head, folder, tail)
        try:
            make_below(options.emitted or ".", os.path.dirname(path) or ".")
        except OSError as error:
            raise CannotWriteError(f"cannot write {path}: {error.strerror or error}") from error
        texts = [pair for session in sessions for pair in session.texts]
        done = emit(item, texts, path, [session.cut for session in sessions if session.cut is not None])
        if done.left:
            left = f"{done.left:,} of {len(texts):,} texts"
            sessions[0].row.problems.append(
                f"{spec}: {left} are written as they were: they do not stand in the file as such"
            )


# -- totals -----------------------------------------------------------------------------------


def _sum(report: Report) -> None:
    specs = report.specs
    totals = {spec: Figures(spec) for spec in specs}
    dimensions = ("format", "tool", *(["type"] if "type" in report.by else []))
    groups: dict[str, dict[str, dict[str, Figures]]] = {dimension: {} for dimension in dimensions}
    for row in report.rows:
        for spec, figures in row.figures.items():
            totals[spec].add(figures)
        for dimension, table in {"format": {row.format: row.figures}, **row.groups}.items():
            for key, line in table.items():
                for spec, figures in line.items():
                    groups[dimension].setdefault(key, {}).setdefault(spec, Figures(spec)).add(figures)
    report.policies = list(totals.values())
    for dimension, keyed in groups.items():
        ordered = sorted(keyed.items(), key=lambda entry: (-entry[1][specs[0]].before, entry[0]))
        report.groups[dimension] = {key: list(line.values()) for key, line in ordered}
    losses = [loss for row in report.rows for loss in row.losses]
    losses.sort(key=lambda loss: (-loss.lost, loss.source, loss.position))
    for spec in specs:
        report.losses += [loss for loss in losses if loss.policy == spec][:WORST]
    pairs = (pair for row in report.rows for pair in row.pairs)
    report.pairs = sorted(pairs, key=lambda pair: (-abs(pair.lead), pair.source, pair.position))
