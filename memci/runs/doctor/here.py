"""What every check of `memci doctor` is given."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

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
