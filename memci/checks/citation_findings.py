"""Shared by the truth rules: selects the verdicts of a rule and describes their evidence."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.citations.code.repository_paths import PATH_KINDS
from memci.git.history import moment_of
from memci.memory.apply_edits import split_lines
from memci.model.citation import Claim, ClaimKind, Commit, Reason, Verdict, VerdictKind
from memci.model.finding import Edit, Fix
from memci.model.memory import DailyLog
from memci.patterns import LazyPattern

LOOKS_IN_VAIN = "An agent that trusts the line looks for something that is not there, or rebuilds it."
WRITES_NAME = "Writes the new name where one commit exchanged just that word, in every line that had it."
_MAX_LINE = 5_000
_LINES_CITED = LazyPattern(r"([:#]L?)\d+(?:(-L?)\d+)?")
# More files of one directory that one commit removed are reported together. One list cited 64 of them.
_MAX_TOGETHER = 5
_MAX_NAMED_LINES = 10


def select_verdicts(material: Material, kind: VerdictKind, *claims: ClaimKind) -> Iterator[Verdict]:
    """Yield the verdicts of one kind about claims of these kinds."""
    return (verdict for verdict in material.verdicts if verdict.kind is kind and verdict.claim.kind in claims)


def make_missing_rule(name: str, *claims: ClaimKind, summary: str, example: str, remedy: str, fix: str = "") -> Rule:
    """Return the rule about claims of these kinds whose object is gone or, on new lines, never existed."""
    rule = Rule(
        id=name,
        group=Group.TRUTH,
        severity=Severity.WARNING,
        summary=summary,
        why=LOOKS_IN_VAIN,
        example=example,
        remedy=remedy,
        fix=fix,
        check=lambda material: _report_missing(rule, material, claims),
    )
    return rule


def _report_missing(rule: Rule, material: Material, claims: Sequence[ClaimKind]) -> Findings:
    found = list(_group(select_verdicts(material, VerdictKind.MISSING, *claims)))
    fixes = plan_repairs(material) if found else {}
    for verdicts in found:
        yield rule.claim_finding(
            verdicts[0],
            _describe_missing(verdicts[0]) + _describe_others(verdicts),
            suggestion=_describe_candidates(verdicts[0]),
            fix=fixes.get(verdicts[0].claim),
        )


def _group(verdicts: Iterator[Verdict]) -> Iterator[Sequence[Verdict]]:
    """Yield each verdict alone, but those about one directory that went as a whole together."""
    groups: dict[tuple[object, ...], list[Verdict]] = {}
    for number, verdict in enumerate(verdict for verdict in verdicts if verdict.reason is not Reason.SHORTER):
        directory = posixpath.dirname(verdict.held_at.rstrip("/"))
        together = verdict.broken and directory and verdict.claim.kind in PATH_KINDS and not verdict.candidates
        # Findings stay in the order of the claims, as far as that is possible.
        key = (verdict.claim.path, verdict.broken, directory, verdict.exemption) if together else (number,)
        groups.setdefault(key, []).append(verdict)
    for group in groups.values():
        yield from [group] if len(group) > _MAX_TOGETHER else ([one] for one in group)


def _describe_others(verdicts: Sequence[Verdict]) -> str:
    """Describe which other lines cite files of the same removed directory; "" if there are none."""
    if len(verdicts) == 1:
        return ""
    lines = list(dict.fromkeys(str(verdict.claim.line) for verdict in verdicts[1:]))
    named = ", ".join(lines[:_MAX_NAMED_LINES]) + (", …" if len(lines) > _MAX_NAMED_LINES else "")
    directory = posixpath.dirname(verdicts[0].held_at.rstrip("/"))
    return f"; so are {len(verdicts) - 1} more of {directory}/ on lines {named}"


def _describe_missing(verdict: Verdict) -> str:
    claim = verdict.claim
    if verdict.reason is Reason.NEVER:
        return f"{claim.text} does not exist and never did"
    if verdict.proven:
        return f"{claim.text} is now {verdict.target}: renamed{describe_break(verdict)}"
    what = f"{claim.context} has no {claim.text}" if claim.kind is ClaimKind.SCRIPT else f"{claim.text} is gone"
    return f"{what}: removed{describe_break(verdict)}" if verdict.broken else what


def describe_break(verdict: Verdict) -> str:
    """Describe the commit that broke the claim: ` in 3f9c2ab on 2026-10-10 (subject)`; "" if it is not known."""
    if verdict.broken is None:
        return ""
    said = verdict.broken.subject
    # Leave room for the ellipsis.
    said = said if len(said) <= 60 else f"{said[:59].rstrip()}…"
    subject = f" ({said})" if said else ""
    return f" in {verdict.broken.id[:10]} on {name_day(verdict.broken)}{subject}"


def name_day(commit: Commit) -> str:
    """Return the day of a commit."""
    return moment_of(commit.time).date().isoformat()


def _describe_candidates(verdict: Verdict) -> str:
    """Suggest where the object may have gone, if anything is known."""
    if verdict.proven:
        return f"write {verdict.target}"
    if not verdict.candidates:
        return "correct the line or remove it"
    return f"perhaps it went to {', '.join(verdict.candidates[:3])}; correct the line or remove it"


def plan_repairs(material: Material) -> dict[Claim, Fix]:
    """Return for each claim whose new place is proven the fix that writes it; claims of one line share one fix.

    Repaired one after the other, the second would be judged by a line that is new, and so never be repaired.
    """
    by_line: dict[tuple[PurePosixPath, int], list[Verdict]] = {}
    guides = {guide.path for guide in material.snapshot.checked_guides}
    for verdict in material.verdicts:
        claim = verdict.claim
        # Of a path git knows the new place, of a name the new name.
        fitting = VerdictKind.MOVED if claim.kind in PATH_KINDS else VerdictKind.MISSING
        repairable = verdict.proven and not verdict.exemption and verdict.kind is fitting
        # What people wrote is edited only for a rename that git recorded.
        if verdict.reason is Reason.LINES_MOVED and claim.path in guides:
            continue
        if repairable:
            by_line.setdefault((claim.path, claim.line), []).append(verdict)
    fixes: dict[Claim, Fix] = {}
    for (path, number), verdicts in by_line.items():
        old = _read_line(material, path, number)
        # A line of this length can have thousands of claims, and each fix would quote all of it.
        if not old or len(old) > _MAX_LINE:
            continue
        new = old
        written: list[Verdict] = []
        # From the last to the first, so that columns stay valid.
        for verdict in sorted(verdicts, key=lambda one: -one.claim.column):
            changed = _rewrite(new, verdict)
            if changed:
                new = changed
                written.insert(0, verdict)
        # A link whose label says one place and whose address another is worse than one that is dead.
        if any(_stands_still(new, verdict) for verdict in written):
            continue
        targets = " and ".join(dict.fromkeys(_spell_target(verdict) for verdict in written))
        fixes |= {one.claim: Fix(f"write {targets}", (Edit(path, number, old, new),)) for one in written}
    return fixes


def _stands_still(line: str, verdict: Verdict) -> bool:
    """Whether a rewritten line has the old path still, as a part of one that was not read."""
    old = verdict.claim.text
    return verdict.reason is not Reason.LINES_MOVED and "/" in old and old in line.replace(_spell_target(verdict), "")


def _read_line(material: Material, path: PurePosixPath, number: int) -> str:
    """Return a line of memory that may be changed; "" if there is none."""
    for text in material.snapshot.texts:
        if text.path == path and not isinstance(text, DailyLog):
            lines = split_lines(text.text)
            return lines[number - 1] if number <= len(lines) else ""
    return ""


def _spell_target(verdict: Verdict) -> str:
    """Return the new place as the old one is written: a file that got a new name where it was keeps its short form."""
    cited, held = verdict.claim.text, verdict.held_at
    above = held.removesuffix(cited)
    short = verdict.target.removeprefix(above)
    stays = posixpath.dirname(short.rstrip("/")) == posixpath.dirname(cited.rstrip("/"))
    return short if above.endswith("/") and held.endswith(cited) and stays else verdict.target


def _rewrite(line: str, verdict: Verdict) -> str:
    """Put the new place into a line, keeping the style of line references; "" if the claim is not at its column."""
    claim = verdict.claim
    start, end = claim.column - 1, claim.column - 1 + len(claim.text)
    if line[start:end] != claim.text:
        return ""
    if verdict.reason is not Reason.LINES_MOVED:
        return line[:start] + _spell_target(verdict) + line[end:]
    cited = _LINES_CITED.match(line, end)
    # Of `a.py:10,20` only one number would be mended, and both look checked.
    if cited is None or re.match(r",\s?\d", line[cited.end() :]):
        return ""
    first, _, last = verdict.target.rpartition(":")[2].partition("-")
    # The text of a link names the same lines as its target: one of the two would be wrong.
    same = rf"(?<={re.escape(claim.text)}:){re.escape(line[cited.start() + len(cited[1]) : cited.end()])}(?![\d-])"
    renamed = re.sub(same.replace("-L", "-"), f"{first}-{last}" if last else first, line[:start])
    return (
        renamed
        + line[start:end]
        + cited[1]
        + first
        + (f"{cited[2]}{last}" if cited[2] and last else "")
        + line[cited.end() :]
    )
