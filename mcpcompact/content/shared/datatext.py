"""YAML, TOML, Python's repr, SQL's rows, HTTP exchanges: the same values as JSON text, for the records and json types.

A scalar keeps its spelling: what is a number, true, false or null in JSON too becomes that (``1.10`` stays 1.10), all
else is a string of its characters (``yes``, ``0o14``, ``2026-11-22``). Comments are in the original only. Which YAML
and TOML is data and which is read line by line as configuration: see docs/decisions.md."""

from __future__ import annotations

import functools
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Any, NamedTuple

from mcpcompact.content.shared.jsontext import NUMBER, Writer, quoted
from mcpcompact.outline import Fact, Outline, Verdict
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped
from mcpcompact.source import Sample, Source

AT_MOST, AT_MOST_PYTHON, AT_MOST_SLOW = 8 << 20, 4 << 20, 1 << 18
"""Bytes: libyaml and tomllib read some 3 MB a second, our reader of Python's repr 1 MB, PyYAML alone 60 KB."""

ALIASED = 1 << 20  # characters that aliases may add; beyond, they stand by their names
MIN_ENTRIES, MIN_MAPPED = 10, 50  # fewer are a configuration to be read by its lines
MIN_SEEN = 3  # in the sample of an input that is larger
_LOOK = 8_192  # characters of a Python text that say what it is
COMMENTS, COMMENT = 3, 160  # comments that are said, characters of each
_COMMENTED = 0.05  # share of comment lines from which a file was written to be read
MAX = 0.8  # share of the lines that a list holds which a text is about
_ALIKE = 0.6  # share of an entry's keys that most entries have

_ENTRY = regex(r"( *)- +(?![\[{])(?:[\w./@$ -]{1,60}|\"[^\"]{1,60}\"|'[^']{1,60}'):(?: |$)")
_MEMBER = regex(r"( *)(?:- +)?([\w./@$-]{1,80}|\"[^\"]{1,80}\"|'[^']{1,80}'):(?: |$)")
_OPENING = regex(r"(?:%YAML|---(?: |$)|- |[\w./@$\"'-][\w ./@$\"'-]{0,80}:(?: |$))", holds=(":", "- ", "---", "%YAML"))
_OPENAPI = regex(r"[\"']?(?:openapi|swagger)[\"']?: *[\"']?[23]\.")
_KEPT = regex(r" +resourceVersion: "), regex(r" *status:$")  # what no file says that somebody wrote
_TABLES = regex(r"\[\[([^\[\]]+)\]\]\s*(?:#.*)?$", holds=("[[",))
_WORDS = ("true", "false", "null")
_INSERTS = regex(r"(?im)^[ \t]*(?:INSERT|REPLACE)\s+(?:\w+\s+){0,2}INTO\s")
RECORDED = "headers (but the Location of a redirect), and what else is no JSON object or list, stand only in the text"
_NULL = regex(r"(?:~|Null|NULL|)$")
_FRONTED = regex(rb"\A---\r?\n(?s:.+?)\n---\s+[{\[]")
_PYTHONIC = regex(r"[\[({\s]*(?:'|\()|[\[{\s]*\"[^\"]*\": (?:'|True|False|None)")  # what JSON has not
_UNQUOTED = "-0123456789tfnTFN~"  # what such a scalar begins with


class View(NamedTuple):
    """The text as JSON: ``kind`` is "YAML", "TOML", "Python" or "SQL", ``source`` one JSON document or NDJSON;
    ``beside`` says what else the text holds."""

    kind: str
    source: Source
    extension: str
    comments: Sequence[str] = ()
    beside: str = ""


# -- is it data? ------------------------------------------------------------------------------------------------


def sniff(sample: Sample, name: str) -> Verdict:
    """The claim of the content type ``name`` ("records" or "json") on a text that is not JSON."""
    kind, wanted, why = _kind(sample)
    return Verdict(0.92, why) if kind and wanted == name else Verdict(0.0)


