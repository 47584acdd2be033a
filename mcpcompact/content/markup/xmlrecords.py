"""The list that an XML document is made of (a feed, an inventory, a result of a query) as records: a row each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mcpcompact.content.columns.values import typed
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
    found = set()
    for path, members in reading.by_path.items():
        holders = Counter(reading.elements[i].parent for i in members) if len(members) >= SEVERAL else Counter()
        if not holders or max(holders.values()) < SEVERAL:
            continue
        some = [reading.elements[i] for i in members[:SAMPLE]]
        rows = sum(
            len(e.children) + len(e.attributes) >= FIELDS and e.size <= LONGEST and not _is_list(reading, e)
            for e in some
        )
        fields = [{*e.attributes, *(reading.elements[c].name for c in e.children)} for e in some]
        alike = sum(map(len, fields)) >= COMMON * len(some) * len(set().union(*fields))
        if alike and rows > ALIKE * len(some):
            found.add(path)
    return found


def _is_list(reading: XmlReading, element: Element) -> bool:
    names = Counter(reading.elements[c].name for c in element.children)
    return len(element.children) >= SEVERAL and names.most_common(1)[0][1] >= SEVERAL


def outline(reading: XmlReading) -> Outline | None:
    """A table of the one list that most of the document is; None where there is none."""
    from mcpcompact.content.columns.findings import marks
    from mcpcompact.content.columns.survey import Columns
    from mcpcompact.content.records import rows
    from mcpcompact.content.records.listing import as_table, facts_share, fields_text
    from mcpcompact.content.records.sample import Sheet

    lists = [reading.by_path[path] for path in sorted(reading.rows)]
    lists = [members for members in lists if len({reading.elements[i].parent for i in members}) == 1]
    sizes = [sum(reading.elements[i].size for i in members) for members in lists]
    if not lists or max(sizes) < MOSTLY * reading.elements[0].size:
        return None
    members = lists[sizes.index(max(sizes))]
    if len(members) < FEWEST:
        return None
    elements = [reading.elements[i] for i in members]
    written = [_record(reading, element, str) for element in elements]
    stats = Columns()
    stats.add([_record(reading, element, typed) for element in elements])
    found = marks(stats)
    numbers = sorted({*rows.even(len(members), ROWS), *(m.row for m in found)})
    made = as_table(Sheet(stats, numbers, rows.cells_of(lambda row: written[row - 1])), found)
    lined = len({element.start for element in elements}) > 1  # else the number of a record says where it stands
    name, total = elements[0].name, len(members)
    root = reading.elements[0].attributes
    sums = [f"{key}={value}" for key, value in root.items() if is_number(value) and len(value) < STAMP]
    facts = [reading.identity(), Fact(f"{total:,} {name}, {fields_text(stats)}", 0)]
    facts += [Fact(f"of all: {', '.join(sums)}", 0)] if len(sums) >= SUMS else []
    if beside := _beside(reading, set(members)):
        facts.append(Fact(f"beside them: {beside}", 0))
    facts += _odd(found, elements, lined)
    told = (fact for fact in made.facts if not fact.text.startswith(("odd, of", "failures, all")))
    facts += [fact for fact in told if not _NUMBERED.search(fact.text)]  # those number records
    return Outline(
        content_type="markup",
        unit="line",
        total=reading.lines.count,
        headline=f"XML, {reading.lines.count:,} lines, {total:,} {name}",
        facts=facts,
        items=[_placed(item, elements, lined) for item in made.items if item.text.startswith(f"#{item.start}|")],
        header=f"line{made.header[1:]}" if lined else made.header,
        more=[("--lines", "A:B")],
        facts_share=facts_share(total, facts),
        keeps_told=True,
        rendered=True,
    )


def _placed(item: Item, elements: Sequence[Element], lined: bool) -> Item:
    """A row of a record, in the line that the record begins in."""
    number, line = item.start, elements[item.start - 1].start
    if lined:
        item.text = f"{line}{item.text.removeprefix(f'#{number}')}"
    item.start = item.end = line
    item.under = 0
    return item


def _odd(found: Sequence[Mark], elements: Sequence[Element], lined: bool) -> list[Fact]:
    """What stands out of all, each cause with how many there are and the first of them."""
    from mcpcompact.content.columns.findings import telling

    every = f"all {len(elements):,} scanned"
    common = dict.fromkeys(mark.said for mark in found if mark.said and not _NUMBERED.search(mark.said))
    causes: dict[str, str] = {}
    for mark in sorted(found, key=telling):
        text = mark.template if mark.count > 1 else mark.reason
        place = f"line {elements[mark.row - 1].start}" if lined else f"#{mark.row}"
        if not mark.said:
            causes.setdefault(text, f"{clipped(text, VALUE)}{f' ×{mark.count:,}' if mark.count > 1 else ''} ({place})")
    facts = [Fact(f"failures, {every}: {' · '.join([*common][:ODD])}", 0)] if common else []
    more = f" · {len(causes) - ODD} more" if len(causes) > ODD else ""
    return facts + ([Fact(f"odd, {every}: {' · '.join([*causes.values()][:ODD])}{more}", 1)] if causes else [])


def _record(reading: XmlReading, element: Element, read: Any, depth: int = 0) -> dict[str, Any]:
    """An element as an object: attributes, then what it holds by name; several of a name are a list."""
    record: dict[str, Any] = {key: read(value) for key, value in element.attributes.items()}
    if element.texts and (text := " ".join(element.text.split())):
        record["text"] = read(text)
    for child in (reading.elements[c] for c in element.children if depth < DEEPEST):
        plain = not (child.attributes or child.children)
        value = read(" ".join(child.text.split())) if plain else _record(reading, child, read, depth + 1)
        held = record.get(child.name)
        if isinstance(held, list):
            held.append(value)
        else:
            record[child.name] = value if held is None else [held, value]
    return record


def _beside(reading: XmlReading, members: set[int]) -> str:
    """Attributes and texts of what is no record nor below one: the title of a feed, how many there are in all."""
    inside = set(members)
    told: list[str] = []
    for i, element in enumerate(reading.elements):
        if element.parent in inside or i in inside:
            inside.add(i)
            continue
        if len(reading.by_path[element.path]) > 1:  # the one of its kind is what the document is about
            continue
        own = [f"{key}={clipped(value, VALUE)}" for key, value in element.attributes.items() if value]
        told += [f"{element.name} {', '.join(own)}"] * bool(own)
        if not element.children and element.text:
            told.append(f"{element.name}={clipped(' '.join(element.text.split()), VALUE)}")
        if sum(map(len, told)) > BESIDE:
            return f"{'; '.join(told)}; …"
    return "; ".join(told)
