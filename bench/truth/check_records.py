"""Statements about lists of records and rows of tables."""

# ruff: noqa: E501  (rules are one regular expression or claim a line)

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

from bench.truth.case import FAILED, Case, Verdict
from bench.truth.values import MISSING, close, flat, key, middle, number, quantity, spellings, uncut

_BAD = re.compile("fail|error|timeout|fehler|erreur|panic|失败|denied|fatal", re.I)
_LIKE = re.compile(r" \(\+([\d,]+) (?:more )?like it(?:: ([^)]*))?\)$")


class Columns:
    """The truth: the values by field, each with its number (from 1)."""

    def __init__(self, rows: list[dict[str, Any]], *, nested: bool) -> None:
        self.rows = [flat(row) if nested else dict(row) for row in rows]
        self.raw = rows
        self.names = list(dict.fromkeys(name for row in self.rows for name in row))

    def find(self, name: str) -> str | None:
        """The field a reader means: by its whole path, or the end of it where that is enough."""
        bare = name.removesuffix("[]")
        if bare in self.names:
            return bare
        ends = [
            known
            for known in self.names
            if known.endswith(("." + bare, bare)) and known[-len(bare) - 1 : -len(bare)] in ".["
        ]
        return ends[0] if len(ends) == 1 else None

    def values(self, name: str) -> list[tuple[int, Any]]:
        return [(i, row[name]) for i, row in enumerate(self.rows, 1) if name in row]

    def present(self, name: str) -> int:
        """Records with that key, whatever it holds: members of an object count for it."""
        return sum(any(x == name or x.startswith((name + ".", name + "[")) for x in row) for row in self.rows)

    def filled(self, name: str) -> list[Any]:
        """Those that are not null, nor an empty cell."""
        return [v for _, v in self.values(name) if v is not None]


def _said(text: str, value: Any) -> bool:
    """Whether a text, cut or not, is a spelling of the value."""
    text, cut = text.rstrip("…") if text.endswith("…") else text, text.endswith("…")
    if text.startswith("…"):
        return any(text[1:] in s for s in spellings(value))
    texts = spellings(value) | ({"nan"} if value != value else set())
    return any(s.startswith(text.strip()) if cut else s.strip() == text.strip() for s in texts)


def _tally(v: Verdict, line: str, body: str, values: list[Any], cut: bool, shapes: bool = False) -> bool:
    """``ok 66 · failed 34 · 2 others 5``: each count, and that together they are all."""
    counts = Counter(key(x) for x in values)
    alike = re.match(r"([\d,]+) values, (?:([\d,]+)|once) each: ", body)
    if alike:
        v.claim(line, int(alike[1].replace(",", "")), len(counts))
        many = f" {alike[2] or 1}"
        body = (many + " · ").join(body[alike.end() :].split(" · ")) + many
    entries = body.split(" · ")
    if cut:
        entries = entries[:-1]
    total, rest = 0, False
    seen: set[Any] = set()
    for entry in entries:
        found = re.fullmatch(r"(.*?) ×?([\d,]+)", entry, re.S)
        more = re.fullmatch(r"([\d,]+) more values?|([\d,]+) others? ([\d,]+)|([\d,]+) more", entry)
        if more:
            rest = True
            if more[2]:
                total += int(more[3].replace(",", ""))
                if not shapes:
                    v.claim(line, int(more[2].replace(",", "")), len(counts) - len(seen))
            elif more[1]:
                v.claim(line, int(more[1].replace(",", "")), len(counts) - len(seen))
                total = len(values)
            continue
        if not found:
            return False
        count = int(found[2].replace(",", ""))
        total += count
        if shapes or re.search(r"\{(?:n|id|hex|word)\}", found[1]):
            pattern = "" if found[1] == "(empty)" else _pattern(found[1])
            v.claim(line, count, sum(bool(re.fullmatch(pattern, str(x))) for x in values))
            continue
        hits = list(dict.fromkeys(key(x) for x in values if _said(found[1], x)))
        truths = [counts[k] for k in hits]
        seen.update(hits[:1])
        v.claim(f"{line}   [{entry}]", count, count if count in truths or (count == sum(truths) and truths) else truths)
    if (not cut and not rest) or (not cut and rest):
        v.claim(f"{line}   [all together]", total, len(values))
    return True


