"""The hosts themselves, where they are installed: each reads the settings that ``hook install`` writes, runs a command
that a scripted model asks for, and sends the model the shorter text, from which ``hook report`` proves the delivery."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from conftest import environment

COMMAND = "seq -f 'INFO unit step %g is ok' 600; echo 'ERROR disk full on /dev/sda1'"
APP = "import sys; from mcpcompact.cli.app import entry; sys.argv[1:1] = ['hook']; entry()"
MARK = "mcpcompact-hook"
Event = tuple[str, dict[str, Any]]


def sse(events: list[Event]) -> bytes:
    return "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events).encode()


def anthropic(body: dict[str, Any]) -> bytes:
    """Bash, once; then a word. Requests without tools are the host's own: titles and the like."""
    said = json.dumps(body["messages"])
    block: dict[str, Any] = {"type": "text", "text": ""}
    delta: dict[str, Any] = {"type": "text_delta", "text": "done"}
    if body.get("tools") and "tool_result" not in said:
        block = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps({"command": COMMAND, "description": "build"})}
    stop = "tool_use" if block["type"] == "tool_use" else "end_turn"
    usage = {"input_tokens": 9, "output_tokens": 9}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "content": []}
    start = {
        "type": "message_start",
        "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": usage},
    }
    return sse(
        [
            ("message_start", start),
            ("content_block_start", {"type": "content_block_start", "index": 0, "content_block": block}),
            ("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}),
            ("content_block_stop", {"type": "content_block_stop", "index": 0}),
            ("message_delta", {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": usage}),
            ("message_stop", {"type": "message_stop"}),
        ]
    )


def responses(body: dict[str, Any]) -> bytes:
    said = json.dumps(body["input"])
    names = [tool.get("name") for tool in body.get("tools", ())]
    item: dict[str, Any] = {"type": "message", "id": "m1", "role": "assistant", "status": "completed"}
    item["content"] = [{"type": "output_text", "text": "done", "annotations": []}]
    if "function_call_output" not in said:
        name = next(name for name in ("exec_command", "shell_command", "shell") if name in names)
        arguments = {"cmd": COMMAND, "yield_time_ms": 9000, "max_output_tokens": 50000}
        arguments = arguments if name == "exec_command" else {"command": COMMAND}
        item = {"type": "function_call", "id": "f1", "call_id": "call_1", "name": name, "status": "completed"}
        item["arguments"] = json.dumps(arguments)
    usage = {"input_tokens": 9, "output_tokens": 9, "total_tokens": 18}
    whole = {"id": "r1", "object": "response", "status": "completed", "output": [item], "usage": usage}
    return sse(
        [
            ("response.created", {"type": "response.created", "response": {**whole, "status": "in_progress"}}),
            ("response.output_item.done", {"type": "response.output_item.done", "output_index": 0, "item": item}),
            ("response.completed", {"type": "response.completed", "response": whole}),
        ]
    )


def gemini(body: dict[str, Any]) -> bytes:
    part: dict[str, Any] = {"text": "done"}
    if body.get("tools") and "functionResponse" not in json.dumps(body["contents"]):
        part = {"functionCall": {"name": "run_shell_command", "args": {"command": COMMAND, "description": "build"}}}
    found = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 9, "candidatesTokenCount": 9, "totalTokenCount": 18}
    return f"data: {json.dumps({'candidates': [found], 'usageMetadata': usage})}\n\n".encode()


def chat(body: dict[str, Any]) -> bytes:
    delta: dict[str, Any] = {"role": "assistant", "content": "done"}
    if body.get("tools") and not any(message["role"] == "tool" for message in body["messages"]):
        function = {"name": "bash", "arguments": json.dumps({"command": COMMAND, "description": "build"})}
        delta = {
            "role": "assistant",
            "tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": function}],
        }
    stop = "tool_calls" if "tool_calls" in delta else "stop"
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}
    chunks = [{"index": 0, "delta": delta, "finish_reason": None}, {"index": 0, "delta": {}, "finish_reason": stop}]
    lines = [f"data: {json.dumps({**base, 'choices': [chunk]})}\n\n" for chunk in chunks]
    return "".join([*lines, "data: [DONE]\n\n"]).encode()


ROUTES: dict[str, Callable[[dict[str, Any]], bytes]] = {
    "/v1/messages": anthropic,
    "/responses": responses,
    "GenerateContent": gemini,
    "/chat/completions": chat,
}


