"""Everything that can stop a run, and the exit code each becomes.

MemciError
├── UsageError      2   bad usage, or a named scope or path that does not exist
│   └── ConfigError 2   a configuration that cannot be understood
├── ServiceError    4   an outside service (git, a forge, the API, the disk) failed and nothing was done
└── UnsafeError     5   refused: going on could lose, leak or overwrite something
"""

import enum


class Exit(enum.IntEnum):
    """The documented exit codes."""

    DONE = 0
    FINDINGS = 1
    USAGE = 2
    DEGRADED = 3
    SERVICE = 4
    UNSAFE = 5
    BUG = 70
    INTERRUPTED = 130


# The lowest severity that causes exit 1, from strict to loose; "never" is above all severities.
FAIL_LEVELS = ("info", "warning", "error", "never")
DEFAULT_FAIL_LEVEL = "error"


class MemciError(Exception):
    """A failure with a message for people and an optional hint on what to do next."""

    exit_code: Exit

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(MemciError):
    """The request cannot be carried out as given."""

    exit_code = Exit.USAGE


class ConfigError(UsageError):
    """An invalid configuration file."""


class ServiceError(MemciError):
    """Something outside memci failed; nothing was changed."""

    exit_code = Exit.SERVICE


class UnsafeError(MemciError):
    """Refused, because continuing could do harm."""

    exit_code = Exit.UNSAFE
