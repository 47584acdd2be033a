"""Every figure that is said of a log is recomputed here from how the log was made."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcompact import compact
from mcpcompact.content.log import TYPE
from mcpcompact.outline import Hints, Outline
from mcpcompact.source import Source

MESSAGES = (
    "request GET {p} served took={n} ms",
    "cache refresh of {p} done took={n} ms",
    "user list {p} read took={n} ms",
)
FAILING = "upload of {p} gave up, disk full took={n} ms"
Maker = Callable[[datetime, str, str, int], str]


def iso(t: datetime) -> str:
    return t.strftime("%Y-%m-%dT%H:%M:%S")


MAKERS: dict[str, Maker] = {
    "iso": lambda t, level, text, n: f"{iso(t)}Z {level} worker: {text}",
    "level first": lambda t, level, text, n: f"{level} {iso(t)}Z {text}",
    "python": lambda t, level, text, n: f"{t:%Y-%m-%d %H:%M:%S},{n:03} - app.jobs - {level} - {text}",
    "key=value": lambda t, level, text, n: f'ts={iso(t)}.{n:03}Z level={level.lower()} caller=main.go:42 msg="{text}"',
    "json": lambda t, level, text, n: f'{t:%Y-%m-%d %H:%M:%S} app {{"level":"{level.lower()}","msg":"{text}","pid":7}}',
    "klog": lambda t, level, text, n: f"{level[0]}{t:%m%d %H:%M:%S}.{n:06}       1 server.go:42] {text}",
    "logcat": lambda t, level, text, n: f"{t:%m-%d %H:%M:%S}.{n:03}  1234  1250 {level[0]} Jobs: {text}",
    "nginx": lambda t, level, text, n: f"{t:%Y/%m/%d %H:%M:%S} [{level.lower()}] 12#12: *{n} {text}",
    "bracketed letter": lambda t, level, text, n: f"{t:%Y-%m-%d %H:%M:%S} [{level[0]}] {text}",
    "clock": lambda t, level, text, n: f"{t:%H:%M:%S} {level} {text}",
}  # fmt: skip


def outline(lines: list[str]) -> Outline:
    return TYPE.outline(Source(("\n".join(lines) + "\n").encode()), Hints())


def said(found: Outline) -> str:
    return "\n".join(fact.text for fact in found.facts)


def figure(text: str) -> int:
    return int(text.replace(",", ""))


def seconds(text: str) -> int:
    units = {"d": 86400, "h": 3600, "m": 60, "s": 1}
    return sum(int(n) * units[unit] for n, unit in re.findall(r"(\d+)([dhms])", text))


def cut(seconds_: int) -> int:
    """A duration as it is said: in its two largest units."""
    left, parts = seconds_, 0
    for size in (86400, 3600, 60, 1):
        if left >= size:
            parts += 1
            if parts == 2 or size == 1:
                return seconds_ - left % size
            left %= size
    return seconds_


@pytest.mark.parametrize("kind", MAKERS)
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_levels_times_failures_and_numbers_are_those_of_the_lines(kind: str, seed: int) -> None:
    r = random.Random(seed)
    start = t = datetime(2024, r.randint(3, 11), r.randint(1, 28), r.randint(0, 23), r.randint(0, 59))
    count, gap_at = r.randint(60, 250), r.randint(10, 50)
    failing = r.choice((0, 0, 1, count // 10, count // 2))
    bad = set(r.sample(range(count), failing))
    step = 1 + r.randrange(3)
    levels: Counter[str] = Counter()
    lines, times, took = [], [], []
    for n in range(count):
        t += timedelta(seconds=step if n != gap_at else 900 * r.randint(1, 4))
        level = "ERROR" if n in bad else r.choice(("INFO", "INFO", "WARN"))
        levels[level] += 1
        took.append(r.randint(1, 40) if r.random() < 0.8 else r.randint(5_000, 9_000))
        text = (FAILING if n in bad else r.choice(MESSAGES)).format(p=f"/d/{r.choice('abc')}", n=took[-1])
        lines.append(MAKERS[kind](t, level, text, n))
        times.append(t)
    told = said(outline(lines))
    stated = {
        name: figure(n) for name, n in re.findall(r"\b([A-Z]+) ([\d,]+)", told.partition("levels: ")[2].split("\n")[0])
    }
    assert stated == levels
    assert ("none found" in told) == (not bad)
    if bad:
        found = re.search(r"([\d,]+) (?:errors?|failure messages?)", told)
        assert found and figure(found[1]) == len(bad)
    span = re.search(r"time: .*? \((?:about )?([\dhdms ]+)\)", told)
    assert span and seconds(span[1]) == cut(int((times[-1] - times[0]).total_seconds()))
    if gap := re.search(r"largest gaps: ([\dhdms ]+) after line ([\d,]+)", told):
        assert seconds(gap[1]) == cut(int((times[gap_at] - times[gap_at - 1]).total_seconds()))
        assert figure(gap[2]) == gap_at
    for low, high, middle in re.findall(r"took ([\d,.]+)–([\d,.]+), median ([\d,.]+)", told):
        assert (figure(low), figure(high)) == (min(took), max(took))
        assert abs(float(middle.replace(",", "")) - median(took)) < 0.06
    assert start < times[0]


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_requests_of_access_logs_are_counted_and_add_up(seed: int) -> None:
    r = random.Random(seed)
    t, combined = datetime(2024, 3, 1, 23), r.random() < 0.5
    statuses: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    paths: dict[str, set[str]] = {}
    lines = []
    for n in range(r.randint(80, 400)):
        t += timedelta(seconds=r.randint(1, 60))
        version, status = r.choice(("v1", "v2")), r.choice(("200", "200", "404", "301"))
        path = r.choice((f"/api/{version}/item/{r.randint(1, 90)}", "/health", f"/api/{version}/users", "/x/7"))
        kind = re.sub(r"(?<=/)\d+", "*", path)
        statuses[status] += 1
        kinds[kind] += 1
        paths.setdefault(kind, set()).add(path)
        line = (
            f'10.0.0.{n % 250} - - [{t:%d/%b/%Y:%H:%M:%S} +0000] "GET {path} HTTP/1.1" {status} {r.randint(10, 9999)}'
        )
        lines.append(line + (' "-" "curl/8.1"' if combined else ""))
    told = said(outline(lines))
    stated = re.search(r"^status (.*)$", told, re.MULTILINE)
    assert stated and {s: figure(n) for s, n in re.findall(r"(\d{3}): ([\d,]+)", stated[1])} == statuses
    requests = re.search(r"([\d,]+) kinds? of requests?: (.*)", told)
    assert requests and figure(requests[1]) == len(kinds)
    for n, path in re.findall(r"([\d,]+)× GET (\S+)", requests[2]):
        kind = re.sub(r"(?<=/)\d+", "*", path)
        assert figure(n) == kinds[kind]
        assert path == kind or paths[kind] == {path}


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.text(
            st.characters(min_codepoint=0xA1, max_codepoint=0xFFDC, exclude_categories=("Cs", "Cc", "Zl", "Zp", "Zs")),
            min_size=1,
            max_size=12,
        ),
        min_size=1,
        max_size=6,
    ),
    st.integers(0, 99),
)
def test_letters_of_any_script_stay_whole(words: list[str], seed: int) -> None:
    r = random.Random(seed)
    if any("\ufffd" in word for word in words):
        return
    lines = [f"2026-11-22 10:{n // 60:02}:{n % 60:02} INFO {' '.join(words)} {r.randint(1, 99)}" for n in range(60)]
    lines.append("2026-11-22 10:05:00 INFO " + " ".join(reversed(words)) + " à 超 end" + "é情" * 2_500)
    found = outline(lines)
    text = said(found) + "\n".join(item.text + item.reason for item in found.items)
    assert "\ufffd" not in text
    everything = "\n".join(lines)
    templates = re.search(r"templates?(?: \([^)]*\))?: \d+× (.*)", said(found))
    for piece in templates[1].split(" · ")[0].split("*") if templates else []:
        assert piece.strip() in everything
    for item in found.items:
        for piece in item.text.split(": ", 1)[1].split("…")[:1]:
            assert piece in everything


@pytest.mark.parametrize(
    "line",
    [
        "FEHLER Datei 7 fehlt",
        "エラー 接続 失敗",
        "连接 错误",
        "ОШИБКА диска",
        "échec de la sauvegarde",
        "[E] lease lost",
        "job error_count=3 of 9",
        "upstream said 502 Bad Gateway",
        "child ended, exit code 1",
        "E1122 10:00:10.000000 1 a.go:3] x",
    ],
)
@pytest.mark.parametrize("times", [1, 60])
def test_what_states_a_failure_is_counted_and_not_denied(line: str, times: int) -> None:
    lines = [f"2026-11-22 10:00:10 INFO file {n} is fine" for n in range(240)]
    step = 240 // times
    for n in range(times):
        lines.insert(n * (step + 1), line if line[0] == "E" and line[1].isdigit() else f"2026-11-22 10:00:10 {line}")
    told = said(outline(lines))
    assert "none found" not in told
    assert re.search(rf"\b{times} (?:errors?|failure messages?)", told), told


@pytest.mark.parametrize("line", ["retry: timeout=30", "0 errors so far", "cannot say yet", "le fichier est refusé ?"])
def test_a_word_of_failure_ends_the_denial(line: str) -> None:
    lines = [f"2026-11-22 10:00:10 INFO file {n} is fine" for n in range(240)]
    lines[100] = f"2026-11-22 10:00:10 INFO {line}"
    told = said(outline(lines))
    assert "none found" not in told


def test_failures_in_what_is_not_shown_of_long_or_redrawn_lines_end_the_denial() -> None:
    lines = [f"2026-11-22 10:00:10 INFO file {n} is fine" for n in range(60)]
    assert "none found" in said(outline(lines))
    long = "2026-11-22 10:00:11 INFO " + "word " * 3_000 + "odmowa " + "word " * 3_000
    assert "none found" not in said(outline([*lines, long]))
    assert "none found" not in said(outline([*lines, "2026-11-22 10:00:11 błąd\r2026-11-22 10:00:12 INFO fine"]))


def test_stamps_without_a_year_or_a_date_go_on_over_its_end() -> None:
    lines = [f"Dec 31 {22 + n // 60}:{n % 60:02}:00 host app[1]: tick {n}" for n in range(120)]
    lines += [f"Jan  1 00:{n:02}:00 host app[1]: tick {n}" for n in range(60)]
    assert "(2h 59m)" in said(outline(lines))
    clock = [f"{s // 3600 % 24:02}:{s // 60 % 60:02}:{s % 60:02} INFO tick {s}" for s in range(80_000, 280_000, 700)]
    assert "(2d 7h)" in said(outline(clock))


def test_counts_of_a_long_access_log_are_exact() -> None:
    r = random.Random(2)
    statuses: Counter[str] = Counter()
    lines = []
    for n in range(42_000):
        statuses[status := r.choice(("200", "200", "404"))] += 1
        stamp = f"01/Mar/2024:{n // 3600 % 24:02}:{n // 60 % 60:02}:{n % 60:02}"
        lines.append(f'10.0.0.{n % 250} - - [{stamp} +0000] "GET /x/{r.randint(1, 99)} HTTP/1.1" {status} {n % 7000}')
    told = said(outline(lines))
    assert f"200: {statuses['200']:,} · 404: {statuses['404']:,}" in told
    assert "1 kind of request: 42,000× GET /x/*" in told


@pytest.mark.parametrize(
    "said",
    [
        "retries exhausted for pier 7",
        "assertion violated: load above limit",
        "gave up on the tide table",
        "crane stuck",
    ],
)
def test_what_went_wrong_without_the_word_error_is_not_denied(said: str) -> None:
    lines = [f"2031-07-04 08:{n // 60:02}:{n % 60:02} INFO tide {n * 17 % 997} cm at the gauge" for n in range(200)]
    lines[90] = f"2031-07-04 08:01:30 INFO {said}"
    shown = compact("\n".join(lines), budget=300).text
    assert said in shown
    assert "none found" not in shown


@pytest.mark.parametrize(
    ("calm", "bad", "level"),
    [
        ("<6>kernel: lamp {n} lit", "<3>kernel: lamp 9 has no current", "ERROR"),
        ("<13>1 2031-07-04T08:00:00Z pier7 tide {n}", "<10>1 2031-07-04T08:00:00Z pier7 tide 9", "CRITICAL"),
        (
            'gate-1 | {{"level":30,"time":1940918400{n},"pid":1,"msg":"box {n}"}}',
            'gate-1 | {"level":60,"time":1940918400151,"pid":1,"msg":"box 9"}',
            "FATAL",
        ),
    ],
)
def test_a_level_that_is_a_number_is_counted_and_not_denied(calm: str, bad: str, level: str) -> None:
    lines = [calm.format(n=n) for n in range(100, 300)]
    lines[150] = bad
    shown = compact("\n".join(lines), budget=300).text
    assert "200 lines, 1 error" in shown
    assert f"levels: {level} 1 · " in shown
    assert f"151: {bad}" in shown
    assert "none found" not in shown
    calmly = compact("\n".join(calm.format(n=n) for n in range(100, 300)), budget=300).text
    assert "none found" in calmly


def test_what_a_compiler_warns_of_is_no_failure() -> None:
    """A warning at a place speaks of the source: "always throw an exception" did not happen."""
    steps = [f"[INFO] --- step:{n}.0:run (default) @ ferry ---" for n in range(40)]
    warned = [
        "[WARNING] /src/main/Ferry.java:[15,3] [ThrowsAlways] Methods that always throw an exception should say so",
        "  Did you mean '@Throws(\"Always throws java.lang.IllegalStateException\") @Test'?",
        "[WARNING] /src/main/Pier.java:57: warning: @param failed has already been specified",
    ]
    text = "\n".join([*steps, *warned, "[WARNING] pier closed", "[INFO] BUILD SUCCESS"]) + "\n"
    out = compact(text, budget=400, threshold=0).text
    assert "failure" not in out and "BUILD SUCCESS" in out
    failed = compact(text.replace("pier closed", "Connection failed: refused"), budget=400, threshold=0).text
    assert "1 failure message" in failed


def test_an_id_that_has_no_digit_by_chance_is_as_the_others() -> None:
    """Two such ids once stood as rare beside a value that is one, and with more than three nothing was told."""
    ids = [f"{n * 2654435761 % 2**32:08x}" for n in range(1, 400)]
    ids[50:52] = ["fbfcfdbb", "fedecefb"]
    lines = [
        f"2026-03-01 10:{n // 60:02}:{n % 60:02} INFO served id={one} in {20 + n % 7} ms" for n, one in enumerate(ids)
    ]
    lines[300] = lines[300].replace(" in ", " in 8").replace(" ms", "77 ms")
    out = compact("\n".join(lines) + "\n", budget=400, threshold=0).text
    assert "fbfcfdbb" not in out and "fedecefb" not in out and "301: " in out


def test_source_that_a_build_quotes_is_no_failure() -> None:
    quoted = [
        "/**",
        " * Checks all exceptions for a violation of the berth.",
        " */",
        "private void check(Ship ship) throws LostException {",
        "    addFailure(ship, exception);",
        "}",
    ]
    steps = [f"    [javac] Compiling {n} source files to /tmp/pier" for n in range(40)]
    ended = ["   [concat]   failures: 0, errors: 0.", "BUILD SUCCESSFUL", "finished"]
    text = "\n".join(["started", *steps, *(f"      [cpd]     {line}" for line in quoted), *ended])
    out = compact(text, budget=300, threshold=0).text
    assert "failure" not in out.split("\n")[1] and "BUILD SUCCESSFUL" in out


def test_a_word_where_numbers_stand_is_odd_and_two_lines_of_a_kind_are() -> None:
    """A loss that is ``nan`` says that a training failed; of two lines that warn the second was not kept."""
    steps = [f"2026-03-01 10:{n // 60:02}:{n % 60:02} INFO step {n} loss {3 / (1 + n / 500):.4f}" for n in range(3000)]
    for at in (1555, 2222):
        steps[at] = f"2026-03-01 10:{at // 60:02}:{at % 60:02} INFO step {at} loss nan"
    assert "loss nan ← loss nan 2 times in 3,000 such lines" in compact("\n".join(steps), budget=400, threshold=0).text
    steps[1555:1557] = [line.replace("INFO", "WARNING") + " nan, skipped" for line in steps[1555:1557]]
    told = compact("\n".join(steps), budget=400, threshold=0).text
    assert all(f"{n}: {steps[n - 1]} ← " in told for n in (1556, 1557))


def test_blank_lines_are_no_entries() -> None:
    lines = [f"[{n:>5}.{n * 7919 % 999983:06}] crane{n % 5}: load {n * 31 % 97} moved" for n in range(120)]
    lines[60] += "\n    at rope.pull(17)\n    at rope.moor(4)"
    text = compact("\n\n".join(lines), budget=300, threshold=100).text
    assert "in 120 entries" in text or "entries" not in text, text
