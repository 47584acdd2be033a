"""How a table is laid out: delimited, aligned, Markdown or boxed.

Own rules instead of ``csv.Sniffer``, which finds the delimiter ``i`` in prose: a delimiter must give the same
number of fields over (nearly) all lines, quotes respected; aligned columns are gutters blank in all lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice, zip_longest

from mcpcompact.content.columns.quantities import read
from mcpcompact.content.table.rows import RULE, Layout, bars, cut
from mcpcompact.patterns import regex

DELIMITERS = (",", "\t", ";", "|")
_LEGEND = 10  # lines below a table that are its legend; more are something of their own
_ROWS_BEFORE = 3  # lines above a blank one that make a table of their own
_STAMP = regex(
    r"\d{8}-\d\d?:\d\d?:\d\d?|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d"
)
_HIT = regex(r"[^\s:|]+[./][^\s:|]*:\d+:")


def row_end(text: str, start: int, end: int) -> int:
    """The end of the row at ``start``, whose first line ends at ``end``; its quotes are even within 200 lines."""
    quotes = text.count('"', start, end)
    last = end
    for _ in range(200):
        if quotes % 2 == 0 or last >= len(text):
            return last if quotes % 2 == 0 else end
        following = text.find("\n", last) + 1 or len(text)
        quotes += text.count('"', last, following)
        last = following
    return end


def split_row(line: str, delimiter: str) -> list[str] | None:
    """The fields of one line, None when a quote stays open."""
    if '"' not in line:
        return line.split(delimiter)
    if line.count('"') % 2:
        return None
    import csv

    try:
        return next(csv.reader([line], delimiter=delimiter))
    except (csv.Error, StopIteration):
        return None


def _try_delimiter(lines: Sequence[str], delimiter: str) -> Layout | None:
    if delimiter not in lines[0] or (delimiter == "|" and _is_rule(lines[1])):
        return None
    fields: list[list[str]] = []
    inside = 0
    open_quote = False
    for line in lines:
        if line.count('"') % 2:  # a quoted line break begins or ends here
            open_quote = not open_quote
            inside += 1
            continue
        if open_quote:
            inside += 1
            continue
        if line:
            cells = split_row(line, delimiter)
            if cells is not None:
                fields.append(cells)
    if inside > 0.3 * len(lines):  # nearly every row has a quoted line break
        fields = _quoted_rows(lines, delimiter)
    if len(fields) < 2:
        return None
    widths = Counter(map(len, fields))
    width, agreed = max(widths.items(), key=lambda item: (item[1], item[0]))
    if width < 2:
        return None
    share = agreed / len(fields)
    if len(fields[0]) != width and share < 0.98:
        return None
    if share < 0.9 and not (agreed >= 5 and share >= 0.8):
        return None
    if _prosaic(fields, delimiter):
        return None
    header = _is_header(fields)
    if len(fields) < 3 and (not header or width < 3):
        return None
    names = fields[0] if header else [f"column {i}" for i in range(1, width + 1)]
    if len(names) < width:
        names = names + [f"column {i}" for i in range(len(names) + 1, width + 1)]
    score = 0.55 + 0.25 * share + (0.1 if header else 0) + min(0.06, 0.01 * width) + (0.03 if len(fields) >= 10 else 0)
    if not header:
        score -= 0.1 if width > 2 and _typed(fields) else 0.3
    if width == 2:
        score -= 0.15 if delimiter in ",|;" and not _typed(fields) else 0
    if delimiter == "|" and share == 1 and width > 2 and len(fields) >= 10 and not header and _typed(fields):
        score = 0.94  # more than a numbered view of code, whose lines have bars here and there
    label = {",": "CSV", "\t": "TSV", ";": "semicolon-separated", "|": "pipe-separated"}[delimiter]
    said = f"{share:.0%} of the lines have {width} fields by {delimiter!r}"
    return Layout(label, min(score, 0.97), said, names, delimiter, skip=int(header), header=header)


def _quoted_rows(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """The rows of a sample by ``csv``, without the last one, which may be cut; none where a quote never closes."""
    import csv

    try:
        rows = [row for row in csv.reader((f"{line}\n" for line in lines), delimiter=delimiter) if row]
    except csv.Error:
        return []
    longest = max((len(cell) for row in rows for cell in row), default=0)
    return rows[:-1] if longest <= 5_000 else []


def _prosaic(fields: Sequence[Sequence[str]], delimiter: str) -> bool:
    """Prose, logs and search hits: fields are clauses behind a comma and a blank, or lines begin with a time stamp."""
    cells = [c for row in fields[:200] for c in row]
    rows = fields[:200]
    words = sum(len(c.split()) for c in cells) / max(1, len(cells))
    if delimiter == ",":
        blank = sum(c.startswith(" ") for row in rows for c in row[1:]) / max(1, sum(len(r) - 1 for r in rows))
        if blank > 0.8 and words > 2.5:
            return True
        ends = sum(row[-1].rstrip().endswith((".", "!", "?")) and " " in row[-1].strip() for row in rows)
        if blank > 0.8 and ends > 0.5 * len(rows):
            return True
        if blank > 0.8 and not _typed(fields) and max(map(len, rows)) == 2:
            return True
        if words > 6 and not _typed(fields):
            return True
    first = [row[0] for row in rows]
    if delimiter in ",|;" and sum(bool(_STAMP.match(c.strip())) and len(c.split()) > 2 for c in first[1:]) > 0.5 * len(
        first
    ):
        return True
    stamped = sum(bool(_STAMP.match(c.strip())) for c in first)
    if stamped > 0.8 * len(first) and sum(len(r[1].split()) for r in rows if len(r) > 1) > 2 * len(rows):
        return True  # 2015-07-29 17:41:44,747 - INFO …
    if delimiter == "|":
        if sum(bool(_STAMP.match(c.strip())) for c in first) > 0.8 * len(first):  # a log with bars has no header
            return True
        if sum(row[0].strip() == "" and row[-1].strip() == "" for row in rows) > 0.5 * len(rows):
            return True  # Markdown or psql
    if sum(_opens(c) for c in first) > 0.5 * len(first):  # within brackets: f(a, b), m{a="1",b="2"}
        return True
    if sum(bool(_HIT.match(c)) for c in first) > 0.5 * len(first):
        return True
    if delimiter == ";" and sum(len(row) == 2 and not row[1].strip() for row in rows) > 0.5 * len(rows):
        return True  # statements
    code = sum(
        c.rstrip().endswith(("{", "}", "(", ");")) or c.lstrip().startswith(("}", "//", "#include", '"'))
        for row in rows
        for c in (row[0], row[-1])
    )
    return code > 0.3 * len(rows) and not _typed(fields)


def _opens(cell: str) -> bool:
    return any(cell.count(a) > cell.count(b) for a, b in ("{}", "()", "[]"))


def _typed(fields: Sequence[Sequence[str]]) -> bool:
    """At least one column is a number or date in nearly every row below the first."""
    width = max(Counter(map(len, fields)).items(), key=lambda item: item[1])[0]
    body = [row for row in fields[1:200] if len(row) == width]
    for column in zip(*body, strict=True):
        filled = [c for c in column if c.strip()]
        if len(filled) >= 2 and sum(
            bool(re.match(r"\s*[-+$€]?[\d.,:/-]*\d[\d.,:/TZ-]*\s?[%\w]{0,3}\s*$", c)) for c in filled
        ) > 0.9 * len(filled):
            return True
    return False


def _is_header(fields: Sequence[Sequence[str]]) -> bool:
    """The first row names columns: short, distinct, no numbers, and not seen again below."""
    head = [c.strip() for c in fields[0]]
    if not all(len(c) <= 60 for c in head) or len({c for c in head if c}) < len([c for c in head if c]):
        return False
    if any(re.fullmatch(r"[-+]?[\d.,:/%-]+", c) for c in head if c):
        years = [c for c in head if re.fullmatch(r"(?:19|20)\d\d(?:[-/]\d\d?)*", c)]
        if len(years) < len([c for c in head if re.fullmatch(r"[-+]?[\d.,:/%-]+", c)]) or len(years) == len(head):
            return False
    if sum(not c for c in head) > len(head) // 2:
        return False
    for i, c in enumerate(head):  # digits above digits: 100644 blob 3f9c… is a row like those below
        below = [row[i] for row in fields[1:30] if i < len(row) and row[i]]
        if (
            sum(x.isdigit() for x in c) >= 4
            and below
            and sum(any(x.isdigit() for x in v) for v in below) > 0.8 * len(below)
        ):
            return False
        if _has_unit(c) and below and sum(map(_has_unit, below)) > 0.8 * len(below):  # 4.0K above 42.9M, as du has it
            return False
    same = sum(any(i < len(row) and row[i].strip() == c for row in fields[1:30]) for i, c in enumerate(head) if c)
    return same <= len(head) // 3


def _has_unit(cell: str) -> bool:
    """``42.9M``, ``$3``, ``12 %``: a number that a header would not be."""
    found = read(cell)
    return found is not None and bool(found[1])


_NUMBER = regex(r"\s*[-+]?(?:\d[\d,_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*%?$")


def single(lines: Sequence[str], on_request: bool = False) -> Layout | None:
    """A column of its own: of numbers, else only on request. Its first line is the header when it looks like a name."""
    if not on_request and not any(map(_NUMBER.match, lines[1:3])):
        return None
    filled = [line for line in lines if line.strip()]
    if len(filled) < 2:
        return None
    header = (
        _is_header([[line] for line in filled])
        and re.fullmatch(r"[A-Za-z_][\w .-]{0,40}", filled[0].strip()) is not None
    )
    rows = filled[header:]
    sure = len(rows) >= 10 and all(map(_NUMBER.match, rows))
    kind = "a column of numbers" if sure else "one column"
    layout = Layout(kind, 0.95 * sure, "every line is a number", [filled[0].strip() if header else "value"], words=1)
    layout.by, layout.header = "\n", header
    layout.skip = lines.index(filled[0]) + 1 if header else 0
    return layout


def forced(lines: Sequence[str], whole: bool = True) -> Layout | None:
    """The layout of lines that are said to be a table: the best there is, down to one column."""
    layout = detect(lines, whole)
    if layout is not None:
        return layout
    first = next(filter(str.strip, lines), "")
    delimiter = max(DELIMITERS, key=first.count)
    if delimiter not in first:
        return single(lines, on_request=True)
    some = list(lines[:1_000])
    fields = _quoted_rows([*some, delimiter], delimiter) or [first.split(delimiter)]
    width = max(map(len, fields))
    header = len(fields) > 1 and _is_header(fields)
    names = fields[0] if header else []
    names = names + [f"column {i}" for i in range(len(names) + 1, width + 1)]
    kind = f"separated by {delimiter!r}"
    return Layout(kind, 0.0, "asked for", names, delimiter, skip=int(header), header=header)


# -- bars: Markdown, psql, boxes --------------------------------------------------------------------------------


def _is_rule(line: str) -> bool:
    return bool(RULE.match(line)) and len(line.strip()) >= 3 and any(c in line for c in "-=─━═")


def _try_bars(lines: Sequence[str]) -> Layout | None:
    rules = [i for i, line in enumerate(lines) if _is_rule(line)]
    if not rules:
        return None
    barred = [i for i, line in enumerate(lines) if ("|" in line or "│" in line or "║" in line) and not _is_rule(line)]
    if len(barred) < 3:
        return None
    filled = sum(bool(line.strip()) for line in lines)
    share = (len(barred) + len(rules)) / max(1, filled)
    first = barred[0]
    names = bars(lines[first])
    if len(names) < 1 or not any(first < r <= first + 2 for r in rules):
        return None
    agreed = sum(len(bars(lines[i])) == len(names) for i in barred)
    if agreed < 0.7 * len(barred) or share < 0.6:
        return None
    skip = next(r for r in rules if r > first) + 1
    markdown = bool(re.match(r"\s*\|?\s*:?-+", lines[skip - 1])) and "+" not in lines[skip - 1]
    kind = "Markdown table" if markdown else "text table"
    score = 0.95 if share > 0.9 else 0.5 + 0.4 * share
    why = f"{share:.0%} of the lines are rows between bars"
    rule = lines[skip - 1].rstrip()
    psql = rule[:1] == "-" and "+" in rule
    joints = [m.start() - 1 for m in re.finditer(r"\+|$", rule)] if psql else []
    return Layout("psql's table" if psql else kind, score, why, names, skip=skip, joints=joints)


# -- aligned columns --------------------------------------------------------------------------------------------


def _try_aligned(lines: Sequence[str], whole: bool) -> Layout | None:
    head = _head(lines)
    loose = [(m.start(), m[0]) for m in re.finditer(r"\S+", head)]
    if len(loose) < 2 or len(loose) > 40:
        return None
    body = _below(lines, head)
    if len(body) < 3 or max(map(len, body)) > 2_000:
        return None
    ruled = set(body[1]) <= {"-", " ", "="} and "-" in body[1].replace("=", "-")
    some = body[2:400] if ruled else body[1:400]
    wide = sum("  " in line.strip() for line in [head, *some]) / (len(some) + 1)
    if wide < 0.5:
        return None
    blank = ["".join(column).isspace() for column in zip_longest(head, *some, fillvalue=" ")]
    gutters = [i for i in range(1, len(head)) if blank[i] and not (i + 1 < len(blank) and blank[i + 1])]
    starts = [0] + [g + 1 for g in gutters if any(not b for b in blank[:g])]
    starts = _merge(starts, [head, *some], loose)
    if len(starts) < 2:
        return None
    names = cut(head, starts)
    upper = sum(n.upper() == n and any(c.isalpha() for c in n) for n in names if n)
    capital = sum(n[:1].isupper() or not n[:1].isalpha() for n in names if n)
    full = [cut(line, starts) for line in some]
    filled = sum(bool(c) for row in full for c in row) / max(1, sum(map(len, full)))
    first = sum(bool(row[0]) for row in full) / len(full)
    if not all(names[1:]) and sum(map(bool, names)) < len(names) - 1:
        return None
    words = sum(len(row[-1].split()) for row in full) / len(full)
    named = ruled or upper >= 0.7 * len(names) or (capital == len(names) and len(names) >= 3 and wide > 0.6)
    named = (named or _numeric(full) > 0.6 * len(names)) and not any(map(_NUMBER.match, names))
    if not named or filled < 0.6 or any(_STAMP.match(n) for n in names) or first < 0.3:
        return None
    if len(names) == 2 and (words > 3 or len(some) < 3):
        return None
    score = 0.9 if upper == len([n for n in names if n]) else 0.8
    why = f"{len(names)} columns under {' '.join(names[:4])}"
    return Layout("aligned columns", score, why, names, starts=starts, skip=1 + ruled)


def _below(lines: Sequence[str], head: str) -> list[str]:
    """The header and the lines that are not the header again, without tabs."""
    filled = (line.expandtabs(8) for line in islice(filter(str.strip, lines), 400))
    return [head, *(line for line in filled if line != head)]


def _head(lines: Sequence[str]) -> str:
    """The first line that is not blank, without tabs; empty where it is too long for a header."""
    head = next(filter(str.strip, lines), "")
    return head.expandtabs(8) if len(head) <= 2_000 else ""


def _try_words(lines: Sequence[str]) -> Layout | None:
    """Columns of single words, each overlapping its title in nearly all lines: what a wide cell shifts stays right."""
    head = _head(lines)
    names = head.split()
    many, plain = len(names), False
    if not 4 <= many <= 40 or any(map(_NUMBER.match, names)):
        return None
    titles = [m.span() for m in re.finditer(r"\S+", head)]
    body = _below(lines, head)
    if len(body) < 6:
        return None
    upper = sum(n.upper() == n and n.lower() != n for n in names) >= 0.7 * many
    if not upper:
        cells = [line.split() for line in body[1:]]
        even = {len(row) for row in cells} == {many}
        plain = even and _numeric(cells) > 0.6 * many  # then a wide number may shift all that follow
        if not plain and not (even and sum(n[0].isupper() for n in names) > 0.7 * many):
            return None
    full = fits = 0
    for line in body[1:]:
        spans = [m.span() for m in re.finditer(r"\S+", line[:2_000])][:many]
        full += len(spans) == many
        under = sum(a < end and start < b for (a, b), (start, end) in zip(spans, titles, strict=False))
        fits += under >= many - 1 - many // 6
    rows = len(body) - 1
    if full < 0.99 * rows or (fits < 0.9 * rows and not plain):
        return None
    score = 0.9 if plain or upper else 0.85
    return Layout("aligned columns", score, f"{many} columns of words under {' '.join(names[:4])}", names, words=many)


def _numeric(rows: Sequence[Sequence[str]]) -> int:
    """How many columns hold numbers alone."""
    return sum(
        all(_NUMBER.match(cell) for cell in column if cell) and any(column)
        for column in zip_longest(*rows, fillvalue="")
    )


def _merge(starts: Sequence[int], lines: Sequence[str], titles: Sequence[tuple[int, str]]) -> list[int]:
    """Keep a start only when a title stands in its column; else the column belongs to its left neighbour."""
    out: list[int] = []
    for i, start in enumerate(starts):
        end = starts[i + 1] if i + 1 < len(starts) else 1 << 30
        if any(start <= at < end or (at < start < at + len(word)) for at, word in titles):
            out.append(start)
    if out:
        out[0] = 0
    return out


# -- choice -----------------------------------------------------------------------------------------------------


def detect(lines: Sequence[str], whole: bool = True) -> Layout | None:
    """The layout of the lines (a sample's), or None when they are no table."""
    from mcpcompact.content.table.formats import known

    some = list(lines[:1_000])
    if sum(bool(line.strip()) for line in some) < 2:
        return None
    if (layout := known(some)) is not None:
        return layout
    before = next((i for i, line in enumerate(some) if line.strip()), 0)
    while before + 1 < len(some) and _is_comment(some[before], some[before + 1]):
        before += 1
    if len(some) - before < 2:
        return None
    layout = _detect(some[before:], whole)
    title = some[before]
    if layout is None and "  " not in title.strip() and len(title) < 200 and title[:1] not in ("#", ">"):
        for further in _filled(some, before + 1, 2):  # a title above an aligned table
            titles = some[before:further]
            layout = _aligned(["" if line in titles else line for line in some[further:]], whole)
            if layout is not None and layout.score >= 0.8:
                before = further
                layout.score -= 0.05
                break
            layout = None
    if layout is not None:
        layout.before = before
        layout.skip += before
        layout.end += before if layout.end else 0
    return layout


def _filled(lines: Sequence[str], first: int, many: int) -> list[int]:
    """Where the next lines stand that are not blank."""
    return list(islice((at for at in range(first, len(lines) - 2) if lines[at].strip()), many))


def _is_comment(line: str, following: str) -> bool:
    """A line above a table: of VCF (``##``) or SAM (``@HD``), or one with ``#`` without the cells of the next one."""
    if not line.startswith("#"):
        return line[:1] == "@" and line[3:4] == "\t" and line[1:3].isupper() and line[6:7] == ":"
    return line.startswith("##") or all(line.count(d) != following.count(d) or d not in line for d in DELIMITERS)


def _aligned(lines: Sequence[str], whole: bool) -> Layout | None:
    """Of the lines up to a blank one, when what follows is laid out otherwise: a legend, a summary."""
    if not 2 <= len(lines[0].split()) <= 40:
        return None
    layout = _columns(lines, whole)
    blank = next((i for i, line in enumerate(lines) if i > _ROWS_BEFORE and not line.strip()), 0)
    if not blank or sum(bool(line.strip()) for line in lines[blank:]) > max(_LEGEND, blank // 10):
        return layout
    part = _columns(lines[:blank], whole)
    if part is None or (layout is not None and layout.names == part.names and layout.starts == part.starts):
        return layout
    part.end = blank
    return part


def _columns(lines: Sequence[str], whole: bool) -> Layout | None:
    if "\t" in lines[0] and len({line.count("\t") for line in lines if line.strip()}) == 1:
        return None  # separated by tabs, whatever their widths look like
    by_gutter, by_word = _try_aligned(lines, whole), _try_words(lines)
    if by_word is not None and (by_gutter is None or (by_word.words > len(by_gutter.starts) and by_word.score >= 0.9)):
        return by_word
    return by_gutter


def _detect(some: list[str], whole: bool) -> Layout | None:
    if some[0].lstrip()[:1] in "{[<" and not _is_rule(some[0]):
        return None
    found = [_try_bars(some), *(_try_delimiter(some, d) for d in DELIMITERS)]
    good = [layout for layout in found if layout is not None]
    aligned = None if any(layout.score > 0.9 for layout in good) else _aligned(some, whole)
    if aligned is not None:
        good.append(aligned)
    return max(good, key=lambda layout: layout.score, default=None)


# -- blanks, counted --------------------------------------------------------------------------------------------

_BLANKS = regex(r" {3,}|~")


def squeeze(text: str) -> str:
    """Runs of three and more blanks as ``~N~`` (a tilde itself as ``~~``): reversible, see ``unsqueeze``."""
    return _BLANKS.sub(lambda m: "~~" if m[0] == "~" else f"~{len(m[0])}~", text)


def unsqueeze(text: str) -> str:
    return re.sub(r"~(\d*)~", lambda m: " " * int(m[1]) if m[1] else "~", text)
