"""The summary of a dream in one sentence, for its output and for the page."""

from collections import Counter
from collections.abc import Iterable, Sequence

from memci.memory.apply_edits import split_lines
from memci.memory.client_limit import MAX_LINES, MAX_UNITS, count_units
from memci.model.memory import INDEX_NAME
from memci.model.plan import Fate, Ledger, PlanStatus, ScopePlan
from memci.report.change_entries import ChangeGroup, count_changes, list_changes
from memci.report.check_result import amount
from memci.report.open_questions import list_all_questions


def describe_dream(plans: Sequence[ScopePlan]) -> str:
    """Say what changes, what is open, and how full the index is: `3 learned, 1 question; index 104 of 200 lines`."""
    counts = [count_changes(entry for plan in plans for entry in list_changes(plan)) or "no changes"]
    questions = len(list_all_questions(plans))
    counts += [amount(questions, "question")] if questions else []
    refused = sum(len(plan.refused) for plan in plans)
    counts += [f"{refused:,} refused"] if refused else []
    for status in (PlanStatus.SKIPPED, PlanStatus.FAILED):
        number = sum(plan.status is status for plan in plans)
        counts += [f"{amount(number, 'scope')} {status.value}"] if number else []
    sizes = [measure_index(plan) for plan in plans if plan.after]
    return "; ".join(filter(None, (", ".join(counts), describe_fullest(sizes))))


def describe_waiting(plans: Sequence[ScopePlan]) -> str:
    """Say how many changes are left to later dreams: `12 more changes wait: 3 corrected, 9 learned`; "" if none."""
    counts = Counter(one.what for plan in plans for one in plan.waiting)
    if not counts:
        return ""
    verb = "waits" if counts.total() == 1 else "wait"
    kinds = ", ".join(f"{counts[group]:,} {group}" for group in ChangeGroup if counts[group])
    return f"{amount(counts.total(), 'more change')} {verb} for the next dreams: {kinds}"


def count_lines(ledgers: Iterable[Ledger]) -> str:
    """Say what became of old lines: `12 old lines: 10 kept, 2 retired`."""
    fates = Counter(entry.fate for ledger in ledgers for entry in ledger.entries)
    counts = ", ".join(f"{fates[fate]:,} {fate.value}" for fate in Fate if fates[fate])
    return f"{amount(fates.total(), 'old line')}: {counts}" if counts else "no old lines"


def measure_index(plan: ScopePlan) -> tuple[int, int]:
    """Return the lines and characters of the index after a plan, as the client counts them."""
    text = plan.after.get(plan.scope.path / INDEX_NAME, "")
    return len(split_lines(text)), count_units(text)


def describe_fullest(sizes: Sequence[tuple[int, int]]) -> str:
    """Describe how full the fullest index is, by lines and characters; "" if there is none."""
    if not sizes:
        return ""
    lines, size = max(sizes, key=lambda one: (max(one[0] / MAX_LINES, one[1] / MAX_UNITS), one))
    which = "index" if len(sizes) == 1 else "fullest index"
    if size / MAX_UNITS > lines / MAX_LINES:
        return f"{which} {size:,} of {MAX_UNITS:,} characters"
    return f"{which} {lines} of {MAX_LINES} lines"
