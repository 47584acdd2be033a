"""What is a path, without a regex that could backtrack; the entries of a listing, whatever printed it: ``find``,
``ls -lR``, ``git ls-tree``, ``git status``, ``tree``."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field
from itertools import groupby
from posixpath import commonprefix

from mcpcompact.content.log.grammar import plain
from mcpcompact.content.shared.lines import complains, is_wrapper
from mcpcompact.outline import record
from mcpcompact.patterns import held, matching, regex

_FIELDS = 6  # of a long listing
_ZONED = 4  # words of a date with its zone
_HEADING = 200  # characters

MAX = 600  # characters of a line that is still looked at
_SAMPLE = 400
FEW = 5  # lines that may look like a listing by chance
ROWS, ROWS_LONG = 6, 900  # rows of ``ls -l`` of which the names are told; characters of these

_MODE = regex(r"[bcdlps-][rwxsStT-]{9}[+.@]?", holds=("--", "-r", "-w", "-x", "r-", "rw", "wx"))
_INODE = regex(r"\d+ +\d+ +")
_SIZE = regex(r"\d+(?:\.\d+)?[KMGT]?")
_GIT_TREE = regex(  # some terminals print blanks for its tab
    r"(\d{6}) (?:(?:blob|tree|commit) [0-9a-f]{40,64}(?:(?: +(\S+))?\t| {1,8}(?!\d+ |- |\s))"
    r"|[0-9a-f]{40,64} \d(?:\t| {1,8}))(.+)",
    holds=("\t", " blob ", " tree "),
)
_STATUS = regex(r"((?!  )[ MADRCUT?!]{2}|[MADRCTU]\d{0,3}) *[ \t]")
_CHANGE = regex(
    r"\t(modified|new file|deleted|renamed|copied|typechange|both \w+|added by \w+|deleted by \w+): +", holds="\t"
)
_TAGGED = regex(r"\[(FILE|DIR)\] ", holds="[")
_COLUMNS = regex(r"(?:\d[\d.:+-]{0,40}[ \t]{1,8}){2,6}|\d{9,10}\.\d{3,10} ")  # of ``find -printf``
_CHANGED = regex(r"(?:\d{1,9}\t\d{1,9}|-\t-)\t(?=\S)", holds="\t")  # git diff --numstat; of binary files no lines
_SUM = regex(r"([0-9a-f]{32,128}) [ *]")
_BRANCH = regex(r"((?:[│|]   |[│|]\u00a0\u00a0 |    )*)(?:├── |└── |\|-- |`-- |├─ |└─ |\+-- )", holds=("─ ", "-- "))
_TOLD = regex(r"\[(?:\s{0,20}(\d{1,20}(?:\.\d)?[KMGT]?)|[^\[\]]{1,80})\]  ", holds="]  ")  # tree -s, -p, -D
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_PACKAGE = regex(r"\w@[\^~]?\d| v\d+\.|:jar:|:compile$")

KINDS = 6  # of files that are told with their number
_LONGER = regex(r"[a-z]{5,}")
_SUFFIX = 12  # characters
_SPACES = 3  # in a path
PATH_MOST = 400  # characters; all looks at a line are bounded by it, so no line can be hostile
_BARE = frozenset(
    ("Makefile", "Dockerfile", "LICENSE", "README", "Gemfile", "Rakefile", "Procfile", "Vagrantfile", "Jenkinsfile")
)
_NEVER = frozenset('"<>|*?`\t')


@functools.lru_cache  # most hits repeat the path of the one before
def is_path(text: str) -> bool:
    """A file's or directory's name: a separator or an extension, a letter, no blanks but inside a long name.

    Linear in ``text``; longer than 400 characters is none.
    """
    if not text or len(text) > PATH_MOST or text[0] in " \t:-=(" or text[-1] in " .,;:":
        return False
    if not _NEVER.isdisjoint(text) or "://" in text or not any(map(str.isalpha, text)):
        return False
    if text.startswith("//"):  # a target of bazel: //app:tests
        return False
    if ("/" in text or "\\" in text) and " " not in text and ":" not in text:
        return True
    last = text.replace("\\", "/").rstrip("/").rpartition("/")[2]
    _, dot, suffix = last.rpartition(".")
    signs = suffix.replace("_", "").replace("-", "")
    named = bool(dot) and len(suffix) <= _SUFFIX and signs.isalnum() and not suffix.isdigit()
    if " " in text:  # a name with blanks must look like a file under a directory
        within = "/" in text.partition(" ")[0] and "/" in text.rpartition(" ")[2]  # blanks of its directories alone
        few = "/" in text and text.count(" ") <= _SPACES
        return few and (named or within) and ": " not in text and ", " not in text
    if ":" in text and text[1:2] != ":":  # a revision before a path: HEAD:src/x.py
        head, _, rest = text.partition(":")
        return bool(head) and ("/" in rest or "." in rest) and is_path(rest)
    return "/" in text or "\\" in text or named or last in _BARE


def extension(path: str) -> str:
    """``.py`` of ``a/b.py``; the name itself where it has none (``Makefile``, ``.gitignore``)."""
    name = path.rstrip("/").rpartition("/")[2]
    stem, dot, last = name.rpartition(".")
    return f".{last}" if dot and stem else name


def parent(path: str) -> str:
    """The top of a path: its first two directories at most (``packages/core``)."""
    return "/".join([part for part in path.split("/")[:-1] if part not in ("", ".")][:2]) or "."


def base_of(paths: Iterable[str]) -> str:
    """The directory that all paths stand in."""
    return "".join(f"{step}/" for step in commonprefix([path.split("/")[:-1] for path in paths]))


def above(directory: str) -> str:
    """A directory (``/a/b/c/``) without its last step, which names what it is; nothing where it has no more."""
    kept = directory.split("/")[:-2]
    return "/".join([*kept, ""]) if any(kept) else ""


def first(counts: Counter[str], most: int) -> str:
    """Those with the highest counts, and how many others there are."""
    texts = [f"{name} {n:,}" for name, n in counts.most_common(most)]
    return " · ".join(texts + ([f"{len(counts) - most:,} more"] if len(counts) > most else []))


def words(text: str) -> set[str]:
    """The longer words of a name or a request, in lower case and the singular."""
    return {word.removesuffix("s") for word in _LONGER.findall(text.lower())}


@record
class Entry:
    """One line of a listing. ``verbatim``: the full path stands in the line, else only the name."""

    index: int  # 0-based line of the payload
    directory: str
    name: str
    verbatim: bool = True
    shown: str = ""  # the size as it stands
    mode: str = ""
    owner: str = ""
    year: str = ""
    status: str = ""
    counted: bool = False  # the size stands alone before the name (du, ls -s, wc): its unit is not said
    size: int | None = field(init=False)

    def __post_init__(self) -> None:
        number, unit = (self.shown[:-1], _UNITS[self.shown[-1]]) if self.shown[-1:] in _UNITS else (self.shown, 1)
        self.size = int(float(number) * unit) if self.shown and _SIZE.fullmatch(self.shown) else None

    @property
    def path(self) -> str:
        return f"{self.directory}/{self.name}" if self.directory else self.name

    @property
    def is_directory(self) -> bool:
        return self.mode[:1] == "d" or self.name.endswith("/")


def parse(lines: Iterable[str]) -> list[Entry]:
    """The entries of a listing in order; headings set the directory of the names under them."""
    lines = list(lines)
    layers = _branches(lines) or _nested(lines)
    only = sum(depth == 0 for depth, _ in layers.values()) == 1  # what all others stand below
    entries: list[Entry] = []
    heading, stack = "", list[str | None]()  # the directory of each depth
    blank = True  # whether the line before is
    for index, line in enumerate(lines):
        if index in layers:
            depth, name = layers[index]
            del stack[depth:]
            place = stack[-1] if stack else None
            if depth or not only:
                entries.append(_layered(index, place or "", name))
            step = entries[-1].name.rstrip("/") if depth else name.rstrip("/")
            stack.append(place if step == "." else step if place is None else f"{place}/{step}")
            continue
        line = plain(line) if "\x1b" in line else line
        text = line.strip()
        if len(line) > MAX or not text:
            blank = not text
            continue
        if line[0] != " " and text.endswith(":") and " " not in text and (blank or is_path(text[:-1])):
            heading, blank = text[:-1].rstrip("/") or "/", False  # ``ls */`` says one more
            continue
        blank = False
        if names := _several(text) if heading[:1] in ("/", ".") or "/" in heading else []:
            entries += [Entry(index, heading, name, False) for name in names]
        else:
            more = " " in line or "\t" in line  # than a path
            entry = (more and (_long(index, text, heading) or _marked(index, line))) or _plain(index, text, heading)
            entries += [entry] if entry else []
    return entries


def _several(text: str) -> list[str]:
    """The names of a line that ``ls`` filled for a terminal, in columns; none where it is one, or no such line."""
    names = [name.strip() for part in text.split("\t") for name in part.split("  ") if name]
    return names if len(names) > 1 and not any(" " in name or name[-1:] in ":," for name in names) else []


def _branches(lines: Sequence[str]) -> dict[int, tuple[int, str]]:
    """The lines that ``tree`` drew: how deep each stands below the line above its branches, and what it says."""
    if not held(_BRANCH, lines):
        return {}
    drawn = {n: match for n, line in enumerate(lines) if line and len(line) <= MAX and (match := _BRANCH.match(line))}
    branches = {n: (len(match[1]) // 4 + 1, lines[n][match.end() :].strip()) for n, match in drawn.items()}
    for n in drawn:
        if n - 1 not in drawn:
            above = lines[n - 1].strip() if n else ""
            branches[n - 1] = 0, above if 0 < len(above) <= _HEADING else "."
    return branches


def _nested(lines: Sequence[str]) -> dict[int, tuple[int, str]]:
    """The lines of a list of names that is indented below directories, which end in a slash: how deep, and the name."""
    if not any(map(str.isspace, {line[:1] for line in lines})):
        return {}
    nested: dict[int, tuple[int, str]] = {}
    indents: list[int] = []
    above, deeper = "", 0
    for n, line in enumerate(lines):
        text = line.strip()
        name = text.removeprefix("- ")
        if not text or (line[0] != " " and not _is_name(name)):
            continue  # a note
        if not _is_name(name):
            return {}
        indent = len(line) - len(line.lstrip())
        while indents and indents[-1] > indent:
            indents.pop()
        if not indents or indent > indents[-1]:
            if indents and not above.endswith("/"):
                return {}
            deeper += bool(indents)
            indents.append(indent)
        nested[n], above = (len(indents) - 1, name), name
    return nested if deeper else {}


def _is_name(text: str) -> bool:
    return len(text) <= _HEADING and text[-1:] not in ":,;{" and (" " not in text or is_path(f"./{text}"))


def _layered(index: int, directory: str, name: str) -> Entry:
    match = _TOLD.match(name) if "]  " in name else None
    return Entry(index, directory, name[match.end() :] if match else name, False, (match[1] or "") if match else "")


def _long(index: int, text: str, heading: str) -> Entry | None:
    """A line of ``ls -l``: mode, links, owner, group, size, date, name; of ``find -ls`` inode and blocks before it."""
    inode = _INODE.match(text)
    text = text[inode.end() :] if inode else text
    parts = text.split(None, 5)
    if not _MODE.match(text) or len(parts) < _FIELDS or not parts[1].isdigit() or not _SIZE.fullmatch(parts[4]):
        return None
    rest = parts[5].split(None, 3)
    if rest[0][:1].isalpha():  # Jan 12 2026 name
        year, name = "".join(rest[2:3]), "".join(rest[3:])
    else:  # 2026-01-12 10:00(:00.0 +0000) name
        rest = parts[5].split(None, 3 if parts[5].count(" +") or parts[5].count(" -") else 2)
        year, name = rest[0][:4], " ".join(rest[3 if len(rest) == _ZONED and rest[2][:1] in "+-" else 2 :])
    if name in ("", ".", ".."):
        return None
    path, arrow, target = name.partition(" -> ")
    directory, below, last = path.rstrip("/").rpartition("/")
    if below:  # ls -l of paths
        heading, name = directory, last + arrow + target
    year = year if year.isdigit() else ""
    return Entry(index, heading, name, bool(below), parts[4], parts[0], f"{parts[2]} {parts[3]}", year)


def _marked(index: int, line: str) -> Entry | None:
    """A path behind a mark: a state, a size, a checksum."""
    if tree := _GIT_TREE.fullmatch(line):
        return _of(index, tree[3], size=tree[2] or "", mode=tree[1])
    for pattern in (_CHANGE, _TAGGED, _STATUS):
        if match := pattern.match(line):
            path = line[match.end() :].strip()
            target = path.rpartition(" -> " if " -> " in path else "\t")[2]  # what a rename makes
            if is_path(target) or (pattern is not _STATUS and path):
                entry = _of(index, target, status=match[1].strip().rstrip("0123456789"))  # and how like it is (R100)
                entry.verbatim = pattern is not _TAGGED
                entry.name += "/" * (match[1] == "DIR")
                return entry
    summed = _SUM.match(line)
    if path := _changed(line) or (line[summed.end() :].strip() if summed else ""):
        return _of(index, path)
    text = line.strip()
    head, _, path = map(str.strip, text.partition("\t" if "\t" in text else " "))
    columns = _COLUMNS.match(text)
    if columns and not columns[0].replace(" ", "").isdigit() and is_path(text[columns.end() :]):
        return _of(index, text[columns.end() :])
    if path and _SIZE.fullmatch(head) and (path == "." or is_path(path)):
        entry = _of(index, path, size=head)
        entry.counted = True
        return entry
    return None


def _changed(line: str) -> str:
    """The path of a line of ``git diff --numstat``."""
    match = _CHANGED.match(line)
    path = line[match.end() :] if match else ""
    return path if is_path(path) or " => " in path or line[:1] == "-" else ""


def _plain(index: int, text: str, heading: str) -> Entry | None:
    if is_path(text):
        entry = _of(index, text)
        if heading and not entry.directory:
            entry.directory, entry.verbatim = heading, False
        return entry
    if heading and len(text) < _HEADING and (is_path(f"./{text}") if " " in text else text[-1] not in ":,;"):
        return Entry(index, heading, text, False)
    return None


def _of(index: int, path: str, size: str = "", mode: str = "", status: str = "") -> Entry:
    directory, _, name = path.rstrip("/").rpartition("/")
    if path.startswith("/") and not directory:
        name = f"/{name}"
    name += "/" if path.endswith("/") else ""
    return Entry(index, directory, name, True, size, mode, status=status)


def is_self(line: str) -> bool:
    """Whether a line of ``ls -la`` is the directory itself, or the one above it."""
    line = plain(line)
    return line.endswith((" .", " ..")) and _MODE.match(line.lstrip()) is not None


def rows(lines: Sequence[str]) -> dict[int, tuple[int, str]]:
    """Rows of ``ls -l`` among other output, of which a name is the least part: index of the first -> index behind the
    last, and the names of all with their sizes."""
    blocks: dict[int, tuple[int, str]] = {}
    for _, run in groupby(enumerate(matching(_MODE, lines)), key=lambda row: row[1] - row[0]):
        own = [i for _, i in run]
        entries = parse([lines[i] for i in own])
        text = "  ".join(f"{e.path.rstrip('/')}/" if e.is_directory else f"{e.path} {e.shown}" for e in entries)
        if len(entries) >= ROWS and len(entries) == sum(not is_self(lines[i]) for i in own) and len(text) <= ROWS_LONG:
            blocks[own[0]] = own[-1] + 1, f"{len(entries)} entries with the sizes of files: {text}"
    return blocks


def directories(lines: Sequence[str], entries: Sequence[Entry]) -> set[str]:
    """The directories that hold the entries, and those of ``ls -R`` that hold none."""
    empty = {
        line.strip().rstrip(":/") or "/"
        for line, below in zip(lines, [*lines[1:], ""], strict=False)
        if line.endswith(":") and (not below.strip() or below.startswith("total ")) and is_path(f"./{line[:-1]}")
    }
    return {entry.directory for entry in entries} | (empty if any(not entry.verbatim for entry in entries) else set())


def share(lines: Iterable[str]) -> float:
    """The part of the non-blank lines that belongs to a listing, over at most 400 of them."""
    some: list[str] = []
    filled = 0
    for line in lines:
        if not line or not line.strip() or is_wrapper(line) or is_self(line) or complains(line):
            some.append("")  # a blank line tells a heading from a note
        else:
            filled += 1
            some.append(line)
        if filled >= _SAMPLE:
            break
    return _share(tuple(some), filled) if filled >= FEW else 0.0


@functools.lru_cache(maxsize=1)  # what it is and what is said of it ask the same
def _share(some: Sequence[str], filled: int) -> float:
    entries = parse(some)
    packages = sum(1 for e in entries if not e.mode and _PACKAGE.search(e.name))  # a tree of npm, cargo or maven
    if 2 * packages > len(entries):
        return 0.0
    places = {e.directory for e in entries if not e.verbatim}
    lines = filter(None, some)  # a blank one is no place's heading
    headings = sum(line in places or (line[-1] in ":/" and line.strip(" -").rstrip(":/") in places) for line in lines)
    return min(1.0, (len({e.index for e in entries}) + headings) / filled)
