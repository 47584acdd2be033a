"""HTML, XML and Markdown: sections and elements with exact line numbers, tables by their columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from mcpcompact.collector import paused
from mcpcompact.content.columns.values import words
from mcpcompact.content.markup.markdown import FENCE, HEADING, LINK, LIST, RULE
from mcpcompact.errors import InputError
from mcpcompact.outline import Hints, Outline, Sample, Source, Verdict, split_lines
from mcpcompact.patterns import regex

_COMMENTS = r"(?:(?><!--.{0,8000}?-->)\s*+|(?><\?xml[^>]{0,200}\?>)\s*+)*+"
_HTML = regex(_COMMENTS + r"<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
_FIRST = regex(
    _COMMENTS
    + r"(?:<!DOCTYPE[^>\[]{0,500}+(?:\[[^\]]{0,4000}+\])?\s*+>\s*+)?"
    + _COMMENTS
    + r"<([A-Za-z_][\w:.-]{0,100})[\s/>]",
    re.S,
)
_TAGS = regex(r"</?[A-Za-z][\w:.-]{0,60}(?:\s[^<>]{0,2000})?>")
_HTML_TAGS = words(
    "a abbr article aside b blockquote body br button center code dd details div dl dt em fieldset figure font footer "
    "form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input label li link main meta nav ol p pre script section "
    "select small span strong style table tbody td textarea th thead title tr ul video"
)
_NUMBERED = regex(r"\s{0,8}\d{1,7}(?:→|\t|: ?| \| )")
_DIFF = regex(r"diff --(?:git|cc|combined) |--- \S|@@ -\d|Index: \S|commit [0-9a-f]{7,40}\b")
_CODE_LINE = regex(
    r"\s*(?:def |class |import |from \S+ import|function |func |fn |if |elif |else\b|for |while |return\b|export |"
    r"const |let |var |public |private |package |use |#include|#define|"
    r"echo |set |fi$|done$|esac$|\}|\{)|[^;{}]*+[;{}]\s*$"
    r"|[\w.\"'-]{1,40}:(?:\s|$)|[A-Za-z_][\w.]{0,40}\s*=\s?\S"
)
_STRONG_CODE = regex(
    r"\s*(?:def \w+\(|class \w+[(:]|import \w+$|import \w+ as |from [\w.]+ import |#include|package \w+;?$|func \w*\(|"
    r"async def |@\w+(?:\(|$)|public \w+ \w+|private \w+ \w+|\w+ = \w+\(.*\)$|return \w+[;(.]|fi$|done$|\w+=\"?\$)"
)
_UNDERLINE = regex(r"(?:=+|-+)\s*$")
_LOG_LINE = regex(
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d|(?:INFO|WARN|ERROR|DEBUG)\b"
)


LOOK = 2_000  # lines that tell what it is


def sniff(sample: Sample) -> Verdict:
    head = sample.head.lstrip("\ufeff \t\r\n")
    if not head:
        return Verdict(0.0)
    if head[0] == "<":
        return _tagged(head, sample.tail or head)
    from mcpcompact.content.markup import snapshot as _snapshot

    verdict = _snapshot.sniff(sample.lines[:LOOK])
    return verdict if verdict.score else _prose(sample.lines[:LOOK])


def outline(source: Source, hints: Hints) -> Outline:
    if source.large:
        raise InputError("this markup is too large to be read at once", hint="use --type text, or split it")
    text = source.text
    with paused():
        return _by_flavour(text, flavour(text))


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Markdown by heading, XML and HTML by the lines that open a block; else by blank lines."""
    start = 0
    for match in _BREAK.finditer(text):
        if match.start() > start:
            yield start, match.start()
            start = match.start()
    if start < len(text):
        yield start, len(text)


_BREAK = regex(
    r"^(?=#{1,6}[ \t]|\s{0,40}<(?:h[1-6]|section|article|table|tr|p|div|li|testcase|testsuite|file|item|entry|error)\b)"
    r"|(?<=\n)\n+(?=\S)",
    re.M | re.I,
)


def flavour(text: str) -> str:
    """``html`` or ``xml``, from the first tag; what starts with none is ``snapshot``, ``rst`` or ``markdown``."""
    head = text[:20_000].lstrip("\ufeff \t\r\n")
    if head[:1] != "<":
        from mcpcompact.content.markup import rst as _rst
        from mcpcompact.content.markup import snapshot as _snapshot

        lines = split_lines(head)
        return "snapshot" if _snapshot.sniff(lines).score else "rst" if _rst.sniff(lines) else "markdown"
    if _HTML.match(head) and not re.match(r"<\?xml.{0,400}<(?!html|!doctype)", head, re.I | re.S):
        return "html"
    if head.startswith("<?xml"):
        return "xml"
    first = _FIRST.match(head)
    if first is None:
        return "html" if len(_TAGS.findall(head)) > 3 else "markdown"
    if first[1].lower() not in _HTML_TAGS:
        return "xml"
    if re.search(r"(?m)^#{1,6} \S|^```", head):
        return "markdown"  # a README that opens with centred HTML
    return "html"


