"""``summarize`` over many files: output directories that mirror a tree, several processes, resume, progress."""

from __future__ import annotations

import os
from collections import deque
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

from mcpcompact import __version__
from mcpcompact.batch.journal import Journal, journal_of
from mcpcompact.batch.many import DONE, FAILED, SKIPPED, UNCHANGED, Outcome, Task, Totals, anywhere, processes, run
from mcpcompact.cli.io import INTERRUPTED, Environment
from mcpcompact.cli.masks import quiet
from mcpcompact.cli.policy import figures
from mcpcompact.cli.progress import Progress
from mcpcompact.errors import CannotWriteError, UsageError
from mcpcompact.inputs import is_url, local
from mcpcompact.inputs.files import find, printable, refuse_overwriting, relative, targets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcompact.batch.cluster import Cluster
    from mcpcompact.cli.commands.summarize import Asked
    from mcpcompact.llm import Options


def run_batch(asked: Asked, files: list[str], asking: Options | None, env: Environment) -> int:
    """Summarize many inputs; returns the exit code of the whole."""
    settings = asked.settings(env.settings)
    common = asked.common(asked.arguments(), settings, asking, masks=settings is not None)
    common = common._replace(version=__version__)
    directory = common.results_dir
    top = asked.output_dir or ""
    _need_directory(top)
    pairs = find(files, asked.include or (), asked.exclude or (), (top, directory))
    if common.mask and common.masker is not None:
        env.clean = quiet(common.masker)
    named = [(path, "stdin" if path == "-" else env.clean(name)) for path, name in pairs]
    outputs = targets(named, top) if top else {}
    refuse_overwriting(outputs)
    live = None
    if settings is not None:
        from mcpcompact.settings.effective import Live

        live = Live(settings, env.say)
    known = journal_of(top) if top and not asked.again else {}
    tasks: deque[Task] = deque()

    def planned() -> Iterator[Task]:
        for path, _ in pairs:
            chooser = asked.chooser(live.current() if live else None)
            target = outputs.get(path, "") + (".json" if path in outputs and asked.form == "json" else "")
            line = known.get(relative(target, top)) if target else None
            task = Task(env.clean(printable(path)), path, chooser, target, top, line, common.fingerprint(chooser))
            tasks.append(task)
            yield task

    jobs = 1 if "-" in files else asked.jobs
    executor = processes(jobs, spawn=any(map(is_url, (directory, top, *files))))
    totals = Totals(asked.strict)
    with ExitStack() as stack:
        if asked.cluster:
            cluster = stack.enter_context(closing(connected(asked.cluster, asked.jobs, directory)))
            executor, jobs = cluster.executor, cluster.threads
        journal = stack.enter_context(closing(Journal(top))) if top else None
        progress = stack.enter_context(closing(Progress(env, len(pairs))))
        try:
            for outcome in run(planned(), common, executor, jobs, ship=bool(asked.cluster)):
                task = tasks.popleft()
                if journal is not None:
                    journal.note(task, outcome)
                _tell(outcome, asked, env, progress, many=len(pairs) > 1)
                totals.add(outcome)
                _record(outcome, asked, env)
        except KeyboardInterrupt:
            progress.close()
            env.say(f"stopped after {totals.all:,} of {len(pairs):,} inputs{'; run it again to resume' if top else ''}")
            return INTERRUPTED
    _say_totals(totals, asked, env, many=len(pairs) > 1)
    return totals.exit_code


def _say_totals(totals: Totals, asked: Asked, env: Environment, many: bool) -> None:
    if asked.format == "markdown":
        env.write(totals.markdown())
    if many or not totals.exit_code:
        env.say(totals.line())


def _need_directory(top: str) -> None:
    place = "" if is_url(top) else local(top)
    if os.path.lexists(place) and not os.path.isdir(place):
        raise CannotWriteError(f"{top} is no directory", hint="choose another --output-dir")


def _record(outcome: Outcome, asked: Asked, env: Environment) -> None:
    if outcome.state in (UNCHANGED, SKIPPED):
        return
    run = figures(outcome, outcome.seconds, outcome.exit_code, outcome.state == FAILED)
    env.record(server=asked.server, tool=outcome.tool or None, bytes=outcome.bytes, **run)


def _tell(outcome: Outcome, asked: Asked, env: Environment, progress: Progress, many: bool) -> None:
    for warning in outcome.warnings:
        progress.say(warning)
    if outcome.problem:
        progress.say(f"skipped: {outcome.problem}" if outcome.state == SKIPPED else outcome.problem)
    if outcome.text and asked.format != "markdown":
        if many and asked.form in ("text", "observation", "same"):
            env.write_lines(f"==> {outcome.name} <==")
        env.write_blocks([outcome.text])
        if many and not outcome.text.endswith(b"\n"):
            env.write("\n")
    line = f"{outcome.name}: {outcome.state}" if asked.output_dir and outcome.state in (DONE, UNCHANGED) else ""
    if line and outcome.state == DONE:
        line += f" {outcome.original_tokens:,} -> {outcome.tokens:,} tokens ({outcome.content_type})"
    progress.step(line)


def connected(url: str, jobs: int, directory: str = "") -> Cluster:
    """The cluster of ``--cluster``, its versions checked; its workers must reach a results directory."""
    from mcpcompact.batch.cluster import Cluster

    if directory and not anywhere(directory):
        hint = "give --results-dir s3://bucket/results (or file:///path of a shared disk), or --no-store"
        raise UsageError("--cluster needs a results directory that every worker reaches", hint=hint)
    if jobs > 1:
        raise UsageError("--jobs and --cluster cannot be combined", hint="a cluster has as many as its workers have")
    return Cluster(url, __version__)
