import pytest

from memci.prose.negation import find_dropped_denial, find_reversed, is_flipped, root

RULE = "never push directly to main, always open a pull request"


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
    ("text", "source"),
    [
        ("Direct pushes to main are not allowed; open a pull request.", RULE),
        ("Every merge needs a review.", "do not merge without a review"),
        ("Nothing is merged without a review.", "do not merge anything without a review"),
        ("Use pnpm instead of npm.", "use pnpm, not npm"),
        ("UI code uses composition, not inheritance.", "prefer composition over inheritance"),
        ("At most one retry.", "no more than one retry"),
        ("Terraform: plan only.", "never run terraform apply, only plan"),
        ("The threshold is 85%.", "the threshold is 85% now, not 80% anymore"),
        ("集成测试里不要 mock 数据库", "以后不要在集成测试里 mock 数据库"),
        # Two items of a list are two statements, with a full stop or without.
        ("Never mock the database in tests", "- Never mock the database in tests\n- Never mock the database in tests"),
    ],
)
def test_rewording_is_no_reversal(text: str, source: str) -> None:
    assert find_reversed(text, [source]) == ""


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Push directly to main.", RULE),
        ("Never open a pull request.", RULE),
        ("Pull requests are forbidden.", RULE),
        ("Merge without a review.", "do not merge without a review"),
        ("Use npm instead of pnpm.", "use pnpm, not npm"),
        ("Prefer inheritance over composition.", "prefer composition over inheritance"),
        ("Never run terraform plan.", "never run terraform apply, only plan"),
        ("The threshold is 80%.", "the threshold is 85% now, not 80% anymore"),
        ("Never:", "use tabs"),
        ("在集成测试里 mock 数据库", "不要在集成测试里 mock 数据库"),
    ],
)
def test_the_opposite_is_found(text: str, source: str) -> None:
    assert find_reversed(text, [source])


def test_a_denial_may_not_be_left_out() -> None:
    told = ["don't mock the database in integration tests"]
    assert find_dropped_denial(["Integration tests use a real database, not mocks."], told) == ""
    assert find_dropped_denial(["Fake the database in integration tests."], told) == "mock"


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


def test_a_hostile_line_is_read_in_one_pass() -> None:
    text = "not, and but " * 5_000
    assert find_reversed(text, [text]) is not None
