import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.publish.pr_marker import Marker, find_marker, render_marker, replace_marker
from memci.report.pull_request_body import MAX_LENGTH

MARKER = Marker("d" * 64, "b" * 40, "a" * 40)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "plain",
        "<!-- memci:v1 {} -->",
        "<!-- memci:v1 {] -->",
        '<!-- memci:v1 {"digest": "x", "base": "", "head": "", "closed": false} -->',
        '<!-- memci:v1 {"digest": 3, "base": "", "head": "", "closed": false} -->',
        '<!-- memci:v2 {"digest": "", "base": "", "head": "", "closed": false} -->',
        "<!-- memci:v1 {" + "a" * 100_000,
    ],
)
def test_what_memci_did_not_write_is_no_marker(body: str) -> None:
    assert find_marker(body) is None


@given(st.text(), st.booleans())
def test_a_marker_is_found_below_any_text_and_replaced(text: str, closed: bool) -> None:  # noqa: FBT001 -- drawn
    body = f"{text}\n{render_marker(MARKER)}\n"
    assert find_marker(body) == MARKER
    other = Marker("0" * 64, closed=closed)
    changed = replace_marker(body, other)
    assert find_marker(changed) == other
    assert changed.count("memci:v1 {") == text.count("memci:v1 {") + 1


def test_a_text_of_any_length_and_its_marker_are_no_longer_than_58_000_characters() -> None:
    # Of a repository with the longer names.
    largest = render_marker(Marker("d" * 64, "b" * 64, "a" * 64))
    assert MAX_LENGTH + len(f"\n\n{largest}\n") <= 58_000
