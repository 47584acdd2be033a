"""Runs of OpenHands before version 1: events, each an action or an observation, which names the action that caused it.
A file holds the events of one run, or a line a run (``output.jsonl``); older ones hold pairs of an action and its
observation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, text_of
from mcpcompact.transcripts.chat import usage_of
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.model import Call, Message, Place, Transcript

HISTORIES = ("history", "trajectory", "events")
EVENT = {"args", "extras", "cause"}
HOST = {"change_agent_state", "recall", "null", "condensation_request"}
"""Actions that no model asked for."""
LOOKED = 8


class OpenHandsV0:
    name = "openhands_v0"

    def sniff(self, document: Document) -> float:
        events = [event for event, _ in _events(document.root, Place(0, ()))[:LOOKED]] or document.first
        return float(bool(events) and all(map(is_event, events)))

    def read(self, document: Document) -> Iterator[Transcript]:
        if document.is_lines and is_event(document.root):
            yield _Run(document, "").read([(line, at) for at, line in document.sections()], {})
            return
        for number, (at, value) in enumerate(document.sections(), 1):
            run = mapped(value)
            name = stated(run.get("instance_id")) or str(number)
            yield _Run(document, name if document.is_lines else "").read(_events(value, at), run)


class _Run:
    def __init__(self, document: Document, name: str) -> None:
        self.build = Builder(OpenHandsV0.name, document.path, name)
        self.calls: dict[object, Call] = {}
        self.said: dict[str, Message] = {}  # by the id of the model's response
        self.stands: dict[object, int] = {}  # where each event's message is

    def read(self, events: list[tuple[Any, Place]], run: dict[str, Any]) -> Transcript:
        config = mapped(mapped(run.get("metadata")).get("llm_config"))
        transcript = self.build.transcript
        transcript.model = stated(config.get("model"))
        for event, at in events:
            event = mapped(event)
            self.build.here = at
            self.stands[event.get("id")] = len(self.build.messages)
            if "observation" in event:
                self.observation(event, at)
            else:
                self.action(stated(event.get("action")), event, mapped(event.get("args")))
        if not any(message.usage for message in self.build.messages):
            transcript.usage = usage_of(mapped(run.get("metrics")).get("accumulated_token_usage"))
        return transcript

    def action(self, kind: str, event: dict[str, Any], args: dict[str, Any]) -> None:
        build, source = self.build, event.get("source")
        if kind == "system":
            build.say("system", stated(args.get("content")))
        elif kind == "message" and source == "user":
            build.say("user", stated(args.get("content")))
        elif kind == "condensation":
            self.condense(args)
        elif source == "agent" and kind and kind not in HOST:
            about = mapped(event.get("tool_call_metadata"))
            response = mapped(about.get("model_response"))
            message = self.message(response, stated(args.get("content")) or stated(args.get("thought")))
            if kind != "message":
                tool = about.get("function_name") or kind
                arguments = _arguments(response, about.get("tool_call_id")) or args
                made = build.call(about.get("tool_call_id"), tool, arguments, message=message)
                self.calls[event.get("id")] = made
        else:
            build.skip(f"action {kind}")

    def message(self, response: dict[str, Any], thought: str) -> Message:
        """The model's message that an action is part of: actions of one response are parallel calls."""
        id = stated(response.get("id"))
        if id and id in self.said:
            return self.said[id]
        spoken = text_of(_message(response).get("content"))[0]
        said = self.build.say("assistant", spoken or thought, usage=usage_of(response.get("usage")))
        self.build.transcript.model = self.build.transcript.model or stated(response.get("model"))
        self.said[id] = said
        return said

    def observation(self, event: dict[str, Any], at: Place) -> None:
        kind, call = stated(event.get("observation")), self.calls.get(event.get("cause"))
        if call is None:
            self.build.skip(f"observation {kind}")
            return
        exit_code = mapped(mapped(event.get("extras")).get("metadata")).get("exit_code")
        failed = kind == "error" or event.get("success") is False or (isinstance(exit_code, int) and exit_code > 0)
        text, places, images = text_of(event.get("content"), at.under("content"))
        self.build.result(call.id, text, places=places, images=images, is_error=failed, call=call)

    def condense(self, args: dict[str, Any]) -> None:
        ids = listed(args.get("forgotten_event_ids"))
        start, end = args.get("forgotten_events_start_id"), args.get("forgotten_events_end_id")
        if isinstance(start, int) and isinstance(end, int):
            ids = list(range(start, end + 1))
        self.build.forget([at for at in map(self.stands.get, ids) if at is not None and at < len(self.build.messages)])
        if summary := stated(args.get("summary")):
            self.build.say("user", summary)


def is_event(value: Any) -> bool:
    value = mapped(value)
    named = isinstance(value.get("action"), str) or isinstance(value.get("observation"), str)
    return named and "source" in value and bool(EVENT & value.keys())


def _events(value: Any, at: Place) -> list[tuple[Any, Place]]:
    """The events of a run, in order, and where each stands."""
    key = next((key for key in HISTORIES if isinstance(mapped(value).get(key), list)), "")
    placed = [
        (event, (at.under(key) if key else at).under(n)) for n, event in enumerate(value[key] if key else listed(value))
    ]
    if any(isinstance(event, list) for event, _ in placed):
        return [(inner, where.under(n)) for event, where in placed for n, inner in enumerate(listed(event))]
    return placed


def _message(response: dict[str, Any]) -> dict[str, Any]:
    return mapped(mapped((listed(response.get("choices")) or [None])[0]).get("message"))


def _arguments(response: dict[str, Any], id: object) -> Any:
    """What the model wrote; the action has defaults of the host beside it."""
    calls = map(mapped, listed(_message(response).get("tool_calls")))
    return next((mapped(call.get("function")).get("arguments") for call in calls if call.get("id") == id), None)


FORMAT = OpenHandsV0()
