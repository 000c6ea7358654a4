"""Writing pointers: the line for a topic, a hook that fits, and keeping in the topic what a shorter hook drops."""

from pathlib import PurePosixPath

from memci.memory.edits import split_lines
from memci.model.finding import Edit
from memci.model.memory import Topic
from memci.patterns import LazyPattern
from memci.prose.similar import normalise
from memci.redaction.hidden import strip_hidden

# The length at which a pointer stops being a one-line hint.
MAX_POINTER = 150
# Where a hook may end, best first.
_BREAKS = ("; ", ". ", " — ", "。", "；", ", ", "，", "、", " ")
_SENTENCE_ENDS = _BREAKS[:5]
_LOOSE = " ,;—-"
_SPECIAL = str.maketrans({"[": "(", "]": ")", "<": "‹", ">": "›"})
# Of links and images the words are kept.
_LINK = LazyPattern(r"!?\[([^][\n]{0,200})\](?:\([^()\n]{0,500}\)|\[[^][\n]{0,200}\])")
_TICKS = LazyPattern("`{2,}")
# A longer title leaves no room for the hook.
_MAX_TITLE = 60


def render_pointer(topic: Topic, scope: PurePosixPath, title: str = "") -> str:
    """Return the index line for a topic, without a line end; the title is the topic's own unless one is given."""
    title = _plain_line(title).rstrip("\\") or find_title(topic)
    target = str(topic.path.relative_to(scope)).replace(" ", "%20").replace("(", "%28").replace(")", "%29")
    head = f"- [{title}]({target})"
    hook = shorten(_plain_line(topic.description), MAX_POINTER - len(head) - 3)
    return f"{head} — {hook}" if hook else head


def find_title(topic: Topic) -> str:
    """Return a title for people: the name if it reads like one, else the file name in words."""
    # Behind a backslash the bracket that closes the title would not count.
    name = _plain_line(topic.name).rstrip("\\")
    if " " in name and len(name) <= _MAX_TITLE:
        return name
    # A file name is ASCII; a name in another script says more than the digits that stand in for it.
    stem = topic.path.stem if name.isascii() or len(name) > _MAX_TITLE else name
    words = stem.replace("_", " ").replace("-", " ").split()
    kind = topic.type
    if kind and len(words) > 1 and words[0].lower() == kind.value:
        words = words[1:]
    return _plain_line(" ".join(words)).capitalize() or topic.path.stem


def _plain_line(text: str) -> str:
    """Return a text as one line that is nothing but words to Markdown; code spans stay if they are closed."""
    text = _TICKS.sub("`", _LINK.sub(r"\1", strip_hidden(text)))
    if text.count("`") % 2:
        text = text.replace("`", "")
    return " ".join(text.translate(_SPECIAL).split())


def shorten(text: str, room: int) -> str:
    """Cut a hook at the best break that fits; "" if there is no room for anything useful."""
    if len(text) <= room:
        return text
    # Less than this says nothing.
    if room < 20:
        return ""
    # Room for the mark that says it goes on.
    head = text[: room - 1]
    for mark in _BREAKS:
        place = head.rfind(mark)
        if place >= room // 2:
            cut = _close(head[:place].rstrip(_LOOSE))
            return cut if mark in _SENTENCE_ENDS else f"{cut}…"
    return f"{_close(head)}…"


def _close(text: str) -> str:
    """Drop a half code span, bold mark or bracket that the cut left open."""
    for opening, closing in (("`", "`"), ("**", "**"), ("(", ")"), ("[", "]")):
        left_open = text.count(opening) % 2 if opening == closing else text.count(opening) > text.count(closing)
        if left_open:
            text = text[: text.rfind(opening)].rstrip(_LOOSE)
    return text


def keep_in_topic(topic: Topic, text: str) -> Edit | None:
    """Return the edit that appends `text` to a topic; None if the topic already says it."""
    wanted = normalise(text)
    if not wanted or wanted in normalise(topic.description) or wanted in normalise(topic.body):
        return None
    lines = split_lines(topic.text)
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    return Edit(topic.path, len(lines) + 1, "", f"{end}{text}{end}")
