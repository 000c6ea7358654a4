import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.citations.code.manifests import Scripts, has_program, has_script, is_manifest, parse_scripts


def only(path: str, text: str) -> Scripts:
    (scripts,) = parse_scripts(path, text)
    return scripts


def by_runner(path: str, text: str) -> dict[str, set[str]]:
    return {scripts.runner: set(scripts.defined.names) for scripts in parse_scripts(path, text)}


MAKEFILE = """\
include .env
-include $(DEPS)
NAME := app   # comment: here
FILES = one two
.PHONY: test lint \\
        deploy
test: build ; echo done
\t@echo not: a target
build lint:: $(FILES)
$(NAME).tar: x
$(FILES): y
%.o: %.c
url = http://example.org:80
ifeq ($(A),b:c)
endif
define BLOCK
inner: x
endef
t: export VAR = 1
"""


def test_makefile_targets_phony_names_variables_and_patterns() -> None:
    scripts = only("tools/Makefile", MAKEFILE)
    names = {"test", "lint", "deploy", "build", "app.tar", "one", "two", "t"}
    assert scripts.defined.names == names
    assert not {"@echo", "inner", "url", "NAME", ".PHONY"} & scripts.defined.names
    assert (scripts.runner, scripts.defined.incomplete) == ("make", False)
    assert has_script([scripts], "make", "deploy") is True
    assert has_script([scripts], "make", "main.o") is None
    assert has_script([scripts], "make", "release") is False


@pytest.mark.parametrize("line", ["include rules.mk", "$(UNKNOWN)-build: x", "$(eval $(call RULE,a))", "-include *.mk"])
def test_a_makefile_that_may_define_more_never_says_no(line: str) -> None:
    assert has_script(parse_scripts("Makefile", f"a: b\n{line}\n"), "make", "zzz") is None


def test_a_variable_that_grew_a_comment_keeps_its_value() -> None:
    assert "app" in only("Makefile", "NAME := app # the: name\n$(NAME): x\n").defined.names


def test_justfile_recipes_aliases_and_modules() -> None:
    text = (
        'set shell := ["bash"]\nversion := "1"\nexport A := "x:y"\nalias t := test\nmod docker\nmod? extra "x.just"\n'
        '# comment: x\n@test target="a:b" *args: build\n    echo hello: x\n[private]\n_hidden:\nbuild:\n'
    )
    scripts = only("justfile", text)
    assert scripts.defined.names == {"t", "test", "_hidden", "build", "docker", "extra"}
    assert has_script([scripts], "just", "docker::up") is None
    assert has_script([scripts], "just", "version") is False
    assert only("justfile", "import 'x.just'\n").defined.incomplete


def test_taskfile_tasks_aliases_and_includes() -> None:
    includes = "version: '3'\nincludes:\n  docs: ./docs\n"
    text = includes + "tasks:\n  build:\n    aliases: [b]\n    cmds: [x]\n  'start:*':\n    cmds: []\n"
    scripts = only("Taskfile.yml", text)
    assert {"build", "b"} <= scripts.defined.names
    assert has_script([scripts], "task", "docs:serve") is None
    assert has_script([scripts], "task", "start:web") is None
    assert has_script([scripts], "task", "deploy") is False
    assert only("Taskfile.yml", "tasks: &a\n  x: *a").defined.incomplete


def test_rake_tasks_with_namespaces() -> None:
    tasks = "  desc 'x'\n  task :migrate, [:v] do\n  end\n  task seed: :migrate\n"
    text = f"task :lint\nnamespace :db do\n{tasks}end\ntask 'deploy' => []\n"
    assert only("Rakefile", text).defined.names == {"lint", "db:migrate", "db:seed", "deploy"}
    assert has_script(parse_scripts("Rakefile", "require 'x'\n" + text), "rake", "spec") is None


def test_nox_sessions() -> None:
    text = '@nox.session(python=["3.12"])\ndef tests(session):\n    pass\n\ndef helper(): ...\n'
    text += '@nox.session(\n    name="docs-build",\n)\ndef docs(s): ...\n'
    scripts = only("noxfile.py", text)
    assert scripts.defined.names == {"tests", "docs-build"}
    assert has_script([scripts], "nox", "tests-3.12") is None
    assert has_script([scripts], "nox", "helper") is False


