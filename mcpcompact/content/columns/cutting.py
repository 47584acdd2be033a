"""A text that is too long for its place: how it begins, and how it ends where that tells more."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable
from itertools import pairwise

from mcpcompact.content.anomalies.words import cause, tells
from mcpcompact.patterns import regex
from mcpcompact.phrasing import CUT, before_mark, most, show, stands_for

_SEVERAL = regex(r"\n\s*\S|[.!?]\s+[A-Z]")  # sentences, of which the first says what it is about
_QUOTED = regex(r"(?:>(?: [^\n]*+)?\n)++\s*+(?=[^>\s])", holds=">")  # words of another, before the writer's own
TWO_ENDS = 60  # characters of a cell that has room for what failed and why
NEAR, SPARED, MIN_HEAD, CODE = 16, 32, 24, 24  # characters
_CODE = regex(r"(?<=\s)(?:[A-Za-z]{2,12}[ =:#]{1,2}){1,2}\(?-?\d{1,10}\W?$")  # status code 403, error 10061
_NOT = regex(r"(?i)\s*\b(?:not|no|never)\b(?:\s\S{1,20}(?!\S))?")
HASH = 12  # characters of a hash that tell it from all others
LONGEST_SAME = 4_000  # characters
VALUE, HEAD = 40, 16  # characters of a value beside its number, and those before its end
WIDE = 200  # characters of a common beginning that the first of its cells shows


def gap(head: str, left_out: int, tail: str = "") -> str:
    """Both ends of a text, and what stands between them as a number."""
    return f"{head}…[+{left_out:,} chars]{tail}"


def with_end(value: str) -> str:
    """A short beginning and the end, for values that begin alike; in one piece where that is little longer."""
    end = len(value) - VALUE + HEAD
    end = value.rfind(" ", end - HEAD, end) + 1 or end
    return gap(show(value[:HEAD]), end - HEAD, show(value[end:])) if end > 3 * HEAD else show(value, 2 * VALUE)


def shorten(text: str, limit: int, same: int = 0) -> str:
    """At most so many characters, to the end of a word where one is near; whole where the mark would cost as much.

    ``same``: characters from the first on that another cell has as well: what it differs in stands there, too."""
    if len(text) <= limit + SPARED:
        return text
    if quoted := _QUOTED.match(text):  # what is left out is another's
        return gap("> ", quoted.end() - len("> "), f" {shorten(text[quoted.end() :], limit)}")
    if same >= limit:
        head = text.rfind(" ", MIN_HEAD, MIN_HEAD + NEAR)
        head = head if head > 0 else MIN_HEAD
        own = max(head, min(same, len(text) - limit + head))
        line = text.rfind("\n", own - MIN_HEAD, own)
        ahead = [at for mark in " /" if (at := text.find(mark, own, same)) > 0]
        edge = line if line > 0 else min(ahead, default=max(text.rfind(mark, own - MIN_HEAD, own) for mark in " /"))
        start = max(head, edge + 1 if edge > 0 else own)
        return gap(text[:head], start - head, shorten(text[start:], limit - head))
    if limit >= TWO_ENDS and not _SEVERAL.search(text) and tells(text[-LONGEST_SAME:]) and not CUT.search(text):
        return _both_ends(text, limit)
    code = _CODE.search(text, len(text) - CODE)
    last = code.start() if code and limit > MIN_HEAD + CODE else len(text)
    limit -= len(text) - last
    end = text.rfind(" ", limit - NEAR, limit + 1)
    end = end if end > 0 else limit
    if denied := _NOT.match(text, end):
        end = denied.end()
    end = before_mark(text, end)
    return gap(text[:end], stands_for(text[end:last]), text[last:]) if end < last - SPARED // 2 else text


def _both_ends(text: str, limit: int) -> str:
    """What failed, and why: a chain of errors ends with its cause. Of a long id behind it the beginning."""
    last = text.rfind(" ") + 1
    stop = last + HASH if len(text) - last > 2 * HASH and "/" not in text[last:] else len(text)
    begin = cause(text, stop - limit * 3 // 5, stop)
    if text[begin - 2 : begin] != ": " and (link := text.find(": ", stop - limit + MIN_HEAD, begin)) >= 0:
        begin = link + 2  # rather less of what failed than half of why
    end = text.rfind(" ", MIN_HEAD // 2, limit - (stop - begin)) + 1 or limit - (stop - begin)
    if (denied := _NOT.match(text, end - 1)) and denied.end() < begin:
        end = denied.end()
    head = text[:end].rstrip()
    tail = gap(text[begin:stop], len(text) - stop) if stop < len(text) else text[begin:]
    return gap(head, begin - len(head), tail)


def same_before(texts: Iterable[str], limit: int) -> dict[str, tuple[int, int]]:
    """How many characters each begins with as one above it does, and how many more it shows: of those that begin alike
    the first shows all of it, so that what the others leave out can be read there. Where some are too long for a cell.
    """
    ordered = list(dict.fromkeys(text[:LONGEST_SAME] for text in texts))
    alike = dict.fromkeys(ordered, (0, 0))
    if max(map(len, ordered), default=0) <= limit + SPARED:
        return alike
    heads = sorted(ordered)
    shared = [0, *(common(one, other) for one, other in pairwise(heads)), 0]
    most = {text: max(shared[i : i + 2]) for i, text in enumerate(heads)}
    above: list[str] = []  # in order of the alphabet
    for text in ordered:
        at = bisect(above, text)
        again = max((common(text, other) for other in above[max(0, at - 1) : at + 1]), default=0)
        if most[text] > max(limit, again + NEAR):  # others have more of it
            above.insert(at, text)
            alike[text] = again, min(most[text] - again * (again >= limit), WIDE)
        else:
            alike[text] = again, 0
    return alike


def common(one: str, other: str) -> int:
    """Characters that both begin with."""
    return most(min(len(one), len(other)), lambda n: one[:n] == other[:n])
