PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# A file's tests run in one process: what they share (a wheel, a server) is made once.
PYTEST := $(BIN)/pytest -n 2 --dist loadfile

# The folder that holds the big corpora: corpus/ and cases/.
SCHEMAFLOW_CORPUS ?= ../shared

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DELETE_ON_ERROR:
.PHONY: demo test test-all lint types bench clean

demo: $(VENV)/.installed-demo
	$(BIN)/schemaflow demo

test: $(VENV)/.installed-dev
	$(PYTEST) $(ARGS)

test-all: $(VENV)/.installed-dev
	SCHEMAFLOW_CORPUS='$(abspath $(SCHEMAFLOW_CORPUS))' $(BIN)/pytest -n 2 -m '' $(ARGS)

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

bench: $(VENV)/.installed-dev
	@set -e; for script in $(sort $(wildcard benchmarks/bench_*.py)); do \
		echo "== $$script"; \
		$(BIN)/python "$$script"; \
	done

clean:
	rm -rf $(VENV) dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# One stamp for each extra; `pip` runs again only when pyproject.toml has changed.
$(VENV)/.installed-%: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[$*]'
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed: make PYTHON=..." if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
