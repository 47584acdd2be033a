"""A failing test comes with what its runner says right at its name; what a passing test printed is no failure."""

from __future__ import annotations

import pytest

from mcpcompact import compact

CALM = ["Using worker: worker-7", *(f"compiled part{n}.c in order" for n in range(119))]


def summary(lines: list[str], budget: int = 300) -> str:
    return compact("\n".join([*CALM, *lines, ""]), budget=budget, threshold=100, store=None).text


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            ["[info] - lifts *** FAILED ***", "[info]   3 was not equal to 4 (Crane.scala:7)", "[info] - drops"],
            "121: [info] - lifts *** FAILED *** — 122: 3 was not equal to 4 (Crane.scala:7)",
        ),
        (
            ["  [-] lifts the load 12ms", "    Expected 4, but got 3.", "  [+] errors are shown 3ms"],
            "121: [-] lifts the load 12ms — 122: Expected 4, but got 3.",
        ),
        (
            ["--- FAIL: TestLift (0.01s)", "\tError Trace:\tcrane_test.go:7", "\tError:\tShould be true", "FAIL"],
            "121: --- FAIL: TestLift (0.01s) — 122: Error Trace: crane_test.go:7 · Error: Should be true",
        ),
        (
            ["=== RUN   TestLift", "    crane_test.go:7: got 3, want 4", "--- FAIL: TestLift (0.00s)", "FAIL"],
            "123: --- FAIL: TestLift (0.00s) — 122: crane_test.go:7: got 3, want 4",
        ),
        (
            ["Failures:", "", "  1) Crane lifts", "     Failure/Error: expect(1)", "", "       expected: 4", ""],
            "123: 1) Crane lifts — 124: Failure/Error: expect(1) · expected: 4",
        ),
        (
            ["  1 failing", "", "  1) Crane", "       lifts:", "     Error: the rope broke", "      at C (c.js:7:1)"],
            "123: 1) Crane (Crane › lifts) — 125: Error: the rope broke",
        ),
        (
            ["[ RUN      ] Crane.Lifts", "/src/c.cc:7: Failure", "Value of: up", "[  FAILED  ] Crane.Lifts (0 ms)"],
            "124: [  FAILED  ] Crane.Lifts (0 ms) — 122: /src/c.cc:7: Failure · Value of: up",
        ),
        (
            ["[  ERROR   ] 1 error, listed below:", "[  ERROR   ] crane.lua @ 7: after_each", "crane.lua:9: assert!"],
            "122: [  ERROR   ] crane.lua @ 7: after_each — 123: crane.lua:9: assert!",
        ),
        (
            ["crane: lifts_test...*failed*", "in function crane:lift/0 (crane.erl, line 7)", "**error:badarg"],
            "121: crane: lifts_test...*failed* — 122: in function crane:lift/0 (crane.erl, line 7) · **error:badarg",
        ),
        (
            ["test lifts ... FAILED", "", "---- lifts stdout ----", "thread 'x' panicked at src/c.rs:7:5:", "no rope"],
            "121: test lifts ... FAILED — 124: thread 'x' panicked at src/c.rs:7:5: · no rope",
        ),
        (
            ["  ● lifts › high", "", "    expect(received).toEqual(expected)", "", "    - Expected", "    +  rope", ""],
            "121: ● lifts › high — 123: expect(received).toEqual(expected) · + rope",
        ),
        (
            ["c.cpp:7: FAILED:", "  REQUIRE( lift() == 4 )", "with expansion:", "  3 == 4", ""],
            "121: c.cpp:7: FAILED: — 122: REQUIRE( lift() == 4 ) · with expansion: · 3 == 4",
        ),
        (
            ["FAIL: test_lift (yard.Crane)", "-" * 70, '  File "/y.py", line 7, in t', "AssertionError: 3 != 4"],
            "121: FAIL: test_lift (yard.Crane) — 124: AssertionError: 3 != 4",
        ),
    ],
)  # fmt: skip
def test_a_failing_test_comes_with_its_message(lines: list[str], said: str) -> None:
    text = summary(lines)
    assert said in text.split("\n")
    assert "1 failing test" in text or "1 error" in text


