# Everything below works on a machine with Python 3.11 and a package registry.
PYTHON  ?= $(shell command -v python3.11 || command -v python3)
VENV    ?= .venv
BIN     := $(VENV)/bin
WORKERS ?= $(shell nproc)
DATA    ?= data
CHAINS  ?= 18
SEED    ?= 1

.DEFAULT_GOAL := help
.PHONY: help chains test check bench schemas clean core test-tools node-tools docs starter-vectors

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(VENV)/.core: pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -c requirements.lock -e .
	@touch $@

$(VENV)/.test: $(VENV)/.core
	$(BIN)/python -m pip install -q --disable-pip-version-check -c requirements.lock -e '.[test,blender]'
	@touch $@

core: $(VENV)/.core ## the virtual environment with the core only

test-tools: $(VENV)/.test ## the virtual environment with everything the tests need

chains: $(VENV)/.core ## starter library, index, chains of all six families, verified, and a report with contact sheets
	$(BIN)/engine starter --out $(DATA)/starter
	$(BIN)/engine library build $(DATA)/starter --out $(DATA)/library --workers $(WORKERS)
	$(BIN)/engine slots propose $(DATA)/library --out $(DATA)/slots.json
	$(BIN)/engine build --library $(DATA)/library --slots $(DATA)/slots.json --out $(DATA)/chains --chains $(CHAINS) --seed $(SEED) --workers $(WORKERS) --times
	$(BIN)/engine verify $(DATA)/chains --library $(DATA)/library --workers $(WORKERS) --strict
	$(BIN)/engine stats $(DATA)/chains
	$(BIN)/engine report $(DATA)/chains --library $(DATA)/library --out $(DATA)/report --sheets 6 --seed $(SEED) --workers $(WORKERS)
	@echo "chains: $(DATA)/chains   report with contact sheets: $(DATA)/report/report.html"

node-tools: ## the glTF validator, where npm is there; without it the tests that need it skip and say so
	@if command -v npm >/dev/null; then npm ci --silent --no-audit --no-fund --prefix tools; else echo "npm is absent: validator tests skip"; fi

test: $(VENV)/.test node-tools ## the whole test suite
	$(BIN)/python -m pytest -n 2

check: $(VENV)/.test ## lint, format, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.test ## measured ratios, side by side in one run
	$(BIN)/python -m tools.bench

schemas: $(VENV)/.core ## regenerate schemas/json from the types
	$(BIN)/python -m schemas.export schemas/json

docs: $(VENV)/.core ## regenerate docs/commands.md from the help texts
	$(BIN)/python -m tools.describe_commands

starter-vectors: $(VENV)/.test ## embed the starter library's captions again, after a change of its models, the survey or the rules
	$(BIN)/python -m tools.starter_vectors

clean: ## remove the environment and generated data
	rm -rf $(VENV) $(DATA) build *.egg-info .mypy_cache .ruff_cache .pytest_cache
