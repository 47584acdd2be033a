"""What stands beside failures in logs of tests: coverage, progress, what passed, stages, records over two lines."""

from mcpcompact import compact


def shown(lines: list[str], budget: int = 500) -> str:
    return compact("\n".join(lines), budget=budget, threshold=0, store=None).text


def rows(count: int) -> list[str]:
    return [f"shop/part_{n}/module_{n}.py{'':20}{n + 40:5}{n + 7:7}    {n % 90}%" for n in range(count)]


HEAD = f"{'Name':45}Stmts   Miss  Cover"
SESSION = "=" * 20 + " test session starts " + "=" * 20
COVERED = [
    SESSION,
    "collected 30 items",
    "",
    "tests/test_cart.py ..............................F...... [ 62%]",
    "",
    HEAD,
    "-" * 64,
    *rows(150),
    f"{'shop/cart.py':45}   80     11    86%",
    f"{'tests/test_cart.py':45}   90      2    98%",
    "-" * 64,
    f"{'TOTAL':45} 9999   5555    44%",
    "",
    "=" * 20 + " short test summary info " + "=" * 20,
    *(f"PASSED tests/test_cart.py::test_{word}_holds" for word in ("one", "two", "three", "four", "many", "none")),
    "FAILED tests/test_cart.py::test_price - AssertionError: assert 3 == 4",
    "=" * 20 + " 1 failed, 6 passed in 1.25s " + "=" * 20,
]


def test_rows_of_coverage_are_those_of_the_tested_files_below_their_columns() -> None:
    text = shown(COVERED)
    header = text.index(f"6: {HEAD}")
    assert header < text.index("shop/cart.py") < text.index(f"{'tests/test_cart.py':45}   90")
    assert "module_" not in text
    assert "table: 152 rows, lines 8–159: 6: Name Stmts Miss Cover" in text


def test_tests_that_passed_are_told_by_the_first() -> None:
    text = shown(COVERED)
    assert "test_two_holds" not in text
    assert "164: PASSED tests/test_cart.py::test_one_holds … all tests up to line 169 passed" in text


def test_progress_with_a_failure_stands_with_its_file() -> None:
    lines = [*COVERED]
    lines[3:4] = ["tests/test_cart.py " + "." * 40 + " [ 40%]", "." * 60 + " [ 80%]", "....F.... [100%]"]
    text = shown(lines)
    assert "4: tests/test_cart.py " + "." * 40 + " [ 40%]\n6: ....F.... [100%]" in text


def test_a_chain_of_exceptions_is_told_by_the_last() -> None:
    begins = "Traceback (most recent call last):"
    trace = [
        "Traceback (most recent call last):",
        '  File "/srv/shop/cache.py", line 12, in get',
        "    return held[key]",
    ]
    lines = [
        *(f"test_{n} (shop.tests.CartTests) ... ok" for n in ("add", "sub", "mul", "div")),
        "test_save (shop.tests.CartTests)",
        "A cart is saved with its lines ... ok",
        "test_load (shop.tests.CartTests) ... ERROR",
        "=" * 70,
        "ERROR: test_load (shop.tests.CartTests)",
        "-" * 70,
        *trace,
        "KeyError: 'parent'",
        "",
        "During handling of the above exception, another exception occurred:",
        "",
        begins,
        '  File "/srv/shop/tests.py", line 40, in test_load',
        "    self.assertEqual(cart.parent, parent)",
        "shop.models.Cart.DoesNotExist: Cart matching query does not exist.",
        "",
        "=" * 70,
        "ERROR: test_load (shop.tests.CartTests)",
        "-" * 70,
        begins,
        '  File "/srv/shop/clean.py", line 7, in tear_down',
        "    check()",
        "shop.db.IntegrityError: a row has no parent",
        "-" * 70,
        "Ran 6 tests in 0.264s",
        "",
        "FAILED (errors=2)",
    ]
    text = shown(lines, 330)
    assert "9: ERROR: test_load (shop.tests.CartTests) (again: 24) — 21: shop.models.Cart.DoesNotExist" in text
    assert "line 40, in test_load\n    self.assertEqual(cart.parent, parent)" in text
    record = "5: test_save (shop.tests.CartTests)"
    assert record not in text or f"{record}\nA cart is saved with its lines ... ok" in text


