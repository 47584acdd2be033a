"""Runs of OpenHands before version 1: events, each an action or an observation, which names its action (``cause``). A
file holds the events of a run, or a line a run (``output.jsonl``); older ones hold pairs of action and observation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from mcpcompact.transcripts.builder import FEW, Builder, Document, Reader, as_count, listed, mapped, stated, text_of
from mcpcompact.transcripts.chat import usage_of
from mcpcompact.transcripts.document import elements
from mcpcompact.transcripts.model import Call, Message, Place, Transcript

HOST = {"change_agent_state", "recall", "null", "condensation_request"}  # actions that no model asked for


class Format(Reader):
    keys = frozenset({"history", "trajectory", "events", "source"})
    quiet = r"action |observation "

    def sniff(self, document: Document) -> float:
        events = [event for _, event in _events(document.root, Place(0, ()), FEW)] or document.first
        return float(bool(events) and all(map(_is_event, events)))

    def read(self, document: Document) -> Iterator[Transcript]:
        if document.is_lines and _is_event(document.root):
            yield _Run(self.name, document.path).read(list(document.sections()), {})
            return
        for at, run in document.sections():
            name = (stated(mapped(run).get("instance_id")) or str(at.record + 1)) if document.is_lines else ""
            yield _Run(self.name, document.path, name).read(_events(run, at), mapped(run))


class _Run(Builder):
    def __init__(self, format: str, source: str, name: str = "") -> None:
        super().__init__(format, source, name)
        self.calls: dict[str, Call] = {}  # by the id of the action

    def read(self, events: list[tuple[Place, Any]], run: dict[str, Any]) -> Transcript:
        self.model(mapped(mapped(run.get("metadata")).get("llm_config")).get("model"))
        for self.here, value in events:
            event = mapped(value)
            if "observation" in event:
                self.observation(event, self.here)
            else:
                self.action(stated(event.get("action")), event, mapped(event.get("args")))
            self.mark(event.get("id"))
        if not any(message.usage for message in self.messages):
            self.transcript.usage = usage_of(mapped(run.get("metrics")).get("accumulated_token_usage"))
        return self.transcript

    def action(self, kind: str, event: dict[str, Any], args: dict[str, Any]) -> None:
        source, content = event.get("source"), stated(args.get("content"))
        if kind == "system" or (kind == "message" and source == "user"):
            self.say("system" if kind == "system" else "user", content)
        elif kind == "condensation":
            self.condense(args)
        elif source == "agent" and kind and kind not in HOST:
            about = mapped(event.get("tool_call_metadata"))
            response = mapped(about.get("model_response"))
            spoken = mapped(mapped((listed(response.get("choices")) or [None])[0]).get("message"))
            reply = self.message(response, text_of(spoken.get("content"))[0] or content or stated(args.get("thought")))
            wrote = {str(call.get("id")): call for call in map(mapped, listed(spoken.get("tool_calls")))}
            if kind != "message":  # the action has the host's defaults beside what the model wrote
                id, tool = about.get("tool_call_id"), about.get("function_name") or kind
                given = mapped(wrote.get(str(id), {}).get("function")).get("arguments") or args
                self.calls[str(event.get("id"))] = self.call(id, tool, given, message=reply)
        else:
            self.skip(f"action {kind}")

    def message(self, response: dict[str, Any], text: str) -> Message:
        """The model's message that an action is part of: actions of one response are parallel calls."""
        reply, new = self.reply(stated(response.get("id")))
        if new:
            reply.text, reply.usage = text, usage_of(response.get("usage"))
            self.model(self.transcript.model, response.get("model"))
        return reply

    def observation(self, event: dict[str, Any], at: Place) -> None:
        kind, call = stated(event.get("observation")), self.calls.get(str(event.get("cause")))
        if call is None:
            return self.skip(f"observation {kind}")
        code = as_count(mapped(mapped(event.get("extras")).get("metadata")).get("exit_code"))
        failed = kind == "error" or event.get("success") is False or code > 0
        self.answer(call.id, event.get("content"), at.under("content"), failed=failed, call=call)

    def condense(self, args: dict[str, Any]) -> None:
        start, end = args.get("forgotten_events_start_id"), args.get("forgotten_events_end_id")
        ids = {str(id) for id in listed(args.get("forgotten_event_ids"))}
        if isinstance(start, int) and isinstance(end, int):
            ids = {id for id in self.stands if id.isdigit() and start <= int(id) <= end}
        self.forget([n for id in ids for n in self.stands.get(id, ())])
        self.tell("user", args.get("summary"))


def _is_event(value: Any) -> bool:
    value = mapped(value)
    named = isinstance(value.get("action", value.get("observation")), str)
    return named and "source" in value and bool({"args", "extras", "cause"} & value.keys())


def _events(value: Any, at: Place, most: int | None = None) -> list[tuple[Place, Any]]:
    """The events of a run (the first ``most``), in order, and where each stands."""
    path = [key for key in ("history", "trajectory", "events") if isinstance(mapped(value).get(key), list)][:1]
    placed = list(islice(elements(at, value, *path), most))
    pairs = any(isinstance(event, list) for _, event in placed[:FEW])
    return [event for where, pair in placed for event in elements(where, pair)] if pairs else placed
