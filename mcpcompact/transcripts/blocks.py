"""Messages of any provider, told apart by what they hold. A message is an object with a speaker and a content: text, or
blocks that are text, a call or a result. The tables name the keys under which providers and frameworks keep each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mcpcompact.patterns import regex
from mcpcompact.transcripts.builder import NOWHERE, Builder, Message, Place, Usage, answer_of, dumped, text_of
from mcpcompact.transcripts.document import UNREADABLE, listed, mapped, parse, stated

SPEAKERS = ("role", "type", "kind", "author")
ROLES = {
    **dict.fromkeys(("system", "developer"), "system"),
    **dict.fromkeys(("user", "human"), "user"),
    **dict.fromkeys(("assistant", "ai", "gpt", "model", "agent"), "assistant"),
    **dict.fromkeys(("tool", "function", "tool_response", "tool_result", "observation"), "tool"),
    **dict.fromkeys(("tool_call", "function_call"), "call"),
}
"""What each word for a speaker means."""

ALL_ROLES = ROLES | {
    **dict.fromkeys(("aimessagechunk", "assistantmessage"), "assistant"),
    **dict.fromkeys(("prompt", "toolresults"), "user"),
    **dict.fromkeys(("tool-call", "tool-response"), "user"),  # of smolagents, which tells both in text
    **dict.fromkeys(("toolresult", "toolmessage"), "tool"),
    "instructions": "system",
}
CONTENTS = ("content", "parts", "contents", "text", "value", "message")
CALLS = {"tool_use", "tool_call", "tool-call", "toolCall", "toolUse", "function", "function_call", "server_tool_use",
         "mcp_tool_use"}  # fmt: skip
RESULTS = {"tool_result", "tool-result", "toolResult", "tool_call_response", "tool_response", "function_call_output",
           "function_result"}  # fmt: skip
KINDS = {
    "text": "text",
    **dict.fromkeys(CALLS, "call"),
    **dict.fromkeys(RESULTS, "result"),
    # thoughts, which are not sent again, and marks
    **dict.fromkeys(("thinking", "redacted_thinking", "reasoning", "think", "finish", "reasoning_details"), "silent"),
}
WRAPPED = {
    **dict.fromkeys(("toolUse", "functionCall", "function_call", "tool_call"), "call"),
    **dict.fromkeys(("executableCode", "executable_code"), "call"),
    **dict.fromkeys(("toolResult", "functionResponse", "function_response"), "result"),
    **dict.fromkeys(("codeExecutionResult", "code_execution_result"), "result"),
}
"""Blocks without a type: their one key says what they are."""
IDS = ("tool_call_id", "toolCallId", "call_id", "callId", "tool_use_id", "toolUseId", "id", "tool_call_ids")
TOOLS = ("name", "toolName", "tool_name")
ARGUMENTS = ("arguments", "args", "input", "parameters")
OUTPUTS = ("content", "output", "result", "response", "value", "text", "error")
MEDIA = {"image", "document", "video", "audio"}  # blocks without a type that are no text
STREAMS = ("stdout", "stderr")
MARKS = {"is_error", "isError", "error", "status", "outcome"}  # keys that say how a tool ended
FINE = ("", "OUTCOME_OK")
FAILED = {"error", "failed", "failure", "error-text", "error-json"}

_MAX = 100_000  # characters that are parsed

XML = regex(r"<([a-z]+_[a-z_]+)>\s*(<.*?)</\1>", 16)  # DOTALL
FIELD = regex(r"<([a-z_]+)>(.*?)</\1>", 16)


class Made(NamedTuple):
    """A call, as ``Builder.call`` takes it."""

    id: object
    tool: object
    arguments: object
    server: str = ""


class Answer(NamedTuple):
    """A result, as ``Builder.result`` takes it."""

    id: object
    text: str
    places: Sequence[Place] = ()
    tool: str = ""
    is_error: bool = False
    images: int = 0


class Said(NamedTuple):
    """A message: what it says, the calls it makes and the results it brings. ``parts`` are these in order."""

    role: str
    text: str
    places: Sequence[Place]
    images: int
    calls: Sequence[Made]
    answers: Sequence[Answer] = ()
    others: Sequence[object] = ()  # blocks that are none of these
    parts: Sequence[str | Made | Answer] = ()


def first(value: Mapping[str, Any], keys: Sequence[str]) -> Any:
    """What stands under the first of these keys that says something."""
    for key in keys:
        if (content := value.get(key)) is not None:
            return content
    return None


def told(message: Any, at: Place = NOWHERE) -> Said:
    """What a message says. One of an unknown speaker has no role."""
    message = mapped(message)
    speaker, content, key = message.get("role"), message.get("content"), "content"
    role = ALL_ROLES.get(speaker, "") if isinstance(speaker, str) else ""
    role = role or ALL_ROLES.get(stated(first(message, SPEAKERS)).lower(), "")
    if not content:
        key = next(filter(message.get, CONTENTS), "content")
        content = message.get(key)
    if role == "tool" and not (isinstance(content, list) and content and _opened(content[0])[0] == "result"):
        definition = isinstance(content, dict) and "function" in content  # of a tool, which some traces list as well
        return Said("", "", (), 0, ()) if definition else Said("tool", "", (), 0, (), (answered(message, at),))
    where = at.under(key)
    if isinstance(content, str):  # as most are
        return Said(role, content, (where,), 0, _beside(message, ()))
    turn = _read(role, message, content, where)
    return turn if key != "parts" else _in_pieces(turn, content)


def _read(role: str, message: dict[str, Any], content: Any, at: Place) -> Said:
    """What a message of blocks says, which stand at ``at``."""
    places: list[Place] = []
    parts: list[str | Made | Answer] = []
    left: list[Any] = []
    images = 0
    several = isinstance(content, list)
    for index, block in enumerate(content if several else [content]):
        kind, body, path = _opened(block)
        where = at.under(index, *path) if several else at.under(*path)
        if kind == "call":
            parts.append(called(body))
        elif kind == "result":
            parts.append(answered(mapped(body), where))
        elif kind == "text":
            text, spots, others = text_of(body, where)
            if text:
                parts.append(text)
                places += spots
            if others:
                images += others
                left.append(body)
    texts = [part for part in parts if isinstance(part, str)]
    calls = [part for part in parts if isinstance(part, Made)]
    answers = [part for part in parts if isinstance(part, Answer)]
    calls += _beside(message, calls)
    whole = len(places) >= len(texts) and not (answers and role == "assistant")
    return Said(role, "\n".join(texts), places if whole else (), images, calls, answers, left, parts)


def _in_pieces(turn: Said, parts: Any) -> Said:
    """Gemini's: the model's texts are pieces of one, and files stand beside the result that has them."""
    pieces = [part for part in turn.parts if isinstance(part, str)] if turn.role == "assistant" else []
    if pieces[1:] and "type" not in mapped(listed(parts)[0]):
        turn = turn._replace(text="".join(pieces), places=())
    if turn.images and turn.answers:
        last = turn.answers[-1]
        answers = [*turn.answers[:-1], last._replace(images=last.images + turn.images)]
        turn = turn._replace(answers=answers, images=0)
    return turn


def _beside(message: dict[str, Any], blocks: Sequence[Made]) -> Sequence[Made]:
    """The calls that stand beside a message's content; some tell one as a block as well."""
    calls = message.get("tool_calls") or message.get("toolCalls")
    if not calls:
        extra = mapped(message.get("additional_kwargs"))
        alone = message.get("function_call") or extra.get("function_call")
        calls = extra.get("tool_calls") or ([{"function": alone}] if isinstance(alone, dict) else ())
        if not calls:
            return ()
    known = {str(call.id) for call in blocks if call.id}
    beside = [called(call) for call in listed(calls) if call and isinstance(call, dict)]
    return [call for call in beside if str(call.id) not in known] if known else beside


