"""Histories of commits: hashes, subjects and authors; exact ranges; what is no history stays what it is."""

from __future__ import annotations

import random
import re

import pytest

from mcpcompact import compact
from mcpcompact.content.detect import detect
from mcpcompact.content.text import TYPE
from mcpcompact.outline import Hints, Outline
from mcpcompact.source import Source

WORDS = ["parse", "budget", "token", "error", "cache", "window", "retry", "index"]


def outline(text: str) -> Outline:
    return TYPE.outline(Source(text.encode()), Hints())


DATE = "  Mon Jul {} 10:00:00 2026 +0200"


def history(n: int, style: str = "git") -> tuple[str, list[str]]:
    r = random.Random(7)
    hashes = [f"{r.getrandbits(160):040x}" for _ in range(n)]
    out = ["Commit history:"] if style == "server" else []
    for i, name in enumerate(hashes):
        subject, author = f"Change {i}: {' '.join(r.sample(WORDS, 3))}", r.choice(["Ada Lovelace", "Alan Turing"])
        body = " ".join(r.choice(WORDS) for _ in range(30))
        if style == "server":
            out += [f"Commit: {name}", f"Author: {author}", f"Date: 2026-07-{1 + i % 28:02d} 10:00:00-04:00"]
            out += [f"Message: {subject}", "", body, ""]
        else:
            out += [
                f"commit {name}",
                f"Author: {author} <a@example.com>",
                f"Date:   Mon Jul {1 + i % 28} 10:00:00 2026 +0200",
            ]
            out += ["", f"    {subject}", "", f"    {body}", ""]
    return "\n".join(out), hashes


def test_of_few_commits_the_hash_is_whole() -> None:
    for style in ("git", "server"):
        text, hashes = history(12, style)
        assert hashes[0] in compact(text, budget=500, threshold=500).text


def test_commits_come_first_with_their_subject() -> None:
    for style in ("git", "server"):
        text, hashes = history(40, style)
        out = compact(text, budget=1_000, threshold=1_000)
        assert out.content_type == "text"
        span = "Jul 1 2026 to Jul 28 2026" if style == "git" else "2026-07-01 to 2026-07-28"
        assert f"History: 40 commits, {span}; 2 authors: " in out.text
        shown = [name[:10] for name in hashes if name[:10] in out.text]
        assert len(shown) >= 10
        lines = text.split("\n")
        for line in out.text.split("\n"):
            if any(name in line for name in shown):
                place, name = line.split(" ")[:2]
                first, last = map(int, place.split("-"))
                own = [said.replace("Message:", "").strip() for said in lines[first - 1 : last]]
                assert name in own[0] and own[-1] and lines[last : last + 1] in ([], [""])  # all lines of the commit
                assert any("Change" in said and line.endswith(said) for said in own)


def test_the_last_commit_keeps_its_title_and_a_paragraph_is_read_from_its_beginning() -> None:
    said = "Ropes are counted before\nthey are tied, so that the\nsum is known by then."
    for budget in range(300, 700, 25):
        history = "\n".join(
            f"commit {n:040x}\nAuthor: Ada{n} <a@example.com>\n\n    Tie rope {n} of the fleet to its own post\n\n"
            + "\n".join(f"    {line}" for line in said.split("\n"))
            + "\n\n    ---------\n"
            for n in range(1, 31)
        )
        lines = compact(history, budget=budget, threshold=budget).text.split("\n")
        assert not any("Tie rope" in line and not line.endswith("its own post") for line in lines)
        assert all("they are" not in line or "counted" in lines[n - 1] for n, line in enumerate(lines))
        assert not any("---" in line for line in lines)


def test_a_word_of_trouble_in_a_message_is_no_log() -> None:
    text, _ = history(60)
    assert "failure" not in compact(text, budget=500, threshold=500).text


def test_patches_stay_diffs() -> None:
    text, _ = history(30)
    patch = "\ndiff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"
    mixed = "\n".join(part + patch for part in text.split("\n\n\n"))
    assert compact(mixed, budget=300, threshold=300).content_type != "records"
    assert "History:" not in compact(mixed, budget=300, threshold=300).text


