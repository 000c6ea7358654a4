"""Questions to people: those of the model, and what it could not put into words that pass."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memci.engines.model.desk import Desk
from memci.engines.model.drafts import Hunk, NewStatement, try_resolve
from memci.engines.model.phases import RETIRED
from memci.engines.protocol import OpenDraft
from memci.guards.evidence_support import find_new_grave
from memci.guards.evidence_text import EvidenceText, make_source
from memci.guards.exact_words import find_unknown_place
from memci.model.conversation import LogLine
from memci.model.plan import Evidence, EvidenceKind, NeedsPerson, Refusal
from memci.patterns import LazyPattern
from memci.redaction.hidden import strip_hidden
from memci.redaction.injection import find_injections
from memci.redaction.secrets import redact

# The words that a refusal names.
_NAMED = LazyPattern(r"`([^`]{1,60})`|\"([^\"]{1,60})\"")
# Statements that these guards refuse are shown to people; what others refuse may do harm by being shown.
_SHOWN = frozenset(("supported", "verify", "evidence", "retire-proof", "date-relative"))
_MAX_SHOWN = 300
# What a guard would say is for the model; people decide by the statement and the quotation.
_REASONS = {
    "supported": "its words differ from what was said",
    "verify": "a second reading did not find it in what was said",
    "evidence": "its quotation was not found",
    "retire-proof": "nothing proves that what it replaces is wrong",
    "in-guide": "a guide says it already",
}
# Why a line may go, in the order of the reasons that a model can give.
_GOES = dict(
    zip(
        RETIRED,
        (
            "a newer statement seems to replace it",
            "a person seems to take it back",
            "the repository seems to say otherwise",
            "it seems to be over",
            "it seems to be said elsewhere",
        ),
        strict=True,
    )
)


def read_questions(reply: Mapping[str, Any], desk: Desk) -> Iterator[tuple[NeedsPerson, OpenDraft]]:
    """Yield the questions of a reply; code, addresses and grave words in them must be of this dream."""
    everything = [signal.text for signal in desk.request.conversation.signals]
    everything += (answer for _, answer in desk.answers.values())
    everything += (line.unit.text for line in desk.lines.values())
    everything += (draft.scope.index.text for draft in desk.request.drafts if draft.scope.index)
    everything.append(desk.request.now.date().isoformat())
    for told in reply["questions"]:
        cited = [(proof["id"], proof["quote"]) for proof in told["evidence"]]
        evidence = try_resolve(cited, desk)
        draft, topic = desk.topics.get(told["about"], (desk.request.drafts[0], None))
        body = topic.text if topic else ""
        texts = [proof.quote for proof in evidence]
        question, proposal = (_show(told[key]) for key in ("question", "proposal"))
        notes = [line for name, _ in cited for line in _find_notes(name, desk)]
        source = make_source((body, *texts, *everything, *(line.text for line in notes)))
        if not (evidence or topic or notes):
            continue
        if not _is_harmless(question, source):
            question, proposal = "is this still right?", ""
        proposal = proposal if _is_harmless(proposal, source) else ""
        for line in notes:
            # Nobody is known to have said it, so a person decides.
            question += f" (noted by the agent on {line.day.isoformat()}: “{_show(line.text)}”)"
        yield NeedsPerson(question, topic.path if topic else None, evidence, proposal), draft


def _find_notes(name: str, desk: Desk) -> list[LogLine]:
    """Return the line of a daily log with this id, if it is a note of the agent without injections."""
    lines = (line for key, line in zip(desk.logged, desk.request.conversation.log, strict=True) if key == name)
    return [line for line in lines if line.signal is None and not find_injections(line.text)]


def _is_harmless(text: str, source: EvidenceText) -> bool:
    """Tell whether people may be shown a question of a model: it cannot lead them anywhere, or ask for harm."""
    return not (find_injections(text) or find_unknown_place(text, source.exact) or find_new_grave(text, source))


def _show(text: str) -> str:
    return strip_hidden(redact(" ".join(text.split())))[:_MAX_SHOWN]


def _tell_words(problem: Refusal) -> str:
    """Return which words of a statement were not found; "" if the refusal does not tell."""
    words = ", ".join(f"“{_show(one or other)}”" for one, other in _NAMED.findall(problem.why))
    if problem.guard != "supported" or not words:
        return ""
    if "turns around" in problem.why:
        return f"it may turn round what was said about {words}"
    return f"{words} is not in what was said" if "is not in the cited evidence" in problem.why else ""


def ask_about_change(hunk: Hunk, entries: Sequence[NewStatement], problem: Refusal, desk: Desk) -> None:
    """Ask people about a change that was refused to the end, with what was said."""
    cited = [pair for entry in entries for pair in entry.cited]
    evidence = try_resolve((*cited, *hunk.cited), desk)
    said = tuple(proof for proof in evidence if proof.kind is EvidenceKind.SIGNAL)
    quoted = said or evidence
    text = _show(" ".join(entry.text for entry in entries))
    shown = problem.guard in _SHOWN and not find_injections(text)
    path = hunk.path if hunk.draft.scope.topic(hunk.path) else None
    why = _tell_words(problem) or _REASONS.get(problem.guard, "a guard refuses it")
    lines = "; ".join(f"“{_show(unit.words)}”" for unit in hunk.removed[:2])
    if entries:
        reason = f"not written: {why}" + (f"; the line now says {lines}" if lines else "")
    elif hunk.removed:
        goes = next((_GOES[reason] for reason in hunk.reasons if reason in _GOES), "the model would")
        # What somebody wants out is not repeated.
        unsaid = said and RETIRED[1] in hunk.reasons
        reason = f"remove {'a line' if unsaid else lines}? {goes}"
    else:
        reason = "put this here? " + "; ".join(f"“{_show(moved.unit.words)}”" for moved in hunk.moved[:2])
    if evidence or path:
        kept: tuple[Evidence, ...] = quoted[:4]
        hunk.draft.propose(NeedsPerson(reason, path, kept, text if shown else ""))
