"""Runs the rules: sorts findings, redacts secrets in them and applies exceptions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import NamedTuple

from memci.checks.rule import Group, Material, Rule
from memci.checks.rule_names import RULE_IDS
from memci.checks.rules.ignore_unused import Directive, parse_directives, report_unused
from memci.config import Config
from memci.model.finding import Finding, Severity
from memci.redaction.secrets import redact


class CheckOutcome(NamedTuple):
    """The findings, and those that exceptions suppress."""

    findings: tuple[Finding, ...]
    suppressed: tuple[Finding, ...] = ()

    @property
    def problems(self) -> tuple[Finding, ...]:
        """The findings without stale citations in text that may describe the past."""
        return tuple(finding for finding in self.findings if not finding.is_conditional)


def find_problems(rule: Rule, material: Material) -> tuple[Finding, ...]:
    """Return what one rule finds, fit to be shown."""
    return tuple(_redacted(finding) for finding in rule.check(material))


def run_rules(
    material: Material,
    config: Config,
    rules: Sequence[Rule],
    progress: Callable[[Rule], None] = lambda _: None,
    known: Mapping[str, Sequence[Finding]] = MappingProxyType({}),
) -> CheckOutcome:
    """Run every rule whose findings are not known and apply the exceptions; report exceptions that were not used."""
    found: list[Finding] = []
    for rule in rules:
        progress(rule)
        found += known[rule.id] if rule.id in known else find_problems(rule, material)
    directives = tuple(parse_directives(material.snapshot))
    unsuppressible = frozenset(rule.id for rule in rules if rule.group is Group.SAFETY)
    kept, used = _apply_exceptions(found, directives, config, unsuppressible)
    passed = set(map(id, kept))
    suppressed = tuple(finding for finding in found if id(finding) not in passed)
    # A rule that did not run needs no exception, but may in another run.
    idle = RULE_IDS - {rule.id for rule in rules}
    asked = replace(config, ignore=tuple(entry for entry in config.ignore if entry.rule not in idle))
    kept += report_unused((one for one in directives if one.rule not in idle), asked, used)
    levels = {rule: Severity(level) for rule, level in config.severity}
    judged = (replace(found, severity=levels[found.rule]) if found.rule in levels else found for found in kept)
    return CheckOutcome(tuple(sorted(judged, key=lambda finding: finding.order)), suppressed)


def _redacted(finding: Finding) -> Finding:
    """Redact what is printed: a message may quote the memory, and even a file name can contain a secret."""
    return replace(
        finding,
        path=PurePosixPath(redact(str(finding.path))),
        message=redact(finding.message),
        suggestion=redact(finding.suggestion),
        # The edits stay as they are: they are applied, and the formats that show them redact them.
        fix=finding.fix._replace(summary=redact(finding.fix.summary)) if finding.fix else None,
    )


def _apply_exceptions(
    findings: Iterable[Finding], directives: Iterable[Directive], config: Config, unsuppressible: frozenset[str]
) -> tuple[list[Finding], frozenset[object]]:
    """Return what remains and which exceptions were used.

    A comment in a memory file cannot suppress the safety rules: an attacker could plant one with the instruction.
    """
    by_place: dict[tuple[str, str, int], Directive] = {}
    for directive in directives:
        if directive.reason and directive.rule not in unsuppressible:
            by_place |= {(directive.rule, str(directive.path), line): directive for line in directive.covers}
    kept = []
    used: set[object] = set()
    for finding in findings:
        comment = by_place.get((finding.rule, str(finding.path), finding.line))
        covering = [*([comment] if comment else []), *(entry for entry in config.ignore if entry.matches(finding))]
        used.update(covering)
        if not covering:
            kept.append(finding)
    return kept, frozenset(used)
