"""Of tables and lists of figures: what they span, their ends, totals among them, and what is planned to be removed."""

from __future__ import annotations

import json
import re

from mcpcompact import compact


def told(text: str, budget: int = 500) -> str:
    return compact(text, budget=budget, threshold=0, store=None).text


def test_what_is_planned_to_be_removed_is_told_with_all_of_its_rows_and_the_ends_of_a_stream_are_not_odd() -> None:
    plan = [{"type": "planned", "msg": f"disk[{n}]", "change": {"action": "update"}} for n in range(60)]
    for n in (20, 31, 44):
        plan[n]["change"] = {"action": "delete"}
    stream = [{"type": "version", "msg": "Tool 1.2", "tool": "1.2"}, *plan, {"type": "outputs", "msg": "Outputs: 1"}]
    text = told("\n".join(map(json.dumps, stream)))
    assert "change.action: delete 3 (#22, #33, #46) · update 57" in text
    assert all(f"#{n}|" in text for n in (22, 33, 46))
    assert "type=" not in text and "only here" not in text
    assert "change.action" not in next((line for line in text.split("\n") if line.startswith("not shown")), "")


def test_the_sum_of_the_other_groups_is_named_and_no_end() -> None:
    rows, deaths = [], {}
    for year in range(1950, 2000):
        values = {group: year * (7 + n) * 31 % 977 + 5 for n, group in enumerate(("Flood", "Storm", "Quake"))}
        deaths[year] = values
        rows += [("Every kind", year, sum(values.values())), *((group, year, value) for group, value in values.items())]
    table = "Kind,Year,Deaths\n" + "\n".join(f"{k},{y},{d}" for k, y, d in sorted(rows)) + "\n"
    text = told(table, 700)
    assert "Deaths: Every kind is the sum of the other Kind values in 50 of 50 Year values" in text
    assert "Deaths: 5 to" not in text
    most = max(max(values.values()) for values in deaths.values())
    assert re.search(rf"^#\d+\|(?:Flood|Storm|Quake)\|\d+\|{most} ↑ most Deaths but for sums", text, re.M)
    off = table.replace("Every kind,1960,", "Every kind,1960,1").replace("Every kind,1961,", "Every kind,1961,1")
    assert "in 48 of 50 Year values" in told(off, 700)
    assert "is the sum" not in told("\n".join(line for line in table.split("\n") if "Storm" not in line), 700)


def test_of_a_wide_series_each_column_has_its_range_and_changes_have_their_ends() -> None:
    names = ["month", *(f"sector_with_a_name_{n}" for n in range(16)), "all_change"]
    rows = [
        [
            f"{2000 + n // 12}-{n % 12 + 1:02}-01",
            *(900 * (k + 1) + n * (k + 3) % 97 for k in range(16)),
            n * 37 % 801 - 400,
        ]
        for n in range(144)
    ]
    text = told("\n".join(",".join(map(str, row)) for row in [names, *rows]) + "\n", 800)
    assert "month: 2000-01-01 to 2011-12-01" in text
    for n, name in enumerate(names[1:], 1):
        low, high = min(row[n] for row in rows), max(row[n] for row in rows)
        assert f"{name} {low} to {high}" in text or f"{name}: {low} to {high}" in text
    assert "↓ least all_change" in text and "↑ most all_change" in text


def test_rows_without_any_figure_are_named_and_lengths_have_no_sum() -> None:
    birds = [
        {"kind": "abc"[n % 3], "wing (mm)": 180 + n * 7 % 40, "body mass": 3000 + n * 31 % 900, "bill": n * 3 % 70}
        for n in range(200)
    ]
    for n in (41, 160):
        birds[n].update(dict.fromkeys(("wing (mm)", "body mass", "bill"), None))
    text = told(json.dumps(birds), 700)
    assert "all 3 numbers null ×2 (#42, #161)" in text
    assert re.search(r"wing \(mm\): 180 to 219.* · body mass: \d+ to \d+.* · bill: 0 to 69", text)
    assert not re.search(r"wing[^·\n]* sum ", text)


def test_one_of_two_rows_at_an_end_says_so_and_no_number_runs_into_a_mark() -> None:
    rows = [{"name": f"n{n}", "size": 900 if n in (17, 93) else n * 7919 % 811 + 1} for n in range(150)]
    assert "↑ most size (1 of 2)" in told(json.dumps(rows))
    walks = [{"id": n, "way": {"of_the_club_that_leads": {"hectares_count": n * 37 % 300}}} for n in range(200)]
    walks[50]["way"]["of_the_club_that_leads"]["hectares_count"] = 11075600  # type: ignore[index]
    odd = next(line for line in told(json.dumps(walks)).split("\n") if line.startswith("odd"))
    assert "11075600" in odd and not re.search(r"\d…", odd)


def test_how_many_other_keys_there_are_is_exact() -> None:
    beside = {
        f"note_{n}": f"a remark of the sender that is rather long and says very little, no. {n}" for n in range(9)
    }
    rows = [{"name": f"part {n}", "text": "said at some length " * 3} for n in range(30)]
    said = re.search(r"^other keys: total=90.*", told(json.dumps({"total": 90, **beside, "rows": rows})), re.M)
    assert said and "at least" not in said[0]
    assert said[0].count("note_") >= 9 or f", {9 - said[0].count('note_')} more" in said[0]


def test_how_many_people_liked_or_saw_a_thing_is_never_odd() -> None:
    boats = [{"name": f"boat{n}", "followers_count": n * 37 % 300, "crates": n * 37 % 300} for n in range(200)]
    boats[50] |= {"followers_count": 11075600}
    boats[70] |= {"crates": 11075600}
    assert "odd, of all 200 records scanned: crates=11075600, median 147 (#71)\n" in told(json.dumps(boats))


def test_where_a_few_rows_hold_most_of_a_sum_the_largest_are_shown() -> None:
    large = {17: 184_000, 44: 98_100, 45: 85_600, 90: 43_300, 120: 32_500}
    rows = [f"mod_{n}.part_{n * 7 % 90},{large.get(n, 60 + n * 13 % 700)}" for n in range(150)]
    shown = compact("\n".join(["module,microseconds", *rows, ""]), budget=220, threshold=0).text
    assert all(f"|{size}" in shown for size in large.values())


def test_words_of_failures_in_the_names_of_works_are_ordinary() -> None:
    words = ["Oak", "River", "Stone", "Night", "Rain", "Letter", "Garden", "Winter", "Mirror", "Harbor"]
    songs = [f"{words[n % 10]} {words[n // 10 % 10]} {n % 7}" for n in range(400)]
    songs[31], songs[77] = "Panic in Detroit", "Lightning Crashes"
    rows = [f"{song},{1960 + n % 50},{n * 7 % 140}" for n, song in enumerate(songs)]
    shown = compact("\n".join(["Song,Year,Plays", *rows, ""]), budget=300, threshold=0).text
    assert "Panic" not in shown
    assert "Crashes" not in shown
