"""The names of failing tests in the vocabulary of the runners, verdicts, and what was only typed."""

from __future__ import annotations

import pytest

from mcpcompact import compact

PADDING = [f"Setting up package-{i} ({i}.{i % 7}.1) ..." for i in range(1, 400)]

RUNNERS = {
    "mozilla": (
        ["10:00:01     INFO - TEST-UNEXPECTED-FAIL | dom/base/test/test_a.html | expected 1, got 2"],
        ["dom/base/test/test_a.html", "expected 1, got 2"],
    ),
    "pytest": (
        ["FAILED tests/test_a.py::TestX::test_b[1-2] - AssertionError: no"],
        ["tests/test_a.py::TestX::test_b[1-2]"],
    ),
    "unittest": (["=" * 70, "FAIL: test_b (pkg.tests.TestX)", "-" * 70], ["test_b (pkg.tests.TestX)"]),
    "maven": (
        ["[ERROR] com.acme.OrderTest.rejectsEmpty -- Time elapsed: 0.01 s <<< FAILURE!"],
        ["com.acme.OrderTest.rejectsEmpty"],
    ),
    "gradle": (["OrderTest > rejectsEmpty() FAILED"], ["OrderTest > rejectsEmpty()"]),
    "go": (["--- FAIL: TestOrders/empty (0.01s)"], ["TestOrders/empty"]),
    "cargo": (["test orders::tests::rejects_empty ... FAILED"], ["orders::tests::rejects_empty"]),
    "gtest": (["[  FAILED  ] OrderTest.RejectsEmpty (3 ms)"], ["OrderTest.RejectsEmpty"]),
    "tap": (["not ok 12 - rejects an empty order"], ["rejects an empty order"]),
    "jest": (["  ● orders › rejects an empty one"], ["orders › rejects an empty one"]),
    "mocha": (
        ["  1 failing", "", "  1) orders", "       rejects an empty one:", "     Error: no"],
        ["rejects an empty one"],
    ),
    "rspec": (["rspec ./spec/order_spec.rb:12 # Order rejects an empty one"], ["./spec/order_spec.rb:12"]),
    "phpunit": (["1) Acme\\OrderTest::testEmpty"], ["Acme\\OrderTest::testEmpty"]),
    "ctest": (["\t 12 - order_rejects (Failed)"], ["order_rejects"]),
    "exunit": (["  1) test rejects an empty order (Acme.OrderTest)"], ["test rejects an empty order (Acme.OrderTest)"]),
    "dotnet": (["  Failed Acme.OrderTests.RejectsEmpty [12 ms]"], ["Acme.OrderTests.RejectsEmpty"]),
    "xunit": (["[xUnit.net 00:00:01.21]     Acme.OrderTests.RejectsEmpty [FAIL]"], ["Acme.OrderTests.RejectsEmpty"]),
    "bazel": (["//orders:order_test                       FAILED in 0.4s"], ["//orders:order_test"]),
    "xctest": (["Test Case '-[Acme.OrderTests testEmpty]' failed (0.01 seconds)."], ["-[Acme.OrderTests testEmpty]"]),
}


def summary(lines: list[str], budget: int = 500) -> str:
    return compact("\n".join(lines) + "\n", budget=budget, threshold=0, content_type="log").text


@pytest.mark.parametrize("runner", RUNNERS)
def test_a_failing_test_is_named_and_counted(runner: str) -> None:
    lines, parts = RUNNERS[runner]
    text = summary([*PADDING, *lines, *PADDING[:40]])
    assert "1 failing test" in text
    assert [part for part in parts if part not in text] == []


def test_every_failing_test_is_counted_and_as_many_as_fit_are_named_whole() -> None:
    names = [f"tests/orders/test_module_{i}.py::TestOrders::test_rejects_case_{i}" for i in range(200)]
    text = summary([*PADDING, *(f"FAILED {name} - assert {i} == 0" for i, name in enumerate(names))], 400)
    assert "200 failing tests" in text
    shown = [line for line in text.split("\n") if "::" in line]
    assert len(shown) >= 6
    assert all(any(name in line for name in names) for line in shown)
    assert " more" in text


