PYTHON ?= python3
BIN := .venv/bin

.PHONY: test lint e2e docs clean

# Everything a change must pass.
test: lint
	$(BIN)/pytest -n auto

lint: .venv/installed
	$(BIN)/ruff format --check memci tests benchmarks
	$(BIN)/ruff check memci tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/zizmor --offline --quiet --persona=auditor .github

# What needs npm: the SARIF validator.
e2e: .venv/installed
	$(BIN)/pytest -m e2e --force-enable-socket

# Writes the generated pages of docs/.
docs: .venv/installed
	$(BIN)/python -m tests.generated

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist
