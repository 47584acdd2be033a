"""Diff: every format, exact line numbers on both sides, counts against unidiff, what is odd, detection."""

# ruff: noqa: E501 - samples read better whole

from __future__ import annotations

import difflib
import os
import random
import re
from pathlib import Path

import pytest
import unidiff
from hypothesis import given, settings
from hypothesis import strategies as st

import mcpcompact
from mcpcompact import compact
from mcpcompact.content.diff import TYPE
from mcpcompact.content.diff.parse import parse, unquote
from mcpcompact.errors import InputError
from mcpcompact.outline import MAX_ITEMS, Hints, Item, Outline
from mcpcompact.source import Sample, Source, split_lines

CORPUS = Path(os.environ.get("MCPCOMPACT_CORPUS") or Path(__file__).resolve().parents[3] / "shared" / "corpus")

GIT = """diff --git a/src/app.py b/src/app.py
index 83db48f..bf2a1c7 100644
--- a/src/app.py
+++ b/src/app.py
@@ -10,5 +10,6 @@ def report(error):
     lines = []
-    lines.append("Traceback (most recent call last):")
+    if error.trace:
+        lines.append("Traceback (most recent call last):")
     for frame in error.frames:
         lines.append(str(frame))
     return lines
diff --git a/old name.txt b/new name.txt
similarity index 90%
rename from old name.txt
rename to new name.txt
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/logo.png b/logo.png
new file mode 100644
index 0000000..1914264
Binary files /dev/null and b/logo.png differ
diff --git a/gone.py b/gone.py
deleted file mode 100644
index 83db48f..0000000
--- a/gone.py
+++ /dev/null
@@ -1,2 +0,0 @@
-import os
-print(os.name)
\\ No newline at end of file
"""


def outline(text: str, **hints: object) -> Outline:
    return TYPE.outline(Source.of_text(text), Hints(**hints))  # type: ignore[arg-type]


def kept(result: Outline) -> list[Item]:
    return [item for item in result.items if item.keep]


def texts(result: Outline) -> list[str]:
    return [line for item in result.items for line in item.text.split("\n")]


def facts(result: Outline) -> str:
    return "\n".join(fact.text for fact in result.facts)


def score(text: str) -> float:
    return TYPE.sniff(Sample(Source.of_text(text))).score


def made(old: list[str], new: list[str], name: str = "a.py", context: int = 3) -> str:
    lines = difflib.unified_diff(old, new, f"a/{name}", f"b/{name}", n=context, lineterm="")
    return "\n".join([f"diff --git a/{name} b/{name}", *lines]) + "\n"


