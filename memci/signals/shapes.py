"""The shape of a sentence: what it is about, whether it names a date, a place or a kind of thing."""

import functools
import re

from memci.signals.cues import Cue, find_cue
from memci.signals.units import Unit
from memci.text.dates import find_dates, find_relative


def is_reference(unit: Unit) -> bool:
    """Tell whether the sentence says where something is outside of the repository."""
    if not {Cue.SYSTEM, Cue.PLACED} <= unit.cues or _visits().search(unit.folded):
        return False
    return not (Cue.TASK in unit.cues and not unit.cues & {Cue.REMEMBER, Cue.HABIT, Cue.STANDING})


def has_date(unit: Unit) -> bool:
    """Tell whether the sentence names a day or a time span."""
    return bool(find_dates(unit.text) or find_relative(unit.text) or _partial_date().search(unit.folded))


def is_rule_label(unit: Unit) -> bool:
    """Tell whether the line above a list says that it lists rules."""
    # A longer line is a sentence of its own, and one that asks for work lists its details.
    if not unit.label or len(unit.label.split()) > 12 or find_cue(Cue.TASK, unit.label) >= 0:
        return False
    return find_cue(Cue.LABEL, unit.label) >= 0


@functools.cache
def _visits() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:look at|read|see|open|check|visit|fetch|summari[sz]e|go to) .{0,60}"
        r"(?:\band (?:tell|fix|see|then|check|summ)|\bif (?:it|this))|\bfor a laugh\b"
    )


@functools.cache
def _partial_date() -> re.Pattern[str]:
    months = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]{0,6}\.?"
    return re.compile(
        rf"\b{months} \d{{1,2}}(?:st|nd|rd|th)?\b|\b\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of )?{months}\b|\b(?:in"
        rf"|until|till|by|since|of) {months} ?(?:20\d\d)?\b"
        r"|\bq[1-4]\b|\b20\d\d\b|\bthe \d{1,2}(?:st|nd|rd|th)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
        r"|\d{1,2}月(?:\d{1,2}[日号])?|\d{1,2}월|(?:周|星期|礼拜)[一二三四五六日天]|[月火水木金土日]曜"
        r"|[월화수목금토일]요일|다음_?주|내일|오늘|завтра|сегодня|понедельник\w?|пятниц\w|конца_\w+"
        r"|\b(?:januar|februar|märz|april|mai|juni|juli|august|oktober|dezember|janvier|février|mars|avril|juin"
        r"|juillet|août|octobre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|octubre|diciembre"
        r"|janeiro|fevereiro|março|maio|junho|julho|outubro|dezembro)\b"
        r"|\b(?:amanhã|hoje|sexta|segunda|terça|quarta|quinta)\b".replace("_", r"\s")
    )


@functools.cache
def generic() -> re.Pattern[str]:
    """Match a kind of thing that always or never does something: "handlers never talk to the database"."""
    return re.compile(
        r"(?:^|[:;] ?|, (?=individual|private|public|internal))(?:(?:and|but|also|btw|so|please|oh|our|new|all"
        r"|in general,?|any) ){0,3}"
        r"(?!(?:the|this|that|it|its|they|he|she|these|those|my|your|his|i|you|we|users|people|customers"
        r"|clients|theirs|always|never)\b)"
        r"(?:[\w/.'-]+ ){0,3}(?!(?:is|was|has|does|its|this|as)\b)"
        r"(?:[\w/-]+(?:(?<!s)s|code|config|logic|sql|css|data)|[\w.-]+/[\w./*-]*) (?:should |must |may |do )?"
        r"(?:always|never|only ever|dont|do not|mustnt|must|shall|(?<=must )not|(?<=may )not|(?<=may )only|cannot) "
        r"(?!seem|work|fail|crash|show|appear|load|arrive|pass|finish|return|happen|hang|get called|close|update)"
        r"\w*(?<!ing)\b"
    )


@functools.cache
def single() -> re.Pattern[str]:
    """Match a demand on one certain thing."""
    return re.compile(
        r"^(?:(?:and|but|also|then|so|ok|please|oh|like) ){0,2}(?:the \w+(?: \w+)?|both|its)"
        r"(?: \w+){0,3} (?:must|should|shall|has to|have to|needs? to|needs?|may|can|cannot|shouldnt|mustnt)\b"
    )


@functools.cache
def widget() -> re.Pattern[str]:
    """Match a demand on a part of what is being built."""
    parts = (
        "header|footer|button|page|modal|dialog|form|field|input|icon|table|row|column|list|menu|label|tooltip|sidebar"
        "|chart|text|title|image|card|tab|link|endpoint|function|method|script|query|spinner|checkbox|dropdown|screen|panel"
    )
    return re.compile(
        rf"^(?:(?:and|but|also|so|make sure|each|every) ){{0,3}}(?:the |a |each |every )?(?:[\w-]+ ){{0,2}}(?:{parts}) "
        r"(?:must|should|shall|has to|needs?|never|always)\b"
    )


@functools.cache
def at_hand() -> re.Pattern[str]:
    """Match a sentence about what was just spoken of."""
    return re.compile(
        r"^(?:(?:and|but|also|then|so|ok|please|oh|like|yes|yeah) ?,? ?){0,2}(?:it|this|that|they|these|those|there)"
        r"(?: \w+){0,3} (?:must|should|shall|has to|have to|needs?|may|can|cannot|shouldnt|mustnt|is|are)\b"
    )


@functools.cache
def must() -> re.Pattern[str]:
    """Match what leaves no choice."""
    return re.compile(r"\b(?:must|has to|have to|muss|müssen|doit|doivent|debe|deben|deve|devem|должн\w+)\b|必须|必須")


@functools.cache
def makes() -> re.Pattern[str]:
    """Match orders that are done once they are done."""
    return re.compile(
        r"^(?:(?:ok|okay|now|then|so|and|also|next|first|please|pls|can you|could you|hey|cool|great|yes|just"
        r"|lets|no|we need|i need|need)[,:.!]? ){0,4}"
        r"(?:(?:a|an|to) )?(?:add|fix|implement|write|create|make(?! sure)|build|rename|move|change|update"
        r"|remove|delete|refactor|rerun|show|list|find|explain|tell|give"
        r"|review|revert|undo|redo|investigate|debug|port|convert|replace|extract|split|bump|upgrade|generate"
        r"|continue|finish|draw|plot"
        r"|summarize|translate|draft|prepare|wire|skip|wait|put it|put them|name|assign|title|set|run the|look"
        r"|check|read|try|answer|report|function|chart)\b"
    )


@functools.cache
def forbids() -> re.Pattern[str]:
    """Match a plain prohibition."""
    return re.compile(r"\b(?:dont|do not|avoid)\b")
