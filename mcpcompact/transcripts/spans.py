"""Traces: model calls as spans, each of which repeats the history before it, or tells only what is new.

A conversation is the calls whose prompts begin with the same message of the user. Of each prompt, what stands in the
conversation already is passed over: by its id, or by its turn. Spans of tools speak for those tools whose results stand
in no prompt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from mcpcompact.transcripts.blocks import CALLS, RESULTS, Answer, Said, call, first, read_json, say, told
from mcpcompact.transcripts.builder import UNUSABLE_IDS, Builder
from mcpcompact.transcripts.document import listed, mapped, stated
from mcpcompact.transcripts.model import Call, Message, Transcript, Usage

LISTS = ("messages", "contents", "input", "output", "choices", "prompt", "message", "content")
"""Under which keys a request or a response holds its messages."""


class ModelCall(NamedTuple):
    prompt: Sequence[Said]
    spoken: Sequence[Said]
    usage: Usage | None = None
    model: str = ""


class ToolCall(NamedTuple):
    tool: str
    arguments: object
    answer: Answer
    ran: bool = True  # whether its output is recorded


Span = ModelCall | ToolCall


class Node(NamedTuple):
    """A span of a trace and the one that it stands in; ``span`` is None when it is neither a model's nor a tool's."""

    id: str
    parent: str
    span: Span | None
    kind: str = ""


def transcripts(format: str, source: str, nodes: Sequence[Node]) -> Iterator[Transcript]:
    """The conversations of a trace, whose spans stand in the order in which they began. What was said by no message is
    counted in the first one."""
    spans = {node.id: node.span for node in nodes}
    parents = {node.id: node.parent for node in nodes}
    within: dict[str, str] = {}  # of each model's span, the nearest model's span around it
    for node in nodes:
        outer, seen = node.parent, {"", node.id}
        while outer not in seen and not isinstance(spans.get(outer), ModelCall):
            seen.add(outer)
            outer = parents.get(outer, "")
        if isinstance(node.span, ModelCall) and outer not in seen:
            within[node.id] = outer
    for inner, outer in within.items():  # one call, told by two libraries
        poor = inner if _rich(spans[outer]) and not _rich(spans[inner]) else outer
        spans[poor] = None
    skipped = Builder(format, source)
    for node in nodes:
        if spans[node.id] is None:
            skipped.skip(f"span {node.kind}".strip())
    threads = _conversations(format, source, [span for span in spans.values() if span is not None])
    for number, thread in enumerate(threads or [_Thread(skipped)], 1):
        thread.build.transcript.name = str(number) if len(threads) > 1 else ""
        if number == 1:
            thread.build.transcript.skipped.update(skipped.transcript.skipped)
        yield thread.build.transcript


def _rich(span: object) -> bool:
    return isinstance(span, ModelCall) and bool(span.prompt or span.spoken)


def messages(value: Any, role: str) -> list[Said]:
    """What a request or a response says, in whichever API's shape; ``role`` is whose a bare text is."""
    value = read_json(value)
    if not value:
        return []
    if isinstance(value, dict):
        system = first({**mapped(value.get("config")), **value}, ("system", "system_instruction", "instructions"))
        before = [told({"role": "system", "content": system})] if system else []
        key = next((key for key in LISTS if value.get(key) not in (None, "", [])), "")
        if "role" in value or "type" in value or not key:
            return [*before, *messages([value], role)]
        return [*before, *messages(value[key], role)]
    if isinstance(value, str):
        return [told({"role": role, "content": value})]
    return [said for item in listed(value) for said in _message(item, role)]


def _message(item: Any, role: str) -> list[Said]:
    item = read_json(item)
    if isinstance(item, dict) and isinstance(item.get("message"), dict):
        item = item["message"]
    if not isinstance(item, dict):
        return messages(item, role) if isinstance(item, list) else [told({"role": role, "content": item})]
    kind = stated(item.get("type"))
    if "role" not in item and (kind in CALLS or "toolName" in item or "functionCall" in item):
        return [told({"role": "assistant", "content": [item | {"type": kind or "tool-call"}]})]
    if "role" not in item and kind in RESULTS:
        return [told({"role": "user", "content": [item]})]
    if kind == "reasoning":
        return []
    said = told(item if "role" in item else item | {"role": role})
    text = said.answers[0].text if said.role == "tool" else said.text
    calls = read_json(text) if text[:2] == "[{" else None
    if isinstance(calls, list) and all("function" in mapped(made) or "toolName" in mapped(made) for made in calls):
        return [told({"role": "assistant", "tool_calls": calls})]
    return [said] if said.role else []


