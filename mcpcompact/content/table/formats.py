"""Tables whose columns a specification or a tool names, although their lines do not.

VCF 4.x (samtools/hts-specs, VCFv4.4 §1.4 to 1.6), SAM (hts-specs, SAMv1 §1.3 to 1.5), GFF3 (Sequence Ontology 1.26),
GTF (GFF 2, Ensembl) and BED (hts-specs, BEDv1). All four are separated by tabs; blanks occur, and are read too. Then
logs that name their fields (W3C, Zeek), ``dpkg -l``, ``apt list``, ``sar``, lcov's tracefile, and the records that psql
(expanded), mysql (vertical), sqlite (``.mode line``) and Debian's tools (paragraphs) write a column a line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from mcpcompact.content.table.drawn import COUNTED, Other
from mcpcompact.content.table.rows import Layout, cut
from mcpcompact.patterns import regex

_LINES = 3  # head, ruler and a row
_COLUMNS = 200  # at most
LOOK = 1_000  # lines that tell the layout

_VCF = ["CHROM", "POS", "ID", "REF", "ALT", "QUAL", "FILTER", "INFO", "FORMAT"]
_SAM = ["QNAME", "FLAG", "RNAME", "POS", "MAPQ", "CIGAR", "RNEXT", "PNEXT", "TLEN", "SEQ", "QUAL"]
_GFF = ["seqid", "source", "type", "start", "end", "score", "strand", "phase", "attributes"]
_GTF = ["seqname", "source", "feature", "start", "end", "score", "strand", "frame", "attribute"]
_BED = [
    "chrom", "chromStart", "chromEnd", "name", "score", "strand", "thickStart", "thickEnd", "itemRgb", "blockCount",
    "blockSizes", "blockStarts",
]  # fmt: skip

_S = r"(?:\t| ++)"
_VCF_ROW = regex(
    rf"[^\s#]\S*+{_S}\d++{_S}\S++{_S}[ACGTNacgtn]+{_S}(?:[ACGTNacgtn*.,]+|<\S+>|\S*[\[\]]\S*){_S}"
    rf"(?:\.|\d[\d.eE+-]*){_S}\S++{_S}\S+"
)
_SAM_ROW = regex(
    rf"[^\s@]\S*+{_S}\d{{1,5}}{_S}\S++{_S}\d++{_S}\d{{1,3}}{_S}(?:\*|(?:\d+[MIDNSHPX=])+){_S}\S++{_S}\d++{_S}-?\d++{_S}"
    rf"(?:\*|[A-Za-z=.]+){_S}[!-~]+"
)
_GFF_ROW = regex(
    rf"[^\s#>]\S*+{_S}[^\t ]++{_S}\S++{_S}\d++{_S}\d++{_S}(?:\.|-?\d[\d.eE+-]*){_S}[-+.?]{_S}[012.](?:{_S}.*)?$"
)
_BED_ROW = regex(rf"(?:chr|contig|scaffold|ctg)\w*{_S}\d++{_S}\d+(?:{_S}\S++{_S}[\d.]+{_S}[-+.](?:{_S}.*)?)?$")
_BED_ANY = regex(rf"\S++{_S}\d++{_S}\d+(?:{_S}.*)?$")
_ATTRIBUTES = regex(r'[\w.]+ "')

_VCF_ASIDE = regex(r"##\w*", holds="#")
_SAM_ASIDE = regex(r"@[A-Z][A-Z](?=\s)", holds="@")
_HASH_ASIDE = regex(r"##FASTA|##[\w-]+|#!?", holds="#")
_BED_ASIDE = regex(r"#|track\b|browser\b", holds=("#", "track", "browser"))
_FEW = 3  # rows that must fit, or all there are


def known(lines: Sequence[str]) -> Layout | None:
    """The layout of a known format, its lines from the first of the input on."""
    finders = (_vcf, _sam, _gff, _bed, _declared, _dpkg, _apt, _sar, _one_column, _lcov, _expanded)
    return next((layout for find in finders if (layout := find(lines)) is not None), None)


def _body(
    lines: Sequence[str], aside: re.Pattern[str], row: re.Pattern[str], *numbers: int
) -> tuple[int, list[str]] | None:
    """Where the rows begin and those looked at, when nearly all fit. ``numbers``: columns of integers, asked first."""
    some: list[str] = []
    first = -1

    def fits(line: str) -> bool:
        cells = line.split(None, max(numbers) + 1)
        return len(cells) > max(numbers) and all(cells[n].isdecimal() for n in numbers) and bool(row.match(line))

    for at, line in enumerate(lines):
        if not line.strip() or aside.match(line):
            if line.startswith("##FASTA"):
                break
            continue
        first = at if first < 0 else first
        some.append(line)
        if len(some) == _FEW and not any(map(fits, some)):
            return None
    fit = sum(map(fits, some))
    return (first, some) if some and fit >= min(_FEW, len(some)) and fit >= 0.9 * len(some) else None


def _table(kind: str, names: Sequence[str], some: Sequence[str], skip: int, header: bool = False, **own: Any) -> Layout:
    tabs = sum("\t" in line for line in some) > len(some) // 2
    why, by = f"{len(some)} of the first lines are rows of {kind}", "\t" if tabs else None
    return Layout(kind, 0.98, why, list(names), words=len(names), by=by, skip=skip, header=header, **own)


def _cells(lines: Sequence[str]) -> list[list[str]]:
    return [line.split("\t") if "\t" in line else line.split() for line in lines]


def _vcf(lines: Sequence[str]) -> Layout | None:
    if lines[0].startswith("##fileformat=VCF") or any(line.startswith("#CHROM") for line in lines[:200]):
        at = next((i for i, line in enumerate(lines) if line.startswith("#CHROM")), -1)
        if at < 0:  # a header beyond what was looked at
            return _long_header("VCF", [*_VCF[:-1], "FORMAT and samples"], regex(r"##\w*|#CHROM"))
        (names,), body = _cells([lines[at].lstrip("#")]), [line for line in lines[at + 1 :] if line.strip()]
        version = re.search(r"VCFv([\d.]+)", lines[0])
        kind = f"VCF {version[1]}" if version else "VCF"
        if not body or names[1:4] != _VCF[1:4]:
            return None
        return _table(kind, names, body, at + 1, aside=_VCF_ASIDE, header=True, samples=max(0, len(names) - len(_VCF)))
    if (part := _body(lines, _VCF_ASIDE, _VCF_ROW, 1)) is None:
        return None
    skip, some = part
    width = max(map(len, _cells(some)))
    names = (_VCF + [f"sample {i}" for i in range(1, width)])[:width]
    samples = max(0, width - len(_VCF))
    return _table("VCF without its header", names, some, skip, aside=_VCF_ASIDE, samples=samples)


def _sam(lines: Sequence[str]) -> Layout | None:
    if lines[0].startswith(("@HD\t", "@SQ\t")) and all(map(_SAM_ASIDE.match, filter(str.strip, lines))):
        return _long_header("SAM", [*_SAM, "tags"], _SAM_ASIDE)
    if (part := _body(lines, _SAM_ASIDE, _SAM_ROW, 1, 3, 4)) is None:
        return None
    skip, some = part
    tags = max(map(len, _cells(some))) > len(_SAM)
    return _table("SAM", [*_SAM, "tags"] if tags else _SAM, some, skip, aside=_SAM_ASIDE, optional=tags)


def _long_header(kind: str, names: list[str], aside: re.Pattern[str]) -> Layout:
    why, words = f"a header of {kind}", len(names)
    return Layout(kind, 0.98, why, names, words=words, by="\t", skip=0, header=False, aside=aside, optional=True)


def _gff(lines: Sequence[str]) -> Layout | None:
    if (part := _body(lines, _HASH_ASIDE, _GFF_ROW, 3, 4)) is None:
        return None
    skip, some = part
    gtf = sum(bool(_ATTRIBUTES.search(line)) for line in some) > len(some) // 2
    return _table("GTF" if gtf else "GFF", _GTF if gtf else _GFF, some, skip, aside=_HASH_ASIDE)


def _bed(lines: Sequence[str]) -> Layout | None:
    tracked = any(line.startswith(("track ", "browser ")) for line in lines[:20])
    if (part := _body(lines, _BED_ASIDE, _BED_ANY if tracked else _BED_ROW, 1, 2)) is None:
        return None
    skip, some = part
    rows = _cells(some)
    whole = [row for row in rows if all(map(str.isdecimal, (*row, "")[1:3]))]
    if any(int(row[2]) < int(row[1]) for row in whole):
        return None  # a position and a figure of it
    graph, width = any("type=bedGraph" in line for line in lines[:20]), max(map(len, rows))
    names = ["chrom", "chromStart", "chromEnd", "dataValue"] if graph else _BED[: _named_of_bed(whole)]
    kind = "bedGraph" if graph else f"BED{len(names)}+{width - len(names)}" if width > len(names) else "BED"
    names = (names + [""] * width)[:width]
    return _table(kind, names, some, skip, aside=_BED_ASIDE)


_DECLARED = regex(r"#\s?[Ff]ields:?[ \t]+(\S.*)", holds="ields")
_DIRECTIVES, _DIRECTIVE = 20, regex(r"#\w*", holds="#")


def _declared(lines: Sequence[str]) -> Layout | None:
    """A log of which a directive names the fields (W3C's extended format, Zeek's)."""
    directives = enumerate(map(_DECLARED.match, lines[:_DIRECTIVES]))
    at, fields = next(((i, match[1]) for i, match in directives if match), (0, ""))
    names, rows = fields.split(), [line for line in lines[at + 1 :] if line.strip() and not line.startswith("#")]
    if len(names) < _FEW or not rows:
        return None
    layout = _table("log with named fields", names, rows, at + 1, aside=_DIRECTIVE)
    return layout if sum(len(line.split(layout.by)) == len(names) for line in rows) >= 0.9 * len(rows) else None


_ANY, _COUNT, _LIST = regex(r".*"), regex(r"\d+"), regex(r"(?:\d+,?)+")
_RGB = regex(r"[.0]|\d{1,3}(?:,\d{1,3}){2}")
_BED_CELLS = (*[_ANY] * 5, regex("[-+.]"), _COUNT, _COUNT, _RGB, _COUNT, _LIST, _LIST)
_THICK = slice(6, 8)


def _named_of_bed(rows: Sequence[Sequence[str]]) -> int:
    """How many columns are BED's by their values; those behind them are of the tool that wrote them."""
    fits = (all(cell.fullmatch(row[at]) for row in rows if at < len(row)) for at, cell in enumerate(_BED_CELLS))
    named = next((at for at, fit in enumerate(fits) if not fit), len(_BED))
    places = ((row, int(at)) for row in rows for at in row[_THICK][: max(0, named - _THICK.start)])
    return named if all(int(row[1]) <= at <= int(row[2]) for row, at in places) else min(named, _THICK.start)


