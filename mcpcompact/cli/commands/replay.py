"""``mcpcompact replay``: the door to ``mcpcompact.replay``."""

from __future__ import annotations

import argparse

from mcpcompact.cli.clusters import HELP as CLUSTER
from mcpcompact.cli.clusters import judged_there
from mcpcompact.cli.io import Environment, number, write_atomically
from mcpcompact.errors import McpcompactError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from mcpcompact.replaying import Report
    from mcpcompact.transcripts import Transcript

NAME = "replay"
HELP = "Replay recorded sessions under several policies: what each saves, and what it loses."


class _Help(argparse.RawDescriptionHelpFormatter):
    """Keeps the lines of the table of policies."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=100)


POLICIES = """\
policies (--policy, repeatable):
{policies}
"""


def configure(parser: argparse.ArgumentParser) -> None:
    from mcpcompact.replaying.registry import DEFAULTS, described

    parser.formatter_class = _Help
    parser.epilog = POLICIES.format(policies="\n".join(f"  {syntax:<36} {says}" for syntax, says in described()))
    add = parser.add_argument
    add("transcripts", nargs="+", metavar="TRANSCRIPT", help="recorded sessions: files, directories, globs or -")
    add(
        "--policy",
        action="append",
        metavar="NAME[:ARGS]",
        help=f"compare this policy; may stand several times (default {' '.join(DEFAULTS)})",
    )
    add("--model", help="count as this model does, with its window and price, instead of each session's own")
    add("--encoding", help="o200k_base (default) or cl100k_base")
    add("--by", metavar="WHAT", help="break down by format, tool, type, transcript; ab: two policies item by item")
    add("--over", type=number(0), default=0, metavar="N", help="evidence of results over N tokens only (default 0)")
    add("--prices", metavar="FILE", help="a price file (JSON or TOML) over the table of list prices")
    add("--emit", metavar="DIR", help="write the compacted transcripts there, in their own formats")
    add("--html", metavar="FILE", help="write a page with charts, complete in itself")
    add("--fail-under-savings", type=_percent, metavar="PERCENT", help="exit 1 when a policy saves less, net")
    add(
        "--fail-under-survival",
        type=_percent,
        metavar="PERCENT",
        help="exit 1 when a policy keeps less of the strong evidence readable",
    )
    add("--timeout", type=_seconds, metavar="SECONDS", help="for each result of a 'cmd:' policy (default 30)")
    add("--jobs", type=number(1), default=1, metavar="N", help="processes that share the transcripts (default 1)")
    add("--cluster", metavar="URL", help=CLUSTER)
    add("--json", action="store_true", help="one JSON object")
    add("--format", choices=("table", "markdown", "json"), default="table", help="markdown: for a CI summary")


def _configured_prices(args: argparse.Namespace) -> dict[str, dict[str, float]] | None:
    """The prices that the configuration gives its models; None without any."""
    settings = getattr(args, "settings", None)
    names = ("input_price", "cached_input_price", "output_price")
    found = {
        name: {key: value for key in names if (value := getattr(entry, key)) is not None}
        for name, entry in (settings.models() if settings else {}).items()
        if entry.input_price is not None
    }
    return found or None


def _percent(text: str) -> float:
    try:
        value = float(text.rstrip("%"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is no percentage; give for example 20") from None
    if not -1000 <= value <= 100:
        raise argparse.ArgumentTypeError(f"{text} is no percentage; give at most 100")
    return value


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 86_400:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of seconds; give for example 30")
    return value


def run(args: argparse.Namespace, env: Environment) -> int:
    from mcpcompact.replaying import replay
    from mcpcompact.replaying.registry import DEFAULTS

    _say_model(args, env)
    with judged_there(args, _inputs(args.transcripts, env)) as (inputs, executor, unread):
        report = replay(
            inputs,
            policies=args.policy or DEFAULTS,
            model=args.model,
            encoding=args.encoding,
            by=[part.strip() for part in args.by.split(",")] if args.by else (),
            over=args.over,
            prices=args.prices or _configured_prices(args),
            timeout=args.timeout,
            emit=args.emit,
            jobs=args.jobs,
            executor=executor,
            progress=_progress(env),
        )
    report.skipped += unread
    named = set(args.transcripts)
    worst = 0
    for entry in report.skipped:
        env.say_problem(entry["transcript"], entry["reason"], entry.get("hint", ""))
        if entry["transcript"] in named or not report.rows:
            worst = worst or int(entry["exitCode"])
    if not report.rows:
        return worst or 65
    _write(args, report, env)
    return worst or _gate(args, report, env)


def _say_model(args: argparse.Namespace, env: Environment) -> None:
    if args.model is None:
        return
    from mcpcompact.tokens import resolve

    if note := resolve(args.model, args.encoding).note:
        env.say(note)


def _inputs(names: list[str], env: Environment) -> list[str | Transcript]:
    """What was named; ``-`` is a recording on standard input."""
    if "-" not in names:
        return list(names)
    import shutil
    import tempfile

    from mcpcompact.transcripts import read_transcripts

    with tempfile.NamedTemporaryFile(prefix="mcpcompact-") as copy:
        shutil.copyfileobj(env.stdin, copy)
        copy.flush()
        try:
            found = read_transcripts(copy.name)
        except McpcompactError as error:
            raise type(error)(str(error).replace(copy.name, "standard input"), hint=error.hint) from None
    for transcript in found:
        transcript.source = "-"
    return [item for name in names for item in (found if name == "-" else [name])]


def _progress(env: Environment) -> Callable[[int, int], None] | None:
    """A bar on a terminal, nothing elsewhere."""
    stream = env.stderr
    if not stream.isatty():
        return None

    def tell(done: int, total: int) -> None:
        filled = 30 * done // total
        end = "\r\x1b[K" if done == total else ""
        stream.write(f"\r{'█' * filled}{'░' * (30 - filled)} {done:,} of {total:,} transcripts{end}")
        stream.flush()

    return tell


def _write(args: argparse.Namespace, report: Report, env: Environment) -> None:
    if args.html:
        write_atomically(args.html, _page(report).encode())
        env.say(f"written: {args.html}")
    if args.json or args.format == "json":
        import json

        env.stdout.write(json.dumps(report.as_dict(), ensure_ascii=False) + "\n")
        return
    from mcpcompact.replaying.report import markdown, terminal

    env.write(markdown(report) if args.format == "markdown" else terminal(report))


def _page(report: Report) -> str:
    from mcpcompact import __version__
    from mcpcompact.replaying.page import page

    return page(report, f"mcpcompact {__version__}")


def _gate(args: argparse.Namespace, report: Report, env: Environment) -> int:
    """1 when a policy other than ``none`` saves or keeps less than was asked for; says which."""
    failed = 0
    for figures in report.policies:
        if figures.policy == "none":
            continue
        for asked, found, what in (
            (args.fail_under_savings, figures.net_saved, "saves"),
            (args.fail_under_survival, figures.fates.share(), "keeps"),
        ):
            if asked is None:
                continue
            if found is None:
                env.say(f"{figures.policy}: nothing to judge: it {what} no share of nothing")
            elif found < asked:
                rest = " of billed tokens, net" if what == "saves" else " of the strong evidence readable"
                env.say(f"{figures.policy} {what} {found:.1f} %{rest}, under {asked:g} %")
                failed = 1
    return failed
