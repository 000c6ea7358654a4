"""Renders pointers: the index line of a topic, a hook that fits, and moving the rest of a hook into its topic."""

import re
import unicodedata
from pathlib import PurePosixPath

from memci.memory.apply_edits import split_lines
from memci.model.finding import Edit
from memci.model.memory import Topic
from memci.patterns import LazyPattern
from memci.prose.polarity_words import is_binding
from memci.prose.similar import NEGATIONS, STOP_WORDS, count_negations, normalise, stem_content
from memci.redaction.hidden import strip_hidden

# The length at which a pointer stops being a one-line hint.
MAX_POINTER = 150
# What a rule turns on; a cut never hides it.
BINDING = LazyPattern(
    r"\b(?:must|never|always|only|mandatory|required|do not|don['’]t|immer|nie|jamais|nunca)\b", re.IGNORECASE
)
# Where a hook may end, best first; behind a comma the rest is missed, so an ellipsis marks it.
_ENDS = ("; ", ". ", " — ", "。", "；")
_COMMAS = (", ", "，", "、")
_LOOSE = " ,;—-"
# Anything shorter is useless.
_MIN_HOOK = 20
# From here on, scripts are as wide as two letters.
_FIRST_WIDE = "\u2e80"
# No text with blanks has words of this length on average.
_WORD = 30
# No text ends with one of these.
_UNFINISHED = STOP_WORDS | NEGATIONS
_PAIRS = (("`", "`"), ("**", "**"), ("(", ")"), ("[", "]"))
# Links and images are replaced by their text.
_LINK = LazyPattern(r"!?\[([^][\n]{0,200})\](?:\([^()\n]{0,500}\)|\[[^][\n]{0,200}\])")
_TICKS = LazyPattern("`{2,}")
# Words that Markdown could read as a link or as HTML.
_MARKUP = LazyPattern(r"[^\s`]{0,200}[][<>][^\s`]{0,200}(?<![.,;:!?])")
# A longer title leaves no room for the hook.
_MAX_TITLE = 60
# A shorter rest is no clause.
MIN_HOOK = 12


def render_pointer(topic: Topic, scope: PurePosixPath, title: str = "", hook: str = "") -> str:
    """Return the index line for a topic, without a line end; title and hook are the topic's own unless given."""
    title = _plain_title(title)
    hook = _plain_line(hook or topic.description)
    if not title:
        title, hook = _split_hook(hook) or (render_topic_title(topic), hook)
        if len(hook) <= _MAX_TITLE and _is_cut_of(title, hook):
            title = hook.translate(_BRACKETS)
    target = str(topic.path.relative_to(scope)).replace(" ", "%20").replace("(", "%28").replace(")", "%29")
    head = f"- [{title}]({target})"
    hook = shorten(hook, MAX_POINTER - len(head) - 3)
    return f"{head} — {hook}" if hook and hook != title else head


def _is_cut_of(title: str, hook: str) -> bool:
    """Tell whether a hook says the words of a title in the same order: then the whole hook is the better title."""
    short, long = (_fold_accents(normalise(text)).replace("'", "") for text in (title, hook))
    words = iter(re.findall(r"\w+", long))
    return long.startswith(short) or all(word in words for word in re.findall(r"\w+", short))


def _fold_accents(text: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign))


def is_worth_reading(topic: Topic, scope: PurePosixPath) -> bool:
    """Tell whether the pointer of a topic says something: a hook that is not cut at a word or decorated."""
    hook = _plain_line(topic.description)
    shown = render_pointer(topic, scope)
    # Behind a comma the rest of a clause is missed less than that of a phrase.
    cut = shown.endswith("…") and not any(f"{shown[-_MIN_HOOK:-1]}{comma}" in hook for comma in _COMMAS)
    return len(hook) >= MIN_HOOK and not cut and not any(unicodedata.category(sign) == "So" for sign in hook)