def _conversations(format: str, source: str, spans: Sequence[Span]) -> list[_Thread]:
    told = [span for span in spans if isinstance(span, ModelCall)]
    known = {result.tool for thread in _threads(format, source, told) for result in thread.build.transcript.results}
    rest = [span for span in spans if isinstance(span, ModelCall) or span.tool not in known]
    return _threads(format, source, rest)


def _threads(format: str, source: str, spans: Iterable[Span]) -> list[_Thread]:
    threads: list[_Thread] = []
    for span in spans:
        thread = next((t for t in reversed(threads) if t.has(span)), None)
        if thread is None:
            thread = _Thread(Builder(format, source))
            threads.append(thread)
        thread.add(span)
    return threads


class _Thread:
    def __init__(self, build: Builder) -> None:
        self.build = build
        self.begins = ""
        self.made: dict[str, Call] = {}
        self.answered: set[str] = set()

    def has(self, span: Span) -> bool:
        """Whether the span goes on from this conversation."""
        if isinstance(span, ToolCall):
            return True
        brings = {str(answer.id) for said in span.prompt for answer in said.answers}
        begins = _begins(span.prompt)
        return bool(brings & self.made.keys()) or (bool(begins) and begins.startswith(self.begins))

    def add(self, span: Span) -> None:
        if isinstance(span, ToolCall):
            self.tool(span)
            return
        begins = _begins(span.prompt)
        turns = self.turns() if begins.startswith(self.begins) and self.begins else None
        self.begins = self.begins or begins
        self.build.transcript.model = span.model or self.build.transcript.model
        for said in span.prompt:
            self.hear(said, turns)
        self.speak(span.spoken, span.usage)

    def turns(self) -> dict[str, list[Message]]:
        """What was said so far, by role; a prompt that repeats it says it again in this order."""
        found: dict[str, list[Message]] = {"user": [], "assistant": [], "system": []}
        for message in self.build.messages:
            if message.role in found:
                found[message.role].append(message)
        return found

    def hear(self, said: Said, turns: dict[str, list[Message]] | None) -> None:
        """Say what is new in a message of a prompt."""
        if turns is not None and said.answers:
            heard = turns.setdefault("tool", [m for m in self.build.messages if m.role == "tool"])
        for answer in said.answers:
            id = str(answer.id or "")
            if id in self.answered or (id in UNUSABLE_IDS and turns is not None and heard and heard.pop(0)):
                continue
            made = self.made.get(id) or next(iter(self.waiting(answer.tool)), None)
            self.build.result(
                id, answer.text, places=answer.places, is_error=answer.failed, images=answer.images, call=made
            )
            self.answered |= {id} - UNUSABLE_IDS
        if said.role == "assistant":
            known = bool(said.calls) and all(str(made[0]) in self.made for made in said.calls)
            earlier = turns["assistant"].pop(0) if turns and turns["assistant"] and not known else None
            if earlier is not None and not earlier.calls:
                self.announce(said, earlier)
            elif earlier is None and not known:
                self.speak([said], None)
        elif said.role == "system":
            if not any(message.role == "system" and message.text == said.text for message in self.build.messages):
                say(self.build, said)
        elif (
            said.role == "user"
            and (said.text or not said.answers)
            and not (turns and turns["user"] and turns["user"].pop(0))
        ):
            say(self.build, said._replace(answers=()))

    def speak(self, spoken: Sequence[Said], usage: Usage | None) -> None:
        message = self.build.say("assistant", "\n".join(said.text for said in spoken if said.text), usage=usage)
        for said in spoken:
            self.announce(said, message)

    def announce(self, said: Said, message: Message) -> None:
        new = [made for made in said.calls if str(made[0] or "") not in self.made]
        call(self.build, said._replace(calls=new), message)
        for made in list(message.calls)[len(message.calls) - len(new) :]:
            self.made[made.id] = made

    def waiting(self, tool: str) -> list[Call]:
        """Calls of that tool, or of any, that have no result yet."""
        answered = {id(result.call) for result in self.build.transcript.results}
        return [c for c in self.build.transcript.calls if id(c) not in answered and tool in ("", c.tool)]

    def tool(self, span: ToolCall) -> None:
        answer, waiting = span.answer, self.waiting(span.tool)
        made = waiting[0] if waiting else self.build.call(answer.id, span.tool, span.arguments, message=self.last())
        if span.ran:
            self.build.result("", answer.text, places=answer.places, is_error=answer.failed, call=made)

    def last(self) -> Message:
        """The latest message of the model; where none is recorded, one that counts as no call."""
        spoken = [message for message in self.build.messages if message.role == "assistant"]
        return spoken[-1] if spoken else self.build.say("assistant", continues=True)


def _begins(prompt: Sequence[Said]) -> str:
    return next((said.text for said in prompt if said.role == "user" and said.text), "")
