"""The journal of replacements: what the model should see, so that a recorded session can prove that it did.

A line holds no text but its opening: the digest and the length find the whole again inside whatever a host puts around.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from mcpcompact.config import state_dir
from mcpcompact.hook.hosts import SAMPLE, Event
from mcpcompact.results.durable import append
from mcpcompact.telemetry import objects

if TYPE_CHECKING:
    from mcpcompact.compaction import Compaction

FILE = "deliveries.ndjson"
OPENING = 60  # characters by which a text is looked for: the notice's first words, or the beginning of the data
MAX_BYTES = 8 << 20  # some 16,000 replacements; the file before it is kept, too


class Delivery(NamedTuple):
    """One replacement. ``before`` and ``after`` are tokens; ``original`` is the digest of the replaced text."""

    time: str
    host: str
    session: str
    call: str
    tool: str
    server: str
    reference: str
    before: int
    after: int
    opening: str
    length: int
    digest: str
    original: str


def digest(text: str) -> str:
    """The SHA-256 of a text, white space at its ends aside."""
    return hashlib.sha256(text.strip().encode("utf-8", "surrogatepass")).hexdigest()


def note(host: str, event: Event, text: str, before: int, outcome: Compaction) -> None:
    """Record a replacement. Raises ``OSError``."""
    if event.session == SAMPLE:
        return
    text, now = text.strip(), time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    call = event.session, event.id, event.tool, event.server
    reference = outcome.reference.id if outcome.reference else ""
    original = digest(event.result) if isinstance(event.result, str) else ""
    seen = text[:OPENING], len(text), digest(text)
    line = Delivery(now, host, *call, reference, before, outcome.tokens, *seen, original)
    path = os.path.join(state_dir(), FILE)
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    if append(path, json.dumps(line._asdict()).encode() + b"\n") > MAX_BYTES:
        os.replace(path, f"{path}.1")


def deliveries() -> Iterator[Delivery]:
    """Oldest first. A torn or foreign line is left out."""
    path = os.path.join(state_dir(), FILE)
    for line in chain(objects(f"{path}.1"), objects(path)):
        if line.keys() == set(Delivery._fields):
            yield Delivery(**line)