def _pattern(template: str) -> str:
    classes = {"n": r"-?[\d][\d,.:]*", "id": r"[0-9A-Za-z-]+", "hex": r"[0-9a-f]+", "word": r"\w+"}
    return "".join(
        classes.get(part[1:-1], ".*") if part.startswith("{") else re.escape(part)
        for part in re.split(r"(\{\w+\})", template)
    )


def _measured(values: list[Any]) -> tuple[list[float], bool]:
    """Quantities of one kind; false if some are none or of another kind."""
    texts = [x if isinstance(x, str) else repr(x) for x in values if not isinstance(x, bool)]
    read = [quantity(x) for x in texts if x.strip()]
    kinds = {r[0] for r in read if r}
    return [r[1] for r in read if r], len(kinds) == 1 and all(read)


def _range(v: Verdict, line: str, body: str, values: list[Any]) -> bool:
    found = re.fullmatch(r"(.+?) to (.+?)(?:, median (.+?))?(?:, mean (.+?))?(?:, sum (.+?))?", body)
    if not found:
        return False
    low, high = found[1], found[2]
    numbers, pure = _measured([x for x in values if not isinstance(x, list)])
    if quantity(low) and quantity(high) and pure and numbers:
        for text, truth in ((low, min(numbers)), (high, max(numbers))):
            v.claim(line, text, text if close(text, truth) else truth)
        if found[3]:
            v.claim(
                line,
                f"median {found[3]}",
                f"median {found[3] if close(found[3], middle(numbers), rounded=1e-11) else middle(numbers)}",
            )
        mean = sum(numbers) / len(numbers)
        if found[4]:
            v.claim(line, f"mean {found[4]}", f"mean {found[4] if close(found[4], mean, rounded=6e-4) else mean}")
        if found[5]:
            v.claim(
                line,
                f"sum {found[5]}",
                f"sum {found[5] if close(found[5], sum(numbers), rounded=1e-11) else sum(numbers)}",
            )
        return True
    texts = [x for x in values if isinstance(x, str) and x.strip()]
    first, last = min(texts, key=_moment, default=""), max(texts, key=_moment, default="")
    v.claim(line, low, low if texts and _moment(low) == _moment(first) else first)
    v.claim(line, high, high if texts and _moment(high) == _moment(last) else last)
    return True


def _moment(text: str) -> str:
    """A date that sorts: separators alike, an offset reckoned."""
    from datetime import datetime

    text = text.strip().replace("/", "-")
    try:
        return f"{datetime.fromisoformat(text + ('+00:00' if 'T' not in text else '')).timestamp():020.3f}"
    except ValueError:
        return text