def changed_file(rng: random.Random, name: str, extra: list[str] | None = None, size: int = 60) -> str:
    old = [f"    item_{rng.randint(1, 10**6)} = call(arg_{i})" for i in range(size)]
    new = list(old)
    for at in rng.sample(range(size), 3):
        new[at] = f"    changed_{rng.randint(1, 10**6)} = call(arg)"
    for at, line in enumerate(extra or []):
        new.insert(size // 2 + at, line)
    return made(old, new, name)


def test_git_diff_counts_and_kinds() -> None:
    result = outline(GIT)
    assert result.headline == "5 files, +2 −3"
    told = facts(result)
    assert "git diff: 5 files, +2 −3, 2 hunks" in told
    for part in (
        "gone.py −2 (deleted)",
        "new name.txt (renamed from old name.txt)",
        "binary 1: logo.png",
        "mode 1: run.sh 100644→100755",
        "logo.png (new)",
    ):
        assert part in told
    trace = 'lines.append("Traceback (most recent call last):")'
    (old,) = [item for item in result.items if item.text == f"-11     {trace}"]
    (new,) = [item for item in result.items if item.text == f"+12         {trace}"]
    assert new.under == old.start  # an odd line stands with its other half alone, each in its place
    (head,) = [item for item in result.items if item.text == "@@ -10,5 +10,6 @@ def report(error):"]
    assert any(item.under == head.start for item in result.items)
    assert score(GIT) > 0.9


def test_a_header_of_nothing_is_no_failure() -> None:
    assert compact("diff -a", budget=50, threshold=0, store=None).problem is None


def test_lines_that_look_like_headers_stay_in_their_hunk() -> None:
    old = ["a", "-- x = 1", "b", "c"]
    new = ["a", "++ y = 2", "b", "c"]
    diff = parse(split_lines(made(old, new)))
    assert [(f.path, f.added, f.removed) for f in diff.files] == [("a.py", 1, 1)]


def test_blank_context_that_was_stripped_at_the_end_is_no_cut() -> None:
    head = "--- a/a.py\n+++ b/a.py\n@@ -1,4 +1,5 @@\n one\n+two\n"
    assert not outline(head + " three\n four").notes  # the third one is blank
    assert outline(head).notes and outline(head + " three\n+four").notes
    assert outline(head.replace("-1,4 +1,5", "-1,9 +1,10") + " three\n four").notes


def test_every_hunk_opens_before_the_rest_of_a_long_one() -> None:
    old = [f"    berth_{n} = survey({n * 7919}, keel={n})" for n in range(90)]
    new = [*old[:5], "    rope = splice(12)", *old[6:40], *old[42:70]]
    new += [f"    pilot_{n} = board(tide_{n}, cutter='{n * 37}')" for n in range(90)] + old[70:]
    small = compact(made(old, new), budget=300, threshold=100).text
    assert "-6     berth_5 =" in small and "+6     rope = splice(12)" in small and "-41     berth_40 =" in small
    assert small.count("= board(tide_") > 3


def test_items_point_at_payload_lines_and_show_file_lines() -> None:
    rng = random.Random(2)
    for _ in range(20):
        old = [f"line {rng.randint(0, 30)} of it" for _ in range(80)]
        new = [line for line in old if rng.random() > 0.1]
        for _ in range(8):
            new.insert(rng.randint(0, len(new)), f"new {rng.randint(0, 99)} words")
        text = made(old, new)
        payload = text.split("\n")
        for item in outline(text).items:
            if item.text.startswith("@@"):
                continue
            places = [item.start, *item.also] if item.also else range(item.start, item.end + 1)
            for place, line in zip(places, item.text.split("\n"), strict=True):
                sign, (number, _, rest) = line[0], line[1:].partition(" ")
                side = old if sign == "-" else new
                assert side[int(number) - 1] == rest
                assert payload[place - 1][1:] == rest


def test_counts_agree_with_unidiff() -> None:
    rng = random.Random(7)
    text = "".join(changed_file(rng, f"dir{i % 4}/file_{i}.py") for i in range(30))
    ours = parse(split_lines(text))
    theirs = unidiff.PatchSet(text)
    assert [(f.path, f.added, f.removed, len(f.hunks)) for f in ours.files] == [
        (f.path, f.added, f.removed, len(f)) for f in theirs
    ]


@pytest.mark.skipif(not (CORPUS / "tool_outputs" / "diffs").is_dir(), reason="recorded corpus not here")
def test_recorded_diffs_agree_with_unidiff() -> None:
    for path in sorted((CORPUS / "tool_outputs" / "diffs").iterdir()):
        data = path.read_bytes()
        text = data.decode("utf-8", "replace")
        assert TYPE.sniff(Sample(Source(data))).score > 0.7 or path.stat().st_size < 200, path.name
        ours = parse(split_lines(text))
        try:
            theirs = unidiff.PatchSet(text)
        except unidiff.UnidiffParseError:
            continue
        assert sum(f.added for f in ours.files) == theirs.added, path.name
        assert sum(f.removed for f in ours.files) == theirs.removed, path.name
        known = {f.path for f in ours.files}
        assert {unquote(f.path.removeprefix("dst://")) for f in theirs if len(f)} <= known, path.name


CONTEXT = """*** old/a.c\t2020-01-01 00:00:00
--- new/a.c\t2020-01-02 00:00:00
***************
*** 3,6 ****
  one
! two
  three
- four
--- 3,6 ----
  one
! TWO
  three
+ five
"""
COMBINED = """commit 1234567890abcdef1234567890abcdef12345678
Merge: 1234567 7654321
Author: Ann <ann@example.com>
Date:   Mon Jan 1 00:00:00 2024 +0000

    Merge branch

diff --cc file.txt
index 1111111,2222222..3333333
--- a/file.txt
+++ b/file.txt
@@@ -1,3 -1,3 +1,4 @@@ head
  one
- two
 -zwei
++both
 +ours
  three
"""
PATCH = """*** Begin Patch
*** Update File: src/a.ts
@@ class A
   keep();
-  old();
+  neu();
*** Add File: src/b.ts
+export const b = 1;
+export const c = 2;
*** Delete File: src/c.ts
*** End Patch
"""
PLAIN = "diff -r a/x.txt b/x.txt\n5,6c5\n< five\n< six\n---\n> FIVE\n9a9\n> nine\nOnly in a: gone.txt\nBinary files a/i.png and b/i.png differ\n"
SVN = "Index: m.txt\n===================================================================\n--- m.txt\t(revision 1)\n+++ m.txt\t(working copy)\n@@ -1 +1 @@\n-a\n+b\n"


@pytest.mark.parametrize(
    ("text", "files", "added", "removed", "lines"),
    [
        (CONTEXT, ["new/a.c"], 2, 2, ["-4 two", "-6 four", "+4 TWO", "+6 five"]),
        (COMBINED, ["file.txt"], 2, 2, ["-2 two", "-2 zwei", "+2 both", "+3 ours", " 4 three"]),
        (
            PATCH,
            ["src/a.ts", "src/b.ts", "src/c.ts"],
            3,
            1,
            ["-@5   old();", "+@6   neu();", "+1 export const b = 1;", "+2 export const c = 2;"],
        ),
        (PLAIN, ["b/x.txt", "a/gone.txt", "i.png"], 2, 2, ["-5 five", "-6 six", "+5 FIVE", "+9 nine"]),
        (SVN, ["m.txt"], 1, 1, ["-1 a", "+1 b"]),
    ],
)
def test_other_formats(text: str, files: list[str], added: int, removed: int, lines: list[str]) -> None:
    diff = parse(split_lines(text))
    assert [f.path for f in diff.files] == files
    assert (diff.added, diff.removed) == (added, removed)
    found = texts(outline(text))
    for line in lines:
        assert line in found
    assert score(text) > 0.7


def test_commits_are_named() -> None:
    parts = []
    for i in range(12):
        author = "Eve Rare <eve@example.com>" if i == 5 else "Ann <ann@example.com>"
        parts.append(
            f"commit {i:040x}\nAuthor: {author}\nDate:   Mon Jan {i + 1} 00:00:00 2024 +0000\n\n    Change number {i}\n\n"
        )
        parts.append(changed_file(random.Random(i), "src/a.py"))
    result = outline("".join(parts))
    assert result.headline.startswith("12 commits, 1 file")
    assert f"{5:040x}"[:9] + " Jan 6 2024 Eve Rare +" in facts(result)
    assert [line.rpartition(": ")[2] for line in facts(result).splitlines() if ": Change" in line] == [
        f"Change number {i}" for i in range(12)
    ]
    assert not kept(result)
    assert {item.section for item in result.items if item.text[0] in "+-"} == {
        f"+++ b/src/a.py (commit {f'{i:040x}'[:9]})" for i in range(12)
    }


def test_what_is_odd_is_kept() -> None:
    rng = random.Random(3)
    parts = [changed_file(rng, f"src/core/m{i}.py") for i in range(40)]
    parts[10] = changed_file(rng, "src/core/m10.py", ["    # FIXME: crashes when empty"])
    parts[20] = changed_file(rng, "src/core/m20.py", ["    timeout = 90000000"])
    parts[25] = changed_file(rng, "src/core/m25.py", [f"    row_{i}_{i * 7919}()" for i in range(3_000)])
    parts[30] = changed_file(rng, "legacy/billing.sql")
    parts[35] = changed_file(rng, "src/core/m35.py", ["<<<<<<< HEAD", "    x()", "=======", "    y()", ">>>>>>> b"])
    found = {item.text: item for item in kept(outline("".join(parts)))}
    told = "\n".join(found)
    assert "m25.py +3,00" in facts(outline("".join(parts)))
    for needle in ("FIXME: crashes", "90000000", "legacy/billing.sql", "<<<<<<< HEAD", ">>>>>>> b"):
        assert needle in told
    assert len(found) <= 12
    plain = "".join(changed_file(rng, f"src/core/m{i}.py") for i in range(40))
    assert kept(outline(plain)) == []


def test_truncated_diffs_say_so() -> None:
    text = made([f"{i}" for i in range(50)], [f"{i}{'x' if i > 20 else ''}" for i in range(50)])
    cut = text[: len(text) // 2].rsplit("\n", 1)[0] + "\n…900 tokens truncated…\n+more words\n-less words\n"
    result = outline(cut)
    assert "cut" in result.notes[0]
    assert outline(text).notes == []
    assert any("more words" in t for t in texts(result))


def test_quoting_crlf_and_no_newline() -> None:
    assert unquote('"a/Bug \\346\\216\\222 \\"x\\".md"') == 'a/Bug 排 "x".md'
    crlf = made(["a", "b", "c"], ["a", "B", "c"]).replace("\n", "\r\n")
    assert outline(crlf).headline == "1 file, +1 −1"
    assert "+2 B" in texts(outline(crlf))
    ended = made(["a"], ["b"]).rstrip("\n") + "\n\\ No newline at end of file\n"
    assert outline(ended).headline == "1 file, +1 −1"


NOT_DIFFS = {
    "markdown": "# How to\n\nApply this:\n\n```diff\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```\n\nand then more words follow here.\n",
    "operators": "int f() {\n  x +++ y;\n  --- z;\n  a -- b;\n  return x;\n}\n" * 5,
    "list": "- one\n- two\n+ three\n- four\n" * 6,
    "log": "".join(f"2024-01-01 10:00:{i:02d} diff --git was run\n" for i in range(20)),
    "yaml": "---\nname: x\n---\nname: y\n",
    "stat only": " src/a.py | 12 ++--\n src/b.py |  3 +\n 2 files changed, 9 insertions(+), 6 deletions(-)\n",
    "empty": "",
}


@pytest.mark.parametrize("name", list(NOT_DIFFS))
def test_other_things_are_not_diffs(name: str) -> None:
    assert score(NOT_DIFFS[name]) <= 0.3


def test_not_a_diff_is_an_input_error() -> None:
    with pytest.raises(InputError):
        outline("nothing of the kind\n")


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([
    "diff --git a/x b/x", "diff --git", "diff -r a b", "diff --cc", "--- a/x", "+++ b/x", "@@ -1,3 +1,2 @@ f", "@@ -1 +1 @@", "@@@ -1 -1 +1,2 @@@",
    "+a", "-b", " c", "", "\\ No newline at end of file", "*** Begin Patch", "*** Update File: y", "*** Add File: z", "@@", "***************",
    "*** 1,3 ****", "--- 1,3 ----", "! q", "*** x\tdate", "Index: i", "=====", "Only in a: b", "Binary files a and b differ", "GIT binary patch",
    "rename from p", "rename to q", "new file mode 100644", "new file mode", "old mode 1", "new mode 2", "index", "commit abcdef1234", "Author: x", "5c5", "< a", "> b",
    "---", "\x00", "From 1234567890123456789012345678901234567890 Mon", "+++ /dev/null", "--- /dev/null", '--- "a/\\303"', "Submodule x",
]), max_size=40))  # fmt: skip
def test_total_on_fragments(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert 0 <= score(text) <= 1
    at = 0
    for start, end in TYPE.spans(text):
        assert start == at and end > start
        at = end
    assert at == len(text)
    try:
        result = outline(text)
    except InputError:
        return
    assert result == outline(text)
    for item in result.items:
        assert 1 <= item.start <= item.end <= result.total


def test_spans_hold_whole_hunks() -> None:
    rng = random.Random(1)
    text = "".join(changed_file(rng, f"f{i}.py", size=200) for i in range(4))
    parts = [text[a:b] for a, b in TYPE.spans(text)]
    assert all(part.count("\n@@ ") <= 1 and part.startswith(("diff --git", "@@ ")) for part in parts)
    assert sum(part.startswith("diff") for part in parts) == 4


@pytest.mark.usefixtures("soon")
def test_large_diffs_are_bounded() -> None:
    rng = random.Random(9)
    part = "".join(changed_file(rng, f"pkg{i % 9}/file_{i}.py") for i in range(300))
    text = part * (6_000_000 // len(part) + 1)
    result = outline(text)
    assert len(result.items) <= MAX_ITEMS
    assert len(kept(result)) < 30


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 1_000_000))
def test_random_edits_are_read_and_counted_as_unidiff_counts(seed: int) -> None:
    rng = random.Random(seed)
    words = [
        "# note",
        "   # note",
        "x = 1",
        "x = 10000",
        "port=80",
        "",
        "{",
        "1_0",
        "_1 #",
        "é#1",
        "    return 5",
        " ",
        "a b",
        "9" * 30,
    ]
    parts: list[str] = []
    for n in range(rng.randint(1, 3)):
        old = [rng.choice(words) for _ in range(rng.randint(0, 30))]
        new = [("    " + line if rng.random() < 0.2 else line) for line in old if rng.random() < 0.9]
        new.insert(rng.randint(0, len(new)), rng.choice(words) + rng.choice(["", "  # x", "#"]))
        git = [f"diff --git a/f{n}.py b/f{n}.py", "index 1234567..89abcde 100644"] if rng.random() < 0.6 else []
        made = list(difflib.unified_diff(old, new, f"a/f{n}.py", f"b/f{n}.py", lineterm="", n=rng.choice([0, 1, 3])))
        parts += git + made if made else []
    if not parts:
        return
    text = "\n".join(parts) + "\n"
    theirs = unidiff.PatchSet(text)
    found = parse(split_lines(text))
    outline(text)
    assert (found.added, found.removed) == (theirs.added, theirs.removed)
    assert len(found.files) == len(theirs)
    assert sum(len(f.hunks) for f in found.files) == sum(len(f) for f in theirs)


def test_a_number_beside_a_comment_sign_is_read() -> None:
    text = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n-# TODO: x\n-x = 1 # y\n+    # TODO: x\n+# = 1000 # y\n"
    assert outline(text).headline == "1 file, +2 −2"


def test_every_added_line_that_switches_a_check_off_is_marked() -> None:
    lines = ["diff --git a/net.py b/net.py", "--- a/net.py", "+++ b/net.py", "@@ -1,0 +1,90 @@"]
    lines += [f"+value_{n} = load(source_{n}, verify=False)  # TODO" if n % 30 == 7 else f"+value_{n} = load(source_{n})"
              for n in range(90)]  # fmt: skip
    result = outline("\n".join([*lines, ""]))
    marked = [item.text for item in result.items if item.reason == "a check switched off"]
    assert [text.split(" ")[1] for text in marked] == ["value_7", "value_37", "value_67"]


def test_files_are_headed_by_the_lines_of_the_diff_itself() -> None:
    text = (
        "diff --git a/old name.py b/lib/new.py\nsimilarity index 90%\nrename from old name.py\nrename to lib/new.py\n"
        "--- a/old name.py\n+++ b/lib/new.py\n@@ -1,2 +1,2 @@\n x = 1\n-y = 2\n+y = 3\n"
        "diff --git a/gone.py b/gone.py\ndeleted file mode 100644\n--- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-z = 1\n"
        "diff --git a/same.py b/same.py\n--- a/same.py\n+++ b/same.py\n@@ -7 +7 @@ def f():\n-a = 1\n+a = 2\n"
        "@@ -9 +9 @@ def f():\n-    b = 1\n+    b = 2\n@@ -20,2 +20,2 @@ def f():\n def g():\n-    c = 1\n+    c = 2\n"
    )
    sections = {line: item.section for item in outline(text).items for line in item.text.split("\n")}
    assert sections["+2 y = 3"] == "--- a/old name.py\n+++ b/lib/new.py"
    assert sections["-1 z = 1"] == "--- a/gone.py\n+++ /dev/null"
    assert sections["+7 a = 2"] == "+++ b/same.py"  # not inside the function that the header names
    starts = {item.start: item.text for item in outline(text).items}
    under = {line: starts.get(item.under) for item in outline(text).items for line in item.text.split("\n")}
    assert under["+7 a = 2"] is None
    assert under["+9     b = 2"] == "@@ -9 +9 @@ def f():"
    assert under["+21     c = 2"] == " 20 def g():"


