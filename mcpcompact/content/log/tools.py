"""What is read of some logs alone. Why tests failed: the messages that several of them share, and the errors that what
they received shows. What checkers of memory and threads report (Valgrind, Dr. Memory, sanitizers): each error once, and
where it is. What a plan of Terraform or OpenTofu would do: which addresses it replaces, destroys, creates and changes,
what forces a replacement, and which changes all of an action share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise, takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from mcpcompact.content.log.entries import FRAME, indent_of
from mcpcompact.content.log.grammar import test_passed
from mcpcompact.content.log.runners import bare
from mcpcompact.content.log.scan import Scan
from mcpcompact.content.log.templates import category, first_of
from mcpcompact.content.log.tested import TITLE
from mcpcompact.outline import Fact
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped, counted

if TYPE_CHECKING:
    from mcpcompact.content.log.failures import Failure

_SAYS: Final = (
    regex(r"E {2,}(\S.*)"),  # pytest, before the lines that introduce a trace
    regex(r"([A-Za-z_][\w.]*(?:Error|Exception|Failure)\b.*)"),  # below a trace, before what its frames quote
    regex(r"\s*((?:[\w.:]+(?:Error|Exception|Failure)\b|E[A-Z]{4,15}: |Expected\b|assert|panicked\b).*)"),
)
_LISTS: Final = frozenset((
    "mozilla", "crash", "pytest", "pytest line", "unittest line", "cargo", "rspec", "jest suite", "cucumber", "bazel",
    "meson", "ctest", "automake", "nextest", "robot", "script", "prove", "xcpretty", "ginkgo",
))  # fmt: skip
"""Forms whose lines stand in a list, or with what is said of them."""
_DEEPER: Final = ("go", "scalatest", "gradle", "xunit", "dart", "node", "bats")  # below which it stands deeper
_PYTHON: Final = ("pytest heading", "sympy", "unittest")  # which end with what was thrown
_TRACED: Final = (*_PYTHON, "jest", "jest test", "playwright")  # above which stands source
_ABOVE: Final = ("bun", "gtest", "xctest", "ct")  # forms of runners that say above its name why a test failed
_FAILED_AT: Final = regex(r".*(?::\d+: (?:Failure$|error: )|\(\d+\): error| failed on line \d+$)")
_JAVA: Final = ("surefire", "gradle")  # whose last cause says what went wrong
_CAUSED: Final = regex(r"\s*Caused by: ", holds="Caused by: ")
_SOURCE: Final = regex(r"[E>] |\S+:\d+: ?\w*$|Traceback ")  # of pytest: what failed; else the first lines say why
_CHAINED: Final = regex(r"During handling of the above|The above exception was the direct")
_FRAMED: Final = regex(r"  File \"")
_TAG: Final = regex(r"\[(?i:info|error|warn)\] ?|\s*\[xUnit\.net [\d:.]+\]")
_DIAGNOSED: Final = regex(r"\s+(?:error|message): (\S.*)$")
_CHANGED: Final = regex(r"(?:--- Expected|\+\+\+ Actual|@@ .*@@)\s*$")  # above what a value lacks and has
_EDITED: Final = regex(r"\s+[-+] +(?!(?:Expected|Received)\b)\S")
_GO_SAYS: Final = regex(r"\s+\S+\.go:\d+: \S")
_SIDE: Final = regex(r"(?:Expected|Actual|But was|Received|with expansion)\b")  # of a comparison, at any depth
_SIGN: Final = regex(r"\s*(?:[^\w\s\"'<(/.]{1,2}|\[.\]|\d+\)|--- \w+:|\[ +\w+ +\])(?=\s)")
"""With which the lines of tests begin."""
GAP, AT_MOST, MESSAGE = 3, 6, 180  # lines above a message; lines of it that are told, and their characters
MIN: Final = 40  # characters of one; of less the next line is told however long
STATED = 4  # lines above a message, in which a caret points at its statement
_RULED: Final = regex(r"\s*[=_-]{3,}(?: |$)|_ .*[^\W_].* _$")  # but those between the frames of one trace
MAX_READ, TEXT = 500, 200  # failures whose messages are read; characters of a message

_OTHER: Final = regex(r"\((?:pass|skip|todo)\) |\[ +(?:OK|RUN) +\] ")  # a test before, or where this one begins
_VALUE: Final = regex(r"\s*(?:[E+] +)?(?:(?:Received|Actual|Got|Output|stdout|stderr)\b|but was\b)", holds="RAGOsb")
_THROWN: Final = regex(  # also behind a line break as it is quoted
    r"(?:(?<=\\n)|\b)(?:(?:[A-Z]\w{0,60})?(?:Error|Exception)|error|panic): \S",
    holds=("rror: ", "xception: ", "panic: "),
)
_RECEIVED: Final = regex(r"\s*(?:Received|Actual)\b.{1,80}$")
ABOVE: Final = 120  # lines above the name of a test in which its message stands


class Cause(NamedTuple):
    """The line where a message stands first that several tests share, the message, whether all say it in the same
    words, whether it is an error that stands in what they received, and the lines that name the tests, one each."""

    line: int
    text: str
    same: bool
    shown: bool
    lines: Sequence[int]


def _blocks(named: Sequence[Failure], after: Callable[[int], list[str]]) -> Iterator[tuple[Failure, int, list[str]]]:
    """What is said of each failure: the number of the line before it, and its lines."""
    lines = [0, *(one.line for one in named), 0]
    for one, before, end in zip(named, lines, lines[2:], strict=False):
        above = one.form in _ABOVE
        start, stop = (max(before, one.line - ABOVE), one.line) if above else (one.line, end)
        block = [bare(raw) for raw in after(start)[: stop - start - 1 if stop else None]]
        skip = max((n for n, text in enumerate(block, 1) if above and _OTHER.match(text)), default=0)
        yield one, start + skip, block[skip:]


def shared(
    named: Sequence[Failure], after: Callable[[int], list[str]]
) -> tuple[list[Cause], dict[int, tuple[int, str]]]:
    """The messages that two or more tests share, and errors in what they received before these; of each test by the
    line by which it is told its message."""
    alike: dict[tuple[bool, str], list[tuple[Failure, int, str]]] = {}  # whose a message is, where it stands, its words
    own: dict[int, tuple[int, str]] = {}
    for one, start, block in _blocks(named, after) if len(named) <= MAX_READ else ():
        message = _ended(one, block) or _message(one, block) or _streamed(one, start, after)
        for shown, match in ((False, message), (True, _thrown(block))):
            at, text = match or (0, "")
            if text:
                alike.setdefault((shown, " ".join(map(category, text.split()))), []).append((one, start + at, text))
            if not shown:
                line, text = _stated(block if one.form == "bun" and one is named[0] else (), at, clipped(text, TEXT))
                own.update({} if one.told in own or not text else {one.told: (start + line, text)})
    most = len({one.test for one in named}) / 2  # what few say in other words is like what the others say
    causes = list[Cause]()
    for (shown, _), messages in alike.items():
        lines, same = {one.test: one.told for one, _, _ in messages}, len({text for *_, text in messages}) == 1
        if len(lines) > 1 and (same or len(lines) >= most):
            _, line, text = messages[0]
            causes.append(Cause(line, clipped(text, TEXT), same, shown, [*lines.values()]))
    return sorted(causes, key=lambda one: (not one.shown, -len(one.lines), one.line)), own


def _stated(block: Sequence[str], at: int, text: str) -> tuple[int, str]:
    """The message with the statement before it that a caret points into, and what stands between, and the first line
    of these; with neither the line below the caret stands for it."""
    below = enumerate(block[1 : at or None], 2)
    caret = max((n for n, line in below if n > at - STATED and line.strip() == "^"), default=0)
    lines = (block[caret - 2], *block[caret : at - 1 if at else caret + 1]) if caret else ()
    whole = [clipped(" ".join(line.split()), TEXT) for line in lines if line.strip()]
    return caret - 1 if caret else at, " · ".join([*whole, text] if text else whole)


def _streamed(one: Failure, start: int, after: Callable[[int], list[str]]) -> tuple[int, str] | None:
    """What a test of Go said above its verdict, behind the lines that name it; counted from ``start``."""
    first, owner, messages = max(0, one.line - ABOVE), "", list[tuple[int, str]]()
    lines = after(first)[: one.line - first - 1] if one.form == "go" else []
    for number, text in enumerate(map(bare, lines), first + 1):
        owner = text.split()[-1] if text.startswith("=== ") else owner
        messages += [(number, text.strip())] if owner == one.test and _GO_SAYS.match(text) else []
    return (messages[0][0] - start, " · ".join(text for _, text in messages[:AT_MOST])) if messages else None


def _thrown(block: Sequence[str]) -> tuple[int, str] | None:
    """The first error that stands in a value which a test received: no assertion tells as much."""
    for at, text in enumerate(block, 1):
        if _VALUE.match(text) and (error := _THROWN.search(text)):
            return at, text[error.start() :].removesuffix('"').partition("\\n")[0]
    return None


def _message(one: Failure, lines: Sequence[str]) -> tuple[int, str] | None:
    """The line of the message that stands right at the name of a test, and what it says: of a trace its message, else
    the first lines."""
    if one.form in _LISTS or (one.form == "testthat" and one.text[0].isdigit()):
        return None
    if one.form == "tap" and "".join(lines[:1]).strip() == "---":
        return _diagnosed(lines)
    skipped = _skipped(one, lines)
    lines = [*takewhile(lambda text: not _RULED.match(text) or _CHANGED.match(text), lines[skipped:])]
    begin = 0
    if one.form in _ABOVE:
        begin = next((n for n, text in enumerate(lines) if _FAILED_AT.match(text)), len(lines))
    traced = one.form in _TRACED and (one.form != "pytest heading" or any(map(_SOURCE.match, lines)))
    apart = traced or (one.form in _ABOVE and begin == len(lines))
    near = [] if apart else [*_right_below(one, lines[begin:], begin + 1)][: 1 if one.form in _TRACED else AT_MOST]
    read = [*enumerate(lines, 1)] if apart else near
    texts, room = list[str](), MESSAGE
    begun = [*takewhile(str.strip, lines)] if one.form in _JAVA else []
    cause = next((text.strip() for text in reversed(begun) if _CAUSED.match(text)), "")
    room -= len(cause)
    for _, text in near:
        texts += [text] * (len(text) <= room or room > MESSAGE - MIN)
        room = room - len(text) if texts[-1] == text else 0
    for pattern in _SAYS if one.form in _PYTHON else _SAYS[-1:]:
        for at, text in read:
            if (match := pattern.match(text)) and text not in texts:
                beside = _RECEIVED.match("".join(lines[at : at + 1])) if match[1].startswith("Expected") else None
                return at + skipped, match[1].strip() + (f" · {beside[0].strip()}" if beside else "")
            if match:
                break
    if one.form.startswith("jest") and lines:  # of a difference what it adds and lacks
        near = [(n, text.strip()) for n, text in enumerate(lines, 1) if n == 1 or _EDITED.match(text)]
        texts = [text for _, text in near[:AT_MOST]]
    texts += [cause] if cause and cause not in texts else []
    return (near[0][0] + skipped, " · ".join(" ".join(text.split()) for text in texts)) if texts else None


def _ended(one: Failure, block: Sequence[str]) -> tuple[int, str] | None:
    """What ended a test of Python: of a chain of exceptions the last; of one that says nothing the statement, too."""
    skipped = _skipped(one, block) if one.form in _PYTHON else len(block)
    lines = [*takewhile(lambda text: not _RULED.match(text), block[skipped:])]
    chained = max((n for n, text in enumerate(lines) if _CHAINED.match(text)), default=0)
    framed = next((n for n in range(chained, len(lines)) if _FRAMED.match(lines[n])), len(lines))
    at = next((n for n in range(framed, len(lines)) if lines[n][:1].isidentifier()), 0)
    message = next((n for n in range(chained, len(lines)) if _SAYS[0].match(lines[n])), at)
    if not message:
        return None
    text = lines[message].removeprefix("E ").strip()
    above = next((n for n in range(message - 1, framed, -1) if lines[n].strip(" ^~")), 0)
    if message == at and above and text.isidentifier():
        return skipped + above + 1, f"{lines[above].strip()} → {text}"
    return skipped + message + 1, text


def _skipped(one: Failure, lines: Sequence[str]) -> int:
    """How many lines are of the name, or of a ruler, before what is said of it."""
    if one.form in _ABOVE:
        return max((n for n, text in enumerate(lines, 1) if _RULED.match(text)), default=0)
    if one.form == "numbered" and not one.text.endswith(":"):  # the title goes on
        return next((n for n, text in enumerate(lines[:TITLE], 1) if text.rstrip().endswith(":")), 0)
    return next((n for n, text in enumerate(lines[:GAP]) if any(map(str.isalnum, text))), 0)


def _diagnosed(lines: Sequence[str]) -> tuple[int, str] | None:
    """The message of a block of TAP."""
    block = [*takewhile(lambda text: text.strip() != "...", lines)]
    for at, (line, below) in enumerate(pairwise([*block, ""]), 1):
        if match := _DIAGNOSED.match(line):
            folded = match[1][0] in "|>"
            return at + folded, (below if folded else match[1]).strip().strip("'\"")
    return None


def _right_below(one: Failure, lines: Sequence[str], first: int) -> Iterator[tuple[int, str]]:
    """The lines below a name up to a blank one, one less deep, a frame or another test."""
    lines = [_TAG.sub("", text) for text in lines]
    heading = _TAG.sub("", one.text)
    sign, above = _SIGN.match(heading), one.form in _ABOVE
    begin = next((n for n, text in enumerate(lines[:GAP]) if any(map(str.isalnum, text))), len(lines))
    deep = indent_of(lines[begin]) if begin < len(lines) else 0
    if one.form in _DEEPER and not deep:
        return
    blanks = 1 if one.form == "numbered list" else 0  # between the code that failed and what it gave
    stripped = ""
    for at, text in enumerate(lines[begin:], first + begin):
        before, stripped = stripped, text.strip()
        if not stripped and (blanks or before.endswith(":")):
            blanks = max(blanks - 1, 0)
            continue
        begins = _SIGN.match(stripped)
        other = test_passed(stripped) or (sign and begins and not above and begins[0] == sign[0])
        if _CHANGED.match(stripped):
            continue
        less = indent_of(text) < deep and not _SIDE.match(stripped)
        if not any(map(str.isalnum, stripped)) or other or FRAME.match(text) or less:
            return
        yield at, stripped


# ---- checkers of memory and threads

MAX, ROWS, PLACES = 400, 12, 8  # reports that are read; of more rows those of one error are one; places in a row
LONG: Final = 160  # characters of what is said
FIRST: Final = " (lines × first–last: the first one ← nearest frame that is of no library):"
_PREFIX: Final = regex(r"==\d+==(?: |$)", holds=("==",))
_QUOTED: Final = regex(r"[^\w\s] (?===\d+==)", holds=(" ==",))
_REPORT: Final = regex(
    r"Error #\d+: (?:(?:POSSIBLE |HANDLE |REACHABLE )?LEAK|UNINIT|UNADDR|INVALID HEAP|GDI USAGE|WARNING)"
    r"|(?!.*: detected memory leaks)(?:==\d+==)?(?:ERROR|WARNING): \w+Sanitizer: "
    r"|WARNING: DATA RACE$|(?:Direct|Indirect) leak of \d|(?P<place>\S+\.[CHchm]\w{0,3}:\d+:\d+): runtime error: "
)
_ADDRESS: Final = regex(r"0x[\da-f]{6,16}(?:-0x[\da-f]{6,16})?", holds=("0x",))
_VALGRIND: Final = regex(r"==\d+==    at 0x", holds=("==    at 0x",))  # the first frame, below what is said
_FRAME: Final = regex(
    r"(?:==\d+==)?\s*(?:(?:at|by) 0x[\dA-Fa-f]{1,16}: |# ?\d{1,3} +(?:0x[\da-f]{1,16} in )?)"
    r"(?P<name>\S.{0,300}?) +[(\[]?(?P<file>[^\s()\[\]]{1,300}\.\w{1,8}:\d{1,7})"
)
_ACCESS: Final = regex(r"((?:Previous )?(?:atomic )?(?:[Ww]rite|[Rr]ead)) at 0x")  # above a stack of Go's race detector
_GO_LIBRARY: Final = regex(
    r"\s+\S*/(?:go[\d.-]*(?:/[\w.]+){0,2}/src/(?![\w-]+\.\w+/)|pkg/mod/)", holds=("/src/", "/pkg/mod/")
)
_FOREIGN: Final = regex(r"(?:_|\(|std::|operator |replace_|lib[\w.+-]{1,40}!|exit$|pthread_)")  # functions, and files:
_ELSEWHERE: Final = regex(r"\.\.?/|/(?:usr/(?:include|lib)|build)/|\S*(?:libsanitizer|compiler-rt/)", holds="/")


def reports(known: Iterable[tuple[int, str]], after: Callable[[int], list[str]]) -> tuple[list[Fact], set[int], int]:
    """What the reports say, each once with its nearest frame that is of no library, the lines that begin or sum them,
    and how many errors they tell of; ``known``: lines with a sign, in order; ``after`` reads on behind one."""
    errors: dict[tuple[str, str], list[int]] = {}
    texts: dict[int, str] = {}
    summed = set[int]()
    for number, line in known:
        if len(texts) == MAX:
            break
        quoted = _QUOTED.match(line)  # as another tool prints its report
        line = line[quoted.end() :] if quoted else line
        report = _REPORT.match(line)
        prefix = None if report else _PREFIX.match(line)
        begins = report or (prefix and line[prefix.end() :][:1].strip())
        below = [text[quoted.end() if quoted else 0 :] for text in after(number)] if begins else []
        if report or (below and _VALGRIND.match(below[0])):
            texts[number] = message = line[prefix.end() if prefix else 0 :].rstrip()
            own = (report and report["place"]) or _race(below) or _own(below)
            errors.setdefault((" ".join(map(category, message.split())), own), []).append(number)
        elif "SUMMARY: " in line or "Sanitizer: " in line:
            summed.add(number)
    return ([_worded(errors, texts)], summed.union(texts), len(errors)) if errors else ([], set(), 0)


def _race(lines: Sequence[str]) -> str:
    """Of a race in Go both accesses, each at its first frame that is of no library."""
    near: dict[str, str] = {}
    access = ""
    for line, place in pairwise(lines):
        if begun := _ACCESS.match(line):
            access = begun[1].lower()
        elif line.startswith(("Goroutine ", "=====")):
            break
        elif access and access not in near and place.startswith("      ") and not _GO_LIBRARY.match(place):
            near[access] = f"{line.strip().rpartition('/')[2].removesuffix('()')} {place.split()[0].rpartition('/')[2]}"
    return ", ".join(f"{access} in {where}" for access, where in near.items())


def _own(lines: Iterable[str]) -> str:
    """The function and place of the first frame that is of no library; "" without one in the stack."""
    framed = False
    for line in lines:
        frame = _FRAME.match(line)
        prefix = _PREFIX.match(line)
        if _REPORT.match(line) or (framed and not line[prefix.end() if prefix else 0 :].strip()):
            break
        framed |= frame is not None
        if frame and not (_FOREIGN.match(frame["name"]) or _ELSEWHERE.match(frame["file"])):
            return f"{' '.join(frame['name'].split())} {frame['file'].rpartition('/')[2]}"
    return ""


def _worded(errors: dict[tuple[str, str], list[int]], texts: dict[int, str]) -> Fact:
    kinds: dict[tuple[str, str], dict[str, list[int]]] = {}
    for (kind, own), lines in errors.items():
        kinds.setdefault((kind, "" if len(errors) > ROWS else own), {})[own] = lines
    rows, shows = [], list[list[int]]()
    for owns in kinds.values():
        lines = sorted(chain.from_iterable(owns.values()))
        text = _ADDRESS.sub("…", texts[lines[0]])
        cut = f" …[+{len(text) - LONG} chars]" if len(text) > LONG else ""
        places = [own for own in owns if own and own not in text]
        ends = f"{lines[0]}–{lines[-1]}" if lines[1:] else f"{lines[0]}"
        where = f" ← {first_of(places, PLACES)}" if places else ""
        rows.append(f"{len(lines)}× {ends}: {text[:LONG]}{cut}{where}")
        shows.append([lines[0]])
    first = f" in its first {MAX} reports" if len(texts) == MAX else ""
    lead = f"{counted(len(errors), 'error')} of a run-time checker{first}{FIRST}"
    return Fact("\n".join([lead, *rows]), 0, shows=[[], *shows])


# ---- plans

_HEADER: Final = regex(
    r"  # (?P<address>[\w-]{1,80}(?:\.[\w-]{1,80}|\[[^\]\n]{1,120}\]){1,20}(?: \(deposed object \w{1,40}\))?) "
    r"(?P<action>(?:will|must|is tainted|has (?!moved)) ?.{1,120})",
    holds="  # ",
)
_CHANGE: Final = regex(r"( {4,60})[-+~/]{1,3} \"?([\w./:@-]{1,120})\"? {1,80}(?:= )?(\S.{0,400})")
_KEYED: Final = regex(r"(?P<stem>.*)\[(?P<key>\d{1,6}|\"[^\"]*\")\]")
_ORDER: Final = "replaced", "destroyed", "created", ""  # what takes away comes first
_FORCES: Final = "# forces replacement"
_ROOM, _SHORT, _ALIKE = 600, 120, 200  # characters of the addresses of an action, in short; of what its changes share
PLANNED: Final = 100_000  # lines of a plan of which each change is read
_RUN: Final = 3  # numbers that are told by the first and last


class _Resource(NamedTuple):
    address: str
    number: int
    action: str
    changes: dict[str, str]


def planned(scan: Scan) -> tuple[list[Fact], list[int]]:
    """One fact, a line for each action of a plan; and the lines that it spares."""
    actions: dict[str, list[_Resource]] = {}
    lines = scan.shown(1, scan.lines) if scan.lines <= PLANNED else []
    for block in _resources([*enumerate(map(bare, lines), 1)]):
        forced = [key for key, value in block.changes.items() if value.endswith(_FORCES)]
        actions.setdefault(block.action + (f" ({', '.join(forced)})" if forced else ""), []).append(block)
    order = sorted(actions, key=lambda action: [word in action for word in _ORDER].index(True))
    text, short = ("\n".join(_told(action, actions[action], room) for action in order) for room in (_ROOM, _SHORT))
    return [Fact(text, 0, short=short)] if text else [], [block.number for each in actions.values() for block in each]


def _resources(lines: Sequence[tuple[int, str]]) -> Iterator[_Resource]:
    """What stands below each header, up to the next one or the next line of words at the left."""
    block, above = None, list[tuple[int, str]]()
    for number, line in [*lines, (0, "end")]:
        header = _HEADER.fullmatch(line.rstrip()) if line.startswith("  # ") else None
        if header or line[:1].isalpha():
            if block:
                yield block
            block, above = _Resource(header["address"], number, header["action"], {}) if header else None, []
        elif block and (change := _CHANGE.match(line)):
            depth, key, value = len(change[1]), change[2], change[3].rstrip()
            above = [one for one in above if one[0] < depth] + [(depth, key)]
            if " -> " in value:  # a new value alone is no news
                block.changes[".".join(key for _, key in above)] = value


def _told(action: str, blocks: Sequence[_Resource], room: int) -> str:
    """The addresses of an action, and what all of several change alike."""
    names = [*_joined([block.address for block in blocks])]
    ends = accumulate(len(name) + len(", ") for name in names)
    shown = names[:1] + [name for name, end in zip(names, ends, strict=True) if end <= room][1:]
    more = f" … {len(names) - len(shown):,} more" if len(shown) < len(names) else ""
    first, *others = (block.changes.items() for block in blocks)
    alike = ", ".join(" ".join(one) for one in first if others and all(one in other for other in others))
    same = f"; in each: {alike}" if 0 < len(alike) <= _ALIKE else ""
    return f"{f'{len(blocks):,}× ' * bool(others)}{action}: {', '.join(shown)}{more}{same}"


def _joined(addresses: Sequence[str]) -> Iterator[str]:
    """In their order, those of one resource by their keys: ``web[0–34]``, ``u["alice", "bob"]``."""
    groups: dict[str, list[str]] = {}
    for address in addresses:
        match = _KEYED.fullmatch(address)
        groups.setdefault(match["stem"] if match else address, []).extend([match["key"]] if match else [])
    for stem, keys in groups.items():
        numbers = sorted(map(int, keys)) if all(map(str.isdigit, keys)) else []
        run = len(numbers) >= _RUN and numbers == [*range(numbers[0], numbers[0] + len(numbers))]
        keyed = f"{numbers[0]}–{numbers[-1]}" if run else ", ".join(keys)
        yield f"{stem}[{keyed}]" if keys else stem
