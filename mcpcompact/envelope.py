"""A tool result may be a message that carries the text: find the text, and put a shorter one back.

Shapes, by their field's names (``Envelope.shape``):

==================  ==========================================================================
plain               anything else: the input itself is the payload
mcp                 MCP ``CallToolResult``: ``{"content": [blocks], "isError", "structuredContent"}``
jsonrpc             ``{"jsonrpc": "2.0", "id", "result": CallToolResult}`` or its ``"error"``
content             a bare array of content blocks
tool_result         Anthropic: ``{"type": "tool_result", "tool_use_id", "content", "is_error"}``
tool                OpenAI: ``{"role": "tool", "tool_call_id", "content"}``
function_call_output  OpenAI Responses: ``{"type": …, "call_id", "output"}``
string              a JSON string literal
exec                a shell's text: header lines (``Exit code: 0``, ``Wall time: …``), ``Output:``, then the output
payload             an object whose one long string is over 90 % of it: ``{"exit_code": 0, "output": "…"}``
==================  ==========================================================================

The shapes are checked strictly (every block of a known type with the keys of that type), because a false
unwrapping would hide data. A payload that is itself the JSON of a message is unwrapped again, three deep.
What does not parse, repeats a key, holds NaN or nests without end is plain.

``structuredContent`` repeats the text by the protocol's own rule. Where it holds clearly more than the text
does, it is the payload and the text stands in ``beside``. ``rewrap`` drops it: the short text replaces both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcpcompact.errors import InputError
from mcpcompact.outline import LARGE, Source, decode
from mcpcompact.patterns import regex
from mcpcompact.slotted import dataclass, field

DEPTH = 3
BULK = 0.9
_HEAD, _TAIL = 65_536, 16_384

_SCALARS = r'(?:\s*"[^"\\]{1,60}"\s*:\s*(?:"[^"\\]{0,400}"|[-+.\w]{1,40})\s*,){0,12}'
_GATE = regex(
    r'\s*(?:"|\[\s*\{\s*"|\{'
    + _SCALARS
    + r'\s*"(?P<key>content|result|output|text|stdout|error|structuredContent|_meta|cache_control)"'
    + r'\s*:\s*(?P<value>["\[{]))'
)
_EXEC = regex(
    r"(?:(?:Chunk ID|Wall time|Process (?:exited|running)|Original token count|Total output lines|Exit code"
    r"|Script (?:completed|failed))\b[^\n]{0,200}\r?\n){1,8}Output:\r?\n(?:\r?\n)?"
)
_RUNNING = regex(r"Process (running[^\n]{0,100}?)\s*\n")
_EXIT = regex(r"(?:Exit code: |exited with code )(-?\d+)")
_MARK = regex(
    r'"jsonrpc"|"tool_use_id"|"tool_call_id"|"function_call_output"|"structuredContent"|"isError"'
    r'|"type"\s*:\s*"(?:text|image|audio|resource|resource_link|input_text|output_text|document)"'
)

# the keys that a content block of each type may have, beside these
_ANY = {"type", "annotations", "_meta", "meta", "cache_control", "citations"}
_BLOCKS: dict[str, set[str]] = {
    "text": {"text"},
    "input_text": {"text"},
    "output_text": {"text", "logprobs"},
    "image": {"data", "mimeType", "source"},
    "audio": {"data", "mimeType"},
    "resource": {"resource"},
    "resource_link": {"uri", "name", "title", "description", "mimeType", "size", "icons"},
    "document": {"source", "title", "context"},
    "search_result": {"source", "title", "content"},
    "tool_reference": {"tool_name"},
    "image_url": {"image_url"},
    "input_image": {"image_url", "file_id", "detail"},
    "input_file": {"file_data", "file_id", "file_url", "filename"},
    "input_audio": {"input_audio"},
    "file": {"file"},
    "refusal": {"refusal"},
}
_TEXTS = ("text", "input_text", "output_text")
_RESULT_KEYS = {"content", "isError", "structuredContent", "_meta", "meta", "_type", "resultType"}
_PAYLOADS = ("result", "output", "text", "stdout", "content")

Rewrap = Callable[[str], Any]


@dataclass(slots=True)
class Envelope:
    """What was found: the payload as ``source`` (the caller's own object when plain) and as ``text``.

    ``text`` is None when plain. ``beside`` holds what a reader of the payload alone would miss: the other
    values of a ``payload`` object (``exit_code``), the text beside a larger ``structuredContent``.
    ``others`` counts the blocks that are no text (images and such); ``rewrap`` keeps them.
    """

    shape: str
    source: Source
    text: str | None = None
    is_error: bool = False
    id: str | int | None = None
    tool: str | None = None
    others: int = 0
    beside: dict[str, Any] = field(default_factory=dict)
    _rewrap: Rewrap = str

    def rewrap(self, new_text: str) -> Any:
        """The message with its text replaced by one text block; for ``plain`` and ``string`` the text itself."""
        return self._rewrap(new_text)


def unwrap(source: Source) -> Envelope:
    """The payload of a tool result. Total: what is not certainly a message comes back as plain."""
    if source.size > LARGE:
        return Envelope("plain", source)
    header = _EXEC.match(decode(source.read(0, 2_000)))
    if header:
        return _exec(source, header[0])
    if not _likely(source):
        return Envelope("plain", source)
    found = _find(source.text)
    return _deepen(found) if found else Envelope("plain", source)


def _exec(source: Source, header: str) -> Envelope:
    """A shell's output under the header its agent printed: the header changes at every call, the output counts."""
    text = source.text[len(header) :]
    if not text.strip():
        return Envelope("plain", source)
    code = _EXIT.search(header)
    found = _envelope("exec", text, lambda new: header + new)
    if code:
        found.is_error = code[1] != "0"
        found.beside = {"exit_code": int(code[1])}
    running = _RUNNING.search(header)
    if running:
        found.beside["process"] = running[1]
    return _deepen(found)


def unwrap_value(value: dict[str, Any] | list[Any]) -> Envelope:
    """The same for a parsed message. A plain value's payload is its JSON; raises ``InputError`` if it has none."""
    found = _match(value, None)
    if found:
        return _deepen(found)
    try:
        return Envelope("plain", Source.of_text(_dump(value)))
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"the value is not JSON: {error}") from None


