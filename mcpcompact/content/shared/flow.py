"""JSON values as short lines with their path: ``spec.containers[0]: name: web, image: "nginx:1.25"``."""

from __future__ import annotations

import functools
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from itertools import islice
from typing import Any

from mcpcompact.content.anomalies.words import tells
from mcpcompact.content.shared import jsontext
from mcpcompact.content.shared.jsontext import Number
from mcpcompact.content.shared.tree import Key, Sizes, join_key
from mcpcompact.content.shared.usual import RULE, is_given, is_rule, is_usual
from mcpcompact.encoded import Encoded
from mcpcompact.outline import Item, Keep, record
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

_INLINE, _INLINE_ROW = 90, 60  # characters of a container on a line of its own, in a row

LINE = 190  # characters of a line of leaves: the fill engine takes lines up to 200 characters whole
LONG_TEXT = 1_500  # strings from here on are texts of their own; shorter ones too that have lines and do not fit one
TITLE = 120  # characters of a value that may stand in the heading of an element

_HEADING = (
    ("number", "id", "iid", "key", "uid", "uuid", "sha", "oid", "metadata.name", "ID", "Id"),
    ("title", "name", "displayTitle", "subject", "path", "file", "filename", "metadata.namespace", "Title", "Name"),
    ("severity", "Severity"),
    ("state", "status", "phase", "conclusion", "status.phase", "State", "Status"),
    ("author", "user", "author.login", "user.login", "author.name", "login", "creator"),
)
"""What tells one element from the others, who made it and what became of it: the first of each that it has."""

_HEADING_PARTS = [[(name, *name.partition(".")[::2]) for name in names] for names in _HEADING]
_OUTER = frozenset(outer for parts in _HEADING_PARTS for _, outer, _ in parts)
_OTHERS = {name for names in _HEADING[2:] for name in names}  # two of these tell an element as well

_BARE = regex(r"[\w./@+#%~$<(-][^,{}\[\]\"\n\r\t\x00-\x1f]*")
_BARE_KEY = regex(r"[\w$./@-]+")
_WORD = regex(r"\w\w")
_LITERAL = regex(r"-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|(?i:true|false|null|none|nan|-?infinity)|-")  # no text


def scalar(value: Any) -> str:
    """A scalar as it was written; strings bare where they cannot be mistaken for anything else."""
    if isinstance(value, str):
        if _BARE.fullmatch(value) and ": " not in value and value[-1] not in " :" and not _LITERAL.fullmatch(value):
            return value
        return quoted(value)
    if value.__class__ is int:
        return str(value)
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    return value.raw if isinstance(value, Number) else str(value)


def quoted(value: str) -> str:
    return jsontext.quoted(value).encode("utf-8", "replace").decode("utf-8")  # lone surrogates cannot be printed


