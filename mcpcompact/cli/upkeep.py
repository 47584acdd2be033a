"""``mcpcompact results verify`` and ``gc``: hash what is stored again, and remove what is old."""

from __future__ import annotations

import argparse
import json
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mcpcompact.cli.io import Environment
    from mcpcompact.results import Store

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_SIZES = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def verify(args: argparse.Namespace, env: Environment, store: Store) -> int:
    problems = store.verify(args.id)
    leftovers = [] if args.id else store.leftovers()
    known, damaged = store.known()
    checked = 1 if args.id else len(known) + len(damaged)
    if args.json:
        found = [problem.as_dict() for problem in problems]
        env.write(json.dumps({"checked": checked, "problems": found, "leftovers": leftovers}) + "\n")
        return 1 if problems else 0
    for problem in problems:
        env.write(f"{problem}\n")
    if leftovers:
        count = f"{len(leftovers)} leftover file{'' if len(leftovers) == 1 else 's'} of interrupted runs"
        env.tell(f"{count}, never advertised: `results gc` removes them")
    if not problems:
        env.tell(f"{checked:,} result{'' if checked == 1 else 's'} verified, all as stored")
    return 1 if problems else 0


def gc(args: argparse.Namespace, env: Environment, store: Store) -> int:
    from mcpcompact.errors import UsageError

    if args.compress and args.older_than is None:
        raise UsageError("--compress needs --older-than AGE")
    done = store.gc(args.older_than, args.max_bytes, dry_run=not args.yes, compress=args.compress)
    if args.json:
        env.write(json.dumps(done.as_dict()) + "\n")
        return 0
    verb = "would be " if done.dry_run else ""
    for names, what in ((done.removed, "removed"), (done.packed, "packed"), (done.leftovers, "removed (leftover)")):
        for name in names:
            env.write(f"{name} {verb}{what}\n")
    for problem in done.damaged:
        env.say(f"left as it is: {problem}")
    tail = "; nothing was done, add --yes to do it" if done.dry_run and done.freed + len(done.packed) else ""
    env.tell(f"{done.freed:,} bytes {verb}freed, {done.kept:,} kept{tail}")
    return 0


def age(text: str) -> float:
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)\s*([smhdw])", text.strip().lower(), re.ASCII)
    if match is None:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not an age; give a number and its unit: 30d, 12h, 90m, 45s or 2w"
        )
    return float(match[1]) * UNITS[match[2]]


def size(text: str) -> int:
    match = re.fullmatch(
        r"(\d{1,18}(?:\.\d{1,9})?)\s*([bkmgt]?)(?:i?b)?", text.strip().lower().replace(",", ""), re.ASCII
    )
    if match is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size; give 500M, 2G or bytes")
    return int(float(match[1]) * _SIZES[match[2]])
