"""Finds past deadlines of things that are still stated as true."""

import datetime as dt
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from memci.patterns import LazyPattern
from memci.prose.dates.find import AbsoluteDate, find_dates
from memci.prose.dates.surroundings import any_in, list_anchored_lines, list_marks
from memci.prose.fold import plain
from memci.prose.markdown import mask_code
from memci.prose.sentences import sentence_around

# How much of the line after the sentence is searched for a remark that it is over.
_REMARK = 60
# How far before the date the limiting word may be: "deadline for the quarterly export to the customer is".
_NEAR = 80


@dataclass(frozen=True, slots=True)
class _Limit:
    date: AbsoluteDate
    # The part of the sentence whose tense counts, and the whole sentence with the remark after it.
    told: range
    sentence: range


def find_expired(markdown: str, today: dt.date) -> Iterator[AbsoluteDate]:
    """Find the dates before `today` that limit something which is still stated as true."""
    masked = mask_code(markdown)
    dates = find_dates(masked)
    if all(date.date >= today for date in dates):
        return
    text = plain(masked)
    logged = list_anchored_lines(text, tuple(date for date in dates if _opens_entry(text, date)))
    range_ends = _list_range_ends(text, dates)
    past = [date for date in dates if date.date < today and date.line not in logged]
    found = [_match_limit(text, date, in_range=date.start in range_ends) for date in past]
    limits = [limit for limit in found if limit]
    sentences = [limit.sentence for limit in limits]
    over, history = list_marks(_OVER, text, sentences), list_marks(_HISTORY, text, sentences)
    for limit in limits:
        if not any_in(over, limit.sentence) and not any_in(history, limit.told) and not _is_struck(text, limit.date):
            yield limit.date


def is_limited_before(text: str, today: dt.date) -> bool:
    """Tell whether a sentence says until when something holds, in whatever tense, and all its dates are over."""
    masked = plain(mask_code(text))
    dates = find_dates(masked)
    over = bool(dates) and all(date.date < today for date in dates)
    return over and any(_match_limit(masked, date, in_range=False) for date in dates)


def _opens_entry(text: str, date: AbsoluteDate) -> bool:
    """Whether the line begins with the date, or with a version and the date, as entries of logs and changelogs do."""
    if date.column > _REMARK or not _ENTRY.fullmatch(text, date.start - date.column + 1, date.start):
        return False
    # Unless the date is a limit itself, with its word on the line above or after it.
    return _match_limit(text, date, in_range=False) is None


def _match_limit(text: str, date: AbsoluteDate, *, in_range: bool) -> _Limit | None:
    end = date.start + len(date.text)
    before, behind = sentence_around(text, date.start, end)
    start = date.start - len(before)
    remark = text[end : end + _REMARK].partition("\n")[0]
    sentence = range(start, end + max(len(behind), len(remark)))
    if in_range:
        # "2026-03-01 through 2026-03-05" is mostly when something happened.
        return _Limit(date, range(start, date.start), sentence) if _WINDOW.search(before) else None
    word = _match_limiting_word(before)
    if word is None:
        # Chinese and Japanese put it after the date, and the verb last.
        return _Limit(date, sentence, sentence) if _UNTIL_BEHIND.match(behind) else None
    # "Until DATE we used …": then the tense is after the date.
    told = range(start, start + word) if before[:word].strip(" \t\n-*+>#|:") else sentence
    return _Limit(date, told, sentence)


def _match_limiting_word(before: str) -> int | None:
    near = max(0, len(before) - _NEAR)
    if found := _UNTIL.search(before, near) or _DEADLINE_IS.search(before, near):
        return found.start()
    weak = _BY.search(before, near)
    if weak and _OBLIGATION.search(before, 0, weak.start()) and not _PARTICIPLE.search(before, 0, weak.start()):
        return weak.start()
    return None


def _is_struck(text: str, date: AbsoluteDate) -> bool:
    return text.count("~~", max(date.start - date.column + 1, date.start - 4 * _REMARK), date.start) % 2 == 1


def _list_range_ends(text: str, dates: tuple[AbsoluteDate, ...]) -> set[int]:
    ends = set()
    for first, second in itertools.pairwise(dates):
        between = text[first.start + len(first.text) : second.start]
        if len(between) <= 12 and re.fullmatch(
            r"\W*(?:to|until|till|through|thru|bis|au|à|al|a|hasta|至|到|から)?\W*", between
        ):
            ends.add(second.start)
    return ends


# What may be between the limiting word and its date: punctuation, and a few short words.
_FILL = (
    r"[\s:：*_(（\[“\"'=~–—-]{0,6}"
    r"(?:(?:at least|the|on|at|by|around|is|are|now|end of|date|set (?:for|to)|(?:moved|extended|postponed) to"
    r"|ist|am|zum|den|dem|auf|est|le|au|es|el|del|[a-z]{3,6}day,?)[\s:*_(]{1,4}){0,4}$"
)


