"""The contract: what a content type returns (``Outline``) for what it reads (``Source``).

A content type turns a source into an outline: facts about the *whole* input, computed in one
complete pass, and items, each with its position and its own rendering. ``fill`` packs an
outline into a token budget. Neither knows the other's insides; this module is all they share.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar, dataclass_transform

from mcpcompact.shell import Selector
from mcpcompact.source import Sample, Source

MAX_ITEMS = 10_000
"""The most items an outline should carry, five times as many lines as the largest budgets hold; beyond it a content
type keeps a bounded, even choice."""


_Class = TypeVar("_Class")


@dataclass_transform(field_specifiers=(field,))
def record(cls: type[_Class]) -> type[_Class]:
    """A dataclass inside the house: neither compared nor printed, whose methods are half of the time that one takes to
    make at every start."""
    cls.__doc__ = cls.__doc__ or cls.__name__  # or its signature is inspected, to stand there
    return dataclass(slots=True, eq=False, repr=False)(cls)


ROUTINE, FAINT = 0.5, 0.005
"""An item that weighs less (an echoed setting, a download) answers nothing by a name; a fainter one is a repeat that
only stands behind all others, and answers as they do."""

SIGNATURES = "signatures"
"""Parts that may be shown in part: without all of their parameters."""
SECTIONS = "sections"
NOUNS = (SECTIONS, "heads of rules", "heads of blocks")
"""Parts of a script, which comments name; those that are no definitions, with those of style sheets and Terraform."""
NOT_IN_ROWS = "not shown in rows: "
"""The fact that names the fields which rows leave out begins so."""

ROW = "row by its place"
"""Entries of a series so called begin with their places: ``[0], [3]|`` and cells."""
RULE = "rule "
"""The template of what one rule of a tool found begins so: its messages need not be alike."""


class Keep(enum.IntEnum):
    """Why an item is kept, weakest first; higher ranks are shown first when room is short.

    ``NONE``; ``OUTLIER``: a number far outside the bulk of its field; ``RARE``: a rare value, path, template or
    category, odd schema; ``SEVERE``: an error, a failure, a crash, a conflict.
    """

    NONE = 0
    OUTLIER = 1
    RARE = 2
    SEVERE = 3


class Series(NamedTuple):
    """A list or table that items are entries of: what these are called, its first unit, how many it has."""

    noun: str
    first: int
    total: int


class Reach(NamedTuple):
    """The last unit of the list or the body that a unit is of; ``fields``: of a type, each of which is missed."""

    last: int
    fields: bool = False


@dataclass(slots=True)
class Item:
    """One record, line, log entry, sequence or hunk.

    ``start`` and ``end`` are 1-based inclusive unit numbers (see ``Outline.unit``), ``end`` one less of a
    ``mere`` text of a unit, which does not show it.
    ``text`` is the complete rendering, one or more lines, without a final newline, and already carries its
    exact anchor (``417 …``) where ``Outline.anchored`` says so. ``keep`` says why it must be shown, if it must;
    ``reason`` is short and is shown behind a kept item (``latency 90000, median 12``). Items of one ``template`` may be
    folded into the first one and a count when kept items are crowded. ``weight`` multiplies the item's gain (1.0
    ordinary; 2–4 a heading or a definition; below 1 boilerplate). ``section`` is a heading, printed once above the
    first shown item of that section (a file in a diff). ``at`` is where in ``text`` the thing stands for which a kept
    line is kept: a long one is then shown around it; -1 where all of it matters. ``flow`` says that the text is read
    from its beginning on: whole, or its first ``sentences`` or ``lines``. ``part`` is how many of which of
    ``Outline.parts`` it shows; ``head``: of which it shows one where all up to that unit stand. ``under`` is the unit
    of the line without which this one misleads (its signature, its condition): shown with it. ``lead`` is how much of
    the beginning of one long line stands with any part of it: time, source and level. ``whole``: all lines of it or
    none. ``also`` are units that it shows further on (what replaces a line); one line with such shows none between.
    ``series``: what it is one of, so that a part of a list does not read as all of it.
    """

    start: int
    end: int
    text: str
    keep: Keep = Keep.NONE
    reason: str = ""
    template: str = ""
    weight: float = 1.0
    section: str = ""
    at: int = -1
    part: tuple[str, int] = ("", 0)
    head: tuple[str, int] = ("", 0)
    flow: str = ""
    under: int = 0
    lead: int = 0
    whole: bool = False
    also: Sequence[int] = ()
    series: Series | None = None

    @property
    def mere(self) -> bool:
        """Whether it is a text of a unit that does not show it."""
        return self.end < self.start


@dataclass(slots=True)
class Fact:
    """A statement about the whole input. ``rank`` 0 is always shown, 1 is important, 2 and up as room allows. ``short``
    is said instead where the text does not fit, ``least`` where neither does; of one with several lines whole lines are
    left out, from the end or from that of ``order``, the numbers of all its lines.
    ``shows``: of each line the units that stand in it, of a fact that shows some. ``rows``: most of the input, as a
    table, which has its share also where nearly everything fits. ``points``: first and last of the lines that it sends
    the reader to, which the printed command then asks for."""

    text: str
    rank: int = 1
    short: str = ""
    shows: Sequence[Iterable[int]] = ()
    rows: bool = False
    least: str = ""
    points: tuple[int, int] = (0, 0)
    order: Sequence[int] = ()


class Lossless(NamedTuple):
    """A shorter rendering that loses nothing: ``how`` names it, ``text`` makes it (called at most once)."""

    how: str
    text: Callable[[], str]
    estimate: int = 0  # a lower bound of its length in characters, 0 unknown: spares building one that cannot fit


@dataclass(slots=True, repr=False)
class Outline:
    """What a content type says about one tool result.

    ``headline`` counts the whole in a few words ("1,204 records", "2,000 lines, 31 errors");
    it goes into the notice. ``unit`` is singular ("record", "line", "sequence"), ``total`` how
    many units the whole input has. ``header`` stands once above the items (column names).
    ``more`` are selectors of ``results get`` that make sense here, without the id and unquoted: ``("--where",
    "status=failed")``, ``("--records", "40:60")``, ``("--lines", "A:B")`` for lines that the notice chooses.
    ``facts_share`` is the most of the body's tokens that facts of rank 1 and up may take, ``frame_share`` what
    headings, definitions and controls (of a weight of 3 and more) take before all other items.
    ``parts``: what the units hold, and how many of it: an item that names a unit shows not all of it.
    ``anchored``: every item's text shows its own position, so that a gap is visible by its numbers. ``nested``: none is
    shown without the lines that it stands under. ``blank``: the numbers of blank lines, of a text whose lines need a
    number only behind a gap. ``shift``: how much more the numbers that items show are than those of their units.
    ``closing``: of the lines of source the text of those that only close something, "" of others: where such are left
    out, that is marked; ``reach``: of a list or a body. ``rendered``: a line of an item is no line of the source; what
    is asked for is looked for in the items. ``names``: of units that define one, told where not all of them are shown;
    ``outlined``: the tool itself left bodies out, so that signatures and names have more of the room.
    ``breaks``: lines that part a section: what stands behind one does not go on from above.
    ``in_order`` names items (commits) of which an unbroken run is shown, from the first on. ``keeps_told``: the facts
    already name what is kept. ``lossless`` are shorter renderings of all of it; ``notes`` are
    always said; ``content_type`` and ``extension`` name the stored file.
    """

    content_type: str
    unit: str
    total: int
    headline: str
    facts: list[Fact] = field(default_factory=list)
    items: Sequence[Item] = ()
    header: str = ""
    lossless: list[Lossless] = field(default_factory=list)
    more: Sequence[Selector | str] = field(default_factory=list)
    facts_share: float = 0.35
    frame_share: float = 0.2
    anchored: bool = True
    blank: frozenset[int] | None = None
    shift: int = 0
    closing: Mapping[int, str] = field(default_factory=dict)  # of units, by their numbers
    reach: Mapping[int, Reach] = field(default_factory=dict)  # of units of a list or a body
    nested: bool = False  # no item is shown without the lines that it stands under (``Item.under``)
    outlined: bool = False  # the tool itself left bodies out: signatures and names are what there is
    rendered: bool = False  # a line of the items is no line of the source, or says less without what is above it
    breaks: Sequence[int] = ()  # units that part a section: what stands behind one does not go on from above
    in_order: str = ""  # "commit": items with a ``part`` are an unbroken run of the heaviest; what is left out is said
    keeps_told: bool = False  # the facts already name what is kept, so that kept items need no room of their own
    extension: str = ""  # of the stored original, where it differs from the content type's (".ndjson")
    parts: dict[str, int] = field(default_factory=dict)  # "features": 33
    names: dict[int, str] = field(default_factory=dict)  # 85: "runEnable"
    notes: list[str] = field(default_factory=list)  # "3 lines of 1,204 do not parse": always said


@record
class Hints:
    """What is known about the call. All optional; never required for a good outline."""

    tool: str | None = None
    server: str | None = None
    arguments: Mapping[str, Any] | None = None
    focus: str | None = None
    is_error: bool = False
    exit_code: int | None = None  # of the command whose output this is; None: of a message, it stands there
    file: str = ""  # the name, without directories, of the file that was read: it tells a language where no call does

    def words(self) -> str:
        """The words of the call and the request."""
        return "\n".join([*map(str, (self.arguments or {}).values()), self.focus or ""]).strip()


class Verdict(NamedTuple):
    """A content type's claim on an input: 0 not mine … 1 certainly mine, and why in a few words."""

    score: float
    why: str = ""


class ContentType(Protocol):
    """What each file of ``content/`` provides (as a module-level object named ``TYPE``)."""

    name: str
    extension: str  # of the stored original, with the dot: ".json"

    def sniff(self, sample: Sample) -> Verdict:
        """Total, cheap, bounded: never raises, reads nothing beyond the sample."""

    def outline(self, source: Source, hints: Hints) -> Outline:
        """Facts over the whole input and its items. Raises ``InputError`` when the source is not of this type."""

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Character spans of the units, in order, partitioning the text without a gap (chunking shares them).

        A type may also have ``ends(text)``, a function that finds single ends of them faster (as that of logs does).
        """
