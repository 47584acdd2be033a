"""What a line of source stands under, by indentation: a signature, a condition, a key, the head of its statement."""

# ruff: noqa: E501 - patterns read better whole

from __future__ import annotations

from collections.abc import Sequence

from mcpcompact.content.shared.languages import COMMENT, COMMENTS
from mcpcompact.patterns import regex

LOOK = 240  # characters of a line that decide its kind
LONGEST_STRING = 200  # lines; a quote that stands alone for longer opened none
BRANCH = regex(r"(?:\}\s*)?(?:else|elif|elsif|elseif|except|catch|finally|rescue|ensure)\b")
_CASE = regex(r"(?:case\b|default\s*:)")
_SECTION = regex(r"\[\[?[\w.\"' -]+\]?\]\s*(?:[#;].*)?$")  # of TOML and INI: all lines up to the next one are its own
_CHOICE = regex(r"(?:switch|select|match|case)\b")
BARE = regex(  # says nothing without the lines around it
    r"(?:[\w.$!-]+[,(?]?|[\"'][A-Za-z]+[\"'],?|\w*\.{3}|(?:\} )?else\b[ {:]*|if err != nil \{|return(?: (?:nil|err|null|None|true|false|True|False|undefined))*"
    r"|try[ {:]*|(?:\} )?(?:except|catch|finally|case|default)\b[^:{]{0,40}[:{]|(?:await |return )?[\w.$]+\(|\*/|pass|expect\(|\.\w+\(\))[;,]?$"
)
MAPPING = regex(  # its fields say what it is: a type, a schema, settings
    r"\s*(?:[\w.]+ )*(?:(?:type|interface|struct|enum)\b.*\{|(?:const|let|var) (?!.*(?:=>|function\b)).*"
    r"|\w+[\w:, \[\]]* = [\[({])$"
)
_CONDITION = regex(r"\s+(?:if|when|unless|only|except|condition): ?\S")
_MARGINAL = regex(r"(?:\w+:\s*|#\s*(?:if|ifn?def|el\w+|endif)\b.*)$")
QUOTES = ("`", '"""', "'''")  # a line of a text says little without what opens it
_GUARD = regex(
    r"\s*(?:\}\s*)?(?:if|for|while|else|elif|elsif|switch|case|default|match|when|unless|catch|except|finally|with|foreach|until)\b"
)
_ENDS = regex(r"(?:return|raise|throw|panic!?|break|continue|goto|die|exit|(?:process\.|sys\.|os\.)(?:E|e)xit)\b")
_AND = regex(r"(?i:and|or)\s|&&|\|\|")  # goes on with a condition
SHORT_GUARD, GUARDED = 60, 4  # characters of a condition that costs little beside so many lines that it guards
_UNFINISHED = regex(
    r"(?:[(\[,=+*/|&?]|[=(:\[] ?\{|[\w>]\{|\b(?:return|struct|interface|union) \{)\s*$"
)  # the lines below it are parts of its statement
_UNDONE = tuple("([,=+*/|&?{")  # what such a line ends with
CALLED = regex(  # runs the block below it, and says when: a call that takes it, a scope
    r"\s*(?:.*\(.*(?:=>|\bfunction\b.*\)|\bfunc\(.*\).*|\|[^|]*\|) ?\{|(?:defer|go) func\(.*\{|.*\bdo(?: \|[^|]*\|)?"
    r"|(?:async )?with\b.*:|\$: \{|.*\w(?:\(.*\))? \{ ?[\w, ()]+ (?:->|in))\s*$",
    holds=("{", "do", "with", "->", " in"),
)
_OPENERS = (":", "(", "=", ",", "[", "{")


