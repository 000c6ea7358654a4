"""The words and forms of relative dates in English, German, French, Spanish, Chinese and Japanese.

The western tables merge all languages: "next Woche" does no harm, and one grammar parses them all.
Everything is lower case.
"""

import enum
import functools
import re
from collections.abc import Iterable

from memci.patterns import LazyPattern

# Offsets in days.
DAYS = {
    "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0,
    "tomorrow": 1, "yesterday": -1, "last night": -1, "day after tomorrow": 2, "day before yesterday": -2,
    "heute": 0, "heute morgen": 0, "heute abend": 0, "morgen": 1, "übermorgen": 2, "gestern": -1, "vorgestern": -2,
    "aujourd'hui": 0, "ce soir": 0, "ce matin": 0, "demain": 1, "après-demain": 2, "hier": -1, "avant-hier": -2,
    "hoy": 0, "esta noche": 0, "mañana": 1, "pasado mañana": 2, "ayer": -1, "anoche": -1, "anteayer": -2, "antier": -2,
}  # fmt: skip
EAST_DAYS = {
    "今天": 0, "今晚": 0, "今早": 0, "今日": 0, "本日": 0, "今夜": 0, "今朝": 0, "明天": 1, "明早": 1, "明晚": 1,
    "明日": 1, "明朝": 1, "后天": 2, "後天": 2, "明後日": 2, "昨天": -1, "昨晚": -1, "昨日": -1, "昨夜": -1,
    "前天": -2, "一昨日": -2,
}  # fmt: skip
# The words that often only mean "nowadays".
TODAY = frozenset({"today", "heute", "aujourd'hui", "hoy", "今天", "今日", "本日"})

# How far a word in front of a unit, a weekday or a month moves. "the last week of …" is not a date.
STEPS = {
    "this": 0, "this coming": 0, "next": 1, "last": -1, "this past": -1,
    **dict.fromkeys(("diese", "dieser", "diesen", "diesem", "dieses"), 0),
    **dict.fromkeys(("nächste", "nächster", "nächsten", "nächstem", "nächstes"), 1),
    **dict.fromkeys(("kommende", "kommender", "kommenden", "kommendem", "kommendes"), 1),
    **dict.fromkeys(("letzte", "letzter", "letzten", "letztem", "letztes"), -1),
    **dict.fromkeys(("vorige", "voriger", "vorigen", "vorigem", "voriges", "vergangene", "vergangenen"), -1),
    "cette": 0, "ce": 0, "este": 0, "esta": 0, "próximo": 1, "próxima": 1, "proximo": 1, "proxima": 1,
}  # fmt: skip
# The same after it: "semaine prochaine", "mes que viene".
STEPS_BEHIND = {
    "prochain": 1, "prochaine": 1, "dernier": -1, "dernière": -1, "passé": -1, "passée": -1,
    "próximo": 1, "próxima": 1, "que viene": 1, "pasado": -1, "pasada": -1,
}  # fmt: skip

UNITS = {
    **dict.fromkeys(("week", "woche", "semaine", "semana"), "week"),
    **dict.fromkeys(("month", "monat", "monats", "mois", "mes"), "month"),
    **dict.fromkeys(("quarter", "quartal", "quartals", "trimestre"), "quarter"),
    **dict.fromkeys(("year", "jahr", "jahres", "année", "l'an", "año"), "year"),
    **dict.fromkeys(("weekend", "wochenende", "week-end"), "weekend"),
    # Nobody outside the team knows when a sprint begins.
    "sprint": "sprint",
}  # fmt: skip
COUNTED = {
    **dict.fromkeys(("day", "days", "tag", "tage", "tagen", "jour", "jours", "día", "días", "dia", "dias"), "day"),
    **dict.fromkeys(("week", "weeks", "woche", "wochen", "semaine", "semaines", "semana", "semanas"), "week"),
    **dict.fromkeys(("month", "months", "monat", "monate", "monaten", "mois", "mes", "meses"), "month"),
    **dict.fromkeys(
        ("year", "years", "jahr", "jahre", "jahren", "an", "ans", "année", "années", "año", "años"), "year"
    ),
}
NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "twelve": 12, "einem": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5,
    "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4,
    "cinq": 5, "sept": 7, "huit": 8, "neuf": 9, "dix": 10, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5,
    "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10,
    # Vague on purpose: these are found, and never resolved.
    **dict.fromkeys(("a few", "a couple of", "some", "several", "ein paar", "einigen", "quelques", "unos", "unas"), 0),
}  # fmt: skip
EAST_NUMBERS = {
    "一": 1, "二": 2, "两": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
    "几": 0, "幾": 0, "数": 0,
}  # fmt: skip