@pytest.fixture
def model() -> Iterator[tuple[str, list[str]]]:
    """The address of a model that speaks four APIs, and the bodies that it was sent."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
            asked.append(raw)
            path = self.path.partition("?")[0]
            answer = next((made for end, made in ROUTES.items() if path.endswith(end)), None)
            self.send_response(200 if answer else 404)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            if answer:
                self.wfile.write(answer(json.loads(raw)))

        def do_GET(self) -> None:
            self.send_error(404)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}", asked
    server.shutdown()


def codex(url: str) -> list[str]:
    provider = {"name": "x", "base_url": f"{url}/v1", "wire_api": "responses", "requires_openai_auth": False}
    set_ = [f"model_providers.x.{key}={json.dumps(value)}" for key, value in provider.items()]
    flags = [word for value in ["model_provider=x", *set_] for word in ("-c", value)]
    return ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox",
            "--dangerously-bypass-hook-trust", "-m", "gpt-5", *flags, "go"]  # fmt: skip


Started = tuple[Callable[[str], list[str]], Callable[[str], dict[str, str]]]
HOSTS: dict[str, tuple[str, Started]] = {
    "claude-code": ("claude", (
        lambda url: ["-p", "go", "--model", "claude-sonnet-4-5", "--allowedTools", "Bash"],
        lambda url: {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "none",
                     "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"})),
    "codex": ("codex", (codex, lambda url: {})),
    "gemini-cli": ("gemini", (
        lambda url: ["-p", "go", "--approval-mode", "yolo", "-m", "gemini-2.5-pro", "--skip-trust"],
        lambda url: {"GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": "none"})),
    "copilot-cli": ("copilot", (
        lambda url: ["-p", "go", "--allow-all-tools", "--model", "gpt-5"],
        lambda url: {"COPILOT_PROVIDER_BASE_URL": f"{url}/v1", "COPILOT_PROVIDER_TYPE": "openai",
                     "COPILOT_MODEL": "gpt-5", "COPILOT_PROVIDER_API_KEY": "none", "COPILOT_OFFLINE": "true"})),
}  # fmt: skip


SESSIONS = (".claude/projects/*/*.jsonl", ".codex/sessions/*/*/*/*.jsonl", ".gemini/tmp/*/chats/*.json*",
            ".copilot/session-state/*/*.jsonl")  # fmt: skip


def ran(name: str, folder: Path, url: str, wrapped: str = "") -> tuple[dict[str, Any], str]:
    """What ``hook report`` finds in the session of a host with our settings, and the host's last words. ``wrapped`` is
    added to the hook's command."""
    program, (arguments, variables) = HOSTS[name]
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    env = environment(folder, **variables(url))
    env = {key: value for key, value in env.items() if not key.lower().endswith("_proxy")}
    if name == "gemini-cli":
        (folder / ".gemini").mkdir()
        chosen = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
        (folder / ".gemini/settings.json").write_text(json.dumps(chosen))
    done = subprocess.run([sys.executable, "-c", APP, "install", name], capture_output=True, cwd=folder, env=env)
    assert done.returncode == 0, done.stderr
    (settings,) = (path for path in folder.glob(".*/**/*.json") if MARK in path.read_text())
    settings.write_text(settings.read_text().replace(f'{MARK}"', f'{MARK}{wrapped}"'))
    said = subprocess.run(
        [program, *arguments(url)],
        capture_output=True,
        text=True,
        timeout=110,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
    )
    sessions = [path for pattern in SESSIONS for path in folder.glob(pattern)]
    report = subprocess.run(
        [sys.executable, "-c", APP, "report", "--json", *map(str, sessions)], capture_output=True, cwd=folder, env=env
    )
    return json.loads(report.stdout or "{}"), said.stdout[-500:] + said.stderr[-500:]


@pytest.mark.parametrize("name", HOSTS)
def test_the_host_reads_our_settings_and_its_model_sees_the_shorter_text(
    name: str, tmp_path: Path, model: tuple[str, list[str]]
) -> None:
    url, asked = model
    found, said = ran(name, tmp_path, url)
    seen = next((body for body in reversed(asked) if "[mcpcompact]" in body), "")
    assert "disk full on /dev/sda1" in seen, said
    assert "unit step 300 is ok" not in seen
    assert (found["replacements"], found["delivered"]) == (1, 1), found


@pytest.mark.parametrize("name", HOSTS)
def test_a_reply_that_the_host_never_got_is_not_delivered(
    name: str, tmp_path: Path, model: tuple[str, list[str]]
) -> None:
    found, said = ran(name, tmp_path, model[0], " > reply.json")
    assert (found["replacements"], found["notDelivered"], found["savedAsBilled"]) == (1, 1, 0), (found, said)
    assert "[mcpcompact]" not in "".join(model[1])
