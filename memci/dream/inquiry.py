"""What an engine that reads conversations may rest on: messages, proofs of findings, answers of the repository."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from memci.citations.answers.asked_commit import list_hidden
from memci.citations.finding_proofs import FindingProof, explain_findings
from memci.citations.lookups import Lookup, answer_lookups, list_files
from memci.dream.conversation import read_conversation
from memci.dream.inputs import DreamTask, Sources
from memci.engines.protocol import ConsolidationRequest
from memci.git.history import list_authors
from memci.memory.snapshot import list_full_names
from memci.model.conversation import Conversation
from memci.sessions.people import name_people


@dataclass(frozen=True, slots=True)
class Inquiry:
    """The conversation and what is known beside it; answers are added while the engine asks."""

    task: DreamTask
    conversation: Conversation
    proofs: Mapping[str, FindingProof]
    people: tuple[str, ...]
    answers: dict[str, str] = field(default_factory=dict)
    files: tuple[str, ...] = ()

    def complete(self, request: ConsolidationRequest) -> ConsolidationRequest:
        """Return the request of an engine with all of this."""
        return replace(
            request,
            conversation=self.conversation,
            proofs=self.proofs,
            people=self.people,
            files=self.files,
            look_up=self.look_up,
        )

    def look_up(self, lookups: Sequence[Lookup]) -> Mapping[str, str]:
        """Answer questions from HEAD, and keep the answers for the guards."""
        repository = self.task.workspace.repository
        if repository is None or not repository.has_commits():
            return {lookup.source: "not answered: there is no repository" for lookup in lookups}
        hidden = list_hidden((*self.task.scopes, *self.task.others), self.task.config)
        found = answer_lookups(lookups, repository, repository.resolve("HEAD"), hidden)
        self.answers.update(found)
        return found


def inquire(task: DreamTask, due: Sources) -> Inquiry:
    """Put together what was said with its context, and what is known about findings and people."""
    repository = task.workspace.repository
    authors = sorted(list_authors(repository)) if repository else []
    names = name_people(due.gathered.reading.sessions, authors)
    # Who speaks in a daily log has to be known from git or as the person of a session.
    known = {*(name for name, _ in authors), *names.values()}
    words = frozenset(word for name in known for word in name.lower().split())
    conversation = read_conversation(due, names, words)
    hidden = list_hidden((*task.scopes, *task.others), task.config)
    proofs = explain_findings(due.findings, due.judged, repository, hidden) if repository else {}
    people = {name for name, _ in authors} | {name for name in names.values() if name} | list_full_names(due.snapshot)
    files: tuple[str, ...] = ()
    if repository and repository.has_commits():
        files = list_files(repository, repository.resolve("HEAD"), hidden)
    return Inquiry(task, conversation, proofs, tuple(sorted(people)), files=files)
