"""The engine alone: any outline, any budget. What it promises to every content type."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcompact.engine.asked import Answer, Answers
from mcpcompact.engine.choice import State, anchor, clip, clip_lines, cut, new_lead
from mcpcompact.engine.cover import Cover
from mcpcompact.engine.cutting import gap, merged, shortened
from mcpcompact.engine.fill import fill
from mcpcompact.engine.rendering import render
from mcpcompact.outline import Fact, Item, Keep, Lossless, Outline
from mcpcompact.phrasing import CUT, stands_for
from mcpcompact.tokens import counter

count = counter("o200k_base").count

words = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), min_size=1, max_size=60)
keeps = st.sampled_from([Keep.NONE, Keep.NONE, Keep.NONE, Keep.OUTLIER, Keep.RARE, Keep.SEVERE])


@st.composite
def outlines(draw: st.DrawFn) -> Outline:
    lines = draw(st.lists(st.tuples(words, keeps, st.sampled_from(["", "a.py", "b.py"])), max_size=60))
    sections = draw(st.booleans())
    items = [
        Item(n, n, f"{n} {text}", keep, "odd" if keep else "", section=section if sections else "")
        for n, (text, keep, section) in enumerate(lines, 1)
    ]
    facts = [Fact(text, rank) for rank, text in enumerate(draw(st.lists(words, max_size=6)))]
    return Outline("text", "line", len(items), "x", facts, items, header=draw(st.sampled_from(["", "#|name|state"])))


@settings(max_examples=150, deadline=None)
@given(outlines(), st.integers(1, 600))
def test_never_over_the_budget(outline: Outline, budget: int) -> None:
    filled = fill(outline, budget, count)
    assert count(filled.text) <= budget
    assert 0 <= filled.shown <= outline.total


def test_the_price_of_a_part_counts_what_it_stands_behind() -> None:
    """Paths of 300 characters stand before any part of their values: priced without them, twice the budget was
    chosen, and given back one by one."""
    items = []
    for n in range(1, 200):
        path = ".".join(f"k{n * k * 7919 % 99_991}" for k in range(1, 45)) + ": "
        items.append(Item(n, n, path + f"value{n} of many " * 3, lead=len(path)))
    bodies: list[str] = []
    fill(Outline("json", "value", len(items), "x", [], items), 3_000, lambda text: bodies.append(text) or count(text))
    whole = [body for body in bodies if body.count("\n") > 2]
    assert len(whole) < 10 and count(whole[0]) < 4_000


def dearer(text: str) -> int:
    """As for a model whose tokens are estimated: rounded up for each line, so that lines do not add up."""
    return -int(-count(text) * 2.1 // 1)


answered = st.lists(
    st.builds(
        lambda texts, total, rest: Answers([Answer(t, f"#{n} ", "", "get", 3, n, n) for n, t in texts], total, rest),
        st.lists(st.tuples(st.integers(1, 60), words.map(lambda w: w * 5)), min_size=1, max_size=5),
        st.integers(1, 90),
        words,
    ),
    max_size=3,
)


@settings(max_examples=150, deadline=None)
@given(outlines(), st.integers(1, 300), answered, st.sampled_from([None, "odd value", "a b"]))
def test_nothing_fails_where_the_costs_do_not_add_up(
    outline: Outline, budget: int, answers: list[Answers], focus: str | None
) -> None:
    filled = fill(outline, budget, dearer, focus, answers=answers)
    assert dearer(filled.text) <= budget
    assert 0 <= filled.shown <= outline.total


@pytest.mark.parametrize("budget", range(60, 600, 30))
def test_lines_are_given_back_until_the_text_fits(budget: int) -> None:
    """Where a text costs ever more than its lines: what was added last goes first, until the sum is within."""

    def steep(text: str) -> int:
        return count(text) + count(text) ** 2 // 150

    items = [Item(n, n, f"{n} step_{n} of job_{n * 31 % 97} " + "took a while " * (n % 9)) for n in range(1, 120)]
    filled = fill(Outline("text", "line", 119, "119 lines", [], items), budget, steep)
    assert 0 < steep(filled.text) <= budget


def test_of_a_trace_that_does_not_fit_the_first_and_the_last_line_are_shown() -> None:
    head = "Traceback (most recent call last): " + "in the thread of worker seven " * 12
    trace = "\n".join(
        [head, *(f'  File "app_{n}.py", line {n}, in step' for n in range(40)), "ValueError: " + "no row " * 60]
    )
    items = [Item(1, 42, f"1 {trace}", Keep.SEVERE)]
    text = fill(Outline("log", "entry", 1, "1 entry", [], items), 110, count).text
    assert text.startswith("1 Traceback (most recent call last): in the thread") and "\nValueError: no row" in text


@settings(max_examples=60, deadline=None)
@given(outlines(), st.integers(20, 400))
def test_the_same_outline_gives_the_same_text(outline: Outline, budget: int) -> None:
    assert fill(outline, budget, count).text == fill(outline, budget, count).text


def plain(n: int, **marked: Item) -> Outline:
    items = [Item(i, i, f"{i} value_{i} of module_{i % 7} calls handler_{i * 31 % 997}(ctx)") for i in range(1, n + 1)]
    for item in marked.values():
        items[item.start - 1] = item
    return Outline("text", "line", n, f"{n} lines", [Fact(f"{n} lines", 0)], items)


@pytest.mark.parametrize("budget", [60, 120, 300, 1_000, 3_000])
def test_the_budget_is_used(budget: int) -> None:
    assert count(fill(plain(2_000), budget, count).text) >= 0.85 * budget


def test_an_anomaly_is_not_crowded_out_by_a_more_frequent_one() -> None:
    marked = {
        f"m{i}": Item(
            i, i, f"{i} ERROR request {i} failed in the upstream gateway", Keep.SEVERE, template="request failed"
        )
        for i in range(10, 400, 3)
    }
    marked["rare"] = Item(401, 401, "401 region eu-south-2 answered", Keep.RARE, "the only eu-south-2")
    marked["far"] = Item(402, 402, "402 latency 90000 ms", Keep.OUTLIER, "90000, median 40")
    text = fill(plain(500, **marked), 300, count).text
    assert "eu-south-2" in text
    assert "90000" in text
    assert re.search(r"ERROR request \d+ failed.*\(\+\d+(?: more)? like it: \d+", text)


def test_what_is_like_an_item_is_named_by_the_numbers_that_the_view_has() -> None:
    marked = {
        f"m{i}": Item(
            i,
            i,
            f"{i + 1_000} ERROR request {i} failed in the upstream gateway",
            Keep.SEVERE,
            template="request failed",
        )
        for i in range(10, 400, 3)
    }
    named = re.search(r"like it: ([\d, ]+)", fill(plain(500, **marked), 300, count).text)
    assert named and all(int(number) > 1_000 for number in re.findall(r"\d+", named[1]))


def test_kept_items_are_whole_while_there_is_room() -> None:
    trace = "\n".join(
        [f"7 ERROR job 88213 failed in module {i}" if i == 0 else f"  at frame_{i}(Job.java:{i})" for i in range(9)]
    )
    text = fill(plain(800, trace=Item(7, 7, trace, Keep.SEVERE)), 400, count).text
    assert trace in text


def test_items_stand_in_source_order_with_exact_anchors() -> None:
    outline = plain(900)
    shown = fill(outline, 400, count).text.split("\n")[1:]
    numbers = [int(re.match(r"\d+", line).group()) for line in shown]  # type: ignore[union-attr]
    assert numbers == sorted(numbers)
    assert set(shown) <= {item.text for item in outline.items}


def test_gaps_of_unanchored_items_are_stated() -> None:
    items = [Item(i, i, f"name_{i} belongs to team_{i * 7 % 31}") for i in range(1, 200)]
    outline = Outline("text", "record", 199, "199 records", items=items, anchored=False)
    text = fill(outline, 200, count).text
    told = sum(int(b) - int(a) + 1 for a, b in re.findall(r"records (\d+)–(\d+) not shown", text))
    told += len(re.findall(r"record \d+ not shown", text))
    assert told + text.count("belongs to") == 199


def test_lossless_first() -> None:
    outline = plain(30)
    outline.lossless = [Lossless("folded", lambda: "everything, shorter")]
    filled = fill(outline, 100, count)
    assert (filled.text, filled.lossless, filled.shown) == ("everything, shorter", "folded", 30)


def test_focus_ranks_items() -> None:
    items = [Item(i, i, f"{i} service_{i} restarts at {i}") for i in range(1, 400)]
    items[233].text = "234 the invoice exporter restarts late"
    outline = Outline("text", "line", 399, "399 lines", items=items)
    assert "invoice exporter" in fill(outline, 120, count, focus="invoice exporter").text


def test_rows_without_room_for_their_header_are_left_out() -> None:
    header = "#|" + "|".join(f"column_{i}" for i in range(40))
    outline = Outline(
        "records",
        "record",
        50,
        "50 records",
        [Fact("50 records", 0)],
        [Item(i, i, f"#{i}|x") for i in range(1, 51)],
        header,
    )
    assert "#1|" not in fill(outline, 100, count).text


@given(words.map(lambda w: w * 9), st.integers(1, 60))
@settings(max_examples=80, deadline=None)
def test_clip_says_how_much_is_cut(text: str, budget: int) -> None:
    clipped = clip(text, budget, count)
    assert count(clipped) <= budget
    if clipped.endswith(" …") and clipped != text:  # whole parts of a list
        assert text.startswith(clipped.removesuffix(" …"))
    elif clipped and clipped != text:
        head, number = re.fullmatch(r"(.*)…\[\+(\d+) chars\]", clipped, re.DOTALL).groups()  # type: ignore[union-attr]
        assert len(head) + int(number) == len(text)


def test_no_number_is_cut_off_from_its_unit() -> None:
    text = "Sizes: 42.9 MB in all, median 580 bytes, largest 8.73 MB (a file far below)."
    heads = {clip(text, budget, count).partition("…")[0] for budget in range(8, 30)}
    assert not [head for head in heads if re.search(r"\d$", head)]


@given(st.text(max_size=3_000))
@settings(deadline=None)
def test_pieces_lie_in_order_within_the_text(text: str) -> None:
    spans = [(start, end) for start, end, _ in cut(text)]
    assert all(0 <= a < b <= len(text) for a, b in spans)
    assert all(one[1] <= two[0] for one, two in pairwise(spans))


def test_shortened_values_say_by_how_much() -> None:
    text = "12 " + "a" * 100 + " middle " + "b" * 100
    spans = merged([(0, 20), (104, 110)], text, 6)
    out = shortened(text, spans)
    cuts = [int(n) for n in re.findall(r"\[\+(\d+) chars\]", out)]
    assert sum(cuts) + sum(b - a for a, b in spans) == len(text)


def test_anchor_forms() -> None:
    assert [anchor(t)[0] for t in ("417 x", "417: x", "+12 x", "#3.body: x", "5-9: x", "x 1")] == [
        "417",
        "417",
        "+12",
        "#3.body",
        "5-9",
        "",
    ]
    assert gap("record", 3, 3) == "… [record 3 not shown]"


def varied(n: int, odd: int) -> Outline:
    """Lines of many names and no common shape, the first ``odd`` of each hundred kept."""
    parts = ["alpha", "beta", "gamma", "delta", "omega", "kappa", "sigma", "theta", "lambda", "zeta", "rho", "tau"]
    items = []
    for i in range(1, n + 1):
        a, b, c = (parts[i * k // d % 12] + parts[i // d % 12].title() for k, d in ((5, 1), (7, 12), (1, 5)))
        text = f"{i} {'  ' * (i % 5)}{a}_{b} = self.{b}{c.title()}({'x' * (i % 9)}.{c}_{a}, keep=True) or {c}.{a}()"
        kept = i % 100 < odd
        items.append(Item(i, i, text, Keep.RARE if kept else Keep.NONE, f"odd number {i}" if kept else ""))
    return Outline("code", "line", n, f"{n} lines", [Fact(f"{n} lines", 0)], items)


def test_lines_of_code_are_shown_whole() -> None:
    outline = varied(1_500, 0)
    whole = {item.text for item in outline.items}
    for budget in (240, 440, 1_000):
        lines = fill(outline, budget, count).text.split("\n")[1:]
        assert sum(line in whole for line in lines) >= len(lines) - 1, "but for the head of one that fills the room"


def test_a_long_line_shows_one_stretch_between_words() -> None:
    """What an engineer could quote: never names picked from a line of two thousand characters."""
    lines = [" ".join(f"word{n}_{k} of part{k * n % 97}/file_{k}.py" for k in range(60)) for n in range(1, 40)]
    items = [Item(n, n, f"{n} {line}") for n, line in enumerate(lines, 1)]
    text = fill(Outline("text", "line", 39, "39 lines", [], items), 500, count).text
    shown = re.findall(r"^(\d+) (?:…\[\+\d+ chars\] )?(.*?)(?:…\[\+\d+ chars\])?$", text, re.MULTILINE)
    assert len(shown) >= 3
    for number, stretch in shown:
        line = f" {lines[int(number) - 1]} "
        assert len(stretch) >= 60 and f" {stretch.strip()} " in line


def test_lines_beside_each_other_are_preferred() -> None:
    items = [Item(n, n, f"{n} call_{n}(argument_{n * 7 % 400})") for n in range(1, 801)]
    text = fill(Outline("code", "line", 800, "800 lines", [], items), 600, count).text
    numbers = [int(line.split(" ")[0]) for line in text.split("\n")]
    assert sum(b == a + 1 for a, b in pairwise(numbers)) > len(numbers) / 2


def test_a_kept_line_that_was_given_back_is_not_made_longer() -> None:
    """Whatever the room, no failure: many long kept items, of which some are given back."""
    items = [
        Item(n, n, f"{n} " + f"failure {n} in worker_{n}.run() " * (n % 40 + 1), Keep.SEVERE, f"reason {n}")
        for n in range(1, 200)
    ]
    outline = Outline("log", "line", 199, "199 lines", [Fact("199 lines", 0)], items)
    for budget in range(20, 400, 38):
        assert count(fill(outline, budget, count).text) <= budget


def test_the_heading_that_comes_along_is_paid_for() -> None:
    """Else such lines seem cheap, and most are given back once the text is counted: room was left unused."""
    heading = "1 file name=workspace/ui/src/main/java/com/example/internal/Viewer1.java"
    items = [Item(n, n, f"{n} rule_{n} of module_{n}", section=heading if n < 5 else "") for n in range(2, 8)]
    outline = Outline("markup", "line", 7, "7 lines", [], items)
    cover = Cover(outline, State(room=200, budget=200), count, None, None, "")
    assert cover.cost(cover.lines[0]) - cover.cost(cover.lines[-1]) >= count(heading + "\n") - 1


def test_of_a_long_entry_that_is_shown_in_part_only_those_lines_are_counted() -> None:
    lines = "\n".join(f"line {i} of the output with value {i * 37 % 101}" for i in range(600))
    items = [Item(1, 1, "1 status: ok"), Item(2, 604, f"2 output: {lines}")]
    filled = fill(Outline("markup", "line", 604, "604 lines", [], items), 200, count)
    assert filled.shown == filled.text.count("line ") + 1


def test_a_mark_that_counts_lines_below_an_item_stands_behind_its_first_number_alone() -> None:
    items = [Item(3, 5, "3-5 head\nnext\nlast"), Item(6, 7, "6-7 other\nmore"), Item(8, 8, "8 end")]
    outline = Outline("text", "line", 8, "8 lines", [], items)
    state = State(room=200, budget=200)
    state.chosen = {0: [(0, len("3-5 head"))], 2: [(0, len("8 end"))]}
    assert render(outline, [], state) == "3 head\n…[+4 lines]\n8 end"  # "3-5" would say that these stand there


def test_a_fold_counts_blank_lines_too() -> None:
    text = "1 head\n\nfirst\n\nlast\ntail"
    assert shortened(text, [(0, 6), (text.index("tail"), len(text))]) == "1 head\n…[+4 lines]\ntail"


@given(st.data())
def test_no_cut_falls_inside_the_mark_of_an_earlier_cut(data: st.DataObject) -> None:
    text = "#4|10:21|pump…[+128 chars]|stopped by hand…[+1,040 chars] at night|north"
    ends = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=6, unique=True)))
    told = shortened(text, merged(list(zip(ends[::2], ends[1::2], strict=False)), text))
    assert told.count("…[+") == told.count("chars]") == len(CUT.findall(told))
    assert "]…" not in told
    assert 0 <= stands_for(told) - stands_for(text) <= told.count("] ")  # a blank behind a mark


@pytest.mark.parametrize("budget", range(6, 40))
def test_a_clipped_text_breaks_no_mark(budget: int) -> None:
    text = "state=stopped by hand…[+1,040 chars]; owner=north pump…[+128 chars]; and a valve"
    told = clip(text, budget, count)
    assert told.count("…[+") == told.count("chars]") == len(CUT.findall(told))
    assert not told or told.endswith(" …") or stands_for(told) == stands_for(text)


def test_a_fact_is_cut_between_its_parts() -> None:
    text = "price 3–19, median 7.5; seats (of 18: 4, 5) none in 3, some in 15; date 2026-05-22 ×14, 2026-05-23 ×4"
    parts = [at.start() for at in re.finditer(r"[;,] | (?=\()", text)]
    for budget in range(18, 40):
        told = clip(text, budget, count)
        assert told == text or any(told == f"{text[: at + 1].rstrip()} …" for at in parts)
        assert told.count("(") == told.count(")")


def test_blank_lines_that_are_not_printed_are_not_counted_as_shown() -> None:
    lines = ["The crane stood still.", *[""] * 55, "The rope was worn.", "", "The tide came in."]
    items = [Item(n, n, f"{n} {line}") for n, line in enumerate(lines, 1) if line]
    blank = frozenset(n for n, line in enumerate(lines, 1) if not line)
    outline = Outline("text", "line", len(lines), "59 lines", items=items, blank=blank)
    assert fill(outline, 200, lambda text: len(text) // 4).shown == 4


def test_of_lines_that_join_several_sections_no_number_is_told_that_is_not_true() -> None:
    text = "Sections, each with its line: 1 Ropes\n5 Sails: 7 Storm sails · 9 Spare sails\n20 Hulls: 31 Planks · 40 Tar"
    assert clip_lines(text, 12, lambda part: len(part.split())) == ""
    assert clip_lines(text, 18, lambda part: len(part.split())).endswith("9 Spare sails\n… more")
    plain = text.replace(": 31 Planks · 40 Tar", "")
    assert clip_lines(plain, 19, lambda part: len(part.split())).endswith("9 Spare sails\n… 1 more")


def test_a_lead_of_several_lines_keeps_those_that_another_lead_has_too() -> None:
    """Two sections with an example each: the second heading stands there as well, the title that leads to both once."""
    said = {"# Cranes", "## Hoist", "### Example", "4 rope", "--- a/hoist.ts", "+++ /dev/null"}
    for section, new in (
        ("# Cranes\n## Hoist", ""),
        ("# Cranes\n## Berth\n### Example", "## Berth\n### Example"),
        ("## Berth\n4 rope", "## Berth"),  # line 4 is what another lead says
        ("--- a/berth.ts\n+++ /dev/null", "--- a/berth.ts\n+++ /dev/null"),
    ):
        item = Item(9, 9, "9 text", section=section, flow="sentences")
        assert "\n".join(new_lead(item, said)) == new
