"""Diff: what changed, by file and hunk, with exact lines of the new (``+417 …``) and the old file (``-412 …``)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from functools import partial
from itertools import accumulate, count, pairwise

from mcpcompact.content.anomalies.lines import Odd
from mcpcompact.content.diff import about, facts, units
from mcpcompact.content.diff.about import DEFINES, LAST, MADE, PROSE, SMALL, Edits, parts, scale
from mcpcompact.content.diff.parse import HUNK, Diff, File, Hunk, parse
from mcpcompact.content.diff.units import Above, Defines, Line, Unit, body, edit
from mcpcompact.content.shared.gutters import ungutter, wrapper_end
from mcpcompact.content.shared.languages import COMMENT, CONFIGURATION, IMPORT, TEST, definition, named
from mcpcompact.content.shared.nesting import BARE, LOOK, leads
from mcpcompact.content.shared.request import asked, told
from mcpcompact.content.shared.series import entries
from mcpcompact.errors import InputError
from mcpcompact.outline import MAX_ITEMS, Hints, Item, Keep, Outline
from mcpcompact.patterns import regex
from mcpcompact.source import Source, split_lines

Shown = tuple[Unit, Item]
EACH = MAX_ITEMS - 1_000  # lines of which each is an item, beside what stands for files
SECTION = 400  # characters of the names of a file
_TRUNCATED = regex(
    r".*(?:…\d+ \w+ truncated…|\[truncated|\d+ (?:more )?lines (?:omitted|truncated|not shown)).*", re.IGNORECASE
)
LEADING = 0.09  # weight of what did not change and leads to what did: it comes along with that
HEAD = 0.01  # weight of a hunk's header: nothing of its own, it comes along with what stands in its definition
FIRST, FIRST_OLDER, FIRST_NEW, FIRST_LATE = 4.0, 3.2, 3.1, 1.0  # of what a file changes first; older; tests: new, other
SHOWN_FILES = 12  # files of which each is shown so
BRACKET, IMPORTS = 0.3, 0.5  # factors on what only opens or closes, on imports
ASSERTS = 1.2  # factor on what a test asserts: before what it sets up
CONTEXT = 0.4  # weight of what did not change: it leads to what did
COMMENTED, LESS = 0.9, 0.6  # factor on comments: of configuration, where they say what it is for, and of programs
OLDER = 0.4  # factor on what commits before the newest changed
STRESSED, TOLD, EXAMPLE = 0.9, 0.6, 0.3  # weights of a new document: of lines below its headings, of code and rows
LENGTHY = 120  # added lines of a document that is as good as new
_STEP = regex(r"- (?:name|id|uses|task|job|script|title): \S")  # of a workflow: what its lines below it do
_ASSERTS = regex(r"(?:self\.|await )?(?:assert|expect|require|t\.(?:Error|Fatal))\w*[\s(!.]")
_IMPORTED = regex(r"(?:[\w.]+ )?\"[\w./-]+\"$")  # of several in brackets, as Go has them
_SAYS = regex(r"(?:description|summary):|(?:[A-Z][\w'’-]*|`[^`]+`)(?: [^\s:]+){4}")  # a sentence
_STRESSED, _SHOUTS = regex(r"\s*(?:[-*+] |\d+\. )?_?\*\*"), regex(r"\W*[A-Z]{4,} [A-Z]{4,}")
DELETED, ALONE = 0.8, 1.5  # weights of a file that is no more, where the facts do not name all; of others without lines
GONE = 0.2  # factor on what a deleted file held: the facts name it
DECORATES = 0.5  # factor on a line that says something of the definition below it, or undoes what one above it did
UNDONE, UNDONE_FROM = 0.4, 8  # factor on what a hunk only takes away: its name says it, what is new is read; its lines
REPLACED = 0.6  # factor on what is removed, and shown with what stands in its place
RESPACED = 0.2  # factor on what says the same in other columns: tables and fields that were aligned anew
_FAILED = regex(r"\S+\s+: ok=\d+ .*(?:unreachable|failed)=[1-9]")  # a host of ansible
_HEADS = regex(r"#.*|.*:")  # of a message: a line that leads to a paragraph
INDENTED = " " * 4  # lines of the message that git log prints


def outline(source: Source, hints: Hints) -> Outline:
    if source.large:
        raise InputError("more than 64 MB of diff", hint="read it with --type text")
    lines, view = ungutter(split_lines(source.text))
    first = wrapper_end(lines)
    diff = parse(lines, first, about.only_file("\n".join(map(str, (hints.arguments or {}).values()))))
    message = facts.message_of(diff, lines)
    diff.outside = [i for i in diff.outside if i not in message and any(map(str.isalnum, lines[i]))]
    if not diff.files:
        raise InputError("no file headers or hunks: not a diff")
    edits: Edits = {}
    items = _items(diff, lines, view, edits, about.named_files(diff, hints.words()))
    about.answer(items, diff, lines, hints)
    kinds = {h.kind for f in diff.files for h in f.hunks}
    few = len(diff.paths) <= facts.FEW_FILES and not diff.commits[1:]
    apart = (len(diff.files) == 1 or bool(view)) and len(lines) < EACH
    changed, names = about.defined(diff, lines, told(asked(hints)[1]), not view, apart)
    changed += about.alike(edits, diff, lines, items, few)
    unplaced = " +@N, -@N: line N of this diff;" if "loose" in kinds else ""
    legend = f"(+N: line of the new file, -N: of the old;{unplaced} --lines counts this diff's)"
    if view:
        shifts = {n - i for i, n in enumerate(view, 1) if n}
        less = f"for --lines take them minus {max(shifts):,}" if len(shifts) == 1 else "--lines counts this result's"
        legend = f"(numbers: the view's; {less})" if shifts - {0} else "(numbers: lines of this view)"
    return Outline(
        content_type="diff",
        unit="line",
        total=len(lines),
        headline=facts.headline(diff),
        facts=facts.facts(diff, lines, message) + changed,
        items=items,
        header=legend if view or kinds - {"patch", "loose"} else "(+@N, -@N: line N of this patch)",
        more=[("--lines", "A:B")],
        facts_share=0.3 if max(len(diff.commits) - facts.FEW_COMMITS, len(diff.files) - facts.FEW_FILES) > 0 else 0.1,
        frame_share=0.15 if names else 0.5,  # the names of what is added say it
        nested=True,
        names=about.indexed(names, items),
        parts={"definitions": len(names)} if names else {},
        notes=_notes(diff, lines),
        rendered=True,
        breaks=[h.start + 1 for f in diff.files for h in f.hunks if h.kind == "unified" and "new" not in f.status],
    )


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Hunks; what stands before a file's first hunk (commit, headers) belongs to it."""
    lines, _ = ungutter(split_lines(text))
    offsets = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    diff = parse(lines, wrapper_end(lines))
    first = {f.commit: f.start for f in diff.files[::-1] if f.commit >= 0}  # of each commit
    begins = {start: min(start, diff.commits[n].start) for n, start in first.items()}
    cuts = [begins.get(f.start, f.start) for f in diff.files]
    cuts = sorted([*cuts, *(h.start for f in diff.files for h in f.hunks[1:])])[1:]
    yield from pairwise(sorted({0, *(offsets[cut] for cut in cuts), len(text)}))