def test_a_skip_is_not_odd_beside_a_failure_and_an_expected_failure_counts() -> None:
    lines = [
        *(f"test_{'abcdefghij'[n % 10] * (n // 10 + 1)} (shop.tests.CartTests) ... ok" for n in range(60)),
        "test_skip (shop.tests.CartTests) ... skipped 'no such database'",
        "test_xfail (shop.tests.CartTests) ... expected failure",
        "test_bad (shop.tests.CartTests) ... FAIL",
        "=" * 70,
        "FAIL: test_bad (shop.tests.CartTests)",
        "-" * 70,
        "Traceback (most recent call last):",
        '  File "/srv/shop/tests.py", line 9, in test_bad',
        "    self.assertTrue(False)",
        "AssertionError: False is not true",
        "Ran 63 tests in 0.2s",
        "FAILED (failures=1, skipped=1, expected failures=1)",
    ]
    text = shown(lines)
    assert "← skipped" not in text
    assert "63 outcomes: ok 60 · skipped 1 · expected failure 1 · FAIL 1" in text


def test_parameters_of_one_test_leave_room_for_the_others() -> None:
    failed = [f"FAILED tests/test_form.py::test_force_all_finite[{'asarray-' * 8}{n}-value]" for n in range(14)]
    lines = [SESSION, "collected 40 items", *failed, "FAILED tests/test_form.py::test_warns_on_type"]
    text = shown([*lines, "=" * 20 + " 15 failed, 25 passed in 1.25s " + "=" * 20])
    assert "15 failing tests" in text
    assert "(+12 with other parameters, last 16)" in text
    assert "17: tests/test_form.py::test_warns_on_type" in text


def test_an_evaluation_tells_its_command_its_stages_and_each_assertion() -> None:
    tests = ["test_sqrt", "test_special_functions_of_a_very_long_name_without_any_character", "test_root"]
    blocks = [
        line
        for n, name in enumerate(tests)
        for line in (
            "_" * 80,
            f"{'_' * (n != 1)} lib/tests/test_pretty.py:{name} {'_' * (n != 1)}",
            "Traceback (most recent call last):",
            f'  File "/srv/lib/tests/test_pretty.py", line {n + 10}, in {name}',
            f"    assert pretty(expr_{n}) == text",
            "AssertionError",
        )
    ]
    lines = [
        ">>>>> Applied Patch (pred)",
        "Installing collected packages: lib",
        "Successfully installed lib-1.8",
        ">>>>> Applied Patch (test)",
        "Test Script: source env/activate && bin/test -C --verbose lib/tests/test_pretty.py;",
        "=" * 30 + " test process starts " + "=" * 30,
        "lib/tests/test_pretty.py[142]",
        *(f"test_case_{word} ok" for word in ("ascii", "unicode", "greek", "sub", "super") * 20),
        *(f"{name} F" for name in tests),
        *blocks,
        "=" * 12 + " tests finished: 100 passed, 3 failed, in 2.92 seconds " + "=" * 12,
        ">>>>> Some Tests Failed",
    ]
    text = shown(lines)
    assert "Log of sympy: 130 lines, 3 failing tests." in text
    assert "ran: 5: source env/activate && bin/test -C --verbose lib/tests/test_pretty.py;" in text
    assert "stages: 1: Applied Patch (pred) · 4: Applied Patch (test) · 130: Some Tests Failed" in text
    assert f"118: lib/tests/test_pretty.py:{tests[1]}" in text
    assert "assert pretty(expr_1) == text" in text


def test_java_tells_the_root_cause_beside_the_exception() -> None:
    lines = [
        "[INFO] Running shop.CartTest",
        "[ERROR] shop.CartTest.loads -- Time elapsed: 0.3 s <<< ERROR!",
        "java.lang.IllegalStateException: Failed to load the application",
        "\tat shop.CartTest.loads(CartTest.java:40)",
        "Caused by: shop.BeanException: Error creating bean",
        "\t... 20 more",
        "Caused by: java.net.ConnectException: Connection refused to db:5432",
        "\t... 30 more",
        "",
        "[INFO] Results:",
        "[ERROR] Tests run: 3, Failures: 0, Errors: 1, Skipped: 0",
        "[INFO] BUILD FAILURE",
        *(f"[INFO] Downloading from central: https://repo.example.org/artifact-{n}.jar" for n in range(60)),
    ]
    said = "Failed to load the application · Caused by: java.net.ConnectException: Connection refused to db:5432"
    assert said in shown(lines, 330)


