"""The samples: written by their script byte for byte, one a content type, small, and their odd part findable."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from mcpcompact import compact

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
EXPECTED = {
    "barcodes.fasta": "fasta",
    "events.json": "records",
    "health.json": "json",
    "orders.csv": "table",
    "service.log": "log",
    "refactoring.diff": "diff",
    "harbour.py": "code",
    "status.html": "markup",
    "journal.txt": "text",
}
ODD = {  # what a summary of 1,000 tokens must show
    "events.json": ["evt_48357", "503", "3912", "sa-east-1"],
    "health.json": ["replica lag 41 min", "ledger"],
    "service.log": ["StoreError: lease L-5521 lost", "48211", "override.toml"],
    "harbour.py": ["incident 4471"],
    "status.html": ["incident 4471", "delayed"],
    "journal.txt": ["mainspring"],
}


def test_make_writes_the_same_bytes() -> None:
    spec = importlib.util.spec_from_file_location("samples_make", SAMPLES / "make.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert set(module.SAMPLES) == set(EXPECTED)
    for name, make in (module.SAMPLES | module.SESSIONS).items():
        assert (SAMPLES / name).read_bytes() == make().encode(), f"{name}: run python samples/make.py"


def test_samples_are_small() -> None:
    sizes = {name: (SAMPLES / name).stat().st_size for name in EXPECTED}
    assert all(size >= 15_000 for size in sizes.values()), sizes
    assert sum(sizes.values()) < 600_000


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_content_type(name: str) -> None:
    assert compact((SAMPLES / name).read_bytes()).content_type == EXPECTED[name]


@pytest.mark.parametrize("budget", [150, 300, 1000])
@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_fits_and_fills_the_budget(name: str, budget: int) -> None:
    result = compact((SAMPLES / name).read_bytes(), budget=budget)
    assert result.tokens <= budget
    assert result.original_tokens < 4 * budget or result.tokens >= 0.85 * budget


@pytest.mark.parametrize("name", sorted(ODD))
def test_shows_what_is_odd(name: str) -> None:
    text = compact((SAMPLES / name).read_bytes(), budget=1000).text
    assert [needle for needle in ODD[name] if needle not in text] == []
