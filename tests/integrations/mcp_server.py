"""A small MCP server over standard streams, in plain Python: what a real one may do, on demand."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

ROWS = [{"id": i, "state": "ok" if i != 77 else "disk full", "at": f"10.0.0.{i}"} for i in range(400)]
SCHEMA = {"type": "object", "properties": {"rows": {"type": "array"}}, "required": ["rows"]}


def send(message: Any, end: str = "\n") -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + end)
    sys.stdout.flush()


def call(id: Any, name: str, arguments: dict[str, Any]) -> Any:
    if name == "rows":
        text = json.dumps({"rows": ROWS})
        return {
            "content": [{"type": "text", "text": text}, {"type": "image", "data": "AAAA", "mimeType": "image/png"}],
            "structuredContent": {"rows": ROWS},
            "isError": bool(arguments.get("fails")),
            "_meta": {"trace": 7},
        }
    if name == "long":
        return {
            "content": [{"type": "text", "text": "".join(f"line {i} of {arguments['of']}\n" for i in range(2_000))}]
        }
    if name == "progress":
        send({"method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}}, "\r\n")
    if name == "ask":
        send({"id": "s1", "method": "sampling/createMessage", "params": {"messages": []}})
        return {"content": [{"type": "text", "text": sys.stdin.readline()}]}
    if name == "slow":
        time.sleep(arguments["seconds"])
    if name == "pid":
        return {"content": [{"type": "text", "text": str(os.getpid())}]}
    if name == "die":
        print("dying", file=sys.stderr, flush=True)
        os._exit(7)
    if name == "raw":
        sys.stdout.write(arguments["text"])
    return {"content": [{"type": "text", "text": f"{name} done"}]}


for line in sys.stdin:
    try:
        asked = json.loads(line)
    except ValueError:
        send({"id": None, "error": {"code": -32700, "message": "parse error"}})
        continue
    method, params = asked.get("method"), asked.get("params") or {}
    if method == "tools/list":
        tools = [{"name": n, "inputSchema": {"type": "object"}, "outputSchema": SCHEMA} for n in ("rows", "long")]
        page = params.get("cursor")
        send({"id": asked["id"], "result": {"tools": tools} if page else {"tools": tools[:1], "nextCursor": "2"}})
    elif method == "tools/call":
        send({"id": asked["id"], "result": call(asked["id"], params["name"], params.get("arguments") or {})})
    elif "id" in asked:
        send({"id": asked["id"], "result": {"echo": asked}})

while "--stay" in sys.argv:
    time.sleep(1)
