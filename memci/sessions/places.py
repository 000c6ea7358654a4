"""Lists transcripts in files, directories and branches of git. Links and devices are never opened."""

import io
import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from memci.errors import ServiceError, UsageError
from memci.git.repository import Repository
from memci.git.safe_open import open_beneath
from memci.sessions.aider import AIDER_NAME
from memci.sessions.archives import TAR_NAMES, ZIP_NAMES, RefusedError
from memci.sessions.json_lines import File
from memci.sessions.read_result import FileStatus, ReadLimits

GIT_PREFIX = "git:"
# Artifacts that other runs uploaded to the forge; fetched by the caller.
ARTIFACT_PREFIX = "artifact:"
_PLAIN = (".jsonl", ".json", ".ndjson")
_SUFFIXES = (
    *_PLAIN,
    AIDER_NAME,
    *(plain + packed for plain in _PLAIN for packed in (".gz", ".zst")),
    *TAR_NAMES,
    *ZIP_NAMES,
)
# Notes of the client beside the transcripts of sub-agents.
_COMPANION = ".meta.json"
# The client keeps long outputs of tools below such a directory; an output may look exactly like a session.
_OUTPUTS = "tool-results"
_SUBAGENTS = "subagents"
# Some versions keep the work of a sub-agent beside the session.
_SUBAGENT_FILE = "agent-"
_IS_OUTPUT = "stored output of a tool, not a session"
# Iterating over lines with the usual 8 KB takes 2.3 times as long, and with a megabyte a third longer: every file
# has its own buffer, and the system allocates memory of that size anew.
_BUFFER = 1 << 18
# The newest time in a transcript is at its end; this covers several records.
_TAIL = 1 << 16
_TIME = re.compile(rb'"timestamp"\s{0,4}:\s{0,4}"(\d{4}-\d\d-\d\dT[\d:.]{2,20})')


@dataclass(frozen=True, slots=True)
class Input:
    """Something that may be a transcript, not yet opened."""

    # The name shown to people, and the path: its directories show which client part wrote the file.
    name: str
    path: PurePosixPath
    size: int
    open: Callable[[], AbstractContextManager[File]]
    # A person named this file, so it is read whatever its name is.
    named: bool = False
    # Another one means another content; "" if that cannot be told without opening it.
    identity: str = ""


@dataclass(frozen=True, slots=True)
class Unopened:
    """A file that is not read, and why."""

    name: str
    reason: str
    status: FileStatus = FileStatus.NOT_READ


def find_inputs(place: str, repository: Repository | None, limits: ReadLimits) -> Iterator[Input | Unopened]:
    """Yield the inputs in a place that a person named, in the order of names."""
    if place.startswith(GIT_PREFIX):
        return _list_in_git(place, repository, limits)
    path = Path(place)
    # A link to a directory is followed; one to a file is refused when it is opened.
    if path.is_dir():
        return _list_below(path)
    if not os.path.lexists(path):
        raise UsageError(f"no such transcript: {place}", hint="name a file, a directory or git:REF[:PATH]")
    return iter((_make_input(path.parent, PurePosixPath(path.name), place, named=True),))


def is_tool_output(path: PurePosixPath) -> bool:
    """Tell whether the client keeps the output of a tool there."""
    return _OUTPUTS in _list_above(path)


def is_subagent(path: PurePosixPath) -> bool:
    """Tell whether the client keeps the work of a sub-agent there."""
    return _SUBAGENTS in _list_above(path) or _split(path)[-1].startswith(_SUBAGENT_FILE)


def _list_above(path: PurePosixPath) -> list[str]:
    """Return the names of the directories and archives that a file is in, without endings."""
    return [name.partition(".")[0] for name in _split(path)[:-1]]


def _split(path: PurePosixPath) -> list[str]:
    # Archives made on Windows may have its separator; some systems do not distinguish case.
    return str(path).casefold().replace("\\", "/").split("/")


def refuse_tool_output(name: str, *, named: bool = False) -> Unopened:
    """Return the report on the output of a tool: a mistake if a person named it, otherwise only a note."""
    return Unopened(name, _IS_OUTPUT, FileStatus.REFUSED if named else FileStatus.FOREIGN)


def is_candidate(name: str) -> bool:
    """Tell whether a name is that of a transcript or of a bundle."""
    return name.lower().endswith(_SUFFIXES) and not name.endswith(_COMPANION)


def _list_below(root: Path) -> Iterator[Input | Unopened]:
    failures: list[OSError] = []
    for directory, names, files in os.walk(root, onerror=failures.append):
        names[:] = sorted(name for name in names if name != ".git")
        inside = PurePosixPath(os.path.relpath(directory, root))
        for name in names:
            if os.path.islink(os.path.join(directory, name)):  # noqa: PTH118, PTH114 - a name may be any bytes
                yield Unopened(str(root / inside / name), "a symbolic link", FileStatus.REFUSED)
        for name in sorted(files):
            if is_candidate(name):
                yield _make_input(root, inside / name, str(root / inside / name))
    for error in failures:
        yield Unopened(str(error.filename), str(error.strerror))


