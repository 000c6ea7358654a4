"""Who ran a session: the login in its directory, or the name that `collect` recorded, as the name of an author."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping

from memci.patterns import LazyPattern
from memci.sessions.read_result import Session

# Linux, macOS, Windows, and Windows as WSL and Git Bash see it.
_HOME = LazyPattern(
    r"(?:/home/|/Users/|(?:[a-z]:|/mnt/[a-z]|/[a-z])[\\/]Users[\\/])([^\\/]+)(?:[\\/]|$)", re.IGNORECASE
)
# Logins of images, runners and containers; many people have them.
_SHARED_LOGINS = frozenset(
    {"admin", "app", "build", "ci", "circleci", "codespace", "dev", "developer", "gitpod", "jenkins", "node", "public",
     "root", "runner", "runneradmin", "shared", "ubuntu", "user", "vagrant", "vscode"}
)  # fmt: skip
_MAX_NAME = 80


def find_login(cwd: str | None) -> str:
    """Return the login in the home directory that a session ran in, or nothing if it names no person."""
    found = _HOME.match(cwd or "")
    return found[1] if found and found[1].lower() not in _SHARED_LOGINS and is_name(found[1]) else ""


def is_name(name: str) -> bool:
    """Tell whether a text can be shown as the name of a person."""
    return 0 < len(name) <= _MAX_NAME and name.isprintable() and not name.isspace()


def name_people(sessions: Iterable[Session], authors: Collection[tuple[str, str]]) -> Mapping[str, str]:
    """Return the person of each session: the name of the only author (name, email) that matches, or as recorded."""
    forms: dict[str, set[str]] = {}
    names = {name for name, _ in authors}
    for name, email in authors:
        for form in _list_forms(name, email):
            forms.setdefault(form, set()).add(name)
    people: dict[str, str] = {}
    for session in sessions:
        found = forms.get(_fold(session.person), set()) if session.person not in names else set()
        people[session.id] = next(iter(found)) if len(found) == 1 else session.person
    return people


def _list_forms(name: str, email: str) -> set[str]:
    """Return the logins that somebody of this name and address may have."""
    local, _, domain = email.partition("@")
    # GitHub puts a number before the login; elsewhere a tag follows the name.
    login = local.rpartition("+")[2] if "noreply" in domain else local.partition("+")[0]
    words = _fold(name).split()
    forms = {_fold(login), *words[:1]}
    if len(words) > 1:
        first, last = words[0], words[-1]
        forms |= {last, f"{first}.{last}", f"{first[0]}{last}", f"{first[0]}.{last}"}
    return forms - {""}


def _fold(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