def test_what_is_thrown_below_another_test_is_not_the_message_of_the_last_one_that_failed() -> None:
    lines = [
        "[info] - lifts *** FAILED ***",
        "[info] - drops *** FAILED ***",
        "[info] - a failure is handled",
        "java.lang.Exception: rope",
        "\tat yard.Crane.drop(Crane.scala:3)",
    ]
    text = summary(lines)
    assert "2 failing tests" in text and "— " not in text and "of them say" not in text


def test_a_message_of_all_stands_once_and_that_of_each_beside_its_name() -> None:
    alike = [line for n in range(3) for line in (f"--- FAIL: TestLift{n} (0.01s)", "    yard_test.go:7: no rope")]
    text = summary([*alike, "FAIL"])
    assert text.count("no rope") >= 1 and "3 of them say: 122: yard_test.go:7: no rope" in text
    assert "first failure: 121: --- FAIL: TestLift0 (0.01s)\n" in text
    apart = [
        line for n in range(3) for line in (f"--- FAIL: TestLift{n} (0.01s)", f"    yard{'abc'[n]}.go:7: no {'rst'[n]}")
    ]
    assert "\n125: --- FAIL: TestLift2 (0.01s) — yardc.go:7: no t\n" in summary([*apart, "FAIL"])


def test_a_test_that_passed_is_no_failure_whatever_its_name() -> None:
    lines = [
        "[+] - a failing block fails the block with an error 3ms",
        "[ RUN      ] system() returns non-zero exit code: 55.71 ms OK",
        "      'crash.purs' should fail with 'FatalError':       OK (0.07s)",
        "[13:28:34] t3020-error-unmatch.sh .................. ok       31 ms",
        "ok 12 - error is thrown: exit code 3",
        "--- PASS: TestFatalError (0.01s)",
    ]
    text = summary([*lines, "  [-] lifts 12ms", "    Expected 4, but got 3."], 250)
    assert "1 failing test, 2 passed." in text
    calm = compact("\n".join([*lines, *CALM, ""]), budget=150, threshold=100, store=None).text
    assert "failure message" not in calm and " errors" not in calm.partition("\n")[2].partition("\n")[0]


def test_a_failed_assertion_of_xcode_is_no_error_of_a_compiler() -> None:
    lines = ["Test Case '-[Yard.Crane lifts]' started.", '/src/C.swift:7: error: -[Yard.Crane lifts] : "3" is not "4"']
    text = summary([*lines, "Test Case '-[Yard.Crane lifts]' failed (0.012 seconds)."])
    assert "1 failing test." in text and "failed (0.012 seconds). — 122: /src/C.swift:7: error: " in text


def test_what_a_passing_test_or_package_logs_is_not_kept_as_a_failure() -> None:
    noise = [f"ERROR rope {chr(97 + n)}ye broke with an exception" for n in range(8)]
    lines = ["=== RUN   TestNoise", *noise, "--- PASS: TestNoise (0.10s)", "PASS", "ok  \tyard/noise\t0.2s"]
    lines += ["=== RUN   TestLift", "ERROR the hook fell", "--- FAIL: TestLift (0.01s)", "    lift_test.go:7: no hook"]
    text = summary([*lines, "FAIL", "FAIL\tyard/lift\t0.1s"], 200)
    assert "ERROR the hook fell" in text and "no hook" in text and text.count("ERROR rope") <= 1


