"""Histories of commits (``git log`` in its forms, a git server's ``git_log``): a commit a line, the newest first.

What a message says of failures is news of repairs, so no line of it is an alarm; of the changes that a history counts
(``--stat``) the one far beyond all others is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from mcpcompact.content.shared.lines import is_wrapper, outline_of
from mcpcompact.outline import MAX_ITEMS, Fact, Item, Keep, Outline
from mcpcompact.patterns import BLAMED, regex
from mcpcompact.phrasing import counted

_PREFACE = 3  # lines before the first commit

RUN, SHARE = 2, 0.5  # routine commits that are told together; share of a history up to which they say little
NAMED = 3  # files of a commit that its line names, the most changed first; of many their subjects tell more
LEAST = 3  # commits that make a history
HEADS = 6  # lines of a head at most: commit, Merge, Author, AuthorDate, Commit, CommitDate
WHOLE = 20  # commits up to which a hash is shown whole: they fit the usual budget; of more the subjects tell more
SHORT = 10  # characters of a hash else: git itself takes 7 to 12
NEWEST, OLDER, OLDEST = 1.5, 0.7, 1e-9  # weights: of the first commit, factor from one to the next, and the least
CHANGED, BODY, TRAILER = 0.5, 0.1, 0.01  # factors: a commit's files, further lines of its message, come last of all
COUNTED, FAR = 20, 10  # commits whose changes are counted, and how many times the third largest is far
AUTHORS, LARGEST, LISTED = 3, 2, 12  # said by name; of git shortlog

_HEAD = regex(r"(?:[|\\/_ ]*\*[|\\/_. -]* )?((?:commit |Commit: )[ '\"]?([0-9a-f]{7,64}\b)['\"]?)(.{0,200})$")
_LINE = regex(r"(?:[|\\/_ ]*\* [|\\/_ ]*)?\^?([0-9a-f]{7,40}) (?=\S)")
_AUTHOR = regex(r"(\S.{0,200}) \((\d{1,9})\):$")
_BELOW = " " * 6
_KINDS = (("reflog entry", regex(r"\w+ (?:\(.{0,300}?\) )?\S+@\{")), ("ref", regex(r"\w+ (?:\w+\s)?refs/")))
"""Lines that name commits and are no commits."""
_FIELD = regex(r"[|\\/ ]*(Merge|Author|AuthorDate|Commit|CommitDate|Date|Message): *(.*)")
_TOLD = regex(r"[|\\/_ ]*(?!Merge:|Commit:|CommitDate:)[^|\\/_\s]")  # a line of a head that its line tells
_DAY = regex(r"(\d{4}-\d\d-\d\d)|[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) [\d:]{8} (\d{4})")
_MAIL = regex(r" *<[^<>]*>$")
_TRAILER = regex(
    r"[A-Z][\w-]+-[Bb]y: |Change-Id: |(?:---|\.\.\.)$|updated-dependencies:|(?:- )?dependency-\w+: |update-type: "
)
_STANDING_OUT = {  # kinds of commits that are named, where they are few
    "Reverts": regex(r"(?:\([^)]{1,200}\) )?revert\b|this reverts commit\b", re.I),
    "Security in subjects": regex(
        r".*(?:\b(?:security(?!\.md)|compromised|malicious|vulnerab\w+|exploit\w*|SSRF|XSS|CSRF|ReDoS"
        r"|use[- ]after[- ]free|buffer overflow)\b|\(sec\)|\bCVE-\d)",
        re.I,
    ),
    "Breaking changes": regex(r"\w+(?:\([^)]{1,40}\))?!:|.*\b(?i:breaking[ -]change)"),
}
_FOOTER = regex(r"(?:[-•] )?(BREAKING[ -]CHANGES?:(?! ?(?i:none|no|n/a)\W*$).*|This reverts commit\b.*)")
"""What a message says of such a kind below its subject."""
FEW_NAMED, FEW_NUMBERED = 3, 12
_BOT = regex(r".*\b(?:dependabot|renovate|pre-commit-ci|github-actions|greenkeeper|snyk-bot|allcontributors)\b", re.I)
_REPAIRS = regex(r".*\b(?:fix|feat|revert)", re.I)
_MERGE = regex(r"Merge (?:pull request|(?:remote-tracking )?branch|tag|commit) ")
_BUMP = regex(
    r"(?:\w{1,20}(?:\([\w-]{1,20}\))?: )?(?:(?:bump version|version bump)(?: v?[\d.]+)?$"
    r"|bump (?:the )?\S{1,80} (?:from \S|group )"
    r"|update (?:dependencies$|dependency \S{1,80} to |pre-commit hooks)|lock file maintenance)",
    re.I,
)
FILE = regex(r"(\S(?:[^|]*[^ |])?) +\| +(?:(\d+) ?[+-]*|Bin .*)$|(?:[AMDRCT]\d{0,3}|[\d-]+\t[\d-]+)\t(\S.*)$")
_TOTAL = regex(r"(\d+ files?) changed(?:, (\d+) insertions?\(\+\))?(?:, (\d+) deletions?\(-\))?$")
_GRAPH = " |\\/_*\r"
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def share(lines: Sequence[str]) -> float:
    """1.0 where the lines are a history: commits that begin it, each with its author, or one a line; no patches."""
    lines = lines[:5_000]
    heads = [i for i, line in enumerate(lines) if "ommit" in line and _HEAD.match(line)]
    if _is_shortlog(lines):
        return 1.0
    if len(heads) < LEAST or heads[0] > _PREFACE:
        return float(_one_a_line(lines))
    told = sum(any("Author:" in line for line in lines[i + 1 : i + HEADS]) for i in heads[:-1])
    patched = any(line.startswith(("diff --git ", "@@ ")) for line in lines)
    return float(told >= 0.9 * (len(heads) - 1) and not patched)


def _one_a_line(lines: Sequence[str]) -> bool:
    """``git log --oneline`` and the like; no line of ``git blame``, and no sizes: half of the hashes have letters."""
    filled = [line for line in lines if (said := line.strip(_GRAPH)) and not is_wrapper(line)]
    filled = [line for line in filled if not (FILE.match(said := line.strip(_GRAPH)) or _TOTAL.match(said))]  # counts
    found = [match[1] for line in filled if (match := _LINE.match(line)) and not BLAMED.match(line)]
    return len(found) >= max(LEAST, 0.9 * len(filled)) and 2 * sum(not name.isdigit() for name in found) > len(found)


def _is_shortlog(lines: Sequence[str]) -> bool:
    """``git shortlog``: authors with their number of commits, and below each the subjects."""
    heads = sum(_AUTHOR.match(line) is not None for line in lines)
    below = sum(line.startswith(_BELOW) for line in lines)
    filled = sum(map(bool, map(str.strip, lines)))
    return heads > 1 and bool(_AUTHOR.match(lines[0])) and below >= heads and heads + below == filled


def _shortlog(lines: Sequence[str]) -> Outline:
    items: list[Item] = []
    names: Counter[str] = Counter()
    section, name = "", ""
    for n, line in enumerate(lines):
        if author := _AUTHOR.match(line):
            section, name = f"{n + 1} {line}", author[1]
        elif title := line.strip():
            weight = _weight(names[name])
            items.append(Item(n + 1, n + 1, f"{n + 1} {title}", weight=weight, section=section, part=("commits", 1)))
            names[name] += 1
    ordered = sorted(names.items(), key=lambda pair: (-pair[1], pair[0]))
    told = ", ".join(f"{name} {count:,}" for name, count in ordered[:LISTED])
    more = f", {len(names) - LISTED:,} more" if len(names) > LISTED else ""
    said = f"{counted(len(items), 'commit')} of {counted(len(names), 'author')}"
    made = _made(lines, said, [Fact(f"Shortlog: {said}.", 0), Fact(f"Authors: {told}{more}.", 0)], items)
    made.in_order = ""
    return made


def outline(lines: Sequence[str]) -> Outline:
    """Facts on commits, days and authors; an item a commit (hash, day, author, subject), then its message by lines."""
    starts = [i for i, line in enumerate(lines) if _HEAD.match(line)]
    if len(starts) < LEAST:
        return _shortlog(lines) if _is_shortlog(lines) else _of_lines(lines)
    bounds = [*starts, len(lines)]
    commits = [_commit(lines, *span) for span in pairwise(bounds)]
    far = _far([changed for *_, changed in commits])
    names = Counter(author for _, author, _, _ in commits)
    days = [day for _, _, day, _ in commits if day]
    several_days = len(set(days)) > 1
    one_year = len({day[:4] for day in days}) == 1  # then a day stands as git itself prints it
    rote = [_rote(lines, begin, *commit[:2]) for begin, commit in zip(starts, commits, strict=True)]
    routine = _routine([kind if number not in far else "" for number, kind in enumerate(rote)])
    items: list[Item] = []
    sizes: list[tuple[int, int]] = []
    subjects: list[tuple[int, str, list[str]]] = []
    for number, (begin, (at, author, day, changed)) in enumerate(zip(starts, commits, strict=True)):
        head = _HEAD.match(lines[begin])
        assert head is not None  # it was matched above
        listed = number not in routine
        weight = _weight(len(sizes)) if listed else OLDEST * OLDEST
        subject = _subject(lines, begin, at)
        name = head[1] if len(starts) <= WHOLE else head[2][:SHORT]
        who = f"{author}:" if len(names) > 1 else ""
        day = _said(day, one_year) if several_days else ""
        end = bounds[number + 1]
        last = max((n for n in range(at, end) if any(map(str.isalnum, lines[n]))), default=at - 1) + 1
        said = f"{begin + 1}-{last} {name}{head[3].rstrip()} {day} {who} {subject}"
        totals = [n for n in range(at, end) if _TOTAL.match(lines[n].strip(_GRAPH))]
        head_line = " ".join(said.split()) + _changed(lines[at:end], NAMED if len(starts) <= WHOLE else number in far)
        sizes += [(-changed, number)] if listed else []
        flow, also = "lines" * listed, [n + 1 for n in range(begin + 1, at) if _TOLD.match(lines[n])]
        items.append(
            Item(begin + 1, at, head_line, weight=weight, flow=flow, part=("commits", 1), whole=True, also=also)
        )
        if number in far:
            items[-1].keep, items[-1].reason = Keep.OUTLIER, f"{changed} lines added or deleted, {far[number]}"
        footers = [found[1] for line in lines[at:end] if (found := _FOOTER.match(line.strip(_GRAPH)))]
        subjects.append((at, subject, footers))
        for n in range(at, end):
            if n not in totals[:1] and any(map(str.isalnum, line := lines[n].strip(_GRAPH))):
                less = CHANGED if FILE.match(line) else TRAILER if _TRAILER.match(line) else BODY
                weighed = OLDEST * OLDEST * weight * less  # after all commits
                if less != CHANGED and items[-1].end == n and items[-1].weight == weighed:  # of one paragraph
                    items[-1].text, items[-1].end = f"{items[-1].text}\n{line}", n + 1
                else:
                    items.append(Item(n + 1, n + 1, f"{n + 1} {line}", weight=weighed, section=head_line, flow="lines"))
    span = f", {_said(min(days))}{f' to {_said(max(days))}' * several_days}" if days else ""
    many = [f"{name} {n:,}" for name, n in sorted(names.items(), key=lambda pair: (-pair[1], pair[0]))]
    more = f", {len(many) - AUTHORS:,} more" if len(many) > AUTHORS else ""
    who = f": {', '.join(many[:AUTHORS])}{more}" if [*names] != ["?"] else ""
    stated = 2 * sum(changed > 0 for *_, changed in commits) > len(starts)  # not only in a message
    form = " with counts of changes, as git log --stat has them" * stated
    facts = [Fact(f"History{form}: {counted(len(starts), 'commit')}{span}; {counted(len(many), 'author')}{who}.", 0)]
    if routine:
        kinds = ", ".join(counted(n, kind) for kind, n in Counter(routine.values()).most_common())
        facts.append(Fact(f"Left out first, also between those shown: {kinds}.", 0))
    if not far and sum(size < 0 for size, _ in sizes) >= COUNTED:
        most = [number for _, number in sorted(sizes)[:LARGEST]]
        told = [f"{commits[n][3]:,} at line {subjects[n][0]}: {subjects[n][1]}" for n in most]
        facts.append(Fact(f"Most lines changed: {'; '.join(told)}", 0))
    facts += _standing_out(subjects)
    made = _made(lines, f"{counted(len(starts), 'commit')} in {counted(len(lines), 'line')}", facts, items)
    told_in = f"{'day, ' * several_days}{'author: ' * (len(names) > 1)}subject"
    made.header = f"Each commit as a row: its lines, hash, {told_in}"
    return made


def _standing_out(subjects: Sequence[tuple[int, str, list[str]]]) -> list[Fact]:
    """Reverts and the like, where they are few: what the newest say, and of others the numbers of their lines."""
    facts = []
    for kind, of in _STANDING_OUT.items():
        found = [(n, said) for n, said, footers in subjects if any(map(of.match, (said, *footers)))]
        told = "; ".join(f"line {n}: {said}" for n, said in found[:FEW_NAMED])
        if 0 < len(found) <= FEW_NAMED:
            facts.append(Fact(f"{kind}: {told}", 0))
        elif 0 < len(found) <= FEW_NUMBERED:
            said = f"{kind}: {len(found)} commits, lines {', '.join(str(n) for n, _ in found)}"
            facts.append(Fact(f"{said}\nthe first of them: {told}", 0, said))
    return facts


def _of_lines(lines: Sequence[str]) -> Outline:
    """Of a history with a commit a line these lines as they stand; what stands between them (``--stat``) comes last."""
    items: list[Item] = []
    number, above = 0, ""
    heads = [n for n, line in enumerate(lines) if _LINE.match(line)]
    ends = dict(zip(heads, [*heads[1:], len(lines)], strict=True))
    most = NAMED if len(heads) <= WHOLE else 0
    for n, line in enumerate(lines):
        if not line.strip(_GRAPH) or is_wrapper(line):
            continue
        head = n in ends
        weight = _weight(number) * (1 if head else OLDEST * OLDEST)
        number += head
        text = f"{n + 1} {line.rstrip()}" + (_changed(lines[n + 1 : ends[n]], most) if head else "")
        items.append(Item(n + 1, n + 1, text, weight=weight, flow="lines" * head, section="" if head else above))
        items[-1].part, above = (("commits", 1), text) if head else (("", 0), above)
    kind = next((name for name, pattern in _KINDS if 2 * sum(map(bool, map(pattern.match, lines))) > len(lines)), "")
    if not kind:
        told = _standing_out([(n + 1, _LINE.sub("", lines[n], count=1), []) for n in heads])
        said = counted(number, "commit")
        return _made(lines, said, [Fact(f"History: {said}.", 0), *told], items)
    for item in items:
        item.part = ("", 0)
    distinct = len({match[1] for line in lines if (match := _LINE.match(line))})
    said = f"{counted(number, kind)}, {distinct:,} different hashes"
    made = _made(lines, said, [Fact(f"{said}.", 0)], items)
    made.in_order, made.parts = "", {}
    return made


def _weight(number: int) -> float:
    """The newest first, whatever names an older one holds."""
    return max(OLDEST, NEWEST * OLDER**number)


def _made(lines: Sequence[str], headline: str, facts: list[Fact], items: list[Item]) -> Outline:
    order, parts = "commit" if len(items) <= MAX_ITEMS else "", {"commits": sum(item.part[1] for item in items)}
    return outline_of(lines, headline, facts, items, facts_share=0.05, in_order=order, parts=parts)


def _commit(lines: Sequence[str], begin: int, end: int) -> tuple[int, str, str, int]:
    """Of a commit: the index behind its subject, its author, its day, and the most lines that it added or deleted."""
    fields: dict[str, str] = {}
    at = begin + 1
    while at < end and "Message" not in fields and (field := _FIELD.match(lines[at])):
        fields.setdefault(field[1], field[2].strip())
        at += 1
    while not fields.get("Message") and at < end:
        at += 1
        if lines[at - 1].strip(_GRAPH):
            break
    totals = [match for line in lines[at:end] if (match := _TOTAL.match(line.strip(_GRAPH)))]
    changed = max((sum(int(number or 0) for number in match.groups()[1:]) for match in totals), default=0)
    author, date = _MAIL.sub("", fields.get("Author", "?")), fields.get("Date") or fields.get("AuthorDate", "")
    return at, author, _day(date), changed


def head_of(lines: Sequence[str]) -> range:
    """The numbers of the lines from a commit's hash to its subject, where these lines begin with one."""
    begin = next((i for i, line in enumerate(lines[:LEAST]) if _HEAD.match(line)), -1)
    return range(begin + 1, _commit(lines, begin, len(lines))[0] + 1) if begin >= 0 else range(0)


