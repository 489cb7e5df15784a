# make run      the simulator with a shipped map and a p3dx
# make test     lint, then all tests
# make install  the environment in .venv, with this package
# make lint     ruff and mypy
# make docs     the pages that are written from tables
# make bench    measure speed
# A fresh machine needs make and Python 3.11 to 3.14 with its venv module, nothing else.

VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
ROBOT  ?= p3dx
MAP    ?= maps/office.map
JOBS   ?= 2
# The newest Python that will do; "make PYTHON=/path/to/python3.12 install" chooses another.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3.14 python3 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' \
	2>/dev/null && { echo $$p; break; }; done)

.PHONY: run test install lint docs bench pytest clean
.DEFAULT_GOAL := run

run: $(STAMP)
	bin/MobileSim -m $(MAP) -r $(ROBOT)

install: $(STAMP)

# Made again only when the dependencies may have changed.
$(STAMP): pyproject.toml
	@if ! $(BIN)/python -m pip --version >/dev/null 2>&1; then \
		if [ -z "$(PYTHON)" ]; then \
			echo "MobileSim needs Python 3.11 to 3.14, and there is none. On Debian: apt install python3 python3-venv" >&2; \
			exit 1; \
		fi; \
		echo "Making the environment in $(VENV) with $(PYTHON) ..."; \
		$(PYTHON) -m venv $(VENV) 2>/dev/null || $(PYTHON) -m virtualenv -q $(VENV) 2>/dev/null || { \
			rm -rf $(VENV); \
			echo "$(PYTHON) cannot make a virtual environment. On Debian: apt install python3-venv" >&2; \
			exit 1; \
		}; \
	fi
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'
	@touch $@

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy

# The protocol is held at full branch coverage; everything else runs beside it.
test: lint
	$(BIN)/python -m pytest tests/arcos -n $(JOBS) --cov=mobilesim_py/arcos --cov-branch --cov-fail-under=100 \
		--cov-report=term-missing:skip-covered
	$(BIN)/python -m pytest tests --ignore=tests/arcos -n $(JOBS)

pytest: $(STAMP)
	$(BIN)/python -m pytest tests -n $(JOBS)

docs: $(STAMP)
	$(BIN)/python -m mobilesim_py.option_docs > docs/options.md
	$(BIN)/python -m mobilesim_py.arcos.document > docs/commands.md

bench: $(STAMP)
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage htmlcov