def test_a_hunk_outside_any_function_stands_under_its_own_range_and_not_under_the_header_above() -> None:
    text = (
        "--- a/port.py\n+++ b/port.py\n@@ -9,2 +9,2 @@ def moor(ship):\n     a = 1\n-    b = 1\n+    b = 2\n"
        "@@ -30,3 +30,3 @@ class QuayError(Exception):\n \n SETTINGS = {\n-    'depth': 7,\n+    'depth': 9,\n"
        "@@ -60 +60 @@\n-LIMIT = 3\n+LIMIT = 4\n@@ -80 +80,2 @@\n-def sail(): pass\n+def sail():\n+    go()\n"
    )
    found = outline(text).items
    starts = {item.start: item for item in found}
    under = {line: starts.get(item.under) for item in found for line in item.text.split("\n")}
    assert (heads := [item.text for item in found if item.text.startswith("@@")])
    assert heads == ["@@ -9,2 +9,2 @@ def moor(ship):", "@@ -30,3 +30,3 @@", "@@ -60 +60 @@", "@@ -80 +80,2 @@"]
    setting = under["+32     'depth': 9,"]
    assert setting is not None and setting.text == " 31 SETTINGS = {" and starts[setting.under].text == heads[1]
    assert (limit := under["+60 LIMIT = 4"]) is not None and limit.text == heads[2]
    assert under["+80 def sail():"] is None  # says itself where it is


def test_a_decorator_says_less_than_what_it_decorates() -> None:
    rows = [f"    ship_{n} = moor(berth_{n}, ropes={n + 3})" for n in range(12)]
    added = ["@pytest.fixture", "def quay():", *rows, "", "@pytest.mark.slow", "async def test_tide():", *rows]
    body = "\n".join(f"+{row}" for row in added)
    found = outline(f"--- a/t.py\n+++ b/t.py\n@@ -9,0 +10,{len(added)} @@\n{body}\n").items
    weights = {item.text.split(" ", 1)[1]: item.weight for item in found}
    assert weights["@pytest.fixture"] < weights[rows[0]] < weights["def quay():"]


def test_a_hunk_header_never_stands_behind_a_line_of_its_hunk() -> None:
    added = "".join(f"+    step_{n}(paths['{n * 7919}'], attempt={n})\n" for n in range(40))
    text = "".join(
        f"--- a/m{k}.py\n+++ b/m{k}.py\n@@ -{k * 90 + 9},3 +{k * 90 + 9},45 @@ def run_{k}():\n     begin()\n"
        f"+    get(url_{k}, verify=False)\n{added} \n+    # FIXME: {k}\n     end()\n"
        for k in range(3)
    )
    for budget in (120, 200, 300, 500, 900):
        shown = mcpcompact.compact(text, budget=budget, threshold=budget).text.split("\n")
        headers = [n for n, line in enumerate(shown) if line.startswith("@@ ")]
        assert all(shown[n - 1].startswith("+++ ") for n in headers) and (headers or budget < 500)


def test_a_short_added_definition_is_one_unit_and_a_long_one_its_statements() -> None:
    body = "".join(f"+    if limit_{n} > {n}:\n+        raise ValueError(limit_{n})\n" for n in range(9))
    text = f"--- a/m.py\n+++ b/m.py\n@@ -1,0 +1,22 @@\n+def short(x):\n+    return x + 1\n+\n+def long(x):\n{body}"
    shown = [item.text for item in outline(text).items]
    assert "+1 def short(x):\n+2     return x + 1" in shown and "+4 def long(x):" in shown
    assert "+5     if limit_0 > 0:\n+6         raise ValueError(limit_0)" in shown


def test_of_two_commits_each_names_its_files_and_shows_its_first_change() -> None:
    mail = "From {0:040x} Mon Sep 17 00:00:00 2001\nFrom: Ann <a@b.c>\nDate: Wed, 10 Jun 2026 15:34:38 +1000\nSubject: [PATCH] part {0}\n\n---\n"
    gone = "".join(f"-## Part {n}\n-Old words about {n * 7919} and path/{n}.txt\n" for n in range(150))
    text = mail.format(1) + "--- a/NEW.md\n+++ b/NEW.md\n@@ -0,0 +1,2 @@\n+# All of it\n+Here it is.\n"
    text += f"--- a/OLD.md\n+++ b/OLD.md\n@@ -1,300 +1 @@\n{gone}+See NEW.md\n"
    text += mail.format(2) + "--- a/OLD.md\n+++ b/OLD.md\n@@ -1 +1 @@\n-See NEW.md\n+Read NEW.md first\n"
    shown = mcpcompact.compact(text, budget=400, threshold=400).text
    for told in ("NEW.md +2, OLD.md +1 −300", "# All of it", "See NEW.md", "Read NEW.md first"):
        assert told in shown


def test_a_name_in_a_diff_is_answered_by_a_changed_line_below_its_file() -> None:
    rng = random.Random(5)
    text = "".join(changed_file(rng, f"src/core/m{i}.py") for i in range(30))
    text += changed_file(rng, "src/core/z.py", ["    total = retry_budget_left()"])
    shown = mcpcompact.compact(
        text, budget=300, threshold=300, tool="git_diff", focus="retry_budget_left src/core/z.py"
    ).text
    lines = shown.split("\n")
    (at,) = [n for n, line in enumerate(lines) if "retry_budget_left()" in line]
    heads = [line for line in lines[:at] if line.startswith("+++ ")]
    assert lines[at].startswith("+") and heads[-1] == "+++ b/src/core/z.py"
    assert "diff --git" not in shown


LOG = "".join(
    f"commit {n:040x}\nAuthor: Ann <ann@example.com>\nDate:   Mon Jan {n} 00:00:00 2024 +0000\n\n    {subject}\n\n"
    f"diff --git a/src/{n}.py b/src/{n}.py\n--- a/src/{n}.py\n+++ b/src/{n}.py\n@@ -10,3 +10,4 @@ def part_{n}(x):\n"
    f"     if x > {n}:\n         first_{n} = x\n+        second_{n} = x\n     return x\n"
    for n, subject in ((3, "Third thing"), (2, "Second thing"), (1, "First thing"))
)


def test_every_commit_of_a_log_is_named_with_what_it_changed() -> None:
    lines = facts(outline(LOG)).splitlines()
    assert "3 commits, all by Ann, the newest first:" in lines
    for n, subject in ((3, "Third thing"), (2, "Second thing"), (1, "First thing")):
        assert f"{n:040x}"[:9] + f" Jan {n} 2024 +1: {subject}" in lines


def test_a_diff_in_a_numbered_view_is_a_diff_with_the_numbers_of_the_view() -> None:
    view = "".join(f"{i:>6}→{line}\n" for i, line in enumerate(GIT.splitlines(), 1))
    result = outline(view)
    assert score(view) > 0.9
    assert result.headline == outline(GIT).headline
    at = GIT.splitlines().index("+    if error.trace:") + 1
    assert f"{at} + if error.trace:" in [" ".join(t.split()) for t in texts(result)]


def pairs(shown: str, old: str, new: str) -> list[tuple[bool, bool]]:
    return [(f"{old}{n}(" in shown, f"{new}{n}(" in shown) for n in range(100, 140)]


@pytest.mark.parametrize("budget", range(150, 900, 50))
def test_no_half_of_a_replaced_line_stands_alone(budget: int) -> None:
    rng = random.Random(budget)
    keep = [f"    line_{rng.randint(0, 10**6)} = {rng.random()}" for _ in range(400)]
    old, new = list(keep), list(keep)
    for n in range(100, 140):
        args = f"(self, a{n}, size: int"
        old[(n - 100) * 10] = f"def was{n}{args})"
        new[(n - 100) * 10] = f"def now{n}{args}, mode: str)"
    shown = mcpcompact.compact(made(old, new), budget=budget, threshold=100).text
    found = pairs(shown, "was", "now")
    assert all(one == other for one, other in found) and any(one for one, _ in found)


def test_a_function_whose_signature_changes_in_a_rewritten_block_is_not_shown_as_removed() -> None:
    old = [f"\told_{n}({n}*{n})" for n in range(40)]
    new = [f"\tnew_{n}[{n}] = {n + 7}" for n in range(55)]
    old[20:20] = ["func (s *Store) Restore(ctx Context, path string) error {"]
    new[50:50] = ["func (s *Store) Restore(ctx Context, path string, force bool) (int, error) {"]
    text = made(old, new, "store.go")
    was, now = [item for item in outline(text).items if "Restore(" in item.text]
    assert [item.text.partition(" ")[0] for item in (was, now)] == ["-21", "+51"]
    assert text.split("\n")[now.start - 1] == "+" + new[50] and now.under == was.start == was.end
    assert "-1 \told_0(0*0)" in texts(outline(text))  # tabs as they stand


def test_a_wrapped_sentence_stands_from_its_first_line_on() -> None:
    new = ["# Title", "", "A sentence that goes on", "in a second line.", "- entry that", "  goes on", "- other"]
    result = outline(made(["# Title", ""], new, "a.md"))
    found = [item.text for item in result.items if item.text.startswith("+")]
    assert found == ["+3 A sentence that goes on\n+4 in a second line.", "+5 - entry that\n+6   goes on", "+7 - other"]


def test_what_is_changed_alike_is_said_once() -> None:
    old = [line for n in range(9) for line in (f"const v{n} = load({n});", f"call(v{n});", "", f"run{n}();")]
    new = [line.replace("const", "let") for line in old]
    new[5] = "call(v1, true);"
    result = outline(made(old, new, "a.ts"))
    assert "changed alike: const → let in 8 places" in facts(result)
    weights = [item.weight for item in result.items if "let" in item.text and "true" not in item.text]
    assert max(weights[1:]) < weights[0]