def _field(v: Verdict, line: str, columns: Columns, n: int) -> bool | None:
    """``name: what is said of it (present in 10 of 20, null 3)``; None if no such field."""
    names = [x for x in (m.start() for m in re.finditer(": ", line)) if columns.find(line[:x])]
    if not names:
        return None
    joined = [part for part in line.split(" · ") if part != "…"]  # the ends of several columns
    if len(joined) > 1 and all(columns.find(part.partition(": ")[0]) and " to" in part for part in joined):
        return all(_field(v, part, columns, n) for part in joined)
    name = columns.find(line[: names[0]])
    assert name
    body, cut = uncut(line[names[0] + 2 :])
    values = [x for _, x in columns.values(name)]
    tail = re.search(
        r" \((?:present in ([\d,]+) of ([\d,]+))?(?:, )?(?:null ([\d,]+))?(?:, )?(?:empty ([\d,]+))?(?:, )?(?:objects [\d,]+)?(?:, )?(?:lists [\d,]+)?\)$",
        body,
    )
    if tail and tail[0].strip() != "()":
        body = body[: tail.start()]
        if tail[1]:
            v.claim(line, int(tail[1].replace(",", "")), columns.present(name))
            v.claim(line, int(tail[2].replace(",", "")), n)
        if tail[3]:
            v.claim(line, int(tail[3].replace(",", "")), sum(x is None for x in values))
        if tail[4]:
            v.claim(line, int(tail[4].replace(",", "")), sum(x == "" for x in values))
            values = [x for x in values if x != ""]
    elif not cut and not line[: names[0]].endswith("[]"):
        v.claim(f"{line}   [in all]", n, columns.present(name))
    filled = [x for x in values if x is not None]
    if tail and re.search("objects|lists", tail[0]):
        filled = [x for x in filled if not isinstance(x, list | dict)]
    if line[: names[0]].endswith("[]"):
        if " in each record " in f" {body}":
            wanted = body.split("in each record ", 1)[1].split(", ")
            v.claim(
                line,
                True,
                all(isinstance(x, list) and all(any(_said(w, y) for y in x) for w in wanted) for x in filled),
            )
            return True
        filled = [y for x in filled if isinstance(x, list) for y in x]  # a scalar in a list's place is told under x
    shapes = re.match(r"([\d,]+) shapes, ", body)
    if shapes:
        return _tally(v, line, body[shapes.end() :], filled, cut, shapes=True)
    distinct = re.fullmatch(r"(.*?)(?:, )?(?:all distinct|([\d,]+) distinct)(?:, e\.g\. .*)?", body)
    if distinct and not cut:
        different = len({key(x) for x in filled})
        v.claim(f"{line}   [distinct]", int(distinct[2].replace(",", "")) if distinct[2] else len(filled), different)
        body = distinct[1]
        if not body:
            return True
    counted = re.match(r"([\d,]+) distinct, (?!e\.g\. )", body)
    if counted:
        v.claim(f"{line}   [distinct]", int(counted[1].replace(",", "")), len({key(x) for x in filled}))
        body = body[counted.end() :]
    if empty := re.search(r", ([\d,]+) empty(?=$|, [\d,]+ distinct)", body):
        v.claim(f"{line}   [empty]", int(empty[1].replace(",", "")), sum(x == "" for x in filled))
        body = body[: empty.start()] + body[empty.end() :]
    example = re.fullmatch(r"(?:text, )?e\.g\. (.+)|(.*), e\.g\. (.+)", body)
    if example:
        said = example[1] or example[3]
        v.claim(line, True, cut or any(_said(said, x) or str(x).startswith(said.rstrip("…")) for x in filled))
        return True
    if cut and " to " in body and " · " not in body:
        ends, *more = re.split(r", (?=median|mean|sum|$)", body)
        return _range(v, line, ends, filled) if more and re.search(r" to .*\d", ends) else True
    if "{" in body and " · " not in body and " " not in body:
        v.claim(line, True, all(re.fullmatch(_pattern(body), str(x)) for x in filled))
        return True
    if re.fullmatch(r".+ to .+", body) and " · " not in body and _range(v, line, body, filled):
        return True
    return _tally(v, line, body, filled, cut)


