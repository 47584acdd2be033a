"""The rows of a listing, or lines of names by directory, and what they weigh: source before what stands beside it."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import attrgetter

from mcpcompact.content.shared.languages import CONFIGURATION, EXTENSIONS, OTHERS
from mcpcompact.content.text.entries import Entry, extension, words
from mcpcompact.outline import Item, Keep
from mcpcompact.patterns import holding, regex

LED = 200  # names of a directory, each line of which brings the one before it; further ones bring only these
LINE, _WHOLE = 200, 280  # characters of names on a line, and of a directory that stands on one
LATER, MIN = 0.97, 0.5  # factor on the weight of a path from the one before it in its directory, and the least
FIRST = 1.5  # factor on the weight of the first name of a directory of sources, no __init__.py
UNLIKE, SEVERAL = 1.4, 5  # factor on the weight of an entry in a state that less than a fifth is in (deleted, new)
NOTE, HINT = 3.0, 0.3  # weight of a line that is no entry (a branch, what stands below is staged), and of advice
ROOT = 2.0  # factor on the weight of the names at the root: they tell what a project is
ROOTS, ROOTED = 3.0, 0.85  # weight of lines of several of them, and of the room what these take before others
SOURCES, DOTTED = 0.95, 0.9  # factors on it: where most programs are, and of names that mostly begin with dots
MAIN, DEEPER = 2.0, 0.7  # factors on what stands where most source is, and for each step further down
DATA = 0.4  # weight of what is no source, away from the root
WANTED, ASKED = 4.0, 4_000  # factor on what stands below a directory that the request names; characters looked at
BRIEF = 400  # of a request, each word of which may say what is looked for
MEANT, STEPS, FEW = 20.0, 2, 3  # factor on a file that the request means: before all else; steps of a dotted name that
# tell; files of one name, of which it means any
LITTLE = 50  # times as many entries as a directory holds that comes along with one below it
LARGEST, HEAVY = 24, 4.0  # sizes of ``du`` that are told first, and the factor on their weight
SOUGHT = 1.5  # factor on the weight of a name for a word of the request; of two at most
SOME = 32  # names of a directory that are said where there is not room for all
MODES = _, _LINK, _ = "100755", "120000", "160000"  # of git: executable, a symlink, a commit of another repository
_PATH = regex(r"(?<![\w.@-])[\w.@-]++(?:/[\w.@-]++)+")
_JOINED = regex(r"\.|::|\\{1,2}")
_DOTTED = regex(rf"(?<![\w./\\-])[A-Za-z_][\w-]*(?:(?:{_JOINED.pattern})[A-Za-z_][\w-]*){{1,12}}(?![\w/-])")
_SPELLED = regex(r"(?<![\w./-])(?:_*[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)+|_*[A-Z]?[a-z0-9]+[A-Z]\w*)(?![\w/-])")
_NO_SOURCE = CONFIGURATION | (OTHERS - {"Markdown", "reStructuredText"})
SOURCE = frozenset(f".{ending}" for ending, language in EXTENSIONS.items() if language not in _NO_SOURCE)
_PROGRAMS = frozenset(f".{ending}" for ending, language in EXTENSIONS.items() if language not in CONFIGURATION | OTHERS)
GENERATED = regex(
    r"(?:^|/)(?:node_modules|vendor|third_party|dist|build|target|out|coverage|fixtures?|testdata|__snapshots__|snapshots?"
    r"|cassettes|__pycache__|\.git|\.venv|site-packages|baselines?|results|generated|locales?|assets|images?)/"
    r"|\.(?:snap|lock|map|svg|png|jpe?g|gif|ico|woff2?|ttf|pyc|min\.js|min\.css)$"
)
BURIED = regex(r"(?:^|/)(node_modules|\.git|\.venv|site-packages|__pycache__)/")  # installed or made, never read
BESIDE = regex(r"(?:^|/)(?:docs?|examples?|samples?|demos?|\.[\w-]+)/")  # what stands beside the source
TEST = regex(r"(?:^|[/_.-])(?:tests?|specs?|e2e|mocks?)(?=[/_.-])")
HIDDEN = ("/node_modules/", "/.git/", "/.venv/", "/site-packages/", "/__pycache__/")
MADE = (
    *HIDDEN, "/vendor/", "/third_party/", "/dist/", "/build/", "/target/", "/out/", "/coverage/", "/fixture", "__/",
    "/testdata/", "/snapshot", "/cassettes/", "/baseline", "/result", "/generated/", "/locale", "/asset", "/image",
    ".snap", ".lock", ".map", ".svg", ".png", ".jp", ".gif", ".ico", ".woff", ".ttf", ".pyc", ".min.",
)  # fmt: skip
_LESS = (
    (BURIED, HIDDEN, 0.002), (GENERATED, MADE, 0.4), (BESIDE, ("/doc", "/example", "/sample", "/demo", "/."), 0.6),
    (TEST, ("test", "spec", "e2e", "mock"), 0.6),
)  # fmt: skip
"""What a path shows, the first counts; what stands in each such path, and what the path weighs."""
MANY, SIZED = 100, 6  # entries of a listing whose names tell more than sizes; largest sources, whose size is told


class Rows:
    """The items of a listing: a row as it stands, or a line of bare names behind their directory and how many it
    holds."""

    def __init__(self, entries: list[Entry], root: str, cut: str, short: bool, asked: str) -> None:
        self.cut, self.names_alone, self.total = cut, short, len(entries)
        self._cut = re.compile(rf"(?<!\S){re.escape(cut)}(?=\S)")  # what all paths begin with, wherever one begins
        self.less: dict[int, float] = {}  # by their ids the entries that are no source, and what they weigh
        for pattern, signs, less in _LESS:
            for entry, _ in showing(entries, root, pattern, signs):
                self.less.setdefault(id(entry), less)
        own = [e for e in entries if id(e) not in self.less]
        sources = [e for e in own if extension(e.name) in SOURCE]
        sized = [e for e in sources if e.size and short and len(entries) >= MANY]
        large = sorted(sized, key=lambda e: -(e.size or 0))[:SIZED]
        self.least = large[-1] if large else None  # of many entries in several directories: the least with its size
        source = [f"{e.directory}/" for e in sources]
        self.main = Counter(place[len(root) :].partition("/")[0] for place in source)  # how much source stands below
        self.source = f"{root}{self.main.most_common(1)[0][0]}/" if self.main else ""  # where most of it does
        inside = Counter(place for place in source if place.startswith(self.source))
        self.level = min((place.count("/") for place, n in inside.items() if n > 1), default=0)  # a README is no start
        programs = Counter(e.directory for e in own if extension(e.name) in _PROGRAMS)
        self.heart = max(programs, key=programs.__getitem__, default="")
        self.names, self.stated = Counter(e.name for e in entries), Counter(e.status for e in entries)
        top = min((e.directory for e in entries), key=len, default="")
        self.top = top if all(e.directory.startswith(top) for e in entries) else root.rstrip("/")
        self.held = Counter(e.directory for e in entries)
        modules, spelled = _meant(asked[-ASKED:], entries)
        self.meant = {id(e) for e in modules + spelled}
        self.wanted = _wanted(asked[-ASKED:], modules, self.held)
        often = Counter(word for e in entries for word in words(e.name)) if asked else Counter[str]()
        wanted = words(asked[-ASKED:]) if not modules else ()  # else these say more
        self.words = {word for word in wanted if 0 < SEVERAL * often[word] < len(entries)}  # that stand in its name
        few = {word for word in self.words if often[word] <= FEW and len(asked) <= BRIEF}
        self.asked = {id(e) for e in entries if few & words(e.name)} if few else set[int]()
        sizes = [e.size or 0 for e in entries if e.counted]  # of du and wc
        self.large = min(sorted(sizes)[-LARGEST:], default=0)
        self.ranked = len(sizes) == len(entries) and sizes == sorted(sizes, reverse=True)
        self.places = Counter[str]()  # by directory: the entries that it has so far
        self.opened = set[str]()  # directories of which the first name of its own stands there
        self.items: list[Item] = []
        self.inner: dict[str, list[str]] = {}  # by directory: those in it that stand on lines of their own
        self.named: dict[str, list[Entry]] = {}  # by directory: those whose names stand on its lines

    def put(self, entry: Entry, line: str, keep: Keep, reason: str) -> None:
        number = entry.index + 1
        row = entry.mode and not (self.names_alone or is_object(entry))
        if not (keep or entry.status or (entry.verbatim and not is_object(entry)) or row):
            self.named.setdefault(entry.directory, []).append(entry)
            return
        text = self._cut.sub("", line.strip()) if self.cut else line.strip()  # a row is quoted with all its columns
        # a path is an anchor of its own, but for a size that reads as its number
        own = entry.verbatim and not keep and not text.startswith(f"{number} ")
        weight = UNLIKE if SEVERAL * self.stated[entry.status] < self.total else 1.0
        weight = NOTE if entry.status.startswith("both ") or "U" in entry.status else weight  # in conflict
        weight *= self._mean(entry.directory, [entry], self.places[entry.directory])
        self.places[entry.directory] += 1
        weight *= MEANT if id(entry) in self.meant else 1.0
        weight *= HEAVY if entry.counted and (entry.size or 0) >= self.large > 0 else 1.0
        weight = HEAVY / number if self.ranked else weight
        section = "" if entry.verbatim or not entry.directory else f"{self.place(entry) or './'}:"
        text = text if own else f"{number}: {text}"
        self.items.append(Item(number, number, text, keep, reason, reason, weight, section))

    def lines(self) -> list[Item]:
        """All items in order, among them the names of each directory: on one line, or on several, none without the one
        before it; those of the request apart, first."""
        for directory, named in self.named.items():
            named.sort(key=lambda entry: id(entry) not in self.asked)
            apart = sum(id(entry) in self.asked for entry in named)
            sizes = [len(self._told(entry)) + 2 for entry in named]  # with the blanks behind it
            most = _WHOLE if sum(sizes) <= _WHOLE else LINE
            ends = [*accumulate(sizes)]
            at = above = 0
            while at < len(named):
                end = max(at + 1, bisect_right(ends, most + (ends[at - 1] if at else 0)))
                end = min(end, apart) if at < apart else end
                start = self._line(directory, at, named[at:end], above * (directory != self.top or len(self.held) == 1))
                above = start if at < LED else above
                at = end
        return sorted(self.items, key=attrgetter("start"))

    def _told(self, entry: Entry) -> str:
        sized = self.least is None or (entry.size or 0) >= (self.least.size or 0)
        return name_of(entry) if sized or entry.is_directory else entry.name

    def _line(self, directory: str, at: int, run: list[Entry], above: int) -> int:
        place, here, inner = self.place(run[0]), len(self.named[directory]), self.inner.get(directory, [])
        kept = self.held[directory] - here - len(inner)  # on lines of their own
        some_of = kept or len(run) == 1 or not self.asked.isdisjoint(map(id, self.named[directory]))
        many = f"{len(run):,} of {here + kept:,}" if some_of else f"{at + 1:,}–{at + len(run):,} of {here:,}"
        many = f"{here:,}" if not kept and len(run) == here else many
        own = "  ".join(inner) if len(inner) <= FEW else f"{len(inner):,} directories"
        many += f" + {own}" * (at == 0 < len(inner))
        lead = place if self.held[directory] == 1 else f"{place or './'} ({many}): "
        first, *others = [entry.index + 1 for entry in run]
        text, weight = lead + "  ".join(map(self._told, run)), self._weigh(directory, run, at)
        self.items.append(Item(first, first, text, weight=weight, under=above, whole=True, also=others))
        return first

    def _weigh(self, directory: str, run: list[Entry], before: int) -> float:
        """Of what stands in one directory, the first most: some of each before all of one. Of names, the source that
        is nearest to where most of it begins."""
        if directory in (self.top, self.heart) and before < SOME and len(self.held) > 1:
            dotted = 2 * sum(entry.name[:1] == "." for entry in run) > len(run)
            return ROOTS * (SOURCES if directory == self.heart else DOTTED if dotted else 1.0)
        data = [extension(entry.name) not in SOURCE for entry in run] if self.main else [False]
        weight = self._mean(directory, run, before) * math.pow(DATA, sum(data) / len(data))
        main = self.source and f"{directory}/".startswith(self.source)
        begin = self.level - 1 if main else self.top.count("/")
        return weight * (MAIN if main else 1.0) * math.pow(DEEPER, max(0, directory.count("/") - begin))

    def _mean(self, directory: str, run: list[Entry], before: int) -> float:
        weight = sum([self._weight(e) for e in run]) / len(run)
        weight *= max(MIN, LATER**before)
        if directory not in self.opened and self.names[run[0].name] == 1 and id(run[0]) not in self.less:
            self.opened.add(directory)
            weight *= FIRST
        if any(f"{directory}/".startswith(f"{wanted}/") for wanted in self.wanted):
            weight *= WANTED
        return weight * (ROOT if directory == self.top else 1.0)

    def _weight(self, entry: Entry) -> float:
        """Files at the root and source before tests, documents and what has a dot, what is generated or recorded; one
        of many files of a name is less than the only one."""
        alike = self.names[entry.name]
        weight = 1.0 / (1.0 + math.log2(alike) / 2) if alike > 1 else 1.0
        named = len(self.words & words(entry.name)) if self.words else 0
        return weight * self.less.get(id(entry), 1.0) * SOUGHT ** min(named, 2)

    def place(self, entry: Entry) -> str:
        return f"{entry.directory}/".removeprefix(self.cut) if entry.directory else ""


def _wanted(asked: str, modules: list[Entry], held: Counter[str]) -> set[str]:
    """Directories of two steps and more that the request names, but those that hold most of the entries; those of the
    modules that it means, and those above them that hold little else."""
    ends = {f"/{path.strip('/.')}" for path in _PATH.findall(asked)}
    total = held.total()
    some = (d for d in held if "/" in d.strip("/.") and 2 * held[d] < total)
    named = {d for d in some if any(end.endswith(f"/{d.strip('/.')}") for end in ends)}
    places = {e.directory for e in modules if "/" in e.directory.strip("/.")}
    above = {place.rpartition("/")[0] for place in places}
    below = {a: sum(n for place, n in held.items() if f"{place}/".startswith(f"{a}/")) for a in above if a.strip("/.")}
    return named | places | {a for a, n in below.items() if n * LITTLE <= total}


def is_object(entry: Entry) -> bool:
    return entry.mode.isdecimal()  # a row of ``git ls-tree``: half of it is a hash


def is_link(entry: Entry) -> bool:
    return entry.mode[:1] == "l" or entry.mode == _LINK


def name_of(entry: Entry) -> str:
    if entry.is_directory:
        return entry.name.rstrip("/") + "/"
    return f"{entry.name} {entry.shown}".rstrip()


def showing(
    entries: list[Entry], root: str, pattern: re.Pattern[str], signs: Sequence[str]
) -> Iterator[tuple[Entry, re.Match[str]]]:
    """The entries whose paths show the pattern, and what of it; only paths that hold one of the signs are asked."""
    paths = [e.path for e in entries]
    for i in sorted(holding([f"/{path.removeprefix('./')}" for path in paths], signs)):
        if match := pattern.search(paths[i], max(0, len(root) - 1)):  # what all begin with says nothing of one
            yield entries[i], match


def _meant(asked: str, entries: list[Entry]) -> tuple[list[Entry], list[Entry]]:
    """The files that the request means by the name of a module (``a.b.c``, ``a::b``) or of what it holds, or by a path;
    and by a name that it spells (``SetOutput``, ``set_output``), where these are few."""
    steps = [_JOINED.split(name.lower()) for name in _DOTTED.findall(asked)]
    steps += [path.lower().strip("./").partition(".")[0].split("/") for path in _PATH.findall(asked)]
    paths = {tuple(step[:n]) for step in steps for n in range(STEPS, len(step) + 1)}
    sizes = sorted(set(map(len, paths)))
    spelled = {_plain(name) for name in _SPELLED.findall(asked)}
    modules, by_name = list[Entry](), dict[str, list[Entry]]()
    for e in entries if paths or spelled else ():
        stem = e.name.partition(".")[0]
        parts = f"{e.directory}/{stem}".lower().replace(".", "/").split("/") if paths else []
        if any(tuple(parts[-n:]) in paths for n in sizes):
            modules.append(e)
        elif stem and (name := _plain(stem)) in spelled:
            by_name.setdefault(name, []).append(e)
    return modules, [e for named in by_name.values() if len(named) <= FEW for e in named]


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()
