"""Column statistics in words: the fields worth a sentence, the most telling first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from itertools import islice
from typing import Any

from mcpcompact.content.columns.alarms import CODE, STATUS
from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.cutting import VALUE, with_end
from mcpcompact.content.columns.findings import CLOCK, COARSEST, ECHO, SERIAL
from mcpcompact.content.columns.survey import Columns
from mcpcompact.outline import Fact
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted, is_number, rounded, show, some

DATED = 80  # score of the time that records span: before their measures
TEMPLATES = 88  # score of the counts of what messages were made from
LITTLE = 40  # score of what is said where there is room: samples of ids, urls and texts
FEW, LITTLE_OF_FEW = 30, 80  # records; of so few only how their states divide them
STATES, COMMON_STATES = 6, 2  # values of a state that are always counted; of so few in a long list one is the odd one
FIRST, SECOND, MAX_FACTS = 4, 10, 24  # fields by rank of their sentence; more are only named
NAMED, FOLDED = 12, 15  # fields that are named together
COUNTED, LISTED, NUMBERS = 12, 8, 6  # values of a field that are few; shown; of numbers
SHAPES, TOP = 4, 3  # shown of templates; of many
LABEL_OF = regex(r"(?:labels|annotations|matchLabels)[.\[]")  # what was stuck onto a record
FLAG = 50  # score: less for a flag of what a record holds or refers to
RARE = 30  # score: less for a field that most records lack
SUMMED = 100  # fractions with a smaller sum are shares
JOINED = range(3, 11)  # measures that are told in one line
LONG = 60  # characters of texts in the mean, of which none is an example
_GRADE = regex(
    r"(?i)(?:^|[._ -])(?:avg|average|mean|median|rating|score|grade|stars|rank|ranking|percent|percentage|pct"
    r"|ratio|rate|share|temperature|confidence|probability|price|index|fertility|population|pop|age|expect(?:ancy)?"
    r"|latitude|longitude|lat|lon|lng|pressure|humidity|speed|width|height|depth|length|mass|weight|wind|horsepower"
    r"|acceleration|displacement)$|[a-z](?-i:Rating|Score|Grade|Rank|Percent|Percentage|Ratio|Rate|Average)$|%"
    r"|^(?:avg|average|mean|median)[._ -]|[._ -]per[._ -]|temp_(?:max|min)$|\((?:[mck]?m|k?g|lbs?|in|ft)\)$"
)  # of which a sum says nothing
CHANGE = regex(r"(?i)(?:^|[._ -])(?:change|delta|diff|difference|growth)(?:$|[._ %(-])|[a-z](?-i:Change|Delta|Diff)$")
FEW_FIELDS = 6  # of a record: none of them is missed
_STATED = regex(r"(?i)^\S*(?:phase|state|status|\.ready|\.available)=")
SHORT = 60  # characters of what is the same in all that is always worth its room


def facts(stats: Columns, shown: Set[str] = frozenset()) -> list[Fact]:
    """The fields worth a sentence, the most telling first; the rest folded by name; none of ``shown``, and
    none that has little to say: rows show it, or its name is said."""
    sentences = list[tuple[float, str]]()
    same, empty, alone = list[str](), list[str](), list[str]()
    total, shown = stats.total, shown | coded(stats) | briefer(stats)
    named = [c.values for c in stats.columns.values() if c.texts and c.values]
    parts = any(_WHOLE.match(value) for values in named for value in values if value.__class__ is str)
    for column in stats.columns.values():
        skipped = column.kind in ("object", "list") or "len()" in column.steps or column.path in shown
        if skipped or row_number(column, stats):
            continue
        fixed = constant(column, stats) if column.scalars and {*(column.values or (0,))} != {""} else ""
        if fixed:
            same.append(f"{column.label}={fixed}")
        elif fixed is None:
            if column.present == 1 and total > FEW and "[]" not in column.steps:  # it misleads, apart from its record
                alone.append(column.label)
            else:
                sentence = _sentence(column, stats, sums=not parts and not _repeated(column, named))
                sentences += [sentence] * (sentence[0] >= LITTLE or column.everywhere)
        elif column.scalars or column.kinds["null"]:
            empty.append(column.label)
    sentences.sort(key=lambda item: -item[0])
    sentences = _once(sentences)
    out = _joined(_ranked(sentences[:MAX_FACTS], stats), total)
    rest = [*(text.split(":")[0] for _, text in sentences[MAX_FACTS:]), *alone]
    if same and total > 1:
        first, others = _same_in_all(same, total, len(stats.columns) <= FEW_FIELDS)
        out = [*first, *out, *others]
    out += [Fact(f"always empty: {some(empty, NAMED)}", 3)] if empty else []
    more = ", …" if len(rest) > FOLDED else ""
    out += [Fact(f"{counted(len(rest), 'more field')}: {', '.join(rest[:FOLDED])}{more}", 3)] if rest else []
    if stats.beyond:
        limit = f"fields beyond the first {len(stats.columns):,} are not analysed"
        out.append(Fact(f"{len(stats.names):,} distinct keys; {limit}", 1))
    return out


def _joined(ranked: list[Fact], total: int) -> list[Fact]:
    """Several measures in one line, so that none is missing beside others: in short without means and medians."""
    spans = [fact for fact in ranked if _MEDIAN in fact.text and fact.rank][: JOINED.stop - 1]
    if len(spans) not in JOINED or total <= FEW:
        return ranked
    short, least = (" · ".join(_brief(fact.text, medians) for fact in spans) for medians in (True, False))
    line = Fact(" · ".join(fact.text for fact in spans), 1, short, least=least)
    return [line if fact is spans[0] else fact for fact in ranked if fact is spans[0] or fact not in spans]


def _brief(text: str, medians: bool) -> str:
    """A measure without mean and sum; of how many it is, is said however short."""
    span, _, rest = text.partition(_MEDIAN)
    value, bracket, has = rest.partition(" (")
    median = f"{_MEDIAN}{value.partition(', ')[0]}" if medians else ""
    return f"{span}{median}{bracket}{has}"


_MEDIAN = ", median "


def coded(stats: Columns) -> set[str]:
    """The fields of a few numbers whose names another field has: ``category_code`` beside ``category_name``."""
    names = {_WORDS.sub("", path.lower()) for path, column in stats.columns.items() if column.texts}
    some = (c for c in stats.columns.values() if c.kinds["number"] and not c.texts)
    numbers = (c.path for c in some if c.values is not None and 1 < len(c.values) < c.scalars)
    return {path for path in numbers if f"{_CODE.sub('', _WORDS.sub('', path.lower()))}name" in names}


def briefer(stats: Columns) -> set[str]:
    """The templates of messages that are too long to be told whole, where a field of few values numbers them."""
    columns = [c for c in stats.columns.values() if c.texts and c.values is not None and len(c.values) <= COUNTED]
    long = {c.path for c in columns if ECHO.search(c.path) and max(map(len, map(str, c.values or ("",)))) > SHORT}
    return long if any(KIND_OF.fullmatch(c.name) for c in columns) else set()


KIND_OF = regex(r"(?i)(?:event|log|message|template|cluster)_?id")
_WORDS, _CODE = regex(r"[\s_-]+"), regex(r"(?:code|id)$")


def _once(sentences: list[tuple[float, str]]) -> list[tuple[float, str]]:
    """Of the same sentence about a field and one deeper down the first."""
    out, seen = list[tuple[float, str]](), set[str]()
    for score, text in sentences:
        label, _, rest = text.partition(": ")
        if "." not in label or rest not in seen:
            out.append((score, text))
        seen.add(rest)
    return out


def _ranked(sentences: list[tuple[float, str]], stats: Columns) -> list[Fact]:
    few = stats.total <= FEW
    states = [c for c in stats.columns.values() if STATUS.search(c.path) and c.values and 1 < len(c.values) <= STATES]
    divides = states and (few or len(states[0].values or ()) > COMMON_STATES)
    first = next(iter(stats.columns.values()), None)  # of a series the time is what it spans
    led = [*(states[:1] if divides else ()), *([first] if first and first.dates else ())]
    asked = tuple(f"{c.label}: " for c in led)
    little = LITTLE_OF_FEW if few else LITTLE
    return [
        _fact(text, 0 if text.startswith(asked) else 3 if i >= SECOND or score < little else 1 if i < FIRST else 2)
        for i, (score, text) in enumerate(sentences)
    ]


def _fact(text: str, rank: int) -> Fact:
    """Of how many records the first values are, is said however few are told; of two or three values the rarest."""
    has = _HAS.search(text)
    label, _, rest = text[: has.start() if has else len(text)].partition(": ")
    parts = rest.split(" · ")
    if len(parts) <= 1:
        return Fact(text, rank)
    parts = parts[::-1] if len(parts) <= TOP else parts
    short, least = (f"{label}: {' · '.join([*parts[:n], '…'])}{has[0] if has else ''}" for n in (len(parts) // 2, 1))
    return Fact(text, rank, short, least=least)


_HAS = regex(r" \((?:present in|null|missing|empty) [^()]{1,80}\)$")


def _same_in_all(same: list[str], total: int, few: bool) -> tuple[list[Fact], list[Fact]]:
    """What every record has: as much as fits ``SHORT`` first, states, then short values; of ``few`` fields at once."""
    same = sorted(same, key=lambda text: (len(text) > SHORT // 2, not _STATED.search(text)))
    often = next((n for n in range(len(same), 0, -1) if len(", ".join(same[:n])) <= SHORT), 0)
    more = f", +{len(same) - often} more" if same[often:] else ""
    facts = [Fact(f"same in all: {', '.join(same[:often])}{more}", 0 if total <= FEW or few else 1)] if often else []
    rest = [Fact(f"{'also ' * bool(often)}same in all: {some(same[often:], NAMED)}", 2)] if same[often:] else []
    return facts, rest


def row_number(column: Column, stats: Columns) -> bool:
    """The row's own number: 1, 2, 3, …; an id is what rows are asked for by, whatever it is."""
    numbers = column.numbers
    if column.path.lower() in ("id", "number", "key"):
        return False
    every = numbers.whole and numbers.rising and numbers.count == stats.total == numbers.hi and numbers.lo == 1
    return every and column.seen is not None and not column.duplicates and len(column.steps) == 1


