"""Prunes the index: no dead pointers, a pointer for every topic, and within the limits of the client."""

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from memci.checks.rule import Material
from memci.checks.rules import index_long_entry
from memci.checks.rules.index_orphan import find_orphans, find_unsafe, is_chosen, plan_pointers
from memci.dream.inputs import Sources
from memci.engines.protocol import Proposals
from memci.guards.free_words import FREE
from memci.memory.apply_edits import apply_edits
from memci.memory.compose import make_slug
from memci.memory.index import fit, rank
from memci.memory.pointers import is_worth_reading, render_pointer, says_more
from memci.memory.snapshot import list_texts
from memci.model.finding import Edit, Finding
from memci.model.memory import IndexLine, Pointer, PointerForm, ScopeSnapshot, Snapshot, Topic
from memci.model.plan import Evidence, EvidenceKind, NeedsPerson, Operation, OperationKind
from memci.model.use import ScopeUse
from memci.patterns import LazyPattern
from memci.prose.polarity_words import is_binding
from memci.prose.similar import normalise, stem_content, tokenise

# A guard accepts 16 KB of evidence, and an index may get 200 pointers at once.
_MAX_CITED = 20
_MAX_LINE = 300
# More than so many dead pointers, and of all pointers this share: the topics are missing, not the pointers wrong.
_MANY_DEAD = 3
_DEAD_SHARE = 0.25
# A hook with one of these may be knowledge in itself: then a person decides.
_KNOWLEDGE = LazyPattern(r"[\d`]")

_POINTER_RULES = ("index-dangling", "index-duplicate", "index-escapes-scope")
_LENGTH_RULES = ("index-over-lines", "index-over-bytes")


def prune(scope: ScopeSnapshot, sources: Sources) -> Proposals:
    """Propose an index without dead pointers, with all topics, that fits."""
    if any(item.path == scope.index_path for item in scope.unread):
        yield NeedsPerson("the index cannot be read, so it was left alone", scope.index_path)
        return
    if scope.index:
        moved = "".join(_follow(scope, sources))
        if moved != scope.index.text:
            scope = yield reindex(scope, moved, "follows topics that moved", sources.findings)
        text = _clean(scope, sources)
        if scope.index and text != scope.index.text:
            reason = "takes out pointers that lead nowhere or twice to one topic"
            about = [finding for finding in sources.findings if finding.rule in _POINTER_RULES]
            scope = yield reindex(scope, text, reason, about)
    known = {path for each in sources.snapshot.scopes if each.scope.path == scope.scope.path for path in each.files}
    made = sorted((topic for topic in find_orphans(scope, ()) if topic.path not in known), key=rank)
    limited = not any(sources.spares(rule, scope.index_path) for rule in _LENGTH_RULES)
    use = sources.use.by_scope.get(scope.scope.path, ScopeUse())
    used = {scope.scope.path / name: found.touched for name, found in use.topics.items()}
    operation = _plan_shortening(scope, sources) if limited else None
    scope = (yield operation) if operation else scope
    for reserved in ((), *(made[: place + 1] for place in range(len(made)))) if limited else ():
        if edits := _plan_fit(scope, reserved, used):
            texts = apply_edits(list_texts(scope), edits)
            kind = OperationKind.REPAIR if len(texts) > 1 else OperationKind.REINDEX
            cited = _cite(scope, sources.findings, reserved[-1:])
            scope = yield Operation(kind, scope.index_path, texts, "makes the index fit", cited)
    yield from _fill(scope, sources, frozenset(topic.path for topic in made))


def _plan_shortening(scope: ScopeSnapshot, sources: Sources) -> Operation | None:
    known = {finding.fingerprint for finding in sources.findings}
    found = [each for each in index_long_entry.check(Material(Snapshot((scope,)), sources.now)) if each.fix]
    edits = [edit for each in found if each.fix and each.fingerprint in known for edit in each.fix.edits]
    # A guard does not accept 200 whole messages: how long each is says enough.
    quotes = [(each.fingerprint, each.message.partition(";")[0]) for each in found]
    evidence = tuple(Evidence(EvidenceKind.FINDING, source, quote) for source, quote in quotes)
    texts = apply_edits(list_texts(scope), edits)
    reason = "shortens pointers to make room; their whole text is in their topics"
    return Operation(OperationKind.REPAIR, scope.index_path, texts, reason, evidence) if edits else None


def _plan_fit(scope: ScopeSnapshot, made: Sequence[Topic], used: Mapping[PurePosixPath, int]) -> tuple[Edit, ...]:
    """Return the edits that make room for the pointers of new topics, in place of topics that rank below the last."""
    if scope.index is None:
        return ()
    reserved = [render_pointer(topic, scope.scope.path) + "\n" for topic in made]
    lowest = rank(made[-1]) if made else -1
    fitted = fit(scope.index, {topic.path: topic for topic in scope.topics if rank(topic) > lowest}, reserved, used)
    return fitted.edits if fitted else ()