def test_the_newest_come_first_and_no_message_is_an_alarm() -> None:
    lines = []
    for i in range(200):
        body = "exception that crashes the whole run, fatal and broken" if i == 150 else "keeps the parser small"
        lines += [f"commit {i:040x}", f"Author: Dev {i % 9} <d@x.org>", "Date:   Mon Jul 6 10:00:00 2026 +0200", ""]
        lines += [f"    fix(core): change number {i}", "", f"    {body}", f"    Co-authored-by: Q{i} <q@x.org>", ""]
    out = compact("\n".join(lines), budget=500, threshold=500).text
    shown = [int(line.rpartition(" ")[2]) for line in out.split("\n") if "change number" in line]
    assert shown[:10] == list(range(10))
    assert "crashes" not in out and "←" not in out and "[+" not in out


def test_a_commit_a_line_is_a_history_newest_first() -> None:
    lines = [f"* {0xABC1234 + i:x} (tag: v1.{i}) chore: release {i}" for i in range(90)]
    out = compact("\n".join(lines), budget=300, threshold=300).text
    assert "History: 90 commits." in out
    assert [line in out for line in lines[:8]] == [True] * 8
    sizes = "\n".join(f"{1234567 + i} ./src/file{i}.py" for i in range(90))
    blame = "\n".join(f"{0xABC1234 + i:x} (Ann Lee 2024-03-01 10:00:00 +0200 {i}) x" for i in range(90))
    assert not any("History" in compact(text, budget=300, threshold=300).text for text in (sizes, blame))


def test_the_commit_that_changed_far_more_than_all_others_is_told_first_at_the_line_of_its_row() -> None:
    lines = []
    for i in range(40):
        changed = 700_000 if i == 30 else 10 + i
        lines += [f"commit {i:040x}", "Author: Dev <d@x.org>", "Date:   Mon Jul 6 10:00:00 2026 +0200", ""]
        lines += [f"    Change {i}", "", f" 2 files changed, {changed} insertions(+), 3 deletions(-)", ""]
    out = compact("\n".join(lines), budget=500, threshold=500).text
    most = "+700000 −3 at line 241 0000000000: Change 30; +49 −3 at line 313 0000000000: Change 39"
    assert f"\nMost lines changed: {most}\n" in out


def test_a_changed_file_stands_below_its_own_commit() -> None:
    """With whatever room is left, no row of ``--stat`` follows the head of another commit."""
    lines, owner = [], {}
    for n in range(30):
        lines += [f"commit {n + 0xA3F9000:040x}", "Author: Ada <a@b.c>", "Date:" + DATE.format(1 + n % 28), ""]
        lines += [f"    Raise beam {n}", ""]
        for part in range(3):
            lines.append(f" beams/beam_{n}_{part}.c | 2 +-")
            owner[lines[-1].strip()] = f"Raise beam {n} "
        lines += [f" 3 files changed, {n + 3} insertions(+)", ""]
    shown = 0
    for budget in range(200, 2_400, 37):
        head = ""
        for line in compact("\n".join(lines), budget=budget, threshold=200).text.split("\n"):
            row = line.partition(" ")[2]
            head = line if "Raise beam" in line else head
            assert owner.get(row, "") in head
            shown += row in owner
    assert shown


def test_the_newest_stand_in_an_unbroken_run_and_what_is_left_out_is_said() -> None:
    lines, begins = [], []
    for n in range(60):
        subject = f"Tar the {'long ' * (n % 7 * 4)}rope {n}"
        begins.append(len(lines) + 1)
        lines += [
            f"commit {n + 0xB4E1000:040x}",
            f"Author: Hand {n % 5} <a@b.c>",
            "Date:" + DATE.format(1 + n % 28),
            "",
        ]
        lines += [
            f"    {subject}",
            "",
            "    updated-dependencies:",
            "    - dependency-name: tar",
            f"    The hemp {n} was dry.",
        ]
        lines += ["", f" rope_{n}.c | 2 +-", ""]
    for budget in range(250, 2_000, 83):
        out = compact("\n".join(lines), budget=budget, threshold=200).text
        shown = [int(line.partition("-")[0]) for line in out.split("\n") if " Tar the " in line]
        assert shown and shown == begins[: len(shown)]
        assert "dependency-name" not in out and "hemp" not in out
        left = f"… [{60 - len(shown)} commits not listed here, lines {begins[len(shown)]}–{len(lines) - 1}]"
        assert left in out and f"{len(shown)} of 60 commits" in out


