import pytest

from memci.citations.code.repository_paths import Paths

PATHS = Paths(frozenset({"README.md", "core/src/session.rs", "web/app/index.ts", "api/app/index.ts", "docs/a b.md"}))


@pytest.mark.parametrize(
    ("cited", "bases", "found"),
    [
        ("README.md", (), "README.md"),
        ("./README.md", (), "README.md"),
        ("src/session.rs", (), "core/src/session.rs"),
        ("session.rs", (), "core/src/session.rs"),
        ("index.ts", (), "api/app/index.ts"),
        ("app/index.ts", ("web",), "web/app/index.ts"),
        ("docs/a b.md", (), "docs/a b.md"),
        ("ession.rs", (), ""),
        ("src/gone.rs", (), ""),
        ("../README.md", ("docs",), "README.md"),
        ("other/src/session.rs", (), ""),
    ],
)
def test_finds_the_file_that_is_meant(cited: str, bases: tuple[str, ...], found: str) -> None:
    assert PATHS.find_file(cited, bases) == found


@pytest.mark.parametrize(
    ("cited", "found"), [("core/", "core"), ("src/", "core/src"), ("app", "api/app"), ("gone/", "")]
)
def test_finds_the_directory_that_is_meant(cited: str, found: str) -> None:
    assert PATHS.find_directory(cited) == found


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ("core/**/*.rs", True),
        ("**/*.rs", True),
        ("src/*.rs", True),
        ("*.ts", True),
        ("app/{index,main}.ts", True),
        ("core/*", True),
        ("docs/*.md", True),
        ("*.py", False),
        ("core/*.rs", False),
        ("ap/*.ts", False),
        ("a" * 300 + "*", False),
        ("**/**/**/**/**/**/*.rs", True),
        ("*e*s*s*i*o*n*", False),
    ],
)
def test_matches_globs_from_any_directory(pattern: str, matches: bool) -> None:  # noqa: FBT001 -- a table
    assert PATHS.matches(pattern) is matches
