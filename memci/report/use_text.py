"""Describes what became of memory: which topics sessions use, and which rules people had to repeat."""

from collections.abc import Iterable, Mapping, Sequence

from memci.model.plan import ScopePlan
from memci.model.use import ScopeUse
from memci.report.check_result import amount

_MAX_NAMED = 5


def describe_use(use: ScopeUse) -> str:
    """Say how many topics were opened or edited, and which never were; "" if no session is known."""
    if not use.topics:
        return ""
    unused = use.list_unused()
    touched = sum(found.touched > 0 for found in use.topics.values())
    said = f"{touched} of {amount(len(use.topics), 'topic')} opened or edited in a session"
    return f"{said}; never: {name_some(unused)}" if unused else said


def describe_repeated(use: ScopeUse, rules: Mapping[str, str]) -> str:
    """Say which rules people had to repeat, "" if none; `rules` are their texts by key."""
    return name_some([f"{name}{_quote(rule)} ({times} times)" for name, rule, times in _list_repeated(use, rules)])


def _list_repeated(use: ScopeUse, rules: Mapping[str, str]) -> list[tuple[str, str, int]]:
    """Return the file, the text and the times of each rule; "" if the file says something else since."""
    found = use.list_disobeyed_rules().items()
    return [(key.rpartition("#")[0], rules.get(key, ""), times) for key, times in found]


def _quote(rule: str) -> str:
    return f' "{rule}"' if rule else ""


def name_some(names: Sequence[str]) -> str:
    """Name the first ones, and count the others."""
    more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
    return ", ".join(names[:_MAX_NAMED]) + more


def list_use(plans: Iterable[ScopePlan]) -> list[tuple[str, str]]:
    """Return what became of the scopes of a dream, as pairs of a heading and files that exist."""
    found: dict[str, list[str]] = {"Said again although memory has it": [], "Never opened by a session": []}
    for plan in plans:
        names = {str(path.relative_to(plan.scope.path)) for path in plan.after}
        # A state may come from a bundle, so that only names of files are shown.
        repeated = {name: times for name, times in plan.use.list_disobeyed().items() if name in names}
        again, never = found.values()
        again += (f"{name} ({times} times)" for name, times in repeated.items())
        never += (name for name in plan.use.list_unused() if name in names)
    return [(heading, name_some(files)) for heading, files in found.items() if files]


def list_files(use: ScopeUse, rules: Mapping[str, str]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the files whose rules are not obeyed and those that are never used, each with what the sessions show."""
    again = [
        (name, f"people had to say{_quote(rule) or ' a rule of it'} again {times} times")
        for name, rule, times in _list_repeated(use, rules)
    ]
    found = ((name, use.topics[name]) for name in use.list_unused())
    never = [(name, f"at hand in {amount(one.loaded + one.cut, 'session')}") for name, one in found]
    return [(title, files) for title, files in (("Not obeyed", again), ("Never used", never)) if files]


def use_as_json(use: ScopeUse) -> dict[str, object]:
    """Return what became of a scope as a JSON object."""
    return {
        "topics": {name: found._asdict() for name, found in sorted(use.topics.items())},
        "repeated": use.list_disobeyed(),
        "never_opened": use.list_unused(),
        "months": {month: found._asdict() for month, found in sorted(use.months.items())},
    }
