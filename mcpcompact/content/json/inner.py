"""Long strings that hold something of a kind of its own: a log, a table, a diff."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from mcpcompact.content.json.alike import bookkeeping
from mcpcompact.content.json.rows import FEW_SPOKEN
from mcpcompact.content.shared.flow import ABOUT, LINE, LONG_TEXT, VERDICT, is_json
from mcpcompact.content.shared.tree import Group, Key
from mcpcompact.encoded import Encoded
from mcpcompact.errors import InputError
from mcpcompact.outline import Fact, Hints, Item, Outline
from mcpcompact.patterns import regex
from mcpcompact.source import Source

MAX_INNER = 4  # long strings that are outlined as what they hold
TEXTS = (str, Encoded)
PROSE = ("text", "markup", "code")  # their facts are counts of what is shown
PLAIN = ("text", "markup")  # read by their lines


def inner_outline(value: str, hints: Hints) -> Outline | None:
    """The outline of what a long string holds, if that is a kind of its own and no prose."""
    from mcpcompact.content.detect import detect, load

    inner = Source.of_text(value)
    try:
        kind = detect(inner).content_type
        result = load(kind).outline(inner, hints)
    except (InputError, ImportError, AttributeError):
        return None
    if kind in PLAIN and value.lstrip()[:1] != "<":
        return None
    if kind == "code" and result.headline.endswith(" of Markdown"):  # read by its lines, as all prose is
        return None
    if kind in ("code", "diff"):
        result.items = _joined(result.items, kind, value.split("\n"))
    for item in result.items if kind == "markup" and "\n" not in value else ():
        item.text = item.text.removeprefix("1 ")  # its only line
    return result


def weights_in(inner: Outline, size: int, whole: int) -> tuple[float, float]:
    """The least weight of what a string of this size holds, and the factor on all of it, in so much text."""
    patch = inner.content_type == "diff" and size > LONG_PATCH
    least = LATER if inner.header and not patch else 0.0  # rows stand among other values here
    return least, 1.0 if 2 * size >= whole else PATCH if patch else PART


def _joined(items: Iterable[Item], kind: str, lines: Sequence[str]) -> list[Item]:
    """Code and diffs that a string holds: each definition with what follows it, each run of lines that change, is read
    from its beginning on, blank lines as well: a mark counts what is left out of it by its lines. Of hunks that are
    headed alike the further ones say their line."""
    joined: list[Item] = []
    headings, heading, own = set[str](), "", ""
    for item in items:
        if item.section != heading:
            heading = own = item.section
            own += f" (line {item.start})" if own in headings and kind == "diff" else ""
            headings.add(heading)
        last = joined[-1] if joined else None
        body = kind == "code" and item.weight < DEFINED and not item.keep
        run = last and kind == "diff" and item.text[:1] == last.text[:1] in ("+", "-")
        if last and (body or (run and own == last.section and item.start == last.end + 1)):
            blank = sum(not line.strip() for line in lines[last.end : item.start - 1])
            last.text += "\n" * blank + f"\n{item.text}"
            last.end, last.weight = item.end, max(last.weight, item.weight * bool(run))
        else:
            joined.append(replace(item, section=own))
    return joined


def checked(items: list[Item]) -> list[Item]:
    """What a bot or a reviewer found, before the numbers of things: where the request asks how checks went."""
    for item in items:
        item.weight = CHECKED if VERDICT.search(item.text) else item.weight
    return items


def begins(items: list[Item], tables: Iterable[Fact], key: Key) -> list[Item]:
    """The lines of a text; of one of a few comments of which no table shows the beginning its first sentence before the
    lines of others."""
    heads = [table.text.partition("\n")[0] for table in tables if table.text.count("\n") <= FEW_SPOKEN]
    for item in items if heads and not any(f"|{key}" in head for head in heads) else ():
        item.weight *= BEGINS if item.weight >= ABOUT else 1.0
    return items


BEGINS = 2.0  # factor
DEFINED = 3.0  # weight of a definition, at least
LATER = 0.6  # weight of rows of a table in a string, at least
PART = 0.5  # weight of what a text holds that is not most of the document
PATCH, LONG_PATCH = 0.25, 8_000  # of a diff of so many characters, beside what it is for
CHECKED = 4.1
CHECKS = regex(r"(?i)\b(?:ci|checks?|builds?|deploy\w*|pipelines?|workflows?|tests?)\b")


def long_strings(groups: list[Group]) -> set[int]:
    """The few longest texts, by id of the string: these are outlined as what they hold."""
    read = (g for g in groups if not g.types.isdisjoint(TEXTS) and not bookkeeping(g.path))
    texts = [v for group in read for v in group.nodes if isinstance(v, str) and len(v) > LINE]
    texts = [v for v in texts if (len(v) >= LONG_TEXT and ("\n" in v or v[:1] == "<")) or is_json(v)]
    return {id(v) for v in sorted(texts, key=len, reverse=True)[:MAX_INNER]}
