"""The list that an XML document is made of (a feed, an inventory, a result of a query) as records: a row each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mcpcompact.content.columns.values import typed
from mcpcompact.content.markup.shapes import of_lines
from mcpcompact.outline import Fact, Item, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped, is_number

if TYPE_CHECKING:
    from mcpcompact.content.columns.alarms import Mark
    from mcpcompact.content.markup.xml import Element, XmlReading

SEVERAL, FIELDS, LONGEST = 8, 2, 6_000  # records in one holder, fields of one, characters of one
SAMPLE, ALIKE = 200, 0.7  # of a kind that are looked at, and the part that must be records
COMMON = 0.5  # of all fields, those that one has
MOSTLY, FEWEST = 0.85, 10  # of the document, what the list takes; records
DEEPEST = 6  # elements below a record
ROWS = 2_000  # that are offered to the fill engine
BESIDE, VALUE = 400, 100  # characters of what stands beside the list, and of one value there
SUMS, STAMP = 3, 10  # numbers that a report says of itself, at least; digits of a time
ODD = 6  # causes that are said
_NUMBERED = regex(r"(?<!&)#\d", holds="#")


def kinds(reading: XmlReading) -> set[int]:
    """The kinds of elements that are records: many in one holder, of several fields, and no list themselves."""
    paths = set()
    for path, members in reading.by_path.items():
        if len(members) < SEVERAL or max(Counter(e.parent for e in members).values()) < SEVERAL:
            continue
        some = members[:SAMPLE]
        held = [Counter(child.name for child in e.children) for e in some]
        rows = sum(
            names.total() + len(e.attributes) >= FIELDS
            and e.size <= LONGEST
            and max(names.values(), default=0) < SEVERAL
            for e, names in zip(some, held, strict=True)
        )
        fields = [{*e.attributes, *names} for e, names in zip(some, held, strict=True)]
        alike = sum(map(len, fields)) >= COMMON * len(some) * len(set().union(*fields))
        if alike and rows > ALIKE * len(some):
            paths.add(path)
    return paths


def outline(reading: XmlReading) -> Outline | None:
    """A table of the one list that most of the document is; None where there is none."""
    from mcpcompact.content.columns.findings import marks
    from mcpcompact.content.columns.survey import Columns
    from mcpcompact.content.records import rows
    from mcpcompact.content.records.listing import as_table, facts_share, fields_text
    from mcpcompact.content.records.sample import Sheet

    lists = [reading.by_path[path] for path in sorted(reading.rows)]
    lists = [one for one in lists if len({element.parent for element in one}) == 1]
    elements = max(lists, key=_size, default=[])
    if len(elements) < FEWEST or _size(elements) < MOSTLY * reading.elements[0].size:
        return None
    written = [_record(element, str) for element in elements]
    stats = Columns()
    stats.add([_record(element, typed) for element in elements])
    odds = marks(stats)
    numbers = sorted({*rows.even(len(elements), ROWS), *(m.row for m in odds)})
    table = as_table(Sheet(stats, numbers, rows.cells_of(lambda row: written[row - 1])), odds)
    lined = len({element.start for element in elements}) > 1  # else the number of a record says where it stands
    name, total = elements[0].name, len(elements)
    root = reading.elements[0].attributes
    sums = [f"{key}={value}" for key, value in root.items() if is_number(value) and len(value) < STAMP]
    facts = [reading.identity(), Fact(f"{total:,} {name}, {fields_text(stats)}", 0)]
    facts += [Fact(f"of all: {', '.join(sums)}", 0)] if len(sums) >= SUMS else []
    if beside := _beside(reading, elements[0].path):
        facts.append(Fact(f"beside them: {beside}", 0))
    facts += _odd(odds, elements, lined)
    kept = (fact for fact in table.facts if not fact.text.startswith(("odd, of", "failures, all")))
    facts += [fact for fact in kept if not _NUMBERED.search(fact.text)]  # those number records
    out = of_lines(reading.lines.count, f"XML, {reading.lines.count:,} lines, {total:,} {name}", facts, keeps_told=True)
    out.items = [_placed(item, elements, lined) for item in table.items if item.text.startswith(f"#{item.start}|")]
    out.header = f"line{table.header[1:]}" if lined else table.header
    out.facts_share, out.notes = facts_share(total, facts), reading.notes()
    return out


def _size(elements: Sequence[Element]) -> int:
    return sum(element.size for element in elements)


def _placed(item: Item, elements: Sequence[Element], lined: bool) -> Item:
    """A row of a record, in the line that the record begins in."""
    number, line = item.start, elements[item.start - 1].start
    if lined:
        item.text = f"{line}{item.text.removeprefix(f'#{number}')}"
    item.start = item.end = line
    item.under = 0
    return item


def _odd(odds: Sequence[Mark], elements: Sequence[Element], lined: bool) -> list[Fact]:
    """What stands out of all, each cause with how many there are and the first of them."""
    from mcpcompact.content.columns.findings import telling

    every = f"all {len(elements):,} scanned"
    common = dict.fromkeys(mark.said for mark in odds if mark.said and not _NUMBERED.search(mark.said))
    causes: dict[str, str] = {}
    for mark in sorted(odds, key=telling):
        text = mark.template if mark.count > 1 else mark.reason
        place = f"line {elements[mark.row - 1].start}" if lined else f"#{mark.row}"
        if not mark.said:
            causes.setdefault(text, f"{clipped(text, VALUE)}{f' ×{mark.count:,}' if mark.count > 1 else ''} ({place})")
    facts = [Fact(f"failures, {every}: {' · '.join([*common][:ODD])}", 0)] if common else []
    more = f" · {len(causes) - ODD} more" if len(causes) > ODD else ""
    return facts + ([Fact(f"odd, {every}: {' · '.join([*causes.values()][:ODD])}{more}", 1)] if causes else [])


def _record(element: Element, read: Any, depth: int = 0) -> dict[str, Any]:
    """An element as an object: attributes, then what it holds by name; several of a name are a list."""
    record: dict[str, Any] = {key: read(value) for key, value in element.attributes.items()}
    if element.texts and (text := " ".join(element.text.split())):
        record["text"] = read(text)
    for child in element.children if depth < DEEPEST else ():
        plain = not (child.attributes or child.children)
        value = read(" ".join(child.text.split())) if plain else _record(child, read, depth + 1)
        held = record.get(child.name)
        if isinstance(held, list):
            held.append(value)
        else:
            record[child.name] = value if held is None else [held, value]
    return record


def _beside(reading: XmlReading, path: int) -> str:
    """Attributes and texts of what is no record (of that ``path``) nor below one: the title of a feed, how many there
    are in all."""
    inside, texts = set[int](), list[str]()
    for i, element in enumerate(reading.elements):
        if element.parent in inside or element.path == path:
            inside.add(i)
            continue
        if len(reading.by_path[element.path]) > 1:  # the one of its kind is what the document is about
            continue
        own = [f"{key}={clipped(value, VALUE)}" for key, value in element.attributes.items() if value]
        texts += [f"{element.name} {', '.join(own)}"] * bool(own)
        if not element.children and element.text:
            texts.append(f"{element.name}={clipped(' '.join(element.text.split()), VALUE)}")
        if sum(map(len, texts)) > BESIDE:
            return f"{'; '.join(texts)}; …"
    return "; ".join(texts)
