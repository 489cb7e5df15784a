# make run      the simulator with a shipped map and a p3dx
# make test     lint, then all tests
# make runtime  the environment in .venv, with this package and what running it needs
# make install  the same, with what testing needs, too
# make lint     ruff and mypy
# make docs     the pages that are written from tables
# make site     the docs as a site with search, in build/site
# make bench    measure speed
# make wheel    a wheel for this system and machine, in dist/, with the engine compiled
# make torture  attack it for an hour (MINUTES=10 SEED=1 ONLY=robots,files); the short form is part of make test
# A fresh machine needs make and Python 3.11 to 3.14 with its venv module, nothing else.

VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready-to-run
STAMP  := $(VENV)/.ready-to-test
PIP    := $(BIN)/python -m pip install --disable-pip-version-check
ROBOT  ?= p3dx
MAP    ?= maps/office.map
JOBS   ?= 2
MINUTES ?= 60
# The newest Python that will do; "make PYTHON=/path/to/python3.12 install" chooses another.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3.14 python3 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' \
	2>/dev/null && { echo $$p; break; }; done)

.PHONY: run test browser runtime install lint docs site bench torture wheel clean
.DEFAULT_GOAL := run

run: $(READY)
	bin/MobileSim -m $(MAP) -r $(ROBOT)

runtime: $(READY)

install: $(STAMP)

# Both are made again only when the dependencies may have changed. pip is not quiet: its lines show that something goes on.
$(READY): pyproject.toml
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
	@echo "Installing what the simulator needs, about 350 MB; this takes a minute or two ..."
	$(PIP) -e .
	@touch $@

$(STAMP): $(READY)
	@echo "Installing what the tests need, about 300 MB more ..."
	$(PIP) -e '.[dev]'
	@touch $@

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The engine is compiled first: tests of the real process must not wait for that. The protocols are held at full branch
# coverage. The browser runs by itself: its driver has an event loop of its own.
test: lint browser
	$(BIN)/python -m mobilesim_py warm
	$(BIN)/python -m pytest tests/protocols -n $(JOBS) --cov=mobilesim_py/protocols --cov-branch --cov-fail-under=100 \
		--cov-report=term-missing:skip-covered
	$(BIN)/python -m pytest tests --ignore=tests/protocols --ignore=tests/browser -n $(JOBS)
	$(BIN)/python -m pytest tests/browser -rs

# Chromium for the tests of the page, where it is missing and can be had.
browser:
	@if command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
		echo "Installing Chromium for the tests of the page ..."; \
		{ apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends chromium; } \
			>/dev/null 2>&1 || echo "Chromium cannot be installed here: the tests of the page are skipped."; \
	else \
		echo "There is no Chromium (apt install chromium): the tests of the page are skipped."; \
	fi

docs: $(STAMP)
	$(BIN)/python -m mobilesim_py.tools.tool_docs > docs/options.md
	$(BIN)/python -m mobilesim_py.protocols.arcos.document > docs/commands.md
	$(BIN)/python -m mobilesim_py.protocols.naio.document > docs/naio.md
	$(BIN)/python -m mobilesim_py models --docs docs
	$(BIN)/python -m mobilesim_py.services.ros.document docs/ros.md
	$(BIN)/python -m tests.notebook

site: $(STAMP)
	$(BIN)/python docs/site/stage.py build/site-source
	$(BIN)/python -m sphinx -q -W --keep-going build/site-source build/site
	@echo "The docs are at build/site/index.html"

bench: $(STAMP)
	$(BIN)/python -m benchmarks

# Loopback only; it ends by itself, and its last lines are a report.
torture: $(STAMP)
	$(BIN)/python -m mobilesim_py warm
	$(BIN)/python -m tests.torture --minutes $(MINUTES) $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only $(ONLY))

# A wheel for this system and machine, with the compiled engine in it: nothing is compiled where it is installed.
wheel: $(READY)
	$(BIN)/python -m mobilesim_py.app.shipping build/kernels
	MOBILESIM_KERNELS=build/kernels $(BIN)/python -m pip wheel --disable-pip-version-check --no-deps --wheel-dir dist .

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage htmlcov
