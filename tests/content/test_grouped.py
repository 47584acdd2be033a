"""Lists whose rows fall into groups say how many there are of each before they show any."""

from __future__ import annotations

from mcpcompact import compact


def test_a_list_of_packages_says_how_many_names_begin_alike() -> None:
    yards = [f"yard-core-{'abcdefg'[n % 7]}olt{n} - 2.{n}.7-r{n}" for n in range(28)]
    panels = [f"yard-core-ui-panel{n} - 1.{n}.3-r{n}" for n in range(30)]
    others = ["tar - 1.34-1", "zstd - 1.5.5-2"]
    text = compact("\n".join([*yards, *panels, *others]), budget=400, threshold=400).text
    assert "60 lines by how they begin: yard-core-ui-… 30 · other yard-core-… 28 · 2 others\n" in text
    assert "tar - 1.34-1" in text and "zstd - 1.5.5-2" in text  # the odd ones


def test_each_long_list_below_a_heading_is_counted_by_itself() -> None:
    quays = [f"quay.Moorings|harbour.berth.slip{n}" for n in range(60)]
    lone = ["quay.Crane|harbour.mobile", "quay.Radio|net.sea", "quay.Buoy|org.mark"]
    lines = [
        "=== OWN GRANTS ===",
        *lone,
        *quays,
        "",
        "=== GRANTS OF ALL ===",
        "quay.Locks|org.keys",
        "quay.Pilot|org.helm",
    ]
    text = compact("\n".join(lines), budget=350, threshold=350).text
    assert "63 lines below line 1 by how they begin: quay.Moorings|harbour.berth.… 60 · 3 others\n" in text
    assert all(line in text for line in [*lone, "=== GRANTS OF ALL ===", "quay.Locks|org.keys", "quay.Pilot|org.helm"])


def test_words_are_no_groups() -> None:
    lines = [f"the {['heron', 'wren', 'gull'][n % 3]} number {n} nests by the rock of {n * 7}" for n in range(90)]
    assert "by how they begin" not in compact("\n".join(lines), budget=300, threshold=300).text


def test_paths_that_nearly_each_have_a_directory_are_counted_below_those_above() -> None:
    paths = [f"/srv/deck/store/kit{n}/bay/rope{n}/.rigrc" for n in range(60)]
    paths += [f"/srv/deck/attic/box{n}/old/.sailrc" for n in range(27)] + ["/srv/deck/.keelrc"]
    text = compact("\n".join(paths), budget=350, threshold=350).text
    assert "\nBy directory: store 60 · attic 27 · . 1\n" in text
    assert "By kind: .rigrc 60 · .sailrc 27 · .keelrc 1\n" in text and "88: .keelrc" in text


def test_names_of_directories_may_hold_blanks() -> None:
    paths = [f"Library/Crew Data/Version {n % 3}/Blobs/{n:040x}" for n in range(40)] + ["notes/log.txt"]
    text = compact("\n".join(["Found 41 files", *paths]), budget=300, threshold=300).text
    assert "Listing: 41 entries in 4 directories" in text


def test_of_git_status_each_section_is_counted_and_none_is_missing() -> None:
    staged = [f"\tnew file:   docs/tide{n}.md" for n in range(40)] + ["\tmodified:   src/helm.py"]
    gone = [f"\tdeleted:    docs/tide{n}.md" for n in range(30)]
    lines = ["On branch main", "", "Changes to be committed:", *staged, "", "Changes not staged for commit:"]
    lines += [
        '  (use "git add/rm <file>..." to update what will be committed)',
        *gone,
        "",
        "Untracked files:",
        "\tyard/",
        "",
    ]
    text = compact("\n".join(lines), budget=250, threshold=250).text
    assert "Listing: 72 entries in 3 directories: Changes to be committed: new file 40 · modified 1;" in text
    assert "; Changes not staged for commit: deleted 30; Untracked files: 1.\n" in text
    assert "Changes not staged for commit:\ndeleted:    docs/" in text and "modified:   src/helm.py" in text
