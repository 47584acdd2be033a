"""The options of the LLM pass, and the pass itself after a heuristic compaction."""

from __future__ import annotations

import argparse

from mcpcompact.cli.io import Environment
from mcpcompact.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mcpcompact.cli.progress import Progress
    from mcpcompact.llm import Options
    from mcpcompact.settings import Settings

STYLES = ("compact", "bullets", "paragraph", "detailed")
TIMEOUT = 60.0


def add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--llm", metavar="MODEL", help="let this model write the summary; checked, else the heuristic one stands")
    add("--api-base", metavar="URL", help="of the model's server, such as http://localhost:11434/v1")
    add("--style", choices=STYLES, help="of the model's text (default compact)")
    add("--context", metavar="FILE", help="a transcript: the conversation in which the tool was called")
    add("--llm-timeout", type=_seconds, metavar="S", help=f"seconds for all calls about a result (default {TIMEOUT:g})")
    add("--fallback-model", action="append", default=[], metavar="MODEL", help="asked when the model fails; repeatable")
    add("--no-cache", action="store_true", help="ask again what was answered before")
    add("--history", metavar="FILE", help="summarise the older rounds of a transcript instead, in --budget tokens")


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 86_400:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of seconds; give 60 or 2.5")
    return value


def options_of(args: argparse.Namespace) -> Options | None:
    """How a model is to be asked, None for not at all. Raises ``UsageError`` for options that need ``--llm``."""
    if args.llm is None:
        given = [name for name in ("api_base", "style", "context", "llm_timeout", "fallback_model", "no_cache")
                 if getattr(args, name)]  # fmt: skip
        if given:
            raise UsageError(
                f"--{given[0].replace('_', '-')} needs --llm", hint="name a model: --llm openai/gpt-4o-mini"
            )
        return None
    if not args.llm.strip():
        raise UsageError("--llm names no model", hint="give one such as openai/gpt-4o-mini")
    from mcpcompact.llm import Options

    conversation = ""
    if args.context:
        from mcpcompact.llm.conversation import conversation as read

        conversation = read(args.context)
    return Options(
        args.llm.strip(),
        args.api_base or "",
        args.style or "compact",
        args.llm_timeout or TIMEOUT,
        tuple(args.fallback_model),
        not args.no_cache,
        conversation,
    )


class Parts:
    """A bar on the terminal while the parts of a long result are summarised; drawn when the first is done."""

    def __init__(self, env: Environment) -> None:
        self._env = env
        self._bar: Progress | None = None

    def __call__(self, done: int, total: int) -> None:
        from mcpcompact.cli.progress import Progress

        if self._bar is None:
            self._bar = Progress(self._env, total)
        self._bar.step(f"part {done} of {total} summarised" if self._env.stderr.isatty() else "")

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def summarise_history(
    args: argparse.Namespace, options: Options | None, settings: Settings | None, env: Environment
) -> int:
    """``summarize --history``: the older rounds of a transcript as one ``<conversation-summary>``."""
    import json
    from typing import Any

    from mcpcompact.config import DEFAULT_BUDGET, results_dir
    from mcpcompact.errors import InputError
    from mcpcompact.replaying.histories import older, summary
    from mcpcompact.transcripts import read_transcripts

    transcript = read_transcripts(args.history)[-1]
    budget = args.budget or DEFAULT_BUDGET
    rounds = older(transcript, args.model, args.encoding)
    if not rounds.messages:
        raise InputError(f"{args.history}: nothing in it is older than the recent rounds", hint="it may stay as it is")
    masker = None
    if options is not None or args.mask or (settings is not None and settings.masks()):
        from mcpcompact.cli.masks import masker_for, quiet
        from mcpcompact.llm.history import mask

        masker = masker_for(None, settings)
        env.clean = quiet(masker)
        mask(rounds.messages, masker)
        rounds.system = masker.text(rounds.system)
    text = summary(rounds.messages, rounds.count, budget)
    told: dict[str, Any] = {"text": text, "method": "offline"}
    if options is not None and masker is not None:
        from mcpcompact.llm.history import summarise_history as asked

        made = asked(
            rounds.messages, options, text, budget, rounds.count, masker=masker,
            directory="" if args.no_store else results_dir(args.results_dir)[0], system=rounds.system,
        )  # fmt: skip
        told = {"text": made.text, "method": made.method}
        if made.problem:
            env.say(f"LLM pass: {made.problem} (the offline form stands)")
        told |= {"llm": {"model": made.model, "mode": made.mode, **made.verdict}} if made.model else {}
    told |= {
        "messagesTotal": len(transcript.messages),
        "messagesSummarized": len(rounds.messages),
        "messagesKept": rounds.kept,
        "originalTokens": rounds.tokens,
        "tokens": rounds.count(told["text"]),
    }
    env.write((json.dumps(told, ensure_ascii=False) if args.json else told["text"]) + "\n")
    return 0
