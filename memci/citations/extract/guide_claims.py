"""Extracts the claims of a guide: those of its text, its includes and the globs that say when it is loaded."""

from pathlib import PurePosixPath

from memci.citations.extract.claims import find_claims
from memci.citations.extract.spans import parse_span
from memci.memory.guide_files import list_patterns
from memci.memory.guide_includes import find_includes
from memci.model.citation import Claim, ClaimKind

_FILES = (ClaimKind.PATH, ClaimKind.DIRECTORY, ClaimKind.GLOB)


def find_guide_claims(path: PurePosixPath, text: str) -> list[Claim]:
    """Return the claims of a guide in the order of their kinds."""
    claims = find_claims(path, text)
    known = {(claim.line, claim.text) for claim in claims}
    for line, column, cited in (*list_patterns(text), *find_includes(text)):
        for part in parse_span(cited):
            if part.kind in _FILES and (line, part.text) not in known:
                claims.append(Claim(part.kind, part.text, path, line, column + part.start))
    return claims
