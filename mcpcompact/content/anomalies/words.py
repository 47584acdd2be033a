"""The words by which tools say that something failed, in twenty languages: one list for every content type.

Two uses. A **denial** ("no failure is named") is only made after ``mentions`` has looked at every character and found
nothing, and ``LOOKED_FOR`` says what was looked for: so the list is broad. A **mark** needs more than a word, and is
each type's own decision; ``states`` leaves out what a word says of itself not to be (``0 errors``, ``failed=0``,
``no failure``).

Sources: the severity names of RFC 5424 and of the common logging libraries; the words that gettext catalogues of
coreutils and systemd use for "error", "failed", "cannot", "denied" in each language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, compress, filterfalse
from typing import Final

from mcpcompact.patterns import holding, regex


def listed(text: str) -> tuple[str, ...]:
    return tuple(text.split("|"))


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


WORDS: Final = {
    "English": listed(
        "error|errored|err|fail|fatal|panic|exception|traceback|crash|critical|emerg|abort|denied|refused|rejected|"
        "timeout|timed out|unreachable|corrupt|segfault|segmentation fault|core dumped|out of memory|oom|killed|broken|"
        "fault|cannot|unable to|not ok|bad gateway|unavailable|unauthorized|forbidden|violation|deadlock"
    ),
    "German": ("fehler", "fehlgeschlagen", "gescheitert", "abgebrochen", "verweigert", "ausnahme", "abgelehnt"),
    "French": ("erreur", "échec", "échoué", "impossible", "refusé", "interrompu"),
    "Spanish": ("fallo", "falló", "fallido", "fallida", "excepción", "denegado", "rechazado"),
    "Portuguese": ("erro", "falha", "falhou", "exceção", "negado", "recusado"),
    "Italian": ("errore", "fallito", "fallita", "eccezione", "negato", "rifiutato"),
    "Dutch": ("fout", "mislukt", "geweigerd", "uitzondering"),
    "Swedish": ("fel", "misslyckades", "nekad", "undantag"),
    "Polish": ("błąd", "błędu", "niepowodzenie", "nieudan", "odmowa", "wyjątek"),
    "Czech": ("chyba", "chyby", "selhal", "zamítnut", "výjimka"),
    "Turkish": ("hata", "başarısız", "reddedildi", "istisna"),
    "Vietnamese": ("lỗi", "thất bại", "từ chối"),
    "Indonesian": ("galat", "gagal", "kesalahan", "ditolak"),
    "Russian": ("ошибк", "сбой", "сбоя", "отказ", "исключение", "не удалось"),
    "Ukrainian": ("помилк", "збій", "збою", "відмов", "виняток", "не вдалося"),
    "Chinese": ("错误", "失败", "异常", "拒绝", "超时", "崩溃", "錯誤", "失敗", "異常", "拒絕", "逾時"),
    "Japanese": ("エラー", "失敗", "例外", "拒否", "タイムアウト", "異常"),
    "Korean": ("오류", "실패", "에러", "예외", "거부", "시간 초과"),
    "Arabic": ("خطأ", "فشل", "استثناء", "رفض"),
    "Hindi": ("त्रुटि", "विफल", "असफल"),
}
"""A word counts with any ending (``error`` is found in ``errors``, ``fail`` in ``failed``) where it begins a word."""

LOOKED_FOR: Final = f"error, failure, exception and the like in {len(WORDS)} languages"

_SHORT: Final = listed("err|fallo|oom|fel|fout|erro|hata|fault")  # with any ending they begin other words
_WHOLE: Final = r"(?:s|en|er|ar|et|lar|lari|ları)?(?![^\W\d_])"


def _any_of(words: Iterable[str]) -> str:
    """A pattern of any of the words, as a tree of their letters: several times as fast as listing them."""
    heads: dict[str, set[str]] = {}
    for word in words:
        heads.setdefault(word[:1], set()).add(word[1:])
    optional = heads.pop("", None) is not None
    parts = [re.escape(head) + _any_of(rest) for head, rest in sorted(heads.items())]
    one = len(parts) == 1 and not optional  # compiles in a third of the time without a group of its own
    return parts[0] if one else f"(?:{'|'.join(parts)})" + "?" * optional if parts else ""


@cache
def _failure(ascii: bool) -> re.Pattern[str]:
    """At the start of a word, or of the next word in ``snake_case`` and ``camelCase`` names. ``ascii``: of a text that
    is nothing else, in which words with other letters need not be looked for."""
    plain = [w for w in _ALL if w not in _SHORT and w[0] < "\u0590" and w.isascii() >= ascii]
    starts = r"(?:(?<![^\W\d_])|(?<=[a-z])(?=[A-Z]))"
    others = "" if ascii else "|" + _any_of(w for w in _ALL if w[0] >= "\u0590")  # scripts without blanks between words
    return re.compile(rf"{starts}(?i:{_any_of(_SHORT)}{_WHOLE}|{_any_of(plain)}){others}")


@cache
def _long(ascii: bool) -> re.Pattern[str]:
    """In lower case, also within a word: ``ECONNREFUSED``."""
    return re.compile(_any_of(w for w in _ALL if w not in _SHORT and w.isascii() >= ascii))


@cache
def _brief() -> re.Pattern[str]:
    return re.compile(_any_of(_SHORT) + _WHOLE)


DOUBTFUL: Final = frozenset(
    listed(
        "alert|alerts|crit|degraded|exhausted|expired|hung|invalid|lost|nok|overflow|reset|sigabrt|sigkill|sigsegv|"
        "stalled|starvation|stuck|unhealthy|unresponsive|violated|violates|wrong|wrongtype|❌|✗|✘|bad request|"
        "disk full|gave up|giving up|no space left|not found|stack trace"
    )
)
"""What ends a denial, but states no failure by itself: whole words and phrases."""

_PHRASES: Final = tuple(sorted(word for words in (*WORDS.values(), DOUBTFUL) for word in words if " " in word))
_ENGLISH: Final = frozenset((*WORDS["English"], "impossible", "fel"))
_ALL: Final = sorted({word for words in WORDS.values() for word in words})
_SINGLE: Final = tuple(word for word in _ALL if " " not in word)
_WORD: Final = regex(r"[^\W\d_]+")
# [E]; logcat; glog. These and the next begin with single letters, no flag and no look-behind: ``re`` skips to them
_LETTER: Final = regex(r"[\[EF](?<!\S.)(?:(?<=\[)[EFC]\]|(?<=[EF])(?:/[\w.$-]+ ?\(|\d{4} \d\d:\d\d:))")
_STATUS: Final = regex(
    r"(?:H(?:TTP|ttp)|http)/\d(?:\.\d)?\"? 5\d\d\b"
    r"|[Ss](?:tatus|TATUS)(?:[_ ]?[Cc](?:ode|ODE))?[\"']?[=: ]{1,2}[\"']?5\d\d\b"
    r"|[Ee]xit(?:ed)?[_ ]?(?:with )?(?:code|status|value)?[\"']?[=: ]{1,2}-?[1-9]"
    r"|[Rr](?:c|eturn[_ ]?code)[\"']?[=:] ?-?[1-9]|non-?zero"
)
GRADES: Final = ("EMERG", "ALERT", "CRITICAL", "ERROR", "WARN", "NOTICE", "INFO", "DEBUG")
"""The severities of syslog (RFC 5424) by their numbers."""
_TENS: Final = {"1": "TRACE", "2": "DEBUG", "3": "INFO", "4": "WARN", "5": "ERROR", "6": "FATAL"}  # of pino and bunyan
PRIORITY: Final = regex(r"<(\d{1,2}|1[0-8]\d|19[01])>(?=[^\s<>])", holds="<")
TENS: Final = regex(r"\"level\": ?([1-6])0(?=[,}])", holds=('"level":',))
_GRAVE: Final = regex(rf"(?m)^{PRIORITY.pattern}", holds="<")
_NUMBERED: Final = frozenset(("http", "status", "exit", "exited", "rc", "return", "returncode", "zero", "nonzero"))
_BREAKS: Final = bytes(c if chr(c).isalpha() or not chr(c).isascii() else 32 for c in range(256))  # UTF-8 of others
_NONE_BEFORE: Final = regex(
    r"(?:\b(?:no|zero|without(?: an?y?)?|0|never|not an?|non?-)[ -]?(?:\w{1,12} )?|(?<![^\W_])no_"
    r"|\b(?:keine?|sans|sin|sem|senza|geen|inga?|brak|без) )$",
    re.IGNORECASE,
)
_NONE_WITHIN: Final = ("no", "non", "un")  # right before it: ``NOERROR``, ``nonfatal``, ``unbroken``
_NUMBER_OF: Final = regex(  # a zero that numbers the word before it: ``job 0 failed``
    r"(?:#|\b(?:attempt|batch|case|channel|chunk|container|core|device|disk|epoch|executor|gpu|host|index|instance|item|job"
    r"|line|node|page|part|partition|phase|pod|port|process|rank|replica|row|run|server|shard|slot|stage|step|task|test"
    r"|thread|try|unit|worker)[ _:=#-]{0,2})0 $",
    re.IGNORECASE,
)
_NONE_BEHIND: Final = regex(
    r"\w{0,24}[\"']?\s{0,2}[:=]\s{0,2}[\"']?(?:0(?![.\d]| ?[=!<>]=)|none\b|null\b|false\b|no\b|\"\"|''|\[\]|\{\})"
    r"|(?:(?<=error)s|(?<=fail)(?:ed|ures)) 0(?=[,;)\s]|$)(?! of)"
    r"|(?<=error)(?:less|[ -]free|_success| code: 0| none)(?![^\W_]|\.\d)"
    r"|(?<=error)(?:s|\(s\)){0,2}(?: [^\s.;]{1,20}){0,3}? (?:detected and |was |were )?corrected\b"
    # a setting: ``timeout=30``, ``negotiated timeout 10000``, ``failureThreshold: 3``
    r"|(?:(?<=timeout)\w{0,12}|\w{0,4}[_-]?(?:threshold|timeout|limit))[\"']?"
    r"(?:\s{0,2}[:=]\s{0,2}[\"']?|\s(?=\d{3}|\d{1,2} ?[ms]))(?!504)\d{1,12}(?:\.\d{1,6})?"
    r"(?:\s?(?:ms|s|m|sec|min)\w{0,6})?(?![\w.])(?!.{0,24}(?:exceeded|expired|elapsed|reached|times))",
    re.IGNORECASE,
)


def grade(line: str) -> str:
    """The level that a line states by a number: syslog's priority before it, or in JSON in tens; else ""."""
    if line[:1] == "<" and (match := PRIORITY.match(line)):
        return GRADES[int(match[1]) % len(GRADES)]
    match = TENS.search(line) if '"msg"' in line else None
    return _TENS[match[1]] if match else ""


