"""Is it JSON, also cut off, damaged or behind a few lines of text?"""

from __future__ import annotations

import re

from mcpcompact.content.shared import datatext, jsontext
from mcpcompact.outline import Verdict
from mcpcompact.patterns import regex
from mcpcompact.source import Sample

BANNER = 8_000  # characters of warnings before the JSON, as command line tools print them
BEHIND = 5  # times as much as what stands before it, or more
BEFORE_CUT = 4_000  # characters of a value that was cut off
READ_OBJECT, READ_LIST = 0.5, 0.9  # of a damaged text must parse: "[12] text" also begins as a list
WHOLE, MANY, CUT, AFTER_TEXT = 0.96, 0.8, 0.7, 0.75  # scores
DAMAGED, STRING = 0.6, 0.5
_BEGIN = regex(r"^(?=\{\s*\"|\[\s*\{\s*\")", re.M, holds="{")
_CUT_OFF = ("it ends inside a value", "a string does not end")


def sniff(sample: Sample) -> Verdict:
    head = sample.head.lstrip("\ufeff \t\r\n")
    if head[:1] not in ("{", "["):
        return _behind(head, sample)
    parsed = jsontext.begun(head)
    if not parsed.problem:
        many = len(parsed.documents)
        if not all(isinstance(d, dict | list) for d in parsed.documents):
            return Verdict(0.0)  # "[12] text": a prefix, not a document
        if many > 1:
            return Verdict(MANY, f"parses as JSON, {many} documents")
        return Verdict(WHOLE, "parses as JSON")
    if not parsed.documents or not parsed.documents[0] or isinstance(parsed.documents[0], int | float | str):
        return Verdict(0.0)
    return _torn(head, parsed, sample)


def _behind(head: str, sample: Sample) -> Verdict:
    """JSON behind lines of text, other data that is read as JSON, a JSON string."""
    if head[:1] != '"' and (start := json_after(head)):
        parsed = jsontext.scan(head[start:])
        sound = not parsed.problem or (not sample.whole and parsed.open)
        if sound and len(parsed.documents) == 1 and parsed.documents[0] and sample.size > BEHIND * start:
            return Verdict(AFTER_TEXT, f"JSON behind {start:,} characters of text")
    if (other := datatext.sniff(sample, "json")).score:
        return other
    if head[:1] == '"' and sample.whole and jsontext.parse(head).problem == "":
        return Verdict(STRING, "a JSON string")
    return Verdict(0.0)


def _torn(head: str, parsed: jsontext.Parsed, sample: Sample) -> Verdict:
    """Cut off or damaged."""
    sound = parsed.problem in _CUT_OFF and parsed.open  # as far as it goes, whatever the length of its strings
    if sound and not sample.whole:
        ends = (sample.tail or head).rstrip()[-1:] in "]}"
        return Verdict(CUT if not ends else WHOLE if len(parsed.documents) == 1 else MANY, "begins as JSON")
    if sound and len(head) - parsed.end < BEFORE_CUT:
        return Verdict(CUT, "JSON, cut off")
    if parsed.end / max(1, len(head)) > (READ_OBJECT if head[0] == "{" else READ_LIST):
        return Verdict(DAMAGED, "JSON in its larger part, damaged")
    return Verdict(0.0)


def json_after(text: str) -> int:
    """Where JSON begins behind a few lines of warnings; 0 if it does not."""
    match = _BEGIN.search(text, 0, BANNER)
    return match.start() if match else 0
