"""Real services on loopback for the tests: a store that speaks S3, a Dask scheduler and its workers."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from conftest import ROOT


@contextmanager
def s3(bucket: str = "bucket") -> Iterator[dict[str, str]]:
    """An S3 server in this process with one bucket; the environment in which any program finds it."""
    import logging

    import boto3
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    import s3fs

    s3fs.S3FileSystem.clear_instance_cache()  # an earlier server's, in this process
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    found = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "AKIATESTINGTESTING12",
        "AWS_SECRET_ACCESS_KEY": "of-the-store-itself-0123456789abcdef",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    try:
        import urllib.request

        reset = urllib.request.Request(found["AWS_ENDPOINT_URL"] + "/moto-api/reset", method="POST")
        urllib.request.urlopen(reset).close()  # its memory is that of the process, not of the server
        client = boto3.client(
            "s3",
            endpoint_url=found["AWS_ENDPOINT_URL"],
            aws_access_key_id=found["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=found["AWS_SECRET_ACCESS_KEY"],
            region_name="us-east-1",
        )
        client.create_bucket(Bucket=bucket)
        yield found
    finally:
        server.stop()


class Dask:
    """A scheduler and workers, each a process."""

    def __init__(self, home: Path, env: dict[str, str]) -> None:
        self._home, self._processes = home, []
        self._env = {**os.environ, "PYTHONPATH": str(ROOT), **env}
        self.scheduler = self._start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.address = self._said(r"Scheduler at:\s+(tcp://\S+)")

    def _start(self, program: str, *args: str) -> subprocess.Popen[bytes]:
        log = (self._home / "dask.log").open("ab")
        command = [sys.executable, "-m", f"distributed.cli.{program}", *args]
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self._home, env=self._env)
        self._processes.append(process)
        return process

    def _said(self, pattern: str, times: int = 1) -> str:
        until = time.monotonic() + 30
        while time.monotonic() < until:
            found = re.findall(pattern, (self._home / "dask.log").read_text("utf-8", "replace"))
            if len(found) >= times:
                return str(found[-1])
            time.sleep(0.05)
        raise AssertionError(f"nothing said {pattern}")

    def worker(self, *args: str) -> subprocess.Popen[bytes]:
        """A new worker, registered. It works in a directory of its own: what it reads, it was sent."""
        count = len(re.findall("Register worker", (self._home / "dask.log").read_text("utf-8", "replace")))
        process = self._start(
            "dask_worker", self.address, "--no-nanny", "--nthreads", "1", "--no-dashboard",
            "--local-directory", str(self._home), *args,
        )  # fmt: skip
        self._said("Register worker", count + 1)
        return process

    def end(self, process: subprocess.Popen[bytes], how: int = signal.SIGKILL) -> None:
        count = len(re.findall("Remove worker", (self._home / "dask.log").read_text("utf-8", "replace")))
        process.send_signal(how)
        process.wait()
        self._said("Remove worker", count + 1)

    def close(self) -> None:
        for process in reversed(self._processes):
            with suppress(OSError):
                process.kill()
            process.wait()


@contextmanager
def recording(address: str) -> Iterator[tuple[str, bytearray]]:
    """A way to ``address`` (``tcp://HOST:PORT``) on which everything that is sent to it is seen."""
    import socket

    host, _, port = address.removeprefix("tcp://").rpartition(":")
    door = socket.create_server(("127.0.0.1", 0))
    seen = bytearray()

    def pump(source: socket.socket, target: socket.socket, record: bool) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                if record:
                    seen.extend(data)
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)

    def serve() -> None:
        with suppress(OSError):
            while True:
                inner, _ = door.accept()
                outer = socket.create_connection((host, int(port)))
                for ends in ((inner, outer, True), (outer, inner, False)):
                    threading.Thread(target=pump, args=ends, daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"tcp://127.0.0.1:{door.getsockname()[1]}", seen
    finally:
        door.close()
