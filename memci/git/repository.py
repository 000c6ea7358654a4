"""The only door to git; text from memory never becomes an option, and nothing the repository configures is run."""

import contextlib
import os
import signal
import subprocess
import threading
import weakref
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, NamedTuple

from memci.errors import ServiceError, UnsafeError, UsageError

if TYPE_CHECKING:
    # Only what reads blobs needs it, and `memci check` without memory must not wait for it.
    from memci.model.memory import Unreadable

# A committed directory can pose as a repository, and a repository can configure commands; neither is obeyed.
SAFE = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=false",
    "core.pager=cat",
    "safe.bareRepository=explicit",
    "log.showSignature=false",
    "log.showRoot=true",
    "diff.orderFile=/dev/null",
)
_SAFE = tuple(part for setting in SAFE for part in ("-c", setting))
# Configuration given in the environment (as CI does for safe.directory) stays; what points git elsewhere does not.
_KEPT = ("GIT_CONFIG_", "GIT_TRACE", "GIT_EXEC_PATH")
ENVIRONMENT = {
    # Nobody is talked to. Only this beats a `protocol.ext.allow` of the repository, which is a command to run.
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    # What is pushed is what the objects are, not what somebody here put in their place.
    "GIT_NO_REPLACE_OBJECTS": "1",
    "LC_ALL": "C",
}


def list_foreign() -> list[str]:
    """Return the variables of the environment that would point git elsewhere, or have it run something."""
    return [key for key in os.environ if key.startswith("GIT_") and not key.startswith(_KEPT)]


def _environment() -> dict[str, str]:
    foreign = set(list_foreign())
    return {key: value for key, value in os.environ.items() if key not in foreign} | ENVIRONMENT


class TimeLimitError(ServiceError):
    """Git was stopped because it took longer than it was allowed to."""


class TreeEntry(NamedTuple):
    """One path of a commit."""

    path: str
    # As git writes it: 100644, 100755, 120000 (symbolic link), 160000 (submodule).
    mode: str
    oid: str