def _mark(v: Verdict, line: str, mark: str, columns: Columns, at: int, count: str | None = None) -> bool:
    """One oddity of the row ``at``: ``status=failed``, ``x is null, mostly list``, ``seconds=3912, median 57``."""
    row = columns.rows[at - 1] if 0 < at <= len(columns.rows) else {}
    mark, cut = uncut(mark)
    only = mark.startswith("only here: ")
    mark = mark.removeprefix("only here: ")
    kind = re.fullmatch(r"(.+?) is (null|string|number|list|object|boolean|empty)(?:, .*)?", mark)
    if kind:
        name = columns.find(kind[1]) or ""
        value = row.get(name, MISSING)
        types = {"null": value is None, "string": isinstance(value, str), "list": isinstance(value, list), "object": isinstance(value, dict),
                 "boolean": isinstance(value, bool), "number": isinstance(value, int | float), "empty": value in ("", [], {})}  # fmt: skip
        v.claim(line, True, types[kind[2]] or (kind[2] in ("string", "number") and isinstance(value, str)))
        return True
    mark = mark.removesuffix(", the only one of its shape")
    beside = re.search(r", (?:median (\S+)|(\S+) in ([\d,]+) others?|one of ([\d,]+) different numbers)$", mark)
    pair = re.match(r"(.+?)=(.*)", mark[: beside.start()] if beside else mark, re.S)
    if only and not pair:
        for part in mark.split(", "):
            name = columns.find(part) or ""
            v.claim(
                line,
                "only here",
                "only here" if name and [i for i, _ in columns.values(name)] == [at] else f"{part}: not only",
            )
        return True
    if not pair or mark.endswith(" occurs again") or not columns.find(pair[1]):
        again = re.fullmatch(r"(.+)=(.+) occurs again", mark)
        if again and columns.find(again[1]):
            same = sum(_said(again[2], x) for x in columns.filled(columns.find(again[1]) or ""))
            v.claim(line, True, same > 1)
            return True
        found = re.match(r"(.+?): (.+)", mark)
        if found and columns.find(found[1]):
            name, said = columns.find(found[1]) or "", found[2].strip("…“”").casefold()
            v.claim(line, True, said in str(row.get(name)).casefold())
            if count:
                v.claim(line, int(count), sum(said in str(x).casefold() for x in columns.filled(name)))
            return True
        return False
    name = columns.find(pair[1]) or ""
    said = pair[2] + ("…" if cut else "")
    v.claim(f"{line}   [{mark}]", True, _said(said, row.get(name, MISSING)))
    filled = columns.filled(name)
    if beside and beside[1]:
        numbers, _ = _measured(filled)
        v.claim(
            line,
            beside[0],
            beside[0] if numbers and close(beside[1], middle(numbers), rounded=1e-11) else middle(numbers or [0]),
        )
    elif beside and beside[2]:
        v.claim(f"{line}   [{mark}]", int(beside[3].replace(",", "")), sum(_said(beside[2], x) for x in filled))
    elif beside:
        different = {str(x) for x in filled if quantity(str(x))}
        v.claim(f"{line}   [{mark}]", int(beside[4].replace(",", "")), len(different))
    if only:
        v.claim(line, "only here", "only here" if len(columns.values(name)) == 1 else "not only")
    if count:
        v.claim(line, int(count), sum(_said(said, x) for x in columns.filled(name)))
    return True


_CUT = re.compile(r"(.+)\[:(\d+)\]")
"""A column of which the header says that its cells are cut."""


