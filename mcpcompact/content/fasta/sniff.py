"""Is it a file of sequences? By titles and what stands below them."""

from __future__ import annotations

from collections.abc import Set
from itertools import accumulate

from mcpcompact.outline import Verdict
from mcpcompact.patterns import regex
from mcpcompact.source import Sample

_RESIDUES = regex(r"(?:[A-Za-z*.~-]+(?: [A-Za-z*.~-]+)*|[ACGT][0-3.]+)\s*$")
_OPENING = regex(r"LOCUS {3,}\S.* \d+ (?:bp|aa|rc)\b|ID {3}\S.*\b(?:BP|AA)\.|CLUSTAL\b.*alignment|# STOCKHOLM 1|#NEXUS")
_OPENS = ("LOCUS ", "ID ", "CLUSTAL", "# STOCKHOLM", "#NEXUS")
_BASES = frozenset("ACGTUNacgtun-.0123")  # digits: of colour space, behind a base

LOOK, TITLE_WITHIN, TEXT_WITHIN, PLUS_WITHIN = 2_000, 30, 200, 200
"""Lines: looked at; before a GenBank record, the first title, a FASTQ's plus."""
LETTERS, BODY = 20_000, 50  # characters and lines that tell what the letters are
NEARLY, MOSTLY = 0.9, 0.8  # of the lines are residues, or of the letters upper case; of the letters are bases
GROUPED = 0.85  # of a line of groups
WORDS, LONG = 3, 40  # words that may be prose; residues in a line, as no list of names has
FLAT_FILE, TITLED = 0.95, 0.9  # scores of GenBank and the like, and behind a title
FASTQ, FASTQ_TORN, FASTQ_ODD = 0.97, 0.6, 0.2
BASES, RESIDUES, LOWER, WORDLIKE = 0.98, 0.95, 0.6, 0.3  # of FASTA: bases; residues; long lines of letters; short ones
EMPTY, ONE_EMPTY, MIN = 0.3, 0.1, 0.05  # titles alone; one of them
QUOTES, TEXT, SHORT_TEXT, SHORT = 0.35, 0.3, 0.1, 5  # taken: "> " as in mail; text before it; less of it


def sniff(sample: Sample) -> Verdict:
    lines = [line for line in sample.lines[:LOOK] if line.strip()]
    if not lines:
        return Verdict(0.0)
    lines[0] = lines[0].lstrip("\ufeff")
    if lines[0][0] == "@" and not lines[0].startswith("@@"):
        return _fastq(lines)
    if lines[0].startswith(_OPENS) and _OPENING.match(lines[0]):
        return Verdict(FLAT_FILE, f"opens as {lines[0].split()[0]} does")
    for i, line in enumerate(lines[:TITLE_WITHIN]):  # behind the title of a release file
        if line.startswith("LOCUS ") and _OPENING.match(line) and lines[i + 1 : i + 2] > ["DEFINITION "]:
            return Verdict(TITLED, "a GenBank record behind a title")
    return _fasta(lines, sample)


def _fastq(lines: list[str]) -> Verdict:
    plus = next((i for i, line in enumerate(lines[1:PLUS_WITHIN], 1) if line.startswith("+")), 0)
    if plus <= 1 or not all(_RESIDUES.match(line) for line in lines[1:plus]):
        return Verdict(0.0)
    bases = "".join(lines[1:plus])
    if _share(bases, _BASES) < MOSTLY:
        return Verdict(FASTQ_ODD, "@ and + lines, but few bases")
    if len(bases) in accumulate(map(len, lines[plus + 1 :])):
        return Verdict(FASTQ, "@ title, bases, + and quality")
    return Verdict(FASTQ_TORN, "@ title, bases and +, but quality of another length")


def _fasta(lines: list[str], sample: Sample) -> Verdict:
    start = next((i for i, line in enumerate(lines[:TEXT_WITHIN]) if line.startswith(">")), None)
    if start is None:
        return Verdict(0.0)
    titles = [line for line in lines[start:] if line.startswith(">")]
    if any(line.startswith(">>>") and " vs " in line for line in titles):
        return Verdict(0.0, "the report of a search")
    body = [line for line in lines[start:] if line[0] not in ">;#!"]
    quoted = sum(line.startswith(("> ", ">>")) or line.rstrip() == ">" for line in titles)
    if not body and not sample.whole:  # one line of megabytes
        tail = sample.head.rpartition("\n")[2]
        body = [tail[:LETTERS]] if tail and tail[0] != ">" else []
    if not body:
        return Verdict(EMPTY if not quoted and len(titles) > 1 else ONE_EMPTY, "titles without sequences")
    if sum(map(_is_sequence, body)) / len(body) < NEARLY:
        return Verdict(0.0, "> lines, but what follows is no sequence")
    score, why = _letters(body)
    why = f"{len(titles)} titles with >, then {why}"
    if quoted > len(titles) / 2:
        score -= QUOTES
        why += "; titles look like quotes"
    comments = sum(line[0] in ";#!" for line in lines[:start])
    if start > comments:
        score -= SHORT_TEXT if start - comments < SHORT else TEXT
        why += f"; {start} lines before the first"
    return Verdict(max(MIN, score), why)


def _letters(body: list[str]) -> tuple[float, str]:
    """How surely the letters are residues, and of which kind."""
    letters = "".join(body[:BODY])[:LETTERS]
    if _share(letters, _BASES) > MOSTLY:
        return BASES, "bases"
    if sum(letter.isupper() or letter in "*-." for letter in letters) > NEARLY * len(letters):
        return RESIDUES, "residues"
    return LOWER if max(map(len, body)) >= LONG else WORDLIKE, "residues"


def _share(text: str, letters: Set[str]) -> float:
    return sum(map(letters.__contains__, text)) / len(text)


def _is_sequence(line: str) -> bool:
    """Letters only; words of prose are told apart by their lengths: groups of residues are long and even."""
    if not _RESIDUES.match(line):
        return False
    words = line.split()
    if len(words) < WORDS or sum(map(line.count, _BASES)) > GROUPED * (len(line) - len(words)):
        return True
    return len({len(word) for word in words[:-1]}) == 1 and line.upper() == line
