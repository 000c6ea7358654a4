"""supported: every line that an operation adds says what its evidence says, and nothing else."""

import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from memci.guards.added_text import split_sentences
from memci.guards.cited_texts import make_cited
from memci.guards.context import Change, Context, Guard, Objection
from memci.guards.documents import Document, StatedFact
from memci.guards.evidence_support import check_sense, judge_statement
from memci.guards.evidence_text import EvidenceText, list_missing, make_source
from memci.guards.read_evidence import read_memory, read_signal
from memci.guards.repair_limits import is_repair
from memci.guards.same_subject import content_stems, is_same_subject
from memci.guards.short_texts import check_heading, check_name, check_unflagged
from memci.model.memory import Frontmatter, IndexLineKind, TopicType
from memci.model.plan import OperationKind
from memci.patterns import LazyPattern
from memci.prose.equal_words import equal_form
from memci.prose.polarity import is_flipped
from memci.prose.polarity_words import may_permit, obliges
from memci.prose.similar import normalise
from memci.prose.stems import detect_language

# A reader may find that it replaces a line all the same.
CORRECTS_NOTHING = "it corrects no statement of the topic"
# A topic repeats its evidence in description, body and pointer; text beyond this is padding.
_ROOM = 800
_RESTATED = 4
# The shortest prefix of a signal id that identifies it in a file name.
_MIN_ID = 6
_LABELLED = LazyPattern(r"[\s>*+-]{0,8}\*\*[^*\n]{1,40}[:：]?\*\*")
# What a hook or another topic says may be said in this one, with this share of its words.
_REPEATED = 0.75
_ATTRIBUTION = LazyPattern(r"\([^()]*\d{4}-\d\d-\d\d[^()]*\)")
# Markup that reverses the meaning of its words, or calls them done.
_STRUCK = LazyPattern(r"~~|^\s*[-*+] \[[xX]\]\s")


def check(change: Change) -> Objection | str | None:
    """Refuse text that its evidence does not support."""
    source = make_cited(change)
    return _check_length(change, source) or next(_list_problems(change, source), None)


def _check_length(change: Change, source: EvidenceText) -> str | None:
    """Refuse far more text than the evidence has: supported words could be repeated without end."""
    if change.kind in {OperationKind.REPAIR, OperationKind.REINDEX}:
        return None
    added = sum(len(line.text) for line in change.added)
    told = sum(map(len, source.texts))
    return f"it adds {added:,} characters to evidence of {told:,}" if added > _ROOM + _RESTATED * told else None


def _list_problems(change: Change, source: EvidenceText) -> Iterator[Objection]:
    context = change.context
    for document in change.written_topics:
        if change.kind is OperationKind.REPAIR:
            yield from _check_head(document, make_source(_own_words(document, context)), change)
            continue
        yield from _check_body(document, change, source)
        known = context.read(document.path).topic.description
        own = make_cited(change, *read_memory(document.topic.body), known, *_list_headings(change))
        yield from _check_head(document, own, change)
    index = context.index_path
    repaired = change.kind is OperationKind.REPAIR and is_repair(index, change)
    if change.operation.texts.get(index) is not None and not repaired:
        yield from _check_index(change, source)


def _list_headings(change: Change) -> list[str]:
    """Return the headings of an index that lines are moved out of: a topic may be named after one."""
    if change.context.index_path not in change.operation.texts:
        return []
    text = change.context.draft.get(change.context.index_path, "")
    return [line.strip("# ") for line in text.split("\n") if line.startswith("#")]


def _own_words(document: Document, context: Context) -> Iterator[str]:
    """Yield the words of a topic, its file name and its pointer, from which missing frontmatter is completed."""
    yield document.topic.body
    yield context.draft.get(document.path, "")
    yield _stem_words(document.path)
    index = context.draft.get(context.index_path, "")
    yield from (line for line in index.split("\n") if document.path.name in line)


def _check_body(document: Document, change: Change, source: EvidenceText) -> Iterator[Objection]:
    path = document.path
    if not any(fact.profile.content for fact in document.facts):
        yield Objection(f"{path.name} would say nothing")
    for added in change.added:
        if added.path == path and added.line >= document.topic.body_line:
            if _STRUCK.search(added.text):
                yield Objection(f"{path.name}:{added.line} strikes something through or ticks it off", text=added.text)
            yield from _check_line(added.text, change, source, f"{path.name}:{added.line}")
    known = {(fact.key, fact.negated) for old in change.replaced for fact in old.facts}
    known |= {(key, False) for key in _index_keys(change)}
    new = [fact for fact in document.facts if (fact.key, fact.negated) not in known]
    for fact in new:
        problem = check_sense(f"not {fact.text}" if fact.negated else fact.text, source, explains=fact.reason)
        yield from _object(path.name, problem, text=fact.text)
    if not change.signals and change.kind is OperationKind.UPDATE:
        yield from _check_corrections(document, new, change)


