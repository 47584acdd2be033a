"""Where full results are kept, and proved to be kept: ``ResultStore`` opens the place.

``base`` is what all places have in common, ``directory`` one on disk, ``objects`` one on an object store; ``layout``
has the names and files and what is handed out, ``meta`` which files are ours, ``durable`` what makes a write survive
a crash, ``view`` the line-friendly copies, ``cleaning`` what ``gc`` does, ``own`` our output that comes back, ``calls``
what models were asked.
"""

from __future__ import annotations

import os

from mcpcompact.inputs import is_url
from mcpcompact.results.base import Store
from mcpcompact.results.layout import Original, Problem, Reference, StoredResult


def ResultStore(  # reads as what it opens
    directory: str | os.PathLike[str], *, command: str = "mcpcompact results", options: str = ""
) -> Store:
    """The results directory at ``directory``, or with a URL (``s3://bucket/results``) the same on an object store.

    ``command`` is how a reader calls the reading commands, ``options`` what they need to find a directory that is not
    the usual one. Nothing is created before the first result is put.
    """
    if is_url(os.fspath(directory)):
        from mcpcompact.results.objects import ObjectStore

        return ObjectStore(directory, command=command, options=options)
    from mcpcompact.results.directory import DirectoryStore

    return DirectoryStore(directory, command=command, options=options)


def opened(named: str | None) -> Store:
    """The results directory that is named, or the one in force. Its commands name it where a later one would not find
    it."""
    from mcpcompact.config import results_dir
    from mcpcompact.shell import command, option

    directory, found_later = results_dir(named)
    return ResultStore(directory, options="" if found_later else command(*option("--results-dir", directory)))


__all__ = ["Original", "Problem", "Reference", "ResultStore", "Store", "StoredResult"]
