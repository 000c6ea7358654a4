"""The commit that questions are about: what of it may be shown, and how."""

import functools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.config import Config
from memci.errors import ServiceError
from memci.git.file_tree import CommitTree
from memci.git.history import moment_of
from memci.git.repository import Repository
from memci.model.memory import Scope, Unread
from memci.patterns import LazyPattern
from memci.redaction.hidden import strip_hidden
from memci.redaction.secrets import REDACTED, find_secrets, redact
from memci.sessions.places import ARTIFACT_PREFIX, GIT_PREFIX

# How every answer begins that says nothing about the repository.
# Begins the answer about a name that no file has.
ABSENT = "not in the repository"
UNANSWERED = "not answered: "
# For each process.
SECONDS = 20.0
_SHORT = 10


# Without slots, because the cached properties need a `__dict__`.
@dataclass(frozen=True)
class AskedCommit:
    """A commit, its files, and the paths that are hidden."""

    repository: Repository
    commit: str
    tree: CommitTree
    hidden: Collection[str]

    @property
    def short(self) -> str:
        """The beginning of the id."""
        return shorten(self.commit)

    @functools.cached_property
    def paths(self) -> tuple[str, ...]:
        """The files that may be shown, sorted."""
        return tuple(path for path in self.tree.paths() if self.shows(path))

    @property
    def gap(self) -> str:
        """A remark for answers about the past of a shallow clone; "" otherwise."""
        return "\n(shallow clone: older commits are not here)" if self.repository.shallow else ""

    def shows(self, path: str) -> bool:
        """Whether a path may be shown."""
        return not is_hidden(path, self.hidden)

    def read_lines(self, path: str) -> list[str] | str:
        """Return the lines of a file, or why it was not read."""
        text = self.tree.read(PurePosixPath(path))
        if isinstance(text, Unread):
            return text.reason.value
        if "\0" in text:
            return "binary file"
        return text.removesuffix("\n").split("\n") if text else []


def refuse(error: ServiceError) -> str:
    """Return the answer when git failed."""
    return f"{UNANSWERED}{clean_line(error.message)}"


def shorten(commit: str) -> str:
    """Return the beginning of an id, always of the same length: what git chooses depends on the clone."""
    return commit[:_SHORT]


def name_date(time: int) -> str:
    """Return the day of a commit."""
    return moment_of(time).date().isoformat()


# A longer line is generated or minified.
MAX_LINE = 500
# Whether something is a secret may depend on lines around it; a private key of 8,192 bits has about 100.
_AROUND = 150
# Enough to see a secret whole that begins in the part that is shown.
_MAX_READ = 2_000
# As often as `redact` looks again: removing one secret can complete another.
_PASSES = 3


def clean_line(text: str, limit: int = MAX_LINE) -> str:
    """Return one line that may be shown."""
    plain = strip_hidden(redact(text[:_MAX_READ])).replace("\r", " ").replace("\n", " ").rstrip()
    return plain if len(plain) <= limit else f"{plain[:limit]}…"


def show_lines(lines: Sequence[str], first: int, last: int) -> list[str]:
    """Return the lines from `first` to `last`, counted from 1, as they may be shown."""
    start = max(0, first - 1 - _AROUND)
    window = _redact_lines([line[:_MAX_READ] for line in lines[start : last + _AROUND]])
    return [clean_line(line) for line in window[first - 1 - start : last - start]]


def _redact_lines(lines: Sequence[str]) -> list[str]:
    """Redact lines together; a secret of several lines leaves empty ones, so that numbers stay right."""
    text = "\n".join(lines)
    for _ in range(_PASSES):
        found = find_secrets(text)
        if not found:
            break
        for secret in reversed(found):
            breaks = "\n" * text.count("\n", secret.start, secret.end)
            text = f"{text[: secret.start]}{REDACTED}{secret.kind}]{breaks}{text[secret.end :]}"
    return text.split("\n")


# Everywhere, also where no scope was found: a directory that the settings exclude is still memory.
_DIRECTORIES = r"/\.git/|/\.claude/(?:agent-)?memory/|/\.(?:ssh|aws|gnupg)/"
_TRANSCRIPTS = r"\.(?:jsonl|ndjson)(?:\.[^/]*)?$"
# Examples are committed to say which settings there are.
_SETTINGS = r"\.env(?:\.(?![^/]*(?:example|sample|template|dist)$)[^/]*)?$"
_LOGINS = r"/(?:\.envrc|\.netrc|\.npmrc|\.pypirc|\.htpasswd|\.git-credentials|id_(?:[rd]sa|ecdsa|ed25519)[^/]*)$"
_KEYS = r"\.(?:pem|key|p12|pfx|jks|keystore|kdbx|tfvars|tfstate[^/]*)$"
_PRIVATE = LazyPattern(f"{_DIRECTORIES}|{_TRANSCRIPTS}|{_SETTINGS}|{_LOGINS}|{_KEYS}")


def list_hidden(scopes: Iterable[Scope], config: Config) -> tuple[str, ...]:
    """Return the directories and files of a repository that no look-up may show; `is_hidden` knows them."""
    scoped = {str(scope.path) for scope in scopes}
    named = {place for place in config.transcripts if not place.startswith((GIT_PREFIX, ARTIFACT_PREFIX))}
    places = (place.removeprefix("./").rstrip("/") for place in scoped | named)
    return tuple(sorted({place for place in places if place and not place.startswith(("/", "~"))}))


def is_hidden(path: str, hidden: Collection[str]) -> bool:
    """Whether a file is at or below a hidden path, or of a kind that is never shown."""
    if _PRIVATE.search(f"/{path}".lower()):
        return True
    # Memory in the root of a repository are its Markdown files.
    return any(
        path == place or path.startswith(f"{place}/") or (place == "." and path.endswith(".md")) for place in hidden
    )
