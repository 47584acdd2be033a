"""Search output (grep, ripgrep, git grep): hits verbatim with path and line, and the files that hold them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from operator import attrgetter

from mcpcompact.content.anomalies.lines import Odd, Tally, choose, loud_lines, place
from mcpcompact.content.anomalies.words import LOUD
from mcpcompact.content.shared import calls, request
from mcpcompact.content.shared import lines as shared
from mcpcompact.content.text import spread
from mcpcompact.content.text.entries import above, base_of, extension, first, parent
from mcpcompact.content.text.hits import MIN, Hit, Sought, behind_blocks, enclosed, parse, sought, stretch
from mcpcompact.content.text.odd import MIN_NUMBERED, far_numbers
from mcpcompact.outline import Fact, Hints, Item, Keep, Lossless, Outline, Series
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted
from mcpcompact.shell import selector

_VERSION = regex(  # "1.5" alone may be any number
    r"[\"']?([A-Za-z][\w.-]{0,40})[\"']? ?[:=] ?[\"']?((?:[\^~v]|\d{1,9}\.(?=\d+\.))\d[\w.+-]{0,40})[\"']?,?"
)
_NOTE = regex(
    r"\b(?:TODO|(FIXME|XXX|HACK|BUG))\b(?: ?\([^()\s]{1,40}\))?", holds=("TODO", "FIXME", "XXX", "HACK", "BUG")
)
_RAISES = ("raise ", "throw ", "panic!(", "panic(", "abort(")
_ASSIGNED = regex(r"[=:(] ?\d{4}")  # a number that is a value: of a sentence about one nobody wants to be told
_GIVEN = regex(r"([A-Za-z_]\w{2,60})[\"']? ?[=:] ?(\d{1,9})(?![\w.])")  # a name and its number
_VALUE = regex(r"[=:(,<>] ?(\d{1,9})(?![\w.])")
_DEFINES = regex(
    spread.MODIFIERS
    + r"(?:def|class|func|function|fn|interface|type|struct|enum|trait|impl|module|const|var|val|let|macro_rules!) "
    r"(?:\([^()]{1,60}\) )?\(?\w"
)
_WORD = regex(r"[^\W\d_]{2,}")
_LOCAL = regex(r"\s+(?:const|var|val|let)\b")  # a name of a few lines, which many functions have
_REMARK = regex(r"\s*(?://|#\s|/\*|\*\s|--\s|<!--|\"\"\")")
_HEADS = regex(r"(?:[=#>*~-]{2,} ?\S.{0,150}|[^:]{1,150}:)$")
_TOLD = (shared.is_wrapper, shared.truncated, shared.complains)  # lines that facts tell
_ASKED, _CONTEXT = regex(r"\w{4,}"), regex(r"\d+[:-]")

WHOLE = 205  # characters of a hit with its path; the rest of a longer one is counted
DEEP_ROOT = 60  # characters of a directory that all paths begin with
BESIDE = 8  # files of a directory that stand beside each other
TOP, SOME, LARGEST = 3, 6, 12  # files with most matches that are told, and of a mass
CONTEXT, HOLDS = 0.35, 1.0  # weights of context: not light, or it joins matches; what these stand under
BRACE = 0.05  # of no word, which says nothing where matches are read alone
AROUND = 10  # lines a match from which on its context is read
BEHIND = 0.12  # weight of context behind the block that is sought
FOUND, NEAR = 0.6, 0.9  # of the room, what matches take before their context where that is read, and before others
DEFINITION, IMPORT = 1.5, 0.7  # what defines a name is looked for more often than where it is imported
WITHIN, SEVERAL = 0.8, 1.15  # factors on a hit without any word of them alone; of each further word that it holds
NAMED = 1.75  # factor on a hit of a scarce alternative that the request names
ANSWER, TOPMOST = 2.0, 1.2  # least weight of an alternative's best hit; factor on that of a file, a part of the tree
REMARK, TERSE, SAID = 0.7, 0.3, 3  # factors on a comment, and on a note of fewer words than so many, which says nothing
ASKED = 40  # alternatives of which each hit is asked
AGAIN = 20  # further lines with the same text that are told: a number costs little
GRAVER = 1.4  # a note of what is broken (FIXME), to one of what is to do
EARLIER, FIRST = 4.1, 0.05  # weight of a match, before all context; of its own, what it counts more than another
BELOW, LATER, OPENS = 0.1, 0.03, 1.05  # the same of one beside the source: less than any in it; factor on a file's best
SOUGHT, SHARED = 3.0, 0.5  # what defines a name that was searched for; a hit whose text another before it has
HELD = 0.1  # power of the number of hits in a file, a factor on their weight: a file that is about it comes first
PATH = 0.8  # least weight of the best hit of each file: also a poor one tells where it is, which is used later
COMMONER = -1.0  # power of the number of matches with the same text, from several on, a factor on their weight
PROPORTION, BLOCK = 0.4, 3.0  # power of a file's share of a mass, a factor on its matches; of imports, read by file
FURTHER, FURTHEST = 0.7, 6  # of very many matches, what each further one of a file counts; from this one on alike
COMMON, SHARE = 60, 0.05  # matches from which on counts tell what examples cannot; the share of these facts
BEST, WORD = 8, 1.3  # alternatives that get a line each; factor on the rank of one that is a word of its own there
MASS, MASSES = 300, 0.4  # matches of one pattern from which on counts tell more than examples, and their share then
NAMES = 0.25  # their share above names
MASS_TESTED = 0.2  # factor on hits in tests there: what they test comes first
FEW_TOLD = 3  # of them, where there is not room for all
SAME, ALTERNATIVES = 6, 8  # that are said with the number of their matches
MADE, TESTED = 0.5, 0.8  # hits in files that are generated or recorded, and in tests
DATA, ONE_LINE = 0.5, 1_000  # a line of so many characters is data or minified
ODD_LEAST = 100  # hits before one of them can stand out
OTHER = 1.5  # weight of a line that is no hit: what another command printed
NOTED = 0.8  # of the matches: a search for what is left to do
IMPORTING = 0.9  # of the matches: a search for what is imported
SCARCE, FEW_OF = 1.3, 10  # what a hit of an alternative counts more that at most one match in so many holds
OFTEN = 10  # a text that one match in so many has is told
MANY = 5  # matches in each of all other directories, before the one in its own stands out


def outline(lines: list[str], hints: Hints) -> Outline:
    """Facts by file, directory and alternative of the pattern; an item a hit. Each stands as it was printed, of few
    files and where there is context by number alone below its path; a heading is the section of its lines."""
    hits = parse(lines)
    once = len({hit.path for hit in hits}) == len(hits) > 1
    if once and all(not hit.line and hit.text.isdecimal() and hit.text.isascii() for hit in hits):
        return _tallies(lines, hits)
    short = _under_paths(lines, hits)
    root = _without_root(hits)
    matches = [hit for hit in hits if not hit.context]
    total, by_file = len(matches), Counter(hit.path for hit in matches)
    wanted = sought(hints.arguments)
    mass = total >= MASS and len(wanted.parts) <= 1  # none of them answers better than the others
    noted = sum(_NOTE.search(hit.text, 0, ONE_LINE) is not None for hit in matches) > NOTED * total
    cuts = shared.truncations(lines) or calls.of_lines(hints, "\n".join(lines))
    where = counted(len(by_file), "file") if any(by_file) else "one file, which the output does not name"
    matched = f"{total:,} match{'es' if total != 1 else ''} in {where}"
    left = " of what the tool left" if cuts and any(by_file) else ""
    of = f" of {root.rstrip(':')}, paths here without it" if root else ""
    tops, base = spread.parts(by_file)
    below_first = len(by_file) <= SOME  # then matches stand below the path of their file
    names, told_by, told_of = spread.named(hits, wanted.plain if wanted.plain[1:] else (), below_first)
    largest = "" if mass or noted else spread.fullest(by_file, SOME if len(by_file) < SOME else TOP)
    tally = "" if mass else largest or spread.tally(by_file, tops)
    below = f" below {base}" if tally and not largest and base.strip("./") else ""
    headline = Fact(f"Search output{of}: {matched}{below}{left}{tally}.", 0)
    facts = [*shared.complaints(lines), *cuts, headline, *shared.states(lines)]
    most = max(by_file, key=by_file.__getitem__, default="").rpartition("/")[2]
    imports = sum(spread.IMPORTS.match(hit.text) is not None for hit in matches) > IMPORTING * total
    facts += _counts(matches, wanted, left, mass, bool(names) or imports) + _versions(matches)
    facts += spread.imported(matches, base_of(by_file)) if imports else []
    if len(by_file) > spread.MAX:
        own = Counter({path: n for path, n in by_file.items() if not (mass and spread.aside(path))}) or by_file
        rest = max(by_file.keys() - own.keys(), key=lambda path: (by_file[path], path), default="")
        more = f"; up to {by_file[rest]:,}, {rest.rpartition('/')[2]}" * (by_file[rest] > max(own.values()))
        where = f", tests, examples and the like aside ({total - own.total():,} matches{more})" * bool(rest)
        sizes = (SOME, TOP) if names else (LARGEST, TOP) if mass else (TOP, TOP)
        many, some = (spread.top(own, n, matches if noted else [], bool(names), where) for n in sizes)
        facts += [Fact(many, 0 if names else 1 if mass else 2 * (not noted), some)] if some and not largest else []
        facts += spread.shape(by_file, 2 - mass)
    facts += told_of
    worth = _Worth(hits, matches, wanted, hints, mass or noted, imports, below_first)
    items = sorted([*_items(lines, hits, _odd(hits, by_file), worth, root, told_by), *names], key=attrgetter("start"))
    if not mass:
        places = {hit.index + 1: hit.path for hit in hits if not (hit.context or hit.path in worth.late)}
        _represent(items, places, 0.0 if noted else SOUGHT if below_first else PATH, OPENS if worth.first else 1.0)
        if 1 < len(set(tops.values())) <= spread.TOPS and not worth.first:
            _represent(items, {n: tops[path] for n, path in places.items()}, 1.0, ANSWER if noted else TOPMOST)
    if below_first and not names:
        _in_part(items, {hit.index + 1: hit.path for hit in matches}, by_file)
    return shared.outline_of(
        lines,
        matched,
        facts,
        items,
        more=[selector("--grep", most, ("--lines", "A:B")), ("--lines", "A:B")],
        lossless=short,
        facts_share=NAMES if names else MASSES if mass else SHARE,
        nested=worth.around or below_first,
        parts={"matches": total} if worth.around and total > 1 else {},  # else lines tell how many
        frame_share=FOUND if worth.viewed else NEAR if below_first or len(hits) >= 2 * total else 0.2,
    )


def _tallies(lines: list[str], hits: Sequence[Hit]) -> Outline:
    """Of a search that only counts (``grep -c``): its files by directory, those with most matches first."""
    counts = {hit.path: int(hit.text) for hit in hits}
    held, most = sum(map(bool, counts.values())), max(counts.values())
    none = f", {len(hits) - held:,} of them without one" if held < len(hits) else ""
    what = "matching lines" if lines[hits[0].index].endswith(f":{hits[0].text}") else "matches"
    matched = f"{sum(counts.values()):,} {what} in {counted(len(hits), 'file')}{none}"
    root = base if (base := base_of(counts)).strip("./") else ""
    below, known = f" below {root}" * bool(root), {hit.index for hit in hits}
    others = [i for i, line in enumerate(lines) if i not in known and line.strip() and not any(t(line) for t in _TOLD)]
    items = [Item(i + 1, i + 1, lines[i], weight=OTHER) for i in others]
    for (folder, _), run in groupby(hits, lambda hit: (hit.path.rpartition("/")[0], hit.text == "0")):
        block = [*run]
        for some in (block[at : at + BESIDE] for at in range(0, len(block), BESIDE)):
            names = " · ".join(f"{hit.path[len(folder) :].lstrip('/')} {hit.text}" for hit in some)
            own = f"{folder[len(root) :]}/" if len(folder) > len(root) else ""
            text = f"{own}: {names}" if own and some[1:] else own + names
            weight = max(counts[hit.path] for hit in some) / (most or 1) + BRACE
            items.append(Item(some[0].index + 1, some[-1].index + 1, text, weight=weight))
    items.sort(key=attrgetter("start"))
    headline = Fact(f"Search output: {matched}{below}.", 0)
    facts = [*shared.complaints(lines), *shared.truncations(lines), headline, *shared.states(lines)]
    return shared.outline_of(lines, matched, facts, items)


def _under_paths(lines: Sequence[str], hits: Sequence[Hit]) -> list[Lossless]:
    """All lines below their paths, as ``rg --heading`` prints them. Claude Code makes paths relative up to the first
    colon of a line, so those of context without one stay."""
    by_line, printed, above = {hit.index: hit for hit in hits}, list[str](), ""
    before: dict[bool, set[str]] = {False: set(), True: set()}  # what stands before the path, by whether a colon does
    for index, line in enumerate(lines):
        if hit := by_line.get(index):
            mark = "-" if hit.context else ":"
            lead, known, text = line.partition(f"{hit.path}{mark}{hit.line}{mark}")
            before[":" in text or not hit.context].add(lead if known else line)
            printed += [hit.path] * (hit.path != above)
            line, above = f"{hit.line}{mark}{text}", hit.path
        elif line.strip("-"):
            return []  # a decoder must know which lines are paths
        printed.append(line)
    plain = before[False] | before[True]
    clear = (plain == {""} or before[True] == {""} != before[False]) and len(before[False]) <= 1
    if not clear or any(_CONTEXT.match(hit.path) for hit in hits):
        return []
    first = f"; context lines without a colon had {max(plain)} before the path" * (plain != {""})
    return [Lossless(f"paths above their lines{first}", lambda: "\n".join(printed), sum(map(len, printed)))]


def _without_root(hits: Sequence[Hit]) -> str:
    """Take off all paths what they begin with, and say it: a revision (``git grep … main``), or a directory so deep
    that it would take more room on each line than the hit; a shorter one is used with its files, and stays."""
    roots = {hit.path[: hit.path.find(":") + 1] for hit in hits}
    root = roots.pop() if len(roots) == 1 else ""
    if len(root) <= len("C:"):  # no revision
        root = base_of(hit.path for hit in hits)
        root = above(root) if root[:1] == "/" and len(root) >= DEEP_ROOT else ""
    for hit in hits if root else ():
        hit.path = hit.path.removeprefix(root)
    return root


def _counts(matches: list[Hit], wanted: Sought, left: str, alike: bool, defined: bool) -> list[Fact]:
    """Matches by alternative of the pattern, and the text that many of them share, or ``alike`` several; ``left``: that
    a tool cut some."""
    texts = [hit.text.strip() for hit in matches]
    facts = []
    if none := wanted.missing(texts):
        named = [f"“{each}”" if " " in each else each for each in none]
        none_of, more = f"Not in {left.removeprefix(' of ') or 'any line'}: ", len(none) - ALTERNATIVES
        few = f"{none_of}{', '.join(named[:ALTERNATIVES])}, {more:,} more" if more > 0 else ""
        facts.append(Fact(none_of + ", ".join(named), 0, few))
    if len(wanted.plain) > 1:
        held = [f"{each.strip()} {n:,}" for each, n in wanted.counts(texts) if n]
        sentences = [f"Lines with {' · '.join(held[:n])}" for n in (ALTERNATIVES, FEW_TOLD)]
        lefts = [max(0, len(held) - n) for n in (ALTERNATIVES, FEW_TOLD)]
        many, few = (t + f", {n:,} more in fewer" * bool(n) for t, n in zip(sentences, lefts, strict=True))
        facts += [Fact(many, int(len(wanted.plain) < ALTERNATIVES), few)] if held else []
    notes = [match[0] for text in texts if (match := _NOTE.search(text, 0, ONE_LINE))]
    subjects = Counter(note for note in notes if note[-1] == ")")
    if subjects.total() >= MANY and len(subjects) > 1:
        bare = [f"{len(texts) - subjects.total():,} without"] if subjects.total() < len(texts) else []
        facts.append(Fact(f"Subjects: {' · '.join([first(subjects, SAME), *bare])}", 0))
    least = MANY if alike else max(MANY, len(texts) / OFTEN)  # what is imported most answers a search for it
    same = [(text, n) for text, n in Counter(texts).most_common(SAME) if n >= least and len(text) < MIN]
    if same and len(texts) >= COMMON and not defined:
        often, few = (" · ".join(f"{text} ×{n:,}" for text, n in some) for some in (same, same[:FEW_TOLD]))
        facts.append(Fact(f"Same text, most often: {often}", 1, f"Same text, most often: {few}"))
    return facts


def _versions(matches: list[Hit]) -> list[Fact]:
    """Versions that several files give a name, and which file gives another than the rest."""
    by_name: dict[str, dict[str, list[str]]] = {}
    for hit in matches:
        if len(hit.text) < MIN and (match := _VERSION.fullmatch(hit.text.strip())):
            by_name.setdefault(match[1], {}).setdefault(match[2], []).append(hit.path)
    facts = []
    for name, versions in by_name.items():
        files = [*map(len, versions.values())]
        if 1 < len(versions) <= SAME and sum(files) >= MANY and 2 * max(files) > sum(files):  # else none is usual
            ranked = sorted(versions.items(), key=lambda one: -len(one[1]))
            places = [f"{value} " + (f"×{len(files):,}" if files[1:] else f"({files[0]})") for value, files in ranked]
            facts.append(Fact(f"{name}: {' · '.join(places)}", 0))
    return facts


def _represent(items: Sequence[Item], tops: dict[int, str], least: float, factor: float = 1.0) -> None:
    """Of each file or part of the tree the hit that weighs most: ``least`` of all, times a factor."""
    best: dict[str, Item] = {}
    for item in items:
        if (top := tops.get(item.start)) is not None and item.weight > getattr(best.get(top), "weight", 0.0):
            best[top] = item
    for item in best.values():
        item.weight = max(item.weight, least) * factor


def _in_part(items: Sequence[Item], paths: Mapping[int, str], by_file: Counter[str]) -> None:
    """A file of which only some matches are shown will say how many: numbers of lines show no gap."""
    texts, matches = Counter(item.text for item in items), [item for item in items if item.start in paths]
    for path, group in groupby(sorted(matches, key=lambda item: paths[item.start]), lambda item: paths[item.start]):
        own = [*group]
        further = sum(len(item.also) for item in own)
        if own[1:] and len(own) + further == by_file[path] and all(texts[item.text] == 1 for item in own):
            for item in own:
                item.series = Series("different line" if further else "matching line", own[0].start, len(own))


def _best(matches: list[Hit], wanted: Sought, focus: str) -> dict[int, float]:
    """Of each alternative of the pattern the line that answers best, and its least weight, more of one that the request
    names: what defines it, holds it as a whole word, speaks of what was asked, stands in no test, is short."""
    words = {word.lower() for word in _ASKED.findall(focus)[:100]}
    meant = _named(wanted, focus)
    parts = sorted(wanted.parts, key=lambda part: part not in meant)[:BEST]
    best: dict[str, tuple[tuple[float, ...], int]] = {}
    for hit in matches:
        low = hit.text.lower()
        for each in parts if len(hit.text) <= WHOLE else ():
            if (at := low.find(each.lower())) >= 0:
                alone = not any(c.isalnum() or c == "_" for c in low[at - 1 : at] + low[at + len(each) :][:1])
                rank = _weight(hit, [each.lower()], *spread.kind(hit.path)) * (WORD if alone else 1)
                answer = rank, sum(word in low for word in words), -len(low)
                best[each] = max(best.get(each, ((0.0,), -1)), (answer, hit.index))
    return {index: ANSWER for _, index in best.values()} | {best[each][1]: SOUGHT for each in meant if each in best}


def _named(wanted: Sought, focus: str) -> list[str]:
    """The alternatives of the pattern that the request names, too: max_concurrency is maxConcurrency elsewhere."""
    named = {word.lower().replace("_", "") for word in _ASKED.findall(focus)[:100]}
    return [part for part in wanted.parts if part.lower().replace("_", "") in named]


class _Worth:
    """What each hit is worth, asked in order: by what was searched for, the request, its file and the hits before."""

    def __init__(self, hits: list[Hit], matches: list[Hit], wanted: Sought, hints: Hints, *kinds: bool) -> None:
        words = sorted(set(_ASKED.findall(hints.words())[:100]))
        self.mass, self.block, self.few = kinds
        self.around = len(hits) > len(matches)  # then matches come before what is around them
        self.viewed = len(hits) >= AROUND * len(matches)  # -A 50: what is read is the context, below what was found
        self.behind = behind_blocks(hits) if self.viewed else set()
        self.within = enclosed(hits) if self.around and not self.viewed else {}
        self.holders = {self.within[hit.index] for hit in matches if hit.index in self.within}
        self.asked = [word.lower() for word in wanted.parts or words]
        several = 1 < len(wanted.parts) <= ASKED and not self.viewed
        plain = (part.isalpha() and part.islower() for part in wanted.parts)  # then it is meant as a word alone
        finds = (rf"(?<!\w){p}(?!\w)" if w else re.escape(p.lower()) for p, w in zip(wanted.parts, plain, strict=True))
        self.alone = re.compile("|".join(finds)) if several else None
        meant = sorted(request.told(request.asked(hints)[1]).keys() - set(self.asked))
        self.meant = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, meant)) or '(?!)'})s*+(?![\w-])")
        counts = wanted.counts([hit.text for hit in matches]) if len(wanted.plain) > 1 else []
        self.scarce = [each for each, n in counts if n * FEW_OF <= len(matches)]
        common = [each for each, n in counts if 2 * n > len(matches)]  # a file that has many is not about it
        self.held = Counter(hit.path for hit in matches if not any(map(hit.text.__contains__, common)))
        self.named = [p.lower() for p in _named(wanted, request.asked(hints)[1]) if p in self.scarce]
        base = base_of(paths := {hit.path for hit in matches})
        late = {path for path in paths if spread.aside(path.removeprefix(base))}
        self.late = late if len(late) < len(paths) and (self.around or self.few) and not self.block else set()
        self.first = (self.around or bool(self.late)) * (SOUGHT if self.viewed else EARLIER)
        self.best = _best(matches, wanted, hints.focus or "")
        self.most = max(self.held.values(), default=0) if len(matches) >= MASS else 0
        self.often = Counter(hit.text.strip() for hit in matches)
        self.said, self.shown = set[tuple[str, bool]](), Counter[str]()

    def of(self, hit: Hit) -> float:
        kinds = spread.kind(hit.path)
        weight = _weight(hit, self.asked, *kinds)
        if hit.context and not self.viewed:
            return HOLDS if hit.index in self.holders else CONTEXT * (weight != BRACE)
        if hit.context:
            return weight * (BEHIND if hit.index in self.behind else 1.0)
        if self.mass:
            less = MASS_TESTED if self.most else TESTED  # a note in a test is one, too
            further = 1.0 if self.block else FURTHER ** min(self.shown[hit.path], FURTHEST)
            weight *= further * (less if spread.aside(hit.path) else 1.0)
            weight *= (self.held[hit.path] / self.most) ** (BLOCK if self.block else PROPORTION) if self.most else 1.0
        elif not (self.around or hit.headed or any(kinds)):
            weight *= max(1, self.held[hit.path]) ** HELD
        self.shown[hit.path] += 1
        weight *= self._answers(hit.text[:ONE_LINE].lower()) if self.alone else 1.0
        if note := _NOTE.search(hit.text, 0, ONE_LINE):
            weight *= GRAVER if note[1] else TERSE if len(_WORD.findall(hit.text)) < SAID else 1.0
        elif _REMARK.match(hit.text) and not hit.path.endswith(spread.PROSE):
            weight *= REMARK
        weight *= SCARCE if any(map(hit.text.__contains__, self.scarce)) else 1.0
        key = hit.text.strip(), kinds[0]  # a test makes a call elsewhere no less
        weight *= SHARED if key in self.said else 1.0
        weight *= max(1.0, self.often[key[0]] / MANY) ** COMMONER if self.mass else 1.0  # what tells files apart
        self.said.add(key)
        weight = max(self.best.get(hit.index, 0.0), weight)
        less = LATER * min(weight, SOUGHT) - BELOW if hit.path in self.late else FIRST * min(weight, SOUGHT)
        return self.first + less if self.first else weight

    def _answers(self, text: str) -> float:
        """How much a hit tells by what it holds: one as a word of its own, several, words of the request."""
        held = sum(word in text for word in self.asked) - 1 + len(set(self.meant.findall(text)))
        named = NAMED if any(map(text.__contains__, self.named)) else 1.0
        return named * (WITHIN if self.alone and not self.alone.search(text) else 1.0) * SEVERAL ** min(max(held, 0), 2)


def _items(
    lines: list[str], hits: list[Hit], keeps: dict[int, tuple[Keep, str]], worth: _Worth, root: str, shown: set[int]
) -> list[Item]:
    """An item a hit that is not ``shown`` yet, and a line that is none below what heads it (``echo "== $dir"``)."""
    by_index = {hit.index: hit for hit in hits}
    paths = [*sorted({root + hit.path for hit in hits}), ""]
    items, lead = [], ""
    above, under = ("", 0), 0  # the hit before; the match that its context stands below
    again: dict[tuple[str, str], tuple[Item, list[Hit]]] = {}  # a text that a file holds more than once
    folds = not any(hit.context for hit in hits)
    for index, line in enumerate(lines):
        hit = by_index.get(index)
        if hit is None:
            path = paths[bisect_left(paths, line, 0, len(paths) - 1)]  # or what a cut left of one
            noted = not path.startswith(line) and line.strip("- ") and not any(tells(line) for tells in _TOLD)
            if noted and _HEADS.match(line) and "".join(lines[index + 1 : index + 2]).strip():  # over what it names
                lead = f"{index + 1} {line.strip()}"
            elif noted:
                items.append(Item(index + 1, index + 1, f"{index + 1} {line.strip()}", section=lead))
                items[-1].weight = SOUGHT if lead.startswith(f"{index} ") else OTHER
            continue
        if hit.path != above[0] or hit.line > above[1] + 1 or not hit.context:
            under = 0 if hit.context else index + 1
        above = hit.path, hit.line
        if not hit.text.strip() or (index in shown and index not in keeps):
            continue
        bare = hit.headed or ((worth.around or worth.few) and hit.line > 0)
        item = _item(hit, under, worth, bare, "\n".join(filter(None, (lead, hit.path * bare))))
        item.keep, item.template = keeps.get(index, (Keep.NONE, ""))
        same = again.setdefault((hit.path, hit.text.strip()), (item, []))
        if folds and hit.line and not item.keep and same[0] is not item:
            same[0].weight = max(same[0].weight, item.weight)
            same[1].append(hit)
            continue
        items.append(item)
        if item.keep:
            item.at = place(item.template, item.text)
    for item, others in again.values():
        more = [f"{len(others) - AGAIN:,} more"] if len(others) > AGAIN else []
        numbers = ", ".join([*(str(hit.line) for hit in others[:AGAIN]), *more])
        item.text += f" …[also line{'s' * (len(others) > 1)} {numbers}]" if others else ""
        item.also = [hit.index + 1 for hit in others[:AGAIN]]  # told by their numbers
    return items


def _item(hit: Hit, under: int, worth: _Worth, bare: bool, section: str) -> Item:
    """A hit with its place, without its path where that stands above it; of a long one no part is without that."""
    mark = "-" if hit.context else ":"
    where = f"{hit.line}{mark}" if bare else f"{hit.path}:{hit.line}:" if hit.line else f"{hit.path}:"
    text = stretch(hit.text.rstrip(), worth.asked, max(MIN, WHOLE - len(where)))
    item = Item(hit.index + 1, hit.index + 1, where + text, section=section, lead=len(where))
    item.weight, item.under = worth.of(hit), worth.within.get(hit.index, under - 1) + 1 if hit.context else 0
    item.head, item.whole = ("", 0) if hit.context else ("matches", hit.index + 1), bool(section)
    return item


def _weight(hit: Hit, asked: Sequence[str], test: bool, generated: bool) -> float:
    if len(hit.text) > ONE_LINE:
        return DATA
    if not any(map(str.isalnum, hit.text)):
        return BRACE
    if generated or test:
        return MADE if generated else TESTED
    if spread.IMPORTS.match(hit.text):
        return IMPORT
    if not (defined := _DEFINES.match(hit.text)) or _LOCAL.match(hit.text):
        return 1.0
    name = (_ASKED.match(hit.text, defined.end() - 1) or defined)[0].lower()
    return SOUGHT if any(word in name for word in asked) else DEFINITION if name[0] != "_" else 1.0


def _far_values(texts: list[str]) -> Iterator[Odd]:
    """A number given to what most hits are about, far from the numbers of all: the one timeout that lasts an hour."""
    tally, low = Tally(), [text[:ONE_LINE].lower() for text in texts]
    for i, text in enumerate(low):
        for number in _VALUE.findall(text):
            tally.put("", number, i)
    for one in tally.odd(MIN_NUMBERED):
        named = [name for name, number in _GIVEN.findall(low[one.line]) if one.reason.startswith(f" {number},")]
        if one.keep is Keep.OUTLIER and named and 2 * sum(named[0] in text for text in low) > len(low):
            yield one


def _odd(hits: list[Hit], by_file: Counter[str]) -> dict[int, tuple[Keep, str]]:
    """Loud matches, a value far from all others, and the one file that alone is of its kind or in its directory."""
    if len(hits) < ODD_LEAST:
        return {}
    keeps: dict[int, tuple[Keep, str]] = {}
    for part in (extension, parent):
        named = {path: part(path) for path in by_file}
        lines = Counter(named[path] for path in by_file.elements())
        (_, second), (rare, least) = [("", 0), ("", 0), *lines.most_common()[-2:]][-2:]
        if least == 1 and second >= MANY:
            keeps |= {h.index: (Keep.RARE, "") for h in hits if not h.context and named[h.path] == rare}
    texts = [h.text for h in hits]
    starts = [*accumulate((len(text) + 1 for text in texts[:-1]), initial=0)]
    odd = loud_lines("\n".join(texts), starts, [word for word in LOUD if word.isupper()], most=max(1, len(hits) // 200))
    odd += [one for one in far_numbers(texts) if _ASSIGNED.search(texts[one.line])]
    odd += _far_values(texts)
    for n, one in choose(odd).items():
        keeps.setdefault(hits[n].index, (one.keep, one.template))
    raising = [h.index for h in hits if h.text.lstrip().startswith(_RAISES)]
    if len(raising) == 1:
        keeps.setdefault(raising[0], (Keep.SEVERE, ""))
    return keeps
