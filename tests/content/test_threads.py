"""Comments and mails: each body below the line that says whose it is, how each begins before any goes on."""

from __future__ import annotations

import pytest

from mcpcompact import compact

PEOPLE = ["Ada Quill", "Bo Tran", "Cy Marsh", "Ada Quill", "Dee Ono"]
BODIES = [
    "We want the importer to read both layouts, so that nobody has to convert files by hand before the release. The "
    "parser lives in src/importer/layout.py and its tests in tests/importer. Read docs/layouts.md before, please.",
    "A layout is a header with its columns, and a sheet is one table of a file that has such a header on top. We have "
    "called both of them a format for a year. See src/importer/errors.py for the eleven messages to be changed.",
    "Proposal for the owner: the sniffing of the layout moves out of Reader.open into a function of its own name. That "
    "costs a pass over the first kilobyte. The cache in src/cache/heads.py can be dropped then, and with it a lock.",
    "Approved by the owner, as proposed: sniffing moves to a module of its own, and the cache goes with the next tag. "
    "The old name stays as an alias for one release, docs/aliases.md lists it.",
    "Readers and writers differ in what they know about a layout, so Writer gets a required argument for it as well. "
    "The command line passes --layout through. Defaults stay with src/importer/reader.py, and nothing else changes.",
]
TAIL = (
    " The figures of last week are in reports/week{n}.csv and were made by hand. Nobody has looked at them since then. "
    "They are to be made again by scripts/figures{n}.py before the meeting on Friday, where they are to be shown."
)
HEADERS = {
    "brackets": lambda n, name: f"[{name}] at 2026-03-0{n} 1{n}:20\n  ",
    "bold": lambda n, name: f"**{name}** (2026-03-0{n} 1{n}:20):\n",
    "stamp first": lambda n, name: f"[2026-03-0{n} 1{n}:20] {name}:\n",
    "commented": lambda n, name: f"@{name.split()[0].lower()} commented on Mar {n}, 2026\n\n",
    "fields": lambda n, name: f"author:\t{name}\nassociation:\tmember\nedited:\tfalse\n--\n",
    "mail": lambda n, name: f"From: {name} <{n}@example.org>\nDate: Tue, {n} Mar 2026 10:00 +0000\nX-Id: {n}\n\n",
}


@pytest.mark.parametrize("form", HEADERS)
def test_each_body_stands_below_its_header_and_each_begins_before_any_goes_on(form: str) -> None:
    heads = [HEADERS[form](n, name) for n, name in enumerate(PEOPLE, 1)]
    bodies = [body + TAIL.format(n=n) for n, body in enumerate(BODIES)]
    text = "".join(f"{head}{body}\n\n" for head, body in zip(heads, bodies, strict=True))
    shown = compact(text, budget=400, threshold=400).text.splitlines()
    assert len(text) > 2_000
    above = ""
    for line in shown[1:]:
        said = next((n for n, body in enumerate(BODIES) if body[:40] in line), -1)
        if said >= 0:
            assert heads[said].split("\n")[0] in above
        above = line if said >= 0 else f"{above}\n{line}"
    begun = [any(body[:80] in line for line in shown) for body in BODIES]
    assert begun[3] and begun[4]  # what decides, and the newest
    assert sum(begun) >= (4 if form == "mail" else 5)


def test_a_header_stands_never_without_a_body() -> None:
    text = "".join(f"[{name}] at 2026-03-0{n} 1{n}:20\n  {body}\n\n" for n, (name, body) in enumerate(
        zip(PEOPLE, BODIES, strict=True), 1))  # fmt: skip
    shown = compact(text, budget=190, threshold=190).text.splitlines()
    heads = [n for n, line in enumerate(shown) if "] at 2026-03-0" in line]
    assert heads
    assert all(any(body[:40] in shown[n + 1] for body in BODIES) for n in heads)


def test_dates_with_their_names_are_no_headers() -> None:
    rows = "".join(f"\nCreated: 2026-03-0{n}\nThe build of the day took longer again {n}.\n" for n in range(9))
    shown = compact(rows * 4, budget=200, threshold=200).text
    assert "The build of the day took longer" in shown