def test_fewer_names_than_the_runner_counts_are_said_to_be_named() -> None:
    block = ["=" * 70, "ERROR: shop.tests.test_cart.test_load", "-" * 70, "Traceback (most recent call last):"]
    trace = [
        '  File "/srv/shop/tests.py", line 40, in test_load',
        "    load()",
        "TypeError: 'Cart' object is not iterable",
    ]
    built = [f"compiled the template of page {n * 7919} for the shop in {n * 13} ms" for n in range(60)]
    text = shown([*built, *block, *trace, "-" * 70, "Ran 63 tests in 1.2s", "", "FAILED (SKIP=19, errors=39)"], 300)
    assert "1 failing test named" in text


def test_a_file_that_cannot_be_collected_is_one_error() -> None:
    lines = [
        *(f"$ apt-get install lib{n * 7919}\nSetting up lib{n * 7919} (1.{n}) ..." for n in range(40)),
        SESSION,
        "collected 0 items / 1 error",
        "=" * 30 + " ERRORS " + "=" * 30,
        "_" * 20 + " ERROR collecting test_outputs.py " + "_" * 20,
        "/tests/test_outputs.py:38: in <module>",
        "    +value",
        "E   TypeError: bad operand type for unary +: 'str'",
        "=" * 20 + " short test summary info " + "=" * 20,
        "ERROR ../tests/test_outputs.py - TypeError: bad operand type for unary +: 'str'",
        "=" * 20 + " 1 error in 0.08s " + "=" * 20,
    ]
    text = shown(lines, 300)
    assert "lines, 1 error." in text
    assert "further failures" not in text


def test_a_run_of_passing_tests_ends_before_the_one_that_failed() -> None:
    lines = [f"tests/test_quay.py::test_{n} {'FAILED' if n == 18 else 'PASSED'} [{2 * n:3d}%]" for n in range(50)]
    said = compact("\n".join(lines), budget=300, threshold=0).text
    assert "1: tests/test_quay.py::test_0 PASSED [  0%] … all tests up to line 18 passed\n" in said
    assert "20: tests/test_quay.py::test_19 PASSED [ 38%] … all tests up to line 50 passed" in said


def ruled(said: str, sign: str = "=") -> str:
    return f" {said} ".center(80, sign)


def inner(name: str, failed: int) -> list[str]:
    """What a test of a test runner captured: a run of its own."""
    tests = [ruled(f"test_{name}_{n}", "_") for n in range(failed)]
    return [
        ruled("Captured stdout call", "-"),
        ruled("test session starts"),
        f"test_{name}.py {'F' * failed}",
        ruled("FAILURES"),
        *(
            line
            for test in tests
            for line in (test, "    def test_x():", ">       assert 8 == 9", "E       assert 8 == 9")
        ),
        ruled("short test summary info"),
        *(f"FAILED test_{name}.py::test_{name}_{n} - assert 8 == 9" for n in range(failed)),
        ruled(f"{failed} failed in 0.01 seconds"),
    ]


def test_runs_within_tests_and_what_passed_are_not_the_run_of_the_log() -> None:
    lines = [
        SESSION,
        "collected 44 items",
        ruled("FAILURES"),
        ruled("TestRunner.test_reports", "_"),
        ">       assert run() == 3",
        "E       assert 2 == 3",
        *inner("yard", 2),
        ruled("TestRunner.test_counts", "_"),
        ">       assert run() == 5",
        "E       AssertionError: five lifts",
        ruled("PASSES"),
        *(line for n in range(30) for line in (ruled(f"test_pass_{n}", "_"), *inner(f"quay{n}", 2))),
        "ERROR quay:quay.py:7 the rope broke",
        ruled("short test summary info"),
        *(f"PASSED tests/test_run.py::test_pass_{n}" for n in range(30)),
        "FAILED tests/test_run.py::TestRunner::test_reports - assert 2 == 3",
        "FAILED tests/test_run.py::TestRunner::test_counts - AssertionError: five lifts",
        ruled("2 failed, 30 passed in 4.46 seconds"),
    ]
    text = shown(lines, 600)
    assert f"Log of pytest: {len(lines)} lines, 2 failing tests.\n" in text
    assert f"pytest: {len(lines)}: 2 failed, 30 passed in 4.46 seconds" in text
    assert "test_yard_" not in text.split("pytest: ")[0] and "test_quay" not in text.split("pytest: ")[0]
    assert "say" not in text.split("pytest: ")[0]  # the two say different things


def test_a_second_run_behind_what_passed_is_one_of_the_log() -> None:
    first = [SESSION, ruled("PASSES"), ruled("test_a", "_"), *inner("dock", 1), ruled("short test summary info")]
    first += [*(f"PASSED tests/test_a.py::test_{n}" for n in range(60)), ruled("60 passed in 1.20s")]
    second = [SESSION, ruled("FAILURES"), ruled("test_mooring", "_"), "E   assert 1 == 2", ruled("1 failed in 0.20s")]
    text = shown([*first, *second], 300)
    assert "lines, 1 failing test." in text and "test_mooring" in text and "test_dock_0" not in text


