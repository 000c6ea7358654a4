"""The same call through each of the SDK's clients, on the wire."""

import json
from pathlib import Path

import pytest

from memci.engines.claude.calls import Failure, Reply
from memci.engines.claude.credentials import Credentials, resolve_credentials
from memci.engines.claude.session import CallLimits, ModelSession
from tests.engines.claude.run import GATHER, PROMPT, FakeTime, keep
from tests.fakes.anthropic_api import FakeApi


def open_with(environment: dict[str, str]) -> ModelSession:
    found = resolve_credentials(environment)
    assert isinstance(found, Credentials), found
    return ModelSession(found, CallLimits(3_600, None), clock=FakeTime().clock, draw=lambda: 0.5)


def clouds(api: FakeApi) -> dict[str, dict[str, str]]:
    return {
        "token": {"ANTHROPIC_AUTH_TOKEN": api.key, "ANTHROPIC_BASE_URL": api.url},
        "bedrock": {
            "CLAUDE_CODE_USE_BEDROCK": "1",
            "AWS_REGION": "us-east-1",
            "AWS_BEARER_TOKEN_BEDROCK": api.key,
            "ANTHROPIC_BEDROCK_MANTLE_BASE_URL": api.url,
        },
        "vertex": {
            "CLAUDE_CODE_USE_VERTEX": "1",
            "CLOUD_ML_REGION": "europe-west1",
            "ANTHROPIC_VERTEX_PROJECT_ID": "p1",
            "CLOUDSDK_AUTH_ACCESS_TOKEN": api.key,
            "ANTHROPIC_VERTEX_BASE_URL": api.url,
        },
        "foundry": {
            "CLAUDE_CODE_USE_FOUNDRY": "1",
            "ANTHROPIC_FOUNDRY_API_KEY": api.key,
            "ANTHROPIC_FOUNDRY_BASE_URL": api.url,
        },
    }


@pytest.mark.parametrize("name", ["token", "bedrock", "vertex", "foundry"])
def test_a_call_goes_through(api: FakeApi, name: str) -> None:
    with open_with(clouds(api)[name]) as session:
        reply = session.ask(GATHER, PROMPT, shorten=keep)
        assert isinstance(reply, Reply), reply
        assert session.cost.usage.output == reply.usage.output > 0


@pytest.mark.parametrize("name", ["bedrock", "vertex", "foundry"])
def test_a_batch_becomes_plain_calls_where_there_are_none(api: FakeApi, tmp_path: Path, name: str) -> None:
    with open_with(clouds(api)[name]) as session:
        outcomes = [session.ask_batch(GATHER, PROMPT, state=tmp_path / "state", shorten=keep) for _ in range(2)]
        assert [type(outcome) for outcome in outcomes] == [Reply, Reply]
    assert not (tmp_path / "state").exists()


def federated(api: FakeApi) -> dict[str, str]:
    return {
        "ANTHROPIC_FEDERATION_RULE_ID": "fdrl_1",
        "ANTHROPIC_ORGANIZATION_ID": "org-1",
        "ANTHROPIC_BASE_URL": api.url,
        "ACTIONS_ID_TOKEN_REQUEST_URL": f"{api.url}/github/token?api-version=2.0",
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN": api.key,
    }


def test_a_workflow_without_a_key_exchanges_its_identity(api: FakeApi) -> None:
    api.identities = {"jwt-of-the-job": "short-lived"}
    with open_with(federated(api)) as session:
        assert isinstance(session.ask(GATHER, PROMPT, shorten=keep), Reply)
        assert isinstance(session.ask(GATHER, PROMPT, shorten=keep), Reply)
    assert [seen.path for seen in api.seen] == ["/github/token", "/v1/oauth/token", "/v1/messages", "/v1/messages"]
    assert api.posts()[0].headers["authorization"] == "Bearer short-lived"
    assert json.loads(api.posts("/v1/oauth/token")[0].body)["assertion"] == "jwt-of-the-job"


def test_an_identity_can_come_from_a_file(api: FakeApi, tmp_path: Path) -> None:
    api.identities = {"jwt-of-the-file": "short-lived"}
    (tmp_path / "token").write_text("jwt-of-the-file\n")
    environment = {**federated(api), "ANTHROPIC_IDENTITY_TOKEN_FILE": str(tmp_path / "token")}
    with open_with(environment) as session:
        assert isinstance(session.ask(GATHER, PROMPT, shorten=keep), Reply)


def test_an_identity_that_is_refused_stops_the_engine_and_is_not_shown(api: FakeApi) -> None:
    api.identities = {"jwt-of-the-job": "short-lived"}
    with open_with({**federated(api), "ANTHROPIC_FEDERATION_RULE_ID": "fdrl_2"}) as session:
        failure = session.ask(GATHER, PROMPT, shorten=keep)
        assert isinstance(failure, Failure)
        assert failure.reason == "credentials"
        assert session.stopped
        assert "jwt" not in f"{failure} {session.stopped}"
    assert api.posts() == []
