"""Text: what no other type claims. Search output and listings have a shape of their own; the rest is lines."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import compress, count, pairwise

from mcpcompact.content.anomalies.lines import Odd
from mcpcompact.content.anomalies.lines import place as odd_place
from mcpcompact.content.markup.paragraphs import HOST, anchor, wrapped
from mcpcompact.content.markup.surface import BRIEF, LONE, NAMES_PAGE, PAGE_LINES, SEEN, is_menu
from mcpcompact.content.shared import lines as shared
from mcpcompact.content.shared import usual
from mcpcompact.content.shared.gutters import blamed
from mcpcompact.content.text import blobs, entries, forms, hits
from mcpcompact.content.text import commits as _commits
from mcpcompact.content.text import manual as _manual
from mcpcompact.content.text import page as _page
from mcpcompact.content.text import sections as _sections
from mcpcompact.content.text import stanzas as _stanzas
from mcpcompact.content.text import terminal as _terminal
from mcpcompact.content.text import threads as _threads
from mcpcompact.content.text import webresults as _webresults
from mcpcompact.content.text.odd import odd_lines, tokens
from mcpcompact.content.text.sniff import LISTED, SEARCHED
from mcpcompact.outline import MAX_ITEMS, Fact, Hints, Item, Keep, Lossless, Outline
from mcpcompact.patterns import matching, regex, uncoloured
from mcpcompact.phrasing import counted
from mcpcompact.source import Source, split_lines

SIGNED, EARLY = 0.7, 0.8  # of the rows of a list begin with a sign; of the weight of a row that its last one lacks
ENCODED = 0.5  # weight of an encoded run
OPENING = 3.0  # factor on the weight of the first line, which says what it is
HEADINGS = 3  # of a report
SUMS_UP = 0.3  # of the room, what of a report stands first: its headings, and what it all comes to
RUN, FIRST = 8, 1_000  # lines of a run that is chosen of very many; the first ones
ENDS = 40  # lines before the end that its lines are compared with
ADDRESS = 0.01  # weight of what stands below a title of a table of contents
VALUED = 2.0  # factor on the weight of a label with its value
PRINTED = 0.2  # of the room, what stands first of lines that a program printed
HEAD, HEADED = 8, 0.5  # lines above a table, and the share of the room that they may take
LAST, TAIL = 4, 3.0  # lines at the end, where a command says what became of it, and the factor on their weight
NUMBERS = 3  # of a line and of a row that its first and last tell
ALIKE, AGAIN = 3, 0.3  # lines that differ in numbers alone, and the factor on the weight of all but the first
LONG_LINE = 2_000  # characters; a longer line becomes segments with character offsets
_SEGMENT = 400  # characters
_SEGMENTS = 5_000  # of one line
_PROSE = 240  # characters of a line of which a part may be shown: of sentences its first ones
HOSTED = 3  # times as many other lines: of less text it may be what was asked for
_REPEATED, _OFTEN = 80, 10  # characters of a line whose repeats are folded; a shorter one (a wrapped line, a brace of a
_SHORT = 20  # block) where it stands so often, unless it is as short as this
_SENTENCE = regex(r"[.!?…][\"')\]]{0,2}(?=\s|$)|[。！？]")
_PARAGRAPH_END = regex(r"\n[ \t\r]*\n\s*")
_WORDS = regex(r".*[^\W\d_]{3}.*[ \t].*[^\W\d_]{3}")
_PIECE = regex(r"\d+@\d+ ", holds="@")
_NUMBERED = regex(r"[ \t]{0,6}(\d{1,7})(?:[:→|](?!\d++(?!\. ))|\t)", holds=":→|\t")  # no time, no column
_MEMBER = regex(r"\s*\"[^\"]{1,80}\": \"", holds='"')  # a text in JSON
_NAMED = regex(r"[\w@.+-]+")  # a package
_HEADING = regex(r"#{1,4} +\S", holds="#")
_BEFORE = regex(r"\s*$|\[Tool: |---|<\w+>|(?:Now )?I(?:'ve)? (?:now )?have\b.{0,300}")  # a report


def outline(source: Source, hints: Hints) -> Outline:
    if source.large:
        from mcpcompact.content.text.stream import streamed

        return streamed(source)
    lines = split_lines(source.text)
    if _commits.share(lines):
        history = _commits.outline(lines)
        history.lossless = _lossless(source.text)
        return history
    if forms.is_report(lines):
        return forms.report(lines)
    if "#" in source.text and (begun := _report(lines)):
        return _markdown(lines, begun, hints)
    if "\x08" not in source.text and "\x1b" not in source.text and _manual.is_page(lines):
        return _manual.page_outline(lines)
    if _manual.is_manual(lines):
        return _manual.outline(lines)
    if forms.is_catalog(lines):
        return forms.catalog(lines)
    if blobs.is_printable(lines):
        return blobs.printable(lines, hints)
    if _terminal.is_terminal(lines):
        return _terminal.outline(lines)
    if hits.share(lines) >= SEARCHED:
        from mcpcompact.content.text import search

        return search.outline(lines, hints)
    if entries.share(lines) >= LISTED:
        from mcpcompact.content.text import listing

        return listing.outline(lines, hints.words(), ended=source.text.endswith("\n"))
    return _prose(source.text, lines, hints)


def _report(lines: Sequence[str]) -> int:
    """The index at which an agent's report in Markdown begins, behind its calls and the host's wrapper; else 0."""
    heads = matching(_HEADING, lines)
    begun = heads[0] if heads else 0
    if not begun or not all(_BEFORE.match(line) or shared.is_wrapper(line) for line in lines[:begun]):
        return 0
    return begun if len(heads) >= HEADINGS and all(b - a > 1 for a, b in pairwise(heads)) else 0  # else comments


def _markdown(lines: list[str], begun: int, hints: Hints) -> Outline:
    """The report as the document that it is; of what stands before it how many calls there were."""
    from mcpcompact.content.markup.answering import ANSWERING, answering
    from mcpcompact.content.markup.markdown import outline as read

    report = ["" if n < begun or shared.is_wrapper(line) else line for n, line in enumerate(lines)]
    document = read("\n".join([*report, ""]))
    document.frame_share = ANSWERING if answering(document.items, hints) else SUMS_UP
    calls = sum(line.startswith("[Tool: ") for line in lines[:begun])
    if calls:
        document.facts.append(Fact(f"{counted(calls, 'tool call')} before it, up to line {begun}", 1))
    document.content_type, document.total, document.blank = "text", len(lines), shared.blank_lines(lines)
    return document


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Paragraphs, each with the blank lines behind it."""
    ends = [match.end() for match in _PARAGRAPH_END.finditer(text)]
    yield from ((start, end) for start, end in pairwise([0, *ends, len(text)]) if end > start)


