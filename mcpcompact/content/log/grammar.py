"""The grammar of log lines, each by itself: time stamps, levels, severity, continuation and where an entry begins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Final

from mcpcompact.content.anomalies.words import grade, states, titles
from mcpcompact.patterns import ON_DRIVE, regex

NOTE: Final = "[8mha:"
# a note of Jenkins (its ConsoleNote) that links or colours what stands beside it; a copy may have lost its escapes
CONSOLE_NOTE: Final = regex(r"\x1b?\[8mha:[A-Za-z0-9+/=-]{0,100000}(?:\x1b?\[0m)?", holds=(NOTE,))
ANSI: Final = regex(rb"\x1b(?:\[[0-9;?]{0,32}[ -/]?[@-~]|\][^\x07\x1b\n]{0,512}(?:\x07|\x1b\\)|[@-Z\\^_])")
_COLOUR: Final = regex(ANSI.pattern.decode(), holds="\x1b")


def plain(text: str) -> str:
    """Text without colours and console notes: how it is drawn, not what it says."""
    text = CONSOLE_NOTE.sub("", text) if NOTE in text else text
    return _COLOUR.sub("", text) if "\x1b" in text else text


_MONTHS: Final = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
MONTHS: Final = {name: number for number, name in enumerate(_MONTHS.split("|"), 1)}

CENTURY, TWO_DIGITS = 2_000, 100  # of years of two digits; also the (leap) year of stamps without one
MAX_DAY, NOON = 31, 12
LOOK: Final = 400  # characters of a line that decide whether it begins an entry
KNOWN: Final = 16_384  # heads of lines that are remembered: each is asked for several times
# ---------------------------------------------------------------------------------------------- time

_HALF = r"(?:[.,]\d{1,9})?(?: |\u202f|\xe2\x80\xaf)?(?P<half>[AP])M\b"  # Java's narrow blank, also as Latin-1
_PM, _AT_ONE = f"(?:{_HALF})?", r"\d(?=:\d\d:\d\d" + _HALF.replace("?P<half>", "") + ")"
_Y, _T = r"(?P<y>\d{4})", r"(?P<h>\d{1,2}):(?P<mi>\d{1,2}):(?P<s>\d{1,2})" + _PM
_MON, _DAY = rf"(?P<mon>{_MONTHS})", r"(?P<d>[ \d]\d)"
STAMPS: Final = tuple(
    (name, regex(pattern))
    for name, pattern in (
        ("iso", rf"{_Y}[-/.](?P<mo>\d\d)[-/.](?P<d>\d\d)[T _-](?P<h>\d\d?)[:.](?P<mi>\d\d)[:.](?P<s>\d\d?){_PM}"),
        ("us", rf"{_MON} (?P<d>\d\d?), {_Y},? {_T}"),
        ("access", rf"(?P<d>\d\d)/{_MON}/{_Y}:{_T}"),
        ("ctime", rf"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?{_MON} {_DAY} {_T}(?:\.\d+)? {_Y}"),
        ("syslog", rf"{_MON} {_DAY} {_T}"),
        ("compact", rf"(?P<y>\d{{4}})(?P<mo>\d\d)(?P<d>\d\d)[- T]{_T}"),
        ("klog", rf"(?<=[IWEF])(?P<mo>\d\d)(?P<d>\d\d) {_T}"),
        ("short", rf"(?P<y>\d\d)[-/.](?P<mo>\d\d)[-/.](?P<d>\d\d) {_T}"),
        ("monthday", rf"(?P<mo>\d\d)[-./](?P<d>\d\d) {_T}"),
        ("digits", r"(?P<y>\d\d)(?P<mo>0[1-9]|1[0-2])(?P<d>[0-3]\d) (?P<h>\d\d)(?P<mi>\d\d)(?P<s>\d\d)(?= )"),
        ("clock", rf"(?P<h>\d\d|{_AT_ONE}):(?P<mi>\d\d):(?P<s>\d\d){_PM}"),
        ("epoch", r"(?P<epoch>1\d{9})(?:\d{3}|\.\d{1,9})?(?=[\s\]:,|])"),
    )
)
_BY_NAME: Final = dict(STAMPS)
TURNS: Final = {"syslog": 366 * 86400, "klog": 366 * 86400, "monthday": 366 * 86400, "clock": 86400}
"""Seconds after which stamps of a kind begin anew: without a year (read as the leap year 2000), without a date."""
STAMP_WITHIN: Final = 64  # a stamp that begins later in the line is part of the message
HEAD_WITHIN: Final = 48  # one that begins later does not make the line a head
KLOG: Final = regex(r"^([IWEF])\d{4} \d\d:\d\d:\d\d")
CLOCK: Final = regex(r"\d(?:[:.]\d{1,2}[:.]\d|\d{5} \d{6}|(?<=1)\d{9})")  # one stands in every stamp; skips to digits
ANYWHERE: Final = regex(
    r"(?=[\dADFJMNOSTW])(?:"  # a figure, a month or a day: asked once
    + "|".join(f"(?P<{name}>{re.sub(r'[?]P<[a-z]+>', '?:', p.pattern)})" for name, p in STAMPS if name != "klog")
    + ")"
)
TASKED: Final = regex(r"([^\t\n]{1,80})\t([^\t\n]{1,120})\t(?:\ufeff|ï»¿)?(?=\d{4}-\d\d-\d\dT)")
"""Job and step before a line of ``gh run view --log``; a step's first line may have a byte order mark
(here also read as Latin-1)."""


def find_stamp(line: str) -> tuple[str, int, int] | None:
    """Kind, start and end of the line's time stamp: the earliest one near its beginning, or behind job and step."""
    if "\t" in line[:STAMP_WITHIN] and (task := TASKED.match(line)):
        return "iso", task.end(), task.end() + len("2026-01-01T00:00:00")
    return _stamp_in(line[: STAMP_WITHIN + 32])


