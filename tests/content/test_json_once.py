"""Points of a map, and what a document says that must not be said twice or be missed."""

from __future__ import annotations

import json
import re
from typing import Any

from mcpcompact import compact


def made(value: Any, budget: int = 400, **options: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return compact(text, budget=budget, threshold=0, store=None, **options).text


def rivers() -> dict[str, Any]:
    arcs = [[[1000 + n, 2000 - n], *([n % 7, -3] for _ in range(30))] for n in range(40)]
    ways = [{"type": "LineString", "arcs": [n], "id": ("Ouse", "Ure", "Swale")[n // 14]} for n in range(40)]
    ways[23]["arcs"] = [23, 4, 5]
    return {"type": "Topology", "objects": {"rivers": {"type": "GeometryCollection", "geometries": ways}}, "arcs": arcs}


def test_points_of_a_map_are_counted_and_not_shown() -> None:
    text = made(rivers(), 300)
    assert "JSON object of 3 keys (TopoJSON), " in text
    assert "arcs[][]: 1,240 arrays of 2 numbers" in text and "median" not in text
    assert not re.search(r"^arcs\[\d+\]", text, re.M)
    assert "[23]|[23, 4, 5]|Ure" in text  # the only way of several arcs
    series = {"series": [{"name": "tide", "values": [[n, n * n % 17] for n in range(300)]}]}
    assert re.search(r"values\[\d+:\d+\]: \[", made(series, 300))


def test_what_a_fact_tells_of_an_object_inside_is_not_told_again() -> None:
    long = "The crane was greased and turned about, then it stood still until the boats had left. " * 30
    text = made({"version": "2", "maker": {"id": "quay", "name": "Quay Works"}, "log": [{"n": 1, "text": long}]}, 250)
    assert text.count("Quay Works") == 1


def test_a_description_beside_a_list_stands_before_its_rows() -> None:
    commits = [
        {"oid": f"{n * 7919:040x}", "headline": f"Mend rope {n * n % 97}", "date": f"2026-02-{n + 1:02}"}
        for n in range(20)
    ]
    body = "Ropes are counted by day, and the sums are written down. Each has its number and its age.\n\n" * 4
    text = made({"title": "Ropes", "body": body, "commits": commits}, 300)
    assert "other keys: title=Ropes\n" in text
    assert "body=Ropes are counted by day, and the sums are written down." in text
    assert text.index("body=Ropes") < text.index("\n#1|")


def test_a_document_that_ends_too_early_names_what_it_ends_in() -> None:
    beats = [
        {"key": f"k{n}", "outcome": "neutral", "text": "What was said of it, and by whom. " * 30} for n in range(6)
    ]
    whole = json.dumps({"exported": 12, "beats": beats}, indent=1)
    cut = whole[: whole.index('"k5"') + 5]
    text = made(cut, 300)
    assert "in beats[5])." in text and "are not read" not in text
    assert re.search(r"in beats\[5\]\); \d+ bytes from offset \d+ are not read\.", made(cut[:-2], 300))


def test_headers_that_were_sent_come_before_those_of_the_answer() -> None:
    raw = [text for n in range(60) for text in (f"X-Quay-{n}", f"value {n * 7919} of the quay")]
    calls = [
        {"path": f"/ropes/{n}", "rawHeaders": raw, "reqheaders": {"accept": f"text/rope.v{n}", "host": "quay.test"}}
        for n in range(2)
    ]
    text = made(calls, 300)
    assert "accept: text/rope.v0" in text and "accept: text/rope.v1" in text


def test_what_all_share_inside_is_said_once() -> None:
    people = {
        f"ann_{n * 37}": {
            "name": f"Ann{n * n % 83}",
            "home": {"town": f"Town{n * n % 29}", "land": "Norway"},
            "ropes": [n] * 9,
        }
        for n in range(60)
    }
    assert "home.land=Norway" in made(people, 500)