def _prose(text: str, lines: list[str], hints: Hints) -> Outline:
    plain = [uncoloured(line) for line in lines] if "\x1b" in text else lines
    filled = _unhosted(plain, [*compress(count(), map(str.strip, plain))])
    results = _webresults.results(lines, filled, hints)
    thread = _threads.headers(plain, filled) if not results else {}
    if not (results or thread) and (stanzas := _stanzas.outline(plain)):
        stanzas.lossless = _lossless(text)
        stanzas.facts += shared.truncations(lines) + shared.conflicts(lines) + shared.states(lines)
        return stanzas
    odd = {} if results or thread else odd_lines(plain, filled)
    odd = {i: one for i, one in odd.items() if _sections.weight(plain[i]) > _sections.ROUTINE}  # no bar of progress
    heads = _sections.headings(lines, filled) if not results else {}  # a page's labels head nothing
    if thread:  # what stands below a heading within a body is of that body
        heads = {i: behind for i, behind in heads.items() if i < min(thread)} | thread
    alone = set(tokens(plain, filled))
    odd |= {i: Odd(i, Keep.RARE, "", "") for i in (*_sections.telling(plain, filled, heads), *alone)}
    odd |= {i: Odd(i, Keep.SEVERE, "", "") for i in _sections.failures(plain)}
    by_title = _webresults.items(lines, results, hints)
    total = _commits.change_total(lines)
    page = not (results or thread) and not total and _page.is_page(plain, filled)
    items = _items(lines, _some(filled, {*odd, *results}), odd, by_title, heads, page)
    if '"url":' in text:
        from mcpcompact.content.markup.answering import pages

        items = pages(items, lines)
    items = items if page else wrapped(items, lines, alone, heads)
    ends = _ends(items, lines) if not (results or thread or page) else []
    headed = ends[:1] == items[:1]
    shares = (results, _webresults.SHARE), (thread, _threads.SHARE), (page, _page.SHARE), (headed, HEADED)
    for item in ends:
        item.weight *= TAIL
    _paged(items, lines, bool(results))
    if not results:
        _repeated(items, page)
    installed = {*str((hints.arguments or {}).get("command")).partition(" install ")[2].split()}
    for item in items if installed else ():  # what was asked for comes before what that needs
        item.weight *= 1.0 if installed.isdisjoint(_NAMED.findall(item.text)) else VALUED
    listed = _sections.grouped(plain, filled, heads, items) if not (results or thread or page) and not total else []
    if thread:
        _threads.weigh(items, thread, lines)
    pieces = any(map(_PIECE.match, (item.text for item in items)))
    facts = _webresults.facts(lines, results) + shared.truncations(lines) + shared.conflicts(lines)
    if titles := _page.contents(plain, filled):
        first = lines[filled[1]].strip()
        facts.append(Fact(f"Contents: {len(titles):,} titles, each with its address below it; the first {first}", 0))
        addresses = {i + 1 for i in filled[1::2]}
        for item in items:  # none of which is odd
            item.weight, item.keep, item.reason = ADDRESS if item.start in addresses else 1.0, Keep.NONE, ""
    if page:
        facts += _page.facts(plain)
        items = _page.in_order(items, plain)
    signed = 0 if text.isascii() else sum(not lines[i][0].isascii() for i in filled)
    if signed > SIGNED * len(filled):  # ``○ ◐ ✓``: the latest rows come first
        for n, item in enumerate(items):
            item.weight *= 1 - EARLY * n / len(items)
    facts += [*blamed(lines), *shared.states(lines), *listed]
    facts[:0] = _sections.parted(lines, heads) if not (results or thread or page) else []
    if total:
        facts[:0] = _commits.change_facts(lines, total)
        items = [item for item in items if item.start != total]
        _commits.weigh_change(items, lines)
    return shared.outline_of(
        lines,
        counted(len(lines), "line"),
        facts,
        items,
        lossless=_lossless(text),
        more=[("--bytes", "A:B") if pieces else ("--lines", "A:B")],
        facts_share=0.1,
        nested=page,
        reach=_page.reach(_page.parents(plain)) if page else {},
        frame_share=next((share for present, share in shares if present), PRINTED),
        blank=shared.blank_lines(lines),
    )