def constant(column: Column, stats: Columns) -> str | None:
    """The one value that every record has; of lists, that all their elements have, in every record."""
    values = column.values
    if values is None or len(values) != 1 or column.scalars != column.present or len(column.forms) > 1:
        return None
    if column.present < stats.groups[column.group] and column.steps[-1:] != ("[]",):
        return None
    if (column.holders if "[]" in column.steps else column.present) != stats.total:
        return None
    return show(column.shown(next(iter(values))), 40)


VERSION = regex(r"(?i)(?:^|[._])version$")
_WHOLE = regex(r"(?i)(?:all|total|both)(?: [\w ]+)?$")  # rows that are sums of others: of "All regions" and its parts


def _repeated(column: Column, named: Sequence[Mapping[Any, int]]) -> bool:
    """Whether a figure is that of a group, on each of its rows: the inhabitants of a state by age."""
    values = column.values if column.kinds["number"] else None
    if not values or len(values) * 3 > column.scalars:
        return False
    counts = sorted(values.values())
    return any(len(texts) == len(counts) > 1 and sorted(texts.values()) == counts for texts in named)


def _sentence(column: Column, stats: Columns, sums: bool = True) -> tuple[float, str]:
    path, values = column.path, column.values
    deep = 4.0 * (len(column.steps) - 1) + RARE * (column.present * 2 < stats.total)
    has = _presence(column, stats)
    state = bool(STATUS.search(path))
    if values and column.everywhere and column.holders == stats.total:
        more = f" and {len(values) - LISTED} more" if len(values) > LISTED else ""
        shown = _apart([_quoted(column, value) for value in islice(values, LISTED)])
        return 20 - deep, f"{column.label}: in each record {', '.join(shown)}{more}"
    range_tells = column.kinds["number"] and len(values or ()) > NUMBERS and not CODE.search(path)
    if values is not None and len(values) <= COUNTED and not range_tells:
        if (column.kinds["bool"] and deep and "[]" not in column.steps) or LABEL_OF.search(path):
            deep += FLAG
        addresses = 80 * any("://" in v or v[:1] == "/" or v[:2] == '{"' for v in map(str, values))
        few = stats.total <= FEW and not state  # rows say it: each its own, or some the only one
        addresses += LITTLE_OF_FEW * (len(values) == column.scalars or (few and len(values) == 1))
        score = 90 + 25 * state - addresses - len(values) - deep
        return score, f"{column.label}: {_group_by(column, values, LISTED)}{has}"
    if column.kinds["number"] and column.kinds["number"] >= column.kinds["string"]:
        return _number_sentence(column, has, deep, sums)
    if column.dates:
        assert not isinstance(column.dates, bool)
        return DATED - deep, f"{column.label}: {show(column.dates.lo)} to {show(column.dates.hi)}{has}"
    if values is not None and len(values) * 3 <= column.scalars:
        if ECHO.search(path):  # the kinds of what the records say
            most = _group_by(column, values, SHAPES)
            return TEMPLATES - deep, f"{column.label}: {len(values):,} distinct, {most}{has}"
        counts = sorted(values.values(), reverse=True)
        tied = counts[0] == counts[TOP] and column.examples
        most = f"e.g. {show(column.examples[0], 40)}" if tied else _group_by(column, values, TOP)
        text = f"{column.label}: {len(values):,} distinct, {most}{has}"  # of forty that lead together none comes first
        return 60 - deep + 15 * state, text
    if column.level in (0, 1) and column.tally is not None and not any(map(ECHO.search, stats.columns)):
        return _template_sentence(column, has, deep)
    return 30 - deep, f"{column.label}: {_text(column)}{has}"


