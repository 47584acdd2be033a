"""Text: prose, encoded runs, long lines, repeats, and sources too large to hold."""

# ruff: noqa: E501 - samples read better whole

from __future__ import annotations

import json
import random
import re
from itertools import pairwise
from pathlib import Path

import pytest
from decoders import unfold_repeats
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcompact import compact
from mcpcompact import source as ground
from mcpcompact.content.text import TYPE
from mcpcompact.content.text.blobs import fold_repeats, without_blobs
from mcpcompact.outline import MAX_ITEMS, Hints, Item, Keep, Outline
from mcpcompact.source import Source

LINES = st.sampled_from(
    [
        "",
        "⟪×3⟫",
        "⟪",
        "⟪⟪×2⟫",
        "same",
        "same\r",
        "a/b.py:3:x",
        "./a/b.py",
        "key: 4",
        "# H",
        "├── x",
        "drwxr-xr-x 2 a b 4096 Jan 1 2026 d",
    ]
)
TEXTS = st.text(max_size=400) | st.lists(LINES | st.text(max_size=40), max_size=60).map("\n".join)


def outlined(text: str) -> Outline:
    return TYPE.outline(Source.of_text(text), Hints())


def kept(outline: Outline) -> list[Item]:
    return [item for item in outline.items if item.keep]


@given(TEXTS)
def test_any_text_has_an_outline_within_its_lines(text: str) -> None:
    outline = outlined(text)
    assert len(outline.items) <= MAX_ITEMS
    for item in outline.items:
        assert 1 <= item.start <= item.end <= max(1, outline.total)
    starts = [item.start for item in outline.items]
    assert starts == sorted(starts)
    assert str(outline.total) in outline.headline.replace(",", "") or outline.facts


@given(TEXTS)
def test_spans_partition_the_text(text: str) -> None:
    spans = list(TYPE.spans(text))
    assert "".join(text[a:b] for a, b in spans) == text
    assert all(a < b for a, b in spans)


@given(TEXTS)
@settings(max_examples=300)
def test_folding_gives_the_same_text_back(text: str) -> None:
    assert unfold_repeats(fold_repeats(text)) == text


def test_repeats_are_folded_and_counted() -> None:
    assert fold_repeats("a\n" + "same line\n" * 50 + "b") == "a\nsame line\n⟪×50⟫\nb"
    text = "\n".join(["waiting for the lock to be released"] * 400 + ["got it"])
    assert any("(×400)" in item.text for item in outlined(text).items)
    assert compact(text, budget=150, threshold=10).lossless


def prose(rng: random.Random, sentences: int) -> list[str]:
    rooms, people = ("attic", "cellar", "garage"), ("Ann", "Bob", "Cleo")
    return [
        f"{rng.choice(people)} swept the {rng.choice(rooms)} in {rng.randint(5, 80)} minutes." for _ in range(sentences)
    ]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("joined", [1, 4])
def test_what_is_odd_in_prose_is_kept(seed: int, joined: int) -> None:
    rng = random.Random(seed)
    sentences = prose(rng, 300)
    loud, far, rare = rng.sample(range(20, 280), 3)
    sentences[loud] = "The pump failed with a fatal leak, ticket K4711Q."
    sentences[far] = "Ann swept the attic in 90000 minutes."
    sentences[rare] = "Zebulon swept the cellar in 12 minutes."
    paragraphs = [" ".join(sentences[i : i + joined]) for i in range(0, 300, joined)]
    outline = outlined("\n\n".join(paragraphs))
    said = "\n".join(f"{item.text} {item.reason}" for item in kept(outline))
    for needle in ("K4711Q", "90000", "Zebulon"):
        assert needle in said
    assert len(kept(outline)) <= 6


def test_natural_prose_raises_no_alarm() -> None:
    text = (Path(__file__).parents[2] / "LICENSE").read_text()
    assert len(kept(outlined(text))) <= 3


def test_status_words_of_an_npm_tree_and_of_descriptions() -> None:
    lines = ["app@1.0.0"] + [f"├── package-{i}@{i % 9}.{i % 7}.0" for i in range(200)]
    lines[77] = "├── UNMET DEPENDENCY lodash@^4.0.0"
    assert any("lodash" in item.text and item.keep is Keep.SEVERE for item in outlined("\n".join(lines)).items)


def test_wrapper_lines_are_not_shown() -> None:
    text = "Chunk ID: a1b2c3\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nhello there, reader\n"
    assert [item.text for item in outlined(text).items] == ["5 hello there, reader"]
    running = outlined(text.replace("exited with code 0", "running with session ID 4711"))
    assert "Process running with session ID 4711" in [fact.text for fact in running.facts]


@pytest.mark.parametrize(
    ("blob", "kind"),
    [
        ("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAxMjM0" * 20, "base64"),
        ("0123456789abcdef" * 60, "hex"),
        ("data:image/png;base64," + "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ" * 10, "data URI"),
    ],
)
def test_encoded_runs_are_said_by_kind_size_and_hash(blob: str, kind: str) -> None:
    shown, count, size = without_blobs(f"before {blob} after")
    assert count == 1 and size == len(blob)
    assert re.fullmatch(rf"before \[{kind}, [\d,]+ chars, sha256 [0-9a-f]{{8}}\] after", shown)