def test_a_gap_before_an_older_commit_is_said() -> None:
    lines = []
    for n in range(40):
        lines += [f"commit {n + 0xB4E1000:040x}", "Author: Hand <a@b.c>", "Date:" + DATE.format(1 + n % 28), ""]
        lines += [f"    Tar rope {n}", "", f" 1 file changed, {900_000 if n == 30 else 9 + n} insertions(+)", ""]
    out = compact("\n".join(lines), budget=500, threshold=200, focus="Tar rope 30").text.split("\n")
    at = next(n for n, line in enumerate(out) if "Tar rope 30" in line and "Most" not in line)
    newest = next(n for n, line in enumerate(out[:at]) if "not listed here, lines" in line)
    first = int(out[newest - 1].split(" Tar rope ")[1].split()[0]) + 1
    assert out[newest] == f"… [{30 - first} commits not listed here, lines {8 * first + 1}–240]" and newest == at - 1
    assert out[at + 1] == "… [9 commits not listed here, lines 249–319]"


@pytest.mark.parametrize("far", [100, 400])
def test_the_commit_that_changed_most_is_named_with_its_lines(far: int) -> None:
    lines = []
    for n in range(60):
        big = far if n == 41 else 0
        lines += [f"commit {n * 7919 + 10**9:040x}", f"Author: Crew {n % 3} <c@sea.org>", "Date:   2026-03-01", ""]
        lines += [f"    Tar rope {n}", "", " docs/log.md | 2 +-", f" src/rope_{n}.c | {20 + n % 5 + big} ++++-"]
        lines += [f" 2 files changed, {21 + n % 5 + big} insertions(+), 1 deletion(-)", ""]
    out = compact("\n".join(lines), budget=400, threshold=300).text
    most = f"Most lines changed: +{22 + far} −1 at line 411 0000000000: Tar rope 41; "
    assert most in out and "(2 files +21 −1)" in out


def test_the_commits_that_changed_most_are_named_though_they_are_old() -> None:
    lines = []
    for n in range(60):
        lines += [f"commit {n * 7919 + 10**9:040x}", f"Author: Crew {n % 3} <c@sea.org>", "Date:   2026-03-01", ""]
        lines += [f"    Tar rope {n}", "", f" 3 files changed, {90 if n in (41, 52) else 20 + n % 5} insertions(+)", ""]
    out = compact("\n".join(lines), budget=400, threshold=300).text
    assert (
        "Most lines changed: +90 at line 329 0000000000: Tar rope 41; +90 at line 417 0000000000: Tar rope 52\n" in out
    )


def test_merges_bumps_and_what_bots_do_by_rote_leave_their_rows_to_all_others() -> None:
    lines = []
    for n in range(60):
        who = "dependabot[bot]" if n % 5 == 0 else f"Crew {n % 4}"
        subject = "Fix the leak" if n == 5 else "chore: bump tar from 4 to 5 (#31)" if n % 5 == 2 else f"Tar rope {n}"
        lines += [f"commit {n + 0xB4E10:010x}{0:030x}", *(["Merge: 1a2b3c4 5d6e7f8"] if n % 5 == 1 else [])]
        lines += [f"Author: {who} <c@sea.org>", f"Date:   2026-03-{1 + n % 9:02d}", "", f"    {subject}", ""]
    lines += [line.replace("bump tar from 4 to 5 (#31)", "Coil the line") for line in lines[-60:] * 3]
    commits = sum(line.startswith("commit ") for line in lines)
    for budget in (300, 400, 700):
        out = compact("\n".join(lines), budget=budget, threshold=300).text
        rows = [line for line in out.split("\n") if "2026-03-0" in line and "History" not in line]
        assert [row.split(": ")[1] for row in rows[:5]] == [
            "Tar rope 0",
            "Tar rope 3",
            "Tar rope 4",
            "Fix the leak",
            "Tar rope 8",
        ]
        assert not any("bump" in row or "Tar rope 1" in row for row in rows[:5])
        kinds = r"(\d+) merges, (\d+) routine bot commits, (\d+) version bumps"
        left = re.search(rf"Left out first, also between those shown: {kinds}\.\n", out)
        rest = re.search(r"… \[(\d+) commits(?: and \d+ routine ones?)? not listed here, lines ", out)
        assert left and rest and sum(map(int, left.groups())) + int(rest[1]) + len(rows) == commits
    alike = "\n".join(lines).replace("Crew 3", "renovate[bot]").replace("Crew 2", "renovate[bot]")
    assert "Left out" not in compact(alike, budget=400, threshold=300).text  # of what is most the rule


