"""Talking to a remote through git: the token is given for each command in its environment, and to one address only."""

import base64
import os
import urllib.parse
from dataclasses import dataclass, replace

from memci.deadline import NEVER, Deadline
from memci.errors import ServiceError, UnsafeError, UsageError
from memci.git.repository import Repository
from memci.git.writing import SECONDS, GitAnswer, Way, fetch, list_remote, push
from memci.patterns import LazyPattern
from memci.redaction.secrets import redact

_SETTINGS = (
    "http.followRedirects=false",
    # The first version that can fetch a commit outside of any branch.
    "protocol.version=2",
)
# Git compares names in lower case.
_DIVERTING = (
    r"^http\..*(cookiefile|savecookies|proxy[a-z]*|sslverify|sslcainfo|sslcapath|sslbackend|curloptresolve)$"
    r"|^remote\..*\.proxy[a-z]*$"
)
_LOOPBACK = frozenset(("127.0.0.1", "::1", "localhost"))
_MAX_SAID = 300
_OWN = LazyPattern(r"\b(?:error|fatal): .*")
_TOLD = LazyPattern(r"remote: (.*)")
_AWAY = LazyPattern(r"Failed to connect|Could not resolve|Connection (?:refused|timed out)|Operation timed out")
# A rule that was broken is named in the first ones.
_MAX_LINES = 3


class LeaseError(UnsafeError):
    """Somebody moved the branch between looking and pushing."""


@dataclass(frozen=True, slots=True)
class Remote:
    """A remote and what memci needs to talk to it."""

    repository: Repository
    name: str
    url: str
    # `user:token` for HTTP; "" leaves it to git's own helpers.
    login: str = ""
    deadline: Deadline = NEVER
    # Whether the repository's configuration may name the program that logs in.
    follows_repository: bool = True

    def read_head(self, branch: str) -> str:
        """Return the commit of a branch of the remote; "" if it has none of this name."""
        ref = f"refs/heads/{branch}"
        lines = self._check("ls-remote", list_remote(self._resolve_way("ls-remote"), ref, "--refs"))
        return next((line.partition("\t")[0] for line in lines if line.endswith(f"\t{ref}")), "")

    def read_default(self) -> str:
        """Return the default branch of the remote; "" if it does not tell."""
        lines = self._check("ls-remote", list_remote(self._resolve_way("ls-remote"), "HEAD", "--symref"))
        found = (line.removesuffix("\tHEAD").removeprefix("ref: refs/heads/") for line in lines if line[:5] == "ref: ")
        return next(found, "")

    def fetch(self, branch: str, commit: str) -> None:
        """Bring the head of a branch here, if it is not here yet; no ref of this repository moves."""
        if commit and not self._has(commit):
            # Whole, also in a partial clone: nothing is fetched later.
            self._check("fetch", fetch(self._resolve_way("fetch"), f"refs/heads/{branch}", "--no-filter"))
            if not self._has(commit):
                raise LeaseError(f"{branch} moved while it was read", hint="run the command again")

    def push(self, branch: str, commit: str, expected: str) -> None:
        """Move a branch of the remote from the expected commit ("": it must be new); without a commit, delete it."""
        answer = push(self._resolve_way("push"), f"refs/heads/{branch}", commit, expected)
        if not answer.failure:
            return
        now = self.read_head(branch)
        if now == commit:
            # Only the answer was lost, or another run pushed the same.
            return
        if now != expected:
            raise LeaseError(f"{branch} was moved by somebody else meanwhile", hint="run the command again")
        told = next((line for line in answer.lines if line.startswith("!")), "")
        try:
            self._check("push", answer)
        except ServiceError as error:
            if not told:
                raise
            reason = _hide(told.rpartition("\t")[2], self.login)
            raise ServiceError(f"{error.message}: {reason}", hint="see its rules for branches") from None

    def _has(self, commit: str) -> bool:
        out = self.repository.run("cat-file", "--batch-check=%(objecttype)", stdin=f"{commit}\n".encode())
        return out.strip() == b"commit"

    def _resolve_way(self, verb: str) -> Way:
        """Return how to talk to the remote; with a token for this address only, invisible in process lists."""
        seconds = min(SECONDS, self.deadline.left())
        if seconds <= 0:
            raise ServiceError(f"the time of the run is used up; git {verb} was not started")
        http = self.url.startswith(("http://", "https://"))
        if http and (name := self._find_diversion()):
            raise UnsafeError(
                f"the repository's own git settings have {name}: it could write a file, or send the login elsewhere",
                hint=f"git config --local --unset {name}, and git config --global if it is yours",
            )
        if not self.login or not http:
            follows = self.follows_repository
            return Way(self.repository, self.name, _SETTINGS, seconds=seconds, follows_repository=follows)
        key = f"http.{_strip_user(self.url)}.extraHeader"
        header = f"Authorization: Basic {_encode(self.login)}"
        # The empty one takes back what a checkout may have left in the settings: two such headers are an error.
        settings = (*_SETTINGS, f"{key}=", "credential.helper=")
        return Way(self.repository, self.name, settings, (key, header), seconds, follows_repository=True)

    def _find_diversion(self) -> str:
        """Return a setting of the repository that leads requests past the remote, or answers into files."""
        options = ("--local", "--includes", "--name-only", "--get-regexp", _DIVERTING)
        found = self.repository.run("config", *options, accepted=(0, 1)).decode("utf-8", "replace").split("\n")
        return found[0]

    def _check(self, verb: str, answer: GitAnswer) -> tuple[str, ...]:
        """Return the output of git, or raise with its reason."""
        if not answer.failure:
            return answer.lines
        hint = "git's own settings hold the login"
        if self.login:
            hint = "the token must be allowed to write contents"
        if _AWAY.search(answer.failure):
            hint = "the server cannot be reached from here: see git remote --verbose"
        what = f"git {verb} to {redact(self.name)} failed"
        said = _parse_complaint(answer.failure, self.login)
        raise ServiceError(f"{what}: {said}" if said else what, hint=hint)


