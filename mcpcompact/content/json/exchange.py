"""Recorded HTTP exchanges: what each was answered with, in a cell: the ids of what was made, where it was sent on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from mcpcompact.content.columns.cutting import shorten
from mcpcompact.content.records.rows import brief, cut
from mcpcompact.content.shared.flow import flow, scalar
from mcpcompact.content.shared.tree import Leaves
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

ANSWER, PARTS, LONG = 110, 4, 60  # characters of a cell; values that identify; characters of one
SEVERAL, LONG_BASE, LONGEST = 3, 24, 200  # addresses that begin alike; characters that they share, at least and at most
_SLASH, _PARTED = regex(r"(?=[/?])"), regex(r"[/?=&,\s]+")
SENT_ALL, SENT_LEAST = 270, 24  # characters of what was sent, in all rows; of one at least
HASH = 12  # characters of a commit's or a file's
_IDENTIFY: tuple[tuple[str, ...], ...] = (
    ("total_count",), ("number",), ("title",), ("id",), ("full_name",), ("name",), ("tag_name",), ("ref",), ("login",),
    ("state",), ("status",), ("conclusion",), ("sha",), ("object", "sha"), ("content", "sha"), ("commit", "sha"),
    ("error",), ("message",),
)  # fmt: skip
_HASHES = [steps for steps in _IDENTIFY if steps[-1] == "sha"]
ANSWERED = "|response"
SENT = f"|body{ANSWERED}"
_HEADERS = ("headers", "rawHeaders", "response_headers", "responseHeaders")


def answers(nodes: Sequence[Any]) -> tuple[str, list[str]]:
    """The heading, and a cell for each exchange, behind that of what was sent; none where they have no answer."""
    if not any("response" in node for node in nodes):
        return "", []
    hashes = {v for node in nodes for steps in _HASHES if isinstance(v := _at(node.get("response"), steps), str)}
    most = HASH if len({value[:HASH] for value in hashes}) == len(hashes) else 0  # else they would look alike
    asked = {part for node in nodes for part in _PARTED.split(str(node.get("path", node.get("url"))))}
    cells = [cut(_answer(node, most, asked), ANSWER, {}) for node in nodes]
    room = min(LONG, max(SENT_LEAST, SENT_ALL // len(nodes)))
    sent = [cut(_sent(node.get("body")), room, {}) for node in nodes] if any(cells) else []
    if not any(sent):
        return ANSWERED * any(cells), cells
    return SENT, [f"{body}|{answer}" for body, answer in zip(sent, cells, strict=True)]


def base(addresses: Sequence[str]) -> str:
    """The directories that several addresses begin with, of those that save most; "" where that is little."""
    heads = (f"{a[:LONGEST]}/" for a in addresses if "/" in a and " " not in a)
    counts = Counter(a[: at.start()] for a in heads for at in _SLASH.finditer(a) if LONG_BASE <= at.start() < LONGEST)
    often = (base for base, count in counts.items() if count >= SEVERAL)
    return max(often, key=lambda base: len(base) * (counts[base] - 1), default="")


def behind(bases: Mapping[str, str], texts: Mapping[str, str]) -> dict[str, str]:
    """Of the texts that begin with their base what stands behind it."""
    held = ((key, base, texts.get(key, "")) for key, base in bases.items())
    return {key: f"…{text[len(base) :]}" for key, base, text in held if text.startswith(base)}


def kinds_first(requests: Iterable[Sequence[str]]) -> list[int]:
    """Their numbers, what failed first, then each kind (method and address but for numbers) before a second of it."""
    seen, ranks = Counter[str](), list[int]()
    for request in requests:
        kind = _NUMBER.sub("", " ".join(request))
        ranks.append(seen[kind] if "".join(request[-1:])[:1] not in ("4", "5") else -1)
        seen[kind] += 1
    return sorted(range(len(ranks)), key=ranks.__getitem__)


_NUMBER = regex(r"[0-9a-f]{7,}|\d+")


def identities(node: Any, asked: Container[str]) -> list[tuple[str, ...]]:
    """The steps of the values by which an answer is told; an id beside a number if requests have ``asked`` by it."""
    paths = [steps for steps in _IDENTIFY if _at(node, steps) not in (None, "")] if node.__class__ is dict else []
    worse = [("name",)] * (("full_name",) in paths)
    worse += [("id",)] * (("number",) in paths and str(node.get("id")) not in asked)
    return [steps for steps in paths if steps not in worse][:PARTS]


def shown(node: dict[str, Any], cells: str, leaves: Leaves) -> set[int]:
    """The leaves that the ``cells`` of an exchange show; of some a part."""
    response, sent = node.get("response"), cells.partition("|")[0]
    places = [(response, steps) for steps in identities(response, _PARTED.split(cells))]
    for each in response[:PARTS] if response.__class__ is list else ():
        places += [(each, steps) for steps in _NAMES if _at(each, steps) is not None][:1]
    numbers = leaves.at(node, [("response",)]) if response in (None, "") else set()
    for holder, steps in places:
        numbers |= (held := leaves.at(holder, [steps]))
        leaves.cut |= held if scalar(_at(holder, steps)) not in cells else set()
    whole = "body" in node and "|" in cells and "…" not in sent and sent[:1] != "["
    return numbers.union(leaves.below(node, "body")) if whole else numbers


def _answer(node: dict[str, Any], most: int, asked: Container[str]) -> str:
    response = node.get("response")
    if (sent_on := next(_locations(node), "")) and str(node.get("status"))[:1] == "3":
        return f"headers.location={sent_on}"
    if response.__class__ is dict:
        paths = identities(response, asked)
        parts = [f"{'.'.join(steps)}{_short(_at(response, steps), steps, most)}" for steps in paths]
        lists = [(key, held) for key, held in response.items() if held.__class__ is list and any(map(_name, held[:1]))]
        parts += [f"{key}={_listed(held)}" for key, held in lists if len(parts) <= len(lists) == 1]
        return ", ".join(parts) or brief(response)
    if response.__class__ is list:
        return _listed(response)
    return shorten(scalar(response), LONG) if response not in (None, "") else ""


def _listed(held: list[Any]) -> str:
    named = [name for each in held[:PARTS] if (name := _name(each))]
    more = ", …" * (len(named) < len(held))
    return f"[{counted(len(held), 'item')}: {', '.join(named)}{more}]" if named else brief(held)


def _sent(body: Any) -> str:
    if body.__class__ not in (dict, list):
        return "" if body in (None, "") else scalar(body)
    members = body.values() if body.__class__ is dict else body
    inner = chain.from_iterable(held if held.__class__ is list else [held] for held in members)
    return brief(body) if any(isinstance(each, dict | list) for each in inner) else flow(body)


def _name(node: Any) -> str:
    """What people call an element, else its number."""
    return next((shorten(str(value), _NAME) for steps in _NAMES if (value := _at(node, steps)) is not None), "")


_NAMES = (("title",), ("full_name",), ("name",), ("filename",), ("login",), ("ref",), ("number",), ("id",))
_NAME = 24


def _short(value: Any, steps: tuple[str, ...], most: int) -> str:
    if most and steps[-1] == "sha":
        return f"[:{most}]={value[:most]}"
    reason = steps == _IDENTIFY[-1] and "\n" not in str(value)  # why it failed
    return f"={shorten(scalar(value), ANSWER if reason else LONG)}"


def _at(node: Any, steps: tuple[str, ...]) -> Any:
    for step in steps:
        node = node.get(step) if node.__class__ is dict else None
    return node if node.__class__ in (str, int) else None


def _locations(node: dict[str, Any]) -> Iterator[str]:
    """The header that says where a request was sent on."""
    for key in _HEADERS:
        held = node.get(key)
        pairs = held.items() if held.__class__ is dict else zip(held[::2], held[1::2], strict=False) if held else ()
        yield from (str(value) for name, value in pairs if str(name).lower() == "location")


SOLE_OF, SOLE_KINDS = 8, 3  # rows, at least, and values of a column, at most, of which one that stands once is telling


def sole_first(texts: Mapping[str, Sequence[str]], order: Sequence[int]) -> list[int]:
    """The rows by their place in the order, first those that alone have one of a few values: the only insertion."""
    few = [held for held in texts.values() if len(held) >= SOLE_OF and len({*held}) <= SOLE_KINDS]
    sole = {held.index(value) for held in few for value in {*held} if held.count(value) == 1}
    return sorted(range(len(order)), key=lambda n: order[n] not in sole) if sole else []
