"""The LLM pass on a terminal: a bar while it goes on, and the summary of a conversation."""

from __future__ import annotations

from typing import Any

from mcpcompact.cli.io import Environment
from mcpcompact.cli.masks import quiet
from mcpcompact.cli.policy import Shortening
from mcpcompact.config import DEFAULT_BUDGET, results_dir
from mcpcompact.errors import InputError
from mcpcompact.integrations.base import masker_for
from mcpcompact.llm import Options, history
from mcpcompact.replaying.histories import older, summary
from mcpcompact.settings.effective import Settings
from mcpcompact.transcripts import read_transcripts


def summarise_history(
    path: str, asked: Shortening, asking: Options | None, settings: Settings | None, env: Environment
) -> int:
    """``summarize --history``: the older rounds of a transcript as one ``<conversation-summary>``."""
    transcript = read_transcripts(path)[-1]
    budget = asked.budget or DEFAULT_BUDGET
    rounds = older(transcript, asked.model, asked.encoding)
    if not rounds.messages:
        raise InputError(f"{path}: nothing in it is older than the recent rounds", hint="it may stay as it is")
    masker = None
    if asking is not None or asked.mask or (settings is not None and settings.masks()):
        masker = masker_for(None, settings)
        env.clean = quiet(masker)
        history.mask(rounds.messages, masker)
        rounds.system = masker.text(rounds.system)
    text = summary(rounds.messages, rounds.count, budget)
    fields: dict[str, Any] = {"text": text, "method": "offline"}
    if asking is not None and masker is not None:
        answer = history.summarise_history(
            rounds.messages, asking, text, budget, rounds.count, masker=masker,
            directory="" if asked.no_store else results_dir(asked.results_dir)[0], system=rounds.system,
        )  # fmt: skip
        fields = {"text": answer.text, "method": answer.method}
        if answer.problem:
            env.say(f"LLM pass: {answer.problem} (the offline form stands)")
        fields |= {"llm": {"model": answer.model, "mode": answer.mode, **answer.verdict}} if answer.model else {}
    fields |= {
        "messagesTotal": len(transcript.messages),
        "messagesSummarized": len(rounds.messages),
        "messagesKept": rounds.kept,
        "originalTokens": rounds.tokens,
        "tokens": rounds.count(fields["text"]),
    }
    if asked.json:
        env.write_json(fields)
    else:
        env.write(fields["text"] + "\n")
    return 0
