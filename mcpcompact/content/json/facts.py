"""Facts about a JSON value as a whole: what it is, what its collections hold, which fields its objects have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from itertools import accumulate, chain, islice
from typing import Any

from mcpcompact.content.anomalies.words import words
from mcpcompact.content.columns.values import Odd, key_words, values_text
from mcpcompact.content.json.alike import bookkeeping
from mcpcompact.content.json.beside import ADDRESSES, coordinates, is_address, is_block
from mcpcompact.content.json.rows import holders_of
from mcpcompact.content.records.shapes import MET, begun
from mcpcompact.content.shared import reports
from mcpcompact.content.shared.flow import flow, key_text, members, says_little, scalar
from mcpcompact.content.shared.jsontext import MAX_DEPTH, Number, Parsed
from mcpcompact.content.shared.tests import CALLED, OWN_KEYS, of_document, reported
from mcpcompact.content.shared.tree import Group, Key, Leaves, Sizes, kind_of, kinds_of, path_text
from mcpcompact.content.shared.usual import is_given
from mcpcompact.outline import Fact, Keep
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted, is_number, places, some

_GROUPS = 60  # that are looked at for a fact
_PARTS, FLAGGED, OUTPUTS = 6, 24, 12  # that are named; findings with a flag, whose numbers are; what a plan tells
KEYS = 32  # of a map, that are told
_PLAN = "resource_changes[].change.actions"  # of Terraform and its kin

MIN_ELEMENTS = 8  # fewer are read quicker than told
FEW, ROW = 24, 450  # elements of a list that its rows tell; characters of one
FIRST = 4  # clauses that are said of a collection where room is short
SHORT, LENGTHS = 3, 10  # words of a list that is counted as a value; lengths of longer ones that are each counted
WHOLE, LOOKED = 900, 100  # characters of a record that is shown whole, where all are alike; records among which
MAX_TOLD = 4  # documents of several in one input that are told apart
MAX_ALIKE = 2  # objects that say the same
ABOUT, TOLD, MAX_KEYS = 400, 120, 500  # characters of what a document says of itself, of a value; keys of an object
MAX_BELOW, DEEP, AGAIN = 8, 2, 20  # objects right below one; levels below; characters of a text said only once
TOTALS = range(3, 13)  # keys of an object of numbers alone
_NUMBERS = (int, float, Number)
DUPLICATES = 5  # keys
MAIN = 0.5  # of an object's characters: what holds more is nearly all of it
PATHS = 3  # of values that tell of a failure
MIN_EACH, MAX_EACH = 4, 24  # of each number that only names, on average; such numbers
MAX_WORDS, WORDS = 6, 60  # lists of few words that are counted, characters of one
_TELLING = words(
    "status state message msg error errors name title version kind type count total totalcount size ok success code "
    "reason result summary description id url date time duration phase level next page pages cursor hasmore apiversion "
    "errored complete applyable valid passed actions number merged mergeable mergedat isdraft draft conclusion login "
    "head headsha headref headrefname headrefoid headbranch base baseref baserefname mergestatestatus reviewdecision "
    "changedfiles additions deletions commits comments failed skipped tests severity namespace image replicas body "
    "action ref latest ready restartcount readyreplicas availablereplicas updatedreplicas"
)


def notes(text: str, before: str, parsed: Parsed, cut: str, apart: bool) -> list[str]:
    """What a reader of the values must know: what could not be read (``cut``: where it ends too early), several
    documents (``apart``: that nothing else tells apart), keys that stand there twice."""
    texts = []
    if parsed.problem and not parsed.behind(text):
        at = len((before + text)[: len(before) + parsed.end].encode("utf-8", "surrogatepass"))
        rest = len((before + text).encode("utf-8", "surrogatepass")) - at
        unread = f"; {rest:,} bytes from offset {at} are not read" if text[parsed.end :].strip(", \t\r\n") else ""
        texts.append(f"Only the first {at:,} bytes parse ({parsed.problem}{cut}){unread}.")
    if len(parsed.documents) > 1 and apart:
        texts.append(f"The documents stand one after the other: {each_of(parsed.documents)}.")
    if parsed.duplicates:
        names = ", ".join(f"{k} ({n})" for k, n in islice(parsed.duplicates.items(), DUPLICATES))
        texts.append(f"Repeated keys in one object: {names}; the last value of each is shown.")
    if parsed.constants:
        texts.append(f"{parsed.constants:,} values are NaN or Infinity, which strict JSON does not allow.")
    if parsed.depth > MAX_DEPTH:
        texts.append(f"Nested {parsed.depth:,} levels deep; levels below {MAX_DEPTH} are folded.")
    return texts


def cut_in(parsed: Parsed) -> str:
    """What holds the place where a document ends too early; a list or object only begun there is not one of nothing,
    and is dropped."""
    held = begun(parsed)
    keys = [next(reversed(node)) if node.__class__ is dict else len(node) - 1 for node in held[:-1]]
    if keys and not held[-1]:
        del held[-2][keys[-1]]
    return f", in {path_text(tuple(keys))}" if keys else ""


def json_facts(
    root: Any, known: str, total: int, depth: int, groups: list[Group], leaves: Leaves, odds: list[Odd], asked: str = ""
) -> list[Fact]:
    """Identity (``known``: in few words), what is odd, telling scalars, collections by size, fields of each kind."""
    map_root = groups[0].is_map
    sizes = leaves.sizes
    kind = f"JSON map of {len(root):,} ids" if map_root else known
    size = f"{counted(total, 'value')}{_bookkeeping(groups, sizes, total)}, depth {depth:,}"
    facts = [Fact(f"{kind}, {size}{'' if map_root else holds(root)}.", 0)]
    facts += (tests := reported(of_document(root)))
    severe = [odd.template.split(" ")[0] for odd in odds if odd.keep == Keep.SEVERE]
    if (paths := list(dict.fromkeys(severe))) and not tests:  # not how many: a message beside may tell of one, too
        graded = all(path.lower().endswith("severity") for path in paths)  # grave, but no failure
        head = f"All {total:,} values scanned: {'grave' if graded else 'failures'} in "
        facts.append(Fact(f"{head}{some(paths, PATHS)}.", 2, f"{head}{'first ' * (len(paths) > 1)}{paths[0]}."))

    def bulk(group: Group) -> int:
        return sum([sizes.of(v)[0] for v in group.nodes if v.__class__ is dict]) if dict in group.types else 0

    def short(group: Group) -> bool:  # rows, of which many fit, say more than their sums; equal ones are one row
        if len(group.nodes) > FEW * MIN_ELEMENTS or any(sizes.of(node)[1] > ROW for node in group.nodes):
            return False
        return len(group.nodes) <= FEW or MIN_ELEMENTS <= len(set(map(flow, group.nodes))) <= FEW

    columns = sorted((g for g in groups if g.step in ("[]", "*")), key=bulk, reverse=True)
    held, wide = _wide(root, sizes)
    facts += [wide] if wide and not map_root else []
    containers = ((k, v) for k, v in held.items() if v and v.__class__ in (dict, list)) if map_root or wide else ()
    short_ones = [record for record in islice(containers, LOOKED) if sizes.of(record[1])[1] <= WHOLE]
    if record := max(short_ones, key=lambda record: len(_shapes(record[1])), default=None):
        whole, nested = f"one whole: {key_text(record[0])}: {flow(record[1])}", "{" in flow(record[1])[1:]
        facts.append(Fact(whole, 0 if map_root and nested else 1, shows=[leaves.of(record[1])]))  # tables show a part
    facts += [_planned(group, root) for group in groups if group.path == _PLAN and group.types == {list}]
    names = frozenset(_NAME.findall(asked))
    for n, group in enumerate(columns[:12]):
        text = "" if short(group) else _collection(group, names)
        if text:
            facts.append(Fact(text, 1 if n <= 1 and bulk(group) else 3, short="; ".join(text.split("; ")[:FIRST])))
    return facts


def _wide(root: Any, sizes: Sizes) -> tuple[dict[str, Any], Fact | None]:
    """The object that is nearly all of a document, and the names of what it holds where that are many different
    things."""
    node, path = root, ""
    while node.__class__ is dict and len(node) == 1 and (inner := next(iter(node.values()))).__class__ is dict:
        path, node = path_text((next(iter(node)),), path), inner
    if node.__class__ is not dict or sum(value.__class__ is dict for value in node.values()) < WIDE:
        return {}, None
    names, head = [*map(key_text, node)], f"{counted(len(node), 'key')}{f' of {path}' * bool(path)}: "
    ends = [*accumulate(len(name) + 2 for name in names)]
    long, short = (head + some(names, max(1, sum(end <= room for end in ends))) for room in (NAMES, ABOUT))
    return node, Fact(f"{long}.", 1, short=f"{short}.")


WIDE, NAMES = 2 * MIN_ELEMENTS, 900  # objects in one whose names are told; characters of these


def _shapes(record: Any) -> set[tuple[Key, ...]]:
    """The keys of each kind of object in a record: one that has most kinds shows what others may hold."""
    work = [record]
    for node in work:
        inside = node.values() if node.__class__ is dict else node
        work += [child for child in inside if child.__class__ in (dict, list)]
    return {tuple(node) for node in work if node.__class__ is dict}


def _bookkeeping(groups: list[Group], sizes: Sizes, total: int) -> str:
    """How much of the document nobody reads it for: `` (439 of them managedFields)``."""
    counts = Counter[str]()
    for group in groups:
        if bookkeeping(group.path) and not (group.parent and bookkeeping(group.parent.path)):
            counts[group.step] += sum(sizes.of(node)[0] for node in group.nodes)
    parts = [f"{count:,} in {name}" for name, count in counts.most_common(_PARTS) if count >= BOOKKEEPING * total]
    return f" ({', '.join(parts)})" if parts else ""


RUNS = ("containers", "containerStatuses")  # lists of what a thing of Kubernetes runs, which it is about, too
BOOKKEEPING = 0.2  # of the values, at least


def about(root: Any, leaves: Leaves, again: Container[int]) -> tuple[list[Fact], set[tuple[int, Key]]]:
    """What a document says of itself, a line an object: the telling scalars of the root, of what is nearly all of it
    and of the objects right below, totals, and as room allows the other scalars; and the places of what is told.
    ``again``: objects, by ``id``, that say what another one does."""
    fields: list[tuple[int, int, str, str]] = []  # how telling, which object, its key, the text
    objects = [each for each in _about(root, leaves.sizes) if id(each[1]) not in again]
    for n, (path, node, main) in enumerate(objects):
        total = _totals(node)
        for key, value in node.items() if not (bookkeeping(path) or is_block(path, node)) else ():
            typed = key[:1] == "@" and not main  # what a part is called
            typed |= key == "image" and f"{RUNS[1]}[" in path  # what it runs says so
            if _plain(key, value) and not typed and not (key == "url" and "html_url" in node):  # the one of the API
                telling = total or "".join(key_words(key)) in _TELLING
                if telling or main:
                    fields.append((0 if total or (telling and main) else 1 if telling else 2, n, key, scalar(value)))
    often = Counter(each[2:] for each in fields)
    fields = [each for each in fields if often[each[2:]] <= MAX_ALIKE]  # what many say tells of none
    room, chosen, seen = ABOUT, set[tuple[int, str]](), set[str]()
    for _, n, key, text in sorted(fields, key=lambda each: each[:2]):
        size = len(key) + len(text) + 4
        if size <= room and text not in seen:
            room -= size
            chosen.add((n, key))
            seen.update([text] * (len(text) > AGAIN))
    lines: dict[int, dict[str, str]] = {}
    for _, n, key, text in fields:
        if (n, key) in chosen:
            lines.setdefault(n, {})[key] = f"{key_text(key)}: {text}"
    shown: set[tuple[int, Key]] = {
        (id(objects[n][1]), key) for _, n, key, text in fields if (n, key) in chosen or text in seen
    }
    more = {n: ", …" * (len(held) < len(objects[n][1]) and objects[n][0] != "") for n, held in lines.items()}
    texts = [f"{objects[n][0]}: {', '.join(held.values())}{more[n]}".removeprefix(": ") for n, held in lines.items()]
    shows = [leaves.at(objects[n][1], [(key,) for key in held]) for n, held in lines.items()]
    rest = [Fact("\n".join(texts[1:]), 1, shows=shows[1:], rows=True)] if texts[1:] else []
    return [Fact(texts[0], 0, shows=shows[:1]), *rest] if texts else [], shown


def _planned(group: Group, root: dict[str, Any]) -> Fact:
    """What a plan does with how many things, also that it creates, updates or deletes none; and with its outputs."""
    counts = Counter("/".join(map(str, actions)) for actions in group.nodes)  # "delete/create": made anew
    none = {act: 0 for act in ("create", "update", "delete") if act not in "/".join(counts)}
    parts = [f"{n:,} {act}" for act, n in [*counts.most_common(_PARTS), *none.items()]]
    outputs = root.get("output_changes")
    every = outputs.items() if outputs.__class__ is dict else ()
    for name, held in ((name, held) for name, held in every if held.__class__ is dict):
        later = " (known after apply)" * (held.get("after_unknown") is True)
        parts.append(f"output {key_text(name)} {flow(held.get('actions'))}{later}")
    return Fact(f"{group.path}: {some(parts, OUTPUTS)}", 0)


def _flags(groups: Sequence[Group], findings: Mapping[int, Any]) -> Iterator[Fact]:
    """What holds for the lesser part of the findings, and for which: that they are new."""
    for group in groups:
        over = group.parent.nodes if group.types == {bool} and group.parent else []
        which = [path_text(group.address(i)[:-1]) for i, value in enumerate(group.nodes) if value and over]
        if 0 < 2 * len(which) < len(over) and findings.keys() >= {*map(id, over)}:
            text = places(which) if len(which) <= FLAGGED else some(which, _PARTS)
            yield Fact(f"{group.path}: true in {len(which):,} of {len(over):,} ({text})", 1)


def little_of(groups: list[Group]) -> list[Fact]:
    """The keys that come last: headers, and the addresses of objects with many."""
    names = [*dict.fromkeys(g.step for g in groups if g.step.lower().endswith("headers") and g.types & {dict, list})]
    addresses = Counter(group.parent.path for group in groups if group.parent and is_address(group.step))
    names += ["most addresses (*_url)"] * any(n >= ADDRESSES and path for path, n in addresses.items())
    return [Fact(f"shown last, as room allows: {', '.join(names)}", 2)] if names else []


def made_by(
    root: Any, leaves: Leaves, groups: Sequence[Group], findings: Mapping[int, Any]
) -> tuple[list[Fact], set[tuple[int, Key]]]:
    """Of a report what holds for few, its own sums, and the versions of what made it and of what it looked at; the
    places of these."""
    objects = _about(root, leaves.sizes)
    sums = ((path, members(node)) for path, node, _ in objects if _totals(node))
    facts = [Fact(f"{path}: {text}", 2) for path, text in sums if len(text) <= ABOUT]
    pairs = ((node, key) for _, node, _ in objects for key, value in node.items() if _plain(key, value))
    versions = [(node, key) for node, key in pairs if _VERSION.search(key)][:VERSIONS]
    text = ", ".join(f"{key_text(key)}: {scalar(node[key])}" for node, key in versions)
    shows = [leaf for node, key in versions for leaf in leaves.below(node, key)]
    facts = [*_flags(groups, findings), *facts[:VERSIONS], *[Fact(text, 2, shows=[shows])] * bool(versions)]
    return facts, {(id(node), key) for node, key in versions}


_NAME = regex(r"\w+")
_PLACE = regex(r"(?i)group|source|target|index|from|to|parent|cluster|node|row|col(?:umn)?|rank|position|order")
_VERSION, VERSIONS = regex(r"(?:^|_)version$|[a-z]Version$"), 4  # that are told, as are sums


def _about(root: Any, sizes: Sizes) -> list[tuple[str, dict[str, Any], bool]]:
    """The objects that are asked what the document is, by path, and whether one is all of it, or nearly so."""
    objects = []
    work: list[tuple[str, Any, int, bool]] = [("", root, 0, True)]
    for path, node, depth, main in work:
        full = node.__class__ is list and any(node) and not {dict, list}.isdisjoint(map(type, node))
        inside = node.items() if node.__class__ is dict else enumerate(node) if full else ()
        containers = ((key, value) for key, value in inside if value and value.__class__ in (dict, list))
        below = list(islice(containers, 2 if node.__class__ is list else None))
        runs = path.endswith(RUNS)
        if node.__class__ is list and len(below) > 1 and not runs:
            continue
        kinds = [frozenset(value) if value.__class__ is dict else () for _, value in below]
        rows = not runs and len(kinds) > MAX_ALIKE and kinds[1:] == kinds[:-1]  # a map of things that a table tells
        sums = {id(value) for _, value in below if value.__class__ is dict and _totals(value)}
        few = sums if len(sums) <= MAX_BELOW else set()
        few = {id(value) for _, value in below} if len(below) <= MAX_BELOW and not rows else few
        for key, value in ((key, value) for key, value in below if depth <= DEEP and id(value) in few):
            most = main and sizes.of(value)[1] > MAIN * sizes.of(node)[1]
            if most or value.__class__ is dict or key in RUNS:
                work.append((path_text((key,), path), value, depth + (not most), most))
        runs = path.rpartition("[")[0].endswith(RUNS)
        if node.__class__ is dict and len(node) <= MAX_KEYS and (depth <= 1 or runs or _totals(node)):
            objects.append((path, node, main))
    return objects


def _totals(node: dict[str, Any]) -> bool:
    """Whether an object sums up others: figures, some of which may be written as texts (``"7"`` beside 7.24)."""
    figures = sum(value.__class__ in _NUMBERS for value in node.values())
    return len(node) in TOTALS and 2 * figures > len(node) and all(map(is_number, node.values()))


def _plain(key: str, value: Any) -> bool:
    return value.__class__ not in (dict, list) and len(str(value)) <= TOLD and not says_little(key, value)


def _collection(group: Group, asked: Set[str]) -> str:
    """What the elements of one array or map are, and how its small fields divide them, the asked ones first."""
    n = len(group.nodes)
    if n < MIN_ELEMENTS or (dict in group.types and 2 * sum(map(is_given, filter(None, group.nodes))) > n):
        return ""
    kinds = kinds_of(group.nodes)
    what = ", ".join(f"{count:,} {kind}s" for kind, count in kinds.most_common(3))
    more = f" (recursive, {group.recursive:,} nested)" if group.recursive else ""
    head = f"{group.path or 'all'}: {what}{more}"
    if coordinates(group.path, group.nodes):  # ranges of points, or of steps from one to the next, say nothing
        widths, lists = {*map(len, group.nodes)} if group.types == {list} else (), group.children.get("[]")
        return f"{head} of {counted(max(widths), 'number')}" if len(widths) == 1 and not lists else head
    fields: list[tuple[int, int, str]] = []
    work = list(group.children.values())
    for child in work:
        if len(child.nodes) <= n and (text := _column_text(group, child)):
            telling = "".join(key_words(child.step)) in _TELLING
            place = -1 if str(child.step) in asked else 1 - telling if len(child.nodes) * 2 >= n else 2
            fields.append((3 if " all " in text else place, len(fields), text))
        if child is not group and child.path.count(".") <= group.path.count(".") + 2 and len(work) < _GROUPS:
            work.extend(c for c in child.children.values() if c.step not in ("[]", "*"))
    below = [text for *_, text in sorted(fields)[:7]]
    names = ", ".join(key_text(str(key)) for key in group.keys[:KEYS])
    if group.step == "*" and n <= KEYS and len(names) <= ABOUT and group.parent and len(group.parent.nodes) == 1:
        below.insert(0, names)  # a map is told by its keys
    if kinds["object"] == 0 and (text := values_text("", group.nodes)):
        below.append(text)
    return "; ".join([head, *below]) if below or group.recursive or len(kinds) > 1 else ""  # the number alone is known


def called(group: Group) -> bool:
    """Whether it is the title of a finding, the name of a test or of what has a state, or bookkeeping: that tells of no
    failure."""
    beside = group.parent.children if group.parent else {}
    known = OWN_KEYS if CALLED.search(group.step) else frozenset[str]()
    if not beside.keys().isdisjoint(known | _STATES if group.step == "name" else known):
        return True
    graded = group.step.lower() in ("title", "headline", "subject")
    return any(map(reports.is_severity, beside)) if graded else bookkeeping(group.path)


_STATES = frozenset(("conclusion", "outcome", "result", "status"))


def failing(group: Group) -> Iterator[Odd]:
    """What a condition of Kubernetes says that should be met and is not: a pod not scheduled, a node not ready."""
    for i, text in enumerate(group.nodes if group.step in ("reason", "message") else ()):
        node, *_ = next(holders_of(group, i))
        unmet = text and node.__class__ is dict and node.get("status") in ("False", "Unknown")
        if unmet and MET.search(str(node.get("type"))) and "Completed" not in str(node.get("reason")):
            yield Odd(i, Keep.SEVERE, "", f"{group.path} {text}")


def _lists_text(values: list[Any]) -> str:
    """``[create] 40, [delete] 1``: of lists of few words; of other lists and objects how many are empty."""
    lists = {*map(type, values)} == {list} and max(map(len, values)) <= SHORT
    if lists and {*map(type, chain.from_iterable(values))} <= {str}:
        if not any(values):
            return "all []"
        counts = Counter(flow(v) for v in values)
        if len(counts) <= MAX_WORDS and max(map(len, counts)) <= WORDS:
            return ", ".join(f"{text} {count:,}" for text, count in counts.most_common())
    sizes = [len(v) for v in values if v.__class__ is list or v.__class__ is dict]
    lists = {*map(type, values)} == {list} and max(sizes) > SHORT
    if lists and len(lengths := sorted(Counter(sizes).items())) <= LENGTHS:
        return f"list lengths {', '.join(f'{size} ×{n:,}' for size, n in lengths)}"
    long = f"lists of {min(sizes)} to {max(sizes)}" if lists else ""
    return ", ".join(filter(None, (long, f"empty in {sizes.count(0):,}" * (0 in sizes))))


def holds(root: Any) -> str:
    """The large members of the root: ``: statuses array(100), search_metadata object(9)``."""
    if root.__class__ is not dict:
        return ""
    parts = [f"{key} {kind_of(v)}({len(v):,})" for key, v in root.items() if v.__class__ in (dict, list) and v]
    return ": " + ", ".join(parts[:_PARTS]) + (", …" if len(parts) > _PARTS else "") if parts else ""


def _column_text(group: Group, child: Group) -> str:
    held = child.types & {dict, list}
    values = [v for v in child.nodes if v.__class__ not in held] if child.types != held else []
    if len(values) < max(3, len(child.nodes) // 2):
        values, text = child.nodes, _lists_text(child.nodes)
        if text.endswith(" ×1"):  # the only one of its length
            longest = max(range(len(values)), key=lambda i: len(values[i]))
            text += f" ({path_text(child.address(longest))})"
    else:
        text = values_text(child.step, values)
        if " median " in text and _PLACE.fullmatch(child.step):  # of numbers that only name how often each does
            counts = Counter(map(scalar, values)).most_common()
            few = len(counts) * MIN_EACH <= len(values) and len(counts) <= MAX_EACH
            text = some([f"{name} ×{n:,}" for name, n in counts], _PARTS) if few else ""
    name = child.path[len(group.path) :].lstrip(".")
    if text and len(values) < (every := [*map(type, group.nodes)].count(dict)):
        text += f" (in {len(values):,} of {every:,})"
    return f"{name} {text}" if text else ""


def what(value: Any) -> str:
    if value.__class__ is dict:
        form = next((f" ({name})" for name, keys in _FORMATS.items() if value.keys() >= {*keys.split()}), "")
        return f"object of {counted(len(value), 'key')}{form}"
    if value.__class__ is list:
        return f"array of {counted(len(value), 'element')}"
    return kind_of(value)


_FORMATS = {
    "TopoJSON": "type objects arcs", "GeoJSON": "type features", "OpenAPI": "openapi info paths",
    "Swagger": "swagger info paths", "CycloneDX": "bomFormat specVersion", "SPDX": "spdxVersion SPDXID",
    "SARIF": "version runs", "Terraform plan": "format_version resource_changes",
    "Terraform state": "terraform_version lineage",
}  # fmt: skip
"""The keys of their roots."""


def each_of(documents: list[Any]) -> str:
    """What the documents are: all alike, else the first few, by their paths."""
    texts = [f"{what(d)}{holds(d)}" for d in documents[:MAX_TOLD]]
    kinds = {*map(type, documents)}
    alike = len(kinds) == len({*texts}) == 1 and (not kinds <= {dict, list} or len({*map(len, documents)}) == 1)
    if alike:
        return f"each an {what(documents[0])}"
    return "; ".join(f"[{n}] {text}" for n, text in enumerate(texts)) + ("; …" if len(documents) > MAX_TOLD else "")
