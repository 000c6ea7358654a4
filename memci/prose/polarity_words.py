"""The words of yes and no, permission, obligation and change, in the languages that people write."""

import itertools
import re

from memci.patterns import LazyPattern
from memci.prose.fold import word_set
from memci.prose.similar import NEGATIONS, tokenise

# Words that deny what follows them.
DENIALS = NEGATIONS | word_set("""
    nothing nobody nowhere wasnt didnt havent hasnt couldnt wouldnt neednt hate hates dislike dislikes refuse
    forbid forbids ban
    nichts nix niemand keines rien ne nada nadie não nenhum nenhuma non nessun nessuno niet nooit geen ikke ikkje aldri
    aldrig ingen ingenting intet inte inga inget nigdy żaden żadnych niczego не никогда нельзя нет
    niente nulla mai neanche nemmeno neppure né nessuna nie nic nikt nikomu ani żadna żadne żadnego żadnej
    niets niks nergens noch niemand nirgends personne ni nulle
    nunca jamais jamás nem ninguém ningún ninguna ninguno tampoco aucun aucune
    никто ничего ни никаких
""")
# "Never X without Y" requires Y.
WITHOUT = word_set("without outside except besides ohne sans sin sem senza zonder uten utan bez без")
# Words that deny what precedes them.
PASSIVE = word_set("""
    forbidden banned prohibited disallowed blocked obsolete wrong verboten untersagt interdit interdite prohibido
    prohibida proibido vietato verboden forbudt förbjudet zabronione запрещено
""")
# Words that call a statement untrue.
_UNTRUE = word_set("""
    wrong false untrue incorrect outdated obsolete stale falsch veraltet überholt faux fausse périmé obsolète falso
    falsa obsoleto incorrecto incorrecta errado errada desatualizado sbagliato vecchio fel feil forældet gammel
    väärin väärä vanhentunut błędne nieaktualne неверно неправда устарело
""")
# Words of an end: what is said beside them holds no longer, so that it may be denied and affirmed.
ENDS = word_set("""
    forget dropped killed gone dead stopped ditched replaced removed retired left moved switched
    abgeschafft ersetzt gewechselt umgezogen entfernt weg remplacé supprimé abandonné passé reemplazado eliminado
    cambiado byttet fjernet borte flyttet usunięto zamieniono
""")
ENDING_PHRASE = LazyPattern(
    r"\b(?:leave|take|keep)\b.{1,60}\bout\b|\bg[eo]t rid of\b|\bno need\b"
    r"|\b(?:turn|switch)(?:s|ed)? (?:\w+ ){0,4}off\b|\boff limits\b|\bhands off\b",
    re.IGNORECASE,
)
# Words of a change, and the phrases.
_CHANGES = LazyPattern(
    r"\b(?:no longer|not?\b[^.;\n]{1,60}\bany ?more|instead|handed over|these days|from now on"
    r"|nicht mehr|kein\w* mehr|ab jetzt|stattdessen|ne\b[^.;\n]{1,60}\bplus|(?<=, )plus(?= (?:sur|de|à|en|avec|chez))"
    r"|désormais|ya no|en lugar"
    r"|ikke lenger|ikke mer|inte längre|niet meer|non più|już nie|zamiast|больше не|não mais)\b|不再|もう|改为",
    re.IGNORECASE,
)
_WEAK_CHANGES = word_set(
    "now since jetzt seit maintenant depuis ahora desde agora nå nu sedan teraz od теперь plus sind"
)
# Not "it is fine".
_PENALTY = LazyPattern(r"\b(?:an?|the|no|of|pays?) fines?\b", re.IGNORECASE)
PERMISSIONS = word_set("""
    allowed permitted acceptable accepted ok okay fine optional welcome unnecessary erlaubt optionnel permis permitido
    opcional tillatt tillåtet dozwolone
""")
_PERMITTING = PERMISSIONS | word_set("can may could free darf dürfen kann peut puede kan może można можно if unless")
_OBLIGATIONS = word_set("""
    never must always dont need needs required mandatory shall nie immer muss müssen niemals nur jamais toujours doit
    siempre nunca debe alltid aldri må zawsze musi nigdy
""")
# "X is not used": what is denied precedes the word.
PARTICIPLES = word_set(
    "used needed required allowed permitted wanted necessary supported done made run true valid erlaubt nötig"
)
# "Don't X before Y" says that X comes after Y.
BEFORE = word_set("before until till unless bevor bis avant antes før przed")
ONCE = word_set("after once only when wait nachdem nach erst après después solo etter po dopiero")
# "What is not merged": these name something by what it is not.
RELATIVES = word_set("what whatever was")
# Words without a meaning of their own beside a denial.
EMPTY = word_set("""
    anymore any more longer now still already ever mehr plus más anything something everything when where what which
    how just if between use used uses using go goes going come comes take takes get gets out off up down back away
    always only really so because since then about until again immer nur run runs running ran make makes do does
    one ones way ways round around new own other want wants wanted need needs pls plz bitte just
""")
_AGAINST = (
    r"\b(?:instead of|rather than|as opposed to|anstatt|anstelle|statt|au lieu de|plutôt que|en lugar de|en vez de"
    r"|otherwise|or else|sonst|sinon|de lo contrario|zamiast|i stedet for|istället för)\b"
)
CLAUSE_BORDER = LazyPattern(
    rf"(?P<against>{_AGAINST})|(?P<joined>\b(?:and|or|und|oder|et|ou|y|o|og|eller|och|i|oraz|lub)\b)"
    r"|[,;:.!?()\n—–。，、；：！？（）](?=\s|$|[^\x00-\x7f])|[—–。，、；：！？（）]|\s-\s"
    r"|\b(?:but|unless|except|until|because|since|so|instead|sondern|aber|außer|weil|denn|mais|sauf|sino|pero|men|ale)\b",
    re.IGNORECASE,
)
LIMIT = LazyPattern(r"\b(?:more|less|later|fewer|longer|larger|bigger|higher|lower|older|newer) than\b", re.IGNORECASE)
_AT_MOST = LazyPattern(
    r"\b(?:not? (?:\w+ ){0,2}(?:more|longer|later|older) than|nicht (?:mehr|länger|später) als|pas plus de|no más de"
    r"|ikke mer enn|inte mer än|niet meer dan|non più di|nie więcej niż|не более)\b",
    re.IGNORECASE,
)
QUESTIONS = LazyPattern(r"(?:^|(?<=[.!?]\s))[^.!?\n]*\?+")
PREFERENCE = LazyPattern(r"\b(?:prefer|favou?r|choose|chose)", re.IGNORECASE)
DENIED_UNSPACED = LazyPattern("不|没|沒|未|无|無|勿|别|ない|なく|ませ|禁止|避け|ずに|않|못|지 마|말|금지|아니|없")
UNSPACED_BORDER = LazyPattern("[。，、；：！？\n,.;:!?]")
NOT_ONLY = LazyPattern(r"\b(?:not only|nicht nur|no solo|pas seulement|ikke bare|nie tylko)\b", re.IGNORECASE)
ONLY = word_set("only nur solo seulement uniquement bare tylko")


