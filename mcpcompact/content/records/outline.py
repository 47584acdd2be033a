"""Lists of objects: bare, beside other keys, GraphQL edges, columns and rows, NDJSON (``ndjson``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, islice, pairwise
from typing import Any

from mcpcompact.content.anomalies.words import tells
from mcpcompact.content.detect import load
from mcpcompact.content.records.listing import least, outlined, selectors, table
from mcpcompact.content.records.shapes import begun
from mcpcompact.content.records.sniff import ASKED, MIN_RECORDS, find_list, objects
from mcpcompact.content.shared import datatext, jsontext, packing, reports
from mcpcompact.content.shared.tests import of_document, reported
from mcpcompact.content.shared.tree import join_key
from mcpcompact.errors import InputError
from mcpcompact.outline import ROUTINE, Fact, Hints, Item, Lossless, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped, counted, is_number, show
from mcpcompact.source import Sample, Source

_PATHS = 24  # that are named
_DEPTH = 3  # steps below which nothing is named
_HALF = 0.5  # of the records
_NESTED = 6  # brackets that are followed

CALL = {"method", "path", "status", "response"}  # keys of a recorded call of an API
EXACT = 8 << 20  # larger JSON is read by orjson, which forgets how numbers were written
FEW_BESIDE = 40  # records; of more what is odd in them comes before what stands beside them
MAX_FAILURES = 50  # in keys beside the list, that are looked for
FAILURES_SAID = 600  # characters of them that are always said, whole ones
MAX_BESIDE = 10_000  # values in other keys that are looked at
_TELLING = regex(r"(?i)(?:message|msg|status|state|reason|details?|result|outcome|note|info)$")
_FAILING = regex(r"(?i)(?:error|failure|failed|warning|exception|(?<!de)fault)s?$")
_CHOOSING = regex(r"(?i)^(?:allow|catch|exclude|expect|fail_?on|ignore|include|known|max|on|retry|skip|stop_?on)[_A-Z]")
_SETTINGS = regex(r"(?i)(?:^|\.)(?:settings|options|config(?:uration)?)(?:$|[.\[])")
_NOTHING = (None, False, 0, "", "0", "none", "ok")
SUMS = 3  # counts beside a list that sum it up
PROSE = 240  # characters of a description beside a list
BESIDE_SHORT, BESIDE_SAID, BESIDE_LINE = 80, 200, 160  # characters: a value, all that are always said, a line of others
_EMPTY, _DATED = ("=[]", "={}", "=null", "=false"), regex(r"=\d{4}-\d\d-\d\d")  # come last


def failures_beside(value: Any, path: str) -> list[str]:
    """What other keys tell of a failure, whole: all below a key that names one (``errors``,
    ``_shards.failures``, ``warnings``) unless it is empty, and texts that state one; ``path=text``, in order. Of an
    element of a list its texts, each once."""
    out: list[tuple[str, str]] = []
    work: list[tuple[str, Any, bool]] = [("", value, False)] if isinstance(value, dict) else []
    for _ in range(MAX_BESIDE):
        if not work or len(out) == MAX_FAILURES:
            break
        at, node, failing = work.pop()
        if isinstance(node, dict):
            chosen = _SETTINGS.search(at) is not None  # a setting names kinds
            names = {k: _FAILING.search(str(k)) and not (chosen or _CHOOSING.match(str(k))) for k in node}
            below = [(join_key(at, str(k)), v, failing or bool(names[k])) for k, v in node.items()]
        elif isinstance(node, list) and "[" in at and not any(isinstance(each, (dict, list)) for each in node):
            out += [(at, f"[{', '.join(map(show, node))}]")] if failing and node else []  # where in the answer
            continue
        elif isinstance(node, list):
            below = [(f"{at}[{i}]", v, failing) for i, v in enumerate(node[:MAX_FAILURES])]
        else:
            fails = failing or (isinstance(node, str) and _TELLING.search(at) is not None and tells(node))
            if fails and node not in _NOTHING and (isinstance(node, str) or "[" not in at):
                out.append((at, node if isinstance(node, str) else show(node)))
            continue
        inside = [(p, v, f) for p, v, f in below if p != path and not path.startswith(f"{p}[")]
        work += reversed(inside)
    held = [(at.rpartition("]")[0], text) for at, text in out]
    again = [any(text in other and len(text) < len(other) for at, other in held if at == own) for own, text in held]
    return [f"{at}={text}" for (at, text), twice in zip(out, again, strict=True) if not (twice and "[" in at)]


def beside(value: Any, path: str) -> list[str]:
    """The scalars of other keys, as ``key=value``, top level first: ``total_count=3012``, cursors, flags."""
    out: list[str] = []
    work: list[tuple[str, Any]] = [("", value)] if isinstance(value, dict) else []
    while work and len(out) < _PATHS:
        at, node = work.pop(0)
        for key, child in islice(node.items(), _PATHS):
            here = f"{at}.{key}" if at else str(key) or '[""]'
            if here == path or path.startswith(f"{here}["):
                continue
            if isinstance(child, list) and len(child) == 1 and isinstance(child[0], dict) and not _FAILING.search(key):
                here, child = f"{here}[0]", child[0]
            if isinstance(child, dict):
                if here.count(".") < _DEPTH:
                    work.append((here, child))
                elif child:
                    out.append(f"{here}={{{counted(len(child), 'key')}}}")
            elif isinstance(child, list):
                alone = len(child) <= 1 and not any(isinstance(each, (dict, list)) for each in child)
                inner = ", ".join(show(each, 140) for each in child) if alone else counted(len(child), "element")
                out.append(f"{here}=[{inner}]")
            else:
                prose = isinstance(child, str) and len(child) > BESIDE_LINE and " " in child
                out.append(f"{here}={clipped(show(child, len(child)), PROSE) if prose else show(child, 140)}")
    return out


# -- the outline ------------------------------------------------------------------------------------------------


def outline(source: Source, hints: Hints) -> Outline:
    if (view := datatext.as_json(source)) is not None:
        return datatext.outlined(outline(view.source, hints), view)
    if _ndjson(Sample(source).lines):
        if not source.large and _findings(source.text.strip().split("\n")):
            return load("json").outline(source, hints)
        from mcpcompact.content.records.ndjson import from_lines

        return from_lines(source, hints)
    if source.large:
        raise InputError(
            "one JSON document of this size is not analysed", hint="convert it to NDJSON, one object a line"
        )
    return _from_document(source, hints)


def spans(text: str) -> Iterator[tuple[int, int]]:
    if _ndjson(text[:65_536].split("\n")[:50]):
        return (line.span() for line in _LINE.finditer(text))
    return list_spans(text) if text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[") else datatext.spans(text)


def _ndjson(lines: Iterable[str]) -> bool:
    share, count = objects([line for line in lines if line.strip()])
    return share >= _HALF and count > 1


_LINE = regex(r"[^\n]*\n|[^\n]+")


def _findings(lines: Sequence[str]) -> bool:
    """Whether lines that all are objects, but for the first and the last ones, are what a compiler or linter found."""
    from mcpcompact.content.records.ndjson import load_line

    held = [n for n, line in enumerate(lines) if line[:1] == "{"]
    if not held or len(held) <= held[-1] - held[0]:
        return False
    some = [load_line(line.encode()) or {} for line in lines[held[0] :][:ASKED]]
    compiler = any(isinstance(one.get("message"), dict) and "spans" in one["message"] for one in some)
    return compiler or (len(some) >= MIN_RECORDS and reports.mostly(some))


SLOWEST = 12  # tests that come before others


def _slowest_first(items: Sequence[Item], records: Sequence[dict[str, Any]]) -> None:
    """Of tests that passed those that took long say something."""
    took = {n: one["duration"] for n, one in enumerate(records, 1) if type(one.get("duration")) in (int, float)}
    slow = {*sorted(took, key=took.__getitem__)[-SLOWEST:]}
    for item in items if took else ():
        item.weight *= 1.0 if item.start in slow else ROUTINE


def _from_document(source: Source, hints: Hints) -> Outline:
    text = source.text
    value, parsed = _load(source)
    if parsed is not None and len(parsed.documents) > 1:
        return load("json").outline(source, Hints())  # all of them, not the list of one
    main = find_list(value)
    if main is None:
        raise InputError("there is no list of objects in this input", hint="try --type json")
    path, records = main
    head, behind, rest = resumed(text) if parsed is not None and parsed.problem and not path else (0, 0, [])
    records += rest
    calls = all(record.keys() >= CALL for record in records) and any(type(one["response"]) is dict for one in records)
    if reports.mostly(records) or calls:
        return load("json").outline(source, Hints())  # findings with their places, calls with what they were answered
    tests = reported(of_document(value))
    torn = parsed is not None and any(node is records[-1] for node in begun(parsed))
    result = table(records, hints, tests=bool(tests), torn=torn)
    numbers = (c.numbers for c in result.stats.columns.values() if c.numbers.count)
    if parsed is None and any(max(abs(n.lo), n.hi) >= 2**63 for n in numbers):
        value, parsed = _load(source, exact=True)  # orjson makes floats of integers beyond 64 bits
        path, records = find_list(value) or main
        result = table(records, hints, tests=bool(tests))
    _slowest_first(result.items, records) if tests else None
    total = len(records)
    where = f" under {path}" if path else ""
    out = outlined(f"JSON: {total:,} records{where}", result, tests, hints)
    failed = failures_beside(value, path)
    others = [text for text in beside(value, path) if not text.endswith("=")]
    _say_beside(out, [text for text in others if not any(f.startswith(text.partition("=")[0]) for f in failed)])
    _say_failed(out, failed)
    if rest:
        lines, mark = [text.count("\n", 0, at) + 1 for at in (head, behind)], text[head : text.index("…", head + 1) + 1]
        out.notes.append(
            f"the tool cut the JSON in its middle (its line {lines[0]:,}, “{mark}”): record {total - len(rest):,} is "
            f"cut off, the next one begins in its line {lines[1]:,}; figures are of what is left"
        )
    elif parsed is not None:
        out.notes += _complaints(parsed, text)
        out.facts[1:1] = datatext.around("", parsed.behind(text))
    out.more = selectors(total, result.marks)
    if parsed is None or not (parsed.problem or parsed.constants):
        out.lossless.append(Lossless("JSON without whitespace", lambda: jsontext.minify(text), least(result.stats)))
    if not path and parsed is not None and not (parsed.problem or parsed.duplicates) and packing.uniform(records):
        packed = lambda: packing.pack(records) or text  # noqa: E731
        out.lossless.append(Lossless("table with its keys said once", packed, least(result.stats)))
    return out


def _say_beside(out: Outline, extra: list[str]) -> None:
    """What stands other keys: totals, cursors and flags always; longer values as lines that compete with rows."""
    short, lines, used = [], [""], 0
    prose = [text for text in extra if len(text) > BESIDE_LINE and " " in text][:1]  # a description: before rows
    rest = (text for text in extra if text not in prose)
    for text in sorted(rest, key=lambda text: (text.endswith(_EMPTY), _DATED.search(text) is not None)):
        if len(text) <= BESIDE_SHORT and used + len(text) <= BESIDE_SAID:
            short.append(text)
            used += len(text)
        elif len(lines[-1]) + len(text) > BESIDE_LINE and lines[-1]:
            lines.append(text)
        else:
            lines[-1] += f", {text}" if lines[-1] else text
    if short:
        sums = sum(is_number(text.rpartition("=")[2]) for text in short) >= SUMS
        few = out.total <= FEW_BESIDE or sums
        names = [text.partition("=")[0] for text in extra if text not in (*short, *prose)]
        least = "at least " * (len(extra) >= _PATHS)  # else these are all
        more = f", {least}{len(names)} more" * bool(names)
        more += f" ({', '.join(names)})" * (0 < len(", ".join(names)) <= BESIDE_SHORT)
        out.facts.insert(1 if few else 2, Fact(f"other keys: {', '.join(short)}{more}", 0 if few else 1))
    out.facts[2:2] = [Fact(text, 0) for text in prose]
    out.facts += [Fact(f"other keys: {line}", 3) for line in lines if line]


def _say_failed(out: Outline, failed: Sequence[str]) -> None:
    """Failures in other keys come before all else: their number, and the first ones whole."""
    if not failed:
        return
    ends = list(accumulate(map(len, failed)))
    whole = max(1, sum(size <= FAILURES_SAID for size in ends))
    many = counted(len(failed), "value") if len(failed) < MAX_FAILURES else f"{MAX_FAILURES} values and more"
    out.facts.insert(0, Fact(f"errors or warnings in other keys ({many}): {' · '.join(failed[:whole])}", 0))
    out.facts += [Fact(f"other keys: {text}", 1) for text in failed[whole:]]


def _load(source: Source, exact: bool = False) -> tuple[Any, jsontext.Parsed | None]:
    """The document, by orjson when large and well-behaved, else by the exact and forgiving reader."""
    if len(source.text) > EXACT and not exact:
        import orjson

        with suppress(orjson.JSONDecodeError):
            return orjson.loads(source.data), None
    parsed = jsontext.parse(source.text)
    if not parsed.documents:
        raise InputError(f"this is no JSON: {parsed.problem or 'it is empty'}", hint="try --type text")
    return parsed.documents[0], parsed


def _complaints(parsed: jsontext.Parsed, text: str) -> list[str]:
    notes = []
    if parsed.problem and not parsed.behind(text):
        line = text.count("\n", 0, parsed.end) + 1
        notes.append(
            f"the JSON is cut off or damaged at line {line:,}, character {parsed.end:,} of {len(text):,} "
            f"({parsed.problem}); all figures are of what stands before, the rest was not read"
        )
    if parsed.duplicates:
        names = ", ".join(f"{k} ×{n:,}" for k, n in list(parsed.duplicates.items())[:5])
        notes.append(f"keys that occur twice in one object: {names}; the last value counts")
    if parsed.constants:
        notes.append(f"{parsed.constants:,} NaN or Infinity, which are not JSON")
    return notes


_HOST_CUT = regex(r"…\d+ (?:tokens|chars) truncated…")
_FIRST = regex(r"\s*\[(?P<space>\s*)\{\s*(?P<key>\"[^\"\\]*\")")
MAX_TRIED = 8  # places where a list may go on


def resumed(text: str) -> tuple[int, int, list[dict[str, Any]]]:
    """Where a host cut out the middle of a list (``…812 tokens truncated…``), where it goes on, and with which objects:
    from one that stands and begins as the first does on, the rest is sound."""
    cut = _HOST_CUT.search(text) if "truncated…" in text else None
    first = _FIRST.match(text) if cut else None
    if cut is None or first is None:
        return 0, 0, []
    again = re.compile(rf"\}},{re.escape(first['space'])}(?=\{{\s*{re.escape(first['key'])})")
    for place in islice(again.finditer(text, cut.end()), MAX_TRIED):
        parsed = jsontext.parse(f"[{text[place.end() :]}")
        if len(parsed.documents) == 1 and not parsed.problem:
            return cut.start(), place.end(), parsed.documents[0]
    return 0, 0, []


# -- spans ------------------------------------------------------------------------------------------------------


def list_spans(text: str) -> Iterator[tuple[int, int]]:
    """The elements of the list that holds most text, each with its separator; the rest goes to the ends."""
    head, behind, rest = resumed(text)
    if rest:
        cuts = [*_elements(text[:head], 1), behind, *(behind - 1 + cut for cut in _elements(f"[{text[behind:]}", 1))]
    else:
        cuts = _elements(text)
    yield from ((start, end) for start, end in pairwise([0, *cuts, len(text)]) if start < end)


_STRUCT = regex(rf"{jsontext.STRING}|[\[\]{{}}]|,\s*+", re.S)


def _elements(text: str, least: int = MIN_RECORDS) -> list[int]:
    """Offsets behind the commas of the longest list (in characters) at depth ≤ 6, of so many elements."""
    stack: list[tuple[str, int, list[int]]] = []
    best: tuple[int, list[int]] = (0, [])
    for match in _STRUCT.finditer(text):
        mark = match[0][0]
        if mark == '"':
            continue
        if mark in "[{":
            stack.append((mark, match.start(), []))
        elif mark == "," and stack and len(stack) <= _NESTED and stack[-1][0] == "[":
            stack[-1][2].append(match.end())
        elif mark in "]}" and stack:
            kind, begin, cuts = stack.pop()
            size, filled = match.end() - begin, text[begin + 1 : begin + 64].lstrip()[:1] in "{["
            if kind == "[" and filled and len(cuts) >= least - 1 and size >= best[0]:
                best = (size, cuts)
    for kind, begin, cuts in stack:  # cut off
        if kind == "[" and len(cuts) >= least - 1 and len(text) - begin > best[0]:
            best = (len(text) - begin, cuts)
    return best[1]
