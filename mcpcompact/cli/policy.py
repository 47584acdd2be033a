"""The options that say how a result is shortened, the policy that settings and options make together, and what
telemetry keeps of the result."""

# annotations as they stand: as texts, each option's would be compiled at every start
from typing import TYPE_CHECKING, Annotated, Any, Literal
from zlib import crc32

from mcpcompact.cli.base import OptionGroup
from mcpcompact.cli.options import ContentType, Counting, Kept, Number, Text, goes, much, names, read, said
from mcpcompact.config import DEFAULT_BUDGET, MIN_BUDGET
from mcpcompact.errors import UsageError
from mcpcompact.policy import Policy
from mcpcompact.source import LARGE, Source

if TYPE_CHECKING:
    from mcpcompact.batch.one import Chooser, Common
    from mcpcompact.cli.io import Environment
    from mcpcompact.compaction import Compaction
    from mcpcompact.llm import Options
    from mcpcompact.settings import Settings

LEAST_CHARS = 200
ONE_IN = 100  # estimates that are checked by a count
_BUDGET = f"Most tokens of the result, notice included; at least {MIN_BUDGET}."
_WINDOW = "Tokens that the context still holds: more detail when it is empty, less when it is full."
_CHARS = "Most characters of the result, besides the budget."
SAME = ("tool", "server", "focus", "content_type", "model", "encoding", "exact", "mask", "encoding_in")
LIMITS = ("budget", "threshold", "reader", "notice", "max_chars")  # what a preset leaves as it was asked for


class Call(OptionGroup):
    """The call whose result is shortened."""

    tool: Annotated[
        Text, read("The tool that returned this result: named in the notice and the stored file.", "NAME")
    ] = None
    server: Annotated[Text, read("The tool's server.", "NAME")] = None
    args: Annotated[Text, read("The call's arguments, an object: what they name is shown first.", "JSON")] = None
    focus: Annotated[Text, read("What the reader looks for: what it names is shown first.", "TEXT")] = None
    content_type: ContentType = None


class Limits(OptionGroup):
    """How long a result may be."""

    budget: Annotated[Number, much(_BUDGET, "N", least=MIN_BUDGET, otherwise=f"{DEFAULT_BUDGET}")] = None
    threshold: Annotated[
        Number, much("Results of at most N tokens come out untouched.", "N", least=0, otherwise="2 × budget")
    ] = None
    preset: Annotated[
        Literal["codex", "claude", "vscode"] | None,
        much("Stay under the limit of this host, so that nothing is cut twice."),
    ] = None
    window_left: Annotated[Number, much(_WINDOW, "N", least=2 * MIN_BUDGET)] = None
    max_chars: Annotated[Number, much(_CHARS, "N", least=LEAST_CHARS)] = None
    exact: Annotated[bool, much("Count originals above 4 MB exactly, instead of by sampling.")] = False


class Told(OptionGroup):
    """What the text says."""

    fields: Annotated[Text, said("Show only these fields of its records; all are stored.", "A,B.C")] = None
    notice: Annotated[
        Literal["full", "short", "none"] | None,
        said("How much the notice says.", otherwise="full; short under a budget of 600"),
    ] = None
    reader: Annotated[
        Literal["mcpcompact", "tools", "shell", "read", "none"] | None,
        said("The tools that the reader has to get the rest.", otherwise="mcpcompact"),
    ] = None
    shape: Annotated[
        Literal["text", "same", "json", "observation"],
        said("same: the message shape of the input; json: as --json; observation: 'server.tool: text'."),
    ] = "text"
    json: Annotated[bool, said("One JSON object an input, a line each for many.")] = False
    explain: Annotated[bool, said("Say on stderr which content type was chosen, and why.")] = False

    @property
    def form(self) -> str:
        return "json" if self.json else self.shape


class Shortening(Kept, Told, Counting, Limits, Call):
    """All of this (those of the last base stand first)."""

    no_store: Annotated[bool, goes("Do not keep the original; the text then has no reference.")] = False

    def settings(self, settings: "Settings | None") -> "Settings | None":
        """Those in force, the options given on the command line on top."""
        if settings is None:
            return None
        from mcpcompact.settings.schema import SETTINGS

        own = {known.name: known.option[2:].replace("-", "_") for known in SETTINGS if known.option}
        return settings.under({name: getattr(self, attribute, None) or None for name, attribute in own.items()})

    def chooser(self, settings: "Settings | None") -> "Chooser":
        """What chooses the policy of each result of this run."""
        from mcpcompact.batch.one import Chooser

        given = {name: value for name in LIMITS if (value := getattr(self, name)) is not None}
        fields = names(self.fields)
        if self.fields is not None and not fields:
            raise UsageError("--fields names no field", hint="give names such as id,metadata.name")
        return Chooser(settings, Policy(**given), fields, self.preset or "", tuple(given), self.window_left)

    def common(
        self, arguments: dict[str, Any] | None, settings: "Settings | None", asking: "Options | None", masks: bool
    ) -> "Common":
        """What the options say of every input. A masker is made where all is masked or a model asked; else if
        ``masks``."""
        from mcpcompact.batch.one import Common, store_of
        from mcpcompact.config import results_dir
        from mcpcompact.inputs import shown
        from mcpcompact.shell import command, option

        directory, found_later = ("", True) if self.no_store else results_dir(self.results_dir)
        common = Common(shape=self.form, arguments=arguments, results_dir=directory, llm=asking)
        common.results_option = "" if found_later else command(*option("--results-dir", shown(directory)))
        for name in SAME:
            setattr(common, name, getattr(self, name))
        if self.mask or asking is not None or masks:
            from mcpcompact.integrations.base import masker_for

            common.masker = masker_for(store_of(common), settings)
            common.masker.encoding = self.encoding_in
        return common


def record(
    asked: Shortening, result: "Compaction", source: Source, tool: str, seconds: float, env: "Environment"
) -> None:
    """A line of telemetry on a result, written when the command is done. No name of a file, no argument, no text."""
    problem = result.problem
    run: dict[str, Any] = {
        "server": asked.server,
        "tool": tool or None,
        "contentType": result.content_type,
        "method": result.method,
        "originalTokens": result.original_tokens,
        "originalTokensExact": result.exact,
        "tokens": result.tokens,
        "budget": result.budget,
        "threshold": result.threshold,
        "bytes": result.original_bytes,
        "itemsTotal": result.items_total,
        "itemsShown": result.items_shown,
        "model": asked.model,
        "windowLeft": asked.window_left,
        "masked": dict(result.masked) if result.masked else None,
        "seconds": round(seconds, 4),
        "exitCode": problem.exit_code if problem else 0,
        "outcome": "failed" if problem else "ok",
    }
    if env.telemetry:
        run |= checked(asked, result, source)
    env.record(**run)


def checked(asked: Shortening, result: "Compaction", source: Source) -> dict[str, int]:
    """The sampled and the exact count of one original in a hundred, chosen by its content: the same in every run."""
    payload = result.envelope.source if result.envelope is not None else source
    if not 0 < payload.size <= LARGE or crc32(payload.read(0, 4_096)) % ONE_IN:
        return {}
    from mcpcompact.tokens import count_blocks, resolve, sample

    tokenizer = resolve(asked.model, asked.encoding)
    if not tokenizer.exact:
        return {}
    if result.exact:
        return {"estimatedTokens": sample(payload, tokenizer.encoding).tokens, "exactTokens": result.original_tokens}
    exact = count_blocks(payload.blocks(), tokenizer).tokens
    return {"estimatedTokens": result.original_tokens, "exactTokens": exact}
