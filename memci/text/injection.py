"""Finds text that gives orders to the model instead of recording a fact.

Lists of phrases are easy to avoid, so finding nothing proves nothing: this points a reviewer at lines. Precision comes
first, because good memory is full of orders too ("never push to main").
"""

import bisect
import functools
import re
import unicodedata
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memci.text.hidden import strip_hidden
from memci.text.markdown import find_comments, mask_code
from memci.text.secret_values import decode_base64, find_base64

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

# In the phrases `_` is a blank or one line break (hard-wrapped text, quoted or not), and `~` is up to 60 characters of
# the same sentence.
_BLANK = r"(?: ?\n[ >]{0,3}| )"
_GAP = r"[^.!?\n]{0,60}"
# The clause ends here: "do not tell the user." is an order to hide, "do not tell the user which field is wrong" is not.
_STOP = r"(?=[.,;:!)。，！]|_?\n|_?$|_(?:and|but|or|about_(?:this|it)|of_this|that_you|this)\b)"
_NOT = r"(?:do_not|don['’]?t|never|must_not|mustn['’]t|should_not)"
_WHO = r"(?:(?:the|any|your)_)?(?:user|human|operator|developer|person|reviewer|maintainer|owner|anyone|anybody)s?"
_EARLIER = r"(?:previous|prior|above|earlier|preceding|foregoing)"
_ORDERS = r"(?:instruction|direction|prompt|guideline|rule|command|message|context|constraint|order)s?\b"
_NOTE = r"(?:note|memory|entry|rule|instruction|topic|memo)"
_CLOSED_NOTE = rf"{_NOTE}s?\b"

