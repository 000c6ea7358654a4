"""Reading sessions: what people said in them, and every record with its origin."""

from memci.sources.transcripts.foreign import is_foreign
from memci.sources.transcripts.full import Record, read_records
from memci.sources.transcripts.reading import read_transcripts
from memci.sources.transcripts.values import Cursor, FileReport, Limits, MemoryWrite, Reading, Session, Status

__all__ = [
    "Cursor",
    "FileReport",
    "Limits",
    "MemoryWrite",
    "Reading",
    "Record",
    "Session",
    "Status",
    "is_foreign",
    "read_records",
    "read_transcripts",
]
