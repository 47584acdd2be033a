"""Diff: what changed, by file and hunk, with exact lines of the new (``+417 …``) and the old file (``-412 …``)."""

from __future__ import annotations

import math
import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate

from mcpcompact.content.anomalies.lines import Odd, Tally, choose, loud_lines, single_shapes
from mcpcompact.content.anomalies.numbers import fences, median
from mcpcompact.content.anomalies.rare import few
from mcpcompact.content.anomalies.thresholds import MAX_ODD
from mcpcompact.content.anomalies.words import LOUD, LOUD_CHANGES, LOUD_DATA, SECRETS
from mcpcompact.content.diff.body import body, nesting
from mcpcompact.content.diff.parse import Diff, File, parse
from mcpcompact.content.shared.languages import COMMENT, IMPORT, TEST, by_path, definition
from mcpcompact.content.shared.nesting import BARE, dedented
from mcpcompact.content.shared.views import ungutter, wrapper_end
from mcpcompact.errors import InputError
from mcpcompact.outline import MAX_ITEMS, Fact, Hints, Item, Keep, Outline, Source, split_lines
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted
from mcpcompact.shell import Selector

LOOK = 240
MAX_STUDIED = 200_000  # changed lines that are searched for odd values
_GENERATED = regex(
    r"(?:^|/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|uv\.lock|poetry\.lock|Cargo\.lock|go\.sum|Gemfile\.lock"
    r"|composer\.lock)$|\.min\.(?:js|css)$|\.(?:snap|svg|map|pb\.go|generated\.\w+)$|(?:^|/)(?:dist|vendor|node_modules)/"
)
_SECRET = regex(
    r"""(?:secret|passw(?:or)?d|passphrase|api_?key|access_?key|private_?key|auth_?token|access_?token|credential)\w{0,40}"""
    r"""["']?\s{0,20}[:=]\s{0,20}["']?(?=[^\s"'(){}\[\]<>$*]{6})(?!(?:null|none|true|false|self|os|env|process|config)\b)"""
    r"""(?=[^\s"']*[\d+/=_-])""",
    re.IGNORECASE,
)
MAX_UNCHECKED = 8  # such lines that are marked; a change of more is about nothing else
_UNCHECKED = regex(  # checks of identity that an added line switches off
    r"\bverify(?:_ssl|_peer)?\s{0,3}[=:]\s{0,3}(?:False|false|0\b)|algorithms?[\"']?\s{0,3}[=:]\s{0,3}\[?\s{0,3}[\"']none[\"']"
    r"|InsecureSkipVerify\s{0,3}[=:]\s{0,3}true|rejectUnauthorized[\"']?\s{0,3}:\s{0,3}false|verify_signature[\"']?\s{0,3}:\s{0,3}False"
    r"|NODE_TLS_REJECT_UNAUTHORIZED|CERT_NONE\b|_create_unverified_context|StrictHostKeyChecking[= ]no"
)
_ASSIGNED = regex(r"(?<![\w.])-?\d[\d_]{0,17}(?:\.\d{1,9})?(?![\w.])")
LEAP, MIN_LEAP = 8.0, 100  # times; a changed number, the larger of the two at least
MAX_LEAPS = 3
SECTION = 400  # characters of the names of a file; a path of a system has fewer
SOME_FILES, RARE_FILES = 8, 0.025  # files of which one can be rare by its state, or by its size; share of rare ones
MIN_SIZE = 200  # changed lines of a file that is far larger than the others
STATED, FEW_STATED = 3, 5  # files of a state that the facts name; of more so many are shown, or a tenth of all
MIN_COMMITS = 10  # before an author can be rare among theirs
LONG_CHANGE = 150  # added lines before a word that stands once is loud
CONFLICT, MAX_CONFLICTS = 12, 20  # lines shown of a conflict, and of all
MAX_LOUD, MAX_LOUD_ONCE = 4, 2
MANY_FILES = 20  # of which one of another kind is worth telling; a change of ten often has one README
_TRUNCATED = regex(
    r".*(?:…\d+ \w+ truncated…|\[truncated|\d+ (?:more )?lines (?:omitted|truncated|not shown)).*", re.IGNORECASE
)
FEW_FILES = 8  # that are named with their folders; of a folder so many are named
OLDER = 0.7  # factor on what commits before the newest changed
LISTED_COMMITS = 12  # with their subjects; a list of more is asked for with git log --oneline
_TRAILER = regex(r"\s*[A-Z][\w-]+-[\w-]+: \S")  # Signed-off-by: and the like
_ONLY_MARKS = regex(r"[\s{}()\[\];,]*$")
TALLIED = 12  # values of a key before one can be odd
_PROSE = ("Markdown", "text", "reStructuredText")
_CONFIGURATION = ("YAML", "TOML", "INI", "env file", "Terraform", "JSON", "properties")
_NOTABLE = ("new", "deleted", "renamed", "copied", "binary", "mode", "submodule", "symlink", "only", "differs")