_WEEKDAYS = (
    "monday mon montag lundi lunes",
    "tuesday tues tue dienstag mardi martes",
    "wednesday wed mittwoch mercredi miércoles miercoles",
    "thursday thurs thur thu donnerstag jeudi jueves",
    "friday fri freitag vendredi viernes",
    # "sat" and "sun" are words of their own.
    "saturday samstag sonnabend samedi sábado sabado",
    "sunday sonntag dimanche domingo",
)
WEEKDAYS = {word: number for number, words in enumerate(_WEEKDAYS) for word in words.split()}
EAST_WEEKDAYS = {
    "一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6,
    "月": 0, "火": 1, "水": 2, "木": 3, "金": 4, "土": 5,
}  # fmt: skip

_MONTHS = (
    "january januar janvier enero",
    "february februar février fevrier febrero",
    "march märz maerz mars marzo",
    "april avril abril",
    "may mai mayo",
    "june juni juin junio",
    "july juli juillet julio",
    "august août aout agosto",
    "september septembre septiembre setiembre",
    "october oktober octobre octubre",
    "november novembre noviembre",
    "december dezember décembre decembre diciembre",
)
MONTHS = {word: number for number, words in enumerate(_MONTHS, 1) for word in words.split()}
# English month names that are also verbs: they count with a capital only.
VERBS_TOO = frozenset({"may", "march"})
_SHORT = "jan feb mar apr jun jul aug sep sept oct nov dec okt dez janv févr avr juil déc ene abr ago dic"
SHORT_MONTHS = dict(
    zip(_SHORT.split(), (1, 2, 3, 4, 6, 7, 8, 9, 9, 10, 11, 12, 10, 12, 1, 2, 4, 7, 12, 1, 4, 8, 12), strict=True)
)

# Words that bind a weekday or the end of something. -1: it looks back ("since Monday"), else forward.
LEADS = {
    **dict.fromkeys(("by", "until", "till", "before", "on", "through", "due", "due on", "due by", "from", "after"), 0),
    **dict.fromkeys(("starting", "starting on", "no later than", "effective", "as of"), 0),
    "since": -1,
    **dict.fromkeys(("bis", "bis zum", "bis spätestens", "spätestens", "am", "vor", "ab", "zum", "fällig am"), 0),
    "seit": -1,
    **dict.fromkeys(("avant", "d'ici", "d'ici à", "jusqu'à", "jusqu'au", "pour", "à partir de"), 0),
    "depuis": -1,
    **dict.fromkeys(("antes del", "antes de", "hasta el", "hasta", "para el", "a partir del", "a partir de"), 0),
    "desde el": -1, "desde": -1,
}  # fmt: skip
# Leads that mean "on that day" and set no limit; "on Monday" is as often a habit as a date.
ON = frozenset({"on", "am"})
ARTICLES = ("the", "der", "die", "das", "dem", "den", "le", "la", "el")

