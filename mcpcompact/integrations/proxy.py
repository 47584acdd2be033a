"""``mcpcompact proxy``: between an MCP client on our own standard streams and a server, a process or a URL.

Lines are pumped, not spoken: requests of the server, progress, cancellation, notifications and what protocols to come
may add pass as they are. A process keeps its stderr and gives its exit code; each side's end is the other's, also where
the proxy itself is killed: a shell that waits for the end of a pipe ends the server's process group then.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import chain
from typing import TYPE_CHECKING

from mcpcompact.errors import InputError, NoInputError, UsageError
from mcpcompact.integrations.base import Interceptor
from mcpcompact.integrations.wire import Wire
from mcpcompact.results.durable import write_all

if TYPE_CHECKING:
    import asyncio

STDIN, STDOUT = 0, 1
BLOCK = 1 << 16
AT_ONCE = 4  # long results that are compacted at a time; short ones pass them
SHORT = 4_096  # bytes of a line that is looked at where it is read: that takes less than handing it to a thread
GRACE, TERM = 0.6, 0.2  # seconds that a server has after its client is gone, and after it was told to end

TICK = 0.05
GUARD = f'read -r _; kill -s TERM -- "-$1"; sleep {TERM}; kill -s KILL -- "-$1"'
"""A shell's script. A server that hangs would not see that its input ended, and no system but Linux ends it for us."""

POSIX = os.name == "posix"
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
SIGNALLED = 128  # plus the signal: the exit code of a process that one ended


class Output:
    """Our standard output: whole lines, from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.broken = False

    def write(self, data: bytes) -> None:
        """A whole line; ``broken`` where nobody reads any more."""
        with self._lock:
            try:
                write_all(STDOUT, data)
            except OSError:
                self.broken = True

    def closed(self) -> bool:
        """Whether nobody reads any more."""
        if not self.broken and hasattr(select, "poll"):
            poll = select.poll()
            poll.register(STDOUT, 0)
            self.broken = any(event & (select.POLLERR | select.POLLNVAL) for _, event in poll.poll(0))
        return self.broken


def serve_command(argv: Sequence[str], compactor: Interceptor, server: str) -> int:
    """Stand before a server that is a command; gives its exit code. Raises ``NoInputError`` when it cannot start."""
    group = 0 if POSIX else None  # one of its own: what the command starts ends with it
    try:
        child = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=group)
    except OSError as error:
        raise NoInputError(f"cannot start {argv[0]}: {error.strerror or error}") from error
    assert child.stdin is not None and child.stdout is not None
    wire, output = Wire(compactor, server), Output()
    to_server, from_server = child.stdin.fileno(), child.stdout.fileno()

    def ended(caught: int, frame: object) -> None:
        _signal(child, caught)
        threading.Thread(target=_end, args=(child, lambda: False), daemon=True).start()  # where it does not heed that

    for number in (signal.SIGTERM, signal.SIGINT, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])):
        with suppress(ValueError):  # not the main thread
            signal.signal(number, ended)

    def upstream() -> None:
        with suppress(OSError):
            for line in lines(STDIN):
                there, back = wire.from_client(line)
                output.write(back)
                write_all(to_server, there)
        with suppress(OSError):
            os.close(to_server)
        _end(child, lambda: wire.pending and not output.closed())

    def downstream() -> None:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for line in lines(from_server):
                if len(line) <= SHORT:
                    output.write(wire.from_server(line))
                else:
                    pool.submit(lambda long: output.write(wire.from_server(long)), line)

    threading.Thread(target=upstream, daemon=True).start()
    reader = threading.Thread(target=downstream)
    reader.start()
    with _guarded(child):
        code = child.wait()
        reader.join(GRACE)
        if reader.is_alive():  # what the command started may hold its output
            _signal(child, signal.SIGTERM)
            reader.join(TERM)
            _signal(child, KILL)
        reader.join()
    return code if code >= 0 else SIGNALLED - code


@contextmanager
def _guarded(child: subprocess.Popen[bytes]) -> Iterator[None]:
    """When this process is killed meanwhile, the server's group ends, too."""
    none = subprocess.DEVNULL
    words = ["/bin/sh", "-c", GUARD, "sh", str(child.pid)]
    try:
        guard = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=none, stderr=none, start_new_session=True)
    except OSError:  # no such shell, as on Windows
        yield
        return
    try:
        yield
    finally:
        guard.kill()
        guard.wait()


