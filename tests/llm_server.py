"""A small server on loopback that speaks the OpenAI chat API and records what it is asked."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[["Asked"], "str | Callable[[Any], None]"]


class Asked:
    """One request: ``number`` from 1, the JSON ``body``, ``system`` and ``user`` as text, and when it came."""

    def __init__(self, number: int, body: dict[str, Any], raw: bytes, headers: dict[str, str]) -> None:
        self.number, self.body, self.raw, self.headers = number, body, raw, headers
        self.at = time.monotonic()
        texts = {m["role"]: m["content"] for m in body.get("messages", [])}
        self.system, self.user = texts.get("system", ""), texts.get("user", "")


class Server:
    """``reply`` answers each request: text for a completion, or a function that writes to the handler itself."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.asked: list[Asked] = []
        self.busy = self.most_busy = 0
        lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("content-length", 0)))
                with lock:
                    asked = Asked(len(outer.asked) + 1, json.loads(raw), raw, dict(self.headers))
                    outer.asked.append(asked)
                    outer.busy += 1
                    outer.most_busy = max(outer.most_busy, outer.busy)
                try:
                    reply = outer.reply(asked)
                    if isinstance(reply, str):
                        send(self, completion(reply))
                    else:
                        reply(self)
                except (BrokenPipeError, ConnectionError):
                    pass
                finally:
                    with lock:
                        outer.busy -= 1

            def log_message(self, *_: Any) -> None:
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                pass

        self.http = Quiet(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.05,), daemon=True)
        self.thread.start()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.http.server_address[1]}/v1"

    def close(self) -> None:
        self.http.shutdown()
        self.http.server_close()


def completion(text: str | None, finish: str = "stop") -> bytes:
    return json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "test",
            "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
        }
    ).encode()


def send(handler: Any, body: bytes, status: int = 200, kind: str = "application/json", **headers: str) -> None:
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(body)))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)
