"""Logs: entries, levels, templates, what is kept, traps, detection, the lossless form."""

# ruff: noqa: E501 (log lines are long)

from __future__ import annotations

import csv
import os
import random
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest
from decoders import unpack_log
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcompact import compact
from mcpcompact.content.log import TYPE
from mcpcompact.content.log.grammar import severity_of
from mcpcompact.content.log.kinds import pack
from mcpcompact.content.log.runners import summary_kinds
from mcpcompact.content.log.scan import clip
from mcpcompact.content.log.templates import Miner, masked
from mcpcompact.outline import Hints, Item, Keep, Outline
from mcpcompact.source import Sample, Source

CORPUS = Path(os.environ.get("MCPCOMPACT_CORPUS", Path(__file__).parents[3] / "shared" / "corpus"))


def outline(text: str | bytes) -> Outline:
    return TYPE.outline(Source(text if isinstance(text, bytes) else text.encode()), Hints())


def kept(found: Outline) -> list[Item]:
    return [item for item in found.items if item.keep]


def facts(found: Outline) -> str:
    return "\n".join(fact.text for fact in found.facts)


def score(text: str) -> float:
    return TYPE.sniff(Sample(Source(text.encode()))).score


# -- generators: each gives the lines of a calm log and three anomalies as (line, value) -----------------


def _stamp(at: float, form: str = "%Y-%m-%dT%H:%M:%SZ") -> str:
    return time.strftime(form, time.gmtime(1_700_000_000 + at))


def service(r: random.Random) -> tuple[list[str], list[tuple[str, str]]]:
    services, regions = ["auth", "billing", "catalog", "gateway", "search"], ["eu-west-1", "us-east-1", "us-west-2"]

    def line(at: int, ms: int, service: str, region: str) -> str:
        return r.choice([
            f"{_stamp(at)} INFO [{service}] request GET /api/v1/items/{r.randrange(9999)} handled in {ms} ms region={region} user=u{r.randrange(300)}",
            f"{_stamp(at)} INFO [{service}] cache hit key=item:{r.randrange(99999)} took {ms} ms region={region}",
            f"{_stamp(at)} DEBUG [{service}] pool acquire conn={r.randrange(64)} waited {ms} ms region={region}",
        ])  # fmt: skip

    lines = [line(n, r.randrange(5, 80), r.choice(services), r.choice(regions)) for n in range(2000)]
    loud = f"{_stamp(900)} ERROR [billing] charge declined for order 88123: card_processor timeout"
    return lines, [
        (loud, "88123"),
        (line(900, 90000, "search", "us-east-1"), "90000"),
        (line(900, 31, "catalog", "ap-south-9"), "ap-south-9"),
    ]


def access(r: random.Random) -> tuple[list[str], list[tuple[str, str]]]:
    agents = ["Mozilla/5.0 (X11)", "curl/8.4.0", "Googlebot/2.1"]

    def line(path: str, status: int, size: int, agent: str) -> str:
        ip = f"10.{r.randrange(9)}.{r.randrange(250)}.{r.randrange(250)}"
        return f'{ip} - - [{_stamp(r.randrange(9), "%d/%b/%Y:%H:%M:%S")} +0000] "GET {path} HTTP/1.1" {status} {size} "-" "{agent}"'

    paths = ["/", "/login", "/static/app.js", "/api/items", "/api/users"]
    lines = [
        line(r.choice(paths), r.choice([200, 200, 200, 304]), r.randrange(200, 5000), r.choice(agents))
        for _ in range(1500)
    ]
    return lines, [
        (line("/api/items", 500, 812, agents[0]), '" 500 '),
        (line("/api/items", 200, 73_400_320, agents[0]), "73400320"),
        (line("/api/items", 200, 733, "masscan/1.3"), "masscan/1.3"),
    ]


