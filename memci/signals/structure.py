"""How a sentence is built: whether it speaks of a kind of thing or of one, explains itself, or draws a conclusion.

People speak of kinds without an article ("don't log addresses") and of what is at hand with one ("don't log the
address"). That holds for wordings that no table knows.
"""

import re

from memci.patterns import LazyPattern

_LEADS = (
    r"(?:(?:please|pls|plz|and|so|also|ok|okay|oh|hey|btw|just|but|no|nope|again|instead|then|yes|yeah|well|look"
    r"|seriously|ugh|argh|in general|generally|really|maybe|try to|make sure to|make sure you"
    r"|to be clear)[,:.!]* ){0,4}"
)
# What points at one certain thing, or at now.
_DEFINITE = LazyPattern(
    r"\b(?:the|this|that|these|those|it|its|them|my|your|his|her|him|me|here|there|now|yet|again|anything|a|an"
    r"|both|one"
    r"|either|another|instead|first|option|version|numbers?|too|either|anymore|until|till|while|today|tonight"
    r"|tomorrow"
    r"|already|still|QUOTE|CALL|\d+(?:px|ms|s|%|k|mb|kb)?)\b"
)
_NO_OBJECT = (
    r"(?:worry|forget|bother|mind|know|think|get|see|understand|want|care|have|need|stop|wait|give|feel|believe"
    r"|remember"
    r"|agree|expect|recall|seem|work|be|let|tell|panic|hesitate|look)"
)


_FORBIDS = LazyPattern(
    rf"^{_LEADS}(?:(?:dont|do not|never) (?!{_NO_OBJECT}\b)[\w-]+|avoid|refrain from|steer clear of"
    rf"|stay away from)"
    r" (?P<what>[^,;:.!?()–—]{3,80})"
    rf"|^{_LEADS}no (?!(?:idea|problem|worries|rush|need|way|clue|thanks|change|changes|luck|errors?|one"
    rf"|longer|doubt"
    r"|more|matter|hurry|pressure|biggie|wonder|other|difference|clue|reason)\b)"
    r"(?P<none>(?:[\w/-]+ ){0,2}[\w/-]{2,}(?:(?<!s)s|ing|ed code|code|sql|css|magic|state|logic|config|data)"
    r"(?: (?:in|on|for|without|inside|outside|from|during|after|before|as|with|at)\b[^,;:.!?()]{2,60}|[.!]|$))"
)


def _orders() -> str:
    verbs = (
        r"use|keep|write|name|put|prefix|suffix|format|store|log|return|wrap|mark|spell|treat|sort|group|place"
        r"|phrase|report"
        r"|follow|document|cover|quote|target|pin|send|order|tag|label|prefer|leave|ask|batch|include|favou?r"
        r"|cite|commit"
        r"|squash|rebase|assume|default|stick|round|escape|validate|throw|raise|catch|inline|type|annotate"
        r"|import|translate"
        r"|measure|double-?check|separate|design|model|represent|express|encode|address|limit|mock|stub"
    )
    return rf"^{_LEADS}(?:{verbs}) (?P<what>[^,;:.!?()–—]{{2,80}})"


_ORDERS = LazyPattern(_orders)


def forbids_kind(folded: str) -> bool:
    """Tell whether a sentence forbids something in general: "don't log addresses"."""
    found = _FORBIDS.match(folded)
    if not found:
        return False
    what = found["what"] or found["none"]
    return not _DEFINITE.search(what)


def orders_kind(folded: str) -> bool:
    """Tell whether a sentence asks for something in general: "use cursors for paging"."""
    found = _ORDERS.match(folded)
    return found is not None and not _DEFINITE.search(found["what"])


