import pytest

from memci.prose.polarity import is_flipped
from memci.prose.roots import find_reordered, root


@pytest.mark.parametrize(
    "words",
    [
        ("mock", "mocks", "mocked", "mocking"),
        ("merge", "merging", "merged"),
        ("rerun", "rerunning"),
        ("db", "database"),
    ],
)
def test_inflections_have_one_root(words: tuple[str, ...]) -> None:
    assert len(set(map(root, words))) == 1


@pytest.mark.parametrize("word", ["v1.2", "a_b", "80", "ci", "测试"])
def test_names_stay_whole(word: str) -> None:
    assert root(word) == word


@pytest.mark.parametrize(
    ("one", "other", "flipped"),
    [
        ("Never push to main.", "Push to main.", True),
        ("Use tabs, never spaces.", "Use tabs.", False),
        ("Deploys run at night.", "Deploys never run at night.", True),
        ("Deploys run at night.", "Alerts never go to the team.", False),
    ],
)
def test_flipped_clauses(one: str, other: str, flipped: bool) -> None:  # noqa: FBT001  # a table of cases
    assert is_flipped(one, other) is flipped


def test_steps_keep_their_order() -> None:
    told = ["sign the release before uploading"]
    assert find_reordered("Upload the release before signing.", told)
    assert find_reordered("Upload the release after signing.", told) == ""
    assert find_reordered("After signing upload the release.", told) == ""
