"""``mcpcompact summarize``: the door to ``mcpcompact.compact``."""

from __future__ import annotations

import argparse
import json
import os
import time
from typing import Any

from mcpcompact.batch import compacted, is_binary, observation_prefix, rendered, store_of, tool_of
from mcpcompact.cli.io import Environment, add_encoding_in, number
from mcpcompact.cli.llm import Parts, add_options, options_of, summarise_history
from mcpcompact.cli.masks import masker_for, quiet, say_masked
from mcpcompact.cli.measuring import record
from mcpcompact.cli.policy import add_limits, chooser_of, common_of, settings_of
from mcpcompact.config import DEFAULT_BUDGET, MIN_BUDGET
from mcpcompact.errors import InputError, McpcompactError, NoInputError, Skipped, UsageError
from mcpcompact.outline import Source
from mcpcompact.remote import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mcpcompact.batch import Common
    from mcpcompact.compaction import Compaction
    from mcpcompact.settings import Chooser

NAME = "summarize"
HELP = "Fit a tool result into a hard token budget, keep the original, say how to get the rest."
SHAPES = ("text", "same", "json", "observation")


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="files or globs; '-' or nothing reads standard input")
    add(
        "--budget",
        type=number(MIN_BUDGET),
        metavar="N",
        help=f"most tokens of the result, notice included (default {DEFAULT_BUDGET})",
    )
    add(
        "--threshold",
        type=number(0),
        metavar="N",
        help="results of at most N tokens come out untouched (default 2 x budget)",
    )
    add_limits(parser)
    add("--max-chars", type=number(200), metavar="N", help="most characters of the result, besides the budget")
    add(
        "--type",
        metavar="TYPE",
        help="content type, instead of detection: fasta, records, json, table, log, diff, code, markup, text",
    )
    add("--tool", help="name of the tool that returned this result")
    add("--server", help="name of its server")
    add("--args", metavar="JSON", help="the call's arguments as a JSON object: they rank what is shown")
    add("--focus", metavar="TEXT", help="what the reader looks for: ranks what is shown")
    add("--fields", metavar="A,B.C", help="show only these fields of its records; all are stored")
    add(
        "--reader",
        choices=("mcpcompact", "shell", "read", "none"),
        help="the tools the reader has to get the rest (default mcpcompact)",
    )
    add("--notice", choices=("full", "short", "none"), help="default full, short under a budget of 600")
    add(
        "--shape",
        choices=SHAPES,
        default="text",
        help="text; same: the message shape of the input; json: as --json; observation: 'server.tool: text'",
    )
    add("--json", action="store_true", help="one JSON object an input")
    add("--model", help="count as this model does")
    add("--encoding", help="o200k_base (default) or cl100k_base")
    add_encoding_in(parser)
    add("--exact", action="store_true", help="count originals above 4 MB exactly instead of sampling")
    add("--no-store", action="store_true", help="do not keep the original; the text then has no reference")
    add(
        "--results-dir",
        metavar="DIR",
        help="where originals are kept (default $MCPCOMPACT_RESULTS_DIR, .mcpcompact/results, the state directory)",
    )
    add(
        "--output-dir",
        metavar="DIR",
        help="write each result to a file of that directory, which mirrors the inputs' tree",
    )
    add("--include", action="append", default=[], metavar="GLOB", help="of directories and globs, only such files")
    add("--exclude", action="append", default=[], metavar="GLOB", help="of directories and globs, no such files")
    add("--jobs", type=number(1), default=1, metavar="N", help="processes that share the inputs (default 1)")
    add("--cluster", metavar="URL", help="share the inputs among the workers of a Dask cluster: tcp://HOST:PORT")
    add("--strict", action="store_true", help="of many inputs, empty and binary ones are failures, not skipped")
    add("--again", action="store_true", help="with --output-dir: do unchanged inputs again too")
    add(
        "--format",
        choices=("text", "markdown"),
        default="text",
        help="markdown: a table of all inputs, for a CI summary",
    )
    add("--mask", action="store_true", help="replace secrets by placeholders before anything is stored or printed")
    add_options(parser)
    add("--explain", action="store_true", help="say on stderr which content type was chosen and why")


def run(args: argparse.Namespace, env: Environment) -> int:
    from mcpcompact.reading import expand

    if args.json:
        args.shape = "json"
    arguments = _arguments(args.args)
    settings = settings_of(args, NAME)
    args.asking = options_of(args)
    if args.history:
        return summarise_history(args, args.asking, settings, env)
    if args.output_dir or args.jobs > 1 or args.cluster or args.format == "markdown" or any(map(_is_tree, args.files)):
        from mcpcompact.cli.batching import run_batch

        _say_model(args, env)
        return run_batch(args, arguments, settings, env)
    names = expand(args.files) if args.files else ["-"]
    if names == ["-"] and env.stdin_isatty:
        raise UsageError("summarize: no input", hint="name a file or pipe the tool result in")
    _say_model(args, env)
    chooser = chooser_of(args, settings)
    common = common_of(args, arguments, settings, masks=False)
    worst = skipped = done = 0
    for name in names:
        try:
            code = _one(name, args, common, chooser, env, many=len(names) > 1)
        except McpcompactError as error:
            if len(names) == 1:
                raise
            line = error.line() if shown(name) in str(error) else f"{shown(name)}: {error.line()}"
            if isinstance(error, Skipped) and not args.strict:
                env.say(f"skipped: {line}")
                skipped = skipped or error.exit_code
                continue
            env.say(line)
            code = error.exit_code
            env.record(server=args.server, tool=args.tool, exitCode=code, outcome="failed")
        worst, done = worst or code, done + 1
    return worst if done else skipped


