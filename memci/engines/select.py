"""Selects the engine of a run: the model if there are credentials for it, otherwise the embedded one."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from memci.engines.local import LocalEngine
from memci.engines.model.replies import Model, Recorder, Rememberer, Replayer, Shorten
from memci.engines.protocol import Engine
from memci.errors import UsageError
from memci.git.workspace import Workspace
from memci.redaction.hidden import strip_hidden
from memci.report.dream_result import CostReport, PhaseReport
from memci.sessions.clean_text import Cleaner, list_secret_values
from memci.stores.files import make_directory, write_output
from memci.stores.state_directory import read_cached, resolve_state_directory, write_cached

if TYPE_CHECKING:
    from memci.engines.claude.calls import Failure, Phase, Prompt, Reply
    from memci.engines.claude.errors import Clock
    from memci.engines.claude.session import ModelSession

# Well below the six hours after which a hosted job is killed.
MAX_MINUTES = 30.0
# A batch gets 90 minutes; after that its calls are made one by one.
MAX_BATCH_MINUTES = 120.0
# 100 replies of the maximum size.
_MAX_CACHE = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """The options of a run that concern its engine."""

    engine: str
    max_cost: Decimal
    batch: bool
    record: Path | None
    replay: Path | None
    # Where pending batches are recorded.
    state: Path
    quiet: bool = False
    # None: the default for this kind of run.
    max_minutes: Decimal | None = None


@dataclass(slots=True)
class EngineChoice:
    """The engine of a run, its model if there is one, and the cost."""

    engine: Engine
    why: str
    model: Model | None = None
    # Returns the costs of the session.
    count: Callable[[], CostReport] = CostReport

    @property
    def cost(self) -> CostReport:
        """The cost of the model so far."""
        return self.count()

    @property
    def failures(self) -> tuple[str, ...]:
        """The failures of the engine."""
        from memci.engines.model import ModelEngine

        return tuple(self.engine.failures) if isinstance(self.engine, ModelEngine) else ()

    @property
    def proposals(self) -> dict[str, int]:
        """What became of the model's statements, as numbers."""
        from memci.engines.model import ModelEngine

        return dict(self.engine.tally) if isinstance(self.engine, ModelEngine) else {}


@contextlib.contextmanager
def choose_engine(wanted: EngineOptions, clock: "Clock | None" = None) -> Iterator[EngineChoice]:
    """Provide the engine for the duration of a run."""
    _check(wanted)
    say = _say_nothing if wanted.quiet else _say
    if wanted.replay is not None:
        yield _make(Replayer(wanted.replay), f"replies recorded in {wanted.replay}")
        return
    if wanted.engine == "local":
        yield EngineChoice(LocalEngine(), "the embedded engine was asked for")
        return
    # Imported here, because most commands do not need it.
    from memci.engines.claude.credentials import CredentialError, resolve_credentials

    found = resolve_credentials(os.environ)
    if isinstance(found, CredentialError):
        if wanted.engine == "auto" and found.kind == "absent":
            why = "no credentials for a model, so the embedded engine dreams"
            say(f"engine local: {why}")
            yield EngineChoice(LocalEngine(), why)
            return
        raise UsageError(found.message, hint=found.hint)
    from memci.engines.claude.session import CallLimits, ModelSession

    usual = MAX_BATCH_MINUTES if wanted.batch else MAX_MINUTES
    minutes = usual if wanted.max_minutes is None else float(wanted.max_minutes)
    with ModelSession(found, CallLimits(60 * minutes, wanted.max_cost), clock=clock) as session:
        model: Model = _Announced(session, wanted.state / "batches.json" if wanted.batch else None, say)
        model = Rememberer(model, *_keep_beside(wanted.state))
        if wanted.record is not None:
            model = Recorder(model, _keep_in(wanted.record))
        choice = _make(model, f"credentials from {found.source}")
        if wanted.engine == "auto":
            say(f"engine claude: {choice.why}")
        choice.count = lambda: _report(session)
        yield choice


def _check(wanted: EngineOptions) -> None:
    """Reject contradictory options before anything is read."""
    if wanted.max_cost.is_nan() or wanted.max_cost < 0:
        raise UsageError("--max-cost must be a number of dollars, not below zero")
    if wanted.record is not None and wanted.replay is not None:
        raise UsageError("--record and --replay exclude each other", hint="a replayed run has nothing new to record")
    if wanted.engine == "local" and (wanted.record or wanted.replay or wanted.batch):
        raise UsageError("--record, --replay and --batch are about a model, and --engine local has none")


def batch_state_directory(workspace: Workspace) -> Path:
    """Return the directory for pending batches: outside the memory, like locks and journals."""
    common = workspace.repository.common if workspace.repository else None
    return resolve_state_directory(workspace.root, common)


def _make(model: Model, why: str) -> EngineChoice:
    from memci.engines.model import ModelEngine

    take_out = Cleaner(list_secret_values(os.environ)).text

    def clean(text: str) -> str:
        # Neither secrets nor environment values nor invisible characters are sent to a model.
        return take_out(strip_hidden(text))

    return EngineChoice(ModelEngine(model, clean), why, model)


class _Announced:
    """Announces the maximum cost before each call; uses a batch if there is a file to record it in."""

    def __init__(self, session: "ModelSession", batches: Path | None, say: Callable[[str], None]) -> None:
        self._session = session
        self._batches = batches
        self._say = say

    def ask(self, phase: "Phase", prompt: "Prompt", *, shorten: Shorten) -> "Reply | Failure":
        """Make one call."""
        if not self._session.stopped:
            dollars = self._session.estimate(phase, prompt) / (2 if self._batches else 1)
            self._say(f"{phase.name}: asking {phase.model}, about ${dollars:.4f} at most")
        if self._batches is None:
            return self._session.ask(phase, prompt, shorten=shorten)
        return self._session.ask_batch(phase, prompt, state=self._batches, shorten=shorten)


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _say_nothing(_: str) -> None:
    """Keep quiet."""


def _keep_beside(state: Path) -> tuple[Callable[[], bytes], Callable[[bytes], None]]:
    """Return functions that read and write the replies of earlier runs, cached next to the batch records."""
    base, name = state.parent.parent, f"replies-{state.name}.json"
    return lambda: read_cached(base, name, _MAX_CACHE), lambda data: write_cached(base, name, data)


def _keep_in(directory: Path) -> Callable[[str, str], None]:
    # Fails before any call is paid for.
    make_directory(directory)
    return lambda name, text: write_output(directory / name, text.encode())


def _report(session: "ModelSession") -> CostReport:
    cost = session.cost
    phases = tuple(
        PhaseReport(one.name, one.calls, used.total_input, used.output, round(used.hit_rate, 3), one.usd)
        for one in cost.phases
        for used in (one.usage,)
    )
    return CostReport(cost.usd, cost.unseen_usd, phases, cost.warnings)
