"""The shape of a sentence: what it is about, whether it names a date, a place or a kind of thing."""

import re

from memci.patterns import LazyPattern
from memci.prose.dates.find import find_dates, find_relative
from memci.signals.cues import Cue, find_cue
from memci.signals.units import Unit


def is_reference(unit: Unit) -> bool:
    """Tell whether the sentence says where something is outside of the repository."""
    if Cue.PLACED not in unit.cues or not (Cue.SYSTEM in unit.cues or _is_named(unit)) or _VISITS.search(unit.folded):
        return False
    return not (Cue.TASK in unit.cues and not unit.cues & {Cue.REMEMBER, Cue.HABIT, Cue.STANDING})


def _is_named(unit: Unit) -> bool:
    """Tell whether records or documents are said to be in something with a name: "crash reports are in Bugsnag"."""
    if max(unit.folded) > "\u2e7f":
        return bool(_RECORDS.search(unit.folded) and re.search(r"[A-Z][A-Za-z]{2,}", unit.text))
    return bool(_RECORDS.search(unit.folded) and _IN_NAME.search(unit.text))


_IN_NAME = LazyPattern(
    r"\b(?:in|on|at|under|into|to|via|with|en|dans|sur|no|na|sous|в|на) (?:the |our |el |la |le )?[A-ZА-Я]\w{2,}"
)
# What teams keep in systems of their own.
_RECORDS = LazyPattern(
    r"\b(?:bugs|issues|tickets|tasks|stories|epics|crash(?:es| reports?)|incidents?|alerts|logs|traces|metrics"
    r"|dashboards?|docs|documentation|specs?|adrs?|rfcs?|runbooks?|playbooks?|designs?|mocks|mockups|wireframes"
    r"|prototypes?|assets|contracts|minutes|recordings|backlog|roadmap|credentials|secrets|datasets?|translations"
    r"|strings|feature requests|requirements|experiments|reports|calendar|schedule|rota|feedback|requests"
    r"|postmortems?"
    r"|protocols|drawings|schematics|invoices|approvals|reviews|questions|announcements|on-?call|source of truth"
    r"|incidencias|tareas|documentación|diseños|tâches|maquettes|documents|chamados|tarefas|documentação|telas)\b"
    r"|задач|документаци|макет|тикет|баг|логи|课题|文档|工单|需求|设计稿|日志|任务|缺陷|原型|資料|課題"
    r"|チケット|バグ|設計"
    r"|ドキュメント|仕様|ログ|議事録|デザイン|이슈|티켓|문서|디자인|로그|버그|회의록|시안"
)


def has_date(unit: Unit) -> bool:
    """Tell whether the sentence names a day or a time span."""
    return bool(find_dates(unit.text) or find_relative(unit.text) or _PARTIAL_DATE.search(unit.folded))


def is_rule_label(unit: Unit) -> bool:
    """Tell whether the line above a list says that it lists rules."""
    # A longer line is a sentence of its own, and one that asks for work lists its details.
    if not unit.label or len(unit.label.split()) > 12 or find_cue(Cue.TASK, unit.label) >= 0:
        return False
    return find_cue(Cue.LABEL, unit.label) >= 0 and not _PONDERS.search(unit.label)


# What is only being thought about.
_PONDERS = LazyPattern(r"\b(?:thinking|ideas?|options?|maybe|questions?|brainstorm\w*|wondering)\b")
_VISITS = LazyPattern(
    r"\b(?:look at|read|see|open|check|visit|fetch|summari[sz]e|go to) .{0,60}"
    r"(?:\band (?:tell|fix|see|then|check|summ)|\bif (?:it|this))|\bfor a laugh\b"
    r"|^(?:\w+[,:]? ){0,2}(?:have|take) a look\b"
)


def _partial_date() -> str:
    months = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]{0,6}\.?"
    return (
        rf"\b{months} \d{{1,2}}(?:st|nd|rd|th)?\b|\b\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of )?{months}\b|\b(?:in"
        rf"|until|till|by|since|of) {months} ?(?:20\d\d)?\b"
        r"|\bq[1-4]\b|(?<![\w./-])20\d\d(?![\w/-])|\bthe \d{1,2}(?:st|nd|rd|th)\b"
        r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
        r"|\d{1,2}月(?:\d{1,2}[日号])?|\d{1,2}월|(?:周|星期|礼拜)[一二三四五六日天]|[月火水木金土日]曜"
        r"|\d{1,2}_(?:январ|феврал|март|апрел|ма[йя]|июн|июл|август|сентябр|октябр|ноябр|декабр)\w*"
        r"|[월화수목금토일]요일|다음_?주|내일|오늘|завтра|сегодня|понедельник\w?|пятниц\w|конца_\w+"
        r"|\b(?:januar|februar|märz|april|mai|juni|juli|august|oktober|dezember|janvier|février|mars|avril|juin"
        r"|juillet|août|octobre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|octubre|diciembre"
        r"|janeiro|fevereiro|março|maio|junho|julho|outubro|dezembro)\b"
        r"|\b(?:amanhã|hoje|sexta|segunda|terça|quarta|quinta)\b".replace("_", r"\s")
    )


