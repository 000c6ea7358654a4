PYTHON ?= python3
BIN := .venv/bin
SHOP := build/shop
# Idle workers take tests from the others, so that no core waits at the end.
PARALLEL := -n auto --dist worksteal
# Runs mypy in parallel with a command, because it uses one core only, and prints its output last.
define beside-types
	@mkdir -p build
	@$(BIN)/mypy > build/types.txt 2>&1 & types=$$!; $(1); tests=$$?; \
	wait $$types; types=$$?; echo "mypy:"; cat build/types.txt; exit $$((tests + types))
endef
LOCK := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --no-emit-index-url

.PHONY: dream test test-all lint style e2e faults fuzz docs site dist floor lock clean

# Dreams over the bundled example, without a model and with the recorded replies of one. Needs only Python, git and make.
NIGHT := --force --now 2026-11-16T03:00:00Z --transcripts $(CURDIR)/examples/shop/transcripts
dream: .venv/memci
	@rm -rf $(SHOP) $(SHOP)-with-model
	@mkdir -p build
	@$(PYTHON) examples/shop/build.py $(SHOP) > build/shop.txt
	@$(PYTHON) examples/shop/build.py $(SHOP)-with-model >> build/shop.txt
	@echo "A week in the life of a small shop (examples/shop), consolidated without a model:"
	@$(BIN)/memci -C $(SHOP) dream --engine local $(NIGHT) --report $(abspath $(SHOP)).html
	@echo
	@echo "The same night with a model, whose recorded replies come with the example (no key, no network):"
	@$(BIN)/memci -C $(SHOP)-with-model dream --replay $(CURDIR)/examples/shop/replies $(NIGHT) --report $(abspath $(SHOP))-with-model.html
	@echo
	@echo "Every change:    git -C $(SHOP)-with-model diff        take it back: $(BIN)/memci -C $(SHOP)-with-model undo"
	@echo "The text of its pull request: docs/pull-request.md"
	@echo "Your repository: cd your-repository && $(CURDIR)/$(BIN)/memci check"
	@echo "                 $(CURDIR)/$(BIN)/memci dream --dry-run"

# The gate, which every change must pass: about 380 seconds of CPU time, so less than four minutes on two free cores.
test: style site
	$(call beside-types,$(BIN)/pytest $(PARALLEL))

# The gate with more examples, and the slow tests: about 8 minutes on two cores.
test-all: style site
	$(call beside-types,MEMCI_PROFILE=ci $(BIN)/pytest $(PARALLEL) -m 'not e2e')

# Half a minute without caches, most of it mypy; a few seconds with them.
lint: style
	$(BIN)/mypy

# The linters without mypy: a few seconds.
style: .venv/installed
	$(BIN)/ruff format --check action memci tests benchmarks tools
	$(BIN)/ruff check action memci tests benchmarks tools
	$(BIN)/lint-imports
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema custom.github-workflows-require-timeout .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-actions action.yml
	$(BIN)/zizmor --offline --quiet --persona=auditor .github action.yml
	$(BIN)/shellcheck action/*.sh
	$(BIN)/hadolint Dockerfile

# Tests that need npm: the SARIF validator, and the client that loads the result of a dream. A few minutes, most of them
# for downloads; not part of `make test-all`, which needs no network.
e2e: .venv/installed
	$(BIN)/pytest -m e2e --force-enable-socket

# Injects every fault at every point and prints a table: 15 minutes, or a few minutes with `QUICK=--quick`.
faults: .venv/installed
	$(BIN)/python -m tests.faults $(QUICK)

# Fuzzes for a night: many new examples of each target and of whole dreams, then each target by coverage for SECONDS.
SECONDS ?= 300
fuzz: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check atheris
	MEMCI_PROFILE=night MEMCI_FUZZ_EXAMPLES=100000 MEMCI_DREAMS=20000 \
		$(BIN)/pytest $(PARALLEL) -m 'not e2e' --timeout=0 tests/fuzz tests/dream/test_properties.py
	mkdir -p build
	$(BIN)/python -m tests.fuzz all -max_total_time=$(SECONDS) -artifact_prefix=build/

# Writes the generated parts of the documentation.
docs: .venv/installed
	$(BIN)/python -m tools.docs.generate

# Builds the documentation as a site in build/site; a link that leads nowhere and a request to another server fail it.
PAGES := README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md benchmarks/README.md benchmarks/scale.svg examples/shop/README.md plugin/README.md docs
site: .venv/installed
	@rm -rf build/pages build/site
	@mkdir -p build/pages
	@tar -cf - $(PAGES) | tar -xf - -C build/pages
	$(BIN)/mkdocs build --quiet
	$(BIN)/python -m tools.docs.check_site build/site

# Builds wheel and sdist twice, and checks that they are reproducible.
dist: .venv/installed
	rm -rf dist build/again
	$(BIN)/python -m hatchling build -d dist
	$(BIN)/python -m hatchling build -d build/again
	cd dist && sha256sum -- * | (cd ../build/again && sha256sum --check)

# Runs the tests of the gate with the oldest versions that pyproject.toml allows; `make test` uses the newest.
floor: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python build/floor
	$(BIN)/uv pip install --quiet --python build/floor/bin/python --resolution lowest-direct --editable '.[dev]'
	build/floor/bin/python -m pytest $(PARALLEL)

# Pins what the action and the release install, by hash.
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
