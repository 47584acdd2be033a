"""Is it code? By the shape of its lines, against prose, logs, search hits, data and markup that quote code."""

# ruff: noqa: E501 - patterns read better whole

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from itertools import pairwise

from mcpcompact.content.shared.evidence import DIFF, Evidence, anywhere, first, share
from mcpcompact.content.shared.gutters import gutter_of, wrapper_end
from mcpcompact.content.shared.languages import (
    COMMENT,
    CONFIGURATION,
    FENCES,
    OTHERS,
    by_path,
    by_shape,
    commented,
    scalars,
    unweighed,
)
from mcpcompact.outline import Verdict
from mcpcompact.patterns import regex
from mcpcompact.source import Sample

LOOK = 240  # characters of a line that decide its kind
LINES = 500
MINIFIED, SAMPLE = 2_000, 20_000  # characters of a line that nobody wrote so, and of it that are looked at
DENSE, WORDS = 0.04, 3  # share of signs in it, and how often words of a language stand there
JSON_SURE, JSON_LIKELY = 0.93, 0.75  # of the lines are JSON's: in any case, or behind an opening bracket
MIN_LINES = 3  # fewer show no structure
FENCED_BY = 2  # lines at the head of a view within a fence
_PAGES = frozenset(("HTML", "XML"))  # within a fence they are files that are edited, not pages that are read

SCRIPT, COMPONENT, VIEW, SHRUNK = 0.9, 0.8, 0.93, 0.8  # scores: by the first line; a numbered view; minified
OTHER = 0.1  # what another type reads better
ELSEWHERE, MAX_LOCATED, MAX_LOGGED = 0.12, 0.2, 0.25  # score, and shares of lines above which they are another's
MAX, SURE, UNSURE = 0.9, 0.45, 0.25  # at most; below SURE a score shrinks to that part: let others have it

BASE, CODED, TOLD = 0.1, 0.75, 1.3  # of a program: what it starts with, a share of code adds, a share of prose takes
COMMENTED = 0.7  # a comment counts as so much of a statement
KNOWN, KNOWN_MOST, UNKNOWN = 0.25, 0.15, 0.12  # for the share of lines of its language, at most; without one
FLAT, UNENDED = 0.1, 0.35  # taken where no line is indented: ended as statements are, or not
FLAT_BELOW, ENDED = 0.1, 0.3  # shares of lines: indented ones; ended by ; { } : , (
THIN, TAGGED, SHORT = 0.6, 0.3, 0.75  # factors: code in few lines; tags instead; a handful of lines
FEW_CODED, FEW_LINES, MAX_CODED, MAX_TAGS = 0.3, 4, 0.9, 0.4  # where they apply
HEADED, SPOKEN = 0.5, 0.15  # of the comments are "# Heading", of the lines are sentences: a README
PLAIN = ("Python", "Shell", "Ruby")  # whose comments look like headings