# Kind, literals of which one must occur (lower case), phrase.
_PHRASES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "override",
        ("ignore", "disregard", "forget"),
        (
            r"(?<!never )(?<!not )(?<!n't )\b(?:ignore|disregard|forget)_"
            r"(?:(?:all|any|every|the|your|my|of|these|those)_){0,3}"
            rf"(?:{_EARLIER}|system|safety|developer)_(?:(?:system|safety|security|user|developer|and|or)_){{0,2}}{_ORDERS}"
        ),
    ),
    (
        "override",
        ("override", "bypass", "discard"),
        rf"\b(?:override|bypass|discard)_(?:(?:all|any|the|your)_){{0,2}}{_EARLIER}_{_ORDERS}",
    ),
    (
        "override",
        ("ignore", "disregard", "forget"),
        (
            r"\b(?:ignore|disregard|forget)_(?:everything|anything|all)_(?:that_)?(?:(?:is|was|came|you_were_told|i_said|you_know)_)?"
            r"(?:above|before_this|prior|previously|until_now|so_far)\b"
        ),
    ),
    ("override", ("the above",), rf"\b(?:ignore|disregard|forget)_(?:all_)?(?:of_)?the_above{_STOP}"),
    ("override", ("from now on",), r"from_now_on,?_you_(?:are_(?:an?_|no_longer)|will_(?:act_as|obey)|must_obey)"),
    ("concealment", ("tell", "inform", "alert", "notify"), rf"\b{_NOT}_(?:tell|inform|alert|notify)_{_WHO}{_STOP}"),
    ("concealment", ("without",), rf"\bwithout_(?:telling|informing|alerting|notifying)_{_WHO}{_STOP}"),
    (
        "concealment",
        ("no need to",),
        rf"\bno_need_to_(?:mention|report|disclose|tell)_(?:it|this|that|{_WHO})(?:{_STOP}|_to_{_WHO}\b)",
    ),
    (
        "concealment",
        ("mention", "reveal", "disclose", "report"),
        rf"\b{_NOT}_(?:mention|reveal|disclose|report)_(?:this|it|that|these)(?:_(?:{_NOTE}|step)s?)?_to_{_WHO}\b",
    ),
    (
        "concealment",
        ("hidden from", "secret from", "hide this from"),
        rf"\b(?:keep_(?:this|it)_(?:hidden|secret)|hide_this)_from_{_WHO}\b",
    ),
    (
        "role-marker",
        ("<system", "</system", "im_start", "im_end", "endoftext"),
        r"</?system(?:[-_](?:reminder|prompt|message))?>|<\|(?:im_start|im_end|system|endoftext)\|>",
    ),
    ("role-marker", ("inst]", "<<sys>>"), r"\[/?inst\]|<<sys>>"),
    ("role-marker", ("human:",), r"(?:^|(?<=\n))[ >]{0,3}human: [^\n]{1,2000}\n{1,3}[ >]{0,3}assistant:"),
    (
        "addressed-to-model",
        ("to ai", "to all ai", "to llm", "to any ai"),
        r"\b(?:note|message|notice|attention|instructions?)_to_(?:all_|any_)?(?:ai|llm)s?(?:_(?:assistant|agent|model|system|reviewer)s?)?\b",
    ),
    (
        "exfiltration",
        ("http://", "https://"),
        (
            r"(?<!never )(?<!not )\b(?:send|post|upload|forward|transmit|submit|exfiltrate|leak|email|curl)_~"
            r"(?:contents?|secrets|(?:all|any|your|stored|found)_credentials|environment_variables|\.env|private_key|ssh_key|\.ssh|transcript|conversation|source_code)\b~\bto_~?https?://"
        ),
    ),
    (
        "exfiltration",
        ("exfiltrate",),
        r"(?:^|(?<=\n)|(?<=[.;:>-] )|(?<=and )|(?<=then ))exfiltrate_(?:the|all|any|its|your|every|contents)\b",
    ),
    (
        "exfiltration",
        ("the user asks",),
        r"\b(?:if|when|whenever)_the_user_asks~,_(?:first_|always_|also_)?(?:upload|send|post|run|curl|forward)_~https?://",
    ),
    ("remote-code", ("http://",), r"\b(?:curl|wget)_[^\n|]{0,60}http://[^\n|]{1,100}\|_?(?:sudo_)?(?:ba|z|da)?sh\b"),
    ("remote-code", ("base64",), r"base64_(?:-d|-D|--decode)[^\n|]{0,40}\|_?(?:sudo_)?(?:ba|z|da)?sh\b"),
    (
        "addressed-to-consolidator",
        ("consolidation", "dream", "cleanup", "clean-up"),
        (
            r"\b(?:on|at|during|in)_(?:the_|each_|every_|any_)?(?:next_)?(?:memory_)?(?:consolidation|dream|clean-?up)s?,?~"
            r"\b(?:copy|add|write|replicate|append|propagate|keep|duplicate)_this\b"
        ),
    ),
    (
        "addressed-to-consolidator",
        ("copy this", "replicate this", "propagate this", "duplicate this", "append this", "add this", "spread this"),
        rf"\b(?:copy|replicate|propagate|duplicate|append|add|spread)_this_(?:{_NOTE}|line|message)_(?:in)?to_(?:every|all|each|other)\b",
    ),
    (
        "addressed-to-consolidator",
        ("remove", "prune", "delete", "retire", "forget", "consolidate"),
        (
            rf"\b(?:{_NOT}|must_never|cannot)_(?:be_)?(?:remove|prune|delete|retire|forget|consolidate)_this_{_CLOSED_NOTE}"
            rf"|\bthis_{_NOTE}_must_(?:never|not)_be_(?:removed|pruned|deleted|retired|changed|consolidated)"
        ),
    ),
    ("addressed-to-consolidator", ("prune",), r"\b(?:do_not|don['’]?t|never)_prune(?:_this)?(?=[.!)]|_?\n|_?$)"),
    (
        "fake-authority",
        ("do not remove", "do not delete", "never remove", "do not edit", "do not modify"),
        r"\b(?:audit|compliance|security|legal|policy|mandatory|administrator|anthropic)\b[^.!?\n]{0,60}\((?:please_)?(?:do_not|never)_(?:remove|delete|edit|modify)\)",
    ),
    (
        "reveal-prompt",
        ("prompt", "instructions"),
        r"\b(?:print|reveal|show|output|repeat|display|leak|dump)_(?:me_)?(?:all_)?(?:of_)?your_(?:full_|entire_|complete_|hidden_|initial_)?(?:system_prompt|(?:hidden|initial|system|original)_instructions)",
    ),
    (
        "disable-safety",
        ("approve",),
        r"\bapprove_(?:every|all|any)_(?:prs?|pull_requests?|changes?|merge_requests?)_(?:without_(?:a_|any_)?(?:review|reading|looking)|no_matter|regardless)",
    ),
    (
        "encoded",
        ("decode", "decrypt"),
        r"\b(?:decode|decrypt)_(?:[a-z0-9]{1,12}_){0,4}(?:and|then)_(?:follow|obey|execute)\b",
    ),
    (
        "override",
        ("忽略", "无视", "無視", "忘记", "忘記"),
        r"(?:忽略|无视|無視|忘记|忘記)掉?(?:你|您)?(?:所有|之前|以上|先前|前面|上述|上面|此前|全部|一切|的){1,5}(?:指令|指示|命令|提示|规则|規則|说明)",
    ),
    ("concealment", ("用户", "使用者"), rf"(?:不要|别|切勿|请勿)(?:告诉|告知|通知|让)(?:用户|使用者)(?:知道)?{_STOP}"),
    (
        "override",
        ("無視", "忘れ"),
        r"(?:以前|これまで|上記|前|今まで|先ほど)(?:の|まで)(?:すべて|全て|全部)?の?(?:指示|命令|ルール|プロンプト)(?:は|を)?(?:すべて|全て|全部)?(?:無視|忘れ)",
    ),
    ("concealment", ("ユーザー",), r"ユーザーに(?:は)?(?:言わない|伝えない|知らせない|報告しない)(?:で|こと)"),
    (
        "override",
        ("anweisungen", "befehle", "vorgaben"),
        r"\b(?:ignoriere?|vergiss|missachte)_(?:bitte_)?(?:(?:alle|sämtliche|die|deine)_){0,2}(?:vorherigen|bisherigen|obigen|früheren|vorangegangenen)_(?:anweisungen|befehle|vorgaben)",
    ),
    (
        "concealment",
        ("nutzer", "anwender"),
        r"\b(?:sage?_(?:es_|das_)?dem_(?:be)?nutzer_(?:nichts|nicht)|(?:be)?nutzer_nichts_(?:davon_)?(?:sagen|erzählen)|ohne_(?:es_)?dem_(?:be)?nutzer_zu_sagen)",
    ),
    (
        "override",
        ("instructions", "consignes"),
        r"\b(?:ignore[zr]?|oublie[zr]?)_(?:toutes_)?(?:les|tes|vos)_(?:instructions|consignes)_(?:précédentes|antérieures|ci-dessus)",
    ),
    (
        "concealment",
        ("utilisateur",),
        r"\bne_(?:le_|la_)?(?:dis|dites|mentionne|mentionnez|signale|signalez)_(?:rien|pas)_(?:cela_|ceci_)?à_l['’]utilisateur",
    ),
    (
        "override",
        ("instrucciones", "instruções"),
        r"\b(?:ignor[ae]|olvida|esqueça)_(?:todas_)?(?:las|tus|sus|as|suas)_(?:instrucciones|instruções)_(?:anteriores|previas|prévias)",
    ),
    (
        "concealment",
        ("usuario", "usuário"),
        r"\bno_(?:se_lo_|le_)?(?:digas|menciones|informes)_(?:esto_|nada_)?al_usuario|\bnão_(?:diga|conte)_(?:isso_|nada_)?ao_usuário",
    ),
    (
        "override",
        ("инструкции", "указания", "команды"),
        r"\b(?:игнорируй|проигнорируй|забудь)(?:те)?_(?:все_|всё_)?(?:предыдущие|прежние|вышеуказанные)_(?:инструкции|указания|команды)",
    ),
    ("concealment", ("пользовател",), r"\bне_(?:говори|сообщай|рассказывай)(?:те)?_(?:об_этом_|это_)?пользователю"),
    ("override", ("무시",), r"(?:이전|위의|기존)_(?:모든_)?(?:지시|명령|프롬프트)(?:사항)?(?:를|을)?_(?:모두_)?무시"),
)
# How far from its quotation marks a phrase may stand.
_QUOTE = 200
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "「": "」", "『": "』", "„": "“"}


