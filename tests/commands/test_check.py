import json
from pathlib import Path

import pytest

from memci.errors import Exit
from tests.build import topic_text
from tests.commands.run import check, memci
from tests.repository import Repo, make_repository

SCOPE = ".claude/memory"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Return a repository with one clean scope."""
    repo = make_repository(tmp_path)
    repo.write(f"{SCOPE}/MEMORY.md", "- [A](a.md) — about it\n")
    repo.write(f"{SCOPE}/a.md", topic_text("Alpha.", name="a"))
    repo.commit()
    return repo


def test_a_clean_repository_says_what_was_checked(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    done = memci(capsys, repo.root, "check")
    assert (done.code, done.out, done.err) == (0, "no problems found; checked 1 scope, 1 topic\n", "")


@pytest.mark.parametrize("prepare", [make_repository, lambda path: path])
def test_no_memory_is_said_and_is_no_error(tmp_path: Path, capsys: pytest.CaptureFixture[str], prepare: object) -> None:
    assert callable(prepare)
    prepare(tmp_path)
    done = memci(capsys, tmp_path, "check")
    assert (done.code, done.out) == (0, "warning: nothing to check: no memory was found\n")
    machine = memci(capsys, tmp_path, "check", "--format", "sarif")
    assert (machine.code, machine.err) == (0, "memci: warning: memory: nothing to check: no memory was found\n")
    assert memci(capsys, tmp_path, "-q", "check").out == ""
    strict = memci(capsys, tmp_path, "check", "--strict")
    assert (strict.code, strict.err.partition("\n")[0]) == (2, "memci: nothing to check: no memory was found")


def test_quiet_prints_only_what_fails(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write(f"{SCOPE}/MEMORY.md", "- [A](a.md) — x\n- [Gone](gone.md) — y\n")
    repo.write(f"{SCOPE}/b.md", "no head\n")
    done = memci(capsys, repo.root, "check", "-q")
    (line,) = done.out.splitlines()
    assert (done.code, line.startswith(f"error: {SCOPE}/MEMORY.md:2:"), line.endswith("]")) == (1, True, True)
    assert len(memci(capsys, repo.root, "check", "-q", "--fail-on", "info").out.splitlines()) > 1
    never = memci(capsys, repo.root, "check", "-q", "--fail-on", "never")
    assert (never.code, never.out) == (0, "")


def test_rules_and_groups_are_selected_and_ignored(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write(f"{SCOPE}/MEMORY.md", "- [A](a.md) — x\n- [Gone](gone.md) — y\n")
    repo.write(f"{SCOPE}/b.md", "no head\n")

    def rules(*options: str) -> set[str]:
        return {rule for rule, _, _ in check(capsys, repo.root, *options).findings}

    everything = {"index-dangling", "index-orphan", "topic-no-frontmatter"}
    assert rules() == everything
    assert rules("--select", "index-orphan") == {"index-orphan"}
    assert rules("--select", "index") == {"index-dangling", "index-orphan"}
    assert rules("--ignore", "index-orphan,topic") == {"index-dangling"}
    assert rules("--select", "index", "--ignore", "index-dangling") == {"index-orphan"}
    wrong = memci(capsys, repo.root, "check", "--select", "index-orphans")
    assert (wrong.code, wrong.err.splitlines()[1]) == (2, "  hint: did you mean index-orphan?")


def test_only_what_is_selected_is_fixed(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write(f"{SCOPE}/b.md", topic_text("Beta.", name="b", description="tests: always"))
    assert check(capsys, repo.root, "--fix", "--select", "topic-bad-yaml").json["summary"]["fixed"] == 1
    assert "b.md" not in (repo.root / SCOPE / "MEMORY.md").read_text()


def test_the_settings_change_the_severity_of_a_rule(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write(f"{SCOPE}/b.md", topic_text("Beta.", name="b"))
    assert check(capsys, repo.root).code == 0
    repo.write(".memci.yml", "severity:\n  index-orphan: error\n")
    done = check(capsys, repo.root)
    assert (done.code, done.json["findings"][0]["severity"]) == (1, "error")
    repo.write(".memci.yml", "severity:\n  index-orphan: grave\n")
    assert "must be one of info, warning, error, not 'grave'" in memci(capsys, repo.root, "check").err
    repo.write(".memci.yml", "severity:\n  no-such-rule: error\n")
    assert "severity names no rule 'no-such-rule'" in memci(capsys, repo.root, "check").err


def test_a_change_that_lowers_a_severity_is_reported(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write(".memci.yml", "severity: {secret: info}\n")
    done = check(capsys, repo.root, "--since", "HEAD")
    assert [(found["rule"], found["message"]) for found in done.json["findings"]] == [
        ("config-changed", "the settings change: secret counts as info")
    ]


def test_statistics_say_how_often_each_rule_fires(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    for name in "bcd":
        repo.write(f"{SCOPE}/{name}.md", topic_text(f"{name * 8}.", name=name))
    repo.write(f"{SCOPE}/e.md", "")
    done = memci(capsys, repo.root, "check", "--statistics")
    assert done.code == 1
    counts = [line.split()[:3] for line in done.out.splitlines() if line[0].isdigit()][:2]
    assert counts == [["1", "error", "topic-no-frontmatter"], ["4", "warning", "index-orphan"]]
    assert memci(capsys, repo.root, "check", "--statistics", "--format", "json").code == 2


def test_memory_outside_of_git_is_checked_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "MEMORY.md").write_text("- [Gone](gone.md)\n")
    assert check(capsys, tmp_path).findings == [("index-dangling", "memory/MEMORY.md", 1)]


@pytest.mark.parametrize(("fail_on", "code"), [("error", 0), ("warning", 1), ("info", 1), ("never", 0)])
def test_the_fail_level_decides_between_0_and_1(
    repo: Repo, capsys: pytest.CaptureFixture[str], fail_on: str, code: int
) -> None:
    repo.write(f"{SCOPE}/b.md", topic_text("Beta.", name="b"))
    assert check(capsys, repo.root, "--fail-on", fail_on).code == code


def test_settings_come_from_file_then_environment_then_flags(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write(f"{SCOPE}/b.md", topic_text("Beta.", name="b"))
    repo.write(".memci.yml", "fail-on: warning\n")
    assert check(capsys, repo.root).code == 1
    monkeypatch.setenv("MEMCI_CHECK_FAIL_ON", "never")
    assert check(capsys, repo.root).code == 0
    assert check(capsys, repo.root, "--fail-on", "warning").code == 1


def test_paths_limit_what_is_reported(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write(f"{SCOPE}/b.md", "no head")
    repo.write(".claude/agent-memory/x/MEMORY.md", "- [Gone](gone.md)\n")
    assert {path for _, path, _ in check(capsys, repo.root, f"{SCOPE}/b.md").findings} == {f"{SCOPE}/b.md"}
    assert {path for _, path, _ in check(capsys, repo.root, SCOPE).findings} == {f"{SCOPE}/b.md"}
    assert {path for _, path, _ in check(capsys, repo.root, ".claude/agent-memory").findings} == {
        ".claude/agent-memory/x/MEMORY.md"
    }
    assert check(capsys, repo.root / SCOPE, ".").findings == check(capsys, repo.root, SCOPE).findings


@pytest.mark.parametrize(
    ("path", "message"),
    [("nowhere", "nowhere does not exist"), ("src", "src is in no memory scope"), ("/etc", "/etc is outside of")],
)
def test_a_path_that_is_not_memory_exits_2(
    repo: Repo, capsys: pytest.CaptureFixture[str], path: str, message: str
) -> None:
    repo.write("src/app.py", "")
    done = memci(capsys, repo.root, "check", path)
    assert done.code == Exit.USAGE
    assert message in done.err
    assert done.out == ""


def test_since_reports_only_what_the_branch_brings_in(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write(f"{SCOPE}/old.md", "no head\n")
    base = repo.commit("old problem")
    repo.run("checkout", "--quiet", "-b", "topic")
    repo.write(f"{SCOPE}/MEMORY.md", "# New heading\n- [Old](old.md) — x\n- [A](a.md) — about it\n- [Gone](gone.md)\n")
    repo.write(f"{SCOPE}/old.md", "a new first line\nno head\n")
    repo.commit("branch")
    assert check(capsys, repo.root, "--since", "main").findings == [("index-dangling", f"{SCOPE}/MEMORY.md", 4)]
    assert check(capsys, repo.root, "--since", base).json["summary"]["errors"] == 1


def test_since_sees_a_pointer_break_when_only_the_topic_was_deleted(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.delete(f"{SCOPE}/a.md")
    found = check(capsys, repo.root, "--since", "HEAD").findings
    assert found == [("index-dangling", f"{SCOPE}/MEMORY.md", 1), ("memory-vanished", f"{SCOPE}/a.md", 1)]


def test_since_judges_by_the_settings_of_the_base(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write(".memci.yml", "fail_on: never\nignore:\n  - {rule: index-dangling, reason: quiet}\n")
    repo.write(f"{SCOPE}/MEMORY.md", "- [A](a.md) — about it\n- [Gone](gone.md)\n")
    done = check(capsys, repo.root, "--since", "HEAD")
    assert done.code == Exit.FINDINGS
    assert {rule for rule, _, _ in done.findings} == {"config-changed", "index-dangling"}


@pytest.mark.parametrize("revision", ["nonsense", "--output=pwned", "--open-files-in-pager=touch pwned", ""])
def test_a_revision_that_is_none_exits_2_and_runs_nothing(
    repo: Repo, capsys: pytest.CaptureFixture[str], revision: str
) -> None:
    before = sorted(repo.root.iterdir())
    assert memci(capsys, repo.root, "check", f"--since={revision}").code == Exit.USAGE
    assert sorted(repo.root.iterdir()) == before


def test_fix_repairs_what_is_safe_once(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    hook = "the first half of a long story that goes on and on; " * 4
    index = (
        f"- [A](a.md) — about it\n- [A again](a.md) — about it\n- [Y](yaml.md) — {hook.strip()}\n- [Gone](gone.md)\n"
    )
    repo.write(f"{SCOPE}/MEMORY.md", index)
    repo.write(f"{SCOPE}/yaml.md", topic_text("Text.", name="y", description="tests: always").replace("\n", "\r\n"))
    repo.write(f"{SCOPE}/orphan.md", topic_text("Omega.", name="o"))
    untouched = repo.write(f"{SCOPE}/headless.md", b"no head, \xef\xbb\xbf no newline")
    repo.write(f"{SCOPE}/MEMORY.md", f"{index}- [Headless](headless.md) — x\n")
    bytes_before = untouched.read_bytes()
    first = check(capsys, repo.root, "--fix")
    assert first.json["summary"]["fixed"] == 3
    assert {rule for rule, _, _ in first.findings} == {
        "index-dangling", "index-long-entry", "topic-no-frontmatter", "hidden-text",
    }  # fmt: skip
    assert untouched.read_bytes() == bytes_before
    assert (repo.root / SCOPE / "yaml.md").read_bytes().count(b"\r\n") == 7
    after = {path: path.read_bytes() for path in sorted((repo.root / SCOPE).iterdir())}
    second = check(capsys, repo.root, "--fix")
    assert second.json["summary"]["fixed"] == 0
    assert second.findings == first.findings
    assert {path: path.read_bytes() for path in sorted((repo.root / SCOPE).iterdir())} == after


def test_diff_shows_what_fix_would_write_and_writes_nothing(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write(f"{SCOPE}/MEMORY.md", "- [A](a.md) — about it\n")
    repo.write(f"{SCOPE}/orphan.md", topic_text("Omega.", name="o"))
    before = {path: path.read_bytes() for path in sorted((repo.root / SCOPE).iterdir())}
    shown = memci(capsys, repo.root, "check", "--diff")
    assert shown.code == Exit.DONE
    assert f"--- a/{SCOPE}/MEMORY.md\n+++ b/{SCOPE}/MEMORY.md\n" in shown.out
    assert "+- [Orphan](orphan.md) — what it says\n" in shown.out
    assert {path: path.read_bytes() for path in sorted((repo.root / SCOPE).iterdir())} == before
    assert memci(capsys, repo.root, "check", "--diff", "--format", "json").code == Exit.USAGE


def test_fix_and_since_do_not_go_together(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(capsys, repo.root, "--fix", "--since", "HEAD").code == Exit.USAGE


def test_a_baseline_hides_what_was_there_and_nothing_new(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write(f"{SCOPE}/MEMORY.md", "- [A](a.md) — x\n- [Gone](gone.md)\n")
    baseline = str(repo.root / "memci-baseline.json")
    assert check(capsys, repo.root, "--baseline", baseline, "--write-baseline").code == 0
    again = check(capsys, repo.root, "--baseline", baseline)
    assert (again.code, again.findings, again.json["summary"]["baselined"]) == (0, [], 1)
    repo.write(f"{SCOPE}/MEMORY.md", "# Moved down\n\n- [A](a.md) — x\n- [Gone](gone.md)\n- [New](new.md)\n")
    assert check(capsys, repo.root, "--baseline", baseline).findings == [("index-dangling", f"{SCOPE}/MEMORY.md", 5)]


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"schema": "memci/baseline/1", "findings": {"x": -1}}', "\0"])
def test_a_broken_baseline_exits_2(repo: Repo, capsys: pytest.CaptureFixture[str], content: str) -> None:
    repo.write("baseline.json", content)
    assert check(capsys, repo.root, "--baseline", str(repo.root / "baseline.json")).code == Exit.USAGE
    assert check(capsys, repo.root, "--baseline", str(repo.root / "none.json")).code == Exit.USAGE


def test_an_unknown_rule_in_the_settings_exits_2(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write(".memci.yml", "ignore:\n  - rule: no-such-rule\n    reason: x\n")
    done = memci(capsys, repo.root, "check")
    assert done.code == Exit.USAGE
    assert ".memci.yml:2: there is no rule 'no-such-rule'\n  hint: memci rule lists all\n" in done.err
    repo.write(".memci.yml", "severity: {path-moveed: error}\n")
    assert "hint: did you mean path-moved?" in memci(capsys, repo.root, "check").err


def test_settings_that_are_no_yaml_exit_2_and_say_where_to_look(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write(".memci.yml", "scopes: notes\nignore: [\n")
    done = memci(capsys, repo.root, "check")
    assert (done.code, done.err.startswith("memci: .memci.yml:3: ")) == (2, True)
    assert "hint: there, or above: an open bracket" in done.err


@pytest.mark.parametrize("style", ["text", "json", "sarif", "github", "gitlab", "markdown"])
def test_no_format_ever_shows_a_secret(repo: Repo, capsys: pytest.CaptureFixture[str], style: str) -> None:
    value = "ghp_" + "Qw7Er5Ty3Ui1Op9A" * 2 + "sDfG"
    hook = f"the token is {value} and " * 5
    repo.write(
        f"{SCOPE}/MEMORY.md", f"- [A](a.md) — {hook}\n- [{value}]({value}.md)\n- [B]({value}) x\nprose {value}\n"
    )
    repo.write(f"{SCOPE}/a.md", topic_text(f"until 2026-01-01 use {value}\n[[{value}]]", name=value, kind=value))
    done = memci(capsys, repo.root, "check", "--format", style)
    assert done.code == Exit.FINDINGS
    assert "secret" in done.out
    assert value not in done.out + done.err


@pytest.mark.parametrize("style", ["json", "sarif", "gitlab"])
def test_machine_formats_are_one_document(repo: Repo, capsys: pytest.CaptureFixture[str], style: str) -> None:
    repo.write(f"{SCOPE}/odd\u202e name.md", "\x1b[31mno head")
    assert json.loads(memci(capsys, repo.root, "check", "--format", style).out)


def test_submodules_are_named_and_not_entered(repo: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inner = make_repository(tmp_path / "elsewhere")
    inner.write(f"{SCOPE}/MEMORY.md", "- [Gone](gone.md)\n")
    inner.commit()
    repo.write(".gitignore", "elsewhere\n")
    repo.run("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.root), "vendor/inner")
    done = check(capsys, repo.root)
    assert done.findings == []
    assert done.json["skipped"][0]["what"] == "vendor/inner"


def test_fix_reaches_nested_and_personal_scopes(repo: Repo, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write(".claude/agent-memory/MEMORY.md", "# All\n")
    repo.write(".claude/agent-memory/shared.md", topic_text("Sigma.", name="s"))
    repo.write(".claude/agent-memory/x/own.md", topic_text("Tau.", name="t"))
    repo.write(".claude/agent-memory-local/me/mine.md", topic_text("Rho.", name="r"))
    outside = home / ".claude" / "agent-memory" / "helper"
    outside.mkdir(parents=True)
    (outside / "note.md").write_text(topic_text("Pi.", name="p"))
    done = check(capsys, repo.root, "--fix", "--user")
    assert (done.code, done.findings, done.json["summary"]["fixed"]) == (0, [], 4)
    assert (repo.root / ".claude/agent-memory/MEMORY.md").read_text() == "# All\n- [Shared](shared.md) — what it says\n"
    assert (repo.root / ".claude/agent-memory/x/MEMORY.md").read_text() == "- [Own](own.md) — what it says\n"
    assert (repo.root / ".claude/agent-memory-local/me/MEMORY.md").exists()
    assert (outside / "MEMORY.md").read_text() == "- [Note](note.md) — what it says\n"


def test_fix_stays_within_the_paths_that_were_named(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two"):
        repo.write(f"{SCOPE}/{name}.md", topic_text(f"{name} text", name=name, description=f"{name}: x"))
    check(capsys, repo.root, "--fix", f"{SCOPE}/one.md")
    assert '"one: x"' in (repo.root / SCOPE / "one.md").read_text()
    assert "description: two: x\n" in (repo.root / SCOPE / "two.md").read_text()


def test_a_secret_in_a_file_name_is_reported_and_not_shown(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    value = "ghp_" + "Hj6Kl4Zx2Cv8Bn0M" * 2 + "qWeR"
    repo.write(f"{SCOPE}/{value}.md", topic_text("x", name="x"))
    done = memci(capsys, repo.root, "check")
    assert "the file name looks like it holds a secret (github-token)" in done.out
    assert value not in done.out


def test_a_shallow_clone_is_said_with_since(repo: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo.commit("second")
    shallow = tmp_path / "shallow"
    repo.run("clone", "--quiet", "--depth=1", f"file://{repo.root}", str(shallow))
    done = check(capsys, shallow, "--since", "HEAD")
    assert done.code == 0
    assert "fetch with depth 0" in done.json["skipped"][0]["why"]


def test_the_summary_by_rule_comes_first_and_the_gravest_rule_first(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(12):
        repo.write(f"{SCOPE}/orphan{number}.md", topic_text(f"Omega {number} {'x' * number}.", name=f"o{number}"))
    repo.write(f"{SCOPE}/zz.md", topic_text("Late.", name="zz", description="tests: always"))
    repo.write(f"{SCOPE}/MEMORY.md", "- [A](a.md) — about it\n- [Zz](zz.md) — late\n- [Gone](gone.md) — y\n")
    shown = memci(capsys, repo.root, "check").out
    rows = [line.split()[:3] for line in shown.partition("\n\n")[0].split("\n")]
    rows = [row for row in rows if row[0].isdigit()]
    assert rows == [
        ["1", "error", "index-dangling"],
        ["1", "error", "topic-bad-yaml"],
        ["12", "warning", "index-orphan"],
    ]
    # Of the findings themselves the same.
    assert shown.index("gone.md") < shown.index("zz.md:") < shown.index("orphan0.md:")


def test_a_help_is_said_once_for_all_findings_of_a_rule(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(12):
        repo.write(f"{SCOPE}/day{number}.md", topic_text(f"We move part {number} tomorrow.", name=f"d{number}"))
    shown = memci(capsys, repo.root, "check").out
    assert "day1.md" in shown
    assert shown.count("write the absolute date") == 1


def test_a_first_run_over_grown_memory_is_one_screen(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(150):
        text = topic_text(f"We move part {number} tomorrow.", name=f"d{number}", description="a: b")
        repo.write(f"{SCOPE}/day{number}.md", text)
    assert len(memci(capsys, repo.root, "check").out.split("\n")) <= 60


def test_what_recall_cannot_show_whole_is_found(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    topics = {
        "bytes.md": topic_text("x" * 4_100, name="bytes"),
        "lines.md": topic_text("x\n" * 200, name="lines"),
        "head.md": topic_text("Text.", name="head", description="tests: always"),
        "fine.md": topic_text("Text of its own.", name="fine"),
    }
    for name, text in topics.items():
        repo.write(f"{SCOPE}/{name}", text)
    found = {(rule, path.rpartition("/")[2]) for rule, path, _ in check(capsys, repo.root).findings}
    assert {(rule, name) for rule, name in found if rule.startswith("topic")} == {
        ("topic-oversized", "bytes.md"),
        ("topic-oversized", "lines.md"),
        ("topic-bad-yaml", "head.md"),
    }


@pytest.mark.parametrize(
    ("index", "rule"), [("\n" * 159 + "# End\n", "index-over-lines"), ("# " + "x" * 20_000, "index-over-bytes")]
)
def test_an_index_is_a_warning_where_the_client_begins_to_nag(
    repo: Repo, capsys: pytest.CaptureFixture[str], index: str, rule: str
) -> None:
    repo.write(f"{SCOPE}/MEMORY.md", index)
    (found,) = [found for found in check(capsys, repo.root).json["findings"] if found["rule"] == rule]
    assert found["severity"] == "warning"
    repo.write(f"{SCOPE}/MEMORY.md", index[1:] if rule == "index-over-lines" else index[:-2])
    assert rule not in {name for name, _, _ in check(capsys, repo.root).findings}