def test_pem_base64_lines_and_binary_lines_are_one_item_each() -> None:
    rng = random.Random(3)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    body = ["".join(rng.choices(letters, k=64)) for _ in range(20)]
    binary = bytes(rng.randrange(256) for _ in range(3000)).replace(b"\n", b" ")
    data = "\n".join(
        ["start of it", "-----BEGIN CERTIFICATE-----", *body, "-----END CERTIFICATE-----", "then", *body[:12], "last"]
    ).encode()
    outline = TYPE.outline(Source(data + b"\n" + binary + b"\nend\n"), Hints())
    shown = "\n".join(item.text for item in outline.items)
    assert "3-22 [base64" in shown and "25-36 [base64" in shown and "38 [binary" in shown
    assert body[3] not in shown


def test_a_line_without_end_is_cut_at_exact_characters() -> None:
    text = " ".join(f"word{i} met word{i * 7}." for i in range(80_000))
    outline = outlined(text)
    assert outline.total == 1 and 1_000 < len(outline.items) <= MAX_ITEMS
    for item in outline.items[:: len(outline.items) // 50]:
        at = re.match(r"1@(\d+) ", item.text)
        assert at and text[int(at[1]) :].lstrip().startswith(item.text[at.end() :])
    out = compact(text, budget=300)
    assert out.tokens <= 300 and "1@" in out.text


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    "line",
    ["a:" * 500_000, " " * 1_000_000, "/" * 1_000_000, "a:1:" * 250_000, "-1-" * 300_000, "ab " * 300_000,
     ". " * 500_000, ("a" * 399 + " ") * 2_500, "ab:" * 199 + "x " + "0f " * 300_000, "⟪×" * 300_000, "'\"" * 400_000,
     "=" * 1_000_000],
    ids=lambda line: line[:6],
)  # fmt: skip
def test_hostile_lines_cost_linear_work(line: str) -> None:
    outline = outlined(f"{line}\n{line}\nx\n")
    list(TYPE.spans(line))
    assert outline.total == 3


def test_a_large_text_is_streamed_with_exact_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ground, "LARGE", 1_000_000)
    lines = [f"{i} the quick brown fox jumps over {i % 17}" for i in range(200_000)]
    lines[123_456] = "worker FATAL: disk is gone"
    path = tmp_path / "large.txt"
    path.write_text("\n".join(lines) + "\n")
    source = Source(path=str(path))
    assert source.large
    outline = TYPE.outline(source, Hints())
    assert outline.total == 200_000
    assert outline.facts[0].text == f"Text: 200,000 lines, {path.stat().st_size:,} bytes."
    assert [item.start for item in kept(outline)] == [123_457]
    assert 5_000 < len(outline.items) <= MAX_ITEMS + 1
    for item in outline.items:
        number, _, text = item.text.partition(" ")
        assert lines[int(number) - 1] == text


def test_a_large_line_is_streamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ground, "LARGE", 1_000_000)
    data = b"0123456789 " * 400_000
    path = tmp_path / "line.txt"
    path.write_bytes(data)
    outline = TYPE.outline(Source(path=str(path)), Hints())
    assert outline.total == 1 and "1 line, 4,400,000 bytes" in outline.facts[0].text
    for item in outline.items[1:]:
        at, _, text = item.text.partition(" ")
        place = int(at.split("@")[1])
        assert data[place : place + 3_000].decode().strip().startswith(text)


def test_streamed_counts_equal_held_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(5)
    for end in ("", "\n"):
        text = (
            "\n".join(" ".join("w" * rng.randint(1, 9) for _ in range(rng.randint(0, 12))) for _ in range(3000)) + end
        )
        held = outlined(text)
        path = tmp_path / "t.txt"
        path.write_text(text)
        monkeypatch.setattr(ground, "LARGE", 100)
        streamed = TYPE.outline(Source(path=str(path)), Hints())
        monkeypatch.setattr(ground, "LARGE", 64 << 20)
        assert (streamed.total, streamed.headline) == (held.total, held.headline)


def told(text: str) -> str:
    return "\n".join(fact.text for fact in outlined(text).facts)


def test_sums_of_rounded_sizes_are_about() -> None:
    sizes = ["1.2K", "4.0K", "2.5M"]
    lines = [f"-rw-r--r-- 1 root root {sizes[n % 3]} Jan {1 + n % 28:2} 10:00 file{n}.txt" for n in range(150)]
    said = told("total 4.2M\n" + "\n".join(lines))
    assert "Sizes: ~125 MiB in 150 files" in said
    assert "bytes" not in said


def test_exact_sizes_are_summed_to_the_byte() -> None:
    said = told("\n".join(f"-rw-r--r-- 1 root root {n} Jan {1 + n % 28:2} 2024 file{n}.txt" for n in range(1, 101)))
    assert "Sizes: 5,050 bytes in 100 files, median 50.5, largest 100 (file100.txt)." in said


def test_du_counts_a_directory_with_what_it_holds() -> None:
    lines = [f"{4 * n}\t./a/f{n}.txt" for n in range(1, 21)] + ["844\t./a", "12\t./b/x.txt", "16\t./b", "864\t."]
    said = told("\n".join(lines) + "\n")
    assert "Sizes: 864 in all (the line of .)" in said
    assert "bytes" not in said
    human = told("\n".join(line.replace("\t", "K\t") for line in lines) + "\n")
    assert "Sizes: ~864 KiB in all (the line of .)." in human