def test_package_json_scripts_programs_and_dependencies() -> None:
    dependencies = '"devDependencies": {"vitest": "1", "@b/cli": "2"}'
    text = f'{{"name": "@a/tool", "bin": "x.js", "scripts": {{"seed:dev": "x"}}, {dependencies}}}'
    scripts = only("web/package.json", text)
    assert has_script([scripts], "pnpm", "seed:dev") is True
    assert has_script([scripts], "npm", "seed") is False
    assert has_script([scripts], "make", "seed") is None
    assert [has_program([scripts], name) for name in ("tool", "vitest", "cli", "tsc")] == [True, True, True, False]
    assert only("package.json", '{"bin": {"a": "x", "b": "y"}}').programs == {"a", "b"}


def test_composer() -> None:
    composer = (
        '{"scripts": {"lint": "x"}, "scripts-aliases": {"lint": ["l"]}, "bin": ["bin/tool"], "require": {"a/b": "1"}}'
    )
    scripts = only("composer.json", composer)
    assert [set(found) for found in (scripts.defined.names, scripts.programs, scripts.packages)] == [
        {"lint", "l"},
        {"tool"},
        {"a/b"},
    ]


def test_pyproject_programs_and_the_environments_of_tox() -> None:
    text = """\
[project]
dependencies = ["Ruff>=1", "rich[all]"]
[project.scripts]
app = "app:main"
[dependency-groups]
dev = ["pytest>=7", {include-group = "x"}]
[tool.poetry.scripts]
old = "x:y"
[tool.tox]
env_list = ["lint"]
[tool.tox.env.types]
"""
    assert by_runner("pyproject.toml", text) == {
        "python": set(),
        "tox": {"lint", "types"},
    }
    first = parse_scripts("pyproject.toml", text)[0]
    assert first.programs == {"app", "old"}
    assert first.packages == {"ruff", "rich", "pytest"}


def test_tox_and_setup() -> None:
    text = "[tox]\nenvlist = lint, docs\n[testenv]\n[testenv:types]\n"
    text += "[options.entry_points]\nconsole_scripts =\n    app = a.b:main\n"
    found = {scripts.runner: scripts for scripts in parse_scripts("setup.cfg", text)}
    assert found["tox"].defined.names == {"lint", "docs", "types"}
    assert found["python"].programs == {"app"}
    assert has_script(parse_scripts("tox.ini", text), "tox", "py312") is None
    assert has_script(parse_scripts("tox.ini", "[tox]\nenvlist = {a,b}-x"), "tox", "a-x") is None
    assert only("setup.py", "setup(entry_points={'console_scripts': ['app = a.b:main']})").programs == {"app"}


NAMES = [
    "package.json", "composer.json", "pyproject.toml",
    "tox.ini", "setup.cfg", "setup.py", "Makefile", "justfile", "Taskfile.yml", "Rakefile", "noxfile.py",
]  # fmt: skip
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
            assert isinstance(scripts.defined.incomplete, bool)


@given(st.sampled_from(NAMES), st.text("{}[]\":,=.\n\t \\#'ab%$()-", max_size=60))
def test_any_text_is_read(name: str, text: str) -> None:
    assert all(scripts.path == name for scripts in parse_scripts(name, text))


@pytest.mark.parametrize("name", ["package.json", "composer.json", "Taskfile.yml"])
def test_a_broken_manifest_never_says_no(name: str) -> None:
    (scripts,) = parse_scripts(name, "{broken: [")
    assert has_script([scripts], scripts.runner, "x") is None


def test_other_files_are_no_manifests() -> None:
    assert not is_manifest("src/package.py")
    assert parse_scripts("README.md", "a: b") == ()
    assert all(
        is_manifest(path) for path in ("a/b/GNUmakefile", "Taskfile.dist.yaml", "lib/tasks/db.rake", "x/rules.mk")
    )
    assert not is_manifest("a/config.toml")
