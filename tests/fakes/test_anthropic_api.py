"""The fake refuses what the service refuses; asked through the real SDK."""

from collections.abc import Iterator
from typing import Any

import anthropic
import pytest

from tests.engines.claude.run import make_key
from tests.fakes.anthropic_api import FakeApi

SCHEMA = {"type": "object", "additionalProperties": False, "required": ["a"], "properties": {"a": {"type": "string"}}}
GOOD: dict[str, Any] = {
    "model": "claude-sonnet-5-5",
    "max_tokens": 100,
    "messages": [{"role": "user", "content": "hello"}],
    "output_config": {"effort": "low", "format": {"type": "json_schema", "schema": SCHEMA}},
}


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeApi]:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with FakeApi(make_key()) as api:
        yield api


def ask(
    api: FakeApi, *, key: str = "", headers: dict[str, str] | None = None, **changes: object
) -> anthropic.types.Message:
    body = {**GOOD, **changes}
    extra = {name: body.pop(name) for name in list(body) if name not in GOOD}
    with (
        anthropic.Anthropic(api_key=key or api.key, base_url=api.url, max_retries=0) as client,
        client.messages.stream(**body, extra_body=extra, extra_headers=headers) as stream,
    ):
        return stream.get_final_message()


def with_schema(**changes: object) -> dict[str, object]:
    return {"format": {"type": "json_schema", "schema": {**SCHEMA, **changes}}}


def block(text: str = "x", **cache: str) -> dict[str, object]:
    return {"type": "text", "text": text, "cache_control": {"type": "ephemeral", **cache}}


def test_a_good_request_is_answered(api: FakeApi) -> None:
    message = ask(api)
    assert message.stop_reason == "end_turn"
    assert [part.type for part in message.content] == ["thinking", "text"]
    assert message.usage.output_tokens == 10


REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("temperature", {"temperature": 1.0}),
    ("top-p", {"top_p": 0.5}),
    ("unknown-parameter", {"seed": 1}),
    ("forced-tool", {"tool_choice": {"type": "any"}}),
    ("prefill", {"messages": [*GOOD["messages"], {"role": "assistant", "content": "{"}]}),
    ("no-messages", {"messages": []}),
    ("empty-text", {"messages": [{"role": "user", "content": [{"type": "text", "text": ""}]}]}),
    ("effort", {"output_config": {"effort": "extreme"}}),
    ("thinking-off-where-it-is-always-on", {"model": "claude-opus-5-5", "thinking": {"type": "disabled"}}),
    ("thinking-budget", {"thinking": {"type": "enabled", "budget_tokens": 10}}),
    ("room", {"max_tokens": 128_001}),
    ("open-schema", {"output_config": with_schema(additionalProperties=True)}),
    ("length-in-schema", {"output_config": with_schema(properties={"a": {"type": "string", "maxLength": 3}})}),
    ("lookahead", {"output_config": with_schema(properties={"a": {"type": "string", "pattern": "(?=x)"}})}),
    ("many-optional", {"output_config": with_schema(properties={f"p{at}": {} for at in range(26)})}),
    ("many-unions", {"output_config": with_schema(properties={f"p{at}": {"anyOf": []} for at in range(17)})}),
    ("five-breakpoints", {"messages": [{"role": "user", "content": [block()] * 5}]}),
    ("long-life-after-short", {"messages": [{"role": "user", "content": [block(), block(ttl="1h")]}]}),
    ("long-prompt", {"model": "claude-tiny-1", "messages": [{"role": "user", "content": "x" * 20_000}]}),
    ("version", {"headers": {"anthropic-version": "2023-06-01"}}),
]


@pytest.mark.parametrize("changes", [case[1] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_a_wrong_request_is_a_400(api: FakeApi, changes: dict[str, Any]) -> None:
    with pytest.raises(anthropic.BadRequestError):
        ask(api, **changes)


def test_the_wrong_key_and_the_wrong_model_are_refused(api: FakeApi) -> None:
    with pytest.raises(anthropic.AuthenticationError):
        ask(api, key="wrong")
    with pytest.raises(anthropic.NotFoundError):
        ask(api, model="claude-nobody")


def test_a_request_over_32_mb_is_too_large(api: FakeApi) -> None:
    with pytest.raises(anthropic.APIStatusError) as caught:
        ask(api, messages=[{"role": "user", "content": "x" * 33 * 1024 * 1024}])
    assert caught.value.status_code == 413


@pytest.mark.parametrize("names", [["a", "a"], ["a b"], ["x" * 65], []])
def test_a_batch_needs_good_names(api: FakeApi, names: list[str]) -> None:
    requests: list[Any] = [{"custom_id": name, "params": GOOD} for name in names]
    with (
        anthropic.Anthropic(api_key=api.key, base_url=api.url, max_retries=0) as client,
        pytest.raises(anthropic.BadRequestError),
    ):
        client.messages.batches.create(requests=requests)


def test_a_batch_is_read_by_the_sdk_and_deleted_only_when_it_ended(api: FakeApi) -> None:
    requests: list[Any] = [{"custom_id": "a", "params": GOOD}, {"custom_id": "b", "params": {**GOOD, "stream": True}}]
    with anthropic.Anthropic(api_key=api.key, base_url=api.url, max_retries=0) as client:
        batch = client.messages.batches.create(requests=requests)
        with pytest.raises(anthropic.BadRequestError):
            client.messages.batches.delete(batch.id)
        client.messages.batches.retrieve(batch.id)
        kinds = {line.custom_id: line.result.type for line in client.messages.batches.results(batch.id)}
        assert kinds == {"a": "succeeded", "b": "errored"}
        client.messages.batches.delete(batch.id)
        assert client.messages.batches.list().data == []