def test_find_ls_is_a_listing() -> None:
    lines = [
        f"  {5417014 + n}    {n % 9} -rw-r--r--   1 root     root  {n:>9} Nov {1 + n % 28:2} 10:33 /usr/lib/d{n % 7}/f{n}.so"
        for n in range(200)
    ]
    lines.append("   12345    0 lrwxrwxrwx   1 root     root        7 Nov  2 10:33 /bin -> usr/bin")
    found = outlined("\n".join(lines) + "\n")
    assert found.headline == "201 entries in 8 directories"
    assert any(
        " ".join(item.text.split()).endswith("-rw-r--r-- 1 root root 3 Nov 4 10:33 /usr/lib/d3/f3.so")
        for item in found.items
    )


def test_blame_says_lines_commits_and_authors() -> None:
    lines = [
        f"{'^' if n % 20 == 0 else ''}{4096 + n % 20:08x} (Ann Lee{' ' * (n % 3)} 2024-03-{1 + n % 20:02} 10:00:00 +0200 {n + 1:>4}) x = {n}"
        for n in range(500)
    ]
    said = told("\n".join(lines) + "\n")
    assert "git blame: 500 lines of a file, 20 commits, 1 author, 2024-03-01 to 2024-03-20." in said
    assert "500 commits" not in said


def test_blame_shows_the_file_and_which_lines_the_newest_commits_wrote() -> None:
    body = [
        f"def task_{n // 8}(value):" if n % 8 == 0 else f"    value += {n}" if n % 8 < 7 else "" for n in range(240)
    ]
    late = {16, 17, 18, 90}
    lines = [
        f"{'beef123' if n in late else 'abc4567'} ({'Ben Fox' if n in late else 'Ann Lee'} "
        f"{'2026-02-01' if n in late else '2024-03-01'} 10:00:00 +0200 {n + 1:>3}) {text}"
        for n, text in enumerate(body)
    ]
    text = "\n".join(lines) + "\n"
    found = compact(text, tool="Bash", arguments={"command": "git blame HEAD -- src/tasks.py"}, budget=400, threshold=0)
    assert found.content_type == "code"
    assert (
        "git blame: 240 lines of a file, 2 commits, 2 authors, 2024-03-01 to 2026-02-01; below without commit, author and time."
        in found.text
    )
    assert "2026-02-01 beef123 Ben Fox: 17-19, 91\n" in found.text
    assert "\n17 def task_2(value):" in found.text


def test_bytes_of_a_key_are_neither_times_nor_shown() -> None:
    rng = random.Random(4)
    pairs = [":".join(f"{rng.randrange(60):02d}" for _ in range(15)) + ":" for _ in range(40)]
    block = [f"                {pair}" for pair in [*pairs, "07:23:36"]]
    head = [
        "Certificate:",
        "    Data:",
        "        Issuer: CN = Oak Root",
        "        Not After : Jun  4 11:04:38 2035 GMT",
    ]
    text = "\n".join([*head, "        Modulus:", *block, "        Exponent: 65537", ""])
    found = compact(text, budget=200, threshold=0)
    assert found.content_type == "text"
    assert "Not After : Jun  4 11:04:38 2035 GMT" in found.text
    assert "Exponent: 65537" in found.text
    assert "6-46 [hex, 1,808 chars, sha256 " in found.text
    assert "7 of 47 lines shown" in found.text


def test_of_progress_that_is_redrawn_the_last_state_is_shown() -> None:
    bar = "".join(f"\r{n:3}%|{'█' * (n // 5):20}| {n}/100 [00:0{n // 20}<00:00]" for n in range(101))
    text = f"start\n{bar}\ndone\n"
    found = outlined(text)
    assert [item.text.split(" ", 1)[1].split("|")[0].strip() for item in found.items] == ["start", "100%", "done"]
    assert found.items[1].text.endswith(" [the last state]")
    assert TYPE.sniff(ground.Sample(Source.of_text(text))).score > 0.95


def test_only_states_with_the_words_of_the_last_are_counted() -> None:
    line = "\r".join([*(f"fetch {n}/40 of it" for n in range(7)), *(f"{n * 9}% is done" for n in range(1, 6))])
    assert outlined(f"start\n{line}\nend\n").items[1].text.endswith(" [the last state]")


def test_a_bar_that_grows_is_no_other_word() -> None:
    line = "\r".join(f"fetching: [{'#' * (n // 10):40}] {n // 4}%" for n in range(400))
    assert outlined(f"start\n{line}\nend\n").items[1].text.endswith(" 99% [the last state]")


def test_two_far_numbers_do_not_contradict_each_other() -> None:
    lines = [f"the count of part {chr(97 + n % 26)} is {n % 40} now" for n in range(100)]
    lines[20], lines[70] = "the count of part q is 70917 now", "the count of part z is 88123 now"
    reasons = [item.reason for item in kept(outlined("\n".join(lines) + "\n")) if "at most" in item.reason]
    assert reasons == [
        "all numbers but this and 88,123 are at most 39",
        "all numbers but this and 70,917 are at most 39",
    ]