def _rote(lines: Sequence[str], begin: int, at: int, author: str) -> str:
    """What kind of routine a commit is: a merge, of a bot and no repair, a bump of a version or of what is needed."""
    subject = _subject(lines, begin, at)
    if any(line.lstrip(_GRAPH).startswith("Merge: ") for line in lines[begin + 1 : at]) or _MERGE.match(subject):
        return "merge"
    if _BOT.match(author) and not _REPAIRS.match(subject):
        return "routine bot commit"
    return "version bump" if _BUMP.match(subject) else ""


def _routine(rote: Sequence[str]) -> dict[int, str]:
    """Such commits by number; not the newest of all, and none among few commits or where most are such."""
    found = {number: kind for number, kind in enumerate(rote) if kind and number}
    return found if len(rote) > WHOLE and RUN <= len(found) <= SHARE * len(rote) else {}


def _changed(below: Sequence[str], most: int) -> str:
    """What the lines below a commit say that it changed: how much (``3 files +14 −2``), and the files with most of it,
    source first."""
    from mcpcompact.content.diff.about import scales

    said = [line.strip(_GRAPH) for line in below]
    files = [match for line in said if (match := FILE.match(line))]
    totals = [match for line in said if (match := _TOTAL.match(line))]
    if len(totals) > 1 or not (files or totals):
        return ""
    sizes = [(match[1] or match[3], int(match[2] or 0)) for match in files]
    ranked = sorted(zip(scales(sizes), sizes, strict=True), key=lambda one: (-one[0], -one[1][1]))
    paths = [path for _, (path, _) in ranked]
    counts = [f"{sign}{n}" for sign, n in zip("+−", totals[0].groups()[1:], strict=True) if n] if totals else []
    amount = " ".join([totals[0][1] if totals else counted(len(files), "file"), *counts])
    named = ", ".join(paths[:most] + ["…"] * (int(amount.split()[0].replace(",", "")) > len(paths[:most]) > 0))
    return f" ({amount}{': ' * (named > '')}{named})"


