"""What the fill engine has chosen so far, and how texts are cut to a number of tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from mcpcompact.engine.pieces import Piece
from mcpcompact.outline import Item

Count = Callable[[str], int]

MARK_TOKENS = 8  # a "…[+312 chars]" mark, at most


@dataclass(slots=True)
class Answer:
    """What a request names, as it stands in the input: ``text`` without its place, and the units it takes.

    ``anchor`` says where it stands ("#124 "), ``header`` is the line of column names, ``command`` fetches it whole.
    ``at`` is where in ``text`` the name stands: shown where ``text`` is longer than the room. ``first`` to ``last`` are
    unit numbers, 0 where it has none. ``items``: the places of the items that show it, of a text that is read in order.
    """

    text: str
    anchor: str = ""
    header: str = ""
    command: str = ""
    at: int = 0
    first: int = 0
    last: int = 0
    items: Sequence[int] = ()


@dataclass(slots=True)
class Answers:
    """The answers to one name: ``items``, at most five of ``total``; ``rest`` says the total and how to list them."""

    items: list[Answer]
    total: int
    rest: str = ""

    @property
    def in_order(self) -> bool:
        """Whether they stand among the items rather than above them."""
        return any(answer.items for answer in self.items)


@dataclass(slots=True)
class State:
    """What is chosen so far, and the room that is left."""

    room: float
    budget: int = 0  # the room of the whole body
    chosen: dict[int, list[tuple[int, int]]] = field(default_factory=dict)  # item -> spans
    suffix: dict[int, str] = field(default_factory=dict)  # kept item -> reason and fold count
    sections: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    answers: list[str] = field(default_factory=list)  # lines that show what was asked for, above all items
    answered: dict[int, int] = field(default_factory=dict)  # first to last unit of what they show
    taken: set[int] = field(default_factory=set)  # items that they show
    facts: dict[int, str] = field(default_factory=dict)  # by place: the text, perhaps clipped
    numbered: set[int] = field(default_factory=set)  # items whose number stands there whatever stands above them
    header: bool = False
    told: bool = False  # the facts say why items are kept
    reserve: int = 0  # tokens that facts leave to kept items
    order: list[Piece] = field(default_factory=list)  # coverage choices, first to last


def pressure_of(items: Sequence[Item], room: float) -> float:
    """How many times the room all items would take."""
    return sum(len(item.text) for item in items) / 3.5 / max(1.0, room)


def clip(text: str, budget: int, count: Count, total: int = 0) -> str:
    """The longest head of ``text`` within ``budget`` tokens, cut at a separator, saying how much is cut.

    ``text`` may itself be the head of ``total`` characters.
    """
    if len(text) >= total and count(text) <= budget:
        return text
    total = max(total, len(text))
    low, high = 0, min(len(text), budget * 16)
    while low < high:
        middle = (low + high + 1) // 2
        if count(f"{text[:middle]}…[+{total - middle} chars]") <= budget:
            low = middle
        else:
            high = middle - 1
    nicer = max(text.rfind(" · ", low // 2, low), text.rfind("; ", low // 2, low))  # a nicer place: a whole part
    if nicer < 0:
        nicer = text.rfind(" ", max(0, low - 40), low)
    head = text[: nicer if nicer > 0 else low].rstrip(" ·,;|\n")
    if not head:
        return ""
    clipped = f"{head}…[+{total - len(head)} chars]"
    return clipped if count(clipped) <= budget else ""


def clip_lines(text: str, budget: int, count: Count) -> str:
    """The first line and as many whole lines behind it as fit, with how many are left out."""
    lines = text.split("\n")
    low, high = 0, len(lines) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if count("\n".join([*lines[:middle], f"… {len(lines) - middle:,} more"])) <= budget:
            low = middle
        else:
            high = middle - 1
    return "\n".join([*lines[:low], f"… {len(lines) - low:,} more"]) if low > 1 else ""


def fitting(text: str, room: int, count: Count) -> int:
    """How many characters of ``text`` fit ``room``, ending at a line end where one is near."""
    end = min(len(text), room * 6)
    while end > 0 and count(text[:end]) > room:
        end = int(end * 0.8)
    line = text.rfind("\n", 0, end)
    return line if line > end // 2 else end
