"""What a summary says of records is computed: the record it names, and counts, sums, extremes and order over all."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mcpcompact.llm.support import Support
from mcpcompact.llm.verify import verify

DEPLOYMENTS = [
    ("dep-1001", "web", "eu-west", "succeeded", 490, "2026-03-01T10:00:00Z", None),
    ("dep-1002", "api", "us-east", "failed", 61, "2026-03-02T10:00:00Z", "disk full on node"),
    ("dep-1003", "web", "us-east", "succeeded", 120, "2026-03-03T10:00:00Z", None),
    ("dep-1004", "billing", "eu-west", "failed", 305, "2026-03-04T10:00:00Z", "connection timed out"),
    ("dep-1005", "web", "eu-west", "succeeded", 77, "2026-03-05T10:00:00Z", None),
]
NAMES = ("id", "service", "region", "status", "duration_s", "created_at", "error")
SOURCE = json.dumps({"deployments": [dict(zip(NAMES, row, strict=True)) for row in DEPLOYMENTS]})


@pytest.mark.parametrize(
    "sentence",
    [
        "5 deployment events were returned; 3 succeeded and 2 failed.",
        "2 of the 5 deployments failed.",
        "2 out of 5 deployments failed.",
        "2 of 2 failed deployments have an error.",
        "The 5 deployments have a mean duration of 210.6 s.",
        "40% of deployments failed.",
        "The average duration is 210.6 s.",
        "The median duration was 120 s.",
        "dep-1001 took 490 s, while dep-1002 took 61 s.",
        "dep-1001 took 8.2 minutes.",
        "dep-1002 failed because the disk was full on node.",
        "dep-1003 did not fail.",
        "dep-1001 took longer than dep-1002.",
        "The longest deployment was dep-1001 with 490 s.",
        "dep-1001 was created before dep-1004.",
        "The deployments span 2026-03-01 to 2026-03-05.",
        "The durations range from 61 s to 490 s.",
        "dep-1001 was created on 1 March 2026.",
        "No deployment was cancelled.",
        "2 deployments in eu-west succeeded.",
    ],
)
def test_what_the_records_say_stays(sentence: str) -> None:
    assert verify(sentence, Support(SOURCE)).removed == []


@pytest.mark.parametrize(
    "sentence",
    [
        "3 of the 5 deployments failed.",
        "2 of 6 deployments failed.",
        "5 services were deployed.",
        "Across the 5 deployments the longest took 305 s.",
        "All deployments succeeded.",
        "No deployment failed.",
        "Only dep-1002 failed.",
        "dep-1002 succeeded.",
        "dep-1003 did not succeed.",
        "dep-1001 took 61 s.",
        "dep-1001 took 490 ms.",
        "dep-1001 took 61 s, while dep-1002 took 490 s.",
        "dep-1002 took longer than dep-1001.",
        "dep-1005 was the longest deployment.",
        "dep-1004 was created before dep-1001.",
        "The deployments span 2026-03-02 to 2026-03-05.",
        "The durations range from 62 s to 490 s.",
        "dep-1002 failed because the connection timed out.",
        "dep-1004 failed because of a wrong password.",
        "dep-1001 was approved by Carla Diaz.",
        "The average duration is 220.6 s.",
        "The deployments were probably delayed.",
    ],
)
def test_what_they_do_not_say_goes(sentence: str) -> None:
    assert verify(sentence, Support(SOURCE)).removed


PATCH = "".join(
    f"diff --git a/src/{name}.py b/src/{name}.py\n{head}@@ -1,{len(old)} +1,{len(new)} @@\n{old}{new}"
    for name, head, old, new in (
        ("reader", "--- a/src/reader.py\n+++ b/src/reader.py\n", "-a\n-b\n", "+c\n"),
        ("writer", "new file mode 100644\n--- /dev/null\n+++ b/src/writer.py\n", "", "+x\n+y\n+z\n"),
        ("gone", "deleted file mode 100644\n--- a/src/gone.py\n+++ /dev/null\n", "-q\n", ""),
    )
)


@pytest.mark.parametrize(
    ("sentence", "stays"),
    [
        ("src/reader.py lost 2 lines and gained 1.", True),
        ("src/writer.py was added with 3 lines added.", True),
        ("1 of the 3 files was deleted.", True),
        ("src/writer.py gained the most lines (3).", True),
        ("src/reader.py has a higher number of removed lines than src/gone.py.", True),
        ("src/reader.py lost 2 lines and src/gone.py lost 1 lines.", True),
        ("src/reader.py lost 2 lines and src/gone.py lost 2 lines.", False),
        ("src/reader.py gained 2 lines and src/writer.py gained 3 lines.", False),
        ("src/reader.py gained 2 lines.", False),
        ("src/gone.py was added.", False),
        ("2 of the 3 files were deleted.", False),
        ("src/gone.py has a higher number of removed lines than src/reader.py.", False),
    ],
)
def test_the_files_of_a_patch_are_records(sentence: str, stays: bool) -> None:
    assert (verify(sentence, Support(PATCH)).removed == []) is stays


PORTS = ("Hamburg", "Genoa")
SHIPS = json.dumps(
    [{"id": f"TRK{n}", "state": "lost" if n % 3 else "arrived", "port": PORTS[n % 2]} for n in range(401, 421)]
)


def test_a_place_that_was_passed_is_no_outcome() -> None:
    support = Support(SHIPS)
    assert verify("TRK401 passed Genoa.", support).removed == []
    assert verify("TRK401 passed Hamburg.", support).removed
    assert verify("TRK401 passed.", support).removed


@settings(max_examples=60, deadline=None)
@example("0", "0:+")
@given(st.text(max_size=300), st.text(max_size=200))
def test_nothing_breaks_the_check(source: str, sentence: str) -> None:
    verify(sentence, Support(source))
    verify(sentence, Support(SOURCE))


@pytest.mark.usefixtures("soon")
def test_a_megabyte_is_read_to_its_end() -> None:
    text = "".join(f"{n},host-{n},{n % 97} ms,{('ok', 'failed')[n % 2]}\n" for n in range(45_000))
    verify("\n".join(f"host-{n} took {n % 97} ms." for n in range(40)), Support("id,host,time,status\n" + text))


PARAGRAPHS = "\n\n".join(
    f"Request req-{1000 + n} {'was rejected: bad signature' if n % 9 == 4 else 'completed'}. req-{1000 + n} asked for "
    f"{('/v1/items', '/v2/export', '/v1/login')[n % 3 if n % 9 != 4 else 0]}. req-{1000 + n} took {20 + n} ms."
    for n in range(60)
)


def test_what_a_summary_shows_of_prose_is_no_source_for_all() -> None:
    """The facts quote some passages: of those none was rejected."""
    shown = "\n\n".join(part for part in PARAGRAPHS.split("\n\n") if "rejected" not in part)
    assert verify("None of the requests were rejected.", Support(PARAGRAPHS, shown)).removed
    assert not verify("None of the requests for /v2/export were rejected.", Support(PARAGRAPHS, shown)).removed


def test_a_field_does_not_hide_a_comparison() -> None:
    rows = "\n".join(
        f"job-{n} {('passed', 'failed: timeout after 30 s')[n % 7 == 0]} on 2026-03-{n:02d}" for n in range(1, 29)
    )
    assert not verify("By date, job-21 comes after job-6.", Support(rows)).removed
    assert verify("By date, job-6 comes after job-21.", Support(rows)).removed


def test_what_did_not_arrive_in_prose_is_checked() -> None:
    told = [
        f"Shipment TRK10{n} {'was lost' if n % 4 == 1 else 'arrived'}. TRK10{n} passed Genoa." for n in range(10, 40)
    ]
    support = Support("Report on shipments\n\n" + "\n\n".join(told))
    assert not verify("TRK1013 did not arrive.", support).removed
    assert verify("TRK1012 did not arrive.", support).removed


def test_a_most_common_outcome_that_no_record_has_is_removed() -> None:
    sentence = "The most common status was cancelled (3)."
    assert verify(sentence, Support(SOURCE)).removed == [(sentence, "'3' is not what the source gives")]


def test_the_ends_of_a_span_are_known_by_their_time() -> None:
    rows = json.dumps(
        [{"id": f"job-{n}", "begun": f"2026-03-{n % 9 + 1:02}T{n % 24:02}:{n * 7 % 60:02}:11Z"} for n in range(40)]
    )
    first, last = "2026-03-01 00:00", "2026-03-09 17:59"
    said = "Jobs were begun from {} to {}."
    assert not verify(said.format(first, last), Support(rows)).removed
    assert not verify(said.format("2026-03-01", "2026-03-09"), Support(rows)).removed
    assert verify(said.format(first, "2026-03-09 17:41"), Support(rows)).removed
    assert verify(said.format("2026-03-01 00:07", last), Support(rows)).removed
