import pytest

from memci.forge.answers import PullBranch, convert
from memci.forge.pull_requests import UncertainError


@pytest.mark.parametrize("value", [None, 1, [], {}, {"ref": 1}, "\ud800", {"ref": "a", "\ud800": 1}])
def test_json_of_another_shape_is_an_error_of_the_service(value: object) -> None:
    with pytest.raises(UncertainError, match="the request for a commit"):
        convert(value, PullBranch, "a commit")


def test_half_a_surrogate_pair_in_a_text_is_kept() -> None:
    assert convert({"ref": "\ud800"}, PullBranch, "a commit") == PullBranch("\ud800")
