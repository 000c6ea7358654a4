"""Which lines of a long text a digest may quote: a shortened text that has them gives the same digest."""

from memci.digest.shell import find_outcomes, find_pull_requests, find_trouble, is_commit
from memci.digest.touched_files import MAX_NAMES, find_definitions


def find_quotable(text: str) -> list[str]:
    """Return the lines that say what went wrong or what came out, and those with definitions, in their order."""
    telling = {*find_trouble(text).split("\n"), *find_outcomes(text)}
    defining = set(list(find_definitions(text).values())[:MAX_NAMES])
    return [
        line
        for line in dict.fromkeys(text.split("\n"))
        if line in defining
        or line.rstrip() in telling
        or line.strip().strip("=").strip() in telling
        or (line.startswith("[") and is_commit(line))
        or ("https://" in line and find_pull_requests(line))
    ]