def test_a_commit_names_the_files_it_changed_most_source_first_also_where_it_is_a_line() -> None:
    rows = [" tests/test_oar.py | 90 +++---", " src/oar.py | 12 ++--", " src/mast.py |  3 +-"]
    total = " 3 files changed, 70 insertions(+), 35 deletions(-)"
    lines, single = [], []
    for n in range(40):
        name = f"{n * 7919 + 0xABC1234:x}"
        lines += [f"commit {name:0>40}", "Author: Crew <c@sea.org>", "Date:   2026-03-01", "", f"    Rig {n}", ""]
        lines += [*rows, total, ""]
        single += [f"{name} Rig {n}", *rows, total]
    told = "(3 files +70 −35)"  # of many commits how much they changed
    out = compact("\n".join(lines), budget=400, threshold=300).text
    assert f"Rig 0 {told}\n" in out and f"Rig 1 {told}\n" in out
    out = compact("\n".join(single), budget=400, threshold=300).text
    assert "History: 40 commits." in out and f"Rig 0 {told}\n" in out and f"Rig 1 {told}\n" in out
    few = [line.replace("src/mast.py |  3 +-", "M\tsrc/mast.py") for line in lines[: 10 * 12]]
    assert "src/oar.py, src/mast.py, tests/test_oar.py)" in compact("\n".join(few), budget=400, threshold=300).text


def test_titles_of_a_shortlog_stand_below_their_author() -> None:
    authors = {"Ada Oak": 2, "Bo Elm (he)": 60, "Cy Ash": 1}
    lines = [
        row
        for name, many in authors.items()
        for row in [f"{name} ({many}):", *(f"      Fix error {n} in the shelves" for n in range(many)), ""]
    ]
    made = outline("\n".join(lines))
    assert [fact.text for fact in made.facts] == [
        "Shortlog: 63 commits of 3 authors.",
        "Authors: Bo Elm (he) 60, Ada Oak 2, Cy Ash 1.",
    ]
    assert {item.section for item in made.items if item.start > 66} == {"67 Cy Ash (1):"}


def test_refs_and_entries_of_a_reflog_are_no_commits() -> None:
    refs = [f"{n % 30:02x}{'ab3' * 12}ff commit\trefs/tags/{n}.0" for n in range(40)]
    assert outline("\n".join(refs)).facts[0].text == "40 refs, 30 different hashes."
    reflog = [f"{n:06x}f HEAD@{{{n}}}: commit: tune shelf {n}" for n in range(40)]
    assert outline("\n".join(reflog)).facts[0].text == "40 reflog entries, 40 different hashes."


def test_files_between_lines_of_commits_leave_a_history() -> None:
    lines = [
        row
        for n in range(30)
        for row in (f"{n:06x}f 2025-01-{n + 1:02} Ada tune {n}", "", f"3\t1\tsrc/s{n}.py", "-\t-\ta.png")
    ]
    assert outline("\n".join(lines)).facts[0].text == "History: 30 commits."


def test_a_graph_with_authors_is_a_history() -> None:
    fields = [
        "*   commit {n:040x}",
        "|\\  Merge: 1 2",
        "| | Author: Ada <ada@oak.example>",
        "| | Date:   2025-06-14",
        "| |",
    ]
    one = "\n".join(f"| {line}" for line in [*fields, "| |     Tune {n}", "| |"])
    text = "\n".join(one.format(n=n) for n in range(9))
    assert detect(Source(text.encode())).why == "a history of commits"
    assert outline(text).facts[0].text == "History: 9 commits, 2025-06-14; 1 author: Ada 9."


def test_columns_between_bars_are_no_log() -> None:
    rows = [f"{n:06x}f|Ada|ada@oak.example|2025-01-{n % 28 + 1:02}T10:00:00+01:00|tune {n}" for n in range(90)]
    assert detect(Source("\n".join(rows).encode())).content_type == "table"


def test_a_commit_that_is_cut_counts_none_of_our_own_words() -> None:
    text, _ = history(60)
    rows = [" src/harbour/quay_moorings.py | 12 ++++++------", " 1 file changed, 6 insertions(+), 6 deletions(-)", ""]
    text = text.replace("Change ", "The quay of the old harbour gets another name and a longer rope, as was told: ")
    text = "\n".join(
        line for row in text.split("\n") for line in (rows if row.startswith("    ") and ":" not in row else [row])
    )
    assert "(1 file +6 −6" in compact(text, budget=600, threshold=600).text
    for budget in range(400, 700, 7):
        shown = compact(text, budget=budget, threshold=budget).text
        assert "…[+" not in shown, shown


