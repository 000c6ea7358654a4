"""Turns topics of a person's own memory into operations on a shared scope; what is there already is not repeated.

Nobody knows when their lines were written. Once they are committed they count as written now, and what is gone by then
was never promised: what they cite of it is asked about.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from memci.checks.rules.index_orphan import find_orphans, plan_pointers
from memci.citations.code.repository_paths import PATH_KINDS
from memci.citations.extract.claims import find_claims
from memci.citations.history.deleted_files import Removals
from memci.citations.history.git_queries import History
from memci.citations.history.renamed_files import Fate, Renamed
from memci.citations.wording.narrative import read_narrative
from memci.dream.prune import reindex
from memci.engines.protocol import Proposals
from memci.git.repository import Repository
from memci.memory.apply_edits import apply_edits
from memci.memory.compose import choose_name, choose_path, make_slug, render_head
from memci.memory.edit_topic import append_paragraph
from memci.memory.pointers import shorten
from memci.memory.snapshot import list_texts
from memci.memory.topic import list_names, parse_topic
from memci.memory.units import split_units
from memci.model.citation import Claim, ClaimKind, Wording
from memci.model.memory import ScopeSnapshot, Topic, TopicType
from memci.model.plan import Evidence, EvidenceKind, NeedsPerson, Operation, OperationKind
from memci.model.session import Origin, Signal, SignalKind
from memci.patterns import LazyPattern
from memci.prose.compare import read, read_rules, says
from memci.prose.contradictions import find_opposed
from memci.prose.similar import normalise

# Their committed names; where they come from is nobody's business.
_SESSION = "adopted"
# As long as a guard accepts.
_MAX_DESCRIPTION = 200
_FILE = LazyPattern(r"[a-z0-9]+(?:[_-][a-z0-9]+)*\.md")


def make_signal(topic: Topic) -> Signal:
    """Return a topic as what guards compare operations with: notes, as in a daily log."""
    words = f"{topic.name.replace('-', ' ')}\n{topic.description}\n{topic.body}"
    kind = topic.type or TopicType.PROJECT
    return Signal(_SESSION, topic.path.name, None, Origin.LOG, SignalKind.REMEMBER, kind, words, topic.description)


def adopt_topics(scope: ScopeSnapshot, topics: Sequence[Topic]) -> Proposals:
    """Propose a topic, or an addition to the one of the same name, for everything that the scope does not say."""
    first = scope.files
    for topic in topics:
        new = list(_list_new(topic, scope))
        if new:
            scope = yield _plan(topic, "\n\n".join(new), scope)
    made = [topic for topic in find_orphans(scope, ()) if topic.path not in first]
    if fixes := plan_pointers(scope, made, (), {topic.path for topic in made}):
        edits = [edit for fix in fixes.values() for edit in fix.edits]
        text = apply_edits(list_texts(scope), edits)[scope.index_path]
        yield reindex(scope, text, "gives the adopted topics pointers", (), made)
    if left := [topic.path.name for topic in made if topic.path not in fixes]:
        yield NeedsPerson(f"the index has no room for {', '.join(left)}", scope.index_path)


def _list_new(topic: Topic, scope: ScopeSnapshot) -> Iterator[str]:
    """Yield the parts of a topic that no topic of the scope says."""
    known = [normalise(f"{other.description}\n{other.body}") for other in scope.topics]
    rules = [rule.said for other in scope.topics for rule in read_rules(other)]
    for unit in split_units(topic.body)[0]:
        words = normalise(unit.text)
        if unit.text.startswith("#") or any(words in text for text in known):
            continue
        if not any(says(rule, read(unit.words)) for rule in rules):
            yield unit.text


def _plan(topic: Topic, new: str, scope: ScopeSnapshot) -> Operation | NeedsPerson:
    signal = make_signal(topic)
    # One word would not be recognised.
    quote = next((line for line in new.split("\n") if len(line.split()) > 1), signal.text)
    evidence = (Evidence(EvidenceKind.SIGNAL, signal.id, quote),)
    for said, path, statement in find_opposed(topic, scope.topics):
        return NeedsPerson(f'"{said.text}" ({topic.path.name}) contradicts "{statement.text}"', path, evidence)
    same = [other for other in scope.topics if other.type is topic.type and list_names(other) & list_names(topic)]
    if same and same[0].pinned:
        return NeedsPerson(f"{topic.path.name} says more than a topic that is pinned", same[0].path, evidence)
    if same:
        text = append_paragraph(same[0].text, new)
        reason = "adds what your own topic of this name says"
        return Operation(OperationKind.UPDATE, same[0].path, {same[0].path: text}, reason, evidence)
    path = _choose_path(topic, scope)
    text = _render(topic, scope)
    return Operation(OperationKind.CREATE, path, {path: text}, "adopts a topic of your own memory", evidence)


def _choose_path(topic: Topic, scope: ScopeSnapshot) -> PurePosixPath:
    """Keep the file name, because other topics may link to it, if it is a good one and free."""
    name, taken = topic.path.name, scope.catalogue.spellings
    if _FILE.fullmatch(name) and name not in taken:
        return scope.scope.path / name
    return choose_path(scope.scope.path, topic.type or TopicType.PROJECT, make_slug(topic.name), taken)


def _render(topic: Topic, scope: ScopeSnapshot) -> str:
    """Return the topic without what a client notes in its head: sessions, times."""
    description = " ".join(topic.description.split())
    body = topic.body.strip()
    if len(description) > _MAX_DESCRIPTION:
        body, description = f"{description}\n\n{body}", shorten(description, _MAX_DESCRIPTION)
    name = choose_name(make_slug(topic.name), scope.catalogue.names)
    head = render_head(name, description, topic.type or TopicType.PROJECT, scope.topics)
    return f"{head}\n{body}\n".replace("\r\n", "\n")


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
