"""Detects English sentences in which somebody else's clause governs a statement or a command, whatever its verb is.

Somebody else as the subject, a finite verb, and a clause or a command as its object: "the contract obliges suppliers
to", "my old lead used to preach that you". Only words of closed classes are listed: pronouns, articles, modal verbs.
"""

from memci.patterns import LazyPattern

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
# The words between a verb and its object; a new subject or a conjunction begins another clause.
_BETWEEN = r"(?: (?!(?:i|we|you|so|and|but|because|which|who)\b)[^\s.,;:!?]+)"
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


def embeds(sentence: str) -> bool:
    """Tell whether somebody else's clause governs another one in a sentence."""
    return _EMBEDDED.search(sentence) is not None