def test_many_files_are_named_by_folder() -> None:
    text = "".join(changed_file(random.Random(i), f"src/part{i % 2}/file_{i}.py") for i in range(12))
    told = facts(outline(text))
    assert "files: src/part0/" not in told
    small = compact(text, budget=120, threshold=100).text
    assert "files under src/: part0/ (6) +18 −18, part1/ (6) +18 −18" in small and "by folder" not in small
    assert "by folder: src/part0/: file_0.py +3 −3, file_2.py +3 −3" in told and "; src/part1/: file_1.py +3 −3" in told


def commit_of(files: dict[str, tuple[list[str], list[str]]], subject: str) -> str:
    head = f"commit {7:040x}\nAuthor: Ann <a@b.c>\nDate:   Wed Jun 10 15:34:38 2026 +1000\n\n    {subject}\n\n"
    return head + "".join(made(old, new, name) for name, (old, new) in files.items())


def test_the_file_that_the_subject_names_is_shown_before_tests_and_longer_source() -> None:
    rng = random.Random(7)

    def block(word: str, count: int) -> list[str]:
        return [f"    {word}_{rng.randrange(10**6)} = call(arg_{rng.randrange(10**6)})" for _ in range(count)]

    text = commit_of(
        {
            "src/aaa.py": ([], block("plain", 90)),
            "src/lease_store.py": (["import os"], ["import os", "def renew(lease):", *block("renewed", 30)]),
            "tests/test_lease_store.py": ([], block("tested", 200)),
        },
        "Leases of the store are renewed",
    )
    shown = compact(text, budget=500, threshold=500).text
    assert "+2 def renew(lease):" in shown and shown.count("renewed_") > 8
    assert shown.count("renewed_") > shown.count("tested_")


def test_a_small_change_of_source_stands_whole_beside_a_long_test() -> None:
    rng = random.Random(8)
    comment = [f"# why {rng.randrange(10**6)} is stripped from each sequence that it is part of" for _ in range(5)]
    text = commit_of(
        {
            "CHANGES.md": (["# 1"], ["# 1", "- All sequences are stripped"]),
            "src/compat.py": (["_ansi = 1"], [*comment, "_ansi = 2"]),
            "tests/test_all.py": ([], [f"def test_{i}_{rng.randrange(10**6)}(seq): ..." for i in range(150)]),
        },
        "Strip all sequences",
    )
    shown = compact(text, budget=500, threshold=500).text
    assert all(line in shown for line in [*comment, "_ansi = 2"])


def test_what_many_files_add_alike_is_told_once_with_its_files() -> None:
    rng = random.Random(9)
    files: dict[str, tuple[list[str], list[str]]] = {
        f"src/part_{i}.py": ([f"a{i} = 1"], ["from core import registry", f"a{i} = 1"]) for i in range(5)
    }
    files["src/registry.py"] = ([], [f"def lookup_{i}_{rng.randrange(10**6)}(): ..." for i in range(70)])
    files["src/more.py"] = ([], ["import os", "from core import registry", "registry.open(os.getcwd())"])
    text = commit_of(files, "One registry")
    assert (
        "changed alike: +from core import registry in 6 places of 6 files: part_0.py, part_1.py, part_2.py, part_3.py, +2 more"
        in facts(outline(text))
    )
    shown = compact(text, budget=400, threshold=400).text
    assert shown.count("\n+1 from core import registry") == 1 and shown.count("def lookup_") > 4
    twice = commit_of({name: files[name] for name in list(files)[:2]}, "Two of them")
    assert "changed alike" not in facts(outline(twice))


def test_source_is_named_and_shown_before_tests_and_a_folded_subject_whole() -> None:
    mail = f"From {1:040x} Mon Sep 17 00:00:00 2001\nFrom: Ann <a@b.c>\nDate: Wed, 10 Jun 2026 15:34:38 +1000\nSubject: [PATCH 1/2] feat: one thing and\n another thing\n\n---\n"
    later = mail.replace(f"{1:040x}", f"{2:040x}").replace("1/2", "2/2")
    text = (
        mail
        + changed_file(random.Random(1), "tests/test_a.py", ["    more = 1"] * 9)
        + later
        + changed_file(random.Random(2), "src/a.py")
    )
    told = facts(outline(text))
    assert "of 10 Jun 2026" in told and ": feat: one thing and another thing" in told and "PATCH" not in told
    assert "\n  tests/test_a.py +12 −3" in told and told.index("  src/a.py +3") < told.index(
        "  tests/test_a.py"
    )  # of few files each commit names its own


def test_what_did_not_change_stands_beside_what_did() -> None:
    files = "".join(
        f"diff --git a/doc{n}.md b/doc{n}.md\n--- a/doc{n}.md\n+++ b/doc{n}.md\n@@ -4,3 +4,3 @@ Guide\n ## Part {n}\n"
        f"-Please note that the value {n} will not be looked at by any of the tools that read this file.\n"
        f"+No tool reads value {n}; the loader passes it on to the next stage unchanged, as version {n} did.\n ```\n"
        for n in range(30)
    )
    shown = compact(files, budget=500, threshold=0).text.split("\n")
    beside = [n for n, line in enumerate(shown) if line.startswith((" 4 ", " 6 "))]
    assert all(shown[n - 1].startswith("+5 ") or shown[n + 1].startswith("-5 ") for n in beside)
    assert sum(line.startswith("+5 No tool") for line in shown) > 4


def test_numbers_that_change_alike_are_told_whole() -> None:
    text = "".join(f"--- a/m{n}.py\n+++ b/m{n}.py\n@@ -1 +1 @@\n-cost_{n} = 0.0\n+cost_{n} = 0.02\n" for n in range(4))
    assert "changed alike: 0.0 → 0.02 in 4 places" in facts(outline(text))
    pair = "-use: load@v6\n-use: tie@v6\n+use: load@v7\n+use: tie@v7\n"  # a place each, though one edit
    text = "".join(f"--- a/m{n}.yml\n+++ b/m{n}.yml\n@@ -1,2 +1,2 @@\n{pair}" for n in range(4))
    assert "changed alike: v6 → v7 in 8 places of 4 files" in facts(outline(text))


def test_what_was_only_aligned_anew_comes_after_what_says_something_new() -> None:
    fields = [
        "Owner",
        "Berth",
        "Draught",
        "Flag",
        "Tonnage",
        "Agent",
        "Cargo",
        "Pilot",
        "Tide",
        "Anchor",
        "Crew",
        "Port",
    ]
    old = [f"-\t\t{name}: ship.{name}," for name in fields]
    new = [f"+\t\t{name + ':':<20}ship.{name}," for name in fields]
    rows = [line for pair in zip(old, new, strict=True) for line in pair]
    rows += ["+\t\tQuarantine:         ship.Health.Quarantine(clock.Now()),", " \t}"]
    diff = "--- a/register.go\n+++ b/register.go\n@@ -40,13 +40,14 @@ func register(ship Ship) Entry {\n"
    shown = compact(diff + "\n".join(rows) + "\n", budget=155, threshold=155).text
    assert "ship.Health.Quarantine(clock.Now())" in shown


def test_commits_of_one_file_name_it_once() -> None:
    def commit(n: int) -> str:
        body = "\n".join(f"+    step_{n}_{k}(berth, {k})" for k in range(30))
        head = (
            f"commit {n:040x}\nAuthor: A B <a@example.org>\nDate:   Mon Jan {n} 10:00:00 2026 +0000\n\n    step {n}\n\n"
        )
        return head + f"diff --git a/berth.py b/berth.py\n--- a/berth.py\n+++ b/berth.py\n@@ -0,0 +1,30 @@\n{body}\n"

    shown = compact("".join(commit(n) for n in (3, 2, 1)), budget=400, threshold=400).text
    assert "  berth.py +30" not in shown and "+30: step 3" in shown


def test_the_message_of_the_only_commit_is_told_whole_without_trailers() -> None:
    said = [
        "Splice the stays before the mast",
        "",
        "The rope frayed at the block.",
        "",
        "Signed-off-by: A <a@example.org>",
    ]
    head = ["commit " + "5" * 40, "Author: A <a@example.org>", "Date:   Mon Jun 1 10:00:00 2026 +0200", ""]
    text = "\n".join([*head, *(f"    {line}" for line in said), "", GIT])
    (fact,) = [fact for fact in outline(text).facts if fact.text.startswith("commit ")]
    assert fact.text.split("\n")[1:] == ["The rope frayed at the block."] and [*fact.shows] == [(), [7]]
    shown = compact(text, budget=200, threshold=0).text
    assert shown.count("frayed") == 1 and ": Splice the stays before the mast\nThe rope frayed" in shown


def test_a_short_run_of_added_lines_is_one_unit_and_a_line_of_a_long_one_stands_under_its_head() -> None:
    rows = ["+    first = rig(mast)", "+    second = rig(boom)", "+    return first + second"]
    short = "--- a/r.py\n+++ b/r.py\n@@ -1,1 +1,4 @@\n def hoist():\n" + "\n".join(rows) + "\n"
    assert "+2     first = rig(mast)\n+3     second" in "\n".join(i.text for i in outline(short).items if i.whole)
    body = [f"+        splice({n}, strand_{n})" for n in range(12)]
    long = "\n".join(["--- a/r.py", "+++ b/r.py", "@@ -1,1 +1,14 @@", " def hoist():", "+    if mast.tall:", *body, ""])
    items = {item.start: item for item in outline(long).items}
    assert items[9].under == 5 and items[5].text == "+2     if mast.tall:" and items[5].under == 4


def test_a_paragraph_of_a_message_is_read_from_its_beginning() -> None:
    said = [
        f"    The {word} mast was never stepped in the old yard, so a change of the keel could\n    silently slip through {word}."
        for word in ("fore", "main", "mizzen", "jigger", "bonaventure")
    ]
    head = "commit 0123456789abcdef0123456789abcdef01234567\nAuthor: A <a@b.c>\nDate:   Thu May 21 10:29:37 2026 -0400\n\n    Rig\n    \n"
    text = (
        head
        + "\n".join(said)
        + "\n    * Sails are set\n\n"
        + made([f"a{n} = {n}" for n in range(90)], [f"b{n} = {n}" for n in range(90)])
    )
    first, second = [item for item in outline(text).items if "mast" in item.text or "Sails" in item.text]
    assert (
        first.text == "\n".join(said).replace("    ", "") and first.flow == "sentences" and first.end - first.start == 9
    )
    assert second.text == "* Sails are set"
    small = compact(text, budget=330, threshold=100).text
    assert "mast" not in small or "The fore mast" in small


