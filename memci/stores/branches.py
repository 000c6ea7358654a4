"""Which names of branches memci writes to: those that people and git read in one way only."""

import os

from memci.errors import UsageError
from memci.git.repository import Repository, is_branch_name
from memci.patterns import LazyPattern
from memci.redaction.hidden import find_hidden

# HEAD, FETCH_HEAD, …, in any case: a file system may not tell them apart.
_PSEUDO = LazyPattern(r"(?i)(?:[a-z]+_)*HEAD")
# Git takes such a name for a commit.
_OBJECT = LazyPattern(r"(?i)[0-9a-f]{40}(?:[0-9a-f]{24})?")
_MAX_SHOWN = 100


def check_branch(name: str, what: str, hint: str) -> str:
    """Return the name of a branch; refuse one that is none, or that is read as something else. `what` names it."""
    problem = _describe_problem(name)
    if problem:
        raise UsageError(f"{what} {name[:_MAX_SHOWN]!a} {problem}", hint=hint)
    return name


def list_default_branches(repository: Repository) -> frozenset[str]:
    """Return the default branches of all remotes, as far as the clone noted them."""
    out = os.fsdecode(repository.run("for-each-ref", "--format=%(refname) %(symref)", "refs/remotes/"))
    pairs = (line.partition(" ") for line in out.split("\n") if line)
    return frozenset(target.removeprefix(ref.removesuffix("HEAD")) for ref, _, target in pairs if target)


def _describe_problem(name: str) -> str:
    if name == "@" or _PSEUDO.fullmatch(name):
        return "is git's name for what is checked out or fetched, not a branch"
    if name.startswith("-"):
        return "begins with a dash, like an option"
    if name.casefold().startswith("refs/"):
        return "is a full ref; the name of a branch has no refs/ before it"
    if _OBJECT.fullmatch(name):
        return "reads like the hash of a commit"
    # U+2800 is drawn as nothing, although it counts as a symbol.
    if not name.isprintable() or find_hidden(name) or "\u2800" in name:
        return "has characters that cannot be seen or that change the order of others"
    return "" if is_branch_name(name) else "is not a name that git allows for a branch"