def _object(place: str, problem: str, field: str = "", text: str = "", *, soft: bool = False) -> Iterator[Objection]:
    """Yield a problem with its place, if there is one."""
    if problem:
        yield Objection(f"{place}: {problem}", field, text, soft)


def _check_line(line: str, change: Change, source: EvidenceText, place: str) -> Iterator[Objection]:
    """Check the new sentences of a line; a sentence whose rewording a model confirmed needs the hard part only."""
    sentences = split_sentences(line)
    # A line in several languages tells nothing about its sentences.
    within = line if len(set(map(detect_language, sentences)) - {""}) <= 1 else ""
    for sentence in sentences:
        key = normalise(sentence)
        if key in change.old_sentences:
            continue
        if key.rstrip("?？") in change.old_sentences:
            yield Objection(f"{place} asks what the memory states", text=sentence)
        lead, _, rest = key.partition(": ")
        if rest in change.old_sentences and not all(found for _, found in list_missing(lead, source, "")):
            yield from _object(place, f"nobody said {lead[:60]!r} of what the memory states", text=sentence)
        if holder := next((path for path in _list_quoted(change) if key in change.context.read(path).sentences), None):
            yield from _object(place, f"{holder.name} says it already", text=sentence)
        support = judge_statement(sentence, source, explains=_LABELLED.match(line) is not None, within=within)
        problem = support.refusal or _check_recombined(sentence, change)
        yield from _object(place, problem, text=sentence)
        if not problem and not change.flagged & {key, normalise(line)}:
            yield from _object(place, check_unflagged(sentence, source, support), text=sentence, soft=True)


def _list_quoted(change: Change) -> Iterator[PurePosixPath]:
    """Yield the topics that an operation quotes and leaves as they are."""
    paths = dict.fromkeys(path for path, _ in change.quotations)
    yield from (path for path in paths if path not in change.operation.texts and path != change.context.index_path)


def _check_recombined(sentence: str, change: Change) -> str:
    """Refuse a sentence that needs more than two messages: from the words of many, anything can be made."""
    if len(change.signals) < 3:
        return ""
    # Who said it, and when, is no word of a message.
    words = content_stems(_ATTRIBUTION.sub("", sentence))
    parts = [words & content_stems(" ".join(read_signal(signal))) for signal in change.signals]
    best = max(len(one | other) for one, other in itertools.combinations(parts, 2))
    if best + 1 < len(frozenset().union(*parts)):
        return "it combines the words of more than two messages: say it in sentences of their own"
    return ""


def _check_corrections(document: Document, new: Sequence[StatedFact], change: Change) -> Iterator[Objection]:
    """Refuse a statement without a person's words that corrects no old one: the repository makes no rules."""
    kept = {fact.key for fact in document.facts}
    stays = [fact.text for fact in document.facts if fact not in new]
    # A line that this dream took out before is corrected as well.
    original = change.context.documents.read(document.path, change.context.original.get(document.path, ""))
    gone = [fact for fact in original.facts if fact.key not in kept]
    about = content_stems(f"{document.topic.name.replace('-', ' ')} {document.topic.description}")
    quotes = [quote for _, quote in change.quotations]
    # What the commit that broke a claim of this topic says about it.
    proofs = change.context.proofs
    here = (finding.fingerprint for finding in change.findings if finding.path == document.path)
    messages = [" ".join(proofs.get(fingerprint, ())) for fingerprint in here]
    for fact in new:
        words = content_stems(fact.text)
        # It tells what is, not what people have to do or may do.
        rules = not fact.reason and (obliges(fact.text) or may_permit(fact.text))
        shown = [] if rules else [*messages, *(change.lookups if fact.reason else ())]
        told = any(len(words & content_stems(quote)) >= _REPEATED * len(words) for quote in (*quotes, *shown))
        told = told or (len(words & about) >= 2 and bool(gone))
        # What a reader confirmed to be replaced by this.
        told = told or any(words & content_stems(old.text) for old in gone if old.key in change.confirmed)
        # What the replaced line was to another one, the new one may be.
        turned = (line for line in stays if is_flipped(fact.text, line))
        if line := next((line for line in turned if not any(is_flipped(old.text, line) for old in gone)), ""):
            problem = f'"{fact.text[:80]}" contradicts a line that stays: "{line[:80]}"'
            yield from _object(document.path.name, problem, text=fact.text)
        if not told and not any(is_same_subject(fact.text, other.text) for other in gone):
            problem = f'nobody said "{fact.text[:80]}", and {CORRECTS_NOTHING}'
            yield from _object(document.path.name, problem, text=fact.text)


