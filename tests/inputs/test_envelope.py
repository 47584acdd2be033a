"""Messages around a tool's text: found strictly, put back in the same shape, never a traceback."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcompact import Policy, compact
from mcpcompact.inputs.envelope import Envelope, unwrap
from mcpcompact.source import Source

LONG = 'line one\nline two with a "quote" and é\n' * 20
IMAGE = {"type": "image", "data": "aGk=", "mimeType": "image/png"}


def text_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def of(value: Any, **options: Any) -> Envelope:
    return unwrap(Source(json.dumps(value, **options).encode()))


MCP = {"content": [text_block(LONG)], "isError": False}
SHAPES: list[tuple[str, Any, Any]] = [
    ("mcp", MCP, {"content": [text_block("short")], "isError": False}),
    ("mcp", {"_meta": {"a": 1}, **MCP}, {"_meta": {"a": 1}, "content": [text_block("short")], "isError": False}),
    (
        "mcp",
        {"content": [IMAGE, text_block(LONG)], "structuredContent": {"result": LONG}},
        {"content": [IMAGE, text_block("short")]},
    ),
    (
        "jsonrpc",
        {"jsonrpc": "2.0", "id": 7, "result": MCP},
        {"jsonrpc": "2.0", "id": 7, "result": {"content": [text_block("short")], "isError": False}},
    ),
    ("content", [text_block(LONG), IMAGE], [text_block("short"), IMAGE]),
    (
        "tool_result",
        {"type": "tool_result", "tool_use_id": "t1", "content": LONG, "is_error": False},
        {"type": "tool_result", "tool_use_id": "t1", "content": "short", "is_error": False},
    ),
    (
        "tool_result",
        {"tool_use_id": "t1", "type": "tool_result", "content": [text_block(LONG)], "cache_control": {"type": "x"}},
        {"tool_use_id": "t1", "type": "tool_result", "content": [text_block("short")], "cache_control": {"type": "x"}},
    ),
    (
        "tool",
        {"role": "tool", "tool_call_id": "c1", "name": "ls", "content": LONG},
        {"role": "tool", "tool_call_id": "c1", "name": "ls", "content": "short"},
    ),
    (
        "function_call_output",
        {"type": "function_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": LONG}]},
        {"type": "function_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": "short"}]},
    ),
    ("string", LONG, "short"),
    ("payload", {"exit_code": 0, "output": LONG}, {"exit_code": 0, "output": "short"}),
    ("payload", {"result": LONG}, {"result": "short"}),
]


@pytest.mark.parametrize(("shape", "value", "back"), SHAPES)
@pytest.mark.parametrize("indent", [None, 2])
def test_shapes_are_unwrapped_and_put_back(shape: str, value: Any, back: Any, indent: int | None) -> None:
    found = of(value, indent=indent)
    assert (found.shape, found.text, found.source.text) == (shape, LONG, LONG)
    assert found.rewrap("short") == back
    if not isinstance(value, str):
        again = unwrap(Source.of_text(json.dumps(value)), parsed=True)
        assert (again.shape, again.text, again.rewrap("short")) == (shape, LONG, back)


def test_identities_and_errors() -> None:
    rpc = of({"id": "a", "result": {"isError": True, "content": [text_block("no")]}, "jsonrpc": "2.0"})
    assert (rpc.id, rpc.is_error, rpc.text) == ("a", True, "no")
    tool = of({"role": "tool", "tool_call_id": "c1", "name": "ls", "content": "x"})
    assert (tool.id, tool.tool, tool.text) == ("c1", "ls", "x")
    shell = of({"returncode": 137, "output": LONG})
    assert shell.is_error and shell.beside == {"returncode": 137}
    failure = of({"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "Unknown tool", "data": {"x": 1}}})
    assert failure.is_error and "Unknown tool" in (failure.text or "") and '"x":1' in (failure.text or "")
    assert failure.rewrap("s") == {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "s"}}
    assert of({"type": "tool_result", "tool_use_id": "t", "content": "", "is_error": True}).is_error


def test_several_blocks_and_embedded_resources() -> None:
    resource = {"type": "resource", "resource": {"uri": "file:///a/b.py", "mimeType": "text/plain", "text": "print()"}}
    found = of({"content": [text_block("one"), IMAGE, resource]})
    assert (found.text, found.others) == ("one\nprint()", 1)
    assert found.rewrap("s") == {
        "content": [text_block("s"), IMAGE, {"type": "resource_link", "uri": "file:///a/b.py", "name": "b.py"}]
    }


def test_structured_content() -> None:
    data = {"rows": [{"id": i, "name": f"row {i}"} for i in range(50)]}
    only = of({"content": [], "structuredContent": data})
    assert json.loads(only.text or "") == data and only.rewrap("s") == {"content": [text_block("s")]}
    repeated = of({"content": [text_block(json.dumps(data, indent=2))], "structuredContent": data})
    assert repeated.text == json.dumps(data, indent=2) and not repeated.beside
    more = of({"content": [text_block("Found 50 rows")], "structuredContent": data})
    assert json.loads(more.text or "") == data and more.beside == {"text": "Found 50 rows"}
    wrapped = of({"content": [text_block("[1, 2]")], "structuredContent": {"result": [1, 2]}})
    assert wrapped.text == "[1, 2]"


def test_structured_content_that_holds_the_text_under_a_key_is_not_said_again() -> None:
    rows = [{"id": i, "name": f"row {i}"} for i in range(50)]
    for text, held in ((LONG, LONG), (json.dumps(rows, indent=2), rows)):
        only = of({"content": [text_block(text)], "structuredContent": {"made": held}})
        assert (only.text, only.beside) == (text, {})
        more = of({"content": [text_block(text)], "structuredContent": {"made": held, "total": 7}})
        assert (more.text, more.beside) == (text, {"structuredContent": {"total": 7}})
    bare = of(
        {"content": [text_block("3")], "structuredContent": {"count": 3}}
    )  # a number says nothing without its key
    assert bare.beside == {"structuredContent": {"count": 3}}


def test_nested_messages_are_unwrapped_three_deep() -> None:
    inner = {"content": [text_block(">a\nACGT\n")], "isError": True}
    found = of({"role": "tool", "tool_call_id": "c", "content": json.dumps(json.dumps(inner))})
    assert (found.shape, found.text, found.is_error) == ("tool", ">a\nACGT\n", True)
    assert found.rewrap("s")["content"] == "s"
    deep: Any = LONG
    for _ in range(6):
        deep = json.dumps(deep)
    four = unwrap(Source(deep.encode()))
    assert four.shape == "string" and (four.text or "").startswith('"')


@pytest.mark.parametrize(
    "text",
    [
        '{"content": "hello", "author": {"login": "x"}}',
        '{"content": [{"id": 1, "text": "a"}]}',
        '{"content": [{"type": "text", "text": "a", "id": 5}]}',
        '{"content": [{"type": "paragraph", "text": "a"}], "isError": false}',
        '{"content": [{"type": "text", "text": "a"}], "role": "assistant"}',
        '{"content": []}',
        '{"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}',
        '[{"type": "text", "text": "a", "user": "u1"}, {"type": "text", "text": "b", "user": "u2"}]',
        '[{"type": "note", "text": "a"}]',
        '[{"type": "text", "text": 3}]',
        "[]",
        "{}",
        "",
        " ",
        '"',
        '""x"',
        '"quoted," she said, "twice"',
        '{"result": "ok", "items": [1, 2]}',
        '{"text": "short", "sender": "someone with a long name", "when": "today at noon"}',
        '{"output": "a", "output": "b"}',
        '{"content": [{"type": "text", "text": "a"}], "isError": NaN}',
        '{"content": [{"type": "text", "text": "a"}]',
        '{"type": "tool_result", "tool_use_id": 3, "content": "x"}',
        "[" * 200_000,
        '{"content":' + "[" * 200_000,
        '{"result":{"content":[{"type":"text","text":"' + "[" * 100_000 + '"}]}}',
        '{"result": "' + "x" * 1000 + '", "n": ' + "9" * 5000 + "}",
    ],
)
def test_everything_else_is_plain(text: str) -> None:
    source = Source(text.encode())
    found = unwrap(source)
    assert found.shape == "plain" and found.source is source and found.text is None
    assert found.rewrap("s") == "s"


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    unwrap(Source(data))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["content", "type", "text", "result", "jsonrpc", "isError"]), inner)
        ),
        max_leaves=12,
    )
)
def test_any_value_that_uses_the_same_keys(value: Any) -> None:
    found = of(value)
    if found.shape not in ("plain", "string"):
        json.dumps(found.rewrap("s"))


# ---- what stands beside the payload


@pytest.mark.parametrize("key", ["exit_code", "exitCode", "returncode", "exit_status", "rc"])
@pytest.mark.parametrize("code", [1, 2, 127, -9, "1"])
def test_any_exit_code_but_0_is_a_failure(key: str, code: int | str) -> None:
    found = unwrap(Source.of_text(json.dumps({key: code, "output": "line\n" * 100})))
    assert found.shape == "payload" and found.is_error
    short = unwrap(Source.of_text(json.dumps({key: code, "output": "short", "cwd": "/somewhere/else"})))
    assert short.shape == "plain" and short.is_error
    assert not unwrap(Source.of_text(json.dumps({key: 0, "output": "line\n" * 100}))).is_error


@pytest.mark.parametrize("code", [1, 2, 127, -9])
def test_exit_codes_of_a_shells_header(code: int) -> None:
    found = unwrap(Source.of_text(f"Exit code: {code}\nWall time: 1.2 seconds\nOutput:\nline\n"))
    assert found.is_error and found.beside == {"exit_code": code, "Wall time": "1.2 seconds"}


def test_a_payload_is_nine_tenths_of_its_object() -> None:
    """Beside it may stand a tenth of its characters, each value counted with its key and six more."""
    payload = "x" * 1000
    assert unwrap(Source.of_text(json.dumps({"note": "y" * 90, "output": payload}))).shape == "payload"
    assert unwrap(Source.of_text(json.dumps({"note": "y" * 91, "output": payload}))).shape == "plain"


def test_a_repeated_key_makes_an_object_plain() -> None:
    text = '{"exit_code": 1, "exit_code": 0, "output": "' + "x" * 500 + '"}'
    assert unwrap(Source.of_text(text)).shape == "plain"


@pytest.mark.parametrize("notice", ["full", "short", "none"])
def test_lossless_shows_what_stands_beside(notice: str) -> None:
    rows = json.dumps([{"id": n, "status": "ok"} for n in range(80)], indent=2)
    message = json.dumps({"warning": "disk failed on node 7", "exit_code": 3, "output": rows})
    result = compact(message, policy=Policy(600, 100, notice=notice))
    assert result.lossless and "Beside it: warning: disk failed on node 7; exit_code: 3\n" in result.text


def test_what_cannot_be_said_whole_beside_it_is_not_lossless() -> None:
    rows = json.dumps([{"id": n, "status": "ok"} for n in range(3000)], indent=2)
    result = compact(json.dumps({"output": rows, "warning": "disk failed " * 300}), budget=20_000, threshold=100)
    assert not result.lossless and "…[+3," in result.text


def test_structured_content_that_the_text_does_not_repeat_is_said() -> None:
    text = "Listed the pods.\n" * 400
    message = {"content": [{"type": "text", "text": text}], "structuredContent": {"phase": "Pending"}}
    assert 'structuredContent: {"phase": "Pending"}' in compact(message, budget=100).text


def test_blocks_that_are_no_text_are_named() -> None:
    data = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8).decode()
    blocks = [{"type": "text", "text": "seen\n" * 900}, {"type": "image", "data": data, "mimeType": "image/png"}]
    text = compact({"content": blocks}, budget=200).text
    assert "⟪png 2,056 bytes, sha256 " in text and data[:60] not in text


def test_the_code_of_a_protocol_error_is_said() -> None:
    message = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "the backend is away. " * 300}}
    assert "Beside it: code: -32603" in compact(message, budget=100).text


SHELL = "Error: (none)\nExit Code: 2\nSignal: (none)\nProcess Group PGID: 41"


@pytest.mark.parametrize(
    ("text", "inner", "beside"),
    [
        (f"<untrusted_context>\nOutput: a\nb\n{SHELL}\n</untrusted_context>", "a\nb",
         {"exit_code": 2, "Process Group PGID": "41"}),
        (f"Command: make\nDirectory: (root)\nOutput: a\nb\n{SHELL}", "a\nb",
         {"exit_code": 2, "Command": "make", "Directory": "(root)", "Process Group PGID": "41"}),
        ("<untrusted_context>\nError: not ours\n</untrusted_context>", "Error: not ours", {}),
        ("Warning: truncated output (original token count: 90)\nTotal output lines: 7\n\na\n", "a\n",
         {"Warning": "truncated output (original token count: 90)", "Total output lines": "7"}),
        ("# a\n\n- b\n<shellId: 41 completed with exit code 0>", "# a\n\n- b", {"exit_code": 0}),
        ("a\nb\n[The command completed with exit code 2.]\n[Current working directory: /quay]\n"
         "[Python interpreter: /bin/python]\n[Command finished with exit code 2]\n", "a\nb",
         {"exit_code": 2, "Current working directory": "/quay", "Python interpreter": "/bin/python"}),
    ],
)  # fmt: skip
def test_what_hosts_put_around_a_text_is_no_part_of_it(text: str, inner: str, beside: dict[str, Any]) -> None:
    found = unwrap(Source.of_text(text))
    assert (found.shape, found.text, found.beside) == ("exec", inner, beside)
    assert found.is_error is (beside.get("exit_code") == 2)
    assert found.rewrap(inner) == text


@pytest.mark.parametrize(
    "text", ["Output: a\nb\n", "<untrusted_context>\na\n", "a\nExit Code: 1\n</untrusted_context>", "a\n<The end>"]
)
def test_half_a_frame_is_none(text: str) -> None:
    assert unwrap(Source.of_text(text)).shape == "plain"


def test_a_fetched_page_is_what_stands_below_its_address() -> None:
    barges = json.dumps([{"barge": n, "tons": n * 37 % 991, "quay": f"q{n % 7}"} for n in range(400)], indent=1)
    head = "Content type application/json cannot be simplified to markdown, but here is the raw content:\n"
    head += "Contents of http://harbour.example/barges.json:\n"
    tail = "\n\n<error>Content truncated. Call the fetch tool with a start_index of 9000 to get more content.</error>"
    found = unwrap(Source(f"{head}{barges[:9000]}{tail}".encode()))
    assert (found.shape, found.text) == ("exec", barges[:9000])
    assert (
        found.beside["url"] == "http://harbour.example/barges.json"
        and "start_index of 9000" in found.beside["truncated"]
    )
    assert "lines are counted from below it" in found.beside
    assert found.rewrap("short") == f"{head}short{tail}"
    out = compact(f"{head}{barges[:9000]}{tail}", budget=400, tool="fetch")
    assert out.content_type in ("records", "json") and "start_index of 9000" in out.text
    assert unwrap(Source(b"Contents of the hold:\n" + barges.encode())).shape == "plain"


def test_what_a_shell_says_behind_a_document_is_no_line_of_it() -> None:
    page = "# Quays\n\n" + "".join(f"## Berth {n}\n\nMoor at bollard {n * 7} of the north quay.\n" for n in range(80))
    out = compact(page + "<shellId: 7 completed with exit code 0>", budget=300, threshold=0, tool="bash").text
    assert "of 242 lines shown" in out and " bash ok" in out and "shellId" not in out
    assert "exit code 3" in compact(page + "[exit code: 3]", budget=300, threshold=0, tool="bash").text