@functools.lru_cache(maxsize=1)  # both types ask
def _kind(sample: Sample) -> tuple[str, str, str]:
    """The language, the content type and why; empty where it is neither data nor sure."""
    head = sample.head.lstrip("\ufeff \t\r\n")
    if sample.size > AT_MOST:
        return "", "", ""
    if head[:1] in "{[(" and not _TABLES.match(head.partition("\n")[0]):
        if sample.size > AT_MOST_PYTHON or not _PYTHONIC.match(head):
            return "", "", ""
        from mcpcompact.content.shared.pyrepr import from_python

        listed = from_python(sample.head[:_LOOK], cut=sample.size > _LOOK)
        return ("Python", "records", "a list of Python's dicts") if listed is not None and "{" in head else ("", "", "")
    if view := _from_statements(sample.head, sample.size, sample.whole):
        return ("SQL", "records", view.beside) if view.kind == "SQL" else ("HTTP", "json", "recorded HTTP exchanges")
    lines = [line for line in sample.lines if line.strip()]
    comments = sum(line.lstrip()[:1] == "#" for line in lines)
    if len(lines) < MIN_ENTRIES or _inserts(head) or comments > max(2, _COMMENTED * len(lines)):
        return "", "", ""
    body = [line for line in lines if line.lstrip()[:1] != "#"]
    least = MIN_ENTRIES if sample.whole else MIN_SEEN
    tables = [m for m in map(_TABLES.match, (line for line in body if line.startswith("[["))) if m]
    if len(tables) >= least:
        names = Counter(m[1] for m in tables)
        name, count = names.most_common(1)[0]
        return ("TOML", "records", f"{count} tables of {name}") if count >= least else ("", "", "")
    if any(line[0] == "\t" or line.endswith(" {") for line in body) or not _OPENING.match(body[0]):
        return "", "", ""
    wanted, why = _shape(body, least)
    return ("YAML", wanted, why) if wanted and _reads(body) else ("", "", "")


def _shape(body: Sequence[str], least: int) -> tuple[str, str]:
    """What a YAML text is: many entries with the same keys, as list or as documents; a map of them; OpenAPI; what a
    cluster keeps of its objects."""
    if any(map(_OPENAPI.match, body[:3])):
        return "json", "an OpenAPI document"
    documents = _split(body, [i for i, line in enumerate(body) if line[:4].rstrip() == "---"])
    if len(documents) >= least and _alike(documents, 0):
        return "records", f"{len(documents)} YAML documents with the same keys"
    indents = Counter(len(m[1]) for m in map(_ENTRY.match, body) if m)
    if indents:
        indent = min(indents)
        begins = (i for i, line in enumerate(body) if line[indent : indent + 2] == "- ")
        entries = _split(body, [i for i in begins if not body[i][:indent].strip()])
        ends = [n for n, entry in enumerate(entries, 1) if any(line[: indent + 1].strip(" -") for line in entry)]
        entries = max((entries[a:b] for a, b in pairwise([0, *ends, len(entries)])), key=len)  # of one list
        held = sum(map(len, entries)) > MAX * len(body) and _alike(entries, indent + 2)
        if len(entries) >= least and held and not (len(indents) > 1 and _nested(body, sorted(indents)[1])):
            return "records", f"a YAML list of {len(entries)} entries with the same keys"
    if body[0].startswith("apiVersion:") and all(any(map(mark.match, body)) for mark in _KEPT):
        return "json", "objects with their state, as a cluster keeps them"
    for indent in sorted({len(line) - len(line.lstrip()) for line in body[:3]}):
        entries = _split(body, [i for i, line in enumerate(body) if (m := _MEMBER.match(line)) and len(m[1]) == indent])
        entries = [entry for entry in entries if len(entry) > 1]
        if len(entries) >= (MIN_MAPPED if least > MIN_SEEN else least) and _alike(entries, indent + 2):
            return "json", f"a YAML map of {len(entries)} entries with the same keys"
    return "", ""


def _nested(body: Sequence[str], indent: int) -> bool:
    """Whether the entries of lists within others hold nearly all: which these are in says little of them."""
    held, within = 0, False
    for line in body:
        if not line[indent : indent + 1].isspace():
            within = line[: indent + 1].strip() == "-" == line[indent : indent + 1]
        held += within
    return held > MAX * len(body)


def _split(body: Sequence[str], at: Sequence[int]) -> list[Sequence[str]]:
    return [body[a:b] for a, b in pairwise([*at, len(body)])]