def _dpkg(lines: Sequence[str]) -> Layout | None:
    at = next((i for i, line in enumerate(lines[:8]) if line.startswith("+++-=")), 0)
    if not at:
        return None
    starts = [0, *(m.start() for m in re.finditer(r"=+", lines[at]))]
    names = ["Status", *cut(lines[at - 1], starts)[1:]]
    return Layout("dpkg's list", 0.95, "the heading of dpkg -l", names, starts=starts, skip=at + 1)


_APT = regex(r"([^\s/]+)/(\S+) (\S+) (\w+)(?: \[(.*)\])?$", holds="/")


def _apt(lines: Sequence[str]) -> Layout | None:
    first = int(lines[0].startswith("Listing..."))
    if not any(map(_APT.match, lines[first : first + _FEW])):
        return None
    some = [line for line in lines[first:] if line.strip()]
    if len(some) < _FEW or sum(map(bool, map(_APT.match, some))) < 0.95 * len(some):
        return None
    names = ["name", "suites", "version", "architecture", "flags"]
    return Layout("apt's list", 0.96, "lines of apt list", names, pattern=_APT, skip=first, header=False)


def _one_column(lines: Sequence[str]) -> Layout | None:
    """psql's table of one column has no bar."""
    if len(lines) < _LINES or lines[0][:1] != " " or not re.match(r"-{3,}$", lines[1]) or len(lines[0]) > len(lines[1]):
        return None
    if not all(line[:1] in (" ", "(", "") for line in lines[2:]):
        return None
    names = [lines[0].strip()]
    return Layout("psql's table", 0.9, "a title over a rule", names, words=1, by="\n", aside=COUNTED, skip=2)