_CHANGED = regex(r" (\d+) files? changed.*", holds=" changed")


def _notes(diff: Diff, lines: list[str]) -> list[str]:
    notes = []
    if "unheaded" in diff.files[0].status:
        notes.append("it begins within a hunk: the header of that, with its place in the file, is not here")
    cut = [f for f in diff.files if any(h.cut for h in f.hunks["unheaded" in f.status :])]
    marks = [i + 1 for i in diff.outside if _TRUNCATED.match(lines[i][:2000])]
    if cut or marks:
        more = f" and {len(cut) - 1:,} more files" if len(cut) > 1 else _held(cut[0].hunks[-1], lines) if cut else ""
        where = f" in {cut[0].path}{more}" if cut else ""
        notes.append(f"the diff itself is cut{where}: counts are of what is there")
    totals = [match for i in diff.stats if (match := _CHANGED.match(lines[i]))]
    if len(totals) == 1 and len(diff.commits) <= 1 and int(totals[0][1]) > len({f.path for f in diff.files}):
        notes.append(f"not all of the change is here: {totals[0][0].strip()} in all")
    return notes


def _held(last: Hunk, lines: list[str]) -> str:
    """How many lines are here of a file's last hunk, and how many its header announces."""
    here, head = sum(row[1] != "-" for row in body(last, lines)), HUNK.match(lines[last.start])
    whole = int(head[4] or 1) if head else 0
    return f" after {here:,} of {whole:,} lines of its last hunk" if here < whole else ""


