"""What stands out in a scanned log: loud lines by rarity, rare values and templates, numeric outliers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field
from itertools import pairwise
from typing import Final

from mcpcompact.content.anomalies.words import AGAIN, outcome_in, states, words_of
from mcpcompact.content.log import grammar, runners, templates
from mcpcompact.content.log.entries import indent_of, is_head
from mcpcompact.content.log.failures import SUCCESS, TELLING
from mcpcompact.content.log.grammar import ERROR, FAILURE, FATAL, find_stamp, level_of, severity_in, severity_of
from mcpcompact.content.log.runners import bare
from mcpcompact.content.log.scan import Scan, Shape, as_read
from mcpcompact.content.log.templates import Counted, Mark, Miner, Odd, Seen, Template, Values, category
from mcpcompact.content.log.tested import quoted
from mcpcompact.outline import Keep, record
from mcpcompact.patterns import holding, regex

_PATTERNS: Final = dict(grammar.STAMPS)
_AFTER_STAMP: Final = regex(r"[.,:]\d{1,9}|Z\b|\s?[+-]\d\d:?\d\d\b|\s(?:UTC|GMT)\b")
_DATE: Final = regex(r"\d{4}[-./]\d\d|\d\d?[-./]\d\d?[-./]\d{4}|\d\d?:\d\d")
_MAYBE_TEST: Final = ("::", "... ", "--- ", "ok ")  # one stands in each line that tells of a test
_GO: Final = "--- pass: ", "--- fail: ", "=== run"  # one stands in each verbose output of Go
_BOUNDS: Final = ("=== RUN ", "--- ", "ok ", "ok\t", "FAIL", "[ ", "Running ", "Tests run: ")  # the same of its ends
_COUNTED: Final = regex(
    r"(?:err|fail|exit|\brc\b|status(?:.?code)?|code)\w{0,8}\W{1,4}\d|HTTP/\d\.\d \d", re.IGNORECASE
)
_NO_VALUE: Final = regex(r":\d| {1,80}= ")  # behind a clock, an address with its port; what is given a value
_PLACE: Final = regex(r"(?:\d|\.[A-Za-z]\w{0,9}):$")  # before a minute, a port, a line of a file
_RULER: Final = regex(r"[=_*#~-]{4}|>")
FEW_CALM: Final = 2  # lines at INFO and below that may be the only ones of their kind
MAX_KEPT_SEVERE, MAX_KEPT_RARE, MAX_KEPT_OUTLIERS = 240, 16, 12
SHOWN: Final = 24  # lines that tell of a failure; of more the kinds are listed
MIN_KEPT_SEVERE, MIN_KEPT = 24, 5  # the same of short logs
MOSTLY = 0.4  # of the lines are loud: a list of failures
FEW_ALIKE, MANY_ALIKE = 3, 8  # loud lines of a template: each is shown; no longer the failure that nobody has seen
NAMES = 5  # different names in loud lines of a template: one line of each is kept; more are ids
MIN_TEMPLATE = 20  # lines of a template before a value of a slot can be odd
_CALM: Final = frozenset(("skip", "skipped", "ignored", "xfail", "expected failure"))  # no news beside a failure
MIN_TESTS, RARE_TESTS = 40, 400  # before an outcome can be rare; one test in so many
MIN_LINES, LONG_LOG = 40, 1_000  # before a template can be rare; lines of which two may be of a rare one
EDGE, MIN_EDGE = 10, 400  # first and last lines, that few logs say twice; lines of a log that tell what a begin is
FAR: Final = 10  # times the median, from which a number is news beside many failures
NUMERIC, FEW_NUMBERS = 0.9, 8  # share of numbers in a slot of numbers; different ones that are few
FAILING, SUCCESSES, GRAVE = 0.4, 3, 4  # share of the lines that fail; lines of success that are few; their score
BAD_LEVELS: Final = ("ERROR", "SEVERE", "FATAL", "CRITICAL")


@record
class Analysis:
    scan: Scan
    seen: list[Seen] = field(default_factory=list)
    low: list[str] = field(default_factory=list)  # their texts in lower case
    keys: Counter[str] = field(default_factory=Counter)  # how many lines have which (``region=``)
    templates: list[Template] = field(default_factory=list)
    kinds: list[Template] = field(default_factory=list)  # the same, apart where their wordings are
    levels: Counter[str] = field(default_factory=Counter)
    loud: list[tuple[int, int, Template]] = field(default_factory=list)  # line, severity, kind
    loud_lines: int = 0
    error_lines: int = 0  # of those, the ones of level error and above
    loud_counts: Counter[Template] = field(default_factory=Counter)  # by their kind
    noted: Counter[Template] = field(default_factory=Counter)  # the same with those of level WARN
    first: dict[Template, tuple[int, int, Seen]] = field(default_factory=dict)  # the first and last line of each
    numbers: dict[tuple[str, str], Values] = field(default_factory=dict)  # by name and unit
    marks: list[Mark] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)  # of tests
    headed: bool = False
    unsure: bool = False  # numbers that tell good from bad (``errors=0``) were read in sampled lines only
    words: list[str] = field(default_factory=list)  # of failure, whatever the lines say with them
    estimated: bool = False  # the counts of failures are
    joined: dict[Seen, list[Template]] = field(default_factory=dict)  # by the first of those that say the same
    successes: list[int] = field(default_factory=list)  # the few lines that tell of one, where most fail
    typed: set[int] = field(default_factory=set)  # lines that echo a command, a script or settings
    below: bool = False  # words of failure below the head of an error are no further errors
    spared: set[int] = field(default_factory=set)  # lines of tests that passed
    quoted: set[int] = field(default_factory=set)  # those of runs within tests and of what passed, as pytest tells it
    job: str = ""  # the CI runner that wrote the log
    totals: dict[str, list[tuple[int, str]]] = field(default_factory=dict)  # what tools sum up, by tool
    steps: dict[str, int] = field(default_factory=dict)  # of a job, or commands that it echoes, and their first lines

    @property
    def run(self) -> bool:
        """Whether it is of a job, a build or tests: what is rare there is what was installed, and no news."""
        return bool(self.job or self.totals.keys() - {"exit"} or self.outcomes.total() > 1)

    @property
    def service(self) -> bool:
        """Whether it is of something that goes on: each entry says when or how grave."""
        return self.headed and not self.run

    @classmethod
    def of(cls, scan: Scan, headed: bool) -> Analysis:
        self = cls(scan, headed=headed)
        self._read()
        self._run()
        self.typed = runners.typed_lines((one.bare, one.shape) for one in self.seen)
        self._severe()
        self._outcomes()
        tests = 2 * self.outcomes.total() > self.scan.lines  # beside a few what was installed is no news
        listing = "terraform" in self.totals or (not self.job and tests and self.uniform())
        if listing or not self.run:  # a plan lists values, and an odd one is news
            self._slots()
            self._rare_templates()
        self._warned()
        self._trim()
        if not self.run:
            self._succeeded()
        return self

    # ------------------------------------------------------------------------------------------ reading

    def _read(self) -> None:
        miner = Miner()
        after_bracket, column = self.scan.stamp_after, self.scan.stamp_at[0]
        pattern = _PATTERNS.get(self.scan.stamp_kind)
        shapes = sorted(self.scan.shapes.values(), key=lambda s: s.first)
        texts = [as_read(shape.first_text) for shape in shapes]
        self.low = [*map(str.lower, texts)]
        spelt = holding(self.low, grammar.STEMS_OF_LEVELS)
        for number, (shape, text) in enumerate(zip(shapes, texts, strict=True)):
            match = pattern.match(text, text.find("[") + 1 if after_bracket else column) if pattern else None
            span = match.span() if match else None
            if span is None and (any_stamp := find_stamp(text)):
                span = any_stamp[1:]
            body = text
            if span:
                end = span[1]
                for _ in range(3):
                    if (more := _AFTER_STAMP.match(text, end)) is None:
                        break
                    end = more.end()
                body = text[: span[0]] + " " * (end - span[0]) + text[end:]
            words = templates.masked(body)
            level = level_of(text, number in spelt)
            head = is_head(text)
            if level and (head or not self.headed):  # the cause in a trace has no level of its own
                self.levels[level] += shape.count
            template = miner.add(words, shape.count, number)
            self.seen.append(Seen(shape, text, bare(text), body, words, level, head, template, template))
        self.templates = miner.templates
        self.kinds = [one for template in self.templates for one in templates.kinds(template, self.seen)]

    def _run(self) -> None:
        """What CI runners and tools say of themselves; in words that several tools use only of one that is named."""
        texts = [one.bare for one in self.seen]
        self.job = runners.job_of(texts)
        for at, kind in runners.summary_kinds(texts).items() if self.scan.requests is None else ():
            self.totals.setdefault(kind, []).extend((n, bare(text)) for n, text in self.seen[at].shape.read())
        self.totals["pip"] = runners.of_pip(self.totals.pop("pip", []), self.seen)
        if all(text in runners.BARE for _, text in self.totals.get("go test", ())) and not holding(self.low, _GO):
            self.totals.pop("go test", None)  # FAIL alone, of any runner
        for kind in self.totals.keys() & runners.SHARED:
            if not any(kind in low for low in self.low):
                self.totals.setdefault(runners.NAMELESS, []).extend(self.totals.pop(kind))
        if "pytest" in self.totals and self._exact:
            self.quoted = quoted([*map(bare, self.scan.shown(1, self.scan.lines))])
        none = {"0 errors"} if self.levels.keys() & BAD_LEVELS else set[str]()  # said of a part that is not named
        for kind, lines in self.totals.items():
            inner = self.quoted if kind != "coverage" else ()  # which stands before the summary
            self.totals[kind] = sorted(n for n in lines if n[1] not in none and n[0] not in inner)
        self.totals = {kind: lines for kind, lines in self.totals.items() if lines}
        for one in self.seen if self.run else ():
            task, command = grammar.TASKED.match(one.text), runners.COMMAND.match(one.bare)
            if name := task[2] if task else command["stage"] or command["command"] if command else "":
                self.steps.setdefault(name, one.shape.first)

    @property
    def all_told(self) -> bool:
        """Whether as many lines tell an outcome as tests ran: where one prints its outcome may stand by itself."""
        ran = [int(text.split()[1]) for _, text in self.totals.get("unittest", ()) if text.startswith("Ran ")]
        return not ran or sum(ran) == self.outcomes.total()

    def uniform(self) -> bool:
        """Whether most lines are of few templates; of a build or a test run, which says most but once, nearly all."""
        lines = self.scan.lines
        common = sum(t.count for t in self.templates if t.count >= max(10, lines // 400))
        return common * 2 >= lines if self.headed else common * 5 >= lines * 4

    def telling(self, signs: Iterable[str] = TELLING) -> list[tuple[int, str]]:
        """Every line that is known of the shapes that may name a failure, in order, as it is read."""
        places = holding(self.low, signs)
        places.update(at for at, low in enumerate(self.low) if low.endswith((" _", " __")))
        return sorted([line for at in places for line in self.seen[at].shape.read()])

    # ----------------------------------------------------------------------------------------- severity

    def _severe(self) -> None:
        self.words = sorted(words_of("\n".join(one.text for one in self.seen)))
        foreign = tuple(word for word in self.words if states(word, foreign=True))
        loud = holding(self.low, grammar.STEMS)
        within = {n for begin, end in (self._passed() if self.run else self._thrown()) for n in range(begin, end)}
        self.spared.update(within if self.run else ())
        for at, one in enumerate(self.seen):
            if one.shape.first in self.typed and self.typed.issuperset(n for n, _ in one.shape.lines()):
                continue
            far = bool(foreign) and any(map(self.low[at].__contains__, foreign))
            shape = one.shape
            if shape.count > 1 and one.level not in BAD_LEVELS and (far or grammar.SENSITIVE.search(one.text)):
                ranks = [(number, severity_in(text, bare(text), one.level, far)) for number, text in shape.read()]
                self.unsure |= shape.count > len(ranks) and _COUNTED.search(one.text) is not None
            else:
                rank = severity_in(one.text, one.bare, one.level, far, at not in loud)
                ranks = [(number, rank) for number, _ in shape.lines()] if rank >= FAILURE else []
            bad = [(number, rank) for number, rank in ranks if rank >= FAILURE]
            self.estimated |= 0 < len(bad) < len(ranks) < shape.count
            hits = self._apart(one, bad, within)
            total = round(len(hits) / max(len(ranks), 1) * shape.count)
            if hits:
                one.severity = max(r for _, r in hits)
                self.loud += [(number, r, one.kind) for number, r in hits]
                self.loud_lines += total
                self.error_lines += total if one.severity >= ERROR else 0
                self.loud_counts[one.kind] += total
            if hits or one.level == "WARN":
                self.noted[one.kind] += shape.count if one.level == "WARN" else total
                begin, end = (shape.first, shape.last) if one.level == "WARN" else (hits[0][0], hits[-1][0])
                first, last, earliest = self.first.get(one.kind, (begin, end, one))
                self.first[one.kind] = min(first, begin), max(last, end), one if begin < first else earliest
        self.loud.sort(key=lambda hit: hit[0])
        self._mark_severe()

    def _apart(self, one: Seen, hits: list[tuple[int, int]], within: set[int]) -> list[tuple[int, int]]:
        """The hits outside these lines; of those below an error a cause that others do not have is kept."""
        left = [hit for hit in hits if (one.level and not self.run) or hit[0] not in within]  # a level states it
        self.below |= len(left) < len(hits) and not self.run
        few = hits if one.kind.count <= FEW_ALIKE and not self.run else ()
        self.marks += [Mark(hit[0], Keep.SEVERE, "", f"below {hit[0]}", hit[1]) for hit in few if hit not in left]
        return left

    def _passed(self) -> list[tuple[int, int]]:
        """``passed_spans``, where every line is known, and what is quoted."""
        bounds = [self.seen[at].shape for at in sorted(holding([one.bare for one in self.seen], _BOUNDS))]
        spans = [(n, n + 1) for n in self.quoted]
        if self._exact:
            spans += runners.passed_spans(sorted((n, bare(text)) for shape in bounds for n, text in shape.read()))
        return spans

    def _thrown(self) -> list[tuple[int, int]]:
        """What stands below each head of an error, mostly a trace: it tells of the same. None if a line is unknown."""
        known = self.seen if self.headed and self._exact else ()
        heads = {n: one for one in known if one.head for n, _ in one.shape.lines()}
        bad = {one for one in known if one.level in BAD_LEVELS and severity_of(one.bare, one.level) >= ERROR}
        ends = pairwise([*sorted(heads), self.scan.lines + 1])
        return [(a + 1, b) for a, b in ends if heads[a] in bad]

    def _warned(self) -> None:
        """Warnings that are few, of a log that is no run's."""
        warns = [one.shape for one in self.seen if one.level == "WARN" and not one.severity]
        few = max(FEW_ALIKE, min(SHOWN, self.scan.lines // LONG_LOG))
        if not self.run and sum(shape.count for shape in warns) <= few:
            lines = {n for one in warns for n, _ in one.lines()} - {mark.line for mark in self.marks}
            self.marks += [Mark(n, Keep.RARE, "", f"warning {n}", FAR) for n in sorted(lines)]

    def _succeeded(self) -> None:
        """Where most lines fail, the few that tell of a success: who got in after all comes first; else the last line,
        where it says that all went well in spite of a failure."""
        lines, often = self.scan.lines, Counter[str]()
        if self.loud_lines <= FAILING * lines:
            last = [one for one in self.seen if self.loud and one.shape.last == lines and one.kind.count <= SUCCESSES]
            well = any(SUCCESS.search(one.text) for one in last)
            self.marks += [Mark(lines, Keep.SEVERE, "", "success", GRAVE)] * well
            return
        good = [(match[0], one.shape) for one in self.seen if not one.severity and (match := SUCCESS.search(one.text))]
        for word, shape in good:
            often[word] += shape.count
        few_of = (shape for word, shape in good if often[word] <= SUCCESSES)
        self.successes = sorted(n for shape in few_of for n, _ in shape.lines())
        self.marks = [mark for mark in self.marks if mark.line not in self.successes]

    def _mark_severe(self) -> None:
        """All loud lines when they are few; else by rarity of their template: first and last, rarest first."""
        lines = self.scan.lines
        room = max(MIN_KEPT_SEVERE, min(MAX_KEPT_SEVERE, lines // 66))
        seen = {number: one for one in self.seen if one.severity for number, _ in one.shape.lines()}
        groups: dict[Template, list[tuple[int, int]]] = {}
        for number, rank, kind in self.loud:
            groups.setdefault(kind, []).append((number, rank))
        few = self.loud_lines <= room
        counts, worst = self.loud_counts, {kind: max(rank for _, rank in group) for kind, group in groups.items()}
        ordered = sorted(groups, key=lambda kind: (counts[kind], -worst[kind], groups[kind][0][0]))
        if not few:  # of lines that nearly all report a failure a few of each kind; the rest compete by what they name
            room = min(room, 6 if self.loud_lines > MOSTLY * lines else MIN_KEPT_SEVERE)
        single = any(counts[kind] <= FEW_ALIKE for kind in ordered)
        for kind in ordered:
            count, chosen = counts[kind], groups[kind]
            if count > (FEW_ALIKE if not few else lines if self.run else MANY_ALIKE):
                if not (few or self.run) and self.loud_lines > SHOWN:
                    continue  # the list of kinds shows the first
                extremes = [hit for hit in groups[kind] if hit[1] == worst[kind]]
                firsts = {templates.names_of(seen[hit[0]]): hit for hit in reversed(extremes)}
                chosen = list(firsts.values())[::-1] if len(firsts) <= NAMES else extremes[:1]
            if room <= 0:
                break
            # what fails all the time must not stand before the failure that nobody has seen
            usual = single and worst[kind] < FATAL and count > max(MANY_ALIKE, lines // 200)
            for number, rank in chosen[: max(room, 1)]:
                many = len(chosen) < count > FEW_ALIKE and number == chosen[0][0]
                reason = f"the first of {count:,} such lines, the last is {groups[kind][-1][0]:,}" if many else ""
                group = f"{self._group(kind)} {templates.names_of(seen[number])}"
                self.marks.append(Mark(number, Keep.OUTLIER if usual else Keep.SEVERE, reason, group, rank))
            room -= len(chosen)

    def _group(self, template: Template) -> str:
        return f"t{template.shapes[0]}" if template.shapes else "t " + " ".join(template.words)[:80]

    def _outcomes(self) -> None:
        """Tests by outcome over all their files: one that occurs once or twice among many is odd."""
        reported: list[tuple[str, Shape]] = []
        for at in sorted(holding([one.text for one in self.seen], _MAYBE_TEST)):
            one = self.seen[at]
            if outcome := outcome_in(one.text):
                reported.append((outcome, one.shape))
                self.outcomes[outcome] += one.shape.count - sum(n in self.quoted for n, _ in one.shape.lines())
        again, total = self.outcomes.pop(AGAIN, 0), self.outcomes.total()
        broken = any(outcome.lower().startswith(("fail", "error", "not ok")) for outcome in self.outcomes)
        for outcome, shape in reported:
            number = self.outcomes[outcome] or again
            calm = broken and outcome.lower() in _CALM
            if outcome == AGAIN or (number <= max(2, total // RARE_TESTS) and total >= MIN_TESTS):
                few = f"one of {number:,} {outcome}" if number > 1 else f"{outcome} once"
                reason = f"{few} in {total:,} outcomes" * (self.all_told and not calm)
                self.marks += [Mark(line, Keep.RARE, reason, f"o{outcome}", total) for line, _ in shape.lines()]

    def _shared(self) -> Iterator[Odd]:
        """Words by their key (``region=``), over all templates together."""
        pools: dict[str, list[Counted]] = {}
        for one in self.seen:
            for name, a, b in one.keyed:
                few = self.keys[name] >= templates.MIN_SLOT and templates.few_digits(word := one.text[a:b])
                if few and not one.opens(a):
                    pools.setdefault(name, []).append((one.shape.first, word, one.shape.count))
        for key, words in sorted(pools.items()):
            if sum([count for _, _, count in words]) >= templates.MIN_SLOT:
                kinds = templates.categories([word for _, word, _ in words])
                yield from templates.rare_words(words, kinds, key, self._read_only())
                yield from templates.rare_cells(key, words)

    def _slots(self) -> None:
        odd: list[Odd] = []
        for template in self.templates:
            if template.count >= MIN_TEMPLATE and (self.headed or template.says):
                members = [self.seen[n] for n in template.shapes]
                for position, word in enumerate(template.words):
                    if word == templates.WILD:
                        odd += self._slot(members, position)
        least = min(templates.MIN_SLOT, self.scan.lines // templates.REPEATED)
        self.numbers, self.keys = templates.fields(self.seen), templates.keys(self.seen, least)
        for (name, _), values in self.numbers.items():
            odd += templates.far_values(values, name, exact=self._exact)
        self._mark_odd([*odd, *self._shared()])

    @property
    def _exact(self) -> bool:
        """Whether every line is known."""
        return self.scan.step == 1 and not self.scan.unseen

    def _read_only(self) -> str:
        """What counts of values are said of where not every line was read."""
        return " lines read" if self.scan.unseen else ""

    def _slot(self, members: list[Seen], position: int) -> list[Odd]:
        a, b = members[0].spans[position]
        text = members[0].text
        if _NO_VALUE.match(text, b) or _PLACE.search(text, 0, a) or members[0].opens(a):
            return []
        alone = len({one.words[position - 1] for one in members}) == 1  # else it is the name of the first line's alone
        name = templates.slot_name(text, *members[0].spans[position - 1], a) if alone and position else ""
        such = " such lines" + (" read" if self.scan.unseen else "")
        varies = re.compile(f"[0-9{self.scan.letters}]").search
        fixed: list[Counted] = []
        loose: list[Counted] = []
        for one in members:
            a, b = one.spans[position]
            token, shape = one.text[a:b], one.shape
            if shape.count == 1 or not varies(token):
                fixed.append((shape.first, token, shape.count))
            else:
                loose += [(number, text[a:b], 1) for number, text in shape.read()]
        values = sorted([(line, value) for line, value, _ in fixed + loose])
        numbers = [(line, match, value) for line, value in values if (match := templates.NUMBER.match(value))]
        if not numbers or len(numbers) < NUMERIC * len(values):
            return self._rare_words(members, position, fixed + loose, name, such)
        few = {value for _, _, value in numbers}
        gauge = not self.noted and len(few) > FEW_CALM and all(map(str.isdigit, few))  # nothing warns: it measures
        if len(few) <= FEW_NUMBERS and not gauge and self._exact and not templates.is_id(name):
            return templates.rare_values([(line, value, 1) for line, value in values], name, such)
        units = Counter(match[2] for _, match, _ in numbers)
        unit = units.most_common(1)[0][0]
        apart = [(line, match[2] and value, 1) for line, match, value in numbers]  # of another unit, words (nan)
        apart += [one for one in fixed if not (templates.is_id(name) or any(map(str.isdigit, one[1])))]
        odd = [one for one in templates.rare_values(apart, name, such) if one.value]
        if templates.is_id(name):
            return odd
        measured = [(line, templates.number_of(match), value) for line, match, value in numbers if match[2] == unit]
        return odd + templates.far_values(measured, name, exact=self._exact, scope=" of such lines")

    def _rare_words(self, members: list[Seen], position: int, known: list[Counted], name: str, such: str) -> list[Odd]:
        """First by the values themselves (``node-17``) where every line is known, then by their kind (``node-0``)."""
        values, lines = len({value for _, value, _ in known}), sum(count for _, _, count in known)
        usual = self._exact and values <= lines / templates.MIN_USUAL + templates.MAX_TIMES  # few enough different ones
        known = known if usual else []
        whole = [word if templates.few_digits(word) else category(word) for _, word, _ in known]
        texts = [one.text[slice(*one.spans[position])] for one in members]
        texts = [] if values == lines and "/" in texts[0] else texts  # files, each named once
        named = [(one.shape.first, text, one.shape.count) for one, text in zip(members, texts, strict=False)]
        for words, kinds in ((known, whole), (named, templates.categories(texts))):
            rare = templates.rare_words(words, kinds, name, such)
            if odd := [one for one in rare if not _DATE.match(one.value)]:
                return odd
        return []

    def _mark_odd(self, odd: list[Odd]) -> None:
        best: dict[int, Odd] = {}
        for one in sorted(odd, key=lambda one: (-one.keep, -one.score, one.line)):
            best.setdefault(one.line, one)
        for one in best.values():
            unnamed = one.keep is Keep.RARE and one.why.startswith(one.value) and " such lines" in one.why
            self.marks.append(Mark(one.line, one.keep, one.why[:120], f"{one.keep.name}{one.line}", one.score, unnamed))

    # ----------------------------------------------------------------------------------- rare templates

    def _rare_templates(self) -> None:
        lines = self.scan.lines
        if lines < MIN_LINES or not self.uniform():  # to be the only one is no news
            return
        candidates = self._lone()
        if len(candidates) > FEW_CALM:  # of several such lines at INFO none is news
            candidates = [(one, template) for one, template in candidates if one.level not in grammar.CALM_LEVELS]
        if len(candidates) > max(MIN_KEPT, lines // 200):
            return
        near = {one.shape.first for one, _ in candidates}
        known = {mark.line for mark in self.marks}
        for one, template in candidates:
            line = one.shape.first
            beside = sum(line + d in near for d in (-2, -1, 1, 2))
            edge = line <= EDGE or line > lines - EDGE
            if line in known or (edge and (beside or lines < MIN_EDGE)):
                continue  # how a log begins and ends is seldom said twice
            score = lines / len(candidates) / template.count / (1 + beside) / (3 if edge else 1)
            many = "the only such line" if template.count == 1 else f"{template.count} such lines"
            why = f"{many} in {lines - self.scan.unseen:,}{self._read_only().removeprefix(' lines')}"
            news = one.level not in grammar.CALM_LEVELS and len(candidates) <= max(FEW_CALM, lines // LONG_LOG)
            self.marks += [Mark(n, Keep.RARE, why * news, self._group(template), score) for n, _ in one.shape.lines()]

    def _lone(self) -> list[tuple[Seen, Template]]:
        """The lines of templates that hardly occur, but rulers and what continues another line."""
        limit = 2 if self.scan.lines >= LONG_LOG else 1
        indents: Counter[int] = Counter()
        for one in self.seen:
            indents[indent_of(one.text)] += one.shape.count
        indent, with_it = indents.most_common(1)[0]  # that of a log whose lines are all indented (cargo, ctest)
        indent = indent if with_it * 5 >= self.scan.lines * 4 else 0
        lone, counts = [], {tuple(t.words): t.count for t in self.templates}
        for template in (t for t in self.templates if max(t.count, counts.get(t.stem, 0)) <= limit):
            text = (one := self.seen[template.shapes[0]]).text
            says = one.words and any(map(str.isalnum, text)) and not _RULER.match(text)
            continues = (self.headed and not one.head) or (text[:1] in " \t" and indent_of(text) != indent)
            if says and not continues:
                lone += [(self.seen[n], template) for n in template.shapes]
        return lone

    def _trim(self) -> None:
        """The strongest rare values and outliers: few enough that each can be shown."""
        marks = sorted(self.marks, key=lambda mark: (-mark.score, mark.line))
        self.marks = [m for m in self.marks if m.keep is Keep.SEVERE and m.line not in self.typed]
        if self.noted.total() > SHOWN:  # beside warnings and failures much that is only unusual is noise
            calm = {one.shape.first for one in self.seen if one.level in grammar.CALM_LEVELS}
            marks = [m for m in marks if m.line not in calm or m.keep is not Keep.OUTLIER or m.score >= FAR]
            bad = [m for m in marks if m.line not in calm]
            marks = bad if len(marks) - len(bad) > FEW_ALIKE else marks
        for keep, most in ((Keep.RARE, MAX_KEPT_RARE), (Keep.OUTLIER, MAX_KEPT_OUTLIERS)):
            some = [mark for mark in marks if mark.keep is keep and mark.line not in self.typed]
            self.marks += some[: min(most, max(MIN_KEPT, self.scan.lines // 200))]
