"""What an operation rests on: texts whose words and sense count, and texts of which only the words do."""

from collections.abc import Iterable
from typing import NamedTuple

from memci.guards.context import Change
from memci.guards.evidence_text import EvidenceText, make_source
from memci.guards.quoted_words import quote_sentences
from memci.guards.read_evidence import read_finding, read_memory, read_proof, read_signal

# How many characters of the replaced statements count as evidence.
_MAX_REPLACED = 8_000


class CitedTexts(NamedTuple):
    """The texts of evidence."""

    # What people said, and what is in the repository now.
    told: tuple[str, ...]
    # What the commit took out, the lines that are replaced, and, beside newer evidence, lines of the memory.
    words: tuple[str, ...]


def split_shown(texts: Iterable[str]) -> tuple[list[str], list[str]]:
    """Separate the lines that a diff takes out from everything else."""
    lines = [line for text in texts for line in text.split("\n") if line.strip()]
    gone = [line for line in lines if line.lstrip().startswith("-")]
    return [line for line in lines if line not in gone], gone


def list_cited(change: Change) -> CitedTexts:
    """Return the texts that an operation cites, and the statements that it takes out."""
    told = [text for signal in change.statements for text in read_signal(signal)]
    told += (text for finding in change.findings for text in read_finding(finding))
    proofs = change.context.proofs
    shown, gone = split_shown(
        (*(text for one in change.findings for text in read_proof(proofs.get(one.fingerprint, ()))), *change.lookups)
    )
    told += shown
    memory: list[str] = []
    for path, quote in change.quotations:
        memory += read_memory(quote)
        lines = change.context.draft.get(path, "").split("\n")
        memory += (line for line in lines if line.strip() and line.strip() in quote)
    new = {fact.key for document in change.written_topics for fact in document.facts}
    old = [fact.text for document in change.replaced_topics for fact in document.facts if fact.key not in new]
    replaced = "\n".join(old)[:_MAX_REPLACED].split("\n") if old else []
    words = [*gone, *replaced, *(memory if told else ())]
    told = told or [text for text in memory if text not in replaced]
    return CitedTexts(*(tuple(dict.fromkeys(text for text in texts if text.strip())) for texts in (told, words)))


def make_cited(change: Change, *more: str) -> EvidenceText:
    """Return the evidence of an operation, and further texts, as statements are compared with it."""
    cited = list_cited(change)
    before = [signal.before for signal in change.signals if signal.before]
    quoted = [
        sentence
        for item in change.operation.evidence
        if (signal := change.context.signal(item)) and item.quote not in change.asked
        for sentence in quote_sentences(signal, item.quote)
    ]
    told = (*cited.told, *more)
    # What a look-up shows is so on the day of the dream.
    named = (*change.asked, *((change.context.today.isoformat(),) if change.context.today else ()))
    return make_source(told, change.context.people, change.speakers, cited.words, named, before, quoted)
