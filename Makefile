# `make help` lists the targets. Everything runs in .venv, which is made when it is missing or pyproject.toml changed.

# The first Python that is new enough; `make PYTHON=/path/to/python3.12 test` picks another.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Every distribution with its version and the hashes of its files; `make LOCKED=1 …` installs exactly these, as automation does.
LOCK := .ci/requirements.txt
FASTMCP := $(CURDIR)/.venv-fastmcp
CONFORMANCE := $(CURDIR)/.conformance
INSPECTOR := @modelcontextprotocol/inspector@2.12.0
NPM_OPTIONS := --no-audit --no-fund --loglevel=error --fetch-retries=1
ARGS ?=

.PHONY: help all lock demo test lint types format samples samples-check golden faults soak survival kills injection attacks fuzz bench side-by-side search-bench conformance clean

help: ## Lists the targets.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  \1|/' | column -t -s '|'

all: lint types test ## Everything that must pass before a change goes in.

$(READY): pyproject.toml $(if $(LOCKED),$(LOCK))
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11" >&2; exit 2; }
	@echo "Preparing $(VENV) (once; this takes a minute or two)"
	$(PYTHON) -m venv $(VENV)
ifdef LOCKED
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $(LOCK)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
else
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
endif
	@touch $(READY)

lock: $(READY) ## Renews the versions and hashes that automation installs, from the ranges in pyproject.toml.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'uv>=0.9,<1'
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
		--no-emit-index-url --no-header --upgrade --extra dev pyproject.toml --output-file $(LOCK)

demo: $(READY) ## Generates the orders server, runs it against its back end, and shows what a client sees.
	$(BIN)/python specs/orders/demo.py $(ARGS)

test: $(READY) ## Runs all tests on all cores; ARGS='-n 0 -k name' picks some, in one process.
	$(BIN)/python -m pytest -n logical --dist worksteal $(ARGS)

lint: $(READY) ## Checks style and formatting.
	$(BIN)/ruff check .
	$(BIN)/black --check --quiet . || { echo "Run: make format" >&2; exit 1; }

types: $(READY) ## Checks types, of mcpgen and of what it generates.
	$(BIN)/mypy
	MYPYPATH=generated/orders/src $(BIN)/mypy --strict --config-file= -p orders_mcp

format: $(READY) ## Formats the code.
	$(BIN)/ruff check --fix --quiet . || true
	$(BIN)/black --quiet .

samples: $(READY) ## Renews the committed output in generated/.
	$(BIN)/mcpgen generate specs/orders/openapi.yaml --output generated/orders --conflicts theirs

samples-check: $(READY) ## Fails when generated/ is not what the generator makes now.
	$(BIN)/python -m pytest tests/golden/test_samples.py

golden: $(READY) ## Renews the expected files of the golden and the error tests; review the difference.
	$(BIN)/python -m pytest tests/golden tests/errors --update-golden

faults: $(READY) ## Every kind of tool meets every fault of an API, in both protocol eras; prints the matrix.
	$(BIN)/python tests/faults/run.py $(ARGS)

soak: $(READY) ## 20 clients for 10 minutes against an API with 5 % faults; ARGS='--seconds 60' is shorter.
	$(BIN)/python tests/soak/soak.py $(ARGS)

survival: $(READY) ## Edits of three projects against changes of their APIs; prints the matrix. ARGS='--tests 10' is shorter.
	$(BIN)/python -m tests.survival $(ARGS)

kills: $(READY) ## Kills updates at 200 random points; the project is then the old or the new one.
	$(BIN)/python -m tests.survival.kills $(ARGS)

injection: $(READY) ## Every position of a description meets every payload: about 10 minutes; ARGS='--versions 3.1' is shorter.
	$(BIN)/python -m tests.injection $(ARGS)

attacks: $(READY) ## How many of the written attacks on a model are found; MCPGEN_CORPUS=folder of specs counts false alarms.
	@MCPGEN_CORPUS="$(MCPGEN_CORPUS)" $(BIN)/python -m tests.calibration.detecting

