"""Is it code? By the shape of its lines, against prose, logs, data and markup that quote code."""

# ruff: noqa: E501 - patterns read better whole

from __future__ import annotations

import re

from mcpcompact.content._codelines import gutter_of, wrapper_end
from mcpcompact.content._languages import COMMENT, CONFIGURATION, by_shape
from mcpcompact.outline import Sample, Verdict

LOOK = 240  # characters of a line that decide its kind
_KEY = re.compile(r"(?:- )?[\"']?[A-Za-z_@$./][\w./@$ -]{0,60}[\"']?\s?(?::=|[:=])\s")
_PROSE = re.compile(r"(?:[\w,'’()\"-]+ ){7,}[\w'’)\"]+[.,:;!?]?$")
_LOGGED = re.compile(
    r"\[?(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\d\d/\d\d/\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d)|(?:\[?(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE|FATAL)\]?[ :])"
)
_SYNTAX = re.compile(
    r"[;{}]$|[\w)\]]\($|^[})\]]|\w\(.*\)[;:{,]?$|\) ?(?:->|=>|:|\{)|[\w\])] ?(?:[:+*/|-]?=|:=|==|!=|&&|\|\||=>|->) ?\S|^(?:return|if|for|while|else|case)\b.*[:;{(]?$"
)
_JSON_LINE = re.compile(
    r"[{}\[\]],?$|\"(?:[^\"\\]|\\.)*\":|\"(?:[^\"\\]|\\.)*\",?$|-?\d[\d.eE+-]*,?$|(?:true|false|null),?$|[\[{] ?[\[{\"]"
)
_DIFF_LINE = re.compile(
    r"diff --git |@@ -\d+|Index: |--- (?:a/|\S+\t)|\+\+\+ (?:b/|\S+\t)|\*\*\* (?:Begin Patch|Update File)"
)


def sniff(sample: Sample) -> Verdict:
    lines = sample.lines
    lines = lines[wrapper_end(lines) :]
    gutter = gutter_of(lines)
    if gutter:
        return Verdict(0.93, f"numbered view ({gutter!r} behind the numbers)")
    while lines and not lines[0].strip():
        lines = lines[1:]
    if not lines:
        return Verdict(0.0, "blank")
    first = lines[0].strip()[:LOOK]
    lowered = first.lower()
    if lowered.startswith(("<?php", "#!/")):
        return Verdict(0.9, "starts like a script")
    if lowered.startswith(("<?xml", "<!doctype", "<html")):
        return Verdict(0.05, "markup")
    if re.match(r"<(?:template|script|style)\b[^>]*>$", lowered):
        return Verdict(0.8, "single-file component")
    asked = [line.strip()[:LOOK] for line in lines[:500] if line.strip()]
    count = len(asked)
    if sum(1 for s in asked[:80] if _DIFF_LINE.match(s)) >= 2:
        return Verdict(0.15, "looks like a diff")
    if first[0] in "{[" and sum(1 for s in asked if _JSON_LINE.match(s)) > 0.9 * count:
        return Verdict(0.1, "looks like JSON")
    return _by_lines(asked, [line for line in lines[:500] if line.strip()])


def _by_lines(asked: list[str], lines: list[str]) -> Verdict:
    count = len(asked)
    language, share = by_shape(lines)
    prose = sum(1 for s in asked if _PROSE.match(s) and not COMMENT.match(s)) / count
    logged = sum(1 for s in asked if _LOGGED.match(s)) / count
    fences = sum(1 for s in asked if s.startswith(("```", "~~~")))
    tags = sum(1 for s in asked if re.match(r"</?[a-z][\w-]*[ >/]", s)) / count
    syntax = sum(1 for s in asked if _SYNTAX.search(s)) / count
    comment = sum(1 for s in asked if COMMENT.match(s)) / count
    config = language in CONFIGURATION or language in ("env file", "Makefile", "Dockerfile")
    if fences >= 2 or logged > 0.3:
        return Verdict(0.15, "markup with code in it" if fences >= 2 else "log lines")
    if len(asked) <= 3 and max(map(len, lines)) > 2_000:
        dense = sum(lines[-1][:20_000].count(c) for c in ";{}()=") / max(1, min(20_000, len(lines[-1])))
        return (
            Verdict(0.8, "minified")
            if dense > 0.04 and "function" in lines[-1] + lines[0]
            else Verdict(0.1, "a long line")
        )
    if config:
        score = _config_score(asked, lines, language, share, prose, syntax, comment)
    else:
        score = min(1.0, share) * 0.7 + syntax * 0.6 + comment * 0.3 - prose * 1.2
        if not language or share < 0.08:
            score *= 0.5
        if tags > 0.4 and language not in ("TypeScript", "JavaScript", "PHP"):
            score *= 0.3
        if count < 4:
            score *= 0.7
    score -= logged
    return Verdict(max(0.0, min(0.9, score)), f"{language or 'no language'}: {syntax:.0%} of lines look like code")


def _config_score(
    asked: list[str], lines: list[str], language: str, share: float, prose: float, syntax: float, comment: float
) -> float:
    """Configuration is claimed only when nearly all lines are of its shape and it has structure or many keys."""
    count = len(asked)
    keys = sum(
        1 for s in asked if _KEY.match(s + " ") or s.startswith("- ") or COMMENT.match(s) or re.match(r"\[.*\]$", s)
    )
    fit = keys / count
    indented = any(line[0] in " \t" for line in lines)
    if language == "YAML":
        spaced = sum(1 for s in asked if re.match(r"[\w ]{1,40}: {3,}\S", s)) / count  # describe output: aligned values
        words = sum(1 for s in asked if s.startswith("- ") and _PROSE.match(s[2:])) / count
        if fit < 0.7 or spaced > 0.3 or prose + words > 0.15 or count < 3:
            return 0.25 * fit
        return 0.5 + 0.3 * fit if indented else 0.35 + 0.3 * fit
    if language in ("TOML", "INI", "env file"):
        sections = sum(1 for s in asked if re.match(r"\[[^\]]+\]\]?$", s))
        return (0.55 + 0.3 * fit if sections else 0.3 + 0.45 * fit) if fit > 0.7 and prose < 0.1 else 0.2 * fit
    if language == "JSON5":
        return 0.85 if asked[0][0] in "{[/" and syntax + comment > 0.2 and prose < 0.3 else 0.1
    if language in ("SQL", "CSS", "Terraform", "Dockerfile", "Makefile"):
        return (
            min(0.88, share * (1.6 if language in ("CSS", "Makefile") else 0.9) + 0.1 + 0.3 * comment) - prose
            if share > 0.3
            else 0.2 * share
        )
    return 0.2
