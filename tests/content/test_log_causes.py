"""Kinds of lines in a log: by cause, in words that differ, without marks that say nothing."""

from __future__ import annotations

import json
import re

from mcpcompact import compact


def test_failures_of_one_cause_are_one_kind_whatever_they_befell() -> None:
    lines = [
        f"[10.30 16:{n // 60:02}:{n % 60:02}] crane.exe - yard{n % 9}.example.com:443 close, {n} bytes"
        for n in range(900)
    ]
    hosts = ("anchor.example.com:443", "beacon.example.net:80", "dock7.example.org:80", "crane-a.example.com:5228")
    for n in range(60):
        who = ("rope.exe", "tide.exe *64")[n // 7 % 2]
        cause = (
            "A request was canceled before the completion.",
            "Could not reach gate.example.org:5070 - attempt failed with error 10061",
            f"Gate refused the target, status code {503 if n % 5 == 2 else 403}",
        )[n * 7 % 3]
        lines.insert(13 * n, f"[10.30 16:40:{n:02}] {who} - {hosts[n % 4]} error : {cause}")
    text = compact("\n".join(lines), budget=400, threshold=300).text
    assert "60 lines with errors or failures, of 3 kinds" in text
    assert (
        text.count("\n20× ") == 3 and "rope.exe - anchor.example.com:443 error : A request was canceled before" in text
    )
    assert "attempt failed with error 10061" in text
    assert re.search(r"status code 503(?: \(others differ before the message\))? ← 403 \(16×\), 503 \(4×\)", text)


def test_a_host_that_varies_takes_its_port_along() -> None:
    hosts = ("anchor.example.com", "beacon.example.net", "dock.example.org")
    lines = [f"2026-03-01 04:{n % 60:02}:00 INFO round {n} done in good order" for n in range(300)]
    for n in range(45):
        port = 443 if n % 9 == 0 else 8080 if n % 2 else 9090
        lines.insert(6 * n, f"2026-03-01 05:{n:02}:00 ERROR gate lost {hosts[n % 3]}:{port} in the tide {n}")
    text = compact("\n".join(lines), budget=300, threshold=200).text
    row = next(line for line in text.split("\n") if line.startswith("45× "))
    assert "gate lost …:… in the tide" in row


def test_a_common_word_that_is_rare_at_its_place_is_no_news() -> None:
    lines = [
        f"2026-03-01 04:{n // 60 % 60:02}:{n % 60:02} {n % 40} INFO yard.Name: BLOCK* name.add: 10.2.{n % 9}.7 {n}"
        for n in range(1500)
    ]
    lines[700] = "2026-03-01 04:11:40 19 INFO yard.Name: BLOCK* ask 10.2.1.7 to delete 4711"
    lines[900] = "2026-03-01 04:15:00 19 INFO yard.Name: BLOCK* ask 10.2.4.7 to delete 4712"
    text = compact("\n".join(lines), budget=500, threshold=400).text
    assert " here" not in text and "INFO BLOCK" not in text


def test_kinds_that_print_alike_are_one_and_few_warnings_stand_with_the_error_whole() -> None:
    lines = ["INFO:  Import complete."]
    for n in range(40):
        what = ("bundle", "target.fragments") if n % 3 else ("feature", "create.product.zip")
        lines += [
            f"INFO:  [{w} org.yard.crane{'.gtk' * (n % 2)}:{what[0]}$1.{n}.0#OSGi#{what[1]}]" for w in ("start", "end")
        ]
    path = "/var/lib/builds/yard/workspace/plugins/org.yard.tutorial.crane/src/org/yard/tutorial/Crane.java"
    lines += [f"Warning: file {path}, line 43: Rope is a raw type. References to Rope<E> should have a parameter"]
    lines += [
        f"Error: file {path}, line 57: Type safety: The method toRopes(Object[]) belongs to the raw type Rope. "
        "References to the generic type Rope<E> should be parameterized at last"
    ]
    text = compact("\n".join(lines), budget=500, threshold=400).text
    rows = [line.partition(": ")[2] for line in text.split("\n") if "× " in line[:6]]
    assert len(rows) == len(set(rows))
    assert "should be parameterized at last" in text and "should have a parameter" in text


def test_of_each_kind_of_failure_the_first_line_stands_whole_and_once_then_one_more_of_each() -> None:
    lines = [
        f"[10.30 16:{n // 60:02}:{n % 60:02}] crane.exe - yard.example.com:443 close, {n} bytes" for n in range(900)
    ]
    causes = ("Connection was canceled before the completion.", "Could not resolve gate.example.org error 11001")
    names = ("anchor.exe", "beacon", "capstan *64", "derrick.exe", "ensign one", "fender", "gangway *64", "hawser.exe")
    for n in range(32):
        at, cause = 300 + 200 * (n % 2) + n, causes[n % 2]
        lines.insert(
            at, f"[10.30 16:40:{n:02}] {names[n // 4]} - {names[n // 2 % 8][:5]}.example.net:443 error : {cause}"
        )
    text = compact("\n".join(lines), budget=400, threshold=300).text
    assert "32 lines with errors or failures, of 2 kinds (lines × first–last: for example" in text
    for cause in causes:
        row, *others = [line for line in text.split("\n") if cause in line]
        first, told, _ = row.partition(": ")[2].partition(" (others differ before the message)")
        assert told
        assert row.startswith("16× ") and " - " in first and first in lines
        assert others and not any(first in line for line in others)


def test_an_error_in_what_several_tests_received_comes_before_what_they_expected() -> None:
    error = "ImportError: no rope 'hawser' in '@quay/core'"
    said = rf'"\n3 | }})\n    ^\n{error}\n      at load (2:1)\n\nv1.2"'
    lines = ["bun test v1.3.1 (ab12cd34)", ""]
    for n in range(12):
        shows = n % 3 == 1
        lines += [f"{n + 40} |     expect(code).toBe({n});", "             ^", "error: expect(received).toBe(expected)"]
        lines += [f'Expected: "{n}"', f"Received: {said}"] if shows else ["Expected: 0", "Received: 1"]
        lines += [
            "",
            f"      at <anonymous> (/srv/quay.test.ts:{n + 40}:22)",
            f"(fail) quay > moors ship {n} [{n}.10ms]",
        ]
    lines += ["", " 0 pass", " 12 fail", "Ran 12 tests across 1 file. [9.00s]"]
    text = compact("\n".join(lines), budget=300, threshold=0, store=None).text
    at = lines.index(f"Received: {said}") + 1
    tests = ", ".join(str(n) for n, line in enumerate(lines, 1) if line.startswith("(fail)") and (n // 8) % 3 == 2)
    assert f"4 of them ({tests}) show: {at}: {error}\n8 of them say: 6: Expected: 0 · Received: 1\n" in text
    failed = "3: 40 | expect(code).toBe(0); · error: expect(received).toBe(expected) · Expected: 0 · Received: 1\n"
    assert f"first failure: 10: (fail) quay > moors ship 0 [0.10ms] — {failed}" in text
    assert "98: quay > moors ship 11" in text or ", to 98\n" in text


def test_of_source_or_json_within_a_line_a_little_is_shown() -> None:
    source = "".join(f'function h{n}(t){{return t.rope[{n}]||window.quay("b{n * 7919}")}}' for n in range(300))
    data = json.dumps([{"berth": n, "brig": f"b{n * 104729}", "rope": n % 7} for n in range(200)])
    calm = [f"2031-07-04 08:{n // 60:02}:{n % 60:02} INFO moored brig {n * 7919} at berth {n % 11}" for n in range(200)]
    calm[80:80] = [f"2031-07-04 08:01:20 ERROR cannot parse source=[{source}]"]
    calm[150:150] = [f"2031-07-04 08:02:30 ERROR the crane refused this load: {data}"]
    text = compact("\n".join(calm), budget=600, threshold=0, store=None).text
    assert "ERROR cannot parse source=[function h0(t)" in text and "h12(t)" not in text
    assert 'ERROR the crane refused this load: [{"berth": 0' in text and '"berth": 12,' not in text


def test_records_with_traces_of_php_are_counted_once_by_their_heads() -> None:
    def record(n: int, said: str) -> list[str]:
        frames = [f"#{k} /srv/quay/app/Deck{k}.php({k + 9}): Quay\\Deck{k}->moor(Object(Rope))" for k in range(4)]
        at = f"[2031-07-04 08:{n // 60:02}:{n % 60:02}]"
        thrown = f'  thrown {{"exception":"[object] (LogicException(code: 0): Uncaught LogicException: {said}'
        return [f"{at} harbour.ERROR: {said}", "Stack trace:", *frames, thrown, "[stacktrace]", "#0 {main}", '"} ']

    said = ["No berth for this brig", "Unmatched '}' on deck", "Rope not spun"]
    lines = [line for n in range(60) for line in record(n, said[0] if n not in (7, 31) else said[n % 3])]
    text = compact("\n".join(lines), budget=500, threshold=0, store=None).text
    assert "600 lines in 60 entries, 60 errors." in text
    assert "60 entries with errors or failures, of 2 kinds" in text
    assert "58× 1–591: [2031-07-04 08:00:00] harbour.ERROR: No berth for this brig" in text
    assert "harbour.ERROR: Unmatched '}' on deck" in text


def test_lines_of_another_form_that_state_a_level_are_errors_of_their_own() -> None:
    lines = [f'time="2031-07-04T08:00:{n % 60:02}+02:00" level=error msg="no berth for brig {n}"' for n in range(60)]
    lines += [f'{{"level":"error","msg":"rope of pier {n} is torn","quay":{n * 7919}}}' for n in range(60)]
    text = compact("\n".join(lines), budget=400, threshold=0, store=None).text
    assert "120 lines with errors or failures, of 2 kinds" in text


def test_a_first_failure_of_bun_without_a_message_is_told_by_its_statement() -> None:
    lines = ["bun test v1.3.1 (ab12cd34)", "", "7 |     expect(log).toMatchObject({", "           ^"]
    added = [f'+   "rope{n}": {n},' for n in range(70)]
    lines += ["error: expect(received).toMatchObject(expected)", "", "  {", *added, "  }", ""]
    lines += [
        "      at <anonymous> (/srv/quay.test.ts:7:5)",
        "(fail) quay > keeps a log [3.00ms]",
        "",
        " 0 pass",
        " 1 fail",
    ]
    text = compact("\n".join(lines), budget=300, threshold=0, store=None).text
    said = "3: 7 | expect(log).toMatchObject({ · error: expect(received).toMatchObject(expected)\n"
    assert f"(fail) quay > keeps a log [3.00ms] — {said}" in text


def test_the_one_test_that_fails_for_another_reason_is_told_with_its_message() -> None:
    lines = [
        "============================= test session starts =============================",
        "collected 60 items",
        "",
    ]
    lines += [f"tests/test_quay.py::test_moor_{n} PASSED [ {n}%]" for n in range(60)]
    lines += ["==================================== ERRORS ===================================="]
    for name, module in (("ropes", "hemp"), ("gauges", "hemp"), ("moles", "harbour_master")):
        lines += [f"_____________________ ERROR collecting tests/test_{name}.py ______________________"]
        lines += ["Traceback:", f"tests/test_{name}.py:3: in <module>", f"    import {module}"]
        lines += [f"E   ModuleNotFoundError: No module named '{module}'"]
    lines += ["=========================== short test summary info ============================"]
    lines += [f"ERROR tests/test_{name}.py" for name in ("ropes", "gauges", "moles")]
    lines += ["======================== 60 passed, 3 errors in 0.91s ========================"]
    at = lines.index("E   ModuleNotFoundError: No module named 'harbour_master'") + 1
    for budget in (250, 400):
        text = compact("\n".join(lines), budget=budget, threshold=1, store=None).text
        assert "2 of them" in text and "No module named 'hemp'" in text
        assert f"another ({len(lines) - 1}) says: {at}: ModuleNotFoundError: No module named 'harbour_master'" in text
