"""Composes topics from given words: file name, name, description, body."""

import itertools
import re
import unicodedata
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from memci.memory.frontmatter import quote
from memci.memory.pointers import shorten
from memci.model.memory import Topic, TopicType
from memci.patterns import LazyPattern
from memci.prose.fold import count_unspaced, word_set
from memci.prose.sentences import first_sentence
from memci.prose.similar import STOP_WORDS

# Longer names are cut in listings.
_NAME_WORDS = 4
_SLUG_WORDS = 7
# The room in a pointer after title and file name.
_MAX_DESCRIPTION = 120
# With type and extension the file name stays within the limits of file systems and guards.
_MAX_NAME = 60
# Half of a sentence in a script without blanks.
_CJK_NAME = 12
# Suffixes for topics of the same name; a number would look like part of the name.
_OTHERS = ("two", "another", "other", "more", "again")
_ENDS = (".", "!", "?", "…", "。", "！", "？", ":", "`", ")", "」", "”", '"')


# What every YAML parser reads as a string without quotation marks.
_PLAIN_VALUE = LazyPattern(r"[^\W\d_][\w ,./()+&'’;—–-]*", re.UNICODE)


def tidy(text: str) -> str:
    """Return a sentence as one line with a capital and a full stop; the words stay."""
    line = " ".join(text.split())
    if not line:
        return ""
    first = line.split(" ", 1)[0]
    # `packages/web` and `iOS` keep their form.
    if re.sub("['’]", "", first).isalpha() and first.islower():
        line = line[0].upper() + line[1:]
    line = _SMALL.sub(lambda found: found[0].upper(), line.rstrip(",;: "))
    return line if line.endswith(_ENDS) else f"{line}{_full_stop(line)}"


# The first letter of a further sentence; short words in front are abbreviations.
_SMALL = LazyPattern(r"(?<=\w{4}[.!?] )[a-z](?=[a-z]* )")


def _full_stop(line: str) -> str:
    """Return the full stop of the script that the line ends in."""
    return "。" if re.match(r"[\u3040-\u30ff\u3400-\u9fff]", line[-1:]) else "."


def keep_plain(line: str) -> str:
    """Escape a mark at the start that Markdown would read as a heading, list, quotation, table or fence."""
    return f"\\{line}" if _MARK.match(line) else line


_MARK = LazyPattern(r"#{1,6}\s|>|[-*+]\s|\||```|~~~|(?:-{3,}|={3,}|\*{3,})\W{0,3}$")


def make_name(text: str) -> str:
    """Return a kebab-case name: the first two to four words of a text, in spoken order, that say what it is about."""
    title, _ = split_title(text)
    plain = _OPENING.sub("", _ADDRESS.sub(" ", title).casefold().replace("'", "").replace("’", ""))
    words = [_drop_accents(word) for word in re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", plain))]
    # Dates and numbers change; a name should not.
    spoken = [word for word in words if not word[0].isdigit()] or words
    if spoken and not spoken[0].isascii() and len(spoken) <= 2:
        return "-".join(spoken)[:_CJK_NAME].rstrip("-")
    telling: list[str] = []
    for word in spoken:
        if word in _PREPOSITIONS and len(telling) > _NAME_WORDS // 2:
            break
        telling += [] if word in STOP_WORDS or word in _PREPOSITIONS or word in _ARTICLES else [word]
    # One word with a meaning says too little.
    chosen = telling if len(telling) > 1 else spoken
    name = "-".join(word[:24] for word in chosen[:_NAME_WORDS])
    return name if len(name) <= _MAX_NAME else name[:_MAX_NAME].rpartition("-")[0]


def split_title(text: str) -> tuple[str, str]:
    """Split a sentence into its first clause and the rest; code and addresses are not cut."""
    line = " ".join(text.split())
    for found in _CLAUSE.finditer(line):
        head = line[: found.start()]
        if len(head.split()) + count_unspaced(head) // 2 >= _TITLE_WORDS and head.count("`") % 2 == 0:
            return head, line[found.end() :]
    return line.rstrip(".!。！"), ""


_CLAUSE = LazyPattern(r"[,;:!?]\s+|\.\s+|\s[-–—]\s|\s(?=\()|[，；：。！？、]")
_TITLE_WORDS = 3
_ARTICLES = word_set("our your my its their")
# Behind these stands what a name can do without.
_PREPOSITIONS = word_set("""
    in on at by for from with into without before after until unless when if while via per under over than as
    because ohne im am zu zum zur von mit für auf aus vor nach bis sans dans pour sur avec avant sin en para por con sem
""")
# Addresses, and what only says that a rule lasts.
_ADDRESS = LazyPattern(r"https?://\S+|\b(?:going forward|from (?:now|here) on|any ?more)\b", re.IGNORECASE)
# What only says that a rule, a decision or a person follows.
_OPENING = LazyPattern(
    r"^\W*(?:(?:always|please|from now on|going forward|we(?:ve| have)? (?:decided|agreed) (?:to|on|that)|as of \S+"
    r"|we(?:re| are)? (?:going|planning) to|if you (?:need|want) to"
    r"|the user(?: is(?: an?| the)?)?|make sure(?: to)?|immer|bitte|ab (?:jetzt|sofort)|toujours|désormais|siempre"
    r"|sempre|всегда|впредь)\b[\s,:]*)+"
)


def _drop_accents(text: str) -> str:
    """Remove the accents of Latin letters; in other scripts the marks make different letters."""
    parts = unicodedata.normalize("NFD", text)
    latin = (mark for place, mark in enumerate(parts) if not (unicodedata.combining(mark) and _is_latin(parts, place)))
    return unicodedata.normalize("NFC", "".join(latin))


def _is_latin(text: str, place: int) -> bool:
    """Tell whether the letter that carries the mark at `place` is one of ASCII."""
    while place > 0 and unicodedata.combining(text[place]):
        place -= 1
    return text[place].isascii()


def choose_name(name: str, taken: Container[str]) -> str:
    """Return an unused name for a topic."""
    return next(each for each in _tell_apart(name, "-") if each not in taken)


def choose_path(
    scope: PurePosixPath, kind: TopicType, name: str, taken: Container[str], fallback: str = "note"
) -> PurePosixPath:
    """Return an unused file name for a topic: its type and its name, or the fallback if the name is not ASCII."""
    stem = (name if name.isascii() else _romanise(name)).replace("-", "_") or fallback
    stem = stem.removeprefix(f"{kind}_")
    return scope / next(file for each in _tell_apart(stem, "_") if (file := f"{kind}_{each}.md") not in taken)


def _romanise(name: str) -> str:
    """Return the words of a name that can be spelled in Latin letters: file names are ASCII."""
    words = (
        "".join(_CYRILLIC.get(sign) or _spell(sign) for sign in word)
        for word in re.findall(r"[a-z0-9]+|[а-яё]+|[ァ-ヴ]+|[가-힣]+", name)
    )
    return "-".join([word for word in words if len(word) > 1][:_NAME_WORDS])


def _spell(sign: str) -> str:
    """Return the sound of a syllable, which is the last word of the name of its character."""
    if sign.isascii():
        return sign
    kind, *_, sound = unicodedata.name(sign, "?").lower().split()
    return sound if kind in {"katakana", "hangul"} and sound.isalpha() else ""


_CYRILLIC = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
        "a b v g d e e zh z i i k l m n o p r s t u f kh ts ch sh shch - y - e yu ya".replace("-", "").split(" "),
        strict=True,
    )
)