def test_of_many_changed_files_those_with_most_changes_come_first_below_their_commit() -> None:
    small = [f" deck/planks_number_{n:02}.py | 2 +-" for n in range(80)]
    large = [
        " hold/cargo_of_the_ship.py | 190 ++++----",
        " tests/test_cargo_of_it.py | 310 ++++++",
        " mast/sails.py | 88 ++--",
    ]
    rows = [*small[:30], *large, *small[30:]]
    head = ["commit 1f2e3d4c5b6a79881726354453627180a9b8c7d6", "Author: Ada <ada@example.com>"]
    head += ["Date:   Mon May 4 10:00:00 2026", "", "    Stow the cargo by weight", ""]
    text = "\n".join([*head, *rows, " 83 files changed, 400 insertions(+), 348 deletions(-)", ""])
    shown = compact(text, budget=250, threshold=0, store=False).text
    assert all(" ".join(row.split()) in shown for row in large)
    assert "1f2e3d4c5b" in shown and "Stow the cargo by weight" in shown


def test_a_commit_that_takes_back_another_stands_out_where_few_do() -> None:
    def log(undone: set[int]) -> str:
        said = [f'Revert "tie rope {n}"' if n in undone else f"Tie rope {n} to the bollard" for n in range(200)]
        return "".join(
            f"commit {n:040x}\nAuthor: Crew {n % 5} <c@quay.example>\nDate:   Mon Mar 2 10:00:00 2026 +0000\n\n"
            f"    {text}\n\n"
            for n, text in enumerate(said)
        )

    assert 'Revert "tie rope 150"' in compact(log({150}), budget=400).text
    assert 'Revert "tie rope 150"' not in compact(log({*range(110, 190, 10)}), budget=400).text  # the rule there


def test_of_many_commits_those_on_security_and_those_that_break_are_named_and_rows_are_of_subjects() -> None:
    said = {41: "deps: exclude compromised hemp 1.8", 62: "feat(api)!: tar takes no argument", 70: 'Revert "tar twice"'}
    lines = []
    for n in range(90):
        lines += [f"commit {n + 0xB4E1000:040x}", "Author: Hand <a@b.c>", "Date:" + DATE.format(1 + n % 28), ""]
        lines += [f"    {said.get(n, f'Tar rope {n}')}", "", f" ropes/rope_{n}.c | {n + 3} ++-", " rig.c | 2 +-"]
        lines += [f" 2 files changed, {n + 3} insertions(+), 2 deletions(-)", ""]
    text = "\n".join(lines)
    out = compact(text, budget=500, threshold=300).text
    assert "History with counts of changes, as git log --stat has them: 90 commits" in out
    at = {n: f"{lines.index(f'    {subject}') - 3} 0000000000" for n, subject in said.items()}  # the line of its row
    assert f"Security in subjects: line {at[41]}: {said[41]}\n" in out
    assert f"Breaking changes: line {at[62]}: {said[62]}\n" in out
    assert f"Reverts: line {at[70]}: {said[70]}\n" in out
    rows = [line for line in out.split("\n") if " Tar rope " in line and "Most" not in line]
    assert len(rows) >= 7 and all("rig.c" not in row and "(2 files +" in row for row in rows)
    assert "ropes/rope_55.c" in compact(text, budget=500, threshold=300, focus="ropes/rope_55.c").text
    single = "\n".join(f"{n * 7919 + 0xABC1234:x} {said.get(n, f'Tar rope {n}')}" for n in range(90))
    out = compact(single, budget=300, threshold=200).text
    at = {n: f"{n + 1} {n * 7919 + 0xABC1234:x}" for n in said}
    assert f"Security in subjects: line {at[41]}: {said[41]}\n" in out and f"line {at[70]}: {said[70]}\n" in out
    usual = text.replace("Tar rope", "Security: tar rope")  # the rule there
    assert "Security in subjects" not in compact(usual, budget=500, threshold=300).text