def _row(v: Verdict, line: str, head: list[str], columns: Columns) -> bool:
    """A shown row is the original's at that number."""
    v.claims += 1
    found = re.match(r"#([\d,]+)(?:\|(.*))?$", line, re.S)
    if not found:
        return False
    at, body = int(found[1].replace(",", "")), found[2] or ""
    like = _LIKE.search(body)
    if like:
        body = body[: like.start()]
        listed = [int(x) for x in re.findall(r"\d+", like[2] or "")]
        v.claim(line, True, len(listed) == int(like[1]) or ("…" in (like[2] or "") and len(listed) < int(like[1])))
        v.claim(line, True, all(0 < x <= len(columns.rows) and x != at for x in listed))
    if not like:  # cut inside of what follows the row
        body = (
            re.sub(r" (?:\(\+|←).*…\[\+[\d,]+ chars(?: on \d+ lines)?\]$", "", body)
            if body.count("…[+") > 1 or " ←" in body
            else body
        )
    body, _, marks = body.partition(" ← ")
    if not 0 < at <= len(columns.rows):
        v.claim(line, f"row {at}", f"{len(columns.rows)} rows")
        return True
    row = columns.rows[at - 1]
    if end := re.search(r" ([↓↑]) (?:least|most) (.+)$", body):
        body, name = body[: end.start()], columns.find(end[2]) or ""
        (own, _), (every, _) = _measured([row.get(name, MISSING)]), _measured(columns.filled(name))
        v.claim(line, own[:1], [(min if end[1] == "↓" else max)(every)] if every else [])
    named = [(found[1], int(found[2])) if (found := _CUT.fullmatch(name)) else (name, None) for name in head]
    head = [name for name, _ in named]
    wanted = [{s[:end] for s in spellings(_cell(columns.raw[at - 1], row, name, columns))} for name, end in named]
    pieces = re.split(r"…\[\+([\d,]+) chars(?: on \d+ lines)?\]", body)
    behind = {f"{name}={text}" for name in row if name not in map(columns.find, head) for text in spellings(row[name])}
    if len(pieces) > 1:
        longest, shortest = (
            sum(max(map(len, s)) for s in wanted) + len(wanted) - 1,
            sum(min(map(len, s)) for s in wanted),
        )
        length = sum(map(len, pieces[0::2])) + sum(int(x.replace(",", "")) for x in pieces[1::2])
        longest += sum(len(said) + 1 for said in behind)
        if not marks:
            v.claim(f"{line}   [length]", length, length if shortest <= length <= longest else f"{shortest}–{longest}")
        cells = pieces[0].split("|")
        for said, texts in zip(cells[:-1], wanted, strict=False):
            v.claim(f"{line}   [{said}]", said, said if any(_same(said, t) for t in texts) else sorted(texts))
    else:
        cells = body.split("|")
        for i, texts in enumerate(wanted):
            said = cells[i] if i < len(cells) else ""
            v.claim(
                f"{line}   [{head[i]}: {said}]", said, said if any(_same(said, t) for t in texts) else sorted(texts)
            )
        for said in cells[len(head) :]:
            bare = not head and any(text.startswith(said) for name in row for text in spellings(row[name]))
            v.claim(f"{line}   [{said}]", said, said if said in behind or bare else "no such value")
    for mark in marks.split("; ") if marks else []:
        if not _mark(v, line, mark, columns, at):
            v.unread.append(f"mark: {mark}")
    return True


def _same(said: str, text: str) -> bool:
    return said.strip() == text.strip().replace("|", "\\|").replace("\n", "\\n") or (
        said.strip() in ("(empty)", "") and not text.strip()
    )


def _cell(raw: dict[str, Any], row: dict[str, Any], name: str, columns: Columns) -> Any:
    found = columns.find(name)
    value = row.get(found, MISSING) if found else MISSING
    key = json.loads(name)[0] if name.startswith('["') and name.endswith('"]') else found
    if value is MISSING and found and isinstance(inner := raw.get(str(key)), dict):
        value = inner  # an object where other records hold a value
    return MISSING if value is None and name.endswith("[]") else value