def say(build: Builder, turn: Said, *, usage: Usage | None = None, kind: object = "") -> None:
    """Say it: results first, each as a message of its own, then the speaker's text and calls; of the model in their
    order, what it says after a result as the rest of its message. Blocks that are none of these are counted."""
    for block in turn.others:
        build.unknown(block)
    if turn.role == "assistant":
        message = build.say("assistant", "" if turn.answers else turn.text, usage=usage, places=turn.places)
        if turn.answers:
            _in_order(build, turn.parts, message)
        else:
            for call in turn.calls:
                build.call(*call, message=message)
        return
    for answer in turn.answers:
        build.result(*answer)
    if turn.role in ("user", "system") and (turn.text or turn.images or not turn.answers):
        build.say("user" if turn.role == "user" else "system", turn.text, places=turn.places)
    elif not turn.role:
        build.skip(f"message of {kind}" if kind else "message")


def _in_order(build: Builder, parts: Sequence[str | Made | Answer], message: Message) -> None:
    """Say what the model's message holds, which begins anew after a result."""
    for part in parts:
        if isinstance(part, Answer):
            build.result(*part)
            continue
        message = build.further(message)
        if isinstance(part, Made):
            build.call(*part, message=message)
        else:
            message.add(part)


def more(build: Builder, content: Any, message: Message) -> None:
    """Say what the model's message goes on with, in whose content stand no results."""
    for block in content if isinstance(content, list) else [content]:
        text = block if isinstance(block, str) else mapped(block).get("text")
        if isinstance(text, str):
            message.add(text)
        elif stated(mapped(block).get("type")) in CALLS:
            build.call(*called(block), message=message)
        else:
            build.unknown(block)