def _likely(source: Source) -> bool:
    """A look at both ends: a message opens with a few scalars and then one of the known keys."""
    head = decode(source.read(0, _HEAD))
    gate = _GATE.match(head)
    if gate is None:
        return False
    if gate[0].strip() == '"':  # a string literal: to its last byte
        return source.read(source.size - 64, source.size).replace(b"\0", b"").rstrip()[-1:] == b'"'
    return (
        gate["value"] == '"'
        or bool(_MARK.search(head))
        or bool(source.size > _HEAD and _MARK.search(decode(source.read(max(_HEAD, source.size - _TAIL), source.size))))
    )


def _find(text: str) -> Envelope | None:
    import json

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) < len(pairs):
            raise ValueError("a key occurs twice")
        return value

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        value = json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    except (ValueError, RecursionError, MemoryError):
        return None
    return _match(value, len(text))


def _deepen(found: Envelope) -> Envelope:
    """Unwrap a payload that is a message again. The outermost shape is the one that is put back."""
    for _ in range(DEPTH - 1):
        if not _likely(found.source):
            break
        inner = _find(found.text or "")
        if inner is None:
            break
        found = Envelope(
            found.shape,
            inner.source,
            inner.text,
            found.is_error or inner.is_error,
            inner.id if found.id is None else found.id,
            found.tool or inner.tool,
            found.others + inner.others,
            {**inner.beside, **found.beside},
            found._rewrap,
        )
    return found


def _match(value: Any, length: int | None) -> Envelope | None:
    if isinstance(value, str):
        return _envelope("string", value, str)
    if isinstance(value, list):
        texts = _block_texts(value)
        return _envelope("content", "\n".join(texts), lambda new: _replace(value, new), value) if texts else None
    if not isinstance(value, dict):
        return None
    for match in (_mcp, _jsonrpc, _tool_result, _tool_message, _call_output):
        found = match(value)
        if found:
            return found
    return _payload(value, length)


def _mcp(value: dict[str, Any]) -> Envelope | None:
    content = value.get("content", [])
    structured = value.get("structuredContent")
    if not value.keys() <= _RESULT_KEYS or not isinstance(content, list) or not isinstance(structured, dict | None):
        return None
    texts = _block_texts(content)
    if texts is None or not isinstance(value.get("isError", False), bool | None):
        return None
    if not content and structured is None and "isError" not in value:
        return None
    text, beside = "\n".join(texts), {}
    if structured is not None:
        whole = _dump(structured)
        if not text or (len(whole) > 2 * len(text) + 40 and not _repeats(text, structured)):
            beside = {"text": text} if text else {}
            text = whole

    def rewrap(new: str) -> dict[str, Any]:
        kept = {key: item for key, item in value.items() if key != "structuredContent"}
        return {**kept, "content": _replace(content, new)}

    found = _envelope("mcp", text, rewrap, content)
    found.is_error = bool(value.get("isError"))
    found.beside = beside
    return found


def _repeats(text: str, structured: dict[str, Any]) -> bool:
    """Whether the text is the structured content once more (also as FastMCP's ``{"result": value}``)."""
    import json

    if structured == {"result": text}:
        return True
    try:
        value = json.loads(text)
        return bool(value == structured or {"result": value} == structured)
    except (ValueError, RecursionError):
        return False


