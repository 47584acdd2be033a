"""``mcpcompact run``: a command's output within the budget, all of it kept, and the command's own exit code."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mcpcompact.cli.io import Environment
from mcpcompact.errors import MaskError, McpcompactError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcpcompact.compaction import Compaction
    from mcpcompact.inputs.reading import Input
    from mcpcompact.outline import Source

CONTEXT = {"allow_interspersed_args": False}
"""What follows the command is the command's, with or without ``--``."""

COMPACTION, TELLING, PLACE = "How much", "What is said", "Where it goes"

BYTES_A_TOKEN = 4  # of what is no text nothing is counted


def run(
    context: typer.Context,
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="COMMAND...", help="The command and its arguments.", show_default=False),
    ] = None,
    shell: Annotated[
        str | None,
        typer.Option(metavar="STRING", help="Run this with bash instead; says which stage of a pipeline failed."),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(metavar="N", help="Most tokens of the output, notice included.", rich_help_panel=COMPACTION),
    ] = None,
    threshold: Annotated[
        int | None,
        typer.Option(metavar="N", help="An output of at most N tokens stays as it is.", rich_help_panel=COMPACTION),
    ] = None,
    max_chars: Annotated[
        int | None, typer.Option(metavar="N", help="Most characters, besides the budget.", rich_help_panel=COMPACTION)
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            metavar="HOST", help="Stay under the limit of codex, claude or vscode.", rich_help_panel=COMPACTION
        ),
    ] = None,
    content_type: Annotated[
        str | None,
        typer.Option("--type", metavar="TYPE", help="Content type, instead of detection.", rich_help_panel=TELLING),
    ] = None,
    focus: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What the reader looks for.", rich_help_panel=TELLING)
    ] = None,
    reader: Annotated[
        str | None,
        typer.Option(
            metavar="WHO", help="How the rest can be fetched: mcpcompact, shell, read, none.", rich_help_panel=TELLING
        ),
    ] = None,
    notice: Annotated[
        str | None, typer.Option(metavar="STYLE", help="full, short or none.", rich_help_panel=TELLING)
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="One JSON object, with exitCode.", rich_help_panel=TELLING)
    ] = False,
    model: Annotated[str | None, typer.Option(metavar="NAME", help="Count as this model does.")] = None,
    encoding: Annotated[str | None, typer.Option(metavar="NAME", help="o200k_base or cl100k_base.")] = None,
    mask: Annotated[
        bool, typer.Option("--mask", help="Replace secrets before anything is kept or printed.", rich_help_panel=PLACE)
    ] = False,
    results_dir: Annotated[
        str | None, typer.Option(metavar="DIR", help="Where outputs are kept.", rich_help_panel=PLACE)
    ] = None,
    no_store: Annotated[
        bool, typer.Option("--no-store", help="Do not keep the output.", rich_help_panel=PLACE)
    ] = False,
    config: Annotated[str | None, typer.Option(metavar="FILE", help="This configuration.")] = None,
) -> int:
    """Run a command and print its output within a token budget.

    All of it is kept, standard output and standard error as they came; an output that fits is not changed. Ends with
    the command's exit code, or with the signal that ended it.

    Example: mcpcompact run --budget 500 -- make test
    """
    if (shell is None) == (not command):
        raise UsageError("run: name a command, or a string with --shell", hint="such as mcpcompact run -- make test")
    args = SimpleNamespace(
        budget=budget, threshold=threshold, max_chars=max_chars, preset=preset, type=content_type, focus=focus,
        reader=reader, notice=notice, model=model, encoding=encoding, mask=mask, results_dir=results_dir,
        no_store=no_store, config=config, window_left=None, fields=None, exact=False, asking=None, encoding_in=None,
        server=None, tool=_tool(command, shell), shape="json" if json else "text",
    )  # fmt: skip
    return _Run(args, command or [], shell, context.obj or Environment()).ended()


def _tool(command: list[str] | None, shell: str | None) -> str:
    """What the notice, the stored file and policies call it: the command's name."""
    word = command[0] if command else next(iter((shell or "").split()), "")
    return os.path.basename(word) or "command"


