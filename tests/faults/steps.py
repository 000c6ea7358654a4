"""Standing between memci and the system: something can happen before each call."""

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

from memci.stores import swap

# What changes something, and what only looks something up by its name.
CHANGING = ("write", "pwrite", "fsync", "rename", "unlink", "mkdir", "rmdir", "ftruncate", "fchmod", "utime")
Before = Callable[[str], None]


@contextlib.contextmanager
def between(before: Before, *, looking: bool = False, lacking: bool = False) -> Iterator[None]:
    """Call `before` with the name of each call; `lacking` makes a system without renameat2."""
    is_inside = False

    def wrap(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            nonlocal is_inside
            # What happens meanwhile also calls the system.
            if not is_inside:
                is_inside = True
                try:
                    before(name)
                finally:
                    is_inside = False
            return real(*arguments, **options)

        return call

    def open_file(*arguments: Any, **options: Any) -> int:
        # Making a file is a change.
        is_making = bool(arguments[1] & os.O_CREAT)
        return (made if is_making else opened)(*arguments, **options)

    real = os.open
    made = wrap("open", real)
    opened = made if looking else real
    names = (*CHANGING, *(("stat",) if looking else ()))
    with contextlib.ExitStack() as stack:
        for name in names:
            stack.enter_context(mock.patch.object(os, name, wrap(name, getattr(os, name))))
        stack.enter_context(mock.patch.object(os, "open", open_file))
        call = wrap("renameat2", (lambda *_: False) if lacking else swap.rename)
        stack.enter_context(mock.patch.object(swap, "rename", call))
        yield


class At:
    """Acts before the call with this number, counting from 0, or before each from there on."""

    def __init__(self, step: int, act: Callable[[], object], *, onwards: bool = False) -> None:
        self.step = step
        self.act = act
        self.onwards = onwards
        self.passed = 0

    def __call__(self, _: str) -> None:
        number = self.passed
        self.passed += 1
        if number == self.step or (self.onwards and number > self.step):
            self.act()

    @property
    def is_reached(self) -> bool:
        """Whether there was such a call."""
        return self.passed > self.step


def each_step(act: Callable[[], object], *, onwards: bool = False) -> Iterator[At]:
    """Yield one disturbance for every call of what is run meanwhile, until a run has no such call any more."""
    for step in range(10_000):
        disturbance = At(step, act, onwards=onwards)
        yield disturbance
        if not disturbance.is_reached:
            return
    raise AssertionError("the run does not end")
