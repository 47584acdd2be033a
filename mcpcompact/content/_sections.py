"""What the lines of a plain text are: headings with the lines below them, verdicts, routine, values not set."""

from __future__ import annotations

from collections.abc import Sequence

from mcpcompact.patterns import regex

MOST = 0.4  # of the filled lines: more of them are a list of such lines and head nothing
LONG = 160  # characters of a heading
VERDICT, PLAIN, UNSET, ROUTINE, RULER = 1.5, 1.0, 0.3, 0.2, 0.02  # weights of lines

_RULED = regex(r"(?:={2,}|-{3,}|-- |\*{3,}|#{1,6}(?=[ #])|~{3,}|>{3,}|={2,}>)[ \w].{0,150}$")
_PROMPT = regex(r"(?:\$ |[\w.-]{1,40}@[\w.-]{1,40}[: ][^$#]{0,80}[$#] |❯ |➜ |PS [A-Z]:\\[^>]{0,80}> )\S")
_KEYED = regex(r"[A-Za-z][\w ()/.&-]{0,60}:$")
_CAPITALS = regex(r"[A-Z][A-Z0-9 ,&/'-]{3,60}:?$")
_BARE = regex(r"(?:-{3,}|={3,}|\*{3,}|#{3,}|~{3,})$")
_LETTER = regex(r"[^\W\d_]")
_VERDICT = regex(
    r"(?i)[ \t]*+(?:(?:[\w./ -]{1,40}: )?(?:error|fatal|failed|warning|E|npm ERR!|ERR!)\b[:!\]]"
    r"|(?:total|found|summary|result|status|state|reason|message|name|title|image|exit code|rc|exit)[:=]|Successfully "
    r"|[\d,]+ (?:\w+ ){0,2}(?:passed|failed|changed|added|removed|upgraded|errors?|warnings?|total|found|vulnerabilit))"
)
_UNSET = regex(
    r"(?i)[ \t]*+[\w ./()-]{1,60}(?::|=)[ \t]*+(?:<\w+>|\[not set\]|none|null|no|false|0|n/a|infinity|\[\]|\{\})?$"
)
_ROUTINE = regex(
    r"[ \t]*(?:Collecting |Downloading |Downloaded |Requirement already satisfied|Using cached "
    r"|Get:\d|Hit:\d|Ign:\d|Fetched |Selecting previously |Preparing to unpack |Unpacking |Setting up "
    r"|Processing triggers |\(Reading database"
    r"|Compiling \S+ v\d|Fetching |Pulling fs layer|[0-9a-f]{12}: |Building wheel|Created wheel|Stored in directory"
    r"|remote: (?:Enumerating|Counting|Compressing)|Receiving objects|Resolving deltas|Updating files)"
    r"|.{0,80}?\d{1,3}% ?\|.{0,80}\||.{0,40}[█━▏▎▍▌▋▊▉#=]{8}.{0,80}\d(?:%|it/s|[kMG]?B/s)"
)


def headings(lines: Sequence[str], filled: Sequence[int]) -> dict[int, int]:
    """Lines that head those below them, by index: where what they head begins. A bare ruler (``echo ---``) parts two
    outputs; one that underlines a line makes that a heading."""
    found: dict[int, int] = {}
    for i in filled:
        line = lines[i].rstrip()
        behind = lines[i + 1] if i + 1 < len(lines) else ""
        if not line or len(line) > LONG or i in found.values():
            continue
        if (
            len(behind) >= 3
            and len(line) <= len(behind.rstrip())
            and _BARE.match(behind.rstrip())
            and _LETTER.search(line)
        ):
            found[i] = i + 2
        elif _BARE.match(line):
            if i and lines[i - 1].strip() and behind and i - 1 not in found:
                found[i] = i + 1
        elif (_RULED.match(line) or _PROMPT.match(line)) and _LETTER.search(line):
            found[i] = i + 1
        elif _KEYED.match(line):
            if behind[:1] in (" ", "\t", "-", "*"):
                found[i] = i + 1
        elif _CAPITALS.match(line) and behind and (not i or not lines[i - 1].strip()):
            found[i] = i + 1
    return found if len(found) <= MOST * len(filled) else {}


def weight(line: str) -> float:
    """How much a line of plain text is worth beside others."""
    if not any(map(str.isalnum, line)):
        return RULER
    if _ROUTINE.match(line):
        return ROUTINE
    return UNSET if _UNSET.match(line) else VERDICT if _VERDICT.match(line) else PLAIN
