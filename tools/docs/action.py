"""Renders the reference of the action and of the reusable workflows from their files."""

from collections.abc import Mapping
from typing import Any

import yaml

from tools.docs.reading import ROOT


def read_action() -> dict[str, Any]:
    """Read action.yml."""
    return _read("action.yml")


def read_workflow(name: str) -> dict[str, Any]:
    """Read the declaration of a reusable workflow."""
    # YAML reads the key `on` as a boolean.
    declared = _read(f".github/workflows/{name}.yml")[True]["workflow_call"]  # type: ignore[index]  # see above
    assert isinstance(declared, dict)
    return declared


def render_inputs(declared: Mapping[str, Any]) -> str:
    """Render a row for each input."""
    rows = ["| input | | default |", "|---|---|---|"]
    for name, value in declared["inputs"].items():
        default = value.get("default", "")
        shown = str(default).lower() if isinstance(default, bool) else str(default)
        rows.append(f"| `{name}` | {_line(value['description'])} | {f'`{shown}`' if shown else ''} |")
    return "\n".join(rows)


def render_names(declared: Mapping[str, Any], kind: str) -> str:
    """Render a row for each output or secret."""
    rows = [f"| {kind.removesuffix('s')} | |", "|---|---|"]
    rows += [f"| `{name}` | {_line(value['description'])} |" for name, value in declared[kind].items()]
    return "\n".join(rows)


def _read(path: str) -> dict[str, Any]:
    declared = yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))
    assert isinstance(declared, dict)
    return declared


def _line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
