"""Lists of chat completion messages in the containers that data sets and tools put them in: tau-bench runs, training
data for tool use (SWE-smith, SWE-Gym, Toucan and others), saved conversations.

A file holds one conversation or many: a bare list, ``{"messages": […]}``, a list or lines of such objects; ``messages``
may itself be a JSON string.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, Reader
from mcpcompact.transcripts.chat import role_of, say, usage_of
from mcpcompact.transcripts.document import FEW, UNREADABLE, Document, listed, mapped, parse
from mcpcompact.transcripts.model import Place, Transcript

LISTS = ("traj", "messages", "trajectory", "conversation", "conversations", "history", "chat_history")
"""Keys under which a conversation stands."""

MANY = ("simulations", "data", "conversations", "samples", "trajectories", "results")  # of many conversations

NAMES = ("instance_id", "traj_id", "trajectory_id", "conversation_id", "session_id", "task_id", "uuid", "id", "name")
SOME = 64  # conversations that tell the format


class Format(Reader):
    def sniff(self, document: Document) -> float:
        root = document.root
        if document.is_lines and is_message(root):
            return 0.4
        some = root[:SOME] if isinstance(root, list) else root
        return 0.5 * (next(_elements(some, Place(0, ())), None) is not None)

    def read(self, document: Document) -> Iterator[Transcript]:
        if document.is_lines and is_message(document.root):
            build = Builder(self.name, document.path)
            for at, line in document.sections():
                say(build, line, at)
            yield build.transcript
            return
        names: set[str] = set()
        conversations = list(_conversations(document))
        for number, (element, at) in enumerate(conversations, 1):
            about = mapped(element)
            build = Builder(self.name, document.path, name_of(element, number, names) if len(conversations) > 1 else "")
            build.model(about.get("model") or mapped(about.get("info")).get("model"))
            build.transcript.usage = usage_of(about.get("usage"))
            messages, where = messages_of(element, at)
            for place, message in build.each(where, messages):
                say(build, message, place, usage=usage_of(message.get("usage")))
            yield build.transcript


def _conversations(document: Document) -> Iterator[tuple[Any, Place]]:
    left = 0
    for at, value in document.sections():
        found = list(_elements(value, at))
        many = isinstance(value, list) and not (found and found[0][0] is value)
        left += len(value) - len(found) if many else not found
        yield from found
    document.left_out(left, "a conversation")


def _elements(value: Any, at: Place) -> Iterator[tuple[Any, Place]]:
    """The conversations in a value: itself, its elements, or the elements of a list it holds."""
    if isinstance(value, list) and not any(is_message(message) for message in value[:FEW]):
        yield from ((element, at.under(index)) for index, element in enumerate(value) if _usable(element))
    elif _usable(value):
        yield value, at
    elif isinstance(value, dict):
        for key in MANY:
            elements = listed(value.get(key))
            yield from ((e, at.under(key, index)) for index, e in enumerate(elements) if _usable(e))


def _usable(element: Any) -> bool:
    return any(is_message(message) for message in messages_of(element, Place(0, ()))[0][:FEW])


def messages_of(element: Any, at: Place) -> tuple[list[Any], Place]:
    """The messages of a conversation, and the place of their list."""
    if isinstance(element, list):
        return element, at
    about = mapped(element)
    for key in LISTS:
        value = about.get(key)
        path: tuple[str | None, ...] = (key,)
        if isinstance(value, str) and value.lstrip()[:1] == "[":
            parsed = parse(value)
            value, path = ([] if parsed is UNREADABLE else parsed), (key, None)
        if isinstance(value, list) and any(isinstance(message, dict) for message in value):
            return value, at.under(*path)
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
