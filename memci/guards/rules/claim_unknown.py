"""claim-unknown: an added line names nothing that the repository neither has nor had.

It acts only if whoever makes the `Context` fills `unknown`: the paths, symbols, flags, scripts and commits that the
added lines of the proposed operations cite, as written, and for which the repository has no place now and never had
one. Names in proposals are known only after the engine answered, so it is filled per proposal, before the guards run.
"""

from memci.guards.context import Change, Guard


def check(change: Change) -> str | None:
    """Refuse names that the repository does not know, unless the person said them."""
    unknown = change.context.unknown
    if not unknown:
        return None
    said = "\n".join(text for signal in change.signals for text in (signal.text, signal.rule))
    new = [name for name in sorted(unknown) if name and name not in said]
    for added in change.added:
        name = next((name for name in new if name in added.text), None)
        if name:
            return f"{added.path.name}:{added.line} names `{name[:80]}`, which the repository does not have"
    return None


GUARD = Guard("claim-unknown", "Added lines name only what the repository has, or what the person named.", check)
