# make demo   creates .venv, installs, solves three games of poker, writes seqform-demo/report.html
# make test   creates .venv, installs the test extra, runs linters and the suite
# make test-long  the tests of more than 10 s each, which `make test` leaves out, and laws on new games
# make test-elsewhere  the suite as on other machines: other instructions, seeds and orders, a load
# make test-versions  unit tests and laws on every Python of PYTHONS, and on the oldest dependencies
# make docs   the documentation site; open out/site/index.html
# make soak   2,000 random games in every way there is, for at most SOAK_MINUTES
# make mutants  changes of the code that no test notices (an hour or two, at the lowest priority)
# make bench  the measured comparisons (long)
# make figures  measures all experiments anew, and draws all pictures (most of an hour)
# make notebooks  runs the tutorials, and keeps what comes out
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1

# A thousand processes of the tests would compile every module anew if they may keep nothing.
export PYTHONDONTWRITEBYTECODE =

.PHONY: setup demo test test-long test-elsewhere test-versions soak lint mutants docs bench figures notebooks clean

setup: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "seqform needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.installed-test: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

$(VENV)/.installed-mutants: $(VENV)/.installed-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[mutants]'
	touch $@

$(VENV)/.installed-docs: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@

$(VENV)/.installed-bench: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	touch $@

demo: setup
	$(BIN)/seqform demo

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint
	$(BIN)/python -m pytest -n auto --dist loadfile

test-long: $(VENV)/.installed-test
	$(BIN)/python -m pytest -n auto --dist loadfile -m long --hypothesis-profile anew
	$(BIN)/python -m pytest -n auto --dist loadfile --hypothesis-profile anew tests/laws

test-elsewhere: $(VENV)/.installed-test
	$(BIN)/python -m tools.elsewhere

# Each in an environment of its own, .venv/on-NAME, made by uv; oldest: every dependency at the
# lowest version that pyproject.toml allows, on the first Python.
PYTHONS ?= 3.11 3.12 3.13
UV := $(BIN)/python -m uv
OLD_WARNINGS := -W ignore::DeprecationWarning -W ignore::SyntaxWarning  # old libraries' own
test-versions: $(PYTHONS:%=test-on-%) test-on-oldest

test-on-%: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(UV) venv --quiet --clear --seed --python $(if $(filter oldest,$*),$(firstword $(PYTHONS)),$*) $(VENV)/on-$*
	$(UV) pip install --quiet --python $(VENV)/on-$* $(if $(filter oldest,$*),--resolution lowest-direct) --editable '.[test]'
	$(VENV)/on-$*/bin/python -m pytest -n auto $(if $(filter oldest,$*),$(OLD_WARNINGS)) tests/unit tests/laws

SOAK_GAMES ?= 2000
SOAK_MINUTES ?= 60
soak: $(VENV)/.installed-test
	$(BIN)/python -m tests.soak --games $(SOAK_GAMES) --minutes $(SOAK_MINUTES)

mutants: $(VENV)/.installed-mutants
	nice -n 19 $(BIN)/python -m tools.mutants measure
	nice -n 19 $(BIN)/python -m tools.mutants try

docs: $(VENV)/.installed-docs
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -c docs -d out/doctrees . out/site

bench: $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks.run
	$(BIN)/python -m tools.tables

figures: $(VENV)/.installed-bench
	$(BIN)/python -m tools.figures

notebooks: $(VENV)/.installed-test
	$(BIN)/python -m tools.notebooks

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
