"""Statements about sequences, listings, diffs, git output, source code, documents and prose."""

# ruff: noqa: E501  (rules are one regular expression or claim a line)

from __future__ import annotations

import json
import re
import statistics
from collections import Counter
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

from bench.truth.case import Case, Verdict
from bench.truth.values import close, middle, quantity, uncut

_QUANTIFIED = re.compile(r"\d|\b(all|each|none|no|always|every|only)\b")


def _int(text: str) -> int:
    return int(text.replace(",", ""))


def _size(v: Verdict, line: str, said: str, truth: float) -> None:
    """``7,765,884``; or about, as ``~9.26 MB``."""
    about = said.startswith("~")
    plain = said.lstrip("~").removesuffix(" bytes")
    read = quantity(plain.replace(" kB", "KB").replace(" ", ""))
    value = read[1] if read else None
    good = value is not None and abs(value - truth) <= (0.05 * truth if about else 0)
    v.claim(f"{line}   [{said}]", said, said if good else truth)


def _counts(v: Verdict, line: str, body: str, truth: Counter[str]) -> None:
    for name, count in re.findall(r"(?:^| · |, )([^·,]+?) ([\d,]+)(?= · |, |$|\.$)", body):
        v.claim(f"{line}   [{name}]", _int(count), truth[json.loads(name) if name.startswith('"') else name])


def listing(case: Case, line: str, v: Verdict) -> bool:
    known = case.known
    source = case.text.split("\n")[:-1]
    parents = r"(?: \(([\d,]+) with their parents\))?"
    if found := re.match(
        rf"Listing: ([\d,]+) entries(?: in|,) ([\d,]+) director(?:y|ies)( among them)?{parents}\.$", line
    ):
        if "files" in known:
            v.claim(line, _int(found[1]), known["files"] + known["folders"])
            v.claim(line, _int(found[2]), known["folders"] if found[3] else _int(found[2]))
        elif "paths" in known:
            v.claim(line, _int(found[1]), len(known["paths"]))
            direct = {str(PurePosixPath(p).parent) for p in known["paths"]}
            v.claim(line, _int(found[2]), len(direct))
            if found[4]:
                over = {str(a) for p in known["paths"] for a in PurePosixPath(p).parents} - {"."}
                v.claim(line, _int(found[4]), len(direct | over))
        return True
    if found := re.match(r"(?:TSV|CSV|aligned columns|[\w ]+): ([\d,]+) rows, ", line):
        v.claim(line, _int(found[1]), len(source))
        return True
    if line.startswith(("#", "Here name and size")):
        return True
    if found := re.match(r"(\S+/)(?: \(([\d,]+)\))?: (.+)|(\S+/)(\S+(?: \S+)?)$", line):
        listed, heading = dict[str, str](), ""
        for row in source:
            heading = f"{row[:-1]}/" if row.endswith(":") else heading
            if row[:1] in ("-", "d"):
                listed[heading + row.split()[-1] + "/" * (row[0] == "d")] = row.split()[4]
        place, told = found[1] or found[4], uncut(found[3] or found[5])[0].split("  ")
        if found[2]:
            v.claim(
                line,
                _int(found[2]),
                sum(path.startswith(place) and "/" not in path[len(place) : -1] for path in listed),
            )
        for name, _, size in (each.partition(" ") for each in told):
            v.claim(f"{line}   [{name}]", size, "" if name.endswith("/") else listed.get(place + name))
        return True
    if found := re.match(
        r"Sizes: (.+?) in [\d,]+ files?(?: \(.+\))?, median (.+?), largest (.+?)(?: \(.+)?(?:; .+)?\.?$", line
    ):
        sizes = known.get("sizes")
        if sizes:
            _size(v, line, found[1], sum(sizes))
            _size(v, line, found[2], statistics.median(sizes))
            _size(v, line, found[3], max(sizes))
            none = re.search(r"; ([\d,]+) empty\.$", line)
            v.claim(line, _int(none[1]) if none else 0, sizes.count(0))
        return bool(sizes)
    if found := re.match(r"(directories|files): (.*)", line):
        body, cut = uncut(found[2])
        named = [x.split()[-1] for x in source if x[:1] == ("d" if found[1] == "directories" else "-")]
        told = body.split("  ")
        while told and (many := re.match(r"([\d,]+)× (.+)", told[0])):  # names that differ in a number or hash
            shape = re.escape(many[2]).replace("…", r"[0-9a-f]+")
            alike = [name for name in named if re.fullmatch(shape, name)]
            v.claim(f"{line}   [{many[2]}]", _int(many[1]), len(alike))
            named = [name for name in named if name not in alike]
            told = told[1:]
        if told and (few := re.match(r"the first of ([\d,]+)(?: others)?: (.+)", told[0])):
            v.claim(f"{line}   [first of]", _int(few[1]), len(named))
            told, cut = [few[2], *told[1:]], True
        v.claim(line, told, named[: len(told)] if cut else named)
        return True
    if line.startswith("Kinds: ") and ("files" in known or "paths" in known):
        names = [PurePosixPath(p).name for p in known.get("paths", [])] or [
            x.split()[-1] for x in source if x[:1] == "-"
        ]
        _counts(v, line, uncut(line[7:])[0], Counter(PurePosixPath(name).suffix for name in names))
        return True
    return False


