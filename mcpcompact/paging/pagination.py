"""``paginate``: one page of the list in a tool result, its items as they stand in the original.

bytes → unwrap → detect → the list → its order → a page → a snapshot and a cursor for the next
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from typing import Any

from mcpcompact.config import CURSOR_TTL, MAX_PAGE_ITEMS, MIN_PAGE_TOKENS, PAGE_ITEMS
from mcpcompact.content.detect import detect, load
from mcpcompact.errors import CannotReadError, CannotWriteError, InputError, McpcompactError, UsageError
from mcpcompact.inputs.envelope import Envelope, unwrap
from mcpcompact.inputs.values import source_of
from mcpcompact.paging.cursors import Cursors
from mcpcompact.paging.snapshots import keep, note, noted, reopen
from mcpcompact.results import Store, StoredResult
from mcpcompact.retrieval.lists import LISTS, Listing, Sort, as_json, listing, names_of, order
from mcpcompact.retrieval.units import TABLE, Unit, rows_at
from mcpcompact.shell import option
from mcpcompact.source import Source, as_utf8
from mcpcompact.tokens import high_counter

_NAMED = 5  # line numbers

SMALL_TOKENS = 1_000  # content under so many tokens comes whole, whatever the limit
INDEXED_FROM = 256 * 1024  # bytes from which on the places of the items are kept for the pages that follow

_SMALL_BYTES = 64 * 1024  # content above is not counted to find out
_CURSOR = "c" + "0" * 45  # costs what any cursor costs


@dataclass(slots=True)
class ItemPage:
    """One page of a list.

    ``total_count`` items stand in the list. ``items`` are JSON texts, a line each: the values of a JSON list or NDJSON
    line as they stand in the original, the row of a table as an object of its cells, a sequence as a string. ``first``
    is the place of the first one, from 1. ``numbers`` are their numbers in the original, as ``results get --records``
    takes them. ``next_cursor`` is None on the last page (and without a store). ``whole``: all of the list is here,
    without pagination; ``content`` is then the input itself, unless ``fields`` or ``sort`` were asked for. ``notes``
    are to be said to the reader; ``problem`` is why there is no cursor although there is more.
    """

    items: list[str]
    total_count: int
    next_cursor: str | None = None
    first: int = 1
    whole: bool = False
    content: Source | None = None
    numbers: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problem: McpcompactError | None = None

    @property
    def text(self) -> str:
        """What an agent gets: the content itself when it came whole, else ``json``."""
        return self.json if self.content is None else self.content.text

    @property
    def json(self) -> str:
        """One JSON object, a line an item: ``items``, and unless whole ``totalCount`` and ``nextCursor``."""
        listed = "[\n" + ",\n".join(self.items) + "\n]" if self.items else "[]"
        total = "" if self.whole else f', "totalCount": {self.total_count}'
        following = f', "nextCursor": "{self.next_cursor}"' if self.next_cursor else ""
        return f'{{"items": {listed}{total}{following}}}\n'

    def as_dict(self) -> dict[str, Any]:
        """The same as Python values (of a key that occurs twice in one object, the last)."""
        fields: dict[str, Any] = json.loads(self.json, strict=False)
        return fields


def paginate(
    result: str | bytes | dict[str, Any] | list[Any] | Source | None = None,
    *,
    limit: int = PAGE_ITEMS,
    cursor: str | None = None,
    path: str = "",
    fields: Sequence[str] = (),
    sort: str | None = None,
    pages: tuple[int, int] | None = None,
    max_tokens: int | None = None,
    content_type: str | None = None,
    model: str | None = None,
    encoding: str | None = None,
    store: Store | None = None,
    cursor_ttl: int = CURSOR_TTL,
    source_name: str = "",
) -> ItemPage:
    """One page of the main list in ``result``, or of the list at ``path`` (``data.items[0].tags``).

    ``limit`` is 1 to 200 items. ``fields`` (``id``, ``owner.login``) leaves out all others. ``sort`` is ``FIELD``,
    ``FIELD:desc`` or ``newest``. ``pages`` ``(1, 3)`` gives three at once. ``max_tokens`` ends the page earlier; an
    item that does not fit a page alone, with the keys and the cursor around it, is replaced by ``{"itemTooLarge":
    {"number": …, "tokens": …}}``, never cut. A list of at
    most ``limit`` items, or content under 1,000 tokens, comes whole.

    With a ``store`` the page has a cursor for the next one, valid ``cursor_ttl`` seconds (0: for ever), and the walk
    reads the content as it was at its beginning; ``result`` may then be left out. ``source_name`` is its file's name.
    ``content_type`` overrides detection; ``model`` or ``encoding`` say whose tokens are counted.

    Raises ``UsageError`` for impossible options and for a cursor that is not valid here, ``InputError`` where there is
    no such list, ``NoInputError`` when the snapshot is gone. When it cannot be stored, the page comes with ``problem``.
    """
    _check(limit, cursor, pages, max_tokens)
    fields = tuple(fields)
    bound = json.dumps(["paginate", path, fields, sort, limit, max_tokens, content_type], ensure_ascii=False)
    walk = _Walk(store, fields, path, sort)
    start = 0
    if cursor is not None:
        start, content_type, cursor_ttl = walk.resume(cursor, bound, result, source_name, cursor_ttl)
    else:
        walk.begin(result, source_name)
    count = limit
    if pages is not None:
        start, count = (pages[0] - 1) * limit, (pages[1] - pages[0] + 1) * limit
    counted = high_counter(model, encoding)
    page = walk.noted(start, count) if cursor is not None else None
    if page is None:
        walk.find(content_type)
        page = walk.page(start, count)
        walk.say_where()
    page.notes = walk.notes
    if cursor is None and walk.is_short(page, limit, max_tokens, counted):
        return walk.whole(page)
    if start >= page.total_count and (start or pages):
        last = -(-page.total_count // limit)
        raise UsageError(f"there is no page {start // limit + 1}", hint=f"there are {last:,} of {limit}")
    large = _shorten(page, max_tokens, counted) if max_tokens is not None else []
    following = start + len(page.items)
    if following < page.total_count or large:
        walk.keep(page, following, bound, cursor_ttl, large)
    if walk.kept and store is not None:  # so that this page, coming back as a tool result, is not compacted
        store.remember(store.find(walk.kept).id, page.json)
    return page


def _check(limit: int, cursor: str | None, pages: tuple[int, int] | None, max_tokens: int | None) -> None:
    """Raises ``UsageError`` for options that are not possible, alone or together."""
    if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= MAX_PAGE_ITEMS:
        raise UsageError(f"a limit of {limit} is not possible", hint=f"give 1 to {MAX_PAGE_ITEMS}")
    if max_tokens is not None and max_tokens < MIN_PAGE_TOKENS:
        raise UsageError(f"a page of {max_tokens} tokens is too small", hint=f"give {MIN_PAGE_TOKENS} or more")
    if pages is None:
        return
    hint = "write A-B, from 1, A not above B, for the first call"
    if cursor is not None:
        raise UsageError("pages go with no cursor", hint=hint)
    if not 1 <= pages[0] <= pages[1]:
        raise UsageError(f"pages {pages[0]}-{pages[1]} are not possible", hint=hint)


def stream(
    result: str | bytes | Source,
    *,
    path: str = "",
    fields: Sequence[str] = (),
    sort: str | None = None,
    content_type: str | None = None,
) -> tuple[Iterator[str], list[str]]:
    """All items as ``paginate`` would give them, one after the other, and notes that are complete at the end."""
    walk = _Walk(None, tuple(fields), path, sort)
    walk.begin(result, "")
    walk.find(content_type)
    return walk.texts(walk.everything()), walk.notes


class _Walk:
    """What one call knows: the content, the list in it, and the order of its items."""

    def __init__(self, store: Store | None, fields: tuple[str, ...], path: str, sort: str | None) -> None:
        self.store, self.fields, self.path, self.sort = store, fields, path, sort
        self.notes: list[str] = []
        self.source = self.payload = Source(b"")
        self.envelope: Envelope | None = None
        self.name = self.kept = ""
        self.content_type = ""
        self.listing: Listing | None = None
        self.sorted: list[int] | None = None
        self.total = self.end = 0
        self.result: StoredResult | None = None  # of the snapshot that a cursor names
        self.places: array[int] | None = None  # number, offset and length of each item, to be kept
        self.kind, self.begun, self.columns = "", 0, list[str]()  # of the items; offset of the first; names of values

    # ---- the content

    def begin(self, result: Any, name: str) -> None:
        if result is None:
            raise UsageError("there is nothing to paginate", hint="give an input or a cursor")
        (self.source, parsed), self.name = _source(result), name
        self.envelope = unwrap(self.source, parsed=parsed)
        self.payload = self.envelope.source

    def resume(self, cursor: str, bound: str, result: Any, name: str, ttl: int) -> tuple[int, str, int]:
        """The place and content type that ``cursor`` says (so that nothing is detected again), and for how long the
        next one is valid. The payload is the snapshot's."""
        if self.store is None:
            raise UsageError("a cursor needs the results directory that it was made with", hint="give a store")
        opened = Cursors(self.store, ttl=ttl).open(cursor, bound)
        given = None if result is None else _source(result)[0]
        self.result, self.payload, notes = reopen(self.store, opened.id, given, name)
        self.kept = str(self.result.meta["sha256"])
        self.notes += notes
        place, kind = divmod(opened.position, len(LISTS))
        self.content_type = LISTS[kind]
        return place, LISTS[kind], 0 if opened.forever else ttl

    def keep(self, page: ItemPage, position: int, bound: str, ttl: int, large: list[tuple[int, int]]) -> None:
        """Store the snapshot, if it is not yet, and give the page its cursor."""
        if self.store is None:
            return
        try:
            if not self.kept:
                assert self.envelope is not None
                self.kept = keep(self.store, self.source, self.envelope, self.content_type, self.name)
                if self.places:
                    about = json.dumps([self.kind, self.begun, self.columns])  # what reading single items takes
                    note(self.store, self.kept, self._key(), self._ordered(self.places), about)
            if position < page.total_count:
                place = position * len(LISTS) + LISTS.index(self.content_type)
                page.next_cursor = Cursors(self.store, ttl=ttl).issue(self.kept, place, bound)
        except (CannotWriteError, CannotReadError) as error:
            page.problem = error
            return
        if large:
            path = option("--path", self.path) if self.path else ()
            for n, tokens in large:
                id = self.store.find(self.kept).id
                get = self.store.get_command(id, *path, "--records", str(n), "--max-tokens", "0")
                page.notes.append(f"item {n:,} has {tokens:,} tokens, too many beside the keys of a page: {get}")

    # ---- the list

    def find(self, content_type: str | None) -> None:
        if content_type is not None:
            load(content_type)
        self.content_type = content_type or detect(self.payload).content_type
        self.listing = listing(self.payload, self.content_type, self.path)
        if self.sort is not None:
            self.sorted, notes = order(self.listing, Sort.parse(self.sort))
            self.notes += notes
        if self.store is not None and not self.kept and self.payload.size >= INDEXED_FROM:
            kept = as_utf8(self.payload) is self.payload and not self.listing.made
            self.places = array("Q") if kept else None

    def noted(self, start: int, count: int) -> ItemPage | None:
        """The same as ``page``, where the places of the items were kept: without reading the list."""
        assert self.result is not None
        kept = noted(self.result, self._key(), 3, start, count)
        if kept is None:
            return None
        self.total = kept.total
        try:
            kind, first, columns = json.loads(kept.about)
        except ValueError:
            return None
        read = self.payload.read
        if kind != TABLE:
            units = [Unit(n, at, read(at, at + length), columns, kind) for n, at, length in kept.rows]
        elif (rows := rows_at(self.payload, first, kept.rows)) is not None:
            units = rows
        else:
            return None
        return self._made(units, start)

    def _key(self) -> str:
        return json.dumps([self.path, self.sort, self.content_type])

    def _ordered(self, places: array[int]) -> array[int]:
        if self.sorted is None:
            return places
        ordered = array("Q")
        for number in self.sorted:
            ordered += places[3 * number - 3 : 3 * number]
        return ordered

    def _units(self) -> Iterator[Unit]:
        """All items. Where they are is noted."""
        assert self.listing is not None
        unit = None
        for unit in self.listing.items():
            if self.places is not None:
                if not self.places:
                    self.kind, self.begun = unit.kind, unit.offset
                    self.columns = [] if unit.kind == TABLE else unit.columns
                self.places.extend((unit.number, unit.offset, len(unit.raw)))
            yield unit
        self.end = unit.offset + len(unit.raw) if unit is not None else 0

    def say_where(self) -> None:
        """Name the main list where it is the lesser part of the content: another one may be meant."""
        if self.listing is None or self.listing.made or self.kept or not self.end or not (path := self.listing.path()):
            return
        first = next(self.listing.items()).offset
        if 2 * (self.end - first) < self.payload.size:
            share = max(1, 100 * (self.end - first) // self.payload.size)
            self.notes.append(f"this is the list at {path}, about {share} % of the content; --path chooses another")

    def page(self, start: int, count: int) -> ItemPage:
        """The items from ``start`` (from 0) on, at most ``count``, and how many there are in all."""
        if self.sorted is not None:
            units = self._these(self.sorted[start : start + count])
            self.total = len(self.sorted)
        else:
            every = self._units()
            units = list(islice(every, start, start + count))
            self.total = (units[-1].number if units else 0) + sum(1 for _ in every)
            if not units and start:  # beyond the end
                self.total = sum(1 for _ in self._units())
        return self._made(units, start)

    def _made(self, units: list[Unit], start: int) -> ItemPage:
        items = list(self.texts(units))  # which finds out what is odd about them
        return ItemPage(items, self.total, first=start + 1, numbers=[unit.number for unit in units])

    def _these(self, wanted: list[int]) -> list[Unit]:
        numbers = set(wanted)
        held: dict[int, Unit] = {}
        for unit in self._units() if wanted else ():
            if unit.number in numbers:
                held[unit.number] = unit
                if len(held) == len(numbers) and self.places is None:
                    break
        return [held[number] for number in wanted]

    def everything(self) -> Iterable[Unit]:
        assert self.listing is not None
        return self.listing.items() if self.sorted is None else self._these(self.sorted)

    def texts(self, units: Iterable[Unit]) -> Iterator[str]:
        """The items as JSON; notes on what is odd about them are made at the end."""
        unseen = dict.fromkeys(self.fields)
        last: Unit | None = None
        for unit in units:
            if unit.kind == TABLE and (unknown := [name for name in self.fields if name not in unit.columns]):
                raise InputError(f"there is no column {unknown[0]!r}", hint=f"there is {', '.join(unit.columns)}")
            text, sound = as_json(unit, self.fields)
            if not sound:
                self.notes.append(f"item {unit.number:,} is cut off or damaged: it stands as a string")
            for name in [name for name in unseen if f"{json.dumps(name, ensure_ascii=False)}: " in text]:
                del unseen[name]
            last = unit
            yield text
        if last is not None and unseen:
            names = ", ".join(names_of(last)[:12])
            which = f"has {names}" if names else "has no fields"
            self.notes.append(f"none of these items has {', '.join(unseen)}; the last one {which}")
        if self.listing and (lines := self.listing.skipped):
            which = ", ".join(f"{n:,}" for n in lines[:_NAMED]) + (", …" if len(lines) > _NAMED else "")
            self.notes.append(f"lines that are no JSON objects and so no items: {len(lines):,} ({which})")

    # ---- short lists

    def is_short(self, page: ItemPage, limit: int, max_tokens: int | None, count: Callable[[str], int]) -> bool:
        """Whether the list comes whole: it is no longer than the limit, or its content is small."""
        content, few = self._content(), page.total_count <= limit
        if max_tokens is None and few:
            return True
        tokens = count(content.text) if content.size <= _SMALL_BYTES else inf
        return (few or tokens < SMALL_TOKENS) and (max_tokens is None or tokens <= max_tokens)

    def whole(self, page: ItemPage) -> ItemPage:
        if len(page.items) < page.total_count:
            page = self.page(0, page.total_count)
        page.notes = list(dict.fromkeys(self.notes))
        page.whole, page.first = True, 1
        values = bool(self.path) and self.listing is not None and self.listing.span is None
        if not (self.fields or self.sort or values):
            page.content = self._content(original=True)
        return page

    def _content(self, original: bool = False) -> Source:
        """What a list that comes whole comes as: the input, or the list at the path."""
        assert self.listing is not None
        if self.path and self.listing.span is not None:
            return Source(self.payload.read(*self.listing.span) + b"\n")
        return self.source if original else self.payload


def _source(result: Any) -> tuple[Source, bool]:
    """What is paginated, and whether it was a value. Raises what of it could not be written."""
    source, value, problem = source_of(result)
    if problem is not None:
        raise problem
    return source, value


def _shorten(page: ItemPage, max_tokens: int, count: Callable[[str], int]) -> list[tuple[int, int]]:
    """End the page where ``max_tokens`` are reached, its frame and cursor included. A first item that alone exceeds
    them, with what stands around it, is replaced. Returns the numbers and tokens of the replaced ones."""
    room = max_tokens - count(ItemPage(["0"], page.total_count, _CURSOR).json)
    given, page.items, used = page.items, [], 0
    large: list[tuple[int, int]] = []
    for number, item in zip(page.numbers, given, strict=True):
        tokens = count(f"{item},\n") if len(item) <= 40 * max_tokens else max_tokens + 1
        if tokens > room and not page.items:
            last = number == page.numbers[-1] and page.first + len(given) > page.total_count
            alone = ItemPage([item], page.total_count, None if last else _CURSOR)
            if tokens <= 2 * room and count(alone.json) <= max_tokens:  # pieces add up only nearly
                used, page.items = room, [item]
                continue
            tokens = count(item)
            item = json.dumps({"itemTooLarge": {"number": number, "tokens": tokens}})
            large.append((number, tokens))
            page.items.append(item)
            break
        if used + tokens > room:
            break
        used += tokens
        page.items.append(item)

    def over() -> bool:
        return count(ItemPage(page.items, page.total_count, _CURSOR).json) > max_tokens

    while len(page.items) > 1 and over():  # tokens of pieces add up only nearly
        page.items.pop()
    page.numbers = page.numbers[: len(page.items)]
    return large