def _finite() -> str:
    """Match a clause with a subject and a verb, which is no order."""
    bound = r"(?:the|a|an|it|its|them|us|me|those|these|that|this|every|everything|all|against|our|my|no|care)"
    return (
        r"^(?:(?:because|since|cause|as|cuz|and|but|else|or|so) )?+"
        r"(?!(?:then|add|fix|make|use|put|run|set|move|change|remove|write|create|show|tell|if|when|unless"
        r"|please|pls|with"
        r"|which|where|who|not|what|how|why|should|can|could|would|dont|never)\b)"
        r"(?:(?:[\w'/.-]+ ){1,5}(?:is|are|was|were|has|have|had|does|doesnt|dont|didnt|isnt|arent|wasnt|cant"
        r"|cannot|wont|will"
        r"|did|got|broke|lost|took|went|cost|bit|kept|made|said|told|gave|sent|came|fell|ate|blew|hit|wants?"
        r"|needs?)\b"
        r"|(?:its|theyre|thats|were|weve|theyve|im|ive|hes|shes|theres)\b"
        rf"|(?:[\w'/.-]+ ){{1,4}}\w{{2,}}(?:ed|(?<!s)s) {bound}\b)"
    )


_FINITE = LazyPattern(_finite)


def explains_itself(folded: str) -> bool:
    """Tell whether a clause behind the first states something, which then is the reason."""
    clauses = re.split(r"[,;:–—(] ?| - ", folded)[1:]
    return any(_FINITE.match(clause) for clause in clauses if clause.count(" ") > 1)


_CONCLUDES = LazyPattern(
    r"^(?!.{0,20}\b(?:fix|add|make|write) ).{8,160}[,;–—-] ?(?:and )?so (?:please |pls |you |we |just ){0,2}"
    r"(?:dont|do not|never|no|avoid|keep|use|ask|batch|leave|go|only|always|treat|plan|be|make sure|check"
    r"|expect|assume"
    r"|write|explain|prefer|stick|bear|hold|all|any|every|everything|anything|nothing|nobody|stay|send"
    r"|schedule|give"
    r"|\w+ing .{2,60} (?:is|are) (?:pointless|useless|futile|wrong|a waste|not ok|dangerous|risky|fine|off)"
    r"|[\w-]+s (?:are|go|must|need|have|should|stay|get|cannot|cant|only))\b"
)


def concludes(folded: str) -> bool:
    """Tell whether a sentence says how to act on what it states."""
    return bool(_CONCLUDES.match(folded))


def _recurs() -> str:
    day = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    return (
        rf"\b(?:every|each) (?:\w+ )?(?:night|morning|evening|day|week|weekday|weekend|month|quarter|year|sprint"
        rf"|{day})\b"
        r"|\b(?:nightly|weekly|monthly|quarterly|yearly|annually)\b"
        rf"|\bon (?:{day}s|weekends|weekdays|{day} (?:evening|morning|night|afternoon)s)\b|\b(?:{day}s"
        rf"|weekends) (?:and|only|are|to)\b"
        r"|\b(?:once|twice) an? (?:day|week|month|quarter|year)\b|\bthe \d{1,2}(?:st|nd|rd|th) of (?:each|every)\b"
        r"|每(?:天|周|月|年|晚|星期|季度)|毎(?:日|週|月|年|晚|朝)|매(?:일|주|월|년)|кажд\w+ (?:день|ночь|недел"
        r"|месяц|понедельник)"
        r"|\b(?:jede[nrs]? (?:nacht|woche|monat|montag|tag|freitag)|nachts|chaque (?:nuit|semaine|mois|lundi|jour)"
        r"|cada (?:noche|semana|mes|lunes|día)|tod[ao]s? (?:noite|semana|mês|dia|os dias|segunda))\b"
    )


_RECURS = LazyPattern(_recurs)


# What `_RECURS` matches in ASCII has one of these; looking for them is many times faster.
_CALENDAR = (
    "every", "each", "htly", "ekly", "thly", "arly", "terly", "ually", "day", "weekend", "once a", "twice a", "jede",
    "nachts", "chaque", "cada ", "tod",
)  # fmt: skip


def recurs(folded: str) -> bool:
    """Tell whether a sentence speaks of something that comes back with the calendar."""
    likely = not folded.isascii() or any(word in folded for word in _CALENDAR)
    return likely and bool(_RECURS.search(folded))


