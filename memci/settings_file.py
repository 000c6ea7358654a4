"""Reads the settings of a repository: `.memci.yml`, else `[tool.memci]` in pyproject.toml."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from memci.config import Config, Ignore
from memci.errors import FAIL_LEVELS, ConfigError
from memci.git.file_tree import Tree
from memci.memory.strict_yaml import Entries, Items, Node, Scalar, StrictYamlError, parse_yaml
from memci.model.memory import Unread, Unreadable

CONFIG_PATH = PurePosixPath(".memci.yml")
# A common mistake that would silently leave the settings without effect.
_OTHER_NAME = PurePosixPath(".memci.yaml")
PYPROJECT_PATH = PurePosixPath("pyproject.toml")
MAX_BYTES = 65_536


def read_config(tree: Tree, named: PurePosixPath | None = None) -> Config:
    """Return the settings from the named file, or from the default files, or the defaults."""
    other = tree.read(_OTHER_NAME)
    if not named and not (isinstance(other, Unread) and other.reason is Unreadable.ABSENT):
        raise ConfigError(f"{_OTHER_NAME} is not read", hint=f"call it {CONFIG_PATH}")
    for path in (named,) if named else (CONFIG_PATH, PYPROJECT_PATH):
        text = tree.read(path)
        if isinstance(text, Unread):
            if named or text.reason is not Unreadable.ABSENT:
                detail = f" ({text.detail})" if text.detail else ""
                raise ConfigError(f"cannot read {path}: {text.reason}{detail}")
        elif path.suffix != ".toml":
            return parse_config(text, path)
        elif "[tool.memci" in text:
            return parse_pyproject(text, path)
    return Config()


def parse_config(text: str, path: PurePosixPath) -> Config:
    """Parse settings in YAML."""
    try:
        node = parse_yaml(text, max_bytes=MAX_BYTES)
    except StrictYamlError as error:
        hint = (
            "there, or above: an open bracket or quotation mark, a wrong indent, or a text with a colon without quotes"
        )
        raise ConfigError(f"{path}:{error.problem.line}: {error.problem.message}", hint=hint) from error
    if isinstance(node, Scalar) and not node.value:
        node = Entries(1, ())
    return _build(node, path)


def parse_pyproject(text: str, path: PurePosixPath) -> Config:
    """Parse the table `tool.memci` of a pyproject.toml; without one the defaults apply."""
    import tomllib

    try:
        tools = tomllib.loads(text).get("tool")
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: {error}") from error
    table = tools.get("memci") if isinstance(tools, dict) else None
    if table is None:
        return Config()
    line = text[: text.find("[tool.memci")].count("\n") + 1
    return _build(_to_node(table, line), path)


def _to_node(value: object, line: int) -> Node:
    """Convert TOML to YAML nodes; tomllib gives no line numbers, so every node gets the line of the table."""
    if isinstance(value, Mapping):
        return Entries(line, tuple((Scalar(line, str(key)), _to_node(item, line)) for key, item in value.items()))
    if isinstance(value, list):
        return Items(line, tuple(_to_node(item, line) for item in value))
    return Scalar(line, str(value).lower() if isinstance(value, bool) else str(value))


def _build(node: Node, path: PurePosixPath) -> Config:
    fields: dict[str, Node] = {}
    for key, value in _entries(node, path, "the file"):
        # Files may use `fail-on` or `fail_on`.
        name = key.value.replace("-", "_")
        if name not in _PARSERS:
            known = ", ".join(sorted(_PARSERS)).replace("_", "-")
            raise ConfigError(f"{path}:{key.line}: unknown key {key.value!r}", hint=f"known keys: {known}")
        if name in fields:
            raise ConfigError(f"{path}:{key.line}: {name.replace('_', '-')} stands here twice, with - and with _")
        fields[name] = value
    values = {name: _PARSERS[name](node, path, name.replace("_", "-")) for name, node in fields.items()}
    return Config(**values, path=path)


_LEVELS = tuple(level for level in FAIL_LEVELS if level != "never")


def _entries(node: Node, path: PurePosixPath, what: str) -> tuple[tuple[Scalar, Node], ...]:
    if not isinstance(node, Entries):
        raise ConfigError(f"{path}:{node.line}: {what} must hold `key: value` lines")
    return node.entries


def _strings(node: Node, path: PurePosixPath, key: str) -> tuple[str, ...]:
    if not isinstance(node, Items):
        raise ConfigError(f"{path}:{node.line}: {key} must be a list")
    return tuple(_string(item, path, f"each of {key}") for item in node.items)


def _string(node: Node, path: PurePosixPath, what: str) -> str:
    if not isinstance(node, Scalar) or not node.value.strip():
        raise ConfigError(f"{path}:{node.line}: {what} must be a text")
    return node.value


def _choice(node: Node, path: PurePosixPath, key: str, choices: tuple[str, ...]) -> str:
    value = _string(node, path, key)
    if value not in choices:
        raise ConfigError(f"{path}:{node.line}: {key} must be one of {', '.join(choices)}, not {value!r}")
    return value


def _severities(node: Node, path: PurePosixPath, key: str) -> tuple[tuple[str, str], ...]:
    entries = _entries(node, path, key)
    return tuple((rule.value, _choice(level, path, f"{key}: {rule.value}", _LEVELS)) for rule, level in entries)


def _ignores(node: Node, path: PurePosixPath, key: str) -> tuple[Ignore, ...]:
    if not isinstance(node, Items):
        raise ConfigError(f"{path}:{node.line}: {key} must be a list")
    return tuple(_ignore(item, path) for item in node.items)


def _ignore(node: Node, path: PurePosixPath) -> Ignore:
    fields: dict[str, str] = {"path": "*"}
    for key, value in _entries(node, path, "each entry of ignore"):
        if key.value not in {"rule", "path", "reason"}:
            raise ConfigError(f"{path}:{key.line}: unknown key {key.value!r} in ignore", hint="rule, path and reason")
        fields[key.value] = _string(value, path, key.value)
    for needed in ("rule", "reason"):
        if needed not in fields:
            raise ConfigError(f"{path}:{node.line}: an entry of ignore needs a {needed}")
    return Ignore(fields["rule"], fields["path"], fields["reason"], node.line)


_PARSERS: dict[str, Callable[[Node, PurePosixPath, str], Any]] = {
    "scopes": _strings,
    "ignore": _ignores,
    "fail_on": partial(_choice, choices=FAIL_LEVELS),
    "severity": _severities,
    "dream": lambda node, path, key: _choice(node, path, key, ("true", "false")) == "true",
    "transcripts": _strings,
    "automation": _strings,
    "route": _string,
}
