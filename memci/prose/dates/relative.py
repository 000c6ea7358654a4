"""Finds relative dates that state when something happens, not the many words that only look like one."""

import datetime as dt
import re
from collections.abc import Iterator

from memci.patterns import LazyPattern
from memci.prose.dates import words
from memci.prose.dates.find import AbsoluteDate, RelativeDate, find_dates, find_relative, resolve
from memci.prose.dates.surroundings import any_in, list_anchored_lines, list_marks
from memci.prose.equal_words import equal_form
from memci.prose.fold import plain
from memci.prose.markdown import mask_code
from memci.prose.sentences import sentence_around
from memci.prose.similar import tokenise

# Pairs of quotation marks; straight ones are classified by their surroundings.
_QUOTES = ("“”", "„“", "‘’", "‚‘", "«»", "「」", "『』")
# How far away a quotation mark is searched for; a quotation may be several sentences long.
_QUOTATION = 600
# "next Thursday (2026-03-05)": how far away the date that explains an expression may begin.
_BESIDE = 16

# What a day or a week is does not depend on which day this is.
_ANY_DAY = dt.date(2026, 1, 1)
# A preposition and a weekday.
_BARE = 2


def find_stated(markdown: str) -> Iterator[RelativeDate]:
    """Find the relative dates that state when something is, was or will be."""
    text = mask_code(markdown)
    found = find_relative(text)
    if not found:
        return
    dates = find_dates(text)
    anchored = list_anchored_lines(text, dates)
    explained = _list_explained(text, found, dates)
    low = plain(text)
    found = tuple(stated for stated in found if stated.line not in anchored and stated.start not in explained)
    around = [sentence_around(low, stated.start, stated.start + len(stated.text)) for stated in found]
    spans = [
        range(stated.start - len(before), stated.start + len(stated.text) + len(behind))
        for stated, (before, behind) in zip(found, around, strict=True)
    ]
    rows = low.split("\n")
    weekdays: dict[str, frozenset[str]] = {}
    general, supposed = list_marks(_GENERAL, low, spans), list_marks(_SUPPOSES, low, spans)
    for stated, (before, behind), span in zip(found, around, spans, strict=True):
        if any_in(general, span) or _is_quoted(text, stated) or _is_label(text, stated):
            continue
        if _is_other_word(stated, before, behind) or _is_weekly(stated, rows[stated.line - 1], weekdays):
            continue
        if _states_date(stated, before, behind, supposed=any_in(supposed, span)):
            yield stated


def _is_weekly(stated: RelativeDate, row: str, known: dict[str, frozenset[str]]) -> bool:
    """Tell whether a bare weekday is beside another one, as in "on a Friday it waits till Monday": every week.

    `known` has the weekdays of rows: a long one may have thousands of dates, and is read once.
    """
    own = _list_weekdays(stated.text) if len(stated.text.split()) <= _BARE else frozenset()
    if not own:
        return False
    if row not in known:
        known[row] = _list_weekdays(row)
    return bool(known[row] - own)


def _list_weekdays(text: str) -> frozenset[str]:
    return frozenset(form for word in tokenise(text) if (form := equal_form(word)).startswith("weekday:"))


def _states_date(stated: RelativeDate, before: str, behind: str, *, supposed: bool) -> bool:
    """Tell "the freeze starts today" from "no endpoint uses it today", by the kind of expression."""
    lead = plain(stated.lead)
    core = plain(stated.text[len(lead) :]).strip()
    possessive = re.match(r"'s\b|[的の]", behind)
    supposed = supposed or bool(_COMPARED.search(before) or _ASKED.match(behind))
    if core in words.TODAY:
        return not possessive and not supposed and (lead in _FROM_TODAY or _happens(before, behind, now=True))
    if core in words.DAYS or core in words.EAST_DAYS:
        # A job that reads yesterday's orders does so every day.
        return not behind.startswith("'s") and not supposed
    if lead in words.ON and core in words.WEEKDAYS:
        habit = _PART_OF_DAY.match(behind) or _HABIT.search(before + behind)
        return not supposed and _happens(before, behind) and not habit
    if _SPAN_OF_TIME.fullmatch(core):
        return _happens(before, behind) and not _DURATION.search(f"{before} \0 {behind}")
    if isinstance(resolve(stated.text, _ANY_DAY), dt.date):
        return not supposed and not _WHICHEVER.search(f"{lead} \0 {behind}")
    # A month is as often a column, a filter or what a function returns.
    alone = not (before.rpartition("\n")[2] + behind.partition("\n")[0]).strip(" \t#*_")
    return not possessive and not supposed and (alone or _happens(before, behind))


