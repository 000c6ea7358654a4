"""Which engine dreams, and why: the model if there are credentials for it, the embedded one if not."""

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from memci.engines.engine import Engine
from memci.engines.local import LocalEngine
from memci.engines.model.asking import Model, Recorder, Replayer, Shorten
from memci.errors import UsageError
from memci.report.dream import CostReport, PhaseReport
from memci.sources.workspace import Workspace
from memci.stores.files import write_file
from memci.stores.state import find_state_directory

if TYPE_CHECKING:
    from memci.engines.claude.session import Session
    from memci.engines.claude.values import Failure, Phase, Prompt, Reply

# Ours: a job that hangs must end before its runner is killed.
_SECONDS = 900.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for."""

    engine: str
    max_cost: Decimal
    batch: bool
    record: Path | None
    replay: Path | None
    # Where a batch that is under way is noted.
    state: Path


@dataclass(slots=True)
class Choice:
    """The engine of a run, the model behind it if there is one, and what it came to."""

    engine: Engine
    why: str
    model: Model | None = None
    cost: CostReport = field(default_factory=CostReport)

    @property
    def failures(self) -> tuple[str, ...]:
        """What the engine could not do."""
        from memci.engines.model import ModelEngine

        return tuple(self.engine.failures) if isinstance(self.engine, ModelEngine) else ()


@contextlib.contextmanager
def choose_engine(wanted: Wanted) -> Iterator[Choice]:
    """Give the engine for the length of a run."""
    if wanted.replay is not None:
        yield _make(Replayer(wanted.replay), f"replies recorded in {wanted.replay}")
        return
    if wanted.engine == "local":
        yield Choice(LocalEngine(), "the embedded engine was asked for")
        return
    # Not at the top: credentials alone are cheap, but most commands need neither.
    from memci.engines.claude.credentials import Problem, find_credentials

    found = find_credentials(os.environ)
    if isinstance(found, Problem):
        if wanted.engine == "auto" and found.kind == "absent":
            yield Choice(LocalEngine(), "no credentials for a model, so the embedded engine dreams")
            return
        raise UsageError(found.message, hint=found.hint)
    from memci.engines.claude.session import Limits, Session

    with Session(found, Limits(_SECONDS, wanted.max_cost)) as session:
        model: Model = _Batched(session, wanted.state / "batches.json") if wanted.batch else session
        if wanted.record is not None:
            model = Recorder(model, _keep_in(wanted.record))
        choice = _make(model, f"credentials from {found.source}")
        try:
            yield choice
        finally:
            choice.cost = _report(session)


def find_batch_state(workspace: Workspace) -> Path:
    """Return where batches under way are noted: outside the memory, like locks and journals."""
    common = workspace.repository.common if workspace.repository else None
    return find_state_directory(workspace.root, common, os.environ)


def _make(model: Model, why: str) -> Choice:
    from memci.engines.model import ModelEngine

    return Choice(ModelEngine(model), why, model)


class _Batched:
    """Asks through a batch of one, at half the price."""

    def __init__(self, session: "Session", state: Path) -> None:
        self._session = session
        self._state = state

    def ask(self, phase: "Phase", prompt: "Prompt", *, shorten: Shorten) -> "Reply | Failure":
        """Make one call."""
        return self._session.ask_batch([(phase, prompt)], state=self._state, shorten=shorten)[0]


def _keep_in(directory: Path) -> Callable[[str, str], None]:
    directory.mkdir(parents=True, exist_ok=True)
    return lambda name, text: write_file(directory, PurePosixPath(name), text.encode())


def _report(session: "Session") -> CostReport:
    cost = session.cost
    phases = tuple(
        PhaseReport(
            phase.name, phase.calls, phase.usage.total_input, phase.usage.output, phase.usage.hit_rate, phase.usd
        )
        for phase in cost.phases
    )
    return CostReport(cost.usd, cost.unseen_usd, phases, cost.warnings)
