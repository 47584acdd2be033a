"""How a table is laid out: delimited, aligned, Markdown or boxed. Aligned columns are gutters blank in all lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise, zip_longest

from mcpcompact.content.table.delimited import DELIMITERS, by_delimiter, is_header, quoted_rows, stamped
from mcpcompact.content.table.drawn import BARS, EDGES, Bars, headings, is_rule
from mcpcompact.content.table.formats import LOOK, known
from mcpcompact.content.table.rows import Layout, cut
from mcpcompact.patterns import regex, uncoloured

LOOK_ALIGNED = 400  # lines that tell the layout of aligned text
WIDE_LINE, WIDE_TITLE = 2_000, 200  # characters; of a longer line no columns are drawn, a longer one is no title
RULERS = 2  # among rows, of a total: more part a report
COLUMNS = 40  # that somebody aligned by hand or by a tool
TAB = 8  # columns that a tab goes on to
_LEGEND, _LEGEND_OF = 10, 10  # lines below a table that are its legend, or one in ten; more are something of their own
_ROWS_BEFORE = 3  # lines above a blank one that make a table of their own
_TITLES = 2  # filled lines below which an aligned table may begin

MIN_NUMBERS = 10  # lines of numbers that are surely a column
MIN_BARRED, MAX_BARS, BARRED = 3, 0.5, 0.6  # lines with bars; shares of them: of one table; of all lines
MIN_ROWS, MIN_WORD_ROWS = 3, 6  # of aligned columns with their header; of words
GAPPED, GAPPED_NAMES = 0.5, 0.6  # of the lines have a run of blanks; more where only capitals tell the names
FILLED, FIRST_FILLED, NUMERIC = 0.6, 0.3, 0.6  # shares of the cells, of the first column's, of columns of numbers
UPPER, CAPITALIZED = 0.7, 0.7  # of the names are in capitals, or begin with one
PAIR, PAIR_WORDS, PAIR_ROWS = 2, 3, 3  # two columns, words of the second in prose, and rows to tell
MIN_NAMES = 3  # names by their capitals alone
MIN_WORDS = 4  # columns of words
WHOLE_ROWS, UNDER, ONE_ASIDE = 0.99, 0.9, 6  # shares: rows of so many words; below their titles, but one in so many

SURE, NAMED, WORDED = 0.9, 0.8, 0.85  # scores: names in capitals; otherwise named; words below their titles
NUMBERS, RULED, RULED_BASE, RULED_SHARE = 0.95, 0.95, 0.5, 0.4  # a column of numbers; bars in nearly all lines, else
TITLED = 0.05  # taken for a title above
INDEX = "index"  # what a column of row numbers without a title is called
_NUMBER = regex(r"\s*[-+]?(?:\d[\d,_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*%?$")
_NAME = regex(r"[A-Za-z_][\w .-]{0,40}")
_WORD = regex(r"\S+")


def single(lines: Sequence[str], on_request: bool = False) -> Layout | None:
    """A column of its own: of numbers, else only on request. Its first line is the header when it looks like a name."""
    if not on_request and not any(map(_NUMBER.match, lines[1:3])):
        return None
    filled = [line for line in lines if line.strip()]
    if len(filled) <= 1:
        return None
    header = is_header([[line] for line in filled]) and _NAME.fullmatch(filled[0].strip()) is not None
    rows = filled[header:]
    sure = len(rows) >= MIN_NUMBERS and all(map(_NUMBER.match, rows))
    kind, names = "a column of numbers" if sure else "one column", [filled[0].strip() if header else "value"]
    skip = lines.index(filled[0]) + 1 if header else 0
    return Layout(kind, NUMBERS * sure, "every line is a number", names, words=1, by="\n", skip=skip, header=header)


def forced(lines: Sequence[str]) -> Layout | None:
    """The layout of lines that are said to be a table: the best there is, down to one column."""
    layout = detect(lines)
    if layout is not None:
        return layout
    first = next(filter(str.strip, lines), "")
    delimiter = max(DELIMITERS, key=first.count)
    if delimiter not in first:
        return single(lines, on_request=True)
    fields = quoted_rows([*lines[:LOOK], delimiter], delimiter) or [first.split(delimiter)]
    width = max(map(len, fields))
    header = len(fields) > 1 and is_header(fields)
    names = (fields[0] if header else []) + [""] * (width - len(fields[0]) * header)
    return Layout(f"separated by {delimiter!r}", 0.0, "asked for", names, delimiter, skip=int(header), header=header)


# -- bars: Markdown, psql, boxes --------------------------------------------------------------------------------


def _try_bars(lines: Sequence[str]) -> Layout | None:
    """The table of most rows among the lines, if they have half of all the lines with bars."""
    rules = sum(map(is_rule, lines))
    cells = [(i, line) for i, line in enumerate(lines) if rules and not is_rule(line)]
    bar = max(BARS, key=lambda bar: sum(bar in line for _, line in cells))
    barred = [i for i, line in cells if bar in line]
    if len(barred) < MIN_BARRED:
        return None
    share = (len(barred) + rules) / max(1, sum(bool(line.strip()) for line in lines))
    tables = [(at, below, Bars(lines[at:below], lines[below], bar)) for at, below in headings(lines, bar)]
    rows = Counter[tuple[str, ...]]()
    ends = [*(at for at, _, _ in tables), len(lines)][1:]
    for (at, _, table), end in zip(tables, ends, strict=True):
        rows[tuple(table.names)] += sum(at <= i < end and len(table.cells(lines[i])) == table.width for i in barred)
    if not rows or share < BARRED:
        return None
    names, many = rows.most_common(1)[0]
    if many < max(MIN_BARRED, MAX_BARS * len(barred)):
        return None
    at, below, table = next((at, below, table) for at, below, table in tables if tuple(table.names) == names)
    table.ruled = table.rules(lines[below + 1 :])
    kind = "psql's table" if table.marks and not table.framed else "text table" if table.crossed else "Markdown table"
    above = [next((lines[n] for n in range(at - 1, -1, -1) if lines[n].strip()), bar) for at, _, _ in tables]
    if kind == "Markdown table" and sum(bar not in line for line in above) > 1:
        return None  # a document: a row of one under the heading of another would be about something else
    score = RULED if share > SURE else RULED_BASE + RULED_SHARE * share
    why = f"{share:.0%} of the lines are rows between bars"
    return Layout(kind, score, why, table.names, before=at, skip=below + 1, bars=table)


# -- aligned columns --------------------------------------------------------------------------------------------


def _try_aligned(body: Sequence[str]) -> Layout | None:
    """Columns between gutters, each with its title."""
    head = body[0]
    titles = [(m.start(), m[0]) for m in _WORD.finditer(head)]
    if not 1 < len(titles) <= COLUMNS or len(body) < MIN_ROWS or max(map(len, body)) > WIDE_LINE:
        return None
    ruled = set(body[1]) <= {"-", " ", "="} and "-" in body[1].replace("=", "-")
    some = body[1 + ruled : LOOK_ALIGNED]
    gapped = sum("  " in line.strip() for line in [head, *some]) / (len(some) + 1)
    if gapped < GAPPED or sum(not any(map(str.isalnum, line)) for line in some) > RULERS:
        return None
    starts = _starts(head, some, titles)
    names = cut(head, starts) if len(starts) > 1 else []
    rows = [cut(line, starts) for line in some]
    if not names or not _named(names, rows, ruled, gapped > GAPPED_NAMES) or not _filled_cells(names, rows):
        return None
    score = SURE if _capitals(names) == sum(map(bool, names)) else NAMED
    why = f"{len(names)} columns under {' '.join(names[:4])}"
    names[0] = names[0] or INDEX * _numbers(row[0] for row in rows)
    return Layout("aligned columns", score, why, names, starts=starts, skip=1 + ruled)


def _starts(head: str, some: Sequence[str], titles: Sequence[tuple[int, str]]) -> list[int]:
    """Where columns begin: behind gutters, blank in all lines; one without a title belongs to its left neighbour."""
    blank = ["".join(column).isspace() for column in zip_longest(head, *some, fillvalue=" ")]
    text = blank.index(False)
    gutters = [i for i in range(text + 1, len(head)) if blank[i] and not (i + 1 < len(blank) and blank[i + 1])]
    starts = [0, *(gutter + 1 for gutter in gutters)]
    ends = [*starts[1:], 1 << 30]
    titled = [
        start
        for start, end in zip(starts, ends, strict=True)
        if any(start <= at < end or at < start < at + len(word) for at, word in titles)
        and (head[:start].endswith("  ") or any(map(str.strip, (line[start:end] for line in some))))  # LAST SEEN
    ]
    numbered = len(starts) > 1 and head[: starts[1]].isspace() and _numbers(line[: starts[1]] for line in some)
    return [0, *titled[not numbered :]] if titled else []


def _numbers(cells: Iterable[str]) -> bool:
    """Whether they are 0, 1, 2, … as pandas numbers rows."""
    return all(cell.strip() == str(n) for n, cell in enumerate(cells))


def _capitals(names: Sequence[str]) -> int:
    return sum(n.upper() == n and any(map(str.isalpha, n)) for n in names)


def _named(names: Sequence[str], rows: Sequence[Sequence[str]], ruled: bool, gapped: bool) -> bool:
    """Names in capitals, underlined, or above numbers; themselves no numbers and no stamps."""
    if sum(map(bool, names)) < len(names) - 1 or any(_NUMBER.match(name) or stamped(name) for name in names):
        return False
    capital = all(n[:1].isupper() or not n[:1].isalpha() for n in names if n) and all(names)
    counted = not names[0] and _numbers(row[0] for row in rows)
    clear = ruled or counted or _capitals(names) >= UPPER * len(names)
    return clear or (capital and gapped and len(names) >= MIN_NAMES) or _numeric(rows) > NUMERIC * len(names)


def _filled_cells(names: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Few cells are empty; of two columns the second is no prose."""
    filled = sum(bool(c) for row in rows for c in row) / max(1, sum(map(len, rows)))
    if filled < FILLED or sum(bool(row[0]) for row in rows) / len(rows) < FIRST_FILLED:
        return False
    words = sum(len(row[-1].split()) for row in rows) / len(rows)
    return len(names) > PAIR or (words <= PAIR_WORDS and len(rows) >= PAIR_ROWS)