def test_a_test_that_is_named_several_times_counts_once() -> None:
    lines = [
        "tests/test_a.py::TestX::test_b FAILED   [ 50%]",
        "=================================== FAILURES ===================================",
        "__________________________ TestX.test_b __________________________",
        "E       assert 1 == 2",
        "FAILED tests/test_a.py::TestX::test_b - assert 1 == 2",
        "1 failed, 1 passed in 0.1s",
    ]
    assert "1 failing test," in summary([*PADDING, *lines]).replace("1 failing test.", "1 failing test,")


def test_tests_of_one_name_in_two_files_are_two() -> None:
    lines = [f"FAILED tests/test_{name}.py::test_same - assert 0" for name in "ab"]
    assert "2 failing tests" in summary([*PADDING, *lines])


def test_what_was_typed_is_no_error() -> None:
    typed = [
        "+ fail 'no such file: config.json'",
        '    fail "CONFIG is not set, fatal error"',
        '    echo "error unzipping archive" >&2',
        "# in case of errors the download is aborted",
        '  curl --fail "$URL" || exit 1',
    ]
    text = summary([*PADDING, *typed, *PADDING[:40]], 300)
    assert "error" not in text.partition("\n")[2].split("\n")[0]
    assert "failure message" not in text


def test_the_script_and_settings_of_a_step_are_no_errors() -> None:
    stamp = "2026-01-02T10:00:00.0000000Z "
    step = [
        "##[group]Run ./deploy.sh --on-error abort",
        "shell: bash -e {0}",
        "env:",
        "  ON_ERROR: fatal crash",
        "##[endgroup]",
    ]
    lines = [*step, *PADDING, "##[error]Process completed with exit code 2."]
    text = summary([stamp + line for line in lines], 300)
    assert "Process completed with exit code 2." in text
    assert "405 lines.\nfailed: 405: " in text
    assert "lines with errors" not in text


def test_a_job_is_a_log_whatever_its_commands_print() -> None:
    lines = ["travis_fold:start:worker_info\r\x1b[0KWorker information", "# Heading", "- [a](b)", *PADDING[:30]]
    assert compact("\n".join(lines), budget=200, threshold=0).content_type == "log"


def test_the_least_of_widely_spread_numbers_is_not_odd_but_one_slow_request_is() -> None:
    lines = [f"10:00:{i % 60:02} INFO cache hit token:{60 + (i * 37) % 900}" for i in range(600)]
    lines[7] = "10:00:07 INFO cache hit token:1"
    lines += [f"10:01:{i % 60:02} INFO GET /orders/{70000 + i} 200 {30 + i % 20} ms" for i in range(400)]
    lines[800] = "10:01:40 INFO GET /orders/90412 200 48211 ms"
    text = summary(lines, 300)
    assert "token 1," not in text
    assert "← 48211, median" in text


OTHER_RUNNERS = {
    "(fail) cart > adds > twice [1450.98ms]": "cart > adds > twice",
    "        FAIL [   0.005s] (12/20) shop::basic cart::adds_twice": "shop::basic cart::adds_twice",
    "✖ adds twice (1.234ms)": "adds twice",
    "  1) [chromium] › tests/cart.spec.ts:3:5 › cart › adds twice ─────": "tests/cart.spec.ts:3:5 › cart › adds twice",
    "cucumber features/cart.feature:12 # Scenario: adds twice": "features/cart.feature:12",
    "00:03 +5 -1: cart adds twice [E]": "cart adds twice",
    "  [-] adds twice 12ms (10ms|2ms)": "adds twice",
    " 3/10 cart_adds_twice   FAIL   0.12s   exit status 1": "cart_adds_twice",
    "Cart.Adds Twice        | FAIL |": "Cart.Adds Twice",
    "validate{ArgumentsAccessor}[2]  Time elapsed: 0.01 s  <<< FAILURE!": "validate{ArgumentsAccessor}[2]",
}


@pytest.mark.parametrize("line", OTHER_RUNNERS)
def test_failing_tests_of_many_runners_are_counted_and_named(line: str) -> None:
    lines = [f"fetched module {n} of the shop in {n % 7} seconds from mirror {n % 3}" for n in range(200)]
    lines[150] = line
    made = compact("\n".join(lines), budget=300, threshold=300, store=None, content_type="log")
    assert "1 failing test" in made.text and OTHER_RUNNERS[line] in made.text


