"""``mcpcompact summarize``: the door to ``mcpcompact.compact``."""

# annotations as they stand: as texts, each option's would be compiled at every start
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

from mcpcompact.batch import Chooser, Common, compacted, is_binary, observation_prefix, rendered, store_of, tool_of
from mcpcompact.cli.base import OptionGroup
from mcpcompact.cli.io import Environment
from mcpcompact.cli.options import ClusterUrl, Config, Files, Jobs, Text, Texts, puts, read, seconds, writes
from mcpcompact.cli.policy import Shortening, record
from mcpcompact.errors import InputError, McpcompactError, NoInputError, Skipped, UsageError

if TYPE_CHECKING:
    from mcpcompact.compaction import Compaction
    from mcpcompact.llm import Options
    from mcpcompact.masking import Masker
    from mcpcompact.settings.effective import Settings
    from mcpcompact.source import Source

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
    fallback_model: Annotated[Texts, writes("Model to try if the first fails; repeatable.", "MODEL")] = None
    no_cache: Annotated[bool, writes("Ignore cached model answers.")] = False
    history: Annotated[Text, writes(_HISTORY, "FILE")] = None

    def asking(self) -> "Options | None":
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
        from mcpcompact.llm.history import conversation

        about = conversation(self.context) if self.context else ""
        how = self.llm_timeout or TIMEOUT, tuple(self.fallback_model or ()), not self.no_cache
        return Options(self.llm.strip(), self.api_base or "", self.style or "compact", *how, about)


class Many(OptionGroup):
    """Many inputs, and where their results go."""

    include: Annotated[Texts, read("Only files matching GLOB (directories and globs).", "GLOB")] = None
    exclude: Annotated[Texts, read("Skip files matching GLOB (directories and globs).", "GLOB")] = None
    strict: Annotated[bool, read("Fail on empty and binary files instead of skipping them.")] = False
    jobs: Jobs = 1
    cluster: ClusterUrl = None
    format: Annotated[Literal["text", "markdown"], puts("Output format; markdown: a table for a CI summary.")] = "text"
    output_dir: Annotated[Text, puts("Write each output to a file in DIR, mirroring the input tree.", "DIR")] = None
    again: Annotated[bool, puts("Reprocess inputs even if unchanged (with --output-dir).")] = False


class Asked(Llm, Many, Shortening):
    """All options of the command."""


def summarize(env: Environment, asked: Asked, files: Files = None, config: Config = None) -> int:
    """Fit a tool result into a token budget, store the original and say how to fetch the rest.

    mcpcompact summarize result.json
    kubectl get pods -A | mcpcompact summarize --tool get_pods --budget 300
    mcpcompact summarize logs/ --output-dir short/ --jobs 4
    """
    called = asked.arguments()
    settings = asked.settings(env.settings)
    asking = asked.asking()
    if asked.history:
        from mcpcompact.cli.llm import summarise_history

        return summarise_history(asked.history, asked, asking, settings, env)
    inputs = files or []
    if asked.output_dir or asked.jobs > 1 or asked.cluster or asked.format == "markdown" or any(map(_is_tree, inputs)):
        from mcpcompact.cli.batching import run_batch

        asked.say_model(env)
        return run_batch(asked, inputs, asking, env)
    from mcpcompact.inputs import shown
    from mcpcompact.inputs.reading import expand

    names = expand(inputs) if inputs else ["-"]
    if names == ["-"] and env.stdin_isatty:
        raise UsageError("summarize: no input", hint="name a file or pipe the tool result in")
    asked.say_model(env)
    chooser = asked.chooser(settings)
    common = asked.common(called, settings, asking, masks=False)
    worst = skipped = done = 0
    for name in names:
        try:
            code = _one(name, asked, common, chooser, env, many=len(names) > 1)
        except McpcompactError as error:
            if len(names) == 1:
                raise
            line = error.line() if shown(name) in str(error) else f"{shown(name)}: {error.line()}"
            if isinstance(error, Skipped) and not asked.strict:
                env.say(f"skipped: {line}")
                skipped = skipped or error.exit_code
                continue
            env.say(line)
            code = error.exit_code
            env.record(server=asked.server, tool=asked.tool, exitCode=code, outcome="failed")
        worst, done = worst or code, done + 1
    return worst if done else skipped


def _is_tree(name: str) -> bool:
    if "://" not in name:
        return os.path.isdir(name)
    from mcpcompact.inputs.files import is_tree

    return is_tree(name)


def _said(name: str) -> str:
    return "standard input" if name == "-" else name


def _skipped_binary(name: str, source: "Source", asked: Asked, env: Environment, many: bool) -> Skipped:
    through = not env.stdout_isatty and asked.form in ("text", "same")
    if through:
        _emit_untouched(name, source, env, many)
    return Skipped(
        f"{_said(name)} is binary, not text",
        InputError.exit_code,
        hint=f"{'passed through' if through else 'left'} as it is; if it is text, name its --encoding-in",
    )


