"""What a change is about: source before what goes along with it, the file that its message names before the rest; and
what stands out in it: files by what happened to them, added lines by what they say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate, takewhile
from posixpath import splitext

from mcpcompact.content.anomalies.lines import Odd, Tally, choose, loud_lines, single_shapes
from mcpcompact.content.anomalies.thresholds import MAX_ODD
from mcpcompact.content.anomalies.words import LOUD, LOUD_CHANGES, LOUD_DATA, SECRETS
from mcpcompact.content.diff.parse import UNNAMED, Diff, File
from mcpcompact.content.diff.units import BEGINS, SAME_EDITS, SPACING, Line, body
from mcpcompact.content.shared.languages import COMMENT, CONFIGURATION, by_path, definition, named
from mcpcompact.content.shared.nesting import LOOK, columns
from mcpcompact.content.shared.request import READ, asked, rarity, told
from mcpcompact.outline import Fact, Hints, Item, Keep
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped, some

GENERATED = regex(
    r"(?:^|/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|uv\.lock|poetry\.lock|Cargo\.lock|go\.sum|Gemfile\.lock"
    r"|composer\.lock)$|\.min\.(?:js|css)$|\.(?:snap|svg|map|pb\.go|generated\.\w+)$|(?:^|/)(?:dist|vendor|node_modules|cassettes|__snapshots__|\.yarn)/"
)
_TEST = r"(?i)(?:^|/)(?:__)?(?:tests?|specs?|testdata|fixtures)(?:__)?/|(?:^|/)test_|[._-](?:tests?|spec)\.\w+$"
BESIDE = regex(
    rf"{_TEST}|(?:^|/)\.[^/]*$|(?:^|/)(?:docs?|examples?)/"
    r"|\.(?:md[cx]?|rst|txt|adoc|t?css|s[ac]ss|less|lock|cfg|csproj|ini|json|toml|ya?ml)$|(?:^|/)(?:go\.mod|pom\.xml|gemfile)$"
)
"""Tests, documents, styles, settings, hidden files, what is depended on: what goes along with a change of source."""
MAX_STUDIED = 200_000  # changed lines that are searched for odd values
_SECRET = regex(
    r"""^(?!.*(?:fake|dummy|mock|placeholder|example)).*?(?:secret|passw(?:or)?d|passphrase|api_?key|access_?key|private_?key|auth_?token|access_?token|credential)\w{0,40}"""
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
MADE, LATE = 0.05, 0.3  # how much a change says in a generated file; in tests and settings where source is changed too
WITHIN = 0.8  # in settings of the package whose source is changed: behind that
TOLD = 0.15  # in documents: so that short headings do not come before statements
SMALL, PACKAGE = 60, 2  # changed lines of source that are all what the change is about; folders: src/harbour
OUTWEIGHED = 50  # times as many changed lines of documents as of source: these are what the change is about
NAMED = 0.6  # of the words of a file's name that the subject has
REPEATED = 0.1  # factor on what is changed as an earlier line is
FEW_EDITS, MAX_SWAPS, FEW_FILES = 4, 2, 4  # of these, of exchanged words, and of their files: so many are named
EXAMPLE = 1.0  # weight, at most, of the first of them where that is told
MUCH = 0.1  # of all changed lines, which exchange words alike: that is always told
LISTED, MAX_HUNKS = 3, 8  # of a file, which are told by their places: fewer are mostly shown, more take its room
FEW_GONE, MAX_NEW = 2, 24  # definitions that are removed: always said; added: all said where there is room
LONG = 300  # lines of a diff
LAST = 0.1  # weight of what says little and yet is shown where room is left
OFTEN = 100_000  # of what weighs the same that comes first which stands in most places
SAID = 60  # characters of a line that is told
MAX_NAMED = 5  # files that a request can name: of more it is about the whole
DEFINES, CONSTANT = 3.0, 2.95  # weights of definitions, of constants behind them: before ordinary lines
OPENS, FEW_HUNKS = 3.6, 4  # weight of what a hunk changes first, before the rest of a long one; hunks of a file
MAIN, WHOLE = 4.51, 3.5  # weight of what tells most of the change; of the rest of it, where that is little
ALONG = 3.0  # weight of the comments and imports of such a change, behind its code
OUTER = 3.8  # weight of the outer keys of settings and of headings that are added, the outermost first: before steps
DECIDES = 3.55  # weight of a condition or a failure in it: what the change does; data and settings serve that
DECLARES = 3.53  # weight of what declares an option or an attribute in it: behind that, before bodies
BODY, MIN_BODY = 24, 4  # statements of the main function of a new program that stand before all others; of one
FAR = 10_000  # characters of no unit
CLOSES = 0.05  # weight of a bracket: it comes along with the lines on both sides of it
ASKED = 4.8  # weight of what changes in a file that the request names, of what answers it: all of it before others
RARE, MIN, MAX_BELOW = 10, 2, 24  # of so many lines one has a telling word; words to share; units that follow
_LINK = regex(r"https?://\S+")
_NAME = regex(r"[\w.@+/-]{3,200}")
_ASKED = regex(r"\bgit\b[^|;&\n]{0,200}?\b(?:diff|show|log)\b([^|;&\n]{0,400})")
ADDS = regex(r"(?m)^(?:\d+ )?\+")
_DECIDES = regex(  # a changed line of code that decides or fails
    r"(?:\d+ )?[-+][\d@]*\s+(?:\}\s*)?(?:if|elif|elsif|else if|unless|guard|raise|throw|panic!?)\b"
)
_DECLARES = regex(  # an added line with which a change gives an option, a binding, an attribute, a key
    r"(?:\d+ )?\+[\d@]*\s+(?:(?:self\.|this\.|@)\w+ ?=[^=]|[A-Z]\w*\([\"'][^)]|\w+\??: [^=\n]{1,60} = \S"
    r"|@?\w*\.(?:add|argument|command|option|register|route)\w*\([\"'`]|[\"'][\w./-]+[\"']: )"
)
_TYPE = regex(r"(?:\d+ )?\+[\d@]* ?(?:\w+ )*(?:type|struct|interface|enum)\b")
_OUTER = regex(r"(?:\d+ )?[-+][\d@]* ( {0,4})[\w-]+:(?:\s|$)")  # a changed key of settings, of the outer levels
_TITLED = regex(r"(?:\d+ )?\+[\d@]* ?(#{1,6}) \S")
_PART = regex(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}|\d{2,}")

Edits = dict[tuple[bool, str], list[tuple[Item, str, str]]]
"""What is changed alike, words of a line (True) or a line: each place, the path of its file, and what it is there."""


def scale(path: str) -> float:
    """How much a change of this file says: generated files hardly anything."""
    return MADE if GENERATED.search(path) else TOLD if by_path(path) in PROSE else LATE if BESIDE.search(path) else 1.0


def scales(files: Sequence[tuple[str, int]]) -> list[float]:
    """How much each file of a change says, of which so many lines are changed; documents as much as source where hardly
    any of that is changed, and settings that lie within a package whose source is changed: it reads them."""
    factors, sizes = [scale(path) for path, _ in files], [size for _, size in files]
    source = sum(size for size, says in zip(sizes, factors, strict=True) if says == 1)
    little = source * OUTWEIGHED < sum(sizes)
    homes = [path.split("/")[:-1][:PACKAGE] for path, _ in files]
    own = [home for home, says in zip(homes, factors, strict=True) if home and says == 1]
    for i, (path, _) in enumerate(files):
        read = by_path(path) == "YAML" and homes[i] in own and not BESIDE.search(path[: path.rfind(".")])
        factors[i] = (1.0 if little else WITHIN) if factors[i] > MADE and (little or read) else factors[i]
    return factors


def language(diff: Diff, f: File) -> str:
    """The language of a file; of one without a name that of most files of source beside it."""
    source = [other for other in diff.files if scale(other.path) == 1] if f.unnamed else [f]
    languages = [by_path(other.path) for other in source]
    return max(filter(None, languages), key=languages.count, default="")


def parts(text: str) -> set[str]:
    """The words of a text and of its names, without a plural's s: ``ZaiModels`` is zai and model."""
    return {part.lower().rstrip("s") for part in _PART.findall(text)}


