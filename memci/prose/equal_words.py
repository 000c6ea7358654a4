"""Words that mean the same in every language and are exact in each: weekdays, months, numbers, names of languages."""

import functools
import unicodedata

from memci.patterns import LazyPattern
from memci.prose.fold import word_set

# One line per weekday from Monday, one per month from January; English, German, French, Spanish, Portuguese, Italian,
# Dutch, Norwegian and Danish, Swedish, Polish, Russian; then Japanese, Korean and Chinese. Accents are dropped.
_WEEKDAYS = (
    "monday montag lundi lunes segunda lunedi maandag mandag måndag poniedziałek понедельник 月曜 월요일 周一 星期一",
    "tuesday dienstag mardi martes terça martedi dinsdag tirsdag tisdag wtorek вторник 火曜 화요일 周二 星期二",
    "wednesday mittwoch mercredi miercoles quarta mercoledi woensdag onsdag środa среда среду 水曜 수요일 周三 星期三",
    "thursday donnerstag jeudi jueves quinta giovedi donderdag torsdag czwartek четверг 木曜 목요일 周四 星期四",
    "friday freitag vendredi viernes sexta venerdi vrijdag fredag piątek пятница пятницу 金曜 금요일 周五 星期五",
    "saturday samstag sonnabend samedi sabado sabato zaterdag lørdag lördag sobota суббота 土曜 토요일 周六 星期六",
    "sunday sonntag dimanche domingo domenica zondag søndag söndag niedziela воскресенье 日曜 일요일 周日 星期日",
)
# Further forms of weekdays, from Monday, in languages that inflect them.
_INFLECTED = (
    "poniedziałki понедельники", "wtorki", "środę środy", "czwartki", "piątki", "sobotę soboty субботу",
    "niedzielę niedziele",
)  # fmt: skip
_MONTHS = (
    "january januar janvier enero janeiro gennaio januari styczeń stycznia январь января",
    "february februar fevrier febrero fevereiro febbraio februari luty lutego февраль февраля",
    "march märz mars marzo março maart marts marzec marca март марта",
    "april avril abril aprile kwiecień kwietnia апрель апреля",
    "may mai mayo maio maggio mei maj maja май мая",
    "june juni juin junio junho giugno czerwiec czerwca июнь июня",
    "july juli juillet julio julho luglio lipiec lipca июль июля",
    "august août agosto augustus augusti sierpień sierpnia август августа",
    "september septembre septiembre setembro settembre wrzesień września сентябрь сентября",
    "october oktober octobre octubre outubro ottobre październik października октябрь октября",
    "november novembre noviembre novembro listopad listopada ноябрь ноября",
    "december dezember decembre diciembre dezembro dicembre desember grudzień grudnia декабрь декабря",
)
_LANGUAGES = (
    "english englisch anglais ingles inglese engels engelsk engelska angielsku английском 英語 영어 英文 英语",
    "german deutsch allemand aleman alemão tedesco duits tysk tyska niemiecku немецком ドイツ語 독일어 德语",
    "french französisch français francés francese frans fransk franska francusku французском フランス語 프랑스어 法语",
    "spanish spanisch espagnol español espanhol spagnolo spaans spansk spanska hiszpańsku испанском スペイン語",
    "japanese japanisch japonais japonés japonês giapponese japans japansk japanska japońsku 日本語 일본어 日语",
    "chinese chinesisch chinois chino chinês cinese chinees kinesisk kinesiska chińsku китайском 中国語 중국어 中文",
    "norwegian norwegisch norvégien noruego norueguês norvegese noors norsk norska norwesku норвежском ノルウェー語",
    "polish polnisch polonais polaco polonês polacco pools polsk polska polsku польском ポーランド語 波兰语",
    "portuguese portugiesisch portugais portugués português portoghese portugees portugisisk 葡萄牙语 ポルトガル語",
    "russian russisch russe ruso russo rusland russisk ryska rosyjsku русском ロシア語 러시아어 俄语",
    "korean koreanisch coréen coreano koreaans koreansk koreanska koreańsku корейском 韓国語 한국어 韩语",
)
_NUMBERS = {
    0: "zero null cero", 1: "one eins un uno en ett jeden 一",
    2: "two twice zwei deux dos dois due twee to två dwa 二 两",
    3: "three thrice drei trois tres três tre drie trzy 三", 4: "four vier quatre cuatro quatro fire fyra cztery 四",
    5: "five fünf cinq cinco cinque vijf fem pięć 五", 6: "six sechs seis sei zes seks sex sześć 六",
    7: "seven sieben sept siete sete sette zeven sju syv siedem 七", 8: "eight acht huit ocho oito otto åtte osiem 八",
    9: "nine neun neuf nueve nove negen ni nio dziewięć 九", 10: "ten zehn dix diez dez dieci tien ti tio dziesięć 十",
    11: "eleven elf onze once", 12: "twelve dozen zwölf douze doce doze dodici twaalf tolv dwanaście",
    13: "thirteen dreizehn treize trece treze tredici dertien tretten tretton trzynaście",
    14: "fourteen vierzehn quatorze catorce catorze quattordici veertien fjorten fjorton czternaście",
    15: "fifteen fünfzehn quinze quince quindici vijftien femten femton piętnaście",
    16: "sixteen sechzehn seize dieciséis dezesseis sedici zestien seksten sexton szesnaście",
    17: "seventeen siebzehn diecisiete dezessete diciassette zeventien sytten sjutton siedemnaście",
    18: "eighteen achtzehn dieciocho dezoito diciotto achttien atten arton osiemnaście",
    19: "nineteen neunzehn diecinueve dezenove diciannove negentien nitten nitton dziewiętnaście",
    20: "twenty zwanzig vingt veinte vinte venti twintig tjue tjugo dwadzieścia 二十",
    30: "thirty dreißig trente treinta trinta trenta dertig tretti trettio trzydzieści 三十",
    40: "forty vierzig quarante cuarenta quarenta quaranta veertig førti fyrtio czterdzieści 四十",
    50: "fifty fünfzig cinquante cincuenta cinquenta cinquanta vijftig femti femtio pięćdziesiąt 五十",
    60: "sixty sechzig soixante sesenta sessenta sessanta zestig seksti sextio sześćdziesiąt 六十",
    70: "seventy siebzig setenta settanta zeventig sytti sjuttio siedemdziesiąt 七十",
    80: "eighty achtzig ochenta oitenta ottanta tachtig åtti åttio osiemdziesiąt 八十",
    90: "ninety neunzig noventa novanta negentig nitti nittio dziewięćdziesiąt 九十",
    100: "hundred hundert cent cien cem cento honderd hundre hundra sto 百",
    1000: "thousand tausend mille mil duizend tusen tysiąc 千",
}  # fmt: skip
# Number words that are often something else: they stand for a number in evidence, and are none in a statement.
_LOOSE = word_set(
    "one un uno en ett to due ti ni sex sei six mil cent once acht elf fire dix null fem sept cem cento sto atten "
    "quince venti"
)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
# The longest ending of a plural or a case: "tirsdagene", "freitags".
_ENDING = 3
_LEAST = 4
# Months that are also verbs or prepositions count with a capital only.
_VERBS_TOO = frozenset(("may", "march", "mars", "mai", "mei", "maj"))
# 4h30 is 4:30.
_CLOCK = LazyPattern(r"(\d{1,2})[hH](\d\d)")
_NUMBER = LazyPattern(r"(\d[\d.,:]*)(?:st|nd|rd|th|er|e|h|k|%)?")