def outline(source: Source, hints: Hints) -> Outline:
    if source.large:
        raise InputError("more than 64 MB of diff", hint="read it with --type text")
    lines, view = ungutter(split_lines(source.text))
    first = wrapper_end(lines)
    diff = parse(lines, first)
    if not diff.files:
        raise InputError("no file headers or hunks: not a diff")
    odd_files = _odd_files(diff)
    items = _items(diff, lines, view, odd_files, _odd_lines(diff, lines))
    numbered = any(h.kind in ("unified", "combined", "context", "normal") for f in diff.files for h in f.hunks)
    legend = "(+N: line of the new file, -N: of the old; --lines counts this diff's)"
    if view:
        own = all(n in (0, i) for i, n in enumerate(view, 1))
        legend = "(numbers: lines of this view)" if own else "(numbers: the view's; --lines counts this result's)"
    return Outline(
        content_type="diff",
        unit="line",
        total=len(lines),
        headline=_headline(diff),
        facts=_facts(diff),
        items=items,
        header=legend if numbered or view else "(+@N, -@N: line N of this patch)",
        more=_more(diff),
        facts_share=0.2 if len(diff.files) > FEW_FILES else 0.1,
        notes=_notes(diff, lines),
    )


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Hunks; what stands before a file's first hunk (commit, headers) belongs to it."""
    lines, _ = ungutter(split_lines(text))
    offsets = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    diff = parse(lines, wrapper_end(lines))
    cuts: list[int] = []
    previous_commit = -1
    for f in diff.files:
        start = f.start
        if f.commit != previous_commit and f.commit >= 0:
            start = min(start, diff.commits[f.commit].start)
            previous_commit = f.commit
        cuts.append(start)
        cuts += [h.start for h in f.hunks[1:]]
    at = 0
    for cut in cuts[1:]:
        if offsets[cut] > at:
            yield at, offsets[cut]
            at = offsets[cut]
    if at < len(text):
        yield at, len(text)


# -- facts --------------------------------------------------------------------------------------


def _headline(diff: Diff) -> str:
    paths = {f.path for f in diff.files}
    commits = f"{len(diff.commits):,} commits, " if len(diff.commits) > 1 else ""
    return f"{commits}{counted(len(paths), 'file')}, +{diff.added:,} −{diff.removed:,}"


def _facts(diff: Diff) -> list[Fact]:
    hunks = sum(len(f.hunks) for f in diff.files)
    facts = [Fact(f"{diff.form}: {_headline(diff)}, {counted(hunks, 'hunk')}", 0)]
    if len(diff.commits) == 1:
        c = diff.commits[0]
        facts.append(Fact(f"commit {c.sha} {c.author} {c.date}: {c.subject}"[:300], 0))
    elif diff.commits:
        facts.append(Fact("\n".join(["commits:", *_commits(diff)]), 0))
    if special := _special(diff):
        facts.append(Fact(" · ".join(special), 1))
    if len({f.path for f in diff.files}) > 1:
        facts.append(Fact(_files(diff), 1))
    return facts