def pytest_run(r: random.Random) -> tuple[list[str], list[tuple[str, str]]]:
    files = [f"tests/{name}/test_{name}.py" for name in ("api", "cli", "core", "db", "net", "auth")]
    lines = [f"{r.choice(files)}::test_case_{n} PASSED ({r.randrange(10, 90)} ms)" for n in range(1200)]
    return lines, [
        ("tests/core/test_core.py::test_rounding_half FAILED (33 ms)", "test_rounding_half"),
        ("tests/core/test_core.py::test_case_417b PASSED (84211 ms)", "84211"),
        ("tests/legacy/test_quux.py::test_case_3 PASSED (21 ms)", "tests/legacy/test_quux.py"),
    ]


def build(r: random.Random) -> tuple[list[str], list[tuple[str, str]]]:
    def line(target: str, ms: int) -> str:
        return f"[{r.randrange(100)}%] Compiling {target}/src/unit_{r.randrange(900)}.c with gcc -O2 ({ms} ms)"

    lines = [line(r.choice(["core", "net", "ui", "store"]), r.randrange(20, 400)) for _ in range(1500)]
    return lines, [
        ("core/src/unit_77.c:41:9: error: unknown type name 'widget_t'", "widget_t"),
        (line("net", 620_000), "620000"),
        (line("vendor_zlib", 77), "vendor_zlib"),
    ]


def syslog(r: random.Random) -> tuple[list[str], list[tuple[str, str]]]:
    def line(host: str, user: str, secs: int) -> str:
        return r.choice([
            f"{_stamp(r.randrange(10), '%b %d %H:%M:%S')} {host} sshd[{r.randrange(900, 30000)}]: Accepted publickey for {user} from 10.0.0.{r.randrange(250)} port {r.randrange(30000, 60000)} ssh2",
            f"{_stamp(r.randrange(10), '%b %d %H:%M:%S')} {host} CRON[{r.randrange(900, 30000)}]: ({user}) job finished after {secs} seconds",
            f"{_stamp(r.randrange(10), '%b %d %H:%M:%S')} {host} systemd[1]: Started session of user {user}, ready after {secs} seconds",
        ])  # fmt: skip

    hosts, users = ["web-1", "web-2", "db-1"], ["root", "deploy", "backup", "alice"]
    lines = [line(r.choice(hosts), r.choice(users), r.randrange(1, 30)) for _ in range(2500)]
    odd = f"{_stamp(5, '%b %d %H:%M:%S')} web-1 CRON[4711]: (deploy) job finished after 86399 seconds"
    return lines, [
        (f"{_stamp(5, '%b %d %H:%M:%S')} db-1 kernel: Out of memory: Killed process 31337 (postgres)", "31337"),
        (odd, "86399"),
        (line("web-2", "mallory", 12), "mallory"),
    ]


GENERATORS: list[Callable[[random.Random], tuple[list[str], list[tuple[str, str]]]]] = [
    service,
    access,
    pytest_run,
    build,
    syslog,
]