def test_lines_of_messages_stand_below_their_commit() -> None:
    log = "".join(
        f"commit {n}{'c' * 39}\nAuthor: A <a@example.org>\nDate:   Mon Jun {n} 10:00:00 2026 +0200\n\n    Change {n}\n\n"
        f"    Because of reason {n}.\n\n{GIT}"
        for n in (1, 2)
    )
    told = {item.text: item.section for item in outline(log).items if item.text.startswith("Because")}
    assert told == {"Because of reason 1.": "commit 1cccccccc", "Because of reason 2.": "commit 2cccccccc"}


def test_a_small_change_of_source_stands_whole_before_what_tests_and_recordings_change() -> None:
    hunks = [f"@@ -{n},1 +{n},3 @@\n keep_{n}()\n+rope_{n} = splice({n})\n+hoist_{n}(rope_{n})\n" for n in (10, 50, 90)]
    text = "--- a/src/rig.py\n+++ b/src/rig.py\n" + "".join(hunks)
    told = "".join(f"+    assert knot_{n}.holds('{n * 7919}') == expected_{n}\n" for n in range(120))
    text += f"--- a/tests/test_rig.py\n+++ b/tests/test_rig.py\n@@ -0,0 +1,120 @@\n{told}"
    text += "--- a/tests/cassettes/rig.yaml\n+++ b/tests/cassettes/rig.yaml\n@@ -0,0 +1,40 @@\n"
    text += "".join(f"+header_{n}: {n * 104729}\n" for n in range(40))
    shown = compact(text, budget=400, threshold=0).text
    assert all(f"+{n + 1} rope_{n} = splice({n})\n+hoist_{n}(rope_{n})" in shown for n in (10, 50, 90))
    assert "+1     assert knot_0" in shown and shown.count("+header_") + shown.count(" header_") <= 2


def test_a_line_of_a_test_stands_under_the_test_that_it_is_in() -> None:
    rows = [f"  it('holds {n}', async () => {{\n" + f"    expect(rope{n}).toBe({n});\n" * 9 + "  });\n" for n in (1, 2)]
    text = "--- a/r.test.ts\n+++ b/r.test.ts\n@@ -0,0 +1,22 @@\n" + "".join(
        f"+{row}\n" for row in "".join(rows).splitlines()
    )
    items = {item.start: item for item in outline(text).items}
    assert items[20].under == 15 and "holds 2" in items[15].text


def test_a_secret_is_a_literal_not_a_name() -> None:
    rows = [
        "+    provider = Provider(api_key=zai_api_key, model=name)",
        '+    other = Provider(api_key="zk-81c44f0b7d")',
    ]
    patch = "\n".join(["--- a/r.py", "+++ b/r.py", "@@ -1,1 +1,3 @@", " def made():", *rows, ""])
    secret = [item.text for item in outline(patch).items if "a secret?" in item.reason]
    assert len(secret) == 1 and "zk-81c44f0b7d" in secret[0]


def test_of_a_mailed_series_the_last_commit_is_the_newest_and_stands_whole() -> None:
    def mail(n: int, rows: list[str]) -> str:
        head = f"From {n:040x} Mon Sep 17 00:00:00 2001\nFrom: Ann <a@b.c>\nDate: Wed, {n} Jun 2026 15:34:38 +1000\n"
        body = "".join(f"+{row}\n" for row in rows)
        return f"{head}Subject: [PATCH {n}/12] change {n}\n\n---\n--- a/m{n}.py\n+++ b/m{n}.py\n@@ -0,0 +1,{len(rows)} @@\n{body}"

    series = [mail(n, [f"rope_{n}_{k} = splice({n}, knot_{k})" for k in range(12)]) for n in range(1, 12)]
    last = ["def hoist(mast):", "    if mast.tall:", "        raise TooTall(mast.height)", "    return mast.hoist()"]
    shown = compact("".join([*series, mail(12, last)]), budget=600, threshold=0).text
    assert shown.index(": change 12\n") < shown.index(": change 11\n")
    assert (
        "\n+1 def hoist(mast):\n+    if mast.tall:\n+        raise TooTall(mast.height)\n+    return mast.hoist()"
        in shown
    )


def test_brackets_of_a_change_stand_with_what_they_close() -> None:
    rows = ["func Hoist(m Mast) error {", "\tif m.Tall {", "\t\treturn tooTall(m.Height)", "\t}", "\treturn nil", "}"]
    text = "--- a/rig.go\n+++ b/rig.go\n@@ -0,0 +1,6 @@\n" + "".join(f"+{row}\n" for row in rows)
    text += "--- a/o.go\n+++ b/o.go\n@@ -0,0 +1,90 @@\n" + "".join(f"+var rope{n} = splice({n})\n" for n in range(90))
    shown = compact(text, budget=300, threshold=0).text
    assert "+1 " + "\n+".join(rows) in shown


def test_a_long_run_of_changed_lines_is_shown_in_parts() -> None:
    rows = [f"reading_{n} = sounding(depth={n * 7919}, of='channel {n}')" for n in range(8)]
    starts = [
        item for item in outline(made(["import sea"], ["import sea", *rows], "a.py")).items if "reading" in item.text
    ]
    short = outline(made(["import sea"], ["import sea", *rows[:4]], "a.py")).items
    assert len(starts) > 1 and any(item.text.count("reading") == 4 for item in short)


def test_a_list_of_many_commits_leaves_room_for_what_they_change() -> None:
    ropes = [f"splice the rope number {n} to the mast of the ship that is moored at quay {n}" for n in range(12)]
    text = "".join(
        commit_of({f"src/part{n % 3}/rope_{n}.py": ([f"x = {n}"], [f"x = {n * 7919}", f"y = load({n})"])}, rope)
        for n, rope in enumerate(ropes)
    )
    small = compact(text, budget=500, threshold=100).text
    assert "12 commits, 12 files" in small and all(rope in small for rope in ropes[:3])
    assert small.count("\n+1 x = ") >= 3


def test_a_body_goes_with_its_own_condition_not_with_a_likeness_elsewhere() -> None:
    gears = [f"{kind} of the ship that lies at the northern quay" for kind in ("anchor", "chain", "capstan")]
    old = [line for gear in gears for line in (f'if not held("{gear}"):', f'    crew.append("{gear}")')]
    new = ["for gear in needed:", "    if not held(gear):", "        crew.append(gear)"]
    texts = [item.text for item in outline(made(["crew = []", *old], ["crew = []", *new], "rig.py")).items]
    assert "+2 for gear in needed:\n+3     if not held(gear):\n+4         crew.append(gear)" in texts


def test_code_of_a_small_change_comes_before_its_comments_and_the_end_of_another_block() -> None:
    said = [f"# the rope number {n} is spliced by the mate of watch {n}" for n in range(12)]
    done = [f"splice(rope_{n}, knot='bowline{n}')" for n in range(12)]
    rows = [row for pair in zip(said, done, strict=True) for row in pair]
    body = "".join(f"+{row}\n" for row in rows)
    text = "--- a/rig.py\n+++ b/rig.py\n@@ -1,4 +1,28 @@\n def moor():\n     return quay.Bollard.find('north')\n \n"
    items = outline(f"{text}{body} sail()\n").items
    weights = {item.text.split(" ", 1)[1]: item.weight for item in items}
    assert min(weights[row] for row in done) > max(weights[row] for row in said) > 2.9
    ended, follows = (next(item.weight for item in items if word in item.text) for word in ("Bollard", "sail()"))
    assert ended < follows


def test_of_many_commits_the_files_come_before_further_commits() -> None:
    text = "".join(commit_of({f"rope_{n % 9}.py": (["x = 1"], [f"x = {n + 2}"])}, f"splice {n}") for n in range(10))
    told = facts(outline(text))
    assert told.index("files:") < told.index("further commits:") if "files:" in told else "by folder" in told


def test_a_long_folder_of_all_files_is_told_once() -> None:
    folder = "src/harbour/moorings/northern/quay"
    told = facts(outline("".join(changed_file(random.Random(n), f"{folder}/rope_{n}.py") for n in range(4))))
    assert f"files under {folder}/:\nrope_0.py +3 −3\n" in told and told.count(folder) == 1


def added(path: str, lines: list[str]) -> str:
    head = f"diff --git a/{path} b/{path}\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/{path}\n"
    return head + f"@@ -0,0 +1,{len(lines)} @@\n" + "".join(f"+{line}\n" for line in lines)


def test_new_documents_show_what_they_are_for_and_their_titles_before_rows_and_examples() -> None:
    guide = [
        "---",
        "name: mooring",
        "description: Moor ships of every kind. Use before unloading, never in a storm.",
        "---",
    ]
    guide += ["", "# Moor ships", "", "## Before the tide", "", *(f"{n}. Look after rope {n}." for n in range(9))]
    text = added("skills/mooring/GUIDE.md", guide)
    text += added("skills/mooring/agents.yaml", ["agent:", "  name: moor ships"])
    for name in ("Ropes", "Quays", "Storms"):
        rows = [f"| {name.lower()}_{n} | keeper {n * 31} | kept in the tower by hand {n * 17} |" for n in range(60)]
        code = ["```python", f"# {name} by night", f"from harbour import {name.lower()}", "```"]
        text += added(f"skills/mooring/{name}.md", [f"# {name} and their care", "", *code, "", *rows])
    message = "commit 1234567890\nAuthor: Ann <a@b.c>\nDate:   Mon Jul 6 10:00:00 2026 +0200\n\n    Add a guide to moor ships\n\n"
    shown = compact(message + text, budget=595, threshold=300).text
    assert "description: Moor ships of every kind." in shown
    assert all(f"+1 # {name} and their care" in shown for name in ("Ropes", "Quays", "Storms"))
    assert "by night" not in shown


def _patch(path: str, old: list[str], new: list[str], said: tuple[str, ...] = ()) -> str:
    rows = [*(f" {line}" for line in said), *(f"-{line}" for line in old), *(f"+{line}" for line in new)]
    head = f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n"
    return head + f"@@ -1,{len(said) + len(old)} +1,{len(said) + len(new)} @@\n" + "".join(f"{row}\n" for row in rows)