def _unhosted(lines: Sequence[str], filled: Sequence[int]) -> Sequence[int]:
    """The lines (by index) without those of what a page tells other hosts, with all that stands within such a key."""
    depth, hosted = -1, set[int]()
    for i in filled:
        inner = len(lines[i]) - len(line := lines[i].lstrip())
        depth = depth if inner > depth >= 0 else -1
        if depth >= 0 or HOST.match(line):  # not a line of JSON that begins before it: that holds the page, too
            hosted.add(i)
            depth = inner if depth < 0 and line.rstrip().endswith("{") else depth
    if not hosted or HOSTED * len(hosted) >= len(filled) - len(hosted):
        return filled
    for before, i, after in zip([-1, *filled], filled, [*filled[1:], -1], strict=False):  # brackets around nothing
        if lines[i].strip(" ,") in ("{", "}") and not hosted.isdisjoint((before, after)):
            hosted.add(i)
    return [i for i in filled if i not in hosted]


def _paged(items: Sequence[Item], lines: Sequence[str], results: bool) -> None:
    """The first line, and what names a page, say what it is; below a screenshot labels tell by their values, and short
    lines among such by nothing."""
    seen = False
    for item in items[:PAGE_LINES]:
        page = NAMES_PAGE.match(lines[item.start - 1]) is not None
        item.weight *= OPENING if page or item is items[0] else 1.0
        item.whole |= page and len(item.text) <= BRIEF
        seen |= page and SEEN.search(item.text) is not None
    for item in items if seen and not results else ():
        menu = all(map(is_menu, lines[max(item.start - 2, 0) : item.end + 1]))
        item.weight *= LONE if menu else VALUED if item.whole and item.end > item.start else 1.0