_PARTIAL_DATE = LazyPattern(_partial_date)


# What `_GENERIC` matches has one of these; looking for them is many times faster.
_FIRM = (
    "always", "never", "only ever", "dont", "do not", "must", "shall", "have to", "need to", "are to", "shouldnt",
    "may ", "cannot",
)  # fmt: skip


def is_generic(folded: str) -> bool:
    """Tell whether a kind of thing always or never does something: "handlers never talk to the database"."""
    return any(word in folded for word in _FIRM) and bool(_GENERIC.search(folded))


_GENERIC = LazyPattern(
    r"(?:^|[:;] ?|, (?=individual|private|public|internal))(?:(?:and|but|also|btw|so|please|oh|our|new|all"
    r"|in general|any|first|second|while were at it)[,:]? ){0,3}"
    r"(?!(?:the|this|that|it|its|they|he|she|these|those|my|your|his|i|you|we|users|people|customers"
    r"|clients|theirs|always|never)\b)"
    r"(?:[\w/.'-]+ ){0,3}(?!(?:is|was|has|does|its|this|as)\b)"
    r"(?:[\w/-]+(?:(?<!s)s|code|config|logic|sql|css|data)|[\w.-]+/[\w./*-]*)"
    r"(?: (?:against|for|from|with|under|in|on|to) (?:(?!(?:and|or|but)\b)[\w-]+ ){0,3}[\w-]+)? (?:should "
    r"|must |may |do )?"
    r"(?:always|never|only ever|dont|do not|mustnt|must|shall|have to|need to|are to|shouldnt|mustnt"
    r"|(?<=must )not|(?<=may )not|(?<=may )only|cannot) "
    r"(?!seem|work|fail|crash|show|appear|load|arrive|pass|finish|return|happen|hang|get called|close|update"
    r"|time|see|cause|trigger|render)"
    r"\w*(?<!ing)\b"
)
# A demand on one certain thing.
SINGLE = LazyPattern(
    r"^(?:(?:and|but|also|then|so|ok|please|oh|like|make sure|make sure that"
    r"|ensure) ){0,2}(?:the \w+(?: \w+)?|both|its)"
    r"(?: \w+){0,3} (?:must|should|shall|has to|have to|needs? to|needs?|may|can|cannot|shouldnt|mustnt)\b"
    r"|^(?:(?:and|also|then|please|pls) ){0,2}(?:make sure|ensure) (?:that )?(?:the|it|this|that|my|both"
    r"|all the)\b"
)


def _widget() -> str:
    """Match a demand on a part of what is being built."""
    parts = (
        "header|footer|button|page|modal|dialog|form|field|input|icon|table|row|column|list|menu|label|tooltip|sidebar"
        "|chart|text|title|image|card|tab|link|endpoint|function|method|script|query|spinner|checkbox|dropdown|screen|panel"
    )
    return (
        rf"^(?:(?:and|but|also|so|make sure|each|every) ){{0,3}}(?:the |a |each "
        rf"|every )?(?:[\w-]+ ){{0,2}}(?:{parts}) "
        r"(?:must|should|shall|has to|needs?|never|always)\b"
        r"|按钮|列表|页面|弹窗|表单|输入框|图标|菜单|头像|ボタン|画面に|フォーム|アイコン|버튼|화면|목록"
        r"|(?<!\w)(?:кнопк|спис(?:о|к)|форм[аеуы]|пол[ея])"
        r"|\b(?:der button|die schaltfläche|das feld|die liste|le bouton|le champ|le formulaire|el botón"
        r"|el campo|el formulario"
        r"|o botão|o campo|o formulário)\b"
    )


