"""Generators of realistic tool results with three planted anomalies each; the same seed gives the same bytes."""

from __future__ import annotations

from collections.abc import Callable

from bench.generate.case import Case, Planted, stands
from bench.generate.documents import code_view, git_diff, markdown, xml_report, yaml_config
from bench.generate.further import build_log, git_log, graph, metrics, page, plan
from bench.generate.logs import access_log, grep_hits, listing, processes, pytest_run, service_log
from bench.generate.records import csv_rows, issues, ndjson, pods, search
from bench.generate.sequences import barcodes, proteins

KINDS: dict[str, Callable[[int], Case]] = {
    "issues": issues,
    "pods": pods,
    "log": service_log,
    "proteins": proteins,
    "diff": git_diff,
    "search": search,
    "ndjson": ndjson,
    "csv": csv_rows,
    "grep": grep_hits,
    "pytest": pytest_run,
    "barcodes": barcodes,
    "access": access_log,
    "xml": xml_report,
    "processes": processes,
    "listing": listing,
    "yaml": yaml_config,
    "markdown": markdown,
    "code": code_view,
    "build": build_log,
    "metrics": metrics,
    "gitlog": git_log,
    "plan": plan,
    "page": page,
    "graph": graph,
}
FIELD = tuple(KINDS)[:10]
"""The ten kinds that the field was measured on; the rest is our own addition."""

__all__ = ["FIELD", "KINDS", "Case", "Planted", "stands"]
