"""What a host says of a finished tool call, and what each host provides."""

# annotations as they stand: as texts, each of the 9 fields would be compiled at every start
from collections.abc import Callable, Mapping, Set
from types import MappingProxyType
from typing import Any, NamedTuple

from mcpcompact.integrations.base import mapping, text

Reply = dict[str, Any] | None  # what puts another result in the place of the one read; None where that cannot be said
_NOTHING: Mapping[str, Any] = MappingProxyType({})
SAMPLE = "mcpcompact-doctor"  # the session of payloads that no host sent


class Event(NamedTuple):
    """A finished call. ``tool`` and ``server`` are the names that policies go by; ``result`` is a text, or a message
    that carries it; ``reply`` makes the answer of what shall stand there instead, which is in the result's own shape,
    or a text where ``text_only``. ``saved`` is the file with the whole of a result that the host has cut."""

    tool: str
    result: Any
    reply: Callable[[Any], Reply]
    server: str = ""
    arguments: Mapping[str, Any] = _NOTHING
    id: str = ""
    session: str = ""
    saved: str = ""
    text_only: bool = False


class Host:
    """One host, and where it is told of hooks: ``variable`` names the folder of the user's settings, ``home`` is the
    usual one below the home directory, ``file`` stands in it and ``project`` in a project's folder; ours is appended to
    the list at ``hooks.EVENT``, and ``top`` is what a new file must hold besides."""

    name = ""
    program = ""  # that says its version
    least: tuple[int, ...] = ()  # the first version that takes another result
    event = ""
    keys: Set[str] = frozenset()  # that its payload has
    variable = home = file = project = ""
    top: Mapping[str, Any] = _NOTHING
    matcher = ""  # the tools whose results it sends
    hook: Mapping[str, Any] = MappingProxyType({"timeout": 30})  # in seconds, and whatever else says how it is run
    note = ""  # what is left to the user

    def recognise(self, payload: Mapping[str, Any]) -> bool:
        """Whether this host sent it. Looks at keys only."""
        return payload.get("hook_event_name") == self.event and self.keys <= payload.keys()

    def read(self, payload: Mapping[str, Any]) -> Event | None:
        """The call; None for what is not ours to change: a built-in tool of unknown shape, a picture, a failed call."""
        raise NotImplementedError

    def finished(self, payload: Mapping[str, Any], result: Any, reply: Callable[[Any], Reply], **about: Any) -> Event:
        """The call of a payload under the names that most hosts use."""
        server, tool = named(text(payload.get("tool_name")))
        ids = text(payload.get("tool_use_id")), text(payload.get("session_id"))
        return Event(tool, result, reply, server, mapping(payload.get("tool_input")), *ids, **about)

    def entry(self, command: str) -> dict[str, Any]:
        """What stands in the host's list of hooks."""
        return {"matcher": self.matcher, "hooks": [{"type": "command", "command": command, **self.hook}]}

    def sample(self, long: str, folder: str) -> dict[str, Any]:
        """A payload of a long text, for ``hook doctor``; the host may read ``folder``."""
        call = {"tool_input": {"command": "make"}, "tool_use_id": "call_sample"}
        return {"session_id": SAMPLE, "hook_event_name": self.event, **call, **self.answered(long, folder)}

    def answered(self, long: str, folder: str) -> dict[str, Any]:
        """The tool and its result in a payload."""
        raise NotImplementedError


def named(tool: str) -> tuple[str, str]:
    """Server and tool of ``mcp__server__tool``; no server for other names."""
    parts = tool.split("__", 2)
    return (parts[1], parts[2]) if parts[0] == "mcp" and len(parts) == len(("mcp", "server", "tool")) else ("", tool)


def joined(content: Any) -> str:
    """The text of a text, a text part, or a list of nothing but those; empty for anything else."""
    parts = content if isinstance(content, list) else [content]
    texts = [part.get("text") if isinstance(part, dict) and part.keys() <= _PART else part for part in parts]
    return "\n".join(map(str, texts)) if texts and all(isinstance(each, str) for each in texts) else ""


_PART = {"type", "text", "annotations", "_meta"}