def test_bullets_are_no_failures() -> None:
    lines = [f"● item {n} of the list of things to do in area {n % 5}" for n in range(120)]
    made = compact("\n".join(lines), budget=300, threshold=300, store=None, content_type="log")
    assert "error" not in made.text.split("\n")[1]


def test_compiler_errors_are_counted_by_code() -> None:
    lines = [f"src/area_{n}.ts({n},5): error TS{2307 if n % 3 else 7006}: Cannot find it {n}." for n in range(60)]
    made = compact("\n".join(lines), budget=400, threshold=400, store=None, content_type="log")
    assert "60 errors of 2 rules in 60 files: 40× TS2307 · 20× TS7006" in made.text


def test_kept_lines_stand_whole_when_not_all_fit() -> None:
    lines = [
        f"Dec 10 07:{n // 60:02d}:{n % 60:02d} host sshd[{n}]: error: peer {n} of zone {chr(97 + n % 26)} refused the "
        f"offer of key number {n} with a message that is long enough to be cut"
        for n in range(300)
    ]
    made = compact("\n".join(lines), budget=510, threshold=510, store=None, content_type="log")
    shown = [line for line in made.text.split("\n") if "sshd[" in line and line[:1].isdigit() and "×" not in line]
    assert len(shown) >= 4 and all(
        line.partition(": ")[2].partition(" ←")[0].partition(" (+")[0] in lines for line in shown
    )


def test_the_exception_at_the_end_of_a_trace_stands_whole() -> None:
    frames = [f'  File "/srv/shop/area_{n}/module_{n}.py", line {n}, in call_{n}\n    step_{n}()' for n in range(40)]
    trace = "\n".join(["Traceback (most recent call last):", *frames, "shop.errors.CartError: no item 42 in the cart"])
    calm = [f"read page {n} of the catalogue from shelf {n % 9}" for n in range(200)]
    made = compact("\n".join([*calm, trace]), budget=300, threshold=300, store=None, content_type="log")
    assert "\n282: shop.errors.CartError: no item 42 in the cart" in made.text
    assert 'File "/srv/shop/area_39/module_39.py", line 39, in call_39\n    step_39()\n' in made.text


def test_no_line_of_an_entry_stands_without_its_first() -> None:
    first = "2026-03-01 10:00:{:02} ERROR order {} was not written"
    trace = 'Traceback (most recent call last):\n  File "app.py", line {}, in run_{}\n    go()\nValueError: bad key k{}'
    entry = f"{first}\n{trace}"
    calm = "2026-03-01 09:59:{:02} INFO page {} read from shelf-{}"
    lines = [entry.format(n % 60, n, n, n, n) if n % 7 == 0 else calm.format(n % 60, n, n % 9) for n in range(300)]
    for budget in (150, 300, 1000):
        shown = compact("\n".join(lines), budget=budget, threshold=budget).text.split("\n")
        assert not [line for line in shown if line.partition(": ")[2].startswith("…[+")], budget


def test_the_message_most_failures_share_comes_first_and_errors_are_counted_as_the_runner_does() -> None:
    names = [f"test_queue_{word}" for word in ("put", "get", "drain", "close", "a_name_as_long_as_the_screen_is_wide")]
    blocks = []
    for i, name in enumerate(names):
        line = "_" * (1 + (i < 4) * 30)
        blocks += [f"{line} {name} {line}", "    def body(): ...", f"E   ConnectionRefusedError: port 567{i} is down"]
    missing = ["_____ ERROR collecting tests/test_a.py _____", "Traceback:", "E   ImportError: no"]
    last = [*(f"FAILED tests/test_q.py::{name}" for name in names), "ERROR tests/test_a.py"]
    text = summary([*PADDING, *missing, *blocks, *last, "==== 5 failed, 380 passed, 1 error in 2.91s ===="])
    assert (
        "424 lines, 5 failing tests, 1 error.\n5 of them (418, 419, 420, 421, 422) say, with other values: 405: "
        in text
    )


def test_error_lines_that_name_different_things_are_not_alike() -> None:
    names = ["billing", "billing", "ledger", "billing"]
    long = " ".join(f"while loading part {i} of the service" for i in range(9))
    errors = "\n".join("\n".join([f"ERROR plugin '{name}' is missing {long}", *PADDING[:30]]) for name in names)
    text = summary([*PADDING, errors], 250)
    assert "plugin 'ledger'" in text and "plugin 'billing'" in text


