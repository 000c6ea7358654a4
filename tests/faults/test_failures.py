import contextlib
import errno
import itertools
import os
import signal
from collections import Counter

import pytest

from memci.errors import ServiceError, UnsafeError
from memci.stores.apply import apply_plan
from memci.stores.lock import RECORD
from tests.faults.scene import CLIENT_NS, Scene
from tests.faults.steps import between, each_step
from tests.gate import in_gate

FAILURES = (errno.ENOSPC, errno.EIO, errno.EROFS, errno.EMFILE, errno.EACCES, errno.EDQUOT)
OPTIONS = pytest.mark.parametrize("lacking", in_gate([False, True]), ids=["exchange", "plain rename"])


class Failing:
    """A system that refuses one call after the other, each for another reason."""

    def __init__(self) -> None:
        self.codes = itertools.cycle(FAILURES)

    def __call__(self) -> None:
        code = next(self.codes)
        raise OSError(code, os.strerror(code))


@OPTIONS
def test_f02_f05_f06_a_failure_of_any_call_leaves_everything_old_and_says_where(scene: Scene, *, lacking: bool) -> None:
    found: Counter[str] = Counter()
    for disturbance in each_step(Failing()):
        scene.build()
        message = ""
        with between(disturbance, lacking=lacking):
            try:
                scene.dream()
            except ServiceError as error:
                message = error.message
        outcome = "old" if message else "new"
        if message:
            assert any(os.strerror(code) in message for code in FAILURES)
            assert any(name in message for name in (".md", "scope", "state", "new", ".memci-")), message
        # Without any repair: a failure before the commit is rolled back at once, one after it changes nothing.
        assert scene.check_settled() == outcome, disturbance.step
        if outcome == "old":
            assert scene.client_ns() == CLIENT_NS
        found[outcome] += 1
    assert found["old"] > 30
    assert found["new"] > 3


@OPTIONS
def test_f02_a_disk_that_stays_full_or_broken_is_repaired_by_the_next_run(scene: Scene, *, lacking: bool) -> None:
    found: Counter[str] = Counter()
    for disturbance in each_step(Failing(), onwards=True):
        scene.build()
        with between(disturbance, lacking=lacking), contextlib.suppress(ServiceError):
            scene.dream()
        scene.check_whole()
        scene.repair()
        found[scene.check_settled()] += 1
    assert found["old"] > 30
    assert found["new"] > 3


def test_a_disk_that_takes_one_byte_at_a_time_gets_all_of_them(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    write, pwrite = os.write, os.pwrite
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:1]))
    monkeypatch.setattr(os, "pwrite", lambda descriptor, data, offset: pwrite(descriptor, data[:1], offset))
    scene.dream()
    assert scene.check_settled() == "new"


def test_f07_a_signal_at_any_call_leaves_old_or_new_and_the_lock_free(scene: Scene) -> None:
    # As for any signal that the command line turns into an exception.
    number = signal.SIGTERM
    before = signal.signal(number, signal.default_int_handler)
    found: Counter[str] = Counter()
    try:
        for disturbance in each_step(lambda: signal.raise_signal(number)):
            scene.build()
            with between(disturbance), contextlib.suppress(KeyboardInterrupt):
                scene.dream()
                assert not disturbance.is_reached
            outcome = scene.check_settled()
            assert scene.client_ns() == CLIENT_NS
            found[outcome] += 1
            # Nobody holds it any more.
            scene.repair()
    finally:
        signal.signal(number, before)
    assert found["old"] > 30
    assert found["new"] > 3


def test_l11_a_lock_that_is_deleted_before_any_call_until_the_commit_rolls_everything_back(scene: Scene) -> None:
    found: Counter[str] = Counter()
    for disturbance in each_step((scene.state / RECORD).unlink):
        outcome = "new"
        with scene.build().hold() as lock, between(disturbance):
            try:
                apply_plan(scene.changes, lock)
            except UnsafeError:
                outcome = "old"
        assert scene.check_settled() == outcome
        found[outcome] += 1
    # After the commit: its own two calls, tidying up, and the run that is not disturbed.
    assert found["old"] > 30
    assert found["new"] < 20


def test_f02_a_disk_that_is_really_full_leaves_everything_old(scene: Scene) -> None:
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    # Larger than the lock and smaller than the journal or the largest file.
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with pytest.raises(ServiceError, match=r"pending\.json: File too large; nothing was changed"):
            scene.dream()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)
    assert scene.check_settled() == "old"


def test_f06_few_descriptors_are_enough_and_none_is_lost(scene: Scene) -> None:
    import resource

    scene.dream()
    scene.build()
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 -- only their number counts
    highest = max(int(name) for name in os.listdir("/proc/self/fd"))  # noqa: PTH208
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 12, limits[1]))
    try:
        scene.dream()
        scene.take_back()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert scene.check_settled() == "old"
    assert len(os.listdir("/proc/self/fd")) == used  # noqa: PTH208
