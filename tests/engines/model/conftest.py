"""Every test gets a repository of its own and a fake that the environment leads to."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engines.claude.run import make_key
from tests.engines.model.scene import Scene, answer_with, make_scene
from tests.fakes.anthropic_api import FakeApi


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeApi]:
    """Return a fake that the credentials of the environment are for."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with FakeApi(make_key(), answer=answer_with()) as api:
        monkeypatch.setenv("ANTHROPIC_API_KEY", api.key)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        yield api


@pytest.fixture
def scene(tmp_path: Path, api: FakeApi, capsys: pytest.CaptureFixture[str]) -> Scene:
    """Return a repository with memory, without transcripts."""
    return make_scene(tmp_path, api, capsys)