def _subject(lines: Sequence[str], begin: int, at: int) -> str:
    return lines[at - 1].strip(_GRAPH).removeprefix("Message:").lstrip() if at > begin + 1 else ""


def _far(changes: Sequence[int]) -> dict[int, str]:
    """The one or two commits that changed far more lines than all others, and how many those changed at most."""
    ordered = sorted((n for n in changes if n), reverse=True)
    if len(ordered) < COUNTED or ordered[0] <= FAR * ordered[2]:
        return {}
    far = [number for number, n in enumerate(changes) if n > FAR * ordered[2]]
    others = max((n for n in ordered if n <= FAR * ordered[2]), default=0)
    return dict.fromkeys(far, f"others at most {others:,}")


def _day(date: str) -> str:
    """``2026-07-22``, of git's own dates with their words behind it; times of day are left to the original."""
    match = _DAY.search(date)
    if match is None or match[1]:
        return match[1] if match else ""
    month = f"{_MONTHS.index(match[2]) + 1:02d}" if match[2] in _MONTHS else match[2]
    return f"{match[4]}-{month}-{int(match[3]):02d} {match[2]} {match[3]}"


def _said(day: str, short: bool = False) -> str:
    """A day in the words of the original, without its year where all are of one."""
    iso, _, words = day.partition(" ")
    return f"{words} {iso[:4]}"[: len(words) if short else None] if words else iso
