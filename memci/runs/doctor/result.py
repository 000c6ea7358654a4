"""The result of one check of `memci doctor`."""

import enum
from dataclasses import dataclass


class CheckState(enum.StrEnum):
    """The state of what was checked."""

    OK = "ok"
    PROBLEM = "problem"
    # It cannot be determined from here.
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was checked, its state, and how to fix a problem."""

    name: str
    state: CheckState
    message: str
    hint: str = ""