def test_a_report_of_a_sanitizer_that_another_tool_quotes_is_told_with_the_first_own_frame() -> None:
    lines = [
        "= ==77==ERROR: AddressSanitizer: SEGV on unknown address 0x000001d548d0 (pc 0x000000455084 T0)",
        "=     #0 0x455083 in flag_it /src/projects/compiler-rt/lib/asan/asan_allocator.cc:55:10",
        "=     #1 0x506697 in free_rope /home/yard/src/rope.c:119:3",
        "= SUMMARY: AddressSanitizer: SEGV /src/projects/compiler-rt/lib/asan/asan_allocator.cc:55 in flag_it",
    ]
    assert "← free_rope rope.c:119" in summary(lines)


def test_of_a_failure_that_pytest_reports_ones_own_source_stands_whole_and_of_a_library_the_place() -> None:
    library = ["    def get_handle(path, mode):", '        """Raises an error if the handle failed.', "", '        """']
    library += [f"        if mode == {n}: raise ValueError('unknown error {n}')" for n in range(60)]
    test = ["    def test_yard():", "        # an error is no failure here", "        assert crates()", ""]
    test += [">       yard = load('/yard.parquet')", "               ^^^^^^^^^^^^^^^^^^^^^", "", "test_yard.py:9:"]
    lines = [f"Get:{n} http://yard.example/crates crate-{n} [{n} kB]" for n in range(30)]
    lines += ["============ test session starts ============", "collected 1 item", "", "test_yard.py F  [100%]", ""]
    lines += [
        "============ FAILURES ============",
        "____________ test_yard ____________",
        "",
        *test,
        "_ _ _ _ _ _ _ _ _ _",
    ]
    lines += [
        "lib/python3.12/site-packages/crane/io.py:40: in load",
        "    handle = get_handle(path)",
        "_ _ _ _ _ _ _ _ _ _",
    ]
    lines += ["", "path = '/yard.parquet', mode = 'rb'", "", *library, ">       handle = open(path, mode)"]
    lines += ["E       FileNotFoundError: no such file: '/yard.parquet'", ""]
    lines += [
        "lib/python3.12/site-packages/crane/io.py:88: FileNotFoundError",
        "============ short test summary info ============",
    ]
    lines += ["FAILED test_yard.py::test_yard - FileNotFoundError: no such file: '/yard.parquet'"]
    out = compact("\n".join([*lines, "============ 1 failed in 0.67s ============"]), budget=400, threshold=400)
    assert "\n".join(test) in out.text
    assert "lib/python3.12/site-packages/crane/io.py:40: in load" in out.text
    assert "lib/python3.12/site-packages/crane/io.py:88: FileNotFoundError" in out.text
    assert "unknown error" not in out.text and "Raises an error" not in out.text
    assert "1 failing test" in out.text and "error message" not in out.text


def test_what_differs_from_the_runners_totals_is_not_called_their_number() -> None:
    run = ["[+] hoists 3ms", "ERROR: - lowers -> The property 'Rope' cannot be found", "  [-] turns -> Expected 2"]
    same = summary([*run, "passed 10, failed 2, total 12"], 400)
    assert "2 failing tests." in same and "totals: 124: passed 10, failed 2, total 12" in same
    other = summary([*run, "passed 10, failed 4, total 14", "passed 3, failed 0, total 3"], 400)
    assert "2 failing tests named." in other and "totals: 124: passed 10, failed 4, total 14" in other


def test_tests_that_say_the_same_with_other_values_are_told_by_their_lines() -> None:
    lines = []
    for name, value in (("hoists", 1), ("lowers", 2), ("turns", 3)):
        lines += [f"  [-] {name} 3ms", f"    Expected {value}, but got 9." if name != "turns" else "    Rope torn."]
    assert "2 of them (121, 123) say, with other values: 122: Expected 1, but got 9." in summary(lines, 400)


def test_an_error_of_a_compiler_behind_the_name_of_its_task_counts() -> None:
    lines = ["    [javac] /src/Crane.java:12: error: cannot find symbol", "    [javac]   rope.hoist();", "BUILD FAILED"]
    assert "1 compiler error in 1 file" in summary(lines, 400)


