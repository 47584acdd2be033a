"""Conversations of OpenHands: a directory of event files, one JSON object each.
https://docs.openhands.dev/sdk/arch/events"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.errors import InputError
from mcpcompact.transcripts.builder import Builder, Document, Reader, listed, mapped, stated, text_of
from mcpcompact.transcripts.model import Place, Role, Transcript

KINDS = {"SystemPromptEvent", "MessageEvent", "ActionEvent", "ObservationEvent", "ConversationStateUpdateEvent"}


class Format(Reader):
    keys = frozenset({"kind"})
    quiet = "ConversationState|Pause|CondensationRequest|Token|LLMCompletionLog|StreamingDelta"

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        return float(stated(root.get("kind")) in KINDS and "source" in root)

    def read(self, document: Document) -> Iterator[Transcript]:
        build = Builder(self.name, document.path)
        response = ""  # the model's, that an event is part of: several actions of one are parallel calls
        for at, event in build.records(_events(document)):
            part_of = stated(event.get("llm_response_id"))
            _event(build, event, at, parallel=bool(part_of) and part_of == response)
            response = part_of
            build.mark(event.get("id"))
        yield build.transcript


def _event(build: Builder, event: dict[str, Any], at: Place, *, parallel: bool) -> None:
    kind = stated(event.get("kind"))
    if kind == "SystemPromptEvent":
        build.hear("system", [event.get("system_prompt"), event.get("dynamic_context")])
    elif kind == "MessageEvent":
        message = mapped(event.get("llm_message"))
        text, places, _ = text_of(message.get("content"), at.under("llm_message", "content"))
        extra = text_of(event.get("extended_content"))[0]
        roles: dict[str, Role] = {"assistant": "assistant", "system": "system"}
        body = "\n".join(filter(None, (text, extra)))
        build.say(roles.get(stated(message.get("role")), "user"), body, places=places)
    elif kind == "ActionEvent":
        if not parallel or not build.speaking:
            build.say("assistant", text_of(event.get("thought"))[0])
        call = mapped(event.get("tool_call"))
        arguments = call.get("arguments") or mapped(call.get("function")).get("arguments") or event.get("action")
        build.call(event.get("tool_call_id") or event.get("id"), event.get("tool_name"), arguments)
    elif kind in ("ObservationEvent", "UserRejectObservation", "AgentErrorEvent"):
        key, value = _answer(event)
        failed = kind != "ObservationEvent" or bool(mapped(event.get("observation")).get("is_error"))
        id, tool = event.get("tool_call_id") or event.get("action_id"), stated(event.get("tool_name"))
        build.answer(id, value, at.under(*key), tool=tool, failed=failed)
    elif kind == "Condensation":
        build.forget([n for id in listed(event.get("forgotten_event_ids")) for n in build.stands.get(str(id), ())])
        build.tell("user", event.get("summary"))
    else:
        build.skip(kind or "event")


def _events(document: Document) -> Iterator[tuple[Place, Any]]:
    """The events in order, each with its place: of a directory's files, a list in one file, or a line each."""
    if not document.is_directory:
        yield from document.records()
    for file in range(len(document.files)) if document.is_directory else ():
        try:
            yield Place(0, (), file), document.value(file)
        except (InputError, OSError) as error:
            document.problems.append(str(error))


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
