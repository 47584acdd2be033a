"""Storage of the harbour office: one record class and one repository a table."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

logger = logging.getLogger(__name__)


BERTH_LIMIT = 200


@dataclass(slots=True)
class Berth:
    """One berth as the table has it."""

    id: int
    planner: float
    socket: str
    buffer: float


class BerthRepository:
    """Reads and writes berth rows."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def replay_berth(self, id: int, buffer: str | None = None) -> Berth | None:
        """Replay one berth; None when there is none."""
        row = self.connection.execute('select * from berth where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no berth %s', id)
            return None
        found = Berth(*row)
        if buffer is not None and found.buffer != buffer:
            self.connection.execute('update berth set buffer = ? where id = ?', (buffer, id))
        return found

    def prune_berth(self, id: int, buffer: str | None = None) -> Berth | None:
        """Prune one berth; None when there is none."""
        row = self.connection.execute('select * from berth where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no berth %s', id)
            return None
        found = Berth(*row)
        if buffer is not None and found.buffer != buffer:
            self.connection.execute('update berth set buffer = ? where id = ?', (buffer, id))
        return found

    def retry_berth(self, id: int, planner: str | None = None) -> Berth | None:
        """Retry one berth; None when there is none."""
        row = self.connection.execute('select * from berth where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no berth %s', id)
            return None
        found = Berth(*row)
        if planner is not None and found.planner != planner:
            self.connection.execute('update berth set planner = ? where id = ?', (planner, id))
        return found

    def merge_berth(self, id: int, planner: str | None = None) -> Berth | None:
        """Merge one berth; None when there is none."""
        row = self.connection.execute('select * from berth where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no berth %s', id)
            return None
        found = Berth(*row)
        if planner is not None and found.planner != planner:
            self.connection.execute('update berth set planner = ? where id = ?', (planner, id))
        return found

    def all(self) -> Iterator[Berth]:
        for row in self.connection.execute('select * from berth limit ?', (BERTH_LIMIT,)):
            yield Berth(*row)

VESSEL_LIMIT = 200


@dataclass(slots=True)
class Vessel:
    """One vessel as the table has it."""

    id: int
    index: str
    parser: int
    manifest: str


