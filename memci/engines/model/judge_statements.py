"""Judges new statements against what they cite: code first, then a small model that sees nothing else."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memci.citations.finding_proofs import list_proved
from memci.citations.lookups import evidence_text
from memci.engines.claude.calls import Failure
from memci.engines.model.ask_pairs import MAX_SHOWN, ask_pairs
from memci.engines.model.desk import Desk, WrongCitationError
from memci.engines.model.drafts import Hunk, NewStatement, resolve, try_resolve
from memci.engines.model.material import Clean
from memci.engines.model.phases import MAX_PAIRS
from memci.engines.model.replies import Model
from memci.guards.cited_texts import split_shown
from memci.guards.evidence_support import judge_statement
from memci.guards.evidence_text import make_source
from memci.guards.quoted_words import QUESTION, object_to_quote, quote_sentences
from memci.guards.read_evidence import read_memory, read_proof, read_signal
from memci.guards.short_texts import check_unflagged
from memci.memory.units import BodyUnit
from memci.model.plan import Evidence, EvidenceKind, Flag, FlagKind, Refusal
from memci.prose.dates.find import find_dates
from memci.prose.similar import stem_content

# Lines of the topic that tell what a line is about.
_MAX_BESIDE = 12


class Lead(NamedTuple):
    """A description or a hook, and the lines of its topic."""

    text: str
    lines: tuple[str, ...]


class _End(NamedTuple):
    """A line that goes, what is said instead, and what is cited."""

    line: str
    now: tuple[str, ...]
    evidence: tuple[Evidence, ...]


class StatementJudge:
    """Decides which new statements their evidence supports; what only a model can tell is asked in pairs."""

    def __init__(self, desk: Desk, model: Model, clean: Clean) -> None:
        self._desk = desk
        self._model = model
        self._clean = clean
        self._today = desk.request.now.date().isoformat()
        self._signals = {signal.id: signal for signal in desk.request.conversation.signals}
        self._before = {message.signal.id: message.turn.before for message in desk.messages.values()}
        # What was confirmed is not asked again when another statement of its change is corrected.
        self._confirmed: set[tuple[str, tuple[Evidence, ...]]] = set()
        # What was answered about lines that go, and about descriptions and hooks.
        self._ends: dict[_End, bool] = {}
        self._leads: dict[Lead, bool] = {}
        self.failures: list[str] = []

    def judge(self, hunks: Sequence[Hunk]) -> dict[int, Refusal]:
        """Return the problems of the new statements of these changes, by the identity of the statement."""
        problems: dict[int, Refusal] = {}
        asked: list[tuple[NewStatement, Hunk]] = []
        for hunk in hunks:
            for statement in hunk.new:
                problem = self._judge_words(statement, hunk)
                if problem:
                    problems[id(statement)] = problem
                elif (statement.text, statement.evidence) not in self._confirmed and (
                    statement.flag or any(proof.kind is EvidenceKind.SIGNAL for proof in statement.evidence)
                ):
                    asked.append((statement, hunk))
        for start in range(0, len(asked), MAX_PAIRS):
            problems |= self._compare(asked[start : start + MAX_PAIRS])
        return problems

    def _judge_words(self, statement: NewStatement, hunk: Hunk) -> Refusal | None:
        statement.flag = None
        try:
            statement.evidence = resolve(statement.cited, self._desk, statement.text)
        except WrongCitationError as error:
            return Refusal("evidence", str(error))
        if not statement.evidence:
            return Refusal("evidence", "it cites nothing; name the message, line, finding or look-up that says it")
        asked = [proof.quote for proof in statement.evidence if self._is_asked(proof)]
        texts, words = self._read_all(statement.evidence, hunk)
        if not texts:
            return Refusal("evidence", "it cites only questions, which state nothing")
        speakers = {
            self._signals[proof.source].speaker for proof in statement.evidence if proof.source in self._signals
        }
        before = [self._before.get(proof.source, "") for proof in statement.evidence]
        people = tuple(self._desk.request.people)
        quoted = [
            sentence
            for proof in statement.evidence
            if proof.source in self._signals and not self._is_asked(proof)
            for sentence in quote_sentences(self._signals[proof.source], proof.quote)
        ]
        named = (*asked, self._today)
        source = make_source(texts, people, sorted(speakers - {""}), words, named, filter(None, before), quoted)
        support = judge_statement(statement.text, source, explains=statement.part != "statement")
        if support.refusal:
            return Refusal("supported", support.refusal)
        if support.unsettled or check_unflagged(statement.text, source, support):
            statement.flag = Flag(statement.text, self._classify(statement, support.unsettled, support.translated))
        return None

    def _read_all(self, evidence: Sequence[Evidence], hunk: Hunk) -> tuple[list[str], list[str]]:
        """Return the texts whose sense counts, and those of which only the words do: what goes, and older lines."""
        stated = [proof for proof in evidence if not self._is_asked(proof)]
        said = [proof for proof in stated if proof.kind is EvidenceKind.SIGNAL]
        shown = [proof for proof in stated if proof.kind in {EvidenceKind.FINDING, EvidenceKind.LOOKUP}]
        memory = [text for proof in stated if proof.kind is EvidenceKind.MEMORY for text in read_memory(proof.quote)]
        there, gone = split_shown(text for proof in shown for text in self._read(proof))
        told = [*(text for proof in said for text in self._read(proof)), *there]
        old = [unit.text for unit in hunk.removed]
        return (told, [*gone, *old, *memory]) if told else (memory, [*gone, *old])

    def _read(self, proof: Evidence) -> Sequence[str]:
        match proof.kind:
            case EvidenceKind.SIGNAL:
                return read_signal(self._signals[proof.source])
            case EvidenceKind.MEMORY:
                return (proof.quote,)
            case EvidenceKind.LOOKUP:
                answers = dict(self._desk.answers.values())
                return (evidence_text(proof.source, answers.get(proof.source, "")),)
            case EvidenceKind.FINDING:
                found = self._desk.request.proofs.get(proof.source)
                places = list_proved(found) if found else ()
                # The parentheses at the end have the subject of a commit, which is untrusted text.
                return (proof.quote.partition(" (")[0], *read_proof(places))

    def _is_asked(self, proof: Evidence) -> bool:
        signal = self._signals.get(proof.source)
        return signal is not None and object_to_quote(signal, proof.quote) == QUESTION

    def _classify(self, statement: NewStatement, unsettled: Sequence[str], translated: bool) -> FlagKind:  # noqa: FBT001
        if translated:
            return FlagKind.TRANSLATED
        context = stem_content(" ".join(self._before.get(proof.source, "") for proof in statement.evidence))
        return FlagKind.CONTEXT if stem_content(" ".join(unsettled)) & context else FlagKind.REWORDED

    def _compare(self, asked: Sequence[tuple[NewStatement, Hunk]]) -> dict[int, Refusal]:
        """Ask the small model about pairs of a statement and what was said."""
        verdicts = self._ask([self._show(number, *pair) for number, pair in enumerate(asked, 1)])
        if verdicts is None:
            return {
                id(statement): Refusal("verify", "nobody could compare it with its evidence") for statement, _ in asked
            }
        problems: dict[int, Refusal] = {}
        for number, (statement, _) in enumerate(asked, 1):
            told = verdicts.get(number)
            if told is None or not told["says"]:
                problems[id(statement)] = Refusal("verify", "a reader does not find it in what it cites: say only that")
            elif not told["own"]:
                problems[id(statement)] = Refusal(
                    "verify", "the person reports, quotes, asks or tries it out, and does not state it"
                )
            else:
                self._confirmed.add((statement.text, statement.evidence))
        return problems

    def _ask(self, pairs: Sequence[Mapping[str, object]]) -> dict[int, Mapping[str, bool]] | None:
        """Return the verdicts of the small model by the number of the pair; None if it does not answer."""
        verdicts = ask_pairs(pairs, self._model, self._clean)
        if isinstance(verdicts, Failure):
            self.failures.append(f"verify: {verdicts}")
            return None
        return verdicts

    def confirm_ends(self, hunks: Sequence[Hunk], restating: Mapping[str, Sequence[str]]) -> None:
        """Ask whether what is cited ends or replaces lines that go and that code cannot prove wrong.

        `restating` has the new statements of all changes by the lines that they cite.
        """
        names = {id(line.unit): name for name, line in self._desk.lines.items()}
        lines: dict[_End, tuple[BodyUnit, Hunk]] = {}
        for hunk in hunks:
            for unit in () if hunk.ended else hunk.removed:
                evidence = self._list_proofs(unit, hunk)
                # A line that stays may say the same.
                gone = {other.text for other in hunk.removed}
                memory = (proof.quote for proof in evidence if proof.kind is EvidenceKind.MEMORY)
                stays = (quote for quote in memory if quote not in gone)
                said = restating.get(names.get(id(unit), ""), ())
                now = dict.fromkeys((*(entry.text for entry in hunk.new), *said, *stays))
                # A line whose own days are over needs no other proof, and one that is said elsewhere none at all.
                if evidence or now or find_dates(unit.text):
                    lines[_End(unit.text, tuple(now), evidence)] = (unit, hunk)
        asked = [end for end in lines if end not in self._ends]
        for start in range(0, len(asked), MAX_PAIRS):
            part = asked[start : start + MAX_PAIRS]
            verdicts = self._ask([self._show_end(number, *lines[end], end) for number, end in enumerate(part, 1)])
            for number, end in enumerate(part, 1):
                told = (verdicts or {}).get(number)
                self._ends[end] = bool(told and told["says"] and told["own"])
        for end, (unit, hunk) in lines.items():
            if self._ends[end]:
                hunk.ended.append(Flag(unit.text, FlagKind.RETIRED))

    def confirm_leads(self, leads: Sequence[Lead]) -> frozenset[Lead]:
        """Return the descriptions and hooks that say what their topic says, as a reader finds."""
        asked = [lead for lead in dict.fromkeys(leads) if lead not in self._leads]
        for start in range(0, len(asked), MAX_PAIRS):
            part = asked[start : start + MAX_PAIRS]
            verdicts = self._ask(
                [{"pair": number, "hook": lead.text, "topic": lead.lines} for number, lead in enumerate(part, 1)]
            )
            for number, lead in enumerate(part, 1):
                told = (verdicts or {}).get(number)
                self._leads[lead] = bool(told and told["says"])
        return frozenset(lead for lead in leads if self._leads[lead])

    def _show_end(self, number: int, unit: BodyUnit, hunk: Hunk, end: _End) -> dict[str, object]:
        units, _ = self._desk.files.get(hunk.path, ([], ""))
        beside = [other.text for other in units if other is not unit][:_MAX_BESIDE]
        told = {"pair": number, "line": end.line, "beside": beside, "now": end.now, "today": self._today}
        return told | self._cite(end.evidence)

    def _list_proofs(self, unit: BodyUnit, hunk: Hunk) -> tuple[Evidence, ...]:
        """Return what is cited for a line that goes; the line itself and questions prove nothing."""
        _, own = hunk.retired.get(id(unit), ("", []))
        cited = (*try_resolve(own, self._desk), *(proof for entry in hunk.new for proof in entry.evidence))
        return tuple(dict.fromkeys(proof for proof in cited if proof.quote != unit.text and not self._is_asked(proof)))

    def _show(self, number: int, statement: NewStatement, hunk: Hunk) -> dict[str, object]:
        shown = {"pair": number, "statement": statement.text, **self._cite(statement.evidence)}
        shown |= {"today": self._today} if self._today in statement.text else {}
        shown |= {"before": [unit.text for unit in hunk.removed]} if hunk.removed else {}
        return shown

    def _cite(self, evidence: Sequence[Evidence]) -> dict[str, object]:
        said = [self._show_said(proof) for proof in evidence if proof.kind is EvidenceKind.SIGNAL]
        others = [self._show_source(proof) for proof in evidence if proof.kind is not EvidenceKind.SIGNAL]
        return {"said": said, "sources": others} if others else {"said": said}

    def _show_source(self, proof: Evidence) -> str:
        """Return the words of a source: an answer with its question, a finding with what its commit shows."""
        if proof.kind is EvidenceKind.LOOKUP:
            return f"{proof.source}: {proof.quote}"
        found = self._desk.request.proofs.get(proof.source) if proof.kind is EvidenceKind.FINDING else None
        return "\n".join((proof.quote, *(list_proved(found) if found else ())))

    def _show_said(self, proof: Evidence) -> dict[str, object]:
        signal = self._signals[proof.source]
        at = signal.text.find(proof.quote)
        start = max(0, at - MAX_SHOWN // 2) if len(signal.text) > MAX_SHOWN else 0
        told: dict[str, object] = {"message": signal.text[start : start + MAX_SHOWN], "quoted": proof.quote}
        told |= {"person": signal.speaker} if signal.speaker else {}
        told |= {"on": signal.timestamp.date().isoformat()} if signal.timestamp else {}
        before = self._before.get(signal.id)
        return {"agent_before": before, **told} if before else told
