"""Trajectories of SWE-agent: steps of action and observation, and a ``history`` that repeats them as messages.

Also the ones that Nebius published, whose steps are messages (``role`` of system, user or ai, and ``text``), and files
with a ``history`` alone (demonstrations).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, text_of
from mcpcompact.transcripts.chat import answer, number, say
from mcpcompact.transcripts.document import UNREADABLE, Document, listed, mapped, parse, stated
from mcpcompact.transcripts.model import Place, Transcript, Usage

COMMANDS = {
    "open",
    "goto",
    "scroll_down",
    "scroll_up",
    "create",
    "edit",
    "insert",
    "append",
    "search_dir",
    "search_file",
    "find_file",
    "submit",
    "view_image",
    "str_replace_editor",
    "filemap",
    "set_cursors",
    "connect_start",
    "connect_sendline",
    "connect_exec",
    "disassemble",
    "decompile",
    "debug_start",
    "debug_add_breakpoint",
    "debug_continue",
    "debug_step",
    "debug_exec",
    "debug_stop",
    "exit_forfeit",
}
"""SWE-agent's own commands; everything else runs in bash."""


class SweAgent:
    name = "swe_agent_traj"

    def sniff(self, document: Document) -> float:
        root = document.root
        element = mapped(root[0]) if isinstance(root, list) and root else mapped(root)
        steps, history = listed(_steps(element)[0]), listed(element.get("history"))
        if any(isinstance(step, dict) and ("observation" in step or _by_nebius(step)) for step in steps[:4]):
            return 1.0
        typical = {"message_type", "agent", "is_demo", "thought"}
        return float(any(isinstance(m, dict) and "role" in m and len(typical & m.keys()) > 1 for m in history[:8]))

    def read(self, document: Document) -> Iterator[Transcript]:
        if document.is_lines:
            runs = [(Place(number, ()), line) for number, line in document.lines()]
        else:
            value = document.value()
            whole = Place(0, ())
            runs = [(whole.under(n), v) for n, v in enumerate(value)] if isinstance(value, list) else [(whole, value)]
        for index, (at, run) in enumerate(runs, 1):
            run = mapped(run)
            name = stated(run.get("instance_id")) or str(index)
            build = Builder(self.name, document.path, f"{name}#{index}" if len(runs) > 1 else "")
            self._run(build, run, at)
            yield build.transcript

    def _run(self, build: Builder, run: dict[str, Any], at: Place) -> None:
        build.transcript.model = _model(run)
        stats = mapped(mapped(run.get("info")).get("model_stats"))
        sent, received = number(stats.get("tokens_sent")), number(stats.get("tokens_received"))
        build.transcript.usage = Usage(fresh=sent, output=received) if sent or received else None
        steps, key = _steps(run)
        history = listed(run.get("history"))
        if not isinstance(steps, list) or not steps:
            for index, message in enumerate(history):
                say(build, message, at.under("history", index), answers="all")
            return
        if any(_by_nebius(step) for step in steps if isinstance(step, dict)):
            _messages(build, steps, at.under(*key))
            return
        _prompt(build, history)
        for index, step in enumerate(steps):
            if not isinstance(step, dict):
                build.skip(type(step).__name__)
                continue
            self._step(build, step, at.under(*key, index))

    def _step(self, build: Builder, step: dict[str, Any], at: Place) -> None:
        action = stated(step.get("action")).strip("\n")
        build.say("assistant", stated(step.get("response")) or stated(step.get("thought")))
        if not action and not step.get("observation"):
            return
        call = mapped((listed(step.get("tool_calls")) or [None])[0])
        function = mapped(call.get("function"))
        if function:
            made = build.call(call.get("id"), function.get("name"), function.get("arguments"))
        else:
            word = action.split(maxsplit=1)[0] if action.strip() else ""
            made = build.call("", word if word in COMMANDS else "bash", {"command": action})
        text, places, images = text_of(step.get("observation"), at.under("observation"))
        build.result("", text, places=places, images=images, call=made)


def _steps(run: dict[str, Any]) -> tuple[Any, tuple[str | None, ...]]:
    """The trajectory and the path to it; some data sets hold it as a JSON string."""
    value = run.get("trajectory")
    if isinstance(value, str):
        parsed = parse(value)
        return [] if parsed is UNREADABLE else parsed, ("trajectory", None)
    return value, ("trajectory",)


def _by_nebius(step: dict[str, Any]) -> bool:
    return step.get("role") in ("ai", "user", "system") and ("text" in step or "system_prompt" in step)


def _prompt(build: Builder, history: list[Any]) -> None:
    """What stands before the first step: system prompt, demonstrations, the task."""
    for message in map(mapped, history):
        if message.get("role") not in ("system", "user") and not message.get("is_demo"):
            return
        text = text_of(message.get("content"))[0]
        build.say("system" if message.get("role") == "system" else "user", text)


def _messages(build: Builder, steps: list[Any], at: Place) -> None:
    for index, step in enumerate(map(mapped, steps)):
        role, text = step.get("role"), stated(step.get("text"))
        if role == "system":
            build.say("system", stated(step.get("system_prompt")) or text)
        elif role == "ai":
            build.say("assistant", text)
        elif role == "user" and any(message.role == "assistant" for message in build.messages):
            answer(build, text, [at.under(index, "text")] if isinstance(step.get("text"), str) else [])
        elif role == "user":
            build.say("user", text)
        else:
            build.skip(f"step of {role}")


def _model(run: dict[str, Any]) -> str:
    if isinstance(run.get("model_name"), str):
        return str(run["model_name"])
    config = run.get("replay_config")
    config = mapped(parse(config)) if isinstance(config, str) else mapped(config)
    return stated(mapped(mapped(config.get("agent")).get("model")).get("name"))


FORMAT = SweAgent()