def _directory(v: Verdict, line: str, files: Counter[str], row: re.Match[str]) -> None:
    """``src/api 40: . 12 · v2 28``, all below it; ``src/api 12``, right there."""
    told = re.findall(r"(?:^| · )(\S+) ([\d,]+)(?= · |$)", row[3] or "")
    at = [(str(PurePosixPath(path).parent), n) for path, n in files.items()]
    below = sum(n for place, n in at if place == row[1] or (told and place.startswith(f"{row[1]}/")))
    v.claim(line, _int(row[2]), below)
    for name, count in told:
        v.claim(
            f"{line}   [{name}]", _int(count), sum(n for place, n in at if place == str(PurePosixPath(row[1], name)))
        )


def grep(case: Case, line: str, v: Verdict) -> bool:
    hits = case.known["hits"]
    files = Counter(path for path, _ in hits)
    found = re.match(r"(?:Search output: |Search: )?([\d,]+) (?:hits|matches|lines)\D+([\d,]+) files?", line)
    if found:
        v.claim(line, _int(found[1]), len(hits))
        v.claim(line, _int(found[2]), len(files))
    if each := re.match(r"Matches in each of ([\d,]+) directories", line):
        v.claim(line, _int(each[1]), len({str(PurePosixPath(path).parent) for path in files}))
        return True
    if row := re.match(r"(src\S*) ([\d,]+)(?:: (.*))?$", line):
        _directory(v, line, files, row)
        return True
    named = found or line.startswith(("Then: ", "Most matches: "))
    told = re.findall(r"(\S+\.py) \(?([\d,]+)\)?(?= · |[,.]|$)", line) if named else []
    for name, count in told:
        own = [n for path, n in files.items() if path == name or path.endswith(f"/{name}")]
        v.claim(f"{line}   [{name}]", [_int(count)], own)
    if found or told:
        return True
    return bool(re.match(r"(?:\d+ |src/\S+\.py)", line))


