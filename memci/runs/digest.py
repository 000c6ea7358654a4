"""Runs `memci digest`: reads transcripts and builds their redacted digests."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from memci.digest.sections import build_digest
from memci.digest.session_events import DigestedSession, read_events
from memci.git.repository import Repository
from memci.model.digest import Digest
from memci.model.session import Origin, Turn
from memci.redaction.secrets import redact
from memci.report.digest_text import fit_digest
from memci.sessions.clean_text import Cleaner, list_secret_values
from memci.sessions.places import Unopened
from memci.sessions.read_turns import open_transcripts
from memci.sessions.typed_parts import split_parts
from memci.signals.find import find_signals


@dataclass(frozen=True, slots=True)
class Digested:
    """The digests, and what could not be read."""

    digests: tuple[Digest, ...]
    skipped: tuple[tuple[str, str], ...]


def make_digests(places: Sequence[str], repository: Repository | None, show: Callable[[str], None]) -> Digested:
    """Return a digest for every transcript in the places; those of sub-agents belong to their session."""
    clean = Cleaner(list_secret_values()).text
    digests: list[Digest] = []
    skipped: list[tuple[str, str]] = []
    for item in open_transcripts(places, repository):
        if isinstance(item, Unopened):
            skipped.append((clean(item.name), clean(item.reason)))
            continue
        if item.is_subagent and item.name not in places:
            continue
        show(f"reading {clean(item.name)}")
        session = read_events(item.read_records(), item.stem, item.name)
        if not session.events:
            skipped.append((clean(item.name), "holds no session"))
            continue
        if item.broken:
            skipped.append((clean(item.name), f"{item.broken} lines are broken"))
        digests.append(fit_digest(build_digest(session, find_signals(_list_turns(session)).signals, clean)))
    return Digested(tuple(digests), tuple(skipped))


def _list_turns(session: DigestedSession) -> Iterator[Turn]:
    for said in session.spoken:
        text = redact(said.text)
        yield Turn(session.id, said.uuid, said.time, Origin.PERSON, said.place, text, parts=split_parts(text))
