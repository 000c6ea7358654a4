from memci.errors import FAIL_LEVELS
from memci.model.finding import Severity


def test_the_fail_levels_are_the_severities_and_never() -> None:
    assert (*(severity.value for severity in Severity), "never") == FAIL_LEVELS
