"""The writing side of git, through GitPython: objects, refs and remotes; hardened as `memci.git.repository` is.

Only GitPython's command runner is used, and every command is git's own: docs/decisions.md says why.
"""

import contextlib
import datetime as dt
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import IO, BinaryIO, NamedTuple, cast

from memci.errors import ServiceError, UnsafeError
from memci.git.repository import ENVIRONMENT, SAFE, Repository, TreeEntry, feed, list_foreign

# A push of a few MB over a slow line; an unattended run must not wait for ever.
SECONDS = 120.0
# Never `ext`, which runs a command; `file` is what a mount or a test has.
_PROTOCOLS = "https:http:ssh:file"
_TALK = (
    "gc.auto=0", "maintenance.auto=false", "core.askPass=", "core.alternateRefsCommand=true", "push.pushOption=",
    "push.gpgSign=false",
)  # fmt: skip
# A repository must not choose programs; each of these settings names one.
_COMMANDS = r"^(credential\..*|core\.sshcommand)$"
_FETCH = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--refmap=")
_PUSH = ("--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no")
_VARIABLE = "MEMCI_GIT_AUTHORIZATION"
# Servers may send pages; the reason of a refusal is in the first lines.
_MAX_SAID = 4096
# What git printed is read when it ends. A helper that outlives it (ssh with ControlPersist) keeps the pipe open.
_GRACE = 1.0
_TREE_MODE = "040000"
_TYPES = {_TREE_MODE: "tree", "160000": "commit"}
# `env` and shells use it for a program that is not there.
_NOT_FOUND = 127
_MISSING = "git is not installed"
_INSTALL = "install git 2.38 or newer"
_IMPORT = threading.Lock()


@dataclass(frozen=True, slots=True)
class Way:
    """A remote and how to talk to it."""

    repository: Repository
    name: str
    # Each is `key=value`.
    settings: Sequence[str] = ()
    # A setting whose value no list of processes may show: its key, and the value.
    secret: tuple[str, str] | None = field(default=None, repr=False)
    seconds: float = SECONDS
    # Whether the repository's configuration may name the program that logs in.
    follows_repository: bool = False


class GitAnswer(NamedTuple):
    """What git printed while it talked to a remote, and why it failed; "" if it did not."""

    lines: tuple[str, ...]
    failure: str


class _Done(NamedTuple):
    # None: it was stopped because its time was over.
    status: int | None
    out: bytes
    said: str


def write_blob(repository: Repository, data: bytes) -> str:
    """Store a file as it is, and return its id."""
    return _write(repository, "hash-object", "-w", "--stdin", "--no-filters", stdin=data)


def write_tree(repository: Repository, files: Mapping[str, TreeEntry | None], old: str = "") -> str:
    """Store a tree like `old` with these files by path, None removes one, and return its id; "" if it is empty."""
    entries = {entry.path: entry for entry in repository.list_tree(old, below=False)} if old else {}
    below: dict[str, dict[str, TreeEntry | None]] = {}
    for path, entry in files.items():
        first, _, rest = path.partition("/")
        if rest:
            below.setdefault(first, {})[rest] = entry
        elif entry is None:
            entries.pop(first, None)
        else:
            entries[first] = entry
    for name, inner in below.items():
        known = entries.pop(name, TreeEntry(name, _TREE_MODE, ""))
        if known.mode != _TREE_MODE:
            raise UnsafeError(f"{name} is not a directory there")
        if oid := write_tree(repository, inner, known.oid):
            entries[name] = TreeEntry(name, _TREE_MODE, oid)
    if not entries:
        return ""
    lines = (f"{entry.mode} {_TYPES.get(entry.mode, 'blob')} {entry.oid}\t{name}" for name, entry in entries.items())
    # A partial clone may lack the files of others, and does not need them.
    return _write(repository, "mktree", "--missing", "-z", stdin=b"".join(os.fsencode(line) + b"\0" for line in lines))


def write_commit(
    repository: Repository, tree: str, parents: Sequence[str], who: str, when: dt.datetime, message: str
) -> str:
    """Store a commit, and return its id; equal input gives an equal commit, independent of any configuration."""
    stamp = f"{who} {int(when.timestamp())} {when:%z}"
    above = "".join(f"parent {parent}\n" for parent in parents)
    content = f"tree {tree}\n{above}author {stamp}\ncommitter {stamp}\n\n{message}"
    return _write(repository, "hash-object", "-t", "commit", "-w", "--stdin", stdin=content.encode())


def move_ref(repository: Repository, ref: str, commit: str, old: str, reason: str) -> None:
    """Move a ref if it still is at `old`; "" means that there must be none yet."""
    _write(repository, "update-ref", "--no-deref", "-m", reason, ref, commit, old)


def list_remote(way: Way, pattern: str, *options: str) -> GitAnswer:
    """Ask a remote for the refs that match a pattern."""
    return _talk(way, "ls-remote", "--upload-pack=git-upload-pack", *options, way.name, pattern)


def fetch(way: Way, what: str, *options: str) -> GitAnswer:
    """Bring a ref or a commit here; only a ref that `what` names after a colon moves."""
    return _talk(way, "fetch", "--upload-pack=git-upload-pack", *_FETCH, *options, way.name, what)