def _signal(child: subprocess.Popen[bytes], number: int) -> None:
    """To the server and what it started."""
    with suppress(ProcessLookupError, PermissionError):
        if POSIX:
            os.killpg(child.pid, number)
        else:
            child.send_signal(number)


def _end(child: subprocess.Popen[bytes], busy: Callable[[], bool]) -> None:
    """The client is gone: the server may finish what is waited for, then it has a moment to end."""
    last = time.monotonic()
    while child.returncode is None and time.monotonic() - last < GRACE:
        if busy():
            last = time.monotonic()
        time.sleep(TICK)
    for number in (signal.SIGTERM, KILL):
        if child.returncode is None:
            _signal(child, number)
            time.sleep(TERM)


def serve_url(url: str, compactor: Interceptor, headers: Mapping[str, str], server: str) -> int:
    """Stand before a server of the streamable HTTP transport. Raises ``UsageError`` without the extra ``mcp``, and
    ``InputError`` when the connection is lost."""
    try:
        import anyio
        import mcp  # noqa: F401
    except ImportError:
        raise UsageError("--url needs the MCP library", hint="pip install 'mcpcompact[mcp]'") from None
    try:
        anyio.run(_bridge, url, dict(headers), Wire(compactor, server), Output())
    except Exception as error:
        inner: BaseException = error
        while isinstance(inner, BaseExceptionGroup):
            inner = inner.exceptions[0]
        raise InputError(f"{url}: {inner or type(inner).__name__}") from error
    return 0


async def _bridge(url: str, headers: dict[str, str], wire: Wire, output: Output) -> None:
    import asyncio

    import anyio
    from anyio import to_thread
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client
    from mcp.shared.message import ClientMessageMetadata, SessionMessage
    from mcp_types.jsonrpc import jsonrpc_message_adapter as adapter

    given: asyncio.Queue[bytes] = asyncio.Queue(AT_ONCE)
    # a daemon: a worker of anyio's is waited for at the exit, and reads until its input ends
    threading.Thread(target=_feed, args=(given, asyncio.get_running_loop()), daemon=True).start()
    async with (
        create_mcp_http_client(headers=headers) as client,
        streamable_http_client(url, http_client=client) as (received, sent, *_),
        anyio.create_task_group() as tasks,
    ):
        spoken: dict[str, str] = {}  # the version that both agreed on, as every later request must say it

        async def shorten(line: bytes) -> None:
            output.write(await to_thread.run_sync(wire.from_server, line))

        async def downstream() -> None:
            async for message in received:
                if not isinstance(message, SessionMessage):
                    continue
                if version := (getattr(message.message, "result", None) or {}).get("protocolVersion"):
                    spoken["MCP-Protocol-Version"] = version
                line = adapter.dump_json(message.message, by_alias=True, exclude_none=True) + b"\n"
                if len(line) <= SHORT:
                    output.write(wire.from_server(line))
                else:
                    tasks.start_soon(shorten, line)

        tasks.start_soon(downstream)
        while line := await given.get():
            there, back = wire.from_client(line)
            output.write(back)
            with suppress(ValueError):  # no message: a server over HTTP could not be sent it
                if there.strip():
                    await sent.send(SessionMessage(adapter.validate_json(there), ClientMessageMetadata(headers=spoken)))
        while wire.pending and not output.closed():
            await anyio.sleep(TICK)
        tasks.cancel_scope.cancel()


def _feed(queue: asyncio.Queue[bytes], loop: asyncio.AbstractEventLoop) -> None:
    """Our input's lines; the last one is empty."""
    import asyncio

    with suppress(OSError, RuntimeError):  # the loop has ended
        for line in chain(lines(STDIN), [b""]):
            asyncio.run_coroutine_threadsafe(queue.put(line), loop).result()


def lines(descriptor: int) -> Iterator[bytes]:
    """The lines of a stream as they come, each with its end; the last one may have none."""
    held: list[bytes] = []
    while block := os.read(descriptor, BLOCK):
        *whole, rest = block.split(b"\n")
        for part in whole:
            yield b"".join([*held, part, b"\n"])
            held.clear()
        if rest:
            held.append(rest)
    if held:
        yield b"".join(held)
