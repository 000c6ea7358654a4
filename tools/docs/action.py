"""The reference of the action and of the workflows that others call, made from their own files."""

from collections.abc import Mapping
from typing import Any

import yaml

from tools.docs.reading import ROOT


def read_action() -> dict[str, Any]:
    """Return what action.yml declares."""
    return _read("action.yml")


def read_workflow(name: str) -> dict[str, Any]:
    """Return what a workflow that can be called declares."""
    # YAML takes the word `on` for a truth value.
    declared = _read(f".github/workflows/{name}.yml")[True]["workflow_call"]  # type: ignore[index]  # see above
    assert isinstance(declared, dict)
    return declared


def render_inputs(declared: Mapping[str, Any]) -> str:
    """Return a row for each input."""
    rows = ["| input | | default |", "|---|---|---|"]
    for name, value in declared["inputs"].items():
        default = value.get("default", "")
        shown = str(default).lower() if isinstance(default, bool) else str(default)
        rows.append(f"| `{name}` | {_line(value['description'])} | {f'`{shown}`' if shown else ''} |")
    return "\n".join(rows)


def render_names(declared: Mapping[str, Any], kind: str) -> str:
    """Return a row for each output or secret."""
    rows = [f"| {kind.removesuffix('s')} | |", "|---|---|"]
    rows += [f"| `{name}` | {_line(value['description'])} |" for name, value in declared[kind].items()]
    return "\n".join(rows)


def _read(path: str) -> dict[str, Any]:
    declared = yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))
    assert isinstance(declared, dict)
    return declared


def _line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