def _alike(entries: Sequence[Sequence[str]], indent: int) -> bool:
    """Whether most keys of most entries are the keys that most entries have."""
    keys = [
        {
            m[2]
            for i, line in enumerate(entry)
            if (m := _MEMBER.match(line)) and (len(m[1]) == indent or (not i and "- " in m[0]))
        }
        for entry in entries
    ]
    shared = Counter(key for own in keys for key in own)
    usual = {key for key, count in shared.items() if count >= 0.8 * len(keys)}
    return bool(usual) and sum(len(own & usual) for own in keys) >= _ALIKE * sum(map(len, keys))


def _reads(body: Sequence[str]) -> bool:
    """Whether YAML's own parser reads the beginning, but for its last lines, which may be cut."""
    text = "\n".join(body[:200])
    line = -1
    import yaml

    try:
        for event in yaml.parse(text, Loader=_loader()):
            line = event.end_mark.line if event.end_mark else line
    except yaml.YAMLError:
        return line > min(len(body), 200) - 20
    return True


# -- as JSON ----------------------------------------------------------------------------------------------------


def as_json(source: Source) -> View | None:
    """The values of a YAML, TOML or Python text as JSON; None for JSON itself and for what is neither or too large."""
    head = source.read(0, 4_096).removeprefix(b"\xef\xbb\xbf").lstrip()
    if source.size > AT_MOST or not head:
        return None
    if head[:1] in b"{[(" and not (head[:2] == b"[[" and _kind(Sample(source))[0] == "TOML"):
        if source.size > AT_MOST_PYTHON or not _PYTHONIC.match(head.decode("utf-8", "replace")):
            return None
        from mcpcompact.content.shared.pyrepr import from_python

        text = from_python(source.text, cut=True)
        return None if text is None else View("Python", Source.of_text(text), ".txt")
    if view := _from_statements(source.text, source.size):
        return view
    if (b'{"' in head or _FRONTED.search(head)) and not _kind(Sample(source))[0]:
        return None  # JSON behind a line of text, or behind what a snapshot or a page says of it
    for kind, read, extension in (("TOML", _from_toml, ".toml"), ("YAML", _from_yaml, ".yaml")):
        if (text := read(source.text)) is not None:
            return View(kind, Source.of_text(text), extension, _comments(source.text))
    return None


def around(before: str, behind: str) -> list[Fact]:
    """The text before and behind JSON, which may hold what matters as well: how it begins, and on where room is."""
    facts = []
    for where, text in (("before", before), ("behind", behind)):
        flat = " ".join(text.split())
        begun = flat if len(flat) <= WHOLE else clipped(flat, BEGUN)
        facts += [Fact(f"{len(text):,} characters of text stand {where} the JSON: {begun}", 0)] * bool(flat)
        rest = clipped(flat[begun.rfind("…[+") :].lstrip(), REST) if begun != flat else ""
        facts += [Fact(f"{where} the JSON, on: {rest}", 3)] * bool(rest)
    return facts


WHOLE, BEGUN, REST = 240, 180, 700  # characters


def _inserts(text: str) -> bool:
    return ("INTO " in text or "into " in text) and _INSERTS.search(text) is not None


def _comments(text: str) -> list[str]:
    """The comments that stand on lines of their own, the first few: no value says what they say."""
    comments = (f"{n}: {line.strip()}" for n, line in enumerate(text.split("\n"), 1) if line.lstrip()[:1] == "#")
    return [line[:COMMENT] for line in islice(comments, COMMENTS)]


def outlined(outline: Outline, view: View) -> Outline:
    """The outline of a view, as that of the text: nothing is said of JSON, nor of places in it."""
    outline.facts[0] = Fact(re.sub(r"^(?:ND)?JSON", view.kind, outline.facts[0].text), outline.facts[0].rank)
    outline.lossless = []  # comments and spellings would be lost
    outline.notes += [view.beside] * bool(view.beside)
    if view.comments:
        outline.facts.insert(1, Fact("comments: " + " · ".join(view.comments), 1))
    outline.extension = view.extension
    if any(note.startswith("the JSON is cut off") for note in outline.notes):
        outline.notes = [f"the {view.kind} text is cut off; what stands before is summarised"]
    return outline