def test_tests_of_one_name_in_several_classes_are_counted_each() -> None:
    block = ["Traceback (most recent call last):", '  File "/y/t.py", line 9, in test_table', "    self.fail(msg)"]
    tests = ("test_table (yard.CraneTest)", "test_table (yard.QuayTest)", "test_rows (yard.QuayTest)")
    lines = [f"test_{n} (yard.Other) ... ok" for n in range(90)]
    for test in tests:
        lines += ["=" * 70, f"FAIL: {test}", "-" * 70, *block, "AssertionError: <tr>", "<th>", ""]
    lines += ["=" * 70, "FAIL: test_table (yard.DockTest)", "-" * 70, *block, "KeyError: 'rope'", ""]
    lines += ["-" * 70, "Ran 94 tests in 0.042s", "", "FAILED (failures=4)"]
    text = shown(lines, 400)
    assert "lines, 4 failing tests." in text and "\n3 of them (92, 101, 110) say: 97: AssertionError: <tr>\n" in text
    assert "FAIL: test_table (yard.DockTest) — KeyError: 'rope'" in text
    names = ("test_counts", "test_counts_with_a_name_that_fills_the_row_up_to_its_end", "test_lifts")
    heads = [f"{'_' * n} TestYard.{name} {'_' * n}" for name, n in zip(names, (28, 2, 24), strict=True)]
    reports = [
        line for head in heads for line in (head, "", ">       assert up", "E       AssertionError: no rope", "")
    ]
    lines = [SESSION, *lines[:90], ruled("FAILURES"), *reports, ruled("3 failed in 0.20s")]
    assert "\n3 of them say: 96: AssertionError: no rope\n" in shown(lines, 400)


def _go(quiet: bool = False) -> list[str]:
    """Eight tests of Go with parts whose names have commas and dashes; two of them log what they provoke."""
    lines = list[str]()
    for n in range(8):
        parts = [f"TestMooring{n}/rope_{m},_pier_-_{'abc'[m]}" for m in range(3)]
        for m, part in enumerate(parts):
            lines += [f"=== RUN   TestMooring{n}"] if not m else []
            lines += [f"=== RUN   {part}", f"2026/04/01 10:00:0{n} INFO ship {m} waits at pier {n}"]
            provoked = n in (2, 5) and not quiet
            lines += [f"2026/04/01 10:00:0{n} ERROR no rope left on pier {m} today"] if provoked else []
        lines += ["2026/04/01 10:00:09 WARN the tide is late"] if n == 5 and not quiet else []
        lines += [f"--- PASS: TestMooring{n} ({'9.25' if n == 5 else '0.00'}s)"]
        lines += [f"    --- PASS: {part} (0.00s)" for part in parts]
    return [*lines, "PASS", "ok  \texample.org/harbour/mooring\t9.301s"]


def test_what_passing_tests_of_go_logged_is_counted_and_is_no_failure() -> None:
    lines = _go()
    text = shown(lines)
    at = {level: [n for n, line in enumerate(lines, 1) if f" {level} " in line] for level in ("ERROR", "WARN")}
    assert len(at["ERROR"]) == 6 and "32 test outcomes, 0 failed.\n" in text
    told = " · ".join(f"{level} {len(own)} (at {', '.join(map(str, own))})" for level, own in at.items())
    assert f"logged by tests that passed: {told}\n" in text
    assert "logged by" not in shown(_go(quiet=True))
    assert "slowest" not in shown([line.replace("9.25s", "0.25s") for line in lines], 1000)
    failed = ["=== RUN   TestTide", "--- FAIL: TestTide (0.00s)", "    tide_test.go:3: low", "FAIL"]
    assert "logged by" not in shown([*lines[:-2], *failed, "FAIL\texample.org/harbour/mooring\t9.3s"])


def test_a_passing_run_of_go_names_its_tests_and_the_slowest() -> None:
    lines = _go()
    text = shown(lines)
    named = [f"{n}: {line}" for n, line in enumerate(lines, 1) if line.startswith("--- PASS")]
    assert all(line in text.split("\n") for line in named), text
    assert f"slowest: {named[5]}\n" in shown(lines, 1000)
    assert text.count("ok  \texample.org/harbour/mooring") == 1 and "=== RUN" not in text