_BYTES_ON = regex(r":[0-9a-fA-F]{2}:")  # of a hardware address, whose pairs are no time
_BYTES_BEFORE = regex(r"\b[0-9a-fA-F]{2}:$")


@lru_cache(maxsize=KNOWN)
def _stamp_in(head: str) -> tuple[str, int, int] | None:
    if not CLOCK.search(head):
        return None
    if KLOG.match(head):
        return "klog", 1, 14
    for match in ANYWHERE.finditer(head, 0):
        start = match.start()
        if start >= STAMP_WITHIN:
            return None
        of_bytes = _BYTES_ON.match(head, match.end()) or _BYTES_BEFORE.search(head, 0, start)
        if (start == 0 or not head[start - 1].isalnum()) and not of_bytes:
            return match.lastgroup or "", start, match.end()
    return None


def seconds_of(kind: str, stamp: str) -> int | None:
    """Seconds on an own time axis (days from the civil calendar, no zone); ``None`` when it is no valid stamp."""
    match = _BY_NAME[kind].search(f"I{stamp} " if kind == "klog" else f"{stamp} ")
    if not match:
        return None
    part = match.groupdict()
    if part.get("epoch"):
        return int(part["epoch"])
    year = int(part.get("y") or CENTURY)
    year += CENTURY if year < TWO_DIGITS else 0
    month = MONTHS[part["mon"]] if part.get("mon") else int(part.get("mo") or 1)
    day = int(part.get("d") or 1)
    if not (1 <= month <= len(MONTHS) and 1 <= day <= MAX_DAY):
        return None
    year, month = (year - 1, month + 12) if month <= MONTHS["Feb"] else (year, month)  # Fliegel and Van Flandern's day
    days = 365 * year + year // 4 - year // 100 + year // 400 + (153 * (month - 3) + 2) // 5 + day
    hour, half = int(part["h"]), part.get("half")
    hour = hour % NOON + NOON * (half == "P") if half else hour
    return ((days * 24 + hour) * 60 + int(part["mi"])) * 60 + int(part["s"])


