"""What evidence must have exactly: names, numbers, code, addresses, options and dates."""

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from memci.guards.free_words import FREE
from memci.patterns import LazyPattern
from memci.prose.dates.find import find_dates
from memci.prose.equal_words import equal_form, unaccent
from memci.prose.fold import word_set
from memci.prose.markdown import RegionKind, mask_code, parse_regions
from memci.prose.polarity_words import DENIALS
from memci.prose.similar import STOP_WORDS, tokenise
from memci.prose.stems import stem_forms

# Abbreviations that look like a host or a path.
_ABBREVIATIONS = frozenset(("e.g", "i.e", "z.b", "d.h", "u.a", "p.ej", "and/or", "w/o", "n/a", "c.f", "a.m", "p.m"))
# URLs, hosts, flags, mail addresses, mentions.
_PLACE_NAMES = LazyPattern(
    r"[a-z][a-z0-9+.-]{1,20}://[^\s<>()\"'`]{1,500}|\bwww\.[^\s<>()\"'`]{1,200}|\bdata:[a-z/]{1,40}"
    r"|(?<![\w-])--?[a-z][\w-]{0,60}|[\w.+-]{1,64}@[\w.-]{1,100}|@[\w/-]{2,60}|#[\w-]{2,60}"
)
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WRITTEN = LazyPattern(rf"[^\W_{_CJK}](?:[^\s{_CJK}`*()\[\]<>\"“”„»«,;!?=+|#&{{}}~^\\]*[^\W{_CJK}])?")
_CODE_KINDS = frozenset((RegionKind.CODE, RegionKind.FENCE, RegionKind.TARGET, RegionKind.URL))
# Endings of nouns that are no name, at the start of a sentence.
_COMMON = LazyPattern(r".*(?:ing|ings|ion|ions|ment|ments|ness|ity|ance|ence|ery|ship|age|ure|ware|ess|ung|heit|keit)")
# Verbs that begin an instruction.
_IMPERATIVES = word_set("""
    use uses works lives keep leave ask give put store merge kill check open close add remove move treat write read
    push pull start restart test log call let see show prefer avoid run name build update never not do make set wrap
""")
# What follows the subject of a sentence.
_PLURAL_VERBS = word_set("are were have must should can may need do will go run stay live")
_VERBS = word_set("said says is was has had may can must will should does did and or hat ist war darf kann muss und")
# German writes every noun with a capital: one of these before it makes it a noun, and so do the endings.
_BEFORE_NOUN = LazyPattern(
    r"(?:d(?:er|ie|as|en|em|es)|[mdsk]?ein(?:e[rnms]?)?|im|am|zum|zur|vom|beim|ins|[\d.,]+|\w+e[nrms]?)"
)
_NOUN = LazyPattern(r".*(?:ung|ungen|heit|keit|schaft|tion|en|er|tät|nis)")
# "One" before a noun counts; before a word such as "of" or "after" it does not.
_SINGLE = LazyPattern(r"\bone ([a-z]+)", re.IGNORECASE)
# "At nine in the evening" is 21:00.
_AFTERNOON = LazyPattern(r"(1[3-9]|2[0-3]):00")
_DEGREES = LazyPattern(r"°\s?[CF]\b")
_SPANS = word_set("week day month hour minute second time another")
_TASK = LazyPattern(r"(?:make|just|task|npm run|pnpm(?: run)?|yarn(?: run)?) ([a-z][\w-]{2,40})")
_MARKS = ".,;:!?…"
# Names of two languages begin alike.
_COGNATE = 5
_LISTED = LazyPattern(r"(?:(?<=^)|(?<=[:;,.] ))[1-9][.)](?= |$)")
# English writes the names of feasts with a capital.
_FEASTS = word_set("christmas easter midsummer advent lent pentecost whitsun epiphany carnival ramadan passover diwali")
# So many unknown names are told at once.
_NAMED = 4
# What is fetched must have been named; these are no names.
_FETCHING = word_set("install installs installed")
_FETCHED = word_set("package packages dependency dependencies module modules library libraries")


@dataclass(frozen=True, slots=True)
class ExactWords:
    """The words of evidence, in the forms in which they are compared exactly."""

    folded: str
    words: frozenset[str]
    stems: frozenset[str]
    # How the words begin, for names that are written alike in two languages.
    heads: frozenset[str]
    # Parts of full names that the evidence has another part of.
    people: frozenset[str]


def read_exact(folded: str, words: frozenset[str], stems: frozenset[str], people: Collection[str]) -> ExactWords:
    """Return what statements are compared with; `people` are full names that are known."""
    full = [frozenset(tokenise(name)) for name in people]
    # A repository may have hundreds of authors, and a scope tens of thousands of words.
    begins: dict[str, list[str]] = {}
    for word in words if full else ():
        begins.setdefault(word[:3], []).append(word)
    known = (
        name for name in full if any(_is_inflected(part, word) for part in name for word in begins.get(part[:3], ()))
    )
    return ExactWords(folded, words, stems, frozenset(map(cognate, words)) - {""}, frozenset().union(*known))


