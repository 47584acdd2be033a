"""Is it code? By the shape of its lines, against prose, logs, search hits, data and markup that quote code."""

# ruff: noqa: E501 - patterns read better whole

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from mcpcompact.content.shared.languages import COMMENT, CONFIGURATION, by_shape
from mcpcompact.content.shared.views import gutter_of, wrapper_end
from mcpcompact.outline import Sample, Verdict
from mcpcompact.patterns import regex

LOOK = 240  # characters of a line that decide its kind
LINES = 500
_PROSE = regex(r"(?:[-*] |\d+[.)] )?(?:[\w,'’()\"`/-]+ ){6,}[\w'’)\"`]+[.,:;!?]?$")
_LOGGED = regex(
    r"\[?(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\d\d/\d\d/\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d)|\[?(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE|FATAL|error|warning|note)\b[\]:( ]"
)
_LOCATED = regex(
    r"(?:\"|File \"|[\w./-]+:)?[\w./\\@~+\[\]-]*[\w\]]\.\w{1,8}\"?(?:[:(-]|, line )\d+(?:[:,)\]-]|$)|[\w.@-]*/[\w./@\[\]-]*\.\w{1,8}:|\d+:"
)
_STATEMENT = regex(
    r"(?:import|from|export|const|let|var|def|class|function|func|fn|return|if|else|elif|elsif|for|foreach|while|switch|case|try|catch|except|finally"
    r"|throw|raise|public|private|protected|static|struct|enum|interface|type|package|use|using|namespace|await|async|yield|assert|with|defer|impl|pub|mod"
    r"|local|echo|module|require|default|template|typedef|void|int|char|bool|auto|unsigned)\b[ (;:{]"
    r"|(?:return|break|continue|pass|else|try|end|fi|done|then|do|esac|begin|super|nil|null|self)[;:]?$|@\w+|#(?:include|define|if|ifdef|ifndef|endif|pragma)|#!?\["
)
_SYNTAX = regex(
    r"[;{}]$|[\w)\]]\($|[\[(]$|^[})\]]|^[{\[(]$|\w\(.*\)[;:{,]?$|\) ?(?:->|=>|:|\{)|^[\w.\])\"'$\[(]+ ?(?:[+*/|&-]?=|:=|==|!=|=>|->) ?\S|&&|\|\||=>|[\w\"')\]]+: .*,$|^['\"`][^'\"`]*['\"`],$|^[\w$.]+,$|^\.\w+\("
)
_JSON_LINE = regex(
    r"[{}\[\]]+,?$|\"(?:[^\"\\]|\\.)*\" ?:|\"(?:[^\"\\]|\\.)*\",?$|-?\d[\d.eE+-]*,?$|(?:true|false|null),?$|[\[{] ?[\[{\"]"
)
_DIFF_LINE = regex(
    r"diff --git |@@ -\d+|Index: |--- (?:a/|\S+\t)|\+\+\+ (?:b/|\S+\t)|\*\*\* (?:Begin Patch|Update File|\S+\t)"
)
_COMPONENT = regex(r"</?[A-Z]\w*|className=|=\{")
_KEY = regex(r"(- )?([\"']?[A-Za-z_@$./<*~][\w./@$<* -]{0,60}?[\"']?):(?:\s|$)")
_ASSIGNED = regex(r"(?:export )?[\"']?[A-Za-z_][\w.\"'/-]{0,60} ?[:+?]?= ?\S?")
_SECTION = regex(r"\[\[?[^\[\]]{1,80}\]\]?(?: *[#;].*)?$")
_ALIGNED = regex(r"[\w ./-]{1,40}: {3,}\S")


@dataclass(slots=True)
class _Look:
    """Shares of the asked lines that are of a shape."""

    raw: list[str]
    asked: list[str]

    def share(self, pattern: re.Pattern[str]) -> float:
        return sum(1 for s in self.asked if pattern.match(s)) / len(self.asked)