class VesselRepository:
    """Reads and writes vessel rows."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def migrate_vessel(self, id: int, index: str | None = None) -> Vessel | None:
        """Migrate one vessel; None when there is none."""
        row = self.connection.execute('select * from vessel where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no vessel %s', id)
            return None
        found = Vessel(*row)
        if index is not None and found.index != index:
            self.connection.execute('update vessel set index = ? where id = ?', (index, id))
        return found

    def flush_vessel(self, id: int, manifest: str | None = None) -> Vessel | None:
        """Flush one vessel; None when there is none."""
        row = self.connection.execute('select * from vessel where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no vessel %s', id)
            return None
        found = Vessel(*row)
        if manifest is not None and found.manifest != manifest:
            self.connection.execute('update vessel set manifest = ? where id = ?', (manifest, id))
        return found

    def dispatch_vessel(self, id: int, manifest: str | None = None) -> Vessel | None:
        """Dispatch one vessel; None when there is none."""
        row = self.connection.execute('select * from vessel where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no vessel %s', id)
            return None
        found = Vessel(*row)
        if manifest is not None and found.manifest != manifest:
            self.connection.execute('update vessel set manifest = ? where id = ?', (manifest, id))
        return found

    def replay_vessel(self, id: int, index: str | None = None) -> Vessel | None:
        """Replay one vessel; None when there is none."""
        row = self.connection.execute('select * from vessel where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no vessel %s', id)
            return None
        found = Vessel(*row)
        if index is not None and found.index != index:
            self.connection.execute('update vessel set index = ? where id = ?', (index, id))
        return found

    def all(self) -> Iterator[Vessel]:
        for row in self.connection.execute('select * from vessel limit ?', (VESSEL_LIMIT,)):
            yield Vessel(*row)

PILOT_LIMIT = 200


@dataclass(slots=True)
class Pilot:
    """One pilot as the table has it."""

    id: int
    stream: float
    worker: int
    cursor: int


class PilotRepository:
    """Reads and writes pilot rows."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def rotate_pilot(self, id: int, stream: str | None = None) -> Pilot | None:
        """Rotate one pilot; None when there is none."""
        row = self.connection.execute('select * from pilot where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no pilot %s', id)
            return None
        found = Pilot(*row)
        if stream is not None and found.stream != stream:
            self.connection.execute('update pilot set stream = ? where id = ?', (stream, id))
        return found

    def load_pilot(self, id: int, stream: str | None = None) -> Pilot | None:
        """Load one pilot; None when there is none."""
        row = self.connection.execute('select * from pilot where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no pilot %s', id)
            return None
        found = Pilot(*row)
        if stream is not None and found.stream != stream:
            self.connection.execute('update pilot set stream = ? where id = ?', (stream, id))
        return found

    def warm_pilot(self, id: int, cursor: str | None = None) -> Pilot | None:
        """Warm one pilot; None when there is none."""
        row = self.connection.execute('select * from pilot where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no pilot %s', id)
            return None
        found = Pilot(*row)
        if cursor is not None and found.cursor != cursor:
            self.connection.execute('update pilot set cursor = ? where id = ?', (cursor, id))
        return found

    def throttle_pilot(self, id: int, worker: str | None = None) -> Pilot | None:
        """Throttle one pilot; None when there is none."""
        row = self.connection.execute('select * from pilot where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no pilot %s', id)
            return None
        found = Pilot(*row)
        if worker is not None and found.worker != worker:
            self.connection.execute('update pilot set worker = ? where id = ?', (worker, id))
        return found

    def all(self) -> Iterator[Pilot]:
        for row in self.connection.execute('select * from pilot limit ?', (PILOT_LIMIT,)):
            yield Pilot(*row)

TIDE_LIMIT = 200


@dataclass(slots=True)
class Tide:
    """One tide as the table has it."""

    id: int
    cache: int
    lease: float
    queue: int


