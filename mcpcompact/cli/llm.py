"""The options of the LLM pass, and the pass itself after a heuristic compaction."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

from mcpcompact.cli.base import OptionGroup
from mcpcompact.cli.io import Environment
from mcpcompact.cli.options import Text, seconds, writes
from mcpcompact.errors import UsageError

if TYPE_CHECKING:
    from mcpcompact.cli.policy import Shortening
    from mcpcompact.llm import Options
    from mcpcompact.settings import Settings

TIMEOUT = 60.0
_MODEL = "Let this litellm model write the summary; text that fails the checks is discarded."
_HISTORY = "Summarize the older rounds of this transcript instead, within --budget; offline without --llm."


class Llm(OptionGroup):
    """Whether and how a model is asked."""

    llm: Annotated[Text, writes(_MODEL, "MODEL")] = None
    api_base: Annotated[Text, writes("Base URL of the model server, such as http://localhost:11434/v1.", "URL")] = None
    style: Annotated[
        Literal["compact", "bullets", "paragraph", "detailed"] | None,
        writes("Style of the summary.", otherwise="compact"),
    ] = None
    context: Annotated[Text, writes("Transcript of the conversation in which the tool was called.", "FILE")] = None
    llm_timeout: Annotated[
        float | None, writes("Time limit per result in seconds.", "S", parser=seconds, otherwise=f"{TIMEOUT:g}")
    ] = None
    fallback_model: Annotated[list[str] | None, writes("Model to try if the first fails; repeatable.", "MODEL")] = None
    no_cache: Annotated[bool, writes("Ignore cached model answers.")] = False
    history: Annotated[Text, writes(_HISTORY, "FILE")] = None

    def asking(self) -> Options | None:
        """How a model is to be asked, None for not at all. Raises ``UsageError`` for options that need ``--llm``."""
        if self.llm is None:
            needing = ("api_base", "style", "context", "llm_timeout", "fallback_model", "no_cache")
            for name in filter(partial(getattr, self), needing):
                option = name.replace("_", "-")
                raise UsageError(f"--{option} needs --llm", hint="name a model: --llm openai/gpt-4o-mini")
            return None
        if not self.llm.strip():
            raise UsageError("--llm names no model", hint="give one such as openai/gpt-4o-mini")
        from mcpcompact.llm import Options
        from mcpcompact.llm.conversation import conversation

        return Options(
            self.llm.strip(),
            self.api_base or "",
            self.style or "compact",
            self.llm_timeout or TIMEOUT,
            tuple(self.fallback_model or ()),
            not self.no_cache,
            conversation(self.context) if self.context else "",
        )


def summarise_history(
    path: str, asked: Shortening, asking: Options | None, settings: Settings | None, env: Environment
) -> int:
    """``summarize --history``: the older rounds of a transcript as one ``<conversation-summary>``."""
    from mcpcompact.config import DEFAULT_BUDGET, results_dir
    from mcpcompact.errors import InputError
    from mcpcompact.replaying.histories import older, summary
    from mcpcompact.transcripts import read_transcripts

    transcript = read_transcripts(path)[-1]
    budget = asked.budget or DEFAULT_BUDGET
    rounds = older(transcript, asked.model, asked.encoding)
    if not rounds.messages:
        raise InputError(f"{path}: nothing in it is older than the recent rounds", hint="it may stay as it is")
    masker = None
    if asking is not None or asked.mask or (settings is not None and settings.masks()):
        from mcpcompact.cli.masks import quiet
        from mcpcompact.integrations.base import masker_for
        from mcpcompact.llm.history import mask

        masker = masker_for(None, settings)
        env.clean = quiet(masker)
        mask(rounds.messages, masker)
        rounds.system = masker.text(rounds.system)
    text = summary(rounds.messages, rounds.count, budget)
    told: dict[str, Any] = {"text": text, "method": "offline"}
    if asking is not None and masker is not None:
        from mcpcompact.llm.history import summarise_history as summarised

        made = summarised(
            rounds.messages, asking, text, budget, rounds.count, masker=masker,
            directory="" if asked.no_store else results_dir(asked.results_dir)[0], system=rounds.system,
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
    if asked.json:
        env.write_json(told)
    else:
        env.write(told["text"] + "\n")
    return 0
