import os
import subprocess
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.stores.lock_owner import Holder, Life, describe_self, judge_holder, parse_holder


@given(st.text(max_size=60))
def test_any_text_is_a_process_or_rubbish(text: str) -> None:
    holder = parse_holder(text)
    assert holder is None or 0 < holder.pid < 2**31


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12", Holder(12)),
        (" 12 \r\n", Holder(12)),
        ("12\nhost", Holder(12, "host")),
        ("12\nhost\n7\nboot\npid:[1]\nmore\n", Holder(12, "host", "7", "boot", "pid:[1]")),
    ],
)
def test_what_is_missing_is_not_known(text: str, expected: Holder) -> None:
    assert parse_holder(text) == expected


def test_this_process_is_alive() -> None:
    assert judge_holder(describe_self()) is Life.ALIVE


def test_the_start_of_a_process_tells_it_from_an_earlier_one_with_its_id() -> None:
    this = describe_self()
    assert judge_holder(replace(this, start="1")) is Life.DEAD
    assert judge_holder(replace(this, start="", boot="", namespace="")) is Life.DOUBTFUL
    assert judge_holder(replace(this, boot="another")) is Life.DOUBTFUL


def test_what_cannot_be_seen_from_here_is_unknown() -> None:
    this = describe_self()
    assert judge_holder(replace(this, host="another")) is Life.UNKNOWN
    assert judge_holder(replace(this, namespace="pid:[1]")) is Life.UNKNOWN
    assert judge_holder(replace(this, pid=999_999, host="another")) is Life.UNKNOWN


def test_a_process_of_which_only_the_exit_code_is_left_is_dead() -> None:
    with subprocess.Popen(["true"]) as process:
        # Wait for its end without taking the exit code.
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert judge_holder(Holder(process.pid)) is Life.DEAD
