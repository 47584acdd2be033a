"""Test reports in XML: failed cases by full name and message first, ids last, skipped ones by reason."""

from __future__ import annotations

from mcpcompact import compact


def trx(failed: int, passed: int) -> str:
    results, tests = [], []
    for n in range(failed + passed):
        guid = f"{n:08x}-7b3f-4d76-aff4-6d633e8aa3bf"
        outcome = "Failed" if n < failed else "Passed"
        error = f"<Output><ErrorInfo><Message>Expected {n}&#10;But was {n + 1}</Message></ErrorInfo></Output>"
        results.append(
            f'<UnitTestResult executionId="{guid}" testId="{guid}" testName="Adds_number_{n}" computerName="CI-1" '
            f'startTime="2024-05-01T10:00:{n % 60:02d}.0000000+00:00" outcome="{outcome}">'
            f"{error if n < failed else ''}</UnitTestResult>"
        )
        tests.append(
            f'<UnitTest name="Adds_number_{n}" id="{guid}"><TestMethod className="Shop.Tests.CalculatorTests, Shop" '
            f'name="Adds_number_{n}"/></UnitTest>'
        )
    parts = ["<TestRun><Results>", *results, "</Results><TestDefinitions>", *tests, "</TestDefinitions></TestRun>"]
    return "\n".join(parts)


def test_failed_tests_of_a_trx_report_are_named_whole_with_their_messages() -> None:
    made = compact(trx(5, 60), budget=500, threshold=500, store=None)
    assert "65 test cases: passed 60, failed 5." in made.text
    for n in range(5):
        assert f"{n + 2}: Shop.Tests.CalculatorTests.Adds_number_{n} — Expected {n} But was {n + 1}" in made.text


def test_ids_and_stamps_of_a_test_result_are_left_out() -> None:
    made = compact(trx(1, 60), budget=500, threshold=500, store=None)
    line = next(line for line in made.text.split("\n") if "UnitTestResult" in line)
    assert " UnitTestResult testName=Adds_number_" in line
    assert line.endswith("computerName=CI-1 outcome=Passed …")


def test_a_junit_report_says_why_tests_were_skipped() -> None:
    cases = [f'<testcase classname="shop.test_cart" name="test_item_{n}" time="0.0{n}"/>' for n in range(80)]
    cases[7:9] = [
        f'<testcase classname="shop.test_cart" name="test_db_{n}"><skipped message="needs a database"/></testcase>'
        for n in range(2)
    ]
    cases[40] = (
        '<testcase classname="shop.test_cart" name="test_total"><failure message="assert 41 == 42">trace</failure>'
        "</testcase>"
    )
    made = compact("<testsuite>\n" + "\n".join(cases) + "\n</testsuite>", budget=400, threshold=400, store=None)
    assert "80 test cases: passed 77, failed 1, skipped 2." in made.text
    assert "42: shop.test_cart.test_total — assert 41 == 42" in made.text
    assert "skipped (line: name — why):\n9: shop.test_cart.test_db_0 — needs a database" in made.text


def test_reasons_of_skipped_tests_are_counted_to_the_last() -> None:
    why = ("rope", "tide", "mast", "crew")
    cases = [
        f'<testcase classname="a.b" name="moor_{n}"><skipped message="no {why[n % 4]}"/></testcase>' for n in range(40)
    ]
    made = compact("<testsuite>\n" + "\n".join(cases) + "\n</testsuite>", budget=300, threshold=300, store=None).text
    assert "skipped: 10× no rope · 10× no tide · 10× no mast · 10 more" in made, made


def test_an_outcome_of_its_own_is_said_as_it_stands() -> None:
    report = "\n".join(
        ["<run>", *(f'<test-case fullname="a.B.c{n}" result="{("Passed", "Warning")[n == 3]}"/>' for n in range(60))]
    )
    made = compact(report + "\n</run>", budget=300, threshold=300, store=None)
    assert "60 test cases: passed 59, warning 1." in made.text


def test_of_a_long_trace_every_cause_and_the_frames_of_ones_own_are_told() -> None:
    def frames(package: str, count: int) -> str:
        return "".join(f"\tat {package}.C{n}.run(C{n}.java:{n})\n" for n in range(count))

    trace = (
        f"java.lang.IllegalStateException: no room\n{frames('org.junit.runner', 40)}"
        f"\tat shop.cart.CartTest.adds(CartTest.java:12)\n{frames('org.eclipse.launcher', 40)}"
        f"Caused by: java.io.IOException: disk full\n{frames('java.io', 30)}"
        f"Caused by: java.lang.Error: out of inodes\n{frames('java.nio', 30)}"
    )
    rows = "".join(f'<property name="p{n}.q" value="{n * 37}"/>\n' for n in range(100))
    test = '<testcase classname="shop.cart.CartTest" name='
    text = (
        f'<testsuite name="shop">\n<properties>\n{rows}</properties>\n{test}"adds">\n'
        f'<error message="no room" type="T">{trace}</error>\n</testcase>\n{test}"removes"/>\n</testsuite>\n'
    )
    out = compact(text, budget=500, threshold=100, store=None).text
    lines = text.split("\n")
    causes = ("Caused by: java.io.IOException: disk full", "Caused by: java.lang.Error: out of inodes")
    for said in (*causes, "CartTest.java:12"):
        before, _, _ = out.rpartition(said)
        above = before.split("\n")[::-1]  # the line that has a number, and those below it
        below, number = next((k, line.split(" ")[0]) for k, line in enumerate(above) if line[:1].isdigit())
        assert said in lines[int(number) - 1 + below]
    assert 'name="removes"' in out or "name=removes" in out
    assert "written like this" not in out