@dataclass(frozen=True, slots=True)
class Injection:
    """Text addressed to the model; `quoted` if a sentence only speaks about it, in quotation marks or code."""

    start: int
    end: int
    kind: str
    quoted: bool = False


@functools.cache
def _compiled(phrase: str) -> re.Pattern[str]:
    plain = phrase.replace("im_start", "im\0start").replace("im_end", "im\0end").replace("[-_]", "[-\0]")
    return re.compile(plain.replace("_", _BLANK).replace("~", _GAP).replace("\0", "_"))


def find_injections(text: str) -> list[Injection]:
    """Find orders to the model, whatever their case, spacing or hidden characters; in order of their place."""
    folded = _fold(text)
    found: set[tuple[tuple[int, int], str]] = set()
    # Most texts have none.
    if phrases := list(_find_phrases(folded)):
        places = _Places(text, folded)
        found = {(places.span(match), kind) for match, kind in phrases}
    for start, end in find_base64(text):
        decoded = decode_base64(text[start:end])
        if decoded and next(_find_phrases(_fold(decoded)), None):
            found.add(((start, end), "encoded"))
    if not found:
        return []
    masked = _masked(text)
    return [Injection(*span, kind, _is_quoted(text, masked, *span)) for span, kind in sorted(found)]


def _fold(text: str) -> str:
    """Return the text in lower case and compatibility form, blanks collapsed, with the same lines."""
    clean = unicodedata.normalize("NFKC", strip_hidden(text)).lower()
    # All runs of blanks but those that are one space already.
    return re.sub(r"[^\S\n](?:(?<! )|[^\S\n])[^\S\n]*+", " ", clean)


