"""The messages between an MCP client and its server, as lines of JSON: all pass byte for byte, but for long results of
tools, the list of tools, and calls of the two tools that are ours.

A result that is shortened loses its structured content, so ``tools/list`` withdraws the output schemas. Whatever cannot
be read passes as it is. Where masking is on, every line of the server is masked first, whatever it is; one that cannot
be masked is answered with an error.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any

from mcpcompact.errors import MaskError
from mcpcompact.integrations.base import Interceptor, mapping, value_of
from mcpcompact.integrations.reading import GET, GET_HELP, GREP, GREP_HELP, TOOLS, get, grep

if TYPE_CHECKING:
    from mcpcompact.masking import Masker

MAX_PENDING = 10_000  # calls remembered until they are answered; a server that never answers costs no more than that
ASKED = b"tools"  # stands in every message of a client that matters here

LIST = "tools/list"
CALL = "tools/call"
INTERNAL = -32603  # JSON-RPC's code of an error that is not the client's
_TEXT = {"type": "string"}


def _tool(name: str, help: str, needed: list[str], properties: dict[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": needed}
    return {"name": name, "description": help, "inputSchema": schema, "annotations": {"readOnlyHint": True}}


OUR_TOOLS = [
    _tool(GET, GET_HELP, ["id"], {"id": _TEXT, "select": _TEXT}),
    _tool(GREP, GREP_HELP, ["id", "term"], {"id": _TEXT, "term": _TEXT, "context": {"type": "integer"}}),
]


class Wire:
    """What one client and one server say to each other. Safe for a thread a side and threads that compact."""

    def __init__(self, compactor: Interceptor, server: str = "") -> None:
        self.compactor, self.server = compactor, server
        self._asked: OrderedDict[str, tuple[str, dict[str, Any]]] = OrderedDict()
        self._lock = Lock()
        self._theirs: set[str] = set()  # names of our tools that the server has: its own are meant

    @property
    def pending(self) -> bool:
        """Whether an answer is waited for."""
        return bool(self._asked)

    def from_client(self, line: bytes) -> tuple[bytes, bytes]:
        """What goes on to the server, and what goes back to the client; either may be empty."""
        try:
            return self._called(line)
        except Exception as error:
            return self._as_it_is(line, error), b""

    def _called(self, line: bytes) -> tuple[bytes, bytes]:
        message = _parsed(line) if ASKED in line or b"cancelled" in line else None
        if message is None:
            return line, b""
        method, params = message.get("method"), mapping(message.get("params"))
        if method == "notifications/cancelled":
            self._answered(params.get("requestId"))
        if method not in (LIST, CALL) or "id" not in message:
            return line, b""
        if method == CALL and str(params.get("name")) in TOOLS - self._theirs:
            return b"", _line({"jsonrpc": "2.0", "id": message["id"], "result": self._read(params)})
        with self._lock:
            self._asked[_key(message["id"])] = (str(method), params)
            if len(self._asked) > MAX_PENDING:
                self._asked.popitem(last=False)
        return line, b""

    def from_server(self, line: bytes) -> bytes:
        """What goes on to the client: the very line, where nothing is saved or masked."""
        try:
            line = self._masked(line)
        except Exception as error:
            return self._withheld(line, error)
        try:
            return self._passed(line)
        except Exception as error:
            return self._as_it_is(line, error)

    def _as_it_is(self, line: bytes, error: Exception) -> bytes:
        """The rail: a message is never lost."""
        self.compactor.log(f"a message passes as it is ({type(error).__name__}: {error})")
        return line

    def _masked(self, line: bytes) -> bytes:
        """The line without secrets. What answers no call of a tool is masked where the results of any tool are."""
        if not self.compactor.masks():
            return line
        message = _parsed(line) or {}
        method, params = ("", {}) if "method" in message else self._asked.get(_key(message.get("id")), ("", {}))
        tool = str(params.get("name") or "") if method == CALL else None
        masker = self.compactor.masker(tool, self.server)
        if masker is None:
            return line
        line = _spelt_out(line)
        new = masker.data(line)
        if new == line or not message:
            return new
        masked = _parsed(new)
        if masked is None:
            raise MaskError("what is left of it is no message")
        return _line(masked) if self._restored(message, masked, masker) else new

    def _restored(self, message: dict[str, Any], masked: dict[str, Any], masker: Masker) -> bool:
        """Put the id of a request and its token of progress back, by which both sides know it: only a secret that it is
        by itself stays masked, unless the client made it."""
        before, after, restored = mapping(message.get("params")), mapping(masked.get("params")), False
        for given, kept, name in ((message, masked, "id"), (before, after, "progressToken")):
            value = given.get(name)
            if kept.get(name) == value:
                continue
            if _key(value) in self._asked or masker.text(str(value)) == str(value):
                kept[name] = value
                restored = True
        return restored

    def _withheld(self, line: bytes, error: Exception) -> bytes:
        """An error in the place of a message that could not be masked: none of its words."""
        text = f"mcpcompact withholds a message of the server: its secrets could not be masked ({type(error).__name__})"
        self.compactor.log(f"{text[:-1]}: {error})")
        message = _parsed(line) or {}
        id = None if "method" in message else message.get("id")
        self._answered(id)
        return _line({"jsonrpc": "2.0", "id": id, "error": {"code": INTERNAL, "message": text}})

    def _passed(self, line: bytes) -> bytes:
        message = _parsed(line) if self._asked else None
        if message is None or "method" in message or "id" not in message:
            return line
        method, params = self._answered(message["id"])
        result = message.get("result")
        if not isinstance(result, dict):
            return line
        new = self._listed(result) if method == LIST else None
        if method == CALL:
            new = self._shorter(result, params, len(line))
        return line if new is None else _line({**message, "result": new})

    def _answered(self, id: Any) -> tuple[str, dict[str, Any]]:
        with self._lock:
            return self._asked.pop(_key(id), ("", {}))

    def _shorter(self, result: dict[str, Any], params: dict[str, Any], size: int) -> dict[str, Any] | None:
        arguments, tool = mapping(params.get("arguments")) or None, str(params.get("name") or "")
        compaction = self.compactor.compact(result, tool=tool, server=self.server, arguments=arguments, size=size)
        if compaction is None or compaction.envelope is None or compaction.envelope.shape != "mcp":
            return None
        shorter: dict[str, Any] = value_of(result, compaction)
        return shorter

    def _listed(self, result: dict[str, Any]) -> dict[str, Any] | None:
        """A list of tools without output schemas; ours stand on its last page, but for names that the server has."""
        tools = result.get("tools")
        if not isinstance(tools, list):
            return None
        open_ended = [
            {key: value for key, value in tool.items() if key != "outputSchema"} if isinstance(tool, dict) else tool
            for tool in tools
        ]
        for name in sorted(TOOLS.intersection(str(mapping(tool).get("name")) for tool in tools) - self._theirs):
            self._theirs.add(name)
            self.compactor.log(f"{name} is a tool of the server, not ours: read results with `mcpcompact results get`")
        ours = [] if result.get("nextCursor") else [tool for tool in OUR_TOOLS if tool["name"] not in self._theirs]
        return {**result, "tools": open_ended + ours}

    def _read(self, params: dict[str, Any]) -> dict[str, Any]:
        """A page as a block of its own, byte for byte, and what is said of it as another."""
        arguments = mapping(params.get("arguments"))
        id, context = str(arguments.get("id") or ""), arguments.get("context")
        if params["name"] == GET:
            reading = get(self.compactor.store, id, str(arguments.get("select") or ""))
        else:
            lines = context if isinstance(context, int) else 0
            reading = grep(self.compactor.store, id, str(arguments.get("term") or ""), lines)
        texts = [reading.text] if reading.text else []
        blocks = [{"type": "text", "text": text} for text in [*texts, reading.note]]
        return {"content": blocks, "isError": reading.failed}


def _parsed(line: bytes) -> dict[str, Any] | None:
    """A message; None for what is none: a batch, an empty line, something damaged."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def _spelt_out(line: bytes) -> bytes:
    """A line without escapes of characters, which would hide a secret. Raises ``MaskError`` where it may hold some that
    cannot be read."""
    if b"\\u" not in line:
        return line
    try:
        return _line(json.loads(line))
    except json.JSONDecodeError:  # it is no JSON: masked as the text that it is
        return line
    except (ValueError, RecursionError) as error:
        raise MaskError("it holds escapes that cannot be read") from error


def _key(id: Any) -> str:
    """``1`` and ``"1"`` are two requests."""
    return json.dumps(id, sort_keys=True)


def _line(message: Any) -> bytes:
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode() + b"\n"
    except UnicodeEncodeError:  # half of a pair, which JSON can say and UTF-8 cannot
        return json.dumps(message, separators=(",", ":")).encode() + b"\n"