IN = ("in", "dans", "en", "dentro de", "d'ici")
AGO_BEFORE = ("vor", "il y a", "hace")
FROM_NOW = ("from now", "from today")
AGO = ("ago",)
END_OF = (
    "end of the", "end of", "ende der", "ende des", "ende", "fin de la", "fin du", "fin de", "fin d'", "finales de",
    "fin del", "final de", "final del",
)  # fmt: skip
SHORT_ENDS = {"eod": "day", "eow": "week", "eom": "month", "eoq": "quarter", "eoy": "year"}

EAST_STEPS = {
    "本": 0, "这": 0, "這": 0, "这个": 0, "這個": 0, "今": 0, "下": 1, "下个": 1, "下個": 1, "来": 1, "來": 1, "翌": 1,
    "下下": 2, "下下个": 2, "再来": 2, "上": -1, "上个": -1, "上個": -1, "先": -1, "上上": -2, "上上个": -2, "先々": -2,
}  # fmt: skip
EAST_YEARS = {"今年": 0, "本年": 0, "明年": 1, "来年": 1, "后年": 2, "去年": -1, "昨年": -1, "前年": -2}
# The unit of a stepped expression; all others are quarters.
EAST_PERIODS = {"周": "week", "週": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}
EAST_UNITS = {
    "天": "day", "日": "day", "周": "week", "週": "week", "週間": "week", "星期": "week", "个星期": "week",
    "礼拜": "week", "个月": "month", "個月": "month", "か月": "month", "ヶ月": "month", "カ月": "month",
    "ヵ月": "month", "年": "year",
}  # fmt: skip


# A blank, or a line break inside a paragraph.
GAP = r"(?:[ \t\u00a0]{1,3}|[ \t]?\r?\n[ \t]{0,8})"


class DateForm(enum.Enum):
    """What the groups of a pattern mean: a day word, a number of units, or a step to a unit, weekday or month."""

    WORD = enum.auto()
    COUNT = enum.auto()
    STEP = enum.auto()


def either(table: Iterable[str]) -> str:
    """Return a pattern that matches any of these words, the longest first."""
    longest_first = sorted(table, key=lambda word: (-len(word), word))
    return "|".join(re.escape(word).replace(r"\ ", GAP) for word in longest_first)


@functools.cache
def free_forms() -> tuple[tuple[str, DateForm], ...]:
    """Return the western forms that need no lead."""
    step, behind, unit = either(STEPS), either(STEPS_BEHIND), either(UNITS)
    thing = rf"(?:(?P<unit>{unit})|(?P<weekday>{either(WEEKDAYS)})|(?P<month>{either(MONTHS)}))"
    counted = rf"(?P<count>[0-9]{{1,3}}|{either(NUMBERS)}){GAP}(?P<counted>{either(COUNTED)})"
    ends = rf"(?P<end>{either(END_OF)}){GAP}?"
    return (
        (rf"(?P<word>{either(DAYS)})", DateForm.WORD),
        # "the last week" is more often a stretch of time than the week before this one.
        (rf"(?<!the )(?P<step>{step}){GAP}{thing}(?! of\b)", DateForm.STEP),
        (rf"{thing}{GAP}(?P<step>{behind})", DateForm.STEP),
        (rf"(?P<sign>{either(IN)}){GAP}{counted}", DateForm.COUNT),
        (rf"{counted}{GAP}(?P<sign>{either((*AGO, *FROM_NOW))})", DateForm.COUNT),
        (rf"(?P<sign>{either(AGO_BEFORE)}){GAP}{counted}", DateForm.COUNT),
        (rf"{ends}(?P<step>{step}){GAP}(?P<unit>{unit})", DateForm.STEP),
        (rf"{ends}(?P<unit>{unit}){GAP}(?P<step>{behind})", DateForm.STEP),
    )