SECTIONS, SECTIONS_FIT = 0.55, 0.33  # scores of configuration: sections and settings, and for the share that fits
SETTINGS, TARGETS, LOOSE_JSON = 0.78, 0.8, 0.82
FEW_LED = 5  # one line in so many with dots that lead to its value: what a program tells of a machine
YAML, YAML_FIT, FLAT_YAML, FLAT_FIT = 0.5, 0.35, 0.42, 0.1
SPOKEN_IN, MAX_SECTIONS, FIT, NEARLY = 0.1, 0.6, 0.8, 0.9  # shares: prose at most, sections, lines that fit
LOGFMT, PAIRS = 0.2, 2  # of the lines have more than so many key=value: they are records
SPACED, REPEATED, INDENTED, ALIGNED = 0.15, 0.08, 0.05, 0.25  # shares: keys with blanks, keys again, lines of a shape
WHOLE = 0.3  # of the lines are objects of their own: records
NAMED_SPOKEN = 0.3  # of the lines are sentences: what is said of the file that the call names
DIRECTED, EXPLAINED = 0.5, 0.5  # score of settings without a sign; of the lines, at most, where others explain them
STATED, STATED_BASE, STATED_SHARE, STATED_MOST, NOTED = 0.35, 0.25, 0.75, 0.88, 0.2  # a language known by its words
_PROSE = regex(r"(?:[-*] |\d+[.)] )?(?:[\w,'’()\"`/-]+ ){6,}[\w'’)\"`]+[.,:;!?]?$")
_LOGGED = regex(
    r"\[?(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\d\d/\d\d/\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d)|\[?(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE|FATAL|error|warning|note)\b[\]:( ]"
)
_LOCATED = regex(
    r"(?:\"|File \"|[\w./-]+:)?[\w./\\@~+\[\]-]*[\w\]]\.\w{1,8}\"?(?:[:(-]|, line )\d+(?:[:,)\]-]|$)|[\w.@-]*/[\w./@\[\]-]*\.\w{1,8}:|\d+:|#\d+ .*\([^()]*\+0x[\da-f]+\)$|at .*[\w>]:\d+\)?$|[\w.<>]+ \([\w./<>-]+:\d+\)$|\d.*:\d+\(\S+\)$"
)  # a hit, a finding, a frame of a stack, a row of a profile
_RAN = regex(r"={3,} test session starts ={3,}$", holds="= test session starts =")
RAN_WITHIN, ALIKE, MAX_ALIKE = 20, 3, 0.5  # lines; shapes of lines, and the share of them in what no language wrote
_DIGITS = regex(r"\d+")
_STATEMENT = regex(
    r"(?:import|from|export|const|let|var|def|class|function|func|fn|return|if|else|elif|elsif|for|foreach|while|switch|case|try|catch|except|finally"
    r"|throw|raise|public|private|protected|static|struct|enum|interface|type|package|use|using|namespace|await|async|yield|assert|with|defer|impl|pub|mod"
    r"|local|echo|module|require|default|template|typedef|void|int|char|bool|auto|unsigned)\b[ (;:{]"
    r"|(?:return|break|continue|pass|else|try|end|fi|done|then|do|esac|begin|super|nil|null|self)[;:]?$|@\w+|#(?:include|define|if|ifdef|ifndef|endif|pragma)|#!?\["
)
_LED = regex(r"(?: \.){3}|\.{5}", holds=(" . .", "....."))
_SYNTAX = regex(
    r"[;{}]$|[\w)\]]\($|[\[(]$|^[})\]]|^[{\[(]$|\w\(.*\)[;:{,]?$|\) ?(?:->|=>|:|\{)|^[\w.\])\"'$\[(]+ ?(?:[+*/|&-]?=|:=|==|!=|=>|->) ?\S|&&|\|\||=>|[\w\"')\]]+: .*,$|^['\"`][^'\"`]*['\"`],$|^[\w$.]+,$|^\.\w+\("
)
_JSON_LINE = regex(
    r"[{}\[\]]+,?$|\"(?:[^\"\\]|\\.)*\" ?:|\"(?:[^\"\\]|\\.)*\",?$|-?\d[\d.eE+-]*,?$|(?:true|false|null),?$|[\[{] ?[\[{\"]"
)
_JSON_BEGINS = '{}[]"-tfn'
_COMPONENT = regex(r"</?[A-Z]\w*|className=|=\{")
_KEY = regex(r"(- )?([\"']?[A-Za-z_@$./<*~][\w./@$<* -]{0,60}?[\"']?):(?:\s|$)")
_ASSIGNED = regex(r"(?:export )?[\"']?[A-Za-z_][\w.\"'/-]{0,60} ?[:+?]?= ?\S?")
_SECTION = regex(r"\[\[?[^\[\]]{1,80}\]\]?(?: *[#;].*)?$")
_ALIGNED = regex(r"[\w ./-]{1,40}: {3,}\S")
_HISTORY = regex(r"commit [0-9a-f]{7}|Author:|From ", holds=("commit ", "Author:", "From "))
_SETTING = regex(r"(?:export )?[A-Za-z_][A-Za-z0-9_.-]*=(?!=)")
_PAIR = regex(r"(?:^| )[\w.]+=")
_TARGET = regex(r"[\w./%$()-]+[^=]*:(?!=)")
_VARIABLE = regex(r"\.PHONY|.*\$\(|[A-Z_]+ ?[:?+]?= ?")
_DIRECTIVE = regex(r"[A-Za-z_][\w.-]*(?:\s*=\s*|\s+)\S")
_METRIC = regex(r"# (?:HELP|TYPE) ")
_BARE_KEY = regex(r"[\w$]+: ")
_QUOTED_KEY = regex(r"'[^']*',?$|'[^']+': ")
_JSX = regex(r"import |const |return \(|export |.*=>")
_STATES = ("SQL", "CSS", "Terraform", "Dockerfile", "Protobuf", "GraphQL")
_MINIFIED = ("function", "return", "=>", "var ", "const ", "{color:", "margin:", "px;", ".prototype")

