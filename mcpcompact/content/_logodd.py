"""What stands out in a scanned log: loud lines by rarity, rare values and templates, numeric outliers."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from mcpcompact.content._loglines import (
    SENSITIVE,
    STAMP_WITHIN,
    STAMPS,
    find_stamp,
    is_head,
    level_of,
    severity_of,
)
from mcpcompact.content._logscan import Scan, Shape
from mcpcompact.content._logtemplates import (
    NUMBER,
    WILD,
    Miner,
    Odd,
    Spread,
    Template,
    category,
    is_id,
    mask,
    outliers,
    plain,
    rare_values,
    tokens_of,
)
from mcpcompact.content._testruns import outcome_of
from mcpcompact.outline import Keep
from mcpcompact.patterns import regex
from mcpcompact.slotted import dataclass, field

_PATTERNS: Final = dict(STAMPS)
_AFTER_STAMP: Final = regex(r"[.,:]\d{1,9}|Z\b|\s?[+-]\d\d:?\d\d\b|\s(?:UTC|GMT)\b")
_DATE: Final = regex(r"\d{4}[-./]\d\d|\d\d?[-./]\d\d?[-./]\d{4}|\d\d?:\d\d")
_MAYBE_TEST: Final = regex(r"::|\.\.\. |--- |ok ")
_COUNTED: Final = regex(r"(?:err|fail|exit|\brc\b)\w{0,8}\W{1,4}\d", re.IGNORECASE)
_PACKAGE: Final = regex(r"\b(?:[a-z]\w{0,30}\.){2,8}([A-Z]\w)")  # org.apache.hadoop.Foo is said as Foo
_RULER: Final = regex(r"[=_*#~-]{4}|>")
_NAME: Final = regex(r"[A-Za-z_][\w.-]{0,80}$")
_KEY: Final = regex(r"\"?\s{0,40}(?:[=:]|=>|:=)\s{0,40}\"?[\[(]?$")
MAX_KEPT_SEVERE, MAX_KEPT_RARE, MAX_KEPT_OUTLIERS = 240, 16, 12


@dataclass(slots=True)
class Seen:
    """A shape read: its text (Latin-1, so that positions are bytes), the same with the stamp blanked, token spans."""

    shape: Shape
    text: str
    body: str
    spans: list[tuple[int, int]]
    level: str
    template: Template
    severity: int = 0


@dataclass(slots=True)
class Mark:
    """Why a line is kept. ``group`` folds marks that say the same."""

    line: int
    keep: Keep
    reason: str
    group: str
    score: float = 0.0
    count: int = 1  # lines that say the same


@dataclass
class Analysis:
    scan: Scan
    seen: list[Seen] = field(default_factory=list)
    templates: list[Template] = field(default_factory=list)
    levels: Counter[str] = field(default_factory=Counter)
    loud: list[tuple[int, int, Template]] = field(default_factory=list)  # line, severity, template
    loud_lines: int = 0
    error_lines: int = 0  # of those, the ones of level error and above
    loud_counts: Counter[int] = field(default_factory=Counter)  # by template id
    spreads: list[tuple[int, Spread]] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)  # of tests
    headed: bool = False
    unsure: bool = False  # numbers that tell good from bad (``errors=0``) were read in sampled lines only
    strays: dict[tuple[str, ...], Template] = field(default_factory=dict)  # templates of loud lines without a shape

    @classmethod
    def of(cls, scan: Scan, headed: bool) -> Analysis:
        self = cls(scan, headed=headed)
        self._read()
        self._severe()
        self._outcomes()
        self._slots()
        self._rare_templates()
        self._trim()
        return self

    # ------------------------------------------------------------------------------------------ reading

    def _read(self) -> None:
        miner = Miner()
        kind, after_bracket = self.scan.stamp_kind, self.scan.stamp_after
        column = self.scan.stamp_at[0]
        pattern = _PATTERNS.get(kind)
        for number, shape in enumerate(sorted(self.scan.shapes.values(), key=lambda s: s.first)):
            text = shape.first_text.decode("latin-1")
            span = None
            if pattern is not None:
                found = pattern.match(text, text.find("[") + 1 if after_bracket else column)
                span = found.span() if found else None
            if span is None:
                any_stamp = find_stamp(text)
                span = any_stamp[1:] if any_stamp else None
            body = text
            if span and span[0] < STAMP_WITHIN:
                end = span[1]
                for _ in range(3):
                    more = _AFTER_STAMP.match(text, end)
                    end = more.end() if more else end
                body = text[: span[0]] + " " * (end - span[0]) + text[end:]
            spans = tokens_of(body)
            words = tuple([mask(body[a:b]) for a, b in spans])
            level = level_of(text)
            if level:
                self.levels[level] += shape.count
            self.seen.append(Seen(shape, text, body, spans, level, miner.add(words, shape.count, number)))
        self.templates = miner.templates

    def name(self, template: Template) -> str:
        """The template as text: its first line with the differing words as ``*``, blanks and stamp dropped."""
        if not template.shapes:
            return " ".join(template.words)
        one = self.seen[template.shapes[0]]
        parts: list[str] = []
        end = one.spans[0][0] if one.spans else 0
        end -= end > 0 and one.body[end - 1] in "[(<\"'"
        for (a, b), word in zip(one.spans, template.words, strict=False):
            parts += [one.body[end:a], WILD if word == WILD else word]
            end = b
        parts.append(one.body[end : end + 2])
        text = re.sub(r"\*(?:[/:.,\s_-]?\*)+", "*", " ".join("".join(parts).split()))
        text = _PACKAGE.sub(r"\1", text)
        text = shown(text.encode("latin-1", "replace"))[:160].strip("] -|:,;=(")
        return text + "]" * (len(text) - 24 < text.rfind("[") > text.rfind("]")) or "(blank)"

    # ----------------------------------------------------------------------------------------- severity

    def _severe(self) -> None:
        for one in self.seen:
            rank = severity_of(one.text, one.level)
            shape = one.shape
            if shape.count > 1 and SENSITIVE.search(one.text) and one.level not in ("ERROR", "FATAL", "CRITICAL"):
                known = shape.lines()
                ranks = [(number, severity_of(text.decode("latin-1"), one.level)) for number, text in known]
                bad = [(number, r) for number, r in ranks if r >= 2]
                if shape.count > len(known) and _COUNTED.search(one.text):
                    self.unsure = True
                share = len(bad) / len(ranks)
                total = round(share * shape.count) if bad else 0
                hits = bad
            else:
                hits = [(number, rank) for number, _ in shape.lines()] if rank >= 2 else []
                total = shape.count if rank >= 2 else 0
            if hits:
                one.severity = max(r for _, r in hits)
                self.loud += [(number, r, one.template) for number, r in hits]
                self.loud_lines += total
                self.error_lines += total if one.severity >= 3 else 0
                self.loud_counts[id(one.template)] += total
        for number, raw in self.scan.loud:
            text = raw.decode("latin-1")
            rank = severity_of(text)
            if rank >= 2:
                stray = Template([mask(text[a:b]) for a, b in tokens_of(text)], 1)
                self.loud.append((number, rank, self.strays.setdefault(tuple(stray.words), stray)))
                self.loud_counts[id(self.loud[-1][2])] += 1
                self.loud_lines += 1
                self.error_lines += rank >= 3
        self.loud.sort(key=lambda hit: hit[0])
        self._mark_severe()

    def _mark_severe(self) -> None:
        """All loud lines when they are few; else by rarity of their template: first and last, rarest first."""
        lines = self.scan.lines
        room = max(24, min(MAX_KEPT_SEVERE, lines // 66))
        groups: dict[int, list[tuple[int, int, Template]]] = {}
        for hit in self.loud:
            groups.setdefault(id(hit[2]), []).append(hit)
        few = self.loud_lines <= room
        flood = self.loud_lines * 50 > lines and self.loud_lines > 40
        ordered = sorted(
            groups.values(), key=lambda g: (self.loud_counts[id(g[0][2])], -max(r for _, r, _ in g), g[0][0])
        )
        if not few:  # of lines that nearly all report a failure a few of each kind; the rest compete by what they name
            room = min(room, 6 if self.loud_lines * 5 > lines * 2 else 24)
        single = any(self.loud_counts[id(group[0][2])] <= 3 for group in ordered)
        for rank_in_order, group in enumerate(ordered):
            count = self.loud_counts[id(group[0][2])]
            worst = max(r for _, r, _ in group)
            if few or count <= 3:
                chosen = group
            else:
                if flood and count * 20 > lines and worst < 4 and rank_in_order > 8:
                    continue
                extremes = [hit for hit in group if hit[1] == worst]
                chosen = [extremes[0], extremes[-1]] if len(extremes) > 1 else extremes
            if room <= 0:
                break
            for number, rank, template in chosen[: max(room, 1)]:
                reason = "" if count <= 3 or number != chosen[0][0] else f"one of {count:,} such lines"
                # what fails all the time must not stand before the failure that nobody has seen
                keep = Keep.OUTLIER if single and count > max(8, lines // 200) and worst < 4 else Keep.SEVERE
                self.marks.append(Mark(number, keep, reason, self._group(template), rank, count))
            room -= len(chosen)

    def _group(self, template: Template) -> str:
        return f"t{template.shapes[0]}" if template.shapes else "t " + " ".join(template.words)[:80]

    # -------------------------------------------------------------------------------------------- slots

    def _outcomes(self) -> None:
        """Tests by outcome over all their files: one that occurs once or twice among many is odd."""
        reported: list[tuple[str, Shape]] = []
        for one in self.seen:
            outcome = outcome_of(one.text) if _MAYBE_TEST.search(one.text) else ""
            if outcome:
                reported.append((outcome, one.shape))
                self.outcomes[outcome] += one.shape.count
        total = sum(self.outcomes.values())
        for outcome, shape in reported:
            if self.outcomes[outcome] <= max(2, total // 400) and total >= 40:
                times = "once" if self.outcomes[outcome] == 1 else f"{self.outcomes[outcome]} times"
                reason = f"{outcome} {times} in {total:,} tests"
                self.marks += [Mark(line, Keep.RARE, reason, f"o{outcome}", total) for line, _ in shape.lines()]

    def _shared(self) -> list[tuple[Odd, Keep]]:
        """Words by their key (``region=``) and by their place at the line's ends, over all templates together."""
        pools: dict[str, list[tuple[int, str, int]]] = {}
        for one in self.seen:
            last = len(one.spans) - 1
            for at, (a, b) in enumerate(one.spans):
                word = one.text[a:b]
                if not _few_digits(word):
                    continue
                name = self._slot_name(one, at, keys_only=True)
                for key in (name, f"^{at}" if at < 3 else "", f"${last - at}" if last - at < 2 else ""):
                    if key:
                        pools.setdefault(key, []).append((one.shape.first, category(word), one.shape.count))
        verbatim = {one.shape.first: one.text for one in self.seen}
        odd = []
        for key, values in sorted(pools.items()):
            for found in rare_values(values, key if key[0] not in "^$" else ""):
                text = verbatim[found.line]
                words = [text[a:b] for a, b in tokens_of(text)]
                value = next((word for word in words if category(word) == found.value), found.value)
                found.why = found.why.replace(found.value, value[:80], 1)
                odd.append((found, Keep.RARE))
        return odd

    def _slots(self) -> None:
        pools: dict[str, list[tuple[int, float, str]]] = {}
        origins: Counter[str] = Counter()
        odd: list[tuple[Odd, Keep]] = []
        exact = self.scan.step == 1 and not self.scan.unseen
        for template in self.templates:
            if template.count < 20:
                if template.count < 2:
                    self._pool_small(template, pools)
                continue
            members = [self.seen[n] for n in template.shapes]
            for position, word in enumerate(template.words):
                if word == WILD:
                    odd += self._slot(template, members, position, pools, origins, exact)
        for name, values in sorted(pools.items()):
            if origins[name] > 1 or len(values) > 20:
                values.sort()
                odd += [(one, Keep.OUTLIER) for one in outliers(values, name)[1]]
        self._mark_odd(odd + self._shared())

    def _pool_small(self, template: Template, pools: dict[str, list[tuple[int, float, str]]]) -> None:
        one = self.seen[template.shapes[0]]
        for at in range(len(one.spans)):
            name = self._slot_name(one, at)
            a, b = one.spans[at]
            number = NUMBER.match(one.text[a:b])
            if number and name and not is_id(name):
                pools.setdefault(name, []).append((one.shape.first, float(number[1]), one.text[a:b]))

    def _slot_name(self, one: Seen, position: int, keys_only: bool = False) -> str:
        if not position:
            return ""
        a, b = one.spans[position - 1]
        before = one.text[a:b]
        gap = one.text[b : one.spans[position][0]]
        if _KEY.match(gap) and _NAME.match(before):
            return before.rpartition(".")[2][-40:]
        if keys_only:
            return ""
        return before if gap.isspace() and before.isalpha() and len(before) < 20 and not plain(before) else ""

    def _slot(
        self,
        template: Template,
        members: list[Seen],
        position: int,
        pools: dict[str, list[tuple[int, float, str]]],
        origins: Counter[str],
        exact: bool,
    ) -> list[tuple[Odd, Keep]]:
        a, b = members[0].spans[position]
        text = members[0].text
        if (text[b : b + 1] == ":" and text[b + 1 : b + 2].isdigit()) or (
            text[a - 1 : a] == ":" and text[a - 2 : a - 1].isdigit()
        ):
            return []  # a clock, or an address with its port
        name = self._slot_name(members[0], position)
        varies = re.compile(f"[0-9{self.scan.letters}]").search
        fixed: list[tuple[int, str, int]] = []  # line, value, lines
        loose: list[tuple[int, str]] = []
        for one in members:
            a, b = one.spans[position]
            token = one.text[a:b]
            shape = one.shape
            if shape.count == 1 or not varies(token):
                fixed.append((shape.first, token, shape.count))
            else:
                loose += [(number, text[a:b].decode("latin-1")) for number, text in shape.lines()]
        values = sorted([(line, value) for line, value, _ in fixed] + loose)
        numbers = [(line, found, value) for line, value in values if (found := NUMBER.match(value))]
        if numbers and len(numbers) >= 0.9 * len(values):
            few = len({value for _, _, value in numbers}) <= 8
            if few and exact and not is_id(name):
                return [(one, Keep.RARE) for one in rare_values([(line, value, 1) for line, value in values], name)]
            units = Counter(found[2] for _, found, _ in numbers)
            unit = units.most_common(1)[0][0]
            odd: list[tuple[Odd, Keep]] = []
            if len(units) > 1:
                odd = [
                    (o, Keep.RARE) for o in rare_values([(n, f[2] and v, 1) for n, f, v in numbers], name) if o.value
                ]
            if is_id(name):
                return odd
            measured = [(line, float(found[1]), value) for line, found, value in numbers if found[2] == unit]
            spread, far = outliers(measured, name)
            if spread:
                spread.unit = unit
                self.spreads.append((template.shapes[0], spread))
                if name and not far:
                    pools.setdefault(name, []).extend(measured[:4000])
                    origins[name] += 1
            return odd + [(one, Keep.OUTLIER) for one in far]
        return [(one, Keep.RARE) for one in self._rare_words(members, position, fixed, loose, name, exact)]

    def _rare_words(
        self,
        members: list[Seen],
        position: int,
        fixed: list[tuple[int, str, int]],
        loose: list[tuple[int, str]],
        name: str,
        exact: bool,
    ) -> list[Odd]:
        """First by the values themselves (``node-17``) where every line is known, then by their kind (``node-0``)."""
        tries = []
        if exact:
            tries.append(
                [
                    (line, v if _few_digits(v) else category(v), n, v)
                    for line, v, n in [*fixed, *((line, v, 1) for line, v in loose)]
                ]
            )
        spans = [(one, one.spans[position]) for one in members]
        tries.append([(o.shape.first, category(o.text[a:b]), o.shape.count, o.text[a:b]) for o, (a, b) in spans])
        for weighed in tries:
            verbatim = {(line, key): value for line, key, _, value in weighed}
            odd = rare_values(sorted(w[:3] for w in weighed), name)
            odd = [one for one in odd if not _DATE.match(verbatim[one.line, one.value])]
            for one in odd:
                value = verbatim[one.line, one.value]
                one.why = one.why.replace(one.value, value[:80], 1)
                one.value = value
            if odd:
                return odd
        return []

    def _mark_odd(self, odd: list[tuple[Odd, Keep]]) -> None:
        best: dict[int, tuple[Odd, Keep]] = {}
        for one, keep in sorted(odd, key=lambda pair: (-pair[1], -pair[0].score, pair[0].line)):
            best.setdefault(one.line, (one, keep))
        for one, keep in best.values():
            why = one.why.encode("latin-1", "replace").decode("utf-8", "replace")
            self.marks.append(Mark(one.line, keep, why[:120], f"{keep.name}{one.line}", one.score))

    # ----------------------------------------------------------------------------------- rare templates

    def _rare_templates(self) -> None:
        lines = self.scan.lines
        if lines < 40:
            return
        limit = 2 if lines >= 1000 else 1
        indents: Counter[int] = Counter()
        for one in self.seen:
            indents[_indent(one.text)] += one.shape.count
        indent, with_it = indents.most_common(1)[0]  # that of a log whose lines are all indented (cargo, ctest)
        indent = indent if with_it * 5 >= lines * 4 else 0
        candidates = []
        for template in self.templates:
            if template.count > limit:
                continue
            one = self.seen[template.shapes[0]]
            text = one.text
            if not one.spans or not any(map(str.isalnum, text)):
                continue
            if _RULER.match(text) or (self.headed and not is_head(text)):
                continue
            if text[:1] in " \t" and _indent(text) != indent:
                continue
            candidates += [(self.seen[n].shape.first, template) for n in template.shapes]
        common = sum(t.count for t in self.templates if t.count >= max(10, lines // 400))
        if common * 2 < lines or len(candidates) * 20 > lines:  # a varied log: to be the only one is no news
            return
        near = {line for line, _ in candidates}
        known = {mark.line for mark in self.marks}
        for line, template in candidates:
            if line in known:
                continue
            beside = sum(line + d in near for d in (-2, -1, 1, 2))
            edge = line <= 10 or line > lines - 10
            if edge and (beside or lines < 400):
                continue  # how a log begins and ends is seldom said twice
            score = lines / len(candidates) / template.count / (1 + beside) / (3 if edge else 1)
            reason = (
                f"the only such line in {lines:,}"
                if template.count == 1
                else f"{template.count} such lines in {lines:,}"
            )
            self.marks.append(Mark(line, Keep.RARE, reason, self._group(template), score))

    def _trim(self) -> None:
        """The strongest rare values and outliers: few enough that each can be shown."""
        kept = [mark for mark in self.marks if mark.keep is Keep.SEVERE]
        for keep, most in ((Keep.RARE, MAX_KEPT_RARE), (Keep.OUTLIER, MAX_KEPT_OUTLIERS)):
            these = sorted(
                (mark for mark in self.marks if mark.keep is keep), key=lambda mark: (-mark.score, mark.line)
            )
            kept += these[: min(most, max(5, self.scan.lines // 200))]
        self.marks = kept


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" \t"))


def _few_digits(value: str) -> bool:
    return sum(map(str.isdigit, value)) < 6


def shown(line: bytes) -> str:
    """A cleaned line as people read it."""
    return line.decode("utf-8", "replace").rstrip()