def _is_tree(name: str) -> bool:
    if "://" not in name:
        return os.path.isdir(name)
    from mcpcompact.files import is_tree

    return is_tree(name)


def _arguments(text: str | None) -> dict[str, Any] | None:
    if text is None:
        return None
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UsageError(f"--args is not JSON: {error}", hint='give an object such as \'{"path": "src"}\'') from None
    if not isinstance(value, dict):
        raise UsageError("--args is not a JSON object", hint='give an object such as \'{"path": "src"}\'')
    return value


def _say_model(args: argparse.Namespace, env: Environment) -> None:
    """A model that is not known is counted by another's rules, and that is said."""
    if args.model is None:
        return
    from mcpcompact.tokens import resolve

    if note := resolve(args.model, args.encoding).note:
        env.say(note)


def _one(
    name: str,
    args: argparse.Namespace,
    common: Common,
    chooser: Chooser,
    env: Environment,
    many: bool,
) -> int:
    from mcpcompact.reading import masked, open_source

    began = time.perf_counter()
    store, settings = store_of(common), chooser.settings
    masker = None
    if args.mask or (settings and settings.masks(args.server, args.tool)):
        masker = common.masker or masker_for(store, settings)
        masker.encoding = args.encoding_in
        env.clean = quiet(masker)
    source: Source = open_source(name, env.stdin, masker=masker)
    name = shown(name)
    if not source.size:
        raise Skipped(f"{'standard input' if name == '-' else name} is empty", NoInputError.exit_code)
    if is_binary(source, args.encoding_in):
        through = not env.stdout_isatty and args.shape in ("text", "same")
        if through:
            _emit_untouched(name, source, env, many)
        raise Skipped(
            f"{'standard input' if name == '-' else name} is binary, not text",
            InputError.exit_code,
            hint="passed through as it is" if through else "left as it is",
        )
    prefix = observation_prefix(source, args.server, args.tool) if args.shape == "observation" else ""
    tool = args.tool or (tool_of(source) if chooser.by_tool else None)
    if masker is None and settings and settings.masks(args.server, tool):
        masker = common.masker or masker_for(store, settings)
        env.clean = quiet(masker)
        source = masked(source, masker)
    name, prefix = env.clean(name), env.clean(prefix)
    parts = Parts(env)
    try:
        source_name = "" if name == "-" else os.path.basename(name)
        result = compacted(source, common, chooser, store, masker, tool, source_name, parts)
    finally:
        parts.close()
    if masker is not None:
        say_masked(name, result.masked, masker, env)
    if args.explain and result.detection is not None:
        _explain(name, result, env)
    for warning in result.warnings:
        env.say(f"{name}: {warning}" if name != "-" else warning)
    if result.method == "passthrough" and args.shape in ("json", "observation"):
        _complete(result, source, prefix)
    _emit(name, source, result, args, env, many)
    telling = tool or (result.envelope.tool if result.envelope else None) or ""
    record(args, result, source, telling, time.perf_counter() - began, env)
    if result.problem is not None:
        env.say(f"{result.problem.line()} (the original passed through)")
        return result.problem.exit_code
    return UsageError.exit_code if args.fields and result.lacks_fields else 0


def _explain(name: str, result: Compaction, env: Environment) -> None:
    from mcpcompact.content.detect import detect

    detection = result.detection
    assert detection is not None
    all_verdicts = detect(result.envelope.source, explain=True).verdicts if result.envelope else detection.verdicts
    env.say(f"{name}: {detection.content_type} ({detection.score:.2f}: {detection.why}), {result.method}")
    if result.own is not None:
        env.say(f"{name}: our own, passed through: {result.own.what}, result {result.own.id}")
    for other, score, why in all_verdicts:
        if other != detection.content_type and score > 0:
            env.say(f"{name}:   {other} {score:.2f}: {why}")


def _complete(result: Compaction, source: Source, prefix: str) -> None:
    """The text of an untouched result, for the shapes that print it: a large one's too, and what stands before it."""
    if prefix:
        payload = result.envelope.source if result.envelope is not None else source
        text = payload.text
        result.text = text if result.own is not None and text.startswith(prefix) else prefix + text
    elif not result.text:
        result.text = source.text


def _emit(
    name: str, source: Source, result: Compaction, args: argparse.Namespace, env: Environment, many: bool
) -> None:
    if result.method == "passthrough" and args.shape in ("text", "same"):
        _emit_untouched(name, source, env, many)
        return
    if many and args.shape in ("text", "observation"):
        env.write(f"==> {name} <==\n")
    text = rendered(result, args.shape, name if many or name != "-" else "")
    if args.shape == "json" and not many:  # for a reader's eyes
        text = json.dumps(json.loads(text), ensure_ascii=False, indent=2) + "\n"
    env.write(text)


def _emit_untouched(name: str, source: Source, env: Environment, many: bool) -> None:
    if many:
        env.write(f"==> {name} <==\n")
    _pass_through(source, env)
    if many and source.read(max(0, source.size - 1), source.size) != b"\n":
        env.write("\n")


def _pass_through(source: Source, env: Environment) -> None:
    for block in source.blocks():
        if env.stdout_isatty:
            env.write(block.decode("utf-8", "replace"))
        else:
            env.write_bytes(block)
