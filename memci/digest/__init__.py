"""Builds the session memory of a transcript from quotations of its records, without a model."""

from memci.digest.build_digest import build_digest
from memci.digest.session_events import DigestedSession, read_events

__all__ = ["DigestedSession", "build_digest", "read_events"]
