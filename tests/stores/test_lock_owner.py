import os
import subprocess
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.stores.lock_owner import Holder, Life, describe_self, judge_client, judge_run, parse_holder


@given(st.binary(max_size=60))
def test_any_bytes_are_a_process_or_rubbish(data: bytes) -> None:
    holder = parse_holder(data)
    assert holder is None or 0 < holder.pid < 2**31


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"12", Holder(12)),
        (b" 12 \r\n", Holder(12)),
        (b"12\nhost", Holder(12, "host")),
        (b"12\nhost\n7\nmore\n", Holder(12, "host", start="7")),
    ],
)
def test_what_is_missing_is_not_known(data: bytes, expected: Holder) -> None:
    assert parse_holder(data) == expected


def test_a_run_that_this_kernel_does_not_lock_any_more_is_over() -> None:
    this = describe_self()
    assert judge_run(this, time.time()) is Life.DEAD
    assert judge_run(replace(this, boot="another"), time.time()) is Life.UNKNOWN
    assert judge_run(replace(this, boot="another"), time.time() - 3_601) is Life.DEAD


def test_what_cannot_be_seen_from_here_is_unknown() -> None:
    this = describe_self()
    assert judge_run(replace(this, host="another", boot="another"), 0) is Life.UNKNOWN
    assert judge_run(replace(this, host="another", boot=""), 0) is Life.UNKNOWN


def test_a_process_of_which_only_the_exit_code_is_left_is_dead() -> None:
    with subprocess.Popen(["claude"], executable="true") as process:
        # Wait for its end without taking the exit code.
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert judge_client(Holder(process.pid), time.time()) is Life.DEAD
