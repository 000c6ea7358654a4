import pytest

from memci.forge.answers import GitObject, convert
from memci.forge.protocol import UncertainError


@pytest.mark.parametrize("value", [None, 1, [], {}, {"sha": 1}, "\ud800", {"sha": "a", "\ud800": 1}])
def test_json_of_another_shape_is_an_error_of_the_service(value: object) -> None:
    with pytest.raises(UncertainError, match="the request for a commit"):
        convert(value, GitObject, "a commit")


def test_half_a_surrogate_pair_in_a_text_is_kept() -> None:
    assert convert({"sha": "\ud800"}, GitObject, "a commit") == GitObject("\ud800")
