"""What a run of tests prints beside what failed: tables of coverage, progress, tests that passed, the stages of an
evaluation, the command, records of a test over two lines; and what pytest reports of those that failed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, dropwhile, groupby, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from mcpcompact.content.anomalies.words import OUTCOMES
from mcpcompact.content.log.entries import Entry
from mcpcompact.content.log.runners import bare, bare_of
from mcpcompact.content.log.templates import category
from mcpcompact.content.log.weights import NEAR, ROUTINE, SAID, WHERE, WRONG
from mcpcompact.content.shared.frames import LIBRARY
from mcpcompact.outline import Fact, Item, Keep
from mcpcompact.patterns import held, regex
from mcpcompact.phrasing import clipped, counted

if TYPE_CHECKING:
    from mcpcompact.content.log.failures import Failure

_WORDS: Final = regex(r"[^\W\d]|%")
CELLS, NUMBERS, ROWS, DASHES = 3, 2, 3, 20  # names of columns; numbers in a row; rows of a table; a ruler
_SUMS: Final = ("TOTAL", "All files")
TITLE: Final = 16  # lines of a title of mocha, which may hold an object
TABLES, LOWEST = 3, 5  # that are told; rows that are shown where no test failed: what is covered least
_SHARE: Final = regex(r"\b(\d{1,3}(?:\.\d+)?)%?(?:\s|$)")
_FILE: Final = regex(r"[\w./\\-]+\.[a-z]{1,4}(?=[:\s]|$)", holds=".")
_OF_TESTS: Final = regex(r"(?i)^(?:unit)?tests?_|_(?:unit)?tests?$|[._](?:test|spec)$|Tests?$")
_PROGRESS: Final = regex(r"(?:\S+\.\w{1,4} )?([.sxXpPFE]+)(?: +\[ *\d{1,3}%\])?$")
_STAGE: Final = regex(r">{5,20} (\S.*)", holds=">>>>> ")
STAGES, STAGE, LONGEST = 12, 80, 240  # stages that are told, their characters; those of a command
_RAN: Final = regex(
    r"(?!.*\b(?:install|sed) )(?:[+$] |.{0,100}\b(?:[Cc]ommand|[Ss]cript): +)(?P<said>.*\b(?:py\.?test|runtests\.py"
    r"|bin/test|tox|unittest|nosetests|go test|cargo test|n?pm (?:run )?test|yarn test|jest|vitest|rspec|phpunit)\b.*)",
    holds=("+ ", "$ ", "ommand: ", "cript: "),
)
_BEGUN: Final = regex(r"test\w* \([\w.]+\)(?: \.\.\. (?:FAIL|ERROR))?$", holds="test")
_ENDED: Final = regex(rf"(?!test\w* \()(?:.* \.\.\. )?(?:{OUTCOMES['unittest']})(?:(?<=skipped) .*)?$")
PASSED: Final = regex(
    r"PASSED \S+::|\S+::\S.* PASSED\b|test\w* (?:\([\w.]+\)(?:\n[^\n]*)? \.\.\. )?ok$", holds=("PASSED", "ok")
)
_FRAME: Final = regex(r"\s+File \"[^\"\n]+\", line \d+, in test", holds=", in test")  # of the test itself
_EMPTY: Final = regex(
    r"(?:FAIL|ERROR|AssertionError|Traceback \(most recent call last\):)$|-- Docs: https?:"
    r"|=+ (?:[A-Z]+|warnings summary|short test summary info|test session starts) =+$"
)
"""What says nothing by itself: an outcome without its test, headings."""
_FOLDED: Final = regex(r" … [\d,]+ such lines, to line ")
_SECTION: Final = regex(r"=+ (\S.*?) =+$")
_ENDS, _CAPTURED = regex(r".* in [\d.:]+ ?s(?:econds?)?\b"), regex(r"-+ Captured \S+ (?:call|setup|teardown) -+$")
_STARTS, _SUMMARY, _PASSES = "test session starts", "short test summary info", ("PASSES", "XFAILURES", "XPASSES")
_WARNED: Final = regex(r"\s+\S+:\d+: \w*Warning: ", holds="Warning: ")


def _ruled(line: str) -> bool:
    return line.count("-") >= DASHES and not line.strip("-|+ \r")


def quoted(lines: Sequence[str]) -> set[int]:
    """Lines of the runs of pytest that a test ran itself, as its captured output tells them, and of what pytest prints
    of tests that passed (``-rA``): nothing there failed in the run that the log is of."""
    read = ((n, _SECTION.match(line), line) for n, line in enumerate(lines, 1))
    known = [(n, match[1] if match else "") for n, match, line in read if match or _CAPTURED.match(line)]
    inner = {n for begin, end in _inner(known) for n in range(begin, end)}
    passes = _passes([one for one in known if one[0] not in inner], len(lines))
    return inner.union(n for begin, end in passes for n in range(begin, end))


def _inner(known: Iterable[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    """Runs within captured output, which begins at a line without the name of a section; they may run others."""
    deep, begun, within = 0, 0, False
    for number, name in known:
        if name == _STARTS and (within or deep):
            begun, deep = begun if deep else number, deep + 1
        elif deep and _ENDS.match(name):
            deep -= 1
            if not deep:
                yield begun, number + 1
        elif not deep:
            within = not name


def _passes(known: Iterable[tuple[int, str]], last: int) -> Iterator[tuple[int, int]]:
    """The sections of what passed, up to the last summary of their run, if it has one."""
    begun = ended = 0
    for number, name in [*known, (last + 1, _STARTS)]:
        begun = begun or number * (name in _PASSES)
        ended = number if name == _SUMMARY else ended
        if begun and (name == _STARTS or _ENDS.match(name)):
            yield begun, ended if ended > begun else number
            begun = 0


class Table(NamedTuple):
    """The line of its columns, what it says, and the numbers and texts of its rows."""

    line: int
    names: str
    rows: list[tuple[int, str]]


def _tables(lines: Sequence[tuple[int, str]]) -> Iterator[Table]:
    """Each: names without digits above a ruler, rows with numbers below; rulers may stand between rows."""
    table: Table | None = None
    end = (sys.maxsize, "")
    for (number, raw), (_, below) in pairwise([*lines, end, end]):
        line = bare(raw).rstrip()
        if table and number > table.line + 1 and not _ruled(line):
            if sum(any(map(str.isdigit, cell)) for cell in line.split()) >= NUMBERS:
                table.rows.append((number, line))
                continue
            if len(table.rows) >= ROWS:
                yield table
            table = None
        names = [cell for cell in line.split() if _WORDS.search(cell)]
        if len(names) >= CELLS and not any(map(str.isdigit, line)) and _ruled(bare(below)):
            table = Table(number, line, [])


def _stem(path: str) -> str:
    return path.replace("\\", "/").removesuffix("/__init__.py").rpartition("/")[2].rpartition(".")[0].strip("_")


class Tested(NamedTuple):
    """Tables, stages (a line and what it says), the command (the same), the files of the tests that failed."""

    tables: list[Table]
    stages: list[tuple[int, str]]
    ran: list[tuple[int, str]]
    files: set[str]  # those of the tests that failed

    @classmethod
    def of(cls, lines: Sequence[tuple[int, str]], failing: Iterable[str], job: bool) -> Tested:
        """``job``: its runner tells commands and steps."""
        texts = [line for _, line in lines if not job]
        known = lines if held(_STAGE, texts) else ()
        stages = [(number, match[1].strip()) for number, line in known if (match := _STAGE.match(line))]
        known = lines if held(_RAN, texts) else ()
        ran = ((number, match["said"]) for number, line in known if (match := _RAN.match(bare(line)[:LONGEST])))
        files = {match[0] for text in failing for match in _FILE.finditer(text)}
        return cls([*_tables(lines)], stages, [*ran][:1], files)

    def _wanted(self, rows: Sequence[tuple[int, str]]) -> set[int]:
        """Rows of the files of the tests that failed and of what these test; where none failed those covered least."""
        if not self.files:
            shares = [(float(percents[-1]), n) for n, row in rows if (percents := _SHARE.findall(row))]
            return {n for _, n in sorted(shares)[:LOWEST]}
        stems = {_OF_TESTS.sub("", _stem(file)).strip("_") for file in self.files} - {""}
        return {
            n
            for n, row in rows
            if row.startswith(_SUMS)
            or _stem(path := row.split()[0]) in stems
            or any(f"/{a}".endswith(f"/{b}") for file in self.files for a, b in ((file, path), (path, file)))
        }

    def facts(self) -> list[Fact]:
        """The command, the stages in their order, the columns of each table with the number of its rows."""
        facts = [Fact(f"ran: {number}: {clipped(text, LONGEST)}", 0, shows=[[number]]) for number, text in self.ran]
        stages = [f"{number}: {clipped(text, STAGE)}" for number, text in self.stages]
        if len(stages) > STAGES:
            stages[STAGES // 2 : -STAGES // 2] = [f"… {len(stages) - STAGES:,} more"]
        facts += [Fact(f"stages: {' · '.join(stages)}", 0)] if stages[1:] else []
        for table in self.tables[:TABLES]:
            own = [number for number, row in table.rows if not row.startswith(_SUMS)]
            rows = f"{counted(len(own), 'row')}, lines {own[0]}–{own[-1]}" if own else "no row but its sum"
            facts.append(Fact(f"table: {rows}: {table.line}: {' '.join(table.names.split())}", 1))
        return facts

    def weigh(self, items: list[Item], failing: bool) -> None:
        """Rows stand below the names of their columns; beside tests that failed others are left out, as are those that
        passed but for the first of a run."""
        for table in self.tables:
            numbers, wanted = {n for n, _ in table.rows}, self._wanted(table.rows)
            for item in items:
                if item.start in numbers:
                    item.section = f"{table.line}: {table.names}"
                    other = 0 if failing else ROUTINE
                    item.weight = (NEAR if failing else WRONG) if item.start in wanted else other
                    item.keep = Keep.NONE
                elif item.start == table.line:
                    item.weight *= SAID
        shown = {number for number, _ in (*self.stages, *self.ran)}
        for item in items:
            item.weight *= SAID if item.start in shown and item.start == item.end else 1
            text = bare_of(item)
            if failing and _FRAME.match(text) and not LIBRARY.match(text):
                item.weight = max(item.weight, WHERE)
            elif _EMPTY.match(text):
                item.weight, item.keep = item.weight * ROUTINE, Keep.NONE if failing else item.keep
        if failing:
            _progress(items)
            _passed(items)


def _progress(items: Sequence[Item]) -> None:
    """Lines that tell by letters which tests failed, with the line that names their file; others tell nothing."""
    head: Item | None = None
    for item in items:
        text = bare_of(item)
        if not (match := _PROGRESS.match(text)):
            head = None
            continue
        begins = text.lstrip(".sxXpPFE")[:1] not in ("", " ")
        head, own = (item, "") if begins else (head, f"\n{item.text}")
        item.weight = item.weight if begins else 0
        if head and not {"F", "E"}.isdisjoint(match[1]) and len(head.also) < STAGES:
            head.weight, head.whole, head.text = NEAR + 1, True, head.text + own
            head.also = [*head.also, item.start] if own else head.also


def _passed(items: Sequence[Item]) -> None:
    """A run of tests that passed is told by the first."""
    runs = count(1)
    key, behind = 0, 0
    keys = []
    for item in items:
        apart = item.keep or not PASSED.match(_FOLDED.split(bare_of(item))[0])
        key = next(runs) if apart or item.start != behind + 1 else key
        keys.append(key)
        behind = -1 if apart else item.end
    for _, run in groupby(zip(items, keys, strict=True), lambda one: one[1]):
        first, *others = (item for item, _ in run)
        if others:
            first.text = f"{_FOLDED.split(first.text)[0]} … all tests up to line {others[-1].end} passed"
            first.weight = ROUTINE
        for item in others:
            item.weight = 0


def folded(failed: Sequence[Failure]) -> str:
    """The names of tests, each once with all of its parameters; nothing where none has several."""
    groups: dict[tuple[str, bool], list[Failure]] = {}
    for one in failed:
        head, bracket, _ = one.name.partition("[") if one.form.startswith("pytest") else (one.name, "", "")
        groups.setdefault((head, bracket > ""), []).append(one)
    rows = ["further failures, each test in one line (line: name):"]
    for first, *others in groups.values():
        more = f" (+{len(others)} with other parameters, last {others[-1].line})" if others else ""
        rows.append(f"{first.line}: {first.name}{more}")
    return "\n".join(rows) if len(groups) < len(failed) else ""


def repeated(tests: Iterable[Failure], named: Iterable[Failure]) -> Iterator[Failure]:
    """The tests; of one of unittest with several blocks (what ended it, what its clean-up met) where these are."""
    blocks: dict[str, list[str]] = {}
    for one in named:
        blocks.setdefault(one.text, []).extend([f"{one.line}"] if one.form == "unittest" else [])
    for one in tests:
        more = blocks[one.text][1:] if one.form == "unittest" else []
        yield one._replace(text=f"{one.text} (again: {', '.join(more)})") if more else one


def titled(one: Failure, after: Callable[[int], list[str]]) -> Failure:
    """A numbered failure with the further lines of its title, of which the last ends with a colon."""
    name, opened = "", False
    for text in dropwhile(lambda text: not text.strip(), [f" {one.name}", *map(bare, after(one.line)[:TITLE])]):
        if not text.strip() or not text.startswith((" ", *"}])")):
            break
        name += f"{(' ' if opened else ' › ') * bool(name)}{text.strip()}"
        opened = opened or text.endswith(("{", "[", "("))  # a value that it names takes several lines
        if name.endswith(":"):
            return one._replace(name=name[:-1])
    return one


def records(entries: Iterable[Entry], tables: Iterable[Table], named: set[int]) -> Iterator[Entry]:
    """The entries, of which the name of a test and its outcome on a line below are one, and ``named`` if the name is; a
    warning stands apart from the tests that it is of."""
    rows = {number for table in tables for number, _ in table.rows}
    begun: Entry | None = None
    for start, end, lines in entries:
        ended = begun and start == begun[1] + 1 and len(lines) == 1 and _ENDED.match(bare(lines[0]))
        if begun and ended:
            named.update({start} if begun[0] in named else ())
            yield begun[0], end, [*begun[2], *lines]
            begun = None
            continue
        if begun:
            yield begun
        begun = None
        warned = next((at for at, line in enumerate(lines) if at and _WARNED.match(line)), 0)
        if len(lines) == 1 and _BEGUN.match(bare(lines[0])):
            begun = start, end, lines
        elif warned:
            yield start, start + warned - 1, lines[:warned]
            yield start + warned, end, lines[warned:]
        elif not rows.isdisjoint(range(start, end + 1)):
            yield from ((n, n, [line]) for n, line in enumerate(lines, start))
        else:
            yield start, end, lines
    if begun:
        yield begun


# ---- what pytest reports of a test that failed: for each function on the way its source up to the line that failed,
# what is said of it, and the place. One's own stand whole; of a library what is said and the place

_FAILED: Final = ("FAILURES", "ERRORS")
_HEADING: Final = regex(r"_+ [^_\s].* _+$")
_APART: Final = regex(r"(?:_ ){4,}_?$|During handling of|The above exception was|-{3,} Captured .* -{3,}$")
_PLACE: Final = regex(r"[^\s:][^:]{0,300}\.\w{1,5}:\d{1,7}:(?: (?P<inner>in )?\S{1,200})?$")
_SAYS, _SOURCE = "E  ", (" ", ">")  # what begins lines
_DETAIL: Final = regex(r"E +\+ +(?:where|and) ")  # of an assertion: what its parts were
WHOLE, CHARS = 16, 1_000  # lines and characters of what stands together
LAST, MESSAGE = 8, 6  # lines of a longer source up to the one that failed; lines of a longer message
ARGUMENTS: Final = 4  # lines above a source that stand with it
FIRST, NEXT = 5.0, 0.8  # weights: of the first failure, before how the run ended; factor for each further one
SAYS_WHY, FURTHER = 1.5, 0.3  # the same of what is said; of the rest, and of where a library was


class Frame(NamedTuple):
    """A function on the way: its lines and the number of the first; whether it is one's own; which test's it is."""

    first: int
    lines: Sequence[str]
    own: bool
    test: int

    def parts(self) -> Iterator[tuple[int, int, float]]:
        """Which lines stand together, from and up to, and their weight."""
        lines, n = self.lines, len(self.lines)
        place = next(at for at, line in enumerate(lines) if _PLACE.match(line))
        message = next((at for at, line in enumerate(lines) if line.startswith(_SAYS)), place or n)
        begin = min(place, next((at for at, line in enumerate(lines) if line.startswith(_SOURCE)), message))
        short = 0 if begin <= ARGUMENTS else begin  # with the arguments, where these are few
        detail = next((at for at in range(message, n) if _DETAIL.match(lines[at])), n)
        long = detail < n or n - message > MESSAGE + 2
        ends = place if place >= message and long else n
        if self.own and n - short <= WHOLE and sum(map(len, lines[short:])) <= CHARS:
            cuts = [(short, FURTHER), (n if message == place else message, 1.0)]
        elif self.own:
            cuts = [(begin, FURTHER), (begin + 1, 1.0), (message - LAST, FURTHER), (message, 1.0)]
        else:
            cuts = [(place, 0.0), (place + 1, FURTHER), (message, 0.0)] if place < message else [(message, 0.0)]
        stop, at = min(message + MESSAGE, ends, detail) if long else n, 0
        for end, weight in [*cuts, (stop, SAYS_WHY), (ends, FURTHER), (n, 1.0)]:
            if end > at:
                yield at, end, weight
                at = end


class Reported(NamedTuple):
    """``frames`` by the numbers of their first lines; ``quoted``: lines of source, of which no word is news;
    ``weights`` of the items that they make."""

    frames: dict[int, Frame]
    quoted: set[int]
    weights: dict[int, float]

    @classmethod
    def of(cls, lines: Sequence[tuple[int, str]]) -> Reported:
        frames = {one.first: one for one in _frames(lines)} if any("== " in line for _, line in lines) else {}
        known = ((n, line) for one in frames.values() for n, line in enumerate(one.lines, one.first))
        return cls(frames, {n for n, line in known if not line.startswith(_SAYS)}, {})

    def apart(self, entries: Iterable[Entry], items: list[Item]) -> Iterator[Entry]:
        """The entries without the frames, of which the ``items`` are added."""
        behind = 0
        for start, end, lines in entries:
            at = max(start, behind)
            for first in [n for n in range(at, end + 1) if n in self.frames]:
                if first > at:
                    yield at, first - 1, lines[at - start : first - start]
                behind = at = first + len(self.frames[first].lines)
                items += self._items(first)
            if at <= end:
                yield at, end, lines[at - start :]

    def _items(self, start: int) -> Iterator[Item]:
        """What is shown of the frame that begins there."""
        frame = self.frames[start]
        says = category(next((line for line in frame.lines if line.startswith(_SAYS)), ""))
        for at, end, weight in frame.parts():
            lines = frame.lines[at:end]
            keep = Keep.SEVERE if (says or frame.own) and weight >= 1 else Keep.NONE
            self.weights[start + at] = weight * FIRST * NEXT**frame.test
            text, group = f"{start + at}: " + "\n".join(lines), f"{says}/{at}/{category(lines[0])}" if keep else ""
            flow = "lines" if len(lines) > WHOLE else ""
            yield Item(start + at, start + end - 1, text, keep, template=group, whole=not flow, flow=flow)


def _frames(lines: Sequence[tuple[int, str]]) -> Iterator[Frame]:
    """Each ends with its place, or begins with it."""
    inside, test, begun = False, -1, list[tuple[int, str]]()
    for number, raw in lines:
        line = bare(raw).rstrip()
        ruled = line.startswith("==") and line.endswith("==")
        titled = inside and line.endswith("_") and _HEADING.match(line) is not None
        place = _PLACE.match(line) if inside else None
        headed = bool(begun) and _PLACE.match(begun[0][1]) is not None
        if headed and (not line or place or titled or ruled or _APART.match(line)):
            yield _frame(begun, test)
            begun = []
        if ruled or titled or (inside and _APART.match(line)):
            inside, test, begun = line.strip("= ") in _FAILED if ruled else inside, test + titled, []
        elif inside and (line or begun):
            begun.append((number, line))
        if place and not place["inner"]:
            yield _frame(begun, test)
            begun = []


def _frame(lines: Sequence[tuple[int, str]], test: int) -> Frame:
    texts = [line for _, line in lines]
    return Frame(lines[0][0], texts, not any(LIBRARY.match(line) for line in texts if _PLACE.match(line)), max(test, 0))
