"""Some of the recorded runs: by time, and by what they were."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from typing import Any

from mcpcompact.errors import CannotReadError, UsageError
from mcpcompact.telemetry.record import runs

SECONDS = {"d": 86_400, "h": 3_600, "m": 60}
_AGE = re.compile(r"(\d{1,6})([dhm])")
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?Z?)?")


def chosen_runs(
    directory: str, since: str | None = None, until: str | None = None, **picked: str | None
) -> Iterator[Mapping[str, Any]]:
    """Runs from ``since`` on and before ``until`` (an age such as 7d, or a date), whose fields have the values
    ``picked`` (None: any). Raises ``UsageError`` for what is no time, ``CannotReadError``."""
    first, end = _moment(since), _moment(until)
    try:
        for run in runs(directory):
            in_time = (not first or run["time"] >= first) and (not end or run["time"] < end)
            if in_time and all(value is None or run.get(name) == value for name, value in picked.items()):
                yield run
    except OSError as error:
        raise CannotReadError(f"cannot read the telemetry: {error.strerror or error}") from error


def _moment(text: str | None) -> str:
    """A time as the lines have it, in UTC; empty for none."""
    if text is None:
        return ""
    if age := _AGE.fullmatch(text):
        since = max(0.0, time.time() - int(age[1]) * SECONDS[age[2]])
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(since))
    if _DATE.fullmatch(text):
        return text.replace(" ", "T")
    raise UsageError(
        f"'{text}' is not a time", hint="give an age such as 7d, 12h or 90m, or a date such as 2026-05-01T10:00"
    )
