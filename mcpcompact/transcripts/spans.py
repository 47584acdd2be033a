"""Traces: model calls as spans, each of which repeats the history before it, or tells only what is new.

A conversation is the calls whose prompts begin with the same message of the user. Of each prompt, what stands in the
conversation already is passed over: by its id, or by its turn. Spans of tools speak for those tools whose results stand
in no prompt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from mcpcompact.transcripts.blocks import CALLS, RESULTS, Answer, Said, answered, first, read_json, say, told
from mcpcompact.transcripts.builder import UNUSABLE_IDS, Builder, listed, mapped, stated
from mcpcompact.transcripts.model import Call, Message, Transcript, Usage

MESSAGE = {"content", "type", "name", "id", "tool_call_id", "status", "isError", "additional_kwargs",
           "response_metadata", "artifact"}  # fmt: skip
LISTS = ("messages", "contents", "input", "output", "choices", "prompt", "message", "content")
"""Under which keys a request or a response holds its messages."""


class ModelCall(NamedTuple):
    prompt: Sequence[Said]
    spoken: Sequence[Said]
    usage: Usage | None = None
    model: str = ""
    trace: str = ""


class ToolCall(NamedTuple):
    """A tool's run; without an answer, none is recorded."""

    tool: str
    arguments: object
    answer: Answer | None


def ran(tool: str, id: object, arguments: object, output: object, failed: bool) -> ToolCall:
    """A tool's run; what it put out may be its message, or blocks."""
    if output is None and not failed:
        return ToolCall(tool, arguments, None)
    value = read_json(output)
    wrapped = isinstance(value, dict) and "content" in value and value.keys() <= MESSAGE
    wrapped = wrapped or stated(mapped(value).get("type")) in RESULTS
    answer = answered(value if wrapped else {"output": output})
    return ToolCall(tool, arguments, answer._replace(id=id or answer.id, is_error=failed or answer.is_error))


Span = ModelCall | ToolCall


class Node(NamedTuple):
    """A span of a trace and the one that it stands in; ``span`` is None when it is neither a model's nor a tool's."""

    id: str
    parent: str
    span: Span | None
    kind: str = ""


def transcripts(format: str, source: str, nodes: Sequence[Node]) -> Iterator[Transcript]:
    """The conversations of a trace, whose spans stand in the order in which they began. Spans that are no call are
    counted in the first one."""
    spans = _once(nodes)
    skipped = Builder(format, source)
    for node in nodes:
        if spans[node.id] is None:
            skipped.skip(f"span {node.kind}".strip())
    calls = [span for span in spans.values() if isinstance(span, ModelCall)]
    known = {result.tool for thread in _threads(format, source, calls) for result in thread.build.transcript.results}
    rest = [span for span in spans.values() if isinstance(span, ModelCall) or (span and span.tool not in known)]
    threads = _threads(format, source, rest) or [_Thread(skipped)]
    threads[0].build.transcript.skipped = skipped.transcript.skipped
    for number, thread in enumerate(threads, 1):
        thread.build.transcript.name = str(number) if len(threads) > 1 else ""
        yield thread.build.transcript


