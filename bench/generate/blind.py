"""The blind set: written from the issue and the field's account alone, without a look at what we are good at.

Places, magnitudes (8 to 1,000 times the usual), the field that holds an anomaly and the shape of the input vary with
the seed. A rare value has the shape of the common ones where that is how such things look.
"""

from __future__ import annotations

from collections.abc import Callable

from bench.generate import blind_documents, blind_json, blind_logs
from bench.generate.case import Case

BLIND: dict[str, Callable[[int], Case]] = {**blind_json.KINDS, **blind_logs.KINDS, **blind_documents.KINDS}
BLIND_FIELD = (
    "github-issues", "pods-json", "service-log", "fasta-proteins", "git-diff", "search-nested", "ndjson-log",
    "csv-table", "search-hits", "pytest-v",
)  # fmt: skip
"""The ten kinds that the field was measured on, as a stranger would write them."""