_OPENINGS = (
    Evidence(anywhere(regex(r"(?i)<\?php|#!/", holds=("<?", "#!/"))), 0, SCRIPT, "starts like a script"),
    Evidence(anywhere(regex(r"(?i)<\?xml|<!doctype|<html|%pdf", holds="<%")), 0, 0.05, "markup"),
    Evidence(
        anywhere(regex(r"(?i)<(?:template\b[^>]*|script(?: (?:setup|lang)[^>]*)?)>$", holds="<")),
        0,
        COMPONENT,
        "single-file component",
    ),
)
"""What the first line tells alone."""


class _Look:
    """The lines of a sample as they stand (``raw``) and without indentation, cut (``asked``), and shares of them."""

    def __init__(self, raw: list[str]) -> None:
        self.raw = raw
        self.asked = [line.strip()[:LOOK] for line in raw]
        self.count = len(raw)
        self._shares: dict[re.Pattern[str], float] = {}

    def share(self, pattern: re.Pattern[str]) -> float:
        if pattern not in self._shares:
            self._shares[pattern] = share(self.asked, pattern)
        return self._shares[pattern]

    @cached_property
    def language(self) -> tuple[str, float]:
        return by_shape(self.raw)

    @cached_property
    def aside(self) -> list[bool]:
        """Which lines stand in a comment."""
        return commented(self.raw)

    @cached_property
    def spoken(self) -> float:
        """Sentences, of the lines in no comment."""
        lines = [s for s, aside in zip(self.asked, self.aside, strict=True) if not aside]
        return share(lines, _PROSE) if lines else 0.0


def sniff(sample: Sample) -> Verdict:
    lines = sample.lines[wrapper_end(sample.lines) :]
    if gutter := gutter_of(lines):
        return Verdict(VIEW, f"numbered view ({gutter!r} behind the numbers)")
    raw = [line for line in lines[: 2 * LINES] if line.strip()][:LINES]
    if not raw:
        return Verdict(0.0, "blank")
    raw, fenced = _unfenced(raw)
    look = _Look(raw)
    if fenced:
        return Verdict(VIEW, f"a file of {fenced} within one fence")
    if (verdict := first(look.asked[:1], _OPENINGS) or _foreign(look)) is not None:
        return verdict
    program = _program(look, sample.claimed)
    best = _best(look, sample, program)
    if best.score < SURE and 0 < UNSURE * SURE < sample.claimed:
        return Verdict(0.0, best.why)
    unnamed = best is program and not look.language[0]
    if any(map(_RAN.match, raw[:RAN_WITHIN])) or (unnamed and _alike(look.asked) > MAX_ALIKE):
        return Verdict(ELSEWHERE, "what a program prints")
    if (located := look.share(_LOCATED)) > MAX_LOCATED:
        return Verdict(ELSEWHERE, "lines that point at files")
    if (logged := look.share(_LOGGED)) > MAX_LOGGED or any(map(_failed, raw, raw[1:])):
        return Verdict(ELSEWHERE, "log lines")
    score = best.score - logged - located
    return Verdict(max(0.0, min(MAX, score if score >= SURE else score * UNSURE)), best.why)