def diff(case: Case, line: str, v: Verdict) -> bool:
    files = case.known["files"]
    if found := re.match(
        r"(?:[\w ]*[Dd]iff: )?([\d,]+) files?(?: changed)?, \+([\d,]+) [−-]([\d,]+)(?:, ([\d,]+) hunks?)?", line
    ):
        v.claim(line, _int(found[1]), len(files))
        v.claim(line, _int(found[2]), sum(f[1] for f in files))
        v.claim(line, _int(found[3]), sum(f[2] for f in files))
        if found[4]:
            v.claim(line, _int(found[4]), sum(f[3] for f in files))
        return True
    if found := re.fullmatch(r"(src/\S+\.py) ?(?:\+([\d,]+))? ?(?:[−-]([\d,]+))?(?: \((\w+)\))?", line):
        truth = next((f[1:3] for f in files if f[0] == found[1]), None)
        v.claim(line, (_int(found[2] or "0"), _int(found[3] or "0")), truth)
        if len({*case.known["states"].values()}) > 1:  # what all are is said above them
            v.claim(line, found[4] or "", case.known["states"].get(found[1], ""))
        return True
    if found := re.match(r"changed alike: (\w+) → (\w+)(?: \(as .+?\))? in ([\d,]+) places", line):
        pairs = [pair for pair in case.known["texts"].values() if pair[0] and pair[1]]
        gone = sum(
            found[1].lower() in text.lower() for old, new in pairs for text in (Counter(old) - Counter(new)).elements()
        )
        v.claim(line, _int(found[3]) <= gone, True)
        return True
    told = re.findall(r"(src/\S+\.py)(?: \(?|: )\+([\d,]+) [−-]([\d,]+)", line)
    for path, added, removed in told:
        truth = next((f for f in files if f[0] == path), None)
        v.claim(f"{line}   [{path}]", (path, _int(added), _int(removed)), truth[:3] if truth else None)
    return bool(told)


def git(case: Case, line: str, v: Verdict) -> bool:
    known = case.known
    done = False
    if found := re.match(
        r"… \[([\d,]+) commits?(?: and ([\d,]+) routine ones?)? not listed here, lines? (\d+)(?:–(\d+))?\]$", line
    ):
        left_out = case.text.split("\n")[int(found[3]) - 1 : int(found[4] or found[3])]
        heads = re.compile(r"commit [0-9a-f]{40}$" if known["authors"] else r"[0-9a-f]{7} ")
        v.claim(line, _int(found[1]) + _int(found[2] or "0"), sum(heads.match(text) is not None for text in left_out))
        v.claim(line, _int(found[2] or "0"), sum(text.strip() == "Bump version" for text in left_out))
        return True
    if found := re.match(r"Reverts(?:, each with its line: (.+)|: (\d+) commits, lines ([\d, ]+))$", line):
        told, source = re.findall(r"(\d+) (Revert .+?)(?:; (?=\d+ Revert )|$)", found[1] or ""), case.text.split("\n")
        told = told or [(number, "") for number in found[3].split(", ")]
        v.claim(line, int(found[2] or len(told)), len(told))
        begins = [n for n, text in enumerate(source, 1) if re.match(r"commit [0-9a-f]{40}$", text)]
        reverts = [n for n, text in enumerate(source, 1) if "    Revert " in text[:11]]
        own = [max(head for head in begins if head < n) for n in reverts]  # a commit is told by the line of its row
        v.claim(line, [_int(number) for number, _ in told], own)
        return True
    if line.startswith("Each commit as a row: "):  # what its parts are
        return True
    if found := re.match(r"Left out first, also between those shown: ([\d,]+) version bumps?\.$", line):
        bumps = sum(text.strip() == "Bump version" for text in case.text.split("\n"))  # the newest is none of them
        v.claim(line, _int(found[1]), bumps)
        return True
    if (
        found := re.match(r"([\d-]{10}) ([0-9a-f]{8}) ([\w ]+): ([\d, -]+?)(?:, \+[\d,]+ more)?$", line)
    ) and "blame" in known:
        spans = [[*map(int, span.split("-"))] for span in found[4].split(", ")]
        told = [known["blame"][n - 1] for span in spans for n in range(span[0], span[-1] + 1)]
        v.claim(line, {(found[2], found[3])}, set(told))
        return True
    if found := re.search(r"([\d,]+) commits?\b", line):
        truth = known["commits"] if "commits" in known else len({sha for sha, _ in known["blame"]})
        v.claim(line, _int(found[1]), truth)
        done = True
    if (found := re.search(r"([\d,]+) authors?\b", line)) and (known.get("authors") or "blame" in known):
        names = set(known.get("authors") or [who for _, who in known["blame"]])
        v.claim(line, _int(found[1]), len(names))
        done = True
    if (found := re.search(r"([\d,]+) lines\b", line)) and "blame" in known:
        v.claim(line, _int(found[1]), known["lines"])
        done = True
    who = Counter(x.split(" <")[0] for x in known.get("authors") or [w for _, w in known.get("blame", [])])
    for name, count in re.findall(r"(Ada Lovelace|Ada L|Bo Li|Cy) ([\d,]+)", line):
        v.claim(f"{line}   [{name}]", _int(count), who[name])
        done = True
    return done