def spans(text: str) -> Iterator[tuple[int, int]]:
    """The entries of a YAML list, its documents or TOML's tables, with what stands before the first."""
    if _inserts(text):
        from mcpcompact.content.shared import sqldump

        yield from sqldump.spans(text)
        return
    indents = [len(m[1]) for m in map(_ENTRY.match, text[: Sample.HEAD].split("\n")) if m]
    entry = rf"^ {{{min(indents)}}}- " if indents else r"^---(?=\s)|^\[\["
    cuts = [m.start() for m in re.compile(entry, re.M).finditer(text)]
    yield from pairwise([0, *cuts[1:], len(text)] if text else [])


def _from_statements(text: str, size: int, whole: bool = True) -> View | None:
    """What HTTP exchanges or SQL's statements hold, of a text or its beginning."""
    if recorded := from_exchanges(text, whole):
        return View("HTTP exchanges:", Source.of_text(recorded), ".txt", beside=RECORDED)
    if size > AT_MOST_PYTHON or not _inserts(text):
        return None
    from mcpcompact.content.shared.sqldump import from_sql

    rows = from_sql(text, whole)
    return View("SQL", Source.of_text(rows[0]), ".sql", beside=rows[1]) if rows else None


def _from_toml(text: str) -> str | None:
    import tomllib

    import orjson

    def number(spelled: str) -> object:
        plain = spelled.replace("_", "").removeprefix("+")
        return orjson.Fragment(plain.encode()) if NUMBER.fullmatch(plain) else spelled

    if not re.search(r"^\[\[?[^\[\]]+\]\]?\s*(?:#.*)?$", text, re.M):
        return None
    try:
        return orjson.dumps(tomllib.loads(text, parse_float=number), option=orjson.OPT_UTC_Z, default=str).decode()
    except (ValueError, RecursionError, TypeError):
        return None


def _loader() -> type:
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _from_yaml(text: str) -> str | None:
    """One document as JSON, several as NDJSON. From events: no recursion, no object is built."""
    import yaml

    if len(text) > AT_MOST_SLOW and not hasattr(yaml, "CSafeLoader"):
        return None
    reader = _Events()
    try:
        documents = reader.read(yaml.parse(text, Loader=_loader()))
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    return "".join(reader.out) if documents else None


