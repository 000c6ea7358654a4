"""Which credentials are found, and what is said when they are not; no value is ever shown."""

import pytest

from memci.engines.claude.credentials import CredentialError, Credentials, resolve_credentials
from tests.engines.claude.run import make_key

KEY = make_key()
FEDERATION = {"ANTHROPIC_FEDERATION_RULE_ID": "fdrl_1", "ANTHROPIC_ORGANIZATION_ID": "org-1"}
GITHUB = {"ACTIONS_ID_TOKEN_REQUEST_URL": "https://runner.example/t?v=1", "ACTIONS_ID_TOKEN_REQUEST_TOKEN": KEY}
BEDROCK = {"CLAUDE_CODE_USE_BEDROCK": "1", "AWS_REGION": "us-east-1", "AWS_BEARER_TOKEN_BEDROCK": KEY}
VERTEX = {
    "CLAUDE_CODE_USE_VERTEX": "1",
    "CLOUD_ML_REGION": "global",
    "ANTHROPIC_VERTEX_PROJECT_ID": "p1",
    "CLOUDSDK_AUTH_ACCESS_TOKEN": KEY,
}
FOUNDRY = {
    "CLAUDE_CODE_USE_FOUNDRY": "true",
    "ANTHROPIC_FOUNDRY_RESOURCE": "team-1",
    "ANTHROPIC_FOUNDRY_API_KEY": KEY,
}