def _text(column: Column) -> str:
    long = column.characters - LONG * max(1, column.texts)
    size = f"text, mean {_mean_chars(column)} chars" if long > 0 else "text"
    more = f", e.g. {show(column.examples[0], 40)}" if column.examples and long < 0 else ""
    return f"{_distinct(column) or size}{more}"


def _distinct(column: Column) -> str:
    if column.values is not None:
        n = len(column.values)
        return "all distinct" if n == column.scalars else f"{n:,} distinct"
    if column.seen:
        return "all distinct" if not column.duplicates else f"{len(column.seen):,} distinct"
    return ""


def _number_sentence(column: Column, has: str, deep: float, sums: bool = True) -> tuple[float, str]:
    numbers, path = column.numbers, column.path
    if column.mixed:
        sample = f"numbers with several units, e.g. {', '.join(map(str, column.examples))}"
        return 40 - deep, f"{column.label}: {sample}{has}"
    span = f"{column.label}: {span_of(column)}"
    others = column.kinds["string"]
    if others:
        has = f" (without {counted(others, 'value')} that {'is' if others == 1 else 'are'} no number){has}"
    counted_up = SERIAL.search(path) or CLOCK.search(path)
    if counted_up or (numbers.rising and numbers.count > 2):
        distinct = _distinct(column)
        counts = numbers.hi - numbers.lo == numbers.count - 1
        span += ", rising" * (numbers.rising and not (counted_up or counts))
        return 40 - deep, f"{span}{', ' + distinct if distinct else ''}{has}"
    text = f"{span}, median {column.median}"
    if column.measure is None or not column.measure.factors:
        text += f", mean {column.computed(numbers.mean, rounded)}"
        totals = (column.measure is None or column.measure.totals) and not _GRADE.search(column.name)
        if sums and totals and (numbers.whole or abs(numbers.total) >= SUMMED):
            text += f", sum {column.computed(numbers.total)}"
    return 75 - deep + bool(CHANGE.search(column.name)), text + has  # whose ends are what is asked for