def subject(diff: Diff) -> str:
    """What the newest commit says of itself in one line."""
    return diff.commits[diff.newest].subject if diff.commits else ""


def named_files(diff: Diff, request: str) -> set[int]:
    """The places of the files that a call or a request names, where these are few of several."""
    words = {word.rstrip(".:/").removeprefix("./").strip(":/") for word in _NAME.findall(request[-READ:])}
    ends = tuple(f"/{word}" for word in words)
    places = {i for i, f in enumerate(diff.files) if f"/{f.path}".endswith(ends) or f"/{f.old}".endswith(ends)}
    return places if len(places) <= MAX_NAMED and len(places) < len(diff.files) else set()


def only_file(call: str) -> str:
    """The file of which a call asks git for changes, where that is one."""
    asked = {match[1].rpartition(" -- ")[2].partition(">")[0].strip(" 2\"'") for match in _ASKED.finditer(call)}
    return asked.pop() if len(asked) == 1 and all(" " not in path and by_path(path) for path in asked) else ""


def mains(diff: Diff, says: list[float]) -> set[int]:
    """The places of the files that the newest change is about: all source where that is little, else what the subject
    names, else the one that is changed most."""
    own = [i for i, f in enumerate(diff.files) if f.hunks and f.commit == diff.newest and "deleted" not in f.status]
    most = max((says[i] for i in own), default=0.0)
    own = [i for i in own if says[i] >= WITHIN * most]
    sizes = {i: diff.files[i].size for i in own}
    if sum(sizes.values()) <= SMALL:
        return set(own)
    own = [i for i in own if says[i] == most and not diff.files[i].unnamed]  # of those none says more than another
    if not own:
        return set()
    there = {i for i in own if "new" not in diff.files[i].status}  # what a few lines wire in, or mend
    there = there if sum(sizes[i] for i in there) <= SMALL // 2 else {max(there, key=lambda i: (sizes[i], -i))}
    words = parts(subject(diff))
    names = {i: parts(diff.files[i].path.rpartition("/")[2].partition(".")[0]) for i in own}
    named = {i for i in own if names[i] and len(names[i] & words) >= NAMED * len(names[i])}
    return there | (named or {max(own, key=lambda i: (diff.files[i].added + sizes[i], -i))})