def check(case: Case, lines: list[str], v: Verdict) -> None:
    columns = Columns(case.rows, nested=case.family == "records")
    n, head = len(case.rows), list[str]()
    source = set(case.text.splitlines())
    sizes = [len(r) for r in case.rows]
    union = len({name for r in case.rows for name in r})
    grouped = list[str]()
    for line in lines:
        if line.startswith("#|"):
            head = line[2:].split("|")
            for name in head:
                if not columns.find(_CUT.sub(r"\1", name)):
                    v.unread.append(f"column {name}")
            continue
        if re.match(r"#\d", line):
            _row(v, line, head, columns)
            continue
        grouped = line.split("|") if re.match(r"by [^|]+\|rows\|", line) else grouped
        if grouped and line.count("|") == len(grouped) - 1:
            if not line.startswith("by "):
                _group(v, line, grouped, columns)
            continue
        if line in source or (
            (cut_off := line.split("…[+")[0]) and len(cut_off) > 3 and cut_off in case.text and "…[+" in line
        ):
            continue  # a line of the original, as it stands
        v.fact_lines += 1
        found = re.match(
            r"(?:[\w' -]+): ([\d,]+) (?:records|rows)(?: under [^,]+)?, ([\d,]+)(?: to ([\d,]+) of ([\d,]+))? (fields each|columns)",
            line,
        )
        if found:
            v.claim(line, int(found[1].replace(",", "")), n)
            said = [int(x) for x in found.groups()[1:4] if x]
            if found[5] == "columns":
                v.claim(line, said[0], len(case.known["head"]) if "head" in case.known else 1)
            else:
                v.claim(line, said, [min(sizes)] if min(sizes) == max(sizes) else [min(sizes), max(sizes), union])
            continue
        if found := re.match(r"all ([\d,]+) (?:rows|records) scanned: none names error", line):
            v.claim(line, int(found[1].replace(",", "")), n)
            bad = [x for row in columns.rows for x in row.values() if isinstance(x, str | list) and _BAD.search(str(x))]
            v.claim(line, [], bad[:3])
            continue
        if found := re.match(r"failures, all ([\d,]+) (?:rows|records) scanned: (.*)", line):
            v.claim(line, int(found[1].replace(",", "")), n)
            _failures(v, line, found[2], columns)
            continue
        if found := re.match(r"odd, of all ([\d,]+) (?:rows|records) scanned: (.*)", line):
            v.claim(line, int(found[1].replace(",", "")), n)
            body, cut = uncut(found[2])
            for part in body.split(" · ")[: -1 if cut else None]:
                place = re.fullmatch(r"(.+?)(?: ×([\d,]+))? \(#([\d,]+)\)", part, re.S)
                for mark in re.split(r"; |, (?=\S+(?: is (?:null|empty|[a-z]+,)|=|: ))", place[1]) if place else []:
                    assert place
                    if not _mark(v, line, mark, columns, int(place[3].replace(",", "")), place[2]):
                        v.unread.append(f"odd: {part}")
                if not place and not re.fullmatch(r"[\d,]+ more", part):
                    v.unread.append(f"odd: {part}")
            continue
        if found := re.match(r"same in all: (.*)", line):
            body, cut = uncut(found[1])
            for part in re.split(r", (?=[^,=]+=)", body)[: -1 if cut else None]:
                name, _, value = part.partition("=")
                known = columns.find(name) or ""
                values = columns.values(known)
                same = [
                    x
                    for _, x in values
                    if _said(value, x) or (name.endswith("[]") and x and all(_said(value, y) for y in x))
                ]
                v.claim(f"{line}   [{part}]", n, len(same))
            continue
        if found := re.match(r"(always empty|not shown in rows): (.*)", line):
            body, cut = uncut(found[2])
            for name in re.split(r"; |, ", body)[: -1 if cut else None]:
                known = columns.find(name) or columns.find(name.split(" ")[0]) or ""
                if found[1] == "always empty":
                    v.claim(line, [], [x for _, x in columns.values(known) if x not in ("", None, [], {})][:3])
                else:
                    v.claim(line, True, name not in head and bool(known))
            continue
        if found := re.match(r"([\d,]+) rows? (?:has|have) not ([\d,]+) cells", line):
            v.claim(line, int(found[1]), case.known.get("ragged"))
            continue
        if found := re.match(r"([\d,]+) lines? of ([\d,]+) (?:do|does) not parse", line):
            v.claim(line, int(found[1]), case.known.get("bad"))
            v.claim(line, int(found[2].replace(",", "")), n + case.known.get("bad", 0))
            continue
        if re.match(r"(other keys|errors or warnings in other keys)", line):
            v.claims += 1
            continue
        if re.match(r"1 NaN or Infinity, which are not JSON", line):
            v.claim(line, 1, case.text.count("NaN"))
            continue
        said_of = _field(v, line, columns, n)
        if not said_of and re.search(r"\d|\b(all|each|no|none|always|only|every)\b", line):
            v.unread.append(line)