def enclosing(texts: Sequence[str]) -> list[int]:
    """For each line the index of the one it stands under, -1 for none. A closing bracket and a further branch stand
    under what opened them, lines of a long string under its first, and comments open nothing."""
    above = [-1] * len(texts)
    stack: list[tuple[int, int, int]] = []  # columns, line, first branch
    quote, opened, before = "", 0, ""
    for i, text in enumerate(texts):
        head = text[:LOOK].strip()
        if not head:
            continue
        if quote:
            above[i] = opened
            if quote in text or i - opened > LONGEST_STRING:
                quote = ""
            continue
        columns = len(text[: len(text) - len(text.lstrip())].expandtabs(4)) if text[0].isspace() else 0
        if head[0] == "#" or (head[0] in COMMENTS and COMMENT.match(head) and not head.startswith(QUOTES)):
            above[i] = next((line for at, line, _ in reversed(stack) if at < columns), -1)
            continue
        columns -= columns == 0 and head[0] == "[" and _SECTION.match(head) is not None
        while stack and stack[-1][0] > columns:
            stack.pop()
        same = stack.pop() if stack and stack[-1][0] == columns else None
        further = same is not None and (
            BRANCH.match(head) or (_CASE.match(head) and _CHOICE.match(texts[same[2]].strip()[:8]))
        )
        body = head == "{" and not before.endswith((";", "}"))  # of what stands above it
        if same is not None and (further or body or head[0] in ")]}"):
            above[i] = same[2]
            stack.append((columns, i, same[2]) if further else same)
        else:
            above[i] = stack[-1][1] if stack else -1
            stack.append((columns, i, i))
        for mark in QUOTES if "`" in head or '"""' in head or "'''" in head else ():
            ends = head.strip(")],;") == mark and before and not before.endswith(_OPENERS)
            if head.count(mark) % 2 and not ends:
                quote, opened = mark, i
        before = head
    return above


def indented(texts: Sequence[str]) -> list[str]:
    """Of C: the labels and conditions of the preprocessor, which stand at the margin, as deep as what is below them (or
    above them, where a block ends there): they end nothing."""
    result, below = list(texts), ""
    for i in range(len(texts) - 1, -1, -1):
        if texts[i] and _MARGINAL.match(texts[i]):
            beside = "".join(texts[max(0, i - 1) : i]) if below[:1] == "}" else below
            result[i] = " " * columns(beside) + texts[i]
        below = result[i] if texts[i].strip() else below
    return result


def leads(text: str, conditions: bool = True) -> bool:
    """Whether what stands under a line misleads without it: a further branch (its body would stand under the inverted
    condition), the beginning of a statement or of a text; with ``conditions`` these, too: indentation shows them."""
    guards = _GUARD.match(text) is not None
    head = text.lstrip()
    branch = BRANCH.match(head) or _CASE.match(head)
    line = text.rstrip()
    undone = line.endswith(("\\", *_UNDONE)) and (line[-1] == "\\" or _UNFINISHED.search(text) is not None)
    undone = undone or (line[-1:] != "{" and any(text.count(a) > text.count(b) for a, b in ("()", "[]")))  # no block
    begins = branch if guards and not conditions else guards or undone
    return bool(begins) or any(quote[0] in text and text.count(quote) % 2 for quote in QUOTES)


def governed(text: str, over: str, below: int) -> bool:
    """Whether a line misleads without the one ``over`` it, so many lines ``below``: a further branch, the end of a
    function or a loop, one of the first statements, conditions too, that a condition or loop guards."""
    head, guard = text.lstrip(), over.strip()
    ends = BRANCH.match(head) or _ENDS.match(head) or _AND.match(head)
    near = below <= GUARDED
    return bool(ends or (near and (below == 1 or len(guard) <= SHORT_GUARD) and _GUARD.match(guard)))


def conditioned(texts: Sequence[str], above: list[int]) -> list[int]:
    """Of YAML: the keys beside an ``if:`` or ``when:`` stand under it, wherever it stands among them."""
    conditions = {(above[i], columns(text)): i for i, text in enumerate(texts) if _CONDITION.match(text)}
    return [
        conditions.get((line, columns(text)), line) if not _CONDITION.match(text) else line
        for text, line in zip(texts, above, strict=True)
    ]


def columns(text: str) -> int:
    """How far in a line stands."""
    return len(text) - len(text.lstrip())


def heads(above: Sequence[int], shown: Sequence[bool] | Sequence[float]) -> list[int]:
    """The nearest line above each that can be shown, -1 for none."""
    nearest = [-1] * len(above)
    for i, line in enumerate(above):  # a line stands behind what it stands under
        nearest[i] = line if line < 0 or shown[line] else nearest[line]
    return nearest