def seconds_reader(kind: str) -> Callable[[str], int | None]:
    """``seconds_of`` for very many stamps of one kind: the date before ``HH:MM:SS`` is read once."""
    midnight_of = cache(lambda date: seconds_of(kind, date + "00:00:00"))

    def read(stamp: str) -> int | None:
        if stamp[-3:-2] != ":" or stamp[-6:-5] != ":":
            return seconds_of(kind, stamp)
        try:
            clock = int(stamp[-8:-6]) * 3600 + int(stamp[-5:-3]) * 60 + int(stamp[-2:])
        except ValueError:
            return seconds_of(kind, stamp)
        midnight = midnight_of(stamp[:-8])
        return None if midnight is None else midnight + clock

    return read


# ------------------------------------------------------------------------------------- levels, severity

_LEVELS: Final = {
    "trace": "TRACE", "verbose": "TRACE", "finest": "TRACE", "finer": "TRACE", "debug": "DEBUG", "fine": "DEBUG",
    "dbg": "DEBUG", "information": "INFO", "info": "INFO", "inf": "INFO", "notice": "NOTICE", "warning": "WARN",
    "warn": "WARN", "wrn": "WARN", "error": "ERROR", "err": "ERROR", "severe": "SEVERE", "critical": "CRITICAL",
    "crit": "CRITICAL", "fatal": "FATAL", "ftl": "FATAL", "panic": "PANIC", "emerg": "EMERG", "emergency": "EMERG",
    "alert": "ALERT",
}  # fmt: skip
LEVEL_WORDS: Final = "|".join(sorted(_LEVELS, key=len, reverse=True))
_KEYS: Final = ("level", "lvl", "severity")  # one stands in what this finds
_LETTERS: Final = regex(r"[a-z]+")
_ROW: Final = regex(r"[\s:]{2,40}0(?:\.0+)?(?:\s+0(?:\.0+)?)*\s*$")  # behind the name of a row of a table
_FACILITIES: Final = (" kern.", " user.", " daemon.", " auth.", " authpriv.", " cron.", " mail.", " syslog.")
_UPPER: Final = rf"(?P<upper>{LEVEL_WORDS.upper()})(?=[\s|\]:,(-]|$)(?!{_ROW.pattern})"
_KEYED: Final = regex(
    rf"\b(?:level|lvl|severity|loglevel)\"?\s{{0,2}}[=:]\s{{0,2}}\"?(?P<kv>{LEVEL_WORDS})\b", re.ASCII
)
_LEVEL: Final = regex(
    rf"(?:{_KEYED.pattern}|(?:{'|'.join(map(re.escape, _FACILITIES))})(?P<facility>{LEVEL_WORDS})(?=\s[^\s:]{{0,80}}:)"
    rf"|(?<!\w)\[\s{{0,2}}(?P<bracket>{LEVEL_WORDS})\s{{0,2}}\]"
    rf"|<(?P<angle>{LEVEL_WORDS})>"
    rf"|(?:^|[\s|\]:,-]){_UPPER}"
    rf"|^(?:(?:{ON_DRIVE}|\S{{1,200}})"
    r"(?::\d{1,9}(?::\d{1,9})?|\(\d{1,9}(?:,\d{1,9})?\)) ?:\s|\s{1,8}\S{1,200}\(\d{1,9},\d{1,9}\): "
    r"|\s{0,8}|\S{1,40}:\s)"
    r"(?P<lower>fatal|error|warning|critical|warn|severe)(?: error)?(?: [A-Z]{1,8}\d{1,6}|\[[\w-]{1,20}\])?(?=:)"
    rf"|^npm\s(?P<npm>ERR|WARN)!?(?=\s))",
    re.ASCII,
)
_NAMED: Final = rf"(?:\[(?!(?:{LEVEL_WORDS})\])[a-z\d.-]{{1,60}}\] )?"  # a thread, in small letters
_BEHIND_STAMP: Final = regex(rf"\[?\d[\d:.,TZ+/\] -]{{6,48}}{_NAMED}(?<=[\s\]:,-])(?:[A-Za-z]\w{{0,40}}\.)?{_UPPER}")
STEMS_OF_LEVELS: Final = tuple(word for word in _LEVELS if sum(other in word for other in _LEVELS) == 1)  # in each one
_SPELT: Final = ("level", "lvl", "severity", "fatal", "error", "warn", "critical", "severe")
_MARKED: Final = ("INFO", *"[<", *map(str.upper, STEMS_OF_LEVELS), *_SPELT, *_FACILITIES)  # where a level is stated
_LEVEL_I: Final = regex(_LEVEL.pattern, re.ASCII | re.IGNORECASE)
_OTHERWISE: Final = ("level", "[", "Error:", "Warning:")  # one stands where a level may be in any letters
_WORDS: Final = ("Alert", "Emergency", "Notice")  # with which a sentence begins, too: "Emergency Sync complete"
_SHORT: Final = {level[0]: level for level in ("INFO", "WARN", "ERROR", "FATAL", "DEBUG", "CRITICAL")} | {"V": "TRACE"}
_COLUMN: Final = regex(  # of Android; of Apple, where ``Df`` (default) and ``A`` (activity) state no level
    r"\d\d-\d\d \d\d:\d\d:\d\d\.\d+ +\d+ +\d+ ([VDIWEF]) "
    r"|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} (E|F|I|A|D[bf]) +[^\s:]\S{0,80}\[\d+:[0-9a-f]+\] "
)
CODED: Final = regex(r"^(?:([VDIWEF])|-)-[A-Z]{2,12}-\d{1,6}: ")  # E-VERI-1330: of chip design tools; -- is a status
_LETTER: Final = regex(r"(?:^|\s)\[([VDIWEFC])\](?=\s)|^([VDIWEF])/[\w.$-]{1,60} ?\(")  # [E]; logcat's brief form
_BRACKETED: Final = tuple(f"[{letter}]" for letter in _SHORT)
LEVEL_WITHIN: Final = 130
ORDER: Final = (
    "EMERG", "PANIC", "ALERT", "FATAL", "CRITICAL", "SEVERE", "ERROR", "WARN", "NOTICE", "INFO", "DEBUG", "TRACE",
)  # fmt: skip
PASSES: Final = ("(pass) ", "✓ ", "√ ", "✔ ", "ok ", "--- PASS: ", "[       OK ] ", "[ RUN      ] ")


