"""The two gates: whether a claim holds now, and whether it held at the commit that wrote its line.

A claim that held then and does not hold now is stale, with proof. One that never held is a name from elsewhere, a
plan or a placeholder, and is not reported.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from memci.citations.code.assigned_values import AssignedValue, read_value
from memci.citations.code.code_files import MAX_BYTES, is_evidence, iter_worktree, search_tree
from memci.citations.code.manifests import Scripts, has_manifest, has_program, has_script, is_manifest, parse_scripts
from memci.citations.code.name_search import Searcher
from memci.citations.code.names_in_code import MAX_FILES, find_in_code, list_loose_spellings, list_spellings
from memci.citations.code.repository_paths import PATH_KINDS, Paths, cited_bases, is_memory
from memci.citations.kept_history import KeptHistory
from memci.git.repository import Repository
from memci.model.citation import Claim, ClaimKind, Reason, Verdict, VerdictKind, Wording
from memci.model.memory import Unreadable

if TYPE_CHECKING:
    from memci.citations.history.outcome import Past

# What programs write when they run, or look for where they run.
_OUTPUTS = (
    "json jsonl ndjson csv tsv parquet db sqlite sqlite3 log out txt pid lock cache tmp dat bin pkl pem key crt"
    " md html xml yaml yml toml ini"
)


class Present(NamedTuple):
    """The parts of the work tree that the claims refer to."""

    root: Path
    paths: Paths
    # Per spelling, files whose code has it: as many as the claims ask for.
    names: Mapping[str, Sequence[str]]
    # The symbols that are in the files named with them.
    cited: frozenset[tuple[str, str]]
    manifests: tuple[Scripts, ...]
    # Per line of memory, the symbols that it names.
    named: Mapping[tuple[PurePosixPath, int], Sequence[str]]
    # Per claim about a value, its file and what that gives the name.
    values: Mapping[Claim, tuple[str, AssignedValue]]


class JudgedClaims(NamedTuple):
    """The verdicts, and what could not be known."""

    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...] = ()
    # Whether a limit cut the history off: with more time, more could be known.
    truncated: bool = False


def judge_claims(
    claims: Sequence[Claim],
    root: Path,
    repository: Repository | None,
    files: Iterable[str],
    memory: Collection[str],
    kept: KeptHistory | None = None,
) -> JudgedClaims:
    """Judge every claim; `memory` lists the memory directories, which are no evidence."""
    present = read_present(claims, root, files, memory)
    places = {claim: _resolve_now(claim, present) for claim in dict.fromkeys(claims)}
    doubtful = {claim: place for claim, place in places.items() if _is_doubtful(claim, place, present)}
    if not (repository and doubtful):
        judged = {claim: _judge(claim, place, present, None) for claim, place in places.items()}
        return JudgedClaims(tuple(judged[claim] for claim in claims))
    # Loading what reads history takes as long as judging a small memory, and claims that hold do not need it.
    from memci.citations.exemptions import exempt_records
    from memci.citations.history.git_queries import History
    from memci.citations.history.outcome import read_past

    history = History(repository)
    places_of_values = {claim: path for claim, (path, _) in present.values.items() if claim in doubtful}
    past = read_past(history, doubtful | places_of_values, root, memory, kept or KeptHistory())
    judged = {claim: _judge(claim, place, present, past) for claim, place in places.items()}
    judged = exempt_records({claim: _date_break(verdict) for claim, verdict in judged.items()}, past, memory)
    return JudgedClaims(
        tuple(judged[claim] for claim in claims),
        history.completeness.sentences,
        history.completeness.truncated,
    )


def _date_break(verdict: Verdict) -> Verdict:
    """Leave out a breaking commit that is older than the line: what it removed had come back by then."""
    earlier = verdict.broken and verdict.written and verdict.broken.time < verdict.written.time
    if not earlier:
        return verdict
    renamed = verdict.kind is VerdictKind.MISSING and verdict.proven
    return replace(
        verdict, broken=None, target="" if renamed else verdict.target, proven=verdict.proven and not renamed
    )


def _is_doubtful(claim: Claim, place: str, present: Present) -> bool:
    """Whether history is needed: the claim does not hold, or not exactly as written."""
    if claim.wording is not Wording.PLAIN:
        return False
    return not place or claim.kind is ClaimKind.LINES or _is_displaced(claim, present)


def _is_displaced(claim: Claim, present: Present) -> bool:
    """Whether a symbol is in the code, but not in the file that is named with it."""
    place = _resolve_cited_place(claim, present.paths)
    # Many files are called `index.ts`; beside such a name it is unknown which of them should have the symbol.
    several = place is not None and present.paths.means_several(claim.context, cited_bases(claim))
    return place is not None and not several and place not in present.cited


def _judge(claim: Claim, place: str, present: Present, past: "Past | None") -> Verdict:
    if not place and claim.wording is not Wording.PLAIN:
        return Verdict(claim, VerdictKind.UNVERIFIABLE, Reason(claim.wording.value))
    if not place:
        return _judge_gone(claim, present, past)
    if claim.kind is ClaimKind.LINES and _is_judged_by_line(claim, present):
        from memci.citations.cited_lines import judge_lines

        return judge_lines(claim, place, present.root, past, present.named.get((claim.path, claim.line), ()))
    if past and claim.wording is Wording.PLAIN and _is_displaced(claim, present):
        moved = past.judge_move(claim, present.names.get(list_spellings(claim)[0], []), present.root)
        if moved:
            return moved
    return Verdict(claim, VerdictKind.VERIFIED, target=place)


def _is_judged_by_line(claim: Claim, present: Present) -> bool:
    """Whether cited lines are stated plainly, and their file is unambiguous."""
    several = present.paths.means_several(claim.text, cited_bases(claim))
    return claim.wording is Wording.PLAIN and not several


def read_present(claims: Sequence[Claim], root: Path, files: Iterable[str], memory: Collection[str]) -> Present:
    """Read the work tree once for all claims."""
    listed = frozenset(files)
    paths = Paths(listed)
    evidence = sorted(path for path in listed if is_evidence(path) and not is_memory(path, memory))
    cited = _find_cited(claims, root, paths, frozenset(evidence))
    found = {name: [path] for name, path in sorted(cited)}
    found |= search_tree(root, evidence, _count_wanted(claims, paths, cited))
    named: dict[tuple[PurePosixPath, int], list[str]] = {}
    for claim in claims:
        if claim.kind is ClaimKind.SYMBOL:
            named.setdefault((claim.path, claim.line), []).extend(list_spellings(claim))
    manifests: list[Scripts] = []
    for path, data in iter_worktree(root, sorted(filter(is_manifest, listed)), MAX_BYTES):
        if not isinstance(data, Unreadable):
            manifests += parse_scripts(path, data.decode("utf-8", "replace"))
    values = _read_values(claims, root, paths)
    return Present(root, paths, found, cited, tuple(manifests), named, values)


def _read_values(claims: Iterable[Claim], root: Path, paths: Paths) -> dict[Claim, tuple[str, AssignedValue]]:
    """Return what files give the names that are cited with a value; nothing where that is not clear."""
    wanted: dict[str, list[Claim]] = {}
    for claim in claims:
        if claim.kind is ClaimKind.VALUE and not paths.means_several(claim.context, cited_bases(claim)):
            wanted.setdefault(paths.find_file(claim.context, cited_bases(claim)), []).append(claim)
    found: dict[Claim, tuple[str, AssignedValue]] = {}
    for path, data in iter_worktree(root, sorted(filter(None, wanted)), MAX_BYTES):
        text = "" if isinstance(data, Unreadable) else data.decode("utf-8", "replace")
        for claim in wanted[path]:
            if value := read_value(path, text, claim.text):
                found[claim] = (path, value)
    return found


def _find_cited(
    claims: Iterable[Claim], root: Path, paths: Paths, evidence: Collection[str]
) -> frozenset[tuple[str, str]]:
    """Look for symbols in the files that are named with them: what is there need not be looked for elsewhere."""
    wanted: dict[str, set[str]] = {}
    for name, path in filter(None, (_resolve_cited_place(claim, paths) for claim in claims)):
        if path in evidence:
            wanted.setdefault(path, set()).add(name)
    read = iter_worktree(root, sorted(wanted), MAX_BYTES)
    return frozenset((name, path) for path, data in read for name in find_in_code(path, data, Searcher(wanted[path])))


def _resolve_cited_place(claim: Claim, paths: Paths) -> tuple[str, str] | None:
    """Return a symbol and the file that is named with it, "" if there is no such file; None if no file is named."""
    if claim.kind is not ClaimKind.SYMBOL or not claim.context:
        return None
    return "".join(list_spellings(claim)[:1]), paths.find_file(claim.context, cited_bases(claim))


def _count_wanted(claims: Iterable[Claim], paths: Paths, cited: Collection[tuple[str, str]]) -> dict[str, int]:
    """Return in how many files to find each spelling: in one, unless it seems to have moved."""
    wanted: dict[str, int] = {}
    for claim in claims:
        place = _resolve_cited_place(claim, paths)
        if place in cited:
            continue
        for name in (*list_spellings(claim), *list_loose_spellings(claim)):
            wanted[name] = MAX_FILES if place else wanted.get(name, 1)
        if _is_output(claim) and not paths.find_file(claim.text, cited_bases(claim)):
            wanted[claim.text] = 1
    return wanted


def _is_output(claim: Claim) -> bool:
    """Whether a file, cited by its name alone, is of a kind that programs write or look for where they run."""
    _, dot, suffix = claim.text.rpartition(".")
    return claim.kind is ClaimKind.PATH and dot != "" and "/" not in claim.text and suffix in _OUTPUTS.split()


def _resolve_now(claim: Claim, present: Present) -> str:
    """Return where a claim holds now; "" if it does not."""
    bases = cited_bases(claim)
    match claim.kind:
        case ClaimKind.PATH | ClaimKind.LINES:
            found = present.paths.find_file(claim.text, bases) or present.paths.find_directory(claim.text)
            return found or present.paths.find_folded(claim.text)
        case ClaimKind.DIRECTORY:
            return present.paths.find_directory(claim.text, bases)
        case ClaimKind.GLOB:
            return claim.text if present.paths.matches(claim.text) else ""
        case ClaimKind.SCRIPT:
            known = has_script(present.manifests, claim.context, claim.text)
            return claim.text if known or has_program(present.manifests, claim.text) else ""
        case ClaimKind.VALUE:
            path, value = present.values.get(claim, ("", None))
            return path if value and value.agrees(claim.value) else ""
        case _:
            spellings = (*list_spellings(claim), *list_loose_spellings(claim))
            return next((present.names[name][0] for name in spellings if name in present.names), "")


def _judge_gone(claim: Claim, present: Present, past: "Past | None") -> Verdict:
    """Judge a plain claim that does not hold now."""
    if past is None:
        return Verdict(claim, VerdictKind.UNVERIFIABLE, Reason.NO_HISTORY)
    if claim.kind is ClaimKind.COMMIT:
        return past.judge_commit(claim)
    if claim.kind in PATH_KINDS:
        named = _is_output(claim) and claim.text in present.names
        return Verdict(claim, VerdictKind.UNVERIFIABLE, Reason.NAMED) if named else past.judge_path(claim)
    if _is_undecided(claim, present):
        return _judge_undecided(claim, present, past)
    if claim.kind is ClaimKind.VALUE:
        return past.judge_value(claim, *present.values[claim])
    return past.judge_script(claim) if claim.kind is ClaimKind.SCRIPT else past.judge_name(claim)


def _judge_undecided(claim: Claim, present: Present, past: "Past") -> Verdict:
    """Judge a claim that the manifests of today do not decide.

    If no manifest of a runner is left, one that had the script when the line was written was taken out.
    """
    if claim.kind is ClaimKind.SCRIPT and not has_manifest(present.manifests, claim.context):
        judged = past.judge_script(claim)
        if judged.kind is VerdictKind.MISSING:
            return judged
    return Verdict(claim, VerdictKind.UNVERIFIABLE, Reason.UNDECIDED)


def _is_undecided(claim: Claim, present: Present) -> bool:
    """Whether the manifests do not tell all scripts, or the named file does not tell the value."""
    if claim.kind is ClaimKind.VALUE:
        return claim not in present.values
    return claim.kind is ClaimKind.SCRIPT and has_script(present.manifests, claim.context, claim.text) is None
