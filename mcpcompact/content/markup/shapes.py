"""What lines of Markdown, reStructuredText and page snapshots look like, and which of the flavours a text is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import pairwise

from mcpcompact.content.anomalies.words import words
from mcpcompact.outline import Outline
from mcpcompact.patterns import regex
from mcpcompact.source import split_lines

# -- Markdown ---------------------------------------------------------------------------------------------------

FAILED, PASSED = regex(r"[ \t]*(?:[-*+] )?[❌✗✘✖✕]\s"), regex(r"(?m)^[ \t]*(?:[-*+] )?[✅✓✔]\s")  # how a test went
HEADING = regex(r" {0,3}(#{1,6})[ \t]+(\S.*)", holds="#")
FENCE = regex(r"\s{0,12}(`{3,}|~{3,})[ \t]*([\w+#.-]*)", holds=("```", "~~~"))
BOXES = regex(r"[│║┐╗╮][^\n]*[┌╔╭]")  # within or beside each other: unlike a table or a tree, a drawing
LIST = regex(r"\s*(?:[-*+]|\d{1,9}[.)])[ \t]+\S")
LINK = regex(
    r"\[[^\[\]\n]{0,300}\]\(\s{0,9}<?([^()\s<>]{1,500})|<(https?://[^<>\s]{1,500})>|^\s{0,3}\[[^\[\]\n]{1,100}\]:\s+(\S{1,500})",
    holds=("](", "<http", "]:"),
)
RULE = regex(r" {0,12}\|?(?: {0,40}:?-{2,400}:? {0,40}\|)+ {0,40}(?::?-{2,400}:?)? {0,40}\|?\s{0,9}$")


def turns(before: str, line: str) -> bool:
    """Whether a line says how another test went than what stands before it: what failed stands apart."""
    return FAILED.match(line) is not None or (FAILED.match(before) is not None and PASSED.match(line) is not None)


# -- reStructuredText -------------------------------------------------------------------------------------------

_RULE = regex(r"([=\-~^\"'*+#.:_`<>])\1{2,400}\s*$")
IMPORTS = regex(
    r"(?: {0,8}(?:(?:<\?php|#!.*)?|(?:import|from|use|using|require|#include|package)\b[^\n({]{0,300}"
    r"(?:[({][^)}]{0,400}[)}])?.{0,300})\n)+"
)  # at the beginning of a sample
IMPORT = regex(r"(?:import|from [\w.]+ import|use|using|#include|require)\b|\.{3}$")
DIRECTIVE = regex(r"\s{0,40}\.\. ([\w:.+-]{1,60})::(?:\s|$)")
_SIGN = regex(r"\s*\.\. _[^:]{1,100}:|.*(?<![\w:]):[\w:+-]{2,30}:`[^`]+`|.*`[^`<>]+ <[^`<>]+>`_|\s*:[\w ]{1,30}: \S")
SOME = 2  # of what one may be chance
_MARKDOWN_LINES = ("# ", "## ", "### ", "```")
_TITLE = 80  # characters of a title's underline that are enough


def is_rst(lines: Sequence[str]) -> bool:
    """Underlined titles, literal blocks, and directives, roles or links that Markdown has not."""
    titles = sum(1 for n in range(len(lines)) if title_at(lines, n))
    literals = sum(1 for a, b in pairwise(filter(str.strip, lines)) if a.endswith("::") and b[0] == " " != a[0])
    if not titles and literals < SOME:
        return False
    directives = sum(1 for line in lines if DIRECTIVE.match(line))
    if sum(line.startswith(_MARKDOWN_LINES) for line in lines) > max(SOME, titles + directives):
        return False  # MyST, which has directives and roles, too
    signs = directives + sum(1 for line in lines if _SIGN.match(line[:400]))
    titled = (titles >= SOME and signs > 0) or (titles > 0 and directives >= SOME)
    return titled or (literals >= SOME and signs > directives)


def title_at(lines: Sequence[str], n: int) -> tuple[str, int] | None:
    """The style of the title at line ``n`` (underline, and overline where there is one) and how many lines it takes."""
    line = lines[n]
    over = _RULE.match(line)
    if over and n + 2 < len(lines) and lines[n + 1].strip() and lines[n + 2].rstrip() == line.rstrip():
        return over[1] * 2, 3
    if over or not line.strip() or line[0] in " \t" or n + 1 >= len(lines):
        return None
    under = _RULE.match(lines[n + 1])
    above = lines[n - 1].strip() if n else ""
    return (under[1], 2) if under and not above and len(under[0].rstrip()) >= min(len(line.rstrip()), _TITLE) else None


# -- page snapshots ---------------------------------------------------------------------------------------------

CONTROLS = words(
    "button textbox checkbox radio combobox searchbox switch slider spinbutton menuitem menuitemcheckbox "
    "menuitemradio tab option treeitem input select textarea"
)
LINKS = words("link a")
_OTHERS = words(
    "alert alertdialog application article banner blockquote caption cell code columnheader complementary "
    "contentinfo definition dialog document emphasis figure form generic grid gridcell group heading iframe image "
    "img inlinetextbox labeltext linebreak list listbox listitem listmarker log main mark menu menubar meter "
    "navigation none note paragraph progressbar radiogroup region rootwebarea row rowgroup rowheader search "
    "section separator statictext status strong table tablist tabpanel term text time timer toolbar tooltip tree "
    "treegrid webarea"
)
ROLES = CONTROLS | LINKS | _OTHERS
_ELEMENT = regex(
    r"\s{0,400}(?:- )?['\"]?(?P<id>\*?\[\w{1,12}\] ?<?|uid=\w{1,20} )?(?P<role>[A-Za-z]{1,20})\b(?P<rest>.*)"
)
REFERENCE = regex(r"\[(?:ref|id)=\w+\]")
PROPERTY = regex(r"\s*- /\w{1,20}: ")
MIN, SHARE, REFERRED = 4, 0.6, 0.3  # elements; of the lines; of the elements that carry a reference or a quoted name
LOOK_WITHIN = 2_000  # characters of a line


def elements(lines: Sequence[str]) -> int:
    """How many elements of known roles stand there, where most lines are such and many of these have a reference or a
    quoted name; else 0."""
    filled = [line for line in lines if line.strip() and not line.startswith("```")]
    matches = [match for line in filled if (match := element(line))]
    if len(matches) < MIN:
        return 0
    referred = sum(1 for m in matches if m["id"] or m["rest"][:2] in (' "', " '") or REFERENCE.search(m["rest"]))
    properties = sum(1 for line in filled if PROPERTY.match(line))
    fit = len(matches) + properties >= SHARE * len(filled) and referred >= REFERRED * len(matches)
    return len(matches) if fit else 0


def element(line: str) -> re.Match[str] | None:
    match = _ELEMENT.match(line[:LOOK_WITHIN])
    return match if match and match["role"].lower() in ROLES else None


# -- tags -------------------------------------------------------------------------------------------------------

_COMMENTS = r"(?:(?><!--.{0,8000}?-->)\s*+|(?><\?xml[^>]{0,200}\?>)\s*+)*+"
HTML = regex(_COMMENTS + r"<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
FIRST = regex(
    _COMMENTS
    + r"(?:<!DOCTYPE[^>\[]{0,500}+(?:\[[^\]]{0,4000}+\])?\s*+>\s*+)?"
    + _COMMENTS
    + r"<([A-Za-z_][\w:.-]{0,100})[\s/>]",
    re.S,
)
TAGS = regex(r"</?[A-Za-z][\w:.-]{0,60}(?:\s[^<>]{0,2000})?>")
_HTML_TAGS = words(
    "a abbr article aside b blockquote body br button center code dd details div dl dt em fieldset figure font "
    "footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input label li link main meta nav ol p pre "
    "script section select small span strong style table tbody td textarea th thead title tr ul video"
)


_NOT_HTML = regex(r"<\?xml.{0,400}<(?!html|!doctype)", re.I | re.S)
_MARKDOWN = regex(r"^#{1,6} \S|^```", re.M)
LOOK = 20_000  # characters
FEW_TAGS = 3  # in Markdown, which has some


def flavour(text: str) -> str:
    """``html`` or ``xml``, from the first tag; what starts with none is ``snapshot``, ``rst`` or ``markdown``."""
    head = text[:LOOK].lstrip("\ufeff \t\r\n")
    if head[:1] != "<":
        lines = split_lines(head)
        return "snapshot" if elements(lines) else "rst" if is_rst(lines) else "markdown"
    if HTML.match(head) and not _NOT_HTML.match(head):
        return "html"
    if head.startswith("<?xml"):
        return "xml"
    first = FIRST.match(head)
    if first is None:
        return "html" if len(TAGS.findall(head)) > FEW_TAGS else "markdown"
    if first[1].lower() not in _HTML_TAGS:
        return "xml"
    return "markdown" if _MARKDOWN.search(head) else "html"  # a README that opens with centred HTML


of_lines = partial(Outline, "markup", "line", more=(("--lines", "A:B"),), rendered=True)
"""The outline of a document: how many lines it has, what it is in a few words, facts and items."""


def byte_anchors(text: str, offsets: Iterable[int]) -> dict[int, str]:
    """``@1234`` for each offset of a character: its place in bytes."""
    anchors, char, byte = dict[int, str](), 0, 0
    for offset in sorted(offsets):
        byte += len(text[char:offset].encode("utf-8", "surrogatepass"))
        anchors[offset], char = f"@{byte}", offset
    return anchors


_PARTS = regex(
    r"[>\s]*(?:`{3,}|~{3,}|-{3,}$|\*{3,}$|={3,}$|\|[ :|]*-[ :|-]*$)"
)  # fences, rules, what is below a header


def parting(lines: Sequence[str]) -> dict[int, str]:
    """By their numbers the lines of a document, the text of those that only part something (a fence, a rule), "" of
    others."""
    return {n: line if _PARTS.match(line) else "" for n, line in enumerate(lines, 1) if line.strip()}