def _ends(items: Sequence[Item], lines: Sequence[str]) -> list[Item]:
    """The last lines, each once: what is like many lines before it is no outcome. Of a table that goes on to the end
    what stands above it, and its first rows."""
    two = [*pairwise(item.start for item in items)]
    rows = [a < b and shared.in_columns(lines[a - 1], lines[b - 1]) for a, b in [*two[:HEAD], *two[-ENDS:]]]
    if True in rows[:HEAD] and all(rows[HEAD:]):
        return [*items[: rows.index(True) + LAST]]
    shapes = Counter(shared.shape_of(line) for line in lines[-ENDS:])
    ends = {lines[item.start - 1]: item for item in items[: -LAST - 1 : -1]}
    return [item for line, item in ends.items() if shapes[shared.shape_of(line)] <= LAST]


def _repeated(items: Sequence[Item], page: bool) -> None:
    """What differs from lines before it in its numbers alone tells less; rows of a ``page`` tell no others."""
    shapes = [shared.shape_of(item.text) if len(item.text) <= _PROSE else "" for item in items]
    counts, seen = Counter(shapes), set[str]()
    for item, shape in zip(items, shapes, strict=True):
        if counts[shape] >= ALIKE and _WORDS.match(shape):
            item.weight *= AGAIN if shape in seen else 1.0
            seen.add(shape)
    most = NUMBERS if page else math.inf
    alone = (not shape or " | " in shape or shape.count("0") > most for shape in shapes)  # as changed files are
    shared.fold_runs(items, alone)


def _some(filled: Sequence[int], needed: Collection[int]) -> Sequence[int]:
    """Of very many lines those that may be shown: what is ``needed``, the first and last, short runs of the others."""
    if len(filled) <= MAX_ITEMS:
        return filled
    step = len(filled) * RUN // (MAX_ITEMS - 2 * FIRST) + 1
    chosen = {i for start in range(0, len(filled), step) for i in filled[start : start + RUN]}
    return sorted(chosen.union(needed, filled[:FIRST], filled[-ENDS:]))


def _anchored(number: int, shown: str, times: str, numbered: bool) -> str:
    """A line behind its number, but where it has an anchor of its own: a path (a number costs one path in seven), or
    the number that it brings along (``numbered``: no ranking)."""
    if " |" in shown and _commits.STATED.match(shown):
        return " ".join(shown.split())
    return shown + times if numbered and _NUMBERED.match(shown) else shared.at_line(number, shown + times)


