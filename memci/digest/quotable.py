"""Which lines of a long text a digest may quote: a shortened text that has them gives the same digest."""

from memci.digest.files import MAX_NAMES, find_names
from memci.digest.shell import find_outcomes, find_pull_requests, find_trouble, is_commit


def find_quotable(text: str) -> list[str]:
    """Return the lines that say what went wrong or what came out, and those with definitions, in their order."""
    telling = {*find_trouble(text).split("\n"), *find_outcomes(text)}
    names: dict[str, None] = {}
    found: list[str] = []
    for line in dict.fromkeys(text.split("\n")):
        defined = find_names(line).keys() - names.keys() if len(names) < MAX_NAMES else set()
        names |= dict.fromkeys(defined)
        stripped = line.strip().strip("=").strip()
        if line.rstrip() in telling or stripped in telling or defined or is_commit(line) or find_pull_requests(line):
            found.append(line)
    return found
