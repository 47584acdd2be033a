"""Reads diffs of all common formats into files and hunks, by line positions only; copies no text: git (with quoted
paths, renames, modes, binary patches, combined ``@@@``), unified, context, normal, ``diff -r``, Subversion, Bazaar,
Mercurial, ``git show``/``log -p``/format-patch headers, and the ``*** Begin Patch`` form of coding agents. Hunk bodies
are read by their counts, so a removed line ``-- x`` (shown as ``--- x``) never opens a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import field
from itertools import takewhile

from mcpcompact.content.diff.sniff import unheaded
from mcpcompact.outline import record
from mcpcompact.patterns import regex

HUNK = regex(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)")
COMBINED = regex(r"(@@@+) ((?:-\d+(?:,\d+)? )+)\+(\d+)(?:,(\d+))? @@@+ ?(.*)")
CONTEXT = 3  # lines on both sides of a change, unless the call says otherwise
MERGES, HEADED = 60, 400  # commits in a row that print no changes; lines that head one, down to its subject
UNIFIED = "unified diff"  # unless another form is found
UNNAMED = "unnamed file, hunk"  # of hunks without a header: whether two are of one file is not known
NORMAL = regex(r"(\d+)(?:,(\d+))?([acd])(\d+)(?:,(\d+))?$")
_CONTEXT_RANGE = regex(r"(?:\*\*\*|---) (\d+)(?:,(\d+))? (?:\*\*\*\*|----)$")
_PATCH = regex(r"\[PATCH[^\]]*\] ")
_COMMIT = regex(r"commit ([0-9a-f]{7,64})(?: \(.*\))?$|From ([0-9a-f]{40}) ")
_ONE_LINE = regex(r"([0-9a-f]{7,40}) (?:\([^()]{1,240}\) )?(?=\S)(.*)")  # git log --oneline -p
_BINARY = regex(r"(?:Binary files|Files) (.+?) and (.+?) (differ|are identical)$")
_PATCHED = regex(r"\*\*\* (Update|Add|Delete) File: (.*)", re.DOTALL)
_STAT = regex(r" \S.* \| +(?:\d+ ?[+-]*|Bin\b.*)$| \d+ files? changed")

_OCTAL = 3  # digits of a byte
_ESCAPE = regex(rb"\\([0-7]{3}|.)")
_SYMBOLS = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
_LABEL = regex(r"(?:before|after)(?:: |$)")  # ansible's, with or without a path behind it
_DATED = regex(r"(?<!\s)\s+(?:\d{4}-\d\d-\d\d [\d:. +-]+|\((?:revision \d+|working copy|nonexistent)\))$")
_PREFIXES = {("a/", "b/"), ("i/", "w/"), ("c/", "i/"), ("c/", "w/"), ("o/", "w/"), ("src://", "dst://")}


@record
class Hunk:
    """``start``: index of its header line; the body is ``start + 1`` to ``end`` (exclusive)."""

    start: int
    end: int
    old: int  # first line numbers; 0 when the format does not say
    new: int
    context: str = ""  # what git prints behind @@, mostly the function
    kind: str = "unified"  # or combined, context, normal, patch, loose
    width: int = 1  # prefix characters a line
    olds: Sequence[int] = ()  # combined: first lines in each parent
    middle: int = 0  # context: index of the "--- 1,6 ----" line
    cut: bool = False  # ends before its counts say, or its header was cut off


@record
class File:
    """One changed file. ``status`` may be new, deleted, renamed, copied, mode, binary, submodule, symlink, only;
    unheaded: it begins within a hunk, the header of which was cut off."""

    start: int
    end: int
    old: str = ""
    new: str = ""
    status: set[str] = field(default_factory=set)
    added: int = 0
    removed: int = 0
    hunks: list[Hunk] = field(default_factory=list)
    modes: tuple[str, str] = ("", "")
    similarity: str = ""
    commit: int = -1

    @property
    def path(self) -> str:
        return self.old if self.new in ("", "/dev/null") else self.new

    @property
    def unnamed(self) -> bool:
        return self.path.startswith(UNNAMED)

    @property
    def size(self) -> int:
        """How many lines are changed."""
        return self.added + self.removed


@record
class Commit:
    start: int
    end: int
    sha: str
    author: str = ""
    date: str = ""
    subject: str = ""


@record
class Diff:
    files: list[File] = field(default_factory=list)
    commits: list[Commit] = field(default_factory=list)
    outside: list[int] = field(default_factory=list)  # lines of messages and remarks
    stats: list[int] = field(default_factory=list)  # lines of a diffstat
    form: str = UNIFIED
    mailed: bool = False  # a series of patches, the oldest first

    @property
    def paths(self) -> set[str]:
        """Of all files that have names."""
        return {f.path for f in self.files if not f.unnamed}

    @property
    def newest(self) -> int:
        """The place of the newest commit, -1 where there is none."""
        return len(self.commits) - 1 if self.mailed else min(0, len(self.commits) - 1)

    @property
    def added(self) -> int:
        return sum(f.added for f in self.files)

    @property
    def removed(self) -> int:
        return sum(f.removed for f in self.files)


def unquote(path: str) -> str:
    """git's C-style quoting undone: ``"b/\\346\\216.md"`` → the UTF-8 name."""
    if len(path) <= 1 or path[0] != '"' or path[-1] != '"':
        return path
    data = path[1:-1].encode("utf-8", "surrogatepass")
    return _ESCAPE.sub(_unescaped, data).decode("utf-8", "replace")


