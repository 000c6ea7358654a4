"""Runs as a SessionEnd hook: queues the session and leaves the work to a background process.

Must not import what reads or redacts transcripts, because the session waits for it.
"""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from memci.errors import MemciError, UsageError
from memci.git.repository import Repository, find_repository
from memci.stores.spool import Job, open_log, spool_directory, write_job

# A limit for the input of a hook, which has little more than paths.
_MAX_INPUT = 1 << 20
_BY_HAND = "memci collect --transcript PATH"


def run_hook(to: str, remote: str | None, *, wait: bool, named: bool = True) -> None:
    """Note the session that has ended; errors are printed, because a hook must not fail."""
    try:
        check_target(to)
        spool = queue_session(parse_hook(sys.stdin.read()), to, remote, named=named)
        if wait:
            from memci.runs.collect import drain

            drain(spool)
        else:
            work_in_background(spool)
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


def queue_session(hook: Mapping[str, str], to: str, remote: str | None, *, named: bool = True) -> Path:
    """Queue an ended session in the spool of its repository, and return the spool."""
    directory = Path(hook.get("cwd") or ".")
    if not directory.is_dir():
        raise UsageError(f"{directory} is no directory")
    transcript = Path(hook["transcript_path"]).expanduser()
    if not transcript.is_file():
        raise UsageError(f"no such transcript: {transcript}")
    repository = find_repository(directory)
    spool = spool_of(directory, repository)
    session = hook.get("session_id") or transcript.stem
    # A worktree may be deleted before the work begins; its repository has the same refs and spool.
    shared = to == "spool" or to.startswith("git:")
    if repository and shared and repository.common.name == ".git":
        directory = repository.common.parent
    write_job(spool, Job(session, str(transcript), str(directory.resolve()), to, remote or "", named=named))
    return spool


def work_in_background(spool: Path) -> None:
    """Start a detached process that collects the queued sessions and writes to the log."""
    log = open_log(spool)
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child:
        os.close(log)
        os.waitpid(child, 0)
        return
    code = 70
    try:
        # Leave the process group of the session, which may be killed when it ends.
        os.setsid()
        if os.fork():
            os._exit(0)
        nothing = os.open(os.devnull, os.O_RDWR)
        for old, new in ((nothing, 0), (log, 1), (log, 2)):
            os.dup2(old, new)
        os.closerange(3, 256)
        from memci.runs.collect import drain

        code = 0 if drain(spool, settle=True) else 3
    finally:
        error = sys.exception()
        if error is not None:
            # The message may contain secrets; the type is enough to start with.
            os.write(2, f"memci: {type(error).__name__}\n".encode())
        os._exit(code)


def spool_of(directory: Path, repository: Repository | None) -> Path:
    """Return the spool of a repository, or of a directory that is in none."""
    common = repository.common if repository else None
    return spool_directory(repository.root if repository else directory, common)
