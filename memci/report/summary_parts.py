"""The parts of the summary of a dream: entries, questions, proofs and links, for a pull request or a terminal."""

import functools
import urllib.parse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.model.memory import INDEX_NAME
from memci.model.plan import Evidence, EvidenceKind, LedgerEntry, PlanStatus, ScopePlan
from memci.model.session import Origin
from memci.patterns import LazyPattern
from memci.report.change_entries import FLAGS, ChangeEntry, ChangeGroup, explain_removed, list_changes
from memci.report.dream_result import find_secret_lines, name_session, redact_line
from memci.report.escape import entities, markdown, markdown_words, shorten, visible
from memci.report.open_questions import OpenQuestion, list_all_questions
from memci.report.text_diff import show_change
from memci.report.text_templates import Level

# Between the repository and the ref: of a branch, of a commit; what comes before the second line of a range.
_FORMS = {
    "github": ("blob", "blob", "commit", "L"),
    "gitea": ("src/branch", "src/commit", "commit", "L"),
    "gitlab": ("-/blob", "-/blob", "-/commit", ""),
}


@dataclass(frozen=True, slots=True)
class ForgeLinks:
    """The repository at a forge: its kind and page, the branch with the changes, and the commit without them."""

    kind: str
    web: str
    branch: str
    base: str

    def file(self, path: PurePosixPath, lines: str = "", *, old: bool = False) -> str:
        """Return the address of a file on the branch, or of the old one; "" if the path leads out of the repository."""
        branch, commit, _, mark = _FORMS[self.kind]
        if path.is_absolute() or ".." in path.parts:
            return ""
        ref = f"{commit}/{self.base}" if old else f"{branch}/{self.branch}"
        first, _, last = lines.partition("-")
        anchor = f"#L{first}" if first.isdigit() else ""
        anchor += f"-{mark}{last}" if anchor and last.isdigit() else ""
        return f"{self.web}/{urllib.parse.quote(f'{ref}/{path}', errors='replace')}{anchor}"

    def commit(self, commit: str) -> str:
        """Return the address of a commit."""
        return f"{self.web}/{_FORMS[self.kind][2]}/{urllib.parse.quote(commit)}"


# Files of one tidied entry; more are counted.
_MAX_FILES = 8
_COMMIT = LazyPattern(r"(?<= in )([0-9a-f]{10})(?= on \d{4}-\d\d-\d\d)|^([0-9a-f]{10})(?= \d{4}-\d\d-\d\d )")
_HASH = LazyPattern(r"[0-9a-f]{7,40}")
_FOUND_LINE = LazyPattern(r"([^:\s]{1,300}):(\d{1,7}): (.*)")
_ASKED_LINES = LazyPattern(r"lines:(.{1,300}):(\d{1,7}-\d{1,7})")


@dataclass(frozen=True, slots=True)
class Style:
    """How texts are escaped: words, code, and a link to an address of our own making, which may be empty."""

    words: Callable[[str], str]
    code: Callable[[str], str]
    link: Callable[[str, str], str]

    def name(self, text: str, limit: int) -> str:
        """Show a name in code font."""
        return self.code(shorten(_clean(text), limit))

    def say(self, text: str, limit: int) -> str:
        """Show a text with plain words in the normal font."""
        return self.words(shorten(_clean(text), limit))


def _link_html(text: str, address: str) -> str:
    # Forges look for mentions and references neither in code nor in links.
    return f'<a href="{address}">{entities(visible(text))}</a>' if address else markdown(text)


# HTML, which forges show in Markdown, and a terminal: every text has been made visible before.
HTML = Style(markdown_words, markdown, _link_html)
PLAIN = Style(str, str, lambda text, _: text)


def join_quotes(text: str, quotes: Sequence[str]) -> str:
    """Return the quotations of a message in its order, those that touch as one; a part of another says nothing more."""
    places = sorted((text.find(quote), -len(quote), quote) for quote in dict.fromkeys(quotes))
    joined: list[str] = []
    end = -1
    for start, _, quote in places:
        if start < 0:
            joined.append(quote)
        elif start + len(quote) > end:
            if joined and end >= 0 and not text[end:start].strip():
                joined[-1] += text[end : start + len(quote)] if start >= end else quote[end - start :]
            else:
                joined.append(quote)
            end = start + len(quote)
    return " … ".join(joined)