def _unescaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes([int(code, 8) & 255]) if len(code) == _OCTAL else _SYMBOLS.get(code, code)


def git_paths(rest: str) -> tuple[str, str]:
    """Both names of a ``diff --git`` line: quoted, or split in the middle where both halves agree."""
    end = rest.find('" ', 1) if rest.startswith('"') else 0
    if end > 0:
        return strip(unquote(rest[: end + 1]), unquote(rest[end + 2 :]))
    half = len(rest) // 2
    old, new = strip(rest[:half], rest[half + 1 :])
    if rest[half : half + 1] == " " and old == new:
        return old, new
    at = rest.find(" b/")
    if rest.startswith("a/") and at > 0:
        return strip(rest[:at], rest[at + 1 :])
    words = rest.split(" ")
    return strip(" ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :]))


def plain_name(rest: str) -> str:
    """The path of a ``---``/``+++`` line without its date or revision."""
    if rest.startswith('"'):
        return unquote(rest[: rest.rfind('"') + 1])
    return _LABEL.sub("", _DATED.sub("", rest.split("\t", 1)[0]).rstrip())


def strip(old: str, new: str) -> tuple[str, str]:
    """Without git's ``a/`` and ``b/``, which are no part of the path."""
    for one, other in _PREFIXES:
        left, right = old.startswith(one), new.startswith(other)
        if (left or old == "/dev/null") and (right or new == "/dev/null") and (left or right):
            return old[len(one) :] if left else old, new[len(other) :] if right else new
    return old, new


class _Parser:
    def __init__(self, lines: list[str], first: int, path: str) -> None:
        self.lines = lines
        self.heads = [line[:1] for line in lines]
        self.diff = Diff()
        self.file: File | None = None
        self.at = first
        self.path = path  # of hunks without a header
        self.in_patch = False
        self.loose = False  # inside the rest of a hunk whose counts went wrong

    def run(self) -> Diff:
        lines, heads = self.lines, self.heads
        if rest := unheaded(lines[self.at :]):
            f = self._open(self.at, self.path)
            f.status.add("unheaded")
            self._add(f, Hunk(self.at - 1, self.at, 0, 0, "", "loose", cut=True), self.at + rest)
        while self.at < len(lines):
            i = self.at
            self.at = i + 1
            head = heads[i]
            if not head:
                continue
            structural = head in "@*d-IBOFGnosrcSi=+" and self._structure(lines[i], i)
            if not (structural or (head in "0123456789" and self._normal(lines[i], i))):
                self._other(lines[i], head, i)
        for n, f in enumerate(self.diff.files, 1):
            if f.hunks:
                f.end = max(f.end, f.hunks[-1].end)
                f.new = f"{UNNAMED} {n}" if not f.path and f.hunks[0].kind in ("unified", "loose") else f.new
        return self.diff

    def _following(self, i: int) -> str:
        """The line behind ``i``, empty at the end."""
        return self.lines[i + 1] if i + 1 < len(self.lines) else ""

    def _names_file(self, i: int) -> bool:
        """Whether a line and the one behind it name a file."""
        return self.lines[i].startswith("--- ") and self._following(i).startswith("+++ ")

    def _behind(self, at: int, goes_on: Callable[[int], bool]) -> int:
        """The first line from ``at`` on that does not go on."""
        return next((n for n in range(at, len(self.lines)) if not goes_on(n)), len(self.lines))

    def _open(self, i: int, old: str = "", new: str = "") -> File:
        f = self.file = File(i, i + 1, old, new or old, commit=len(self.diff.commits) - 1)
        self.diff.files.append(f)
        self.loose = False
        return f

    def _structure(self, line: str, i: int) -> bool:
        f = self.file
        if line.startswith("@@"):
            return self._hunk(line, i)
        if line.startswith("diff --"):  # --git, --cc, --combined
            combined = not line.startswith("diff --git ")
            self.diff.form = "combined git diff" if combined else "git diff"
            path = unquote(line.split(" ", 2)[2]) if line.count(" ") > 1 else ""
            self._open(i, *([path] if combined else git_paths(line[11:])))
            return True
        if line.startswith("diff ") and not self.in_patch:
            words = [w for w in line.split()[1:] if not w.startswith("-")]
            self._open(i, *words[-2:])
            return True
        if line.startswith("*** "):
            return self._stars(line, i)
        if self._names_file(i):
            old, new = plain_name(line[4:]), plain_name(self._following(i)[4:])
            if f is None or f.hunks or self.loose or f.status & {"seen"}:
                f = self._open(i)
            f.status.add("seen")
            f.old, f.new = strip(old, new)
            f.status |= {status for status, path in (("new", old), ("deleted", new)) if path == "/dev/null"}
            f.end = self.at = i + 2
            return True
        if line.startswith(("Index: ", "=== ")):
            return self._foreign_header(line, i)
        if line.startswith("Only in "):
            where, _, name = line[8:].partition(": ")
            self._open(i, f"{where}/{name}").status.add("only")
            return True
        if (match := _BINARY.match(line)) and match[3] == "differ":
            old, new = strip(match[1].removeprefix("Binary files "), match[2])
            if f is None or f.hunks or "binary" in f.status or (f.old and f.path not in (old, new, unquote(new))):
                f = self._open(i, old, new)
            f.status.add("binary" if line[0] == "B" else "differs")
            f.end = i + 1
            return True
        if (match := _COMMIT.match(line)) and not self.loose:
            self._commit(match, i)
            return True
        return f is not None and not f.hunks and self._extended(line, i, f)

    def _foreign_header(self, line: str, i: int) -> bool:
        if line.startswith("Index: "):
            if not self._following(i).startswith(("====", "--- ", "*** ", "diff")):
                return False
            self._open(i, line[7:])
            return True
        match = re.match(r"=== (added|modified|removed|renamed) \w+ '(.+?)'(?: => '(.+?)')?", line)
        if not match:
            return line.startswith("====")
        f = self._open(i, match[2], match[3] or "")
        if match[1] != "modified":
            f.status.add({"added": "new", "removed": "deleted", "renamed": "renamed"}[match[1]])
        return True

    def _extended(self, line: str, i: int, f: File) -> bool:
        """git's extended header lines."""
        word, _, rest = line.partition(" ")
        if line.startswith(("new file mode ", "deleted file mode ")):
            mode = line.rsplit(" ", 1)[1]
            f.status.add(word)
            f.modes = ("", mode) if word == "new" else (mode, "")
            if mode in ("120000", "160000"):
                f.status.add("symlink" if mode == "120000" else "submodule")
        elif line.startswith("old mode "):
            f.modes = (rest[5:], f.modes[1])
        elif line.startswith("new mode "):
            f.modes = (f.modes[0], rest[5:])
            f.status.add("mode")
        elif word in ("rename", "copy") and rest.startswith(("from ", "to ")):
            f.status.add("renamed" if word == "rename" else "copied")
            if rest.startswith("from "):
                f.old = unquote(rest[5:])
            else:
                f.new = unquote(rest[3:])
        elif word in ("similarity", "dissimilarity"):
            f.similarity = rest.rsplit(" ", 1)[-1]
        elif line.startswith("GIT binary patch"):
            f.status.add("binary")
            ends = ("diff ", "commit ", "-- ", "From ")
            self.at = self._behind(self.at, lambda n: not self.lines[n].startswith(ends))
        elif word == "Submodule":
            f.status.add("submodule")
        elif word != "index":
            return False
        f.end = self.at
        return True

    def _stars(self, line: str, i: int) -> bool:
        if line.startswith(("*** Begin Patch", "*** End Patch")):
            self.in_patch = line[4] == "B"
            self.diff.form = "patch" if self.in_patch else self.diff.form
            return True
        if line.startswith("*** End of File"):
            return True
        if match := _PATCHED.match(line):
            f = self._open(i, match[2])
            self.in_patch, self.diff.form = True, "patch"
            f.status |= {"Add": {"new"}, "Delete": {"deleted"}}.get(match[1], set())
            if match[1] == "Add":
                self._patch_body(i, 1)
            return True
        if line.startswith("*** Move to: ") and self.file is not None:
            self.file.new = line[13:]
            self.file.status.add("renamed")
            return True
        following = self._following(i)
        if following.startswith("--- ") and not _CONTEXT_RANGE.match(following) and not _CONTEXT_RANGE.match(line):
            f = self.file if self.file and not self.file.hunks and "seen" not in self.file.status else self._open(i)
            f.old, f.new = strip(plain_name(line[4:]), plain_name(following[4:]))
            f.status.add("seen")
            self.diff.form = "context diff"
            f.end = self.at = i + 2
            return True
        if self.file is not None and (match := _CONTEXT_RANGE.match(line)):
            self._context(self.file, int(match[1]), i)
            return True
        return line.startswith("***************")

    def _hunk(self, line: str, i: int) -> bool:
        if match := HUNK.match(line):
            hunk = Hunk(i, i + 1, int(match[1]), int(match[3]), match[5])
            self._signed(hunk, [int(match[2] or 1)], int(match[4] or 1))
            return True
        if match := COMBINED.match(line):
            ranges = [part[1:].split(",") for part in match[2].split()]
            starts, olds = [int(r[0]) for r in ranges], [int(r[1]) if len(r) > 1 else 1 for r in ranges]
            hunk = Hunk(i, i + 1, starts[0], int(match[3]), match[5], "combined", len(ranges), starts)
            self._signed(hunk, olds, int(match[4] or 1))
            return True
        if self.in_patch or (self.file is not None and not self.file.hunks and line.rstrip() == "@@"):
            self._patch_body(i, 0)
            return True
        return False

    def _signed(self, hunk: Hunk, olds: list[int], news: int) -> None:
        """A hunk by the counts of its header: so many lines of each old file and of the new one."""
        f, width = self.file, hunk.width
        if f is None or (width == 1 and not f.path and f.hunks):
            f = self._open(hunk.start, self.path)
        i, total = hunk.start + 1, len(self.lines)
        added = removed = 0
        while i < total and (news > 0 or max(olds) > 0):
            signs = self.lines[i][:width]
            i += 1
            if signs[:1] == "\\":
                continue
            if signs.strip("+- "):
                i -= 1
                break
            gone = "-" in signs
            there = "-" if gone else " "  # before the line of each old file that has it
            for k, sign in enumerate(signs.ljust(width)):
                olds[k] -= sign == there
            news -= not gone
            removed += gone
            added += not gone and "+" in signs
        i += self.heads[i : i + 1] == ["\\"]
        left = olds[0]
        hunk.cut = news > 0 if width > 1 else left != news or (left > 0 and left > self._stripped(hunk.start, i))
        self._add(f, hunk, i, counts=(added, removed))

    def _stripped(self, start: int, end: int) -> int:
        """How many lines of context may be missing below a hunk's own: blank ones, at the end of a stripped text."""
        if any(self.lines[n].strip() for n in range(end, len(self.lines))):
            return 0
        below = sum(1 for _ in takewhile(lambda head: head in " ", reversed(self.heads[start + 1 : end])))
        return CONTEXT - below if below else 0

    def _add(self, f: File, hunk: Hunk, end: int, signs: str = "+-", counts: tuple[int, int] | None = None) -> None:
        hunk.end = f.end = self.at = end
        added, removed = counts or map(self.heads[hunk.start + 1 : end].count, signs)
        f.added += added
        f.removed += removed
        f.hunks.append(hunk)
        self.loose = hunk.cut

    def _context(self, f: File, old: int, i: int) -> None:
        """Both halves of a context hunk; a half may be empty when nothing in it changed."""
        hunk = Hunk(i, i + 1, old, 0, "", "context", 2)
        at, removed = self._half(i + 1, "-")
        added = 0
        if at < len(self.lines) and (match := _CONTEXT_RANGE.match(self.lines[at])):
            hunk.middle, hunk.new = at, int(match[1])
            at, added = self._half(at + 1, "+")
        else:
            hunk.cut = True
        self._add(f, hunk, at, counts=(added, removed))
        self.loose = False

    def _half(self, at: int, sign: str) -> tuple[int, int]:
        """Where the half of a context hunk ends that begins at ``at``, and how many of its lines changed."""
        begins = ("  ", f"{sign} ", "! ", sign, "!")
        end = self._behind(at, lambda n: self.lines[n][:2] in begins or self.heads[n] in ("\\", ""))
        return end, sum(head in (sign, "!") for head in self.heads[at:end])

    def _patch_body(self, i: int, new: int) -> None:
        f = self.file or self._open(i)
        at = self._behind(i + 1, lambda n: self.heads[n] in ("", *"+- \\") and not self.lines[n].startswith("*** "))
        context = self.lines[i][2:].strip(" @") if self.lines[i].startswith("@@") else ""
        if at > i + 1:
            self._add(f, Hunk(i, at, 0, new, context, "patch"), at)

    def _normal(self, line: str, i: int) -> bool:
        """``5,7c8,9`` with ``<`` and ``>`` lines, as plain ``diff`` prints it."""
        if not (match := NORMAL.match(line)) or self._following(i)[:2] not in ("< ", "> ", "<", ">"):
            return False
        f = self.file or self._open(i)
        at = self._behind(i + 1, lambda n: self.heads[n] in ("<", ">", "\\") or self.lines[n] == "---")
        self._add(f, Hunk(i, at, int(match[1]), int(match[4]), "", "normal", 2), at, "><")
        return True

    def _commit(self, match: re.Match[str], i: int) -> None:
        commit = Commit(i, i + 1, match[1] or match[2])
        mailed = self.diff.mailed = match[2] is not None
        at = i + 1
        for line in self.lines[i + 1 : i + HEADED]:
            if line.startswith(("diff ", "commit ")):
                break
            at += 1
            if line.startswith("Author: ") or (mailed and line.startswith("From: ")):
                commit.author = line.split(": ", 1)[1].strip()
            elif line.startswith(("Date: ", "AuthorDate: ")):
                commit.date = line.split(":", 1)[1].strip()
            elif line.startswith("Subject: ") and mailed:
                folded, at = at, self._behind(at, lambda n: self.heads[n] == " ")
                commit.subject = _PATCH.sub("", line[9:]) + "".join(map(str.rstrip, self.lines[folded:at]))
                break
            elif line.startswith("    ") and line.strip():
                commit.subject = line.strip()
                break
        commit.end = self.at = at
        self._begin(commit)

    def _begin(self, commit: Commit) -> None:
        self.diff.commits.append(commit)
        self.file, self.loose = None, False

    def _heads_changes(self, i: int) -> bool:
        """Whether changes follow a line, but for others of its kind: merges, of which none are printed."""
        near = (self.lines[n] for n in range(i + 1, min(i + MERGES, len(self.lines))))
        behind = next((line for line in near if not _ONE_LINE.match(line)), "diff --")
        return behind.startswith("diff --") or _STAT.match(behind) is not None

    def _other(self, line: str, head: str, i: int) -> None:
        f = self.file
        if self.loose and f is not None and head in "+- \\":
            at = self._behind(i, lambda n: self.heads[n] in ("+", "-", " ", "\\") and not self._names_file(n))
            return self._add(f, Hunk(i - 1, at, 0, 0, "", "loose", cut=True), at)
        if (match := _ONE_LINE.match(line)) and self._heads_changes(i):
            return self._begin(Commit(i, i + 1, match[1], subject=match[2]))
        (self.diff.stats if head == " " and _STAT.match(line) else self.diff.outside).append(i)


def parse(lines: list[str], first: int = 0, path: str = "") -> Diff:
    """Files, hunks, commits of a diff from ``lines[first]`` on; ``path``: of hunks without a header. Never raises;
    what it cannot place is outside."""
    return _Parser(lines, first, path).run()
