from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.config import Config, Ignore
from memci.errors import ConfigError
from memci.git.file_tree import WorkTree
from memci.settings_file import parse_config, parse_pyproject, read_config

YAML = PurePosixPath(".memci.yml")
TOML = PurePosixPath("pyproject.toml")


def _read(root: Path, files: Mapping[str, str | bytes], named: str | None = None) -> Config:
    for name, text in files.items():
        (root / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_config(WorkTree(root), PurePosixPath(named) if named else None)


@pytest.mark.parametrize(
    "text", ["", "\n", "# nothing yet\n", "---\n", "--- # x\n...\n", "{}", "\ufeff", "scopes: []\n", "ignore: []"]
)
def test_an_empty_file_is_fine(text: str) -> None:
    config = parse_config(text, YAML)
    assert (config, config.path) == (Config(), YAML)


def test_reads_every_key() -> None:
    text = (
        "# settings\n"
        "scopes:\n  - notes/*\n  - '!notes/old'\n"
        "ignore:\n"
        "  - rule: path-missing\n    path: docs/*\n    reason: generated\n"
        "  - {rule: secret, reason: 'an example: not real'}\n"
        "fail-on: warning\n"
    )
    expected = Config(
        scopes=("notes/*", "!notes/old"),
        ignore=(Ignore("path-missing", "docs/*", "generated", 6), Ignore("secret", "*", "an example: not real", 9)),
        fail_on="warning",
    )
    assert parse_config(text, YAML) == expected
    assert parse_config(text.replace("\n", "\r\n").replace("fail-on", "fail_on"), YAML) == expected


def test_reads_the_same_from_pyproject() -> None:
    text = (
        '[project]\nname = "x"\n\n[tool.memci]\nscopes = ["notes/*"]\nfail-on = "never"\n\n'
        '[[tool.memci.ignore]]\nrule = "secret"\nreason = "example"\n'
    )
    assert parse_pyproject(text, TOML) == Config(("notes/*",), (Ignore("secret", "*", "example", 4),), "never")


BAD = [
    ("- a\n", 1, "the file must hold"),
    ("text\n", 1, "the file must hold"),
    ("\nscope: []\n", 2, "unknown key 'scope'"),
    ("scopes: notes\n", 1, "scopes must be a list"),
    ("scopes: {a: b}\n", 1, "scopes must be a list"),
    ("scopes:\n  - ok\n  - [a]\n", 3, "each of scopes must be a text"),
    ("scopes:\n  - ''\n", 2, "each of scopes must be a text"),
    ("fail_on: sometimes\n", 1, "fail-on must be one of info, warning, error, never, not 'sometimes'"),
    ("fail_on: [error]\n", 1, "fail-on must be a text"),
    ("fail_on: error\nfail-on: never\n", 2, "fail-on stands here twice"),
    ("fail_on: error\nfail_on: never\n", 2, "'fail_on' stands here twice"),
    ("ignore: secret\n", 1, "ignore must be a list"),
    ("ignore:\n  - secret\n", 2, "each entry of ignore must hold"),
    ("ignore:\n  - rule: secret\n", 2, "needs a reason"),
    ("ignore:\n  - reason: because\n", 2, "needs a rule"),
    ("ignore:\n  - rule: secret\n    reason:\n", 3, "reason must be a text"),
    ("ignore:\n  - rule: [a, b]\n    reason: x\n", 2, "rule must be a text"),
    ("ignore:\n  - rule: secret\n    reason: x\n    paths: y\n", 4, "unknown key 'paths' in ignore"),
    ("scopes: [a\n", 2, ""),
    ("a:\n\tb: c\n", 2, ""),
    ("scopes: []\n---\nscopes: []\n", 2, "second document"),
    ("scopes: &a [x]\n", 1, "anchors"),
    ("scopes:\n  - x\nignore: *a\n", 3, "anchors"),
    ("<<: {scopes: []}\n", 1, "merge"),
    ("scopes: !!python/object/apply:os.system [x]\n", 1, "tags"),
    ("scopes: \x01\n", 1, "does not allow"),
    ("? [a]\n: b\n", 1, "a key must be a plain word"),
]


@pytest.mark.parametrize(("text", "line", "message"), BAD)
def test_every_mistake_is_named_with_file_line_and_key(text: str, line: int, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(text, YAML)
    assert caught.value.message.startswith(f".memci.yml:{line}: ")
    assert message in caught.value.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('scope = ["x"]', "pyproject.toml:2: unknown key 'scope'"),
        ('scopes = "x"', "pyproject.toml:2: scopes must be a list"),
        ("fail-on = true", "pyproject.toml:2: fail-on must be one of"),
        ("ignore = [1]", "pyproject.toml:2: each entry of ignore must hold"),
        ('[[tool.memci.ignore]]\nrule = "x"', "pyproject.toml:2: an entry of ignore needs a reason"),
        ("fail-on = ", "pyproject.toml: Invalid value (at line 3, column 11)"),
        (f"x = {'1' * 5000}", "pyproject.toml: "),
        (f"x = {'[' * 50_000}", "pyproject.toml: "),
    ],
)
def test_every_mistake_in_pyproject_is_named(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_pyproject(f"\n[tool.memci]\n{text}\n", TOML)
    assert caught.value.message.startswith(message)


def test_bombs_are_refused() -> None:
    laughs = "a: &a [x, x]\n" + "".join(
        f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    for text in (laughs, "[" * 10_000, "scopes: " + "{a: " * 5000, "x" * 70_000, "- " * 20_000, "? " * 20_000):
        with pytest.raises(ConfigError):
            parse_config(text, YAML)


@given(st.text(max_size=60) | st.text("[]{}:-&*!?#|> \n\t'\"abfail_on", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for parse, path in ((parse_config, YAML), (parse_pyproject, TOML)):
        try:
            message = str(parse(text, path).path or path)
        except ConfigError as error:
            message = error.message
        assert message.startswith(str(path))


# Which file


def test_without_files_the_defaults_are_in_force(tmp_path: Path) -> None:
    config = _read(tmp_path, {})
    assert (config, config.path) == (Config(), None)


def test_the_own_file_comes_before_pyproject(tmp_path: Path) -> None:
    files = {".memci.yml": "fail_on: never\n", "pyproject.toml": "[tool.memci]\nfail_on = 'info'\n"}
    config = _read(tmp_path, files)
    assert (config.fail_on, config.path) == ("never", YAML)


def test_a_named_file_comes_before_all(tmp_path: Path) -> None:
    files = {
        ".memci.yml": "fail_on: never\n",
        "other.yaml": "fail_on: info\n",
        "x.toml": "[tool.memci]\nfail_on='warning'",
    }
    assert _read(tmp_path, files, "other.yaml").fail_on == "info"
    assert _read(tmp_path, {}, "x.toml").fail_on == "warning"


@pytest.mark.parametrize(
    "text",
    [
        "[tool.other]\nx = 1\n",
        "[tool.memci-other]\nx = 1\n",
        "# one day: [tool.memci]\n[project]\nname = 'x'\n",
        "[project]\ndescription = '[tool.memci]'\n",
        "this is not TOML",
        "",
    ],
)
def test_a_pyproject_that_says_nothing_to_us_is_not_our_affair(tmp_path: Path, text: str) -> None:
    config = _read(tmp_path, {"pyproject.toml": text})
    assert (config, config.path) == (Config(), None)


def test_a_file_that_cannot_be_read_is_an_error_and_not_the_defaults(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read \.memci\.yml: not UTF-8 \(line 1"):
        _read(tmp_path, {".memci.yml": b"\xff"})
    (tmp_path / ".memci.yml").unlink()
    (tmp_path / ".memci.yml").mkdir()
    with pytest.raises(ConfigError, match=r"cannot read \.memci\.yml: directory"):
        _read(tmp_path, {})
    (tmp_path / ".memci.yml").rmdir()
    (tmp_path / ".memci.yml").symlink_to("/etc/hosts")
    with pytest.raises(ConfigError, match=r"cannot read \.memci\.yml: symbolic link \(/etc/hosts\)"):
        _read(tmp_path, {})
    with pytest.raises(ConfigError, match=r"cannot read gone\.yml: absent"):
        _read(tmp_path, {}, "gone.yml")


def test_the_other_spelling_of_the_file_name_is_refused_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"\.memci\.yaml is not read") as caught:
        _read(tmp_path, {".memci.yaml": "fail-on: never\n"})
    assert caught.value.hint == "call it .memci.yml"
