"""What a document says beside the tables of its lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Set
from itertools import chain, islice, product, zip_longest
from typing import Any

from mcpcompact.content.anomalies.words import tells
from mcpcompact.content.columns.values import Odd
from mcpcompact.content.json.alike import bookkeeping
from mcpcompact.content.shared.flow import LITTLE, Line, flow, followed, is_data, scalar
from mcpcompact.content.shared.reports import Finding
from mcpcompact.content.shared.tree import Group, Key, path_text
from mcpcompact.content.shared.usual import HANDLE, is_given, is_usual
from mcpcompact.outline import Fact, Item
from mcpcompact.patterns import regex

_BODY = regex(r"(?i)(?:request_?)?(?:body|payload)|data|json|params")
ROWS = 60  # of a table that has room for all in most budgets


def whole_of(collections: list[Fact], tables: Iterable[Fact]) -> Iterator[Fact]:
    """Of lists of which the tables can show a few elements alone, how many there are and how all their fields stand."""
    long = tuple(f"{table.text.partition('|')[0]}: " for table in tables)
    for fact in collections:
        clauses = [clause for clause in fact.short.split("; ") if " (in " not in clause]
        if fact.text.startswith(long) and len(clauses) > 1:
            yield Fact("; ".join(clauses), 1)


def shared_names(groups: Iterable[Group]) -> set[str]:
    """What several elements of one list are called, behind the path of that."""
    names = set[str]()
    for group, key in product((group for group in groups if group.step == "[]" and dict in group.types), NAMES):
        named = [(i, node[key]) for i, node in enumerate(group.nodes) if node.__class__ is dict and key in node]
        held = [(i, (group.owners[i], f"{key} {scalar(v)}")) for i, v in named if v.__class__ in (str, int)]
        often = Counter(name for _, name in held)
        names |= {f"{path_text(group.address(i)[:-1])} {name[1]}" for i, name in held if often[name] > 1}
    return names


def is_shared(path: str, who: str, shared: Set[str]) -> bool:
    return bool(shared) and any(f"{path[:i]} {who}" in shared for i, sign in enumerate(path) if sign == "[")


def whose(line: Line, shared: Set[str]) -> str:
    """The element that a line is of; "" where others are called so (``shared``), or it is of an object inside that has
    the same key, for itself."""
    owner, name = line.owner, line.who.partition(" ")[0]
    own = owner[name] if owner.__class__ is dict and name in owner else ""
    return "" if (own and flow(own) not in line.who) or is_shared(line.path, line.who, shared) else line.who


def members_said(node: dict[str, Any], finding: Finding) -> list[tuple[Any, Key]]:
    """The members of what was found that its line says."""
    parts = {" ".join(str(part).split()) for part in (*finding, *finding.at.split(":"), *finding.level.split())} - {""}
    places, work = list[tuple[Any, Key]](), list[Any]([node])
    for holder in work:
        for key, value in holder.items() if holder.__class__ is dict else enumerate(holder):
            if value.__class__ in (dict, list):
                work.append(value)
            elif value.__class__ in (str, int) and (text := " ".join(str(value).split())) in parts:
                parts.remove(text)
                places.append((holder, key))
    return places


def once(group: Group, odds: list[Odd]) -> list[Odd]:
    """A failure that all of many have is said of all: the first one stands for them."""
    alike = len(odds) == len(group.nodes) > FEW_ALIKE and group.nodes[:1] * len(odds) == group.nodes
    return odds[:1] if alike else odds


FEW_ALIKE = 4


def is_told(places: Container[tuple[int, Key]], owner: Any, key: Key) -> bool:
    """Whether a fact tells a member, or all members of an object."""
    held = owner[key] if owner is not None and owner[key].__class__ is dict else {}
    return (id(owner), key) in places or (bool(held) and all((id(held), name) in places for name in held))


def telling(group: Group, index: int, odd: Odd) -> str:
    """Why a row is kept: its keys stand far above it, so the field is named, and a short value."""
    value = group.nodes[index]
    if value.__class__ in (dict, list) or len(text := scalar(value)) > _LONG_VALUE:
        return odd.reason
    pair = f"{group.step}={text}"
    return f"{pair}, {odd.reason}" if odd.reason and group.step not in odd.reason else odd.reason or pair


_LONG_VALUE = 24  # characters of a value that a reason repeats


def rank_rows(lists: Iterable[list[tuple[Item, list[str]]]]) -> None:
    """Each row of a list weighs less than the one before it, what stands for most places first, then the first of each
    kind: the only route by another town."""
    for listed in lists:
        columns = [*zip_longest(*(item.text.split("|")[1:] for item, _ in listed), fillvalue="")]
        held = [column for column in columns if column[0][:1] == "["]
        columns += [tuple(str(cell.count(", ")) for cell in column) for column in held]  # how many each has
        kinds = [column for column in columns if len({*column}) * KINDS <= len(column)]
        first = {n for column in kinds for n in {v: n for n, v in reversed([*enumerate(column)])}.values()}
        rows = sorted(enumerate(listed), key=lambda each: (-len(each[1][1]), each[0] not in first))
        for n, (_, (item, labels)) in enumerate(rows, 1):
            item.weight *= STEP**n * max(SOLE, len(labels) / len(rows[0][1][1]))


KINDS = 3  # rows of each value of a column, in the mean, that divides them
STEP, SOLE = 0.9, 0.5  # weight of each row beside the one before it, of one place beside one of many, at least
ADDRESSES = 8  # of one object; of fewer some are shown


def asked_for(owner: dict[Key, Any], key: Key) -> bool:
    """Whether it is what a recorded request sends, or the ports, limits, arguments and volumes of a thing that runs."""
    if not owner[key] or key in _SOURCES:
        return bool(owner[key])
    request = "method" in owner and not {"path", "url", "uri"}.isdisjoint(owner)
    if request and _BODY.fullmatch(str(key)) is not None:
        return True
    if key in ("ports", "args"):
        return owner[key].__class__ is list
    bounds = owner if key == "limits" else owner[key] if key == "resources" else ()
    return bounds.__class__ is dict and "requests" in bounds


def weight_of(line: Line, weight: float) -> float:
    """The weight of a line by what it tells wherever it stands; ``weight``: of one of which that is not known."""
    owner, keys = line.owner, line.keys
    one = owner[keys[0]] if owner is not None and len(keys) == 1 else None
    one = one[0] if one.__class__ is list and len(one) == 1 else one
    if one.__class__ is dict and (owner.__class__ is list or one is not owner[keys[0]]):  # a short one on its line
        owner, keys = one, [*one]
    named = owner.__class__ is dict
    if line.weight > LITTLE and (_OWNER.search(line.path) or (named and any(asked_for(owner, key) for key in keys))):
        return CAUSE if _BOUND.search(line.path) else TELLING
    addresses = named and keys and all(map(is_address, keys)) and [*islice(filter(is_address, owner), ADDRESSES)]
    if bookkeeping(line.path) or is_given(owner) or (addresses and len(addresses) == ADDRESSES):
        return ASIDE if _SENT.search(line.path) else LAST  # what was sent makes a request another one than the last
    behind = ((owner[k], str(k)) for k in keys) if line.weight == LITTLE and named else ()
    aside = any(followed(value) or is_data(value) or HANDLE.fullmatch(key) for value, key in behind)
    if aside or (named and is_block(line.path, owner)):
        return LAST
    if named and any(_stopped(key, owner[key]) for key in keys):
        return CAUSE
    if line.path in _USES or (not line.path and not _USES.isdisjoint(keys)):
        return USED
    held = line.owner or {}
    failed = any(held[key] and _ERRORS.search(f"{line.path}.{key}") for key in line.keys if held)
    if failed or (named and not _CAUSES.isdisjoint(keys) and _failed(owner)):
        return CAUSE
    if owner and keys and all(_idle(key, owner[key]) for key in keys):
        return ASIDE
    if named and keys and _TYPES.issuperset(keys) and ".properties" in line.path:
        return ASIDE
    stuck = line.path.endswith(_STUCK) or (named and keys and _LABELS.issuperset(keys))
    return min(weight, LABELS) if stuck else weight


def coordinates(path: str, values: Iterable[Any]) -> bool:
    """Whether these are points of a map or a shape, or numbers of its lines: read by a program, not one by one."""
    held = [*values] if _COORDINATES.search(path) else [""]
    while {*map(type, held)} == {list}:
        held = [*chain.from_iterable(held)]
    return all(isinstance(value, (int, float)) for value in held)


def is_block(path: str, node: Mapping[Any, Any]) -> bool:
    """Whether it tells whose a thing is, which an API repeats with everything."""
    return "login" in node and _BLOCK.search(path) is not None


def is_address(key: Key) -> bool:
    return key.__class__ is str and key.endswith("_url")


def aside_of(path: str, value: str) -> float:
    """The weight of a long text that nobody reads a document for; 0 of any other."""
    if bookkeeping(path):
        return LAST
    return CHAINED if " && " in value and "\n" not in value else 0.0


def identity(group: Group, index: int) -> tuple[str, str] | None:
    """Name of the nearest element that has one: an alarm without its pod's name is worth little. The document's own
    names no element."""
    at: tuple[Group, int] | None = (group, index)
    inside = False
    while at is not None:
        node, element = at[0].nodes[at[1]], at[0].step in ("[]", "*")
        inside = inside or element
        if node.__class__ is dict and (element or (at[0].parent is None and not inside)):
            sole = element and len(at[0].nodes) == 1  # its heading says it
            for prefix, where in (("", node), ("metadata.", None if sole else node.get("metadata"))):
                if isinstance(where, dict):
                    for key in NAMES:
                        value = where.get(key)
                        if value.__class__ in (str, int) and 0 < len(str(value)) <= _LONG_NAME:
                            return prefix + key, scalar(value)
        at = at[0].holder(at[1])
    return None


NAMES = ("name", "id", "key", "title", "path", "file", "filename", "host", "uid", "uuid", "slug", "number", "address")
_LONG_NAME = 120  # characters that still identify


def _failed(owner: dict[str, Any]) -> bool:
    """Whether a short value beside a message says that it failed."""
    return any(v.__class__ is str and len(v) <= STATE and tells(v) for k, v in owner.items() if k not in _CAUSES)


def _stopped(key: Key, value: Any) -> bool:
    """Whether it is the state of a container that waits or has failed."""
    if key not in ("state", "lastState") or value.__class__ is not dict:
        return False
    ended = value.get("terminated")
    return bool(value.get("waiting") or (ended.__class__ is dict and ended.get("reason") != "Completed"))


def _idle(key: Key, value: Any) -> bool:
    """Nothing, or what stands there wherever nobody chose another value."""
    if value in (None, "", [], {}):
        return True
    if value.__class__ is dict:
        return all(_idle(k, v) for k, v in value.items())
    return value.__class__ is not list and is_usual(str(key), value)


_COORDINATES = regex(r"\b(?:coordinates|arcs|rings|vertices|segmentation)(?:\[[\d:]*\])+$")
ASIDE, LAST = 0.02, 0.0002  # weight of nothing and of what a table shows; of headers and addresses: behind all else
CAUSE = 3.5  # weight of why something failed: before other lines
TELLING = 2.5  # weight of who owns a thing, where it may run, of its ports and limits and of what a request sends
CHAINED = 0.05  # weight of a chain of commands: paths that nobody asked for
USED = 3.0  # weight of what a package uses: before how it is built
_SOURCES = frozenset(("hostPath", "persistentVolumeClaim", "nfs", "csi"))  # of a volume, which may be missing
_USES = frozenset(("dependencies", "peerDependencies", "require"))
_ERRORS = regex(r"\.(?:errors|violations|validationErrors)\b", holds=("rrors", "violations"))  # of an answer
_CAUSES = frozenset(("message", "reason", "error", "detail", "details", "description"))
STATE = 24  # characters of a state
LABELS = 0.5  # weight of what was stuck onto a thing
_SENT = regex(r"\breq(?:uest)?_?[hH]eaders\b")
_OWNER = regex(r"\.ownerReferences\[\d{1,3}\]$|\.nodeSelector$|\.nodeAffinity\.required")
_BOUND = regex(r"\.nodeSelector$|\.nodeAffinity\.required.*\.matchExpressions")  # which nodes a pod may run on
_BLOCK = regex(r"\.(?:owner|organization)$|\.response\.user$")
_LABELS, _TYPES = frozenset(("labels", "annotations", "matchLabels")), frozenset(("type",))  # the last of a schema
_STUCK = (".labels", ".annotations", ".matchLabels")