def test_a_compiler_error_that_several_workspaces_print_is_one() -> None:
    error = "src/cart.ts(4,7): error TS2339: Property 'sum' does not exist."
    other = "lib/cart.ts(4,7): error TS2339: Property 'sum' does not exist."
    text = summary([*PADDING, f"../shop/{error}", "npm error", f"../../web/shop/{error}", error, other, *PADDING[:9]])
    assert "lines, 2 compiler errors in 2 files, printed 4 times.\n" in text


def test_errors_that_were_corrected_are_no_failures() -> None:
    lines = [f"npm notice {n}.4kB hull/rib-{n}.js" for n in range(90)]
    lines[40:40] = [
        "npm warn publish npm auto-corrected some errors in your package.json",
        "npm warn publish errors corrected:",
    ]
    text = compact("\n".join(lines), budget=300, threshold=300, tool="bash", content_type="log").text
    assert "failure message" not in text


def test_each_error_of_a_compiler_stands_before_what_a_checkout_printed() -> None:
    checkout = [
        "The recommended git tool is: NONE",
        " > git rev-parse --resolve-git-dir /srv/work/pier/.git # timeout=10",
        "Fetching changes from the remote Git repository",
        " > git config remote.origin.url https://git.example.org/harbor/pier.git # timeout=10",
        " > git fetch --tags --force --progress -- https://git.example.org/harbor/pier.git # timeout=10",
    ]
    lines = ["Started by user keeper", "[Pipeline] Start of Pipeline", "[Pipeline] { (Checkout)", *checkout, *checkout]
    lines += ["[Pipeline] }", "[Pipeline] // stage", "[Pipeline] { (Build)", "+ mvn -B verify"]
    for n in range(40):
        lines += [f"[INFO] --- compiler:3.13.0:compile (default-compile) @ dock{n} ---", "[INFO] Copying 3 resources"]
    lines += [f"[ERROR] /srv/work/pier/dock/Berth{n}.java:[{n + 4},9] cannot find symbol" for n in range(7)]
    lines += ["[INFO] BUILD FAILURE", "[Pipeline] }", "[Pipeline] End of Pipeline", "Finished: FAILURE"]
    shown = compact("\n".join(lines), budget=500).text
    assert "7 compiler errors in 7 files" in shown
    assert all(f"Berth{n}.java:[{n + 4},9] cannot find symbol" in shown for n in range(7))
    assert "3 Checkout · 16 Build" in shown
    brief = compact("\n".join(lines), budget=310).text
    assert all(f"Berth{n}.java:[{n + 4},9] cannot find symbol" in brief for n in range(7))
    assert "> git" not in brief


def test_what_a_configure_script_finds_is_no_test() -> None:
    lines = [f"checking for library{n}... yes" for n in range(90)]
    lines[20::20] = [f"checking how to parse output of tool{n}... ok" for n in range(4)]
    shown = compact("\n".join([*lines, "BUILD SUCCESSFUL in 3s"]), budget=300, tool="ci").text
    assert "tests" not in shown


def test_quoted_source_bars_of_progress_and_notes_of_a_jvm_are_no_news() -> None:
    lines = [f"[INFO] Laying plank {n} of 90" for n in range(90)]
    lines[20] = "[ERROR] Picked up JAVA_TOOL_OPTIONS: -Dpier.agent=/srv/agent.jar"
    lines[40:43] = ["/srv/pier/gate.js:7", "    throw fatal('failed to open', error)", "    ^"]
    shown = compact("\n".join(lines), budget=300, tool="ci").text
    assert "error" not in shown.split("\n")[1]
    bars = [
        f" {n}%|{'█' * (n // 4)}{' ' * (25 - n // 4)}| {n}/100 [00:{n // 2:02}<00:09, 1.22s/it]" for n in range(100)
    ]
    bars[70] = bars[70].replace("1.22s", "48.45s")
    odd = compact("\n".join([*(f"step {n} took {n % 7} s" for n in range(200)), *bars]), budget=300, tool="train").text
    assert "48.45s/it, median" not in odd


