"""Lists of messages, one or many a file: what the formats share whose files hold no more than that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mcpcompact.transcripts.builder import FEW, Builder, Document, Reader, elements, listed, mapped, parse
from mcpcompact.transcripts.model import Place, Transcript

NAMES = ("instance_id", "traj_id", "trajectory_id", "conversation_id", "session_id", "task_id", "uuid", "id", "name")


class Conversations(Reader):
    """A format whose files hold a message a line, a list of messages, or values that hold one under one of ``holders``:
    one such value, a list or lines of them, or a list under one of ``many``. ``is_message`` knows a message, and
    ``message`` says it."""

    holders: Sequence[str] = ("", "messages")
    many: Sequence[str] = ()

    def read(self, document: Document) -> Iterator[Transcript]:
        if document.is_lines and any(map(self.is_message, document.first)):
            build = Builder(self.name, document.path)
            for at, message in build.records(document.sections()):
                self.message(build, message, at)
            yield build.transcript
            return
        values = [value for at, section in document.sections() for value in self.values(section, at)]
        taken: set[str] = set()
        left = 0
        for number, (at, value) in enumerate(values, 1):
            messages, where = self.held(value, at)
            if not messages:
                left += 1
                continue
            build = Builder(self.name, document.path, name_of(value, number, taken) if len(values) > 1 else "")
            self.about(build, mapped(value))
            for place, message in build.each(where, messages):
                self.message(build, message, place)
            yield build.transcript
        document.left_out(left)

    def values(self, value: Any, at: Place) -> Iterator[tuple[Place, Any]]:
        """What may hold a conversation each: a value, or the elements of a list that it is or has."""
        if isinstance(value, list) and not any(map(self.is_message, value[:FEW])):
            yield from elements(at, value)
            return
        key = "" if self.held(value, at)[0] else next((key for key in self.many if listed(mapped(value).get(key))), "")
        if key:
            yield from elements(at, value, key)
        else:
            yield at, value

    def held(self, value: Any, at: Place) -> tuple[list[Any], Place]:
        """The messages that a value holds, and the place of their list."""
        for path in map(str.split, self.holders):
            inner, packed = value, False
            for key in path:
                inner = inner.get(key) if isinstance(inner, dict) else None
            if isinstance(inner, str) and inner.lstrip()[:1] == "[":
                inner, packed = parse(inner), True
            if isinstance(inner, list) and any(map(self.is_message, inner[:FEW])):
                where = at.under(*path)
                return inner, where.under(None) if packed else where
        return [], at

    def is_message(self, value: Any) -> bool:
        """Whether a value is a message of this format."""
        return "role" in mapped(value)

    def about(self, build: Builder, value: dict[str, Any]) -> None:
        """Say what a request or a session tells beside its messages."""

    def message(self, build: Builder, message: dict[str, Any], at: Place) -> None:
        """Say a message, which stands at ``at``."""
        raise NotImplementedError


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
