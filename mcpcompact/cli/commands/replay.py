"""``mcpcompact replay``: the door to ``mcpcompact.replay``."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from mcpcompact import __version__
from mcpcompact.cli import completion, options, tables
from mcpcompact.cli.io import Environment
from mcpcompact.cli.options import Counting, Text, Texts, argument, much, names, puts, read, runs, seconds
from mcpcompact.cli.progress import Progress
from mcpcompact.errors import ClusterError, McpcompactError, UsageError
from mcpcompact.replaying.registry import DEFAULTS, described

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from mcpcompact.replaying import Report
    from mcpcompact.settings.effective import Settings
    from mcpcompact.transcripts import Transcript

TIMEOUT = 30
_POLICY, _USUAL = "Policy to compare; repeatable.", " ".join(DEFAULTS)
_BY = "Break down by format, tool, type or transcript; ab compares two policies item by item."
_SAVINGS = "Exit with 1 when a policy's net saving is lower."
_SURVIVAL = "Exit with 1 when a policy keeps less strong evidence readable."
MIN_PERCENT, MAX_PERCENT = -1000, 100  # a policy may cost more than it saves
POLICIES = "\n".join(f"{name}: {says}" for name, says in described())
MORE = {"epilog": f"Policies (--policy, repeatable):\n\n{POLICIES}"}
SAME = ("model", "encoding", "over", "timeout", "emit", "jobs")  # options that go on as they are
PRICES = ("input_price", "cached_input_price", "output_price")


def _percent(text: Any) -> float:
    try:
        value = float(str(text).rstrip("%"))
    except ValueError:
        raise typer.BadParameter(f"'{text}' is not a percentage; give for example 20") from None
    if not MIN_PERCENT <= value <= MAX_PERCENT:
        raise typer.BadParameter(f"{text} is not a percentage; give at most 100")
    return value


class Asked(Counting):
    """What is compared, how it is judged, and where it is written."""

    policy: Annotated[Texts, read(_POLICY, "NAME[:ARGS]", otherwise=_USUAL, autocompletion=completion.policies)] = None
    prices: Annotated[Text, read("JSON or TOML file of prices that override the built-in list prices.", "FILE")] = None
    over: Annotated[int, much("Only count evidence from results over N tokens.", "N", least=0)] = 0
    timeout: Annotated[
        float | None, runs("Time limit per 'cmd:' result.", "SECONDS", parser=seconds, otherwise=f"{TIMEOUT}")
    ] = None
    jobs: options.Jobs = 1
    cluster: options.ClusterUrl = None
    by: Annotated[Text, puts(_BY, "WHAT")] = None
    json: options.Json = False
    format: Annotated[Literal["table", "markdown", "json"], puts("Format of the report.")] = "table"
    fail_under_savings: Annotated[float | None, puts(_SAVINGS, "PERCENT", parser=_percent)] = None
    fail_under_survival: Annotated[float | None, puts(_SURVIVAL, "PERCENT", parser=_percent)] = None
    html: Annotated[Text, puts("Write a self-contained HTML report with charts.", "FILE")] = None
    emit: Annotated[Text, puts("Write the compacted transcripts to DIR, in their original formats.", "DIR")] = None


def replay(
    env: Environment,
    asked: Asked,
    transcripts: Annotated[Texts, argument("TRANSCRIPT...", "Transcripts: files, directories, globs or '-'.")] = None,
    tool: Annotated[
        Text, read("Replay the sessions of this tool, such as claude-code; see transcripts.", "TOOL", "--from")
    ] = None,
    config: options.Config = None,
) -> int:
    """Compare policies on recorded sessions: tokens saved, evidence lost.

    mcpcompact replay sessions/ --html report.html
    mcpcompact replay *.jsonl --policy mcpcompact:1000,500 --policy mask-old:10
    mcpcompact replay --from claude-code
    mcpcompact replay ci/ --policy mcpcompact --fail-under-survival 80
    """
    from mcpcompact import replaying

    asked.say_model(env)
    bar = Progress(env)
    named = _named(transcripts or [], tool)
    inputs = _inputs(named, env)
    with _judged_there(asked, inputs) as (judged, executor, unread):
        policies, prices = asked.policy or DEFAULTS, asked.prices or _configured_prices(env.settings)
        how: dict[str, Any] = {name: getattr(asked, name) for name in SAME}
        how |= {"by": names(asked.by), "executor": executor, "progress": bar.reached}
        report = replaying.replay(judged, policies=policies, prices=prices, **how)
    bar.close()
    report.skipped += unread
    worst = 0
    for entry in report.skipped:
        env.say_problem(entry["transcript"], entry["reason"], entry.get("hint", ""))
        if entry["transcript"] in named or not report.rows:
            worst = worst or int(entry["exitCode"])
    if not report.rows:
        return worst or McpcompactError.exit_code
    _write(asked, report, env)
    return worst or _gate(asked, report, env)


def _named(transcripts: list[str], tool: str | None) -> list[str]:
    if tool:
        from mcpcompact.transcripts.places import recorded

        return transcripts + recorded(tool)
    if not transcripts:
        raise UsageError(
            "replay: no input", hint="name recorded sessions, or a tool by --from; see 'mcpcompact transcripts'"
        )
    return transcripts


def _configured_prices(settings: Settings | None) -> dict[str, dict[str, float]] | None:
    """The prices that the configuration gives its models; None without any."""
    prices = {
        name: {key: value for key in PRICES if (value := getattr(entry, key)) is not None}
        for name, entry in (settings.models() if settings else {}).items()
        if entry.input_price is not None
    }
    return prices or None


def _inputs(names: list[str], env: Environment) -> list[str | Transcript]:
    """What was named; ``-`` is a recording on standard input."""
    if "-" not in names:
        return list(names)
    from mcpcompact.inputs.reading import on_disk
    from mcpcompact.transcripts import read_transcripts

    with on_disk("-", env.stdin) as copy:
        try:
            transcripts = read_transcripts(copy)
        except McpcompactError as error:
            raise type(error)(str(error).replace(copy, "standard input"), hint=error.hint) from None
    for transcript in transcripts:
        transcript.source = "-"
    return [item for name in names for item in (transcripts if name == "-" else [name])]


@contextmanager
def _judged_there(
    asked: Asked, inputs: list[str | Transcript]
) -> Iterator[tuple[list[str | Transcript], Executor | None, list[dict[str, str]]]]:
    """What ``replay`` takes: inputs, an executor, and which inputs could not be read. Without a cluster as they are."""
    if not asked.cluster:
        yield inputs, None, []
        return
    from concurrent.futures import CancelledError

    from mcpcompact.cli.batching import connected

    if asked.emit:
        raise UsageError("--emit and --cluster cannot be combined", hint="leave one of them out")
    with closing(connected(asked.cluster, asked.jobs)) as cluster:
        try:
            read, unread = _read(inputs)
            yield (read, cluster.executor(), unread) if read else (inputs, None, [])
        except CancelledError:
            raise ClusterError(f"the cluster at {cluster.address} was lost", hint="run it again") from None


def _read(inputs: list[str | Transcript]) -> tuple[list[str | Transcript], list[dict[str, str]]]:
    from mcpcompact.replaying.inputs import find
    from mcpcompact.replaying.run import unread
    from mcpcompact.transcripts import read_transcripts

    read: list[str | Transcript] = []
    skipped: list[dict[str, str]] = []
    for item in find(inputs):
        if not isinstance(item, str):
            read.append(item)
            continue
        try:
            read += [transcript for transcript in read_transcripts(item) if transcript.messages]
        except McpcompactError as error:
            skipped.append(unread(item, error))
    return read, skipped


def _write(asked: Asked, report: Report, env: Environment) -> None:
    if asked.html:
        from mcpcompact.replaying.page import page
        from mcpcompact.results.durable import write_whole

        write_whole(asked.html, [page(report, f"mcpcompact {__version__}").encode()])
        env.say(f"written: {asked.html}")
    if asked.json or asked.format == "json":
        env.write_json(report.as_dict())
        return
    from mcpcompact.replaying.report import INDENT, WIDTH, markdown, parts

    if asked.format == "markdown":
        env.write_lines(*markdown(report)[:-1].split("\n"))
        return
    for part in parts(report, tables.room(env, WIDTH)):
        if isinstance(part, str):
            tables.say(part, env)
        else:
            texts = tuple(sorted(part.left))
            tables.show(tables.Table(part.head, part.rows, texts, texts, INDENT), env)


def _gate(asked: Asked, report: Report, env: Environment) -> int:
    """1 when a policy other than ``none`` saves or keeps less than was asked for; says which."""
    failed = 0
    for figures in report.policies:
        if figures.policy == "none":
            continue
        for least, percent, what in (
            (asked.fail_under_savings, figures.net_saved, "saves"),
            (asked.fail_under_survival, figures.fates.share(), "keeps"),
        ):
            if least is None:
                continue
            if percent is None:
                env.say(f"{figures.policy}: nothing to judge: it {what} no share of nothing")
            elif percent < least:
                rest = " of billed tokens, net" if what == "saves" else " of the strong evidence readable"
                env.say(f"{figures.policy} {what} {percent:.1f} %{rest}, under {least:g} %")
                failed = 1
    return failed
