"""What a memory says is data: nothing of it is executed, and no amount of it makes the check hang or lie."""

from pathlib import Path
from typing import Any

import pytest

from memci.citations.extract.claims import MAX_CLAIMS
from memci.errors import Exit
from memci.report.check_result import CLAIM_VERDICTS
from tests.citations.scripted import SCOPE, Moved, Scripted, begin, run_check
from tests.commands.run import check
from tests.gate import in_gate
from tests.repository import Repo

CODE = "".join(f"value_{number} = compute({number})\n" for number in range(24))


@pytest.fixture
def scripted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scripted:
    (tmp_path / "cwd").mkdir()
    monkeypatch.chdir(tmp_path / "cwd")
    return begin(tmp_path / "repo")


def assert_nothing_ran(tmp_path: Path) -> None:
    assert list(tmp_path.rglob("pwned")) == []


def count_claims(report: Any) -> int:
    return sum(report["claims"][verdict] for verdict in CLAIM_VERDICTS)


# Claims that look like options, and paths that look like more than a path.

ODD_FILES = [
    "--output=pwned.py",
    "-x.py",
    ":(exclude)odd.py",
    ":!not.py",
    "src/*.py",
    "src/new\nline.py",
    'src/quo"te.py',
    "src/ünï.py",
    "src/$(touch pwned).py",
]
ODD_CLAIMS = [
    "--open-files-in-pager=touch pwned",
    "--output=pwned",
    "--upload-pack=touch pwned",
    "git grep --open-files-in-pager=touch",
    "-O",
    "commit --output=pwned",
    "src/a.py:1-99999999999999999999",
    "src/a.py:0",
    "../../../../etc/passwd",
    "src/\x00nul.py",
    "src/" + "a/" * 5_000 + "b.py",
    "x" * 70_000 + "()",
    "a::" * 20_000 + "b",
    "*" * 300 + "/x.py",
    "**/" * 200 + "x.py",
    "{a,b}" * 60 + "/*.py",
    "npm run --prefix=pwned --output=pwned",
    "make -f/dev/stdin pwned",
]


def test_what_looks_like_an_option_is_a_name(scripted: Scripted, tmp_path: Path) -> None:
    for text in (*ODD_FILES, *ODD_CLAIMS):
        scripted.remember(f"See `{text}`, commit `--output=pwned`, or [it]({text}).")
    scripted.change({path: f"def odd_{number}():\n    pass\n" for number, path in enumerate(ODD_FILES)})
    scripted.change(dict.fromkeys(ODD_FILES))
    run_check(scripted.repo.root)
    run_check(scripted.repo.root, "--fix")
    assert_nothing_ran(tmp_path)


def test_a_name_in_an_odd_file_is_followed_like_any_other(scripted: Scripted, tmp_path: Path) -> None:
    paths = [scripted.remember(f"Calls `odd_name_{number}()`.") for number, _ in enumerate(ODD_FILES)]
    scripted.change({path: f"def odd_name_{number}():\n    pass\n" for number, path in enumerate(ODD_FILES)})
    commit = scripted.change(dict.fromkeys(ODD_FILES, "x = 1\n"))
    scripted.change(dict.fromkeys(ODD_FILES, "x = 2\n"))
    found = scripted.truth()
    assert [one.rule for one in found] == ["symbol-missing"] * len(paths)
    assert all(commit[:10] in one.message for one in found)
    assert_nothing_ran(tmp_path)


# Amounts


def test_only_so_many_claims_of_a_text_are_judged(scripted: Scripted) -> None:
    scripted.remember("\n".join(f"- `src/file_{number}.py`" for number in range(2 * MAX_CLAIMS)))
    scripted.change({f"src/file_{number}.py": f"x = {number}\n" for number in range(3)})
    scripted.change({"src/file_1.py": None})
    report = run_check(scripted.repo.root)
    assert count_claims(report) == MAX_CLAIMS == 5_000
    assert report["claims"]["verified"] == 2


@pytest.mark.parametrize(
    "claims",
    in_gate(
        [
            " ".join(f"`name_{number}()` of `src/big.py`" for number in range(MAX_CLAIMS)),
            " ".join(f"`--flag-{number}`" for number in range(MAX_CLAIMS)),
            " ".join(f"`*{number % 10}*/**/*{number}*.py`" for number in range(MAX_CLAIMS)),
            " ".join(f"commit {number:07x}a1" for number in range(MAX_CLAIMS)),
            " ".join(f"`npm run task-{number}`" for number in range(MAX_CLAIMS)),
            "\n".join(f"- `src/big.py:{number}-{number + 400}`" for number in range(1, MAX_CLAIMS + 1)),
        ]
    ),
    ids=["names", "flags", "globs", "commits", "scripts", "lines"],
)
def test_thousands_of_claims_of_one_kind_come_to_an_end(scripted: Scripted, claims: str) -> None:
    big = "".join(f"name_{number} = compute_it({number})\n" for number in range(6_000))
    scripted.remember(claims)
    scripted.change({"src/big.py": big, "package.json": '{"scripts": {"task-1": "x"}}\n'})
    scripted.change({"src/big.py": "import os\n" + big, "package.json": '{"scripts": {}}\n'})
    report = run_check(scripted.repo.root)
    assert count_claims(report) >= MAX_CLAIMS


# Repositories that would have git run something

ATTACK = "touch pwned; touch ../pwned; touch ../../pwned; false"


