"""A Dask cluster as an executor, for ``--cluster``. ``distributed`` is imported when one is asked for.

What runs there must be the same program: before any work the versions of mcpcompact and Python are compared, by the
cluster's own means, since a function of ours may not even load under another Python. A worker that dies is Dask's
affair: what it held is done by another.
"""

from __future__ import annotations

import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from typing import Any

from mcpcompact.errors import ClusterError, ConfigError, UsageError
from mcpcompact.inputs import scrubbed
from mcpcompact.patterns import regex

WITHIN = 5.0  # seconds in which a cluster must answer and have a worker; that it has none is said within 10
KNOCK = 3.0  # seconds in which its port must be open, before anything is imported: an address with a typo fails at once
ATTEMPTS = 3  # how often a task is tried again that raised where it ran; that of a dead worker the scheduler does again

_ADDRESS = regex(r"(?:tcp|tls)://\[?([^\s/@\[\]]+)\]?:(\d{1,5})/?")


class Cluster:
    """The cluster at ``address``, whose workers all have this ``version`` of mcpcompact and this Python.

    ``threads`` is how many tasks it does at a time. Raises ``UsageError`` for what is no address, ``ConfigError`` where
    the extra is missing or a version differs, ``ClusterError`` when nobody answers or there is no worker.
    """

    def __init__(self, address: str, version: str) -> None:
        known = _ADDRESS.fullmatch(address)
        if known is None:
            hint = "give tcp://HOST:PORT or tls://HOST:PORT"
            raise UsageError(f"{scrubbed(address)} is not a cluster address", hint=hint)
        self.address = address.rstrip("/")
        self._knock(known[1], int(known[2]))
        began = time.monotonic()
        with _quiet():
            self._client = self._connected()
            try:
                self._has_workers(began + WITHIN)
                self._check(version)
            except BaseException:
                self.close()
                raise
        self.threads = sum(self._client.nthreads().values())

    def _knock(self, host: str, port: int) -> None:
        import socket

        try:
            socket.create_connection((host, port), KNOCK).close()
        except (OSError, OverflowError) as error:
            raise self._absent(getattr(error, "strerror", None) or str(error)) from None

    def _absent(self, why: str) -> ClusterError:
        hint = "is the scheduler running, and reachable from here?"
        return ClusterError(f"no cluster answers at {self.address} ({why.lower()})", hint=hint)

    def _connected(self) -> Any:
        try:
            import dask
            import distributed
        except ImportError:
            raise ConfigError(
                "--cluster needs the distributed package", hint="install it: pip install 'mcpcompact[cluster]'"
            ) from None
        dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GiB"})
        client: Any = distributed.Client
        workers: list[Any] = []

        def connect() -> None:
            try:
                workers.append(client(self.address, timeout=WITHIN, set_as_default=False))
            except Exception as error:  # of any library below
                workers.append(error)

        # its own timeout does not hold against a port that is open and says nothing
        thread = threading.Thread(target=connect, daemon=True)
        thread.start()
        thread.join(WITHIN)
        if not workers or isinstance(workers[0], Exception):
            raise self._absent(type(workers[0]).__name__ if workers else "no answer")
        return workers[0]

    def _has_workers(self, until: float) -> None:
        try:
            self._client.wait_for_workers(1, timeout=max(1.0, until - time.monotonic()))
        except TimeoutError:
            raise ClusterError(
                f"the cluster at {self.address} has no workers", hint="start one: dask worker …"
            ) from None

    def _check(self, version: str) -> None:
        known = self._client.get_versions()["workers"].values()
        versions = [str(((worker or {}).get("packages") or {}).get("python", "unknown")) for worker in known]
        self._same("python", [".".join(text.split(".")[:2]) for text in versions], "{}.{}".format(*sys.version_info))

        def there() -> str:  # sent by value: whatever the workers have, they need nothing for it
            import importlib

            return str(importlib.import_module("mcpcompact").__version__)

        answers = self._client.run(there, on_error="return").values()
        self._same("mcpcompact", ["none" if isinstance(text, Exception) else text for text in answers], version)

    def _same(self, name: str, versions: list[str], ours: str) -> None:
        """One line that names both versions, and how many workers have another one."""
        if wrong := sorted(set(versions) - {ours}):
            many = sum(version != ours for version in versions)
            others = f"{many} of {len(versions)} workers at {self.address} have {name} {', '.join(wrong)}"
            raise ConfigError(f"{others}; this is {name} {ours}", hint="install the same on all machines")

    def executor(self) -> Executor:
        """An executor on this cluster; the connection is the same for all."""
        client, lost = self._client, f"the cluster at {self.address} was lost"
        inner = client.get_executor(pure=False, retries=ATTEMPTS)

        class Borrowed(Executor):
            """Dask's executor; an end that cancels does not wait, and a lost cluster is one clear error."""

            def submit(self, fn: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
                if client.status != "running":
                    raise ClusterError(lost, hint="run it again to resume")
                future: Future[Any] = inner.submit(fn, *args, **named)
                return future

            def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
                with suppress(Exception):
                    inner.shutdown(wait=wait and not cancel_futures)

        return Borrowed()

    def close(self) -> None:
        """End the connection; the cluster stays."""
        with _quiet(), suppress(Exception):
            self._client.close(timeout=2)


@contextmanager
def _quiet() -> Iterator[None]:
    """Dask's own warnings and log lines say what one error of ours says."""
    import logging

    with suppress(ImportError):
        import distributed  # noqa: F401  # sets up its loggers

    loggers = [logging.getLogger(name) for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    for logger in (logging.getLogger("distributed"), logging.getLogger("tornado"), *loggers):
        logger.setLevel(logging.CRITICAL + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
