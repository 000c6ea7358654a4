"""Classifies single lines of a message by their form: output of programs, mark of a document, or neither."""

import enum
import re
import unicodedata

from memci.patterns import LazyPattern


class RowKind(enum.Enum):
    """What a line looks like on its own."""

    BLANK = enum.auto()
    # Inside something delimited: a fence, an element, a quotation.
    GIVEN = enum.auto()
    PLAIN = enum.auto()
    # Logs, traces, diffs, data and code: they end where the next plain line begins.
    MACHINE = enum.auto()
    # Headings, heads of mails and chats, labels of tickets: what follows belongs to the same document.
    DOCUMENT = enum.auto()
    # `Status: open`: one may be typed, two are a form.
    FIELD = enum.auto()


# A long line is data: the longest typed sentence is far shorter.
_MAX_ROW = 4_000
# Blanks between columns; after the end of a sentence some people type two.
_COLUMN = LazyPattern(r"(?<=[^\s.!?])[ \t]{2,}(?=\S)")
# Labels side by side, and the key of a ticket with blanks before its title.
_FORM = LazyPattern(
    r"\s{0,3}[^\W\d_a-z][^\s:]{1,20}: [^\n:]{1,40}?[ \t]{2,}[^\W\d_a-z][^\s:]{1,20}: |[A-Z]{2,9}-\d{1,6} {2,}\S"
)
# What every byline has.
_BYLINE_SIGN = LazyPattern(r"\d|@| > ")
# A line above a message with who wrote it and when is short.
_MAX_BYLINE = 90