def level_of(line: str, spelt: bool = True) -> str:
    """The line's level in one of a dozen spellings, else ""; ``spelt``: whether it holds one of ``STEMS_OF_LEVELS``."""
    head = line[:LEVEL_WITHIN]
    if head.lstrip().startswith(PASSES):  # the name of a test: "does not warn"
        return ""
    if (head[:1] == "<" or '"level":' in head) and (stated := grade(line[:LOOK])):
        return stated
    second = head[1:2]
    match = (_COLUMN if head[0].isdigit() else KLOG).match(head) if second.isdigit() else None
    if match or (second == "-" and (match := CODED.match(head))):
        return _SHORT.get(match[match.lastindex] if match.lastindex else "I", "")
    span = level_span(head) if spelt else None
    if spelt and span is None and any(map(head.__contains__, _OTHERWISE)) and _spells_level(head):
        match = _LEVEL_I.search(head)
        span = match.span(match.lastgroup or 0) if match and not _is_noun(match["upper"] or "", line) else None
    if span is None:
        letter = _LETTER.search(head) if head[1:2] == "/" or any(map(head.__contains__, _BRACKETED)) else None
        return _SHORT[letter[1] or letter[2]] if letter else ""
    return _LEVELS.get(head[slice(*span)].lower(), "ERROR")


