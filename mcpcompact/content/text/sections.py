"""What the lines of a plain text are: headings with the lines below them, verdicts, routine, values not set; how many
rows of a long list begin alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise

from mcpcompact.content.anomalies.words import SEVERE
from mcpcompact.content.shared.evidence import share
from mcpcompact.content.shared.lines import is_wrapper, overtaken
from mcpcompact.outline import Fact, Item
from mcpcompact.patterns import matching, regex
from mcpcompact.phrasing import counted, some

_BEHIND, _MIN = 3, 2  # characters of what underlines a line, and of a heading of one line

MAX = 0.4  # of the filled lines: more of them are a list of such lines and head nothing
LONG = 160  # characters of a heading
FEW, MANY = 2, 600  # headings that make sections, and lines of the outputs of a few commands
SHAPED = 0.85  # score, at most, but of an installation
INSTALLED, NAMED, CAMEL = 0.5, 0.7, 0.9  # of the lines: what installs, values with their names, ``ActiveState=failed``
ALIGNED = 0.4  # of the lines: values in a column of their own, which nobody writes in YAML
FAILURES = 12  # lines that tell of a failure; more of them are a log
TRACE = 7  # lines of a traceback above its error, at most
TELLING = 16  # values that tell the state of a thing
PLACES = 4  # headings whose lines are named
VERDICT, PLAIN, UNSET, ROUTINE, RULER = 1.5, 1.0, 0.3, 0.2, 0.02  # weights of lines
LATER, MIN = 0.9, 0.25  # factor on the weight of a line from the one above it below a heading, and the least
ROWS_LEAST, ROWS_MOST = 24, 20_000  # rows of a list that is told; of a longer one the groups are not worth the time
COVERED, LISTS = 0.7, 3  # share of its rows that are in a group; such lists
ALIKE, GROUPS = 3, 12  # rows of a group at least, twice as many where that makes more groups than these
LARGE, LESS, ALONE = 3, 0.2, 2.0  # a group is large that has one row in so many; factors on the weight of further rows
# of a large group, and of a row that is in none
PARTS = 8  # of a name that are looked at

_RULED = regex(r"(?:={2,}|-{3,}|-- |\*{3,}|#{1,6}(?=[ #])|~{3,}|>{3,}|={2,}>)[ \w].{0,150}$", holds="=-*#~>")
_PROMPT = regex(r"(?:\$ |[\w.-]{1,40}@[\w.-]{1,40}[: ][^$#]{0,80}[$#] |❯ |➜ |PS [A-Z]:\\[^>]{0,80}> )\S", holds="$#❯➜>")
_KEYED = regex(r"[A-Za-z][\w ()/.&-]{0,60}:$", holds=":")
_CAPITALS = regex(r"[A-Z][A-Z0-9 ,&/'-]{3,60}:?$")
_BARE = regex(r"(?:-{3,}|={3,}|\*{3,}|#{3,}|~{3,})$", holds="-=*#~")
_LETTER = regex(r"[^\W\d_]")
_VERDICT = regex(
    r"(?i)[ \t]*+(?:(?:[\w./ -]{1,40}: )?(?:error|fatal|failed|warning|E|npm ERR!|ERR!)\b[:!\]]"
    r"|(?:total|found|summary|result|status|state|reason|message|name|title|image|exit code|rc|exit)[:=]|Successfully "
    r"|[\d,]+ (?:\w+ ){0,2}(?:passed|failed|changed|added|removed|upgraded|errors?|warnings?|total|found|vulnerabilit)"
    r"|(?:planning|execution) time: |#0 +0x[\da-f]+ in \S.* at \S+:\d+$"
    r"|==\d+== .*(?:\blost(?: in loss record|: )|error summary: ))"
)
_MEASURES = ("accuracy", "precision", "recall", "f1", "loss", "auc", "bleu", "score")
_MEASURED = regex(rf"(?i)[ \t]*+.{{0,40}}(?:{'|'.join(_MEASURES)})\W{{1,4}}\d")
_STRUCTURES = "HEADER    ", "data_"  # how PDB and mmCIF begin
_TITLED = regex(r"TITLE {3}|_struct\.title\b")
_UNSET = regex(
    r"(?i)[ \t]*+[\w ./()-]{1,60}[:=][ \t]*+"
    r"(?:<\w+>|\[not set\]|none|null|no|yes|false|0|n/a|infinity|18446744073709551615|\[\]|\{\})?$",
    holds=":=",
)
_NAME = regex(r"[ \t]*+[\w\"'][\w ./()\"'-]{0,50}:(?:[ \t]|$)", holds=":")
_COLUMN = regex(r"[ \t]*+[^\s:#-][^:#]{0,50}: {2,}\S", holds=":")
_CAMEL = regex(r"[A-Z]+[a-z]\w*=", holds="=")
_TELLS = regex(
    r"(?i)[ \t]*+(?:\w{0,12} ?state|status|phase|reason|result|conclusion|verdict|exit code|ready|restart count"
    r"|execmainstatus|message|title|name|id|author|assignees?|state|priority|description)[:=][ \t]*+(?!<|\[not|$)",
    holds=":=",
)
_PROGRESS = regex(
    r".{0,80}?\d{1,3}% ?\|.{0,80}\||.{0,40}(?:[█━▏▎▍▌▋▊▉]{8}|#{8}|={8}).{0,80}\d(?:%|it/s| ?[kMG]?B)",
    holds=("%|", "% |", "########", "========", *"█━▏▎▍▌▋▊▉"),
)
_FAILED = regex(
    r"(?:[\w./@-]{1,60}: ){0,2}(?:error|fatal|ERROR|FATAL|CRITICAL|E|npm ERR!|Err)(?:\[\w{1,20}\])?(?::\d*|!) "
    r"|Error in \S.{0,160}? ?: "  # of R
    r"|(?:[\w./@-]{1,60}: ){1,2}.{0,120}(?:command not found|No such file or directory|Permission denied)$"
    r"|(?:Thread .{1,80}|Program )(?:received|terminated with) signal SIG|==\d+== (?:Invalid \w+ |Process terminating )"
    r"|[ \t]*Warning  +\S|[\w.]{0,80}[a-z](?:Error|Exception): \S",
    holds=(
        "rror", "RROR", "fatal", "FATAL", "CRITICAL", "E:", "E!", "E[", "ERR!", "Err", "command not found",
        "No such file", "Permission denied", "Warning  ", "Exception: ",
        " signal SIG", "== Invalid ", "== Process ",
    ),
)  # fmt: skip
_TOTAL = regex(r"(?i).{0,200}\b(?:totals?|sum|passed|failed|errors?|warnings?|found|findings|rows)\b")
_INSTALLS = (
    "Collecting ", "Downloading ", "Downloaded ", "Requirement already satisfied", "Using cached ", "Fetched ",
    "Selecting previously ", "Preparing to unpack ", "Unpacking ", "Setting up ", "Processing triggers ",
    "(Reading database", "Pulling fs layer", "Building wheel", "Created wheel", "Stored in directory",
    "Attempting uninstall: ", "Found existing installation: ", "Successfully uninstall", "Uninstall", "[notice] ",
    "remote: Enumerating", "remote: Counting", "remote: Compressing", "Receiving objects", "Resolving deltas",
    "Updating files",
)  # fmt: skip
_ROUTINE = regex(
    r"[ \t]*(?:\[Tool: \w+\] |(?:Get|Hit|Ign):\d|[0-9a-f]{12}: |(?:warnings\.)?_?warn\w*\("
    r"|==> (?:Pouring|Downloading|Fetching(?! downloads)|Running `|Installing \S+ dependency:)|[✔✓]\ufe0e? Bottle )"
)
_WARNS = regex(r"[ \t]*(?:.{0,80}\.{3} done$|.{0,200}: \w{1,30}Warning: )")
_FIRST = regex(r"[^\s\"'{}\[\]()<>,;=]{2,100}")  # of a row
_SIGN = regex(r"[^\w\s]|_")  # ends a part of it


def headings(lines: Sequence[str], filled: Sequence[int]) -> dict[int, int]:
    """Lines that head those below them, by index: where what they head begins."""
    heads = _headings(lines, filled)
    for i, after in pairwise(filled):
        if after in heads and _BARE.match(lines[i].rstrip()):
            heads.pop(i, None)  # it parts what has a heading of its own
    return heads if len(heads) <= MAX * len(filled) else {}


def _headings(lines: Sequence[str], filled: Sequence[int]) -> dict[int, int]:
    """A bare ruler (``echo ---``) parts two outputs; one that underlines a line makes that a heading."""
    heads: dict[int, int] = {}
    for i in filled:
        line = lines[i]
        behind = lines[i + 1] if i + 1 < len(lines) else ""
        under = len(behind) >= _BEHIND and behind[0] in "-=*#~" and len(line.rstrip()) <= len(behind.rstrip())
        under = under and _BARE.match(behind.rstrip()) is not None and _LETTER.search(line) is not None
        word = not under and (len(line) < _MIN or (line.isalnum() and line.islower()))  # nothing makes it a heading
        if word or len(line := line.rstrip()) > LONG or i in (heads.get(i - 1), heads.get(i - 2)):
            continue
        if under:
            heads[i] = i + 2
        elif line[0] in "-=*#~" and _BARE.match(line):
            if i and lines[i - 1].strip() and behind and i - 1 not in heads:
                heads[i] = i + 1
        elif (_RULED.match(line) or _PROMPT.match(line)) and _LETTER.search(line) and not _ROUTINE.match(line):
            heads[i] = i + 1
        elif line[-1] == ":" and _KEYED.match(line):
            if behind[:1] in (" ", "\t", "-", "*"):
                heads[i] = i + 1
        elif line.isupper() and _CAPITALS.match(line) and behind and (not i or not lines[i - 1].strip()):
            heads[i] = i + 1
    return heads


def shape(lines: Sequence[str], whole: bool, claimed: float = 0.0) -> tuple[float, str]:
    """How surely lines are the output of an installation, of several commands, or values with their names, and which.

    An installation that is not seen ``whole`` can be the first step of a build, which is a log.
    """
    past = overtaken(enumerate(lines))
    filled = [i for i, line in enumerate(lines) if line.strip() and i not in past]
    if len(filled) < 2 * FEW:
        return 0.0, ""
    texts = [lines[i] for i in filled]
    if whole and sum(map(_is_routine, texts)) / len(texts) + share(texts, _PROGRESS) >= INSTALLED:
        return 0.95, "an installation"
    if claimed > SHAPED:
        return 0.0, ""
    if share(texts, _CAMEL) >= CAMEL:
        return 0.8, "properties, one a line"
    fenced = any(line.startswith(("```", "@@ ")) for line in lines)  # Markdown, a patch
    heads = headings(lines, filled) if len(lines) <= MANY and not fenced else {}
    if len(heads) > FEW and _PROMPT.match(lines[filled[0]]):
        return SHAPED, "a session of commands"
    ruled = [i for i in heads if not _KEYED.match(lines[i].rstrip())]  # a line of code ends in a colon too
    if len(ruled) >= FEW and ruled[0] <= filled[FEW]:
        return 0.6, "outputs below their headings"
    if share(texts, _NAME) < NAMED:
        return 0.0, ""
    return SHAPED if share(texts, _COLUMN) >= ALIGNED else 0.5, "values with their names"


def parted(lines: Sequence[str], heads: Mapping[int, int]) -> list[Fact]:
    """Where the headings between rulers stand (``=== tests ===``) with which a command parts its outputs."""
    numbers = [f"{i + 1}" for i in heads if lines[i][0] == lines[i].rstrip()[-1] in "=-*" and _RULED.match(lines[i])]
    text = f"{counted(len(lines), 'line')}, {counted(len(numbers), 'heading')} at {some(numbers, PLACES)}"
    return [Fact(text, 0)] if numbers else []


def _is_routine(line: str) -> bool:
    warns = ("... done" in line or "Warning: " in line) and _WARNS.match(line)
    return bool(line.lstrip(" \t").startswith(_INSTALLS) or warns or _ROUTINE.match(line))


def telling(lines: Sequence[str], filled: Sequence[int], heads: Mapping[int, int]) -> list[int]:
    """Of a list of values with their names those that tell what a thing is and how it is; of outputs below headings the
    totals that end them."""
    if filled and lines[filled[0]].startswith(_STRUCTURES):
        named = [i for i in filled if _TITLED.match(lines[i])][:TELLING]
        below = {i + 1 for i in named if " " not in lines[i].rstrip() and i + 1 < len(lines)}  # it may follow its name
        return sorted({*named, *below})
    ends = [a for a, b in pairwise([*filled, len(lines)]) if heads and (b in heads or b == len(lines))]
    totals = [i for i in ends if i not in heads and _TOTAL.match(lines[i]) and any(map(str.isdigit, lines[i]))]
    texts = [lines[i] for i in filled]
    if share(texts, _NAME) < NAMED and share(texts, _CAMEL) < CAMEL:
        return totals[:TELLING]
    kept = [i for i in filled if _TELLS.match(lines[i])]
    often = Counter(lines[i] for i in kept)  # of several things what is wrong and what each is called, not what all say
    return sorted(kept, key=lambda i: (SEVERE.search(lines[i]) is None, often[lines[i]]))[:TELLING]


def failures(lines: Sequence[str]) -> list[int]:
    """Lines in which a command tells of a failure, where they are few; a short traceback whole."""
    places = matching(_FAILED, lines)
    return sorted({*places, *(n for i in places for n in _trace(lines, i))}) if len(places) <= FAILURES else []


def _trace(lines: Sequence[str], end: int) -> range:
    begun = next((n for n in range(end - 1, max(end - TRACE, 0) - 1, -1) if lines[n][:1] not in (" ", "\t")), end)
    return range(begun, end) if lines[begun].rstrip().endswith("Traceback (most recent call last):") else range(0)


def weight(line: str, place: int = 0, last: bool = False) -> float:
    """How much a line of plain text is worth beside others; ``place``: how many lines of its section stand above it,
    ``last``: none below it, where totals stand."""
    own = _weight(line)
    return VERDICT if last and own >= PLAIN else own * max(MIN, LATER**place)


def _weight(line: str) -> float:
    if line.startswith("==") and (rest := line.lstrip("=0123456789 ").rstrip()[:5]) in ("", "at 0x", "by 0x"):
        return UNSET if rest else RULER  # frames and blank lines of valgrind
    bar = not line.isascii() or "%" in line or "########" in line or "========" in line
    if not any(map(str.isalnum, line)) or line.lstrip().startswith("```") or (bar and _PROGRESS.match(line)):
        return RULER
    if _is_routine(line):
        return ROUTINE
    if (":" in line or "=" in line) and _UNSET.match(line):
        return UNSET
    measures = any(map(line.lower().__contains__, _MEASURES)) and _MEASURED.match(line)
    return VERDICT if measures or _VERDICT.match(line) else PLAIN


def grouped(lines: Sequence[str], filled: Sequence[int], heads: Mapping[int, int], items: Sequence[Item]) -> list[Fact]:
    """How many rows of each long list begin alike, up to a sign in their first words."""
    facts, factors = [], dict[int, float]()
    for head, own in _lists(lines, filled, heads):
        groups = _beginnings(lines, own)
        alone = groups.pop("")
        if len(own) * (1 - COVERED) < len(alone) or len(groups) + bool(alone) <= 1:
            continue
        names = sorted(groups, key=lambda name: -len(groups[name]))
        other = {name for name in names if any(one != name and one.startswith(name) for one in names)}
        parts = [f"{'other ' * (name in other)}{name}… {len(groups[name]):,}" for name in names]
        parts += [counted(len(alone), "other")] * bool(alone)
        where = f" below line {head + 1}" if head >= 0 else ""
        facts.append(Fact(f"{len(own):,} lines{where} by how they begin: {' · '.join(parts)}", 0))
        large = (i for rows in groups.values() if LARGE * len(rows) > len(own) for i in rows[ALIKE:])
        factors |= dict.fromkeys(alone, ALONE) | dict.fromkeys(large, LESS)
    for item in items:
        item.weight *= factors.get(item.start - 1, 1.0)
    return facts


def _beginnings(lines: Sequence[str], own: Sequence[int]) -> dict[str, list[int]]:
    """Rows by the longest beginning that several of them have. What is left beside larger groups joins the one that
    begins like it; "" is for those of none."""
    names = {i: match[0] for i in own if (match := _FIRST.match(lines[i].lstrip()))}
    cut = {i: [name[: sign.end()] for sign in islice(_SIGN.finditer(name), PARTS)] for i, name in names.items()}
    counts = Counter(begin for parts in cut.values() for begin in parts if any(map(str.isalpha, begin)))
    held, least = dict[str, list[int]](), ALIKE
    while not held or len(held) > GROUPS:
        often = {begin for begin, n in counts.items() if least <= n < len(own)}
        steps = {i: ["", *filter(often.__contains__, cut.get(i, ()))] for i in own}
        held = {"": []}
        for i in own:
            held.setdefault(steps[i][-1], []).append(i)
        for begin in sorted(often, key=len, reverse=True):
            for i in held.pop(begin) if 0 < len(held.get(begin, ())) < least else ():
                held.setdefault(steps[i][steps[i].index(begin) - 1], []).append(i)
        least *= 2
    return held


def _lists(lines: Sequence[str], filled: Sequence[int], heads: Mapping[int, int]) -> Iterator[tuple[int, list[int]]]:
    """The rows below each heading of a few, with its index; -1 where there is none."""
    by_head: dict[int, list[int]] = {}
    head, behind = -1, 0
    for i in filled:
        head, behind = (i, heads[i]) if i in heads else (head, behind)
        if i >= behind and not is_wrapper(lines[i]):
            by_head.setdefault(head, []).append(i)
    long = [(head, own) for head, own in by_head.items() if ROWS_LEAST <= len(own) <= ROWS_MOST]
    for head, own in long if len(long) <= LISTS else ():
        if not any(weight(lines[i]) <= ROUTINE for i in own):  # of progress the end is told
            yield head, own
