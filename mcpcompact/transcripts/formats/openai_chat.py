"""Lists of chat completion messages in the containers that data sets and tools put them in: tau-bench runs, training
data for tool use (SWE-smith, SWE-Gym, Toucan and others), saved conversations.

A file holds one conversation or many: a bare list, ``{"messages": […]}``, a list or lines of such objects; ``messages``
may itself be a JSON string.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder
from mcpcompact.transcripts.chat import role_of, say, usage_of
from mcpcompact.transcripts.document import UNREADABLE, Document, listed, mapped, parse
from mcpcompact.transcripts.model import Place, Transcript

LISTS = ("traj", "messages", "trajectory", "conversation", "conversations", "history", "chat_history")
"""Keys under which a conversation stands."""

MANY = ("simulations", "data", "conversations", "samples", "trajectories", "results")
"""Keys under which an object holds many conversations."""

NAMES = ("instance_id", "traj_id", "trajectory_id", "conversation_id", "session_id", "task_id", "uuid", "id", "name")
LOOKED = 8


class OpenAIChat:
    name = "openai_chat"

    def sniff(self, document: Document) -> float:
        root = document.root
        if document.is_lines and is_message(root):
            return 0.4
        return 0.5 * any(_usable(element) for element, _ in _elements(root, Place(0, ())))

    def read(self, document: Document) -> Iterator[Transcript]:
        if document.is_lines and is_message(document.root):
            build = Builder(self.name, document.path)
            for number, line in document.lines():
                say(build, line, Place(number, ()))
            yield build.transcript
            return
        names: set[str] = set()
        found = list(_conversations(document))
        for number, (element, at) in enumerate(found, 1):
            name = name_of(element, number, names) if len(found) > 1 else ""
            yield self._transcript(document, element, at, name)

    def _transcript(self, document: Document, element: Any, at: Place, name: str) -> Transcript:
        build = Builder(self.name, document.path, name)
        about = mapped(element)
        model = about.get("model") or mapped(about.get("info")).get("model")
        build.transcript.model = model if isinstance(model, str) else ""
        build.transcript.usage = usage_of(about.get("usage"))
        messages, where = messages_of(element, at)
        for index, message in enumerate(messages):
            say(build, message, where.under(index), usage=usage_of(mapped(message).get("usage")))
        return build.transcript


def _conversations(document: Document) -> Iterator[tuple[Any, Place]]:
    if not document.is_lines:
        yield from _elements(document.value(), Place(0, ()))
        return
    for number, line in document.lines():
        yield from _elements(line, Place(number, ()))


def _elements(value: Any, at: Place) -> Iterator[tuple[Any, Place]]:
    """The conversations in a value: itself, its elements, or the elements of a list it holds."""
    if isinstance(value, list) and not any(is_message(message) for message in value[:LOOKED]):
        yield from ((element, at.under(index)) for index, element in enumerate(value) if _usable(element))
    elif _usable(value):
        yield value, at
    elif isinstance(value, dict):
        for key in MANY:
            elements = listed(value.get(key))
            yield from ((e, at.under(key, index)) for index, e in enumerate(elements) if _usable(e))


def _usable(element: Any) -> bool:
    return any(is_message(message) for message in messages_of(element, Place(0, ()))[0][:LOOKED])


def messages_of(element: Any, at: Place) -> tuple[list[Any], Place]:
    """The messages of a conversation, and the place of their list."""
    if isinstance(element, list):
        return element, at
    for key in LISTS:
        value = mapped(element).get(key)
        where = at.under(key)
        if isinstance(value, str) and value.lstrip()[:1] == "[":
            parsed = parse(value)
            value, where = ([] if parsed is UNREADABLE else parsed), where.under(None)
        if isinstance(value, list) and any(isinstance(message, dict) for message in value):
            return value, where
    return [], at


def is_message(value: Any) -> bool:
    return isinstance(value, dict) and role_of(value) != "" and any(key in value for key in ("content", "tool_calls"))


def name_of(element: Any, number: int, taken: set[str]) -> str:
    """What tells this conversation from the others of its file: its own id (with its trial), else its number."""
    about = mapped(element)
    own = next((str(about[key]) for key in NAMES if isinstance(about.get(key), (str, int))), "")
    trial = about.get("trial")
    name = f"{own}/{trial}" if own and isinstance(trial, (str, int)) else own or str(number)
    if name in taken:
        name = f"{name}#{number}"
    taken.add(name)
    return name


FORMAT = OpenAIChat()