LOUD: Final = regex(
    r"(?=[acdefgknopstuv])(?:(?<![A-Za-z0-9])(?P<word>fatal|panic(?:ked)?(?!=-?\d)|traceback|segfault(?:ed)?"
    r"|segmentation fault|core dumped|deadlock(?:ed)?|out of memory|oom-?kill(?:ed|er)?|oomkilled|unhandled|uncaught"
    r"|err|exception|fail(?:ed|ure|ures|s)?|errors?|abort(?:ed)?|crash(?:ed|loopbackoff)?|corrupt(?:ed|ion)?|killed"
    r"|critical|evicted|unreachable|exhausted|violated|giving up|undefined reference|cannot find|command not found"
    r"|no such file|permission denied|connection refused)(?![A-Za-z0-9])"
    r"|(?<=[a-z])(?P<camel>(?-i:(?:Error|Exception|Failure|Panic|Failed)(?![A-Za-z0-9])|Failed(?=[A-Z][a-z]))))",
    re.IGNORECASE,
)
_NAMED_BEFORE, _NAMED_BEHIND, _CAMEL_BEHIND = frozenset("/._-$@\\"), frozenset("/_-(\\$@"), frozenset("./_-($\\")
_DOTTED, _SOME = regex(r"\.\w"), regex("=[1-9]")  # behind a word
_METHOD, _ENDS = regex(r"[A-Za-z_]:\w*$"), regex(r":(?:[\])]|$)")  # named by its arguments: ``copy:to:error:``
_EVENT: Final = regex(r"(?:.*[\s|])?[A-Za-z]+Failed[A-Za-z]*(?:[\s:,;|]|$)")  # a name of what happened alone
_ZERO: Final = regex(
    r"(?:s|\(s\))?[\"']?(?:\s+\w{1,12}){0,1}\s{0,3}[=:]\s{0,12}[\[(\"']?"
    r"(?:0+(?:\.0+)?(?!\w|\.\w| ?[=!<>]=)|null\b|none\b|nil\b|false\b|<nil>|\"\"|''|no\b|-(?:\s|$)|\]|\)|\"|'|\{\})"
    r"|(?:(?<=errors)|(?<=failed)|(?<=failures)) 0(?=[,;)\s]|$)(?! of)",
    re.IGNORECASE,
)
_NEGATED: Final = regex(
    r"(?:\b(?:no|zero|without|non|not|never|any|if|ignore|ignoring|0+)[\s-]+(?:\w{1,12}\s+){0,1}|[\s=]0\s{0,2}"
    r"|[,;(] 0 (?:[\w/]{1,12} ){1,3}"  # a part of a list of counts, whatever is counted: ``0 with I/O error``
    r"|\b(?:throws|raises|catch|except|import|new|extends|class) \(?[\w.]{0,24})$",
    re.IGNORECASE,
)
_PASSED: Final = regex(
    r"^\s{0,8}=? ?(?:help|note): |\bPASS(?:ED)?\b|\.\.\. ?ok\b|^\s{0,8}(?:ok\b|✓|√|\(pass\))|\bRUN\b|^collecting\b"
    r"|^\s*(?:The above exception was|During handling of the above)"
    r"|\berrors? (?:auto-)?(?:corrected|fixed)\b|\bcorrected some errors\b"
    r"|\bHTTP/\d(?:\.\d)?\" [1-4]\d\d\b|\) += (?:0x[\da-f]+|\d+)(?: <[\d.]+>)?$"  # what a request asks, a call returns
)
_MAYBE_PASSED: Final = (
    "help: ", "note: ", "PASS", "ok", "✓", "√", "(pass)", "RUN", "collecting", "exception", "corrected", "fixed",
    "HTTP/", ") ",
)  # fmt: skip
"""One stands in each line that it finds."""
_EXIT: Final = regex(
    r"(?:exit(?:ed|ing)?(?: with)?(?: (?:code|status|value))?|return code|rc|code|status code)"
    r"\s{0,2}[=:]?\s{0,2}(\d{1,3})\b"
    r"|returned non-?zero|non-?zero exit", re.IGNORECASE
)  # fmt: skip
_HTTP: Final = regex(
    r"(?:\" |\bstatus(?:_?code)?\"?\s?[=:]\s?\"?|\bHTTP/\d(?:\.\d)?\"?\s|\bcode\"?[=:]\s?)(5\d\d)\b"
    r"|\b5\d\d (?:Bad Gateway|Internal Server Error|Service (?:Temporarily )?Unavailable|Gateway Time-?out)",
    re.IGNORECASE,
)
_FIVES: Final = (" 5", "=5", ":5", '"5')  # what stands before a status that the pattern finds
_5XX: Final = regex(r"5\d\d\b")  # quickly looked for, unlike the whole
_COUNTED: Final = regex(r"(?:error|failure|failed|exception)s?_(?:count|total)\"?\s?[=:]\s?\"?0*[1-9]", re.IGNORECASE)
STEMS: Final = (
    "err", "fail", "exception", "fatal", "panic", "traceback", "segf", "segm", "core dump", "out of mem", "oom",
    "unhandled", "uncaught", "abort", "crash", "corrupt", "kill", "critical", "evict", "unreach", "undefined ref",
    "cannot find", "no such", "denied", "refused", "deadlock", "command not", "exhaust", "violat", "giving up",
)  # fmt: skip
LOUD_STEMS: Final = tuple(stem.encode() for stem in STEMS)  # one is in each line worth a look where they are too many
_SHAPES: Final = regex(
    r"^Traceback \(most recent call last\)|^panic: |^E {2,}\S|^\s{0,8}(?:✕|✗|✖|×|❌|not ok \d)|^--- FAIL|^FAIL(?:ED)?\b"
    r"|^make(?:\[\d+\])?: \*\*\*|^error(?:\[E\d+\])?:|^thread '[^']{0,80}' panicked|^\* What went wrong|^##\[error\]"
    r"|^Error #\d+: |^::error|^curl: \(\d+\) |^\s{0,4}● .* › |^fatal: |^FATAL\b|^\s{0,8}Caused by: "
    r"|^(?:WARNING: CPU: \d|kernel BUG at |BUG: |invalid opcode: |general protection fault|Oops: |Kernel panic"
    r"|Unable to handle kernel)"
)
NO_NEWS: Final = regex(  # also of packages that dpkg lists
    r"(?i)\s{2,24}failureType: '|\s{0,8}(?:> {1,8})?(?:\d{1,7} {1,4}[│|]|LL +[|~+-]) "
    r"|\s{0,8}Did you mean\b[^\w\n]{0,4}['\"`@]|\s{0,24}X509v3 .{1,60}: critical$"
    r"|(?:npm |\d{1,6} )?\[?(?:error|err!)\]?\W*(?:$|To see the full stack trace|Re-run Maven"
    r"|Picked up _?JAVA_|(?:path|location|workspace|command) \S|(?:code|errno) -?\d+$"
    r"|Lifecycle script .{1,60} failed with error:$|For more information about the errors|\[?Help \d"
    r"|After correcting the problems|(?:\d{3} +)?(?:Note that you can also install|tarball, folder, http)"
    r"|(?<=npm error )\d{3}\s*$)"
    r"|[a-z]{2}[ A-Z] +[a-z\d][\w.+-]+(?::\w+)? +[\w:.+~-]*\d\S* +(?:all|[a-z]+\d\w*) +\S|\|/ Err\?="
    r"|(?:duplicate )?errors? (?:counts|found|ignored):$|(?:some|for more information about an) errors? ?(?:have|,) "
)
_COUNTS: Final = regex(r"\s{2,}\d+ [A-Z]+$|(?:[\w.-]+\t){1,4}\d+$")  # of uniq, of a table: how many
_ADVICE: Final = regex(  # what compilers and linters say and quote of the source: the exceptions there did not happen
    r"(?:\[WARNING\] )?\S{1,400}:\d+(?::\d+)?: (?i:warning)\b|\[WARNING\] \S{1,400}:\[\d+,\d+\] "
    r"|\s{0,12}\[[\w-]{1,30}\][ \t]{2,40}\S[^\n]{0,300}[{;]\s*$"
    r"|(?:\s{0,12}\[[\w-]{1,30}\])?[ \t]{2,40}(?:\*(?: (?!.{0,80}: )|/|$)|"
    r"(?:public|private|protected|static|final|return|throw|import|for|if|catch|try)\b[^\n]{0,300}[{;]\s*$)",
    holds=("arning", "WARNING", "*", "{", ";"),
)
_TOP_STEMS: Final = ("fatal", "panic", "traceback", "segf", "segm", "core dumped", "out of memory", "oom")
_TOP: Final = regex("|".join(_TOP_STEMS), re.IGNORECASE)
_FATAL: Final = ("panic", "Traceback", "thread", "fatal", "FATAL", "kernel", "Kernel")
_BAD_LEVELS: Final = frozenset(("EMERG", "PANIC", "ALERT", "FATAL", "CRITICAL"))
CALM_LEVELS: Final = frozenset(("INFO", "DEBUG", "TRACE", "NOTICE"))
# lines whose numbers decide whether they are loud: looked at one by one, not by their shape
SENSITIVE: Final = regex(r"exit|\brc\b|code|status|err|fail|\" \d{3}\b|HTTP/", re.IGNORECASE)