def _find_phrases(folded: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yield phrases, some more than once: patterns are slow, so they only see lines near one of their literals."""
    present = _find_literals(folded)
    for kind, literals, phrase in _PHRASES:
        for literal in literals:
            at = folded.find(literal) if literal in present else -1
            while at >= 0:
                line = folded.rfind("\n", 0, at)
                start = folded.rfind("\n", 0, line) + 1 if line > 0 else 0
                yield from (
                    (match, kind) for match in _compiled(phrase).finditer(folded, start, _line_end(folded, at, 4))
                )
                at = folded.find(literal, _line_end(folded, at, 1))


def _find_literals(folded: str) -> Container[str]:
    """Return the literals that stand in a text: searching for all at once takes a tenth of the time."""
    every, automaton = _literals()
    try:
        found = automaton.find_matches_as_indexes(folded, overlapping=True)
    except UnicodeEncodeError:
        # Half a character.
        return every
    return {every[index] for index, _, _ in found}


@functools.cache
def _literals() -> "tuple[list[str], AhoCorasick]":
    from ahocorasick_rs import AhoCorasick

    every = sorted({literal for _, literals, _ in _PHRASES for literal in literals})
    return every, AhoCorasick(every)


def _line_end(text: str, position: int, lines: int) -> int:
    for _ in range(lines):
        position = text.find("\n", position) + 1
        if not position:
            return len(text)
    return position - 1


class _Places:
    """Maps a match in the folded text to the original: exactly where the line is unchanged, else the whole line."""

    def __init__(self, text: str, folded: str) -> None:
        self._lines = text.split("\n")
        self._folded_lines = folded.split("\n")
        self._starts = _line_starts(self._lines)
        self._folded_starts = _line_starts(self._folded_lines)

    def span(self, match: re.Match[str]) -> tuple[int, int]:
        """Return start and end in the original."""
        return self._place(match.start())[0], self._place(match.end() - 1)[1]

    def _place(self, position: int) -> tuple[int, int]:
        number = bisect.bisect_right(self._folded_starts, position) - 1
        start, line = self._starts[number], self._lines[number]
        if len(line) != len(self._folded_lines[number]):
            return start, start + len(line)
        exact = start + position - self._folded_starts[number]
        return exact, exact + 1


def _line_starts(lines: list[str]) -> list[int]:
    starts = [0]
    for line in lines[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _masked(text: str) -> str:
    """Return the text with code blanked out; comments stay, the model reads them as they are."""
    masked = mask_code(text)
    pieces = []
    done = 0
    for start, end in find_comments(text):
        pieces += [masked[done:start], text[start:end]]
        done = end
    return "".join([*pieces, masked[done:]])


def _is_quoted(text: str, masked: str, start: int, end: int) -> bool:
    if not masked[start:end].strip():
        return True
    before = text[max(0, start - _QUOTE) : start].rpartition("\n")[2]
    after = text[end : end + _QUOTE].partition("\n")[0]
    return any(_is_between(before, after, *marks) for marks in _QUOTES.items())


def _is_between(before: str, after: str, opening: str, closing: str) -> bool:
    """Whether the marks enclose the place and the line says something outside of them."""
    opened = before.rfind(opening)
    closed = after.find(closing)
    if opened < 0 or closed < 0 or (opened and before[opened - 1].isalnum()):
        return False
    if opening == closing and before.count(opening) % 2 == 0 and opening == '"':
        return False
    if opening != closing and closing in before[opened + 1 :]:
        return False
    outside = before[:opened] + after[closed + 1 :]
    return sum(character.isalnum() for character in outside) > 3
