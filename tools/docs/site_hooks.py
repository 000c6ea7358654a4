"""Hooks of mkdocs that make the theme's pages usable with a keyboard and a screen reader."""

import re

# What scrolls on a narrow screen must be reachable by key, and a heading without text is none.
_CHANGES = (
    (re.compile(r'<div class="navbar '), '<div role="navigation" aria-label="Pages" class="navbar '),
    (re.compile(r"<(pre|table)>"), r'<\1 tabindex="0">'),
    (re.compile(r"<th( [^<>]*)?></th>"), r"<td\1></td>"),
)


def on_post_page(output: str, **_: object) -> str:
    """Return the HTML of a page."""
    for pattern, new in _CHANGES:
        output = pattern.sub(new, output)
    return output
