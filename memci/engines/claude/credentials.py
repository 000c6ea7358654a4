"""Resolves the credentials of a run from the environment alone; never displays one."""

import importlib.util
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from memci.patterns import LazyPattern

Provider = Literal["api", "bedrock", "vertex", "foundry"]
_DEFAULT_URL = "https://api.anthropic.com"
# The variables that make Claude Code use a cloud apply here, too.
_SWITCHES: dict[str, Provider] = {
    "CLAUDE_CODE_USE_BEDROCK": "bedrock",
    "CLAUDE_CODE_USE_VERTEX": "vertex",
    "CLAUDE_CODE_USE_FOUNDRY": "foundry",
}
# Becomes part of a host name.
_LABEL = LazyPattern(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")


@dataclass(frozen=True, slots=True)
class Credentials:
    """The destination of calls and how they authenticate; secrets are not part of the repr."""

    provider: Provider
    # The name of the variable or mechanism, for people.
    source: str
    base_url: str
    # "key", "token", "federation", or "chain" (resolved by the cloud library).
    kind: Literal["key", "token", "federation", "chain"]
    secret: str = field(default="", repr=False)
    settings: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values that must never be displayed."""
        hidden = (self.secret, self.settings.get("identity_token", ""), self.settings.get("github_token", ""))
        return tuple(secret for secret in hidden if secret)


class CredentialError(Exception):
    """Why there are no usable credentials."""

    def __init__(self, kind: Literal["absent", "conflict", "invalid"], message: str, hint: str = "") -> None:
        super().__init__(message)
        # Only "absent" allows a fallback to another engine; the others are errors to report.
        self.kind = kind
        self.message = message
        self.hint = hint


def resolve_credentials(environment: Mapping[str, str]) -> Credentials | CredentialError:
    """Return the credentials of a run; nothing of them comes from a repository."""
    resolve = {"api": _resolve_api, "bedrock": _resolve_bedrock, "vertex": _resolve_vertex, "foundry": _resolve_foundry}
    given = {name: value.strip() for name, value in environment.items()}
    try:
        return resolve[_resolve_provider(given)](given)
    except CredentialError as error:
        return error


def _resolve_provider(given: Mapping[str, str]) -> Provider:
    on = [name for name in _SWITCHES if given.get(name, "").lower() not in {"", "0", "false", "no"}]
    if len(on) > 1:
        raise CredentialError("conflict", f"{' and '.join(on)} are both set", "unset all but one")
    return _SWITCHES[on[0]] if on else "api"


def _resolve_api(given: Mapping[str, str]) -> Credentials:
    url = _check_url(given.get("ANTHROPIC_BASE_URL") or _DEFAULT_URL)
    names = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_FEDERATION_RULE_ID")
    found = [name for name in names if given.get(name)]
    if len(found) > 1:
        raise CredentialError(
            "conflict", f"{' and '.join(found)} are both set; who pays would be a guess", "unset all but one"
        )
    if not found and (empty := [name for name in names if name in given]):
        # An undefined secret of a workflow, or one in a pull request from a fork, is empty.
        raise CredentialError("absent", f"{empty[0]} is set but empty", "is the secret defined, and given to this job?")
    if not found:
        hint = "set ANTHROPIC_API_KEY; or, without a key, ANTHROPIC_FEDERATION_RULE_ID and ANTHROPIC_ORGANIZATION_ID"
        raise CredentialError("absent", "there are no credentials for the model", hint)
    if found == ["ANTHROPIC_FEDERATION_RULE_ID"]:
        return _resolve_federation(given, url)
    secret = _read_secret(given, found[0])
    return Credentials("api", found[0], url, "key" if found[0] == "ANTHROPIC_API_KEY" else "token", secret)


def _resolve_federation(given: Mapping[str, str], url: str) -> Credentials:
    if not given.get("ANTHROPIC_ORGANIZATION_ID"):
        raise CredentialError("invalid", "ANTHROPIC_FEDERATION_RULE_ID is set without ANTHROPIC_ORGANIZATION_ID")
    names = {
        "rule": "ANTHROPIC_FEDERATION_RULE_ID",
        "organization": "ANTHROPIC_ORGANIZATION_ID",
        "service_account": "ANTHROPIC_SERVICE_ACCOUNT_ID",
        "workspace": "ANTHROPIC_WORKSPACE_ID",
        "identity_token": "ANTHROPIC_IDENTITY_TOKEN",
        "identity_file": "ANTHROPIC_IDENTITY_TOKEN_FILE",
        "github_url": "ACTIONS_ID_TOKEN_REQUEST_URL",
        "github_token": "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
    }
    settings = {key: _read_secret(given, name) for key, name in names.items() if given.get(name)}
    if "identity_token" in settings or "identity_file" in settings:
        return Credentials("api", "workload identity federation", url, "federation", settings=settings)
    if "github_url" not in settings or "github_token" not in settings:
        raise CredentialError(
            "invalid",
            "federation is set up, but there is no identity token",
            "give the job `permissions: id-token: write`, or set ANTHROPIC_IDENTITY_TOKEN_FILE",
        )
    _check_url(settings["github_url"], query=True)
    return Credentials("api", "GitHub OIDC federation", url, "federation", settings=settings)


def _resolve_bedrock(given: Mapping[str, str]) -> Credentials:
    region = given.get("AWS_REGION") or given.get("AWS_DEFAULT_REGION")
    if not region:
        raise CredentialError("absent", "Bedrock is chosen, but no region is set", "set AWS_REGION")
    own = given.get("ANTHROPIC_BEDROCK_MANTLE_BASE_URL")
    url = _check_url(own or f"https://bedrock-mantle.{_check_label('AWS_REGION', region)}.api.aws/anthropic")
    settings, name = {"region": region}, "AWS_BEARER_TOKEN_BEDROCK"
    if given.get(name):
        return Credentials("bedrock", name, url, "key", _read_secret(given, name), settings)
    _require("boto3", "bedrock")
    return Credentials("bedrock", "the AWS credential chain", url, "chain", settings=settings)


def _resolve_vertex(given: Mapping[str, str]) -> Credentials:
    region, project = given.get("CLOUD_ML_REGION"), given.get("ANTHROPIC_VERTEX_PROJECT_ID")
    if not region or not project:
        raise CredentialError(
            "absent",
            "Vertex is chosen, but its region or project is not set",
            "set CLOUD_ML_REGION and ANTHROPIC_VERTEX_PROJECT_ID",
        )
    _check_label("CLOUD_ML_REGION", region)
    hosts = {"global": "aiplatform", "us": "aiplatform.us.rep", "eu": "aiplatform.eu.rep"}
    default = f"https://{hosts.get(region, f'{region}-aiplatform')}.googleapis.com/v1"
    url = _check_url(given.get("ANTHROPIC_VERTEX_BASE_URL") or default)
    settings = {"region": region, "project": _check_label("ANTHROPIC_VERTEX_PROJECT_ID", project)}
    name = "CLOUDSDK_AUTH_ACCESS_TOKEN"
    if given.get(name):
        return Credentials("vertex", name, url, "token", _read_secret(given, name), settings)
    _require("google.auth", "vertex")
    return Credentials("vertex", "Google application default credentials", url, "chain", settings=settings)


def _resolve_foundry(given: Mapping[str, str]) -> Credentials:
    resource, own = given.get("ANTHROPIC_FOUNDRY_RESOURCE"), given.get("ANTHROPIC_FOUNDRY_BASE_URL")
    if not own and not resource:
        raise CredentialError("absent", "Foundry is chosen, but no resource is set", "set ANTHROPIC_FOUNDRY_RESOURCE")
    url = own or f"https://{_check_label('ANTHROPIC_FOUNDRY_RESOURCE', resource or '')}.services.ai.azure.com/anthropic"
    if not given.get("ANTHROPIC_FOUNDRY_API_KEY"):
        raise CredentialError("absent", "Foundry is chosen, but has no key", "set ANTHROPIC_FOUNDRY_API_KEY")
    secret = _read_secret(given, "ANTHROPIC_FOUNDRY_API_KEY")
    return Credentials("foundry", "ANTHROPIC_FOUNDRY_API_KEY", _check_url(url), "key", secret)


def _read_secret(given: Mapping[str, str], name: str) -> str:
    value = given[name]
    if not value.isascii() or not value.isprintable() or " " in value:
        raise CredentialError("invalid", f"{name} holds a line break or a character it cannot have", "copy it again")
    return value


def _check_label(name: str, value: str) -> str:
    if not _LABEL.fullmatch(value):
        raise CredentialError("invalid", f"{name} cannot be part of an address")
    return value


def _check_url(url: str, *, query: bool = False) -> str:
    """Return a base URL that a credential may be sent to: HTTPS, or this machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError:
        raise CredentialError("invalid", "the address of the service is not a URL") from None
    if not url.isascii() or not url.isprintable() or parts.username is not None or parts.fragment:
        raise CredentialError("invalid", "the address of the service holds more than an address")
    if parts.query and not query:
        raise CredentialError("invalid", "the address of the service holds a query")
    if not host or not (parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(host))):
        raise CredentialError("invalid", "the address of the service must begin with https://")
    return url.rstrip("/")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _require(module: str, extra: str) -> None:
    try:
        found = importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        found = False
    if not found:
        raise CredentialError(
            "invalid", f"{extra.capitalize()} needs the package {module}", f"pip install 'anthropic[{extra}]'"
        )