def _happens(before: str, behind: str, *, now: bool = False) -> bool:
    """Tell whether a verb beside a date tells of an event; `now` says that the date may mean nowadays."""
    # Only what is near: a verb at the other end of the sentence is about something else.
    near = f"{_CLAUSE.split(before[-60:])[-1]} \0 {_CLAUSE.split(behind[:60])[0]}"
    return bool(_EVENT.search(near)) and not (now and not _EVENT.search(_ONGOING.sub("", near)))


def _is_quoted(text: str, stated: RelativeDate) -> bool:
    end = stated.start + len(stated.text)
    before = text[max(0, stated.start - _QUOTATION) : stated.start].rpartition("\n")[2]
    behind = text[end : end + _QUOTATION].partition("\n")[0]
    if any(before.rfind(pair[0]) > before.rfind(pair[1]) and pair[1] in behind for pair in _QUOTES):
        return True
    if before.count('"') % 2 and '"' in behind:
        return True
    # An apostrophe inside a word is no quotation mark.
    return bool(re.search(r"(?<!\w)'[^'\n]{0,60}$", before[-62:]) and re.match(r"[^'\n]{0,60}'(?!\w)", behind))


def _is_label(text: str, stated: RelativeDate) -> bool:
    """Whether it is a name on a screen: the "This Week" tab."""
    if not re.search(r"\b(?:this|This|next|Next|last|Last) (?:Week|Month|Quarter|Year|Weekend)$", stated.text):
        return False
    return not text.startswith("#", stated.start - stated.column + 1)


def _is_other_word(stated: RelativeDate, before: str, behind: str) -> bool:
    if _EXAMPLE.search(before, max(0, len(before) - 24)):
        return True
    match stated.text:
        case "hier" | "Hier":
            # Here, in German.
            return not _FRENCH.search(before + behind)
        case "Morgen":
            # The morning, unless it begins a sentence.
            return bool(before.strip(" \t\n-*+>#|"))
        case "mañana":
            # The morning again: "por la mañana".
            return bool(re.search(r"\b(?:la|cada|esta|una)\s{1,3}$", before))
        case _:
            return False


def _list_explained(text: str, found: tuple[RelativeDate, ...], dates: tuple[AbsoluteDate, ...]) -> set[int]:
    """Return the starts of expressions with their absolute date beside them."""
    explained = set()
    starts = {date.start for date in dates}
    ends = {date.start + len(date.text) for date in dates}
    for stated in found:
        start, end = stated.start, stated.start + len(stated.text)
        behind = text[end : end + _BESIDE]
        if re.match(r"[ \t]{0,2}\([^()\n]{0,30}[0-9]", text[end : end + 40]) or any(
            end + gap in starts and _JOINT.fullmatch(behind[:gap]) for gap in range(len(behind))
        ):
            explained.add(start)
        before = text[max(0, start - 4) : start]
        if re.search(r"[(=,–—-]", before) and any(start - gap in ends for gap in range(5)):
            explained.add(start)
    return explained


_FROM_TODAY = frozenset(
    {"as of", "since", "from", "starting", "effective", "by", "due", "before", "after"}
    | {"ab", "seit", "depuis", "à partir de", "a partir de", "desde"}
)


