"""What failed in a CI or build log: the names of tests and targets in the vocabulary of their runners, and the verdict.

One line a form of the table below, each from the documentation of its runner. A test is often named several times
(while it runs, above its trace, in the summary), in different forms: by the last part of its name it counts once.
"""

# ruff: noqa: E501 (the table of patterns reads better unbroken)

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from mcpcompact.content.log.entries import GUTTER, indent_of, is_blank, untasked
from mcpcompact.content.log.runners import bare, is_typed
from mcpcompact.content.log.templates import Mark, category, first_of
from mcpcompact.content.log.tested import folded, repeated, titled
from mcpcompact.content.log.weights import is_routine
from mcpcompact.outline import Fact, Keep
from mcpcompact.patterns import ON_DRIVE, held, regex, standing
from mcpcompact.phrasing import clipped, counted

if TYPE_CHECKING:
    from mcpcompact.content.log.tools import Cause

_FORMS: Final = tuple(
    (form, tuple(signs.split("|")), regex(pattern))
    for form, signs, pattern in (
        ("mozilla", "TEST-UNEXPECTED-", r"(?:.*? )?TEST-UNEXPECTED-[A-Z-]+ \| (?P<name>[^|\n]*[^|\s])(?: +\||$)"),
        ("crash", "PROCESS-CRASH", r"(?:.*? )?PROCESS-CRASH \| (?P<name>[^|\n]*[^|\s])(?: +\||$)"),
        ("pytest", ".py", r"(?:\[gw\d+\] \[[ \d%]+\] )?(?:FAIL(?:ED)?(?= \S+::)|ERROR|SUBFAIL(?:ED)?(?P<also>(?:\[.*?\])?(?: ?\(.*?\))?)) (?P<name>\S+\.py(?:::\S.*?)?)(?: - .*)?$"),
        ("pytest line", ".py::", r"(?:\[gw\d+\] )?(?P<name>\S+\.py::\S.*?) (?:FAILED|ERROR)(?: +\[ *\d+%\])?$"),
        ("sympy", ".py:test_", r"[_ ]+(?P<name>[\w./-]+\.py:test_\w+)(?: _+)?$"),
        ("pytest heading", "est", r"_+ (?!summary\b|coverage)(?:ERROR (?:at setup of|at teardown of|collecting) )?(?P<name>[\w./-]*[Tt]est\S*(?: \S+)*?) _+$"),
        ("surefire", "<<< ", r"(?:\[(?:ERROR|INFO)\] +)?(?!Tests run)(?P<name>[\w$].*?)(?:  | -- )Time elapsed: .*<<< (?:FAILURE|ERROR)!"),
        ("unittest", "FAIL: |ERROR: ", r"(?:FAIL|ERROR): (?P<name>test\w* \([\w.]+\)(?: \[.*\])?|(?:[\w-]+\.)+[\w-]*test[\w.-]*(?: ?\(.*\))?|Doctest: \S+|test\w+)$"),
        ("unittest line", " ... ", r"(?P<name>test\w* \([\w.]+\)|(?:\w+\.)+test\w*) \.\.\. (?:FAIL|ERROR)$"),
        ("gradle", " FAILED", r"(?P<name>[\w.$]+(?: > [^>\n]+)+) FAILED$"),
        ("go", "--- FAIL: ", r"\s*--- FAIL: (?P<name>\S+) \([\d.]+s\)"),
        ("cargo", " ... FAILED", r"test (?P<name>\S.*?)(?: - should panic)? \.\.\. FAILED$"),
        ("gtest", "[  FAILED  ] ", r"\[  FAILED  \] (?P<name>\w[\w/]*\.[\w/]+)"),
        ("tap", "not ok ", r"\s*not ok \d+ -? ?(?!.*# (?:TODO|SKIP|todo|skip))(?P<name>\S.*?)(?: # .*)?$"),
        ("jest", "● ", r"\s*● (?P<name>\S.* › .*\S)$"),
        ("jest test", "  ● ", r"  ● (?!Console$|Test suite failed to run$|Validation |Deprecation |Cannot log |process\.exit)(?P<name>\S.*)$"),
        ("jest run", "  ● ", r"  ● (?P<name>Test suite failed to run)$"),
        ("jest suite", "FAIL ", r"\s*FAIL +(?P<name>[\w@./-]+\.(?:[cm]?[jt]sx?|vue))(?: \([\d.]+ ?m?s\))?$"),
        ("vitest", " > ", r"\s*(?:FAIL|×|✗) +(?P<name>[\w@./|-]+\.[cm]?[jt]sx? > .*?)(?: \d+ms)?$"),
        ("rspec", "rspec ", r"rspec (?P<name>'?\./\S+)(?: # .*)?$"),
        ("phpunit", "::", r"\d+\) (?P<name>[\w\\]+::\w+(?: with data set .*)?)$"),
        ("phpunit testdox", " ✘ ", r" ✘ (?P<name>[^\s\[].*)$"),
        ("minitest", "#test_", r"(?:Failure:|Error:)?\s*(?P<name>\w[\w:]*#test_\S.*?)(?::|\s+\[\S+\]:?)$"),
        ("ctest", " - ", r"\s*\d+ - (?P<name>\S+) \((?:Failed|Timeout|SEGFAULT|Not Run|OTHER_FAULT|Child aborted|Subprocess \w+|ILLEGAL|Exception\S*)\)"),
        ("exunit", ") test ", r"\s+\d+\) (?P<name>test .+ \([\w.]+\))$"),
        ("dotnet", "Failed |X ", r"\s*(?:Failed|X) (?P<name>[\w.`+]+(?:\(.*?\))?) \[[\d< ,.ms]+\]$"),
        ("xunit", " [FAIL]", r"(?:\s*\[xUnit.net [\d:.]+\])?\s*(?P<name>[\w.`+]+(?:\(.*?\))?) \[FAIL\]$"),
        ("scalatest", " *** FAILED ***", r"(?:\[info\] )?\s*- (?P<name>\S.*) \*\*\* FAILED \*\*\*"),
        ("bazel", "//", r"(?P<name>//\S+)\s+(?:FAILED|TIMEOUT)\b"),
        ("xctest", "Test Case '", r"Test Case '(?P<name>-\[.+?\])' failed"),
        ("clojure", " in (", r"(?:FAIL|ERROR) in \((?P<name>[\w.*+!?/-]+)\)"),
        ("automake", "FAIL: ", r"FAIL: (?P<name>\S*[/.:]\S+)(?: \(exit status: \d+\)| \(\d+ of \d+\))?$"),
        ("testthat", "Failure|Error", r"\S{0,4} ?\d*\.? ?(?:Failure|Error)(?: \(|: )(?P<name>test-\S+?:\d+:\d+|.+? \(@test\S+\))"),
        ("prove", ".t ", r"(?P<name>\S+\.t) +\(Wstat: [1-9]|(?P<also>\S+\.t) \.+ (?:Failed|Dubious)"),
        ("karma", " FAILED", r"(?P<name>[A-Z]\w+ [\d.]+ \(.+?\) .+) FAILED$"),
        ("bun", "(fail) ", r"\(fail\) (?P<name>\S.*?)(?: \[[\d.]+m?s\])?$"),
        ("nextest", "s] ", r"\s*(?:FAIL|TIMEOUT|SIG[A-Z]+) \[ *[\d.]+s\] (?:\([ \d/]+\) )?(?P<name>\S.*)$"),
        ("node", "✖ ", r"\s*✖ (?P<name>\S.*?) \([\d.]+ms\)$"),
        ("ava", "✘ [fail]: ", r"\s*✘ \[fail\]: (?P<name>\S.*)$"),
        ("tap-spec", "    ✖ ", r" {4}✖ (?!\d+ of )(?P<name>\S.*)$"),
        ("playwright", " › ", r"\s+\d+\) (?P<name>(?:\[[\w -]+\] › )?\S+\.[cm]?[jt]sx?:\d+:\d+ › .*?)(?: ─*)?$"),
        ("cucumber", "cucumber ", r"cucumber (?:-p \S+ )*(?P<name>\S+\.feature:\d+)"),
        ("dart", " [E]", r"[\d:]+ (?:\+\d+ )?(?:~\d+ )?-\d+: (?P<name>\S.*) \[E\]$"),
        ("pester", "[-] |ERROR: - ", r"\s*(?:\[-\]|ERROR:(?= - .* -> )) (?:- )?(?P<name>\S.*?)(?: [\d.]+m?s(?: \(.*\))?| -> .*)$"),
        ("busted", " @ ", r"(?:\[ +(?:ERROR|FAILED) +\]|(?:Failure|Error) (?:→|->)) (?P<name>\S+ @ \d+.*)$"),
        ("meson", "FAIL|TIMEOUT|ERROR", r"\s*\d+/\d+ (?P<name>\S.*?) +(?:FAIL|TIMEOUT|ERROR) +[\d.]+s"),
        ("robot", "FAIL ", r"(?P<name>\S.*?) +\| FAIL \|$"),
        ("script", "FAIL ", r"FAIL +(?P<name>[\w@+-]*[/._:][\w@./:+-]*?)(?: [\[(][\d.,]+ ?m?s[\])])?(?:(?::| -) .*)?$"),
        ("xcpretty", "✗ ", r" {4}✗ (?P<name>\w+), \S"),
        ("bats", "✗ ", r" ✗ (?P<name>\S.*)$"),
        ("tasty", " FAIL", r"\s+(?P<name>\S.*?): +FAIL(?: \([\d.]+m?s\))?$"),
        ("ct", " FAILED ", r"Testing (?P<name>\S+: \*\*\* FAILED \S.*?) \*\*\*$"),
        ("cargo output", " stdout ----", r"---- (?P<name>\S.*?) stdout ----$"),
        ("gocheck", "FAIL: ", r"FAIL: (?P<name>\S+\.go:\d+: \S+)$"),
        ("ginkgo", "[Fail] ", r"\[Fail\] (?P<name>\S.*\S)$"),
        ("scalacheck", "! ", r"(?:\[\w+\] )?! (?P<name>\S.*?): (?:Falsified|Exception raised)\b"),
        ("vim", "\tFound errors in ", r"\tFound errors in (?P<name>\w+)\(\):$"),
        ("eunit", "*failed*", r"(?P<name>\S.*?)\.\.\.\*failed\*$"),
        ("julia", " at ", r"(?P<name>\S.*?): (?:Test Failed|Error During Test) at \S"),
        ("catch", ": FAILED:", r"(?P<name>\S+(?::\d+|\(\d+\))): FAILED:$"),
        ("numbered list", ") ", r"\s+\d{1,4}\) (?P<name>\S.*)$"),
        ("numbered", ")", r"\s+\d{1,4}\)(?: (?P<name>\S.*))?$"),
    )
)  # fmt: skip
"""Runner, what stands in such a line (one of it at least), and its pattern."""
_ERRED: Final = regex(
    r"(?:\[gw\d+\] \[[ \d%]+\] |_+ )?ERROR |(?!FAILED ).* ERROR(?: +\[ *\d+%\])?$|\[ +ERROR|Error (?:→|->) "
)
"""What pytest and busted count as an error, not as a failed test: a file that cannot be collected, a fixture."""
TELLING: Final = (
    "fail", "error", "unexpected", "crash", "not ok", "●", "×", "✗", "✖", "✘", "›", "rspec", "[-]", "[e]", ".feature", "signal", "#test_", "<<<",
    ") ", "___", "=" * 60, "time", "segf", "wstat", "exit", "kill", "abort", "memory", "no output", "code", ":[",
    "(not run", "(subprocess", "(illegal", "(exception", ".py:test_", " flaky", " stdout ----",
)  # fmt: skip
"""What lines of any of the forms hold, in lower case and whatever their numbers, or they end with a ruler."""
_SIDES: Final = regex(r"^_+ | _+$")  # of a heading
_SUITE: Final = regex(r"\d+ tests?, \d+ passed, \d+ failed")  # below the name of one of Robot Framework
_FAILING: Final = regex(r"\s*(?P<last>\d+) failing$|(?P<list>Failures:)$|(?P<ends>\d+ examples?, )")
"""Below which mocha, and rspec and hspec, number what failed, and with which these end; others are numbered before."""
_COMPILER: Final = regex(
    rf"(?P<file>{ON_DRIVE}|(?:[A-Za-z]:)?[\w./\\+@-]+\.\w{{1,8}}|/[\w./+@-]+)(?::\d+(?::\d+)?:? (?:fatal )?error\b(?!: -\[)|\(\d+(?:,\d+)?\) ?: (?:fatal )?error\b|:\[\d+,\d+\] )"
    r"|error\[E\d{4}\]: |\d{1,6}\. ERROR in (?P<placed>\S.*?) \(at line \d+\)$"
)
_OF_SUITE: Final = regex(r"OOPS: \d+ passed, |FAIL! -- \d+ Passed")  # above Go's name of a suite of gocheck or ginkgo
_FILES: Final = ("jest suite", "prove")  # forms that name files of tests
_COUNTED: Final = regex(r"[#ℹ] fail +(\d+)$")
_LIST, _NAMED = regex(r"(failures:)$|  \d+ flaky$"), regex(r" {4}\S")
_TOTALS: Final = regex(r"test result: FAILED|  \d+ flaky", holds=("test result: FAILED", " flaky"))
_UP: Final = regex(r"^(?:\.\.?[/\\])+")
_CODE: Final = regex(r"\berror[ :\[]+([A-Z]{1,4}\d{3,5})\b")
_VERDICTS: Final = regex(
    r"##\[error\]|::error|\[taskcluster:error\]|.*\bwith exit code:? [1-9]|The command .* (?:exited with [1-9]|failed)|.*Your build (?:exited with [1-9]|has been (?:stopped|terminated))"
    r"|(?:\[(?:INFO|ERROR)\] )?BUILD FAIL(?:ED|URE)\b|Finished: (?:FAILURE|UNSTABLE|ABORTED)|.*marked build as failure|npm ERR! (?:code|errno|Exit|Test failed|.* failed)"
    r"|(?:g?make|ninja)(?:\[\d+\])?: (?:\*\*\* .*(?:Error|Killed|Segm)|build stopped)|.*max(?:imum)? (?:run )?time(?: limit)? (?:for jobs )?(?:exceeded|has been exceeded)?|No output has been received|(?!result: |\s*\d+/\d+ ).*(?:script returned|exited with(?: code| status)?|return(?:ed)? code:?|exit (?:code|status):?) [1-9]\d*\b"
    r"|(?!\s*\d+/\d+ ).*\b(?:Out of memory|OOMKilled|oom-kill|Segmentation fault|core dumped|received signal \d|SIGSEGV|SIGABRT|SIGKILL|Killed$)|error: (?:aborting|could not compile|test failed)"
)
SUCCESS: Final = regex(r"(?i)\b(?:accepted|succeeded|successful(?:ly)?|granted|logged in|session opened)\b")
_SYSTEM: Final = regex(r"Out of memory|OOMKilled|oom-kill|core dumped|signal|SIG[A-Z]{3,4}|Segm|Killed")  # services
_PART: Final = regex(
    r"npm (?:error|ERR!) workspace (\S+)$|(@?[\w./-]+) [\w:-]+: (?:Exited with code [1-9]\d*|Failed)$"
    r"|(?:[\d:]+>)?\s*Done [Bb]uilding [Pp]roject \"(?:[^\"]*[\\/])?([^\"\\/]+\.\w*proj)\".* -- FAILED\.$"
)
"""What names the package of a workspace whose script failed (npm, bun, pnpm), or msbuild's project."""
_RULER: Final = regex(r"={60,}\s*$")
_BELOW_RULER: Final = regex(r"(?:FAIL|ERROR): (\S.*)")  # unittest names a test by its docstring, too
PARTS, CAUSES, FEW = 12, 2, 6  # packages that are named; shared messages that are told; tests of one that are named
ALONE = 2  # tests beside those that share a message, at most: what is said of more stands beside their names
LONG, FIRST = 200, 400  # characters of a line that the list of failures shows whole with its message; of the first
SAYS, BRIEF = 40, 80  # characters by which a message is known; of one in short
ENDING: Final = 400  # lines: behind its verdict a job still cleans up, caches and uploads
PLACES, PLACE = 24, 3  # errors of a compiler that are kept, and their score
_PLACE_BELOW: Final = regex(r"\s{0,8}--> (\S+?)(:\d+:\d+)")
CODES = 6  # kinds of compiler errors that are named with their number
CLOSING, BETWEEN = 25, 1  # telling lines behind the verdict of a build, and between two of them
MANY, TWICE, VERDICTS = 100, 2, 2  # tests of one name; times; the last ones: with what a job ended, and of what


