# rtgauge: two commands do all the set-up on a fresh Debian or Ubuntu.
#
#   make evaluate   judge this machine: ends with a verdict and the path of the report
#   make test       all tests: engine (sanitizers), host, browser
#   make check      the gate: format, lint, types
#
# What was set up once is reused; each stamp below depends on what would make it stale.

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(or $(shell head -n 1 $(VENV)/bound 2>/dev/null),python3)
STAMPS := build/stamps
PIP := $(BIN)/python -m pip install --disable-pip-version-check --no-deps

RUN_PACKAGES := gcc libc6-dev make cmake ninja-build musl-tools $(if $(filter python3,$(PYTHON)),python3 python3-venv)
# Machines in emulation: a big-endian one, and processors whose clocks this one does not have.
EMULATED := $(if $(filter x86_64,$(shell uname -m)),qemu-user $(foreach arch,aarch64:arm64 riscv64:riscv64 s390x:s390x,\
  gcc-$(firstword $(subst :, ,$(arch)))-linux-gnu libc6-dev-$(lastword $(subst :, ,$(arch)))-cross))
# The virtual lab: guests in QEMU, and what their kernel module is built with; boards, and what builds for them.
LAB := $(if $(filter x86_64,$(shell uname -m)),qemu-system-x86 qemu-system-arm libelf-dev)
BOARDS := $(if $(filter x86_64,$(shell uname -m)),qemu-system-misc gcc-arm-none-eabi gcc-riscv64-unknown-elf \
  $(if $(shell command -v cargo),,cargo))
TEST_PACKAGES = rt-tests poppler-utils libcap2-bin $(LAB) $(BOARDS) $(EMULATED) $(shell tools/chromium.sh)

# Folders too: theirs is the time at which a file was removed.
SOURCES := $(shell find src engine cmake -name __pycache__ -prune -o -print 2>/dev/null) CMakeLists.txt pyproject.toml
C_SOURCES := $(shell find engine -name '*.[ch]')

.PHONY: evaluate test check format install bench mutate clean pin FORCE
.DELETE_ON_ERROR:
.NOTPARALLEL:

evaluate: $(VENV)/installed
	@$(BIN)/rtgauge evaluate $(ARGS)

install: $(VENV)/installed

# ---- set-up ---------------------------------------------------------------------------------------------------------

$(STAMPS)/run-packages: Makefile tools/packages.sh
	@tools/writable.sh . build build/* $(VENV)
	@tools/packages.sh $(RUN_PACKAGES) $(if $(filter test bench,$(MAKECMDGOALS)),$(TEST_PACKAGES))
	@mkdir -p $(@D) && touch $@

$(STAMPS)/test-packages: Makefile tools/packages.sh tools/chromium.sh | $(STAMPS)/run-packages
	@tools/packages.sh $(TEST_PACKAGES)
	@touch $@

# A virtual environment and a build are bound to their path and their Python: when one has changed, both are made again.
ifneq ($(shell cat $(VENV)/bound 2>/dev/null),$(PYTHON) $(shell readlink -f $(BIN)/python) $(CURDIR))
$(VENV)/bound: FORCE
endif
$(VENV)/bound: | $(STAMPS)/run-packages
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	  { echo "rtgauge: Python 3.10 or newer is needed; try: make PYTHON=python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	@[ -x $(BIN)/python ] && [ ! -e $@ ] || rm -rf $(VENV) build/wheel-* build/tests
	@$(PYTHON) -m venv $(VENV)
	@{ echo $(PYTHON); readlink -f $(BIN)/python; pwd -P; } >$@

$(VENV)/run-python: constraints/run.txt $(VENV)/bound
	@tools/writable.sh $(VENV)
	@echo "Python packages for rtgauge ..."
	@$(PIP) -q --require-hashes -r constraints/run.txt
	@touch $@

$(VENV)/dev-python: constraints/dev.txt $(VENV)/bound | $(VENV)/run-python
	@tools/writable.sh $(VENV)
	@echo "Python packages for the tests ..."
	@$(PIP) -q --require-hashes -r constraints/dev.txt
	@touch $@

$(VENV)/installed: $(VENV)/run-python $(SOURCES)
	@tools/writable.sh build build/* $(VENV)
	@echo "engine and package ..."
	@tools/quietly.sh build/install.log $(PIP) --no-build-isolation --force-reinstall .
	@touch $@

# ---- tests ----------------------------------------------------------------------------------------------------------

test: $(VENV)/installed $(VENV)/dev-python $(STAMPS)/test-packages
	@tools/chromium.sh $(BIN)
	@tools/engine_tests.sh
	@PATH="$(CURDIR)/$(BIN):$$PATH" tools/tests.sh $(BIN)/python $(ARGS)

check: $(VENV)/dev-python
	@echo "clang-format, ruff, mypy"
	@$(BIN)/clang-format --dry-run --Werror $(C_SOURCES)
	@$(BIN)/ruff format --check src tests bench tools
	@$(BIN)/ruff check src tests bench tools
	@$(BIN)/mypy

format: $(VENV)/dev-python
	@$(BIN)/clang-format -i $(C_SOURCES)
	@$(BIN)/ruff format -q src tests bench tools
	@$(BIN)/ruff check -q --fix src tests bench tools

bench: $(VENV)/installed $(STAMPS)/test-packages
	@$(BIN)/python bench/run.py $(ARGS)

$(VENV)/mutation-python: constraints/mutation.txt $(VENV)/dev-python
	@echo "Python packages for mutation testing ..."
	@$(PIP) -q --require-hashes -r constraints/mutation.txt
	@touch $@

mutate: $(VENV)/installed $(VENV)/mutation-python
	@$(BIN)/python tools/mutate.py $(ARGS)

pin:
	@tools/pin.sh

clean:
	@rm -rf build $(VENV)
