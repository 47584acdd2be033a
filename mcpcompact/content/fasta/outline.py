"""Sequences: FASTA and FASTQ by our own readers, GenBank, EMBL, Swiss-Prot and alignments through Biopython."""

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.collector import paused
from mcpcompact.errors import InputError
from mcpcompact.outline import Hints, Lossless, Outline, Sample, Source, Verdict
from mcpcompact.patterns import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mcpcompact.content.fasta.sequences import Batch, Reading

_RESIDUES = regex(r"[A-Za-z*.~-]+(?: [A-Za-z*.~-]+)*\s*$")
_OPENING = regex(r"LOCUS {3,}\S.* \d+ (?:bp|aa|rc)\b|ID {3}\S.*\b(?:BP|AA)\.|CLUSTAL\b.*alignment|# STOCKHOLM 1|#NEXUS")
_BASES = frozenset("ACGTUNacgtun-.")
_LOSSLESS_LIMIT = 1_000_000


def sniff(sample: Sample) -> Verdict:
    lines = [line for line in sample.lines[:2000] if line.strip()]
    if not lines:
        return Verdict(0.0)
    lines[0] = lines[0].lstrip("\ufeff")
    if lines[0][0] == "@" and not lines[0].startswith("@@"):
        return _sniff_fastq(lines)
    if _OPENING.match(lines[0]):
        return Verdict(0.95, f"opens as {lines[0].split()[0]} does")
    for i, line in enumerate(lines[:30]):  # behind the title of a release file
        if line.startswith("LOCUS ") and _OPENING.match(line) and lines[i + 1 : i + 2] > ["DEFINITION "]:
            return Verdict(0.9, "a GenBank record behind a title")
    return _sniff_fasta(lines, sample)


def outline(source: Source, hints: Hints) -> Outline:
    from mcpcompact.content.fasta import sequences
    from mcpcompact.outline import decode

    kind = sequences.format_of(decode(source.read(0, 1 << 16)))
    if not kind and source.size > 1 << 16 and not source.large and "\n>" in source.text:
        kind = "fasta"
    reading = sequences.Reading()
    if kind == "fastq":
        batches = sequences.fastq(source, reading)
    elif kind in ("", "fasta"):
        batches = sequences.fasta(source, reading)
    else:
        batches = sequences.biopython(source, kind, reading)
    with paused():  # until the survey is gone: the collector would look through all of it in vain
        outline = _surveyed(batches, reading, kind or "fasta")
    if kind == "fasta" and source.size <= _LOSSLESS_LIMIT:
        joined = unwrap_lines(source.text)
        if joined is not None:
            outline.lossless.append(Lossless("sequence lines joined", lambda: joined, len(joined)))
    return outline


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Records: to the line before the next ``>``; four lines for FASTQ; to ``//`` for flat files."""
    from mcpcompact.content.fasta.sequences import format_of

    kind = format_of(text[: 1 << 16])
    if kind == "fastq":
        yield from _fastq_spans(text)
        return
    mark = "\n//\n" if kind in ("genbank", "embl", "swiss") else "\n>"
    shift = len(mark) if mark != "\n>" else 1
    start = 0
    while (at := text.find(mark, start)) >= 0:
        yield start, at + shift
        start = at + shift
    if start < len(text):
        yield start, len(text)


def _surveyed(batches: Iterator[Batch], reading: Reading, kind: str) -> Outline:
    from mcpcompact.content.fasta.survey import Survey
    from mcpcompact.content.fasta.surveyed import build

    survey = Survey()
    for batch in batches:
        survey.add(batch)
    if not survey.total:
        raise InputError("no sequence record found", hint="name the type with --type")
    return build(survey, reading, kind)