class Failure(NamedTuple):
    """A failing test: the line that names it best, how, and that line without stamps; what tells it from all others,
    and the line by which it is told."""

    line: int
    form: str
    name: str
    text: str
    test: str = ""
    told: int = 0


def _shared(
    named: Sequence[Failure], tests: Sequence[Failure], after: Callable[[int], list[str]]
) -> tuple[list[Cause], dict[int, tuple[int, str]]]:
    """``shared``, by the lines of the tests; of those with one name a line names the one that has all its words."""
    from mcpcompact.content.log.tools import shared

    groups = groupby(sorted(tests, key=_apart_by), _apart_by)
    alike = {key: [(test.line, set(re.split(r"\W+", test.name))) for test in own] for key, own in groups}

    def test_of(one: Failure) -> str:
        own = alike.get(key := _apart_by(one), [])[:MANY]
        words = set(re.split(r"\W+", one.name))
        near = [line for line, test_words in own if words <= test_words]
        return key if len(own) <= 1 else f"{near[0] if len(near) == 1 else one.line}"

    at = {test_of(test): test.line for test in tests}
    tests_of = ((one, test_of(one)) for one in named)
    return shared([one._replace(test=of, told=at.get(of, 0)) for one, of in tests_of], after)


class Failures(NamedTuple):
    """What failed, in line order. ``results``: lines of Mozilla's harness that say so; ``files``: of compiler errors."""

    tests: list[Failure]
    crashes: list[Failure]
    results: int
    compiler: Counter[tuple[str, str]]  # the errors of a compiler, by file and what is said of it: how often printed
    files: int
    codes: Counter[str]  # of the compiler errors
    verdicts: list[tuple[int, str]]
    told: set[int]  # lines that name one of the tests
    causes: list[Cause]  # messages that several tests share, the most frequent first
    parts: list[str]  # packages of a workspace that failed
    why: dict[int, tuple[int, str]]  # by the line of a test the line of its message, and what it says
    again: set[int]  # lines that print an error of a compiler once more
    places: list[tuple[int, str]]  # the others: the line, and what is said
    behind: int  # lines behind the last verdict, negative where they tell of no more than a job that closes
    failing: int  # tests of which mocha says that they failed, where several have one name

    @classmethod
    def of(
        cls, lines: Sequence[tuple[int, str]], after: Callable[[int], list[str]], total: int, closing: int
    ) -> Failures:
        """Of the lines that may tell of a failure (number, text), in order; ``after`` reads on behind one, ``total`` is
        the number of the last line; ``closing``: how many lines may follow the one with which all ended."""
        named, ruled = list[Failure](), -1
        errors, verdicts = list[tuple[int, str, str]](), list[tuple[int, str]]()
        signs = standing("\n".join([raw for _, raw in lines]), (sign for _, some, _ in _FORMS for sign in some))
        forms = [(form, pattern) for form, some, pattern in _FORMS if not signs.isdisjoint(some)]
        texts = [bare(raw) for _, raw in lines]
        for (number, raw), text, listed in zip(lines, texts, _lists(texts), strict=True):
            ruled = number if _RULER.match(text) else ruled
            if is_typed(text):
                continue
            text = text.strip("\r\n ") if not text.startswith(" ") else text.rstrip()
            plain = untasked(text).lstrip() if ": error" in text or text.startswith("[ERROR]") else text
            if error := _COMPILER.match(plain):
                path, message = error["file"] or error["placed"] or "", plain
                place = None if path else _PLACE_BELOW.match("".join(after(number)[:1]))  # of rustc it stands below
                path, message = (place[1], place[2] + message) if place else (path, message.removeprefix(path))
                errors.append((number, path, message))
            elif number > total - ENDING and len(text) <= LONG and _VERDICTS.match(text) and not GUTTER.match(text):
                job = raw[: -len(text)].split("\t")[:-1][:2]  # and step, of ``gh run view --log``
                verdicts.append((number, ": ".join([*job, text.strip()])))
            if ruled == number - 1 and (match := _BELOW_RULER.match(text)):
                named.append(Failure(number, "unittest", match[1].strip(), text.strip()))
                continue
            named += _named(number, text, forms, listed, after)
        suites = {
            number + d for (number, _), text in zip(lines, texts, strict=True) if _OF_SUITE.match(text) for d in (1, 2)
        }
        named = _listed([one for one in named if one.form != "go" or one.line not in suites], lines, after)
        verdicts = _ends(verdicts, after, total, closing)
        end = verdicts[-1][0] if verdicts else total
        behind = [text for text in map(bare, after(end)) if not is_blank(text)]
        closes = sum(not is_routine(text) for text in behind) <= CLOSING
        crashes = [one for one in named if one.form == "crash"]
        named = _leaves(_in_files([one for one in named if one.form != "crash"]), dict(lines))
        named = [one for one in named if one.form != "robot" or not _SUITE.match("".join(after(one.line)[:1]))]
        if any(one.form != "jest suite" for one in named):
            named = [one for one in named if one.form != "jest suite"]
        tests = [*repeated(_once(named), named)]
        shown, results = {one.line for one in [*named, *crashes]}, sum(one.form == "mozilla" for one in named)
        crashes = [*{one.name: one for one in reversed(crashes)}.values()][::-1]
        apart, again = _apart(errors)
        files = len({file for file, _ in apart} - {""})
        codes = Counter(code[1] for _, text in apart if (code := _CODE.search(text)))
        causes, why = _shared(named, tests, after) if named else ([], {})
        places = [(line, message) for line, _, message in errors if line not in again]
        parts = dict.fromkeys(one[one.lastindex or 0] for text in texts if (one := _PART.match(text)))
        left = -len(behind) if closes else total - end
        failing = {int(one["last"] or 0) for text in texts if tests and (one := _FAILING.match(text))}
        several = len(failing) == 1 and {one.form for one in tests} == {"numbered"} and max(failing) > len(tests)
        return cls(
            tests, crashes, results, apart, files, codes, verdicts, shown, causes, [*parts], why, again, places, left,
            max(failing) if several else 0,
        )  # fmt: skip

    def marks(self) -> list[Mark]:
        """The first errors of a compiler: each is to be mended, however many are alike."""
        kinds = [(line, code[1] if (code := _CODE.search(text)) else category(text)) for line, text in self.places]
        return [Mark(line, Keep.SEVERE, "", f"compiler {kind}", PLACE) for line, kind in kinds[:PLACES]]

    def covers(self, mark: Mark) -> bool:
        """Whether a mark adds nothing: its line names a test that is listed, or it is rare in a job that failed, where
        versions, sizes and counts of whatever was installed differ from line to line."""
        ends = {number for number, text in self.verdicts[-VERDICTS:] if not _SYSTEM.search(text)}
        job = bool(self.tests) or any(not _SYSTEM.search(text) for _, text in self.verdicts)
        rare = mark.keep is not Keep.SEVERE and not mark.group.startswith("o")  # an outcome that one test had says much
        return mark.line in self.told | self.again or mark.line in ends or (job and rare)

    def said(self) -> str:
        """How many failed, by kind; empty where nothing is named that did."""
        own = [one.text for one in self.tests if one.form.startswith(("pytest", "busted")) and _ERRED.match(one.text)]
        files, unread = (sum(one.form in forms for one in self.tests) for forms in (_FILES, ("jest run",)))
        names = {one.name for one in self.tests if one.form == "go"}
        below = sum(name.rpartition("/")[0] in names for name in names)  # with a subtest of Go its test fails, too
        tests = self.failing or len(self.tests) - len(own) - files - unread
        kinds = ((tests, "failing test"), (files, "failing test file"), (len(own), "error"), (unread, "suite"))
        parts = [", ".join(counted(n, kind) for n, kind in kinds if n)] if self.tests else []
        parts[:1] = [f"{parts[0]}, {below:,} of them subtests"] if below else parts
        parts[:1] = [f"{parts[0]}, {counted(len(self.tests), 'different name')}"] if self.failing else parts[:1]
        parts = [f"{parts[0]} that failed to run"] if unread else parts
        if self.results > len(self.tests):
            parts[0] += f" ({self.results:,} unexpected results)"
        parts += [f"{len(self.crashes):,} crash{'es' * (len(self.crashes) != 1)}"] if self.crashes else []
        if self.compiler:
            printed, (most, least) = self.compiler.total(), (max(self.compiler.values()), min(self.compiler.values()))
            times = f", printed {printed:,} times" if printed > len(self.compiler) else ""
            if most == least > 1 and printed > most:
                times = f", each printed {'twice' if most == TWICE else f'{most:,} times'}"
            where = f" in {counted(self.files, 'file')}" if self.files else ""
            parts.append(f"{counted(len(self.compiler), 'compiler error')}{where}{times}")
        return ", ".join(parts)

    def facts(self, ruled: bool) -> list[Fact]:
        """The verdict, the first failure whole, and the names of the others, a line each; of compiler errors the codes,
        unless all findings are counted, ``ruled``."""
        ends, last = [number for number, _ in self.verdicts[-VERDICTS:]], [*map("{0[0]}: {0[1]}".format, self.verdicts)]
        before = f"said {self.behind:,} lines before the end"
        lead = "failed at" if self.behind < 0 else before if self.behind else "ended with"
        facts = [Fact(f"{lead}: {' · '.join(last[-VERDICTS:])}", 0, shows=[ends])] if last else []
        what = "project" if "".join(self.parts[:1]).endswith("proj") else "package"
        many = f"failed in {counted(len(self.parts), what)}: {first_of(self.parts, PARTS)}"
        facts += [Fact(many, 0)] if self.parts[what == "package" :] else []  # its line names a package alone
        if self.codes.total() > 1 and not ruled:
            often = sorted(self.codes.items(), key=lambda pair: (-pair[1], pair[0]))[:CODES]
            facts.append(Fact("errors: " + " · ".join(f"{n:,}× {code}" for code, n in often), 1))
        for one in self.causes[:CAUSES]:
            say = f"{'show' if one.shown else 'say'}{'' if one.same else ', with other values'}"
            tests = len(one.lines)
            apart = tests < len(self.tests) and tests <= FEW and 0 not in one.lines
            which = f" ({', '.join(map(str, one.lines))})" if apart else ""
            facts.append(Fact(f"{tests:,} of them{which} {say}: {one.line}: {one.text}", 0, shows=[[one.line]]))
        failed = [*self.crashes, *self.tests]
        facts += self._alone(failed[1:]) if self.causes else []
        if failed:
            first = failed[0]
            at, reason = self._why(first)
            named = "" if first.name in first.text[:FIRST] else f" ({first.name})"
            whole = [one for one in self.causes[:CAUSES] if len(one.lines) <= FEW or len(one.lines) == len(failed)]
            elsewhere = not reason or any(first.line in one.lines and not one.shown for one in whole)  # of these or all
            named += "" if elsewhere else f" — {at}: {reason}"
            lead = "first failure: " * bool(self.causes)  # else it reads as one of those that say the same
            facts.append(Fact(f"{lead}{first.line}: {clipped(first.text, FIRST)}{named}", 0, shows=[[at, first.line]]))
        if len(failed) > 1:
            lead, rows = "further failures (line: name):", zip(*map(self._worded, failed[1:]), strict=True)
            most, short, names = ("\n".join([lead, *lines]) for lines in rows)
            shows = [[], *([one.line] for one in failed[1:])]
            facts.append(Fact(most, 0, short=short, least=folded(failed[1:]) or names, shows=shows))
        return facts

    def _alone(self, failed: Sequence[Failure]) -> list[Fact]:
        """Of few tests that fail for another reason than all others what is said of each."""
        shared = {line for cause in self.causes for line in cause.lines}
        others = [(one.line, *self._why(one)) for one in failed if one.line not in shared]
        few = [each for each in others if each[2]] if len(others) <= ALONE else []
        return [Fact(f"another ({line}) says: {at}: {reason}", 0, shows=[[at]]) for line, at, reason in few]

    def _why(self, one: Failure) -> tuple[int, str]:
        """What is said of a test, and the line of it, if its own line does not say it."""
        at, reason = self.why.get(one.line, (one.line, ""))
        return (one.line, "") if reason[:SAYS] in one.text else (at, reason)

    def _worded(self, one: Failure) -> tuple[str, str, str]:
        """The line of a failing test, if not too long, with its message, if no fact says it; in short; the name."""
        name = f"{one.line}: {one.name}"
        whole = f"{one.line}: {one.text}" if len(one.text) <= LONG and one.name in one.text else name
        _, reason = self._why(one)
        if not reason or reason in {cause.text for cause in self.causes[:CAUSES]}:
            return whole, whole, name
        return f"{whole} — {reason}", f"{name} — {clipped(reason, BRIEF)}", name


