"""Blocks of text and tables, from HTML or Markdown, as items: sections by heading, odd rows and loud lines kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from mcpcompact.content.anomalies.words import LOUD_ENTRY
from mcpcompact.content.markup import paragraphs
from mcpcompact.content.markup.paragraphs import BOLD, HOST, HOWS, KEY, LEAD, SAYS, SUB, Block, is_long, prose
from mcpcompact.content.markup.shapes import FAILED, FENCE, PASSED, byte_anchors
from mcpcompact.content.markup.surface import BRIEF, LONE, NAMES_PAGE, PAGE_LINES, SEEN, TOLD, is_menu
from mcpcompact.content.markup.tables import LONG_TABLE, Table, table_facts
from mcpcompact.content.markup.tree import FEW, tree
from mcpcompact.content.shared.lines import bounded
from mcpcompact.outline import Fact, Item, Keep
from mcpcompact.patterns import regex

TOP = 24  # headings of the tree of a long document; deeper ones stand above what is shown of them
HEADING, DEEPER = 4.5, 0.05  # weight of one of the top level, before what stands below any; less for each level below
INTRODUCTION, OPENING = 4.1, 2.9  # of the first paragraph; of the first of a section
OPENINGS, BEGINNINGS = 0.8, 0.3  # of the room, what the sections of a long document, of a shorter one begin with
ABOUT = OPENING  # what its front matter says of the whole, which the first paragraph says too
TITLED = 4.05  # of the first below a title that is no heading by its mark, which stands with it alone
SUBJECT = 3.15  # of the first section of a long one, which is what the whole is about
MAIN = 3.4  # of the first of a main section of a shorter one: behind what sums it up
EARLY, UPPER = 0.09, 0.1  # what it has more in the first of them than in the last; in one of the upper level
LINKED = 0.1  # of what leads elsewhere
_LINKED = regex(r"\s*(?:(?:[-*+]|\d+[.)])\s+\W{0,4}|\W{0,4}(?:See|Read|Join|Visit) (?:also |the |our )*)\[[^\[\]]*\]\(")
ENTRY = 0.5  # factor on the weight of an entry of a list in a long document: one alone says less than a paragraph
REPEATED = (1.0, 1.0, 0.05, 0.0)  # factor on what a document says so often, word for word: it is about no section
WAYS, WAY, NEXT_WAY = 6, 3.3, 0.1  # entries of a list that is announced, their weight, how much less the next has
_ANNOUNCES = regex(
    r"(?is).*\b(?:(?:two|three|four|five|six|seven|eight|nine|ten|several|[2-9]) (?:[\w-]+ ){0,2}[\w-]+s\b|"
    r"following\b|when (?:you|to)\b|choose|depend(?:s|ing)\b|one of\b)"
)
_SAID, _SURFACE = ("text", "directive"), ("text", "label", "nav", "aside", "drawing")
_CLOSED, _BROUGHT = ("directive", "nav", "aside", "imports"), ("text", "li", "code")
ALIKE = 0.5  # factor on the weight of what stands in a section as each of several has one, but the first
EXAMPLE = 0.1  # factor on the weight of code in one: a line of an example says little of what it is about
USED, NEXT_USED = 3.6, 0.05  # of the first example of a section that says how something is used; less for each further
COMMAND = 80  # characters of one behind which the next one shows a use, too
WEIGHTS = dict.fromkeys(("fence", "imports", "mark", "table"), 0.0) | {
    "nav": 0.15,
    "aside": 0.01,
    "front": 0.05,
    "code": 0.9,  # it is read with its section
    "data": 0.2,  # of a sample, behind how it begins
    "drawing": 0.01,  # its source says little in parts
    "directive": 0.5,
    "label": 0.1,
}
VERDICT, VERDICTS, JUDGED = 4.2, 2, 4.02  # of a line in bold that says what all comes to; so many of one label; of more
KEYS, KEY_WEIGHT = 4, 3.5  # paragraphs of these that stand before examples, and the weight of the first
_BINDS = regex(
    r"(?i)\W*(?:[\w&-]+ ){0,3}(?:check ?list|gates?|rules?|guard ?rails|constraints|guidelines|conventions|"
    r"definition of done|(?:acceptance|success|exit) criteria)\W*(?:$|[(])"
)  # sections that say what must be done or not
_BRIEF = regex(r"(?i)\W*(?:\d+[.)] )?(?:tl;?dr|abstract|in short|at a glance|conclusions?|verdict|bottom line)\b")
_ABOUT = regex(r"(?:name|summary|description):")
PAGE = 4.15  # weight of what names a page and its address
_OCCASION = regex(r"(?=[^\n]{8,120}$).*\b(?:19|20)\d\d$")  # ``Seminar · July 2026``
_BESIDE = regex(r"(?im)^\d+ \**[^\n]{0,60}\b(?:ads?|advert\w+|sponsor\w+|side ?(?:bar|box|panel)|menu|navigation)\b")
FIRST_ROWS = 3  # of a long table, which tell what its rows are: each begins before one goes on
FEW_TABLES = 2  # in a long document, which tell what its prose does not
TURN = 0.01  # so much less weighs each further row of such a table
FOOT = 0.03  # factor on the weight of what stands in such a section: the papers of a project, not its use
_FOOT = regex(
    r"(?i)\W*(?:licen[sc](?:es?|ing)|acknowledge?ments?|(?:code |financial )?contribut(?:ors?|ing|ions?)|"
    r"attributions?|credits|authors?|maintainers|citations?|citing|(?:gold |silver )?sponsors(?:hip)?|backers|donat\w+|"
    r"funding|(?:\w+ )?community|support|security policy|code of conduct|for enterprise|contact(?: us)?|"
    r"stars?(?: history)?|(?:learn(?:ing)? more|links|see also|further reading|references|(?:appendix: )?sources))\W*$"
)
ALERT, WARNED = 400, 2.0  # characters of an alert that is always shown; weight of one in a long document
SCRAP = 0.05  # what only a page needs, and BibTeX
_SCRAP = regex(
    r"(?i)\W{0,4}(?:please note|disclaimer|for (?:the )?(?:most|more) (?:current|recent|up-to-date))\b.{0,120}\b"
    r"(?:subject to (?:\w+ )?changes?|may (?:vary|change)|advi[cs]e|advisors?)\b|"  # what an answer may end with
    r"\W{0,20}$|\W{0,4}(?-i:Click|Tap|Type to|Skip to|Loading)\b.{0,60}$|\s*[←‹«] .{0,60}$|_?\(This example\b"
    r"|(?:\s*(?:[-*+]|\d+[.)]) \[[^\[\]]{1,100}\]\(#[^()\s]*\))+\s*$"  # a heading below
    r"|\s*@[A-Za-z]{4,20}\{[^\s,{}]{1,80},"
)
LABEL, _PLAIN, _IMAGE = 3, regex(r"\W{0,4}[^\W\d_]+(?:[-’'][^\W\d_]+)*:?\W{0,2}"), regex(r"\[image: [^\]]*\]$")
OPTION, FENCED = 3.0, 2  # least weight of the title of one of several ("Option B"): each tells what the others are of;
# lines from it to the example below its fence
RESULT, RESULTS, BEGINS = 3.3, 8, 0.1  # weight of a sentence that says what was measured, one of a section; so many of
# a document; more, where it begins with the figure
_REFERS = regex(r"\W{0,3}(?:He|She|They|It|His|Her|Their|Its|These|Those|This|That)\b")  # to the text before it
_FIELD = regex(r"[-*+] \*\*([^*\n]{1,40})(?::\*\*|\*\*:)\s")  # of one of several: the first says what it is
_BOLD_LEAD = regex(r"(?:[-*+] |\d+[.)] )?\*\*[^*\n]{12,100}(?:[.:!?]\*\*|\*\*[.:]) \S")
_RESULT = regex(
    r"(?s)(?=.*\d\s?(?:%|×|x\b|pts?\b|pp\b|points\b|percent))(?i:.*\b(?:best|worst|only|overall|average|drop(?:s|ped)?|harder|"
    r"hardest|higher|highest|lower|lowest|faster|slower|fewer|achiev\w+|reach\w+|attribut\w+|outperform\w*|increas\w+|"
    r"decreas\w+|improv\w+|reduc\w+|from \S{1,20} to|vs|versus|compared|cut|fell|rose|fail\w*)\b|.*\d\S{0,9} ?→)"
)
VITAL, VITALS = 4.05, 5  # of entries that name a file or say what must be or must not
_VITAL = regex(
    r".*[`\s(](?:/[\w.@+-]+){3,}\.\w{1,5}\b"
    r"|(?:(?:[-*+]|\d+[.)]) )?(?:\*\*(?:Never|Always|Must|Do not|Don't|Skip|REQUIRED)\b"
    r"|.{0,40}\b(?:NEVER|ALWAYS|MUST|NOT|STOP)\b)"
)
_ADVISES = regex(r"(?is).*\b(?:recommended|we recommend|deprecated|superseded|no longer (?:maintained|supported))\b")
PASSING = 5  # times as many marks: what failed among so many is what a report is read for
FOUND = 5  # leads in bold of a section that says what it all comes to
FIRST = 1.5  # weight of what a section begins with
WORD = 12  # characters of a text that is a label or a mark
ANCHOR, MAPPED = 8, 2_000  # characters of a number; of headings that would take the room of what stands below them


def blocks_to_items(blocks: list[Block], tables: list[Table], one_line: str = "") -> tuple[list[Item], list[Fact]]:
    """Items in document order and the facts about tables. ``one_line``: the text, when line numbers say nothing
    because all stands in one; then the anchor is the byte offset (``@1234 …``)."""
    loud = _loud(blocks)
    alerts = [b for b in blocks if b.kind == "alert"]
    for block in alerts if len(alerts) > max(12, len(blocks) // 30) else ():
        block.kind = "text"  # a page about alerts, or a class name that means something else
    placed: list[tuple[int, int, Block | tuple[Table, int]]] = [(b.start, b.offset, b) for b in blocks]
    shown = ((table, n, row) for table in tables for n, row in enumerate(table.rows[: 1 if table.small else None]))
    placed += [(row.start, row.offset, (table, n)) for table, n, row in shown]
    placed.sort(key=lambda p: (p[0], p[1]))
    anchors = byte_anchors(one_line, [offset for _, offset, _ in placed]) if one_line else {}
    headings = [(b.level, b.start, b.text) for b in blocks if b.kind == "heading" and b.level < SUB]
    many = sum(len(text) + ANCHOR for _, _, text in headings) > MAPPED
    tree_facts = tree(headings) if (many or is_long(blocks)) and not one_line else []
    weigher = _Weigher(blocks, bool(tree_facts))
    items: list[Item] = []
    for _, offset, thing in placed:
        anchor = anchors.get(offset, "")
        if not isinstance(thing, Block):
            table, n = thing
            item = table.item(n, anchor)
            item.section = table.head.lead if table.head else weigher.heading
            weigher.row(item, n if n < FIRST_ROWS or len(table.rows) < LONG_TABLE else LONG_TABLE)
            item.section = f"{item.section}\n{table.names(anchor)}".strip("\n")  # behind the line that leads to it
        elif thing.kind == "end":
            weigher.heading = weigher.heading if thing.level == SUB else ""
            continue
        else:
            item = _block_item(thing, anchor, loud, weigher.long)
            weigher.weigh(thing, item)
            weigher.choose(thing, item)
        items.append(item)
    return bounded(_fenced(items) if not one_line else items), tree_facts + table_facts(tables, weigher.long)


def _fenced(items: list[Item]) -> list[Item]:
    """An example stands below its fence, where what it imports stands between, too: else it reads as text."""
    for n, item in enumerate(items):
        before = items[max(0, n - 1 - (n > 1 and items[n - 1].flow == "lines" and not items[n - 1].weight))]
        fence = before.text.partition(" ")[2] if item.flow == "lines" and not before.flow else ""
        if item.weight > 0 and FENCE.match(fence):
            lead_by(before, item)
    return items


class _Weigher:
    """What items of a text weigh by what stands before them."""

    def __init__(self, blocks: Sequence[Block], treed: bool) -> None:
        self.treed = treed  # a fact names the headings: they come along with what stands below them
        counts = Counter(b.level for b in blocks if b.kind == "heading" and b.level < BOLD)
        self.levels = sorted(counts)
        ends = [*zip(self.levels, accumulate(counts[level] for level in self.levels), strict=True)]
        self.long = is_long(blocks)
        self.speaks = self.long or sum(b.kind in _SAID and prose(b.text) for b in blocks) >= TOLD  # unlike its buttons
        most = TOP if self.long else len(blocks)
        least = next((level for level, end in ends if end > 1), 0)  # a title alone is no tree
        self.deepest = max(least, *(level for level, end in ends if end <= most), 0)
        self.upper = next((level for level, end in ends if end >= FEW), 0)
        self.heading, self.level = "", 0
        self.found = self.results = 0  # leads in bold that are left of it; sentences that say what was measured
        self.resulted = self.opened = False  # one of this section; the first section has begun
        self.key = self.summed = 0  # paragraphs left of a section that says what it all comes to; its level
        self.paged = False  # it names the page that it was read from
        self.foot = 0  # the level of the section of papers that this is, or is within
        self.above: list[Block] = []  # the headings that the last one stands below, and it
        self.titles_below = set[tuple[object, ...]]()  # those of sections of one section
        self.like = 0  # the level of a section that is named as one below another of these, or what is within one
        self.tables = 0  # of this section
        self.few = sum(b.kind == "table" for b in blocks) <= FEW_TABLES
        self.brief = False  # the next paragraph is the whole in brief
        self.told = False  # the first paragraph, which says what the whole is about
        self.opens = False  # a section has just begun
        self.coded = self.shown = False  # within an example; the first one has been
        self.brings: Item | None = None  # a text that ends in a colon, which says less without what follows
        self.sample = self.further = 0  # where the first example of a line begins, for a further one
        self.at = self.said = 0  # line of the last item, if it is a text
        self.ways, self.lead = 0, ""  # left of the list that is announced, and by which words
        self.begins = True  # up to the first heading behind the introduction
        self.option: Item | None = None  # the title of one of several ways, if it is the last
        self.way = WAY  # what the first entry of the next one weighs
        self.first: Item | None = None  # the first sentence of the section, which stands with any other of it
        self.how, self.used, self.vitals = False, HOWS, VITALS  # the next example shows a use; what is left of these
        self.titles = Counter(b.text for b in blocks if b.kind == "heading")
        self.end = blocks[-1].end if blocks else 1
        self.says = Counter(m["label"] for b in blocks if (m := SAYS.match(b.text)))
        self.fields = Counter(m[1] for b in blocks if (m := _FIELD.match(b.text)))
        self.often = Counter(b.text for b in blocks if b.kind in _SAID)

    def weigh(self, block: Block, item: Item) -> None:
        self.coded &= block.kind in ("code", "imports")
        if block.kind == "heading":
            self._heading(block, item)
            return
        if self.often[block.text] > 1:
            item.weight *= REPEATED[min(self.often[block.text], len(REPEATED) - 1)]
        elif block.kind == "code" and self.how and self.used > 0:
            item.weight = USED - NEXT_USED * (HOWS - self.used)
            self.used, self.how, self.coded = self.used - 1, len(block.text) <= COMMAND, True
        elif block.kind == "code" and self.long:
            first = ENTRY if self.told and not self.shown else EXAMPLE  # the first shows how it is used
            item.weight *= 0.0 if self.coded else first  # what follows says less than how an example begins
            self.coded = self.shown = True
        else:
            self._other(block, item)
        self._below(block, item)
        if block.kind in _BROUGHT:
            self.bring(item)
            brings = block.brings and (item.weight < INTRODUCTION or block.text.endswith(":"))
            leads_on = (brings or (block.leads and item.weight > 0)) and item.weight != PAGE  # which says it all
            self.brings = item if leads_on else None
        if block.kind not in ("li", "table") and not block.text[:1].isspace():
            self._announce(block, item)
        item.weight *= FOOT if self.foot else ALIKE if self.like else 1.0

    def _other(self, block: Block, item: Item) -> None:
        if block.kind == "front" and _ABOUT.match(block.text):
            item.weight, item.flow = ABOUT, "sentences"
        elif block.kind in ("text", "li"):
            above = self.long and not self.heading and block.kind == "li"  # the menus of a page
            beside = block.kind == "li" and _BESIDE.search(block.lead) is not None
            if (self.paged or above) and (beside or is_menu(block.text)):
                item.weight = WEIGHTS["aside"] if beside or above else LONE
            else:
                self._text(block, item)
        light = self.speaks and block.kind in _SURFACE[not self.long :] and item.weight <= WEIGHTS["nav"]
        scrap = _fragment(block.text) or _SCRAP.match(block.text)
        if light and (scrap or (self.long and block.kind in ("nav", "aside") and not prose(block.text))):
            item.weight = 0.0
        label = self.long and block.kind == "text" and " · " in block.text and not prose(block.text)
        if block.kind not in _CLOSED and not label:  # the first sentence below it is what a section opens with
            self.open(item)

    def _announce(self, block: Block, item: Item) -> None:
        """A sentence that counts what follows, or tells to choose from it, and any of the introduction."""
        if self.ways not in (0, WAYS):
            self.way -= NEXT_WAY
        leads = self.long and self.told and block.kind == "text" and (block.leads or block.text.endswith(":"))
        self.lead = item.text if block.leads else ""
        self.ways = WAYS if leads and (self.begins or _ANNOUNCES.match(block.text)) else 0

    def _below(self, block: Block, item: Item) -> None:
        """A heading says little without its first sentence, a further example without the first below its line."""
        example = block.kind in ("fence", "code")
        self.sample *= example
        self.further = self.sample if block.kind == "fence" else self.further * example
        if block.kind == "code" and block.lead.endswith(":"):
            self.sample, item.under = self.sample or item.start, item.under or self.further
        if (field := _FIELD.match(block.text)) and block.series and self.fields[field[1]] > 1:
            item.under = item.under or block.series.first * (block.series.first < item.start)
        speaks = block.kind == "text" or (block.kind == "li" and block.text.lstrip(" -*+")[:1] != "[")  # a box, a link
        if self.first is not None and (speaks or self.long or self.level == SUB):
            item.under = item.under or self.first.start
        elif block.kind == "text" and self.said and _REFERS.match(block.text):
            item.under = self.said
        elif (
            (self.long or self.level == SUB or self.level <= self.upper)
            and block.kind == "text"
            and item.weight > LONE
            and prose(block.text)
            and item.start > self.at
        ):
            self.first = item
        self.at, self.said = item.start, item.start * (block.kind == "text" and item.weight > LONE)

    def bring(self, item: Item) -> None:
        """What follows a text that ends in a colon has its weight and stands below it."""
        if self.brings is not None:
            item.weight = max(item.weight, self.brings.weight * (not self.paged or not 0 < item.weight <= LONE))
            lead_by(self.brings, item)
            self.first = item if self.first is self.brings else self.first
            self.brings.weight, self.brings = 0.0, None

    def _heading(self, block: Block, item: Item) -> None:
        item.weight, item.flow, self.opens, self.first, self.brings = 0.0, "sentences", True, None, None
        if self.paged and block.level >= SUB and is_menu(block.text):
            return
        papers = self.heading and _FOOT.match(block.text)  # the title of a document names what it is about
        self.foot = block.level if papers else self.foot * (block.level > self.foot)
        self.how = paragraphs.in_use(block, self.how, self.level)
        self.level = block.level
        if block.level < BOLD:
            self.heading, self.tables = item.text, 0
            self.above = [*(one for one in self.above if one.level < block.level), block]
            below = (*(one.start for one in self.above[:-2]), block.text)
            self.like = self.like * (block.level > self.like) or (block.level if below in self.titles_below else 0)
            self.titles_below |= {below} if self.treed and self.above[1:] else set()
            self.ways, self.begins = 0, self.begins and not self.told
            item.part = ("" if self.treed else "headings", int(block.level <= self.deepest))
        if block.level <= self.deepest and not self.treed and block.level < SUB:
            item.weight = HEADING - DEEPER * min(4, self.levels.index(block.level))
        if block.level <= self.deepest or block.level != BOLD:
            sums_up = KEY.match(block.text.strip("*_#: 0123456789.")) and self.titles[block.text] <= VERDICTS
            binds = 1 < block.level <= self.upper and _BINDS.match(block.text) is not None
            self.summed = block.level if sums_up or binds or block.level <= self.summed else self.summed
            self.key = KEYS if sums_up or binds else self.key * (1 < self.summed < block.level)
            self.brief = _BRIEF.match(block.text) is not None
            self.found, self.resulted = FOUND * bool(self.key), False

    def _text(self, block: Block, item: Item) -> None:
        tells = NAMES_PAGE.match(block.text) or (self.long and _OCCASION.match(block.text))
        named = not self.heading and block.start <= PAGE_LINES and bool(tells)
        if named or HOST.search(block.text, 0, BRIEF):
            item.weight, item.whole = PAGE * named, item.whole or len(item.text) <= BRIEF
            self.paged |= named and SEEN.search(block.text) is not None
            return
        if (says := SAYS.match(block.text)) and ((few := self.says[says["label"]] <= VERDICTS) or says["judges"]):
            item.weight = WAY if says["note"] else VERDICT if few else JUDGED
            return
        button = self.long and block.kind == "li" and _fragment(block.text.lstrip(" -*+"))  # of a page
        item.weight = _text_weight(block, min(item.weight, LONE) if button else item.weight, self.told)
        self.told = self.told or item.weight >= INTRODUCTION
        telling = prose(block.text) and item.weight > LONE and not (self.long and _LINKED.match(block.text))
        telling &= block.brings or not (block.text.endswith(":") and len(block.text) <= LEAD)
        sums_up = self.brief or (not block.leads and (telling or (self.key and block.series)))
        if vital := self._vital(block):
            item.weight = max(item.weight, vital)
        elif self.found and (block.finds or _BOLD_LEAD.match(block.text)):
            item.weight = max(item.weight, KEY_WEIGHT - TURN * (FOUND - self.found))
            self.found, self.opens = self.found - 1, False
        elif self.ways and block.kind == "li" and (telling or not _LINKED.match(block.text)):
            item.weight = max(item.weight, self.way - TURN * (WAYS - self.ways))
            item.flow = item.flow if "][" in item.text or "](" in item.text else "words"  # addresses are few words
            item.section = item.section if self.lead in item.section else f"{item.section}\n{self.lead}".strip("\n")
            self.ways, self.opens = self.ways - 1, self.opens and not telling
        elif self.long and not self.key and self._measured(block):
            begins = BEGINS * (block.kind == "text" and block.text.lstrip("−-+~")[:1].isdigit())
            item.weight = max(item.weight, RESULT + begins - TURN * self.results)
            self.results, self.resulted = self.results + 1, True
            self.opens &= not telling
        elif (self.key or (self.opens and self.long)) and sums_up:
            key = VERDICT if self.brief else KEY_WEIGHT - 0.1 * (KEYS - self.key)
            item.weight = max(item.weight, key if self.key else self._opening(item))
            item.whole |= self.brief and len(item.text) <= BRIEF
            self.brief = False
            self.key, self.opens = max(0, self.key - 1), False
        elif self.long and _LINKED.match(block.text):
            item.weight = min(item.weight, LINKED)
        elif self.long and (block.kind == "li" or not telling):
            item.weight *= ENTRY

    def _vital(self, block: Block) -> float:
        """The weight of what must be or not, and of what an introduction recommends; 0 of other texts."""
        if self.told and self.begins and block.kind == "text" and _ADVISES.match(block.text[:BRIEF]):
            return VITAL
        entry = self.vitals and (block.kind == "li" or block.text.startswith("**"))
        if not entry or not _VITAL.match(block.text):
            return 0.0
        self.vitals -= 1
        return VITAL + TURN * (self.vitals + 1)

    def _measured(self, block: Block) -> bool:
        """Whether a text is the first of its section that says what was measured."""
        short = self.results < RESULTS and not self.resulted and not block.leads
        row = block.text.count(" · ") > 1  # of labels, which measures nothing
        measures = block.charts or (not row and _RESULT.match(block.text[:BRIEF]) is not None)
        return short and len(block.text.split()) > LABEL and measures

    def choose(self, block: Block, item: Item) -> None:
        """The title of one of several ways, or the short example or list right below it, which it stands with."""
        if block.series and block.series.noun != "item":
            item.weight, self.option = max(item.weight, OPTION), item
        elif self.option is not None and block.kind != "fence":
            close, code = item.start <= self.option.end + FENCED, block.kind == "code"
            if close and len(item.text) <= LEAD and code and (item.whole or "\n" not in item.text):
                lead_by(self.option, item)
                item.weight, self.option.weight = OPTION, 0.0
            elif close and item.whole and item.weight > LONE and not code:
                item.weight = max(item.weight, OPTION)
            self.option = None

    def row(self, item: Item, n: int) -> None:
        """The rows of a short table that sums up are what it all comes to; of a section's first, before examples."""
        self.tables += not n
        if self.key and n < LONG_TABLE:
            item.weight = max(item.weight, KEY_WEIGHT - TURN * n)
        elif self.tables == 1 and n < LONG_TABLE and (not self.long or self.few):
            least = SUBJECT if self.long else OPENING
            item.weight = max(item.weight, least + TURN * max(0, FIRST_ROWS - n))  # each begins before one goes on
        self.open(item, item.whole)
        self.bring(item)

    def open(self, item: Item, table: bool = False) -> None:
        """What a section begins with weighs more."""
        if self.opens and item.weight > LONE:
            brief = item.flow == "sentences" or (item.whole and len(item.text) <= LEAD)  # a command, if nothing else
            titled = self.level == SUB and (table or len(item.text) <= LEAD)
            opening = FIRST if self.long or not brief else TITLED if titled else self._opening(item)
            item.weight = max(item.weight, opening)
            self.opens = False

    def _opening(self, item: Item) -> float:
        """What a section begins with: in a short document of each main section, the shorter before the longer ones; in
        a long one of the upper level, the first before the last."""
        upper = self.level <= self.upper
        if self.long:
            first, self.opened = not self.opened, self.opened or item.weight < INTRODUCTION
            return SUBJECT if first else OPENING + EARLY * (1 - item.start / self.end) + UPPER * upper
        size = 0 if item.whole else len(item.text.partition(". ")[0])
        return MAIN + EARLY * (1 - min(1.0, size / BRIEF)) if upper else FIRST