def code(case: Case, line: str, v: Verdict) -> bool:
    source = case.text.split("\n")
    if found := re.match(r"([\d,]+) lines of (\w+)(?:; ([\d,]+) definitions)?", line):
        v.claim(line, True, _int(found[1]) in (len(source), len(source) - 1, len(case.text.splitlines())))
        v.claim(line, found[2].casefold(), case.kind)
        if found[3]:
            truth = len(re.findall(r"^\s*(?:def|class|func) ", case.text, re.M))
            v.claim(line, _int(found[3]), truth)
        return True
    told = re.findall(r"(\w+)(?:\([^)]*\))? \(?(?:lines? )?(\d+)[–-](\d+)\)?", line)
    for name, first, last in told:
        truths = [d for d in case.known["defs"] if d[0] == name]
        if truths:
            v.claim(f"{line}   [{name}]", (name, int(first), int(last)), truths[0])
    return bool(told)


def _listed(case: Case, line: str, v: Verdict, tags: Counter[str]) -> bool:
    """A table of the elements of a list: rows by their lines, and what is said of all of them."""
    source = case.text.splitlines()
    if found := re.match(r"(\d+)\|(.+)", line):
        cells = re.split(r" [←↑↓] ", found[2])[0].split("|")
        v.claim(line, [], [cell for cell in cells if cell not in source[int(found[1]) - 1]])
    elif found := re.match(r"([\d,]+) (\w+), \d+ fields each$", line):
        v.claim(line, _int(found[1]), tags[found[2]])
    elif found := re.match(r"(?:odd|failures), all ([\d,]+) scanned: (.*)", line):
        v.claim(line, _int(found[1]), tags["book"])
        for name, value, n, at in re.findall(r"(\w+)=(\w+)(?: ×([\d,]+))? \(line (\d+)\)", found[2]):
            v.claim(f"{line}   [{value}]", _int(n or "1"), case.text.count(f'{name}="{value}"'))
            v.claim(f"{line}   [{at}]", True, f'{name}="{value}"' in source[int(at) - 1])
    elif found := re.match(r"(state): (.*)", line):
        _counts(v, line, found[2], Counter(re.findall(r'state="(\w+)"', case.text)))
    elif found := re.match(r"(\w+): ([\d,]+) to ([\d,]+)\b", line):
        values = [*map(int, re.findall(rf"<{found[1]}>(\d+)</", case.text))]
        v.claim(line, [_int(found[2]), _int(found[3])], [min(values), max(values)])
    else:
        return line.startswith(("line|", "title: "))
    return True