class Repository:
    """A work tree and its history. Holds at most one long-lived git process, for reading blobs, which ends with it."""

    def __init__(self, root: Path, common: Path, *, shallow: bool) -> None:
        self.root = root
        # The directory that all worktrees of the repository share.
        self.common = common
        self.shallow = shallow
        self._files: list[str] | None = None
        self._blobs: subprocess.Popen[bytes] | None = None

    def run(self, *arguments: str, stdin: bytes = b"", accepted: Collection[int] = (0,)) -> bytes:
        """Run git in the root and return what it prints; an exit code that is not `accepted` is a failure."""
        return _run(self.root, arguments, stdin, accepted)

    def stream(
        self,
        *arguments: str,
        stdin: bytes = b"",
        seconds: float | None = None,
        end: bytes = b"\0",
        accepted: Collection[int] = (0,),
    ) -> Generator[bytes, None, None]:
        """Yield what git prints, piece by piece; raise `TimeLimitError` when `seconds` are over."""
        with feed(stdin) as source:
            process = _start(self.root, *arguments, stdin=source)
        # A reader that waits for git cannot look at the clock.
        timer = threading.Timer(threading.TIMEOUT_MAX if seconds is None else seconds, process.kill)
        rest = b""
        try:
            if seconds is not None:
                timer.start()
            if process.stdout is None:
                raise ServiceError(f"git {arguments[0]} has no output")
            read: Callable[[int], bytes] = process.stdout.read1  # type: ignore[attr-defined]  # typeshed says IO[bytes]
            while chunk := read(1 << 16):
                *pieces, rest = (rest + chunk).split(end)
                yield from pieces
            code = process.wait()
            if code == -signal.SIGKILL and seconds is not None:
                raise TimeLimitError(f"git {arguments[0]} took more than {seconds:.0f} s")
            if code not in accepted:
                raise ServiceError(f"git {arguments[0]} failed: exit {code}")
            yield rest
        finally:
            timer.cancel()
            _end(process)

    def resolve(self, revision: str) -> str:
        """Return the commit that a revision given by a person names."""
        try:
            out = self.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        except ServiceError as error:
            lacking = "in a shallow clone the commit may not be there: fetch-depth: 0, or git fetch --unshallow"
            hint = lacking if self.shallow else "git branch --all lists what is here; git fetch gets the rest"
            raise UsageError(f"no such commit: {revision}", hint=hint) from error
        commit = out.decode().strip()
        # `^main` is not a commit but everything outside of main.
        if commit.startswith("^"):
            raise UsageError(f"no such commit: {revision}")
        return commit

    def merge_base(self, one: str, other: str) -> str:
        """Return the commit where two lines of history parted, or `one` if they share none."""
        return self.run("merge-base", one, other, accepted=(0, 1, 128)).decode().strip() or one

    def read_ref(self, ref: str) -> str:
        """Return the commit of a ref, "" if there is none."""
        options = ("--verify", "--quiet", "--end-of-options")
        return self.run("rev-parse", *options, ref, accepted=(0, 1, 128)).decode().strip()

    def has_commits(self) -> bool:
        """Whether anything was ever committed."""
        return bool(self.read_ref("HEAD"))

    def list_files(self) -> list[str]:
        """Return tracked and untracked files, without the ignored ones; submodules count as one path."""
        if self._files is None:
            out = self.run("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
            self._files = _split(out)
        return self._files

    def list_tracked(self) -> list[str]:
        """Return the files that git keeps."""
        return _split(self.run("ls-files", "-z"))

    def list_clean(self) -> dict[str, str]:
        """Return the blobs of the tracked files that are on disk as git has them; reads only what looks changed."""
        # To compare, git would run the filters that the configuration names.
        drivers = {key.rpartition(".")[0] for key in self._list_filters()}
        if any("=" in driver for driver in drivers):
            # On a command line such a name is indistinguishable from its value.
            return {}
        settings = ("clean=", "process=", "required=false")
        off = [part for driver in sorted(drivers) for setting in settings for part in ("-c", f"{driver}.{setting}")]
        clean: dict[str, str] = {}
        for line in _split(self.run(*off, "ls-files", "-z", "-v", "--stage", "--cached", "--modified")):
            head, _, path = line.partition("\t")
            if head[0] == "C":
                # Listed twice: modified or deleted in the work tree.
                clean.pop(path, None)
            # Neither conflicts nor files that git was told to ignore.
            elif head.startswith(("H 100644 ", "H 100755 ")) and head.endswith(" 0"):
                clean[path] = head[9:-2]
        return clean

    def _list_filters(self) -> list[str]:
        return _split(self.run("config", "-z", "--name-only", "--get-regexp", r"^filter\.", accepted=(0, 1)))

    def list_submodules(self) -> tuple[PurePosixPath, ...]:
        """Return the paths of submodules."""
        out = self.run("ls-files", "-z", "--stage")
        return tuple(PurePosixPath(line.partition("\t")[2]) for line in _split(out) if line.startswith("160000 "))

    def list_tree(self, tree: str, *paths: str, below: bool = True) -> tuple[TreeEntry, ...]:
        """Return every path of a commit or tree, or only the named ones; without `below` directories are entries."""
        entries = []
        for line in _split(self.run("ls-tree", *(("-r",) if below else ()), "-z", "--full-tree", tree, "--", *paths)):
            head, _, path = line.partition("\t")
            mode, _, oid = head.split(" ")
            entries.append(TreeEntry(path, mode, oid))
        return tuple(entries)

    def read_blob(self, oid: str, limit: int) -> bytes | None:
        """Return a blob, or None if it is larger than `limit`."""
        if self._blobs is None:
            self._blobs = _start(self.root, "cat-file", "--batch")
            weakref.finalize(self, _end, self._blobs)
        stdin, stdout = self._blobs.stdin, self._blobs.stdout
        if stdin is None or stdout is None:
            raise ServiceError("git cat-file has no pipes")
        try:
            stdin.write(oid.encode() + b"\n")
            stdin.flush()
        except BrokenPipeError as error:
            raise ServiceError("git cat-file ended early") from error
        data = _read_object(stdout, oid, limit)
        from memci.model.memory import Unreadable

        if data is Unreadable.ABSENT:
            raise ServiceError(f"git has no object {oid}", hint="a partial clone lacks it: fetch the whole repository")
        return data if isinstance(data, bytes) else None

    def read_blobs(self, oids: Iterable[str], limit: int) -> "Iterator[tuple[str, bytes | Unreadable]]":
        """Yield many blobs in their order, or why one was not read: absent, or larger than `limit`."""
        wanted = list(oids)
        with feed("".join(f"{oid}\n" for oid in wanted).encode()) as stdin:
            process = _start(self.root, "cat-file", "--batch", "--buffer", stdin=stdin)
            try:
                if process.stdout is None:
                    raise ServiceError("git cat-file has no output")
                for oid in wanted:
                    yield oid, _read_object(process.stdout, oid, limit)
            finally:
                _end(process)


def read_version() -> str:
    """Return the version that git reports."""
    return _run(Path.cwd(), ("version",)).decode("utf-8", "replace").removeprefix("git version ").strip()


def is_branch_name(name: str) -> bool:
    """Whether git allows a branch of this name."""
    try:
        # Without --branch: that would expand `@{-1}`, and takes options.
        _run(Path.cwd(), ("check-ref-format", f"refs/heads/{name}"))
    except ServiceError:
        return False
    return True


def find_repository(start: Path) -> Repository | None:
    """Return the repository around a directory, or None if there is none."""
    fields = ("--show-toplevel", "--path-format=absolute", "--git-common-dir", "--is-shallow-repository")
    try:
        out = _run(start, ("rev-parse", *fields))
    except ServiceError as error:
        text = error.message
        if "dubious ownership" in text:
            # Git names the root, which is what must be trusted.
            root = text.partition("'")[2].rpartition("'")[0] or str(start)
            hint = f"git config --global --add safe.directory {root}"
            raise ServiceError(f"git refuses {root}: it belongs to somebody else", hint=hint) from error
        if "not a git repository" in text or "must be run in a work tree" in text:
            return None
        raise
    lines = out.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n")
    if len(lines) != 3:
        raise ServiceError(f"the path of the repository around {start} contains a line break", hint="rename it")
    top, common, shallow = lines
    around = start.resolve()
    if not any(Path(top).samefile(path) for path in (around, *around.parents)):
        raise UnsafeError(f"{start} is not in {top}, which its repository calls its work tree (core.worktree)")
    return Repository(Path(top), Path(common), shallow=shallow == "true")


def _run(root: Path, arguments: Sequence[str], stdin: bytes = b"", accepted: Collection[int] = (0,)) -> bytes:
    try:
        done = subprocess.run(
            ["git", *_SAFE, *arguments], cwd=root, input=stdin, capture_output=True, env=_environment(), check=False
        )
    except FileNotFoundError as error:
        if not root.is_dir():
            raise ServiceError(f"{root} is no directory") from error
        raise ServiceError("git is not installed", hint="install git 2.38 or newer") from error
    if done.returncode not in accepted:
        said = done.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        raise ServiceError(f"git {arguments[0]} failed: {said or f'exit {done.returncode}'}")
    return done.stdout


def _start(root: Path, *arguments: str, stdin: IO[bytes] | int = subprocess.PIPE) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        ["git", *_SAFE, *arguments],
        cwd=root,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment(),
    )


