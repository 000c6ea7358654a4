"""Judges claims that no longer hold by their history, which is read in bulk for all of them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from memci.citations.code.assigned_values import AssignedValue, read_value
from memci.citations.code.code_files import MAX_BYTES, iter_worktree
from memci.citations.code.manifests import Scripts, has_script
from memci.citations.code.name_search import Searcher
from memci.citations.code.names_in_code import MAX_FILES, defines, find_in_code, list_spellings
from memci.citations.code.repository_paths import PATH_KINDS
from memci.citations.extract.claims import is_archived
from memci.citations.history.deleted_files import Removals
from memci.citations.history.git_queries import History, LineOrigin
from memci.citations.history.old_names import (
    Asked,
    Break,
    Held,
    OldNames,
    describe_commits,
    find_breaks,
    find_value_break,
)
from memci.citations.history.renamed_files import Fate, Removed, Renamed, Split, is_shell
from memci.citations.history.written_at import Then, read_then
from memci.citations.kept_history import KeptHistory
from memci.git import history as git_history
from memci.model.citation import Claim, ClaimKind, Commit, Reason, Verdict, VerdictKind
from memci.model.memory import Unreadable
from memci.patterns import LazyPattern

_PROVEN = 60
# Of the commits that a memory cites, there must be so many for each unknown one. Of 11 public memories two were about
# sister repositories, too: one knew 11 of 21 commits, the other did not know 3.
_OWN_COMMITS = 10

_TEST = LazyPattern(r"(?i)(?:^|/)_{0,2}(?:tests?|specs?|e2e)_{0,2}/|(?:^|/)test_[^/]*$|[._-](?:test|spec)s?\.\w+$")


class Past(NamedTuple):
    """Everything that the claims in doubt need to know of the past."""

    then: Then
    # Per path that is gone, what became of it.
    fates: Mapping[str, Fate]
    ignored: frozenset[str]
    # Per citation, a branch and the path there.
    elsewhere: Mapping[str, tuple[str, str]]
    held: Held
    scripts: Mapping[str, tuple[Scripts, ...]]
    # Per claim about lines or a value, its file as it was when the claim was written.
    texts: Mapping[Claim, str]
    # The claims about files of which little more than the name was renamed.
    shells: frozenset[Claim]
    # The cited commits, and those of them that exist.
    cited: frozenset[str]
    commits: frozenset[str]
    # Per name, the commit that removed it, with the new name if it is still there; and commits that renamed files.
    breaks: Mapping[str, Break]
    renames: Mapping[str, Commit]

    def judge_path(self, claim: Claim) -> Verdict:
        """Judge a path that is not there now."""
        files = self.then.files_then(claim)
        if claim.text in self.ignored or (files and self.ignored.issuperset(files)):
            return Verdict(claim, VerdictKind.UNVERIFIABLE, Reason.IGNORED)
        held = self.then.path_then(claim)
        writer = self.then.writer(claim)
        if not held or writer is None:
            return self._never(claim)
        written = _name(writer)
        # Of several that are all gone, what became of the one that is meant would be a guess; and of a file that was
        # taken apart first, the place of the remainder is not the place of the content.
        unknown = self.then.means_several(claim) or claim in self.shells
        match None if unknown else self.fates.get(held):
            case Renamed(target=target, commit=commit, similarity=alike):
                broken = self.renames.get(commit)
                # Git calls half of a file that was split a rename; that is a hint, no proof. Where something was put
                # away, a line that tells people to use it would be wrong with the new place, too.
                put_away = is_archived(PurePosixPath(target)) and not is_archived(PurePosixPath(held))
                proven = alike >= _PROVEN and not put_away
                return Verdict(claim, VerdictKind.MOVED, None, target, written, held, broken, proven=proven)
            case Split(candidates=candidates, commit=commit):
                broken = self.renames.get(commit)
                return Verdict(claim, VerdictKind.MISSING, None, "", written, held, broken, candidates)
            case Removed(commit=commit, time=time, subject=subject):
                return Verdict(claim, VerdictKind.MISSING, None, "", written, held, Commit(commit, time, subject))
            case None:
                return Verdict(claim, VerdictKind.MISSING, None, "", written, held)

    def judge_name(self, claim: Claim) -> Verdict:
        """Judge a symbol, variable or flag that no code has now."""
        writer = self.then.writer(claim)
        names = self.held.files.get(writer.commit, {}) if writer else {}
        name = next(
            (name for name in list_spellings(claim) if writer and self.held.is_own(claim, writer.commit, name)), ""
        )
        if writer is None or not name:
            return self._never(claim)
        if self.ignored.issuperset(names[name]):
            return Verdict(claim, VerdictKind.UNVERIFIABLE, Reason.IGNORED)
        return self._judge_broken(claim, name, _name(writer), names[name][0])

    def _judge_broken(self, claim: Claim, name: str, written: Commit, place: str) -> Verdict:
        """Judge a name that was there when the line was written: gone, or called something else now."""
        broken = self.breaks.get(name)
        if broken is None:
            return Verdict(claim, VerdictKind.MISSING, None, "", written, place)
        target = claim.text.replace(name, broken.renamed) if broken.renamed and claim.text.count(name) == 1 else ""
        proven = bool(target)
        return Verdict(claim, VerdictKind.MISSING, None, target, written, place, broken.commit, proven=proven)

    def judge_script(self, claim: Claim) -> Verdict:
        """Judge a script or target that no manifest defines now."""
        writer = self.then.writer(claim)
        before = self.scripts.get(writer.commit, ()) if writer else ()
        if writer is None or not has_script(before, claim.context, claim.text):
            # An environment of Python has programs of others, too.
            foreign = claim.context in ("python", "uv", "poetry")
            return Verdict(claim, VerdictKind.UNVERIFIABLE, Reason.UNDECIDED) if foreign else self._never(claim)
        held = (scripts for scripts in before if claim.text in scripts.names | scripts.programs)
        place = next((scripts.path for scripts in held), "")
        return self._judge_broken(claim, claim.text, _name(writer), place)

    def judge_value(self, claim: Claim, path: str, now: AssignedValue) -> Verdict:
        """Judge a value that its file does not give the name now; it counts if it did when the line was written."""
        writer = self.then.writer(claim)
        then = read_value(path, self.texts.get(claim, ""), claim.text)
        if writer is None or then is None or not then.agrees(claim.value) or then.unit != now.unit:
            return self._never(claim)
        broken = find_value_break(self.then.history, path, claim.text, then)
        said = f"{now.range}{now.text}{now.unit}"
        return Verdict(claim, VerdictKind.MISSING, Reason.CHANGED, said, _name(writer), path, broken)

    def judge_commit(self, claim: Claim) -> Verdict:
        """Judge a cited commit; in an incomplete clone its absence proves nothing."""
        if claim.text in self.commits:
            return Verdict(claim, VerdictKind.VERIFIED, target=claim.text)
        known = self.then.history.completeness
        if known.shallow or known.missing or not known.commits:
            return Verdict(claim, VerdictKind.UNVERIFIABLE, Reason.NO_HISTORY)
        strange = len(self.cited - self.commits)
        # Nothing proves that a commit once was here. Where none is known, or several are not, the memory is about other
        # repositories as well, as long as it does not mostly cite commits of this one.
        if not self.commits or (strange > 1 and len(self.cited) < _OWN_COMMITS * strange):
            return Verdict(claim, VerdictKind.UNVERIFIABLE, Reason.NEVER)
        return Verdict(claim, VerdictKind.MISSING)

    def judge_move(self, claim: Claim, now: Sequence[str], root: Path) -> Verdict | None:
        """Say where a symbol is now that the file named with it defined when the line was written; None if unsure."""
        writer = self.then.writer(claim)
        name = list_spellings(claim)[0]
        named = self.held.list_definers(claim, writer.commit, name) if writer else []
        if writer is None or not named:
            return None
        before = self.held.files[writer.commit][name]
        if len(now) >= MAX_FILES or self._keeps(named, name, root):
            return None
        read = iter_worktree(root, now, MAX_BYTES)
        definers = [path for path, data in read if not isinstance(data, Unreadable) and defines(data, name)]
        # What a test has under the same name is a copy, or a stand-in.
        if len(definers) != 1 or (_TEST.search(definers[0]) and not _TEST.search(before[0])):
            return None
        broken = self.breaks[name].commit if name in self.breaks else None
        return Verdict(claim, VerdictKind.MOVED, None, definers[0], _name(writer), before[0], broken)

    def _keeps(self, named: Sequence[str], name: str, root: Path) -> bool:
        """Whether one of the files has the name still, wherever the file is now."""
        fates = (self.fates.get(path) for path in named)
        today = [*named, *(fate.target for fate in fates if isinstance(fate, Renamed))]
        searcher = Searcher((name,))
        return any(find_in_code(path, data, searcher) for path, data in iter_worktree(root, today, MAX_BYTES))

    def name_writer(self, claim: Claim) -> Commit | None:
        """Return the commit that wrote the line of a claim, if it is known."""
        writer = self.then.writer(claim)
        return _name(writer) if writer else None

    def _never(self, claim: Claim) -> Verdict:
        if claim.text in self.elsewhere:
            place = ":".join(self.elsewhere[claim.text])
            return Verdict(claim, VerdictKind.UNVERIFIABLE, Reason.ELSEWHERE, candidates=(place,))
        known = self.then.history.completeness
        unknown = known.shallow or not known.commits
        return Verdict(claim, VerdictKind.UNVERIFIABLE, Reason.NO_HISTORY if unknown else Reason.NEVER)


def _name(writer: LineOrigin) -> Commit:
    return Commit(writer.commit, writer.time)


def _follow(holders: Mapping[str, Collection[str]], fates: Mapping[str, Fate]) -> dict[str, set[str]]:
    """Add later names of the files that had a name: it may have been removed there."""
    later = {
        path: fate.target if isinstance(fate, Renamed) else fate.path
        for path, fate in fates.items()
        if not isinstance(fate, Split)
    }
    return {name: {*paths, *(later[path] for path in paths if path in later)} for name, paths in holders.items()}


def _list_shells(then: Then, claims: Iterable[Claim], fates: Mapping[str, Fate], root: Path) -> frozenset[Claim]:
    paths = {claim: path for claim in claims if (path := then.path_then(claim))}
    renamed = {path: fate.target for path in set(paths.values()) if isinstance(fate := fates.get(path), Renamed)}
    old = then.read_texts((claim, path) for claim, path in paths.items() if path in renamed)
    read = iter_worktree(root, sorted({renamed[paths[claim]] for claim in old}), MAX_BYTES)
    new = {path: data.decode("utf-8", "replace") for path, data in read if not isinstance(data, Unreadable)}
    return frozenset(claim for claim, text in old.items() if is_shell(text, new.get(renamed[paths[claim]], text)))


def _keep_names(breaks: Mapping[str, Break], root: Path) -> dict[str, Break]:
    """Leave out new names that are not there any more."""
    files = sorted({broken.path for broken in breaks.values() if broken.renamed})
    texts = {path: data for path, data in iter_worktree(root, files, MAX_BYTES) if not isinstance(data, Unreadable)}
    return {
        name: broken
        if broken.renamed and Searcher((broken.renamed,)).find(texts.get(broken.path, b""))
        else Break(broken.commit)
        for name, broken in breaks.items()
    }


def _list_asked(claims: Iterable[Claim], then: Then) -> Asked:
    symbols: set[tuple[str, str]] = set()
    others: set[tuple[str, str]] = set()
    for claim in claims:
        pairs = symbols if claim.kind is ClaimKind.SYMBOL else others
        writer = then.writer(claim)
        pairs.update((writer.commit, name) for name in list_spellings(claim) if writer)
    return Asked(symbols, others)


def _list_own(places: Mapping[Claim, str], then: Then, held: Held) -> frozenset[str]:
    """Return the names whose end matters: they were the code's own when somebody wrote of them."""
    return frozenset(
        name
        for claim, place in places.items()
        if (writer := then.writer(claim))
        for name in list_spellings(claim)
        if (held.list_definers if place else held.is_own)(claim, writer.commit, name)
    )