def test_of_a_dozen_breaking_changes_the_first_are_told_with_what_they_say() -> None:
    said = dict.fromkeys(range(40, 100, 12), "BREAKING CHANGE: berths are counted from zero")
    text = "\n".join(
        f"commit {n:040x}\nAuthor: Ada <ada@x.org>\nDate:   Mon Jul 6 10:00:00 2026 +0200\n\n"
        f"    {said.get(n, f'Mend {n}')}\n"
        for n in range(120)
    )
    lines = [n * 6 + 1 for n in said]  # where each commit begins, as its row would say
    shown = compact(text, budget=300, threshold=100).text
    told = "; ".join(f"line {n} 0000000000: {said[40]}" for n in lines[:1])
    assert f"Breaking changes: 5 commits, lines {', '.join(map(str, lines))}\nthe first of them: {told}\n" in shown
    assert all(text.split("\n")[n + 3] == f"    {said[40]}" for n in lines)
    assert "Each commit as a row: its lines, hash, subject\n1-5 " in shown  # no line of the original is such a row


def test_what_a_message_says_below_its_subject_of_breaking_and_reverting_counts() -> None:
    said = {
        40: "feat!: berths count from zero\n\n    BREAKING CHANGE: renumber",
        52: "fix: moor\n\n    * BREAKING-CHANGE: no args",
    }
    said |= {60: "docs: tides\n\n    BREAKING CHANGE: none", 64: "Undo the buoys\n\n    This reverts commit 00aa11bb."}
    text = "\n".join(
        f"commit {n:040x}\nAuthor: Ada <ada@x.org>\nDate:   Mon Jul 6 10:00:00 2026 +0200\n\n"
        f"    {said.get(n, f'Mend {n}')}\n"
        for n in range(120)
    )
    at = {n: text.split("\n").index(f"commit {n:040x}") + 1 for n in said}
    shown = compact(text, budget=300, threshold=100).text
    told = f"line {at[40]} 0000000000: feat!: berths count from zero; line {at[52]} 0000000000: fix: moor\n"
    assert f"Breaking changes: {told}" in shown
    assert f"Reverts: line {at[64]} 0000000000: Undo the buoys\n" in shown


@pytest.mark.parametrize(("year", "said"), [(2026, "0000 Jul 6 Ada: "), (2025, "0000 Jul 6 2026 Ada: ")])
def test_a_day_stands_as_git_prints_it_and_with_its_year_where_there_are_several(year: int, said: str) -> None:
    text = "\n".join(
        f"commit {n:040x}\nAuthor: {'AI'[n % 4 // 2]}da <ada@x.org>\nDate:   Mon Jul {6 - n // 30} 10:00:00 "
        f"{2026 if n < 20 else year} +0200\n\n    Mend {n}\n"
        for n in range(0, 120, 2)
    )
    shown = compact(text, budget=300, threshold=100).text
    assert f"History: 60 commits, Jul 3 {year} to Jul 6 2026; 2 authors" in shown
    assert said in shown and "2026-07" not in shown


def test_a_long_history_says_how_many_commits_each_month_has() -> None:
    def log(*months: str) -> str:
        return "\n".join(
            f"commit {n:040x}\nAuthor: Ada <ada@x.org>\nDate:   {month}-{1 + n % 28:02d}\n\n    Mend {n}\n"
            for n, month in enumerate(month for month in months for _ in range(30))
        )

    shown = compact(log("2026-03", "2026-02", "2025-12"), budget=300, threshold=100).text
    assert "\nCommits by month: 30 in Mar, 30 in Feb, 30 in Dec.\n" in shown
    assert "by month" not in compact(log("2026-03"), budget=300, threshold=100).text
    assert "by month" not in compact(log("2026-03", "2025-03"), budget=300, threshold=100).text  # of one name
    assert "30 in 2026-13" in compact(log("2026-13", "2026-02"), budget=300, threshold=100).text


def test_what_another_command_printed_behind_a_history_is_shown_and_in_no_gap_of_it() -> None:
    commits = [f"{n * 7919 + 0xABC1234:07x} Moor the ship at quay {n}, and tell the master of it" for n in range(90)]
    lines = [*commits, "---BASE---", "25a957a5ad8aead008d89df42d6a24c9bb2730b2"]
    call = {"tool": "Bash", "arguments": {"command": "git log --oneline; echo ---BASE---; git merge-base HEAD main"}}
    for budget in (300, 500, 700):
        text = compact("\n".join(lines), budget=budget, threshold=1, store=None, **call).text
        assert "25a957a5ad8aead008d89df42d6a24c9bb2730b2" in text
        gap = re.search(r"\[(\d+) commits not listed here, lines (\d+)–(\d+)\]", text)
        assert gap and int(gap[3]) == 90 and int(gap[3]) - int(gap[2]) + 1 == int(gap[1]), text
