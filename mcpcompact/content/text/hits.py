"""The hits in a search output: path, line and text of each, as grep, ripgrep and git grep print them; and what was
searched for: the alternatives of the pattern in the arguments of the call, as plain text."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import groupby, islice, pairwise
from typing import Any, NamedTuple

from mcpcompact.content.shared.lines import complains, truncated
from mcpcompact.content.text.entries import PATH_MOST, is_path
from mcpcompact.outline import record
from mcpcompact.patterns import regex

MIN = 150  # characters of a long hit that are shown at least
SLACK = 20  # characters: a cut that saves no more costs a word and hardly helps
BEFORE = 60  # characters of it before what was searched for
FEW = 5  # numbered lines that can be the hits in one file; numbers in a line that may be its own

_MARK = regex(r":(0|[1-9]\d{0,8}):")  # no part of a date or a time
_CONTEXT = regex(r"-(0|[1-9]\d{0,8})(?=-)")
_NUMBERED = regex(r"(\d{1,7})([:-])")
_TALLY = regex(r"\((\d{1,9}) match(?:es)?\)$", holds="match")  # behind a path: a search that only counts
_SAMPLE = 400
DIAGNOSED = 0.5  # of the hits
_DIAGNOSTIC = regex(
    r"(?:\d{1,6}:)?[ \t]*(?:(?:(?:fatal )?error|warning|note): \S|In (?:(?:static )?member function|instantiation of) "
    r"|At global scope:|(?:instantiated|required) from )"
    r"|[a-z-]{2,40}\[[\w.-]+\]: |.{1,300}? at line \d{1,7}, column \d"
)
_COMMAND_MOST = 2_000  # characters of a command or pattern that are looked at
_GREPS = frozenset(("rg", "grep", "egrep", "fgrep", "zgrep", "ag", "ack"))
_KEYS = ("pattern", "regex")
_COMMANDS = ("command", "cmd")
_VALUED = regex(r"-[ABCmgtTfdjM]|--(?:i?glob|type|type-not|max-count|context)")  # the next word is their value
_PATTERN = frozenset(("-e", "--regexp"))
_IGNORES = regex(r"-[a-zA-Z]*[iS][a-zA-Z]*|--(?:ignore|smart)-case")
_BAR = regex(r"\\?\|")
_EDGE = regex(r"\\[bB<>]|^\^|\$$|^\(+|\)+$")
_ESCAPED = regex(r"\\([^\w\s])")
_SPECIAL = regex(r"[.*+?\[\](){}\\^$]")
# grep reads none of these signs otherwise
_SIMPLE = regex(r"(?:[\w/@:;, <>=\"'-]|\\\.|\.(?!\*))+(?:\.\*(?:[\w/@:;, <>=\"'-]|\\\.|\.(?!\*))+)?")
_HIT_LONG = 2_000  # characters of a hit
_RUN = regex(r"[\w/@:-]{3,}")

_NONE, _OPEN, _WITHIN, _BEHIND = range(4)  # below a match: no block of it, at its first line, in it, behind it


@record
class Hit:
    """One line of a search output; ``line`` is 0 where the search printed none (``grep -r`` without ``-n``)."""

    index: int  # 0-based line of the payload
    path: str
    line: int
    text: str
    context: bool
    headed: bool = False  # its path stands in a heading


def parse(lines: Sequence[str]) -> list[Hit]:
    """The hits of a search output; lines that are none (``--`` separators, notes) are passed over."""
    hits: list[Hit] = []
    named: dict[str, set[str]] = {}  # the paths of matches by their last step
    for path in {line[: match.start()] for line in lines if (match := _MARK.search(line, 1, PATH_MOST))}:
        named.setdefault(path.rpartition("/")[2], set()).add(path)
    heading = ""
    for index, line in enumerate(lines):
        if not line or complains(line):
            heading = "" if not line else heading
            continue
        if cut := truncated(line):
            line = line[: cut.start()]
        hit = _hit(index, line, named) or (_under(index, line, heading) if heading else None)
        if hit:
            hits.append(hit)
        elif len(line) <= PATH_MOST and is_path(line):
            heading = line
    return hits or _of_one_file(lines)


def _of_one_file(lines: Sequence[str]) -> list[Hit]:
    """``grep -n`` in one file prints no path: numbers that grow, and leave out more lines than they tell."""
    hits = [hit for index, line in enumerate(lines) if (hit := _under(index, line, ""))]
    grow = all(above.line < hit.line for above, hit in pairwise(hits))
    return hits if len(hits) >= FEW and grow and hits[-1].line - hits[0].line > 2 * len(hits) else []


def _hit(index: int, line: str, named: Mapping[str, Set[str]]) -> Hit | None:
    match = _MARK.search(line, 1, PATH_MOST)
    if match and is_path(line[: match.start()]):
        return Hit(index, line[: match.start()], int(match[1]), line[match.end() :], False)
    candidates = [(match, line[: match.start()]) for match in islice(_CONTEXT.finditer(line, 1, PATH_MOST), FEW)]
    for match, path in sorted(candidates, key=lambda one: not _matched(one[1], named)):  # a path may hold a number, too
        if is_path(path):
            return Hit(index, _matched(path, named) or path, int(match[1]), line[match.end() + 1 :], True)
    at = line.rfind(" (", 0, PATH_MOST)
    if at > 0 and (tally := _TALLY.match(line, at + 1)) and is_path(line[:at]):
        return Hit(index, line[:at], 0, tally[1], False)
    at = line.find(":", 2, PATH_MOST)
    test = line.startswith(".py::", at - 3)  # pytest's name of one
    if at > 0 and not test and line[at + 1 : at + 3] != "//" and "/" in line[:at] and is_path(line[:at]):
        return Hit(index, line[:at], 0, line[at + 1 :], False)
    return None


def _matched(path: str, named: Mapping[str, Set[str]]) -> str:
    """The path of a match that this is: Claude Code prints those of matches below the working directory, and those of
    their context in full."""
    paths = named.get(path.rpartition("/")[2], ())
    ends = (path[n:] for n, sign in enumerate(path, 1) if sign == path[0] == "/" and paths)
    return path if path in paths else next((end for end in ends if end in paths), "")


def _under(index: int, line: str, heading: str) -> Hit | None:
    match = _NUMBERED.match(line)
    return Hit(index, heading, int(match[1]), line[match.end() :], match[2] == "-", True) if match else None


def enclosed(hits: Sequence[Hit]) -> dict[int, int]:
    """What each line stands under, where that is printed with it."""
    from mcpcompact.content.shared.nesting import enclosing

    holders: dict[int, int] = {}
    for _, run in groupby(enumerate(hits), lambda one: (one[1].path, one[1].line - one[0])):
        block = [hit for _, hit in run]
        above = enclosing([hit.text for hit in block])
        holders |= {hit.index: block[at].index for hit, at in zip(block, above, strict=True) if at >= 0}
    return holders


def behind_blocks(hits: Sequence[Hit]) -> set[int]:
    """The context behind the block that a match opens: lines further in, up to the one that closes it."""
    behind: set[int] = set()
    block, above, state = 0, ("", 0), _NONE
    for hit in hits:
        text = hit.text.strip()
        indent = len(hit.text) - len(hit.text.lstrip())
        goes_on = above[0] == hit.path and hit.line <= above[1] + 1
        above = hit.path, hit.line
        if not hit.context and not (goes_on and state == _WITHIN and indent > block):
            block, state = indent, _OPEN
        elif not goes_on:
            state = _NONE
        elif state == _BEHIND:
            behind.add(hit.index)
        elif text and indent > block:
            state = _WITHIN if state == _OPEN else state
        elif text and state != _NONE and text != "{":
            goes_on = text[0] in ")]}" and text[-1] in "([{:"  # ``) -> None:``, ``} else {``
            closes = text[0] in ")]}" or text == "end"
            state = state if goes_on else _BEHIND if state == _WITHIN else _NONE
            behind.update([] if closes or state != _BEHIND else [hit.index])
    return behind


def share(lines: Iterable[str]) -> float:
    """The part of the non-blank lines that belongs to a search output, over at most 400 of them."""
    some = [*islice((line for line in lines if line.strip() and line != "--" and not complains(line)), _SAMPLE)]
    hits = parse(some) if len(some) > 1 else []
    if DIAGNOSED * len(hits) < sum(_DIAGNOSTIC.match(hit.text) is not None for hit in hits):
        return 0.0  # what a compiler says of places
    return len(hits) / len(some) if any(not hit.context for hit in hits) else 0.0


def stretch(text: str, asked: Sequence[str], room: int) -> str:
    """Of a long text what is around the first asked-for word, whole words, with what is left out at either end."""
    if len(text) <= room + SLACK:
        return text
    low = text.lower()
    at, word = min(((place, word) for word in asked if (place := low.find(word)) >= 0), default=(0, ""))
    start = 0
    if at + len(word) > room - BEFORE:  # from where the sentence begins, if that is near: a rule without it misleads
        near = range(max(0, at - room + MIN // 4 + 1), at)
        sentence, within = text.rfind(". ", 0, at) + 1, text.rfind("(", 0, at)  # or a parenthesis that is not closed
        start = sentence + bool(sentence) if sentence in near else text.find(" ", at - BEFORE, at) + 1
        start = within if within in near and within < start and ")" not in text[within:at] else start
    end = text.rfind(" ", max(start + room // 2, at + len(word)), start + room)
    end = end if end > 0 else max(min(len(text), start + room), min(len(text), at + len(word)))
    before = f"…[+{start} chars] " if start else ""
    return before + (text[start:] if len(text) - end <= SLACK else f"{text[start:end]}…[+{len(text) - end} chars]")


class Sought(NamedTuple):
    """``plain``: the alternatives that stand in a hit as they are; ``parts``: of each alternative what a hit holds;
    ``simple``: those that mean the same to every tool, where there are several, with their patterns."""

    plain: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    any_case: bool = False
    simple: tuple[tuple[str, str], ...] = ()

    def missing(self, texts: list[str]) -> list[str]:
        """The alternatives that no text holds; nothing of patterns where a text is very long."""
        long = max(map(len, texts), default=0) > _HIT_LONG
        flags = re.IGNORECASE if self.any_case else 0
        known = [(each, re.compile(part, flags)) for each, part in self.simple if part == re.escape(each) or not long]
        return [each for each, pattern in known if not any(map(pattern.search, texts))]

    def counts(self, texts: list[str]) -> list[tuple[str, int]]:
        """How many texts hold each plain alternative, the most frequent first."""
        low = [text.lower() for text in texts] if self.any_case else texts
        counts = [(each, sum((each.lower() if self.any_case else each) in text for text in low)) for each in self.plain]
        return sorted(counts, key=lambda one: -one[1])


def sought(arguments: Mapping[str, Any] | None) -> Sought:
    """The pattern of a search tool, or of the first ``grep`` or ``rg`` of a command."""
    given = arguments or {}
    pattern, any_case = next((v for k in _KEYS if isinstance(v := given.get(k), str)), ""), bool(given.get("-i"))
    command = next((v for k in _COMMANDS if isinstance(v := given.get(k), str)), "")
    if not pattern and command:
        pattern, any_case = _of_command(command[:_COMMAND_MOST])
    plain, parts, simple = [], [], []
    for alternative in dict.fromkeys(_BAR.split(pattern[:_COMMAND_MOST])):
        text = _ESCAPED.sub(lambda m: "\0" if m[1] == "\\" else m[1], bare := _EDGE.sub("", alternative))
        if text and not _SPECIAL.search(_ESCAPED.sub("", bare)) and "\\" not in text:
            plain.append(text)
            parts.append(text)
            simple.append((text, re.escape(text)))
        elif run := max(_RUN.findall(bare), key=len, default=""):
            parts.append(run)
            simple += [(alternative, alternative)] if _SIMPLE.fullmatch(alternative) else []
    return Sought(tuple(plain), tuple(parts), any_case, tuple(simple) if len(parts) > 1 else ())


def _of_command(command: str) -> tuple[str, bool]:
    try:
        reader = shlex.shlex(command, posix=True, punctuation_chars=True)
        reader.whitespace_split, reader.commenters = True, ""
        words = list(reader)
    except ValueError:  # a quote that does not end
        return "", False
    at = next((n for n, word in enumerate(words) if word.rpartition("/")[2] in _GREPS), len(words))
    any_case, skip = False, False
    for n, word in enumerate(words[at + 1 :], at + 1):
        if skip or _VALUED.fullmatch(word):
            skip = not skip
        elif word in _PATTERN:
            return "".join(words[n + 1 : n + 2]), any_case
        elif word[:1] == "-" and len(word) > 1:
            any_case = any_case or _IGNORES.fullmatch(word) is not None
        else:
            return word, any_case
    return "", False
