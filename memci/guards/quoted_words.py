"""Which words of a message may be quoted: no clause that held a secret, and no question."""

from collections.abc import Iterator, Sequence

from memci.model.session import Signal
from memci.patterns import LazyPattern
from memci.prose.sentences import typed_sentences
from memci.redaction.secrets import REDACTED

QUESTION = "it quotes a question"
# One word is recognised in a quotation if it is an address or a path.
ADDRESS = LazyPattern(r"(?=.{8,}$)[^\s/]*[./][^\s]*/[^\s]*")
_CLAUSE_END = LazyPattern(r"[,;:](?=\s)|\s[-–—]\s")


def object_to_quote(signal: Signal, quote: str) -> str:
    """Return why a passage of a message is no evidence although the person typed it; "" if it is."""
    start = signal.text.find(quote)
    sentences = typed_sentences(signal.text, start, start + len(quote))
    if REDACTED in quote or any(REDACTED in clause for clause in _list_clauses(quote, sentences)):
        return "it quotes a clause that held a secret"
    if sentences and all(sentence.rstrip("\n \"')”»").endswith(("?", "？")) for sentence in sentences):
        return QUESTION
    return ""


def quote_sentences(signal: Signal, quote: str) -> list[str]:
    """Return the sentences of a message that a quotation has words of."""
    start = signal.text.find(quote)
    return list(typed_sentences(signal.text, start, start + len(quote))) if start >= 0 else []


def _list_clauses(quote: str, sentences: Sequence[str]) -> Iterator[str]:
    """Yield the clauses of sentences that have words of a quotation."""
    for clause in (part for sentence in sentences for part in _CLAUSE_END.split(sentence)):
        if clause.strip() and (clause.strip() in quote or quote in clause):
            yield clause