def is_denial(word: str) -> bool:
    """Tell whether a word denies what is near it."""
    return word in DENIALS or word in WITHOUT or word in PASSIVE


def is_denied(text: str) -> bool:
    """Tell whether a text of any language denies something; "not more than" is a limit."""
    text = _AT_MOST.sub(" ", text)
    return any(map(is_denial, tokenise(text))) or bool(DENIED_UNSPACED.search(text) or _CHANGES.search(text))


def has_denial(text: str, language: str = "") -> bool:
    """Tell whether a text has one of the words that deny in its language, however it goes on."""
    text = _AT_MOST.sub(" ", text)
    # Portuguese "no" is "in the".
    other = {"no"} if language == "portuguese" else frozenset[str]()
    return any(word in DENIALS and word not in other for word in tokenise(text)) or bool(DENIED_UNSPACED.search(text))


def permits(text: str) -> bool:
    """Tell whether a statement says that something is allowed or not needed."""
    words = tokenise(_PENALTY.sub(" ", text))
    # "Only Ana is allowed to" forbids it to everybody else, and "not allowed" forbids.
    allowed = any(word in PERMISSIONS and not is_denial(before) for before, word in itertools.pairwise(("", *words)))
    return allowed and ONLY.isdisjoint(words)


def may_permit(text: str) -> bool:
    """Tell whether evidence has a word that allows something."""
    return not _PERMITTING.isdisjoint(tokenise(text))


def obliges(text: str) -> bool:
    """Tell whether a text has a word of a rule: must, never, always."""
    return not _OBLIGATIONS.isdisjoint(tokenise(text))


def is_binding(text: str) -> bool:
    """Tell whether a text obliges or forbids."""
    return obliges(text) or is_denied(text)


def calls_untrue(text: str) -> bool:
    """Tell whether a text calls something wrong or outdated, and does not deny that it is."""
    words = tokenise(text)
    return not _UNTRUE.isdisjoint(words) and not any(word in DENIALS for word in words if word != "never")


def has_change(text: str, *, weak: bool = False) -> bool:
    """Tell whether a text has a word of change; `weak` also counts "now" and "since"."""
    words = frozenset(tokenise(text))
    return bool(words & ENDS or _CHANGES.search(text) or (weak and words & _WEAK_CHANGES))
