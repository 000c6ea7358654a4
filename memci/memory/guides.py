"""Detects statements of memory that are already in a guide."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memci.memory.topic import split_statements
from memci.model.memory import Guide
from memci.prose.similar import find_alike, read_phrases, tokenise
from memci.prose.statements import Statement, group_statements, is_reason, match_said

# "TODO" in both is no rule that is said twice; "Use pnpm" is.
_MIN_WORDS = 2


class GuideStatements(NamedTuple):
    """A guide and its statements by normalised text."""

    guide: Guide
    groups: Mapping[str, Sequence[Statement]]


def read_guides(guides: Iterable[Guide]) -> list[GuideStatements]:
    """Split guides into statements."""
    return [GuideStatements(guide, group_statements(split_statements(guide.text))) for guide in guides]


def drop_reasons(statements: Iterable[Statement]) -> list[Statement]:
    """Return the statements that are not reasons; none if they are a single word."""
    main = [found for found in statements if not is_reason(found)]
    return main if sum(len(tokenise(found.text)) for found in main) >= _MIN_WORDS else []


def match_guides(statements: Iterable[Statement], guides: Iterable[GuideStatements]) -> dict[str, set[str]]:
    """Map each text of memory and guides to those with the same meaning."""
    guided = (other.text for found in guides for group in found.groups.values() for other in group)
    return find_alike(read_phrases((*(found.text for found in statements), *guided)))


def match_guide(statement: Statement, guides: Iterable[GuideStatements], alike: Mapping[str, set[str]]) -> str:
    """Return `path:line` of the guide with this statement; "" if none has it."""
    for found in guides:
        other = match_said(statement, found.groups, alike)
        if other:
            return f"{found.guide.path}:{other.line}"
    return ""
