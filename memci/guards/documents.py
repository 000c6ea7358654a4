"""Versions of memory files as guards read them: each is parsed at most once, when a guard first needs it."""

import functools
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.guards.added_text import split_sentences
from memci.memory.frontmatter import split_field
from memci.memory.topic import HeadValue, find_in_file, list_rewritten, parse_topic
from memci.model.memory import Absence, Topic
from memci.prose.similar import Profile, normalise, profile
from memci.prose.statements import Statement, is_negated, is_reason, list_fenced_lines, split_body
from memci.redaction.injection import Injection


# Without slots, because the cached properties need a `__dict__`.
@dataclass(frozen=True)
class StatedFact:
    """One statement of a topic, or one line of fenced code."""

    path: PurePosixPath
    # The normalised text, and whether a heading like "Never:" negates it.
    key: str
    negated: bool
    text: str
    # A "why" or "how" line, which belongs to the rule above it.
    reason: bool = False
    # A line of code is an example: it does not state what the same words state outside a fence.
    fenced: bool = False

    @functools.cached_property
    def profile(self) -> Profile:
        """The words of the text, for comparisons."""
        return profile(self.text)


@dataclass(frozen=True)
class Document:
    """One version of a file."""

    path: PurePosixPath
    text: str

    @functools.cached_property
    def topic(self) -> Topic:
        """The file parsed as a topic; an index is a topic without frontmatter."""
        return parse_topic(self.path, self.text)

    @functools.cached_property
    def statements(self) -> tuple[Statement, ...]:
        """The statements of the body."""
        return split_body(self.topic.body, self.topic.body_line)

    @functools.cached_property
    def facts(self) -> tuple[StatedFact, ...]:
        """The statements and fenced lines, in order."""
        topic, statements = self.topic, self.statements
        body = topic.body
        if topic.frontmatter is Absence.UNCLOSED:
            body = _skip_keys(self.text)
            statements = split_body(body)
        stated = [
            StatedFact(self.path, normalise(found.text), is_negated(found), found.text, is_reason(found))
            for found in statements
        ]
        fenced = [
            StatedFact(self.path, f"`{line}", negated=False, text=line, fenced=True)
            for line in sorted(list_fenced_lines(body))
        ]
        return tuple(fact for fact in (*stated, *fenced) if fact.key)

    @functools.cached_property
    def sentences(self) -> frozenset[str]:
        """The normalised sentences of all lines, frontmatter included."""
        return frozenset(normalise(part) for line in self.text.split("\n") for part in split_sentences(line))

    @functools.cached_property
    def normalised(self) -> str:
        """The whole text in the form in which texts are compared."""
        return normalise(self.text)

    @functools.cached_property
    def rewritten_values(self) -> tuple[HeadValue, ...]:
        """The frontmatter values that YAML reads differently from how they are written."""
        return tuple(list_rewritten(self.topic))

    @functools.cached_property
    def injections(self) -> tuple[Injection, ...]:
        """The instructions to a model, in the text and in frontmatter values."""
        return tuple(find_in_file(self.topic))


def _skip_keys(text: str) -> str:
    """Return the text below the keys of a frontmatter block that is not closed."""
    lines = text.split("\n")[1:]
    end = next((place for place, line in enumerate(lines) if split_field(line) is None), len(lines))
    return "\n".join(lines[end:])


class Documents:
    """The versions that were read during one dream of one scope."""

    def __init__(self) -> None:
        self._versions: dict[tuple[PurePosixPath, str], Document] = {}

    def read(self, path: PurePosixPath, text: str) -> Document:
        """Return this version of a file."""
        key = (path, text)
        if key not in self._versions:
            self._versions[key] = Document(path, text)
        return self._versions[key]

    def add(self, topic: Topic) -> None:
        """Take over a topic that is already parsed."""
        vars(self.read(topic.path, topic.text))["topic"] = topic