@functools.lru_cache(8192)
def key_text(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else quoted(key)


def flow(value: Any) -> str:
    """A small value in one line; nesting is bounded by its size (each level costs two characters of ``LINE``)."""
    kind = value.__class__
    if kind is list:
        return str(value) if {*map(type, value)} <= {int} else f"[{', '.join([*map(flow, value)])}]"
    return "{" + members(value) + "}" if kind is dict else scalar(value)


def members(value: dict[str, Any]) -> str:
    return ", ".join([f"{key_text(key)}: {flow(v)}" for key, v in value.items()])


@record
class Row:
    """An object as the cells of a row, and the line of keys that stands above the rows of its group."""

    cells: str
    keys: str
    prefix: int  # characters of the path that the line of keys says already
    total: int = 0  # rows of its group


@record
class Line:
    """Leaves ``start`` to ``end`` (1-based): ``path: text``. ``keys`` are those of the owner that are shown whole."""

    start: int
    end: int
    path: str
    text: str
    keys: Sequence[Key]
    owner: Any  # the container that holds them; None at the root
    long: bool = False  # the value is one long string
    row: Row | None = None  # the value is one of several objects that are alike
    who: str = ""  # the element of a list that it is a line of: ``number 17``
    heading: bool = False  # the line that tells this element from the others
    weight: float = 1.0


Rows = Mapping[int, Row | None]
Places = Set[tuple[int, Key]]  # members: the ``id`` of an object, and a key
_Task = tuple[str, Any, Any, Key, str]  # path, value, owner, key, who


def lines(root: Any, sizes: Sizes, rows: Rows, elsewhere: Places, shown: Places) -> Iterator[Line]:
    """Every leaf once, in document order, neighbours together up to ``LINE`` characters; ``rows`` by themselves.
    What is told ``elsewhere`` weighs little; what a table has ``shown`` stands in no line with others."""
    leaf, parting = 0, _Parting(sizes, rows, elsewhere, shown)
    stack: list[_Task | Line] = [("", root, None, "", "")]
    while stack:
        task = stack.pop()
        if isinstance(task, Line):
            task.start, task.end = leaf + 1, leaf + task.end
            leaf = task.end
            yield task
        else:
            stack.extend(reversed(parting.parts(*task)))


@record
class _Parting:
    """Cuts values into lines, whose ``end`` is first the number of their leaves, and what is too long for one."""

    sizes: Sizes
    rows: Rows
    told: Places
    shown: Places

    def parts(self, path: str, value: Any, owner: Any, key: Key, who: str) -> list[_Task | Line]:
        """The value as one line, or its members."""
        leaves, chars = self.sizes.of(value)
        is_dict = value.__class__ is dict
        nested = is_dict or value.__class__ is list
        if is_dict and (row := self.rows.get(id(value))) is not None:
            return [Line(0, leaves, path, row.cells, (key,), owner, row=row, who=who)]
        short = chars <= (RULE if is_rule(value) else LINE - min(len(path), 80)) and id(value) not in self.rows
        aside = is_dict and path and not says_little(key, value)
        short = short and not (aside and any(followed(one) or is_data(one) for one in value.values()))
        short = short and not (self.shown and is_dict and any((id(value), name) in self.shown for name in value))
        if short or not nested or not value:
            text = members(value) if is_dict and value else flow(value)
            weight = LITTLE if says_little(key, value) else 1.0
            if nested and owner.__class__ is list and len(owner) > SERIES and key in (0, len(owner) - 1):
                weight = ENDS
            return [Line(0, leaves, path, text, (key,), owner, _is_long(value), None, who, False, weight)]
        named = _named(value) if is_dict else {}
        if path[-1:] != "]" and len(named) < IDENTIFIED:
            named = {}
        if named and owner.__class__ is list:  # a single one needs no name, and is not what holds it
            own = next((f"{k} {flow(v)}" for k, v in named.items() if k not in _OTHERS), who)
            who = own if len(own) <= WHO and len(owner) > 1 else ""
        return self._of_dict(path, value, who, named) if is_dict else self._of_list(path, value, who)

    def _of_dict(self, path: str, value: dict[str, Any], who: str, named: dict[str, Any]) -> list[_Task | Line]:
        """What it is ``named`` first; the other members as lines, and what is too long for a line by itself."""
        parts, inside = list[_Task | Line](), list[_Task | Line]()
        run: list[str] = []
        held: list[str] = []
        used, room = 0, max(60, LINE - len(path) - len(who))
        heading, little = False, 0.0  # 2: addresses, which come last; or what is told elsewhere
        is_map = path != "" and len(value) > 1 and all(v.__class__ is dict for v in value.values())

        def flush() -> None:
            nonlocal run, held, used, heading
            if run:
                flags = len(held) >= FLAGS and all(value[k].__class__ is bool or not value[k] for k in held)
                weight, by = LITTLE if little >= 1 or flags else 1.0, "" if heading else who
                more = f" (of {len(value):,} keys)" if is_map or len(run) == 1 else ", …"
                text = ", ".join(run) + more * (len(held) < len(value) and path != "")
                count = sum(self.sizes.of(value[k])[0] for k in held)
                parts.append(Line(0, count, path, text, held, value, who=by, heading=heading, weight=weight))
            run, held, used, heading = [], [], 0, False

        own = [k for k in named if k in value]
        if own or any((id(value[k.partition(".")[0]]), k.partition(".")[2]) not in self.told for k in named):
            run, held, heading = [f"{k}: {flow(v)}" for k, v in named.items()], own, True
            used = sum(map(len, run))
            if len(named) > 1:
                flush()

        for key, less in self._in_order(path, value, named):
            child = value[key]
            if less != little:
                flush()
                little = less
            size = (len(child.raw) if child.__class__ is Number else self.sizes.of(child)[1]) + len(key) + 4
            nested = child.__class__ is dict or child.__class__ is list
            row = is_map and nested and len(value) > SERIES and len(child) >= CELLS
            row = row or self.rows.get(id(child), path) is None
            if size > room or (nested and (size > _INLINE or row)):
                if not path:  # of the document itself each part stands in its place
                    flush()
                (inside if path else parts).append((join_key(path, key), child, value, key, who))
                continue
            if used + size > room:
                flush()
            run.append(f"{key_text(key)}: {flow(child)}")
            held.append(key)
            used += size
        flush()
        return parts + inside

    def _in_order(self, path: str, value: dict[str, Any], named: Container[str]) -> list[tuple[str, float]]:
        """The other members, what says something before what says little, addresses and what is told elsewhere, of a
        few also what holds more behind scalars; the class of each, which stands on lines of its own."""
        few, classes = path != "" and len(value) <= CONDITION, dict[str, float]()
        condition = len(value) <= CONDITION and not _WHY.isdisjoint(value)
        for key in (key for key in value if key not in named):
            less = says_little(key, value[key]) and 1 + (followed(value[key]) or is_data(value[key]))
            less = SAID if (id(value), key) in self.shown or (id(value), key) in self.told else less
            classes[key] = less + (HOLDS if few and value[key].__class__ in (dict, list) else 0)
        return sorted(classes.items(), key=lambda pair: (pair[1], condition and pair[0][-4:] == "Time"))

    def _of_list(self, path: str, value: list[Any], who: str) -> list[_Task | Line]:
        """Short elements side by side, equal neighbours once with their count, long ones apart."""
        parts: list[_Task | Line] = []
        run: list[_Cell] = []
        used, room, turn = 0, max(60, LINE - len(path)), 0

        def flush(end: int) -> None:
            nonlocal used, turn
            if run:
                first = run[0].at
                where = f"{path}[{first}]" if end - first == 1 else f"{path}[{first}:{end}]"
                some = value[first:end]
                flags = {*map(type, some)} == {bool} and len({*some}) == 1 < len(some)
                zeros = len(some) > 1 and not any(some)
                little = flags or zeros or nothing(some) or all(map(says_little, range(first, end), some))
                weight, turn = LITTLE if little else max(LATER, EARLY - turn * STEP), turn + 1
                text, count = ", ".join(map(str, run)), sum(self.sizes.of(one)[0] for one in some)
                parts.append(Line(0, count, where, text, range(first, end), value, who=who, weight=weight))
            used = 0
            run.clear()

        for n, child, times in _equal_runs(value):
            chars = self.sizes.of(child)[1]
            if chars > (_INLINE_ROW if child.__class__ in (dict, list) else room) or id(child) in self.rows:
                flush(n)
                parts += [(f"{path}[{at}]", child, value, at, who) for at in range(n, n + times)]
                continue
            cell = _Cell(n, flow(child), times)
            if run and cell.text == run[-1].text:
                run[-1].times += times
                continue
            chars = max(chars, len(cell.text))  # of a number as it is written
            if used + chars > room:
                flush(n)
            run.append(cell)
            used += chars + 2
        flush(len(value))
        return parts


SAID, HOLDS = 3, 0.5  # of a member that a table or a fact has told; added where it holds more
LITTLE = 0.25  # weight of what says little
SERIES, ENDS = 20, 2.0  # elements of a list that is told by its ends; weight of these
WHO = 40  # characters of a key and a name that each line of an element repeats
IDENTIFIED = 3  # of its number, its title, its state and its author: an object that is told by them wherever it stands


_HOLLOW = {type(None), str, list, dict}
_WHY, CONDITION = frozenset(("reason", "message")), 8  # what tells why a state is so; keys of one, its times the last


def nothing(values: Sequence[Any]) -> bool:
    """Whether they are all null or empty, of however many."""
    return not any(values) and {*map(type, values)} <= _HOLLOW


def says_little(key: Key, value: Any) -> bool:
    """Nothing, a handle or default, a key or signature, or one of the addresses that an API gives with everything."""
    if not value and value.__class__ in _HOLLOW:
        return True
    if is_given(value) or (value.__class__ is list and value and all(map(is_given, value))) or is_data(value):
        return True
    if value.__class__ is dict and len(value) <= FEW:  # of such alone
        return all(v.__class__ is not list and says_little(k, v) for k, v in value.items())
    if value.__class__ is str and _ADDRESS.match(value):
        return key.__class__ is int or not _OWN_ADDRESS.fullmatch(str(key)) or "://api." in value
    return key.__class__ is str and is_usual(key, value)


def is_data(value: Any, deep: int = 3) -> bool:
    """Whether it is a key, a signature or data in base64, or holds nothing else."""
    if value.__class__ in (dict, list) and value and deep:
        return all(is_data(one, deep - 1) for one in (value.values() if value.__class__ is dict else value))
    return value.__class__ is Encoded or (value.__class__ is str and _SIGNED.fullmatch(value) is not None)


def followed(value: Any) -> bool:
    """Whether it is an address that a program follows: of an interface, or with a place for a name."""
    return value.__class__ is str and value[:4] == "http" and _FOLLOWED.match(value) is not None


_FOLLOWED = regex(r"https?://(?:api\.|[^\s/]+/api/|[^\s{]*\{)\S*$")
FEW, FLAGS = 3, 3  # members; truth values and nothings in a line of nothing else
_ADDRESS = regex(r"(?:https?|git|ssh)://\S*$|git@\S*$")
# a public key or signature in base64: 32 bytes and more, with signs of each kind
_SIGNED = regex(r"(?=[a-zA-Z+/-]*\d)(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])[\w+/-]{43,}={0,2}")
_OWN_ADDRESS = regex(r"(?i)(?:html_?|web_?|base_?)?(?:url|uri|link)")


def _is_long(value: Any) -> bool:
    """A text of its own: of sentences, several lines or JSON that does not fit a line, or of many characters."""
    if not isinstance(value, str) or len(value) <= LINE:
        return False
    return " " in value or len(value) >= LONG_TEXT or "\n" in value.strip() or is_json(value)


def is_json(value: str) -> bool:
    """Whether a string begins and ends as a JSON document."""
    return value.lstrip()[:2] in _OPENINGS and value.rstrip()[-1:] in ("}", "]")


_OPENINGS = ('{"', "[{", "[[", '["', "{ ", "{\n", "[ ", "[\n")


def lines_of_text(start: int, end: int, path: str, value: str) -> list[Item]:
    """The lines of a string, numbered from 1, below its path and the headings of their section; first of all the one
    that says what it is about."""
    text = value.strip("\r\n").replace("\r\n", "\n")
    bare = _ATTRIBUTES.sub("", text) if "{:" in text else text  # of the blocks of an exported note
    left, end = (" without {: attributes}", start - 1) if bare != text else ("", end)  # it does not stand there whole
    texts, items, opened, suggested = bare.split("\n"), list[Item](), "", False
    head = f"{path}, {counted(len(texts), 'line')}{left}:"
    for n, line, above in _headed(bare):
        drawn, quote, opens, opened = "\n" in line, "> " * line.startswith(">"), opened != above, above
        suggested = line.startswith("```suggestion") or (suggested and line.rstrip() != "```")
        parts = _SENTENCE.split(line) if len(line) > LINE and not drawn else [line]
        section, flow = f"{head}\n{above}".strip("\n"), "sentences" * bool(above)
        for i, part in enumerate(parts):
            lead, bare = f"{n} {f'… {quote}' * (i > 0)}", _TAG.sub("", part)
            says = (opens and not i) or _SAYS.match(lead + bare)
            weight = DRAWN if drawn else max(LATER, EARLY - n * STEP) if says else LITTLE
            weight *= 0.0 if not _WORD.search(bare) else SUGGESTED if suggested else 1.0  # nobody reads tags
            whole = drawn or (len(parts) > 1 and len(part) <= SENTENCE)
            text = f"{lead}{part}{' …' * (i + 1 < len(parts))}"
            if _WORD.search(part):
                items.append(Item(start, end, text, weight=weight, section=section, flow=flow, whole=whole))
    first = next((item for item in items if item.weight > LITTLE), None)
    if first is not None:
        first.weight = ABOUT * (1.0 if "[" in path else SOLE) if _ABOUT.search(path) else FIRST
    for item in items if _ABOUT.search(path) else ():  # what a bot or a reviewer found
        least = ABOUT + STEP if _GRADE.match(item.text) else ENDING if VERDICT.search(item.text) else 0.0
        item.weight = max(item.weight, least)
    dated = [(date[0], n) for n, item in enumerate(items) if (date := _DATED.search(item.text, 0, STAMPED))]
    if len(dated) > 1:  # notes, of which the newest decides
        items[max(dated)[1]].weight = NEWEST
    frame = next((n for n, text in enumerate(texts) if _FRAME.match(text)), 0) if _FAILURE.search(path) else 0
    for item in items if 0 < frame <= SAID_FIRST else ():  # what failed stands before the frames
        item.weight = max(item.weight, ENDING) if int(item.text.partition(" ")[0]) <= frame + 1 else LITTLE
    if not frame and (len(texts) > READ or not _ABOUT.search(path)):  # an output: how it ended, and what failed last
        for item in items[-1:] + list(islice((item for item in reversed(items) if tells(item.text)), FAILURES)):
            item.weight = max(item.weight, ENDING)
    return items


def _headed(text: str) -> Iterator[tuple[int, str, str]]:
    """The lines with their numbers and, of Markdown, the headings above each; a drawing of boxes is one."""
    heads, texts, until, drawn = list[tuple[int, str]](), ["", *text.split("\n"), ""], 0, False
    if not any(line.startswith("##") for line in texts):
        yield from ((n, line, "") for n, line in enumerate(texts[1:-1], 1))
        return
    from mcpcompact.content.markup.shapes import BOXES, HEADING
    from mcpcompact.content.shared.request import EXAMPLE

    document = any(line.startswith("##") and HEADING.match(line) for line in texts)
    examples = {text.count("\n", 0, m.start()) + 1: m[0] for m in EXAMPLE.finditer(text if document else "")}
    for n, line in enumerate(texts[1:-1], 1):
        above = "\n".join(head for _, head in heads[-PARENTS:])
        alone = not (texts[n - 1].strip() or texts[n + 1].strip())  # so a heading in a footnote stands
        if example := examples.get(n):
            until, drawn = n + example.count("\n"), BOXES.search(example) is not None
        if n > until and document and (heading := HEADING.match(line.strip() if alone else line)):
            deep = len(heading[1])
            heads = [*((level, head) for level, head in heads if level < deep), (deep, f"{line.strip()} (line {n})")]
        elif example or n > until or not drawn:
            yield n, (example if example and drawn else line), above


VERDICT = regex(
    r"(?i)[✅❌⛔⚠🔴🟢]|\b(?:status|result|verdict|conclusion|decision)\b\W{1,24}\w|\blgtm\b|\bquality gate\b"
    r"|\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? #\d"
)
_GRADE = regex(r"(?i)\d+ \W{0,8}\w+ severity\W{0,8}$")
_DATED = regex(r"\b20\d\d-[01]\d-[0-3]\d\b")
STAMPED, NEWEST = 48, 3.5  # characters of a note, its author before its date; weight of the newest one
_FAILURE, _FRAME = regex(r"(?i)(?:fail|error|exception)[^.]*$"), regex(r"\s+at \S")
SAID_FIRST = 12  # lines of what failed, before the frames of a trace
PARENTS, DRAWN = 2, 0.1  # headings above a line; weight of a drawing
_ATTRIBUTES = regex(r"\{:(?: [\w-]+=\"[^\"\n]*\")+\}", holds="{:")
READ, FAILURES, ENDING = 60, 3, 2.0  # lines of a text that is read from its beginning; that tell of a failure; weight
SENTENCE, SUGGESTED = 400, 0.2  # characters of one that is not cut; factor on a change, which stands behind why
EARLY, STEP, LATER = 1.3, 0.02, 0.7  # weight of the lines of a text: what comes first says most
# a tag, with the address that it links once more; a comment, which may go on in other lines
_TAG = regex(r"<[a-zA-Z/][^<>]{0,300}>(?:https?://[^<>\s]{1,300}(?=<))?|<!--.{0,300}?(?:-->|$)|^[^<>]{0,300}-->")
_SAYS = regex(r"\d+ (?![#<`|=-]+\s*\S*\s*$|#+ |<!--|(?:… )?>).{24}")  # no heading, rule or quote


def sentences(start: int, end: int, path: str, value: str, keep: Keep, reason: str) -> list[Item]:
    """A long text of one line: whole, or from its beginning on."""
    weight = 1.0 if keep else ABOUT if _ABOUT.search(path) else FIRST
    flow = "" if keep else "sentences"
    return [Item(start, end, f"{path}: {quoted(value)}", keep, reason, path, weight, lead=len(path) + 2, flow=flow)]


ABOUT, FIRST, SOLE = 3.0, 1.3, 2.0  # weight of a description's first sentence, of another's; factor on the only one
_ABOUT = regex(r"(?:description|body|summary|message|text|content)(?: \(.*\))?$")
_SENTENCE = regex(r"(?<=[.!?]) +(?=[A-Z\"`(])")


def _named(element: dict[str, Any]) -> dict[str, Any]:
    """What tells an element from the others, by key or path; nothing where it has no name or number."""
    labels: dict[str, Any] = {}
    for names in _HEADING_PARTS if not _OUTER.isdisjoint(element) else ():
        for name, outer, inner in names:
            value = element.get(outer)
            if inner:
                value = value.get(inner) if value.__class__ is dict else None
            if value.__class__ in (str, int, Number) and 0 < len(str(value)) <= TITLE and "\n" not in str(value):
                labels[name] = value
                break
    for key in ("uid", "uuid") if "name" in labels or "metadata.name" in labels else ():
        labels.pop(key, None)
    return labels if len(labels) > 1 or not labels.keys() & _OTHERS else {}


CELLS = 3  # of a row of many, at least, whose keys are said once: fewer are read as quickly with their keys


@record
class _Cell:
    """An element of a list on a line with others, and how many equal ones follow."""

    at: int
    text: str
    times: int

    def __str__(self) -> str:
        return f"{self.text} ×{self.times:,}" if self.times > 1 else self.text


_WRITTEN_ALIKE = {str, int, bool, type(None)}
"""Equal ones of these are, and lists of nothing: ``1.0`` and ``1.00`` are not."""


def _equal_runs(values: list[Any]) -> Iterator[tuple[int, Any, int]]:
    """The places of values, and how many equal ones follow there; those alone that are written alike if equal."""
    at, size = 0, len(values)
    while at < size:
        first, value = at, values[at]
        at, kind = at + 1, value.__class__
        if kind in _WRITTEN_ALIKE or (kind is list and nothing(value)) or value == {}:
            while at < size and values[at] == value and values[at].__class__ is kind:
                at += 1
        yield first, value, at - first
