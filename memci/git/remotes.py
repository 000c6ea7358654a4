"""Talking to a remote through git: the token is given for each command in its environment, and to one address only."""

import base64
import contextlib
import os
import re
import time
import urllib.parse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memci.deadline import NEVER, Deadline
from memci.errors import ServiceError, UnsafeError, UsageError
from memci.git.repository import Repository
from memci.redaction.secrets import redact

# A push of a few kB over a slow line; a job must not wait for ever.
_SECONDS = 120.0
# Never `ext`, which runs a command; `file` is what a mount or a test has.
_PROTOCOLS = ("https", "http", "ssh", "file")
_QUIET = (
    "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "core.askPass=", "-c", "push.pushOption=",
    "-c", "core.alternateRefsCommand=true", "-c", "http.followRedirects=false", "-c", "push.gpgSign=false",
    # Only since this one may a commit be fetched that no branch holds.
    "-c", "protocol.version=2",
)  # fmt: skip
_LOOPBACK = frozenset(("127.0.0.1", "::1", "localhost"))
_VARIABLE = "MEMCI_GIT_AUTHORIZATION"
_MAX_SAID = 300
# What git says of itself, behind what our own door puts before it.
_OWN = re.compile(r"\b(?:error|fatal): .*")
_TOLD = re.compile(r"(?:git .* failed: exit \d+: )?remote: (.*)")
_AWAY = re.compile(r"Failed to connect|Could not resolve|Connection (?:refused|timed out)|Operation timed out")
# A rule that was broken is named in the first ones.
_MAX_LINES = 3
_FETCH = (
    "--upload-pack=git-upload-pack", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules",
    "--refmap=",
)  # fmt: skip
_WAITS = (1.0, 3.0)


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

    def find_head(self, branch: str) -> str:
        """Return the commit of a branch of the remote; "" if it has none of this name."""
        ref = f"refs/heads/{branch}"
        lines = self._speak("ls-remote", "--upload-pack=git-upload-pack", "--refs", self.name, ref)
        return next((line.partition("\t")[0] for line in lines if line.endswith(f"\t{ref}")), "")

    def find_default(self) -> str:
        """Return the default branch of the remote; "" if it does not say."""
        lines = self._speak("ls-remote", "--upload-pack=git-upload-pack", "--symref", self.name, "HEAD")
        found = (line.removesuffix("\tHEAD").removeprefix("ref: refs/heads/") for line in lines if line[:5] == "ref: ")
        return next(found, "")

    def fetch(self, branch: str, commit: str) -> None:
        """Bring the head of a branch here, if it is not here yet; no ref of this repository moves."""
        if commit and not self._has(commit):
            self._speak("fetch", *_FETCH, self.name, f"refs/heads/{branch}")
            if not self._has(commit):
                raise LeaseError(f"{branch} moved while it was read", hint="run the command again")

    def fetch_commit(self, commit: str) -> None:
        """Bring a commit here that no branch holds."""
        for wait in (*_WAITS, None):
            try:
                self._speak("fetch", *_FETCH, self.name, commit)
            except ServiceError:
                if wait is None:
                    raise
                # The servers that make commits are not those that git asks, and may be ahead of them.
                time.sleep(wait)
            else:
                return

    def push(self, branch: str, commit: str, expected: str) -> None:
        """Move a branch of the remote from the expected commit ("": it must be new); without a commit, delete it."""
        ref = f"refs/heads/{branch}"
        options = ("--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no")
        lease = f"--force-with-lease={ref}:{expected}"
        lines: list[str] = []
        push = ("push", "--receive-pack=git-receive-pack", *options, lease, self.name, f"{commit}:{ref}")
        try:
            self._speak(*push, into=lines)
        except ServiceError as error:
            now = self.find_head(branch)
            if now == commit:
                # Only the answer was lost, or another run pushed the same.
                return
            if now != expected:
                hint = "run the command again"
                raise LeaseError(f"{branch} was moved by somebody else meanwhile", hint=hint) from error
            told = next((line for line in lines if line.startswith("!")), "")
            if told:
                reason = _hide(told.rpartition("\t")[2], self.login)
                hint = "see its rules for branches"
                if "signature" in error.message:
                    hint = "--commit-mode api has GitHub sign the commit"
                raise ServiceError(f"{error.message}: {reason}", hint=hint) from None
            raise

    def _has(self, commit: str) -> bool:
        out = self.repository.run("cat-file", "--batch-check=%(objecttype)", stdin=f"{commit}\n".encode())
        return out.strip() == b"commit"

    def _speak(self, *arguments: str, into: list[str] | None = None) -> list[str]:
        lines = [] if into is None else into
        settings, environment = self._authorise()
        seconds = min(_SECONDS, self.deadline.left())
        if seconds <= 0:
            raise ServiceError(f"the time of the run is used up; git {arguments[0]} was not started")
        try:
            pieces = self.repository.speak(
                *_make_talk(), *settings, *arguments, seconds=seconds, environment=environment
            )
            with contextlib.closing(pieces):
                lines += (os.fsdecode(piece) for piece in pieces)
        except ServiceError as error:
            hint = "the token must be allowed to write contents" if self.login else "git's own settings hold the login"
            if _AWAY.search(error.message):
                hint = "the server cannot be reached from here: see git remote --verbose"
            what = f"git {arguments[0]} to {redact(self.name)} failed"
            said = _find_complaint(error.message, self.login)
            raise ServiceError(f"{what}: {said}" if said else what, hint=hint) from None
        return lines

    def _authorise(self) -> tuple[Sequence[str], Mapping[str, str]]:
        """Return settings and environment with the token; for this address and nobody who lists processes."""
        if not self.login or not self.url.startswith(("http://", "https://")):
            return (), {}
        key = f"http.{_strip_user(self.url)}.extraHeader"
        header = f"Authorization: Basic {_encode(self.login)}"
        # The empty one takes back what a checkout may have left in the settings: two such headers are an error.
        return ("-c", f"{key}=", f"--config-env={key}={_VARIABLE}", "-c", "credential.helper="), {_VARIABLE: header}


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
        # On a command line such a name cannot be told from its value.
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


def find_current(repository: Repository) -> str:
    """Return the branch that is checked out; "" if none is."""
    out = repository.run("symbolic-ref", "--quiet", "--short", "HEAD", accepted=(0, 1))
    return os.fsdecode(out).strip()


def _find_complaint(text: str, login: str) -> str:
    """Return why git failed, in the words of the server if it has some; never what is secret."""
    if any(words in text for words in ("could not read Username", "Authentication failed")):
        return "the server does not accept the token" if login else "the server wants a login"
    lines = [line.strip() for line in text.split("\n")]
    told = [match[1] for line in lines if (match := _TOLD.fullmatch(line))]
    own = [match[0] for line in lines if (match := _OWN.search(line))]
    return _hide("; ".join(told[:_MAX_LINES] or own[:1]), login)


def _hide(text: str, login: str) -> str:
    """Return what a server said without the token, as it is and as it was sent."""
    for secret in (login.partition(":")[2], _encode(login)):
        text = text.replace(secret, "***") if secret else text
    return redact(text)[:_MAX_SAID]


def _encode(login: str) -> str:
    return base64.b64encode(login.encode()).decode()


def _strip_user(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def _make_talk() -> list[str]:
    return [*_QUIET, *(part for name in _PROTOCOLS for part in ("-c", f"protocol.{name}.allow=always"))]
