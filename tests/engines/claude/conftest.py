"""Every test of the door gets its own fake, and no proxy in between."""

from collections.abc import Iterator

import pytest

from tests.engines.claude.run import FakeTime, make_key
from tests.fakes.anthropic_api import FakeApi


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_BEARER_TOKEN_BEDROCK", "CLOUD_ML_REGION"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def api() -> Iterator[FakeApi]:
    """Return a fake that answers well until told otherwise."""
    with FakeApi(make_key()) as api:
        yield api


@pytest.fixture
def time() -> FakeTime:
    """Return time that passes only while somebody sleeps."""
    return FakeTime()
