"""Opens SDK clients that send the credential to one origin only and never retry on their own."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlsplit

from memci.engines.claude.check_reply import SchemaError, parse_json
from memci.engines.claude.credentials import Credentials
from memci.engines.claude.errors import StrangerError

if TYPE_CHECKING:
    from collections.abc import Callable

    import anthropic
    import httpx2

    Client: TypeAlias = (
        anthropic.AsyncAnthropic
        | anthropic.AsyncAnthropicBedrockMantle
        | anthropic.AsyncAnthropicVertex
        | anthropic.AsyncAnthropicFoundry
    )
else:
    Client = object

# A stream sends pings, so longer silence means a dead connection. The whole call has its own limit.
_SILENCE = 120.0
_CONNECT = 10.0
# The audience of the workflow token, as the federation rules of the service expect it.
_AUDIENCE = "https://api.anthropic.com"
# Identity tokens have a few KB.
_MAX_IDENTITY = 64 * 1024


def open_client(credentials: Credentials) -> Client:
    """Return the client of a provider."""
    import anthropic

    url, settings, secret = credentials.base_url, credentials.settings, credentials.secret or None
    # Tracing could send prompts to any place that the environment names.
    common: dict[str, Any] = {
        "max_retries": 0,
        "open_telemetry": False,
        "base_url": url,
        "http_client": _open_http(url),
    }
    match credentials.provider:
        case "api" if credentials.kind == "federation":
            return anthropic.AsyncAnthropic(credentials=_federate(credentials), **common)
        case "api" if credentials.kind == "token":
            return anthropic.AsyncAnthropic(auth_token=secret, **common)
        case "api":
            return anthropic.AsyncAnthropic(api_key=secret, **common)
        case "bedrock":
            return anthropic.AsyncAnthropicBedrockMantle(api_key=secret, aws_region=settings["region"], **common)
        case "vertex":
            region, project = settings["region"], settings["project"]
            return anthropic.AsyncAnthropicVertex(access_token=secret, region=region, project_id=project, **common)
        case "foundry":
            return anthropic.AsyncAnthropicFoundry(api_key=secret, **common)


def error_types(credentials: Credentials) -> tuple[type[Exception], ...]:
    """Return the exceptions of a call, including those of the cloud libraries."""
    import anthropic
    import httpx2

    errors: list[type[Exception]] = [
        anthropic.AnthropicError,
        httpx2.HTTPError,
        httpx2.InvalidURL,
        SchemaError,
        OSError,
    ]
    if credentials.provider == "bedrock" and credentials.kind == "chain":
        errors += [import_module("botocore.exceptions").BotoCoreError, RuntimeError]
    if credentials.provider == "vertex" and credentials.kind == "chain":
        errors += [import_module("google.auth.exceptions").GoogleAuthError, RuntimeError]
    return tuple(errors)


def _open_http(base_url: str) -> "httpx2.AsyncClient":
    import anthropic
    import httpx2

    from memci.engines.claude.reply_limit import bound

    home = _parse_origin(base_url)

    async def stay_home(request: "httpx2.Request") -> None:
        if _parse_origin(str(request.url)) != home:
            raise StrangerError("the service named an address elsewhere; no credential is sent there")

    return anthropic.DefaultAsyncHttpxClient(
        follow_redirects=False,
        headers={"Accept-Encoding": "identity"},
        event_hooks={"request": [stay_home], "response": [bound]},
        timeout=httpx2.Timeout(_SILENCE, connect=_CONNECT),
    )


def _parse_origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"https": 443, "http": 80}.get(parts.scheme)


def _federate(credentials: Credentials) -> "anthropic.WorkloadIdentityCredentials":
    import anthropic

    settings = credentials.settings
    return anthropic.WorkloadIdentityCredentials(
        identity_token_provider=_identity_provider(credentials),
        federation_rule_id=settings["rule"],
        organization_id=settings["organization"],
        service_account_id=settings.get("service_account"),
        workspace_id=settings.get("workspace"),
    )


def _identity_provider(credentials: Credentials) -> "Callable[[], str]":
    import anthropic

    settings = credentials.settings
    if (token := settings.get("identity_token")) is not None:
        return lambda: token
    if (path := settings.get("identity_file")) is not None:
        return anthropic.IdentityTokenFile(path)
    return lambda: _fetch_github_token(settings["github_url"], settings["github_token"])


def _fetch_github_token(url: str, token: str) -> str:
    """Request the identity token of the job; it expires after minutes, so it is requested when needed."""
    import anthropic
    import httpx2

    with httpx2.Client(timeout=_CONNECT, follow_redirects=False) as client:
        target = httpx2.URL(url).copy_merge_params({"audience": _AUDIENCE})
        with client.stream("GET", target, headers={"Authorization": f"Bearer {token}"}) as reply:
            # The first chunk is enough for a token.
            text = next(reply.iter_bytes(_MAX_IDENTITY), b"").decode("utf-8", "replace")
    try:
        value = parse_json(text) if reply.status_code == 200 else None
    except SchemaError:
        value = None
    match value:
        case {"value": str(identity)}:
            return identity
    raise anthropic.AnthropicError("the runner gave no identity token")