def _lists(lines: Sequence[str]) -> Iterator[str]:
    """In which kind of numbered list each line stands; one of mocha ends with as many as it counts."""
    listed = last = ""
    for text in lines:
        if begins := _FAILING.match(text):
            listed = "" if begins["ends"] else "numbered list" if begins["list"] else "numbered"
            last = f"{begins['last']})"
        yield listed
        listed = "" if listed == "numbered" and text.lstrip().startswith(last) else listed


def _named(
    number: int, text: str, forms: list[tuple[str, re.Pattern[str]]], listed: str, after: Callable[[int], list[str]]
) -> list[Failure]:
    """The failing test that a line names; ``listed``: of which kind of numbered list it is."""
    for form, pattern in forms:
        if (match := pattern.match(text)) and (listed == form or not form.startswith("numbered")):
            name = " ".join(filter(None, (match["name"], match.groupdict().get("also"))))
            if form == "sympy" and not "".join(after(number - 2)[:1]).startswith("_" * 60):
                continue
            one = Failure(number, form, name.strip(), _SIDES.sub("", text.strip()))
            if form == "minitest" and "Skipped" in "".join(after(number - 2)[:1]):
                break
            return [titled(one, after) if form == "numbered" else one]
    return []


def _listed(named: list[Failure], lines: Sequence[tuple[int, str]], after: Callable[[int], list[str]]) -> list[Failure]:
    """With the tests that cargo lists (of one that prints no line says that it failed), without Playwright's flaky ones."""
    flaky = set[str]()
    for number, raw in lines if held(_TOTALS, [raw for _, raw in lines]) else ():
        heading = _LIST.match(bare(raw))
        for at, text in enumerate(takewhile(_NAMED.match, map(bare, after(number) if heading else ())), number + 1):
            name = text.strip(" ─")
            flaky.update(() if heading and heading[1] else (name,))
            named += [Failure(at, "cargo", name, name)] if heading and heading[1] else []
    return [one for one in named if one.form != "playwright" or one.name not in flaky]


