# rtgauge: two commands do all the set-up on a fresh Debian or Ubuntu.
#
#   make evaluate   judge this machine: ends with a verdict and the path of the report
#   make test       all tests: engine (sanitizers), host, browser
#   make check      the gate: format, lint, types
#
# What was set up once is reused; each stamp below depends on what would make it stale.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMPS := build/stamps
JOBS := $(shell nproc 2>/dev/null || echo 1)

RUN_PACKAGES := gcc libc6-dev make cmake ninja-build musl-tools $(if $(filter python3,$(PYTHON)),python3 python3-venv)
DEV_PACKAGES := $(RUN_PACKAGES) rt-tests chromium poppler-utils

SOURCES := $(shell find src engine cmake -type f -not -name '*.pyc' 2>/dev/null) CMakeLists.txt pyproject.toml
C_SOURCES := $(shell find engine -name '*.[ch]')

.PHONY: evaluate test check format install engine bench clean pin
.DELETE_ON_ERROR:

evaluate: $(STAMPS)/installed
	@$(BIN)/rtgauge evaluate $(ARGS)

install: $(STAMPS)/installed

# ---- set-up ---------------------------------------------------------------------------------------------------------

$(STAMPS)/run-packages:
	@tools/packages.sh $(RUN_PACKAGES)
	@mkdir -p $(@D) && touch $@

$(STAMPS)/dev-packages:
	@tools/packages.sh $(DEV_PACKAGES)
	@mkdir -p $(@D) && touch $@

$(BIN)/python: | $(STAMPS)/run-packages
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	  { echo "rtgauge: Python 3.10 or newer is needed; try: make PYTHON=python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(STAMPS)/run-python: constraints/run.txt | $(BIN)/python
	@echo "Python packages for rtgauge ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r constraints/run.txt
	@touch $@

$(STAMPS)/dev-python: constraints/dev.txt | $(STAMPS)/run-python $(STAMPS)/dev-packages
	@echo "Python packages for the tests ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r constraints/dev.txt
	@touch $@

$(STAMPS)/installed: $(STAMPS)/run-python $(SOURCES)
	@echo "engine and package ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall .
	@touch $@

# ---- tests ----------------------------------------------------------------------------------------------------------

test: $(STAMPS)/installed $(STAMPS)/dev-python
	@tools/engine_tests.sh
	@$(BIN)/python -m pytest $(ARGS)

check: $(STAMPS)/dev-python
	$(BIN)/clang-format --dry-run --Werror $(C_SOURCES)
	$(BIN)/ruff format --check src tests bench tools
	$(BIN)/ruff check src tests bench tools
	$(BIN)/mypy

format: $(STAMPS)/dev-python
	@$(BIN)/clang-format -i $(C_SOURCES)
	@$(BIN)/ruff format -q src tests bench tools
	@$(BIN)/ruff check -q --fix src tests bench tools

bench: $(STAMPS)/installed $(STAMPS)/dev-packages
	@$(BIN)/python bench/run.py $(ARGS)

pin:
	@tools/pin.sh

clean:
	@rm -rf build $(VENV)