class _Run:
    """One command: how its output is to be printed, which is checked before it runs, and what became of it."""

    def __init__(self, args: Any, command: list[str], shell: str | None, env: Environment) -> None:
        from mcpcompact import notice, tokens
        from mcpcompact.batch import store_of
        from mcpcompact.cli.policy import chooser_of, common_of, settings_of
        from mcpcompact.content.detect import load
        from mcpcompact.shell import command as line

        self.args, self.command, self.shell, self.env = args, command, shell, env
        settings = settings_of(args, "run")
        masks = args.mask or bool(settings and settings.masks(None, args.tool))
        arguments = {"command": line(*command) if shell is None else shell}
        self.common = common_of(args, arguments, settings, masks=masks)
        self.masker = self.common.masker if masks else None
        self.store = store_of(self.common)
        self.policy = chooser_of(args, settings).policy(None, args.tool)
        notice.check(self.policy)
        if args.type is not None:
            load(args.type)
        if said := tokens.resolve(args.model, args.encoding).note:
            env.say(said)

    def ended(self) -> int:
        """Run it; the exit code, or minus the number of the signal that ended it, as ``subprocess`` has it."""
        from mcpcompact.inputs.command import capture, capture_shell

        began = time.perf_counter()
        through = self.env.write_bytes if self.masker is None else _drop  # what may hold secrets is not printed
        run = capture(self.command, through) if self.shell is None else capture_shell(self.shell, through)
        try:
            if run.problem is not None:
                self.env.say(run.problem.line())
            if run.output is not None and run.output.size:
                self._print(run.output, run.exit_code, time.perf_counter() - began)
            self.env.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nobody reads on; how the command ended still counts
        finally:
            if run.output is not None:
                run.output.close()
        self._say_stages(run.stages)
        return run.returncode

    def _print(self, output: Input, exit_code: int, seconds: float) -> None:
        from mcpcompact.cli.measuring import record
        from mcpcompact.inputs.reading import masked

        try:
            source: Source = output if self.masker is None else masked(output, self.masker)
        except MaskError as error:
            self.env.say(f"the output is not printed: {error.line()}")
            return
        try:
            made = self._compacted(source, exit_code)
        except McpcompactError as error:
            self.env.say(f"{error.line()} (the output passed through)")
            self._write_untouched(source)
            return
        if self.args.shape == "json":
            self._write_json(made, source, exit_code)
        elif made.method == "passthrough":
            self._write_untouched(source)
        else:
            self.env.write(made.text if made.text.endswith("\n") else f"{made.text}\n")
        for warning in made.warnings:
            self.env.say(warning)
        if made.problem is not None:
            self.env.say(f"{made.problem.line()} (the output passed through)")
        record(self.args, made, source, self.args.tool, seconds, self.env)

    def _compacted(self, source: Source, exit_code: int) -> Compaction:
        from mcpcompact.batch import is_binary
        from mcpcompact.pipeline import compact

        if is_binary(source):
            return self._binary(source, exit_code)
        common = self.common
        return compact(
            source,
            policy=self.policy,
            tool=common.tool,
            arguments=common.arguments,
            focus=common.focus,
            content_type=common.content_type,
            model=common.model,
            encoding=common.encoding,
            store=self.store,
            results_option=common.results_option,
            exit_code=exit_code,
            mask=self.masker or False,
        )

    def _binary(self, source: Source, exit_code: int) -> Compaction:
        """Over the threshold a line that says so and where it is; nothing of it is shown."""
        from mcpcompact.compaction import Compaction
        from mcpcompact.tokens import counter, resolve

        policy, name = self.policy, self.args.tool
        tokens = -(-source.size // BYTES_A_TOKEN)
        found = Compaction(
            "", "binary", "passthrough", tokens, tokens, policy.budget, policy.passes_at, exact=False,
            original_bytes=source.size, masked=source.masked,
        )  # fmt: skip
        if not policy.enabled or tokens <= policy.passes_at:
            return found
        if self.store is not None:
            meta = {"tokens": tokens, "tokensExact": False, "tool": name, "arguments": self.common.arguments}
            found.reference = self.store.put(source, tool=name, content_type="binary", extension=".bin", meta=meta)
        code = f" (exit code {exit_code})" if exit_code else ""
        told = f"[mcpcompact] {name}{code}: {source.size:,} bytes that are no text, not shown"
        fetch = f"; all: {found.reference.commands[0]} --output FILE" if found.reference else "; they were not stored"
        count = counter(resolve(self.common.model, self.common.encoding).encoding).count
        found.text = next((text for text in (told + fetch, told) if count(text) < policy.budget), "[mcpcompact] binary")
        found.method, found.lossless, found.tokens = "outline", False, count(found.text)
        return found

    def _write_untouched(self, source: Source) -> None:
        for block in source.chunks():
            if self.env.stdout_isatty:
                self.env.write(block.decode("utf-8", "replace"))
            else:
                self.env.write_bytes(block)

    def _write_json(self, made: Compaction, source: Source, exit_code: int) -> None:
        from json import dumps

        if made.method == "passthrough":
            made.text = source.text
        self.env.write(dumps({"exitCode": exit_code} | made.as_dict(), ensure_ascii=False, indent=2) + "\n")

    def _say_stages(self, stages: Sequence[int]) -> None:
        """Which stages of the string's pipeline failed: the exit code is only that of its last one."""
        from mcpcompact.inputs.command import BROKEN_PIPE, stage_names

        names = stage_names(self.shell or "")
        for at, code in enumerate(stages):
            done = code == 0 or (code == BROKEN_PIPE and at + 1 < len(stages))
            if len(stages) > 1 and not done:
                name = f" ({names[at]})" if len(names) == len(stages) else ""
                self.env.say(f"stage {at + 1} of {len(stages)}{name} ended with exit code {code}")


def _drop(block: bytes) -> None:
    pass


def end_by(number: int) -> None:
    """End this process by a signal, so that a shell sees what it would have seen of the command itself."""
    import resource
    import signal

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))  # not our memory
    with suppress(OSError):  # SIGKILL and SIGSTOP cannot be set
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def standing_alone(argv: list[str], env: Environment | None) -> int:
    """Until the whole command line is one Typer app."""
    from mcpcompact.cli.running import run_command  # noqa: F401

    env = env or Environment()
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(context_settings=CONTEXT)(run)
    try:
        return int(app(argv, standalone_mode=False, obj=env) or 0)
    except McpcompactError as error:
        env.say(error.line())
        return error.exit_code
