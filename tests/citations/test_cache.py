import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.citations import cache
from memci.citations.cache import NameCache, name_blob, parse_cache, render_cache

FULL = NameCache(("alpha", "beta"), {"1/a.py": [10, 0, 1], "2/b.py": [20, 1]})


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{}", b"\n", b"[" * 100_000,
        render_cache(FULL)[:-1],
        render_cache(FULL).replace(b"beta", b"zeta"),
        render_cache(FULL).replace(b"names 2", b"names 1"),
        render_cache(FULL).replace(b"memci ", b"memci 9"),
    ],
)  # fmt: skip
def test_what_is_damaged_or_from_another_version_is_no_obstacle(data: bytes) -> None:
    assert parse_cache(data) == NameCache()


def test_too_much_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_BYTES", 50)
    assert render_cache(FULL) == b""


def test_a_content_is_another_one_under_another_name() -> None:
    assert name_blob("1", "src/a.py") == name_blob("1", "lib/a.py") != name_blob("1", "src/a.txt")


@given(st.sets(st.text()), st.dictionaries(st.text(), st.lists(st.integers(0, 10**9))))
def test_what_goes_in_comes_out(names: set[str], blobs: dict[str, list[int]]) -> None:
    kept = NameCache(tuple(names), blobs)
    assert parse_cache(render_cache(kept)) == kept
