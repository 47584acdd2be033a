"""SQLite databases in which hosts keep their sessions: opened so that nothing is written beside them."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import quote

from mcpcompact.errors import InputError
from mcpcompact.transcripts.document import Document

MARK = b"SQLite format 3\0"


def columns(document: Document, table: str) -> set[str]:
    """The columns of a table; none when the file is no database, or has no such table."""
    if not document.raw.startswith(MARK):
        return set()
    try:
        return {row["name"] for row in rows(document, f"select name from pragma_table_info('{table}')")}
    except InputError:
        return set()


def note_log(document: Document) -> None:
    """Say it when the latest changes stand in a log beside the database, which only its host can read safely."""
    log = f"{document.path}-wal"
    if os.path.exists(log) and os.path.getsize(log):
        document.problems.append(
            "changes in the write-ahead log beside the database were not read; close its host first"
        )


def rows(document: Document, query: str, *values: object) -> Iterator[dict[str, Any]]:
    """The rows of a query. Raises ``InputError`` when the database is broken."""
    try:
        with closing(sqlite3.connect(f"file:{quote(document.path)}?mode=ro&immutable=1", uri=True)) as base:
            base.row_factory = sqlite3.Row
            yield from map(dict, base.execute(query, values))
    except sqlite3.Error as error:
        raise InputError(f"{document.path}: {error}") from error
