"""Dreams over texts in memory with a model that is a function: everything of a dream but files and the network."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, cast

from memci.citations.lookups import Lookup
from memci.dream.conversation import Inquiry, make_said
from memci.dream.inputs import DreamTask
from memci.dream.pipeline import plan_scopes
from memci.engines.claude.calls import Failure, Phase, Prompt, Reply, Usage
from memci.engines.model import ModelEngine
from memci.engines.model.replies import Shorten
from memci.engines.protocol import Engine
from memci.model.conversation import Conversation, LogLine, Message, Talk
from memci.model.memory import ScopeSnapshot
from memci.model.plan import ScopePlan
from memci.model.session import Origin, Place, Turn
from memci.sessions.typed_parts import split_parts
from tests.dream.scenes import make_sources, named_scope
from tests.engines.model.scene import SCOPE, answer_with

DAY = dt.datetime(2026, 11, 12, 9, 30, tzinfo=dt.UTC)
ROOT = PurePosixPath(SCOPE)


class Scripted:
    """A model that answers as the fake of the service does, and keeps what it was asked."""

    def __init__(self, answer: Callable[[dict[str, Any]], object] | None = None) -> None:
        self._answer = answer or answer_with()
        self.asked: list[tuple[str, Prompt]] = []

    def ask(self, phase: Phase, prompt: Prompt, *, shorten: Shorten) -> Reply | Failure:  # noqa: ARG002 -- the protocol
        self.asked.append((phase.name, prompt))
        blocks = [{"text": text} for text in (prompt.material, prompt.last) if text]
        value = self._answer({"messages": [{"content": blocks}]})
        assert isinstance(value, dict | Failure)
        return value if isinstance(value, Failure) else Reply(value, Usage(), phase.model)

    @property
    def phases(self) -> list[str]:
        return [name for name, _ in self.asked]


@dataclass(frozen=True, slots=True)
class _Answered(Inquiry):
    """An inquiry whose repository gives fixed answers."""

    fixed: Mapping[str, str] = field(default_factory=dict)

    def look_up(self, lookups: Sequence[Lookup]) -> Mapping[str, str]:
        found = {one.source: self.fixed.get(one.source, "not answered: this cannot be asked") for one in lookups}
        self.answers.update(found)
        return found


def turn(text: str, number: int = 1, *, session: str = "s1", before: str = "", place: Place = Place.PROMPT) -> Turn:
    """Return a message of a person."""
    when = DAY + dt.timedelta(minutes=number)
    return Turn(session, f"u{number}", when, Origin.PERSON, place, text, before=before, parts=split_parts(text))


def converse(*texts: str, person: str = "", taken_back: Sequence[int] = ()) -> Talk:
    """Return a session in which a person says this; those with these numbers are taken back."""
    turns = [turn(text, number) for number, text in enumerate(texts, 1)]
    messages = tuple(Message(one, make_said(one, person), number in taken_back) for number, one in enumerate(turns, 1))
    return Talk("s1", DAY.date(), person, "", messages)


def read_project(files: Mapping[str, str]) -> ScopeSnapshot:
    """Return the project's scope with these files."""
    return named_scope("project", SCOPE, files)


def play(
    files: Mapping[str, str],
    said: Talk | None,
    model: Scripted,
    *,
    log: Sequence[LogLine] = (),
    answers: Mapping[str, str] | None = None,
) -> ScopePlan:
    """Dream over the project's scope with a model; the repository gives only these answers."""
    return play_with(files, said, ModelEngine(model), log=log, answers=answers)


def play_with(
    files: Mapping[str, str],
    said: Talk | None,
    engine: Engine,
    *,
    log: Sequence[LogLine] = (),
    answers: Mapping[str, str] | None = None,
) -> ScopePlan:
    """Dream over the project's scope with an engine."""
    scope = read_project(files)
    # Only a real repository is looked up by way of the task.
    task = cast("DreamTask", None)
    conversation = Conversation((said,) if said else (), tuple(log))
    inquiry = _Answered(task, conversation, {}, (), fixed=answers or {})
    (plan,) = plan_scopes(make_sources(scope), {ROOT: ()}, engine, inquiry)
    return plan


def texts_after(plan: ScopePlan) -> dict[str, str]:
    """Return the texts after a dream, by name."""
    return {str(path.relative_to(ROOT)): text for path, text in plan.after.items()}