def _jsonrpc(value: dict[str, Any]) -> Envelope | None:
    if value.get("jsonrpc") != "2.0":
        return None
    error, result = value.get("error"), value.get("result")
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        text = error["message"] if error.keys() <= {"code", "message"} else _dump(error)

        def rewrap(new: str) -> dict[str, Any]:
            kept = {key: item for key, item in error.items() if key != "data"}
            return {**value, "error": {**kept, "message": new}}

        found = _envelope("jsonrpc", text, rewrap)
        found.is_error = True
    else:
        inner = _mcp(result) if isinstance(result, dict) else None
        if inner is None:
            return None
        found = inner
        found.shape = "jsonrpc"
        put_back = inner._rewrap
        found._rewrap = lambda new: {**value, "result": put_back(new)}
    identity = value.get("id")
    found.id = identity if isinstance(identity, str | int) else None
    return found


def _tool_result(value: dict[str, Any]) -> Envelope | None:
    if value.get("type") not in ("tool_result", "mcp_tool_result") or not isinstance(value.get("tool_use_id"), str):
        return None
    found = _message("tool_result", value, "content", "text")
    if found:
        found.id = value["tool_use_id"]
        found.is_error = value.get("is_error") is True
    return found


def _tool_message(value: dict[str, Any]) -> Envelope | None:
    if "tool" not in (value.get("role"), value.get("type")) or not isinstance(value.get("tool_call_id"), str):
        return None
    found = _message("tool", value, "content", "text")
    if found:
        name = value.get("name")
        found.id = value["tool_call_id"]
        found.tool = name if isinstance(name, str) else None
        found.is_error = value.get("status") == "error"
    return found


def _call_output(value: dict[str, Any]) -> Envelope | None:
    if value.get("type") != "function_call_output" or not isinstance(value.get("call_id"), str):
        return None
    found = _message("function_call_output", value, "output", "input_text")
    if found:
        found.id = value["call_id"]
    return found


def _message(shape: str, value: dict[str, Any], key: str, kind: str) -> Envelope | None:
    """A message whose ``key`` is a text or a list of blocks."""
    content = value.get(key)
    if content is None:
        content = ""
    if isinstance(content, str):
        return _envelope(shape, content, lambda new: {**value, key: new})
    texts = _block_texts(content) if isinstance(content, list) else None
    if texts is None:
        return None
    return _envelope(shape, "\n".join(texts), lambda new: {**value, key: _replace(content, new, kind)}, content)


def _payload(value: dict[str, Any], length: int | None) -> Envelope | None:
    """One long string under a usual name, beside short scalars."""
    name = next((key for key in _PAYLOADS if isinstance(value.get(key), str)), None)
    if name is None or len(value) > 12:
        return None
    text: str = value[name]
    beside = {key: item for key, item in value.items() if key != name}
    if any(isinstance(item, dict | list) for item in beside.values()):
        return None
    # escapes make the encoded text longer than the decoded one, never shorter: the rest is what counts
    rest = sum(len(key) + (len(item) if isinstance(item, str) else 8) + 6 for key, item in beside.items())
    if not text or rest > (1 - BULK) * len(text):
        return None
    found = _envelope("payload", text, lambda new: {**value, name: new})
    code = next((beside[key] for key in ("exit_code", "exitCode", "returncode") if key in beside), 0)
    found.is_error = (
        (isinstance(code, int) and code != 0)
        or any(beside.get(key) is True for key in ("isError", "is_error"))
        or any(beside.get(key) is False for key in ("success", "ok"))
    )
    found.beside = beside
    return found


def _envelope(shape: str, text: str, rewrap: Rewrap, content: list[Any] | None = None) -> Envelope:
    others = sum(_text_of(block) is None for block in content or ())
    return Envelope(shape, Source.of_text(text), text, others=others, _rewrap=rewrap)


def _block_texts(content: list[Any]) -> list[str] | None:
    """The texts of a content array; None when it is something else."""
    texts = []
    for block in content:
        if not isinstance(block, dict):
            return None
        kind = block.get("type")
        allowed = _BLOCKS.get(kind) if isinstance(kind, str) else None
        if allowed is None or not block.keys() <= allowed | _ANY or not block.keys() & allowed:
            return None
        if kind in _TEXTS and not isinstance(block.get("text"), str):
            return None
        text = _text_of(block)
        if text is not None:
            texts.append(text)
    return texts


def _text_of(block: dict[str, Any]) -> str | None:
    """The text of a text block or of an embedded resource."""
    if block["type"] == "resource":
        resource = block["resource"]
        text = resource.get("text") if isinstance(resource, dict) else None
    else:
        text = block.get("text")
    return text if isinstance(text, str) else None


def _replace(content: list[Any], new: str, kind: str = "text") -> list[Any]:
    """One text block in the place of the first text; embedded texts become links to their resource."""
    result: list[Any] = []
    placed = False
    for block in content:
        if _text_of(block) is None:
            result.append(block)
            continue
        if not placed:
            placed = True
            same = block["type"] if block["type"] in _TEXTS else kind
            result.append({"type": same, "text": new})
        if block["type"] == "resource":
            uri = str(block["resource"].get("uri", ""))
            link = {"type": "resource_link", "uri": uri, "name": uri.rpartition("/")[2] or uri}
            result.extend([link] if uri else [])
    return result if placed else [{"type": kind, "text": new}, *result]


def _dump(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
