"""What a reader sees of a log: lines as they stand, in file order, with gaps that count exactly."""

from __future__ import annotations

import re

import pytest

from mcpcompact import compact

TRACE = """\
Traceback (most recent call last):
  File "/usr/lib/python3.11/runpy.py", line 196, in _run_module_as_main
    return _run_code(code, main_globals, None,

  File "/app/jobs/{job}.py", line 12, in main
    prepare(args)
  File "/app/jobs/prepare.py", line 31, in prepare
    table = load(args.path)

  File "/app/jobs/tables.py", line 92, in load
    with open(name) as lines:
  File "/usr/lib/python3.11/site-packages/reader/core.py", line 7, in read
    raise error
FileNotFoundError: [Errno 2] No such file or directory: '/data/{job}.csv'
"""


def body(data: str, budget: int, **call: object) -> list[str]:
    text = compact(data, budget=budget, threshold=budget, **call).text  # type: ignore[arg-type]
    return [line for line in text.split("\n") if not line.startswith("[mcpcompact]")]


@pytest.mark.parametrize("budget", [280, 300, 320])
def test_every_line_below_a_number_stands_where_the_marks_say(budget: int) -> None:
    steps = "\n".join(f"2024-05-01 10:00:{n:02} INFO step {n} wrote /data/out-{n}.csv" for n in range(4))
    data = "\n".join([steps, TRACE.format(job="first"), "", steps, TRACE.format(job="second")])
    original = data.split("\n")
    at, counted, marks = 0, False, 0
    for line in body(data, budget):
        if numbered := re.match(r"(\d+): (.*)", line):
            if counted:  # a mark at the end of an entry counts up to the next line that is shown
                assert int(numbered[1]) == at + 1
            at, line = int(numbered[1]), numbered[2]
        elif mark := re.fullmatch(r"…\[\+(\d+) lines?\]", line):
            at, counted, marks = at + int(mark[1]), True, marks + 1
            continue
        elif not at:
            continue
        else:
            at += 1
        counted = False
        assert original[at - 1].startswith(line.split("…[+")[0])
    assert marks


def test_lines_that_a_call_names_stand_in_file_order() -> None:
    lines = [f"step {n}: done in {n} ms" for n in range(60)]
    lines[20] = "loading beta-set from cache"
    lines[40] = "loading alpha-set from cache"
    shown = body("\n".join(lines), 120, tool="run", arguments={"command": "load alpha-set beta-set"})
    numbers = [int(found[1]) for line in shown if (found := re.match(r"(\d+)[: ]", line))]
    assert {21, 41} <= set(numbers)
    assert numbers == sorted(numbers)


def test_the_states_of_a_progress_line_are_those_of_its_label() -> None:
    receiving = "\r".join(f"Receiving objects: {n}% ({n}/100)" for n in range(40))
    resolving = "\r".join(f"Resolving deltas: {n}% ({n}/100)" for n in range(101))
    data = f"Cloning into 'demo'...\n{receiving}\rremote: Total 100 (delta 9)\x1b[K\n{resolving}, done.\x1b[K\n"
    shown = "\n".join(body(data, 100))
    assert "remote: Total 100 (delta 9)\n" in shown
    assert "Resolving deltas: 100% (100/100), done. [the last of 101 states]" in shown