# Beginnings of lines that no person types.
_MACHINE = LazyPattern(
    # Nothing below begins with a blank.
    r"\s*+(?:"
    r"[\[(]?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|[\[(]?\d\d:\d\d:\d\d\b|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d"
    r"|[\[<(]?(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE|CRITICAL|NOTICE|SEVERE|ERR!?|FAIL|FAILED|PASS"
    r"|OK)[\]>)]?[\s:|!]"
    r"|(?:npm|yarn|pnpm|pip|cargo|gradle|mvn|docker|git|brew|apt) (?:WARN|ERR!?|error|warning|notice|info|verb)\b"
    r"|(?i:error|warning|fatal|panic|remote|hint|help|make|gcc|clang|rustc|ld|bash|sh|zsh|fatal error|exception"
    r"|stderr|stdout|caused by|deprecationwarning|usage|tip)"
    r"(?:\[[A-Z]?\w+\]|\([^)\n]{1,20}\)| TS\d+|\[\d+\])?:\s"
    r"|Traceback \(most|File \"[^\"\n]{1,300}\", line \d|at [\w.$<>]{1,100} ?\(|goroutine \d"
    r"|thread '[^'\n]{1,50}' panicked|[\w./\\-]{1,120}:\d{1,6}(?::\d{1,5})?[: ]"
    r"|#\d+ +0x|={3,}|-{5,}|\^+\s*$|~+\^|\.{3} \d+ more|\d+ \| |\d+\s+passed|\d+\s+failed"
    r"|[A-Za-z_][\w.]{0,80}(?:Error|Exception|Warning|Panic|Interrupt): |E   |>>> |In \[\d+\]:"
    r"|(?:\w{1,40}\.){1,6}[A-Z]\w{1,60}: |(?:[A-Z][a-z0-9]{1,30}){2,6}: "
    r"|(?:\$|❯|➜|%|~ ✗|;) +\S|PS [A-Z]:\\[^\n]{0,200}>|[\w.-]{1,40}@[\w.-]{1,60}[:~ ][^$#\n]{0,80}[$#] "
    r"|diff --git |index [0-9a-f]{6,}|@@ |\+\+\+ |--- a/|[+-]{1}\s{2,}\S|\+[^\s+]|[+-](?![\s\d+-])\S*[({=;]"
    r"|[+-](?![\s+-])[^\n]{0,200}$(?<=[;{}),])"
    r"|(?:def|class|func|fn|function|const|let|var|import|export|public|private|static|return|assert"
    r"|package|namespace|#include|SELECT|INSERT|UPDATE|ALTER|DROP"
    r"|CREATE)\s+[\w\"'({*<]{1,80}[^\n.?!]{0,200}[({;=:,)\"]?\s*$(?<=[({;=:,)\"])"
    # Commands of TeX and of workflows.
    r"|\\[a-zA-Z]{2,30}[\[{]|::[a-z-]{2,20}(?: [^\n:]{0,200})?::"
    # A link reference, which also serves as a comment.
    r"|\[[^\]\n]{1,60}\]: ?(?:#|<|https?:)"
    r"|//|/\*|\*/|\* @|<!--|</?[a-zA-Z][\w:-]*(?:\s[^>\n]{0,200})?/?>"
    r"|[{}\[\]()]+[,;]?\s*$|[{\[]\s*[\"{\[]|\"[\w.-]{1,60}\"\s*:"
    r"|[\w.-]{1,60}+\s?+=\s?+[\"'\d{\[(]|\[[\w.\"-]{1,60}\]\s*$|-- (?=\S)"
    r"|(?:import|from) [\w.]{1,80} import\b|\|.{0,400}\|\s*$|[^\t\n]{1,200}\t[^\t\n]{1,200}\t"
    r"|[^\n]{0,40}\d\d:\d\d:\d\d[ .,\]]|[\w.-]{1,40}\s+\| \S"
    r"|[0-9a-f]{7,40}(?: \([^)\n]{1,80}\))? \S|commit [0-9a-f]{7,40}\b"
    r"|--?[\w-]{1,30}(?:,? --?[\w-]{1,30})?(?:[= ][<\[]?[A-Z]\w*[>\]]?)?\s{2,}\S"
    # Chains of error causes.
    r"|(?:[Ff]ailed|[Uu]nable|[Cc]ould not|[Cc]annot)(?: to)? [^:\n]{3,80}: [^:\n]{3,120}: "
    r")"
)
# Beginnings of lines that open or belong to a document.
_DOCUMENT = LazyPattern(
    r"\s*+(?:"
    r"#{1,6}\s+\S|[-*+]?\s*\*\*[^*\n]{1,80}\*\*|__[^_\n]{1,80}__\s*$|[-*+]\s+\[[ xX]\]\s|[•◦▪●‣](?:\s|$)"
    r"|[-*_=~^\"'+.:]{3,}\s*$|_[^_\n]{2,80}_\s*$|\d{1,7}\s*$"
    r"|[^\n]{1,400}[.!?]\[\d{1,3}\]|\.\. \w[\w-]{1,30}::|:\w{1,20}(?: \w{1,30})?:\s"
    # Numbers of sections, of laws and standards.
    r"|[第제] ?\d{1,3} ?[条條조]|[ru]/\w+\s*$"
    r"|\d{1,2}(?:\.\d{1,2}){1,4}\.?\s+[^\W\d_a-z]|§+\s?\d|\([a-z]\)\s+[A-Z]|(?:Article|Artikel|Section|Art\.|Clause)\s\d"
    # Marks of programs that pass messages on.
    r"|\[(?!Image\b|\s?[xX]?\]|Pasted\b|REDACTED\b)[^\]\n]{2,80}\](?![(:])(?:\s*\S|\s*$)"
    r"|-{2,}\s?\S[^\n]{2,60}\S\s?-{2,}\s*$|[~=*]{2,}\s?\w[^\n]{2,60}\w\s?[~=*]{2,}\s*$"
    # A heading in capitals alone on its line.
    r"|[A-Z][A-Z]{2,}(?: [A-Z]{2,}){0,2}\s*$"
    r"|(?:Human|Assistant|User|System|SYSTEM|AI|Bot|ChatGPT|Claude|Gemini|Copilot)(?: said)?:(?:\s|$)"
    # A pointer of an index, and a copyright notice.
    r"|[-*+]\s+\[[^\]\n]{1,80}\]\([^)\s]{1,200}\)\s+[—–-]\s|(?:Copyright )?(?:\([cC]\)|©) ?(?:\d{4}|[A-Z])"
    # Where in a site or a wiki a page is.
    r"|(?:[A-Z][^\n/]{0,40} / ){2,6}[A-Z][^\n/]{0,60}$"
    r"|[^\n»›·•]{1,60} [»›·•] [^\n]|[A-Z][^\n|]{1,80} \| [^\n|]{1,80} \| "
    r"|--\s*$|v?\d+\.\d+(?:\.\d+)?\s*[(\[]|[QA]:\s|(?:Re|Fwd?|AW|WG|RE|FW|TR|RV|ENC|Отв):\s"
    r")"
)


_CLOCK = r"\d{1,2}[:.h]\d\d(?::\d\d)?(?:\s?[APap]\.?[Mm]\.?)?"
_DAY = (
    r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{4}[-/年년.]\s?\d{1,2}[-/月월.](?:\s?\d{1,2}[日일])?"
    r"|\d{1,2}\.? ?(?:de )?[^\W\d_]{3,10}\.?,? ?(?:de )?\d{4}"
    r"|[A-Z][a-z]{2,8}\.? \d{1,2},? \d{4}|[A-Z][a-z]{2} \d{1,2}\b|\d{1,2}月\d{1,2}日|\d{1,2}월 ?\d{1,2}일)"
)  # fmt: skip
_AGO = (
    r"\d{1,3}\s?(?:min(?:ute)?s?|h(?:ou)?rs?|days?|weeks?|mo(?:nth)?s?\.?|y(?:ea)?rs?\.?|[mhdwy]) ago|vor \d+ \w+"
    r"|il y a \d+ \w+|hace \d+ \w+|há \d+ \w+|\d+ \w+ назад|\d+ ?(?:分|時間|日|か月|年)前"
    r"|\d+ ?(?:分钟|小时|天|周|个月|年)前|\d+ ?(?:분|시간|일|개월|년) 전"
)


