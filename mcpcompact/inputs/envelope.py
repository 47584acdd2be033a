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
exec                a shell's text: header lines (``Exit code: 0``, ``Wall time: …``), ``Output:``, then the output, and
                    what hosts put around it: ``<untrusted_context>``, a warning that they cut it, lines after it;
                    a page that was fetched, below ``Contents of URL:``
payload             an object whose one long string is over 90 % of it: ``{"exit_code": 0, "output": "…"}``
==================  ==========================================================================

The shapes are checked strictly (every block of a known type with the keys of that type), because a false
unwrapping would hide data. A payload that is itself the JSON of a message is unwrapped again, three deep.
What does not parse, repeats a key, holds NaN or nests without end is plain.

``structuredContent`` repeats the text by the protocol's own rule. Where it holds clearly more than the text
does, it is the payload and the text stands in ``beside``, else what differs from the text stands there itself.
``rewrap`` drops it: the short text replaces both.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import field
from typing import Any

from mcpcompact.outline import record
from mcpcompact.patterns import regex
from mcpcompact.source import LARGE, Source, decode

_SHORT = 12  # keys or digits of a status, no data

DEPTH = 3
BESIDE = 0.1  # of the characters of a payload, what may stand beside it in its object
_HEAD, _TAIL = 65_536, 16_384

_SCALARS = r'(?:\s*"[^"\\]{1,60}"\s*:\s*(?:"[^"\\]{0,400}"|[-+.\w]{1,40})\s*,){0,12}'
_CARRIES = "content|result|output|text|stdout|error|structuredContent|_meta|cache_control"
_CARRYING = tuple(f'"{key}"' for key in _CARRIES.split("|"))
_GATE = regex(r'\s*(?:"|\[\s*\{\s*"|\{' + _SCALARS + rf'\s*"(?P<key>{_CARRIES})"' + r'\s*:\s*(?P<value>["\[{]))')
_CUT = r"Warning: truncated output \(original token count: \d+\)\r?\nTotal output lines: \d+\r?\n\r?\n"
_EXEC = regex(
    r"(?:(?:Chunk ID|Wall time|Process (?:exited|running)|Original token count|Total output lines|Exit code"
    rf"|Script (?:completed|failed))\b[^\n]{{0,200}}\r?\n){{1,8}}Output:\r?\n(?:(?:\r?\n)?{_CUT})?|{_CUT}"
)
_FETCHED = regex(r"(?:Content type [^\n]{0,200}:\r?\n)?Contents of (?P<url>\S{1,1900}):\r?\n")
_CUT_OFF = regex(r"\s*<error>(?P<said>Content truncated\.[^<>]{0,300})</error>\s*\Z")
_BEGINS = (
    *("Chunk ID", "Wall time", "Process ", "Original token", "Total output", "Exit code", "Script ", "Warning: trunc"),
    *("<untrusted_context>", "Command: ", "Output: ", "Contents of ", "Content type "),
)
"""How the text begins that a host framed, whatever follows: others need no pattern."""
_OPENS = regex(
    r"(?P<tag><untrusted_context>\n)?(?P<shell>(?:Command: [^\n]{0,400}\nDirectory: [^\n]{0,400}\n)?Output: )?"
)
_CLOSES = regex(
    r"(?P<shell>(?:\n(?:Error|Stderr|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]{0,400})+)?"
    r"(?P<tag>\n</untrusted_context>)?\s*\Z"
)
_ENDED = regex(
    r"(?:\n[<\[(](?:shellId: |The |[Cc]ommand |[Pp]rocess |[Ee]xit(?:ed)? |Current working directory: "
    r"|Python interpreter: )[^\n<>\[\]]{0,300}[>\])]){1,6}\s*\Z"
)
"""What a shell tool says in brackets behind an output: how its command ended, and where."""
_NOTHING = {"(none)", "(empty)"}
_BARE = {"Output", "<untru", "</untr"}  # how lines begin that say nothing themselves
_FRAME = 2_000  # characters at either end that are looked at
_EXIT = regex(r"(?:[Ee]xit (?:[Cc]ode:?|status:?) |(?:exited|completed|finished) with (?:exit )?code )(-?\d+)")
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
_UNTOLD = ("type", "annotations", "_meta", "cache_control")  # of a block, what says nothing of its content
_RESULT_KEYS = {"content", "isError", "structuredContent", "_meta", "meta", "_type", "resultType"}
_EXIT_KEYS = {"exitcode", "returncode", "exitstatus", "retcode", "rc"}
_PAYLOADS = ("result", "output", "text", "stdout", "content")