def test_a_scope_that_is_a_bare_repository_is_no_repository(
    scripted: Scripted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scripted.remember("Text of `src/a.py`.")
    scripted.change({"src/a.py": CODE})
    scripted.change({"src/a.py": None})
    for directory in ("objects", "refs/heads"):
        scripted.repo.write(f"{SCOPE}/{directory}/.keep")
    scripted.repo.write(f"{SCOPE}/HEAD", "ref: refs/heads/main\n")
    config = f'[core]\n\tbare = false\n\tworktree = ..\n\tfsmonitor = "{ATTACK}"\n\tpager = "{ATTACK}"\n'
    scripted.repo.write(f"{SCOPE}/config", config)
    assert [one.rule for one in scripted.truth()] == ["path-missing"]
    # Inside of it git refuses, and so does memci rather than to go on without a history.
    done = check(capsys, scripted.repo.root / SCOPE)
    assert done.code == Exit.SERVICE
    assert "cannot use bare repository" in done.err
    assert_nothing_ran(tmp_path)


def test_no_filter_monitor_pager_or_hook_is_run(scripted: Scripted, tmp_path: Path) -> None:
    scripted.remember("See `src/a.py` and what it computes: `src/b.py:3`.\nCall `old_name()`.")
    scripted.change({"src/a.py": CODE, "src/b.py": CODE + "\ndef old_name():\n    pass\n"})
    scripted.change({"src/c.py": Moved("src/a.py"), "src/b.py": "import os\n" + CODE})
    attributes = "* diff=evil filter=evil merge=evil\n"
    scripted.change({".gitattributes": attributes})
    for name in (
        "diff.evil.textconv",
        "diff.evil.command",
        "diff.external",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "pager.log",
        "pager.grep",
        "gpg.program",
    ):
        scripted.repo.run("config", name, ATTACK)
    scripted.repo.run("config", "log.showSignature", "true")
    hooks = scripted.repo.root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for hook in ("post-index-change", "post-checkout", "reference-transaction"):
        (hooks / hook).write_text(f"#!/bin/sh\n{ATTACK}\n")
        (hooks / hook).chmod(0o755)
    found = scripted.truth()
    assert {one.rule for one in found} == {"path-moved", "line-out-of-range", "symbol-missing"}
    assert_nothing_ran(tmp_path)


# Clones that lack the past: never a finding that cannot be proven, never a silent green


@pytest.fixture
def drifted(scripted: Scripted) -> Scripted:
    scripted.remember("See `src/edited.py`, `src/exact.py`, `src/gone.py` and `old_name()`.")
    scripted.remember("See `src/kept.py:90`.")
    scripted.change(
        {
            "src/edited.py": CODE,
            "src/exact.py": CODE.replace("value", "exact"),
            "src/gone.py": "def old_name():\n    pass\n",
            "src/kept.py": "x = 1\n",
        }
    )
    scripted.repo.rename("src/edited.py", "lib/edited_too.py")
    scripted.change(
        {
            "lib/edited_too.py": CODE + "more = 1\n",
            "lib/exact_too.py": Moved("src/exact.py"),
            "src/gone.py": None,
        }
    )
    return scripted


def test_the_whole_history_proves_it_all(drifted: Scripted) -> None:
    report = run_check(drifted.repo.root)
    assert sorted(found["rule"] for found in report["findings"]) == [
        "line-out-of-range",
        "path-missing",
        "path-moved",
        "path-moved",
        "symbol-missing",
    ]
    assert report["skipped"] == []


def test_a_shallow_clone_says_so_and_accuses_nobody(drifted: Scripted, tmp_path: Path) -> None:
    clone = tmp_path / "shallow"
    drifted.repo.run("clone", "--quiet", "--depth=1", f"file://{drifted.repo.root}", str(clone))
    report = run_check(clone)
    # The file is too short for what is cited, whatever happened before.
    assert [found["rule"] for found in report["findings"]] == ["line-out-of-range"]
    (notice,) = report["skipped"]
    assert notice["what"] == "history"
    assert "shallow" in notice["why"]
    assert report["claims"]["unverifiable"] == 4


def test_a_partial_clone_says_so_and_reports_what_trees_prove(drifted: Scripted, tmp_path: Path) -> None:
    clone = tmp_path / "partial"
    drifted.repo.run("config", "uploadpack.allowFilter", "true")
    drifted.repo.run("clone", "--quiet", "--filter=blob:none", f"file://{drifted.repo.root}", str(clone))
    objects = Repo(clone).run("count-objects", "-v")
    report = run_check(clone)
    (notice,) = report["skipped"]
    assert notice["what"] == "history"
    assert "partial" in notice["why"]
    rules = sorted((found["rule"], found["message"].split(" ")[0]) for found in report["findings"])
    # Nobody can see that the edited file was renamed, nor whether code had the name.
    assert rules == [
        ("line-out-of-range", "src/kept.py:90"),
        ("path-missing", "src/edited.py"),
        ("path-missing", "src/gone.py"),
        ("path-moved", "src/exact.py"),
    ]
    assert Repo(clone).run("count-objects", "-v") == objects


def test_a_repository_without_commits_says_so(scripted: Scripted) -> None:
    scripted.remember("See `src/gone.py` and commit 3f9c2ab71d.")
    report = run_check(scripted.repo.root)
    assert report["findings"] == []
    (notice,) = report["skipped"]
    assert "nothing is committed yet" in notice["why"]
