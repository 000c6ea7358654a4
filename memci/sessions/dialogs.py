"""Reads what a person typed into the dialogs of a client: reasons for a refusal, and answers to questions."""

from collections.abc import Iterator, Mapping

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
    asked = {str(item.get("question")): item for item in questions if isinstance(item, dict)}
    for question, answer in answers.items():
        offered = asked.get(question, {})
        typed = _without_labels(answer, offered) if isinstance(answer, str) else ""
        note = notes.get(question) if isinstance(notes, dict) else None
        remark = note.get("notes") if isinstance(note, dict) else None
        chosen = answer.strip().removesuffix(typed).rstrip(", ") if isinstance(answer, str) else ""
        shown = _describe_question(offered) + (f", chosen: {chosen}" if chosen else "")
        if typed:
            yield typed, shown
        if isinstance(remark, str) and remark.strip() and remark.strip() != typed:
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
    found = (item.get("label") for item in offered if isinstance(item, dict))
    return [label for label in found if isinstance(label, str)]


def _without_labels(answer: str, question: Mapping[str, object]) -> str:
    labels = set(_list_labels(question))
    rest = answer.strip()
    if not question.get("multiSelect"):
        return "" if rest in labels else rest
    # Several choices are joined by commas, followed by what was typed.
    left = sorted(labels, key=len, reverse=True)
    while chosen := next((label for label in left if rest.startswith(f"{label}, ")), None):
        rest = rest.removeprefix(f"{chosen}, ")
        left.remove(chosen)
    return "" if rest in labels else rest