def lead_by(lead: Item, item: Item) -> None:
    """An item stands below the line that leads to it, with its fence right above it."""
    if lead is not item and f"\n{lead.text}\n" not in f"\n{item.section}\n":  # as lines, not within another one
        above, _, last = item.section.rpartition("\n")
        fenced = FENCE.match(last.partition(" ")[2]) is not None
        item.section = "\n".join(filter(None, [above, lead.text, last] if fenced else [item.section, lead.text]))


def _text_weight(block: Block, weight: float, introduced: bool) -> float:
    """The weight of a paragraph or entry: the first that tells something stands first."""
    if block.kind == "text" and _fragment(block.text):
        weight = min(weight, LONE)
    if _SCRAP.match(block.text):
        return SCRAP
    introduces = not introduced and prose(block.text) and (weight > LONE or (block.leads and block.kind == "text"))
    return (INTRODUCTION if block.start > 1 else VERDICT) if introduces else weight  # an answer begins with its text


def _fragment(text: str) -> bool:
    """Whether a text is a label, a mark or an image: no sentence, figure, name of a file or call."""
    words = [word for word in text.split() if len(word) > 1 or word.isascii()]  # a picture beside them is none
    return len(text) < WORD or (len(words) <= LABEL and all(map(_PLAIN.fullmatch, words))) or bool(_IMAGE.match(text))


