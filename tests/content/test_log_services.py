"""Logs of services as agents see them: levels in a form of their own, one message again and again, how it ended."""

from __future__ import annotations

from mcpcompact import compact


def _text(lines: list[str], budget: int = 500) -> str:
    return compact("\n".join(lines), budget=budget, threshold=0).text


def test_a_facility_states_the_level_of_its_line_whatever_words_stand_in_it() -> None:
    at = "Wed Feb  4 08:1{}:{:02} 2026"
    lines = [f"{at.format(0, n)} kern.info kernel: [   12.{n:06}] Pump error monitoring is up" for n in range(9)]
    lines += [f"{at.format(1, n)} user.err : [panel][get_pump][error]get pump status failed" for n in range(40)]
    lines += [f"{at.format(2, n)} daemon.warn pumpd[71]: probe of valve {n} failed" for n in range(1, 4)]
    text = _text(lines)
    assert "Log: 52 lines, 40 errors, 3 other failure messages (failed)." in text
    assert "levels: ERROR 40 · WARN 3 · INFO 9" in text
    assert "43 lines with errors or failures, of 2 kinds" in text
    assert "1 kind of lines without a warning or failure (lines × first–last: for example):\n9× 1–9: " in text


def test_a_column_states_the_level_where_a_letter_or_two_stand_for_it() -> None:
    line = "2026-02-04 08:10:{:02}.117 {:2} Doorbell[512:9a{}] [com.acme.door:Ring] {}"
    lines = [line.format(n, "E", n, "cannot ring") for n in range(12)]
    lines += [line.format(n, "I", n, "checked for error states") for n in range(30)]
    lines += [line.format(50, "Df", 1, "ended with Error Code=-2")]
    text = _text(lines, 400)
    assert "Log: 43 lines, 12 errors, 1 other failure message (error)." in text
    assert "ended with Error Code=-2" in text


def test_one_message_said_all_the_time_is_counted_and_shown_once_and_the_last_error_whole() -> None:
    line = "2026-02-04 08:10:{:02}.117 {:2} Doorbell[512:9a{}] [com.acme.door:Ring] {}"
    refused = "custom chime refused: Error Domain=com.acme.door Code=-1007 UserInfo={Reason=<private>, Shown=<private>}"
    lines = [line.format(n, "E", n, refused) for n in range(18)]
    lines.insert(3, line.format(3, "E", 1, f"chime {'of the front door ' * 8}returned Error Code=-7"))
    ended = f"the chime {'of the back door ' * 9}finished with Error Domain=com.acme.door Code=-2 'Canceled by user.'"
    lines.append(line.format(59, "Df", 1, ended))
    text = _text(lines, 420)
    assert "18× 1–19: " in text and text.count("custom chime refused") == 2  # in the list, and once more at the end
    assert text.endswith(f"20: {lines[-1]}")  # a code is no number that is far from the others


def test_a_second_of_one_digit_begins_an_entry_as_the_others_do() -> None:
    lines = [f"2026-02-04 08:{n}:{n if n != 14 else 4} pump 0x{n:x} failed with status - 0xe0" for n in range(10, 40)]
    text = _text(lines)
    assert "Log: 30 lines, 30 failure messages." in text
    assert "30× 1–30: " in text


def test_a_value_of_which_nobody_knows_what_it_is_is_shown_without_a_remark() -> None:
    lines = [f"2026-02-04 08:{n // 60:02}:{n % 60:02} (Index) batch of items done" for n in range(90)]
    lines[47] = "2026-02-04 08:00:47 (Keyboard) batch of items done"
    lines[60] = "2026-02-04 08:01:00 (Keyboard) press"
    text = _text(lines)
    assert "(Keyboard) batch" in text and "once in" not in text and "such lines" not in text


def test_cells_between_tabs_are_counted_by_their_values_and_the_first_row_of_a_rare_one_stands() -> None:
    kinds = ["RESOLVED"] * 60 + ["CACHED"] * 37 + ["BLOCKED"] * 3
    row = "2026-02-04 08:{:02}:{:02}\tporch\t{}\t{}\tbell-{}.example.\t\tNOERROR\tA"
    lines = [row.format(n // 60, n % 60, n % 3, kinds[n * 37 % 100], n) for n in range(100)]
    lines[5] += ' "quoted\twith a tab"'
    text = _text(lines)
    blocked = next(n for n, line in enumerate(lines, 1) if "BLOCKED" in line)
    assert "field 4: RESOLVED 60, CACHED 37, BLOCKED 3" in text
    assert f"{blocked}: {lines[blocked - 1]}" in text


def test_a_log_in_a_numbered_view_is_read_as_the_log_that_it_is() -> None:
    log = [
        line for n in range(40) for line in (f"[2026-02-04 08:{n:02}:00] ring {n}", f"[2026-02-04 08:{n:02}:01] rung")
    ]
    log[6:6] = ["[2026-02-04 08:03:00] HTTP Error: 404 - {", '  "error": {', '    "code": 404', "  }", "}"]
    view = [f"{n:6}→{line}" for n, line in enumerate(log, 1)]
    text = _text([*view, "", "<reminder>", "Do as you like.", "</reminder>"])
    assert "Log: 89 lines in 81 entries, 1 error." in text
    assert '\n7: [2026-02-04 08:03:00] HTTP Error: 404 - {\n  "error": {\n    "code": 404\n  }\n}' in text
    assert "40× 2–85: " in text and "→" not in text.replace(" → ", "")


def test_of_a_cell_that_is_a_number_in_most_rows_the_few_words_are_not_told_as_all_its_values() -> None:
    row = "2026-02-04 08:{:02}:{:02}\tporch\t{}\t{}\tNOERROR\tA"
    lines = [row.format(n // 60, n % 60, ("ring", "rung")[n % 2], "none" if n % 3 else n) for n in range(100)]
    text = _text(lines)
    assert "field 3: ring 50, rung 50" in text and "field 4" not in text
