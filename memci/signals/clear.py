"""Whether a statement says what is meant to somebody who was not there: only then it is written without a model."""

from collections.abc import Sequence

from memci.memory.compose import split_title
from memci.model.session import Signal
from memci.patterns import LazyPattern
from memci.prose.fold import plain
from memci.signals.cues import choose_tables
from memci.signals.sentences import Cue, TypedSentence, count_words
from memci.signals.third_person import name_speaker

# A first clause of fewer words says nothing on its own: "sqlite, one file, wal".
_MIN_TITLE = 3
# Longer sentences, and those of more clauses, are explanations or several things at once.
_MAX_WORDS = 30
_MAX_CLAUSES = 3
# What stands behind a dash or an arrow can say whose words the others are, and a sign at the end what they are worth.
_ADDED = LazyPattern(r"\s(?:[-–—]+|<-+|←)\s|\s[-+/]\w{1,3}$")
_CLAUSE = LazyPattern(r"[,;:]\s+|[，；、：]\s*|\s[-–—]\s|\s\(")
# A question, code, a number or the name of a file.
OWN_SUBJECT = LazyPattern(r"[?？\d`]|\w[./_-]\w|[:：]$")
# Smileys, and marks of somebody who jokes, trails off or wonders.
_TONE = LazyPattern(r"[:;][-']?[)(dp](?!\w)|\.\.\.|…|[!?]*\?[!?]+|[\U0001f300-\U0001faff]")


def is_clear(signal: Signal, cue: Cue, behind: Sequence[TypedSentence]) -> bool:
    """Tell whether nothing else of the conversation is needed: no referent, condition, exception, tone or aside."""
    rule, table = plain(signal.rule), cue.table
    title = plain(split_title(signal.rule)[0])
    clauses = [clause for clause in _CLAUSE.split(rule) if clause.strip()]
    opening = cue.words if rule.startswith(cue.words) else ""
    rest = rule[len(title) :] + plain(signal.why)
    return not (
        count_words(title) < _MIN_TITLE
        or count_words(rule) > _MAX_WORDS
        or len(clauses) > _MAX_CLAUSES
        or any(_is_aside(clause, cue) for clause in clauses[1:])
        or _TONE.search(rule)
        or table.against["unclear"].search(title)
        or table.against["suppose"].search(rule[len(opening) :])
        or table.against["person"].search(f"{rest} {name_speaker(title, '')}")
        or any(table.against["limit"].match(sentence.folded) or _comments(sentence, cue) for sentence in behind[:1])
        or any(table.against["irony"].search(each.folded) or _TONE.search(each.folded) for each in behind)
        or any(each.folded.endswith(("?", "？")) for each in behind[:1])
        or _ADDED.search(f"{rule} {plain(signal.why)}".strip())
    )


def _is_aside(clause: str, cue: Cue) -> bool:
    """Tell whether a clause asks, or says whose words the others are."""
    return any(cue.table.against[kind].search(clause) for kind in ("question", "reported"))


def _comments(sentence: TypedSentence, cue: Cue) -> bool:
    """Tell whether a sentence may be about the one before it: it refers to something and gives no reason."""
    # "that's" refers as "that" does.
    words = sentence.folded.replace("'", " ").replace("’", " ")
    return not is_reason(sentence) and bool(cue.table.against["unclear"].search(words))


def is_reason(sentence: TypedSentence) -> bool:
    """Tell whether a sentence gives the reason of the one before it."""
    return any(table.reason_sentence.search(sentence.folded) for table in choose_tables(sentence.folded))
