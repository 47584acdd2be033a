"""``mcpcompact proxy`` before a server: what passes, what is shortened, and how either side ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import environment

from mcpcompact.errors import MaskError
from mcpcompact.integrations.base import Interceptor
from mcpcompact.integrations.wire import Wire
from mcpcompact.masking import Masker

APP = "import sys; from mcpcompact.cli.app import entry; sys.argv[1:1] = ['proxy']; entry()"
SERVER = [sys.executable, str(Path(__file__).with_name("mcp_server.py"))]


class Client:
    """A client that speaks lines."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment(folder),
        )

    def send(self, id: Any, method: str, **params: Any) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode() + b"\n")

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def line(self) -> bytes:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def ask(self, method: str, **params: Any) -> Any:
        self.send(1, method, **params)
        return json.loads(self.line())["result"]

    def call(self, name: str, **arguments: Any) -> Any:
        return self.ask("tools/call", name=name, arguments=arguments)

    def end(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(20)


@pytest.fixture
def proxied(tmp_path: Path) -> Iterator[Callable[..., Client]]:
    made: list[Client] = []

    def start(*more: str) -> Client:
        made.append(Client([sys.executable, "-c", APP, "--", *SERVER, *more], tmp_path))
        return made[-1]

    yield start
    for client in made:
        client.process.kill()
        client.process.wait()


def test_a_long_result_is_shortened_and_the_rest_is_read_back(proxied: Callable[..., Client]) -> None:
    client = proxied()
    result = client.call("rows")
    text, image = result["content"]
    assert "structuredContent" not in result and result["isError"] is False and result["_meta"] == {"trace": 7}
    assert image == {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    assert "disk full" in text["text"] and "mcpcompact_get " in text["text"] and len(text["text"]) < 5_000
    id = text["text"].split("mcpcompact_get ")[1][:8]
    whole, select = "", "--bytes 0:"
    while True:
        page = client.call("mcpcompact_get", id=id, select=select)
        note = page["content"][-1]["text"]
        whole += page["content"][0]["text"]
        if "more: " not in note:
            break
        select = note.split("more: ")[1].split(" · ")[0].split(id, 1)[1].strip()
    original = json.loads(subprocess.run(
        SERVER, input=b'{"id":1,"method":"tools/call","params":{"name":"rows"}}\n', capture_output=True, check=True
    ).stdout)["result"]["content"][0]["text"]  # fmt: skip
    assert whole == original
    found = client.call("mcpcompact_grep", id=id, term="disk full")
    assert found["isError"] is False and "disk full" in found["content"][0]["text"]
    wrong = client.call("mcpcompact_get", id="ffffffff")
    assert wrong["isError"] is True and "no stored result" in wrong["content"][0]["text"]
    assert client.call("rows", fails=True)["isError"] is True
    assert client.end() == 0


def test_tools_are_listed_with_ours_and_without_schemas_of_output(proxied: Callable[..., Client]) -> None:
    client = proxied()
    first, last = client.ask("tools/list"), client.ask("tools/list", cursor="2")
    assert [tool["name"] for tool in first["tools"]] == ["rows"] and first["nextCursor"] == "2"
    assert [tool["name"] for tool in last["tools"]] == ["rows", "long", "mcpcompact_get", "mcpcompact_grep"]
    assert not [tool for tool in first["tools"] + last["tools"] if "outputSchema" in tool]


def test_everything_else_passes_byte_for_byte(proxied: Callable[..., Client], tmp_path: Path) -> None:
    client, bare = proxied(), Client(SERVER, tmp_path)
    asked = [
        b'{"jsonrpc":"2.0", "id":"1","method":"initialize","params":{"x":"\\u00e9\\ud83d\\ude00"}}\n',
        b'{"id":2,"method":"tools/call","params":{"name":"small"}}\r\n',
        b'{"id":3,"method":"tools/call","params":{"name":"raw","arguments":{"text":"not json at all\\n"}}}\n',
        b'{"id":4,"method":"tools/call","params":{"name":"progress"}}\n',
        b'{"id":5,"method":"resources/read","params":{"uri":"file:///tools/x"}}\n',
        b"damaged tools/call {{{\n",
        b'{"id":null,"method":"ping"}\n',
    ]
    got = []
    for side in (client, bare):
        for line in asked:
            side.write(line)
        assert side.end() == 0
        assert side.process.stdout is not None
        got.append(side.process.stdout.read())
    assert got[0] == got[1]


def test_the_server_may_ask_the_client(proxied: Callable[..., Client]) -> None:
    client = proxied()
    client.send(9, "tools/call", name="ask")
    asked = json.loads(client.line())
    assert (asked["id"], asked["method"]) == ("s1", "sampling/createMessage")
    client.write(b'{"jsonrpc":"2.0","id":"s1","result":{"role":"assistant"}}\n')
    assert '"assistant"' in json.loads(client.line())["result"]["content"][0]["text"]


def test_many_calls_at_once_lose_and_swap_nothing(proxied: Callable[..., Client]) -> None:
    client = proxied()

    def ask() -> None:
        for id in range(24):
            client.send(id, "tools/call", name="long" if id % 3 == 0 else "small", arguments={"of": id})

    threading.Thread(target=ask).start()
    found = [json.loads(client.line()) for _ in range(24)]
    answers = {answer["id"]: answer["result"]["content"][0]["text"] for answer in found}
    assert sorted(answers) == list(range(24))
    for id, text in answers.items():
        assert (f"of {id}" in text and text.startswith("[mcpcompact]")) if id % 3 == 0 else text == "small done"


def test_the_exit_code_and_stderr_of_the_server_are_ours(proxied: Callable[..., Client]) -> None:
    client = proxied()
    client.send(1, "tools/call", name="die")
    assert client.process.wait(10) == 7
    assert client.process.stderr is not None and b"dying" in client.process.stderr.read()


def test_either_end_ends_the_other_within_a_second(proxied: Callable[..., Client]) -> None:
    client = proxied("--stay")
    client.call("small")
    began = time.monotonic()
    assert client.end() == 128 + signal.SIGTERM  # the server stays at the end of its input: it is told to end
    assert time.monotonic() - began < 2
    client = proxied("--stay")
    child = int(client.call("pid")["content"][0]["text"])
    os.kill(child, signal.SIGKILL)
    assert client.process.wait(2) == 128 + signal.SIGKILL
    client = proxied("--stay")
    child = int(client.call("pid")["content"][0]["text"])
    client.process.send_signal(signal.SIGTERM)
    assert client.process.wait(2) == 128 + signal.SIGTERM
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_does_not_heed_a_signal_ends_within_a_second(tmp_path: Path, number: int) -> None:
    deaf = ["/bin/sh", "-c", 'trap "" INT TERM; exec "$@"', "sh", *SERVER, "--stay"]
    client = Client([sys.executable, "-c", APP, "--", *deaf], tmp_path)
    child = int(client.call("pid")["content"][0]["text"])
    client.process.send_signal(number)
    try:
        assert client.process.wait(2) == 128 + signal.SIGKILL
        assert gone(child)
    finally:
        client.process.kill()


def test_a_killed_proxy_leaves_no_server(proxied: Callable[..., Client], tmp_path: Path) -> None:
    """Neither one that hangs nor one that a launcher started."""
    launcher = [sys.executable, "-c", f"import subprocess; subprocess.run({[*SERVER, '--stay']!r})"]
    for client in (proxied("--stay"), Client([sys.executable, "-c", APP, "--", *launcher], tmp_path)):
        child = int(client.call("pid")["content"][0]["text"])
        client.process.kill()
        assert client.process.wait(2) == -signal.SIGKILL
        assert gone(child)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc for the launcher")
def test_a_launcher_that_is_killed_takes_its_server_along(tmp_path: Path) -> None:
    code = f"import os, subprocess, sys; subprocess.run({[*SERVER, '--stay']!r})"
    client = Client([sys.executable, "-c", APP, "--", sys.executable, "-c", code], tmp_path)
    child = int(client.call("pid")["content"][0]["text"])
    os.kill(int(Path(f"/proc/{child}/stat").read_text().split()[3]), signal.SIGKILL)
    assert client.process.wait(3) == 128 + signal.SIGKILL
    assert gone(child)


def gone(pid: int) -> bool:
    """Within two seconds; one that has ended and is not waited for counts as gone."""
    for _ in range(40):
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat")
            if state.is_file() and state.read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


def test_a_slow_call_is_answered_after_the_end_of_input(proxied: Callable[..., Client]) -> None:
    client = proxied()
    client.send(1, "tools/call", name="slow", arguments={"seconds": 1.5})
    assert client.end() == 0
    assert client.process.stdout is not None and b"slow done" in client.process.stdout.read()


def test_policies_are_read_again_when_they_change(proxied: Callable[..., Client], tmp_path: Path) -> None:
    path = tmp_path / "mcpcompact.json"
    path.write_text('{"tools": {"long": {"budget_tokens": 300}}}')
    client = proxied()
    assert client.call("long", of="a")["content"][0]["text"].startswith("[mcpcompact] long")
    path.write_text('{"tools": {"long": {"enabled": false}}}')
    assert client.call("long", of="b")["content"][0]["text"].startswith("line 0 of b\nline 1")
    path.write_text('{"tools": {"long": {"enabled": "maybe"}}}')
    assert client.call("long", of="c")["content"][0]["text"].startswith("line 0 of c\nline 1")


TOKEN = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
BIG = "\n".join(f"line {n} of {TOKEN if n % 50 == 0 else n}" for n in range(1_000))
SAID = [
    {"id": 1, "error": {"code": 1, "message": f"no: {BIG}", "data": {TOKEN: [TOKEN]}}},
    {"id": 1, "result": {"content": [None, 5, {"type": "resource", "resource": {"uri": TOKEN, "text": BIG}}]}},
    {"id": 1, "result": {"content": [{"type": "text", "text": None}, {"type": "text", "text": BIG}], "_meta": TOKEN}},
    {"id": 1, "result": {"structuredContent": {"password": "tr0ub4dor"}}},
    {"id": "s1", "method": "sampling/createMessage", "params": {"messages": [TOKEN]}},
    {"method": "notifications/message", "params": {"data": f"password=tr0ub4dor {TOKEN}"}},
    [{"id": 1, "result": {"content": [{"type": "text", "text": TOKEN}]}}, TOKEN],
]
LINES = [
    *map(json.dumps, SAID),
    f'{{"id":1,"result":{{"content":[{{"type":"text","text":"{TOKEN}"}}],"content":[]}}}}',
    json.dumps(SAID[0]).replace("ghp_", "\\u0067hp_"),
    f"not json: {TOKEN}",
    f'{{"id":1,"result":{"[" * 5_000}"{TOKEN}"{"]" * 5_000}}}',
]


@pytest.mark.parametrize("said", LINES, ids=range(len(LINES)))
def test_where_masking_is_on_every_message_is_masked(proxied: Callable[..., Client], tmp_path: Path, said: str) -> None:
    for config, masked in (
        ("{}", False),
        ('{"defaults": {"mask": true}}', True),
        ('{"tools": {"raw": {"mask": true}}}', True),
    ):
        (tmp_path / "mcpcompact.json").write_text(config)
        client = proxied()
        client.send(1, "tools/call", name="raw", arguments={"text": said + "\n"})
        line = next(line for line in (client.line(), client.line()) if b"raw done" not in line)  # the long one is last
        assert (TOKEN[4:] not in line.decode() and b"tr0ub4dor" not in line) is masked
        assert line == said.encode() + b"\n" if not masked else b"[secret:" in line
        if masked and "[[[" not in said and said[0] in "{[":
            found, given = json.loads(line), json.loads(said)
            assert isinstance(given, list) or [found.get(key) for key in ("id", "method")] == [
                given.get(key) for key in ("id", "method")
            ]


def test_what_masking_must_not_change_stays(proxied: Callable[..., Client], tmp_path: Path) -> None:
    (tmp_path / "mcpcompact.json").write_text('{"defaults": {"mask": true}}')
    client = proxied()
    token = {"progressToken": "f3b1c2d4-aaaa-bbbb-cccc-1234567890ab", "message": TOKEN}
    told = json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": token})
    client.send(TOKEN, "tools/call", name="raw", arguments={"text": told + "\n"})
    progress, answer = json.loads(client.line()), json.loads(client.line())
    assert progress["params"]["progressToken"] == token["progressToken"] and TOKEN not in str(progress)
    assert answer["id"] == TOKEN and answer["result"]["content"][0]["text"] == "raw done"


def test_a_message_that_cannot_be_masked_is_withheld(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(self: Masker, data: bytes) -> bytes:
        raise MaskError("no masking today")

    monkeypatch.setattr(Masker, "data", failing)
    (tmp_path / "mcpcompact.json").write_text('{"defaults": {"mask": true}}')
    said: list[str] = []
    config = str(tmp_path / "mcpcompact.json")
    wire = Wire(Interceptor(store=str(tmp_path / "results"), config=config, log=said.append))
    wire.from_client(b'{"id": 3, "method": "tools/call", "params": {"name": "x"}}')
    found = json.loads(wire.from_server(b'{"id": 3, "result": {"content": [{"type": "text", "text": "hush"}]}}\n'))
    assert found["id"] == 3 and "could not be masked" in found["error"]["message"] and not wire.pending
    assert "hush" not in str(found) + str(said) and "no masking today" in said[0]


def test_a_tool_of_the_server_with_our_name_is_the_one_that_is_called(tmp_path: Path) -> None:
    said: list[str] = []
    wire = Wire(Interceptor(store=str(tmp_path / "results"), log=said.append))
    asked = b'{"id": 1, "method": "tools/call", "params": {"name": "mcpcompact_get"}}'
    assert wire.from_client(asked)[0] == b""  # ours, as long as the server has none
    wire.from_client(b'{"id": 2, "method": "tools/list"}')
    told = json.loads(wire.from_server(b'{"id": 2, "result": {"tools": [{"name": "mcpcompact_get"}, {"name": "x"}]}}'))
    names = [tool["name"] for tool in told["result"]["tools"]]
    assert names == ["mcpcompact_get", "x", "mcpcompact_grep"]
    assert wire.from_client(asked) == (asked, b"")
    assert len(said) == 1 and "mcpcompact_get is a tool of the server" in said[0]


def test_what_cannot_start_says_so(tmp_path: Path) -> None:
    for args in (["--", "/gone/server"], [], ["--url", "http://x", "--", "y"]):
        done = subprocess.run(
            [sys.executable, "-c", APP, *args], capture_output=True, cwd=tmp_path, env=environment(tmp_path), timeout=60
        )
        assert done.returncode and not done.stdout


@pytest.mark.parametrize("name", [[], {"a": 1}, None, 7])
def test_a_name_that_is_no_text_reaches_the_server(proxied: Callable[..., Client], name: Any) -> None:
    client = proxied()
    client.send(1, "tools/call", name=name)
    assert json.loads(client.line())["result"]["content"][0]["text"] == f"{name} done"
    assert client.end() == 0


SERVED = """
from fastmcp import FastMCP
server = FastMCP("ci")
@server.tool
def long(of: str) -> str:
    return "".join(f"line {i} of {of}\\n" for i in range(2000))
@server.tool
def small() -> str:
    return "ok"
server.run(transport="http", host="127.0.0.1", port=PORT, show_banner=False)
"""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The address and the process of a server over HTTP."""
    pytest.importorskip("fastmcp", minversion="4")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", SERVED.replace("PORT", str(port))]
    null = subprocess.DEVNULL
    process = subprocess.Popen(command, stdout=null, stderr=null, env=environment(tmp_path))
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    yield f"http://127.0.0.1:{port}/mcp", process
    process.kill()
    process.wait()


def test_a_server_over_http(served: tuple[str, subprocess.Popen[bytes]], tmp_path: Path) -> None:
    asyncio.run(_talk(served[0], tmp_path))


def test_a_server_over_http_that_is_gone_ends_the_proxy(
    served: tuple[str, subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    client = Client([sys.executable, "-c", APP, "--url", served[0]], tmp_path)
    about = {"name": "a", "version": "1"}
    client.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=about)
    client.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    client.ask("tools/list")
    served[1].kill()
    served[1].wait()
    time.sleep(0.3)
    client.send(2, "tools/list")
    try:
        assert client.process.wait(5) == 65  # while the client's end is open
    finally:
        client.process.kill()
    assert client.process.stderr is not None and b"connection" in client.process.stderr.read()


async def _talk(url: str, folder: Path) -> None:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    command = StdioServerParameters(
        command=sys.executable, args=["-c", APP, "--url", url], env=environment(folder), cwd=folder
    )
    async with stdio_client(command) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        names = [tool.name for tool in (await session.list_tools()).tools]
        assert names == ["long", "small", "mcpcompact_get", "mcpcompact_grep"]
        text: Any = (await session.call_tool("long", {"of": "x"})).content[0]
        assert text.text.startswith("[mcpcompact] long") and len(text.text) < 6_000
        id = text.text.split("mcpcompact_get ")[1][:8]
        page: Any = (await session.call_tool("mcpcompact_get", {"id": id, "select": "--lines 1999:2000"})).content[0]
        assert page.text == "line 1998 of x\nline 1999 of x\n"
        small: Any = (await session.call_tool("small", {})).content[0]
        assert small.text == "ok"
