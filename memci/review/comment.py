"""Maintains one comment on a pull request: creates, updates or deletes it."""

import enum

from memci.forge.comments import Comments
from memci.forge.protocol import Comment
from memci.report.review_markdown import MARK


class Kept(enum.StrEnum):
    """What was done to the comment."""

    NONE = "none"
    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    DELETED = "deleted"


def keep_comment(comments: Comments, number: int, text: str) -> Kept:
    """Make `text` the comment on a pull request, or delete the comment if `text` is empty."""
    own = _find_own(comments, number)
    if not text:
        for comment in own:
            comments.delete(number, comment.id)
        return Kept.DELETED if own else Kept.NONE
    if own:
        result = Kept.UNCHANGED if _plain(own[0].body) == _plain(text) else Kept.UPDATED
        _update(comments, number, own, text)
        return result
    comments.create(number, text)
    # Another run may have created one at the same time: keep the oldest.
    _update(comments, number, _find_own(comments, number), text)
    return Kept.CREATED


def _update(comments: Comments, number: int, own: list[Comment], text: str) -> None:
    if own and _plain(own[0].body) != _plain(text):
        comments.edit(number, own[0].id, text)
    for comment in own[1:]:
        comments.delete(number, comment.id)


def _find_own(comments: Comments, number: int) -> list[Comment]:
    """Return the comments that begin with the marker and were written with this token: anybody can write the marker."""
    marked = [comment for comment in comments.list(number) if comment.body.startswith(MARK)]
    if not marked:
        return []
    user = comments.read_user()
    return [comment for comment in marked if (comment.author == user if user else comment.bot)]


def _plain(body: str) -> str:
    """Normalise a comment: forges change line endings and strip whitespace."""
    return body.replace("\r\n", "\n").strip()