def titles(line: str) -> bool:
    """Whether it only names columns: words alone, some of them aligned."""
    words = line.split()
    aligned = line.strip().count("  ") >= ALIGNED or " packets errors " in line
    return len(words) > ALIGNED and aligned and all(word.rstrip(":").isalpha() for word in words)


ALIGNED: Final = 2  # gaps of several blanks in one line


def _grave(text: str) -> bool:
    """Whether a line states by a number that it is an error or worse."""
    grave = GRADES[: GRADES.index("ERROR") + 1]
    if any(GRADES[int(match[1]) % len(GRADES)] in grave for match in _GRAVE.finditer(text)):
        return True
    return '"msg"' in text and any(match[1] in "56" for match in TENS.finditer(text))


def words_of(text: str) -> frozenset[str]:
    """The distinct words of a text that hold a word of failure, and such phrases, in lower case. Linear."""
    return _failing(text, _words(text))


def _failing(text: str, words: str) -> frozenset[str]:
    low = words.lower()
    failing = set(DOUBTFUL.intersection(low.split("\n")))
    if some := holding(low, _signs(low.isascii())):  # asked before a pattern has to be compiled
        each, search = words.split("\n"), _failure(words.isascii()).search
        failing.update(each[at].lower() for at in some if search(each[at]))
    if phrases := [phrase for phrase in _PHRASES if phrase.partition(" ")[0] in low]:
        low = text.lower()
        failing.update(phrase for phrase in phrases if phrase in low)
    return frozenset(failing)