def _opened(block: Any) -> tuple[str, Any, tuple[str, ...]]:
    """What a block is, its body, and the way to it."""
    if not isinstance(block, dict):
        return "text", block, ()
    type = stated(block.get("type") or block.get("kind"))
    kind = KINDS.get(type, "")
    if kind and "data" not in block and type not in block:
        return kind, block, ()
    for key, what in WRAPPED.items():
        if isinstance(block.get(key), dict):
            return what, block[key], (key,)
    held = "data" in block and block.keys() <= {"type", "kind", "data"}
    body, path = (block["data"], ("data",)) if held else (block, ())
    if kind == "silent" or block.get("thought") is True:
        return "silent", body, path
    if isinstance(block.get("message_content"), dict):
        return "text", block["message_content"], ("message_content",)
    return kind or ("result" if type.endswith("_tool_result") else "text"), body, path


def called(body: Any) -> Made:
    """A call, with its arguments as an object or as its text."""
    body = mapped(body)
    function = body.get("function")
    if isinstance(function, dict) and "id" in body and "name" in function:  # as most are
        return Made(body["id"], stated(function["name"]), first(function, ARGUMENTS))
    if isinstance(value := body.get("value"), str):
        body = mapped(literal(value))
    body = mapped(body.get("tool_call")) or body
    function = body.get("function")
    about = function if function and isinstance(function, dict) else body
    tool, arguments = stated(first(about, TOOLS)) or stated(function), first(about, ARGUMENTS)
    if not tool and "code" in body:  # that Gemini runs itself
        tool, arguments = "code_execution", {"code": body["code"]}
    return Made(first(body, IDS), tool, arguments, stated(body.get("server_name")))


