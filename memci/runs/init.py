"""Runs `memci init`: writes the workflow and the settings if they are missing, and lists the next steps."""

import contextlib
import hashlib
import itertools
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import Any

from memci import HOMEPAGE, __version__
from memci.errors import ServiceError, UnsafeError, UsageError
from memci.forge.detect import Address, classify_forge, parse_address
from memci.git.remotes import current_branch
from memci.git.repository import Repository, find_repository
from memci.git.workspace import Workspace, open_workspace
from memci.memory.scopes import find_scopes
from memci.model.memory import Scope, Unread, Unreadable
from memci.patterns import LazyPattern
from memci.report.escape import json_text, visible
from memci.runs.collect_hook import Destination
from memci.runs.collect_install import SETTINGS, add_hook, render_hook
from memci.settings_file import CONFIG_PATH, PYPROJECT_PATH, read_config
from memci.stores.files import FileReplacement, make_directory, write_changes

_WORKFLOWS = PurePosixPath(".github/workflows")
# GitHub's own limit for a workflow file.
_MAX_BYTES = 512 * 1024
_ACTION = HOMEPAGE.removeprefix("https://github.com/")
_COMMAND = LazyPattern(r"\bmemci (?:-\S+ )*dream\b")
GITHUB_WORKFLOW = _WORKFLOWS / "memci.yml"
GITLAB_JOBS = PurePosixPath(".gitlab/memci.yml")
GITLAB_PIPELINE = PurePosixPath(".gitlab-ci.yml")
SESSIONS = "git:memci/sessions"
_TEMPLATES = Path(__file__).parent / "templates"
ATTRIBUTES = PurePosixPath(".gitattributes")
# Git runs this for the attribute; where memci is missing or fails, git merges as it always does.
MERGE_DRIVER = (
    "memci merge-driver %O %A %B %P || { [ $? = 1 ] && exit 1; git merge-file -L ours -L base -L theirs %A %O %B; }"
)
_CLAUDE = ((".claude", "agent-memory"), (".claude", "memory"))
_USUAL = tuple(f"**/{a}/{b}/**/*.md" for a, b in _CLAUDE)
_INCLUDE = f"include:\n  - local: {GITLAB_JOBS}\n"


@dataclass(frozen=True, slots=True)
class SetupOptions:
    """The options of `memci init`; `gitlab` is None if the remote decides."""

    gitlab: bool | None
    collect: bool
    merge_driver: bool
    dry_run: bool


@dataclass(frozen=True, slots=True)
class SetupFile:
    """One file: its text if it is written, or the reason why it is kept."""

    path: PurePosixPath
    text: str = ""
    kept: str = ""


@dataclass(frozen=True, slots=True)
class Start:
    """What was written, or would be, and the next steps."""

    pieces: tuple[SetupFile, ...]
    cron: str
    forge: str
    scopes: int
    steps: tuple[str, ...]
    dry_run: bool


def set_up(directory: Path, wanted: SetupOptions, environment: Mapping[str, str]) -> Start:
    """Write the missing files; existing ones are never changed."""
    repository = find_repository(directory.resolve())
    if repository is None:
        raise UsageError("there is no git repository here", hint="git init, or -C DIRECTORY")
    workspace = open_workspace(directory, repository)
    address = read_address(repository)
    kind = classify_forge(address, environment)
    gitlab = kind == "gitlab" if wanted.gitlab is None else wanted.gitlab
    cron = make_cron(address.path if address else repository.root.name)
    pieces = _plan_gitlab(workspace) if gitlab else [_plan_github(workspace, cron, installed_reference())]
    pieces.append(_plan_settings(workspace, collect=wanted.collect))
    new = [piece for piece in pieces if piece.text]
    _refuse_links(repository.root, new)
    if wanted.collect:
        pieces.append(_add_hook(workspace.root, publishing_remote(repository), dry_run=wanted.dry_run))
    scopes = find_scopes(workspace.tree, workspace.root, read_config(workspace.tree).scopes)
    if wanted.merge_driver:
        pieces.append(_add_attributes(workspace, scopes, dry_run=wanted.dry_run))
    if not wanted.dry_run:
        _write(repository.root, new)
    forge = "gitlab" if gitlab else "gitea" if kind == "gitea" else "github"
    steps = _list_steps(pieces, address, cron, forge, wanted)
    return Start(tuple(pieces), cron, forge, len(scopes), steps, wanted.dry_run)


def publishing_remote(repository: Repository) -> str | None:
    """Return the remote to publish to: `origin`, or the only one."""
    names = os.fsdecode(repository.run("remote")).split()
    return "origin" if "origin" in names else names[0] if len(names) == 1 else None


