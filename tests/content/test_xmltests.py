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


def test_ids_and_stamps_of_a_test_result_stand_behind_its_name() -> None:
    made = compact(trx(1, 60), budget=500, threshold=500, store=None)
    line = next(line for line in made.text.split("\n") if line.startswith("2 UnitTestResult"))
    assert line.startswith("2 UnitTestResult testName=Adds_number_0 computerName=CI-1 outcome=Failed executionId=")


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
    assert "skipped: 2× needs a database" in made.text


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
        before, _, _ = out.partition(said)
        above = before.split("\n")[::-1]  # the line that has a number, and those below it
        below, number = next((k, line.split(" ")[0]) for k, line in enumerate(above) if line[:1].isdigit())
        assert said in lines[int(number) - 1 + below]
    assert 'name="removes"' in out or "name=removes" in out
    assert "written like this" not in out