def _list_tasks(claims: Iterable[Claim], then: Then, scripts: Mapping[str, tuple[Scripts, ...]]) -> frozenset[str]:
    """Return the scripts that a manifest had when somebody wrote of them."""
    return frozenset(
        claim.text
        for claim in claims
        if claim.kind is ClaimKind.SCRIPT
        and (writer := then.writer(claim))
        and has_script(scripts.get(writer.commit, ()), claim.context, claim.text)
    )


def read_past(
    history: History, places: Mapping[Claim, str], root: Path, memory: Collection[str], kept: KeptHistory
) -> Past:
    """Read what the claims need: one blame per memory file, and a constant number of processes for the rest.

    `places` says for each claim where it holds now, if it does.
    """
    claims = list(places)
    then = read_then(history, claims, root, kept)
    repository = history.repository
    asked = _list_asked(claims, then)
    names = OldNames(history, then.lost_places(), asked, memory, kept)
    own = _list_own(places, then, names.read_written())
    held = names.read_all(own)
    scripts = then.read_scripts() if any(claim.kind is ClaimKind.SCRIPT for claim in claims) else {}
    tasks = _list_tasks(claims, then, scripts)
    holders = held.list_holders(own | tasks)
    for name in tasks:
        holders[name].update(one.path for found in scripts.values() for one in found)
    located = [claim for claim in claims if claim.kind in PATH_KINDS]
    cited = [claim.text for claim in located]
    files = [path for claim in located for path in then.files_then(claim)]
    gone = {path for claim in located if (path := then.path_then(claim))}
    gone |= set().union(*holders.values()) - history.present
    fates = Removals(history).find_fates(gone) if gone else {}
    lines = {claim: path for claim, path in places.items() if claim.kind is ClaimKind.LINES and path}
    values = {claim: path for claim, path in places.items() if claim.kind is ClaimKind.VALUE and path}
    # Comparing branches takes longest, and what was here once needs none.
    unknown = [claim.text for claim in located if not (then.path_then(claim) and then.writer(claim))]
    ids = frozenset(claim.text for claim in claims if claim.kind is ClaimKind.COMMIT)
    renaming = {fate.commit for fate in fates.values() if not isinstance(fate, Removed)}
    return Past(
        then=then,
        fates=fates,
        ignored=git_history.list_ignored(repository, [*cited, *files, *gone]) if gone or cited else frozenset(),
        elsewhere=history.find_elsewhere(unknown) if unknown else {},
        held=held,
        scripts=scripts,
        texts=then.read_texts((*values.items(), *(item for item in lines.items() if then.is_stated(item[0])))),
        shells=_list_shells(then, located, fates, root),
        cited=ids,
        commits=git_history.find_objects(repository, ids) if ids else frozenset(),
        breaks=_keep_names(find_breaks(repository, _follow(holders, fates), history.limits.seconds), root),
        renames=describe_commits(repository, renaming),
    )
