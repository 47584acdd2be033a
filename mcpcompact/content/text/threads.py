"""Comments, messages and mails below the lines that say who wrote them and when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcpcompact.outline import Item
from mcpcompact.patterns import regex

MIN, MAX, WORDS = 2, 160, 5  # headers of a thread; characters of one; words of a body that tells something
SAYS, DECIDES, NEWEST, LATER = 3.0, 0.6, 0.7, 0.3  # weight of how a body begins; more for what decides, the last, later
SHARE = 1.0  # of the room, how all bodies begin before any goes on
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]{0,6}\.?"
_STAMP = regex(
    rf"(?:(?:commented|wrote|said|replied|posted|added a comment|Mon|Tue|Wed|Thu|Fri|Sat|Sun|at|on)\b,? ){{0,4}}"
    rf"(?:\d{{4}}-\d\d-\d\d|{_MONTH} \d{{1,2}}\b,?(?: \d{{4}})?|\d{{1,2}} {_MONTH}(?: \d{{4}})?|"
    r"\d{1,3} \w{2,9} ago)(?:[T,]? ?(?:at )?\d{1,2}:\d\d[\d:.]*)?(?: ?(?:[AP]M|Z|UTC|GMT|[+-]\d\d:?\d\d))?"
)
_NAME = regex(r"[\W_]*@?[^\W\d_][\w.'-]*(?: \(?[^\W\d_a-z][\w.'-]*\)?)*(?: (?:wrote|said|commented))?[\W_]*$")
_BLOCK = regex(r"(?:From:? |author:\s)\s*\S")  # of the lines of a mail, of ``gh``
_FIELD = regex(r"(From|author|Date|created|Subject)?[A-Za-z-]{0,30}:(?:\s|$)")
_DAY = regex(r"\d{4}-\d\d-\d\d[T ]?[\d:]{0,8}")
_DECIDES = regex(
    r"(?i)(?:\S+\s+){0,12}?\W*(?:confirmed|approved?|agreed|decided|decision|accepted|rejected|closed|closing|superseded|"
    r"supersedes|reverted|reverting|merged|resolved|fixed|duplicate|won'?t fix|lgtm)\b"
)


def headers(lines: Sequence[str], filled: Sequence[int]) -> dict[int, int]:
    """The headers of a thread, each with where its body begins: two and more that stand behind blank lines or rulers,
    above bodies that mostly begin with a sentence."""
    ends = {i: end for i in filled if not (i and lines[i - 1].strip("-=_ \t")) and (end := _header(lines, i))}
    bodies = {i: next((n for n in range(end, len(lines)) if lines[n].strip()), i) for i, end in ends.items()}
    heads = {i: ends[i] for i, body in bodies.items() if body > i and body not in ends}
    return heads if 2 * sum(len(lines[bodies[i]].split()) >= WORDS for i in heads) >= len(heads) >= MIN else {}


def mails(lines: Sequence[str]) -> float:
    """How many mails, or comments with such fields, lines are that begin with one."""
    if not _BLOCK.match(next(filter(str.strip, lines), "")):
        return 0.0
    return float(len(headers(lines, [i for i, line in enumerate(lines) if line.strip()])))


def _header(lines: Sequence[str], i: int) -> int:
    """Where the body begins that a line, or the fields of a mail, are the header of; 0 of other lines."""
    line, end = lines[i].strip(), i + 1
    if _BLOCK.match(line):
        while end < len(lines) and _FIELD.match(lines[end]):
            end += 1
        return end + (lines[end : end + 1] == ["--"]) if end > i + 1 else 0
    stamp = _STAMP.search(line) if len(line) <= MAX else None
    if stamp is None or ":" in (line[: stamp.start()].rstrip()[-1:], line[stamp.end() :][:1]):  # a value, a chapter
        return 0
    return end if _NAME.match(line[: stamp.start()] + line[stamp.end() :]) else 0


def tells(line: str) -> bool:
    """Whether a field of such a header says who wrote, when and about what."""
    return (field := _FIELD.match(line)) is not None and field[1] is not None


def weigh(items: Sequence[Item], heads: Mapping[int, int], lines: Sequence[str]) -> None:
    """How each body begins comes before what any goes on with: what decides, the newest, later before earlier ones."""
    order = sorted(heads)
    stamps = ["".join(_DAY.findall("\n".join(lines[i : heads[i]]))[:1]) for i in order]
    order = order[::-1] if stamps[0] > stamps[-1] > "" else order
    places = {f"{i + 1}": n / len(order) for n, i in enumerate(order)}
    begun = set[str]()
    for item in items:
        head = item.section.partition(" ")[0]
        if head in places and item.weight > 0:
            item.flow = "sentences"
            if head not in begun:
                decides = _DECIDES.match(item.text.partition(" ")[2].lstrip()[:MAX]) is not None
                item.weight = SAYS + LATER * places[head] + DECIDES * decides + NEWEST * (head == f"{order[-1] + 1}")
                begun.add(head)