def test_a_total_that_is_printed_for_each_try_is_told_once_and_that_of_bats_is_not_elixirs() -> None:
    tries = [line for n in range(3) for line in (f"try {n}", "Tests run: 7, Failures: 2, Errors: 0, Skipped: 0")]
    text = summary([*tries, "1..3", "not ok 1 lifts", "3 tests, 1 failure"], 400)
    assert "maven: 126: Tests run: 7, Failures: 2, Errors: 0, Skipped: 0 · … 2 more\n" in text
    assert "exunit" not in text and "mix test" not in text and "3 tests, 1 failure" in text


def test_the_suite_in_which_a_test_of_gocheck_failed_is_no_second_failure() -> None:
    lines = ["FAIL: crane_test.go:9: CraneSuite.TestLift", "crane_test.go:12:", "    c.Assert(load, Equals, 3)"]
    text = summary(
        [*lines, "OOPS: 4 passed, 1 FAILED", "--- FAIL: Test (0.01s)", "FAIL", "FAIL\tyard/crane\t0.1s"], 400
    )
    assert "1 failing test." in text


def test_that_fail_stands_alone_on_a_line_does_not_make_it_gos() -> None:
    lines = ["test_hoist (crane.tests.CraneTest) ... FAIL", "FAIL", "Ran 3 tests in 0.2s", "", "FAILED (failures=1)"]
    assert "go test" not in summary(lines, 400)
    assert "go test: 122: FAIL" in summary(["--- FAIL: TestHoist (0.01s)", "FAIL", "exit status 1"], 400)


def test_many_failures_of_mocha_are_a_log_wherever_it_counts_them() -> None:
    lines = ["$ npm test", "> mocha", "", "  Yard", *(f"    {n}) lifts crate {n}" for n in range(1, 30))]
    lines += ["", "  12 passing (2s)", "  29 failing", ""]
    for n in range(1, 30):
        lines += [
            f"  {n}) Yard",
            f"       lifts crate {n}:",
            "     TypeError: Cannot read property 'lift' of undefined",
        ]
        lines += [
            f"      at Context.<anonymous> (test/yard.js:{n * 7}:{n})",
            "      at callFn (lib/runnable.js:372:21)",
            "",
        ]
    made = compact("\n".join([*lines, "npm ERR! Test failed.  See above for more details."]), budget=500, threshold=500)
    assert made.content_type == "log" and "29 failing tests" in made.text
    assert "29 of them say: 40: TypeError: Cannot read property 'lift' of undefined" in made.text


def test_the_phases_of_codebuild_are_a_job_that_failed_at_its_command() -> None:
    at = "[Container] 2026/05/01 17:04:09"
    lines = []
    for phase in ("INSTALL", "PRE_BUILD"):
        lines += [f"{at} Entering phase {phase}", f"{at} Running command pip install {phase}"]
        lines += [f"Collecting rope{n}\n  Downloading rope{n}.whl (12 kB)" for n in range(30)]
        lines += [f"{at} Phase complete: {phase} State: SUCCEEDED", f"{at} Phase context status code:  Message: "]
    lines += [f"{at} Entering phase BUILD", f"{at} Running command make all", *(f"cc -c a{n}.c" for n in range(30))]
    lines += [
        "crane.c:12:5: error: unknown type name 'crane'",
        f"{at} Command did not exit successfully make all exit status 2",
    ]
    lines += [
        f"{at} Phase complete: BUILD State: FAILED",
        f"{at} Phase context status code: X Message: make all. exit status 2",
    ]
    made = compact("\n".join(lines), budget=400, threshold=400)
    assert "Log of AWS CodeBuild" in made.text and "Running command make all" in made.text
    assert "unknown type name 'crane'" in made.text and "Collecting rope2" not in made.text


