"""What is one item of source though it has several lines: short statements, types and comments as they stand."""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import accumulate, pairwise

from mcpcompact.content.code.scan import ASIDE, DEFINED, MIN, VALUES, Scan
from mcpcompact.content.shared.languages import TEST, scalars
from mcpcompact.content.shared.nesting import BRANCH, MAPPING, QUOTES, columns
from mcpcompact.content.shared.views import View
from mcpcompact.outline import Item
from mcpcompact.patterns import regex

TWO, STATEMENT, ROOM = 2, 6, 160  # lines of a statement that stand together, characters of them
SIGNATURE, HEAD_ROOM = 16, 480  # lines of a signature that stands whole, characters of it
BLOCK, NARROW = 3, 200  # lines of a block: a condition and what it guards; of more, fewer names fit
_SIGNS = regex(r"[\w>\]]\(")  # parameters begin; a group, a query and a list have a blank before their bracket
_LITERAL = regex(r"(?:[=(:\[,] ?|[\w>]|\b(?:return|import|export) )\{\s*$")
TAIL = 16  # characters at the end of a line that tell what a bracket opens
_BLOCK, _CLOSES, _SENTENCE = ("{", ":"), tuple(")]}"), tuple(".:!?;")
OPEN, NAMES = 0.5, 2.9  # factor on the weight of a line that opens what does not stand with it, but for definitions
NAMED = 1.5  # weight of a type without its fields: no more than a statement; its name stands among the further ones
_TYPE = regex(r"\s*(?:(?:export|declare|pub\S*|private|readonly|const) )*(?:type|interface|enum|struct)\b")
OUTER, LESS = DEFINED[0], 0.05  # weight of outermost definitions; how much more those have that others may use
_OFFERED = regex(r"(?:export|pub|public|open)\b|func (?:\([^)]*\) )?[A-Z]")
_TELLS = regex(  # what goes on to a user (a group), an operator or other threads: no part of it
    r"\s*(?:await )?(?:(?:\w+\.)*?(?:(console|fmt\.F?[Pp]rint\w*|System\.out|printf?)|s?log|logger|logging)\b[.(]"
    r"|(e?println!\()|(?:\w+\.)*(?:analytics|telemetry|metrics)\.\w+\(|(?:defer )?(?:\w+\.)+R?(?:Unl|L)ock\(\)$)"
)
TOLD, NOTED = 0.5, 0.4  # weight of such a line; of one for others: so much that it is not drawn along between two
_SCRAP = regex(r"\s*(?:package [\w.]+;?|(?:var|let) \w+(?:: |, \w+)*(?: [\w.*\[\]]+)?;?)$")  # says nothing alone
_EXPECTS = regex(
    r"\s*(?:(?:self\.)?assert|(?:await )?expect\(|require\.|t\.(?:Error|Fatal)"
    r"|if (?!.*\berr != nil).*(?:\b(?:want|expected)\w*\b|\{\n\s*t\.(?:Error|Fatal)))"
)
_WANTS = regex(r"(?i)want|expect")
EXPECTED, GIVEN = 1.5, 0.4  # factors on what a test expects, and on the entries of what it sets up
_DECLARED = regex(r"\s+[\w-]+: [^{};]+;$")  # of a rule of CSS
_FIELD = regex(r"\s+\w+: [^\s#;{}][^#;{}]*[^\s#;{}(\[,](?: {1,2}#.*)?$")  # of a class of Python
FIELDS, FIELDS_ROOM, MAPPED = 12, 480, 240  # lines of a type that stands whole, its characters, those of a mapping
WHOLE, TABLE = 1_000, "[["  # characters of an entry that stands whole; one of TOML begins so
TABLED = 0.1, 0.4  # factors on the weight of what rows tell of: a line of an entry, all of one
BEGINS, LATER = 3, 0.1  # lines of a text within YAML that it begins with; factor on the weight of later ones
MIDDLE = 4  # parts of a long sentence of a comment that come along with a further one
LONG = 1_000  # characters of a line whose brackets are counted
STRING = regex(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`")


def stated(items: list[Item], scan: Scan) -> list[Item]:
    """A short statement over several lines, a signature and its parameters, a condition with the few lines that
    it guards, and what a comment says, are one item: whole or not at all. What opens more than that says
    less: it comes along with the lines below it. Of a text within YAML that is long what it begins with is read first;
    a short one stands whole with its key."""
    view, texts, kept, comments = scan.view, scan.texts, list[Item](), scan.comments
    inside = scalars(texts) if scan.languages == ["YAML"] else ()
    known = {item.start - 1: item for item in items}
    cases = {row.start: row.end + 1 for row in scan.rows if row.whole}
    cased = {i: row.named + 1 for row in scan.rows if not row.whole for i in range(row.named + 1, row.end + 1)}
    given = {row.start for row in scan.rows if not (row.name or _WANTS.search("".join(texts[row.start : row.end])))}
    wholes = scan.wholes | cases
    begun = 0  # the key of the text within YAML
    moved: dict[int, int] = {}  # lines that stand in the item of another
    for item in items:
        item.under = max(moved.get(item.under, item.under), cased.get(item.start - 1, 0))
        if item.start in moved:
            continue
        i = item.start - 1
        kept.append(item)
        plain = view.numbers[i] > 0 and not item.reason
        scalar = plain and i + 1 < len(inside) and inside[i + 1]
        outlined = view.elided and item.part[0] and texts[i].rstrip().endswith(_BLOCK)  # bodies would push heads out
        end, room = _end(texts, i, known, comments) if plain and not outlined else (0, 0)
        if scalar and not inside[i]:
            begun = i
            end, room = next((j for j in range(i + 1, len(inside)) if not inside[j]), len(inside)), MAPPED
            if sum(map(len, texts[i:end])) > MAPPED:
                end, room = i + TWO, 2 * MAPPED  # no key without what it begins with
        if plain and i in wholes:
            end, room = wholes[i], WHOLE
        later = LATER if inside[i : i + 1] == [True] and i - begun > BEGINS else 1.0
        parts = [known[j] for j in range(i + 1, end) if j in known]
        entry = i in cases or (i in wholes and texts[i][:2] == TABLE)  # is kept whole, if a part of it is
        apart = not parts or any((part.keep and not entry) or part.part[0] for part in parts)
        text = "" if apart else _joined(item, view, end)
        if 0 < len(text) <= room:
            item.text, item.end, item.whole = text, end, True
            item.weight = max(item.weight, *(part.weight for part in parts))
            most = max([item, *parts], key=lambda part: part.keep)
            item.keep, item.reason, item.template = most.keep, most.reason, most.template
            moved |= dict.fromkeys(range(item.start + 1, end + 1), item.start)
        elif plain and i not in comments and item.weight < NAMES and texts[i].lstrip()[:1] not in _CLOSES:
            opens = texts[i].rstrip().endswith(_BLOCK) or _balance(texts[i]) > 0
            item.weight *= OPEN if opens else 1.0
        elif plain and item.part[0] and _is_type(texts[i]):
            item.weight = min(item.weight, NAMED)
        elif item.part[0] and _signs(texts[i]):
            item.part, item.head = ("", 0), (item.part[0], head_end(texts, i) + 1)  # its first line is no signature
        own = "\n".join(texts[i : item.end])
        item.weight = _weight(item, own, i in scan.tested, scan.mostly and i not in scan.tested)
        item.weight *= later * (TABLED[item.whole] if i in scan.tabled else GIVEN if i in given else 1.0)
    _join_sentences(kept, texts, comments)
    return kept


def _weight(item: Item, text: str, tested: bool, beside: bool) -> float:
    """A definition that others may use weighs more than others, less do a value, a message, a scrap, and what stands
    ``beside`` tests."""
    if item.part[0] or item.weight >= NAMES:
        outer = LESS * (item.weight == OUTER)  # values come behind what takes and gives them
        return item.weight + outer * (_OFFERED.match(text) is not None) - outer * (item.part[0] == VALUES)
    if tested and _EXPECTS.match(text):
        return item.weight * EXPECTED
    tells = _TELLS.match(text)
    most = (TOLD if tells.lastindex else NOTED) if tells else MIN if _SCRAP.match(text) else item.weight
    return min(most, item.weight * (ASIDE if beside else 1.0))


def _join_sentences(items: Sequence[Item], texts: list[str], comments: Container[int]) -> None:
    """What goes on with a sentence of a comment stands under what begins it."""
    within = 0
    for before, item in pairwise(items):
        i = item.start - 1
        above, text = texts[i - 1].rstrip(), texts[i].lstrip("/*#-<!;'\" ")
        goes_on = before.end == i in comments and not above.endswith(_SENTENCE) and any(map(str.isalnum, above))
        goes_on = goes_on and text[:1].islower() and columns(texts[i]) == columns(above)
        within = (within + 1) * (goes_on and within < MIDDLE)
        item.under = before.start if within else item.under


def head_end(texts: list[str], i: int) -> int:
    """The last line of the signature that line ``i`` begins, ``i`` where its brackets stay open for long."""
    open_ = accumulate(map(_balance, texts[i : i + SIGNATURE]))
    return next((k for k, depth in enumerate(open_, i) if depth <= 0), i)


def _signs(text: str) -> bool:
    """Whether a line that defines something ends within its parameters, not in a body."""
    head = text.rstrip()
    ends = head[-1] not in _BLOCK or head.endswith("({")
    return ends and _balance(head) > 0 and not TEST.match(head.lstrip()) and _SIGNS.search(head) is not None


def _is_type(text: str) -> bool:
    """Whether a line begins the fields of a type: its name alone says little."""
    return text.rstrip().endswith(_BLOCK) and _TYPE.match(text) is not None


def _joined(item: Item, view: View, end: int) -> str:
    """The lines of an item up to ``end``, "" where their numbers do not follow each other."""
    number, i = view.numbers[item.start - 1], item.start - 1
    if view.numbers[i:end] != [*range(number, number + end - i)]:
        return ""
    return "\n".join([item.text, *map(str.rstrip, view.texts[i + 1 : end])])


def _end(texts: list[str], i: int, known: dict[int, Item], comments: Container[int]) -> tuple[int, int]:
    """The index behind what line ``i`` begins, 0 for nothing, and the characters that it may have."""
    text = texts[i].rstrip()
    block = text.endswith(_BLOCK) and not _LITERAL.search(text[-TAIL:])
    if i in comments:
        end, size = i + 1, len(texts[i])
        while end in comments and (end in known or texts[end - 1].endswith(":")):
            most = ROOM if texts[end - 1].endswith(_SENTENCE) else 2 * ROOM
            if size + len(texts[end]) >= most or texts[end].lstrip().startswith(QUOTES[1:]):
                break
            size, end = size + len(texts[end]), end + 1
        return end, 3 * ROOM
    over = texts[known[i].under - 1].strip() if known[i].under else ""
    if _FIELD.match(texts[i]) and not _FIELD.match(texts[i - 1]) and over.startswith("class ") and over.endswith(":"):
        return _behind_fields(texts, i), MAPPED
    if known[i].part[0] and (extent := _of_head(texts, i, block)) is not None:
        return extent
    if texts[i].lstrip()[:1] in _CLOSES or texts[i].strip() == "{":
        return 0, 0
    return (_behind(texts, i, BLOCK, block), NARROW) if block else (_behind(texts, i, STATEMENT, block), ROOM)


def _of_head(texts: list[str], i: int, block: bool) -> tuple[int, int] | None:
    """The same of what line ``i`` defines, None of a statement like others."""
    if last := _ruled(texts, i):
        return last, FIELDS_ROOM
    if _is_type(texts[i]):
        return _behind(texts, i, FIELDS, True), FIELDS_ROOM
    if not block and len(texts[i]) < MAPPED and MAPPING.match(texts[i]):
        return _behind(texts, i, FIELDS, False), MAPPED
    if texts[i].rstrip().endswith("(") and "".join(texts[i + 1 : i + 2]).lstrip().startswith(('"', "'", "`")):
        return i + 2, MAPPED  # a test and its title
    if _signs(texts[i]) and (last := head_end(texts, i)) > i:
        return last + 1, HEAD_ROOM  # its parameters tell it from its like
    body = BLOCK * (not any(map("".join(texts[i + 1 : i + 2]).__contains__, QUOTES)))  # of one line, which is no text
    return (_behind(texts, i, body, block), ROOM) if block else None


def _ruled(texts: list[str], i: int) -> int:
    """The index behind the rule of a style sheet whose selectors line ``i`` begins, behind these where it is long; 0
    where it is none."""
    if not texts[i].rstrip().endswith((",", "{")):
        return 0
    body = next((k for k in range(i, min(i + SIGNATURE, len(texts))) if not texts[k].rstrip().endswith(",")), i) + 1
    end = _behind(texts, body - 1, FIELDS, True) if _DECLARED.match("".join(texts[body : body + 1])) else 0
    return end if 0 < sum(map(len, texts[i:end])) < FIELDS_ROOM else body * (body > i + 1 or end > 0)


def _behind_fields(texts: list[str], i: int) -> int:
    """The index behind the fields of a class that line ``i`` begins, 0 where they are many."""
    end, depth = i + 1, columns(texts[i])
    while end < len(texts) and columns(texts[end]) == depth and _FIELD.match(texts[end]):
        end += 1
    return end if end - i <= FIELDS else 0


def _behind(texts: list[str], i: int, most: int, block: bool) -> int:
    """The index behind what line ``i`` begins: the brackets that it opens, lines that go on further in, a block of few
    lines; 0 where it begins nothing or where that is long."""
    head = texts[i].rstrip()
    depth, open_ = columns(head), _balance(head)
    for end in range(i + 1, min(i + most, len(texts))):
        text = texts[end].rstrip()
        stripped, further = text.lstrip(), columns(text) - depth
        closes = not further and (stripped[:1] in _CLOSES or BRANCH.match(stripped))
        if closes and block and text.endswith(_BLOCK):  # a further branch
            continue
        if not open_ and (not text or not (further > 0 or closes)):
            return end if end > i + 1 else 0
        open_ += _balance(text)
        if open_ < 0 or (closes and not open_) or (text.endswith(_BLOCK) and not (open_ or block)):
            return end + 1
    return 0


def _balance(text: str, opens: str = "([", closes: str = ")]") -> int:
    """How many more brackets a line opens than it closes; 0 of one that is too long to be part of a statement."""
    if len(text) > LONG or not any(map(text.__contains__, opens + closes)):
        return 0
    code = STRING.sub("", text) if any(map(text.__contains__, "\"'`")) else text
    return sum(map(code.count, opens)) - sum(map(code.count, closes))