@cache
def _signs(ascii: bool) -> list[str]:
    """One stands in each word of failure: those that are in no other one."""
    some = [word for word in _SINGLE if word.isascii() >= ascii]
    return [word for word in some if not any(word != other and other in word for other in some)]


def _words(text: str) -> str:
    """Each word once, a line a word: a log says few different ones."""
    return b"\n".join({*text.encode("utf-8", "replace").translate(_BREAKS).split()}).decode("utf-8", "replace")


def suspects(text: str) -> bool:
    """Whether any word of failure may stand in ``text``, also within a word: for texts whose digits are gone."""
    lower = text.lower()
    return _long(lower.isascii()).search(lower) is not None or _brief().search(lower) is not None


def mentions(text: str) -> bool:
    """Whether ``text`` holds any word of failure, negated or not, a long one also within a name. Linear."""
    words = _words(text)
    low = words.lower()
    if any(map(low.__contains__, _SINGLE)) and _long(low.isascii()).search(low):
        return True
    if _failing(text, words) or _LETTER.search(text) or _grave(text):
        return True
    return not _NUMBERED.isdisjoint(low.split()) and _STATUS.search(text) is not None


def mentions_apart(words: Iterable[str]) -> bool:
    """The same of a text whose words are known but not their order: a phrase counts where all of its words stand."""
    known = set(_WORD.findall(text := "\n".join(words)))
    return mentions(text) or any(known.issuperset(phrase.split()) for phrase in _PHRASES)