def _unfenced(raw: list[str]) -> tuple[list[str], str]:
    """The lines of a file that a tool shows within one fence, perhaps below a line that names it; its language where
    the fence names one that is written by hand."""
    fences = [i for i, line in enumerate(raw) if line.startswith(FENCES)]
    begins = fences[0] + 1 if fences else 0
    if fences[1:] != [len(raw) - 1] or begins > FENCED_BY or begins == len(raw) - 1:
        return raw, ""
    language = by_path(raw[begins - 1].replace(raw[begins - 1][:3], ".").strip())
    return raw[begins:-1], "" if language in OTHERS - _PAGES else language


def _best(look: _Look, sample: Sample, program: Verdict) -> Verdict:
    """A program or settings; else source that the call or the file's name says it is, if nothing else claims it."""
    best = max(_configuration(look), program, key=lambda v: v.score)
    if look.spoken < NAMED_SPOKEN and (language := sample.named()) not in ("", *OTHERS):
        alike = best is program and best.score >= SURE and look.language[0] == language  # its lines say so, too
        if alike or max(best.score, sample.claimed) < SURE:
            return Verdict(MAX, f"{language}, by its name")
    return best


def _alike(asked: list[str]) -> float:
    """The share of lines of the few most common shapes: they differ in numbers alone."""
    shapes = Counter(_DIGITS.sub("0", s) for s in asked)
    return sum(n for _, n in shapes.most_common(ALIKE)) / len(asked)


def _failed(line: str, below: str) -> bool:
    """The traceback of a program that ran; one in a documentation has no frames or stands further in."""
    return line.startswith("Traceback (most recent call last):") and below.startswith('  File "')


def _foreign(look: _Look) -> Verdict | None:
    """A diff, JSON, what nobody wrote by hand, markup."""
    opening = look.raw[0]
    if DIFF.match(opening) or (_HISTORY.match(opening) and any(map(DIFF.match, look.raw))):
        return Verdict(OTHER, "looks like a diff")
    begun = sum(s[0] in _JSON_BEGINS or s[0].isdecimal() for s in look.asked)
    json = look.share(_JSON_LINE) if begun > JSON_LIKELY * look.count else 0.0
    if json > JSON_SURE or (json > JSON_LIKELY and opening.strip()[0] in "{[" and not look.share(COMMENT)):
        return Verdict(OTHER, "looks like JSON")
    if look.count <= MIN_LINES and max(map(len, look.raw)) > MINIFIED:
        return _minified(look.raw)
    return Verdict(OTHER, "markup with code in it") if sum(line.startswith(FENCES) for line in look.raw) > 1 else None


def _minified(raw: list[str]) -> Verdict:
    text = max(raw, key=len)[:SAMPLE]
    dense = sum(text.count(c) for c in ";{}()=") / len(text)
    json = text.lstrip()[:1] in "{[" and text.count('":') > text.count("=")
    if dense > DENSE and sum(map(text.count, _MINIFIED)) >= WORDS and not json:
        return Verdict(SHRUNK, "minified")
    return Verdict(OTHER, "a long line")


def _kind(line: str, s: str) -> str:
    if _SYNTAX.search(s):
        return "code"
    if COMMENT.match(s):
        return "heading" if s.startswith(("# ", "## ")) else "comment"
    if _PROSE.match(s):
        return "sentence"
    if _STATEMENT.match(s) or (line[0] == " " and _KEY.match(s)):
        return "code"
    return "tag" if s[0] == "<" else ""


