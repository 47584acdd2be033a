"""Listings of files."""

from __future__ import annotations

import json
import re

from mcpcompact import compact


def test_a_tree_of_git_is_read_where_its_tabs_were_printed_as_blanks() -> None:
    lines = [f"100644 blob {n * 7919:040x}\tsrc/{'ab'[n % 2]}/part{n}.py" for n in range(120)]
    first = "Listing: 120 entries in 2 directories below src/"
    for blanks in ("\t", "  ", " "):
        shown = compact("\n".join(lines).replace("\t", blanks), budget=300, threshold=100).text
        assert first in shown and "Sizes" not in shown


PARTS = [f"sail{n}" for n in range(14)]


def tree_of_a_project() -> str:
    core = [f"lantern/lantern/{name}.py" for name in ("keeper", "wick", "oil", "glass")]
    inner = [f"lantern/lantern/{part}/{part}_{n}.py" for part in PARTS for n in range(2)]
    beside = [f".github/ISSUE_TEMPLATE/form_{n}.yml" for n in range(12)]
    beside += [f"tests/cassettes/case_{n}.yaml" for n in range(150)] + [f"docs/page_{n}.md" for n in range(30)]
    paths = sorted([*core, *inner, *beside, ".gitignore", "Makefile", "zebra.toml"])
    return "\n".join(f"100644 blob {n:040x} {n + 100:>7}\t{path}" for n, path in enumerate(paths))


def test_of_a_tree_of_git_the_core_is_shown_and_looked_into_before_what_stands_beside_it() -> None:
    text = compact(tree_of_a_project(), budget=300, threshold=300).text
    assert "In lantern/lantern/: . 4 · sail0 2 · " in text
    assert "lantern/lantern/ (4): glass.py" in text and "form_1.yml" not in text
    assert "./ (3): .gitignore" in text and "zebra.toml" in text  # on one line, though others stand between them
    assert "Listing: 227 entries in 19 directories (22 with their parents)." in text


def test_a_link_is_no_file() -> None:
    lines = [f"-rw-r--r-- 1 moor moor {n * 31} Nov 21 21:10 rope_{n}.py" for n in range(60)]
    text = compact("\n".join([*lines, "lrwxrwxrwx 1 moor moor 7 Nov 21 21:10 last -> rope_9"]), budget=300).text
    assert "symlinks: last -> rope_9" in text and "rope_9 7" not in text


def test_the_dot_that_find_begins_with_is_no_directory() -> None:
    paths = [f"./yard/{part}/{n}.c" for part in "abcdefghijklmnopqrstuvwxyz" for n in range(9)] + [
        "./mast/one.c",
        "./a.md",
    ]
    text = compact("\n".join(paths), budget=300, threshold=300).text
    assert "By directory: yard 234 · mast 1 · . 1\n" in text and "In yard/: a 9 · b 9" in text


def test_names_of_the_directory_of_most_programs_come_before_dotfiles_of_the_root() -> None:
    held = {
        "ship": [
            *(f".{kind}config_file" for kind in ("anchor", "rope", "sail", "winch", "mast", "keel", "deck", "oar"))
        ],
        "ship/.git/objects": [f"pack{n * 7919:x}" for n in range(30)],
        "ship/docs": [f"chapter_of_{n}_parts.md" for n in range(30)],
        "ship/src/core": [f"module_number_{n}.py" for n in range(20)],
    }
    lines = [
        line
        for place, names in held.items()
        for line in (
            f"{place}:",
            "total 8",
            *(f"-rw-r--r-- 1 mate crew {100 + n} Nov 21 21:{n:02} {name}" for n, name in enumerate(names)),
            *(["-rw-r--r-- 1 mate crew 900000 Nov 21 21:59 chart.pdf"] if place == "ship/docs" else []),
            "",
        )
    ]
    out = compact("\n".join(lines), budget=420, threshold=420, tool="bash").text
    assert "entries in 4 directories (6 with their parents) from ship/ down; names here are relative to it." in out
    assert "30 of .git;" in out and "chart.pdf ← 95 % elsewhere are at most" in out
    assert all(f"module_number_{n}.py {100 + n}" in out for n in range(20))


def harbour() -> list[str]:
    """The files of a project of many directories, as ``find`` prints them."""
    parts = ("quay", "crane", "rope", "tide", "buoy", "hull")
    names = ("base", "model", "store", "views", "signal")
    return [f"/srv/port/{a}/{b}/{name}.py" for a in parts for b in (*parts, "lock") for name in names]