def unaccent(word: str) -> str:
    """Return a word in lower case without accents, as file names and hurried people spell it."""
    letters = unicodedata.normalize("NFKD", word.casefold().replace("ß", "ss"))
    return (
        "".join(letter for letter in letters if not unicodedata.combining(letter)).replace("ø", "o").replace("ł", "l")
    )


@functools.cache
def _named() -> dict[str, str]:
    tables = (("weekday", 0, _WEEKDAYS), ("weekday", 0, _INFLECTED), ("month", 1, _MONTHS), ("language", 0, _LANGUAGES))
    return {
        unaccent(word): f"{kind}:{number}"
        for kind, first, rows in tables
        for number, row in enumerate(rows, first)
        for word in row.split()
    }


@functools.cache
def _counted() -> dict[str, int]:
    return {unaccent(word): number for number, words in _NUMBERS.items() for word in words.split()} | _ORDINALS


@functools.lru_cache(maxsize=16_384)
def equal_form(word: str, *, loose: bool = False) -> str:
    """Return the form that a weekday, month, language or number has in common with its translations; "" for others.

    `loose` also reads words that only sometimes mean a number or a month, as evidence may.
    """
    if clock := _CLOCK.fullmatch(word):
        word = f"{clock[1]}:{clock[2]}"
    if number := _NUMBER.fullmatch(word.casefold()):
        return f"number:{_plain_number(number[1])}"
    plain = unaccent(word)
    if plain in _counted() and (loose or (plain not in _LOOSE and plain not in _ORDINALS)):
        return f"number:{_counted()[plain]}"
    if not loose and plain in _VERBS_TOO and not word[0].isupper():
        return ""
    for length in range(len(plain), max(len(plain) - _ENDING, _LEAST) - 1, -1) or (len(plain),):
        if found := _named().get(plain[:length]):
            return found
    return _named().get(plain, "")


def _plain_number(text: str) -> str:
    """Return a number without separators of thousands, full hours as their hour, and nothing behind it."""
    text = text.rstrip(".,:")
    if ":" in text:
        return text.lstrip("0").removesuffix(":00") or "0"
    head, mark, tail = text.replace(",", ".").rpartition(".")
    if mark and len(tail) == 3 and head.replace(".", "").isdigit():
        return head.replace(".", "") + tail
    if mark and not tail.strip("0"):
        text = head
    return text.lstrip("0") or "0"


_MONTH_SIGN = LazyPattern("(1[0-2]|[1-9])\\s?[月월]")


def spell_months(text: str) -> str:
    """Return the text with months that are written as a number in English: 10月."""
    return _MONTH_SIGN.sub(lambda found: f" {_MONTHS[int(found[1]) - 1].split()[0].capitalize()} ", text)


def find_unspaced_forms(text: str) -> frozenset[str]:
    """Return the forms of words in scripts without blanks, where no word can be cut out."""
    return frozenset(form for word, form in _named().items() if word[0] >= "\u3000" and word in text)