def _masking(common: Common, settings: "Settings | None", env: Environment) -> "Masker":
    """The masker of this input; what is said on stderr goes through it from now on."""
    from mcpcompact.cli.masks import quiet
    from mcpcompact.integrations.base import masker_for

    masker = common.masker or masker_for(store_of(common), settings)
    env.clean = quiet(masker)
    return masker


@contextmanager
def _drawn(source: "Source", common: Common, env: Environment) -> Iterator[Callable[[int, int], None] | None]:
    """While one is compacted: how far a large input is read, and what hears which part a model has summarised."""
    with ExitStack() as drawn:
        if source.large and env.stderr.isatty():
            from mcpcompact.cli.progress import reading

            drawn.enter_context(reading(source, env))
        if common.llm is None:
            yield None
            return
        from mcpcompact.cli.progress import Progress

        yield drawn.enter_context(closing(Progress(env))).reached


def _one(name: str, asked: Asked, common: Common, chooser: Chooser, env: Environment, many: bool) -> int:
    from mcpcompact.inputs import shown
    from mcpcompact.inputs.reading import masked, open_source

    began = time.perf_counter()
    settings, masker = chooser.settings, None
    if asked.mask or (settings and settings.masks(asked.server, asked.tool)):
        masker = _masking(common, settings, env)
        masker.encoding = asked.encoding_in
    source: Source = open_source(name, env.stdin, masker=masker)
    name = shown(name)
    if not source.size:
        raise Skipped(f"{_said(name)} is empty", NoInputError.exit_code)
    if is_binary(source, asked.encoding_in):
        raise _skipped_binary(name, source, asked, env, many)
    prefix = observation_prefix(source, asked.server, asked.tool) if asked.form == "observation" else ""
    tool = asked.tool or (tool_of(source) if settings else None)
    if masker is None and settings and settings.masks(asked.server, tool):
        masker = _masking(common, settings, env)
        source = masked(source, masker)
    name, prefix = env.clean(name), env.clean(prefix)
    source_name = "" if name == "-" else os.path.basename(name)
    with _drawn(source, common, env) as parts:
        result = compacted(source, common, chooser, masker, tool, source_name, parts)
    if masker is not None:
        from mcpcompact.cli.masks import say_masked

        say_masked(name, result.masked, masker, env)
    if asked.explain and result.detection is not None:
        explain(name, result, env)
    for warning in result.warnings:
        env.say(f"{name}: {warning}" if name != "-" else warning)
    if result.method == "passthrough" and asked.form in ("json", "observation"):
        complete(result, source, prefix)
    _emit(name, source, result, asked, env, many)
    telling = tool or (result.envelope.tool if result.envelope else None) or ""
    record(asked, result, source, telling, time.perf_counter() - began, env)
    if result.problem is not None:
        env.say(f"{result.problem.line()} (the original passed through)")
        return result.problem.exit_code
    return UsageError.exit_code if asked.fields and result.lacks_fields else 0


def explain(name: str, result: "Compaction", env: Environment) -> None:
    """Say on stderr which content type was chosen, and how sure the others were."""
    from mcpcompact.content.detect import detect

    detection = result.detection
    assert detection is not None
    all_verdicts = detect(result.envelope.source, explain=True).verdicts if result.envelope else detection.verdicts
    env.say(f"{name}: {detection.content_type} ({detection.score:.2f}: {detection.why}), {result.method}")
    if result.own is not None:
        env.say(f"{name}: our own output, passed through: {result.own.what}, result {result.own.id}")
    for other, score, why in all_verdicts:
        if other != detection.content_type and score > 0:
            env.say(f"{name}:   {other} {score:.2f}: {why}")


def complete(result: "Compaction", source: "Source", prefix: str) -> None:
    """The text of an untouched result, for the shapes that print it: a large one's too, and what stands before it."""
    if prefix:
        payload = result.envelope.source if result.envelope is not None else source
        text = payload.text
        result.text = text if result.own is not None and text.startswith(prefix) else prefix + text
    elif not result.text:
        result.text = source.text


def _emit(name: str, source: "Source", result: "Compaction", asked: Asked, env: Environment, many: bool) -> None:
    if result.method == "passthrough" and asked.form in ("text", "same"):
        _emit_untouched(name, source, env, many)
        return
    if many and asked.form in ("text", "observation"):
        env.write_lines(f"==> {name} <==")
    text = rendered(result, asked.form, name if many or name != "-" else "")
    if asked.form == "json" and not many:  # for a reader's eyes
        text = json.dumps(json.loads(text), ensure_ascii=False, indent=2) + "\n"
    env.write(text)


def _emit_untouched(name: str, source: "Source", env: Environment, many: bool) -> None:
    if many:
        env.write_lines(f"==> {name} <==")
    env.write_blocks(source.blocks())
    if many and source.read(max(0, source.size - 1), source.size) != b"\n":
        env.write("\n")