def markup(case: Case, line: str, v: Verdict) -> bool:
    known, source = case.known, case.text.splitlines()
    tags = Counter(known.get("tags", []))
    if known.get("format") == "xml" and _listed(case, line, v, tags):
        return True
    if found := re.match(
        r"(?:XML|HTML|Markdown)\b.*?, ([\d,]+) lines(?:, ([\d,]+) elements)?(?:, ([\d,]+) words)?", line
    ):
        v.claim(line, _int(found[1]), len(source))
        if found[2]:
            v.claim(line, _int(found[2]), sum(tags.values()))
        return True
    if line.startswith("Elements: "):
        _counts(v, line, uncut(line[10:])[0].rstrip("."), tags)
        return True
    if found := re.match(r"All ([\d,]+) elements scanned: (.*)", line):
        v.claim(line, _int(found[1]), sum(tags.values()))
        bad = len(re.findall(r'state="(?!ok)', case.text))
        if told := re.search(r"([\d,]+) tells? of a failure", found[2]):
            v.claim(line, _int(told[1]), bad)
        elif "none" in found[2]:
            v.claim(line, 0, bad)
        return True
    if found := re.match(r"([\d,]+) headings?", line):
        v.claim(line, _int(found[1]), known.get("heads"))
        for title, at in re.findall(r"#+ (.+?) \((\d+)\)", line):
            v.claim(f"{line}   [{title}]", True, title in source[int(at) - 1])
        return True
    if line.startswith("Further headings"):
        for title, at in re.findall(r"#+ (.+?) \((\d+)\)", line):
            v.claim(f"{line}   [{title}]", True, title in source[int(at) - 1])
        return True
    if (releases := known.get("releases")) and (told := re.match(r"([\d,]+) releases, (.*)", line)):
        v.claim(line, _int(told[1]), len(releases))
        listed = [(name, int(at)) for at, name in re.findall(r"(\d+) (v?[\d.]+)", told[2])]
        ends = [(name, int(at)) for name, at in re.findall(r"(\S+) \(line (\d+)\)", told[2])]
        clipped = told[2].endswith(" …") or "…[+" in told[2]  # then the last one is left out, and that is said
        if more := re.search(r"… ([\d,]+) more, to ", told[2]):  # the first ones, how many further, and the last
            v.claim(line, _int(more[1]), len(releases) - len(listed) + 1)
            releases = [*releases[: len(listed) - 1], releases[-1]]
        truth = (
            releases[: len(listed) if clipped else None]
            if listed
            else [releases[0], releases[-1]][: len(ends) if clipped else 2]
        )
        v.claim(line, listed or ends, truth)
        return True
    if found := re.match(r"Check boxes: ([\d,]+) done, ([\d,]+) open(?:, the first at line ([\d,]+).*?: (.*))?$", line):
        open_, total = _int(found[2]), len(known["boxes"])
        v.claim(line, [_int(found[1]), open_], [total - known["boxes"].count(" "), known["boxes"].count(" ")])
        if found[3]:
            v.claim(f"{line}   [first]", f"- [ ] {found[4]}", source[_int(found[3]) - 1])
            earlier = [
                x
                for x in re.sub(r"```[^`]*```", "", "\n".join(source[: _int(found[3]) - 1])).split("\n")
                if x.startswith("- [ ]")
            ]
            v.claim(f"{line}   [earlier]", [], earlier)
        return True
    if found := re.match(r"Sections not shown: (.*?)(?: · … ([\d,]+) more)?$", line):
        names = re.findall(r"(\d+) (.+?)(?= · \d+ |$)", found[1])
        v.claim(
            line, [title for _, title in names], [re.sub(r"^#+ |</?h\d>", "", source[int(at) - 1]) for at, _ in names]
        )
        v.claim(
            f"{line}   [number]",
            True,
            len(names) + _int(found[2] or "0") <= sum(x.startswith(("#", "<h")) for x in source),
        )
        return True
    if found := re.match(r"([\d,]+) links?\b", line):
        v.claim(line, _int(found[1]), known.get("links"))
        return True
    if found := re.match(r"(\S+)/(\w+)(@\w+)? \(([\d,]+)\): (.*)", line):
        v.claim(line, _int(found[4]), tags[found[2]])
        if found[3]:
            values = re.findall(rf'<{found[2]}[^>]*{found[3][1:]}="([^"]*)"', case.text)
            body = uncut(found[5])[0]
            if all_same := re.fullmatch(r"all (\S+)", body):
                v.claim(line, True, set(values) == {all_same[1]})
            else:
                _counts(v, line, body, Counter(values))
        elif told := re.fullmatch(r"(-?[\d,.]+)–(-?[\d,.]+), median ([\d,.]+)", found[5]):
            numbers = [float(x) for x in re.findall(rf"<{found[2]}>(-?[\d.]+)</", case.text)]
            for said, truth in zip(told.groups(), (min(numbers), max(numbers), middle(numbers)), strict=True):
                v.claim(line, said, said if close(said, truth) else truth)
        return True
    return bool(re.match(r"\d+(?:[–-]\d+)? |\S+: attributes ", line))


