"""The checklist of a pull request: one box for each candidate, which the next dream reads.

The text of a pull request is untrusted. A box only names a candidate, and a dream takes those that it finds itself.
"""

from memci.patterns import LazyPattern

# At the beginning of a line, where no text of memory or of a session comes: it is escaped, and never begins a line.
_BOX = LazyPattern(r"(?m)^([-*+] \[)([ xX])(\] <!-- memci:candidate ([0-9a-f]{12}) -->)")


def render_box(candidate: str, *, ticked: bool) -> str:
    """Return the beginning of a list item with a box for a candidate."""
    return f"- [{'x' if ticked else ' '}] <!-- memci:candidate {candidate} -->"


def list_ticked(body: str) -> tuple[str, ...]:
    """Return the ids of the candidates whose boxes are ticked."""
    return tuple(dict.fromkeys(box[4] for box in _BOX.finditer(body) if box[2] != " "))


def keep_ticks(body: str, old: str) -> str:
    """Tick the boxes that are ticked in an older text: somebody may have ticked one since it was read."""
    ticked = set(list_ticked(old))
    return _BOX.sub(lambda box: f"{box[1]}{'x' if box[4] in ticked else box[2]}{box[3]}", body)