def cognate(word: str) -> str:
    """Return the beginning that a word has in several languages: "somal" of "Somali"; "" of a short one."""
    head = unaccent(word)[:_COGNATE]
    return head if len(head) == _COGNATE and word.isalpha() else ""


def find_unknown_name(
    statement: str,
    exact: ExactWords,
    *,
    language: str = "",
    label: bool = False,
    abroad: bool = False,
    borrowed: frozenset[str] = frozenset(),
) -> str:
    """Return why a statement is refused for something that its evidence does not name; "" if it is not.

    `borrowed` are forms of numbers that the person was told right before, and may have agreed to.
    """
    german = language == "german"
    # In code a date is a part of it.
    dates = find_dates(mask_code(statement))
    for date in dates:
        if date.date.isoformat() not in exact.words and date.text.casefold() not in exact.folded:
            return _refuse(date.text)
    for date in dates:
        end = date.start + len(date.text)
        statement = f"{statement[: date.start]}{' ' * len(date.text)}{statement[end:]}"
    # Over languages an article may be a number.
    if not abroad and _counts_one(statement) and "number:1" not in exact.stems and _has_number(exact):
        return _refuse("one")
    unknown: list[str] = []
    for name in _list_names(statement, exact, german=german, abroad=abroad):
        alike = abroad and (cognate(fold(name)) in exact.heads or _is_common_abroad(name))
        # A label that names a language states nothing, and English writes languages with a capital.
        named = equal_form(name).startswith("language:")
        alike = alike or (named and (label or (language == "english" and name.islower())))
        if not (alike or equal_form(name) in borrowed or _has_name(name, exact)):
            unknown.append(name)
    subjects = _list_subjects(statement, german=german) if language in {"", "english", "german"} and not label else ()
    unknown += (word for word in subjects if not _has_name(word, exact))
    return _refuse(*unknown) if unknown else ""


def _is_common_abroad(name: str) -> bool:
    """Tell whether a word that looks like a name or counts may be a plain one of another language."""
    return fold(name) in _FEASTS or (name.isalpha() and equal_form(name) in {"number:1", "number:2"})


def _counts_one(statement: str) -> bool:
    nouns = (found[1].lower() for found in _SINGLE.finditer(statement))
    return any(not (noun in _SPANS or noun in STOP_WORDS or noun.endswith("s")) for noun in nouns)


def find_unknown_place(text: str, exact: ExactWords) -> str:
    """Return the code, address or option in a text that nothing else has; "" if there is none."""
    return next((name for name in _list_places(text) if not _has_name(name, exact)), "")


def _has_number(exact: ExactWords) -> bool:
    # Years belong to dates.
    forms = (equal_form(word) for word in exact.words)
    return any(form.startswith("number:") and not form.startswith(("number:19", "number:20")) for form in forms)


def drop_item_numbers(statement: str) -> str:
    """Return a statement without the numbers of the items of a list, which count nothing."""
    return _LISTED.sub(" ", statement)


def _refuse(*names: str) -> str:
    shown = ", ".join(f"`{name[:60]}`" for name in dict.fromkeys(names[:_NAMED]))
    return f"{shown} is not in the cited evidence: cite the message or line that has it, or leave it out"


def fold(text: str) -> str:
    """Return a text as exact words are compared."""
    return unicodedata.normalize("NFKC", text).casefold()


def _list_names(statement: str, exact: ExactWords, *, german: bool, abroad: bool) -> Iterator[str]:
    """Yield code, addresses, flags, numbers, proper names, odd spellings."""
    yield from _list_places(statement)
    before = fetching = ""
    # The unit of a temperature is no name.
    for found in _WRITTEN.finditer(_DEGREES.sub("", unicodedata.normalize("NFKC", statement))):
        word = found[0]
        plain = word.lower()
        if (
            fetching in _FETCHING
            or _is_exact(word, german=german, before=before, begins=_begins(statement, found.start()))
            or ("-" in word and not abroad and not any(_is_known(part, exact) for part in plain.split("-")))
        ):
            yield word
        before = word
        fetching = fetching if plain in STOP_WORDS or plain in _FETCHED else plain


def _list_places(text: str) -> Iterator[str]:
    for region in parse_regions(text):
        if region.kind in _CODE_KINDS:
            yield text[region.start : region.end].strip().rstrip(_MARKS)
    yield from (found[0].rstrip(_MARKS) for found in _PLACE_NAMES.finditer(fold(text)))


def _is_known(part: str, exact: ExactWords) -> bool:
    return part in STOP_WORDS or part in exact.words or not exact.stems.isdisjoint(stem_forms(part))


def _begins(statement: str, start: int) -> bool:
    around = statement[max(0, start - 4) : start].rstrip(" *_(\"'„“`")
    return not around or around[-1] in ".!?:\n-*#>"


