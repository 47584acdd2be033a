"""Conversations of OpenHands: a directory of event files, one JSON object each.

https://docs.openhands.dev/sdk/arch/events
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.errors import InputError
from mcpcompact.transcripts.builder import Builder, text_of
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.model import Place, Role, Transcript

KINDS = {"SystemPromptEvent", "MessageEvent", "ActionEvent", "ObservationEvent", "ConversationStateUpdateEvent"}


class OpenHands:
    name = "openhands_events"

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        return float(stated(root.get("kind")) in KINDS and "source" in root)

    def read(self, document: Document) -> Iterator[Transcript]:
        build = Builder(self.name, document.path)
        seen: dict[str, list[int]] = {}  # the messages of each event
        response = ""
        for event, at in _events(document):
            before = len(build.messages)
            response = self._event(build, event, at, response, seen)
            if before < len(build.messages) and isinstance(event.get("id"), str):
                seen[event["id"]] = list(range(before, len(build.messages)))
        yield build.transcript

    def _event(
        self, build: Builder, event: dict[str, Any], at: Place, response: str, seen: dict[str, list[int]]
    ) -> str:
        """Say an event. Gives the model's response that it is part of: several actions of one are parallel calls."""
        kind = stated(event.get("kind"))
        part_of = stated(event.get("llm_response_id"))
        if kind == "SystemPromptEvent":
            build.say("system", text_of([event.get("system_prompt"), event.get("dynamic_context")])[0])
        elif kind == "MessageEvent":
            message = mapped(event.get("llm_message"))
            text, places, _ = text_of(message.get("content"), at.under("llm_message", "content"))
            extra = text_of(event.get("extended_content"))[0]
            roles: dict[str, Role] = {"assistant": "assistant", "system": "system"}
            said = "\n".join(filter(None, (text, extra)))
            build.say(roles.get(stated(message.get("role")), "user"), said, places=places)
        elif kind == "ActionEvent":
            if not part_of or part_of != response or not build.messages or build.messages[-1].role != "assistant":
                build.say("assistant", text_of(event.get("thought"))[0])
            call = mapped(event.get("tool_call"))
            arguments = call.get("arguments") or mapped(call.get("function")).get("arguments") or event.get("action")
            build.call(event.get("tool_call_id") or event.get("id"), event.get("tool_name"), arguments)
        elif kind in ("ObservationEvent", "UserRejectObservation", "AgentErrorEvent"):
            key, value = _answer(event)
            text, places, images = text_of(value, at.under(*key))
            failed = kind != "ObservationEvent" or bool(mapped(event.get("observation")).get("is_error"))
            build.result(
                event.get("tool_call_id") or event.get("action_id"),
                text,
                places=places,
                tool=stated(event.get("tool_name")),
                is_error=failed,
                images=images,
            )
        elif kind == "Condensation":
            gone = [n for id in listed(event.get("forgotten_event_ids")) for n in seen.get(str(id), ())]
            build.forget(gone)
            if isinstance(event.get("summary"), str):
                build.say("user", event["summary"])
        else:
            build.skip(kind or "event")
        return part_of


def _events(document: Document) -> Iterator[tuple[dict[str, Any], Place]]:
    """The events in order, each with its place: of a directory's files, a list in one file, or a line each."""
    if document.is_directory:
        for file in range(len(document.files)):
            try:
                yield mapped(document.value(file)), Place(0, (), file)
            except (InputError, OSError) as error:
                document.problems.append(str(error))
    elif document.is_lines:
        yield from ((mapped(line), Place(number, ())) for number, line in document.lines())
    else:
        value = document.value()
        if isinstance(value, list):
            yield from ((mapped(event), Place(0, (index,))) for index, event in enumerate(value))
        else:
            yield mapped(value), Place(0, ())


def _answer(event: dict[str, Any]) -> tuple[tuple[str, ...], Any]:
    """Where the answer of an observation stands, and what it is."""
    for key in ("rejection_reason", "error"):
        if isinstance(event.get(key), str):
            return (key,), event[key]
    observation = mapped(event.get("observation"))
    for key in ("content", "output"):
        if observation.get(key):
            return ("observation", key), observation[key]
    return ("observation", "content"), observation.get("content")


FORMAT = OpenHands()