@pytest.mark.parametrize("make", GENERATORS, ids=lambda make: make.__name__)
def test_planted_anomalies_are_kept_verbatim(
    make: Callable[[random.Random], tuple[list[str], list[tuple[str, str]]]],
) -> None:
    missed = []
    for seed in range(4):
        r = random.Random(seed)
        lines, planted = make(r)
        for line, _ in planted:
            lines.insert(r.randrange(len(lines) + 1), line)
        found = outline("\n".join(lines) + "\n")
        shown = [item.text for item in kept(found)]
        missed += [
            (seed, value) for line, value in planted if not any(line in text and value in text for text in shown)
        ]
        assert len(shown) <= max(12, len(lines) // 50), (seed, len(shown))
    assert missed == []


# -- what is said ------------------------------------------------------------------------------------------


def test_levels_time_gap_and_templates_are_counted_over_all_lines() -> None:
    lines = [f"2024-05-01 10:00:{n % 60:02d} INFO worker: job {n} took {n % 7 + 3} ms" for n in range(60)]
    lines += [f"2024-05-01 11:30:{n % 60:02d} WARN worker: queue is {n} long" for n in range(40)]
    said = facts(outline("\n".join(lines) + "\n"))
    assert "WARN 40 · INFO 60" in said
    assert "2024-05-01 10:00:00 … 2024-05-01 11:30:39 (1h 30m)" in said
    assert "1h 29m after line 60" in said
    assert "60× 1–60: …INFO worker: job 0 took 3 ms" in said
    assert "none found" in said


def test_a_stack_trace_is_one_entry_and_kept_whole() -> None:
    calm = [f"2024-05-01 10:00:{n % 60:02d} INFO com.acme.Main - tick {n}" for n in range(300)]
    trace = [
        "2024-05-01 10:00:07 ERROR com.acme.Main - request failed",
        "java.lang.IllegalStateException: no shard for key 4711",
        "\tat com.acme.Shards.find(Shards.java:88)",
        "Caused by: java.io.IOException: broken pipe",
        "\t... 12 more",
    ]
    text = "\n".join([*calm[:150], *trace, *calm[150:]])
    found = outline(text)
    (item,) = [item for item in kept(found) if item.keep is Keep.SEVERE]
    assert (item.start, item.end) == (151, 155)
    assert item.text == "151: " + "\n".join(trace)
    assert found.headline == "305 lines, 1 error"


GO_PANIC = """starting
panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
main.pick(...)
\t/src/main.go:12
main.main()
\t/src/main.go:7 +0x1d
exit status 2
"""
PYTHON = """Traceback (most recent call last):
  File "a.py", line 3, in f
    return g()
  File "a.py", line 7, in g
    raise ValueError("x")
ValueError: x
"""


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [(GO_PANIC, "panic:", "/src/main.go:7"), (PYTHON, "Traceback", "ValueError: x")],
)
def test_traces_without_time_stamps_hold_together(text: str, first: str, last: str) -> None:
    whole = "before\n" + text + "after\n"
    pieces = [whole[a:b] for a, b in TYPE.spans(whole)]
    (piece,) = [piece for piece in pieces if first in piece]
    assert last in piece and "before" not in piece


def test_identical_traces_share_a_template() -> None:
    lines = []
    for n in range(200):
        lines.append(f"2024-05-01 10:00:00 INFO ok {n}")
        if n % 40 == 3:
            lines += [f"2024-05-01 10:00:00 ERROR job {n} died", "Traceback (most recent call last):", '  File "a.py", line 3', "KeyError: 'x'"]  # fmt: skip
    severe = [item for item in kept(outline("\n".join(lines))) if item.keep is Keep.SEVERE]
    assert len(severe) >= 2 and len({item.template for item in severe}) == 1


@pytest.mark.parametrize(
    "line",
    [
        "2024-05-01 10:00:00 INFO finished with 0 errors",
        "INFO errors=0 failed=0 warnings=2",
        "level=info msg=done error=null",
        "INFO retries: 3, errors: 0, failures: none",
        "INFO started with --fail-fast",
        "no failures",
        "tests/test_error.py::test_error_paths PASSED [ 12%]",
        "tests/test_x.py::test_level[critical] PASSED [ 12%]",
        "INFO wrote /var/log/error.log",
        "test result: ok. 12 passed; 0 failed; 0 ignored",
        "INFO loaded error_handler.py",
        "exit code 0",
        "Found 0 errors",
        "0 failed",
    ],
)
def test_calm_words(line: str) -> None:
    assert severity_of(line) < 2


@pytest.mark.parametrize(
    "line",
    [
        "2024-05-01 10:00:00 ERROR x",
        "E0623 10:00:00.000000       1 reflector.go:178] Failed to list *v1.Pod",
        'level=error msg="cannot bind"',
        "[Sun Dec 04 04:51:18 2005] [error] mod_jk child init 1 -2",
        "##[error]Process completed with exit code 1.",
        "FAILED tests/test_a.py::test_b - assert 1 == 2",
        "make: *** [Makefile:3: all] Error 2",
        "src/a.c:3:5: error: unknown type name 'x'",
        "src/a.ts(3,5): error TS2304: Cannot find name 'x'.",
        "panic: runtime error: index out of range",
        "c:\\w\\x.targets(2,3): error MSB3021: Unable to copy",
        "java.lang.NullPointerException: x",
        '10.0.0.1 - - [01/May/2024:10:00:00 +0000] "GET / HTTP/1.1" 503 12 "-" "curl"',
        "kernel: Out of memory: Killed process 31337",
        "--- FAIL: TestX (0.00s)",
        "test foo ... FAILED",
        "npm ERR! code ELIFECYCLE",
        "worker exited with code 137",
        "errors: 3",
    ],
)
def test_loud_words(line: str) -> None:
    assert severity_of(line) >= 2


