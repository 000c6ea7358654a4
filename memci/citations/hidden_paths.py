"""Which files never answer a question about the repository: memory, transcripts, and files that may hold secrets."""

from collections.abc import Collection, Iterable

from memci.config import Config
from memci.model.memory import Scope
from memci.patterns import LazyPattern
from memci.sessions.places import ARTIFACT_PREFIX, GIT_PREFIX

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
