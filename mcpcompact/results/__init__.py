"""The results directory: where full results are kept, and proved to be kept.

``store`` is the directory as an object, ``layout`` its names and files, ``durable`` what makes a write
survive a crash, ``ownership`` which files are its own, ``view`` the line-friendly copies, ``cleaning``
what ``gc`` does.
"""

from __future__ import annotations

from mcpcompact.results.directory import ResultStore
from mcpcompact.results.stored import Problem, Reference, StoredResult

__all__ = ["Problem", "Reference", "ResultStore", "StoredResult"]