def test_line_feeds_are_counted_as_lines_are() -> None:
    folded = fold_repeats("\n" * 30_000)
    assert folded == "\n⟪×30000⟫\n"
    assert unfold_repeats(folded) == "\n" * 30_000


def shown(text: str, budget: int = 300) -> list[str]:
    out = compact(text, budget=budget, threshold=budget)
    assert out.content_type == "text"
    return out.text.split("\n")


def test_outputs_of_several_commands_stand_below_their_own_headings() -> None:
    names = ("api", "io", "web")
    parts = [[f"=== {n} ===", *(f"src/{n}/file_{i}.py has {i} findings" for i in range(100, 140))] for n in names]
    for n, part in enumerate(parts):
        part.append(f"40 files, total: {n + 1}77")
    lines = shown("\n".join(line for part in parts for line in part) + "\n", 400)
    heads = [next(i for i, line in enumerate(lines) if line.endswith(f"=== {name} ===")) for name in names]
    for n, (head, end) in enumerate(zip(heads, [*heads[1:], len(lines)], strict=True)):
        body = "\n".join(lines[head + 1 : end])
        assert f"total: {n + 1}77" in body and f"src/{names[n]}/file_100.py" in body
        assert not any(f"src/{other}/" in body for other in names if other != names[n])


def test_echoed_prompts_and_bare_rulers_part_outputs() -> None:
    text = "\n".join(["$ ls src", *(f"file_{i}.py is here" for i in range(60)), "$ wc -l", "60 total", "$ git status"])
    lines = shown(text + "\n", 200)
    assert all(any(line.endswith(prompt) for line in lines) for prompt in ("$ ls src", "$ wc -l", "$ git status"))
    ruled = "\n".join(
        [*(f"file_{i}.py is here now" for i in range(60)), "---", *(f"row {i} of users" for i in range(60))]
    )
    sections = {item.section for item in outlined(ruled).items}
    assert sections == {"", "61 ---"}


def test_an_underlined_line_is_a_heading_and_its_ruler_is_none() -> None:
    lines = ["Installing", "==========", *(f"step number {i} of it" for i in range(30))]
    items = outlined("\n".join(lines)).items
    assert {item.section for item in items} == {"1 Installing"} and items[0].text.startswith("3 ")


def test_of_an_installation_the_end_and_the_errors_come_first() -> None:
    text = ["Collecting requests"]
    for i in range(60):
        text += [f"Collecting lib{i}>={i}.1", f"  Downloading lib{i}-{i}.2-py3-none-any.whl (12 kB)"]
        text += [f"     ━━━━━━━━━━━━━━━━━━━━ 12.{i}/12.{i} MB 9.{i} MB/s eta 0:00:00"]
    text += ["ERROR: Cannot uninstall 'PyYAML'.", "Successfully installed requests-2.31.0"]
    lines = shown("\n".join(text) + "\n", 200)
    assert any("ERROR: Cannot uninstall 'PyYAML'." in line for line in lines)
    assert any("Successfully installed requests-2.31.0" in line for line in lines)
    assert not any("━━━━" in line for line in lines)


def test_values_with_their_names_tell_how_the_thing_is() -> None:
    text = ["Name:  web-1", "Status:  Running", "Containers:", "  web:", "    Image:  registry/web:2.1"]
    text += ["    State:  Waiting", "      Reason:  CrashLoopBackOff", "    Ready:  False", "    Restart Count:  14"]
    text += [f"    Setting {i}:  <none>" for i in range(120)] + [f"    Value {i}:  some/thing-{i}" for i in range(40)]
    lines = "\n".join(shown("\n".join(text) + "\n", 250))
    for told in (
        "Name:  web-1",
        "Status:  Running",
        "Reason:  CrashLoopBackOff",
        "Ready:  False",
        "Restart Count:  14",
    ):
        assert told in lines
    properties = [f"Limit{'ABC'[i % 3]}x{i}=infinity" for i in range(200)] + ["ActiveState=failed", "Result=exit-code"]
    lines = "\n".join(shown("\n".join(properties) + "\n", 200))
    assert "ActiveState=failed" in lines and "Result=exit-code" in lines


def test_changed_files_are_whole_lines_with_their_total() -> None:
    text = "".join(f" src/pkg/module_{i:02}.py{' ' * 20}| {i + 1:3} ++--\n" for i in range(60))
    lines = shown(text + " 60 files changed, 1830 insertions(+), 12 deletions(-)\n", 250)
    assert "60 files changed, 1830 insertions(+), 12 deletions(-)." in lines
    listed = [line for line in lines if line.startswith("src/")]
    assert len(listed) > 12 and all(re.fullmatch(r"src/pkg/module_\d\d\.py \| \d+ \+\+--", line) for line in listed)


def test_words_of_commands_have_no_places() -> None:
    lines = [f"Updating {i:07x}..{i + 9:07x} of branch topic-{i}" for i in range(120)]
    lines[7] = "Fast-forward to the place that stands in no other line of all"
    assert not any("stands only here" in item.reason for item in outlined("\n".join(lines)).items)


