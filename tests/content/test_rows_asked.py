"""Rows that answer a search, by which the next call can ask for one, and what is odd in them: levels, shifted cells."""

from __future__ import annotations

import json
from typing import Any

from mcpcompact import compact

WORDS = ("Harbour", "Lantern", "Orchard", "Meadow", "Quarry", "Viaduct", "Granary", "Foundry")


def told(value: Any, budget: int = 500, **call: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return compact(text, budget=budget, threshold=budget, store=None, **call).text


def line_of(text: str, start: str) -> str:
    return next((line for line in text.split("\n") if line.startswith(start)), "")


def books(title: str = "", at: int = 27) -> str:
    """Paragraphs of names and values, as a search of a library prints them; every fourth title stands there twice."""
    out = []
    for n in range(40):
        name = f"{WORDS[n // 4 % 8]} Histories of Old {WORDS[n // 2 * 5 % 8]} Towns"
        code, form = f"{n * 2654435761 % 2**32:08x}" * 4, "PDF" if n % 3 else "EPUB"
        language, press = "English [en]", "Press of Critical Studies" if n % 9 == 5 else f"{WORDS[n * 3 % 8]} Press"
        if n in (12, 30):
            language, form = "Dutch [nl]", "English [en]"
        out.append(
            f"Title: {title if n == at and title else name}\nAuthors: Wren, Ada\nPublisher: {press}\n"
            f"Language: {language}\nFormat: {form}\nURL: https://books.example/md5/{code}\nHash: {code}"
        )
    return "\n\n".join(out) + "\n"


def test_rows_with_the_words_of_a_search_side_by_side_come_first() -> None:
    call = {"tool": "library_search", "arguments": {"term": "Tidal Mills Ada Wren"}}
    assert line_of(told(books("Tidal Mills"), 400, **call), "#28|Tidal Mills|")
    rows = [{"name": f"{WORDS[n % 8]} {n}", "note": f"kept by {WORDS[n * 3 % 7]} in room {n}"} for n in range(200)]
    rows[143]["note"] = "kept by captain Orme and the brass sextant"
    assert line_of(told(rows, 300, arguments={"query": "brass sextant"}), "#144")


def test_where_titles_repeat_the_key_of_each_row_is_a_column_and_its_address_follows_from_it() -> None:
    text = told(books(), 600)
    header = line_of(text, "#|")
    assert "|Hash" in header and "(URL = https://books.example/md5/{Hash})" in header
    assert "Language" not in header.partition("(")[0] and "Language" in line_of(text, "not shown in rows: ")
    assert f"|{2654435761 % 2**32:08x}" in line_of(text, "#2|")


def test_what_kubectl_prints_of_an_event_has_no_column_of_random_ids() -> None:
    events = [
        {"metadata": {"name": f"pier.{n:x}", "uid": f"{n * 2654435761 % 2**32:08x}-1111-4222-8333-{n:012x}"},
         "involvedObject": {"name": f"pier-{n % 3}", "kind": "Pod"}, "type": "Normal" if n % 4 else "Warning",
         "reason": "Pulled", "message": f"Took the image of berth {n % 5} from the quay", "lastTimestamp": None}
        for n in range(30)
    ]  # fmt: skip
    assert "uid" not in line_of(told({"items": events}, 400), "#|")


def test_a_cell_that_another_column_usually_holds_is_odd_and_the_name_of_a_publisher_is_not() -> None:
    text = told(books(), 700)
    assert "Format=English [en], as in Language ×2 (#13, #31)" in text
    assert line_of(text, "#13|").endswith("← Format=English [en], as in Language")
    assert "Critical" not in line_of(text, "odd, of")
    ways = [{"id": n, "from": "north" if n % 2 else "south", "to": "south" if n % 2 else "north"} for n in range(80)]
    assert "as in" not in told(ways, 300)


def test_the_level_of_a_log_decides_what_is_an_error() -> None:
    lines = ["Time,Level,Content"]
    for n in range(400):
        said, level = f"Session of berth {n % 7} negotiated timeout 10000", "INFO"
        if n % 9 == 0:
            said = f"minSessionTimeout failed over to {n}"
        if n in (90, 200):
            said, level = f"Unexpected end of stream {n}", "ERROR"
        if n % 101 == 7:
            said = "Notification time out: 3200"
        lines.append(f"2031-05-06 10:{n // 60:02}:{n % 60:02},{level},{said}")
    text = told("\n".join(lines) + "\n", 400)
    assert "name a failure" not in text and "time out" not in line_of(text, "odd, of")
    assert "Level=ERROR ×2 (#91, #201" in text and line_of(text, "#91|") and line_of(text, "#201|")
    calm = "\n".join(line.replace("ERROR", "INFO") for line in lines) + "\n"
    assert "name a failure" in told(calm, 400)  # no level tells errors from others


def test_the_farthest_of_several_outliers_is_the_one_that_is_told() -> None:
    rows = [{"name": f"{WORDS[n % 8]}-{n}", "took": 20 + n * 37 % 60} for n in range(120)]
    rows[30]["took"], rows[31]["took"], rows[90]["took"] = 2_100, 3_000, 110_000
    text = told(rows, 300)
    assert "took=110000, median" in line_of(text, "odd, of") and "took other outlier ×2" in line_of(text, "odd, of")
    assert "took=110000" in line_of(text, "#91|")


def test_the_object_that_lacks_what_is_wanted_is_marked_in_its_row() -> None:
    sets = []
    for n in range(12):
        ready = {} if n == 7 else {"readyReplicas": 1}
        sets.append({
            "metadata": {"name": f"pier-{n}", "namespace": "port", "generation": 1, "uid": f"{n:08x}" * 4},
            "spec": {"replicas": 1, "template": {"spec": {"containers": [{"name": "c", "image": f"quay/pier:v{n}"}]}}},
            "status": {"replicas": 1, **ready, "observedGeneration": 1, "note": "text of the berth " * 9},
        })  # fmt: skip
    text = told({"kind": "ReplicaSetList", "items": sets}, 400)
    assert "wanted and actual differ: pier-7: wanted 1, no readyReplicas" in text
    assert line_of(text, "#8|").endswith("← wanted 1, no readyReplicas")


def test_tools_are_told_with_the_names_of_their_parameters() -> None:
    tools = []
    for n, name in enumerate(("berth_find", "berth_take", "berth_free", "tide_read")):
        kinds = {"how": {"type": "string", "enum": ["soft", "hard"]}} if n == 1 else {"limit": {"type": "integer"}}
        about = {
            "type": "string",
            "description": f"Which pier of the harbour it is about, as its number {n} says. " * 3,
        }
        schema = {"type": "object", "properties": {"pier": about, **kinds}, "required": ["pier"]}
        tools.append({"name": name, "description": f"Does {name} for a vessel.", "inputSchema": schema})
    text = told({"tools": tools}, 350)
    assert line_of(text, "#1|").endswith("|pier, limit?") and line_of(text, "#2|").endswith(r"|pier, how?=soft\|hard")
    assert "of inputSchema the names alone" in text and "Which pier" not in text
    text = told([{"kind": "all", "tools": tools}], 350)
    assert r"berth_take|Does berth_take for a vessel.|pier, how?=soft\|hard" in text
    assert " of 31 values shown" in text and "all 31" not in text
