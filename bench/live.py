"""``python -m bench.live``: damaged payloads of hosts through the hook, damaged messages through the proxy.

    python -m bench.live [--payloads 20000] [--lines 100000] [--seed 0]

Held of a payload: no exception, no reply but a JSON object that is shorter than the payload. Of a message: it passes
byte for byte, or is an answer to a tool's call that got shorter and is still a message; and of all that went through a
real proxy before ``cat``, none is lost, cut or made up. Nothing takes more than
five seconds of a processor. Exits 1 when one fails.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench import mutate

SLOW = 5.0
PATIENCE = 600.0
KEPT = 0.1  # of the bases pass unchanged: what is saved there must be seen, too
LONG = "".join(f"2026-01-01 00:00:{i % 60:02d} INFO unit step {i} ok\n" for i in range(150)) + "ERROR disk full\n"
PROXY = [sys.executable, "-m", "mcpcompact", "proxy", "--", "cat"]


def payload(seed: int, folder: str) -> bytes:
    """What a host might send, and what it never would."""
    from mcpcompact.hook.hosts import HOSTS, host

    rng = random.Random(seed)
    text = rng.choice((LONG, "all 12 tests passed", mutate.made(seed).decode("utf-8", "replace")[:20_000]))
    data = json.dumps(host(rng.choice(list(HOSTS))).sample(text, folder)).encode()
    return data if rng.random() < KEPT else mutate.changed(rng, data)


def wrong_reply(data: bytes) -> str:
    """What is wrong with the answer to a payload; "" for silence, ``REPLIED`` for a good reply."""
    from mcpcompact.hook.run import answer

    began = time.process_time()
    try:
        said = answer(data, lambda line: None)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if time.process_time() - began > SLOW:
        return f"{time.process_time() - began:.1f} s of a processor"
    if not said:
        return ""
    reply = json.loads(said)
    if not isinstance(reply, dict) or len(json.dumps(reply)) >= len(json.dumps(json.loads(data))):
        return f"a reply of {len(said):,} bytes"
    return REPLIED


REPLIED = "replied"


def conversation(seed: int) -> tuple[bytes, bytes]:
    """A line of a client and one of its server, mostly damaged."""
    rng = random.Random(seed)
    params = {"name": "build", "arguments": {"a": [1, {"b": None}]}}
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": rng.choice(("tools/call", "tools/call", "tools/list")),
        "params": params,
    }
    text = LONG if rng.random() < KEPT / 2 else "ok"
    result = {"content": [{"type": "text", "text": text}], "structuredContent": {"a": 1}, "isError": False}
    tools = {"tools": [{"name": "build", "inputSchema": {}, "outputSchema": {}}]}
    answer = {"jsonrpc": "2.0", "id": 1, "result": tools if call["method"] == "tools/list" else result}
    asked, said = (json.dumps(message).encode() for message in (call, answer))
    asked = asked if rng.random() < 0.5 else mutate.changed(rng, asked)
    said = said if rng.random() < KEPT else mutate.changed(rng, said)
    return asked.replace(b"\n", b" ") + b"\n", said.replace(b"\n", b" ") + b"\n"


def wrong_message(seed: int, wire: object) -> str:
    """As ``wrong_reply``, of a call and its answer through a fresh ``Wire``."""
    from mcpcompact.integrations.wire import Wire

    assert isinstance(wire, Wire)
    asked, said = conversation(seed)
    began = time.process_time()
    try:
        there, back = wire.from_client(asked)
        got = wire.from_server(said)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if time.process_time() - began > SLOW:
        return f"{time.process_time() - began:.1f} s of a processor"
    if there != asked or back:
        return "a call was changed"
    if got == said:
        return ""
    message = json.loads(got.decode())
    shorter = len(got) < len(said) or b"mcpcompact_get" in got  # a list of tools has two more
    whole = message.keys() == json.loads(said).keys() and message["id"] == json.loads(said)["id"]
    return REPLIED if shorter and whole and got.endswith(b"\n") else f"{said[:80]!r} became {got[:80]!r}"


def through_a_proxy(given: list[bytes], folder: str) -> str:
    """What a real proxy before ``cat`` lost or made up."""
    environment = {**os.environ, "MCPCOMPACT_RESULTS_DIR": f"{folder}/results"}
    root = Path(__file__).resolve().parent.parent
    proxy = subprocess.Popen(PROXY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, cwd=root)
    assert proxy.stdin is not None and proxy.stdout is not None

    def feed() -> None:
        assert proxy.stdin is not None
        proxy.stdin.writelines(given)
        proxy.stdin.close()

    threading.Thread(target=feed, daemon=True).start()
    stop = threading.Timer(PATIENCE, proxy.kill)
    stop.start()
    got = Counter(proxy.stdout)
    code, sent = proxy.wait(), Counter(given)
    stop.cancel()
    differ = (sent - got).total(), (got - sent).total()
    return (
        "" if differ == (0, 0) and code == 0 else f"exit {code}, {differ[0]} lost, {differ[1]} made up of {len(given)}"
    )


def failures(payloads: range, messages: range, folder: str, found: Counter[str]) -> Iterator[str]:
    """What went wrong, by seed; ``found`` counts the runs and the replies."""
    from mcpcompact.integrations.base import Interceptor
    from mcpcompact.integrations.wire import Wire

    for seed in payloads:
        wrong = wrong_reply(payload(seed, folder))
        found["payloads"] += 1
        found["payloads shortened"] += wrong == REPLIED
        if wrong not in ("", REPLIED):
            yield f"payload {seed}: {wrong}"
    compactor = Interceptor(store=f"{folder}/results")
    for seed in messages:
        wrong = wrong_message(seed, Wire(compactor))
        found["messages"] += 1
        found["messages changed"] += wrong == REPLIED
        if wrong not in ("", REPLIED):
            yield f"message {seed}: {wrong}"
    for side in (0, 1):  # apart: what comes back is no answer to anything
        if lost := through_a_proxy([conversation(seed)[side] for seed in messages], folder):
            yield f"proxy: {lost}"


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.live", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--payloads", type=int, default=20_000)
    parser.add_argument("--lines", type=int, default=100_000, help="half of them from a client, half from its server")
    parser.add_argument("--seed", type=int, default=0, help="the first")
    args = parser.parse_args(argv)
    found: Counter[str] = Counter()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(XDG_STATE_HOME=folder, XDG_CONFIG_HOME=folder, MCPCOMPACT_RESULTS_DIR=f"{folder}/results")
        os.makedirs(f"{folder}/chats")
        payloads = range(args.seed, args.seed + args.payloads)
        for failure in failures(payloads, range(args.seed, args.seed + args.lines // 2), folder, found):
            print(failure, flush=True)
            wrong += 1
    print(", ".join(f"{count:,} {what}" for what, count in found.items()), f"and {wrong} failures")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