Rewrap = Callable[[str], Any]


@record
class Envelope:
    """What was found: the payload as ``source`` (the caller's own object when plain) and as ``text``.

    ``text`` is None when plain. ``beside`` holds what a reader of the payload alone would miss: the other
    values of a ``payload`` object (``exit_code``), the header of a shell's text, the text beside a larger
    ``structuredContent``, blocks that are no text (binary content by kind, size and hash).
    ``others`` counts these blocks; ``rewrap`` keeps them.
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


def unwrap(source: Source, *, parsed: bool = False) -> Envelope:
    """The payload of a tool result. Total: what is not certainly a message comes back as plain.

    ``parsed``: the source was written from a value, so its keys may stand in any order and need no look at both ends.
    """
    if source.size > LARGE:
        return Envelope("plain", source)
    head, tail = _frame(source)
    if head or tail:
        return _exec(source, head, tail)
    if not parsed and not _likely(source):
        return Envelope("plain", source)
    value = _parsed(source.text)
    envelope = _match(value)
    if envelope is None:
        return Envelope("plain", source, is_error=isinstance(value, dict) and _failed(value))
    return _deepen(envelope)


def _frame(source: Source) -> tuple[str, str]:
    """What a host put before and after a text; empty for a text without."""
    start = decode(source.read(0, _FRAME))
    framed = start.startswith(_BEGINS)
    if framed and (header := _EXEC.match(start)):
        return header[0], ""
    end = decode(source.read(max(0, source.size - _FRAME), source.size))
    if not framed:
        ended = _ENDED.search(end) if end.rstrip()[-1:] in (">", "]", ")") else None
        return "", ended[0] if ended and _EXIT.search(ended[0]) else ""
    if header := _FETCHED.match(start):
        return header[0], cut[0] if (cut := _CUT_OFF.search(end)) else ""
    opens = _OPENS.match(start)
    if opens is None or not opens[0]:
        return "", ""
    closes = next(match for match in _CLOSES.finditer(end))
    if bool(opens["tag"]) != bool(closes["tag"]) or (opens["shell"] and not closes["shell"]):
        return "", ""
    return opens[0], closes[0] if opens["shell"] else closes[0][closes.start("tag") - closes.start() :]


def _exec(source: Source, head: str, tail: str) -> Envelope:
    """A shell's output within what its agent printed around it, which changes at every call: the output counts."""
    text = source.text[len(head) : len(source.text) - len(tail)]
    if not text.strip():
        return Envelope("plain", source)
    code = _EXIT.search(head) or _EXIT.search(tail)
    envelope = _envelope("exec", text, lambda new: head + new + tail)
    envelope.is_error = code is not None and int(code[1]) != 0
    around = f"{head}\n{tail}".split("\n")
    if not head:
        around = [line.strip(" \r[]()<>") for line in around if not _EXIT.search(line)]
    lines = [line.strip().partition(": ") for line in around]
    fields = {name: value for name, _, value in lines if name and value not in _NOTHING and name[:6] not in _BARE}
    fields = {name: value for name, value in fields.items() if name.lower() != "exit code"}
    envelope.beside = {"exit_code": int(code[1]), **fields} if code else fields
    if page := _FETCHED.match(head):
        envelope.beside = {"url": page["url"], "lines are counted from below it": ""}
        envelope.beside |= {"truncated": cut["said"]} if (cut := _CUT_OFF.match(tail)) else {}
    return _deepen(envelope)


def _likely(source: Source) -> bool:
    """A look at both ends: a message opens with a few scalars and then one of the known keys."""
    head = decode(source.read(0, _HEAD))
    begun = head.lstrip()
    keyed = begun[:1] != "{" or any(map(head.__contains__, _CARRYING))
    gate = _GATE.match(head) if keyed and begun[:1] in tuple('"[{') and not begun.startswith('"""') else None
    if gate is None:
        return False
    if gate[0].strip() == '"':  # a string literal: to its last byte
        return source.read(source.size - 64, source.size).replace(b"\0", b"").rstrip()[-1:] == b'"'
    if gate["value"] == '"' or _MARK.search(head):
        return True
    tail = decode(source.read(max(_HEAD, source.size - _TAIL), source.size)) if source.size > _HEAD else ""
    return _MARK.search(tail) is not None