def _program(look: _Look, claimed: float) -> Verdict:
    """Statements, braces and comments in most lines; sentences in few."""
    asked, count = look.asked, look.count
    kinds: Counter[str] = Counter()
    jsx = asked[0][0] != "<" and any(map(_JSX.match, asked))
    for line, s, aside in zip(look.raw, asked, look.aside, strict=True):
        if aside:
            kinds["aside"] += 1
            continue
        component = jsx and s[0] == "<" and _COMPONENT.search(s) is not None
        within = jsx and s[0] == "<" and not component and kinds["tag"] > 0  # a plain tag below a component
        kinds["code" if component or within else _kind(line, s)] += 1
        kinds["tag"] += within
    if FEW_LED * sum(_LED.search(s) is not None for s in asked) > count:
        return Verdict(0.0, "names and values with dots between them")
    asides, language, known = kinds["aside"], *look.language
    programming = language and language not in CONFIGURATION and language != "Markdown"
    own = int(unweighed(language, known) * (count - asides)) if programming else 0
    coded, sentences = max(kinds["code"], own), kinds["sentence"]
    commented = kinds["comment"] + kinds["heading"] + asides
    score = BASE + CODED * (coded + COMMENTED * commented) / count - TOLD * sentences / count
    if score + KNOWN_MOST < SURE and claimed > UNSURE * SURE:
        return Verdict(0.0, "few statements")
    if kinds["heading"] > HEADED * max(1, commented) and sentences > SPOKEN * count and language not in PLAIN:
        return Verdict(OTHER, "headings and sentences")
    if language == "YAML" and _not_yaml(look):
        return Verdict(OTHER, "keys that no mapping has")
    score += min(KNOWN_MOST, known * KNOWN) if programming else -UNKNOWN
    if sum(1 for line in look.raw if line[0] in " \t") / count < FLAT_BELOW:
        ended = sum(1 for s in asked if s[-1] in ";{}:,(") / count
        whole = commented and coded > FEW_CODED * count and coded + commented > MAX_CODED * count
        score -= FLAT if ended > ENDED or whole else UNENDED
    score *= THIN if coded < FEW_CODED * (count - asides) or not coded else 1
    score *= TAGGED if kinds["tag"] > MAX_TAGS * count and coded < 0.5 * count else 1
    score *= SHORT if count < FEW_LINES else 1
    return Verdict(score, f"{language or 'no language'}: {coded / count:.0%} of lines look like statements")


def _configuration(look: _Look) -> Verdict:
    """Claimed only when nearly all lines are of one configuration's shape and it has structure or many keys."""
    for judge in (_sections, _settings, _yaml, _targets, _stated, _loose_json, _directives):
        if (verdict := judge(look)) is not None:
            return verdict
    return Verdict(0.0, "no configuration")


def _sections(look: _Look) -> Verdict | None:
    asked, count = look.asked, look.count
    sections = sum(1 for s in asked if s[0] == "[" and _SECTION.match(s))
    if not sections or any(s.startswith(("[{", '["')) for s in asked[:3]):
        return None
    fit = (sections + sum(1 for s in asked if _ASSIGNED.match(s) or COMMENT.match(s) or s[0] in "\"']{}")) / count
    if fit > FIT and look.share(_PROSE) < SPOKEN_IN and count >= MIN_LINES and sections <= MAX_SECTIONS * count:
        return Verdict(SECTIONS + SECTIONS_FIT * fit, f"{fit:.0%} of lines are sections and settings")
    return None


def _settings(look: _Look) -> Verdict | None:
    assigned = sum(1 for s in look.asked if "=" in s and _SETTING.match(s))
    if assigned < MIN_LINES or assigned + look.share(COMMENT) * look.count <= NEARLY * look.count:
        return None
    paired = sum(1 for s in look.asked if len(_PAIR.findall(s)) > PAIRS) / look.count
    if paired < LOGFMT and look.share(_PROSE) < SPOKEN_IN:
        return Verdict(SETTINGS, "settings, one a line")
    return None


def _targets(look: _Look) -> Verdict | None:
    recipes = sum(1 for a, b in pairwise(look.raw) if b.startswith("\t") and _TARGET.match(a))
    return Verdict(TARGETS, "targets with recipes") if recipes > 1 and any(map(_VARIABLE.match, look.asked)) else None