def _try_words(body: Sequence[str]) -> Layout | None:
    """Columns of single words, each overlapping its title in nearly all lines: what a wide cell shifts stays right."""
    names = body[0].split()
    many = len(names)
    if not MIN_WORDS <= many <= COLUMNS or len(body) < MIN_WORD_ROWS:
        return None
    upper = sum(n.upper() == n and n.lower() != n for n in names) >= UPPER * many
    plain = False
    if not upper:
        cells = [line.split() for line in body[1:]]
        even = {len(row) for row in cells} == {many}
        plain = even and _numeric(cells) > NUMERIC * many  # then a wide number may shift all that follow
        if not plain and not (even and sum(n[0].isupper() for n in names) > CAPITALIZED * many):
            return None
    if any(map(_NUMBER.match, names)):
        return None
    titles = [m.span() for m in _WORD.finditer(body[0])]
    full = fits = 0
    for line in body[1:]:
        spans = [m.span() for m in _WORD.finditer(line[:WIDE_LINE])][:many]
        full += len(spans) == many
        under = sum(a < end and start < b for (a, b), (start, end) in zip(spans, titles, strict=False))
        fits += under >= many - 1 - many // ONE_ASIDE
    rows = len(body) - 1
    if full < WHOLE_ROWS * rows or (fits < UNDER * rows and not plain):
        return None
    score = SURE if plain or upper else WORDED
    return Layout("aligned columns", score, f"{many} columns of words under {' '.join(names[:4])}", names, words=many)


