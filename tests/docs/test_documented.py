"""Whatever people can type, set or see has its place in the documentation."""

import ast
import json
import re
from pathlib import Path

import click
import pytest

from memci.checks.registry import RULES
from memci.dream.state import DreamState, ReadPosition, render_state
from memci.errors import Exit
from memci.guards.registry import GUARDS
from memci.model.use import MonthUse, ScopeUse, TopicUse
from memci.settings_file import _PARSERS
from tests.build import NOW
from tests.engines.model import attacks as on_replies
from tests.guards import test_hijacked as on_guards
from tools.docs.action import read_action, read_workflow
from tools.docs.architecture import list_packages, read_layers
from tools.docs.commands import list_commands
from tools.docs.reading import ROOT, list_anchors, list_pages, read_page
from tools.docs.settings import list_keys

# What memci itself tells the programs it starts, and endings of names that hold credentials.
NOT_READ = {
    "GIT_ALLOW_PROTOCOL", "GIT_LITERAL_PATHSPECS", "GIT_OPTIONAL_LOCKS", "GIT_TERMINAL_PROMPT", "GIT_NO_LAZY_FETCH",
    "GIT_NO_REPLACE_OBJECTS",
    "LC_ALL", "MEMCI_GIT_AUTHORIZATION", "API_KEY", "PRIVATE_KEY",
}  # fmt: skip
# These look at no environment; the variables in them are those that memory may name.
_PURE = {"prose", "redaction", "memory", "citations", "signals", "checks", "guards"}
_VARIABLE = re.compile(r"_?[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+")


@pytest.mark.parametrize("command", list_commands(), ids=lambda pair: pair[1].info_name)
def test_every_command_and_option_is_documented(command: tuple[click.Command, click.Context]) -> None:
    text = read_page("docs/commands.md").partition(f"\n## {command[1].command_path}\n")[2].partition("\n## ")[0]
    options = [option for option in command[0].params if isinstance(option, click.Option) and not option.hidden]
    names = [name for option in options for name in option.opts]
    assert text
    assert [name for name in names if f"`{name}`" not in text] == []


def test_every_rule_and_guard_is_documented() -> None:
    assert {rule.id for rule in RULES} <= list_anchors("docs/rules.md")
    assert [guard.id for guard in GUARDS if f"| {guard.id} |" not in read_page("docs/guards.md")] == []


def find_points(path: Path) -> set[str]:
    """Return the names that a module of the review gives to its points."""
    calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    named = [call for call in calls if ast.unparse(call.func) in {"Point", "Risk"}]
    return {call.args[0].value for call in named if isinstance(call.args[0], ast.Constant)}  # type: ignore[misc]  # text


def test_every_point_of_a_review_is_documented() -> None:
    points = {"fact-lost"}.union(*map(find_points, (ROOT / "memci/review").glob("*.py")))
    assert {"sense-changed", "order-changed", "scope-removed"} <= points
    assert sorted(point for point in points if f"\n| `{point}` |" not in read_page("docs/review.md")) == []


def test_every_exit_code_is_documented() -> None:
    table = read_page("docs/commands.md").partition("<!-- begin exit-codes -->")[2]
    assert [code for code in Exit if f"\n| {int(code)} |" not in table] == []


def test_every_key_is_documented_and_declared_with_its_meaning() -> None:
    text = read_page("docs/configuration.md")
    assert {key.replace("-", "_") for key in list_keys()} == set(_PARSERS)
    assert [key for key in list_keys() if f"| `{key}` |" not in text] == []


@pytest.mark.parametrize("declared", [read_action(), read_workflow("dream"), read_workflow("memory")])
def test_every_input_output_and_secret_is_documented(declared: dict[str, dict[str, object]]) -> None:
    text = read_page("docs/action.md")
    names = [name for kind in ("inputs", "outputs", "secrets") for name in declared.get(kind, {})]
    assert [name for name in names if f"| `{name}` |" not in text] == []


def find_variables(path: Path) -> set[str]:
    """Return the names in a module that look like environment variables, if it looks at the environment."""
    text = path.read_text(encoding="utf-8")
    if "environ" not in text:
        return set()
    literals = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
    return {value for value in literals if isinstance(value, str) and _VARIABLE.fullmatch(value)}


def test_every_environment_variable_is_documented() -> None:
    modules = [path for path in (ROOT / "memci").rglob("*.py") if not _PURE & set(path.relative_to(ROOT).parts)]
    read = {name for path in modules for name in find_variables(path)}
    assert set(NOT_READ) <= read
    assert {"GITHUB_TOKEN", "ANTHROPIC_API_KEY", "NO_COLOR"} <= read
    text = read_page("docs/configuration.md")
    assert sorted(name for name in read - NOT_READ if f"`{name}`" not in text) == []


def test_the_architecture_has_a_paragraph_for_each_package_and_each_is_in_the_contract() -> None:
    layers = [name for layer in read_layers() for name in layer]
    section = read_page("docs/architecture.md").partition("\n## The layers\n")[2].partition("\n## ")[0]
    assert re.findall(r"(?m)^### (\w+)$", section) == layers
    assert set(layers) == list_packages()


@pytest.mark.parametrize("page", list_pages())
def test_paths_that_a_page_names_exist(page: str) -> None:
    named = re.findall(r"`((?:memci|tests|docs|benchmarks|examples|action)/[\w./-]*)`", read_page(page))
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_tests_that_show_a_promise_exist() -> None:
    named = re.findall(r"`(tests/[\w/.]+)::(test_\w+)`", read_page("SECURITY.md"))
    assert len(named) >= 10
    assert [name for path, name in named if f"\ndef {name}(" not in (ROOT / path).read_text(encoding="utf-8")] == []


def test_as_many_attacks_are_tried_as_the_table_says() -> None:
    text = read_page("SECURITY.md")
    assert f"| {len(on_guards.ATTACKS)} attacks on" in text
    assert f"| {len(on_replies.ATTACKS)} attacks through" in text


def test_every_key_of_the_state_is_documented() -> None:
    use = ScopeUse({"a.md": TopicUse(loaded=1)}, {"a.md#1": ("s/u",)}, {"2026-11": MonthUse(1, 1)})
    state = DreamState(
        NOW, {"s": ReadPosition("u", 1)}, frozenset("d"), {"a.md": ("s/u",)}, 1, use, frozenset({("a", "b")})
    )
    written = json.loads(render_state(state))
    assert len(written) == 10
    _, _, page = read_page("docs/configuration.md").partition("## What memci writes beside memory")
    section = page.partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == set(written)


def test_where_memci_runs_is_said() -> None:
    _, _, said = read_page("docs/configuration.md").partition("## Platforms")
    assert all(name in said.partition("\n## ")[0] for name in ("Linux", "macOS", "Windows", "WSL"))
