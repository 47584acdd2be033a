"""What stands out in a change: files by what happened to them, added lines by what they say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from posixpath import splitext

from mcpcompact.content.anomalies.lines import Odd, Tally, choose, loud_lines, single_shapes
from mcpcompact.content.anomalies.thresholds import MAX_ODD
from mcpcompact.content.anomalies.words import LOUD, LOUD_CHANGES, LOUD_DATA, SECRETS
from mcpcompact.content.diff.parse import Diff, File
from mcpcompact.content.diff.units import body
from mcpcompact.content.shared.languages import COMMENT, by_path
from mcpcompact.content.shared.nesting import LOOK
from mcpcompact.outline import Keep
from mcpcompact.patterns import regex

GENERATED = regex(
    r"(?:^|/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|uv\.lock|poetry\.lock|Cargo\.lock|go\.sum|Gemfile\.lock"
    r"|composer\.lock)$|\.min\.(?:js|css)$|\.(?:snap|svg|map|pb\.go|generated\.\w+)$|(?:^|/)(?:dist|vendor|node_modules|cassettes|__snapshots__|\.yarn)/"
)
_TEST = r"(?i)(?:^|/)(?:__)?(?:tests?|specs?|testdata|fixtures)(?:__)?/|(?:^|/)test_|[._-](?:tests?|spec)\.\w+$"
BESIDE = regex(
    rf"{_TEST}|(?:^|/)\.[^/]*$|(?:^|/)(?:docs?|examples?)/"
    r"|\.(?:md|mdx|rst|txt|adoc|t?css|s[ac]ss|less|lock|cfg|csproj|ini|json|toml|ya?ml)$|(?:^|/)(?:go\.mod|pom\.xml|gemfile)$"
)
"""Tests, documents, styles, settings, hidden files, what is depended on: what goes along with a change of source."""
MAX_STUDIED = 200_000  # changed lines that are searched for odd values
_SECRET = regex(
    r"""(?:secret|passw(?:or)?d|passphrase|api_?key|access_?key|private_?key|auth_?token|access_?token|credential)\w{0,40}"""
    r"""["']?\s{0,20}[:=]\s{0,20}(?:["']|(?![A-Za-z_.]+(?:[\s,;)\]]|$)))(?=[^\s"'(){}\[\]<>$*]{6})(?!(?:null|none|true|false|self|os|env|process|config)\b)"""
    r"""(?=[^\s"']*[\d+/=_-])""",
    re.IGNORECASE,
)
MAX_UNCHECKED = 8  # such lines that are marked; a change of more is about nothing else
_UNCHECKED = regex(  # checks of identity that an added line switches off
    r"\bverify(?:_ssl|_peer)?\s{0,3}[=:]\s{0,3}(?:False|false|0\b)|algorithms?[\"']?\s{0,3}[=:]\s{0,3}\[?\s{0,3}[\"']none[\"']"
    r"|InsecureSkipVerify\s{0,3}[=:]\s{0,3}true|rejectUnauthorized[\"']?\s{0,3}:\s{0,3}false|verify_signature[\"']?\s{0,3}:\s{0,3}False"
    r"|NODE_TLS_REJECT_UNAUTHORIZED|CERT_NONE\b|_create_unverified_context|StrictHostKeyChecking[= ]no"
)
STATED, FEW_STATED = 3, 5  # files of a state that the facts name; of more so many are shown, or a tenth of all
LONG_CHANGE = 150  # added lines before a word that stands once is loud
CONFLICT, MAX_CONFLICTS = 12, 20  # lines shown of a conflict, and of all
MAX_LOUD, MAX_LOUD_ONCE = 4, 2
MANY_FILES = 20  # of which one of another kind is worth telling; a change of ten often has one README
LEAP, LEAP_LEAST, MAX_LEAPS = 8, 100, 3  # times that a number changed; the larger one at least; of more none is odd
_QUANTITY = regex(r"(?<![\w.])\d{1,15}(?:\.\d{1,9})?(?![\w.])")
TALLIED = 12  # values of a key before one can be odd
PROSE = ("Markdown", "text", "reStructuredText")
_CLOSING = regex(r"\s*</[\w:.-]+>\s*|\W*")  # of a block: it is ordinary wherever it stands
_CONFIGURATION = ("YAML", "TOML", "INI", "env file", "Terraform", "JSON", "properties")


def odd_files(diff: Diff) -> dict[int, Odd]:
    """Files kept for what happened to them, keyed by their place among the files."""
    odd = {one.line: one for one in _alone(diff.files)}
    for status in ("deleted", "mode"):
        with_it = [i for i, f in enumerate(diff.files) if status in f.status]
        if STATED < len(with_it) <= max(FEW_STATED, len(diff.files) // 10):
            odd |= {i: Odd(i, Keep.RARE, "", status) for i in with_it}
    return odd


def _alone(files: list[File]) -> Iterator[Odd]:
    """The only file of a directory or of a type, of many in hardly any other."""
    for what, groups in (
        ("directory", [f.path.split("/")[0] if "/" in f.path else "." for f in files]),
        ("type", [splitext(f.path)[1] or f.path.rpartition("/")[2] for f in files]),
    ):
        counts = Counter(groups)
        single = [g for g, n in counts.items() if n == 1 and g != "."]  # beside all folders stands the README
        usual = max(counts.values())
        if len(files) >= MANY_FILES and len(single) == 1 and usual >= len(files) - MANY_FILES // 4:
            yield Odd(groups.index(single[0]), Keep.RARE, f"the only file of {what} {single[0]}", what)


def odd_lines(diff: Diff, lines: list[str]) -> dict[int, Odd]:
    """Added lines that stand out, by payload index."""
    tally = Tally(literals_only=True)
    added: list[int] = []
    texts: list[str] = []
    leaps: list[Odd] = []
    for f in diff.files:
        kind = by_path(f.path)
        if GENERATED.search(f.path) or len(added) > MAX_STUDIED or kind in PROSE:
            continue
        tally.literals_only = kind not in _CONFIGURATION
        for hunk in f.hunks:
            gone: dict[str, str] = {}  # what was removed just before, by what it is but for numbers
            for i, sign, _, text in body(hunk, lines):
                frame = _QUANTITY.sub("\0", text[:LOOK].strip()) if sign else ""
                if sign == "-":
                    gone[frame] = "" if frame in gone else text
                elif not frame:
                    gone = {}
                if sign == "+":
                    if old := _leaps(gone.pop(frame, ""), text):
                        leaps.append(Odd(len(added), Keep.OUTLIER, f"was {old}", "leap"))
                    texts.append(text)
                    tally.add(len(added), text)
                    added.append(i)
    found = [*tally.odd(TALLIED), *_loud(texts), *_unsafe(texts)]
    found += leaps if len(leaps) <= MAX_LEAPS else []
    shapes = single_shapes(texts, range(len(texts)), edges=False)
    found += [one for one in shapes if not _CLOSING.fullmatch(texts[one.line][:LOOK])]
    chosen = choose(found, max(2, min(MAX_ODD, len(texts) // 25)))
    odd = {added[k]: o for k, o in chosen.items()}
    for k in _conflicts(texts):
        odd[added[k]] = Odd(added[k], Keep.SEVERE, "merge conflict", "conflict")
    return odd


def _leaps(old: str, new: str) -> str:
    """Of a line that is another only by its numbers the one that was many times as large, or as small."""
    for was, now in zip(_QUANTITY.finditer(old, 0, LOOK), _QUANTITY.finditer(new, 0, LOOK), strict=False):
        less, more = sorted((float(was[0]), float(now[0])))
        if more >= max(LEAP_LEAST, LEAP * less) and less:
            return was[0]
    return ""


def _loud(texts: list[str]) -> list[Odd]:
    joined, starts = "\n".join(texts), [0, *accumulate(len(text) + 1 for text in texts)]
    long = len(texts) >= LONG_CHANGE
    found = loud_lines(joined, starts, [*LOUD, *SECRETS], most=2 if long else 1)[:MAX_LOUD]
    once = loud_lines(joined, starts, [*LOUD_CHANGES, *LOUD_DATA], most=1) if long else []
    once = [odd for odd in once if not COMMENT.match(texts[odd.line].strip()[:LOOK])]  # they speak of what fails
    return found + once[:MAX_LOUD_ONCE]


def _unsafe(texts: list[str]) -> Iterator[Odd]:
    """Secrets, where they are the exception, and checks that are switched off."""
    secrets = [k for k, text in enumerate(texts) if _SECRET.search(text[:LOOK])]
    for k in secrets if len(secrets) <= max(2, len(texts) // 100) else ():
        yield Odd(k, Keep.SEVERE, "a secret?", "secret")
    for k in [k for k, text in enumerate(texts) if _UNCHECKED.search(text[:LOOK])][:MAX_UNCHECKED]:
        yield Odd(k, Keep.SEVERE, "a check switched off", f"unchecked {k}")


def _conflicts(texts: list[str]) -> list[int]:
    """The first lines of each merge conflict that was left."""
    found: list[int] = []
    inside = 0  # lines left of one that are worth showing
    for k, text in enumerate(texts):
        inside = CONFLICT if text.startswith("<<<<<<< ") else inside
        if inside:
            found.append(k)
            inside = 0 if text.startswith(">>>>>>> ") else inside - 1
    return found[:MAX_CONFLICTS]