@pytest.mark.parametrize(
    ("environment", "provider", "kind", "url"),
    [
        ({"ANTHROPIC_API_KEY": KEY}, "api", "key", "https://api.anthropic.com"),
        ({"ANTHROPIC_API_KEY": f"  {KEY}\n"}, "api", "key", "https://api.anthropic.com"),
        ({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_AUTH_TOKEN": ""}, "api", "key", "https://api.anthropic.com"),
        ({"ANTHROPIC_AUTH_TOKEN": KEY}, "api", "token", "https://api.anthropic.com"),
        ({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "https://gate.example/x/"}, "api", "key", "https://gate.example/x"),
        ({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "http://127.0.0.1:8"}, "api", "key", "http://127.0.0.1:8"),
        ({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "http://[::1]:8"}, "api", "key", "http://[::1]:8"),
        ({"ANTHROPIC_API_KEY": KEY, "CLAUDE_CODE_USE_BEDROCK": "0"}, "api", "key", "https://api.anthropic.com"),
        ({**FEDERATION, **GITHUB}, "api", "federation", "https://api.anthropic.com"),
        ({**FEDERATION, "ANTHROPIC_IDENTITY_TOKEN_FILE": "/run/token"}, "api", "federation", "https://api.anthropic.com"),
        (
            {**BEDROCK, "ANTHROPIC_API_KEY": KEY},
            "bedrock", "key", "https://bedrock-mantle.us-east-1.api.aws/anthropic",
        ),
        (
            VERTEX,
            "vertex", "token", "https://aiplatform.googleapis.com/v1",
        ),
        (
            FOUNDRY,
            "foundry", "key", "https://team-1.services.ai.azure.com/anthropic",
        ),
    ],
)  # fmt: skip
def test_credentials_are_found(environment: dict[str, str], provider: str, kind: str, url: str) -> None:
    found = resolve_credentials(environment)
    assert isinstance(found, Credentials)
    assert (found.provider, found.kind, found.base_url) == (provider, kind, url)
    assert found.secret in {"", KEY}


@pytest.mark.parametrize(
    ("environment", "kind", "word"),
    [
        ({}, "absent", "no credentials"),
        ({"ANTHROPIC_API_KEY": ""}, "absent", "ANTHROPIC_API_KEY is set but empty"),
        ({"ANTHROPIC_API_KEY": " \n"}, "absent", "ANTHROPIC_API_KEY is set but empty"),
        ({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_AUTH_TOKEN": KEY}, "conflict", "_KEY and ANTHROPIC_AUTH_TOKEN"),
        ({"ANTHROPIC_API_KEY": KEY, **FEDERATION}, "conflict", "ANTHROPIC_FEDERATION_RULE_ID"),
        ({"ANTHROPIC_API_KEY": f"{KEY}\n{KEY}"}, "invalid", "line break"),
        ({"ANTHROPIC_API_KEY": f"{KEY} {KEY}"}, "invalid", "ANTHROPIC_API_KEY"),
        ({"ANTHROPIC_API_KEY": f"“{KEY}”"}, "invalid", "ANTHROPIC_API_KEY"),
        ({"ANTHROPIC_AUTH_TOKEN": f"{KEY}\0"}, "invalid", "ANTHROPIC_AUTH_TOKEN"),
        ({"ANTHROPIC_FEDERATION_RULE_ID": "fdrl_1"}, "invalid", "ANTHROPIC_ORGANIZATION_ID"),
        (FEDERATION, "invalid", "identity token"),
        ({**FEDERATION, **GITHUB, "ACTIONS_ID_TOKEN_REQUEST_URL": "http://evil.example/"}, "invalid", "https"),
        ({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "http://gate.example"}, "invalid", "https://"),
        ({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "http://127.0.0.1.evil.example"}, "invalid", "https://"),
        ({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "ftp://127.0.0.1"}, "invalid", "https://"),
        ({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "https://"}, "invalid", "https://"),
        ({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "https://[::1"}, "invalid", "not a URL"),
        ({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "https://a:99999999"}, "invalid", "not a URL"),
        ({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": f"https://me:{KEY}@gate.example"}, "invalid", "more than"),
        ({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": f"https://gate.example?k={KEY}"}, "invalid", "query"),
        ({"CLAUDE_CODE_USE_BEDROCK": "1", "CLAUDE_CODE_USE_VERTEX": "1"}, "conflict", "both set"),
        ({"CLAUDE_CODE_USE_BEDROCK": "1", "ANTHROPIC_API_KEY": KEY}, "absent", "region"),
        ({**BEDROCK, "AWS_REGION": "x.evil.example/"}, "invalid", "AWS_REGION"),
        ({"CLAUDE_CODE_USE_VERTEX": "1", "CLOUD_ML_REGION": "eu"}, "absent", "project"),
        ({"CLAUDE_CODE_USE_FOUNDRY": "1"}, "absent", "resource"),
        ({"CLAUDE_CODE_USE_FOUNDRY": "1", "ANTHROPIC_FOUNDRY_RESOURCE": "r"}, "absent", "no key"),
        ({**FOUNDRY, "ANTHROPIC_FOUNDRY_RESOURCE": "r/x"}, "invalid", "address"),
    ],
)  # fmt: skip
def test_a06_a_problem_is_named_before_anything_is_read(environment: dict[str, str], kind: str, word: str) -> None:
    problem = resolve_credentials(environment)
    assert isinstance(problem, CredentialError)
    assert problem.kind == kind
    assert word in problem.message
    assert KEY not in repr(problem)


@pytest.mark.parametrize(("switch", "extra"), [("BEDROCK", "bedrock"), ("VERTEX", "vertex")])
def test_a_cloud_without_its_library_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, switch: str, extra: str
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    environment = {"AWS_REGION": "us-east-1", "CLOUD_ML_REGION": "eu", "ANTHROPIC_VERTEX_PROJECT_ID": "p1"}
    problem = resolve_credentials({**environment, f"CLAUDE_CODE_USE_{switch}": "1"})
    assert isinstance(problem, CredentialError)
    assert problem.hint == f"pip install 'anthropic[{extra}]'"


@pytest.mark.parametrize("environment", [{"ANTHROPIC_API_KEY": KEY}, {**FEDERATION, **GITHUB}])
def test_credentials_show_no_secret(environment: dict[str, str]) -> None:
    found = resolve_credentials(environment)
    assert isinstance(found, Credentials)
    assert KEY in found.secrets
    assert KEY not in f"{found} {found!r} {[found]}"
