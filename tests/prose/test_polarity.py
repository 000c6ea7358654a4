import pytest

from memci.prose.polarity import find_contradiction, find_turned_unspaced
from memci.prose.polarity_words import has_change, is_binding, is_denied

RULE = "never push directly to main, always open a pull request"


def turned(text: str, source: str) -> str:
    found = find_contradiction(text, [source])
    return found.stem if found and found.clear else find_turned_unspaced(text, [source])


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
    assert turned(text, source) == ""


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
    assert turned(text, source)


def test_a_denial_may_be_restated_and_not_left_out() -> None:
    told = "don't mock the database in integration tests"
    assert turned("Integration tests use a real database, not mocks.", told) == ""
    assert turned("Fake the database in integration tests.", told)


@pytest.mark.parametrize(
    ("text", "strong", "weak"),
    [("the queue moved to kafka", True, True), ("it is kafka now", False, True), ("it is kafka", False, False)],
)
def test_words_of_change(text: str, strong: bool, weak: bool) -> None:  # noqa: FBT001  # a table of cases
    assert (has_change(text), has_change(text, weak=True)) == (strong, weak)


def test_a_limit_is_no_denial_and_a_rule_binds() -> None:
    assert not is_denied("nicht mehr als 40 zeilen")
    assert is_denied("ikke bruk localstorage")
    assert is_binding("Always rebase.")
    assert not is_binding("The queue is NATS.")


def test_a_question_that_is_answered_with_a_no_is_denied() -> None:
    assert find_contradiction("Open the port.", ["should we open the port? no, keep it closed"])
    assert not find_contradiction("Logs are kept for 9 days.", ["should we keep logs for 5 days? no, 9 days"])


def test_a_hostile_line_is_read_in_one_pass() -> None:
    text = "not, and but " * 5_000
    assert find_contradiction(text, [text]) is None