def span_of(column: Column) -> str:
    """From the least to the largest number."""
    numbers = column.numbers
    ends = ((numbers.lo, numbers.lo_text), (numbers.hi, numbers.hi_text))
    return " to ".join(text or column.shown(value) for value, text in ends)


def _mean_chars(column: Column) -> str:
    return rounded(round(column.characters / max(1, column.texts)))


def _group_by(column: Column, values: Mapping[Any, int], most: int) -> str:
    if COUNTED >= len(values) > TOP and len({*values.values()}) == 1:  # as the input orders them
        many = max(values.values())
        each = " · ".join(_apart([_quoted(column, v) for v in values]))
        return f"{len(values)} values, {f'{many:,}' if many > 1 else 'once'} each: {each}"
    ranked = sorted(values.items(), key=lambda item: (-item[1], str(item[0])))
    most += len(ranked) == most + 1
    texts = _apart([_quoted(column, v) for v, _ in ranked[:most]])
    parts = [f"{t} {'×' if is_number(v) else ''}{n:,}" for t, (v, n) in zip(texts, ranked, strict=False)]
    if len(ranked) > most:
        rest = sum(n for _, n in ranked[most:])
        parts.append(f"{len(ranked) - most:,} others {rest:,}")
    return " · ".join(parts)


def _quoted(column: Column, value: Any) -> str:
    return (value if isinstance(value, str) else column.shown(value)) if value != "" else "(empty)"


