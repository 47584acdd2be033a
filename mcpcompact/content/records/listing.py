"""A list of records as facts and rows: what records, NDJSON, tables and JSON arrays share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import accumulate
from typing import Any

from mcpcompact.content.anomalies.words import LOOKED_FOR
from mcpcompact.content.columns.alarms import STATUS, Mark
from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.cutting import NEAR, shorten
from mcpcompact.content.columns.findings import LOSSES, graver, marks, telling, unnamed
from mcpcompact.content.columns.survey import MAX_NAMES, Columns, reach
from mcpcompact.content.columns.wording import COUNTED, LABEL_OF, constant, facts
from mcpcompact.content.records import choice, rows
from mcpcompact.content.records.groups import ENDS_SHARE, by_clock, extremes, grouped, origins
from mcpcompact.content.records.sample import Sheet
from mcpcompact.content.records.shapes import CONDITION, apart, by_type, differing
from mcpcompact.content.shared import calls, reports
from mcpcompact.content.shared.flow import LITTLE, NEWEST, lines_of_text
from mcpcompact.outline import Fact, Hints, Item, Keep, Outline, record
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted
from mcpcompact.shell import Selector

GROUPED = 0.5  # share of the facts where one of them is a table of groups
_LONG_LIST = 100
_SHORT_LIST = 30  # records
TOLD = ("failures, all", "odd, of")  # how facts begin that tests say themselves
KINDS = 4  # of records that have no field in common, as operations have none, and fields of one
GRADED = 4  # facts on the fields of findings, of which the gravest are asked for
_SHORT_TEXT = 50  # characters; a level without what it says

MIN_SCANNED = 5  # records; fewer speak for themselves
SAID, BRIEF, CAUSE = 70, 48, 30  # characters of a failure, another reason, any in short in the fact on what is odd
ROWS_SMALL, ROWS_LARGE = 2_000, 1_000  # rows offered to the fill engine
_BAD_SHOWN, BAD_SAID = 5, 160  # lines that are none; characters of what they say
_WORDS, _WORD = regex(r"[^\W\d]{3}"), regex(r"\w+")


def facts_share(total: int, facts: Sequence[Fact]) -> float:
    """A handful of rows speaks for itself; of many the facts tell what no choice of rows can, above all by group."""
    if any("\n" in fact.text for fact in facts):
        return GROUPED
    return 0.12 if total <= _SHORT_LIST else 0.2 if total <= _LONG_LIST else 0.25


def fields_text(stats: Columns) -> str:
    """``22 fields each``, where that is so; else ``2 to 3 of 21 fields each``."""
    every = len(stats.names)
    more = "+" if every >= MAX_NAMES else ""
    if stats.least == stats.most == every and not more:
        return f"{counted(every, 'field')} each"
    each = f"{stats.least:,} to {stats.most:,}" if stats.least < stats.most else f"{stats.most:,}"
    shapes, few = stats.shapes.get("", {}), stats.most <= KINDS
    kinds = shapes if few and 1 < len(shapes) <= KINDS and not frozenset.intersection(*shapes) else {}
    text = ", ".join(f"{n:,} with {' and '.join(sorted(keys))}" for keys, (n, _) in kinds.items())
    return f"{each} of {every:,}{more} fields each{': ' * bool(text)}{text}"


@record
class Bad:
    """Lines of NDJSON that are no objects, or of a table with other fields than it has."""

    count: int = 0
    lines: list[int] = field(default_factory=list)
    torn: bool = False  # the last line of the input is one of them: cut off

    texts: list[str] = field(default_factory=list)  # of the first ones

    def add(self, line: int, text: bytes = b"") -> None:
        self.count += 1
        if len(self.lines) < _BAD_SHOWN:
            self.lines.append(line)
            words = " ".join(text[:BAD_SAID].decode("utf-8", "replace").split())
            self.texts += [words] * bool(_WORDS.search(words))


_LACKS = regex(r"^no |^len\(")  # why a record is odd


@record
class Table:
    """What became of a list of records."""

    stats: Columns
    facts: list[Fact]
    items: list[Item]
    header: str
    marks: list[Mark] = field(default_factory=list)


def table(records: Sequence[dict[str, Any]], hints: Hints, tests: bool = False, torn: bool = False) -> Table:
    """Statistics, facts and rows of a list of objects held in memory. ``tests``: what they are called is not odd;
    ``torn``: the last one is cut off, and what it lacks is neither."""
    given, records = records, [*map(by_type, records)]
    stats = Columns()
    stats.add(records)
    odd = [m for m in marks(stats) if not (torn and m.row == len(records) and _LACKS.search(m.reason))]
    odd += origins(stats)
    if tests:
        from mcpcompact.content.shared.tests import CALLED

        odd = [m for m in odd if not CALLED.search(m.column)]
    differ = [(Mark(one[0], Keep.SEVERE, "metadata.name", one[2], "", 1), one) for one in apart(records)]
    wanted = (m.row for m in (*odd, *(mark for mark, _ in differ)))
    chosen = sorted({*rows.even(len(records), ROWS_SMALL), *wanted, *extremes(stats.columns.values())})
    sheet = Sheet(stats, chosen, rows.cells_of(lambda row: records[row - 1]))
    result = as_table(sheet, odd, hints=hints, beside=[mark for mark, _ in differ])
    result.facts[:0] = [*differing(entry for _, entry in differ), *worst(records, stats)]
    called = [key for key, value in given[0].items() if isinstance(value, dict) and isinstance(records[0][key], str)]
    result.facts += [Fact(f"of {key} the names alone, optional ones with a question mark", 0) for key in called]
    return result


def as_table(
    sheet: Sheet, odd: list[Mark], whole: bool = True, hints: Hints | None = None, beside: Sequence[Mark] = ()
) -> Table:
    """``whole``: whether all lines were read; ``beside``: marks of rows whose facts are told elsewhere."""
    stats, numbers, cell = sheet.stats, sheet.numbers, sheet.cell
    asked = frozenset(_WORD.findall(hints.words())) if hints is not None else frozenset()
    columns, left = choice.choose(stats, asked)
    if not columns:  # all alike: say what they are
        columns = [column for column in stats.columns.values() if column.scalars][:8]
    odd = graver(odd, stats, {*numbers}, cell)
    paths = marked(stats, odd)
    message = next((c for c in [*columns, *left] if MESSAGE.search(c.name) and "[]" not in c.steps), None)
    again = repeated(message, sheet)
    graded = any(reports.is_severity(column.name) for column in columns[:1])
    at_hand = {m.row for m in odd}.intersection(numbers)
    texts = {row: cell(row, message) for row in sorted(at_hand)} if message is not None else {}
    summaries = _summaries(odd, texts)
    odd = between(odd, stats.total)
    columns = [column for column in columns if column.path not in paths] or columns
    columns, note = rows.follow(sheet, ordered := rows.marked_first(columns, odd), left)
    of_others = {c.path for c in ordered if c not in columns}  # the name at the end of a path tells of no failure
    odd = [mark for mark in odd if mark.column not in of_others]
    every = [*odd, *beside, *(mark for mark, _ in again if not graded)]
    items = rows.render(sheet, columns, every, hints) + long_cells(sheet, columns, left)
    items.sort(key=lambda item: item.start)
    few = stats.total <= FEW  # rows, which show themselves how often each value occurs
    seen = {c.path for c in columns if few and c.texts and not choice.STATUS.search(c.path)}
    clock = by_clock(sheet)
    timed = any(fact.text.startswith(f"{c.label}: ") for fact in clock for c in columns)  # their rows say times
    all_facts = [
        *summaries,
        *(fact for _, fact in again),
        *scanned(stats, odd, whole=whole, texts=texts),
        *rows.not_shown([c for c in left if c not in columns], sheet, paths, items=items),
        *clock * (not timed),
        *beyond(grouped(sheet, columns), facts(stats, paths | seen))[: GRADED if graded else None],
        *clock * timed,
    ]
    return Table(stats, all_facts, items, rows.header(columns) + note, odd)


def repeated(column: Column | None, sheet: Sheet) -> list[tuple[Mark, Fact]]:
    """The text that many records share where the others have one of their own (few texts are told): what, and where."""
    held, total = dict[str, list[int]](), sheet.stats.total
    if column is None or not sheet.whole:
        return []
    for number, text in zip(sheet.numbers, sheet.texts(column), strict=True):
        held.setdefault(text, []).append(number)
    text, same = max(held.items(), key=lambda pair: len(pair[1]))
    often = len(same) >= max(MIN_SCANNED, rows.MOSTLY * total) and len(text) >= REPEATED // 2
    if not often or len(held) <= COUNTED or len(held) * OWN <= total:
        return []
    flat, what = " ".join(text.split()), f"{len(same):,} of {total:,}"
    start = _short(flat, REPEATED)
    start = start if len(start) > REPEATED // 2 else f"{flat[: REPEATED // 2]}…"
    where = ", ".join(f"#{number}" for number in same[:NAMED_ROWS]) + ", …" * (len(same) > NAMED_ROWS)
    mark = Mark(same[0], Keep.RARE, column.path, f"{what} say this", "", len(same))
    return [(mark, Fact(f"{what}: {column.label} “{start}” ({where})", 1))]


REPEATED, NAMED_ROWS, OWN = 60, 3, 3  # characters, rows that are named; a third of the texts are different


def outlined(what: str, data: Table, tests: list[Fact], hints: Hints | None, aside: tuple[str, ...] = TOLD) -> Outline:
    """``tests``: what is said of the records as tests; facts that begin like those ``aside`` are then not told."""
    total, facts = data.stats.total, [fact for fact in data.facts if not (tests and fact.text.startswith(aside))]
    out = Outline("records", "record", total, f"{total:,} records", header=data.header, items=data.items)
    out.facts = [Fact(f"{what}, {fields_text(data.stats)}", 0), *tests, *calls.items(hints, total), *facts]
    out.frame_share, out.facts_share, out.keeps_told = ENDS_SHARE, facts_share(total, data.facts), True
    return out


def _summaries(odd: Sequence[Mark], texts: dict[int, str]) -> list[Fact]:
    """What records say that sum a stream up, by the only value of their kind: whole, taken out of ``texts``."""
    summaries = list[Fact]()
    for m in odd:
        summed = m.count == 1 and choice.STATUS.search(m.column) and SUMMARY.search(m.reason)
        if summed and 0 < len(texts.get(m.row, "")) <= WHOLE and len(summaries) < SUMMARIES:
            summaries.append(Fact(f"#{m.row} {m.reason.partition('=')[2]}: {texts.pop(m.row)}", 0, shows=[[m.row]]))
    return summaries


def between(odd: list[Mark], total: int) -> list[Mark]:
    """Without what is rare in the records that open and close every stream, by a type of their own."""
    ends = {1, *range(total - ENDING + 1, total + 1)}
    own = {m.row for m in odd if m.count == 1 and m.row in ends and _TYPE.fullmatch(m.column)}
    return [m for m in odd if m.row not in own or m.keep == Keep.SEVERE]


ENDING = 2  # records that close a stream
_TYPE = regex(r"(?i)(?:.*[._])?@?(?:type|kind|event|op)")
MESSAGE = regex(r"(?i)^@?(?:message|msg|summary|description|text)$")
SUMMARY = regex(r"(?i)=\w*(?:summary|totals?|conclusion|(?:result|outcome|stat)s?)$")
SUMMARIES, WHOLE = 3, 300  # that are told; characters of one


def beyond(groups: Sequence[Fact], sentences: Sequence[Fact]) -> list[Fact]:
    """What divides the rows, a table or a line of groups, then the sentences but those of the same fields."""
    starts = tuple(f"{re.split('[|:]', fact.text)[0].removeprefix('by ')}: " for fact in groups)
    return [*groups, *(fact for fact in sentences if not fact.text.startswith(starts))]


def marked(stats: Columns, odd: Sequence[Mark]) -> set[str]:
    """Paths of fields that need no sentence: none but marked rows have them, or another field says it."""
    rows_of: dict[str, set[int]] = {}
    for mark in odd:
        if "=" in mark.reason:  # with its value
            rows_of.setdefault(mark.column, set()).add(mark.row)
    losses = {mark.column for mark in odd if LOSSES.search(mark.reason)}
    whole = {path for path, held in rows_of.items() if (c := stats.columns.get(path)) and c.scalars <= len(held)}
    return losses | choice.numbered_kinds(stats) | whole


def scanned(
    stats: Columns,
    odd: Sequence[Mark],
    unit: str = "records",
    whole: bool = True,
    texts: Mapping[int, str] | None = None,
) -> list[Fact]:
    """What stands out of all, with totals of each cause, also of those whose rows are capped; and how many failures are
    no exception. That there is none is said where every value was looked at: ``whole``, if all were handed over.
    ``texts``: what rows say, of those that are the only ones of their cause."""
    causes: dict[str, tuple[int, int]] = {}
    alike: dict[str, dict[str, None]] = {}  # rows of which the same is said, though each is the only one of its cause
    common: dict[str, bool] = {}
    seen = set[int]()
    others: dict[int, list[str]] = {}
    for mark in odd:
        others.setdefault(mark.row, []).append(mark.reason)
    for mark in sorted(odd, key=telling):
        if LOSSES.search(mark.reason):
            seen.add(mark.row)
        elif mark.said:
            common.setdefault(mark.said, STATUS.search(mark.column) is None)
        elif mark.row not in seen or mark.template in causes:
            seen.add(mark.row)
            text = mark.template if mark.count > 1 else _short(mark.reason, SAID if mark.keep == Keep.SEVERE else BRIEF)
            longest = max(others[mark.row], key=len)
            alone = mark.keep == Keep.SEVERE and mark.count == 1 and len(text) < _SHORT_TEXT
            if alone and longest != mark.reason:  # level=error, and what it says
                text += f", {_short(longest)}"
            causes.setdefault(text, (mark.count, mark.row))
            alike.setdefault(text, {})[f"#{mark.row}"] = None
    every = f"all {stats.total:,} {unit} scanned"
    facts = [*_losses(stats, odd)]
    if common:
        facts.append(Fact(f"failures, {every}: {_first(sorted(common, key=common.__getitem__), 4)}", 0))
    if causes:
        says = {row: f": {_short(' '.join(text.split()))}" for row, text in (texts or {}).items() if text}
        says = {row: text for row, text in says.items() if text != ": …"}
        many = {text: f" ×{count:,}" * (count > 1) for text, (count, _) in causes.items()}
        many = {text: f"{times} ({_places([*alike[text]], causes[text][0])})" for text, times in many.items()}
        more = [says.get(row, "") * (count == len(alike[text]) == 1) for text, (count, row) in causes.items()]
        short = [text + where for text, where in many.items()]
        parts = [a if text[2:] in a else f"{a[:-1]}{text})" for a, text in zip(short, more, strict=True)]
        brief = [(_short(text, CAUSE) if " " in text else text) + where for text, where in many.items()]
        full, *less = (f"odd, of {every}: {_first(form)}" for form in (parts, short, brief))
        facts.append(Fact(full, 1, less[0], least=less[1]))
    elif not common and whole and stats.total >= MIN_SCANNED and unnamed(stats):
        facts.append(Fact(f"{every}: none names {LOOKED_FOR}", 2))
    return facts


def _places(rows: Sequence[str], count: int) -> str:
    """The first of the ``count`` rows of which the same is said, whole, and whether there are others."""
    fit = max(1, sum(end <= ALIKE for end in accumulate(len(f"{row}, ") for row in rows)))
    return ", ".join(rows[:fit]) + ", …" * (max(count, len(rows)) > fit)


def _losses(stats: Columns, odd: Sequence[Mark]) -> Iterator[Fact]:
    """What is planned to be removed, by its rows, and how much is not."""
    rows_of: dict[tuple[str, str], list[int]] = {}
    for mark in odd:
        if LOSSES.search(mark.reason):
            rows_of.setdefault((mark.column, mark.reason), []).append(mark.row)
    for (path, reason), held in rows_of.items():
        value, counts = reason.rpartition("=")[2], stats.columns[path].values or {}
        others = " · ".join(f"{other} {count:,}" for other, count in counts.items() if other != value)
        count = max(counts.get(value, 0), len(held))
        more = ", …" * (count > len(held))
        lost = f"{value} {count:,} ({', '.join(f'#{row}' for row in sorted(held))}{more})"
        yield Fact(f"{stats.columns[path].label}: {lost}{f' · {others}' * bool(others)}", 0)


def _first(parts: Sequence[str], most: int = 6) -> str:
    return " · ".join(parts[:most]) + (f" · {len(parts) - most} more" if len(parts) > most else "")


def _short(text: str, most: int = SAID) -> str:
    """Its first words, none of them cut, nor a number or a path; of a first word that is far too long its field."""
    if len(text) <= most:
        return text
    head = text[: most - CUT_SIGN].rpartition(" ")[0]
    if head.endswith(_DENIES) and (denied := text.find(" ", len(head) + 1)) > 0:
        head = text[:denied]
    if not head and not _INSIDE.match(text, most - CUT_SIGN - 1):
        head = text[: most - CUT_SIGN]
    first = text.partition(" ")[0]
    if not head and (len(first) > 2 * most or "…[+" in first):
        first = match[0] if (match := _FIELD.match(text)) else ""
    start = (head or first).rstrip(",;:")
    return f"{start}{' ' * start[-1:].isdigit()}…"  # right behind a number it would read as digits


ALIKE = 24  # characters of the numbers of rows of which the same is said
CUT_SIGN = 6  # characters that a cut text leaves free
_INSIDE = regex(r"[!-~]{2}")  # of a word; texts of scripts without blanks are cut anywhere
_DENIES = (" not", " no", " never")  # whose next word says what is denied
_FIELD = regex(r"[\w.\[\]-]{1,80}=")


WORST, HOLDERS, MIN, SOLE = 8, 2, 4, 3  # findings told, holders of one; findings that need it; that share a name


def worst(records: Sequence[dict[str, Any]], stats: Columns) -> list[Fact]:
    """Of records that each hold a list of findings (a package its CVEs), which of all these are the gravest: by a
    severity, else the latest version of a score, the open ones before those that are closed; one that several records
    hold is told once. Nothing where the records have a severity themselves, or their findings no name."""
    columns = [c for c in stats.columns.values() if c.scalars]
    graded = [c for c in columns if reports.is_graded(c.name)]
    graded.sort(key=lambda c: (reports.is_severity(c.name), c.name), reverse=True)
    for grade in graded if all("[]" in c.steps for c in graded) else ():
        steps = grade.steps[:-1]
        findings = [(n, o) for n, record in enumerate(records, 1) for o in reach(record, steps) if o.__class__ is dict]
        ranks = reports.severities(grade.name, [str(one.get(grade.name, "")) for _, one in findings])
        own = (c for c in columns if c.values is None or SOLE * len(c.values) > c.scalars)
        named = [c for c in own if c.steps[:-1] == steps and choice.NAME.search(c.name) and c.texts]
        if steps[-1:] != ("[]",) or steps.count("[]") > 1 or len(findings) < MIN or not ranks or not named:
            continue
        key = min(named, key=lambda c: (c.name.lower() != "id", choice.width_of(c))).name
        who = next((c.name for c in choice.keys_of(stats) if not c.steps[1:]), "")
        states = [str(one.get("status", one.get("state"))) for _, one in findings]
        closed = [f" {state}" if reports.CLOSED.match(state) else "" for state in states]
        holders = dict[str, list[str]]()
        for i in sorted(range(len(findings)), key=lambda i: (closed[i] != "", ranks[i], i)):
            number, one = findings[i]
            label = f"{one.get(key, '')} {one.get(grade.name, '')}{closed[i]}"
            holders.setdefault(label, []).append(f"#{number} {records[number - 1].get(who, '')}".strip())
        texts = [
            f"{label} ({', '.join(held[:HOLDERS])}{f' and {len(held) - HOLDERS} more' * (len(held) > HOLDERS)})"
            for label, held in [*holders.items()][:WORST]
        ]
        texts += [f"{rest:,} more" for rest in [sum(map(len, [*holders.values()][WORST:]))] if rest]
        by = f"{grade.path.rpartition('.')[0]} by {grade.name}, worst first{', closed last' * any(closed)}"
        return [Fact(f"{len(findings):,} {by}: {' · '.join(texts)}", 0)]
    return []


# -- below the rows -----------------------------------------------------------------------------------------------

BELOW = 1e-33  # weight: rows come before their texts
FEW = 12  # records that are found by their names
LONG_CELL, LONG_MOST, LONG_ITEMS = 106, 20_000, 4_000  # characters, characters, items


def long_cells(sheet: Sheet, chosen: Sequence[Column], left: Sequence[Column]) -> list[Item]:
    """Texts that a row must shorten or leave out, whole, under ``#417.body``: room is often left for parts of them. One
    of several lines is shown by them. None shows its record: each is ``mere``."""
    stats, cell, columns = sheet.stats, sheet.cell, (*chosen, *left)
    wide = [c for c in columns if choice.width_of(c) > choice.NARROW and not LABEL_OF.search(c.path)]
    wide = [c for c in wide if not choice.derivable(c) and constant(c, stats) is None]
    wide = [c for c in wide if any(" " in str(example) for example in c.examples)]  # no address, no list of names
    few = stats.total <= FEW  # of more the rows are found by their numbers
    name = next((c for c in columns if c not in wide and choice.NAME.search(c.name)), None) if few else None
    own = [c for c in wide if few and c not in chosen and (c.values is None or len(c.values) == c.scalars)]
    lists = [c for c in columns if few and "[]" in c.steps and c.texts and c not in wide and not choice.opaque(c)]
    lists = [c for c in lists if len({*sheet.texts(c)}) * 2 > stats.total]  # the words of what was called
    wide = sorted(wide + lists, key=lambda c: c not in chosen)  # what the row says whole comes first
    whole = dict.fromkeys([c.path for c in wide], LONG_CELL)
    whole |= {c.path: 0 for c in (*own, *lists)}  # what each of a few has for itself: the query of a panel
    whole |= {c.path: rows.limit_of(c, stats, chosen) + NEAR for c in wide if c in chosen}
    items: list[Item] = []
    for number in sheet.numbers if stats.total <= rows.ROOMY else ():  # of many the rows themselves
        seen, row = set[str](), {cell(number, column) for column in columns}
        for column in wide:
            text = cell(number, column)
            if len(text) <= whole[column.path] or len(items) >= LONG_ITEMS or text in seen or _again(text, row):
                seen.update((text,) if column in chosen else ())
                continue
            seen.add(text)
            if "\n" in text.strip():
                who = f" ({name.label} {shorten(cell(number, name), choice.IDENTITY)})" if name else ""
                lines = lines_of_text(number, number, f"#{number} {column.label}{who}", text[:LONG_MOST])
                for line in (line for line in lines if line.weight > LITTLE):
                    weight = BELOW * (line.weight if line.weight == NEWEST else 1)
                    items.append(replace(line, end=number - 1, weight=weight))
            else:
                label = f"#{number}.{column.label}: "
                text = label + rows.escape(text[:LONG_MOST])
                items.append(Item(number, number - 1, text, weight=BELOW, lead=len(label)))
    return items


_ATTRIBUTE = regex(r"[\w:.-]+=\"([^\"]*)\"")


def _again(text: str, row: set[str]) -> bool:
    """Whether a text is of attributes alone, most of which have fields of their own: ``{: id="4" title="Quay"}``."""
    values = _ATTRIBUTE.findall(text) if '="' in text else []
    return 2 * len(row.intersection(values)) > len(values) > 0 and not any(map(str.isalnum, _ATTRIBUTE.sub("", text)))


def selectors(total: int, odd: Sequence[Mark]) -> list[Selector]:
    """``results get`` selectors that make sense for this list."""
    more: list[Selector] = []
    for mark in sorted(odd, key=lambda m: (-m.keep, m.count == 1, -m.count, m.row)):  # of one its row stands there
        match = re.match(r"[^=:]+=([\w.:/@+-]{1,40})$", mark.reason)
        if match and re.fullmatch(r"[\w.-]+", mark.column) and not mark.column.startswith(CONDITION):
            more.append(("--where", f"{mark.column}={match[1]}"))
            break
    middle = max(1, total // 2)
    return [*more, ("--records", f"{middle}:{min(total, middle + 20)}")]


def least(stats: Columns) -> int:
    """A lower bound of the characters of the values and of the brackets of each record, however they are written."""
    return len("{},") * stats.total + sum(
        c.characters + c.kinds["number"] for c in stats.columns.values() if c.values is None or len(c.values) > 1
    )
