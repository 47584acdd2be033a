"""What the commands that know ``--cluster`` share: the connection, and transcripts read here to be judged there."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager

from mcpcompact import __version__
from mcpcompact.batch.cluster import Cluster
from mcpcompact.errors import ClusterError, McpcompactError, UsageError
from mcpcompact.replaying.inputs import find
from mcpcompact.replaying.run import unread
from mcpcompact.transcripts import Transcript, read_transcripts


def connected(url: str, jobs: int) -> Cluster:
    """The cluster of ``--cluster``, its versions checked."""
    if jobs > 1:
        raise UsageError("--jobs and --cluster cannot be combined", hint="a cluster has as many as its workers have")
    return Cluster(url, __version__)


@contextmanager
def judged_there(
    url: str | None, jobs: int, emit: str | None, inputs: list[str | Transcript]
) -> Iterator[tuple[list[str | Transcript], Executor | None, list[dict[str, str]]]]:
    """What ``replay`` takes: inputs, an executor, and which inputs could not be read. Without a cluster as they are."""
    if not url:
        yield inputs, None, []
        return
    if emit:
        raise UsageError("--emit and --cluster cannot be combined", hint="leave one of them out")
    cluster = connected(url, jobs)
    try:
        read, unread = _read(inputs)
        yield (read, cluster.executor(), unread) if read else (inputs, None, [])
    except CancelledError:
        raise ClusterError(f"the cluster at {cluster.address} was lost", hint="run it again") from None
    finally:
        cluster.close()


def _read(inputs: list[str | Transcript]) -> tuple[list[str | Transcript], list[dict[str, str]]]:
    read: list[str | Transcript] = []
    skipped: list[dict[str, str]] = []
    for item in find(inputs):
        if not isinstance(item, str):
            read.append(item)
            continue
        try:
            read += [transcript for transcript in read_transcripts(item) if transcript.messages]
        except McpcompactError as error:
            skipped.append(unread(item, error))
    return read, skipped