def _stated(look: _Look) -> Verdict | None:
    if "language" not in vars(look) and by_shape(look.raw, _STATES)[1] <= STATED:  # before it is told among all
        return None
    language, known = look.language
    if language not in _STATES or known <= STATED:
        return None
    score = min(STATED_MOST, STATED_BASE + STATED_SHARE * known + NOTED * look.share(COMMENT))
    return Verdict(score - look.share(_PROSE), f"{language}: {known:.0%} of lines")


def _loose_json(look: _Look) -> Verdict | None:
    asked, count = look.asked, look.count
    if asked[0][0] not in "{[/" or not (look.share(COMMENT) or any(map(_BARE_KEY.match, asked))):
        return None
    shapes = (_JSON_LINE, _BARE_KEY, _QUOTED_KEY, COMMENT)
    keyed = sum(1 for s in asked if any(shape.match(s) for shape in shapes)) / count
    whole = sum(1 for s in asked if s[0] == "{" and s[-1] == "}") / count
    if keyed > NEARLY and count >= MIN_LINES and whole < WHOLE and not any(s.endswith(";") for s in asked):
        return Verdict(LOOSE_JSON, "JSON with comments or bare keys")
    return None


def are_directives(lines: list[str]) -> bool:
    """Whether lines are settings without a sign, and what explains them."""
    filled = [line for line in lines if line.strip()]
    return bool(filled) and _directives(_Look(filled)) is not None


def _directives(look: _Look) -> Verdict | None:
    """Settings without a sign between names and values, explained in more lines than there are."""
    others = [s for s in look.asked if s[0] != "#"]
    if not MIN_LINES <= len(others) <= EXPLAINED * look.count or any(map(_METRIC.match, look.asked)):
        return None
    fit = sum(_DIRECTIVE.match(s) is not None and not _PROSE.match(s) for s in others) / len(others)
    return Verdict(DIRECTED, "settings and what they mean") if fit > NEARLY else None


def _yaml(look: _Look) -> Verdict | None:
    if any(inside := scalars(look.raw)):  # which may be anything
        look = _Look([line for line, quoted in zip(look.raw, inside, strict=True) if not quoted])
    asked, raw, count = look.asked, look.raw, look.count
    keys = [m for m in map(_KEY.match, (s for s in asked if ":" in s)) if m]
    if count < MIN_LINES or len(keys) <= 1 or any(line.startswith("\t") for line in raw):
        return None
    entries = sum(1 for s in asked if s.startswith("- "))
    others = [s for s in asked if s.startswith("- ") or COMMENT.match(s) or s in ("---", "...")]
    fit = (len(keys) + sum(1 for s in others if not _KEY.match(s))) / count
    if fit < FIT or look.share(_ALIGNED) > ALIGNED or look.share(_PROSE) > SPACED or _not_yaml(look):
        return None
    if any(s.endswith((";", " {")) and not s.lstrip().startswith(("-", "#")) for s in raw[:200]):
        return None
    if not entries and sum(1 for line in raw if line[0] == " ") / count < INDENTED:
        return Verdict(FLAT_YAML + FLAT_FIT * fit, "a flat list of keys")
    return Verdict(YAML + YAML_FIT * fit, f"YAML: {fit:.0%} of lines are keys, entries or comments")


def _not_yaml(look: _Look) -> bool:
    """Keys with blanks in them, the same outer keys again in one document, or one key line after line."""
    keys = [*filter(None, map(_KEY.match, look.asked))]
    outer = Counter(m.group(2) for m in map(_KEY.match, look.raw) if m and not m.group(1))
    documents = 1 + sum(1 for line in look.raw if line.startswith("---"))
    repeated = sum(n - documents for n in outer.values() if n > documents)
    spaced = sum(1 for m in keys if " " in m.group(2).strip())
    if spaced > SPACED * len(keys) or repeated > REPEATED * look.count:
        return True
    same = (":" in a and a.partition(":")[0] == b.partition(":")[0] for a, b in pairwise(look.raw))
    return not any(a.lstrip().startswith("- ") for a in look.raw) and sum(same) > REPEATED * look.count
