"""What a configuration holds: its keys or sections as a tree of headings, and of YAML the largest lists and maps of
things that are alike as tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterator, Sequence
from dataclasses import field
from itertools import pairwise

from mcpcompact.content.code.scan import OUTLINED, Scan
from mcpcompact.content.shared.languages import scalars
from mcpcompact.outline import Fact, record
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped, some

_NAMES = ("name", "id", "uses", "alias", "job_name", "key", "title", "label")  # of an entry, what it is called
_SECTION = regex(r"\s*\[\[?([^\[\]]{1,120})\]\]?\s*(?:#.*)?$", holds="[")
_CALLED = regex(rf"\s*(?:{'|'.join(_NAMES)})\s*=\s*[\"']([^\"'\s][^\"']{{0,80}})[\"']")
_COUNTED = regex(r" \([\d,]+ below\)", holds=" below)")
_TOP_KEY = regex(r"([\"']?[\w./$-]+[\"']?):(?:\s|$)")
DEFINED_IN = {
    "TOML": "sections", "INI": "sections", "configuration": "sections", "Makefile": "targets", "Dockerfile": "stages",
}  # fmt: skip
KEYS = 16  # keys that are named
TOP = 2  # level of the outermost: one alone is no title of the whole
DEPTH = 5  # levels of keys
WORD = 3  # times that a key stands in a file which is a word of its schema and no name

ENTRY = EMPTY = "[]"  # the step to an entry of a list; a list without
MIN, HELD, MAX = 3, 0.5, 2  # entries of a table; share of them that has a column, of lines in a deeper one; tables
SHARE = 0.2  # of the lines, what a table is about
STEPS, DEEP = 3, 12  # from an entry to what it is told by; from the top to an entry
NARROW, NAME, WIDE, CELL = 24, 60, 240, 100  # characters on average of a short value, a name, a sentence; of a cell
COLUMNS, TWO, MARK = 4, 2, 3  # of short values; values that tell apart; characters that begin a block scalar
FEW, OWN = 0.2, 0.6  # shares of entries that have a key, of these that have a value of their own, of a name
_KEY = regex(r"([\"']?[^\s\"'#{}\[\]:][^#{}\[\]\"']{0,80}?[\"']?):(?: +(\S.*))?$")

Heading = tuple[int, int, str]
Within = list[tuple[str, str]]


@record
class Node:
    """A document, a key or an entry: its line, the place of what holds it, its value; its last line, its path, the keys
    in it, and by the steps to them the values that tell what it is."""

    line: int
    parent: int
    step: str
    value: str = ""
    end: int = 0
    depth: int = 0
    path: str = ""
    keys: list[str] = field(default_factory=list)
    cells: dict[str, list[str]] = field(default_factory=dict)

    def goes_on(self, i: int, text: str) -> None:
        """Its value has a further line, of which a block scalar begins with the first."""
        begins = self.end <= self.line and self.value[:1] in ("|", ">") and len(self.value) <= MARK
        self.value, self.end = text if begins else f"{self.value.removesuffix(' …')} …", i


def outlined(scan: Scan) -> list[Fact]:
    """What a configuration holds: tables of what is alike, whose lines give way to others, the tree of its keys or
    sections; of a small one their names."""
    language = scan.languages[0] if len(scan.languages) == 1 else ""
    placed = language if not scan.view.unplaced else ""
    tabled, headings, keys = list[Fact](), list[Fact](), list[str]()
    if placed == "YAML":
        tabled, headings = _of_yaml(scan)
        keys = [m[1] for m in map(_TOP_KEY.match, scan.texts) if m]
    elif placed in OUTLINED:
        headings = _tree(scan, _sections(scan))
    if headings or any(fact.text.startswith("*: ") for fact in tabled):
        return [*tabled, *headings]
    names = dict.fromkeys(keys or [d.name for d in scan.definitions if not d.depth and d.name])
    word = "top-level keys" if keys else DEFINED_IN.get(language)
    return tabled + ([Fact(f"{word}: {some(list(names), KEYS)}", 1)] if word and len(names) > (not keys) else [])


def _of_yaml(scan: Scan) -> tuple[list[Fact], list[Fact]]:
    """The tables of YAML, and the tree of the keys that stand in none, each with its line."""
    nodes = nodes_of(["" if i in scan.view.outside else text for i, text in enumerate(scan.texts)])
    groups = tables(nodes, [*map(scan.number, range(len(scan.texts)))])
    rows = set[int]().union(*(own for _, own in groups))
    for k, node in enumerate(nodes):
        if k in rows or node.parent in rows:  # whole or by their parts
            scan.wholes.setdefault(node.line, node.end + 1)
        scan.tabled.update(range(node.line, node.end + 1) if k in rows else ())
    if groups or len(scan.named) == 1:
        scan.named.clear()
    headings = _tree(scan, _keys(nodes, rows))
    for fact in headings:  # not all keys are told: what is below one is not counted
        fact.text, fact.short, fact.least = (_COUNTED.sub(" …", text) for text in (fact.text, fact.short, fact.least))
    return [table for table, _ in groups], headings


def _tree(scan: Scan, headings: Sequence[Heading]) -> list[Fact]:
    from mcpcompact.content.markup.tree import tree

    return tree([(TOP + level, scan.number(i), name) for level, i, name in headings])


def _sections(scan: Scan) -> list[Heading]:
    """Sections, below the one by whose name theirs begins; each of several of one name by what it is called."""
    headings, above, seen, texts = list[Heading](), list[tuple[str, int]](), set[str](), scan.texts
    heads = [(i, match[1]) for i, text in enumerate(texts) if (match := _SECTION.match(text))]
    often = Counter(name for _, name in heads)
    for (i, name), (end, _) in pairwise([*heads, (len(texts), "")]):
        while above and not name.startswith(f"{above[-1][0]}."):
            above.pop()
        scan.above[i] = above[-1][1] if above else -1
        own = (match[1] for text in texts[i + 1 : end] if (match := _CALLED.match(text))) if often[name] > 1 else ()
        called = next(iter(own), "")
        if called:  # whole or by its name
            scan.wholes[i] = next(k for k in range(end, i, -1) if texts[k - 1].strip())
            called = called if name in seen else f"[[{name}]] {called}"
            seen.add(name)
        headings.append((len(above), i, called or name))
        above.append((name, i))
    return headings


def _keys(nodes: Sequence[Node], tabled: Container[int]) -> list[Heading]:
    """Keys with something below them, outer ones also without, and the names of entries; not what entries hold, nor
    what is called alike in several places (``steps``): what is below such a key stands below what that is in. What
    stands in a table is none of them."""
    headings, levels = list[Heading](), [0] * len(nodes)
    listed, hidden = [False] * len(nodes), [False] * len(nodes)
    often = Counter(node.step for node in nodes if not node.value and node.depth > 1)
    for k, node in enumerate(nodes):
        within, entry = max(0, node.parent), nodes[max(0, node.parent)]
        levels[k], hidden[k] = levels[within] * (node.parent >= 0), hidden[within] or k in tabled
        listed[k] = listed[within] or (node.step == ENTRY and node.depth > 0)
        named = node.step in _NAMES and entry.depth > 0 and entry.step == ENTRY and entry.line == node.line
        holds = not listed[k] and node.depth > 0 and (not node.value or node.depth == 1) and often[node.step] < WORD
        if levels[k] < DEPTH and not hidden[k] and (holds or (named and node.value)):
            headings.append((levels[k], node.line, node.value if named else node.step))
            levels[within if named else k] += 1
    return headings


def nodes_of(texts: Sequence[str]) -> list[Node]:
    """The documents, keys and entries of a YAML text, each behind what holds it."""
    nodes, open_ = [Node(0, -1, ENTRY)], [(-1, 0)]  # columns and places of what holds the next line
    within = scalars(texts)
    for i, text in enumerate(texts):
        head, column = text.strip(), 2 * (len(text) - len(text.lstrip()))
        if not head or (head[0] == "#" and not within[i]):
            continue
        if within[i] or (nodes[-1].value and column > open_[-1][0]):
            nodes[-1].goes_on(i, head)
        elif text[:3] == "---":
            open_ = [(-1, len(nodes))]
            nodes.append(Node(i, -1, ENTRY))
        else:
            for at, step, value in _opened(head, column):
                while open_[-1][0] >= at:
                    open_.pop()
                nodes.append(Node(i, open_[-1][1], step, value))
                open_.append((at, len(nodes) - 1))
    return _placed(nodes)


def _opened(head: str, column: int) -> Iterator[tuple[int, str, str]]:
    """The entries and the key that a line begins: twice its column, an entry may stand in that of its key."""
    while head[:2] == "- " or head == "-":
        rest = head[1:].lstrip()
        yield column + 1, ENTRY, "" if rest[:2] == "- " or _KEY.match(rest) else _bare(rest)
        column, head = column + 2 * (len(head) - len(rest)), rest
    if match := _KEY.match(head):
        yield column, match[1].strip("\"'"), _bare(match[2] or "")


def _placed(nodes: list[Node]) -> list[Node]:
    for node in nodes[1:]:
        above = nodes[node.parent]
        node.depth = above.depth + 1 if node.parent >= 0 else 0
        node.path = f"{above.path}.{node.step}".replace(f".{ENTRY}", ENTRY) if 0 < node.depth <= DEEP else ""
    for node in reversed(nodes):
        node.end = max(node.end, node.line)
        if node.parent >= 0:
            nodes[node.parent].end = max(nodes[node.parent].end, node.end)
    return nodes


def _bare(value: str) -> str:
    """A value without its quotes, its anchor and a comment behind it."""
    value = value if value[:1] in "\"'" else "" if value[:1] == "#" else value.partition(" #")[0].strip()
    bare = value[1:-1] if value[:1] in "\"'" and value[-1:] == value[:1] else value
    anchor = value[:1] in ("&", "!") and " " not in value
    return value if set(bare) & set("\"'\\") else "" if anchor else bare


def tables(nodes: Sequence[Node], numbers: Sequence[int]) -> list[tuple[Fact, set[int]]]:
    """The largest groups of alike things as tables, each with the places of what its rows are about."""
    groups = defaultdict[str, list[int]](list)
    for k, node in enumerate(nodes):
        if node.parent >= 0:
            nodes[node.parent].keys.append(node.step)
        if node.depth <= DEEP and (node.step == ENTRY or node.end > node.line):
            groups[node.path if node.step == ENTRY else f"{nodes[node.parent].path}.*"].append(k)
        at, steps = k, [ENTRY] * (node.value == EMPTY)
        while node.value and node.depth <= DEEP and at > 0 and len(steps) < STEPS:
            steps.insert(0, nodes[at].step)
            at = nodes[at].parent
            nodes[at].cells.setdefault(".".join(steps).replace(f".{ENTRY}", ENTRY), []).append(node.value)
    facts, sizes = dict[str, Fact](), dict[str, tuple[bool, float]]()
    for path, every in groups.items():
        groups[path] = [k for k in every if nodes[k].cells]
        own = [nodes[k] for k in groups[path]]
        cover = sum(node.end - node.line + 1 for node in own)
        alike = path[-1:] != "*" or _alike([node.keys for node in own], {node.step for node in own})
        if len(own) >= MIN and cover >= SHARE * len(numbers) and alike:
            holders = [_within(nodes, k) for k in groups[path]] if path.count(ENTRY) > 1 else []
            table = _table(path, own, numbers, holders)
            if table is not None:
                facts[path], sizes[path] = table[0], (table[1], cover)
    for path in [*facts]:  # entries within entries, if they have names, rather than what holds them
        within = [each for each in facts if path in facts and each.startswith(path.removesuffix("*")) and each != path]
        outer = any(sizes[each] >= (True, HELD * sizes[path][1]) for each in within)
        for each in [path] if outer else within:
            del facts[each]
    chosen = sorted(facts, key=lambda path: -sizes[path][1])[:MAX]
    return [(fact, {*groups[path]}) for path, fact in facts.items() if path in chosen]


def _within(nodes: Sequence[Node], at: int) -> Within:
    """The entries that an entry stands in, from the outermost, each by the first of its keys and that one's value."""
    holders = Within()
    while (at := nodes[at].parent) > 0:
        if nodes[at].step == ENTRY and nodes[at].depth:
            key, values = next(iter(nodes[at].cells.items()), ("", [""]))
            holders.insert(0, (key, "" if "[" in key or len(values[0]) > NAME else values[0]))
    return holders


