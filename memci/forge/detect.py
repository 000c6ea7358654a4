"""Detects the forge of a repository from its remote URL and the variables of the runner, never from its files."""

import time
import urllib.parse
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from memci.deadline import NEVER, Deadline
from memci.errors import UsageError
from memci.forge.github import Gitea, GitHub
from memci.forge.gitlab import GitLab
from memci.forge.http import Client
from memci.patterns import LazyPattern
from memci.redaction.secrets import redact

# They have the same methods; Gitea and Forgejo are GitHub with differences.
Forge = GitHub | GitLab
KINDS = ("github", "gitea", "gitlab")
_TOKENS = {
    "github": ("MEMCI_TOKEN", "GITHUB_TOKEN", "GH_TOKEN"),
    "gitea": ("MEMCI_TOKEN", "GITEA_TOKEN", "GITHUB_TOKEN"),
    "gitlab": ("MEMCI_TOKEN", "GITLAB_TOKEN"),
    "none": ("MEMCI_TOKEN",),
}
_KNOWN = {"github.com": "github", "gitlab.com": "gitlab", "gitea.com": "gitea", "codeberg.org": "gitea"}
_SERVERS = {"github": "GITHUB_SERVER_URL", "gitea": "GITHUB_SERVER_URL", "gitlab": "CI_SERVER_URL"}
_APIS = {"github": "GITHUB_API_URL", "gitea": "GITHUB_API_URL", "gitlab": "CI_API_V4_URL"}
# `git@host:path`, which is not a URL.
_SCP = LazyPattern(r"(?:[\w.-]+@)?([\w.-]+):(?!/)([^\s]+)")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a repository is: the server as people open it, and the path below it."""

    web: str
    path: str

    @property
    def host(self) -> str:
        """The server without the protocol."""
        return urllib.parse.urlsplit(self.web).netloc


def parse_address(url: str) -> Address | None:
    """Parse the address of a remote; None for local paths."""
    try:
        parts = urllib.parse.urlsplit(url)
        number = parts.port
    except ValueError:
        return None
    if parts.scheme in {"http", "https", "ssh", "git+ssh"} and parts.hostname:
        # The port of ssh is not that of the web server.
        port = f":{number}" if number and parts.scheme.startswith("http") else ""
        server = f"{'http' if parts.scheme == 'http' else 'https'}://{parts.hostname}{port}"
        path = parts.path
    elif match := _SCP.fullmatch(url):
        server, path = f"https://{match[1]}", match[2]
    else:
        return None
    path = path.strip("/").removesuffix(".git")
    return Address(server, path) if "/" in path else None


def classify_forge(address: Address | None, environment: Mapping[str, str]) -> str:
    """Return which kind of forge a server is; "none" if unknown."""
    if address is None:
        return "none"
    if address.host in _KNOWN:
        return _KNOWN[address.host]
    if _is_server(address, environment.get("CI_SERVER_URL", "")):
        return "gitlab"
    if _is_server(address, environment.get("GITHUB_SERVER_URL", "")):
        # Gitea and Forgejo use GitHub's names for their runners.
        gitea = environment.get("GITHUB_API_URL", "").rstrip("/").endswith("/api/v1")
        return "gitea" if gitea or environment.get("GITEA_ACTIONS") or environment.get("FORGEJO_ACTIONS") else "github"
    return "none"


def read_token(kind: str, environment: Mapping[str, str]) -> str:
    """Return the token for a forge; "" if there is none."""
    return environment.get(token_name(kind, environment), "").strip()


def token_name(kind: str, environment: Mapping[str, str]) -> str:
    """Return the name of the variable that the token for a forge is in; "" if there is none."""
    return next((name for name in _TOKENS[kind] if environment.get(name, "").strip()), "")


def make_forge(
    kind: str,
    address: Address | None,
    environment: Mapping[str, str],
    *,
    deadline: Deadline = NEVER,
    sleep: Callable[[float], None] = time.sleep,
) -> Forge:
    """Return the client of a forge; all its requests end by the deadline."""
    token = read_token(kind, environment)
    if address is None:
        raise UsageError(f"the remote is no repository at a {kind} server", hint="--forge none only pushes the branch")
    if not token:
        raise UsageError(f"there is no token for {address.host}", hint=f"set {' or '.join(_TOKENS[kind])}")
    if any(character <= " " or character > "~" for character in token):
        raise UsageError(f"the token for {address.host} has characters that no token has")
    path = _check_path(address, kind)
    api = _resolve_api(kind, address, environment)
    web = f"{address.web}/{path}"
    header = {"gitlab": ("PRIVATE-TOKEN", token), "gitea": ("Authorization", f"token {token}")}
    client = Client(
        api,
        header.get(kind, ("Authorization", f"Bearer {token}")),
        limit="limit" if kind == "gitea" else "per_page",
        deadline=deadline,
        sleep=sleep,
    )
    if kind == "gitlab":
        return GitLab(client, path, web)
    return Gitea(client, path, web) if kind == "gitea" else GitHub(client, path, web)


def _check_path(address: Address, kind: str) -> str:
    parts = address.path.split("/")
    if (kind != "gitlab" and len(parts) != 2) or {"", ".", ".."} & set(parts):
        raise UsageError(f"{redact(address.path)} is no repository at a {kind} server")
    return address.path


def _resolve_api(kind: str, address: Address, environment: Mapping[str, str]) -> str:
    """Return the address of the API; the runner's variables apply only to its own server."""
    told = environment.get(_APIS[kind], "")
    if told and _is_server(address, environment.get(_SERVERS[kind], "")):
        return told
    if kind == "github":
        return "https://api.github.com" if address.host == "github.com" else f"{address.web}/api/v3"
    return f"{address.web}/api/{'v1' if kind == 'gitea' else 'v4'}"


def _is_server(address: Address, url: str) -> bool:
    return urllib.parse.urlsplit(url).netloc.rpartition("@")[2].lower() == address.host.lower() != ""
