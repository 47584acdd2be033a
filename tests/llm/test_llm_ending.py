"""The end of a process whose model gave no answer in time."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

LEFT = """
import sys, time
from mcpcompact.llm import client

client.GRACE = float(sys.argv[1])

def work():
    time.sleep(float(sys.argv[2]))
    open(sys.argv[3], "w").close()

try:
    client._within(time.monotonic() + 0.1, work)
except client.CallError as error:
    print(error)
"""


@pytest.mark.parametrize(("grace", "takes", "ends"), [(20.0, 1.0, True), (0.2, 30.0, False)])
def test_a_call_left_behind_may_finish_for_a_while(tmp_path: Path, grace: float, takes: float, ends: bool) -> None:
    done, began = tmp_path / "done", time.monotonic()
    argv = [sys.executable, "-c", LEFT, str(grace), str(takes), str(done)]
    told = subprocess.run(argv, capture_output=True, text=True, check=True, timeout=60).stdout
    assert "no answer within 0.1" in told
    assert done.exists() == ends
    assert time.monotonic() - began < 20
