"""A history of commits (``git log``, a git server's ``git_log``): a commit an item, its whole hash first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from mcpcompact.content._oddlines import Odd, place
from mcpcompact.content._plainlines import bounded
from mcpcompact.content.spelling import counted
from mcpcompact.outline import Fact, Item, Outline
from mcpcompact.patterns import regex

LEAST = 3  # commits that make a history
HEADS = 6  # lines of a head at most: commit, Merge, Author, AuthorDate, Commit, CommitDate
BODY, TRAILER = 0.02, 0.005  # weights: the further lines come where all commits are shown
NEWEST, OLDEST = 1.5, 0.75  # what comes first is most likely asked for

_HEAD = regex(r"(?:\* |[|\\/ ]+\* )?((?:commit|Commit:)[ '\"]{1,2}[0-9a-f]{7,64}\b)['\"]?(.{0,200})$")
_FIELD = regex(r"[|\\/ ]*(Merge|Author|AuthorDate|Commit|CommitDate|Date|Message): *(.*)")
_BLAME = regex(
    r"\^?([0-9a-f]{7,40}) (?:\S.{0,200}? )?\(<?(.{1,80}?)>? +(\d{4}-\d\d-\d\d) \d\d:\d\d:\d\d [+-]\d{4} +\d{1,7}\)"
)
_DAY = regex(r"(\d{4}-\d\d-\d\d)|[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) [\d:]{8} (\d{4})")
_MAIL = regex(r" *<[^<>]*>$")
_TRAILER = regex(r"[A-Z][\w-]+-[Bb]y: |Change-Id: |---$")
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def share(lines: Sequence[str]) -> float:
    """1.0 where the lines are a history: commits that begin it, each with its author; no patches. Else 0.0."""
    heads = [i for i, line in enumerate(lines[:5_000]) if _HEAD.match(line)]
    if len(heads) < LEAST or heads[0] > 3:
        return 0.0
    told = sum(any("Author:" in line for line in lines[i + 1 : i + HEADS]) for i in heads[:-1])
    patched = any(line.startswith(("diff --git ", "@@ ")) for line in lines[:5_000])
    return 1.0 if told >= 0.9 * (len(heads) - 1) and not patched else 0.0


def blamed(lines: Sequence[str]) -> list[Fact]:
    """Of ``git blame``, where nearly all lines are its own: whose lines they are, and from when."""
    found = [match for line in lines if (match := _BLAME.match(line))]
    if len(found) < LEAST or len(found) * 10 < len(lines) * 9:
        return []
    authors = Counter(match[2].strip() for match in found)
    days = [match[3] for match in found]
    span = f"{min(days)} to {max(days)}"
    who = ", ".join(f"{name} {n:,}" for name, n in sorted(authors.items(), key=lambda pair: (-pair[1], pair[0]))[:6])
    commits = counted(len({match[1] for match in found}), "commit")
    told = f"git blame: {counted(len(found), 'line')} of a file, {commits}, {counted(len(authors), 'author')}, {span}."
    return [
        Fact(told, 0),
        Fact(f"Lines by author: {who}{f', {len(authors) - 6:,} more' if len(authors) > 6 else ''}.", 1),
    ]


def outline(lines: Sequence[str], odd: Mapping[int, Odd]) -> Outline:
    """Facts on commits, days and authors; an item a commit (hash, day, author, subject), then its message by lines.

    ``odd``: what stands out, by line index; of a commit's head and subject the most severe is its reason.
    """
    starts = [i for i, line in enumerate(lines) if _HEAD.match(line)]
    items: list[Item] = []
    authors: Counter[str] = Counter()
    days: list[str] = []
    one = len({line.strip(" |\\/") for line in lines if "Author: " in line[:20]}) == 1  # said once, in the facts
    for number, (begin, end) in enumerate(zip(starts, [*starts[1:], len(lines)], strict=True)):
        head = _HEAD.match(lines[begin])
        assert head is not None  # it was matched above
        fields: dict[str, str] = {}
        at = begin + 1
        while at < end and "Message" not in fields and (field := _FIELD.match(lines[at])):
            fields.setdefault(field[1], field[2].strip())
            at += 1
        subject = fields.get("Message", "")
        while not subject and at < end:
            subject = lines[at].strip(" |\\/")
            at += 1
        author, day = _MAIL.sub("", fields.get("Author", "?")), _day(fields.get("Date") or fields.get("AuthorDate", ""))
        authors[author] += 1
        days += [day] if day else []
        merge = f" merge {fields['Merge']}" if "Merge" in fields else ""
        said = f"{begin + 1}-{at} {head[1]}{head[2].rstrip()}{merge} {day} {'' if one else author + ': '}{subject}"
        weight = NEWEST - (NEWEST - OLDEST) * number / len(starts)
        items.append(_kept(begin, at, " ".join(said.split()), weight, odd))
        for n in range(at, end):
            if line := lines[n].strip(" |\\/\r"):
                items.append(_kept(n, n + 1, f"{n + 1} {line}", TRAILER if _TRAILER.match(line) else BODY, odd))
    span = f", {min(days)} to {max(days)}" if days else ""
    many = [f"{name} {n:,}" for name, n in sorted(authors.items(), key=lambda pair: (-pair[1], pair[0]))]
    more = f", {len(many) - 6:,} more" if len(many) > 6 else ""
    return Outline(
        content_type="text",
        unit="line",
        total=len(lines),
        headline=f"{counted(len(starts), 'commit')} in {counted(len(lines), 'line')}",
        facts=[
            Fact(f"History: {counted(len(starts), 'commit')}{span}; {counted(len(many), 'author')}.", 0),
            Fact(f"Authors: {', '.join(many[:6])}{more}.", 1),
        ],
        items=bounded(items),
        more=[("--lines", "A:B")],
        facts_share=0.1,
    )


def _kept(begin: int, end: int, text: str, weight: float, odd: Mapping[int, Odd]) -> Item:
    one = max((odd[n] for n in range(begin, end) if n in odd), key=lambda o: o.keep, default=None)
    if one is None:
        return Item(begin + 1, end, text, weight=weight)
    at = place(one.template, text) if end - begin == 1 else -1
    return Item(begin + 1, end, text, one.keep, one.reason, one.template, max(weight, 1.0), at=at)


def _day(date: str) -> str:
    """``2026-07-22`` of git's own and of ISO dates; times of day are left to the original."""
    match = _DAY.search(date)
    if match is None:
        return ""
    if match[1]:
        return match[1]
    month = f"{_MONTHS.index(match[2]) + 1:02d}" if match[2] in _MONTHS else match[2]
    return f"{match[4]}-{month}-{int(match[3]):02d}"
