"""A model's summary is checked before it is trusted: a name or number that is not supported takes its sentence along.

What is not checked: words of prose, and numbers that are spelt out. What a model leaves out is no concern of this
check; the facts and the reference stand beside its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from mcpcompact.llm.claims import in_one_passage, judge
from mcpcompact.llm.records import identifiers
from mcpcompact.llm.support import Support, gives_orders, plain
from mcpcompact.llm.words import FUNCTION, PLAIN, listed
from mcpcompact.patterns import regex

WORD, CLAUSE, TITLE = 3, 2, 6  # least letters of a word that says something; words of a clause, least; of a title, most
LOUD, PARTS, UNIT = 5, 4, 3
"""Letters from which a word may be loud, parts of a name that is made of words and hyphens, letters of a unit."""
FENCED = 3  # lines from which an answer may stand between fences
LONGEST = 2_000  # characters of a sentence
MIN_CLAIMS, MIN_SHARE = 2, 1 / 3  # fewer supported claims, or a smaller share of the sentences: it is not trusted
OBEYED = 0.7  # share of the words of a sentence that stand in an order, for it to say what was ordered

_SIGNS = "-+±~≈<>$€£#@*&%/"  # what may stand around a word
_RUN = regex(
    r"[a-zA-Z][a-zA-Z0-9+.-]*://[^\s<>\"'`()\[\]{}|]+"
    r"|(?<![\w.])\d{1,3}(?:[,_']\d{3})+(?!\d)(?:\.\d+)?[A-Za-z%µ]{0,4}"
    r"|[^\s\"'`()\[\]{}<>,;|=…*“”‘’«»]+"
)
_NUMBER = regex(r"[-+±~≈<>$€£#]*(\d[\d_]*(?:,\d{3})*(?:\.\d+)?)(?:%|°?[CF]|[A-Za-zµ]{1,4})?")
_COUNT = regex(r"\d[\d,_.]*")
_PLAIN = regex(r"[^\W\d_]+(?:['’][a-z]{1,2})?")
_HYPHENED = regex(r"[^\W\d_]+(?:[-–][^\W\d_]+)+")
_CAMEL = regex(r"[a-z][A-Z]|[A-Z]{2,}[a-z]{2,}")
_COMPOUND = regex(r"\d[\d.]*(?:[-–/]\d[\d.]*|-[a-zA-Z-]+)|[^:/]+:[^:/]+|.*/.*:\d+")
_JOINT = regex(r"(?<=\d)[-–/]|:")
_QUOTED = regex(r"\"([^\"\n]{8,300})\"|“([^”\n]{8,300})”|`([^`\n]{8,300})`")
_CLAUSE = regex(r"[,;]\s+|\s[–—]\s|:\s+|[()]")
_JOINED = regex(r",?\s+(?:and|while|but|whereas)\s+")
_SENTENCE = regex(
    r"(?<=[.!?])(?<!\.\.)(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)(?<!cf\.)(?<!etc\.)(?<![\s(][A-Z]\.)(?<!^[A-Z]\.)[\"')\]*]{0,2}\s+(?=[^\s|])"
)
_TITLE = regex(r"\s*#{1,6}\s")
_BULLET = regex(r"\s*(?:[-*•+–]|\d{1,3}[.)])\s+")
_ABSENT = regex(
    r"(?i)\b(?:no|none|zero|without|never|free of)\b(?:[\s,]+[\w-]+){0,3}?[\s,]+"
    r"(?:error|fail|warning|exception|crash|fatal|critical|problem|issue|traceback|timeout)"
    r"|\b(?:all|everything|every \w+)\b[^.;]{0,40}\b(?:pass(?:ed|es)?|succeed(?:ed|s)?|successful(?:ly)?|fine)\b"
)
_TROUBLE = regex(r"(?i)(?<![a-z])(?:errors?|fail(?:ed|ure|ures|s)?|fatal|exceptions?|traceback|panic)(?![a-z])")

_PROSE = listed("""and/or either/or read/write input/output yes/no true/false pass/fail n/a on/off start/stop i/o e.g
    i.e before/after request/response client/server he/she etc vs a.k.a w/o w/ re- am/pm""")
_AFFIXES = listed("""non pre re un sub co anti multi cross self semi mid post inter high low long short well ill read
    write up down in out on off over under first second third last next one two three four five six seven eight nine ten
    half full end real run back follow per error so left right top most all auto hard soft fast slow single double zero
    time old new based only level side wide free like related specific ready aware safe ups by to term line depth size
    known defined least of the style type""")
"""The first or last parts of words with hyphens that name nothing: ``non-zero``, ``time-out``."""
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

    @property
    def verdict(self) -> str:
        if self.why:
            return "refused"
        return "corrected" if self.removed else "supported"

    def as_dict(self) -> dict[str, Any]:
        figures: dict[str, Any] = {
            "verdict": self.verdict,
            "sentencesKept": self.kept,
            "sentencesRemoved": len(self.removed),
            "claimsChecked": self.claims,
        }
        if self.removed:
            figures["removed"] = [{"text": text[:300], "why": why} for text, why in self.removed[:20]]
        return figures | ({"reason": self.why} if self.why else {})


def verify(summary: str, support: Support, least_tokens: int = 0, count: Callable[[str], int] | None = None) -> Verdict:
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


def _stays(sentence: str, support: Support, verdict: Verdict) -> bool:
    """Whether a sentence is a heading or supported; ``verdict`` notes it."""
    if _heading(sentence):
        return True
    claims, why = check(sentence, support)
    verdict.claims += claims
    verdict.kept += not why
    if why:
        verdict.removed.append((sentence, why))
    return not why


def _too_little(verdict: Verdict, support: Support) -> str:
    """Why a summary of which so much is supported is not trusted, "" when it is."""
    whole = verdict.kept + len(verdict.removed)
    if not verdict.kept:
        return "no sentence of it is supported" if whole else "it is empty"
    if verdict.removed and verdict.kept < whole * MIN_SHARE:
        return f"only {verdict.kept} of its {whole} sentences are supported"
    if verdict.claims < MIN_CLAIMS and any(_kind(run, "") for run in _runs(support.text[:20_000])):
        return f"it names {'nothing' if not verdict.claims else 'only one thing'} of the source"
    return ""


def check(sentence: str, support: Support) -> tuple[int, str]:
    """How many claims of a sentence are supported, and what is wrong with it ("" for nothing)."""
    bare = sentence.replace("**", "").strip()
    if len(bare) > LONGEST:
        return 0, "it is too long to be checked"
    if gives_orders(bare):
        return 0, "it gives orders"
    if _obeys(bare, support):
        return 0, "it stands only in an order to the model"
    if len(bare.split()) > CLAUSE and support.verbatim(bare.rstrip(".!? ")):
        return max(1, sum(1 for run in _runs(bare) if _kind(run, bare))), ""
    if not support.records:
        return (0, "it claims an absence") if _claims_absence(bare, support) else _named(bare, support)
    claims, why = _judged(bare, support)
    if not why or not support.prose or support.tables[0].records:
        return claims, why
    claims, unnamed = _named(bare, support)
    if unnamed or not _in_passages(bare, support):
        return 0, unnamed or why
    return max(1, claims), ""


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


def _in_passages(sentence: str, support: Support) -> bool:
    """Whether a sentence stands in one passage, but for clauses that only announce or that the facts have word for
    word; of joined clauses that each name something, each in its own."""
    rest = []
    for clause in (clause.strip(" .!?") for clause in _CLAUSE.split(sentence)):
        shown = len(clause.split()) >= CLAUSE and support.verbatim(clause, facts=True)
        if not shown and not all(map(_announces, clause.split())):
            rest.append(clause)
    pieces = _JOINED.split(" ".join(rest))
    if not all(map(identifiers, pieces)):
        pieces = [" ".join(rest)]
    return not rest or all(any(in_one_passage(piece, table) for table in support.tables) for piece in pieces)


def _named(sentence: str, support: Support) -> tuple[int, str]:
    """How many names and numbers of a sentence stand in the source."""
    for match in _QUOTED.finditer(sentence):
        quoted = (match[1] or match[2] or match[3]).strip(" .,;:!?…")
        if len(quoted.split()) > 1 and not support.verbatim(quoted):
            return 0, f"the source does not say {quoted[:80]!r}"
    words = [run.strip(_SIGNS) for run in _runs(sentence)]
    for n, word in enumerate(words):
        if _COUNT.fullmatch(word) and support.misquoted(words, n):
            return 0, f"the source has something else in the place of {word!r}"
    claims = 0
    for clause in _CLAUSE.split(sentence):
        whole = len(clause.split()) >= CLAUSE and support.verbatim(clause.strip(" .!?:`\"'"))
        runs = _runs(clause)
        for n, run in enumerate(runs):
            kind = _kind(run, clause)
            if not kind:
                continue
            units = [following for following in runs[n + 1 : n + 2] if len(following) <= UNIT]
            around = [*_content(runs[:n])[-2:], *_content(runs[n + 1 :])[:2], *units]
            if not whole and not _supported(run, kind, around, support):
                return 0, f"{run!r} is not in the source"
            claims += 1
    return claims, ""


def _obeys(sentence: str, support: Support) -> bool:
    """Whether a sentence is made of the words of an order in the source: it says what the order wanted."""
    if not support.orders or support.verbatim(sentence.rstrip(".!? ")):
        return False
    words = {word.lower() for word in _content(_runs(sentence))}
    ordered = ({word.lower() for word in _content(_runs(order))} for order in support.orders)
    return any(len(words & some) >= max(1, OBEYED * len(words)) for some in ordered)


def _claims_absence(sentence: str, support: Support) -> bool:
    """``no errors``, or "all fine", where the source tells of trouble and does not say so itself."""
    match = _ABSENT.search(sentence)
    return match is not None and not support.verbatim(match[0]) and _TROUBLE.search(support.text) is not None


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
    if len(lines) >= FENCED and lines[0].startswith("```") and lines[-1].strip() == "```":
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
    return "\n".join(line for n, line in enumerate(out) if line.strip() or (n and out[n - 1].strip()))


# -- names and numbers


def _runs(text: str) -> list[str]:
    runs = (match[0].strip("!?.:…").rstrip("-–—&") for match in _RUN.finditer(text))
    return [run for run in runs if run]


def _content(runs: Iterable[str]) -> list[str]:
    """Of some runs those that are words with a meaning of their own."""
    return [run for run in runs if len(run) >= WORD and not run[0].isdigit() and run.lower() not in _STOP]


def _kind(run: str, clause: str) -> str:
    """``number``, ``name``, ``word`` (in capitals, or with hyphens), or "" for what claims nothing."""
    if run.lower() in _PROSE:
        return ""
    if _NUMBER.fullmatch(run):
        return "number"
    if _CAMEL.search(run):
        return "name"
    if _PLAIN.fullmatch(run):
        return "word" if len(run) >= LOUD and run.isupper() and f"{run}:" not in clause else ""
    if _HYPHENED.fullmatch(run):
        parts = run.lower().replace("–", "-").split("-")
        prose = parts[0] in _AFFIXES or parts[-1] in _AFFIXES or parts[-1].endswith(("ing", "ed", "able", "ly"))
        return "" if prose and len(parts) < PARTS else "word"
    return "name" if any(map(str.isalnum, run)) else ""


def _supported(run: str, kind: str, around: list[str], support: Support) -> bool:
    """Whether a run stands in the source: a name as a whole, a number near one of the words around it."""
    if kind == "number" and (match := _NUMBER.fullmatch(run)):
        return support.number(plain(match[1]), around)
    if support.name(run, ignore_case=kind == "word") or support.name(run.strip(_SIGNS)):
        return True
    if "://" in run or not _COMPOUND.fullmatch(run):
        return False
    parts = _JOINT.split(run)  # ``3/20``, ``5-minute``, ``a.py:12``, ``status:failed``
    kinds = [_kind(part, run) or "word" for part in parts]
    return all(
        _supported(part, kind, [*parts[:n], *parts[n + 1 :], *around], support)
        for n, (part, kind) in enumerate(zip(parts, kinds, strict=True))
    )