def text(case: Case, line: str, v: Verdict) -> bool:
    if found := re.match(r"Text: ([\d,]+) lines, ([\d,]+) words, ([\d,]+) paragraphs, ([\d,]+) sentences", line):
        truth = [
            len(case.text.splitlines()),
            len(case.text.split()),
            case.known["paragraphs"],
            len(re.findall(r"\.(?=\s|$)", case.text)),
        ]
        v.claim(line, [_int(x) for x in found.groups()], truth)
        return True
    if found := re.match(r"Web search: ([\d,]+) searches, (\d+)(?: to (\d+) of ([\d,]+))? results", line):
        sizes = case.known["sizes"]
        said = [_int(found[1]), _int(found[2]), _int(found[3] or found[2]), _int(found[4]) if found[4] else sum(sizes)]
        v.claim(line, said, [len(sizes), min(sizes), max(sizes), sum(sizes)])
        if "; first titles in lines " in line:
            v.claim(line, re.findall(r"\d+", line.split(" in lines ")[1]), [*map(str, case.known["firsts"])])
        return True
    for top in re.findall(r"all other numbers are at most ([\d,]+)", line):
        at = re.match(r"(\d+) ", line)
        numbers = sorted((float(x) for x in re.findall(r"(?<!\w)\d+(?!\w)", case.text)), reverse=True)
        v.claim(line, True, bool(at) and len([x for x in numbers if x > _int(top)]) <= 1)
    if found := re.match(r"value: (-?[\d,.]+) to (-?[\d,.]+)", line):
        values = case.known["values"]
        v.claim(line, [_int(found[1]), _int(found[2])], [min(values), max(values)])
        return True
    if found := re.match(r"a column of numbers: ([\d,]+) rows", line):
        v.claim(line, _int(found[1]), len(case.known["values"]))
        return True
    return bool(re.match(r"\d+(?:[–-]\d+)?:? |#|all [\d,]+ rows scanned: none", line))


def tree(case: Case, line: str, v: Verdict) -> bool:
    top = case.known["tree"]
    if found := re.match(r"JSON object of ([\d,]+) keys?, ([\d,]+) values, depth (\d+)", line):
        v.claim(line, _int(found[1]), len(top))
        v.claim(line, _int(found[2]), _leaves(top))
        return True
    if found := re.match(r"All ([\d,]+) values scanned: (.*)", line):
        v.claim(line, _int(found[1]), _leaves(top))
        return True
    if found := re.match(r"also there: (?:([\d,]+) \*_url in (\w+))?(?:, )?(.*)", line):
        addresses = [key for key in top.get(found[2], {}) if key.endswith("_url")]
        v.claim(line, (_int(found[1] or "0"), True), (len(addresses), not found[3] or found[3] in top))
        return True
    if found := re.match(r"checks\.\*: ([\d,]+) objects; (.*)", line):
        checks = list(top["checks"].values())
        v.claim(line, _int(found[1]), len(checks))
        body, _ = uncut(found[2])
        states = Counter(c["state"] for c in checks)
        for part in body.split("; "):
            if told := re.fullmatch(r"ms (\d+)–(\d+), median ([\d.]+)", part):
                numbers = [c["ms"] for c in checks]
                truth = (min(numbers), max(numbers), middle(numbers))
                v.claim(line, tuple(float(x) for x in told.groups()), tuple(map(float, truth)))
            elif told := re.fullmatch(r"state all (.+)", part):
                v.claim(line, True, set(states) == {told[1]})
            elif part.startswith("state "):
                _counts(v, line, part[6:], states)
        return True
    return bool(re.match(r"[^:]+: |[^=]+ = |\S+\[\]|top: ", line))


def _leaves(node: Any) -> int:
    inner = list(node.values()) if isinstance(node, dict) else node if isinstance(node, list) else None
    return sum(map(_leaves, inner)) if inner else 1