def _numeric(rows: Sequence[Sequence[str]]) -> int:
    """How many columns hold numbers alone."""
    columns = zip_longest(*rows, fillvalue="")
    return sum(any(column) and all(map(_NUMBER.match, filter(None, column))) for column in columns)


# -- choice -----------------------------------------------------------------------------------------------------


def detect(lines: Sequence[str]) -> Layout | None:
    """The layout of the lines (a sample's), or None when they are no table."""
    some = [uncoloured(line) for line in lines[:LOOK]]
    if len([*filter(str.strip, some)]) <= 1:
        return None
    if (layout := known(some)) is not None:
        return layout
    before = next((i for i, line in enumerate(some) if line.strip()), 0)
    while before + 1 < len(some) and _is_comment(some[before], some[before + 1]):
        before += 1
    if len(some) - before <= 1:
        return None
    layout = _commented(some, before) or _detect(some[before:])
    title = some[before]
    if layout is None and "  " not in title.strip() and len(title) < WIDE_TITLE and title[:1] not in ("#", ">"):
        filled = (at for at in range(before + 1, len(some) - 2) if some[at].strip())
        for further in islice(filled, _TITLES):  # a title above an aligned table
            titles = some[before:further]
            layout = _aligned(["" if line in titles else line for line in some[further:]])
            if layout is not None and layout.score >= NAMED:
                before = further
                layout.score -= TITLED
                break
            layout = None
    if layout is not None:
        layout.before += before
        layout.titles = [title for line in some[: layout.before] if not is_rule(line) and (title := line.strip(EDGES))]
        layout.skip += before
        layout.end += before if layout.end else 0
    return layout