def read_address(repository: Repository) -> Address | None:
    """Return where the repository is published, if that is at a server."""
    name = publishing_remote(repository)
    with contextlib.suppress(ServiceError):
        return parse_address(os.fsdecode(repository.run("remote", "get-url", name)).strip()) if name else None
    return None


def is_pushed(repository: Repository, path: PurePosixPath) -> bool:
    """Whether a file is on the default or the current branch of the remote, as far as this clone knows."""
    branches = ("HEAD", current_branch(repository))
    names = "".join(f"refs/remotes/{publishing_remote(repository)}/{branch}:{path}\n" for branch in branches)
    out = repository.run("cat-file", "--batch-check=%(objecttype)", stdin=os.fsencode(names))
    return b"blob" in out.split()


def find_workflows(root: Path) -> list[PurePosixPath]:
    """Return the workflows of a repository that dream."""
    places = sorted((root / _WORKFLOWS).glob("*.y*ml"))
    files = [place for place in places if place.is_file() and not place.is_symlink()]
    small = [place for place in files if place.stat().st_size <= _MAX_BYTES]
    return [_WORKFLOWS / place.name for place in small if dreams(place.read_bytes().decode("utf-8", "replace"))]


def dreams(text: str) -> bool:
    """Whether the text of a workflow runs a dream."""
    signs = (f"{_ACTION}@", f"{_ACTION}/.github/workflows/dream.yml@")
    return any(sign in text for sign in signs) or _COMMAND.search(text) is not None


def make_cron(name: str) -> str:
    """Return a time at night (UTC), fixed for each repository and never on the full hour, when runners are busy."""
    digest = hashlib.sha256(name.lower().encode("utf-8", "surrogateescape")).digest()
    return f"{1 + digest[0] % 59} {1 + digest[1] % 5} * * *"


