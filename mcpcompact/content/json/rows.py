"""Objects that are alike as rows: their keys said once above them, what is the same in all of them too.

``[{"flight": "A1", "price": {"economy": 120}}, …]`` is ``[]|flight|price.economy`` and then ``[0]|A1|120``: half of the
tokens of the same values with their keys, so twice as many of them can be shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, islice
from operator import eq
from typing import Any

from mcpcompact.content.anomalies.words import tells
from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.cutting import same_before
from mcpcompact.content.columns.findings import worded
from mcpcompact.content.columns.survey import Columns
from mcpcompact.content.columns.wording import constant
from mcpcompact.content.json import exchange
from mcpcompact.content.json.alike import LONG_CELL, bookkeeping, rows_in
from mcpcompact.content.records import choice
from mcpcompact.content.records.rows import announced, cells_of, cut, cut_at, escape, header
from mcpcompact.content.records.sample import DIGITS, Sheet
from mcpcompact.content.records.shapes import CONDITION, RUNS, by_type, leading
from mcpcompact.content.shared import reports
from mcpcompact.content.shared.flow import Row, key_text
from mcpcompact.content.shared.tree import Group, Leaves, groups_of, in_short, path_text
from mcpcompact.content.shared.usual import is_usual
from mcpcompact.outline import NOT_IN_ROWS, Fact
from mcpcompact.patterns import regex
from mcpcompact.phrasing import some

TABLES, TABLED, TABLE_SHARE = 3, 1_000, 0.1  # lists told as tables, rows of one; of the document's characters, at least
TABLE_CELL, SMALL_CELL, TABLE_ROW, LIST_CELL = 70, 48, 120, 16  # characters
COMMENT, COMMENTS = 300, 500  # characters of what somebody said, and of all that was said
FEW_SPOKEN = 4  # comments that are read below their table, by their lines
ROOMY = 800  # characters of a table, beyond which its cells are small
TITLED = regex(r"(?i)title|headline|subject|summary|message")
WRAPPED, FEW_OUTER = 0.5, 12  # of a list's characters that a list inside it holds; its elements
MAIN = 0.5  # of a document's characters that its rows hold
HELD = 0.5  # of the elements that have a column's value, at least
MAX_KEYS = 4  # that have no column and are named
MAX_FIXED = 160  # characters of what is the same in all objects of a table
FIXED_DEPTH = 2  # keys of a state that is said where it is the same in all
SAME, LONG_SAME = 40, 120  # characters of a value that nearly all objects of a table share, that all do

FLAGS = 3  # of all of a few elements that are no column else and do not hold for all: a draft, a pre-release
MIN = 3  # objects; fewer cost less than a row of keys


def findings_of(groups: list[Group]) -> tuple[dict[int, reports.Finding], set[int]]:
    """What a linter or a compiler found, by the ``id`` of the object that says it; and what holds these, by ``id``: it
    stands in no line of its own, however short, so that each is seen as one."""
    findings, opened = dict[int, reports.Finding](), set[int]()
    for group in groups:
        listed = group.nodes if group.step == "[]" and dict in group.types else []
        objects = [node for node in listed if node.__class__ is dict]
        objects = [] if any(map(reports.passed, filter(None, objects))) else objects
        among = len(objects) >= MIN and reports.mostly(objects)
        for i, node in enumerate(group.nodes) if any(objects) else ():
            if node.__class__ is not dict or not node:
                continue
            above = [*holders_of(group, i)]
            holders = [holder for holder, *_ in above if holder.__class__ is dict]
            if any(id(holder) in findings for holder in holders):
                continue
            files = [v for holder in holders[:1] for k in _FILES if (v := holder.get(k)).__class__ is str]
            files += [key for _, step, key in above if step == "*" and "." in key][:1]  # of a list by file, too
            held = node.get("message")
            sure = among or (held.__class__ is dict and "spans" in held)  # of a list, a compiler: without a place, too
            if finding := reports.named(reports.fields_of(node), files[0] if files else "", sure):
                grave = next((key for _, _, key in above[:1] if reports.rank(key) < reports.rank("")), "")
                findings[id(node)] = finding if finding.level else finding._replace(level=grave)
                opened.update(id(holder) for holder, *_ in above)
    return findings, opened


def holders_of(group: Group, i: int) -> Iterator[tuple[Any, str, str]]:
    """What holds a node, the nearest first, the last steps of their paths, and their keys."""
    at = group.holder(i)
    while at is not None:
        yield at[0].nodes[at[1]], at[0].step, str(at[0].keys[at[1]])
        at = at[0].holder(at[1])


_FILES = ("filePath", "file", "path", "filename", "name")


def rows_of(groups: list[Group], findings: dict[int, reports.Finding], opened: set[int]) -> dict[int, Row | None]:
    """The objects that are shown as rows, by ``id``; None for what is ``opened``, as it holds findings."""
    every = list(findings.values())
    below, within, same = reports.directory(every), len(reports.package(every)), reports.said_of_all(every)
    texts = {node: one._replace(rule=one.rule[within:]).text(below, same) for node, one in findings.items()}
    rows: dict[int, Row | None] = {node: Row(text, "", 0) for node, text in texts.items()}
    for group in groups:
        several = group.step in ("[]", "*") and len(group.nodes) >= MIN and not group.recursive
        rows.update(rows_in(group) if several and id(group.nodes[0]) not in rows else {})
    return rows | dict.fromkeys(opened)


def tables_of(groups: list[Group], rows: Container[int], leaves: Leaves, above: str) -> list[Fact]:
    """The largest lists of objects that are too large for rows, each as a table of what tells its elements apart."""
    bulk: dict[int, int] = {}
    large, sizes = list[Group](), leaves.sizes
    for group in groups:
        alike = group.step in ("[]", "*") and not (group.recursive or group.is_map or bookkeeping(group.path))
        alike = alike and 1 < len(group.nodes) <= TABLED
        if alike and all(node.__class__ is dict and id(node) not in rows for node in group.nodes):
            bulk[id(group)] = sum(sizes.of(node)[1] for node in group.nodes)
            if bulk[id(group)] >= TABLE_SHARE * sizes.of(groups[0].nodes[0])[1]:
                large.append(group)
    large.sort(key=lambda group: (reports.rank(group.parent.step if group.parent else ""), -bulk[id(group)]))
    tables: list[Fact] = []  # findings come before the few things that they were found in
    for group in sorted(large, key=lambda group: any(_wraps(group, other, bulk) for other in large)):
        table = _table(group, leaves) if len(tables) < TABLES else None
        names = table.text.partition(": ")[2].split(", ") if table and tables and "\n" not in table.text else []
        if table and not (names and all(name in tables[0].text for name in names)):
            most = bulk[id(group)] >= MAIN * sizes.of(groups[0].nodes[0])[1]
            if most and 0 < table.text.count("\n") <= NAMED_ROWS:
                leaves.shown.update(*table.shows)
            rows_alone = most and (len({*map(id, _holders(group))}) < TWO or _graded(group))
            tables.append(replace(table, text=f"{above}{'.' * bool(above)}{table.text}", rows=rows_alone))
    return tables


def asked_for(groups: list[Group], focus: str | None) -> tuple[str, list[Group]]:
    """The path of the object whose key the request gives (an interface's ``/orders/{id}``) and what stands below it; ""
    and all where there is none such."""
    name = (focus or "").strip()
    places = ((g, g.keys.index(name)) for g in groups if name and g.step == "*" and name in g.keys)
    group, i = next(((g, i) for g, i in places if g.nodes[i].__class__ is dict), (groups[0], 0))
    return path_text(group.address(i)), groups if group is groups[0] else groups_of(group.nodes[i])


def _graded(group: Group) -> bool:
    """Whether its objects have a severity: findings."""
    return any(reports.is_severity(str(key)) for node in group.nodes[:MIN] for key in node)


def _wraps(outer: Group, inner: Group, bulk: dict[int, int]) -> bool:
    """Whether a list of a few elements is little more than the findings inside them."""
    at = inner.parent
    while at is not None and at is not outer:
        at = at.parent
    if at is not outer or inner is outer or bulk[id(inner)] <= WRAPPED * bulk[id(outer)]:
        return False
    return len(outer.nodes) <= FEW_OUTER and _graded(inner)


def _table(group: Group, leaves: Leaves) -> Fact | None:
    nodes = [*map(by_type, group.nodes)]
    sheet = _sheet(nodes)
    stats = sheet.stats
    known = leading(stats)
    chosen = _chosen(sheet, group, known)
    says = [column for column in chosen if len(column.steps) == 1 and worded(column)]
    says.sort(key=lambda column: (not choice.TITLE.search(column.name), -choice.width_of(column)))
    columns = [column for column in chosen if _tells(column, sheet) or column in [*known, *says[:1]]]
    columns = [column for column in columns if column in known or not choice.opaque(column)] or columns
    columns = known if known and "operationId" in stats.columns else columns
    graded = [stats.columns[k] for k, v in nodes[0].items() if v is not group.nodes[0].get(k) and k in stats.columns]
    columns += [c for c in graded if c not in columns and (c.values is None or len(c.values) > 1)]  # how grave in what
    columns = _of_many(columns, known, sheet, group) if len(nodes) > NAMED_ROWS else columns
    flags = (c for c in stats.columns.values() if len(c.steps) == 1 and c.kinds["bool"] == stats.total)
    columns += [c for c in flags if c not in columns and len(c.values or ()) > 1][: FLAGS * (len(nodes) <= NAMED_ROWS)]
    columns, grades = _graver(columns, sheet)
    columns += [c for c in stats.columns.values() if grades and c.texts and _FIXED.search(c.path) and c not in columns]
    dates = [column for column in columns if column.dates]
    dates.sort(key=lambda column: (-column.scalars, not choice.TOUCHED.search(column.name)))
    columns = [column for column in columns if column not in dates[1:]]
    columns, sheet, instead = _with_names(columns, sheet)
    most = dict.fromkeys([column.path for column in columns], TABLE_CELL)
    if len(group.nodes) * sum(min(choice.width_of(c), TABLE_CELL) for c in columns) > ROOMY:  # rows before prose
        prose = [c for c in columns if choice.width_of(c) > choice.PROSE and not TITLED.search(c.name)]
        columns = [c for c in columns if c not in prose or not _graded(group)] or columns
        most |= {column.path: SMALL_CELL for column in columns if not choice.TITLE.search(column.name)}
    spoken = [c for c in known[-1:] if c in columns and worded(c) and choice.width_of(c) > TABLE_CELL]
    room = max(TABLE_CELL, min(COMMENT, COMMENTS // len(nodes)))
    most |= {column.path: room for column in spoken}
    bodies = [text for column in spoken for text in sheet.texts(column)]
    short = any("\n" not in text or cut(text, room, {}) == escape(text) for text in bodies)
    if 0 < len(bodies) <= FEW_SPOKEN and not short and columns[1:]:  # each would be cut
        columns.remove(spoken[0])
    holders = _holders(group)
    few = len(nodes) <= NAMED_ROWS and group.path.count("[]") == 1
    own = group.path == "[]" or group.step == "*" or few  # its number or its key
    own = own or any(choice.tells_apart(c, stats, len(holders)) or _own(c, nodes) for c in columns)
    sole = own or choice.keys_of(stats)
    if not columns or not sole or (len(columns) == 1 and len(columns[0].values or nodes) * MIN <= len(nodes)):
        return None
    if len(columns) == 1 and holders and (len(holders) <= MAX_NAMES or choice.width_of(columns[0]) <= SHORT_NAME):
        names = some([cut(text, SMALL_CELL, {}) for text in sheet.texts(columns[0])], MAX_NAMES)
        shown = {leaf for node in group.nodes[:MAX_NAMES] for leaf in leaves.at(node, [columns[0].steps])}
        return Fact(f"{group.path}.{columns[0].label}: {names}", 1, shows=[shown])  # mere names of what others hold
    who = _named_by(holders)
    if any(sheet.cell(1, c) == who[1].get(id(node)) for node in holders[:1] for c in columns):
        who = "", {}  # its own field says so
    heading, answers = exchange.answers(group.nodes) if known else ("", [])
    aside = ("response", "body") if heading else ()
    columns = [c for c in columns if c.steps[0] not in aside and not (heading and c.kinds["bool"])]
    fixed = _fixed(sheet, group, columns, known) if "operationId" not in stats.columns else {}
    ends = accumulate(len(text) + TWO for text in fixed.values())
    fixed = dict(islice(fixed.items(), sum(end <= MAX_FIXED for end in ends)))  # rows before what all of them share
    same = f" (in all: {', '.join(fixed.values())})" if fixed else ""
    same += _left(nodes, [*fixed, *(column.steps for column in columns)], stats) if not heading else ""
    stem = len(group.path.partition("[")[0].partition("*")[0])
    sheet = announced(sheet, columns)
    texts = {column.path: [text.strip() for text in sheet.texts(column)] for column in columns}
    bases = {c.path: base for c in columns if (base := exchange.base(texts[c.path]))}
    texts = {p: [exchange.behind(bases, {p: t}).get(p, t) for t in held] for p, held in texts.items()}
    heads = [f"{header([c])[2:]}{f' (…={bases[c.path]})' if c.path in bases else ''}" for c in columns]
    lines = ["|".join([f"{group.path}{f'|({who[0]})' * bool(who[0])}", *heads]) + f"{heading}{same}"]
    order = _worst_first(group, columns, sheet, HISTORY if not spoken else 1, grades)
    counts = Counter(grades[i][1] or "(none)" for i in order if grades)
    if len(order) > FEW_GRADED and 0 < len(counts) <= GRADES:
        lines[0] += f"{BY_GRADE}: {', '.join(reports.times(*each) for each in counts.items())})"
    alike = {path: same_before(held, most[path]) for path, held in texts.items()}
    for i in order:
        held = [cut(texts[column.path][i], most[column.path], alike[column.path]) for column in columns]
        part = [c.steps for c, text in zip(columns, held, strict=True) if text != escape(texts[c.path][i]) or cut_at(c)]
        leaves.cut |= leaves.at(group.nodes[i], part) if part else set()
        row = "|".join([*held, *answers[i : i + 1]])
        row = f"{cut(who[1].get(id(holders[i]), ''), SMALL_CELL, {})}|{row}" if who[0] else row
        label = path_text(group.address(i))
        lines.append(f"{in_short(label[stem - (label[stem - 1 : stem] == '[') :], group.path)}|{row}".rstrip("|"))
    shows = [set[int]()]  # what is the same in all stands there for the rows that do
    steps = [*fixed, *instead, *(column.steps for column in columns)]
    for i, node in ((i, group.nodes[i]) for i in order):
        digested = [at for c in columns if c in graded for at in _digested(node, c.steps[0])]
        shows.append(leaves.at(node, steps).union(*(leaves.below(*at) for at in digested)))
        shows[-1] |= exchange.shown(node, answers[i], leaves) if heading else set()
    asked = [texts[c.path] for c in known[:3] if c in columns]
    kinds = (
        exchange.kinds_first([each[i] for each in asked] for i in order)
        if heading
        else exchange.sole_first(texts, order)
    )
    ranks = [0, *(n + 1 for n in kinds)] if kinds else []
    return Fact("\n".join(lines), 1, shows=shows, rows=heading == exchange.SENT, order=ranks)


def _digested(node: dict[str, Any], key: str) -> list[tuple[Any, str]]:
    """What a cell that tells of an object says of it whole: all; of the schema of a call what it requires."""
    held = node.get(key)
    if held.__class__ is dict and "properties" in held:
        return [(held, part) for part in ("type", "required") if part in held]
    return [(node, key)] if key in node else []


def _left(nodes: Sequence[Any], paths: Sequence[Sequence[str]], stats: Columns) -> str:
    """Which keys of many objects have no column, and what inside of others has none, addresses and what is the same in
    all last; of a few, lines show them."""
    shown, many = {steps[0] for steps in paths}, nodes if len(nodes) > NAMED_ROWS else []
    keys = dict.fromkeys(key for node in many for key in node if key not in shown)
    every = [c for c in stats.columns.values() if many and "len()" not in c.steps]
    holders = {c.group for c in every}
    inside = [c for c in every if c.steps[0] in shown and c.steps not in paths and c.path not in holders]
    inside.sort(key=lambda c: not c.texts or bookkeeping(c.path) or constant(c, stats) is not None)
    names = sorted([*map(key_text, keys), *(c.label for c in inside)], key=lambda n: n.endswith(("_url", "_links")))
    return f" ({NOT_IN_ROWS}{some(names, MAX_KEYS)})" if names else ""


def _sheet(nodes: Sequence[Any]) -> Sheet:
    """Objects as rows."""
    stats = Columns()
    stats.add(nodes)
    return Sheet(stats, range(1, len(nodes) + 1), cells_of(lambda row: nodes[row - 1]))


def _with_names(columns: Sequence[Column], sheet: Sheet) -> tuple[list[Column], Sheet, list[Any]]:
    """With the name of what each version inside an object is of, and cells that hold what others have in the
    object's stead, with the steps of such."""
    stats, cells = sheet.stats, sheet.cell
    versions = [c for c in columns if choice.VERSIONED.fullmatch(c.name)]
    names = {c.path: name for c in versions if (name := stats.columns.get(f"{c.group}.name")) is not None}
    rest = [c for c in columns if c not in names.values()]
    ordered = [c for column in rest for c in (names.get(column.path), column) if c is not None]
    first = {c.group: c.path for c in reversed(ordered)}
    held = {first[path]: stats.columns[path] for path in first if path in stats.columns}
    held = {path: c for path, c in held.items() if (c.scalars or c.kinds["list"]) and c not in ordered}

    def cell(row: int, column: Column) -> str:
        text, other = cells(row, column), held.get(column.path)
        return text or (f"{other.label}={value}" if other and (value := cells(row, other)) else "")

    return ordered, Sheet(stats, sheet.numbers, cell), [c.steps for c in held.values() if "[]" not in c.steps]


def _of_many(columns: list[Column], known: Sequence[Column], sheet: Sheet, group: Group) -> list[Column]:
    """Of many rows what more than one value of another column or the key does not say: no flags inside, no addresses
    of what has a name, no other of two values than a kind has."""
    held = {c.path: sheet.texts(c) for c in columns}
    kinds = {path: len(set(texts)) for path, texts in held.items()}
    few = [path for path, n in kinds.items() if n * TWO <= len(group.nodes)]
    names = [str(key).rpartition("/")[2] for key in group.keys] if group.step == "*" else []

    def repeated(path: str) -> bool:
        texts = held[path]
        again = sum(name in text for name, text in zip(names, texts, strict=False)) > HELD * len(texts)
        kind = any(kinds[path] < kinds[other] == len({*zip(texts, held[other], strict=True)}) for other in few)
        return again or (kinds[path] <= TWO and kind)

    own = [c for c in columns if not ((len(c.steps) > 1 and c.kinds["bool"]) or repeated(c.path))]
    return [c for c in columns if c in own or c in known or choice.STATUS.search(c.name)] if own else columns


def _own(column: Column, nodes: Sequence[Any]) -> bool:
    """Whether each has another short text there: the host of a series."""
    texts = "[]" not in column.steps and column.texts == len(nodes) and choice.width_of(column) <= TABLE_CELL
    return texts and column.values is not None and len(column.values) == len(nodes)


def _chosen(sheet: Sheet, group: Group, known: Sequence[Column]) -> list[Column]:
    """The columns of a table, of those that tell more than the place of a row."""
    stats = sheet.stats
    chosen, every = choice.choose(stats, room=TABLE_ROW)[0], stats.columns
    counts = [[str(key) for key in group.keys], [str(n + 1) for n in range(len(group.keys))]]
    says = [c for c in chosen if sheet.texts(c) not in counts]
    says = [c for c in says if _tells(c, sheet) or c in known or worded(c)]
    if len(says) < len(chosen):  # others have their room
        stats.columns = {path: c for path, c in every.items() if c in says or c not in chosen}
        others = [c for c in choice.choose(stats, room=TABLE_ROW)[0] if c not in says]
        stats.columns = every
        room = TABLE_ROW - sum(choice.width_of(c) + 1 for c in says)
        ends = accumulate(choice.width_of(c) + 1 for c in others)
        says += [c for c, end in zip(others, ends, strict=True) if end <= room]
    return says


def answering(table: Fact) -> bool:
    """Whether its rows are what was asked for: findings by severity, or a list of many things that have titles."""
    head, *rows = table.text.split("\n")
    return (
        BY_GRADE in head
        or OPERATIONS.match(head) is not None
        or exchange.SENT in head.partition(" (in all: ")[0]
        or (len(rows) > MANY_TITLED and head.startswith("[]|") and TITLED.search(head) is not None)
        or (len(rows) > MANY_TITLED and table.rows and len({row.translate(DIGITS) for row in rows}) * TWO > len(rows))
    )


MANY_TITLED = 12  # rows
OPERATIONS = regex(r"paths\.\*\.\*\|summary|.*\|(?:parameters|input_?[sS]chema)\b")  # what can be called


NAMED_ROWS = 12  # of a table that has room for all


def named_in(tables: Sequence[Fact]) -> dict[str, set[str]]:
    """Of tables of a few elements the fields that name these, by the path of each: ``items[0]``."""
    by_path: dict[str, set[str]] = {}
    for table in tables:
        head, *rows = table.text.split("\n")
        path, *labels = head.partition(BY_GRADE)[0].partition(" (in all: ")[0].split("|")
        if path.endswith("[]") and path.count("[]") == 1 and len(rows) <= NAMED_ROWS:
            named = {label.partition(" (…")[0] for label in labels}
            by_path.update((path[:-2] + row.partition("|")[0], named) for row in rows)
    return by_path


def _holders(group: Group) -> list[dict[str, Any]]:
    """Of each object of a list inside the elements of another list the element that holds it; none elsewhere."""
    every = (((node, step) for node, step, _ in holders_of(group, i)) for i in range(len(group.nodes)))
    nearest = [next((node for node, step in above if step == "[]" and node.__class__ is dict), None) for above in every]
    held = [node for node in nearest if node is not None]
    return held if len(held) == len(nearest) else []


def _named_by(holders: list[dict[str, Any]]) -> tuple[str, dict[int, str]]:
    """The field that tells several holders apart, and its value by the ``id`` of each; "" where there is none."""
    nodes = list({id(node): node for node in holders}.values())
    if len(nodes) < TWO:
        return "", {}
    sheet = _sheet(nodes)
    every = sheet.stats.columns.values()
    named = [c for c in every if choice.tells_apart(c, sheet.stats) and not choice.opaque(c)]
    key = min(named, key=lambda c: (not choice.FIRST.fullmatch(c.path), len(c.steps), choice.width_of(c)), default=None)
    if key is None:
        return "", {}
    others = [c for c in every if c.group == key.group and choice.NAME.search(c.name) and c.texts]

    def name(n: int) -> str:  # of a thing without one the last part of its path
        paths = ((c.name, text) for c in others if (text := sheet.cell(n, c)))
        return sheet.cell(n, key) or next((f"{of}={_DIRECTORY.sub('…/', text)}" for of, text in paths), "")

    return key.label, {id(node): name(n) for n, node in enumerate(nodes, 1)}


def _fixed(
    sheet: Sheet, group: Group, columns: Sequence[Column], known: Sequence[Column]
) -> dict[tuple[str, ...], str]:
    """What is the same in all objects, or in all but a few, by its steps."""
    every = sheet.stats.columns.values()
    first = {c.path for c in every if choice.STATUS.search(c.name) or choice.TITLE.search(c.name)}
    return {
        c.steps: f"{c.label}={text}"
        for c in sorted(every, key=lambda c: (c.path not in first, not c.texts))
        if (c in known or c.path in first or len(c.steps) == 1 or _word(c))
        and not (bookkeeping(c.path) or c.name[:1] == "@")
        and (len([step for step in c.steps if step != "[]"]) <= FIXED_DEPTH or c.path.startswith(CONDITION))
        and (text := _of_all(c, sheet, group, c in columns))
    }


def _word(column: Column) -> bool:
    return column.texts > 0 and not (column.dates or choice.opaque(column)) and len(column.steps) <= FIXED_DEPTH


def _of_all(column: Column, sheet: Sheet, group: Group, stands: bool) -> str:
    """The short value that all objects have, or all but a few, which are said too; "" where there is none such.
    ``stands``: in the table."""
    text = constant(column, sheet.stats)
    if text is not None or stands:
        value = next(iter(column.values)) if text and column.values else ""
        text = escape(value) if text and column.texts else text or ""
        return text if len(text) < LONG_SAME and not is_usual(column.name, value) else ""
    few = column.values is not None and len(column.values) == TWO and len(column.steps) == 1
    if not few or column.texts < sheet.stats.total or group.path.count("[") != 1 or "*" in group.path:
        return ""
    texts = sheet.texts(column)
    most, other = max(texts, key=texts.count), min(texts, key=texts.count)
    others = [f"[{i}]" for i, text in enumerate(texts) if text == other]
    if len(others) > MAX_OTHERS or len(others) * 2 >= len(texts) or not 0 < len(most) < SAME or len(other) > SAME:
        return ""
    return f"{most} but {', '.join(others)} {escape(other)}"


FEW_GRADED, GRADES, BY_GRADE = 3, 6, " (rows by severity"  # findings that need no count; grades with theirs, and how
_FIXED = regex(r"(?i)^(?:fix(?:ed)?|patched)[ ._]?(?:in|by|versions?)$")  # of what was found, however few have one
_DIRECTORY = regex(r"(?s)^.{24,}/(?=.)")  # of a long path
DECIDING = frozenset(("APPROVED", "CHANGES_REQUESTED"))  # what a review came to
MAX_OTHERS = 3  # objects with another value
MAX_NAMES, SHORT_NAME = 12, 24  # that stand in one line; characters of one
TWO, HISTORY = 2, 3  # rows that are read quicker than turned


def _graver(columns: list[Column], sheet: Sheet) -> tuple[list[Column], list[tuple[float, str]]]:
    """How grave each row is by the gravest of its fields (a vendor's, a scanner's own, the third version of either),
    and the columns with the one that says so most often in place of a milder one; none where no column tells it."""
    own = [c for c in columns if reports.is_severity(c.name)]
    others = [c for c in sheet.stats.columns.values() if own and len(c.steps) == 1 and c.texts and c not in own]
    every = [*own, *(c for c in others if reports.is_severity(c.name))]
    ranked = {c.path: [(reports.grade(c.name, text), text) for text in sheet.texts(c)] for c in every}
    grades = [min(row, key=lambda each: each[0]) for row in zip(*ranked.values(), strict=True)]
    says = max(every, key=lambda c: sum(map(eq, ranked[c.path], grades)), default=None)
    return [says if says and c is own[0] and says not in own else c for c in columns], grades


def _worst_first(
    group: Group, columns: list[Column], sheet: Sheet, few: int, grades: Sequence[tuple[float, str]]
) -> list[int]:
    """The elements in their order, or by their ``grades``; of a history of more than a ``few`` that begins with what is
    oldest (commits of days, comments) the newest first, of reviews those that decide."""
    order = range(len(group.nodes))
    if len({rank for rank, _ in grades if rank < reports.UNGRADED}) > 1:
        return sorted(order, key=lambda i: grades[i][0])
    keyed = group.step == "*"
    states = [c for c in columns if c.path.startswith(RUNS) or choice.STATUS.search(c.name)]
    texts = [text for c in states for text in enumerate(sheet.texts(c))]
    first = {i for i, text in texts if tells(text) or text.startswith("False")}
    if first and (keyed or len(first) * TWO <= len(order)):  # what failed first
        return sorted(order, key=lambda i: i not in first)
    clocks = [c for c in columns if c.dates and (c.dates.days or few == 1) and group.path.count("[]") == 1]
    dated = [*map(sheet.texts, clocks)]
    rises = len(order) > few and any(all(times) and times == sorted(times) for times in dated)
    telling = [column for column in columns if column.steps[0] in ("state", "author", "user")] if few == 1 else []
    newest = [*reversed(order)] if rises else [*order]  # what decides first, what a machine wrote last
    by = {i: [sheet.cell(i + 1, column) for column in telling] for i in newest}
    return sorted(newest, key=lambda i: sum(-1 if t.upper() in DECIDING else bool(_MACHINE.search(t)) for t in by[i]))


_MACHINE = regex(r"(?i)(?:^|[\W_])bot\W?$|^github-actions$")


def _tells(column: Column, sheet: Sheet) -> bool:
    """Neither lists of many texts, nor headers of an exchange, what few have, and what is the same wherever it is."""
    cells = sheet.texts(column)
    if bookkeeping(column.path) or sum(text not in ("", "null") for text in cells) < HELD * len(cells):
        return False
    if any("\n" in text or len(text) > LONG_CELL for text in cells[:1]):
        return False
    if "[]" in column.steps and (choice.LINE.fullmatch(column.name) or sum(map(len, cells)) > LIST_CELL * len(cells)):
        return False
    return len({*cells} - {""}) > 1
