"""What a diff says as a whole: its commits, its files and how much they changed, what happened to files."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence

from mcpcompact.content.diff.about import LONG, scale
from mcpcompact.content.diff.parse import UNIFIED, Diff, File
from mcpcompact.outline import Fact
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped, counted, some

SHARED = 12  # characters of a folder that all files have in common, from which on it is told once
MESSAGE = 600  # characters of a message that is told whole
FEW_FILES, FEW_SOURCE, FEW_FOLDERS = 8, 5, 6  # that are named with their folders, or of a folder; of source; folders
MANY_FILES, NAMES = 30, 650  # that are all named, without the changes of each if need be; characters of that
SUBJECT = 200  # characters
FEW_COMMITS, LISTED_COMMITS = 3, 12  # that are always told; in the room of facts: git log --oneline has all
TRAILER = regex(r"\s*[A-Z][\w-]+-[\w-]+: \S")  # Signed-off-by: and the like
_DAYTIME = regex(r"^[A-Z][a-z]{2},? | ?\d\d:\d\d:\d\d| [+-]\d{4}$")  # of a commit's date: weekday, time, zone
LISTED = ("new", "deleted", "renamed", "copied")  # a list of all files says it of each
NOTABLE = ("new", "deleted", "renamed", "copied", "binary", "mode", "submodule", "symlink", "only", "differs")


def headline(diff: Diff) -> str:
    paths = diff.paths
    if not any(f.hunks for f in diff.files) and all(f.status & {"only", "differs"} for f in diff.files):
        differ = sum("differs" in f.status for f in diff.files)
        return f"{counted(differ, 'file')} differ, {len(diff.files) - differ:,} only on one side"
    commits = f"{len(diff.commits):,} commits, " if len(diff.commits) > 1 else ""
    unnamed = sum(f.unnamed for f in diff.files)
    files = [counted(len(paths), "file")] if paths else []
    alone = "one that it does not name" if paths else "1 file that it does not name"
    files += [alone if unnamed == 1 else "files that it does not name"] if unnamed else []
    return f"{commits}{' and '.join(files)}, +{diff.added:,} −{diff.removed:,}"


def message_of(diff: Diff, lines: list[str]) -> list[int]:
    """The lines below the subject of the only commit, without trailers, where these are few."""
    if len(diff.commits) != 1 or not diff.files:
        return []
    between = range(diff.commits[0].end, diff.files[0].start)
    message = [i for i in diff.outside if i in between and lines[i].strip(" -") and not TRAILER.match(lines[i])]
    return message if sum(len(lines[i]) for i in message) <= MESSAGE else []


def facts(diff: Diff, lines: list[str], message: list[int]) -> list[Fact]:
    hunks = sum(len(f.hunks) for f in diff.files)
    of_hunks = f", {counted(hunks, 'hunk')}" if hunks else ""
    if 1 < len(diff.files) <= FEW_FILES and all(f.unnamed for f in diff.files):
        of_hunks += f" ({', '.join(map(amount_of, diff.files))})"
    kinds = {h.kind for f in diff.files for h in f.hunks}
    form = " and ".join(f"{kind} diff" for kind in sorted(kinds)) or "diff without lines"
    form = diff.form if diff.form != UNIFIED or kinds - {"normal", "context"} else form
    facts = [Fact(f"{form}: {headline(diff)}{of_hunks}", 0)]
    if len(diff.commits) == 1:
        c = diff.commits[0]
        whose = filter(None, ["commit", c.sha, c.author.partition(" <")[0], _DAYTIME.sub("", c.date)])
        head = f"{' '.join(whose)}: {c.subject}"[:300]
        end = c.end if message else diff.files[0].start
        left = [i for i in diff.outside if c.end <= i < end and not TRAILER.match(lines[i])]
        head += f"\n(its message: {counted(len(left), 'line')}, {left[0] + 1}–{left[-1] + 1})" if left else ""
        rows = [head, *(lines[i].strip() for i in message)]
        facts.append(Fact("\n".join(rows), 0, short=head, shows=[(), *([i + 1] for i in message)]))
    elif diff.commits:
        rows = _commits(diff)
        facts.append(Fact("\n".join(rows[: FEW_COMMITS + 1]), 0))
        facts += [Fact("\n".join(more), 1)] if (more := rows[FEW_COMMITS + 1 :]) else []  # right below them
    if special := _special(diff, LISTED if 1 < len(diff.paths) <= FEW_FILES else ()):
        facts.append(Fact(" · ".join(special), 1))
    if len(diff.paths) > 1 and not _has_few(diff):
        facts += _files(diff, bool(message))
    return facts


def _has_few(diff: Diff) -> bool:
    """Several commits of so few files that each commit names its own."""
    return len(diff.commits) > 1 and len(diff.files) <= FEW_FILES


def _commits(diff: Diff) -> list[str]:
    """A line a commit, the newest first, with what it added and removed; what is the same of all of them once."""
    amounts = _sums(diff.files, lambda f: f.commit)
    names = _but_one(c.author.partition(" <")[0] for c in diff.commits)
    dates = _but_one(_DAYTIME.sub("", c.date) for c in diff.commits)
    of_all = [names[0] and f", all by {names[0]}", dates[0] and f", of {dates[0]}"]
    several = _has_few(diff) and len({f.path for f in diff.files}) > 1
    texts = [f"{len(diff.commits):,} commits{''.join(of_all)}, the newest first:"]
    rows = [*enumerate(zip(diff.commits, names[1], dates[1], strict=True))][:: -1 if diff.mailed else 1]
    for n, (c, name, date) in rows[:LISTED_COMMITS]:
        words = [c.sha[:9], date, name, amount_of(amounts.get(n, File(0, 0)))]
        own = ", ".join(_named(f, "") + _fate(f) for f in diff.files if several and f.commit == n)
        texts.append(" ".join(filter(None, words)) + f": {clipped(c.subject, SUBJECT)}" + f"\n  {own}" * (own > ""))
    rest = len(diff.commits) - LISTED_COMMITS
    return texts + ([f"+{rest:,} more commits"] if rest > 0 else [])


def _sums(files: Iterable[File], key: Callable[[File], object]) -> dict[object, File]:
    """What files of one ``key`` add and remove together."""
    sums: dict[object, File] = {}
    for f in files:
        total = sums.setdefault(key(f), File(f.start, f.end, old=f.old, new=f.path))
        total.status |= f.status
        total.added, total.removed = total.added + f.added, total.removed + f.removed
    return sums


def _but_one(values: Iterable[str]) -> tuple[str, list[str]]:
    """What all values are, and nothing more of each; else nothing, and all of them."""
    listed = [*values]
    return (listed[0], [""] * len(listed)) if len({*listed}) == 1 else ("", listed)


def _files(diff: Diff, message: bool) -> list[Fact]:
    """Every file with its changes, the most changed first, source before tests; of many by folder, or the folders."""
    sums = _sums((f for f in diff.files if not f.unnamed), lambda f: f.path)
    ranked = sorted(sums.values(), key=lambda f: (-scale(f.path), -f.size))
    if len(ranked) <= FEW_FILES:
        shared = posixpath.commonprefix([f.path for f in ranked]).rpartition("/")[0]
        shared = f"{shared}/" if len(shared) >= SHARED else ""
        of_all, fates = _but_one(map(_fate, ranked))
        head = f"files{of_all} under {shared}:" if shared else f"files{of_all}:"
        names = [_named(f, shared) + fate for f, fate in zip(ranked, fates, strict=True)]
        if max(f.end for f in ranked) > LONG:  # most of it is not shown
            head += " (last: the line here with which each begins)"
            names = [f"{text} {f.start + 1}" for text, f in zip(names, ranked, strict=True)]
        return [Fact("\n".join([head, *names]), int(len(diff.commits) > FEW_COMMITS))]
    totals, most = _totals(ranked), _most_changed(ranked)
    listed = [f"by folder: {text}" for least in (0.0, 1.0) if len(text := _by_folder(ranked, least)) <= NAMES]
    if len(ranked) > MANY_FILES:
        listed = [f"by folder: {_by_folder(ranked, most=FEW_FILES)}"]
    if message:  # it would leave no room for more
        return [Fact(totals, 0), *(Fact(text, 1) for text in listed[:1])]
    text, short, *_ = *listed, *(f"{totals}\n{'; '.join(each)}" for each in (most, most[:1])), totals
    return [Fact(text, 1, short=short, least=totals)]


def _most_changed(files: Sequence[File]) -> list[str]:
    """The most changed files, those of source apart: tests and documents often have more lines."""
    ranked = sorted(files, key=lambda f: -f.size)
    source, rest = ([_named(f, "") for f in ranked if (scale(f.path) == 1) is own] for own in (True, False))
    parts = [f"of source: {some(source, FEW_SOURCE)}"] * bool(source)
    parts += [f"of tests, documents, settings and others: {some(rest, FEW_FILES - FEW_SOURCE)}"] * bool(rest)
    return [f"most changed {parts[0]}", *parts[1:]]


def _by_folder(files: Iterable[File], least: float = 0.0, most: int = MANY_FILES) -> str:
    """All names; the changes of those which say at least so much (1.0: of source)."""
    folders: dict[str, list[str]] = {}
    for f in files:
        folder, _, name = f.path.rpartition("/")
        folders.setdefault(folder, []).append(f"{name} {amount_of(f)}".strip() if scale(f.path) >= least else name)
    return "; ".join(f"{folder or '.'}/: {some(names, most)}" for folder, names in folders.items())


def _named(f: File, folder: str) -> str:
    return f"{f.path.removeprefix(folder)} {amount_of(f)}".strip()


def _fate(f: File) -> str:
    """What happened to a file as a whole: `` (new)``, `` (renamed from knots.py)``."""
    fate = next((mark for mark in LISTED if mark in f.status), "")
    here = f.path.rpartition("/")[0] == f.old.rpartition("/")[0]
    origin = f" from {f.old.rpartition('/')[2] if here else f.old}" if fate in ("renamed", "copied") else ""
    return f" ({fate}{origin})" if fate else ""


def _totals(files: list[File]) -> str:
    """``files: src/ (8) +140 −60, tests/ (3) +20``: by the folders below the one that all have in common."""
    folders = [f.path.split("/")[:-1] for f in files]
    shared = posixpath.commonprefix(folders)
    within = {f.path: (folder[len(shared) :] or ["."])[0] for f, folder in zip(files, folders, strict=True)}
    counts, totals = Counter[object](within.values()), _sums(files, lambda f: within[f.path])
    names = [f"{name}/ ({counts[name]:,}) {amount_of(total)}".strip() for name, total in totals.items()]
    return f"files{' under ' * bool(shared)}{'/'.join([*shared, ''])}: {some(names, FEW_FOLDERS)}"


def amount_of(f: File) -> str:
    parts = [f"+{f.added:,}"] if f.added else []
    parts += [f"−{f.removed:,}"] if f.removed else []
    return " ".join(parts)


def _special(diff: Diff, listed: Container[str]) -> list[str]:
    notes = []
    for status in NOTABLE:
        files = [f for f in diff.files if status in f.status]
        if not files or status in listed:
            continue
        names = [renaming(f) if status in ("renamed", "copied") else f.path for f in files]
        if status == "mode":
            names = [f.path + (f" {'→'.join(f.modes)}" if all(f.modes) else "") for f in files]
        word = {"only": "only on one side", "differs": "differing"}.get(status, status)
        notes.append(f"{word} {len(files):,}: {some(names, 3)}")
    return notes


def renaming(f: File) -> str:
    """``src/{old → new}/name``: the parts that differ once."""
    shared = "".join(posixpath.commonprefix([f.old, f.new]).rpartition("/")[:2])
    return f"{shared}{{{f.old[len(shared) :]} → {f.new[len(shared) :]}}}" if shared else f"{f.old} → {f.new}"
