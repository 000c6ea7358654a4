"""Finds what adopted topics cite although the repository has it no more; nobody knows when their lines were written.

Once they are committed they count as written now, and what is gone by then was never promised.
"""

from collections.abc import Iterable, Iterator

from memci.citations.code.repository_paths import PATH_KINDS
from memci.citations.extract.claims import find_claims
from memci.citations.history.deleted_files import Removals
from memci.citations.history.git_queries import History
from memci.citations.history.renamed_files import Fate, Renamed
from memci.citations.wording.narrative import read_narrative
from memci.git.repository import Repository
from memci.memory.topic import parse_topic
from memci.model.citation import Claim, ClaimKind, Wording
from memci.model.memory import ScopeSnapshot
from memci.model.plan import NeedsPerson, Operation, OperationKind


def ask_about_gone(
    operations: Iterable[Operation], before: ScopeSnapshot, repository: Repository
) -> tuple[NeedsPerson, ...]:
    """Return a question for each new line that cites a file or directory which was removed or renamed."""
    known = {topic.path: set(topic.text.split("\n")) for topic in before.topics}
    found = [
        (claim, operation)
        for operation in operations
        for claim in sorted(_list_claims(operation), key=lambda claim: (claim.line, claim.column))
        if (operation.texts[claim.path] or "").split("\n")[claim.line - 1] not in known.get(claim.path, ())
    ]
    if not found:
        return ()
    history = History(repository)
    fates = Removals(history).find_fates({_name_place(claim) for claim, _ in found})
    return tuple(
        NeedsPerson(
            f"{claim.path.name}:{claim.line}: this cites {claim.text}, which {_describe(fate)}",
            claim.path,
            operation.evidence,
        )
        for claim, operation in found
        if (fate := fates.get(_name_place(claim)))
    )


def _list_claims(operation: Operation) -> Iterator[Claim]:
    """Yield the claims about places that are stated plainly, not told of the past."""
    path, text = operation.file, operation.texts.get(operation.file)
    if text and operation.kind in {OperationKind.CREATE, OperationKind.UPDATE}:
        topic, told = parse_topic(path, text), read_narrative(path, text.split("\n"))
        for claim in find_claims(path, topic.body, topic.body_line):
            plain = claim.wording is Wording.PLAIN and told.classify(claim.line, claim.column) is None
            if claim.kind in PATH_KINDS and plain:
                yield claim


def _name_place(claim: Claim) -> str:
    """Return the path that a claim cites, that of a directory with a slash."""
    return claim.text.rstrip("/") + "/" if claim.kind is ClaimKind.DIRECTORY else claim.text


def _describe(fate: Fate) -> str:
    if isinstance(fate, Renamed):
        return f"is now {fate.target} (renamed in {fate.commit[:10]})"
    return f"was removed in {fate.commit[:10]}"
