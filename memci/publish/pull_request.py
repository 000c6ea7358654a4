"""Bringing a proposal to the forge: look, decide, act; every step may be taken again after a run that died."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from memci.errors import ServiceError
from memci.forge.detect import Forge
from memci.forge.pull_requests import DeniedError, Draft, ExistsError, PullRequest, PullState, UncertainError
from memci.git.remotes import LeaseError, Remote
from memci.publish.commit import Proposal, is_merged, read_proposal
from memci.publish.decision import Decision, DecisionResult, RemoteState, Step, decide
from memci.publish.pr_marker import Marker, find_marker, replace_marker
from memci.publish.target import Places
from memci.report.pull_request_body import keep_ticks

REBASE_LABEL = "memci:rebase"
_COMMENT = "<!-- memci:note -->"
_TRIES = 3
# The comments of memci on pull requests; none quotes memory.
_BLOCKED = (
    "memci has something new to propose, but somebody else's commits are on this branch, and memci does not overwrite "
    f"them. Merge or close this pull request, or add the label `{REBASE_LABEL}` to let the next run start afresh."
)
_CLOSED = "Nothing is left to propose: the memory is as memci would leave it. Closed by memci."
_DECLINED = "What is left of this was declined before, so memci closes it."


@dataclass(frozen=True, slots=True)
class Wish(Draft):
    """What the pull request should look like; its body is without the marker."""

    labels: tuple[str, ...] = ()
    reviewers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProposalOutcome:
    """How it ended; `url` is the pull request, or the page on which a person can open it."""

    result: DecisionResult
    commit: str = ""
    number: int | None = None
    url: str = ""
    # What did not work although the rest did.
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _View:
    found: RemoteState
    pull: PullRequest | None = None
    # Why the forge does not let pull requests be seen.
    denied: str = ""


def propose(
    proposal: Proposal | None,
    wish: Wish,
    places: Places,
    *,
    whole: bool,
    show: Callable[[str], None],
) -> ProposalOutcome:
    """Make the branch and its pull request what they should be."""
    for attempt in range(_TRIES):
        show("looking at the forge")
        view = look(proposal, wish, places.remote, places.forge)
        decision = decide(proposal, view.found, whole=whole)
        show(decision.result.value)
        try:
            return _act(decision, proposal, wish, places, view)
        except LeaseError:
            # A concurrent run may have proposed the same; if not, do not overwrite it at once.
            latest = look(proposal, wish, places.remote, places.forge).found
            if attempt == _TRIES - 1 or proposal is None or not latest.own or latest.own.digest != proposal.digest:
                raise
    raise AssertionError("the last try returns or raises")


def look(proposal: Proposal | None, wish: Wish, remote: Remote, forge: Forge | None) -> _View:
    """Find out what is there; a proposal stands on the base that merged commits are looked for in."""
    head = remote.read_head(wish.branch)
    remote.fetch(wish.branch, head)
    own = read_proposal(remote.repository, head) if head else None
    merged = False
    if head and own is None and proposal is not None:
        merged = is_merged(remote.repository, head, proposal.parent)
    if forge is None:
        return _View(RemoteState(head, own, merged=merged))
    try:
        pulls = forge.list_pulls(wish.branch, PullState.OPEN)
        closed = forge.list_pulls(wish.branch, PullState.CLOSED)
    except DeniedError as error:
        return _View(RemoteState(head, own, merged=merged), denied=error.message)
    pull = next((pull for pull in pulls if pull.base == wish.base), pulls[0] if pulls else None)
    markers = [marker for old in closed if (marker := find_marker(old.body))]
    shown = find_marker(pull.body) if pull else None
    if shown and head and shown.head == head:
        # A forge that signs or rewrites commits leaves no trailer to check.
        own = own or Proposal(head, "", shown.base, shown.digest)
    return _View(
        RemoteState(
            head,
            own,
            merged=merged,
            open=pull is not None,
            rebase=pull is not None and REBASE_LABEL in pull.labels,
            shown=shown.digest if shown and pull and pull.base == wish.base else "",
            declined=frozenset(marker.digest for marker in markers if not marker.closed),
        ),
        pull,
    )


def _act(decision: Decision, proposal: Proposal | None, wish: Wish, places: Places, view: _View) -> ProposalOutcome:
    head, pull = view.found.head, view.pull
    remote, forge = places.remote, places.forge
    outcome = ProposalOutcome(decision.result, head, pull.number if pull else None, pull.url if pull else "")
    for step in decision.steps:
        match step:
            case Step.PUSH if proposal:
                remote.push(wish.branch, proposal.commit, head)
                outcome = replace(outcome, commit=proposal.commit)
            case Step.DELETE:
                remote.push(wish.branch, "", head)
                outcome = replace(outcome, commit="")
            case Step.CLOSE if forge and pull:
                _close(forge, pull, _CLOSED if decision.result is DecisionResult.CLOSED else _DECLINED)
            case Step.TELL if forge and pull:
                forge.comments.keep(pull.number, _COMMENT, f"{_COMMENT}\n{_BLOCKED}")
            case Step.EDIT if forge and pull and proposal:
                body = keep_ticks(_render_body(wish, proposal, outcome.commit), pull.body)
                if (pull.title, pull.body, pull.base) != (wish.title, body, wish.base):
                    forge.edit_pull(pull.number, title=wish.title, body=body, base=wish.base)
                outcome = _decorate(forge, pull, wish, outcome)
            case Step.OPEN if forge is None:
                # Without a forge the branch is all there is.
                outcome = replace(outcome, result=_name_push(head, decision))
            case Step.OPEN if forge and proposal:
                outcome = _open(forge, wish, _render_body(wish, proposal, outcome.commit), view.denied, outcome)
            case _:
                raise AssertionError(f"cannot {step.value} here")
    return outcome


def _name_push(head: str, decision: Decision) -> DecisionResult:
    if Step.PUSH not in decision.steps:
        return DecisionResult.NOT_UPDATED
    return DecisionResult.UPDATED if head else DecisionResult.CREATED


def _render_body(wish: Wish, proposal: Proposal, commit: str) -> str:
    return replace_marker(wish.body, Marker(proposal.digest, proposal.parent, commit))


def _close(forge: Forge, pull: PullRequest, why: str) -> None:
    marker = replace(find_marker(pull.body) or Marker(""), closed=True)
    # The marker first: closed without it, it would look as if a person had declined.
    forge.close_pull(pull.number, body=replace_marker(pull.body, marker))
    forge.comments.keep(pull.number, _COMMENT, f"{_COMMENT}\n{why}")


def _open(forge: Forge, wish: Wish, body: str, denied: str, outcome: ProposalOutcome) -> ProposalOutcome:
    link = forge.compare_url(wish.base, wish.branch, wish.title)
    if denied:
        return replace(outcome, result=DecisionResult.FALLBACK, url=link, notes=(denied, *outcome.notes))
    try:
        pull, result = _create(forge, replace(wish, body=body))
    except DeniedError as error:
        return replace(outcome, result=DecisionResult.FALLBACK, url=link, notes=(error.message, *outcome.notes))
    return _decorate(forge, pull, wish, replace(outcome, result=result, number=pull.number, url=pull.url))


def _create(forge: Forge, draft: Draft) -> tuple[PullRequest, DecisionResult]:
    """Make the pull request, or find the one that a run before or beside this one made."""
    for attempt in range(_TRIES):
        try:
            return forge.create_pull(draft), DecisionResult.CREATED
        except (ExistsError, UncertainError) as error:
            # Nobody knows whether it was made: looking is the only way not to make it twice.
            made = forge.list_pulls(draft.branch, PullState.OPEN)
            if not made and attempt == _TRIES - 1:
                raise
            ours = isinstance(error, UncertainError)
        if made:
            same = (made[0].body, made[0].base) == (draft.body, draft.base)
            if not same:
                forge.edit_pull(made[0].number, title=draft.title, body=draft.body, base=draft.base)
            found = DecisionResult.NOT_UPDATED if same else DecisionResult.UPDATED
            return made[0], DecisionResult.CREATED if ours else found
    raise AssertionError("the last try returns or raises")


def _decorate(forge: Forge, pull: PullRequest, wish: Wish, outcome: ProposalOutcome) -> ProposalOutcome:
    """Add labels and reviewers; a pull request without them is still one, so failing is only noted."""
    notes = list(outcome.notes)
    missing = [label for label in wish.labels if label not in pull.labels]
    tasks: list[tuple[str, Callable[[], None]]] = []
    if missing:
        tasks.append(("labels", lambda: forge.add_labels(pull.number, missing)))
    if REBASE_LABEL in pull.labels:
        tasks.append((REBASE_LABEL, lambda: forge.remove_label(pull.number, REBASE_LABEL)))
    if wish.reviewers and outcome.result is DecisionResult.CREATED:
        tasks.append(("reviewers", lambda: forge.request_reviews(pull.number, wish.reviewers)))
    for what, task in tasks:
        try:
            task()
        except ServiceError as error:
            notes.append(f"{what}: {error.message}")
    return replace(outcome, notes=tuple(notes))