def choose_file(
    scope: PurePosixPath, kind: TopicType, name: str, taken: Mapping[str, int], fallback: str = "note"
) -> PurePosixPath:
    """Return an unused file name in the style of the scope: other files of the type begin with it, or none does."""
    kinds = tuple(f"{each}_" for each in TopicType)
    plain = [file for file in taken if file.endswith(".md") and "-" in file and not file.startswith(kinds)]
    typed = [file for file in taken if file.startswith(kinds)]
    usual = any(file.startswith(f"{kind}_") for file in typed)
    if usual or len(plain) <= len(typed) or not name.isascii() or not name:
        return choose_path(scope, kind, name, taken, fallback)
    return scope / next(file for each in _tell_apart(name, "-") if (file := f"{each}.md") not in taken)


def make_slug(name: str) -> str:
    """Return a given name in kebab-case, word by word."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", _drop_accents(name)).casefold())
    slug = "-".join(words[:_SLUG_WORDS])
    return slug if len(slug) <= _MAX_NAME else slug[:_MAX_NAME].rpartition("-")[0]


def _tell_apart(name: str, mark: str) -> Iterator[str]:
    yield name
    yield from (f"{name}{mark}{other}" for other in _OTHERS)
    yield from (f"{name}{mark}{number}" for number in itertools.count(len(_OTHERS) + 2))


def describe(text: str, why: str = "") -> str:
    """Return the description of a topic with this text: its first sentence, and its reason, cut to fit."""
    line = " ".join(text.split())
    sentence = first_sentence(line).rstrip(".。 ")
    # A reason behind two sentences is the reason of the second.
    whole = (
        f"{sentence} — {' '.join(why.split()).rstrip('.。 ')}" if why and len(line) <= len(sentence) + 1 else sentence
    )
    return shorten(whole, _MAX_DESCRIPTION) or sentence[:_MAX_DESCRIPTION]


def render_value(text: str) -> str:
    """Return a frontmatter value, quoted where YAML needs it."""
    plain = _PLAIN_VALUE.fullmatch(text) and text.lower() not in {"true", "false", "yes", "no", "on", "off", "null"}
    return text if plain and not text.endswith(" ") else quote(text)


def render_head(name: str, description: str, kind: TopicType, others: Iterable[Topic] = ()) -> str:
    """Return frontmatter in the style of most `others`; without any, as current clients write it."""
    flat = sum(1 if topic.field("type") else -1 for topic in others if topic.type_text)
    typed = f"type: {kind}" if flat > 0 else f"metadata:\n  type: {kind}"
    return f"---\nname: {name}\ndescription: {render_value(description)}\n{typed}\n---\n"


def render_body(rule: str, why: str = "", how: str = "") -> str:
    """Return the body of a topic."""
    parts = [keep_plain(tidy(rule))] if rule else []
    parts += [f"**Why:** {tidy(why)}"] if why else []
    parts += [f"**How to apply:** {tidy(how)}"] if how else []
    return "\n\n".join(parts) + "\n"
