"""Trajectories of SWE-agent: steps of action and observation, and a ``history`` that repeats them as messages. Also the
ones that Nebius published, whose steps are messages (``role`` of system, user or ai, and ``text``), and files with a
``history`` alone (demonstrations)."""

from __future__ import annotations

from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.transcripts.builder import FEW, NOWHERE, Builder, Document, Place, Tokens, listed, mapped, parse, stated
from mcpcompact.transcripts.chat import answer, say
from mcpcompact.transcripts.conversations import Conversations

STOPPED = regex(r"\s*Exit(?:ed)? due to ")  # what the host writes in place of a last response: of the window, the cost

OWN = """
open goto scroll_down scroll_up create edit insert append search_dir search_file find_file submit view_image
str_replace_editor filemap set_cursors connect_start connect_sendline connect_exec disassemble decompile debug_start
debug_add_breakpoint debug_continue debug_step debug_exec debug_stop exit_forfeit
"""
COMMANDS = frozenset(OWN.split())  # SWE-agent's own commands; everything else runs in bash

USAGE = Tokens("tokens_sent", "tokens_received")
EVENTS = {"source", "extras", "cause"}  # of OpenHands, whose observations are names
STEP = {"observation", "action", "response", "thought"}
HEARD = ("system", "user")
TYPICAL = {"message_type", "agent", "is_demo", "thought"}


class Format(Conversations):
    keys = frozenset({"trajectory", "history"})
    quiet = "exit of the host"
    holders = ("trajectory", "history")

    def sniff(self, document: Document) -> float:
        element = next(iter(document.objects), {})
        if "trajectory" in element:  # of a history alone its messages tell
            for step in map(mapped, self.held(element, NOWHERE)[0][:FEW]):
                if _by_nebius(step) or ("observation" in step and EVENTS.isdisjoint(step)):
                    return 1.0
        history = map(mapped, listed(element.get("history"))[:FEW])
        return float(any("role" in message and len(TYPICAL & message.keys()) > 1 for message in history))

    def is_message(self, value: Any) -> bool:
        return isinstance(value, dict) and ("role" in value or "observation" in value or "action" in value)

    def about(self, build: Builder, value: dict[str, Any]) -> None:
        config = value.get("replay_config")
        config = mapped(parse(config)) if isinstance(config, str) else mapped(config)
        build.model(value.get("model_name"), mapped(mapped(config.get("agent")).get("model")).get("name"))
        usage = USAGE.read(mapped(value.get("info")).get("model_stats"))
        build.transcript.usage = usage if usage and (usage.prompt or usage.output) else None
        steps = self.held(value, NOWHERE)[0]
        for message in map(mapped, listed(value.get("history"))):  # system prompt, demonstrations, the task
            if "role" in mapped(steps[0]) or (message.get("role") not in HEARD and not message.get("is_demo")):
                break
            build.hear(message.get("role"), message.get("content"))

    def message(self, build: Builder, message: dict[str, Any], at: Place) -> None:
        if _by_nebius(message):
            _message(build, message, at)
        elif "role" in message:
            say(build, message, at, answers="all")
        elif STEP & message.keys():
            _step(build, message, at)
        else:
            build.skip("step")


def _step(build: Builder, step: dict[str, Any], at: Place) -> None:
    action, words = stated(step.get("action")).strip("\n"), stated(step.get("response")) or stated(step.get("thought"))
    if STOPPED.match(words):
        build.skip("exit of the host")
        return
    build.say("assistant", words)
    if not action and not step.get("observation"):
        return
    call = mapped((listed(step.get("tool_calls")) or [None])[0])
    if function := mapped(call.get("function")):
        request = build.call(call.get("id"), function.get("name"), function.get("arguments"))
    else:
        word = action.split(maxsplit=1)[0] if action.strip() else ""
        request = build.call("", word if word in COMMANDS else "bash", {"command": action})
    build.answer("", step.get("observation"), at.under("observation"), call=request)


def _message(build: Builder, step: dict[str, Any], at: Place) -> None:
    role, text = step.get("role"), stated(step.get("text"))
    if role == "system":
        build.say("system", stated(step.get("system_prompt")) or text)
    elif STOPPED.match(text):
        build.skip("exit of the host")
    elif role == "ai":
        build.say("assistant", text)
    elif role == "user" and build.spoken:
        answer(build, text, [at.under("text")] if text else [])
    elif role == "user":
        build.say("user", text)
    else:
        build.skip(f"step of {role}")


def _by_nebius(step: dict[str, Any]) -> bool:
    return step.get("role") in ("ai", *HEARD) and ("text" in step or "system_prompt" in step)
