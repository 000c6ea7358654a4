import re
from pathlib import PurePosixPath

import pytest
from hypothesis import given

from memci.model.finding import Finding, Severity
from memci.report.check_github import MAX_ANNOTATIONS, render_github
from memci.report.check_result import CheckResult
from tests.report.results import finding, result, results

_COMMAND = re.compile(r"::(error|warning|notice|group|endgroup)( [^:]*)?::(.*)")


def _commands(rendered: str) -> list[str]:
    """Return the commands that the runner would take from this output, by its own rules."""
    lines = re.split("\r\n|\r|\n", rendered)
    assert not [line for line in lines if "##[" in line]
    found = []
    for line in lines:
        if line.lstrip().startswith("::"):
            match = _COMMAND.fullmatch(line)
            assert match, line
            found.append(match[1])
    return found


def test_an_annotation_names_place_rule_message_and_suggestion() -> None:
    path = PurePosixPath("a b/ü,1:2\n.md")
    found = Finding("secret", Severity.ERROR, path, "a 100% token: x, y", 7, 3, "revoke\nit")
    first = render_github(result(found)).split("\n")[0]
    assert first == ("::error file=a b/ü%2C1%3A2%0A.md,line=7,col=3,title=secret::a 100%25 token: x, y%0Arevoke\\nit")


def test_the_log_holds_every_finding_and_the_summary() -> None:
    lines = render_github(result(finding(), finding("date-relative", line=2), skipped=(("::x::y", "##[z]"),)))
    assert lines.split("\n")[2:] == [
        "::group::memci: 2 findings",
        "error: .claude/memory/MEMORY.md:1:1: leads nowhere [index-dangling]",
        "warning: .claude/memory/MEMORY.md:2:1: leads nowhere [date-relative]",
        "::endgroup::",
        "not checked: ::x::y: ##\\[z]",
        "memci: 1 error, 1 warning in 1 file; 1 not checked; checked 1 scope, 2 topics",
        "",
    ]


def test_a_clean_run_has_no_commands() -> None:
    assert render_github(result()) == "memci: no problems found; checked 1 scope, 2 topics\n"


@pytest.mark.parametrize(
    ("errors", "infos", "annotated", "missing"),
    [(10, 10, 20, ""), (11, 0, 10, "1 more finding "), (3_000, 10, 19, "2,991 more findings "), (0, 11, 9, "2 more ")],
)
def test_what_github_would_hide_is_counted(errors: int, infos: int, annotated: int, missing: str) -> None:
    found = [finding(line=line + 1) for line in range(errors)]
    found += [finding("topic-dangling-link", line=line + 1) for line in range(infos)]
    rendered = render_github(result(*found))
    notes = re.findall("^::notice title=memci::(.*)$", rendered, re.MULTILINE)
    assert len(re.findall("^::(?:error|notice) file=", rendered, re.MULTILINE)) == annotated
    assert len(re.findall("^(?:error|info): ", rendered, re.MULTILINE)) == errors + infos
    assert [note.startswith(missing) for note in notes] == ([True] if missing else [])
    assert _commands(rendered).count("notice") <= MAX_ANNOTATIONS


def test_a_very_long_message_is_cut_and_says_so() -> None:
    assert "9,000 more characters" in render_github(result(finding(message="x" * 10_000)))


@given(results)
def test_untrusted_text_starts_no_command(run: CheckResult) -> None:
    rendered = render_github(run)
    rendered.encode()
    commands = _commands(rendered)
    counts = [run.count(severity) for severity in (Severity.ERROR, Severity.WARNING, Severity.INFO)]
    crowded = max(counts) > MAX_ANNOTATIONS
    assert commands.count("error") == min(counts[0], MAX_ANNOTATIONS)
    assert commands.count("warning") == min(counts[1], MAX_ANNOTATIONS)
    assert commands.count("notice") == min(counts[2], MAX_ANNOTATIONS - crowded) + crowded
    assert commands.count("group") == commands.count("endgroup") == bool(run.findings)
    assert rendered.count("\n") == len(commands) + len(run.findings) + len(run.skipped) + 1
