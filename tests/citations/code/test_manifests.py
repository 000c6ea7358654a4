import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.citations.code.manifests import Scripts, has_program, has_script, is_manifest, parse_scripts


def only(path: str, text: str) -> Scripts:
    (scripts,) = parse_scripts(path, text)
    return scripts


MAKEFILE = """\
NAME := app   # comment: here
FILES = one two
.PHONY: test lint \\
        deploy
test: build ; echo done
\t@echo not: a target
build lint:: $(FILES)
url = http://example.org:80
ifeq ($(A),b:c)
endif
define BLOCK
inner: x
endef
t: export VAR = 1
"""


def test_makefile_targets_and_phony_names() -> None:
    scripts = only("tools/Makefile", MAKEFILE)
    assert scripts.names == {"test", "lint", "deploy", "build", "t"}
    assert (scripts.runner, scripts.incomplete) == ("make", False)
    assert has_script([scripts], "make", "deploy") is True
    assert has_script([scripts], "make", "release") is False


@pytest.mark.parametrize(
    "line", ["include rules.mk", "$(NAME)-build: x", "%.o: %.c", "$(eval $(call RULE,a))", "-include *.mk"]
)
def test_a_makefile_that_may_define_more_never_says_no(line: str) -> None:
    assert has_script(parse_scripts("Makefile", f"a: b\n{line}\n"), "make", "zzz") is None


def test_package_json_scripts_programs_and_dependencies() -> None:
    dependencies = '"devDependencies": {"vitest": "1", "@b/cli": "2"}'
    text = f'{{"name": "@a/tool", "bin": "x.js", "scripts": {{"seed:dev": "x"}}, {dependencies}}}'
    scripts = only("web/package.json", text)
    assert has_script([scripts], "pnpm", "seed:dev") is True
    assert has_script([scripts], "npm", "seed") is False
    assert has_script([scripts], "make", "seed") is None
    assert [has_program([scripts], name) for name in ("tool", "vitest", "cli", "tsc")] == [True, True, True, False]
    assert only("package.json", '{"bin": {"a": "x", "b": "y"}}').programs == {"a", "b"}


def test_pyproject_programs_and_packages() -> None:
    text = """\
[project]
dependencies = ["Ruff>=1", "rich[all]"]
[project.scripts]
app = "app:main"
[dependency-groups]
dev = ["pytest>=7", {include-group = "x"}]
[tool.poetry.scripts]
old = "x:y"
"""
    scripts = only("pyproject.toml", text)
    assert scripts.programs == {"app", "old"}
    assert scripts.packages == {"ruff", "rich", "pytest"}


NAMES = ["package.json", "pyproject.toml", "Makefile"]
GARBAGE = [
    "", "\0", "[" * 100_000, "9" * 5_000, "\ud800: x", "a = [" * 20_000, "x" * 400_000, "[a]\n" * 10_000,
    '{"scripts": [1, null], "bin": 3, "name": {}, "imports": {"#a": [1]}}', '{"compilerOptions": {"paths": []}}',
    "[tool]\npoetry = 3\nhatch = {envs = 1}", "[package]\nname = 1\n[workspace]\nmembers = 3\n",
    "a: b\\\n" * 10_000, "\\\n" * 30_000, "task " * 10_000, "$(" * 30_000, ": " * 30_000, '"@": ' * 10_000,
    "- " * 30_000, "use " * 10_000, "tasks: [[[[[[[[[[[[", "name = " * 5_000, "," * 60_000, "a" * 60_000 + ":",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_garbage_is_no_answer_and_no_error(name: str) -> None:
    for text in GARBAGE:
        for scripts in parse_scripts(name, text):
            assert isinstance(scripts.incomplete, bool)


@given(st.sampled_from(NAMES), st.text("{}[]\":,=.\n\t \\#'ab%$()-", max_size=60))
def test_any_text_is_read(name: str, text: str) -> None:
    assert all(scripts.path == name for scripts in parse_scripts(name, text))


@pytest.mark.parametrize("name", ["package.json", "pyproject.toml"])
def test_a_broken_manifest_never_says_no(name: str) -> None:
    (scripts,) = parse_scripts(name, "{broken: [")
    assert has_script([scripts], scripts.runner, "x") is None


def test_other_files_are_no_manifests() -> None:
    assert not is_manifest("src/package.py")
    assert parse_scripts("README.md", "a: b") == ()
    assert is_manifest("a/b/GNUmakefile")
    assert is_manifest("x/rules.mk")
    assert not is_manifest("a/config.toml")
