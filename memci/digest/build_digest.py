"""Builds a digest of its ten sections."""

from collections.abc import Sequence

from memci.digest.quotes import Clean, line
from memci.digest.session_events import DigestedSession
from memci.digest.word_sections import make_learnings, make_state, make_task, make_title, make_worklog
from memci.digest.work_sections import make_documentation, make_errors, make_files, make_results, make_workflow
from memci.model.digest import Digest, DigestSection, SectionKind
from memci.model.session import Signal


def build_digest(session: DigestedSession, signals: Sequence[Signal], clean: Clean) -> Digest:
    """Build the complete digest of a session; the report shortens it to the space available."""
    entries = {
        SectionKind.TITLE: make_title(session, clean),
        SectionKind.STATE: make_state(session, clean),
        SectionKind.TASK: make_task(session, clean),
        SectionKind.FILES: make_files(session, clean),
        SectionKind.WORKFLOW: make_workflow(session, clean),
        SectionKind.ERRORS: make_errors(session, clean),
        SectionKind.DOCUMENTATION: make_documentation(session, clean),
        SectionKind.LEARNINGS: make_learnings(session, signals, clean),
        SectionKind.RESULTS: make_results(session, clean),
        SectionKind.WORKLOG: make_worklog(session, clean),
    }
    sections = tuple(DigestSection(kind, tuple(found)) for kind, found in entries.items())
    return Digest(line(session.id, 100, clean), line(session.name, 400, clean), session.first, session.last, sections)