def _once(nodes: Sequence[Node]) -> dict[str, Span | None]:
    """The spans by id. Where two libraries tell of one model call, a span within a span, one stays: the inner one,
    unless only the outer one has the messages."""
    spans = {node.id: node.span for node in nodes}
    parents = {node.id: node.parent for node in nodes}
    for node in nodes:
        outer, seen = node.parent, {"", node.id}
        while outer not in seen and not isinstance(spans.get(outer), ModelCall):
            seen.add(outer)
            outer = parents.get(outer, "")
        if isinstance(node.span, ModelCall) and outer not in seen:
            spans[node.id if _rich(spans[outer]) and not _rich(node.span) else outer] = None
    return spans


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
    return [turn for item in listed(value) for turn in _message(item, role)]


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
    turn = told(item if "role" in item else item | {"role": role})
    if not turn.role and "function" not in mapped(item.get("content")):  # a tool's message may have its name for a role
        turn = told(item | {"role": "tool", "name": item["role"]})
    text = turn.answers[0].text if turn.role == "tool" else turn.text
    calls = read_json(text) if text[:1] in ("[", "{") else None
    if turn.role == "tool" and stated(mapped(calls).get("type")) in RESULTS:
        return [told({"role": "tool", "content": [calls]})]
    if isinstance(calls, list) and all("function" in mapped(call) or "toolName" in mapped(call) for call in calls):
        return [told({"role": "assistant", "tool_calls": calls})]
    return [turn] if turn.role else []


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
        self.begins, self.trace, self.heard = "", "", 0
        self.calls: dict[str, Call] = {}
        self.answered: set[str] = set()

    def has(self, span: Span) -> bool:
        """Whether the span goes on from this conversation."""
        if isinstance(span, ToolCall):
            return True
        brings = {str(answer.id) for turn in span.prompt for answer in turn.answers}
        if brings & self.calls.keys():
            return True
        return self.repeats(span) and (span.trace == self.trace or len(span.prompt) > self.heard)

    def repeats(self, span: ModelCall) -> bool:
        """Whether its prompt begins as this conversation does; one that is plain text goes on in the same text."""
        begins = _begins(span.prompt)
        grows = len(span.prompt) == 1 and begins.startswith(f"{self.begins}\n")
        return bool(begins) and (not self.begins or begins == self.begins or grows)

    def add(self, span: Span) -> None:
        if isinstance(span, ToolCall):
            self.tool(span)
            return
        turns = self.turns() if self.begins and self.repeats(span) else None
        self.begins, self.trace, self.heard = self.begins or _begins(span.prompt), span.trace, len(span.prompt)
        self.build.transcript.model = span.model or self.build.transcript.model
        for turn in span.prompt:
            self.hear(turn, turns)
        self.speak(span.spoken, span.usage)

    def turns(self) -> dict[str, list[Message]]:
        """What was said so far, by role; a prompt that repeats it says it again in this order."""
        turns: dict[str, list[Message]] = {}
        for message in self.build.messages:
            turns.setdefault(message.role, []).append(message)
        return turns

    def hear(self, turn: Said, turns: dict[str, list[Message]] | None) -> None:
        """Say what is new in a message of a prompt. ``turns`` are what was said, if the prompt repeats it."""
        for answer in turn.answers:
            self.answer(answer, turns)
        if turn.role == "assistant":
            known = bool(turn.calls) and all(str(call.id) in self.calls for call in turn.calls)
            earlier = None if known else _next(turns, "assistant")
            if earlier is not None and not earlier.calls:
                self.announce(turn, earlier)
            elif earlier is None and not known:
                self.speak([turn], None)
        elif turn.role == "system":
            if not any(message.role == "system" and message.text == turn.text for message in self.build.messages):
                say(self.build, turn)
        elif turn.role == "user" and (turn.text or not turn.answers) and _next(turns, "user") is None:
            say(self.build, turn._replace(answers=()))

    def answer(self, answer: Answer, turns: dict[str, list[Message]] | None) -> None:
        id = str(answer.id or "")
        if id in self.answered or (id in UNUSABLE_IDS and _next(turns, "tool")):
            return
        call = self.calls.get(id) or next(iter(self.waiting(answer.tool)), None)
        text, places, images = answer.text, answer.places, answer.images
        self.build.result(id, text, places=places, failed=answer.is_error, images=images, call=call)
        self.answered |= {id} - UNUSABLE_IDS

    def speak(self, spoken: Sequence[Said], usage: Usage | None) -> None:
        message = self.build.say("assistant", "\n".join(turn.text for turn in spoken if turn.text), usage=usage)
        for turn in spoken:
            self.announce(turn, message)

    def announce(self, turn: Said, message: Message) -> None:
        for request in turn.calls:
            if str(request.id or "") not in self.calls:
                call = self.build.call(*request, message=message)
                self.calls[call.id] = call

    def waiting(self, tool: str) -> list[Call]:
        """Calls of that tool, or of any, that have no result yet."""
        answered = {id(result.call) for result in self.build.transcript.results}
        return [c for c in self.build.transcript.calls if id(c) not in answered and tool in ("", c.tool)]

    def tool(self, span: ToolCall) -> None:
        answer, waiting = span.answer, self.waiting(span.tool)
        id = answer.id if answer else ""
        call = waiting[0] if waiting else self.build.call(id, span.tool, span.arguments, message=self.last())
        if answer:
            self.build.result("", answer.text, failed=answer.is_error, call=call)

    def last(self) -> Message:
        """The latest message of the model; where none is recorded, one that counts as no call."""
        return self.build.spoken[-1] if self.build.spoken else self.build.say("assistant", continues=True)


def _begins(prompt: Sequence[Said]) -> str:
    return next((turn.text for turn in prompt if turn.role == "user" and turn.text), "")


def _next(turns: dict[str, list[Message]] | None, role: str) -> Message | None:
    return turns[role].pop(0) if turns and turns.get(role) else None
