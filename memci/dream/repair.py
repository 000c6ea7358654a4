"""Repairs that need no judgement: proved by git, the rules or the text itself."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from memci.checks.registry import RULE_INFOS
from memci.checks.rule import Group
from memci.dream.inputs import Sources
from memci.engines.protocol import Proposals
from memci.guards.rules.reason import MAX_REASON
from memci.guards.rules.size import MAX_TOPIC_BYTES
from memci.memory.apply_edits import apply_edits, merge_edits, split_lines
from memci.memory.compose import make_slug, render_head, render_value
from memci.memory.frontmatter import has_late_head, split_field
from memci.memory.snapshot import list_texts
from memci.memory.topic import parse_topic
from memci.model.finding import Finding, Severity
from memci.model.memory import Absence, Frontmatter, ScopeSnapshot, Topic, TopicType
from memci.model.plan import Evidence, EvidenceKind, Operation, OperationKind
from memci.patterns import LazyPattern
from memci.prose.fold import count_unspaced
from memci.prose.markdown import RegionKind, parse_regions
from memci.redaction.hidden import find_hidden, strip_hidden
from memci.redaction.secrets import redact

# `prune` fixes the index as a whole, after the topics.
_INDEX_RULES = "index-"
# Files with these findings are not changed, because their intended text is unknown.
_UNSETTLED = frozenset({"conflict-marker", "bad-encoding", "unreadable", "symlink-escape"})

# So few topics without a head may have been forgotten.
_FEW_BARE = 2
# An exception to one of these is one for the whole head.
_HEAD_RULES = (
    "topic-no-frontmatter", "topic-bad-yaml", "topic-bad-type", "topic-no-description", "topic-no-name",
)  # fmt: skip


def repair(scope: ScopeSnapshot, sources: Sources, *, whole: bool) -> Proposals:
    """Propose the repairs of one scope; those that keep line numbers come first.

    `whole` leaves a line alone of which only a part can be repaired: nobody corrects the rest in this dream, and half
    a correction may be a statement that never was true.
    """
    findings = sources.find_own(scope)
    unsettled = {finding.path for finding in findings if finding.rule in _UNSETTLED}
    findings = tuple(finding for finding in findings if finding.path not in unsettled)
    if whole:
        stale = {(each.path, each.line) for each in findings if _is_stale(each) and each.fix is None}
        findings = tuple(each for each in findings if not (_is_stale(each) and (each.path, each.line) in stale))
    for operation in _plan_fixes(list_texts(scope), findings):
        scope = yield operation
    steps: tuple[tuple[str, str, Callable[[Topic], str]], ...] = (
        # What only stands near a word such as "pass" may be something else, and memory has no other copy of it: asked.
        ("secret", "takes a secret out", lambda topic: redact(topic.text, certain=True)),
        ("hidden-text", "takes invisible characters out", lambda topic: _strip_prose(topic.text)),
    )
    for rule, reason, mend in steps:
        for path in sorted({finding.path for finding in findings if finding.rule == rule}):
            topic = _open(scope, path)
            text = mend(topic) if topic else ""
            # A file of which nothing is left is none of ours to mend.
            if topic and text != topic.text and text.strip():
                about = [finding for finding in findings if finding.path == path and finding.rule == rule]
                scope = yield Operation(OperationKind.REPAIR, path, {path: text}, reason, _cite(about))
    spared = {topic.path for topic in scope.topics if any(sources.spares(rule, topic.path) for rule in _HEAD_RULES)}
    yield from _complete(scope, [topic for topic in scope.topics if topic.path not in unsettled | spared], findings)


def _is_stale(finding: Finding) -> bool:
    return finding.severity is not Severity.INFO and RULE_INFOS[finding.rule].group is Group.TRUTH


def _strip_prose(text: str) -> str:
    """Take invisible characters out; in code they may be what it is about, so people decide."""
    code = (region for region in parse_regions(text) if region.kind in {RegionKind.CODE, RegionKind.FENCE})
    return text if any(find_hidden(text[region.start : region.end]) for region in code) else strip_hidden(text)


def _complete(scope: ScopeSnapshot, topics: Sequence[Topic], findings: Sequence[Finding]) -> Proposals:
    """Propose missing frontmatter."""
    # Where most topics have no head, whoever keeps them does without.
    bare = [topic for topic in scope.topics if topic.frontmatter is Absence.MISSING]
    if len(bare) > max(_FEW_BARE, len(scope.topics) / 2):
        topics = [topic for topic in topics if topic not in bare]
    rows = [row for row in scope.index.lines if row.plain] if scope.index else []
    hooks = {row.pointers[0].path: row.pointers[0].hook for row in rows}
    for topic in topics:
        hook = hooks.get(topic.path, "")
        text = mend_frontmatter(topic, hook)
        if text is not None and not _grows_too_large(topic.text, text):
            about = [found for found in findings if found.path == topic.path and found.rule.startswith("topic-")]
            quotes = [(topic.path, line) for line in topic.text.split("\n") if line.strip()][:3]
            quotes += [(scope.index_path, hook)] if hook else []
            memory = [Evidence(EvidenceKind.MEMORY, str(path), line) for path, line in quotes]
            evidence = (*_cite(about), *memory)
            yield Operation(OperationKind.REPAIR, topic.path, {topic.path: text}, "completes the frontmatter", evidence)


def _plan_fixes(texts: Mapping[PurePosixPath, str], findings: Sequence[Finding]) -> Iterator[Operation]:
    """Yield one operation per file that applies the fixes of the rules."""
    fixable = [found for found in findings if found.fix and not found.rule.startswith(_INDEX_RULES)]
    by_file: dict[PurePosixPath, list[Finding]] = {}
    for finding in fixable:
        by_file.setdefault(finding.path, []).append(finding)
    for path, group in sorted(by_file.items()):
        edits = merge_edits(edit for finding in group if finding.fix for edit in finding.fix.edits)
        mended = apply_edits(texts, edits)
        if not any(_grows_too_large(texts.get(each, ""), text or "") for each, text in mended.items()):
            yield Operation(OperationKind.REPAIR, path, mended, _explain(group), _cite(group))


def _grows_too_large(old: str, new: str) -> bool:
    """Tell whether a guard would refuse the new text; then the findings are left to a person."""
    sizes = [len(text.encode("utf-8", "replace")) for text in (old, new)]
    return sizes[1] > max(MAX_TOPIC_BYTES, sizes[0])


def _explain(findings: Sequence[Finding]) -> str:
    """Describe the repairs in one line: the messages, or only the rules if that would be too long."""
    messages = list(dict.fromkeys(finding.message for finding in findings))
    whole = "; ".join(messages)
    # A message may quote a link or a mention from the memory, which the guard `reason` refuses.
    if len(whole) <= MAX_REASON and not any(mark in whole for mark in ("://", "www.", "](", "<", "@")):
        return whole
    counts = Counter(finding.rule for finding in findings)
    return "follows " + ", ".join(f"{rule} ({count})" for rule, count in sorted(counts.items()))


def _open(scope: ScopeSnapshot, path: PurePosixPath) -> Topic | None:
    """Return a text of the scope as if it were a topic; the index has no frontmatter."""
    if scope.index and path == scope.index.path:
        return Topic(path, scope.index.text, Absence.MISSING, 1)
    return scope.topic(path)


def _cite(findings: Sequence[Finding]) -> tuple[Evidence, ...]:
    return tuple(Evidence(EvidenceKind.FINDING, found.fingerprint, found.message) for found in findings)


# A key without a value; a comment behind it stays.
_TYPE = LazyPattern(r"^([ \t]*type:[ \t]*)[^\s#]+")
# A hook of one word is a label, not a description.
_MIN_WORDS = 2


def mend_frontmatter(topic: Topic, hook: str) -> str | None:
    """Return the topic with what its file name and its pointer say of it; None if that adds nothing."""
    text = before = topic.text
    if len(hook.split()) + count_unspaced(hook) < _MIN_WORDS:
        hook = ""
    # A byte order mark would end up in the middle of the file.
    if topic.frontmatter is Absence.EMPTY or not topic.body.strip() or text.startswith("\ufeff"):
        return None
    if has_late_head(text):
        # A second head above the one that no client reads would be worse; a person is asked.
        return None
    if topic.frontmatter is Absence.UNCLOSED:
        if split_field(split_lines(text)[1]) is None:
            # A line of dashes above text is no head.
            return None
        text = _close(text)
        topic = parse_topic(topic.path, text)
    if topic.frontmatter is Absence.MISSING:
        if not hook:
            # A line of the body is no description: it may be a label, a table head, or about something else.
            return None
        end = "\r\n" if "\r\n" in text else "\n"
        head = render_head(_make_name(topic), hook, _read_type(topic) or TopicType.PROJECT)
        text = head.replace("\n", end) + end + text
    elif isinstance(topic.frontmatter, Frontmatter) and topic.frontmatter.problem is None:
        text = _fill(topic, topic.frontmatter, hook)
    mended = parse_topic(topic.path, text)
    valid = isinstance(mended.frontmatter, Frontmatter) and mended.frontmatter.problem is None
    # A name alone helps nobody: the client reads the description.
    return text if valid and mended.description and text != before else None


def _close(text: str) -> str:
    """Insert the closing line after the last key."""
    lines = split_lines(text)
    end = 1
    for number, line in enumerate(lines[1:], 1):
        if split_field(line) is None:
            break
        end = number + 1
    mark = "---\r\n" if lines[0].endswith("\r\n") else "---\n"
    return "".join((*lines[:end], mark, *lines[end:]))


def _fill(topic: Topic, frontmatter: Frontmatter, hook: str) -> str:
    """Add missing keys; a type of people's own stays unless the file name begins with one of the four."""
    lines = split_lines(topic.text)
    end = "\r\n" if lines[0].endswith("\r\n") else "\n"
    numbers = frontmatter.lines
    missing = {"name": _make_name(topic), "description": hook}
    added = [f"{key}: {render_value(value)}{end}" for key, value in missing.items() if value and key not in numbers]
    at = numbers.get("type") or numbers.get("metadata.type")
    if at and topic.type is None and (kind := _read_type(topic)):
        lines[at - 1] = _TYPE.sub(rf"\g<1>{kind}", lines[at - 1])
    return "".join((lines[0], *added, *lines[1:]))


def _read_type(topic: Topic) -> TopicType | None:
    """Return the type that the file name begins with."""
    prefix = re.split(r"[_-]", topic.path.stem.lower())[0]
    return TopicType(prefix) if prefix in set(TopicType) else None


def _make_name(topic: Topic) -> str:
    return make_slug(topic.path.stem) or "topic"
