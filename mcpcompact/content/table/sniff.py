"""Is it a table? By its layout, against bars that other tools draw."""

from __future__ import annotations

from mcpcompact.content.anomalies.words import listed
from mcpcompact.content.shared.evidence import Evidence, first, of
from mcpcompact.content.table import layout
from mcpcompact.outline import Verdict
from mcpcompact.patterns import regex
from mcpcompact.source import Sample

LOOK = 40  # lines in which such bars show
_NO_ROW = regex(r"[0-9a-f]{7,16}:? {1,3}[0-9a-f]{2,4} |\*$| \S.* \| +(?:\d+ [+-]*|Bin .*)$")  # hexdump, git diff --stat
_PROGRESS = regex(
    r".*?(?:\r.*\r|\d%(?: ?\|| ?\[)[\s#=█▉▊▋▌▍▎▏━╸╺>.-]*[|\]])", holds=("\r", "%|", "% |", "%[", "% [")
)  # drawn over and over, or a bar a line
_PDB_RECORDS = "ATOM  |HETATM|ANISOU|HEADER|TITLE |COMPND|SOURCE|REMARK|SEQRES|HELIX |SHEET |AUTHOR|JRNL  "
_PDB = regex(rf"(?:{_PDB_RECORDS})[ \d]", holds=listed(_PDB_RECORDS))
_OUTCOME = regex(r".* \| (?:PASS|FAIL|SKIP) \|$|-{78}$", holds=("| PASS |", "| FAIL |", "| SKIP |"))
_AGAINST = (
    Evidence(of(_OUTCOME), 0.5, 0.0, "bars, but of tests that Robot Framework ran"),
    Evidence(of(_PDB), 0.8, 0.0, "columns, but of a PDB file, whose records have different ones"),
    Evidence(of(_NO_ROW), 0.8, 0.0, "bars, but of a hexdump or a diffstat"),
    Evidence(of(_PROGRESS), 0.5, 0.0, "progress bars"),
)


def sniff(sample: Sample) -> Verdict:
    if (against := first(sample.lines[:LOOK], _AGAINST)) is not None:
        return against
    table = layout.detect(sample.lines) or layout.single(sample.lines)
    return Verdict(0.0) if table is None else Verdict(table.score, table.why)