class _Events(Writer):
    """Writes the events of YAML's parser."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: dict[str, tuple[int, int]] = {}
        self.added = 0

    def read(self, events: Iterator[Any]) -> int:
        """How many documents were containers; what else they are does not count as data."""
        documents, anchors = 0, list[str | None]()
        for event in events:
            name = type(event).__name__
            if name == "ScalarEvent":
                self._anchored(event.anchor, self.add(self._scalar(event)))
            elif name in ("MappingStartEvent", "SequenceStartEvent"):
                documents += not self.open
                anchors.append(event.anchor)
                self.begin("{" if name[0] == "M" else "[", pairs=name[0] == "M")
            elif name in ("MappingEndEvent", "SequenceEndEvent"):
                self._anchored(anchors.pop(), self.end())
            elif name == "AliasEvent":
                self.add(self._aliased(event.anchor))
            elif name == "DocumentEndEvent":
                self.anchors.clear()
        return documents

    def _anchored(self, anchor: str | None, start: int) -> None:
        if anchor is not None:
            self.anchors[anchor] = start, len(self.out)

    @staticmethod
    def _scalar(event: Any) -> str:
        value: str = event.value
        tag: str | None = event.tag
        if tag is not None and tag[:1] == "!" and tag != "!":
            return quoted(f"{tag} {value}")
        if tag is None and event.implicit[0] and value[:1] in _UNQUOTED:
            if value in _WORDS or NUMBER.fullmatch(value):
                return value
            if value in ("True", "TRUE", "False", "FALSE"):
                return value.lower()
            if _NULL.match(value):
                return "null"
        return quoted(value)

    def _aliased(self, name: str) -> str:
        place = self.anchors.get(name)
        text = "".join(self.out[place[0] : place[1]]) if place else ""
        self.added += len(text)
        return text if text and self.added <= ALIASED else quoted(f"*{name}")


# -- HTTP exchanges recorded as text, one after the other (``curl -v``, ``.http`` files, recordings of test suites) ---

OPENING, KNOWN = 12, 0.8  # lines within which the first one begins; share of the filled ones that are of exchanges
LONG = 80  # characters of an answer that is told once
_REQUEST = regex(r"(?:> )?(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)(?: ((?:/|https?://)\S*))?(?: HTTP/[\d.]+)?$")
_ADDRESS = regex(r"(?:/|https?://)\S*$")
_STATUS = regex(r"(?:< )?HTTP/[\d.]+ ([1-5]\d\d)\b|([1-5]\d\d)$")
_LOCATION = regex(r"(?i)(?<![\w-])location(?:: |', ')([^\s',]+)")
_AROUND = regex(r"$|[<>*#{}@]|\[(?:\(|$)|[\w-]+: |[\w.:-]+$")  # headers, what curl says, a host by itself
_VALUE = regex(r"\{[ \t\r\n]*[\"}]|\[[ \t\r\n]*[\"{\[\]\d-]")
FAILED = 20  # values that are no JSON: of one with more, each of which costs a look at all before it, nothing is read

_Exchange = dict[str, list[str]]  # the texts of each key


def from_exchanges(text: str, whole: bool = True) -> str | None:
    """The exchanges as a JSON list of objects; None where the text is no recording with answers in JSON."""
    if not any(_REQUEST.match(line.strip()) for line in text.split("\n", OPENING)[:OPENING]):
        return None
    try:
        exchanges = _recorded(text, whole)
    except RecursionError:
        return None
    first = dict[str, int]()
    for place, one in enumerate(exchanges):
        held = ", ".join(one.get("response", []))
        if len(held) >= LONG and (before := first.setdefault(held, place)) < place:
            one["response"] = [f'"the same as [{before}].response"']
    if not any("response" in one for one in exchanges):
        return None
    return f"[{', '.join('{' + ', '.join(map(_member, one, one.values())) + '}' for one in exchanges)}]"


def _recorded(text: str, whole: bool) -> list[_Exchange]:
    exchanges, decode = list[_Exchange](), json.JSONDecoder().raw_decode
    at = filled = known = failed = 0
    while at < len(text) and failed < FAILED:
        end = text.find("\n", at) % (len(text) + 1)
        line, start, at = text[at:end].strip(), at, end + 1
        filled += bool(line)
        known += bool(line) and (_noted(line, exchanges) or _AROUND.match(line) is not None)
        if line[:1] in ("{", "[") and _VALUE.match(text, start := text.index(line[0], start)):
            if not exchanges:
                return []
            key = "response" if "status" in exchanges[-1] else "body"
            try:
                _, at = decode(text, start)
                exchanges[-1].setdefault(key, []).append(text[start:at])
            except json.JSONDecodeError as error:  # no JSON, or cut off: on behind what was read of it
                at, failed = max(at, error.pos), failed + 1
                if end >= len(text) and not whole:
                    exchanges[-1][key] = ["null"]
    return exchanges if known >= KNOWN * filled and failed < FAILED else []


def _noted(line: str, exchanges: list[_Exchange]) -> bool:
    """Whether the line is one of method, address, status and of where it was sent on, which is noted then."""
    if match := _REQUEST.match(line):
        exchanges.append({"method": [quoted(match[1])]} | ({"url": [quoted(match[2])]} if match[2] else {}))
    elif exchanges and "url" not in exchanges[-1] and _ADDRESS.match(line):
        exchanges[-1]["url"] = [quoted(line)]
    elif exchanges and (match := _STATUS.match(line)) and (match[1] or "status" not in exchanges[-1]):
        exchanges[-1]["status"] = [match[1] or match[2]]
    elif exchanges and exchanges[-1].get("status", [""])[0][:1] == "3" and (match := _LOCATION.search(line)):
        exchanges[-1]["headers"] = [f'{{"location": {quoted(match[1])}}}']
    else:
        return False
    return True


def _member(key: str, texts: list[str]) -> str:
    return f'"{key}": {texts[0] if len(texts) == 1 else "[" + ", ".join(texts) + "]"}'