_SAR = regex(r"\d\d:\d\d:\d\d(?: [AP]M)? +(?=[A-Za-z%])(?!all )")


def _sar(lines: Sequence[str]) -> Layout | None:
    """The first report of sar; of those that follow their columns and the mean of all their rows."""
    heads = [i for i, line in enumerate(lines) if _SAR.match(line) and not lines[i - 1].strip()]
    if not heads or heads[0] > _SAR_HEAD or not lines[0].startswith("Linux "):
        return None
    begins = [heads[0], *(at for above, at in pairwise(heads) if _titles(lines[above]) != _titles(lines[at]))]
    names, at = _titles(lines[begins[0]]), begins[0]
    clock = 2 if names[1] == "AM/PM" else 1
    again = rf"\S+(?: [AP]M)? +(?={' +'.join(map(re.escape, names[clock:]))}$)|.*RESTART"
    none = {*heads, *(i for i, line in enumerate(lines) if "RESTART" in line)}
    reports = []
    for begin, end in pairwise([*begins, len(lines)]):
        rows = [lines[i].split() for i in range(begin, end) if lines[i][:1].isdigit() and i not in none]
        means = [" ".join(line.split()) for line in lines[begin:end] if line.startswith(MEANS)]
        reports.append(Other(begin + 1, _titles(lines[begin])[clock:], len(rows), means=means))
        if begin == at and (not rows or sum(len(row) == len(names) for row in rows) < 0.95 * len(rows)):
            return None
    aside = re.compile(rf"{MEANS}.*|{again}")
    layout = Layout("sar's report", 0.97, "the heading of sar", names, words=len(names), aside=aside, skip=at + 1)
    layout.others, layout.end = reports[1:], begins[1] - 1 if begins[1:] else 0
    return layout