def states(text: str, *, foreign: bool = False) -> re.Match[str] | None:
    """The first word of failure that is not denied beside it (``0 errors``, ``errors: 0``); else ``None``. ``foreign``:
    words of other languages than English only, for callers with a grammar of English of their own."""
    return next(_statements(text, foreign, alone=False), None)


def _statements(text: str, foreign: bool, alone: bool) -> Iterator[re.Match[str]]:
    """``alone``: those that are no part of a name in lower case (``failing-liveness-pod``, ``crashpod``)."""
    words: tuple[re.Pattern[str], ...] = (_failure(text.isascii()),) if suspects(text) else ()
    for pattern in words if foreign else (*words, _LETTER, _STATUS):
        for match in pattern.finditer(text):
            english = foreign and match[0].lower() in _ENGLISH
            named = alone and pattern in words and _in_name(text, match)
            if not (english or named or denied(text, match)):
                yield match


def denied(text: str, match: re.Match[str]) -> bool:
    """Whether what stands beside a word of failure says that there is none: ``no_error``, ``errors: 0``."""
    before = text[max(0, match.start() - 24) : match.start()]
    none = _NONE_BEFORE.search(before) is not None and _NUMBER_OF.search(before) is None
    return none or _NONE_BEHIND.match(text, match.end()) is not None


_INFLECTED: Final = regex(
    r"(?:e?s|e?d|k?ed|ers?|k?ings?|ures?|ions?|ive|al|able|(?:al|ful)?ly|ency|ities|ity|loop(?:s|ed|ing|backoff)?)?(?![a-z])"
)
_JOINED_BEFORE: Final = regex(r"\d|[^\W_][-/.]")  # the two characters before a word
_JOINED_BEHIND: Final = regex(r"[a-z]*(?:\d|[-/][^\W_]|\.[a-z\d])")


def _in_name(text: str, match: re.Match[str]) -> bool:
    """Whether a word of failure is a part of a name in lower case: beside ``-/.`` or digits, or no form of it."""
    word, start = match[0], match.start()
    if not word.islower():
        return False
    before = text[max(0, start - 2) : start]
    if before[-1:].isdigit() or _JOINED_BEFORE.fullmatch(before) or _JOINED_BEHIND.match(text, match.end()):
        return True
    return word in WORDS["English"] and not _INFLECTED.match(text, match.end())


