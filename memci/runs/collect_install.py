"""Installs the hook that collects sessions, and describes the workflow step that uploads them."""

import json
import shlex
from pathlib import Path, PurePosixPath

from memci.errors import UnsafeError
from memci.git.file_tree import WorkTree
from memci.git.repository import find_repository
from memci.model.memory import Unreadable
from memci.runs.collect_hook import Destination, check_target
from memci.stores.files import FileReplacement, make_directory, write_changes

SETTINGS = PurePosixPath(".claude/settings.json")
# The hook needs a tenth of this; by default the client stops hooks of this kind after 1.5 seconds.
_TIMEOUT = 10
_STEP = Path(__file__).parent / "templates" / "collect_step.yml"


def install_hook(directory: Path, target: Destination, *, write: bool) -> str:
    """Add the hook to the settings of the repository if `write`, else describe it; return the text to print."""
    check_target(target.to)
    if write:
        repository = find_repository(directory)
        added = add_hook(repository.root if repository else directory, target)
        return f"added the hook to {SETTINGS}\n" if added else f"{SETTINGS} has such a hook already\n"
    hook = render_hook(target)
    whom = (
        "Everybody who can read the repository can read what is pushed, without its secrets.\n"
        if target.remote
        else "Sessions stay on this machine until something fetches them.\n"
    )
    return f"# {SETTINGS}: collects every session when it ends. {whom}{hook}\n\n# workflow:\n{_STEP.read_text('utf-8')}"


def render_hook(target: Destination) -> str:
    """Return the settings that collect every session when it ends."""
    return json.dumps({"hooks": {"SessionEnd": [_make_entry(target)]}}, indent=2)


def _make_entry(target: Destination) -> dict[str, object]:
    """Return the hook; it does nothing where memci is not installed."""
    to, remote, named = target
    options = ("" if to == "spool" else f" --to {shlex.quote(to)}") + (" --push" if remote else "")
    options += f" --remote {shlex.quote(remote)}" if remote and remote != "origin" else ""
    options += "" if named else " --no-name"
    command = f"if command -v memci >/dev/null; then memci collect{options}; fi"
    return {"hooks": [{"type": "command", "command": command, "timeout": _TIMEOUT}]}


def add_hook(root: Path, target: Destination) -> bool:
    """Add the hook to the settings of a repository; return whether it was missing."""
    old = _read(root)
    try:
        values = json.loads(old, object_pairs_hook=_refuse_twice) if old is not None and old.strip() else {}
        if _is_there(values):
            return False
        values.setdefault("hooks", {}).setdefault("SessionEnd", []).append(_make_entry(target))
        # As the client writes it.
        new = json.dumps(values, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    except (ValueError, RecursionError) as error:
        hint = "memci collect --install prints the hook, to be put in by hand"
        raise UnsafeError(f"{SETTINGS} cannot be understood: {error}; nothing was written", hint=hint) from error
    make_directory(root / SETTINGS.parent)
    write_changes(root, {SETTINGS: FileReplacement(old, new)})
    return True


def _refuse_twice(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Refuse an object with a key that is given twice: one of them would get lost."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key is given twice")
    return dict(pairs)


def _read(root: Path) -> str | None:
    text = WorkTree(root).read(SETTINGS)
    if isinstance(text, str):
        return text
    if text.reason is Unreadable.ABSENT:
        return None
    hint = "is it a link? Name the real place with -C"
    raise UnsafeError(f"{SETTINGS} cannot be read; nothing was written", hint=hint)


def _is_there(values: object) -> bool:
    """Whether a SessionEnd hook runs `memci collect` already."""
    hooks = values.get("hooks", {}) if isinstance(values, dict) else None
    if not isinstance(hooks, dict) or not isinstance(hooks.get("SessionEnd", []), list):
        raise ValueError("`hooks` is not what the client reads")  # noqa: TRY004 -- the type is a matter of the text
    return "memci collect" in json.dumps(hooks.get("SessionEnd", []))