def test_a_log_full_of_errors_keeps_the_rare_ones() -> None:
    lines = [f"[error] child {n} in error state 6" if n % 3 else f"[notice] child {n} ok" for n in range(1500)]
    lines[777] = "[error] cannot open shared memory segment 0x51a7"
    found = outline("\n".join(lines))
    severe = [item for item in kept(found) if item.keep is Keep.SEVERE]
    assert any("0x51a7" in item.text for item in severe)
    assert len(severe) <= 30


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("=== 3 failed, 1197 passed in 12.3s ===", "pytest"),
        ("Ran 12 tests in 0.003s", "unittest"),
        ("Tests:       1 failed, 41 passed, 42 total", "jest"),
        ("test result: FAILED. 11 passed; 1 failed; 0 ignored", "cargo test"),
        ("FAIL\tgithub.com/a/b\t0.012s", "go test"),
        ("[ERROR] Tests run: 12, Failures: 1, Errors: 0, Skipped: 2", "maven"),
        ("BUILD FAILED in 3s", "gradle"),
        ("Plan: 41 to add, 0 to change, 0 to destroy.", "terraform"),
        ("make[1]: *** [all] Error 2", "make"),
        ("added 71 packages in 4s", "npm"),
        ("the passage was added to the text in 1803", ""),
    ],
)
def test_summaries_are_recognised(line: str, kind: str) -> None:
    assert summary_kinds([line]).get(0, "") == kind


def test_a_test_run_says_its_result_first() -> None:
    lines, _ = pytest_run(random.Random(1))
    found = outline("\n".join([*lines, "tests/a.py::test_x FAILED", "===== 1 failed, 1200 passed in 3.21s =====", ""]))
    assert "1 failed, 1200 passed in 3.21s" in facts(found)
    assert "outcomes: PASSED 1,200 · FAILED 1" in facts(found)
    assert found.headline == "1,202 lines, 1 failing test"


# -- traps -------------------------------------------------------------------------------------------------


def test_progress_bars_keep_their_last_state_and_colours_go() -> None:
    text = "\x1b[32mstart\x1b[0m\r\n 10%\r 50%\r100% done\r\nend\r\n"
    found = outline(text)
    assert [item.text for item in found.items] == ["1: start", "2: 100% done", "3: end"]
    assert found.total == 3


def test_a_line_of_a_megabyte_is_clipped_around_its_loud_words() -> None:
    line = "x" * 500_000 + " ERROR disk 4711 failed " + "y" * 500_000
    text = "2024-05-01 10:00:00 INFO a\n2024-05-01 10:00:01 INFO " + line + "\n2024-05-01 10:00:02 INFO b\n"
    found = outline(text)
    assert found.total == 3
    assert all(len(item.text) < 270_000 for item in found.items)
    assert any("disk 4711 failed" in item.text for item in found.items)
    assert len(clip(b"z" * 5000)) < 5000
    loud = [b"deferred", b"job failed", b"IOError:", b"kill-9", b"was Killed"]
    line = b"-".join(b"z" * 3000 + b" " + word + b" " for word in loud)
    assert [word for word in loud if word in clip(line)] == [b"job failed", b"IOError:", b"was Killed"]