def answered(body: Mapping[str, Any], at: Place = NOWHERE) -> Answer:
    """What a result says, whichever keys it has."""
    key, value = "content", body.get("content")
    if value is None:
        key = next((key for key in OUTPUTS if body.get(key) is not None), "content")
        value = body.get(key)
    failed = False
    if not MARKS.isdisjoint(body):
        failed = bool(body.get("is_error") or body.get("isError") or body.get("error"))
        failed = failed or stated(body.get("status")).lower() in FAILED or stated(body.get("outcome")) not in FINE
    if isinstance(value, (dict, list)) and stated(body.get("type")).endswith("_tool_result"):
        text, places, images, wrong = _hosted(value, at.under(key))
        failed = failed or wrong
    else:
        text, places, images = output(value, at.under(key))
    if isinstance(value, dict):
        failed = failed or bool(value.get("error")) or stated(value.get("type")).lower() in FAILED
    id, images = first(body, IDS), images + len(listed(body.get("parts")))
    id = next(iter(id), "") if isinstance(id, list) else id
    return Answer(id, text, places, stated(first(body, TOOLS)), failed, images)


def _hosted(value: Any, at: Place) -> tuple[str, Sequence[Place], int, bool]:
    """Text, places, images and failure of what Anthropic's own tools answered."""
    about, inner, at_inner = mapped(value), mapped(value).get("content"), at.under("content")
    if mapped(next(iter(listed(value)), None)).get("type") == "web_search_result":  # what the model reads is encrypted
        hits = [f"{hit.get('title') or ''} {hit.get('url') or ''}".strip() for hit in map(mapped, value)]
        return "\n".join(hits), (), 0, False
    if "error_code" in about:
        return f"{about['error_code']} {about.get('error_message') or ''}".strip(), (), 0, True
    if any(name in about for name in STREAMS):
        names = [name for name in STREAMS if stated(about.get(name))]
        texts, places = [about[name] for name in names], [at.under(name) for name in names]
        return "\n".join(texts), places, len(listed(inner)), bool(about.get("return_code"))
    if source := mapped(mapped(inner).get("source")):  # a fetched document
        text = source.get("data") if source.get("type") == "text" else [source]
        return *text_of(text, at_inner.under("source", "data")), False
    if about and inner is None:
        return *text_of(listed(about.get("tool_references"))), False
    return *(text_of(inner, at_inner) if about else text_of(value, at)), False


def output(value: Any, at: Place = NOWHERE) -> tuple[str, Sequence[Place], int]:
    """The text of a tool's output: its text blocks; of an object its one text, else all of it as JSON."""
    if isinstance(value, str):
        return value, (at,), 0
    if isinstance(value, list):
        text, places, images = text_of(value, at)
        data = images == len(value) and not any("type" in block or MEDIA & block.keys() for block in map(mapped, value))
        return (dumped(value), (), 0) if value and data else (text, places, images)
    if isinstance(value, dict):
        if "type" in value and isinstance(inner := value.get("value", value.get("text")), str):
            return inner, [at.under("value" if "value" in value else "text")], 0
        return *answer_of(value.get("value", value) if "type" in value else value, at)[:2], 0
    return ("", (), 0) if value is None else (dumped(value), (at,), 0)


def literal(text: str) -> Any:
    """The value of JSON text, or of a Python literal; the text itself when it is neither."""
    value = parse(text)
    if value is not UNREADABLE:
        return value
    import ast
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes
            return ast.literal_eval(text) if len(text) < _MAX else text
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return text


def read_json(value: Any) -> Any:
    """A value that may stand as JSON text, perhaps twice."""
    for _ in range(2):
        if isinstance(value, str) and value.lstrip()[:1] in ("{", "[", '"'):
            inner = parse(value)
            value = value if inner is UNREADABLE else inner
    return value


def xml_calls(text: str) -> list[tuple[str, dict[str, str]]]:
    """Calls written as XML in a text: ``<read_file><path>…</path></read_file>``."""
    pairs = ((match[1], FIELD.finditer(match[2])) for match in XML.finditer(text))
    return [(tool, {field[1]: field[2].strip("\n") for field in fields}) for tool, fields in pairs]
