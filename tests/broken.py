"""A disk that does not give back what is on it."""

import os
from typing import Any

import pytest


def break_file(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let every file of this name open as usual and fail with EIO when it is read."""
    real = os.open

    def open_other(path: Any, *arguments: Any, **options: Any) -> int:
        # Nothing is mapped at address 0, which is where the memory of a process begins.
        return real("/proc/self/mem", os.O_RDONLY) if path == name else real(path, *arguments, **options)

    monkeypatch.setattr(os, "open", open_other)
