"""MCP sessions as an SDK's client sees them: requests and responses by ``count``, or a session with ``calls``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.blocks import first
from mcpcompact.transcripts.builder import Builder, Call, Document, Place, Reader, Transcript, listed, mapped, stated
from mcpcompact.transcripts.formats.mcp_jsonrpc import say_result

TOOLS = ("tool", "tool_name", "name")
ARGUMENTS = ("arguments", "args", "params", "input", "request")
ANSWERS = ("result", "response", "output", "error")


class Format(Reader):
    keys = frozenset({"method", "calls"})
    quiet = "initialize|list_|read_|get_|set_|send_|subscribe|unsubscribe|complete"

    def sniff(self, document: Document) -> float:
        return 0.95 * any(_is_event(line) or _is_session(line) for line in document.objects)

    def read(self, document: Document) -> Iterator[Transcript]:
        build = Builder(self.name, document.path)
        waiting: dict[str, Call] = {}
        sessions: list[Transcript] = []
        for at, line in document.records():
            line = mapped(line)
            count, called = str(line.get("count")), line.get("method") == "call_tool"
            if _is_session(line):
                sessions.append(_session(Builder(self.name, document.path, str(len(sessions) + 1)), line, at))
            elif called and line.get("type") == "request":
                given, named = listed(line.get("args")), mapped(line.get("kwargs"))
                tool = given[0] if given else named.get("name")
                waiting[count] = build.call(count, tool, given[1] if len(given) > 1 else named.get("arguments"))
            elif called and line.get("type") == "response":
                say_result(build, line, ("result", "error"), at, waiting.pop(count, None))
            else:
                build.skip(line.get("method") or "record")
        if len(sessions) == 1:
            sessions[0].name = ""
        yield from sessions
        if build.messages or not sessions:
            yield build.transcript


def _session(build: Builder, line: dict[str, Any], at: Place) -> Transcript:
    server = line.get("server")
    server = stated(line.get("server_name")) or stated(mapped(server).get("name")) or stated(server)
    for where, item in build.each(at, line, "calls"):
        tool = next((item[key] for key in TOOLS if isinstance(item.get(key), str)), "")
        arguments = first(item, ARGUMENTS)
        if isinstance(arguments, dict) and "arguments" in arguments:  # the parameters of a tools/call
            tool, arguments = tool or stated(arguments.get("name")), arguments["arguments"]
        call = build.call("", tool, arguments, server=server)
        if first(item, ANSWERS) is not None:
            say_result(build, item, ANSWERS, where, call)
    return build.transcript


def _is_event(line: dict[str, Any]) -> bool:
    return line.get("type") in ("request", "response") and "count" in line and isinstance(line.get("method"), str)


def _is_session(line: dict[str, Any]) -> bool:
    calls = line.get("calls")
    typical = {*ANSWERS, *ARGUMENTS} - {"error"}
    return isinstance(calls, list) and any(isinstance(call, dict) and typical & call.keys() for call in calls[:4])