def installed_reference() -> str:
    """Return the commit that this memci was installed from, as pip notes it, else its release, else the newest."""
    noted: dict[str, Any] = {}
    try:
        noted = json.loads(metadata.distribution("memci").read_text("direct_url.json") or "{}")
        commit = noted["vcs_info"]["commit_id"] if noted["url"].removesuffix(".git") == HOMEPAGE else ""
    except (metadata.PackageNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        commit = ""
    known = len(commit) == 40 and set(commit) <= set("0123456789abcdef")
    # Pip records nothing for a package from an index: that is a release, and has a tag.
    return commit if known else "main" if noted else f"v{__version__}"


def render_github(cron: str, reference: str) -> str:
    """Return the workflow for GitHub."""
    pinned = len(reference) == 40
    comment = f" # memci {__version__}" if pinned else " # zizmor: ignore[unpinned-uses]"
    return _render(
        "github.yml.j2",
        cron=cron,
        ref=reference,
        pinned=pinned,
        comment=comment,
        version=__version__,
        homepage=HOMEPAGE,
        action=_ACTION,
    )


def _render(name: str, **values: object) -> str:
    import jinja2

    # Other delimiters, because workflows use the usual ones themselves.
    environment = jinja2.Environment(  # noqa: S701 -- YAML, and every value is ours
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        undefined=jinja2.StrictUndefined,
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(name).render(values)


def _plan_github(workspace: Workspace, cron: str, reference: str) -> SetupFile:
    others = find_workflows(workspace.root)
    if others and others[0] != GITHUB_WORKFLOW:
        return SetupFile(others[0], kept="runs memci already")
    return _plan(workspace, GITHUB_WORKFLOW, render_github(cron, reference))


def _plan_gitlab(workspace: Workspace) -> list[SetupFile]:
    jobs = (_TEMPLATES / "gitlab.yml").read_text("utf-8").replace("/memci@main", f"/memci@{installed_reference()}")
    return [_plan(workspace, GITLAB_JOBS, jobs), _plan(workspace, GITLAB_PIPELINE, _INCLUDE)]


def _plan_settings(workspace: Workspace, *, collect: bool) -> SetupFile:
    # Raises for invalid settings: better now than in the first night.
    path = read_config(workspace.tree).path
    if path == PYPROJECT_PATH:
        return SetupFile(path, kept="has the settings of memci")
    return _plan(workspace, CONFIG_PATH, _render("settings.yml.j2", sessions=SESSIONS if collect else ""))


def _plan(workspace: Workspace, path: PurePosixPath, text: str) -> SetupFile:
    if os.path.lexists(workspace.root / path):
        return SetupFile(path, kept="is there already")
    return SetupFile(path, text)


def _add_hook(root: Path, remote: str | None, *, dry_run: bool) -> SetupFile:
    if dry_run:
        return SetupFile(SETTINGS, render_hook(Destination(SESSIONS, remote)) + "\n")
    added = add_hook(root, Destination(SESSIONS, remote))
    return SetupFile(SETTINGS, "the hook") if added else SetupFile(SETTINGS, kept="has such a hook already")


def _add_attributes(workspace: Workspace, scopes: Iterable[Scope], *, dry_run: bool) -> SetupFile:
    """Add the attribute of all memory to .gitattributes."""
    old = workspace.tree.read(ATTRIBUTES)
    if isinstance(old, Unread) and old.reason is not Unreadable.ABSENT:
        raise UnsafeError(f"{ATTRIBUTES} cannot be read: {old.reason}; nothing was written")
    known = old if isinstance(old, str) else ""
    others = (str(scope.path) for scope in scopes if not set(_CLAUDE) & set(itertools.pairwise(scope.path.parts)))
    lines = [
        f"{pattern} merge=memci\n" for pattern in (*_USUAL, *(f"/{path}/**/*.md".replace(" ", "?") for path in others))
    ]
    missing = "".join(line for line in lines if line.strip() not in known.split("\n"))
    if not missing:
        return SetupFile(ATTRIBUTES, kept="has the lines already")
    if not dry_run:
        end = "\n" if known and not known.endswith("\n") else ""
        new = FileReplacement(old if isinstance(old, str) else None, known + end + missing)
        write_changes(workspace.root, {ATTRIBUTES: new})
    return SetupFile(ATTRIBUTES, missing)


def _refuse_links(root: Path, pieces: list[SetupFile]) -> None:
    for piece in pieces:
        for parent in reversed(piece.path.parents[:-1]):
            if (root / parent).is_symlink():
                raise UnsafeError(f"{parent} is a symbolic link; nothing was written", hint="make it a directory")


def _write(root: Path, pieces: list[SetupFile]) -> None:
    for piece in pieces:
        make_directory(root / piece.path.parent)
    write_changes(root, {piece.path: FileReplacement(None, piece.text) for piece in pieces})


def _list_steps(
    pieces: list[SetupFile], address: Address | None, cron: str, forge: str, wanted: SetupOptions
) -> tuple[str, ...]:
    """Return the steps that a person has to do, in order."""
    text = _render(
        "next_steps.txt.j2",
        written=[str(piece.path) for piece in pieces if piece.text],
        pipeline=str(GITLAB_PIPELINE),
        jobs=GITLAB_JOBS,
        settings=str(CONFIG_PATH),
        sessions=SESSIONS,
        workflow=GITHUB_WORKFLOW.name,
        web=f"{address.web}/{address.path}" if address else "<your repository>",
        address=address,
        forge=forge,
        cron=cron,
        collect=wanted.collect,
        driver=MERGE_DRIVER if wanted.merge_driver else "",
    )
    return tuple(text.splitlines())


def render_start_json(done: Start) -> str:
    """Return the result as JSON."""
    files = [
        {"path": str(piece.path), "written": bool(piece.text) and not done.dry_run, "kept": piece.kept}
        | ({"text": piece.text} if done.dry_run and piece.text else {})
        for piece in done.pieces
    ]
    return json_text(
        {
            "schema": "memci/init/1",
            "dry_run": done.dry_run,
            "forge": done.forge,
            "schedule": done.cron,
            "scopes": done.scopes,
            "files": files,
            "next": list(done.steps),
        }
    )


def render_start(done: Start, *, quiet: bool) -> str:
    """Return the result as text."""
    lines: list[str] = []
    for piece in done.pieces:
        verb = "kept " if piece.kept else "would write" if done.dry_run else "wrote"
        lines.append(f"{verb}  {visible(str(piece.path))}" + (f": it {piece.kept}" if piece.kept else ""))
        if done.dry_run and piece.text:
            lines += [f"| {line}" for line in piece.text.rstrip("\n").split("\n")]
    if quiet:
        return "\n".join(lines) + "\n"
    if not done.scopes:
        lines += ["", "There is no memory here yet. Agents with `memory: project` make it in .claude/agent-memory."]
    minute, hour = map(int, done.cron.split(" ")[:2])
    fresh = done.forge != "gitlab" and not done.pieces[0].kept
    when = f"The dream runs every night at {hour:02}:{minute:02} UTC. " if fresh else ""
    lines += ["", f"{when}What is left to do:"]
    lines += [f"  {number}. {visible(step)}" for number, step in enumerate(done.steps, 1)]
    return "\n".join(lines) + "\n"
