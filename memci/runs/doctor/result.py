"""What `memci doctor` says of one thing."""

import enum
from dataclasses import dataclass


class CheckState(enum.StrEnum):
    """How a thing is."""

    OK = "ok"
    PROBLEM = "problem"
    # It cannot be seen from here.
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One thing, how it is, and what to do if that is not good."""

    name: str
    state: CheckState
    message: str
    hint: str = ""