def _commits(diff: Diff) -> list[str]:
    """A line a commit, with what it added and removed."""
    amounts = [[0, 0] for _ in diff.commits]
    for f in diff.files:
        if f.commit >= 0:
            amounts[f.commit][0] += f.added
            amounts[f.commit][1] += f.removed
    rest = len(diff.commits) - LISTED_COMMITS
    return [
        f"{c.sha[:9]} {c.date} {c.author.partition(' <')[0]}{f' +{a:,} −{r:,}' * bool(a + r)}: {c.subject[:200]}"
        for c, (a, r) in list(zip(diff.commits, amounts, strict=True))[:LISTED_COMMITS]
    ] + ([f"+{rest:,} more commits"] if rest > 0 else [])


def _files(diff: Diff) -> str:
    """Every file with its changes, the most changed first; many of them by directory."""
    changes: dict[str, File] = {}
    for f in diff.files:
        total = changes.setdefault(f.path, File(0, 0, new=f.path))
        total.added += f.added
        total.removed += f.removed
    ranked = sorted(changes.values(), key=lambda f: -(f.added + f.removed))
    if len(ranked) <= FEW_FILES:
        return "\n".join(["files:", *(f"{f.path} {_amount(f)}".strip() for f in ranked)])
    folders: dict[str, list[str]] = {}
    for f in ranked:
        folder, _, name = f.path.rpartition("/")
        folders.setdefault(folder, []).append(f"{name} {_amount(f)}".strip())
    told = [
        f"{folder or '.'}/: "
        + ", ".join(names[:FEW_FILES])
        + (f", +{len(names) - FEW_FILES:,} more" * (len(names) > FEW_FILES))
        for folder, names in folders.items()
    ]
    return "\n".join([f"files in {counted(len(folders), 'folder')}, most changed first:", *told])


def _amount(f: File) -> str:
    parts = [f"+{f.added:,}"] if f.added else []
    parts += [f"−{f.removed:,}"] if f.removed else []
    return " ".join(parts)


def _special(diff: Diff) -> list[str]:
    told = []
    for status in _NOTABLE:
        files = [f for f in diff.files if status in f.status]
        if not files:
            continue
        names = [
            _renaming(f) if status in ("renamed", "copied") else f"{f.path}{_modes(f) if status == 'mode' else ''}"
            for f in files
        ]
        rest = len(names) - 3
        word = {"only": "only on one side", "differs": "differing"}.get(status, status)
        told.append(f"{word} {len(files):,}: " + ", ".join(names[:3]) + (f", +{rest:,} more" if rest > 0 else ""))
    return told


def _renaming(f: File) -> str:
    """``src/{old → new}/name``: the parts that differ once."""
    prefix = posixpath.commonprefix([f.old, f.new]).rpartition("/")
    shared = prefix[0] + prefix[1]
    return f"{shared}{{{f.old[len(shared) :]} → {f.new[len(shared) :]}}}" if shared else f"{f.old} → {f.new}"


def _modes(f: File) -> str:
    return f" {f.modes[0]}→{f.modes[1]}" if f.modes[0] and f.modes[1] else ""


def _extension(path: str) -> str:
    name = path.rpartition("/")[2]
    return "." + name.rpartition(".")[2] if "." in name[1:] else name or "?"


def _notes(diff: Diff, lines: list[str]) -> list[str]:
    notes = []
    cut = [f.path for f in diff.files if any(h.cut for h in f.hunks)]
    marks = [i + 1 for i in diff.outside if _TRUNCATED.match(lines[i][:2000])]
    if cut or marks:
        where = f" in {cut[0]}" + (f" and {len(cut) - 1:,} more files" if len(cut) > 1 else "") if cut else ""
        notes.append(f"the diff itself is cut{where}: counts are of what is there")
    return notes


def _more(diff: Diff) -> list[Selector]:
    largest = max(diff.files, key=lambda f: (f.added + f.removed, -f.start))
    return [("--lines", f"{largest.start + 1}:{largest.end}")]


