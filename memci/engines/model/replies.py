"""Models that answer from the service, from a recording, or from a cache of replies."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from memci.engines.claude.calls import Failure, Phase, Prompt, Reply, Usage
from memci.errors import UsageError
from memci.redaction.secrets import redact

Shorten = Callable[[Prompt], Prompt | None]
# The size of the reply cache: some weeks of a repository with a few scopes.
_MAX_KEPT = 100


class Model(Protocol):
    """Answers a prompt with a value that matches the schema of its phase, or a failure."""

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
            kept = {"phase": phase.name, "model": reply.model, "value": _redact_all(reply.value)}
            self._write(name_call(phase, prompt), json.dumps(kept, indent=1, sort_keys=True) + "\n")
        return reply


class Replayer:
    """Answers with recorded replies; a call without a recording fails."""

    def __init__(self, directory: Path) -> None:
        if not directory.is_dir():
            raise UsageError(f"{directory} is not a directory", hint="record a run with --record first")
        self._directory = directory

    def ask(self, phase: Phase, prompt: Prompt, *, shorten: Shorten) -> Reply | Failure:  # noqa: ARG002 -- the protocol
        """Return the recorded reply."""
        path = self._directory / name_call(phase, prompt)
        try:
            kept = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return Failure("api", f"no recorded reply {path.name}: the inputs differ from the recorded run")
        except (OSError, UnicodeDecodeError) as error:
            return Failure("api", f"the recorded reply {path.name} cannot be read: {type(error).__name__}")
        reply = _parse(kept, phase)
        return reply or Failure("api", f"the recorded reply {path.name} is damaged")


class Rememberer:
    """Caches the replies of another model, so that a repeated run costs nothing."""

    def __init__(self, model: Model, read: Callable[[], bytes], write: Callable[[bytes], None]) -> None:
        self._model = model
        self._read = read
        self._write = write

    def ask(self, phase: Phase, prompt: Prompt, *, shorten: Shorten) -> Reply | Failure:
        """Return the reply to the same question, or make one call."""
        name = name_call(phase, prompt)
        kept = self._read_kept()
        known = _parse(kept.get(name, ""), phase)
        if known is not None:
            return known
        reply = self._model.ask(phase, prompt, shorten=shorten)
        # A reply with a secret is not cached at all: redacted, it would be a different reply.
        if isinstance(reply, Reply) and _redact_all(reply.value) == reply.value:
            kept[name] = json.dumps({"value": reply.value})
            newest = dict(list(kept.items())[-_MAX_KEPT:])
            self._write(json.dumps(newest, indent=1).encode())
        return reply

    def _read_kept(self) -> dict[str, str]:
        try:
            kept = json.loads(self._read())
        except (ValueError, RecursionError):
            return {}
        if not isinstance(kept, dict):
            return {}
        return {name: text for name, text in kept.items() if isinstance(text, str)}


def name_call(phase: Phase, prompt: Prompt) -> str:
    """Name a call by its content without the date."""
    last = json.loads(prompt.last)
    last.pop("today", None)
    content = json.dumps([phase.name, phase.model, phase.schema, prompt.system, prompt.material, last], sort_keys=True)
    return f"{phase.name}-{hashlib.sha256(content.encode()).hexdigest()[:16]}.json"


def _parse(text: str, phase: Phase) -> Reply | None:
    """Return a stored reply; None if it does not match the schema."""
    from memci.engines.claude.check_reply import SchemaError, check, parse_json

    try:
        kept = parse_json(text)
        value = check(kept.get("value") if isinstance(kept, dict) else None, phase.schema)
    except SchemaError:
        return None
    return Reply(value, Usage(), phase.model) if isinstance(value, dict) else None


def _redact_all(value: object) -> object:
    """Redact secrets in a reply before it is stored."""
    match value:
        case str():
            return redact(value)
        case list():
            return [_redact_all(part) for part in value]
        case dict():
            return {key: _redact_all(part) for key, part in value.items()}
    return value