def _items(diff: Diff, lines: list[str], view: list[int], edits: Edits, wanted: set[int]) -> list[Item]:
    contexts = len(lines) < EACH
    step = 1 if contexts else max(1, -(-(diff.added + diff.removed) // (MAX_ITEMS * 3 // 4)))
    items = _beside(diff, lines, view)
    odd_files, odd_lines = about.odd_files(diff), about.odd_lines(diff, lines)
    numbers = count(1)
    late = about.scales([(f.path, f.size) for f in diff.files])
    chief, words = about.mains(diff, late), parts(about.subject(diff))
    most = max(late, default=1.0)
    few = sum(f.commit == diff.newest for f in diff.files) <= SHOWN_FILES
    gone = len(diff.files) > facts.FEW_FILES and sum("deleted" in f.status for f in diff.files) > about.STATED
    for place, f in enumerate(diff.files):
        weight = DELETED if gone and "deleted" in f.status else ALONE
        if place in odd_files or weight == DELETED or not f.hunks:
            text = " ".join(p for p in (_label(f), facts.amount_of(f)) if p)
            item = Item(f.start + 1, max(f.start + 1, f.hunks[0].start if f.hunks else f.end), text, weight=weight)
            items.append(_marked(item, odd_files.get(place)))
        section = _section(diff, f, lines)
        says = late[place] / most
        says *= GONE if "deleted" in f.status else OLDER if f.commit != diff.newest else 1.0
        language = about.language(diff, f)
        defines = definition(language) if language else None
        prose = language in PROSE
        leading = partial(_leading, defines, language in CONFIGURATION)
        mine: list[Item] = []
        opens: list[Item] = []  # what each hunk changes first
        headed = False  # a hunk above stands under the header that git found for it
        for hunk in f.hunks:
            rows = [*body(hunk, lines)]
            if contexts:
                within = {} if prose else units.parents(rows)
                groups = units.units(rows, within, odd_lines, defines, prose)
                above = units.owners(rows, within, leading) if defines is not None and not prose else {}
                above = units.headings(rows) if prose else above
            else:
                groups, above = [[row] for row in _thinned(rows, odd_lines, numbers, step)], {}
            groups = units.titled(groups) if prose and "new" not in f.status else groups
            groups = [unit for unit in groups if unit[0][3].strip()]
            commented = COMMENTED if language in CONFIGURATION else LESS
            shown = [(unit, _item(unit, view, section, defines, says, commented)) for unit in groups]
            if prose:
                examples = {*units.fenced(rows)}
                _documented(f, examples, shown, DEFINES * says)
                _listed(shown, examples)
            changes: list[Item] = []
            signs = Counter(sign for _, sign, *_ in rows)
            undone = UNDONE if contexts and signs["-"] >= UNDONE_FROM and not signs["+"] else 1.0
            for unit, item in shown:
                change = edit(unit)
                changes += [item] if unit[0][1] and change != units.SPACING else []
                _marked(item, odd_lines.get(unit[-1][0]))
                swapped = units.reworded(unit) or (units.sentence(unit) if prose and not change else "")
                key = swapped or change or units.line_of(unit)
                edits.setdefault((bool(swapped or change), key), []).append((item, f.path, change or key))
                item.weight *= RESPACED if change == units.SPACING else undone
                item.weight *= DECORATES if not prose and unit[-1][3].lstrip().startswith(("@", "defer ")) else 1.0
                item.weight = min(item.weight, LAST) if prose and not unit[0][1] else item.weight  # read without it
                item.whole &= not (prose and units.TITLE.match(unit[0][3]))  # a heading says something alone
            owned = None in above.values() and not prose and _defines(defines, hunk.context)  # git guesses
            unplaced = bool(view) and not prose and hunk is not f.hunks[0]  # by the numbers of a view
            apart = (headed or unplaced) and not owned and hunk.kind == "unified"
            headed = headed or owned
            if owned or apart:
                line = lines[hunk.start]
                head = " ".join(line.split()) if line.startswith("@@") else f"@@ {hunk.context}"
                ranges = head[: head.find("@@", 2) + 2]
                head = ranges if apart else head  # it is of no definition, also of none above
                items.append(Item(hunk.start + 1, hunk.start + 1, head, weight=HEAD, section=section, flow="lines"))
            loose = [row for row in rows if apart and row[0] not in above]
            above |= {row[0]: None for row in loose if not (COMMENT.match(row[3]) or _defines(defines, row[3], "top"))}
            passed = {*units.passed(rows)} if above and not prose else set()
            shown = [each for unit, item in shown for each in _parted(unit, item)]
            _begin(() if prose else shown)
            _lead(shown, above, hunk.start + 1 if owned or apart else 0, passed, units.beside(rows))
            items += [item for _, item in shown]
            mine += changes
            firsts = [item for item in changes if item.weight >= says and undone == 1]
            opens += sorted(firsts, key=lambda one: prose or one.weight < DEFINES)[:1]
        if place in chief or (place in wanted and f.size <= SMALL):
            about.tell(mine, opens, words, f, language, place in wanted)
        elif mine and few and scale(f.path) != MADE:
            best = [item for item in mine if item.weight >= says and about.ADDS.search(item.text)] or mine
            first = max(best, key=lambda item: item.weight) if "new" in f.status or prose else best[0]
            weight = {1.0: FIRST, OLDER: FIRST_OLDER}.get(says, FIRST_NEW if "new" in f.status else FIRST_LATE)
            weight -= len(first.text) / about.FAR  # short ones first: one of every file
            first.weight = max(first.weight, weight)
    items.sort(key=lambda item: item.start)
    return items


def _parted(unit: Unit, item: Item) -> list[Shown]:
    """What is removed and what replaces it further down each in its place, as in the diff; the first comes along."""
    if item.end - item.start == len(unit) - 1:
        return [(unit, item)]
    gone = sum(row[1] == "-" for row in unit)
    lines = item.text.split("\n")
    old, item.text = "\n".join(lines[:gone]), "\n".join(lines[gone:])
    first = Item(item.start, item.start + gone - 1, old, weight=LEADING, section=item.section, flow="lines")
    item.under, item.start = item.start, unit[gone][0] + 1
    return [(unit[:gone], first), (unit[gone:], item)]


def _documented(f: File, examples: Container[int], shown: Iterable[Shown], heads: float) -> None:
    """Of a document that is new, or nearly so, what it says it is comes first, then its headings, then what is
    emphasised; a line of an example is none."""
    new = "new" in f.status
    if not new and f.added <= LENGTHY:
        return
    firsts = [(unit[0], item) for unit, item in shown]
    says = next((i for (i, _, _, text), _ in firsts if new and i not in examples and _SAYS.match(text)), -1)
    for (i, _, _, text), item in firsts:
        if i in examples or text.lstrip().startswith("|"):
            item.weight = min(item.weight, EXAMPLE)
        elif i == says or _SHOUTS.match(text):
            item.weight = max(item.weight, heads)
        elif item.weight < heads:
            item.weight = min(item.weight, STRESSED if _STRESSED.match(text) else TOLD)


def _listed(shown: Iterable[Shown], examples: Container[int]) -> None:
    """Of a document the list that each added entry is of; lines of an example have signs of their own."""
    there = [(unit[-1], item) for unit, item in shown if unit[-1][1] != "-"]
    texts = [row[3] if row[1] and row[0] not in examples else "" for row, _ in there]
    for n, series in entries(texts, [item.start for _, item in there], "added item").items():
        there[n][1].series = series


def _leading(defines: Defines, keyed: bool, text: str) -> bool:
    """Whether what stands under a line is shown with it: a definition, a test, a key, a condition, an open bracket."""
    head = text.strip()[:LOOK]
    speaks = not units.ONLY_MARKS.match(head)
    return speaks and (keyed or leads(text) or _defines(defines, head))


def _defines(defines: Defines, text: str, but: str = "") -> bool:
    """Whether a line names a test or defines something, ``but`` what that group of its pattern holds."""
    head = text.strip()[:LOOK]
    match = defines.match(head) if defines is not None else None
    return TEST.match(head) is not None or (match is not None and match.lastgroup != but)


def _is_bare(unit: Unit) -> bool:
    return all(units.ONLY_MARKS.match(row[3][:LOOK]) for row in unit)


def _begin(shown: Iterable[Shown]) -> None:
    """A comment is read from its beginning."""
    for (above, first), (unit, item) in pairwise(shown):
        item.under = item.under or first.start * units.goes_on(above[-1], unit[0])


def _lead(shown: list[Shown], above: Above, head: int, gone: Container[int], beside: dict[int, int]) -> None:
    """What changed stands under the definition that it is in, or under the hunk's ``head``; what is removed and
    added with what is ``beside`` it; what did not change beside what did, where it leads to nothing; what is ``gone``
    before that says least."""
    starts = {row[0]: item.start for unit, item in shown for row in unit}
    changed = [item.start for unit, item in shown if unit[0][1] and not _is_bare(unit)]
    respaced = {item.start for unit, item in shown if edit(unit) == units.SPACING}
    leading, replaced = {row[0] for row in above.values() if row is not None}, {*beside.values()}
    olds = {item.under for _, item in shown}  # each comes with what replaces it
    for unit, item in shown:
        first = unit[0][0]
        if item.under:
            continue
        if not unit[0][1]:
            item.weight *= 1.0 if changed and first not in leading and first not in gone else CONTEXT
            item.weight = LEADING if changed and first in leading else item.weight
        if not unit[0][1] and first not in leading and changed:
            item.under = 0 if _is_bare(unit) else min(changed, key=lambda line: abs(line - item.start))
            item.weight *= RESPACED if item.under in respaced else 1.0
            continue
        owner = above.get(first)
        item.under = starts.get(owner[0], 0) if owner is not None else head if first in above else 0
        alone = {row[1] for row in unit} == {unit[0][1]} and item.start not in olds
        other = starts.get(beside.get(first, -1), 0) if owner is None or owner[1] != unit[0][1] else 0
        if alone and other and (other < item.start or first not in leading):
            item.under = other  # further down only of what leads to nothing: no two lead to each other
            item.weight *= REPLACED if other > item.start else 1.0
        if unit[-1][1] == "-" and first in replaced:
            item.weight = LEADING


def _beside(diff: Diff, lines: list[str], view: list[int]) -> list[Item]:
    """Commits, their messages and what else stands outside the hunks."""
    items = [  # those before are facts
        Item(c.start + 1, c.end, f"commit {c.sha} {c.author} {c.date}: {c.subject}", weight=2.0)
        for c in ([*diff.commits[::-1]] if diff.mailed else diff.commits)[facts.LISTED_COMMITS : MAX_ITEMS // 20]
    ]
    filled = [i for i in diff.outside if lines[i].strip() and (not view or view[i])]
    outside = [i for i in filled if "-authored-by: " not in lines[i]]
    spoken = 1.8 if len(diff.commits) <= 1 else 0.4  # of one commit its message, of several their subjects
    whose = [f"commit {c.sha[:9]}" for c in diff.commits] if len(diff.commits) > 1 else []
    begins = [c.start for c in diff.commits]
    for i in outside[: MAX_ITEMS // 40]:
        section = whose[max(0, bisect_right(begins, i) - 1)] if whose else ""
        weight = 0.1 if facts.TRAILER.match(lines[i]) else spoken
        flow = "sentences" * (weight == spoken and lines[i].startswith(INDENTED))
        last = items[-1] if items and flow and not units.BEGINS.match(lines[i]) else None
        if last and last.flow and last.end == i and last.section == section:
            last.text, last.end = f"{last.text}\n{lines[i].strip()}", i + 1
        else:
            keep = Keep.SEVERE if _FAILED.match(lines[i]) else Keep.NONE
            items.append(Item(i + 1, i + 1, lines[i].strip(), keep, weight=weight, section=section, flow=flow))
    paragraphs = [item for item in items if item.flow and not _HEADS.fullmatch(item.text)]
    for item in paragraphs[: len(diff.commits) == 1]:  # the first of the only message
        item.weight = FIRST
    if len(diff.stats) <= len(diff.files) + max(1, len(diff.commits)):  # the facts say the same of the files
        return items
    return items + [Item(i + 1, i + 1, " ".join(lines[i].split()), weight=0.8) for i in diff.stats[: MAX_ITEMS // 40]]


def _marked(item: Item, strange: Odd | None) -> Item:
    if strange is not None:
        item.keep, item.reason, item.template = strange.keep, strange.reason, strange.template
    return item


def _item(unit: Unit, view: list[int], section: str, defines: Defines, says: float, commented: float) -> Item:
    """The lines of a unit exactly as they stand, each with its number and its sign."""
    first, last = unit[0][0] + 1, unit[-1][0] + 1
    weight = max(_weight(sign, text[:LOOK], defines, commented) for _, sign, _, text in unit) * says
    weight = about.CLOSES if _is_bare(unit) else weight
    if [row[1] for row in unit] == ["-", "+"]:
        both = units.shortened(unit[0][3], unit[1][3])
        unit = [(*row[:3], text) for row, text in zip(unit, both, strict=True)]
    text = "\n".join(_line(row, view) for row in unit)
    whole = len(text) <= 2 * units.PAIR
    return Item(first, last, text, weight=weight, section=section, flow="lines", whole=whole)


def _line(row: Line, view: list[int]) -> str:
    i, sign, number, text = row
    if view:
        return f"{view[i]} {sign or ' '}{text}".rstrip("\r")
    return (f"{sign or ' '}{number} {text}" if number else f"{sign or ' '}@{i + 1} {text}").rstrip("\r")


def _thinned(rows: Iterable[Line], kept: Container[int], numbers: Iterator[int], step: int) -> Iterator[Line]:
    """Every ``step``-th changed row, and what is odd."""
    for row in rows:
        speaks = row[1].strip() and not units.ONLY_MARKS.match(row[3][:LOOK])
        if row[0] in kept or (speaks and next(numbers) % step == 0):
            yield row


def _section(diff: Diff, f: File, lines: list[str]) -> str:
    """The diff's own lines that name the file, the old one where it differs; the commit where there are several."""
    first = max(f.start, f.hunks[0].start) if f.hunks else f.end  # the header of its first hunk may be cut off
    named = [line for line in lines[f.start : first] if line.startswith(("--- ", "+++ ", "*** "))]
    own = [line.partition("\t")[0].rstrip() for line in named]
    shown = own[-1:] if f.old == f.new or "new" in f.status else own
    unheaded = "unheaded" in f.status
    own_name = f"a file whose header is not here: {facts.amount_of(f)}" if unheaded else ""
    called = own_name if f.unnamed else f.path  # its name stands in the call
    begins = lines[f.start].rstrip()
    heading = "\n".join(shown) or (called if unheaded or begins.startswith("@@") else "") or begins
    commit = f" (commit {diff.commits[f.commit].sha[:9]})" if len(diff.commits) > 1 and f.commit >= 0 else ""
    return heading[:SECTION] + commit


def _label(f: File) -> str:
    words = [facts.renaming(f) if f.status & {"renamed", "copied"} and f.old != f.new else f.path]
    words += [s for s in facts.NOTABLE if s in f.status and s != "mode"]
    if "mode" in f.status:
        words.append(f"mode {f.modes[0]}→{f.modes[1]}")
    elif f.modes[1] == "100755":
        words.append("executable")
    if f.similarity and f.status & {"renamed", "copied"}:
        words.append(f.similarity)
    return " ".join(words)


def _weight(sign: str, text: str, defines: Defines, commented: float) -> float:
    stripped = text.strip()
    base = 1.5 if sign == "+" else 1.0 if sign == "-" else CONTEXT
    match = defines.match(stripped) if defines is not None and not stripped.endswith((",", ";")) else None
    if sign and _STEP.match(stripped):
        return about.OPENS
    if TEST.match(stripped) or (match and (match.lastgroup != "top" or (named(match) and text[:1] not in " \t"))):
        return (about.CONSTANT if match and match.lastgroup == "top" else DEFINES) if sign else CONTEXT
    kinds = ((BARE, BRACKET), (IMPORT, IMPORTS), (_IMPORTED, IMPORTS), (_ASSERTS, ASSERTS), (COMMENT, commented))
    return base * next((factor for kind, factor in kinds if kind.match(stripped)), 1.0)
