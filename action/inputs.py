"""The inputs of the action, as action.yml puts them into the environment; none of them is ever part of a script."""

from collections.abc import Mapping
from pathlib import Path

PREFIX = "GHA_MEMCI_"


class InputError(Exception):
    """An invalid input."""


def read(environment: Mapping[str, str], name: str) -> str:
    """Return an input; "" if it is not given."""
    return environment.get(f"{PREFIX}{name.upper().replace('-', '_')}", "").strip()


def read_list(environment: Mapping[str, str], name: str, *, commas: bool = False) -> list[str]:
    """Return an input that has one value on each line; with `commas` also separated by commas."""
    text = read(environment, name)
    return [item.strip() for item in (text.replace(",", "\n") if commas else text).split("\n") if item.strip()]


def read_flag(environment: Mapping[str, str], name: str) -> bool:
    """Return an input that is true or false."""
    text = read(environment, name).lower()
    if text not in {"", "true", "false"}:
        raise InputError(f"the input {name} must be true or false")
    return text == "true"


def out_directory(environment: Mapping[str, str]) -> Path:
    """Return the directory for what stages hand on."""
    return Path(read(environment, "out"))


def bundle_directory(environment: Mapping[str, str]) -> Path:
    """Return where the bundle is; a name without a place is meant below the workspace, as in other actions."""
    given = read(environment, "bundle-dir")
    return Path(environment["GITHUB_WORKSPACE"], given) if given else out_directory(environment) / "bundle"


def sarif_file(environment: Mapping[str, str]) -> Path | None:
    """Return where SARIF is wanted."""
    given = read(environment, "sarif-file")
    return Path(environment["GITHUB_WORKSPACE"], given) if given else None