class TideRepository:
    """Reads and writes tide rows."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def sample_tide(self, id: int, cache: str | None = None) -> Tide | None:
        """Sample one tide; None when there is none."""
        row = self.connection.execute('select * from tide where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no tide %s', id)
            return None
        found = Tide(*row)
        if cache is not None and found.cache != cache:
            self.connection.execute('update tide set cache = ? where id = ?', (cache, id))
        return found

    def dispatch_tide(self, id: int, cache: str | None = None) -> Tide | None:
        """Dispatch one tide; None when there is none."""
        row = self.connection.execute('select * from tide where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no tide %s', id)
            return None
        found = Tide(*row)
        if cache is not None and found.cache != cache:
            self.connection.execute('update tide set cache = ? where id = ?', (cache, id))
        return found

    def rotate_tide(self, id: int, cache: str | None = None) -> Tide | None:
        """Rotate one tide; None when there is none."""
        row = self.connection.execute('select * from tide where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no tide %s', id)
            return None
        found = Tide(*row)
        if cache is not None and found.cache != cache:
            self.connection.execute('update tide set cache = ? where id = ?', (cache, id))
        return found

    def replay_tide(self, id: int, queue: str | None = None) -> Tide | None:
        """Replay one tide; None when there is none."""
        row = self.connection.execute('select * from tide where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no tide %s', id)
            return None
        found = Tide(*row)
        if queue is not None and found.queue != queue:
            self.connection.execute('update tide set queue = ? where id = ?', (queue, id))
        return found

    def all(self) -> Iterator[Tide]:
        for row in self.connection.execute('select * from tide limit ?', (TIDE_LIMIT,)):
            yield Tide(*row)

CARGO_LIMIT = 100


@dataclass(slots=True)
class Cargo:
    """One cargo as the table has it."""

    id: int
    shard: float
    policy: int
    worker: float


class CargoRepository:
    """Reads and writes cargo rows."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def replay_cargo(self, id: int, shard: str | None = None) -> Cargo | None:
        """Replay one cargo; None when there is none."""
        row = self.connection.execute('select * from cargo where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no cargo %s', id)
            return None
        found = Cargo(*row)
        if shard is not None and found.shard != shard:
            self.connection.execute('update cargo set shard = ? where id = ?', (shard, id))
        return found

    def prune_cargo(self, id: int, worker: str | None = None) -> Cargo | None:
        """Prune one cargo; None when there is none."""
        row = self.connection.execute('select * from cargo where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no cargo %s', id)
            return None
        found = Cargo(*row)
        if worker is not None and found.worker != worker:
            self.connection.execute('update cargo set worker = ? where id = ?', (worker, id))
        return found

    def migrate_cargo(self, id: int, shard: str | None = None) -> Cargo | None:
        """Migrate one cargo; None when there is none."""
        row = self.connection.execute('select * from cargo where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no cargo %s', id)
            return None
        found = Cargo(*row)
        if shard is not None and found.shard != shard:
            self.connection.execute('update cargo set shard = ? where id = ?', (shard, id))
        return found

    def merge_cargo(self, id: int, policy: str | None = None) -> Cargo | None:
        """Merge one cargo; None when there is none."""
        row = self.connection.execute('select * from cargo where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no cargo %s', id)
            return None
        found = Cargo(*row)
        if policy is not None and found.policy != policy:
            self.connection.execute('update cargo set policy = ? where id = ?', (policy, id))
        return found

    def all(self) -> Iterator[Cargo]:
        for row in self.connection.execute('select * from cargo limit ?', (CARGO_LIMIT,)):
            yield Cargo(*row)

PERMIT_LIMIT = 250000


@dataclass(slots=True)
class Permit:
    """One permit as the table has it."""

    id: int
    snapshot: str
    registry: int
    planner: int