@pytest.mark.parametrize("sizes", [(100_000,) * 6, (2_000_000, *[20] * 40), (8_000,) * 100, (20, 2_000_000, 2_000_000)])
def test_few_very_long_lines_fill_a_budget_too(sizes: tuple[int, ...]) -> None:
    names = [f"e.{chr(97 + n % 26)}{n:x}=function(t){{return this.p{n % 997}}}," for n in range(60_000)]
    lines = []
    for number, size in enumerate(sizes):
        body = "".join(names[number * 37 : number * 37 + size // 30])
        lines.append(f"2026-01-01 10:00:{number % 60:02d} INFO bundle {number} {body}")
    text = "\n".join(lines) + "\n"
    found = outline(text)
    assert sum(len(item.text) for item in found.items) < 400_000
    for budget in (1000, 8000):
        made = compact(text, budget=budget, content_type="log")
        assert 0.85 * budget <= made.tokens <= budget


@pytest.mark.parametrize(
    "text", ["", "\n", "\n\n\n", "a", "\r", "\x00\x00", "\x1b[31m", "at x(y)\n", "  indented\n", "}" * 9, "é\u2028x\n"]
)
def test_small_and_odd_inputs(text: str) -> None:
    found = outline(text)
    assert found.total == text.count("\n") + (bool(text) and not text.endswith("\n"))
    assert outline(text.encode("utf-16")).total >= 0
    assert score(text) <= 0.7


def test_line_numbers_are_exact_in_a_long_log_read_in_blocks(tmp_path: Path) -> None:
    lines = [
        f"2024-05-01 10:{n // 60 % 60:02d}:{n % 60:02d} INFO id={n:06x} took {n % 70 + 5} ms" for n in range(25_000)
    ]
    lines[17_003] = "2024-05-01 10:00:00 ERROR quota exceeded for tenant-9"
    path = tmp_path / "long.log"
    path.write_text("\n".join(lines) + "\n")
    found = TYPE.outline(Source(path=str(path)), Hints())
    assert found.total == len(lines)
    for item in found.items:
        assert item.text.startswith(f"{item.start}: {lines[item.start - 1]}")
    assert any(item.start == 17_004 and item.keep is Keep.SEVERE for item in found.items)


def test_too_many_shapes_never_hide_an_error() -> None:
    r = random.Random(3)
    word = lambda: "".join(r.choice("ghijklmnopqrstuvwxyz") for _ in range(12))  # noqa: E731
    lines = [f"{word()} {word()} {word()}" for _ in range(14_000)]
    lines[13_333] = f"{word()} ERROR lease 4711 lost {word()}"
    found = outline("\n".join(lines))
    assert any("lease 4711 lost" in item.text for item in kept(found))
    assert "none found" not in facts(found)


def test_repeats_in_a_row_are_one_item() -> None:
    found = outline("a\n" + "waiting for lock\n" * 12 + "b\n")
    assert [item.text for item in found.items] == ["1: a", "2: waiting for lock … ×12, to line 13", "14: b"]


def test_same_input_same_outline() -> None:
    text = "\n".join(service(random.Random(1))[0])
    assert outline(text) == outline(text) or facts(outline(text)) == facts(outline(text))


# -- detection ---------------------------------------------------------------------------------------------

LOGS = {
    "service": "\n".join(service(random.Random(1))[0]),
    "access": "\n".join(access(random.Random(1))[0]),
    "pytest": "\n".join(pytest_run(random.Random(1))[0]),
    "syslog": "\n".join(syslog(random.Random(1))[0]),
    "traceback": PYTHON,
    "panic": GO_PANIC.removeprefix("starting\n"),
    "klog": "I0623 10:00:00.1 1 a.go:1] x\nE0623 10:00:00.2 1 a.go:2] y\nW0623 10:00:01.0 1 b.go:3] z\n" * 5,
    "logfmt": 'time="2024-05-01T10:00:00Z" level=info msg="a"\n' * 20,
    "json inside": '2024-05-01T10:00:00Z api {"a": 1, "b": [1, 2]}\n' * 20,
    "gcc": "a.c: In function 'f':\na.c:3:5: warning: unused variable 'x' [-Wunused]\na.c:9:1: error: expected ';'\n"
    * 4,
    "make": "make[1]: Entering directory '/src'\ngcc -c a.c -o a.o\ngcc -c b.c -o b.o\nmake: *** [all] Error 1\n",
    "cargo": "   Compiling serde v1.0.1\n   Compiling app v0.1.0\nerror[E0308]: mismatched types\n --> src/a.rs:1:8\n",
    "actions": "2024-05-01T10:00:00.1Z ##[group]Run make\n2024-05-01T10:00:01.1Z ##[error]failed\n" * 3,
}
NOT_LOGS = {
    "diff": "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-Traceback (most recent call last):\n+ERROR x\n"
    * 5,
    "prose": "The committee met on Monday. It found no error in the minutes, and failed to agree on the rest.\n" * 20,
    "csv": "time,level,value\n" + "2024-05-01T10:00:00Z,INFO,3\n" * 50,
    "grep": "".join(f"src/app/mod_{n}.py:{n}:    raise ValueError('error {n}')\n" for n in range(60)),
    "ndjson": '{"time": "2024-05-01T10:00:00Z", "level": "error"}\n' * 50,
    "xml": '<?xml version="1.0"?>\n<testsuite>\n<testcase name="a"/>\n<failure>error: x</failure>\n</testsuite>\n' * 9,
    "markdown table": "| time | level |\n|---|---|\n" + "| 2024-05-01 10:00:00 | ERROR |\n" * 20,
    "yaml": "openapi: 3.0.0\ninfo:\n  title: x\n  version: 1\npaths:\n  /a:\n    get:\n      summary: errors\n" * 5,
    "python": "import os\n\n\ndef f(x):\n    if x:\n        raise ValueError('error')\n    return x\n" * 9,
    "numbered view": "".join(f"{n:6d}\tdef f{n}(): return 'error'\n" for n in range(1, 60)),
}


@pytest.mark.parametrize("name", LOGS)
def test_logs_are_recognised(name: str) -> None:
    assert score(LOGS[name]) >= 0.6


@pytest.mark.parametrize("name", NOT_LOGS)
def test_look_alikes_are_not(name: str) -> None:
    assert score(NOT_LOGS[name]) <= 0.3


# -- properties --------------------------------------------------------------------------------------------

LINES = st.lists(
    st.one_of(
        st.text(max_size=30),
        st.sampled_from(
            [
                "2024-05-01 10:00:00 INFO a",
                "2024-05-01 10:00:59 INFO b",
                "2024-05-01 11:07:00 ERROR c",
                "  at x(y)",
                "",
                "Traceback (most recent call last):",
                '  File "a.py", line 3',
                "ValueError: x",
                "… ×3",
                "§x",
            ]
        ),
    ),
    max_size=40,
).map("\n".join)


@given(LINES)
@settings(max_examples=150, deadline=None)
def test_packing_is_reversible(text: str) -> None:
    packed = pack(text)
    assert packed is None or (unpack_log(packed) == text and len(packed) < len(text))


def test_packing_pays() -> None:
    text = "".join(f"2024-05-01 10:00:{n // 4 % 60:02d} INFO tick\n" for n in range(200))
    packed = pack(text)
    assert packed is not None and len(packed) < len(text) / 2 and unpack_log(packed) == text


@given(LINES)
@settings(max_examples=100, deadline=None)
def test_spans_partition_at_line_starts(text: str) -> None:
    spans = list(TYPE.spans(text))
    assert "".join(text[a:b] for a, b in spans) == text
    assert all(a < b and (a == 0 or text[a - 1] == "\n") for a, b in spans)


@given(LINES)
@settings(max_examples=60, deadline=None)
def test_items_are_anchored_in_order_and_never_overlap(text: str) -> None:
    found = outline(text.encode("utf-8", "surrogatepass"))
    end = 0
    for item in found.items:
        assert end < item.start <= item.end <= found.total
        assert item.text.startswith(f"{item.start}: ")
        end = item.end


# -- templates: loghub's labels, and drain3 as the oracle --------------------------------------------------


def mine(lines: Iterable[str]) -> list[int]:
    """The template number of each line."""
    miner = Miner()
    numbers: dict[int, int] = {}
    answer: list[int] = []
    for at, line in enumerate(lines):
        words = masked(line)
        template = miner.add(words, 1, at)
        answer.append(numbers.setdefault(id(template), len(numbers)))
    return answer


def grouping_accuracy(lines: Sequence[str], labels: Sequence[str]) -> float:
    """Share of lines whose group is exactly the labelled group (loghub's measure: Zhu et al., ICSE-SEIP 2019)."""
    mined: dict[int, list[int]] = {}
    truth: dict[str, list[int]] = {}
    for at, (number, label) in enumerate(zip(mine(lines), labels, strict=True)):
        mined.setdefault(number, []).append(at)
        truth.setdefault(label, []).append(at)
    right = {tuple(group) for group in truth.values()}
    return sum(len(group) for group in mined.values() if tuple(group) in right) / max(1, len(lines))


def test_grouping_agrees_with_drain3_on_plain_templates() -> None:
    drain3 = pytest.importorskip("drain3")
    r = random.Random(2)
    lines = [
        r.choice(
            [
                "connected to host {} port {}",
                "user {} logged in from {}",
                "job {} finished in {} ms",
                "cache evicted {} keys of {}",
            ]
        ).format(r.randrange(9999), r.randrange(9999))
        for _ in range(600)
    ]
    miner = drain3.TemplateMiner()
    labels = [str(miner.add_log_message(line)["cluster_id"]) for line in lines]
    assert grouping_accuracy(lines, labels) >= 0.95
    assert len(set(mine(lines))) == 4


@pytest.mark.skipif(not (CORPUS / "logs" / "loghub").is_dir(), reason="no corpus")
def test_grouping_accuracy_on_labelled_logs() -> None:
    scores = []
    for path in sorted((CORPUS / "logs" / "loghub").glob("*_structured.csv")):
        with path.open(encoding="utf-8", errors="replace", newline="") as stream:
            rows = list(csv.DictReader(stream))
        scores.append(grouping_accuracy([row["Content"] for row in rows], [row["EventId"] for row in rows]))
    assert sum(scores) / len(scores) >= 0.75


def _stamped(n: int, level: str, message: str) -> str:
    thread = f"[Worker thread for queue {n % 7} of the block pool manager in datacenter {n % 3}]"
    return f"2026-03-04 18:{n // 60 % 60:02d}:{n % 60:02d},{n % 1000:03d} {level} {thread} org.example.block.Manager: {message}"


@pytest.mark.parametrize("budget", [150, 300])
def test_a_kept_line_shows_what_it_is_kept_for(budget: int) -> None:
    lines = [
        _stamped(n, "INFO", f"Block {n} of 9000 stored on node-{n % 5} after {20 + n % 9} ms") for n in range(1_500)
    ]
    lines[700] = _stamped(700, "WARN", "Lease 4711 lost: replication stalled and Exception in the ack responder")
    lines[1_100] = _stamped(1_100, "ERROR", "volume /data/7 has no free space left for its journal")
    made = compact("\n".join(lines), budget=budget, threshold=budget, store=None)
    shown = {line.partition(":")[0]: line for line in made.text.split("\n")}
    for number, words in (("701", "Exception in the ack"), ("1101", "volume /data/7 has")):
        assert words in shown.get(number, words)  # one of which only the beginning fits is not shown
    assert "1101" in shown and (budget == 150 or "701" in shown)  # where there is room for one, the last error


COMPLAINTS = [
    "Cannot find module '{}' or its corresponding type declarations",
    "Parameter '{}' implicitly has an 'any' type",
    "Property '{}' does not exist on the type of its owner",
    "Type of '{}' is not assignable here, since one of its members is optional",
    "Argument '{}' is missing in this call of an overload",
    "Name '{}' is declared here and its value is never read by anybody",
    "Object '{}' is possibly undefined at this point of the flow",
    "Expected two arguments where '{}' is called with one",
    "The member '{}' must be marked for an override of the base class",
    "Duplicate identifier '{}' in the same block scope",
    "An import of '{}' can only end so when the option for it is set",
    "Spread of '{}' may only be created from the types of objects",
]


def test_where_nearly_all_lines_are_errors_they_compete_by_what_they_name() -> None:
    """A compiler's output: to be an error is nothing special there, and each was shown by its beginning alone."""
    names = [f"thing{n}_{'abcdefghij'[n % 10]}" for n in range(66)]
    said = [COMPLAINTS[n % 12].format(name) for n, name in enumerate(names)]
    lines = [
        f"src/area/file_{n % 9}.ts({n + 3},{n % 40}): error TS{2300 + n % 12}: {text}." for n, text in enumerate(said)
    ]
    made = compact("\n".join(["> check", "> tsc --noEmit", "", *lines]), budget=500, threshold=500, store=None)
    assert made.content_type == "log" and sum(name in made.text for name in names) >= 7


def test_job_and_step_of_a_ci_log_are_said_once() -> None:
    """Of ``gh run view --log``: before each line stand job, step and a stamp with seven decimals."""
    rng = random.Random(11)
    steps = ["Set up job", "Install", "Run Biome"]
    lines = []
    for n in range(240):
        stamp = f"2026-06-17T10:2{n // 60}:{n % 60:02d}.{rng.randrange(10**7):07d}Z"
        lines.append(
            f"Lint\t{steps[n // 80]}\t{stamp} fetched package_{n} as @scope/name-{n} into node_modules/.store/{n}"
        )
    lines[200] = lines[200].partition("Z ")[0] + "Z ##[error]lint/organizeImports failed for src/area/index.ts"
    made = compact("\n".join(lines), budget=500, threshold=500, store=None)
    shown = made.text.split("\n")
    assert made.content_type == "log" and "── Lint / Run Biome, 2026-06-17" in shown
    assert (
        "said 39 lines before the end: 201: Lint: Run Biome: ##[error]lint/organizeImports failed for src/area/index.ts"
        in shown
    )
    assert sum("node_modules/.store/" in line for line in shown) >= 6


def test_kinds_of_failures_are_told_by_a_line_that_fails() -> None:
    lines = [
        f"2026-01-01 10:{n // 60 % 60:02}:{n % 60:02} INFO web: GET /a status={500 if n % 5 == 4 else 200} in {n % 9} ms"
        for n in range(400)
    ]
    said = "\n".join(fact.text for fact in outline("\n".join(lines)).facts)
    assert "80 lines with errors or failures, of 1 kind" in said
    assert "\n80× 5–400: 2026-01-01 10:00:04 INFO web: GET /a status=500 in 4 ms" in said


def test_a_log_says_what_wrote_it_with_its_totals_and_last_line() -> None:
    head = ["Worker information", "hostname: worker-1", *(f"tool-{n} {n}.0" for n in range(60))]
    body = ["$ mvn test -B", *(f"[INFO] Downloading: https://repo.example/{n}.pom" for n in range(90))]
    tail = ["Tests run: 51, Failures: 0, Errors: 0", "[INFO] BUILD SUCCESS", "Done. Your build exited with 0."]
    made = compact("\n".join([*head, *body, *tail]), budget=200, threshold=200, store=None)
    assert "Log of Travis CI, maven: 156 lines" in made.text
    assert "maven: 154: Tests run: 51, Failures: 0, Errors: 0" in made.text
    assert "\n156: Done. Your build exited with 0." in made.text


def test_values_behind_keys_are_counted() -> None:
    lines = [
        f"2026-01-01 10:{n // 60 % 60:02}:{n % 60:02} INFO svc={('api', 'web')[n % 3 == 0]} took={n}ms"
        for n in range(300)
    ]
    assert "svc: api 200, web 100" in "\n".join(fact.text for fact in outline("\n".join(lines)).facts)


def test_a_long_ruler_with_something_behind_it_is_read_at_once() -> None:
    """Tried in each way to part it, it took for ever."""
    rulers = "".join(f"  {'-' * 40 * n} \t {'-' * 90} \t\nstep {n} done\n" for n in range(1, 9))
    assert "step 8 done" in compact(rulers * 2, budget=300, content_type="log").text
