"""Findings in the form that each linter writes: all counted, by rule, file and level, as the tool counts them."""

from __future__ import annotations

import re

import pytest

from mcpcompact import compact

SOURCE = "    total = fetch(rate, None)"


def pyright(n: int) -> str:
    return (
        f'  /srv/shop/m{n}.py:{n + 3}:9 - error: Type "str" is not assignable to return type "int"\n'
        f'    "str" is not assignable to "int" (reportReturnType)'
    )


def tsc(n: int) -> str:
    return (
        f"src/m{n}.ts:{n + 3}:9 - error TS2322: Type 'string' is not assignable to type 'number'.\n\n"
        f"{n + 3}   total = fetch(rate);\n    ~~~~~\n\n  src/types.ts:4:3\n    4   total: number;\n        ~~~~~\n"
        "    The expected type comes from property 'total' which is declared here\n"
    )


def ruff(n: int) -> str:
    return (
        f"F821 Undefined name `fetch{n}`\n --> shop/m{n}.py:{n + 3}:9\n  |\n{n + 2} | def total():\n"
        f"{n + 3} | {SOURCE}\n  |             ^^^^^\n  |\nhelp: Define it first\n"
    )


def grouped(n: int) -> str:
    return f"shop/m{n}.py:\n  {n + 3}:9 F821 Undefined name `fetch`\n"


def annotated(n: int) -> str:
    place = f"file=/srv/shop/m{n}.py,line={n + 3},col=9,endLine={n + 3},endColumn=14"
    return f"::error title=Ruff (F821),{place}::shop/m{n}.py:{n + 3}:9: F821 Undefined name `fetch`"


def rubocop(n: int) -> str:
    return (
        f"lib/m{n}.rb:{n + 3}:9: C: [Correctable] Style/StringLiterals: Prefer single quotes.\n{SOURCE}\n        ^^^^^"
    )


def mypy(n: int) -> str:
    return (
        f"shop/m{n}.py:{n + 3}: error: Incompatible return value type (got\n"
        f'"str", expected "int")  [return-value]\n{SOURCE}\n            ^~~~~~~~~'
    )


def compact_eslint(n: int) -> str:
    return f"/srv/shop/m{n}.js: line {n + 3}, col 9, Error - 'fetch' is not defined. (no-undef)"


def unix(n: int) -> str:
    return f"/srv/shop/m{n}.js:{n + 3}:9: Unreachable code. [Error/no-unreachable]"


def gcc(n: int) -> str:
    return (
        f"In file included from src/all.h:{n + 1},\n                 from src/m{n}.c:1:\n"
        f"src/m{n}.c: In function 'total':\nsrc/m{n}.c:{n + 3}:9: error: unused variable 'rate' [-Wunused-variable]\n"
        f"    {n + 3} |   int rate = 1;\n      |       ^~~~\nsrc/m{n}.c:{n + 1}:5: note: declared here"
    )


def shellcheck(n: int) -> str:
    return (
        f"In run{n}.sh line {n + 3}:\nrm -rf $DIR/*\n       ^--^ SC2086 (error): Double quote to prevent globbing.\n\n"
        'Did you mean:\nrm -rf "$DIR"/*\n'
    )


def bandit(n: int) -> str:
    return (
        ">> Issue: [B602:subprocess_popen_with_shell_equals_true] subprocess call with shell=True identified.\n"
        "   Severity: High   Confidence: High\n   CWE: CWE-78 (https://cwe.mitre.org/data/definitions/78.html)\n"
        f"   Location: ./shop/m{n}.py:{n + 3}:9\n{n + 2}\t\n{n + 3}\t    run(line, shell=True)\n\n{'-' * 50}"
    )


@pytest.mark.parametrize(
    ("form", "rule"),
    [
        (pyright, "reportReturnType"),
        (tsc, "TS2322"),
        (ruff, "F821"),
        (grouped, "F821"),
        (annotated, "F821"),
        (rubocop, "Style/StringLiterals"),
        (mypy, "return-value"),
        (compact_eslint, "no-undef"),
        (unix, "no-unreachable"),
        (gcc, "-Wunused-variable"),
        (shellcheck, "SC2086"),
        (bandit, "B602"),
    ],
)
def test_each_finding_counts_once_by_its_rule(form, rule: str) -> None:  # type: ignore[no-untyped-def]
    text = "\n".join(form(n) for n in range(60))
    shown = compact(text, budget=500, threshold=100, content_type="log").text
    assert f"of 1 rule in 60 files: 60× {rule}\n" in shown
    assert ("60 findings" in shown) != ("60 errors" in shown)
    assert "failure message" not in shown and "compiler error" not in shown


def test_levels_are_counted_the_worst_first() -> None:
    kinds = [("warning", "odd"), ("error", "bad"), ("style", "long")]
    lines = [f"src/m{n}.c:{n}:5: {kinds[n % 3][0]}: value {n} is {kinds[n % 3][1]} [r{n % 3}x]" for n in range(60)]
    shown = compact("\n".join(lines), budget=400, threshold=100, content_type="log").text
    assert "60 findings (20 errors, 20 warnings, 20 style) of 3 rules in 60 files" in shown


def test_a_log_with_an_error_that_is_no_finding_says_so() -> None:
    lines = [f"src/m{n}.py:{n}:5: error: Name 'a{n}' is not defined  [name-defined]" for n in range(60)]
    lines += ["Traceback (most recent call last):", '  File "lint.py", line 3, in <module>', "KeyError: 'plugin'"]
    shown = compact("\n".join(lines), budget=500, threshold=100, content_type="log").text
    assert "60 errors of 1 rule in 60 files: 60× name-defined" in shown
    assert "KeyError: 'plugin'" in shown


def test_what_rustc_finds_is_counted_with_its_places_and_told_by_source_and_suggestion() -> None:
    lines = []
    for n in range(1, 25):
        row = f"{n * 3:<3}"
        lines += [
            "error: crane lifts nothing",
            f"  --> src/quay/berth.rs:{n * 3}:9",
            "   |",
            f"{row}|     lift(crane{n});",
        ]
        lines += ["   |     ^^^^^^^^^^^^^", "   |"]
        lines += ["   = note: `-D quay::idle` implied by `-D warnings`"] * (n == 1)
        lines += ["help: try", "   |", f"{row}-     lift(crane{n});", f"{row}+     crane{n}.rest();", "   |", ""]
    text = compact("\n".join([*lines, "error: aborting due to 24 previous errors", ""]), budget=400, threshold=400).text
    assert "Diagnostics: " in text
    assert "24 errors of 1 rule in src/quay/berth.rs: 24× error: crane lifts nothing (3:9 6:9 9:9 " in text
    assert "1: error: crane lifts nothing\n  --> …:3:9\n   |\n3  |     lift(crane1);" in text
    assert re.search(r"--> …:(\d+):9\n   \|\n\1 *\|     lift\(crane\d+\);", text.partition("1: error")[2])
    assert "…[+" not in text
