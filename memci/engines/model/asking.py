"""Who is asked: the service, or the replies of an earlier run."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from memci.engines.claude.values import Failure, Phase, Prompt, Reply, Usage
from memci.errors import UsageError

Shorten = Callable[[Prompt], Prompt | None]


class Model(Protocol):
    """Answers a prompt with a value that keeps to the schema of its phase, or says why not."""

    def ask(self, phase: Phase, prompt: Prompt, *, shorten: Shorten) -> Reply | Failure:
        """Make one call."""
        ...


class Recorder:
    """Asks another model and keeps its replies, so that the run can be repeated without it."""

    def __init__(self, model: Model, write: Callable[[str, str], None]) -> None:
        self._model = model
        self._write = write

    def ask(self, phase: Phase, prompt: Prompt, *, shorten: Shorten) -> Reply | Failure:
        """Make one call and keep the reply."""
        reply = self._model.ask(phase, prompt, shorten=shorten)
        if isinstance(reply, Reply):
            kept = {"phase": phase.name, "model": reply.model, "value": reply.value}
            self._write(name_call(phase, prompt), json.dumps(kept, indent=1, sort_keys=True) + "\n")
        return reply


class Replayer:
    """Answers with the replies that were recorded; a call that was not made then has no answer now."""

    def __init__(self, directory: Path) -> None:
        if not directory.is_dir():
            raise UsageError(f"{directory} is not a directory", hint="record a run with --record first")
        self._directory = directory

    def ask(self, phase: Phase, prompt: Prompt, *, shorten: Shorten) -> Reply | Failure:  # noqa: ARG002
        """Return the recorded reply."""
        from memci.engines.claude.schema import SchemaError, check, parse_json

        path = self._directory / name_call(phase, prompt)
        try:
            kept = parse_json(path.read_text(encoding="utf-8"))
            value = check(kept["value"] if isinstance(kept, dict) else None, phase.schema)
        except FileNotFoundError:
            return Failure("api", f"no recorded reply {path.name}: the inputs differ from the recorded run")
        except (OSError, UnicodeDecodeError, SchemaError, KeyError) as error:
            return Failure("api", f"the recorded reply {path.name} cannot be used: {type(error).__name__}")
        return Reply(value, Usage(), phase.model, "") if isinstance(value, dict) else Failure("api", "not an object")


def name_call(phase: Phase, prompt: Prompt) -> str:
    """Name a call by what it asks."""
    content = json.dumps([phase.name, prompt.system, prompt.material, prompt.last])
    return f"{phase.name}-{hashlib.sha256(content.encode()).hexdigest()[:16]}.json"