def answer(items: Sequence[Item], diff: Diff, lines: Sequence[str], hints: Hints) -> None:
    """Of documents the changed line that shares most with the request comes before all else, with what stands below it
    up to the next entry of its list or the next heading."""
    wanted = told(_LINK.sub("", asked(hints)[1]))
    places = {i for f in diff.files if by_path(f.path) in PROSE for h in f.hunks for i in range(h.start + 2, h.end + 1)}
    changed = [item for item in items if wanted and item.start in places and lines[item.start - 1][:1] in ("+", "-")]
    words = [told(item.text) for item in changed]
    rare = rarity(wanted, words, 1 / RARE)
    shared = [sorted(rare.keys() & own.keys()) for own in words]
    best = max(range(len(changed)), key=lambda n: (sum(map(rare.__getitem__, shared[n])), -n), default=0)
    if not shared or len(shared[best]) < MIN:
        return
    first, *below = (lines[item.start - 1] for item in changed[best : best + MAX_BELOW])
    ends = (BEGINS.match(line[1:]) and columns(line[1:]) <= columns(first[1:]) for line in below)
    for n in range(next((n for n, end in enumerate(ends, 1) if end), len(below) + 1)):
        changed[best + n].weight = ASKED - n / OFTEN


def tell(changed: list[Item], opens: list[Item], words: set[str], f: File, language: str, named: bool) -> None:
    """Of a file that the change is about the lines that say most of it come first: those with the ``words`` of its
    subject, conditions, definitions, what is added, what few hunks begin with; of a new program the body of the first;
    of a short change all of it; before all else that of a file that the request has ``named``, in order."""
    whole, program = f.size <= SMALL, "new" in f.status and language not in (*CONFIGURATION, *PROSE)
    outermost = _OUTER if language == "YAML" else _TITLED
    for item in changed if language in ("YAML", *PROSE) else ():
        outer = outermost.match(item.text)
        item.weight = max(item.weight, OUTER - len(outer[1]) / FAR) if outer else item.weight
    for item in opens if 1 < len(opens) <= FEW_HUNKS else ():
        item.weight = max(item.weight, OPENS + (item.weight >= DEFINES) / FAR)  # definitions first
    coded = [item for item in changed if item.weight >= 1] or changed  # comments have most words of a subject
    for some_of, weight in ((coded if program else changed, ALONG), (coded, WHOLE)) if whole else ():
        for item in some_of:
            item.weight = max(item.weight, weight) if item.weight > CLOSES else CLOSES
    for item in coded if whole else ():
        for says, weight in ((_DECIDES, DECIDES), (_DECLARES, DECLARES)):
            item.weight = max(item.weight, weight) if says.match(item.text) else item.weight
    if changed:
        heads = [item for item in coded if language in PROSE and item.weight > OPENS] or coded
        defined = (n for n, one in enumerate(changed) if program and not whole and one.weight >= DEFINES)
        bodies = {changed[n].start: [*_body(changed[n:])] for n in defined}
        adds = {i.start: bool(ADDS.search(i.text)) + (len(bodies.get(i.start, ())) >= MIN_BODY) for i in heads}
        first = max(heads, key=lambda one: (len(words & parts(one.text)), one.weight, adds[one.start]))
        first.weight = MAIN - len(first.text) / FAR**2  # short ones first, behind what many places change alike
        for n, item in enumerate(bodies.get(first.start, ())[:BODY] if scale(f.path) == 1 else (), 1):
            item.weight = first.weight - n / FAR
    for n, item in enumerate(changed if named and whole else ()):
        item.weight = ASKED - n / FAR