def _titles(line: str) -> list[str]:
    names = line.split()
    clock = 2 if names[1] in ("AM", "PM") else 1
    return [*["time", "AM/PM"][:clock], *names[clock:]]


MEANS = "Average:"  # of all rows above
_SAR_HEAD = 6  # lines above the first heading

_WORDS_AND_VALUES = regex(r"([A-Za-z][\w-]{0,40}(?: [\w-]{1,40}){0,3}(?=\s{0,40}:)|(?=[ \t]))\s*:? ?(.*)$")
_EXPANDED = (  # the line above a record, its lines
    (regex(r"-\[ RECORD \d+ \][-+]*$", holds=("-[ ",)), regex(r"([^|]{1,80}?) *\| ?(.*)$"), "psql's expanded records"),
    (
        regex(r"\*{10,} \d+\. row \*{10,}$", holds="*"),
        regex(r" *([^\s:][^:]{0,80}): ?(.*)$"),
        "mysql's vertical records",
    ),
    (regex(r"$"), regex(r" *([^\s=][^=]{0,80}?) = (.*)$", holds="="), "sqlite's line records"),
    (regex(r"$"), _WORDS_AND_VALUES, "paragraphs of names and values"),
)
_NUMBERED = regex(r"(?:-\[ RECORD |\*{10,} )(\d+)")
_EACH = 4  # lines of a paragraph, in the mean, at least