_ENTRY = LazyPattern(r"[\s*+>#|(\[_-]*(?:v?[0-9]{1,5}\.[0-9.]{1,20}\]?[\s(\[–—-]{1,6})?")
_UNTIL = LazyPattern(
    r"(?:(?<![\w-])(?:until|till|through|thru|no later than|not after|valid to|expires?|expiring|expiry|expiration"
    r"|deadline|due|ends|end date|ending|eta|target date"
    r"|bis|fällig|endet|spätestens|frist"
    r"|jusqu'(?:au?|à)|échéance|date limite|expire|se termine|au plus tard"
    r"|hasta|vence|fecha límite|plazo|caduca|termina|a más tardar)\b"
    r"|截止(?:日期|时间|到|至)?|直到|有效期[至到]|最晚|到期日?|期限|締切|締め切り)" + _FILL
)
# "deadline for the exporter is": a noun, a few words, and a link to the date.
_DEADLINE_IS = LazyPattern(
    r"\b(?:deadline|due date|frist|échéance|date limite|fecha límite|plazo)\b[^\0]{0,60}"
    r"(?:\b(?:is|on|to|ist|am|auf|est|le|es|el)|[:=(–—→])[\s*_(]{0,4}$"
)
_BY = LazyPattern(r"\b(?:by|before|vor|avant|d'ici|antes)\b" + _FILL)
# The limiting words that Chinese and Japanese put after the date.
_UNTIL_BEHIND = LazyPattern(
    r"\s?(?:まで(?!の)|为止|到期|截止|(?:之前|以前|前)(?!的)[^\0]{0,12}(?:完成|必须|需|要|提交|上线|发布|冻结|禁止|不得|迁移))"
)
_OBLIGATION = LazyPattern(
    r"\b(?:must|should|shall|needs?|needed|has to|have to|will|to be|required?|please|todo|planned|expected"
    r"|scheduled|wanted|target|review|renew|rotate|migrate|remove|delete|ship|deliver|finish|complete|upgrade|submit"
    r"|release|launch|switch|replace|decide|merge"
    r"|muss|müssen|soll|sollen|doit|doivent|faut|debe|deben|hay que|tiene que|tenemos que)\b"
)
# "rows created" in front of "before": a filter, not a limit.
_PARTICIPLE = LazyPattern(
    r"(?<!\bbe )(?<!\bbeen )\b(?!needed|required|expected|wanted|planned|scheduled)[a-z]{2,20}ed\s{0,3}$"
)
_WINDOW = LazyPattern(
    r"\b(?:freeze|frozen|moratorium|blackout|maintenance|vacation|leave|out of office|ooo|pto|holidays?|closed"
    r"|sperre|urlaub|gel|congés?|vacaciones|congelación)\b|冻结|封网|休假|凍結|休暇|フリーズ"
)
_OVER = LazyPattern(
    # "must be done by" is not over, and neither is "closed until".
    r"\b(?=[a-z])(?<!\bbe )(?<!\bget )(?<!\bnot )(?<!\byet )(?<!n't )"
    # "Done by hand until" tells how.
    r"(?:done(?! (?:by|with|via)\b)|ended|finished|completed|resolved|shipped"
    r"|delivered|lifted|expired|passed|cancell?ed|superseded|obsolete|no longer|merged|missed|historical|abandoned"
    r"|outdated)\b"
    r"|\b(?:is|are|it's|now) over\b|\bclosed\b(?! until)|[✅☑✔]|\[x\]"
    r"|\b(?:beendet|erledigt|abgeschlossen|abgelaufen|vorbei|aufgehoben|terminée?|finie?|expirée?|levée?|résolue?"
    r"|terminó|terminado|hecho|venció|vencido|resuelto|completado)\b"
    r"|已(?:经)?(?:结束|完成|过期|解除|解决|上线|发布)|結束|終了|完了|済み|解除"
)


def _history() -> str:
    told = "agreed|decided|extended|scheduled|announced|promised|confirmed|asked|needed|planned|moved|postponed|wanted"
    return (
        r"\b(?=\w)(?<!\bis )(?<!\bare )(?<!\bbe )"
        r"(?:was|were|had|used|lasted|ran|stayed|kept|remained|did|formerly|previously"
        r"|originally|historically|war|waren|wurden?|hatten?|früher|damals|lief|galt|\w{3,12}ten wir"
        r"|était|étaient|avait|avions|utilisait|utilisions|fue|fueron|era|eran|estaba|usaba|usábamos|usamos|tenía|teníamos)\b"
        rf"|\b(?:we|they|i|he|she|it|team) (?:[a-z]{{2,12}} )?(?!{told})[a-z]{{2,20}}ed\b"
        r"|以前は|曾经?|当时|原来|かつて|当時|ていた|ました|使った"
    )


_HISTORY = LazyPattern(_history)
