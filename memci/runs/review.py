"""Runs `memci review`: compares the memory of two commits, and comments on the pull request."""

import contextlib
import datetime as dt
import itertools
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

import msgspec

from memci.citations.code.repository_paths import Paths
from memci.citations.verdict import JudgedClaims
from memci.dream import check_memory
from memci.dream.orient import read_state
from memci.errors import Exit, MemciError, UsageError
from memci.forge.comments import Kept
from memci.forge.detect import classify_forge, make_forge, parse_address
from memci.git.file_tree import CommitTree, WorkTree, read_commit
from memci.git.remotes import open_remote
from memci.git.workspace import Workspace, list_skipped
from memci.memory.scopes import find_scopes
from memci.model.citation import ClaimKind
from memci.model.memory import Snapshot
from memci.report.review_markdown import MARK, render_review_markdown
from memci.report.review_result import Review, SkippedPart, render_review_json
from memci.review.build_review import ReviewJudgement, build_review
from memci.runs import since
from memci.runs.scopes import Prepared
from memci.settings_file import read_config


def run_review(
    found: Prepared, base_name: str, head_name: str, now: dt.datetime, show: Callable[[str], None]
) -> tuple[Review, str]:
    """Compare the memory of two commits under the settings of the base; also return its fail level."""
    workspace, repository = found.workspace, found.workspace.repository
    if repository is None:
        raise UsageError("a review needs a git repository", hint="run it in one, or -C DIRECTORY")
    if not repository.has_commits():
        raise UsageError("a review compares two commits, and there is none yet")
    head = repository.resolve(head_name)
    show("reading memory")
    base = since.read_base(workspace, base_name, head)
    tree = read_commit(repository, head)
    config = read_config(tree)
    # A change may add scopes, but must not exclude one from its own review.
    globs = (*base.config.scopes, *(glob for glob in config.scopes if not glob.startswith("!")))
    snapshot = check_memory.read_snapshot(tree, find_scopes(tree, workspace.root, globs))
    evidence = _read_evidence(tree, snapshot)
    skipped = [*found.notes, *list_skipped(workspace)]
    show("asking the repository")
    truth = JudgedClaims(())
    if head == repository.resolve("HEAD"):
        # Only what is committed counts.
        committed = replace(workspace, tree=WorkTree(workspace.root, tree.paths()))
        truth = check_memory.verify_claims(committed, snapshot)
        skipped += [("history", note) for note in truth.notes]
        skipped += _list_uncommitted(workspace, snapshot)
    else:
        skipped.append(("claims", f"the repository is asked only about what is checked out, not about {head_name}"))
    if repository.shallow:
        skipped.append(("history", "this clone is shallow, the branching point may be missing; fetch with depth 0"))
    show("comparing")
    verdicts = since.select_new_verdicts(base, snapshot, truth)
    outcome = since.judge_change(base, snapshot, config, now, verdicts)
    judgement = ReviewJudgement(outcome.problems, verdicts, evidence, _list_gone(base.snapshot, snapshot, tree))
    review = build_review(base.snapshot, snapshot, judgement, base=base.commit, head=head)
    unseen = (*review.skipped, *itertools.starmap(SkippedPart, skipped))
    return msgspec.structs.replace(review, skipped=unseen), base.config.fail_on


def name_pull(review: Review, pull: int | None, environment: Mapping[str, str]) -> Review:
    """Add the number of the pull request: from the option or the CI environment."""
    ref = re.fullmatch(r"refs/pull/([1-9][0-9]{0,8})/(?:merge|head)", environment.get("GITHUB_REF", ""))
    told = environment.get("CI_MERGE_REQUEST_IID", "")
    runner = int(ref[1]) if ref else int(told) if re.fullmatch(r"[1-9][0-9]{0,8}", told) else None
    return msgspec.structs.replace(review, pull=pull or runner)


def update_comment(
    workspace: Workspace, review: Review, forge_kind: str, remote: str, environment: Mapping[str, str]
) -> Kept:
    """Create, update or delete the comment."""
    if review.pull is None:
        raise UsageError("the number of the pull request is not known", hint="--pull N")
    address = parse_address(open_remote(workspace.repository, remote).url) if workspace.repository else None
    kind = classify_forge(address, environment) if forge_kind == "auto" else forge_kind
    if kind == "none":
        raise UsageError("the remote is at no forge that memci knows", hint="--forge github, gitea or gitlab")
    comments = make_forge(kind, address, environment).comments
    return comments.keep(review.pull, MARK, "" if review.is_clean else render_review_markdown(review))


def exit_code(review: Review, fail_on: str) -> Exit:
    """Return 1 if a point reaches the fail level, else 0."""
    return Exit.FINDINGS if review.worst and review.worst.reaches(fail_on) else Exit.DONE


def render(review: Review, style: str, *, colour: bool, width: int, everything: bool = False) -> str:
    """Return the review in one of the formats."""
    if style == "json":
        return render_review_json(review)
    if style == "markdown":
        return render_review_markdown(review)
    from memci.report.review_text import render_review_text

    return render_review_text(review, colour=colour, width=width, everything=everything)


def _read_evidence(tree: CommitTree, snapshot: Snapshot) -> Mapping[PurePosixPath, tuple[str, ...]]:
    """Return the evidence of each topic from the state files; a damaged one is skipped."""
    evidence: dict[PurePosixPath, tuple[str, ...]] = {}
    for scope in snapshot.scopes:
        with contextlib.suppress(MemciError):
            state = read_state(tree, scope.scope.path)
            evidence |= {scope.scope.path / topic: sources for topic, sources in state.evidence.items()}
    return evidence


def _list_gone(before: Snapshot, after: Snapshot, tree: CommitTree) -> dict[tuple[PurePosixPath, int], tuple[str, ...]]:
    """Return the missing paths that changed texts cited before: a reason to drop those lines."""
    paths = Paths(frozenset(tree.paths()))
    same = {(text.path, text.text) for scope in after.scopes for text in scope.texts}
    gone: dict[tuple[PurePosixPath, int], tuple[str, ...]] = {}
    for scope in before.scopes:
        topics = tuple(topic for topic in scope.topics if (topic.path, topic.text) not in same)
        index = scope.index if scope.index and (scope.index.path, scope.index.text) not in same else None
        for claim in check_memory.list_claims(replace(scope, index=index, topics=topics)):
            if claim.kind in {ClaimKind.PATH, ClaimKind.LINES} and not paths.find_file(claim.text):
                place = claim.path, claim.line
                gone[place] = (*gone.get(place, ()), claim.text)
    return gone


def _list_uncommitted(workspace: Workspace, snapshot: Snapshot) -> list[tuple[str, str]]:
    changed = [
        text.path for scope in snapshot.scopes for text in scope.texts if workspace.tree.read(text.path) != text.text
    ]
    return [(str(path), "has changes that are not committed; the review is of the commit") for path in changed[:20]]