def test_the_end_of_an_output_stands_whole() -> None:
    steps = [f"step {n}: built module_{n} of layer_{n % 7} into out_{n}" for n in range(200)]
    end = ["The following files were updated:", " delete mode 100644 src/one.ts", " delete mode 100644 src/two.ts", "$"]
    text = compact("\n".join(steps + end), budget=300, threshold=300).text
    assert all(line in text.split("\n") or line in text for line in end[:3])


def test_what_a_terminal_draws_is_no_content() -> None:
    lines = ["Collecting alpha", "  Downloading alpha-1.2.tar.gz (43 kB)"]
    for n in range(60):
        lines += [
            f"\x1b[?25l   {'━' * 40} 0.0/{n}43.6 kB ? eta -:--:--",
            f"\x1b[?25hDownloading p{n}-1.{n}.whl ({n} kB)",
        ]
    lines += [
        "\x1b[?25hInstalling collected packages: alpha",
        "Successfully installed alpha-1.2",
        "",
        "[notice] new release",
    ]
    text = compact("\n".join(lines), budget=200, threshold=200).text
    assert "Successfully installed alpha-1.2" in text and "Installing collected packages: alpha" in text
    assert "\x1b" not in text and "━" not in text


def test_of_a_screen_of_an_agent_the_latest_acts_are_shown() -> None:
    screen = []
    for n in range(40):
        screen += [f"• Explored part {n}", f"  └ Read file_{n}.ts, other_{n}.ts,", f"    third_{n}.ts", ""]
    screen += ["• The migration failed: table users is locked", "", "◦ Working (3m 28s)", "", "› Explain this codebase"]
    text = compact("\n".join(screen), budget=250, threshold=250).text
    assert "The migration failed: table users is locked" in text and "Working (3m 28s)" in text
    numbers = [int(n) for n in re.findall(r"Explored part (\d+)", text)]
    assert numbers and min(numbers) > 15


def test_metrics_come_before_warnings_of_libraries() -> None:
    lines = []
    for n in range(12):
        lines += [
            f"/usr/lib/python3/site-packages/pkg_{n}/mod_{n}.py:{n}: FutureWarning: `resume_{n}` goes away in {n}.0"
        ]
        lines += ["  warnings.warn(", f"Loading shard {n} of the corpus with its index", ""]
    lines[20:20] = ["Accuracy: 0.8123", "F1-score: 0.7345"]
    text = compact("\n".join(lines), budget=150, threshold=150).text
    assert "Accuracy: 0.8123" in text and "F1-score: 0.7345" in text and text.count("FutureWarning") <= 2


def test_what_a_line_announces_comes_with_it() -> None:
    lines = [f"[*] attack {word} on pub{n}.pem done in 0.{n * 37 % 89} sec." for n, word in enumerate("abcdefgh" * 5)]
    lines[30:30] = ["\x1b[38m", "Decrypted data :\x1b[0m", "utf-8 : the secret of the key\x1b[0m", "\x1b[38m"]
    shown = compact("\n".join(lines), budget=150).text
    assert "32 Decrypted data :\nutf-8 : the secret of the key" in shown


def test_of_a_bar_of_progress_the_last_state_is_shown() -> None:
    lines = ["Fetching the ledgers of the yard", ""]
    for label in ("ledger.json", "crates.bin"):
        lines += [
            f"{label}: {n * 4:3}%|{'█' * n}{' ' * (25 - n)}| {n * 4}/100 [00:{n:02}<00:09, 4.2it/s]" for n in range(26)
        ]
    lines += ["tally.txt:   0%|     | 0/9 [00:00<?, ?it/s]", "", "Accuracy: 0.91"]
    text = compact("\n".join(lines), budget=300, threshold=300).text
    assert "ledger.json: 100%|" in text and "crates.bin: 100%|" in text and "tally.txt:   0%|" in text
    assert text.count("ledger.json") == text.count("crates.bin") == 1 and "Accuracy: 0.91" in text


def test_messages_between_bars_of_progress_are_a_log() -> None:
    lines = []
    for n in range(12):
        lines += [f"2026-04-02 06:20:{n + 10} INFO depot - weighed crate {n} of the northern yard"]
        lines += [f"weighing: {at:3}%|{'#' * at}| {at}/100 [00:01<00:01, 9.1it/s]" for at in range(0, 101, 4)]
    out = compact("\n".join(lines), budget=300, threshold=300)
    assert out.content_type == "log" and out.text.count("weighing:") <= 12
    assert "all 324 lines scanned" in out.text


def test_the_time_that_a_step_took_is_never_odd() -> None:
    lines = []
    for n in range(60):
        lines += [f"[*] weighing crate {n % 7} of the yard", f"[+] Time elapsed: {1.88 if n == 41 else 0.0051} sec."]
    assert "←" not in compact("\n".join(lines), budget=300, threshold=300).text


def test_the_title_of_a_text_is_not_odd() -> None:
    names = ["Ann", "Bob", "Cleo", "Dora"]
    days = [f"Day {n}. {names[n % 4]} swept the attic in {n % 9 + 20} minutes. The pump ran well." for n in range(150)]
    text = compact("\n\n".join(["Journal of Skarv", *days]), budget=300, threshold=300).text
    assert "stands only here" not in text