def _alike(keys: Sequence[Sequence[str]], names: Collection[str]) -> bool:
    """Whether the members of a map, each with another name, have mostly the same keys."""
    held = Counter(key for own in keys for key in {*own})
    usual = {key for key, n in held.items() if n >= HELD * len(keys) and key != ENTRY}
    return len(names) == len(keys) and sum(key in usual for own in keys for key in own) >= HELD * sum(map(len, keys))


def _table(
    path: str, nodes: Sequence[Node], numbers: Sequence[int], within: Sequence[Within]
) -> tuple[Fact, bool] | None:
    """What tells alike things apart: their names, what is short, the shortest sentence, and whether they have names;
    None where only names do."""
    listed, least = nodes[0].step == ENTRY, HELD * len(nodes)
    texts, widths, called, same = dict[str, list[str]](), dict[str, float](), list[str](), list[str]()
    notes, none = dict[str, str](), list[str]()
    cells = [node.cells for node in nodes]
    held = Counter(key for row in cells for key in row)
    for key, n in ((key, n) for key, n in held.items() if n >= FEW * len(nodes)):
        often = Counter(value for row in cells for value in {*row.get(key, ())})
        usual = {value for value, m in often.items() if ENTRY in key and m > least}
        notes[key] = f" (left out, in most: {_cell(' · '.join(sorted(usual)))})" * bool(usual)
        empty = [str(numbers[node.line]) for node, row in zip(nodes, cells, strict=True) if row.get(key) == [EMPTY]]
        none += [f"{key} empty at {', '.join(empty)}"] if ENTRY in key and 0 < len(empty) < MIN <= n else []
        own = [" · ".join(dict.fromkeys(v for v in row.get(key, ()) if v not in usual)) for row in cells]
        differ, width = len({*own} - {""}), sum(min(len(text), WIDE) for text in own) / n
        if len(often) == 1 and n == len(nodes) and "." not in key and width <= NARROW:
            same.append(f"{key}={_cell(next(iter(often)))}")
        elif differ >= TWO:
            texts[key], widths[key] = own, width
            if listed and width < NAME and differ >= OWN * n and not {".", "["} & {*key}:
                called += [key] if sum(text.endswith("…") for text in own) < HELD * n else []
    named = next((key for key in called if sum(map(bool, texts[key])) >= least), "".join(called[:1]))
    names, others = texts.get(named) or [node.step.removesuffix(ENTRY) for node in nodes], {named}
    least = HELD * sum(map(bool, names)) or least
    for n, row in enumerate(cells):  # of another kind: by the name that these have
        other = "" if names[n] else next((key for key in called if key in row), "")
        names[n] = f"{other}={texts[other][n]}" if other else names[n]
        others.add(other)
    others |= {key for key, own in texts.items() if sum(map(str.__eq__, own, names)) > least}
    columns = [key for key, own in texts.items() if key not in others and sum(map(bool, own)) >= least]
    broken = [key for key in columns if sum(text.endswith("…") for text in texts[key]) > least]
    short = [key for key in columns if widths[key] <= NARROW and key not in broken][:COLUMNS]
    wide = [key for key in columns if widths[key] > NARROW or key in broken]
    wide = [key for key in wide if len({*texts[key]}) > HELD * sum(map(bool, texts[key]))]
    wide.sort(key=lambda key: (key in broken, " " not in "".join(texts[key]), widths[key]))
    columns = [*short, *wide[:1]]
    keys = {tuple(key for key, _ in each) for each in within}
    held_by = [[value for _, value in each] for each in within]
    if len({*map(tuple, held_by)}) > 1 and len(keys) == 1 and all(map(all, held_by)):
        named = " / ".join([*keys.pop(), named or "entry"]) + ", the first where they change"
        for n, (before, own) in enumerate(zip([[], *held_by], held_by, strict=False)):
            kept = next((i for i, (old, new) in enumerate(zip(before, own, strict=False)) if old != new), len(before))
            names[n] = " / ".join([*own[kept:], names[n]])
    title = f"{path.lstrip('.') or 'documents'}: line{' and key' if not listed else f' and {named}' if named else ''}"
    title += f" (in all: {', '.join(same)})" if same else ""
    title += f" ({'; '.join(none)})" if none else ""

    def rows(columns: Sequence[str]) -> str:
        lines = [title + "".join(f"|{key}{notes[key]}" for key in columns)]
        for n, node in enumerate(nodes):
            row = [f"{numbers[node.line]} {_cell(names[n])}".rstrip(), *(_cell(texts[key][n]) for key in columns)]
            lines.append("|".join(row).rstrip("|"))
        return "\n".join(lines)

    shows = [(), *((node.line + 1,) for node in nodes)]
    table = Fact(rows(columns), 1, rows(short), shows, rows=True, least=rows(()))
    return (table, not listed or named > "") if columns else None


def _cell(text: str) -> str:
    return clipped(text, CELL).replace("|", "\\|")
