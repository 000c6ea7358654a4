"""Runs as a SessionEnd hook: notes the session and leaves the work to a background process.

Must not import what reads or redacts transcripts before it forks, because the session waits for it.
"""

import datetime as dt
import json
import os
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from memci.errors import MemciError, UsageError
from memci.git.repository import Repository, find_repository
from memci.stores.state_directory import open_log, spool_directory

# A limit for the input of a hook, which has little more than paths.
_MAX_INPUT = 1 << 20
_BY_HAND = "memci collect --transcript PATH"


class Destination(NamedTuple):
    """Where sessions are collected to."""

    # "spool", "git:REF", or a directory.
    to: str
    # The remote that a ref is pushed to.
    remote: str | None = None
    # Whether git's user.name is recorded in sessions that ran under the login of whoever collects them.
    named: bool = True


@dataclass(frozen=True, slots=True)
class EndedSession:
    """A session to collect, and where it ran."""

    id: str
    transcript: Path
    directory: Path
    spool: Path


def run_hook(target: Destination) -> None:
    """Collect the session that has ended; errors are printed, because a hook must not fail."""
    try:
        check_target(target.to)
        work_in_background(find_session(parse_hook(sys.stdin.read()), target.to), target)
    except MemciError as error:
        from memci.redaction.secrets import redact
        from memci.report.escape import visible

        hint = f"\n  hint: {error.hint}" if error.hint else ""
        sys.stderr.write(f"memci: session not collected: {visible(redact(error.message))}{hint}\n")
    except Exception as error:  # noqa: BLE001 -- a bug must not disturb the session, and its text may hold secrets
        sys.stderr.write(f"memci: session not collected: {type(error).__name__}\n")


def check_target(to: str) -> None:
    """Refuse a branch name that could never hold sessions, before a hook is told of it."""
    if to.startswith("git:"):
        from memci.stores.session_ref import check_name

        check_name(to.removeprefix("git:"))


def parse_hook(text: str) -> Mapping[str, str]:
    """Parse the input of a hook and return its text fields."""
    try:
        value = json.loads(text[:_MAX_INPUT])
    except (ValueError, RecursionError) as error:
        raise UsageError("standard input is not what a hook is given", hint=_BY_HAND) from error
    if not isinstance(value, dict) or not isinstance(value.get("transcript_path"), str):
        raise UsageError("standard input names no transcript", hint=_BY_HAND)
    return {key: item for key, item in value.items() if isinstance(item, str)}


def find_session(hook: Mapping[str, str], to: str) -> EndedSession:
    """Return the session that a hook names."""
    directory = Path(hook.get("cwd") or ".")
    if not directory.is_dir():
        raise UsageError(f"{directory} is no directory")
    transcript = Path(hook["transcript_path"]).expanduser()
    if not transcript.is_file():
        raise UsageError(f"no such transcript: {transcript}")
    repository = find_repository(directory)
    spool = spool_of(directory, repository)
    # A worktree may be deleted before the work begins; its repository has the same refs and spool.
    shared = to == "spool" or to.startswith("git:")
    if repository and shared and repository.common.name == ".git":
        directory = repository.common.parent
    return EndedSession(hook.get("session_id") or transcript.stem, transcript, directory.resolve(), spool)


def work_in_background(session: EndedSession, target: Destination) -> None:
    """Start a detached process that collects the session and writes to the log."""
    log = open_log(session.spool)
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child:
        os.close(log)
        os.waitpid(child, 0)
        return
    try:
        # Leave the process group of the session, which may be killed when it ends.
        os.setsid()
        if os.fork():
            os._exit(0)
        nothing = os.open(os.devnull, os.O_RDWR)
        for old, new in ((nothing, 0), (log, 1), (log, 2)):
            os.dup2(old, new)
        os.closerange(3, 256)
        _collect(session, target)
    finally:
        error = sys.exception()
        if error is not None:
            # The message may contain secrets; the type is enough to start with.
            os.write(2, f"memci: {type(error).__name__}\n".encode())
        os._exit(0)


def _collect(session: EndedSession, target: Destination) -> None:
    from memci.redaction.secrets import redact
    from memci.runs.collect import collect

    _wait_until_written(session.transcript)
    try:
        outcome = collect([str(session.transcript)], session.directory, target, session.id)
    except MemciError as error:
        # What is committed but not pushed goes with the next session.
        _log(f"{redact(session.id)}: failed: {redact(error.message)}")
        return
    for item in outcome.collected:
        _log(f"{item.session}: {item.records} records to {redact(item.target)}")
    for name, reason in (*outcome.skipped, *outcome.others):
        _log(f"{name}: {reason}")


def _wait_until_written(transcript: Path) -> None:
    """Wait while the client still writes: it does so in the background, up to some seconds after the end."""
    size = -1
    for _ in range(10):
        now = transcript.stat().st_size
        if now == size:
            return
        size = now
        time.sleep(0.5)


def _log(text: str) -> None:
    sys.stdout.write(f"{dt.datetime.now(dt.UTC):%Y-%m-%dT%H:%M:%SZ} {text}\n")
    sys.stdout.flush()


def spool_of(directory: Path, repository: Repository | None) -> Path:
    """Return the spool of a repository, or of a directory that is in none."""
    common = repository.common if repository else None
    return spool_directory(repository.root if repository else directory, common)
