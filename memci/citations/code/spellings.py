"""How a cited name can be written in code."""

import re

from memci.model.citation import Claim, ClaimKind
from memci.patterns import LazyPattern

# `a::b`, `A.b`, `a->b`, `A#b`, `pkg/b`: the last part is what must be there.
_JOINTS = LazyPattern(r"::|->|[.#/\\]")
# Behind the name: a call, generics, an index.
_BEHIND = LazyPattern(r"[(<\[{].*$", re.DOTALL)


def list_spellings(claim: Claim) -> tuple[str, ...]:
    """Return the spellings any of which proves a claim about a name; none for other kinds of claim."""
    match claim.kind:
        case ClaimKind.SYMBOL:
            name = _last_part(claim.text)
            return (name,) if name else ()
        case ClaimKind.ENVIRONMENT:
            return (claim.text,)
        case ClaimKind.FLAG:
            word = claim.text.lstrip("-")
            return (claim.text, f'"{word}"', f"'{word}'", *_joined(word))
        case _:
            return ()


def list_loose_spellings(claim: Claim) -> tuple[str, ...]:
    """Return further spellings whose presence makes it unsafe to call the claim broken."""
    if claim.kind is not ClaimKind.FLAG:
        return ()
    word = claim.text.lstrip("-")
    # A parser that derives options from fields (clap, typer) has `verbose: bool` and nowhere `--verbose`;
    # one that derives negations has `--no-cache` from `cache`.
    return (word, word.removeprefix("no-")) if "-" not in word.removeprefix("no-") else ()


def _last_part(text: str) -> str:
    parts = [part for part in _JOINTS.split(_BEHIND.sub("", text.strip())) if part]
    return parts[-1] if parts and re.fullmatch(r"[^\W\d]\w*", parts[-1]) else ""


def _joined(word: str) -> tuple[str, ...]:
    """Return the spellings of a flag of several words as an identifier."""
    first, *rest = word.split("-")
    if not rest:
        return ()
    camel = first + "".join(part.capitalize() for part in rest)
    return (word, word.replace("-", "_"), camel, camel[:1].upper() + camel[1:])
