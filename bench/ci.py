"""Real CI and build logs of public repositories: how many of their failing tests a summary names, whole.

The logs are not part of this repository: ``LOGS`` names them by repository, commit and path. ``--logs DIR`` (or
``MCPCOMPACT_CI_LOGS``) is a directory with ``<owner>+<name>/<path>``, unpacked; what is absent is skipped.
``--clones DIR`` fills it from bare clones ``<owner>+<name>/repo``. The failing tests are found here by a second reader,
written from the documentation of the runners, that shares nothing with the package.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from bench.cilogs import COMMITS, LOGS
from bench.tables import percent, table
from mcpcompact import compact

BUDGETS = (500, 1000)
NAMES = 20  # of the failing tests of one log, in order of appearance
TARGETS = {500: 80.0, 1000: 95.0}  # percent of these names

_BEFORE = re.compile(
    r"(?:[^\t]+\t[^\t]+\t)?\ufeff?(?:\[?(?:task |vcs )?\d{4}-\d\d-\d\d[T ][\d:.,]+Z?\]? ?)?"
    r"(?:\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?\s+)?(?:(?:INFO|ERROR|WARNING|CRITICAL) - +)?(?:GECKO\(\d+\) \| )?"
)
_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
Read = Callable[[list[str]], Iterator[str]]


def each(pattern: str) -> Read:
    """A reader of the runners that report a failing test in a line: the first group is its name."""
    found = re.compile(pattern)
    return lambda lines: (match[1].strip() for line in lines if (match := found.match(line)))


def maven(lines: list[str]) -> Iterator[str]:
    """Surefire: ``method(pkg.Class)  Time elapsed … <<< FAILURE!``, since 3.0 ``pkg.Class.method -- Time elapsed``."""
    for line in lines:
        match = re.match(r"(?:\[ERROR\] +)?(\S.*?)(?:  | -- )Time elapsed: .*<<< (?:FAILURE|ERROR)!", line)
        if match and not match[1].startswith("Tests run"):
            yield match[1]


def unittest(lines: list[str]) -> Iterator[str]:
    """``FAIL: name (module.Class)`` below a line of equal signs."""
    for before, line in pairwise(lines):
        match = re.match(r"(?:FAIL|ERROR): (\S.*)", line)
        if match and re.fullmatch(r"={60,}", before.strip()):
            yield match[1]


def pytest(lines: list[str]) -> Iterator[str]:
    """The short summary, the verbose progress, or the headings of the section of failures."""
    short = list(each(r"(?:\[gw\d+\] \[[ \d%]+\] )?(?:FAILED|ERROR) (\S+\.py\S*?::\S.*?)(?: - .*)?$")(lines))
    short += each(r"(?:\[gw\d+\].*? )?(\S+\.py::\S.*?) (?:FAILED|ERROR)(?: +\[ *\d+%\])?$")(lines)
    inside = False
    for line in lines:
        if re.match(r"=+ (?:FAILURES|ERRORS|short test summary info|[\d\w, ]+ in [\d.]+)", line):
            inside = " FAILURES =" in line
        elif inside and not short and (match := re.fullmatch(r"_{3,} (\S.*?\S) _{3,}", line)):
            yield match[1]
    yield from short


def mocha(lines: list[str]) -> Iterator[str]:
    """The titles of the list below ``N failing``: the deepest line of each, before the error."""
    inside = ""
    for line in lines:
        if re.match(r"\s+\d+ failing$", line):
            inside = "list"
        elif inside and re.match(r"\s+\d+\) \S", line):
            inside, title = "title", re.sub(r"^\s+\d+\) ", "", line).strip()
            if title.endswith(":"):
                inside = "list"
                yield title[:-1]
        elif inside == "title" and not line.strip():
            inside = "list"
        elif inside == "title" and line.strip().endswith(":"):
            inside = "list"
            yield line.strip()[:-1]


def numbered(head: str, name: str) -> Read:
    """The runners that number their failures, below a line that matches ``head``."""

    def read(lines: list[str]) -> Iterator[str]:
        inside = False
        for line in lines:
            inside = inside or bool(re.match(head, line))
            if inside and (match := re.match(name, line)):
                yield match[1].strip()

    return read


READERS: dict[str, Read] = {
    "mozilla": each(r"[^|]*TEST-UNEXPECTED-[A-Z-]+ \| (.+?)(?: \| .*)?$"),
    "pytest": pytest,
    "unittest": unittest,
    "maven": maven,
    "gradle": each(r"([\w.$]+ > [^\n]+) FAILED$"),
    "go": each(r"\s*--- FAIL: (\S+) \([\d.]+s\)"),
    "cargo": each(r"test (\S.*?) \.\.\. FAILED$"),
    "gtest": each(r"\[  FAILED  \] (\w[\w/]*\.[\w/]+)"),
    "tap": each(r"\s*not ok \d+ -? ?(?!.*# (?:TODO|SKIP))(\S.*?)(?: # .*)?$"),
    "jest": each(r"\s*● (.+ › .+)$"),
    "mocha": mocha,
    "rspec": each(r"rspec ('?\./\S+)"),
    "phpunit": each(r"\d+\) ([\w\\]+::\w+(?: with data set .*)?)$"),
    "minitest": each(r"(?:Failure:|Error:)?\s*(\w[\w:]*#test_\S+?)(?::| \[.*\]:?)$"),
    "ctest": each(r"\s*\d+ - (\S+) \((?:Failed|Timeout|SEGFAULT|Not Run|OTHER_FAULT|Child aborted)\)"),
    "exunit": each(r"\s+\d+\) (test .+) \([\w.]+\)$"),
    "dotnet": each(r"\s*(?:Failed )?([\w.+`]+(?:\(.*?\))?) \[(?:FAIL|\d+ m?s)\]$"),
    "scalatest": each(r"(?:\[info\] )?\s*- (.+) \*\*\* FAILED \*\*\*"),
    "bazel": each(r"(//\S+)\s+(?:FAILED|TIMEOUT)\b"),
    "xctest": each(r"Test Case '-\[(.+?)\]' failed"),
}
TOTALS = {"mocha": r"\s+(\d+) failing$", "tap": r"# fail +(\d+)$", "pytest": r"=+ (\d+) failed\b.* in [\d.]+"}
"""How runners say how many failed: two tests can have one name, and pytest counts its errors apart."""


def failing(text: str, runner: str) -> tuple[list[str], int]:
    """The distinct names of the failing tests, in order of appearance; how many failed, by the runner's own words where
    it says so once."""
    lines = [
        _BEFORE.sub("", _COLOURS.sub("", line).split("\r")[-1], count=1)
        for line in text.replace("\r\n", "\n").split("\n")
    ]
    names = [name for name in dict.fromkeys(READERS[runner](lines)) if name]
    own = [int(total[1]) for line in lines if (total := re.match(TOTALS.get(runner, r"(\b\B)"), line))]
    return names, own[0] if len(own) == 1 else len(names)


def fetch(clones: Path, logs: Path) -> None:
    """Unpack the logs that are absent from bare clones."""
    for repo, _, path in LOGS:
        to, clone = logs / repo.replace("/", "+") / path, clones / repo.replace("/", "+") / "repo"
        if to.exists() or not clone.is_dir():
            continue
        shown = subprocess.run(["git", "-C", clone, "show", f"{COMMITS[repo]}:{path}"], capture_output=True, check=True)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(gzip.decompress(shown.stdout) if path.endswith(".gz") else shown.stdout)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.ci", description=__doc__.splitlines()[0])
    default = os.environ.get("MCPCOMPACT_CI_LOGS") or Path(tempfile.gettempdir()) / "mcpcompact-ci"
    parser.add_argument("--logs", type=Path, default=Path(default))
    parser.add_argument("--clones", type=Path, help="bare clones to take the logs from")
    parser.add_argument("--missed", action="store_true", help="name what is not found")
    parser.add_argument("--verbose", action="store_true", help="a line a log while it runs")
    parser.add_argument("--only", default="", help="part of a path")
    args = parser.parse_args(argv)
    if args.clones:
        fetch(args.clones, args.logs)
    rows, kept, total, right = [], dict.fromkeys(BUDGETS, 0), 0, 0
    for repo, runner, path in LOGS:
        file = args.logs / repo.replace("/", "+") / path
        if not file.exists() or args.only not in path:
            continue
        data = file.read_bytes()
        names, failed = failing(data.decode("utf-8", "replace"), runner)
        some, found = names[:NAMES], {}
        for budget in BUDGETS:
            shown = compact(data, tool="ci_log", budget=budget, threshold=0, store=None).text
            found[budget] = sum(name in shown for name in some)
            kept[budget] += found[budget]
            if args.missed and budget == max(BUDGETS):
                print("\n".join(f"  missed in {path}: {name}" for name in some if name not in shown))
        total += len(some)
        counted = re.search(r"([\d,]+) failing tests?\b", shown)
        said = int(counted[1].replace(",", "")) if counted else 0
        right += said == failed
        if args.verbose:
            print(path, failed, said, found, flush=True)
        rows.append([f"{runner}: {path[-60:]}", failed, said, *[f"{found[b]}/{len(some)}" for b in BUDGETS]])
    if not rows:
        print("no logs: name their directory by --logs or MCPCOMPACT_CI_LOGS")
        return 66
    rows.append(["all", "", f"{right}/{len(rows)}", *[percent(kept[b], total) for b in BUDGETS]])
    print(table(["log", "failing", "said", *[f"at {b:,}" for b in BUDGETS]], rows))
    return 0 if all(100 * kept[b] >= TARGETS[b] * total for b in BUDGETS) else 1


if __name__ == "__main__":
    raise SystemExit(main())