def test_of_a_long_replaced_line_both_sides_stand_with_what_differs() -> None:
    row = (
        "| Moorings | yes | "
        + "Each berth has its own ropes and its own fenders, which are checked at every tide. " * 5
    )
    made = outline(_patch("docs/berths.md", [f"{row}|"], [f"{row}Spare ropes lie in the shed. |"]))
    (item,) = [item for item in made.items if "Moorings" in item.text]
    old, new = item.text.split("\n")
    assert old.startswith("-1 | Moorings | yes") and new.startswith("+1 …[+")
    assert "Spare ropes lie in the shed. |" in new and "…[+" in new and len(item.text) < 500


def test_added_lines_of_a_document_stand_under_their_heading_and_lead_in() -> None:
    lines = [
        "# Berths",
        "",
        "## Ropes",
        "Ropes are tarred.",
        "",
        "## Trials",
        "Try each of these:",
        "- a wet rope",
        "- a dry one",
    ]
    made = outline(_patch("docs/berths.md", [], lines))
    by_start = {item.start: item for item in made.items}
    (dry,) = [item for item in made.items if "a dry one" in item.text]
    lead = by_start[dry.under] if dry.under else dry
    assert "Try each of these:" in lead.text and "## Trials" in f"{lead.text}{by_start.get(lead.under, lead).text}"


def test_definitions_that_are_gone_are_named_and_moved_ones_are_not() -> None:
    old = ["def test_slack():", "    assert slack()", "def tie():", "    pass"]
    made = outline(_patch("tests/test_rope.py", old, ["x = 1"]) + _patch("rope.py", [], ["def tie():", "    knot()"]))
    assert "definitions removed: test_slack" in [fact.text for fact in made.facts]


def test_definitions_that_are_added_are_told_with_those_that_are_gone() -> None:
    old = ["def ignore_metadata() -> None:", "    write()", "def tie(knot: Knot) -> Rope:", "    pass"]
    new = ["def ignore_entries() -> None:", "    write()", "def untied() -> list[str]:", "    pass"]
    facts = [fact.text for fact in outline(_patch("app.py", old, new)).facts]
    assert "definitions added: ignore_entries, untied" in facts
    assert "definitions removed: ignore_metadata, tie" in facts


def test_added_entries_of_a_document_say_how_many_there_are() -> None:
    body = [
        f"+- `option_{n}` turns the part number {n} of the service on, off or into what zone{n} says" for n in range(19)
    ]
    patch = "\n".join(["--- a/doc.md", "+++ b/doc.md", "@@ -1,2 +1,21 @@", " # Options", " ", *body, ""])
    text = compact(patch, budget=300, threshold=300).text
    there = text.count("`option_")
    assert 0 < there < 19
    assert f"…[{there} of 19 added items]" in text