def test_a_test_of_pytest_without_a_trace_says_why_in_its_first_line() -> None:
    why = ["async def functions are not natively supported.", "You need to install a suitable plugin:", "  - quay"]
    tests = [line for n in range(9) for line in (f"{'_' * 20} TestYard.test_lift_{n} {'_' * 20}", *why)]
    last = [*(f"FAILED tests/test_yard.py::TestYard::test_lift_{n}" for n in range(9)), "ERROR tests/test_quay.py"]
    error = ["_____ ERROR collecting tests/test_quay.py _____", "Traceback:", "E   ImportError: no rope"]
    text = summary([*error, "==== FAILURES ====", *tests, *last, "==== 9 failed, 1 error in 0.90s ===="])
    assert "\n9 of them say: 126: async def functions are not natively supported.\n" in text


def test_the_last_line_of_sympy_is_its_total_also_over_two_lines() -> None:
    lines = [f"test_{n} ok" for n in range(99)]
    for name in ("lift", "moor", "sail"):
        lines += [
            "_" * 80,
            f"____ quay/tests/test_yard.py:test_{name} ____",
            '  File "/q/y.py", line 9, in f',
            "    f()",
        ]
        lines += ["TypeError: no rope" if name != "sail" else "AssertionError: 1"]
    lines += ["", " tests finished: 28 passed, 1 failed, 1 expected to fail, 2 exceptions, ", "in 0.76 seconds "]
    text = summary(lines)
    assert "sympy: 237 lines, 3 failing tests.\n2 of them (221, 226) say: 224: TypeError: no rope\n" in text
    assert "sympy: 236: tests finished: 28 passed, 1 failed, 1 expected to fail, 2 exceptions," in text


def test_what_an_assertion_says_stands_before_its_parts_and_its_source() -> None:
    parts = [f"E        +  where {n} = len(['{'<moor>' * 30}', ...])" for n in (46, 47, 48)]
    source = [f"        rope_{n} = yard.rope({n}, '/quay/rope-{n}.json')" for n in range(18)]
    said = [
        ">       assert ok / len(ropes) > 0.9, 'no rope'",
        "E       AssertionError: no rope",
        "E       assert (2 / 46) > 0.9",
    ]
    lines = [
        "==== test session starts ====",
        "collected 1 item",
        "",
        "==== FAILURES ====",
        f"{'_' * 30} test_ropes {'_' * 30}",
    ]
    lines += ["", "    def test_ropes():", *source, *said, *parts, "", "tests/test_yard.py:78: AssertionError"]
    lines += [
        "==== short test summary info ====",
        "FAILED tests/test_yard.py::test_ropes - Asser...",
        "==== 1 failed in 0.2s ====",
    ]
    for budget in (250, 400):
        text = summary(lines, budget)
        assert "\nE       assert (2 / 46) > 0.9\n" in text and "E       AssertionError: no rope\n" in text


def test_subtests_of_go_are_told_apart_and_those_that_passed_hide_none_that_failed() -> None:
    lines = []
    for n in range(60):
        lines += [f"=== RUN   TestBerth{n}", f"=== RUN   TestBerth{n}/low", f"--- PASS: TestBerth{n} (0.00s)"]
        lines += [f"    --- PASS: TestBerth{n}/low (0.00s)"]
    ended = ["PASS", "PASS", "PASS", "FAIL", "PASS", "FAIL", "PASS", "PASS"]
    names = [f"TestLift/{name}" for name in "abcdefgh"]
    lines += ["=== RUN   TestLift", *(f"=== RUN   {name}" for name in names), "--- FAIL: TestLift (0.00s)"]
    lines += [f"    --- {how}: {name} (0.00s)" for how, name in zip(ended, names, strict=True)]
    lines += ["=== RUN   TestHung", "FAIL", "FAIL\tquay.example/yard\t1.209s", "FAIL"]
    text = compact("\n".join(lines), budget=500, threshold=400, store=None).text
    assert ", 3 failing tests, 2 of them subtests, 126 passed." in text
    assert "--- FAIL: TestLift/d (0.00s)" in text and "--- FAIL: TestLift/f (0.00s)" in text
    assert "RUN   TestBerth" not in text and "=== RUN   TestHung" in text  # how this one ended no line says