def test_a_command_above_all_its_output_heads_it_once() -> None:
    lines = ["$ biome check .", "Reading 90 files below ./dock"]
    for n in range(9):
        lines += [f"./dock/berth{n}.ts format ━━━━━━━━━━━━━━━━━━━━", "", "  × Formatter would have printed:", ""]
        lines += [f"    {at} {at} │   const rope{at} = tie(berth{n}, {at});" for at in range(20)]
    lines += [
        "",
        "Checked 90 files in 9ms. No fixes applied.",
        "Found 9 errors.",
        'error: script "lint" exited with code 1',
    ]
    assert compact("\n".join(lines), budget=500, tool="ci").text.count("$ biome check .") < 2


def test_errors_of_rustc_are_told_apart_by_the_place_below_them() -> None:
    lines = ["   Compiling quay v0.1.0 (/srv/quay)"]
    for n in range(60):
        lines += [f"warning: unused variable: `rope_{n}`", f" --> src/store.rs:{n + 3}:9", "  |", ""]
    for n in (84, 80, 105, 32):
        lines += ["error[E0308]: mismatched types", f" --> src/price.rs:1:{n}", "  |", ""]
    lines += ["error[E0425]: cannot find function `moor` in this scope", " --> src/price.rs:1:93", "  |", ""]
    lines += ["error: could not compile `quay` (lib) due to 5 previous errors; 60 warnings emitted"]
    text = compact("\n".join(lines), budget=400, threshold=400, store=None).text
    assert "5 compiler errors in 1 file" in text and "printed" not in text
    assert all(f"src/price.rs:1:{n}" in text for n in (84, 80, 105, 32, 93))


def test_a_code_in_brackets_behind_the_word_warning_is_the_rule() -> None:
    lines = [f"C:\\bay\\mast{n % 4}.c({n}) : Warning[Pe{177 + n % 3}]: rope {n} is never tied" for n in range(1, 40)]
    text = compact("\n".join(lines), budget=300, threshold=300, store=None).text
    assert "39 warnings of 3 rules in 4 files: 13× Pe178 · 13× Pe179 · 13× Pe177" in text


def said(lines: list[str], budget: int = 300) -> str:
    return summary([*lines, *PADDING[:40]], budget).partition("\n")[2]


def test_what_passed_with_output_is_no_failure() -> None:
    lines = [
        *PADDING,
        "=================================== FAILURES ===================================",
        "E   assert 2 == 3",
        "==================================== PASSES ====================================",
        *(f"______________ test_price[{n}] ______________\n--- Captured stdout call ---" for n in range(9)),
        "=========================== short test summary info ============================",
        *(f"PASSED tests/test_a.py::test_price[{n}]" for n in range(9)),
        "SUBFAILED[row] (i=3) tests/test_a.py::test_rows - assert 2 == 3",
        "FAILED tests/test_a.py::test_rows - contains 1 failed subtest",
        "FAILED tests/test_a.py::test_b - assert 2 == 3",
        "3 failed, 9 passed in 0.12s",
    ]
    text = said(lines)
    assert "3 failing tests." in text
    assert "test_price" not in text.partition("further failures")[2].partition("pytest: ")[0]


def test_a_test_of_jest_in_no_block_is_one_and_a_suite_that_did_not_run_is_none() -> None:
    lines = [
        "FAIL src/till.test.js",
        "  ● Console",
        "    console.warn",
        "  ● till › adds up",
        "    Expected: 3",
        "  ● closes in time",
        '    thrown: "Exceeded timeout of 200 ms for a test."',
        "FAIL src/stock.test.js",
        "  ● Test suite failed to run",
        "    Cannot find module './gone'",
        "Test Suites: 2 failed, 2 total",
        "Tests:       2 failed, 5 passed, 7 total",
    ]
    text = said(lines)
    assert "2 failing tests, 1 suite that failed to run." in text
    assert "● closes in time" in text and "src/stock.test.js" in text and ": Console" not in text


def test_a_test_that_ctest_could_not_run_failed() -> None:
    lines = [
        "50% tests passed, 2 tests failed out of 4",
        "The following tests FAILED:",
        "\t  2 - adds (Failed)",
        "\t  4 - gone (Not Run)",
        "Errors while running CTest",
    ]
    text = said(lines)
    assert text.startswith("Log of ctest: ") and "2 failing tests." in text and "gone (Not Run)" in text