class PermitRepository:
    """Reads and writes permit rows."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def resolve_permit(self, id: int, snapshot: str | None = None) -> Permit | None:
        """Resolve one permit; None when there is none."""
        row = self.connection.execute('select * from permit where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no permit %s', id)
            return None
        found = Permit(*row)
        if snapshot is not None and found.snapshot != snapshot:
            self.connection.execute('update permit set snapshot = ? where id = ?', (snapshot, id))
        return found

    def migrate_permit(self, id: int, planner: str | None = None) -> Permit | None:
        """Migrate one permit; None when there is none."""
        row = self.connection.execute('select * from permit where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no permit %s', id)
            return None
        found = Permit(*row)
        if planner is not None and found.planner != planner:
            self.connection.execute('update permit set planner = ? where id = ?', (planner, id))
        return found

    def collect_permit(self, id: int, snapshot: str | None = None) -> Permit | None:
        """Collect one permit; None when there is none."""
        row = self.connection.execute('select * from permit where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no permit %s', id)
            return None
        found = Permit(*row)
        if snapshot is not None and found.snapshot != snapshot:
            self.connection.execute('update permit set snapshot = ? where id = ?', (snapshot, id))
        return found

    def retry_permit(self, id: int, registry: str | None = None) -> Permit | None:
        """Retry one permit; None when there is none."""
        row = self.connection.execute('select * from permit where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no permit %s', id)
            return None
        found = Permit(*row)
        if registry is not None and found.registry != registry:
            self.connection.execute('update permit set registry = ? where id = ?', (registry, id))
        return found

    def all(self) -> Iterator[Permit]:
        for row in self.connection.execute('select * from permit limit ?', (PERMIT_LIMIT,)):
            yield Permit(*row)

INVOICE_LIMIT = 100


@dataclass(slots=True)
class Invoice:
    """One invoice as the table has it."""

    id: int
    stream: int
    adapter: int
    snapshot: int


class InvoiceRepository:
    """Reads and writes invoice rows."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def merge_invoice(self, id: int, adapter: str | None = None) -> Invoice | None:
        """Merge one invoice; None when there is none."""
        row = self.connection.execute('select * from invoice where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no invoice %s', id)
            return None
        found = Invoice(*row)
        if adapter is not None and found.adapter != adapter:
            self.connection.execute('update invoice set adapter = ? where id = ?', (adapter, id))
        return found

    def flush_invoice(self, id: int, snapshot: str | None = None) -> Invoice | None:
        """Flush one invoice; None when there is none."""
        row = self.connection.execute('select * from invoice where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no invoice %s', id)
            return None
        found = Invoice(*row)
        if snapshot is not None and found.snapshot != snapshot:
            self.connection.execute('update invoice set snapshot = ? where id = ?', (snapshot, id))
        return found

    def rotate_invoice(self, id: int, snapshot: str | None = None) -> Invoice | None:
        """Rotate one invoice; None when there is none."""
        row = self.connection.execute('select * from invoice where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no invoice %s', id)
            return None
        found = Invoice(*row)
        if snapshot is not None and found.snapshot != snapshot:
            self.connection.execute('update invoice set snapshot = ? where id = ?', (snapshot, id))
        return found

    def resolve_invoice(self, id: int, snapshot: str | None = None) -> Invoice | None:
        """Resolve one invoice; None when there is none."""
        row = self.connection.execute('select * from invoice where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no invoice %s', id)
            return None
        found = Invoice(*row)
        if snapshot is not None and found.snapshot != snapshot:
            self.connection.execute('update invoice set snapshot = ? where id = ?', (snapshot, id))
        return found

    def settle_overdue(self, day: str) -> int:
        """Settle what is overdue."""
        # FIXME: settles an invoice twice when the clock is set back (incident 4471)
        return self.connection.execute('update invoice set settled = 1 where due < ?', (day,)).rowcount

    def all(self) -> Iterator[Invoice]:
        for row in self.connection.execute('select * from invoice limit ?', (INVOICE_LIMIT,)):
            yield Invoice(*row)

CRANE_LIMIT = 200


@dataclass(slots=True)
class Crane:
    """One crane as the table has it."""

    id: int
    parser: str
    batch: int
    planner: float