class PartsWriter:
    """Describes the parts of one plan; knows which lines must not be shown, whose words are quoted, and addresses."""

    def __init__(self, plan: ScopePlan, links: ForgeLinks | None, style: Style, *, several: bool) -> None:
        self.plan = plan
        self._links = links
        self._style = style
        self._several = several
        self._hidden = find_secret_lines(plan)
        self._signals = {signal.id: signal for signal in plan.signals}
        self._removers = explain_removed(plan)

    def tell_entry(self, entry: ChangeEntry, level: Level) -> dict[str, object]:
        """Describe a change: the statement, its files, what it was before, and the proofs."""
        tidied = entry.group is ChangeGroup.TIDIED
        said, was = show_change(self._redact(entry.said), self._redact(entry.was))
        proofs = [] if tidied else list(self._tell_proofs(entry.evidence, entry.said, level))
        if not proofs and entry.group is ChangeGroup.REMOVED:
            proofs = list(self._tell_homes(entry, level))
        if not proofs and not tidied:
            proofs = list(self._tell_old_lines(entry, level))
        if not proofs and not tidied and entry.reason != entry.said:
            proofs = [self._say(entry.reason, level)]
        return {
            "flags": ", ".join(FLAGS[flag] for flag in entry.shown_flags),
            "said": self._style.words(shorten(said, level.quote)),
            "was": self._style.words(shorten(was, level.quote)),
            "files": [self._link_file(path, level) for path in entry.files[:_MAX_FILES]],
            "more_files": max(0, len(entry.files) - _MAX_FILES),
            "proofs": proofs[: level.details],
            "more": max(0, len(proofs) - level.details),
            "pointers": [self._say(row.removeprefix("- "), level) for row in entry.pointers[: level.rows]],
        }

    def _tell_old_lines(self, entry: ChangeEntry, level: Level) -> Iterator[str]:
        """Yield the lines of memory that an entry is based on, but for those that it replaces."""
        for proof in dict.fromkeys(entry.evidence):
            if proof.kind is EvidenceKind.MEMORY and not any(text in proof.quote for text in entry.removed):
                place = self._link_file(PurePosixPath(proof.source), level, old=True)
                yield f"{place} said: “{self._say(proof.quote, level)}”"

    def _tell_homes(self, entry: ChangeEntry, level: Level) -> Iterator[str]:
        """Yield the other topics that say what leaves, with their words."""
        for proof in dict.fromkeys(entry.evidence):
            path = PurePosixPath(proof.source)
            if proof.kind is not EvidenceKind.MEMORY or path in entry.files or path.name == INDEX_NAME:
                continue
            if path in self.plan.after:
                yield f"also said in {self._link_file(path, level)}: “{self._say(proof.quote, level)}”"

    def tell_question(self, question: OpenQuestion, level: Level) -> dict[str, object]:
        """Describe a question: its place, the proposed answer, what is open, and the proofs."""
        proofs = list(self._tell_proofs(question.evidence, question.asks, level))
        return {
            "place": self._link_file(question.file, level, question.line) if question.file else "",
            "proposal": self._say(question.proposal, level),
            "asks": self._link_commits(question.asks, level),
            "now": self._say(question.now, level),
            "proofs": proofs[: level.details],
            "more": max(0, len(proofs) - level.details),
        }

    def tell_removed(self, entry: LedgerEntry, level: Level) -> dict[str, str]:
        """Describe an old line that leaves, with the reason of the operation that took it out."""
        reason = self._removers.get(entry.text.strip(), entry.reason)
        return {
            "place": self._link_file(entry.file, level, entry.line, old=True),
            "text": self._say(entry.text.strip(), level),
            "reason": self._say(reason, level),
        }

    def tell_refused(self, level: Level) -> list[str]:
        """Describe what guards refused, in the order in which it was proposed."""
        return [
            f"{one.operation.kind.value} {self._style.name(self._name(one.operation.file), level.name)}: "
            f"{self._say(one.why, level)} ({self._style.name(one.guard, level.name)})"
            for one in self.plan.refused
        ]

    def _tell_proofs(self, evidence: tuple[Evidence, ...], told: str, level: Level) -> Iterator[str]:
        """Yield quotations by message, then findings and look-ups; old lines of memory are shown elsewhere."""
        said: dict[str, list[str]] = {}
        for proof in evidence:
            if proof.kind is EvidenceKind.SIGNAL:
                said.setdefault(proof.source, []).append(proof.quote)
        for source, quotes in said.items():
            signal = self._signals.get(source)
            whole = join_quotes(signal.text if signal else "", quotes)
            yield f"“{self._say(whole, level)}” — {self._name_speaker(source, level)}"
        for proof in dict.fromkeys(evidence):
            if proof.kind is EvidenceKind.FINDING and proof.quote not in told:
                yield self._link_commits(proof.quote, level)
            elif proof.kind is EvidenceKind.LOOKUP:
                yield self._tell_lookup(proof, level)

    def name(self, path: PurePosixPath, level: Level) -> str:
        """Show the name of a file, by its scope if there are several."""
        return self._style.say(self._name(path), level.name)

    def _name_speaker(self, source: str, level: Level) -> str:
        signal = self._signals.get(source)
        if signal is None:
            return "a person"
        name = self._style.say(signal.speaker, level.name) or "a person"
        day = f", {signal.timestamp.date().isoformat()}" if signal.timestamp else ""
        often = f", said {signal.strength} times" if signal.strength > 1 else ""
        place, session = signal.session.removeprefix("log:"), name_session(signal.session)
        if place == signal.session and signal.origin is Origin.LOG:
            # `memci adopt`; daily logs have a place.
            return "the proposer's own memory"
        if place == signal.session:
            return f"{name}{day}, session {self._style.name(session, level.name)}{often}"
        address = self._address(PurePosixPath(place), signal.uuid[1:], old=True)
        return f"{name}{day}, {self._style.link(session, address)}{often}"

    def _tell_lookup(self, proof: Evidence, level: Level) -> str:
        quote = _clean(proof.quote)
        if asked := _ASKED_LINES.fullmatch(proof.source):
            place = self._link_old(asked[1], asked[2])
            # The first line of an answer only repeats the place.
            return f"see {place}" if quote.startswith(f"{asked[1]} at ") else f"{place}: {self._code(quote, level)}"
        if found := _FOUND_LINE.fullmatch(quote):
            return f"{self._link_old(found[1], found[2])}: {self._code(found[3].strip(), level)}"
        if _COMMIT.match(quote):
            return self._link_commits(proof.quote, level)
        kind, _, asked_for = proof.source.partition(":")
        if kind == "commit" and _HASH.fullmatch(asked_for):
            return f"{self._link_commit(asked_for)}: {self._say(proof.quote, level)}"
        return f"{self._style.name(asked_for, level.name)}: {self._say(proof.quote, level)}"

    def _link_old(self, path: str, lines: str) -> str:
        return self._style.link(f"{_clean(path)}:{lines}", self._address(PurePosixPath(path), lines, old=True))

    def _link_file(self, path: PurePosixPath, level: Level, line: int = 0, *, old: bool = False) -> str:
        name = shorten(_clean(self._name(path)), level.name) + (f":{line}" if line else "")
        old = old or path not in self.plan.after
        # A dead pointer leads to no file at all.
        known = path in (self.plan.before if old else self.plan.after)
        return self._style.link(name, self._address(path, str(line or ""), old=old) if known else "")

    def _address(self, path: PurePosixPath, lines: str, *, old: bool) -> str:
        # A name with a secret is not shown, so it is not linked either.
        safe = _clean(str(path)) == visible(str(path))
        return self._links.file(path, lines, old=old) if self._links and safe else ""

    def _link_commits(self, text: str, level: Level) -> str:
        pieces = [piece for piece in _COMMIT.split(shorten(self._redact(text), level.quote)) if piece is not None]
        # Every second piece is a commit.
        return "".join(
            self._link_commit(piece) if number % 2 else self._style.words(piece) for number, piece in enumerate(pieces)
        )

    def _link_commit(self, commit: str) -> str:
        return self._style.link(commit, self._links.commit(commit) if self._links else "")

    def _name(self, path: PurePosixPath) -> str:
        scope = self.plan.scope.path
        inside = path.relative_to(scope) if path.is_relative_to(scope) else path
        return f"{scope.name}/{inside}" if self._several and inside != path else str(inside)

    def _redact(self, text: str) -> str:
        return visible(redact_line(text, self._hidden)) if self._hidden else _clean(text)

    def _say(self, text: str, level: Level) -> str:
        return self._style.words(shorten(self._redact(text), level.quote)) if text else ""

    def _code(self, text: str, level: Level) -> str:
        return self._style.code(shorten(self._redact(text), level.quote))


