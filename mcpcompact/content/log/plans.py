"""What a plan of Terraform or OpenTofu would do: which addresses it replaces, destroys, creates and changes, what
forces a replacement, and which changes all of an action share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from mcpcompact.content.log.runners import bare
from mcpcompact.content.log.scan import Scan
from mcpcompact.outline import Fact
from mcpcompact.patterns import regex

_HEADER: Final = regex(
    r"  # (?P<address>[\w-]{1,80}(?:\.[\w-]{1,80}|\[[^\]\n]{1,120}\]){1,20}(?: \(deposed object \w{1,40}\))?) "
    r"(?P<action>(?:will|must|is tainted|has (?!moved)) ?.{1,120})",
    holds="  # ",
)
_CHANGE: Final = regex(r"( {4,60})[-+~/]{1,3} \"?([\w./:@-]{1,120})\"? {1,80}(?:= )?(\S.{0,400})")
_KEYED: Final = regex(r"(?P<stem>.*)\[(?P<key>\d{1,6}|\"[^\"]*\")\]")
_ORDER: Final = "replaced", "destroyed", "created", ""  # what takes away comes first
_FORCES: Final = "# forces replacement"
_ROOM, _SHORT, _ALIKE = 600, 120, 200  # characters of the addresses of an action, in short; of what its changes share
PLANNED: Final = 100_000  # lines of a plan of which each change is read
_RUN: Final = 3  # numbers that are told by the first and last


class _Block(NamedTuple):
    address: str
    number: int
    action: str
    changes: dict[str, str]


def planned(scan: Scan) -> tuple[list[Fact], list[int]]:
    """One fact, a line for each action of a plan; and the lines that it spares."""
    actions: dict[str, list[_Block]] = {}
    lines = scan.shown(1, scan.lines) if scan.lines <= PLANNED else []
    for block in _blocks([*enumerate(map(bare, lines), 1)]):
        forced = [key for key, value in block.changes.items() if value.endswith(_FORCES)]
        actions.setdefault(block.action + (f" ({', '.join(forced)})" if forced else ""), []).append(block)
    order = sorted(actions, key=lambda action: [word in action for word in _ORDER].index(True))
    text, short = ("\n".join(_told(action, actions[action], room) for action in order) for room in (_ROOM, _SHORT))
    return [Fact(text, 0, short=short)] if text else [], [block.number for each in actions.values() for block in each]


def _blocks(lines: Sequence[tuple[int, str]]) -> Iterator[_Block]:
    """What stands below each header, up to the next one or the next line of words at the left."""
    block, above = None, list[tuple[int, str]]()
    for number, line in lines:
        found = _HEADER.fullmatch(line.rstrip()) if line.startswith("  # ") else None
        if block and (found or line[:1].isalpha()):
            yield block
        if found or line[:1].isalpha():
            block, above = _Block(found["address"], number, found["action"], {}) if found else None, []
        elif block and (change := _CHANGE.match(line)):
            depth, key, value = len(change[1]), change[2], change[3].rstrip()
            above = [one for one in above if one[0] < depth] + [(depth, key)]
            if " -> " in value:  # a new value alone is no news
                block.changes[".".join(key for _, key in above)] = value
    if block:
        yield block


def _told(action: str, blocks: Sequence[_Block], room: int) -> str:
    """The addresses of an action, and what all of several change alike."""
    names = [*_joined([block.address for block in blocks])]
    ends = accumulate(len(name) + len(", ") for name in names)
    shown = names[:1] + [name for name, end in zip(names, ends, strict=True) if end <= room][1:]
    more = f" … {len(names) - len(shown):,} more" if len(shown) < len(names) else ""
    first, *others = (block.changes.items() for block in blocks)
    alike = ", ".join(" ".join(one) for one in first if others and all(one in other for other in others))
    same = f"; in each: {alike}" if 0 < len(alike) <= _ALIKE else ""
    return f"{f'{len(blocks):,}× ' * bool(others)}{action}: {', '.join(shown)}{more}{same}"


def _joined(addresses: Sequence[str]) -> Iterator[str]:
    """In their order, those of one resource by their keys: ``web[0–34]``, ``u["alice", "bob"]``."""
    groups: dict[str, list[str]] = {}
    for address in addresses:
        found = _KEYED.fullmatch(address)
        groups.setdefault(found["stem"] if found else address, []).extend([found["key"]] if found else [])
    for stem, keys in groups.items():
        numbers = sorted(map(int, keys)) if all(map(str.isdigit, keys)) else []
        run = len(numbers) >= _RUN and numbers == [*range(numbers[0], numbers[0] + len(numbers))]
        told = f"{numbers[0]}–{numbers[-1]}" if run else ", ".join(keys)
        yield f"{stem}[{told}]" if keys else stem
