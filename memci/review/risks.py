"""Lists what a reviewer should check in a reworded fact: differences only, no guesses."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from memci.prose.statements import stem_titles
from memci.review.fact_tokens import code_spans, is_denial, is_figure
from memci.review.scope_facts import Fact, FactForm
from memci.review.shared_words import sum_features

# The share of words at which a fact counts as replaced.
_SHORTENED = 0.5
_MIN_SHORTENED = 4
_MAX_NAMED = 5


class Risk(NamedTuple):
    """A difference; `rule` names its kind."""

    rule: str
    message: str


def compare_facts(old: Sequence[Fact], new: Sequence[Fact]) -> list[Risk]:
    """Compare facts before and after rewording: numbers, negations, code, and how many words are gone."""
    if old[0].form is FactForm.FIELD:
        changed = Risk("pinned-changed", f"{old[0].text} became {new[0].text}")
        return [changed] if old[0].slot == "pinned" else []
    if replaced := _compare_size(old, new):
        # Different numbers and names are expected in another statement.
        return replaced
    risks = []
    before, after = _count(old), _count(new)
    gone = [token for token in before - after if is_figure(token)]
    come = [token for token in after - before if is_figure(token)]
    if gone and come:
        risks.append(Risk("number-changed", f"{name_some(gone)} became {name_some(come)}"))
    elif gone:
        risks.append(Risk("number-dropped", f"{name_some(gone)} {'are' if gone[1:] else 'is'} not there any more"))
    risks += _compare_sense(old, new, before, after)
    codes, others = (_join_code(side) for side in (old, new))
    case = [f"{codes[key]} became {others[key]}" for key in codes if others.get(key, codes[key]) != codes[key]]
    if case:
        risks.append(Risk("name-changed", name_some(case)))
    return risks


def _compare_sense(old: Sequence[Fact], new: Sequence[Fact], before: Counter[str], after: Counter[str]) -> list[Risk]:
    denied, denies = ([token for token in side.elements() if is_denial(token)] for side in (before, after))
    if len(denied) != len(denies):
        gone, come = Counter(denied) - Counter(denies), Counter(denies) - Counter(denied)
        said = [*(f"drops {word!r}" for word in gone), *(f"adds {word!r}" for word in come)]
        return [Risk("sense-changed", ", ".join(said[:_MAX_NAMED]))]
    if old[0].tokens == new[0].tokens and old[0].negated is not new[0].negated:
        return [Risk("sense-changed", f"stands below {new[0].heading!r} instead of {old[0].heading!r}")]
    if old[0].form is new[0].form is FactForm.HEADING:
        subjects = stem_titles(old[0].text), stem_titles(new[0].text)
        if all(subjects) and not subjects[0] & subjects[1]:
            return [Risk("heading-changed", "what stands below it has another subject now")]
    return []


def _compare_size(old: Sequence[Fact], new: Sequence[Fact]) -> list[Risk]:
    mine = sum_features(old)
    gone = (mine - sum_features(new)).total()
    if mine.total() >= _MIN_SHORTENED and gone >= _SHORTENED * mine.total():
        return [Risk("fact-replaced", f"{gone} of {mine.total()} words are gone")]
    return []


def _count(facts: Sequence[Fact]) -> Counter[str]:
    return Counter(token for fact in facts for token in fact.tokens)


def _join_code(facts: Sequence[Fact]) -> dict[str, str]:
    return {key: code for fact in facts for key, code in code_spans(fact.text).items()}


def name_some(words: Sequence[str]) -> str:
    """Return the first words as a list, and how many more there are."""
    more = f" and {len(words) - _MAX_NAMED} more" if len(words) > _MAX_NAMED else ""
    return ", ".join(words[:_MAX_NAMED]) + more
