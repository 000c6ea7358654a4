"""Finds secrets in text and replaces them. The value of a secret never leaves this module."""

import bisect
import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memci.redaction.hidden import find_hidden
from memci.redaction.secret_labels import find_labelled, trim
from memci.redaction.secret_rules import ANY_PREFIX, RULES, SAYS_ID, SecretRule
from memci.redaction.secret_scopes import find_in_manifests, find_sealed, find_wrapped_end
from memci.redaction.secret_values import decode_base64, find_base64, find_dense, is_prefixed_token
from memci.redaction.secret_views import find_escapes
from memci.redaction.secret_words import WORDS

if TYPE_CHECKING:
    from ahocorasick_rs import BytesAhoCorasick

# Text in Base64 in Base64 is still looked into, as in a Kubernetes secret that holds an encoded file.
_MAX_DEPTH = 2
_COLOR = re.compile(r"\[[0-9;]{0,12}m")
# How every replacement of a secret begins.
REDACTED = "[REDACTED:"


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret is and of which kind; not what it is."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _View:
    """A rewritten text and, for each stretch of it, where in the original it comes from."""

    text: str
    starts: list[int]
    origins: list[tuple[int, int]]

    def locate(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original behind a span of the view."""
        return self._at(start)[0], self._at(end - 1)[1]

    def _at(self, position: int) -> tuple[int, int]:
        stretch = bisect.bisect_right(self.starts, position) - 1
        start, end = self.origins[stretch]
        size = (self.starts[stretch + 1] if stretch + 1 < len(self.starts) else len(self.text)) - self.starts[stretch]
        if size != end - start:
            return start, end
        offset = start + position - self.starts[stretch]
        return offset, offset + 1


def find_secrets(text: str) -> list[Secret]:
    """Find all secrets, also hidden by invisible characters, escapes or Base64; in order, without overlaps."""
    found = sorted(_scan_views(text, _MAX_DEPTH), key=lambda item: (item[1].start, item[0]))
    merged: list[tuple[int, Secret]] = []
    for rank, secret in found:
        if merged and secret.start < merged[-1][1].end:
            old_rank, old = merged[-1]
            kind = old.kind if old_rank <= rank else secret.kind
            merged[-1] = (min(rank, old_rank), Secret(kind, old.start, max(old.end, secret.end)))
        else:
            merged.append((rank, secret))
    return [secret for _, secret in merged]


def redact(text: str) -> str:
    """Replace each secret by `[REDACTED:kind]`."""
    # Taking one secret out can complete the shape of another; bounded, so that no text can keep it busy.
    for _ in range(3):
        found = find_secrets(text)
        if not found:
            break
        ends = [0, *(secret.end for secret in found)]
        pieces = [
            text[end : secret.start] + f"{REDACTED}{secret.kind}]" for end, secret in zip(ends, found, strict=False)
        ]
        text = "".join([*pieces, text[ends[-1] :]])
    return text


def _scan_views(text: str, depth: int) -> Iterator[tuple[int, Secret]]:
    """Yield rank and place of secrets in the text and in what it says once decoded."""
    hidden = find_hidden(text)
    if hidden:
        view = _rewrite(text, [(run.start, _end_of_color(text, run.end), "") for run in hidden])
        yield from _located(view, _scan_views(view.text, depth))
        return
    yield from _scan(text)
    for start, end in find_base64(text) if depth else ():
        decoded = decode_base64(text[start:end])
        first = min(_scan_views(decoded, depth - 1), default=None, key=lambda item: item[0]) if decoded else None
        if first:
            yield first[0], Secret(first[1].kind, start, end)
    changes = find_escapes(text)
    if changes:
        view = _rewrite(text, _with_only_their_lines(text, changes))
        yield from _located(view, _scan(view.text))


def _end_of_color(text: str, at: int) -> int:
    """Return the end of a terminal's color code whose escape character ends at a place."""
    color = _COLOR.match(text, at) if text[at - 1] == "\x1b" else None
    return color.end() if color else at


def _located(view: _View, found: Iterator[tuple[int, Secret]]) -> Iterator[tuple[int, Secret]]:
    for rank, secret in found:
        start, end = view.locate(secret.start, secret.end)
        yield rank, Secret(secret.kind, start, end)


def _rewrite(text: str, changes: list[tuple[int, int, str]]) -> _View:
    pieces: list[str] = []
    starts: list[int] = []
    origins: list[tuple[int, int]] = []
    size = done = 0
    for start, end, new in [*changes, (len(text), len(text), "")]:
        for piece, origin in ((text[done:start], (done, start)), (new, (start, end))):
            if piece:
                pieces.append(piece)
                starts.append(size)
                origins.append(origin)
                size += len(piece)
        done = end
    return _View("".join(pieces), starts, origins)


def _with_only_their_lines(text: str, changes: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Add changes that drop the lines without a change: they were scanned already."""
    result = []
    done = 0
    for start, end, new in [*changes, (len(text), len(text), "")]:
        first = text.find("\n", done, start)
        last = text.rfind("\n", done, start)
        if first < last:
            result.append((first, last, ""))
        result.append((start, end, new))
        done = end
    return result


def _scan(text: str) -> Iterator[tuple[int, Secret]]:
    # The one letter whose lower case is longer, which would shift everything behind it.
    folded = text.replace("İ", "I").lower()
    runs = [*find_dense(text)]
    dense = "\n".join(text[start:end] for start, end in runs)
    for run in runs:
        for match in ANY_PREFIX.finditer(text, *run):
            if is_prefixed_token(match[0]) and not SAYS_ID.search(text, max(0, match.start() - 40), match.start()):
                yield len(RULES), Secret("api-key", match.start(1), find_wrapped_end(text, match.end()))
    labelled: list[tuple[str, int, int]] = []
    for kind, haystack in (("dense", dense), ("fold", folded), ("", text)):
        for keyword, rank, rule in _find_keywords(kind, haystack) if haystack else ():
            if rule:
                found = _scan_rule(text, folded if rule.fold else text, rule, keyword)
                yield from ((rank, secret) for secret in found)
            else:
                labelled += find_labelled(text, folded, keyword)
                labelled += find_in_manifests(text, folded) if keyword == "secret" else ()
    sealed = find_sealed(text) if labelled else []
    for kind, start, end in labelled:
        at = bisect.bisect_right(sealed, (start, len(text))) - 1
        if at < 0 or sealed[at][1] <= start:
            yield len(RULES), Secret(kind, start, find_wrapped_end(text, end))


# Without a rule it is a word that labels secrets.
_Keyword = tuple[str, int, SecretRule | None]


def _find_keywords(kind: str, haystack: str) -> list[_Keyword]:
    """Return the keywords that stand in one form of the text, with the ranks of their rules."""
    keywords, automaton = _keywords(kind)
    found = automaton.find_matches_as_indexes(haystack.encode("utf-8", "surrogatepass"), overlapping=True)
    return [keywords[index] for index in sorted({index for index, _, _ in found})]


@functools.cache
def _keywords(kind: str) -> "tuple[list[_Keyword], BytesAhoCorasick]":
    """Return the keywords that are looked for in one form of the text, and what finds all of them at once."""
    from ahocorasick_rs import BytesAhoCorasick

    keywords: list[_Keyword] = [
        (keyword, rank, rule)
        for rank, rule in enumerate(RULES)
        for keyword in rule.keywords
        if kind == ("fold" if rule.fold else "dense" if rule.dense else "")
    ]
    keywords += [(word, len(RULES), None) for word in WORDS if kind == "fold"]
    return keywords, BytesAhoCorasick([keyword.encode() for keyword, _, _ in keywords])


def _scan_rule(text: str, haystack: str, rule: SecretRule, keyword: str) -> Iterator[Secret]:
    regex = rule.regex
    at = haystack.find(keyword)
    while at >= 0:
        start = max(0, at - rule.before)
        if rule.word:
            start = max(start, *(haystack.rfind(blank, start, at) + 1 for blank in " \n"))
        match = regex.match(haystack, start)
        following = at + 1
        if match:
            group = match.lastindex or 0
            start, end = match.span(group)
            value = trim(text[start:end]) if group else text[start:end]
            if rule.accepts(value) and rule.fits(text[match.start() : match.end()]):
                end = start + len(value)
                yield Secret(rule.kind, start, find_wrapped_end(text, end))
                following = max(following, end)
        at = haystack.find(keyword, following)
