"""One comment on a pull request: made when there is something to say, kept up to date, gone when there is not."""

import enum

from memci.forge.protocol import Comment, Comments
from memci.report.review_markdown import MARK


class Kept(enum.StrEnum):
    """What was done to the comment."""

    NONE = "none"
    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    DELETED = "deleted"


def keep_comment(comments: Comments, number: int, text: str) -> Kept:
    """Make the comment of a pull request say `text`, or remove it if `text` is empty."""
    ours = _find_ours(comments, number)
    if not text:
        for comment in ours:
            comments.delete(number, comment.id)
        return Kept.DELETED if ours else Kept.NONE
    if ours:
        result = Kept.UNCHANGED if _plain(ours[0].body) == _plain(text) else Kept.UPDATED
        _settle(comments, number, ours, text)
        return result
    comments.create(number, text)
    # Another run may have done the same at the same time: the oldest stays.
    _settle(comments, number, _find_ours(comments, number), text)
    return Kept.CREATED


def _settle(comments: Comments, number: int, ours: list[Comment], text: str) -> None:
    if ours and _plain(ours[0].body) != _plain(text):
        comments.edit(number, ours[0].id, text)
    for comment in ours[1:]:
        comments.delete(number, comment.id)


def _find_ours(comments: Comments, number: int) -> list[Comment]:
    """Return the comments that begin with our mark and are the token's own: anybody can write the mark."""
    marked = [comment for comment in comments.list(number) if comment.body.startswith(MARK)]
    if not marked:
        return []
    own = comments.find_user()
    return [comment for comment in marked if (comment.author == own if own else comment.bot)]


def _plain(body: str) -> str:
    """Return a text as it comes back from forges, which change line ends and cut blanks."""
    return body.replace("\r\n", "\n").strip()
