"""Finds secrets in text and replaces them. The value of a secret never leaves this module."""

import bisect
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from memci.patterns import LazyPattern
from memci.prose.fold import lower_in_place
from memci.redaction.hidden import find_hidden
from memci.redaction.secret_data import decode_base64, match_base64, match_dense
from memci.redaction.secret_doubts import match_lines, match_spoken
from memci.redaction.secret_labels import match_labelled, trim
from memci.redaction.secret_rules import LAST, Label, SecretRule, context_finder, token_finder
from memci.redaction.secret_values import is_prefixed_token
from memci.redaction.secret_views import decode_escapes, match_manifests, match_sealed, match_wrapped_end

# Base64 within Base64 is still decoded, as in a Kubernetes secret with an encoded file.
_MAX_DEPTH = 2
_COLOR = LazyPattern(r"\[[0-9;]{0,12}m")
# Any other prefix; what follows it decides.
_ANY_PREFIX = LazyPattern(
    r"(?<![\w./%+@-])[A-Za-z]{2,10}\d?[_-](?:[A-Za-z]{2,8}[_-])?([A-Za-z0-9_-]{20,200})(?![\w/+=-])"
)
# Ids of all kinds have a prefix and a random body; the prefix of a key says so.
_SAYS_KEY = LazyPattern(
    r"key|token|secret|auth|bearer|passw|cred|live|prod|(?<![a-z])(?:sk|pat|api)(?![a-z])", re.IGNORECASE
)
# How far before its keyword a rule looks for the start of the word.
_WORD_BEFORE = 120
# Kinds that are recognised by the words near them.
_LABELLED = frozenset(("password", "login-password", "api-key", "session-cookie"))
# The roles of words that only `doubtful` knows, and those whose values have the same form.
_ROLES = {"doubt": "password", "door": "pin", "entry": "login"}
# The roles of words near which anything may be a password.
_SPOKEN = frozenset(("password", "pin", "login", *_ROLES))
# "… of the box is purple-lamp", at the end of a sentence, behind a word for a password.
_TOLD = LazyPattern(
    r"[^.!?\n]{0,60}?(?:\b(?:is|was|ist|lautet|est|es|é|è)\b|[:：=はが是은는])\s*[\"'`„“«「]?\S+$", re.IGNORECASE
)
# How every replacement of a secret begins.
REDACTED = "[REDACTED:"


@dataclass(frozen=True, slots=True)
class Secret:
    """The place and kind of a secret, never its value."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _SecretView:
    """A rewritten text and, for each piece of it, its origin in the original."""

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


def find_secrets(text: str, *, doubtful: bool = False) -> list[Secret]:
    """Find all secrets, even behind invisible characters, escapes or Base64; in order, without overlaps.

    `doubtful`: also what only may be one, for text that nobody keeps.
    """
    found = sorted(_scan_views(text, _MAX_DEPTH, doubtful=doubtful), key=lambda item: (item[1].start, item[0]))
    merged: list[tuple[int, Secret]] = []
    for rank, secret in found:
        if merged and secret.start < merged[-1][1].end:
            old_rank, old = merged[-1]
            kind = old.kind if old_rank <= rank else secret.kind
            merged[-1] = (min(rank, old_rank), Secret(kind, old.start, max(old.end, secret.end)))
        else:
            merged.append((rank, secret))
    return [secret for _, secret in merged]


def redact(text: str, *, certain: bool = False) -> str:
    """Replace what may be a secret by `[REDACTED:kind]`; `certain`: only what has the form of one in any place."""
    # Removing one secret can complete another; bounded, so that no text can make it loop.
    for _ in range(3):
        found = [
            secret for secret in find_secrets(text, doubtful=not certain) if not certain or secret.kind not in _LABELLED
        ]
        if not found:
            break
        ends = [0, *(secret.end for secret in found)]
        pieces = [
            text[end : secret.start] + f"{REDACTED}{secret.kind}]" for end, secret in zip(ends, found, strict=False)
        ]
        text = "".join([*pieces, text[ends[-1] :]])
    return text


def _scan_views(text: str, depth: int, *, doubtful: bool) -> Iterator[tuple[int, Secret]]:
    """Yield rank and place of secrets in the text and in its decoded views."""
    hidden = find_hidden(text)
    if hidden:
        view = _rewrite(text, [(run.start, _end_of_color(text, run.end), "") for run in hidden])
        yield from _located(view, _scan_views(view.text, depth, doubtful=doubtful))
        return
    yield from _scan(text, doubtful=doubtful)
    for start, end in match_base64(text) if depth else ():
        decoded = decode_base64(text[start:end])
        inner = _scan_views(decoded, depth - 1, doubtful=False) if decoded else iter(())
        first = min(inner, default=None, key=lambda item: item[0])
        if first:
            yield first[0], Secret(first[1].kind, start, end)
    changes = decode_escapes(text)
    if changes:
        view = _rewrite(text, _with_only_their_lines(text, changes))
        yield from _located(view, _scan(view.text, doubtful=doubtful))


def _end_of_color(text: str, at: int) -> int:
    """Return the end of a terminal's color code whose escape character ends at a place."""
    color = _COLOR.match(text, at) if text[at - 1] == "\x1b" else None
    return color.end() if color else at