def test_a_report_of_an_agent_behind_its_calls_is_read_as_the_document_that_it_is() -> None:
    calls = [f'[Tool: Read] {{"file_path":"/yard/quay/berth_{n}.go"}}' for n in range(9)]
    parts = [
        line
        for n in range(8)
        for line in (
            *(
                f"### {n + 1}. Berth {n}",
                "",
                f"Berth {n} is moored with a single line and turns on the tide. It needs two.",
            ),
            *("", *(f"- rope_{n}_{k} runs over bollard {n * 7 + k} and chafes there" for k in range(9)), ""),
        )
    ]
    text = "\n".join(
        [
            *("<task_id>q77</task_id>", "", "<status>completed</status>", "", "<output>", *calls, "", "--- RESULT ---"),
            *("I have seen all berths now.", "", "## Moorings", "", *parts, "### Verdict", "", "Do not open the quay."),
            "</output>",
        ]
    )
    out = compact(text, budget=600, tool="TaskOutput")
    assert out.content_type == "text"
    assert f"Markdown, {text.count(chr(10)) + 1} lines\n9 tool calls before it, up to line 18" in out.text
    for n in range(8):
        assert f"### {n + 1}. Berth {n}\n" in out.text
    assert "### Verdict\n\nDo not open the quay." in out.text


def test_blank_lines_between_shown_ones_count_as_shown() -> None:
    lines = [
        line for n in range(90) for line in (f"berth_{n} holds barge_{n * 7 % 89} until bell_{n * 3 % 97} rings", "")
    ]
    text = compact("\n".join(lines), budget=300, threshold=300, content_type="text").text
    body = text.split("\n")[1:]
    said = re.search(r"([\d,]+) of 179 lines shown", text)
    assert said and int(said[1]) == len(body) and "" in body


def test_of_several_things_each_name_and_each_failed_state_is_kept() -> None:
    things = []
    for n in range(9):
        wrong = {4: "CrashLoopBackOff", 7: "ImagePullBackOff"}.get(n)
        things += [
            *(f"Name:             crane-{n}-of-the-quay", "Namespace:        harbour", "Priority:         0"),
            *(f"Node:             mole-{n}/10.0.0.{n}", "Status:           Running", "Crew:"),
            f"    State:          {'Waiting' if wrong else 'Running'}",
            f"      Reason:       {wrong or 'None'}",
            *("    Restart Count:  0", "    Ready:          True", "    Port:           8080/TCP", "", ""),
        ]
    shown = compact("\n".join(things), budget=450, threshold=450, tool="bash").text
    assert "Reason:       CrashLoopBackOff" in shown and "Reason:       ImagePullBackOff" in shown
    assert all(f"crane-{n}-of-the-quay" in shown for n in range(9))


def test_all_directories_of_a_listing_in_rows_are_named() -> None:
    names = [f"hold_{n}_{'aft' if n % 2 else 'fore'}" for n in range(16)]
    rows = [f"drwxr-xr-x  4 mate deck     4096 Jul  4 08:{n:02} {name}" for n, name in enumerate(names)]
    rows += [f"-rw-r--r--  1 mate deck {n * 977:8} Jul  4 09:{n:02} bill-{n}.txt" for n in range(60)]
    shown = compact("\n".join(["total 99", *rows]), budget=500, threshold=500, tool="bash").text
    assert f"directories: {'  '.join(names)}\n" in shown


def test_of_lines_that_differ_in_numbers_alone_the_second_counts_less() -> None:
    lines = ["the mill begins its day"] + [f"waited {n}.{n} seconds at the gate" for n in range(20)] + ["the mill ends"]
    weights = [item.weight for item in TYPE.outline(Source.of_text("\n".join(lines)), Hints()).items]
    assert weights[1] > 3 * weights[2] == 3 * weights[9]


def test_as_many_hits_as_the_command_lets_through_may_not_be_all() -> None:
    hits = "".join(f"src/rig_{n % 9}.py:{n + 1}:    hoist(sail_{n}, turns={n})\n" for n in range(120))
    cut = "as many lines as `head -120` lets through: there may be more"
    asked = {"command": "grep -rn hoist src | head -120", "cwd": "/srv/rig"}
    assert cut in compact(hits, budget=300, tool="Bash", arguments=asked).text
    assert (
        "lets through"
        not in compact(hits, budget=300, tool="Bash", arguments={"command": "grep -rn hoist src | head -200"}).text
    )


def test_of_very_many_lines_runs_are_read_and_what_is_odd() -> None:
    """A list of words of 1 MB: every line is counted, few are looked at one by one."""
    words = [
        f"{n * 7919 % 999_983:06d}"[::-1].translate(str.maketrans("0123456789", "abcdefghij")) for n in range(120_000)
    ]
    words[87_654] = "ERROR: disk full"
    outline = outlined("\n".join(words) + "\n")
    assert outline.total == 120_000
    assert len(outline.items) <= MAX_ITEMS + 12
    assert [item.start for item in kept(outline) if "disk full" in item.text] == [87_655]
    starts = [item.start for item in outline.items]
    assert sum(b == a + 1 for a, b in pairwise(starts)) > 0.6 * len(starts)
    assert starts[0] == 1 and starts[-1] == 120_000


