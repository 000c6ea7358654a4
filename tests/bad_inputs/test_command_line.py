"""Odd settings, places and times; the ids are those of the case list."""

import datetime as dt
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.errors import Exit
from memci.model.session import Origin, Place, Turn
from memci.sessions.record_fields import parse_time
from memci.sessions.typed_parts import split_parts
from memci.signals.find import find_signals
from tests.bad_inputs.stage import Stage, body, examine, person, secret
from tests.commands.run import check
from tests.repository import Repo


def test_c01_a_setting_that_does_not_exist_is_named_and_nothing_is_checked(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.write(".memci.yml", "scopess: x\nmax_files: many\n")
    done = examine(capsys, repo, Exit.USAGE, set())
    assert ".memci.yml:1: unknown key 'scopess'" in done.err


def test_c03_a_pull_request_cannot_switch_off_the_rules_that_judge_it(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.write(".memci.yml", "ignore:\n  - {rule: secret, reason: noisy}\n")
    body(f"token {secret()}")(repo)
    repo.commit("pull request")
    done = check(capsys, repo.root, "--since", "HEAD~1")
    assert done.code == Exit.FINDINGS
    assert {rule for rule, _, _ in done.findings} == {"secret", "config-changed"}


def test_c06_a_relative_date_counts_from_the_message(stage: Stage) -> None:
    stage.write(
        "d.jsonl", person("we decided that the freeze starts next Thursday", timestamp="2026-10-25T00:30:00+02:00")
    )
    assert stage.dream().code == Exit.DONE
    (text,) = (text for name, text in stage.memory().items() if "freeze" in name)
    # All dates of memci are UTC, where it was still Saturday; the Thursday after both is the same.
    assert "2026-10-29" in text
    assert "next Thursday" not in text.partition("---\n")[2].partition("---\n")[0]


FREEZE = "we decided that the freeze starts next Thursday"


@given(
    moment=st.datetimes(dt.datetime(2026, 1, 1), dt.datetime(2026, 12, 31), timezones=st.just(dt.UTC)),  # noqa: DTZ001 -- the strategy wants them bare
    minutes=st.integers(-12 * 60, 14 * 60),
)
def test_c06_the_zone_a_time_is_written_in_changes_nothing(moment: dt.datetime, minutes: int) -> None:
    there = moment.astimezone(dt.timezone(dt.timedelta(minutes=minutes)))
    found = [
        find_signals(
            [
                Turn(
                    "s",
                    "u",
                    parse_time(time.isoformat()),
                    Origin.PERSON,
                    Place.PROMPT,
                    FREEZE,
                    parts=split_parts(FREEZE),
                )
            ]
        )
        for time in (moment, there)
    ]
    assert found[0] == found[1]
    (signal,) = found[0].signals
    assert re.search("next Thursday", signal.text)