def test_a_module_that_the_request_names_stands_before_what_shares_a_word_with_it() -> None:
    paths = [*harbour(), "/srv/port/dock/winch/drum/base.py", "/srv/port/dock/winch/drum/brake.py"]
    text = "\n".join(
        [*paths, "/srv/port/dock/winch/motor.py", *(f"/srv/port/tests/base_{n}.py" for n in range(40)), ""]
    )
    for name in ("port.dock.winch.drum.base.Drum.level", "dock::winch::drum::base", r"Dock\Winch\Drum\Base"):
        out = compact(text, budget=300, threshold=100, tool="bash", focus=f"Turns of {name} are lost.").text
        assert "dock/winch/drum/ (2): base.py  brake.py\n" in out and "dock/winch/motor.py" in out, out


def test_a_file_that_the_request_spells_in_another_case_is_shown() -> None:
    text = "\n".join([*harbour(), "/srv/port/hull/keel/_steel_plate.py", ""])
    for name in ("SteelPlate", "steel_plate", "steel-plate"):
        assert "_steel_plate.py" in compact(text, budget=250, threshold=100, focus=f"The {name} is bent.").text


def test_a_last_line_that_is_cut_off_is_no_entry() -> None:
    text = "\n".join(harbour())
    out = compact(f"{text}\n/srv/po", budget=300, threshold=100, tool="bash").text
    assert "The last line (211: “/srv/po”) is cut off within a path: more may follow" in out
    assert "Listing: 210 entries in 42 directories (48 with their parents) of what the tool left below" in out
    assert "only one" not in out and "\n211 /srv/po" not in out
    for whole in (text, f"{text}\n/srv/po\n", f"{text}\n/srv/port/LICENSE"):
        assert "cut off" not in compact(whole, budget=300, threshold=100, tool="bash").text


def test_paths_of_one_name_are_told_by_their_directories() -> None:
    places = [*(f"quay/{n * 7 % 13}/berth{n:02}" for n in range(12)), "quay/gate", "quay/gate/lock"]
    places += [f"tests/check_{n * 31 % 97}" for n in range(70)]
    out = compact("".join(f"./{place}/manifest.yml\n" for place in places), budget=500, threshold=100).text
    assert "All are named manifest.yml; here the directories that hold one.\n" in out
    assert "./quay/gate\n" in out or "./quay/ (1): gate" in out or "./quay/ (gate" in out, out
    assert "./tests/ (" in out and " of 70): check_0  check_31" in out
    other = "".join(f"./{place}/{'manifest' if n else 'index'}.yml\n" for n, place in enumerate(places))
    assert "All are named" not in compact(other, budget=500, threshold=100).text


def test_paths_that_do_not_fit_stand_as_names_by_directory_if_all_of_them_do() -> None:
    kinds = ("hull", "keel", "mast", "sail")
    paths = [f"/srv/yard/slipway/dock/{kind}/{kind}_part_{n:02}.go" for kind in kinds for n in range(20)]
    for shuffled in (False, True):
        told = "\n".join(
            [*(sorted(paths, key=lambda path: path[-5:]) if shuffled else paths), "(Results are truncated.)"]
        )
        out = compact(told, budget=700, threshold=500, tool="Glob")
        assert out.lossless and f"hull/ (20): {'  '.join(f'hull_part_{n:02}.go' for n in range(3))}" in out.text
        assert "below /srv/yard/slipway/dock/:\n" in out.text and "(Results are truncated.)" in out.text
        assert ("not in the order of the lines" in out.text) is shuffled


def test_paths_stand_as_they_are_but_for_what_all_begin_with_if_that_is_enough() -> None:
    paths = [f"/srv/yard/slipway/dock/crane/arm/{n % 5}/joint_{n:02}.go" for n in range(40)]
    out = compact("\n".join(paths), budget=500, threshold=300, tool="Glob")
    assert out.lossless and "\n3/joint_08.go\n4/joint_09.go\n" in out.text


def test_what_few_names_of_a_listing_share_with_the_request_stands_apart_and_first() -> None:
    parts = ("keel", "mast", "rope", "sail", "deck")
    names = [f"/srv/yard/harbour/src/fleet/{part}_{n:02}_plan.go" for n in range(30) for part in parts]
    names[137] = "/srv/yard/harbour/src/fleet/ballast_plan.go"
    text = compact("\n".join(names), budget=300, threshold=200, focus="does the ballast shift in a storm?").text
    assert "(1 of 150): ballast_plan.go" in text
    assert "ballast" not in compact("\n".join(names), budget=300, threshold=200).text