def _is_exact(word: str, *, german: bool, before: str, begins: bool) -> bool:
    if any(map(str.isdigit, word)) or (any(mark in word for mark in "./:@_") and word not in _ABBREVIATIONS):
        return True
    form = equal_form(word)
    if form:
        return True
    if not word.isascii() and len(_alphabets(word)) > 1 and "LATIN" in _alphabets(word):
        return True
    inner = any(map(str.isupper, word[1:])) and "-" not in word
    if german and word[0].isupper() and not inner:
        return not (begins or _BEFORE_NOUN.fullmatch(before.lower()) or _NOUN.fullmatch(word.lower()) or "-" in word)
    return inner or (word[0].isupper() and not begins)


def _alphabets(word: str) -> set[str]:
    """Return the alphabets of a word: one that mixes them imitates another."""
    return {unicodedata.name(letter, "").partition(" ")[0] for letter in word if letter.isalpha()}


def _list_subjects(statement: str, *, german: bool) -> Iterator[str]:
    """Yield the first word of each sentence that may be a name: its case does not tell there."""
    for number, sentence in enumerate(re.split(r"(?<=[.!?;:])\s+", statement)):
        matches = list(_WRITTEN.finditer(sentence))[:3]
        words = [found[0] for found in matches]
        if (
            len(words) < 2
            or any(map(str.isalnum, sentence[: matches[0].start()]))
            or not words[0].isalpha()
            or (number and words[0].islower())
            or words[0].lower() in _IMPERATIVES | STOP_WORDS | DENIALS | FREE
        ):
            continue
        first, second = words[0].lower(), words[1].lower()
        acts = second in _VERBS or (second.endswith("t" if german else "s") and not second.endswith("ss"))
        # "Commit messages are": two nouns.
        if words[2:] and words[2].lower() in _PLURAL_VERBS:
            continue
        if acts and first[0] < "\u0e00" and not _COMMON.fullmatch(first):
            yield words[0]


def _has_name(name: str, exact: ExactWords) -> bool:
    # A name of a function is the same with and without its brackets.
    folded = fold(name).removesuffix("()")
    if not folded or folded in _ABBREVIATIONS or folded in exact.people:
        return True
    form = equal_form(name)
    if form:
        hour = _AFTERNOON.fullmatch(folded)
        return form in exact.stems or (hour is not None and f"number:{int(hour[1]) - 12}" in exact.stems)
    folded = folded.removesuffix("'s").removesuffix("’s")
    if re.fullmatch(r"\w+", folded):
        known = {folded, unaccent(folded)} & exact.words or folded in STOP_WORDS
        if known or ("_" in folded and _is_inside(folded, exact.folded)):
            return True
        # "PRs" matches "pr", "Anetas" has "Aneta", but digits have to be equal.
        return folded.isalpha() and (
            not exact.stems.isdisjoint(stem_forms(folded)) or any(_is_inflected(folded, word) for word in exact.words)
        )
    return _is_inside(folded, exact.folded) or _has_parts(folded, exact)


def _has_parts(folded: str, exact: ExactWords) -> bool:
    """Tell whether the evidence has each part of a name that may be written in other ways."""
    # `NAME=value` is an assignment in code.
    if assigned := re.fullmatch(r"(\w{3,})=([\w.-]+)", folded):
        # Beside another name a value is another's.
        parts = re.split(r"[;\n]|\.(?=\s)|,(?= \w)", exact.folded)
        return any(all(_is_inside(name, part) for name in assigned.groups()) for part in parts)
    # A file of tasks has `migrate:`, and people call `make migrate`.
    if called := _TASK.fullmatch(folded):
        name = re.escape(called[1])
        return re.search(rf'(?m)(?:^|: )[+\s]*{name}:|"{name}"(?::| =)', exact.folded) is not None
    if " " in folded and _is_same_command(folded.split(), exact):
        return True
    # Prose joins words with a slash or a hyphen; hosts, addresses and flags have to match as a whole.
    parts = [part for part in re.split(r"[/\s-]+", folded) if part]
    joined = not folded.startswith(("-", "/", "@", "#")) and len(parts) > 1 and not re.search(r"[.:@_\\\d]", folded)
    return joined and all(_has_name(part, exact) for part in parts)


def _is_same_command(words: list[str], exact: ExactWords) -> bool:
    """Tell whether a line has a command but for one path, which is somewhere else in the evidence."""
    for line in exact.folded.split("\n"):
        told = [word.strip("`.,;") for word in line.split()]
        for start in range(len(told) - len(words) + 1):
            other = [word for word, old in zip(words, told[start:], strict=False) if word != old]
            if len(other) == 1 and "/" in other[0] and _is_inside(other[0], exact.folded):
                return True
    return False


def _is_inflected(one: str, other: str) -> bool:
    """Tell whether two names differ in a case ending: "Aneta", "Anetas"; "Greta" and "Grete" are two."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short) and (
        long[len(short) :] in {"", "s", "es"}
        or (len(short) >= 5 and long[-1] in "naue" and len(long) - len(short) <= 2)
    )


def _is_inside(folded: str, text: str) -> bool:
    place = text.find(folded)
    while place >= 0:
        around = text[max(0, place - 1) : place] + text[place + len(folded) : place + len(folded) + 1]
        if not any(sign.isalnum() or sign in "_@\\" for sign in around):
            return True
        place = text.find(folded, place + 1)
    return False