_JOINT = LazyPattern(r"[ \t,:;=>→*_(\[–—-]{0,5}(?:(?:i\.e\.|on|the|week of|am|le|el)[ \t]{1,2}){0,2}")
# Talk about dates in general, and things that recur.
_GENERAL = LazyPattern(
    r"\b(?:(?:relative|absolute) (?:date|time|day|expression)|relative[ns]? (?:datum|zeit)|dates? relative"
    r"|fechas? (?:relativ|absolut))|相对(?:日期|时间)|绝对日期|相対|絶対"
    r"|\b(?:every|each|weekly|monthly|daily|nightly|quarterly|yearly|recurring|whenever"
    r"|per (?:day|week|month|sprint)"
    r"|jede[mnrs]?|wöchentlich|monatlich|täglich|chaque|tous les|toutes les|hebdomadaire|mensuel"
    r"|cada|todos los|todas las|semanal|semanalmente|mensual)\b|[每毎]"
)
_EXAMPLE = LazyPattern(
    r"(?:\b(?:e\.g\.|like|such as|words?|phrases?|say|z\. ?b\.|wie|par exemple|comme|como|por ejemplo)"
    r"|比如|例如|例えば)[ \t:,(\"'„“]{0,4}$"
)
_HABIT = LazyPattern(
    r"\b(?:opens?|closed?|closes|always|never|only|no|don't|do not|avoid|immer|nie|nur|kein|keine|nicht)\b"
)
# Words that make a weekday recur: on Monday mornings.
_PART_OF_DAY = LazyPattern(r"[ -]{1,2}(?:mornings|afternoons|evenings|nights)\b")
# Words that make a sentence apply to any day.
_SUPPOSES = LazyPattern(
    r"\b(?:if|when|unless|usually|often|typically|normally|almost always|defaults? to|may|might|could|wenn|falls"
    r"|meistens|si|quand|d'habitude|cuando|suele|normalmente)\b|如果|通常|場合|たいてい"
)
# A comparison, or a question: "expected_date < today", "**Who starts today?**".
_COMPARED = LazyPattern(r"[<>=]\s*$")
_ASKED = LazyPattern(r"[^.!?\n]{0,80}[?？]")
# Where another statement begins: "resolvers that agree today are a pair that will diverge".
_CLAUSE = LazyPattern(r"[,;|→]|\b(?:that|which|who|because|but|so|and|while|where)\b")
# What something does now as on any day: "both ship today".
_ONGOING = LazyPattern(
    r"\b(?:will|'ll|going to|gets?|opens?|closes?|launch(?:es)?|ships?|leaves?|earlier|later|\w{2,20}[aei]mos)\b"
)
# "within 30 days after the end of the quarter in which"
_WHICHEVER = LazyPattern(r"^(?:after|nach|après|después)\b|\0 (?:in which|of|des|du|del)\b")
_SPAN_OF_TIME = LazyPattern(
    lambda: (
        rf"(?:{words.either((*words.IN, *words.AGO_BEFORE))}) .*"
        rf"|.*(?:{words.either((*words.AGO, *words.FROM_NOW))})|.*[后後前]"
    ),
    re.DOTALL,
)
# Words that make "in 30 days" a duration, not a date.
_DURATION = LazyPattern(
    r"\b(?:expir\w{0,6}|rotat\w{0,4}|takes?|took|lasts?|within|after|older|ttl|retention|tokens?|cookies?|cache\w?"
    r"|if|when|once|läuft|dauert|nach|wenn|dure|prend|après|si|dura|tarda|después|caduca\w?)\b"
    r"|\0 (?:of|after|from|following|per|de|von|d')\b|\0 [的の]|过期|失效|自动|超过|保留|期限切れ|自動|失効"
)
# Verbs of things that happen once, with the place of the expression marked by a NUL.
_EVENT = LazyPattern(
    # Not "is created today by …", which describes how things are.
    r"\b(?=[a-z])(?<!\bis )(?<!\bare )(?<!\bbe )(?<!\bnever )(?<!\bnot )"
    r"(?:ran|shipped|merged|released|deployed|fixed|decided|switched|moved|started|launched|happened|met|announced"
    r"|landed|failed|broke|agreed|dropped|discovered|found|added|removed|changed|confirmed|learned|asked|said|told"
    r"|reported|closed|opened|finished|completed|upgraded|migrated|renamed|went|got|made|began|published|rolled"
    r"|reverted|cut|offered|in progress)\b"
    r"|\b(?:will|'ll|going to|gets?|starts?|begins?|ends?|opens?|closes?|launch(?:es)?|ships?|goes? live"
    r"|deadline|due|freeze|scheduled|planned|retires?|sunsets?|leaves?|check back|revisit|follow up"
    r"|cutover|earlier|later)\b"
    r"|\0 (?:or tomorrow|at [0-9])"
    r"|\b(?:wurden?|haben wir|hat|beginnt|endet|startet|wird|werden|geplant|umgestellt|beschlossen"
    r"|fällig|abgeschaltet)\b"
    r"|\b(?:nous avons|ont|commence|termine|sera|seront|prévue?|décidé|à partir d)\b"
    r"|\b\w{2,20}[aei]mos\b|\b(?:hemos|han|empieza|comienza|termina|será|serán|vence|cerramos|lanzamos|decidimos|cambiamos)\b"
    r"|从 \0|自 \0|\0 起|了|完成|修复|迁移|发布|决定|开始|上线|下线|停用|关闭|截止|结束"
    r"|\0 から|した|ました|決定|開始|終了|公開|リリース|停止|予定"
)
_FRENCH = LazyPattern(r"\b(?:le|la|les|nous|on|été|du|des|une|avons|ont|avec|pour)\b")
