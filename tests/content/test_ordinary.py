"""What stands in rows of JSON and is not odd: ends of a few numbers, looks; and what the request and an example show."""

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
    assert "[8][1] = [4][1]" in text


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