# Lines that begin with a time, or with a name and a time in brackets, as chats copy them.
_STAMPED = LazyPattern(
    rf"\s*[\[(]?(?:{_DAY},?\s{{1,3}})?{_CLOCK}[\])]?\s{{0,3}}[-–—|,:]?\s{{0,3}}(?:[^\W\d_]|$)"
    rf"|\s*[\[(]?{_DAY}[\])]?,?\s{{1,3}}[-–—|:]\s"
    rf"|[^\n(\[]{{1,40}} [(\[](?:{_DAY},?\s{{1,3}})?{_CLOCK}[)\]]"
)
# A time and a full name with nothing behind it: the head of a message, not a line of a log.
_SPEAKER = LazyPattern(rf"[\[(]?{_DAY},?[ T]{_CLOCK}[\])]?(?: [^\W\d_a-z][^\W\d_]+){{2,3}}\s*$")
# A line that ends with a time, as sites, mails and chats show it.
_BYLINE = LazyPattern(
    rf"[^\n]{{1,60}}?(?:\s{{2,}}|[,|·•—–(\[-]\s?|\bat |\bon |\bum |\bà |\ba las |\bAPP\s|Today |Yesterday )"
    rf"[^\n]{{0,30}}?(?:{_CLOCK}|{_DAY})[^\n]{{0,12}}$"
    rf"|(?:\S+ ){{1,7}}(?:{_DAY})(?:,? {_CLOCK})?\s*$|(?:[^\W\d_a-z]\S*\s){{1,3}}{_CLOCK}\s*$"
    rf"|\S+(?: \S+){{0,2}} > \S+(?: \S+){{0,2}}\s*$"
    rf"|[^\W\d_a-z][^\W\d_]+ \d{{1,3}}\s*(?:\(|[-–:.]|$)|[^\n]{{0,70}}\b(?:{_AGO})[^\n]{{0,20}}$"
    r"|[^\n]{0,60}<?[\w.+-]{1,40}@[\w-]{1,40}\.[\w.]{2,20}>?[^\n]{0,20}[:：]?\s*$"
)
ITEM = LazyPattern(r"\s*(?:(?:[-*+]|\d{1,2}[.)])\s|\d{1,2}[、．])")
# A label of up to three words and its value; with a list mark it is an item instead.
_FIELD = LazyPattern(r"\s{0,3}(?![-*+>])[^\s:：][^:：\n.!?]{0,28}[:：](?:\s+\S|\s*$|(?<=：)\S)")


def is_item(row: str) -> bool:
    """Tell whether a line is an item of a list."""
    return ITEM.match(row) is not None


def classify_row(row: str) -> RowKind:
    """Classify a line on its own."""
    if not row or row.isspace():
        return RowKind.BLANK
    if _FORM.match(row) or _SPEAKER.match(row):
        return RowKind.DOCUMENT
    if len(row) > _MAX_ROW or _MACHINE.match(row) or len(_COLUMN.findall(row)) > 1:
        return RowKind.MACHINE
    if _DOCUMENT.match(row) or (_STAMPED.match(row) and not is_item(row)) or is_byline(row) or has_symbol(row):
        return RowKind.DOCUMENT
    field = _FIELD.match(row)
    if field and len(field[0].split()) <= 4 and not field[0].lstrip()[0].islower():
        return RowKind.FIELD
    return RowKind.PLAIN


def is_byline(row: str) -> bool:
    """Tell whether a line could be a byline (who and when), or the lead of a box on a page."""
    if not row[:1].isascii() and unicodedata.category(row[0]) == "So" and _is_emoji(row[:2]):
        return True
    if len(row) > _MAX_BYLINE or not _BYLINE_SIGN.search(row):
        return False
    return not is_item(row) and _BYLINE.match(row) is not None


def has_symbol(row: str) -> bool:
    """Tell whether a line begins with a symbol of a terminal or a page; typed emojis are different ones."""
    first = row.lstrip()[:2]
    return not first.isascii() and unicodedata.category(first[0]) == "So" and not _is_emoji(first)


def _is_emoji(signs: str) -> bool:
    return signs[0] > "\uffff" or signs[1:] == "\ufe0f" or signs[0] in "✅❌❗⚠⚡"


def is_data_field(row: str) -> bool:
    """Tell whether a line is `key: value` or `key = value` as files have it."""
    return re.match(r"\s*(?:- )?[\w.$-]{1,40}\s?[:=](?:\s|$)", row) is not None