def open_remote(repository: Repository, name: str) -> Remote:
    """Return a remote that the repository knows by this name."""
    if name.startswith("-") or not name or repository.run("config", "--get", f"remote.{name}.vcs", accepted=(0, 1)):
        raise UsageError(f"{redact(name)} is no remote that memci can push to")
    try:
        url = os.fsdecode(repository.run("remote", "get-url", "--push", name)).strip()
    except ServiceError as error:
        raise UsageError(
            f"there is no remote {redact(name)}", hint="git remote add origin URL, or --remote NAME"
        ) from error
    if "=" in url:
        # On a command line such a name is indistinguishable from its value.
        raise UsageError(f"the address of {redact(name)} holds a `=`, which git cannot be given a token for")
    return Remote(repository, name, url)


def give_login(remote: Remote, user: str, token: str) -> Remote:
    """Return the remote with a token to push with; never for a line that others can read along."""
    parts = urllib.parse.urlsplit(remote.url)
    if not token or parts.scheme not in {"http", "https"}:
        return remote
    if parts.scheme == "http" and parts.hostname not in _LOOPBACK:
        raise UnsafeError(f"a token is not sent to {redact(remote.name)} without encryption", hint="use https")
    return replace(remote, login=f"{user}:{token}")


def current_branch(repository: Repository) -> str:
    """Return the branch that is checked out; "" if none is."""
    out = repository.run("symbolic-ref", "--quiet", "--short", "HEAD", accepted=(0, 1))
    return os.fsdecode(out).strip()


def _parse_complaint(text: str, login: str) -> str:
    """Return why git failed, in the words of the server if it has some; never what is secret."""
    if any(words in text for words in ("could not read Username", "Authentication failed")):
        return "the server does not accept the token" if login else "the server wants a login"
    lines = [line.strip() for line in text.split("\n")]
    told = [match[1] for line in lines if (match := _TOLD.fullmatch(line))]
    own = [match[0] for line in lines if (match := _OWN.search(line))]
    return _hide("; ".join(told[:_MAX_LINES] or own[:1]), login)


def _hide(text: str, login: str) -> str:
    """Return a message of a server without the token, plain and encoded."""
    for secret in (login.partition(":")[2], _encode(login)):
        text = text.replace(secret, "***") if secret else text
    return redact(text)[:_MAX_SAID]


def _encode(login: str) -> str:
    return base64.b64encode(login.encode()).decode()


def _strip_user(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
