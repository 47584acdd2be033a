"""What a host says of a finished tool call, and what each host's file provides."""

# annotations as they stand: as texts, each of the 21 fields would be compiled at every start
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

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


class Wiring(NamedTuple):
    """Where a host is told of hooks. ``variable`` names the folder of the user's settings, ``home`` is the usual one
    below the home directory, ``file`` stands in it and ``project`` in a project's folder. ``entry`` makes what is
    appended to the list at ``hooks.EVENT``; ``top`` is what a new file must hold besides."""

    variable: str
    home: str
    file: str
    project: str
    event: str
    entry: Callable[[str], dict[str, Any]]
    top: Mapping[str, Any] = _NOTHING
    note: str = ""  # what is left to the user


class Host(NamedTuple):
    """One host. ``recognise`` looks at keys only; ``read`` gives None for what is not ours to change: a built-in tool
    whose shape is not known, a picture, a failed call. ``sample`` is a payload of a text and of a folder
    that the host may read, for ``hook doctor``."""

    name: str
    program: str  # that says its version
    recognise: Callable[[Mapping[str, Any]], bool]
    read: Callable[[Mapping[str, Any]], Event | None]
    wiring: Wiring
    sample: Callable[[str, str], dict[str, Any]]
    least: tuple[int, ...] = ()  # the first version that takes another result


def text(value: Any) -> str:
    """A value that should be a text; empty for any other."""
    return value if isinstance(value, str) else ""


def mapping(value: Any) -> dict[str, Any]:
    """A value that should be an object; empty for any other."""
    return value if isinstance(value, dict) else {}


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
