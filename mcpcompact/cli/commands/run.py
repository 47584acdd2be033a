"""``mcpcompact run``: a command's output within the budget, all of it kept, and the command's own exit code."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

from mcpcompact.batch import compactor_of, is_binary, observation_prefix, rendered, store_of
from mcpcompact.cli.io import Environment, silence
from mcpcompact.cli.options import Config, Text, Texts, argument, read
from mcpcompact.cli.policy import Shortening, record
from mcpcompact.errors import MaskError, McpcompactError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mcpcompact.compaction import Compaction
    from mcpcompact.inputs.reading import Input
    from mcpcompact.source import Source

# what follows the command is the command's, with or without ``--``
MORE = {"context_settings": {"allow_interspersed_args": False}}
BYTES_A_TOKEN = 4  # of what is no text nothing is counted


def run(
    env: Environment,
    asked: Shortening,
    command: Annotated[Texts, argument("COMMAND...", "Command to run, with its arguments.")] = None,
    shell: Annotated[Text, read("Run STRING with bash and report which stage of a pipeline failed.", "STRING")] = None,
    config: Config = None,
) -> int:
    """Run a command, fit its output into a token budget and exit with its exit code.

    mcpcompact run -- make test
    mcpcompact run --budget 300 -- kubectl describe pods
    mcpcompact run --shell 'grep -r TODO src | sort | uniq -c'
    """
    if (shell is None) == (not command):
        raise UsageError("run: name a command, or a string with --shell", hint="such as mcpcompact run -- make test")
    word = command[0] if command else next(iter((shell or "").split()), "")
    asked.tool = asked.tool or os.path.basename(word) or "command"  # in the notice, the stored file's name and policies
    return _Run(asked, command or [], shell, env).ended()


class _Run:
    """One command: how its output is to be printed, which is checked before it runs, and what became of it."""

    def __init__(self, asked: Shortening, command: list[str], shell: str | None, env: Environment) -> None:
        from mcpcompact import notice
        from mcpcompact.content.detect import load
        from mcpcompact.shell import command as line

        self.asked, self.command, self.shell, self.env = asked, command, shell, env
        settings = asked.settings(env.settings)
        masks = asked.mask or bool(settings and settings.masks(asked.server, asked.tool))
        called = asked.arguments() or {"command": line(*command) if shell is None else shell}
        self.common = asked.common(called, settings, None, masks=masks)
        self.masker = self.common.masker if masks else None
        self.store = store_of(self.common)
        self.failed = 0
        """The exit code where the command's is 0 and not all could be printed."""
        self.policy = asked.chooser(settings).policy(asked.server, asked.tool)
        notice.check(self.policy)
        if asked.content_type is not None:
            load(asked.content_type)
        asked.say_model(env)

    def ended(self) -> int:
        """Run it; the exit code, or minus the number of the signal that ended it, as ``subprocess`` has it."""
        from mcpcompact.inputs.command import capture, capture_shell

        began = time.perf_counter()
        run = capture(self.command, self._pass) if self.shell is None else capture_shell(self.shell, self._pass)
        try:
            if run.problem is not None:
                self.env.say(run.problem.line())
            if run.output is not None and run.output.size:
                self._print(run.output, run.exit_code, time.perf_counter() - began)
            self.env.stdout.flush()
        except BrokenPipeError:
            silence()
        finally:
            if run.output is not None:
                run.output.close()
        self._say_stages(run.stages)
        return run.returncode or self.failed

    def _pass(self, blocks: Iterator[bytes]) -> None:
        """Print what cannot be kept as it comes, masked if asked. What cannot be masked is read, and not shown."""
        try:
            self.env.write_blocks(blocks if self.masker is None else self.masker.blocks(blocks))
        except BrokenPipeError:
            silence()
        except MaskError as error:
            self._say_unmasked(error)
            for _ in blocks:  # so that the command comes to its own end
                pass

    def _say_unmasked(self, error: MaskError) -> None:
        self.env.say(f"what is not printed of the output could not be masked: {error.line()}")
        self.failed = error.exit_code

    def _print(self, output: Input, exit_code: int, seconds: float) -> None:
        from mcpcompact.inputs.reading import masked

        try:
            source: Source = output if self.masker is None else masked(output, self.masker)
        except MaskError as error:
            self._say_unmasked(error)
            return
        except McpcompactError as error:  # no room for the masked copy
            self.env.say(f"{error.line()} (the output passed through, not stored)")
            self._pass(output.chunks())
            return
        try:
            result = self._compacted(source, exit_code)
        except McpcompactError as error:
            self.env.say(f"{error.line()} (the output passed through)")
            self.env.write_blocks(source.chunks())
            return
        self._write(result, source, exit_code)
        for warning in result.warnings:
            self.env.say(warning)
        if result.problem is not None:
            self.env.say(f"{result.problem.line()} (the output passed through)")
        record(self.asked, result, source, self.asked.tool or "", seconds, self.env)

    def _compacted(self, source: Source, exit_code: int) -> Compaction:
        from mcpcompact.pipeline import ToolCall

        if is_binary(source, self.asked.encoding_in):
            return self._binary(source, exit_code)
        common = self.common
        call = ToolCall(common.tool, common.server, common.arguments, common.focus, exit_code=exit_code)
        return compactor_of(source, common, self.policy, self.store, self.masker).compact(source, call)

    def _binary(self, source: Source, exit_code: int) -> Compaction:
        """Over the threshold a line that says so and where it is; nothing of it is shown."""
        from mcpcompact.compaction import Compaction
        from mcpcompact.tokens import counter, resolve

        policy, name = self.policy, self.asked.tool
        tokens = -(-source.size // BYTES_A_TOKEN)
        result = Compaction(
            "binary", "passthrough", tokens, tokens, policy.budget, policy.passes_at, "", exact=False,
            original_bytes=source.size, masked=source.masked,
        )  # fmt: skip
        if not policy.enabled or tokens <= policy.passes_at:
            return result
        if self.store is not None:
            from mcpcompact.results import Original

            meta = {"tokens": tokens, "tokensExact": False, "tool": name, "arguments": self.common.arguments}
            result.reference = self.store.put(Original(source, "binary", ".bin", name, meta))
        code = f" (exit code {exit_code})" if exit_code else ""
        note = f"[mcpcompact] {name}{code}: {source.size:,} bytes that are no text, not shown"
        fetch = f"; all: {result.reference.commands[0]} --output FILE" if result.reference else "; they were not stored"
        count = counter(resolve(self.common.model, self.common.encoding).encoding).count
        fitting = (text for text in (note + fetch, note) if count(text) < policy.budget)
        result.text = next(fitting, "[mcpcompact] binary")
        result.method, result.lossless, result.tokens = "outline", False, count(result.text)
        return result

    def _write(self, result: Compaction, source: Source, exit_code: int) -> None:
        from mcpcompact.cli.commands.summarize import complete, explain

        form = self.asked.form
        if self.asked.explain and result.detection is not None:
            explain(self.asked.tool or "", result, self.env)
        if result.method == "passthrough" and form in ("text", "same"):
            self.env.write_blocks(source.chunks())
            return
        if result.method == "passthrough":
            complete(result, source, observation_prefix(source, self.asked.server, self.asked.tool) * (form != "json"))
        if form == "json":
            self.env.write_json({"exitCode": exit_code} | result.as_dict(), indent=2)
        else:
            self.env.write(rendered(result, form))

    def _say_stages(self, stages: Sequence[int]) -> None:
        """Which stages of the string's pipeline failed: the exit code is only that of its last one."""
        from mcpcompact.inputs.command import BROKEN_PIPE, stage_names

        names = stage_names(self.shell or "")
        for at, code in enumerate(stages):
            done = code == 0 or (code == BROKEN_PIPE and at + 1 < len(stages))
            if len(stages) > 1 and not done:
                name = f" ({names[at]})" if len(names) == len(stages) else ""
                self.env.say(f"stage {at + 1} of {len(stages)}{name} ended with exit code {code}")


def end_by(number: int) -> None:
    """End this process by a signal, so that a shell sees what it would have seen of the command itself."""
    import resource
    import signal

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))  # not our memory
    with suppress(OSError):  # SIGKILL and SIGSTOP cannot be set
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