def _list_pointed(snapshot: Snapshot, scope: ScopeSnapshot) -> frozenset[PurePosixPath]:
    """Return the topics that the index pointed to before this dream."""
    indexes = (one.index for one in snapshot.scopes if one.scope == scope.scope and one.index)
    return frozenset(pointer.path for index in indexes for pointer in index.pointers if pointer.path)


def _fill(scope: ScopeSnapshot, sources: Sources, made: frozenset[PurePosixPath]) -> Proposals:
    """Propose missing pointers, and report the topics that get none."""
    orphans = find_orphans(scope, [each for each in sources.snapshot.scopes if each.scope.path != scope.scope.path])
    orphans = [topic for topic in orphans if not sources.spares("index-orphan", topic.path)]
    # What this dream took out of the index was not left out by a person: it is named.
    lost = _list_pointed(sources.snapshot, scope)
    old = [topic for topic in orphans if topic.path not in made | lost]
    if is_chosen(scope, old):
        reason = f"{len(old)} of {len(scope.topics)} topics have no pointer; add those that sessions should know of"
        yield NeedsPerson(reason, scope.index_path)
        orphans = [topic for topic in orphans if topic.path in made | lost]
    unsafe = find_unsafe(scope, orphans, Material(sources.snapshot, sources.now, config=sources.config))
    fixes = plan_pointers(scope, orphans, unsafe, made)
    if fixes:
        edits = [edit for fix in fixes.values() for edit in fix.edits]
        text = apply_edits(list_texts(scope), edits)[scope.index_path]
        added = [topic for topic in orphans if topic.path in fixes]
        yield reindex(scope, text, "gives every topic a pointer", sources.findings, added)
    left_out = [topic for topic in orphans if topic.path not in {*fixes, *unsafe} and topic.text.strip()]
    plain = [topic for topic in left_out if not is_worth_reading(topic, scope.scope.path)]
    for topics, why in (
        ([topic for topic in left_out if topic not in plain], "the index has no room for"),
        (plain, "no pointer, because their descriptions do not say in a few words when they matter:"),
    ):
        if topics:
            yield NeedsPerson(f"{why} {_name_all([topic.path for topic in topics], scope)}", scope.index_path)
    for rule in dict.fromkeys(unsafe.values()):
        paths = [path for path, found in unsafe.items() if found == rule]
        # One question for all: whoever reads them decides about the kind. The names come last, as texts are cut.
        one, named = len(paths) == 1, _name_all(paths, scope)
        found = f"no pointer, because {rule} finds something in {'it' if one else 'them'}; remove that, or add "
        found += "the pointer by hand if it is harmless" if one else f"pointers by hand where it is harmless: {named}"
        yield NeedsPerson(found, paths[0] if one else scope.index_path)


def _name_all(paths: Sequence[PurePosixPath], scope: ScopeSnapshot) -> str:
    return ", ".join(str(path.relative_to(scope.scope.path)) for path in paths)


def _follow(scope: ScopeSnapshot, sources: Sources) -> Iterator[str]:
    """Yield the lines with pointers updated to renamed topics."""
    pointed = {pointer.path for pointer in scope.index.pointers} if scope.index else set()
    for row in scope.index.lines if scope.index else ():
        text = row.whole
        for pointer in row.pointers:
            new = _resolve_moved(pointer, scope, sources)
            spared = sources.spares("index-dangling", scope.index_path, row.text)
            if new is not None and new not in pointed and not spared:
                pointed.add(new)
                text = _point_to(text, pointer, _write_target(new, scope))
        yield text


def _clean(scope: ScopeSnapshot, sources: Sources) -> str:
    """Return the index without lines that are a dead or repeated pointer and nothing else."""
    lines = scope.index.lines if scope.index else ()
    pointed = {pointer.path for line in lines for pointer in line.pointers}
    plain = [row for row in lines if row.plain]
    missing = [row for row in plain if _is_missing(row.pointers[0], scope, sources)]
    many = len(missing) > max(_MANY_DEAD, _DEAD_SHARE * len(plain))
    dead = {row.line for row in missing if not many and _is_spare(row.pointers[0], scope, pointed, sources)}
    gone = dead | {row.line for row in plain if _is_repeated(row, row.pointers[0], scope)}
    kept: list[IndexLine] = []
    for row in lines:
        # A line between two blank ones leaves one of them.
        doubled = row.line - 1 in gone and not row.text.strip() and kept and not kept[-1].text.strip()
        if doubled or row.line in gone:
            gone.add(row.line)
        else:
            kept.append(row)
    return "".join(row.whole for row in kept)


def _is_missing(pointer: Pointer, scope: ScopeSnapshot, sources: Sources) -> bool:
    """Tell whether a pointer leads to no file of this repository."""
    if pointer.path is None:
        return _leaves_repository(pointer, scope)
    return pointer.path not in scope.files and pointer.path not in sources.files