def _apart(values: Sequence[str]) -> list[str]:
    """Values in short; those that begin alike with their ends, by which they differ."""
    heads = Counter(value[:VALUE] for value in values)
    return [with_end(value) if heads[value[:VALUE]] > 1 else show(value, VALUE) for value in values]


def template(value: str, level: int) -> str:
    """A value with its varying parts named: ``…/issues/{n}``; itself where all its words vary."""
    if level >= COARSEST:
        return value
    if level >= 1:
        value = re.sub(r"[0-9a-fA-F]{8,}(?:-[0-9a-fA-F]{4,})*|\b[0-9a-f]*\d[0-9a-f]*\b", "{id}", value)
    return re.sub(r"\d+(?:[.:,-]\d+)*", "{n}", value)


def _template_sentence(column: Column, has: str, deep: float) -> tuple[float, str]:
    tally = column.tally
    assert tally is not None
    distinct = f", {distinct}" if (distinct := _distinct(column)) else ""
    if column.hexadecimal:
        sample = f", e.g. {show(column.examples[0], 40)}" if column.examples else ""
        return 35 - deep, f"{column.label}: hexadecimal{distinct}{sample}{has}"
    names = Counter[str]()
    for part, count in sorted(tally.counts.items(), key=lambda item: (-item[1], item[0])):
        names[show(template(column.template_of.get(part, ""), column.level), 80)] += count
    if {name.strip("-+ %") for name in names if name} == {"{n}"} or VERSION.search(column.path):  # they have no shapes
        example = next(filter(None, map(str, column.examples)), "")
        empty = f", {names['']:,} empty" if names.get("") else ""
        return (62 if empty else 33) - deep, f"{column.label}: e.g. {show(example, 40)}{empty}{distinct}{has}"
    like = "like " * (column.level > 0)  # the letters of hexadecimal numbers stand in words as well
    if len(names) == 1:
        return 38 - deep, f"{column.label}: {like}{next(iter(names))}{distinct}{has}"
    if len(names) * 3 <= column.texts:
        return 62 - deep, f"{column.label}: {len(names):,} shapes, {like}{_group_by(column, names, SHAPES)}{has}"
    return 30 - deep, f"{column.label}: text, mean {_mean_chars(column)} chars{has}"


def _presence(column: Column, stats: Columns) -> str:
    of = column.present if column.steps[-1:] == ("[]",) else stats.groups.get(column.group, 0)
    of = of if "[]" in column.steps else stats.total  # records without the object that would hold it lack it as well
    parts = []
    if column.present < of:
        parts.append(f"present in {column.present:,} of {of:,}")
    if column.kinds["null"]:
        parts.append(f"{column.called('null')} {column.kinds['null']:,}")
    if column.scalars:  # else their parts are told instead
        parts += [f"{kind}s {column.kinds[kind]:,}" for kind in ("object", "list") if column.kinds[kind]]
    return f" ({', '.join(parts)})" if parts else ""