def test_of_go_it_is_said_how_many_passed_and_of_each_subtest_what_it_said_above_all_verdicts() -> None:
    names = [f"TestLift/{name}" for name in "abcd"]
    lines = ["=== RUN   TestLift"]
    for n, name in enumerate(names):
        lines += [f"=== RUN   {name}", *([f"    lift_test.go:{n + 7}: rope {name[-1]} broke"] if n else [])]
        lines += [f"        the deck of ship {k} is dry, and its hold is as well" for k in range(9)]
    lines += ["=== NAME  TestLift", "    lift_test.go:31: the crane stood", "--- FAIL: TestLift (0.00s)"]
    lines += [f"    --- {'FAIL' if n else 'PASS'}: {name} (0.00s)" for n, name in enumerate(names)]
    text = summary([*lines, "FAIL", "FAIL\tquay.example/yard\t1.209s", "FAIL"], 400)
    assert ", 4 failing tests, 3 of them subtests, 1 passed." in text
    assert "--- FAIL: TestLift (0.00s) — 166: lift_test.go:31: the crane stood\n" in text
    for n, name in enumerate(names[1:], 8):
        assert f"{name} (0.00s) — lift_test.go:{n}: rope {name[-1]} broke" in text


def test_what_several_assertions_of_a_test_of_go_print_of_one_value_stands_once() -> None:
    value = "a long deck of " + "teak and " * 12 + "oak"
    lines = ["=== RUN   TestDeck"]
    for n in range(4):
        lines += [f"    deck_test.go:{n + 7}: plank {n} is missing", f"        Got: {value}"]
    lines += ["=== RUN   TestHull", f"        Got: {value}", "    hull_test.go:3: hull leaks"]
    lines += [f"--- FAIL: {name} (0.00s)" for name in ("TestDeck", "TestHull")]
    text = summary([*lines, "FAIL", "FAIL\tquay.example/yard\t1.209s", "FAIL"], 450)
    one = (
        f"plank 0 is missing\n        Got: {value}\n    deck_test.go:8: plank 1 is missing\n        Got: …[as above]\n"
    )
    assert one in text and text.count("Got: …[as above]") == 3  # of each test what it had


def test_as_many_tests_failed_as_mocha_says_though_several_have_one_name() -> None:
    lines = ["  9 passing (3s)", "  4 failing", ""]
    for n, title in enumerate(("lifts", "drops", "drops", "holds"), 1):
        lines += [f"  {n}) Crane", f"       {title}:", f"     Error: rope {n} broke", "      at C (c.js:7:1)", ""]
    assert "4 failing tests, 3 different names" in summary(lines)


def test_a_list_of_mocha_ends_with_the_last_test_that_it_counts() -> None:
    run = ["  Crane", "    1) lifts", '    2) "after each" hook', "", "  9 passing (3s)", "  2 failing", ""]
    run += [
        "  1) Crane",
        "       lifts:",
        "     Error: the rope broke",
        "",
        '  2) "after each" hook:',
        "     Error: no",
    ]
    run += ["", '  3) "before each" hook', '  4) "after each" hook', ""]
    text = summary([*run, *run, *run], budget=400)
    assert "2 failing tests." in text and "further failures (line: name):\n132: 2)" in text


def test_a_title_of_mocha_may_hold_a_value_of_several_lines() -> None:
    lines = ["  2 failing", ""]
    for n, kind in enumerate(("oak", "elm"), 1):
        lines += [f"  {n}) Yard", "       Hulls", "         are built of: {", f"  plank: '{kind}',", "  nails: 7"]
        lines += ["}:", f"     Error: no {kind} left", "      at Y (y.js:7:1)", ""]
    text = summary(lines, budget=400)
    assert "2 failing tests." in text
    assert "Yard › Hulls › are built of: { plank: 'elm', nails: 7 }" in text
