"""What stands in rows of JSON and is not odd; what comes first of a list, and an example of a map."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from mcpcompact import compact


def told(value: Any, budget: int = 500, **call: Any) -> str:
    return compact(json.dumps(value), budget=budget, threshold=budget, store=None, **call).text


def leg(train: str, ways: str, leaves: int, saver: int) -> dict[str, Any]:
    start, end = ways.split()
    times = {"leaves_at": f"{leaves}:15:00", "arrives_at": f"{leaves + 2}:40:00"}
    return {
        "train": train,
        "from": start,
        "to": end,
        **times,
        "seats": {"saver": 4, "open": 9},
        "fare": {"saver": saver, "open": 2 * saver},
    }


def journeys() -> list[list[dict[str, Any]]]:
    """Ten journeys of two legs: the second leg of two of them is the same, and the dearest."""
    fares = [61, 62, 79, 64, 98, 66, 63, 70, 98, 75]
    return [
        [leg("R1", "Zurich Aarau", 6, 61 + n % 3), leg(f"R{fare}", "Aarau Bern", 9, fare)]
        for n, fare in enumerate(fares)
    ]


def test_the_dearest_of_a_few_fares_is_none_that_is_odd_and_a_row_again_is_said_by_its_place() -> None:
    text = told(journeys())
    assert "←" not in text and "rare or outlying" not in text
    assert "\n[4,8][1]|R98|" in text


def test_one_far_number_of_a_few_is_odd_all_the_same() -> None:
    some = journeys()
    some[4][1]["fare"]["saver"] = 980
    assert re.search(r"\[4\]\[1\].*← .*980", told(some))


def people(flag: str) -> list[dict[str, Any]]:
    return [{"id": n, "name": f"person {n}", "user": {"followers": 100 + n, flag: n != 17}} for n in range(60)]


@pytest.mark.parametrize(
    ("flag", "odd"), [("profile_use_background_image", False), ("darkTheme", False), ("may_log_in", True)]
)
def test_that_one_alone_chose_another_look_is_not_odd(flag: str, odd: bool) -> None:
    assert (f"← user.{flag}=false" in told(people(flag))) is odd


def test_of_the_figures_of_a_list_those_that_the_request_names_come_first() -> None:
    some = [[leg(f"R{n}{k}", "Aarau Bern", 7 + k, 60 + n * 7 % 40) for k in range(2)] for n in range(16)]
    text = told(some, 950, focus="the cheapest open ticket, please")
    assert text.index("fare.open 1") < text.index("leaves_at 7")


def test_a_map_of_nested_records_begins_with_one_of_them_whole() -> None:
    users = {
        f"user_{n * 37 % 200:03}": {
            "name": {"first": f"First{n}", "last": f"Last{n}"},
            "cards": {f"card_{n}": {"kind": "gold", "digits": f"{n:04}"}},
            "orders": [f"W{n}{k}" for k in range(n % 8)],
        }
        for n in range(200)
    }  # fmt: skip
    text = told(users)
    assert "one whole: user_000: {name: {first: First0, last: Last0}, cards: {card_0: {kind: gold" in text
    assert "orders list lengths 0 ×25, " in text


def dated(days: list[str]) -> list[list[dict[str, Any]]]:
    """Journeys of one leg of their own and one of three that all of them share, of the days given."""
    shared = [leg(f"S{k}", "Aarau Bern", 12 + k, 80 + k) for k in range(3)]
    return [
        [leg(f"R{n}", "Zurich Aarau", 6, 40 + n) | {"date": day}, shared[n % 3] | {"date": days[0]}]
        for n, day in enumerate(days)
    ]


def test_a_day_that_nearly_all_rows_share_is_said_once_and_others_beside_their_rows() -> None:
    text = told(dated(["2031-03-04"] * 16 + ["2031-03-05"] * 2), 1_100)
    assert "; in 34, else said: date=2031-03-04)" in text
    assert re.search(r"^\[17\]\[0\]\|R17\|.* \(date=2031-03-05\)", text, re.M)
    assert "2031-03-04" not in text.partition("else said: date=2031-03-04")[2]
    differing = told(dated(["2031-03-04", "2031-03-05"] * 9), 900)
    assert "else said" not in differing


def test_a_row_that_says_another_state_needs_no_reason_beside_it() -> None:
    runs = [{"id": n, "name": f"n{n * 7919}", "state": "failed" if n == 30 else "completed"} for n in range(60)]
    failing = [run | {"state": "failed" if run["id"] % 30 == 0 else "completed"} for run in runs]
    text = told({"x": {"runs": failing}, "y": {"runs": runs[:30], "z": [1, 2, 3]}})
    assert "(in 58, else said: state=completed)" in text
    assert "\n[30]|30|n237570 (state=failed)\n" in text


def test_rows_that_stand_for_many_places_come_first_and_what_is_left_says_how_many_differ() -> None:
    text = told(dated(["2031-03-04"] * 18), 300)
    assert all(f"\n[{k},{k + 3},{k + 6},{k + 9},{k + 12},{k + 15}][1]|S{k}|" in text for k in range(3))
    few = re.search(r"\n… (\d+) more rows", text)
    assert few is not None and int(few[1]) < 18 and "18 objects" not in text
    tight = told([[a, b] for a, b in dated(["2031-03-04"] * 6) for _ in range(3)], 230)
    assert re.search(r"\n… (\d+) more rows \(\d+ distinct\), first ", tight)


def test_the_example_of_a_map_is_a_record_that_holds_most_kinds_of_objects() -> None:
    def guest(n: int) -> dict[str, Any]:
        card = {"kind": "card", "brand": "Orca", "digits": str(1000 + n)}
        coupon = {"kind": "coupon", "left": 10 + n}
        return {"name": {"first": f"Ada{n}", "last": f"Quay{n}"}, "pays": [card, coupon] if n % 3 == 2 else [card]}

    text = told({f"guest_{n}_{n * 7919}": guest(n) for n in range(120)})
    assert "\none whole: guest_2_15838: {name: " in text and "{kind: coupon, left: 12}" in text