def _in_files(named: Sequence[Failure]) -> list[Failure]:
    """Jest's: a test in no block stands below a file that failed, and a suite that did not run is such a file."""
    tests: list[Failure] = []
    file, in_jest = "", False
    for one in named:
        file = one.name if one.form == "jest suite" else file
        in_jest = in_jest or one.form == "jest"
        if one.form == "jest run":
            tests.append(one._replace(name=file or one.name))
        elif one.form != "jest test":
            tests.append(one)
        elif file or in_jest:
            in_jest = True
            tests.append(one._replace(form="jest"))
    return tests


def _leaves(named: list[Failure], lines: dict[int, str]) -> list[Failure]:
    """Without the suites of node and TAP, which fail with a test in them, unless the runner
    counts them, too: their line stands behind those of their tests and less deep, or opens a block."""
    suites, deep = set[Failure](), 0
    for one in named:
        if one.form in ("tap", "node"):
            text = bare(lines[one.line])
            depth = indent_of(text)
            if depth < deep or text.endswith("{"):
                suites.add(one)
            deep = depth
    if not suites:
        return named
    names = {one.name for one in suites}
    tests = [one for one in named if one not in suites and not (one.form == "node" and one.name in names)]
    counts = [int(match[1]) for text in lines.values() if (match := _COUNTED.match(bare(text)))]
    return named if counts[-1:] == [len(_once(named))] else tests