def _body(items: Sequence[Item]) -> Iterator[Item]:
    """The items that stand under the first, a function."""
    within = {items[0].start} if not _TYPE.match(items[0].text) else set()
    for item in takewhile(lambda item: item.under in within, items[1:]):
        within.add(item.start)
        yield item


def indexed(defined: dict[int, str], items: Iterable[Item]) -> dict[int, str]:
    """What is defined in each of the items, by their lines."""
    held = {i: item for item in items for i in range(item.start, item.end + 1) if i in defined}
    names: dict[int, str] = {}
    for i, name in defined.items():
        names[held[i].start] = ", ".join(filter(None, [names.get(held[i].start), name]))
        held[i].part = ("definitions", held[i].part[1] + 1)
    return names


def alike(edits: Edits, diff: Diff, lines: list[str], items: list[Item], each: bool) -> list[Fact]:
    """What many places change alike, or many files say, is told once, with its files (always where ``each`` is listed),
    and shown once; what only exchanges words that many places exchange is hardly shown, and what stands beside it."""
    many: list[tuple[bool, int, str, str]] = []
    less: list[Item] = []
    own = {key: [path for _, path, _ in places] for key, places in edits.items() if key[1]}
    often = {key: paths for key, paths in own.items() if len(paths if key[0] else {*paths}) >= SAME_EDITS}
    everywhere = _places(diff, lines, {what for swapped, what in often if not swapped})
    swaps = [2 * len(paths) for (swapped, what), paths in often.items() if swapped and " → " in what]
    rank = int(sum(swaps) < MUCH * (diff.added + diff.removed))  # a removed and an added line each
    for (swapped, what), some_paths in often.items():
        (first, _, _), *further = edits[swapped, what]
        first.weight = min(first.weight, EXAMPLE) if swapped and not rank else first.weight + len(some_paths) / OFTEN
        less += [item for item, _, _ in further]
        (form, most), *_ = Counter(form for _, _, form in edits[swapped, what]).most_common(1)
        paths = some_paths if swapped else everywhere[what]
        if swapped and form == what:  # lines below each other that exchange it are a place each
            gone = [(path, lines[item.start - 1 : item.end]) for item, path, _ in edits[swapped, what]]
            paths = [path for path, rows in gone for row in rows if row.startswith("+")]
        instance = f" (as {form})" if form != what and len(form) <= SAID else ""
        text = f"{clipped(form, SAID) if most == len(some_paths) else what + instance} in {len(paths):,} places"
        many.append((not swapped or what == SPACING, -len(paths), text, _files(list(dict.fromkeys(paths)))))
    beside = {item.start for item in less}
    for item in [*less, *(item for item in items if item.under in beside and item.text.startswith(" "))]:
        item.weight = max(item.weight * REPEATED, min(item.weight, LAST))
    many.sort(key=lambda one: one[:2])
    rank = int(rank and not (each and any(not text.startswith(SPACING) for *_, text, _ in many)))
    most_of = FEW_EDITS if rank else MAX_SWAPS
    chosen = (many[:most_of], rank), ([one for one in many[most_of:FEW_EDITS] if one[0]], 1)
    texts = [("; ".join(what + of for *_, what, of in some_of), some_of[0][2], at) for some_of, at in chosen if some_of]
    return [Fact(f"changed alike: {all_of}", at, f"changed alike: {first}") for all_of, first, at in texts]