def _end(process: "subprocess.Popen[bytes]") -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            # Closing flushes the pipe, which fails if the process is gone.
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
    process.terminate()
    process.wait()


def _discard(source: IO[bytes], size: int) -> None:
    while size > 0:
        chunk = source.read(min(size, 1 << 16))
        if not chunk:
            return
        size -= len(chunk)


def _read_object(source: IO[bytes], oid: str, limit: int) -> "bytes | Unreadable":
    """Read one answer of `cat-file --batch`."""
    from memci.model.memory import Unreadable

    head = source.readline().split()
    if head[1:] == [b"missing"]:
        return Unreadable.ABSENT
    if len(head) != 3:
        raise ServiceError(f"git cannot read object {oid}", hint="a partial clone lacks it: fetch the whole repository")
    size = int(head[2])
    if size > limit:
        _discard(source, size + 1)
        return Unreadable.TOO_LARGE
    data = source.read(size + 1)
    if len(data) != size + 1:
        raise ServiceError(f"git cannot read object {oid}", hint="git fsck says what is broken")
    return data[:-1]


@contextlib.contextmanager
def feed(data: bytes) -> Iterator[IO[bytes] | int]:
    """Give what git shall read as a file: both ends of a pipe could wait for each other."""
    if not data:
        yield subprocess.DEVNULL
        return
    import tempfile

    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        yield file


def _split(out: bytes) -> list[str]:
    # Every piece ends with a NUL, the last one too.
    return os.fsdecode(out).split("\0")[:-1]
