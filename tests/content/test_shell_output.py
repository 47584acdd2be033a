"""What a shell printed for several commands: each output by its own kind."""

from __future__ import annotations

import re

from mcpcompact import compact

_SAID = ("Splice the rope before the tide and log it in the book of the quay", "Grease the winch", "Mend the lamp")
_COMMITS = [f"{n * 7654321 % (1 << 32):08x} {_SAID[n % 3]} of berth {n}" for n in range(1, 19)]
_FILES = [f"-rw-r--r--  1 ada  crew  {n * 37} Mar  4 10:{n:02} rope_{n}.c" for n in range(10, 34)]
_ROWS = [
    "drwxr-xr-x  9 ada  crew  288 Mar  4 10:00 .",
    "drwxr-xr-x 31 ada  crew  992 Mar  1 09:00 ..",
    *_FILES,
    "drwxr-xr-x  3 ada  crew   96 Mar  2 08:30 lamps",
]


def test_rows_of_commits_are_no_wrapped_sentence() -> None:
    text = compact("\n".join([*_COMMITS, "---", *_ROWS]), budget=420, threshold=0, store=None).text
    shown = [line for line in text.split("\n") if re.match(r"(?:\d+ )?[0-9a-f]{8} ", line)]
    assert len(shown) >= 5
    assert all(re.sub(r"^\d+ (?=[0-9a-f]{8} )", "", line) in _COMMITS for line in shown)


def test_of_a_long_listing_among_other_output_the_names_are_shown() -> None:
    text = compact("\n".join([*_COMMITS, "---", *_ROWS]), budget=420, threshold=0, store=None).text
    assert "25 entries with the sizes of files: rope_10.c 370" in text
    assert all(f"rope_{n}.c {n * 37}" in text for n in range(10, 34)) and "lamps/" in text


def test_a_mark_within_a_line_says_over_how_many_lines_it_reaches() -> None:
    ships = (
        "brig",
        "cutter",
        "ketch",
        "sloop",
        "yawl",
        "barque",
        "dory",
        "skiff",
        "tender",
        "lugger",
        "smack",
        "xebec",
    )
    lines = [f"the keeper of the northern lamp wrote down that a {ship} passed the light with" for ship in ships]
    lines[5] = "a boat. Then the fog came in from the sea and nobody saw a thing for days and"
    lines[9] = "some. Then the wind rose and all boats of the village came home before dusk and"
    text = "\n".join([*lines, *(f"berth {n * 7919} is free since the {n}th" for n in range(60))])
    out = compact(text, budget=150, threshold=0, store=None, content_type="text").text
    marks = re.findall(r"…\[\+(\d+) chars(?: on (\d+) lines)?\]", out)
    assert any(over for _, over in marks)
    assert all(over or int(said) <= max(map(len, lines)) for said, over in marks)


def test_a_short_traceback_above_other_output_stands_whole() -> None:
    trace = ["Code output: Traceback (most recent call last):", '  File "/srv/look up.py", line 8, in <module>']
    trace += ["    for berth in berths:", "TypeError: 'NoneType' object is not iterable"]
    found = [
        f"Search Result {n}:\nBerth {n} of it\nhttps://quay.example/berth/{n}\nBerth {n} holds {n * 7} brigs, and "
        f"{'the tide reaches it ' * 8}twice a day."
        for n in range(1, 11)
    ]
    text = compact("\n".join(["exitcode: 1", *trace, *found]), budget=400, threshold=0, store=None).text
    assert "\n".join(trace) in text


def test_what_brew_installed_stands_before_what_it_fetched() -> None:
    names = ["viewer", "mason", *(f"lib{chr(97 + n) * 4}" for n in range(14))]
    lines = ["==> Fetching downloads for: viewer and mason", *(f"✔︎ Bottle Manifest {name} (1.2.3)" for name in names)]
    for name in names:
        lines += [f"==> Installing mason dependency: {name}", f"==> Pouring {name}--1.2.3.all.bottle.tar.gz"]
        lines += [f"🍺  /opt/homebrew/Cellar/{name}/1.2.3: 31 files, 1.8MB", ""]
    asked = {"command": "brew install viewer mason"}
    text = compact("\n".join(lines), budget=400, threshold=400, tool="Bash", arguments=asked).text
    assert "1 ==> Fetching downloads for: viewer and mason" in text
    assert "/viewer/1.2.3: 31 files" in text and "/mason/1.2.3: 31 files" in text
    assert text.count("Cellar/") > 3 * (text.count("Pouring") + text.count("Manifest"))


def test_of_outputs_below_headings_it_is_said_where_these_stand_and_what_was_cut() -> None:
    found = [
        f"{n * 7}:  the rope of berth {n} is tied to http://localhost:{5173 + n // 9 * 49150}" for n in range(1, 41)
    ]
    found[11] = "84:2. tie the rope"
    stays = [f"stay {n} holds {n * 31} ships of the harbour" for n in range(40)]
    call = {"command": "grep -n rope harbour.md | head -40; echo; echo '=== stays ==='; cat stays"}
    text = "\n".join([*found, "", "=== stays ===", *stays])
    out = compact(text, budget=500, threshold=100, content_type="text", tool="Bash", arguments=call).text
    assert "\n82 lines, 1 heading at 42\n" in out
    assert "as many lines above “=== stays ===” as `head -40` lets through: there may be more" in out
    assert "typically" not in out and "12: 84:2." not in out and out.count("=== stays ===") == 2
    fewer = "\n".join([*found[1:], "", "=== stays ===", *stays])
    out = compact(fewer, budget=500, threshold=100, content_type="text", tool="Bash", arguments=call).text
    assert "there may be more" not in out


def test_a_directory_that_is_listed_by_a_glob_has_one_slash() -> None:
    places = "\n\n".join("\n".join([f"/srv/{place}/:", "total 88", *_ROWS]) for place in ("north", "south"))
    out = compact(f"{places}\n", budget=400, threshold=100, arguments={"command": "ls -la /srv/*/"}).text
    assert "north/ (" in out and "//" not in out