def _block_item(block: Block, anchor: str, loud: dict[int, str], long: bool) -> Item:
    mark = "#" * block.level + " " if block.kind == "heading" and block.level < SUB else ""
    several = block.end > block.start and block.kind != "alert"  # the lines of an alert have their own numbers
    text = f"{anchor or paragraphs.anchor(block.start, block.end if several else block.start)} {mark}{block.text}"
    item = Item(
        block.start, block.end, text, weight=WEIGHTS.get("data" if block.goes_on else block.kind, 1.0),
        section=block.lead, whole=block.whole, series=block.series, under=block.under,
    )  # fmt: skip
    if block.kind not in ("heading", "front", "fence", "mark", "table"):
        item.flow = "lines" if block.kind in ("code", "imports", "drawing") else "sentences"
    if block.leads:  # it comes along with what it introduces, and alone it would mislead
        item.weight = 0.0
    if block.kind == "alert" and (long or len(block.text) > ALERT):  # it would take the room of all else
        item.weight, item.flow = WARNED if long else WAY, "sentences" if ". " in block.text else "lines"
    elif template := "alert alert" if block.kind == "alert" else loud.get(id(block), ""):
        item.keep, item.template = Keep.SEVERE, template
    return item


def _loud(blocks: list[Block]) -> dict[int, str]:
    """Loud blocks where loud words are rare; of a report of tests those that failed."""
    texts = [b for b in blocks if b.kind not in ("heading", "nav", "aside")]
    failed = [id(b) for b in texts if FAILED.match(b.text)]
    if failed and len(failed) * PASSING < sum(len(PASSED.findall(b.text)) for b in texts):
        return dict.fromkeys(failed, "failed")
    if is_long(blocks):
        texts = [b for b in texts if b.kind != "code"]  # examples, which report nothing
    hits = [id(b) for b in texts if LOUD_ENTRY.search(b.text[:4000])]
    return dict.fromkeys(hits, "loud") if len(hits) <= max(3, len(texts) // 50) else {}
