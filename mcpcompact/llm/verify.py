"""A model's summary is checked before it is trusted: a name or number that is not supported takes its sentence along.

What is not checked: words of prose, and numbers that are spelt out. What a model leaves out is no concern of this
check; the facts and the reference stand beside its text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from mcpcompact.llm.claims import in_one_passage, judge
from mcpcompact.llm.records import identifiers
from mcpcompact.llm.support import Support, gives_orders, plain
from mcpcompact.llm.words import FUNCTION, PLAIN, listed
from mcpcompact.patterns import regex

TOGETHER = 4  # words that stand together in the source: their names and numbers are taken for true where they are
WORD, CLAUSE, TITLE = 3, 2, 6  # least letters of a word that says something; words of a clause, least; of a title, most
LOUD, PARTS, UNIT = 5, 4, 3
"""Letters from which a word may be loud, and to which ``and/or`` is prose; least parts of a name with hyphens; most
letters of a unit."""
PAIR = 2  # parts of a ratio, and lines of a fence
WORDS = 200
LONGEST = 2_000  # characters of a sentence
LEAST_CLAIMS, LEAST_SHARE = 2, 1 / 3  # fewer supported claims, or a smaller share of the sentences: it is not trusted

_RUN = regex(
    r"[a-zA-Z][a-zA-Z0-9+.-]*://[^\s<>\"'`()\[\]{}|]+"
    r"|(?<![\w.])\d{1,3}(?:[,_']\d{3})+(?!\d)(?:\.\d+)?[A-Za-z%µ]{0,4}"
    r"|[^\s\"'`()\[\]{}<>,;|=…*“”‘’«»]+"
)
_NUMBER = regex(r"[-+±~≈<>$€£#]*(\d[\d_]*(?:,\d{3})*(?:\.\d+)?)(?:%|°?[CF]|[A-Za-zµ]{1,4})?")
_PLAIN = regex(r"[^\W\d_]+(?:['’][a-z]{1,2})?")
_HYPHENED = regex(r"[^\W\d_]+(?:[-–][^\W\d_]+)+")
_SLASHED = regex(r"[^\W\d_]+(?:/[^\W\d_]+)+")
_CAMEL = regex(r"[a-z][A-Z]|[A-Z]{2,}[a-z]{2,}")
_JOINT = regex(r"[-–:/@…]|\.\.+|::")
_QUOTED = regex(r"\"([^\"\n]{8,300})\"|“([^”\n]{8,300})”|`([^`\n]{8,300})`")
_CLAUSE = regex(r"[,;]\s+|\s[–—]\s|:\s+|[()]")
_JOINED = regex(r",?\s+(?:and|while|but|whereas)\s+")
_SPACED = regex(r"\S+")
_SENTENCE = regex(
    r"(?<=[.!?])(?<!\.\.)(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)(?<!cf\.)(?<!etc\.)(?<![\s(][A-Z]\.)(?<!^[A-Z]\.)[\"')\]*]{0,2}\s+(?=[^\s|])"
)
_TITLE = regex(r"\s*#{1,6}\s")
_BULLET = regex(r"\s*(?:[-*•+–]|\d{1,3}[.)])\s+")
_ABSENT = regex(
    r"(?i)\b(?:no|none|zero|without|not (?:a single|any)|never|0|free of)\b(?:[\s,]+[\w-]+){0,3}?[\s,]+"
    r"(error|failure|fail|warning|exception|crash|fatal|critical|problem|issue|traceback|timeout|anomal|panic|denied"
    r"|vulnerab)"
)
_FINE = regex(
    r"(?i)\b(?:all|everything|every \w+)\b[^.;]{0,40}\b(?:pass(?:ed|es)?|succeed(?:ed|s)?|successful(?:ly)?|healthy"
    r"|fine|ok|operational)\b|\bcompleted? (?:successfully|without)"
)
_TROUBLE = regex(
    r"(?i:(?<![a-z])(?:errors?|fail(?:ed|ure|ures|s)?|fatal|exceptions?|critical|traceback|panic|crash\w*)(?![a-z]))"
    r"|[a-z](?:Error|Failure|Exception)(?![a-z])"
)
_NOUGHT = regex(r"(?i)(?:(?<![\d.])0|\bno|\bnone|\bzero)[\s\"']{1,2}\Z")
_IS_NOUGHT = regex(r"(?i)[\"']?\s?[:=]\s?[\"']?(?:0(?![\d.])|null|none|false|\[\]|\{\})")

_WORDS = {
    "prose": """and/or either/or read/write input/output yes/no true/false pass/fail n/a on/off start/stop before/after
        request/response client/server he/she i/o e.g i.e etc vs a.k.a w/o w/ re- am/pm""",
    "prefixes": """non pre re un sub co anti multi cross self semi mid post inter high low long short well ill read
        write up down in out on off over under first second third last next one two three four five six seven eight nine
        ten half full end real run back follow per error so left right top most all auto hard soft fast slow single
        double zero time old new""",
    "suffixes": """based only level side wide time free like related specific ready aware safe ups up out in off on by
        to end term line depth size running known defined generated most least old long of the style type""",
}
_PROSE, _PREFIXES, _SUFFIXES = map(listed, _WORDS.values())
_STOP = FUNCTION | listed("""you your our she very such some other just most more not no all any can will would should
    could before after between total over under each only""")


@dataclass(slots=True)
class Verdict:
    """What stood the check. ``text`` is empty when too little did (``why`` says it); ``removed`` pairs each sentence
    that went with its reason."""

    text: str = ""
    kept: int = 0
    claims: int = 0
    removed: list[tuple[str, str]] = field(default_factory=list)
    why: str = ""

    def as_dict(self) -> dict[str, Any]:
        figures: dict[str, Any] = {
            "verdict": "refused" if self.why else "corrected" if self.removed else "supported",
            "sentencesKept": self.kept,
            "sentencesRemoved": len(self.removed),
            "claimsChecked": self.claims,
        }
        if self.removed:
            figures["removed"] = [{"text": text[:300], "why": why} for text, why in self.removed[:20]]
        return figures | ({"reason": self.why} if self.why else {})


def verify(summary: str, support: Support, least_tokens: int = 0, count: Any = None) -> Verdict:
    """The summary without its unsupported sentences. With ``least_tokens`` and ``count``, one that is left with fewer
    tokens is not trusted."""
    verdict = Verdict()
    lines: list[tuple[str, list[str]]] = []  # the head of a line (its indent and bullet), its sentences
    for line in _clean(summary).split("\n"):
        lead = _lead(line)
        kept = [sentence for sentence in sentences(line[len(lead) :]) if _stays(sentence, support, verdict)]
        if kept or not line.strip():
            lines.append((lead, kept))
    verdict.text = _joined(lines)
    verdict.why = _too_little(verdict, support)
    if not verdict.why and count is not None and count(verdict.text) < least_tokens:
        verdict.why = "too little of it is left" if verdict.removed else "it says too little"
    if verdict.why:
        verdict.text = ""
    return verdict


def _stays(sentence: str, support: Support, made: Verdict) -> bool:
    """Whether a sentence is a heading or supported; ``made`` notes it."""
    if _heading(sentence):
        return True
    claims, why = check(sentence, support)
    made.claims += claims
    made.kept += not why
    made.removed += [(sentence, why)] if why else []
    return not why


def _too_little(verdict: Verdict, support: Support) -> str:
    """Why a summary of which so much is supported is not trusted, "" when it is."""
    whole = verdict.kept + len(verdict.removed)
    if not verdict.kept:
        return "no sentence of it is supported" if whole else "it is empty"
    if verdict.removed and verdict.kept < whole * LEAST_SHARE:
        return f"only {verdict.kept} of its {whole} sentences are supported"
    if verdict.claims < LEAST_CLAIMS and _says_something(support):
        return f"it names {'nothing' if not verdict.claims else 'only one thing'} of the source"
    return ""


def check(sentence: str, support: Support) -> tuple[int, str]:
    """How many claims of a sentence are supported, and what is wrong with it ("" for nothing)."""
    bare = sentence.replace("**", "").strip()
    if len(bare) > LONGEST:
        return 0, "it is too long to be checked"
    if gives_orders(bare):
        return 0, "it gives orders"
    if why := _obeys(bare, support):
        return 0, why
    if support.verbatim(bare.rstrip(".!? ")) and len(bare.split()) > CLAUSE:
        return max(1, sum(1 for run in _runs(bare) if _kind(run, bare))), ""
    if support.records:
        claims, why = _judged(bare, support)
        if not why:
            why = _misquoted(bare, support) if support.prose else ""
            return (0 if why else claims), why
        if not support.prose or support.tables[0].records:
            return claims, why
        named, unnamed = _named(sentence, bare, support)
        clauses = [clause.strip(" .!?") for _, clause in _clauses(bare)]
        clauses = [clause for clause in clauses if not all(map(_announces, clause.split()))]
        rest = " ".join(c for c in clauses if len(c.split()) < CLAUSE or not support.verbatim(c, facts=True))
        if not unnamed and (not rest or _in_passages(rest, support)):
            return max(1, named), ""
        return 0, unnamed or why
    return _named(sentence, bare, support)


def _misquoted(sentence: str, support: Support) -> str:
    """A line of the source in which a single name or number is another."""
    runs = [(word, _kind(run, sentence)) for run in _runs(sentence) if (word := _word(run))]
    words = [word for word, _ in runs]
    for n, (word, kind) in enumerate(runs):
        alone = kind in ("", "loud") or len(words) <= CLAUSE
        if not alone and support.contradicted(word, words[:n][::-1], words[n + 1 :], widest=True):
            return f"the source has something else in the place of {word!r}"
    return ""


def _in_passages(sentence: str, support: Support) -> bool:
    """Whether a sentence stands in one passage; of joined clauses that each name something, each in its own."""
    pieces = _JOINED.split(sentence)
    pieces = pieces if all(map(identifiers, pieces)) else [sentence]
    return all(any(in_one_passage(piece, table) for table in support.tables) for piece in pieces)


def _named(sentence: str, bare: str, support: Support) -> tuple[int, str]:
    """How many names and numbers of a sentence stand in the source, each with the words around it."""
    standing = _standing_words(bare, support)
    if why := _false_absence(bare, support, standing):
        return 0, why
    for match in _QUOTED.finditer(sentence):
        quoted = (match[1] or match[2] or match[3]).strip(" .,;:!?…")
        if len(quoted.split()) > 1 and not _stands(quoted, support):
            return 0, f"the source does not say {quoted[:80]!r}"
    found, position = 0, 0
    words = [word for run in _runs(bare) if (word := _word(run))]
    for start, clause in _clauses(bare):
        whole = _telling(clause) and support.verbatim(clause.strip(" .!?:`\"'"))
        runs = list(_placed_runs(clause))
        names = [run for _, run in runs]
        for n, (at, run) in enumerate(runs):
            word = _word(run)
            position += bool(word)
            kind = _kind(run, clause)
            if not kind:
                continue
            stands = whole or any(a <= start + at and start + at + len(run) <= b for a, b in standing)
            if not stands and not _supported(run, kind, names[:n][::-1], names[n + 1 :], support):
                return 0, f"{run!r} is not in the source"
            left, right = words[max(0, position - 7) : position - 1][::-1], words[position : position + 6]
            if word and kind != "loud" and support.contradicted(word, left, right):
                return 0, f"the source has something else in the place of {run!r}"
            found += 1
    return found, ""


def _judged(sentence: str, support: Support) -> tuple[int, str]:
    """By the first table of the source that the sentence is true of; the reason is that of the longest."""
    words = sentence.rstrip(".!? ").split()
    while len(words) > CLAUSE and _announces(words[0]):
        words = words[1:]
        if support.verbatim(" ".join(words)):
            return 1, ""
    reason = ""
    for table in support.tables:
        claims, why = judge(sentence, table)
        if not why:
            return claims, ""
        reason = reason or why
    return 0, reason


def _announces(word: str) -> bool:
    return word.lower().rstrip(":,") in PLAIN


def _standing_words(sentence: str, support: Support) -> list[tuple[int, int]]:
    """Where ``TOGETHER`` words of a sentence stand in the support as they are, in this order."""
    words = [match.span() for match in islice(_SPACED.finditer(sentence), WORDS)]
    spans = [(first[0], last[1]) for first, last in zip(words, words[TOGETHER - 1 :], strict=False)]
    return [(start, end) for start, end in spans if support.verbatim(sentence[start:end].strip("`.,;:!?"))]


# -- sentences


def sentences(line: str) -> list[str]:
    """The sentences of a line; a row of a table is one."""
    if line.lstrip().startswith("|"):
        return [] if not line.strip("|-: \t") else [line]
    return [part for part in _SENTENCE.split(line) if part.strip()]


def last_dropped(text: str) -> str:
    """The text without its last sentence; "" when that was all."""
    lines = text.rstrip().split("\n")
    lead = _lead(lines[-1])
    rest = sentences(lines[-1][len(lead) :])[:-1]
    kept = lines[:-1] + ([lead + " ".join(rest)] if rest else [])
    while kept and (not kept[-1].strip() or _heading(kept[-1].strip())):
        kept.pop()
    return "\n".join(kept)


def _clean(text: str) -> str:
    """Without the fence and the opening phrase that models put around an answer."""
    text = text.replace("\r\n", "\n").strip()
    lines = text.split("\n")
    if len(lines) > PAIR and lines[0].startswith("```") and lines[-1].strip() == "```":
        lines = lines[1:-1]
    first, openings = lines[0].strip().lower(), ("here is", "here's", "sure", "certainly", "summary")
    if len(lines) > 1 and first.endswith(":") and first.startswith(openings):
        lines = lines[1:]
    return "\n".join(lines).strip()


def _lead(line: str) -> str:
    match = _BULLET.match(line)
    return match[0] if match else line[: len(line) - len(line.lstrip())]


def _heading(sentence: str) -> bool:
    """A line that only announces: it stays when something under it stays."""
    bare = sentence.strip().strip("*_# ")
    announces = _TITLE.match(sentence) or bare.endswith(":")
    return bool(announces) and not any(map(str.isdigit, bare)) and len(bare.split()) <= TITLE


def _joined(lines: list[tuple[str, list[str]]]) -> str:
    """The lines again, without headings that announce nothing and without runs of empty lines."""
    out: list[str] = []
    pending: list[str] = []
    for lead, kept in lines:
        text = lead + " ".join(kept) if kept else ""
        if not text.strip() or (len(kept) == 1 and _heading(kept[0])):
            if text.strip():
                pending = [line for line in pending if not line.strip()]
            pending.append(text)
            continue
        out += [*pending, text]
        pending = []
    while out and not out[0].strip():
        out.pop(0)
    return "\n".join(line for n, line in enumerate(out) if line.strip() or (n and out[n - 1].strip()))


# -- claims


def _clauses(sentence: str) -> Iterator[tuple[int, str]]:
    """The clauses of a sentence and where they begin."""
    start = 0
    for match in _CLAUSE.finditer(sentence):
        yield start, sentence[start : match.start()]
        start = match.end()
    yield start, sentence[start:]


def _telling(clause: str) -> bool:
    words = clause.split()
    return len(words) > 1 and any(len(w) >= WORD and w[:WORD].isalpha() and w.lower() not in _STOP for w in words)


def _runs(text: str) -> Iterator[str]:
    return (run for _, run in _placed_runs(text))


def _placed_runs(text: str) -> Iterator[tuple[int, str]]:
    for match in _RUN.finditer(text):
        run = match[0].lstrip("!?.:…")
        start = match.end() - len(run)
        if run := run.rstrip("!?.:…").rstrip("-–—&"):
            yield start, run


def _word(run: str) -> str:
    """A run without the signs around it."""
    start = next((n for n, c in enumerate(run) if c.isalnum() or c == "_"), len(run))
    end = next((n for n in range(len(run), start, -1) if run[n - 1].isalnum() or run[n - 1] == "_"), start)
    return run[start:end]


def _kind(run: str, clause: str) -> str:
    """``number``, ``name``, ``loud`` (a word in capitals), or "" for what claims nothing."""
    if run.lower() in _PROSE:
        return ""
    if _NUMBER.fullmatch(run):
        return "number"
    if _PLAIN.fullmatch(run):
        if _CAMEL.search(run):
            return "name"
        return "loud" if len(run) >= LOUD and run.isupper() and f"{run}:" not in clause else ""
    if _HYPHENED.fullmatch(run) and not _CAMEL.search(run):
        parts = run.lower().replace("–", "-").split("-")
        prose = parts[0] in _PREFIXES or parts[-1] in _SUFFIXES or parts[-1].endswith(("ing", "ed", "able", "ly"))
        return "" if prose and len(parts) < PARTS else "hyphened"
    return "name" if any(map(str.isalnum, run)) else ""


def _supported(run: str, kind: str, left: list[str], right: list[str], support: Support) -> bool:
    if kind == "number":
        match = _NUMBER.fullmatch(run)
        assert match is not None
        if not run[0].isdigit() and not run[-1].isdigit() and support.name(run):
            return True
        unit = run[match.end(1) :] or (right[0] if right and len(right[0]) <= UNIT else "")
        return support.number(plain(match[1]), _words(left), _words(right), unit)
    if kind in ("loud", "hyphened"):
        return support.name(run, ignore_case=True) or (kind == "loud" and support.word(run))
    if support.name(run) or (run[-1] in "/$%+#" and support.name(run.rstrip("/$%+#"))):
        return True
    if run[0] in "#@~$" and len(run) > 1 and not run[1:2].isdigit() and support.name(run[1:]):
        return True
    if _SLASHED.fullmatch(run) and len(run) <= LOUD:
        return True
    return _parts_supported(run, left, right, support)


def _parts_supported(run: str, left: list[str], right: list[str], support: Support) -> bool:
    """``a.py:12``, ``3/20``, ``40-60``, ``5-minute``, ``status:failed``: names by themselves, numbers beside them."""
    if "://" in run or run.startswith("/") or run.count("/") > 1:
        head, colon, line = run.rpartition(":")
        if not (colon and line.isdigit() and "/" in head):
            return False
        return support.name(head) and support.number(line, [head], [])
    parts = [part for part in _JOINT.split(run) if part]
    if len(parts) <= 1 or not any(map(str.isalnum, run)):
        return False
    if all(part.isdigit() for part in parts):
        ratio = len(parts) == PAIR and ("/" in run or "-" in run or "–" in run)
        return ratio and all(support.number(part, _words(left), _words(right)) for part in parts)
    if _NUMBER.fullmatch(parts[0]) and all(map(_PLAIN.fullmatch, parts[1:])) and "/" not in run:
        return _supported(parts[0], "number", left, [*parts[1:], *right], support)
    if ":" not in run or "::" in run:
        return False
    return all(
        _supported(part, _kind(part, run) or "name", [*parts[:at][::-1], *left], [*parts[at + 1 :], *right], support)
        for at, part in enumerate(parts)
    )


def _words(runs: list[str]) -> list[str]:
    """The content words of some runs, nearest first."""
    return [run for run in runs if len(run) >= WORD and not run[0].isdigit() and run.lower() not in _STOP]


def _stands(quoted: str, support: Support) -> bool:
    return support.verbatim(quoted) or " ".join(quoted.split()).lower() in support.lower


# -- what a name cannot show


def _obeys(sentence: str, support: Support) -> str:
    """A sentence made of the words of an order in the source says what the order wanted."""
    words = {word.lower() for word in _words(list(_runs(sentence)))}
    for order in support.orders:
        said = {word.lower() for word in _words(list(_runs(order)))}
        if len(words & said) >= max(1, 0.7 * len(words)) and not support.verbatim(sentence.rstrip(".!? ")):
            return "it stands only in an order to the model"
    return ""


def _false_absence(sentence: str, support: Support, standing: list[tuple[int, int]]) -> str:
    """``no errors`` while the support has some; "all fine" while it tells of trouble."""
    for match in _ABSENT.finditer(sentence):
        kind = match[1].lower()
        if any(start <= match.start() and match.end() <= end for start, end in standing):
            continue
        if kind in ("problem", "issue", "anomal"):
            if _trouble(support):
                return f"{match[0]!r}, but the source tells of trouble"
        elif _present(support, kind):
            return f"{match[0]!r}, but the source has some"
    fine = None if any(map(str.isdigit, sentence)) else _FINE.search(sentence)
    if fine and _trouble(support):
        return f"{fine[0]!r}, but the source tells of trouble"
    return ""


def _trouble(support: Support) -> bool:
    return any(_standing(support, match) for match in _TROUBLE.finditer(support.text))


def _present(support: Support, kind: str) -> bool:
    import re

    pattern = rf"(?i:(?<![a-z]){kind})|{kind.capitalize()}"
    return any(_standing(support, match) for match in re.finditer(pattern, support.text))


def _standing(support: Support, match: Any) -> bool:
    """Whether a mention is not itself of none: ``0 errors``, ``errors: 0``, ``"error": null``."""
    text, (start, end) = support.text, match.span()
    while end < len(text) and text[end].isalpha():
        end += 1
    return not (_NOUGHT.search(text, max(0, start - 8), start) or _IS_NOUGHT.match(text, end, end + 12))


def _says_something(support: Support) -> bool:
    return any(_kind(run, "") for run in _runs(support.text[:20_000]))
