"""What is odd, the same for every content type: at the border, and in what has no bulk or no gap."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest

from mcpcompact import compact
from mcpcompact.content.anomalies.words import LOUD_ENTRY, SEVERE, severe_stems


def _csv(values: list[int]) -> str:
    return "name,load\n" + "\n".join(f"n{i * 7919 % 1000},{v}" for i, v in enumerate(values))


def _records(values: list[int]) -> str:
    return json.dumps([{"name": f"n{i * 7919 % 1000}", "load": v} for i, v in enumerate(values)])


def _xml(values: list[int]) -> str:
    return "<r>\n" + "\n".join(f'<e name="n{i * 7919 % 1000}" load="{v}"/>' for i, v in enumerate(values)) + "\n</r>"


def _log(values: list[int]) -> str:
    return "\n".join(
        f"2026-01-01 10:{i // 60:02d}:{i % 60:02d} INFO request done load={v} by n{i % 7}" for i, v in enumerate(values)
    )


def _yaml(values: list[int]) -> str:
    return "\n".join(f"- name: n{i * 7919 % 1000}\n  load: {v}" for i, v in enumerate(values))


def _marked(text: str) -> str:
    shown = compact(text.encode(), budget=700, threshold=100).text
    return "\n".join(line for line in shown.split("\n") if "←" in line)


@pytest.mark.parametrize("write", [_csv, _records, _xml, _log, _yaml])
@pytest.mark.parametrize("seed", [1, 2])
def test_twice_the_largest_of_the_others_stands_out_in_every_type(write: Callable[[list[int]], str], seed: int) -> None:
    r = random.Random(seed)
    values = [round(r.gauss(200, 30)) for _ in range(300)]
    assert not _marked(write(values))
    values[111] = 2 * max(values) + 1
    assert str(values[111]) in _marked(write(values))


def test_a_finding_on_a_line_far_behind_all_others_is_kept() -> None:
    r = random.Random(3)
    errors = [
        f'<error line="{77_556 if i == 90 else r.randint(1, 900)}" severity="warning" message="m {i}" source="a.B"/>'
        for i in range(200)
    ]
    text = '<checkstyle version="10">\n<file name="/srv/a.java">\n' + "\n".join(errors) + "\n</file>\n</checkstyle>\n"
    assert ":77556" in compact(text.encode(), budget=400, threshold=100).text


FAILING = """Errors fatal CRITICAL panicked traceback exceptions failing denied refused timeouts time-out
unreachable corrupted crashed aborting unhealthy deadlocked oomkill segfault SIGSEGV sigkill killed unhandled rejected
unauthorised forbidden invalid broken emergency degraded evicted aFailed xBackOff ErrNo ECONNRESET ETIMEDOUT EACCES
ENOENT EPIPES FailedMount BackOffLimit OOMKilled CrashLoopBackOff panic: FAILURE"""


def test_what_a_search_for_failures_finds_holds_one_of_the_stems() -> None:
    for said in (*FAILING.split(), "out of memory", "core dumped"):
        assert SEVERE.search(said) or LOUD_ENTRY.search(said), said
        assert severe_stems(["nothing", said]), said
    assert severe_stems(["a plain text", "of ordinary words"]) == []


def test_versions_and_times_are_no_decimals() -> None:
    from mcpcompact.content.anomalies.lines import Tally

    tally = Tally()
    for n in range(40):
        tally.add(2 * n, f'version = "{9 if n == 7 else 1}.{n}.0"')
        tally.add(2 * n + 1, f"timeout: {3000 if n == 5 else 30}s")
    assert [odd.reason for odd in tally.odd(12)] == ["timeout 3000s, typically 30s (of 40 values)"]


@pytest.mark.parametrize(
    ("said", "failure"),
    [
        ("opened berth {n} with negotiated timeout 10000 for brig {n}", False),
        ("asked the quay {n} times, read_timeout=30 for brig {n}", False),
        ("brig {n}: RX errors 0  dropped 0 failed 0", False),
        ("moored brig {n}, failureThreshold: 3", False),
        ("brig {n}: mooring failed: 0 == depth", True),  # an assertion, no count
        ("brig {n}: timeout: 30s exceeded", True),
        ("brig {n}: connection timeout 10.0.0.1", True),
        ("brig {n}: 504 gateway timeout", True),
    ],
)
def test_a_setting_or_a_count_of_none_names_no_failure(said: str, failure: bool) -> None:
    calm = [{"id": n, "content": f"the tide of day {n * 7919} came in from berth {n} and left"} for n in range(90)]
    rows = [*calm, *({"id": n, "content": said.format(n=n)} for n in range(90, 95))]
    text = compact(json.dumps(rows), budget=300, threshold=0, store=None).text
    assert ("5 name a failure" in text) == failure