def tells(value: str, alone: bool = False) -> bool:
    """Whether a value speaks of a failure, not denied: also within a name, but in a sentence or ``alone`` no part."""
    return next(telling(value, alone), None) is not None


def telling(value: str, alone: bool = False) -> Iterator[str]:
    """The words by which it does, in lower case and without their endings: ``fail`` of both failed and failure."""
    match, suspected = None, suspects(value)
    for match in _statements(value, False, alone or " " in value.strip()) if suspected else ():
        yield match[0].lower()
    if match is None and suspected and not _failure(value.isascii()).search(value):
        low = value.lower()
        matches = _long(low.isascii()).finditer(low)
        yield from (match[0] for match in matches if not low[: match.start()].endswith(_NONE_WITHIN))


def cause(text: str, begin: int, end: int) -> int:
    """Where the cause begins in a chain of errors (``failed to pull: rpc error: no such host``), from ``begin`` on."""
    link = text.find(": ", begin, end - MIN_CAUSE)
    return link + 2 if link >= 0 else text.find(" ", begin, end) + 1 or begin


MIN_CAUSE = 24  # characters


# -- loud words: where one is rare it is an alarm. ``WORDS`` are looked for in sentences and states; these are
# what source, configuration, data and prose are marked with

LOUD: Final = listed(
    "FIXME|XXX|HACK|BUG:|CRITICAL|FATAL|PANIC|ERROR|SEVERE|EMERGENCY|BROKEN|panic(|Traceback|DO_NOT|crash|segfault|"
    "corrupt|deadlock|data_loss|vulnerab|insecure|backdoor|exploit"
)
LOUD_DATA: Final = listed("failed|failure|error|fatal|exception|broken|unreachable|expired|CrashLoop")
LOUD_PROSE: Final = listed("outage|breach|unrecoverable|data loss|emergency|catastroph|UNMET|urgent")
SECRETS: Final = ["BEGIN RSA PRIVATE KEY", "BEGIN PRIVATE KEY", "BEGIN OPENSSH PRIVATE KEY", "AKIA"]
LOUD_CHANGES: Final = listed("raise |throw |abort(|exit(|password")  # of added lines
LOUD_ENTRY: Final = regex(
    r"\b(?:ERROR|FATAL|CRITICAL|PANIC|FAILED|FAILURE|Traceback|OOMKilled|CrashLoopBackOff|panic:)"
)
LOUD_NAME: Final = regex(  # of a file
    r"(?:^|[._-])(?:core(?:\.\d+)?$|crash|panic|fatal|hs_err_pid|coredump|heapdump|failed|failure|corrupt|broken|conflict"
    r"|quarantine)|[A-Z_-]*(?:ERROR|FAILED|FATAL|CRASH|PANIC|CORRUPT|BROKEN)|\.rej$"
)
LOUD_SEQUENCE: Final = regex(  # what curators write of a sequence
    r"\b(?:fail(?:ed|ure|s)?|errors?(?!-prone)|warning|contaminat\w*|contam|low[ _-]quality|poor[ _-]quality|chimer\w*|"
    r"reject\w*|withdrawn|suspect\w*|invalid|corrupt\w*|unverified|mislabel\w*|misidentif\w*|retracted|"
    r"do[ _]not[ _]use|truncated|aborted|bad)(?![a-z])",
    re.IGNORECASE,
)
SEVERE: Final = regex(  # in a value of a field: alone, or as a part of a name in camel case
    r"(?<![\w-])(?i:errors?|fatal|critical|panic\w*|traceback|exceptions?|fail(?:ed|ure|ures|ing|s)?|denied|refused|"
    r"time[d-]?\s?out|timeouts?|unreachable|corrupt\w*|crash\w*|abort\w*|unhealthy|deadlock\w*|oom\w*|out of memory|"
    r"segfault|sigsegv|sigkill|killed|core dumped|unhandled|rejected|unauthori[sz]ed|forbidden|invalid|broken|"
    r"emergency|degraded|evicted)(?![\w-])|[a-z](?<!\b[Nn]o)(?:Error|Exception|Failure|Failed|Killed|BackOff)(?![a-z])|\bErr[A-Z]\w+|"
    r"(?<!\w)E(?:CONN|TIME|ACC|NO|PIPE)[A-Z]+\b|\b(?:Failed|BackOff)(?:[A-Z]\w+)?\b"
)
_STEMS: Final = listed(
    "err|fatal|critical|panic|traceback|exception|fail|denied|refused|time|unreachable|corrupt|crash|abort|unhealthy|"
    "deadlock|oom|out of memory|segfault|sigsegv|kill|core dumped|unhandled|rejected|unauthori|forbidden|invalid|"
    "broken|emergency|degraded|evicted|backoff|econn|eacc|eno|epipe"
)
"""One of these stands, in lower case, in all that ``SEVERE`` or ``LOUD_ENTRY`` finds."""


