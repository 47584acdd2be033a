"""Lines of prose as units that can be quoted: paragraphs, list items and runs of code, each below what leads to it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Sequence
from itertools import pairwise, takewhile

from mcpcompact.content.markup.shapes import FENCE, IMPORT, IMPORTS, turns
from mcpcompact.content.shared.series import HEADING, entries
from mcpcompact.outline import Item, Series, record
from mcpcompact.patterns import regex

SUB = 7  # level of a title that is no heading by its mark: a question, the name of a section that sums up
BOLD = 8  # of a step or a line in bold among headings: it stands above what it names, and says nothing alone
KEY = regex(
    r"(?i)(?:tl;?dr|abstract|(?:executive |key )?(?:summary|findings|results|takeaways)|conclusions?|introduction|"
    r"overview(?! (?:&|and) contents)|at a glance|in short|highlights|summary of .{1,40}|"
    r"(?:(?:current|known) )?(?:issues|limitations)|(?:current |development |project )?(?:status|stage)$|"
    r"why (?:choose|use) .{1,40}|(?:key |main )?features$|root causes?|verdict|"
    r"recommendations?|recommended \w+|action items|next (?:\w+ )?(?:steps|priorities|actions|tasks)|failure modes|"
    r"lessons(?: learned)?|what we (?:found|learned)|how [\w-]+ fails?|if you remember .{1,40}|"
    r"(?:[\w-]+ ){1,2}(?:summary|findings|takeaways|verdict)$|"
    r"(?:[\w&-]+ ){0,2}(?:after|benchmark|evaluation|experimental|main|overall|performance|test) results$)"
)  # sections that say what it all comes to
HOW = regex(
    r"(?i)\W*(?:\d{1,2}[.)] )?(?:(?:basic |example )?usage|hello,? world|quick[ -]?start|getting started|"
    r"install(?:ation|ing)?|build(?:ing)?|set[ -]?up|synopsis|"
    r"(?:run(?:ning)?|your first)(?: .*|)|how to (?:use|install|build|run)\b.*)\W*"
    r"(?:$|[(]|(?:from|with|on|in|for|via|and|using|instructions|guide|examples?)\b)"
)  # sections that say by an example how something is used
LEAD = 160  # characters of a sentence or entry that stands above what it leads to: what the fill engine shows whole
BROUGHT = 320  # characters of a longer text that ends in a colon, which stands with the first of what follows
SHORT = 50  # characters: a lead so short costs little; what stands below a longer one says itself what it is about
NESTED = 8  # entries, each within the one before; deeper ones draw a tree
LEADS, ABOVE = 200, 800  # characters of all of them above one entry; of what leads to the last of them
WRAPPED = 55  # characters from which on a line may have been wrapped; a shorter one ends where its writer ended it
WORDS = 4  # in a line of prose, a third of them of letters alone
LONG = 400  # lines of a long document
LONGEST = 20_000  # characters of a paragraph: each further line would copy all before it
PARENTS = 2  # headings above a text: its own, and the one that this belongs to
HEADED = 3  # headings: beside so many lines in bold are none
PROSE = 9  # words: a shorter text (a date, a name) is no introduction
_DIGIT, _FULL = regex(r"\d"), regex(r"[。，]")  # a sentence of a script without blanks
_MARK = regex(r"\s*(?:(?:[-*+]|•|\d{1,3}[.)])\s+)?")
CODE_TEXT = 240  # characters of quoted code that stand together, at most
SHORT_SAMPLE, SAMPLE, HEAD = 330, 6_000, 80  # of an example: whole or not; from its beginning on; how data begins
HOWS = 3  # examples of such sections; more of them would take the room of all else
FIRST_CODE = 600  # characters of the first example of a long document, which shows how it is used
LISTED = 300  # characters of a list that stands whole below the line that leads to it
DRAWING, DRAWN = 4_000, 600  # characters of a diagram that are joined, at most; of one that stands whole below its lead
ONLY = 10**6  # depth of a line that leads to the example right below it, and to no list behind that
BESIDE = 2  # lines from a label to its figure, one of them blank
_SAMPLES = ("code", "fence")
_LED = ("li", "text", "table", *_SAMPLES)
_FOLLOW = (*_LED, "drawing", "alert")  # what a text that ends in a colon may be about
FOOT = 4  # times as many other blocks: of fewer the links at the end are the list that was asked for
_ELSEWHERE = regex(r"\s*(?:[-*+] \[[^\[\]]*\]\([^()\s]*\)|[A-Z][\w ]{0,60}: https?://\S+)\s*$")  # it says where more is
HOST = regex(r'"(?:jsonld|meta_tags|(?:og|fb|al|twitter):[\w:]{1,40})": ', holds='":')  # what a page tells others
_LIST = regex(r"\s{0,200}(?:[-*+]|•|\d{1,9}[.)]|[a-zA-Z#][.)])\s+\S")
_COLON = regex(r".*(?::|\bfollowing (?:[\w`-]+ ){0,3}[\w`-]+\.)[*_\"')\]]{0,4}\s*$")
_BOLD = regex(r"\s*\*\*[^*\n]+\*\*[.:]?\s*$")
SAYS = regex(
    r"(?i)\s*(?:[-*+] )?\*\*(?P<label>(?:overall|final|result|(?:current )?status|risk|summary|"
    r"(?P<judges>recommendation|verdict|finding|assessment|conclusion|bottom line|decision)|"
    r"root cause|(?:core|key) (?:finding|insight|lesson|point|principle|takeaway)s?|"
    r"(?P<note>important|severity|warning|caution|critical|danger))\b[^*:\n]{0,30})(?::\*\*|\*\*:|:)\s*\w"
    r"|\s*\*\*(?:No|None|Nothing|All|Everything)\b[^*\n]{8,120}[.!]\*\*$"
)  # a line in bold that says what it all comes to, or that its writer calls important
_BOLD_TITLE = regex(
    r"\s{0,3}(?:(?:\d{1,3}[.)]|[-*+])\s+)?(?:\*\*|__)[^*\n]{1,100}(?:\*\*|__)[:.]?\s*(?:\([^()\n]{1,60}\):?)?\s*$"
)
_TITLE = regex(r"[A-Z][a-z]+(?: [\w&-]+){1,4}$")  # of a part, where it stands above several
_QUESTION = regex(r"\s{0,3}(?:\*\*)?Q(?:uestion)?\s?\d{0,3}[:.]\s+\S")
_NAMED = regex(r"\s*\*\*[^*\n]+\*\*.{0,60}$")
_TURNS = regex(
    r"(?i)\b(?:no|not|never|avoid|without|except|unless|instead|forbidden|if|when|all|both|either|any|must|only)\b|n't\b"
)
_FIGURE = regex(r"\W{0,3}\d[\d.,]{0,12}\s?(?:\W{1,2}|[A-Za-z%]{1,3})?$")
_LABEL = regex(r"\d{0,3}[^\W\d_][^:=;(){}\[\]]*$")  # ``P/E``, ``52wk High``
_OPENS = regex(r"\b(?:then|do)$", re.M)  # a block of a shell, which says nothing without what it does
_CLOSES = regex(r"(?:\W*|\s*(?:fi|done|esac|end|else|elif .*))$")  # a statement, or goes on with one
_LEANS = regex(
    r"\s*(?:[-*+•]|\d{1,9}[.)])\s+\W{0,4}(?:[Oo]therwise|[Ee]lse|[Ii]f not|(?:The )?(?:only )?[Ee]xceptions?|"
    r"However|But|This|That|These|Those|Such)\b"
)  # an entry that says nothing without the one before it
_OTHERWISE = regex(
    r"\W*(?:\d{1,3}[.)]\W*)?(?:Otherwise|Else|If (?:not|none|neither)|In (?:all|any) other cases?|Only then)\b"
)
_IF = regex(r"\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?\W{0,3}(?:If|When|Unless|Where|While)\b")
_TOLD = regex(r".{24,}[a-z)`]\. [A-Z].*:", re.S)  # a sentence before the one that leads on
_ENDED = regex(r".*[.!?][*_`\"')\]]{0,4}\s*$")


@record
class Block:
    """Lines ``start`` to ``end``. ``kind``: text, heading, li, nav, aside, alert, code, imports (of code), drawing,
    directive (it names what is indented below it), mark (tags and badges alone), end (what is above is no heading of
    what follows). ``offset``: its place in a page, of which several may begin in one line."""

    start: int
    end: int
    text: str
    kind: str = "text"
    level: int = 0
    offset: int = 0
    lead: str = ""  # the lines, with their numbers, without which it cannot be understood
    whole: bool = False  # all lines of it or none
    leads: bool = False  # it ends in a colon and says nothing without what follows
    brings: bool = False  # it says something, ends in a colon, and stands with the first of what follows
    series: Series | None = None  # the list that it is an entry of
    charts: bool = False  # it is several labels with their figures
    finds: bool = False  # it begins with a sentence in bold
    goes_on: bool = False  # with an example, but commands: how it begins tells most of it
    under: int = 0  # the line of the entry that it is an entry of

    def join(self, block: Block) -> None:
        """With a block below it, and the lines between."""
        self.text += "\n" * (block.start - self.end) + block.text
        self.end = block.end


def grouped(blocks: Sequence[Block]) -> list[Block]:
    """Blocks of single lines as paragraphs, list entries with the lines that go on, and runs of code; each knows
    the lines that lead to it (``lead``): the sentence that ends in a colon, the entry that it stands below."""
    joined: list[Block] = []
    long, headed = is_long(blocks), sum(block.kind == "heading" for block in blocks) >= HEADED
    firsts, blocks = _first_examples(blocks), _without_foot(blocks)
    drawn = 2 * sum(len(b.text) for b in blocks if b.kind == "drawing") > sum(len(b.text) for b in blocks)  # all of it
    titles = Counter(block.text for block in blocks if not headed and _TITLE.match(block.text))
    for n, block in enumerate(blocks):
        last = joined[-1] if joined else None
        runs = last is not None and last.end + 1 == block.start and _BOLD_TITLE.match(last.text.rpartition("\n")[2])
        if level := not runs and _titled(block, blocks[n + 1] if n + 1 < len(blocks) else None, titles):
            block.kind, block.level = "heading", level if headed else SUB
        most = max(firsts.get(last.start, 0) if last is not None else 0, CODE_TEXT if long else SAMPLE * block.goes_on)
        if (last is not None and len(last.text) < LONGEST and not turns(last.text, block.text)) and (
            (last.kind == block.kind == "code" and len(last.text) + len(block.text) < most) or _goes_on(last, block)
        ):
            last.join(block)
            brief = last.kind == "code" and len(last.text) < FIRST_CODE
            indented = _indent(last) * last.text.count("\n") if brief else 0  # all of it, in some formats
            short = block.kind != "text" and len(last.text) - indented <= SHORT_SAMPLE
            last.whole = short or (block.kind == "drawing" and not drawn)
            last.goes_on = block.goes_on and not last.whole
        else:
            joined.append(block)
    return _conditioned(led(_listed(_counted([part for block in joined for part in _parted(block)]))))


def is_long(blocks: Sequence[Block]) -> bool:
    return bool(blocks) and blocks[-1].end - blocks[0].start >= LONG


def _parted(block: Block) -> list[Block]:
    """A long sample of data as how it begins, which tells most of it, or of code as what it imports, and the rest."""
    if not block.goes_on:
        return [block]
    match = IMPORTS.match(block.text)
    imports = match if match and "\n" in match[0].strip() else None  # one stands with its example
    cut = imports.end() - 1 if imports else block.text.rfind("\n", 0, HEAD) if block.text[0] in "{[" else -1
    if cut < 0 or cut + 1 == len(block.text):
        return [block]
    head, rest = block.text[:cut].rstrip("\n"), block.text[cut:].lstrip("\n")
    kind = "imports" if imports else "code"
    first = Block(block.start, block.start + head.count("\n"), head, kind)
    start = block.end - rest.count("\n")
    return [first, Block(start, block.end, rest, "code", goes_on=True, under=first.start * (not imports))]


def _without_foot(blocks: Sequence[Block]) -> Sequence[Block]:
    """All but the links at the end of an answer, which say where more is; a section of links is what it is about."""
    foot = [*takewhile(lambda block: _ELSEWHERE.match(block.text) or _colon(block), reversed(blocks))]
    links = foot and _ELSEWHERE.match(foot[0].text) and FOOT * len(foot) < len(blocks)
    return blocks[: -len(foot)] if links and blocks[-len(foot) - 1].kind != "heading" else blocks


def _first_examples(blocks: Sequence[Block]) -> dict[int, int]:
    """Where the first example begins, of a long document, and those of the first sections that say how something is
    used; how many characters of it stand together. What they import says little of it."""
    firsts, how, imports, level, before, long = dict[int, int](), False, False, 0, "", is_long(blocks)
    for block, after in pairwise([*blocks, Block(0, 0, "")]):
        if long and block.kind == "code" and (imports or IMPORT.match(block.text)):
            closes = block.text.lstrip().startswith((")", "}"))
            goes_on = block.text.endswith(("(", "{", ",")) or (imports and not closes)
            several = imports or goes_on or before == "imports" or IMPORT.match(after.text)
            block.kind, imports = "imports" if several else "code", goes_on  # one stands with its example
        before = block.kind
        if block.kind == "heading":
            how, level = in_use(block, how, level), block.level
        elif block.kind == "code" and ((how and len(firsts) < HOWS) or (long and not firsts)):
            firsts[block.start], how = FIRST_CODE if long and not firsts else CODE_TEXT, False
    return firsts


def in_use(heading: Block, before: bool, level: int) -> bool:
    """Whether a section says how something is used, or is below one that does and has shown no example yet: ``before``
    says so of the section above, of that level."""
    return HOW.match(heading.text) is not None or (before and heading.level > level)


def _counted(blocks: list[Block]) -> list[Block]:
    """Each entry with the list that it is of; code and tags between two entries end none."""
    places = [block for block in blocks if block.kind in ("text", "li", "heading")]
    steps = [block.kind == "heading" and block.level != BOLD for block in places]
    texts = [HEADING if step else block.text for step, block in zip(steps, places, strict=True)]
    for n, series in entries(texts, [block.start for block in places]).items():
        places[n].series = series
    return blocks


def _listed(blocks: Sequence[Block]) -> list[Block]:
    """A short list below a line that ends in a colon is one block: whole or not at all."""
    runs: list[list[Block]] = []
    for last, block in pairwise([Block(0, 0, ""), *blocks]):
        led_to = last.kind == "text" and _colon(last)
        if block.kind == "li" and (led_to or (runs and runs[-1][-1] is last and block.start - last.end <= BESIDE)):
            runs += [[]] * led_to
            runs[-1].append(block)
        elif block.kind == "drawing" and len(block.text) <= DRAWN and _colon(last):
            block.kind, block.whole = "code", True
    joined = set[int]()
    for first, *more in runs:
        of = Counter(one.series for one in (first, *more))
        parts = any(one is not None and one.total != k for one, k in of.items())  # a part would be counted as one
        if more and not parts and sum(len(one.text) for one in (first, *more)) <= LISTED:
            first.whole, first.series = True, None
            for one in more:
                first.join(one)
                joined.add(id(one))
    return [block for block in blocks if id(block) not in joined]


def _goes_on(last: Block, block: Block) -> bool:
    if last.kind == block.kind == "code":  # a name or a bracket says nothing by itself
        before = last.text.rpartition("\n")[2]
        inner = _indent(block) > _indent(last) and _OPENS.search(last.text) and len(last.text) < CODE_TEXT
        closes = inner or _CLOSES.match(block.text) is not None
        opens = not before.strip(" \t{[(")
        return bool(closes) or opens or before.endswith("\\") or before.lstrip().startswith("#")
    if last.kind == block.kind in ("imports", "drawing"):
        return block.kind == "imports" or (not FENCE.match(block.text) and len(last.text) < DRAWING)
    if block.kind != "text" or last.kind not in ("text", "li"):
        return False
    if last.kind == "li" or block.start != last.end + BESIDE:
        return block.start == last.end + 1
    if _FIGURE.match(last.text.partition("\n")[0]):  # with no label above it: the text below says what it is of
        return last.start == last.end and len(block.text) <= LEAD and not _FIGURE.match(block.text)
    return len(last.text) <= SHORT and _FIGURE.match(block.text) is not None


def _colon(block: Block) -> bool:
    return _COLON.match(block.text.rpartition("\n")[2]) is not None


def _bold(block: Block) -> bool:
    """Whether it is a line in bold that leads to something."""
    return _BOLD.match(block.text) is not None and not SAYS.match(block.text)


def _indent(block: Block) -> int:
    return len(block.text) - len(block.text.lstrip())


def _titled(block: Block, after: Block | None, titles: Counter[str]) -> int:
    """The level of a line that is the title of what follows: a question, a step, a line in bold, the same few words
    above several parts; 0 of others."""
    if block.kind not in ("text", "li") or block.start != block.end or len(block.text) > LEAD or SAYS.match(block.text):
        return 0
    if _QUESTION.match(block.text) or (block.kind == "text" and KEY.fullmatch(block.text.strip("*_: ")) is not None):
        return SUB  # an entry ("- Summary") is one of its list
    if after is None or not (after.start > block.end + 1 or (block.kind == "li" and _indent(after) > _indent(block))):
        return 0
    words = block.text.rstrip(" *_")
    if words.endswith((".", "!")) and len(words.split()) > WORDS:  # a sentence, which tells what to do
        return 0
    if block.kind == "text" and after.kind == "table" and not _ENDED.match(words) and not _colon(block):
        return BOLD
    return BOLD if _BOLD_TITLE.match(block.text) else SUB * (titles[block.text] > 1)


def led(blocks: list[Block]) -> list[Block]:
    """Each block with the lines that lead to it: its heading, and the sentence or entry that it stands below."""
    leads: list[tuple[int, Block]] = []  # by depth, outermost first
    long = is_long(blocks)
    section, firsts = "", dict[str, int]()  # the line that leads to the first list of a section
    _headed(blocks)
    _nested(blocks)
    _leading_nowhere(blocks)
    for n, (block, after) in enumerate(pairwise([*blocks, Block(0, 0, "", "end")])):
        if block.kind == "heading" or block.lead != section:
            leads, section = [], block.lead
        if block.kind == "table" and leads and _colon(leads[-1][1]):
            block.lead = _lines(section, [leads.pop()[1]])
        if block.kind not in ("text", "li", "code"):
            continue
        depth = _indent(block)
        if block.kind == "code":
            depth = leads[-1][0] + 1 if leads and blocks[n - 1].kind != "heading" else 0
        elif block.kind == "li":
            depth = 2 * depth + 1  # a text that ends in a colon leads the entries that begin where it does
        else:  # a paragraph in bold leads the paragraphs behind it too, but those that begin in bold
            depth = 2 * depth - block.text.lstrip().startswith("**")
        leans = block.kind == "li" and _LEANS.match(block.text) is not None
        leads = [(d, lead) for d, lead in leads if d < depth + leans]
        while sum(len(lead.text) for _, lead in leads) > LEADS:
            leads.pop(0)
        stepped = any(lead.kind == "li" and block.kind == "code" for _, lead in leads[-1:])  # the entry says what for
        within = _within(block, next((lead.start for _, lead in leads[-1:]), 0), firsts)
        block.lead = _led(section, [lead for _, lead in leads], leans or stepped or within)
        block.under *= not within
        if block.kind == "code" or len(block.text) > LEAD:
            led_by = block.kind == "text" and len(block.text) <= BROUGHT and after.kind in _LED
            block.brings = led_by and _colon(block) and not _TOLD.match(block.text)  # its first sentence says enough
            continue
        opens = block.kind == "text" and after.kind in ("li", "fence") and not _ENDED.match(block.text)
        ends = opens or _colon(block) or _bold(block)
        if block.kind == "li" or ends:
            example = block.kind == "text" and after.kind in _SAMPLES and not _bold(block)
            depth += depth % 2 and block.kind == "text" and not _bold(block)  # it leads entries, but no paragraphs
            leads.append((ONLY if example else depth, block))
            block.leads = ends and after.kind in _LED and (_bold(block) or not _NAMED.match(block.text))
            sums_up = _colon(block) and after.kind in _LED and SAYS.match(block.text) is not None
            block.brings = block.kind == "text" and (sums_up or (block.leads and _TOLD.match(block.text) is not None))
            block.leads &= not block.brings
        else:  # it says what for
            block.brings = block.kind == "text" and [one.kind for one in blocks[n + 1 : n + 3]] == ["fence", "code"]
            block.brings &= not long and len(blocks[min(n + 2, len(blocks) - 1)].text) <= BROUGHT
    return blocks


def _within(block: Block, lead: int, firsts: dict[str, int]) -> bool:
    """Whether an entry must not stand without what leads to it: the entry that it is within, or the line above a
    further list of its section, of which it is not."""
    if block.kind != "li":
        return False
    return lead == block.under if block.under else firsts.setdefault(block.lead, lead) != lead


def _nested(blocks: Sequence[Block]) -> None:
    """Which entry each is an entry of: below another one it would tell of that."""
    outer: list[Block] = []
    for block in blocks:
        speaks = block.kind in ("text", "li", "heading")
        while speaks and outer and (block.kind == "heading" or _indent(outer[-1]) >= _indent(block)):
            outer.pop()
        if block.kind == "li":
            block.under = outer[-1].start if 0 < len(outer) <= NESTED else 0
            outer.append(block)


def _leading_nowhere(blocks: Sequence[Block]) -> None:
    """A line that ends in a colon says nothing where it leads to no more than headings say, or to nothing."""
    for block, after in pairwise([*blocks, Block(0, 0, "", "end")]):
        if block.kind == "text" and len(block.text) <= LEAD and after.kind not in _FOLLOW and after.level < SUB:
            block.leads = _colon(block)
            block.kind = "label" if block.leads else "text"


def _conditioned(blocks: list[Block]) -> list[Block]:
    """What begins with "Otherwise" stands below the condition that it is not."""
    condition: Block | None = None
    for block in blocks:
        if block.kind == "heading" or (condition is not None and _indent(block) < _indent(condition)):
            condition = None
        elif block.kind not in ("text", "li"):
            continue
        elif _OTHERWISE.match(block.text):
            line = "" if condition is None else _line(condition)
            block.lead = block.lead if line in block.lead.split("\n") else f"{block.lead}\n{line}".strip("\n")
        elif _IF.match(block.text):
            condition = block if len(block.text) <= BROUGHT else None
    return blocks


def _led(section: str, leads: list[Block], leans: bool) -> str:
    """The lines that lead to a block: the last with all that leads to it where it is needed, costs little or turns the
    meaning; else what is named."""
    if leads and (leans or len(leads[-1].text) < SHORT or _TURNS.search(leads[-1].text)):
        return _lines(leads[-1].lead if len(leads[-1].lead) < ABOVE else section, leads[-1:])
    return _lines(section, [lead for lead in leads if _NAMED.match(lead.text)][-2:])


def _headed(blocks: Sequence[Block]) -> None:
    """Each block with the headings and the named directives that it stands below."""
    title, heading = "", ""
    least = sum(block.kind == "heading" and block.level == 1 for block in blocks) == 1  # a title alone says nothing new
    named: list[Block] = []
    sibling = False  # the heading is a line in bold that ends in a colon: the next line in bold is another
    above: list[Block] = []  # the headings that the last one stands below, but for the title of the document
    for block in blocks:
        named = [one for one in named if _indent(one) < _indent(block)]
        if sibling and block.kind == "text" and block.text.lstrip().startswith("**"):
            heading, sibling = title, False
        if block.kind == "heading":
            sibling = block.level == BOLD and _colon(block)
        if block.kind == "heading" and block.level < SUB:
            above = [*(head for head in above if least < head.level < block.level), block]
            title = "\n".join(_lines("", [head], f"{'#' * head.level} ") for head in above[-PARENTS:])
            heading = title
        elif block.kind == "heading":
            block.lead, heading = title, _lines(title, [block])
        elif block.kind == "end":
            title = heading = title if block.level == SUB else ""
        else:
            block.lead = _lines(heading, named)
            named += [block] if block.kind == "directive" else []


def _lines(above: str, blocks: Sequence[Block], mark: str = "") -> str:
    return "\n".join([above] * bool(above) + [_line(b, mark) for b in blocks])


def _line(block: Block, mark: str = "") -> str:
    return f"{anchor(block.start, block.end)} {mark}{block.text}"


def anchor(start: int, end: int) -> str:
    return f"{start}" if start == end else f"{start}-{end}"


def continues(before: str, line: str) -> bool:
    """Whether a line of plain text goes on with the wrapped sentence of the line before it."""
    if len(before) < WRAPPED or _ENDED.match(before) or _LIST.match(line) or _depth(line) != _depth(before):
        return False
    words = before.split()
    figures = [n for n, both in enumerate(zip(words, line.split(), strict=False)) if all(map(_DIGIT.search, both))]
    if words[0] == line.split()[0] or figures[:1] == [0] or len(figures) > 1:  # rows
        return False
    plain = sum(word.strip(".,;:()\"'").isalpha() for word in words)
    return len(words) >= WORDS and plain * 3 >= len(words) and line.lstrip()[0] not in "=#|[{$>+-"


def prose(text: str) -> bool:
    """Whether a text is a sentence: no date, label or row of names."""
    heads = [word[0] for word in text.split()]
    named, plain = (2 * sum(map(kind, heads)) - len(heads) for kind in (str.isupper, str.isalpha))
    return _FULL.search(text) is not None or (len(heads) >= PROSE and named < 0 < plain)


def _depth(line: str) -> int:
    mark = _MARK.match(line)
    return mark.end() if mark else 0


def wrapped(items: list[Item], lines: Sequence[str], alone: Container[int], heads: Container[int]) -> list[Item]:
    """Items of single lines of plain text, those of a wrapped sentence as one, entries of a list below what leads
    to them; the lines that stand ``alone`` (by index) go on with no sentence, ``heads`` end each list."""
    joined: list[Item] = []
    for item in items:
        last = joined[-1] if joined and item.start - 1 not in alone else None
        if last is not None and last.start - 1 not in alone and _wrapped(last, item, lines):
            head, _, text = last.text.partition(" ")
            lines_of = f"{head.partition('-')[0].rstrip(':')}-{item.end}{':' * head.endswith(':')}"
            last.text = f"{lines_of} {text}\n{lines[item.start - 1].rstrip()}"
            last.end, last.flow = item.end, "sentences"
            last.keep, last.reason = max(last.keep, item.keep), last.reason or item.reason
            last.template, last.at = last.template or item.template, -1
        else:
            joined.append(item)
    lead: Item | None = None
    for item, after in zip(joined, [*joined[1:], None], strict=False):
        entry = _LIST.match(lines[item.start - 1]) is not None
        lead = lead if lead is not None and entry and item.section == lead.section else None
        if lead is not None:
            item.section, item.flow = f"{lead.section}\n{lead.text}".lstrip("\n"), "sentences"
        begins = after is not None and after.start <= item.end + 2 and _LIST.match(lines[after.start - 1]) is not None
        if not entry and begins and not item.keep and _COLON.match(lines[item.end - 1]) and len(item.text) <= LEAD:
            lead = item  # it says nothing without its list, and comes along with it
            item.weight = 0.0
    inside = {n for item in joined for n in range(item.start, item.end)}  # what goes on with a line begins no entry
    filled = [n for n, line in enumerate(lines) if n not in inside and line.strip()]  # not every line is an item
    listed = entries([HEADING if n in heads else lines[n] for n in filled], [n + 1 for n in filled])
    series = {filled[k]: one for k, one in listed.items()}
    for item in joined:
        item.series = series.pop(item.start - 1, None)  # of the pieces of one line the first
    return joined


def _wrapped(last: Item, item: Item, lines: Sequence[str]) -> bool:
    if item.start != last.end + 1 or item.section != last.section or item.start != item.end:
        return False
    first, before, line = lines[last.start - 1], lines[last.end - 1].rstrip(), lines[item.start - 1]
    if not (last.text.endswith(before.strip()) and item.text.endswith(line.strip())):  # one is shown in short
        return False
    label = len(first) <= SHORT and last.start == last.end and _LABEL.match(first) and not _FIGURE.match(first)
    if label and not _LIST.match(line) and _FIGURE.match(line):
        last.whole = True
        return True
    hangs = _LIST.match(first) and not _LIST.match(line) and line.startswith(" ") and _depth(line) == _depth(first)
    return bool(hangs and len(first.split()) >= WORDS) or continues(before, line)
