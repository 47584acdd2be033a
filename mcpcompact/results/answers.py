"""Answers of models, kept in a folder of the results directory so that the same question is not paid for twice.

A file an answer, named by the SHA-256 of the question (masked messages, model, address, parameters); the question
itself is not in it. At most ``MOST`` of them, the oldest go; ``results gc --older-than`` removes them too.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import suppress
from typing import Any

from mcpcompact.results.durable import files_of_form, make_below, make_directory, open_regular, stage
from mcpcompact.results.meta import ANSWER_NAME

FOLDER = ".answers"
MOST = 1_000
MOST_BYTES = 1 << 20


class Answers:
    """The answers kept in ``directory``. A failure to read or write one costs a call, never a run."""

    def __init__(self, directory: str) -> None:
        self._folder = os.path.join(directory, FOLDER)

    def get(self, question: Any) -> dict[str, Any] | None:
        with suppress(OSError, ValueError), open_regular(self._path(question)) as stream:
            found = json.loads(stream.read(MOST_BYTES))
            if isinstance(found, dict):
                return found
        return None

    def put(self, question: Any, answer: dict[str, Any]) -> None:
        with suppress(OSError):
            make_directory(os.path.dirname(self._folder))
            make_below(os.path.dirname(self._folder), self._folder, 0o700)
            stage(self._folder, [json.dumps(answer).encode()]).publish(self._path(question))
            for path in sorted(files_of_form(self._folder, ANSWER_NAME), key=_changed)[:-MOST]:
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
