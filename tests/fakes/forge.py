"""A forge on loopback: a real bare repository behind git's own HTTP server, and pull requests that follow it."""

import base64
import contextlib
import json
import os
import re
import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.repository import Repo, built_once, read_head

OWNER, NAME = "acme", "shop"


@dataclass(frozen=True)
class Seen:
    """A request as it came over the wire."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any


@dataclass
class Fault:
    """What the next requests of a kind meet: a status, or `lost` after it was done, or `drop` before."""

    method: str
    path: str
    what: int | str
    headers: dict[str, str] = field(default_factory=dict)
    message: str = "no"
    times: int = 1


@dataclass
class Pull:
    """A pull request; whether there is something in it is read from the repository."""

    number: int
    title: str
    body: str
    head: str
    base: str
    draft: bool = False
    state: str = "open"
    merged: bool = False
    labels: list[str] = field(default_factory=list)
    reviewers: list[str] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)
    # The repository that the branch is in; a fork's may have any name.
    home: str = f"{OWNER}/{NAME}"
    # Who opened it, and what GitHub says of them.
    author: str = "github-actions[bot]"
    association: str = "NONE"


class RefusedError(Exception):
    """An answer other than success."""

    def __init__(self, status: int, message: str, errors: list[str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.content: dict[str, Any] = {"message": message, "documentation_url": "https://docs.example"}
        if errors is not None:
            self.content["errors"] = [{"resource": "PullRequest", "message": error} for error in errors]


@built_once
def _make_bare(root: Path) -> Repo:
    """Make an empty repository that can be pushed to over HTTP."""
    root.mkdir()
    repo = Repo(root)
    repo.run("init", "--quiet", "--bare", "--initial-branch=main", "--template=")
    repo.run("config", "http.receivepack", "true")
    return repo


Route = Callable[[Seen, "re.Match[str]"], tuple[int, Any]]


@dataclass
class FakeForge:
    """The server; `routes` are those of one kind of forge."""

    root: Path
    token: str
    user: str = "x-access-token"
    pulls: list[Pull] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    # Requests that no documentation knows.
    surprises: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    may_open: bool = True
    may_see: bool = True
    routes: list[tuple[str, str, Route]] = field(default_factory=list)
    authorised: Callable[[dict[str, str]], bool] = lambda _: False
    api: str = ""
    lock: threading.RLock = field(default_factory=threading.RLock)
    gate: Callable[[Seen], None] = lambda _: None
    # Addresses outside the API, by how they begin; they answer with bytes.
    pages: dict[str, Callable[[Seen], tuple[int, bytes]]] = field(default_factory=dict)
    # Sees every request to the API with its answer, and returns what is sent.
    watch: Callable[[Seen, int, Any], Any] = lambda _seen, _status, answer: answer

    def __enter__(self) -> Self:
        self.bare = self.root / OWNER / f"{NAME}.git"
        _make_bare(self.bare)
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.forge = self
        self.web = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.url = f"{self.web}/{OWNER}/{NAME}.git"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        if kind is None:
            assert self.surprises == []

    def git(self, *arguments: str, cwd: Path | None = None) -> str:
        """Run git in the bare repository."""
        done = subprocess.run(["git", *arguments], cwd=cwd or self.bare, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode().strip()

    def head(self, branch: str) -> str:
        """Return the commit of a branch; "" if there is none."""
        loose = read_head(self.bare, f"refs/heads/{branch}")
        return loose or self.git("for-each-ref", "--format=%(objectname)", f"refs/heads/{branch}").partition("\n")[0]

    def refresh(self) -> None:
        """Close what has no branch any more, as forges do."""
        for pull in self.pulls:
            if pull.state == "open" and pull.home == f"{OWNER}/{NAME}" and not self.head(pull.head):
                pull.state = "closed"

    def open_pulls(self) -> list[Pull]:
        return [pull for pull in self.pulls if pull.state == "open"]

    def merge(self, pull: Pull) -> None:
        """Merge a pull request that needs no merge commit."""
        self.git("update-ref", f"refs/heads/{pull.base}", self.head(pull.head))
        pull.state, pull.merged = "closed", True

    def writes(self) -> list[Seen]:
        """Return the requests that change something, those of git too."""
        return [seen for seen in self.seen if seen.method != "GET" and not seen.path.endswith("git-upload-pack")]

    def check_new(self, title: str, head: str, base: str) -> str:
        """Return why a forge would not make a pull request; "" if it would."""
        if not title or not self.head(head):
            return "invalid head"
        if not self.head(base):
            return "invalid base"
        if self.git("rev-list", "--count", f"{base}..{head}") == "0":
            return f"No commits between {base} and {head}"
        return ""

    def find(self, number: str) -> Pull:
        found = [pull for pull in self.pulls if pull.number == int(number)]
        if not found:
            raise RefusedError(404, "Not Found")
        return found[0]

    def fields(self, seen: Seen, *allowed: str) -> dict[str, Any]:
        """Return the fields of a request; a name that is not documented is a mistake of the client."""
        odd = set(seen.body or {}) - set(allowed)
        if odd:
            self.surprises.append(f"{seen.method} {seen.path} with {sorted(odd)}")
            raise RefusedError(422, "Invalid request", [f"{name} is not a permitted key" for name in sorted(odd)])
        return dict(seen.body)

    def page(self, seen: Seen, items: list[Any], limit: str) -> list[Any]:
        size, number = int(seen.query.get(limit, "30")), int(seen.query.get("page", "1"))
        return items[(number - 1) * size : number * size]

    def answer(self, seen: Seen) -> tuple[int, Any]:
        """Answer a request to the API."""
        if not self.authorised(seen.headers):
            raise RefusedError(401, "Bad credentials")
        for method, pattern, route in self.routes:
            match = re.fullmatch(pattern, seen.path.removeprefix(self.api))
            if match and method == seen.method:
                with self.lock:
                    self.refresh()
                    return route(seen, match)
        self.surprises.append(f"{seen.method} {seen.path}")
        raise RefusedError(404, "Not Found")


class _Server(ThreadingHTTPServer):
    forge: FakeForge
    daemon_threads = True


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def _handle(self) -> None:
        forge = self.server.forge
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        is_git = parts.path.startswith(f"/{OWNER}/{NAME}.git/")
        content = None if is_git or not body else json.loads(body)
        headers = {key.lower(): value for key, value in self.headers.items()}
        # Slashes in names must come encoded: GitHub says 404 otherwise.
        seen = Seen(self.command, parts.path, dict(parse_qsl(parts.query)), headers, content)
        forge.seen.append(seen)
        forge.gate(seen)
        fault = next((one for one in forge.faults if one.times and self._meets(one, seen)), None)
        if fault:
            fault.times -= 1
        if is_git and (not fault or fault.what == "lost"):
            self._serve_git(parts.path, parts.query, body, seen, lost=fault is not None)
            return
        if fault and fault.what == "drop":
            self.close_connection = True
            return
        page = next((page for start, page in forge.pages.items() if parts.path.startswith(start)), None)
        if page and not fault:
            status, data = page(seen)
            self._send(status, data, {"Content-Type": "application/zip"})
            return
        try:
            if fault and isinstance(fault.what, int):
                self._send(fault.what, {"message": fault.message}, fault.headers)
                return
            status, answer = forge.answer(seen)
        except RefusedError as error:
            status, answer = error.status, error.content
        answer = forge.watch(seen, status, answer)
        if fault and fault.what == "lost":
            self.close_connection = True
            return
        self._send(status, answer, answer if status == 302 else {})

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _handle  # noqa: N815 -- names of http.server

    @staticmethod
    def _meets(fault: Fault, seen: Seen) -> bool:
        return fault.method == seen.method and re.search(fault.path, unquote(seen.path)) is not None

    def _send(self, status: int, answer: Any, headers: dict[str, str]) -> None:
        data = b"" if status == 204 else answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        for key, value in {"Content-Type": "application/json", **headers, "Content-Length": str(len(data))}.items():
            self.send_header(key, value)
        self.end_headers()
        with contextlib.suppress(BrokenPipeError):
            self.wfile.write(data)

    def _serve_git(self, path: str, query: str, body: bytes, seen: Seen, *, lost: bool) -> None:
        forge = self.server.forge
        login = base64.b64encode(f"{forge.user}:{forge.token}".encode()).decode()
        if self.headers.get_all("Authorization") != [f"Basic {login}"]:
            twice = len(self.headers.get_all("Authorization") or ()) > 1
            self.send_response(400 if twice else 401)
            self.send_header("WWW-Authenticate", 'Basic realm="git"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        environment = os.environ | {
            "GIT_PROJECT_ROOT": str(forge.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": seen.method,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "HTTP_GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "REMOTE_USER": forge.user,
        }
        done = subprocess.run(["git", "http-backend"], input=body, env=environment, capture_output=True, check=False)
        if lost:
            self.close_connection = True
            return
        head, _, data = done.stdout.partition(b"\r\n\r\n")
        fields = [line.partition(": ") for line in head.decode().split("\r\n")]
        status = next((value for key, _, value in fields if key == "Status"), "200").split(" ")[0]
        self.send_response(int(status))
        for key, _, value in fields:
            if key != "Status":
                self.send_header(key, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