def _is_spare(pointer: Pointer, scope: ScopeSnapshot, pointed: set[PurePosixPath | None], sources: Sources) -> bool:
    """Tell whether nothing is lost with a pointer that leads nowhere."""
    if pointer.path is None:
        return True
    new = _resolve_moved(pointer, scope, sources)
    if new is not None:
        # If a guard refused to update it, a person has to review it.
        return new in pointed
    says = f"{pointer.title}: {pointer.hook}"
    describes = not is_binding(says) and not _KNOWLEDGE.search(pointer.hook)
    return describes or sources.fates.get(pointer.path, pointer.path) is None or _is_said(pointer.hook, scope)


def _is_said(hook: str, scope: ScopeSnapshot) -> bool:
    return any(normalise(hook) in normalise(topic.text) for topic in scope.topics)


def _point_to(text: str, pointer: Pointer, target: str) -> str:
    """Replace the target of a pointer, and no other text that looks like it."""
    if pointer.form is PointerForm.LINK:
        return text.replace(f"]({pointer.target})", f"]({target})", 1)
    return text.replace(pointer.target, target, 1)


def _write_target(path: PurePosixPath, scope: ScopeSnapshot) -> str:
    inside = str(path.relative_to(scope.scope.path))
    return inside.replace(" ", "%20").replace("(", "%28").replace(")", "%29")


def _resolve_moved(pointer: Pointer, scope: ScopeSnapshot, sources: Sources) -> PurePosixPath | None:
    path = pointer.path
    if path is None or path in scope.files:
        return None
    renamed = sources.fates.get(path)
    if renamed in scope.files:
        return renamed
    same = [topic.path for topic in scope.topics if topic.path.name.casefold() == path.name.casefold()]
    # Nobody points to the topic that is called like the pointer.
    title = make_slug(pointer.title)
    same = same or [topic.path for topic in find_orphans(scope, ()) if title and title == make_slug(topic.name)]
    return same[0] if len(same) == 1 else None


def _leaves_repository(pointer: Pointer, scope: ScopeSnapshot) -> bool:
    """Tell whether a pointer leads to a file outside the repository."""
    if pointer.path is not None:
        return False
    target = pointer.target.replace("\\", "/")
    return target.startswith(("/", "~")) or posixpath.normpath(f"{scope.scope.path}/{target}").startswith("..")


def _is_repeated(row: IndexLine, pointer: Pointer, scope: ScopeSnapshot) -> bool:
    """Tell whether this is a later pointer to the same topic with a redundant hook."""
    plain = [line for line in scope.index.lines if line.plain and line.line < row.line] if scope.index else []
    earlier = [line.pointers[0] for line in plain if line.pointers[0].path == pointer.path]
    topic = scope.topic(pointer.path) if pointer.path else None
    if not earlier or topic is None:
        return False
    said = f"{earlier[0].hook}\n{topic.description}\n{topic.body}"
    # "How a lot is numbered" only tells what one finds there.
    words = " ".join(word for word in tokenise(pointer.hook) if word not in FREE)
    label = not is_binding(pointer.hook) and stem_content(words) <= stem_content(said)
    repeated = label or normalise(pointer.hook) in normalise(said)
    return repeated and not says_more(pointer.title, f"{said} {earlier[0].title} {topic.name}")


def reindex(
    scope: ScopeSnapshot, text: str, reason: str, findings: Sequence[Finding], added: Sequence[Topic] = ()
) -> Operation:
    """Return the operation that replaces the index, based on findings about it and on topics that get pointers."""
    evidence = _cite(scope, findings, added)
    return Operation(OperationKind.REINDEX, scope.index_path, {scope.index_path: text}, reason, evidence)


def _cite(scope: ScopeSnapshot, findings: Sequence[Finding], added: Sequence[Topic] = ()) -> tuple[Evidence, ...]:
    """Cite the findings about the index, and some of the topics that get pointers."""
    about = [found for found in findings if found.rule.startswith("index-") and _concerns(found, scope)]
    rules = [Evidence(EvidenceKind.FINDING, found.fingerprint, found.message) for found in about[:_MAX_CITED]]
    quotes = {topic.path: _quote(topic) for topic in added[:_MAX_CITED]}
    # An empty file gets a pointer but cannot be quoted.
    topics = [Evidence(EvidenceKind.MEMORY, str(path), quote) for path, quote in quotes.items() if quote]
    return (*rules, *topics)


def _quote(topic: Topic) -> str:
    """Quote a topic literally: YAML may have folded or escaped its description."""
    if topic.description.strip() and topic.description in topic.text:
        return topic.description
    return next((line.strip() for line in topic.text.split("\n") if line.strip(" \t\r-")), "")[:_MAX_LINE]


def _concerns(finding: Finding, scope: ScopeSnapshot) -> bool:
    """Tell whether a finding is about the index, or fixed in it."""
    edited = (edit.path for edit in finding.fix.edits) if finding.fix else ()
    return scope.index_path in {finding.path, *edited}
