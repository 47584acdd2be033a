"""Counts and line numbers that a summary states are those that a reader finds in it, and in the original."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import Run

from bench.truth.standing import standing
from mcpcompact import compact

ROPES = ["hemp", "sisal", "manila", "cotton", "flax", "jute", "coir"]
HANDBOOK = "\n".join(
    line
    for n in range(60)
    for line in (
        f"## Mooring {n}",
        "",
        f"Berth {n} is reached by the channel of {ROPES[n % 7]}{n} at half tide, which pilot {n} knows, "
        f"and its keeper asks that each master who calls there first writes to office {n * 13} of the harbour. "
        f"The light stands on pier {n + 4} and is lit from dusk by the watch of house {n * 3}.",
        "",
        "!!! warning",
        f"    Ring {n} is worn.",
        "",
        f"    Only {ROPES[n % 5]} {n} holds there.",
        "",
        "```sh",
        *(f"moor --berth {n} --line {k} --rope {ROPES[(n + k) % 7]}" for k in range(8)),
        "```",
        "",
    )
)
PAGES = "\n".join(
    f"Search Result {n}:\nThe {ROPES[n % 7]} rope, article {n}\nhttps://ropes.example/{ROPES[n % 7]}/{n}\n"
    f"All that sailors of port {n} wrote on {ROPES[n % 7]}, with the weight {n * 17} of a coil and what it costs. "
    for n in range(1, 41)
)


@pytest.mark.parametrize("text", [HANDBOOK, PAGES], ids=["handbook", "pages"])
@pytest.mark.parametrize("budget", [300, 500, 1000])
def test_the_lines_that_are_said_to_be_shown_stand_in_the_body(text: str, budget: int) -> None:
    notice, *body = compact(text, budget=budget, threshold=0).text.split("\n")
    found = re.search(r"([\d,]+) of [\d,]+ lines shown", notice)
    assert found is not None
    assert int(found[1]) == standing([line for line in body if not line.startswith("[mcpcompact]")], text.split("\n"))


VIEW = "[File: /srv/quay/notes.md (90 lines total)]\n" + "\n".join(
    f"{n}:{'The keeper set berth_limit for the ' * (n % 11 == 5)}{ROPES[n % 7]} rope of pier {n * 3}, of day {n}."
    for n in range(1, 81)
)


def test_lines_that_match_have_the_numbers_of_the_body_and_no_command_is_told_of() -> None:
    asked = {"focus": "what is the berth_limit of the pier", "tool": "open", "arguments": {"path": "notes.md"}}
    text = compact(VIEW, budget=300, threshold=0, **asked).text
    found = re.search(r'([\d,]+) lines match "berth_limit": (.*)', text)
    assert found is not None and found[2] == ", ".join(str(n) for n in range(1, 81) if n % 11 == 5)
    assert int(found[1]) == len(found[2].split(", "))
    assert "--lines" not in text


def test_lines_that_match_are_those_of_grep_w() -> None:
    cranes = {3: "of quay-crane", 7: "quay-crane-two", 11: "quay-cranes"}
    text = "\n".join(
        f"On day {n} the {ROPES[n % 7]} rope {cranes.get(n % 20, 'alone')} parted {n}." for n in range(400)
    )
    shown = compact(text, budget=300, threshold=0, focus="which rope of quay-crane parted").text
    words = sum(re.search(r"(?<!\w)quay-crane(?!\w)", line) is not None for line in text.split("\n"))
    assert f'{words} lines match "quay-crane"' in shown


def test_the_command_brings_the_lines_that_are_counted(door: Run, tmp_path: Path) -> None:
    cranes = {3: "of quay-crane", 5: "def quay-crane", 7: "quay-crane-two", 9: "quay-crane.3", 11: "quay-cranes"}
    lines = [f"On day {n} the {ROPES[n % 7]} rope {cranes.get(n % 20, 'alone')} parted {n}." for n in range(400)]
    (tmp_path / "ropes.txt").write_text("\n".join(lines))
    text = door("summarize", "ropes.txt", "--budget", 400, "--focus", "which rope of quay-crane parted").stdout.decode()
    told = re.search(r'([\d,]+) lines match "quay-crane": mcpcompact (results get .*)', text)
    assert told is not None
    words = [n for n, line in enumerate(lines, 1) if re.search(r"(?<!\w)quay-crane(?!\w)", line)]
    brought = door(*told[2].split(), "--max-tokens", 0).stdout.decode().splitlines()
    assert int(told[1]) == len(words) == 80 and [int(line.partition(":")[0]) for line in brought] == words


def test_what_is_left_out_of_a_history_counts_all_commits_of_its_lines() -> None:
    text = "".join(
        f"commit {n * 7919 + 2**80:040x}\nAuthor: Ada Moor <ada@quay.example>\n"
        f"Date:   Mon Mar {28 - n % 27} 10:00:00 2024 +0100\n"
        f"\n    {'Bump version' if n % 5 == 3 else f'Splice the {ROPES[n % 7]} rope {n}'}\n\n"
        for n in range(90)
    )
    shown = compact(text, budget=400, threshold=0).text
    found = re.search(r"… \[(\d+) commits and (\d+) routine ones not listed here, lines (\d+)–(\d+)\]", shown)
    assert found is not None
    left = text.split("\n")[int(found[3]) - 1 : int(found[4])]
    assert int(found[1]) + int(found[2]) == sum(line.startswith("commit ") for line in left)
    assert int(found[2]) == left.count("    Bump version")


def test_the_files_with_most_changes_are_those_of_most_lines() -> None:
    sizes = {f"src/part{n}.py": 3 + n for n in range(5)} | {f"tests/test_part{n}.py": 40 + n for n in range(5)}
    text = "".join(
        f"diff --git a/{path} b/{path}\ndeleted file mode 100644\n--- a/{path}\n+++ /dev/null\n@@ -1,{size} +0,0 @@\n"
        + "".join(f"-    {ROPES[k % 7]}_{path[-4]} = berth({k * 7})\n" for k in range(size))
        for path, size in sizes.items()
    )
    shown = compact(text, budget=300, threshold=0).text
    assert (
        "by folder: src/: part4.py −7, part3.py −6, part2.py −5, part1.py −4, part0.py −3; tests/: test_part4.py −44, "
        in shown
    )


TABS = ("Summary", "Charts of the harbour", "Loads by berth", "Crew of the pilot", "Lights and fog", "Prices")
BOARD = "\n".join(
    [f"- bell {n} of {ROPES[n % 7]} rings at {n}:{10 + n}" for n in range(2)]
    + ["", "```", "ring --all", "```", ""]
    + [f"- bell {n} of {ROPES[n % 7]} rings at {n}:{10 + n}" for n in range(2, 9)]
)
LONG_TAB = "which the keeper of the office reads before each tide and signs with the hour of the watch"
DOCUMENT = f"# Board\n\n**Tabs:**\n- {TABS[0]}\n" + "\n".join(f"- {tab}, {LONG_TAB}" for tab in TABS[1:])
DOCUMENT += f"\n\n## Bells\n\nThe bells of the quay:\n\n{BOARD}\n\n## Logs\n\n"
DOCUMENT += "\n\n".join(
    f"Day {n}: the tide of `pier_{n * 7}` was {n * 3} feet, by the book of the pilot." for n in range(80)
)


@pytest.mark.parametrize("budget", range(300, 1100, 100))
def test_a_part_of_a_list_is_told_from_all_of_its_lines(budget: int) -> None:
    text = compact(DOCUMENT, budget=budget, threshold=0).text
    lists = [[f"- {tab}" for tab in TABS], [line for line in BOARD.split("\n") if line.startswith("- ")]]
    for entries in lists:
        shown = [line for line in text.split("\n") if any(entry in line for entry in entries)]
        marked = re.findall(r" …\[(\d+) of (\d+)(?: items)?\]$", "\n".join(shown), re.M)
        assert marked == ([(str(len(shown)), str(len(entries)))] if 0 < len(shown) < len(entries) else [])


def test_what_a_text_says_again_ends_its_lists_again() -> None:
    parts = [
        f"- {ROPES[n % 7]} {n} of pier {n * 3}{' held all night' * (n % 5)}\n" + "The harbour says:\n" * (n % 20 == 19)
        for n in range(400)
    ]
    text = compact("".join(parts), budget=500, threshold=0, content_type="text").text
    totals = re.findall(r"…\[\d+ of (\d+)", text)
    assert totals and set(totals) == {"20"}


ASKED = [
    "> **How do you want to go on?**",
    ">",
    "> 1. **By day**: the pilot reads one light at a time and waits for your word before the next of them.",
    "> 2. **By night**: the pilot reads all lights of the harbour in turn and tells you what is lit at the end.",
    ">",
    "> You can also leave out, turn or skip any light.",
]


@pytest.mark.parametrize("budget", range(200, 700, 50))
def test_a_mark_behind_a_quote_counts_all_lines_up_to_its_end(budget: int) -> None:
    days = [
        f"Day {n}: the light of pier_{n * 7} was lit for {n * 3} hours, by the book of the pilot." for n in range(60)
    ]
    document = "\n\n".join(["# Lights", *days[:9], "## Ways", "\n".join(ASKED), "## Days", *days[9:]])
    text = compact(document, budget=budget, threshold=0, focus="by day: one light at a time").text
    marked = re.findall(r"^(?:\d+ )?(> .*)\n…\[\+(\d+) lines?\]$(?:\n\d+ (> .*))?", text, re.M)
    assert ASKED[2] in text
    for line, left, after in marked:
        assert int(left) == (ASKED.index(after) if after else len(ASKED)) - ASKED.index(line) - 1


@pytest.mark.parametrize("kind", ["md", "html", "js", "csv", "log"])
def test_what_begins_further_down_is_called_an_excerpt(kind: str) -> None:
    lines = {
        "md": [
            f"{'##' * (n % 9 == 0)} The {ROPES[n % 7]} rope {n} is kept by the watch of house {n}." for n in range(300)
        ],
        "html": [f"<div><p>The {ROPES[n % 7]} rope {n} is kept by house {n}.</p></div>" for n in range(300)],
        "js": [f"function moor{n}(rope) {{ return rope.pull({n * 3}, '{ROPES[n % 7]}'); }}" for n in range(300)],
        "csv": [f"{n},{ROPES[n % 7]},{n * 37 % 101}" for n in range(300)],
        "log": [f"2026-03-01 10:00:{n % 60:02} INFO store.Loop: rope {n} went well" for n in range(300)],
    }[kind]
    text = "\n".join(lines)

    def told(content: str, **arguments: object) -> str:
        return compact(content, budget=300, threshold=0, tool="read", arguments=arguments).text

    path = f"/srv/quay/ropes.{kind}"
    for key, value in {"offset": 401, "start_line": 401, "view_range": [401, 700]}.items():
        said = told(text, path=path, **{key: value})
        begins = rf"An excerpt(, its lines counted from 1)?: the call asks for `{key}={re.escape(str(value))}`\n"
        assert re.search(begins, said) or "lines 401–700 of ropes" in said, said
        assert "excerpt" not in told(text, path=path, **{key: [1, 300] if value != 401 else 1})
    tail = told(text, command=f"cd /srv && tail -n +401 ropes.{kind}")
    assert re.search(r"An excerpt(, its lines counted from 1)?: the call asks for `tail -n \+401`", tail)
    assert ("counted from 1" in tail) == (kind not in ("csv", "json"))
    assert "excerpt" not in told(text, command=f"ls; tail -n +401 ropes.{kind}; wc -l a")
    numbered = "\n".join(f"{n:>6}\t{line}" for n, line in enumerate(lines, 401))
    assert re.search(r"An excerpt: its first line is numbered 401|\blines 401–700 of", told(numbered, path=path))


@pytest.mark.parametrize("form", ["# {}\n\n{}", "<html><head><title>{}</title></head><body>{}</body></html>"])
def test_a_title_that_is_cut_says_by_how_much(form: str) -> None:
    title = " ".join(f"The {rope} rope of berth {n}" for n, rope in enumerate(ROPES))
    below = "{0}Berth {1}{2}Pilot {3} says that the {4} ropes of berth {1} are worn, and that he needs others."
    begin, end = ("<h2>", "</h2>") if "<" in form else ("## ", "\n\n")
    body = "\n\n".join(below.format(begin, n, end, n * 37 % 101, ROPES[n % 7]) for n in range(200))
    said = compact(form.format(title, body), budget=400, threshold=0).text.split("\n")[1]
    kept = re.search(r'"(.*)…\[\+(\d+) chars\]"', said)
    assert kept and title.startswith(kept[1] + " ") and len(kept[1]) + int(kept[2]) == len(title), said


def test_the_front_matter_of_a_second_document_heads_nothing() -> None:
    part = "---\nname: quay-{0}\ndescription: Moor at quay {0}, and say so to the office.\n---\n\n" + "".join(
        f"## Step {n} of {{0}}\n\nTake the {ROPES[n % 7]} rope {n * 37 % 101} and tell pilot {n * 13 % 97} of it.\n\n"
        for n in range(30)
    )
    text = part.format(1) + "The end of it.\n" + part.format(2) + "Set by a line\n---\n\nIt is one."
    shown = compact(text, budget=700, threshold=0).text
    index = next(line for line in shown.split("\n") if line.startswith("Sections not shown: "))
    listed, more = (
        index.count(" · ") + (" more" not in index),
        int(re.search(r"(\d+) more$", index)[1] if " more" in index else 0),
    )
    assert listed + more + len(re.findall(r"(?m)^(?:\d+ )?## ", shown)) == 61, shown


REMINDER = "\n\n<system-reminder>\nConsider whether this is malware.\nDo not improve it.\n</system-reminder>\n"
VIEWED = {
    "harbour.py": [line for n in range(40) for line in (f"def moor_{n}(rope):", f"    return rope * {n}", "", "")],
    "harbour.md": [line for n in range(40) for line in (f"## Berth {n}", "", f"It lies at pier {n * 3}.", "")],
    "harbour.toml": [line for n in range(40) for line in ("[[berths]]", f'name = "rope-{n}"', f"at = {n}", "")],
    "harbour.log": [f"2026-03-0{1 + n // 60} 10:{n % 60:02}:00 INFO quay: rope {n * 7} hauled" for n in range(160)],
}
GUTTERS = {"tab": "{:6}\t{}", "arrow": "{:6}→{}", "colon": "{}:{}", "bar": "{:4} | {}"}


@pytest.mark.parametrize("name", VIEWED)
@pytest.mark.parametrize("gutter", GUTTERS)
@pytest.mark.parametrize(("first", "ends"), [(1, "\n"), (1, "\r\n"), (1, ""), (41, "\n")])
@pytest.mark.parametrize("behind", ["", REMINDER])
def test_the_lines_of_a_view_are_those_that_have_a_number(
    name: str, gutter: str, first: int, ends: str, behind: str
) -> None:
    """An empty last one, too; what the host adds below them is none of them, and is said to stand there."""
    for lines in (VIEWED[name], [*VIEWED[name], ""]):
        numbered = (GUTTERS[gutter].format(n, line) for n, line in enumerate(lines, first))
        text = (ends or "\n").join(numbered) + (behind or ends)
        asked = {"file_path": f"/quay/{name}"} | ({"offset": first, "limit": 400} if first > 1 else {})
        out = compact(text, budget=400, threshold=100, tool="Read", arguments=asked).text
        whole, head = len(text.removesuffix("\n").split("\n")), out.split("\n", 2)
        assert f" of {whole} lines shown" in head[0]
        assert re.search(rf"\b{len(lines)} lines\b", head[1]), head[1]
        place = f"a reminder to the reader in lines {len(lines) + 2}–{len(lines) + 5}"
        assert (place in out) == bool(behind)


@pytest.mark.parametrize("name", [*VIEWED, "harbour.json", "harbour.csv"])
def test_what_a_host_adds_below_a_result_is_no_part_of_it(name: str) -> None:
    rows = [{"berth": n, "rope": ROPES[n % 7], "worn": n % 3} for n in range(90)]
    table = ["berth,rope,worn", *(",".join(map(str, row.values())) for row in rows)]
    lines = VIEWED.get(name) or (table if name.endswith("csv") else json.dumps(rows, indent=1).split("\n"))
    kinds = [compact("\n".join(lines) + end, budget=300, threshold=100) for end in ("\n", REMINDER)]
    assert kinds[0].content_type == kinds[1].content_type
    place = f"a reminder to the reader in lines {len('x'.join(lines).rstrip('x').split('x')) + 2}–"
    assert "reminder" in kinds[1].text and "reminder" not in kinds[0].text, place
    if name.endswith(("json", "csv")):
        assert " of 90 " in kinds[1].text.split("\n")[0] and re.search("90 (?:records|rows), 3", kinds[1].text)


def test_an_entry_of_a_numbered_log_is_whole() -> None:
    lines = [f"[2026-03-01 10:{n:02}:00] rope {n} hauled" for n in range(60)]
    lines[7:8] = [f"{lines[7]}: Error 404 - {{", '  "error": {', '    "code": 404', "  }", "}", ""]
    text = "\n".join(f"{n:6}→{line}" for n, line in enumerate([*lines, ""], 1)) + REMINDER
    out = compact(text, budget=400, threshold=100, tool="Read").text
    assert "Log: 66 lines in 60 entries, 1 error." in out and '\n    "code": 404\n' in out


@pytest.mark.parametrize("budget", [200, 400, 800, 1_200])
def test_a_signature_over_several_lines_is_shown_when_all_of_them_stand(budget: int) -> None:
    lines = ["import quay", ""]
    for n in range(12):
        lines += [
            f"def moor_{ROPES[n % 7]}_{n}(ship, rope_{n}, berth={n},",
            f"            depth_{n}=None, *, watch={n}):",
        ]
        lines += [f"    ship.pull(rope_{n}, {k}, {ROPES[(n + k) % 7]}_{n * k})" for k in range(6)] + [""]
    text = "\n".join(f"{n}:{line}" for n, line in enumerate(lines, 1))
    out = compact(
        text, budget=budget, threshold=100, tool="goto", arguments={"command": "goto 30"}, focus="line 30"
    ).text
    shown = sum(f"def moor_{ROPES[n % 7]}_{n}(" in out and f"depth_{n}=None, *, watch={n}):" in out for n in range(12))
    said, begun = re.search(r"(\d+) of 12 signatures(?: and (\d+) in part)?", out), len(re.findall(r"\bdef moor_", out))
    assert said is None or (int(said[1]), int(said[2] or 0)) == (shown, begun - shown)


def test_every_outcome_of_a_test_is_counted_and_none_is_where_one_is_not_known() -> None:
    lines = [f"test_berth_{n} (quay.tests.Berths) ... ok" for n in range(150)]
    lines[9:10] = ["test_rope (quay.tests.Ropes)", "Special ropes (e.g. hemp) are spun ... ok"]
    lines[20] = "test_tide (quay.tests.Tides) ... expected failure"
    lines[30] = 'test_fog (quay.tests.Fogs) ... skipped "no fog"'
    lines[40] = "test_buoy (quay.tests.Buoys) ... FAIL"
    ends = ["", "-" * 70, "Ran 150 tests in 1.638s", "", "FAILED (failures=1, skipped=1, expected failures=1)"]
    out = compact("\n".join(lines + ends), budget=600, threshold=100).text
    assert "150 outcomes: ok 147 · expected failure 1 · skipped 1 · FAIL 1" in out
    lines[5:6] = ["test_berth_5 (quay.tests.Berths) ... the tide is out", "ok"]
    assert " outcomes" not in compact("\n".join(lines + ends), budget=600, threshold=100).text


@pytest.mark.parametrize("budget", [400, 900])
def test_a_text_of_a_record_is_not_the_record(budget: int) -> None:
    rows = [
        {
            "id": f"rope-{n}",
            "said": {"role": "mate", "content": f"Pull {ROPES[n]} hard " * (90 if n else 300)},
            "at": n * 7,
        }
        for n in range(3)
    ]
    out = compact("\n".join(map(json.dumps, rows)), budget=budget, threshold=100).text
    said, own = re.search(r"(all|\d+ of) 3 records", out), set(re.findall(r"(?m)^#(\d+)[| {]", out))
    assert said and (3 if said[1] == "all" else int(said[1].split()[0])) == len(own)
    texts = set(re.findall(r"(?m)^#(\d+)\.", out)) - own
    assert (f"texts of {len(texts)}" in out) == bool(texts)
    assert "\n#|" not in out or re.search(r"(?m)^#\d+\|", out)


def test_a_facility_of_syslog_states_a_level() -> None:
    lines = [f"Tue Jan 13 10:{n:02}:54 2026 user.err : rope {n * 7} of the quay is torn" for n in range(50)]
    lines += [f"Tue Jan 13 11:0{n}:54 2026 kern.info kernel: error handling of pier {n} is up" for n in range(3)]
    lines += [f"Tue Jan 13 11:1{n}:54 2026 kern.warn kernel: tide {n} is low" for n in range(4)]
    out = compact("\n".join(lines), budget=400, threshold=100).text
    assert "Log: 57 lines, 50 errors." in out and "levels: ERROR 50 · WARN 4 · INFO 3" in out
