"""Detection on the labelled look-alikes: at least 99 % right, total, bounded and the same for bytes and files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lookalikes import CASES

from mcpcompact import compact
from mcpcompact.content.detect import REGISTRY, Detection, detect
from mcpcompact.inputs.envelope import unwrap
from mcpcompact.source import Source


def seen(data: bytes) -> Detection:
    return detect(unwrap(Source(data)).source)


def test_look_alikes_are_told_apart() -> None:
    wrong = []
    for name, (accepted, data) in CASES.items():
        found = seen(data)
        if found.content_type not in accepted:
            wrong.append(
                f"{name}: {found.content_type} ({found.score:.2f}, {found.why}), expected {' or '.join(accepted)}"
            )
    assert not wrong, "\n".join(wrong)


def test_the_corpus_covers_every_type() -> None:
    counts = dict.fromkeys(REGISTRY, 0)
    for accepted, _ in CASES.values():
        counts[accepted[0]] += 1
    few = [name for name, number in counts.items() if number < 9]
    assert not few, f"nine texts of each type, some that only look like it, belong into tests/lookalikes.py: {few}"
    assert len(CASES) >= 80


@pytest.mark.parametrize("name", list(CASES))
def test_detection_says_why(name: str) -> None:
    found = seen(CASES[name][1])
    assert found.why
    assert 0.0 <= found.score <= 1.0
    assert found.content_type in REGISTRY


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400))
def test_detection_is_total(data: bytes) -> None:
    found = detect(Source(data))
    assert found.content_type in REGISTRY
    assert not any("sniffer failed" in why for _, _, why in found.verdicts)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                '{"a":',
                "[",
                "}",
                ">x\n",
                "ACGT\n",
                "@@ -1 +1 @@\n",
                "<p>",
                "| a |\n",
                "a,b\n",
                "ERROR ",
                "\r\n",
                "1:",
                "é",
                "\x00",
            ]
        )
    )
)
def test_detection_is_total_on_fragments(parts: list[str]) -> None:
    data = "".join(parts).encode()
    first, second = detect(Source(data)), detect(Source(data))
    assert first == second
    assert not any("sniffer failed" in why for _, _, why in first.verdicts)


@pytest.mark.usefixtures("soon")
def test_detection_is_bounded() -> None:
    for unit in (b"a", b" ", b"[", b"{", b"<", b">", b"a,", b'"', b"(", b"-", b"\n", b"A1 "):
        data = unit * (8_000_000 // len(unit))
        assert detect(Source(data)).content_type


def test_explaining_changes_nothing_and_asks_everyone() -> None:
    for name, (_, data) in CASES.items():
        source = unwrap(Source(data)).source
        short, told = detect(source), detect(source, explain=True)
        assert (short.content_type, short.score, short.why) == (told.content_type, told.score, told.why), name
        assert not told.verdicts or {verdict[0] for verdict in told.verdicts} == set(REGISTRY)


STRANGER = """
from mcpcompact.outline import Verdict

class Plan:
    name, extension = "plan", ".json"
    def sniff(self, sample):
        return Verdict(0.99 if '"planned_values"' in sample.head else 0.0, "a plan")

TYPE = Plan()
"""


def test_a_type_of_another_package_is_found_and_may_win(tmp_path: Path) -> None:
    (tmp_path / "planner.py").write_text(STRANGER)
    info = tmp_path / "planner-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: planner\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[mcpcompact.content]\nplan = planner:TYPE\n")
    program = (
        "from mcpcompact.content.detect import detect; from mcpcompact.outline import Source\n"
        'print(detect(Source(b\'{"planned_values": {"a": [1, 2]}}\')).content_type, '
        'detect(Source(b\'{"other": {"a": [1, 2]}}\')).content_type)'
    )
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), root])}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.split() == ["plan", "json"]


def test_statements_that_end_in_a_semicolon_are_no_table() -> None:
    lines = [f"{n}:\tthis.editor.setText(value{n});" for n in range(100, 140)]
    assert compact("\n".join(lines), budget=300, threshold=0).content_type != "table"


RACE = """\
==================
WARNING: ThreadSanitizer: data race (pid=71)
  Write of size 4 at 0x55e0 by thread T{n}:
    #0 work() /src/pool.cpp:{n} (pool+0x12{n}0)
    #1 void std::__invoke_impl<void, void (*)()>(std::__invoke_other) /usr/include/c++/12/bits/invoke.h:61 (pool+0x21c8)
    #2 <null> <null> (libstdc++.so.6+0xd44a2)
"""
DUMP = """\
Thread {n} (idle): "pool-{n}"
    wait (queue.py:180)
        Arguments:
            self: <Queue at 0x7fade9fe{n}>
    Thread.run (threading.py:982)
"""
PRINTED = {
    "sanitizer": "".join(RACE.format(n=n) for n in range(10, 30)),
    "dump of threads": "".join(DUMP.format(n=n) for n in range(10, 40)),
    "profile": "         510633 function calls in 0.859 seconds\n\n   ncalls  tottime  percall filename(function)\n"
    + "".join(f"      {n}    0.0{n}    0.001 parser.py:{n * 7}(parse_{n})\n" for n in range(10, 60)),
    "ticks": "".join(f'tick {n} {{"n":{n},"square":{n * n}}}\n' for n in range(90))
    + "Error: it broke {\n  code: 7\n}\n",
    "hypothesis": "============= test session starts =============\ncollected 1 item\n\n"
    + "".join(f"Trying example: test_sum(\n    x={n * 37 % 101},\n)\n" for n in range(80)),
    "behave": "Feature: ledger # feat/l.feature:1\n\n"
    + "".join(f"  Scenario: post {n} # feat/l.feature:{n}\n    Given an order # feat/s.py:2\n" for n in range(2, 40)),
    "robot": "=" * 78
    + "\nOrders\n"
    + "=" * 78
    + "\n"
    + "".join(f"{f'Post {n}':<70}| {'FAIL' if n == 7 else 'PASS'} |\n{'-' * 78}\n" for n in range(40)),
}


@pytest.mark.parametrize("name", list(PRINTED))
def test_what_a_program_prints_is_no_source_and_no_table(name: str) -> None:
    found = seen(PRINTED[name].encode())
    assert found.content_type in ("log", "text", *["table"] * (name == "profile")), found


def test_prose_below_headings_alone_is_markdown_and_outputs_below_them_are_not() -> None:
    told = "The gauge of quay {0} is read at noon by a master,\nwho writes it into the book that is kept in the tower."
    prose = "# Harbour\n\n" + "\n\n".join(f"## Quay {n}\n\n{told.format(n)}" for n in range(1, 9))
    text = compact(prose, budget=200, threshold=1, store=None)
    assert text.content_type == "markup"
    assert 'Markdown "Harbour"' in text.text
    printed = "\n\n".join(f"## ./gauge --quay {n}\ndepth={n}.4\nstate=open\nropes={n * 3}" for n in range(1, 19))
    assert compact(printed, budget=200, threshold=1, store=None).content_type != "markup"