WIDGET = LazyPattern(_widget)
# A sentence about what was just spoken of.
AT_HAND = LazyPattern(
    r"^(?:(?:and|but|also|then|so|ok|please|oh|like|yes|yeah) ?,? ?){0,2}(?:it|this|that|they|these|those|there)"
    r"(?: \w+){0,3} (?:must|should|shall|has to|have to|needs?|may|can|cannot|shouldnt|mustnt|is|are)\b"
    r"|^(?:(?:ok|okay|now|so|next|then|and|also) ?,? ){0,3}(?:for |in |on )?(?:the|this|that"
    r"|my) (?:[\w-]+ ){0,3}[\w-]+: "
    r"|^(?:(?:ok|okay|please|pls|and|but|so|no|just) ?,? ){0,2}(?:dont|do not) \w+"
    r" (?:anything(?! (?:under|in|inside|from|below|outside|that))|this|that|it|them|these|those)\b"
    r"(?!.{0,80}\b(?:ever|unless|without|again|any ?more|because|since|otherwise)\b)"
    r"|^(?:这个|那个|这里|这段)(?!项目|仓库|代码库|团队)|^(?:この|その)(?!リポジトリ|プロジェクト|チーム"
    r"|コード)|^(?:이|그)\s(?!프로젝트|저장소|레포|팀)"
    r"|^(?:эт(?:от|а|о|у|и|ой)|dieser|diese|dieses|ce|cette|este|esta|esse|essa) (?!repo|projekt|projet"
    r"|проект|репо|proyecto)"
)
# What leaves no choice.
MUST = LazyPattern(r"\b(?:must|has to|have to|muss|müssen|doit|doivent|debe|deben|deve|devem|должн\w+)\b|必须|必須")
# Orders that are done once they are done.
MAKES = LazyPattern(
    r"^(?:(?:ok|okay|now|then|so|and|also|next|first|please|pls|can you|could you|hey|cool|great|yes|yeah|yep"
    r"|additionally|just|lets|no|we need|i need|need)[,:.!]? ){0,4}"
    r"(?:(?:a|an|to) )?(?:add|fix|implement|write|create|make(?! sure)|build|rename|move|change|update"
    r"|remove|delete|refactor|rerun|show|list|find|explain|tell|give"
    r"|review|revert|undo|redo|investigate|debug|port|convert|replace|extract|split|bump|upgrade|generate"
    r"|continue|finish|draw|plot"
    r"|summarize|translate|draft|prepare|wire|skip|wait|work on"
    r"|commit (?:our|the|this|these|it|all|my|your|everything)|get (?:the|latest|me)|put it|put them|name"
    r"|assign|title|set|run the|look"
    r"|check|read|try|answer|report|function|chart)\b"
    r"|^(?:(?:ok|und|jetzt|dann|bitte|kannst du|et|maintenant|puis|y|ahora|luego|e|agora|depois|ок|и|а"
    r"|теперь)[,:]? ){0,2}"
    r"(?:mach|füge?|fixe?|behebe?|ändere?|zeige?|erkläre?|baue?|erstelle?|benenne?|ajoute|corrige|montre"
    r"|explique|change"
    r"|fais|crée|renomme|déplace|supprime|añade|agrega|arregla|muestra|explica|cambia|haz|crea|renombra"
    r"|mueve|borra"
    r"|adicione|adiciona|corrija|mostre|explique|mude|muda|faça|faz|crie|renomeie|mova|apague|deixe o|deixa o"
    r"|добавь|исправь|почини|напиши|покажи|объясни|сделай|создай|переименуй|перенеси|замени|удали|поменяй"
    r"|убери)(?!\w)"
    r"(?! (?:immer|nie|toujours|jamais|siempre|nunca|sempre|всегда)\b)"
    r"|^(?:(?:好|好的|嗯|那|然后|现在|请|麻烦|再|先|接着)[,， ]?){0,3}(?:帮我|把|给我|加(?:个|一个|上)"
    r"|写(?:个|一个)"
    r"|改(?:一下|成))(?!.{0,30}(?:以后|今后|每次|一律))"
    r"|^(?:peux-tu|pourrais-tu|tu peux|pouvez-vous|kannst du|könntest du|puedes|podrías|pode|poderia"
    r"|você pode)\b.{0,20}"
    r"\b(?:ajouter|créer|corriger|changer|renommer|hinzufügen|einbauen|añadir|agregar|crear|cambiar|corregir"
    r"|adicionar"
    r"|criar|mudar|corrigir)\b"
    r"|[,.;:] (?:please |pls |so |and )?(?:implement|build|fix|add|write|make|code|create|do) (?:it|that"
    r"|this|a|an|the)\b[^,;]{0,40}$"
    r"|, (?:bau|mach|füge?|schreib|implementier|ergänze?|prüf)\w* |, (?:сделай|добавь|реализуй|исправь"
    r"|напиши)[^,]{0,20}$"
    r"|(?:实现|处理|修|改|加|做|写)一下[。！]?$|, (?:implémente|ajoute|fais|corrige|impleméntalo|hazlo|añade"
    r"|implementa|valida|adicione)\b"
)
# What asks for one thing to be done: "ok can you mark all of them as done".
REQUESTS = LazyPattern(
    r"(?:(?:ok|okay|hey|yes|yeah|also|and|so|then|now|cool|great|please|pls|alright|actually|btw)[,.!]* ){0,3}"
    r"(?:can|could|would|will) (?:you|u) (?!(?:not|stop|please not|make sure|at least|from now)\b)\w"
)


def describes_code(unit: Unit) -> bool:
    """Tell a sentence about functions and fields, as in a review, from one that somebody says to somebody."""
    return bool(_NAMES_CODE.search(re.sub("`[^`]*`", "", unit.text))) and not _SPEAKS.search(unit.folded)


# Names that only code has; products have at most two capitals.
_NAMES_CODE = LazyPattern(r"(?<![\w/.@-])(?:[a-z]{3,}[A-Z]\w*|(?:[A-Z][a-z]+){3,}\w*|[A-Za-z_]\w+\.[A-Z]\w+)(?![\w/])")
_SPEAKS = LazyPattern(
    r"\b(?:i|im|ive|id|we|weve|us|our|ours|my|you|your|youre|u|please|pls|lets|dont|do not|never|always)\b"
)
# A plain prohibition.
FORBIDS = LazyPattern(r"\b(?:dont|do not|avoid)\b")
