"""The options that say how a result is shortened, the policy that settings and options make together, and what
telemetry keeps of the result."""

# annotations as they stand: as texts, each option's would be compiled at every start
import json
from typing import TYPE_CHECKING, Annotated, Any, Literal
from zlib import crc32

from mcpcompact.batch import FIGURES, Chooser, Common, store_of
from mcpcompact.cli.base import OptionGroup
from mcpcompact.cli.options import ContentType, Counting, Kept, Number, Text, goes, much, names, puts, read
from mcpcompact.config import DEFAULT_BUDGET, MIN_BUDGET, results_dir
from mcpcompact.errors import UsageError
from mcpcompact.phrasing import keyed
from mcpcompact.policy import Policy
from mcpcompact.source import LARGE, Source

if TYPE_CHECKING:
    from mcpcompact.batch.many import Outcome
    from mcpcompact.cli.io import Environment
    from mcpcompact.compaction import Compaction
    from mcpcompact.llm import Options
    from mcpcompact.settings.effective import Settings

MIN_CHARS = 200
ONE_IN = 100  # estimates that are checked by a count
_BUDGET = f"Token budget of the output, notice included; at least {MIN_BUDGET}."
_WINDOW = "Tokens left in the context window; the budget grows or shrinks with it."
_CHARS = "Also limit the output to N characters."
SAME = ("tool", "server", "focus", "content_type", "model", "encoding", "exact", "mask", "encoding_in")
LIMITS = ("budget", "threshold", "reader", "notice", "max_chars")  # what a preset leaves as it was asked for


class Call(OptionGroup):
    """The call whose result is shortened."""

    tool: Annotated[
        Text, read("Tool that returned the result; used in the notice and the stored file name.", "NAME")
    ] = None
    server: Annotated[Text, read("MCP server of the tool.", "NAME")] = None
    args: Annotated[Text, read("JSON arguments of the tool call; what they name is shown first.", "JSON")] = None
    focus: Annotated[Text, read("What the reader is looking for; what it names is shown first.", "TEXT")] = None
    content_type: ContentType = None

    def arguments(self) -> dict[str, Any] | None:
        """The object that ``--args`` holds. Raises ``UsageError`` for anything else."""
        if self.args is None:
            return None
        hint = 'give an object such as \'{"path": "src"}\''
        try:
            value = json.loads(self.args)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"--args is not JSON that can be read: {error}", hint=hint) from None
        if not isinstance(value, dict):
            raise UsageError("--args is not a JSON object", hint=hint)
        return value


class Limits(OptionGroup):
    """How long a result may be."""

    budget: Annotated[Number, much(_BUDGET, "N", least=MIN_BUDGET, otherwise=f"{DEFAULT_BUDGET}")] = None
    threshold: Annotated[
        Number, much("Pass results of up to N tokens through unchanged.", "N", least=0, otherwise="2 × budget")
    ] = None
    preset: Annotated[
        Literal["codex", "claude", "vscode"] | None,
        much("Stay below this host's own limit, so that it does not truncate again."),
    ] = None
    window_left: Annotated[Number, much(_WINDOW, "N", least=2 * MIN_BUDGET)] = None
    max_chars: Annotated[Number, much(_CHARS, "N", least=MIN_CHARS)] = None
    exact: Annotated[bool, much("Count inputs above 4 MB exactly instead of sampling them.")] = False


class Told(OptionGroup):
    """What the text says."""

    fields: Annotated[Text, puts("Show only these fields of each record; the original keeps all.", "A,B.C")] = None
    notice: Annotated[
        Literal["full", "short", "none"] | None,
        puts("Length of the notice.", otherwise="full; short under a budget of 600"),
    ] = None
    reader: Annotated[
        Literal["mcpcompact", "tools", "shell", "read", "none"] | None,
        puts("How the reader can fetch the rest; decides what the notice suggests.", otherwise="mcpcompact"),
    ] = None
    shape: Annotated[
        Literal["text", "same", "json", "observation"],
        puts("Output as text, in the input's message shape (same), as --json, or 'server.tool: text'."),
    ] = "text"
    json: Annotated[bool, puts("Print one JSON object per input; NDJSON for several.")] = False
    explain: Annotated[bool, puts("Explain on stderr which content type was detected and why.")] = False

    @property
    def form(self) -> str:
        """The shape that is printed, ``--json`` among them."""
        return "json" if self.json else self.shape


class Shortening(Kept, Told, Counting, Limits, Call):
    """All of this (those of the last base stand first)."""

    no_store: Annotated[bool, goes("Do not store the original; the output then has no reference to it.")] = False

    def settings(self, settings: "Settings | None") -> "Settings | None":
        """Those in force, the options given on the command line on top."""
        if settings is None:
            return None
        from mcpcompact.settings.schema import SETTINGS

        own = {known.name: known.option[2:].replace("-", "_") for known in SETTINGS if known.option}
        return settings.under({name: getattr(self, attribute, None) or None for name, attribute in own.items()})

    def chooser(self, settings: "Settings | None") -> Chooser:
        """What chooses the policy of each result of this run."""
        given = {name: value for name in LIMITS if (value := getattr(self, name)) is not None}
        fields = names(self.fields)
        if self.fields is not None and not fields:
            raise UsageError("--fields names no field", hint="give names such as id,metadata.name")
        return Chooser(settings, Policy(**given), fields, self.preset or "", tuple(given), self.window_left)

    def common(
        self, arguments: dict[str, Any] | None, settings: "Settings | None", asking: "Options | None", masks: bool
    ) -> Common:
        """What the options say of every input. A masker is made if ``masks``, all is masked or a model is asked."""
        from mcpcompact.inputs import shown
        from mcpcompact.shell import command, option

        directory, found_later = ("", True) if self.no_store else results_dir(self.results_dir)
        again = "" if found_later else command(*option("--results-dir", shown(directory)))
        same: dict[str, Any] = {name: getattr(self, name) for name in SAME}
        common = Common(self.form, arguments=arguments, results_dir=directory, results_option=again, llm=asking, **same)
        if not (self.mask or asking is not None or masks):
            return common
        from mcpcompact.integrations.base import masker_for

        masker = masker_for(store_of(common), settings)
        masker.encoding = self.encoding_in
        return common._replace(masker=masker)


def figures(of: "Compaction | Outcome", seconds: float, exit_code: int, failed: bool) -> dict[str, Any]:
    """A line of telemetry on a result: no name of a file, no argument, no text."""
    run = {key: value for key, value in keyed(of, *FIGURES).items() if value != ""}
    run |= {"masked": dict(of.masked) if of.masked else None, "seconds": round(seconds, 4)}
    return run | {"exitCode": exit_code, "outcome": "failed" if failed else "ok"}


def record(
    asked: Shortening, result: "Compaction", source: Source, tool: str, seconds: float, env: "Environment"
) -> None:
    """A line of telemetry on a result, written when the command is done."""
    problem = result.problem
    run = figures(result, seconds, problem.exit_code if problem else 0, problem is not None)
    run |= {"server": asked.server, "tool": tool or None, "model": asked.model, "windowLeft": asked.window_left}
    run |= {"originalTokensExact": result.exact, "bytes": result.original_bytes}
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