def _parsed(text: str) -> Any:
    """The value of a JSON text that could be a message; None for any other."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) < len(pairs):
            raise ValueError("a key occurs twice")
        return value

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        return json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    except (ValueError, RecursionError, MemoryError):
        return None


def _deepen(envelope: Envelope) -> Envelope:
    """Unwrap a payload that is a message again. The outermost shape is the one that is put back."""
    for _ in range(DEPTH - 1):
        if not _likely(envelope.source):
            break
        inner = _match(_parsed(envelope.text or ""))
        if inner is None:
            break
        envelope.source, envelope.text = inner.source, inner.text
        envelope.is_error, envelope.others = envelope.is_error or inner.is_error, envelope.others + inner.others
        envelope.id, envelope.tool = inner.id if envelope.id is None else envelope.id, envelope.tool or inner.tool
        envelope.beside |= {f"inner {k}" if k in envelope.beside else k: v for k, v in inner.beside.items()}
    return envelope


def _match(value: Any) -> Envelope | None:
    if isinstance(value, str):
        return _envelope("string", value, str)
    if isinstance(value, list):
        texts = _block_texts(value)
        return _envelope("content", "\n".join(texts), lambda new: _replace(value, new), value) if texts else None
    if not isinstance(value, dict):
        return None
    return _mcp(value) or _jsonrpc(value) or _message(value) or _payload(value)


def _mcp(value: dict[str, Any]) -> Envelope | None:
    content = value.get("content", [])
    structured = value.get("structuredContent")
    if not value.keys() <= _RESULT_KEYS or not isinstance(content, list) or not isinstance(structured, dict | None):
        return None
    texts = _block_texts(content)
    beside: dict[str, Any] = {}
    if texts is None or not isinstance(value.get("isError", False), bool | None):
        return None
    if not content and structured is None and "isError" not in value:
        return None
    text = "\n".join(texts)
    if structured is not None:
        whole, more = _dump(structured), _beyond(text, structured) if text else structured
        if more or not text:
            beside = {"structuredContent": more} if text else {}
            if len(whole) > 2 * len(text) + 40 or not text:
                beside, text = {"text": text} if text and more == structured else {}, whole

    def rewrap(new: str) -> dict[str, Any]:
        kept = {key: item for key, item in value.items() if key != "structuredContent"}
        return {**kept, "content": _replace(content, new)}

    envelope = _envelope("mcp", text, rewrap, content)
    envelope.is_error = bool(value.get("isError"))
    envelope.beside |= beside
    return envelope


_NAMELESS = 40  # characters of a text that needs no key: a number, a state and a name do


def _beyond(text: str, structured: dict[str, Any]) -> dict[str, Any]:
    """What the structured content holds that the text does not: all of it, its only member or some of its members may
    be the text once more, as it stands or read as JSON (FastMCP's ``{"result": value}``)."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = text
    if value == structured:
        return {}
    again = (text, value) if len(text) > _NAMELESS or structured.keys() == {"result"} else ()
    return {key: held for key, held in structured.items() if not any(held == each for each in again)}


def _jsonrpc(value: dict[str, Any]) -> Envelope | None:
    if value.get("jsonrpc") != "2.0":
        return None
    error, result = value.get("error"), value.get("result")
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        text = error["message"] if error.keys() <= {"code", "message"} else _dump(error)

        def rewrap(new: str) -> dict[str, Any]:
            kept = {key: item for key, item in error.items() if key != "data"}
            return {**value, "error": {**kept, "message": new}}

        envelope = _envelope("jsonrpc", text, rewrap)
        envelope.is_error = True
        if text is error["message"] and "code" in error:
            envelope.beside = {"code": error["code"]}
    else:
        inner = _mcp(result) if isinstance(result, dict) else None
        if inner is None:
            return None
        envelope = inner
        envelope.shape = "jsonrpc"
        put_back = inner._rewrap
        envelope._rewrap = lambda new: {**value, "result": put_back(new)}
    identity = value.get("id")
    envelope.id = identity if isinstance(identity, str | int) else None
    return envelope


def _message(value: dict[str, Any]) -> Envelope | None:
    """The message of a host: the id of a call beside what it gave."""
    kind, tool = value.get("type"), value.get("name")
    for shape, holds, identity, key, block in (
        ("tool_result", kind in ("tool_result", "mcp_tool_result"), "tool_use_id", "content", "text"),
        ("tool", "tool" in (value.get("role"), kind), "tool_call_id", "content", "text"),
        ("function_call_output", kind == "function_call_output", "call_id", "output", "input_text"),
    ):
        if not holds or not isinstance(value.get(identity), str):
            continue
        if (envelope := _content(shape, value, key, block)) is None:
            continue
        envelope.id = value[identity]
        if shape == "tool":
            envelope.tool = tool if isinstance(tool, str) else None
        errors = {"tool_result": value.get("is_error") is True, "tool": value.get("status") == "error"}
        envelope.is_error = errors.get(shape, False)
        return envelope
    return None


def _content(shape: str, value: dict[str, Any], key: str, kind: str) -> Envelope | None:
    """A message whose ``key`` is a text or a list of blocks."""
    content = "" if value.get(key) is None else value[key]
    if isinstance(content, str):
        return _envelope(shape, content, lambda new: {**value, key: new})
    texts = _block_texts(content) if isinstance(content, list) else None
    if texts is None:
        return None
    return _envelope(shape, "\n".join(texts), lambda new: {**value, key: _replace(content, new, kind)}, content)


def _payload(value: dict[str, Any]) -> Envelope | None:
    """One long string under a usual name, beside short scalars."""
    name = next((key for key in _PAYLOADS if isinstance(value.get(key), str)), None)
    if name is None or len(value) > _SHORT:
        return None
    text: str = value[name]
    beside = {key: item for key, item in value.items() if key != name}
    if any(isinstance(item, dict | list) for item in beside.values()):
        return None
    # escapes make the encoded text longer than the decoded one, never shorter: the rest is what counts
    rest = sum(len(key) + (len(item) if isinstance(item, str) else 8) + 6 for key, item in beside.items())
    if not text or rest > BESIDE * len(text):
        return None
    envelope = _envelope("payload", text, lambda new: {**value, name: new})
    envelope.is_error = _failed(beside)
    envelope.beside = beside
    return envelope


def exit_code(beside: dict[str, Any]) -> int | None:
    """The exit code among the values of a message: of several the first that is not 0."""
    code = None
    for key, value in beside.items():
        if key.lower().replace("_", "").replace(" ", "").removeprefix("inner") in _EXIT_KEYS:
            text = str(value)
            if not isinstance(value, bool) and text.lstrip("-").isdecimal() and len(text) < _SHORT:
                code = code or int(text)
    return code


def _failed(beside: dict[str, Any]) -> bool:
    """Whether the values beside a payload say that the call failed."""
    return (
        bool(exit_code(beside))
        or any(beside.get(key) is True for key in ("isError", "is_error"))
        or any(beside.get(key) is False for key in ("success", "ok"))
    )


def _envelope(shape: str, text: str, rewrap: Rewrap, content: list[Any] | None = None) -> Envelope:
    envelope = Envelope(shape, Source.of_text(text), text, _rewrap=rewrap)
    for block in content or ():
        has_text = _text_of(block) is not None
        if has_text and block["type"] != "resource":
            continue
        envelope.others += not has_text
        parts, untold = (block["resource"], ("text",)) if has_text else (block, _UNTOLD)
        about = {key: item for key, item in parts.items() if key not in untold}
        envelope.beside.setdefault(block["type"], []).append(_without_data(about))
    return envelope


def _without_data(block: dict[str, Any]) -> Any:
    """A copy of a block in which binary content is named."""
    import copy

    from mcpcompact.encoded import containers, name_data

    held = copy.deepcopy(block)
    name_data(containers(held))
    return held


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
            result.append({"type": block["type"] if block["type"] in _TEXTS else kind, "text": new})
        if block["type"] == "resource":
            uri = str(block["resource"].get("uri", ""))
            link = {"type": "resource_link", "uri": uri, "name": uri.rpartition("/")[2] or uri}
            result.extend([link] if uri else [])
    return result if placed else [{"type": kind, "text": new}, *result]


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