def test_a_further_hunk_of_a_file_is_parted_from_the_one_above() -> None:
    hunks = [
        f"@@ -{n * 40 + 1},3 +{n * 41 + 1},4 @@\n \n def moor_{n}(rope):\n+    rope.check(quay_{n}.depth)\n     return rope.tie({n})\n"
        for n in range(12)
    ]
    text = compact(f"--- a/harbour.py\n+++ b/harbour.py\n{''.join(hunks)}", budget=240, threshold=240).text
    body = text[text.index("+++ ") :].split("\n")[1:]
    places = [(int(match[1]) - 1) // 41 for line in body if (match := re.match(r"[ +](\d+) ", line))]
    assert len({*places}) > 2
    assert sum(line.startswith("@@") for line in body) >= len({*places}) - 1


def test_a_rewritten_comment_of_a_workflow_stands_whole() -> None:
    old = ["# Ties up a ship. Adding a label to the", "# order sends a crew of four out to the quay"]
    new = ["# Checks the ropes. Adding a label to the", "# order asks the harbour office for the list"]
    made = outline(
        _patch(".github/workflows/ropes.yml", old, new, ("name: Ropes",)) + _patch("a.yml", ["a: 1"], ["a: 2"])
    )
    (item,) = [item for item in made.items if "+" in item.text and "Checks the ropes" in item.text]
    assert item.text.endswith("the harbour office for the list")


def test_a_mapping_stands_whole_and_the_steps_of_a_workflow_come_first() -> None:
    fields = [f"  rope_{n}: text().atLeast({n}).orNone().told({n})," for n in range(9)]
    made = outline(_patch("src/berths.ts", [], ["const Berth = shape({", *fields, "});", "moor(Berth);"]))
    (berth,) = [item for item in made.items if "const Berth" in item.text]
    assert all(field in berth.text for field in fields) and berth.text.endswith("});")
    steps = [f"      - name: Tie rope {n}\n        run: |\n" + "          knot --twice\n" * 9 for n in range(4)]
    lines = "\n".join(steps).split("\n")
    made = outline(_patch(".github/workflows/ropes.yml", [], lines, ("jobs:", "  tie:", "    steps:")))
    heavy = [item.text for item in made.items if item.weight >= 3.6]
    assert all(any(f"- name: Tie rope {n}" in text for text in heavy) for n in range(4))


def test_of_a_long_rewritten_run_what_is_added_comes_before_what_is_gone() -> None:
    old = [f"    hoist(sail_{n}, 'by hand and with the wind astern', {n})" for n in range(12)]
    new = [f"    winch.pull(n={n}, force=winch.least + {n} * 7)" for n in range(12)]
    made = outline(_patch("src/sails.py", old, new, ("def set_sails():",)))
    weights = {sign: [item.weight for item in made.items if item.text.startswith(sign)] for sign in "+-"}
    assert min(weights["+"]) > min(weights["-"])


def test_brackets_that_did_not_change_lead_to_nothing_and_take_no_room() -> None:
    rows = ["ropes = [", "    {", "        'bow': 1,", "        'stern': 2,", "    },", "]"]
    lines = [f" {row}" for row in rows[:3]] + ["+        'spring': 3,"] + [f" {row}" for row in rows[3:]]
    head = "--- a/ropes.py\n+++ b/ropes.py\n@@ -1,6 +1,7 @@\n"
    far = "".join(_patch(f"part_{n}.py", [], [f"def haul_{n}_{k}(rope, crew):" for k in range(9)]) for n in range(5))
    shown = compact(head + "\n".join(lines) + "\n" + far, budget=300, threshold=0).text
    assert "+4         'spring': 3," in shown and " 1 ropes = [" in shown
    assert not re.search(r"(?m)^ \d+ +[\[\]{}(),]+$", shown)


def test_a_signature_stands_with_its_parameters_where_its_body_is_long() -> None:
    body = [f"        winch.pull('{n}', by=self.crew, until=rope.length * {n})" for n in range(12)]
    made = outline(
        _patch("src/winch.py", [], ["    def haul(", "        self, rope: Rope,", "    ) -> Length:", *body])
    )
    (item,) = [item for item in made.items if "def haul(" in item.text]
    assert item.text.endswith(") -> Length:")


def test_the_few_lines_that_are_removed_come_early_with_what_replaces_them() -> None:
    tests = [f"    assert moored(quay, {n}) == 'by {n} ropes'" for n in range(30)]
    text = _patch("src/quay.py", [], ["MIN = 4"]) + _patch("tests/test_quay.py", ["    assert moored(quay)"], tests)
    item = next(item for item in outline(text).items if item.text.startswith("-"))
    assert item.weight > max(item.weight for item in outline(text).items if "moored(quay, 2)" in item.text)


def test_what_most_places_change_alike_is_shown_first() -> None:
    same = "".join(_patch(f"ropes_{n}.yaml", ["when: wind > 4"], ["when: wind > 4 and not moored"]) for n in range(3))
    alone = "".join(_patch(f"a_{n}.yaml", [f"crew: {n} of them"], [f"crew: {n + 2} of them"]) for n in range(2))
    items = [item for item in outline(alone + same).items if "\n+" in item.text]
    assert "not moored" in max(items, key=lambda item: item.weight).text


def test_few_lines_left_out_within_one_bracket_are_marked_where_they_stood() -> None:
    rows = [
        *(f"     mast_{n}='a long word of no use {n * 7919}'," for n in range(4)),
        "+    spring=False,",
        "     crew,",
        " )",
    ]
    text = "--- a/sail.py\n+++ b/sail.py\n@@ -1,7 +1,8 @@\n set_sail(\n" + "\n".join(rows) + "\n"
    text += "".join(_patch(f"s_{n}.py", [], [f"def haul_{n}_{k}(rope, crew):" for k in range(9)]) for n in range(4))
    shown = compact(text, budget=260, threshold=0).text.split("\n")
    assert shown[shown.index(" 1 set_sail( …") + 1] == "+6     spring=False,"


def test_normal_diffs_and_comparisons_are_no_unified_diffs() -> None:
    normal = "\n".join(f"diff -r old/{n} new/{n}\n1c1\n< oak {n}\n---\n> elm {n}" for n in range(9))
    assert outline(normal).facts[0].text == "normal diff: 9 files, +9 −9, 9 hunks"
    named = [f"Files old/{n} and new/{n} differ" for n in range(9)]
    brief = outline("\n".join([*named, "Only in new: ash"]))
    assert brief.facts[0].text == "diff without lines: 9 files differ, 1 only on one side"


def test_labels_of_ansible_name_no_files() -> None:
    hosts = [f"--- before\n+++ after: /srv/shelves/{n}.conf\n@@ -0,0 +1 @@\n+port={n}\n" for n in range(12)]
    state = '--- before\n+++ after\n@@ -1,3 +1,3 @@\n {\n-  "state": "absent"\n+  "state": "directory"\n }\n'
    recap = [f"{host} : ok=3  changed=1  unreachable=0  failed={n}  skipped=0" for n, host in enumerate(("oak", "elm"))]
    found = outline("\n".join([state, *hosts, "PLAY RECAP ****", *recap]))
    told = "\n".join(fact.text for fact in found.facts)
    assert "12 files and one that it does not name, +13 −1" in told
    assert "/srv/shelves" in told and "after" not in told
    assert [item.text for item in found.items if item.keep.name == "SEVERE"] == [recap[1]]


def test_a_total_of_more_files_than_are_here_is_told() -> None:
    stat = [f" conf/svc{n}.toml | 2 +-" for n in range(9)] + [" 9 files changed, 9 insertions(+), 9 deletions(-)"]
    hunk = "diff --git a/conf/svc{0}.toml b/conf/svc{0}.toml\n--- a/conf/svc{0}.toml\n+++ b/conf/svc{0}.toml\n@@ -1 +1 @@\n-max = {0}\n+most = {0}"
    told = "not all of the change is here: 9 files changed, 9 insertions(+), 9 deletions(-) in all"
    assert outline("\n".join([*stat, *map(hunk.format, range(6))])).notes == [told]
    assert outline("\n".join([*stat, *map(hunk.format, range(9))])).notes == []


def test_a_removed_line_of_a_rewritten_run_comes_with_what_takes_its_place() -> None:
    old = ["needs: [build]", *(f"old_rope_{n}: {n} turns of the former winch" for n in range(9))]
    new = ["after: all that have to pass before", *(f"crew{n}: those beside it" for n in range(9))]
    made = outline(_patch("ropes.txt", old, new))
    needs = next(item for item in made.items if "needs: [build]" in item.text)
    added = next(item for item in made.items if item.start == needs.under)
    assert added.text.startswith("+") and "after:" in added.text
    gone = outline(_patch("ropes.txt", old, ["after: all"])).items
    assert not any(item.text.startswith("-") and item.under for item in gone)


def test_a_list_of_files_says_which_are_new_deleted_and_renamed() -> None:
    moved = "diff --git a/deck/knots.py b/deck/ropes.py\nsimilarity index 90%\nrename from deck/knots.py\nrename to deck/ropes.py\n"
    made = "diff --git a/mast.py b/mast.py\nnew file mode 100644\n--- /dev/null\n+++ b/mast.py\n@@ -0,0 +1 @@\n+height = 12\n"
    gone = "diff --git a/oar.py b/oar.py\ndeleted file mode 100644\n--- a/oar.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-length = 3\n"
    told = facts(
        outline(moved + "--- a/deck/knots.py\n+++ b/deck/ropes.py\n@@ -1 +1 @@\n-tie()\n+splice()\n" + made + gone)
    )
    assert "\ndeck/ropes.py +1 −1 (renamed from knots.py)\n" in told
    assert "\nmast.py +1 (new)" in told and "\noar.py −1 (deleted)" in told and "new 1" not in told
    assert "files (new):\nmast.py +1\nsail.py +1" in facts(outline(made + made.replace("mast", "sail")))


def test_words_exchanged_everywhere_are_told_once_and_other_changes_stand() -> None:
    names = ["tie_rope", "tie_rope", "RopeLocker", "ropeOnDeck", "the rope of the bow", "ROPE_LENGTH", "rope_walk"]
    places = [
        _patch(f"deck/part_{n}.py", [f"stow({name!r}, {n})"], [f"stow({new!r}, {n})"])
        for n, name in enumerate(names)
        for new in [name.replace("rope", "chain").replace("Rope", "Chain").replace("ROPE", "CHAIN")]
    ]
    calls = _patch("deck/winch.py", ["haul(rope, until=rope.end)"], ["haul(chain, until=chain.link(4) or crew.tired)"])
    text = "".join([*places, calls])
    assert "changed alike: rope → chain (as tie_rope → tie_chain) in 7 places of 7 files" in facts(outline(text))
    said = [item for item in outline(text).items if "\n+" in item.text and item.weight > 1]
    assert len(said) == 1 and "crew.tired" in said[0].text
    assert "crew.tired" in compact(text, budget=260, threshold=0).text


def test_an_added_heading_stands_with_its_first_sentence_and_sentences_changed_alike_are_told_once() -> None:
    files = [
        "diff --git a/docs/harbour.md b/docs/harbour.md\n--- a/docs/harbour.md\n+++ b/docs/harbour.md\n@@ -8,2 +8,6 @@\n <!-- end -->\n \n"
        '+## Plain words\n+\n+Say "quay" only of stone; a place made of wood is a jetty.\n+\n'
    ]
    for n, name in enumerate(("crane", "winch", "tug", "pilot", "buoy", "lock")):
        files.append(
            f"@@ -{n * 40 + 20},2 +{n * 40 + 24},2 @@\n Text of {name}, as it was.\n"
            f"-To quickly tie several of them to each other, you may also call [`{name}()`][harbour.tools.{name}] on any ship "
            f"of the fleet instead of tying a `{name.title()}Rope` to each of the ships by hand, one after another.\n"
            f"+To tie ships, call [`{name}()`][harbour.tools.{name}] on any of them.\n"
        )
    for n in range(9):
        files.append(
            f"diff --git a/docs/berth{n}.md b/docs/berth{n}.md\n--- a/docs/berth{n}.md\n+++ b/docs/berth{n}.md\n@@ -3,1 +3,1 @@\n"
            f"-Berth {n} lies where tide {n * 7} turns.\n+At low water {n * 3} metres are left at berth {n}, seen from its wall.\n"
        )
    shown = compact("".join(files), budget=400, threshold=100).text
    assert re.search(r"## Plain words\n\+ *\n\+ *Say \"quay\" only of stone", shown)
    assert "changed alike: +To tie ships, call … on any of them. in 6 places" in shown
    assert shown.count("To quickly tie") <= 1 and "by folder: docs/: harbour.md +10 −6, berth0.md +1 −1, " in shown


def test_a_deep_heading_of_a_new_document_stands_below_its_own_part() -> None:
    rows = ["# Rigging"]
    for n in range(12):
        rows += ["", f"## Mast {n}", ""]
        for m in range(4):
            rows += [f"### Spar {n}-{m}", "", f"Tar the {'long ' * 12}rope {n * 7 + m} of the spar before noon.", ""]
    lines = ["diff --git a/docs/rig.md b/docs/rig.md", "new file mode 100644", "--- /dev/null", "+++ b/docs/rig.md"]
    lines += [f"@@ -0,0 +1,{len(rows)} @@", *(f"+{row}" for row in rows)]
    for budget in range(220, 900, 40):
        above = "-"
        for line in compact("\n".join(lines), budget=budget, threshold=200).text.split("\n"):
            above = line.removesuffix(" …").rpartition(" ")[2] if "## Mast" in line else above
            assert "### Spar" not in line or line.partition("### Spar ")[2].startswith(f"{above}-")


def test_what_decides_comes_before_data_and_settings_and_assertions_before_what_a_test_sets_up() -> None:
    text = "commit 3f9c1d2e\nAuthor: Ina <ina@quay.example>\nDate:   Mon May 4 09:00:00 2026 +0000\n\n    Store the metres of a ship's mast\n\n"
    text += "diff --git a/quay/berths.py b/quay/berths.py\n--- a/quay/berths.py\n+++ b/quay/berths.py\n"
    for n, name in enumerate(("draught", "length", "beam", "mast", "cargo")):
        at = n * 20 + 10
        text += f"@@ -{at},1 +{at},2 @@ class Harbour:\n         self.called += 1\n+        self.{name} = ship.{name}.metres(self.scale, {n})\n"
    text += "@@ -140,2 +145,4 @@ class Harbour:\n         self.called += 1\n"
    text += "+        if ship.draught > self.tide.depth(self.clock.now()):\n+            raise TooDeep(ship.name, self.tide)\n"
    text += "         self.quay.tie(ship)\ndiff --git a/tests/test_berths.py b/tests/test_berths.py\n--- a/tests/test_berths.py\n+++ b/tests/test_berths.py\n@@ -0,0 +1,20 @@\n"
    text += "+def test_deep_ships_stay_outside(harbour):\n"
    text += "".join(f"+    harbour.add(Ship('Alma {n}', draught={n}, crew=Crew({n})))\n" for n in range(9))
    text += "+    assert harbour.outside == ['Alma 17']\n"
    text += "".join(f"+    harbour.lock(Gate({n}), key={n * n}, until=Noon({n}, zone='UTC'))\n" for n in range(9))
    weights = {item.text.split("\n")[0]: item.weight for item in outline(text).items if item.text[0] == "+"}
    decides = next(weight for said, weight in weights.items() if "if ship.draught" in said)
    assert decides > max(weight for said, weight in weights.items() if "self.scale" in said and "mast" not in said)
    asserts = next(weight for said, weight in weights.items() if "assert harbour" in said)
    assert asserts > max(weight for said, weight in weights.items() if "Ship(" in said or "Gate(" in said)


def test_outer_keys_of_a_workflow_come_before_its_steps_and_a_closing_word_counts_as_a_bracket() -> None:
    steps = [
        f"      - name: Moor ship {n} at quay {n * 7}\n        run: |\n          if tide high; then\n            knot --rope {n}\n"
        + f"            haul --winch {n} --crew {n * 3}\n" * 4
        + "          fi"
        for n in range(9)
    ]
    new = ["permissions: {}", "jobs:", "  moor:", "    needs: pilot", "    steps:", *"\n".join(steps).split("\n")]
    old = ["permissions:", "  contents: read", "  id-token: write", "jobs:", "  moor:", "    steps:"]
    text = "diff --git a/.github/workflows/port.yml b/.github/workflows/port.yml\n"
    text += "\n".join(
        difflib.unified_diff(old, new, "a/.github/workflows/port.yml", "b/.github/workflows/port.yml", lineterm="")
    )
    shown = compact(text, budget=180, threshold=0).text
    assert "-1 permissions:" in shown and "permissions: {}" in shown and "needs: pilot" in shown
    assert all(item.weight < 0.1 for item in outline(text).items if item.text.endswith(" fi") and "\n" not in item.text)


def test_shown_lines_of_a_hunk_stand_in_the_order_of_both_files() -> None:
    old = [
        "          # Moor the ferry again where that lies at its own quay, else tell the pilot that another one is free.",
        '          berth=$(port list "quays/${QUAY}/ferries" \\',
        '            --pick \'[.[] | select(.ferry.name == "alma" and (.note | startswith("moored")))][0].berth\')',
    ]
    new = [
        "          # Free a berth.",
        '          berth=$(port list --pages --joined "quays/${QUAY}/ferries?most=100" \\',
        '            --pick \'[.[][] | select(.ferry.name == "alma" and ((.note | startswith("moored")) or .late))][0].berth\')',
    ]
    text = _patch(".github/workflows/quay.yml", old, new, ("jobs:", "  moor:", "    steps:"))
    for budget in range(160, 420, 20):
        signed = re.findall(r"^([-+])(\d+) ", compact(text, budget=budget, threshold=0).text, re.MULTILINE)
        for sign in "-+":
            numbers = [int(number) for mark, number in signed if mark == sign]
            assert numbers == sorted(numbers)
    (pair,) = [n for n, item in enumerate(outline(text).items) if "--joined" in item.text]
    assert "Free a berth" in "".join(item.text for item in outline(text).items[:pair])


def test_commits_of_a_line_each_are_told_with_what_they_changed() -> None:
    lines = []
    for n in range(4):
        lines += [
            f"c0ffee{n} Rope {n} replaces the chain",
            f"diff --git a/pier{n}.py b/pier{n}.py",
            "index 1..2 100644",
        ]
        lines += [f"--- a/pier{n}.py", f"+++ b/pier{n}.py", "@@ -1,22 +1,22 @@"]
        lines += [*(f" tide_{n}_{m} = {m}" for m in range(20)), "-chain = 1", f"+rope = {n}", " crane = 3"]
    lines[29:29] = ["0123abc Merge branch 'tide'"]
    text = compact("\n".join(lines), budget=400, threshold=200).text
    assert "git diff: 5 commits, 4 files, +4 −4, 4 hunks" in text
    assert "c0ffee1 +1 −1: Rope 1 replaces the chain" in text
    assert "0123abc: Merge branch 'tide'" in text
    assert "(commit c0ffee0)" in text or "+++ b/pier0.py" in text
    shown = compact("\n".join(lines[:29]) + "\n" + " \n" * 200, budget=160, threshold=100).text
    assert "commit c0ffee0: Rope 0 replaces the chain" in shown


ROPES = ["hemp", "manila", "cotton", "sisal", "flax", "jute", "coir", "nylon"]


def test_the_files_of_a_change_are_all_named_or_counted_by_folder() -> None:
    paths = [f"docs/{folder}page{n}.md" for folder in ("", "quays/", "locks/") for n in range(7)] + ["NOTES.md"]
    text = "".join(
        _patch(
            path,
            [f"Berth {n} {k} is tidal from {k * 7} on, said {ROPES[(n + k) % 5]}." for k in range(9)],
            [f"Mooring {n * 7} dries out {k} hours before low water, said {ROPES[n % 5]}." for k in range(9)],
        )
        for n, path in enumerate(paths)
    )
    roomy = compact(text, budget=900, threshold=100).text
    assert "docs/: page0.md +9 −9, " in roomy and "page6.md +9 −9; docs/quays/: page0.md +9 −9" in roomy
    assert "; ./: NOTES.md +9 −9" in roomy
    some = compact(text, budget=400, threshold=100).text
    assert "by folder: docs/: page0.md, page1.md, " in some and "; ./: NOTES.md" in some
    assert "docs/ (21) +189 −189, ./ (1) +9 −9" in compact(text, budget=150, threshold=100).text


def test_of_a_document_an_old_and_a_new_line_stay_together_in_the_sentences_that_differ() -> None:
    kept = [f"Rope {n} is checked by the harbour master before each spring tide of the year. " for n in range(4)]
    old, new = (
        "It lies in the old shed beside the crane, where nobody looks for it. ",
        "It hangs in the boat house. ",
    )
    later = ("A frayed one is cut at once. ", "A worn one goes to the rope walk. ")
    one = "".join([kept[0], old, kept[1], kept[2], later[0], kept[3]])
    other = "".join([kept[0], new, kept[1], kept[2], later[1], kept[3]])
    (item,) = [
        i for i in outline(_patch("docs/rope.md", [one], [other], ("Text above it.",))).items if i.text[0] == "-"
    ]
    assert item.text.split("\n") == [
        f"-2 …[+{len(kept[0]) - 1} chars] {old}…[+{len(kept[1] + kept[2]) - 1} chars] {later[0]}…[+{len(kept[3]) - 1} chars] ",
        f"+2 …[+{len(kept[0]) - 1} chars] {new}…[+{len(kept[1] + kept[2]) - 1} chars] {later[1]}…[+{len(kept[3]) - 1} chars] ",
    ]
    rewritten = [f"{word} {word[::-1]} of it, " * 20 for word in ("mooring", "ballast")]
    (item,) = outline(_patch("docs/rope.md", rewritten[:1], rewritten[1:])).items
    assert item.text.split("\n") == [f"{sign}1 {text}" for sign, text in zip("-+", rewritten, strict=True)]


def test_what_did_not_change_in_a_document_takes_no_room_of_what_did() -> None:
    r = random.Random(5)
    beside = "and so the berth is left by the ferry, which then waits outside the lock for the tide"
    text = ""
    for n in range(30):
        old, new = (" ".join(r.sample(ROPES, 5)) for _ in range(2))
        rows = [f"-{old} {n}.", f"+Quay {n}: {new} {n * 7}.", f" {beside} {n}", ""]
        text += f"diff --git a/docs/q{n}.md b/docs/q{n}.md\n--- a/docs/q{n}.md\n+++ b/docs/q{n}.md\n@@ -1,2 +1,2 @@\n"
        text += "\n".join(rows)
    shown = compact(text, budget=500, threshold=100).text
    assert shown.count("+1 Quay ") == shown.count("\n-1 ") >= 8 and "waits outside" not in shown


def test_a_number_that_leaps_is_shown_with_what_it_was() -> None:
    changed = []
    for n in range(60):
        changed += [f"diff --git a/src/part{n}.py b/src/part{n}.py", f"--- a/src/part{n}.py", f"+++ b/src/part{n}.py"]
        name = "abcdefghij"[n % 10] * (n // 10 + 3)
        changed += [f"@@ -{n + 5},2 +{n + 5},2 @@", f"-    {name} = {n + 20}", f"+    {name} = {n + 21}", " # end"]
    at = changed.index("+    bbbbbb = 52")
    changed[at] = "+    bbbbbb = 5200"
    text = "\n".join(changed) + "\n"
    assert re.search(r"bbbbbb = 5200 ← was 51$", compact(text, budget=400, threshold=400).text, re.MULTILINE)
    changed[at - 1 : at] = ["-    bbbbbb = 51", "-    bbbbbb = 510"]  # which of them it was nobody can say
    assert "was 51" not in compact("\n".join(changed) + "\n", budget=400, threshold=400).text


def test_what_a_short_change_declares_and_its_source_come_before_bodies_and_styles() -> None:
    panel, style = "src/yard/panel.py", "src/yard/panel.css"
    ground = [f"            self.moor(crane={n}, rope=self.ropes[{n}])" for n in range(3)]
    body = [f"            harbour.lower_anchor(depth={n}, chain=chain_of_{n}, winch=winch_{n})" for n in range(6)]
    hunks = [
        [
            "     BINDINGS = [",
            '         Binding("q", "quit", "Quit"),',
            '+        Binding("t", "toggle_tide", "Tide"),',
            "     ]",
        ],
        ["         super().__init__()", "+        self.show_tide = show_tide", "         self.cranes = []"],
        ["     def draw(self):", *(f" {line}" for line in ground), *(f"+{line}" for line in body)],
        [
            " @app.command()",
            " def main(",
            '+    tide: bool = Option(True, help="Show the tide"),',
            " ) -> None:",
        ],
        ["     def close(self):", *(f"+            crew.go_home(boat={n}, pier=pier_of_{n})" for n in range(8))],
    ]
    lines = ["diff --git a/src/yard/panel.css b/src/yard/panel.css", f"--- a/{style}", f"+++ b/{style}"]
    lines += [
        "@@ -10,1 +10,22 @@",
        " }",
        *(f"+.tide-level-{n} {{ color: $tide{n}; padding: {n}; }}" for n in range(21)),
    ]
    lines += ["diff --git a/src/yard/panel.py b/src/yard/panel.py", f"--- a/{panel}", f"+++ b/{panel}"]
    for at, hunk in enumerate(hunks):
        old = sum(line[0] == " " for line in hunk)
        lines += [f"@@ -{at * 60 + 5},{old} +{at * 60 + 5},{len(hunk)} @@ class Panel:", *hunk]
    out = compact("\n".join(lines), budget=500, threshold=300).text
    for said in ('Binding("t", "toggle_tide", "Tide")', "self.show_tide = show_tide", "tide: bool = Option(True"):
        assert said in out
    assert out.index(f"{panel} +") < out.index(f"{style} +")


def test_a_small_budget_names_the_most_changed_of_many_files() -> None:
    text = ""
    for n in range(60):
        lines = [f"value_{n}_{k} = compute({k})" for k in range(n % 7 + 1 + 40 * (n == 33))]
        path = f"service_{n % 9}/component_{n:02}.py"
        text += f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1,0 +1,{len(lines)} @@\n"
        text += "".join(f"+{line}\n" for line in lines)
    said = compact(text, budget=500).text
    assert "most changed of source: service_6/component_33.py +46, " in said
    assert ", +55 more" in said


def test_a_numbered_view_of_diffs_below_the_names_of_their_files_is_a_diff() -> None:
    def diff(name: str, *lines: str) -> list[str]:
        head = [f"=== FILE: {name} ===", f"diff --git a/{name} b/{name}", "index 6cb0cae..b37928d 100644"]
        return [
            *head,
            f"--- a/{name}",
            f"+++ b/{name}",
            f"@@ -1,{len(lines)} +1,{len(lines) + 1} @@",
            *lines,
            "+moored",
        ]

    rows = diff("quay.txt", *(f" # berth {n}" for n in range(30))) + diff("notes.md", *(f" # {n}" for n in range(30)))
    text = "\n".join(f"{n:6}→{row}" for n, row in enumerate(rows, 1))
    out = compact(text, budget=200, threshold=100, tool="Read", arguments={"file_path": "/tmp/result.txt"})
    assert out.content_type == "diff" and "git diff: 2 files, +2 −0, 2 hunks" in out.text
