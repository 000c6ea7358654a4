"""Selects the lines of a long text that a digest may quote, so that the text can be shortened without changing it."""

from memci.digest.shell import extract_errors, find_outcomes, find_pull_requests, is_commit
from memci.digest.touched_files import MAX_NAMES, parse_definitions


def quotable_lines(text: str) -> list[str]:
    """Return the lines with errors, outcomes or definitions, in order."""
    telling = {*extract_errors(text).split("\n"), *find_outcomes(text)}
    defining = set(list(parse_definitions(text).values())[:MAX_NAMES])
    return [
        line
        for line in dict.fromkeys(text.split("\n"))
        if line in defining
        or line.rstrip() in telling
        or line.strip().strip("=").strip() in telling
        or (line.startswith("[") and is_commit(line))
        or ("https://" in line and find_pull_requests(line))
    ]
