"""Histories of commits (``git log`` in its forms, a git server's ``git_log``): a commit a line, the newest
first; the files of a change and what became of each (``git pull``, ``git commit``, ``git diff --stat``).
What a message says of failures is news of repairs, so no line of it is an alarm.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import count, pairwise

from mcpcompact.content.shared.lines import is_wrapper, outline_of
from mcpcompact.outline import MAX_ITEMS, Fact, Item, Outline
from mcpcompact.patterns import BLAMED, matching, regex
from mcpcompact.phrasing import counted

_PREFACE = 3  # lines before the first commit
RUN, SHARE = 2, 0.5  # routine commits that are told together; share of a history up to which they say little
NAMED = 3  # files of a commit that its line names, the most changed first; of many their subjects tell more
MIN, COUNTED = 3, 20  # commits that make a history, whose changes are counted: of those the largest are told
HEADS = 6  # lines of a head at most: commit, Merge, Author, AuthorDate, Commit, CommitDate
WHOLE = 20  # commits up to which a hash is shown whole: they fit the usual budget; of more the subjects tell more
SHORT = 10  # characters of a hash else: git itself takes 7 to 12
NEWEST, OLDER, OLDEST = 1.5, 0.7, 1e-9  # weights: of the first commit, factor from one to the next, and the least
CHANGED, BODY, TRAILER = 0.5, 0.1, 0.01  # factors: a commit's files, further lines of its message, come last of all
AUTHORS, LARGEST, LISTED = 3, 2, 12  # said by name; of git shortlog
HEADING = 12.0  # weight of a commit's head above the files that it changes
LISTED_MOSTLY, LISTED_ALONE = 0.5, 0.8  # of the lines are of a list of changed files; all but these, where no hooks ran
FEW_FILES = 6  # of which the same became: these are named

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
_TOTAL = regex(r" ?(\d+ files?) changed(?:, (\d+) insertions?\(\+\))?(?:, (\d+) deletions?\(-\))?$", holds=("changed",))
STATED = regex(r" ?\S.{0,300}? +\| +(?:\d{1,9}(?: [+-]+)?|Bin(?: .{1,60})?)$", holds=(" |",))
_FATE = regex(
    r" (create mode|delete mode|rename|copy|mode change|rewrite) (?:\d{6} )?(\S.*)", holds=(" mode ", " re", " copy ")
)
_GRAPH = " |\\/_*\r"
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def share(lines: Sequence[str]) -> float:
    """1.0 where the lines are a history: commits that begin it, each with its author, or one a line; no patches."""
    lines = lines[:5_000]
    heads = [i for i, line in enumerate(lines) if "ommit" in line and _HEAD.match(line)]
    if _is_shortlog(lines):
        return 1.0
    if len(heads) < MIN or heads[0] > _PREFACE:
        return float(_one_a_line(lines))
    authored = sum(any("Author:" in line for line in lines[i + 1 : i + HEADS]) for i in heads[:-1])
    patched = any(line.startswith(("diff --git ", "@@ ")) for line in lines)
    return float(authored >= 0.9 * (len(heads) - 1) and not patched)


def _one_a_line(lines: Sequence[str]) -> bool:
    """``git log --oneline`` and the like; no line of ``git blame``, and no sizes: half of the hashes have letters."""
    pairs = ((line, line.strip(_GRAPH)) for line in lines if not is_wrapper(line))
    filled = [line for line, bare in pairs if bare and not (FILE.match(bare) or _TOTAL.match(bare))]  # counts
    hashes = [match[1] for line in filled if (match := _LINE.match(line)) and not BLAMED.match(line)]
    return len(hashes) >= max(MIN, 0.9 * len(filled)) and 2 * sum(not name.isdigit() for name in hashes) > len(hashes)


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
    headline = f"{counted(len(items), 'commit')} of {counted(len(names), 'author')}"
    facts = [Fact(f"Shortlog: {headline}.", 0), Fact(f"Authors: {_ranked(names, LISTED)}.", 0)]
    result = _made(lines, headline, facts, items)
    result.in_order = ""
    return result


def _ranked(names: Counter[str], most: int) -> str:
    """The authors with most commits, and how many others there are."""
    ranked = [f"{name} {n:,}" for name, n in sorted(names.items(), key=lambda pair: (-pair[1], pair[0]))]
    return ", ".join([*ranked[:most], *[f"{len(names) - most:,} more"] * (len(names) > most)])


class _Commit:
    """A commit: its first line, the one behind its subject and the one behind all (by index), and what these say."""

    def __init__(self, lines: Sequence[str], begin: int, end: int) -> None:
        fields: dict[str, str] = {}
        at = begin + 1
        while at < end and "Message" not in fields and (field := _FIELD.match(lines[at])):
            fields.setdefault(field[1], field[2].strip())
            at += 1
        while not fields.get("Message") and at < end:
            at += 1
            if lines[at - 1].strip(_GRAPH):
                break
        head = _HEAD.match(lines[begin])
        self.begin, self.at, self.place = begin, at, f"line {begin + 1} {head[2][:SHORT] if head else ''}"
        self.said = [line.strip(_GRAPH) for line in lines[at:end]]  # below the subject
        self.subject = lines[at - 1].strip(_GRAPH).removeprefix("Message:").lstrip() if at > begin + 1 else ""
        self.author = _MAIL.sub("", fields.get("Author", "?"))
        self.day = _day(fields.get("Date") or fields.get("AuthorDate", ""))
        most = max((match for line in self.said if (match := _TOTAL.match(line))), key=_lines_of, default=None)
        self.changed, self.amount = (_lines_of(most), " ".join(_counts(most))) if most else (0, "")  # lines
        self.footers = [footer[1] for line in self.said if (footer := _FOOTER.match(line))]
        if _MERGE.match(self.subject) or any(s.lstrip(_GRAPH).startswith("Merge: ") for s in lines[begin + 1 : at]):
            self.rote = "merge"
        elif _BOT.match(self.author) and not _REPAIRS.match(self.subject):
            self.rote = "routine bot commit"
        else:
            self.rote = "version bump" if _BUMP.match(self.subject) else ""

    def items(self, lines: Sequence[str], place: str, named: int, weight: float, listed: bool) -> list[Item]:
        """Its subject behind the ``place`` (hash, day, author), then what stands below, paragraphs as one."""
        begin, at = self.begin, self.at
        filled = [n for n, line in enumerate(self.said, at) if any(map(str.isalnum, line))]
        head = f"{begin + 1}-{max(filled, default=at - 1) + 1} {place} {self.subject}"
        head = " ".join(head.split()) + _changed(self.said, named)
        also = [n + 1 for n in range(begin + 1, at) if _TOLD.match(lines[n])]
        items = [Item(begin + 1, at, head, weight=weight, part=("commits", 1), whole=True, also=also)]
        items[0].flow = "lines" * listed
        totals = [n for n in filled if _TOTAL.match(self.said[n - at])][:1]  # in the head
        for n in sorted({*filled}.difference(totals)):
            line = self.said[n - at]
            less = CHANGED if FILE.match(line) else TRAILER if _TRAILER.match(line) else BODY
            weighed = OLDEST * OLDEST * weight * less  # after all commits
            if less != CHANGED and items[-1].end == n and items[-1].weight == weighed:  # of one paragraph
                items[-1].text, items[-1].end = f"{items[-1].text}\n{line}", n + 1
            else:
                items.append(Item(n + 1, n + 1, f"{n + 1} {line}", weight=weighed, section=head, flow="lines"))
        return items


def outline(lines: Sequence[str]) -> Outline:
    """Facts on commits, days and authors; an item a commit (hash, day, author, subject), then its message by lines."""
    heads = {i: match for i, line in enumerate(lines) if (match := _HEAD.match(line))}
    if len(heads) < MIN:
        return _shortlog(lines) if _is_shortlog(lines) else _of_lines(lines)
    commits = [_Commit(lines, *span) for span in pairwise([*heads, len(lines)])]
    few = len(commits) <= WHOLE
    names = Counter(commit.author for commit in commits)
    days = [commit.day for commit in commits if commit.day]
    several_days = len(set(days)) > 1
    one_year = len({day[:4] for day in days}) == 1  # then a day stands as git itself prints it
    routine = {n: commit.rote for n, commit in enumerate(commits) if commit.rote and n}  # no newest
    if few or not RUN <= len(routine) <= SHARE * len(commits):
        routine = {}
    listed = [commit for number, commit in enumerate(commits) if number not in routine]
    weights = dict(zip(listed, map(_weight, count()), strict=False))
    items: list[Item] = []
    for commit, head in zip(commits, heads.values(), strict=True):
        name = f"{head[1] if few else head[2][:SHORT]}{head[3].rstrip()}"
        day = _said(commit.day, one_year) if several_days else ""
        who = f"{commit.author}:" if len(names) > 1 else ""
        weight = weights.get(commit, OLDEST * OLDEST)
        items += commit.items(lines, f"{name} {day} {who}", NAMED * few, weight, commit in weights)
    span = f", {_said(min(days))}{f' to {_said(max(days))}' * several_days}" if days else ""
    who = f": {_ranked(names, AUTHORS)}" if [*names] != ["?"] else ""
    stated = 2 * sum(commit.changed > 0 for commit in commits) > len(commits)  # not only in a message
    form = " with counts of changes, as git log --stat has them" * stated
    facts = [Fact(f"History{form}: {counted(len(commits), 'commit')}{span}; {counted(len(names), 'author')}{who}.", 0)]
    months, called = Counter(day[:7] for day in days), {f"{n:02d}": name for n, name in enumerate(_MONTHS, 1)}
    if not few and len(months) == len({month[5:] for month in months}) > 1:  # each of its own name
        texts = [f"{n:,} in {called.get(month[5:], month)}" for month, n in sorted(months.items(), reverse=True)]
        facts.append(Fact(f"Commits by month: {', '.join(texts)}.", 0))
    if routine:
        kinds = ", ".join(counted(n, kind) for kind, n in Counter(routine.values()).most_common())
        facts.append(Fact(f"Left out first, also between those shown: {kinds}.", 0))
    if sum(commit.changed > 0 for commit in commits) >= COUNTED:
        most = sorted(commits, key=lambda commit: -commit.changed)[:LARGEST]
        texts = [f"{commit.amount} at {commit.place}: {commit.subject}" for commit in most]
        facts.append(Fact(f"Most lines changed: {'; '.join(texts)}", 0))
    facts += _standing_out([(commit.place, commit.subject, commit.footers) for commit in commits])
    result = _made(lines, f"{counted(len(commits), 'commit')} in {counted(len(lines), 'line')}", facts, items)
    told_in = f"{'day, ' * several_days}{'author: ' * (len(names) > 1)}subject"
    result.header = f"Each commit as a row: its lines, hash, {told_in}"
    return result


def _standing_out(subjects: Sequence[tuple[str, str, list[str]]]) -> list[Fact]:
    """Reverts and the like, where they are few: what the newest say, of others where they begin, as in rows."""
    facts = []
    for kind, of in _STANDING_OUT.items():
        matches = [(place, text) for place, text, footers in subjects if any(map(of.match, (text, *footers)))]
        texts = [f"{place}: {text}" for place, text in matches]
        if 0 < len(matches) <= FEW_NAMED:
            facts.append(Fact(f"{kind}: {'; '.join(texts)}", 0))
        elif 0 < len(matches) <= FEW_NUMBERED:
            text = f"{kind}: {len(matches)} commits, lines {', '.join(place.split()[1] for place, _ in matches)}"
            facts.append(Fact(f"{text}\nthe first of them: {texts[0]}", 0, text))
    return facts


BESIDE = 6  # lines beside a history with a commit a line, at most, that are none of its own


def _of_lines(lines: Sequence[str]) -> Outline:
    """Of a history with a commit a line these lines as they stand; what stands between them (``--stat``) comes last."""
    items: list[Item] = []
    number, above = 0, ""
    heads = {n: match for n, line in enumerate(lines) if (match := _LINE.match(line))}
    ends = dict(zip(heads, [*heads, len(lines)][1:], strict=True))
    most = NAMED if len(heads) <= WHOLE else 0
    kind = next((name for name, pattern in _KINDS if 2 * sum(map(bool, map(pattern.match, lines))) > len(lines)), "")
    bare = [line.strip(_GRAPH) for line in lines]
    printed = sum(map(bool, bare)) - len(heads) <= BESIDE  # by another command: no list of files
    for n, line in enumerate(lines):
        if not bare[n] or is_wrapper(line):
            continue
        head = n in ends
        weight = _weight(number) if head else 2 * NEWEST if printed else _weight(number) * OLDEST * OLDEST
        number += head
        text = f"{n + 1} {line.rstrip()}" + (_changed(bare[n + 1 : ends[n]], most) if head else "")
        items.append(
            Item(n + 1, n + 1, text, weight=weight, flow="lines" * head, section="" if head or printed else above)
        )
        items[-1].part = ("commits", 1) if head and not kind else ("", 0)
        above = text if head else above
    if kind:
        headline = f"{counted(number, kind)}, {len({match[1] for match in heads.values()}):,} different hashes"
        return _made(lines, headline, [Fact(f"{headline}.", 0)], items)
    headline = counted(number, "commit")
    notable = _standing_out([(f"line {n + 1} {of[1][:SHORT]}", lines[n][of.end() :], []) for n, of in heads.items()])
    return _made(lines, headline, [Fact(f"History: {headline}.", 0), *notable], items)


def _weight(number: int) -> float:
    """The newest first, whatever names an older one holds."""
    return max(OLDEST, NEWEST * OLDER**number)


def _made(lines: Sequence[str], headline: str, facts: list[Fact], items: list[Item]) -> Outline:
    commits = sum(item.part[1] for item in items)
    order, parts = "commit" if commits and len(items) <= MAX_ITEMS else "", {"commits": commits} if commits else {}
    return outline_of(lines, headline, facts, items, facts_share=0.05, in_order=order, parts=parts)


def _lines_of(total: re.Match[str]) -> int:
    """How many lines changed, by the line of git that sums a commit up."""
    return sum(int(n or 0) for n in total.groups()[1:])


def _counts(total: re.Match[str]) -> list[str]:
    """``+14`` and ``−2``, by the same line."""
    return [f"{sign}{n}" for sign, n in zip("+−", total.groups()[1:], strict=True) if n]


def _changed(below: Sequence[str], most: int) -> str:
    """What the lines below a commit say that it changed: how much (``3 files +14 −2``), and the files with most of it,
    source first."""
    from mcpcompact.content.diff.about import scales

    files = [match for line in below if (match := FILE.match(line))]
    totals = [match for line in below if (match := _TOTAL.match(line))]
    if len(totals) > 1 or not (files or totals):
        return ""
    sizes = [(match[1] or match[3], int(match[2] or 0)) for match in files]
    ranked = sorted(zip(scales(sizes), sizes, strict=True), key=lambda one: (-one[0], -one[1][1]))
    paths = [path for _, (path, _) in ranked]
    amount = " ".join([totals[0][1], *_counts(totals[0])] if totals else [counted(len(files), "file")])
    named = ", ".join(paths[:most] + ["…"] * (int(amount.split()[0].replace(",", "")) > len(paths[:most]) > 0))
    return f" ({amount}{': ' * (named > '')}{named})"


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


def change_total(lines: Sequence[str], least: float = LISTED_MOSTLY) -> int:
    """The number of the line that sums up a list of changed files, where most lines are of that list; else 0."""
    totals = matching(_TOTAL, lines)
    listed = len(matching(STATED, lines)) + len(matching(_FATE, lines)) if len(totals) == 1 else 0
    return totals[0] + 1 if listed > least * sum(map(bool, map(str.strip, lines))) else 0


def change_facts(lines: Sequence[str], total: int) -> list[Fact]:
    """The line that sums up, and how many files were made, deleted and renamed: which, where they are few."""
    fates: dict[str, list[str]] = {}
    for line in lines:
        if match := _FATE.match(line):
            fates.setdefault(match[1], []).append(match[2].rstrip())
    ranked = sorted(fates.items(), key=lambda one: -len(one[1]))
    texts = [f"{fate} {len(own):,}" + (f" ({', '.join(own)})" if len(own) <= FEW_FILES else "") for fate, own in ranked]
    return [Fact(f"{lines[total - 1].strip()}{': ' * bool(texts)}{' · '.join(texts)}.", 0)]


def weigh_change(items: Sequence[Item], lines: Sequence[str]) -> None:
    """Those with most changes come first, source before what goes along with it, behind what their commit says of
    itself."""
    from mcpcompact.content.diff.about import scales

    rows = [(item, match) for item in items if (match := FILE.match(item.text))]
    sizes = [(match[1] or match[3], int(match[2] or 0)) for _, match in rows]
    for (item, _), says, (_, size) in zip(rows, scales(sizes), sizes, strict=True):
        item.weight = says * math.log2(2 + size)
    above = lines[: rows[0][0].start - 1] if rows else ()
    begin = next((i for i, line in enumerate(above[:MIN]) if _HEAD.match(line)), -1)
    behind = _Commit(above, begin, len(above)).at if begin >= 0 else -1
    for item in items:
        item.weight = HEADING if begin < item.start <= behind else item.weight
