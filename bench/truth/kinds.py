"""The generators by name."""

from __future__ import annotations

from collections.abc import Callable

from bench.truth import documents, findings, listings, logs, records, searches, sequences, tables, views
from bench.truth.case import Case, R

KINDS: dict[str, Callable[[R], Case]] = {
    "json": records.as_json,
    "ndjson": records.as_ndjson,
    "csv": tables.as_csv,
    "psql": tables.as_psql,
    "markdown-table": tables.as_markdown,
    "aligned": tables.as_aligned,
    "log": logs.plain,
    "access": logs.access,
    "keyed": logs.keyed,
    "bare": logs.bare,
    "sequences": sequences.make,
    "search-report": searches.make,
    "findings": findings.make,
    "workloads": findings.workloads,
    "view": views.view,
    "outcomes": views.outcomes,
    "nested": documents.nested,
    "xml": documents.xml,
    "html": documents.html,
    "markdown": documents.markdown,
    "changelog": documents.changelog,
    "yaml": documents.yaml,
    "source": documents.source,
    "prose": documents.prose,
    "numbers": documents.numbers,
    "ls": listings.ls,
    "find": listings.find,
    "du": listings.du,
    "grep": listings.grep,
    "diff": listings.diff,
    "git-log": listings.git_log,
    "git-blame": listings.git_blame,
    "web": listings.web,
}