def _spelt(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _group(v: Verdict, line: str, head: list[str], columns: Columns) -> None:
    """``ABC|80|…`` below ``by symbol|rows|price first|last|price least|most|mean``."""
    cells = line.split("|")
    label, _, size = head[0].removeprefix("by ").partition("[:")
    long, name = int(size.rstrip("]") or 0) or 40, columns.find(label) or ""
    said = cells[0].replace("(empty)", "")
    held = [row for row in columns.rows if _spelt(row.get(name, "")).strip()[:long] == said.strip('"')]
    flags = [row for row in held if isinstance(row.get(name), bool)]  # a text that says "true" is in quotes
    held = [row for row in held if row not in flags] if said[:1] == '"' else flags or held
    v.claim(line, int(cells[1].replace(",", "")), len(held))
    of = ""
    for said, text in list(zip(head, cells, strict=True))[2:]:
        of, what = said.rsplit(" ", 1) if " " in said else (of, said)
        values = [row[known] for row in held if (known := columns.find(of)) in row and row[known] is not None]
        if what in ("first", "last"):
            v.claim(f"{line}   [{said}]", True, _said(text, values[0 if what == "first" else -1]))
            continue
        numbers = [q[1] for x in values if (q := quantity(str(x)))]
        if not numbers:
            v.claim(f"{line}   [{said}]", text, "-")
            continue
        truth = min(numbers) if what == "least" else max(numbers) if what == "most" else sum(numbers) / len(numbers)
        rounded = 6e-4 if what == "mean" else 0
        v.claim(f"{line}   [{said}]", text, text if close(text, truth, rounded=rounded) else truth)


def _failures(v: Verdict, line: str, body: str, columns: Columns) -> None:
    body, cut = uncut(body)
    for part in body.split(" · ")[: -1 if cut else None]:
        if named := re.fullmatch(r"(.+?): ([\d,]+) of ([\d,]+) names? a failure.*", part):
            texts = [str(x) for x in columns.filled(columns.find(named[1]) or "")]
            v.claim(f"{line}   [{part}]", int(named[2]), sum(any(f in x for f in FAILED) for x in texts))
            v.claim(f"{line}   [{part}]", int(named[3]), len(columns.values(columns.find(named[1]) or "")))
        elif rated := re.fullmatch(r"(.+?): (.*?) ?([\d,]+) of ([\d,]+)( \(.*\))?", part):
            name = columns.find(rated[1]) or ""
            values = columns.filled(name)
            if rated[2]:
                v.claim(f"{line}   [{part}]", int(rated[3].replace(",", "")), sum(_said(rated[2], x) for x in values))
            else:  # a field named for failures: what it holds, each with its count
                inner = re.findall(r"([^(,].*?) ×([\d,]+)(?:, |\))", (rated[5] or "").removeprefix(" ("))
                for said, count in inner:
                    v.claim(f"{line}   [{said}]", int(count.replace(",", "")), sum(_said(said, x) for x in values))
                if inner and "…" not in part:
                    v.claim(
                        f"{line}   [{part}]",
                        int(rated[3].replace(",", "")),
                        sum(int(c.replace(",", "")) for _, c in inner),
                    )
            v.claim(f"{line}   [{part}]", int(rated[4].replace(",", "")), len(columns.values(name)))
        elif not number(part.removesuffix(" more")):
            v.unread.append(f"failures: {part}")