def _located(view: _SecretView, found: Iterator[tuple[int, Secret]]) -> Iterator[tuple[int, Secret]]:
    for rank, secret in found:
        start, end = view.locate(secret.start, secret.end)
        yield rank, Secret(secret.kind, start, end)


def _rewrite(text: str, changes: list[tuple[int, int, str]]) -> _SecretView:
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
    return _SecretView("".join(pieces), starts, origins)


def tells_password(sentence: str) -> bool:
    """Tell whether a sentence ends in what it calls a password; a value of plain words has no form of its own."""
    folded = lower_in_place(sentence)
    return any(
        isinstance(label, Label)
        and label.role in {"password", "pin"}
        and (found := label.pattern.match(folded, at)) is not None
        # Tests pass, too.
        and found[0] != "pass"
        and _TOLD.match(sentence, found.end()) is not None
        for at, label in context_finder().find(folded)
    )


def _with_only_their_lines(text: str, changes: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Add changes that drop the unchanged lines, which were scanned before."""
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


def _scan(text: str, *, doubtful: bool) -> Iterator[tuple[int, Secret]]:
    yield from _scan_tokens(text, doubtful=doubtful)
    folded = lower_in_place(text)
    labelled: list[tuple[str, int, int]] = []
    done: dict[SecretRule, int] = {}
    words: list[tuple[int, int, str]] = []
    for at, rule in context_finder().find(folded):
        if isinstance(rule, Label):
            word = rule.pattern.match(folded, at) if doubtful or rule.role not in _ROLES else None
            if word and rule.role not in _ROLES:
                labelled += match_labelled(text, folded, rule, word)
            if word and doubtful and rule.role in _SPOKEN:
                words.append((*word.span(), _ROLES.get(rule.role, rule.role)))
        elif at >= done.get(rule, 0) and (doubtful or not rule.is_doubt):
            secret = _match_rule(text, folded, rule, at)
            if secret:
                done[rule] = secret.end
                yield rule.rank, secret
    labelled += match_manifests(text, folded)
    labelled += (("password", *span) for span in match_lines(text, words))
    sealed = match_sealed(text, [start for _, start, _ in labelled])
    for kind, start, end in labelled:
        before = bisect.bisect_right(sealed, (start, len(text))) - 1
        if before < 0 or sealed[before][1] <= start:
            # Of two labels, "password" determines the kind.
            yield LAST + (kind != "password"), Secret(kind, start, match_wrapped_end(text, end))


def _scan_tokens(text: str, *, doubtful: bool) -> Iterator[tuple[int, Secret]]:
    """Yield tokens of published formats and of any prefix; all of them are in long runs without blanks."""
    runs = [*match_dense(text)]
    if not runs:
        return
    dense = "\n".join(text[start:end] for start, end in runs)
    starts = [0, *itertools.accumulate(end - start + 1 for start, end in runs)]
    for offset, rule in token_finder().find(dense):
        run = bisect.bisect_right(starts, offset) - 1
        at = runs[run][0] + offset - starts[run]
        if isinstance(rule, SecretRule) and (secret := _match_rule(text, text, rule, at)):
            yield rule.rank, secret
    for run_start, run_end in runs:
        if doubtful and match_spoken(text, run_start, run_end):
            yield LAST, Secret("api-key", run_start, run_end)
        for match in _ANY_PREFIX.finditer(text, run_start, run_end):
            if is_prefixed_token(match[0]) and _SAYS_KEY.search(text, match.start(), match.start(1)):
                yield LAST, Secret("api-key", match.start(1), match_wrapped_end(text, match.end()))


def _match_rule(text: str, haystack: str, rule: SecretRule, at: int) -> Secret | None:
    start = max(0, at - (_WORD_BEFORE if rule.before < 0 else rule.before))
    if rule.before < 0:
        start = max(start, *(haystack.rfind(blank, start, at) + 1 for blank in " \n"))
    match = rule.pattern.match(haystack, start)
    if not match:
        return None
    start, end = match.span(match.lastindex or 0)
    value = trim(text[start:end]) if match.lastindex else text[start:end]
    if not rule.accepts(value, text[match.start() : match.end()]):
        return None
    return Secret(rule.kind, start, match_wrapped_end(text, start + len(value)))
