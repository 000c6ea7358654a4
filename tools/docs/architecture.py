"""Renders the layers of the package from the import contract."""

import tomllib

from tools.docs.reading import ROOT


def read_layers() -> list[list[str]]:
    """Return the layers of the contract, from the top; modules of one layer do not import each other."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [[name.strip().removeprefix("memci.") for name in layer.split("|")] for layer in layers]


def list_packages() -> set[str]:
    """List the packages and modules directly below memci."""
    here = ROOT / "memci"
    packages = {path.parent.name for path in here.glob("*/__init__.py")}
    return packages | {path.stem for path in here.glob("*.py") if not path.stem.startswith("__")}


def render_layers() -> str:
    """Render the layers as a table, the upper ones first."""
    rows = ["| layer | |", "|---|---|"]
    for number, names in enumerate(read_layers(), 1):
        rows.append(f"| {number} | " + ", ".join(f"[`{name}`](#{name})" for name in names) + " |")
    return "\n".join(rows)