def _ends(
    verdicts: list[tuple[int, str]], after: Callable[[int], list[str]], total: int, most: int
) -> list[tuple[int, str]]:
    """The verdicts that close a log: behind the last one at most so many telling lines, between them next to none; all
    of a job's."""
    if most >= ENDING or any("##[error]" in text or "::error" in text for _, text in verdicts):
        return verdicts
    closing: list[tuple[int, str]] = []
    for number, text in reversed(verdicts):
        behind = after(number)[: total - number]
        telling = [line for line in behind if not is_blank(line) and not is_routine(bare(line))]
        if total - number > len(behind) or len(telling) > most or any(map(SUCCESS.search, telling)):
            break
        closing.insert(0, (number, text))
        total, most = number - 1, min(most, BETWEEN)
    return closing


def _apart(errors: list[tuple[int, str, str]]) -> tuple[Counter[tuple[str, str]], set[int]]:
    """Each error with its number, and the lines that repeat one: printed from several folders (``../app/src/a.ts``,
    ``src/a.ts``) it is but one."""
    paths: dict[str, set[str]] = {}
    plain = [(line, _UP.sub("", path), message) for line, path, message in errors]
    for _, path, message in plain:
        paths.setdefault(message, set()).add(path)
    whole: dict[str, str] = {}
    for alike in paths.values():
        ranked = sorted(alike, key=lambda path: (-len(path), path))
        for at, path in enumerate(ranked):
            whole.setdefault(path, next((long for long in ranked[:at] if long.endswith(f"/{path}")), path))
    first = {(whole[path], message): line for line, path, message in reversed(plain)}
    again = {line for line, path, message in plain if line != first[whole[path], message]}
    return Counter((whole[path], message) for _, path, message in plain), again


