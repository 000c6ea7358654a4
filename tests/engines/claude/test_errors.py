"""What cannot be had on the wire here: the clouds' own libraries, and headers nobody should send."""

import pytest

from memci.engines.claude.calls import Fault
from memci.engines.claude.errors import classify_error, read_wait


def test_a_cloud_that_finds_no_credentials_stops_the_engine() -> None:
    fault = classify_error(RuntimeError("could not resolve credentials: secret"))
    assert (fault.reason, fault.stops, fault.tries) == ("credentials", True, 1)
    assert "secret" not in fault.detail


def test_an_unknown_exception_is_named_by_its_class_only() -> None:
    assert classify_error(LookupError("secret")) == Fault("the call failed (LookupError)", tries=2, charged=True)


@pytest.mark.parametrize(
    ("milliseconds", "seconds", "wait"),
    [
        (None, None, None),
        (None, "1", 1.0),
        (None, " 1.5 ", 1.5),
        ("250", "9", 0.25),
        ("soon", "9", 9.0),
        (None, "Wed, 21 Oct 2026 07:28:00 GMT", 0.0),
        (None, "-5", 0.0),
        (None, "nan", 0.0),
        (None, "1e999", 0.0),
        (None, "9" * 100, float("9" * 100)),
        (None, "9" * 500, float("inf")),
        (None, "٣", 0.0),
        (None, "Wed, 21 Oct 2026 08:28:00 GMT", 0.0),
    ],
)
def test_a_wait_is_a_number_of_seconds(milliseconds: str | None, seconds: str | None, wait: float | None) -> None:
    assert read_wait(milliseconds, seconds) == wait