def _by_flavour(text: str, kind: str) -> Outline:
    from mcpcompact.content.markup import html as _html
    from mcpcompact.content.markup import markdown as _markdown
    from mcpcompact.content.markup import rst as _rst
    from mcpcompact.content.markup import snapshot as _snapshot
    from mcpcompact.content.markup import xml as _xml

    if kind == "xml" and (made := _xml.outline(text)) is not None:
        return made
    if kind in ("rst", "snapshot"):
        return _rst.outline(text) if kind == "rst" else _snapshot.outline(text)
    return _markdown.outline(text) if kind == "markdown" else _html.outline(text)


def _tagged(head: str, tail: str) -> Verdict:
    if head.startswith(("<?php", "<%")):
        return Verdict(0.0)
    if _HTML.match(head):
        return Verdict(0.95, "HTML")
    if head.startswith("<?xml"):
        return Verdict(0.95, "XML declaration")
    first = _FIRST.match(head)
    if first is None:
        return Verdict(0.0)
    kind = flavour(head)
    if kind == "markdown":
        verdict = _markdown(split_lines(head))
        return Verdict(max(verdict.score, 0.5), "Markdown that opens with HTML")
    found = _TAGS.findall(head)
    closing = sum(1 for tag in found if tag[1] == "/")
    if re.search(rf"</{re.escape(first[1])}\s*>\s*$", tail[-4000:]):
        code = first[1].lower() in ("template", "script") and "export default" in head
        return Verdict(0.5 if code else 0.9, f"<{first[1]}> to </{first[1]}>")
    if len(found) >= 4 and closing and sum(map(len, found)) > 0.1 * len(head):
        return Verdict(0.7, f"{len(found)} tags")
    return Verdict(0.0)


def _prose(lines: list[str]) -> Verdict:
    """reStructuredText, whose outer lines are no statements, else Markdown."""
    from mcpcompact.content.markup import rst as _rst

    outer = [line for line in lines if line[:1].strip()]
    if sum(1 for line in outer if _STRONG_CODE.match(line[:500])) * 10 <= len(outer) and _rst.sniff(lines):
        return Verdict(0.92, "underlined titles, directives")
    return _markdown(lines)


def _markdown(lines: list[str]) -> Verdict:
    """Several signals together: a ``#`` or a ``-`` alone is also YAML, shell, Python, a log."""
    if not lines or lines[0].startswith("#!") or any(_DIFF.match(line) for line in lines[:3]):
        return Verdict(0.0)
    filled = [line for line in lines if line.strip()]
    if not filled or sum(1 for line in filled if _NUMBERED.match(line)) > 0.6 * len(filled):
        return Verdict(0.0)
    signals: Counter[str] = Counter()
    prose = code = strong = logs = noise = 0
    fence, previous = False, ""
    front = lines[0] == "---" and "---" in lines[1:60]
    body = lines[lines.index("---", 1) + 1 :] if front else lines
    for n, line in enumerate(body):
        line = line[:500]
        if FENCE.match(line):
            fence = not fence
            signals["fence"] += 1
            continue
        if fence or not line.strip():
            previous = line
            continue
        after = body[n + 1] if n + 1 < len(body) else ""
        if HEADING.match(line):
            alone = (
                not previous.startswith("#") and not after.startswith("#") and not (previous.strip() and after.strip())
            )
            signals["heading"] += alone
            noise += previous.startswith("# ") or after.startswith("# ")
        elif line.startswith("#"):
            noise += 1  # a comment: "#key = value", "#####"
        else:
            prose += 1
            code += _CODE_LINE.match(line) is not None
            strong += _STRONG_CODE.match(line) is not None
            logs += _LOG_LINE.match(line) is not None
            signals["heading"] += _UNDERLINE.match(after) is not None and len(after.strip()) >= 3 and len(line) < 80
        for name, pattern in _SIGNALS:
            signals[name] += pattern.search(line) is not None
        previous = line
    signals = +signals
    if (
        logs > 0.3 * prose
        or code > 0.3 * prose + (3 if signals["fence"] else 1)
        or (strong > 1 and strong * 50 > prose)
    ):
        return Verdict(0.0)
    if noise > 1 and noise * 3 > signals["heading"] and noise * 20 > len(filled):
        return Verdict(0.0)
    if set(signals) <= {"list", "emphasis"} or (set(signals) <= {"table", "list", "emphasis"}):
        return Verdict(
            0.3 if "table" in signals and len(filled) > 2 else 0.0, "a Markdown table alone" * ("table" in signals)
        )
    kinds = len(signals) + front
    said = ", ".join(f"{k} {n}" for k, n in signals.items())
    if signals.get("heading", 0) + signals.get("fence", 0) >= 1 and kinds >= 3:
        return Verdict(0.85, said)
    if kinds >= 2 and (signals.get("heading", 0) >= 2 or kinds >= 3):
        return Verdict(0.7, said)
    if kinds >= 2 and signals.get("heading", 0):
        return Verdict(0.5, said)
    return Verdict(0.2 if signals.get("heading", 0) > 2 else 0.0, said)


_SIGNALS = (
    ("link", LINK),
    ("list", regex(rf"^{LIST.pattern}")),
    ("table", regex(rf"^{RULE.pattern}")),
    ("emphasis", regex(r"(?<![\w*])\*\*[^*\s][^*\n]{0,200}\*\*|(?<![\w`])`[^`\n]{1,200}`(?!`)")),
    ("quote", regex(r"^> \S")),
)