def sniff(sample: Sample) -> Verdict:
    lines = sample.lines[wrapper_end(sample.lines) :]
    gutter = gutter_of(lines)
    if gutter:
        return Verdict(0.93, f"numbered view ({gutter!r} behind the numbers)")
    raw = [line for line in lines[: 2 * LINES] if line.strip()][:LINES]
    if not raw:
        return Verdict(0.0, "blank")
    asked = [line.strip()[:LOOK] for line in raw]
    first = asked[0]
    lowered = first.lower()
    if lowered.startswith(("<?php", "#!/")):
        return Verdict(0.9, "starts like a script")
    if lowered.startswith(("<?xml", "<!doctype", "<html", "%pdf")):
        return Verdict(0.05, "markup")
    if re.match(r"<(?:template|script)\b[^>]*>$", lowered) and lowered.startswith(
        ("<template", "<script setup", "<script lang", "<script>")
    ):
        return Verdict(0.8, "single-file component")
    if _DIFF_LINE.match(raw[0]) or (
        re.match(r"commit [0-9a-f]{7}|Author:|From ", raw[0]) and any(map(_DIFF_LINE.match, raw))
    ):
        return Verdict(0.1, "looks like a diff")
    look = _Look(raw, asked)
    json = look.share(_JSON_LINE)
    if json > 0.93 or (json > 0.75 and first[0] in "{[" and not look.share(COMMENT)):
        return Verdict(0.1, "looks like JSON")
    if max(map(len, raw)) > 2_000 and len(raw) <= 3:
        return _minified(raw)
    fences = sum(1 for line in raw if line.startswith(("```", "~~~")))
    if fences >= 2:
        return Verdict(0.1, "markup with code in it")
    located, logged = look.share(_LOCATED), look.share(_LOGGED)
    if located > 0.2 or logged > 0.25:
        return Verdict(0.12, "lines that point at files" if located > 0.2 else "log lines")
    configured = _configuration(look)
    program = _program(look)
    best = max(configured, program, key=lambda v: v.score)
    score = best.score - logged - located
    return Verdict(max(0.0, min(0.9, score if score >= 0.45 else score * 0.25)), best.why)  # unsure: let others have it


def _minified(raw: list[str]) -> Verdict:
    text = max(raw, key=len)[:20_000]
    dense = sum(text.count(c) for c in ";{}()=") / len(text)
    words = sum(
        text.count(w) for w in ("function", "return", "=>", "var ", "const ", "{color:", "margin:", "px;", ".prototype")
    )
    json = text.lstrip()[:1] in "{[" and text.count('":') > text.count("=")
    return Verdict(0.8, "minified") if dense > 0.04 and words >= 3 and not json else Verdict(0.1, "a long line")


def _program(look: _Look) -> Verdict:
    """Statements, braces and comments in most lines; sentences in few."""
    asked, count = look.asked, len(look.asked)
    coded = commented = sentences = tags = headings = 0
    jsx = asked[0][0] != "<" and any(
        "=>" in s or s.startswith(("import ", "const ", "return (", "export ")) for s in asked
    )
    for line, s in zip(look.raw, asked, strict=True):
        if jsx and s[0] == "<" and (_COMPONENT.search(s) or tags):
            coded += 1
            tags += 0 if _COMPONENT.search(s) else 1
        elif _SYNTAX.search(s):
            coded += 1
        elif COMMENT.match(s):
            commented += 1
            headings += s.startswith("# ") or s.startswith("## ")
        elif _PROSE.match(s):
            sentences += 1
        elif _STATEMENT.match(s) or (line[0] == " " and _KEY.match(s)):
            coded += 1
        elif s[0] == "<":
            tags += 1
    language, share = by_shape(look.raw)
    if headings > 0.5 * max(1, commented) and sentences > 0.15 * count and language not in ("Python", "Shell", "Ruby"):
        return Verdict(0.1, "headings and sentences")
    body = coded + 0.7 * commented
    indented = sum(1 for line in look.raw if line[0] in " \t") / count
    score = 0.1 + 0.75 * body / count - 1.3 * sentences / count
    if language and language not in CONFIGURATION and language != "Markdown":
        score += min(0.15, share * 0.25)
    else:
        score -= 0.12
    ended = sum(1 for s in asked if s[-1] in ";{}:,(") / count
    if indented < 0.1:
        score -= 0.1 if ended > 0.3 or (commented and coded > 0.3 * count and coded + commented > 0.9 * count) else 0.35
    if coded < 0.3 * count:
        score *= 0.6
    if tags > 0.4 * count and coded < 0.5 * count:
        score *= 0.3
    if count < 4:
        score *= 0.75
    return Verdict(score, f"{language or 'no language'}: {coded / count:.0%} of lines look like statements")