_FIELDS = regex(r"# ?[Ff]ields: *+(.+)", holds="# ")


def _commented(some: list[str], before: int) -> Layout | None:
    """Rows between comments, which may name their columns (``# Fields: query acc.ver, …`` of BLAST)."""
    comments = [line for line in some[:before] if line.startswith("#")]
    rows = [line for line in some[before:] if line.strip()]
    delimiter = next((d for d in DELIMITERS if d in rows[0]), "") if comments and rows else ""
    if not delimiter or delimiter == "|":
        return None
    aside = re.compile(rf"#(?: ?[A-Za-z]+(?=:))?(?=[^{delimiter}]*$)")
    layout = by_delimiter([line for line in rows if not aside.match(line)], delimiter)
    if layout is not None:
        layout.aside = aside
        names = next((match[1].split(", ") for line in reversed(comments) if (match := _FIELDS.match(line))), [])
        if not layout.header and len(names) == len(layout.names):
            layout.names = names
    return layout


def _is_comment(line: str, following: str) -> bool:
    """A line above a table: of VCF (``##``) or SAM (``@HD``), or one with ``#`` without the cells of the next one."""
    if not line.startswith("#"):
        return line[:1] == "@" and line[3:4] == "\t" and line[1:3].isupper() and line[6:7] == ":"
    return line.startswith("##") or all(line.count(d) != following.count(d) or d not in line for d in DELIMITERS)


def _aligned(lines: Sequence[str]) -> Layout | None:
    """Of the lines up to a blank one, when what follows is laid out otherwise: a legend, a summary."""
    if not 1 < len(lines[0].split()) <= COLUMNS:
        return None
    layout = _columns(lines)
    blank = next((i for i, line in enumerate(lines) if i > _ROWS_BEFORE and not line.strip()), 0)
    if not blank or sum(bool(line.strip()) for line in lines[blank:]) > max(_LEGEND, blank // _LEGEND_OF):
        return layout
    part = _columns(lines[:blank])
    if part is None or (layout is not None and layout.names == part.names and layout.starts == part.starts):
        return layout
    part.end = blank
    return part


def _columns(lines: Sequence[str]) -> Layout | None:
    if "\t" in lines[0] and len({line.count("\t") for line in lines if line.strip()}) == 1:
        return None  # separated by tabs, whatever their widths look like
    filled = [*islice(filter(str.strip, lines), LOOK_ALIGNED)]
    if _parted(lines) or len(filled[0]) > WIDE_LINE:
        return None
    head, *below = [line.expandtabs(TAB) for line in filled]
    body = [head, *(line for line in below if line != head)]  # without the header again
    by_gutter, by_word = _try_aligned(body), _try_words(body)
    if by_word is not None and (by_gutter is None or (by_word.words > len(by_gutter.starts) and by_word.score >= SURE)):
        return by_word
    return by_gutter


def _parted(lines: Sequence[str]) -> bool:
    """Whether a title stands above words of the header again: another table."""
    head = {*lines[0].split()}
    filled = (line for line in lines[1:] if line.strip() and not is_rule(line))
    return any(
        "  " not in title.strip() and len(again.split()) > 1 and head.issuperset(again.split())
        for title, again in pairwise(filled)
    )


def _detect(some: list[str]) -> Layout | None:
    bars = _try_bars(some)
    if some[0].lstrip()[:1] in "{[<" and not is_rule(some[0]):
        return bars if bars and bars.bars and bars.bars.crossed else None
    layouts = [bars, *(by_delimiter(some, d) for d in DELIMITERS)]
    if not any(layout and layout.score > SURE for layout in layouts):
        layouts.append(_aligned(some))
    return max(filter(None, layouts), key=lambda layout: layout.score, default=None)


# -- blanks, counted --------------------------------------------------------------------------------------------

_BLANKS = regex(r" {3,}|~")


def squeeze(text: str) -> str:
    """Runs of three and more blanks as ``~N~`` (a tilde itself as ``~~``): reversible."""
    return _BLANKS.sub(lambda m: "~~" if m[0] == "~" else f"~{len(m[0])}~", text)
