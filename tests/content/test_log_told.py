"""What is told of a log as a whole: when it was written, how it ended, how many failed, and what the totals were."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from mcpcompact.content.log import TYPE
from mcpcompact.outline import Hints
from mcpcompact.source import Source


def told(lines: Sequence[str], ended: str = "\n") -> str:
    found = TYPE.outline(Source((ended.join(lines) + ended).encode()), Hints())
    return "\n".join(fact.text for fact in found.facts)


def half(minute: int) -> str:
    """The clock of twelve hours."""
    hour = minute // 60 % 24
    return f"{(hour + 11) % 12 + 1}:{minute % 60:02}:00 {'AM' if hour < 12 else 'PM'}"


CLOCKS: dict[str, Callable[[int], str]] = {
    "04/06/2025 ": lambda minute: f"04/06/2025 {half(minute)} INFO swept shelf {minute}",
    "2025-04-06 ": lambda minute: f"2025-04-06 {half(minute)} INFO swept shelf {minute}",
    "Apr 6, 2025 ": lambda minute: f"Apr 6, 2025 {half(minute)} com.acme.Shelf sweep",
    "Apr 6, 2025 (Java)": lambda minute: f"Apr 6, 2025 {half(minute)} com.acme.Shelf sweep".replace(
        "0 AM", "0\u202fAM"
    ).replace("0 PM", "0\u202fPM"),
}


@pytest.mark.parametrize("clock", CLOCKS)
def test_half_day(clock: str) -> None:
    text = told([CLOCKS[clock](minute) for minute in range(500, 780)]).replace("\u202f", " ")
    assert "8:20:00" in text
    assert "12:59:00 PM (4h 39m), 1.0 lines/min" in text


def test_half_day_entries() -> None:
    lines = [f"4/6/2025 {half(m)} {'ERROR' if m > 777 else 'INFO'} swept shelf {m}" for m in range(700, 800)]
    assert "100 lines, 22 errors" in told(lines)


def test_clock_behind_dates() -> None:
    lines = [f"0{day}/04/2025 09:{minute:02}:00 INFO swept" for day in (1, 2, 3) for minute in range(40)]
    assert "time" not in told(lines)


@pytest.mark.parametrize("zones", [("-05:00", "Z"), ("+0100", "+0200"), ("-0500", "+0000")])
def test_zones(zones: tuple[str, str]) -> None:
    lines = [f"2025-04-06T{hour:02}:{m:02}:00{zones[hour > 5]} INFO a" for hour in range(3, 9) for m in range(20)]
    text = told(lines)
    assert "times in 2 zones" in text
    assert "lines/h" not in text


def test_one_zone() -> None:
    lines = [f"2025-04-06T03:{m:02}:00{'Z' if m % 2 else '+00:00'} INFO swept" for m in range(60)]
    assert "(59m), 1.0 lines/min" in told(lines)


def test_byte_order_mark() -> None:
    text = told(["\ufeffINFO swept 0", *(f"INFO swept {n}" for n in range(1, 60)), "ERROR lost"])
    assert "levels: ERROR 1 · INFO 60" in text
    assert "none stated" not in text