@functools.cache
def bound_forms() -> tuple[tuple[str, DateForm], ...]:
    """Return the western forms that are dates only after a lead: "Friday", "end of the month"."""
    return (
        (rf"(?P<weekday>{either(WEEKDAYS)})", DateForm.STEP),
        (rf"(?P<end>{either(END_OF)}){GAP}?(?:(?P<unit>{either(UNITS)})|(?P<day>day))", DateForm.STEP),
        (rf"(?P<short>{either(SHORT_ENDS)})", DateForm.STEP),
    )


@functools.cache
def east_forms() -> tuple[tuple[str, DateForm], ...]:
    """Return the Chinese and Japanese forms; look-arounds separate whole words from parts of words."""
    step, edge = f"(?P<step>{either(EAST_STEPS)})", "(?P<end>[底末])?"
    weekday = "(?:の?(?P<weekday>[一二三四五六日天月火水木金土])(?:曜日?)?(?![志程内定]))?"
    count = f"(?P<count>[0-9]{{1,3}}|[{''.join(EAST_NUMBERS)}])"
    return (
        (f"(?<![提之以最先])(?P<word>{either(EAST_DAYS)})", DateForm.WORD),
        (f"(?<![以每毎基]){step}(?P<unit>周|週|星期|礼拜){weekday}{edge}(?![期围圍边邊转轉长活])", DateForm.STEP),
        (f"(?<![以每毎日]){step}(?P<unit>月|季度|四半期){edge}(?![活经光亮])", DateForm.STEP),
        (f"(?<![以之目])(?P<year>{either(EAST_YEARS)})(?P<end>年?底|末)?", DateForm.STEP),
        (f"{count} ?(?P<counted>{either(EAST_UNITS)})(?:之|以)?(?P<sign>[后後前])", DateForm.COUNT),
        (r"(?<![每毎])(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])(?=之?前|以前|截止|为止)", DateForm.STEP),
        (r"(?<![毎週])(?P<weekday>[月火水木金土日])曜日?(?=まで|から|に)", DateForm.STEP),
        (r"(?<![每毎个個今来本下上先0-9])(?P<unit>月|年|季度)(?P<end>[底末])(?=之?前|以前|まで)", DateForm.STEP),
    )


def _absolute() -> str:
    """Return the pattern of absolute dates; the groups y, m and d carry the number of their form."""
    month = rf"(?:{either([*MONTHS, *SHORT_MONTHS])})\.?"
    clock = r"(?:t[0-9]{2}:[0-9]{2}[0-9:.,]{0,16}(?:z|[+-][0-9]{2}:?[0-9]{2})?)?"
    day = r"(?P<d5>[0-9]{1,2})(?:st|nd|rd|th|er|\.)?"
    forms = (
        rf"(?P<y1>[0-9]{{4}})-(?P<m1>[0-9]{{2}})-(?P<d1>[0-9]{{2}}){clock}",
        r"(?P<y2>[0-9]{4})/(?P<m2>[0-9]{1,2})/(?P<d2>[0-9]{1,2})",
        r"(?P<d3>[0-9]{1,2})\.(?P<m3>[0-9]{1,2})\.(?P<y3>[0-9]{4})",
        r"(?P<y4>[0-9]{4}) ?年 ?(?P<m4>[0-9]{1,2}) ?月 ?(?P<d4>[0-9]{1,2}) ?[日号號]",
        rf"{day}{GAP}(?:(?:de|of){GAP})?(?P<m5>{month}),?{GAP}(?:del?{GAP})?(?P<y5>[0-9]{{4}})",
        rf"(?P<m6>{month}){GAP}(?P<d6>[0-9]{{1,2}})(?:st|nd|rd|th)?,?{GAP}(?P<y6>[0-9]{{4}})",
    )
    # Digits and Latin letters only: Chinese and Japanese write dates without blanks around them.
    apart, done = r"(?=\w)(?<![A-Za-z0-9_./\\-])", r"(?![A-Za-z0-9_/\\-]|\.[A-Za-z0-9])"
    return f"{apart}(?:{'|'.join(forms)}){done}"


ABSOLUTE = LazyPattern(_absolute)