def loud_words(line: str) -> Iterator[re.Match[str]]:
    """Words of failure that are meant: no part of a name, not negated, no count of zero."""
    for match in LOUD.finditer(line):
        start, end = match.span()
        before, after = line[max(0, start - 24) : start], line[end : end + 32]
        if match["word"]:
            if before[-1:] in _NAMED_BEFORE or after[:1] in _NAMED_BEHIND or _DOTTED.match(after):
                continue
        elif after[:1] in _CAMEL_BEHIND or (match["camel"] == "Failed" and not _EVENT.match(f"{before}Failed{after}")):
            continue
        none = _ZERO.match(line, end, end + 32) or _ROW.match(after) or (_ENDS.match(after) and _METHOD.search(before))
        if not none and (_SOME.match(after) or not _NEGATED.search(before)):
            yield match


def _is_noun(word: str, line: str) -> bool:
    """Whether it is a word of a sentence, not a level: also the last one, in small letters (``1 with I/O error``)."""
    return word in _WORDS or (word.islower() and line.endswith(f" {word}") and line.count(word) == 1)


def _spells_level(head: str) -> bool:
    """Whether the word of a level stands there: not only its letters within another word."""
    low = head.lower()
    return any(map(low.__contains__, STEMS_OF_LEVELS)) and not _LEVELS.keys().isdisjoint(_LETTERS.findall(low))


