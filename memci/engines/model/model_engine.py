"""Asks a model for drafts with everything in sight; what it writes is judged, and corrected at most twice."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memci.engines.claude.calls import Failure
from memci.engines.local import LocalEngine
from memci.engines.model.changes import DraftChanges
from memci.engines.model.desk import Desk, is_shown, lay_out
from memci.engines.model.judge_statements import StatementJudge
from memci.engines.model.look_up import ask_for_drafts
from memci.engines.model.material import Clean
from memci.engines.model.phases import IN_GUIDE, PLANTED, SAID_ALREADY, TAKEN_BACK, TASK, consolidate_phase
from memci.engines.model.prompts import drop_oldest, split_request, write_prompt, write_repair
from memci.engines.model.questions import read_questions
from memci.engines.model.repetitions import find_repetitions
from memci.engines.model.replies import Model
from memci.engines.protocol import ConsolidationRequest
from memci.model.plan import Evidence, EvidenceKind, LeftOut, NeedsPerson
from memci.model.session import SignalKind, Turn
from memci.redaction.secrets import REDACTED
from memci.use.repeated_rules import KnownRule, Repetition

MAX_REPAIRS = 2
# Explicit requests of a person, which a model may not ignore.
_ASKED_FOR = frozenset((SignalKind.REMEMBER, SignalKind.FORGET))
_EVERYDAY = frozenset((SAID_ALREADY, TASK))
_MAX_WORDS = 200
_SETTLED = frozenset((SAID_ALREADY, TAKEN_BACK, IN_GUIDE))


class ModelEngine:
    """Reads conversations and memory as a whole; the embedded engine takes over only where there is no reply."""

    name = "claude"
    reads_conversations = True

    def __init__(self, model: Model, clean: Clean = str) -> None:
        self._model = model
        self._clean = clean
        # Messages for the result.
        self.failures: list[str] = []
        self.tally: Counter[str] = Counter()

    def find_repetitions(self, rules: Sequence[KnownRule], turns: Sequence[Turn]) -> list[Repetition]:
        """Ask the small model twice; without an answer there are none."""
        return find_repetitions(rules, turns, self._model, self._clean, self.failures)

    def consolidate(self, request: ConsolidationRequest) -> None:
        """Ask about every scope that has news or findings, all at once if they fit."""
        for part in split_request(request, self._model, self._clean, self.failures):
            if _has_news(part) and not self._consolidate(part):
                LocalEngine().consolidate(part)

    def _consolidate(self, request: ConsolidationRequest) -> bool:
        """Return False if there was no reply."""
        desk = lay_out(request)
        prompt, reply = ask_for_drafts(self._model, write_prompt(desk, self._clean), desk, self._clean)
        if isinstance(reply, Failure):
            self.failures.append(f"consolidate: {reply}")
            return False
        judge = StatementJudge(desk, self._model, self._clean)
        changes = DraftChanges(desk, judge, self.tally)
        changes.read(reply.value)
        for _ in range(MAX_REPAIRS):
            if not changes.refused or judge.failures:
                break
            repair = write_repair(prompt, changes.show_refused(), self._clean)
            answer = self._model.ask(consolidate_phase("repair"), repair, shorten=drop_oldest)
            if isinstance(answer, Failure):
                self.failures.append(f"repair: {answer}")
                break
            changes.repair(answer.value)
        changes.finish()
        for question, draft in read_questions(reply.value, desk):
            draft.propose(question)
        _ask_about_ignored(reply.value, desk, changes)
        for left_out in _list_left_out(reply.value, desk):
            request.drafts[0].leave_out(left_out)
        self.failures += judge.failures
        return True


def _list_left_out(reply: Mapping[str, Any], desk: Desk) -> Iterator[LeftOut]:
    """Yield what a reply passes over, but for what nobody would look for: tasks, and what memory says already."""
    for told in reply["passed_over"]:
        message = desk.messages.get(told["id"])
        if message and message.signal.text and told["why"] not in _EVERYDAY:
            when = message.turn.timestamp
            # What was pasted is somebody else's, and may be private; beside an order of theirs, so is what may be.
            shown = message.turn.typed if told["why"] == PLANTED else message.turn.told
            words = " ".join(shown.split())[:_MAX_WORDS] or "a message with words of somebody else"
            # What stands beside a secret, such as its host, is not shown either.
            words = "a message that held a secret" if REDACTED in message.signal.text else words
            yield LeftOut(words, told["why"], when.date().isoformat() if when else "")


def _has_news(request: ConsolidationRequest) -> bool:
    said = request.conversation.talks or request.conversation.log
    return bool(said) or any(is_shown(finding) for finding in request.findings)


def _ask_about_ignored(reply: Mapping[str, Any], desk: Desk, changes: DraftChanges) -> None:
    """Turn explicit requests to remember or forget into questions if a reply does nothing about them."""
    places = {name: (message.turn.session, message.turn.uuid) for name, message in desk.messages.items()}
    heard = {places.get(told["id"]) for told in reply["passed_over"] if told["why"] in _SETTLED}
    heard |= {places.get(proof["id"]) for told in reply["questions"] for proof in told["evidence"]}
    cited = changes.cited
    heard |= {(signal.session, signal.uuid) for signal in desk.request.conversation.signals if signal.id in cited}
    for draft in desk.request.drafts:
        for signal in desk.request.signals.get(draft.scope.scope.path, ()):
            if signal.kind in _ASKED_FOR and (signal.session, signal.uuid) not in heard:
                evidence = (Evidence(EvidenceKind.SIGNAL, signal.id, signal.text),)
                reason = f"a person asked to {signal.kind} this, and nothing was done about it"
                draft.propose(NeedsPerson(reason, None, evidence))