# -- what is odd --------------------------------------------------------------------------------


def _odd_files(diff: Diff) -> dict[int, Odd]:
    """Files kept for what happened to them, keyed by their place among the files."""
    odd = dict(_far_sizes(diff.files))
    for place, reason, template in (*_rare_states(diff.files), *_alone(diff.files), *_authors(diff)):
        odd.setdefault(place, Odd(place, Keep.RARE, reason, template))
    for status in ("deleted", "mode"):
        with_it = [i for i, f in enumerate(diff.files) if status in f.status]
        if STATED < len(with_it) <= max(FEW_STATED, len(diff.files) // 10):
            odd |= {i: Odd(i, Keep.RARE, "", status) for i in with_it}
    return odd


def _rare_states(files: list[File]) -> Iterator[tuple[int, str, str]]:
    for status in ("binary", "submodule", "symlink", "renamed", "new", "only"):
        with_it = [i for i, f in enumerate(files) if status in f.status]
        if len(files) >= SOME_FILES and few(len(with_it), len(files), RARE_FILES):
            reason = f"the only {status} file" if len(with_it) == 1 else f"rare: {status}"
            yield from ((i, reason, status) for i in with_it)


def _alone(files: list[File]) -> Iterator[tuple[int, str, str]]:
    """The only file of a directory or of a type, of many in hardly any other."""
    for what, groups in (
        ("directory", [f.path.split("/")[0] if "/" in f.path else "." for f in files]),
        ("type", [_extension(f.path) for f in files]),
    ):
        counts = Counter(groups)
        single = [g for g, n in counts.items() if n == 1]
        usual = max(counts.values())
        if len(files) >= MANY_FILES and len(single) == 1 and usual >= len(files) - MANY_FILES // 4:
            yield groups.index(single[0]), f"the only file of {what} {single[0]}", what


def _authors(diff: Diff) -> Iterator[tuple[int, str, str]]:
    """The first file of a commit whose author has no other."""
    authors = Counter(c.author for c in diff.commits)
    alone = {k for k, c in enumerate(diff.commits) if authors[c.author] == 1}
    if len(diff.commits) >= MIN_COMMITS and few(len(alone), len(diff.commits), RARE_FILES):
        for place in {f.commit: i for i, f in reversed([*enumerate(diff.files)]) if f.commit in alone}.values():
            yield place, f"the only commit by {diff.commits[diff.files[place].commit].author}", "author"


def _far_sizes(files: list[File]) -> Iterator[tuple[int, Odd]]:
    sizes = [f.added + f.removed for f in files]
    _, high = fences(sorted(sizes)) if len(files) >= SOME_FILES else (0, math.inf)
    for i, size in enumerate(sizes):
        if size >= max(high, MIN_SIZE):
            reason = f"{size:,} changed lines, median {median(sorted(sizes)):,}"
            yield i, Odd(i, Keep.OUTLIER, reason, "size")


def _odd_lines(diff: Diff, lines: list[str]) -> dict[int, Odd]:
    """Added lines that stand out, by payload index."""
    tally = Tally(literals_only=True)
    added: list[int] = []
    for f in diff.files:
        kind = by_path(f.path)
        if _GENERATED.search(f.path) or len(added) > MAX_STUDIED or kind in _PROSE:
            continue
        tally.literals_only = kind not in _CONFIGURATION
        for hunk in f.hunks:
            for i in range(hunk.start + 1, hunk.end):
                sign = lines[i][: hunk.width]
                if "+" in sign or "!" in sign or sign == "> ":
                    tally.add(len(added), lines[i][hunk.width :])
                    added.append(i)
    width = {i: h.width for f in diff.files for h in f.hunks for i in range(h.start + 1, h.end)}
    texts = [lines[i][width[i] :] for i in added]
    places = {i: k for k, i in enumerate(added)}
    found = [*tally.odd(TALLIED), *_loud(texts), *_unsafe(texts), *_leaps(diff, lines, places)]
    found += single_shapes(texts, range(len(texts)), edges=False)
    chosen = choose(found, max(2, min(MAX_ODD, len(texts) // 25)))
    odd = {added[k]: o for k, o in chosen.items()}
    for k in _conflicts(texts):
        odd[added[k]] = Odd(added[k], Keep.SEVERE, "merge conflict", "conflict")
    return odd


def _loud(texts: list[str]) -> list[Odd]:
    joined, starts = "\n".join(texts), [0, *accumulate(len(text) + 1 for text in texts)]
    long = len(texts) >= LONG_CHANGE
    found = loud_lines(joined, starts, [*LOUD, *SECRETS], most=2 if long else 1)[:MAX_LOUD]
    once = loud_lines(joined, starts, [*LOUD_CHANGES, *LOUD_DATA], most=1) if long else []
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


def _leaps(diff: Diff, lines: list[str], places: dict[int, int]) -> list[Odd]:
    """A number that was changed by a factor of eight and more, the line being otherwise the same; three at most."""
    found: list[tuple[float, Odd]] = []
    for f in diff.files:
        for hunk in f.hunks:
            if hunk.width != 1:
                continue
            gone: dict[str, str] = {}
            for i in range(hunk.start + 1, hunk.end):
                sign, text = lines[i][:1], lines[i][1 : LOOK + 1].strip()
                if sign not in ("-", "+"):
                    gone = {}
                    continue
                frame = _ASSIGNED.sub("\0", text)  # nothing that a source says itself
                if sign == "-":
                    gone[frame] = text
                elif i in places and frame in gone and "\0" in frame:
                    pairs = zip(_ASSIGNED.findall(gone[frame]), _ASSIGNED.findall(text), strict=False)
                    factor, old = max(((_factor(a, b), a) for a, b in pairs), default=(1.0, ""))
                    if factor >= LEAP:
                        odd = Odd(places[i], Keep.OUTLIER, f"was {old}", "leap")
                        found.append((factor, odd))
    found.sort(key=lambda each: (-each[0], each[1].line))
    return [odd for _, odd in found[:MAX_LEAPS]] if len(found) <= max(MAX_LEAPS, len(places) // 20) else []


def _factor(old: str, new: str) -> float:
    a, b = abs(float(old.replace("_", ""))), abs(float(new.replace("_", "")))
    return max(a, b) / min(a, b) if a and b and max(a, b) >= MIN_LEAP else 1.0


# -- items --------------------------------------------------------------------------------------


def _items(diff: Diff, lines: list[str], view: list[int], odd_files: dict[int, Odd], odd: dict[int, Odd]) -> list[Item]:
    printed = sum(h.end - h.start for f in diff.files for h in f.hunks)
    changed = diff.added + diff.removed
    contexts = printed + len(diff.files) < MAX_ITEMS - 1_000
    step = 1 if contexts else max(1, -(-changed // (MAX_ITEMS * 3 // 4)))
    items: list[Item] = []
    for c in diff.commits[LISTED_COMMITS : MAX_ITEMS // 20]:  # those before are facts
        items.append(Item(c.start + 1, c.end, f"commit {c.sha} {c.author} {c.date}: {c.subject}", weight=2.0))
    outside = [i for i in diff.outside if lines[i].strip() and (not view or view[i])][: MAX_ITEMS // 40]
    said = 0.9 if len(diff.commits) < 2 else 0.4  # of one commit its message, of several their subjects
    items += [Item(i + 1, i + 1, lines[i].strip(), weight=0.1 if _TRAILER.match(lines[i]) else said) for i in outside]
    stat = 0.8 if len(diff.stats) > len(diff.files) + 1 else 0.2  # else the facts say the same of the files
    items += [Item(i + 1, i + 1, " ".join(lines[i].split()), weight=stat) for i in diff.stats[: MAX_ITEMS // 40]]
    counter = 0
    for place, f in enumerate(diff.files):
        section = _section(diff, f, lines)
        strange = odd_files.get(place)
        if strange is not None or not f.hunks:
            text = " ".join(p for p in (_label(f), _amount(f)) if p)
            item = Item(f.start + 1, max(f.start + 1, f.hunks[0].start if f.hunks else f.end), text, weight=1.5)
            if strange is not None:
                item.keep, item.reason, item.template = strange.keep, strange.reason, strange.template
            items.append(item)
        scale = 0.15 if _GENERATED.search(f.path) else 0.5 if "deleted" in f.status else OLDER if f.commit > 0 else 1.0
        language = by_path(f.path)
        defines = definition(language) if language else None
        for hunk in f.hunks:
            rows = [row for row in body(hunk, lines) if row[0] in odd or not _ONLY_MARKS.match(row[3][:LOOK])]
            named = bool(hunk.context) and contexts
            telling = named and defines is not None and bool(defines.match(hunk.context.strip()))  # git guesses
            if named:
                items.append(
                    Item(
                        hunk.start + 1,
                        hunk.start + 1,
                        _hunk_line(hunk.context, lines[hunk.start]),
                        weight=(1.5 if telling else 0.3) * scale,
                        section=section,
                    )
                )
            header = hunk.start if telling and language != "Markdown" else -1
            above = nesting(rows, header) if contexts else {}
            margin = dedented([row[3] for row in rows])
            for i, sign, number, text in rows:
                if not sign.strip() and not contexts and i not in odd:
                    continue
                counter += 1
                if counter % step and i not in odd:
                    continue
                anchor = f"{sign or ' '}{number} " if number else f"{sign or ' '}@{i + 1} "
                if view:
                    anchor = f"{view[i]} {sign or ' '}"
                weight = _weight(sign, text[:LOOK], defines) * scale
                item = Item(
                    i + 1,
                    i + 1,
                    anchor + text[margin:].rstrip(),
                    weight=weight,
                    section=section,
                    under=above.get(i, -1) + 1,
                )
                if i in odd:
                    o = odd[i]
                    item.keep, item.reason, item.template = o.keep, o.reason, o.template
                items.append(item)
    items.sort(key=lambda item: item.start)
    return items


def _hunk_line(context: str, line: str) -> str:
    return " ".join(line.split()) if line.startswith("@@") else f"@@ {context}"


def _section(diff: Diff, f: File, lines: list[str]) -> str:
    """The diff's own lines that name the file, the old one where it differs; the commit where there are several."""
    first = f.hunks[0].start if f.hunks else f.end
    own = [
        line.partition("\t")[0].rstrip() for line in lines[f.start : first] if line.startswith(("--- ", "+++ ", "*** "))
    ]
    told = own[-1:] if f.old == f.new or "new" in f.status else own
    heading = "\n".join(told) or lines[f.start].rstrip()
    commit = f" (commit {diff.commits[f.commit].sha[:9]})" if len(diff.commits) > 1 and f.commit >= 0 else ""
    return heading[:SECTION] + commit


def _label(f: File) -> str:
    words = [_renaming(f) if f.status & {"renamed", "copied"} and f.old != f.new else f.path]
    words += [s for s in _NOTABLE if s in f.status and s not in ("mode",)]
    if "mode" in f.status:
        words.append(f"mode {f.modes[0]}→{f.modes[1]}")
    elif f.modes[1] == "100755":
        words.append("executable")
    if f.similarity and f.status & {"renamed", "copied"}:
        words.append(f.similarity)
    return " ".join(words)


def _weight(sign: str, text: str, defines: re.Pattern[str] | None) -> float:
    stripped = text.strip()
    base = 1.5 if sign == "+" else 1.2 if sign == "-" else 0.8
    found = defines.match(stripped) if defines is not None and not stripped.endswith((",", ";")) else None
    if TEST.match(stripped) or (found and (found.lastgroup != "top" or text[:1] not in " \t")):
        return 2 * base  # what is added comes before ordinary lines
    if BARE.match(stripped):
        return base * 0.3
    if IMPORT.match(stripped):
        return base * 0.5
    return base * 0.6 if COMMENT.match(stripped) else base