def test_the_one_token_among_sentences_stands_and_no_other_line_is_odd() -> None:
    birds = ["heron", "wren", "crane", "gull", "swift"]
    lines = [
        f"the {birds[n % 5]} that nests by the {birds[n * 3 % 5]} rock has been seen {n} times since the {n} of May and"
        for n in range(200)
    ]
    for token in ("bird{gr3y_w4gt4il}", "nest_key=41ab77"):
        for place in (200, 90):
            text = "\n".join([*lines[:place], token, *lines[place:]])
            assert f"{place + 1} {token}" in compact(text, budget=300, threshold=300).text.split("\n")
    several = [line for n in range(200) for line in (lines[n], f"id{n}=41ab7{n}")]
    assert not [item for item in kept(outlined("\n".join(several))) if "=" in item.text]


SEA = "tide gauge buoy berth keeper quay lantern rope channel pilot mooring harbour vessel anchor signal chart".split()  # noqa: SIM905


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("budget", [200, 300, 400])
def test_headings_stand_above_what_is_below_them(seed: int, budget: int) -> None:
    rng = random.Random(seed)
    lines = ["# Tides", ""]
    for part in range(5):
        lines += [f"## Part {part} {rng.choice(SEA)}", ""]
        for phase in range(rng.randint(1, 3)):
            lines += [f"### Phase {phase}: {' '.join(rng.choices(SEA, k=4))}", ""]
            for step in range(rng.randint(1, 3)):
                lines += [f"#### {phase}.{step} {' '.join(rng.choices(SEA, k=3))}", ""]
                lines += [f"{' '.join(rng.choices(SEA, k=rng.randint(6, 25)))}.\n".capitalize() for _ in range(3)]
    shown = compact("\n".join(lines), budget=budget, focus=" ".join(rng.choices(SEA, k=5))).text.split("\n")
    numbers = [int(found[1]) for line in shown if (found := re.match(r"(\d+)(?:-\d+)? [#A-Z]", line))]
    numbers = numbers[numbers.index(1) :]  # what answers stands before the document
    assert numbers == sorted(numbers)


def test_the_largest_directory_of_a_long_listing_is_looked_into() -> None:
    paths = [f"tests/{'cassettes' if n % 3 else 'models'}/case_{n}.yaml" for n in range(240)]
    paths += [f"part{n}/{folder}/rope_{k}.py" for n in range(20) for folder in ("src", "docs") for k in range(4)]
    text = compact("\n".join(paths), budget=300, threshold=100, tool="git ls-files").text
    assert "In tests/: cassettes 160 · models 80" in text


def test_lines_that_only_count_are_told_by_the_first_and_their_number() -> None:
    lines = ["bad ledger at import.pl line 7.", *(f"row {n}" for n in range(1, 251)), "stopped"]
    text = compact("\n".join(lines), budget=300, threshold=300, content_type="text").text
    assert "row 1 … 250 such lines, to line 251" in text
    assert "bad ledger at import.pl line 7." in text
    assert "stopped" in text
    assert "row 100" not in text


def test_lines_whose_numbers_tell_something_come_behind_what_differs() -> None:
    values = [f"iter {n} loss {100 / n:.4f}" for n in range(1, 201)]
    lines = [*values, *(f"{word} is what differs here" for word in ("alpha", "beta", "gamma", "delta"))]
    text = compact("\n".join(lines), budget=200, threshold=200, content_type="text").text
    assert "iter 1 loss 100.0000 … 200 such lines, to line 200" in text
    assert all(f"{word} is what" in text for word in ("alpha", "beta", "gamma", "delta"))


def test_a_short_block_of_json_stands_whole_among_other_output_and_before_long_settings() -> None:
    steps = [f"Lifting crate {n} of the {yard} yard" for n in range(12) for yard in ("north", "east", "south")]
    env = " ".join(f"flag{n}\\nUsing rope{n * 7}" for n in range(300))
    block = ["{", '  "results": {', '    "quay": {', '      "lifted": 0.0,', '      "dropped": 0.25', "    }", "  },"]
    block += ['  "config": {', '    "crane": "blue",', *(f'    "rope{n}": {n},' for n in range(9))]
    block += [f'    "env": "{env}",', '    "depth": 4', "  }", "}"]
    text = compact("\n".join([*steps, *block]), budget=300, threshold=100, content_type="text", store=None).text
    assert '38-43 "results": { "quay": { "lifted": 0.0, "dropped": 0.25 } }' in text
    assert '"crane": "blue"' in text


def test_a_spinner_that_takes_its_signs_back_is_no_binary() -> None:
    spins = "\b \b".join("-\\|/" * 12)
    shown = "\n".join(
        item.text for item in outlined(f"start\n  Building wheel for crane ... {spins}\b \bdone\nend\n").items
    )
    assert "Building wheel for crane ... done" in shown and "binary" not in shown