def nunit(rows: str) -> str:
    filler = "\n".join(f'<test-case name="t{n}" fullname="Shop.T.t{n}" result="Passed" time="0.1"/>' for n in range(60))
    return f'<test-run>\n<test-suite name="T">\n{rows}\n{filler}\n</test-suite>\n</test-run>'


def test_what_a_runner_keeps_apart_is_counted_and_named_apart() -> None:
    rows = (
        '<test-case name="a" fullname="Shop.T.a" result="Inconclusive"/>\n<test-case name="b" fullname="Shop.T.b" '
        'result="Skipped"><reason><message>no printer</message></reason></test-case>'
    )
    out = compact(nunit(rows), budget=400, threshold=100, store=None).text
    assert "62 test cases: passed 60, skipped 1, inconclusive 1." in out
    assert "3: Shop.T.a — inconclusive\n4: Shop.T.b — skipped: no printer" in out


def test_a_failure_is_told_with_the_first_frame_of_ones_own_and_a_label_where_it_has_no_message() -> None:
    rows = (
        '<test-case name="a" fullname="Shop.T.a" result="Failed"><failure><message>no</message><stack-trace>'
        "  at Unit.Assert.Fail(String m) in C:\\unit\\Assert.cs:line 142\n  at Shop.T.a() in C:\\shop\\TTests.cs:line 7"
        '\n</stack-trace></failure></test-case>\n<test-case name="b" fullname="Shop.T.b" result="Failed" '
        'label="exceeded 1 ms"><failure/></test-case>'
    )
    out = compact(nunit(rows), budget=500, threshold=100, store=None).text
    assert "3: Shop.T.a — no — C:\\shop\\TTests.cs:7\n" in out
    assert "Shop.T.b — exceeded 1 ms\n" in out


def test_failures_are_alike_only_where_they_differ_in_numbers_alone() -> None:
    def case(n: int, said: str) -> str:
        failure = f'<failure type="E{n}">{said}\nat the counter of shop {n}, which has no roof and no door</failure>'
        return f'<test-case name="b{n}" fullname="Shop.T.b{n}" result="Failed">\n{failure}\n</test-case>'

    rows = "\n".join(case(n, f"the {word} is broken") for n, word in enumerate(("till", "scale", "lamp", "door")))
    out = compact(nunit(rows), budget=600, threshold=100, store=None).text
    assert "like it" not in out


def test_of_a_difference_in_a_message_the_lines_that_differ_come_first() -> None:
    same = "\n".join(f" the shelf of row {n} holds a box of nails" for n in range(40))
    text = (
        f"CartTest::adds\nFailed asserting.\n--- Expected\n+++ Actual\n@@ @@\n{same}\n-a till\n{same}\n+a lamp\n{same}"
    )
    rows = f'<testcase name="adds">\n<failure type="E">{text}</failure>\n</testcase>'
    out = compact(
        f"<?xml version='1.0'?>\n<testsuite>\n{rows}\n<testcase name='removes'/>\n</testsuite>",
        budget=300,
        threshold=100,
        store=None,
    )
    assert "adds — Failed asserting. -a till +a lamp\n" in out.text
    for line, number in (("-a till", 49), ("+a lamp", 90)):
        assert f"\n{number} {line}" in out.text


def test_a_slow_test_is_slow_among_all_suites() -> None:
    suites = [
        f'<testsuite name="s{k}">\n<suite>\n' * k
        + "\n".join(f'<testcase name="k{k}t{n}" time="{k * 9}.{n:03}"/>' for n in range(40))
        + "\n</suite>\n</testsuite>" * k
        for k in (1, 2)
    ]
    text = "<testsuites>\n" + "\n".join(suites) + "\n</testsuites>"
    assert "others" not in compact(text.replace("9.007", "18.007"), budget=400, threshold=100, store=None).text


def test_a_grid_in_a_failure_stands_whole_and_in_its_own_white_space() -> None:
    grid = [".   . .   .", ".   . .. ..", "..... . . .", ".   . .   .", ".   . .   ."]
    said = ["AssertionError: The yards differ expected:<", "Crane: [0, 0]", *grid, "> but was:<", *[" " * 11] * 5, ">"]
    props = [f'<property name="yard.setting.{n}" value="value {n} of the machine"/>' for n in range(60)]
    lines = ["<testsuite name='Yard' tests='1' failures='1'>", "<properties>", *props, "</properties>"]
    lines += ["<testcase name='draws' classname='Yard'><failure type='AssertionError'><![CDATA[" + said[0], *said[1:]]
    lines += ["\tat Yard.draws(Yard.java:14)", "]]></failure></testcase></testsuite>"]
    out = compact("\n".join(lines), budget=500, threshold=400).text
    assert "\n".join(said[1:]) in out
    assert "The yards differ expected:< Crane: [0, 0] …[+12 lines]" in out


def test_labels_in_a_column_are_no_grid() -> None:
    said = "The yards differ&#10;Expected   : 5 cranes&#10;Actual     : 7 cranes&#10;Harbour    : north"
    case = f'<testcase name="draws" classname="Yard"><failure message="{said}">{said}</failure></testcase>'
    others = [f'<testcase name="moors_{n}" classname="Yard"/>' for n in range(60)]
    out = compact("\n".join(["<testsuite>", case, *others, "</testsuite>"]), budget=300, threshold=300).text
    assert "The yards differ Expected : 5 cranes Actual : 7 cranes Harbour : north" in out