RULES: dict[str, Callable[[Case, str, Verdict], bool]] = {
    "listing": listing, "grep": grep, "diff": diff, "git": git, "code": code, "markup": markup, "text": text, "json": tree,
}  # fmt: skip


def _pieces(v: Verdict, line: str, found: re.Match[str], source: list[str]) -> None:
    """``16–25 …``: each word stands in one of those lines."""
    inside = "\n".join(source[_int(found[1]) - 1 : _int(found[2])])
    body = re.sub(r"…\[\+[\d,]+ chars(?: on \d+ lines)?\]", " ", found[3])
    v.claim(f"{line}   [words]", [], [w for w in body.split() if w not in inside][:3])


def _patched(v: Verdict, case: Case, line: str, bare: str, path: str) -> bool:
    """``+12 x``: line 12 of the new file; ``-12 x``, ``~12 x``: of the old one."""
    if bare.startswith(("--- ", "+++ ")):
        return True
    found = re.match(r"([ +~-])(\d+)( .*)?$", bare)
    if not found or path not in case.known["texts"]:
        return bare.startswith(("(+N", "@@", "[", "…"))
    old, new = case.known["texts"][path]
    lines, at = (old if found[1] in "-~" else new), int(found[2])
    truth = lines[at - 1] if at <= len(lines) else ""
    said, cut = uncut((found[3] or "").strip())
    v.claim(
        f"{line}   [line]",
        True,
        truth.strip().startswith(said)
        if cut
        else truth.split() == re.sub(r" \(\+.*", "", said).split() or said == truth.strip(),
    )
    return True


def _left_out(case: Case, lines: list[str], v: Verdict) -> None:
    """Of a section that is said not to be shown no line is, up to the next heading."""
    source = case.text.split("\n")
    for line in lines:
        for at in re.findall(r"(?:: | · )(\d+) ", line) if line.startswith("Sections not shown: ") else ():
            end = next((n for n in range(int(at), len(source)) if source[n].startswith(("#", "**"))), len(source))
            told = [x for x in source[int(at) : end] if len(x) > 60 and x in lines]
            v.claim(f"{line}   [{at}]", [], told)


def check(case: Case, lines: list[str], v: Verdict) -> None:
    rule = RULES[case.family]
    source = set(map(str.strip, case.text.split("\n")))
    path = ""
    above = ""  # sign and number of the line above
    if case.kind in ("markdown", "changelog"):
        _left_out(case, lines, v)
    for line in lines:
        bare = re.sub(r"(?<=[{:(\[=,]) …$", "", line.split(" ← ")[0])  # the mark of a block that is left out
        if case.family == "diff" and above and re.match(re.escape(above[0]) + " ", bare):  # it follows that line
            number = str(int(above[1:]) + 1)
            bare = f"{above[0]}{number}{bare[1 + len(number) :]}"
        signed = re.match(r"[+-]\d+(?= |$)", bare)
        above = signed[0] if signed else ""
        if case.family == "diff" and _patched(v, case, line, bare, path):
            path = bare[4:].removeprefix("b/") if bare.startswith("+++ ") else path
            continue
        if (len(bare.strip()) > 3 and bare.strip() in case.text) or (re.match(r"\d+ ", bare) and case.family == "git"):
            continue
        if bare.strip() in source or re.sub(r"^\d+:? ", "", bare).strip() in source:
            at = re.match(r"(\d+):? ", bare)
            if at and bare.strip() not in source:
                numbered = case.text.split("\n")
                truth = numbered[int(at[1]) - 1] if int(at[1]) <= len(numbered) else ""
                if case.family != "grep":
                    v.claim(f"{line}   [line]", bare[at.end() :].strip(), truth.strip())
            continue
        if piece := re.match(r"([\d,]+)[–-]([\d,]+) (.*)", bare):
            if case.family in ("listing", "text", "code") or case.kind in ("markdown", "git-blame"):
                _pieces(v, line, piece, case.text.split("\n"))
            continue
        v.fact_lines += 1
        if not rule(case, line, v) and _QUANTIFIED.search(bare):
            v.unread.append(line)