NODE = [
    "▶ till",
    "  ✔ adds (0.1ms)",
    "  ▶ closing",
    "    ✖ rounds (0.3ms)",
    "      AssertionError [ERR_ASSERTION]: 2 == 3",
    "  ✖ closing (0.5ms)",
    "✖ till (1.2ms)",
    "✖ reads (0.2ms)",
    "ℹ tests 3",
]


@pytest.mark.parametrize(("counted", "tests"), [("ℹ fail 2", 2), ("ℹ fail 4", 4)], ids=["suites", "subtests"])
def test_a_suite_of_node_is_a_failing_test_where_node_counts_it(counted: str, tests: int) -> None:
    text = said([*NODE, counted])
    assert f"{tests} failing tests." in text
    assert (": ✖ closing" in text) == (tests == 4)


def test_tests_of_one_name_are_told_apart_by_tap() -> None:
    lines = [
        "TAP version 13",
        "# Subtest: till",
        "    # Subtest: opens",
        "    not ok 1 - opens",
        "      ---",
        "      error: 'locked'",
        "      ...",
        "not ok 1 - till",
        "not ok 2 - opens",
        "ok 3 - closes",
    ]
    text = said(lines)
    assert "2 failing tests, 1 passed." in text and "further failures (line: name):\n9: not ok 2 - opens\n" in text


def test_the_first_failure_is_not_read_as_one_of_those_that_say_the_same() -> None:
    lines = [
        "FAILED tests/test_a.py::test_a - assert 1",
        *(f"__________ test_{n} __________\nE   ConnectionError: refused" for n in "xy"),
    ]
    text = said(lines)
    assert "2 of them (2, 4) say: " in text and "\nfirst failure: 400: FAILED tests" in said([*PADDING, *lines]) + text


def detected(lines: list[str], budget: int = 250) -> str:
    found = compact("\n".join(lines) + "\n", budget=budget, threshold=0)
    return f"{found.content_type}\n{found.text}"


def test_tap_in_every_form_is_a_test_run() -> None:
    yaml = ["  ---", "  message: it is used before it is set", "  data:", "    line: 3", "    column: 1", "  ..."]
    linter = ["TAP version 13", "1..40"]
    for n in range(1, 41):
        linter += [f"not ok {n} - src/m{n}.js", *yaml] if n in (7, 9) else [f"ok {n} - src/m{n}.js"]
    text = detected(linter)
    assert text.startswith("log\n") and "2 failing tests, 38 passed." in text
    assert "2 of them say: 11: it is used before it is set\n" in text
    shell = ["1..90", *(f"{'not ' * (n == 45)}ok {n} order {n} is kept" for n in range(1, 91))]
    shell.insert(46, '#   `[ "$status" -eq 0 ]\' failed')
    text = detected(shell)
    assert text.startswith("log\n") and "1 failing test, 89 passed." in text and "not ok 45 order 45 is kept" in text


def test_the_test_files_of_prove_are_no_tests() -> None:
    lines = ["t/a.t .. ", *(f"{'not ' * (n == 7)}ok {n} - adds {n}" for n in range(1, 60)), "1..59"]
    lines += ["t/a.t (Wstat: 256 (exited 1) Tests: 59 Failed: 1)", "  Failed test:  7", "Result: FAIL"]
    text = detected(lines)
    assert text.startswith("log\n") and "1 failing test, 1 failing test file." in text


def test_what_minitest_skipped_did_not_fail_and_what_it_prints_of_each_test_is_no_markdown() -> None:
    lines = ["Run options: -v --seed 7", "", "# Running:", ""]
    lines += [f"TestTill#test_adds_{n} = 0.00 s = {'F' if n == 9 else 'S' if n == 4 else '.'}" for n in range(90)]
    lines += ["", "  1) Skipped:", "TestTill#test_adds_4 [till_test.rb:5]:", "later", "", "  2) Failure:"]
    lines += ["TestTill#test_adds_9 [till_test.rb:3]:", "Expected: 9", "  Actual: 8", ""]
    lines += ["90 runs, 88 assertions, 1 failures, 0 errors, 1 skips"]
    text = detected(lines)
    assert text.startswith("log\n") and "1 failing test." in text
    assert "Expected: 9" in text and "test_adds_60" not in text


