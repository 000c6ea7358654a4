import pytest

from memci.citations.code.code_files import is_binary, is_evidence


@pytest.mark.parametrize(
    "path",
    [
        "src/app.py", "Makefile", "package.json", ".github/workflows/ci.yml", "db/001.sql", "requirements-dev.txt",
        "CMakeLists.txt", "docs/conf.py", "templates/page.html", "Dockerfile", ".env.example", "go.mod", "bin/tool",
        "src/history.ts", "src/changelog.py", ".gitignore", "src/lock.rs", "build/webpack.js", "infra/main.tf",
    ],
)  # fmt: skip
def test_sources_settings_and_scripts_are_evidence(path: str) -> None:
    assert is_evidence(path)


@pytest.mark.parametrize(
    "path",
    [
        "README.md", "docs/guide.rst", "CHANGELOG", "LICENSE", "License.txt", "yarn.lock", "web/package-lock.json",
        "go.sum", "Cargo.lock", "logs/session.jsonl", "static/app.min.js", "node_modules/x/index.js", "vendor/x/y.go",
        "a/dist/index.js", "src/__snapshots__/a.test.ts.snap", "docs/api/index.html", "logo.svg", "notes.txt",
        "fix.patch", "app.js.map", "memci.sarif", f"dream-bundle/texts/{'0123456789abcdef' * 4}",
    ],
)  # fmt: skip
def test_prose_records_and_the_code_of_others_are_not(path: str) -> None:
    assert not is_evidence(path)


def test_binary_is_what_git_calls_binary() -> None:
    assert is_binary(b"a\0b")
    assert not is_binary(b"a" * 8_000 + b"\0")