def severe_stems(texts: Iterable[str]) -> list[str]:
    """Those that stand in any of the texts: a text without one of them need not be searched."""
    together = "\n".join(texts).lower()
    return [stem for stem in _STEMS if stem in together]


# -- of a field and its values: how rare a failure is among them decides what it means

LONGEST = 20_000  # characters of a value that are looked at
_MORE: Final = regex(  # what speaks of trouble without naming a failure
    r"unhealthy|oom-?kill|time[ -]out|timed-out|backoff|evicted|cve-(?<![a-z]cve-)|overflow|not ?ready|invalid"
)
_HALF_SAID: Final = frozenset(listed("timed|unable|Unable|dumped"))  # of what fails in two words: never settled
MAX_WORDS = 50_000
MAX_JUDGED = 1_000  # texts with a word of failure that are looked at as a whole
ROWS = 32  # record numbers kept of a rare value


def is_severe(text: str, *, alone: bool = False) -> bool:
    """Whether the text speaks of a failure, or of trouble. ``alone``: a word of free text, which may be a name."""
    text = text[:LONGEST]
    return tells(text, alone=alone) or _MORE.search(text.lower()) is not None


def stems(text: str) -> set[str]:
    """The words of failure in a text, in lower case and by their stems: ``fail`` of both failed and failure."""
    text = text[:LONGEST]
    low, starts = text.lower(), _failure(text.isascii()).finditer(text)
    return {*_long(low.isascii()).findall(low), *(match[0].lower() for match in starts), *_MORE.findall(low)}


def hold(held: list[int], rows: Sequence[int]) -> None:
    """Keep record numbers while there is room for them."""
    held += rows[: ROWS - len(held)]