def test_a_listing_by_size_shows_the_largest_and_says_where_it_leaves_any_out() -> None:
    sizes = sorted(((n * 37) % 911 + 3 for n in range(90)), reverse=True)
    lines = ["  40123 total", *(f"{size:7} ./harbour/quay_{size}/berth_{size}.py" for size in sizes)]
    text = compact("\n".join(lines), budget=400, threshold=200).text
    shown = [int(line.split()[0]) for line in text.split("\n") if line.endswith(".py")]
    assert "\n1: 40123 total\n" in text and shown[:8] == sizes[:8]
    left = sum(int(b or a) - int(a) + 1 for a, b in re.findall(r"… \[lines? (\d+)(?:–(\d+))? not shown\]", text))
    assert left + len(shown) == len(sizes)


def test_names_of_several_words_stand_a_line_each_with_their_sizes_where_there_is_room() -> None:
    titles = [f"{how} {what} of the {where} - Moor.epub" for how in ("Great", "Small", "Quiet", "Lost") for what in (
        "Ropes", "Quays", "Gauges", "Harbours") for where in ("North Sea", "Wide Bay", "Old Mole")]  # fmt: skip
    listed = [f"-rw-r--r-- 1 mona staff 4{n:02d}K Nov 30 14:{n:02d} {title}" for n, title in enumerate(titles, 10)]
    call = {"tool": "Bash", "arguments": {"command": "ls -lh books/"}}
    of = {
        budget: compact("\n".join(["total 19M", *listed, "moored 3 ships"]), budget=budget, threshold=1, **call).text
        for budget in (*range(240, 500, 20), 1_000)
    }
    for budget, text in of.items():
        above, _, below = text.partition("files, all -rw-r--r-- mona staff, ")
        lines = below.split("\n")[1:]
        assert "files by kind" not in below and "By kind" not in text and above.count("largest: ") == 1
        sized = {f"4{n:02d}K {title}" for n, title in enumerate(titles, 10)}
        told = [line for line in lines if line in sized or line in titles]
        left = next((int(line.split()[1]) for line in lines if line.startswith("… ")), 0)
        assert len(told) + left == len(titles) and (budget < 1_000 or "moored 3 ships" in text), text
        assert (left == 0 and sized.issuperset(told)) == (budget == 1_000), text
        assert not any(line.startswith("-rw-r--r--") or ": -rw-r--r--" in line for line in lines), text


def test_a_line_of_names_names_the_few_directories_beside_them_and_entries_are_no_files() -> None:
    def folder(name: str, held: list[dict[str, object]]) -> dict[str, object]:
        return {"name": name, "type": "directory", "children": held}

    def files(many: int, name: str) -> list[dict[str, object]]:
        return [{"name": f"{name}_{n}_of_the_old_harbour.py", "type": "file"} for n in range(many)]

    yard = folder("yard", [folder("winch", files(3, "drum")), *files(40, "crane")])
    docks = [folder(f"dock{n}", files(5, "pier")) for n in range(7)]
    text = compact(json.dumps([yard, *docks, *files(3, "gate")], indent=1), budget=500, threshold=500).text
    assert "\nEntries directly in each directory: yard 41 · . 11 · " in text
    assert text.count("\nyard/ (") > text.count(" of 40 + winch/): ") == 1 and "./ (3 + 8 directories): " in text
    assert not re.search(r"\((\d+)–\1 of ", text)
    assert (
        "\nBy directory: "
        in compact("\n".join(f"yard/d{n % 7}/p{n}.py" for n in range(90)), budget=300, threshold=300).text
    )


def test_paths_of_windows_stand_below_their_directories() -> None:
    rows = [f"D:\\quay\\logs\\berth-{n:03}-of-the-north-pier.log" for n in range(90)]
    rows += [f"D:\\quay\\notes\\watch-{n:03}.md" for n in range(9)] + ["D:\\quay\\README.md"]
    shown = compact("\n".join(rows), budget=300, threshold=100, tool="glob").text
    assert "Listing: 100 entries in 3 directories" in shown and "; / stands for \\." in shown
    assert "logs 90 · notes 9 · . 1" in shown and "README.md" in shown.split("\n", 4)[4]
    note = "(Results below D:\\quay are truncated. Consider using a more specific path.)"
    assert note in compact("\n".join([*rows, note]), budget=300, threshold=100, tool="glob").text