def _once(named: list[Failure]) -> list[Failure]:
    """Each test once: where several forms name tests whose names end alike, those of the form that knows most."""
    groups: dict[str, dict[str, dict[str, Failure]]] = {}
    for one in named:
        name = _apart_by(one) if one.form == "tap" else one.name
        groups.setdefault(_key(one), {}).setdefault(one.form, {}).setdefault(name, one)
    order = {form: place for place, (form, *_) in enumerate(_FORMS)}
    best = [max(forms.items(), key=lambda known: (len(known[1]), -order[known[0]]))[1] for forms in groups.values()]
    return sorted((one for known in best for one in known.values()), key=lambda one: one.line)


def _apart_by(one: Failure) -> str:
    """What tells a test from others: of TAP its number does, where assertions have one name."""
    return one.text if one.form == "tap" else _key(one)


def _key(one: Failure) -> str:
    """The last part of a test's name, its parameters included."""
    name = one.name
    if one.form in ("pytest", "pytest line", "pytest heading"):
        head, bracket, parameters = name.partition("[")
        return re.split(r"::|\.(?!py\b)|/", head)[-1] + bracket + parameters
    if one.form in ("rspec", "nextest"):  # behind its place, its binary
        return one.text.partition(" # ")[2] or name.rpartition(" ")[2]
    if one.form in ("surefire", "unittest", "unittest line"):
        return name.partition(" ")[0].partition("(")[0].rpartition(".")[2] or name
    return name