def _expanded(lines: Sequence[str]) -> Layout | None:
    """Records of a name and a value a line: of several results those of the longest one."""
    numbers = [(i, match[1]) for i, line in enumerate(lines) if (match := _NUMBERED.match(line))] or [(0, "")]
    begins = [i for i, number in numbers if number == numbers[0][1]]
    parts = list(zip(begins, [*begins[1:], len(lines)], strict=True))
    at, end = max(parts, key=lambda part: part[1] - part[0])
    layout = _records(lines[at:end]) if begins[0] == 0 else None
    if layout is None or (end < len(lines) and len(lines) >= LOOK):  # the last one may be longer
        return layout if len(parts) == 1 else None
    layout.skip, layout.end = at, end if end < len(lines) else 0
    for part in parts:
        other = _records(lines[slice(*part)], 1) if part != (at, end) else None
        if other is not None and other.aside:
            heads = sum(map(bool, map(other.aside.match, lines[slice(*part)])))
            layout.others.append(Other(part[0] + 1, other.names, heads))
    return layout


def _records(lines: Sequence[str], least: int = 2) -> Layout | None:
    for head, pair, kind in _EXPANDED:
        blank = head.pattern == "$"
        if not (pair if blank else head).match(lines[0]):
            continue
        heads = sum(bool(head.match(line)) for line in lines)
        pairs = [m for m in map(pair.match, lines) if m]
        if heads < least or heads + len(pairs) < 0.9 * len(lines):
            continue
        names = list(dict.fromkeys(name for m in pairs if (name := m[1].strip())))
        firsts = sum(m[1].strip() == names[0] for m in pairs) if names else 0
        if (
            abs(firsts - heads) <= 1
            and 1 < len(names) <= _COLUMNS
            and (not blank or (heads >= _FEW and _of_one_kind(lines, names, firsts, pairs)))
        ):
            why = f"{firsts} records of a name and a value a line"
            return Layout(kind, 0.95, why, names, pair=pair, aside=head, skip=0, header=False)
    return None


def _of_one_kind(lines: Sequence[str], names: list[str], firsts: int, pairs: list[re.Match[str]]) -> bool:
    """Whether paragraphs all have the same names, or are long and all begin with the same one."""
    begun = all(line.startswith(names[0]) for above, line in pairwise(lines) if line.strip() and not above.strip())
    return len(names) * firsts == len(pairs) or (begun and len(pairs) >= _EACH * firsts)


_LCOV = regex(r"(SF|FNF|FNH|BRF|BRH|LF|LH):(.*)$", holds="SF:")
_LCOV_ASIDE = regex(r"(?:TN|VER|FN|FNDA|FNL|FNA|BRDA|DA|MCDC|MCF|MCH):|end_of_record")


def _lcov(lines: Sequence[str]) -> Layout | None:
    """lcov's tracefile: what it counts of each file."""
    pairs = [match for line in lines[:LOOK] if (match := _LCOV.match(line))]
    firsts = [match for match in pairs if match[1] == "SF"]
    if not firsts or not all(_LCOV.match(line) or _LCOV_ASIDE.match(line) for line in lines if line.strip()):
        return None
    names = ["SF", *sorted({match[1] for match in pairs} - {"SF"}, key=_LCOV.pattern.index)]
    kind = "lcov's tracefile (LF lines, LH of them hit, FNF functions, FNH hit)"
    return Layout(
        kind,
        0.97,
        f"{len(firsts)} files of lcov",
        names,
        pair=_LCOV,
        aside=_LCOV_ASIDE,
        counts=True,
        skip=0,
        header=False,
    )