def _sniff_fastq(lines: list[str]) -> Verdict:
    plus = next((i for i, line in enumerate(lines[1:200], 1) if line.startswith("+")), 0)
    if plus < 2 or not all(_RESIDUES.match(line) for line in lines[1:plus]):
        return Verdict(0.0)
    bases = "".join(lines[1:plus])
    share = sum(letter in _BASES for letter in bases) / len(bases)
    if share < 0.8:
        return Verdict(0.2, "@ and + lines, but few bases")
    quality = 0
    for line in lines[plus + 1 :]:
        quality += len(line)
        if quality >= len(bases):
            break
    if quality == len(bases):
        return Verdict(0.97, "@ title, bases, + and quality")
    return Verdict(0.6, "@ title, bases and +, but quality of another length")


def _sniff_fasta(lines: list[str], sample: Sample) -> Verdict:
    first = next((i for i, line in enumerate(lines[:200]) if line.startswith(">")), None)
    if first is None:
        return Verdict(0.0)
    titles = [line for line in lines[first:] if line.startswith(">")]
    body = [line for line in lines[first:] if line[0] not in ">;#!"]
    quoted = sum(line.startswith(("> ", ">>")) or line.rstrip() == ">" for line in titles)
    if not body and not sample.whole:  # one line of megabytes
        tail = sample.head.rpartition("\n")[2]
        body = [tail[:20_000]] if tail and tail[0] != ">" else []
    if not body:
        return Verdict(0.3 if not quoted and len(titles) > 1 else 0.1, "titles without sequences")
    residues = sum(_is_sequence(line) for line in body) / len(body)
    if residues < 0.9:
        return Verdict(0.0, "> lines, but what follows is no sequence")
    letters = "".join(body[:50])[:20_000]
    bases = sum(letter in _BASES for letter in letters) / len(letters)
    upper = sum(letter.isupper() or letter in "*-." for letter in letters) / len(letters)
    score = 0.98 if bases > 0.8 else 0.95 if upper > 0.9 else 0.6 if max(map(len, body)) >= 40 else 0.3
    why = f"{len(titles)} titles with >, then {'bases' if bases > 0.8 else 'residues'}"
    if quoted > len(titles) / 2:
        score -= 0.35
        why += "; titles look like quotes"
    comments = sum(line[0] in ";#!" for line in lines[:first])
    if first > comments:
        score -= 0.1 if first - comments < 5 else 0.3
        why += f"; {first} lines before the first"
    return Verdict(max(0.05, score), why)


def _is_sequence(line: str) -> bool:
    """Letters only; words of prose are told apart by their lengths: groups of residues are long and even."""
    if not _RESIDUES.match(line):
        return False
    words = line.split()
    if len(words) < 3:
        return True
    if sum(letter in _BASES for letter in line) > 0.85 * (len(line) - len(words)):
        return True
    return len({len(word) for word in words[:-1]}) == 1 and line.upper() == line


def _fastq_spans(text: str) -> Iterator[tuple[int, int]]:
    start = at = lines = 0
    while (end := text.find("\n", at)) >= 0:
        at = end + 1
        lines += 1
        if lines % 4 == 0 and text[at : at + 1] in ("@", ""):
            yield start, at
            start = at
    if start < len(text):
        yield start, len(text)


_JOINED = "[sequence lines joined; they were wrapped at {width}]\n"


def unwrap_lines(text: str) -> str | None:
    """Wrapped sequence lines joined, when ``rewrap_lines`` gives back the same text; else None."""
    width = max((len(line) for line in text.split("\n") if not line.startswith(">")), default=0)
    if not width or "\r" in text or not text.startswith(">"):
        return None
    records = []
    for record in text[1:].split("\n>"):
        title, _, body = record.partition("\n")
        records.append(f">{title}\n{body.replace(chr(10), '')}")
    joined = _JOINED.format(width=width) + "\n".join(records) + ("\n" if text.endswith("\n") else "")
    return joined if rewrap_lines(joined) == text else None


def rewrap_lines(joined: str) -> str:
    """The inverse of ``unwrap_lines``."""
    head, _, text = joined.partition("\n")
    width = int(head.rstrip("]").rpartition(" ")[2])
    lines: list[str] = []
    for line in text.split("\n"):
        if line.startswith(">") or not line:
            lines.append(line)
        else:
            lines.extend(line[i : i + width] for i in range(0, len(line), width))
    return "\n".join(lines)