@lru_cache(maxsize=KNOWN)
def level_span(head: str) -> tuple[int, int] | None:
    """Where a line states its level."""
    match = _BEHIND_STAMP.match(head)  # these two find the same, far quicker
    if match is None and any(map(head.__contains__, _KEYS)) and (keyed := _KEYED.search(head)):
        before = head[: keyed.start()]
        first = not before or (before[0] > " " and before[-1] == " " and not any(map(before.__contains__, _MARKED)))
        match = keyed if first else None
    if match is None and any(map(head.__contains__, _MARKED)) and _spells_level(head):
        match = _LEVEL.search(head)
    return match.span(match.lastgroup or 0) if match else None


FATAL, ERROR, FAILURE, WORD = 4, 3, 2, 1  # fatal, panic, traceback; an error; a failure without a level; in a calm line


_TEST_PASSED: Final = regex(
    r"\s*(?:\[\+\]|\[ *(?:OK|PASS(?:ED)?) *\]|✓|✔|√|\(pass\)|ok \d+\b|ok\s+[\w./-]+\s+[\d.(]+|--- PASS:"
    r"|=== \w+|PASS(?:ED)?:|\[ RUN +\](?!.* (?:ERR|ERROR|FAIL(?:ED)?)$))\s"
    r"|.*(?:(?<!\.)\.{2,} ?(?:ok|OK|PASS(?:ED)?|[Pp]assed)\b|: [\d.]+ m?s OK$"
    r"| > .* (?:PASSED|SKIPPED)$|: +OK(?:, (?:passed|proved) .*| \([\d.]+m?s\))?\s*$)",
    holds=("+", "OK", "PASS", "SKIPPED", "✓", "✔", "√", "(pass)", "ok", "RUN", "assed"),
)