def _split_hook(description: str) -> tuple[str, str] | None:
    """Split a description that names its rule and its reason into a title and a hook."""
    title, dash, rest = description.partition(" — ")
    return (title, rest) if dash and len(title) <= _MAX_TITLE and len(rest) >= MIN_HOOK else None


def render_topic_title(topic: Topic) -> str:
    """Return a readable title: the name if it is one, else the file name in words."""
    name = _plain_title(topic.name)
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
    title = _plain_title(" ".join(forms.get(word.lower(), word) for word in words))
    return title[:1].upper() + title[1:] or topic.path.stem


def _plain_title(text: str) -> str:
    # A backslash would escape the bracket that closes the title.
    return _plain_line(text).rstrip("\\").translate(_BRACKETS)


# Parsers of links do not agree on brackets in code.
_BRACKETS = str.maketrans("[]", "()")


def _plain_line(text: str) -> str:
    """Return a text as one line without Markdown syntax; words with brackets become code, code stays as it is."""
    text = _TICKS.sub("`", _LINK.sub(r"\1", strip_hidden(text)))
    if text.count("`") % 2:
        text = text.replace("`", "")
    parts = (_MARKUP.sub(r"`\g<0>`", part) if at % 2 == 0 else part for at, part in enumerate(text.split("`")))
    return " ".join("`".join(parts).split())


def measure(text: str) -> int:
    """Return the length of a text in columns; a character of a script without blanks has two."""
    return len(text) + sum(character >= _FIRST_WIDE for character in text) if not text.isascii() else len(text)


def shorten(text: str, room: int) -> str:
    """Cut a hook at a clause, else at a word, that fits; "" if there is no room for anything useful."""
    if len(text) <= room:
        return text
    return cut_clause(text, room) or cut_words(text, room)


def cut_clause(text: str, room: int) -> str:
    """Return the clauses of a hook that fit, cut neither in code or brackets nor before a rule; "" if none do."""
    for mark in (*_ENDS, *_COMMAS):
        place = text.rfind(mark, 0, room)
        while place >= max(_MIN_HOOK, room // 2):
            if _is_closed(text[:place]) and not hides_rule(text[place:]):
                return text[:place].rstrip(_LOOSE) + ("…" if mark in _COMMAS else "")
            place = text.rfind(mark, 0, place)
    return ""


def cut_words(text: str, room: int) -> str:
    """Return the words of a hook that fit, not cut in code or brackets; "" if that leaves nothing useful."""
    head = text[: room - 1]
    if room < _MIN_HOOK:
        return ""
    place = next((at for at in range(len(head), room // 2, -1) if text[at] == " " and _is_closed(text[:at])), 0)
    if not place and text.count(" ") * _WORD < len(text) and _is_closed(head):
        # A script without blanks.
        place = len(head)
    words = text[:place].split()
    while words and words[-1].lower().strip(_LOOSE) in _UNFINISHED:
        words.pop()
    return f"{' '.join(words).rstrip(_LOOSE)}…" if words else ""


def hides_rule(tail: str) -> bool:
    """Tell whether what a cut removes has a word that a rule turns on."""
    return BINDING.search(tail) is not None or count_negations(tail) > 0


def _is_closed(text: str) -> bool:
    """Tell whether a cut leaves no code span, bold mark or bracket open."""
    return not any(text.count(a) % 2 if a == b else text.count(a) > text.count(b) for a, b in _PAIRS)


def says_more(title: str, known: str) -> bool:
    """Tell whether the title of a pointer is more than a label of what is known: it may be the rule itself."""
    more = stem_content(title) - stem_content(known)
    return len(more) > 1 or (bool(more) and is_binding(title))


def keep_in_topic(topic: Topic, text: str) -> Edit | None:
    """Return the edit that appends `text` to a topic; None if the topic already contains it."""
    wanted = normalise(text)
    if not wanted or wanted in normalise(topic.description) or wanted in normalise(topic.body):
        return None
    lines = split_lines(topic.text)
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    return Edit(topic.path, len(lines) + 1, "", f"{end}{text}{end}")