# Every level shows the same texts again; the size bounds memory use.
@functools.lru_cache(maxsize=1024)
def _clean(text: str) -> str:
    return visible(redact_line(text))


@dataclass(frozen=True, slots=True)
class Summary:
    """What plans come to, each part with who tells it."""

    entries: tuple[tuple[PartsWriter, ChangeEntry], ...]
    questions: tuple[tuple[PartsWriter, OpenQuestion], ...]
    writers: tuple[PartsWriter, ...]


def read_summary(plans: Sequence[ScopePlan], links: ForgeLinks | None, style: Style) -> Summary:
    """Read the changes by group, flagged ones first, and the questions, those with a proposed answer first."""
    several = len({plan.scope.path for plan in plans if plan.operations or plan.needs_person}) > 1
    writers = tuple(PartsWriter(plan, links, style, several=several) for plan in plans)
    changed = [writer for writer in writers if writer.plan.status is PlanStatus.CHANGED]
    entries = [(writer, entry) for writer in changed for entry in list_changes(writer.plan)]
    order = list(ChangeGroup)
    entries.sort(key=lambda one: (order.index(one[1].group), not one[1].flags))
    by_plan = {id(writer.plan): writer for writer in writers}
    questions = [(by_plan[id(plan)], question) for plan, question in list_all_questions(plans)]
    return Summary(tuple(entries), tuple(questions), writers)
