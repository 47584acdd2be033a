"""JSON that is no plain list of records: shape, statistics by path, leaves by path, what is odd where.

The anchor of everything is the path (``items[3].status.phase``), which ``results get ID --path`` takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from mcpcompact.content.columns.values import Odd, odd_structure, odd_values
from mcpcompact.content.json import beside, exchange
from mcpcompact.content.json.alike import twins
from mcpcompact.content.json.facts import about, called, cut_in, failing, json_facts, little_of, made_by, notes, what
from mcpcompact.content.json.inner import CHECKS, PROSE, begins, checked, inner_outline, long_strings, weights_in
from mcpcompact.content.json.nodes import elements, headed_table, is_notebook, listing, notebook, unwrap
from mcpcompact.content.json.rows import (
    BY_GRADE,
    answering,
    asked_for,
    findings_of,
    holders_of,
    named_in,
    rows_of,
    tables_of,
)
from mcpcompact.content.json.sniff import json_after
from mcpcompact.content.records.listing import GROUPED
from mcpcompact.content.records.shapes import apart, differing
from mcpcompact.content.records.sniff import headed
from mcpcompact.content.shared import calls, datatext, jsontext, reports
from mcpcompact.content.shared.flow import LITTLE, WHO, Line, Row, lines, lines_of_text, members, says_little, sentences
from mcpcompact.content.shared.lines import bounded
from mcpcompact.content.shared.tree import PLACE, Group, Key, Leaves, Sizes, field_of, groups_of, in_short, path_text
from mcpcompact.content.shared.usual import is_rule
from mcpcompact.encoded import containers, may_hold_data, name_data
from mcpcompact.errors import InputError
from mcpcompact.outline import ROW, Fact, Hints, Item, Keep, Lossless, Outline, Series
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted, places
from mcpcompact.shell import Selector, printable
from mcpcompact.source import Source

_LAST_RANK = 3  # the least important facts
REASONS, LED = 2, 300  # of a row; characters that lead on
SHORT_NAME = 20  # characters of a name that a line repeats though a table has it
LABELS, KEYS = 12, 60  # of rows that are alike, in one line; characters of a line of keys that costs as much as a row

MAX_PER_TEMPLATE = 25
FACTS_SHARE = 0.2  # the values themselves, with their paths, say more
TWO = 2  # documents, told apart by what they are also where a table holds them; lines that are alike
TOLD = 0.75  # of the values of a line that stand in a table
FILLS = 32_000  # characters of a table that fills all but huge budgets: no other line of its elements stands behind it
FAILED = 1.5  # factor on what an element holds that tells of a failure
OPENED = 12  # findings of which all is shown where there is room
INSIDE, FIXES = 0.1, 1.0  # factor on what else a finding holds; weight of what mends it
_FIX = regex(r"(?i)(?:suggest|fix|replac|remed|solution|recommend)\w*: (?!null|false|\[\]|\{\}|\"\"|unknown)")
BESIDE = 0.3  # weight of what a linter's report holds beside its findings: rules, taxa, the tool
HEADINGS_SHARE = 0.6  # of a table of the elements
GRADED_SHARE, FINDINGS_SHARE = 0.9, 0.8  # of what a scanner found, of things with titles: the rows are the answer
_RENDERED = regex(r"_html$|(?<=[a-z])H(?:tml|TML)$")
_NAMED = frozenset(beside.NAMES)
_INSIDE = regex(r"\b[a-z]+\.[a-z]+(?=: )")  # what a heading names of an object inside
_STEM = regex(r"(?:\[\].*|\.?\*.*)$")  # of a path what all elements of its list or map begin with


def outline(source: Source, hints: Hints) -> Outline:
    if source.large:
        raise InputError("this JSON is too large to be read at once", hint="use --type text, or split it")
    view = datatext.as_json(source)
    outline = _outline(source if view is None else view.source, hints)
    return outline if view is None else datatext.outlined(outline, view)


def _outline(source: Source, hints: Hints) -> Outline:
    text = source.text.lstrip("\ufeff")
    parsed, before = jsontext.parse(text), ""
    if not parsed.documents and (start := json_after(text)):
        before, text = text[:start], text[start:]
        parsed = jsontext.parse(text)
    if not parsed.documents:
        why = parsed.problem or "the input is blank"
        raise InputError(f"no JSON value: {why}", hint="see --explain, or --type text")
    reading = _Reading(text, parsed, hints, before)
    if not parsed.problem and len(parsed.documents) > TWO and (rows := headed(parsed.documents)) is not None:
        return headed_table(rows, reading.lossless(), hints)
    result = reading.outline()
    result.facts[1:1] = datatext.around(before, parsed.behind(text))
    return result


def spans(text: str) -> Iterator[tuple[int, int]]:
    return jsontext.top_level_spans(text)


class _Reading:
    """One document: its groups, what is odd in them, and the outline made of both."""

    def __init__(self, text: str, parsed: jsontext.Parsed, hints: Hints, before: str = "") -> None:
        self.text, self.parsed, self.hints, self.before = text, parsed, hints, before
        self.cut = cut_in(parsed)
        nodes = parsed.nodes or containers(parsed.documents)
        name_data(nodes if may_hold_data(text) else [])
        untyped = unwrap(nodes)
        nodes = containers(parsed.documents) if untyped else nodes
        self.root: Any = parsed.documents if len(parsed.documents) > 1 else parsed.documents[0]
        self.sizes = Sizes(nodes)
        self.total = self.sizes.of(self.root)[0]
        self.groups = groups_of(self.root)
        self.twins, self.untyped = twins(self.groups, self.sizes), [Fact(untyped, 0)] if untyped else []
        self.marks: dict[tuple[int, Key], Odd] = {}
        self.marked: set[int] = set()  # containers that hold a mark somewhere inside
        self.places: dict[tuple[int, Key], tuple[Group, int]] = {}
        self.inner_facts: list[Fact] = []
        self.findings, self.opened = findings_of(self.groups)  # and what holds them
        self.worst: dict[int, tuple[int, float]] = {}  # findings come before all else, the worst first
        self.listed = dict[str, list[tuple[Item, list[str]]]]()  # rows below each line of keys, with their places
        self.rare: dict[str, list[tuple[Item, Line]]] = {}  # odd rows below each
        self.heads = list[tuple[Item, set[int]]]()  # items that show leaves elsewhere, and which
        self.shared = beside.shared_names(self.groups)
        self.leaves = Leaves(self.root, self.sizes)
        self.checks = CHECKS.search(hints.focus or "") is not None
        self.again = [f".{field_of(group)}" for group in self.groups if group.recursive and field_of(group)]
        self.often = Counter[str]()  # texts of lines
        self.texts: dict[str, str] = {}  # the path at which each long text stands first
        report = self.findings and made_by(self.root, self.leaves, self.groups, self.findings)
        self.about, self.told = report or about(self.root, self.leaves, self.twins.nodes)
        self.rows = rows_of(self.groups, self.findings, self.opened)
        few = 0 < len(self.findings) <= OPENED  # of which all else can be shown, too
        held = ((group, i, node) for group in self.groups if few for i, node in enumerate(group.nodes))
        self.few = {path_text(group.address(i)): node for group, i, node in held if id(node) in self.findings}
        pairs = (at for node in self.few.values() for at in beside.members_said(node, self.findings[id(node)]))
        self.told |= {(id(holder), key) for holder, key in pairs}
        self.asked, below = asked_for(self.groups, hints.focus)
        self.tables = [] if self.findings else tables_of(self.twins.without(below), self.rows, self.leaves, self.asked)
        self.graded = any(BY_GRADE in table.text for table in self.tables[:1])
        self.named = named_in(self.tables)
        self.long = tuple(_STEM.sub("", t.text.partition("|")[0]) for t in self.tables if len(t.text) > FILLS)
        self.tabled = {leaf for table in self.tables for leaves in table.shows for leaf in leaves}
        self.shown = set() if self.asked else self.leaves.places()

    def outline(self) -> Outline:
        if is_notebook(self.root):
            return notebook(self.root, self.notes)
        if not self.parsed.problem and (tree := listing(self.root, self.notes)) is not None:
            return tree
        self._mark()
        items = self._items()
        odds, depth, words = list(self.marks.values()), self.parsed.depth, self.hints.words()
        groups = self.twins.without(self.groups)
        facts = json_facts(self.root, self.kind, self.total, depth, groups, self.leaves, odds, words)
        if self.findings:
            facts = [facts[0], *reports.facts(list(self.findings.values()))]
        elif self.tables:
            starts = tuple(f"{table.text.partition('|')[0]}: " for table in self.tables)
            repeats = [f for f in facts if f.text.startswith(starts)]
            facts = [f for f in facts if f.rank < _LAST_RANK and f not in repeats]
            long = [table for table in self.tables if table.text.count("\n") > beside.ROWS]
            at = len(facts) if long else 1  # of a long one any room shows a part
            facts[at:at], facts[1:1] = self.tables, beside.whole_of(repeats, long)
        facts = facts[:1] + self.tables if self.asked else facts
        listed = len(self.parsed.documents) if len(self.parsed.documents) > 1 else elements(self.root)
        differ = differing(apart(node for g in self.groups if g.step in ("", "[]") for node in g.nodes))
        facts[1:1] = [*calls.items(self.hints, listed), *differ, *self.untyped, *self.about, *self.twins.facts]
        heads = [Fact("", shows=[held]) for _, held in self.heads]
        self.leaves.renumber([*facts, *heads])
        alone = {item.start for item in items if item.start == item.end}  # of which an item shows a part or all
        for (item, _), head in zip(self.heads, heads, strict=True):
            item.also = sorted({*range(item.start, item.end + 1)}.union(*head.shows))
            item.start = item.end = min(item.also, key=lambda unit: (unit in alone, unit))
        return Outline(
            content_type="json",
            unit="value",
            total=self.total,
            headline=f"{self.kind}, {counted(self.total, 'value')}",
            facts=facts + self.inner_facts + little_of(self.groups),
            items=items,
            lossless=self.lossless(),
            more=self._more(items),
            facts_share=self._facts_share(),
            keeps_told=bool(self.tables) and self._told(),
            notes=self.notes,
        )

    def _facts_share(self) -> float:
        if any(map(answering, self.tables[:1])):
            return GRADED_SHARE if self.graded or exchange.SENT in self.tables[0].text else FINDINGS_SHARE
        if self.tables or (len(self.about) > 1 and not self.findings) or self.inner_facts or self.groups[0].is_map:
            return HEADINGS_SHARE
        return GROUPED if self.findings else FACTS_SHARE

    def _told(self) -> bool:
        """Whether the tables show what tells of a failure; one of a map may give way to it, unless it is graded."""
        if self.tables[0].text.partition("|")[0].endswith("*") and not self.graded:
            return False
        severe = (self.places[place] for place, odd in self.marks.items() if odd.keep == Keep.SEVERE)
        held = ((group.holder(index), group.keys[index]) for group, index in severe)
        return all(at is None or self.tabled.issuperset(self.leaves.below(at[0].nodes[at[1]], k)) for at, k in held)

    @property
    def kind(self) -> str:
        """What the input is, in a few words."""
        documents = len(self.parsed.documents)
        return f"{documents:,} JSON documents" if documents > 1 else f"JSON {what(self.root)}"

    def lossless(self) -> list[Lossless]:
        if self.parsed.problem or self.before:
            return []
        least = max(len(self.text) // 8, len(self.text) - sum(map(self.text.count, " \t\r\n")))
        return [Lossless("JSON, whitespace dropped", lambda: jsontext.minify(self.text), least)]

    def _more(self, items: Sequence[Item]) -> list[Selector]:
        """What is odd, the gravest finding, else what holds most."""
        paths = [p for g, i in self.places.values() if (p := path_text(g.address(i)))]
        if not paths and self.worst:
            findings = [item for item in items if id(item) in self.worst]
            paths = [min(findings, key=lambda item: self.worst[id(item)]).text.partition(": ")[0]]
        elif not paths and isinstance(self.root, dict):
            keys = sorted(self.root, key=lambda key: -self.sizes.of(self.root[key])[1])
            paths = [path_text((key,)) for key in keys]
        elif not paths:
            paths = ["[0]"]
        path = next((path for path in paths if path and "…" not in path and printable(path)), "")
        return [("--path", path) if path else ("--lines", "A:B")]

    @cached_property
    def notes(self) -> list[str]:
        tabled = any(table.text.startswith("[]|") for table in self.tables) and len(self.parsed.documents) > TWO
        return notes(self.text, self.before, self.parsed, self.cut, apart=not tabled and not self.findings)

    # -- what is odd ------------------------------------------------------------------------------

    def _mark(self) -> None:
        candidates: list[tuple[int, Group, Odd]] = []
        for g, group in enumerate(self.groups):
            if group.parent is None or called(group) or beside.coordinates(group.path, group.nodes):
                continue
            ordered = self.graded and reports.is_severity(group.step)
            if ordered or (
                self.findings and self.opened.isdisjoint(map(id, group.parent.nodes))
            ):  # not what holds them
                continue
            scalars: Sequence[int] = range(len(group.nodes))
            if not group.types.isdisjoint((dict, list)):
                scalars = [i for i in scalars if group.nodes[i].__class__ not in (dict, list)]
            odds = beside.once(group, odd_values(field_of(group), [group.nodes[i] for i in scalars]) if scalars else [])
            few = len(group.nodes) * TWO < len(group.parent.nodes)  # of several kinds, of which these have the field
            if few or PLACE.fullmatch(group.step):
                odds = [odd for odd in odds if odd.keep != Keep.RARE]
            for odd in odds:
                odd.index = scalars[odd.index]
                odd.template = f"{group.path} {odd.template}"
            odds = [odd for odd in odds if odd.keep == Keep.OUTLIER] if self.findings else [*odds, *failing(group)]
            if not (self.findings or self.parsed.problem) and self.parsed.depth <= jsontext.MAX_DEPTH:
                odds += odd_structure(group)
            candidates += [(g, group, odd) for odd in odds]
        allowed, per_template = max(12, self.total // 200), Counter[str]()
        weak = [each for each in candidates if each[2].keep < Keep.SEVERE]
        weak.sort(key=lambda each: (-each[2].keep, -len(each[1].nodes), each[0], each[2].index))
        for _, group, odd in [each for each in candidates if each[2].keep == Keep.SEVERE] + weak[:allowed]:
            per_template[odd.template] += 1
            if per_template[odd.template] <= MAX_PER_TEMPLATE:
                self._set_mark(group, odd.index, odd)

    def _set_mark(self, group: Group, index: int, odd: Odd) -> None:
        holders = [id(holder) for holder, *_ in holders_of(group, index)]
        place = (holders[0], group.keys[index])
        if place not in self.marks or self.marks[place].keep < odd.keep:
            self.marks[place], self.places[place] = odd, (group, index)
            self.marked.update(holders)

    # -- items ------------------------------------------------------------------------------------

    def _items(self) -> list[Item]:
        items, longest = list[Item](), long_strings(self.groups)
        severe = (self.places[place] for place, odd in self.marks.items() if odd.keep == Keep.SEVERE)
        self.failed = {path_text(group.address(index)).partition("]")[0] for group, index in severe}
        ranks, seen_rows = reports.ranks(self.findings), dict[str, tuple[Item, list[str]]]()
        items += [self._finding_item(path, 1, node, ranks) for path, node in self.few.items()]
        within, rows = tuple(f"{path}." for path in self.few), self.rows | dict.fromkeys(map(id, self.few.values()))
        for line in lines(self.root, self.sizes, rows, self.told, self.shown):
            again = self.twins.again(line.path, line.owner, line.keys)
            self.leaves.number(line.owner, line.keys, line.start)
            if line.row is not None and not line.row.keys:
                added = [self._finding_item(line.path, line.start, line.owner[line.keys[0]], ranks)]
            elif line.row is not None:
                added = self._row_items(line, line.row, seen_rows)
            else:
                added = self._long_items(line, longest) if line.long and not again else [self._item(line)]
                if line.heading and (inside := [name.split(".") for name in _INSIDE.findall(line.text)]):
                    self.heads += [(added[0], held)] if (held := self.leaves.at(line.owner, inside)) else []
            for item in added:
                item.weight = min(item.weight, BESIDE) if self.findings and line.row is None else item.weight
                if within and f"{line.path}.".startswith(within):
                    item.weight = FIXES if item.weight > 0 and _FIX.search(line.text) else item.weight * INSIDE
                if again:
                    item.keep, item.weight = Keep.NONE, 0.0
                if self.asked and not line.path.startswith(self.asked):
                    item.keep, item.weight = Keep.NONE, 0.0 if line.row is not None else beside.ASIDE
                elif self.asked and not item.section:
                    item.text, item.section = item.text[len(self.asked) :], f"{self.asked}:"
                    item.lead = max(0, item.lead - len(self.asked))
            items += added
        self._spell_out()
        beside.rank_rows(self.listed.values())
        items = bounded(items)
        if self.findings:
            return sorted(items, key=lambda item: self.worst.get(id(item), (2, 0.0)))
        return sorted(items, key=lambda item: item.keep < Keep.SEVERE or item.section != "")  # failures first

    def _item(self, line: Line) -> Item:
        odds = [(place, odd) for place, odd in self._odds_of(line) if place not in self.told]
        who = beside.whose(line, self.shared)
        if odds:
            keep = max(odd.keep for _, odd in odds)
            place, odd = next(entry for entry in odds if entry[1].keep == keep)
            name = "" if who else beside.identity(*self.places[place])
            if name and name[1] not in line.text and not beside.is_shared(line.path, " ".join(name), self.shared):
                who = " ".join(name)
        named = self.named.get(line.path.partition("]")[0] + "]", ())
        tabled = named if len(who) > (WHO if odds else SHORT_NAME) else ()
        path = f"{line.path} ({who})".strip() if who and who.partition(" ")[0] not in tabled else line.path
        text = f"{path}: {line.text}".removeprefix(": ")
        lead = len(text) - len(line.text)
        if not odds:  # which element this is comes before what else it holds
            own = "[" in line.path and line.weight > LITTLE and line.owner.__class__ is dict
            own = own and not _NAMED.isdisjoint(line.keys)
            weight = 3.0 if line.heading else 1.5 if own else line.weight
            self.often[line.text] += 1
            aside = self.often[line.text] > TWO or (not self.findings and self._repeated(line))
            weight = BESIDE if self.findings else weight
            if line.keys and all(beside.is_told(self.told, line.owner, key) for key in line.keys):
                weight = 0.0
            weight = beside.weight_of(line, weight)
            if aside and weight < beside.CAUSE:  # that is said also where a table says it
                weight = min(weight, beside.ASIDE)
            weight /= 1 + sum(map(line.path.count, self.again))
            weight *= FAILED if line.path.partition("]")[0] in self.failed else 1.0
            weight = 0.0 if self._tabled(line) or (self.long and line.path.startswith(self.long)) else weight
            rule = bool(line.owner and line.keys) and is_rule(line.owner[line.keys[0]])
            return Item(line.start, line.end, text, weight=weight, lead=lead, whole=rule)
        reasons = list(dict.fromkeys(odd.reason for _, odd in odds if odd.reason))
        weight = 0.0 if self._tabled(line) else 1.5
        return Item(line.start, line.end, text, keep, "; ".join(reasons[:3]), odd.template, weight, lead=lead)

    def _tabled(self, line: Line) -> bool:
        """Whether a short table of what the document is about shows all of it, whole, or nobody reads it."""
        shown = bool(line.keys) and self.shown.issuperset((id(line.owner), key) for key in line.keys)
        return shown or beside.coordinates(line.path, (line.owner[key] for key in line.keys))

    def _repeated(self, line: Line) -> bool:
        """Whether tables, the facts or the path hold most of a line."""
        if line.owner.__class__ is list and not self.tabled:
            return False
        owner = line.owner
        if line.heading and not line.keys:
            return not self.tabled.isdisjoint(self.leaves.of(owner))
        repeated = every = 0
        for key in line.keys if owner is not None else ():
            child = owner[key]
            if len(line.keys) > 1 and says_little(key, child):
                continue
            leaves, _ = self.sizes.of(child)
            every += leaves
            again = (id(owner), key) in self.told or child == line.path.rpartition(".")[2]
            if again:
                repeated += leaves
            elif self.tabled:
                repeated += len(self.tabled.intersection(self.leaves.below(owner, key)))
        return 0 < every * TOLD <= repeated

    def _finding_item(self, path: str, start: int, node: Any, ranks: dict[int, tuple[Keep, float]]) -> Item:
        (keep, weight), finding, row = ranks[id(node)], self.findings[id(node)], self.rows[id(node)]
        cells = row.cells if row is not None else finding.message
        alike = f"{finding.kind} {finding.message} {finding.file}"  # what is like it stands in the same file
        path = path.replace(f'"{finding.file}"', '"…"')  # a file that is a key is said once
        text = f"{path}: {cells}"
        lead = len(path) + 2 + max(0, cells.find(finding.message, 0, LED))  # where it was found, what breaks
        pairs = beside.members_said(node, finding)
        item = Item(start, start + len(pairs) - 1, text, keep, "", alike, weight, lead=lead)
        if self.few and pairs:
            item.start, item.end = 1, 0
            self.heads.append((item, {self.leaves.below(*place)[0] for place in pairs}))
        self.worst[id(item)] = (finding.muted, reports.rank(finding.grade))
        return item

    def _row_items(self, line: Line, row: Row, seen: dict[str, tuple[Item, list[str]]]) -> list[Item]:
        """A row under its keys; what another row says already stands beside its place there."""
        label = in_short(line.path[row.prefix :].removeprefix("."), row.keys)
        if not (odds := self._odds_of(line)) and self._tabled(line):
            return []
        keep = max((odd.keep for _, odd in odds), default=Keep.NONE)
        section, cells = row.keys, f"{row.keys}\n{row.cells}"
        first, labels = seen.get(cells, (None, []))
        if first is not None and not (odds or first.keep or self.asked) and len(labels) < LABELS:
            first.also = [*(first.also or range(first.start, first.end + 1)), *range(line.start, line.end + 1)]
            labels.append(label)
            first.text = f"{places(labels)}|{row.cells}"
            return []
        text, series = f"{label}|{row.cells}", Series(f"{ROW} {section}", 1, row.total)
        item = Item(line.start, line.end, text, keep, section=section, weight=1.5, series=series)
        seen[cells] = item, [label]
        if odds:
            item.template = next(odd for _, odd in odds if odd.keep == keep).template
            reasons = dict.fromkeys(beside.telling(*self.places[place], odd) for place, odd in odds)
            item.reason = "; ".join([text for text in reasons if text and text not in row.cells][:REASONS])
            self.rare.setdefault(section, []).append((item, line))
        elif (little := says_little(line.keys[0], line.owner[line.keys[0]])) or self.findings:
            item.weight = LITTLE if little else BESIDE
        elif line.path.startswith(self.asked):
            self.listed.setdefault(section, []).append(seen[cells])
        return [item]

    def _spell_out(self) -> None:
        """The only odd row of a list with its keys beside it, where the line of them all costs as much as the row."""
        for item, line in (rare[0] for keys, rare in self.rare.items() if len(rare) == 1 and len(keys) > KEYS):
            node: dict[str, Any] = line.owner[line.keys[0]]
            odds = self._odds_of(line)
            first = [k for k in (*beside.NAMES, *(place[1] for place, _ in odds)) if k in node]
            item.reason = "; ".join(dict.fromkeys(odd.reason or str(place[1]) for place, odd in odds[:REASONS]))
            who = f" ({line.who})" if line.who else ""
            item.text = f"{line.path}{who}: {members({k: node[k] for k in (*first, *node)})}"
            item.section, item.lead, item.at = "", (lead := len(line.path) + len(who) + 2), lead

    def _odds_of(self, line: Line) -> list[tuple[tuple[int, Key], Odd]]:
        if line.owner is not None and id(line.owner) not in self.marked:
            return []
        odds = []
        stack: list[tuple[Any, Key]] = [(line.owner, key) for key in reversed(line.keys)]
        while stack:
            owner, key = stack.pop()
            if owner is None:
                value = self.root
            else:
                if (place := (id(owner), key)) in self.marks:
                    odds.append((place, self.marks[place]))
                value = owner[key]
            if id(value) in self.marked:
                below = value.items() if value.__class__ is dict else enumerate(value)
                stack.extend(reversed([(value, k) for k, _ in below]))
        return odds

    # -- long strings -----------------------------------------------------------------------------

    def _long_items(self, line: Line, longest: set[int]) -> list[Item]:
        """A long text by its own lines, below its path; one that is a log, a table or the like as what that shows."""
        owner, key = line.owner, line.keys[0]
        value: str = self.root if owner is None else owner[key]
        odds = self._odds_of(line)
        keep, reason = (odds[0][1].keep, odds[0][1].reason) if odds else (Keep.NONE, "")
        path = f"{line.path} ({line.who})" if line.who else line.path or "the string"
        first = self.texts.setdefault(value, line.path)
        source = _RENDERED.sub("", str(key))
        if source != key and owner.__class__ is dict and owner.get(source):  # body_html beside body
            first = f"{line.path[: -len(str(key))]}{source} as HTML"
        if first != line.path or (id(owner), key) in self.told:  # it stands elsewhere
            same = f"{path} = {first}" if first != line.path else f"{path}: {len(value):,} characters"
            alike = owner.__class__ is list  # that two entries are alike tells nothing of either
            weight = 0.0 if alike else beside.aside_of(path, "") or (LITTLE if first.endswith("HTML") else beside.ASIDE)
            return [Item(line.start, line.end, same, weight=weight)]
        if weight := beside.aside_of(path, value):
            text = f"{path}: {value}"
            return [Item(line.start, line.end, text, keep, reason, weight=weight, lead=len(text) - len(value))]
        inner = inner_outline(value, self.hints) if id(value) in longest else None
        if "\n" not in value.strip() and inner is None:
            items = sentences(line.start, line.end, path, value, keep, reason)
            items[0].whole = owner is not None and not self.leaves.cut.isdisjoint(self.leaves.below(owner, key))
            return items  # whole where its beginning stands in a table
        if inner is None or not inner.items:
            items = begins(lines_of_text(line.start, line.end, path, value), self.tables, key)
            return checked(items) if self.checks else items
        head = f"{path}, {inner.headline}:" + (f"\n{inner.header}" if inner.header else "")
        if inner.content_type not in PROSE:
            lower = 0 if 4 * len(value) > len(self.text) else 1  # the text may be all that matters
            self.inner_facts += [Fact(f"{path}: {f.text}", min(3, f.rank + lower)) for f in inner.facts]
        least, part = weights_in(inner, len(value), len(self.text))
        flow = "lines" if inner.content_type in ("code", "diff") else ""
        return [
            Item(
                line.start, line.end, i.text, i.keep, i.reason, i.template, max(least, part * i.weight),
                f"{path}: {i.section}" if i.section else head, i.at, flow=flow,
            )
            for i in inner.items
        ]  # fmt: skip