def _make_input(root: Path, path: PurePosixPath, name: str, *, named: bool = False) -> Input | Unopened:
    whole = PurePosixPath(os.path.realpath(root)) / path
    if is_tool_output(whole):
        return refuse_tool_output(name, named=named)
    try:
        found = os.lstat(root / path)
    except OSError as error:
        return Unopened(name, str(error.strerror))
    if stat.S_ISLNK(found.st_mode):
        return Unopened(name, "a symbolic link", FileStatus.REFUSED)
    if not stat.S_ISREG(found.st_mode):
        return Unopened(name, "no regular file", FileStatus.REFUSED)
    # A file that is put back with its old time still has another time of change, or is another file.
    times = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
    return Input(name, whole, found.st_size, lambda: _open_file(root, path), named, repr(times))


@contextmanager
def _open_file(root: Path, path: PurePosixPath) -> Iterator[File]:
    # The file may have become a pipe: opening it must not block.
    descriptor = open_beneath(root, path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with io.BufferedReader(io.FileIO(descriptor), _BUFFER) as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise RefusedError("no regular file")
        yield file


def _list_in_git(place: str, repository: Repository | None, limits: ReadLimits) -> Iterator[Input | Unopened]:
    reference, _, below = place.removeprefix(GIT_PREFIX).partition(":")
    if repository is None:
        raise UsageError(f"{place} needs a git repository", hint="run memci inside it, or use -C")
    commit = _resolve(repository, reference)
    inside = below.strip("/")
    entries = [
        entry
        for entry in repository.list_tree(commit)
        if is_candidate(entry.path) and (not inside or f"{entry.path}/".startswith(f"{inside}/"))
    ]
    sizes = _measure(repository, [entry.oid for entry in entries])
    first: dict[str, str] = {}
    for entry in entries:
        name = f"{GIT_PREFIX}{reference}:{entry.path}"
        size = sizes.get(entry.oid)
        if is_tool_output(PurePosixPath(entry.path)):
            yield refuse_tool_output(name)
        elif not entry.mode.startswith("100"):
            yield Unopened(name, "a symbolic link or a submodule", FileStatus.REFUSED)
        elif size is None:
            yield Unopened(name, "git has no such object: a partial clone lacks it")
        elif size > limits.blob_bytes:
            yield Unopened(name, f"larger than {limits.blob_bytes} bytes")
        elif entry.oid in first:
            yield Unopened(name, f"the same as {first[entry.oid]}", FileStatus.USED)
        else:
            first[entry.oid] = entry.path
            opener = _blob_opener(repository, entry.oid, limits)
            yield Input(name, PurePosixPath(entry.path), size, opener, identity=entry.oid)


def _resolve(repository: Repository, reference: str) -> str:
    try:
        return repository.resolve(reference)
    except UsageError as error:
        try:
            # A clone has remote branches only under the name of their remote.
            return repository.resolve(f"refs/remotes/origin/{reference}")
        except UsageError:
            raise error from None


def _measure(repository: Repository, oids: Sequence[str]) -> dict[str, int]:
    asked = "".join(f"{oid}\n" for oid in oids).encode()
    lines = repository.run("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=asked).decode().split("\n")
    answers = (line.split(" ") for line in lines)
    return {answer[0]: int(answer[1]) for answer in answers if len(answer) == 2 and answer[1].isdigit()}


def _blob_opener(repository: Repository, oid: str, limits: ReadLimits) -> Callable[[], AbstractContextManager[File]]:
    @contextmanager
    def opener() -> Iterator[File]:
        try:
            data = repository.read_blob(oid, limits.blob_bytes)
        except ServiceError as error:
            raise OSError(error.message) from error
        if data is None:
            raise RefusedError(f"larger than {limits.blob_bytes} bytes")
        # A buffered reader over the bytes can peek, as over a file.
        with io.BufferedReader(io.BytesIO(data), _BUFFER) as file:
            yield file

    return opener


def choose_newest(inputs: Sequence[Input], limits: ReadLimits) -> tuple[list[Input], list[Unopened]]:
    """Return the inputs within the budget of a run, the newest first if it is exceeded, and the others."""
    total = sum(min(item.size, limits.file_bytes) for item in inputs)
    if len(inputs) <= limits.files and total <= limits.run_bytes:
        return list(inputs), []
    chosen: set[str] = set()
    left = limits.run_bytes
    for item in sorted(inputs, key=lambda item: (_newest_time(item), item.name), reverse=True):
        size = min(item.size, limits.file_bytes)
        if len(chosen) < limits.files and size <= left:
            chosen.add(item.name)
            left -= size
    rest = [Unopened(item.name, "beyond the budget of one run") for item in inputs if item.name not in chosen]
    return [item for item in inputs if item.name in chosen], rest


def _newest_time(item: Input) -> bytes:
    """Return the last time in a transcript: the modification times of a checkout are all the same."""
    try:
        with item.open() as file:
            file.seek(max(0, item.size - _TAIL))
            return max(_TIME.findall(file.read(_TAIL)), default=b"")
    except (OSError, RefusedError):
        return b""
