"""What models were asked: their answers, kept so that no question is paid for twice, and the audit of a result.

A file an answer, named by the SHA-256 of the question (masked messages, model, address, parameters); the question
itself is not in it. At most ``MAX`` of them, the oldest go; ``results gc --older-than`` removes them too.

The calls about a stored result stand in ``<tool>-<id>.audit.ndjson`` beside it, a line a call, mode 0600, masked by who
writes them; ``results gc`` removes it with its result.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from mcpcompact.results.durable import append, files_of_form, make_below, make_directory, open_regular, stage
from mcpcompact.results.layout import Reference, StoredResult
from mcpcompact.results.meta import ANSWER_NAME

FOLDER = ".answers"
MAX = 1_000
MAX_BYTES = 1 << 20


class Answers:
    """The answers kept in ``directory``. A failure to read or write one costs a call, never a run."""

    def __init__(self, directory: str) -> None:
        self._folder = os.path.join(directory, FOLDER)

    def get(self, question: Any) -> dict[str, Any] | None:
        """The answer that was kept for a question, None without one."""
        with suppress(OSError, ValueError), open_regular(self._path(question)) as stream:
            answer = json.loads(stream.read(MAX_BYTES))
            return answer if isinstance(answer, dict) else None
        return None

    def put(self, question: Any, answer: dict[str, Any]) -> None:
        """Keep an answer; the oldest beyond ``MAX`` go."""
        with suppress(OSError):
            make_directory(os.path.dirname(self._folder))
            make_below(os.path.dirname(self._folder), self._folder, 0o700)
            stage(self._folder, [json.dumps(answer).encode()]).publish(self._path(question))
            for path in sorted(files_of_form(self._folder, ANSWER_NAME), key=_changed)[:-MAX]:
                os.unlink(path)

    def _path(self, question: Any) -> str:
        text = json.dumps(question, sort_keys=True, ensure_ascii=False)
        return os.path.join(self._folder, f"{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()}.json")


def prune_answers(directory: str, older_than: float, dry_run: bool) -> int:
    """Remove answers older than so many seconds; the bytes that frees."""
    folder, freed = os.path.join(directory, FOLDER), 0
    with suppress(OSError):
        for path in files_of_form(folder, ANSWER_NAME):
            if time.time() - _changed(path) > older_than:
                freed += os.lstat(path).st_size
                if not dry_run:
                    os.unlink(path)
    return freed


def _changed(path: str) -> float:
    try:
        return os.lstat(path).st_mtime
    except OSError:
        return 0.0


ENDING = ".audit.ndjson"


def append_audit(reference: Reference, lines: Iterable[dict[str, Any]]) -> None:
    """Add lines to the audit of a result. Raises ``OSError``."""
    data = b"".join(json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n" for line in lines)
    append(_path(reference.path), data)


def read_audit(result: StoredResult) -> list[dict[str, Any]]:
    """The calls about a result, oldest first; none when no model was asked. A torn line counts for nothing."""
    calls = []
    with suppress(FileNotFoundError), open_regular(_path(result.path)) as stream:
        for line in stream:
            with suppress(ValueError):
                calls.append(json.loads(line))
    return calls


def _path(original: str) -> str:
    directory, name = os.path.split(original)
    return os.path.join(directory, name.partition(".")[0] + ENDING)
