PYTHON ?= python3
BIN := .venv/bin
SHOP := build/shop
# Whoever is done takes work from the others, so that no core waits at the end.
PARALLEL := -n auto --dist worksteal
# Runs mypy beside a command: mypy has use for one core only. What it prints comes last, in one piece.
define beside-types
	@mkdir -p build
	@$(BIN)/mypy > build/types.txt 2>&1 & types=$$!; $(1); tests=$$?; \
	wait $$types; types=$$?; echo "mypy:"; cat build/types.txt; exit $$((tests + types))
endef
LOCK := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --no-emit-index-url

.PHONY: dream test test-all lint style e2e faults fuzz docs dist floor lock clean

# The main job on the bundled example: nothing but Python, git and make is needed.
dream: .venv/memci
	rm -rf $(SHOP)
	$(PYTHON) examples/shop/build.py $(SHOP)
	$(BIN)/memci -C $(SHOP) dream --engine local --force --now 2026-11-16T03:00:00Z --transcripts $(CURDIR)/examples/shop/transcripts --dry-run
	$(BIN)/memci -q -C $(SHOP) dream --engine local --force --now 2026-11-16T03:00:00Z --transcripts $(CURDIR)/examples/shop/transcripts
	@echo
	@echo "The example is in $(SHOP): look around with git status and git diff, take it back with"
	@echo "  $(BIN)/memci -C $(SHOP) undo"
	@echo "Next: cd your-repository && $(CURDIR)/$(BIN)/memci dream --dry-run"

# The gate, everything a change must pass: under 4 minutes on two cores, 350 seconds of CPU with mypy.
test: style
	$(call beside-types,$(BIN)/pytest $(PARALLEL))

# The gate with more examples, and what is marked as slow: about 8 minutes on two cores.
test-all: style
	$(call beside-types,MEMCI_PROFILE=ci $(BIN)/pytest $(PARALLEL) -m 'not e2e')

# Half a minute without caches, most of it mypy; a few seconds with them.
lint: style
	$(BIN)/mypy

# What takes a few seconds.
style: .venv/installed
	$(BIN)/ruff format --check action memci tests benchmarks tools
	$(BIN)/ruff check action memci tests benchmarks tools
	$(BIN)/lint-imports
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema custom.github-workflows-require-timeout .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-actions action.yml
	$(BIN)/zizmor --offline --quiet --persona=auditor .github action.yml
	$(BIN)/shellcheck action/*.sh

# What needs npm: the SARIF validator, and the client that loads what a dream leaves. A few minutes, most of them
# downloads; not in `make test-all`, which needs no network.
e2e: .venv/installed
	$(BIN)/pytest -m e2e --force-enable-socket

# Everything that can go wrong, tried at every point; one table. A quarter of an hour, `QUICK=--quick` a few minutes.
faults: .venv/installed
	$(BIN)/python -m tests.faults $(QUICK)

# A night of fuzzing: many new examples of each target and of whole dreams, then each guided by coverage for SECONDS.
SECONDS ?= 300
fuzz: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check atheris
	MEMCI_PROFILE=night MEMCI_FUZZ_EXAMPLES=100000 MEMCI_DREAMS=20000 \
		$(BIN)/pytest $(PARALLEL) -m 'not e2e' --timeout=0 tests/fuzz tests/dream/test_properties.py
	mkdir -p build
	$(BIN)/python -m tests.fuzz all -max_total_time=$(SECONDS) -artifact_prefix=build/

# Writes the generated pages of docs/.
docs: .venv/installed
	$(BIN)/python -m tools.docs.generate

# Wheel and sdist, built twice: the same source gives the same bytes.
dist: .venv/installed
	rm -rf dist build/again
	$(BIN)/python -m hatchling build -d dist
	$(BIN)/python -m hatchling build -d build/again
	cd dist && sha256sum -- * | (cd ../build/again && sha256sum --check)

# The tests of the gate with the oldest versions that pyproject.toml allows; `make test` takes the newest.
floor: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python build/floor
	$(BIN)/uv pip install --quiet --python build/floor/bin/python --resolution lowest-direct --editable '.[dev]'
	build/floor/bin/python -m pytest $(PARALLEL)

# What the action and the release install, by hash.
lock: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check uv
	$(LOCK) pyproject.toml -o action/requirements.txt
	$(LOCK) .github/release.in -o .github/release.txt

.venv/memci: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

clean:
	rm -rf .venv build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist
