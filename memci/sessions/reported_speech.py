"""Detects sentences that may report what somebody else says or wants, by the words that govern a clause.

Doubts more than it has to: a doubted sentence can still be cited if a reader calls it the person's own. Only closed
classes are listed (conjunctions, pronouns, prepositions of hearsay, endings), and for languages without them verbs.
"""

from memci.patterns import LazyPattern
from memci.prose.stems import detect_language

# English sentences in which somebody else is the subject, with a finite verb, and a clause or a command as its object,
# whatever the verb is: "the contract obliges suppliers to", "my old lead used to preach that you".
_START = r"(?:^|[,;:(–—] ?|\b(?:and|but|so|because|since|while|btw|saw|with) )\W*(?:(?i:so|but|and|btw|well|ok) )?"
_NO_SUBJECT = (
    r"(?!(?i:i|we|you|it|this|that|these|those|all|there|here|what|who|how|let|every\w*|always|never|which|when|if|where"
    r"|in|for|on|at|after|before|with|from|by|as|to|of|during)\b)"
)
_OWNER = rf"{_NO_SUBJECT}(?i:his|her|their|[\w-]+['’]s)"
_AUXILIARY = r"(?:is|are|was|were|has|have|had|does|did)"
_MODAL = r"(?:would|will|won['’]t)"
_OTHER = (
    rf"(?:(?:(?i:the|an?|our|my|your|this|some|another|one of \w+)|{_OWNER})(?: [\w./&-]+){{1,4}}?"
    r"|(?i:he|she|they|(?:some|every)(?:one|body))(?: (?:in|from|on|at)(?: the| our)? \S+)?"
    rf"|{_NO_SUBJECT}[A-Z][\w.-]*(?: (?:[A-Z\d]|from |in |of |at )[\w.-]*){{0,3}}"
    # Without an article or a capital only an auxiliary shows that a word is a subject.
    rf"|{_NO_SUBJECT}[a-z]+(?= (?:{_AUXILIARY}|{_MODAL})\b))"
)
# Words between a verb and the clause it governs; a new subject or a conjunction begins another clause.
_BETWEEN = r"(?: (?!(?:i|we|you|so|and|but|because)\b)[^\s.,;:!?]+)"
_VERB = (
    rf"(?:{_AUXILIARY}{_BETWEEN}{{1,10}}?"
    rf"|(?!(?:is|was|has|does|needs)\b)(?:[\w-]+(?:s|ed)|wrote|thought|felt|left|sent|made|{_MODAL}){_BETWEEN}{{0,10}}?)"
)
_OBLIGED = r"(?:should|must|ought|(?:ha(?:s|ve)|needs?|are) to|never|always)"
_CLAUSE = (
    r"(?:that (?:we|you|you['’]re|i|one|no\w*|every\w*|all|each|only|people|"
    rf"(?:\w+ ){{1,3}}{_OBLIGED})|(?:whether|unless|rather|if|how) (?:we|you|one|people|every\w+)"
    rf"|(?:we|you|one|every(?:one|body)) {_OBLIGED})"
)
# "suppliers to rebase", but not "errors to me" or "warnings to stderr".
_COMMAND = (
    r"(?:be|for(?: \w+){1,2}|(?!(?:seems|needs|has|wants)\b)[\w-]+s|people|every(?:one|body)|staff|us|me|you)"
    r" (?:not )?to (?!(?:the|an?|our|my|your|it|this|each|every|all|me|us|you|him|[A-Z]\w*)\b|\w+(?:[.,;:!?]|$))\w+"
)
_EMBEDDED = LazyPattern(
    # A possessive makes a rule somebody else's; "the rule is that" is the person's own.
    rf"{_START}(?:(?:the )?{_OWNER}(?: [\w-]+){{1,6}} (?:is|was|remains) (?:that|to)\b"
    r"|(?i:there(?:['’]s| is)) an? [\w-]+ (?:from|by)(?: [\w./&-]+){1,4}? (?:that|to)\b"
    rf"|{_OTHER} {_VERB} (?:{_CLAUSE}|{_COMMAND})\b)"
)


_SAYS = (
    r"(?:sa(?:ys|id|ying)|t(?:ells|old|elling)|wr(?:ites|ote)|th(?:inks|ought)|f(?:eels|elt)|(?:ask|want|insist|demand"
    r"|request|suggest|recommend|advis|argu|claim|stat|not|mention|announc|remind|warn|instruct|order|urg|expect|requir"
    r"|propos|believ|prefer|decid|complain|explain|forward|flagg|swear)(?:e?s|e?d|ing)"
    r"|would (?:like|love|prefer|rather))"
)
# Matched in lower case, which takes half the time of ignoring the case.
_ENGLISH = LazyPattern(
    rf"\b(?:(?P<verb>{_SAYS}"
    rf"(?:{_BETWEEN}{{0,5}}? (?:that|to|we|you|one|if|whether|every(?:one|body)|people)\b"
    r"|,? (?:always|never|only|please|don['’]t)\b))"
    r"|(?:they|people|folks|(?!always|this|does)\w+s|and \w+) (?:say|tell|think|want|ask|recommend|suggest|expect"
    rf"|believe){_BETWEEN}{{0,3}}? (?:that|to|we|you)\b"
    r"|(?:he|she|they)(?:['’]d)? (?:goes,?|needs?|like|prefer|love|rather)(?: \w+){0,2} (?:to|that|we|you)\b"
    r"|(?:according to|as per|per (?:the|our|my|their)|as far as|(?:suppos|report|alleg)edly|apparently|quoting"
    r"|if you believe|word is|rumou?r|i gather|agree with \w+ that)\b"
    r"|(?:was|been|were) \w+ed\b(?: by [^.,;]{1,40})? (?:to|that)\b"
    r"|in (?:his|her|their|\w+['’]s) \w+\b"
    r"|(?:his|her|their|(?!it|that|let|here|there|what)\w+['’]s) (?:\w+ ){0,2}(?:is|was) (?:to|that)\b"
    r"|as [^.,;]{2,40} (?:puts|has|wants) it\b"
    # Behind what was said: "says the linter", ", mallory thinks", "is what the ticket asks for".
    r"|\b(?:sa(?:ys|id)|wr(?:ites|ote)|th(?:inks|ought)) (?:the|an?|our|my|his|her|their)(?: \w+)?\W*$"
    rf"|[,–-] (?:the |our |my |or so )*\w+ {_SAYS}\W*$|\b(?:is|was) what (?!i |we |you ))"
)
# "as I said", "we decided to", "tests are expected to", "stop asking me to" and "when somebody says that" are the
# person's own.
_OWN_VERB = LazyPattern(
    r"(?:\b(?:i|we|you|already|just|are|is|be|stop|avoid|without|(?:when(?:ever)?|if|once|until|before|after) \w+)"
    r"|['’]ve) $"
)
_CONJUNCTION = LazyPattern(r"(?:, (?:dass|daß|ob|man|alle|что|чтобы)| qu[e'’])\b")
# "asegúrate de que", "así que", "tienen que", and the person as the subject: "ich will, dass".
_OWN_CLAUSE = LazyPattern(
    r"\W*(?:ich|wir|je|j['’]\w+|nous|on a|il faut|yo|nosotros|eu|n[óo]s|a gente|я|мы)\b"
    r"|.*\b(?:así|sin|sans|parce|de|ce|t[ei]m|tienen|hay)$"
)
_CLAUSE_END = LazyPattern(r"[,;:.!?]\s")
_LATIN = LazyPattern(
    # Prepositions of hearsay, and the subjunctive.
    r"\b(?:laut|gemäß|zufolge|angeblich|heißt es|(?:soll|müss|dürf|könn)e|ich soll|(?:wir|man) soll(?:en|t)?"
    r"|nach (?:meinung|ansicht|aussage)|sagt|meint|schreibt|findet"
    r"|, (?:dit|écrit|dice|escribe|diz|escreve)"
    r"|selon|d['’]après|según|segundo|conforme|de acuerdo con|de acordo com)\b|\bsteht,"
    # A verb with an infinitive.
    r"|(?<!avant)(?<!antes)(?<!décidé) (?:de|d['’]|pour) (?:ne |n['’]|plus |toujours |jamais )*"
    r"[a-zà-ÿ]{2,}(?:[ei]r|re)\b"
)
_OTHER_SCRIPTS = LazyPattern(
    r"\b(?:согласно|якобы|мол|дескать|по (?:словам|мнению))\b|, (?:говорит|пишет) "
    r"|\w \w+(?:[еи]т|[юя]т|[аеи]л[аи]?) (?:\w+ ){0,2}\w+(?:ть|ться)\b"
    # Particles of quotation.
    r"|(?:と|って|よう)(?:に|も|の|は)?(?:と|の)?[^。、\s]{0,8}(?:[言書述聞話記頼]|考えているよ|指示|主張|提案|要求|推奨|意見|こと|メール)"
    r"|によ(?:ると|れば)|ことを(?:推奨|要求|求|勧|提案)|そう(?:です|だ)|らしい"
    r"|[다자냐라][\"”]?고(?!\w| ?(?:해서|생각))|에 (?:따르면|의하면)|[한는된]대(?:요|\W|$)|(?:하|쓰|말)래"
    # A language without any of these has to have its verbs named.
    r"|(?<![我你来如便])说(?![一得明不起过])|写(?:着|的是|道)|[上里]写|让(?:我|大家)|告诉我(?=\w{2})|要求(?=我们|大家|所有)|根据|按照"
    r"|(?<![我们])(?:建议|规定|认为|觉得|坚持|主张|推荐|希望|强调|提醒)"
)
_ROMANCE = LazyPattern(
    r"\w (?!(?:p[ou]d|deb|dev|precis|van?\b|siempre|nunca)\w*)\w{3,}(?:[aeóôr]|[ae][mn]|[eio]u|ram|ron) "
    r"(?:a |en |em |para |no |não |nunca |siempre |sempre |jam[aá]i?s )*\w{2,}[aei]r\b"
)


def reports(sentence: str) -> bool:
    """Tell whether a sentence may report what somebody else said or wants."""
    words = sentence.lower()
    return (
        any(not found["verb"] or not _OWN_VERB.search(words[: found.start()]) for found in _ENGLISH.finditer(words))
        or any(_has_subject(words[: found.start()]) for found in _CONJUNCTION.finditer(words))
        or _LATIN.search(words) is not None
        or (not words.isascii() and _OTHER_SCRIPTS.search(words) is not None)
        or _EMBEDDED.search(sentence) is not None
        or (_ROMANCE.search(words) is not None and detect_language(sentence) in {"spanish", "portuguese"})
    )


def _has_subject(text: str) -> bool:
    """Tell whether the last clause of a text has a subject and a verb, and the subject is somebody else."""
    clause = _CLAUSE_END.split(text)[-1]
    return len(clause.split()) > 1 and not _OWN_CLAUSE.match(clause)
