"""The options that say how a result is shortened, and the policy that settings and options make together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from mcpcompact.cli.base import OptionGroup
from mcpcompact.cli.options import ContentType, Counting, Kept, Number, Text, goes, much, names, read, said
from mcpcompact.config import DEFAULT_BUDGET, MIN_BUDGET
from mcpcompact.errors import UsageError
from mcpcompact.policy import Policy

if TYPE_CHECKING:
    from mcpcompact.batch.one import Common
    from mcpcompact.llm import Options
    from mcpcompact.settings import Settings
    from mcpcompact.settings.limits import Chooser

LEAST_CHARS = 200
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
    max_chars: Annotated[Number, much(_CHARS, "N", least=LEAST_CHARS)] = None
    exact: Annotated[bool, much("Count inputs above 4 MB exactly instead of sampling them.")] = False


class Told(OptionGroup):
    """What the text says."""

    fields: Annotated[Text, said("Show only these fields of each record; the original keeps all.", "A,B.C")] = None
    notice: Annotated[
        Literal["full", "short", "none"] | None,
        said("Length of the notice.", otherwise="full; short under a budget of 600"),
    ] = None
    reader: Annotated[
        Literal["mcpcompact", "tools", "shell", "read", "none"] | None,
        said("How the reader can fetch the rest; decides what the notice suggests.", otherwise="mcpcompact"),
    ] = None
    shape: Annotated[
        Literal["text", "same", "json", "observation"],
        said("Output as text, in the input's message shape (same), as --json, or 'server.tool: text'."),
    ] = "text"
    json: Annotated[bool, said("Print one JSON object per input; NDJSON for several.")] = False
    explain: Annotated[bool, said("Explain on stderr which content type was detected and why.")] = False

    @property
    def form(self) -> str:
        """The shape that is printed, ``--json`` among them."""
        return "json" if self.json else self.shape


class Shortening(Kept, Told, Counting, Limits, Call):
    """All of this (those of the last base stand first)."""

    no_store: Annotated[bool, goes("Do not store the original; the output then has no reference to it.")] = False

    def settings(self, settings: Settings | None) -> Settings | None:
        """Those in force, the options given on the command line on top."""
        if settings is None:
            return None
        from mcpcompact.settings.schema import SETTINGS

        own = {known.name: known.option[2:].replace("-", "_") for known in SETTINGS if known.option}
        return settings.under({name: getattr(self, attribute, None) or None for name, attribute in own.items()})

    def chooser(self, settings: Settings | None) -> Chooser:
        """What chooses the policy of each result of this run."""
        from mcpcompact.settings.limits import Chooser

        given = {name: value for name in LIMITS if (value := getattr(self, name)) is not None}
        fields = names(self.fields)
        if self.fields is not None and not fields:
            raise UsageError("--fields names no field", hint="give names such as id,metadata.name")
        return Chooser(settings, Policy(**given), fields, self.preset or "", tuple(given), self.window_left)

    def common(
        self, arguments: dict[str, Any] | None, settings: Settings | None, asking: Options | None, masks: bool
    ) -> Common:
        """What the options say of every input. A masker is made where all is masked or a model asked; else if
        ``masks``."""
        from mcpcompact.batch.one import Common, store_of
        from mcpcompact.config import results_dir
        from mcpcompact.inputs.remote import shown
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
