"""Steps of web agents in BrowserGym and WebArena: a prompt with the page as its accessibility tree, and the action, as
``output`` or as the last of the messages (NNetNav has both). ``task_name`` or ``id`` tells several tasks apart. Each
step is a prompt of its own: what a page showed is not sent again in the next step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.transcripts.builder import Builder, Document, Reader, listed, mapped, stated, text_of
from mcpcompact.transcripts.chat import role_of
from mcpcompact.transcripts.model import Call, Place, Transcript

FENCED = regex(r"```\s*([^`]+?)\s*```")
ACTION = regex(r"\b([a-z_]{2,40})\(([^\n]*)")
BRACKETS = regex(r"\A([a-z_]{2,40})\s*((?:\[.*\])?)", 16)  # DOTALL: WebArena's ``type [12] [text] [1]``
TOOL = "browser"
TASKS = ("task_name", "task_id", "id")


class Format(Reader):
    keys = frozenset({"output"})

    def sniff(self, document: Document) -> float:
        return 0.9 * any(map(_is_step, document.some[:1]))

    def read(self, document: Document) -> Iterator[Transcript]:
        steps = list(document.records())
        tasks: dict[str, _Task] = {}
        left = Builder(self.name, document.path)  # counts what is no step
        for at, step in steps:
            if not _is_step(step):
                left.skip("record")
                continue
            name = next((str(step[key]) for key in TASKS if isinstance(step.get(key), (str, int))), "")
            tasks.setdefault(name, _Task(self.name, document.path, name)).step(step, at, acts=len(steps) > 1)
        for number, task in enumerate(tasks.values()):
            task.transcript.name = task.transcript.name if len(tasks) > 1 else ""
            task.transcript.skipped |= {} if number else left.transcript.skipped
            yield task.transcript


class _Task(Builder):
    asked: Call | None = None

    def step(self, step: dict[str, Any], at: Place, acts: bool) -> None:
        """``acts``: another step may show what its action did."""
        self.forget(range(len(self.messages)))
        messages = list(map(mapped, step["messages"]))
        output = text_of(step.get("output"))[0]
        if role_of(messages[-1]) == "assistant":  # the same, or all there is
            output = output or text_of(messages[-1].get("content"))[0]
            messages.pop()
        for index, message in enumerate(messages):
            content, where, role = message.get("content"), at.under("messages", index, "content"), role_of(message)
            if role == "user":
                self.answer("", content, where, call=self.asked or Call("", TOOL))
                self.asked = None
            elif role == "assistant":
                text, places, _ = text_of(content, where)
                self.say("assistant", text, places=places)
            elif role:
                self.hear("system", content, where)
        self.say("assistant", output)
        if acts and (action := _action(output)):
            self.asked = self.call("", TOOL, {"action": action[0], "input": action[1]})


def _action(output: str) -> tuple[str, str] | None:
    """The action and its arguments, as a call in Python or with each argument in brackets."""
    fenced = FENCED.findall(output)
    if match := ACTION.search(fenced[-1] if fenced else output):
        return match[1], match[2].rpartition(")")[0]
    match = BRACKETS.match(fenced[-1]) if fenced else None
    return (match[1], match[2]) if match else None


def _is_step(value: Any) -> bool:
    step = mapped(value)
    messages = [mapped(message) for message in listed(step.get("messages"))]
    roles = [stated(message.get("role")) for message in messages]
    return "output" in step and "user" in roles and not any("tool_calls" in message for message in messages)