def _items(
    lines: list[str],
    filled: Sequence[int],
    odd: Mapping[int, Odd],
    results: Mapping[int, list[Item]],
    heads: Mapping[int, int],
    page: bool,
) -> list[Item]:
    """Lines under the headings that they stand below; encoded runs, repeats and what is redrawn are said in short,
    but those of a ``page``, each part of which has its own."""
    counts = Counter[str]() if page else Counter(lines)
    runs = blobs.blob_lines(lines)
    own = [int(match[1]) for line in lines if (match := _NUMBERED.match(line))]
    numbered = 2 * sum(a < b for a, b in pairwise(own)) >= len(own) - 1  # no ranking
    in_short = {**blobs.data_blocks(lines), **entries.rows(lines), **runs}
    past = shared.overtaken((i, lines[i]) for i in filled)
    seen: set[str] = set()
    items: list[Item] = []
    pages = bool(results) and bool(_webresults.labelled(lines))
    quoted = {n for result in results.values() for item in result for n in range(item.start, item.end + 1)}
    section, begun, behind = "", 0, 0  # behind the last run, and behind the ruler of the last heading
    for place, i in enumerate(filled):
        line = lines[i]
        if i < behind or i in past or shared.is_wrapper(line):
            continue
        if i in results:
            items += results[i]
            behind = i if pages else max(item.end for item in results[i])  # a page goes on before what is quoted of it
        if i + 1 in quoted:
            continue
        if i in in_short:
            (behind, short), whole = in_short[i], i not in runs
            weight = _sections.VERDICT if whole else ENCODED
            item = Item(i + 1, behind, f"{anchor(i + 1, behind)} {short}", weight=weight, section=section, whole=whole)
            item.also = () if whole else (i + 1,)  # of what is only named no further line is shown
            items.append(item)
            continue
        if i in heads:
            behind, begun = heads[i], place
            head = [n for n in range(i, behind) if n == i or _threads.tells(lines[n])]
            section = "\n".join(f"{n + 1} {lines[n].rstrip()}" for n in head)
            after = next((n for n in filled[place + 1 : place + 2 + behind - i] if n >= behind), i)
            if (after == i or after in heads) and any(map(str.isalnum, line)):  # a command without output
                items.append(Item(i + 1, i + 1, section))
            continue
        if counts[line] > 1 and len(line) > (_SHORT if counts[line] >= _OFTEN else _REPEATED):
            if line in seen:
                continue  # said once, with its count
            seen.add(line)
        shown, drawn = shared.last_state(line)
        shown = uncoloured(shown).rstrip()
        if not shown:
            continue
        if len(line) >= blobs.RUN_LEAST:
            shown, _, _ = blobs.without_blobs(shown)
        shown = usual.told(shown)
        if len(shown) > LONG_LINE:
            weight = _sections.RULER if _MEMBER.match(shown) else 1.0
            items += _segments(i + 1, shown, section, weight, exact=shown == line.rstrip())
            continue
        times = f" (×{counts[line]:,})" if line in seen else " [the last state]" if drawn > 1 else ""
        text = _anchored(i + 1, shown, times, numbered)
        _, keep, reason, template = odd.get(i, Odd(i, Keep.NONE, "", ""))
        last = bool(section) and (place + 1 == len(filled) or filled[place + 1] in heads)
        weight = _sections.RULER if drawn > 2 else _sections.weight(shown, place - begun if section else 0, last)
        weight *= _webresults.factor(line, pages) if results else 1.0
        at = odd_place(template, text) if keep else -1
        items.append(Item(i + 1, i + 1, text, keep, reason, template, weight, section, at))
        if len(shown) > _PROSE and not keep:  # read from its beginning
            items[-1].flow = "sentences"
    return items


def _segments(line: int, text: str, section: str, weight: float, exact: bool) -> list[Item]:
    """A long line as pieces that end at a sentence or a space, each at line@character (of the line as it stands)."""
    items = []
    start = 0
    skip = len(text) // _SEGMENTS  # an even choice of a very long line
    while start < len(text):
        end = min(len(text), start + _SEGMENT)
        if end < len(text):
            stops = [m.end() for m in _SENTENCE.finditer(text, start + _SEGMENT // 2, end)]
            signs = (text.rfind(sign, start + _SEGMENT // 2, end) + 1 for sign in " ,/&")
            cut = stops[-1] if stops else next(filter(None, signs), 0)
            end = cut if cut > start else end
        at = f"{line}@{start}" if exact else f"{line}"
        items.append(Item(line, line, f"{at} {text[start:end].strip()}", weight=weight, section=section))
        if skip > _SEGMENT:
            space = text.find(" ", start + skip, start + skip + _SEGMENT)
            end = max(end, space + 1 if space >= 0 else start + skip)
        start = end
    return items


def _lossless(text: str) -> list[Lossless]:
    folded = blobs.fold_repeats(text)
    return [Lossless("repeated lines folded", lambda: folded, len(folded))] * (len(folded) < len(text) * 0.9)