def defined(
    diff: Diff, lines: list[str], wanted: Collection[str], placed: bool, apart: bool
) -> tuple[list[Fact], dict[int, str]]:
    """Where few hunks of the only file begin (``placed``: by its numbers), each with the first definition it adds; what
    the newest change adds, those with ``wanted`` words first, source before tests, public and outer ones before others,
    then those of the most changed file; what it removes; but what it moves. Of new files all that is added by places,
    where each line is an item with a number of its own (``apart``), and no fact."""
    ranks: dict[str, dict[str, list[tuple[float, ...]]]] = {"+": {}, "-": {}}
    hunks: list[str] = []
    placed = placed and len(diff.files) == 1 and all(hunk.kind == "unified" for hunk in diff.files[0].hunks)
    for f in (f for f in diff.files if f.commit == diff.newest):
        for hunk in f.hunks:
            first = ""
            for i, sign, name, inner in _named(language(diff, f), body(hunk, lines)):
                rank = -len(told(name).keys() & wanted), -scale(f.path), name[0] == "_", inner, -f.size, i + 1
                ranks[sign].setdefault(name, []).append(rank)
                first = first or name * (sign == "+")
            hunks.append(f"+{hunk.new} {first}".rstrip())
    hunks = hunks if placed and LISTED <= len(hunks) <= MAX_HUNKS else []
    added, removed = ([n for n in ranks[one] if n not in ranks[other]] for one, other in ("+-", "-+"))
    added.sort(key=ranks["+"].__getitem__)
    new = 2 * sum(f.added for f in diff.files if f.status & {"new", "unheaded"}) > diff.added + diff.removed
    indexed = added if apart and new and len(added) > FEW_EDITS and len(diff.commits) <= 1 else []
    at = " (last: the line here)" * (len(lines) > LONG)
    listed = [f"{name} {ranks['+'][name][0][-1]}" if at else name for name in added if not indexed]
    lists = [("hunks from", hunks, MAX_HUNKS, False)]
    if len(listed) > sum(" " in hunk for hunk in hunks):  # else each is named there
        lists.append((f"definitions added{at}:", listed, FEW_EDITS, bool(hunks)))
        lists.append((f"further definitions added{at}:", listed[FEW_EDITS:] * (len(listed) <= MAX_NEW), MAX_NEW, True))
    lists.append(("definitions removed:", removed, FEW_EDITS, len(removed) > FEW_GONE))
    facts = [Fact(f"{what} {some(names, most)}", int(less)) for what, names, most, less in lists if names]
    return facts, {int(place[-1]): name for place, name in sorted((rank, n) for n in indexed for rank in ranks["+"][n])}