def _index_keys(change: Change) -> Iterator[str]:
    """Yield the normalised lines of the index: its prose may move into a topic."""
    path = change.context.index_path
    if path in change.operation.texts:
        text = change.context.draft.get(path, "")
        yield from (normalise(line) for line in text.split("\n") if line.strip())


def _check_head(document: Document, source: EvidenceText, change: Change) -> Iterator[Objection]:
    topic, path, context = document.topic, document.path, change.context
    if not isinstance(topic.frontmatter, Frontmatter):
        return
    old = context.read(path).topic
    name, description = topic.field("name"), topic.field("description")
    if name and name != old.field("name"):
        words = re.sub(r"[-_]", " ", _drop_number(name, context))
        yield from _object(f"{path.name}: name", check_name(words, source), "name", name)
    if description and description != old.field("description"):
        yield from _check_lead("description", description, source, change, path.name)
    if path not in context.draft:
        stem = _drop_number(path.stem, context)
        ids = [] if change.kind is OperationKind.REPAIR else [signal.id for signal in change.signals]
        stem = " ".join(word for word in re.split(r"[-_]", stem) if not _is_label(word, ids))
        own = make_source((*source.texts, topic.name.replace("-", " "), topic.description))
        yield from _object(path.name, check_name(stem, own), "name", stem)


def _drop_number(name: str, context: Context) -> str:
    """Return a name without the number that only distinguishes it from another topic."""
    counted = re.fullmatch(r"(.+)[-_](\w{1,6})", name)
    if not counted or not equal_form(counted[2]).startswith("number:"):
        return name
    taken = any(counted[1] in {path.stem, context.read(path).topic.name} for path in context.draft)
    return counted[1] if taken else name


def _is_label(word: str, ids: Sequence[str]) -> bool:
    """Tell whether a word of a file name is a topic type, or the id of its signal (used if the name is not ASCII)."""
    return word in set(TopicType) or (len(word) >= _MIN_ID and any(found.startswith(word) for found in ids))


def _check_index(change: Change, source: EvidenceText) -> Iterator[Objection]:
    """Check the words of new pointers against the topics they lead to, and other lines against everything."""
    context, path = change.context, change.context.index_path
    old = context.draft.get(path, "")
    everything = make_source((*source.texts, *TopicType, "memory index", old), context.people, change.speakers)
    for row in change.index_after.lines:
        if row.line not in change.added_numbers[path]:
            continue
        place = f"{path.name}:{row.line}"
        if row.kind is IndexLineKind.HEADING and row.text not in old.split("\n"):
            heading = row.text.strip("# ")
            yield from _object(place, check_heading(heading, everything), "heading", heading)
        elif not row.pointers:
            yield from _check_line(row.text, change, everything, place)
        for pointer in row.pointers:
            topic = change.read_result(pointer.path).topic if pointer.path else None
            said: list[str] = []
            if topic:
                # A name may have a date, which is one only with its hyphens.
                named = (topic.name, topic.name.replace("-", " "), topic.description, _stem_words(topic.path))
                said = [*named, *read_memory(topic.body)]
            lines = [line for line in old.split("\n") if f"({pointer.target})" in line]
            told = make_source((*said, *lines), context.people, change.speakers)
            # A pointer that replaces a section may be titled by its heading.
            headings = [line.strip("# ") for line in old.split("\n") if line.startswith("#")]
            problem = "" if pointer.title in headings else check_name(pointer.title, told)
            yield from _object(place, problem, "title", pointer.title)
            yield from _check_lead("hook", pointer.hook, told, change, place)


def _check_lead(field: str, text: str, source: EvidenceText, change: Change, place: str) -> Iterator[Objection]:
    """Check a description or a hook against its topic as statements are checked against their evidence."""
    for sentence in split_sentences(text):
        support = judge_statement(sentence, source, within=text, lead=True)
        yield from _object(f"{place}: {field}", support.refusal, field, text)
        if not support.refusal and normalise(sentence) not in change.flagged:
            yield from _object(f"{place}: {field}", check_unflagged(sentence, source, support), field, text, soft=True)


def _stem_words(path: PurePosixPath) -> str:
    return re.sub(r"[-_.]", " ", path.stem)


GUARD = Guard(
    "supported",
    "Every added line has its names, numbers, yes and no from its evidence; a model may only confirm other wording.",
    check,
)