def push(way: Way, ref: str, commit: str, expected: str) -> GitAnswer:
    """Move a ref of a remote from the expected commit ("": it must be new); without a commit, delete it."""
    lease = f"--force-with-lease={ref}:{expected}"
    return _talk(way, "push", "--receive-pack=git-receive-pack", *_PUSH, lease, way.name, f"{commit}:{ref}")


def _write(repository: Repository, verb: str, *arguments: str, stdin: bytes = b"") -> str:
    done = _call(Way(repository, ""), verb, *arguments, stdin=stdin)
    if done.status != 0:
        first = done.said.split("\n")[0]
        raise ServiceError(f"git {verb} failed: {first}")
    return done.out.decode().strip()


def _talk(way: Way, verb: str, *arguments: str) -> GitAnswer:
    commands = () if way.follows_repository else _list_commands(way.repository)
    settings = (*_TALK, *commands, *way.settings)
    done = _call(replace(way, settings=settings), verb, *arguments, protocols=_PROTOCOLS)
    return GitAnswer(tuple(os.fsdecode(done.out).split("\n")), "" if done.status == 0 else done.said)


def _list_commands(repository: Repository) -> list[str]:
    """Return the settings that name programs to log in with: the person's own instead of those of the repository."""
    found: dict[str, list[str]] = {"credential.helper": [""], "core.sshcommand": ["ssh -o BatchMode=yes"]}
    for level in ("--system", "--global"):
        # Without such a file git exits with 1 or 128.
        out = repository.run("config", level, "-z", "--get-regexp", _COMMANDS, accepted=(0, 1, 128))
        for key, _, value in (item.partition("\n") for item in os.fsdecode(out).split("\0") if item):
            # On a command line such a name is indistinguishable from its value.
            if "=" not in key:
                found.setdefault(key, []).append(value)
    if ssh := os.environ.get("GIT_SSH_COMMAND"):
        found["core.sshcommand"].append(ssh)
    return [f"{key}={value}" for key, values in found.items() for value in values]


def _call(way: Way, verb: str, *arguments: str, stdin: bytes = b"", protocols: str = "") -> _Done:
    """Run one command of git to its end."""
    _import()
    import git

    # Without a directory: GitPython expands variables in its name, and stays where it is if it cannot enter it.
    runner = git.Git()
    key, value = way.secret or ("", "")
    options = runner.transform_kwargs(
        C=str(way.repository.root), c=[*SAFE, *way.settings], config_env=f"{key}={_VARIABLE}" if key else None
    )
    # The runner adds to the environment of this process and takes nothing away.
    clean = ["env", *(part for name in list_foreign() for part in ("-u", name))]
    with feed(stdin) as source:
        try:
            process = runner.execute(
                [*clean, "git", *options, verb, *arguments],
                istream=cast("BinaryIO | int", source),
                as_process=True,
                env=ENVIRONMENT | {"GIT_ALLOW_PROTOCOL": protocols} | ({_VARIABLE: value} if key else {}),
                shell=False,
            )
        except (git.GitError, OSError, ValueError) as error:
            raise ServiceError(f"git {verb} cannot be started") from error
    # GitPython's wrapper would close the pipes when it is deleted, also under a thread that still reads.
    popen, process.proc = cast("subprocess.Popen[bytes]", process.proc), None
    done = _wait(popen, way.seconds)
    if done.status == _NOT_FOUND:
        raise ServiceError(_MISSING, hint=_INSTALL)
    return done


def _import() -> None:
    """Import GitPython without its environment variables: one of them names a program to run."""
    with _IMPORT:
        for key in [key for key in os.environ if key.startswith("GIT_PYTHON_")]:
            del os.environ[key]
        try:
            import git  # noqa: F401 -- it stays in memory
        except ImportError as error:
            raise ServiceError(_MISSING, hint=_INSTALL) from error


def _wait(process: "subprocess.Popen[bytes]", seconds: float) -> _Done:
    out, said = bytearray(), bytearray()
    pipes = ((process.stdout, out, sys.maxsize), (process.stderr, said, _MAX_SAID))
    pumps = [threading.Thread(target=_pump, args=pipe, daemon=True) for pipe in pipes]
    for pump in pumps:
        pump.start()
    status = None
    try:
        with contextlib.suppress(subprocess.TimeoutExpired):
            status = process.wait(seconds)
    finally:
        if process.poll() is None:
            _kill(process)
    for pump in pumps:
        pump.join(_GRACE)
    if status is None:
        return _Done(None, bytes(out), f"error: no answer within {seconds:.0f} s")
    return _Done(status, bytes(out), bytes(said).decode("utf-8", "replace").strip() or f"exit {status}")


def _pump(pipe: IO[bytes], into: bytearray, limit: int) -> None:
    with pipe:
        # Not through its buffer: the interpreter cannot end while a thread waits in there.
        while chunk := os.read(pipe.fileno(), 1 << 16):
            into += chunk[: limit - len(into)]


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """End git and the programs that it started to reach a remote."""
    import psutil

    with contextlib.suppress(psutil.NoSuchProcess):
        for child in psutil.Process(process.pid).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()
    process.kill()
    process.wait()
