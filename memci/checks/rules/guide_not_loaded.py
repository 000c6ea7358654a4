"""guide-not-loaded: Claude Code does not read an AGENTS.md, because a CLAUDE.md takes its place."""

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.memory.guide_files import GUIDE_NAMES, parse_includes, resolve_guide_directory
from memci.model.memory import Guide

_OTHER = "AGENTS.md"
# An empty one does not count.
_FIRST = frozenset(name.name for name in GUIDE_NAMES) - {_OTHER}


def check(material: Material) -> Findings:
    """Find AGENTS.md files at or below a CLAUDE.md that neither includes nor mentions them."""
    guides = material.snapshot.checked_guides
    included = {path for guide in guides for path in parse_includes(guide.path, guide.text)}
    first = [guide for guide in guides if guide.path.name in _FIRST and guide.text.strip()]
    for guide in guides:
        if guide.path.name == _OTHER and guide.path not in included:
            nearest = max((one for one in first if _replaces(one, guide)), key=_depth, default=None)
            # Who names it, or repeats it, knows.
            if nearest and _OTHER not in nearest.text and nearest.text != guide.text:
                yield RULE.finding(
                    guide.path,
                    f"Claude Code does not load this file: {nearest.path} takes its place",
                    suggestion=f"if it is for Claude Code as well, include it with @ in {nearest.path}",
                    key=str(nearest.path),
                )


def _replaces(first: Guide, other: Guide) -> bool:
    directory = resolve_guide_directory(first.path)
    return directory is not None and other.path.is_relative_to(directory)


def _depth(guide: Guide) -> int:
    return len(guide.path.parts)


RULE = Rule(
    id="guide-not-loaded",
    group=Group.FILE,
    severity=Severity.INFO,
    summary="Claude Code does not load an AGENTS.md at or below a CLAUDE.md that does not include it.",
    why="Its rules bind other clients only, and nobody is told.",
    example="AGENTS.md   <- beside a CLAUDE.md without @AGENTS.md",
    remedy="Write `@AGENTS.md` into the CLAUDE.md, or leave it if the file is for other clients.",
    check=check,
)
