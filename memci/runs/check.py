"""Runs `memci check`: reads memory, runs the rules, fixes and reports."""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from memci import HOMEPAGE, __version__
from memci.checks.registry import RULE_INFOS
from memci.checks.rule import Group
from memci.checks.rule_names import suggest_rule
from memci.config import Config
from memci.dream import check_memory
from memci.errors import ConfigError, Exit, UsageError
from memci.git.workspace import Workspace, list_skipped, resolve_inside
from memci.memory.guide_files import is_guide
from memci.model.citation import Verdict, VerdictKind
from memci.model.finding import Finding
from memci.model.memory import Snapshot
from memci.redaction.secrets import redact
from memci.report.check_result import CheckResult
from memci.runs.scopes import Prepared, select_scopes


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """The options of `memci check`."""

    paths: tuple[Path, ...]
    since: str | None
    fix: bool
    now: dt.datetime
    baseline: Path | None
    write_baseline: bool
    # Rules and groups of rules; all rules if nothing is selected.
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def takes(self, finding: Finding) -> bool:
        """Whether the options ask for findings of this rule."""
        names = {finding.rule, RULE_INFOS[finding.rule].group.lower()}
        return (not self.select or not names.isdisjoint(self.select)) and names.isdisjoint(self.ignore)


def check(found: Prepared, request: CheckRequest, show: Callable[[str], None]) -> tuple[CheckResult, Config]:
    """Check memory, fix it if asked to, and return the result with the settings that applied."""
    show("looking for memory")
    workspace, config = found.workspace, found.config
    wanted, snapshot = _read(found, request)
    skipped = (*found.notes, *list_skipped(workspace))
    if request.since is not None and workspace.repository and workspace.repository.shallow:
        skipped += (("history", "this clone is shallow, the branching point may be missing; fetch with depth 0"),)
    fixed: tuple[Finding, ...] = ()
    if request.fix:
        snapshot, fixed = _fix(workspace, snapshot, _make_finder(found, request, wanted))
    show("asking the repository")
    truth = check_memory.verify_claims(workspace, snapshot)
    skipped += tuple(("history", note) for note in truth.notes)
    if request.since is not None:
        from memci.runs import since as changes

        base = changes.read_base(workspace, request.since, with_guides=True)
        verdicts = changes.select_new_verdicts(base, snapshot, truth)
        outcome = changes.judge_change(base, snapshot, config, request.now, verdicts)
        config = base.config
    else:
        common = workspace.repository.common if workspace.repository else None
        outcome = check_memory.check_snapshot(snapshot, config, request.now, truth, show, common=common)
    findings = [one for one in outcome.findings if _is_below(one, wanted) and request.takes(one)]
    findings, baselined = _apply_baseline(findings, request)
    result = CheckResult(
        findings=tuple(finding for finding in findings if not finding.is_conditional),
        possible=tuple(finding for finding in findings if finding.is_conditional),
        rules=RULE_INFOS,
        scopes=len(snapshot.scopes),
        topics=sum(len(scope.topics) for scope in snapshot.scopes),
        guides=len(snapshot.checked_guides),
        suppressed=len(outcome.suppressed),
        baselined=baselined,
        skipped=skipped,
        fixed=fixed,
        since=request.since,
        claims=Counter(verdict.kind.value for verdict in truth.verdicts),
        reasons=dict(Counter(_list_reasons(truth.verdicts)).most_common()),
    )
    return result, config


def _read(found: Prepared, request: CheckRequest) -> tuple[Sequence[PurePosixPath], Snapshot]:
    """Return the wanted paths, and the memory and guides to check."""
    workspace = found.workspace
    wanted = [resolve_inside(workspace, path) for path in request.paths]
    scopes = select_scopes(found.scopes, [path for path in wanted if not _has_guides(workspace, path)])
    return wanted, check_memory.read_snapshot(workspace.tree, scopes, found.own, with_guides=True)


def _has_guides(workspace: Workspace, path: PurePosixPath) -> bool:
    """Whether a path is a guide, or a directory outside of memory with guides below it."""
    inside = f"{path}/"
    return any(name == str(path) or name.startswith(inside) for name in workspace.tree.paths() if is_guide(name))


def _is_below(finding: Finding, wanted: Sequence[PurePosixPath]) -> bool:
    return not wanted or any(path in (finding.path, *finding.path.parents) for path in wanted)


def _list_reasons(verdicts: Iterable[Verdict]) -> Iterator[str]:
    for verdict in verdicts:
        if verdict.kind is VerdictKind.UNVERIFIABLE and verdict.reason:
            yield verdict.reason.value


def name_rules(named: Iterable[str]) -> tuple[str, ...]:
    """Return the rules and groups of rules that were named, separated by commas or not."""
    known = [*RULE_INFOS, *(group.lower() for group in Group)]
    names = tuple(name.strip().lower() for text in named for name in text.split(",") if name.strip())
    for name in names:
        if name not in known:
            raise UsageError(f"there is no rule {name!r}", hint=suggest_rule(name, known))
    return names


