"""Renders pointers: the index line of a topic, a hook that fits, and moving the rest of a hook into its topic."""

from pathlib import PurePosixPath

from memci.memory.apply_edits import split_lines
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
# Links and images are replaced by their text.
_LINK = LazyPattern(r"!?\[([^][\n]{0,200})\](?:\([^()\n]{0,500}\)|\[[^][\n]{0,200}\])")
_TICKS = LazyPattern("`{2,}")
# A longer title leaves no room for the hook.
_MAX_TITLE = 60
# A shorter rest is no clause.
MIN_HOOK = 12


def render_pointer(topic: Topic, scope: PurePosixPath, title: str = "", hook: str = "") -> str:
    """Return the index line for a topic, without a line end; title and hook are the topic's own unless given."""
    title = _plain_line(title).rstrip("\\")
    hook = _plain_line(hook or topic.description)
    if not title:
        title, hook = _split_hook(hook) or (render_topic_title(topic), hook)
    target = str(topic.path.relative_to(scope)).replace(" ", "%20").replace("(", "%28").replace(")", "%29")
    head = f"- [{title}]({target})"
    hook = shorten(hook, MAX_POINTER - len(head) - 3)
    return f"{head} — {hook}" if hook and hook != title else head


def _split_hook(description: str) -> tuple[str, str] | None:
    """Split a description that names its rule and its reason into a title and a hook."""
    title, dash, rest = description.partition(" — ")
    return (title, rest) if dash and len(title) <= _MAX_TITLE and len(rest) >= MIN_HOOK else None


def render_topic_title(topic: Topic) -> str:
    """Return a readable title: the name if it is one, else the file name in words."""
    # A backslash would escape the bracket that closes the title.
    name = _plain_line(topic.name).rstrip("\\")
    if " " in name and len(name) <= _MAX_TITLE:
        return name
    # File names are ASCII, so a name in another script is more readable than its file name.
    stem = topic.path.stem if name.isascii() or len(name) > _MAX_TITLE else name
    words = stem.replace("_", " ").replace("-", " ").split()
    kind = topic.type
    if kind and len(words) > 1 and words[0].lower() == kind.value:
        words = words[1:]
    # Names such as JSON keep the form in which the topic has them.
    forms = {word.strip(".,;:()`").lower(): word.strip(".,;:()`") for word in topic.description.split()}
    title = _plain_line(" ".join(forms.get(word.lower(), word) for word in words))
    return title[:1].upper() + title[1:] or topic.path.stem


def _plain_line(text: str) -> str:
    """Return a text as one line without Markdown syntax, except closed code spans."""
    text = _TICKS.sub("`", _LINK.sub(r"\1", strip_hidden(text)))
    if text.count("`") % 2:
        text = text.replace("`", "")
    # Code stays as it is: brackets in it are no markup.
    parts = text.split("`")
    return " ".join(
        "`".join(part.translate(_SPECIAL) if at % 2 == 0 else part for at, part in enumerate(parts)).split()
    )


def shorten(text: str, room: int) -> str:
    """Cut a hook at the best break that fits; "" if there is no room for anything useful."""
    if len(text) <= room:
        return text
    # Anything shorter is useless.
    if room < 20:
        return ""
    # Room for the ellipsis.
    head = text[: room - 1]
    for mark in _BREAKS:
        place = head.rfind(mark)
        if place >= room // 2:
            cut = _close(head[:place].rstrip(_LOOSE))
            return cut if mark in _SENTENCE_ENDS else f"{cut}…"
    return f"{_close(head)}…"


def _close(text: str) -> str:
    """Drop a code span, bold mark or bracket that the cut left open."""
    for opening, closing in (("`", "`"), ("**", "**"), ("(", ")"), ("[", "]")):
        left_open = text.count(opening) % 2 if opening == closing else text.count(opening) > text.count(closing)
        if left_open:
            text = text[: text.rfind(opening)].rstrip(_LOOSE)
    return text


def keep_in_topic(topic: Topic, text: str) -> Edit | None:
    """Return the edit that appends `text` to a topic; None if the topic already contains it."""
    wanted = normalise(text)
    if not wanted or wanted in normalise(topic.description) or wanted in normalise(topic.body):
        return None
    lines = split_lines(topic.text)
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    return Edit(topic.path, len(lines) + 1, "", f"{end}{text}{end}")