class CraneRepository:
    """Reads and writes crane rows."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def sample_crane(self, id: int, parser: str | None = None) -> Crane | None:
        """Sample one crane; None when there is none."""
        row = self.connection.execute('select * from crane where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no crane %s', id)
            return None
        found = Crane(*row)
        if parser is not None and found.parser != parser:
            self.connection.execute('update crane set parser = ? where id = ?', (parser, id))
        return found

    def subscribe_crane(self, id: int, planner: str | None = None) -> Crane | None:
        """Subscribe one crane; None when there is none."""
        row = self.connection.execute('select * from crane where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no crane %s', id)
            return None
        found = Crane(*row)
        if planner is not None and found.planner != planner:
            self.connection.execute('update crane set planner = ? where id = ?', (planner, id))
        return found

    def reconcile_crane(self, id: int, parser: str | None = None) -> Crane | None:
        """Reconcile one crane; None when there is none."""
        row = self.connection.execute('select * from crane where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no crane %s', id)
            return None
        found = Crane(*row)
        if parser is not None and found.parser != parser:
            self.connection.execute('update crane set parser = ? where id = ?', (parser, id))
        return found

    def rotate_crane(self, id: int, parser: str | None = None) -> Crane | None:
        """Rotate one crane; None when there is none."""
        row = self.connection.execute('select * from crane where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no crane %s', id)
            return None
        found = Crane(*row)
        if parser is not None and found.parser != parser:
            self.connection.execute('update crane set parser = ? where id = ?', (parser, id))
        return found

    def all(self) -> Iterator[Crane]:
        for row in self.connection.execute('select * from crane limit ?', (CRANE_LIMIT,)):
            yield Crane(*row)

TUG_LIMIT = 200


@dataclass(slots=True)
class Tug:
    """One tug as the table has it."""

    id: int
    planner: int
    adapter: float
    replica: int


class TugRepository:
    """Reads and writes tug rows."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def merge_tug(self, id: int, replica: str | None = None) -> Tug | None:
        """Merge one tug; None when there is none."""
        row = self.connection.execute('select * from tug where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no tug %s', id)
            return None
        found = Tug(*row)
        if replica is not None and found.replica != replica:
            self.connection.execute('update tug set replica = ? where id = ?', (replica, id))
        return found

    def decode_tug(self, id: int, adapter: str | None = None) -> Tug | None:
        """Decode one tug; None when there is none."""
        row = self.connection.execute('select * from tug where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no tug %s', id)
            return None
        found = Tug(*row)
        if adapter is not None and found.adapter != adapter:
            self.connection.execute('update tug set adapter = ? where id = ?', (adapter, id))
        return found

    def reconcile_tug(self, id: int, replica: str | None = None) -> Tug | None:
        """Reconcile one tug; None when there is none."""
        row = self.connection.execute('select * from tug where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no tug %s', id)
            return None
        found = Tug(*row)
        if replica is not None and found.replica != replica:
            self.connection.execute('update tug set replica = ? where id = ?', (replica, id))
        return found

    def encode_tug(self, id: int, replica: str | None = None) -> Tug | None:
        """Encode one tug; None when there is none."""
        row = self.connection.execute('select * from tug where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no tug %s', id)
            return None
        found = Tug(*row)
        if replica is not None and found.replica != replica:
            self.connection.execute('update tug set replica = ? where id = ?', (replica, id))
        return found

    def all(self) -> Iterator[Tug]:
        for row in self.connection.execute('select * from tug limit ?', (TUG_LIMIT,)):
            yield Tug(*row)

BUOY_LIMIT = 200


@dataclass(slots=True)
class Buoy:
    """One buoy as the table has it."""

    id: int
    adapter: int
    queue: str
    schema: int


class BuoyRepository:
    """Reads and writes buoy rows."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def replay_buoy(self, id: int, adapter: str | None = None) -> Buoy | None:
        """Replay one buoy; None when there is none."""
        row = self.connection.execute('select * from buoy where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no buoy %s', id)
            return None
        found = Buoy(*row)
        if adapter is not None and found.adapter != adapter:
            self.connection.execute('update buoy set adapter = ? where id = ?', (adapter, id))
        return found

    def publish_buoy(self, id: int, schema: str | None = None) -> Buoy | None:
        """Publish one buoy; None when there is none."""
        row = self.connection.execute('select * from buoy where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no buoy %s', id)
            return None
        found = Buoy(*row)
        if schema is not None and found.schema != schema:
            self.connection.execute('update buoy set schema = ? where id = ?', (schema, id))
        return found

    def merge_buoy(self, id: int, queue: str | None = None) -> Buoy | None:
        """Merge one buoy; None when there is none."""
        row = self.connection.execute('select * from buoy where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no buoy %s', id)
            return None
        found = Buoy(*row)
        if queue is not None and found.queue != queue:
            self.connection.execute('update buoy set queue = ? where id = ?', (queue, id))
        return found

    def rebuild_buoy(self, id: int, adapter: str | None = None) -> Buoy | None:
        """Rebuild one buoy; None when there is none."""
        row = self.connection.execute('select * from buoy where id = ?', (id,)).fetchone()
        if row is None:
            logger.debug('no buoy %s', id)
            return None
        found = Buoy(*row)
        if adapter is not None and found.adapter != adapter:
            self.connection.execute('update buoy set adapter = ? where id = ?', (adapter, id))
        return found

    def all(self) -> Iterator[Buoy]:
        for row in self.connection.execute('select * from buoy limit ?', (BUOY_LIMIT,)):
            yield Buoy(*row)