def explain(found: Prepared, place: str) -> str:
    """Return the evidence behind the claims of one line of memory, named as FILE:LINE."""
    from memci.report.check_text import render_explanation

    name, _, number = place.rpartition(":")
    if not name or not number.isdecimal():
        raise UsageError(f"{place!r} is no place in a file", hint="write it as FILE:LINE")
    workspace = found.workspace
    path = resolve_inside(workspace, Path(name))
    scopes = select_scopes(found.scopes, [] if _has_guides(workspace, path) else [path])
    snapshot = check_memory.read_snapshot(workspace.tree, scopes, with_guides=True)
    return redact(render_explanation(place, check_memory.judge_line(workspace, snapshot, path, int(number))))


def preview(found: Prepared, request: CheckRequest) -> str:
    """Return what --fix would write as a unified diff."""
    from memci.checks.fix import fix_snapshot
    from memci.report.dream_text import render_texts_diff

    wanted, snapshot = _read(found, request)
    fixed = fix_snapshot(snapshot, _make_finder(found, request, wanted))
    old = {text.path: text.text for text in snapshot.texts if text.path in fixed.texts}
    return render_texts_diff(old, fixed.texts)


def _make_finder(
    found: Prepared, request: CheckRequest, wanted: Sequence[PurePosixPath]
) -> Callable[[Snapshot], list[Finding]]:
    """Return what finds the problems of a snapshot below the wanted paths."""

    def find(memory: Snapshot) -> list[Finding]:
        truth = check_memory.verify_claims(found.workspace, memory)
        findings = check_memory.check_snapshot(memory, found.config, request.now, truth).findings
        return [finding for finding in findings if _is_below(finding, wanted) and request.takes(finding)]

    return find


def _fix(
    workspace: Workspace, snapshot: Snapshot, find: Callable[[Snapshot], Sequence[Finding]]
) -> tuple[Snapshot, tuple[Finding, ...]]:
    """Make every safe repair and write what changed; files outside the repository keep their own root."""
    from memci.checks.fix import fix_snapshot
    from memci.stores.files import FileReplacement, write_changes

    old = {text.path: text.text for text in snapshot.texts}
    fixed = fix_snapshot(snapshot, find)
    changes = {path: FileReplacement(old.get(path), text) for path, text in fixed.texts.items()}
    for scope in snapshot.scopes:
        if not scope.scope.target.is_relative_to(workspace.root):
            mine = [path for path in changes if path.is_relative_to(scope.scope.path)]
            write_changes(scope.scope.target, {path.relative_to(scope.scope.path): changes.pop(path) for path in mine})
    write_changes(workspace.root, changes)
    return fixed.snapshot, fixed.applied


def _apply_baseline(findings: list[Finding], request: CheckRequest) -> tuple[list[Finding], int]:
    if request.baseline is None:
        return findings, 0
    from memci.checks.baseline import parse_baseline, render_baseline, subtract
    from memci.stores.files import write_output

    if request.write_baseline:
        write_output(request.baseline, render_baseline(findings).encode())
        return [], len(findings)
    try:
        known = parse_baseline(request.baseline.read_text(encoding="utf-8"), str(request.baseline))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {request.baseline}", hint="write it with --write-baseline") from error
    left = subtract(findings, known.elements())
    return left, len(findings) - len(left)


def render(result: CheckResult, style: str, *, colour: bool, width: int, everything: bool) -> str:
    """Return the result in one of the formats."""
    from memci.report import check_github, check_json, check_markdown, check_sarif, check_text

    match style:
        case "json":
            return check_json.render_json(result.everything)
        case "sarif":
            return check_sarif.render_sarif(result.everything, version=__version__, uri_base=f"{HOMEPAGE}/blob/main/")
        case "github":
            return check_github.render_github(result)
        case "gitlab":
            return check_json.render_gitlab(result)
        case "markdown":
            return check_markdown.render_markdown(result)
        case _:
            shown = result.everything if everything else result
            return check_text.render_text(shown, colour=colour, width=width, everything=everything)


def exit_code(result: CheckResult, fail_on: str) -> Exit:
    """Return 1 if a finding reaches the fail level, else 0."""
    return Exit.FINDINGS if _list_failing(result, fail_on) else Exit.DONE


def render_failing(result: CheckResult, fail_on: str) -> str:
    """Return a line for each finding that reaches the fail level."""
    from memci.report.check_github import render_line

    return "".join(f"{render_line(finding)}\n" for finding in _list_failing(result, fail_on))


def _list_failing(result: CheckResult, fail_on: str) -> list[Finding]:
    return [finding for finding in result.findings if finding.severity.reaches(fail_on)]