class Vocabulary:
    """How often each word of free text stands there, up to ``MAX_WORDS`` words; where the rare and severe ones do.
    ``failing`` counts the texts that speak of a failure, from ``MAX_JUDGED`` on by their words (``estimated``)."""

    def __init__(self, counts: Mapping[str, int], rows: Mapping[str, list[int]], failing: int, estimated: bool) -> None:
        """``counts`` and ``rows`` of the texts so far, ``failing`` of which speak of a failure."""
        self.counts = Counter[str]()
        self.rows: dict[str, list[int]] = {}
        self._settled: set[str] = set()
        self.failing, self.estimated = failing, estimated
        self.told = Counter[str]()  # the words by which they do
        for text, count in counts.items():
            self.told.update(dict.fromkeys(telling(text), count))
            self.counts.update(dict.fromkeys(text.split(), count))
        self.severe = {word for word in self.counts if is_severe(word, alone=True)}
        self.failed = {word for word in self.severe if tells(word[:LONGEST], alone=True)}  # those that count
        for text, held in rows.items():
            for word in self.severe.intersection(text.split()):
                hold(self.rows.setdefault(word, []), held)

    def add(self, values: Sequence[str], rows: Sequence[int]) -> None:
        """Words that stand often and speak of no failure are settled: none asks for their count any more."""
        texts = [*map(str.split, values)]
        new = [not self._settled.issuperset(text) for text in texts]
        rows, texts = [*compress(rows, new)], [*compress(texts, new)]
        room = len(self.counts) < MAX_WORDS
        wanted = self._count(texts, room)
        loud = [t for t in texts if not (self.severe.isdisjoint(t) and _HALF_SAID.isdisjoint(t))]
        if loud:
            if self.failing < MAX_JUDGED:  # "0 errors" is none
                failures = [{*telling(" ".join(text))} for text in loud]
                self.told.update(chain.from_iterable(failures))
                loud = [*compress(loud, failures)]
            else:
                self.estimated = True
                loud = [text for text in loud if not self.failed.isdisjoint(text)]
            self.failing += len(loud)
        if wanted and (room or wanted & self.severe):
            for row, text in zip(rows, texts, strict=False):
                for word in () if wanted.isdisjoint(text) else wanted.intersection(text):
                    if self.rows.get(word, ())[-1:] != [row]:
                        hold(self.rows.setdefault(word, []), [row])

    def _count(self, texts: list[list[str]], room: bool) -> set[str]:
        """Count the words, while there is ``room`` also new ones; those whose rows are to be noted."""
        known, settled, wanted = self.counts, self._settled, set()
        for word, count in Counter(filterfalse(settled.__contains__, chain.from_iterable(texts))).items():
            before = known.get(word)
            severe = word in self.severe if before is not None else is_severe(word, alone=True)
            if before is None:
                if not room and not severe:
                    continue
                before = 0
                if severe:
                    self.severe.add(word)
                    self.failed.update([word] * tells(word[:LONGEST], alone=True))
            known[word] = total = before + count
            if total > 2 and not severe and word not in _HALF_SAID:
                settled.add(word)
            if total <= 2 or (before < ROWS and severe):
                wanted.add(word)
        return wanted


# -- tests -------------------------------------------------------------------------------------------------------


OUTCOMES: Final = {
    "pytest": "PASSED|FAILED|SKIPPED|XFAIL|XPASS|ERROR",
    "bazel": "PASSED|FAILED|FLAKY|TIMEOUT|NO STATUS",
    "go": "PASS|FAIL|SKIP",
    "tap": "ok|not ok",
    "cargo": "ok|FAILED|ignored",
    "unittest": "ok|FAIL|ERROR|skipped|expected failure|unexpected success",
}
"""What became of a test, by who ran it, in logs: a choice within a pattern."""
AGAIN: Final = "RERUN"  # of pytest, and no outcome: the test has another one, too
BROKEN: Final = ("failed", "error")  # outcomes
_SAME: Final = {
    "failed": "failure failed fail timeout aborted timedout interrupted unexpected",
    "skipped": "skipped skip notexecuted ignored disabled pending",
    "passed": "passed pass success completed expected ok",
}
_MEANT: Final = {word: outcome for outcome, words in _SAME.items() for word in words.split()}
_REPORTED: Final = regex(
    rf"::\S.{{0,400}}? ({OUTCOMES['pytest']}|{AGAIN})\b|^//\S.{{0,300}} ({OUTCOMES['bazel']})\b"
    rf"|^\S.{{0,300}} \.\.\. ({OUTCOMES['unittest']}|{OUTCOMES['cargo']})\b"
    rf"|^\s{{0,40}}--- ({OUTCOMES['go']}): |^\s{{0,40}}({OUTCOMES['tap']}) \d+ |^({OUTCOMES['pytest']}) \S+::"
)


def outcome_of(word: str) -> str:
    """``passed``, ``failed`` or ``skipped`` for any of the words of reports for it; others as they are."""
    low = word.lower()
    return _MEANT.get(low, low)


def outcome_in(line: str) -> str:
    """The outcome of the one test that this line of a log reports (``PASSED``, ``ok``, …), "" when it reports none.

    pytest's short summary repeats outcomes at its end: there the word stands first, and it does not count."""
    match = _REPORTED.match(line) or (_REPORTED.search(line, at) if (at := line.find("::")) > 0 else None)
    return "" if match is None or match[6] else match[match.lastindex or 0]
