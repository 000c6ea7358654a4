"""What a check of `memci doctor` is given and returns, and how the result is shown."""

import enum
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from memci.config import Config
from memci.git.repository import Repository
from memci.git.workspace import Workspace
from memci.model.memory import Scope
from memci.redaction.secrets import redact
from memci.report.check_result import amount
from memci.report.escape import json_text, workflow_line
from memci.report.output import terminal_width, wants_colour
from memci.report.terminal_lines import BOLD, GREEN, RED, YELLOW, paint, render_table


@dataclass(frozen=True, slots=True)
class Here:
    """The workspace, its settings and scopes, and the environment."""

    workspace: Workspace
    config: Config
    scopes: tuple[Scope, ...]
    environment: Mapping[str, str]

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
_MARKS = {CheckState.OK: "ok      ", CheckState.PROBLEM: "PROBLEM ", CheckState.UNKNOWN: "unknown "}
_STYLES = {CheckState.OK: GREEN, CheckState.PROBLEM: f"{BOLD};{RED}", CheckState.UNKNOWN: YELLOW}


def count_problems(found: Sequence[Diagnosis]) -> int:
    """Return how many diagnoses are problems."""
    return sum(one.state is CheckState.PROBLEM for one in found)


def render_diagnoses_json(found: Sequence[Diagnosis]) -> str:
    """Return the diagnoses as JSON."""
    checks = [
        {"name": one.name, "state": one.state.value, "message": redact(one.message), "hint": redact(one.hint)}
        for one in found
    ]
    return json_text({"schema": "memci/doctor/1", "problems": count_problems(found), "checks": checks})


def render_diagnoses(found: Sequence[Diagnosis], *, quiet: bool) -> str:
    """Return the diagnoses as text; when quiet, only the problems."""
    shown = [one for one in found if one.state is CheckState.PROBLEM or not quiet]
    lines = [_render_table(shown)] if shown and wants_colour() else list(_render_lines(shown))
    if not quiet:
        counts = Counter(one.state for one in found)
        problems = amount(counts[CheckState.PROBLEM], "problem")
        lines += ["", f"{problems}, {counts[CheckState.UNKNOWN]} unknown, {counts[CheckState.OK]} fine"]
    return "".join(f"{line}\n" for line in lines)


def _render_lines(shown: Sequence[Diagnosis]) -> Iterator[str]:
    for one in shown:
        yield f"{_MARKS[one.state]} {one.name}: {workflow_line(redact(one.message))}"
        if one.hint:
            yield f"          -> {workflow_line(redact(one.hint))}"


def _render_table(shown: Sequence[Diagnosis]) -> str:
    rows = []
    for one in shown:
        message, hint = (workflow_line(redact(text)) for text in (one.message, one.hint))
        text = f"{message}\n{paint(f'-> {hint}', BOLD, colour=True)}" if hint else message
        rows.append((paint(one.state.value, _STYLES[one.state], colour=True), one.name, text))
    return render_table(rows, terminal_width()).removesuffix("\n")