def _named(language: str, rows: Iterable[Line]) -> Iterator[tuple[int, str, str, int]]:
    """The definitions that a hunk adds or removes: index, sign, name, column; constants behind outer ones."""
    defines = definition(language) if language and language not in (*CONFIGURATION, *PROSE) else None
    for i, sign, _, text in rows:
        match = defines.match(text.strip()[:LOOK]) if defines is not None and sign else None
        if match is not None and (name := named(match).rstrip(":")) and (match.lastgroup != "top" or not columns(text)):
            yield i, sign, name, columns(text) or int(match.lastgroup == "top")


def _places(diff: Diff, lines: list[str], wanted: set[str]) -> dict[str, list[str]]:
    """The paths of all places that add or remove one of these lines, also among others."""
    paths: dict[str, list[str]] = {what: [] for what in wanted}
    for f in diff.files if wanted else ():
        for hunk in f.hunks:
            for _, sign, _, text in body(hunk, lines):
                if sign and (line := sign + text.strip()) in paths:
                    paths[line].append(f.path)
    return paths


def _files(paths: list[str]) -> str:
    """``of 3 files: a.py, b.py, c.py``."""
    names = [path.rpartition("/")[2] for path in paths]
    if len(paths) == 1 or any(path.startswith(UNNAMED) for path in paths):
        return ""
    return f" of {len(paths):,} files: {some(names if len(set(names)) == len(names) else paths, FEW_FILES)}"


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
    candidates = [*tally.odd(TALLIED), *_loud(texts), *_unsafe(texts)]
    candidates += leaps if len(leaps) <= MAX_LEAPS else []
    shapes = single_shapes(texts, range(len(texts)), edges=False)
    candidates += [one for one in shapes if not _CLOSING.fullmatch(texts[one.line][:LOOK])]
    chosen = choose(candidates, max(2, min(MAX_ODD, len(texts) // 25)))
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
    loud = loud_lines(joined, starts, LOUD, most=2 if long else 1)[:MAX_LOUD]
    once = loud_lines(joined, starts, [*LOUD_CHANGES, *LOUD_DATA], most=1) if long else []
    once = [odd for odd in once if not COMMENT.match(texts[odd.line].strip()[:LOOK])]  # they speak of what fails
    return loud + once[:MAX_LOUD_ONCE]


def _unsafe(texts: list[str]) -> Iterator[Odd]:
    """Secrets, where they are the exception, and checks that are switched off."""
    secrets = [k for k, text in enumerate(texts) if _SECRET.search(text[:LOOK]) or any(map(text.__contains__, SECRETS))]
    for k in secrets if len(secrets) <= max(2, len(texts) // 100) else ():
        yield Odd(k, Keep.SEVERE, "a secret?", "secret")
    for k in [k for k, text in enumerate(texts) if _UNCHECKED.search(text[:LOOK])][:MAX_UNCHECKED]:
        yield Odd(k, Keep.SEVERE, "a check switched off", f"unchecked {k}")


def _conflicts(texts: list[str]) -> list[int]:
    """The first lines of each merge conflict that was left."""
    places: list[int] = []
    inside = 0  # lines left of one that are worth showing
    for k, text in enumerate(texts):
        inside = CONFLICT if text.startswith("<<<<<<< ") else inside
        if inside:
            places.append(k)
            inside = 0 if text.startswith(">>>>>>> ") else inside - 1
    return places[:MAX_CONFLICTS]