def test_passed(line: str) -> bool:
    """Whether a runner says of a test that it passed, or begins: its name is no failure, whatever it tells."""
    return len(line) <= LOOK and _TEST_PASSED.match(line) is not None


_SIGN: Final = regex(r"=>|===|&&|\|\||;\}|\)[{;]|\breturn\b")  # of code, most without blanks
MINIFIED, APART = 500, 80  # characters of such a line at least, and from one sign to the next at most


def minified(line: str) -> bool:
    """Whether a line is source without line breaks, as interpreters quote it: nothing in it happened."""
    return len(line) >= MINIFIED and sum(1 for _ in _SIGN.finditer(line)) * APART >= len(line)


def severity_of(line: str, level: str | None = None, calm: bool = False) -> int:
    """The rank of a line, 0 where it tells of nothing bad. ``calm``: that it holds none of ``STEMS`` is known."""
    level = level_of(line) if level is None else level
    if level in _BAD_LEVELS:
        return FATAL
    if test_passed(line) or (not level and minified(line)):
        return 0
    low = line.lower()
    shaped, stated = _SHAPES.match(line), level in ("ERROR", "SEVERE")
    fives = _5XX.search(line) and any(map(line.__contains__, _FIVES))
    rank = ERROR if stated or _exited(line, low) or (fives and _HTTP.search(line)) else 0
    calm = calm or not any(map(low.__contains__, STEMS))
    if (calm and not (rank or shaped)) or NO_NEWS.match(line) or _ADVICE.match(line) or _COUNTS.match(line):
        return 0
    if shaped:
        return FATAL if line.startswith(_FATAL) else ERROR
    if calm:
        return rank
    if "_" in line and _COUNTED.search(line):
        rank = max(rank, FAILURE)
    loudest = _loudest(line) if not stated or any(map(low.__contains__, _TOP_STEMS)) else 0
    if rank == ERROR and not loudest and not stated and LOUD.search(line) and _ZERO.search(line):
        return 0
    if loudest and level in CALM_LEVELS:
        loudest = WORD if level != "INFO" or loudest < FATAL else FAILURE
    return max(rank, loudest)


def severity_in(line: str, bare: str, level: str, foreign: bool, calm: bool = False) -> int:
    """The same of a ``bare`` line; ``foreign``: it may state a failure in another language than English."""
    rank = severity_of(bare, level, calm)
    news = foreign and rank < FAILURE and not NO_NEWS.match(bare)
    return FAILURE if news and states(line, foreign=True) else rank


def _exited(line: str, low: str) -> bool:
    """Whether it says that something ended with a code other than 0."""
    exited = _EXIT.search(line) if "exit" in low or "zero" in low else None
    return exited is not None and (exited[1] is None or bool(exited[1].strip("0") and "exit" in exited[0].lower()))


def _loudest(line: str) -> int:
    """The rank of the loudest word that is meant, unless the line says that all went well."""
    loudest = max((FATAL if _TOP.match(match[0]) else FAILURE for match in loud_words(line)), default=0)
    passed = loudest and any(map(line.__contains__, _MAYBE_PASSED)) and _PASSED.search(line)
    return 0 if loudest and (passed or titles(line)) else loudest
