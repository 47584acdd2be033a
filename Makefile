# Two commands do everything on a machine with git, make and Python 3.11 or newer: make demo, make test.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
AZURITE := $(VENV)/azurite

export MCPCOMPACT_TELEMETRY := 0  # demos, tests and benches are no use of the tool

.PHONY: demo test integration check bench fuzz fuzz-live gallery golden mutants samples usage clean

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	$(BIN)/python -m compileall -q mcpcompact
	touch $(STAMP)

demo: $(STAMP)
	$(BIN)/python samples/demo.py

test: $(STAMP)
	$(BIN)/python -m pytest -n 2

integration: $(STAMP)  # a real Dask cluster; stores that speak S3, GCS and Azure Blobs: too much to install for test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,integration]'
	-test -x $(AZURITE)/node_modules/.bin/azurite-blob || npm install --silent --omit=optional --prefix $(AZURITE) azurite@3
	$(BIN)/python -m pytest tests/batch/test_cluster.py tests/inputs/test_remote.py tests/integrations

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2

bench: $(STAMP)
	$(BIN)/python -m bench

N ?= 20000
fuzz: $(STAMP)  # damaged inputs at random options: make fuzz N=1000000 SEED=0
	$(BIN)/python -m bench.fuzz --runs $(N) --seed $(or $(SEED),0)

fuzz-live: $(STAMP)  # damaged payloads of hosts through the hook, damaged messages through the proxy
	$(BIN)/python -m bench.live --seed $(or $(SEED),0)

gallery: $(STAMP)
	$(BIN)/python -m bench.gallery

golden: $(STAMP)  # accept what the engine says now
	$(BIN)/python tests/golden_cases.py

usage: $(STAMP)  # the options of docs/usage.md, from the app; the reference of docs/library.md, from the docstrings
	$(BIN)/python -m scripts.usage
	$(BIN)/python -m scripts.api

mutants: $(STAMP)  # small defects planted in a copy of the tree: do the tests see them?
	$(BIN)/python -m scripts.mutants

samples: $(STAMP)
	$(BIN)/python samples/make.py

clean:
	rm -rf $(VENV) build *.egg-info .demo
