"""Reads what a person typed into the dialogs of a client: reasons for a refusal, and answers to questions."""

import unicodedata
from collections.abc import Collection, Iterator, Mapping

from memci.patterns import LazyPattern
from memci.sessions.client_markup import clean_text

_REFUSED = "The user doesn't want to proceed with this tool use."
_REASONS = ("the user said:\n", "The user provided the following reason for the rejection:")
# One sentence of the client is between the two; a text with a line break before the marker is not a refusal.
_MAX_REFUSAL = 400
# The client adds these to refusals by itself.
_ADVICE = "\n\nNote: The user's next message may contain"
_NO_REASON = ("The user wants to clarify these questions", "The user has indicated they have provided enough answers")
# The client offers at most four.
_MAX_OPTIONS = 100
# The name of a choice has at most so many words.
_NAME = 3
_REMARK = LazyPattern(r"\s*\([^()]{1,40}\)\s*$")


def parse_reason(content: str) -> str:
    """Return the reason that a person typed when refusing a tool call, or nothing."""
    if not content.startswith(_REFUSED):
        return ""
    for marker in _REASONS:
        at = content.find(marker, 0, _MAX_REFUSAL)
        if at >= 0 and "\n" not in content[:at]:
            reason = content[at + len(marker) :].partition(_ADVICE)[0].strip()
            return "" if reason.startswith(_NO_REASON) else clean_text(reason).text
    return ""


def parse_answers(details: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield what a person typed into a dialog, and the question with the options that were offered and chosen.

    A label that was only chosen is the model's wording.
    """
    answers, notes, questions = (details.get(key) for key in ("answers", "annotations", "questions"))
    if not isinstance(answers, dict) or not isinstance(questions, list):
        return
    items = [item for item in questions[:_MAX_OPTIONS] if isinstance(item, dict)]
    # Versions of the client name a question by its text or by its header.
    asked = {_fold(str(item.get(key))): item for key in ("header", "question") for item in items}
    # The client leaves out that an option is the best.
    offered = {_fold(form) for text in _list_strings(questions) for form in (text, _REMARK.sub("", text))}
    for question, answer in answers.items():
        item = asked.get(_fold(question))
        if item is None:
            continue
        typed = _find_typed(answer, offered, several=bool(item.get("multiSelect"))) if isinstance(answer, str) else ""
        note = notes.get(question) if isinstance(notes, dict) else None
        remark = note.get("notes") if isinstance(note, dict) else None
        chosen = answer.strip().removesuffix(typed).rstrip(", ") if isinstance(answer, str) else ""
        shown = _describe_question(item) + (f", chosen: {chosen}" if chosen else "")
        if typed:
            yield typed, shown
        if isinstance(remark, str) and _fold(remark) not in {"", _fold(typed), *offered}:
            yield remark.strip(), shown


def list_chosen(record: Mapping[str, object]) -> list[str]:
    """Return the answers of a dialog as they are, labels included."""
    details = record.get("toolUseResult", record.get("tool_use_result"))
    answers = details.get("answers") if isinstance(details, dict) else None
    return [answer for answer in answers.values() if isinstance(answer, str)] if isinstance(answers, dict) else []


def describe_questions(questions: object) -> str:
    """Return the questions of a dialog with their options."""
    items = questions if isinstance(questions, list) else []
    return " ".join(_describe_question(item) for item in items[:_MAX_OPTIONS] if isinstance(item, dict))


def _describe_question(question: Mapping[str, object]) -> str:
    labels = _list_labels(question)
    return f"{question.get('question', '')}" + (f" ({' / '.join(labels)})" if labels else "")


def _list_labels(question: Mapping[str, object]) -> list[str]:
    options = question.get("options")
    offered = options[:_MAX_OPTIONS] if isinstance(options, list) else ()
    found = (item.get("label") if isinstance(item, dict) else item for item in offered)
    return [label for label in found if isinstance(label, str)]


def _list_strings(questions: list[object]) -> Iterator[str]:
    """Yield all that the model wrote into its questions, wherever it stands."""
    left = list(questions)
    while left:
        value = left.pop()
        if isinstance(value, str):
            yield value
        left += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _fold(text: str) -> str:
    """Return the words of a text in one form of their letters: the client changes blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _find_typed(answer: str, offered: Collection[str], *, several: bool) -> str:
    """Return what is left of an answer without the model's words: choices, joined by commas, are before it.

    Where only one can be chosen, what a person types may begin with the name of a choice, but not with a sentence.
    """
    rest = answer.strip()
    pieces = rest.split(", ")
    longest = 1 + max((text.count(",") for text in offered), default=0)
    at = 0
    while end := next(
        (end for end in range(min(len(pieces), at + longest), at, -1) if _fold(", ".join(pieces[at:end])) in offered), 0
    ):
        at = end
    left = ", ".join(pieces[at:])
    return left if several or not left or len(", ".join(pieces[:at]).split()) > _NAME else rest