def _complains() -> str:
    did = r"(?:\w+ed|keep|kept|forgot|broke|put|used|made|left|took|wrote|did|built|went|ran|cut|chose|sent|hid|set)"
    return (
        rf"^(?:\w+[,.!]* ){{0,3}}(?:you|u|youve|you have) (?:just |also |still |once ){{0,2}}{did}\b.{{0,80}}"
        r"(?:\bagain\b|\banyway\b|\btwice\b|\bonce more\b|!|\binstead of\b)"
        r"|^(?:ugh+|argh+|grr+|ffs|come on|seriously|not again|sigh|oh no|dude|omg|jeez|for the love of)\b"
        r"|^(?:again|still)\?+"
        r"|^(?:schon wieder|encore une fois|otra vez|de novo|опять|又|また|또)"
    )


_COMPLAINS = LazyPattern(_complains)


def complains(folded: str) -> bool:
    """Tell whether a sentence finds fault with what was done."""
    again = "did it again" in folded and re.search(r"\b(?:you|u) did it again\b", folded)
    return bool(again or _COMPLAINS.match(folded))


# Words that point at what is at hand, in languages whose nouns go without an article or always have one.
_POINTS = LazyPattern(
    r"这(?!样|种|类|个项目|个仓库|边|么)|那(?!样|种|类|么)|它|先|现在|今天|この(?!リポジトリ|プロジェクト"
    r"|チーム|コード)|その|これ|それ|今は|今回"
    r"|(?:^|\s)(?:이|그|저|이거|그거|지금|일단)\s|(?<!\w)(?:эт[оаиу]\w{0,2}|сейчас|пока|сегодня)(?!\w)"
    r"|\b(?:diese[rsnm]?|das da|jetzt|gerade|ce|cet|cette|ces|ça|maintenant|este|esta|esto|estos|estas|eso"
    r"|ese|esa|ahora"
    r"|isto|isso|esse|essa|agora|hoje|hoy|heute|aujourdhui)\b"
)


def points_at_hand(folded: str) -> bool:
    """Tell whether a sentence in another language than English points at something that is before the speaker."""
    return bool(_POINTS.search(folded))


_KIND_FIRST = LazyPattern(
    rf"^{_LEADS}(?:our |new |all |any |every |each |most )?"
    r"(?!(?:the|this|that|it|its|they|he|she|these|those|my|your|his|her|i|im|ive|id|you|we|were|weve|users"
    r"|people|some"
    r"|sometimes|two|three|several|looks|lets|thanks|seems|works|there|theres|thats|what|whats|how|why|when"
    r"|if|does|is"
    r"|has|was|things|yes|both|guess|sorry|hello|hi|not|for|in|on|with|at|by|from|to|of|left|top|use|show"
    r"|cheers|always"
    r"|never|as|already|always)\b)"
    r"(?:(?!(?:the|this|that|these|is|was|has|which|who|to|and|my|i|we|you)\b)[\w/.'-]+ ){0,2}"
    r"(?!(?:is|was|has|does|its|this|as|us|thus|plus|always|yes|thanks|whats|thats|theres|heres|hows|wheres|whos|lets)\b)"
    r"(?P<kind>[\w/-]{2,}(?<![su])s) (?!\d|(?P=kind)\b)\w"
)


def speaks_of_kind(folded: str) -> bool:
    """Tell whether a sentence begins with a kind of thing: "textures are power of two", "table names singular"."""
    return bool(_KIND_FIRST.match(folded))


def is_nominal(folded: str) -> bool:
    """Tell a fragment without a verb that begins with a kind of thing: "table names singular"."""
    if not 2 < len(folded.split()) < 9 or not speaks_of_kind(folded):
        return False
    verbs = (
        r"\b(?:is|are|was|were|has|have|had|do|does|did|can|will|would|got|goes?|gets?|makes?|seems?|looks?|\w+ed)\b"
    )
    told = re.search(r"\w+(?:ing|ly) \w+s\b|\b(?:always|never|often|just) \w+s\b", folded)
    return not told and not re.search(verbs, folded)