def test_what_a_page_tells_other_hosts_gives_way_to_the_page() -> None:
    tags = "".join(f'        "og:{name}": "A rope house of the old harbour, kept since {n}",\n'
                   for n, name in enumerate(("title", "site_name", "description", "image", "type"), 1850))  # fmt: skip
    found = [
        f"Rope house {n}\nhttps://ropes{n}.example › coils › weight_{n * 7}\n\nCoils of hemp, house {n}\nHouse {n} sells a coil "
        f"of {n * 13} kg for {n * 37} crowns, and sends it to any berth of the harbour by the next tide.\n"
        for n in range(1, 9)
    ]
    head = 'I looked for ropes.\n\n{\n    "meta_tags": {\n        "referrer": "origin",\n' + tags
    page = f'{head}        "token": "{"Qx7" * 60}"\n    }}\n}}\n\nText of the page:\n\n' + "\n".join(found)
    text = compact(page, budget=500, threshold=0, content_type="text").text
    assert "referrer" not in text and "og:" not in text and "Qx7" not in text
    assert sum(f"for {n * 37} crowns" in text for n in range(1, 9)) >= 5
    alone = compact(head * 20, budget=300, threshold=0, content_type="text").text
    assert "og:title" in alone  # it may be what was asked for


def test_of_a_table_that_goes_on_to_the_end_what_stands_above_it_comes_first() -> None:
    head = [
        "yard - 10:50:47 up 14:13,  0 users,  crate average: 5.01, 5.55",
        "Crates: 103 total,  8 lifted,  95 at rest",
    ]
    head += ["%Crane:100.0 up,  0.0 down,  0.0 idle", "", "  ID OWNER      ROW      WEIGHT    STATE  NAME"]
    names = ["amber", "birch", "cedar", "delta", "ember", "flint"]
    rows = [
        f"{4000 + n:>5} {names[n % 6]:<10} {n % 20:<8} {n * 37:<9} R      {names[n * 5 % 6]}_crate" for n in range(150)
    ]
    out = compact("\n".join([*head, *rows]), budget=300, threshold=300, content_type="text")
    assert all(line.strip() in out.text for line in [*head, rows[0]])


@pytest.mark.parametrize("content_type", ["text", "log"])
def test_of_a_long_line_of_json_its_telling_members_stand_as_they_are(content_type: str) -> None:
    def answer(n: int) -> str:
        links = {
            f"{what}_url": f"https://yard.example/cranes/{n}/{what}" for what in ("crew", "log", "load", "lift", "rope")
        }
        owner = {"login": f"pier{n}", "node_id": "QX" * 20, **links, "email": None}
        return json.dumps({"id": n, **links, "owner": owner, "name": f"crane {n}", "notes": "", "state": "idle"})

    headers = str([("Date", "2 Feb"), ("Content-Type", "application/json"), *((f"X-{n}", n) for n in range(99))])
    original = "\n".join(f"GET\n/cranes/{n}\n200\n{headers}\n{answer(n)}\n" for n in range(1, 6))
    text = compact(original, budget=700, threshold=400, content_type=content_type).text
    for n in range(1, 6):
        assert f"/cranes/{n}\n" in text
        assert f'"login": "pier{n}"' in text and f'"name": "crane {n}"' in text and '"state": "idle"' in text
    assert "_url" not in text and "X-50" not in text
    pieces = re.split(r"\n(?:\d+:? )?|…\[\+[\d,]+ chars\](?: \(×\d\))?", text[text.index("GET") :])
    assert [piece for piece in pieces if piece not in original] == ["[mcpcompact] end"]


def test_a_long_line_without_blanks_is_cut_between_its_words() -> None:
    """Neither within a name nor within a number: behind a comma, else behind another sign."""
    line = ",".join(
        f'"links_of_kind_{n}":"https://api.example.org/users/octavia{n}/subscriptions{{/owner}}"' for n in range(90)
    )
    text = f"The answer of the server, as it came:\n{line}\nThat was all, and it was less than was hoped for.\n"
    shown = compact(text, budget=400, threshold=100, store=None).text
    pieces = re.findall(r"2@\d+ (.*)", shown)
    assert pieces
    for piece in pieces:
        said = re.sub(r" ?…\[\+[\d,]+ chars\] ?", "\n", piece).strip("\n").split("\n")
        for part in said:
            at = line.find(part)
            assert at >= 0 and not (line[at - 1 : at].isalnum() and part[0].isalnum())
            assert not (part[-1].isalnum() and line[at + len(part) :][:1].isalnum())


def test_a_key_whose_lines_were_joined_by_blanks_is_said_by_its_kind_and_length() -> None:
    signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    rng = random.Random(64)
    lines = ["".join(rng.choices(signs, k=64)) for _ in range(80)]
    shown = compact(
        f"-----BEGIN ANCHOR KEY-----  {' '.join([*lines, 'q83kAA=='])} -----END ANCHOR KEY-----",
        budget=300,
        threshold=300,
    )
    assert (
        "1 -----BEGIN ANCHOR KEY-----  [base64, 5,208 chars, sha256 " in shown.text
        and "-----END ANCHOR KEY-----" in shown.text
    )


def test_what_still_runs_is_said_first() -> None:
    lines = [f"  {n}0%|{'█' * n}{' ' * (10 - n)}| {n}/10 [00:1{n}<02:36, 17.36s/it]" for n in range(8)]
    lines += [f"Some weights of the crane {n} were drawn anew, which {n + 3} hands should know of." for n in range(40)]
    wait = "Your command has already run for 300 seconds. It is still running. You can wait or interrupt it with: ..."
    lines += ["", wait, "Action: interrupt", "```", "```", "or:", "Action: continue", "```"]
    out = compact("\n".join(lines), budget=300, threshold=300, content_type="text").text.split("\n")
    assert "Your command has already run for 300 seconds. It is still running." in out[1:4]
