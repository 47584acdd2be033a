"""Is it a list of objects? NDJSON by its lines, else by what one JSON document holds most of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from mcpcompact.content.shared import datatext, jsontext
from mcpcompact.outline import Verdict
from mcpcompact.patterns import regex
from mcpcompact.source import Sample

FEW, FEW_LARGE = 10, 600  # fewer records, of more characters each, are documents rather than rows
SOME, OBJECT = 30, 6  # fewer of these below one of so many keys are a part of an object
PAYLOAD = 0.75  # of the content that a list is: of less it is a part of a document
HALF = 0.5  # of the records asked
MIN_LINES, NDJSON_SHARE = 2, 0.8  # lines that are objects, at least, and their share
ASKED = 40  # lines that are parsed to see whether they are objects

NDJSON, LISTED, DAMAGED, LARGE, PART = 0.97, 0.96, 0.8, 0.6, 0.3  # scores; PART: a list that is little of the content


def sniff(sample: Sample) -> Verdict:
    banner = sample.head.lstrip("\ufeff \t\r\n")[:1] not in ("{", "[")
    if (other := datatext.sniff(sample, "records")).score:
        return other
    if banner and "\n{" not in sample.head:
        return Verdict(0.0)
    lines = [line for line in sample.lines if line.strip()]
    share, count = objects(lines)
    if count >= MIN_LINES and share >= NDJSON_SHARE and count + 1 >= NDJSON_SHARE * len(lines):
        if count < FEW and sample.whole and sample.size > FEW_LARGE * count and not _events(lines):
            return Verdict(LARGE, f"{count} large objects, one a line")
        return Verdict(NDJSON, f"{count} of the first {len(lines)} lines are JSON objects")
    return Verdict(0.0) if banner else _document(sample)


def _document(sample: Sample) -> Verdict:
    """The claim on one JSON document, by its main list."""
    from mcpcompact.content.records.lists import MIN_RECORDS, find_list, nested, size_of, weigh
    from mcpcompact.content.shared.reports import fields_of, named

    parsed = jsontext.begun(sample.head.lstrip("\ufeff \t\r\n"))
    if len(parsed.documents) != 1:
        return Verdict(0.0)
    document = parsed.documents[0]
    path, found = find_list(document) or ("", [])
    if len(found) < MIN_RECORDS or (path == "cells" and "cell_type" in found[0]):
        return Verdict(0.0)  # a notebook's cells are texts
    if nested(found):
        return Verdict(PART, f"a tree of objects below {len(found)}")
    whole, count = size_of(document), len(found)
    ratio = weigh(found) / max(1, whole)
    where = f"under {path}" if path else "at the top"
    if ratio < PAYLOAD:
        return Verdict(PART, f"a list of {count} objects {where}, {ratio:.0%} of the content")
    few = SOME if isinstance(document, dict) and len(document) >= OBJECT else FEW
    if count < few and sample.whole and whole / count > FEW_LARGE:
        return Verdict(LARGE, f"{count} large objects {where}")  # a document rather than rows
    asked = found[:ASKED]
    if sum(named(fields_of(each)) is not None for each in asked) > HALF * len(asked):
        return Verdict(PART, f"{count} findings {where}")  # told by rule and level
    if _hold_findings(asked):
        return Verdict(PART, f"{count} files with findings {where}")
    sound = not parsed.problem or (not sample.whole and parsed.open > 0)
    return Verdict(LISTED if sound else DAMAGED, f"a list of objects {where}, {min(ratio, 1):.0%} of the content")


def _hold_findings(records: Sequence[Mapping[str, Any]]) -> bool:
    """Whether each record is a file, and what it holds are mostly findings in it (ESLint's)."""
    from mcpcompact.content.shared.reports import fields_of, file_of, named

    held = found = 0
    for record in records:
        file = file_of((key, value) for key, value in record.items() if isinstance(value, str))
        lists = [value for value in record.values() if isinstance(value, list)] if file else []
        parts = [part for value in lists for part in value[:ASKED] if isinstance(part, dict)]
        held += max(1, len(parts))
        found += sum(named(fields_of(part), file) is not None for part in parts)
    return found > HALF * held


def _events(lines: Sequence[str]) -> bool:
    """Whether they begin with a time, or nearly all keys are those of most objects; of none with a long text."""
    parsed = [jsontext.parse(line).documents[:1] for line in lines]
    held = [found[0] for found in parsed if found and isinstance(found[0], dict)]
    texts = [value for one in held for value in one.values() if isinstance(value, str)]
    if any(len(text) > FEW_LARGE or "\n" in text.strip() for text in texts):
        return False
    keys = Counter(key for one in held for key in one)
    alike = sum(n for n in keys.values() if n > HALF * len(held)) >= NDJSON_SHARE * keys.total()
    return alike or all(map(_TIMED.match, lines))


_TIMED = regex(r'\s*\{ ?"[^"]{1,40}" ?: ?"?(?:\d{4}-\d\d-\d\d|\d{10}\b)')


def objects(lines: Sequence[str]) -> tuple[float, int]:
    """The share and number of lines that are whole JSON objects, as ``ASKED`` of them tell: what a tool says first of
    its build is seldom one."""
    import json

    some = lines[:: -(-len(lines) // ASKED) or 1]
    good = 0
    for line in some:
        text = line.strip()
        if text[:1] == "{" and text[-1:] == "}":
            try:
                good += isinstance(json.loads(text), dict)
            except (ValueError, RecursionError):
                continue
    return good / max(1, len(some)), good * len(lines) // max(1, len(some))