def test_tests_that_phpunit_tells_in_sentences_are_named() -> None:
    lines = ["Till", *(f" {'✘' if n in (5, 8) else '✔'} Adds {n}" for n in range(60))]
    text = detected([*lines, "", "FAILURES!", "Tests: 60, Assertions: 60, Failures: 2."])
    assert "Log of phpunit: " in text and "2 failing tests." in text and "✘ Adds 5" in text


def test_tests_that_pytest_collected_are_no_search_output() -> None:
    lines = [f"tests/test_till.py::test_adds[{n}]" for n in range(700)]
    end = "=========================== short test summary info ============================"
    text = detected([*lines, "", end, "ERROR tests/test_gone.py", "700 tests collected, 1 error in 0.86s"])
    assert text.startswith("log\n") and "1 error." in text and "700 tests collected" in text


def test_a_job_ended_with_its_last_verdict_only_where_little_stands_behind_it() -> None:
    lines = ["Current runner version: '2.311.0'", "##[group]Run make all", "make all", "##[endgroup]"]
    lines += [f"compiling unit {n} of the yard" for n in range(40)]
    lines += ["make: *** [Makefile:7: yard.o] Error 1", "##[error]Process completed with exit code 2."]
    near = [*lines, "Post job cleanup.", "Cleaning up orphan processes"]
    assert "failed: 46: " in summary(near) and "failed: 46: " in summary(lines)
    far = [*near, *(f"shelf {n} was counted, {n * 7} boxes" for n in range(60))]
    assert "ended with: " not in summary(far)
    assert "failed: 46: " in summary(far)


def test_failing_tests_of_ava_and_tap_spec_are_counted_and_named() -> None:
    lines = ["", *(f"  ✔ shelf › box {n} ({n + 100}ms)" for n in range(60)), "  ✘ [fail]: shelf › box 60 has no lid"]
    lines += ["    ℹ value 60", *(f"  ✔ crane › load {n}" for n in range(60)), "  ✘ [fail]: crane › lifts", "  ─", ""]
    said = summary([*lines, "  2 tests failed", "  1 test skipped"])
    assert "Log of ava: 128 lines, 2 failing tests." in said
    assert "shelf › box 60 has no lid" in said and "crane › lifts" in said and "2 tests failed" in said
    lines = ["", "  count boxes", ""]
    for n in range(60):
        lines += (
            [f"    ✔ box {n} is there"] if n != 41 else ["    ✖ box 41 is there", "    -----", "      operator: ok"]
        )
    said = summary([*lines, "", "  total:     60", "  passing:   59", "  failing:   1"], 300)
    assert "1 failing test" in said and "✖ box 41 is there" in said


def test_one_message_of_a_compiler_stands_once_with_its_explanation_and_all_places() -> None:
    said = (
        "error TS2322: Type '(rope: { knot: string; }) => string' is not assignable to type '(rope: Anchor) => string'."
    )
    block = [
        "  Types of parameters 'rope' and 'rope' are incompatible.",
        "    Property 'knot' is missing in type 'Anchor' but required in type '{ knot: string; }'.",
    ]
    errors = [line for row in (12, 40, 77, 91) for line in (f"src/dock/crane.ts({row},9): {said}", *block)]
    run = [
        "> yard@1.0.0 check",
        "> tsgo --noEmit",
        "",
        *errors,
        "npm error Lifecycle script `check` failed with error:",
        "",
    ]
    lines = ["> biome check .", "", "Checked 238 files in 131ms. Fixed 1 file.", "", *run, *run]
    lines += [f"> step {n} of the harbour prints what it does to part {n * 7}" for n in range(60)]
    text = compact("\n".join(lines), budget=420, threshold=200).text
    assert "4 compiler errors in 1 file, each printed twice" in text and "Log of biome" not in text
    assert "…[also at (40,9) (77,9) (91,9)]" in text and "(40,9): error" not in text
    assert "Property 'knot' is missing in type 'Anchor'" in text
    once = compact("\n".join([*lines, errors[0]]), budget=420, threshold=200).text
    assert "4 compiler errors in 1 file, printed 9 times" in once