fuzz: $(READY) ## Any JSON as arguments of generated tools; MCPGEN_CORPUS=folder of specs, ARGS='a/openapi.json b/openapi.yaml'.
	$(BIN)/python -m tests.injection.fuzzing --corpus "$(MCPGEN_CORPUS)" $(ARGS)

mutation: $(READY) ## Puts faults into generated projects and tells which share their own tests find; MCPGEN_CORPUS=folder of specs, ARGS='--sample 50 --once'.
	@MCPGEN_CORPUS="$(MCPGEN_CORPUS)" $(BIN)/python -m tests.mutation $(ARGS)

bench: $(READY) ## Measures start-up, list size, generation, and compares with FastMCP; MCPGEN_CORPUS=folder of specs, MCPGEN_LABELS=folder with operations.json.
	@test -d "$(MCPGEN_CORPUS)" || { echo "Set MCPGEN_CORPUS to a folder of specs: netbox/, stripe/, kubernetes/ in it" >&2; exit 2; }
	@$(MAKE) --no-print-directory $(FASTMCP)/.ready || echo "SKIPPED: FastMCP cannot be installed; no comparison" >&2
	@MCPGEN_CORPUS="$(MCPGEN_CORPUS)" FASTMCP_PYTHON="$$(test -e $(FASTMCP)/.ready && echo $(FASTMCP)/bin/python)" $(BIN)/python tests/benchmarks/bench.py $(ARGS)
	@test ! -e $(FASTMCP)/.ready || $(MAKE) --no-print-directory side-by-side ARGS=

side-by-side: $(READY) $(FASTMCP)/.ready ## Compares tool lists with FastMCP's on ten specs; ARGS='--specs kratos,asana' picks others.
	@MCPGEN_CORPUS="$(MCPGEN_CORPUS)" MCPGEN_LABELS="$(MCPGEN_LABELS)" FASTMCP_PYTHON="$(FASTMCP)/bin/python" $(BIN)/python tests/benchmarks/side_by_side.py $(ARGS)

search-bench: $(READY) ## Measures find_tools; MCPGEN_CORPUS=folder of specs, MCPGEN_LABELS=folder with operations.json.
	@MCPGEN_CORPUS="$(MCPGEN_CORPUS)" MCPGEN_LABELS="$(MCPGEN_LABELS)" $(BIN)/python tests/benchmarks/search_bench.py $(ARGS)

conformance: $(READY) $(CONFORMANCE)/.ready ## Runs the MCP conformance suite and the Inspector on the example; ARGS=-v says more.
	$(BIN)/python tests/conformance/run.py $(ARGS)

# The suite needs a newer Node than many machines have, so it brings its own. Neither is a dependency of mcpgen.
$(CONFORMANCE)/.ready: tests/conformance/package.json
	@command -v npm >/dev/null || { echo "npm is needed to install the conformance suite; install Node.js" >&2; exit 2; }
	@echo "Preparing $(CONFORMANCE) (once; this takes a minute or two)"
	@mkdir -p $(CONFORMANCE) && cp $< $(CONFORMANCE)/
	@npm install --prefix $(CONFORMANCE) $(NPM_OPTIONS) \
		|| { echo "The conformance suite cannot be installed: npm says why, above" >&2; exit 2; }
	@npm install --prefix $(CONFORMANCE)/inspector --ignore-scripts $(NPM_OPTIONS) $(INSPECTOR) \
		|| echo "The MCP Inspector cannot be installed; its check will be skipped" >&2
	@touch $@

# The peer of the comparison, in an environment of its own: it is no dependency of mcpgen.
$(FASTMCP)/.ready:
	$(PYTHON) -m venv $(FASTMCP)
	$(FASTMCP)/bin/python -m pip install --quiet --disable-pip-version-check fastmcp==4.2.3
	@touch $@

clean: ## Removes the virtual environments, caches and build output.
	rm -rf $(VENV) $(FASTMCP) $(CONFORMANCE) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
