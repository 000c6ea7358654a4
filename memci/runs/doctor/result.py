"""What a check of `memci doctor` is given, and what it returns."""

import datetime as dt
import enum
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from memci.config import Config
from memci.git.repository import Repository
from memci.git.workspace import Workspace
from memci.model.memory import Scope


@dataclass(frozen=True, slots=True)
class Here:
    """The workspace, its settings and scopes, the environment, and the current time."""

    workspace: Workspace
    config: Config
    scopes: tuple[Scope, ...]
    environment: Mapping[str, str]
    now: dt.datetime

    @property
    def repository(self) -> Repository | None:
        """The repository, None outside of git."""
        return self.workspace.repository


class CheckState(enum.StrEnum):
    """The state of what was checked."""

    OK = "ok"
    PROBLEM = "problem"
    # It cannot be determined from here.
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The state of what was checked, its name, and how to fix a problem."""

    state: CheckState
    name: str
    message: str
    hint: str = ""


ok = partial(Diagnosis, CheckState.OK)
problem = partial(Diagnosis, CheckState.PROBLEM)
unknown = partial(Diagnosis, CheckState.UNKNOWN)