def _configuration(look: _Look) -> Verdict:
    """Claimed only when nearly all lines are of one configuration's shape and it has structure or many keys."""
    asked, raw, count = look.asked, look.raw, len(look.asked)
    language, share = by_shape(raw)
    comments = look.share(COMMENT)
    prose = look.share(_PROSE)
    sections = sum(1 for s in asked if _SECTION.match(s))
    if sections and not any(s.startswith(("[{", '["')) for s in asked[:3]):
        fit = (sections + sum(1 for s in asked if _ASSIGNED.match(s) or COMMENT.match(s) or s[0] in "\"']{}")) / count
        if fit > 0.8 and prose < 0.1 and count >= 3 and sections <= 0.6 * count:
            return Verdict(0.55 + 0.33 * fit, f"{fit:.0%} of lines are sections and settings")
    assigned = sum(1 for s in asked if re.match(r"(?:export )?[A-Za-z_][A-Za-z0-9_.-]*=", s))
    paired = sum(1 for s in asked if len(re.findall(r"(?:^| )[\w.]+=", s)) > 2) / count  # logfmt
    if paired < 0.2 and assigned + comments * count > 0.9 * count and assigned >= 3 and prose < 0.1:
        return Verdict(0.78, "settings, one a line")
    yaml = _yaml(look, prose)
    if yaml.score > 0.4:
        return yaml
    recipes = sum(1 for a, b in pairwise(raw) if re.match(r"[\w./%$()-]+[^=]*:(?!=)", a) and b.startswith("\t"))
    variables = sum(1 for s in asked if s.startswith(".PHONY") or "$(" in s or re.match(r"[A-Z_]+ ?[:?+]?= ?", s))
    if recipes >= 2 and variables:
        return Verdict(0.8, "targets with recipes")
    if language in ("SQL", "CSS", "Terraform", "Dockerfile", "Protobuf", "GraphQL") and share > 0.35:
        return Verdict(min(0.88, 0.25 + 0.75 * share + 0.2 * comments) - prose, f"{language}: {share:.0%} of lines")
    if asked[0][0] in "{[/" and (comments or any(re.match(r"[\w$]+: ", s) for s in asked)):
        keyed = (
            sum(
                1
                for s in asked
                if _JSON_LINE.match(s) or re.match(r"[\w$]+: |'[^']*',?$|'[^']+': ", s) or COMMENT.match(s)
            )
            / count
        )
        whole = sum(1 for s in asked if s[0] == "{" and s[-1] == "}") / count
        if keyed > 0.9 and count >= 3 and whole < 0.3 and not any(s.endswith(";") for s in asked):
            return Verdict(0.82, "JSON with comments or bare keys")
    return Verdict(0.0, "no configuration")


def _yaml(look: _Look, prose: float) -> Verdict:
    asked, raw, count = look.asked, look.raw, len(look.asked)
    if count < 3:
        return Verdict(0.0, "too short")
    keys = [m for m in map(_KEY.match, asked) if m]
    lists = sum(1 for s in asked if s.startswith("- "))
    block = _block_lines(raw)
    fit = (
        sum(1 for s in asked if _KEY.match(s) or s.startswith("- ") or COMMENT.match(s) or s in ("---", "...")) + block
    ) / count
    spaced = sum(1 for m in keys if " " in m.group(2).strip()) / max(1, len(keys))
    aligned = look.share(_ALIGNED)
    outer = Counter(m.group(2) for m in (_KEY.match(line) for line in raw) if m and not m.group(1))
    documents = 1 + sum(1 for line in raw if line.startswith("---"))
    repeated = sum(n - documents for n in outer.values() if n > documents)
    indented = sum(1 for line in raw if line[0] == " ") / count
    if any(line.startswith("\t") for line in raw) or len(keys) < 2 or fit < 0.8:
        return Verdict(0.0, "not YAML")
    if spaced > 0.15 or aligned > 0.25 or repeated > 0.08 * count or prose - block / count > 0.15:
        return Verdict(0.2, "keys, but not YAML's")
    if any(line.endswith((";", " {")) and not line.lstrip().startswith(("-", "#")) for line in raw[:200] if not block):
        return Verdict(0.2, "braces")
    if indented < 0.05 and lists == 0:
        return Verdict(0.42 + 0.1 * fit, "a flat list of keys")
    return Verdict(0.5 + 0.35 * fit, f"YAML: {fit:.0%} of lines are keys, entries or comments")


def _block_lines(raw: list[str]) -> int:
    """Lines inside block scalars (``key: |``), which may be anything."""
    inside, block = 0, -1
    for line in raw:
        indent = len(line) - len(line.lstrip(" "))
        if block >= 0 and indent > block:
            inside += not (_KEY.match(line.strip()) or line.lstrip().startswith(("- ", "#")))
            continue
        block = indent if re.search(r"[:-] [|>][+-]?\d?$", line.rstrip()) else -1
    return inside
